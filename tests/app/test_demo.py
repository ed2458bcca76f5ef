"""The demo: all of its commands with small numbers, and its folders."""

import json
import re
import shutil
from functools import partial

import pytest

pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")

from fujikoro_app import demo
from fujikoro_env.kernel.jit import INTERPRETED

WARMUP = ("warmup",)
SMALL = ("learning.games=4", "learning.steps=8", "network.layers=[8]", "evaluation.games=1", "evaluation.final_games=1")


@pytest.mark.slow  # the tournament starts processes, and the training imports PyTorch
@pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
def test_the_demo_trains_plays_and_reports(tmp_path, capsys, monkeypatch):
    short = partial(demo.stages, rules=("--max-rounds", "2"))
    monkeypatch.setattr(demo, "stages", lambda *given: [stage for stage in short(*given) if stage.command != WARMUP])
    changes = [word for change in SMALL for word in ("--set", change)]
    assert demo.main(["--folder", str(tmp_path / "demo"), "--decisions", "40", "--games", "8", *changes]) == 0
    shown = capsys.readouterr().out
    page = (tmp_path / "demo" / "report.html").read_text()
    assert shown.endswith(f"The report: {(tmp_path / 'demo' / 'report.html').as_uri()}\n")
    assert re.search(r"came in place \d+ of 11", shown)
    assert re.findall(r"^\$ fujikoro (\w+)", shown, re.MULTILINE) == ["train", "tournament", "watch", "report"]
    assert [title in page for title in ("Learning curve", "Standings", "A recorded game")] == [True] * 3
    assert ">trained network</strong>" in page
    assert "trained network (player 0)" in page


def test_the_demo_compiles_first(tmp_path):
    assert demo.stages(tmp_path, 100, 8)[0].command == WARMUP


def test_the_end_says_how_the_command_is_found(tmp_path, monkeypatch):
    network = f"policy:{tmp_path / 'training' / 'policy.safetensors'}"
    (tmp_path / "tournament").mkdir()
    standings = {"agents": [{"agent": name} for name in ("shogun", network, "smith", "random")]}
    (tmp_path / "tournament" / "summary.json").write_text(json.dumps(standings))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    told = demo.closing(tmp_path).splitlines()
    assert told[0].endswith("came in place 2 of 4, ahead of smith, random.")
    assert ".venv/bin/activate" in told[1]
    monkeypatch.setattr(shutil, "which", lambda name: "/bin/fujikoro")
    assert demo.closing(tmp_path).splitlines()[1].startswith("Next: watch")


def test_a_demo_never_writes_over_another(tmp_path):
    names = [demo.new_folder(tmp_path / "runs" / "demo").name for _ in range(3)]
    assert names == ["demo", "demo-2", "demo-3"]


def test_a_command_that_fails_ends_the_demo(tmp_path, capsys):
    stages = [demo.Stage("fail", ("train", "nothing")), demo.Stage("never", ("warmup",))]
    assert demo.run(stages) == 2
    assert "never" not in capsys.readouterr().out


def test_commands_are_printed_as_they_can_be_typed(tmp_path):
    stage = demo.Stage("watch", ("watch", "--save", "my game.json"), tmp_path / "out.txt")
    assert stage.line == f"fujikoro watch --save 'my game.json' > {tmp_path / 'out.txt'}"


def test_bad_input_of_the_demo(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert demo.main(["--folder", str(tmp_path / "file" / "demo")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(SystemExit, match="2"):
        demo.main(["--decisions", "none"])

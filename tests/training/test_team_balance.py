"""Balance experiments of games whose players win or lose together, by what the games declare."""

import json
import tomllib
from dataclasses import replace
from itertools import groupby

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("statsmodels", reason="the extra balance is not installed")

from fujikoro_app.cli import main
from fujikoro_env.kernel.declared import find_game
from fujikoro_training.balance.analysis import WIN
from fujikoro_training.balance.cells import BASE
from fujikoro_training.balance.run import run
from fujikoro_training.balance.settings import SettingsError
from fujikoro_training.balance.store import Store
from fujikoro_training.balance.team import TeamSettings, any_settings_of, team_settings_of
from fujikoro_training.balance.team_games import WITH, team_effects
from tests.kernel.toy_game import game as pig

TALK = {"name": "talk", "rule": "talk", "values": ["none", "open"]}


def small(**more):
    usual = {"experiment": "parameters", "game": "fuji", "agents": ["random"], "players": [3], "games": 3}
    return team_settings_of({**usual, **more})


@pytest.mark.parametrize("more", [{}, {"parameters": [TALK], "rules": {"level": 4}}, {"experiment": "characters"}])
def test_settings_come_back_from_the_file_that_a_run_writes(more):
    settings = small(**more)
    assert any_settings_of(tomllib.loads(settings.to_toml())) == settings
    assert any_settings_of(json.loads(json.dumps(settings.to_json()))) == settings


def test_every_declared_value_has_a_cell_if_it_goes_with_the_others():
    labels = [(cell.players, cell.label) for cell in small(players=[2, 3]).cells()]
    assert {(2, BASE), (3, BASE), (2, "variant = B"), (3, "level = 4"), (3, "talk = open")} < set(labels)
    assert (3, "late_eruption = True") in labels
    assert (3, "scenario = switchback") in labels
    assert (3, "variant = B") not in labels
    assert small(agents=[]).cells()[0].agent == "guide"


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"game": "go"}, "game 'go' is not known"),
        ({"experiment": "seats"}, "allowed are characters, parameters"),
        ({"agents": ["runner"]}, "agent 'runner' is not known"),
        ({"rules": {"level": 9}}, "level=9: allowed are the numbers 1 to 4"),
        ({"rules": {"mood": 1}}, "Fuji has no setting 'mood': there are late_eruption, level"),
        ({"rules": {"players": 3}}, "Fuji has no setting 'players'"),
        ({"parameters": [{"name": "x", "path": "track", "values": [1]}]}, "allowed are { name"),
        ({"parameters": [TALK, TALK]}, "something is there twice"),
        ({"decisions": True}, "kept of the game fujikoro alone"),
        ({"slow_games": 3}, "'slow_games' is not a setting"),
        ({"players": [5]}, "players=5: allowed are the numbers 2 to 4"),
    ],
)
def test_settings_that_no_game_can_be_played_with_are_refused(said, says):
    with pytest.raises(SettingsError, match=says) as error:
        small(**said)
    assert all("\n" not in fault for fault in error.value.faults)


def test_a_game_that_is_played_against_each_other_is_refused(monkeypatch):
    game = replace(find_game("fuji"), is_team=lambda rules: False)
    monkeypatch.setattr("fujikoro_training.balance.team.find_game", lambda name: game)
    with pytest.raises(SettingsError, match="players don't win or lose together"):
        small()


def test_games_without_content_get_none():
    (cell,) = TeamSettings("characters", "pig", ("random",), (2,)).cells()
    assert cell.make_rules() == pig.Rules(players=2)
    with pytest.raises(SettingsError, match="Pig: its players don't win or lose together"):
        team_settings_of({"experiment": "characters", "game": "pig", "players": [2]})
    with pytest.raises(SettingsError, match="unexpected keyword argument 'content'"):
        team_settings_of({"experiment": "characters", "game": "pig", "players": [2], "content": "more"})


def test_a_run_is_told_continued_and_reported(tmp_path, capsys, monkeypatch):
    folder = tmp_path / "talk"
    file = tmp_path / "talk.toml"
    file.write_text('game = "fuji"\nagents = ["guide"]\nplayers = [2]\ngames = 2\n' + _parameters())
    typed = ["balance", "parameters", "--settings", str(file), "--option", "level=4", "--jobs", "1"]
    assert main([*typed, "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "\n  talk = open  " in told
    assert ", base " in told
    assert Store(folder).settings().rules == {"level": 4}
    monkeypatch.setattr("fujikoro_training.balance.run.play_team_cell", None)  # all shards are there
    assert main([*typed, "--out", str(folder), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["measure"] for row in rows} >= {WIN, "rounds", "score"}
    assert main([*typed, "--out", str(folder), "--seed", "5"]) == 2
    assert "continue with the same settings" in capsys.readouterr().err
    page = tmp_path / "page.html"
    assert main(["balance", "report", str(folder), "--out", str(page)]) == 0
    assert "talk = open" in page.read_text()


def _parameters():
    return 'parameters = [{ name = "talk", rule = "talk", values = ["none", "open"] }]\n'


def test_shares_by_what_is_dealt(tmp_path):
    effects = run(small(experiment="characters", games=6), tmp_path / "run", 1)
    assert set(effects["measure"]) == {WITH}
    assert effects["games"].sum() == 3 * 6  # each of three players has a skill card
    assert len(set(effects["level"])) > 3


# --- planted effects ------------------------------------------------------------------------------------------------


def planted(chances, traits=("plain",), games=400):
    """Games of cells that are won with these chances. Games with the trait `lucky` are always won."""
    rows = []
    for cell, chance in chances.items():
        for block, luck in enumerate(np.random.default_rng(5).random(games)):
            dealt = [traits[block % len(traits)]]
            won = luck < chance or dealt == ["lucky"]
            reason = "villages" if won else "lava"
            row = {"cell": cell, "agent": "random", "players": 3, "block": block, "rounds": 6, "reason": reason}
            rows.append({**row, "won": won, "score": 9 * won, "traits": dealt})
    return pd.DataFrame(rows)


def test_a_planted_setting_is_found_and_an_equal_one_is_not():
    effects = team_effects(small(), planted({BASE: 0.6, "talk = open": 0.8, "talk = words": 0.6}))
    found = effects[effects["measure"] == WIN].set_index("level")
    assert found["finding"].to_dict() == {BASE: "", "talk = open": "above", "talk = words": ""}
    assert found.loc["talk = words", "equivalent"]
    assert np.isnan(found.loc[BASE, "p"])  # one comparison less to correct for
    assert effects["p"].count() == 3 * 2
    assert found.loc["talk = open", "low"] < 0.8 < found.loc["talk = open", "high"]
    assert [measure for measure, _ in groupby(effects["measure"])] == [WIN, "share lost by lava", "rounds", "score"]
    lost = effects[effects["measure"] == "share lost by lava"].set_index("level")
    assert lost.loc[BASE, "value"] == pytest.approx(1 - found.loc[BASE, "value"])


def test_a_planted_trait_is_found():
    games = planted({BASE: 0.5}, ("lucky", "plain", "usual"))
    found = team_effects(small(experiment="characters"), games).set_index("level")
    assert found["finding"].to_dict() == {"lucky": "above", "plain": "below", "usual": "below"}
    assert found.loc["lucky", "value"] == 1.0
    assert found.loc["lucky", "games"] == 134

"""Reports: one page about training runs, tournaments and recorded games."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from fujikoro_app.cli import main
from fujikoro_app.report.balance import balance_content
from fujikoro_app.report.charts import Point, Span, _ticks, curve_chart, interval_chart, round_marks, short_number
from fujikoro_app.report.game import film_data, frames
from fujikoro_app.report.markup import node, page_text
from fujikoro_app.report.page import report_page
from fujikoro_app.report.sources import CURVE, ITSELF, POLICY, SUMMARY, Balance, Effect, ReportError, read_source
from fujikoro_env import Rules
from fujikoro_env.player import make_agents
from fujikoro_env.record import Replay
from fujikoro_env.render.svg import table_svg
from fujikoro_env.session import Session
from fujikoro_training.team_runs import StoredTeam, TeamRun, write_teams

HOSTILE = """<script>document.title='owned'</script></script><img src=x onerror="alert('&')">"""
VOID = ("meta", "input", "link", "img", "br")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def match(opponent="random", share=0.5):
    return {"opponent": opponent, "games of": "4 players", "games": 40, "share": share, "low": 0.4, "high": 0.6}


def training_folder(folder: Path, opponent="random") -> str:
    folder.mkdir()
    rows = [
        {"decisions": 0, "seconds": 0.1, "matches": [match(opponent, 0.25)]},
        {"decisions": 500, "seconds": 9.0, "entropy": 1.5, "kl": 0.01, "matches": [match(opponent, 0.75)]},
    ]
    (folder / "curve.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "recipe.json").write_text(json.dumps({"name": "small", "decisions": 500, "games": [{"players": 4}]}))
    return str(folder)


def tournament_folder(folder: Path, *names: str) -> str:
    folder.mkdir()
    rows = [
        {
            "agent": name,
            "games": 40,
            "win_rate": [0.5, 0.25, 0.75],
            "fair_share": 0.25,
            "rating": [100.0, None, None],
            "vp": [20.0, 18.0, 22.0],
            "milliseconds_a_decision": 0.01,
        }
        for name in names
    ]
    (folder / "summary.json").write_text(json.dumps({"games": 40, "blocks": 10, "agents": rows}))
    return str(folder)


@pytest.fixture(scope="module")
def recording():
    """A short game of two random players, one with a hostile name."""
    names = ["random", HOSTILE]
    session = Session(Rules(players=2, max_rounds=2), 5, agents=make_agents(["random"] * 2, 1), names=names)
    session.play()
    return session.recording()


@pytest.fixture
def game_file(recording, tmp_path):
    (tmp_path / "game.json").write_text(recording.to_json())
    return str(tmp_path / "game.json")


@pytest.fixture
def page(tmp_path, game_file):
    """A report of a training, a tournament and a game, with hostile names everywhere."""
    run = training_folder(tmp_path / "run", HOSTILE)
    played = tournament_folder(tmp_path / "played", f"policy:{run}/policy.safetensors", HOSTILE)
    assert main(["report", run, played, game_file, "--out", str(tmp_path / "report.html"), "--title", HOSTILE]) == 0
    return tmp_path / "report.html"


class Checker(HTMLParser):
    """Checks that elements are closed in order, and collects what the page could load or run."""

    def __init__(self):
        super().__init__()
        self.open, self.attributes, self.scripts = [], [], 0

    def handle_starttag(self, tag, attrs):
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.scripts += tag == "script"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_page_is_well_formed_and_complete_in_itself(page):
    text = page.read_text()
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert checker.open == []
    assert checker.scripts == 2  # the film and the program: none from names
    assert not [item for item in checker.attributes if item[1].startswith("on") or item[1] == "src"]
    assert {value[0] for _, name, value in checker.attributes if name == "href"} == {"#"}
    assert not re.search(r"url\((?!#)|@import|https?://", text)
    policy = [value for tag, name, value in checker.attributes if tag == "meta" and value.startswith("default-src")]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"]
    assert not any(tag == "img" for tag, _, _ in checker.attributes)


def test_the_axis_of_decisions_has_round_numbers():
    assert [short_number(mark) for mark in round_marks(401_738)] == ["0", "100k", "200k", "300k", "400k"]
    assert [short_number(mark) for mark in round_marks(2_600_000)] == ["0", "1M", "2M"]
    assert [round_marks(most) for most in (1, 7, 40)] == [[0, 1], [0, 2, 4, 6], [0, 10, 20, 30, 40]]


def test_a_page_has_the_curve_the_standings_and_the_game(page):
    text = page.read_text()
    assert "after 500 decisions in 9 seconds the network won 75.0% of 40 games" in text
    assert "500 decisions: 75.0% (40.0% to 60.0%)" in text  # at its point of the curve
    assert "50.0% (25.0 to 75.0)" in text
    assert ">trained network</strong>" in text  # not a long path
    assert "shown in" in text
    assert "Agents, by rating" in text
    assert "<td>0.01</td>" in text  # milliseconds per decision


def test_the_film_is_the_tables_of_the_game(recording):
    replay = Replay(recording)
    shown = list(frames(replay, ["a", "b"]))
    film = json.loads(film_data(shown))
    pictures = ["".join(film["parts"][number] for number in picture) for picture in film["pictures"]]
    assert len(pictures) == len(film["told"]) > 5
    assert pictures[0] in table_svg(replay.game_at(0), names=["a", "b"])
    assert film["told"][0] == "The start of the game."
    assert film["told"][-1].split("\n")[-3].startswith("The game is over in round 2")
    assert len(film_data(shown)) < sum(len(frame.svg) for frame in shown) / 5


def test_a_recording_of_half_a_game_says_so(recording):
    session = Session(Rules(players=2), 5, agents=make_agents(["random"] * 2, 1), names=["a", "b"])
    for _ in range(12):
        session.advance()
    assert list(frames(Replay(session.recording()), ["a", "b"]))[-1].told.endswith("before the end of the game.")


def test_text_that_no_file_can_hold_is_replaced(tmp_path):
    run = training_folder(tmp_path / "run", "\ud800\x00")
    assert main(["report", run, "--out", str(tmp_path / "report.html")]) == 0
    assert "against ?" in (tmp_path / "report.html").read_text()


def test_a_tournament_says_who_finishes_ahead_of_whom(tmp_path):
    folder = tmp_path / "played"
    summary = json.loads((Path(tournament_folder(folder, "runner", "smith")) / "summary.json").read_text())
    summary["head_to_head"] = {"runner": {"smith": [0.75, 0.5, 0.9]}, "smith": {"runner": [0.25, 0.1, 0.5]}}
    (folder / "summary.json").write_text(json.dumps(summary))
    text = report_page([read_source(str(folder))], "pairs")
    assert '<th scope="row">runner</th><td /><td>75% (50 to 90)</td>' in text.replace("<td></td>", "<td />")
    assert "<nav" not in text  # a short page needs no contents


def test_teams_of_other_games_are_a_table_with_intervals(tmp_path):
    rules = {"players": 3, "level": 2}
    teams = [
        StoredTeam(agent, rules, 0, won, [4.0, 2.0], [5, 6], ["village" if win else "lava" for win in won])
        for agent, won in (("policy:<i>/mine/policy.safetensors", [False, False]), ("guide", [True, False]))
    ]
    write_teams(tmp_path, TeamRun("fuji", "tournament", 3, tuple(teams)))
    text = report_page([read_source(str(tmp_path))], "teams")
    assert "4 games with players=3, level=2" in text
    assert "1 of 3 results are missing" in text
    assert text.index(">guide<") < text.index(">policy:mine<")  # the best first
    assert "50.0% (9.5 to 90.5)" in text
    assert all(told in text for told in (">lava 1<", ">lava 2<", ">3.0<", ">5.5<"))
    assert "<i>" not in text


def test_a_long_page_has_links_to_its_sections(tmp_path):
    folders = [tournament_folder(tmp_path / name, "runner") for name in ("one", "two", "three")]
    text = report_page([read_source(folder) for folder in folders], "long")
    for number, name in enumerate(("one", "two", "three")):
        assert f'<a href="#s{number}">{name}</a>' in text
        assert f'id="s{number}"' in text


@pytest.mark.parametrize(
    ("values", "ticks"),
    [([0.03, 0.504], [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), ([-33, 2], [-40, -30, -20, -10, 0, 10]), ([5, 5], [5, 6])],
)
def test_axes_have_round_numbers(values, ticks):
    assert _ticks(values) == pytest.approx(ticks)


def test_several_runs_are_told_apart(tmp_path):
    runs = [read_source(training_folder(tmp_path / name)) for name in ("first", "second")]
    text = report_page(runs, "two runs")
    assert ["Learning curve of first<" in text, "Learning curve of second<" in text] == [True, True]


def test_coop_has_no_ratings(tmp_path):
    folder = tmp_path / "coop"
    folder.mkdir()
    row = {"agent": "band", "games": 8, "win_rate": [0.5, 0.2, 0.8], "milliseconds_a_decision": 0.1}
    (folder / "summary.json").write_text(json.dumps({"games": 8, "blocks": 8, "agents": [row]}))
    text = report_page([read_source(str(folder))], "co-op")
    assert "band" in text
    assert ">rating<" not in text
    assert "<script" not in text  # nothing to step through


def test_markup_keeps_text_and_elements_in_order():
    made = node("p", "a < ", node("b", "b"), " & c", node("i"), "d", class_="x", data_go="&")
    assert page_text(made).split("\n")[1] == '<p class="x" data-go="&amp;">a &lt; <b>b</b> &amp; c<i></i>d</p>'


def test_a_curve_of_one_point_at_0_can_be_drawn():
    drawn = page_text(curve_chart("wins", {"against random": [Point(0, 0.25, 0.1, 0.4)]}, None, ""))
    assert 'cx="52.0"' in drawn


def test_files_have_the_names_that_their_writers_give_them():
    report = pytest.importorskip("fujikoro_training.tournament.report")
    assert report.SUMMARY == SUMMARY
    run = pytest.importorskip("fujikoro_training.learning.run", exc_type=ImportError)
    assert (run.CURVE, run.POLICY, run.ITSELF) == (CURVE, POLICY, ITSELF)


# bad input


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("curve.jsonl", "[]\n", "curve.jsonl: not a curve"),
        ("curve.jsonl", '{"decisions": 1e999, "seconds": 1, "matches": []}\n', "curve.jsonl: not a curve"),
        ("summary.json", '{"games": 1, "blocks": 1, "agents": [{}]}', "summary.json: not a summary of a tournament"),
        ("summary.json", "[" * 100_000, "summary.json: not a summary of a tournament"),
        ("result.json", '{"series": [{}]}', "result.json: not a result of an evaluation"),
        ("teams.json", '{"teams": []}', "teams.json: not results of teams"),
        ("other", "", "has none of curve.jsonl of `fujikoro train`, summary.json of `tournament`, result.json"),
    ],
)
def test_folders_that_are_none_of_ours_get_one_line(tmp_path, file, text, told):
    (tmp_path / "recipe.json").write_text('{"name": "x", "decisions": 1, "games": [{}]}')
    (tmp_path / file).write_text(text)
    with pytest.raises(ReportError) as caught:
        read_source(str(tmp_path))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_input_of_the_command_gets_one_line(tmp_path, game_file, capsys):
    (tmp_path / "mine.html").write_text("mine")
    for typed, told in (
        ([str(tmp_path / "nowhere")], "nowhere: No such file or directory"),
        ([game_file, "--out", str(tmp_path / "mine.html")], "exists already, and is left as it is"),
        ([str(tmp_path / "mine.html")], "mine.html"),
        ([], "required: SOURCE"),
    ):
        assert main(["report", *typed]) == 2
        error = capsys.readouterr().err
        assert told in error
        assert error.count("\n") == 1
    assert (tmp_path / "mine.html").read_text() == "mine"


# in a browser

TRIAL = """
<script>
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const at = () => document.querySelector("output").textContent;
const seen = [at()];
press("End"); seen.push(at());
press("Home"); seen.push(at());
press("ArrowRight"); press("ArrowRight"); press("ArrowLeft"); seen.push(at());
document.querySelector('[data-go="next"]').click(); seen.push(at());
document.querySelector("input").value = 4;
document.querySelector("input").dispatchEvent(new Event("input")); seen.push(at());
const drawn = document.querySelectorAll(".stage svg polygon").length > 100;
document.body.innerHTML = "";
document.body.textContent = JSON.stringify([seen, drawn, document.title]);
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_the_game_can_be_stepped_through_in_a_browser(page):
    text = page.read_text()
    (page.parent / "trial.html").write_text(text + TRIAL)
    address = f"{(page.parent / 'trial.html').as_uri()}#picture-3"
    command = [str(CHROMIUM), "--headless", "--no-sandbox", f"--user-data-dir={page.parent / 'profile'}", "--dump-dom"]
    found = subprocess.run([*command, address], capture_output=True, text=True, timeout=60, check=True)
    (told,) = re.findall(r"<body>(.*)</body>", found.stdout, re.DOTALL)
    seen, drawn, title = json.loads(told.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    last = seen[0].removeprefix("3 of ")
    assert seen == [f"{at} of {last}" for at in (3, last, 1, 2, 3, 5)]
    assert drawn
    assert title == HOSTILE


def test_a_balance_experiment_has_one_section_for_each_measure():
    """Also where the lines of measures alternate, as in `components`."""

    def line(measure, level):
        return Effect("runner", 4, measure, level, 100, (22.0, 21.5, 22.5), 22.1, "", False)

    measures = ("rounds", "VP of the winner")
    effects = tuple(line(measure, level) for level in ("kama x 0", "kama x 2") for measure in measures)
    _, content = balance_content(Balance(Path("runs"), "fujikoro", "components", 200, "base", 0.02, effects))
    page = page_text(node("div", *content))
    for heading in ("<h3>Rounds</h3>", "<h3>VP of the winner</h3>"):
        assert page.count(heading) == 1
    assert page.count("kama x 2") == 4  # in a chart and in a table of each measure


def test_lines_with_references_of_their_own_get_a_mark_each():
    """Games with a skill card are compared with those without it, which are others for each card."""
    page = page_text(interval_chart("won", [("buddy", [Span(0, 0.6, 0.5, 0.7, 0.55)])], ["guide"], "%"))
    assert page.count('class="level"') == 1
    rows = [("buddy", [Span(0, 0.6, 0.5, 0.7, 0.55)]), ("scout", [Span(0, 0.6, 0.5, 0.7, 0.65)])]
    page = page_text(interval_chart("won", rows, ["guide"], "%"))
    assert (page.count('class="level"'), page.count('class="level own"')) == (0, 2)

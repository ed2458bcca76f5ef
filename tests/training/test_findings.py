"""The tables of notebooks/FINDINGS.md and docs/fuji/balance.md say what the stored results say."""

import re
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("statsmodels", reason="the extra balance is not installed")


from fujikoro_training.balance.store import Store

ROOT = Path(__file__).resolve().parents[2]
FINDINGS, FUJI = ROOT / "notebooks/FINDINGS.md", ROOT / "docs/fuji/balance.md"
OPTIONS = {
    "crafting": "craft",
    "bonuses in the palace": "claims",
    "planning for the way out": "escape",
    "fighting dragons": "fight",
    "gathering scrolls": "scrolls",
    "exploring": "explore",
    "calling duels": "duel",
    "blueprints": "blueprints",
    "gathering monks": "monks",
    "joining the fights of others": "join",
    "adventure tokens": "adventures",
    "heroic monks": "heroes",
    "scroll powers": "powers",
    "a bonus without its action": "bonus_only",
}
PACE = {
    "rounds": "rounds",
    "choices per turn": "choices per turn",
    "legal actions per choice": "legal actions per choice",
    "lead changes by round": "lead changes",
    "share of the game until the winner leads for good": "share of the game until the winner leads for good",
    "margin of the winner, VP": "margin of the winner",
    "entropy of the kinds of actions, bits": "entropy of the kinds of actions, in bits",
}
SOURCES = {
    "which agent plays": "line-up",
    "characters": "characters",
    "set-up (cards, blueprints, first player)": "setup",
    "seat": "seat",
    "agents' own random choices": "choices",
    "dice": "dice",
    "tokens": "tokens",
    "scrolls": "scrolls",
}
NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")


@cache
def effects(name):
    found = Store(ROOT / "notebooks/results" / name).effects()
    return {(row.agent, row.players, row.measure, row.level): row for row in found.itertuples()}


def tables(path):
    """The tables of a page: rows of cells, with the head first."""
    for part in re.findall(r"(?:^\|.*\n)+", path.read_text(encoding="utf-8"), re.MULTILINE):
        yield [
            [cell.strip() for cell in line.strip("|\n").split(" | ")] for line in part.splitlines() if "---" not in line
        ]


def table(path, first, *others):
    """The table whose head begins with these cells."""
    found = [
        rows for rows in tables(path) if [cell.strip(" |") for cell in rows[0]][: 1 + len(others)] == [first, *others]
    ]
    assert len(found) == 1, (first, others)
    return found[0]


def agrees(cell, row, percent=True):
    """Whether all numbers in a cell are those of an effect, rounded to the digits of the cell."""
    scale = 100 if percent else 1
    said = NUMBERS.findall(cell.split(",")[0])
    known = [row.value, row.low, row.high][: len(said)]
    digits = [len(number.partition(".")[2]) for number in said]
    # A value such as 63.75 may be rounded either way.
    close = [abs(float(a) - scale * b) <= 0.5001 * 10**-n for a, b, n in zip(said, known, digits, strict=True)]
    return bool(said) and all(close)


def check_finding(cell, row):
    assert ("**" in cell) == bool(row.finding), (cell, row)
    assert ("fair" in cell) <= bool(row.equivalent), (cell, row)


def test_the_pictures_are_those_of_the_results(tmp_path):
    pytest.importorskip("matplotlib", reason="the extra notebooks is not installed")
    from tools.make_findings_pictures import DRAWN, PICTURES, main

    assert main(tmp_path) == 0
    for name in DRAWN:
        assert f"pictures/{name}" in FINDINGS.read_text(encoding="utf-8")
        drawn, kept = (re.findall(r'<use [^>]*style="fill[^>]*>', (f / name).read_text()) for f in (tmp_path, PICTURES))
        assert drawn == kept  # the marks of the values; letters may differ between versions of matplotlib


def test_seats():
    head, *rows = table(FINDINGS, "players", "fair")
    for players, _, *cells in rows:
        n = int(players)
        for name, cell in zip(head[2:], cells, strict=True):
            agent, _, place = name.replace("`", "").partition(": ")
            row = effects("seats")[agent, n, "win share", "1. in turn" if place == "first" else f"{n}. in turn"]
            assert agrees(cell, row)
            check_finding(cell, row)


def test_characters():
    head, *rows = table(FINDINGS, "character", "`gatherer`")
    for name, *cells in rows:
        for agent, cell in zip(head[1:], cells, strict=True):
            row = effects("characters")[agent.strip("`"), 4, "win share", name.lower()]
            assert agrees(cell, row)
            check_finding(cell, row)


def test_characters_by_number_of_players():
    _, *rows = table(FINDINGS, "character", "2 players, fair 50 %")
    for name, *cells in rows:
        for n, cell in zip((2, 3, 4), cells, strict=True):
            row = effects("characters-2" if n < 4 else "characters")["runner", n, "win share", name.lower()]
            assert agrees(cell, row)
            check_finding(cell, row)


def test_the_tuned_pack():
    _, *rows = table(FINDINGS, "character", "`runner` before")
    columns = [(agent, name) for agent in ("runner", "shogun") for name in ("characters", "characters-tuned")]
    for name, *cells in rows:
        for (agent, experiment), cell in zip(columns, cells, strict=True):
            assert agrees(cell, effects(experiment)[agent, 4, "win share", name.lower()])


def test_options():
    _, *rows = table(FINDINGS, "without")
    assert [name for name, *_ in rows] == list(OPTIONS)
    for name, *cells in rows:
        for agent, cell in zip(("gatherer", "runner", "shogun"), cells[:3], strict=True):
            row = effects("restricted")[agent, 4, "win share", OPTIONS[name]]
            if "not used" in cell or "always" in cell:
                assert row.value == 0.25
            else:
                assert agrees(cell, row)
                check_finding(cell, row)
        assert agrees(cells[3], effects("restricted")["shogun", 4, "lead in VP", OPTIONS[name]], percent=False)


def test_luck():
    _, *rows = table(FINDINGS, "source")
    agents = "gatherer,smith,hunter,runner"
    for name, *cells in rows:
        for kind, cell in zip(("alone", "with interactions"), cells, strict=True):
            measure = f"share of the variance, {kind}"
            if name in SOURCES:
                assert agrees(cell, effects("luck")[agents, 4, measure, SOURCES[name]])
            else:
                for level, part in zip(("tiles1", "tiles2", "tiles3"), cell.split(" / "), strict=True):
                    assert agrees(part, effects("luck")[agents, 4, measure, level])


def test_pace():
    _, *rows = next(
        rows for rows in tables(FINDINGS) if "share of the game until the winner leads for good" in str(rows)
    )
    for name, *cells in rows:
        for agent, cell in zip(("gatherer", "runner", "shogun"), cells, strict=True):
            if name == "share of decisions that are forced":
                forced, choices = (
                    effects("pace")[agent, 4, what, ""].value for what in ("forced decisions", "choices")
                )
                assert cell == f"{100 * forced / (forced + choices):.0f} %"
            else:
                assert agrees(cell, effects("pace")[agent, 4, PACE[name], ""], percent="%" in cell)


def test_levels_of_fuji():
    _, *rows = table(FUJI, "level")
    columns = [("fuji-levels", 2), ("fuji-levels-b", 2), ("fuji-levels", 3), ("fuji-levels", 4)]
    for level, *cells in rows:
        for (experiment, n), cell in zip(columns, cells, strict=True):
            assert agrees(cell, effects(experiment)["guide", n, "win share", f"level = {level}"])


def test_scenarios_of_fuji():
    _, *rows = table(FUJI, "scenario")
    columns = [("fuji-scenarios-1", 3), ("fuji-scenarios-1", 4), ("fuji-scenarios", 3), ("fuji-scenarios", 4)]
    for name, *cells in rows:
        for (experiment, n), cell in zip(columns, cells, strict=True):
            assert agrees(cell, effects(experiment)["guide", n, "win share", f"scenario = {name.strip('`')}"])


def test_talk_in_fuji():
    _, *rows = table(FUJI, "what is said")
    for name, *cells in rows:
        level = re.findall("talk=(\\w+)", name)[0]
        for n, cell in zip((3, 4), cells, strict=True):
            assert agrees(cell, effects("fuji-talk")["guide", n, "win share", f"talk = {level}"])


def test_skill_cards_of_fuji():
    _, *rows = table(FUJI, "skill card")
    for name, *cells in rows:
        for n, part, others in zip((3, 4), cells[::2], cells[1::2], strict=True):
            row = effects("fuji-skills")["guide", n, "win share with", name.strip("`")]
            assert agrees(part, row)
            assert float(NUMBERS.findall(others)[0]) == pytest.approx(100 * row.reference, abs=0.051)
            assert not row.finding

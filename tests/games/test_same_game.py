"""The same game everywhere: compiled, as plain Python, with bounds checks, in another process, with another hash seed.

Whole games and play from mid-game positions give chains of digests; tests/golden/ends.txt has the last line of each.
"""

import pytest

from tests.helpers import mid_games
from tests.helpers.processes import run
from tests.helpers.sample_games import digests, ends
from tools import make_goldens

MODES = [
    pytest.param({"PYTHONHASHSEED": "1"}, id="another process"),
    pytest.param({"PYTHONHASHSEED": "4321"}, id="another hash seed"),
    pytest.param({"NUMBA_DISABLE_JIT": "1"}, id="plain Python", marks=pytest.mark.slow),
    pytest.param({"FUJIKORO_CHECKED": "1"}, id="bounds checks", marks=[pytest.mark.slow, pytest.mark.long]),
]


@pytest.fixture(scope="module")
def sample() -> list[str]:
    return digests()


@pytest.mark.parametrize("environment", MODES)
def test_the_same_games_everywhere(sample, environment):
    assert run("-m", "tests.helpers.sample_games", **environment).splitlines() == sample


def test_the_games_end_as_they_did(sample):
    """If only this test fails, games have changed but are still the same everywhere."""
    kept = make_goldens.ENDS.read_text(encoding="utf-8").splitlines()
    assert ends(sample) == kept, f"if the rules were meant to change: {make_goldens.COMMAND} (docs/goldens.md)"


# The positions


def test_every_situation_has_its_position():
    assert {path.stem for path in mid_games.FOLDER.glob("*.json")} == set(mid_games.SITUATIONS)


@pytest.mark.parametrize("name", mid_games.SITUATIONS)
def test_a_position_is_what_its_name_says(name):
    game = mid_games.load(name)
    assert mid_games.SITUATIONS[name].is_met(game)
    assert {key: value for key, value in mid_games.SITUATIONS[name].rules.items() if _setting(game, key) != value} == {}


def _setting(game, key):
    return game.rules.options[key] if key in game.rules.options else getattr(game.rules, key)


def test_the_positions_differ_in_their_settings():
    games = [mid_games.load(name) for name in mid_games.SITUATIONS]
    assert {game.rules.players for game in games} == {2, 3, 4, 5, 6}
    for key in ("peaceful", "ask_forced", "monk_to_pack", "scroll_replace_anytime", "rope_catches"):
        assert {_setting(game, key) for game in games} == {False, True}

"""Positions of Fuji as JSON: there and back, by hand, and what is wrong with them."""

import copy
import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fuji_env import Game, Rules
from fuji_env.position import PositionError, position_of
from fuji_env.rules.base.phases import Phase
from tests.helpers.damaged_files import damaged_position
from tests.helpers.fuji import do, give, injure, plan, put, table, to_moves
from tests.helpers.fuji_games import games, random_game
from tests.helpers.fuji_invariants import check
from tests.helpers.hostile import HOSTILE_INPUTS

DOCS = Path(__file__).resolve().parents[2] / "docs" / "fuji" / "positions.md"
DAMAGED = 400


def there_and_back(game: Game) -> Game:
    return Game.from_json(game.to_json())


@pytest.mark.parametrize(("rules", "seed"), games(2))
def test_every_position_of_a_game_comes_back(rules, seed):
    for number, game in enumerate(random_game(rules, seed)):
        if number % 3 == 0 or game.over:
            again = there_and_back(game)
            assert again.state.tobytes() == game.state.tobytes()
            assert again.legal_actions().tolist() == game.legal_actions().tolist()


@pytest.mark.parametrize(("rules", "seed"), games(1))
def test_views_come_back_and_show_nothing_hidden(rules, seed):
    for number, game in enumerate(random_game(rules, seed)):
        if number % 10 == 0:
            for player in range(game.rules.players):
                view = game.view(player)
                again = there_and_back(view)
                assert again.digest() == view.digest()
                assert again.viewer == player
                assert "streams" not in position_of(view)


def test_a_view_does_not_show_the_dice_of_others():
    game = Game(Rules(players=3, skills=("survivalist", "scout", "buddy")), seed=3)
    figures = position_of(game.view(0))["figures"]
    assert all(figures[0]["dice"])
    assert figures[1]["dice"] == [None] * 5
    assert figures[2]["dice"] == [None] * 6


def test_a_game_played_on_from_its_position_is_the_same_game():
    game = Game(Rules(players=4), seed=5)
    other = there_and_back(game)
    for number in range(80):
        if game.over:
            break
        action = game.legal_actions()[number * 7 % len(game.legal_actions())]
        game.step(action)
        other.step(action)
    assert other.digest() == game.digest()


def test_loaded_luck_comes_back():
    game = table()
    game.load_dice([6, 5, 4])
    game.load_draws(["rope", "helmet"])
    shown = position_of(game)
    assert shown["loaded_dice"] == [6, 5, 4]
    assert shown["loaded_draws"] == ["rope", "helmet"]
    assert there_and_back(game).digest() == game.digest()


def test_the_seed_stands_for_the_streams():
    position = position_of(table())
    del position["streams"]
    first, again, other = (Game.from_json(json.dumps(position | {"seed": seed})) for seed in (7, 7, 8))
    assert first.digest() == again.digest() != other.digest()


@cache
def base() -> dict[str, Any]:
    """A position of three players in the move phase, with a little of everything."""
    game = table(skills=("tinkerer", "scout", "gatherer"))
    give(game, 0, "rope")
    give(game, 1, "helmet")
    put(game, 1, "d2")
    game.state.figures[1].stamina = 9
    injure(game, 1, "die")
    game.state.figures[2].bars = 1
    plan(game, "d3", "e2", "c2")
    to_moves(game)
    return position_of(game)


def changed(keys: str, value: Any) -> str:
    """The position with one value changed. `keys`: the path to the value, such as "figures.0.at"."""
    position: Any = copy.deepcopy(base())
    inner = position
    *path, last = [int(key) if key.isdigit() else key for key in keys.split(".")]
    for key in path:
        inner = inner.setdefault(key, {}) if isinstance(inner, dict) else inner[key]
    inner[last] = value
    return json.dumps(position)


WRONG: list[tuple[str, Any, str, str]] = [
    ("version", 2, "version: 2 is not known; this is version 1", ""),
    ("rules.players", 9, "rules: players=9", "SETUP-1"),
    ("rules.hurry", True, "rules.hurry: unknown key", ""),
    ("rules.digest", "0123", "rules.digest: content base is", ""),
    ("round", 99, "round: 99 is not a whole number from 1", ""),
    ("lead", 3, "lead: 3 is not a whole number from 0 to 2", ""),
    ("over", "villages", "over: the game did not end so: not all stand on village cards", "END-1"),
    ("over", "lava", "over: the game did not end so: not a figure stands on lava", "LAVA-2"),
    ("over", "stamina", "over: the game did not end so: not somebody is out of stamina", "STAM-2"),
    ("cards.a1", "pink", "cards.a1: no area card lies there", "MAP-1"),
    ("cards.c2", "pink or 6", "cards.c2: is no landscape card", "MAP-1"),
    ("cards.z9", "pink", "cards.z9: no place: there are", "MAP-1"),
    ("cards.c2", "green", "cards.c2: 'green' is no area card", ""),
    ("lava", [], "lava: no number of eruptions gives this: see a1", "LAVA-1"),
    ("lava", ["a1", "e2"], "lava: no number of eruptions gives this", "LAVA-1"),
    ("lava", ["a1", "a2", "b1"], "lava: 1 eruptions don't fit round 1", "LAVA-1"),
    ("eruption_tokens", ["b2"], "eruption_tokens: the scenario has none at b2", "MAP-6"),
    ("figures.0.at", "a2", "figures[0].at: a2 is no area card", "MAP-5"),
    ("figures.0.skill", "scout", "figures: a skill card is dealt twice", "SETUP-1"),
    ("figures.0.stamina", 20, "over: somebody is out of stamina, so the game is over", "STAM-2"),
    ("figures.0.injuries", ["skill"], "figures[0].injuries: 1, but 0 plasters were passed", "STAM-3"),
    ("figures.0.equipment", ["helmet"], "figures[1]: the card helmet is also at figures[0]", "SETUP-2"),
    ("figures.0.equipment", ["sword"], "figures[0].equipment: 'sword' is no equipment card", ""),
    ("figures.1.used_once", ["helmet"], "figures[1].used_once: it is no Tinkerer", "SKILL-6"),
    ("figures.0.used_once", ["flare"], "figures[0].used_once: flare is not held", "SKILL-6"),
    ("figures.0.fresh", ["flare"], "figures[0].fresh: flare is not held", "MOVE-4"),
    ("figures.0.bars", 2, "figures[0].bars: it is no Gatherer", "SKILL-5"),
    ("figures.0.steps", 4, "figures[0].steps: 4 steps are too many", "PLAN-2"),
    ("figures.0.marker", "e2", "figures[0].marker: figure 1 has chosen this card, too", "PLAN-3"),
    ("figures.0.dice", [1, 2, 3], "figures[0].dice: 3 dice; this figure has 5", "DICE-2"),
    ("figures.0.dice", [1, 2, 3, 4, None], "figures[0].dice: a die shows nothing", "ROLL-1"),
    ("figures.0.dice", [1, 2, 3, 4, 9], "figures[0].dice: 9 is not a whole number from 1 to 6", ""),
    ("figures.0.rerolls", 2, "figures[0].rerolls: it is not phase 3", "REROLL-1"),
    ("figures.0.hat", 1, "figures[0].hat: unknown key", ""),
    ("figures", [], "figures: 0 entries in a game of 3 figures", "SETUP-3"),
    ("third_screen", {"dice": [1]}, "third_screen: there is none in this game", "TWO-2"),
    ("acted", [0, 0], "acted: [0, 0] names something twice", ""),
    ("owed", 1, "owed: needs late_eruption", "MOVE-5"),
    ("known", [{"player": 0, "of": 1, "dice": [1]}], "known: no dice are hidden", "MOVE-1"),
    ("radio", {"place": "a1"}, "radio.place: is no area card", "EQUIP-1"),
    ("discards", ["rope"], "discards: the card rope is also at figures[0]", "SETUP-2"),
    ("streams.dice", "1 2 3", "streams.dice: '1 2 3' is not four hexadecimal words", ""),
    ("loaded_dice", [9], "loaded_dice: 9 is not a whole number from 1 to 6", ""),
    ("asked", [], "asked: 0 frames: from 1 to 6 are possible", "ROUND-1"),
    ("asked", [{"phase": "ROUND"}], "asked: ROUND asks nothing", "ROUND-1"),
    ("asked.0", {"phase": "MOVING"}, "asked[0]: the lowest frame is not ROUND", "ROUND-1"),
    ("asked.2", {"phase": "SING"}, "asked[2].phase: 'SING' is no phase", ""),
    ("asked.2", {"phase": "PLAN"}, "asked[2]: PLAN can't lie on MOVING", "PLAN-1"),
    ("asked.2", {"phase": "NEXT", "hat": 1}, "asked[2].hat: unknown key", ""),
]


@pytest.mark.parametrize(("keys", "value", "line", "rule"), WRONG)
def test_a_wrong_position_is_refused_with_its_line(keys, value, line, rule):
    with pytest.raises(PositionError) as error:
        Game.from_json(changed(keys, value))
    said = [fault for fault in error.value.faults if fault.startswith(line)]
    assert said, error.value.faults
    assert any(fault.endswith(f"({rule})") for fault in said) if rule else True
    assert "\n" not in str(error.value)


def test_the_position_from_which_wrong_ones_are_made_is_accepted():
    assert position_of(Game.from_json(json.dumps(base()))) == base()


def test_every_fault_has_its_line():
    position = json.loads(changed("figures.0.at", "a2"))
    position["eruption_tokens"] = ["b2"]
    with pytest.raises(PositionError, match="more") as error:
        Game.from_json(json.dumps(position))
    assert len(error.value.faults) >= 2


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"version": 1}', "[" * 100_000, '{"a": 1, "a": 2}', "NaN"])
def test_text_that_is_no_position_is_refused(text):
    with pytest.raises(PositionError) as error:
        Game.from_json(text)
    assert "\n" not in str(error.value)


VALUES: tuple[Any, ...] = (
    *(0, 1, 2, 3, 5, 7, -1, 99, 40000, 10**30, 1.5, True, False, None, "", "x", "a1", "c3", "i5", "rope", "scout"),
    *([], {}, [[]], [None], [1, 2, 3, 4, 5, 6], ["rope"], ["a1"], "strong", "ROUND", "PLAN", "NEXT", "lava"),
)


@cache
def sound_positions() -> list[str]:
    """Positions of random games, one for each question and kind of game."""
    found: dict[tuple[Any, ...], str] = {}
    for number, (rules, seed) in enumerate(games(1)):
        for game in random_game(rules, seed):
            found.setdefault((number, game.phase), game.to_json())
    return list(found.values())


def test_damaged_positions_are_refused_or_can_be_played(record_property):
    luck, refused = random.Random(1), list[str]()
    record_property(HOSTILE_INPUTS, DAMAGED)
    for number in range(DAMAGED):
        text = damaged_position(luck.choice(sound_positions()), luck, VALUES)
        try:
            game = Game.from_json(text)
        except PositionError as error:
            refused.append(str(error))
            continue
        try:
            play_a_little(game, luck)
        except Exception as error:
            error.add_note(f"damaged file {number}:\n{text}")
            raise
    assert 0 < len(refused) < DAMAGED
    assert not [line for line in refused if "\n" in line]


def play_a_little(game: Game, luck: random.Random) -> None:
    """Play on at random; no errors are allowed."""
    if game.viewer is not None or any(game.state.loaded_dice) or any(game.state.loaded_draws):
        return
    for _ in range(12):
        check(game, forced=True)
        if game.over:
            return
        game.step(int(luck.choice(list(game.legal_actions()))))


# --- the page ---------------------------------------------------------------------------------------------------------


def test_the_example_of_the_docs_is_a_position():
    example = json.loads(re.findall(r"^```json\n(.*?)^```", DOCS.read_text(), re.MULTILINE | re.DOTALL)[0])
    game = Game.from_json(json.dumps(example))
    do(game, "place(d4)")
    assert game.phase == Phase.WORD


def test_the_docs_name_every_phase():
    assert all(f"`{phase.name}`" in DOCS.read_text() for phase in Phase if phase)

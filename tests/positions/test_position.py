"""Positions as JSON: round trips, wrong ones are rejected with the id of the rule, and damaged ones never crash."""

import copy
import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fujikoro_env import Game, Rules
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.position import PositionError, position_of
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.damaged_files import damaged_position
from tests.helpers.endgame import attack_dragon, final_table, give_tokens, in_duel, make_magic, pass_turn
from tests.helpers.fights import lair
from tests.helpers.invariants import check_games
from tests.helpers.tables import (
    arrays_of,
    do,
    fresh,
    lay,
    play,
    put,
    put_gear,
    put_monks,
    put_pack,
    put_scrolls,
    put_vp,
    refresh,
    table,
)

DOCS = Path(__file__).resolve().parents[2] / "docs" / "positions.md"
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"final_at": 3},
    {"final_at": 5, "ask_forced": True, "monk_to_pack": True, "scroll_replace_anytime": True, "rope_catches": True},
)
ROUNDS = 2 if INTERPRETED else 12
PARTS = [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, 20))]  # of ten thousand files
DAMAGED = 60 if INTERPRETED else 500


def there_and_back(game: Game) -> Game:
    return Game.from_json(game.to_json())


def same(game: Game, other: Game) -> bool:
    mine, others = arrays_of(game), arrays_of(other)
    same_bytes = mine.games.tobytes() == others.games.tobytes() and mine.masks.tobytes() == others.masks.tobytes()
    return same_bytes and game.rules == other.rules


# Round trips


@pytest.mark.parametrize("every", [13, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_decisions_of_a_game_come_back(players, options, every):
    for decision, game in enumerate(play(Game(Rules(players, max_rounds=ROUNDS, **options), 5), 5)):
        if decision % every == 0 or game.over:
            assert same(game, there_and_back(game)), game.phase


# Scrolls and tokens that ask questions of their own, for each of three players.
POWERS = (
    (("steady_hand", "iron_grip"), ("gunbai", "smoke_bomb", "sashimono")),
    (("far_reach", "dragon_bane"), ("rain_jar", "harpoon", "ancient_map")),
    (("seer", "twin_forge"), ("whetstone", "gunbai", "omamori_of_fire")),
)
COMMON = (Phase.MOVE, Phase.ACTION, Phase.CRAFT_LAY, Phase.REST)


def powerful_game(seed: int) -> Game:
    """A game near the final chapter in which all players are armed and have powers."""
    game = table(players=3, seed=seed, final_at=6, max_rounds=ROUNDS, ask_forced=False)
    for player, (scrolls, tokens) in enumerate(POWERS):
        put_monks(game, player, "scroll", "weapon")
        put_scrolls(game, player, *scrolls)
        give_tokens(game, player, *tokens)
        put_gear(game, player, weapon=["WWMM.MWW", ".T...T"], helmet=["MMT"], sandals=["MMM"])
    refresh(game)
    return game


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 6))])
def test_questions_of_powers_and_fights_come_back(seed):
    for decision, game in enumerate(play(powerful_game(seed), seed)):
        if game.phase not in COMMON or decision % 20 == 0:
            assert same(game, there_and_back(game)), game.phase


def test_a_game_played_on_from_its_position_is_the_same_game():
    game = table(players=3)
    other = there_and_back(game)
    for decision in range(60):
        action = game.legal_actions()[decision * 7 % len(game.legal_actions())]
        game.step(action)
        other.step(action)
    assert same(game, other)


def test_loaded_luck_comes_back():
    game = lair()
    game.load_dice(["W1", "M2", "T3*", "G4"])
    game.load_draws("tiles2", [game.vocabulary.deck_ids("tiles2")[3]])
    text = game.to_json()
    found = json.loads(text)
    assert found["loaded_dice"][0] == "W1"
    assert list(found["loaded_draws"]) == ["tiles2"]


def test_a_view_comes_back_as_a_view():
    game = table(players=2)
    game.state.top[1], game.state.top_seen[1] = 3, 2
    view = there_and_back(game.view(0))
    assert same(view, game.view(0))
    with pytest.raises(TypeError, match="this is player 0's view"):
        view.step(view.legal_actions()[0])


# Written by hand


def test_a_position_of_a_few_lines_can_be_played():
    game = Game.from_json(
        """{"version": 1, "places": {"ring1.0": {"tile": "whelp_hollow", "turn": 1}},
            "players": [{"space": "start", "pack": {"wood": 2}, "gear": {"weapon": ["WWM", "..M"]}},
                        {"space": "temple1", "monks": ["pool"], "vp": 4}]}"""
    )
    assert game.phase == Phase.ACTION
    assert game.actor == 0
    assert game.rules.players == 2
    assert game.scores == (0, 4)
    check_games(asking(game.rules), game.compiled.games, game.compiled.masks)
    do(game, "move", "done", "move", "done")
    assert game.actor == 1
    for _ in play(game, 3):
        pass


def test_the_seed_stands_for_the_streams():
    text = '{"version": 1, "seed": %d, "players": [{}, {}, {}]}'
    first, again, other = (Game.from_json(text % seed) for seed in (7, 7, 8))
    assert first.digest() == again.digest() != other.digest()


def test_the_example_of_the_docs_is_a_position():
    example, _ = re.findall(r"^```json\n(.*?)^```", DOCS.read_text(), re.MULTILINE | re.DOTALL)
    game = Game.from_json(example)
    shown = position_of(game)
    for key, value in json.loads(example).items():
        if key != "players":
            assert shown[key] == value


def test_the_docs_name_every_key_of_a_frame():
    text = DOCS.read_text()
    for phase in Phase:
        assert phase == Phase.NONE or f"`{phase.name}`" in text, phase


# Wrong positions: the change that makes a good one wrong, and the error that is reported.


def base() -> dict[str, Any]:
    """A position of three players with two tiles and a little of everything."""
    game = table(players=3, final_at=30)
    lay(game, "ring1.0", "whelp_hollow", 1, dragons=["rain_whelp"])
    lay(game, "ring1.1", "pilgrims_ledge", 3)
    put_scrolls(game, 0, "seer")
    put_pack(game, 0, wood=1)
    put(game, 2, "temple0")
    return position_of(game)


def changed(keys: str, value: Any) -> dict[str, Any]:
    """The good position with one value changed. `keys`: the path to the value, such as "players.0.vp"."""
    position: Any = copy.deepcopy(base())
    inner = position
    *path, last = [int(key) if key.isdigit() else key.replace(":", ".") for key in keys.split(".")]
    for key in path:
        inner = inner.setdefault(key, {}) if isinstance(inner, dict) else inner[key]
    inner[last] = value
    return dict(position)


ROWS_OF_9 = ["WWWWW", "WWWW"]
LAVA_OF_THE_LEDGE = "ring1.1/petal4"
WRONG = [
    ("players.0.gear", {"weapon": ROWS_OF_9}, "players[0].gear.weapon: 9 cubes in a one-handed weapon", "WEAP-2"),
    ("players.0.gear", {"weapon": ["WW.MM"]}, "players[0].gear.weapon: two weapons in one part", "WEAP-6"),
    ("players.0.gear", {"weapon": ["W.W.M"]}, "players[0].gear.weapon: 3 weapons", "WEAP-6"),
    ("players.0.gear", {"weapon": ["WWWMMMM"]}, "players[0].gear.weapon: cubes outside the open grid", "WEAP-3"),
    ("players.0.gear", {"helmet": ["....", "....", "W"]}, "players[0].gear.helmet: cubes outside", "CRAFT-6"),
    ("players.0.gear", {"sandals": ["MMMMMM"]}, "players[0].gear.sandals: row 0, column 5 is outside", "CRAFT-6"),
    ("players.0.gear", {"helmet": ["WX"]}, "players[0].gear.helmet: 'WX' is no row of the letters", ""),
    ("players.0.magic", ["helmet"], "players[0].magic: no such helmet", "MAGIC-1"),
    ("players.0.pack", {"wood": 6}, "players[0].pack: 1 more things than it has slots for", "PACK-1"),
    ("players.0.pack", {"wood": 66}, "position: ", "SETUP-10"),
    ("players.0.discs", {"pool": 4}, "players[0].discs: 4 discs instead of 3", "MONK-2"),
    ("players.0.monks", ["pool", "pool"], "players[0].monks: ", ""),
    ("players.0.scrolls", [{"card": "seer"}], "players[0].scrolls[0]: a card and its token go together", "SCROLL-4"),
    ("players.0.scrolls", [None, {"card": "seer", "token": "red"}], "players[0].scrolls: the second slot", "MONK-2"),
    (
        "players.1.scrolls",
        [{"card": "seer", "token": "red"}],
        "players[1].scrolls[0]: the scroll card seer",
        "SETUP-10",
    ),
    ("players.0.space", "ring3.1/petal1", "players[0].space: ring3.1/petal1 is unexplored", "MAP-10"),
    ("players.0.space", LAVA_OF_THE_LEDGE, f"players[0].space: {LAVA_OF_THE_LEDGE} is lava", "MOVE-3"),
    ("players.0.space", "ring1.0/petal3", "players[0].space: ring1.0/petal3 is on a dragon's tile", "MAP-11"),
    ("players.0.space", "the moon", "players[0].space: 'the moon' is no space", ""),
    ("players.0.vp", -1, "players[0].vp: -1 is not a whole number from 0", ""),
    ("players.0.vp", True, "players[0].vp: True is not a whole number", ""),
    ("players.0.vp", 30, "final: begins with 30 VP", "FINAL-1"),
    ("players.0.colour", "white", "players[0].colour: 'white' is no colour", ""),
    ("players.0.hat", 1, "players[0].hat: unknown key", ""),
    ("players.0.outside", "palace", "players", "ESC-2"),
    ("players.0.claims", {"monk": 1}, "players[0].claims: 1 claims of monk are too many", "SHOG-1"),
    ("players.0.adventures", {"gunbai": 30}, "position: 30 pieces of gunbai", "SETUP-10"),
    ("players.0.weapon_card", "look", "players[0].weapon_card: no weapon card", "GEAR-5"),
    ("players", [{}, {}], "players: 2 entries in a game of 3", "SETUP-1"),
    ("places.ring1:2", {"tile": "whelp_hollow"}, "ring1.2: the tile whelp_hollow is also at ring1.0", "SETUP-10"),
    ("places.ring2:2", {"tile": "whelp_hollow"}, "ring2.2", "MAP-1"),
    ("places.ring1:2", {"tile": "atlantis"}, "ring1.2.tile: 'atlantis' is no tile", ""),
    ("places.ring1:2", {"turn": 1}, "ring1.2.tile: is missing", ""),
    ("places.ring9:9", {}, "places.ring9.9: 'ring9.9' is no place", ""),
    ("spaces.ring3:1/petal1", {"monk": True}, "ring3.1/petal1: nothing lies there", "MAP-10"),
    ("spaces.ring1:1/petal4", {"monk": True}, "ring1.1/petal4.monk: the tile shows no monk there", "EXPL-7"),
    ("spaces.ring1:1/petal4", {"lava_tile": True}, "ring1.1/petal4.lava_tile", "FINAL-3"),
    ("spaces.ring1:1/petal4", {"scroll": "red"}, "ring1.1/petal4.scroll", "EXPL-5"),
    ("dragons.rain_whelp", {"place": "ring1.1"}, "dragons.rain_whelp.place: no tile with a", "EXPL-6"),
    ("dragons.rain_whelp", {"place": "ring1.0", "damage": 99}, "dragons.rain_whelp.damage", "DRAG-9"),
    ("dragons.rain_whelp", {"place": "ring1.0", "beaten": True}, "dragons.rain_whelp.beaten", "DRAG-6"),
    ("gear_cards", ["kama"], "gear_cards: 3 different cards for the helmet are needed", "SETUP-3"),
    ("round", 81, "round: 81 is not a whole number from 1 to 80", ""),
    ("active", 3, "active: 3 is not a whole number from 0 to 2", ""),
    ("version", 2, "version: 2 is not known; this is version 1", ""),
    ("rules.digest", "0123", "rules.digest: content base is", ""),
    ("rules.content", "atlantis", "rules: content pack atlantis", ""),
    ("rules.players", 9, "rules: players=9", "SETUP-1"),
    ("rules.monk_to_pack", 1, "rules: monk_to_pack=1", "MONK-1"),
    ("rules.hurry", True, "rules.hurry: unknown key", ""),
    ("final", {"started_by": 0, "countdown": 2, "called": [4]}, "final.countdown: after 2 spaces", "FINAL-3"),
    ("tops", {"1": {"tile": "whelp_hollow", "seen_by": [0]}}, "tops.1: the tile is not in its stack", "SETUP-10"),
    ("streams.dice", "1 2 3", "streams.dice: '1 2 3' is not four hexadecimal words", ""),
    ("path", ["start"], "path: nobody moves", "MOVE-1"),
    ("fight", {"health": 3, "fighters": [{}, {}, {}]}, "fight: nobody fights", "DRAG-1"),
    ("loaded_dice", ["W9"], "loaded_dice: 'W9' is no face of a die", ""),
    ("asked", [], "asked: 0 frames", ""),
    ("asked", [{"phase": "TURN", "stage": 2}], "asked: TURN asks nothing", "TURN-1"),
    ("asked", [{"phase": "ACTION", "player": 0}], "asked[0]: the lowest frame is not TURN", "TURN-1"),
    ("asked.1", {"phase": "SING", "player": 0}, "asked[1].phase: 'SING' is no phase", ""),
    ("asked.1", {"phase": "ACTION", "player": 1}, "asked[1].player: ACTION does not ask this player", "TURN-1"),
    ("asked.1", {"phase": "ACTION", "player": 7}, "asked[1].player: 7 is not a whole number", ""),
    (
        "asked.1",
        {"phase": "DICE", "player": 0, "weapon": "left"},
        "asked[1]: DICE does not fit: it can't lie on",
        "ATK-1",
    ),
    ("asked.1", {"phase": "ACTION", "player": 0, "place": "ring1.0"}, "asked[1].place: unknown key", ""),
    ("asked.0.stage", 5, "asked[0].stage: does not fit ACTION", "TURN-1"),
]


@pytest.mark.rule("SETUP-10", "MAP-10", "WEAP-2", "WEAP-6", "PACK-1", "SCROLL-4")
@pytest.mark.parametrize(("keys", "value", "line", "rule"), WRONG)
def test_a_wrong_position_is_refused_with_its_line(keys, value, line, rule):
    with pytest.raises(PositionError) as error:
        Game.from_json(json.dumps(changed(keys, value)))
    said = [fault for fault in error.value.faults if fault.startswith(line)]
    assert said, error.value.faults
    assert any(fault.endswith(f"({rule})") for fault in said) if rule else True
    assert "\n" not in str(error.value)


def test_the_position_from_which_wrong_ones_are_made_is_accepted():
    assert position_of(Game.from_json(json.dumps(base()))) == base()


@pytest.mark.rule("MAP-6")
def test_three_samurai_on_a_space_are_refused():
    position = base()
    for player in position["players"]:
        player["space"] = "ring1.1/petal1"
    with pytest.raises(
        PositionError, match=r"players\[0\].space: 3 samurai on ring1.1/petal1 \(MAP-6\) \(and 2 more\)"
    ):
        Game.from_json(json.dumps(position))


@pytest.mark.rule("MAP-8")
def test_two_dragons_on_a_tile_are_refused():
    with pytest.raises(PositionError, match=r"two dragons on a tile \(MAP-8\)"):
        Game.from_json(json.dumps(changed("dragons", {d: {"place": "ring1.0"} for d in ("rain_whelp", "tide_whelp")})))


@pytest.mark.rule("GATH-8")
def test_two_blueprints_of_a_type_are_refused():
    position = base()
    helmets = position["blueprints"][:2]
    position["temples"] = [[id for id in temple if id not in helmets] for temple in position["temples"]]
    position["players"][1]["blueprints"] = helmets
    with pytest.raises(PositionError, match=r"players\[1\].blueprints: two blueprints of a type \(GATH-8\)"):
        Game.from_json(json.dumps(position))


def test_a_question_without_an_answer_is_refused():
    frames = [{"phase": "TURN", "stage": 2}, {"phase": "MAGIC_REFRESH", "player": 0}, {"phase": "FIND", "player": 0}]
    frames[-1]["space"] = "temple0"
    position = changed("asked", frames)
    position["players"][0]["space"] = "temple0"
    position["players"][0]["pack"] = {}
    assert Game.from_json(json.dumps(position)).phase == Phase.FIND
    position["stock_taken"], position["temples"], position["scrolls"] = True, [], {}
    with pytest.raises(PositionError, match=r"asked: FIND does not fit: nothing can be answered \(GATH-1\)"):
        Game.from_json(json.dumps(position))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"version": 1}', "[" * 100_000, '{"a": 1, "a": 2}', "NaN", '"\\ud800"']
)
def test_text_that_is_no_position_is_refused(text):
    with pytest.raises(PositionError):
        Game.from_json(text)


# Damage


def asking(rules: Rules) -> Rules:
    """The same rules, but with forced questions asked, because reading a position does not advance it."""
    settings = {
        key: getattr(rules, key) for key in ("players", "adventure_tokens", "peaceful", "final_at", "max_rounds")
    }
    return Rules(**settings, content=rules.content, ask_forced=True, **rules.options)


@cache
def sound_positions() -> list[str]:
    """Positions of random games, one for each phase and number of players, and late positions."""
    found: dict[tuple[Any, ...], str] = {}
    for players in (2, 3, 5, 6) if not INTERPRETED else (3,):
        for options in OPTIONS:
            game = Game(Rules(players, max_rounds=ROUNDS, **options), 11)
            for decision, each in enumerate(play(game, 11)):
                if (key := (players, each.phase, decision // 200)) not in found:
                    found[key] = each.to_json()
    for seed in range(1 if INTERPRETED else 4):
        for each in play(powerful_game(seed), seed):
            if (key := (seed, each.phase, -1)) not in found:
                found[key] = each.to_json()
    return [*found.values(), *(game.to_json() for game in special_positions())]


def special_positions() -> list[Game]:
    fight, duel, erupting, setup = lair(players=3), in_duel(), final_table(3), fresh(players=6)
    attack_dragon(fight)
    make_magic(erupting, 0, "helmet", "weapon", "sandals")
    put_vp(erupting, 40)
    put_gear(duel, 1, helmet=["WM"])
    pass_turn(erupting)
    return [game for game in (fight, duel, erupting, setup) if is_sound(game)]


def is_sound(game: Game) -> bool:
    """Whether a position is valid. Tests may build impossible ones, such as tiles without their printed items."""
    try:
        return same(game, there_and_back(game))
    except PositionError:
        return False


VALUES: tuple[Any, ...] = (
    *(0, 1, 2, 3, 5, 7, -1, 99, 40000, 10**30, 1.5, True, False, None, "", "x", "start", "temple0", "ring1.0", "seer"),
    *([], {}, [[]], [None], ["WWWWWWWW"], {"wood": 3}, "red", "gunbai", "up", "TURN", "ACTION", "MOVE", "PAY"),
)


def play_a_little(game: Game, luck: random.Random) -> None:
    """Play on at random. No errors are allowed except for illegal actions and loaded luck."""
    rules = asking(game.rules)
    check_games(rules, game.compiled.games, game.compiled.masks)
    for _ in range(6):
        if game.over:
            return
        game.step(luck.choice(list(game.legal_actions())))
        check_games(rules, game.compiled.games, game.compiled.masks)


@pytest.mark.parametrize("part", PARTS)
def test_damaged_files_are_refused_or_can_be_played(part):
    luck, taken = random.Random(part), 0
    for number in range(DAMAGED):
        text = damaged_position(luck.choice(sound_positions()), luck, VALUES)
        try:
            game = Game.from_json(text)
        except ValueError:
            continue
        taken += 1
        try:
            if game.viewer is None and not game._luck_is_loaded:
                play_a_little(game, luck)
        except Exception as error:
            error.add_note(f"damaged file {number}:\n{text}")
            raise
    assert 0 < taken < DAMAGED

"""COOP-2 to COOP-7, COOP-19: settings and set-up of the cooperative game."""

import json
import shutil
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fujikoro_env.content
from fujikoro_env import Game, Rules
from fujikoro_env.content.model import MAX_TILES_PER_LEVEL
from fujikoro_env.kernel.commands import ONLY_LEGAL
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.observation import FIELDS
from fujikoro_env.position import PositionError
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.engine.engine import step_games
from fujikoro_env.settings import RulesError
from tests.helpers.coop_tables import EXIT, LEGENDARY, bare, coop_table, taken_types
from tests.helpers.invariants import check, check_play
from tests.helpers.tables import (
    arrays_of,
    do,
    fresh,
    gear_of,
    integers,
    lay,
    legal,
    monks_of,
    play_batch,
    put,
    put_dragon,
    put_gear,
    put_scrolls,
)

# Settings


@pytest.mark.rule("COOP-1")
def test_one_to_six_play():
    assert [Rules(mode="coop", players=n).players for n in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert Rules(mode="coop").players == 4
    assert Rules(mode="solo") == Rules(mode="coop", players=1)
    with pytest.raises(RulesError, match="COOP-1"):
        Rules(mode="coop", players=7)
    with pytest.raises(RulesError, match="COOP-1"):
        Rules(mode="solo", players=2)


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"final_at": 30}, "COOP-3"),
        ({"peaceful": True}, "COOP-3"),
        ({"rope_catches": True}, "COOP-21"),
        ({"share_peeks": True}, "GEAR-5"),
        ({"exit_always_open": True}, "COOP-21"),
    ],
)
def test_what_means_nothing_in_coop_is_refused(given, rule):
    with pytest.raises(RulesError, match=rule):
        Rules(mode="coop", **given)


def test_lives_mean_nothing_in_competition():
    with pytest.raises(RulesError, match="COOP-13"):
        Rules(coop_lives=3)


@pytest.mark.rule("COOP-2", "END-2")
def test_rounds_are_counted():
    rounds = {
        (n, tokens): Rules(mode="coop", players=n, adventure_tokens=tokens).max_rounds
        for n in (1, 2, 6)
        for tokens in (False, True)
    }
    assert rounds == {(1, False): 33, (1, True): 31, (2, False): 28, (2, True): 26, (6, False): 28, (6, True): 26}
    rules = Rules(mode="coop", max_rounds=5)
    assert rules.max_rounds == rules.facts.max_rounds == 5


def test_settings_survive_saving():
    game = Game(Rules(mode="coop", players=3, coop_lives=3), 1)
    assert Game.from_bytes(game.to_bytes()).rules == game.rules
    assert Game.from_bytes(game.to_bytes()).rules.options == game.rules.options


# Stacks and piles


DEALS = 60 if INTERPRETED else 1200
AROUND_TEMPLE = {1: ("start", "ring1.0"), 2: ("temple0", "ring2.0"), 3: ("temple0", "ring3.1")}


@cache
def drawn_orders(level, players):
    """Orders in which the tiles of a level are drawn, (deals, tiles). The revealed tile is never laid."""
    game = coop_table(players)
    here, there = AROUND_TEMPLE[level]
    put(game, 0, here)
    do(game, "explore")
    games: Any = np.repeat(arrays_of(game).games, DEALS)
    games["streams"]["words"] = np.random.default_rng(level).integers(
        1, 1 << 32, games["streams"]["words"].shape, np.uint32
    )
    masks: Any = np.repeat(arrays_of(game).masks, DEALS, axis=0)
    actions = integers([game.parse_action(f"place({there})")] * DEALS)
    top, orders = games["stack"][:, int(game.state.depth) - 1], []
    while games["tiles_left"][:, level - 1].all():
        assert step_games(games, game.rules.tables, 0, DEALS, actions, masks) == 0
        orders.append((top["thing"] - 1) % MAX_TILES_PER_LEVEL)
        top["phase"], top["thing"], top["at"] = Phase.EXPLORE_PLACE, 0, 0
        step_games(games, game.rules.tables, 0, DEALS, integers([ONLY_LEGAL] * DEALS), masks)
    return np.stack(orders, axis=1), games["tiles_gone"][:, level - 1]


def are_even(found, kinds):
    """Whether all kinds came up equally often, within 5 standard errors."""
    mean = sum(found.values()) / kinds
    return len(found) <= kinds and all(abs(found[kind] - mean) < 5 * mean**0.5 for kind in found)


def number_of(tile):
    level = 2 if tile == EXIT else 3
    return Game(Rules(mode="solo")).vocabulary.deck_ids(f"tiles{level}").index(tile)


@pytest.mark.rule("COOP-4")
@pytest.mark.parametrize(("level", "special"), [(2, EXIT), (3, LEGENDARY)])
def test_one_tile_leaves_the_game_never_a_special_one(level, special):
    orders, gone = drawn_orders(level, 2)
    assert orders.shape[1] == 12
    assert all(len(set(order)) == 12 for order in orders.tolist())
    out = Counter(gone.tolist())
    assert 1 << number_of(special) not in out
    assert are_even(out, 12)


@pytest.mark.rule("COOP-4")
def test_level_one_keeps_its_tiles():
    orders, gone = drawn_orders(1, 2)
    assert orders.shape[1] == 7
    assert not gone.any()


@pytest.mark.rule("COOP-5")
@pytest.mark.parametrize(("players", "above"), [(1, 4), (2, 4), (3, 6), (4, 6), (5, 8), (6, 8)])
@pytest.mark.parametrize(("level", "special"), [(2, EXIT), (3, LEGENDARY)])
def test_the_special_tile_is_somewhere_in_its_pile(players, above, level, special):
    orders, _ = drawn_orders(level, players)
    found = Counter(np.argwhere(orders == number_of(special))[:, 1].tolist())
    assert set(found) == {above, above + 1, above + 2, above + 3}
    assert are_even(found, 4)


@pytest.mark.rule("COOP-5")
def test_all_other_tiles_are_everywhere():
    orders, _ = drawn_orders(2, 3)
    for position in range(12):
        found = Counter(orders[:, position].tolist())
        found.pop(number_of(EXIT), None)
        assert are_even(found, 12)


@pytest.mark.rule("COOP-5")
def test_which_tile_is_out_shows_only_when_the_stack_is_empty():
    """So the set of tiles that can still be drawn reveals nothing: it is the same in every game."""
    games = [Game(Rules(mode="coop", players=2), seed) for seed in range(20)]
    assert {tuple(game.state.tiles_left.tolist()) for game in games} == {(127, 8191, 8191)}
    assert not any(game.state.tiles_gone.any() for game in games)


@pytest.mark.rule("COOP-5")
def test_a_tile_that_was_looked_at_is_the_one_that_is_drawn():
    game = coop_table(2)
    seen: Counter[int] = Counter()
    for seed in range(20):
        copy = game.determinize(0, seed)
        put_scrolls(copy, 0, "storyteller")
        put(copy, 0, "temple0")
        do(copy, "explore", "place(ring2.0)", "turn(0)")
        top = int(copy.state.top[1])
        assert top > 0
        do(copy, "explore", "place(ring3.1)", "turn(0)")
        put(copy, copy.actor, "temple2")
        do(copy, "explore", "place(ring2.8)")
        assert copy.state.stack[copy.state.depth - 1].thing == MAX_TILES_PER_LEVEL + top
        seen[top] += 1
    assert len(seen) > 5
    assert number_of(EXIT) + 1 not in seen  # four tiles lie above the pile


@pytest.mark.rule("COOP-5")
def test_what_is_known_of_a_stack_stays_when_all_else_is_dealt_anew():
    """In co-op all players see a tile that one looks at (GEAR-5), so no view hides it and no redeal changes it."""
    game = coop_table(2)
    put_scrolls(game, 0, "storyteller")
    put(game, 0, "temple0")
    do(game, "explore", "place(ring2.0)", "turn(0)")
    top = int(game.state.top[1])
    assert game.state.top_seen[1] == 0b11
    assert game.view(1).state.top[1] == top
    assert {int(game.view(1).determinize(1, seed).state.top[1]) for seed in range(10)} == {top}


def test_a_pack_without_an_exit_can_not_be_played_in_coop(tmp_path):
    folder = tmp_path / "no_exit"
    shutil.copytree(Path(fujikoro_env.content.__file__).parent / "base", folder)
    tiles = folder / "tiles.toml"
    tiles.write_text(tiles.read_text().replace('"-", "exit"', '"-", "-"'))
    head = folder / "pack.toml"
    head.write_text(head.read_text().replace('edition = "rulebook"', 'edition = "shut"\nchanges = "one tile"'))
    with pytest.raises(ValueError, match=r"\(COOP-5\)"):
        Rules(mode="coop", content=folder)


# Gear cards at the start


@pytest.mark.rule("COOP-6")
@pytest.mark.parametrize("players", range(1, 7))
def test_types_of_gear_cards_are_spread_evenly(players):
    for seed in range(3):
        game = fresh(players, seed, mode="coop")
        while game.phase != Phase.ACTION:
            check(game)
            game.step(np.random.default_rng(seed).choice(game.legal_actions()))
        taken = taken_types(game)
        assert sum(taken) == players
        assert max(taken) - min(taken) <= 1


@pytest.mark.rule("COOP-6")
def test_cards_are_chosen_in_player_order_from_the_types_taken_least():
    game = fresh(4, mode="coop")
    first = game.state.first_player
    assert (game.phase, game.actor) == (Phase.TAKE_CARD, first)
    assert len(legal(game)) == 12
    take(game, "helmet")
    settle(game)
    assert (game.phase, game.actor) == (Phase.TAKE_CARD, (first + 1) % 4)
    assert {types_of(game)[name] for name in legal(game)} == {"weapon", "sandals"}
    take(game, "weapon")
    settle(game)
    assert {types_of(game)[name] for name in legal(game)} == {"sandals"}
    take(game, "sandals")
    settle(game)
    assert {types_of(game)[name] for name in legal(game)} == {"helmet", "weapon", "sandals"}
    assert len(legal(game)) == 9


def types_of(game):
    return {f"card({card.id})": card.gear for card in game.rules.pack.gear_cards}


def take(game, gear):
    """Take the first card of a type, and return its id."""
    name = min(name for name in legal(game) if types_of(game)[name] == gear)
    do(game, name)
    return name[5:-1]


def settle(game):
    """Answer the rest of a player's set-up."""
    while game.phase not in (Phase.TAKE_CARD, Phase.ACTION):
        game.step(game.legal_actions()[0])


@pytest.mark.rule("COOP-6")
@pytest.mark.parametrize("gear", ["helmet", "weapon", "sandals"])
def test_the_gear_of_the_card_is_built_exactly(gear):
    """The gear is laid as on the card, in the upper left corner, with cubes from the supply."""
    game = fresh(2, mode="coop")
    p = game.actor
    card = take(game, gear)
    pattern = next(c.patterns[0] for c in game.rules.pack.gear_cards if c.id == card)
    rows = [row.rstrip(".") for row in pattern]
    assert gear_of(game, p, gear) == rows
    check(game)


@pytest.mark.rule("COOP-6")
def test_the_card_goes_under_an_action_of_its_owners_choice():
    game = fresh(2, mode="coop")
    p = game.actor
    take(game, "sandals")
    assert (game.phase, legal(game)) == (Phase.PLACE_CARD, {"move", "explore", "gather"})
    do(game, "gather")
    assert game.state.players[p].card_on.tolist() == [0, 0, 3]


@pytest.mark.rule("COOP-7")
def test_a_weapon_card_puts_the_monk_at_the_weapon_and_is_the_only_weapon():
    game = fresh(2, mode="coop")
    p = game.actor
    take(game, "weapon")
    assert monks_of(game, p) == {"weapon"}
    do(game, "move")
    assert game.phase == Phase.TAKE_CARD  # no monk to place, no cubes to lay
    assert game.state.players[p].looks == 1  # GEAR-5: it lies with the look up


@pytest.mark.rule("COOP-7")
def test_with_six_players_the_second_monk_is_placed_as_usual():
    game = fresh(6, mode="coop")
    p = game.actor
    take(game, "weapon")
    do(game, "move")
    assert (game.phase, game.actor) == (Phase.MONK_SPOT, p)
    assert legal(game) == {"monk(pool)", "monk(scroll)", "monk(pack)"}


@pytest.mark.rule("COOP-7")
def test_a_player_who_takes_no_weapon_card_has_a_first_weapon_too():
    game = fresh(2, mode="coop")
    p = game.actor
    take(game, "helmet")
    do(game, "move", "monk(pool)")
    assert (game.phase, game.actor) == (Phase.SETUP_CUBES, p)
    do(game, "lay(wood, weapon[0,0])", "lay(wood, weapon[0,1])", "lay(metal, weapon[0,2])", "lay(metal, weapon[0,3])")
    assert gear_of(game, p, "weapon") == ["WWMM"]
    assert game.phase == Phase.TAKE_CARD


# Little things


@pytest.mark.rule("COOP-19", "DRAG-8")
@pytest.mark.parametrize(
    ("players", "legendary", "red"), [(1, 25, 18), (2, 30, 20), (3, 60, 20), (4, 60, 20), (6, 60, 20)]
)
def test_health_by_the_number_of_players(players, legendary, red):
    assert health_in_a_fight("lord_of_fuji", players) == legendary
    assert health_in_a_fight("cinder_wing", players) == red


@pytest.mark.rule("COOP-19")
@pytest.mark.parametrize("players", [1, 2, 3, 6])
def test_solo_health_with_any_number_of_players_as_an_option(players):
    assert health_in_a_fight("lord_of_fuji", players, coop_health="solo") == 25
    assert health_in_a_fight("cinder_wing", players, coop_health="solo") == 18
    assert health_in_a_fight("rain_whelp", players, coop_health="solo") == 6


def test_solo_health_is_an_option_of_coop_alone():
    with pytest.raises(ValueError, match=r"coop_health='solo' has no effect in mode 'competitive'.*COOP-19"):
        Rules(players=2, coop_health="solo")
    with pytest.raises(ValueError, match="allowed are 'by_players', 'solo'"):
        Rules(mode="coop", coop_health="two")


def test_a_position_keeps_solo_health_and_judges_damage_by_it():
    game = coop_table(2, coop_health="solo")
    bare(game, "ring1.1")
    put_dragon(game, "ring1.1", "cinder_wing")
    read = Game.from_json(game.to_json())
    assert read.rules.options["coop_health"] == "solo"
    damaged = json.loads(game.to_json())
    damaged["dragons"]["cinder_wing"]["damage"] = 18
    with pytest.raises(PositionError, match="18 of 18 health"):
        Game.from_json(json.dumps(damaged))


def health_in_a_fight(dragon, players, **rules):
    game = coop_table(players, **rules)
    bare(game, "ring1.0", "ring1.1")
    put_dragon(game, "ring1.1", dragon)
    put(game, 0, "ring1.0/petal3")
    put_gear(game, 0, helmet=["TTTT", "TTTT"])  # it bears a first attack
    do(game, "move", "step(ring1.1/petal5)")
    return int(game.state.fight.health)


@pytest.mark.rule("COOP-3", "GEAR-5")
def test_no_points_for_anything():
    game = coop_table(2)
    put(game, 0, "temple0")
    lay(game, "ring2.0", first_tile(game, 2))
    assert game.scores == (0, 0)


def first_tile(game, level):
    return next(id for id in game.vocabulary.deck_ids(f"tiles{level}") if id not in (EXIT, LEGENDARY))


@pytest.mark.rule("COOP-3")
def test_no_duels():
    game = coop_table(2)
    bare(game, "ring1.0")
    put(game, 0, "start")
    put(game, 1, "ring1.0/petal3")
    do(game, "move", "step(ring1.0/petal3)")
    assert game.phase == Phase.MOVE


# Whole games


@pytest.mark.rule("COOP-1")
@pytest.mark.parametrize("players", range(1, 7))
def test_everything_holds_in_random_games(players):
    rules = Rules(mode="coop", players=players, ask_forced=players % 2 == 0, coop_lives=2 + players % 2)
    number = 1 if INTERPRETED else 20
    games = check_play(rules, play_batch(rules, number, first_seed=players))
    assert set(games["reason"].tolist()) <= {Reason.WON, Reason.LOST}


def test_observations_tell_how_many_tiles_the_stacks_hold():
    """COOP-4: one tile of each higher level is out of the game."""
    game = fresh(3, mode="coop")
    counts = [int(number) for number in Rules().tables[0].tile_count]
    column = next(field for field in FIELDS if field.name == "stacks").slices["size"].start
    sizes = game.observe(0)["stacks"][:, column]
    assert list(sizes) == [counts[0], counts[1] - 1, counts[2] - 1]
    assert list(fresh(3).observe(0)["stacks"][:, column]) == counts


@pytest.mark.rule("COOP-5")
@pytest.mark.parametrize("level", [2, 3])
def test_tiles_of_a_stack_with_a_pile_can_be_loaded(level):
    """Tests of co-op rely on this to choose the tiles that are drawn."""
    game = coop_table(3)
    plain = [tile.id for tile in game.rules.pack.tiles if tile.level == level and tile.id not in (EXIT, LEGENDARY)]
    put(game, 0, "temple0")
    for name in (plain[0], plain[-1]):
        copy = game.clone()
        copy.load_draws(f"tiles{level}", [name])
        do(copy, "explore")
        do(copy, min(name for name in legal(copy) if name.startswith(f"place(ring{level}")), "turn(0)")
        assert [place["tile"] for place in json.loads(copy.to_json())["places"].values()] == [name]

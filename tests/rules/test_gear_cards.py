"""GEAR: cards claimed by resting, laid under actions, and their bonuses."""

import json

import pytest

from fujikoro_env import Game
from fujikoro_env.content.model import MAX_TILES_PER_LEVEL
from fujikoro_env.position import PositionError
from fujikoro_env.rules.base.names import Where
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.gear import HERE, cards_under, put_card, show_cards
from tests.helpers.tables import (
    do,
    end_turn,
    fresh,
    give_turn,
    lay_plain,
    legal,
    pack_of,
    place,
    put,
    put_dragon,
    put_gear,
    put_lava,
    put_pack,
    table,
    where,
)


def at_rest(*shown, pack=0, player=0, must_take_card=True, **gear):
    """A player rests, with this gear and amount of wood in its pack; these cards are in the display."""
    game = table(players=3, must_take_card=must_take_card)
    give_turn(game, player)
    show_cards(game, *shown)
    put_gear(game, player, **gear)
    put_pack(game, player, wood=pack)
    do(game, "move", "done", "rest")
    return game


def with_card(card, under, **options):
    game = table()
    put_card(game, 0, card, under, **options)
    return game


def back_to(game, player):
    """The others do nothing until it is this player's turn."""
    while game.actor != player:
        end_turn(game)


def owned(game, player=0):
    slots = game.state.gear_cards
    return {game.vocabulary.gear_card(k) for k in range(len(slots)) if slots[k].where == Where.OWNED + player}


# Claiming


@pytest.mark.rule("GEAR-1")
@pytest.mark.parametrize("player", [0, 1])
def test_a_card_that_gear_matches_is_taken_when_a_rest_ends(player):
    game = at_rest("reed_hat", "straw_waraji", helmet=["WW", "WW"], player=player)
    do(game, "done")
    assert (game.phase, game.actor) == (Phase.CLAIM_CARD, player)
    assert legal(game) == {"card(reed_hat)"}  # taking is no choice
    do(game, "card(reed_hat)", "gather")
    assert (owned(game, player), cards_under(game, player)) == ({"reed_hat"}, {"gather": "helmet"})
    assert (game.phase, game.actor) == (Phase.ACTION, player + 1)


@pytest.mark.rule("GEAR-1")
@pytest.mark.parametrize("must_take", [True, False])
def test_a_card_may_be_left_only_by_option(must_take):
    game = at_rest("reed_hat", helmet=["WW", "WW"], must_take_card=must_take)
    do(game, "done")
    assert legal(game) == {"card(reed_hat)"} | (set() if must_take else {"done"})


@pytest.mark.rule("GEAR-1")
def test_a_card_that_was_left_can_be_taken_at_a_later_rest():
    game = at_rest("reed_hat", "bokken", helmet=["WW", "WW"], weapon=["WWMMM"], must_take_card=False)
    do(game, "done", "done")  # the question is not asked again for the other card
    assert (game.phase, game.actor, owned(game)) == (Phase.ACTION, 1, set())
    back_to(game, 0)
    do(game, "move", "done", "rest", "done", "card(bokken)", "move", "score")
    assert legal(game) == {"card(reed_hat)", "done"}
    do(game, "done")
    assert (game.phase, game.actor, owned(game)) == (Phase.ACTION, 1, {"bokken"})


@pytest.mark.rule("GEAR-1")
def test_a_card_that_no_gear_matches_is_not_taken():
    game = at_rest("reed_hat", "straw_waraji", helmet=["WW", "W"], sandals=["WW"])
    do(game, "done")
    assert (game.phase, game.actor, owned(game)) == (Phase.ACTION, 1, set())


@pytest.mark.rule("GEAR-1")
def test_another_players_card_is_not_taken():
    game = at_rest(helmet=["WW", "WW"])
    put_card(game, 1, "reed_hat", "move")
    do(game, "done")
    assert (game.phase, owned(game, 1)) == (Phase.ACTION, {"reed_hat"})


@pytest.mark.rule("GEAR-1")
def test_other_actions_claim_nothing():
    game = table()
    show_cards(game, "reed_hat")
    put_gear(game, 0, helmet=["WW", "WW"])
    do(game, "gather", "find(stock)", "take(all)", "move", "done")
    assert (game.actor, owned(game)) == (1, set())


@pytest.mark.rule("GEAR-1")
@pytest.mark.parametrize(("crafted", "cell"), [("helmet", "helmet[1,1]"), ("sandals", "sandals[0,0]")])
def test_all_gear_is_looked_at_after_the_craft_crafted_now_or_not(crafted, cell):
    game = at_rest("reed_hat", pack=1, helmet=["WW", "W." if crafted == "helmet" else "WW"])
    do(game, f"craft({crafted})", "add", f"lay(wood, {cell})")
    assert game.phase == Phase.CRAFT_LAY
    do(game, "done")
    assert legal(game) == {"card(reed_hat)"}


@pytest.mark.rule("GEAR-1")
def test_gear_that_the_craft_makes_worse_is_judged_as_it_is_left():
    game = at_rest("reed_hat", helmet=["WW", "WW"])
    do(game, "craft(helmet)", "rebuild", "done", "throw(wood)")
    assert (game.phase, game.actor) == (Phase.ACTION, 1)


@pytest.mark.rule("GEAR-1", "GEAR-2")
def test_which_of_several_is_a_choice_and_only_one_of_a_type_is_taken():
    game = at_rest("reed_hat", "iron_brow", "storm_visor", helmet=["WWMM", "WWWW"])
    do(game, "done")
    assert legal(game) == {"card(reed_hat)", "card(iron_brow)"}
    do(game, "card(iron_brow)", "explore")
    assert (owned(game), cards_under(game, 0)) == ({"iron_brow"}, {"explore": "helmet"})
    assert (game.phase, game.actor) == (Phase.ACTION, 1)


@pytest.mark.rule("GEAR-1", "GEAR-2")
def test_cards_of_several_types_are_taken_in_one_rest_each_under_an_action_that_has_none():
    game = at_rest("reed_hat", "bokken", "straw_waraji", helmet=["WW", "WW"], weapon=["WWMMM"], sandals=["WWW"])
    do(game, "done")
    assert legal(game) == {"card(reed_hat)", "card(bokken)", "card(straw_waraji)"}
    do(game, "card(straw_waraji)")
    assert legal(game) == {"move", "explore", "gather"}
    do(game, "explore")
    assert legal(game) == {"card(reed_hat)", "card(bokken)"}
    do(game, "card(reed_hat)")
    assert legal(game) == {"move", "gather"}
    do(game, "gather", "card(bokken)")
    assert legal(game) == {"move"}
    do(game, "move", "score")
    assert cards_under(game, 0) == {"move": "weapon", "explore": "sandals", "gather": "helmet"}


@pytest.mark.rule("GEAR-2")
@pytest.mark.parametrize("player", [0, 1])
def test_one_card_of_a_type_for_the_rest_of_the_game_though_its_gear_is_gone(player):
    game = at_rest("reed_hat", "storm_visor", helmet=["WW", "WW"], player=player)
    do(game, "done", "card(reed_hat)", "gather")
    put_gear(game, player, helmet=["MMMM"])  # would now match the other card
    back_to(game, player)
    do(game, "move", "done", "rest", "done")
    assert (game.phase, game.actor, owned(game, player)) == (Phase.ACTION, player + 1, {"reed_hat"})
    back_to(game, player)
    do(game, "gather")
    assert "bonus" in legal(game)


@pytest.mark.rule("GEAR-2")
@pytest.mark.parametrize(("card", "offered"), [(None, True), ("iron_brow", False), ("straw_waraji", True)])
def test_a_card_of_a_type_that_one_has_is_not_offered_for_building(card, offered):
    game = at_rest(pack=4)
    if card:
        put_card(game, 0, card, "gather")
    show_cards(game, "reed_hat")
    do(game, "craft(helmet)", "add")
    assert ("build(card reed_hat)" in legal(game)) == offered


@pytest.mark.rule("GEAR-2")
def test_a_card_that_others_have_one_of_is_still_claimed():
    game = at_rest("reed_hat", "iron_brow", helmet=["WW", "WW"])
    game.state.gear_cards[1].where = Where.OWNED + 1
    do(game, "done")
    assert legal(game) == {"card(reed_hat)"}


# The two halves


GATHERED = {"main": ("main", "find(stock)", "take(all)"), "bonus": ("bonus", "take(metal)")}
IN_PACK = {"main": {"wood": 1, "metal": 1}, "bonus": {"metal": 1}}


@pytest.mark.rule("GEAR-3")
@pytest.mark.parametrize(("first", "second"), [("main", "bonus"), ("bonus", "main")])
def test_main_action_and_bonus_in_either_order_for_one_disc(first, second):
    game = with_card("reed_hat", "gather")
    do(game, "gather")
    assert legal(game) == {"main", "bonus"}
    do(game, *GATHERED[first])
    assert legal(game) == {"done", second}
    do(game, *GATHERED[second])
    assert legal(game) == {"done"}
    do(game, "done")
    assert (game.phase, game.actor) == (Phase.ACTION, 0)
    assert pack_of(game, 0) == {"wood": 1, "metal": 2}
    assert (game.state.players[0].pool, game.state.players[0].fields.tolist()) == (2, [0, 0, 1])


@pytest.mark.rule("GEAR-3")
@pytest.mark.parametrize("half", ["main", "bonus"])
def test_one_half_alone(half):
    game = with_card("reed_hat", "gather")
    do(game, "gather", *GATHERED[half], "done")
    assert (game.phase, game.actor, pack_of(game, 0)) == (Phase.ACTION, 0, IN_PACK[half])


@pytest.mark.rule("GEAR-3")
@pytest.mark.parametrize(
    ("action", "asked"), [("move", Phase.MOVE), ("explore", Phase.EXPLORE_PLACE), ("gather", Phase.FIND)]
)
def test_every_action_may_have_a_card_and_those_without_have_no_halves(action, asked):
    game = with_card("reed_hat", action)
    do(game, action, "main")
    assert game.phase == asked
    game = with_card("reed_hat", "gather" if action == "move" else "move")
    do(game, action)
    assert game.phase == asked


@pytest.mark.rule("GEAR-3")
def test_a_half_is_offered_only_if_it_can_do_something():
    game = with_card("reed_hat", "gather")
    put_pack(game, 0, wood=5)
    do(game, "gather", *GATHERED["bonus"])
    put_pack(game, 0, monks=6)
    assert legal(game) == {"done"}


@pytest.mark.rule("GEAR-3", "GEAR-6")
def test_the_bonus_may_open_the_main_action():
    game = with_card("straw_waraji", "gather")
    lay_plain(game, "ring1.0")
    put(game, 0, HERE)
    do(game, "gather")
    assert legal(game) == {"bonus"}
    do(game, "bonus", "step(start)", "done")
    assert legal(game) == {"done", "main"}


# Helmet cards


@pytest.mark.rule("GEAR-4")
@pytest.mark.parametrize(("card", "other", "resource"), [("reed_hat", "iron_brow", 1), ("iron_brow", "reed_hat", 0)])
def test_a_helmet_card_gives_the_resource_that_it_shows(card, other, resource):
    game = with_card(card, "move")
    put_card(game, 1, other, "move")
    left = game.state.supply[:3].tolist()
    name = ("wood", "metal")[resource]
    do(game, "move", "bonus")
    assert legal(game) == {f"take({name})", "done"}
    do(game, f"take({name})", "done")
    assert pack_of(game, 0) == {name: 1}
    left[resource] -= 1
    assert game.state.supply[:3].tolist() == left


@pytest.mark.rule("GEAR-4", "PACK-2")
def test_the_resource_may_be_left_and_room_for_it_is_made_by_throwing():
    game = with_card("reed_hat", "move")
    put_pack(game, 0, wood=6)
    do(game, "move", "bonus")
    assert legal(game) == {"throw(wood)", "done"}
    do(game, "throw(wood)", "take(metal)", "done")
    assert pack_of(game, 0) == {"wood": 5, "metal": 1}
    do(game, "move", "bonus", "done", "done")
    assert (game.actor, pack_of(game, 0)) == (1, {"wood": 5, "metal": 1})


# Weapon cards


@pytest.mark.rule("GEAR-5")
@pytest.mark.parametrize("choice", ["score", "look"])
def test_what_a_weapon_card_gives_is_chosen_when_it_is_placed(choice):
    game = at_rest("bokken", weapon=["WWMMM"])
    do(game, "done", "card(bokken)", "move")
    assert (game.actor, legal(game)) == (0, {"score", "look"})
    do(game, choice)
    assert game.state.players[0].looks == (choice == "look")
    back_to(game, 0)
    do(game, "move", "bonus")
    assert game.phase == (Phase.LOOK if choice == "look" else Phase.HALVES)
    assert game.scores == (choice == "score", 0, 0)


@pytest.mark.rule("GEAR-5")
def test_one_vp_each_time():
    game = with_card("bokken", "move")
    do(game, "move", "bonus", "done", "move", "main", "done", "bonus")
    assert game.scores == (2, 0)


def top(game, level):
    """Known top tile of a stack, or ""."""
    known = int(game.state.top[level - 1])
    return game.vocabulary.deck_ids(f"tiles{level}")[known - 1] if known else ""


def looked(level, tile, players=2, **rules):
    """Player 0 has looked at the top of a stack."""
    game = table(players=players, **rules)
    put_card(game, 0, "bokken", "move", looks=True)
    game.load_draws(f"tiles{level}", [tile])
    do(game, "move", "bonus", f"stack({level})", "done")
    return game


@pytest.mark.rule("GEAR-5")
@pytest.mark.parametrize(("level", "tile"), [(1, "mossy_gate"), (3, "cloud_piercer")])
def test_a_look_at_the_top_tile_of_one_stack(level, tile):
    game = with_card("bokken", "move", looks=True)
    left = game.state.tiles_left.tolist()
    game.load_draws(f"tiles{level}", [tile])
    do(game, "move", "bonus")
    assert legal(game) == {"stack(1)", "stack(2)", "stack(3)"}
    do(game, f"stack({level})")
    assert [top(game, k) for k in (1, 2, 3)] == [tile if k == level else "" for k in (1, 2, 3)]
    assert (game.state.tiles_left.tolist(), game.scores) == (left, (0, 0))


@pytest.mark.rule("GEAR-5")
def test_a_look_shows_the_tile_that_would_have_been_drawn():
    game = with_card("bokken", "move", looks=True)
    lay_plain(game, "ring1.0")
    put(game, 0, "ring1.0/petal0")
    drawn = game.clone()
    do(drawn, "explore", "place(ring2.0)", "turn(0)")
    do(game, "move", "bonus", "stack(2)")
    tile = int(drawn.state.tile[place("ring2.0")]) - 1
    assert top(game, 2) == game.vocabulary.deck_ids("tiles2")[tile % MAX_TILES_PER_LEVEL]


@pytest.mark.rule("GEAR-5")
def test_an_empty_stack_has_no_top():
    game = with_card("bokken", "move", looks=True)
    game.state.tiles_left[1] = 0
    do(game, "move", "bonus")
    assert legal(game) == {"stack(1)", "stack(3)"}


@pytest.mark.rule("GEAR-5", "EXPL-1")
def test_the_tile_that_was_seen_is_the_next_to_be_drawn():
    game = looked(1, "mossy_gate")
    do(game, "explore", "place(ring1.0)", "turn(0)")
    assert game.state.tile[place("ring1.0")] == game.vocabulary.deck_ids("tiles1").index("mossy_gate") + 1
    assert (top(game, 1), game.state.top_seen[0]) == ("", 0)


@pytest.mark.rule("GEAR-5")
def test_what_was_seen_is_private():
    """Two games that differ only in the tile: the looker sees a difference, the other player none."""
    games = looked(1, "mossy_gate"), looked(1, "pilgrims_ledge")
    assert [top(game.view(0), 1) for game in games] == ["mossy_gate", "pilgrims_ledge"]
    assert [top(game.view(1), 1) for game in games] == ["", ""]
    assert games[0].view(1).digest() == games[1].view(1).digest()
    assert games[0].view(0).digest() != games[1].view(0).digest()


@pytest.mark.rule("GEAR-5")
def test_what_was_seen_is_kept_for_the_looker_and_dealt_anew_for_the_other():
    games = looked(1, "mossy_gate"), looked(1, "pilgrims_ledge")
    assert {top(games[0].determinize(0, seed), 1) for seed in range(20)} == {"mossy_gate"}
    assert top(games[0].determinize(0, 0), 2) == ""  # at which nobody has looked
    assert len({top(games[0].determinize(1, seed), 1) for seed in range(20)}) > 3
    for seed in range(5):
        assert games[0].determinize(1, seed).digest() == games[1].determinize(1, seed).digest()


@pytest.mark.rule("GEAR-5")
def test_a_second_looker_sees_the_same_tile_and_the_first_still_knows_it():
    game = looked(2, "ember_bridge", players=3)
    give_turn(game, 1)
    put_card(game, 1, "kama", "move", looks=True)
    do(game, "move", "bonus", "stack(2)")
    assert [top(game.view(p), 2) for p in range(3)] == ["ember_bridge", "ember_bridge", ""]


@pytest.mark.rule("GEAR-5")
@pytest.mark.parametrize("share", [False, True])
def test_by_option_all_see_what_one_looked_at(share):
    """Two games that differ only in the tile differ, for those who see it, in views, redeals and observations."""
    games = [looked(1, tile, players=3, share_peeks=share) for tile in ("mossy_gate", "pilgrims_ledge")]
    assert games[0].state.top_seen[0] == (0b111 if share else 0b001)
    for player in range(3):
        sees = share or player == 0
        assert top(games[0].view(player), 1) == ("mossy_gate" if sees else "")
        dealt = {top(games[0].determinize(player, seed), 1) for seed in range(20)}
        assert (dealt == {"mossy_gate"}) == sees
        one, other = (game.observe(player) for game in games)
        assert any((one[name] != other[name]).any() for name in one) == sees


@pytest.mark.rule("GEAR-5")
def test_with_shared_looks_all_have_seen_a_known_tile():
    position = json.loads(fresh(2, share_peeks=True).to_json())
    position["tops"] = {"1": {"tile": "mossy_gate", "seen_by": [0, 1]}}
    game = Game.from_json(json.dumps(position))
    assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()
    position["tops"]["1"]["seen_by"] = [0]
    with pytest.raises(PositionError, match="GEAR-5"):
        Game.from_json(json.dumps(position))


# Sandals cards


def ready_to_step(**sandals):
    """Player 0 on the start tile beside a bare tile, about to use its sandals card."""
    game = with_card("straw_waraji", "move")
    lay_plain(game, "ring1.0")
    put_gear(game, 0, **sandals)
    do(game, "move")
    return game


@pytest.mark.rule("GEAR-6")
def test_a_sandals_card_gives_a_move_of_one_step_beside_the_main_move():
    game = ready_to_step(sandals=["WWW"])
    do(game, "bonus")
    assert legal(game) == {"done", f"step({HERE})", "step(ring1.0/petal4)"}
    do(game, f"step({HERE})")
    assert legal(game) == {"done"}
    do(game, "done", "main", "step(ring1.0/centre)", "step(ring1.0/petal0)", "step(ring1.0/petal1)", "done", "done")
    assert (game.phase, game.actor, where(game, 0)) == (Phase.ACTION, 0, "ring1.0/petal1")


@pytest.mark.rule("GEAR-6")
def test_the_step_is_never_onto_lava_on_whatever_sandals():
    game = ready_to_step(sandals=["TTT"])
    put_lava(game, HERE)
    do(game, "bonus")
    assert legal(game, "step") == {"step(ring1.0/petal4)"}
    do(game, "done", "main")
    assert f"step({HERE})" in legal(game)


@pytest.mark.rule("GEAR-6", "MOVE-5")
def test_the_step_may_start_a_dragon_fight():
    game = ready_to_step()
    put_dragon(game, "ring1.0")
    do(game, "bonus", f"step({HERE})")
    assert (game.phase, game.actor) == (Phase.JOIN, 1)


@pytest.mark.rule("GEAR-6", "MOVE-6")
def test_the_step_may_start_a_duel():
    game = ready_to_step()
    put(game, 1, HERE)
    do(game, "bonus", f"step({HERE})")
    assert game.phase == Phase.CALL_DUEL

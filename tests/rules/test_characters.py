"""CHAR: asymmetric boards, and the powers that go with them."""

import json
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from fujikoro_env import Game, Rules
from fujikoro_env.content.model import COLOURS
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.observation import columns
from fujikoro_env.position import PositionError
from fujikoro_env.render.look import look
from fujikoro_env.rules.base.names import Character, Gear, Supply
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS
from fujikoro_env.rules.characters.boards import BOARDS
from fujikoro_env.settings import CHARACTERS, RulesError
from tests.helpers.endgame import give_tokens
from tests.helpers.fights import BESIDE, INSIDE, LAIR, dice_left, enter, fighting, lair, load, roll
from tests.helpers.gear import HERE, blow, call_duel, magic_of, meeting, put_blueprint, put_card, put_magic, show_cards
from tests.helpers.invariants import WIDTH, check, is_weapon_of_bits, members
from tests.helpers.layouts import judged, mend, players_with, random_weapons, reach_weapons, read_weapons, rows_of
from tests.helpers.midgame import midgame
from tests.helpers.tables import (
    choosing_a_first_scroll,
    do,
    fresh,
    gear_of,
    integers,
    landing_after_a_jump,
    lay,
    lay_plain,
    legal,
    monks_of,
    name_of,
    neighbours,
    open_scrolls,
    pack_of,
    play,
    put,
    put_dragon,
    put_gear,
    put_lava,
    put_monks,
    put_pack,
    put_scrolls,
    robbing_a_samurai,
    scrolls_of,
    table,
    where,
)

OTHER = {name: next(other for other in ("masatsura", "takeko") if other != name) for name in CHARACTERS}
MISS = "T0 T0 T0"  # of a blue dragon
CELLS = ("centre", *(f"petal{k}" for k in range(6)))


def cast(*names, **rules):
    """A table past set-up with these characters, player 0 to begin."""
    return table(len(names), characters=names, **rules)


def alone(name, **rules):
    """Player 0 is this character, player 1 somebody else."""
    return cast(name, OTHER[name], **rules)


def steps(game):
    return {name[5:-1] for name in legal(game, "step")}


def begin(*names, **rules):
    """A game at its first set-up question, which player 0 is asked."""
    return next(
        game
        for game in (fresh(len(names), seed, characters=names, **rules) for seed in range(50))
        if game.state.first_player == 0
    )


# Choice of characters


@pytest.mark.rule("CHAR-1", "SETUP-1")
@pytest.mark.parametrize(
    ("characters", "says"),
    [
        (["tomoe", None], r"all players have asymmetric boards, or none.*\(SETUP-1\)"),
        (["tomoe"], r"1 characters for 2 players.*\(SETUP-1\)"),
        (["tomoe", "tomoe"], r"there is only one tomoe.*\(CHAR-1\)"),
        (["tomoe", "godzilla"], r"no character is called 'godzilla'.*one each of yoshihiro, .*daisuke \(CHAR-1\)"),
        ("tomoe", r"characters='tomoe': allowed are 'random', None, or one each of .*\(CHAR-1\)"),
        (7, r"characters=7: allowed are"),
    ],
)
def test_characters_that_do_not_fit_get_one_line(characters, says):
    with pytest.raises(RulesError, match=says) as caught:
        Rules(players=2, characters=characters)
    assert "\n" not in str(caught.value)


def test_players_have_the_characters_that_the_rules_name_in_their_order():
    names = ("daisuke", "masako", "tomoe")
    game = fresh(3, characters=iter(names))
    assert tuple(name_of(game, p) for p in range(3)) == names == game.rules.characters
    assert Game.from_bytes(game.to_bytes()).rules == game.rules


def test_at_random_all_are_dealt_alike_and_none_twice():
    games = [Game(Rules(players=3, characters="random"), seed) for seed in range(200)]
    dealt = [tuple(name_of(game, p) for p in range(3)) for game in games]
    assert all(len(set(names)) == 3 for names in dealt)
    often = Counter(name for names in dealt for name in names)
    assert set(often) == set(CHARACTERS)
    assert all(55 < times < 120 for times in often.values())  # 86 on average
    assert Game.from_bytes(games[0].to_bytes()).rules.characters == "random"


def test_dealing_characters_takes_no_luck_from_symmetric_games():
    plain, named = Game(Rules(players=2), 5), Game(Rules(players=2, characters=("masako", "takeko")), 5)
    assert (plain.state.gear_cards == named.state.gear_cards).all()


@pytest.mark.rule("CHAR-1")
@pytest.mark.parametrize(("players", "monks"), [(2, 0), (5, 0), (6, 1)])
def test_no_monks_at_the_start_but_one_with_six_players(players, monks):
    game = fresh(players, characters=[name for name in CHARACTERS if name != "tomoe"][:players])
    asked: Counter[Phase] = Counter()
    while game.phase in (Phase.MONK_SPOT, Phase.SETUP_CUBES, Phase.SETUP_SCROLL):
        asked[game.phase] += 1
        check(game)
        game.step(game.legal_actions()[0])
    assert asked[Phase.MONK_SPOT] == monks * players
    assert [int(me.monks.sum()) for me in game.state.players[:players]] == [monks] * players


@pytest.mark.rule("CHAR-1")
@pytest.mark.parametrize(
    ("name", "spots"),
    [
        ("yoshihiro", {"pool", "scroll", "weapon", "pack"}),
        ("masako", {"pool", "scroll", "pack"}),
        ("masatsura", {"pool", "scroll", "weapon"}),
        ("mitsuhide", {"pool", "weapon", "pack"}),
        ("takeko", {"pool", "scroll", "pack"}),
        ("tomoe", {"pool", "scroll", "pack"}),
        ("daisuke", {"pool", "scroll", "weapon", "pack"}),
    ],
)
def test_an_ability_that_is_open_without_a_monk_has_no_monk_spot(name, spots):
    game = alone(name)
    game.state.monk[0] = 1
    game.state.supply[Supply.MONK] -= 1
    do(game, "gather", "find(monk)")
    assert legal(game) == {f"monk({spot})" for spot in spots}


@pytest.mark.rule("SETUP-12", "CHAR-11", "CHAR-21", "CHAR-31", "CHAR-41", "CHAR-51", "CHAR-61", "CHAR-71")
def test_characters_have_their_colours_and_daisuke_none():
    game = fresh(6, characters=CHARACTERS[:6])
    assert [int(me.colour) for me in game.state.players] == list(range(1, len(COLOURS) + 1))
    game = fresh(2, characters=("daisuke", "tomoe"))
    assert [int(me.colour) for me in game.state.players[:2]] == [0, COLOURS.index("black") + 1]


@pytest.mark.rule("CHAR-71", "GATH-5")
def test_daisuke_has_no_scrolls_to_gather():
    game = cast("daisuke", "tomoe")
    lay_plain(game, "ring1.0")
    put(game, 0, HERE)
    game.state.scroll[game.state.players[0].at] = COLOURS.index("black") + 1
    assert "gather" not in legal(game)
    put(game, 1, HERE)
    do(game, "move", "done", "move", "done")
    do(game, "gather")
    assert legal(game) == {"find(scroll)"}


FIRST_CUBES = {
    "yoshihiro": (2, 2, 0),
    "masako": (3, 3, 0),
    "masatsura": (2, 2, 0),
    "mitsuhide": (2, 3, 0),
    "takeko": (3, 4, 0),
    "tomoe": (2, 2, 1),
    "daisuke": (2, 2, 0),
}


@pytest.mark.rule("CHAR-11", "CHAR-21", "CHAR-31", "CHAR-41", "CHAR-51", "CHAR-61", "CHAR-71")
@pytest.mark.parametrize("name", CHARACTERS)
def test_the_first_weapon(name):
    game = alone(name)
    cubes = game.state.players[0].gear[Gear.WEAPON].cubes
    assert tuple(int(cells).bit_count() for cells in cubes) == FIRST_CUBES[name]
    check(game)


@pytest.mark.parametrize("name", CHARACTERS)
def test_the_first_weapon_is_laid_as_one_likes_by_the_crafting_rules(name):
    """Checks every question of random set-ups."""
    for seed in range(3 if INTERPRETED else 20):
        for game in play(fresh(2, seed, characters=(name, OTHER[name])), seed):
            if game.phase not in (Phase.SETUP_CUBES, Phase.SETUP_SCROLL):
                break
            check(game)


# Yoshihiro


@pytest.mark.rule("CHAR-11")
def test_yoshihiro_has_four_discs_five_with_a_monk_and_three_metal():
    game = alone("yoshihiro")
    assert game.state.players[0].pool == 4
    assert pack_of(game, 0) == {"metal": 3}
    game.state.monk[0] = 1
    game.state.supply[Supply.MONK] -= 1
    do(game, "gather", "find(monk)", "monk(pool)")
    assert game.state.players[0].pool + game.state.players[0].fields.sum() == 5
    check(game)


@pytest.mark.rule("CHAR-12")
def test_yoshihiro_may_craft_one_type_of_gear_after_each_action():
    game = alone("yoshihiro")
    do(game, "move", "done")
    assert (game.phase, game.actor) == (Phase.REST, 0)
    assert legal(game) == {"done", "craft(helmet)", "craft(weapon)", "craft(sandals)"}
    do(game, "craft(helmet)", "add", "lay(metal, helmet[0,0])", "done")
    assert game.phase == Phase.ACTION  # one type, no second
    assert gear_of(game, 0, "helmet") == ["M"]
    do(game, "gather", "find(stock)", "take(all)", "done")
    assert game.actor == 1
    do(game, "move", "done")
    assert game.phase == Phase.ACTION  # his power alone
    check(game)


@pytest.mark.rule("CHAR-12")
def test_a_rest_of_yoshihiro_has_its_one_craft_and_no_second():
    game = alone("yoshihiro")
    do(game, "move", "done", "done", "rest", "craft(helmet)", "add", "lay(metal, helmet[0,0])", "done")
    assert (game.actor, game.phase) == (1, Phase.ACTION)


@pytest.mark.rule("CHAR-12", "MAGIC-1")
def test_what_yoshihiro_crafts_after_an_action_becomes_magic_but_claims_no_card():
    game = alone("yoshihiro")
    put_blueprint(game, 0, "steps_of_the_mountain")
    do(game, "move", "done", "craft(sandals)", "add")
    do(game, *(f"lay(metal, sandals[0,{k}])" for k in range(3)), "done")
    assert magic_of(game, 0) == {"sandals": 1}
    assert not game.state.players[0].card_on.any()


@pytest.mark.rule("CHAR-12")
def test_yoshihiro_crafts_after_the_bonus_half_too_and_once():
    game = alone("yoshihiro")
    put_card(game, 0, "sandals", "move")
    do(game, "move", "main", "done")
    assert game.phase == Phase.HALVES
    do(game, "done")
    assert game.phase == Phase.REST
    do(game, "done")
    assert game.phase == Phase.ACTION


@pytest.mark.rule("CHAR-12")
def test_knocked_out_yoshihiro_crafts_nothing():
    game = lair(characters=("yoshihiro", "masatsura"))
    enter(game, "T2 T2 T2")
    assert (game.actor, game.phase) == (1, Phase.ACTION)
    assert game.state.players[0].unconscious


@pytest.mark.rule("CHAR-12")
def test_after_a_fight_that_he_survives_yoshihiro_crafts():
    game = lair(characters=("yoshihiro", "masatsura"), weapon=["WWMMM"])
    enter(game)
    roll(game, "W1 W1 M2 M2 M2")
    do(game, "done")  # the tooth
    assert (game.actor, game.phase) == (0, Phase.REST)


# Masako


@pytest.mark.rule("CHAR-21")
def test_the_right_part_of_masako_is_open_and_has_five_columns():
    game = alone("masako")
    put_gear(game, 0, weapon=["WWWMMMMM"])
    put_pack(game, 0, metal=6)
    do(game, "move", "done", "rest", "craft(weapon)", "add")
    do(game, "lay(metal, weapon[0,8])", "lay(metal, weapon[0,9])")
    assert gear_of(game, 0, "weapon") == ["WWWMMMMMMM"]
    do(game, "lay(metal, weapon[1,9])", "lay(metal, weapon[2,9])")
    assert not legal(game, "lay")  # 12 are the most
    check(game)


@pytest.mark.rule("CHAR-21")
def test_a_weapon_of_length_ten_has_initiative_ten():
    game = lair(characters=("masako", "masatsura"), weapon=["WWWMMMMMMM"])
    enter(game)
    assert game.state.fight.fighters[0].initiative == 10


@pytest.mark.rule("CHAR-22")
@pytest.mark.parametrize(
    ("sandals", "full_steps", "number"),
    [("", False, 3), ("MMM", False, 3), ("MMMM", False, 3), ("WWMMT", False, 4), ("WWMMT", True, 5), ("MMMM", True, 3)],
)
def test_masako_moves_three_and_more_on_five_cubes(sandals, full_steps, number):
    game = alone("masako", masako_full_steps=full_steps)
    put_gear(game, 0, sandals=[sandals])
    do(game, "move")
    assert game.state.stack[game.state.depth - 1].left == number


@pytest.mark.rule("CHAR-22")
def test_the_option_is_for_masako_alone():
    game = cast("takeko", "masako", masako_full_steps=True)
    put_gear(game, 0, sandals=["MMM"])
    do(game, "move")
    assert game.state.stack[game.state.depth - 1].left == 3


@pytest.mark.rule("CHAR-22")
def test_sandals_of_masako_have_five_cells_those_of_others_three():
    for name, cells in (("masako", 5), ("takeko", 3)):
        game = alone(name)
        put_pack(game, 0, metal=5)
        do(game, "move", "done", "rest", "craft(sandals)", "add")
        assert len(legal(game, "lay")) == cells


@pytest.mark.rule("CHAR-23")
@pytest.mark.parametrize("gear", ["helmet", "weapon"])
def test_crafting_a_helmet_or_weapon_masako_may_craft_sandals_too(gear):
    game = alone("masako")
    put_gear(game, 0, weapon=["WWM"])
    put_pack(game, 0, metal=3)
    do(game, "move", "done", "rest", f"craft({gear})", "add")
    do(game, "lay(metal, helmet[0,0])" if gear == "helmet" else "lay(metal, weapon[0,3])", "done")
    assert (game.phase, legal(game)) == (Phase.REST, {"done", "craft(sandals)"})
    used = game.clone()
    do(used, "craft(sandals)", "add", "lay(metal, sandals[0,4])", "done")
    assert used.actor == 1
    assert gear_of(used, 0, "sandals") == ["....M"]
    do(game, "done")
    assert game.actor == 1


@pytest.mark.rule("CHAR-23")
def test_crafting_sandals_alone_brings_nothing_more_and_others_have_no_such_power():
    for name, gear, cell in (("masako", "sandals", "sandals[0,0]"), ("takeko", "helmet", "helmet[0,0]")):
        game = alone(name)
        show_cards(game)
        put_pack(game, 0, metal=3)
        do(game, "move", "done", "rest", f"craft({gear})", "add", f"lay(metal, {cell})", "done")
        assert game.actor == 1


@pytest.mark.rule("CHAR-23")
def test_a_whetstone_of_masako_brings_sandals_too():
    game = alone("masako")
    put_pack(game, 0, metal=3)
    give_tokens(game, 0, "whetstone")
    do(game, "use(whetstone)", "craft(helmet)", "add", "lay(metal, helmet[0,0])", "done")
    assert legal(game) == {"done", "craft(sandals)"}
    do(game, "done")
    assert game.phase == Phase.ACTION


@pytest.mark.rule("CHAR-23")
def test_with_twin_forge_masako_crafts_sandals_once():
    game = alone("masako")
    put_scrolls(game, 0, "twin_forge")
    put_pack(game, 0, metal=5)
    do(game, "move", "done", "rest", "craft(helmet)", "add", "lay(metal, helmet[0,0])", "done")
    do(game, "craft(sandals)", "add", "lay(metal, sandals[0,0])", "done")
    assert legal(game) == {"done", "craft(weapon)"}
    do(game, "craft(weapon)", "rebuild", "lay(wood, weapon[0,0])", "done", "throw(wood)")
    assert game.actor == 1


# Masatsura


@pytest.mark.rule("CHAR-31")
def test_masatsura_lays_a_helmet_then_a_weapon():
    game = begin("masatsura", "takeko")
    assert game.phase == Phase.SETUP_CUBES
    cells = [f"helmet[{row},{column}]" for row in range(3) for column in range(4)]
    assert legal(game) == {f"lay({kind}, {cell})" for kind in ("wood", "metal") for cell in cells}
    do(game, "lay(wood, helmet[2,3])", "lay(wood, helmet[0,0])", "lay(metal, helmet[2,0])", "lay(metal, helmet[1,1])")
    assert all("weapon" in name for name in legal(game))
    assert gear_of(game, 0, "helmet") == ["W", ".M", "M..W"]


@pytest.mark.rule("CHAR-31")
def test_a_helmet_of_masatsura_holds_twelve():
    game = alone("masatsura")
    put_gear(game, 0, helmet=["MMMM", "MMMM", "MMM"])
    put_pack(game, 0, metal=2)
    do(game, "move", "done", "rest", "craft(helmet)", "add", "lay(metal, helmet[2,3])")
    assert not legal(game, "lay")
    check(game)


@pytest.mark.rule("CHAR-32")
def test_masatsura_has_a_pack_of_fifteen():
    game = alone("masatsura")
    put_pack(game, 0, wood=14)
    do(game, "gather", "find(stock)", "take(metal)")
    assert legal(game) == {"done", "throw(wood)", "throw(metal)"}
    check(game)


# Mitsuhide


@pytest.mark.rule("CHAR-41")
def test_mitsuhide_starts_with_a_scroll_of_the_display_its_token_and_three_vp():
    game = begin("mitsuhide", "takeko")
    assert (game.phase, game.actor) == (Phase.SETUP_SCROLL, 0)
    display = open_scrolls(game)
    assert legal(game) == {f"scroll({card})" for card in display}  # not the deck
    game.load_draws("scrolls", [next(c for c in game.vocabulary.deck_ids("scrolls") if c not in display)])
    do(game, f"scroll({display[1]})")
    assert scrolls_of(game, 0) == [display[1], ""]
    assert game.state.players[0].scroll_colours[0] == game.state.players[0].colour == COLOURS.index("blue") + 1
    assert game.state.scroll_tokens[COLOURS.index("blue")] == game.rules.pack.scroll_tokens - 1
    assert game.scores == (3, 0)
    assert all(open_scrolls(game))
    assert display[1] not in open_scrolls(game)
    check(game)


@pytest.mark.rule("CHAR-41", "FINAL-1")
def test_its_vp_may_start_the_final_chapter():
    game = begin("mitsuhide", "takeko", final_at=3)
    do(game, min(legal(game)))
    assert game.state.final_player == 1
    assert Game.from_json(game.to_json()).digest() == game.digest()


@pytest.mark.rule("CHAR-41")
def test_others_start_without_a_scroll():
    assert fresh(2, characters=("takeko", "tomoe")).phase == Phase.SETUP_CUBES


@pytest.mark.rule("CHAR-42")
@pytest.mark.parametrize(("name", "slot"), [("mitsuhide", "slot(2)"), ("takeko", "slot(1)")])
def test_the_second_scroll_slot_of_mitsuhide_is_open(name, slot):
    game = alone(name)
    me = game.state.players[0]
    if name == "takeko":
        put_scrolls(game, 0, "seer")
    game.state.scroll[0] = me.colour
    game.state.scroll_tokens[me.colour - 1] -= 1
    do(game, "gather", "find(scroll)", "scroll(deck)")
    assert legal(game) == {slot}


LAVA = "ring1.0/petal3"  # beside the start


def jumping(weapon=("WWM",), lava=(LAVA,), **rules):
    """Mitsuhide on the start tile, lava before him."""
    game = cast("mitsuhide", "takeko", **rules)
    lay_plain(game, "ring1.0", "ring1.1")
    put_lava(game, *lava)
    put_gear(game, 0, weapon=list(weapon))
    game.state.scroll_deck |= 1 << int(game.state.players[0].scrolls[0] - 1)
    game.state.scroll_tokens[game.state.players[0].colour - 1] += 1
    game.state.players[0].scrolls[0] = game.state.players[0].scroll_colours[0] = 0
    return game


@pytest.mark.rule("CHAR-43")
def test_mitsuhide_jumps_over_lava_and_burns_a_wood_of_his_weapon():
    game = jumping()
    wood = int(game.state.supply[Supply.WOOD])
    do(game, "move")
    assert "use(jump)" in legal(game)
    do(game, "use(jump)")
    assert legal(game) == {"cell(weapon[0,0])", "cell(weapon[0,1])"}  # wood, of his choice
    do(game, "cell(weapon[0,0])")
    beyond = {name for name in neighbours(LAVA) if name.startswith(("ring1.0", "ring1.1"))}
    assert (game.phase, steps(game)) == (Phase.JUMP, beyond - {LAVA})
    do(game, "step(ring1.0/centre)")
    assert game.state.supply[Supply.WOOD] == wood + 1
    assert (where(game, 0), gear_of(game, 0, "weapon")) == ("ring1.0/centre", [".WM"])
    assert legal(game) == {"done"}  # the jump is two steps
    do(game, "done")
    assert game.phase == Phase.ACTION


@pytest.mark.rule("CHAR-43")
def test_a_jump_is_his_choice_once_per_move_and_needs_wood_steps_and_ground_beyond():
    game = jumping(weapon=["WWWM"], lava=(LAVA, "ring1.0/centre"))
    put_gear(game, 0, sandals=["WWW"])
    do(game, "move", "use(jump)", "cell(weapon[0,0])", "step(ring1.0/petal4)")
    assert game.state.stack[game.state.depth - 1].left == 1
    assert "use(jump)" not in legal(game)
    do(game, "done", "move")
    assert "use(jump)" in legal(game)  # another move
    do(game, "step(start)", "step(ring1.1/petal4)")
    assert "use(jump)" not in legal(game)  # a step is left, two are needed
    game = jumping(weapon=["MM"])
    do(game, "move")
    assert "use(jump)" not in legal(game)
    game = jumping(lava=[f"{tile}/{cell}" for tile in ("ring1.0", "ring1.1") for cell in CELLS])
    do(game, "move")
    assert "use(jump)" not in legal(game)


@pytest.mark.rule("CHAR-43")
def test_only_mitsuhide_jumps():
    game = jumping()
    do(game, "move", "done", "move", "done", "move")
    assert game.actor == 1
    assert not legal(game, "use")


@pytest.mark.rule("CHAR-43", "WEAP-6")
def test_a_weapon_that_the_burnt_wood_held_together_is_repaired_before_the_landing():
    game = jumping(weapon=["MWM", "W"])
    do(game, "move", "use(jump)", "cell(weapon[0,1])")
    assert game.phase == Phase.REPAIR
    do(game, "cell(weapon[0,2])")
    assert game.phase == Phase.JUMP


@pytest.mark.rule("CHAR-43", "MAGIC-2")
def test_the_burnt_wood_may_cost_the_magic():
    game = jumping(weapon=["WWMMM", ".M"])
    put_blueprint(game, 0, "cloud_cutter")
    put_magic(game, 0, "weapon")
    do(game, "move", "use(jump)", "cell(weapon[0,0])")
    assert magic_of(game, 0) == {}


@pytest.mark.rule("CHAR-43", "MOVE-5")
def test_landing_on_a_dragons_tile_starts_the_fight():
    game = jumping(weapon=["WWWMM"])
    put_dragon(game, "ring1.1")
    do(game, "move", "use(jump)", "cell(weapon[0,0])", "step(ring1.1/petal5)")
    assert game.state.fight.dragon
    assert game.state.fight.fighters[0].came_from == 0


# Takeko


@pytest.mark.rule("CHAR-51", "CHAR-52")
def test_takeko_has_one_piece_of_up_to_sixteen_cubes():
    game = alone("takeko")
    put_gear(game, 0, weapon=["WWWMMMMM", "MMMMMMM"])
    put_pack(game, 0, metal=3)
    do(game, "move", "done", "rest", "craft(weapon)", "add", "lay(metal, weapon[1,7])")
    assert not legal(game, "lay")  # 16
    check(game)


@pytest.mark.rule("CHAR-52")
def test_takeko_lays_no_second_weapon():
    game = alone("takeko")
    put_gear(game, 0, weapon=["WWM"])
    put_pack(game, 0, metal=3)
    do(game, "move", "done", "rest", "craft(weapon)", "add")
    assert legal(game, "lay") == {f"lay(metal, weapon[{cell}])" for cell in ("0,3", "1,0", "1,1", "1,2")}


@pytest.mark.rule("CHAR-52")
@pytest.mark.parametrize(("weapon", "usable"), [("WWM", False), ("WWWM", True), (".....WW", False), (".....WWW", True)])
def test_wherever_it_lies_takekos_weapon_counts_as_two_handed(weapon, usable):
    game = lair(characters=("takeko", "masatsura"), weapon=[weapon])
    enter(game, f"{MISS} {MISS}")
    assert (game.phase == Phase.WEAPON) == usable
    assert game.state.fight.fighters[0].initiative == len(weapon.strip("."))


@pytest.mark.rule("CHAR-52", "MATCH-2")
def test_takeko_can_not_build_a_pair():
    for name, can in (("takeko", False), ("tomoe", True)):
        game = alone(name)
        put_gear(game, 0, weapon=[])
        pair = next(card for card in game.rules.pack.blueprints if len(card.patterns) == 2)
        put_blueprint(game, 0, pair.id)
        put_pack(game, 0)
        game.state.players[0].pack[:] = 9, 9, 9
        do(game, "move", "done", "rest", "craft(weapon)", "add")
        assert (f"build(blueprint {pair.id})" in legal(game)) == can


# Tomoe


@pytest.mark.rule("CHAR-61")
def test_tomoe_has_one_handed_weapons_only_and_the_right_part_open():
    game = alone("tomoe")
    put_gear(game, 0, weapon=["..WWM"])
    put_pack(game, 0, metal=4)
    do(game, "move", "done", "rest", "craft(weapon)", "add")
    cells = {name.partition("[")[2][:3] for name in legal(game, "lay")}
    assert "0,5" not in cells  # across the parts
    assert "1,5" in cells  # another weapon
    assert {"0,1", "1,2"} < cells
    do(game, "lay(metal, weapon[0,6])")
    assert "lay(metal, weapon[0,5])" not in legal(game)
    check(game)


@pytest.mark.rule("CHAR-62")
def test_tomoe_has_two_discs_and_a_monk_and_room_for_one_more():
    game = alone("tomoe")
    me = game.state.players[0]
    assert (int(me.pool), monks_of(game, 0)) == (3, {"pool"})
    game.state.monk[0] = 1
    game.state.supply[Supply.MONK] -= 1
    do(game, "gather", "find(monk)", "monk(pool)")
    assert me.monks.tolist() == [2, 0, 0, 0]
    assert me.pool + me.fields.sum() == 4
    check(game)
    assert '"monks": ["pool", "pool"]' in game.to_json()
    assert Game.from_json(game.to_json()).digest() == game.digest()
    game.state.monk[0] = 1
    do(game, "gather", "find(monk)")
    assert "monk(pool)" not in legal(game)


@pytest.mark.rule("CHAR-62")
def test_at_set_up_the_pool_monk_comes_from_the_supply():
    game = fresh(2, characters=("tomoe", "takeko"))
    assert game.state.supply[Supply.MONK] == game.rules.pack.supply["monk"] - 1
    assert game.state.players[0].pool == 3


@pytest.mark.rule("CHAR-62", "HERO-1", "HERO-8")
def test_the_pool_monk_is_a_monk_in_every_way():
    game = lair(characters=("tomoe", "masatsura"))
    enter(game)
    assert (game.phase, legal(game)) == (Phase.SEND_MONK, {"no", "monk(pool)"})
    load(game, MISS)
    do(game, "monk(pool)")
    me = game.state.players[0]
    assert (int(me.pool + me.fields.sum()), monks_of(game, 0)) == (2, set())


def with_sandals(sandals="WWM", weapon="WWMM", **rules):
    game = lair(characters=("tomoe", "masatsura"), weapon=[weapon], **rules)
    put_monks(game, 0)
    put_gear(game, 0, sandals=[sandals])
    return game


@pytest.mark.rule("CHAR-63")
def test_tomoes_sandals_fight_as_a_third_weapon():
    game = with_sandals()
    enter(game, MISS)
    assert legal(game) == {"weapon(left)", "weapon(sandals)"}
    health = int(game.state.fight.health)
    roll(game, "W1 W0 M0", "sandals")
    assert game.state.fight.health == health - 1
    assert legal(game) == {"weapon(left)"}  # once a round
    roll(game, f"W0 W0 M0 M0 {MISS}")
    assert legal(game) == {"weapon(left)", "weapon(sandals)"}
    assert dice_left(game) == 0


@pytest.mark.rule("CHAR-63")
@pytest.mark.parametrize(("sandals", "usable"), [("WW", True), ("W.W", True), ("WMM", False), ("WTM", False)])
def test_they_need_two_wood_connected_or_not(sandals, usable):
    game = with_sandals(sandals, weapon="MM")
    enter(game, MISS)
    assert (game.phase == Phase.WEAPON) == usable
    assert game.state.fight.fighters[0].initiative == (len(sandals) if usable else len("MM"))


@pytest.mark.rule("CHAR-63")
def test_what_breaks_is_taken_off_the_sandals():
    game = with_sandals()
    enter(game, MISS)
    load(game, "W1* W0 M0")
    do(game, "weapon(sandals)", "roll")
    assert legal(game) == {"cell(sandals[0,0])", "cell(sandals[0,1])"}
    do(game, "cell(sandals[0,1])")
    assert gear_of(game, 0, "sandals") == ["W.M"]
    assert gear_of(game, 0, "weapon") == ["WWMM"]
    assert legal(game) == {"weapon(left)"}


@pytest.mark.rule("CHAR-63", "MAGIC-3", "MAGIC-4")
def test_their_magic_does_nothing_in_fights_and_goes_with_the_first_cube_if_the_blueprint_is_lost():
    game = with_sandals("WWM")
    put_magic(game, 0, "sandals")
    enter(game, MISS)
    assert game.state.fight.fighters[0].initiative == 4  # WWMM; the sandals have 3
    do(game, "weapon(sandals)", "number(1)")
    load(game, "W1*")
    while game.phase == Phase.DICE:
        do(game, "number(0)")  # no kind of dice is magic
    assert game.phase == Phase.BREAK
    do(game, min(legal(game)))
    assert magic_of(game, 0) == {}


@pytest.mark.rule("CHAR-63", "MAGIC-3")
def test_a_break_of_the_sandals_leaves_the_magic_of_the_weapon():
    game = with_sandals("WWM")
    put_magic(game, 0, "weapon")  # its blueprint is lost
    enter(game)
    load(game, "W1* W0 M0")
    do(game, "weapon(sandals)", "roll", "cell(sandals[0,0])")
    assert magic_of(game, 0) == {"weapon": 1}


@pytest.mark.rule("CHAR-63")
def test_sandals_of_others_do_not_fight():
    game = lair(characters=("masatsura", "tomoe"), weapon=["WWMM"])
    put_gear(game, 0, sandals=["WWM"])
    enter(game, MISS)
    assert legal(game) == {"weapon(left)"}


@pytest.mark.rule("CHAR-63", "MOVE-6", "DUEL-3")
def test_sandals_alone_are_enough_for_a_duel():
    game = meeting(characters=("tomoe", "masatsura"), weapons=("", ""))
    put_gear(game, 0, sandals=["WWM"])
    put_gear(game, 1, helmet=[])
    call_duel(game)
    assert legal(game) == {"weapon(sandals)"}
    blow(game, "W1", "W0", "M0", weapon="sandals")
    assert game.state.players[1].unconscious


@pytest.mark.rule("CHAR-64")
def test_with_tomoe_a_pair_of_one_handed_weapons_is_among_the_blueprints():
    pairs = {card.id for card in Rules().pack.blueprints if card.gear == "weapon" and len(card.patterns) == 2}

    def has_pair(characters, seed):
        game = fresh(2, seed, characters=characters)
        check(game)
        slots = range(CARD_SLOTS, CARD_SLOTS + 2)
        names = [game.vocabulary.blueprint(slot) for slot in slots]
        assert len(set(names)) == 2
        return bool(pairs & set(names)), [bool({name} & pairs) for name in names]

    seeds = range(10 if INTERPRETED else 60)
    with_tomoe = [has_pair(("tomoe", "takeko"), seed) for seed in seeds]
    without = [has_pair(("masako", "takeko"), seed) for seed in seeds]
    assert all(found for found, _ in with_tomoe)
    assert not all(found for found, _ in without)
    assert {tuple(where) for _, where in with_tomoe} >= {(True, False), (False, True)}  # in either place


# Daisuke


@pytest.mark.rule("CHAR-71")
def test_daisuke_moves_three_and_four_on_completed_sandals():
    for sandals, number in (("", 3), ("MMM", 4)):
        game = alone("daisuke")
        put_gear(game, 0, sandals=[sandals])
        do(game, "move")
        assert game.state.stack[game.state.depth - 1].left == number


@pytest.mark.rule("CHAR-71")
def test_his_helmet_has_three_cells_in_a_row():
    game = alone("daisuke")
    put_pack(game, 0, metal=5)
    do(game, "move", "done", "rest", "craft(helmet)", "add")
    assert legal(game, "lay") == {f"lay(metal, helmet[0,{k}])" for k in range(3)}


@pytest.mark.rule("CHAR-71", "MAGIC-1")
def test_no_helmet_of_daisuke_is_ever_magic():
    """Even a helmet that matches a blueprint, which his grid would not allow, gets no magic."""
    for name, magic in (("daisuke", {}), ("masatsura", {"helmet": 1})):
        game = alone(name)
        put_blueprint(game, 0, "sun_kabuto")
        put_gear(game, 0, helmet=["WMW", "M.M"])
        do(game, "move", "done")
        assert magic_of(game, 0) == magic


def sneaking(characters=("daisuke", "takeko"), **rules):
    """Daisuke on the start tile, player 1 before him on the way to the rest of a bare tile."""
    game = cast(*characters, **rules)
    lay_plain(game, "ring1.0")
    put(game, 1, HERE)
    return game


@pytest.mark.rule("CHAR-72")
def test_daisuke_may_pass_a_samurai_without_a_fight():
    game = sneaking()
    do(game, "move")
    assert "use(sneak)" in legal(game)
    do(game, "use(sneak)")
    assert legal(game) == {f"step({HERE})"}
    do(game, f"step({HERE})")
    assert (game.phase, game.actor) == (Phase.MOVE, 0)
    assert "done" not in legal(game)  # he may not end with them
    do(game, "step(ring1.0/centre)", "done")
    assert game.phase == Phase.ACTION


@pytest.mark.rule("CHAR-72", "MOVE-6")
def test_or_he_meets_it_like_anybody():
    game = sneaking()
    do(game, "move", f"step({HERE})")
    assert game.phase == Phase.CALL_DUEL
    do(game, "no", "no")
    assert "done" in legal(game)
    assert "use(steal)" not in legal(game)


@pytest.mark.rule("CHAR-72")
def test_others_can_not_sneak():
    game = sneaking(("takeko", "daisuke"))
    do(game, "move")
    assert not legal(game, "use")


@pytest.mark.rule("CHAR-72")
def test_he_passes_a_dragon_too():
    game = lair(characters=("daisuke", "takeko"))
    lay_plain(game, "ring1.2")
    do(game, "move", "use(sneak)", f"step({INSIDE})")
    assert (game.phase, game.state.fight.dragon) == (Phase.MOVE, 0)
    assert "done" not in legal(game)
    fought = game.clone()
    load(fought, MISS)
    do(fought, f"step({LAIR}/petal4)")
    assert fought.state.fight.dragon  # a plain step on its tile is a fight
    assert fought.state.fight.fighters[0].inside
    do(game, "step(start)", "done")
    assert game.phase == Phase.ACTION


@pytest.mark.rule("CHAR-72", "DRAG-4")
def test_beaten_after_sneaking_he_lies_where_he_was_before_the_tile():
    game = lair(characters=("daisuke", "takeko"))
    do(game, "move", "use(sneak)", f"step({INSIDE})")
    load(game, "T2 T2 T2")
    do(game, f"step({LAIR}/petal4)")
    assert game.state.players[0].unconscious
    assert where(game, 0) == BESIDE


@pytest.mark.rule("CHAR-72")
def test_a_quiet_step_needs_a_way_on_within_the_steps_left():
    game = sneaking()
    put(game, 0, "ring1.0/petal0")
    do(game, "move", "step(ring1.0/centre)", "step(ring1.0/petal0)")
    put(game, 1, "ring1.0/centre")
    assert "use(sneak)" not in legal(game)  # one step is left
    assert f"step({'ring1.0/centre'})" in legal(game)


@pytest.mark.rule("CHAR-72", "MAP-6")
def test_a_space_with_two_can_not_be_passed():
    game = sneaking(("daisuke", "takeko", "tomoe"))
    put(game, 2, HERE)
    do(game, "move")
    assert "use(sneak)" not in legal(game)


@pytest.mark.rule("CHAR-72", "CHAR-73")
def test_a_player_who_lies_unconscious_or_stands_safe_is_nobody_to_sneak_past():
    game = sneaking()
    game.state.players[1].unconscious = 1
    do(game, "move")
    assert "use(sneak)" not in legal(game)
    game = sneaking()
    put(game, 0, HERE)
    put(game, 1, "start")
    do(game, "move")
    assert "use(sneak)" not in legal(game)


def passing(*scrolls, **rules):
    """Daisuke has sneaked past player 1, who has these scrolls, and is about to go on."""
    game = sneaking(**rules)
    put_monks(game, 1, "scroll")
    put_scrolls(game, 1, *scrolls)
    do(game, "move", "use(sneak)", f"step({HERE})")
    return game


@pytest.mark.rule("CHAR-73")
def test_passing_a_samurai_daisuke_may_steal_a_scroll_for_three_vp():
    game = passing("seer", "pilgrim")
    colour = int(game.state.players[1].colour)
    do(game, "use(steal)")
    assert (game.phase, legal(game)) == (Phase.THEFT, {"item(scroll 1)", "item(scroll 2)"})
    do(game, "item(scroll 2)", "slot(1)")
    assert (scrolls_of(game, 0), scrolls_of(game, 1)) == (["pilgrim", ""], ["seer", ""])
    assert game.state.players[0].scroll_colours[0] == colour
    assert game.scores == (3, 0)
    assert "use(steal)" not in legal(game)  # one theft per move
    assert "done" not in legal(game)


@pytest.mark.rule("CHAR-73")
def test_he_need_not_steal_and_can_not_where_there_is_nothing():
    game = passing("seer")
    assert "use(steal)" in legal(game)
    do(game, "step(ring1.0/centre)")
    assert "use(steal)" not in legal(game)
    assert "use(steal)" not in legal(passing())


@pytest.mark.rule("CHAR-73")
def test_one_theft_per_move_though_he_passes_two():
    game = sneaking(("daisuke", "takeko", "tomoe"))
    put(game, 2, "ring1.0/centre")
    put_gear(game, 0, sandals=["MMM"])
    put_scrolls(game, 1, "seer")
    put_scrolls(game, 2, "pilgrim")
    do(game, "move", "use(sneak)", f"step({HERE})", "use(steal)", "item(scroll 1)", "slot(1)")
    do(game, "use(sneak)", "step(ring1.0/centre)")
    assert "use(steal)" not in legal(game)
    do(game, "step(ring1.0/petal0)", "done", "move", "use(sneak)", "step(ring1.0/centre)")
    assert "use(steal)" in legal(game)  # another move; his one slot is full, so he may replace


@pytest.mark.rule("CHAR-73", "PACK-4")
def test_for_the_token_room_is_made_first():
    game = passing("seer")
    put_pack(game, 0, wood=6)
    do(game, "use(steal)")
    assert legal(game) == {"throw(wood)"}
    do(game, "throw(wood)")
    assert legal(game) == {"item(scroll 1)"}


@pytest.mark.rule("CHAR-73")
def test_without_any_room_there_is_no_theft():
    game = passing("seer")
    put_pack(game, 0, monks=6)
    assert "use(steal)" not in legal(game)


@pytest.mark.rule("CHAR-72", "CHAR-73")
def test_no_theft_in_peaceful_games():
    game = sneaking(peaceful=True)
    put_scrolls(game, 1, "seer")
    do(game, "move")
    assert not legal(game, "use")
    do(game, f"step({HERE})")
    assert legal(game, "use") == set()
    assert "done" in legal(game)


@pytest.mark.rule("CHAR-72", "CHAR-73")
def test_no_theft_in_coop_but_dragons_are_passed():
    game = sneaking(mode="coop")
    put_scrolls(game, 1, "seer")
    do(game, "move")
    assert not legal(game, "use")  # a friend is no one to sneak past
    do(game, f"step({HERE})")
    assert not legal(game, "use")
    put_dragon(game, "ring1.0")
    put(game, 0, "start")
    put(game, 1, "start")
    do(game, "done", "move")
    assert legal(game, "use") == {"use(sneak)"}


@pytest.mark.rule("CHAR-74")
def test_daisuke_moves_up_to_four_spaces_to_join_a_dragon_fight():
    game = lair(characters=("takeko", "daisuke"), weapon=["WWWMM"])
    lay_plain(game, "ring1.2", "ring1.3", "ring1.4", "ring1.5")
    far = {}
    for at in ("start", "ring1.3/centre", "ring1.4/centre", "ring1.4/petal5", "temple0"):
        trial = game.clone()
        put(trial, 1, at)
        do(trial, "move", f"step({INSIDE})")
        far[at] = trial.phase == Phase.JOIN and {name[5:-1] for name in legal(trial, "step")}
    assert far["start"] == {f"{LAIR}/{cell}" for cell in ("centre", *(f"petal{k}" for k in range(6)))}
    assert not far["temple0"]
    assert far["ring1.3/centre"]
    for at, reached in far.items():
        assert bool(reached) == (at != "temple0" and least_steps(game, at) <= 4), at


def least_steps(game, at):
    """Least number of steps to the lair over explored spaces, found by trying."""
    seen, edge, number = {at}, {at}, 0
    while not any(name.startswith(LAIR) for name in edge):
        edge = {there for here in edge for there in neighbours(here) if is_explored(game, there)} - seen
        seen |= edge
        number += 1
        if not edge:
            return 99
    return number


def is_explored(game, name):
    put(game, 1, name)
    return game.state.terrain[game.state.players[1].at] == 1


@pytest.mark.rule("CHAR-74", "DRAG-4")
def test_he_joins_from_afar_and_goes_back_to_where_he_came_from():
    game = lair(characters=("takeko", "daisuke"), weapon=["WWWMM"])
    put(game, 1, "ring1.0/petal0")
    enter(game)
    assert (game.phase, game.actor) == (Phase.JOIN, 1)
    do(game, f"step({LAIR}/petal0)")
    assert fighting(game) == [0, 1]
    roll(game, "W0 W0 W0 M0 M0")
    assert (game.phase, game.actor) == (Phase.ASK_SMOKE, 1)
    do(game, "retreat")
    assert where(game, 1) == "ring1.0/petal0"


@pytest.mark.rule("CHAR-74", "DRAG-2")
def test_he_does_not_cross_lava_to_join_and_others_join_from_beside_the_tile_only():
    game = lair(characters=("takeko", "daisuke"))
    put(game, 1, "ring1.0/petal0")
    put_lava(game, *(name for name in neighbours("ring1.0/petal0")))
    enter(game, MISS)
    assert game.phase != Phase.JOIN
    game = lair(characters=("takeko", "tomoe"))
    put(game, 1, "ring1.0/petal0")
    enter(game, MISS)
    assert game.phase != Phase.JOIN


@pytest.mark.rule("CHAR-75")
def test_daisuke_may_retreat_after_any_roll():
    game = lair(characters=("daisuke", "takeko"), weapon=["WWMMM"])
    put_gear(game, 0, helmet=["MMM"])
    enter(game)
    roll(game, "W0 W0 M0 M0 M0")
    assert (game.phase, game.actor, legal(game)) == (Phase.ASK_SMOKE, 0, {"no", "retreat"})  # after his own
    load(game, MISS)
    do(game, "no")
    assert (game.phase, legal(game)) == (Phase.ASK_SMOKE, {"no", "retreat"})  # after the dragon's
    do(game, "retreat")
    assert (where(game, 0), game.phase) == (BESIDE, Phase.ACTION)
    assert not game.state.players[0].unconscious


@pytest.mark.rule("CHAR-75")
def test_others_may_not():
    game = lair(characters=("takeko", "daisuke"), weapon=["WWWMM"])
    enter(game)
    load(game, f"W0 W0 W0 M0 M0 {MISS}")
    do(game, "weapon(left)", "roll")
    assert game.phase == Phase.WEAPON


@pytest.mark.rule("CHAR-75", "DUEL-2")
def test_in_a_duel_it_is_giving_up():
    game = meeting(characters=("daisuke", "takeko"), weapons=("WWMM", "WWW"))
    call_duel(game)
    blow(game, "W0", "W0", "M0", "M0")
    do(game, "retreat")
    assert (game.phase, game.actor) == (Phase.STEAL, 1)
    assert not game.state.players[0].unconscious


# Grids and limits, compared with slow implementations


@pytest.mark.rule("CHAR-21", "CHAR-51", "CHAR-52", "CHAR-61", "WEAP-6", "INIT-1")
@pytest.mark.parametrize("name", ["masako", "takeko", "tomoe", "daisuke"])
def test_many_layouts_are_judged_as_by_a_slower_reading(name):
    luck, character = np.random.default_rng(2), Character[name.upper()]
    for size in [200] if INTERPRETED else [20_000] * 5:
        players = random_weapons(luck, size, character)
        found, wanted = judged(players), read_weapons(players)
        assert 0.05 < wanted["legal"].mean() < 0.9
        layouts = np.bitwise_or.reduce(players["gear"]["cubes"][:, Gear.WEAPON], axis=1)
        for field in wanted.dtype.names:
            wrong = np.flatnonzero((found[field] != wanted[field]).reshape(size, -1).any(axis=1))
            assert not len(wrong), f"{field} of {rows_of(layouts[wrong[0]])}"
        for k in range(0, size, 97):
            monk = bool(players["monks"][k, 2])
            assert bool(wanted["legal"][k]) == is_weapon_of_bits(int(layouts[k]), monk, character)


@pytest.mark.rule("CHAR-21", "CHAR-52", "CHAR-61")
@pytest.mark.parametrize("name", ["masako", "takeko", "tomoe"])
def test_cube_by_cube_all_legal_layouts_of_a_character_are_reached_and_no_others(name):
    character = Character[name.upper()]
    rows, spread = (2, (3, 7)) if INTERPRETED else (3, (6, 10) if name == "masako" else (3, 8))
    cells = [row * WIDTH + column for row in range(rows) for column in range(*spread)]
    sets = np.arange(1 << len(cells))
    layouts = np.bitwise_or.reduce([(sets >> k & 1) << cell for k, cell in enumerate(cells)])
    reached = integers(sets * 0)
    reach_weapons(players_with(layouts[:1], character=character), integers(cells), reached)
    for some in np.array_split(sets, 1 + len(sets) // 20_000):
        assert (reached[some] == read_weapons(players_with(layouts[some], character=character))["legal"]).all()


@pytest.mark.rule("CHAR-52", "CHAR-61", "WEAP-6")
@pytest.mark.parametrize(
    ("name", "weapon"),
    [
        ("takeko", ["WW.M"]),
        ("takeko", ["WWMM..MW"]),
        ("tomoe", ["...WWW"]),
        ("tomoe", ["...WWMM", "....M"]),
        ("masako", ["WWM...MMWW", "....W"]),
    ],
)
def test_a_repair_leaves_what_some_order_of_removals_meets_as_its_first_legal_layout(name, weapon):
    game = alone(name)
    put_gear(game, 0, weapon=weapon)
    mend(game)
    assert game.phase == Phase.REPAIR
    wanted = first_legal(weapon_cells(game), Character[name.upper()])
    found, seen, todo = set(), set(), [game]
    while todo:
        one = todo.pop()
        for action in one.legal_actions():
            after = one.clone()
            after.step(action)
            cells = weapon_cells(after)
            if after.phase != Phase.REPAIR:
                found.add(cells)
            elif cells not in seen:  # what is left does not remember the order of removals
                todo.append(after)
            seen.add(cells)
    assert found == wanted


def weapon_cells(game):
    return int(np.bitwise_or.reduce(game.state.players[0].gear[Gear.WEAPON].cubes))


def first_legal(cells, character):
    if is_weapon_of_bits(cells, False, character):
        return {cells}
    return set().union(*(first_legal(cells & ~(1 << cell), character) for cell in members(cells)))


# Seen from outside


@pytest.mark.parametrize("name", CHARACTERS)
def test_a_position_comes_back_and_shows_the_character(name):
    game = alone(name)
    text = game.to_json()
    assert f'"character": "{name}"' in text
    again = Game.from_json(text)
    assert (again.digest(), again.rules) == (game.digest(), game.rules)
    assert f"Player 0, {name} (" in str(game)
    assert name in game._repr_svg_()
    seen = game.observe(1)["players"][:, columns("players")["character"]].ravel().tolist()
    assert seen[:2] == [Character[OTHER[name].upper()], Character[name.upper()]]


@pytest.mark.parametrize("name", CHARACTERS)
def test_grids_are_drawn_as_the_board_has_them(name):
    game, board = alone(name), BOARDS[Character[name.upper()]]
    helmet, weapon, sandals = (gear.rows for gear in look(game).players[0].gear)
    assert (len(helmet), len(helmet[0])) == board.helmet
    assert (len(weapon), len(weapon[0])) == (5, 5 + board.right_columns)
    assert len(sandals[0]) == board.sandals
    assert ("x" in "".join(weapon)) == (not board.right_part_open)


def test_positions_written_by_hand_need_only_name_the_characters():
    game = Game.from_json('{"version": 1, "players": [{"character": "yoshihiro"}, {"character": "daisuke"}]}')
    assert game.rules.characters == ("yoshihiro", "daisuke")
    assert [int(me.pool) for me in game.state.players[:2]] == [4, 3]
    assert int(game.state.players[0].colour) == COLOURS.index("red") + 1


WRONG = [
    ('{"character": "takeko", "gear": {"weapon": ["WW.M"]}}', r"weapons of Takeko, at most one \(CHAR-52\)"),
    ('{"character": "masako", "colour": "red"}', r"masako has the colour pink \(SETUP-12\)"),
    ('{"character": "masako", "monks": ["weapon"]}', r"no room for 1 at weapon \(MONK-2\)"),
    ('{"character": "masako", "discs": {"pool": 4}}', r"4 discs instead of 3 \(MONK-2\)"),
    ('{"character": "godzilla"}', r"no character is called 'godzilla'"),
    ('{"character": "daisuke"}', r"there is only one daisuke"),
    ('{"character": "masatsura", "pack": {"wood": 16}}', r"1 more things than it has slots for \(PACK-1\)"),
    ('{"character": "yoshihiro", "gear": {"helmet": ["....", "....", "W"]}}', r"cubes outside the open grid"),
    ("{}", r"all players have asymmetric boards, or none"),
]


@pytest.mark.parametrize(("player", "says"), WRONG)
def test_positions_that_break_a_characters_rule_are_refused(player, says):
    with pytest.raises(PositionError, match=says):
        Game.from_json(f'{{"version": 1, "players": [{{"character": "daisuke"}}, {player}]}}')


def test_tomoe_breaks_rules_of_her_own():
    game = cast("tomoe", "takeko")
    put_gear(game, 0, weapon=["....WW"])
    with pytest.raises(PositionError, match=r"a two-handed weapon of Tomoe \(CHAR-61\)"):
        Game.from_json(game.to_json())


def rolling_with_sandals():
    """Tomoe's sandals are about to lose a cube."""
    game = cast("tomoe", "takeko")
    lay(game, "ring1.1", "azure_burrow")
    put_gear(game, 0, weapon=["WWMMM"], sandals=["WWM"])
    do(game, "move", "step(ring1.1/petal4)")
    if game.phase == Phase.JOIN:
        do(game, "no")
    load(game, MISS)
    do(game, "no")
    load(game, "W1* W0 M0")
    do(game, "weapon(sandals)", "roll")
    return game


def crafting_after_an_action(*more):
    game = alone("yoshihiro")
    do(game, "move", "done", *more)
    return game


def crafting_sandals_too(*more):
    game = alone("masako")
    put_pack(game, 0, metal=3)
    do(game, "move", "done", "rest", "craft(helmet)", *more)
    return game


def retreating():
    game = cast("daisuke", "takeko")
    lay(game, "ring1.1", "azure_burrow")
    put_gear(game, 0, weapon=["WWMMM"], helmet=["MMM"])
    put(game, 1, "temple0")
    do(game, "move")
    load(game, MISS)
    do(game, "step(ring1.1/petal4)")
    while game.phase == Phase.WEAPON:
        load(game, "W0 W0 M0 M0 M0")
        do(game, "weapon(left)", "roll")
    return game


def before_the_theft(*more):
    """Daisuke sneaks past a samurai beside the start tile."""
    game = cast("daisuke", "takeko")
    lay(game, "ring1.0", "mossy_gate")
    put(game, 1, HERE)
    do(game, "move", "use(sneak)", *more)
    return game


@pytest.mark.parametrize(
    ("made", "phase"),
    [
        (choosing_a_first_scroll, Phase.SETUP_SCROLL),
        (landing_after_a_jump, Phase.JUMP),
        (robbing_a_samurai, Phase.THEFT),
        (rolling_with_sandals, Phase.BREAK),
        (retreating, Phase.ASK_SMOKE),
        (before_the_theft, Phase.MOVE),
        (lambda: before_the_theft(f"step({HERE})"), Phase.MOVE),
        (crafting_after_an_action, Phase.REST),
        (lambda: crafting_after_an_action("craft(weapon)"), Phase.CRAFT_WAY),
        (lambda: crafting_after_an_action("craft(weapon)", "rebuild"), Phase.CRAFT_LAY),
        (lambda: crafting_after_an_action("done", "move"), Phase.MOVE),
        (crafting_sandals_too, Phase.CRAFT_WAY),
        (lambda: crafting_sandals_too("add", "done"), Phase.REST),
        (lambda: begin("masatsura", "takeko"), Phase.SETUP_CUBES),
        (lambda: begin("tomoe", "takeko"), Phase.SETUP_CUBES),
    ],
)
def test_questions_of_characters_come_back_from_json(made, phase):
    game = made()
    assert game.phase == phase
    check(game)
    again = Game.from_json(game.to_json())
    assert again.digest() == game.digest()
    assert (again.legal_mask() == game.legal_mask()).all()
    assert str(again) == str(game)


@pytest.mark.slow
def test_generated_games_of_characters_come_back_from_json():
    rules = Rules(players=4, characters=("daisuke", "mitsuhide", "tomoe", "yoshihiro"), max_rounds=9)
    for seed in range(2 if INTERPRETED else 8):
        for number, game in enumerate(play(midgame(rules, seed), seed)):
            if number == 30 or game.over:
                break
            again = Game.from_json(game.to_json())
            assert again.digest() == game.digest()
            assert (again.legal_mask() == game.legal_mask()).all()


# Frames that only one character can have, in positions of another: how to make one, the other character, the rule.
@pytest.mark.parametrize(
    ("made", "other", "says"),
    [
        (landing_after_a_jump, "masatsura", r"only Mitsuhide jumps \(CHAR-43\)"),
        (before_the_theft, "masatsura", r"only Daisuke sneaks and steals \(CHAR-72\)"),
        (crafting_after_an_action, "tomoe", r"only Yoshihiro crafts after an action \(CHAR-12\)"),
        (lambda: crafting_sandals_too("add", "done"), "tomoe", r"only Masako crafts sandals .*\(CHAR-23\)"),
    ],
)
def test_questions_of_another_character_are_refused(made, other, says):
    game = made()
    position = json.loads(game.to_json())
    position["rules"]["characters"][0] = position["players"][0]["character"] = other
    position["players"][0].pop("colour", None)
    with pytest.raises(PositionError) as caught:
        Game.from_json(json.dumps(position))
    assert any(re.search(says, line) for line in caught.value.faults)


def test_whole_games_of_all_characters_keep_all_invariants():
    for seed, names in enumerate(pairwise((*CHARACTERS, CHARACTERS[0]))):
        for game in play(fresh(2, seed, characters=names, max_rounds=2 if INTERPRETED else 8), seed):
            check(game)

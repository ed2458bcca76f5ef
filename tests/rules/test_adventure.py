"""ADV: adventure tokens, gathered and used once; each kind with and without the token."""

import pytest

from fujikoro_env.content.model import ADVENTURE_POWERS
from fujikoro_env.rules.base.names import Supply, Terrain
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS
from tests.helpers.endgame import (
    BESIDE,
    BEYOND,
    MISS,
    STEP_APART,
    attack_dragon,
    dragon_damage,
    give_tokens,
    in_duel,
    lava_tiles,
    own_blueprint,
    put_lava_tile,
    send_out,
    steps,
    strike,
    tokens_of,
)
from tests.helpers.fights import lair
from tests.helpers.gear import magic_of, meeting, put_card
from tests.helpers.powers import AROUND, mapping, on_plain_tiles, one_tile_laid, over_lava, with_and_without
from tests.helpers.tables import (
    do,
    end_turn,
    explore,
    explored,
    gear_of,
    give_turn,
    lay,
    legal,
    pack_of,
    put,
    put_dragon,
    put_gear,
    put_lava,
    put_pack,
    put_scrolls,
    space,
    table,
    where,
)

# Gathering


def at_token(kind="harpoon", **setting):
    """Player 0 stands on the adventure space of the tile bamboo_hollow."""
    game = table(**setting)
    lay(game, "ring1.0", "bamboo_hollow", adventures=[kind])
    put(game, 0, BESIDE)
    return game


@pytest.mark.rule("GATH-10", "ADV-1")
@pytest.mark.parametrize("kind", ADVENTURE_POWERS)
def test_a_token_is_taken_with_a_gather_action(kind):
    game = at_token(kind)
    do(game, "gather", "find(adventure)")
    assert tokens_of(game, 0) == [kind]
    assert game.state.adventure[space(BESIDE)] == 0
    assert game.state.players[0].fields.tolist() == [0, 0, 1]
    assert "gather" not in legal(game)


@pytest.mark.rule("ADV-1", "PACK-1")
def test_it_needs_no_slot_of_the_pack():
    game = at_token()
    put_pack(game, 0, monks=6)
    do(game, "gather", "find(adventure)")
    assert tokens_of(game, 0) == ["harpoon"]


@pytest.mark.rule("GATH-10", "SETUP-11")
def test_without_the_option_there_are_no_tokens():
    game = table(adventure_tokens=False)
    lay(game, "ring1.0", "bamboo_hollow")
    put(game, 0, BESIDE)
    assert not game.state.adventure.any()
    assert "gather" not in legal(game)


@pytest.mark.rule("ADV-1")
def test_there_are_20_tokens_two_of_each_kind():
    assert table().state.adventures_left.tolist() == [2] * 10


@pytest.mark.rule("ADV-1")
def test_a_token_is_used_once_and_then_gone():
    game = on_plain_tiles("sake_gourd", "sake_gourd")
    for left in (1, 0):
        do(game, "move", "done", "use(sake_gourd)")
        assert tokens_of(game, 0) == ["sake_gourd"] * left
        assert game.state.adventures_gone[ADVENTURE_POWERS.index("sake_gourd")] == 2 - left
        do(game, "move", "done")
        end_turn(game)
    assert legal(game, "use") == set()


@pytest.mark.rule("ADV-3")
def test_tokens_of_the_choice_of_an_action_cost_none_and_may_be_used_at_either():
    game = on_plain_tiles("merchant_crate", "merchant_crate")
    do(game, "use(merchant_crate)", "done")
    assert game.phase == Phase.ACTION
    do(game, "move", "done", "use(merchant_crate)", "done")
    assert (game.actor, game.phase, game.state.players[0].pool) == (0, Phase.ACTION, 2)


@pytest.mark.rule("ADV-3")
def test_nobody_uses_anothers_token_or_acts_on_anothers_turn():
    game = on_plain_tiles()
    give_tokens(game, 1, "merchant_crate")
    assert legal(game, "use") == set()
    end_turn(game)
    assert (game.actor, legal(game, "use")) == (1, {"use(merchant_crate)"})


@pytest.mark.rule("ADV-3")
def test_tokens_of_other_moments_are_not_offered_with_the_actions():
    game = on_plain_tiles("omamori_of_fire", "ancient_map", "gunbai", "smoke_bomb")
    put_lava(game, BESIDE)
    assert legal(game, "use") == set()


# omamori_of_fire


OMAMORI = "use(omamori_of_fire)"


@pytest.mark.rule("ADV-2")
@with_and_without("omamori_of_fire")
def test_omamori_one_lava_step_without_sandals(tokens):
    game = over_lava(*tokens)
    do(game, "move")
    assert (OMAMORI in legal(game)) == bool(tokens)
    assert BESIDE not in steps(game)
    if tokens:
        do(game, OMAMORI)
        assert legal(game, "use") == set()
        do(game, f"step({BESIDE})")
        assert "done" not in legal(game)  # a move never ends on lava
        assert "ring1.0/petal2" not in steps(game)  # one step
        do(game, "step(ring1.0/centre)", "done")
        assert where(game, 0) == "ring1.0/centre"


@pytest.mark.rule("ADV-2")
@with_and_without("omamori_of_fire")
def test_omamori_the_step_costs_no_sandals_but_the_next_does(tokens):
    game = over_lava(*tokens, sandals="MMW")  # worth one lava space, and a third step
    do(game, "move")
    if tokens:
        do(game, OMAMORI)
    do(game, f"step({BESIDE})")
    assert ("ring1.0/petal2" in steps(game)) == bool(tokens)
    do(game, "step(ring1.0/petal2)" if tokens else "step(ring1.0/centre)", "step(ring1.0/petal1)", "done")
    assert gear_of(game, 0, "sandals") == []


@pytest.mark.rule("ADV-2")
def test_omamori_alone_costs_no_sandals():
    game = over_lava("omamori_of_fire", sandals="MMW")
    do(game, "move", OMAMORI, f"step({BESIDE})", "step(start)", "done")
    assert gear_of(game, 0, "sandals") == ["MMW"]


@pytest.mark.rule("ADV-2")
def test_omamori_may_be_used_in_mid_move_and_twice():
    game = over_lava("omamori_of_fire", "omamori_of_fire", sandals="WWW")
    do(game, "move", OMAMORI, f"step({BESIDE})", OMAMORI, "step(ring1.0/petal2)", "step(ring1.0/petal1)", "done")
    assert gear_of(game, 0, "sandals") == ["WWW"]


@pytest.mark.rule("ADV-2")
def test_omamori_only_if_a_lava_step_then_is_legal():
    game = on_plain_tiles("omamori_of_fire")
    do(game, "move")
    assert legal(game, "use") == set()  # no lava beside
    put_lava(game, BESIDE)
    assert legal(game, "use") == {OMAMORI}
    put_dragon(game, "ring1.0")
    assert legal(game, "use") == set()  # a dragon's tile is not entered on lava
    game.state.dragon_at[:] = 0
    do(game, "step(ring1.0/petal4)")
    put_lava(game, "ring1.0/centre")
    assert legal(game, "use") == set()  # no step is left to get off the lava


@pytest.mark.rule("ADV-2", "GEAR-6")
def test_omamori_not_on_the_step_of_a_sandals_card():
    game = on_plain_tiles("omamori_of_fire")
    put_lava(game, BESIDE)
    put_card(game, 0, "sandals", "move")
    do(game, "move", "bonus")
    assert legal(game, "use") == set()


@pytest.mark.rule("ADV-2")
def test_omamori_is_for_this_move():
    game = over_lava("omamori_of_fire")
    do(game, "move", OMAMORI, "done", "move")
    assert BESIDE not in steps(game)


# ancient_map


@pytest.mark.rule("ADV-2")
@with_and_without("ancient_map")
def test_the_map_lays_up_to_two_more_tiles_beside_the_first(tokens):
    game = one_tile_laid(*tokens)
    if not tokens:
        assert game.phase == Phase.ACTION
        return
    assert legal(game) == {"use(ancient_map)", "done"}
    do(game, "use(ancient_map)")
    assert tokens_of(game, 0) == []
    assert legal(game) == {"done", *(f"place({name})" for name in AROUND)}
    do(game, "place(ring3.1)", "turn(0)", "place(ring2.1)", "turn(0)")
    assert legal(game) == {"done"}
    do(game, "done")
    assert explored(game) == {"ring2.0", "ring3.1", "ring2.1"}
    assert game.scores == (1 + 2 + 1, 0)
    assert game.phase == Phase.ACTION


@pytest.mark.rule("ADV-2")
def test_the_map_refreshes_around_each_tile():
    game = table()
    lay(game, "ring2.1", "basalt_stairs", squares=["fallen_cedar"])
    give_tokens(game, 0, "ancient_map")
    put(game, 0, "temple0")
    explore(game, "ring2.0", "hidden_stair")
    game.state.face_up[:] = 0
    do(game, "use(ancient_map)", "place(ring3.1)", "turn(0)")
    assert game.state.face_up[space("ring2.1/centre")] == 1


@pytest.mark.rule("ADV-2")
def test_the_map_may_be_kept():
    game = one_tile_laid("ancient_map")
    do(game, "done")
    assert tokens_of(game, 0) == ["ancient_map"]
    assert explored(game) == {"ring2.0"}


@pytest.mark.rule("ADV-3")
def test_the_map_is_not_offered_without_a_tile_to_lay():
    game = one_tile_laid("ancient_map")
    game.state.tiles_left[:] = 0
    assert legal(game) == {"done"}


@pytest.mark.rule("ADV-3")
def test_never_both_the_map_and_the_cartographer_in_one_explore():
    game = mapping("ancient_map", "ancient_map")
    put_scrolls(game, 0, "cartographer")
    explore(game, "ring2.0", "basalt_stairs")
    assert legal(game, "use") == set()
    do(game, "place(ring1.0)", "turn(0)", "place(ring2.1)", "turn(0)")
    assert legal(game) == {"done"}


@pytest.mark.rule("ADV-3")
def test_one_map_for_one_explore():
    game = one_tile_laid("ancient_map", "ancient_map")
    do(game, "use(ancient_map)", "place(ring1.0)", "turn(0)", "place(ring2.1)", "turn(0)")
    assert legal(game) == {"done"}


# sashimono


def banner(*tokens, players=3, active=0):
    """The others stand on the tile beside the start, conscious and apart."""
    game = on_plain_tiles(places=("ring1.0", "ring1.1"), players=players)
    give_tokens(game, active, *tokens)
    for other in range(players):
        put(game, other, "ring1.0/centre" if other != active else "temple0")
    give_turn(game, active)
    return game


SASHIMONO = "use(sashimono)"


@pytest.mark.rule("ADV-2")
@with_and_without("sashimono")
def test_sashimono_moves_others_by_one_space(tokens):
    game = banner(*tokens)
    assert (SASHIMONO in legal(game)) == bool(tokens)
    if tokens:
        do(game, SASHIMONO)
        assert (game.phase, game.actor) == (Phase.MOVE_OTHER, 0)
        assert legal(game) == {"done", *(f"step(ring1.0/petal{k})" for k in range(6))}
        do(game, f"step({BESIDE})")
        assert (game.phase, game.actor, legal(game)) == (Phase.CONSENT, 1, {"yes", "no"})
        assert where(game, 1) == "ring1.0/centre"
        do(game, "yes")
        assert where(game, 1) == BESIDE
        do(game, "done")
        assert (game.actor, game.phase) == (0, Phase.ACTION)
        assert where(game, 2) == "ring1.0/centre"


@pytest.mark.rule("ADV-2")
def test_sashimono_needs_the_owners_consent():
    game = banner("sashimono")
    do(game, SASHIMONO, f"step({BESIDE})", "no")
    assert where(game, 1) == "ring1.0/centre"
    do(game, f"step({BESIDE})", "yes")
    assert where(game, 2) == BESIDE


@pytest.mark.rule("ADV-3")
def test_sashimono_asks_for_each_other_in_player_order():
    game = banner("sashimono", players=4, active=2)
    for other in (0, 1):
        put(game, other, "ring1.0/centre")
    put(game, 3, "ring1.1/centre")
    do(game, SASHIMONO)
    asked = []
    for cell in ("ring1.1/petal0", "ring1.0/petal0", "ring1.0/petal1"):
        do(game, f"step({cell})")
        asked.append(game.actor)
        do(game, "yes")
    assert asked == [3, 0, 1]
    assert (game.actor, game.phase) == (2, Phase.ACTION)


@pytest.mark.rule("ADV-3")
def test_sashimono_passes_over_the_unconscious_and_those_outside():
    game = banner("sashimono", players=4)
    game.state.players[1].unconscious = 1
    send_out(game, 2)
    do(game, SASHIMONO, f"step({BESIDE})")
    assert game.actor == 3
    do(game, "no")
    game.state.players[3].unconscious = 1
    give_tokens(game, 0, "sashimono")
    assert SASHIMONO not in legal(game)


@pytest.mark.rule("ADV-3", "MAP-11")
def test_sashimono_never_moves_onto_lava_a_full_space_or_a_dragons_tile():
    game = banner("sashimono", players=4)
    put(game, 1, BESIDE)
    put_lava(game, "ring1.0/petal4")
    put_dragon(game, "ring1.1")
    for other in (2, 3):
        put(game, other, "ring1.0/petal2")
    do(game, SASHIMONO)
    assert steps(game) == {"start", "ring1.0/centre"}


@pytest.mark.rule("ADV-3")
def test_sashimono_needs_somebody_that_has_a_space_to_go_to():
    game = banner("sashimono", players=2)
    put(game, 1, "temple1")
    assert SASHIMONO not in legal(game)


@pytest.mark.rule("ADV-2")
def test_sashimono_starts_no_fight():
    game = banner("sashimono")
    put(game, 2, BESIDE)
    do(game, SASHIMONO, f"step({BESIDE})", "yes", "done")
    assert (game.actor, game.phase) == (0, Phase.ACTION)
    assert where(game, 1) == where(game, 2)


@pytest.mark.rule("ADV-2", "DRAG-2")
def test_sashimono_brings_samurai_to_where_they_may_join_a_fight():
    game = banner("sashimono", players=2)
    put_dragon(game, "ring1.1")
    put(game, 0, "start")
    do(game, SASHIMONO, "step(ring1.0/petal2)", "yes")
    game.load_dice(MISS)
    do(game, "move", f"step({BEYOND})")
    assert (game.phase, game.actor) == (Phase.JOIN, 1)


# gunbai


def hit_by_dragon(*dice, holders=(), players=2):
    """The dragon will roll these dice against player 0 and those who join; the others are asked now."""
    game = lair(players=players)
    for player in holders:
        give_tokens(game, player, "gunbai")
    for other in range(1, players):
        put(game, other, "start")
    for player in range(players):
        put_gear(game, player, helmet=["WWWW", "WWWW"])
    game.load_dice(dice)
    do(game, "move", f"step({BEYOND})")
    return game


def harm(game, player):
    """Number of cubes that a helmet of 8 wood loses; players who are asked pay with it."""
    while game.phase in (Phase.PAY, Phase.TAKE):
        do(game, "done" if game.phase == Phase.TAKE else min(legal(game)))
    return 8 - sum(line.count("W") for line in gear_of(game, player, "helmet"))


GUNBAI = "use(gunbai)"


@pytest.mark.rule("ADV-2")
@pytest.mark.parametrize("holders", [(0,), ()])
def test_gunbai_the_hits_of_a_dragons_breaking_dice_do_not_count(holders):
    game = hit_by_dragon("T3*", "T1", "T3*", holders=holders)
    do(game, "no")
    if holders:
        assert (game.phase, game.actor, legal(game)) == (Phase.ASK_GUNBAI, 0, {GUNBAI, "no"})
        do(game, GUNBAI)
        assert tokens_of(game, 0) == []
    assert (game.phase, legal(game, "take")) == (Phase.TAKE, {"take(tooth)", "take(all)"})  # the breakage stays
    assert harm(game, 0) == (1 if holders else 7)


@pytest.mark.rule("ADV-2")
def test_gunbai_may_be_kept():
    game = hit_by_dragon("T3*", "T1", "T0", holders=(0,))
    do(game, "no", "no")
    assert harm(game, 0) == 4
    assert tokens_of(game, 0) == ["gunbai"]


@pytest.mark.rule("ADV-3")
def test_gunbai_is_not_asked_without_hits_on_breaking_dice():
    game = hit_by_dragon("T2", "T1", "T2", holders=(0,))
    do(game, "no")
    assert game.phase == Phase.PAY


@pytest.mark.rule("ADV-3")
def test_gunbai_helps_all_and_the_first_use_ends_the_asking():
    game = hit_by_dragon("T3*", "T1", "T0", holders=(0, 1, 2), players=4)
    do(game, "step(ring1.1/petal4)", "step(ring1.1/petal4)", "no")
    assert (game.phase, game.actor) == (Phase.ASK_GUNBAI, 0)
    do(game, "no")
    assert (game.phase, game.actor) == (Phase.ASK_GUNBAI, 1)
    do(game, GUNBAI)
    assert game.phase == Phase.TAKE
    assert [harm(game, p) for p in (0, 1, 2)] == [1, 1, 1]
    assert [tokens_of(game, p) for p in range(3)] == [["gunbai"], [], ["gunbai"]]


@pytest.mark.rule("ADV-3")
def test_gunbai_of_those_who_are_in_the_fight_alone():
    game = hit_by_dragon("T3*", "T1", "T0", holders=(1,))
    do(game, "no")
    assert game.phase == Phase.TAKE


@pytest.mark.rule("ADV-2")
@pytest.mark.parametrize("holder", [0, 1, None])
def test_gunbai_against_a_duel_opponents_roll(holder):
    game = meeting(at=STEP_APART)
    for player in (0, 1):
        put_gear(game, player, helmet=["WWWW"], weapon=["WWWM"])
    if holder is not None:
        give_tokens(game, holder, "gunbai")
    in_duel("W1*", "W1", "W0", "M0", game=game)
    strike(game)  # the defender comes first, and the holder of a gunbai has no use for it against its own roll
    do(game, "cell(weapon[0,0])")
    assert (game.phase == Phase.ASK_GUNBAI) == (holder == 0)
    if holder == 0:
        assert game.actor == 0
        do(game, GUNBAI)
    assert gear_of(game, 1, "weapon") == [".WWM"]  # the breakage stays
    do(game, "cell(helmet[0,0])")
    if holder != 0:
        do(game, "cell(helmet[0,1])")
    assert game.phase == Phase.WEAPON


# rain_jar


@pytest.mark.rule("ADV-2")
@with_and_without("rain_jar")
def test_rain_jar_takes_a_lava_tile_off_an_adjacent_space(tokens):
    game = on_plain_tiles(*tokens)
    put_lava_tile(game, BESIDE, BEYOND, "ring1.0/centre")  # the last is not adjacent
    assert ("use(rain_jar)" in legal(game)) == bool(tokens)
    if tokens:
        lava = game.state.supply[Supply.LAVA]
        do(game, "use(rain_jar)")
        assert legal(game) == {f"step({BESIDE})", f"step({BEYOND})"}
        do(game, f"step({BEYOND})")
        assert lava_tiles(game) == {BESIDE, "ring1.0/centre"}
        assert game.state.terrain[space(BEYOND)] == Terrain.GROUND
        assert game.state.supply[Supply.LAVA] == lava + 1
        assert game.phase == Phase.ACTION


@pytest.mark.rule("ADV-2")
def test_rain_jar_not_lava_from_the_start_nor_far_away():
    game = on_plain_tiles("rain_jar")
    put_lava(game, BESIDE)
    put_lava_tile(game, "ring1.0/centre")
    assert legal(game, "use") == set()


@pytest.mark.rule("LAVA-4")
def test_rain_jar_uncovers_what_lies_there():
    game = on_plain_tiles("rain_jar")
    game.state.monk[space(BESIDE)] = 1
    put_lava_tile(game, BESIDE)
    do(game, "use(rain_jar)", f"step({BESIDE})", "move", f"step({BESIDE})", "done", "gather")
    assert legal(game) == {"find(monk)"}


# sake_gourd, whetstone, merchant_crate


@pytest.mark.rule("ADV-3")
@with_and_without("sake_gourd")
def test_sake_gourd_takes_the_discs_back_without_resting(tokens):
    game = on_plain_tiles(*tokens)
    game.state.players[0].pool = 0
    game.state.players[0].fields[:] = 1, 0, 2
    assert legal(game) == {"rest", *(f"use({token})" for token in tokens)}
    if tokens:
        do(game, "use(sake_gourd)")
        assert (game.state.players[0].pool, game.state.players[0].fields.tolist()) == (3, [0, 0, 0])
        assert (game.phase, game.actor) == (Phase.ACTION, 0)
        do(game, "move", "done")
        assert game.actor == 0  # it was no action


@pytest.mark.rule("ADV-3")
def test_sake_gourd_with_a_disc_on_a_field():
    game = on_plain_tiles("sake_gourd")
    assert legal(game, "use") == set()


@pytest.mark.rule("ADV-3")
@with_and_without("whetstone")
def test_whetstone_crafts_one_type_of_gear_now(tokens):
    game = on_plain_tiles(*tokens)
    put_pack(game, 0, wood=2)
    assert ("use(whetstone)" in legal(game)) == bool(tokens)
    if tokens:
        do(game, "use(whetstone)")
        assert legal(game) == {"craft(helmet)", "craft(weapon)", "craft(sandals)"}
        do(game, "craft(helmet)", "add", "lay(wood, helmet[0,0])", "done")
        assert gear_of(game, 0, "helmet") == ["W"]
        assert (game.phase, game.actor, game.state.players[0].pool) == (Phase.ACTION, 0, 3)


@pytest.mark.rule("ADV-3", "CRAFT-2")
def test_whetstone_makes_waste():
    game = on_plain_tiles("whetstone")
    do(game, "use(whetstone)", "craft(weapon)", "rebuild", "done")
    assert game.phase == Phase.WASTE


@pytest.mark.rule("ADV-3")
def test_whetstone_is_one_craft_even_with_a_twin_forge():
    game = on_plain_tiles("whetstone")
    put_scrolls(game, 0, "twin_forge")
    put_pack(game, 0, wood=2)
    do(game, "use(whetstone)", "craft(helmet)", "add", "lay(wood, helmet[0,0])", "done")
    assert game.phase == Phase.ACTION


@pytest.mark.rule("ADV-3")
def test_whetstone_needs_something_to_craft():
    game = on_plain_tiles("whetstone")
    put_gear(game, 0, weapon=[])
    assert legal(game, "use") == set()
    for gear in ("helmet", "weapon", "sandals"):
        put_gear(game, 0, **{gear: ["W"]})
        assert legal(game, "use") == {"use(whetstone)"}
        put_gear(game, 0, **{gear: []})


@pytest.mark.rule("MAGIC-7")
def test_whetstone_counts_as_an_actions_end_for_magic():
    game = on_plain_tiles("whetstone")
    own_blueprint(game, 0, "sandals")
    put_gear(game, 0, sandals=["MT"])
    put_pack(game, 0, metal=1)
    do(game, "use(whetstone)", "craft(sandals)", "add", "lay(metal, sandals[0,2])", "done")
    assert game.phase == Phase.ACTION
    assert magic_of(game, 0) == {"sandals": 1}


@pytest.mark.rule("GEAR-1")
def test_whetstone_claims_no_gear_card_until_the_next_rest():
    game = on_plain_tiles("whetstone")
    shown = game.vocabulary.gear_card(2 * CARD_SLOTS)
    pattern = next(card.patterns[0] for card in game.rules.pack.gear_cards if card.id == shown)
    put_gear(game, 0, sandals=list(pattern))
    put_pack(game, 0, wood=1)
    do(game, "use(whetstone)", "craft(helmet)", "add", "lay(wood, helmet[0,0])", "done")
    assert game.phase == Phase.ACTION
    do(game, "move", "done", "rest", "done")
    assert legal(game) == {f"card({shown})"}


@pytest.mark.rule("ADV-3")
@with_and_without("merchant_crate")
def test_merchant_crate_gives_two_resources_but_no_tooth(tokens):
    game = on_plain_tiles(*tokens)
    assert ("use(merchant_crate)" in legal(game)) == bool(tokens)
    if tokens:
        do(game, "use(merchant_crate)")
        assert legal(game) == {"take(wood)", "take(metal)", "done"}
        do(game, "take(metal)")
        assert legal(game) == {"take(wood)", "take(metal)", "done"}
        do(game, "take(metal)")
        assert pack_of(game, 0) == {"metal": 2}
        assert (game.phase, game.actor) == (Phase.ACTION, 0)


@pytest.mark.rule("ADV-3", "PACK-2")
def test_merchant_crate_room_is_made_by_throwing_away():
    game = on_plain_tiles("merchant_crate")
    put_pack(game, 0, tooth=6)
    do(game, "use(merchant_crate)")
    assert legal(game) == {"throw(tooth)", "done"}
    do(game, "throw(tooth)", "take(wood)", "done")
    assert pack_of(game, 0) == {"wood": 1, "tooth": 5}


@pytest.mark.rule("ADV-3", "PACK-4")
def test_merchant_crate_needs_room_and_a_supply():
    game = on_plain_tiles("merchant_crate")
    put_pack(game, 0, monks=6)
    assert legal(game, "use") == set()
    put_pack(game, 0)
    game.state.supply[Supply.METAL] = 0
    assert legal(game, "use") != set()
    game.state.supply[Supply.WOOD] = 0
    assert legal(game, "use") == set()
    game.state.supply[Supply.METAL] = 1
    do(game, "use(merchant_crate)", "take(metal)")
    assert game.phase == Phase.ACTION


# harpoon


def with_harpoon(*tokens, at=BESIDE, dragon="rain_whelp"):
    game = lair(dragon)
    give_tokens(game, 0, *tokens)
    put(game, 0, at)
    return game


@pytest.mark.rule("ADV-3")
@with_and_without("harpoon")
def test_harpoon_two_permanent_damage_to_a_dragon_on_an_adjacent_tile(tokens):
    game = with_harpoon(*tokens, at="ring1.0/petal0")  # its tile, not its space, is adjacent
    assert (legal(game, "use") == {"use(harpoon)"}) == bool(tokens)
    if tokens:
        damage = game.state.supply[Supply.DAMAGE]
        do(game, "use(harpoon)", "place(ring1.1)")
        assert dragon_damage(game) == 2
        assert game.state.supply[Supply.DAMAGE] == damage - 2
        assert (game.phase, game.state.players[0].pool) == (Phase.ACTION, 3)


@pytest.mark.rule("ADV-3")
@pytest.mark.parametrize(("at", "may"), [("start", True), ("temple0", False), ("ring1.3/centre", False)])
def test_harpoon_reaches_no_farther(at, may):
    assert (legal(with_harpoon("harpoon", at=at), "use") != set()) == may


@pytest.mark.rule("ADV-3")
def test_harpoon_chooses_among_dragons():
    game = with_harpoon("harpoon", at="start")
    put_dragon(game, "ring1.0", "tide_whelp")
    do(game, "use(harpoon)")
    assert legal(game) == {"place(ring1.0)", "place(ring1.1)"}
    do(game, "place(ring1.0)")
    assert (dragon_damage(game), dragon_damage(game, "tide_whelp")) == (0, 2)


@pytest.mark.rule("DRAG-9")
@pytest.mark.parametrize(("before", "tokens_left", "dealt"), [(4, 9, 1), (3, 9, 2), (0, 1, 1)])
def test_harpoon_deals_what_leaves_1_health_and_what_tokens_there_are(before, tokens_left, dealt):
    game = with_harpoon("harpoon")
    game.state.dragons[0].damage = before  # of 6 health
    game.state.supply[Supply.DAMAGE] = tokens_left
    do(game, "use(harpoon)", "place(ring1.1)")
    assert dragon_damage(game) == before + dealt
    assert game.state.supply[Supply.DAMAGE] == tokens_left - dealt


@pytest.mark.rule("DRAG-9")
@pytest.mark.parametrize(("damage", "tokens_left"), [(5, 9), (0, 0)])
def test_harpoon_is_not_offered_where_it_deals_nothing(damage, tokens_left):
    game = with_harpoon("harpoon")
    game.state.dragons[0].damage = damage
    game.state.supply[Supply.DAMAGE] = tokens_left
    assert legal(game, "use") == set()


@pytest.mark.rule("DRAG-7")
def test_harpoon_damage_counts_in_the_next_fight_and_its_tokens_come_back():
    game = with_harpoon("harpoon")
    damage = game.state.supply[Supply.DAMAGE]
    do(game, "use(harpoon)", "place(ring1.1)")
    put_gear(game, 0, weapon=["WWMMM"])
    attack_dragon(game, "W1", "W1", "M2", "M0", "M0")
    strike(game)
    assert game.scores == (5, 0)
    assert game.state.supply[Supply.DAMAGE] == damage


# smoke_bomb


SMOKE = "use(smoke_bomb)"


def smoking(*tokens, dice, weapon="WWMMM", helmet="WWWW"):
    """Player 0 comes first in its fight with a dragon."""
    game = lair()
    give_tokens(game, 0, *tokens)
    put_gear(game, 0, weapon=[weapon], helmet=[helmet])
    attack_dragon(game, *dice)
    return game


@pytest.mark.rule("ADV-3")
@with_and_without("smoke_bomb")
def test_smoke_bomb_leaves_a_fight_after_ones_own_roll(tokens):
    game = smoking(*tokens, dice=["W1", "W0", "M0", "M0", "M0"])
    strike(game)
    assert (game.phase == Phase.ASK_SMOKE) == bool(tokens)
    if tokens:
        assert legal(game) == {SMOKE, "no"}
        do(game, SMOKE)
        assert (where(game, 0), game.state.players[0].unconscious) == (BESIDE, 0)  # as a retreat
        assert (game.actor, game.phase, tokens_of(game, 0)) == (0, Phase.ACTION, [])
        assert game.state.dragon_at.any()


@pytest.mark.rule("ADV-3")
def test_smoke_bomb_after_the_dragons_roll_and_its_hits():
    game = smoking("smoke_bomb", dice=["W0", "W0", "M0", "M0", "M0", "T1", "T0", "T0"])
    strike(game)
    do(game, "no")
    assert game.phase == Phase.PAY
    do(game, "cell(helmet[0,0])")
    assert game.phase == Phase.ASK_SMOKE
    do(game, SMOKE)
    assert (where(game, 0), game.phase) == (BESIDE, Phase.ACTION)


@pytest.mark.rule("ADV-3")
def test_smoke_bomb_not_for_who_is_knocked_out():
    game = smoking("smoke_bomb", dice=["W0", "W0", "M0", "M0", "M0", "T2", "T2", "T2"])
    strike(game)
    do(game, "no")
    assert game.state.players[0].unconscious == 1
    assert (game.actor, tokens_of(game, 0)) == (1, ["smoke_bomb"])


@pytest.mark.rule("ADV-3")
def test_smoke_bomb_is_not_asked_when_the_dragon_is_beaten():
    game = smoking("smoke_bomb", dice=["W1", "W1", "M2", "M2", "M2"])
    strike(game)
    assert game.scores == (5, 0)
    assert game.phase == Phase.TAKE


@pytest.mark.rule("ADV-3")
def test_smoke_bomb_after_anothers_roll_too():
    game = lair(players=3)
    for player in (1, 2):
        put(game, player, "start")
        give_tokens(game, player, "smoke_bomb")
    put_gear(game, 0, weapon=["WWMMM"])
    attack_dragon(game, "W1", "W0", "M0", "M0", "M0")
    do(game, "step(ring1.1/petal4)", "step(ring1.1/petal4)")
    strike(game)
    assert (game.phase, game.actor) == (Phase.ASK_SMOKE, 1)
    do(game, SMOKE)
    assert where(game, 1) == "start"
    assert (game.phase, game.actor) == (Phase.ASK_SMOKE, 2)
    do(game, "no")
    assert where(game, 2) == "ring1.1/petal4"


@pytest.mark.rule("ADV-3", "DUEL-2")
@pytest.mark.parametrize("user", [0, 1])
def test_smoke_bomb_in_a_duel_is_giving_up(user):
    game = meeting(at=STEP_APART)
    give_tokens(game, user, "smoke_bomb")
    for player in (0, 1):
        put_gear(game, player, helmet=["WWWW"])
        put_pack(game, player, wood=1)
    in_duel("W1", "W0", "M0", "M0", game=game)
    strike(game)
    do(game, "cell(helmet[0,0])")  # the effects of the roll come first
    assert (game.phase, game.actor) == (Phase.ASK_SMOKE, user)
    do(game, SMOKE)
    assert (game.phase, game.actor) == (Phase.STEAL, 1 - user)
    do(game, "item(wood)")
    assert (game.actor, game.phase) == (0, Phase.ACTION)
    assert not game.state.players["unconscious"].any()
    assert where(game, 0) == where(game, 1) == BEYOND


@pytest.mark.rule("ADV-3")
def test_smoke_bomb_not_for_who_is_beaten_in_a_duel():
    game = meeting(at=STEP_APART)
    give_tokens(game, 0, "smoke_bomb")
    in_duel("W1", "W1", "M0", "M0", game=game)
    strike(game)
    assert (game.phase, game.actor) == (Phase.LAY_LOSER, 1)


@pytest.mark.rule("ADV-3")
def test_smoke_bomb_kept_is_asked_again_after_the_next_roll():
    no_hit = ("W0", "W0", "M0", "M0", "M0")
    game = smoking("smoke_bomb", dice=[*no_hit, *MISS, *no_hit])
    strike(game)
    do(game, "no", "no")  # after its own roll, after the dragon's
    strike(game)
    assert game.phase == Phase.ASK_SMOKE

"""DUEL: samurai against samurai, from the first blow to the theft."""

import pytest

from fujikoro_env.content.model import COLOURS
from fujikoro_env.rules.base.names import Where
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.gear import HERE, blow, break_off, call_duel, lose, lying, meeting, put_blueprint, win
from tests.helpers.tables import (
    SPOTS,
    blueprints_at,
    colour,
    do,
    gear_of,
    give_turn,
    lay_plain,
    legal,
    monks_of,
    pack_of,
    put,
    put_dragon,
    put_gear,
    put_lava,
    put_monks,
    put_pack,
    put_scrolls,
    scrolls_of,
    space,
    where,
)


def dueling(*weapons, helmets=((), ()), **options):
    """A duel that player 0 has called, with these weapons and helmets."""
    game = meeting(weapons=weapons, **options)
    for player, helmet in enumerate(helmets):
        put_gear(game, player, helmet=list(helmet))
    call_duel(game)
    return game


def next_to_strike(game):
    assert game.phase == Phase.WEAPON
    return game.actor


# The fight


@pytest.mark.rule("DUEL-1")
def test_nobody_joins_and_no_monks_are_sent():
    game = meeting(players=3)
    for player in range(3):
        put_monks(game, player, "pool")
    put(game, 2, "ring1.0/centre")
    call_duel(game)
    assert game.phase == Phase.WEAPON


@pytest.mark.rule("DUEL-1", "INIT-1")
@pytest.mark.parametrize(
    ("attackers", "defenders", "first"),
    [("WWM", "WW", "attacker"), ("WWM", "WWM", "defender"), ("WW", "WWM", "defender"), ("WW", "M", "attacker")],
)
@pytest.mark.parametrize("attacker", [0, 1])
def test_the_higher_initiative_strikes_first_and_the_defender_wins_ties(attacker, attackers, defenders, first):
    game = meeting()
    put(game, 0, HERE if attacker == 1 else "start")
    put(game, 1, HERE if attacker == 0 else "start")
    give_turn(game, attacker)
    put_gear(game, attacker, weapon=[attackers])
    put_gear(game, 1 - attacker, weapon=[defenders])
    call_duel(game)
    assert next_to_strike(game) == (attacker if first == "attacker" else 1 - attacker)


@pytest.mark.rule("DUEL-1", "MOVE-6")
def test_the_one_who_was_come_to_defends_though_it_called_the_duel():
    game = meeting()
    do(game, "move", f"step({HERE})", "no", "yes")
    assert next_to_strike(game) == 1


@pytest.mark.rule("DUEL-1", "ATK-3")
def test_breaking_dice_give_no_teeth():
    game = dueling("WWT", "WW", helmets=[[], ["TTT"]])
    left = game.state.supply[2]
    blow(game, "W0", "W0", "T3*")
    break_off(game, "0,2")
    assert game.state.supply[2] == left + 1
    do(game, "cell(helmet[0,0])")
    assert (pack_of(game, 0), pack_of(game, 1)) == ({}, {})
    assert next_to_strike(game) == 1


@pytest.mark.rule("DUEL-1", "DUEL-2", "INIT-2")
def test_blows_go_to_and_fro_in_the_first_order_until_a_helmet_fails():
    game = dueling("WWM", "WW", helmets=[["WWWW"], ["WWWW"]])
    blow(game, "W0", "W0", "M2*")
    break_off(game, "0,2")  # now as long as the weapon of the defender, who wins ties
    do(game, "cell(helmet[0,0])", "cell(helmet[0,1])")
    for dice, cell in ((("W1", "W0"), 0), (("W1", "W0"), 2), (("W0", "W1"), 1)):
        blow(game, *dice)
        do(game, f"cell(helmet[0,{cell}])")
    assert (gear_of(game, 0, "helmet"), gear_of(game, 1, "helmet")) == (["..WW"], ["...W"])
    assert next_to_strike(game) == 0
    blow(game, "W1", "W1")
    assert (game.phase, lying(game)) == (Phase.LAY_LOSER, [1])


@pytest.mark.rule("DUEL-1", "ATK-1")
def test_each_rolls_once_with_each_usable_weapon_while_the_fight_is_on():
    game = meeting(weapons=("", "WW"))
    put_monks(game, 0, "weapon")
    put_gear(game, 0, weapon=["WWM..WWM"])
    put_gear(game, 1, helmet=["M"])
    call_duel(game)
    assert legal(game) == {"weapon(left)", "weapon(right)"}
    blow(game, "W0", "W0", "M0", weapon="right")
    assert legal(game) == {"weapon(left)"}
    blow(game, "W0", "W0", "M0")
    assert next_to_strike(game) == 1
    blow(game, "W0", "W0")
    blow(game, "W1", "W1", "M1")
    assert game.phase == Phase.LAY_LOSER  # and the second weapon is not needed


@pytest.mark.rule("DUEL-2")
def test_with_a_usable_weapon_nobody_may_give_up():
    game = dueling("WWM", "WW", helmets=[[], ["MM"]])
    blow(game, "W0", "W0", "M0")
    assert next_to_strike(game) == 1


@pytest.mark.rule("DUEL-2")
def test_without_a_usable_weapon_one_may_give_up_after_its_roll_and_has_lost():
    game = dueling("WWM", "WW", helmets=[["MM"], ["MM"]])
    blow(game, "W1*", "W0", "M0")
    break_off(game, "0,0")
    assert (game.phase, game.actor) == (Phase.PAY, 1)  # the hits still count
    do(game, "cell(helmet[0,0])")
    assert (game.phase, game.actor, legal(game)) == (Phase.RETREAT, 0, {"retreat", "no"})
    do(game, "retreat")
    assert (game.phase, game.actor) == (Phase.STEAL, 1)
    assert (lying(game), where(game, 0), where(game, 1)) == ([], HERE, HERE)


@pytest.mark.rule("DUEL-2")
def test_the_defender_too_may_give_up_and_then_the_attacker_steals():
    game = dueling("WW", "WWM", helmets=[["MM"], ["MM"]])
    blow(game, "W1*", "W0", "M0")
    break_off(game, "0,0")
    do(game, "cell(helmet[0,0])", "retreat")
    assert (game.phase, game.actor, lying(game)) == (Phase.STEAL, 0, [])


@pytest.mark.rule("DUEL-2", "DRAG-5")
def test_a_player_who_stays_without_a_weapon_is_asked_again_at_its_place_in_each_round():
    game = dueling("WWM", "MM", helmets=[[], ["MMMM"]])
    for _ in range(2):
        blow(game, "W0", "W0", "M0")
        assert (game.phase, game.actor) == (Phase.RETREAT, 1)
        do(game, "no")
    blow(game, "W0", "W1", "M0")
    do(game, "cell(helmet[0,0])", "retreat")
    assert (game.phase, game.actor) == (Phase.STEAL, 0)


def is_undecided(game):
    """Whether a duel ended without a loser: nobody is unconscious or may steal, and the active player goes on."""
    return (game.phase, game.actor, lying(game), where(game, 1)) == (Phase.ACTION, 0, [], HERE)


@pytest.mark.rule("DUEL-3")
def test_the_duel_is_undecided_when_the_last_weapon_breaks():
    game = dueling("WWM", "M", helmets=[[], ["MM"]])
    put_pack(game, 1, wood=1)
    blow(game, "W1*", "W0", "M0")
    break_off(game, "0,0")
    do(game, "cell(helmet[0,0])")
    assert is_undecided(game)
    assert pack_of(game, 1) == {"wood": 1}


@pytest.mark.rule("DUEL-3")
def test_the_last_roll_before_the_last_weapon_breaks_may_still_decide():
    game = dueling("WWM", "M")
    blow(game, "W1*", "W0", "M0")
    break_off(game, "0,0")
    assert (game.phase, game.actor, lying(game)) == (Phase.LAY_LOSER, 0, [1])


@pytest.mark.rule("DUEL-3")
def test_a_player_who_has_no_weapon_left_still_fights_one_who_has():
    game = dueling("WWM", "WW", helmets=[["MM"], ["MM"]])
    blow(game, "W1*", "W0", "M0")
    break_off(game, "0,0")
    do(game, "cell(helmet[0,0])", "no")
    blow(game, "W1*", "W0")
    break_off(game, "0,1")
    do(game, "cell(helmet[0,1])")
    assert is_undecided(game)


@pytest.mark.rule("DUEL-3")
def test_the_duel_is_undecided_after_thirty_rounds():
    game = dueling("WW", "WW")
    for _ in range(30):
        for player in (1, 0):
            assert next_to_strike(game) == player
            blow(game, "W0", "W0")
    assert is_undecided(game)


@pytest.mark.rule("DUEL-1")
def test_nothing_is_left_of_a_duel():
    """Equal positions must have equal bytes, so the record of the fight and the path are empty again."""
    game = meeting()
    win(game)
    do(game, "done")
    assert not game.state["fight"].tobytes().strip(b"\0")
    assert (game.state.path.any(), game.state.path_length) == (False, 0)


# The loser


@pytest.mark.rule("DUEL-4")
@pytest.mark.parametrize("winner", [0, 1])
def test_the_beaten_one_is_laid_on_an_adjacent_space_that_the_winner_chooses(winner):
    game = dueling(*(("WWM", "WW") if winner == 0 else ("WW", "WWM")))
    blow(game, "W1", "W0", "M0")
    assert (game.phase, game.actor, lying(game)) == (Phase.LAY_LOSER, winner, [1 - winner])
    assert legal(game) == {"step(start)", *(f"step(ring1.0/{cell})" for cell in ("centre", "petal2", "petal4"))}
    do(game, "step(ring1.0/centre)")
    assert (where(game, 1 - winner), where(game, winner)) == ("ring1.0/centre", HERE)
    assert lying(game) == [1 - winner]


@pytest.mark.rule("DUEL-4", "MAP-11")
def test_the_beaten_one_is_not_laid_on_lava_a_full_space_or_a_dragons_tile():
    game = meeting(players=5, weapons=("WWM", "WW"))
    lay_plain(game, "ring1.1")
    put_dragon(game, "ring1.1")
    put_lava(game, "ring1.0/petal4")
    put(game, 2, "ring1.0/petal2")
    put(game, 3, "ring1.0/petal2")
    put(game, 4, "ring1.0/centre")
    call_duel(game)
    blow(game, "W1", "W0", "M0")
    assert legal(game) == {"step(start)", "step(ring1.0/centre)"}


def surrounded_by_lava():
    """Player 0 comes over lava to player 1, on a space with nothing but lava around it."""
    game = meeting(weapons=("WWM", "WW"))
    put(game, 0, HERE)
    put(game, 1, "ring1.0/petal0")
    put_lava(game, "ring1.0/centre", "ring1.0/petal1", "ring1.0/petal5")
    put_gear(game, 0, sandals=["MT"])
    do(game, "move", "step(ring1.0/centre)", "step(ring1.0/petal0)")
    return game


@pytest.mark.rule("DUEL-4")
def test_with_no_space_for_it_the_beaten_one_stays():
    game = surrounded_by_lava()
    do(game, "yes")
    blow(game, "W1", "W0", "M0")
    assert (game.phase, lying(game), where(game, 1)) == (Phase.STEAL, [1], "ring1.0/petal0")


@pytest.mark.rule("DUEL-4", "TURN-5")
def test_the_beaten_one_wakes_at_the_start_of_its_next_turn():
    game = meeting()
    win(game)
    do(game, "done", "move", "done")
    assert (game.phase, game.actor, lying(game)) == (Phase.ACTION, 1, [])


# The theft


@pytest.mark.rule("DUEL-5", "DUEL-8")
def test_the_winner_may_steal_one_item_or_nothing():
    game = meeting()
    put_pack(game, 1, wood=1, metal=2)
    win(game)
    assert (game.actor, legal(game)) == (0, {"done", "item(wood)", "item(metal)"})
    do(game, "item(metal)")
    assert (pack_of(game, 0), pack_of(game, 1)) == ({"metal": 1}, {"wood": 1, "metal": 1})
    assert (game.phase, game.actor) == (Phase.ACTION, 0)


@pytest.mark.rule("DUEL-5")
def test_nothing_is_stolen_from_an_empty_pack_or_by_one_who_declines():
    game = meeting()
    put_monks(game, 1, "pool", "weapon")
    put_pack(game, 0, wood=6)
    win(game)
    assert legal(game) == {"done"}  # and nothing is thrown away for nothing
    game = meeting()
    put_pack(game, 1, wood=1)
    win(game)
    do(game, "done")
    assert (game.phase, pack_of(game, 0), pack_of(game, 1)) == (Phase.ACTION, {}, {"wood": 1})


@pytest.mark.rule("DUEL-5", "DUEL-8")
@pytest.mark.parametrize("kind", ["wood", "metal", "tooth"])
def test_a_defender_who_wins_steals_too(kind):
    game = meeting()
    put_pack(game, 0, **{kind: 1})
    lose(game)
    assert (game.actor, legal(game)) == (1, {"done", f"item({kind})"})
    do(game, f"item({kind})")
    assert (pack_of(game, 0), pack_of(game, 1)) == ({}, {kind: 1})


@pytest.mark.rule("DUEL-5", "PACK-2")
def test_room_for_the_item_is_made_by_throwing_a_resource():
    game = meeting()
    put_pack(game, 0, wood=5, tooth=1)
    put_pack(game, 1, metal=1)
    left = game.state.supply[0]
    win(game)
    assert legal(game) == {"done", "throw(wood)", "throw(tooth)"}
    do(game, "throw(wood)")
    assert legal(game) == {"done", "item(metal)"}
    do(game, "item(metal)")
    assert (pack_of(game, 0), game.state.supply[0]) == ({"wood": 4, "metal": 1, "tooth": 1}, left + 1)


@pytest.mark.rule("DUEL-5", "PACK-4")
@pytest.mark.parametrize(("wood", "allowed"), [(0, {"done"}), (1, {"done", "throw(wood)"})])
def test_without_room_and_without_a_resource_to_throw_nothing_is_stolen(wood, allowed):
    game = meeting()
    put_pack(game, 0, wood=wood, monks=6 - wood)
    put_pack(game, 1, metal=1)
    put_scrolls(game, 1, "seer")
    put_blueprint(game, 1, "moon_kabuto")
    win(game)
    assert legal(game) == allowed


def blueprints_of(game, player):
    return blueprints_at(game, Where.OWNED + player)


@pytest.mark.rule("DUEL-5")
def test_a_blueprint_marker_is_stolen_with_its_card():
    game = meeting()
    put_blueprint(game, 1, "moon_kabuto")
    put_blueprint(game, 1, "dragon_tread")
    put_pack(game, 0, wood=5)
    win(game)
    assert legal(game) == {"done", "blueprint(moon_kabuto)", "blueprint(dragon_tread)"}
    do(game, "blueprint(dragon_tread)")
    assert (blueprints_of(game, 0), blueprints_of(game, 1)) == (["dragon_tread"], ["moon_kabuto"])
    put(game, 0, "start")
    do(game, "gather", "find(stock)")
    assert legal(game) == {"throw(wood)"}  # the marker has filled the pack


@pytest.mark.rule("DUEL-5")
def test_a_blueprint_is_stolen_by_a_defender_who_wins_too():
    game = meeting()
    put_blueprint(game, 0, "moon_kabuto")
    lose(game)
    do(game, "blueprint(moon_kabuto)")
    assert (blueprints_of(game, 0), blueprints_of(game, 1)) == ([], ["moon_kabuto"])


@pytest.mark.rule("DUEL-5", "GATH-8")
def test_a_second_blueprint_of_a_type_is_not_stolen():
    game = meeting()
    put_blueprint(game, 0, "sun_kabuto")
    put_blueprint(game, 1, "moon_kabuto")
    put_blueprint(game, 1, "dragon_tread")
    win(game)
    assert legal(game) == {"done", "blueprint(dragon_tread)"}


@pytest.mark.rule("DUEL-5", "PACK-2")
@pytest.mark.parametrize(("own", "may_throw"), [("sun_kabuto", False), ("lava_striders", True)])
def test_room_is_made_only_for_what_can_be_stolen(own, may_throw):
    game = meeting()
    put_blueprint(game, 0, own)
    put_pack(game, 0, wood=5)
    put_blueprint(game, 1, "moon_kabuto")
    win(game)
    assert legal(game) == ({"done", "throw(wood)"} if may_throw else {"done"})


@pytest.mark.rule("DUEL-6")
def test_a_monk_is_stolen_from_the_pack_and_goes_to_a_free_spot():
    game = meeting()
    put_monks(game, 0, "pool")
    put_monks(game, 1, "weapon", "pack")
    put_pack(game, 1, monks=2)
    put_pack(game, 0, wood=6)  # a spot of the board needs no slot
    win(game)
    assert legal(game) == {"done", "item(monk)"}
    do(game, "item(monk)")
    assert (game.actor, legal(game)) == (0, {"monk(scroll)", "monk(weapon)", "monk(pack)"})
    do(game, "monk(scroll)")
    assert (monks_of(game, 0), pack_of(game, 0)) == ({"pool", "scroll"}, {"wood": 6})
    assert (monks_of(game, 1), pack_of(game, 1)) == ({"weapon", "pack"}, {"monks": 1})
    assert game.phase == Phase.ACTION


@pytest.mark.rule("DUEL-6", "MONK-1")
def test_a_stolen_monk_goes_to_the_pack_when_all_spots_are_taken():
    game = meeting()
    put_monks(game, 0, *SPOTS)
    put_pack(game, 0, wood=11)
    put_pack(game, 1, monks=1)
    win(game)
    do(game, "item(monk)")
    assert legal(game) == {"throw(wood)"}
    do(game, "throw(wood)", "monk(carried)")
    assert (pack_of(game, 0), pack_of(game, 1)) == ({"wood": 10, "monks": 1}, {})


@pytest.mark.rule("DUEL-6", "PACK-4")
def test_without_a_spot_and_without_room_a_monk_is_not_stolen():
    game = meeting()
    put_monks(game, 0, *SPOTS)
    put_pack(game, 0, monks=11)
    put_pack(game, 1, monks=1)
    win(game)
    assert legal(game) == {"done"}


def robbing_scrolls(*own, spots=(), pack=0, **rules):
    """Player 0, green, has beaten player 1, red, which owns seer and pilgrim and has 5 VP."""
    game = meeting(**rules)
    colour(game, 0, "green")
    colour(game, 1, "red")
    put_monks(game, 0, *spots)
    put_monks(game, 1, "scroll")
    put_scrolls(game, 0, *own)
    put_scrolls(game, 1, "seer", "pilgrim")
    put_pack(game, 0, wood=pack)
    game.state.players[1].vp = 5
    win(game)
    return game


@pytest.mark.rule("DUEL-7", "SCROLL-2")
@pytest.mark.parametrize(("slot", "card", "left"), [(1, "seer", ["", "pilgrim"]), (2, "pilgrim", ["seer", ""])])
def test_a_scroll_is_stolen_with_its_token_for_three_vp_and_the_victim_loses_none(slot, card, left):
    game = robbing_scrolls()
    assert legal(game) == {"done", "item(scroll 1)", "item(scroll 2)"}
    do(game, f"item(scroll {slot})")
    assert (game.actor, legal(game), game.scores) == (0, {"slot(1)"}, (3, 5))
    do(game, "slot(1)")
    assert (scrolls_of(game, 0), scrolls_of(game, 1), game.scores) == ([card, ""], left, (3, 5))
    red = COLOURS.index("red") + 1
    assert game.state.players[0].scroll_colours.tolist() == [red, 0]
    assert game.state.players[1].scroll_colours.tolist() == [red * (name != "") for name in left]
    assert game.phase == Phase.ACTION


@pytest.mark.rule("DUEL-7", "MONK-2")
def test_a_stolen_scroll_goes_to_the_second_slot_if_that_is_the_free_one():
    game = robbing_scrolls("far_reach", spots=["scroll"])
    do(game, "item(scroll 1)")
    assert legal(game) == {"slot(2)"}


@pytest.mark.rule("DUEL-7", "SCROLL-3")
def test_with_full_slots_a_stolen_scroll_replaces_an_owned_one_and_needs_no_room():
    game = robbing_scrolls("far_reach", pack=5)
    assert {"item(scroll 1)", "item(scroll 2)"} < legal(game)
    do(game, "item(scroll 2)", "slot(1)")
    assert (scrolls_of(game, 0), scrolls_of(game, 1), game.scores) == (["pilgrim", ""], ["seer", ""], (3, 5))
    green, red = COLOURS.index("green"), COLOURS.index("red")
    assert game.state.players[0].scroll_colours.tolist() == [green + 1, 0]
    assert game.state.scroll_tokens_gone[[green, red]].tolist() == [0, 1]
    assert int(game.state.scroll_discards) == 1 << game.vocabulary.deck_ids("scrolls").index("far_reach")


@pytest.mark.rule("DUEL-7", "PACK-2")
@pytest.mark.parametrize(("slot", "card"), [(1, "seer"), (2, "pilgrim")])
def test_room_for_the_token_of_a_stolen_scroll_is_made_by_throwing(slot, card):
    game = robbing_scrolls(pack=6)
    victim = game.state.players[1]
    victim.scrolls[2 - slot] = victim.scroll_colours[2 - slot] = 0  # has the one scroll alone
    assert legal(game) == {"done", "throw(wood)"}
    do(game, "throw(wood)")
    assert legal(game) == {"done", f"item(scroll {slot})"}
    do(game, f"item(scroll {slot})", "slot(1)")
    assert (scrolls_of(game, 0), pack_of(game, 0)) == ([card, ""], {"wood": 5})


# Where there are no duels


@pytest.mark.rule("DUEL-9", "MAP-5")
@pytest.mark.parametrize("safe", ["start", "temple0", "bridge0/a"])
def test_never_on_safe_spaces(safe):
    beside = {"start": HERE, "temple0": "ring2.0/petal0", "bridge0/a": "bridge0/b"}[safe]
    game = meeting()
    lay_plain(game, "ring2.0")
    put(game, 0, beside)
    put(game, 1, safe)
    do(game, "move", f"step({safe})")
    assert game.phase == Phase.MOVE


@pytest.mark.rule("DUEL-9")
def test_never_with_an_unconscious_samurai():
    game = meeting()
    game.state.players[1].unconscious = 1
    do(game, "move", f"step({HERE})")
    assert game.phase == Phase.MOVE


@pytest.mark.rule("DUEL-9", "SETUP-11")
@pytest.mark.parametrize("peaceful", [True, False])
def test_never_with_the_peaceful_option(peaceful):
    game = meeting(peaceful=peaceful)
    do(game, "move", f"step({HERE})")
    assert game.phase == (Phase.MOVE if peaceful else Phase.CALL_DUEL)


@pytest.mark.rule("MOVE-4", "DUEL-1")
def test_lava_is_paid_for_before_the_duel():
    game = surrounded_by_lava()
    assert gear_of(game, 0, "sandals") == ["MT"]
    do(game, "yes")
    assert (gear_of(game, 0, "sandals"), next_to_strike(game)) == ([], 0)
    assert game.state.players[0].at == space("ring1.0/petal0")

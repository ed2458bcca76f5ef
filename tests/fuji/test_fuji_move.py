"""Moving, stamina, lava, the end, skills, two players (MOVE, STAM, LAVA, END, SKILL, TWO)."""

import numpy as np
import pytest

from fuji_env import Game, Rules
from fuji_env.rules.base.names import Gear, Injury, Reason, Skill
from fuji_env.rules.base.phases import Phase
from tests.helpers.fuji import (
    card,
    do,
    finish_round,
    give,
    injure,
    move,
    names,
    plan,
    put,
    renew,
    show,
    skip,
    table,
    to_moves,
    where,
)

PLAIN = ("tinkerer", "survivalist", "scout", "buddy")  # without power bars


def moving(*places, starts=("d2", "c3", "c1"), players=3, skills=PLAIN, **rules):
    """A game at the choice of who moves, with figures put somewhere before planning."""
    game = table(players=players, skills=skills, **rules)
    for k, place in enumerate(starts):
        put(game, k, place)
    to_moves(game, *places)
    assert game.phase == Phase.NEXT
    return game


@pytest.mark.rule("fuji:MOVE-1")
def test_screens_come_off_and_the_lead_player_names_who_moves():
    game = moving("d2", "c3", "c1")
    assert (game.view(1).state.dice == game.state.dice).all()
    assert game.actor == 0
    assert names(game) == ["figure(0)", "figure(1)", "figure(2)"]
    show(game, {0: "", 1: "", 2: ""})
    move(game, 1)
    assert names(game) == ["figure(0)", "figure(2)"]


@pytest.mark.rule("fuji:MOVE-2")
@pytest.mark.parametrize(
    ("own", "left", "right", "moves"),
    [("66", "64", "2", True), ("66", "66", "2", False), ("64", "2", "66", False), ("44", "6", "6", True)],
)
def test_a_figure_moves_if_its_value_is_higher_than_each_neighbours(own, left, right, moves):
    game = moving("e2", "c3", "c1")
    card(game, "e2", "even")
    show(game, {0: own, 1: left, 2: right})
    move(game, 0)
    assert (where(game, 0) == "e2") == moves


@pytest.mark.rule("fuji:MOVE-2")
def test_with_four_players_the_opposite_one_does_not_count():
    game = moving("d2", "c3", "c1", "b3", starts=("c2", "c3", "c1", "b3"), players=4)
    card(game, "d2", "even")
    show(game, {0: "6", 1: "2", 2: "666666", 3: "4"})
    move(game, 0)
    assert where(game, 0) == "d2"


@pytest.mark.rule("fuji:MOVE-3")
@pytest.mark.parametrize(("own", "stamina"), [("666", 0), ("64", 1), ("2", 3)])
def test_a_planned_stay_is_decided_and_paid_like_a_move(own, stamina):
    game = moving("d2", "c3", "c1")
    card(game, "d2", "even")
    show(game, {0: own, 1: "6", 2: "1"})
    move(game, 0)
    assert where(game, 0) == "d2"
    assert game.state.figures[0].stamina == stamina


@pytest.mark.rule("fuji:MOVE-4")
def test_a_figure_that_ends_on_a_token_draws_equipment_for_the_next_round():
    game = moving("e2", "h5", "g6", starts=("d2", "h5", "g6"))
    at = game.vocabulary.find_place("e2")
    game.state.equipment_tokens |= 1 << at
    card(game, "e2", "even")
    show(game, {0: "666", 1: "", 2: ""})
    game.load_draws(["helmet"])
    move(game, 0)
    assert game.state.figures[0].equipment == game.state.figures[0].fresh == 1 << Gear.HELMET
    assert not int(game.state.equipment_tokens) >> at & 1
    assert not int(game.state.deck) >> Gear.HELMET & 1
    finish_round(game)
    assert game.state.figures[0].fresh == 0


@pytest.mark.rule("fuji:MOVE-4")
def test_a_card_drawn_in_this_round_is_not_played():
    game = table(skills=PLAIN)
    give(game, 0, "whistle")
    assert "play(whistle)" in names(game)
    game.state.figures[0].fresh = 1 << Gear.WHISTLE
    renew(game)
    assert "play(whistle)" not in names(game)


@pytest.mark.rule("fuji:MOVE-5")
@pytest.mark.parametrize(("late", "rounds_lava"), [(False, 3), (True, 1)])
def test_an_eruption_token_brings_one_more_eruption_at_once_or_late(late, rounds_lava):
    game = moving("f4", "h5", "g6", starts=("d4", "h5", "g6"), late_eruption=late)
    card(game, "f4", "even")
    show(game, {0: "666", 1: "", 2: ""})
    move(game, 0)  # over the token on e4
    assert where(game, 0) == "f4"
    assert not int(game.state.eruption_tokens) >> game.vocabulary.find_place("e4") & 1
    assert int(game.state.lava).bit_count() == rounds_lava  # the volcano, and with the eruption both rubble cards
    finish_round(game)
    assert int(game.state.lava).bit_count() == 1 + 2 + 2  # two eruptions in all
    assert game.state.owed == 0


@pytest.mark.rule("fuji:MOVE-5")
def test_ending_on_an_eruption_token_counts_and_walks_of_the_same_length_avoid_it():
    game = moving("e4", "h5", "g6", starts=("d4", "h5", "g6"))
    card(game, "e4", "even")
    show(game, {0: "666", 1: "", 2: ""})
    move(game, 0)
    assert int(game.state.lava).bit_count() == 3
    game = moving("f4", "h5", "g6", starts=("e3", "h5", "g6"))  # over f3, not over e4
    card(game, "f4", "even")
    show(game, {0: "666", 1: "", 2: ""})
    move(game, 0)
    assert where(game, 0) == "f4"
    assert int(game.state.lava).bit_count() == 1


@pytest.mark.rule("fuji:MOVE-6")
def test_a_figure_whose_walks_are_cut_stays_and_pays_as_for_a_failed_move():
    game = moving("c2", "h5", "g6", starts=("c1", "h5", "g6"))
    card(game, "c2", "even")
    game.state.lava |= 1 << game.vocabulary.find_place("c2")
    show(game, {0: "666", 1: "", 2: ""})
    move(game, 0)
    assert where(game, 0) == "c1"
    assert game.state.figures[0].stamina == 3


# --- stamina ----------------------------------------------------------------------------------------------------------

LEVELS = {  # from the rules: the loss by margin; 0 stands for a failed move
    1: {0: 3, 1: 2, 2: 2, 3: 1, 5: 1, 6: 0, 9: 0},
    2: {0: 4, 1: 3, 2: 3, 3: 2, 4: 2, 5: 1, 7: 1, 8: 0},
    3: {0: 4, 1: 3, 3: 3, 4: 2, 6: 2, 7: 1, 9: 1, 10: 0},
    4: {0: 4, 1: 4, 3: 4, 4: 3, 7: 3, 8: 2, 10: 2, 11: 1, 13: 1, 14: 0},
}


@pytest.mark.rule("fuji:STAM-1")
@pytest.mark.parametrize("level", LEVELS)
def test_the_level_says_what_a_margin_costs(level):
    tables = Rules(level=level).tables[0]
    assert tables.failed[level - 1] == LEVELS[level][0]
    for margin, loss in LEVELS[level].items():
        if margin:
            assert tables.loss[level - 1, margin] == loss


@pytest.mark.rule("fuji:STAM-1")
@pytest.mark.parametrize(("own", "loss"), [("62", 2), ("622", 1), ("666", 0), ("6", 3)])
def test_stamina_is_paid_right_after_the_move(own, loss):
    game = moving("e2", "c3", "c1")
    card(game, "e2", "even")
    show(game, {0: own, 1: "6", 2: "2"})
    move(game, 0)
    assert game.state.figures[0].stamina == loss


@pytest.mark.rule("fuji:STAM-2")
def test_the_last_space_loses_the_game_for_all():
    game = moving("e2", "c3", "c1")
    game.state.figures[0].stamina = 17
    show(game, {0: "", 1: "", 2: ""})
    move(game, 0)
    assert game.over
    assert game.outcome.reason == "stamina"
    assert game.outcome.winners == ()


@pytest.mark.rule("fuji:STAM-3")
@pytest.mark.parametrize(("stamina", "hurt"), [(0, False), (1, True), (2, True), (3, True), (4, False), (14, True)])
def test_a_plaster_that_is_reached_or_passed_gives_an_injury(stamina, hurt):
    game = moving("e2", "c3", "c1")
    game.state.figures[0].stamina = stamina
    game.state.figures[0].injuries = 1 << Injury.DIE
    show(game, {0: "", 1: "", 2: ""})
    move(game, 0)
    assert (game.phase == Phase.INJURY) == hurt
    if hurt:
        assert game.actor == 0
        assert names(game) == ["injury(reroll)", "injury(equipment)", "injury(skill)"]
        do(game, "injury(skill)")
        assert game.state.figures[0].injuries == 1 << Injury.DIE | 1 << Injury.SKILL


@pytest.mark.rule("fuji:STAM-4", "fuji:STAM-5")
def test_a_reroll_injury_takes_one_from_the_total_but_never_below_0():
    for place, rerolls in (("d2", 0), ("e3", 0), ("c2", 1)):
        game = table(skills=("tinkerer", "gatherer", "scout"))
        injure(game, 0, "reroll")
        card(game, place, "pink")
        plan(game, place, "c3", "c1")
        assert game.state.figures[0].rerolls == rerolls


@pytest.mark.rule("fuji:STAM-4", "fuji:STAM-5")
def test_with_a_broken_arm_equipment_is_given_away_but_not_played():
    game = table(skills=("equipment_manager", "gatherer", "scout"))
    give(game, 0, "whistle")
    injure(game, 0, "equipment")
    assert "play(whistle)" not in names(game)
    assert "card(whistle)" in names(game)


@pytest.mark.rule("fuji:STAM-4", "fuji:STAM-5", "fuji:DICE-3")
def test_a_lost_die_is_the_last_one_and_lost_from_the_next_roll_on():
    game = moving("h5", "g6", "f6", starts=("h5", "g6", "f6"), skills=("buddy", "survivalist", "scout"))
    injure(game, 0, "die")
    assert np.count_nonzero(game.state.dice[0]) == 6
    finish_round(game)
    assert game.state.round_number == 2
    assert np.flatnonzero(game.state.dice[0]).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.rule("fuji:STAM-4")
def test_a_lost_skill_has_no_effect():
    game = table(skills=("scout", "survivalist", "tinkerer"))
    assert "place(f3)" in names(game)
    injure(game, 0, "skill")
    assert "place(f3)" not in names(game)


# --- lava and the end -------------------------------------------------------------------------------------------------


@pytest.mark.rule("fuji:LAVA-1")
def test_the_second_eruption_takes_the_cards_beside_the_rubble():
    game = table(skills=PLAIN)
    for eruptions in (1, 2):
        for k, place in enumerate(("h5", "g6", "f6")):
            put(game, k, place)
        to_moves(game, "h5", "g6", "f6")
        finish_round(game)
        lava = {game.vocabulary.place(place) for place in range(33) if int(game.state.lava) >> place & 1}
        assert lava == {"a1", "a2", "b1", "b2", "c1"} if eruptions == 2 else {"a1", "a2", "b1"}


@pytest.mark.rule("fuji:LAVA-2")
def test_a_figure_on_lava_loses_the_game_and_tokens_there_are_gone():
    game = moving("b2", "h5", "g6", starts=("b2", "h5", "g6"))
    layout = game.rules.tables[0].layouts[0]
    game.state.lava |= layout.rubble
    at = game.vocabulary.find_place("c1")
    game.state.equipment_tokens |= 1 << at
    show(game, {0: "", 1: "", 2: ""})
    finish_round(game)
    assert game.outcome.reason == "lava"
    assert not game.outcome.won
    assert not int(game.state.equipment_tokens) >> at & 1


@pytest.mark.rule("fuji:END-1")
def test_the_game_is_won_the_moment_all_stand_in_villages():
    game = moving("i5", "h7", "i6", starts=("h5", "h7", "i6"))
    card(game, "i5", "4 or 6")
    show(game, {0: "6", 1: "", 2: ""})
    game.state.figures[0].stamina = 19
    move(game, 0)
    assert game.outcome.reason == "villages"
    assert game.outcome.winners == (0, 1, 2)
    assert game.state.figures[0].stamina == 19  # nothing else happens


@pytest.mark.rule("fuji:END-2")
def test_a_figure_in_a_village_still_plays_and_may_leave():
    game = moving("h6", "h5", "g6", starts=("h7", "h5", "g6"))
    card(game, "h6", "even")
    show(game, {0: "66", 1: "64", 2: ""})
    move(game, 0)
    assert where(game, 0) == "h6"
    assert game.state.figures[0].stamina == 2


@pytest.mark.rule("fuji:END-3")
def test_a_win_scores_4_for_each_figure_less_injuries_plus_equipment():
    game = moving("i5", "h7", "i6", starts=("h5", "h7", "i6"))
    card(game, "i5", "4 or 6")
    injure(game, 1, "die", "skill")
    give(game, 2, "rope", "helmet", "radio")
    show(game, {0: "6", 1: "", 2: ""})
    move(game, 0)
    assert game.outcome.scores == (4 * 3 - 2 + 3,) * 3


@pytest.mark.rule("fuji:END-4")
def test_a_loss_scores_0_and_every_game_ends():
    for seed in range(20):
        game = Game(Rules(players=2 + seed % 3, scenario=1 + seed % 7), seed=seed)
        steps = 0
        while not game.over:
            game.step(int(game.legal_actions()[-1 if seed % 2 else 0]))
            steps += 1
        assert steps < game.rules.facts.max_decisions
        assert game.state.round_number <= game.rules.facts.max_rounds
        assert game.outcome is not None
        assert game.outcome.won or game.scores[0] == 0


# --- skills -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fuji:SKILL-1")
def test_the_equipment_manager_draws_4_and_keeps_2_and_the_rest_goes_under_the_pile():
    skills = ("equipment_manager", "survivalist", "scout")
    game = Game(Rules(players=3, skills=skills), seed=3)
    assert game.phase == Phase.KEEP
    assert game.actor == 0
    offered = [int(action) for action in game.legal_actions()]
    assert len(offered) == 4
    first, second = names(game)[0], names(game)[2]
    do(game, first, second)
    held = int(game.state.figures[0].equipment)
    assert held.bit_count() == 2
    assert int(game.state.under).bit_count() == 2
    assert not game.state.under & game.state.deck
    assert np.count_nonzero(game.state.dice[0]) == 6 or game.phase == Phase.KEEP


@pytest.mark.rule("fuji:SKILL-1")
def test_the_equipment_manager_gives_cards_in_phases_2_and_4():
    game = table(skills=("equipment_manager", "survivalist", "scout"))
    give(game, 0, "rope", "helmet")
    do(game, "card(rope)")
    assert names(game) == ["figure(1)", "figure(2)"]
    do(game, "figure(2)")
    assert game.state.figures[2].equipment == 1 << Gear.ROPE
    plan(game, "d2", "c3", "c1")
    skip(game, Phase.REROLL)
    do(game, "card(helmet)", "figure(1)")
    assert game.state.figures[1].equipment == 1 << Gear.HELMET
    assert game.state.figures[0].equipment == 0
    assert (game.phase, game.actor) == (Phase.EQUIP, 1)
    other = table(skills=("survivalist", "scout", "equipment_manager"))
    give(other, 0, "rope")
    assert "card(rope)" not in names(other)


@pytest.mark.rule("fuji:SKILL-2")
def test_the_scout_plans_4_steps_and_then_has_no_reroll():
    game = table(skills=("scout", "survivalist", "tinkerer"))
    card(game, "f3", "even pink")  # a reroll icon
    give(game, 1, "whistle")
    do(game, "place(f3)", "say(nothing)", "play(whistle)")
    plan(game, "c3", "c1")
    assert game.state.figures[0].steps == 4
    assert game.state.figures[0].rerolls == 0


@pytest.mark.rule("fuji:SKILL-7")
def test_steps_in_hiking_boots_do_not_ban_the_scouts_rerolls():
    game = table(skills=("scout", "survivalist", "tinkerer"))
    card(game, "f3", "even pink")
    give(game, 0, "hiking_boots")
    do(game, "play(hiking_boots)")
    plan(game, "f3", "c3", "c1")
    assert game.state.figures[0].rerolls == 1


@pytest.mark.rule("fuji:SKILL-3")
def test_the_buddy_sets_one_die_aside_that_all_see():
    game = table(skills=("buddy", "survivalist", "tinkerer"))
    card(game, "e3", "even")
    show(game, {0: "666666"})
    plan(game, "e3", "c3", "c1")
    assert game.phase == Phase.REROLL
    assert [name for name in names(game) if name.startswith("die")] == [f"die({k})" for k in range(1, 7)]
    do(game, "die(3)")
    assert game.view(1).state.dice[0].tolist() == [0, 0, 6, 0, 0, 0]
    assert not any(name.startswith("die") for name in names(game))
    skip(game, Phase.REROLL, Phase.EQUIP)
    show(game, {1: "66666", 2: "4"})
    move(game, 0)
    assert where(game, 0) == "c2"  # 5 dice of 6 each against 5
    for k, place in enumerate(("h5", "g6", "f6")):
        put(game, k, place)
    finish_round(game)
    assert game.state.figures[0].aside == 0


@pytest.mark.rule("fuji:SKILL-4")
def test_the_survivalist_has_one_reroll_more():
    game = table(skills=("survivalist", "scout", "tinkerer"))
    card(game, "d2", "pink")
    plan(game, "d2", "c3", "c1")
    assert game.state.figures[0].rerolls == 2


@pytest.mark.rule("fuji:SKILL-5")
def test_the_gatherer_takes_a_bar_for_each_reroll_passed_up_and_holds_3():
    game = table(skills=("gatherer", "scout", "tinkerer"))
    card(game, "c2", "pink")
    plan(game, "c2", "c3", "c1")
    assert game.state.figures[0].rerolls == 2
    skip(game, Phase.REROLL)
    assert game.state.figures[0].bars == 2
    game = table(skills=("gatherer", "scout", "tinkerer"))
    game.state.figures[0].bars = 2
    card(game, "c2", "pink")
    plan(game, "c2", "c3", "c1")
    skip(game, Phase.REROLL)
    assert game.state.figures[0].bars == 3


@pytest.mark.rule("fuji:SKILL-5", "fuji:SKILL-7")
@pytest.mark.parametrize(("bars", "moves"), [(0, False), (1, True), (2, True)])
def test_bars_raise_the_value_of_the_figure_that_moves(bars, moves):
    game = moving("d2", "e2", "c1", skills=("gatherer", "scout", "tinkerer"), starts=("d2", "e1", "c1"))
    game.state.figures[0].bars = 2
    card(game, "e2", "even")
    show(game, {0: "6", 1: "6", 2: ""})
    do(game, "figure(1)")
    assert (game.phase, game.actor) == (Phase.BARS, 0)
    assert names(game) == ["bars(0)", "bars(1)", "bars(2)"]
    do(game, f"bars({bars})")
    assert (where(game, 1) == "e2") == moves
    assert game.state.figures[0].bars == 2 - bars


@pytest.mark.rule("fuji:SKILL-6")
def test_the_tinkerer_draws_3_and_keeps_1():
    game = Game(Rules(players=3, skills=("tinkerer", "survivalist", "scout")), seed=3)
    assert game.phase == Phase.KEEP
    assert len(game.legal_actions()) == 3
    do(game, names(game)[1])
    assert int(game.state.figures[0].equipment).bit_count() == 1
    assert int(game.state.under).bit_count() == 2


@pytest.mark.rule("fuji:SKILL-6")
def test_the_tinkerer_uses_each_card_twice():
    game = table(skills=("tinkerer", "survivalist", "scout"))
    give(game, 0, "whistle")
    do(game, "play(whistle)")
    assert game.state.figures[0].equipment == game.state.figures[0].used_once == 1 << Gear.WHISTLE
    do(game, "play(whistle)")
    assert game.state.figures[0].equipment == game.state.figures[0].used_once == 0
    assert game.state.discards == 1 << Gear.WHISTLE
    assert game.state.whistles == 2


# --- two players ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fuji:TWO-1")
def test_two_players_have_two_variants():
    assert Rules(players=2).variant == "A"
    assert Rules(players=2, variant="B").figures == 4
    assert Rules(players=3).variant is None
    with pytest.raises(ValueError, match="variants are for two players"):
        Rules(players=3, variant="A")


@pytest.mark.rule("fuji:TWO-2")
def test_in_variant_a_a_third_set_is_half_open_and_a_neighbour_of_both():
    game = table(players=2, skills=("tinkerer", "survivalist"))
    third = game.state.dice[2].tolist()
    assert all(third)
    assert [game.view(k).state.dice[2].tolist() for k in (0, 1)] == [[0, 0, 0, *third[3:]]] * 2
    put(game, 0, "d2")
    to_moves(game, "e2", "c3")
    assert game.state.dice[2].tolist() == third  # never rolled again
    assert game.view(0).state.dice[2].tolist() == third
    card(game, "e2", "even")
    for dice, moves in (("22", True), ("66", False)):
        other = game.clone()
        show(other, {0: "64", 1: "", 2: dice})
        move(other, 0)
        assert (where(other, 0) == "e2") == moves


@pytest.mark.rule("fuji:TWO-3")
def test_in_variant_b_each_player_has_two_figures_seated_in_turn():
    game = table(players=2, variant="B", skills=("tinkerer", "survivalist", "scout", "buddy"), talk="none")
    asked = []
    for place in ("d2", "c3", "d2", "b2"):
        asked.append((game.actor, game.figure))
        do(game, f"place({place})")  # figures 0 and 2 are not neighbours
    assert asked == [(0, 0), (1, 1), (0, 2), (1, 3)]
    view = game.view(0)
    assert [bool(view.state.dice[k].any()) for k in range(4)] == [True, False, True, False]
    for k, place in enumerate(("i5", "h7", "i6", "h5")):
        put(game, k, place)
    assert not game.over  # all four must be saved


# --- skills that are lost, and enumerations ---------------------------------------------------------------------------


def test_enumerations_fit_the_content():
    pack = Rules().pack
    assert [one.id.upper() for one in pack.skills] == [one.name for one in Skill]
    assert [one.id.upper() for one in pack.equipment] == [one.name for one in Gear]
    assert [one.name.lower() for one in Reason][1:] == ["villages", "lava", "stamina"]

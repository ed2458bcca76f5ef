"""A round: planning, rerolls, equipment (ROUND, PLAN, REROLL, EQUIP)."""

import numpy as np
import pytest

from fuji_env import ChanceError, Game, IllegalActionError, Rules
from fuji_env.content.model import EQUIPMENT
from fuji_env.rules.base.names import Gear, Word
from fuji_env.rules.base.phases import Phase
from tests.helpers.fuji import (
    card,
    do,
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

USUAL = ("tinkerer", "survivalist", "gatherer", "scout")


def phases_of_a_round(game):
    seen: list[Phase] = []
    while game.state.round_number == 1 and not game.over:
        if not seen or seen[-1] != game.phase:
            seen.append(game.phase)
        game.step(int(game.legal_actions()[0]))
    return seen


@pytest.mark.rule("fuji:ROUND-1")
def test_phases_follow_each_other_and_all_do_one_before_the_next():
    game = table(skills=("tinkerer", "survivalist", "scout"), talk="none")
    for k, place in enumerate(("h5", "f4", "g6")):
        put(game, k, place)
    give(game, 1, "helmet")
    seen = [phase for phase in phases_of_a_round(game) if phase not in (Phase.WALK, Phase.INJURY)]
    order = (Phase.PLAN, Phase.REROLL, Phase.EQUIP, Phase.NEXT)
    assert tuple(dict.fromkeys(seen)) == order
    assert [seen.count(phase) for phase in (Phase.PLAN, Phase.REROLL, Phase.EQUIP)] == [1, 1, 1]


# --- planning ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fuji:PLAN-1", "fuji:PLAN-6")
def test_markers_may_be_changed_three_times_round_the_table_and_not_after():
    game = table(skills=USUAL, talk="none")
    assert "done" not in names(game)  # everybody lays a marker first
    for places in (("d2", "c3", "c1"), ("d3", "d1", "c3"), ("d2", "b2", "c2")):
        for k, place in enumerate(places):
            assert (game.phase, game.actor) == (Phase.PLAN, k)
            do(game, f"place({place})")
    assert game.phase == Phase.REROLL
    assert [game.vocabulary.place(int(game.state.figures[k].marker) - 1) for k in range(3)] == ["d2", "b2", "c2"]


@pytest.mark.rule("fuji:PLAN-1", "fuji:PLAN-6")
def test_planning_ends_when_all_are_content_in_a_row():
    game = table(skills=USUAL, talk="none")
    do(game, "place(d2)", "place(c3)", "place(c1)")
    do(game, "done", "place(b2)")  # so the third player, and the first again, are asked
    assert [game.phase, game.actor] == [Phase.PLAN, 2]
    do(game, "done")
    assert [game.phase, game.actor] == [Phase.PLAN, 0]
    do(game, "done")
    assert game.phase == Phase.REROLL


@pytest.mark.rule("fuji:PLAN-2")
def test_a_marker_lies_0_to_3_steps_away():
    game = table(skills=USUAL)
    steps = {"c2": 0, "d2": 1, "e2": 2, "e3": 3}
    for place, length in steps.items():
        other = game.clone()
        do(other, f"place({place})")
        assert other.state.figures[0].steps == length
    assert "place(f3)" not in names(game)  # 4 steps


@pytest.mark.rule("fuji:PLAN-3")
def test_neighbours_may_not_choose_the_same_card_but_opposite_players_may():
    game = table(players=4, skills=USUAL, talk="none")
    do(game, "place(c3)")
    assert "place(c3)" not in names(game)
    do(game, "place(d3)")
    assert "place(c3)" in names(game)  # player 2 is opposite
    do(game, "place(c3)")
    assert "place(c3)" not in names(game)
    three = table(players=3, skills=USUAL, talk="none")
    do(three, "place(c3)", "place(d3)")
    assert not {"place(c3)", "place(d3)"} & set(names(three))


@pytest.mark.rule("fuji:PLAN-3")
def test_a_figure_that_has_no_other_card_may_stay():
    game = table(skills=USUAL, talk="none")
    put(game, 0, "c3")
    put(game, 1, "c1")
    do(game, "place(c1)")
    for place in ("b2", "c2", "d1"):
        game.state.lava |= 1 << game.vocabulary.find_place(place)
    renew(game)
    assert names(game) == ["place(c1)"]


@pytest.mark.rule("fuji:PLAN-4")
def test_no_exact_facts_are_told():
    """Two games that differ in hidden dice only show a player the same, whatever was said."""
    game = table(skills=USUAL)
    do(game, "place(d2)", "say(strong)")
    other = game.clone()
    other.state.dice[0, :5] = [3, 3, 3, 3, 3]
    assert not (other.state.dice == game.state.dice).all()
    for kind in ("compact", "tensor"):
        seen, also = game.observe(1, kind), other.observe(1, kind)
        if kind == "compact":
            assert (seen == also).all()
        else:
            assert all((seen[name] == also[name]).all() for name in seen)
    assert game.view(1).digest() == other.view(1).digest()


def token_on(game, place):
    game.state.eruption_tokens |= 1 << game.vocabulary.find_place(place)
    renew(game)


@pytest.mark.rule("fuji:PLAN-5")
def test_a_player_chooses_between_the_short_walk_over_a_token_and_the_longer_one_around_it():
    game = table(skills=USUAL)
    put(game, 0, "e3")
    put(game, 1, "d2")
    token_on(game, "e2")
    token_on(game, "d3")
    do(game, "place(d2)")  # both short walks cross a token; around it is too far
    assert game.phase == Phase.WORD
    assert (game.state.figures[0].steps, game.state.figures[0].around) == (2, 0)

    game = table(skills=USUAL)
    token_on(game, "d3")
    put(game, 0, "c3")
    do(game, "place(d2)")  # c3 c2 d2 is as short
    assert game.phase == Phase.WORD

    game = table(skills=("scout", *USUAL[:2]))
    token_on(game, "d2")
    put(game, 0, "c2")
    do(game, "place(e2)")
    assert game.phase == Phase.WALK
    assert names(game) == ["walk(through)", "walk(around)"]
    through, around = game.clone(), game.clone()
    do(through, "walk(through)")
    do(around, "walk(around)")
    assert through.state.figures[0].steps == 2
    assert (around.state.figures[0].steps, around.state.figures[0].around) == (4, 1)


@pytest.mark.rule("fuji:PLAN-6")
def test_words_say_nothing_strength_or_a_warning():
    game = table(skills=USUAL)
    do(game, "place(d2)")
    assert names(game) == ["say(nothing)", "say(weak)", "say(fair)", "say(strong)"]
    do(game, "say(fair)")
    assert game.view(1).state.figures[0].said == Word.FAIR
    do(game, "place(c3)")
    assert "say(warn right)" in names(game)  # the neighbour on the right has a marker
    assert "say(warn left)" not in names(game)


@pytest.mark.rule("fuji:PLAN-6")
def test_talk_none_has_no_words_and_talk_open_shows_all_dice():
    quiet, clear = (table(skills=USUAL, talk=talk) for talk in ("none", "open"))
    for game in (quiet, clear):
        do(game, "place(d2)")
        assert game.phase == Phase.PLAN
    assert not quiet.view(1).state.dice[0].any()
    assert (clear.view(1).state.dice == clear.state.dice).all()


@pytest.mark.rule("fuji:PLAN-6")
def test_the_honest_word_is_the_third_of_a_random_roll():
    game = table(skills=("buddy", "gatherer", "scout"))
    third = game.rules.tables[0].third
    areas = [one.id for one in game.rules.pack.areas]
    luck = np.random.default_rng(1)
    for name in ("pink", "1 or 2", "blue or yellow"):
        rolls = luck.integers(1, 7, (20_000, 6))
        counts = game.rules.tables[0].counts[areas.index(name)]
        values = sum(np.where(counts[die, rolls[:, die]] == 1, rolls[:, die], 0) for die in range(6))
        for value in np.unique(values):
            rank = (values < value).mean() + (values == value).mean() / 2
            if min(abs(rank - 1 / 3), abs(rank - 2 / 3)) > 0.02:
                assert third[areas.index(name), 6, value] == int(rank * 3)


@pytest.mark.rule("fuji:PLAN-7", "fuji:EQUIP-1")
def test_equipment_marked_2_is_played_before_the_marker_is_laid():
    game = table(skills=USUAL, talk="none")
    give(game, 0, "hiking_boots", "gloves")
    assert "play(hiking_boots)" in names(game)
    assert "play(gloves)" not in names(game)
    do(game, "play(hiking_boots)")
    assert (game.phase, game.actor) == (Phase.PLAN, 0)
    assert "place(f3)" in names(game)


# --- rerolls ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fuji:REROLL-1")
@pytest.mark.parametrize(("place", "rerolls"), [("c2", 2), ("d2", 1), ("e2", 1), ("e3", 0)])
def test_fewer_steps_give_more_rerolls(place, rerolls):
    game = table(skills=("tinkerer", "gatherer", "scout"))
    card(game, place, "pink")
    plan(game, place, "c3", "c1")
    assert game.state.figures[0].rerolls == rerolls


@pytest.mark.rule("fuji:REROLL-2")
def test_any_dice_are_rolled_together_and_nobody_must():
    game = table(skills=("buddy", "gatherer", "scout"))
    card(game, "d2", "pink")
    show(game, {0: "111111"})
    plan(game, "d2", "c3", "c1")
    assert len([name for name in names(game) if name.startswith("roll(")]) == 63
    assert "done" in names(game)
    game.load_dice([6, 5])
    do(game, "roll(1+4)")
    assert game.state.dice[0].tolist() == [6, 1, 1, 5, 1, 1]
    assert not any(name.startswith("roll(") for name in names(game))


@pytest.mark.rule("fuji:REROLL-3")
def test_nobody_sees_the_rerolls_of_others_before_all_are_done():
    game = table(skills=("tinkerer", "gatherer", "survivalist"))
    card(game, "d2", "pink")
    give(game, 1, "binoculars")
    do(game, "place(d2)", "say(nothing)")
    do(game, "play(binoculars)", "figure(0)", "place(c3)", "say(nothing)", "place(c1)", "say(nothing)")
    skip(game, Phase.PLAN)
    before = game.state.dice[0].tolist()
    assert game.view(1).state.dice[0].tolist() == before
    rolled, kept = game.clone(), game.clone()
    rolled.load_dice([before[0] % 6 + 1])
    do(rolled, "roll(1)", "done")
    do(kept, "done")
    assert rolled.actor == kept.actor == 1
    assert (rolled.observe(1, "compact") == kept.observe(1, "compact")).all()
    assert rolled.view(1).digest() == kept.view(1).digest()
    assert rolled.view(1).state.dice[0].tolist() == before
    for one in (rolled, kept):
        skip(one, Phase.REROLL)
    assert rolled.view(1).state.dice[0].tolist() == [0, *before[1:]]  # rolled again, so unknown
    assert kept.view(1).state.dice[0].tolist() == before


# --- equipment --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fuji:EQUIP-1")
def test_a_card_is_played_once_and_discarded():
    game = table(skills=("survivalist", "gatherer", "scout"))
    give(game, 0, "whistle", "rope")
    do(game, "play(whistle)", "play(rope)")
    assert game.state.figures[0].equipment == 0
    assert game.state.discards == 1 << Gear.WHISTLE | 1 << Gear.ROPE
    assert game.phase == Phase.PLAN


@pytest.mark.rule("fuji:EQUIP-1")
@pytest.mark.parametrize("name", EQUIPMENT)
def test_every_card_is_played_in_its_phases_alone(name):
    phases = {one.id: one.phases for one in Rules().pack.equipment}[name]
    game = table(skills=("survivalist", "gatherer", "scout"))
    game.state.figures[0].stamina = 3
    injure(game, 1, "die")
    give(game, 0, name)
    assert (f"play({name})" in names(game)) == (2 in phases)
    plan(game, "d2", "c3", "c1")
    skip(game, Phase.REROLL)
    assert (game.phase, game.actor) == (Phase.EQUIP, 0)
    assert (f"play({name})" in names(game)) == (4 in phases)


@pytest.mark.rule("fuji:EQUIP-2")
def test_a_card_works_for_its_player_for_two_or_for_all():
    game = equipping(("gloves", "energy_drink", "flare"))
    alone, two, everybody = game.clone(), game.clone(), game.clone()
    do(alone, "play(gloves)")
    assert asked(alone) == [0]
    do(two, "play(energy_drink)")
    assert names(two) == ["figure(1)", "figure(2)"]
    do(two, "figure(2)")
    assert asked(two) == [0, 2]
    do(everybody, "play(flare)")
    assert asked(everybody) == [0, 1, 2]


def equipping(cards, **rules):
    game = table(skills=("survivalist", "gatherer", "scout"), **rules)
    give(game, 0, *cards)
    plan(game, "d2", "c3", "c1")
    skip(game, Phase.REROLL)
    assert game.phase == Phase.EQUIP
    return game


def asked(game):
    """Who is asked to roll dice, in order."""
    found = []
    while game.phase == Phase.ROLL_DICE:
        found.append(game.figure)
        do(game, "done")
    return found


@pytest.mark.rule("fuji:EQUIP-3")
def test_players_are_asked_round_and_round_until_all_pass_in_a_row():
    game = equipping(("duct_tape", "helmet"))
    give(game, 1, "walking_pole")
    do(game, "play(helmet)")
    assert (game.phase, game.actor) == (Phase.EQUIP, 1)
    do(game, "done", "done")
    assert (game.phase, game.actor) == (Phase.EQUIP, 0)
    do(game, "play(duct_tape)", "done")
    do(game, "play(walking_pole)", "done", "done")
    assert (game.phase, game.actor) == (Phase.EQUIP, 1)
    do(game, "done")
    assert game.phase == Phase.NEXT


@pytest.mark.rule("fuji:EQUIP-3")
def test_a_card_without_effect_is_not_played():
    game = table(skills=("survivalist", "gatherer", "scout"))
    give(game, 0, "tea_flask", "first_aid_kit", "rope")
    assert not {"play(tea_flask)", "play(first_aid_kit)"} & set(names(game))
    do(game, "play(rope)")
    game.state.figures[0].equipment |= 1 << Gear.ROPE
    renew(game)
    assert "play(rope)" not in names(game)


# --- the cards one by one ---------------------------------------------------------------------------------------------


@pytest.mark.rule("fuji:EQUIP-1")
def test_radio_tells_the_values_of_all_on_a_card():
    game = table(skills=("buddy", "gatherer", "scout"))
    give(game, 0, "radio")
    card(game, "h5", "even")
    show(game, {0: "222222", 1: "111111", 2: "44441"})
    do(game, "play(radio)", "place(h5)")
    assert game.view(1).state.told.tolist()[:3] == [12, 0, 16]
    assert game.view(1).state.radio == game.vocabulary.find_place("h5") + 1


@pytest.mark.rule("fuji:EQUIP-1")
def test_hiking_boots_lead_4_steps_far_with_the_rerolls_of_3():
    game = table(skills=("survivalist", "gatherer", "scout"))
    give(game, 0, "hiking_boots")
    card(game, "f3", "pink")
    do(game, "play(hiking_boots)")
    plan(game, "f3", "c3", "c1")
    assert game.state.figures[0].steps == 4
    assert game.state.figures[0].rerolls == 1  # 0 for the steps, 1 for the Survivalist


@pytest.mark.rule("fuji:EQUIP-1")
def test_a_trail_map_makes_steps_count_as_one_less_for_rerolls():
    game = table(skills=("tinkerer", "gatherer", "scout"))
    give(game, 0, "trail_map")
    card(game, "e3", "pink")
    do(game, "play(trail_map)")
    plan(game, "e3", "c3", "c1")
    assert game.state.figures[0].rerolls == 1


@pytest.mark.rule("fuji:EQUIP-1")
def test_a_rope_crosses_one_empty_place_of_the_grid():
    game = table(skills=("survivalist", "gatherer", "scout"))
    give(game, 0, "rope")
    put(game, 0, "c1")
    assert "place(c4)" in names(game)
    put(game, 0, "b3")  # c4 is 2 steps over c3, and 2 over the empty place b4
    put(game, 1, "e1")
    game.state.lava |= 1 << game.vocabulary.find_place("c3")
    renew(game)
    assert "place(c4)" not in names(game)
    do(game, "play(rope)")
    assert "place(c4)" in names(game)
    do(game, "place(c4)")
    assert game.state.figures[0].steps == 2
    do(game, "say(nothing)")
    plan(game, "d2", "d1")
    skip(game, Phase.REROLL, Phase.EQUIP)
    show(game, {0: "666666", 1: "", 2: ""})
    card(game, "c4", "even")
    move(game, 0)
    assert where(game, 0) == "c4"


@pytest.mark.rule("fuji:EQUIP-1")
def test_binoculars_show_two_players_each_others_dice():
    game = table(skills=("survivalist", "gatherer", "scout"))
    give(game, 0, "binoculars")
    do(game, "play(binoculars)", "figure(2)")
    assert (game.view(0).state.dice[2] == game.state.dice[2]).all()
    assert (game.view(2).state.dice[0] == game.state.dice[0]).all()
    assert not game.view(0).state.dice[1].any()
    assert not game.view(1).state.dice[0].any()


@pytest.mark.rule("fuji:EQUIP-1")
def test_a_whistle_gives_everybody_a_reroll():
    plain, blown = (table(skills=("tinkerer", "gatherer", "buddy")) for _ in range(2))
    give(blown, 0, "whistle")
    do(blown, "play(whistle)")
    for game in (plain, blown):
        plan(game, "d2", "c3", "c1")
    rerolls = [[int(game.state.figures[k].rerolls) for k in range(3)] for game in (plain, blown)]
    assert rerolls[1] == [number + 1 for number in rerolls[0]]


@pytest.mark.rule("fuji:EQUIP-1")
@pytest.mark.parametrize(("stamina", "after"), [(3, 1), (1, 0), (6, 4), (5, 4), (7, 5)])
def test_a_tea_flask_takes_back_2_steps_but_not_over_a_plaster(stamina, after):
    game = table(skills=("survivalist", "gatherer", "scout"))
    game.state.figures[0].stamina = stamina
    give(game, 0, "tea_flask")
    do(game, "play(tea_flask)")
    assert game.state.figures[0].stamina == after


@pytest.mark.rule("fuji:EQUIP-1")
def test_a_tea_flask_has_no_use_on_a_plaster():
    game = table(skills=("survivalist", "gatherer", "scout"))
    game.state.figures[0].stamina = 8
    give(game, 0, "tea_flask")
    assert "play(tea_flask)" not in names(game)


@pytest.mark.rule("fuji:EQUIP-1")
def test_a_first_aid_kit_gives_back_one_injury():
    game = table(skills=("survivalist", "gatherer", "scout"))
    injure(game, 2, "die", "skill")
    give(game, 0, "first_aid_kit")
    do(game, "play(first_aid_kit)")
    assert names(game) == ["figure(2)"]
    do(game, "figure(2)")
    assert game.actor == 2
    assert names(game) == ["injury(die)", "injury(skill)"]
    do(game, "injury(skill)")
    assert names(game)[0].startswith("place")
    assert int(game.state.figures[2].injuries).bit_count() == 1


@pytest.mark.rule("fuji:EQUIP-1")
@pytest.mark.parametrize(("name", "most"), [("gloves", 2), ("flare", 1)])
def test_gloves_roll_two_dice_again_and_a_flare_one(name, most):
    game = equipping((name,))
    do(game, f"play({name})")
    sizes = {name.count("+") + 1 for name in names(game) if name.startswith("roll(")}
    assert sizes == set(range(1, most + 1))
    kept = game.state.dice[0].tolist()
    game.load_dice([6])
    do(game, "roll(2)")
    assert game.state.dice[0].tolist() == [kept[0], 6, *kept[2:]]


@pytest.mark.rule("fuji:EQUIP-1")
def test_a_pocket_knife_sets_dice_aside_that_all_see_and_that_count_for_nothing():
    game = equipping(("pocket_knife",))
    show(game, {0: "66666", 1: "555555"})
    do(game, "play(pocket_knife)", "figure(1)", "die(2)", "die(3)")
    assert game.state.figures[0].aside == 0b10
    assert game.state.figures[1].aside == 0b100
    assert game.view(2).state.dice[1].tolist() == [0, 0, 5, 0, 0, 0]
    card(game, "d2", "even")
    skip(game, Phase.EQUIP)
    from fuji_env.observation import columns

    seen = game.observe(0)["map"][columns("map")["values"]]
    row, column, _ = game.rules.pack.scenarios[0].places()[game.vocabulary.find_place("d2")]
    assert seen[0, row, column] == 4 * 6


@pytest.mark.rule("fuji:EQUIP-1")
def test_duct_tape_turns_a_die_to_its_opposite_face():
    game = equipping(("duct_tape",))
    show(game, {0: "12345"})
    do(game, "play(duct_tape)", "die(2)")
    assert game.state.dice[0].tolist() == [1, 5, 3, 4, 5, 0]


@pytest.mark.rule("fuji:EQUIP-1")
def test_a_walking_pole_helps_in_ones_own_move_only():
    for name, moved in (("walking_pole", True), ("helmet", False)):
        game = equipping((name,))
        do(game, f"play({name})")
        skip(game, Phase.EQUIP)
        card(game, "d2", "even")
        card(game, "c3", "blue or odd")
        show(game, {0: "24111", 1: "421111", 2: "1"})
        move(game, 0)
        assert (where(game, 0) == "d2") == moved


@pytest.mark.rule("fuji:EQUIP-1")
def test_a_helmet_saves_2_steps_of_stamina():
    game = equipping(("helmet",))
    do(game, "play(helmet)")
    skip(game, Phase.EQUIP)
    show(game, {0: "1", 1: "666666", 2: "6"})
    card(game, "d2", "even")
    move(game, 0)
    assert game.state.figures[0].stamina == 1  # 3 for a failed move on level 1, less 2


# --- loaded chance and illegal actions --------------------------------------------------------------------------------


def test_wrong_loads_and_illegal_actions_change_nothing():
    game = table(skills=USUAL)
    before = game.digest()
    with pytest.raises(ChanceError, match="die 7: allowed are 1 to 6"):
        game.load_dice([7])
    with pytest.raises(ChanceError, match="there is no equipment 'hammer'"):
        game.load_draws(["hammer"])
    with pytest.raises(IllegalActionError, match=r"bars\(0\) is not legal in PLAN; legal: place"):
        do(game, "bars(0)")
    with pytest.raises(ValueError, match=r"action 0\.5: allowed are the whole numbers"):
        game.step(0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no action is called 'jump'"):
        game.parse_action("jump")
    assert game.digest() == before
    with pytest.raises(TypeError, match="this is player 0's view"):
        game.view(0).step(0)


def test_a_loaded_draw_that_is_not_in_the_deck_leaves_the_game_as_it_was():
    game = table(skills=("survivalist", "tinkerer", "scout"))
    give(game, 1, "rope")
    put(game, 0, "d2")
    game.state.equipment_tokens |= 1 << game.vocabulary.find_place("e2")
    renew(game)
    to_moves(game, "e2", "c3", "c1")
    show(game, {0: "666666", 1: "", 2: ""})
    card(game, "e2", "even")
    game.load_draws(["rope"])
    before = game.digest()
    with pytest.raises(ChanceError, match="a loaded draw is not left in the deck"):
        do(game, "figure(0)")
    assert game.phase == Phase.NEXT
    assert game.digest() == before


def test_every_action_has_a_name_that_parses_back():
    game = Game(Rules(scenario=7), seed=1)
    names_of = [game.action_name(action) for action in range(game.rules.facts.actions)]
    assert len(set(names_of)) == len(names_of)
    assert [game.parse_action(name) for name in names_of] == list(range(len(names_of)))

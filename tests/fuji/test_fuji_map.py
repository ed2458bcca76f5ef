"""Map, conditions, dice, set-up (MAP, COND, DICE, SETUP)."""

import numpy as np
import pytest

from fuji_env import Game, Rules, load_pack
from fuji_env.content.model import COLOURS, NUMBERS
from fuji_env.observation import columns
from tests.helpers.fuji import card, move, names, plan, put, show, table, to_moves, where

BASE = load_pack("base")
SCENARIOS = range(1, len(BASE.scenarios) + 1)


def members(bits):
    return {place for place in range(64) if int(bits) >> place & 1}


@pytest.mark.rule("fuji:MAP-1")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_cards_are_dealt_face_up_to_the_places_of_their_kind(scenario):
    game, other = (Game(Rules(scenario=scenario), seed=seed) for seed in (1, 2))
    layout = game.rules.tables[0].layouts[scenario - 1]
    cards = game.state.cards.tolist()
    landscape, village = members(layout.landscape), members(layout.village)
    assert len(landscape) == 24
    assert 4 <= len(village) <= 6
    assert sorted(cards[place] for place in landscape) == list(range(1, 25))
    assert all(25 <= cards[place] <= 30 for place in village)
    assert len({cards[place] for place in village}) == len(village)
    assert cards != other.state.cards.tolist()


@pytest.mark.rule("fuji:MAP-2")
def test_cards_that_share_a_corner_are_not_adjacent():
    game = table()
    layout, names_of = game.rules.tables[0].layouts[0], game.vocabulary
    beside = {names_of.place(place) for place in members(layout.beside[names_of.find_place("d3")])}
    assert beside == {"c3", "e3", "d2", "d4"}


@pytest.mark.rule("fuji:MAP-3", "fuji:MAP-4", "fuji:LAVA-1")
def test_lava_spreads_from_the_volcano_over_rubble_and_landscape_but_never_to_villages():
    game = table()
    names_of = game.vocabulary
    assert {names_of.place(place) for place in members(game.state.lava)} == {"a1"}
    for k, place in enumerate(("h5", "f4", "e2")):
        put(game, k, place)
    to_moves(game, "h5", "f4", "e2")
    while game.state.round_number == 1:
        game.step(int(game.legal_actions()[0]))
    assert {names_of.place(place) for place in members(game.state.lava)} == {"a1", "b1", "a2"}
    layout = game.rules.tables[0].layouts[0]
    game.state.lava = int(layout.volcano | layout.rubble | layout.landscape)
    assert not members(game.state.lava) & members(layout.village)


@pytest.mark.rule("fuji:MAP-5", "fuji:PLAN-2")
def test_nobody_enters_rubble_or_lava_and_occupied_cards_may_be_crossed():
    game = table(skills=("tinkerer", "survivalist", "gatherer"))
    put(game, 1, "d2")
    put(game, 2, "d2")
    assert {"place(d2)", "place(e2)", "place(c2)"} <= set(names(game))  # over the occupied card, and with 0 steps
    assert not {"place(a1)", "place(b1)", "place(a2)"} & set(names(game))
    game.state.lava |= 1 << game.vocabulary.find_place("d2") | 1 << game.vocabulary.find_place("c3")
    put(game, 0, "c2")
    assert not {"place(d2)", "place(c3)", "place(d3)", "place(e2)"} & set(names(game))


@pytest.mark.rule("fuji:MAP-6")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_has_starts_and_tokens(scenario):
    game = Game(Rules(scenario=scenario), seed=1)
    layout = game.rules.tables[0].layouts[scenario - 1]
    assert len(members(game.state.eruption_tokens)) == 2
    assert 4 <= len(members(game.state.equipment_tokens)) <= 7
    assert layout.white != layout.grey


@pytest.mark.rule("fuji:MAP-7")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_is_8_to_10_cards_to_the_village(scenario):
    layout = Rules(scenario=scenario).tables[0].layouts[scenario - 1]
    assert 8 <= layout.to_village[layout.white] <= 10
    assert 8 <= layout.to_village[layout.grey] <= 10


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_both_starts_burn_in_round_3(scenario):
    layout = Rules(scenario=scenario).tables[0].layouts[scenario - 1]
    lava = members(layout.volcano)
    burnt = {}
    for eruption in (1, 2, 3):
        new = {near for place in lava for near in members(layout.beside[place])} - lava - members(layout.village)
        burnt.update(dict.fromkeys(new, eruption))
        lava |= new
    assert burnt[int(layout.white)] == burnt[int(layout.grey)] == 3


# --- conditions -------------------------------------------------------------------------------------------------------


def value(game, place):
    """The value of figure 0 there, as its own observation shows it."""
    seen = game.observe(0)["map"]
    row, column, _ = BASE.scenarios[0].places()[game.vocabulary.find_place(place)]
    return int(seen[columns("map")["values"], row, column][0])


FITS = {
    "pink": lambda n, c: c == "p",
    "odd": lambda n, c: n % 2,
    "odd yellow": lambda n, c: n % 2 and c == "y",
    "even pink": lambda n, c: n % 2 == 0 and c == "p",
    "1 or 2": lambda n, c: n in (1, 2),
    "pink or 4": lambda n, c: c == "p" or n == 4,
    "blue or odd": lambda n, c: c == "b" or n % 2,
    "5": lambda n, c: n == 5,
}


@pytest.mark.rule("fuji:COND-1", "fuji:COND-2", "fuji:COND-3")
@pytest.mark.parametrize("name", FITS)
def test_a_card_counts_the_dice_that_fit_it_each_once(name):
    game = table()
    show(game, {0: "132455"})
    shown = [(number, BASE.dice[die].colour(number)[0]) for die, number in enumerate((1, 3, 2, 4, 5, 5))]
    assert [colour for _, colour in shown] == ["p", "p", "p", "b", "b", "p"]
    card(game, "d2", name)
    assert value(game, "d2") == sum(number for number, colour in shown if FITS[name](number, colour))


@pytest.mark.rule("fuji:COND-4", "fuji:REROLL-1")
def test_a_reroll_icon_gives_one_reroll_more():
    for name, rerolls in (("pink", 1), ("even pink", 2)):
        game = table(skills=("tinkerer", "gatherer", "buddy"))
        card(game, "d2", name)
        plan(game, "d2", "c3", "c1")
        assert game.state.figures[0].rerolls == rerolls


# --- dice -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fuji:DICE-1", "fuji:DICE-3")
def test_every_colour_has_an_odd_and_an_even_face_on_each_die_and_each_pair_is_on_two():
    for die in BASE.dice:
        for colour in COLOURS:
            numbers = [number for number in range(1, NUMBERS + 1) if die.colour(number) == colour]
            assert len(numbers) == 2
            assert sum(numbers) == 7
    for number in range(1, NUMBERS + 1):
        for colour in COLOURS:
            assert sum(die.colour(number) == colour for die in BASE.dice) == 2


@pytest.mark.rule("fuji:DICE-2", "fuji:ROLL-1")
def test_everybody_rolls_the_dice_of_its_skill_card_behind_its_screen():
    game = table(players=4, skills=("scout", "buddy", "survivalist", "gatherer"))
    assert [int(np.count_nonzero(game.state.dice[k])) for k in range(4)] == [5, 6, 5, 6]
    view = game.view(1)
    assert [int(np.count_nonzero(view.state.dice[k])) for k in range(4)] == [0, 6, 0, 0]


@pytest.mark.rule("fuji:DICE-1")
def test_dice_show_1_to_6_equally_often():
    seen = np.zeros(7)
    for seed in range(400):
        seen += np.bincount(table_dice(seed), minlength=7)
    seen = seen[1:]
    assert seen.sum() > 3_000
    assert abs(seen / seen.sum() - 1 / 6).max() < 0.03


def table_dice(seed):
    dice = Game(Rules(players=3, skills=("scout", "buddy", "survivalist")), seed=seed).state.dice[:3].ravel()
    return dice[dice > 0].astype(np.int64)


# --- set-up -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fuji:SETUP-1")
def test_skill_cards_are_dealt_at_random_and_all_different():
    found = set()
    for seed in range(40):
        skills = [int(Game(Rules(), seed=seed).state.figures[k].skill) for k in range(4)]
        assert len(set(skills)) == 4
        found |= set(skills)
    assert found == set(range(6))


@pytest.mark.rule("fuji:SETUP-1", "fuji:SKILL-2", "fuji:SKILL-3", "fuji:SKILL-4", "fuji:SKILL-5")
def test_skill_cards_name_the_equipment_at_the_start():
    game = table(players=4, skills=("scout", "buddy", "survivalist", "gatherer"), bare=False)
    held = [int(game.state.figures[k].equipment) for k in range(4)]
    assert [bits.bit_count() for bits in held] == [2, 1, 1, 1]
    assert int(game.state.deck).bit_count() == 10
    assert int(game.state.deck) | held[0] | held[1] | held[2] | held[3] == (1 << 15) - 1
    assert game.view(2).state.figures[0].equipment == held[0]  # equipment lies open


@pytest.mark.rule("fuji:SETUP-2")
def test_an_empty_pile_is_refilled_from_the_discards():
    game = table(skills=("tinkerer", "survivalist", "gatherer"))
    game.state.deck, game.state.under, game.state.discards = 0, 0b10, 0b100
    put(game, 0, "d2")
    put(game, 1, "h5")
    put(game, 2, "f6")
    game.state.equipment_tokens |= 1 << game.vocabulary.find_place("e2") | 1 << game.vocabulary.find_place("g4")
    show(game, {0: "111111", 1: "111111", 2: "111111"})
    to_moves(game, "e2", "h5", "f6")
    show(game, {0: "666666", 1: "", 2: ""})
    card(game, "e2", "even")
    move(game, 0)
    assert game.state.figures[0].equipment == 0b10  # what lies under the pile comes first
    assert game.state.discards == 0b100


@pytest.mark.rule("fuji:SETUP-3")
def test_three_start_on_white_and_with_four_every_second_one_on_grey():
    three, four = table(players=3), table(players=4)
    assert [where(three, k) for k in range(3)] == ["c2"] * 3
    assert [where(four, k) for k in range(4)] == ["c2", "b3"] * 2


@pytest.mark.rule("fuji:SETUP-4")
def test_stamina_begins_at_0_and_the_level_is_chosen():
    for level in (1, 2, 3, 4):
        game = table(level=level)
        assert game.state.settings.level == level - 1
        assert [int(game.state.figures[k].stamina) for k in range(3)] == [0] * 3


@pytest.mark.rule("fuji:SETUP-5")
def test_the_lead_is_random_and_passes_to_the_left():
    assert {int(Game(Rules(), seed=seed).state.lead) for seed in range(40)} == {0, 1, 2, 3}
    game = table()
    for k, place in enumerate(("h5", "f4", "e2")):
        put(game, k, place)
    to_moves(game, "h5", "f4", "e2")
    while game.state.round_number == 1:
        game.step(int(game.legal_actions()[0]))
    assert game.state.lead == 1
    assert game.actor == 1

"""Content as one compiled record, passed beside the state to the rules that need it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuji_env.content.model import (
    CARDS,
    COLOURS,
    DICE,
    EQUIPMENT,
    EQUIPMENT_TOKEN,
    ERUPTION_TOKEN,
    GREY,
    MAX_LEVELS,
    MAX_SCENARIOS,
    MOST_VALUE,
    NUMBERS,
    ON_LANDSCAPE,
    PLACES,
    RUBBLE_CARD,
    SKILLS,
    VILLAGE,
    VOLCANO,
    WHITE,
    WORKS_FOR,
    Condition,
    Pack,
    Scenario,
)
from fuji_env.rules.base.names import EQUIPMENT_PHASE, PLANNING_PHASE
from fujikoro_env.kernel.records import Ints, Records, i16, i16s, i64, i64s, many, record, zeros

FAR = 99  # distance of a place that can't be reached
THIRDS = 3


@record
class Layout:
    """The map of a scenario. Sets of places are bit sets."""

    places: int = i16()
    volcano: int = i64()
    rubble: int = i64()
    landscape: int = i64()
    village: int = i64()
    eruption_tokens: int = i64()
    equipment_tokens: int = i64()
    white: int = i16()
    grey: int = i16()
    beside: Ints = i64s(PLACES)  # places that share a side (MAP-2)
    across: Ints = i64s(PLACES)  # places on the other side of one empty place of the grid (rope)
    row: Ints = i16s(PLACES)
    column: Ints = i16s(PLACES)
    to_village: Ints = i16s(PLACES)  # cards from here to the nearest village, over open cards; FAR if there is no way


@record
class Tables:
    """Content of a pack."""

    layouts: Records[Layout] = many(Layout, MAX_SCENARIOS)
    colour: Ints = i16s(DICE, NUMBERS + 1)  # of a die's face, by number
    counts: Ints = i16s(CARDS, DICE, NUMBERS + 1)  # 1 if a die that shows this number counts on the card
    fits: Ints = i64s(CARDS)  # the same as bit sets of faces: die * NUMBERS + number - 1
    reroll: Ints = i16s(CARDS)  # 1 with a reroll icon (COND-4)
    by_number: Ints = i16s(CARDS, NUMBERS)  # colours that count with each number
    by_colour: Ints = i16s(CARDS, len(COLOURS))  # numbers that count in each colour
    third: Ints = i16s(CARDS, DICE + 1, MOST_VALUE + 1)  # by number of dice and value: 0 weak, 1 fair, 2 strong
    failed: Ints = i16s(MAX_LEVELS)  # loss of stamina after a failed move
    loss: Ints = i16s(MAX_LEVELS, MOST_VALUE + 8)  # by margin
    skill_dice: Ints = i16s(len(SKILLS))
    skill_draws: Ints = i16s(len(SKILLS))
    skill_keeps: Ints = i16s(len(SKILLS))
    played_in: Ints = i16s(len(EQUIPMENT))  # bit set of PLANNING_PHASE and EQUIPMENT_PHASE
    works_for: Ints = i16s(len(EQUIPMENT))  # WorksFor
    track: int = i16()  # length of the stamina track
    plasters: int = i64()  # bit set of its spaces


def make_tables(pack: Pack) -> Any:
    """Return the tables of a pack, as a batch of one record."""
    batch = zeros(Tables, 1)
    table = batch[0]
    for row, scenario in zip(table.layouts, pack.scenarios, strict=False):
        _fill_layout(row, scenario)
    for die, printed in enumerate(pack.dice):
        table.colour[die, 1:] = [COLOURS.index(printed.colour(number)) for number in range(1, NUMBERS + 1)]
    for card, condition in enumerate(pack.areas):
        _fill_card(table, card, condition, pack)
    for row, level in enumerate(pack.levels):
        table.failed[row] = level.failed
        table.loss[row, 1:] = [level.lost(margin) for margin in range(1, table.loss.shape[1])]
    for row, skill in enumerate(pack.skills):
        table.skill_dice[row], table.skill_draws[row], table.skill_keeps[row] = skill.dice, skill.draws, skill.keeps
    bits = {2: PLANNING_PHASE, 4: EQUIPMENT_PHASE}
    for row, one in enumerate(pack.equipment):
        table.played_in[row] = sum(bits[phase] for phase in set(one.phases))
        table.works_for[row] = WORKS_FOR.index(one.works_for)
    table.track = pack.stamina
    table.plasters = sum(1 << space for space in pack.plasters)
    return batch


def _fill_card(table: Any, card: int, condition: Condition, pack: Pack) -> None:
    for die, printed in enumerate(pack.dice):
        table.counts[card, die, 1:] = [condition.fits(n, printed.colour(n)) for n in range(1, NUMBERS + 1)]
    table.fits[card] = sum(1 << face for face, counts in enumerate(table.counts[card, :, 1:].ravel()) if counts)
    fits = [[condition.fits(number, colour) for number in range(1, NUMBERS + 1)] for colour in COLOURS]
    table.by_number[card], table.by_colour[card] = np.sum(fits, axis=0), np.sum(fits, axis=1)
    table.reroll[card] = condition.reroll
    chances: NDArray[np.float64] = np.eye(1, MOST_VALUE + 1)[0]  # of each value, with no dice
    for dice in range(DICE + 1):
        table.third[card, dice] = thirds(chances)
        if dice < DICE:
            chances = _with_one_more(chances, table.counts[card, dice])


def _with_one_more(chances: NDArray[np.float64], counts: Any) -> NDArray[np.float64]:
    """Return the chances of each value with one more die."""
    after = np.zeros_like(chances)
    for number in range(1, NUMBERS + 1):
        value = number if counts[number] else 0
        after[value:] += chances[: len(chances) - value] / NUMBERS
    return after


def thirds(chances: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the third that each value falls in, against a random roll: 0 for weak, 1 for fair, 2 for strong. A value
    stands in the middle of all rolls that are equal to it."""
    rank = np.cumsum(chances) - chances / 2
    return np.minimum((rank * THIRDS).astype(np.int64), THIRDS - 1)


def _fill_layout(row: Any, scenario: Scenario) -> None:
    cards = scenario.places()
    number = {(r, c): place for place, (r, c, _) in enumerate(cards)}
    row["places"] = len(cards)
    for name, letters in (
        ("volcano", VOLCANO),
        ("rubble", RUBBLE_CARD),
        ("landscape", ON_LANDSCAPE),
        ("village", VILLAGE),
        ("eruption_tokens", ERUPTION_TOKEN),
        ("equipment_tokens", EQUIPMENT_TOKEN),
    ):
        row[name] = sum(1 << place for place, (_, _, letter) in enumerate(cards) if letter in letters)
    found = [letter for _, _, letter in cards]
    row["white"], row["grey"] = found.index(WHITE), found.index(GREY)
    for place, (r, c, _) in enumerate(cards):
        row["row"][place], row["column"][place] = r, c
        near = _near(r, c)
        row["beside"][place] = sum(1 << number[one] for one in near if one in number)
        over = {far for one in near if one not in number for far in _near(*one) if far in number}
        row["across"][place] = sum(1 << number[far] for far in over - {(r, c)})
    row["to_village"][:] = FAR
    row["to_village"][: len(cards)] = distances(row, len(cards))


def _near(row: int, column: int) -> tuple[tuple[int, int], ...]:
    return (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)


def distances(row: Any, places: int) -> list[int]:
    """Return the distance of each place from the nearest village, over landscape and villages."""
    found = [0 if int(row["village"]) >> place & 1 else FAR for place in range(places)]
    for _ in range(places):
        for place in range(places):
            near = [found[other] for other in range(places) if int(row["beside"][place]) >> other & 1]
            if int(row["landscape"]) >> place & 1:
                found[place] = min(found[place], min(near, default=FAR) + 1)
    return [min(one, FAR) for one in found]

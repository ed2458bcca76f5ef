"""What cards ask of the dice, and the values of players there (COND)."""

from fuji_env.content.model import DICE
from fuji_env.rules.base.frames import after
from fuji_env.rules.base.state import State
from fuji_env.rules.base.tables import Tables
from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import has


@rule
def value_of(s: State, t: Tables, dice_set: int, card: int) -> int:
    """Return the sum of the dice of a set that count on an area card; each counts once, and none that is set aside
    (COND-3, SKILL-3)."""
    value, aside = 0, s.figures[dice_set].aside
    for die in range(DICE):
        number = int(s.dice[dice_set, die])
        if number != 0 and t.counts[card, die, number] != 0 and not has(aside, die):
            value += number
    return value


@rule
def left_of(s: State, figure: int) -> int:
    """Return the set of the neighbour on the left."""
    return after(figure, 1, s.settings.sets)


@rule
def right_of(s: State, figure: int) -> int:
    """Return the set of the neighbour on the right."""
    return after(figure, s.settings.sets - 1, s.settings.sets)


@rule
def higher_neighbour(s: State, t: Tables, figure: int, card: int) -> int:
    """Return the higher value of the two neighbours."""
    return max(value_of(s, t, left_of(s, figure), card), value_of(s, t, right_of(s, figure), card))


@rule
def card_at(s: State, place: int) -> int:
    """Return the area card at a place."""
    return int(s.cards[place]) - 1

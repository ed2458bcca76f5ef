"""What a player sees when it chooses an aim (`Scene`), and the choices found so far (`Draft`)."""

from typing import Any, NamedTuple

import numpy as np

from fujikoro_agents.plans.following import first_action, is_bonus, is_craft
from fujikoro_agents.plans.tables import CHOICES
from fujikoro_agents.scripted.acting import NO_ANSWER
from fujikoro_agents.scripted.aims import NO_AIM, deed_of_aim, space_of_aim
from fujikoro_agents.scripted.paths import DISTANCE, moves_for
from fujikoro_agents.scripted.plans import TO_EXPLORE, TO_GATHER
from fujikoro_env.kernel.jit import Floats, IntArray, IntTable, Words, rule


class Scene(NamedTuple):
    """A player who chooses an aim, and what it knows."""

    p: int
    steps: int  # steps of a move
    ways: IntArray  # paths from where it stands (scripted/paths.py)
    reached: int  # number of spaces reached
    wishes: Floats  # what things are worth: wishes, or in co-op worths, which begin like wishes
    places: int  # where in `wishes` the worth of places begins
    dangers: Floats  # by space, in co-op
    home: IntArray  # paths to the rope, in the final chapter
    left: int  # actions until it has to be on the rope; -1 before the final chapter
    known: IntTable  # memory of estimated fights


class Draft(NamedTuple):
    """Choices found so far. Choice 0 is the script's."""

    aims: IntArray
    rates: Floats
    gains: Floats
    usual: int  # the aim of the script: no other choice has it


@rule
def new_draft(usual: int) -> Draft:
    """A draft with the script's choice alone."""
    aims: Any = np.zeros(CHOICES, np.int64)
    rates: Any = np.zeros(CHOICES, np.float32)
    gains: Any = np.zeros(CHOICES, np.float32)
    aims[0] = NO_AIM
    return Draft(aims, rates, gains, usual)


@rule
def actions_for(deed: int, moves: int) -> int:
    """Number of actions for a deed whose goal is this many moves away."""
    if deed in (TO_EXPLORE, TO_GATHER):
        return moves + 1
    return 1 if is_craft(deed) or is_bonus(deed) else max(1, moves)


@rule
def is_possible(mask: Words, scene: Scene, draft: Draft, aim: int) -> bool:
    """Whether an aim can be begun now and is not the script's own."""
    far = scene.ways[DISTANCE + space_of_aim(aim)]
    return aim != draft.usual and far >= 0 and first_action(mask, int(far), deed_of_aim(aim)) != NO_ANSWER


@rule
def propose(mask: Words, scene: Scene, draft: Draft, count: int, aim: int, gain: float) -> int:
    """Add an aim if it is possible; return the number of choices."""
    if count >= CHOICES or not is_possible(mask, scene, draft, aim):
        return count
    draft.aims[count] = aim
    draft.gains[count] = gain
    return count + 1


@rule
def rank(mask: Words, scene: Scene, draft: Draft, first: int, count: int, aim: int, gain: float) -> int:
    """Insert a goal so that the best are kept in falling order of gain per action, from index `first` on; return the
    number of choices."""
    space, deed = space_of_aim(aim), deed_of_aim(aim)
    moves = moves_for(scene.ways[DISTANCE + space], 0, scene.steps)
    # float(): plain Python would compute and compare in single precision, and break ties otherwise
    rate = (float(gain) - float(scene.dangers[space])) / actions_for(deed, moves)
    if gain <= 0.0 or (count >= CHOICES and rate <= float(draft.rates[CHOICES - 1])):
        return count
    if not is_possible(mask, scene, draft, aim):
        return count
    k = min(count, CHOICES - 1)
    while k > first and float(draft.rates[k - 1]) < rate:
        draft.rates[k] = draft.rates[k - 1]
        draft.aims[k] = draft.aims[k - 1]
        draft.gains[k] = draft.gains[k - 1]
        k -= 1
    draft.rates[k] = rate
    draft.aims[k] = aim
    draft.gains[k] = gain
    return min(count, CHOICES - 1) + 1

"""Aims of the level `plans`: how they begin and how they are followed.

An aim is one number, a deed and a space, as in scripted/aims.py, with more deeds.
"""

from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.acting import NO_ANSWER, action_of, step_by
from fujikoro_agents.scripted.aims import NO_AIM, deed_of_aim, is_deed_of, plan_for_aim
from fujikoro_agents.scripted.crafting import first_lay
from fujikoro_agents.scripted.plans import PLAN, TO_CRAFT, TO_USE_BONUS
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allows
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import DISC_FIELDS, GEARS, RESOURCE_KINDS
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables

# Deeds beyond those of scripted/plans.py, of which TO_USE_BONUS is the last and has a number for each field.
TO_HIDE: Final = TO_USE_BONUS + DISC_FIELDS
TO_MEET: Final = TO_HIDE + 1
TO_CRAFT_GEAR: Final = TO_MEET + 1  # a number for each gear


@rule
def is_craft(deed: int) -> bool:
    """Whether the deed is a rest, with or without a certain gear to craft."""
    return deed == TO_CRAFT or deed >= TO_CRAFT_GEAR


@rule
def is_bonus(deed: int) -> bool:
    """Whether the deed is an action for its bonus."""
    return TO_USE_BONUS <= deed < TO_HIDE


@rule
def first_action(mask: Words, far: int, deed: int) -> int:
    """The action that begins an aim whose goal is `far` steps away, or NO_ANSWER if it is not legal."""
    chosen = act.MOVE + 0
    if far == 0:
        if is_craft(deed) or deed in (TO_HIDE, TO_MEET):
            chosen = act.REST + 0
        else:
            chosen = action_of(deed)
    return chosen if allows(mask, chosen) else NO_ANSWER


@rule
def aim_after(action: int, aim: int) -> int:
    """What is left of an aim after an action at a question for an action. A craft goes on after its rest."""
    if is_craft(deed_of_aim(aim)):
        return aim
    return NO_AIM + 0 if is_deed_of(action, aim) else aim


@rule
def follow(s: State, t: Tables, mask: Words, aim: int, usual: int) -> int:
    """The answer that follows an aim between two questions for an action; `usual`, the script's answer, if the aim
    doesn't matter."""
    if aim == NO_AIM:
        return usual
    phase, deed, chosen = top(s).phase, deed_of_aim(aim), NO_ANSWER
    if phase == Phase.MOVE and not is_craft(deed) and not is_bonus(deed):
        plan: Any = np.empty(PLAN, np.float32)
        plan_for_aim(s, t, int(top(s).actor), aim, plan)
        chosen = step_by(mask, plan)
    elif deed >= TO_CRAFT_GEAR:
        chosen = answer_of_smith(s, mask, deed - TO_CRAFT_GEAR, usual)
    return chosen if chosen != NO_ANSWER and allows(mask, chosen) else usual


@rule
def answer_of_smith(s: State, mask: Words, gear: int, usual: int) -> int:
    """Choose the gear to craft. While it is crafted, go on after the script is done: lay all cubes of the pack that
    fit, the best first. NO_ANSWER otherwise."""
    frame = top(s)
    if frame.phase == Phase.REST and allows(mask, act.CRAFT + gear):
        return act.CRAFT + gear
    if frame.phase == Phase.CRAFT_LAY and frame.thing == gear and usual == act.DONE:
        for k in range(RESOURCE_KINDS):
            lay = first_lay(mask, RESOURCE_KINDS - 1 - k, gear)
            if lay != NO_ANSWER:
                return lay
    return NO_ANSWER + 0


assert TO_CRAFT_GEAR + GEARS <= 16  # DEEDS_OF_SPACE of scripted/aims.py

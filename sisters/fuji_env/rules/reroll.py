"""Rolling dice again (REROLL)."""

from fuji_env.content.model import DICE
from fuji_env.rules.base.actions import DIE, DONE, ROLL
from fuji_env.rules.base.frames import after, pop, push, top
from fuji_env.rules.base.names import Gear, Injury, Skill
from fuji_env.rules.base.phases import Phase
from fuji_env.rules.base.state import ALL_DICE, MOST_REROLLS, MOST_STEPS, State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.cond import card_at
from fuji_env.rules.dice import free_dice, remember_dice, roll_again, show_rerolls
from fuji_env.rules.skill import has_skill, take_bars
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, count_bits, has

STEPS_OF_BOOTS = 3  # as what 4 steps in hiking boots count
NO_REROLL_STEPS = 3


@rule
def is_scout_ban(s: State, figure: int) -> bool:
    """Whether the Scout has planned 4 steps by its skill, and so may not roll again in this round (SKILL-2,
    SKILL-7)."""
    me = s.figures[figure]
    return me.steps == MOST_STEPS and not has(me.effects, Gear.HIKING_BOOTS)


@rule
def rerolls_of_steps(s: State, figure: int) -> int:
    """Return the rerolls for the planned steps: 2, 1, 1, 0 for 0 to 3 (REROLL-1)."""
    me = s.figures[figure]
    steps = min(me.steps, STEPS_OF_BOOTS)
    if has(me.effects, Gear.TRAIL_MAP):
        steps -= 1
    if steps <= 0:
        return 2
    return 1 if steps < NO_REROLL_STEPS else 0


@rule
def allowance(s: State, t: Tables, figure: int) -> int:
    """Return how often a figure's player may roll again in this round (REROLL-1, SKILL-4, STAM-5)."""
    if is_scout_ban(s, figure):
        return 0
    me = s.figures[figure]
    rerolls = rerolls_of_steps(s, figure) + t.reroll[card_at(s, me.marker - 1)] + s.whistles
    if has_skill(me, Skill.SURVIVALIST):
        rerolls += 1
    if has(me.injuries, Injury.REROLL):
        rerolls -= 1
    return min(max(rerolls, 0), MOST_REROLLS)


@rule
def begin_rerolls(s: State, t: Tables) -> None:
    """Phase 3 begins."""
    remember_dice(s)
    for figure in range(s.settings.figures):
        s.figures[figure].rerolls = allowance(s, t, figure)


@rule
def go_rerolling(s: State) -> None:
    """Ask one player after the other; nobody sees anything of the others' rerolls before all are done (REROLL-3)."""
    frame = top(s)
    if frame.left == s.settings.figures:
        pop(s)
        show_rerolls(s)
        take_bars(s)
        return
    figure = after(s.lead, frame.left, s.settings.figures)
    frame.left += 1
    push(s, Phase.REROLL, figure)


@rule
def allow_rolls(s: State, figure: int, most: int, mask: Words) -> None:
    """Allow rolling any one or more of the free dice, at most so many."""
    free = free_dice(s, figure)
    for dice in range(1, ALL_DICE + 1):
        if dice & ~free == 0 and count_bits(dice) <= most:
            allow(mask, ROLL + dice - 1)


@rule
def allow_dice(s: State, figure: int, mask: Words) -> None:
    """Allow naming one of the free dice."""
    free = free_dice(s, figure)
    for die in range(DICE):
        if has(free, die):
            allow(mask, DIE + die)


@rule
def legal_reroll(s: State, mask: Words) -> None:
    """Roll again, or stop; nobody must (REROLL-2). The Buddy may set a die aside (SKILL-3)."""
    figure = top(s).figure
    me = s.figures[figure]
    allow(mask, DONE)
    if me.rerolls > 0:
        allow_rolls(s, figure, DICE, mask)
    if has_skill(me, Skill.BUDDY) and me.buddy == 0:
        allow_dice(s, figure, mask)


@rule
def do_reroll(s: State, action: int) -> None:
    """Roll some dice again, set one aside, or stop."""
    figure = top(s).figure
    me = s.figures[figure]
    if action == DONE:
        pop(s)
    elif action >= DIE:
        me.buddy = 1
        set_aside(s, figure, action - DIE)
    else:
        dice = action - ROLL + 1
        me.rerolls -= 1
        me.rerolled |= dice
        roll_again(s, figure, dice)


@rule
def set_aside(s: State, figure: int, die: int) -> None:
    """Set a die aside, seen by all; it counts for nothing and comes back at the end of the round (SKILL-3)."""
    s.figures[figure].aside |= bit(die)

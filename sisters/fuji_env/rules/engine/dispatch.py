"""Calls the functions of the phase on top of the stack. Written by tools/make_phases.py: do not edit."""

from fuji_env.rules.base.frames import top
from fuji_env.rules.base.names import Fault
from fuji_env.rules.base.phases import Phase
from fuji_env.rules.base.state import State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.equip import (
    do_equip,
    do_give,
    do_heal,
    do_healed,
    do_partner,
    do_radio,
    do_roll_dice,
    do_set_aside,
    do_turn_die,
    go_equipping,
    legal_equip,
    legal_give,
    legal_heal,
    legal_healed,
    legal_partner,
    legal_radio,
    legal_roll_dice,
    legal_set_aside,
    legal_turn_die,
)
from fuji_env.rules.move import do_bars, do_next, go_moving, go_turn, legal_bars, legal_next
from fuji_env.rules.plan import do_plan, do_walk, do_word, go_planning, legal_plan, legal_walk, legal_word
from fuji_env.rules.reroll import do_reroll, go_rerolling, legal_reroll
from fuji_env.rules.rounds import go_round
from fuji_env.rules.setup import do_keep, go_deal, legal_keep
from fuji_env.rules.stamina import do_injury, legal_injury
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import clear


@rule
def legal(s: State, t: Tables, mask: Words) -> None:
    """Mark what may be answered to the question on top of the stack."""
    clear(mask)
    match top(s).phase:
        case Phase.KEEP:
            legal_keep(s, mask)
        case Phase.PLAN:
            legal_plan(s, t, mask)
        case Phase.WALK:
            legal_walk(mask)
        case Phase.WORD:
            legal_word(s, mask)
        case Phase.RADIO:
            legal_radio(s, t, mask)
        case Phase.PARTNER:
            legal_partner(s, mask)
        case Phase.GIVE:
            legal_give(s, mask)
        case Phase.HEAL:
            legal_heal(s, mask)
        case Phase.HEALED:
            legal_healed(s, mask)
        case Phase.REROLL:
            legal_reroll(s, mask)
        case Phase.EQUIP:
            legal_equip(s, t, mask)
        case Phase.ROLL_DICE:
            legal_roll_dice(s, mask)
        case Phase.SET_ASIDE:
            legal_set_aside(s, mask)
        case Phase.TURN_DIE:
            legal_turn_die(s, mask)
        case Phase.NEXT:
            legal_next(s, mask)
        case Phase.BARS:
            legal_bars(s, mask)
        case Phase.INJURY:
            legal_injury(s, mask)


@rule
def do(s: State, t: Tables, action: int) -> None:
    """Carry out a legal answer."""
    match top(s).phase:
        case Phase.KEEP:
            do_keep(s, action)
        case Phase.PLAN:
            do_plan(s, t, action)
        case Phase.WALK:
            do_walk(s, t, action)
        case Phase.WORD:
            do_word(s, action)
        case Phase.RADIO:
            do_radio(s, t, action)
        case Phase.PARTNER:
            do_partner(s, t, action)
        case Phase.GIVE:
            do_give(s, action)
        case Phase.HEAL:
            do_heal(s, action)
        case Phase.HEALED:
            do_healed(s, action)
        case Phase.REROLL:
            do_reroll(s, action)
        case Phase.EQUIP:
            do_equip(s, t, action)
        case Phase.ROLL_DICE:
            do_roll_dice(s, action)
        case Phase.SET_ASIDE:
            do_set_aside(s, action)
        case Phase.TURN_DIE:
            do_turn_die(s, action)
        case Phase.NEXT:
            do_next(s, action)
        case Phase.BARS:
            do_bars(s, action)
        case Phase.INJURY:
            do_injury(s, action)


@rule
def go(s: State, t: Tables) -> None:
    """Take the step that the top frame stands for."""
    match top(s).phase:
        case Phase.DEAL:
            go_deal(s, t)
        case Phase.ROUND:
            go_round(s, t)
        case Phase.PLANNING:
            go_planning(s)
        case Phase.REROLLING:
            go_rerolling(s)
        case Phase.EQUIPPING:
            go_equipping(s)
        case Phase.MOVING:
            go_moving(s)
        case Phase.TURN:
            go_turn(s, t)
        case _:  # a damaged record: without this the game would never come to its next decision
            s.fault = Fault.NO_LEGAL_ACTION

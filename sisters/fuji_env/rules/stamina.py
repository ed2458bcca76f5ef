"""Stamina and injuries (STAM)."""

from fuji_env.rules.base.actions import INJURY
from fuji_env.rules.base.frames import pop, push, top
from fuji_env.rules.base.names import ALL_INJURIES, INJURIES, Gear, Reason
from fuji_env.rules.base.phases import Phase
from fuji_env.rules.base.state import State
from fuji_env.rules.base.tables import Tables
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, has

STEPS_OF_A_HELMET = 2


@rule
def tire(s: State, t: Tables, figure: int, loss: int) -> None:
    """Move a stamina marker forward. The last space is death, and loses the game for all (STAM-1, STAM-2)."""
    me = s.figures[figure]
    if has(me.effects, Gear.HELMET):
        loss = max(loss - STEPS_OF_A_HELMET, 0)
    for _ in range(loss):
        me.stamina += 1
        if me.stamina >= t.track:
            s.reason = Reason.STAMINA
            return
        if has(t.plasters, me.stamina) and me.injuries != ALL_INJURIES:
            push(s, Phase.INJURY, figure)


@rule
def legal_injury(s: State, mask: Words) -> None:
    """Choose an injury that was not suffered yet (STAM-3)."""
    for injury in range(INJURIES):
        if not has(s.figures[top(s).figure].injuries, injury):
            allow(mask, INJURY + injury)


@rule
def do_injury(s: State, action: int) -> None:
    """Suffer an injury."""
    s.figures[top(s).figure].injuries |= bit(action - INJURY)
    pop(s)

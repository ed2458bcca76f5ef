"""SCEN-61, SCEN-62: the legendary dragon has to be lured to the start tile and fought down to 10 health there,
alive."""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.map.geometry import START_PLACE
from fujikoro_env.rules.scenarios.terms import Term, holds

LEGENDARY = 3  # index of white in DRAGON_COLOURS
TAME_HEALTH = 10


@rule
def is_legendary(t: Tables, dragon: int) -> bool:
    """Whether a dragon is the legendary one."""
    return t.dragon_colour[dragon] == LEGENDARY


@rule
def is_tame(s: State, t: Tables) -> bool:
    """Whether the dragon of the current fight is tamed (SCEN-62)."""
    if not holds(s, Term.TAME_THE_LEGENDARY) or s.fight.dragon == 0:
        return False
    on_start = s.dragon_at[START_PLACE] == s.fight.dragon
    return on_start and is_legendary(t, s.fight.dragon - 1) and 0 < s.fight.health <= TAME_HEALTH


@rule
def must_not_die(s: State, t: Tables, dragon: int) -> bool:
    """Whether killing the dragon loses the game (SCEN-62)."""
    return holds(s, Term.TAME_THE_LEGENDARY) and is_legendary(t, dragon)

"""SCEN-61, SCEN-62: the legendary dragon is lured to the start tile, and brought down to 10 health there, alive."""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.map.geometry import START_PLACE
from fujikoro_env.rules.scenarios.terms import Term, holds

LEGENDARY = 3  # the white colour
TAME_HEALTH = 10


@rule
def is_legendary(t: Tables, dragon: int) -> bool:
    return t.dragon_colour[dragon] == LEGENDARY


@rule
def is_tame(s: State, t: Tables) -> bool:
    """SCEN-62: in the fight that is going on."""
    if not holds(s, Term.TAME_THE_LEGENDARY) or s.fight.dragon == 0:
        return False
    on_start = s.dragon_at[START_PLACE] == s.fight.dragon
    return on_start and is_legendary(t, s.fight.dragon - 1) and 0 < s.fight.health <= TAME_HEALTH


@rule
def must_not_die(s: State, t: Tables, dragon: int) -> bool:
    """SCEN-62: killing it loses."""
    return holds(s, Term.TAME_THE_LEGENDARY) and is_legendary(t, dragon)

"""DRAG-7 to DRAG-9: health of dragons and permanent damage."""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.base.names import CoopHealth, Supply
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.scenarios.terms import Term, holds

FEW_PLAYERS = 2


@rule
def dragon_health(s: State, t: Tables, dragon: int) -> int:
    """Return the health of a dragon by number of players (DRAG-8), minus permanent damage, at least 1 (DRAG-7,
    DRAG-9)."""
    players = 1 if has_solo_health(s) else s.settings.players + 0
    column = 0 if players > FEW_PLAYERS else FEW_PLAYERS + 1 - players
    return max(1, t.dragon_health[dragon, column] - s.dragons[dragon].damage)


@rule
def has_solo_health(s: State) -> bool:
    """Whether dragons have their solo health with any number of players: under SCEN-14, or COOP-19 with the option
    `coop_health="solo"`."""
    return holds(s, Term.FIGHTS_ALONE) or s.settings.coop_health == CoopHealth.SOLO


@rule
def can_be_damaged(s: State, t: Tables, place: int) -> bool:
    """Whether the place has a dragon with more than 1 health and a damage token is left (DRAG-9)."""
    dragon = s.dragon_at[place]
    return dragon != 0 and s.supply[Supply.DAMAGE] > 0 and dragon_health(s, t, dragon - 1) > 1


@rule
def damage_for_good(s: State, t: Tables, place: int, damage: int) -> None:
    """Deal permanent damage, as far as there are tokens and the dragon keeps 1 health (DRAG-9)."""
    dragon = s.dragon_at[place] - 1
    dealt = min(damage, min(s.supply[Supply.DAMAGE], dragon_health(s, t, dragon) - 1))
    s.supply[Supply.DAMAGE] -= dealt
    s.dragons[dragon].damage += dealt

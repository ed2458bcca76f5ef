"""Seats: the observer is 0, and the others follow in playing order. Enemies (SCEN-71) keep their number: they follow
the one who plays."""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.enemies import is_enemy
from fujikoro_env.rules.geometry import TEMPLES
from fujikoro_env.rules.state import State
from fujikoro_env.rules.terms import Term, holds


@rule
def seat_of(s: State, observer: int, player: int) -> int:
    """Without a quotient, which takes long."""
    after = player - observer
    if is_enemy(s, player):
        return player
    return after if after >= 0 else after + s.settings.players


@rule
def player_at(s: State, observer: int, seat: int) -> int:
    player = observer + seat
    if is_enemy(s, seat):
        return seat
    return player if player < s.settings.players else player - s.settings.players


@rule
def seats_taken(s: State) -> int:
    """How many sit at the table, enemies with them."""
    return s.settings.players + (TEMPLES if holds(s, Term.ENEMY_SAMURAI) else 0)

"""Conversion between players and seats. The observer is seat 0, and the others follow in playing order. Enemies
(SCEN-71) keep their number, because they follow the only player."""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.seats import player_after, seat_after
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.map.geometry import TEMPLES
from fujikoro_env.rules.scenarios.enemies import is_enemy
from fujikoro_env.rules.scenarios.terms import Term, holds


@rule
def seat_of(s: State, observer: int, player: int) -> int:
    """The seat of a player, as the observer sees it."""
    return player if is_enemy(s, player) else seat_after(observer, player, s.settings.players)


@rule
def player_at(s: State, observer: int, seat: int) -> int:
    """The player in a seat, as the observer sees it."""
    return seat if is_enemy(s, seat) else player_after(observer, seat, s.settings.players)


@rule
def seats_taken(s: State) -> int:
    """Number of seats in use, including enemies."""
    return s.settings.players + (TEMPLES if holds(s, Term.ENEMY_SAMURAI) else 0)

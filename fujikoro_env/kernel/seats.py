"""Seats relative to an observer: the observer is seat 0, and the others follow in playing order."""

from fujikoro_env.kernel.jit import rule


@rule
def seat_after(observer: int, player: int, players: int) -> int:
    """Return the seat of a player relative to the observer. Avoids a division, which is slow."""
    after = player - observer
    return after if after >= 0 else after + players


@rule
def player_after(observer: int, seat: int, players: int) -> int:
    """Return the player at a seat relative to the observer."""
    player = observer + seat
    return player if player < players else player - players

"""Seats as an observer counts them: the observer is 0, and the others follow in playing order."""

from fujikoro_env.kernel.jit import rule


@rule
def seat_after(observer: int, player: int, players: int) -> int:
    """How many seats a player sits after the observer. Without a quotient, which takes long."""
    after = player - observer
    return after if after >= 0 else after + players


@rule
def player_after(observer: int, seat: int, players: int) -> int:
    """The player who sits so many seats after the observer."""
    player = observer + seat
    return player if player < players else player - players

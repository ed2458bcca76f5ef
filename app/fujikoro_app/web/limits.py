"""Limits that keep one visitor from taking the whole server."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What a server accepts. Times are in seconds, sizes in bytes."""

    games: int = 100  # running at the same time
    sockets: int = 400  # open at the same time
    sockets_of_a_game: int = 100
    tables: int = 300  # running and finished games in memory; files of finished games stay
    replays: int = 50  # kept in memory
    recordings: int = 2000  # kept on disk
    message: int = 4096
    upload: int = 8 << 20
    messages_a_second: float = 20.0  # of one socket, after a burst
    burst: int = 60
    faults: int = 20  # refused messages, after which a socket is closed
    thinking: float = 60.0  # for one decision of an agent; then a random agent plays on
    waiting: int = 50  # requests that wait for a worker, for hints and analysis

"""Protocols: which games an agent plays to be measured. A published protocol never changes; a better one gets a new
name, so that all results of one name can be compared.

>>> PROTOCOLS["v0"].games
2416
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from fujikoro_env.settings import Rules
from fujikoro_training.tournament.schedule import Match

AGENT, OPPONENT = 0, 1  # numbers of the agents in the seats of a match
FIRST_SEED: Final = 900_000_000  # nothing else is measured, tuned or trained with seeds from here to LAST_SEED
LAST_SEED: Final = 999_999_999
QUICK_OFFSET: Final = 50_000_000  # quick runs use other seeds, so frequent use does not overfit the benchmark
QUICK_SEEDS: Final = 2


class ProtocolError(ValueError):
    """A protocol or series that does not exist; the message says so in one line."""


@dataclass(frozen=True)
class Series:
    """Games of one kind. In competitive play one copy of the agent meets opponents of one kind, and every seed is
    played with the agent in every seat. In co-op the agent plays all seats, once per seed."""

    name: str
    mode: str  # "competitive" or "coop"
    players: int
    opponent: str | None  # agent in all other seats; None in co-op
    first_seed: int
    seeds: int
    characters: str | None = None  # "random": asymmetric boards, dealt at random

    @property
    def rules(self) -> Rules:
        """Rules of the games: the default ones, with or without characters."""
        return Rules(players=self.players, mode=self.mode, characters=self.characters)

    @property
    def terms(self) -> dict[str, Any]:
        """Everything that the series says, for the digest of its protocol."""
        said = asdict(self)
        if self.characters is None:
            del said["characters"]  # protocols that are older than this field keep their digest
        return said

    @property
    def seatings(self) -> list[tuple[int, ...]]:
        """All seatings that every seed is played with."""
        if self.opponent is None:
            return [(AGENT,) * self.players]
        return [
            tuple(AGENT if seat == mine else OPPONENT for seat in range(self.players)) for mine in range(self.players)
        ]

    @property
    def games(self) -> int:
        """Number of games."""
        return self.seeds * len(self.seatings)

    def matches(self, first_game: int) -> Iterator[Match]:
        """All games, numbered from `first_game`; all games of a seed are a block."""
        seatings = self.seatings
        for block in range(self.seeds):
            for rotation, seats in enumerate(seatings):
                game = first_game + block * len(seatings) + rotation
                yield Match(game, block, rotation, self.first_seed + block, seats)


@dataclass(frozen=True)
class Protocol:
    """A named, immutable set of series."""

    name: str
    series: tuple[Series, ...]
    move_seconds: float  # an agent that takes longer for one decision forfeits the game
    quick: bool = False  # whether this is only a trial of the protocol, whose results do not count

    @property
    def digest(self) -> str:
        """Hash of everything that the protocol says."""
        said = {**asdict(self), "series": [series.terms for series in self.series]}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def games(self) -> int:
        """Number of games in all series."""
        return sum(series.games for series in self.series)

    def matches(self, series: Series) -> list[Match]:
        """Games of one of the series; numbers are unique within the protocol."""
        before = self.series[: self.series.index(series)]
        return list(series.matches(sum(each.games for each in before)))

    def named(self, names: Sequence[str]) -> list[Series]:
        """Series of these names, in the protocol's order."""
        known = [series.name for series in self.series]
        if unknown := [name for name in names if name not in known]:
            raise ProtocolError(f"unknown series {unknown[0]!r}: protocol {self.name} has {', '.join(known)}")
        return [series for series in self.series if series.name in names]

    def trial(self) -> "Protocol":
        """A small trial of the protocol: few games, on seeds that the protocol does not use."""
        few = [
            replace(series, first_seed=series.first_seed + QUICK_OFFSET, seeds=QUICK_SEEDS) for series in self.series
        ]
        return replace(self, name=f"{self.name}-quick", series=tuple(few), quick=True)


PROTOCOLS: Final = {
    "v0": Protocol(
        name="v0",
        series=(
            Series("random-4", "competitive", 4, "random", FIRST_SEED, 100),
            Series("hunter-4", "competitive", 4, "hunter", FIRST_SEED + 1_000, 100),
            Series("runner-4", "competitive", 4, "runner", FIRST_SEED + 2_000, 100),
            Series("shogun-4", "competitive", 4, "shogun", FIRST_SEED + 3_000, 100),
            Series("runner-2", "competitive", 2, "runner", FIRST_SEED + 4_000, 100),
            Series("runner-6", "competitive", 6, "runner", FIRST_SEED + 5_000, 36),
            Series("coop-2", "coop", 2, None, FIRST_SEED + 6_000, 200),
            Series("coop-4", "coop", 4, None, FIRST_SEED + 7_000, 200),
        ),
        move_seconds=60.0,
    ),
    "tables-v0": Protocol(
        name="tables-v0",
        series=(
            Series("shogun-2", "competitive", 2, "shogun", FIRST_SEED + 10_000, 120),
            Series("shogun-3", "competitive", 3, "shogun", FIRST_SEED + 11_000, 80),
            Series("shogun-5", "competitive", 5, "shogun", FIRST_SEED + 12_000, 48),
            Series("shogun-6", "competitive", 6, "shogun", FIRST_SEED + 13_000, 40),
            Series("characters-4", "competitive", 4, "shogun", FIRST_SEED + 14_000, 60, characters="random"),
        ),
        move_seconds=60.0,
    ),
}


def protocol_named(name: str) -> Protocol:
    """Protocol of this name."""
    if name not in PROTOCOLS:
        raise ProtocolError(f"unknown protocol {name!r}: there are {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name]

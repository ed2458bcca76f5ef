"""Schedule of a tournament: who plays whom, in which seats, with which seeds.

A *line-up* is the set of agents at a table. A *block* is one line-up with one seed, played once in every rotation, so
that each agent plays each seat with the same luck (a cyclic Latin square). The schedule is infinite: more blocks bring
more precision, and every initial part of it is nearly balanced.

In co-op and solo play there is no finishing order: each agent plays every seed with copies of itself in all seats.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.player import luck_of, secret_luck_of

LineUp = tuple[int, ...]  # agent numbers, sorted


@dataclass(frozen=True)
class Match:
    """One game to play."""

    game: int  # its number in the tournament, from 0
    block: int
    rotation: int
    seed: int  # of the game; the same for the whole block
    seats: tuple[int, ...]  # number of the agent in each seat


def line_ups(agents: int, seats: int) -> list[LineUp]:
    """All line-ups. If there are fewer agents than seats, each gets at least one seat, as equally as possible, and all
    agents get the extra seats equally often."""
    if agents >= seats:
        return list(combinations(range(agents), seats))
    each, odd = divmod(seats, agents)
    return [tuple(sorted([*range(agents)] * each + list(more))) for more in combinations(range(agents), odd)]


def balanced_order(agents: int, seats: int) -> Iterator[LineUp]:
    """All line-ups once, always continuing with the one whose members have met least, so that every initial part is
    nearly balanced."""
    found = line_ups(agents, seats)
    meets = np.array([_meetings(line_up, agents) for line_up in found])
    met = np.zeros(len(found))  # how often the members of each line-up have met so far
    for _ in found:
        least = int(met.argmin())
        yield found[least]
        met += meets @ meets[least]
        met[least] = np.inf


def _meetings(line_up: LineUp, agents: int) -> NDArray[np.float64]:
    """Number of meetings in a line-up, as one row. Each agent also meets itself, so that appearances are balanced
    first."""
    there = np.bincount(line_up, minlength=agents).astype(np.float64)
    pairs = np.outer(there, there)[np.triu_indices(agents, 1)]
    return np.concatenate([there * agents, pairs])


def blocks(agents: int, seats: int, seed: int, salt: str = "") -> Iterator[list[Match]]:
    """Infinite sequence of blocks. The order around the table is drawn for each block, so that nobody always plays
    after the same agent. Without the salt nobody can compute the seeds of the games."""
    game = block = 0
    while True:
        for line_up in balanced_order(agents, seats):
            order = list(line_up)
            random.Random(luck_of("order", seed, block)).shuffle(order)
            game_seed = secret_luck_of(salt, "game", seed, block)
            turned = list(dict.fromkeys(_turned(order, by) for by in range(seats)))  # ABAB has only two rotations
            yield [Match(game + by, block, by, game_seed, place) for by, place in enumerate(turned)]
            game, block = game + len(turned), block + 1


def blocks_together(agents: int, seats: int, seed: int, salt: str = "") -> Iterator[list[Match]]:
    """Infinite sequence of blocks for co-op games: in each block every agent plays the same seed with copies of
    itself."""
    for block in count():
        game_seed = secret_luck_of(salt, "game", seed, block)
        yield [Match(block * agents + agent, block, agent, game_seed, (agent,) * seats) for agent in range(agents)]


def _turned(order: list[int], by: int) -> tuple[int, ...]:
    return tuple(order[-by:] + order[:-by]) if by else tuple(order)


def blocks_for(
    games: int, agents: int, seats: int, seed: int, together: bool = False, salt: str = ""
) -> list[list[Match]]:
    """Enough whole blocks for this many games, and for every agent to play at least once."""
    found: list[list[Match]] = []
    played, there = 0, set[int]()
    for block in (blocks_together if together else blocks)(agents, seats, seed, salt):
        if played >= games and len(there) == agents:
            return found
        found.append(block)
        played += len(block)
        there |= {agent for match in block for agent in match.seats}
    raise AssertionError("the schedule has no end")


def equal_games(matches: Iterable[Match], names: Sequence[str]) -> list[list[Match]]:
    """Groups of matches that are one and the same game: equal seeds, and agents of the same name in every seat.

    Agents draw their luck from the game's seed and their seat, so rotating two agents of the same name repeats a game.
    One game of each group is enough: its result counts for all of them."""
    groups: dict[tuple[int, ...], list[Match]] = {}
    for match in matches:
        programs = tuple(names.index(names[agent]) for agent in match.seats)
        groups.setdefault((match.seed, *programs), []).append(match)
    return list(groups.values())

"""Who plays whom, in which seats, with which luck.

A *line-up* is who sits at a table; a *block* is one line-up with one seed, played once in every rotation, so that each
agent has each seat with the same luck (a cyclic Latin square). The schedule of a tournament has no end: the more blocks
are played the more is known, and every beginning of it is nearly balanced.

In co-op and solo play nobody comes in before others: there each agent plays every seed with itself in all seats.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.player import luck_of

LineUp = tuple[int, ...]  # agents by their number in the list, sorted


@dataclass(frozen=True)
class Match:
    """One game that is to be played."""

    game: int  # its number in the tournament, from 0
    block: int
    rotation: int
    seed: int  # of the game; the same in the whole block
    seats: tuple[int, ...]  # which agent sits there


def line_ups(agents: int, seats: int) -> list[LineUp]:
    """All of them. Where there are fewer agents than seats each has one seat or more, as equally as can be, and
    everybody has the odd ones equally often."""
    if agents >= seats:
        return list(combinations(range(agents), seats))
    each, odd = divmod(seats, agents)
    return [tuple(sorted([*range(agents)] * each + list(more))) for more in combinations(range(agents), odd)]


def balanced_order(agents: int, seats: int) -> Iterator[LineUp]:
    """All line-ups once, each time one whose members have met least, so that any beginning is nearly balanced."""
    found = line_ups(agents, seats)
    meets = np.array([_meetings(line_up, agents) for line_up in found])
    met = np.zeros(len(found))  # how often the members of each have met so far
    for _ in found:
        least = int(met.argmin())
        yield found[least]
        met += meets @ meets[least]
        met[least] = np.inf


def _meetings(line_up: LineUp, agents: int) -> NDArray[np.float64]:
    """Who meets whom, as one row; who takes part meets itself, so that appearances are balanced first."""
    there = np.bincount(line_up, minlength=agents).astype(np.float64)
    pairs = np.outer(there, there)[np.triu_indices(agents, 1)]
    return np.concatenate([there * agents, pairs])


def blocks(agents: int, seats: int, seed: int) -> Iterator[list[Match]]:
    """Without end. The order around the table is drawn for each block, so that nobody always plays after the same."""
    game = block = 0
    while True:
        for line_up in balanced_order(agents, seats):
            order = list(line_up)
            random.Random(luck_of("order", seed, block)).shuffle(order)
            game_seed = luck_of("game", seed, block)
            turned = list(dict.fromkeys(_turned(order, by) for by in range(seats)))  # ABAB has two rotations only
            yield [Match(game + by, block, by, game_seed, place) for by, place in enumerate(turned)]
            game, block = game + len(turned), block + 1


def blocks_together(agents: int, seats: int, seed: int) -> Iterator[list[Match]]:
    """For games that all win or lose together, without end: in a block each agent plays the same seed in all seats."""
    for block in count():
        game_seed = luck_of("game", seed, block)
        yield [Match(block * agents + agent, block, agent, game_seed, (agent,) * seats) for agent in range(agents)]


def _turned(order: list[int], by: int) -> tuple[int, ...]:
    return tuple(order[-by:] + order[:-by]) if by else tuple(order)


def blocks_for(games: int, agents: int, seats: int, seed: int, together: bool = False) -> list[list[Match]]:
    """As many whole blocks as so many games need, and at least so many that everybody has played."""
    found: list[list[Match]] = []
    played, there = 0, set[int]()
    for block in (blocks_together if together else blocks)(agents, seats, seed):
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

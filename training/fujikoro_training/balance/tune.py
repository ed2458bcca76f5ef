"""The tuner: searches content values for the smallest change with which a target is met.

The search is CMA-ES (the library cma) over whole numbers, on common seeds. Its cost is the excess over the target, and
a little for the size of the change. The best point is cleaned of changes that the target does not need, and then played
again on fresh seeds.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cma
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fujikoro_env.content import ContentError, load_pack
from fujikoro_env.content.model import Pack
from fujikoro_training.balance.cells import Cell
from fujikoro_training.balance.playing import play_cell
from fujikoro_training.balance.statistics import Estimate, block_means, estimate

TARGET: Final = re.compile(r"characters within (?P<points>[0-9]+(?:\.[0-9]+)?) points?")
CHANGE: Final = re.compile(r"(?P<path>[a-z0-9_.*]+)=(?P<low>-?[0-9]+)\.\.(?P<high>-?[0-9]+)")
SIZE_COST: Final = 0.002  # cost of changing a value by its whole range, in squared points of excess: see `_cost`
FIRST_STEP: Final = 0.2  # of the range of a value
AT_ONCE: Final = 512
Say = Callable[[str], None]


class TuneError(ValueError):
    """A search that can't be made; the message says why in one line."""


@dataclass(frozen=True)
class Value:
    """A content value that may be changed, and its bounds."""

    path: str
    low: int
    high: int
    now: int


@dataclass(frozen=True)
class Search:
    """What is asked for."""

    content: str
    points: float  # largest distance of a win share from the fair one, as a share
    values: tuple[Value, ...]
    agent: str
    players: int
    games: int  # of each trial
    trials: int
    seed: int

    @property
    def fair(self) -> float:
        """Win share of equal players."""
        return 1 / self.players


@dataclass(frozen=True)
class Tuned:
    """The result of a search."""

    changes: dict[str, int]
    before: dict[str, Estimate]  # win share by character, on the seeds of the search
    after: dict[str, Estimate]
    trials: int


def parse_target(text: str) -> float:
    """The distance that a target such as "characters within 3 points" allows, as a share."""
    found = TARGET.fullmatch(text.strip())
    if not found or not 0 < float(found["points"]) < 50:
        raise TuneError(f"target {text!r}: allowed is 'characters within N points', N above 0 and below 50")
    return float(found["points"]) / 100


def parse_changes(texts: Sequence[str], content: str) -> tuple[Value, ...]:
    """Values with their bounds, such as `characters.*.vp=0..6` or `characters.daisuke.pack.1=0..4`; `*` stands for all
    characters but the symmetric board."""
    pack, found = load_pack(content), list[Value]()
    for text in texts:
        match = CHANGE.fullmatch(text.strip())
        if not match or int(match["low"]) >= int(match["high"]):
            raise TuneError(f"change {text!r}: write PATH=LOW..HIGH with whole numbers, such as characters.*.vp=0..6")
        low, high = int(match["low"]), int(match["high"])
        for path in _paths(pack, match["path"]):
            found.append(Value(path, low, high, min(high, max(low, _value_at(pack, path)))))
    if len({value.path for value in found}) < len(found):
        raise TuneError("change: a value is named twice")
    return tuple(found)


def _paths(pack: Pack, path: str) -> list[str]:
    if not path.startswith("characters.*."):
        return [path]
    return [path.replace("*", start.id, 1) for start in pack.characters if start.id != "symmetric"]


def _value_at(pack: Pack, path: str) -> int:
    group, name, key, *place = path.split(".")
    entries = {start.id: start for start in pack.characters}
    if group != "characters" or name not in entries or key not in ("vp", "weapon", "pack"):
        raise TuneError(f"change {path!r}: allowed are characters.NAME.vp, .weapon.0 to .2 and .pack.0 to .2")
    value = getattr(entries[name], key)
    if key == "vp" and not place:
        return int(value)
    if key == "vp" or len(place) != 1 or place[0] not in ("0", "1", "2"):
        raise TuneError(f"change {path!r}: {key} is a list of wood, metal and teeth: .{key}.0 to .{key}.2")
    return int(value[int(place[0])])


def win_shares(search: Search, changes: dict[str, int], agent: str, games: int, seed: int) -> dict[str, Estimate]:
    """Win share of each character, with intervals by block."""
    cell = Cell("tuned", (agent,) * search.players, search.content, changes, rotations=search.players, characters=True)
    blocks, step = -(-games // search.players), max(1, AT_ONCE // search.players)
    parts = [
        play_cell(cell, range(seed + first, seed + min(first + step, blocks))).players.select(
            ["block", "character", "win"]
        )
        for first in range(0, blocks, step)
    ]
    rows = pd.concat([part.to_pandas() for part in parts])
    return {
        str(name): estimate(
            block_means(those["win"].to_numpy(np.float64), those["block"].to_numpy()), search.fair, search.points
        )
        for name, those in rows.groupby("character")
    }


def tune(search: Search, say: Say = lambda _: None) -> Tuned:
    """Search for the smallest change that meets the target."""
    before = win_shares(search, {}, search.agent, search.games, search.seed)
    say(f"before: {told(before)}")
    tried: dict[tuple[int, ...], tuple[float, dict[str, Estimate]]] = {}

    def cost(point: NDArray[np.float64]) -> float:
        numbers = _rounded(search, point)
        if numbers not in tried:
            tried[numbers] = _tried(search, numbers)
        return tried[numbers][0]

    scale = np.array([value.high - value.low for value in search.values], np.float64)
    start = np.array([value.now for value in search.values], np.float64)
    options = {
        "bounds": [[value.low - 0.49 for value in search.values], [value.high + 0.49 for value in search.values]],
        "CMA_stds": scale,
        "CMA_diagonal": True,  # values act on their own character, so a full covariance has nothing to learn
        "integer_variables": list(range(len(search.values))),
        "seed": search.seed + 1,
        "verbose": -9,
        "maxfevals": search.trials,
    }
    strategy = cma.CMAEvolutionStrategy(start, FIRST_STEP, options)
    cost(start)
    while len(tried) < search.trials and not strategy.stop():
        points = strategy.ask()
        strategy.tell(points, [cost(point) for point in points])
        best = min(tried, key=lambda numbers: tried[numbers][0])
        say(f"{len(tried)} trials; largest distance {_worst(search, tried[best][1]):.1%}")
    best = _smallest(search, tried)
    return Tuned(_changes(search, best), before, tried[best][1], len(tried))


def _rounded(search: Search, point: NDArray[np.float64]) -> tuple[int, ...]:
    return tuple(
        int(min(value.high, max(value.low, round(number)))) for value, number in zip(search.values, point, strict=True)
    )


def _changes(search: Search, numbers: tuple[int, ...]) -> dict[str, int]:
    return {value.path: number for value, number in zip(search.values, numbers, strict=True) if number != value.now}


def _tried(search: Search, numbers: tuple[int, ...]) -> tuple[float, dict[str, Estimate]]:
    try:
        shares = win_shares(search, _changes(search, numbers), search.agent, search.games, search.seed)
    except ContentError:  # values that don't fit together, such as more cubes than a pack has room for
        return 1e3, {}
    return _cost(search, numbers, shares), shares


def _cost(search: Search, numbers: tuple[int, ...], shares: dict[str, Estimate]) -> float:
    """Squared excess over the target, summed over characters, and a little for the size of the change. Squares of the
    whole distance would pull towards exactly equal shares, which nobody asked for."""
    excess = sum(max(0.0, abs(found.value - search.fair) - search.points / 2) ** 2 for found in shares.values())
    return excess + SIZE_COST * _size(search, numbers)


def _size(search: Search, numbers: tuple[int, ...]) -> float:
    """Size of a change: the mean over values of the share of their range."""
    moved = [
        abs(number - value.now) / (value.high - value.low) for value, number in zip(search.values, numbers, strict=True)
    ]
    return float(np.mean(moved))


def _worst(search: Search, shares: dict[str, Estimate]) -> float:
    return max((abs(found.value - search.fair) for found in shares.values()), default=1.0)


def _smallest(search: Search, tried: dict[tuple[int, ...], Any]) -> tuple[int, ...]:
    """The smallest change that meets the target, or the one with the least cost. Single changes that are not needed
    are taken back, one after the other."""
    meeting = [numbers for numbers in tried if _worst(search, tried[numbers][1]) <= search.points]
    if not meeting:
        return min(tried, key=lambda numbers: float(tried[numbers][0]))
    best = min(meeting, key=lambda numbers: (_size(search, numbers), float(tried[numbers][0])))
    for place, value in enumerate(search.values):
        if best[place] == value.now:
            continue
        closer = best[place] + (1 if best[place] < value.now else -1)
        smaller = (*best[:place], closer, *best[place + 1 :])
        if smaller not in tried:
            tried[smaller] = _tried(search, smaller)
        if tried[smaller][0] < tried[best][0] and _worst(search, tried[smaller][1]) <= search.points:
            best = smaller
    return best


def told(shares: dict[str, Estimate]) -> str:
    """Win shares in a line, the largest first."""
    ordered = sorted(shares.items(), key=lambda pair: -pair[1].value)
    return ", ".join(f"{name} {found.value:.1%}" for name, found in ordered)


def misses(search: Search, shares: dict[str, Estimate]) -> list[str]:
    """Characters whose share is not within the target."""
    return [name for name, found in shares.items() if abs(found.value - search.fair) > search.points]

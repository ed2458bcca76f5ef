"""The tuner: searches content values for the smallest change with which a target is met.

Each value is changed once by itself, on common seeds, to learn how all win shares respond. Then a bounded least-squares
problem (SciPy's `lsq_linear`) gives the values that should bring all shares close to the fair one, with a price for the
size of the change; they are rounded, played, and corrected by what was measured, until the target is met or the budget
is used. Single steps back that still meet the target are taken. The caller plays the result again on fresh seeds.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import lsq_linear

from fujikoro_env.content import load_pack
from fujikoro_env.content.model import Pack
from fujikoro_training.balance.cells import Cell
from fujikoro_training.balance.playing import play_cell
from fujikoro_training.balance.statistics import LEVEL, Estimate, block_means, share

TARGET: Final = re.compile(r"characters within (?P<points>[0-9]+(?:\.[0-9]+)?) points?")
CHANGE: Final = re.compile(r"(?P<path>[a-z0-9_.*]+)=(?P<low>-?[0-9]+)\.\.(?P<high>-?[0-9]+)")
SIZE_PRICE: Final = 0.02  # of changing a value by its whole range: as much as a share that is 2 points off
FIRST_STEP: Final = 0.5  # of the range of a value, when its effect is measured
AIM: Final = 0.75  # of the distance that the target allows: what is met by luck on these seeds fails on others
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
    parts, entries = path.split("."), {start.id: start for start in pack.characters}
    if (
        len(parts) < 3
        or parts[0] != "characters"
        or parts[1] not in entries
        or parts[2] not in ("vp", "weapon", "pack")
    ):
        raise TuneError(f"change {path!r}: allowed are characters.NAME.vp, .weapon.0 to .2 and .pack.0 to .2")
    name, key, *place = parts[1:]
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
        str(name): share(
            block_means(those["win"].to_numpy(np.float64), those["block"].to_numpy()), search.fair, search.points
        )
        for name, those in rows.groupby("character")
    }


Shares = dict[str, Estimate]
Trials = dict[tuple[int, ...], Shares]


def tune(search: Search, say: Say = lambda _: None) -> Tuned:
    """Search for the smallest change that meets the target."""
    tried: Trials = {}

    def play(numbers: tuple[int, ...]) -> NDArray[np.float64]:
        if numbers not in tried:
            tried[numbers] = win_shares(search, _changes(search, numbers), search.agent, search.games, search.seed)
            say(f"trial {len(tried)}: largest distance {_worst(search, tried[numbers]):.1%}; {told(tried[numbers])}")
        return np.array([found.value for _, found in sorted(tried[numbers].items())])

    now = tuple(value.now for value in search.values)
    base, response = play(now), []
    for place, value in enumerate(search.values):
        step = _first_step(value)
        moved = play((*now[:place], value.now + step, *now[place + 1 :]))
        response.append((moved - base) / step)
    slope, at, shares = np.array(response).T, now, base
    while len(tried) < search.trials and _worst(search, tried[at]) > AIM * search.points:
        following = _rounded(search, _solved(search, slope, shares, at))
        if following in tried:  # nothing better is known
            break
        found = play(following)
        slope = _corrected(slope, np.subtract(following, at), found - shares)
        at, shares = following, found
    best = _smallest(search, tried, play)
    return Tuned(_changes(search, best), tried[now], tried[best], len(tried))


def _first_step(value: Value) -> int:
    """The step by which the effect of a value is measured: towards the end of its range that is further away."""
    up = value.high - value.now >= value.now - value.low
    size = max(1, round(FIRST_STEP * (value.high - value.low)))
    return min(size, value.high - value.now) if up else -min(size, value.now - value.low)


def _solved(
    search: Search, slope: NDArray[np.float64], shares: NDArray[np.float64], at: tuple[int, ...]
) -> NDArray[np.float64]:
    """Values that should make all shares fair, at a price for their distance from the values of today."""
    ranges = np.array([value.high - value.low for value in search.values], np.float64)
    now = np.array([value.now for value in search.values], np.float64)
    wanted = np.concatenate([search.fair - shares + slope @ at, SIZE_PRICE * now / ranges])
    matrix = np.concatenate([slope, np.diag(SIZE_PRICE / ranges)])
    bounds = ([value.low for value in search.values], [value.high for value in search.values])
    found: NDArray[np.float64] = lsq_linear(matrix, wanted, bounds).x
    return found


def _corrected(
    slope: NDArray[np.float64], moved: NDArray[np.float64], change: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The response after a step that was measured: Broyden's update, the least change that explains it."""
    found: NDArray[np.float64] = slope + np.outer(change - slope @ moved, moved) / max(1.0, float(moved @ moved))
    return found


def _rounded(search: Search, point: NDArray[np.float64]) -> tuple[int, ...]:
    return tuple(
        int(min(value.high, max(value.low, round(number)))) for value, number in zip(search.values, point, strict=True)
    )


def _changes(search: Search, numbers: tuple[int, ...]) -> dict[str, int]:
    return {value.path: number for value, number in zip(search.values, numbers, strict=True) if number != value.now}


def _size(search: Search, numbers: tuple[int, ...]) -> float:
    """Size of a change: the mean over values of the share of their range."""
    moved = [
        abs(number - value.now) / (value.high - value.low) for value, number in zip(search.values, numbers, strict=True)
    ]
    return float(np.mean(moved))


def _worst(search: Search, shares: dict[str, Estimate]) -> float:
    return max((abs(found.value - search.fair) for found in shares.values()), default=1.0)


def _smallest(search: Search, tried: Trials, play: Callable[[tuple[int, ...]], NDArray[np.float64]]) -> tuple[int, ...]:
    """The smallest change that meets the target, or the one that comes closest. Steps back that still meet the target
    are taken, one value after the other, as long as the budget lasts."""
    meeting = [numbers for numbers in tried if _worst(search, tried[numbers]) <= AIM * search.points]
    if not meeting:
        return min(tried, key=lambda numbers: _worst(search, tried[numbers]))
    best = min(meeting, key=lambda numbers: _size(search, numbers))
    for place, value in enumerate(search.values):
        while best[place] != value.now and len(tried) < search.trials:
            closer = best[place] + (1 if best[place] < value.now else -1)
            smaller = (*best[:place], closer, *best[place + 1 :])
            play(smaller)
            if _worst(search, tried[smaller]) > AIM * search.points:
                break
            best = smaller
    return best


def told(shares: dict[str, Estimate]) -> str:
    """Win shares in a line, the largest first."""
    ordered = sorted(shares.items(), key=lambda pair: -pair[1].value)
    return ", ".join(f"{name} {found.value:.1%}" for name, found in ordered)


def sure(shares: dict[str, Estimate]) -> list[str]:
    """Characters whose share is within the target by the equivalence test."""
    return [name for name, found in shares.items() if found.p_equivalent < LEVEL]


def misses(search: Search, shares: dict[str, Estimate]) -> list[str]:
    """Characters whose share is not within the target."""
    return [name for name, found in shares.items() if abs(found.value - search.fair) > search.points]

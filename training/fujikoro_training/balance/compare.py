"""Compares two agents, two content packs or two settings on common seeds: paired differences with intervals.

A side is the name of an agent, the name or folder of a pack, or changes such as `final_at=25` or
`dragons.red.health=18,supply.wood=50`. Each of two agents plays one seat against the same opponents; with two packs or
settings, the same agents play in all seats.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from fujikoro_env.content import ContentError
from fujikoro_env.content.carried import pack_at
from fujikoro_env.content.derive import GROUPS
from fujikoro_env.player import AgentError, make_agent
from fujikoro_env.settings import RulesError
from fujikoro_training.balance.cells import Cell
from fujikoro_training.balance.playing import play_cell
from fujikoro_training.balance.statistics import Estimate, block_means, estimate

AGENT, PACK, CHANGES = "agent", "pack", "settings"
AT_ONCE: Final = 512  # games played together


class CompareError(ValueError):
    """Sides that can't be compared; the message says why in one line."""


@dataclass(frozen=True)
class Side:
    """One of the two sides."""

    text: str
    kind: str
    content: str = "base"
    changes: dict[str, Any] | None = None
    rules: dict[str, Any] | None = None


@dataclass(frozen=True)
class Difference:
    """A measure of both sides, and its mean difference (A minus B) with the 95 % interval by seed."""

    measure: str
    a: float
    b: float
    gap: Estimate

    @property
    def is_share(self) -> bool:
        """Whether the measure is a share, which is shown in per cent."""
        return "share" in self.measure

    def __str__(self) -> str:
        a, b, gap, low, high = self.a, self.b, self.gap.value, self.gap.low, self.gap.high
        if self.is_share:
            points = f"{100 * gap:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f})"
            return f"{self.measure} {a:.1%} and {b:.1%}, {points}"
        return f"{self.measure} {a:.1f} and {b:.1f}, {gap:+.2f} ({low:+.2f} to {high:+.2f})"


def side_of(text: str, content: str = "base") -> Side:
    """Read a side as it was typed."""
    if "=" in text and ":" not in text.partition("=")[0]:
        changes, rules = _assignments(text)
        return Side(text, CHANGES, content, changes, rules)
    try:
        make_agent(text)
        return Side(text, AGENT, content)
    except AgentError as no_agent:
        try:
            pack_at(text)
        except (ContentError, OSError):
            raise CompareError(
                f"{text!r}: neither an agent ({no_agent}), nor a content pack, nor changes such as final_at=25"
            ) from None
    return Side(text, PACK, text)


def _assignments(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split `path=value,option=value` into changes of the content and settings of the rules."""
    try:
        pairs = [part.partition("=") for part in _split(text)]
        values = {name.strip(): tomllib.loads(f"value = {value}")["value"] for name, _, value in pairs}
    except tomllib.TOMLDecodeError:
        raise CompareError(
            f"{text!r}: write values as in TOML, such as final_at=25 or dice.wood.faces.5='2*'"
        ) from None
    changes = {name: value for name, value in values.items() if name.partition(".")[0] in GROUPS}
    return changes, {name: value for name, value in values.items() if name not in changes}


def _split(text: str) -> Iterator[str]:
    """Parts between commas that are not inside brackets."""
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth == 0:
            yield text[start:place]
            start = place + 1
    yield text[start:]


def compare(a: Side, b: Side, agent: str, players: int, games: int, seed: int) -> list[Difference]:
    """Play both sides on the same seeds. `agent`: who plays the other seats, or all seats of packs and settings."""
    if (a.kind == AGENT) != (b.kind == AGENT):
        raise CompareError(
            f"{a.text!r} is of the kind {a.kind}, and {b.text!r} of the kind {b.kind}: both must be alike"
        )
    try:
        cells = [_cell(side, agent, players) for side in (a, b)]
        for cell in cells:
            cell.make_rules()
    except (ContentError, RulesError, AgentError, TypeError, OSError) as error:
        raise CompareError(str(error)) from None
    both = [_rows(cell, seed, -(-games // cell.rotations)) for cell in cells]
    return list(_differences(both[0], both[1], a.kind == AGENT))


def _cell(side: Side, agent: str, players: int) -> Cell:
    if side.kind == AGENT:
        return Cell(side.text, (side.text, *[agent] * (players - 1)), side.content, rotations=players)
    return Cell(side.text, (agent,) * players, side.content, side.changes or {}, side.rules or {})


def _rows(cell: Cell, seed: int, blocks: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    step = max(1, AT_ONCE // cell.rotations)
    parts = [play_cell(cell, range(seed + first, seed + min(first + step, blocks))) for first in range(0, blocks, step)]
    games, players = (pd.concat([getattr(part, name).to_pandas() for part in parts]) for name in ("games", "players"))
    return games, players


def _differences(a: Any, b: Any, agents: bool) -> Iterator[Difference]:
    if agents:
        mine = [rows[1][rows[1]["player"] == 0] for rows in (a, b)]
        yield _difference("win share", [rows["win"] for rows in mine], [rows["block"] for rows in mine])
        leads = [rows[1]["vp"] - rows[0].set_index(["block", "rotation"])["mean_vp"].reindex(
            pd.MultiIndex.from_frame(rows[1][["block", "rotation"]])).to_numpy() for rows in (a, b)]  # fmt: skip
        own = [lead[rows[1]["player"] == 0] for lead, rows in zip(leads, (a, b), strict=True)]
        yield _difference("VP above the mean of the table", own, [rows["block"] for rows in mine])
        return
    for measure, column in (("rounds", "rounds"), ("VP of the winner", "winner_vp"), ("margin", "margin")):
        yield _difference(measure, [rows[0][column] for rows in (a, b)], [rows[0]["block"] for rows in (a, b)])
    firsts = [rows[1][rows[1]["order"] == 0] for rows in (a, b)]
    shares, blocks = [rows["win"] for rows in firsts], [rows["block"] for rows in firsts]
    yield _difference("win share of the first player", shares, blocks)


def _difference(measure: str, values: list[Any], blocks: list[Any]) -> Difference:
    one, other = (
        block_means(value.to_numpy(np.float64), block.to_numpy()) for value, block in zip(values, blocks, strict=True)
    )
    return Difference(measure, float(one.mean()), float(other.mean()), estimate(one - other))

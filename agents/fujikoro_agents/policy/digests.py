"""Digests of the tables of actions and observations. A policy plays only with the tables that it was trained with."""

import hashlib
import json
from functools import cache
from typing import Any, Final

from fujikoro_agents.plans.tables import CHOICES, FEATURES, SUMMARY
from fujikoro_env.kernel.layout import Part
from fujikoro_env.observation import FIELDS, OBSERVATIONS
from fujikoro_env.observation.compact import PARTS
from fujikoro_env.rules.base.actions import TABLE

PLANS: Final = "plans"  # as a kind of observation: the descriptions of choices and positions of that decision level
KINDS: Final = (*OBSERVATIONS, PLANS)


@cache
def action_digest() -> str:
    """Digest of the table of actions: the names of all actions, in order."""
    return _digest([[block.name, block.arguments] for block in TABLE.values()])


@cache
def observation_digest(kind: str) -> str:
    """Digest of the table of an observation: parts and columns with their sizes and bounds, in order."""
    if kind == PLANS:
        return _digest([CHOICES, *([one.name, one.low, one.high] for one in (*FEATURES, *SUMMARY))])
    return _digest([_layout(part) for part in (PARTS if kind == "compact" else FIELDS)])


def _layout(part: Part) -> list[Any]:
    columns = [[column.name, column.width, column.low, column.highs] for column in part.columns]
    return [part.name, part.rows, part.grid, columns]


def _digest(table: list[Any]) -> str:
    return hashlib.sha256(json.dumps(table).encode()).hexdigest()[:16]

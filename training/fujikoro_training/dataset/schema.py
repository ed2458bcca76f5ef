"""Columns of a dataset: one table for each kind of file. Files and documentation follow from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from fujikoro_env.observation.compact import WIDTH
from fujikoro_env.rules.base.actions import ACTIONS

MASK_BYTES: Final = -(-ACTIONS // 8)


@dataclass(frozen=True)
class Column:
    """A column of a Parquet file."""

    name: str
    type: Any  # of pyarrow
    doc: str


OBSERVATION: Final = pa.list_(pa.field("element", pa.float32(), nullable=False), WIDTH)

DECISIONS: Final = (  # one row per decision, ordered by game and decision
    Column("game", pa.int32(), "number of the game, from 0"),
    Column("decision", pa.int32(), "number of the decision in its game, from 0"),
    Column("seat", pa.int8(), "seat of the player who decides, from 0"),
    Column("agent", pa.string(), "name of the agent in that seat"),
    Column("phase", pa.int8(), "question that is asked, a number of docs/phases.md"),
    Column("observation", OBSERVATION, "compact observation of the player who decides, docs/compact.md"),
    Column("mask", pa.binary(MASK_BYTES), f"legal actions: {ACTIONS} bits, the lowest bit of a byte first"),
    Column("action", pa.int16(), "the action, a number of docs/actions.md"),
    Column("reward", pa.float32(), "reward of the seat from this decision to its next, or to the end of the game"),
    Column("last", pa.bool_(), "whether this is the last decision of the seat in the game"),
    Column("value", pa.float32(), "the agent's own estimate, on its own scale; null if it gives none or was not asked"),
    Column("explanation", pa.string(), "the agent's reason for the action; null without --explanations"),
)

EPISODES: Final = (  # one row per game and seat, ordered by game and seat
    Column("game", pa.int32(), "number of the game, from 0"),
    Column("seat", pa.int8(), "seat, from 0"),
    Column("seed", pa.int64(), "seed of the game: `Game(rules, seed)` deals it"),
    Column("agent", pa.string(), "name of the agent in that seat"),
    Column("decisions", pa.int32(), "number of decisions of the seat"),
    Column("return", pa.float32(), "sum of all rewards of the seat"),
    Column("rank", pa.int8(), "1 is first; ties share a rank"),
    Column("vp", pa.int16(), "VP at the end"),
    Column("rounds", pa.int16(), "rounds of the game"),
    Column("reason", pa.string(), "why the game ended"),
    Column("final_observation", OBSERVATION, "compact observation of the seat when the game is over"),
)


def arrow_schema(columns: Sequence[Column]) -> Any:
    """Schema of a Parquet file with these columns."""
    return pa.schema([(column.name, column.type) for column in columns])

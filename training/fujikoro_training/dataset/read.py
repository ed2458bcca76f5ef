"""Reads datasets as NumPy arrays."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_training.dataset.schema import MASK_BYTES
from fujikoro_training.dataset.store import DECISIONS_FILE, EPISODES_FILE, read_manifest

Arrays = dict[str, Any]  # a NumPy array for each column of numbers, a list for each column of texts


def decisions(folder: Path, columns: Sequence[str] | None = None) -> Iterator[Arrays]:
    """Decisions of a dataset, shard by shard: `observation` is (n, width) float32, `mask` (n, actions) bool."""
    for index in range(len(read_manifest(folder)["shards"])):
        yield _arrays(folder / DECISIONS_FILE.format(index), columns)


def episodes(folder: Path, columns: Sequence[str] | None = None) -> Iterator[Arrays]:
    """Results of a dataset by game and seat, shard by shard."""
    for index in range(len(read_manifest(folder)["shards"])):
        yield _arrays(folder / EPISODES_FILE.format(index), columns)


def _arrays(path: Path, columns: Sequence[str] | None) -> Arrays:
    table = pq.read_table(path, columns=None if columns is None else list(columns)).combine_chunks()
    return {name: _array(name, table[name]) for name in table.column_names}


def _array(name: str, column: Any) -> Any:
    if name in ("observation", "final_observation"):
        flat = column.chunk(0)
        values: NDArray[np.float32] = flat.flatten().to_numpy().reshape(len(flat), -1)
        return values
    if name == "mask":
        return unpacked(b"".join(column.to_pylist()))
    return column.to_pylist() if str(column.type) == "string" else column.to_numpy()


def unpacked(masks: bytes) -> NDArray[np.bool_]:
    """Masks as bools, (n, actions), from their packed bits."""
    rows = np.frombuffer(masks, np.uint8).reshape(-1, MASK_BYTES)
    return np.unpackbits(rows, axis=1, count=ACTIONS, bitorder="little").astype(np.bool_)

"""Writes a dataset in the format of Minari, the library for offline datasets of the Farama Foundation.

An episode is one seat of one game. Minari itself is not needed for writing; a test reads what is written with it.
"""

import json
import shutil
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from fujikoro_env.observation import observation_space
from fujikoro_env.observation.compact import WIDTH
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_training.dataset.play import DatasetError
from fujikoro_training.dataset.read import Arrays, decisions, episodes
from fujikoro_training.dataset.store import UNFINISHED

VERSION: Final = "0.5.4"  # of Minari, whose layout this is
FOLDER: Final = "minari"
DATASET_ID: Final = "fujikoro/games-v0"
OF_EPISODE: Final = ("game", "seat", "agent", "return", "rank", "vp", "rounds", "reason")  # in its metadata


def write_minari(folder: Path, name: str = DATASET_ID) -> Path:
    """Write the dataset of a folder again as Minari's; return the folder of datasets, for MINARI_DATASETS_PATH."""
    target, beside = folder / FOLDER, folder / f"{FOLDER}{UNFINISHED}"
    try:
        shutil.rmtree(beside, ignore_errors=True)
        data = beside / name / "data"
        data.mkdir(parents=True)
        number = steps = 0
        for made, results in zip(decisions(folder), episodes(folder), strict=True):
            for row in range(len(results["game"])):
                steps += _write_episode(data, number, made, results, row)
                number += 1
        _write_json(data / "metadata.json", _metadata(data, name, number, steps))
        shutil.rmtree(target, ignore_errors=True)
        beside.rename(target)
    except OSError as error:
        raise DatasetError(f"{target}: {error.strerror}") from None
    return target


def _write_episode(data: Path, number: int, made: Arrays, results: Arrays, row: int) -> int:
    """Write one episode; return its number of steps. There is one observation more than actions, the final one; the
    other columns are padded."""
    rows = np.flatnonzero((made["game"] == results["game"][row]) & (made["seat"] == results["seat"][row]))
    steps = len(rows)
    seen = np.concatenate([made["observation"][rows], results["final_observation"][row][None]])
    masks = np.concatenate([made["mask"][rows], np.zeros((1, ACTIONS), np.bool_)]).astype(np.int8)
    observations = pa.StructArray.from_arrays([_lists(seen), _lists(masks)], names=["observation", "action_mask"])
    batch = {
        "observations": observations,
        "actions": _padded(made["action"][rows].astype(np.int64)),
        "rewards": _padded(made["reward"][rows].astype(np.float64)),
        "terminations": pa.array(np.arange(steps + 1) == steps - 1),
        "truncations": pa.array(np.zeros(steps + 1, np.bool_)),
        "infos": pa.StructArray.from_arrays([_padded(made["phase"][rows].astype(np.int64))], names=["phase"]),
    }
    place = data / str(number)
    place.mkdir()
    pq.write_table(pa.Table.from_pydict(batch), place / "part-0.parquet", compression="zstd")
    told = {name: _plain(results[name][row]) for name in OF_EPISODE}
    _write_json(
        place / "metadata.json", {"id": number, "total_steps": steps, "seed": _plain(results["seed"][row]), **told}
    )
    return steps


def _lists(values: Any) -> Any:
    return pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), values.shape[1])


def _padded(values: Any) -> Any:
    return pa.array(np.pad(values, (0, 1)))


def _plain(value: Any) -> Any:
    """The value as JSON takes it."""
    return value.item() if isinstance(value, np.generic) else value


def _metadata(data: Path, name: str, number: int, steps: int) -> dict[str, Any]:
    box = observation_space("compact")
    assert box.shape == (WIDTH,)
    seen = {
        "type": "Dict",
        "subspaces": {
            "observation": {
                "type": "Box",
                "dtype": "float32",
                "shape": [WIDTH],
                "low": box.low.tolist(),  # type: ignore[attr-defined]
                "high": box.high.tolist(),  # type: ignore[attr-defined]
            },
            "action_mask": {"type": "MultiBinary", "n": ACTIONS},
        },
    }
    return {
        "dataset_id": name,
        "total_episodes": number,
        "total_steps": steps,
        "data_format": "parquet",
        "observation_space": json.dumps(seen),
        "action_space": json.dumps({"type": "Discrete", "dtype": "int64", "start": 0, "n": ACTIONS}),
        "minari_version": VERSION,
        "jpeg_encoding": False,
        "dataset_size": round(sum(path.stat().st_size for path in data.rglob("*") if path.is_file()) / 1e6, 1),
    }


def _write_json(path: Path, whole: dict[str, Any]) -> None:
    path.write_text(json.dumps(whole) + "\n", encoding="utf-8")

"""Balance experiments of a folder, for the page of runs: their progress, results, and games to watch again."""

import json
import math
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from fujikoro_app.report.balance import is_share
from fujikoro_app.report.sources import EFFECTS, Balance, Effect, ReportError, read_source
from fujikoro_env.content import ContentError
from fujikoro_env.settings import RulesError
from fujikoro_training.balance.again import GameAgain, can_be_repeated, game_again
from fujikoro_training.balance.cells import Cell
from fujikoro_training.balance.settings import Settings, SettingsError, settings_of

MANIFEST: Final = "manifest.json"
MOST_ROWS: Final = 24  # of a measure; the report of a run has all
MOST_GAMES: Final = 100  # that are listed for a row
NUMBERS: Final = 100_000_000  # games of one cell have numbers below this; the next cell goes on from there
Row = dict[str, Any]


def is_balance(folder: Path) -> bool:
    """Whether a folder has a balance experiment, finished or under way."""
    return "experiment" in _settings(folder)


def balance_data(folder: Path) -> Row:
    """An experiment as data: how many games are played, and its results, if it is finished."""
    manifest = _manifest(folder)
    planned = manifest.get("games")
    found: Row = {
        "name": folder.name,
        "kind": "balance",
        "experiment": str(_settings(folder)["experiment"]),
        "done": _games_in(folder),
        "planned": planned if type(planned) is int and planned > 0 else None,
        "measures": [],
    }
    if (folder / EFFECTS).is_file():
        source = read_source(str(folder))
        assert isinstance(source, Balance)
        effects = groupby(source.effects, key=lambda effect: effect.measure)
        found["measures"] = [_measure(name, list(rows)) for name, rows in effects]
    return found


def _measure(name: str, effects: list[Effect]) -> Row:
    """The results of one measure. If there are many, those with the smallest intervals compared to their distance from
    the reference."""
    shown = effects if len(effects) <= MOST_ROWS else sorted(effects, key=_clearness, reverse=True)[:MOST_ROWS]
    return {"name": name, "share": is_share(name), "rows": [_row(effect) for effect in shown], "of": len(effects)}


def _clearness(effect: Effect) -> float:
    value, low, high = effect.estimate
    if effect.reference is None or not math.isfinite(high - low):
        return value if math.isfinite(value) else 0.0
    return abs(value - effect.reference) / max(1e-9, high - low)


def _row(effect: Effect) -> Row:
    value, low, high = (number if math.isfinite(number) else None for number in effect.estimate)
    return {
        "level": effect.level,
        "agent": effect.agent,
        "players": effect.players,
        "games": effect.games,
        "value": value,
        "low": low,
        "high": high,
        "reference": effect.reference,
        "finding": effect.finding or ("equivalent" if effect.equivalent else ""),
    }


# games


def games_of_row(folder: Path, agent: str, players: int, level: str) -> list[Row]:
    """Games behind a row of the results, in the form of `runs.games_of`. Empty if they are not stored, or can't be
    watched again."""
    cells = _cells(folder)
    own = [k for k, cell in enumerate(cells) if (cell.agent, cell.players) == (agent, players)]
    own = [k for k in own if cells[k].label == level] or own
    repeatable = [k for k in own if can_be_repeated(cells[k])]
    found: list[Row] = []
    for number in repeatable:
        for path in sorted(folder.glob(f"players-{number:04d}-*.parquet")):
            found += _games_of_shard(path, number, cells[number], _settings_of(folder).seed)
            if len(found) >= MOST_GAMES:
                return found[:MOST_GAMES]
    return found


def _games_of_shard(path: Path, number: int, cell: Cell, first: int) -> Iterator[Row]:
    try:
        rows = pq.read_table(path, columns=["block", "rotation", "seat", "agent", "character", "vp"]).to_pylist()
    except (pa.ArrowException, OSError):
        return
    for (block, rotation), those in groupby(rows, key=lambda row: (row["block"], row["rotation"])):
        seats = sorted(those, key=lambda row: int(row["seat"]))
        names = [row["agent"] + (f" ({row['character']})" if cell.characters else "") for row in seats]
        yield {
            "game": NUMBERS * number + (block - first) * cell.rotations + rotation,
            "seed": str(block),
            "agents": names,
            "vp": [row["vp"] for row in seats],
        }


def balance_game(folder: Path, game: int) -> GameAgain | None:
    """A game by its number in the list; None if there is none, or if it can't be watched again."""
    cells, number, place = _cells(folder), game // NUMBERS, game % NUMBERS
    if number >= len(cells) or not can_be_repeated(cells[number]):
        return None
    block, rotation = divmod(place, cells[number].rotations)
    settings = _settings_of(folder)
    if block >= settings.blocks(cells[number]):
        return None
    return game_again(cells[number], settings.seed + block, rotation)


def _cells(folder: Path) -> list[Cell]:
    """The conditions of an experiment; none if its settings or its content can't be used any more."""
    try:
        return _settings_of(folder).cells()
    except (SettingsError, ContentError, RulesError, OSError):
        return []


# files


def _manifest(folder: Path) -> Row:
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _settings(folder: Path) -> Row:
    found = _manifest(folder).get("settings")
    return found if isinstance(found, dict) else {}


def _settings_of(folder: Path) -> Settings:
    return settings_of(_settings(folder))


def _games_in(folder: Path) -> int:
    try:
        return sum(pq.read_metadata(path).num_rows for path in folder.glob("games-*.parquet"))
    except (pa.ArrowException, OSError) as error:
        raise ReportError(f"{folder}: a table of games can't be read: {str(error).splitlines()[0]}") from None

"""Trainings, tournaments and balance experiments in a folder, for the page of runs and for the ratings of agents."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from fujikoro_app.report.sources import (
    CURVE,
    POLICY,
    SUMMARY,
    ReportError,
    Tournament,
    Training,
    read_source,
)
from fujikoro_app.web.balance_runs import MANIFEST, balance_data, balance_game, games_of_row, is_balance
from fujikoro_env.content import shipped_packs
from fujikoro_env.player import agents_seed
from fujikoro_env.session import Session
from fujikoro_env.settings import Rules
from fujikoro_training.tournament.entrants import labels
from fujikoro_training.tournament.store import JOURNAL, METADATA, PARQUET, SCHEMA

MOST_RUNS: Final = 200
MOST_BYTES: Final = 16 << 20
MARKS: Final = (CURVE, SUMMARY, JOURNAL, MANIFEST)  # one of these makes a folder a run


def run_folders(folder: Path) -> list[Path]:
    """Folders of runs, the one that changed last first."""
    if not folder.is_dir():
        return []
    marks = [
        path / mark
        for path in folder.iterdir()
        for mark in MARKS
        if (path / mark).is_file() and (mark != MANIFEST or is_balance(path))
    ]
    latest = sorted(marks, key=lambda path: path.stat().st_mtime, reverse=True)
    return list(dict.fromkeys(mark.parent for mark in latest))[:MOST_RUNS]


def runs_data(folder: Path) -> list[dict[str, Any]]:
    """All runs of a folder. One that can't be read is listed with the reason."""
    return [_run(path) for path in run_folders(folder)]


def _run(path: Path) -> dict[str, Any]:
    try:
        if is_balance(path):
            return balance_data(path)
        if not any((path / mark).is_file() for mark in (CURVE, SUMMARY)) and (path / JOURNAL).is_file():
            return {"name": path.name, "kind": "playing", "games": _lines(path / JOURNAL) - 1}  # less the settings
        source = read_source(str(path))
    except (ReportError, OSError) as error:
        return {"name": path.name, "kind": "unreadable", "error": str(error)}
    if isinstance(source, Training):
        return _training(source)
    assert isinstance(source, Tournament)
    return _tournament(source)


def _lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file)


def _training(run: Training) -> dict[str, Any]:
    done = run.curve[-1].decisions if run.curve else 0
    lines: dict[str, list[list[float]]] = {}
    for row in run.curve:
        for match in row.matches:
            lines.setdefault(match.opponent, []).append([row.decisions, *match.share])
    return {
        "name": run.folder.name,
        "kind": "training",
        "recipe": run.recipe,
        "done": done,
        "planned": run.decisions,
        "fair": run.fair,
        "lines": lines,
    }


def _tournament(run: Tournament) -> dict[str, Any]:
    rows = [
        {
            "agent": each.agent,
            "games": each.games,
            "wins": [round(part, 4) for part in each.wins],
            "fair": each.fair,
            "rating": round(each.rating[0]) if each.rating else None,
            "vp": round(each.vp[0], 1) if each.vp else None,
            "milliseconds": round(each.milliseconds, 2),
        }
        for each in run.standings
    ]
    return {"name": run.folder.name, "kind": "tournament", "games": run.games, "agents": rows}


def ratings(folder: Path) -> dict[str, float]:
    """Ratings of agents, from the tournament that changed last among those with ratings."""
    for run in (_run(path) for path in run_folders(folder) if (path / SUMMARY).is_file()):
        found = {row["agent"]: row["rating"] for row in run.get("agents", []) if row["rating"] is not None}
        if found:
            return found
    return {}


def trained_agents(folder: Path) -> list[str]:
    """Names of the policies in training runs."""
    return [f"policy:{path / POLICY}" for path in run_folders(folder) if (path / POLICY).is_file()]


@dataclass(frozen=True)
class GameAgain:
    """A game of a run, to be played again by the same agents with the same seeds."""

    session: Session
    agents: list[str]
    agents_seed: int


def games_of(folder: Path, name: str) -> list[dict[str, Any]]:
    """The games of a tournament: number, seed, agents, ranks and VP by seat. Empty if there are none to read."""
    _, rows = _stored(folder, name)
    games: dict[int, dict[str, Any]] = {}
    for row in rows:
        first = {"game": row["game"], "seed": row["seed"], "rounds": row["rounds"], "agents": [], "ranks": [], "vp": []}
        game = games.setdefault(row["game"], first)
        for key, value in (("agents", row["agent"]), ("ranks", row["rank"]), ("vp", row["vp"])):
            game[key].append(value)
    return list(games.values())


def games_of_result(folder: Path, name: str, agent: str, players: int, level: str) -> list[dict[str, Any]]:
    """Games behind a result of a balance experiment."""
    path = _folder_of(folder, name)
    return games_of_row(path, agent, players, level) if path and is_balance(path) else []


def _folder_of(folder: Path, name: str) -> Path | None:
    return next((run for run in run_folders(folder) if run.name == name), None)


def game_again(folder: Path, name: str, number: int) -> GameAgain | None:
    """A game of a run by its number; None if it is not there or can't be played again: a tournament may have a content
    pack of its own."""
    path = _folder_of(folder, name)
    if path and is_balance(path):
        game = balance_game(path, number)
        return None if game is None else GameAgain(Session(game.rules, game.seed), game.agents, game.agents_seed)
    settings, rows = _stored(folder, name)
    seats = [row for row in rows if row["game"] == number]
    said = dict(settings.get("rules", {}))
    if not seats or said.pop("content", "") not in shipped_packs() or "changes" in said:
        return None
    said.pop("digest", None)
    seed = int(seats[0]["seed"])
    session = Session(Rules(**said), seed)
    names = dict(zip(labels(settings["agents"]), settings["agents"], strict=True))  # one agent may play twice
    agents = [names[row["agent"]] for row in seats]
    return GameAgain(session, agents, agents_seed(seed, str(settings.get("salt") or "")))


def _stored(folder: Path, name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Settings and rows of the Parquet file of a tournament."""
    run = _folder_of(folder, name)
    path = run / PARQUET if run else None
    if path is None or not path.is_file() or path.stat().st_size > MOST_BYTES:
        return {}, []
    try:
        table = pq.read_table(path)
        settings = json.loads((table.schema.metadata or {}).get(METADATA, b"{}"))
    except (pa.ArrowException, OSError, ValueError):
        return {}, []
    return (settings, table.to_pylist()) if set(SCHEMA.names) <= set(table.schema.names) else ({}, [])

"""Trainings, tournaments and balance experiments in a folder, for the page of runs and for the ratings of agents."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fujikoro_app.report.sources import (
    CURVE,
    POLICY,
    RECIPE,
    SUMMARY,
    ReportError,
    Tournament,
    Training,
    read_source,
)
from fujikoro_app.web.balance_runs import MANIFEST, balance_data, balance_game, games_of_row, is_balance
from fujikoro_app.web.tournament_runs import finished_data, games_of_tournament, live_data, tournament_game
from fujikoro_app.web.training_runs import games_of_match, training_data, training_game
from fujikoro_env.kernel.declared import THIS_GAME
from fujikoro_env.record import Recording
from fujikoro_env.session import Session
from fujikoro_training.tournament.store import JOURNAL

MOST_RUNS: Final = 200
VALUE: Final = "value.safetensors"
SHIPPED_RATINGS: Final = Path(__file__).with_name("ratings.json")  # written by tools/make_ratings.py
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
        if _is_being_played(path):
            return live_data(path)
        source = read_source(str(path))
    except (ReportError, OSError) as error:
        return {"name": path.name, "kind": "unreadable", "error": str(error)}
    if isinstance(source, Training):
        return training_data(source)
    assert isinstance(source, Tournament)
    return finished_data(source)


def _is_being_played(path: Path) -> bool:
    """Whether this is a tournament that has played games since its summary was written, or has no summary."""
    journal, summary = path / JOURNAL, path / SUMMARY
    if (path / CURVE).is_file() or not journal.is_file():
        return False
    return not summary.is_file() or summary.stat().st_mtime < journal.stat().st_mtime


def ratings(folder: Path) -> dict[str, float]:
    """Ratings of agents: those of the latest tournament in the folder that has ratings, or the shipped ones. Ratings of
    different tournaments can't be compared, so they are not mixed."""
    for run in (_run(path) for path in run_folders(folder) if (path / SUMMARY).is_file()):
        found = {row["agent"]: row["rating"] for row in run.get("agents", []) if row["rating"] is not None}
        if found:
            return found
    shipped: dict[str, float] = json.loads(SHIPPED_RATINGS.read_text(encoding="utf-8"))["ratings"]
    return shipped


def trained_agents(folder: Path) -> list[str]:
    """Names of the agents that the training runs of this game have made."""
    runs = [path for path in run_folders(folder) if _is_of_this_game(path)]
    files = [(kind, path / file) for path in runs for kind, file in (("policy", POLICY), ("value", VALUE))]
    return [f"{kind}:{file}" for kind, file in files if file.is_file()]


def _is_of_this_game(path: Path) -> bool:
    try:
        said = json.loads((path / RECIPE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return True
    return not isinstance(said, dict) or said.get("game", THIS_GAME) == THIS_GAME


# games


@dataclass(frozen=True)
class GameAgain:
    """A game of a run, to be played again by the same agents with the same seeds."""

    session: Session
    agents: list[str]
    agents_seed: int


def games_of(folder: Path, name: str, asked: dict[str, str]) -> list[dict[str, Any]]:
    """Games behind a number on the page: their numbers, seeds, agents and VP by seat. Empty if there are none to read.
    `asked`: `agent`, and perhaps `against` or, for balance experiments, `players` and `level`; for trainings
    `decisions`, `opponent` and `games_of`."""
    path = _folder_of(folder, name)
    if path is None:
        return []
    try:
        if is_balance(path):
            return games_of_row(path, asked.get("agent", ""), _number(asked, "players"), asked.get("level", ""))
        if (path / CURVE).is_file():
            return games_of_match(
                path, _number(asked, "decisions"), asked.get("opponent", ""), asked.get("games_of", "")
            )
        return games_of_tournament(path, asked.get("agent", ""), asked.get("against", ""))
    except ReportError:
        return []


def _number(asked: dict[str, str], name: str) -> int:
    """A number that a page has sent; -1 if it is none."""
    text = asked.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 16 else -1


def _folder_of(folder: Path, name: str) -> Path | None:
    return next((run for run in run_folders(folder) if run.name == name), None)


def game_again(folder: Path, name: str, number: int) -> GameAgain | Recording | None:
    """A game of a run by its number: a recording if its actions are stored. None if it is not there or can't be played
    again."""
    path = _folder_of(folder, name)
    if path is None:
        return None
    if (path / CURVE).is_file() and not is_balance(path):
        return training_game(path, number)
    try:
        game = balance_game(path, number) if is_balance(path) else tournament_game(path, number)
    except ReportError:
        return None
    return None if game is None else GameAgain(Session(game.rules, game.seed), game.agents, game.agents_seed)

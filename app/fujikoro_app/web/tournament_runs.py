"""Tournaments of a folder, finished or under way, for the page of runs: standings, meetings of agents, and games."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from fujikoro_app.report.sources import Estimate, ReportError, Tournament
from fujikoro_env.content import ContentError, shipped_packs
from fujikoro_env.player import agents_seed
from fujikoro_env.settings import Rules, RulesError
from fujikoro_training.tournament.entrants import labels
from fujikoro_training.tournament.games import Games
from fujikoro_training.tournament.journal_lines import LineError, result_of
from fujikoro_training.tournament.match import Result
from fujikoro_training.tournament.ratings import Ratings, rate
from fujikoro_training.tournament.run import MOST_AGENTS
from fujikoro_training.tournament.schedule import Match, blocks_for
from fujikoro_training.tournament.shares import Estimate as Found
from fujikoro_training.tournament.shares import (
    by_block,
    fair_share,
    head_to_head,
    mean_of,
    ratio,
    win_rate,
)
from fujikoro_training.tournament.store import JOURNAL

MOST_BYTES: Final = 32 << 20
MOST_SEATS: Final = 6
MOST_NUMBER: Final = 1 << 20  # games that a journal of this size may have
Row = dict[str, Any]


@dataclass(frozen=True)
class Stored:
    """What the journal of a tournament says."""

    settings: Row
    schedule: list[Match]
    results: dict[int, Result]  # by game

    @property
    def names(self) -> list[str]:
        """Names of the agents."""
        return list(self.settings["agents"])

    @property
    def together(self) -> bool:
        """Whether every agent plays with copies of itself."""
        return is_together(self.settings)

    @property
    def whole_blocks(self) -> Games:
        """The games of the blocks of which every game is there, which is what standings are computed from."""
        missing = {match.block for match in self.schedule if match.game not in self.results}
        there = [match for match in self.schedule if match.block not in missing]
        numbers = {block: k for k, block in enumerate(sorted({match.block for match in there}))}
        matches = [Match(m.game, numbers[m.block], m.rotation, m.seed, m.seats) for m in there]
        return Games(labels(self.names), matches, [self.results[match.game] for match in matches])


def read_journal(folder: Path) -> Stored:
    """The journal in a folder. Raises `ReportError` if it can't be read."""
    path = folder / JOURNAL
    try:
        about = path.stat()
    except OSError as error:
        raise ReportError(f"{path}: {error.strerror}") from None
    if about.st_size > MOST_BYTES:
        raise ReportError(f"{path}: larger than {MOST_BYTES >> 20} MB")
    return _read(path, about.st_size, about.st_mtime_ns)


@lru_cache(maxsize=16)
def _read(path: Path, _size: int, _changed: int) -> Stored:
    """Read a journal. Its size and time are arguments so that a journal that has grown is read again."""
    try:
        first, *lines = path.read_bytes().split(b"\n")
        settings = json.loads(first)
        results = {result.game: result for result in map(result_of, lines[:-1])}  # the last line may be cut off
        return Stored(settings, _schedule(settings, max(results, default=-1) + 1), results)
    except OSError as error:
        raise ReportError(f"{path}: {error.strerror}") from None
    except (LineError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ReportError(f"{path}: not a journal of a tournament") from None


def _schedule(settings: Row, games: int) -> list[Match]:
    """The games with numbers below `games`, and those that complete the last block."""
    names, seats = settings["agents"], settings["seats"]
    if not 1 <= len(names) <= MOST_AGENTS or not 1 <= seats <= MOST_SEATS or games > MOST_NUMBER:
        raise ValueError("no tournament is like this")
    together = is_together(settings)
    blocks = blocks_for(games, len(names), seats, settings["seed"], together, settings.get("salt") or "")
    return [match for block in blocks for match in block]


def is_together(settings: Row) -> bool:
    """Whether these are co-op games, which each agent plays with copies of itself."""
    return bool(settings["rules"]["mode"] == "coop")


# standings


def live_data(folder: Path) -> Row:
    """A tournament that is being played, or was interrupted: standings of the games so far, and who beats whom."""
    stored = read_journal(folder)
    games = stored.whole_blocks
    found: Row = {
        "name": folder.name,
        "kind": "tournament",
        "games": len(stored.results),
        "saved": int((folder / JOURNAL).stat().st_mtime),
        "agents": [],
        "pairs": {},
    }
    if not games.matches:
        return found
    agents = [agent for agent in range(len(games.labels)) if (games.finishes.agents == agent).any()]
    rows = [_standing(games, agent) for agent in agents]
    if not stored.together:
        ratings = rate(games.finishes)
        rows = [{**row, **_rivals(games, agent, ratings)} for agent, row in zip(agents, rows, strict=True)]
        found["pairs"] = _pairs(games)
    found["agents"] = sorted(rows, key=lambda row: row["wins"][0], reverse=True)
    return found


def _pairs(games: Games) -> dict[str, dict[str, list[float]]]:
    """How often each agent finishes ahead of each other agent that it has met."""
    table = head_to_head(games.finishes)
    return {
        label: {other: _interval(met) for other, met in zip(games.labels, row, strict=True) if met}
        for label, row in zip(games.labels, table, strict=True)
        if any(row)
    }


def _rivals(games: Games, agent: int, ratings: Ratings) -> Row:
    """What only competitive games have: a fair share, ratings and VP."""
    finishes = games.finishes
    mine = finishes.agents == agent
    vp = by_block(finishes, (np.array([result.vp for result in games.results]) * mine).sum(axis=1))
    return {
        "fair": fair_share(finishes, agent),
        "rating": round(ratings.of(agent)[0]),
        "vp": round(mean_of(ratio(vp, by_block(finishes, mine.sum(axis=1)))).value, 1),
    }


def _standing(games: Games, agent: int) -> Row:
    finishes = games.finishes
    mine = finishes.agents == agent
    seconds = np.array([result.seconds for result in games.results])[mine].sum()
    decisions = np.array([result.decisions for result in games.results])[mine].sum()
    return {
        "agent": games.labels[agent],
        "games": int(mine.any(axis=1).sum()),
        "wins": _interval(win_rate(finishes, agent)),
        "fair": None,
        "rating": None,
        "vp": None,
        "milliseconds": round(float(1000 * seconds / max(1, decisions)), 2),
    }


def _interval(found: Found) -> list[float]:
    return _rounded((found.value, found.low, found.high))


def _rounded(found: Estimate) -> list[float]:
    return [round(part, 4) for part in found]


def finished_data(run: Tournament) -> Row:
    """A finished tournament, from its summary."""
    rows = [
        {
            "agent": each.agent,
            "games": each.games,
            "wins": _rounded(each.wins),
            "fair": each.fair,
            "rating": round(each.rating[0]) if each.rating else None,
            "vp": round(each.vp[0], 1) if each.vp else None,
            "milliseconds": round(each.milliseconds, 2),
        }
        for each in run.standings
    ]
    pairs = {agent: {other: _rounded(met) for other, met in row.items()} for agent, row in run.pairs.items()}
    return {
        "name": run.folder.name,
        "kind": "tournament",
        "games": run.games,
        "saved": None,
        "agents": rows,
        "pairs": pairs,
    }


# games


def games_of_tournament(folder: Path, agent: str, against: str) -> list[Row]:
    """Games that were played so far, of an agent, or of two agents who met: number, seed, agents and VP by seat."""
    stored = read_journal(folder)
    called = labels(stored.names)
    wanted = {name for name in (agent, against) if name}
    found: list[Row] = [
        {
            "game": match.game,
            "seed": str(match.seed),  # numbers of pages are exact to 53 bits only
            "agents": [called[number] for number in match.seats],
            "ranks": stored.results[match.game].ranks,
            "vp": stored.results[match.game].vp,
            "rounds": stored.results[match.game].rounds,
        }
        for match in stored.schedule
        if match.game in stored.results
    ]
    return [game for game in found if wanted <= set(game["agents"])]


@dataclass(frozen=True)
class GameAgain:
    """A game of a tournament, to be played again by the same agents with the same seeds."""

    rules: Rules
    seed: int
    agents: list[str]
    agents_seed: int


def tournament_game(folder: Path, number: int) -> GameAgain | None:
    """A game by its number; None if it was not played, or can't be played again: a tournament may have a content pack
    of its own."""
    stored = read_journal(folder)
    match = next((match for match in stored.schedule if match.game == number), None)
    rules = rules_from(stored.settings["rules"])
    if match is None or number not in stored.results or rules is None:
        return None
    agents = [stored.names[agent] for agent in match.seats]
    return GameAgain(rules, match.seed, agents, agents_seed(match.seed, str(stored.settings.get("salt") or "")))


def rules_from(said: Row) -> Rules | None:
    """Rules as `rules_of` wrote them; None if they can't be used any more, or if their content does not ship."""
    said = {key: value for key, value in said.items() if key != "digest"}
    if said.get("content") not in shipped_packs() or "changes" in said:
        return None
    try:
        return Rules(**said)
    except (RulesError, ContentError, TypeError, ValueError, LookupError):
        return None

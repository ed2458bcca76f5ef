"""Plays the games of a protocol that are not in the journal yet."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from fujikoro_env.settings import Rules
from fujikoro_training.benchmark.batched import play_batched, plays_in_batches
from fujikoro_training.benchmark.fingerprint import measured_with
from fujikoro_training.benchmark.protocol import Protocol, Series
from fujikoro_training.benchmark.scripted import name_in_session, play_scripted, skills_of
from fujikoro_training.tournament.games import Games
from fujikoro_training.tournament.match import Result
from fujikoro_training.tournament.match_job import MatchJob
from fujikoro_training.tournament.progress import Bar
from fujikoro_training.tournament.schedule import Match, equal_games
from fujikoro_training.tournament.store import Journal, StoreError, settings_digest
from fujikoro_training.workers.chosen import opened
from fujikoro_training.workers.job import Calls, Workers

WHAT: Final = "benchmark"
CHUNK: Final = 32  # games that are played together in a batch, and lost if the process is killed


@dataclass(frozen=True)
class Plan:
    """One agent under one protocol. Raises `AgentError` for an agent that can't be made."""

    agent: str
    protocol: Protocol

    def __post_init__(self) -> None:
        skills_of(self.agent)

    @cached_property
    def fingerprint(self) -> dict[str, Any]:
        """What the games are played with."""
        return measured_with(self.protocol, self.agent)

    @property
    def usual_folder(self) -> Path:
        """Default folder of the games."""
        return Path("runs") / f"evaluate-{self.protocol.name}-{settings_digest(self.fingerprint)}"


@dataclass(frozen=True)
class Played:
    """The finished series of a plan."""

    plan: Plan
    games: dict[Series, Games]
    seconds: float  # playing time of this run


def play(
    plan: Plan,
    chosen: Sequence[Series],
    folder: Path,
    jobs: int | Workers,
    say: Callable[[str], None] = lambda _: None,
) -> Played:
    """Play the chosen series; every finished game is saved at once. Other series that are complete in the folder are
    part of the result. `jobs`: a number of processes, or who plays the games."""
    protocol, began = plan.protocol, time.monotonic()
    with Journal(folder, plan.fingerprint, WHAT) as journal:
        all_matches = {series: protocol.matches(series) for series in protocol.series}
        _check(folder, journal.results, [match for matches in all_matches.values() for match in matches])
        wanted = [match for series in chosen for match in all_matches[series]]
        before = [(match, journal.results[match.game]) for match in wanted if match.game in journal.results]
        say(_announcement(plan, len(wanted), len(before), folder))
        with opened(jobs) as workers, Bar(len(wanted), ["agent", "opponents"], before) as bar:
            for series in chosen:
                for match, result in _missing_games(plan, series, all_matches[series], journal.results, workers):
                    journal.add(result)
                    bar.add(match, result)
        found = {
            series: Games(["agent", "opponents"], matches, [journal.results[match.game] for match in matches])
            for series, matches in all_matches.items()
            if all(match.game in journal.results for match in matches)
        }
    return Played(plan, found, time.monotonic() - began)


def _missing_games(
    plan: Plan, series: Series, matches: Sequence[Match], there: dict[int, Result], workers: Workers
) -> Iterator[tuple[Match, Result]]:
    """Play the games of a series that are not there. Games that must be equal, because the agent plays against copies
    of itself, are played once."""
    names = [plan.agent, series.opponent or plan.agent]
    groups = {group[0].game: group for group in equal_games(matches, names)}
    todo = [group[0] for group in groups.values() if any(match.game not in there for match in group)]
    for result in _played(series, names, todo, plan.protocol.move_seconds, workers):
        for match in groups[result.game]:
            if match.game not in there:
                yield match, replace(result, game=match.game)


def _played(
    series: Series, names: Sequence[str], matches: list[Match], move_seconds: float, workers: Workers
) -> Iterator[Result]:
    if all(map(plays_in_batches, names)):
        chunks = [(series.rules, matches[first : first + CHUNK], names) for first in range(0, len(matches), CHUNK)]
        for _, results in workers.run(Calls(_play_chunk), chunks):
            yield from results
        return
    job = MatchJob([name_in_session(name) for name in names], series.rules, move_seconds)
    for _, result in workers.run(job, matches):
        yield result


def _play_chunk(chunk: tuple[Rules, list[Match], Sequence[str]]) -> list[Result]:
    rules, matches, names = chunk
    skills = [skill for name in names if (skill := skills_of(name)) is not None]
    if len(skills) == len(names):
        return play_scripted(rules, matches, skills)
    return play_batched(rules, matches, names)


def _check(folder: Path, there: dict[int, Result], matches: Iterable[Match]) -> None:
    """Refuse a journal with games that are not of this protocol."""
    seats = {match.game: len(match.seats) for match in matches}
    for game, result in there.items():
        if game not in seats:
            raise StoreError(f"{folder}: its journal has game {game}, which the protocol does not have")
        if not len(result.ranks) == len(result.vp) == len(result.decisions) == seats[game]:
            raise StoreError(f"{folder}: game {game} of its journal does not have {seats[game]} players")


def _announcement(plan: Plan, games: int, before: int, folder: Path) -> str:
    trial = " (a quick trial: its numbers are no result of the protocol)" if plan.protocol.quick else ""
    there = f", {before} of them played before" if before else ""
    return f"{plan.agent} under protocol {plan.protocol.name}{trial}: {games} games{there}; kept in {folder}"

"""A whole tournament: play the games that are not in the journal yet, and return all of them."""

import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from fujikoro_env.kernel.text import quoted
from fujikoro_env.position.writing import rules_of
from fujikoro_env.record import engine_digest
from fujikoro_env.settings import Rules
from fujikoro_training.tournament.entrants import agent_digest, check_names, labels
from fujikoro_training.tournament.games import Games
from fujikoro_training.tournament.isolated import isolated_digest
from fujikoro_training.tournament.match import Result
from fujikoro_training.tournament.match_job import MatchJob
from fujikoro_training.tournament.progress import Bar
from fujikoro_training.tournament.ratings import rate
from fujikoro_training.tournament.schedule import Match, blocks_for, equal_games
from fujikoro_training.tournament.settled import looks, settled
from fujikoro_training.tournament.store import (
    LONGEST_SALT,
    SALT,
    Journal,
    Settings,
    is_salt,
    settings_digest,
    write_parquet,
)
from fujikoro_training.workers.chosen import opened
from fujikoro_training.workers.job import Workers

MOST_AGENTS = 20  # more would have too many line-ups


class TournamentError(ValueError):
    """A tournament that can't be played; the message says why in one line."""


@dataclass(frozen=True)
class Plan:
    """Settings that determine the results: with a salt, the same plan always leads to the same games."""

    names: list[str]
    rules: Rules
    seed: int = 0
    move_seconds: float = 60.0
    salt: str | None = None  # seeds are derived from it, so that agents can't guess them; None: drawn for each run
    isolate: bool = False  # each agent plays in a process of its own, which gets only its views

    def __post_init__(self) -> None:
        if self.salt is not None and not is_salt(self.salt):
            raise TournamentError(
                f"salt {quoted(self.salt)}: allowed are 1 to {LONGEST_SALT} printable ASCII characters"
            )
        if len(self.names) < 2 and not self.together:
            raise TournamentError("a tournament needs two agents or more; one may be named twice")
        if len(self.names) > MOST_AGENTS:
            raise TournamentError(f"{len(self.names)} agents: at most {MOST_AGENTS} can play in one tournament")
        if self.isolate:
            _ = self.settings  # makes each agent once, in a process of its own
        else:
            check_names(self.names)

    @property
    def together(self) -> bool:
        """Whether all seats win or lose together, so that each agent plays with copies of itself."""
        return self.rules.is_coop

    @property
    def labels(self) -> list[str]:
        """Names of the agents in results."""
        return labels(self.names)

    @cached_property
    def settings(self) -> Settings:
        """Settings as they are saved with the games."""
        return {
            "agents": self.names,
            "seats": self.rules.players,
            "seed": self.seed,
            "move_seconds": self.move_seconds,
            "isolate": self.isolate,
            "rules": rules_of(self.rules),
            "engine": engine_digest(),
            "code": {name: self._digest(name) for name in dict.fromkeys(self.names)},
            SALT: self.salt,
        }

    def _digest(self, name: str) -> str:
        return isolated_digest(name, self.rules) if self.isolate else agent_digest(name)

    @property
    def usual_folder(self) -> Path:
        """Default folder of the tournament."""
        given = {name: value for name, value in self.settings.items() if value is not None}
        return Path("runs") / f"tournament-{settings_digest(given)}"


@dataclass(frozen=True)
class Played:
    """A tournament that was played."""

    plan: Plan
    settings: Settings
    games: Games
    asked: int  # number of games asked for
    were_there: int  # games that were in the journal before
    look: int | None  # number of the last evaluation, if the tournament was played until settled
    equal_within: float
    seconds: float  # playing time


def play(
    plan: Plan,
    games: int,
    folder: Path,
    workers: int | Workers,
    until_settled: bool = False,
    equal_within: float = 25.0,
    say: Callable[[str], None] = lambda _: None,
) -> Played:
    """Play at least this many games, in whole blocks; fewer if `until_settled` and the order is settled earlier. Every
    finished game is saved in the journal at once. `workers`: a number of processes, or who plays the games."""
    if until_settled and plan.together:
        raise TournamentError("--until-settled is for competitive games: there are no ratings in co-op and solo play")
    began = time.monotonic()
    with Journal(folder, plan.settings) as journal:
        settings = {**plan.settings, SALT: journal.settings[SALT]}
        schedule = blocks_for(games, len(plan.names), plan.rules.players, plan.seed, plan.together, settings[SALT])
        stages = list(looks(len(schedule))) if until_settled else [len(schedule)]
        were_there = len(journal.results)
        _refuse_fewer(folder, journal.results, schedule)
        say(_announcement(plan, schedule, games, were_there, folder))
        with closing(_played_so_far(plan, schedule, stages, journal, workers)) as so_far:
            for look, played in enumerate(so_far, 1):
                more_is_there = len(journal.results) > len(played.matches)  # games of an earlier run count, too
                if until_settled and not more_is_there and settled(rate(played.finishes), look, equal_within):
                    break
        write_parquet(folder, played, settings)
    last_look, seconds = look if until_settled else None, time.monotonic() - began
    return Played(plan, settings, played, games, were_there, last_look, equal_within, seconds)


def _played_so_far(
    plan: Plan, schedule: list[list[Match]], stages: list[int], journal: Journal, workers: int | Workers
) -> Generator[Games]:
    """Yield all games so far, once per stage (a number of blocks). Equal games are played once and count for all."""
    there = journal.results
    equal = equal_games((match for block in schedule for match in block), plan.names)
    twins = {match.game: group for group in equal for match in group}
    for game, result in list(there.items()):
        for twin in twins[game]:
            if twin.game not in there:
                journal.add(replace(result, game=twin.game))
    before = [(match, there[match.game]) for block in schedule for match in block if match.game in there]
    job = MatchJob(plan.names, plan.rules, plan.move_seconds, journal.settings[SALT], plan.isolate)
    with opened(workers) as pool, Bar(sum(map(len, schedule)), plan.labels, before) as bar:
        for blocks in stages:
            matches = [match for block in schedule[:blocks] for match in block]
            missing = [match for match in matches if match.game not in there and match is twins[match.game][0]]
            for _, result in pool.run(job, missing):
                for twin in twins[result.game]:
                    copy = replace(result, game=twin.game)
                    journal.add(copy)
                    bar.add(twin, copy)
            yield Games(plan.labels, matches, [there[match.game] for match in matches])


def _refuse_fewer(folder: Path, there: dict[int, Result], schedule: list[list[Match]]) -> None:
    asked = sum(map(len, schedule))
    if max(there, default=-1) >= asked:
        raise TournamentError(
            f"{folder}: already has {len(there)} games, more than {asked}; ask for more games, or choose a new folder"
        )


def _announcement(plan: Plan, schedule: list[list[Match]], asked: int, were_there: int, folder: Path) -> str:
    games = sum(map(len, schedule))
    rounded = f" ({asked} asked, rounded up to whole blocks)" if games != asked else ""
    before = f", {were_there} of them played before" if were_there else ""
    a_block = "played by each agent with itself" if plan.together else "in all rotations"
    who = f"{len(plan.names)} agent{'s' if len(plan.names) > 1 else ''} at tables of {plan.rules.players}"
    distinct = len(equal_games((match for block in schedule for match in block), plan.names))
    repeated = f", {distinct} of them distinct" if distinct < games else ""
    blocks = f"{games} games{rounded}{repeated} in {len(schedule)} blocks, each one seed {a_block}"
    return f"{who}: {blocks}{before}; kept in {folder}"

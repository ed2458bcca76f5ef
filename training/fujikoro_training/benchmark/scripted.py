"""Benchmark games between scripted agents, played in compiled batches: the same games as one by one, much faster."""

from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.scripted.band_agent import Band
from fujikoro_agents.scripted.bots import Gatherer, Hunter, Runner, ScriptedAgent, Shogun, Smith, Wanderer
from fujikoro_agents.scripted.ladder import Players, ScriptedGames
from fujikoro_agents.scripted.luck import luck_of_games
from fujikoro_agents.scripted.skills import RANDOM
from fujikoro_env.kernel.commands import WAIT
from fujikoro_env.kernel.engine import Asked
from fujikoro_env.player import RandomAgent, agents_seed, make_agent
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.rules.base.names import Character, Reason
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.rules.engine.batches import see_who_is_asked
from fujikoro_env.settings import Rules
from fujikoro_training.tournament.match import Result
from fujikoro_training.tournament.schedule import Match

OURS: Final = (Wanderer, Gatherer, Smith, Hunter, Runner, Shogun, Band, ScriptedAgent)
# The random player of batches draws its numbers in another way than `RandomAgent`. Benchmark games use it everywhere,
# so that it makes no difference how they are played.
RANDOM_SCRIPT: Final = f"python:{ScriptedAgent.__module__}.{ScriptedAgent.__name__}"


def skills_of(name: str) -> int | None:
    """Skills of a scripted agent, with which it plays in batches; None for all other agents."""
    kind = type(make_agent(name))
    if kind is RandomAgent:
        return RANDOM
    return kind.skills if issubclass(kind, ScriptedAgent) and kind in OURS else None


def name_in_session(name: str) -> str:
    """Name under which an agent plays in a session, so that it plays the same games as in a batch."""
    return RANDOM_SCRIPT if skills_of(name) == RANDOM else name


class AskedGames(ScriptedGames):
    """Scripted games whose decisions can be looked at one by one. Agents get the same luck as in a session."""

    def __init__(self, rules: Rules, seeds: NDArray[np.int64], skills: NDArray[np.int64]) -> None:
        super().__init__(rules, seeds, skills)
        self.players = Players(skills, luck_of_games(np.array([agents_seed(int(seed)) for seed in seeds])))
        n = len(seeds)
        self.actors: Any = np.zeros(n, np.int64)
        self.phases: Any = np.zeros(n, np.int64)
        self.allowed: Any = np.zeros((n, ACTIONS), np.uint8)
        self._asked = Asked(*(cast(Any, array) for array in (self.actors, self.phases, self.allowed)))

    def asked(self, first: int, last: int) -> NDArray[np.int64]:
        """Games from first to last - 1 that have been answered; `actors`, `phases` and `allowed` say who was asked."""
        see_who_is_asked(self.games, first, last, self.actions, self.masks, self._asked)
        return first + np.flatnonzero(self.actions[first:last] != WAIT)


class CountedGames(AskedGames):
    """Scripted games that count the decisions of every seat."""

    def __init__(self, rules: Rules, seeds: NDArray[np.int64], skills: NDArray[np.int64]) -> None:
        super().__init__(rules, seeds, skills)
        self.by_seat = np.zeros((len(seeds), PLAYERS), np.int64)

    def on_answers(self, first: int, last: int) -> None:
        rows = self.asked(first, last)
        self.by_seat[rows, self.actors[rows]] += 1


def play_scripted(rules: Rules, matches: Sequence[Match], skills: Sequence[int]) -> list[Result]:
    """Play matches of scripted agents. `skills`: by number of the agent. Thinking time is not measured."""
    by_seat = np.zeros((len(matches), PLAYERS), np.int64)
    for row, match in enumerate(matches):
        by_seat[row, : rules.players] = [skills[number] for number in match.seats]
    games = CountedGames(rules, np.array([match.seed for match in matches]), by_seat)
    found, seats = games.play(), rules.players
    return [
        Result(
            game=match.game,
            reason=Reason(int(found.reasons[row])).name.lower(),
            rounds=int(found.rounds[row]),
            ranks=found.ranks[row, :seats].tolist(),
            vp=found.scores[row, :seats].tolist(),
            characters=[Character(int(found.games["players"]["character"][row, p])).name.lower() for p in range(seats)],
            decisions=games.by_seat[row, :seats].tolist(),
            seconds=[0.0] * seats,
        )
        for row, match in enumerate(matches)
    ]

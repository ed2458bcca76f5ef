"""`BatchPolicy`: players that answer for many games at once, and how they are found by name.

>>> from fujikoro_env import BatchedGames, Rules
>>> games = BatchedGames(Rules(players=3), n=8)
>>> hunter = batch_policy("hunter")
>>> hunter.begin(games, range(8), games.actors)
>>> games.step(hunter.act(games, range(8)))

`batch_policy` takes the name of an agent, an `Agent`, a `BatchPolicy` or a function. Scripted agents and trained
policies answer for all games in one call; any other agent is copied for every seat that it plays, which is slower.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.envs.batch import BatchedGames
from fujikoro_env.kernel.text import quoted
from fujikoro_env.player import Agent, agents_seed, make_agent

RANDOM = "random"
Which = Sequence[int] | NDArray[np.int64]  # numbers of games


@runtime_checkable
class BatchPolicy(Protocol):
    """Chooses actions for many games at once."""

    def act(self, games: BatchedGames, which: Which) -> Any:
        """Return a legal action for each of the games `which`, in which `games.actors` must decide."""


@runtime_checkable
class GamePolicy(BatchPolicy, Protocol):
    """A `BatchPolicy` that remembers something of each game that it plays."""

    def begin(self, games: BatchedGames, which: Which, seats: Which) -> None:
        """Start new games: `games.seeds` of the games `which` are new, and the policy plays one of the `seats` in
        each. A policy that plays several seats of a game gets a call for each."""


@runtime_checkable
class KeptPolicy(Protocol):
    """A `BatchPolicy` whose memory can be kept for later."""

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Everything that it remembers, as arrays."""

    def restore(self, snapshot: dict[str, NDArray[Any]]) -> None:
        """Go on from a snapshot."""


@runtime_checkable
class BatchAgent(Protocol):
    """An agent that can answer for many games at once."""

    def batch_policy(self) -> BatchPolicy:
        """A policy that plays like this agent."""


Function = Callable[[BatchedGames, Any], Any]
Opponent = str | Agent | BatchPolicy | Function


def batch_policy(given: Opponent) -> BatchPolicy:
    """Make a policy of the name of an agent, an agent, a policy or a function with the arguments of `act`."""
    if isinstance(given, str) and given == RANDOM:
        return RandomPolicy()
    if isinstance(given, str | Agent):
        agent = make_agent(given) if isinstance(given, str) else given
        return agent.batch_policy() if isinstance(agent, BatchAgent) else AgentPerSeat(given)
    if isinstance(given, BatchPolicy):
        return given
    if callable(given):
        return PolicyOfFunction(given)
    raise ValueError(f"opponent {quoted(given)}: allowed are {RANDOM!r}, names of agents, agents and batch policies")


class RandomPolicy:
    """Chooses random legal actions."""

    def act(self, games: BatchedGames, which: Which) -> NDArray[np.int64]:
        return games.random_actions()[np.asarray(which, np.int64)]


@dataclass(frozen=True)
class PolicyOfFunction:
    """Makes a `BatchPolicy` of a function."""

    act: Function


class AgentPerSeat:
    """Agents of one kind, one for each game and seat that it plays: made when first needed, and reset for each game
    with a seed that depends on the game's."""

    def __init__(self, given: str | Agent) -> None:
        self._given = given
        self.agents: dict[tuple[int, int], Agent] = {}  # by game and seat

    def begin(self, games: BatchedGames, which: Which, seats: Which) -> None:
        for game, seat in zip(_ints(which), _ints(seats), strict=True):
            if (game, seat) not in self.agents:
                self.agents[game, seat] = self._made()
            self.agents[game, seat].reset(agents_seed(int(games.seeds[game])), seat)

    def _made(self) -> Agent:
        return make_agent(self._given) if isinstance(self._given, str) else deepcopy(self._given)

    def act(self, games: BatchedGames, which: Which) -> list[int]:
        asked = [(game, int(games.actors[game])) for game in _ints(which)]
        return [self.agents[game, seat].act(games.game(game).view(seat)) for game, seat in asked]


def begin_games(policy: BatchPolicy, games: BatchedGames, which: Which, seats: Which) -> None:
    """Tell a policy about new games, if it remembers games."""
    if isinstance(policy, GamePolicy) and len(which):
        policy.begin(games, which, seats)


def _ints(numbers: Which) -> list[int]:
    return [int(number) for number in numbers]

"""`OneSeatGames`: many games, in each of them one seat that learns, while the others play inside.

So what the learner sees next is always its own next decision, and its reward is all that came until then. The vectors
of Gymnasium (`fujikoro_env.envs.vector`) and Stable-Baselines3 (`fujikoro_env.envs.sb3`) stand on it; it needs neither.

>>> from fujikoro_env import Rules
>>> from fujikoro_env.envs.one_seat import OneSeatGames
>>> games = OneSeatGames(Rules(players=3), n=4, seed=1, seat="random")
>>> seen = games.reset()
>>> seen, rewards, dones = games.step(games.masks.argmax(axis=1))
>>> (games.games.actors == games.seats).all()
np.True_
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.envs.batch import WAITS, BatchedGames
from fujikoro_env.game import SEED_BITS, Outcome
from fujikoro_env.observation import checked_kind
from fujikoro_env.player import Agent, make_agent
from fujikoro_env.settings import Rules, is_whole_number

RANDOM = "random"  # as a seat: drawn for every game; as an opponent: any legal action


@runtime_checkable
class BatchPolicy(Protocol):
    """Answers for many games at once."""

    def act(self, games: BatchedGames, which: NDArray[np.int64]) -> Any:
        """A legal action for each of the games `which`, whose `games.actors` are asked."""


Opponent = str | Agent | BatchPolicy | Callable[[BatchedGames, NDArray[np.int64]], Any]


@dataclass(frozen=True)
class End:
    """How an episode of the learner ended: its seat, the outcome of the game, the sum of its rewards, the number of its
    decisions, and its observation of the last position."""

    seat: int
    outcome: Outcome
    total: float
    length: int
    observation: Any


class OneSeatGames:
    """`n` games with one learner in each. Opponents play inside, so every game always stands at a decision of its
    learner.

    `seat` is the learner's seat: a number, or "random" to draw one for every game. `opponents` play the other seats:
    one for all of them, or a list with one for each, in playing order after the learner. In co-op they are partners;
    solo play has none. An opponent is one of

    * "random", which is compiled and by far the fastest;
    * a `BatchPolicy`, or a function of the same arguments, which answers for many games at once;
    * the name of an agent or an `Agent` (see `fujikoro_env.player`). Every seat of every game gets an agent of its own,
      which sees the view of its seat.

    An episode begins with the learner's first decision. Rewards before that are not counted, and a game that ends
    before the learner was asked anything is no episode. `ends` has an `End` for each game whose episode the last step
    ended. All else is as in `BatchedGames`.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        n: int = 256,
        seed: int = 0,
        opponents: Opponent | Sequence[Opponent] = RANDOM,
        seat: int | str = 0,
        observation: str = "compact",
        reward: str = "rank",
        threads: int = 1,
    ) -> None:
        self.observation = checked_kind(observation)
        self.games = BatchedGames(rules, n, seed, reward, threads)
        self._seat_rule = self._checked_seat(seat)
        self._policies, self._policy_of = self._seated(opponents)
        self._every_game = np.arange(n)
        self._totals, self._lengths = np.zeros(n), np.zeros(n, np.int64)
        self.seats = np.zeros(n, np.int64)
        self.rewards, self.dones = np.zeros(n), np.zeros(n, np.bool_)  # of the last step
        self.ends: dict[int, End] = {}  # by game: the episodes that the last step ended
        self._sow(seed)

    def _sow(self, seed: int) -> None:
        """Luck of seats and agents; not that of the games, which would tell agents the future."""
        self._luck = np.random.default_rng([seed, 1])

    @property
    def n(self) -> int:
        """Number of games."""
        return self.games.n

    @property
    def rules(self) -> Rules:
        """The rules of all games."""
        return self.games.rules

    @property
    def masks(self) -> NDArray[np.bool_]:
        """Legal actions of the learners, (n, ACTIONS) bool. Every step writes into the same array."""
        return self.games.masks

    # playing

    def reset(self, seed: int | None = None) -> Any:
        """Deal all games anew, from the seed or going on in the sequence, and play to the learners' first decisions.
        Returns their observations."""
        self.games.restart(seed)
        if seed is not None:
            self._sow(seed)
        self._begin(self._every_game)
        self._totals[:], self._lengths[:], self.rewards[:] = 0, 0, 0
        self.ends = {}
        self.dones[:] = True  # no episode has begun: nothing is counted yet
        self._play_the_others()
        self.dones[:] = False
        return self._observed()

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_]]:
        """Do the learners' actions and go on to their next decisions. Returns the learners' observations, their rewards
        since the last step, and which episodes ended. An illegal action raises, and then nothing has changed.
        Observations are new arrays."""
        self.games.step(actions)
        self.rewards, self.dones = np.zeros(self.n), np.zeros(self.n, np.bool_)
        self.ends = {}
        self._lengths += 1
        self._take_in()
        self._play_the_others()
        self._totals += self.rewards
        self._totals[self.dones], self._lengths[self.dones] = 0, 0
        return self._observed(), self.rewards, self.dones

    def _observed(self) -> Any:
        return self.games.observe(self.observation)

    def _play_the_others(self) -> None:
        """Until every game stands at the learner's decision."""
        while not (waits := self.games.actors == self.seats).all():
            self.games.step(self._answers(np.flatnonzero(~waits)))
            self._take_in()

    def _answers(self, asked: NDArray[np.int64]) -> NDArray[np.int64]:
        actions = np.full(self.n, WAITS, np.int64)
        if len(self._policies) == 1:
            actions[asked] = self._policies[0].act(self.games, asked)
            return actions
        theirs = self._policy_of[self._places(asked, self.games.actors[asked])]
        for number, policy in enumerate(self._policies):
            which = asked[theirs == number]
            if len(which):
                actions[which] = policy.act(self.games, which)
        return actions

    def _places(self, which: NDArray[np.int64], players: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of others than the learner, from 0, in playing order after it."""
        places: NDArray[np.int64] = (players - self.seats[which]) % self.rules.players - 1
        return places

    def _take_in(self) -> None:
        """What the last step of the games brought."""
        games = self.games
        self.rewards += np.where(self.dones, 0, games.rewards[self._every_game, self.seats])
        if games.dones.any():
            over = np.flatnonzero(games.dones)
            self._end(over[~self.dones[over]])
            self._begin(over)

    def _end(self, over: NDArray[np.int64]) -> None:
        if not len(over):
            return
        self.dones[over] = True
        seen = self.games.observe_ended(over, self.seats[over], self.observation)
        for row, game in enumerate(over.tolist()):
            outcome = self.games.outcome(game)
            assert outcome is not None
            self.ends[game] = End(
                seat=int(self.seats[game]),
                outcome=outcome,
                total=float(self._totals[game] + self.rewards[game]),
                length=int(self._lengths[game]),
                observation=row_of(seen, row),
            )

    def _begin(self, which: NDArray[np.int64]) -> None:
        """Games were dealt: who sits where, and who plays."""
        random = self._seat_rule == RANDOM
        self.seats[which] = self._luck.integers(self.rules.players, size=len(which)) if random else self._seat_rule
        for policy in self._policies:
            if isinstance(policy, AgentsOfSeats):
                policy.begin(which, self.seats[which], self._luck)

    def close(self) -> None:
        """Stop the threads."""
        self.games.close()

    # who sits where

    def _checked_seat(self, seat: Any) -> Any:
        players = self.rules.players
        if seat != RANDOM and not (is_whole_number(seat) and 0 <= seat < players):
            raise ValueError(f"seat={seat!r}: allowed are 0 to {players - 1}, {RANDOM!r}")
        return seat

    def _seated(self, given: Any) -> tuple[list[BatchPolicy], NDArray[np.int64]]:
        """All policies, each once, and by place of the other seats which of them plays there."""
        others = self.rules.players - 1
        one_for_all = not isinstance(given, list | tuple)
        if not one_for_all and len(given) != others:
            raise ValueError(
                f"opponents={given!r}: allowed is one for all, or one for each of the {others} other seats"
            )
        policies: list[BatchPolicy] = []
        policy_of = np.zeros(others, np.int64)
        known: dict[Any, int] = {}  # what answers for many games may do so for many seats
        for place, one in enumerate([given] * others if one_for_all else given):
            key = RANDOM if one == RANDOM else id(one)
            if key not in known or _is_agent(one):
                known[key] = len(policies)
                policies.append(self._policy(one, place))
            policy_of[place] = known[key]
        return policies, policy_of

    def _policy(self, given: Any, place: int) -> BatchPolicy:
        if given == RANDOM:
            return RandomPolicy()
        if _is_agent(given):
            return AgentsOfSeats(given, place, self.n, self.rules.players)
        if isinstance(given, BatchPolicy):
            return given
        if callable(given):
            return PolicyOfFunction(given)
        raise ValueError(f"opponent {given!r}: allowed are {RANDOM!r}, names of agents, agents and batch policies")


def _is_agent(given: Any) -> bool:
    return given != RANDOM and isinstance(given, str | Agent)


def row_of(seen: Any, row: int) -> Any:
    """One game's part of an observation of many."""
    return {name: array[row] for name, array in seen.items()} if isinstance(seen, dict) else seen[row]


class RandomPolicy:
    def act(self, games: BatchedGames, which: NDArray[np.int64]) -> NDArray[np.int64]:
        return games.random_actions()[which]


@dataclass(frozen=True)
class PolicyOfFunction:
    act: Callable[[BatchedGames, NDArray[np.int64]], Any]


class AgentsOfSeats:
    """An agent for every game, all in the same place after the learner."""

    def __init__(self, given: str | Agent, place: int, n: int, players: int) -> None:
        self._place, self._players = place, players
        self._agents = [make_agent(given) if isinstance(given, str) else deepcopy(given) for _ in range(n)]

    def begin(self, which: NDArray[np.int64], learners: NDArray[np.int64], luck: np.random.Generator) -> None:
        for game, learner in zip(which.tolist(), learners.tolist(), strict=True):
            seat = (learner + 1 + self._place) % self._players
            self._agents[game].reset(int(luck.integers(1 << SEED_BITS)), seat)

    def act(self, games: BatchedGames, which: NDArray[np.int64]) -> list[int]:
        return [self._agents[game].act(games.game(game).view(int(games.actors[game]))) for game in which.tolist()]

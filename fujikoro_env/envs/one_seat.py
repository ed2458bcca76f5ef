"""`OneSeatGames`: many games with one learner in each, whose opponents play inside the environment.

So the learner's next observation is always at its own next decision, and its reward is everything paid until then. The
vector environments for Gymnasium (`fujikoro_env.envs.vector`) and Stable-Baselines3 (`fujikoro_env.envs.sb3`) are built
on this class, which itself needs neither library.

>>> from fujikoro_env import Rules
>>> from fujikoro_env.envs.one_seat import OneSeatGames
>>> games = OneSeatGames(Rules(players=3), n=4, seed=1, seat="random")
>>> seen = games.reset()
>>> seen, rewards, dones = games.step(games.masks.argmax(axis=1))
>>> (games.games.actors == games.seats).all()
np.True_
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.envs.batch import WAITS, BatchedGames, decided_actions
from fujikoro_env.envs.policies import RANDOM, BatchPolicy, Opponent, batch_policy, begin_games
from fujikoro_env.game import Outcome
from fujikoro_env.kernel.game import is_whole_number
from fujikoro_env.kernel.text import quoted
from fujikoro_env.kernel.thread_pool import Guard, one_thread
from fujikoro_env.observation import checked_kind
from fujikoro_env.settings import Rules


@dataclass(frozen=True)
class End:
    """The end of an episode: the learner's seat, the outcome of the game, the sum of the learner's rewards, the number
    of its decisions, and its observation of the last position."""

    seat: int
    outcome: Outcome
    total: float
    length: int
    observation: Any


class OneSeatGames:
    """`n` games with one learner in each. Opponents play inside, so every game is always at a decision of its learner.

    `seat` is the learner's seat: a number, or "random" to draw one for every game. `opponents` play the other seats:
    one for all of them, or a list with one for each, in playing order after the learner. In co-op they are partners;
    solo play has none. An opponent is one of

    * "random", which is compiled and by far the fastest;
    * a `BatchPolicy`, or a function with the same arguments, which answers for many games at once;
    * the name of an agent or an `Agent` (see `fujikoro_env.player`). Scripted agents and trained policies answer for
      many games at once (see `fujikoro_env.envs.policies`). Any other agent is copied for every seat of every game, and
      sees the view of its seat.

    An episode begins with the learner's first decision. Rewards before that are not counted, and a game that ends
    before the learner's first decision is not an episode. `ends` has an `End` for each game whose episode the last step
    ended. Everything else is as in `BatchedGames`.
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
        self.guard = Guard("batch of games")
        self.games = BatchedGames(rules, n, seed, reward, threads)
        self._seat_rule = self._checked_seat(seat)
        self._policies, self._policy_of = self._seated(opponents)
        self._every_game = np.arange(n)
        self._totals, self._lengths = np.zeros(n), np.zeros(n, np.int64)
        self.seats = np.zeros(n, np.int64)
        self.rewards, self.dones = np.zeros(n), np.zeros(n, np.bool_)  # of the last step
        self.ends: dict[int, End] = {}  # episodes that the last step ended, by game
        self._has_begun = False
        self._sow(seed)

    def _sow(self, seed: int) -> None:
        """Seed the generator for seats. It is not that of the games."""
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

    @one_thread
    def reset(self, seed: int | None = None) -> Any:
        """Deal all games again, from the seed or continuing the sequence, and play to the learners' first decisions.
        Returns their observations."""
        self.games.restart(seed)
        if seed is not None:
            self._sow(seed)
        self._begin(self._every_game)
        self._totals[:], self._lengths[:], self.rewards[:] = 0, 0, 0
        self.ends = {}
        self.dones[:] = True  # no episode has begun, so nothing is counted yet
        self._play_the_others()
        self.dones[:] = False
        self._has_begun = True
        return self._observed()

    @one_thread
    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_]]:
        """Carry out the learners' actions and continue to their next decisions. Returns the learners' observations,
        their rewards since the last step, and which episodes ended. An illegal action raises, and then nothing has
        changed. The observations are new arrays."""
        if not self._has_begun:
            raise RuntimeError("there is no game yet: call reset() first")
        self.games.step(decided_actions(actions, self.n))
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
        """Let the opponents play until every game is at a decision of its learner."""
        while not (waits := self.games.actors == self.seats).all():
            self.games.step(self._answers(np.flatnonzero(~waits)))
            self._take_in()

    def _answers(self, asked: NDArray[np.int64]) -> NDArray[np.int64]:
        actions = np.full(self.n, WAITS, np.int64)
        if len(self._policies) == 1:
            actions[asked] = decided_actions(self._policies[0].act(self.games, asked), len(asked))
            return actions
        theirs = self._policy_of[self._places(asked, self.games.actors[asked])]
        for number, policy in enumerate(self._policies):
            which = asked[theirs == number]
            if len(which):
                actions[which] = decided_actions(policy.act(self.games, which), len(which))
        return actions

    def _places(self, which: NDArray[np.int64], players: NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions of opponents in playing order after the learner, counted from 0."""
        places: NDArray[np.int64] = (players - self.seats[which]) % self.rules.players - 1
        return places

    def _take_in(self) -> None:
        """Add up the rewards of the last step, and handle games that it ended."""
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
        """Draw the seats of newly dealt games and reset their agents."""
        random = self._seat_rule == RANDOM
        self.seats[which] = self._luck.integers(self.rules.players, size=len(which)) if random else self._seat_rule
        for place, number in enumerate(self._policy_of.tolist()):
            seats = (self.seats[which] + 1 + place) % self.rules.players
            begin_games(self._policies[number], self.games, which, seats)

    def close(self) -> None:
        """Stop the threads."""
        self.games.close()

    # seats

    def _checked_seat(self, seat: Any) -> Any:
        players = self.rules.players
        if seat != RANDOM and not (is_whole_number(seat) and 0 <= seat < players):
            raise ValueError(f"seat={quoted(seat)}: allowed are 0 to {players - 1}, {RANDOM!r}")
        return seat

    def _seated(self, given: Any) -> tuple[list[BatchPolicy], NDArray[np.int64]]:
        """All distinct policies, and for each opponent's place the index of its policy."""
        others = self.rules.players - 1
        one_for_all = not isinstance(given, list | tuple)
        if not one_for_all and len(given) != others:
            raise ValueError(
                f"opponents={quoted(given)}: give one for all, or one for each of the {others} other seats"
            )
        policies: list[BatchPolicy] = []
        policy_of = np.zeros(others, np.int64)
        known: dict[Any, int] = {}  # one policy may play several seats
        for place, one in enumerate([given] * others if one_for_all else given):
            key = one if isinstance(one, str) else id(one)
            if key not in known:
                known[key] = len(policies)
                policies.append(batch_policy(one))
            policy_of[place] = known[key]
        return policies, policy_of


def row_of(seen: Any, row: int) -> Any:
    """One game's row of an observation of many games."""
    return {name: array[row] for name, array in seen.items()} if isinstance(seen, dict) else seen[row]

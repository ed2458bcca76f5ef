"""`BatchedGames`: many games side by side, stepped by compiled loops.

>>> from fuji_env import Rules
>>> games = BatchedGames(Rules(players=3), n=8, seed=1)
>>> games.step(games.random_actions())
>>> games.rewards.shape, games.dones.any()
((8, 4), np.False_)
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fuji_env.game import PARTS, Game
from fuji_env.observation import observe_many
from fuji_env.rules.base.names import Reason
from fuji_env.rules.base.state import PLAYERS, State
from fuji_env.rules.engine.rewards import appraise_games, pay_games
from fuji_env.rules.engine.scores import settle_games
from fuji_env.settings import Rules
from fujikoro_env.kernel.game import NO_ACTION, ONLY_LEGAL, SEED_BITS, WAIT, new_masks
from fujikoro_env.kernel.records import zeros

WAITS = WAIT


class Compiled(NamedTuple):
    """The games as arrays for compiled code, sharing memory."""

    games: Any
    tables: Any
    masks: Any


class BatchedGames:
    """`n` games under the same rules, stepped together. The step that ends a game deals the next one in its place,
    unless `stop` is set."""

    def __init__(
        self,
        rules: Rules | None = None,
        n: int = 1024,
        seed: int = 0,
        reward: str = "win",
        observation: str | None = None,
        stop: bool = False,
    ) -> None:
        self.rules, self.n, self.observation, self._stop = rules or Rules(), n, observation, stop
        self._reward = int(self.rules.reward_kind(reward))
        self.states: Any = zeros(State, n)
        self.ended: Any = zeros(State, n)
        self._bytes = self.states.view(np.uint8).reshape(n, -1)
        blank = zeros(State, 1)
        self.rules.write_settings(blank[0].settings)
        self._blank = blank.view(np.uint8)
        self._words = new_masks(PARTS.actions, n)
        self.actors: Any = np.zeros(n, np.int64)
        self.rewards: Any = np.zeros((n, PLAYERS), np.float32)
        self.dones: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self.over: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self.seeds: Any = np.zeros(n, np.int64)
        self.ranks: Any = np.zeros((n, PLAYERS), np.int64)
        self.scores: Any = np.zeros((n, PLAYERS), np.int64)
        self._worths: Any = np.zeros(n, np.float32)
        self._luck = np.random.default_rng([seed, 0])
        self._random = np.random.default_rng([seed, 7])
        self.deal(self._next_seeds(n))

    def _next_seeds(self, number: int) -> NDArray[np.int64]:
        return self._luck.integers(0, 1 << SEED_BITS, number)

    @property
    def compiled(self) -> Compiled:
        """The games as arrays for compiled code."""
        return Compiled(self.states, self.rules.tables, self._words)

    @property
    def masks(self) -> NDArray[np.bool_]:
        """The legal actions, (n, actions)."""
        bits = np.unpackbits(self._words.view(np.uint8), axis=1, count=PARTS.actions.size, bitorder="little")
        return bits.view(np.bool_)

    def random_actions(self) -> NDArray[np.int64]:
        """A random legal action for every game; `WAITS` for games that have stopped."""
        luck = self._random.random((self.n, PARTS.actions.size))
        actions: NDArray[np.int64] = np.where(self.over, WAITS, np.where(self.masks, luck, -1.0).argmax(axis=1))
        return actions

    def step(self, actions: Any, observe: bool = True) -> None:
        """Carry out one action in every game; `WAITS` leaves a game as it is. Observations are written when asked
        for, so `observe` has no effect."""
        given: Any = np.ascontiguousarray(actions, np.int64)
        waits = given == WAITS
        if fault := PARTS.step(self.states, self.rules.tables, 0, self.n, given, self._words):
            raise ValueError(f"a game refused its action ({PARTS.faults(fault).name})")
        pay_games(self.states, self.rules.tables, 0, self.n, self._reward, self._worths, self.rewards)
        self.rewards[waits] = 0
        self.dones = (self.states["reason"] != Reason.PLAYING) & ~self.over
        if self.dones.any():
            self._end(np.flatnonzero(self.dones))
        self._look()

    def _look(self) -> None:
        top = np.maximum(self.states["depth"] - 1, 0)
        self.actors = self.states["stack"]["actor"][np.arange(self.n), top].astype(np.int64)
        self.actors[self.over] = -1

    def _end(self, over: Any) -> None:
        reasons: Any = np.zeros(self.n, np.int64)
        scores: Any = np.zeros(self.n, np.int64)
        settle_games(self.states, over, reasons, scores)
        won = reasons[over] == Reason.VILLAGES
        self.ranks[over, : self.rules.players] = np.where(won, 1, 2)[:, None]
        self.scores[over, : self.rules.players] = scores[over][:, None]
        self.ended.view(np.uint8).reshape(self.n, -1)[over] = self._bytes[over]
        if self._stop:
            self.over[over] = True
        else:
            self._deal(self._next_seeds(len(over)), over)

    def deal(self, seeds: Any, which: Any = None) -> None:
        """Deal all games, or the games `which`, each from its own seed."""
        which = np.arange(self.n) if which is None else np.asarray(which, np.int64)
        self._deal(np.broadcast_to(np.asarray(seeds, np.int64), which.shape), which)
        self._look()

    def _deal(self, seeds: Any, which: Any) -> None:
        self.seeds[which] = seeds
        self.over[which] = False
        self._bytes[which] = self._blank
        for game, seed in zip(which.tolist(), seeds.tolist(), strict=True):
            PARTS.deal(self.states, self.rules.tables, game, seed)
        begin: Any = np.full(self.n, WAITS, np.int64)
        begin[which] = NO_ACTION
        PARTS.step(self.states, self.rules.tables, 0, self.n, begin, self._words)
        appraise_games(self.states, self.rules.tables, which, self._reward, self._worths)

    def update_observations(self) -> None:
        """Nothing to do: observations are written when asked for."""

    @property
    def observations(self) -> Any:
        """Observations of the acting players, of the kind `observation`."""
        return self.observe(self.observation or "tensor")

    def observe(self, kind: str = "tensor", observers: Any = None) -> Any:
        """Observations of the acting players, or of other ones; zeros where the observer is below 0."""
        who: Any = self.actors if observers is None else np.ascontiguousarray(observers, np.int64)
        return observe_many(self.states, self.rules.tables, who, kind)

    def observe_some(self, which: Any, kind: str = "tensor") -> Any:
        """Observations of the acting players in some of the games."""
        some = np.ascontiguousarray(self._bytes[which]).reshape(-1).view(self.states.dtype)
        return observe_many(some, self.rules.tables, np.ascontiguousarray(self.actors[which]), kind)

    def game(self, index: int) -> Game:
        """A copy of one game."""
        return Game.of_record(self.states[index : index + 1].copy(), self.rules)

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """All games, as arrays."""
        luck = np.frombuffer(repr(self._luck.bit_generator.state).encode(), np.uint8)
        return {"bytes": self._bytes.copy(), "worths": self._worths.copy(), "seeds": self.seeds.copy(), "luck": luck}

    def restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        """Go on with the games of a snapshot."""
        self._bytes[:] = snapshot["bytes"]
        self._worths[:], self.seeds[:] = snapshot["worths"], snapshot["seeds"]
        only: Any = np.full(self.n, ONLY_LEGAL, np.int64)
        PARTS.step(self.states, self.rules.tables, 0, self.n, only, self._words)
        self._look()

    def close(self) -> None:
        """There is nothing to stop."""

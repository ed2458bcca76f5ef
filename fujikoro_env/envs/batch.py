"""`BatchedGames`: many games side by side, stepped by compiled loops.

>>> from fujikoro_env import BatchedGames, Rules
>>> games = BatchedGames(Rules(players=3), n=8, seed=1, observation="compact")
>>> games.observations.shape == (8, games.width)
True
>>> games.step(games.random_actions())
>>> games.rewards.shape, games.dones.any()
((8, 6), np.False_)

Every game is always at a decision: `actors` must decide, and `masks` are their legal actions. The step that ends a game
also deals a new one in its place; `dones` marks it, and its rewards, ranks, scores, reason and last position stay
readable until the next step. With `stop=True` games stop at their end instead. `deal` starts games from given seeds;
`snapshot` and `restore` keep a batch for later.

All arrays are made once, and every step writes into the same ones: copy what you want to keep or change. The caller may
provide them (`arrays`), for example in shared memory.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.actions import InvalidActionError, whole_actions
from fujikoro_env.envs.levels import NO_QUESTION, PRIMITIVE, make_level
from fujikoro_env.envs.rewards import RewardTracker
from fujikoro_env.game import Game, IllegalActionError, Outcome, outcome_of
from fujikoro_env.kernel import batch
from fujikoro_env.kernel.batch import WAITS as WAITS
from fujikoro_env.kernel.batch import BatchParts, TableBatch
from fujikoro_env.kernel.batch import generator_bytes as generator_bytes
from fujikoro_env.kernel.batch import restore_generator as restore_generator
from fujikoro_env.kernel.buffers import Given
from fujikoro_env.observation import words_of
from fujikoro_env.observation.buffers import LOOKS
from fujikoro_env.observation.compact import WIDTH
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.engine.batches import deal_games, see_who_is_asked, settle_games
from fujikoro_env.saved import check_games
from fujikoro_env.settings import Rules

PARTS: Final = BatchParts(Game, RewardTracker, deal_games, see_who_is_asked, settle_games, check_games, LOOKS)


class BatchedGames(TableBatch):
    """`n` games under the same rules, stepped together by compiled code. Seed and actions determine everything,
    whatever the number of threads.

    Every game is always at a decision. After each step these arrays are up to date. A step writes into the same arrays,
    so copy what you want to keep:

    * `actors` (n,) and `phases` (n,): the player who must decide, and the question
    * `masks` (n, actions) bool: the legal actions
    * `rewards` (n, 6) float32: the rewards of the last step, by player
    * `dones` (n,) bool: games that the last step ended. The same step deals new ones; until the next step,
      `outcome(index)`, `ranks`, `scores` and `ended` describe how they ended
    * `over` (n,) bool: games that have stopped at their end, if `stop` is set. Their actor is -1, they have no legal
      action, and `WAITS` is their only possible action
    * `observations`: observations of the actors, if `observation` is set
    * `states` (n,): the records of the games, for reading

    The arguments:

    * `reward`: "rank", "win", "vp" or "shaped"; docs/environment.md explains them
    * `threads`: number of threads that share the work; `close()` or the end of a `with` block stops them
    * `observation`: "compact" keeps an array of (n, width) float32 in `observations`, "tensor" a dictionary of arrays.
      This is cheaper than calling `observe`, because only changes are written; so don't write into them
    * `arrays`: arrays of the caller to write into, in shared memory for example: "actors" int64, "masks", "rewards",
      "dones" and "observations" as above; with tensors "planes" and "numbers", the two tables of
      `fujikoro_env.observation.TensorArrays`, in place of "observations"
    * `stop`: whether games stop at their end. Otherwise the step that ends a game deals the next one
    * `decisions`: "primitive", or the name of a decision level, "plans" (docs/plans.md). Then every game is always at a
      question of the level: `masks` are (n, choices), `step` takes choices, and `level_table` has their `features` and
      the `summaries` of the positions

    A batch is for one thread at a time: a call while another thread steps or observes it raises.
    """

    batch_parts: ClassVar[BatchParts] = PARTS
    rules: Rules

    def __init__(
        self,
        rules: Rules | None = None,
        n: int = 1024,
        seed: int = 0,
        reward: str = "rank",
        threads: int = 1,
        observation: str | None = None,
        arrays: Given | None = None,
        stop: bool = False,
        decisions: str = PRIMITIVE,
    ) -> None:
        self.level = make_level(decisions)
        super().__init__(Rules() if rules is None else rules, n, seed, reward, threads, observation, arrays, stop)

    def _hold(self, given: Given) -> None:
        super()._hold(given)
        self.level_table = self.level.table(self.n) if self.level else None

    @property
    def _choices(self) -> int:
        """Number of columns of the masks: actions, or choices of the level."""
        return self.level.choices if self.level else ACTIONS

    @property
    def compiled(self) -> GameArrays:
        """The games as arrays for compiled code, sharing memory; `masks` are bits here."""
        return GameArrays(self.states, words_of(self.states), self._tables, self._words)

    @property
    def width(self) -> int:
        """Length of the compact observation."""
        return WIDTH

    def outcome(self, game: int) -> Outcome | None:
        """The outcome of this game if the last step ended it, else None."""
        game = self._index(game)
        if not self.dones[game]:
            return None
        return outcome_of(self.ended[game], tuple(self.ranks[game, : self.rules.players].tolist()))

    def game(self, index: int) -> Game:
        """A copy of one of the games as it stands."""
        game: Game = super().game(index)
        return game

    # decision levels

    def _step(self, actions: Any, observe: bool) -> None:
        if self.level_table is None:
            super()._step(actions, observe)
        else:
            self._step_at_level(actions, observe)

    def _step_at_level(self, choices: NDArray[np.int64], observe: bool) -> None:
        """Carry out one choice in every game, and play on to the next questions of the level."""
        assert self.level_table is not None
        which = np.flatnonzero(choices != WAITS)
        refused = (choices[which] < 0) | (choices[which] >= self.level_table.counts[which]) | self.over[which]
        if refused.any():
            self._refuse_choice(int(which[refused.argmax()]), int(choices[which[refused.argmax()]]))
        rewards, dones = np.zeros_like(self.rewards), np.zeros_like(self.dones)
        chosen = choices[which]
        while len(which):
            actions = np.full(self.n, WAITS, np.int64)
            actions[which] = self.level_table.carry_out(self.compiled, which, chosen)
            super()._step(actions, observe=False)
            rewards += np.where(dones[:, None], 0, self.rewards)
            dones |= self.dones
            which = self._unasked(which)
            chosen = np.zeros(len(which), np.int64)
        self.rewards[:], self.dones[:] = rewards, dones
        self._see_choices()
        if observe:
            self.update_observations()

    def _unasked(self, which: NDArray[np.int64]) -> NDArray[np.int64]:
        """List the choices of games, and return those in which the level decides by itself."""
        assert self.level_table is not None
        playing = which[~self.over[which]]
        self.level_table.list_choices(self.compiled, playing)
        return playing[self.level_table.counts[playing] <= NO_QUESTION]

    def _play_to_questions(self, which: NDArray[np.int64]) -> None:
        """Play games that were dealt on to their first questions."""
        assert self.level_table is not None
        which = self._unasked(which)
        while len(which):
            actions = np.full(self.n, WAITS, np.int64)
            actions[which] = self.level_table.carry_out(self.compiled, which, np.zeros(len(which), np.int64))
            super()._step(actions, observe=False)
            which = self._unasked(which)
        self._see_choices()

    def _see_choices(self) -> None:
        assert self.level is not None
        assert self.level_table is not None
        counts = np.where(self.over, 0, self.level_table.counts)
        self.masks[:] = np.arange(self.level.choices) < counts[:, None]

    def _choice_words(self) -> Any:
        """The masks as bits."""
        if self.level is None:
            return self._words
        bits = np.packbits(self.masks, axis=1, bitorder="little")
        words = np.zeros((self.n, 4 * -(-self.level.choices // 32)), np.uint8)
        words[:, : bits.shape[1]] = bits
        return words.view(np.uint32)

    def _refuse_choice(self, game: int, choice: int) -> NoReturn:
        assert self.level_table is not None
        named = enumerate([] if self.over[game] else self.level_table.describe(self.game(game), game))
        legal = [f"{number} ({text})" for number, text in named]
        raise IllegalActionError(f"game {game}: choice {choice}", Phase(int(self.phases[game])).name, legal)

    def _begin_games(self, which: Any, seeds: Any) -> None:
        super()._begin_games(which, seeds)
        if self.level_table is not None:
            self.level_table.begin(which, self.seeds[which])

    def _after_deal(self, which: Any) -> None:
        if self.level_table is not None:
            self._play_to_questions(which)

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Everything needed to go on with the same games, as arrays that can be written to a file."""
        memory = {} if self.level_table is None else self.level_table.snapshot()
        return {**super().snapshot(), **{f"level.{name}": array.copy() for name, array in memory.items()}}

    def _after_restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        if self.level_table is not None:
            memory = {name: snapshot[f"level.{name}"] for name in self.level_table.snapshot()}
            self.level_table.restore(memory)
            self.level_table.list_choices(self.compiled, np.arange(self.n))
            self._see_choices()


def decided_actions(given: Any, number: int) -> NDArray[np.int64]:
    """Actions of players who must decide, one for each of their games: `WAITS` is refused."""
    actions = whole_actions(given, number)
    if (actions == WAITS).any():
        raise InvalidActionError(f"action {WAITS} (WAITS): a player who is asked must decide, and can't wait")
    return actions


def blank_game(rules: Rules) -> NDArray[np.uint8]:
    """The bytes of a game that has its settings and nothing else yet."""
    return batch.blank_game(State, rules)

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

import json
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, Self, cast

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.actions import InvalidActionError, whole_actions
from fujikoro_env.envs.levels import NO_QUESTION, PRIMITIVE, make_level
from fujikoro_env.game import SEED_BITS, Game, IllegalActionError, Outcome, outcome_of
from fujikoro_env.kernel.batch_masks import first_refused, random_actions
from fujikoro_env.kernel.buffers import NONE_GIVEN, Given, held
from fujikoro_env.kernel.commands import NO_ACTION, ONLY_LEGAL, WAIT
from fujikoro_env.kernel.game import is_whole_number
from fujikoro_env.kernel.records import dtype_of, zeros
from fujikoro_env.kernel.text import quoted
from fujikoro_env.kernel.thread_pool import Guard, ThreadPool, one_thread
from fujikoro_env.observation import checked_kind, new_workspace, words_of
from fujikoro_env.observation.buffers import FOLLOWERS, Look, look_at
from fujikoro_env.observation.compact import WIDTH
from fujikoro_env.rules.base.actions import ACTIONS, WORDS
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.names import Fault, Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.engine.batches import Asked, deal_games, see_who_is_asked, settle_games
from fujikoro_env.rules.engine.engine import step_games
from fujikoro_env.rules.engine.rewards import appraise_games, pay_games
from fujikoro_env.saved import SavedGameError, check_games
from fujikoro_env.settings import Rules
from fujikoro_env.vocabulary import Vocabulary

WAITS = WAIT  # an action that leaves the game as it is

# Games that are stepped, rewarded and observed together: few enough to fit the cache, many enough to amortise the
# calls.
BLOCK = 256

KEPT = ("bytes", "worths", "luck")  # arrays of a batch that a snapshot has
OnGames = Callable[[int, int, Any], None]  # called with first, last, and a workspace


class BatchedGames:
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
        self.rules = rules or Rules()
        self.level = make_level(decisions)
        self.guard = Guard("batch of games")
        self._stop = stop
        self.n = _from(1, "n", n)
        self.observation = None if observation is None else checked_kind(observation)
        self._reward = int(self.rules.reward_kind(reward))
        _from(0, "seed", seed)
        self._threads = ThreadPool(_from(1, "threads", threads))
        self._workspaces = [new_workspace() for _ in range(threads)]
        self._block = min(BLOCK, -(-self.n // threads))
        self._faults: list[int] = []
        self._hold(NONE_GIVEN if arrays is None else arrays)
        self.restart(seed)

    def _hold(self, given: Given) -> None:
        """Make all arrays, once; steps write into them."""
        n = self.n
        self._check_names(given)
        self.states: Any = zeros(State, n)  # the records of the games, for reading
        self.ended: Any = zeros(State, n)  # for each index, the last position of the last game that ended there
        self.actors: Any = held(given, "actors", (n,), np.int64)
        choices = self.level.choices if self.level else ACTIONS
        self.masks: NDArray[np.bool_] = held(given, "masks", (n, choices), np.bool_)  # the legal actions or choices
        self.level_table = self.level.table(n) if self.level else None
        self.rewards: Any = held(given, "rewards", (n, PLAYERS), np.float32)
        self.dones: NDArray[np.bool_] = held(given, "dones", (n,), np.bool_)
        self.over: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self.phases: Any = np.zeros(n, np.int64)
        self.seeds: Any = np.zeros(n, np.int64)  # `Game(rules, seed)` deals the same game
        self.ranks: Any = np.zeros((n, PLAYERS), np.int64)
        self.scores: Any = np.zeros((n, PLAYERS), np.int64)
        self._look: Look | None = FOLLOWERS[self.observation](n, given) if self.observation else None
        self.observations: Any = self._look.seen if self._look else None
        self._worths: Any = np.zeros((n, PLAYERS), np.float32)  # values for shaped rewards, see rules/engine/rewards.py
        self._tables = self.rules.tables
        self._words: Any = np.zeros((n, WORDS), np.uint32)
        legal = np.zeros((n, ACTIONS), np.bool_) if self.level else self.masks
        self._asked = Asked(*(cast(Any, array) for array in (self.actors, self.phases, legal.view(np.uint8))))
        self._random: Any = np.zeros(n, np.int64)
        self._luck: Any = np.zeros(n, np.int64)  # random state for random_actions, by game
        self._begin: Any = np.full(n, NO_ACTION, np.int64)
        self._bytes = self.states.view(np.uint8).reshape(n, -1)
        self._ended_bytes = self.ended.view(np.uint8).reshape(n, -1)
        self._blank = blank_game(self.rules)

    def _check_names(self, given: Given) -> None:
        looks = FOLLOWERS[self.observation].names if self.observation else ()
        known = ["actors", "masks", "rewards", "dones", *looks]
        if unknown := [name for name in given if name not in known]:
            with_it = f" with observation={self.observation!r}"
            raise ValueError(
                f"arrays: {quoted(unknown[0])} is not known{with_it}; allowed are {', '.join(map(repr, known))}"
            )

    @property
    def compiled(self) -> GameArrays:
        """The games as arrays for compiled code, sharing memory; `masks` are bits here."""
        return GameArrays(self.states, words_of(self.states), self._tables, self._words)

    @property
    def width(self) -> int:
        """Length of the compact observation."""
        return WIDTH

    @one_thread
    def random_actions(self) -> NDArray[np.int64]:
        """A random legal action for every game; `WAITS` for games that have stopped."""
        random_actions(self._choice_words(), self._luck, self._random)
        actions: NDArray[np.int64] = np.where(self.over, WAITS, self._random)
        return actions

    # playing

    @one_thread
    def step(self, actions: Any, observe: bool = True) -> None:
        """Carry out one action in every game; `WAITS` leaves a game as it is. An illegal action raises
        `IllegalActionError`, and anything but whole numbers `InvalidActionError`; then no game has changed. With
        `observe=False` the `observations` stay as they are until the next step or `update_observations()`."""
        actions = whole_actions(actions, self.n)
        if self.level_table is None:
            self._step(actions, observe)
        else:
            self._step_at_level(actions, observe)

    def _step(self, actions: Any, observe: bool) -> None:
        if (refused := first_refused(self._words, actions, ACTIONS)) >= 0:
            self._refuse(refused, int(actions[refused]))
        over: list[int] = []

        def play_on(first: int, last: int, workspace: Any) -> None:
            self._go_on(first, last, actions)
            pay_games(self.states, self._tables, first, last, self._reward, self._worths, self.rewards)
            if self._see(first, last, actions):
                over.append(first)
            if self._look and observe:
                self._observe_actors(first, last, workspace)

        self.dones[:] = False
        self._in_blocks(play_on)
        self._raise_faults()
        self.rewards[self.over] = 0
        if over:
            self._end(np.flatnonzero((self.actors < 0) & ~self.over), observe)

    # decision levels

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
            self._step(actions, observe=False)
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
            self._step(actions, observe=False)
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

    def _in_blocks(self, do: OnGames) -> None:
        """Call `do` for all games, a block at a time; each free thread takes the next block."""
        starts = iter(range(0, self.n, self._block))

        def work(hand: int) -> None:
            for first in starts:  # next() on a range iterator is atomic, so threads can share it
                do(first, min(first + self._block, self.n), self._workspaces[hand])

        self._threads.run(work)

    def _go_on(self, first: int, last: int, actions: Any) -> None:
        fault = step_games(self.states, self._tables, first, last, actions, self._words)
        if fault != Fault.NONE:
            self._faults.append(fault)

    def _see(self, first: int, last: int, actions: Any) -> int:
        """Read the new decisions. Returns how many games are over."""
        return see_who_is_asked(self.states, first, last, actions, self._words, self._asked)

    @one_thread
    def update_observations(self) -> None:
        """Bring `observations` up to date, after steps with `observe=False`."""
        if self._look:
            self._in_blocks(self._observe_actors)

    def _observe_actors(self, first: int, last: int, workspace: Any) -> None:
        assert self._look
        self._look.write(self.states, self._tables, self.actors, first, last, workspace)

    def _raise_faults(self) -> None:
        if self._faults:
            raise RuntimeError(f"internal error in the rules ({Fault(self._faults[0]).name}): please report it")

    def _refuse(self, game: int, action: int) -> NoReturn:
        names = Vocabulary(self.rules.pack, self.states[game])
        legal = [names.action_name(int(one)) for one in np.flatnonzero(self.masks[game])]
        name = names.action_name(action) if 0 <= action < ACTIONS else f"action {action}"
        raise IllegalActionError(f"game {game}: {name}", Phase(int(self.phases[game])).name, legal)

    @one_thread
    def play_at_random(self, decisions: Any) -> None:
        """Play this many random decisions in every game: one number for all games, or one for each. This spreads games
        that were dealt together over all stages of the game, faster than `step` because nothing is observed."""
        left = np.broadcast_to(np.asarray(decisions, np.int64), (self.n,))
        for done in range(int(left.max(initial=0))):
            self.step(np.where(left > done, self.random_actions(), WAITS), observe=False)
        self.update_observations()

    # starting and ending games

    @one_thread
    def restart(self, seed: int | None = None) -> None:
        """Deal all games again, into the same arrays. Without a seed, the sequence of games continues."""
        if seed is not None:
            self._luck_of_seeds = np.random.default_rng(_from(0, "seed", seed))
        self._luck[:] = self._luck_of_seeds.integers(1, 1 << 32, self.n)
        if self._look:
            self._look.forget()
        self.deal(self._next_seeds(self.n))

    @one_thread
    def deal(self, seeds: Any, which: Any = None) -> None:
        """Deal all games, or the games `which`, each from its own seed: `Game(rules, seed)` deals the same game. To
        compare players on the same luck, deal the same seed several times and change the seats."""
        which = np.arange(self.n) if which is None else self._indices(which)
        self._begin_games(which, self._checked_seeds(seeds, len(which)))
        if self.level_table is not None:
            self._play_to_questions(which)
        self.dones[which] = False
        self.rewards[which] = 0
        self.update_observations()

    def _next_seeds(self, number: int) -> Any:
        """Seeds are drawn in the order of the games, so the number of threads makes no difference."""
        return self._luck_of_seeds.integers(1 << SEED_BITS, size=number)

    def _begin_games(self, which: Any, seeds: Any) -> None:
        self._bytes[which] = self._blank
        self.seeds[which] = seeds
        deal_games(self.states, self._tables, which, self.seeds[which])
        actions = np.full(self.n, WAITS, np.int64)
        actions[which] = NO_ACTION

        def begin(first: int, last: int, workspace: Any) -> None:
            self._go_on(first, last, actions)
            self._see(first, last, actions)

        self._in_blocks(begin)
        self._raise_faults()
        self.over[which] = False
        if self.level_table is not None:
            self.level_table.begin(which, self.seeds[which])
        appraise_games(self.states, self._tables, which, self._reward, self._worths)

    def _end(self, over: Any, observe: bool) -> None:
        """Keep the results of games that have just ended, and deal new ones unless games stop."""
        self.dones[over] = True
        self._ended_bytes[over] = self._bytes[over]
        settle_games(self.states, over, self.ranks, self.scores)
        if self._stop:
            self.over[over] = True
            return
        self._begin_games(over, self._next_seeds(len(over)))
        if self._look and observe:
            for game in over.tolist():  # a loop is fine, because hardly ever do two games end in the same step
                self._observe_actors(game, game + 1, self._workspaces[0])

    def _indices(self, which: Any) -> Any:
        which = np.ascontiguousarray(which, np.int64)
        if which.ndim != 1 or ((which < 0) | (which >= self.n)).any():
            raise ValueError(f"which: numbers of games are needed, from 0 to {self.n - 1}")
        return which

    def _checked_seeds(self, seeds: Any, number: int) -> Any:
        seeds = np.ascontiguousarray(seeds, np.int64)
        if seeds.shape != (number,) or (seeds < 0).any():
            raise ValueError(f"seeds: one for each of the {number} games is needed, whole numbers from 0")
        return seeds

    # keeping games for later

    @one_thread
    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Everything needed to go on with the same games, as arrays that can be written to a file."""
        kept = {name: getattr(self, f"_{name}") for name in KEPT}
        if self.level_table is not None:
            kept |= {f"level.{name}": array for name, array in self.level_table.snapshot().items()}
        return {
            **{name: array.copy() for name, array in kept.items()},
            "seeds": self.seeds.copy(),
            "luck_of_seeds": generator_bytes(self._luck_of_seeds),
        }

    @one_thread
    def restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        """Go on with the games of a snapshot, which was taken under the same rules with the same `n`. Rewards and
        results of the step before it are not kept. Games that no rule can work on raise `SavedGameError`; whether they
        are possible positions is not checked."""
        self._check_kept(snapshot["bytes"])
        for name in KEPT:
            getattr(self, f"_{name}")[:] = snapshot[name]
        self.seeds[:] = snapshot["seeds"]
        restore_generator(self._luck_of_seeds, snapshot["luck_of_seeds"])
        self._find_legal()
        self._see(0, self.n, self._begin)
        self.over[:] = self.actors < 0
        self.dones[:], self.rewards[:] = False, 0
        if self.level_table is not None:
            memory = {name: snapshot[f"level.{name}"] for name in self.level_table.snapshot()}
            self.level_table.restore(memory)
            self.level_table.list_choices(self.compiled, np.arange(self.n))
            self._see_choices()
        if self._look:
            self._look.forget()
        self.update_observations()

    def _check_kept(self, kept: Any) -> None:
        if kept.shape != self._bytes.shape or kept.dtype != self._bytes.dtype:
            raise SavedGameError(f"snapshot: games of shape {kept.shape}, expected {self._bytes.shape}")
        check_games(np.ascontiguousarray(kept).view(self.states.dtype)[:, 0], self.rules)

    def _find_legal(self) -> None:
        """Find the legal actions of all games. They are not read from a snapshot, because actions are checked against
        nothing else."""
        only_legal: Any = np.full(self.n, ONLY_LEGAL, np.int64)
        fault = step_games(self.states, self._tables, 0, self.n, only_legal, self._words)
        unanswered = (self.states["reason"] == Reason.PLAYING) & ~self._words.any(axis=1)
        if fault != Fault.NONE or unanswered.any():
            raise SavedGameError("snapshot: nothing can be answered in one of its games")

    def close(self) -> None:
        """Stop the threads; the arrays stay as they are."""
        self._threads.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a batch of games can't be copied or pickled: make another one, or copy a game()")

    # looking at games

    def outcome(self, game: int) -> Outcome | None:
        """The outcome of this game if the last step ended it, else None."""
        if not self.dones[game]:
            return None
        return outcome_of(self.ended[game], tuple(self.ranks[game, : self.rules.players].tolist()))

    def game(self, index: int) -> Game:
        """A copy of one of the games as it stands."""
        record = zeros(State, 1)
        record.view(np.uint8)[:] = self._bytes[index]
        return Game.of_record(record, self.rules, mask=self._words[index])

    @one_thread
    def observe(self, kind: str = "compact", out: Any = None, observers: Any = None) -> Any:
        """Observations of the actors, or of the player given for each game in `observers`; zeros where that is below 0.

        "compact": (n, width) float32, from -1 to 1; docs/compact.md lists every number. "tensor": a dictionary of
        arrays by field. `out`: the array or `TensorArrays` to write into."""
        look = look_at(kind, self.n, out)
        who = self.actors if observers is None else self._observers(observers, self.n)

        def write(first: int, last: int, workspace: Any) -> None:
            look.write(self.states, self._tables, who, first, last, workspace)

        self._in_blocks(write)
        if self._look and look.seen is self.observations:
            self._look.forget()
        return look.seen

    @one_thread
    def observe_some(self, which: Any, kind: str = "compact") -> Any:
        """Observations of the actors of the games `which`, one row each, in new arrays. If these observations are kept
        up to date (`observation`), they are copied."""
        which = self._indices(which)
        if kind == self.observation:
            kept = self.observations
            return {name: array[which] for name, array in kept.items()} if isinstance(kept, dict) else kept[which]
        positions = self._bytes[which].reshape(-1).view(dtype_of(State))
        look = look_at(kind, len(which))
        look.write(positions, self._tables, self.actors[which], 0, len(which), self._workspaces[0])
        return look.seen

    @one_thread
    def observe_ended(self, which: Any, observers: Any, kind: str = "compact") -> Any:
        """Observations of the last positions of the games `which` that the last step ended, one row each, as seen by
        `observers`."""
        which = np.asarray(which, np.int64)
        who, look = self._observers(observers, len(which)), look_at(kind, len(which))
        last_positions = self._ended_bytes[which].reshape(-1).view(dtype_of(State))
        look.write(last_positions, self._tables, who, 0, len(which), self._workspaces[0])
        return look.seen

    def _observers(self, given: Any, n: int) -> Any:
        who = np.ascontiguousarray(given, np.int64)
        if who.shape != (n,) or (who >= self.rules.players).any():
            raise ValueError(f"observers: one for each of the {n} games is needed, below {self.rules.players}")
        return who


def decided_actions(given: Any, number: int) -> NDArray[np.int64]:
    """Actions of players who must decide, one for each of their games: `WAITS` is refused."""
    actions = whole_actions(given, number)
    if (actions == WAITS).any():
        raise InvalidActionError(f"action {WAITS} (WAITS): a player who is asked must decide, and can't wait")
    return actions


def generator_bytes(generator: np.random.Generator) -> NDArray[np.uint8]:
    """State of a generator as bytes of JSON."""
    return np.frombuffer(json.dumps(generator.bit_generator.state).encode(), np.uint8)


def restore_generator(generator: np.random.Generator, state: NDArray[np.uint8]) -> None:
    """Set a generator to a state that `generator_bytes` gave."""
    generator.bit_generator.state = json.loads(state.tobytes())


def blank_game(rules: Rules) -> NDArray[np.uint8]:
    """The bytes of a game that has its settings and nothing else yet."""
    blank = zeros(State, 1)
    rules.write_settings(blank[0].settings)
    return np.frombuffer(blank.tobytes(), np.uint8)


def _from(least: int, name: str, given: Any) -> int:
    if not is_whole_number(given) or given < least:
        raise ValueError(f"{name}={quoted(given)}: allowed are whole numbers from {least}")
    return int(given)

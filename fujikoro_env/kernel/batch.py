"""`TableBatch`: many games side by side, stepped by compiled loops; the base of every game's `BatchedGames`.

Every game is always at a decision: `actors` must decide, and `masks` are their legal actions. The step that ends a
game also deals a new one in its place; `dones` marks it, and its rewards, ranks, scores and last position stay readable
until the next step. With `stop=True` games stop at their end instead. `deal` starts games from given seeds; `snapshot`
and `restore` keep a batch for later.

All arrays are made once, and every step writes into the same ones: copy what you want to keep or change. The caller may
provide them (`arrays`), for example in shared memory.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NoReturn, Protocol, Self, cast

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.batch_masks import first_refused, random_actions
from fujikoro_env.kernel.buffers import NONE_GIVEN, Given, held
from fujikoro_env.kernel.commands import NO_ACTION, NOT_OVER, ONLY_LEGAL, WAIT, Fault
from fujikoro_env.kernel.engine import Asked
from fujikoro_env.kernel.game import (
    SEED_BITS,
    GameArrays,
    IllegalActionError,
    TableGame,
    checked_rules,
    is_whole_number,
    new_masks,
)
from fujikoro_env.kernel.records import zeros
from fujikoro_env.kernel.rewards import RewardTracker
from fujikoro_env.kernel.saved_games import SavedGameError
from fujikoro_env.kernel.text import quoted
from fujikoro_env.kernel.thread_pool import Guard, ThreadPool, one_thread

WAITS: Final = WAIT  # an action that leaves the game as it is
BLOCK: Final = 256  # games that are stepped, rewarded and observed together: few enough to fit the cache
OnGames = Callable[[int, int, Any], None]  # called with first, last, and the workspace of the thread
KEPT: Final = ("bytes", "worths", "luck")  # arrays of a batch that a snapshot has


class Look(Protocol):
    """Buffer for the observations of n games."""

    seen: Any  # the observations, in the form that users get

    def write(self, games: Any, tables: Any, observers: Any, first: int, last: int, workspace: Any) -> None:
        """Write the observations of the games first to last - 1. `workspace` belongs to the calling thread."""

    def forget(self) -> None:
        """Write everything next time, because somebody else may have written into the arrays."""


class MakeLook(Protocol):
    """Makes the buffer for the observations of n games, in the caller's arrays if there are any."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the arrays."""

    def __call__(self, n: int, given: Given = ...) -> Look: ...


def no_workspace() -> None:
    """The workspace of games whose observations need none."""


@dataclass(frozen=True)
class Looks:
    """The kinds of observations of a game, and their buffers."""

    fresh: Mapping[str, MakeLook]  # for observations in new arrays
    kept: Mapping[str, MakeLook]  # for observations that are brought up to date again and again
    workspace: Callable[[], Any] = no_workspace

    def checked(self, kind: Any) -> str:
        """Return the kind of observations if there is such a kind."""
        if kind not in tuple(self.fresh):
            raise ValueError(f"observation {quoted(kind)}: allowed are {', '.join(map(repr, self.fresh))}")
        return str(kind)

    def make(self, kind: str, n: int, out: Any = None) -> Look:
        """Make the buffer for n games. `out`: what to write into: the array, or an object with the arrays as
        attributes if there are several."""
        look = self.fresh[self.checked(kind)]
        if out is None:
            return look(n)
        if len(look.names) == 1:
            return look(n, {look.names[0]: out})
        try:
            return look(n, {name: getattr(out, name) for name in look.names})
        except AttributeError:
            raise ValueError(
                f"out: an object with the arrays {' and '.join(look.names)} is needed, not {type(out).__name__}"
            ) from None


@dataclass(frozen=True)
class BatchParts:
    """What a game's class of batches is made of: its game, and its compiled entries for many games."""

    game: type[TableGame]
    tracker: type[RewardTracker]  # with the entries that compute rewards
    deal: Callable[..., None]  # games, tables, chosen, seeds
    see: Callable[..., int]  # games, first, last, actions, masks, asked: returns how many are over
    settle: Callable[..., None]  # games, chosen, ranks, scores
    check: Callable[[Any, Any], None]  # games, rules: raises SavedGameError
    looks: Looks


class TableBatch:
    """`n` games under the same rules, stepped together. Seed and actions determine everything, whatever the number of
    threads. After each step these arrays are up to date:

    * `actors` (n,) and `phases` (n,): the player who must decide, and the question
    * `masks` (n, actions) bool: the legal actions
    * `rewards` (n, seats) float32: the rewards of the last step, by player
    * `dones` (n,) bool: games that the last step ended. Until the next step, `ended`, `ranks` and `scores` describe how
    * `over` (n,) bool: games that have stopped at their end, if `stop` is set
    * `observations`: observations of the actors, if `observation` is set
    * `states` (n,): the records of the games, for reading

    A batch is for one thread at a time; `threads` is the number of threads that share the work.
    """

    batch_parts: ClassVar[BatchParts]

    def __init__(
        self,
        rules: Any,
        n: int = 1024,
        seed: int = 0,
        reward: str = "win",
        threads: int = 1,
        observation: str | None = None,
        arrays: Given | None = None,
        stop: bool = False,
    ) -> None:
        self.rules = checked_rules(rules)
        self.guard = Guard("batch of games")
        looks = self.batch_parts.looks
        self._stop = stop
        self.n = _from(1, "n", n)
        self.observation = None if observation is None else looks.checked(observation)
        self._reward = int(rules.reward_kind(reward))
        _from(0, "seed", seed)
        self._threads = ThreadPool(_from(1, "threads", threads))
        self._workspaces = [looks.workspace() for _ in range(threads)]
        self._block = min(BLOCK, -(-self.n // threads))
        self._faults: list[int] = []
        self._hold(NONE_GIVEN if arrays is None else arrays)
        self.restart(seed)

    def _hold(self, given: Given) -> None:
        """Make all arrays, once; steps write into them."""
        n, parts = self.n, self.batch_parts
        self._parts = parts.game.parts
        self._check_names(given)
        self.states: Any = zeros(self._parts.state, n)
        self.ended: Any = zeros(self._parts.state, n)  # the last position of the last game that ended at each index
        self.actors: Any = held(given, "actors", (n,), np.int64)
        self.masks: NDArray[np.bool_] = held(given, "masks", (n, self._choices), np.bool_)
        self.rewards: Any = held(given, "rewards", (n, parts.tracker.payments.seats), np.float32)
        self.dones: NDArray[np.bool_] = held(given, "dones", (n,), np.bool_)
        self.over: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self.phases: Any = np.zeros(n, np.int64)
        self.seeds: Any = np.zeros(n, np.int64)  # `Game(rules, seed)` deals the same game
        self.ranks: Any = np.zeros((n, parts.tracker.payments.seats), np.int64)
        self.scores: Any = np.zeros((n, parts.tracker.payments.seats), np.int64)
        self._look = parts.looks.kept[self.observation](n, given) if self.observation else None
        self.observations: Any = self._look.seen if self._look else None
        self._worths: Any = np.zeros((n, *parts.tracker.payments.worths), np.float32)
        self._tables = self.rules.tables
        self._words = new_masks(self._parts.actions, n)
        legal = (
            self.masks
            if self._choices == self._parts.actions.size
            else np.zeros((n, self._parts.actions.size), np.bool_)
        )
        self._asked = Asked(*(cast(Any, array) for array in (self.actors, self.phases, legal.view(np.uint8))))
        self._random: Any = np.zeros(n, np.int64)
        self._luck: Any = np.zeros(n, np.int64)  # random state for random_actions, by game
        self._bytes = self.states.view(np.uint8).reshape(n, -1)
        self._ended_bytes = self.ended.view(np.uint8).reshape(n, -1)
        self._blank = blank_game(self._parts.state, self.rules)

    @property
    def _choices(self) -> int:
        """Number of columns of the masks."""
        return self._parts.actions.size

    def _check_names(self, given: Given) -> None:
        looks = self.batch_parts.looks.kept[self.observation].names if self.observation else ()
        known = ["actors", "masks", "rewards", "dones", *looks]
        if unknown := [name for name in given if name not in known]:
            with_it = f" with observation={self.observation!r}"
            raise ValueError(
                f"arrays: {quoted(unknown[0])} is not known{with_it}; allowed are {', '.join(map(repr, known))}"
            )

    @property
    def compiled(self) -> Any:
        """The games as arrays for compiled code, sharing memory; `masks` are bits here."""
        return GameArrays(self.states, self.states.view(np.int64).reshape(self.n, -1), self._tables, self._words)

    @one_thread
    def random_actions(self) -> NDArray[np.int64]:
        """A random legal action for every game; `WAITS` for games that have stopped."""
        random_actions(self._choice_words(), self._luck, self._random)
        actions: NDArray[np.int64] = self._random.copy()
        return actions

    def _choice_words(self) -> Any:
        """The masks as bits."""
        return self._words

    # playing

    @one_thread
    def step(self, actions: Any, observe: bool = True) -> None:
        """Carry out one action in every game; `WAITS` leaves a game as it is. An illegal action raises
        `IllegalActionError`, and anything but whole numbers `InvalidActionError`; then no game has changed. With
        `observe=False` the `observations` stay as they are until the next step or `update_observations()`."""
        self._step(self._parts.actions.whole_actions(actions, self.n), observe)

    def _step(self, actions: Any, observe: bool) -> None:
        if (refused := first_refused(self._words, actions, self._parts.actions.size)) >= 0:
            self._refuse(refused, int(actions[refused]))
        over: list[int] = []
        pay = self.batch_parts.tracker.payments.pay

        def play_on(first: int, last: int, workspace: Any) -> None:
            self._go_on(first, last, actions)
            pay(self.states, self._tables, first, last, self._reward, self._worths, self.rewards)
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

    def _in_blocks(self, do: OnGames) -> None:
        """Call `do` for all games, a block at a time; each free thread takes the next block."""
        starts = iter(range(0, self.n, self._block))

        def work(hand: int) -> None:
            for first in starts:  # next() on a range iterator is atomic, so threads can share it
                do(first, min(first + self._block, self.n), self._workspaces[hand])

        self._threads.run(work)

    def _go_on(self, first: int, last: int, actions: Any) -> None:
        if fault := self._parts.step(self.states, self._tables, first, last, actions, self._words):
            self._faults.append(fault)

    def _see(self, first: int, last: int, actions: Any) -> int:
        """Read the new decisions. Returns how many games are over."""
        return self.batch_parts.see(self.states, first, last, actions, self._words, self._asked)

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
        names = self.game(game)
        legal = [names.action_name(int(one)) for one in names.legal_actions()]
        name = names.action_name(action) if 0 <= action < self._parts.actions.size else f"action {action}"
        raise IllegalActionError(f"game {game}: {name}", self._parts.phases(int(self.phases[game])).name, legal)

    @one_thread
    def play_at_random(self, decisions: Any) -> None:
        """Play this many random decisions in every game: one number for all games, or one for each."""
        wanted = whole_numbers(decisions, "decisions: one number for all games, or one for each, is needed")
        left = np.broadcast_to(wanted, (self.n,))
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
        self._after_deal(which)
        self.dones[which] = False
        self.rewards[which] = 0
        self.update_observations()

    def _after_deal(self, which: Any) -> None:
        """Called when games have been dealt by `deal`."""

    def _next_seeds(self, number: int) -> Any:
        """Seeds are drawn in the order of the games, so the number of threads makes no difference."""
        return self._luck_of_seeds.integers(1 << SEED_BITS, size=number)

    def _begin_games(self, which: Any, seeds: Any) -> None:
        self._bytes[which] = self._blank
        self.seeds[which] = seeds
        self.batch_parts.deal(self.states, self._tables, which, self.seeds[which])
        actions = np.full(self.n, WAITS, np.int64)
        actions[which] = NO_ACTION

        def begin(first: int, last: int, workspace: Any) -> None:
            self._go_on(first, last, actions)
            self._see(first, last, actions)

        self._in_blocks(begin)
        self._raise_faults()
        self.over[which] = False
        payments = self.batch_parts.tracker.payments
        payments.appraise(self.states, self._tables, which, self._reward, self._worths)

    def _end(self, over: Any, observe: bool) -> None:
        """Keep the results of games that have just ended, and deal new ones unless games stop."""
        self.dones[over] = True
        self._ended_bytes[over] = self._bytes[over]
        self.batch_parts.settle(self.states, over, self.ranks, self.scores)
        if self._stop:
            self.over[over] = True
            return
        self._begin_games(over, self._next_seeds(len(over)))
        if self._look and observe:
            for game in over.tolist():  # a loop is fine, because hardly ever do two games end in the same step
                self._observe_actors(game, game + 1, self._workspaces[0])

    def _indices(self, which: Any) -> Any:
        needed = f"which: numbers of games are needed, from 0 to {self.n - 1}"
        which = whole_numbers(which, needed)
        if which.ndim != 1 or ((which < 0) | (which >= self.n)).any():
            raise ValueError(needed)
        return which

    def _index(self, given: Any) -> int:
        if not is_whole_number(given) or not -self.n <= given < self.n:
            raise IndexError(f"game {quoted(given)}: allowed are whole numbers from 0 to {self.n - 1}")
        return int(given)

    def _checked_seeds(self, seeds: Any, number: int) -> Any:
        needed = f"seeds: one for each of the {number} games is needed, whole numbers from 0"
        seeds = whole_numbers(seeds, needed)
        if seeds.shape != (number,) or (seeds < 0).any():
            raise ValueError(needed)
        return seeds

    # keeping games for later

    @one_thread
    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Everything needed to go on with the same games, as arrays that can be written to a file."""
        return {
            **{name: getattr(self, f"_{name}").copy() for name in KEPT},
            "seeds": self.seeds.copy(),
            "luck_of_seeds": generator_bytes(self._luck_of_seeds),
        }

    @one_thread
    def restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        """Go on with the games of a snapshot, which was taken under the same rules with the same `n`. The
        rewards and results of the step before it are not part of it. Records that the rules can't work with raise
        `SavedGameError`, but impossible positions are not recognised."""
        missing = {*KEPT, "seeds", "luck_of_seeds"} - set(snapshot)
        if missing:
            raise SavedGameError(f"snapshot: it has no {', '.join(sorted(missing))}")
        self._check_kept(snapshot["bytes"])
        for name in KEPT:
            getattr(self, f"_{name}")[:] = snapshot[name]
        self.seeds[:] = snapshot["seeds"]
        restore_generator(self._luck_of_seeds, snapshot["luck_of_seeds"])
        self._find_legal()
        self._see(0, self.n, np.full(self.n, NO_ACTION, np.int64))
        self.over[:] = self.actors < 0
        self.dones[:], self.rewards[:] = False, 0
        self._after_restore(snapshot)
        if self._look:
            self._look.forget()
        self.update_observations()

    def _after_restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        """Called when the games of a snapshot have been restored."""

    def _check_kept(self, kept: Any) -> None:
        if kept.shape != self._bytes.shape or kept.dtype != self._bytes.dtype:
            raise SavedGameError(f"snapshot: games of shape {kept.shape}, expected {self._bytes.shape}")
        self.batch_parts.check(np.ascontiguousarray(kept).reshape(-1).view(self.states.dtype), self.rules)

    def _find_legal(self) -> None:
        """Find the legal actions of all games. They are not read from a snapshot, because the masks are the only
        check of actions."""
        only_legal: Any = np.full(self.n, ONLY_LEGAL, np.int64)
        fault = self._parts.step(self.states, self._tables, 0, self.n, only_legal, self._words)
        unanswered = (self.states["reason"] == NOT_OVER) & ~self._words.any(axis=1)
        if fault or unanswered.any():
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

    def outcome(self, game: int) -> Any:
        """The outcome of this game if the last step ended it, else None."""
        game = self._index(game)
        if not self.dones[game]:
            return None
        ended: Any = self._game_of(self._ended_bytes[game], np.zeros_like(self._words[game]))
        return ended.outcome

    def game(self, index: int) -> Any:
        """A copy of one of the games as it stands."""
        index = self._index(index)
        return self._game_of(self._bytes[index], self._words[index])

    def _game_of(self, record: Any, mask: Any) -> TableGame:
        copy = zeros(self._parts.state, 1)
        copy.view(np.uint8)[:] = record
        return self.batch_parts.game.of_record(copy, self.rules, mask=mask)

    @one_thread
    def observe(self, kind: str = "compact", out: Any = None, observers: Any = None) -> Any:
        """Observations of the actors, or of the player given for each game in `observers`; zeros where that is below 0.

        "compact": (n, width) float32, from -1 to 1. "tensor": a dictionary of arrays. `out`: what to write into, see
        `Looks.make`."""
        look = self.batch_parts.looks.make(kind, self.n, out)
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
        return self._observe_bytes(self._bytes[which], self.actors[which], kind)

    @one_thread
    def observe_ended(self, which: Any, observers: Any, kind: str = "compact") -> Any:
        """Observations of the last positions of the games `which` that the last step ended, one row each, as seen by
        `observers`."""
        which = self._indices(which)
        return self._observe_bytes(self._ended_bytes[which], self._observers(observers, len(which)), kind)

    def _observe_bytes(self, positions: Any, observers: Any, kind: str) -> Any:
        look, games = self.batch_parts.looks.make(kind, len(observers)), positions.reshape(-1).view(self.states.dtype)
        look.write(games, self._tables, observers, 0, len(observers), self._workspaces[0])
        return look.seen

    def _observers(self, given: Any, n: int) -> Any:
        needed = f"observers: one for each of the {n} games is needed, below {self.rules.players}"
        who = whole_numbers(given, needed)
        if who.shape != (n,) or (who >= self.rules.players).any():
            raise ValueError(needed)
        return who


def generator_bytes(generator: np.random.Generator) -> NDArray[np.uint8]:
    """State of a generator as bytes of JSON."""
    return np.frombuffer(json.dumps(generator.bit_generator.state).encode(), np.uint8)


def restore_generator(generator: np.random.Generator, state: NDArray[np.uint8]) -> None:
    """Set a generator to a state that `generator_bytes` gave."""
    generator.bit_generator.state = json.loads(state.tobytes())


def blank_game(state: type[Any], rules: Any) -> NDArray[np.uint8]:
    """The bytes of a game that has its settings and nothing else yet."""
    blank = zeros(state, 1)
    rules.write_settings(blank[0].settings)
    return np.frombuffer(blank.tobytes(), np.uint8)


def whole_numbers(given: Any, needed: str) -> NDArray[np.int64]:
    """The numbers as an array. `needed`: the message if there is anything but whole numbers."""
    numbers = np.asarray(given)
    if numbers.size and numbers.dtype.kind not in "iu":
        raise ValueError(needed)
    return np.ascontiguousarray(numbers, np.int64) if numbers.ndim else numbers.astype(np.int64)


def _from(least: int, name: str, given: Any) -> int:
    if not is_whole_number(given) or given < least:
        raise ValueError(f"{name}={quoted(given)}: allowed are whole numbers from {least}")
    return int(given)

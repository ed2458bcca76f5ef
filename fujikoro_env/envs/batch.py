"""`BatchedGames`: many games side by side, stepped by compiled loops.

>>> from fujikoro_env import BatchedGames, Rules
>>> games = BatchedGames(Rules(players=3), n=8, seed=1, observation="compact")
>>> games.observations.shape == (8, games.width)
True
>>> games.step(games.random_actions())
>>> games.rewards.shape, games.dones.any()
((8, 6), np.False_)

Every game always stands at a decision: `actors` are asked, and `masks` say what they may answer. A game that ends is
dealt anew by the step that ends it; `dones` marks it, and its rewards, ranks, scores, reason and last position stay
readable until the next step.

All arrays are made once, and every step writes into the same ones: copy what you want to keep, or to change. The caller
may provide them (`arrays`), so that they can lie in shared memory.
"""

from collections.abc import Callable
from typing import Any, NoReturn, Self, cast

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.game import SEED_BITS, Game, IllegalActionError, Outcome, outcome_of
from fujikoro_env.kernel.records import dtype_of, zeros
from fujikoro_env.kernel.thread_pool import ThreadPool
from fujikoro_env.observation import checked_kind, new_workspace, words_of
from fujikoro_env.observation.buffers import FOLLOWERS, NONE_GIVEN, Given, Look, held, look_at
from fujikoro_env.observation.compact import WIDTH
from fujikoro_env.rules.base.actions import ACTIONS, WORDS
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.names import Fault
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.engine.batches import Asked, deal_games, first_refused, see_who_is_asked, settle_games
from fujikoro_env.rules.engine.engine import NO_ACTION, WAIT, random_actions, step_games
from fujikoro_env.rules.engine.rewards import appraise_games, pay_games
from fujikoro_env.settings import Rules, is_whole_number
from fujikoro_env.vocabulary import Vocabulary

WAITS = WAIT  # as an action: this game is left as it is

# So many games are stepped, paid and observed before the next: few enough for the cache, many enough for the calls.
BLOCK = 256

OnGames = Callable[[int, int, Any], None]  # called with first, last, and a workspace


class BatchedGames:
    """`n` games under the same rules, stepped together by compiled code. Seed and actions determine everything,
    whatever the number of threads.

    Every game always stands at a decision. After each step these arrays are up to date; a step writes into the same
    arrays, so copy what you want to keep:

    * `actors` (n,) and `phases` (n,): which player is asked what
    * `masks` (n, actions) bool: the legal actions
    * `rewards` (n, 6) float32: what the last step paid to each player
    * `dones` (n,) bool: games that the last step ended. They are dealt anew by the same step; `outcome(index)`,
      `ranks`, `scores` and `ended` tell how they ended, until the next step
    * `observations`: what the actors see, if asked for by `observation`
    * `states` (n,): the records of the games, for reading

    The arguments:

    * `reward`: "rank", "win", "vp" or "shaped"; docs/environment.md explains them
    * `threads`: number of threads that share the work; `close()` or the end of a `with` block stops them
    * `observation`: "compact" keeps an array of (n, width) float32 in `observations`, "tensor" a dictionary of arrays.
      This is cheaper than calling `observe`, because only what changed is written anew; so don't write into them
    * `arrays`: arrays of the caller to write into, in shared memory for example: "actors" int64, "masks", "rewards",
      "dones" and "observations" as above; with tensors "planes" and "numbers", the two tables of
      `fujikoro_env.observation.TensorArrays`, in place of "observations"
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
    ) -> None:
        self.rules = rules or Rules()
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
        """Make all arrays, once: steps write into them."""
        n = self.n
        self._check_names(given)
        self.states: Any = zeros(State, n)  # the records themselves, to look at
        self.ended: Any = zeros(State, n)  # the last position of the last game that ended, by game
        self.actors: Any = held(given, "actors", (n,), np.int64)
        self.masks: NDArray[np.bool_] = held(given, "masks", (n, ACTIONS), np.bool_)  # what is legal
        self.rewards: Any = held(given, "rewards", (n, PLAYERS), np.float32)
        self.dones: NDArray[np.bool_] = held(given, "dones", (n,), np.bool_)
        self.phases: Any = np.zeros(n, np.int64)
        self.seeds: Any = np.zeros(n, np.int64)  # `Game(rules, seed)` deals the same game
        self.ranks: Any = np.zeros((n, PLAYERS), np.int64)
        self.scores: Any = np.zeros((n, PLAYERS), np.int64)
        self._look: Look | None = FOLLOWERS[self.observation](n, given) if self.observation else None
        self.observations: Any = self._look.seen if self._look else None
        self._worths: Any = np.zeros((n, PLAYERS), np.float32)  # see rules/engine/rewards.py
        self._tables = self.rules.tables
        self._words: Any = np.zeros((n, WORDS), np.uint32)
        self._asked = Asked(*(cast(Any, array) for array in (self.actors, self.phases, self.masks.view(np.uint8))))
        self._random: Any = np.zeros(n, np.int64)
        self._luck: Any = np.zeros(n, np.int64)  # of random actions
        self._begin: Any = np.full(n, NO_ACTION, np.int64)
        self._bytes = self.states.view(np.uint8).reshape(n, -1)
        self._ended_bytes = self.ended.view(np.uint8).reshape(n, -1)
        self._blank = blank_game(self.rules)

    def _check_names(self, given: Given) -> None:
        looks = FOLLOWERS[self.observation].names if self.observation else ()
        known = ["actors", "masks", "rewards", "dones", *looks]
        if unknown := [name for name in given if name not in known]:
            with_it = f" with observation={self.observation!r}"
            raise ValueError(f"arrays: {unknown[0]!r} is not known{with_it}; allowed are {', '.join(map(repr, known))}")

    @property
    def compiled(self) -> GameArrays:
        """The games themselves, for compiled code; `masks` are bits here."""
        return GameArrays(self.states, words_of(self.states), self._tables, self._words)

    @property
    def width(self) -> int:
        """Length of the compact observation."""
        return WIDTH

    def random_actions(self) -> NDArray[np.int64]:
        """A random legal action for every game."""
        random_actions(self._words, self._luck, self._random)
        actions: NDArray[np.int64] = self._random.copy()
        return actions

    # playing

    def step(self, actions: Any) -> None:
        """Do an action in every game; `WAITS` leaves a game as it is. An illegal action raises `IllegalActionError`,
        and then no game has changed."""
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != (self.n,):
            raise ValueError(f"actions have the shape {actions.shape}: one for each game is needed, ({self.n},)")
        if (refused := first_refused(self._words, actions)) >= 0:
            self._refuse(refused, int(actions[refused]))
        over: list[int] = []

        def play_on(first: int, last: int, workspace: Any) -> None:
            self._go_on(first, last, actions)
            pay_games(self.states, self._tables, first, last, self._reward, self._worths, self.rewards)
            if self._see(first, last, actions, workspace):
                over.append(first)

        self.dones[:] = False
        self._in_blocks(play_on)
        self._raise_faults()
        if over:
            self._end_and_deal(np.flatnonzero(self.actors < 0))

    def _in_blocks(self, do: OnGames) -> None:
        """All games, some at a time; whichever thread is free takes the next."""
        starts = iter(range(0, self.n, self._block))

        def work(hand: int) -> None:
            for first in starts:  # to take the next one is one step of the interpreter, so threads can share it
                do(first, min(first + self._block, self.n), self._workspaces[hand])

        self._threads.run(work)

    def _go_on(self, first: int, last: int, actions: Any) -> None:
        fault = step_games(self.states, self._tables, first, last, actions, self._words)
        if fault != Fault.NONE:
            self._faults.append(fault)

    def _see(self, first: int, last: int, actions: Any, workspace: Any) -> int:
        """What is asked, and what those who are asked see. Gives how many games are over."""
        over = see_who_is_asked(self.states, first, last, actions, self._words, self._asked)
        if self._look:
            self._observe_actors(first, last, workspace)
        return over

    def _observe_actors(self, first: int, last: int, workspace: Any) -> None:
        assert self._look
        self._look.write(self.states, self._tables, self.actors, first, last, workspace)

    def _raise_faults(self) -> None:
        if self._faults:
            raise RuntimeError(f"the rules have come to a halt ({Fault(self._faults[0]).name}): please report it")

    def _refuse(self, game: int, action: int) -> NoReturn:
        names = Vocabulary(self.rules.pack, self.states[game])
        legal = [names.action_name(int(one)) for one in np.flatnonzero(self.masks[game])]
        name = names.action_name(action) if 0 <= action < ACTIONS else f"action {action}"
        raise IllegalActionError(f"game {game}: {name}", Phase(int(self.phases[game])).name, legal)

    def play_at_random(self, decisions: Any) -> None:
        """Play this many random decisions in every game, one number for all games or one for each. It spreads games
        that were dealt together over all stages of the game, faster than `step`, because nothing is observed."""
        left = np.broadcast_to(np.asarray(decisions, np.int64), (self.n,))
        look, self._look = self._look, None
        try:
            for done in range(int(left.max(initial=0))):
                self.step(np.where(left > done, self.random_actions(), WAITS))
        finally:
            self._look = look
        if look:
            self._in_blocks(self._observe_actors)

    # beginning and ending

    def restart(self, seed: int | None = None) -> None:
        """Deal all games anew, into the same arrays. Without a seed, the sequence of games goes on."""
        if seed is not None:
            self._luck_of_seeds = np.random.default_rng(_from(0, "seed", seed))
        self._luck[:] = self._luck_of_seeds.integers(1, 1 << 32, self.n)
        every_game = np.arange(self.n)
        if self._look:
            self._look.forget()
        self._deal(every_game)
        self._in_blocks(self._begin_games)
        self._raise_faults()
        self._appraise(every_game)
        self.dones[:] = False
        self.rewards[:] = 0

    def _begin_games(self, first: int, last: int, workspace: Any) -> None:
        self._go_on(first, last, self._begin)
        self._see(first, last, self._begin, workspace)

    def _end_and_deal(self, over: Any) -> None:
        self.dones[over] = True
        self._ended_bytes[over] = self._bytes[over]
        settle_games(self.states, over, self.ranks, self.scores)
        self._deal(over)
        for game in over.tolist():  # a game is so long that hardly ever two of them end at once
            self._begin_games(game, game + 1, self._workspaces[0])
        self._raise_faults()
        self._appraise(over)

    def _deal(self, chosen: Any) -> None:
        """Seeds are drawn in the order of the games, so that threads make no difference."""
        self._bytes[chosen] = self._blank
        self.seeds[chosen] = self._luck_of_seeds.integers(1 << SEED_BITS, size=len(chosen))
        deal_games(self.states, self._tables, chosen, self.seeds[chosen])

    def _appraise(self, chosen: Any) -> None:
        appraise_games(self.states, self._tables, chosen, self._reward, self._worths)

    def close(self) -> None:
        """Stop the threads; the arrays stay as they are."""
        self._threads.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a batch of games can't be copied or pickled: make another one, or copy a game()")

    # looking

    def outcome(self, game: int) -> Outcome | None:
        """How this game ended, if the last step ended it; else None."""
        if not self.dones[game]:
            return None
        return outcome_of(self.ended[game], tuple(self.ranks[game, : self.rules.players].tolist()))

    def game(self, index: int) -> Game:
        """A copy of one of the games, as it stands."""
        record = zeros(State, 1)
        record.view(np.uint8)[:] = self._bytes[index]
        return Game.of_record(record, self.rules, mask=self._words[index])

    def observe(self, kind: str = "compact", out: Any = None, observers: Any = None) -> Any:
        """Observations of the actors, or in each game of the player in `observers`; zeros where that is below 0.

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

    def observe_ended(self, which: Any, observers: Any, kind: str = "compact") -> Any:
        """Observations of the last positions of the games `which` that the last step ended, a row for each, as its
        observer sees it."""
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


def blank_game(rules: Rules) -> NDArray[np.uint8]:
    """The bytes of a game that has its settings and nothing else yet."""
    blank = zeros(State, 1)
    rules.write_settings(blank[0].settings)
    return np.frombuffer(blank.tobytes(), np.uint8)


def _from(least: int, name: str, given: Any) -> int:
    if not is_whole_number(given) or given < least:
        raise ValueError(f"{name}={given!r}: allowed are whole numbers from {least}")
    return int(given)

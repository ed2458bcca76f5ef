"""`BatchedGames`: many games side by side, stepped by compiled loops.

>>> from fujikoro_env import BatchedGames, Rules
>>> games = BatchedGames(Rules(players=3), n=8, seed=1)
>>> games.observe("compact").shape == (8, games.width)
True
>>> games.step(games.random_actions())
>>> games.rewards.shape, games.dones.any()
((8, 6), np.False_)

Every game always stands at a decision: `actors` are asked, and `masks` say what they may answer. A game that ends is
dealt anew by the step that ends it; `dones` marks it, and its rewards, ranks, scores, reason and last position stay
readable until the next step.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.game import SEED_BITS, IllegalActionError, Outcome
from fujikoro_env.observation import observe_compactly
from fujikoro_env.observation.compact import WIDTH
from fujikoro_env.rules.actions import ACTIONS, WORDS
from fujikoro_env.rules.batches import deal_games, first_refused, see_who_is_asked, settle_games
from fujikoro_env.rules.engine import NO_ACTION, WAIT, random_actions, step_games
from fujikoro_env.rules.names import Fault, Reason
from fujikoro_env.rules.phases import Phase
from fujikoro_env.rules.records import zeros
from fujikoro_env.rules.rewards import appraise_games, pay_games
from fujikoro_env.rules.state import PLAYERS, State
from fujikoro_env.settings import Rules, is_whole_number
from fujikoro_env.vocabulary import Vocabulary

WAITS: Final = WAIT  # as an action: this game is left as it is
OBSERVATIONS: Final = ("compact",)


class BatchedGames:
    """`n` games under the same rules. Seed and actions fix all that happens.

    `reward`: "rank", "win", "vp" or "shaped"; the page of `fujikoro_env.fujikoro_v0` says what they are. `rewards` are
    what the last step brought, to every player of every game.
    """

    def __init__(self, rules: Rules | None = None, n: int = 1024, seed: int = 0, reward: str = "rank") -> None:
        self.rules = rules or Rules()
        self.n = _batch_size(n)
        self._reward = int(self.rules.reward_kind(reward))
        self._luck_of_seeds = np.random.default_rng(_seed(seed))
        self._hold()
        self._deal(np.arange(self.n))
        self._go_on(np.full(self.n, NO_ACTION, np.int64))
        see_who_is_asked(self.states, self.actors, self.phases)
        self._appraise(np.arange(self.n))

    def _hold(self) -> None:
        """Make all arrays, once: steps write into them."""
        n = self.n
        self.states: Any = zeros(State, n)  # the records themselves, to look at
        self.ended: Any = zeros(State, n)  # the last position of the last game that ended, by game
        self.actors: Any = np.zeros(n, np.int64)
        self.phases: Any = np.zeros(n, np.int64)
        self.seeds: Any = np.zeros(n, np.int64)  # `Game(rules, seed)` deals the same game
        self.rewards: Any = np.zeros((n, PLAYERS), np.float32)
        self.dones: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self.ranks: Any = np.zeros((n, PLAYERS), np.int64)
        self.scores: Any = np.zeros((n, PLAYERS), np.int64)
        self._worths: Any = np.zeros((n, PLAYERS), np.float32)  # see rules/rewards.py
        self._tables = self.rules.tables
        self._words: Any = np.zeros((n, WORDS), np.uint32)
        self._random: Any = np.zeros(n, np.int64)
        self._luck: Any = self._luck_of_seeds.integers(1, 1 << 32, n)
        self._bytes = self.states.view(np.uint8).reshape(n, -1)
        self._ended_bytes = self.ended.view(np.uint8).reshape(n, -1)
        self._blank = _blank_game(self.rules)

    @property
    def width(self) -> int:
        """Of the compact observation."""
        return WIDTH

    @property
    def masks(self) -> NDArray[np.bool_]:
        """(n, ACTIONS) bool: what is legal."""
        bits = np.unpackbits(self._words.view(np.uint8), axis=1, count=ACTIONS, bitorder="little")
        return bits.view(np.bool_)

    def random_actions(self) -> NDArray[np.int64]:
        """A random legal action for every game."""
        random_actions(self._words, self._luck, self._random)
        actions: NDArray[np.int64] = self._random.copy()
        return actions

    def step(self, actions: Any) -> None:
        """Do an action in every game; `WAITS` leaves a game as it is. One that is not legal raises, and then no game
        has changed."""
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != (self.n,):
            raise ValueError(f"actions have the shape {actions.shape}: one for each game is needed, ({self.n},)")
        if (refused := first_refused(self._words, actions)) >= 0:
            self._refuse(refused, int(actions[refused]))
        self.dones[:] = False
        self._go_on(actions)
        pay_games(self.states, self._tables, 0, self.n, self._reward, self._worths, self.rewards)
        if see_who_is_asked(self.states, self.actors, self.phases):
            self._end_and_deal(np.flatnonzero(self.actors < 0))

    def _refuse(self, game: int, action: int) -> None:
        names = Vocabulary(self.rules.pack, self.states[game])
        legal = [names.action_name(int(one)) for one in np.flatnonzero(self.masks[game])]
        name = names.action_name(action) if 0 <= action < ACTIONS else f"action {action}"
        raise IllegalActionError(f"game {game}: {name}", Phase(int(self.phases[game])).name, legal)

    def _go_on(self, actions: Any) -> None:
        fault = step_games(self.states, self._tables, 0, self.n, actions, self._words)
        if fault != Fault.NONE:
            raise RuntimeError(f"the rules have come to a halt ({Fault(fault).name}): please report it")

    def _end_and_deal(self, over: Any) -> None:
        self.dones[over] = True
        self._ended_bytes[over] = self._bytes[over]
        settle_games(self.states, over, self.ranks, self.scores)
        self._deal(over)
        actions = np.full(self.n, WAIT, np.int64)
        actions[over] = NO_ACTION
        self._go_on(actions)
        see_who_is_asked(self.states, self.actors, self.phases)
        self._appraise(over)

    def _appraise(self, chosen: Any) -> None:
        appraise_games(self.states, self._tables, chosen, self._reward, self._worths)

    def _deal(self, chosen: Any) -> None:
        self._bytes[chosen] = self._blank
        self.seeds[chosen] = self._luck_of_seeds.integers(1 << SEED_BITS, size=len(chosen))
        deal_games(self.states, self._tables, chosen, self.seeds[chosen])

    def outcome(self, game: int) -> Outcome | None:
        """How the game ended that the last step ended; None if it ended none."""
        if not self.dones[game]:
            return None
        ranking = tuple(int(rank) for rank in self.ranks[game, : self.rules.players])
        scores = tuple(int(vp) for vp in self.scores[game, : self.rules.players])
        winners = tuple(player for player, rank in enumerate(ranking) if rank == 1)
        return Outcome(Reason(int(self.ended[game].reason)).name.lower(), ranking, scores, winners)

    def observe(
        self, kind: str = "compact", out: NDArray[np.float32] | None = None, observers: Any = None
    ) -> NDArray[np.float32]:
        """(n, width) float32, from -1 to 1: what those who are asked see, or in each game the player of `observers`.
        docs/compact.md lists every number. `out`: an array to write into."""
        if kind not in OBSERVATIONS:
            raise ValueError(f"observation {kind!r}: allowed are {', '.join(map(repr, OBSERVATIONS))}")
        who = self.actors if observers is None else np.ascontiguousarray(observers, np.int64)
        if who.shape != (self.n,) or (who >= self.rules.players).any():
            raise ValueError(f"observers: one for each of the {self.n} games is needed, below {self.rules.players}")
        return observe_compactly(self.states, self._tables, who, out)


def _blank_game(rules: Rules) -> NDArray[np.uint8]:
    """The bytes of a game that has its settings and nothing else yet."""
    blank = zeros(State, 1)
    rules.write_settings(blank[0].settings)
    return np.frombuffer(blank.tobytes(), np.uint8)


def _batch_size(n: Any) -> int:
    if not is_whole_number(n) or n < 1:
        raise ValueError(f"n={n!r}: allowed are whole numbers from 1")
    return int(n)


def _seed(seed: Any) -> int:
    if not is_whole_number(seed) or seed < 0:
        raise ValueError(f"seed={seed!r}: allowed are whole numbers from 0")
    return int(seed)

"""`SeatedGames`: many games in which learners and other policies play, by seat; and `play_out`, games without learners.

>>> from fujikoro_env import Rules
>>> from fujikoro_env.envs.seats import LEARNER, SeatedGames
>>> import numpy as np
>>> seating = np.array([[LEARNER, LEARNER, LEARNER], [LEARNER, 0, 1]])  # self-play, and one against two
>>> games = SeatedGames(Rules(players=3), n=2, policies=["random", "hunter"], seating=seating)
>>> games.asked  # in the other game, another policy begins
array([0])
>>> games.step(games.masks.argmax(axis=1))

A step is one decision in every game: learners get theirs as an argument, and policies decide for themselves. So no game
waits for another, and policies always answer for many games at once.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.envs.batch import WAITS, BatchedGames, decided_actions, generator_bytes, restore_generator
from fujikoro_env.envs.levels import NO_QUESTION, PRIMITIVE, LevelTable, make_level
from fujikoro_env.envs.policies import BatchPolicy, KeptPolicy, Opponent, batch_policy, begin_games
from fujikoro_env.game import IllegalActionError
from fujikoro_env.kernel.thread_pool import Guard, one_thread
from fujikoro_env.rules.base.phases import Phase

LEARNER = -1  # in a seating: a seat of the learner; other numbers are places in the list of policies

# Called with the numbers of games that were dealt and a random generator; returns the policy of each seat, (games,
# players).
SeatingRule = Callable[[NDArray[np.int64], np.random.Generator], NDArray[np.int64]]
Timer = Callable[[str], AbstractContextManager[Any]]  # measures what is done inside, by name


class SeatedGames:
    """`n` games under the same rules. In each game, every seat belongs to the learner or to a policy.

    * `policies`: names, agents, batch policies or functions, see `fujikoro_env.envs.policies`. `use(place, policy)`
      replaces one, also in games that are under way
    * `seating`: (n, players) numbers of policies, or `LEARNER`. A function is called whenever games are dealt; it gets
      their numbers and a random generator, and returns their rows
    * `decisions`: "primitive", or the name of a decision level for the learners, such as "plans" (docs/plans.md). With
      a level, `asked` are the games in which it has a question, `masks` are the choices, and `features` and `summaries`
      describe them. Where the level decides by itself, it does so in the same step as the policies
    * `batches`: the class of the batch, which may be that of another game
    * `games`: the `BatchedGames`, with `rewards`, `dones`, `seeds` and everything else; all other arguments go to it
    * `asked`: numbers of the games in which a learner must decide; `observations` and `masks` have a row for each
    """

    def __init__(
        self,
        rules: Any = None,
        n: int = 256,
        seed: int = 0,
        policies: Sequence[Opponent] = (),
        seating: NDArray[np.int64] | SeatingRule | None = None,
        decisions: str = PRIMITIVE,
        batches: Callable[..., Any] = BatchedGames,
        **options: Any,
    ) -> None:
        self.guard = Guard("batch of games")
        self.games: BatchedGames = batches(rules, n, seed, **options)
        self.level = make_level(decisions)
        self.level_table = self.level.table(n) if self.level else None
        self.policies: list[BatchPolicy] = [batch_policy(policy) for policy in policies]
        self._seating_rule = self._rule_of(seating)
        self._luck = np.random.default_rng([seed, 1])  # not the games' own seed, or policies could predict chance
        self.seating = np.full((n, self.games.rules.players), LEARNER)
        self._begin(np.arange(n))

    def _rule_of(self, given: NDArray[np.int64] | SeatingRule | None) -> SeatingRule:
        if callable(given):
            return given
        shape = (self.games.n, self.games.rules.players)
        table = np.full(shape, LEARNER) if given is None else np.asarray(given, np.int64)
        if table.shape != shape:
            raise ValueError(
                f"seating has shape {table.shape}: a row for each game and a column for each seat, {shape}"
            )
        return lambda which, luck: table[which]

    @property
    def masks(self) -> NDArray[np.bool_]:
        """Legal actions of the learners that are asked. A row without any would make a learner choose an illegal
        action without notice."""
        masks: NDArray[np.bool_] = self.games.masks[self.asked]
        if self.level and self.level_table:
            masks = np.arange(self.level.choices) < self.level_table.counts[self.asked, None]
        assert masks.any(axis=1).all(), "a game is at a decision without a legal action"
        return masks

    @property
    def movers(self) -> NDArray[np.int64]:
        """Seats of the learners that are asked."""
        movers: NDArray[np.int64] = self.games.actors[self.asked]
        return movers

    @property
    def features(self) -> NDArray[np.float32]:
        """Descriptions of the choices of the learners that are asked, (asked, choices, features)."""
        return self._at_level().features[self.asked]

    @property
    def summaries(self) -> NDArray[np.float32]:
        """Descriptions of the positions of the learners that are asked, (asked, summary)."""
        return self._at_level().summaries[self.asked]

    def _at_level(self) -> LevelTable:
        if self.level_table is None:
            raise AttributeError('there is no decision level: make the games with decisions="plans"')
        return self.level_table

    def observe(self, kind: str = "compact") -> Any:
        """Observations of the learners that are asked, a row for each."""
        return self.games.observe_some(self.asked, kind)

    def use(self, place: int, policy: Opponent) -> None:
        """Let another policy play the seats with this number, from the next decision on."""
        self.policies[place] = made = batch_policy(policy)
        for seat in range(self.games.rules.players):
            which = np.flatnonzero(self.seating[:, seat] == place)
            begin_games(made, self.games, which, np.full(len(which), seat))

    @one_thread
    def step(self, actions: Any = (), timer: Timer = nullcontext) -> None:
        """Play one decision in every game: `actions` has one for each game that is `asked`."""
        decided = np.full(self.games.n, WAITS, np.int64)
        chosen = decided_actions(actions, len(self.asked))
        decided[self.asked] = chosen if self.level_table is None else self._carried_out(chosen)
        with timer("opponents"):
            self._answer(decided)
        with timer("stepping"):
            self.games.step(decided, observe=False)
            if self.games.dones.any():
                self._begin(np.flatnonzero(self.games.dones & ~self.games.over))
            self._ask()
        with timer("observing"):
            self.games.update_observations()

    def _carried_out(self, choices: NDArray[np.int64]) -> NDArray[np.int64]:
        """The actions that begin the choices of the learners."""
        table = self._at_level()
        if ((choices < 0) | (choices >= table.counts[self.asked])).any():
            wrong = int(((choices < 0) | (choices >= table.counts[self.asked])).argmax())
            game = int(self.asked[wrong])
            phase = Phase(int(self.games.phases[game])).name
            raise IllegalActionError(
                f"game {game}: choice {choices[wrong]}", phase, table.describe(self.games.game(game), game)
            )
        return table.carry_out(self.games.compiled, self.asked, choices)

    def _answer(self, decided: NDArray[np.int64]) -> None:
        if self.level_table is not None and len(self._unasked):
            first = np.zeros(len(self._unasked), np.int64)
            decided[self._unasked] = self.level_table.carry_out(self.games.compiled, self._unasked, first)
        for place, policy in enumerate(self.policies):
            which = np.flatnonzero(self._turn == place)
            if len(which):
                decided[which] = decided_actions(policy.act(self.games, which), len(which))

    def _ask(self) -> None:
        """Find out whose turn it is: `LEARNER`, the number of a policy, or nobody's in a game that is over."""
        nobody = len(self.policies)
        self._turn = np.where(self.games.over, nobody, self.seating[np.arange(self.games.n), self.games.actors])
        self.asked = np.flatnonzero(self._turn == LEARNER)
        if self.level_table is not None:
            self.level_table.list_choices(self.games.compiled, self.asked)
            is_question = self.level_table.counts[self.asked] > NO_QUESTION
            self._unasked, self.asked = self.asked[~is_question], self.asked[is_question]

    def _begin(self, which: NDArray[np.int64]) -> None:
        """Seat the players of games that were dealt."""
        if self.level_table is not None:
            self.level_table.begin(which, self.games.seeds[which])
        if len(which):
            self.seating[which] = self._checked(self._seating_rule(which, self._luck), len(which))
        for place, policy in enumerate(self.policies):
            for seat in range(self.games.rules.players):
                chosen = which[self.seating[which, seat] == place]
                begin_games(policy, self.games, chosen, np.full(len(chosen), seat))
        self._ask()

    def _checked(self, rows: NDArray[np.int64], number: int) -> NDArray[np.int64]:
        fits = rows.shape == (number, self.games.rules.players)
        if not fits or (rows < LEARNER).any() or (rows >= len(self.policies)).any():
            raise ValueError(
                f"seating: allowed are numbers of the {len(self.policies)} policies and {LEARNER} (LEARNER)"
            )
        return rows

    def deal(self, seeds: Any, which: Any = None) -> None:
        """Deal all games, or the games `which`, each from its own seed, and seat their players."""
        self.games.deal(seeds, which)
        self._begin(np.arange(self.games.n) if which is None else np.asarray(which, np.int64))

    # keeping games for later

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Games, seats and memories of the policies, as arrays. The policies themselves are not included."""
        kept = {f"games.{name}": array for name, array in self.games.snapshot().items()}
        for place, policy in enumerate(self.policies):
            if isinstance(policy, KeptPolicy):
                kept |= {f"policy{place}.{name}": array for name, array in policy.snapshot().items()}
        if self.level_table is not None:
            kept |= {f"level.{name}": array for name, array in self.level_table.snapshot().items()}
        return {**kept, "seating": self.seating.copy(), "luck": generator_bytes(self._luck)}

    def restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        """Go on with the games of a snapshot. Agents that can't be saved begin their games again."""
        self.games.restore(part_of(snapshot, "games."))
        self.seating[:] = snapshot["seating"]
        restore_generator(self._luck, snapshot["luck"])
        if self.level_table is not None:
            self.level_table.restore(part_of(snapshot, "level."))
        for place, policy in enumerate(self.policies):
            if isinstance(policy, KeptPolicy):
                policy.restore(part_of(snapshot, f"policy{place}."))
            else:
                self.use(place, policy)
        self._ask()


def part_of(snapshot: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin with a prefix, without it."""
    return {name.removeprefix(prefix): array for name, array in snapshot.items() if name.startswith(prefix)}


def play_out(
    rules: Any, seeds: Any, policies: Sequence[Opponent], seating: NDArray[np.int64], **options: Any
) -> BatchedGames:
    """Play one game from each seed to its end, by policies in the seats of `seating`, (games, players). Returns the
    games, with `ranks`, `scores` and `ended`."""
    table = SeatedGames(rules, len(seeds), 0, policies, seating, stop=True, **options)
    table.deal(seeds)
    while not table.games.over.all():
        table.step()
    return table.games

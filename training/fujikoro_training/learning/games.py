"""`LearningGames`: the games that a network learns from, of one or several kinds, as an environment of SB3."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn

from fujikoro_agents.policy.digests import PLANS
from fujikoro_env.envs.seats import LEARNER, SeatedGames, Timer, part_of
from fujikoro_env.kernel.declared import THIS_GAME, DeclaredGame, find_game
from fujikoro_env.rules.engine.rewards import Reward, appraise_games
from fujikoro_training.learning.recipe import GameKind
from fujikoro_training.networks import spaces_of

Floats = NDArray[np.float32]


class ShapedGames:
    """Games of one kind whose rewards include changes of the worth of the position: the player's lead, or in co-op the
    group's progress. Unlike the reward "shaped", the final lead is not taken back at the end."""

    def __init__(self, table: SeatedGames) -> None:
        self.table, games = table, table.games
        self.rewards = np.zeros(games.rewards.shape, np.float32)  # of the last step
        self._every_game: Any = np.arange(games.n)
        self._worths: Any = np.zeros(games.rewards.shape, np.float32)
        self._appraise()

    def _appraise(self) -> None:
        games = self.table.games
        appraise_games(games.states, games.compiled.tables, self._every_game, Reward.SHAPED, self._worths)

    def _worths_at_end(self, over: NDArray[np.int64], before: Floats) -> Floats:
        """The last worths of games that are over. Co-op games keep those before the last step."""
        return before[over] if self.table.games.rules.is_coop else self._final_leads(over)

    def step(self, actions: Any, shaping: float, timer: Timer) -> None:
        """Play one decision in every game, and compute the rewards."""
        before = self._worths.copy()
        self.table.step(actions, timer)
        with timer("stepping"):
            self._appraise()
            games = self.table.games
            reached = self._worths.copy()
            over = np.flatnonzero(games.dones)
            reached[over] = self._worths_at_end(over, before)
            self.rewards = games.rewards + np.float32(shaping) * (reached - before)

    def _final_leads(self, over: NDArray[np.int64]) -> Floats:
        games, players = self.table.games, self.table.games.rules.players
        vp = games.scores[over].astype(np.float32)
        leads = vp - (vp.sum(axis=1, keepdims=True) - vp) / (players - 1)
        leads[:, players:] = 0
        scale = self.table.games.ended["settings"]["final_at"][over, None].astype(np.float32)
        clipped: Floats = np.clip(leads / scale, -1, 1)
        return clipped

    def restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        """Go on with the games of a snapshot."""
        self.table.restore(snapshot)
        self._appraise()


class DeclaredGames(ShapedGames):
    """Games of a team of any declared game. Their worths are what the game says of them."""

    def __init__(self, table: SeatedGames, game: DeclaredGame) -> None:
        self._game = game
        super().__init__(table)

    def _appraise(self) -> None:
        self._worths[:] = self._game.worths(self.table.games)

    def _worths_at_end(self, over: NDArray[np.int64], before: Floats) -> Floats:
        worths: Floats = before[over]
        return worths


class LearningGames(VecEnv):
    """All games of a run, side by side. A step is one decision in every game, by a learner or by its opponent.

    `observe`, `masks`, `movers` and `asked` have a row for each learner that must decide, and `advance` takes an action
    for each of them. As an environment of Stable-Baselines3 it has a row for every game, and ignores actions where no
    learner is asked.
    """

    def __init__(self, kinds: Sequence[ShapedGames], observation: str, game: str = THIS_GAME) -> None:
        self.kinds, self.observation, self.game = kinds, observation, game
        self.seats = kinds[0].rewards.shape[1]  # the most that a game can have
        self.shaping = 0.0
        self.timer: Timer = nullcontext
        self.render_mode = None
        sizes = [kind.table.games.n for kind in kinds]
        self._firsts = np.cumsum([0, *sizes])
        super().__init__(sum(sizes), *spaces_of(observation, game))

    # for learners

    @property
    def asked(self) -> NDArray[np.int64]:
        """Numbers of the games in which a learner must decide."""
        found: NDArray[np.int64] = np.concatenate(
            [first + kind.table.asked for first, kind in zip(self._firsts, self.kinds, strict=False)]
        )
        return found

    @property
    def movers(self) -> NDArray[np.int64]:
        """Seats of the learners that must decide."""
        return np.concatenate([kind.table.movers for kind in self.kinds])

    @property
    def masks(self) -> NDArray[np.bool_]:
        """Legal actions of the learners that must decide; every row has one."""
        return np.concatenate([kind.table.masks for kind in self.kinds])

    @property
    def rewards(self) -> Floats:
        """What the last step paid, (games, seats)."""
        return np.concatenate([kind.rewards for kind in self.kinds])

    @property
    def dones(self) -> NDArray[np.bool_]:
        """Games that the last step ended."""
        return np.concatenate([kind.table.games.dones for kind in self.kinds])

    def observe(self) -> Any:
        """Observations of the learners that must decide."""
        if self.observation == PLANS:
            return joined([{"choices": kind.table.features, "summary": kind.table.summaries} for kind in self.kinds])
        return joined([kind.table.observe(self.observation) for kind in self.kinds])

    def advance(self, actions: NDArray[np.int64]) -> None:
        """Play one decision in every game; `actions` has one for each learner that must decide."""
        first = 0
        for kind in self.kinds:
            last = first + len(kind.table.asked)
            kind.step(actions[first:last], self.shaping, self.timer)
            first = last

    def learner_views(self, seat: int) -> tuple[NDArray[np.int64], Any]:
        """The games in which a learner has this seat, whoever must decide, and its observations of them."""
        which, seen = [], []
        for first, kind in zip(self._firsts, self.kinds, strict=False):
            table = kind.table
            if seat < table.games.rules.players:
                learns = table.seating[:, seat] == LEARNER
                rows = np.flatnonzero(learns)
                which.append(first + rows)
                if self.observation == PLANS:
                    seen.append(_summaries(table, rows, seat))
                    continue
                every = table.games.observe(self.observation, observers=np.where(learns, seat, -1))
                seen.append({k: part[rows] for k, part in every.items()} if isinstance(every, dict) else every[rows])
        return (np.concatenate(which), joined(seen)) if which else (np.zeros(0, np.int64), None)

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """All games, as arrays."""
        parts = [kind.table.snapshot() for kind in self.kinds]
        return {f"{place}.{name}": array for place, part in enumerate(parts) for name, array in part.items()}

    def restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        """Go on with the games of a snapshot."""
        for place, kind in enumerate(self.kinds):
            kind.restore(part_of(snapshot, f"{place}."))

    # as an environment of Stable-Baselines3

    def reset(self) -> VecEnvObs:
        """Observations of all actors. The games go on, because they are dealt anew one by one."""
        seen: VecEnvObs = joined([kind.table.games.observe(self.observation) for kind in self.kinds])
        return seen

    def action_masks(self) -> NDArray[np.bool_]:
        """Legal actions of all actors."""
        return np.concatenate([kind.table.games.masks for kind in self.kinds])

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play the step; the rewards are those of the players who decided."""
        movers = np.concatenate([kind.table.games.actors for kind in self.kinds])
        self.advance(np.asarray(self._actions)[self.asked])
        rewards = self.rewards[np.arange(self.num_envs), movers]
        return self.reset(), rewards, self.dones, [{} for _ in range(self.num_envs)]

    def close(self) -> None:
        """Stop the threads."""
        for kind in self.kinds:
            kind.table.games.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """Call a method once for all games."""
        return getattr(self, method_name)(*args, **kwargs)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        return [False] * len(list(self._get_indices(indices)))


def _summaries(table: SeatedGames, rows: NDArray[np.int64], seat: int) -> dict[str, Floats]:
    """What a value on plans reads: summaries. There are no choices, because the seat need not be asked."""
    assert table.level_table is not None
    summary = table.level_table.summarise(table.games.compiled, rows, np.full(len(rows), seat))
    return {"choices": np.zeros((len(rows), *table.level_table.features.shape[1:]), np.float32), "summary": summary}


def joined(parts: Sequence[Any]) -> Any:
    """Observations of several kinds of games, one after the other."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], dict):
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return np.concatenate(parts)


def seated_games(
    kinds: Sequence[tuple[GameKind, Any]], sizes: Sequence[int], observation: str, reward: str, seed: int
) -> list[ShapedGames]:
    """Deal the games of each kind, with its seating rule and policies (`Seats`)."""
    options: dict[str, Any] = {"decisions": PLANS} if observation == PLANS else {"observation": observation}
    found = []
    for place, ((kind, seats), n) in enumerate(zip(kinds, sizes, strict=True)):
        own = {} if kind.game == THIS_GAME else {"batches": find_game(kind.game).batch_class}
        table = SeatedGames(
            kind.make_rules(), n, seed + 1000 * place, seats.policies, seats, reward=reward, **options, **own
        )
        found.append(ShapedGames(table) if kind.game == THIS_GAME else DeclaredGames(table, find_game(kind.game)))
    return found

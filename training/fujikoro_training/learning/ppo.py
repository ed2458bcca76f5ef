"""`SeatPPO`: MaskablePPO of sb3-contrib for games in which several seats learn.

It differs from MaskablePPO in how data is collected: decisions of learners alone are kept, and advantages are computed
for each seat alone (`fujikoro_training.returns`). The update is MaskablePPO's own.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBufferSamples, MaskableRolloutBufferSamples
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import obs_as_tensor

from fujikoro_env.envs.seats import Timer
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_training.learning.games import LearningGames
from fujikoro_training.learning.imitation import Teacher, imitate
from fujikoro_training.returns import NOBODY, seat_advantages


class DecisionBuffer(RolloutBuffer):
    """Decisions of learners, a row for each, and for every step what happened in all games. There are between none and
    `n_envs` decisions in a step."""

    def __init__(self, *args: Any, seed: int = 0, seats: int = PLAYERS, **options: Any) -> None:
        self.luck, self.seats = np.random.default_rng([seed, 3]), seats
        super().__init__(*args, **options)
        most = self.buffer_size * self.n_envs
        space: Any = self.observation_space
        if isinstance(space, spaces.Dict):
            self._seen: Any = {name: np.empty((most, *(part.shape or ())), part.dtype) for name, part in space.items()}
        else:
            self._seen = np.empty((most, *(space.shape or ())), np.float32)
        actions: Any = self.action_space
        self._masks = np.empty((most, int(actions.n)), np.bool_)

    def reset(self) -> None:
        """Forget everything."""
        steps, games = self.buffer_size, self.n_envs
        self.rows = self.step = 0
        self.of_step: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []  # games that decided, and their values
        self.movers = np.full((steps, games), NOBODY, np.int64)
        self.paid = np.zeros((steps, games, self.seats), np.float32)
        self.ended = np.zeros((steps, games), np.bool_)
        self._actions: Any = np.zeros(steps * games, np.int64)
        self._log_probs: Any = np.zeros(steps * games, np.float32)
        self.advantages = self.values = self.returns = np.zeros(0, np.float32)

    def add_decisions(self, games: LearningGames, seen: Any, masks: NDArray[np.bool_], answers: Any) -> None:
        """Keep the decisions of a step: actions, values and logarithms of probabilities."""
        actions, values, log_probs = answers
        which = games.asked
        rows = slice(self.rows, self.rows + len(which))
        if isinstance(seen, dict):
            for name, part in seen.items():
                self._seen[name][rows] = part
        else:
            self._seen[rows] = seen
        self._masks[rows], self._actions[rows], self._log_probs[rows] = masks, actions, log_probs
        self.movers[self.step, which] = games.movers
        self.of_step.append((which, values))
        self.rows = rows.stop

    def add_results(self, games: LearningGames) -> None:
        """Keep what the step paid and ended."""
        self.paid[self.step], self.ended[self.step] = games.rewards, games.dones
        self.step += 1

    def finish(self, open_values: NDArray[np.float32]) -> None:
        """Compute advantages and returns."""
        values = np.zeros(self.movers.shape, np.float32)
        for step, (which, found) in enumerate(self.of_step):
            values[step, which] = found
        advantages = seat_advantages(
            self.movers, values, self.paid, self.ended, open_values, self.gamma, self.gae_lambda
        )
        decided = self.movers != NOBODY  # in the order of the rows: by step, then by game
        self.values, self.advantages = values[decided], advantages[decided]
        self.returns = self.values + self.advantages

    def columns(self) -> dict[str, NDArray[Any]]:
        """All rows, for another process."""
        seen = self._seen if isinstance(self._seen, dict) else {"": self._seen}
        rows = slice(0, self.rows)
        return {
            **{f"seen.{name}": part[rows] for name, part in seen.items()},
            "masks": np.packbits(self._masks[rows], axis=1),
            "actions": self._actions[rows],
            "log_probs": self._log_probs[rows],
            "values": self.values,
            "advantages": self.advantages,
            "returns": self.returns,
        }

    def take(self, parts: Sequence[dict[str, NDArray[Any]]]) -> None:
        """Replace all rows by those that other processes collected."""
        found = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        self.rows = len(found["actions"])
        rows = slice(0, self.rows)
        if isinstance(self._seen, dict):
            for name, kept in self._seen.items():
                kept[rows] = found[f"seen.{name}"]
        else:
            self._seen[rows] = found["seen."]
        self._masks[rows] = np.unpackbits(found["masks"], axis=1, count=self._masks.shape[1]).astype(np.bool_)
        self._actions[rows], self._log_probs[rows] = found["actions"], found["log_probs"]
        self.values, self.advantages, self.returns = found["values"], found["advantages"], found["returns"]

    def get(self, batch_size: int | None = None) -> Iterator[Any]:  # type: ignore[override]
        """All decisions once, in random batches of nearly equal size."""
        parts = -(-self.rows // (batch_size or self.rows))
        for indices in np.array_split(self.luck.permutation(self.rows), parts):
            yield self._samples(indices)

    def _samples(self, indices: NDArray[np.int64]) -> Any:
        rest = (
            self._actions[indices],
            self.values[indices],
            self._log_probs[indices],
            self.advantages[indices],
            self.returns[indices],
            self._masks[indices],
        )
        tensors = [torch.from_numpy(part) for part in rest]
        if isinstance(self._seen, dict):
            seen = {name: torch.from_numpy(part[indices]) for name, part in self._seen.items()}
            return MaskableDictRolloutBufferSamples(seen, *tensors)
        return MaskableRolloutBufferSamples(torch.from_numpy(self._seen[indices]), *tensors)


class SeatPPO(MaskablePPO):
    """MaskablePPO that learns from all seats of `LearningGames` that are the learner's. `num_timesteps` counts
    decisions of learners. `timer` measures the parts of a run; `stop` ends it before the next collection of data.
    With a `teacher`, the run begins with imitation. `remote` collects the decisions elsewhere."""

    rollout_buffer: Any
    teacher: Teacher | None = None
    remote: Callable[[], Sequence[dict[str, NDArray[Any]]]] | None = None

    def __init__(self, *args: Any, timer: Timer = nullcontext, seed: int = 0, **options: Any) -> None:
        self.timer, self.stop = timer, False
        buffer = {"seed": seed, "seats": options["env"].seats}
        options |= {"rollout_buffer_class": DecisionBuffer, "rollout_buffer_kwargs": buffer, "seed": seed}
        super().__init__(*args, **options)
        self._last_obs = np.zeros(0)  # of no use here, but without it SB3 would reset the games

    @property
    def updates(self) -> int:
        """Number of epochs of updates so far."""
        return int(self._n_updates)

    @updates.setter
    def updates(self, number: int) -> None:
        self._n_updates = number

    @property
    def imitates(self) -> bool:
        """Whether the next decisions are for imitation."""
        return self.teacher is not None and self.num_timesteps < self.teacher.settings.decisions

    def collect_rollouts(
        self,
        env: Any,
        callback: BaseCallback,
        rollout_buffer: Any,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Play `n_rollout_steps` decisions in every game, and compute the advantages."""
        self.policy.set_training_mode(False)
        rollout_buffer.reset()
        callback.on_rollout_start()
        if self.stop:
            return False
        if not self.imitates:
            self.teacher = None  # its part is over
        if self.remote is not None:
            with self.timer("rollouts"):
                rollout_buffer.take(self.remote())
            self.num_timesteps += rollout_buffer.rows
        else:
            self._play(env, rollout_buffer, n_rollout_steps)
        callback.on_rollout_end()
        return True

    def _play(self, env: LearningGames, buffer: DecisionBuffer, steps: int) -> None:
        for _ in range(steps):
            answers = self._decide(env, buffer)
            env.advance(answers)
            if self.teacher is not None:
                self.teacher.note_new_games(env)
            buffer.add_results(env)
            self.num_timesteps += len(answers)
        with self.timer("forward pass"):
            buffer.finish(self._open_values(env))

    def _decide(self, env: LearningGames, buffer: DecisionBuffer) -> NDArray[np.int64]:
        with self.timer("observing"):
            seen, masks = env.observe(), env.masks
        if not len(masks):
            buffer.add_decisions(env, seen, masks, (np.zeros(0, np.int64), np.zeros(0), np.zeros(0)))
            return np.zeros(0, np.int64)
        if self.teacher is not None:
            return self._decide_as_taught(self.teacher, env, buffer, seen, masks)
        with self.timer("forward pass"), torch.no_grad():
            answers = self.policy(obs_as_tensor(seen, self.device), action_masks=masks)
            actions, values, log_probs = (part.flatten().numpy() for part in answers)
        buffer.add_decisions(env, seen, masks, (actions, values, log_probs))
        return np.asarray(actions, np.int64)

    def _decide_as_taught(
        self, teacher: Teacher, env: LearningGames, buffer: DecisionBuffer, seen: Any, masks: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """The actions of the teacher, and in its own games those of the network; the buffer gets the teacher's."""
        with self.timer("teacher"):
            taught = teacher.answers(env)
        own = np.flatnonzero(teacher.own[env.asked])
        played = taught.copy()
        with self.timer("forward pass"), torch.no_grad():
            values = self.policy.predict_values(obs_as_tensor(seen, self.device)).flatten().numpy()
            if len(own):
                found = self.policy.get_distribution(obs_as_tensor(part_rows(seen, own), self.device), masks[own])
                played[own] = found.get_actions().numpy()
        buffer.add_decisions(env, seen, masks, (taught, values, np.zeros(len(taught), np.float32)))
        return played

    def _open_values(self, env: LearningGames) -> NDArray[np.float32]:
        """Values of the current positions to all seats of learners."""
        found = np.zeros((env.num_envs, env.seats), np.float32)
        for seat in range(env.seats):
            with self.timer("observing"):
                which, seen = env.learner_views(seat)
            if len(which):
                with torch.no_grad():
                    found[which, seat] = self.policy.predict_values(obs_as_tensor(seen, self.device)).flatten().numpy()
        return found

    def train(self) -> None:
        """Update the network, by imitation or with MaskablePPO's own update."""
        if not self.rollout_buffer.rows:  # nobody who learns was asked, for example while plans' games are set up
            return
        with self.timer("update"):
            if self.teacher is not None:
                imitate(self)
            else:
                super().train()


def part_rows(seen: Any, rows: NDArray[np.int64]) -> Any:
    """Some rows of observations, which may be a dictionary of arrays."""
    return {name: part[rows] for name, part in seen.items()} if isinstance(seen, dict) else seen[rows]

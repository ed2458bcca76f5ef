"""Imitation: the first part of a run may teach the network to choose as an agent would, before PPO improves on it.

In a share of the games the network's own actions are played, and the teacher says what it would have chosen. So the
network also learns what to do after its own mistakes (DAgger). The value is learned in the same way as in PPO.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from fujikoro_env.envs.policies import BatchPolicy, KeptPolicy, batch_policy, begin_games
from fujikoro_env.envs.seats import LEARNER, SeatedGames, part_of
from fujikoro_env.kernel.declared import THIS_GAME, find_game
from fujikoro_training.learning.games import LearningGames
from fujikoro_training.learning.recipe import Imitation

ILLEGAL: Final = -1e8  # logit, as in MaskablePPO


def teachers(name: str, games: LearningGames) -> list[Any]:
    """The agent that teaches, for each kind of games: its name, or the agent itself for a game other than Fuji Koro."""
    if games.game == THIS_GAME:
        return [name for _ in games.kinds]
    return [find_game(games.game).agents.make(name) for _ in games.kinds]


class Teacher:
    """An agent that says what it would choose in place of the learner."""

    def __init__(self, settings: Imitation, games: LearningGames, seed: int) -> None:
        self.settings = settings
        self.own = np.random.default_rng([seed, 4]).random(games.num_envs) < settings.own  # games by who plays
        self.policies: list[BatchPolicy] = [batch_policy(agent) for agent in teachers(settings.agent, games)]
        for policy, kind in zip(self.policies, games.kinds, strict=True):
            _begin(policy, kind.table, np.arange(kind.table.games.n))

    def answers(self, games: LearningGames) -> NDArray[np.int64]:
        """What the teacher would choose, for each learner that must decide."""
        found = [
            np.asarray(policy.act(kind.table.games, kind.table.asked), np.int64)
            for policy, kind in zip(self.policies, games.kinds, strict=True)
        ]
        return np.concatenate(found)

    def note_new_games(self, games: LearningGames) -> None:
        """Start the games that were dealt in the last step."""
        for policy, kind in zip(self.policies, games.kinds, strict=True):
            _begin(policy, kind.table, np.flatnonzero(kind.table.games.dones))

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """What the teacher remembers of the games."""
        kept = [policy.snapshot() if isinstance(policy, KeptPolicy) else {} for policy in self.policies]
        return {f"{place}.{name}": array for place, part in enumerate(kept) for name, array in part.items()}

    def restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        """Go on from a snapshot."""
        for place, policy in enumerate(self.policies):
            part = part_of(snapshot, f"{place}.")
            if isinstance(policy, KeptPolicy) and part:
                policy.restore(part)


def _begin(policy: BatchPolicy, table: SeatedGames, dealt: NDArray[np.int64]) -> None:
    for seat in range(table.games.rules.players):
        which = dealt[table.seating[dealt, seat] == LEARNER]
        begin_games(policy, table.games, which, np.full(len(which), seat))


def imitate(model: Any) -> None:
    """Update the network of a `SeatPPO` with what its teacher chose: cross-entropy of the legal actions, and the error
    of the value."""
    policy, settings = model.policy, model.teacher.settings
    policy.set_training_mode(True)
    for group in policy.optimizer.param_groups:
        group["lr"] = settings.learning_rate_after(model.num_timesteps)
    losses, entropies = [], []
    for _ in range(model.n_epochs):
        for data in model.rollout_buffer.get(model.batch_size):
            logits, values = judged(policy, data.observations, data.action_masks)
            loss = torch.nn.functional.cross_entropy(logits, data.actions.long().flatten())
            value_loss = torch.nn.functional.mse_loss(values, data.returns)
            policy.optimizer.zero_grad()
            (loss + model.vf_coef * value_loss).backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), model.max_grad_norm)
            policy.optimizer.step()
            losses.append(loss.item())
        entropies.append(_entropy(logits.detach()))  # of the last batch, because it takes time
        model.updates += 1
    model.logger.record("train/imitation_loss", float(np.mean(losses)))
    model.logger.record("train/entropy_loss", -float(np.mean(entropies)))


def judged(policy: Any, seen: Any, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Logits of all actions, very low for illegal ones, and values. MaskablePPO's own functions also normalise the
    logits several times, which takes longer than the network."""
    for_policy, for_value = policy.mlp_extractor(policy.extract_features(seen))
    logits = policy.action_net(for_policy).masked_fill(~masks.bool(), ILLEGAL)
    return logits, policy.value_net(for_value).flatten()


def _entropy(logits: torch.Tensor) -> float:
    logarithms = torch.log_softmax(logits, dim=1)
    return -float((logarithms.exp() * logarithms).sum(dim=1).mean())

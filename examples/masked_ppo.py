"""Masked PPO in one file, in plain PyTorch: a network that learns to beat random players.

    python examples/masked_ppo.py --out runs/masked_ppo.safetensors
    fujikoro watch --by policy:runs/masked_ppo.safetensors,random,random,random

In half of the games the network has all four seats, in the others one seat against three random players. Logits of
illegal actions are masked out wherever actions are chosen or learned from. Advantages are computed for each seat alone:
what happens until a seat's next decision belongs to its last one. The reward is the share of the win, plus changes of
the lead in VP, which count less and less. `fujikoro train` does the same with more opponents, checkpoints and
TensorBoard; this file is for reading and for changing the algorithm. The extra `train` brings what it needs.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.distributions import Categorical

from fujikoro_agents.policy import Plain, new_head, save_policy
from fujikoro_env import BatchedGames, Rules
from fujikoro_env.envs.seats import LEARNER, SeatedGames, SeatingRule
from fujikoro_training.matches import play_match
from fujikoro_training.returns import NOBODY, seat_advantages

RULES = Rules(players=4)
FORBIDDEN = -1e8  # logit of an illegal action
VP_TO_WIN = 30
EVALUATION_SEED = 12_345


@dataclass(frozen=True)
class Settings:
    """Settings of a run. Pairs are the first and last value of a number that changes evenly."""

    decisions: int = 600_000
    games: int = 256
    steps: int = 64  # decisions in each game between two updates
    batch: int = 1024
    epochs: int = 2
    learning_rate: tuple[float, float] = (5e-4, 0.0)
    entropy: tuple[float, float] = (0.02, 0.005)
    shaping: tuple[float, float] = (1.0, 0.25)  # for a change of the lead by 30 VP; a win is 1
    gamma: float = 0.999
    gae_lambda: float = 0.95
    clip: float = 0.2
    target_kl: float = 0.03
    width: int = 256
    seed: int = 0


class Network(nn.Module):
    """Two dense layers shared by policy and value."""

    def __init__(self, inputs: int, actions: int, width: int) -> None:
        super().__init__()
        self.width = width
        self.trunk = nn.Sequential(nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.actions, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        for layer, gain in ((self.trunk[0], 2**0.5), (self.trunk[2], 2**0.5), (self.actions, 0.01), (self.value, 1.0)):
            nn.init.orthogonal_(layer.weight, gain)  # type: ignore[arg-type]
            nn.init.zeros_(layer.bias)  # type: ignore[arg-type]

    def forward(self, seen: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        """Distributions over the legal actions, and values."""
        shared = self.trunk(seen)
        logits = self.actions(shared).masked_fill(~masks, FORBIDDEN)
        return Categorical(logits=logits, validate_args=False), self.value(shared).squeeze(1)

    @torch.no_grad()
    def act(self, games: BatchedGames, which: Any) -> NDArray[np.int64]:
        """Sample actions, as a policy for matches and for the seats of opponents."""
        seen, masks = games.observe_some(which), games.masks[which]
        sampled: NDArray[np.int64] = self(torch.from_numpy(seen), torch.from_numpy(masks))[0].sample().numpy()
        return sampled


@dataclass
class Data:
    """Decisions of learners, a row for each."""

    seen: Tensor
    masks: Tensor
    actions: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor


def seats(n: int, policies: int) -> SeatingRule:
    """A learner in all seats of the first half of the games; in the others, a learner against one of the policies."""

    def seated(which: NDArray[np.int64], luck: np.random.Generator) -> NDArray[np.int64]:
        rows = np.full((len(which), RULES.players), LEARNER)
        for row, game in zip(rows, which, strict=True):
            if game >= n // 2:
                row[:] = luck.integers(policies)
                row[luck.integers(RULES.players)] = LEARNER
        return rows

    return seated


def paid(games: BatchedGames, shaping: float) -> NDArray[np.float32]:
    """What the last step paid, (games, seats): changes of the lead in VP, and at the end the share of the win."""
    players = games.rules.players
    rewards: NDArray[np.float32] = np.zeros_like(games.rewards)
    vp = games.rewards[:, :players]
    lead = vp - (vp.sum(axis=1, keepdims=True) - vp) / (players - 1)
    rewards[:, :players] = shaping * lead / VP_TO_WIN
    first = games.ranks[games.dones, :players] == 1
    rewards[games.dones, :players] += first / first.sum(axis=1, keepdims=True) - 1 / players
    return rewards


@torch.no_grad()
def collect(table: SeatedGames, network: Network, settings: Settings, shaping: float) -> Data:
    """Play some decisions in every game, and compute the advantages of those of learners."""
    games, shape = table.games, (settings.steps, table.games.n)
    movers, values, dones = np.full(shape, NOBODY), np.zeros(shape, np.float32), np.zeros(shape, np.bool_)
    rewards = np.zeros((*shape, games.rewards.shape[1]), np.float32)
    rows: list[tuple[Tensor, ...]] = []
    for step in range(settings.steps):
        seen, masks = torch.from_numpy(table.observe()), torch.from_numpy(table.masks)
        chances, value = network(seen, masks)
        actions = chances.sample()
        rows.append((seen, masks, actions, chances.log_prob(actions)))
        movers[step, table.asked], values[step, table.asked] = table.movers, value.numpy()
        table.step(actions.numpy())
        rewards[step], dones[step] = paid(games, shaping), games.dones
    advantages = seat_advantages(
        movers, values, rewards, dones, open_values(table, network), settings.gamma, settings.gae_lambda
    )
    decided = movers != NOBODY  # in the order of the rows: by step, then by game
    seen, masks, actions, log_probs = (torch.cat(parts) for parts in zip(*rows, strict=True))
    gained = torch.from_numpy(advantages[decided])
    return Data(seen, masks, actions, log_probs, gained, gained + torch.from_numpy(values[decided]))


def open_values(table: SeatedGames, network: Network) -> NDArray[np.float32]:
    """Values of the current positions to the learners in all seats: their games go on after the last decision."""
    found = np.zeros(table.games.rewards.shape, np.float32)
    everything = torch.ones(table.games.masks.shape, dtype=torch.bool)
    for seat in range(table.games.rules.players):
        observers = np.where(table.seating[:, seat] == LEARNER, seat, -1)
        seen = table.games.observe("compact", observers=observers)
        found[:, seat] = network(torch.from_numpy(seen), everything)[1].numpy()
    return found


def update(network: Network, optimizer: torch.optim.Optimizer, data: Data, settings: Settings, entropy: float) -> float:
    """Improve the network with the clipped objective of PPO; return the mean entropy of its decisions."""
    entropies: list[float] = []
    for _ in range(settings.epochs):
        for rows in torch.randperm(len(data.actions)).split(settings.batch):
            chances, values = network(data.seen[rows], data.masks[rows])
            log_ratio = chances.log_prob(data.actions[rows]) - data.log_probs[rows]
            ratio = log_ratio.exp()
            if float(((ratio - 1) - log_ratio).detach().mean()) > 1.5 * settings.target_kl:
                return float(np.mean(entropies or [0.0]))
            gained = data.advantages[rows]
            gained = (gained - gained.mean()) / (gained.std(correction=0) + 1e-8)
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            policy_loss = -torch.min(gained * ratio, gained * clipped).mean()
            value_loss = nn.functional.mse_loss(values, data.returns[rows])
            spread = chances.entropy().mean()
            optimizer.zero_grad()
            (policy_loss + 0.5 * value_loss - entropy * spread).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
            entropies.append(float(spread.detach()))
    return float(np.mean(entropies))


def train(
    table: SeatedGames, network: Network, settings: Settings, after: Callable[[int], None] = lambda decisions: None
) -> None:
    """Collect data and update the network in turns. `after` is called after each update with the decisions so far."""
    optimizer = torch.optim.Adam(network.parameters(), eps=1e-5)
    decisions, updates = 0, 0
    while decisions < settings.decisions:
        left = 1 - decisions / settings.decisions
        optimizer.param_groups[0]["lr"] = between(settings.learning_rate, left)
        data = collect(table, network, settings, between(settings.shaping, left))
        spread = update(network, optimizer, data, settings, between(settings.entropy, left))
        decisions, updates = decisions + len(data.actions), updates + 1
        if updates % 10 == 0:
            print(f"{decisions:,} decisions: entropy {spread:.2f}, mean return {float(data.returns.mean()):+.3f}")
        after(decisions)


def between(pair: tuple[float, float], left: float) -> float:
    """Value of a number that changes evenly, by the share of the run that is left."""
    return pair[1] + left * (pair[0] - pair[1])


def save(network: Network, path: Path, decisions: int) -> None:
    """Write the network as a policy file, which holds weights and no code."""
    path.parent.mkdir(parents=True, exist_ok=True)
    names = {"trunk.0": "trunk.0", "trunk.2": "trunk.1", "actions": "actions", "value": "return"}
    state = {name.rpartition("."): part.numpy() for name, part in network.state_dict().items()}
    weights = {f"{names[layer]}.{what}": part for (layer, _, what), part in state.items()}
    facts = {"recipe": "examples/masked_ppo.py", "decisions": decisions}
    save_policy(path, weights, new_head(Plain(trunk=(network.width,) * 2), RULES.pack, "compact", facts))


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains a network with masked PPO.")
    parser.add_argument("--decisions", type=int, default=Settings.decisions, help="to learn from (%(default)s)")
    parser.add_argument("--games", type=int, default=Settings.games, help="played side by side (%(default)s)")
    parser.add_argument("--steps", type=int, default=Settings.steps, help="between two updates (%(default)s)")
    parser.add_argument("--seed", type=int, default=Settings.seed, help="of games and network (%(default)s)")
    parser.add_argument("--evaluation-games", type=int, default=400, help="played at the end (%(default)s)")
    parser.add_argument("--out", type=Path, default=Path("runs/masked_ppo.safetensors"), help="file (%(default)s)")
    given = parser.parse_args()
    if min(given.decisions, given.steps, given.evaluation_games) < 1 or given.games < 2:
        parser.error("at least 1 decision, 1 step, 1 evaluation game and 2 games are needed")
    settings = Settings(decisions=given.decisions, games=given.games, steps=given.steps, seed=given.seed)
    torch.set_num_threads(1)  # on a busy machine, more threads are slower
    torch.manual_seed(settings.seed)
    table = SeatedGames(
        RULES, settings.games, settings.seed, ["random"], seats(settings.games, 1), reward="vp", observation="compact"
    )
    network = Network(table.games.width, table.games.masks.shape[1], settings.width)
    began, cpu = time.monotonic(), time.process_time()
    train(table, network, settings)
    print(f"trained in {time.monotonic() - began:.0f} s ({time.process_time() - cpu:.0f} s of CPU time)")
    save(network, given.out, settings.decisions)
    print("wins", play_match(network, "random", RULES, given.evaluation_games, EVALUATION_SEED))
    print(f"plays as policy:{given.out}")


if __name__ == "__main__":
    main()

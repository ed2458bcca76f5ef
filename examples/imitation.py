"""Trains a small network to play like a script, from a dataset of its games.

    fujikoro dataset --by runner --games 200 --out data/runner
    python examples/imitation.py --data data/runner --epochs 3

Without --data it first writes a dataset of --games games. The loss is the cross-entropy over the legal actions: illegal
ones are masked out. Whole games are held out, and the share of their decisions in which the network chooses the same
action as the script is printed after every epoch. A script that decides at random now and then can't be matched in
every decision, and a network that matches most decisions is still much weaker than the script: errors add up.
The extras `data` and `train` bring what this needs.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from fujikoro_env import Rules
from fujikoro_training.dataset.play import LineUp
from fujikoro_training.dataset.read import decisions
from fujikoro_training.dataset.store import Plan, write_dataset

BATCH = 512
HELD_OUT = 5  # every fifth game
Data = tuple[Tensor, Tensor, Tensor]  # observations, masks, actions


def written(games: int, agent: str, folder: Path) -> Path:
    """Write a small dataset of four-player games."""
    line_up = LineUp((agent,) * 4, Rules(players=4), seed=0, reward="rank", explanations=False)
    write_dataset(Plan(line_up, games, shard_games=32), folder, jobs=1)
    return folder


def split(folder: Path) -> tuple[Data, Data]:
    """Decisions to train on, and those of the games that are held out."""
    parts = list(decisions(folder, ["game", "observation", "mask", "action"]))
    game, observation, mask, action = (
        np.concatenate([part[name] for part in parts]) for name in ("game", "observation", "mask", "action")
    )
    held_out = game % HELD_OUT == HELD_OUT - 1

    def chosen(rows: NDArray[np.bool_]) -> Data:
        return torch.tensor(observation[rows]), torch.tensor(mask[rows]), torch.tensor(action[rows].astype(np.int64))

    return chosen(~held_out), chosen(held_out)


def network(inputs: int, actions: int, width: int) -> nn.Module:
    """A network with two hidden layers."""
    return nn.Sequential(
        nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, actions)
    )


def logits(model: nn.Module, observations: Tensor, masks: Tensor) -> Tensor:
    """Logits of the legal actions; those of illegal ones are minus infinity."""
    found: Tensor = model(observations)
    return found.masked_fill(~masks, float("-inf"))


def batches(data: Data, order: Tensor) -> Iterator[Data]:
    """Parts of the data, in the given order."""
    for rows in order.split(BATCH):
        yield data[0][rows], data[1][rows], data[2][rows]


def train(model: nn.Module, optimizer: torch.optim.Optimizer, data: Data) -> float:
    """Go through the data once; return the mean loss."""
    total = 0.0
    for observations, masks, actions in batches(data, torch.randperm(len(data[2]))):
        loss = nn.functional.cross_entropy(logits(model, observations, masks), actions)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += float(loss.detach()) * len(actions)
    return total / len(data[2])


@torch.no_grad()
def agreement(model: nn.Module, data: Data) -> float:
    """Share of the decisions in which the most likely action is the one that was chosen."""
    right = 0
    for observations, masks, actions in batches(data, torch.arange(len(data[2]))):
        right += int((logits(model, observations, masks).argmax(dim=1) == actions).sum())
    return right / len(data[2])


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains a small network by imitation.")
    parser.add_argument("--data", type=Path, help="folder of a dataset (a new one is written)")
    parser.add_argument("--games", type=int, default=40, help="games of the new dataset, at least 5 (40)")
    parser.add_argument("--agent", default="runner", help="who plays in the new dataset (runner)")
    parser.add_argument("--epochs", type=int, default=3, help="how often the data is gone through (3)")
    parser.add_argument("--width", type=int, default=256, help="units of each hidden layer (256)")
    given = parser.parse_args()
    if given.data is None and given.games < HELD_OUT:
        parser.error(f"--games {given.games}: at least {HELD_OUT} are needed, so that one is held out")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as scratch:
        seen, unseen = split(given.data or written(given.games, given.agent, Path(scratch) / "data"))
    print(f"{len(seen[2])} decisions to train on, {len(unseen[2])} held out")
    model = network(seen[0].shape[1], seen[1].shape[1], given.width)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    print(f"at random: {float((1 / unseen[1].sum(dim=1)).mean()):.1%} of held-out decisions agree")
    for epoch in range(1, given.epochs + 1):
        loss = train(model, optimizer, seen)
        print(f"epoch {epoch}: loss {loss:.3f}, {agreement(model, unseen):.1%} of held-out decisions agree")


if __name__ == "__main__":
    main()

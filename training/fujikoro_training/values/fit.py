"""Fits a value network to targets: inputs are standardised, and the network is exported with that folded into its first
layer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from fujikoro_agents.values.file import HIDDEN_LAYERS, Value
from fujikoro_agents.values.network import INPUTS, LEAD, OUTPUTS, inputs_of_players, outputs_of_rows
from fujikoro_training.values.turn_ends import TurnEnds

ROWS: Final = 20_000  # turn ends whose inputs are made at once
LEAST_SPREAD: Final = 0.05  # of an input, so that rare ones don't get large
MOVERS: Final = 0.6  # share of the turn ends that are seen by the player whose turn it was; the others by any player
WIN_LOSS: Final = 0.5  # weight of the loss of the win beside that of the lead
MOST_GRADIENT: Final = 1.0


@dataclass(frozen=True)
class Lesson:
    """Turn ends with their targets."""

    ends: TurnEnds
    leads: NDArray[np.float32]  # (turn ends, players) in VP
    wins: NDArray[np.float32]  # (turn ends, players)


@dataclass(frozen=True)
class Fit:
    """Settings of a fit."""

    layers: tuple[int, int]
    epochs: int
    batch: int
    learning_rate: float
    seed: int


# --- inputs and values ----------------------------------------------------------------------------------------------


def inputs_for(ends: TurnEnds, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.float32]:
    """What the network sees of some turn ends, each as one of the players."""
    inputs: Any = np.zeros((len(rows), INPUTS), np.float32)
    blocks: Any = np.ascontiguousarray(ends.blocks[rows].reshape(len(rows) * ends.players, -1), np.float32)
    table: Any = np.ascontiguousarray(ends.table[rows], np.float32)
    seen_by: Any = np.ascontiguousarray(seats, np.int64)
    inputs_of_players(blocks, table, ends.players, seen_by, inputs)
    made: NDArray[np.float32] = inputs
    return made


def values_for(ends: TurnEnds, value: Value) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Leads in VP and shares of the win that a network expects, by turn end and player."""
    count, players = len(ends.games), ends.players
    network: Any = value.compiled()
    leads, wins = np.zeros((count, players), np.float32), np.zeros((count, players), np.float32)
    for first in range(0, count, ROWS):
        rows = np.arange(first, min(first + ROWS, count))
        for seat in range(players):
            outputs: Any = np.zeros((len(rows), OUTPUTS), np.float32)
            inputs: Any = inputs_for(ends, rows, np.full(len(rows), seat))
            outputs_of_rows(inputs, len(rows), network, outputs)
            leads[rows, seat], wins[rows, seat] = LEAD * outputs[:, 0], 1 / (1 + np.exp(-outputs[:, 1]))
    return leads, wins / wins.sum(axis=1, keepdims=True)


# --- fitting --------------------------------------------------------------------------------------------------------


class Network(nn.Module):
    """The network in PyTorch, with inputs standardised by `mean` and `spread`."""

    mean: torch.Tensor
    spread: torch.Tensor

    def __init__(self, layers: tuple[int, int], mean: torch.Tensor, spread: torch.Tensor) -> None:
        super().__init__()
        sizes = (INPUTS, *layers, OUTPUTS)
        self.layers = nn.ModuleList(nn.Linear(sizes[k], sizes[k + 1]) for k in range(HIDDEN_LAYERS + 1))
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)

    @property
    def _dense(self) -> list[nn.Linear]:
        return [layer for layer in self.layers if isinstance(layer, nn.Linear)]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Outputs for a batch of raw inputs."""
        x = (x - self.mean) / self.spread
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        found: torch.Tensor = self.layers[-1](x)
        return found

    def take(self, value: Value) -> None:
        """Start from the weights of another network."""
        with torch.no_grad():
            for k, layer in enumerate(self._dense):
                layer.weight.copy_(torch.from_numpy(value.weights[f"{k}.weight"].copy()))
                layer.bias.copy_(torch.from_numpy(value.weights[f"{k}.bias"].copy()))
            first = self._dense[0]
            first.bias.add_(first.weight @ self.mean)
            first.weight.mul_(self.spread)

    def exported(self) -> dict[str, NDArray[np.float32]]:
        """Weights for raw inputs, by name."""
        weights = {name: part.detach().numpy().copy() for name, part in self.layers.named_parameters()}
        scaled = weights["0.weight"] / self.spread.numpy()
        weights["0.bias"] = (weights["0.bias"] - scaled @ self.mean.numpy()).astype(np.float32)
        weights["0.weight"] = scaled.astype(np.float32)
        return weights


def fitted(lessons: Sequence[Lesson], fit: Fit, before: Value | None = None) -> tuple[dict[str, Any], float]:
    """Fit a network, from scratch or beginning with another one. Return its weights and the mean loss of the last
    epoch."""
    torch.set_num_threads(1)
    torch.manual_seed(fit.seed)
    chance = np.random.default_rng(fit.seed)
    network = Network(fit.layers, *_moments(lessons, chance))
    if before is not None:
        network.take(before)
    steps = sum(-(-len(lesson.leads) // fit.batch) for lesson in lessons) * fit.epochs
    optimizer = torch.optim.Adam(network.parameters(), lr=fit.learning_rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, fit.learning_rate, total_steps=steps, pct_start=0.1)
    losses: list[float] = []
    for _ in range(fit.epochs):
        losses = []
        for x, leads, wins in _batches(lessons, fit.batch, chance):
            found = network(x)
            loss = nn.functional.smooth_l1_loss(found[:, 0], leads / LEAD)
            loss = loss + WIN_LOSS * nn.functional.binary_cross_entropy_with_logits(found[:, 1], wins)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), MOST_GRADIENT)
            optimizer.step()
            schedule.step()
            losses.append(float(loss.detach()))
    return network.exported(), float(np.mean(losses))


def _moments(lessons: Sequence[Lesson], chance: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean and spread of the inputs, of a sample."""
    samples = []
    for lesson in lessons:
        rows = chance.choice(len(lesson.leads), min(ROWS, len(lesson.leads)), replace=False)
        samples.append(inputs_for(lesson.ends, rows, chance.integers(0, lesson.ends.players, len(rows))))
    x = np.concatenate(samples)
    mean, spread = x.mean(axis=0), np.maximum(x.std(axis=0), LEAST_SPREAD)
    return torch.from_numpy(mean.astype(np.float32)), torch.from_numpy(spread.astype(np.float32))


def _batches(
    lessons: Sequence[Lesson], size: int, chance: np.random.Generator
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    """All turn ends once, in random order; each batch has games with the same number of players."""
    parts = []
    for number, lesson in enumerate(lessons):
        order = chance.permutation(len(lesson.leads))
        parts += [(number, order[first : first + size]) for first in range(0, len(order), size)]
    for k in chance.permutation(len(parts)):
        number, rows = parts[k]
        lesson = lessons[number]
        anyone = chance.integers(0, lesson.ends.players, len(rows))
        seats = np.where(chance.random(len(rows)) < MOVERS, lesson.ends.movers[rows], anyone).astype(np.int64)
        x = torch.from_numpy(inputs_for(lesson.ends, rows, seats))
        yield x, torch.from_numpy(lesson.leads[rows, seats]), torch.from_numpy(lesson.wins[rows, seats])

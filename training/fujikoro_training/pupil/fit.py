"""Fits a network that scores plans to the gains of the choices.

The scores are gains in VP divided by a temperature. The loss has two parts: the error of the scores, and the mean gain
of a choice drawn by them, which counts what matters: to find a good choice. Choices without a gain count as bad ones in
the second part only.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from fujikoro_agents.plans.player import Chooser
from fujikoro_agents.plans.tables import CHOICES
from fujikoro_agents.policy.networks import Choices
from fujikoro_training.networks import PlanScores, PlanValue
from fujikoro_training.pupil.lessons import Questions

UNKNOWN_GAIN: Final = -2.0  # VP: of choices that the teacher did not try out
LEAST_GAIN, MOST_GAIN = -12.0, 8.0  # VP
MOST_GRADIENT: Final = 1.0
ACTIVATION: Final = "relu"
AT_ONCE: Final = 4000  # questions whose choices are scored at once
Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]


@dataclass(frozen=True)
class Fit:
    """Settings of a fit."""

    layers: tuple[int, ...]
    epochs: int
    batch: int
    learning_rate: float
    temperature: float
    seed: int

    @property
    def network(self) -> Choices:
        """The network as it plays."""
        return Choices(self.layers, ACTIVATION)


def fitted(questions: Questions, fit: Fit) -> dict[str, NDArray[np.float32]]:
    """Fit a network; return its weights as policy files have them. Its value stays 0."""
    torch.set_num_threads(1)
    torch.manual_seed(fit.seed)
    chance = np.random.default_rng(fit.seed)
    network = PlanScores(fit.layers, 0.0, torch.relu)
    optimizer = torch.optim.Adam(network.parameters(), lr=fit.learning_rate)
    steps = fit.epochs * -(-len(questions.counts) // fit.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, fit.learning_rate, total_steps=steps, pct_start=0.1)
    for _ in range(fit.epochs):
        for batch in _batches(questions, chance.permutation(len(questions.counts)), fit.batch):
            optimizer.zero_grad()
            _loss(network, batch, fit.temperature).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), MOST_GRADIENT)
            optimizer.step()
            schedule.step()
    return _exported(network, fit)


def _loss(network: PlanScores, batch: Batch, temperature: float) -> torch.Tensor:
    choices, summaries, gains, legal, known = batch
    found = network.scores(choices, summaries)
    error = functional.smooth_l1_loss(found[known], gains[known])
    chances = torch.softmax((found / temperature).masked_fill(~legal, -torch.inf), dim=1)
    return error - (chances * gains).sum(dim=1).mean()


def _batches(questions: Questions, order: NDArray[np.int64], size: int) -> Iterator[Batch]:
    for first in range(0, len(order), size):
        rows = order[first : first + size]
        gains = questions.gains[rows]
        known = ~np.isnan(gains)
        filled = np.clip(np.where(known, gains, UNKNOWN_GAIN), LEAST_GAIN, MOST_GAIN).astype(np.float32)
        legal = np.arange(CHOICES) < questions.counts[rows, None]
        seen = (part[rows].astype(np.float32) for part in (questions.choices, questions.summaries))
        choices, summaries, *rest = map(torch.from_numpy, (*seen, filled, legal, known))
        yield choices, summaries, rest[0], rest[1], rest[2]


def _exported(network: PlanScores, fit: Fit) -> dict[str, NDArray[np.float32]]:
    """Weights by name. Scores are divided by the temperature, so that drawing by them is what was learned."""
    weights = {name: part.numpy().copy() for name, part in network.state_dict().items()}
    for name in ("score.weight", "score.bias", "usual.weight"):
        weights[name] /= np.float32(fit.temperature)
    value = {name: np.zeros_like(part.numpy()) for name, part in PlanValue(fit.layers).state_dict().items()}
    return weights | value


def chooser(weights: dict[str, NDArray[np.float32]], network: Choices) -> Chooser:
    """Takes the choice with the best score."""

    def choose(seen: Any, masks: NDArray[np.bool_], which: NDArray[np.int64]) -> NDArray[np.int64]:
        scores, _ = network.judge(weights, seen)
        best: NDArray[np.int64] = np.where(masks, scores, -np.inf).argmax(axis=1)
        return best

    return choose


def mean_gain(weights: dict[str, NDArray[np.float32]], network: Choices, questions: Questions) -> float:
    """Mean gain, in VP, of the choices with the best scores, where the teacher has tried them out."""
    choose, gains = chooser(weights, network), []
    for first in range(0, len(questions.counts), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        seen = {
            "choices": questions.choices[some].astype(np.float32),
            "summary": questions.summaries[some].astype(np.float32),
        }
        masks = np.arange(CHOICES) < questions.counts[some, None]
        gains.append(np.take_along_axis(questions.gains[some], choose(seen, masks, np.arange(0))[:, None], axis=1))
    return float(np.nanmean(np.concatenate(gains)))

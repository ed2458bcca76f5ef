"""Rollouts: decisions of learners with their advantages, collected in other processes for one learner."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3.common.callbacks import ConvertCallback

from fujikoro_training.learning.checkpoint import Parts
from fujikoro_training.learning.opponents import counts
from fujikoro_training.learning.recipe import Recipe, RecipeError

SEEDS_APART: Final = 1_000_003  # between the seeds of two collectors
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Rollout:
    """Decisions of learners, one row for each."""

    version: int  # of the weights they were made with
    columns: Arrays


@dataclass(frozen=True)
class Weights:
    """What a collector needs for its next rollout."""

    version: int
    decisions: int  # of the whole run so far
    shaping: float
    network: Arrays


@dataclass(frozen=True)
class PastSelves:
    """The past selves of the learner."""

    added: int
    networks: Arrays


class Collector(Protocol):
    """Collects rollouts for a learner."""

    def collect(self, weights: Weights, past: PastSelves) -> Sequence[Rollout]:
        """Rollouts of all collectors that finished theirs with these weights; at least one."""


def weights_of(model: Any, version: int, shaping: float) -> Weights:
    """The weights of a learner as they are now."""
    network = {name: part.numpy().copy() for name, part in model.policy.state_dict().items()}
    return Weights(version, model.num_timesteps, shaping, network)


def shares_of(recipe: Recipe, collectors: int) -> list[int]:
    """Number of games of each collector."""
    games = recipe.learning.games
    if games < collectors * len(recipe.games):
        raise RecipeError(
            f"learning.games={games}: {collectors} rollout actors need at least one game of each kind, "
            f"{collectors * len(recipe.games)} in all"
        )
    return counts([1.0] * collectors, games)


def recipe_of_collector(recipe: Recipe, place: int, births: int, games: int) -> Recipe:
    """The recipe with a part of the games. A collector that replaces another deals other games."""
    seed = recipe.seed + SEEDS_APART * (1 + place) + births
    return replace(recipe, seed=seed, learning=replace(recipe.learning, games=games))


class LocalCollector:
    """Games and a copy of the network in this process."""

    def __init__(self, recipe: Recipe, make_parts: Callable[[Recipe], Parts]) -> None:
        self.parts, self.recipe = make_parts(recipe), recipe
        self.past: int | None = None  # number of past selves that were added

    def collect(self, weights: Weights, past: PastSelves) -> Rollout:
        """Play the steps between two updates."""
        model, games = self.parts.model, self.parts.games
        model.policy.load_state_dict(_tensors(weights.network))
        if past.added != self.past:
            writable = {name: np.array(array) for name, array in past.networks.items()}
            self.parts.pool.restore(writable, past.added)
            self.past = past.added
        model.num_timesteps, games.shaping = weights.decisions, weights.shaping
        silent = ConvertCallback(None)
        silent.init_callback(model)
        model.collect_rollouts(games, silent, model.rollout_buffer, self.recipe.learning.steps)
        return Rollout(weights.version, model.rollout_buffer.columns())


def _tensors(arrays: Mapping[str, NDArray[Any]]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}

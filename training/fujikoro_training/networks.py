"""Networks for MaskablePPO of sb3-contrib.

`compact`: a trunk of dense layers shared by policy and value; every action has its own weights. `heads`: the same, with
additional heads shared by all actions of a kind. For example, the logit of `step(space)` also depends on what the
observation says about that space, with the same weights for every space; the same goes for places, cards, blueprints
and cells. Whatever is learned about one space applies to all. `tensor`: convolutions over the map and the gear grids of
the tensor observation, then a trunk that also reads all numbers. `plans`: a network for the decision level `plans`.

`fujikoro_agents.policy.networks` computes the same networks without PyTorch, for playing.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from gymnasium import Space
from gymnasium.spaces import Dict, Discrete
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from fujikoro_agents.plans.level import Plans
from fujikoro_agents.plans.tables import CHOICES, SUMMARY_WIDTH, USUAL, WIDTH
from fujikoro_agents.policy.digests import PLANS
from fujikoro_agents.policy.networks import (
    GRIDS,
    JUDGED_BY,
    KERNEL,
    MOST_SCALED,
    PATTERN,
    Convolutions,
    facts_of,
    rows_of,
    scales,
    stride_of,
)
from fujikoro_env.envs.levels import level_spaces
from fujikoro_env.kernel.declared import THIS_GAME, find_game
from fujikoro_env.observation import FIELDS, observation_space
from fujikoro_env.observation.fields import NUMBERS
from fujikoro_env.rules.base.actions import ACTIONS, TABLE
from fujikoro_training.network_kinds import NETWORKS as NETWORKS

Activation = Callable[[torch.Tensor], torch.Tensor]


class Trunk(BaseFeaturesExtractor):
    """Layers shared by policy and value. Nearly all the work is in the first layer, so two trunks would take twice as
    long. With `keep`, the input is appended to the output."""

    def __init__(self, observation_space: Space[Any], layers: tuple[int, ...], keep: bool = False) -> None:
        width = int(np.prod(observation_space.shape or ()))
        super().__init__(observation_space, layers[-1] + (width if keep else 0))
        self.layers = _dense_layers(width, layers, torch.nn.Tanh)
        self.keep = keep

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """Compute the features."""
        made: torch.Tensor = self.layers(seen)
        return torch.cat((made, seen), dim=1) if self.keep else made


class PictureTrunk(BaseFeaturesExtractor):
    """Layers shared by policy and value, on the tensor observation: convolutions over the map and the gear grids, dense
    layers for the patterns of cards, and dense layers for all of it and the numbers."""

    def __init__(self, observation_space: Space[Any], layers: tuple[int, ...]) -> None:
        sizes = Convolutions(trunk=layers)
        super().__init__(observation_space, layers[-1])
        self.map = _convolutions(GRIDS["map"].row_width, sizes.map)
        self.gear = _convolutions(GRIDS["gear"].row_width, sizes.gear)
        self.patterns = _dense_layers(PATTERN, sizes.patterns, torch.nn.ReLU)
        self.layers = _dense_layers(sizes.width, layers, torch.nn.Tanh)
        for part in FIELDS:
            self.register_buffer(f"scale_{part.name}", torch.from_numpy(scales(part)), persistent=False)

    def forward(self, seen: dict[str, torch.Tensor]) -> torch.Tensor:
        """Compute the features."""
        read = {name: self._scaled(name, part) for name, part in seen.items()}
        count = len(read["map"])
        parts = [
            self.map(read["map"]),
            self.gear(read["gear"].flatten(0, 1)),
            self.patterns(read["patterns"].reshape(-1, PATTERN)),
            *(read[part.name] for part in NUMBERS),
        ]
        made: torch.Tensor = self.layers(torch.cat([part.reshape(count, -1) for part in parts], dim=1))
        return made

    def _scaled(self, name: str, numbers: torch.Tensor) -> torch.Tensor:
        scale: torch.Tensor = getattr(self, f"scale_{name}")
        return torch.clamp(numbers * scale, -MOST_SCALED, MOST_SCALED)


def _convolutions(channels: int, layers: tuple[int, ...]) -> torch.nn.Sequential:
    parts = [
        (torch.nn.Conv2d(a, b, KERNEL, stride_of(layer), padding=KERNEL // 2), torch.nn.ReLU())
        for layer, (a, b) in enumerate(pairwise([channels, *layers]))
    ]
    return torch.nn.Sequential(*(part for pair in parts for part in pair))


def _dense_layers(width: int, layers: tuple[int, ...], activation: type[torch.nn.Module]) -> torch.nn.Sequential:
    parts = [(torch.nn.Linear(a, b), activation()) for a, b in pairwise([width, *layers])]
    return torch.nn.Sequential(*(part for pair in parts for part in pair))


class SharedHeads(torch.nn.Module):
    """Logits of all actions: each has its own weights, plus weights chosen by the trunk that are applied to rows of the
    observation."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.own = torch.nn.Linear(width, ACTIONS)
        self.judges = torch.nn.ModuleDict(
            {block: torch.nn.Linear(width, facts_of(parts)) for block, (parts, _) in JUDGED_BY.items()}
        )
        torch.nn.init.orthogonal_(self.own.weight, gain=0.01)
        torch.nn.init.zeros_(self.own.bias)

    def forward(self, latent: torch.Tensor) -> torch.Tensor:
        """Compute the logits."""
        made, seen = latent[:, : self.width], latent[:, self.width :]
        judged, reached = [], 0  # logits of neighbouring actions, side by side
        for block, (parts, first_row) in sorted(JUDGED_BY.items(), key=lambda item: TABLE[item[0]].first):
            first = TABLE[block].first
            of_block = self._judged_block(block, parts, first_row, made, seen)
            judged += [made.new_zeros(len(made), first - reached), of_block]
            reached = first + of_block.shape[1]
        judged.append(made.new_zeros(len(made), ACTIONS - reached))
        logits: torch.Tensor = self.own(made) + torch.cat(judged, dim=1)
        return logits

    def _judged_block(
        self, block: str, parts: tuple[str, ...], first_row: int, made: torch.Tensor, seen: torch.Tensor
    ) -> torch.Tensor:
        """Logits of the actions of a block, from their rows of the observation. Products of single values are faster
        than those of many small matrices."""
        weights = self.judges[block](made).split([facts_of((name,)) for name in parts], dim=1)
        rows = [rows_of(seen, name, first_row, TABLE[block].size) for name in parts]
        terms = [
            facts[:, :, k] * of[:, k : k + 1]
            for facts, of in zip(rows, weights, strict=True)
            for k in range(facts.shape[2])
        ]
        return torch.stack(terms).sum(dim=0)


class HeadsPolicy(MaskableActorCriticPolicy):
    """Policy and value on a trunk that keeps its input."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        kept = int(np.prod(self.observation_space.shape or ()))
        self.action_net = SharedHeads(self.features_dim - kept)
        make_optimizer: Any = self.optimizer_class
        self.optimizer = make_optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class FlatPlans(BaseFeaturesExtractor):
    """Descriptions of all choices one after the other, then the summary: the layers of `PlanScores` and `PlanValue`
    take them apart again."""

    def __init__(self, observation_space: Space[Any]) -> None:
        super().__init__(observation_space, CHOICES * WIDTH + SUMMARY_WIDTH)

    def forward(self, seen: dict[str, torch.Tensor]) -> torch.Tensor:
        """Join the parts."""
        return torch.cat((seen["choices"].flatten(1), seen["summary"]), dim=1)


class PlanScores(torch.nn.Module):
    """Logits of plans: the same layers score every choice from its features and the summary. `usual` is the weight of
    choice 0 at the beginning; everything else begins with 0, so the script's choice is the most likely one."""

    def __init__(self, layers: tuple[int, ...], usual: float, activation: Activation = torch.tanh) -> None:
        super().__init__()
        first, second, *_ = layers
        self.activation = activation
        self.summary = torch.nn.Linear(SUMMARY_WIDTH, first)
        self.context = torch.nn.Linear(first, second)
        self.choice = torch.nn.Linear(WIDTH, second)
        self.more = torch.nn.ModuleList(torch.nn.Linear(*widths) for widths in pairwise(layers[1:]))
        self.score = torch.nn.Linear(layers[-1], 1)
        self.usual = torch.nn.ParameterDict({"weight": torch.nn.Parameter(torch.tensor([usual]))})
        torch.nn.init.orthogonal_(self.score.weight, gain=0.01)
        torch.nn.init.zeros_(self.score.bias)

    def forward(self, latent: torch.Tensor) -> torch.Tensor:
        """Compute the logits."""
        choices = latent[:, : CHOICES * WIDTH].reshape(len(latent), CHOICES, WIDTH)
        return self.scores(choices, latent[:, CHOICES * WIDTH :])

    def scores(self, choices: torch.Tensor, summary: torch.Tensor) -> torch.Tensor:
        """Compute the logits from the two parts of an observation."""
        context = self.context(self.activation(self.summary(summary)))
        hidden = self.activation(self.choice(choices) + context.unsqueeze(1))
        for layer in self.more:
            hidden = self.activation(layer(hidden))
        logits: torch.Tensor = self.score(hidden).squeeze(2) + self.usual["weight"] * choices[:, :, USUAL]
        return logits


class PlanValue(torch.nn.Module):
    """Value of a position, from the summary alone."""

    def __init__(self, layers: tuple[int, ...]) -> None:
        super().__init__()
        self.value = torch.nn.ModuleList(
            [torch.nn.Linear(SUMMARY_WIDTH, layers[0]), torch.nn.Linear(layers[0], layers[1])]
        )
        self.add_module("return", torch.nn.Linear(layers[1], 1))

    def forward(self, latent: torch.Tensor) -> torch.Tensor:
        """Compute the value."""
        given = latent[:, CHOICES * WIDTH :]
        for layer in self.value:
            given = torch.tanh(layer(given))
        value: torch.Tensor = getattr(self, "return")(given)
        return value


class PlansPolicy(MaskableActorCriticPolicy):
    """Policy and value for the decision level `plans`."""

    def __init__(self, *args: Any, layers: tuple[int, ...] = (64, 64), usual: float = 0.0, **options: Any) -> None:
        self.plan_layers, self.plan_usual = layers, usual
        super().__init__(*args, **options)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = PlanScores(self.plan_layers, self.plan_usual)
        self.value_net: Any = PlanValue(self.plan_layers)
        make_optimizer: Any = self.optimizer_class
        self.optimizer = make_optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


def policy_arguments(network: str, layers: tuple[int, ...], usual: float = 0.0) -> dict[str, Any]:
    """Arguments of MaskablePPO for a network of this name. `usual`: see `PlanScores`."""
    if network == PLANS:
        extractor = {"features_extractor_class": FlatPlans, "net_arch": []}
        return {"policy": PlansPolicy, "policy_kwargs": {**extractor, "layers": layers, "usual": usual}}
    options: dict[str, Any] = {"layers": layers}
    if network != "tensor":
        options["keep"] = network == "heads"
    return {
        "policy": HeadsPolicy if network == "heads" else MaskableActorCriticPolicy,
        "policy_kwargs": {
            "features_extractor_class": PictureTrunk if network == "tensor" else Trunk,
            "features_extractor_kwargs": options,
            "net_arch": [],
        },
    }


def make_network(
    network: str, layers: tuple[int, ...], usual: float = 0.0, game: str = THIS_GAME
) -> MaskableActorCriticPolicy:
    """An untrained network, as MaskablePPO would make it."""
    made = policy_arguments(network, layers, usual)
    space, actions = spaces_of(NETWORKS[network], game)
    policy: MaskableActorCriticPolicy = made["policy"](space, actions, lambda _: 0.0, **made["policy_kwargs"])
    return policy


def spaces_of(observation: str, game: str = THIS_GAME) -> tuple[Any, Discrete]:
    """Spaces of observations and actions for a kind of observation, or for the decision level `plans`."""
    if game != THIS_GAME:
        declared = find_game(game)
        return declared.space(observation), Discrete(declared.actions)
    if observation == PLANS:
        return Dict(level_spaces(Plans())), Discrete(CHOICES)
    return observation_space(observation), Discrete(ACTIONS)

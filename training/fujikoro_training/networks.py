"""Networks for the compact observation, for MaskablePPO of sb3-contrib.

`plain`: a trunk of dense layers that policy and value share; every action has weights of its own.
`heads`: the same, and beside it heads shared by all actions of a kind. `step(space)` is also judged by what the
observation says of that space, with the same weights for every space, and so are places, cards, blueprints and cells.
What is learned of one space is known of all.
"""

from itertools import pairwise
from typing import Any, Final

import numpy as np
import torch
from gymnasium import Space
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from fujikoro_env.observation.compact import PARTS, STARTS
from fujikoro_env.rules.base.actions import ACTIONS, TABLE

# Which block of actions is judged by the rows of which parts of the observation, from which row on.
JUDGED_BY: Final = {
    "step": (("ground", "loot", "frontier", "dragons"), 0),
    "place": (("places",), 0),
    "cell": (("cells",), 0),
    "build": (("cards",), 0),
    "card": (("cards",), 0),
    "blueprint": (("cards",), TABLE["card"].size),
}
PARTS_BY_NAME: Final = {part.name: part for part in PARTS}


class Trunk(BaseFeaturesExtractor):
    """Layers that policy and value share: nearly all the work is in the first, so two trunks take twice as long. With
    `keep` what it was given follows what it made of it."""

    def __init__(self, observation_space: Space[Any], layers: tuple[int, ...], keep: bool = False) -> None:
        width = int(np.prod(observation_space.shape or ()))
        super().__init__(observation_space, layers[-1] + (width if keep else 0))
        parts = [(torch.nn.Linear(a, b), torch.nn.Tanh()) for a, b in pairwise([width, *layers])]
        self.layers = torch.nn.Sequential(*(part for pair in parts for part in pair))
        self.keep = keep

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        made: torch.Tensor = self.layers(seen)
        return torch.cat((made, seen), dim=1) if self.keep else made


class SharedHeads(torch.nn.Module):
    """Logits of all actions: weights of their own, and for rows of the observation weights that the trunk chooses."""

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
        made, seen = latent[:, : self.width], latent[:, self.width :]
        logits: torch.Tensor = self.own(made)
        for block, (parts, first_row) in JUDGED_BY.items():
            first, size = TABLE[block].first, TABLE[block].size
            facts = torch.cat([rows_of(seen, name, first_row, size) for name in parts], dim=2)
            judged = (facts @ self.judges[block](made).unsqueeze(2)).squeeze(2)
            logits = logits + torch.nn.functional.pad(judged, (first, ACTIONS - first - judged.shape[1]))
        return logits


def facts_of(parts: tuple[str, ...]) -> int:
    """How many numbers the parts have for each of their rows."""
    return sum(PARTS_BY_NAME[name].row_width for name in parts)


def rows_of(seen: torch.Tensor, name: str, first: int, most: int) -> torch.Tensor:
    """(observations, rows, numbers) of a part, from the first row on and at most so many."""
    part = PARTS_BY_NAME[name]
    rows, begin = min(part.rows - first, most), STARTS[name] + first * part.row_width
    found: torch.Tensor = seen[:, begin : begin + rows * part.row_width].unflatten(1, (rows, part.row_width))
    return found


class HeadsPolicy(MaskableActorCriticPolicy):
    """Policy and value on a trunk that keeps what it was given."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        kept = int(np.prod(self.observation_space.shape or ()))
        self.action_net = SharedHeads(self.features_dim - kept)
        make_optimizer: Any = self.optimizer_class
        self.optimizer = make_optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


def policy_arguments(network: str, layers: tuple[int, ...]) -> dict[str, Any]:
    """What MaskablePPO is given for a network of this name."""
    keep = {"plain": False, "heads": True}[network]
    return {
        "policy": HeadsPolicy if keep else "MlpPolicy",
        "policy_kwargs": {
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"layers": layers, "keep": keep},
            "net_arch": [],
        },
    }


NETWORKS: Final = ("plain", "heads")

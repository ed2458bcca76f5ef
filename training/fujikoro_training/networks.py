"""Networks for the compact observation, for MaskablePPO of sb3-contrib.

`compact`: a trunk of dense layers shared by policy and value; every action has its own weights. `heads`: the same, with
additional heads shared by all actions of a kind. For example, the logit of `step(space)` also depends on what the
observation says about that space, with the same weights for every space; the same goes for places, cards, blueprints
and cells. Whatever is learned about one space applies to all.

`fujikoro_agents.policy.networks` computes the same networks without PyTorch, for playing.
"""

from itertools import pairwise
from typing import Any, Final

import numpy as np
import torch
from gymnasium import Space
from gymnasium.spaces import Discrete
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from fujikoro_agents.policy.networks import JUDGED_BY, facts_of, rows_of
from fujikoro_env.observation import observation_space
from fujikoro_env.rules.base.actions import ACTIONS, TABLE


class Trunk(BaseFeaturesExtractor):
    """Layers shared by policy and value. Nearly all the work is in the first layer, so two trunks would take twice as
    long. With `keep`, the input is appended to the output."""

    def __init__(self, observation_space: Space[Any], layers: tuple[int, ...], keep: bool = False) -> None:
        width = int(np.prod(observation_space.shape or ()))
        super().__init__(observation_space, layers[-1] + (width if keep else 0))
        parts = [(torch.nn.Linear(a, b), torch.nn.Tanh()) for a, b in pairwise([width, *layers])]
        self.layers = torch.nn.Sequential(*(part for pair in parts for part in pair))
        self.keep = keep

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """Compute the features."""
        made: torch.Tensor = self.layers(seen)
        return torch.cat((made, seen), dim=1) if self.keep else made


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
        logits: torch.Tensor = self.own(made)
        for block, (parts, first_row) in JUDGED_BY.items():
            first, size = TABLE[block].first, TABLE[block].size
            facts = torch.cat([rows_of(seen, name, first_row, size) for name in parts], dim=2)
            judged = (facts @ self.judges[block](made).unsqueeze(2)).squeeze(2)
            logits = logits + torch.nn.functional.pad(judged, (first, ACTIONS - first - judged.shape[1]))
        return logits


class HeadsPolicy(MaskableActorCriticPolicy):
    """Policy and value on a trunk that keeps its input."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        kept = int(np.prod(self.observation_space.shape or ()))
        self.action_net = SharedHeads(self.features_dim - kept)
        make_optimizer: Any = self.optimizer_class
        self.optimizer = make_optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


def policy_arguments(network: str, layers: tuple[int, ...]) -> dict[str, Any]:
    """Arguments of MaskablePPO for a network of this name."""
    keep = network == "heads"
    return {
        "policy": HeadsPolicy if keep else MaskableActorCriticPolicy,
        "policy_kwargs": {
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"layers": layers, "keep": keep},
            "net_arch": [],
        },
    }


def make_network(network: str, layers: tuple[int, ...]) -> MaskableActorCriticPolicy:
    """An untrained network, as MaskablePPO would make it."""
    made = policy_arguments(network, layers)
    space: Any = observation_space(NETWORKS[network])
    policy: MaskableActorCriticPolicy = made["policy"](space, Discrete(ACTIONS), lambda _: 0.0, **made["policy_kwargs"])
    return policy


NETWORKS: Final = {"compact": "compact", "heads": "compact"}  # observation that each kind reads

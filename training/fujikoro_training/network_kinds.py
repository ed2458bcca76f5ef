"""Kinds of networks by name. Apart from `networks`, so that recipes can be read and documented without PyTorch."""

from typing import Final

from fujikoro_agents.policy.digests import PLANS

# Kinds of networks, with the observation that each reads.
NETWORKS: Final = {"compact": "compact", "heads": "compact", "tensor": "tensor", PLANS: PLANS}

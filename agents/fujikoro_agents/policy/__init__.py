"""Trained policies: agents that play with them, and their files.

A policy file holds weights and a description, never code, so it is safe to read files of strangers. `load_policy` reads
one, `save_policy` writes one, and `Policy.answer` chooses actions for many games at once. `policy_of_model` makes a
policy of a MaskablePPO model, and `give_weights` does the opposite.
"""

from fujikoro_agents.policy.agent import PolicyAgent, Ppo, Pupil
from fujikoro_agents.policy.networks import Convolutions, Heads, Plain
from fujikoro_agents.policy.safe_file import PolicyError
from fujikoro_agents.policy.sb3_model import convert_model, give_weights, policy_of_model
from fujikoro_agents.policy.weights_file import (
    Head,
    Policy,
    load_policy,
    mean_policy,
    misfit,
    new_head,
    random_weights,
    read_head,
    save_policy,
)

__all__ = [
    "Convolutions",
    "Head",
    "Heads",
    "Plain",
    "Policy",
    "PolicyAgent",
    "PolicyError",
    "Ppo",
    "Pupil",
    "convert_model",
    "give_weights",
    "load_policy",
    "mean_policy",
    "misfit",
    "new_head",
    "policy_of_model",
    "random_weights",
    "read_head",
    "save_policy",
]

"""Trained policies of other games than Fuji Koro: dense layers on the compact observation, in a file without code.

The head of a file names its game and the digests of the tables of actions and observations that it was trained with.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.policy.answers import chances_of, chosen
from fujikoro_agents.policy.safe_file import PolicyError, check_finite, open_safely, write_safely
from fujikoro_env.kernel.agents import luck_of
from fujikoro_env.kernel.declared import DeclaredGame, find_game

KEY: Final = "fujikoro_game_policy"
FORMAT: Final = 1
OBSERVATION: Final = "compact"
LAYERS: Final = "features_extractor.layers."
OUTPUTS: Final = {"action_net": "actions", "value_net": "return"}
Arrays = Mapping[str, NDArray[Any]]


def save_game_policy(
    path: str | Path, game: DeclaredGame, pack: Any, state: Mapping[str, Any], training: Mapping[str, Any]
) -> None:
    """Write the network of a MaskablePPO model, given by its state."""
    head = {
        "format": FORMAT,
        **_digests(game),
        "content": str(pack),
        "content_digest": pack.digest,
        "training": dict(training),
    }
    weights = {ours: state[theirs].cpu().numpy().astype(np.float32) for theirs, ours in _names(state).items()}
    write_safely(path, weights, KEY, head)


def _digests(game: DeclaredGame) -> dict[str, str]:
    observed = game.observation_digest(OBSERVATION)
    return {"game": game.name, "action_digest": game.action_digest, "observation_digest": observed}


def _names(state: Mapping[str, Any]) -> dict[str, str]:
    """Names of the weights in a model, and in a file."""
    kinds = ("weight", "bias")
    layers = sorted({int(name.split(".")[2]) for name in state if name.startswith(LAYERS)})
    found = {f"{LAYERS}{layer}.{kind}": f"trunk.{k}.{kind}" for k, layer in enumerate(layers) for kind in kinds}
    return found | {f"{theirs}.{kind}": f"{ours}.{kind}" for theirs, ours in OUTPUTS.items() for kind in kinds}


@lru_cache(maxsize=8)
def read_game_policy(path: str, game: str) -> dict[str, NDArray[np.float32]]:
    """Read the weights of a policy of this game. A `PolicyError` says what is wrong."""
    with open_safely(path, KEY) as (head, file):
        for name, wanted in _digests(find_game(game)).items():
            if head.get(name) != wanted:
                raise PolicyError(f"policy {path}: its {name} is {str(head.get(name))[:40]!r}, here {wanted!r}")
        shapes = file.shapes()
        _check_shapes(path, shapes, find_game(game))
        weights = file.read()
    check_finite(path, weights)
    return weights


def _check_shapes(path: str, shapes: Mapping[str, tuple[int, ...]], game: DeclaredGame) -> None:
    width, layers = int(game.space(OBSERVATION).shape[0]), 0
    while f"trunk.{layers}.weight" in shapes:
        layers += 1
    wanted: dict[str, tuple[int, ...]] = {}
    for name in [f"trunk.{k}" for k in range(layers)]:
        out = shapes[f"{name}.weight"][0]
        wanted |= {f"{name}.weight": (out, width), f"{name}.bias": (out,)}
        width = out
    for name, out in (("actions", game.actions), ("return", 1)):
        wanted |= {f"{name}.weight": (out, width), f"{name}.bias": (out,)}
    if dict(shapes) != wanted:
        raise PolicyError(f"policy {path}: its arrays are not those of a network for {game.title}")


def judged(weights: Arrays, seen: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Logits of all actions and expected returns, a row for each observation."""
    k = 0
    while f"trunk.{k}.weight" in weights:
        seen = np.tanh(seen @ weights[f"trunk.{k}.weight"].T + weights[f"trunk.{k}.bias"])
        k += 1
    logits = seen @ weights["actions.weight"].T + weights["actions.bias"]
    return logits, (seen @ weights["return.weight"].T + weights["return.bias"])[:, 0]


class GamePolicyAgent:
    """Agent that samples its actions from a trained policy, or takes the most likely one if `greedy`."""

    game: str

    def __init__(self, path: str, greedy: bool = False) -> None:
        self._weights, self._greedy = read_game_policy(str(path), self.game), greedy
        self._luck = np.random.default_rng(0)
        self._said = ""

    def reset(self, seed: int, seat: int) -> None:
        """Start a new game."""
        self._luck, self._said = np.random.default_rng(luck_of(seed, seat)), ""

    def act(self, view: Any) -> int:
        """Choose a legal action."""
        seen = view.observe(view.actor, OBSERVATION)
        logits, values = judged(self._weights, seen[None])
        chances = chances_of(logits, view.legal_mask()[None])
        action = int(chosen(chances, None if self._greedy else self._luck.random(1))[0])
        self._said = f"{view.action_name(action)} {chances[0, action]:.0%}; expected return {float(values[0]):+.2f}"
        return action

    def explain(self) -> str:
        """The last action, its probability, and the expected return."""
        return self._said

    def batch_policy(self) -> "GameNetworkPolicy":
        """A policy that answers for many games at once, with random numbers of its own."""
        return GameNetworkPolicy(self._weights, self._greedy)


class GameNetworkPolicy:
    """A trained policy that answers for many games at once. One generator serves all games, so it does not play the
    same games as single agents."""

    def __init__(self, weights: Arrays, greedy: bool) -> None:
        self._weights, self._greedy = weights, greedy
        self._luck = np.random.default_rng(0)

    def act(self, games: Any, which: Any) -> NDArray[np.int64]:
        """Choose a legal action in each of the games `which` of a batch."""
        which = np.asarray(which, np.int64)
        logits, _ = judged(self._weights, games.observe_some(which, OBSERVATION))
        chances = chances_of(logits, games.masks[which])
        return chosen(chances, None if self._greedy else self._luck.random(len(which)))


class FujiPolicyAgent(GamePolicyAgent):
    """A trained policy for Fuji."""

    game = "fuji"

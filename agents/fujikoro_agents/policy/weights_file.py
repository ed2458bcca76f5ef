"""Policies as files of weights: one `.safetensors` file with a JSON head in its metadata. Reading it runs no code.

>>> import tempfile
>>> from fujikoro_agents.policy.networks import Plain
>>> from fujikoro_env import Game, Rules
>>> head = new_head(Plain(trunk=(8,)), Rules().pack, "compact", {"recipe": "none", "decisions": 0})
>>> file = Path(tempfile.mkdtemp()) / "model.safetensors"
>>> save_policy(file, random_weights(head, seed=1), head)
>>> policy, game = load_policy(file), Game(seed=7)
>>> seen, mask = game.observe(game.actor, "compact"), game.legal_mask()
>>> int(policy.answer(seen[None], mask[None])[0]) in game.legal_actions()
True

The head says which network it is, what it observes, the digests of the tables of actions and observations and of the
content that it was trained with, and how it was trained. A file whose tables are not those of this version is refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.policy.answers import chances_of, chosen
from fujikoro_agents.policy.blas import one_blas_thread
from fujikoro_agents.policy.digests import KINDS, PLANS, action_digest, observation_digest
from fujikoro_agents.policy.networks import Network, Observations, Weights, described, network_of
from fujikoro_agents.policy.safe_file import PolicyError, check_finite, open_safely, package_versions, write_safely
from fujikoro_env.content.model import Pack
from fujikoro_env.kernel.toml_tables import shown
from fujikoro_env.observation import checked_kind

FORMAT: Final = 1
KEY: Final = "fujikoro_policy"  # where the head is in the metadata


@dataclass(frozen=True)
class Head:
    """Description of a policy: everything but the weights. `new_head` fills in what this version determines."""

    network: Network
    observation: str  # kind
    observation_digest: str
    action_digest: str
    content: str  # name of the content pack
    content_digest: str
    training: Mapping[str, Any]  # how it was trained, as JSON: recipe, decisions, settings, seed
    versions: Mapping[str, str]  # of the packages that trained it
    format: int = FORMAT

    def to_json(self) -> dict[str, Any]:
        """The head as JSON."""
        return {**vars(self), "network": described(self.network)}


@dataclass(frozen=True)
class Policy:
    """A trained network. It keeps no state of a game, so any number of seats and games can share it."""

    head: Head
    weights: Weights

    @property
    def observation(self) -> str:
        """Kind of observation that it reads."""
        return self.head.observation

    @property
    def has_value(self) -> bool:
        """Whether the network was trained to predict returns, too."""
        return bool(np.any(self.weights["return.weight"]) or np.any(self.weights["return.bias"]))

    def judge(
        self, observations: Observations, masks: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Probabilities of the actions, (observations, ACTIONS), 0 where the mask is false; and expected returns."""
        with one_blas_thread(), np.errstate(over="ignore", invalid="ignore"):  # a file may hold weights of any size
            logits, values = self.head.network.judge(self.weights, observations)
        return chances_of(logits, masks), values.astype(np.float64)

    def answer(
        self, observations: Observations, masks: NDArray[np.bool_], luck: np.random.Generator | None = None
    ) -> NDArray[np.int64]:
        """A legal action for each observation: the most likely one, or drawn by its probability if there is `luck`."""
        return chosen(self.judge(observations, masks)[0], None if luck is None else luck.random(len(masks)))


def new_head(
    network: Network, pack: Pack, observation: str = "compact", training: Mapping[str, Any] | None = None
) -> Head:
    """Head of a network trained with this version and this content."""
    return Head(
        network,
        observation if observation == PLANS else checked_kind(observation),
        observation_digest(observation),
        action_digest(),
        pack.name,
        pack.digest,
        dict(training or {}),
        package_versions(),
    )


def random_weights(head: Head, seed: int, scale: float = 0.1) -> dict[str, NDArray[np.float32]]:
    """Weights of an untrained network."""
    luck = np.random.default_rng(seed)
    shapes = head.network.shapes(head.observation)
    return {name: luck.normal(0, scale, shape).astype(np.float32) for name, shape in shapes.items()}


def mean_policy(policies: Sequence[Policy]) -> Policy:
    """The mean of the weights of several policies with the same network, such as snapshots of one run: their noise
    cancels out in part. The head is that of the last one, and says how many there were."""
    if not policies:
        raise ValueError("there are no policies to average")
    first, last = policies[0].head, policies[-1].head
    for policy in policies:
        tables = (policy.head.network, policy.observation, policy.head.content_digest)
        if tables != (first.network, first.observation, first.content_digest):
            raise ValueError("policies of different networks, observations or content can't be averaged")
    weights: dict[str, Any] = {
        name: np.mean([policy.weights[name] for policy in policies], axis=0, dtype=np.float64).astype(np.float32)
        for name in policies[0].weights
    }
    training = {key: value for key, value in last.training.items() if key != "wins"}  # measured for one of them alone
    return Policy(replace(last, training={**training, "mean_of": len(policies)}), weights)


# Writing


def save_policy(path: str | Path, weights: Mapping[str, NDArray[Any]], head: Head) -> None:
    """Write a policy. The file is always the old or the new one, never a part of it. A PolicyError says which weights
    don't fit the head."""
    arrays = {name: np.ascontiguousarray(array, np.float32) for name, array in weights.items()}
    _check_head(path, head)
    _check_shapes(path, {name: array.shape for name, array in arrays.items()}, head)
    check_finite(path, arrays)
    write_safely(path, arrays, KEY, head.to_json())


# Reading


def load_policy(path: str | Path) -> Policy:
    """Read a policy and check it: sizes, network, shapes, types, numbers, tables. A PolicyError says what is wrong."""
    with open_safely(path, KEY) as (said, arrays):
        head = _head_of(path, said)
        _check_head(path, head)
        _check_shapes(path, arrays.shapes(), head)
        weights = arrays.read()
    check_finite(path, weights)
    return Policy(head, weights)


def read_head(path: str | Path) -> Head:
    """Read the head alone. Its tables may be others than those of this version."""
    with open_safely(path, KEY) as (said, _):
        return _head_of(path, said)


def _head_of(path: str | Path, said: Mapping[str, Any]) -> Head:
    """The head, with every entry of the right type."""
    try:
        return _checked_head(said)
    except ValueError as error:
        raise PolicyError(f"policy {path}: {error}") from None


def _checked_head(said: Mapping[str, Any]) -> Head:
    if said["format"] != FORMAT:
        raise ValueError(f"format {shown(said['format'])}; this version reads format {FORMAT}")
    names = list(Head.__dataclass_fields__)
    if sorted(said) != sorted(names):
        raise ValueError(f"the head has the entries {shown(sorted(said))}, not {', '.join(names)}")
    texts = ("observation", "observation_digest", "action_digest", "content", "content_digest")
    wrong = [name for name in texts if not isinstance(said[name], str)]
    wrong += [name for name in ("training", "versions") if not isinstance(said[name], dict)]
    if wrong:
        raise ValueError(f"the head has a wrong {wrong[0]}: {shown(said[wrong[0]])}")
    if said["observation"] not in KINDS:
        raise ValueError(f"observation {shown(said['observation'])}; allowed are {', '.join(KINDS)}")
    return Head(**{**said, "network": network_of(said["network"])})


# Checks for both


def misfit(head: Head) -> str:
    """Why a policy can't play with this version: it was trained with other tables. Empty if it can."""
    if head.action_digest != action_digest():
        return f"trained on another table of actions ({shown(head.action_digest)}, here {action_digest()})"
    here = observation_digest(head.observation)
    if head.observation_digest != here:
        what = f"{head.observation} observation ({shown(head.observation_digest)}, here {here})"
        return f"trained on another table of the {what}"
    if head.observation not in head.network.observations:
        allowed = " or ".join(head.network.observations)
        return f"network {head.network.kind} reads {allowed} observations, not {head.observation}"
    return ""


def _check_head(path: str | Path, head: Head) -> None:
    if reason := misfit(head):
        raise PolicyError(f"policy {path}: {reason}")


def _check_shapes(path: str | Path, found: Mapping[str, tuple[int, ...]], head: Head) -> None:
    wanted = head.network.shapes(head.observation)
    for name in sorted({*wanted, *found}):
        if found.get(name) != wanted.get(name):
            has, needs = found.get(name, "missing"), wanted.get(name, "no such weights")
            raise PolicyError(f"policy {path}: {shown(name)} is {shown(has)}; the network has {needs}")

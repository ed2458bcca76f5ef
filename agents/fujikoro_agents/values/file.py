"""Value networks as files: one `.safetensors` file with a JSON head in its metadata. Reading it runs no code.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp()) / "value.safetensors"
>>> save_value(path, random_value((8, 4), seed=1))
>>> load_value(path).layers
(8, 4)

The head has the sizes of the layers, the margin, a digest of the table of features, and how the network was trained. A
file for another table of features is refused.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.forward import packed
from fujikoro_agents.policy.safe_file import PolicyError, check_finite, open_safely, package_versions, write_safely
from fujikoro_agents.values.features import FEATURES_OF_PLAYER, FEATURES_OF_TABLE
from fujikoro_agents.values.network import INPUTS, MOST_UNITS, OUTPUTS
from fujikoro_env.kernel.toml_tables import shown

FORMAT: Final = 1
KEY: Final = "fujikoro_value"  # where the head is in the metadata
SHIPPED: Final = "sensei"  # name of the network that is part of the package
SHIPPED_FILE: Final = "sensei.safetensors"
MOST_MARGIN: Final = 100.0  # VP
USUAL_MARGIN: Final = 1.5
HIDDEN_LAYERS: Final = 2
Weights = Mapping[str, NDArray[np.float32]]  # by name: layer number, then weight (outputs, inputs) or bias


@dataclass(frozen=True)
class Value:
    """A value network."""

    layers: tuple[int, int]  # units of the hidden layers
    weights: Weights
    margin: float = USUAL_MARGIN  # VP by which an option of a turn must beat what the script would do
    training: Mapping[str, Any] = field(default_factory=dict)  # how it was trained, as JSON
    versions: Mapping[str, str] = field(default_factory=package_versions)  # of the packages that trained it

    def compiled(self, margin: float | None = None) -> NDArray[np.float32]:
        """The network as compiled code takes it (network.py), with another margin if one is given."""
        head = [*self.layers, self.margin if margin is None else margin]
        parts = [packed(self.weights[f"{k}.weight"], self.weights[f"{k}.bias"]) for k in range(HIDDEN_LAYERS + 1)]
        return np.concatenate([np.array(head, np.float32), *parts])


def shapes_of(layers: tuple[int, int]) -> dict[str, tuple[int, ...]]:
    """Shapes of all weights of a network."""
    found: dict[str, tuple[int, ...]] = {}
    for k, (inputs, outputs) in enumerate(pairwise((INPUTS, *layers, OUTPUTS))):
        found |= {f"{k}.weight": (outputs, inputs), f"{k}.bias": (outputs,)}
    return found


def random_value(layers: tuple[int, int], seed: int, scale: float = 0.05) -> Value:
    """An untrained network."""
    luck = np.random.default_rng(seed)
    shapes = shapes_of(layers).items()
    return Value(layers, {name: luck.normal(0, scale, shape).astype(np.float32) for name, shape in shapes})


def mean_of(networks: Sequence[Weights]) -> tuple[tuple[int, int], Weights]:
    """Layers and weights of the network whose outputs are the mean of those of some networks with equal layers: their
    units stand side by side."""
    count = len(networks)
    made: dict[str, NDArray[np.float32]] = {}
    made["0.weight"] = np.concatenate([weights["0.weight"] for weights in networks])
    made["1.weight"] = _beside([weights["1.weight"] for weights in networks])
    made["2.weight"] = np.concatenate([weights["2.weight"] / count for weights in networks], axis=1, dtype=np.float32)
    for name in ("0.bias", "1.bias"):
        made[name] = np.concatenate([weights[name] for weights in networks])
    made["2.bias"] = np.mean([weights["2.bias"] for weights in networks], axis=0).astype(np.float32)
    return (len(made["0.bias"]), len(made["1.bias"])), made


def _beside(blocks: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """A matrix with the blocks along its diagonal, and zeros elsewhere."""
    rows, columns = blocks[0].shape
    made = np.zeros((rows * len(blocks), columns * len(blocks)), np.float32)
    for k, block in enumerate(blocks):
        made[k * rows : (k + 1) * rows, k * columns : (k + 1) * columns] = block
    return made


def feature_digest() -> str:
    """Digest of the names of all features, in their order."""
    names = [feature.name for feature in (*FEATURES_OF_PLAYER, *FEATURES_OF_TABLE)]
    return hashlib.sha256(" ".join(names).encode()).hexdigest()[:16]


def save_value(path: str | Path, value: Value) -> None:
    """Write a network. The file is always the old or the new one, never a part of it."""
    head = {
        "format": FORMAT,
        "layers": list(value.layers),
        "margin": value.margin,
        "feature_digest": feature_digest(),
        "training": dict(value.training),
        "versions": dict(value.versions),
    }
    _check_shapes(path, {name: array.shape for name, array in value.weights.items()}, value.layers)
    check_finite(path, value.weights)
    write_safely(path, value.weights, KEY, head)


def load_value(path: str | Path) -> Value:
    """Read a network and check it. A PolicyError says in one line what is wrong."""
    with open_safely(path, KEY) as (said, arrays):
        value = _value_of(path, said)
        _check_shapes(path, arrays.shapes(), value.layers)
        weights = arrays.read()
    check_finite(path, weights)
    return Value(value.layers, weights, value.margin, value.training, value.versions)


def is_value_file(path: str | Path) -> bool:
    """Whether a file can be opened and has the head of a value network."""
    try:
        with open_safely(path, KEY):
            return True
    except PolicyError:
        return False


@lru_cache(maxsize=8)
def shipped_value() -> Value:
    """The network that is part of the package."""
    with as_file(files("fujikoro_agents.values").joinpath(SHIPPED_FILE)) as path:
        return load_value(path)


def known_value(name: str) -> Value:
    """The network of a file, or the shipped one by its name."""
    return shipped_value() if name == SHIPPED else load_value(name)


def network_of(path: str | None, margin: Any = None) -> NDArray[np.float32]:
    """The network of a file, or the shipped one, as compiled code takes it."""
    if margin is not None and not (isinstance(margin, int | float) and 0 <= margin <= MOST_MARGIN):
        raise PolicyError(f"margin={margin!r}: allowed are numbers from 0 to {MOST_MARGIN:g} VP")
    return (shipped_value() if path is None else load_value(path)).compiled(margin)


def _value_of(path: str | Path, said: Mapping[str, Any]) -> Value:
    """The head of a file, every entry checked; without weights."""
    names = ("format", "layers", "margin", "feature_digest", "training", "versions")
    if said.get("format") != FORMAT or sorted(said) != sorted(names):
        raise PolicyError(f"policy {path}: the head is not that of a value network of format {FORMAT}")
    layers, margin = said["layers"], said["margin"]
    are_units = isinstance(layers, list) and all(type(units) is int and 1 <= units <= MOST_UNITS for units in layers)
    if not are_units or len(layers) != HIDDEN_LAYERS:
        raise PolicyError(f"policy {path}: layers {shown(layers)}; allowed are two numbers from 1 to {MOST_UNITS}")
    if not isinstance(margin, int | float) or not 0 <= margin <= MOST_MARGIN:
        raise PolicyError(f"policy {path}: margin {shown(margin)}; allowed are numbers from 0 to {MOST_MARGIN:g}")
    if said["feature_digest"] != feature_digest():
        theirs, here = shown(said["feature_digest"]), feature_digest()
        raise PolicyError(f"policy {path}: trained on another table of features ({theirs}, here {here})")
    if not isinstance(said["training"], dict) or not isinstance(said["versions"], dict):
        raise PolicyError(f"policy {path}: training and versions must be objects")
    return Value((layers[0], layers[1]), {}, float(margin), said["training"], said["versions"])


def _check_shapes(path: str | Path, found: Mapping[str, tuple[int, ...]], layers: tuple[int, int]) -> None:
    wanted = shapes_of(layers)
    for name in sorted({*wanted, *found}):
        if found.get(name) != wanted.get(name):
            has, needs = found.get(name, "missing"), wanted.get(name, "no such weights")
            raise PolicyError(f"policy {path}: {shown(name)} is {shown(has)}; the network has {needs}")

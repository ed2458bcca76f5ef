"""Networks that a policy file can hold, computed with NumPy alone.

`plain`: dense layers. A trunk is shared by policy and value, then each may have layers of its own. This covers the
`MlpPolicy` and `MultiInputPolicy` of Stable-Baselines3. `heads`: a trunk on the compact observation, with additional
heads shared by all actions of a kind: the logit of `step(space)` also depends on what the observation says about that
space, with the same weights for every space. `convolutions`: convolutions over the map and the gear grids of the tensor
observation, then a trunk.

`plans`: scores the choices of the decision level `plans` (docs/plans.md).

A new kind is a class with the methods of `Network`, listed in `KINDS`. Its fields are lists of sizes, or one of the
`ACTIVATIONS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, ClassVar, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.plans import tables as plan_tables
from fujikoro_env.kernel.layout import Part
from fujikoro_env.kernel.toml_tables import shown
from fujikoro_env.observation import FIELDS
from fujikoro_env.observation.compact import PARTS, STARTS, WIDTH
from fujikoro_env.observation.fields import NUMBERS, PLANES
from fujikoro_env.rules.base.actions import ACTIONS, TABLE

Array = NDArray[np.float32]
Weights = Mapping[str, Array]
Shapes = dict[str, tuple[int, ...]]
Observations = Any  # rows of compact observations, or a dictionary of arrays with a row for each observation

MOST_LAYERS: Final = 16
MOST_WIDTH: Final = 1 << 14
ACTIVATIONS: Final[dict[str, Callable[[Array], Array]]] = {
    "tanh": np.tanh,
    "relu": lambda numbers: np.maximum(numbers, np.float32(0)),
}
GRIDS: Final = {part.name: part for part in PLANES}
PATTERN: Final = GRIDS["patterns"].width // GRIDS["patterns"].rows  # numbers in the pattern of a card
KERNEL: Final = 3  # width and height
LARGE: Final = 255  # bounds above it are not reached in play
USUAL: Final = 30  # size of a number without a real bound
MOST_SCALED: Final = 2.0
AT_ONCE: Final = 16  # observations whose pictures are convolved together, which takes memory
# Questions whose choices are scored together. NumPy multiplies larger matrices with several threads, which takes ten
# times as long on a busy machine, and gains nothing on a quiet one.
SCORED_AT_ONCE: Final = 16
PARTS_BY_NAME: Final = {part.name: part for part in PARTS}
# For each block of actions: the parts of the observation whose rows its head reads, and the first row.
JUDGED_BY: Final = {
    "step": (("ground", "loot", "frontier", "dragons"), 0),
    "place": (("places",), 0),
    "cell": (("cells",), 0),
    "build": (("cards",), 0),
    "card": (("cards",), 0),
    "blueprint": (("cards",), TABLE["card"].size),
}


class Network(Protocol):
    """Structure of a network. The weights are kept apart from it, by name."""

    kind: ClassVar[str]
    observations: ClassVar[tuple[str, ...]]  # kinds of observation that it can read

    def shapes(self, observation: str) -> Shapes:
        """Shape of each array of weights, for a kind of observation."""

    def judge(self, weights: Weights, observations: Observations) -> tuple[Array, Array]:
        """Logits of all actions, (observations, ACTIONS), and expected returns, (observations,)."""


@dataclass(frozen=True)
class Plain:
    """Dense layers, given by their widths: shared ones, then those of the policy and those of the value."""

    trunk: tuple[int, ...] = ()
    policy: tuple[int, ...] = ()
    value: tuple[int, ...] = ()
    activation: str = "tanh"

    kind: ClassVar[str] = "plain"
    observations: ClassVar[tuple[str, ...]] = ("compact", "tensor")

    def shapes(self, observation: str) -> Shapes:
        width = input_width(observation)
        shared = (width, *self.trunk)[-1]
        return {
            **_layer_shapes("trunk", width, self.trunk),
            **_layer_shapes("policy", shared, self.policy),
            **_layer_shapes("value", shared, self.value),
            **_dense_shapes("actions", (shared, *self.policy)[-1], ACTIONS),
            **_dense_shapes("return", (shared, *self.value)[-1], 1),
        }

    def judge(self, weights: Weights, observations: Observations) -> tuple[Array, Array]:
        shared = self._layers(weights, "trunk", self.trunk, flat(observations))
        logits = dense(weights, "actions", self._layers(weights, "policy", self.policy, shared))
        return logits, dense(weights, "return", self._layers(weights, "value", self.value, shared))[:, 0]

    def _layers(self, weights: Weights, name: str, widths: tuple[int, ...], given: Array) -> Array:
        return _layers(weights, name, len(widths), ACTIVATIONS[self.activation], given)


@dataclass(frozen=True)
class Heads:
    """A trunk of dense layers, with a logit of its own for every action plus heads shared by similar actions: weights
    chosen by the trunk are applied to the row of the observation that describes the action's space, place or card."""

    trunk: tuple[int, ...]

    kind: ClassVar[str] = "heads"
    observations: ClassVar[tuple[str, ...]] = ("compact",)

    def shapes(self, observation: str) -> Shapes:
        width = input_width(observation)
        found = _layer_shapes("trunk", width, self.trunk)
        shared = (width, *self.trunk)[-1]
        for block, (parts, _) in JUDGED_BY.items():
            found |= _dense_shapes(f"judge.{block}", shared, facts_of(parts))
        # The value also reads the observation itself, which the trunk passes on.
        return found | _dense_shapes("actions", shared, ACTIONS) | _dense_shapes("return", shared + width, 1)

    def judge(self, weights: Weights, observations: Observations) -> tuple[Array, Array]:
        seen = flat(observations)
        shared = _layers(weights, "trunk", len(self.trunk), np.tanh, seen)
        logits = dense(weights, "actions", shared)
        for block, (parts, first_row) in JUDGED_BY.items():
            first, size = TABLE[block].first, TABLE[block].size
            facts = np.concatenate([rows_of(seen, name, first_row, size) for name in parts], axis=2)
            judged = np.matmul(facts, dense(weights, f"judge.{block}", shared)[:, :, None])[:, :, 0]
            logits[:, first : first + judged.shape[1]] += judged
        return logits, dense(weights, "return", np.concatenate((shared, seen), axis=1))[:, 0]


@dataclass(frozen=True)
class Convolutions:
    """Convolutions with 3 x 3 kernels over the pictures of the tensor observation, given by their numbers of channels,
    then a trunk of dense layers that also reads all numbers.

    The map has layers of its own. All gear grids share their layers, and all patterns of cards share dense layers. The
    first convolution keeps the size of the picture, each further one halves it. Numbers are scaled first.
    """

    map: tuple[int, ...] = (16, 32, 32)
    gear: tuple[int, ...] = (8, 8)
    patterns: tuple[int, ...] = (8,)
    trunk: tuple[int, ...] = (256, 256)

    kind: ClassVar[str] = "convolutions"
    observations: ClassVar[tuple[str, ...]] = ("tensor",)

    def shapes(self, observation: str) -> Shapes:
        shared = (self.width, *self.trunk)[-1]
        return {
            **_convolution_shapes("map", GRIDS["map"].row_width, self.map),
            **_convolution_shapes("gear", GRIDS["gear"].row_width, self.gear),
            **_layer_shapes("patterns", PATTERN, self.patterns),
            **_layer_shapes("trunk", self.width, self.trunk),
            **_dense_shapes("actions", shared, ACTIONS),
            **_dense_shapes("return", shared, 1),
        }

    @property
    def width(self) -> int:
        """Count of numbers that the trunk reads."""
        pictures = sum(
            GRIDS[name].rows * channels_of(GRIDS[name], layers) * cells_after(GRIDS[name].grid, len(layers))
            for name, layers in (("map", self.map), ("gear", self.gear))
        )
        patterns = GRIDS["patterns"].rows * (PATTERN, *self.patterns)[-1]
        return pictures + patterns + sum(part.width for part in NUMBERS)

    def judge(self, weights: Weights, observations: Observations) -> tuple[Array, Array]:
        count = len(next(iter(observations.values())))
        seen = [
            self._features(weights, {name: part[first : first + AT_ONCE] for name, part in observations.items()})
            for first in range(0, count, AT_ONCE)
        ]
        shared = _layers(weights, "trunk", len(self.trunk), np.tanh, np.concatenate(seen))
        return dense(weights, "actions", shared), dense(weights, "return", shared)[:, 0]

    def _features(self, weights: Weights, observations: Observations) -> Array:
        """Numbers that the trunk reads."""
        seen = {part.name: scaled(part, observations[part.name]) for part in FIELDS}
        count = len(seen["map"])
        relu = ACTIVATIONS["relu"]
        pictures = _convolved(weights, "map", len(self.map), seen["map"])
        grids = _convolved(weights, "gear", len(self.gear), seen["gear"].reshape(-1, *seen["gear"].shape[2:]))
        patterns = _layers(weights, "patterns", len(self.patterns), relu, seen["patterns"].reshape(-1, PATTERN))
        parts = [pictures, grids, patterns, *(seen[part.name] for part in NUMBERS)]
        return np.concatenate([part.reshape(count, -1) for part in parts], axis=1)


@dataclass(frozen=True)
class Choices:
    """A network for the level `plans`: the same layers score every choice from its features and the summary of the
    position. The value is computed from the summary alone. `layers`: widths of two layers, the second of which joins
    choice and summary, and of further ones of the score."""

    layers: tuple[int, ...]
    activation: str = "tanh"

    kind: ClassVar[str] = "plans"
    observations: ClassVar[tuple[str, ...]] = ("plans",)

    def shapes(self, observation: str) -> Shapes:
        first, second, *more = self.layers
        return {
            **_dense_shapes("summary", plan_tables.SUMMARY_WIDTH, first),
            **_dense_shapes("context", first, second),
            **_dense_shapes("choice", plan_tables.WIDTH, second),
            **_layer_shapes("more", second, tuple(more)),
            **_dense_shapes("score", self.layers[-1], 1),
            "usual.weight": (1,),
            **_dense_shapes("value.0", plan_tables.SUMMARY_WIDTH, first),
            **_dense_shapes("value.1", first, second),
            **_dense_shapes("return", second, 1),
        }

    def judge(self, weights: Weights, observations: Observations) -> tuple[Array, Array]:
        choices, summary = observations["choices"], observations["summary"]
        starts = range(0, max(1, len(choices)), SCORED_AT_ONCE)
        parts = [slice(first, first + SCORED_AT_ONCE) for first in starts]
        judged = [self._judge_some(weights, choices[part], summary[part]) for part in parts]
        return np.concatenate([logits for logits, _ in judged]), np.concatenate([values for _, values in judged])

    def _judge_some(self, weights: Weights, choices: Array, summary: Array) -> tuple[Array, Array]:
        activation = ACTIVATIONS[self.activation]
        context = dense(weights, "context", activation(dense(weights, "summary", summary)))
        hidden = activation(dense(weights, "choice", choices) + context[:, None])
        logits = dense(weights, "score", _layers(weights, "more", len(self.layers) - 2, activation, hidden))[:, :, 0]
        logits += weights["usual.weight"] * choices[:, :, plan_tables.USUAL]
        return logits, dense(weights, "return", _layers(weights, "value", 2, activation, summary))[:, 0]


KINDS: Final[dict[str, Any]] = {network.kind: network for network in (Plain, Heads, Convolutions, Choices)}


# Description as JSON


def described(network: Network) -> dict[str, Any]:
    """The structure of a network as JSON: its kind and sizes."""
    sizes = {field.name: getattr(network, field.name) for field in fields(network)}  # type: ignore[arg-type]
    return {"kind": network.kind, **{name: list(v) if isinstance(v, tuple) else v for name, v in sizes.items()}}


def network_of(description: Any) -> Network:
    """The network with this description; a ValueError says what is wrong with it."""
    if not isinstance(description, dict) or description.get("kind") not in list(KINDS):
        raise ValueError(f"network {shown(description)}: known kinds are {', '.join(KINDS)}")
    kind = KINDS[description["kind"]]
    sizes = {name: value for name, value in description.items() if name != "kind"}
    names = [field.name for field in fields(kind)]
    if sorted(sizes) != sorted(names):
        raise ValueError(f"network {kind.kind}: its sizes are {', '.join(names)}, not {shown(list(sizes))}")
    network: Network = kind(**{name: _size(name, value) for name, value in sizes.items()})
    return network


def _size(name: str, value: Any) -> Any:
    if name == "activation":
        if value not in list(ACTIVATIONS):
            raise ValueError(f"network, activation {shown(value)}: allowed are {', '.join(ACTIVATIONS)}")
        return value
    if name == "layers" and (not isinstance(value, list) or len(value) < 2):
        raise ValueError(f"network, layers {shown(value)}: allowed are at least two widths")
    if not isinstance(value, list) or len(value) > MOST_LAYERS or not all(map(_is_width, value)):
        raise ValueError(
            f"network, {name} {shown(value)}: allowed are up to {MOST_LAYERS} widths from 1 to {MOST_WIDTH}"
        )
    return tuple(value)


def _is_width(value: Any) -> bool:
    return type(value) is int and 1 <= value <= MOST_WIDTH


# Layers


def input_width(observation: str) -> int:
    """Count of numbers in a flattened observation."""
    return WIDTH if observation == "compact" else sum(part.width for part in FIELDS)


def flat(observations: Observations) -> Array:
    """Observations as rows of numbers. The fields of tensors follow each other by name, as in Gymnasium's spaces."""
    if isinstance(observations, dict):
        parts = [observations[name] for name in sorted(observations)]
        return np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1, dtype=np.float32)
    return np.asarray(observations, np.float32)


def dense(weights: Weights, name: str, given: Array) -> Array:
    """A dense layer without activation."""
    made: Array = given @ weights[f"{name}.weight"].T
    made += weights[f"{name}.bias"]
    return made


def scales(part: Part) -> Array:
    """Factors that bring the numbers of a field to about -1 to 1, in the shape of the field."""
    return (1 / np.where(part.highs > LARGE, USUAL, part.highs)).astype(np.float32)


def scaled(part: Part, numbers: NDArray[Any]) -> Array:
    """The numbers of a field as a network reads them."""
    made: Array = np.clip(numbers * scales(part), np.float32(-MOST_SCALED), np.float32(MOST_SCALED))
    return made


def stride_of(layer: int) -> int:
    """Step of a convolution: the first keeps the size of the picture, each further one halves it."""
    return 1 if layer == 0 else 2


def cells_after(grid: tuple[int, ...], layers: int) -> int:
    """Cells of a picture after some convolutions."""
    for layer in range(layers):
        grid = tuple(-(-side // stride_of(layer)) for side in grid)
    return int(np.prod(grid))


def channels_of(part: Part, layers: tuple[int, ...]) -> int:
    """Pictures after some convolutions."""
    return (part.row_width, *layers)[-1]


def _convolved(weights: Weights, name: str, layers: int, pictures: Array) -> Array:
    for layer in range(layers):
        pictures = ACTIVATIONS["relu"](_convolution(weights, f"{name}.{layer}", pictures, stride_of(layer)))
    return pictures


def _convolution(weights: Weights, name: str, pictures: Array, stride: int) -> Array:
    """A convolution of pictures, (count, channels, height, width), with a border of zeros."""
    border = KERNEL // 2
    framed = np.pad(pictures, ((0, 0), (0, 0), (border, border), (border, border)))
    windows = np.lib.stride_tricks.sliding_window_view(framed, (KERNEL, KERNEL), (2, 3))[:, :, ::stride, ::stride]
    count, channels, height, width = windows.shape[:4]
    rows = windows.transpose(0, 2, 3, 1, 4, 5).reshape(-1, channels * KERNEL * KERNEL)
    kernels = weights[f"{name}.weight"]
    made = rows @ kernels.reshape(len(kernels), -1).T + weights[f"{name}.bias"]
    return made.reshape(count, height, width, -1).transpose(0, 3, 1, 2)


def _convolution_shapes(name: str, channels: int, layers: tuple[int, ...]) -> Shapes:
    found: Shapes = {}
    for layer, (inputs, outputs) in enumerate(pairwise((channels, *layers))):
        found |= {f"{name}.{layer}.weight": (outputs, inputs, KERNEL, KERNEL), f"{name}.{layer}.bias": (outputs,)}
    return found


def facts_of(parts: tuple[str, ...]) -> int:
    """Number of values that the parts have per row."""
    return sum(PARTS_BY_NAME[name].row_width for name in parts)


def rows_of(seen: Any, name: str, first: int, most: int) -> Any:
    """Rows of a part of compact observations, (observations, rows, values), from row `first` on and at most `most`.
    `seen` is an array or a PyTorch tensor; the result is a view of it."""
    part = PARTS_BY_NAME[name]
    rows, begin = min(part.rows - first, most), STARTS[name] + first * part.row_width
    return seen[:, begin : begin + rows * part.row_width].reshape(len(seen), rows, part.row_width)


def _layers(weights: Weights, name: str, count: int, activation: Callable[[Array], Array], given: Array) -> Array:
    for layer in range(count):
        given = activation(dense(weights, f"{name}.{layer}", given))
    return given


def _layer_shapes(name: str, width: int, widths: tuple[int, ...]) -> Shapes:
    found: Shapes = {}
    for layer, (inputs, outputs) in enumerate(pairwise((width, *widths))):
        found |= _dense_shapes(f"{name}.{layer}", inputs, outputs)
    return found


def _dense_shapes(name: str, inputs: int, outputs: int) -> Shapes:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}

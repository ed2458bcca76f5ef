"""Models of Stable-Baselines3 (MaskablePPO of sb3-contrib): playing and converting them.

Such a file holds pickled Python objects, so reading it can run any code. It is read only on the caller's word that its
origin is trusted. `policy_of_model` takes the weights out of a model, for `save_policy`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.plans.level import Plans
from fujikoro_agents.plans.tables import CHOICES
from fujikoro_agents.policy.answers import chances_of, chosen
from fujikoro_agents.policy.digests import KINDS, PLANS
from fujikoro_agents.policy.networks import (
    JUDGED_BY,
    Choices,
    Convolutions,
    Heads,
    Network,
    Observations,
    Plain,
    described,
)
from fujikoro_agents.policy.safe_file import PolicyError, stat_of
from fujikoro_agents.policy.weights_file import Policy, new_head, save_policy
from fujikoro_env.content.model import Pack
from fujikoro_env.envs.levels import level_spaces
from fujikoro_env.observation import observation_space
from fujikoro_env.rules.base.actions import ACTIONS

ZIP: Final = b"PK"  # how a zip archive begins
LAYER: Final = re.compile(
    r"(features_extractor\.(?:layers|map|gear|patterns)|mlp_extractor\.(?:policy|value)_net)\.(\d+)\.(weight|bias)"
)
PICTURES: Final = ("map", "gear", "patterns")
PARTS: Final = {
    **{f"features_extractor.{part}": part for part in PICTURES},
    "features_extractor.layers": "trunk",
    "mlp_extractor.policy_net": "policy",
    "mlp_extractor.value_net": "value",
}
OUTPUTS: Final = {"action_net": "actions", "action_net.own": "actions", "value_net": "return"}
JUDGES: Final = {f"action_net.judges.{block}": f"judge.{block}" for block in JUDGED_BY}
COPIES: Final = ("pi_features_extractor.", "vf_features_extractor.")  # SB3 lists a shared extractor three times
PROBES: Final = 4  # observations on which a converted network is compared with its origin
CLOSE: Final = 1e-3


def is_archive(path: str | Path) -> bool:
    """Whether the file is a zip archive, as models of Stable-Baselines3 are. Nothing but its first bytes is read."""
    stat_of(path)
    try:
        with Path(path).open("rb") as file:
            return file.read(len(ZIP)) == ZIP
    except OSError as error:
        raise PolicyError(f"policy {path}: {error.strerror}") from None


@dataclass(frozen=True)
class Sb3Policy:
    """A model that plays by way of PyTorch, so that networks of any structure can play."""

    model: Any
    observation: str
    has_value: bool = True  # whether it has learned to expect returns

    def judge(
        self, observations: Observations, masks: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Probabilities of the actions, (observations, ACTIONS), 0 where the mask is false; and expected returns."""
        logits, values = _judged_by(self.model, observations)
        return chances_of(logits, masks), values.astype(np.float64)

    def answer(
        self, observations: Observations, masks: NDArray[np.bool_], luck: np.random.Generator | None = None
    ) -> NDArray[np.int64]:
        """A legal action for each observation: the most likely one, or drawn by its probability if there is `luck`."""
        return chosen(self.judge(observations, masks)[0], None if luck is None else luck.random(len(masks)))


def load_model(path: str | Path, trust: bool) -> Sb3Policy:
    """Read a model, which runs whatever code is in the file. Without `trust` it is refused."""
    if not trust:
        raise PolicyError(
            f"policy {path}: a model of Stable-Baselines3 can run code when it is read. If you trust its origin, play "
            f"policy:{path}:trust=true, or make it safe once: fujikoro policy convert {path} OUT --trust"
        )
    try:
        import torch
        from sb3_contrib import MaskablePPO
    except ModuleNotFoundError as error:
        raise PolicyError(f"policy {path}: needs {error.name}: pip install 'fujikoro_env[train]'") from None
    torch.set_num_threads(1)  # one decision is too little work for several threads
    try:
        with Path(path).open("rb") as file:
            model = MaskablePPO.load(file, device="cpu")
    except Exception as error:  # a damaged file fails in many ways
        raise PolicyError(f"policy {path}: not a MaskablePPO model ({type(error).__name__}: {error})") from None
    model.policy.set_training_mode(False)
    try:
        return Sb3Policy(model, _observation_of(model))
    except ValueError as error:
        raise PolicyError(f"policy {path}: {error}") from None


def policy_of_model(model: Any, pack: Pack, training: Mapping[str, Any] | None = None) -> Policy:
    """Take the network of a MaskablePPO model as a policy that NumPy can compute. The model was trained with the
    content of `pack`. A ValueError says why a network can't be converted."""
    network, names = _network_of(model)
    state = model.policy.state_dict()
    weights = {ours: state[theirs].cpu().numpy().astype(np.float32) for theirs, ours in names.items()}
    policy = Policy(new_head(network, pack, _observation_of(model), training), weights)
    _compare(policy, model)
    return policy


def give_weights(model: Any, policy: Policy) -> None:
    """Give a MaskablePPO model the weights of a policy, so that it can go on learning. A ValueError says why the policy
    does not fit: the model must have the same network."""
    import torch

    network, names = _network_of(model)
    if policy.head.network != network:
        raise ValueError(f"its network is {described(policy.head.network)}, not {described(network)}")
    weights = {theirs: torch.from_numpy(policy.weights[ours].copy()) for theirs, ours in names.items()}
    model.policy.load_state_dict(weights, strict=False)  # the names that are missing are those of copies


def convert_model(path: str | Path, out: str | Path, trust: bool, pack: Pack) -> Policy:
    """Write the network of a model, which was trained with the content of `pack`, as a policy file."""
    if not is_archive(path):
        raise PolicyError(f"policy {path}: not a model of Stable-Baselines3, which is a zip archive")
    model = load_model(path, trust).model
    try:
        policy = policy_of_model(model, pack, {"recipe": "MaskablePPO", "decisions": int(model.num_timesteps)})
    except ValueError as error:
        raise PolicyError(f"policy {path}: {error}") from None
    save_policy(out, policy.weights, policy.head)
    return policy


def _observation_of(model: Any) -> str:
    """The kind of observation that the model was trained on."""
    for kind in KINDS:
        choices = CHOICES if kind == PLANS else ACTIONS
        if _shapes(_space(kind)) == _shapes(model.observation_space) and model.action_space.n == choices:
            return kind
    raise ValueError("trained on observations or actions of another version")


def _space(kind: str) -> Any:
    if kind != PLANS:
        return observation_space(kind)
    from gymnasium.spaces import Dict

    return Dict(level_spaces(Plans()))


def _shapes(space: Any) -> Any:
    return {name: part.shape for name, part in space.items()} if hasattr(space, "items") else space.shape


def _network_of(model: Any) -> tuple[Network, dict[str, str]]:
    """The structure of a model's network, and our name for each of its arrays."""
    if _observation_of(model) == PLANS:
        return _plan_network(model.policy.state_dict())
    names: dict[str, str] = {}
    widths: dict[str, list[int]] = {part: [] for part in PARTS.values()}
    for theirs, array in model.policy.state_dict().items():
        if theirs.startswith(COPIES):
            continue
        if found := LAYER.fullmatch(theirs):
            part, what = PARTS[found[1]], found[3]
            widths[part] += [len(array)] if what == "weight" else []
            names[theirs] = f"{part}.{len(widths[part]) - 1}.{what}"
            continue
        layer, _, what = theirs.rpartition(".")
        if layer not in {**OUTPUTS, **JUDGES}:
            raise ValueError(f"its network has {theirs!r}, which no kind of network in policy files has")
        names[theirs] = f"{ {**OUTPUTS, **JUDGES}[layer] }.{what}"
    if "judge." in " ".join(names.values()):
        return Heads(tuple(widths["trunk"])), names
    if any(widths[part] for part in PICTURES):
        return Convolutions(*(tuple(widths[part]) for part in (*PICTURES, "trunk"))), names
    activation = model.policy.activation_fn.__name__.lower()
    trunk, policy, value = (tuple(widths[part]) for part in ("trunk", "policy", "value"))
    return Plain(trunk, policy, value, activation), names


def _plan_network(state: Mapping[str, Any]) -> tuple[Network, dict[str, str]]:
    """The same for a network that scores plans."""
    names = {name: name.partition(".")[2] for name in state if name.startswith(("action_net.", "value_net."))}
    try:
        more = [layer for layer in sorted(names.values()) if layer.startswith("more.") and layer.endswith(".weight")]
        layers = ("summary.weight", "context.weight", *more)
        return Choices(tuple(len(state[f"action_net.{layer}"]) for layer in layers)), names
    except KeyError:
        raise ValueError("its network is not one that scores plans") from None


def _compare(policy: Policy, model: Any) -> None:
    """Compare a converted network with its origin on random observations: an equal list of weights is no proof."""
    space = _space(policy.observation)
    space.seed(0)
    drawn = [space.sample() for _ in range(PROBES)]
    seen: Any = (
        {name: np.stack([one[name] for one in drawn]) for name in drawn[0]} if isinstance(drawn[0], dict) else None
    )
    seen = np.stack(drawn) if seen is None else seen
    try:
        logits, values = policy.head.network.judge(policy.weights, seen)
    except (KeyError, ValueError) as error:
        raise ValueError(f"its network can't be computed as {policy.head.network}: {error}") from None
    wanted, returns = _judged_by(model, seen)
    if not (_close(_centred(logits), _centred(wanted)) and _close(values, returns)):
        raise ValueError(f"its network answers differently from {policy.head.network}")


def _centred(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Logits mean the same when all are shifted."""
    shifted: NDArray[np.float32] = logits - logits.mean(axis=1, keepdims=True)
    return shifted


def _close(found: NDArray[np.float32], wanted: NDArray[np.float32]) -> bool:
    return bool(np.allclose(found, wanted, rtol=CLOSE, atol=CLOSE * max(1.0, float(np.abs(wanted).max()))))


def _judged_by(model: Any, observations: Observations) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Logits and expected returns by PyTorch."""
    import torch

    with torch.no_grad():
        seen, _ = model.policy.obs_to_tensor(observations)
        logits = model.policy.get_distribution(seen).distribution.logits
        return logits.cpu().numpy(), model.policy.predict_values(seen)[:, 0].cpu().numpy()

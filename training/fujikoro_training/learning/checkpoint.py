"""Checkpoints of a run: everything needed to go on exactly as without a break, in one file without code.

The file holds arrays (weights, the optimizer's state, games, past selves, random generators) and a JSON head with the
recipe, counters and the curve so far. It is written beside the old one, then renamed.
"""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from fujikoro_agents.policy.digests import action_digest, observation_digest
from fujikoro_env.envs.batch import generator_bytes, restore_generator
from fujikoro_env.envs.seats import part_of
from fujikoro_env.kernel.declared import THIS_GAME, find_game
from fujikoro_env.kernel.text import one_line
from fujikoro_training.learning.games import LearningGames
from fujikoro_training.learning.opponents import Pool
from fujikoro_training.learning.ppo import SeatPPO
from fujikoro_training.learning.progress import checked_progress
from fujikoro_training.learning.recipe import Recipe, RecipeError, recipe_of

FILE: Final = "checkpoint.safetensors"
KEY: Final = "fujikoro"
FORMAT: Final = 1


class CheckpointError(ValueError):
    """Raised for a checkpoint that can't be used. The message is one line that says why."""


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that was read."""

    recipe: Recipe
    said: dict[str, Any]  # the head
    arrays: dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Parts:
    """The parts of a run that change."""

    model: SeatPPO
    games: LearningGames
    pool: Pool


# --- writing --------------------------------------------------------------------------------------------------------


def write_checkpoint(folder: Path, recipe: Recipe, parts: Parts, progress: dict[str, Any]) -> None:
    """Write a checkpoint into the folder of a run. `progress`: counters and the curve, as JSON."""
    optimizer = parts.model.policy.optimizer.state_dict()["state"]
    said = {
        "format": FORMAT,
        **digests(recipe),
        "content_digests": content_digests(recipe),
        "recipe": {"name": recipe.name, **recipe.to_json()},
        "decisions": parts.model.num_timesteps,
        "updates": parts.model.updates,
        "past": parts.pool.added,
        "progress": progress,
    }
    beside = folder / f".{FILE}"
    save_file(_arrays(parts, optimizer), beside, {KEY: json.dumps(said)})
    beside.replace(folder / FILE)


def _arrays(parts: Parts, state: dict[int, dict[str, torch.Tensor]]) -> dict[str, NDArray[Any]]:
    named = {
        "network": {name: part.numpy() for name, part in parts.model.policy.state_dict().items()},
        "optimizer": {f"{k}.{name}": part.numpy() for k, of in state.items() for name, part in of.items()},
        "pool": parts.pool.snapshot(),
        "games": parts.games.snapshot(),
        "teacher": parts.model.teacher.snapshot() if parts.model.teacher is not None else {},
        "luck": {
            "torch": torch.get_rng_state().numpy(),
            "shuffling": generator_bytes(parts.model.rollout_buffer.luck),
        },
    }
    return {
        f"{part}.{name}": np.ascontiguousarray(array)
        for part, arrays in named.items()
        for name, array in arrays.items()
    }


def digests(recipe: Recipe) -> dict[str, str]:
    """Digests of the tables of the game that the network reads and answers with."""
    kind, game = recipe.network.observation, find_game(recipe.game)
    if recipe.game == THIS_GAME:
        return {"action_digest": action_digest(), "observation_digest": observation_digest(kind)}
    return {"action_digest": game.action_digest, "observation_digest": game.observation_digest(kind)}


def content_digests(recipe: Recipe) -> list[str]:
    """Digests of the content of each kind of games."""
    return [kind.make_rules().pack.digest for kind in recipe.games]


# --- reading --------------------------------------------------------------------------------------------------------


def refuse_without_checkpoint(folder: Path) -> None:
    """Refuse a folder that has no run to go on with."""
    if not (folder / FILE).is_file():
        raise CheckpointError(f"{folder}: there is no {FILE}")


def read_checkpoint(folder: Path) -> Checkpoint:
    """Read the checkpoint of a run. One of other tables is refused."""
    path = folder / FILE
    refuse_without_checkpoint(folder)
    try:
        with safe_open(str(path), "numpy") as file:
            said = json.loads((file.metadata() or {}).get(KEY, "{}"))
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - the file is not a dictionary
    except (OSError, SafetensorError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{path}: not a checkpoint ({error})") from None
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise CheckpointError(f"{path}: not a checkpoint of format {FORMAT}")
    try:
        named = dict(said["recipe"])
        recipe = recipe_of(str(named.pop("name")), named)
    except (KeyError, TypeError, ValueError, RecipeError) as error:
        raise CheckpointError(f"{path}: its recipe can't be used: {one_line(str(error))}") from None
    try:
        said["progress"] = checked_progress(said.get("progress"))
    except ValueError as error:
        raise CheckpointError(f"{path}: its progress can't be used: {error}") from None
    _check_tables(path, said, recipe)
    return Checkpoint(recipe, said, arrays)


def _check_tables(path: Path, said: dict[str, Any], recipe: Recipe) -> None:
    kind = recipe.network.observation
    for what, here in digests(recipe).items():
        if said.get(what) != here:
            table = "actions" if what == "action_digest" else f"the {kind} observation"
            raise CheckpointError(f"{path}: trained on another table of {table} ({said.get(what)}, here {here})")


def other_content(found: Checkpoint) -> str:
    """What to say about content that has changed since the checkpoint; empty if it has not."""
    if found.said.get("content_digests") == content_digests(found.recipe):
        return ""
    return "the content has changed since the checkpoint; its games are dealt anew"


def restore_run(found: Checkpoint, parts: Parts) -> None:
    """Bring the parts of a run to the state of a checkpoint. With other content, games are dealt anew."""
    model, said, arrays = parts.model, found.said, found.arrays
    try:
        model.policy.load_state_dict(_tensors(part_of(arrays, "network.")))
        optimizer = model.policy.optimizer
        state = optimizer_state(arrays, list(model.policy.parameters()))
        groups = optimizer.state_dict()["param_groups"]  # the learning rate in it is set before each update
        optimizer.load_state_dict({"state": state, "param_groups": groups})
        model.num_timesteps, model.updates = int(said["decisions"]), int(said["updates"])
        parts.pool.restore(part_of(arrays, "pool."), int(said["past"]))
        if not other_content(found):
            parts.games.restore(part_of(arrays, "games."))
            if model.teacher is not None:
                model.teacher.restore(part_of(arrays, "teacher."))
        torch.set_rng_state(torch.from_numpy(arrays["luck.torch"]))
        restore_generator(model.rollout_buffer.luck, arrays["luck.shuffling"])
    except (KeyError, ValueError, RuntimeError, TypeError, AttributeError, IndexError, OverflowError) as error:
        reason = " ".join(str(error).split())
        raise CheckpointError(f"the checkpoint does not fit its recipe ({reason[:200]})") from None


def _tensors(arrays: dict[str, NDArray[Any]]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def optimizer_state(
    arrays: dict[str, NDArray[Any]], parameters: list[torch.nn.Parameter]
) -> dict[int, dict[str, torch.Tensor]]:
    """The state of Adam; empty before the first update."""
    parts = _tensors(part_of(arrays, "optimizer."))
    if not parts:
        return {}
    state: dict[int, dict[str, torch.Tensor]] = {}
    for place, parameter in enumerate(parameters):
        shapes = {"step": (1,), "exp_avg": tuple(parameter.shape), "exp_avg_sq": tuple(parameter.shape)}
        state[place] = {name: parts[f"{place}.{name}"] for name in shapes}
        for name, shape in shapes.items():
            least = -math.inf if name == "exp_avg" else 0
            _check_state(f"optimizer.{place}.{name}", state[place][name], shape, least)
    return state


def _check_state(name: str, found: torch.Tensor, shape: tuple[int, ...], least: float) -> None:
    """Adam computes with whatever it is given, and fails far from here or spoils the network."""
    if found.dtype != torch.float32 or tuple(found.shape) != shape:
        raise ValueError(f"{name}: {found.dtype} of shape {tuple(found.shape)}, expected float32 of {shape}")
    if not bool((torch.isfinite(found) & (found >= least)).all()):
        raise ValueError(f"{name}: numbers that can't be")

"""A training run: `train(recipe, folder)`, and `resume(folder)` after a break.

The folder of a run has `recipe.json`, `curve.jsonl` (a line for each evaluation), `evaluation_games.jsonl` (some
games of each), `checkpoint.safetensors`, `policy.safetensors` (plays as `policy:FILE`), and `tensorboard/`.
"""

import json
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final, Protocol

import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from fujikoro_agents.policy import give_weights, load_policy, policy_of_model, save_policy
from fujikoro_agents.policy.agent import warn_of_content
from fujikoro_agents.policy.of_game import save_game_policy
from fujikoro_env.kernel.declared import THIS_GAME, find_game
from fujikoro_training.evaluation_games import FILE as GAMES
from fujikoro_training.evaluation_games import keeper_of
from fujikoro_training.learning.checkpoint import (
    FILE,
    Checkpoint,
    CheckpointError,
    Parts,
    other_content,
    read_checkpoint,
    refuse_without_checkpoint,
    restore_run,
    write_checkpoint,
)
from fujikoro_training.learning.folder import RECIPE, locked, new_folder, write_recipe
from fujikoro_training.learning.games import LearningGames, seated_games
from fujikoro_training.learning.imitation import Teacher
from fujikoro_training.learning.opponents import Pool, Seats, TorchPolicy, counts
from fujikoro_training.learning.ppo import SeatPPO
from fujikoro_training.learning.progress import Row
from fujikoro_training.learning.recipe import Pair, Recipe, RecipeError
from fujikoro_training.learning.rollouts import Collector, PastSelves, weights_of
from fujikoro_training.matches import ITSELF, play_match
from fujikoro_training.networks import make_network, policy_arguments
from fujikoro_training.timing import Stopwatch

POLICY: Final = "policy.safetensors"
CURVE: Final = "curve.jsonl"
WITHOUT_CHECKPOINT: Final = (RECIPE, CURVE, f".{CURVE}", f".{FILE}", GAMES, "tensorboard")  # of a run that was killed
TUNING: Final = "tuning.json"  # in the folder of a search for better settings


class Planned(Protocol):
    """A recipe of any learner."""

    @property
    def decisions(self) -> int:
        """Number of decisions of the whole run."""


@dataclass
class Status:
    """State of a running training, for display."""

    recipe: Planned
    decisions: int = 0
    speed: float | None = None  # decisions per second, without evaluations; None before the first update
    entropy: float | None = None
    kl: float | None = None
    row: Row | None = None  # an evaluation that has just been made


Show = Callable[[Status], None]
MakeCollector = Callable[[Recipe], AbstractContextManager[Collector]]


@dataclass(frozen=True)
class Trained:
    """The result of a run: its curve, shares of time, and whether it is finished."""

    curve: list[Row]
    shares: dict[str, float]
    seconds: float
    finished: bool


def train(
    recipe: Recipe,
    folder: Path,
    show: Show = lambda status: None,
    callbacks: Sequence[BaseCallback] = (),
    collector: MakeCollector | None = None,
) -> Trained:
    """Train a network by a recipe, in a new folder. `show` is called after every update and evaluation; what it raises
    ends the run. `callbacks`: further callbacks of Stable-Baselines3, which may read but not change the run.
    `collector`: who plays the games, if not this process."""
    if (folder / FILE).exists():
        raise CheckpointError(f"{folder} has a checkpoint already: resume it, or choose another folder")
    said = json.dumps({"name": recipe.name, **recipe.to_json()}, indent=1)
    with new_folder(folder, WITHOUT_CHECKPOINT if _has_text(folder / RECIPE, said) else ()):
        write_recipe(folder, said)
        return _run(recipe, folder, None, show, callbacks, collector)


def _has_text(path: Path, text: str) -> bool:
    try:
        return path.read_text() == text
    except (OSError, ValueError):
        return False


def resume(
    folder: Path,
    show: Show = lambda status: None,
    warn: Callable[[str], None] = print,
    callbacks: Sequence[BaseCallback] = (),
    collector: MakeCollector | None = None,
) -> Trained:
    """Go on with the run in a folder from its last checkpoint."""
    refuse_without_checkpoint(folder)
    with locked(folder):
        found = read_checkpoint(folder)
        if reason := other_content(found):
            warn(reason)
        return _run(found.recipe, folder, found, show, callbacks, collector)


def _run(
    recipe: Recipe,
    folder: Path,
    found: Checkpoint | None,
    show: Show,
    callbacks: Sequence[BaseCallback],
    collector: MakeCollector | None,
) -> Trained:
    watch = Stopwatch()
    parts = make_parts(recipe, watch)
    parts.model.set_logger(configure(str(folder / "tensorboard"), ["tensorboard"]))
    keeper = Keeper(recipe, folder, parts, watch, show)
    if found is None:
        start_from_file(recipe, parts)
    else:
        restore_run(found, parts)
        keeper.restore(found.said["progress"])
    try:
        with _collected_by(collector, recipe, parts), _stopped_by_signals(parts.model):
            left = max(0, recipe.decisions - parts.model.num_timesteps)
            parts.model.learn(left, callback=[keeper, *callbacks], reset_num_timesteps=False)
        keeper.finish()
    finally:
        parts.games.close()
        parts.model.logger.close()
    return Trained(keeper.curve, watch.shares(), keeper.seconds, keeper.finished)


@contextmanager
def _collected_by(make: MakeCollector | None, recipe: Recipe, parts: Parts) -> Iterator[None]:
    """Let a collector play the games, if there is one. Each call sends it the current weights with a new version."""
    if make is None:
        yield
        return
    versions = count()
    with make(recipe) as collector:

        def remote() -> list[dict[str, Any]]:
            weights = weights_of(parts.model, next(versions), parts.games.shaping)
            found = collector.collect(weights, PastSelves(parts.pool.added, parts.pool.snapshot()))
            parts.model.logger.record("rollouts/weights", weights.version)
            parts.model.logger.record("rollouts/collectors", len(found))
            return [rollout.columns for rollout in found]

        parts.model.remote = remote
        yield


def make_parts(recipe: Recipe, watch: Stopwatch) -> Parts:
    """Deal the games and make the network of a run."""
    torch.set_num_threads(1)  # two threads are slower on a machine that is also doing other work
    torch.distributions.Distribution.set_default_validate_args(False)
    learning, network = recipe.learning, recipe.network
    sizes = counts([kind.share for kind in recipe.games], learning.games)
    torch.manual_seed(recipe.seed)
    untrained = make_network(network.kind, network.layers, network.usual, recipe.game)
    pool = Pool(untrained, network.observation, recipe.league.size, recipe.seed)
    kinds = [(kind, Seats(kind, n, pool)) for kind, n in zip(recipe.games, sizes, strict=True)]
    games = LearningGames(
        seated_games(kinds, sizes, network.observation, learning.reward, recipe.seed), network.observation, recipe.game
    )
    games.timer = watch
    model = SeatPPO(
        env=games,
        timer=watch,
        learning_rate=_learning_rate(recipe),
        n_steps=learning.steps,
        batch_size=learning.batch,
        n_epochs=learning.epochs,
        gamma=learning.gamma,
        gae_lambda=learning.gae_lambda,
        clip_range=learning.clip,
        ent_coef=learning.entropy[0],
        target_kl=learning.target_kl,
        seed=recipe.seed,
        device="cpu",
        **policy_arguments(network.kind, network.layers, network.usual),
    )
    if recipe.imitation.decisions:
        model.teacher = Teacher(recipe.imitation, games, recipe.seed)
    return Parts(model, games, pool)


def start_from_file(recipe: Recipe, parts: Parts) -> None:
    """Give the network and all past selves the weights of the policy file that the recipe names, if it names one."""
    path = recipe.network.start
    if not path:
        return
    policy = load_policy(path)
    warn_of_content(path, policy, recipe.games[0].make_rules().pack)
    try:
        give_weights(parts.model, policy)
    except ValueError as error:
        raise RecipeError(f"network.start={path!r}: {error}") from None
    for _ in parts.pool.policies:
        parts.pool.add(parts.model.policy)


def _learning_rate(recipe: Recipe) -> Callable[[float], float]:
    """The learning rate of PPO, as a function of the share of the whole run that is left."""
    of = _schedule(recipe.learning.learning_rate)
    return lambda left: of(recipe.improvement_left(round((1 - left) * recipe.decisions)))


def _schedule(values: Pair) -> Callable[[float], float]:
    """A value that changes linearly from the first to the last, as a function of the share that is left."""
    first, last = values
    return lambda left: last + left * (first - last)


@contextmanager
def _stopped_by_signals(model: SeatPPO) -> Iterator[None]:
    """Let the first interrupt or termination signal end the run after the current update; a second one ends it at
    once."""

    def stop(number: int, frame: Any) -> None:
        model.stop = True
        signal.signal(number, signal.default_int_handler)

    try:
        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    except ValueError:  # not in the main thread, so signals go elsewhere
        before = {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Keeper(BaseCallback):
    """Callback that changes the scheduled values, evaluates the network, adds past selves, and writes checkpoints. All
    of it happens between an update and the next collection of data."""

    def __init__(self, recipe: Recipe, folder: Path, parts: Parts, watch: Stopwatch, show: Show) -> None:
        super().__init__()
        self.recipe, self.folder, self.parts, self.watch, self.show = recipe, folder, parts, watch, show
        self.curve: list[Row] = []
        self.finished = False
        self.next = {"evaluation": 0, "past": recipe.league.every, "checkpoint": recipe.checkpoints.every}
        self._before, self._began = 0.0, time.monotonic()  # seconds of earlier sessions; start of this one
        self._last = (0, self._began)  # decisions and time at the start of the last collection of data
        self._speed: float | None = None

    @property
    def seconds(self) -> float:
        """Seconds of the run so far, breaks excluded."""
        return self._before + time.monotonic() - self._began

    def restore(self, progress: dict[str, Any]) -> None:
        """Go on from the progress of a checkpoint."""
        self.curve, self._before = list(progress["curve"]), float(progress["seconds"])
        self.next |= progress["next"]
        self._last = (self.parts.model.num_timesteps, time.monotonic())
        self._write_curve()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        decisions, learning = self.parts.model.num_timesteps, self.recipe.learning
        if decisions > self._last[0]:
            self._speed = (decisions - self._last[0]) / max(1e-9, time.monotonic() - self._last[1])
        if self._is_due("evaluation", self.recipe.evaluation.every):
            self.evaluate(self.recipe.evaluation.games)
        if self._is_due("past", self.recipe.league.every):
            self.parts.pool.add(self.parts.model.policy)
        if self._is_due("checkpoint", self.recipe.checkpoints.every) or self.parts.model.stop:
            self.write()
        left = self.recipe.improvement_left(decisions)
        self.parts.model.ent_coef = _schedule(learning.entropy)(left)
        self.parts.games.shaping = _schedule(learning.shaping)(left)
        self._show()
        self._last = (decisions, time.monotonic())

    def _is_due(self, what: str, every: int) -> bool:
        decisions = self.parts.model.num_timesteps
        if decisions < self.next[what]:
            return False
        self.next[what] = (decisions // every + 1) * every
        return True

    def evaluate(self, games: int) -> None:
        """Play the evaluation matches and add a row to the curve."""
        model, network = self.parts.model, self.recipe.network
        row: Row = {
            "decisions": model.num_timesteps,
            "seconds": round(self.seconds, 1),
            **self._learned(),
            "matches": [],
        }
        with self.watch("evaluation"):
            for kind in self.recipe.games:
                rules = kind.make_rules()
                batches = find_game(kind.game).batch_class
                for opponent in [ITSELF] if kind.is_team else self.recipe.evaluation.opponents:
                    policy = TorchPolicy(model.policy, network.observation, self.recipe.evaluation.seed)
                    keep = keeper_of(self.folder, model.num_timesteps, opponent, kind.label, rules, kind.game)
                    seed = self.recipe.evaluation.seed
                    match = play_match(policy, opponent, rules, games, seed, batches, keep)
                    row["matches"].append({"games of": kind.label, **asdict(match)})
                    model.logger.record(f"wins/{opponent}, {kind.label}", match.share)
        self.curve.append(row)
        self._write_curve()
        self._show(row)

    def _learned(self) -> dict[str, float]:
        """Numbers of the last update."""
        names = {"entropy": "entropy_loss", "kl": "approx_kl", "explained": "explained_variance"}
        values = self.parts.model.logger.name_to_value
        found = {
            ours: float(values[f"train/{theirs}"]) for ours, theirs in names.items() if f"train/{theirs}" in values
        }
        if "entropy" in found:
            found["entropy"] = -found["entropy"]
        return {name: round(value, 6) for name, value in found.items()}

    def _show(self, row: Row | None = None) -> None:
        learned = self._learned()
        decisions = self.parts.model.num_timesteps
        self.show(Status(self.recipe, decisions, self._speed, learned.get("entropy"), learned.get("kl"), row))

    def _write_curve(self) -> None:
        text = "".join(json.dumps(row) + "\n" for row in self.curve)
        beside = self.folder / f".{CURVE}"
        beside.write_text(text)
        beside.replace(self.folder / CURVE)

    def write(self) -> None:
        """Write a checkpoint and the policy."""
        with self.watch("checkpoints"):
            progress = {"curve": self.curve, "next": self.next, "seconds": self.seconds}
            write_checkpoint(self.folder, self.recipe, self.parts, progress)
            self._write_policy()

    def _write_policy(self) -> None:
        model, recipe = self.parts.model, self.recipe
        facts = {"recipe": recipe.name, "decisions": model.num_timesteps, "settings": recipe.to_json()}
        if self.curve:
            facts["wins"] = {
                f"{match['opponent']}, {match['games of']}": round(match["share"], 4)
                for match in self.curve[-1]["matches"]
            }
        pack = recipe.games[0].make_rules().pack
        if recipe.game != THIS_GAME:
            save_game_policy(self.folder / POLICY, find_game(recipe.game), pack, model.policy.state_dict(), facts)
            return
        policy = policy_of_model(model, pack, facts)
        save_policy(self.folder / POLICY, policy.weights, policy.head)

    def finish(self) -> None:
        """After the last update: evaluate with more games, and write everything. An interrupted run has been written
        already."""
        if self.parts.model.num_timesteps < self.recipe.decisions:
            return
        if not self.curve or self.curve[-1].get("games") != "final":
            self.evaluate(self.recipe.evaluation.final_games)
            self.curve[-1]["games"] = "final"
            self._write_curve()
        self.write()
        self.finished = True

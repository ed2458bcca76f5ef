"""A learnability probe: what a small network learns of the game in half an hour against random players.

    python -m fujikoro_training.probe --minutes 30 --games 256 --players 4 --out runs/probe

MaskablePPO on the compact observation, one learning seat, random players in the others. A fixed panel of games is
played before, during and after; the results go to the folder `--out`: results.json, tables.md, curve.svg, policy.zip.
training/RESULTS.md has the results.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from fujikoro_env.rules.base.actions import TABLE
from fujikoro_env.settings import Rules
from fujikoro_training.evaluation import Policy, play_evaluation_games
from fujikoro_training.networks import NETWORKS, policy_arguments
from fujikoro_training.one_seat import OneSeatVecEnv, without
from fujikoro_training.probe_report import draw_curve, write_tables

EVALUATION_SEED = 12345  # the same games in every run
FOREVER = 1 << 40


@dataclass(frozen=True)
class Settings:
    """Numbers of a run. Pairs fall evenly from the first to the second over its time."""

    minutes: float = 30.0
    games: int = 256
    players: int = 4
    steps: int = 64  # decisions of each game between two updates
    batch: int = 1024
    epochs: int = 2
    learning_rate: tuple[float, float] = (2.5e-4, 0.0)
    entropy: tuple[float, float] = (0.02, 0.005)
    shaping: tuple[float, float] = (1.0, 0.25)
    gamma: float = 0.999
    gae_lambda: float = 0.95
    target_kl: float = 0.03
    network: str = "plain"  # or "heads": see fujikoro_training.networks
    layers: tuple[int, ...] = (256, 256)
    panel: int = 600  # games before and after
    small_panel: int = 100  # games during the run
    every: float = 3.0  # minutes between two of those
    seed: int = 0
    forbidden: tuple[str, ...] = ()  # blocks of actions that the learner must not use


class Clock:
    """Minutes of learning; panels are not counted."""

    def __init__(self, minutes: float) -> None:
        self.limit, self.spent = minutes, 0.0
        self._since: float | None = None  # None while it stands still

    def pause(self) -> None:
        self.spent, self._since = self.minutes, None

    def go_on(self) -> None:
        self._since = time.monotonic()

    @property
    def minutes(self) -> float:
        return self.spent + (0.0 if self._since is None else (time.monotonic() - self._since) / 60)

    def now(self, pair: tuple[float, float]) -> float:
        """A number that falls from the first to the second of a pair over the time of the run."""
        share = min(1.0, self.minutes / self.limit)
        return pair[0] + share * (pair[1] - pair[0])


class Watch(BaseCallback):
    """Lets numbers fall with the time, plays the small panel now and then, and ends the run when its time is up."""

    def __init__(self, settings: Settings, clock: Clock, measure: Callable[[], dict[str, Any]]) -> None:
        super().__init__()
        self.settings, self.clock, self.measure = settings, clock, measure
        self.curve: list[dict[str, Any]] = []
        self._next = settings.every

    def _on_rollout_start(self) -> None:
        # The numbers of the last update are in the logger now.
        if self.clock.minutes >= self._next:
            self._next += self.settings.every
            self.measure_now()
        cast(Any, self.model).ent_coef = self.clock.now(self.settings.entropy)
        self.training_env.set_attr("shaping", self.clock.now(self.settings.shaping))

    def measure_now(self) -> None:
        self.clock.pause()
        row = {"minutes": self.clock.spent, "learned": self.num_timesteps, **self.measure(), **self._learning()}
        self.curve.append(row)
        self.clock.go_on()
        print(_line(row), flush=True)

    def _learning(self) -> dict[str, float]:
        logged = self.model.logger.name_to_value
        names = ("entropy_loss", "explained_variance", "approx_kl", "value_loss", "n_updates")
        return {name: float(logged[f"train/{name}"]) for name in names if f"train/{name}" in logged}

    def _on_step(self) -> bool:
        return self.clock.minutes < self.clock.limit


def _line(row: dict[str, Any]) -> str:
    events = row["events"]
    cards, beaten = events["gear cards owned"][1], events["dragons beaten"][1]
    return (
        f"{row['minutes']:5.1f} min {row['learned']:>9,} decisions: win share {row['win share']:.3f}, "
        f"VP {row['vp'][1]:.1f} against {row['vp'][0]:.1f}, gear cards {cards:.2f}, dragons {beaten:.2f}, "
        f"{row['decisions a game']:.0f} decisions a game"
    )


def as_policy(model: MaskablePPO, greedy: bool, forbidden: tuple[str, ...] = ()) -> Policy:
    def choose(seen: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        allowed = without(masks, forbidden)
        return np.asarray(model.predict(seen, action_masks=allowed, deterministic=greedy)[0], np.int64)

    return choose


def make_model(settings: Settings, clock: Clock) -> MaskablePPO:
    torch.set_num_threads(1)  # two threads are slower on a machine that does other things too
    torch.manual_seed(settings.seed)
    torch.distributions.Distribution.set_default_validate_args(False)
    env = OneSeatVecEnv(
        settings.games, settings.seed, reward="win", forbidden=settings.forbidden, players=settings.players
    )
    return MaskablePPO(
        env=env,
        learning_rate=lambda _: clock.now(settings.learning_rate),
        n_steps=settings.steps,
        batch_size=settings.batch,
        n_epochs=settings.epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        ent_coef=settings.entropy[0],
        target_kl=settings.target_kl,
        seed=settings.seed,
        device="cpu",
        **policy_arguments(settings.network, settings.layers),
    )


def run(settings: Settings, out: Path) -> dict[str, Any]:
    out.mkdir(parents=True, exist_ok=True)
    rules = Rules(settings.players)
    clock = Clock(settings.minutes)
    model = make_model(settings, clock)

    def measure(games: int, greedy: bool) -> dict[str, Any]:
        found = play_evaluation_games(rules, games, EVALUATION_SEED, as_policy(model, greedy, settings.forbidden))
        return {**found, "decisions a game": found["decisions"][1]}

    results: dict[str, Any] = {"settings": asdict(settings), "torch": torch.__version__}
    results["random"] = play_evaluation_games(rules, settings.panel, EVALUATION_SEED, None)
    results["untrained"] = measure(settings.small_panel, False)
    watch = Watch(settings, clock, lambda: measure(settings.small_panel, False))
    clock.go_on()
    began = time.process_time()
    model.learn(FOREVER, callback=watch)
    results["CPU minutes"] = (time.process_time() - began) / 60
    watch.measure_now()
    model.save(out / "policy.zip")
    results["curve"] = watch.curve
    results["decisions learned from"] = model.num_timesteps
    results["sampled"] = measure(settings.panel, False)
    results["greedy"] = measure(settings.panel, True)
    (out / "results.json").write_text(json.dumps(results, indent=1))
    write_tables(results, out / "tables.md")
    draw_curve(results, out / "curve.svg")
    return results


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fujikoro_training.probe", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--minutes", type=float, default=Settings.minutes, help="of learning (%(default)s)")
    parser.add_argument("--games", type=int, default=Settings.games, help="side by side (%(default)s)")
    parser.add_argument("--players", type=int, default=Settings.players, help="2 to 6 (%(default)s)")
    parser.add_argument("--panel", type=int, default=Settings.panel, help="games before and after (%(default)s)")
    parser.add_argument("--network", choices=NETWORKS, default=Settings.network, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=Settings.seed, help="of games and network (%(default)s)")
    parser.add_argument(
        "--without",
        nargs="+",
        default=[],
        choices=list(TABLE),
        metavar="BLOCK",
        help="actions it may not use",
    )
    parser.add_argument("--out", type=Path, default=Path("runs/probe"), help="folder for the results (%(default)s)")
    given = parser.parse_args(arguments)
    settings = Settings(
        minutes=given.minutes,
        games=given.games,
        players=given.players,
        panel=given.panel,
        small_panel=min(given.panel, Settings.small_panel),
        every=max(0.5, given.minutes / 10),
        seed=given.seed,
        network=given.network,
        forbidden=tuple(given.without),
    )
    run(settings, given.out)
    print(f"written to {given.out}: results.json, tables.md, curve.svg, policy.zip")
    return 0


if __name__ == "__main__":
    sys.exit(main())

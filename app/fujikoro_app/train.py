"""The command `fujikoro train`: runs a recipe and shows how it goes."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, Self

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from fujikoro_agents.policy import PolicyError
from fujikoro_env.kernel.declared import THIS_GAME, UnknownGameError
from fujikoro_training.learners import read_any_recipe
from fujikoro_training.learning.checkpoint import CheckpointError
from fujikoro_training.learning.folder import FolderError
from fujikoro_training.learning.progress import Row
from fujikoro_training.learning.recipe import Recipe, RecipeError, shipped_recipes
from fujikoro_training.learning.rollouts import Collector
from fujikoro_training.learning.run import CURVE, POLICY, TUNING, MakeCollector, Status, Trained, resume, train
from fujikoro_training.matches import ITSELF
from fujikoro_training.pupil.recipe import PupilRecipe
from fujikoro_training.pupil.run import is_pupil_run, resume_pupil, train_pupil
from fujikoro_training.values.recipe import ValueRecipe
from fujikoro_training.values.run import VALUE, is_value_run, resume_value, train_value
from fujikoro_training.workers.job import WorkerError

LEARNER: Final = ("update", "forward pass")  # parts of a run that are the learner's own
SHOWN_ROWS: Final = 12  # of the live table
BAR_WIDTH: Final = 60  # columns
Run = Callable[["View"], Trained]
PREPARING: Final = "dealing the games, and playing the first evaluation ..."


class TrainError(Exception):
    """What is wrong with what the user typed, or with a file."""


def trained(args: argparse.Namespace) -> bool:
    """Run the command. Returns whether the run came to its end."""
    with one_line_errors():
        check_options(args)
        if args.trials is not None:
            raise TrainError("--trials is for --tune, or to continue a search")
        return _shown_run(args)


def usual_recipe(game: str) -> str:
    """The recipe of a game, which has its name."""
    if game not in shipped_recipes():
        raise TrainError(f"--game {game}: there is no recipe of this name; give a RECIPE")
    return game


def is_search(args: argparse.Namespace) -> bool:
    """Whether the command is about a search for better settings, `--tune`, instead of a single run."""
    return args.tune or (args.resume is not None and (Path(args.resume) / TUNING).is_file())


def check_options(args: argparse.Namespace) -> None:
    """Refuse options that don't go together."""
    if args.game is not None and args.recipe is None and args.resume is None:
        args.recipe = usual_recipe(args.game)
    if args.recipe is not None and args.resume is not None:
        raise TrainError("--resume FOLDER continues with the recipe of that run: leave out RECIPE")
    if args.recipe is None and args.resume is None:
        raise TrainError(
            "give a RECIPE (a TOML file, small, ppo, plans, pupil, value or fuji), or --resume FOLDER to continue a run"
        )
    if args.resume is not None and (args.set or args.out or args.tune):
        raise TrainError("--resume continues with the recipe and folder of the run: leave out --set, --out and --tune")
    if args.actors is not None and args.cluster is None:
        raise TrainError("--actors is for --cluster")
    if args.cluster is not None and is_search(args):
        raise TrainError("--cluster is for single runs: leave out --tune")


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn errors about recipes, checkpoints and files into errors of the command."""
    try:
        yield
    except (RecipeError, CheckpointError, FolderError, PolicyError, UnknownGameError, WorkerError) as error:
        raise TrainError(str(error)) from None
    except OSError as error:
        raise TrainError(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)) from None


def _shown_run(args: argparse.Namespace) -> bool:
    with ExitStack() as stack:
        view = View(Console(file=sys.stderr))
        collector = _on_cluster(args, stack, view.say)
        if args.resume is not None:
            folder = Path(args.resume)
            run = _resumed(folder, collector)
            if has_ended(folder):
                view.say(f"{folder}: this run has reached its end; nothing is left to learn")
        else:
            run, folder = _begun(args, collector)
        with view:
            found = run(view)
    _report(found, folder, args)
    return found.finished


def has_ended(folder: Path) -> bool:
    """Whether the last evaluation of a run has been played."""
    try:
        last = (folder / CURVE).read_text(encoding="utf-8").splitlines()[-1]
        return bool(json.loads(last).get("games") == "final")
    except (OSError, ValueError, IndexError, AttributeError, RecursionError):
        return False


def _on_cluster(args: argparse.Namespace, stack: ExitStack, say: Callable[[str], None]) -> MakeCollector | None:
    """The actors of a cluster that play the games, or None if the learner plays them itself."""
    if args.cluster is None:
        return None
    from fujikoro_training.learning.actors import RolloutActors  # Ray is an extra
    from fujikoro_training.workers.cluster import Cluster

    stack.enter_context(Cluster(args.cluster))

    def make(recipe: Recipe) -> AbstractContextManager[Collector]:
        return RolloutActors(recipe, args.actors, say)

    return make


def _resumed(folder: Path, collector: MakeCollector | None) -> Run:
    if is_value_run(folder):
        _refuse_for_others(collector)
        return lambda view: resume_value(folder, view)
    if is_pupil_run(folder):
        _refuse_for_others(collector)
        return lambda view: resume_pupil(folder, view)
    return lambda view: resume(folder, view, view.say, collector=collector)


def _begun(args: argparse.Namespace, collector: MakeCollector | None) -> tuple[Run, Path]:
    """A new run by a recipe, and its folder."""
    recipe = read_any_recipe(args.recipe, args.set)
    played = recipe.game if isinstance(recipe, Recipe) else THIS_GAME
    if args.game not in (None, played):
        raise TrainError(f"--game {args.game}: the recipe {recipe.name} is for {played}")
    folder = Path(args.out or f"runs/train-{recipe.name}-{recipe.seed}")
    if isinstance(recipe, ValueRecipe):
        _refuse_for_others(collector)
        return lambda view: train_value(recipe, folder, view), folder
    if isinstance(recipe, PupilRecipe):
        _refuse_for_others(collector)
        return lambda view: train_pupil(recipe, folder, view), folder
    return lambda view: train(recipe, folder, view, collector=collector), folder


def _refuse_for_others(collector: MakeCollector | None) -> None:
    if collector is not None:
        raise TrainError("--cluster is for learning by PPO: values and pupils are trained on this machine")


def _report(found: Trained, folder: Path, args: argparse.Namespace) -> None:
    if args.json:
        said = {"folder": str(folder), "finished": found.finished, "curve": found.curve, "shares": found.shares}
        print(json.dumps(said))
        return
    if args.profile:
        print(profile_text(found))
    if found.finished:
        kind, file = ("value", VALUE) if is_value_run(folder) else ("policy", POLICY)  # names of agents
        print(f"written to {folder}: {file} plays as {kind}:{folder / file}")
    else:
        print(f"interrupted; the run is in {folder}; to continue it: fujikoro train --resume {folder}")


def profile_text(found: Trained) -> str:
    """How the time of a run was spent, and what part of it was spent outside the learner."""
    lines = [f"{name:<14}{share:7.1%}" for name, share in found.shares.items()]
    outside = 1 - sum(found.shares.get(name, 0.0) for name in LEARNER)
    return "\n".join(
        [f"{found.seconds:.0f} s, of which", *lines, f"outside the learner ({', '.join(LEARNER)}): {outside:.1%}"]
    )


class LiveView:
    """A live display on a terminal, from `with` to its end; elsewhere subclasses print lines."""

    def __init__(self, console: Console, first: str = "") -> None:
        self._console = console
        self._live = Live(first, console=console, auto_refresh=False) if console.is_terminal else None

    def __enter__(self) -> Self:
        if self._live:
            self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()


class View(LiveView):
    """Shows a running training: a live table on a terminal, otherwise a line for each evaluation."""

    def __init__(self, console: Console) -> None:
        super().__init__(console, PREPARING)
        self._rows: list[Row] = []

    def say(self, text: str) -> None:
        """Print a line above the table."""
        self._console.print(text, highlight=False, soft_wrap=True)

    def __call__(self, status: Status) -> None:
        if status.row is not None:
            self._rows.append(status.row)
        if self._live:
            self._live.update(Group(rows_table(self._rows[-SHOWN_ROWS:]), progress_lines(status)), refresh=True)
        elif status.row is not None:
            self.say(row_line(status.row))


def progress_lines(status: Status) -> Table:
    """A bar, and the numbers below it."""
    planned = status.recipe.decisions
    lines = Table.grid()
    lines.add_row(ProgressBar(planned, min(status.decisions, planned), width=BAR_WIDTH))
    lines.add_row(Text(status_line(status)))
    return lines


def status_line(status: Status) -> str:
    """Progress of the run, in one line."""
    numbers = {"{:,.0f} per second": status.speed, "entropy {:.2f}": status.entropy, "KL {:.4f}": status.kl}
    known = [shape.format(number) for shape, number in numbers.items() if number is not None]
    said = [f"{status.decisions:,} of {status.recipe.decisions:,} decisions", *known]
    left = status.recipe.decisions - status.decisions
    if status.speed and left > 0:
        said.append(f"about {duration(left / status.speed)} left")
    return ", ".join(said)


def duration(seconds: float) -> str:
    """A rough duration in words: 40 s, 12 min, 3.5 h."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def row_line(row: Row) -> str:
    """One evaluation, in one line."""
    wins = "; ".join(f"{_wins(match)} {_met(match)} ({match['games of']})" for match in row["matches"])
    return f"{row['decisions']:,} decisions, {row['seconds']:.0f} s: won {wins}"


def _met(match: Mapping[str, Any]) -> str:
    """Opponent of a match, in words. In games that players win together, the agent plays all seats."""
    return "with itself" if match["opponent"] == ITSELF else f"against {match['opponent']}"


def rows_table(rows: list[Row]) -> Table:
    """Evaluations as a table."""
    title = "% of games won, 95 % intervals"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    matches: list[Any] = rows[-1]["matches"] if rows else []
    heads = [f"{match['opponent']}\n{match['games of']}" for match in matches]
    for head in ("decisions", "seconds", "entropy", "KL", *heads):
        table.add_column(head, justify="right")
    for row in rows:
        numbers = [f"{row[name]:.{digits}f}" if name in row else "" for name, digits in (("entropy", 2), ("kl", 4))]
        wins = [_short_wins(match) for match in row["matches"]]
        table.add_row(f"{row['decisions']:,}", f"{row['seconds']:.0f}", *numbers, *wins)
    return table


def _wins(match: dict[str, Any]) -> str:
    return f"{match['share']:.1%} ({match['low']:.1%} to {match['high']:.1%})"


def _short_wins(match: dict[str, Any]) -> str:
    value, low, high = (100 * match[name] for name in ("share", "low", "high"))
    return f"{value:.1f} ({low:.0f}-{high:.0f})"

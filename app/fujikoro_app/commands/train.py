"""`fujikoro train`: networks, by recipes."""

import argparse
from typing import Any

from fujikoro_app.commands.agents import find_modules_here
from fujikoro_app.commands.argument_types import at_least_one
from fujikoro_app.commands.errors import INTERRUPTED, OK, UsageError
from fujikoro_app.commands.options import add_cluster, add_json
from fujikoro_app.commands.parser import add_command


def add(commands: Any) -> None:
    example = "train small --out runs/first --set decisions=200_000"
    what = "train a network by self-play and against other agents"
    parser = add_command(commands, "train", what, example, run)
    parser.add_argument(
        "recipe", nargs="?", metavar="RECIPE", help="a TOML file, or small (minutes), value, pupil, plans, ppo (hours)"
    )
    parser.add_argument("--out", metavar="FOLDER", help="where the run is written (runs/train-...)")
    parser.add_argument("--resume", metavar="FOLDER", help="continue the run, or the search, in this folder")
    parser.add_argument("--tune", action="store_true", help="search for better settings, one run for each trial")
    parser.add_argument("--trials", type=at_least_one, metavar="N", help="trials of --tune (20, or by the recipe)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="change the recipe: learning.batch=512"
    )
    parser.add_argument("--profile", action="store_true", help="print how the time was spent")
    add_cluster(parser)
    parser.add_argument(
        "--actors", type=at_least_one, metavar="N", help="with --cluster: actors that play games (one for each CPU)"
    )
    parser.add_argument("--game", metavar="NAME", help="the recipe's game; without a recipe, its own one")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    find_modules_here()
    try:
        from fujikoro_app.train import TrainError, is_search, trained
    except ModuleNotFoundError as error:
        raise UsageError(f"train needs {error.name}: pip install 'fujikoro_env[train]'") from None
    try:
        finished = _tuned(args) if is_search(args) else trained(args)
    except TrainError as error:
        raise UsageError(str(error)) from None
    return OK if finished else INTERRUPTED


def _tuned(args: argparse.Namespace) -> bool:
    try:
        from fujikoro_app.tuning import tuned
    except ModuleNotFoundError as error:
        raise UsageError(f"--tune needs {error.name}: pip install 'fujikoro_env[train,tune]'") from None
    return tuned(args)

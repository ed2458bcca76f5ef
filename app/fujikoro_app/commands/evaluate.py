"""`fujikoro evaluate`: the frozen benchmark."""

import argparse
from typing import Any

from fujikoro_app.commands.agents import find_modules_here
from fujikoro_app.commands.argument_types import at_least_one, option_pair, seed_number
from fujikoro_app.commands.errors import OK, UsageError
from fujikoro_app.commands.options import THIS_GAME, add_game, add_json, add_workers
from fujikoro_app.commands.other_game import run_other_game
from fujikoro_app.commands.parser import add_command


def add(commands: Any) -> None:
    example = "evaluate runner --protocol v0"
    what = "measure an agent with the frozen benchmark, so that results compare"
    parser = add_command(commands, "evaluate", what, example, run)
    parser.add_argument("agent", metavar="AGENT", help="name of the agent, such as runner or mcts:iterations=64")
    parser.add_argument("--protocol", default="v0", metavar="NAME", help="which games are played (v0)")
    parser.add_argument("--series", metavar="NAMES", help="only these series, separated by commas (all)")
    parser.add_argument("--quick", action="store_true", help="a small trial on other seeds; not a result")
    add_workers(parser, "--jobs", "number of processes (all cores)")
    parser.add_argument(
        "--out", metavar="FOLDER", help="output folder; continues an evaluation there (runs/evaluate-...)"
    )
    add_json(parser)
    group = parser.add_argument_group("other games", "win rates of a team, by the settings of the games")
    add_game(group)
    group.add_argument(
        "--vary", action="append", default=[], metavar="NAME=V,V", help="all values of a setting: level=1,2,3,4"
    )
    group.add_argument("--games", type=at_least_one, default=200, metavar="N", help="of each combination (200)")
    group.add_argument("--seed", type=seed_number, default=0, metavar="S", help="seed of the first game (0)")
    group.add_argument(
        "--option", type=option_pair, action="append", default=[], metavar="NAME=VALUE", help="a setting"
    )


def run(args: argparse.Namespace) -> int:
    if args.game != THIS_GAME:
        return run_other_game(args, "evaluation", "series", "quick", "jobs", "out")
    find_modules_here()
    try:
        from fujikoro_app.evaluate import EvaluateError, evaluated
    except ModuleNotFoundError as error:
        raise UsageError(f"evaluate needs {error.name}: pip install 'fujikoro_env[tournament]'") from None
    try:
        print(evaluated(args))
    except EvaluateError as error:
        raise UsageError(str(error)) from None
    return OK

"""`fujikoro dataset`: games of agents as files for training."""

import argparse
from typing import Any

from fujikoro_app.commands.agents import find_modules_here, one_each
from fujikoro_app.commands.argument_types import at_least_one, seed_number
from fujikoro_app.commands.errors import OK, UsageError
from fujikoro_app.commands.options import add_json, add_rules, add_workers, typed_rules
from fujikoro_app.commands.parser import add_command


def add(commands: Any) -> None:
    example = "dataset --by shogun,hunter,runner,random --games 1000 --out data/games --minari"
    what = "write games of agents as Parquet files, for training"
    parser = add_command(commands, "dataset", what, example, run)
    parser.add_argument("--by", required=True, metavar="NAMES", help="agents: one, or one per seat")
    parser.add_argument("--games", type=at_least_one, default=100, metavar="N", help="how many (100)")
    parser.add_argument(
        "--seed", type=seed_number, default=0, metavar="S", help="seed of the first game; others follow (0)"
    )
    parser.add_argument(
        "--out", required=True, metavar="FOLDER", help="output folder; continues a dataset that is there"
    )
    parser.add_argument("--reward", default="rank", metavar="KIND", help="rank, win, vp or shaped (rank)")
    parser.add_argument("--shard-games", type=at_least_one, default=32, metavar="N", help="games per file (32)")
    parser.add_argument(
        "--explanations", action="store_true", help="ask agents for their values and reasons; scripts play slower then"
    )
    parser.add_argument("--minari", action="store_true", help="write it in Minari's format, too")
    add_workers(parser, "--jobs", "number of processes (all cores)")
    add_json(parser)
    add_rules(parser)


def run(args: argparse.Namespace) -> int:
    find_modules_here()
    try:
        from fujikoro_app.dataset import DatasetError, written
    except ModuleNotFoundError as error:
        raise UsageError(f"dataset needs {error.name}: pip install 'fujikoro_env[data]'") from None
    rules = typed_rules(args)
    try:
        print(written(args, rules, one_each("--by", args.by, rules.players)))
    except DatasetError as error:
        raise UsageError(str(error)) from None
    return OK

"""`fujikoro bench`: how fast the games run here."""

import argparse
import json
from typing import Any

from fujikoro_app.commands.argument_types import at_least_one
from fujikoro_app.commands.errors import OK, UsageError
from fujikoro_app.commands.options import THIS_GAME, add_game, add_json
from fujikoro_app.commands.other_game import declared_game
from fujikoro_app.commands.parser import add_command
from fujikoro_env.kernel.text import printable


def add(commands: Any) -> None:
    parser = add_command(commands, "bench", "measure how fast the games run here", "bench --runs 3", run)
    parser.add_argument("--runs", type=at_least_one, default=5, metavar="N", help="the best of N runs counts (5)")
    parser.add_argument("--cold", action="store_true", help="measure compiling, too; takes minutes")
    add_game(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.game != THIS_GAME:
        return _bench_any(args)
    from fujikoro_app import bench

    best, found = bench.measure(args.runs, args.cold), bench.signature()
    print(json.dumps(bench.as_json(best, args.runs, found)) if args.json else bench.as_table(best, args.runs, found))
    return OK


def _bench_any(args: argparse.Namespace) -> int:
    """Compare the batches of a game with Fuji Koro's."""
    from fujikoro_app.bench_any import as_table, measured

    if args.cold:
        raise UsageError(f"--cold does not go with --game {printable(args.game)}")
    game = declared_game(args.game)
    found = measured(game, args.runs)
    print(json.dumps(found) if args.json else as_table(game, found))
    return OK

"""`fujikoro compare`: two agents, packs or settings on common seeds."""

import argparse
from typing import Any

from fujikoro_app.commands.argument_types import at_least_one, seed_number, table_size
from fujikoro_app.commands.balance import run_study
from fujikoro_app.commands.options import add_json
from fujikoro_app.commands.parser import add_command


def add(commands: Any) -> None:
    example = "compare base final_at=25 --games 400"
    what = "compare two agents, packs or settings on common seeds"
    parser = add_command(commands, "compare", what, example, run)
    sides = "an agent, a content pack, or changes such as final_at=25 or dragons.red.health=18"
    parser.add_argument("a", metavar="A", help=sides)
    parser.add_argument("b", metavar="B", help="the same")
    parser.add_argument("--agent", default="runner", metavar="NAME", help="who plays the other seats (runner)")
    parser.add_argument("--players", type=table_size, default=4, metavar="N", help="how many play (4)")
    parser.add_argument("--games", type=at_least_one, default=400, metavar="N", help="of each side (400)")
    parser.add_argument("--seed", type=seed_number, default=0, metavar="S", help="seed of the first game (0)")
    parser.add_argument("--content", default="base", metavar="PACK", help="content pack of agents and changes (base)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    return run_study("compared", args)

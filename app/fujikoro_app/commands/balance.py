"""`fujikoro balance`: experiments on the balance of the game, and the search for better values."""

import argparse
from typing import Any, Final

from fujikoro_app.commands import report
from fujikoro_app.commands.agents import find_modules_here
from fujikoro_app.commands.argument_types import (
    above_zero,
    agent_names,
    at_least_one,
    option_pair,
    seed_number,
    table_size,
    table_sizes,
)
from fujikoro_app.commands.errors import OK, UsageError, complain
from fujikoro_app.commands.options import THIS_GAME, add_json, add_workers
from fujikoro_app.commands.parser import Parser, add_command

EXPERIMENTS: Final = {
    "seats": "win share by place in the turn order",
    "characters": "win share by character and pair of characters; of other games, by what is dealt",
    "components": "effect of removing or doubling one card, scroll, token, tile or dragon",
    "parameters": "response of the game to rule settings and content values",
    "restricted": "what an option is worth to a player who may not use it",
    "luck": "share of the result that skill, seat, character and each kind of chance explain",
    "pace": "length, choices, lead changes, and which actions are used",
}


def add(commands: Any) -> None:
    parser = add_command(
        commands, "balance", "study the balance of the game", "balance seats --agents runner --players 2,4"
    )
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, what in EXPERIMENTS.items():
        example = f"balance {name} --agents gatherer,runner,shogun --games 1000 --out runs/{name}"
        _add_experiment(add_command(actions, name, what, example, run), name)
    example = "balance report runs/seats --out seats.html"
    page = add_command(actions, "report", "show runs on one HTML page", example, report.run)
    page.add_argument("sources", nargs="+", metavar="RUN", help="the folder of a run, tournament or evaluation")
    page.add_argument("--out", default="balance.html", metavar="FILE", help="the new page (balance.html)")
    page.add_argument("--title", default="Fuji Koro: balance", metavar="TEXT", help="its heading")
    _add_tune(actions)


def _add_experiment(parser: Parser, name: str) -> None:
    parser.set_defaults(experiment=name)
    parser.add_argument("--settings", metavar="FILE", help="a TOML file; what is typed here goes before it")
    parser.add_argument("--game", metavar="NAME", help=f"which game: {THIS_GAME}, fuji ({THIS_GAME})")
    parser.add_argument("--option", type=option_pair, action="append", default=[], metavar="NAME=VALUE", help="a rule")
    parser.add_argument("--agents", type=agent_names, metavar="NAMES", help="levels of skill (gatherer,runner,shogun)")
    parser.add_argument("--players", type=table_sizes, metavar="N,N", help="numbers of players (4)")
    parser.add_argument("--games", type=at_least_one, metavar="N", help="of each condition (1000)")
    parser.add_argument("--slow-games", type=at_least_one, metavar="N", help="of those with shogun (the same)")
    parser.add_argument("--precision", type=above_zero, metavar="P", help="stop at intervals of +-P, such as 0.01")
    parser.add_argument("--seed", type=seed_number, metavar="S", help="seed of the first game; others follow (0)")
    parser.add_argument("--content", metavar="PACK", help="content pack: a name or a folder (base)")
    parser.add_argument("--within", type=above_zero, metavar="P", help="what still counts as fair (0.02)")
    parser.add_argument("--decisions", action="store_true", default=None, help="keep a row for every decision, too")
    add_workers(parser, "--jobs", "number of processes (all cores)")
    if name == "components":
        parser.add_argument("--largest-of", metavar="RUN", help="only the ten with the clearest effects there")
    parser.add_argument("--out", metavar="FOLDER", help="where it goes; a run there goes on (runs/balance-...)")
    add_json(parser)


def _add_tune(actions: Any) -> None:
    example = 'balance tune --target "characters within 3 points" --change "characters.*.vp=0..8" --out my_pack'
    what = "search content values for the smallest change that meets a target"
    parser = add_command(actions, "tune", what, example, run_tune)
    parser.add_argument("--target", required=True, metavar="TEXT", help="'characters within N points'")
    parser.add_argument(
        "--change", required=True, action="append", metavar="PATH=LOW..HIGH", help="a value that may be changed"
    )
    parser.add_argument("--agent", default="runner", metavar="NAME", help="who plays in the search (runner)")
    parser.add_argument(
        "--confirm",
        type=agent_names,
        default=["runner", "shogun"],
        metavar="NAMES",
        help="on fresh seeds (runner,shogun)",
    )
    parser.add_argument("--players", type=table_size, default=4, metavar="N", help="how many play (4)")
    parser.add_argument("--games", type=at_least_one, default=800, metavar="N", help="of each trial (800)")
    parser.add_argument("--trials", type=at_least_one, default=100, metavar="N", help="budget of the search (100)")
    parser.add_argument("--fresh-games", type=at_least_one, default=4000, metavar="N", help="on fresh seeds (4000)")
    parser.add_argument("--slow-games", type=at_least_one, default=400, metavar="N", help="the same of shogun (400)")
    parser.add_argument(
        "--seed", type=seed_number, default=0, metavar="S", help="of the search; fresh seeds differ (0)"
    )
    parser.add_argument("--content", default="base", metavar="PACK", help="the pack that is changed (base)")
    parser.add_argument("--out", metavar="FOLDER", help="write the tuned pack to a new folder")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    return run_study("experimented", args)


def run_tune(args: argparse.Namespace) -> int:
    return run_study("tuned", args)


def run_study(what: str, args: argparse.Namespace) -> int:
    find_modules_here()
    try:
        from fujikoro_app import balance
    except ModuleNotFoundError as error:
        raise UsageError(f"balance needs {error.name}: pip install 'fujikoro_env[balance]'") from None
    try:
        print(getattr(balance, what)(args))
    except balance.BalanceError as error:
        return complain(str(error).splitlines())
    return OK

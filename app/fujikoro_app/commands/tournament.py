"""`fujikoro tournament`: which agents play better."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fujikoro_app.commands.agents import find_modules_here
from fujikoro_app.commands.argument_types import above_zero, at_least_one, seed_number
from fujikoro_app.commands.errors import OK, UsageError
from fujikoro_app.commands.options import THIS_GAME, add_game, add_json, add_rules, add_workers, typed_rules
from fujikoro_app.commands.other_game import run_other_game
from fujikoro_app.commands.parser import add_command

if TYPE_CHECKING:
    from fujikoro_training.tournament.run import Plan, Played


def add(commands: Any) -> None:
    example = "tournament --players shogun,hunter,mcts:iterations=200,random --games 400 --seats 4"
    what = "find out which agents play better, and how certain that is"
    parser = add_command(commands, "tournament", what, example, run)
    parser.add_argument(
        "--players",
        dest="agents",
        required=True,
        metavar="NAMES",
        help="agents, separated by commas; a part like word=value belongs to the agent before it: "
        "mcts:iterations=400,depth=3,random names two agents",
    )
    parser.add_argument(
        "--games", type=at_least_one, default=400, metavar="N", help="how many; rounded up to whole blocks (400)"
    )
    parser.add_argument("--seed", type=seed_number, default=0, metavar="S", help="seed of the tournament (0)")
    parser.add_argument(
        "--salt", metavar="TEXT", help="repeat a run with the salt in its games.jsonl; secret from agents (random)"
    )
    parser.add_argument(
        "--out", metavar="FOLDER", help="output folder; continues a tournament there (runs/tournament-...)"
    )
    add_workers(parser, "--workers", "games at the same time (all cores)")
    parser.add_argument("--until-settled", action="store_true", help="stop when the order is sure; --games at most")
    parser.add_argument(
        "--equal-within",
        type=above_zero,
        default=25.0,
        metavar="POINTS",
        help="with --until-settled: agents whose ratings differ by less than this count as equal (25)",
    )
    parser.add_argument(
        "--move-seconds",
        type=above_zero,
        default=60.0,
        metavar="S",
        help="an agent that takes longer for one decision forfeits the game (60)",
    )
    parser.add_argument("--isolate", action="store_true", help="each agent plays in a process that gets only its views")
    add_game(parser)
    add_json(parser)
    add_rules(parser, players="--seats")


def run(args: argparse.Namespace) -> int:
    if args.game != THIS_GAME:
        return run_other_game(args, "tournament", "salt", "out", "workers", "until_settled", "isolate")
    from fujikoro_env.player import AgentError, split_names

    find_modules_here()
    try:
        from fujikoro_training.tournament.report import as_text, write_reports
        from fujikoro_training.tournament.run import Plan, TournamentError
        from fujikoro_training.tournament.store import StoreError
        from fujikoro_training.tournament.summary import summary
        from fujikoro_training.workers.job import WorkerError
    except ModuleNotFoundError as error:
        raise UsageError(f"tournament needs {error.name}: pip install 'fujikoro_env[tournament]'") from None
    rules = typed_rules(args)
    try:
        plan = Plan(split_names(args.agents), rules, args.seed, args.move_seconds, args.salt, args.isolate)
        folder = Path(args.out) if args.out else plan.usual_folder
        found = summary(_played(plan, folder, args))
    except (AgentError, StoreError, TournamentError, WorkerError) as error:
        raise UsageError(str(error)) from None
    try:
        write_reports(found, folder)
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}; all games are saved; repeat the command to continue") from None
    print(json.dumps(found) if args.json else f"{as_text(found)}\n\nwritten to {folder}: games.parquet, report.md")
    return OK


def _played(plan: "Plan", folder: Path, args: argparse.Namespace) -> "Played":
    from fujikoro_env.kernel.thread_pool import cores
    from fujikoro_training.tournament.run import play
    from fujikoro_training.workers.chosen import workers_at

    def say(text: str) -> None:
        print(text, file=sys.stderr)  # standard output may be JSON

    try:
        with workers_at(args.cluster, args.workers or cores()) as workers:
            return play(plan, args.games, folder, workers, args.until_settled, args.equal_within, say)
    except KeyboardInterrupt:
        say(f"fujikoro: interrupted; the games so far are in {folder}; repeat the command to continue")
        raise

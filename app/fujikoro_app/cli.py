"""The command `fujikoro`.

Whatever a user typed wrong gets one line on standard error and exit status 2. Modules are imported by the command that
needs them.
"""

import argparse
import io
import json
import os
import random
import re
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from fujikoro_env import __version__
from fujikoro_env.kernel.text import LONGEST, printable, quoted, shortened

if TYPE_CHECKING:
    from fujikoro_app.human import Keyboard
    from fujikoro_env.kernel.agents import Agent
    from fujikoro_env.kernel.declared import DeclaredGame
    from fujikoro_env.kernel.record import Replay
    from fujikoro_env.kernel.session import Session
    from fujikoro_env.settings import Rules
    from fujikoro_training.tournament.run import Plan, Played

OK, FORFEITED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
SWITCHES: dict[str, Any] = {  # options for the rules, with their defaults
    "players": None,
    "mode": None,
    "characters": None,
    "scenario": None,
    "content": "base",
    "final_at": None,
    "max_rounds": None,
    "peaceful": False,
    "adventure_tokens": True,
}
PAPER_WIDTH = 120  # columns when the output is not a terminal
THIS_GAME = "fujikoro"
MOST_DIGITS = 20  # of a typed number
WATCH_SPEED = 3  # lines per second, slow enough to read
LONG_WORD = re.compile(rf"\S{{{LONGEST + 1},}}")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # with these a name could steer the terminal that shows it
Command = Callable[[argparse.Namespace], int]


class UsageError(Exception):
    """An error in what the user typed."""


class Parser(argparse.ArgumentParser):
    """Reports errors in one line, without the usage that argparse would print above them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{shortened(message, 2 * LONGEST)} (see {self.prog} --help)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that can't show a symbol of the map shows a ?
    try:
        args = _parser().parse_args(_checked_arguments(argv))
        _needs_ray(args)
        command: Command = args.command
        return _flushed(command(args))
    except UsageError as error:
        return _complain([str(error)])
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK


def _needs_ray(args: argparse.Namespace) -> None:
    """Refuse --cluster where Ray is not installed."""
    if getattr(args, "cluster", None) is not None and find_spec("ray") is None:
        raise UsageError("--cluster needs ray: pip install 'fujikoro_env[cluster]'")


def _flushed(status: int) -> int:
    sys.stdout.flush()  # here, where a broken pipe is caught
    return status


def _complain(messages: Iterable[str]) -> int:
    for message in messages:
        line = LONG_WORD.sub(lambda word: shortened(word[0]), " ".join(message.split()))
        print("fujikoro:", printable(line), file=sys.stderr)
    return BAD_INPUT


# Arguments


def _checked_arguments(argv: Sequence[str] | None) -> list[str]:
    """Return the arguments. Names with control characters are refused here, before any of them can be shown."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for argument in arguments:
        if CONTROL.search(argument):
            raise UsageError(f"argument {quoted(argument)}: control characters are not allowed")
    return arguments


def _parser() -> Parser:
    parser = Parser(prog="fujikoro", description="The board game Fuji Koro, simulated.", epilog=_example("watch"))
    parser.add_argument("--version", action="version", version=f"fujikoro_env {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_balance(commands)
    _add_bench(commands)
    _add_compare(commands)
    _add_content(commands)
    _add_dataset(commands)
    _add_evaluate(commands)
    _add_play(commands)
    _add_policy(commands)
    _add_replay(commands)
    _add_report(commands)
    _add_tournament(commands)
    _add_train(commands)
    _add_warmup(commands)
    _add_watch(commands)
    _add_web(commands)
    return parser


def _example(command: str) -> str:
    return f"example: fujikoro {command}"


def _add(commands: Any, name: str, what: str, example: str, command: Command | None = None) -> Parser:
    description = what[0].upper() + what[1:] + "."
    parser: Parser = commands.add_parser(name, help=what, description=description, epilog=_example(example))
    if command:
        parser.set_defaults(command=command)
    return parser


EXPERIMENTS = {  # of `fujikoro balance`
    "seats": "win share by place in the turn order",
    "characters": "win share by character and pair of characters; of other games, by what is dealt",
    "components": "effect of removing or doubling one card, scroll, token, tile or dragon",
    "parameters": "response of the game to rule settings and content values",
    "restricted": "what an option is worth to a player who may not use it",
    "luck": "share of the result that skill, seat, character and each kind of chance explain",
    "pace": "length, choices, lead changes, and which actions are used",
}


def _add_balance(commands: Any) -> None:
    parser = _add(commands, "balance", "study the balance of the game", "balance seats --agents runner --players 2,4")
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, what in EXPERIMENTS.items():
        example = f"balance {name} --agents gatherer,runner,shogun --games 1000 --out runs/{name}"
        _add_experiment(_add(actions, name, what, example, run_balance), name)
    example = "balance report runs/seats --out seats.html"
    report = _add(actions, "report", "show runs on one HTML page", example, run_report)
    report.add_argument("sources", nargs="+", metavar="RUN", help="the folder of a run, tournament or evaluation")
    report.add_argument("--out", default="balance.html", metavar="FILE", help="the new page (balance.html)")
    report.add_argument("--title", default="Fuji Koro: balance", metavar="TEXT", help="its heading")
    _add_tune(actions)


def _add_experiment(parser: Parser, name: str) -> None:
    parser.set_defaults(experiment=name)
    parser.add_argument("--settings", metavar="FILE", help="a TOML file; what is typed here goes before it")
    parser.add_argument("--game", metavar="NAME", help=f"which game: {THIS_GAME}, fuji ({THIS_GAME})")
    parser.add_argument("--option", type=_option, action="append", default=[], metavar="NAME=VALUE", help="a rule")
    parser.add_argument("--agents", type=_names, metavar="NAMES", help="levels of skill (gatherer,runner,shogun)")
    parser.add_argument("--players", type=_table_sizes, metavar="N,N", help="numbers of players (4)")
    parser.add_argument("--games", type=_at_least_one, metavar="N", help="of each condition (1000)")
    parser.add_argument("--slow-games", type=_at_least_one, metavar="N", help="of those with shogun (the same)")
    parser.add_argument("--precision", type=_above_zero, metavar="P", help="stop at intervals of +-P, such as 0.01")
    parser.add_argument("--seed", type=_seed, metavar="S", help="seed of the first game; others follow (0)")
    parser.add_argument("--content", metavar="PACK", help="content pack: a name or a folder (base)")
    parser.add_argument("--within", type=_above_zero, metavar="P", help="what still counts as fair (0.02)")
    parser.add_argument("--decisions", action="store_true", default=None, help="keep a row for every decision, too")
    _add_workers(parser, "--jobs", "number of processes (all cores)")
    if name == "components":
        parser.add_argument("--largest-of", metavar="RUN", help="only the ten with the clearest effects there")
    parser.add_argument("--out", metavar="FOLDER", help="where it goes; a run there goes on (runs/balance-...)")
    _add_json(parser)


def _add_tune(actions: Any) -> None:
    example = 'balance tune --target "characters within 3 points" --change "characters.*.vp=0..8" --out my_pack'
    what = "search content values for the smallest change that meets a target"
    parser = _add(actions, "tune", what, example, run_tune)
    parser.add_argument("--target", required=True, metavar="TEXT", help="'characters within N points'")
    parser.add_argument(
        "--change", required=True, action="append", metavar="PATH=LOW..HIGH", help="a value that may be changed"
    )
    parser.add_argument("--agent", default="runner", metavar="NAME", help="who plays in the search (runner)")
    parser.add_argument(
        "--confirm", type=_names, default=["runner", "shogun"], metavar="NAMES", help="on fresh seeds (runner,shogun)"
    )
    parser.add_argument("--players", type=_table_size, default=4, metavar="N", help="how many play (4)")
    parser.add_argument("--games", type=_at_least_one, default=800, metavar="N", help="of each trial (800)")
    parser.add_argument("--trials", type=_at_least_one, default=100, metavar="N", help="budget of the search (100)")
    parser.add_argument("--fresh-games", type=_at_least_one, default=4000, metavar="N", help="on fresh seeds (4000)")
    parser.add_argument("--slow-games", type=_at_least_one, default=400, metavar="N", help="the same of shogun (400)")
    parser.add_argument("--seed", type=_seed, default=0, metavar="S", help="of the search; fresh seeds differ (0)")
    parser.add_argument("--content", default="base", metavar="PACK", help="the pack that is changed (base)")
    parser.add_argument("--out", metavar="FOLDER", help="write the tuned pack to a new folder")
    _add_json(parser)


def _add_compare(commands: Any) -> None:
    example = "compare base final_at=25 --games 400"
    what = "compare two agents, packs or settings on common seeds"
    parser = _add(commands, "compare", what, example, run_compare)
    sides = "an agent, a content pack, or changes such as final_at=25 or dragons.red.health=18"
    parser.add_argument("a", metavar="A", help=sides)
    parser.add_argument("b", metavar="B", help="the same")
    parser.add_argument("--agent", default="runner", metavar="NAME", help="who plays the other seats (runner)")
    parser.add_argument("--players", type=_table_size, default=4, metavar="N", help="how many play (4)")
    parser.add_argument("--games", type=_at_least_one, default=400, metavar="N", help="of each side (400)")
    parser.add_argument("--seed", type=_seed, default=0, metavar="S", help="seed of the first game (0)")
    parser.add_argument("--content", default="base", metavar="PACK", help="content pack of agents and changes (base)")
    _add_json(parser)


def _add_bench(commands: Any) -> None:
    parser = _add(commands, "bench", "measure how fast the games run here", "bench --runs 3", run_bench)
    parser.add_argument("--runs", type=_at_least_one, default=5, metavar="N", help="the best of N runs counts (5)")
    parser.add_argument("--cold", action="store_true", help="measure compiling, too; takes minutes")
    _add_game(parser)
    _add_json(parser)


def _add_content(commands: Any) -> None:
    parser = _add(commands, "content", "check content packs", "content check my_pack")
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    example = "content check my_pack"
    check = _add(actions, "check", "list the faults of a content pack, one per line", example, run_content_check)
    check.add_argument("pack", nargs="?", default="base", help="name of a shipped pack, or its folder (base)")
    _add_json(check)


def _add_dataset(commands: Any) -> None:
    example = "dataset --by shogun,hunter,runner,random --games 1000 --out data/games --minari"
    what = "write games of agents as Parquet files, for training"
    parser = _add(commands, "dataset", what, example, run_dataset)
    parser.add_argument("--by", required=True, metavar="NAMES", help="agents: one, or one per seat")
    parser.add_argument("--games", type=_at_least_one, default=100, metavar="N", help="how many (100)")
    parser.add_argument("--seed", type=_seed, default=0, metavar="S", help="seed of the first game; others follow (0)")
    parser.add_argument(
        "--out", required=True, metavar="FOLDER", help="output folder; continues a dataset that is there"
    )
    parser.add_argument("--reward", default="rank", metavar="KIND", help="rank, win, vp or shaped (rank)")
    parser.add_argument("--shard-games", type=_at_least_one, default=32, metavar="N", help="games per file (32)")
    parser.add_argument(
        "--explanations", action="store_true", help="ask agents for their values and reasons; scripts play slower then"
    )
    parser.add_argument("--minari", action="store_true", help="write it in Minari's format, too")
    _add_workers(parser, "--jobs", "number of processes (all cores)")
    _add_json(parser)
    _add_rules(parser)


def _add_evaluate(commands: Any) -> None:
    example = "evaluate runner --protocol v0"
    what = "measure an agent with the frozen benchmark, so that results compare"
    parser = _add(commands, "evaluate", what, example, run_evaluate)
    parser.add_argument("agent", metavar="AGENT", help="name of the agent, such as runner or mcts:iterations=64")
    parser.add_argument("--protocol", default="v0", metavar="NAME", help="which games are played (v0)")
    parser.add_argument("--series", metavar="NAMES", help="only these series, separated by commas (all)")
    parser.add_argument("--quick", action="store_true", help="a small trial on other seeds; not a result")
    _add_workers(parser, "--jobs", "number of processes (all cores)")
    parser.add_argument(
        "--out", metavar="FOLDER", help="output folder; continues an evaluation there (runs/evaluate-...)"
    )
    _add_json(parser)
    group = parser.add_argument_group("other games", "win rates of a team, by the settings of the games")
    _add_game(group)
    group.add_argument(
        "--vary", action="append", default=[], metavar="NAME=V,V", help="all values of a setting: level=1,2,3,4"
    )
    group.add_argument("--games", type=_at_least_one, default=200, metavar="N", help="of each combination (200)")
    group.add_argument("--seed", type=_seed, default=0, metavar="S", help="seed of the first game (0)")
    group.add_argument("--option", type=_option, action="append", default=[], metavar="NAME=VALUE", help="a setting")


def _add_play(commands: Any) -> None:
    example = "play --players 3 --opponents random --seat 1"
    parser = _add(commands, "play", "play at the keyboard against agents", example, run_play)
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--seat", type=int, default=0, metavar="N", help="where you sit, from 0 (0)")
    who.add_argument("--all", action="store_true", help="play all seats at one keyboard")
    parser.add_argument("--seed", type=_seed, metavar="S", help="the same seed deals the same game (any)")
    parser.add_argument(
        "--opponents",
        metavar="NAMES",
        help="agents in the other seats: one for all, or one for each in playing order after you (random)",
    )
    parser.add_argument("--adviser", metavar="NAME", help="the agent that `hint` asks (the strongest available)")
    parser.add_argument("--position", metavar="FILE", help="continue a saved game, with the rules stored in it")
    _add_game(parser)
    _add_rules(parser)


def _add_policy(commands: Any) -> None:
    example = "policy convert my_agent.zip my_agent.safetensors --trust"
    parser = _add(commands, "policy", "convert and describe files of trained policies", example)
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    what = "convert a MaskablePPO model to a policy file, which can't run code"
    convert = _add(actions, "convert", what, example, run_policy_convert)
    convert.add_argument("model", metavar="IN", help="a model of Stable-Baselines3 (.zip)")
    convert.add_argument("out", metavar="OUT", help="the new policy file (.safetensors)")
    convert.add_argument("--trust", action="store_true", help="read the model, although such a file can run code")
    convert.add_argument("--content", default="base", metavar="PACK", help="content it was trained with (base)")
    example_of_average = "policy average mean.safetensors first.safetensors second.safetensors"
    what = "write the mean of the weights of policy files, such as snapshots of one run"
    average = _add(actions, "average", what, example_of_average, run_policy_average)
    average.add_argument("out", metavar="OUT", help="the new policy file (.safetensors)")
    average.add_argument(
        "files", nargs="+", metavar="FILE", help="policy files with the same network, the last one newest"
    )
    show = _add(actions, "show", "describe a policy file", "policy show my_agent.safetensors", run_policy_show)
    show.add_argument("file", metavar="FILE", help="a policy file (.safetensors)")
    _add_json(show)


def _add_replay(commands: Any) -> None:
    parser = _add(commands, "replay", "step through a recorded game", "replay game.json --at 120", run_replay)
    parser.add_argument("file", metavar="FILE", help="what `fujikoro watch --save FILE` wrote")
    parser.add_argument("--at", type=int, default=0, metavar="STEP", help="begin after this step (0)")
    parser.add_argument("--check", action="store_true", help="only check that it replays to the same game")
    parser.add_argument("--content", metavar="PACK", help="where the content pack is now, if it has moved")
    _add_json(parser)


def _add_report(commands: Any) -> None:
    example = "report runs/train-small-0 runs/tournament-1a2b game.json --out report.html"
    what = "show training runs, tournaments, evaluations, balance and recorded games on one HTML page"
    parser = _add(commands, "report", what, example, run_report)
    parser.add_argument(
        "sources",
        nargs="+",
        metavar="SOURCE",
        help="a folder of `train`, `tournament`, `evaluate` or `balance`, or a game of `watch --save`",
    )
    parser.add_argument("--out", default="report.html", metavar="FILE", help="the new page (report.html)")
    parser.add_argument("--title", default="Fuji Koro", metavar="TEXT", help="its heading (Fuji Koro)")


def _add_tournament(commands: Any) -> None:
    example = "tournament --players shogun,hunter,mcts:iterations=200,random --games 400 --seats 4"
    what = "find out which agents play better, and how certain that is"
    parser = _add(commands, "tournament", what, example, run_tournament)
    parser.add_argument(
        "--players",
        dest="agents",
        required=True,
        metavar="NAMES",
        help="agents, separated by commas; a part like word=value belongs to the agent before it: "
        "mcts:iterations=400,depth=3,random names two agents",
    )
    parser.add_argument(
        "--games", type=_at_least_one, default=400, metavar="N", help="how many; rounded up to whole blocks (400)"
    )
    parser.add_argument("--seed", type=_seed, default=0, metavar="S", help="seed of the tournament (0)")
    parser.add_argument(
        "--salt", metavar="TEXT", help="repeat a run with the salt in its games.jsonl; secret from agents (random)"
    )
    parser.add_argument(
        "--out", metavar="FOLDER", help="output folder; continues a tournament there (runs/tournament-...)"
    )
    _add_workers(parser, "--workers", "games at the same time (all cores)")
    parser.add_argument("--until-settled", action="store_true", help="stop when the order is sure; --games at most")
    parser.add_argument(
        "--equal-within",
        type=_above_zero,
        default=25.0,
        metavar="POINTS",
        help="with --until-settled: agents whose ratings differ by less than this count as equal (25)",
    )
    parser.add_argument(
        "--move-seconds",
        type=_above_zero,
        default=60.0,
        metavar="S",
        help="an agent that takes longer for one decision forfeits the game (60)",
    )
    parser.add_argument("--isolate", action="store_true", help="each agent plays in a process that gets only its views")
    _add_game(parser)
    _add_json(parser)
    _add_rules(parser, players="--seats")


def _add_train(commands: Any) -> None:
    example = "train small --out runs/first --set decisions=200_000"
    what = "train a network by self-play and against other agents"
    parser = _add(commands, "train", what, example, run_train)
    parser.add_argument(
        "recipe", nargs="?", metavar="RECIPE", help="a TOML file, or small (minutes), value, pupil, plans, ppo (hours)"
    )
    parser.add_argument("--out", metavar="FOLDER", help="where the run is written (runs/train-...)")
    parser.add_argument("--resume", metavar="FOLDER", help="continue the run, or the search, in this folder")
    parser.add_argument("--tune", action="store_true", help="search for better settings, one run for each trial")
    parser.add_argument("--trials", type=_at_least_one, metavar="N", help="trials of --tune (20, or by the recipe)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="change the recipe: learning.batch=512"
    )
    parser.add_argument("--profile", action="store_true", help="print how the time was spent")
    _add_cluster(parser)
    parser.add_argument(
        "--actors", type=_at_least_one, metavar="N", help="with --cluster: actors that play games (one for each CPU)"
    )
    parser.add_argument("--game", metavar="NAME", help="the recipe's game; without a recipe, its own one")
    _add_json(parser)


def _add_warmup(commands: Any) -> None:
    what = "compile the rules now, so that the first game starts at once"
    parser = _add(commands, "warmup", what, "warmup --export compiled.zip", run_warmup)
    files = parser.add_mutually_exclusive_group()
    files.add_argument("--export", metavar="FILE", help="also write the machine code to a new file, for other machines")
    files.add_argument("--import", dest="given", metavar="FILE", help="first take machine code from such a file")
    parser.add_argument("--trust", action="store_true", help="with --import: the file may run code on this machine")


def _add_watch(commands: Any) -> None:
    example = "watch --by shogun,hunter,random --players 3 --seed 7"
    parser = _add(commands, "watch", "watch a game between agents, with a line for each event", example, run_watch)
    parser.add_argument(
        "--by", default="random", metavar="NAMES", help="agents: one for all seats, or one per seat (random)"
    )
    parser.add_argument("--seed", type=_seed, default=0, metavar="S", help="the same seed gives the same game (0)")
    parser.add_argument(
        "--speed",
        type=_not_below_zero,
        metavar="N",
        help=f"lines per second; 0 does not wait ({WATCH_SPEED} on a terminal, else 0)",
    )
    parser.add_argument("--every", type=_at_least_one, metavar="N", help="show the whole table every N rounds (never)")
    parser.add_argument("--save", metavar="FILE", help="record the game in a new file, for `fujikoro replay FILE`")
    _add_game(parser)
    _add_rules(parser)


def _add_web(commands: Any) -> None:
    what = "play, watch, replay and analyse games in a browser"
    parser = _add(commands, "web", what, "web --port 8642", run_web)
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="address to bind to (127.0.0.1)")
    parser.add_argument("--port", type=_port, default=8642, metavar="N", help="port; 0 takes a free one (8642)")
    parser.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME", help="name by which browsers may call the server"
    )
    parser.add_argument("--data", default="web-games", metavar="FOLDER", help="where games are kept (web-games)")
    parser.add_argument("--runs", default="runs", metavar="FOLDER", help="trainings and tournaments to show (runs)")
    parser.add_argument("--jobs", type=_at_least_one, metavar="N", help="processes in which agents think (all cores)")


def _add_workers(parser: Parser, switch: str, what: str) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument(switch, type=_at_least_one, metavar="N", help=what)
    _add_cluster(where)


def _add_cluster(parser: Any) -> None:
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on a Ray cluster: auto, or HOST:PORT of its head")


def _add_game(parser: Any) -> None:
    parser.add_argument(
        "--game", default=THIS_GAME, metavar="NAME", help=f"which game: {THIS_GAME}, fuji ({THIS_GAME})"
    )


def _add_json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object, for programs")


def _add_rules(parser: Parser, players: str = "--players") -> None:
    group = parser.add_argument_group("rules")
    group.add_argument(players, dest="players", type=int, metavar="N", help="how many play (4; solo 1)")
    group.add_argument("--mode", help="competitive, coop or solo (competitive, or what the scenario is for)")
    group.add_argument(
        "--characters", type=_characters, metavar="NAMES", help="asymmetric boards: random, or one each: tomoe,daisuke"
    )
    group.add_argument("--scenario", metavar="S", help="1 to 8, or its name")
    group.add_argument("--content", default="base", metavar="PACK", help="content pack: a name or a folder (base)")
    group.add_argument("--final-at", type=int, metavar="VP", help="VP that start the final chapter (30)")
    group.add_argument("--max-rounds", type=int, metavar="N", help="the game ends after N rounds (80)")
    group.add_argument("--peaceful", action="store_true", help="play the peaceful variant")
    group.add_argument("--no-adventure-tokens", dest="adventure_tokens", action="store_false", help="leave them out")
    group.add_argument(
        "--option",
        type=_option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any other option of the rules",
    )


def _at_least_one(text: str) -> int:
    number = _whole_number(text)
    if number is None or number < 1:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number of at least 1")
    return number


def _table_size(text: str) -> int:
    if text not in ("2", "3", "4", "5", "6"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of players from 2 to 6")
    return int(text)


def _table_sizes(text: str) -> list[int]:
    return [_table_size(part.strip()) for part in text.split(",")]


def _names(text: str) -> list[str]:
    from fujikoro_env.player import AgentError, split_names

    try:
        return split_names(text)
    except AgentError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _seed(text: str) -> int:
    number = _whole_number(text)
    if number is None or number >= 1 << 62:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number from 0 to 2**62 - 1")
    return number


def _whole_number(text: str) -> int | None:
    """Return a number typed in digits; None if it is none, or too long for any use."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


def _above_zero(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a number above 0")
    return number


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r}: allowed are 0 to 65535")
    return int(text)


def _not_below_zero(text: str) -> float:
    return 0.0 if text in ("0", "0.0") else _above_zero(text)


def _characters(text: str) -> str | list[str]:
    return text if text == "random" else [name.strip() for name in text.split(",")]


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{quoted(text)}: write NAME=VALUE")
    return name, _option_value(value)


def _option_value(text: str) -> bool | int | str:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    number = _whole_number(text)
    return text if number is None else number


def _rules(args: argparse.Namespace) -> "Rules":
    from fujikoro_env.content import ContentError
    from fujikoro_env.settings import OPTIONS, Rules, RulesError

    for name, _ in args.option:
        if name not in OPTIONS:  # checked here, because Rules also has settings that are not for the command line
            raise UsageError(f"unknown option {quoted(name)}: there are {', '.join(sorted(OPTIONS))}")
    try:
        return Rules(**{name: getattr(args, name) for name in SWITCHES}, **dict(args.option))
    except (RulesError, ContentError, OSError) as error:
        raise UsageError(str(error)) from None


# Commands


def run_bench(args: argparse.Namespace) -> int:
    if args.game != THIS_GAME:
        return _bench_any(args)
    from fujikoro_app import bench

    best, found = bench.measure(args.runs, args.cold), bench.signature()
    print(json.dumps(bench.as_json(best, args.runs, found)) if args.json else bench.as_table(best, args.runs, found))
    return OK


def _bench_any(args: argparse.Namespace) -> int:
    """Compare the batches of a game with Fuji Koro's."""
    from fujikoro_app.any_game import OtherGameError, game_named
    from fujikoro_app.bench_any import as_table, measured

    if args.cold:
        raise UsageError(f"--cold does not go with --game {printable(args.game)}")
    try:
        game = game_named(args.game)
    except OtherGameError as error:
        raise UsageError(str(error)) from None
    found = measured(game, args.runs)
    print(json.dumps(found) if args.json else as_table(game, found))
    return OK


def run_content_check(args: argparse.Namespace) -> int:
    from fujikoro_env.content import check_pack

    name = shortened(args.pack, LONGEST // 2)  # the fault may repeat it
    try:
        faults = check_pack(args.pack)
    except OSError as error:
        raise UsageError(f"content pack {name}: {error.strerror}") from None
    if args.json:
        print(json.dumps({"pack": args.pack, "faults": [vars(fault) for fault in faults]}))
    elif faults:
        _complain(f"content pack {name}: {fault}" for fault in faults)
    else:
        print(f"content pack {name}: no faults")
    return BAD_INPUT if faults else OK


def run_policy_convert(args: argparse.Namespace) -> int:
    from fujikoro_agents.policy import PolicyError, convert_model
    from fujikoro_env.content import ContentError, load_pack

    if Path(args.out).exists():
        raise UsageError(f"{args.out}: exists already, and is left as it is")
    try:
        policy = convert_model(args.model, args.out, args.trust, load_pack(args.content))
    except (PolicyError, ContentError, OSError) as error:
        raise UsageError(str(error)) from None
    print(f"written to {args.out}: network {policy.head.network}, {policy.observation} observation")
    return OK


def run_policy_average(args: argparse.Namespace) -> int:
    from fujikoro_agents.policy import PolicyError, load_policy, mean_policy, save_policy

    if Path(args.out).exists():
        raise UsageError(f"{args.out}: exists already, and is left as it is")
    try:
        policy = mean_policy([load_policy(file) for file in args.files])
        save_policy(args.out, policy.weights, policy.head)
    except (PolicyError, ValueError, OSError) as error:
        raise UsageError(str(error)) from None
    print(f"written to {args.out}: the mean of {len(args.files)} policies")
    return OK


def run_policy_show(args: argparse.Namespace) -> int:
    from fujikoro_agents.policy import PolicyError

    try:
        found = _described_network(args.file)
    except PolicyError as error:
        raise UsageError(str(error)) from None
    print(json.dumps(found) if args.json else "\n".join(_shown_lines(found)))
    return OK


def _described_network(file: str) -> dict[str, Any]:
    from fujikoro_agents.policy import misfit, read_head
    from fujikoro_agents.values.file import is_value_file, load_value

    if is_value_file(file):
        value = load_value(file)
        network = {"kind": "value of positions", "layers": list(value.layers), "margin": value.margin}
        return {"network": network, "training": value.training, "versions": value.versions, "plays": "yes, value:FILE"}
    head = read_head(file)
    reason = misfit(head)
    return {**head.to_json(), "plays": f"no: {reason}" if reason else "yes"}


def _shown_lines(found: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Entries as lines. How a network was trained has a line for each part, and its settings for each section."""
    for name, value in found.items():
        if name in ("training", "settings") and isinstance(value, dict) and value and len(indent) < 4:
            yield f"{indent}{name}:"
            yield from _shown_lines(value, indent + "  ")
        else:
            yield f"{indent}{_printable(name)}: {_printable(value)}"


def _printable(value: Any) -> str:
    return value if isinstance(value, str) and value.isprintable() else json.dumps(value)


def run_report(args: argparse.Namespace) -> int:
    from fujikoro_app.report.page import report_page
    from fujikoro_app.report.sources import ReportError, read_source

    try:
        sources = [read_source(name) for name in args.sources]
    except ReportError as error:
        raise UsageError(str(error)) from None
    with _new_file("--out", args.out) as file:
        file.write(report_page(sources, args.title))
    print(f"written to {args.out}: open it in a browser")
    return OK


def run_tournament(args: argparse.Namespace) -> int:
    if args.game != THIS_GAME:
        return _with_other_game(args, "tournament", "salt", "out", "workers", "until_settled", "isolate")
    from fujikoro_env.player import AgentError, split_names

    _find_modules_here()
    try:
        from fujikoro_training.tournament.report import as_text, write_reports
        from fujikoro_training.tournament.run import Plan, TournamentError
        from fujikoro_training.tournament.store import StoreError
        from fujikoro_training.tournament.summary import summary
        from fujikoro_training.workers.job import WorkerError
    except ModuleNotFoundError as error:
        raise UsageError(f"tournament needs {error.name}: pip install 'fujikoro_env[tournament]'") from None
    rules = _rules(args)
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


def run_dataset(args: argparse.Namespace) -> int:
    _find_modules_here()
    try:
        from fujikoro_app.dataset import DatasetError, written
    except ModuleNotFoundError as error:
        raise UsageError(f"dataset needs {error.name}: pip install 'fujikoro_env[data]'") from None
    rules = _rules(args)
    try:
        print(written(args, rules, _one_each("--by", args.by, rules.players)))
    except DatasetError as error:
        raise UsageError(str(error)) from None
    return OK


def run_balance(args: argparse.Namespace) -> int:
    return _run_balance("experimented", args)


def run_tune(args: argparse.Namespace) -> int:
    return _run_balance("tuned", args)


def run_compare(args: argparse.Namespace) -> int:
    return _run_balance("compared", args)


def _run_balance(what: str, args: argparse.Namespace) -> int:
    _find_modules_here()
    try:
        from fujikoro_app import balance
    except ModuleNotFoundError as error:
        raise UsageError(f"balance needs {error.name}: pip install 'fujikoro_env[balance]'") from None
    try:
        print(getattr(balance, what)(args))
    except balance.BalanceError as error:
        return _complain(str(error).splitlines())
    return OK


def run_evaluate(args: argparse.Namespace) -> int:
    if args.game != THIS_GAME:
        return _with_other_game(args, "evaluation", "series", "quick", "jobs", "out")
    _find_modules_here()
    try:
        from fujikoro_app.evaluate import EvaluateError, evaluated
    except ModuleNotFoundError as error:
        raise UsageError(f"evaluate needs {error.name}: pip install 'fujikoro_env[tournament]'") from None
    try:
        print(evaluated(args))
    except EvaluateError as error:
        raise UsageError(str(error)) from None
    return OK


def run_train(args: argparse.Namespace) -> int:
    _find_modules_here()
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


def _find_modules_here() -> None:
    """Let `python:my_module.MyAgent` be found in the working directory, as `python -m` does."""
    if not {"", str(Path.cwd())} & set(sys.path):
        sys.path.append(str(Path.cwd()))


def run_warmup(args: argparse.Namespace) -> int:
    from fujikoro_env.kernel import cache, jit

    _import_entries()
    if args.given and not args.trust:
        raise UsageError(f"{args.given}: machine code can do anything here: add --trust if you trust who made it")
    if args.export and Path(args.export).exists():
        raise UsageError(f"--export {args.export}: there is such a file already")
    if jit.INTERPRETED:
        print("nothing to compile: NUMBA_DISABLE_JIT is set")
        return OK
    if args.given:
        _import_code(Path(args.given))
    print(f"rules and players are compiled ({jit.compile_entries()} entry points); kept in {cache.cache_folder()}")
    if args.export:
        _export_code(Path(args.export))
    return OK


def _import_entries() -> None:
    """Import everything compiled that games and players need."""
    import fujikoro_agents.mcts.agent
    import fujikoro_agents.plans.asking
    import fujikoro_agents.scripted.band_agent
    import fujikoro_agents.scripted.bots  # noqa: F401
    from fujikoro_env.kernel.declared import find_game, game_names

    for game in map(find_game, game_names()):
        if game.search:
            _ = game.search_parts


def _import_code(file: Path) -> None:
    from fujikoro_env.kernel.code_archive import ArchiveError, import_code
    from fujikoro_env.kernel.jit import wanted_code

    wanted = wanted_code()
    try:
        found = import_code(wanted, file)
    except ArchiveError as error:
        raise UsageError(str(error)) from None
    others = "" if found == len(wanted) else "; the rest was made for other sources, versions or another CPU"
    print(f"{found} of {len(wanted)} entries taken from {file}{others}")


def _export_code(file: Path) -> None:
    from fujikoro_env.kernel.code_archive import ArchiveError, export_code
    from fujikoro_env.kernel.jit import wanted_code

    try:
        found = export_code(wanted_code(), file)
    except (ArchiveError, OSError) as error:
        raise UsageError(f"--export {file}: {error}") from None
    print(f"{found} entries are written to {file}")


def _with_other_game(args: argparse.Namespace, command: str, *refused: str) -> int:
    """Run a command for a game other than Fuji Koro. `refused`: options that it does not have there."""
    _find_modules_here()
    try:
        from fujikoro_app import other_games
    except ModuleNotFoundError as error:
        raise UsageError(f"--game needs {error.name}: pip install 'fujikoro_env[tournament]'") from None
    from fujikoro_app.any_game import OtherGameError, game_named

    _refuse_with_game(args, *refused)
    try:
        print(getattr(other_games, command)(game_named(args.game), args))
    except OtherGameError as error:
        raise UsageError(str(error)) from None
    return OK


def _refuse_with_game(args: argparse.Namespace, *refused: str) -> None:
    """Refuse options that don't go with --game."""
    from fujikoro_app.any_game import TYPED

    rules = {name: unless for name, unless in SWITCHES.items() if name not in TYPED}
    for name, unless in {**rules, **dict.fromkeys(refused)}.items():
        if getattr(args, name, unless) not in (unless, False if unless is None else unless):
            raise UsageError(f"--{name.replace('_', '-')} does not go with --game {printable(args.game)}")


def _watch_any(args: argparse.Namespace) -> int:
    """Watch a game other than Fuji Koro."""
    from fujikoro_app import any_game
    from fujikoro_app.forfeits import Forfeits

    _find_modules_here()
    _refuse_with_game(args)
    try:
        game = any_game.game_named(args.game)
        rules = any_game.rules_of(game, any_game.settings_of(game, args))
        names = any_game.one_each("--by", any_game.names_of(args.by), rules.players)
    except any_game.OtherGameError as error:
        raise UsageError(str(error)) from None
    agents = [_agent(name, args.seed, seat, game) for seat, name in enumerate(names)]
    session = game.session_class(rules, args.seed, agents=agents, names=names)
    file = _new_file("--save", args.save) if args.save else None
    forfeits = Forfeits(session, game.is_team(rules))
    told = any_game.told_game(session, game.shown, forfeits, args.every)
    try:
        _tell([f"{game.title}, seed {args.seed}: {', '.join(names)}"], 0.0)
        _tell(told, _speed(args.speed))
    except BrokenPipeError:
        if file:
            list(told)  # nobody reads on, but the file should contain the whole game
        raise
    finally:  # an interrupted game is saved as far as it was played
        if file:
            _write_recording(file, session)
    if file:
        print(f"recorded; to step through it: fujikoro replay {shlex.quote(args.save)}")
    return FORFEITED if forfeits.found else OK


def run_watch(args: argparse.Namespace) -> int:
    if args.game != THIS_GAME:
        return _watch_any(args)
    from fujikoro_app.forfeits import Forfeits
    from fujikoro_app.watching import heading, told_game
    from fujikoro_env.session import Session

    rules = _rules(args)
    names = _one_each("--by", args.by, rules.players)
    agents = [_agent(name, args.seed, seat, _this_game()) for seat, name in enumerate(names)]
    _compile_first()
    session = Session(rules, args.seed, agents=agents, names=names, keep_history=bool(args.save))
    file = _new_file("--save", args.save) if args.save else None
    forfeits = Forfeits(session, rules.is_coop)
    told = told_game(session, forfeits, args.every)
    try:
        _tell([f"Fuji Koro, seed {args.seed}: {heading(session)}"], 0.0)
        _tell(told, _speed(args.speed))
    except BrokenPipeError:
        if file:
            list(told)  # nobody reads on, but the file should contain the whole game
        raise
    finally:  # an interrupted game is saved as far as it was played
        if file:
            _write_recording(file, session)
    if file:
        print(f"recorded; to step through it: fujikoro replay {shlex.quote(args.save)}")
    return FORFEITED if forfeits.found else OK


def _speed(typed: float | None) -> float:
    """Parse a speed in lines per second; 0 means no waiting."""
    if typed is None:
        return WATCH_SPEED if sys.stdout.isatty() else 0.0
    return typed


def _tell(lines: Iterable[str], speed: float) -> None:
    """Print lines as they come, at most `speed` per second."""
    from fujikoro_app.terminal import say

    for line in lines:
        say(_wrapped(line))
        if speed:
            time.sleep(1 / speed)


def _wrapped(text: str) -> str:
    """Wrap a line to the width of the terminal. Tables and other output stay as they are."""
    from fujikoro_app.terminal import wrapped

    if not sys.stdout.isatty() or "\n" in text:
        return text
    return wrapped(text, _terminal_size()[0], others=" " * 4)


def _compile_first() -> None:
    """On a terminal, compile everything missing with one progress bar. Otherwise parts are compiled at first use."""
    from fujikoro_env.kernel import jit

    if not jit.INTERPRETED and sys.stderr.isatty():
        jit.compile_missing()


def _one_each(switch: str, typed: str, seats: int) -> list[str]:
    """Names of the agents for each of the seats."""
    from fujikoro_env.player import AgentError, split_names

    try:
        names = split_names(typed)
    except AgentError as error:
        raise UsageError(f"{switch} {error}") from None
    if len(names) not in (1, seats):
        allowed = f"one, or one for each of {seats} seats" if seats > 1 else "one"
        raise UsageError(f"{switch}: {len(names)} agents are named; allowed is {allowed}")
    return names * seats if len(names) == 1 else names


def _agent(name: str, seed: int, seat: int, game: "DeclaredGame") -> "Agent":
    """Make an agent of a game. `seed`: the seed of the game, from which the agent's own is derived."""
    from fujikoro_env.kernel.agents import AgentError, agents_seed, failure_text

    _find_modules_here()
    try:
        agent = game.agents.make(name)
        agent.reset(agents_seed(seed), seat)
    except AgentError as error:
        raise UsageError(str(error)) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an agent's own code may raise anything, SystemExit too
        raise UsageError(f"agent {quoted(name)} can't be reset: {failure_text(error)}") from None
    return agent


def _new_file(switch: str, name: str) -> TextIO:
    try:
        return Path(name).open("x", encoding="utf-8", errors="replace")  # x: never over another file
    except FileExistsError:
        raise UsageError(f"{switch} {name}: exists already, and is left as it is") from None
    except OSError as error:
        raise UsageError(f"{switch} {name}: {error.strerror}") from None


def _write_recording(file: TextIO, session: "Session") -> None:
    try:
        with file:
            file.write(session.recording().to_json())
    except OSError as error:
        raise UsageError(f"--save {file.name}: {error.strerror}") from None


def run_replay(args: argparse.Namespace) -> int:
    from fujikoro_app.replay import Stepper, heading, summary

    replay, game = _recorded_game(args)
    if not 0 <= args.at <= replay.last:
        raise UsageError(f"--at {args.at}: allowed are 0 to {replay.last}")
    if args.json:
        print(json.dumps(summary(replay)))
    elif args.check:
        told = heading(replay, game.shown.title)
        print(f"{told}; it replays to the same digest, {summary(replay)['digest']}")
    else:
        Stepper(replay, _keyboard(), args.at, game.shown, game.session_class).run()
    return OK


def _recorded_game(args: argparse.Namespace) -> "tuple[Replay, DeclaredGame]":
    """Read a recording, and find the game that it is of."""
    from fujikoro_env.kernel.declared import UnknownGameError, find_game
    from fujikoro_env.kernel.record import RecordError, Replay
    from fujikoro_env.kernel.record.form import game_named_in

    try:
        text = Path(args.file).read_text(encoding="utf-8")
        game = find_game(game_named_in(text))
        return Replay(game.recording_class.from_json(text, args.content)), game
    except OSError as error:
        raise UsageError(f"recording {args.file}: {error.strerror}") from None
    except (RecordError, UnknownGameError, UnicodeDecodeError) as error:
        raise UsageError(f"recording {args.file}: {error}") from None


def run_web(args: argparse.Namespace) -> int:
    try:
        from fujikoro_app.web.serving import ServingError, serve
    except ModuleNotFoundError as error:
        raise UsageError(f"web needs {error.name}: pip install 'fujikoro_env[web]'") from None
    from fujikoro_env.kernel import jit

    _import_entries()  # compiled here, so that no agent runs out of time while it is compiled
    if not jit.INTERPRETED:
        jit.compile_missing()
    try:
        serve(args.host, args.port, args.allow_host, Path(args.data), Path(args.runs), args.jobs)
    except ServingError as error:
        raise UsageError(str(error)) from None
    return OK


def run_play(args: argparse.Namespace) -> int:
    from fujikoro_app.human import Human, LeaveError
    from fujikoro_app.keyboard_game import Adviser, KeyboardGame
    from fujikoro_env.kernel.agents import agents_seed
    from fujikoro_env.kernel.texts import labels

    kind = _game_to_play(args)
    seed = random.randrange(1 << 31) if args.seed is None else args.seed
    game = _saved_game(args, kind) if args.position else _new_game(args, kind, seed)
    people = range(game.rules.players) if args.all else [_seat(args.seat, game.rules.players)]
    opponents = _opponents(args, game, people)
    agents = {seat: _agent(name, seed, seat, kind) for seat, name in opponents.items()}
    names = [opponents.get(seat, "you" if len(people) == 1 else "") for seat in range(game.rules.players)]
    name = args.adviser or _best_adviser(kind, game.rules)
    adviser = Adviser(name, _agent(name, seed, people[0], kind), agents_seed(seed))
    keyboard, texts = _keyboard(), kind.shown

    def save(path: Path) -> None:
        with path.open("x", encoding="utf-8") as file:  # x: never over another file
            file.write(table.game.to_json())

    for seat in people:
        agents[seat] = Human(keyboard, save, adviser, names, texts)
        agents[seat].reset(seed, seat)
    _compile_first()
    table = KeyboardGame(game, agents, names, keyboard.say, kind)
    keyboard.say(f"{texts.title}, seed {seed}. ? lists what is possible, help explains, quit leaves.")
    try:
        table.play()
        keyboard.say(f"\n{texts.table(table.game.view(people[0]), keyboard.width, names)}\n")
        keyboard.say("\n".join([texts.outcome(table.game, labels(names)), *table.forfeits.told()]))
    except (LeaveError, KeyboardInterrupt):
        standing = texts.standing(table.game)
        keyboard.say(f"You left the game in {texts.when(table.game)}{f'; {standing}' if standing else ''}.")
    return FORFEITED if table.forfeits.found else OK


def _game_to_play(args: argparse.Namespace) -> "DeclaredGame":
    from fujikoro_app.any_game import OtherGameError, game_named

    if args.game != THIS_GAME:
        _refuse_with_game(args)
    try:
        return game_named(args.game)
    except OtherGameError as error:
        raise UsageError(str(error)) from None


def _opponents(args: argparse.Namespace, game: Any, people: Sequence[int]) -> dict[int, str]:
    """Names of the agents by seat. Users type them in playing order, starting after the first person."""
    players = game.rules.players
    seats = [seat % players for seat in range(people[0] + 1, people[0] + players) if seat % players not in people]
    if args.opponents and not seats:
        raise UsageError("--opponents: there is no other seat for them")
    names = _one_each("--opponents", args.opponents or "random", len(seats))
    return dict(zip(seats, names, strict=True))


def _best_adviser(game: "DeclaredGame", rules: Any) -> str:
    known = game.agents.names()
    of_teams = game.team_advisers if game.is_team(rules) else ()
    return next(name for name in (*of_teams, *game.advisers) if name in known)


def _new_game(args: argparse.Namespace, game: "DeclaredGame", seed: int) -> Any:
    from fujikoro_app.any_game import OtherGameError, rules_of, settings_of

    if game.name == THIS_GAME:
        return game.make_game(_rules(args), seed)
    try:
        return game.make_game(rules_of(game, settings_of(game, args)), seed)
    except OtherGameError as error:
        raise UsageError(str(error)) from None


def _saved_game(args: argparse.Namespace, game: "DeclaredGame") -> Any:
    from fujikoro_env.kernel.position.errors import PositionError

    _refuse_rules_beside_position(args)
    moved = args.content if args.content != SWITCHES["content"] else None
    try:
        text = Path(args.position).read_text(encoding="utf-8")
        return game.recording_class.game.game_class.from_json(text, moved)
    except (PositionError, UnicodeDecodeError) as error:
        raise UsageError(f"position {args.position}: {error}") from None
    except game.rules_errors as error:
        told = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"position {args.position}: {told}") from None


def _refuse_rules_beside_position(args: argparse.Namespace) -> None:
    typed = [name for name, unless in SWITCHES.items() if getattr(args, name) != unless and name != "content"]
    typed += ["option"] if args.option else []
    for name in typed:
        switch = "no-adventure-tokens" if name == "adventure_tokens" else name.replace("_", "-")
        raise UsageError(f"--{switch} does not go with --position: the saved game has its own rules")


def _this_game() -> "DeclaredGame":
    from fujikoro_env.kernel.declared import find_game

    return find_game(THIS_GAME)


def _seat(seat: int, players: int) -> int:
    if not 0 <= seat < players:
        raise UsageError(f"--seat {seat}: allowed are 0 to {players - 1}")
    return seat


def _keyboard() -> "Keyboard":
    """Standard input and output, on a terminal with line editing and tab completion if Python supports them."""
    from fujikoro_app.human import Keyboard
    from fujikoro_app.terminal import say

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if not sys.stdin.isatty():
        return Keyboard(_read_and_echo, say, lambda: (PAPER_WIDTH, 0))
    keyboard = Keyboard(input, say, _terminal_size)
    try:
        import readline
    except ImportError:
        return keyboard

    def complete(begun: str, nth: int) -> str | None:
        matching = [word for word in keyboard.words if word.startswith(begun.lower())]
        return matching[nth] if nth < len(matching) else None

    readline.set_completer(complete)
    readline.set_completer_delims("")  # a name is completed as a whole
    readline.parse_and_bind("tab: complete")
    return keyboard


def _read_and_echo(prompt: str) -> str:
    """Read a line and print it, so that the output reads as a dialogue when the answers come from a file."""
    line = input(prompt)
    print(line)
    return line


def _terminal_size() -> tuple[int, int]:
    columns, lines = shutil.get_terminal_size()
    return columns - 1, lines  # some terminals wrap text that reaches the last column


if __name__ == "__main__":
    sys.exit(main())

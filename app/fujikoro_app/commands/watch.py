"""`fujikoro watch`: a game between agents."""

import argparse
import shlex
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fujikoro_app.commands.agents import find_modules_here, make_agent, one_each
from fujikoro_app.commands.argument_types import at_least_one, not_below_zero, seed_number
from fujikoro_app.commands.compiling import compile_first
from fujikoro_app.commands.console import terminal_size
from fujikoro_app.commands.errors import FORFEITED, OK, UsageError
from fujikoro_app.commands.files import new_file, write_all
from fujikoro_app.commands.options import THIS_GAME, add_game, add_rules, typed_rules
from fujikoro_app.commands.other_game import refuse_with_game
from fujikoro_app.commands.parser import add_command

if TYPE_CHECKING:
    from fujikoro_app.forfeits import Forfeits
    from fujikoro_env.kernel.session import Session

WATCH_SPEED: Final = 3  # lines per second, slow enough to read


def add(commands: Any) -> None:
    example = "watch --by shogun,hunter,random --players 3 --seed 7"
    parser = add_command(commands, "watch", "watch a game between agents, with a line for each event", example, run)
    parser.add_argument(
        "--by", default="random", metavar="NAMES", help="agents: one for all seats, or one per seat (random)"
    )
    parser.add_argument(
        "--seed", type=seed_number, default=0, metavar="S", help="the same seed gives the same game (0)"
    )
    parser.add_argument(
        "--speed",
        type=not_below_zero,
        metavar="N",
        help=f"lines per second; 0 does not wait ({WATCH_SPEED} on a terminal, else 0)",
    )
    parser.add_argument("--every", type=at_least_one, metavar="N", help="show the whole table every N rounds (never)")
    parser.add_argument("--save", metavar="FILE", help="record the game in a new file, for `fujikoro replay FILE`")
    add_game(parser)
    add_rules(parser)


def run(args: argparse.Namespace) -> int:
    watched = _fuji_koro(args) if args.game == THIS_GAME else _other_game(args)
    file = new_file("--save", args.save) if args.save else None
    try:
        _tell([watched.heading], 0.0)
        _tell(watched.told, _speed(args.speed))
    except BrokenPipeError:
        if file:
            list(watched.told)  # nobody reads on, but the file should contain the whole game
        raise
    finally:  # an interrupted game is saved as far as it was played
        if file:
            write_all("--save", file, watched.session.recording().to_json())
    if file:
        print(f"recorded; to step through it: fujikoro replay {shlex.quote(args.save)}")
    return FORFEITED if watched.forfeits.found else OK


class Watched(NamedTuple):
    """A game to watch. It is played while `told` is read."""

    session: "Session"
    forfeits: "Forfeits"
    heading: str
    told: Iterator[str]


def _fuji_koro(args: argparse.Namespace) -> Watched:
    from fujikoro_app.forfeits import Forfeits
    from fujikoro_app.watching import heading, told_game
    from fujikoro_env.kernel.declared import find_game
    from fujikoro_env.session import Session

    rules = typed_rules(args)
    names = one_each("--by", args.by, rules.players)
    agents = [make_agent(name, args.seed, seat, find_game(THIS_GAME)) for seat, name in enumerate(names)]
    compile_first()
    session = Session(rules, args.seed, agents=agents, names=names, keep_history=bool(args.save))
    forfeits = Forfeits(session, rules.is_coop)
    told = told_game(session, forfeits, args.every)
    return Watched(session, forfeits, f"Fuji Koro, seed {args.seed}: {heading(session)}", told)


def _other_game(args: argparse.Namespace) -> Watched:
    from fujikoro_app import any_game
    from fujikoro_app.forfeits import Forfeits

    find_modules_here()
    refuse_with_game(args)
    try:
        game = any_game.game_named(args.game)
        rules = any_game.rules_of(game, any_game.settings_of(game, args))
        names = any_game.one_each("--by", any_game.names_of(args.by), rules.players)
    except any_game.OtherGameError as error:
        raise UsageError(str(error)) from None
    agents = [make_agent(name, args.seed, seat, game) for seat, name in enumerate(names)]
    session = game.session_class(rules, args.seed, agents=agents, names=names)
    forfeits = Forfeits(session, game.is_team(rules))
    told = any_game.told_game(session, game.shown, forfeits, args.every)
    return Watched(session, forfeits, f"{game.title}, seed {args.seed}: {', '.join(names)}", told)


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
    return wrapped(text, terminal_size()[0], others=" " * 4)

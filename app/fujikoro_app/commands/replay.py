"""`fujikoro replay`: a recorded game, step by step."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fujikoro_app.commands.console import keyboard_here
from fujikoro_app.commands.errors import OK, UsageError
from fujikoro_app.commands.options import add_json
from fujikoro_app.commands.parser import add_command

if TYPE_CHECKING:
    from fujikoro_env.kernel.declared import DeclaredGame
    from fujikoro_env.kernel.record import Replay


def add(commands: Any) -> None:
    parser = add_command(commands, "replay", "step through a recorded game", "replay game.json --at 120", run)
    parser.add_argument("file", metavar="FILE", help="what `fujikoro watch --save FILE` wrote")
    parser.add_argument("--at", type=int, default=0, metavar="STEP", help="begin after this step (0)")
    parser.add_argument("--check", action="store_true", help="only check that it replays to the same game")
    parser.add_argument("--content", metavar="PACK", help="where the content pack is now, if it has moved")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
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
        Stepper(replay, keyboard_here(), args.at, game.shown, game.session_class).run()
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

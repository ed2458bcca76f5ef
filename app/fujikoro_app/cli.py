"""The command `fujikoro`.

Whatever a user typed wrong gets one line on standard error and exit status 2. Each command has a module in `commands/`.
"""

import argparse
import io
import os
import re
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from fujikoro_app.commands import (
    balance,
    bench,
    compare,
    content,
    dataset,
    evaluate,
    play,
    policy,
    replay,
    report,
    tournament,
    train,
    warmup,
    watch,
    web,
)
from fujikoro_app.commands.errors import INTERRUPTED, OK, UsageError, complain
from fujikoro_app.commands.parser import Command, Parser, example_line
from fujikoro_env import __version__
from fujikoro_env.kernel.text import quoted

COMMANDS: Final = (  # in the order of `fujikoro --help`
    balance,
    bench,
    compare,
    content,
    dataset,
    evaluate,
    play,
    policy,
    replay,
    report,
    tournament,
    train,
    warmup,
    watch,
    web,
)
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # with these a name could steer the terminal that shows it


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
        return complain([str(error)])
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:  # a full disk, for example
        return complain([f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)])


def _parser() -> Parser:
    parser = Parser(prog="fujikoro", description="The board game Fuji Koro, simulated.", epilog=example_line("watch"))
    parser.add_argument("--version", action="version", version=f"fujikoro_env {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return parser


def _checked_arguments(argv: Sequence[str] | None) -> list[str]:
    """Return the arguments. Names with control characters are refused here, before any of them can be shown."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for argument in arguments:
        if CONTROL.search(argument):
            raise UsageError(f"argument {quoted(argument)}: control characters are not allowed")
    return arguments


def _needs_ray(args: argparse.Namespace) -> None:
    """Refuse --cluster where Ray is not installed."""
    if getattr(args, "cluster", None) is not None and find_spec("ray") is None:
        raise UsageError("--cluster needs ray: pip install 'fujikoro_env[cluster]'")


def _flushed(status: int) -> int:
    sys.stdout.flush()  # here, where a broken pipe is caught
    return status


if __name__ == "__main__":
    sys.exit(main())

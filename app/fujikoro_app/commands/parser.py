"""The parser of the command line, and the way in which a command is added to it."""

import argparse
from collections.abc import Callable
from typing import Any, NoReturn

from fujikoro_app.commands.errors import UsageError
from fujikoro_env.kernel.text import LONGEST, shortened

Command = Callable[[argparse.Namespace], int]


class Parser(argparse.ArgumentParser):
    """Reports errors in one line, without the usage that argparse would print above them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{shortened(message, 2 * LONGEST)} (see {self.prog} --help)")


def example_line(command: str) -> str:
    """Last line of a help text."""
    return f"example: fujikoro {command}"


def add_command(commands: Any, name: str, what: str, example: str, command: Command | None = None) -> Parser:
    """Add a command. `what` is a line that says what it does; `command` runs it, unless it only has commands itself."""
    description = what[0].upper() + what[1:] + "."
    parser: Parser = commands.add_parser(name, help=what, description=description, epilog=example_line(example))
    if command:
        parser.set_defaults(command=command)
    return parser

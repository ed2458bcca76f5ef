"""The parser of the command line, and the way in which a command is added to it."""

import argparse
from collections.abc import Callable
from typing import Any, Final, NoReturn

from fujikoro_app.commands.errors import UsageError
from fujikoro_env.kernel.text import LONGEST, shortened

Command = Callable[[argparse.Namespace], int]
EXAMPLE: Final = "example:"  # begins the last line of a help text


class Formatter(argparse.HelpFormatter):
    """Keeps the example on one line, so that it can be copied."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith(EXAMPLE) else super()._fill_text(text, width, indent)


class Parser(argparse.ArgumentParser):
    """Reports errors in one line, without the usage that argparse would print above them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False, formatter_class=Formatter)
        self.set_defaults(prog=self.prog)  # the command that was typed: that of the innermost parser

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Like argparse's; an unknown argument names the command that does not know it."""
        found, unknown = self.parse_known_args(args, namespace)
        if unknown:
            told = f"unrecognized arguments: {' '.join(unknown)}"
            raise UsageError(f"{shortened(told, 2 * LONGEST)} (see {found.prog} --help)")
        return found

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{shortened(message, 2 * LONGEST)} (see {self.prog} --help)")


def example_line(command: str) -> str:
    """Last line of a help text."""
    return f"{EXAMPLE} fujikoro {command}"


def add_command(commands: Any, name: str, what: str, example: str, command: Command | None = None) -> Parser:
    """Add a command. `what` is a line that says what it does; `command` runs it, unless it only has commands itself."""
    description = what[0].upper() + what[1:] + "."
    parser: Parser = commands.add_parser(name, help=what, description=description, epilog=example_line(example))
    if command:
        parser.set_defaults(command=command)
    return parser

"""The keyboard and the terminal, or standard input and output that are files."""

import io
import shutil
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fujikoro_app.human import Keyboard

PAPER_WIDTH: Final = 120  # columns when the output is not a terminal


def keyboard_here() -> "Keyboard":
    """Standard input and output, on a terminal with line editing and tab completion if Python supports them."""
    from fujikoro_app.human import Keyboard
    from fujikoro_app.terminal import say

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if not sys.stdin.isatty():
        return Keyboard(_read_and_echo, say, lambda: (PAPER_WIDTH, 0))
    keyboard = Keyboard(input, say, terminal_size)
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


def terminal_size() -> tuple[int, int]:
    """Usable columns and lines of the terminal."""
    columns, lines = shutil.get_terminal_size()
    return columns - 1, lines  # some terminals wrap text that reaches the last column

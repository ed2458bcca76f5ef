"""Progress bars, and coloured output where the terminal supports it and `NO_COLOR` is not set."""

import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from rich.console import Console
from rich.progress import track
from rich.text import Text

T = TypeVar("T")
NO_BREAK: Final = "\N{NO-BREAK SPACE}"  # within names, while lines are wrapped

# Colours by seat: those of the players' pieces, as closely as the 16 colours of a terminal allow.
SEATS: Final = ("red", "bright_magenta", "green", "bright_blue", "magenta", "cyan")
STYLES: Final = (  # pattern, and the style of what it finds
    (r"^(round \d+|set-up) ·", "dim"),
    (r"(?<![\w.])\+\d+ VP\b", "bold yellow"),
    (r"(?<![\w.])-\d+ VP\b", "bold red"),
    (r"\bis knocked out\b|\bloses a life\b", "red"),
    (r"\b\w+ is beaten\b", "bold green"),
    (r"~~", "red"),
    (r"\b[A-Z]{3,7}-\d{1,2}\b", "bold"),
    (r"^(  )?(\S+ would .*)", "italic"),
    (r"\bis asked: .*", "bold"),
)


def seat_pattern(seat: int) -> str:
    """Pattern that finds a player in text, with the name of its agent if that comes before it."""
    return rf"\S+ \(player {seat}\)|\b[Pp]layer {seat}\b"


def painted(text: str, console: Console) -> str:
    """The text with colour codes, or unchanged if the console has no colours."""
    if not console.color_system or console.no_color:
        return text
    shown = Text(text)
    for pattern, style in STYLES:
        shown.highlight_regex(re.compile(pattern, re.MULTILINE), style)
    for seat, style in enumerate(SEATS):
        shown.highlight_regex(seat_pattern(seat), f"bold {style}")
    with console.capture() as captured:
        console.print(shown, soft_wrap=True, end="")
    return captured.get()


def wrapped(text: str, width: int, first: str = "", others: str = "") -> str:
    """The text in lines of this width, which begin with `first` and `others`. Names such as `shogun (player 1)` stay on
    one line, and so does what is joined by `NO_BREAK`."""
    lines = textwrap.wrap(
        text.replace(" (player ", f"{NO_BREAK}(player{NO_BREAK}"),
        width,
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace(NO_BREAK, " ")


def say(text: str) -> None:
    """Print to standard output, in colour if it has colours."""
    print(painted(text, Console(highlight=False)), flush=True)


def tracked(things: Sequence[T], what: str) -> Iterable[T]:
    """Iterate with a progress bar on standard error if that is a terminal."""
    console = Console(stderr=True)
    return track(things, what, console=console, transient=True, disable=not console.is_terminal)

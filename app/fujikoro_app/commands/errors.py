"""Exit statuses, and errors in what the user typed."""

import re
import sys
from collections.abc import Iterable
from typing import Final

from fujikoro_env.kernel.text import LONGEST, printable, shortened

OK: Final = 0
FORFEITED: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
LONG_WORD: Final = re.compile(rf"\S{{{LONGEST + 1},}}")


class UsageError(Exception):
    """An error in what the user typed."""


def complain(messages: Iterable[str]) -> int:
    """Print messages, each on one line. Returns the exit status."""
    for message in messages:
        line = LONG_WORD.sub(lambda word: shortened(word[0]), " ".join(message.split()))
        print("fujikoro:", printable(line), file=sys.stderr)
    return BAD_INPUT

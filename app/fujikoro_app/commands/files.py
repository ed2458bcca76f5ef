"""Files that a command writes."""

from pathlib import Path
from typing import TextIO

from fujikoro_app.commands.errors import UsageError


def new_file(switch: str, name: str) -> TextIO:
    """Open a new file to write. `switch`: the option with its name, for messages."""
    try:
        return Path(name).open("x", encoding="utf-8", errors="replace")  # x: never over another file
    except FileExistsError:
        raise UsageError(f"{switch} {name}: exists already, and is left as it is") from None
    except OSError as error:
        raise UsageError(f"{switch} {name}: {error.strerror}") from None

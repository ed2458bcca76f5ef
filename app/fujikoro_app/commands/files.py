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


def write_all(switch: str, file: TextIO, text: str) -> None:
    """Write and close a new file. If that fails, the file is removed, so that the command can be repeated."""
    try:
        with file:
            file.write(text)
    except OSError as error:
        Path(file.name).unlink(missing_ok=True)
        raise UsageError(f"{switch} {file.name}: {error.strerror}") from None

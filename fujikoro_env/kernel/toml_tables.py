"""Reads TOML tables key by key. Anything wrong becomes a fault, and reading continues to find further ones.

Content packs of all games are read with these classes; what the keys mean is up to the game.
"""

import reprlib
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeGuard, TypeVar

from fujikoro_env.kernel.text import one_line, printable

T = TypeVar("T")
NAMING_KEYS = ("id", "power", "colour", "kind")  # the first one present identifies a table in messages
LONGEST_NAME = 100  # characters of a pack's name or folder in messages
Values = dict[str, dict[str, object]]  # of a pack: the values of its files, by file
NO_VALUES: Values = {}


@dataclass(frozen=True)
class Fault:
    """One fault: the file, the entry, what is wrong and what is allowed instead."""

    file: str  # "" for the pack as a whole
    entry: str  # such as "scenario the_neck"; "" for the file as a whole
    message: str

    def __str__(self) -> str:
        return printable(": ".join(part for part in (self.file, self.entry, self.message) if part))


class ContentError(ValueError):
    """Raised for a content pack that can't be played. `faults` lists everything that is wrong with it."""

    def __init__(self, pack: str, faults: Sequence[Fault]) -> None:
        super().__init__(pack, faults)  # all arguments, so that the error survives pickling
        self.pack = pack
        self.faults = tuple(faults)

    def __str__(self) -> str:
        more = len(self.faults) - 1
        rest = f" (and {more} more{self.how_to_list})" if more else ""
        return f"content pack {one_line(self.pack, LONGEST_NAME)}: {self.faults[0]}{rest}"

    @property
    def how_to_list(self) -> str:
        """How to see all faults, as the end of a remark. Games that have a command for it override this."""
        return ""


def shown(value: object) -> str:
    """Return a value for a message, shortened if it is unreasonably long."""
    return _SHORT.repr(value)


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60


class TomlTable:
    """One table of a TOML file. A missing value, or one of the wrong type, reads as an empty one."""

    def __init__(self, file: str, label: str, values: dict[str, object], faults: list[Fault]) -> None:
        self.file = file
        self.label = label
        self._values = values
        self._faults = faults
        self._asked: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def fault(self, message: str) -> None:
        """Add a fault of this table."""
        self._faults.append(Fault(self.file, self.label, message))

    def text(self, key: str, default: str | None = None) -> str:
        """Return the string of a key."""
        value = self._value(key, default)
        return value if isinstance(value, str) else self._wrong(key, value, "a string", "")

    def number(self, key: str) -> int:
        """Return the whole number of a key."""
        value = self._value(key)
        return value if _is_number(value) else self._wrong(key, value, "a whole number", 0)

    def flag(self, key: str) -> bool:
        """Return true or false."""
        value = self._value(key)
        return value if isinstance(value, bool) else self._wrong(key, value, "true or false", False)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the list of strings of a key."""
        value = self._value(key)
        return tuple(value) if _is_texts(value) else self._wrong(key, value, "a list of strings", ())

    def numbers(self, key: str) -> tuple[int, ...]:
        """Return the list of whole numbers of a key."""
        value = self._value(key)
        return tuple(value) if _is_numbers(value) else self._wrong(key, value, "a list of whole numbers", ())

    def text_lists(self, key: str) -> tuple[tuple[str, ...], ...]:
        """Return the list of lists of strings of a key."""
        value = self._value(key)
        if isinstance(value, list) and all(_is_texts(item) for item in value):
            return tuple(tuple(item) for item in value)
        return self._wrong(key, value, "a list of lists of strings", ())

    def is_number(self, key: str) -> bool:
        """Whether the value of a key is a whole number."""
        return _is_number(self._values.get(key))

    def table(self, key: str, read: Callable[["TomlTable"], T]) -> T:
        """Return what `read` makes of the table [key]."""
        value = self._value(key)
        if isinstance(value, dict):
            return TomlTable(self.file, key, value, self._faults).read_all(read)
        self._wrong(key, value, f"a table [{key}]", None)
        return read(TomlTable(self.file, key, {}, []))  # empty values; further faults in there would add nothing

    def tables(self, key: str, label: str, read: Callable[["TomlTable"], T]) -> tuple[T, ...]:
        """Return what `read` makes of each table [[key]]; `label` names one of them in faults."""
        value = self._value(key)
        entries = value if _is_tables(value) else self._wrong(key, value, f"a list of tables [[{key}]]", [])
        labels = [_entry_label(label, n, values) for n, values in enumerate(entries, 1)]
        tables = [
            TomlTable(self.file, name, values, self._faults) for name, values in zip(labels, entries, strict=True)
        ]
        return tuple(table.read_all(read) for table in tables)

    def read_all(self, read: Callable[["TomlTable"], T]) -> T:
        """Return what `read` makes of this table; keys that it never reads are reported as unknown."""
        result = read(self)
        self.finish()
        return result

    def finish(self) -> None:
        """Report unknown keys. To be called when every known key has been read."""
        for key in self._values:
            if key not in self._asked:
                self.fault(f"unknown key '{key}'; known here: {', '.join(self._asked)}")

    def _value(self, key: str, default: object = None) -> object:
        self._asked.append(key)
        if key not in self._values and default is None:
            self.fault(f"key '{key}' is missing")
        return self._values.get(key, default)

    def _wrong(self, key: str, value: object, wanted: str, instead: T) -> T:
        if value is not None:  # None is a missing key, which has already been reported
            self.fault(f"'{key}' must be {wanted}, not {shown(value)}")
        return instead


@dataclass(frozen=True)
class PackFolders:
    """The packs that a game ships: folders in a package, each with a certain file."""

    package: str
    file: str

    def names(self) -> tuple[str, ...]:
        """Names of the shipped packs."""
        neighbours = resources.files(self.package).iterdir()
        return tuple(sorted(path.name for path in neighbours if path.is_dir() and path.joinpath(self.file).is_file()))

    def find(self, name_or_path: str | Path) -> tuple[Traversable, list[Fault]]:
        """Return the folder of a pack, and the fault if there is none. A string may name a shipped pack; a `Path` is
        always a folder."""
        shipped = self.names()
        folder: Traversable = Path(name_or_path)
        if isinstance(name_or_path, str) and name_or_path in shipped:
            folder = resources.files(self.package).joinpath(name_or_path)
        if _is_folder(folder):
            return folder, []
        name = one_line(str(folder), LONGEST_NAME)
        return folder, [Fault("", "", f"no folder '{name}'; the shipped packs are: {', '.join(shipped)}")]


def _is_folder(path: Traversable) -> bool:
    """Whether there is such a folder. The system refuses names that are too long or contain NUL."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def read_documents(folder: Traversable, files: Sequence[str]) -> tuple[dict[str, TomlTable], list[Fault]]:
    """Return the files of a pack as tables, by name, and the list that collects their faults, those in parsing
    included."""
    values, faults = read_values(folder, files)
    return documents_of(values, faults), faults


def read_values(folder: Traversable, files: Sequence[str], usual: Values = NO_VALUES) -> tuple[Values, list[Fault]]:
    """Return the values of all files of a pack, by file, and the faults found while reading them. `usual` has the
    values of files that may be missing."""
    known = f"a pack has {', '.join(files)}"
    names = sorted(path.name for path in folder.iterdir() if path.name.endswith(".toml"))
    faults = [Fault(name, "", f"unknown file; {known}") for name in names if name not in files]
    values: Values = {}
    for file in files:
        try:
            values[file] = _toml(folder, file, faults)
        except FileNotFoundError:
            values[file] = usual.get(file, {})
            if file not in usual:
                faults.append(Fault(file, "", f"the file is missing; {known}"))
    return values, faults


def documents_of(values: Values, faults: list[Fault]) -> dict[str, TomlTable]:
    """Return the files of a pack as tables; `faults` collects what is found while they are parsed."""
    return {file: TomlTable(file, "", values[file], faults) for file in values}


def _toml(folder: Traversable, file: str, faults: list[Fault]) -> dict[str, object]:
    try:
        return tomllib.loads(folder.joinpath(file).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        faults.append(Fault(file, "", f"not readable as TOML: {error}"))
    return {}


def _entry_label(label: str, number: int, values: dict[str, object]) -> str:
    name = next((values[key] for key in NAMING_KEYS if isinstance(values.get(key), str)), f"number {number}")
    return f"{label} {name}"


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_numbers(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(_is_number(item) for item in value)


def _is_tables(value: object) -> TypeGuard[list[dict[str, object]]]:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)

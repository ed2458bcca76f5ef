"""Reads TOML tables key by key. Anything wrong becomes a fault, and reading continues to find further ones."""

import tomllib
from collections.abc import Callable
from importlib.resources.abc import Traversable
from typing import TypeGuard, TypeVar

from fujikoro_env.content.errors import CHARACTERS, FILES, Fault, shown
from fujikoro_env.content.model import RULEBOOK, Values
from fujikoro_env.content.rulebook import FIRST_CUBES

T = TypeVar("T")
NAMING_KEYS = ("id", "power", "colour", "kind")  # the first one present identifies a table in messages


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


def read_values(folder: Traversable) -> tuple[Values, list[Fault]]:
    """Return the values of all files of a pack, by file, and the faults found while reading them."""
    faults = [Fault(name, "", f"unknown file; a pack has {', '.join(FILES)}") for name in _unknown_files(folder)]
    return {file: _toml(folder, file, faults) for file in FILES}, faults


def documents_of(values: Values, faults: list[Fault]) -> dict[str, TomlTable]:
    """Return the files of a pack as tables; `faults` collects what is found while they are parsed."""
    return {file: TomlTable(file, "", values[file], faults) for file in FILES}


def _unknown_files(folder: Traversable) -> list[str]:
    names = [path.name for path in folder.iterdir()]
    return sorted(name for name in names if name.endswith(".toml") and name not in FILES)


def _toml(folder: Traversable, file: str, faults: list[Fault]) -> dict[str, object]:
    try:
        return tomllib.loads(folder.joinpath(file).read_text(encoding="utf-8"))
    except FileNotFoundError:
        if file == CHARACTERS:
            return {"character": rulebook_characters()}
        faults.append(Fault(file, "", f"the file is missing; a pack has {', '.join(FILES)}"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        faults.append(Fault(file, "", f"not readable as TOML: {error}"))
    return {}


def rulebook_characters() -> list[dict[str, object]]:
    """Return the entries of characters.toml that give every character the starting pieces of the rulebook."""
    return [
        {"id": name, "vp": 0, "weapon": list(weapon), "pack": list(pack), "source": RULEBOOK}
        for name, (weapon, pack) in FIRST_CUBES.items()
    ]


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

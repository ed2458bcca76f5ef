"""The objects of the JSON, read with all faults noted."""

from collections.abc import Iterator
from typing import Any

from fujikoro_env.position.errors import Faults
from fujikoro_env.position.kinds import Kind, UnfitError, short


class Part:
    """An object of the JSON. Whatever is asked of it, it gives something fit, and notes a fault if it was not there."""

    def __init__(self, value: Any, where: str, faults: Faults) -> None:
        self.where, self.faults = where, faults
        if not isinstance(value, dict):
            faults.add(where or "position", f"{short(value)} is not an object")
            value = {}
        self.fields: dict[str, Any] = value

    def at(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def fault(self, key: str, what: str, rule: str = "") -> None:
        self.faults.add(self.at(key), what, rule)

    def only(self, *known: str) -> None:
        for key in self.fields:
            if key not in known:
                self.fault(key, f"unknown key; there are {', '.join(known)}")

    def get(self, key: str, kind: Kind, default: Any = None) -> Any:
        """The code of a value; without a default it must be there, unless its kind has a code for nothing."""
        fallback = kind.nothing if default is None else default
        if key not in self.fields:
            if fallback is None:
                self.fault(key, "is missing")
            return fallback
        try:
            return kind.read(self.fields[key])
        except UnfitError as error:
            self.fault(key, str(error))
            return fallback

    def need(self, key: str, kind: Kind) -> Any:
        """As `get`, but it must be there even if its kind has a code for nothing."""
        if key not in self.fields:
            self.fault(key, "is missing")
            return kind.nothing
        return self.get(key, kind)

    def part(self, key: str) -> "Part":
        return Part(self.fields.get(key, {}), self.at(key), self.faults)

    def parts(self, key: str) -> list["Part"]:
        values = self.fields.get(key, [])
        if not isinstance(values, list):
            self.fault(key, f"{short(values)} is not a list")
            return []
        return [Part(value, f"{self.at(key)}[{k}]", self.faults) for k, value in enumerate(values)]

    def named(self, key: str, kind: Kind, names_suffice: bool = False) -> Iterator[tuple[int, "Part"]]:
        """The objects of an object whose keys are names; `names_suffice` to say where a fault is."""
        inner = self.part(key)
        for name, value in inner.fields.items():
            try:
                code = kind.read(name)
            except UnfitError as error:
                inner.fault(name, str(error))
                continue
            yield code, Part(value, name if names_suffice else inner.at(name), self.faults)

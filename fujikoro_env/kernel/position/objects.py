"""The objects of the JSON while they are read."""

from collections.abc import Iterator

from fujikoro_env.kernel.position.errors import Faults
from fujikoro_env.kernel.position.kinds import Code, Json, Kind, UnfitError, short


class JsonObject:
    """An object of the JSON. Every request returns a usable value; if the real one is missing or wrong, a fault is
    noted."""

    def __init__(self, value: Json, where: str, faults: Faults) -> None:
        self.where, self.faults = where, faults
        if not isinstance(value, dict):
            faults.add(where or "position", f"{short(value)} is not an object")
            value = {}
        self.fields: dict[str, Json] = value

    def at(self, key: str) -> str:
        """Path of a key, for messages."""
        return f"{self.where}.{key}" if self.where else key

    def fault(self, key: str, what: str, rule: str = "") -> None:
        """Note a fault of a key."""
        self.faults.add(self.at(key), what, rule)

    def only(self, *known: str) -> None:
        """Note a fault for every key that is not known."""
        for key in self.fields:
            if key not in known:
                self.fault(key, f"unknown key; there are {', '.join(known)}")

    def get(self, key: str, kind: Kind[Code, Json], default: Code | None = None) -> Code:
        """The code of a value that may be left out, because there is a default, or a code for "nothing" in its kind."""
        code = self.find(key, kind, default)
        if code is None:
            raise TypeError(f"{self.at(key)}: its kind has no code for nothing, so it needs a default, or `find`")
        return code

    def find(self, key: str, kind: Kind[Code, Json], default: Code | None = None) -> Code | None:
        """The code of a value. Without a default the value must be there, unless its kind has a code for nothing.
        Returns None, and notes a fault, if the value is missing or can't be read and there is no fallback."""
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

    def need(self, key: str, kind: Kind[Code, Json]) -> Code | None:
        """Same as `find`, but the value must be there even if its kind has a code for nothing."""
        if key not in self.fields:
            self.fault(key, "is missing")
            return kind.nothing
        return self.find(key, kind)

    def part(self, key: str) -> "JsonObject":
        """The object under a key, empty if it is missing."""
        return JsonObject(self.fields.get(key, {}), self.at(key), self.faults)

    def parts(self, key: str) -> list["JsonObject"]:
        """The objects of the list under a key, empty if it is missing."""
        values = self.fields.get(key, [])
        if not isinstance(values, list):
            self.fault(key, f"{short(values)} is not a list")
            return []
        return [JsonObject(value, f"{self.at(key)}[{k}]", self.faults) for k, value in enumerate(values)]

    def named(self, key: str, kind: Kind[int, str], names_suffice: bool = False) -> Iterator[tuple[int, "JsonObject"]]:
        """The objects inside an object whose keys are names. With `names_suffice`, faults are located by the name
        alone."""
        inner = self.part(key)
        for name, value in inner.fields.items():
            try:
                code = kind.read(name)
            except UnfitError as error:
                inner.fault(name, str(error))
                continue
            yield code, JsonObject(value, name if names_suffice else inner.at(name), self.faults)

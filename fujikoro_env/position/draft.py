"""The objects of the JSON while they are read, and the record that is built from them."""

from collections.abc import Iterator

from fujikoro_env.content.model import TileSpace
from fujikoro_env.kernel.records import zeros
from fujikoro_env.position.errors import Faults
from fujikoro_env.position.fields import Fields
from fujikoro_env.position.kinds import Code, Json, Kind, UnfitError, short
from fujikoro_env.position.lookup import write_code
from fujikoro_env.position.words import PLAYER, SEAT, names_of
from fujikoro_env.rules.base.names import Where
from fujikoro_env.rules.base.state import Fight, Frame, State
from fujikoro_env.settings import Rules


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


# --- the draft ------------------------------------------------------------------------------------------------------


class Draft:
    """The record read so far, with what the readers of its parts need to know about each other."""

    def __init__(self, top: JsonObject, rules: Rules) -> None:
        self.top, self.faults, self.rules = top, top.faults, rules
        self.names, self.n = names_of(rules.pack), rules.players
        self.games = zeros(State, 1)
        self.s: State = self.games[0]
        rules.write_settings(self.s.settings)
        self.viewer: int | None = None
        self.icons: dict[int, TileSpace] = {}  # by space: what is printed there
        self._pieces: dict[tuple[str, str], str] = {}  # where each unique piece is, by kind and id
        self.lying: dict[str, dict[str, int]] = {"gear_cards": {}, "blueprints": {}}  # where cards lie, by id

    def take(self, kind: str, id: str, where: str) -> None:
        """Note where a unique piece is. It is a fault if it is in two places."""
        first = self._pieces.setdefault((kind, id), where)
        if first != where:
            self.faults.add(where, f"the {kind} {id} is also at {first}", "SETUP-10")

    def left_of(self, kind: str, codes: dict[str, int]) -> list[int]:
        """The codes of the pieces that are not placed anywhere."""
        return [code for id, code in codes.items() if (kind, id) not in self._pieces]

    def own(self, family: str, id: str, p: int, where: str) -> None:
        """Note that a player owns a card."""
        self.lie(family, id, Where.OWNED + p, where)

    def lie(self, family: str, id: str, place: int, where: str) -> None:
        """Note where a card lies. It is a fault if it lies in two places."""
        if id in self.lying[family]:
            self.faults.add(where, f"the card {id} lies at two places", "SETUP-10")
        self.lying[family][id] = place

    def fill(self, record: Frame | Fight, part: JsonObject, fields: Fields, needed: tuple[str, ...] = ()) -> None:
        """Fill the fields of a record from an object. `needed`: keys that must be there."""
        for name, (field, kind) in fields.items():
            code = part.need(name, kind) if name in needed else part.find(name, kind)
            if (kind is SEAT or kind is PLAYER) and code is not None and code >= self.rules.seats:
                part.fault(name, f"there is no player {code}", "SETUP-1")
            if code is not None:
                write_code(record, field, code)

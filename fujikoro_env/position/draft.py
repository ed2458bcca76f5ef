"""The record that is built from a position."""

from fujikoro_env.content.model import TileSpace
from fujikoro_env.kernel.position.objects import JsonObject
from fujikoro_env.kernel.records import zeros
from fujikoro_env.position.fields import Fields
from fujikoro_env.position.lookup import write_code
from fujikoro_env.position.words import PLAYER, SEAT, names_of
from fujikoro_env.rules.base.names import Where
from fujikoro_env.rules.base.state import Fight, Frame, State
from fujikoro_env.settings import Rules


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

"""A position on its way from the JSON to a record."""

from typing import Any

from fujikoro_env.content.model import TileSpace
from fujikoro_env.kernel.records import zeros
from fujikoro_env.position.fields import Fields
from fujikoro_env.position.names import names_of
from fujikoro_env.position.reading.parts import Part
from fujikoro_env.position.words import PLAYER, SEAT
from fujikoro_env.rules.base.names import Where
from fujikoro_env.rules.base.state import State
from fujikoro_env.settings import Rules


class Draft:
    """What is read so far, and what its parts need to know of each other."""

    def __init__(self, top: Part, rules: Rules) -> None:
        self.top, self.faults, self.rules = top, top.faults, rules
        self.names, self.n = names_of(rules.pack), rules.players
        self.games = zeros(State, 1)
        self.s: Any = self.games[0]
        rules.write_settings(self.s.settings)
        self.viewer: int | None = None
        self.icons: dict[int, TileSpace] = {}  # by space: what is printed there
        self._pieces: dict[tuple[str, str], str] = {}  # where each piece is, of those that there are once
        self.lying: dict[str, dict[str, int]] = {"gear_cards": {}, "blueprints": {}}  # where cards lie, by id

    def take(self, kind: str, id: str, where: str) -> None:
        """A piece that there is once."""
        first = self._pieces.setdefault((kind, id), where)
        if first != where:
            self.faults.add(where, f"the {kind} {id} is also at {first}", "SETUP-10")

    def left_of(self, kind: str, codes: dict[str, int]) -> list[int]:
        """The codes of those pieces that nobody has taken."""
        return [code for id, code in codes.items() if (kind, id) not in self._pieces]

    def own(self, family: str, id: str, p: int, where: str) -> None:
        self.lie(family, id, Where.OWNED + p, where)

    def lie(self, family: str, id: str, place: int, where: str) -> None:
        if id in self.lying[family]:
            self.faults.add(where, f"the card {id} lies at two places", "SETUP-10")
        self.lying[family][id] = place

    def fill(self, record: Any, part: Part, fields: Fields, needed: tuple[str, ...] = ()) -> None:
        for name, (field, kind) in fields.items():
            code = part.need(name, kind) if name in needed else part.get(name, kind)
            if isinstance(code, list):
                record[field][: len(code)] = code
            elif code is not None:
                if (kind is SEAT or kind is PLAYER) and code >= self.rules.seats:
                    part.fault(name, f"there is no player {code}", "SETUP-1")
                record[field] = code

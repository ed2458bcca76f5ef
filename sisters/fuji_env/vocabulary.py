"""Names of actions and things in one game: fixed names from the action table, places from the layout."""

from typing import Any

from fuji_env.content.model import Pack
from fuji_env.rules.base import actions as act
from fujikoro_env.kernel.text import quoted

COLUMNS = "abcdefghijklmnop"


class Vocabulary:
    """Translates between the numbers of a game's record and names."""

    def __init__(self, pack: Pack, state: Any) -> None:
        self.pack, self.state = pack, state
        self._cards = pack.scenarios[int(state.settings.scenario)].places()
        self._rows = len(pack.scenarios[int(state.settings.scenario)].rows)

    def action_name(self, action: int) -> str:
        """Return a name that is unique among the actions of a state: `place(d3)`, `play(whistle)`, `roll(1+4)`."""
        block = act.TABLE.block_of(action)
        index = action - block.first
        if block.name == "place" and index < len(self._cards):
            return f"place({self.place(index)})"
        if block.name == "figure" and index < self.state.settings.figures:
            return f"figure({(self._asking + index) % int(self.state.settings.figures)})"
        return act.TABLE.plain_name(action)

    def parse_action(self, name: str) -> int:
        """Return the action with this name."""
        return act.TABLE.parse(name, self.action_name)

    @property
    def _asking(self) -> int:
        return int(self.state.stack[self.state.depth - 1].figure)

    def place(self, place: int) -> str:
        """Return the name of a place: its column as a letter and its row as a number, from the lower left corner."""
        row, column, _ = self._cards[place]
        return f"{COLUMNS[column]}{self._rows - row}"

    def find_place(self, name: str) -> int:
        """Return the place with this name."""
        names = [self.place(place) for place in range(len(self._cards))]
        if name not in names:
            raise ValueError(f"no place is called {quoted(name)}: there are {', '.join(names)}")
        return names.index(name)

    def card(self, place: int) -> str:
        """Return the id of the area card at a place, or "" if there is none."""
        card = int(self.state.cards[place])
        return self.pack.areas[card - 1].id if card else ""

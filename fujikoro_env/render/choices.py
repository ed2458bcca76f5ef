"""Short notes on legal actions: where a space lies and what is on it, a card's pattern, what a power does."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence

from fujikoro_env.content.model import FOOT_SPOTS, GEAR, Tile
from fujikoro_env.game import Game
from fujikoro_env.kernel import texts as kernel
from fujikoro_env.render.look import GearLook, SpaceLook, kept, look, token_letters
from fujikoro_env.render.powers import POWER_WORDS
from fujikoro_env.render.text import CELL_WINDS, card_text, grid_text, question_lines, tile_space_text
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.names import Outside, Terrain
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import PLACES, Hex, geometry

# Compass points in steps of 30 degrees, clockwise from the right. The petals of a tile lie at every second one.
WINDS = ("e", "ese", "se", "s", "sw", "wsw", "w", "wnw", "nw", "n", "ne", "ene")
LAVA = (Terrain.LAVA, Terrain.LAVA_TILE)
MONK_WORDS = {  # MONK-2
    "pool": "one more action disc",
    "scroll": "a second scroll slot",
    "weapon": "the right part of the weapon grid",
    "pack": "a bigger pack",
}
CUBE_WORDS = {"W": "wood", "M": "metal", "T": "tooth"}
LETTERS = {word: letter for letter, word in CUBE_WORDS.items()}
NO_CUBE = "."


class Choices(kernel.Choices):
    """The legal actions of the player who is asked, with a note for each and a short name for some."""

    view: Game

    def __init__(self, view: Game) -> None:
        super().__init__(view, act.TABLE)
        self.table = look(view)
        self._notes: dict[str, Callable[[int, str], str]] = {  # by action block, called with index and name
            "step": self._about_space,
            "place": self._about_place,
            "turn": self._about_turn,
            "lay": self._about_lay,
            "cell": self._about_cell,
            "card": self._about_card,
            "blueprint": self._about_card,
            "build": self._about_card,
            "scroll": self._about_scroll,
            "use": lambda _index, power: POWER_WORDS.get(power, ""),
            "find": self._about_find,
            "claim": self._about_claim,
            "monk": self._about_monk,
            "stack": lambda index, _name: str(self.table.stacks[index]),
        }

    def note(self, action: int) -> str:
        """Describes an action in a few words, or "" if its name says it all."""
        block = act.block_of(action)
        argument = self.view.action_name(action).partition("(")[2].removesuffix(")")
        about = self._notes.get(block.name)
        return about(action - block.first, argument) if about else ""

    def short_names(self) -> dict[int, str]:
        """Short names of actions: steps by their direction, cells by their numbers. Ambiguous ones are left out."""
        names = {action: self._short_name(action) for action in self.actions}
        count = Counter(names.values())
        return {action: name for action, name in names.items() if name and count[name] == 1}

    def _short_name(self, action: int) -> str:
        block = act.block_of(action)
        if block.name == "step":
            return self._wind(action - block.first)
        if block.name in ("lay", "cell"):
            return re.sub(r",? *\w+\[(.*)\]", r" \1", block.arguments[action - block.first]).strip()
        return ""

    def gear(self) -> GearLook | None:
        """The gear whose cells can be chosen, if all of them belong to one gear."""
        cells = [act.plain_name(action) for action in self.actions if act.block_of(action).name in ("lay", "cell")]
        named = {gear for gear in GEAR for cell in cells if f"{gear}[" in cell}
        return self.table.players[self.view.actor].gear[GEAR.index(named.pop())] if len(named) == 1 else None

    def first(self) -> list[int]:
        return self.completing()

    def question(self, width: int) -> list[str]:
        gear = self.gear()
        return [*([grid_text(gear)] if gear else []), *question_lines(self.table, width)]

    def completing(self) -> list[int]:
        """Actions that complete the pattern of a card: first those that lay a whole pattern, then single cubes."""
        builds = [action for action in self.actions if act.block_of(action).name == "build"]
        lays = [action for action in self.actions if act.block_of(action).name == "lay" and self.note(action)]
        return builds + lays

    # spaces and tiles

    def _about_space(self, space: int, _name: str) -> str:
        here = self.table.spaces[space]
        names = [self.table.players[seat].name for seat in here.samurai]
        return ", ".join(filter(None, (self._wind(space), _on_space(here, names), self._dragon_of(space))))

    def _dragon_of(self, space: int) -> str:
        """Describes the dragon on the tile of a space, because stepping there starts a fight."""
        place = int(geometry().place_of[space])
        dragon = next((dragon for dragon in self.table.dragons if dragon.place == place), None)
        return f"tile of {dragon.id}, health {dragon.health - dragon.damage}" if dragon else ""

    def _wind(self, space: int) -> str:
        """Direction of an adjacent space from the moving samurai, or "" if the space is not adjacent."""
        here = int(self.view.state.players[self._mover()].at)
        return wind_between(here, space) if space in geometry().neighbours[here] else ""

    def _mover(self) -> int:
        return int(kept(self.view, "other")) if self.view.phase == Phase.MOVE_OTHER else self.view.actor

    def _about_place(self, place: int, _name: str) -> str:
        dragon = next((dragon.id for dragon in self.table.dragons if dragon.place == place), "")
        return dragon or (f"level {'I' * geometry().place_ring[place]}" if place < PLACES else "")

    def _about_turn(self, turn: int, _name: str) -> str:
        return _turned_petals(self.table.drawn, turn) if self.table.drawn else ""

    # things

    def _about_lay(self, _index: int, argument: str) -> str:
        """Names the gear cards and owned blueprints that a cube on this cell completes."""
        kind, _, cell = argument.partition(", ")
        gear, _, numbers = cell.removesuffix("]").partition("[")
        row, column = map(int, numbers.split(","))
        me = self.table.players[self.view.actor]
        rows = [list(cells) for cells in me.gear[GEAR.index(gear)].rows]
        rows[row][column] = LETTERS[kind]
        has_card = any(card.gear == gear for card in me.cards.values())
        open_cards = [] if has_card else self.table.gear_cards[gear]
        wanted = [*open_cards, *(card for card in me.blueprints if card.gear == gear)]
        done = [card.id for card in wanted if any(lies_on(part, rows, (row, column)) for part in card.patterns)]
        return f"completes {' and '.join(done)}" if done else ""

    def _about_cell(self, _index: int, cell: str) -> str:
        gear, _, numbers = cell.removesuffix("]").partition("[")
        row, column = map(int, numbers.split(","))
        return CUBE_WORDS.get(self.table.players[self.view.actor].gear[GEAR.index(gear)].rows[row][column], "")

    def _about_card(self, _index: int, name: str) -> str:
        pack = self.view.rules.pack
        cards = {card.id: card for card in (*pack.gear_cards, *pack.blueprints)}
        card = cards.get(name.split()[-1])
        return f"{card.gear}: {card_text(card).removeprefix(card.id).strip()}" if card else ""

    def _about_scroll(self, _index: int, name: str) -> str:
        powers = {scroll.id: scroll.power for scroll in self.view.rules.pack.scrolls}
        return POWER_WORDS.get(powers.get(name, ""), "")

    def _about_monk(self, _index: int, spot: str) -> str:
        return MONK_WORDS.get(spot, "") if self.view.phase == Phase.MONK_SPOT else ""

    def _about_find(self, _index: int, name: str) -> str:
        here = self.table.spaces[int(kept(self.view, "space"))]
        if name == "resources" and here.token:
            return token_letters(here.token)
        if name == "adventure":
            return f"{here.adventure}: {POWER_WORDS.get(here.adventure, '')}"
        if name == "spoils":
            return " and ".join(here.spoils)
        return ""

    def _about_claim(self, index: int, track: str) -> str:
        pack, state = self.view.rules.pack, self.view.state
        if state.players[self.view.actor].outside == Outside.FOOT:
            return f"{pack.foot[track]} VP" if track in FOOT_SPOTS else ""
        values = pack.palace[track]
        return f"{values[min(int(state.palace[index]), len(values) - 1)]} VP"


def wind_between(here: int, there: int) -> str:
    """Direction from a space to an adjacent one."""
    from_hexes, to_hexes = geometry().hexes[here], geometry().hexes[there]
    touching = [hexagon for hexagon in to_hexes if any(_is_next(hexagon, other) for other in from_hexes)]
    (x, y), (a, b) = _middle(touching), _middle(from_hexes)
    angle = math.atan2(y - b, x - a)
    return WINDS[round(angle / math.tau * len(WINDS)) % len(WINDS)]


def lies_on(pattern: Sequence[str], rows: Sequence[Sequence[str]], cell: tuple[int, int]) -> bool:
    """Whether a gear contains a pattern, in any rotation, that uses the cube on this cell (MATCH-1)."""
    turned = [tuple(line) for line in pattern]
    for _ in range(4):
        turned = list(zip(*turned[::-1], strict=True))
        cubes = [(r, c, cube) for r, line in enumerate(turned) for c, cube in enumerate(line) if cube != NO_CUBE]
        for r, c, _cube in cubes:
            down, right = cell[0] - r, cell[1] - c
            if all(_letter_at(rows, row + down, column + right) == cube for row, column, cube in cubes):
                return True
    return False


def _letter_at(rows: Sequence[Sequence[str]], row: int, column: int) -> str:
    inside = 0 <= row < len(rows) and 0 <= column < len(rows[row])
    return rows[row][column] if inside else NO_CUBE


def _is_next(a: Hex, b: Hex) -> bool:
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r)) == 1


def _middle(hexes: Sequence[Hex]) -> tuple[float, float]:
    """Centre of some hexagons in the plane of the drawn map: x to the right, y down."""
    x = sum(q + r / 2 for q, r in hexes) / len(hexes)
    y = sum(r * math.sqrt(3) / 2 for _, r in hexes) / len(hexes)
    return x, y


def _turned_petals(tile: Tile, turn: int) -> str:
    """Describes the petals of a tile that is rotated by `turn` sixths; its centre does not change."""
    petals = [tile.spaces[1 + (k - turn) % 6] for k in range(6)]
    shown = zip(CELL_WINDS[1:], map(tile_space_text, petals), strict=True)
    return ", ".join(f"{wind} {what}" for wind, what in shown if what)


def _on_space(space: SpaceLook, names: list[str]) -> str:
    """Describes everything on a space."""
    token = space.token and (token_letters(space.token) if space.face_up else "token face down")
    things = (
        "lava" if space.terrain in LAVA else "",
        f"erupts at {space.eruption}" if space.eruption and space.terrain == Terrain.GROUND else "",
        token,
        "monk" if space.monk else "",
        f"{space.scroll} scroll" if space.scroll else "",
        space.adventure,
        "secret exit" if space.secret_exit else "",
        *space.spoils,
        *names,
    )
    return ", ".join(thing for thing in things if thing)

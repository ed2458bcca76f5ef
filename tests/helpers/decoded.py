"""Reads a position back from a tensor observation. Whatever can be read back is contained in the observation, so two
positions that differ in anything public have different observations."""

from typing import Any

import numpy as np

from fujikoro_env.kernel.records import zeros
from fujikoro_env.observation import columns
from fujikoro_env.rules.base.names import Terrain, Where
from fujikoro_env.rules.base.phase_entry import Holds
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import (
    DRAGONS_TURN,
    FIRST_PARTNER,
    GEAR_CELLS,
    GEAR_HEIGHT,
    GEAR_WIDTH,
    PLAYERS,
    State,
)
from fujikoro_env.rules.map.geometry import LATTICE_MIDDLE, PLACES, START, geometry

FIRST_ROWS = np.cumsum([0, *GEAR_HEIGHT])
HIDDEN = ("streams", "loaded_dice", "loaded_draws")
# Only for research: no rule reads them (docs/counters.md).
COUNTED, COUNTED_OF_PLAYER = "counts", "left_round"
FLAGS_OF_THE_RECORD = ("scenario", "terms", "characters")  # settings that observations show in another form
CENTRES = 1 + 7 * np.arange(PLACES)  # the centre spaces of all places
COLUMNS, ROWS = (np.array([hexes[0] for hexes in geometry().hexes]) + LATTICE_MIDDLE).T


def on_spaces(seen: Any, column: str) -> Any:
    """The pictures of a column of `map`, by space: (SPACES,), or (SPACES, width) for a wide column."""
    found = seen["map"][columns("map")[column]][:, ROWS, COLUMNS].T
    return found[:, 0] if found.shape[1] == 1 else found


class Decoder:
    """The public part of the record, decoded from an observation. Whatever is hidden or not in use is 0."""

    def __init__(self, seen: Any, observer: int) -> None:
        self.seen, self.observer = seen, observer
        self.games = zeros(State, 1)
        self.s: Any = self.games[0]
        self.count = self.number("rules", "players")
        self.read_rules()
        self.read_turn()
        self.read_frames()
        self.read_table()
        self.read_map()
        self.read_people()
        self.read_fight()

    # reading the arrays

    def part(self, field: str, column: str, row: int | None = None) -> Any:
        numbers = self.seen[field] if row is None else self.seen[field][row]
        return numbers[..., columns(field)[column]]

    def number(self, field: str, column: str, row: int | None = None) -> int:
        return int(self.part(field, column, row).item())

    def members(self, field: str, column: str, row: int | None = None) -> int:
        return sum(1 << k for k, flag in enumerate(self.part(field, column, row).tolist()) if flag)

    def player(self, seat: int) -> int:
        return seat if seat >= self.count else (self.observer + seat) % self.count

    def player_or_none(self, code: int) -> int:
        return self.player(code - 1) + 1 if code else 0

    # the record

    def read_rules(self) -> None:
        settings = self.s.settings
        for name in settings.dtype.names:
            if name not in FLAGS_OF_THE_RECORD:
                settings[name] = self.number("rules", name)
        settings.scenario = self.part("rules", "scenario").argmax()
        settings.terms = self.members("rules", "terms")
        for seat, character in enumerate(self.part("rules", "characters")[: self.count]):
            settings.characters[self.player(seat)] = character

    def read_turn(self) -> None:
        s = self.s
        s.round_number = self.number("turn", "round")
        s.first_player = self.player(self.number("turn", "first"))
        s.active = self.player(self.number("turn", "active"))
        for name in ("turn_over", "stock_taken", "countdown", "rope", "escaped", "depth"):
            s[name] = self.number("turn", name)
        s.reason = self.number("turn", "ended")
        s.used_powers = self.members("turn", "used")
        for seat, swapped in enumerate(self.part("turn", "swapped")[: self.count].tolist()):
            s.used_powers |= swapped << FIRST_PARTNER + self.player(seat)
        path = [space - 1 for space in self.part("turn", "path").tolist() if space]
        s.path[: len(path)], s.path_length = path, len(path)
        s.final_player = self.player_or_none(self.number("turn", "final_player"))
        s.lava_player = self.player_or_none(self.number("turn", "lava_player"))
        s.called = self.members("turn", "called") << 1

    def read_frames(self) -> None:
        for row in range(self.s.depth):
            frame = self.s.stack[self.s.depth - 1 - row]
            for name in ("phase", "stage", "left", "at", "thing", "marks"):
                frame[name] = self.number("frames", name, row)
            frame.actor = self.player(self.number("frames", "actor", row))
            frame.offer[:] = self.part("frames", "offer", row)
            frame.chosen = _of_bytes(self.part("frames", "chosen", row))
            for kind, held in enumerate(np.split(self.part("frames", "cubes", row), 3)):
                frame.cubes[kind] = _of_bytes(held)
            self._read_other(frame, self.player_or_none(self.number("frames", "other", row)))

    def _read_other(self, frame: Any, other: int) -> None:
        for field in Phase(int(frame.phase)).entry.keeps:
            if field.stage is not None and field.stage != frame.stage:
                continue
            if field.holds == Holds.PLAYER:
                frame[field.slot] = other - 1
            elif field.holds == Holds.PLAYER_OR_NONE:
                frame[field.slot] = other

    def read_table(self) -> None:
        s = self.s
        for name in ("supply", "scroll_tokens", "scroll_tokens_gone", "adventures_left", "adventures_gone"):
            s[name][:] = self.part("table", name)
        for name in ("squares_left", "hexes_left", "hexes_gone", "scroll_deck", "scroll_discards"):
            s[name] = self.members("table", name)
        for name in ("scroll_display", "palace", "foot"):
            s[name][:] = self.part("table", name)
        for level in range(3):
            s.tiles_left[level] = self.members("stacks", "left", level)
            s.tiles_gone[level] = self.members("stacks", "gone", level)
            tile = self.number("tiles", "tile", 1 + level)
            s.top[level] = tile - 16 * level if tile else 0
            for seat, looked in enumerate(self.part("stacks", "seen", level)[: self.count].tolist()):
                s.top_seen[level] |= looked << self.player(seat)
        self._read_cards(s.gear_cards, 0)
        self._read_cards(s.blueprints, len(s.gear_cards))

    def _read_cards(self, cards: Any, first: int) -> None:
        for slot, card in enumerate(cards):
            says = {name: self.number("cards", name, first + slot) for name in ("display", "gone", "temple", "owner")}
            card.card = self.number("cards", "card", first + slot)
            card.where = (
                Where.DISPLAY * says["display"]
                + Where.GONE * says["gone"]
                + (Where.TEMPLE + says["temple"] - 1 if says["temple"] else 0)
                + (Where.OWNED + self.player(says["owner"] - 1) if says["owner"] else 0)
            )

    def read_map(self) -> None:
        s = self.s
        lava, lava_tile, explored = (on_spaces(self.seen, name) for name in ("lava", "lava_tile", "explored"))
        s.terrain[:] = Terrain.GROUND * explored + (Terrain.LAVA - 1) * lava + (Terrain.LAVA_TILE - 1) * lava_tile
        for name in ("eruption", "token", "face_up", "monk", "spoils", "scroll"):
            s[name][:] = on_spaces(self.seen, name)
        kinds = on_spaces(self.seen, "adventure")
        s.adventure[:] = np.where(kinds.any(axis=1), kinds.argmax(axis=1) + 1, 0)
        s.secret_exit = on_spaces(self.seen, "exit").argmax()
        s.tile[:] = on_spaces(self.seen, "tile")[CENTRES]
        s.tile_turn[:] = on_spaces(self.seen, "turn")[CENTRES]
        s.dragon_at[:] = on_spaces(self.seen, "dragon")[[*CENTRES, START]]
        for dragon in range(len(s.dragons)):
            s.dragons_left |= self.number("dragons", "left", dragon) << dragon
            s.dragons_beaten |= self.number("dragons", "beaten", dragon) << dragon
            for name in ("place", "damage", "marker"):
                s.dragons[dragon][name] = self.number("dragons", name, dragon)

    def read_people(self) -> None:
        for seat in range(PLAYERS):
            me = self.s.players[self.player(seat)] if seat < self.count or self._is_enemy(seat) else None
            if me is None:
                continue
            for name in (name for name in me.dtype.names if name != COUNTED_OF_PLAYER):
                if name == "trophies":
                    me.trophies = self.members("players", "trophies", seat)
                elif name == "gear":
                    self._read_gear(me.gear, seat)
                elif np.ndim(me[name]):
                    me[name][:] = self.part("players", name, seat)
                else:
                    me[name] = self.number("players", name, seat)

    def _is_enemy(self, seat: int) -> bool:
        return bool(self.number("players", "plays", seat))

    def _read_gear(self, gear: Any, seat: int) -> None:
        cubes = self.seen["gear"][seat, columns("gear")["cubes"]]
        for index, grid in enumerate(gear):
            grid.magic = self.part("players", "magic", seat)[index]
            rows = cubes[:, FIRST_ROWS[index] : FIRST_ROWS[index + 1], : GEAR_WIDTH[index]]
            for kind, cells in enumerate(rows.reshape(3, GEAR_CELLS[index]).tolist()):
                grid.cubes[kind] = sum(1 << cell for cell, lies in enumerate(cells) if lies)

    def read_fight(self) -> None:
        fight = self.s.fight
        if not self.number("fight", "on"):
            return
        for name in ("dragon", "monk", "health", "rounds", "came", "gave_up", "turn", "hits", "break_hits"):
            fight[name] = self.number("fight", name)
        fight.breaks[:] = self.part("fight", "breaks")
        fight.active = self.player(self.number("fight", "active"))
        fight.defender = self.player(self.number("fight", "defender"))
        fight.loser = self.player_or_none(self.number("fight", "loser"))
        for k, code in enumerate(self.part("fight", "order").tolist()):
            fight.order[k] = code if code == DRAGONS_TURN else self.player_or_none(code)
        for seat in range(PLAYERS):
            if seat < self.count or self._is_enemy(seat):
                fighter = fight.fighters[self.player(seat)]
                for name in ("inside", "came_from", "initiative", "monk", "rerolled"):
                    fighter[name] = self.number("fighters", name, seat)
                fighter.rolled = self.members("fighters", "rolled", seat)


def _of_bytes(numbers: Any) -> int:
    return sum(byte << 8 * k for k, byte in enumerate(numbers.tolist()))


def differences(game: Any, observer: int) -> list[str]:
    """The fields of the record that can't be read back from the observation, except hidden ones."""
    told, held = Decoder(game.observe(observer), observer).s, game.view(observer).state
    held["players"][COUNTED_OF_PLAYER] = 0
    names = [name for name in held.dtype.names if name not in (*HIDDEN, COUNTED)]
    return [f"{name}: {told[name]} for {held[name]}" for name in names if told[name].tobytes() != held[name].tobytes()]

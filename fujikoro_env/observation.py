"""What a player sees of a game: as named arrays of whole numbers, or as one flat vector.

The vector is for small networks, and is written by compiled code for many games at once: `observe_compactly`. Its table
is in `fujikoro_env.rules.compact`. What follows is about the named arrays.

One table, `FIELDS`, makes the arrays, their space and their documentation (docs/environment.md). The observer is seat
0, and the others follow in playing order. The sizes are those of 6 players, whatever the player count: what is empty,
unknown, not in use or beyond the last player is 0, and nothing is below 0. So things that are numbered from 0 are
written as number + 1 where they may also be missing.

Nothing that the observer can't see has a column: no source of luck, no loaded dice or draws, and the top tile of a
stack only for those who have looked at it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    COLOURS,
    ERUPTIONS,
    FOOT_SPOTS,
    GEAR,
    LEVELS,
    MAX_CARDS_PER_TYPE,
    MAX_COPIES,
    MAX_COUNTDOWN,
    MAX_DRAGONS,
    MAX_PRINTED,
    MAX_SCROLLS,
    MAX_SUPPLY,
    MAX_TILES_PER_LEVEL,
    MAX_TOKENS_PER_SHAPE,
    MAX_TRACK,
    PALACE_TRACKS,
    RESOURCES,
    SUPPLY,
)
from fujikoro_env.rules import compact
from fujikoro_env.rules.geometry import PLACES, SPACES, TEMPLES
from fujikoro_env.rules.names import DISC_FIELDS, SPOTS, Character, Marker, Mode, Outside, Terrain, Where
from fujikoro_env.rules.phases import FIRST_AUTOMATIC
from fujikoro_env.rules.records import dtype_of
from fujikoro_env.rules.stages import FIRST_ACTION, TURN_END
from fujikoro_env.rules.state import CARD_SLOTS, GEAR_CELLS, PATH, PLAYERS, SCROLL_DISPLAY, SCROLL_SLOTS, Frame
from fujikoro_env.rules.terms import Term
from fujikoro_env.scenarios import SCENARIOS
from fujikoro_env.settings import MOST_ROUNDS

if TYPE_CHECKING:
    from gymnasium.spaces import Box, Space

OBSERVATIONS: Final = ("tensor", "compact")
Observation = dict[str, NDArray[np.int16]]

ANY_NUMBER: Final = int(np.iinfo(np.int16).max)  # nothing in the rules limits it
COUNT: Final = MAX_PRINTED  # pieces of a kind that one player has: more than any board or pack can hold
CUBE_COUNTS: Final = len(GEAR) * len(RESOURCES)
MOST_CARDS: Final = len(GEAR) * MAX_CARDS_PER_TYPE  # that a card's number tells apart
MOST_TILES: Final = len(LEVELS) * MAX_TILES_PER_LEVEL
TILE_TURNS: Final = 6
WHERE_CODES: Final = "0 no card, 1 in the display, 2 out of the game, 3 to 5 at a temple, 6 + seat of its owner"
CHARACTER_CODES: Final = "0 none, " + ", ".join(f"{one:d} {one.name.lower()}" for one in Character if one)
LAVA_NUMBERS: Final = 4
NO_QUESTION: Final = np.zeros((), dtype_of(Frame))

# Cells of all gear in the order of the action table: the gear of each, its bit in that gear's sets.
GEAR_OF_CELL: Final = np.repeat(np.arange(len(GEAR)), GEAR_CELLS)
BIT_OF_CELL: Final = np.concatenate([np.arange(cells) for cells in GEAR_CELLS])
CUBE_CODES: Final = np.arange(1, len(RESOURCES) + 1)


def has_enemies(state: Any) -> bool:
    return bool(int(state["settings"]["terms"]) >> Term.ENEMY_SAMURAI & 1)


class Sight:
    """A position as seen from one player's seat."""

    def __init__(self, state: Any, player: int) -> None:
        self.state: Any = np.asarray(state)  # the same memory; fields of a record cost Python six times more
        self.player = player
        self.count = int(self.state["settings"]["players"])
        self.order = (player + np.arange(self.count)) % self.count  # players by seat
        self.order_of_seats = self.order  # with those who are not players
        if has_enemies(self.state):  # SCEN-71
            self.order_of_seats = np.arange(self.count + TEMPLES)
        self.players = self.state["players"][self.order_of_seats]
        self.over = bool(self.state["reason"])
        self.question = NO_QUESTION if self.over else self.state["stack"][self.state["depth"] - 1]

    def seat(self, player: Any) -> Any:
        return (player - self.player) % self.count


@dataclass(frozen=True)
class Column:
    """What a field tells of each of its rows: `width` numbers from 0 to `high`. Without `read` it is the record's field
    of the same name."""

    name: str
    high: int
    doc: str
    width: int = 1
    read: Callable[[Sight], Any] | None = None


@dataclass(frozen=True)
class Field:
    """One array of the observation: a row for each thing it tells of, or a plain vector if `rows` is 0."""

    name: str
    rows: int
    doc: str
    columns: tuple[Column, ...]
    records: Callable[[Sight], Any] = lambda sight: sight.state  # whose fields the columns are

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where in a row each column is."""
        ends = np.cumsum([column.width for column in self.columns]).tolist()
        return {column.name: slice(end - column.width, end) for column, end in zip(self.columns, ends, strict=True)}

    @cached_property
    def width(self) -> int:
        return sum(column.width for column in self.columns)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return (self.rows, self.width) if self.rows else (self.width,)

    @property
    def highs(self) -> NDArray[np.int16]:
        by_column = np.repeat([column.high for column in self.columns], [column.width for column in self.columns])
        return np.broadcast_to(by_column.astype(np.int16), self.shape)

    def write(self, sight: Sight) -> NDArray[np.int16]:
        table = np.zeros((self.rows or 1, self.width), np.int16)
        records = self.records(sight)
        for column in self.columns:
            values = column.read(sight) if column.read else records[column.name]
            rows = np.asarray(values).reshape(-1, column.width)  # as many as there are players, or all
            table[: len(rows), self.slices[column.name]] = rows
        return table.reshape(self.shape)


# What takes more than reading one field of the record.


def _samurai(sight: Sight) -> NDArray[np.int16]:
    standing = np.zeros((SPACES, PLAYERS), np.int16)
    seats = np.flatnonzero(sight.players["outside"] == Outside.INSIDE)
    seats = seats[_plays(sight)[seats] != 0]
    standing[sight.players["at"][seats], seats] = 1
    return standing


def _plays(sight: Sight) -> NDArray[np.int16]:
    """All players, and the enemies that are not beaten: those are in temples (SCEN-71)."""
    inside = np.ones(len(sight.players), np.int16)
    inside[sight.count :] = sight.players["at"][sight.count :] != 0
    return inside


def _secret_exit(sight: Sight) -> NDArray[np.int16]:
    spaces = np.zeros(SPACES, np.int16)
    spaces[sight.state["secret_exit"]] = sight.state["secret_exit"] != 0  # 0, the start, stands for unexplored
    return spaces


def _of_dragon(name: str) -> Callable[[Sight], NDArray[np.int16]]:
    def read(sight: Sight) -> NDArray[np.int16]:
        by_dragon = np.append(np.int16(0), sight.state["dragons"][name])  # the first is no dragon
        by_place: NDArray[np.int16] = by_dragon[sight.state["dragon_at"]]
        return by_place

    return read


def _trophies(sight: Sight) -> Any:
    return sight.players["trophies"][:, None] >> np.arange(MAX_DRAGONS) & 1


def _cubes(sight: Sight) -> Any:
    return np.bitwise_count(sight.players["gear"]["cubes"])


def _cubes_by_cell(sight: Sight) -> Any:
    sets = sight.players["gear"]["cubes"][:, GEAR_OF_CELL]  # by seat, cell, resource
    return (sets >> BIT_OF_CELL[:, None] & 1) @ CUBE_CODES


def _cards(sight: Sight) -> NDArray[np.int16]:
    return np.append(sight.state["gear_cards"]["card"], sight.state["blueprints"]["card"])


def _whereabouts(sight: Sight) -> NDArray[np.int16]:
    where = np.append(sight.state["gear_cards"]["where"], sight.state["blueprints"]["where"])
    if has_enemies(sight.state):
        return where  # one player, so seats are those of the record
    return np.where(where < Where.OWNED, where, Where.OWNED + sight.seat(where - Where.OWNED))


def _seen_by(sight: Sight) -> NDArray[np.int16]:
    seen = np.zeros((len(LEVELS), PLAYERS), np.int16)
    seen[:, : sight.count] = sight.state["top_seen"][:, None] >> sight.order & 1
    return seen


def _known_top(sight: Sight) -> Any:
    """As `hidden.blank_hidden` leaves it: hidden from this player is what others alone have looked at."""
    seen = sight.state["top_seen"]
    return np.where((seen != 0) & (seen >> sight.player & 1 == 0), 0, sight.state["top"])


def _starter(sight: Sight, name: str) -> int:
    player = sight.state[name]
    return sight.seat(player - 1) + 1 if player else 0


def _final_player(sight: Sight) -> int:
    return _starter(sight, "final_player")


def _lava_player(sight: Sight) -> int:
    return _starter(sight, "lava_player")


def _called(sight: Sight) -> Any:
    return sight.state["called"] >> np.arange(1, LAVA_NUMBERS + 1) & 1


def _actor(sight: Sight) -> int:
    return 0 if sight.over else sight.seat(sight.question["actor"]) + 1


def _action_of_turn(sight: Sight) -> int:
    return min(TURN_END, max(0, int(sight.state["stack"][0]["stage"]) - FIRST_ACTION))


def _path(sight: Sight) -> NDArray[np.int16]:
    under_way = np.arange(PATH) < sight.state["path_length"]
    return np.where(under_way, sight.state["path"] + 1, 0)


def _tile(name: str) -> Callable[[Sight], Any]:
    """The start is the last of the places, but no tile is ever laid there."""
    return lambda sight: np.append(sight.state[name], np.int16(0))


def _state(name: str) -> Callable[[Sight], Any]:
    return lambda sight: sight.state[name]


def _setting(name: str) -> Callable[[Sight], Any]:
    return lambda sight: sight.state["settings"][name]


def _seat(name: str) -> Callable[[Sight], Any]:
    return lambda sight: sight.seat(sight.state[name])


def _size(name: str) -> Callable[[Sight], Any]:
    return lambda sight: np.bitwise_count(sight.state[name])


def _stack_sizes(sight: Sight) -> Any:
    """COOP-4: in co-op one tile of each higher level is out of the game; nobody knows which while the stack lasts."""
    known = np.bitwise_count(sight.state["tiles_left"])
    out = (0, 1, 1) if sight.state["settings"]["mode"] == Mode.COOP else (0, 0, 0)
    return np.maximum(known, out) - out


def _gear(name: str) -> Callable[[Sight], Any]:
    return lambda sight: sight.players["gear"][name]


def _lives(sight: Sight) -> Any:
    settings = sight.state["settings"]
    return settings["coop_lives"] if settings["mode"] == Mode.COOP else 0


def _fought_monk(sight: Sight) -> Any:
    return sight.state["fight"]["monk"]


def _asked(name: str) -> Callable[[Sight], Any]:
    return lambda sight: sight.question[name]


FIELDS: Final = (
    Field(
        "map",
        SPACES,
        "by space, in the order of the action `step`",
        (
            Column("terrain", len(Terrain) - 1, "0 unexplored, 1 ground, 2 printed lava, 3 a lava tile"),
            Column("eruption", max(ERUPTIONS), "printed eruption number"),
            Column("token", 2 * MAX_TOKENS_PER_SHAPE, f"square token + 1, or hex token + {MAX_TOKENS_PER_SHAPE + 1}"),
            Column("face_up", 1, "the token can be gathered from"),
            Column("monk", 2, "a monk stands here; 2: it has walked at the end of this round (SCEN-43)"),
            Column("scroll", len(COLOURS), "scroll token: colour + 1"),
            Column("adventure", len(ADVENTURE_POWERS), "adventure token: kind + 1"),
            Column("secret_exit", 1, "the secret exit", read=_secret_exit),
            Column("samurai", 1, "by seat: stands or lies here", PLAYERS, _samurai),
            Column("spoils", 3, "beside a dragon, or left by it: 1 a tooth, 2 a status marker, 3 both"),
        ),
    ),
    Field(
        "tiles",
        PLACES + 1,
        "by place, in the order of the action `place`",
        (
            Column("tile", MOST_TILES, f"tile + 1, counting {MAX_TILES_PER_LEVEL} for each level", read=_tile("tile")),
            Column("turn", TILE_TURNS - 1, "sixths that it is turned by", read=_tile("tile_turn")),
            Column("dragon", MAX_DRAGONS, "dragon + 1", read=_state("dragon_at")),
            Column("damage", MAX_PRINTED, "permanent damage of the dragon", read=_of_dragon("damage")),
            Column("marker", len(Marker) - 1, "co-op: 1 the dragon is awake, 2 asleep", read=_of_dragon("marker")),
        ),
    ),
    Field(
        "players",
        PLAYERS,
        "by seat",
        (
            Column("plays", 1, "somebody sits here; in scenario 7 enemies follow the player", read=_plays),
            Column("at", SPACES - 1, "space"),
            Column("vp", ANY_NUMBER, "victory points"),
            Column("character", len(Character) - 1, CHARACTER_CODES),
            Column("colour", len(COLOURS), "colour + 1, that of its scroll tokens"),
            Column("unconscious", 1, "lies unconscious"),
            Column("outside", len(Outside) - 1, "0 in the volcano, 1 in the palace, 2 at the foot of the mountain"),
            Column("left_volcano", PLAYERS, "1 for the first who left the volcano, 2 for the second, ..."),
            Column("pool", COUNT, "discs in the pool"),
            Column("fields", COUNT, "discs on move, explore, gather", DISC_FIELDS),
            Column("monks", COUNT, "monks at pool, scroll, weapon, pack", SPOTS),
            Column("pack", COUNT, "wood, metal, teeth in the pack", len(RESOURCES)),
            Column("pack_monks", COUNT, "monks in the pack"),
            Column("scrolls", MAX_SCROLLS, "by slot: scroll card + 1", SCROLL_SLOTS),
            Column("scroll_colours", len(COLOURS), "by slot: colour + 1 of the card's token", SCROLL_SLOTS),
            Column("cubes", COUNT, "wood, metal, teeth on helmet, weapon, sandals", CUBE_COUNTS, _cubes),
            Column("magic", 2, "by gear: 1 a magic cube is on it, 2 on the right weapon", len(GEAR), _gear("magic")),
            Column("card_on", len(GEAR), "by disc field: gear + 1 of the gear card there", DISC_FIELDS),
            Column("looks", 1, "its weapon card gives a look, and no VP"),
            Column("adventures", MAX_COPIES, "adventure tokens by kind", len(ADVENTURE_POWERS)),
            Column("claimed", COUNT, "shogun bonuses by track", len(PALACE_TRACKS)),
            Column("lives_lost", COUNT, "lives lost, in co-op"),
            Column("status", COUNT, "status markers"),
            Column("on_rope", 1, "waits on the rope, gone at the start of its next turn"),
            Column("trophies", 1, "by dragon: the player keeps it", MAX_DRAGONS, _trophies),
        ),
        lambda sight: sight.players,
    ),
    Field(
        "gear",
        PLAYERS,
        "by seat, then by cell in the order of the action `cell`",
        (Column("cube", len(RESOURCES), "0 nothing, 1 wood, 2 metal, 3 tooth", len(GEAR_OF_CELL), _cubes_by_cell),),
    ),
    Field(
        "cards",
        2 * len(GEAR) * CARD_SLOTS,
        "by slot: gear cards in the order of the action `card`, then blueprints in that of `blueprint`",
        (
            Column("card", MOST_CARDS, f"card + 1, counting {MAX_CARDS_PER_TYPE} for each gear", read=_cards),
            Column("where", Where.OWNED + PLAYERS - 1, WHERE_CODES, read=_whereabouts),
        ),
    ),
    Field(
        "stacks",
        len(LEVELS),
        "by level of the tiles",
        (
            Column("tiles_left", MAX_TILES_PER_LEVEL, "how many are left", read=_stack_sizes),
            Column("known_top", MAX_TILES_PER_LEVEL, "the top tile + 1, if the observer knows it", read=_known_top),
            Column("seen", 1, "by seat: has looked at the top tile", PLAYERS, _seen_by),
        ),
    ),
    Field(
        "table",
        0,
        "what else lies on the table",
        (
            Column("supply", MAX_SUPPLY, f"pieces in the supply: {', '.join(SUPPLY)}", len(SUPPLY)),
            Column("squares_left", MAX_TOKENS_PER_SHAPE, "square tokens left", read=_size("squares_left")),
            Column("hexes_left", MAX_TOKENS_PER_SHAPE, "hex tokens left", read=_size("hexes_left")),
            Column("adventures_left", MAX_COPIES, "adventure tokens left, by kind", len(ADVENTURE_POWERS)),
            Column("scroll_tokens", MAX_SUPPLY, "scroll tokens left, by colour", len(COLOURS)),
            Column("scroll_deck", MAX_SCROLLS, "cards in the scroll deck", read=_size("scroll_deck")),
            Column("scroll_discards", MAX_SCROLLS, "cards in its discard pile", read=_size("scroll_discards")),
            Column("scroll_display", MAX_SCROLLS, "open scroll cards + 1", SCROLL_DISPLAY),
            Column("palace", MAX_TRACK, "values taken in the palace, by track", len(PALACE_TRACKS)),
            Column("foot", 1, f"taken at the foot of the mountain: {', '.join(FOOT_SPOTS)}", len(FOOT_SPOTS)),
        ),
    ),
    Field(
        "turn",
        0,
        "whose turn it is, and what is asked",
        (
            Column("players", PLAYERS, "how many play", read=_setting("players")),
            Column("round", MOST_ROUNDS, "the round, from 1", read=_state("round_number")),
            Column("max_rounds", MOST_ROUNDS, "the last round", read=_setting("max_rounds")),
            Column("final_at", ANY_NUMBER, "VP that start the final chapter", read=_setting("final_at")),
            Column("final_player", PLAYERS, "seat + 1 of who started the final chapter", read=_final_player),
            Column("countdown", MAX_COUNTDOWN, "spaces of the countdown entered"),
            Column("first", PLAYERS - 1, "seat of the first player", read=_seat("first_player")),
            Column("active", PLAYERS - 1, "seat of the player whose turn it is", read=_seat("active")),
            Column("action", TURN_END, "which action of the turn: 1 or 2; 0 before, 3 after", read=_action_of_turn),
            Column("stock_taken", 1, "the stock was gathered from this turn"),
            Column("path", SPACES, "of the move under way: spaces + 1, from where it began", PATH, _path),
            Column(
                "phase",
                FIRST_AUTOMATIC - 1,
                "what is asked (docs/actions.md); 0 when all is over",
                read=_asked("phase"),
            ),
            Column("actor", PLAYERS, "seat + 1 of who is asked; 0 when all is over", read=_actor),
            Column("stage", ANY_NUMBER, "a detail of what is asked, by phase", read=_asked("stage")),
            Column("left", ANY_NUMBER, "steps, blueprints or hits left, by phase", read=_asked("left")),
            Column("at", SPACES - 1, "the space or place in question", read=_asked("at")),
            Column("thing", MOST_CARDS, "the gear, tile + 1 or scroll card + 1 in question", read=_asked("thing")),
            Column("marks", ANY_NUMBER, "lava crossed, cubes or blueprints taken, by phase", read=_asked("marks")),
            Column("offer", MAX_SUPPLY, "wood, metal, teeth offered or in hand", len(RESOURCES), _asked("offer")),
            Column("monk", SPACES, "space + 1 of the monk that is fought (SCEN-41)", read=_fought_monk),
            Column("mode", len(Mode) - 1, "0 competitive, 1 co-op", read=_setting("mode")),
            Column("lives", COUNT, "co-op: lives that each samurai has at the start", read=_lives),
            Column("scenario", len(SCENARIOS), "its number, 0 for none", read=_setting("scenario")),
            Column("lava_player", PLAYERS, "seat + 1 of who started the lava phase (SCEN-31)", read=_lava_player),
            Column("called", 1, "by number: whether it was called", LAVA_NUMBERS, _called),
        ),
    ),
)


def observe(state: Any, player: int) -> Observation:
    """What a player sees: `state` is the record of a game (`Game.state`), or of that player's view of it."""
    sight = Sight(state, player)
    return {field.name: field.write(sight) for field in FIELDS}


def observe_game(games: Any, tables: Any, player: int, kind: str) -> Any:
    """What a player of a batch of one game sees, in one of the ways of OBSERVATIONS."""
    if kind == "tensor":
        return observe(games[0], player)
    if kind == "compact":
        return observe_compactly(games, tables, np.array([player]))[0]
    raise ValueError(f"observation {kind!r}: allowed are {', '.join(map(repr, OBSERVATIONS))}")


def observation_space(kind: str = "tensor") -> "Space[Any]":
    """The same for every player, player count and setting."""
    from gymnasium.spaces import Box, Dict

    if kind == "compact":
        return Box(-1, 1, (compact.WIDTH,), np.float32)
    return Dict({field.name: Box(0, field.highs, field.shape, np.int16) for field in FIELDS})


def global_state(games: Any) -> NDArray[np.int16]:
    """What player 0 of a batch of one game would see if all had looked at the tops of the stacks."""
    bare = games.copy()
    bare["top_seen"] = (1 << PLAYERS) - 1
    return np.concatenate([array.ravel() for array in observe(bare[0], 0).values()])


def state_space() -> "Box":
    """Of `global_state`."""
    from gymnasium.spaces import Box

    highs = np.concatenate([np.broadcast_to(field.highs, field.shape).ravel() for field in FIELDS])
    return Box(0, highs, dtype=np.int16)


def columns(field: str) -> dict[str, slice]:
    """Where the columns of a field are: `observation["players"][:, columns("players")["vp"]]`."""
    return next(one.slices for one in FIELDS if one.name == field)


# The flat vector


def observe_compactly(
    games: Any, tables: Any, observers: NDArray[np.int64], out: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """(games, compact.WIDTH) float32, from -1 to 1: what the observer of each game sees; zeros for one below 0.
    `games`: records of games, or of views of them. `out`: an array to write into."""
    shape = (len(observers), compact.WIDTH)
    if out is None:
        out = np.empty(shape, np.float32)
    elif out.shape != shape or out.dtype != np.float32 or not out.flags.c_contiguous:
        raise ValueError(f"out: a contiguous float32 array of the shape {shape} is needed")
    compact.observe_compact(cast(Any, games), tables, cast(Any, observers), cast(Any, out), _scratch())
    return out


def _scratch() -> Any:
    """Room to work in, of its own for each call: games are observed from several threads."""
    return np.empty(compact.SCRATCH, np.int64)


def compact_columns(part: str) -> dict[str, NDArray[np.intp]]:
    """Where the columns of a part of the vector are: `vector[compact_columns("players")["vp"]]`, a row for each row of
    the part and as wide as the column."""
    found = next(one for one in compact.PARTS if one.name == part)
    place = np.arange(found.width).reshape(found.rows, found.row_width) + compact.STARTS[part]
    ends = np.cumsum([column.width for column in found.columns])
    return {c.name: place[:, end - c.width : end] for c, end in zip(found.columns, ends, strict=True)}

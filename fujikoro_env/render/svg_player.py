"""A player's board as SVG: standing, actions with their discs and gear cards, monks, pack, gear, belongings."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from fujikoro_env.kernel.drawing import elements
from fujikoro_env.kernel.drawing.elements import group, moved, rectangle, tooltip, words
from fujikoro_env.kernel.drawing.lettering import LEAST, at_most_lines, text_width, wrapped
from fujikoro_env.kernel.drawing.palette import (
    ALARM,
    BOX,
    BOX_EDGE,
    CELL_CLOSED,
    CELL_OPEN,
    DIM,
    FAINT,
    GOLD,
    PANEL,
    PANEL_EDGE,
    TEXT,
)
from fujikoro_env.render import shapes
from fujikoro_env.render.look import CLOSED, GRID_LETTERS, GearLook, PackItem, PlayerLook
from fujikoro_env.render.picture import Band
from fujikoro_env.rules.characters.boards import LEFT_COLUMNS

MARGIN = 10
FIELDS_Y, FIELD = 29, 19  # top and height of the boxes of actions
ROW_Y = FIELDS_Y + FIELD + 15  # baseline of free discs and monks
DISC, DISC_PITCH = 5, 9.5  # radius of a disc with its border, and distance between discs
PACK_SLOT = 16
GEAR_Y = ROW_Y + 5 + PACK_SLOT + 4
ENEMY_GEAR_Y = 34
LABEL = 15  # height of the name of a gear, above its cells
GEAR_GAP = 9
BESIDE = 12  # gap between the gear and the words beside it
WEAPON_ROWS, LEAST_CELL, MOST_CELL = 5, 8, 17
LEAST_BESIDE = 100  # width of words beside the gear
SIGN = 16  # width of the sign in front of a kind of belongings
LINE = 16  # line height
FOOT = 6  # free space at the bottom


@dataclass(frozen=True)
class PanelSize:
    """Size and layout of the boards, the same for all boards of a table."""

    width: float
    height: float
    cell: float = LEAST_CELL  # of a gear grid
    beneath: bool = True  # belongings are listed below the gear, not beside it

    @property
    def room(self) -> float:
        """Width between the margins."""
        return self.width - 2 * MARGIN


@lru_cache(64)
def fitted(players: tuple[PlayerLook, ...], width: float, height: float) -> PanelSize | None:
    """The layout with the largest cells that leaves room for all belongings, or None if there are too many."""
    for cell in range(MOST_CELL, LEAST_CELL - 1, -1):
        for beneath in (False, True):
            size = PanelSize(width, height, cell, beneath)
            if all(_fits(player, size) for player in players):
                return size
    return None


def _fits(player: PlayerLook, size: PanelSize) -> bool:
    gears, lines = _gears_height(player, size.cell), len(list(_lines(player, _words_width(player, size)))) * LINE
    if size.beneath:
        return _gear_y(player) + gears + lines <= size.height - FOOT
    is_wide = not lines or _words_width(player, size) >= LEAST_BESIDE
    return is_wide and _gear_y(player) + max(gears, lines) <= size.height - FOOT


@lru_cache(256)
def draw_player(player: PlayerLook, size: PanelSize, is_asked: bool) -> tuple[str, tuple[Band, ...]]:
    """A player's board: the frame with its upper left corner at (0, 0), and its contents."""
    border, stroke = (2.2, GOLD) if is_asked else (1.0, PANEL_EDGE)
    edge = border / 2  # the border does not leave the panel
    frame = rectangle(
        edge, edge, size.width - border, size.height - border, rx=7, fill=PANEL, stroke=stroke, stroke_width=border
    )
    light = {"stroke": "#fff6df", "stroke_width": 0.5, "stroke_opacity": 0.5}  # black is seen on dark too
    stripe = rectangle(3, 29, 3, size.height - 36, rx=1.5, fill=shapes.COLOUR[player.colour], **light)
    bands = [Band(0, FIELDS_Y - 1, _head(player, size.width))]
    y = FIELDS_Y - 1.0
    if not player.is_enemy:
        pool = _pool(player)
        fields, pack = _fields(player, size), _pack(player, size.room)
        y = ROW_Y + 4.5
        bands += [
            Band(FIELDS_Y - 1, FIELD + 2, moved(MARGIN, FIELDS_Y, fields)),
            Band(FIELDS_Y + FIELD + 1, y - FIELDS_Y - FIELD - 1, moved(MARGIN, ROW_Y, pool)),
            Band(y, GEAR_Y - 1 - y, moved(MARGIN, ROW_Y + 5, pack)),
        ]
        y = GEAR_Y - 1
    if not player.is_enemy or player.blueprints:  # SCEN-71: what can be stolen from an enemy
        bands.append(Band(y, size.height - y, _gear_and_belongings(player, size)))
    else:
        bands.append(Band(y, size.height - y, ""))
    return frame + stripe, tuple(bands)


def _head(player: PlayerLook, width: float) -> str:
    """Piece and name, and as much of the character and place as fits."""
    piece = group(shapes.samurai(player.mark, player.colour), transform="translate(18 17) scale(0.88)")
    standing, standing_width = _standing(player)
    x, room = 34.0, width - MARGIN - standing_width - 6
    name = elements.shortened_words(x, 20, player.agent or player.name, 16, room - x, fill=TEXT, font_weight="bold")
    x += text_width(player.agent or player.name, 16, bold=True) + 7
    drawn = [piece, name, moved(width - MARGIN, 21, standing)]
    character = {"data_info": f"character {player.character}"}
    for text, fill, about in (
        (player.plight, ALARM, {}),
        (player.character, shapes.ROBE, character),
        (_where(player), FAINT, {}),
    ):
        if text and x + text_width(text, LEAST) <= room:
            drawn.append(words(x, 20, text, LEAST, fill=fill, **about))
            x += text_width(text, LEAST) + 7
    return "".join(drawn)


def _where(player: PlayerLook) -> str:
    return player.where.removesuffix(" of the mountain")


def _standing(player: PlayerLook) -> tuple[str, float]:
    """VP, lives as hearts, or both, right-aligned at 0; and their width."""
    if player.is_enemy:
        return "", 0
    points = f"{player.vp} VP" if player.has_vp else ""
    lives = player.lives or 0
    x = -text_width(points, 18, bold=True) - 8 if points else -6.0
    hearts = "".join(
        group(shapes.heart(0, 0), transform=f"translate({x - 14 * k:.1f} -5.5) scale(1.25)") for k in range(lives)
    )
    shown = words(0, 0, points, 18, fill=GOLD, font_weight="bold", text_anchor="end")
    return shown + group(tooltip(player.standing), hearts), 14 * lives - x


def _fields(player: PlayerLook, size: PanelSize) -> str:
    """A box for each action with the discs on it."""
    gap = 5
    width = (size.room - gap * (len(player.fields) - 1)) / len(player.fields)
    drawn = []
    for k, (field, discs) in enumerate(player.fields.items()):
        box = rectangle(0, 0, width, FIELD, rx=3, fill=BOX, stroke=BOX_EDGE, stroke_width=0.8)
        name = words(5, 14, field, LEAST, fill=TEXT if discs else FAINT)
        room = width - 8 - DISC - text_width(field, LEAST) - 5
        pitch = min(DISC_PITCH, room / max(1, discs - 1))  # beside the name; many discs overlap
        used = [shapes.disc(width - 8 - pitch * n, FIELD / 2) for n in range(discs)]
        drawn.append(moved((width + gap) * k, 0, box, name, *used, data_info=field))
    return "".join(drawn)


def _pool(player: PlayerLook) -> str:
    """Free discs, then the spots of monks, bright where one sits."""
    drawn, x = [shapes.disc(5 + 10 * k, -4.5) for k in range(player.pool)], max(22.0, 10.0 * player.pool + 10)
    drawn.append(moved(x, -4, group(shapes.monk(), transform="scale(0.6)")))
    x += 10
    for spot, n in player.monks.items():
        text = spot if n < 2 else f"{spot} {n}"
        ink = {"fill": shapes.ROBE if n else DIM, "font_weight": "bold" if n else "normal"}
        drawn.append(words(x, 0, text, LEAST, **ink, data_info=f"monk {spot}"))
        x += text_width(text, LEAST, bold=n > 0) + 6
    return "".join(drawn)


def _pack(player: PlayerLook, width: float) -> str:
    parts = [words(0, 13, "pack", LEAST, fill=FAINT)]
    first, second = player.pack_slots
    pitch = min(PACK_SLOT + 1.5, (width - 41) / (first + second))
    for slot in range(first + second):
        x = 37 + pitch * slot + (4 if slot >= first else 0)
        fill = CELL_OPEN if slot < player.pack_size else CELL_CLOSED
        parts.append(rectangle(x, 0, pitch - 1.5, PACK_SLOT, rx=2.5, fill=fill))
        if slot < len(player.pack):
            item = player.pack[slot]
            name = tooltip(f"{item.name} {item.kind}".strip())
            info = f"pack {item.kind}"
            parts.append(moved(x + (pitch - 1.5) / 2, PACK_SLOT / 2, name, _pack_item(item), data_info=info))
    return "".join(parts)


def _pack_item(item: PackItem) -> str:
    if item.kind == "blueprint":
        return shapes.blueprint_marker(item.name[0].upper())
    if item.kind == "scroll":
        return group(shapes.scroll_token(item.name), transform="scale(0.66)")
    if item.kind == "monk":
        return group(shapes.monk(), transform="scale(0.66)")
    return rectangle(
        -5.5, -5.5, 11, 11, rx=1.5, fill=shapes.RESOURCE_COLOUR[item.kind], stroke=shapes.INK, stroke_width=0.8
    )


# gear


def _gear_y(player: PlayerLook) -> float:
    return ENEMY_GEAR_Y if player.is_enemy else GEAR_Y


def _gear_and_belongings(player: PlayerLook, size: PanelSize) -> str:
    y, gears = _gear_y(player), _gears_height(player, size.cell)
    x, top = (0.0, y + gears) if size.beneath else (_columns(player, size.cell)[1], y)
    owned = _belongings(player, _words_width(player, size), size.height - FOOT - top)
    return _gears(player, size.cell, y) + moved(MARGIN + x, top, owned)


def _gears_height(player: PlayerLook, cell: float) -> float:
    _, weapon, sandals = player.gear
    left = _sandals_y(player, cell) + LABEL + cell * len(sandals.rows)
    return max(left, LABEL + cell * max(WEAPON_ROWS, len(weapon.rows))) + 3


def _sandals_y(player: PlayerLook, cell: float) -> float:
    return LABEL + cell * max(2, len(player.gear[0].rows)) + 1


def _gears(player: PlayerLook, cell: float, y: float) -> str:
    """The three gear grids: sandals below the helmet, the weapon beside them."""
    helmet, weapon, sandals = player.gear
    weapon_x, _ = _columns(player, cell)
    placed = ((0.0, 0.0, helmet), (weapon_x, 0.0, weapon), (0.0, _sandals_y(player, cell), sandals))
    return "".join(moved(MARGIN + x, y + dy, _gear(gear, cell)) for x, dy, gear in placed)


def _columns(player: PlayerLook, cell: float) -> tuple[float, float]:
    """Left edges of the weapon and of the words beside it."""
    helmet, weapon, sandals = player.gear
    labels = max(text_width(gear.gear, LEAST) + (13 if gear.magic else 0) for gear in (helmet, sandals))
    weapon_x = max(cell * max(len(helmet.rows[0]), len(sandals.rows[0])), labels) + GEAR_GAP
    return weapon_x, weapon_x + max(cell * len(weapon.rows[0]), text_width("weapon", LEAST) + 13) + BESIDE


def _words_width(player: PlayerLook, size: PanelSize) -> float:
    """Width of the lines that list belongings, after their signs."""
    return size.room - SIGN - (0 if size.beneath else _columns(player, size.cell)[1])


def _gear(gear: GearLook, cell: float) -> str:
    cells = [
        _gear_cell(column * cell, LABEL + row * cell, cell, letter, f"{gear.gear}[{row},{column}]")
        for row, letters in enumerate(gear.rows)
        for column, letter in enumerate(letters)
    ]
    name = words(0, 11, gear.gear, LEAST, fill=FAINT)
    return group(name, _magic(gear, cell), *cells, _part_bar(gear, cell), class_=gear.gear, data_info=gear.gear)


def _magic(gear: GearLook, cell: float) -> str:
    """The magic cube beside the name of the gear, as it lies in no cell (MAGIC-7). If there are two weapons, it is
    above the magic one."""
    if not gear.magic:
        return ""
    x = text_width(gear.gear, LEAST) + 3
    if gear.magic.endswith("right"):
        x = max(x, LEFT_COLUMNS * cell + 4)
    return group(tooltip(gear.magic), shapes.cube(x, 1.5, 10, "magic"), data_info=f"magic {gear.gear}")


def _gear_cell(x: float, y: float, cell: float, letter: str, info: str) -> str:
    if letter in GRID_LETTERS:
        return shapes.cube(x, y, cell - 1, letter, data_info=info)
    fill = CELL_CLOSED if letter == CLOSED else CELL_OPEN
    return rectangle(x, y, cell - 1, cell - 1, rx=1, fill=fill, data_info=info)


def _part_bar(gear: GearLook, cell: float) -> str:
    """The bar between the left and the right part of a weapon (CRAFT-6)."""
    if len(gear.rows[0]) <= LEFT_COLUMNS:
        return ""
    return rectangle(LEFT_COLUMNS * cell - 1.25, LABEL - 1, 1.5, len(gear.rows) * cell + 1, fill=GOLD, fill_opacity=0.8)


# belongings


def _belongings(player: PlayerLook, width: float, height: float) -> str:
    """Belongings, each kind on its own lines after its sign, as many as fit."""
    lines, most = list(_lines(player, width)), int(height / LINE)
    if len(lines) > most:
        lines = list(_crowded(player, width, most))
    return "".join(
        moved(6, LINE * k + 7.5, sign) + words(SIGN, LINE * k + 12.5, text, LEAST, fill=TEXT, data_info=text)
        for k, (sign, text) in enumerate(lines)
    )


def _owned(player: PlayerLook) -> dict[str, str]:
    """Belongings by the sign of their kind."""
    claims = ", ".join(f"{track} {points}" for track, points in player.claims.items())
    status = f"{player.status} status marker{'s' if player.status > 1 else ''}" if player.status else ""
    lists = {
        group(shapes.scroll_token("red"), transform="scale(0.55)"): ", ".join(player.scrolls),
        group(shapes.gear_card(), transform="scale(0.9)"): ", ".join(
            f"{field}: {card.id}" for field, card in player.cards.items()
        ),
        group(shapes.blueprint_marker(), transform="scale(0.75)"): ", ".join(card.id for card in player.blueprints),
        group(shapes.adventure_sign(), transform="scale(0.4)"): ", ".join(_counted(player.adventures)),
        group(shapes.coin(), transform="scale(0.62)"): status,
        group(shapes.trophy(), transform="scale(0.62)"): ", ".join(player.trophies),
        group(shapes.crown(), transform="scale(0.62)"): claims,
    }
    return {sign: text.replace("_", " ") for sign, text in lists.items() if text}


def _counted(names: tuple[str, ...]) -> list[str]:
    return [name if n == 1 else f"{n} {name}" for name, n in Counter(names).items()]


def _lines(player: PlayerLook, width: float) -> Iterator[tuple[str, str]]:
    for sign, text in _owned(player).items():
        for k, line in enumerate(wrapped(text, width, LEAST)):
            yield (sign if k == 0 else "", line)


def _crowded(player: PlayerLook, width: float, most: int) -> Iterator[tuple[str, str]]:
    """Lines for belongings that don't all fit: one for each kind, and the first kinds get the remaining lines."""
    owned = _owned(player)
    spare = max(0, most - len(owned))
    for sign, text in list(owned.items())[:most]:
        lines = at_most_lines(text, width, LEAST, 1 + spare)
        spare -= len(lines) - 1
        for k, line in enumerate(lines):
            yield (sign if k == 0 else "", line)

"""A player's board as SVG: standing, actions with their discs and gear cards, monks, pack, gear, belongings."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from fujikoro_env.render import shapes
from fujikoro_env.render.lettering import at_most_lines, shortened, text_width, wrapped
from fujikoro_env.render.look import CLOSED, GRID_LETTERS, GearLook, PackItem, PlayerLook
from fujikoro_env.render.palette import (
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
from fujikoro_env.render.shapes import circle, group, middle_words, moved, rectangle, tooltip, words
from fujikoro_env.rules.characters.boards import LEFT_COLUMNS

MARGIN = 10
SMALL = 9.5
FIELDS_Y, ONE_LINE, TWO_LINES = 24, 14, 24.5  # of the boxes of actions, which have a second line for gear cards
PACK_SLOT = 13
GEAR_GAP = 9
BESIDE = 12  # between the gear and what is written beside it
WEAPON_ROWS, LEAST_CELL, MOST_CELL = 5, 8, 17
GEAR_COLUMNS = 12  # of the helmet and the weapon
LETTERS = (10.0, 9.5, 9.0)  # sizes
SIGN = 14  # width of the sign before a kind of belongings
LINE = 1.19  # from line to line, in font sizes


@dataclass(frozen=True)
class PanelSize:
    width: float
    height: float
    has_cards: bool  # room for gear cards in the boxes of actions
    words: float = 0  # height of what is written, under the gear

    @property
    def fields(self) -> float:
        return TWO_LINES if self.has_cards else ONE_LINE

    @property
    def gear_y(self) -> float:
        return FIELDS_Y + self.fields + 32

    @property
    def writes_beneath(self) -> bool:
        """Words go under the gear, not beside it, where that leaves clearly larger cells."""
        return self._cell_above_words > self._cell_beside_words + 1

    @property
    def cell(self) -> float:
        """Of a gear grid: as large as the words allow."""
        cell = self._cell_above_words if self.writes_beneath else self._cell_beside_words
        return max(LEAST_CELL, cell)

    @property
    def _cell_above_words(self) -> float:
        return min(self._room_for_gear - self.words, MOST_CELL * WEAPON_ROWS) / WEAPON_ROWS

    @property
    def _cell_beside_words(self) -> float:
        by_width = ((self.width - 2 * MARGIN) / 2 - GEAR_GAP) / GEAR_COLUMNS
        return min(self._room_for_gear / WEAPON_ROWS, by_width)

    @property
    def _room_for_gear(self) -> float:
        return self.height - self.gear_y - 14


def least_height(has_cards: bool) -> float:
    return PanelSize(0, 0, has_cards).gear_y + 11 + WEAPON_ROWS * LEAST_CELL + 3


def needed_height(player: PlayerLook, width: float, has_cards: bool) -> float:
    """In which all that it owns can be written, in the smallest letters."""
    size = PanelSize(width, 0, has_cards)
    room = width - 2 * MARGIN - _columns(player, LEAST_CELL)[1]
    lines = len(list(_lines(player, room - SIGN, LETTERS[-1])))
    return size.gear_y + 7 + lines * LINE * LETTERS[-1] + 2


def words_height(player: PlayerLook, width: float) -> float:
    """Of all that it owns, written under the gear in the largest letters."""
    lines = len(list(_lines(player, width - 2 * MARGIN - SIGN, LETTERS[0])))
    return lines * LINE * LETTERS[0] + 14 if lines else 0


def draw_player(player: PlayerLook, size: PanelSize, is_asked: bool) -> str:
    """With its upper left corner at (0, 0)."""
    border = {"stroke": GOLD, "stroke_width": 2.2} if is_asked else {"stroke": PANEL_EDGE, "stroke_width": 1}
    frame = rectangle(0, 0, size.width, size.height, rx=7, fill=PANEL, **border)
    light = {"stroke": "#fff6df", "stroke_width": 0.5, "stroke_opacity": 0.5}  # black is seen on dark too
    stripe = rectangle(3, 25, 3, size.height - 33, rx=1.5, fill=shapes.COLOUR[player.colour], **light)
    if player.is_enemy:
        return group(frame, stripe, _head(player, size.width), _enemy(player, size))
    row = FIELDS_Y + size.fields
    return group(
        frame,
        stripe,
        _head(player, size.width),
        moved(MARGIN, FIELDS_Y, _fields(player, size)),
        moved(MARGIN, row + 11, _pool(player)),
        _plight(player, size.width, row + 11),
        moved(MARGIN, row + 15.5, _pack(player)),
        _gear_and_belongings(player, size, size.gear_y),
    )


def _head(player: PlayerLook, width: float) -> str:
    piece = group(shapes.samurai(player.mark, player.colour), transform="translate(19 14.5) scale(0.74)")
    texts = [
        (player.name, 12.5, TEXT, True),
        (player.character, 10, shapes.ROBE, False),
        (_where(player), 10, FAINT, False),
    ]
    x, drawn = 33.0, [piece]
    for text, size, fill, bold in texts:
        if text:
            drawn.append(words(x, 17, text, size, fill=fill, font_weight="bold" if bold else "normal"))
            x += text_width(text, size, bold) + 7
    return "".join(drawn) + moved(width - MARGIN, 18, _standing(player))


def _where(player: PlayerLook) -> str:
    return player.where.removesuffix(" of the mountain")


def _standing(player: PlayerLook) -> str:
    """What counts, ending at 0: VP, lives as hearts, or both."""
    if player.is_enemy:
        return ""
    points = f"{player.vp} VP" if player.has_vp else ""
    lives = player.lives or 0
    x = -text_width(points, 15, bold=True) - 8 if points else -6.0
    hearts = "".join(
        group(shapes.heart(0, 0), transform=f"translate({x - 13 * k:.1f} -4.5) scale(1.15)") for k in range(lives)
    )
    return words(0, 0, points, 15, fill=GOLD, font_weight="bold", text_anchor="end") + group(
        tooltip(player.standing), hearts
    )


def _plight(player: PlayerLook, width: float, y: float) -> str:
    return words(width - MARGIN, y, player.plight, 10, fill=ALARM, font_weight="bold", text_anchor="end")


def _fields(player: PlayerLook, size: PanelSize) -> str:
    """A box for each action: the discs on it, and under them the gear card."""
    gap = 5
    width = (size.width - 2 * MARGIN - gap * (len(player.fields) - 1)) / len(player.fields)
    drawn = []
    for k, (field, discs) in enumerate(player.fields.items()):
        box = rectangle(0, 0, width, size.fields, rx=3, fill=BOX, stroke=BOX_EDGE, stroke_width=0.8)
        name = words(5, 10.3, field, SMALL, fill=TEXT if discs else FAINT)
        used = [_disc(width - 7 - 8.5 * n, 7) for n in range(discs)]
        card = player.cards.get(field)
        text = shortened(card.id.replace("_", " "), width - 8, SMALL) if card else ""
        drawn.append(moved((width + gap) * k, 0, box, name, *used, words(5, 21, text, SMALL, fill=GOLD)))
    return "".join(drawn)


def _disc(x: float, y: float) -> str:
    return circle(x, y, 3.7, fill="#f5c542", stroke="#7a5b12", stroke_width=0.8)


def _pool(player: PlayerLook) -> str:
    """Discs that are free, then the spots of monks, bright where one sits."""
    drawn, x = [_disc(4 + 9 * k, -3.5) for k in range(player.pool)], max(20.0, 9.0 * player.pool + 10)
    drawn.append(moved(x, -3, group(shapes.monk(), transform="scale(0.5)")))
    x += 9
    for spot, n in player.monks.items():
        text = spot if n < 2 else f"{spot} {n}"
        drawn.append(words(x, 0, text, SMALL, fill=shapes.ROBE if n else DIM, font_weight="bold" if n else "normal"))
        x += text_width(text, SMALL, bold=n > 0) + 5
    return "".join(drawn)


def _pack(player: PlayerLook) -> str:
    parts = [words(0, 10, "pack", SMALL, fill=FAINT)]
    first, second = player.pack_slots
    for slot in range(first + second):
        x = 27 + (PACK_SLOT + 1.5) * slot + (5 if slot >= first else 0)
        fill = CELL_OPEN if slot < player.pack_size else CELL_CLOSED
        parts.append(rectangle(x, 0, PACK_SLOT, PACK_SLOT, rx=2.5, fill=fill))
        if slot < len(player.pack):
            item = player.pack[slot]
            parts.append(
                moved(x + PACK_SLOT / 2, PACK_SLOT / 2, tooltip(f"{item.name} {item.kind}".strip()), _pack_item(item))
            )
    return "".join(parts)


def _pack_item(item: PackItem) -> str:
    if item.kind == "blueprint":
        return _blueprint_marker() + middle_words(0, 0, item.name[0].upper(), 9, fill="#fff", font_weight="bold")
    if item.kind == "scroll":
        return group(shapes.scroll_token(item.name), transform="scale(0.52)")
    if item.kind == "monk":
        return group(shapes.monk(), transform="scale(0.55)")
    return rectangle(
        -4.5, -4.5, 9, 9, rx=1.5, fill=shapes.RESOURCE_COLOUR[item.kind], stroke=shapes.INK, stroke_width=0.8
    )


def _blueprint_marker() -> str:
    return rectangle(-5.5, -5.5, 11, 11, rx=1.5, fill="#2f5fa8", stroke="#9dbcf0", stroke_width=0.8)


# gear


def _gear_and_belongings(player: PlayerLook, size: PanelSize, y: float) -> str:
    if size.writes_beneath:
        top = y + 11 + WEAPON_ROWS * size.cell + 14
        words_beneath = _belongings(player, size.width - 2 * MARGIN, size.height - top - 1)
        return _gears(player, size.cell, y) + moved(MARGIN, top, words_beneath)
    top = y + 7
    room = size.height - top - 1
    for cell in (size.cell, LEAST_CELL):  # who owns much has smaller cells
        words_x = _columns(player, cell)[1]
        width = size.width - 2 * MARGIN - words_x
        if any(_fits(player, width, room, letters) for letters in LETTERS):
            break
    return _gears(player, cell, y) + moved(MARGIN + words_x, top, _belongings(player, width, room))


def _gears(player: PlayerLook, cell: float, y: float) -> str:
    """The sandals under the helmet, the weapon beside them."""
    helmet, weapon, sandals = player.gear
    weapon_x, _ = _columns(player, cell)
    sandals_y = 11 + cell * max(2, len(helmet.rows)) + 1.5
    placed = ((0.0, 0.0, helmet), (weapon_x, 0.0, weapon), (0.0, sandals_y, sandals))
    return "".join(moved(MARGIN + x, y + dy, _gear(gear, cell)) for x, dy, gear in placed)


def _columns(player: PlayerLook, cell: float) -> tuple[float, float]:
    """Where the weapon begins, and where the words beside it."""
    helmet, weapon, sandals = player.gear
    weapon_x = cell * max(len(helmet.rows[0]), len(sandals.rows[0])) + GEAR_GAP
    return weapon_x, weapon_x + cell * len(weapon.rows[0]) + BESIDE


def _gear(gear: GearLook, cell: float) -> str:
    cells = [
        _gear_cell(column * cell, 11 + row * cell, cell, letter)
        for row, letters in enumerate(gear.rows)
        for column, letter in enumerate(letters)
    ]
    name = words(0, 7, gear.gear, 9, fill=FAINT)
    return name + _magic(gear, cell) + "".join(cells) + _part_bar(gear, cell)


def _magic(gear: GearLook, cell: float) -> str:
    """It lies on top of the gear, in no cell (MAGIC-7): of two weapons above the one that has it."""
    if not gear.magic:
        return ""
    x, y = text_width(gear.gear, 9) + 2, -1.5
    if gear.magic.endswith("right"):
        x = LEFT_COLUMNS * cell + 4
    if gear.gear == "sandals":  # beside them, where no weapon is in the way
        x, y = len(gear.rows[0]) * cell + 1, 11 + (cell - 9) / 2
    return group(tooltip(gear.magic), shapes.cube(x, y, 9, "magic"))


def _gear_cell(x: float, y: float, cell: float, letter: str) -> str:
    if letter in GRID_LETTERS:
        return shapes.cube(x, y, cell - 1, letter)
    fill = CELL_CLOSED if letter == CLOSED else CELL_OPEN
    return rectangle(x, y, cell - 1, cell - 1, rx=1, fill=fill)


def _part_bar(gear: GearLook, cell: float) -> str:
    """Between the left and the right part of a weapon (CRAFT-6)."""
    if len(gear.rows[0]) <= LEFT_COLUMNS:
        return ""
    return rectangle(LEFT_COLUMNS * cell - 1.25, 10, 1.5, len(gear.rows) * cell + 1, fill=GOLD, fill_opacity=0.8)


# belongings


def _belongings(player: PlayerLook, width: float, height: float) -> str:
    """Each kind on lines of its own behind its sign; the largest letters that fit, and never small ones."""
    size = next((letters for letters in LETTERS if _fits(player, width, height, letters)), LETTERS[-1])
    lines = list(_lines(player, width - SIGN, size))
    if not _fits(player, width, height, size):
        lines = list(_crowded(player, width - SIGN, size, int(height / (LINE * size))))
    drawn = []
    for k, (sign, text) in enumerate(lines):
        y = LINE * size * k
        drawn.append(moved(5, y - 0.36 * size, sign) + words(SIGN, y, text, size, fill=TEXT))
    return "".join(drawn)


def _fits(player: PlayerLook, width: float, height: float, size: float) -> bool:
    return len(list(_lines(player, width - SIGN, size))) * LINE * size <= height


def _owned(player: PlayerLook) -> dict[str, str]:
    """By the sign before it."""
    claims = ", ".join(f"{track} {points}" for track, points in player.claims.items())
    status = f"{player.status} status marker{'s' if player.status > 1 else ''}" if player.status else ""
    lists = {
        group(shapes.scroll_token("red"), transform="scale(0.45)"): ", ".join(player.scrolls),
        group(_blueprint_marker(), transform="scale(0.75)"): ", ".join(card.id for card in player.blueprints),
        group(shapes.adventure_sign(), transform="scale(0.42)"): ", ".join(_counted(player.adventures)),
        group(shapes.coin(), transform="scale(0.62)"): status,
        group(shapes.trophy(), transform="scale(0.62)"): ", ".join(player.trophies),
        group(shapes.crown(), transform="scale(0.62)"): f"claimed {claims}" if claims else "",
    }
    return {sign: text.replace("_", " ") for sign, text in lists.items() if text}


def _counted(names: tuple[str, ...]) -> list[str]:
    return [name if n == 1 else f"{n} {name}" for name, n in Counter(names).items()]


def _lines(player: PlayerLook, width: float, size: float) -> Iterator[tuple[str, str]]:
    for sign, text in _owned(player).items():
        for k, line in enumerate(wrapped(text, width, size)):
            yield (sign if k == 0 else "", line)


def _crowded(player: PlayerLook, width: float, size: float, most: int) -> Iterator[tuple[str, str]]:
    """More than there is room for: every kind gets a line, and the first the lines that are left."""
    owned = _owned(player)
    spare = max(0, most - len(owned))
    for sign, text in owned.items():
        lines = at_most_lines(text, width, size, 1 + spare)
        spare -= len(lines) - 1
        for k, line in enumerate(lines):
            yield (sign if k == 0 else "", line)


def _enemy(enemy: PlayerLook, size: PanelSize) -> str:
    """SCEN-71: its gear, and what can be stolen from it."""
    return _gear_and_belongings(enemy, size, 30) if enemy.blueprints else ""

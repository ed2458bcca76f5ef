"""Beside the map as SVG: the players' boards, the display, and what is asked."""

import textwrap
from dataclasses import dataclass
from html import escape

from fujikoro_env.content.model import Card
from fujikoro_env.render import shapes
from fujikoro_env.render.look import CLOSED, GRID_LETTERS, GearLook, PackItem, PlayerLook, TableLook
from fujikoro_env.render.shapes import circle, element, group, middle_words, moved, rectangle, tooltip, words
from fujikoro_env.rules.characters import LEFT_COLUMNS
from fujikoro_env.rules.geometry import geometry

PANEL, PANEL_INK, FAINT, ASKED = "#2b2224", "#f1e6d2", "#b8a898", "#ffcf4d"
CELL_OPEN, CELL_CLOSED = "#4a3d3e", "#352a2c"
DISC = "#f5c542"
MOST_CARD_WIDTH = 175
LEAST_GAP = 6  # between two gear grids
GLYPH_WIDTH = 0.56  # of an average letter, in font sizes


@dataclass(frozen=True)
class PanelSize:
    width: float
    height: float
    cell: float  # of a gear grid
    text: float  # font size
    lines: int  # of text


# players


def draw_player(player: PlayerLook, size: PanelSize, is_asked: bool) -> str:
    """Drawn with its upper left corner at (0, 0)."""
    border = {"stroke": ASKED, "stroke_width": 3} if is_asked else {"stroke": "#594a49", "stroke_width": 1}
    return group(
        rectangle(0, 0, size.width, size.height, rx=8, fill=PANEL, **border),
        _player_head(player, size.width),
        moved(10, 44, _discs(player)),
        moved(146, 44, _monks(player)),
        moved(10, 52, _pack(player, size.width - 20)),
        moved(10, 71, _gears(player.gear, size)),
        moved(10, 83 + 5 * size.cell + size.text, _belongings(player, size)),
    )


def _player_head(player: PlayerLook, width: float) -> str:
    claimed = ", ".join(f"{track} {points}" for track, points in player.claims.items())
    remark = player.plight or (f"claimed {claimed}" if claimed else "")
    name = words(30, 19, player.name, 13, fill=PANEL_INK, font_weight="bold")
    name += words(30, 30, player.character, 9, fill=FAINT)
    place = words(96, 19, player.where, 11, fill=FAINT)
    place += words(96, 30, textwrap.shorten(remark, letters_in(width - 106, 9), placeholder="…"), 9, fill="#ff8f6b")
    standing = "" if player.is_enemy else player.standing
    vp = words(width - 10, 20, standing, 17, fill=ASKED, font_weight="bold", text_anchor="end")
    piece = group(shapes.samurai(player.seat, player.colour), transform="translate(17 18) scale(0.85)")
    return piece + name + place + vp


def _discs(player: PlayerLook) -> str:
    """The pool as discs, then how many lie on which action."""
    pool = "".join(circle(4 + 9.5 * k, -3, 4, fill=DISC, stroke=shapes.INK) for k in range(player.pool))
    used = " ".join(f"{field} {count}" for field, count in player.fields.items() if count)
    return pool + words(4 + 9.5 * player.pool, 0, used, 8.5, fill=PANEL_INK)


def _monks(player: PlayerLook) -> str:
    """The spots by name, bright where a monk sits."""
    spots = [
        element(
            "tspan",
            spot if n < 2 else f"{spot} {n}",
            dx=4,
            fill=shapes.ROBE if n else "#756863",
            font_weight="bold" if n else "normal",
        )
        for spot, n in player.monks.items()
    ]
    figure = group(shapes.monk(), transform="translate(0 -3) scale(0.5)")
    return figure + element("text", "".join(spots), x=4, y=0, font_size=8.5)


def _pack(player: PlayerLook, width: float) -> str:
    parts = [words(0, 9, "pack", 9, fill=FAINT)]
    first, second = player.pack_slots
    step = min(15.0, (width - 37) / (first + second))
    for slot in range(first + second):
        x = 32 + step * slot + (5 if slot >= first else 0)
        fill = CELL_OPEN if slot < player.pack_size else CELL_CLOSED
        parts.append(rectangle(x, 0, 13, 13, rx=2, fill=fill, stroke="#171112", stroke_width=0.8))
        if slot < len(player.pack):
            parts.append(moved(x + 6.5, 6.5, _pack_item(player.pack[slot])))
    return "".join(parts)


def _pack_item(item: PackItem) -> str:
    if item.kind == "blueprint":
        marker = rectangle(-5, -5, 10, 10, rx=1, fill="#2f5fa8", stroke="#cfe0ff", stroke_width=0.8)
        return marker + middle_words(0, 0, item.name[0].upper(), 8, fill="#fff")
    if item.kind == "scroll":
        return group(shapes.scroll_token(item.name), transform="scale(0.5)")
    if item.kind == "monk":
        return group(shapes.monk(), transform="scale(0.5)")
    fill = shapes.RESOURCE_COLOUR[item.kind]
    return rectangle(-4.5, -4.5, 9, 9, rx=1, fill=fill, stroke=shapes.INK, stroke_width=0.8)


def _gears(gears: tuple[GearLook, ...], size: PanelSize) -> str:
    columns, room = sum(len(gear.rows[0]) for gear in gears), size.width - 20
    cell = min(size.cell, (room - LEAST_GAP * len(gears)) / columns)
    gap = (room - cell * columns) / len(gears)
    drawn, x = [], 0.0
    for gear in gears:
        drawn.append(moved(x, 0, _gear(gear, cell)))
        x += cell * len(gear.rows[0]) + gap
    return "".join(drawn)


def _gear(gear: GearLook, cell: float) -> str:
    title = words(0, 6, gear.gear, 9, fill=FAINT)
    cells = [
        _gear_cell(column * cell, 11 + row * cell, cell, letter)
        for row, letters in enumerate(gear.rows)
        for column, letter in enumerate(letters)
    ]
    return title + _magic(gear, cell) + "".join(cells) + _part_bar(gear, cell)


def _magic(gear: GearLook, cell: float) -> str:
    """It lies on top of the gear, in no cell (MAGIC-7): of two weapons above the one that has it."""
    if not gear.magic:
        return ""
    x = LEFT_COLUMNS * cell + 4 if gear.magic.endswith("right") else 43
    return group(tooltip(gear.magic), shapes.cube(x, -3, 10, "magic"))


def _gear_cell(x: float, y: float, cell: float, letter: str) -> str:
    if letter in GRID_LETTERS:
        return shapes.cube(x, y, cell - 1, letter)
    fill = CELL_CLOSED if letter == CLOSED else CELL_OPEN
    return rectangle(x, y, cell - 1, cell - 1, rx=1, fill=fill)


def _part_bar(gear: GearLook, cell: float) -> str:
    """Between the left and the right part of a weapon (CRAFT-6)."""
    if len(gear.rows[0]) <= LEFT_COLUMNS:
        return ""
    return rectangle(LEFT_COLUMNS * cell - 1.5, 10, 2, len(gear.rows) * cell + 1, fill=ASKED)


def _belongings(player: PlayerLook, size: PanelSize) -> str:
    owned = {
        "scrolls": player.scrolls,
        "blueprints": tuple(card.id for card in player.blueprints),
        "cards": tuple(f"{card.id} on {action}" for action, card in player.cards.items()),
        "adventures": player.adventures,
        "status": (f"markers {player.status}",) if player.status else (),
        "trophies": player.trophies,
    }
    lists = {label: ", ".join(things).replace("_", " ") for label, things in owned.items() if things}
    return _labelled(lists, size.width - 20, size.text, size.lines)


def _labelled(lists: dict[str, str], width: float, size: float, most_lines: int) -> str:
    """A line for each label, or more where a list needs them and there is room for all."""
    indent = 6.5 * size
    most = letters_in(width - indent, size)
    lines = [line for label, text in lists.items() for line in _broken(label, text, most)]
    if len(lines) > most_lines:
        lines = [(label, textwrap.shorten(text, most, placeholder="…")) for label, text in lists.items()]
    labels = [words(0, 1.22 * size * k, label, size, fill=FAINT) for k, (label, _) in enumerate(lines) if label]
    texts = [words(indent, 1.22 * size * k, text, size, fill=PANEL_INK) for k, (_, text) in enumerate(lines)]
    return "".join(labels + texts)


def _broken(label: str, text: str, most: int) -> list[tuple[str, str]]:
    return [(label if k == 0 else "", line) for k, line in enumerate(textwrap.wrap(text, most))]


def letters_in(width: float, size: float) -> int:
    """How many letters fit; there are no font metrics here, so it is an estimate."""
    return int(width / (GLYPH_WIDTH * size))


# the display


def draw_display(table: TableLook, width: float, height: float) -> str:
    """Gear cards by type and blueprints by temple, a row each; then scrolls, stacks and supply."""
    rows = table.gear_cards | {f"temple {k}": cards for k, cards in enumerate(table.temples)}
    across = min((width - 66) / max(map(len, rows.values())), MOST_CARD_WIDTH) if any(rows.values()) else 0
    down = (height - 50) / len(rows)
    drawn = [moved(0, 6 + k * down, _card_row(label, cards, across)) for k, (label, cards) in enumerate(rows.items())]
    frame = rectangle(0, 0, width, height, rx=8, fill=PANEL, stroke="#594a49")
    return group(frame, *drawn, moved(10, height - 31, _stocks(table, width)))


def _card_row(label: str, cards: tuple[Card, ...], step: float) -> str:
    drawn = [moved(62 + k * step, 0, _card(card, step)) for k, card in enumerate(cards)]
    return words(10, 20, label, 10, fill=FAINT) + "".join(drawn)


def _card(card: Card, width: float) -> str:
    """The parts of a pattern side by side, the name beneath."""
    cell = min(7.0, (width - 14) / max(1, sum(len(pattern[0]) + 0.5 for pattern in card.patterns)))  # none if hidden
    drawn, x = [], 4.0
    for pattern in card.patterns:
        drawn.append(moved(x, 2.5, shapes.cube_grid(pattern, cell)))
        x += (len(pattern[0]) + 0.7) * cell
    name = card.id.replace("_", " ")
    size = min(8.5, (width - 6) / (GLYPH_WIDTH * len(name)))
    return group(
        rectangle(0, 0, width - 4, 33.5, rx=3, fill="#3b3032", stroke="#5c4d4a", stroke_width=0.8),
        *drawn,
        _bonus(card, width),
        words(4, 31, name, size, fill=PANEL_INK),
    )


def _bonus(card: Card, width: float) -> str:
    """What a helmet card gives (GEAR-4), in its upper right corner."""
    if not card.resource:
        return ""
    resource = rectangle(width - 14, 3, 7, 7, rx=1, fill=shapes.RESOURCE_COLOUR[card.resource], stroke=shapes.INK)
    return words(width - 22, 10, "+", 9, fill=FAINT) + resource


def _stocks(table: TableLook, width: float) -> str:
    scrolls = ", ".join(table.scrolls).replace("_", " ")
    scrolls += f"; deck {table.scroll_deck}, discarded {table.scroll_discards}"
    stacks = "; ".join(map(str, table.stacks))
    supply = ", ".join(f"{name} {n}" for name, n in table.supply.items())
    lines = {"scrolls": scrolls, "tiles left": stacks, "supply": supply}
    return _labelled(lines, width - 20, 9.5, len(lines))


# what is asked


def draw_heading(table: TableLook) -> str:
    asked = f"player {table.actor} is asked:" if table.actor >= 0 else ""
    title = words(56, 32, "Fuji Koro", 24, fill="#ffd9a0", font_weight="bold")
    rounds = words(205, 31, f"round {table.round_number} of {table.max_rounds}", 14, fill=FAINT)
    who = element("tspan", escape(asked), fill=ASKED, font_weight="bold")
    question = element("tspan", escape(f"{table.question}{_about(table)}"), dx=8, fill=PANEL_INK)
    scenario = words(57, 48, table.scenario, 11, fill=FAINT)
    return _emblem() + title + scenario + rounds + element("text", who + question, x=335, y=31, font_size=16)


def _about(table: TableLook) -> str:
    """What the question is about."""
    if table.drawn:
        place = geometry().place_names[table.drawn_place]
        return f" ({table.drawn.id.replace('_', ' ')} on {place})"
    offered = ", ".join(f"{n} {kind}" for kind, n in table.offer.items())
    return f" ({offered})" if offered else ""


def _emblem() -> str:
    """A small volcano."""
    fire = shapes.path("M24 16 Q20 8 25 3 Q26 8 30 9 Q36 3 33 12 Q36 12 34 17 Z", fill="#ff8c2b")
    mountain = shapes.path("M8 42 L23 15 Q28 19 33 15 L48 42 Z", fill="#6f5148", stroke="#ffd9a0", stroke_width=1.2)
    stream = shapes.path("M26 17 Q24 27 29 31 Q32 35 29 41", fill="none", stroke="#ff6a1a", stroke_width=3.4)
    return fire + mountain + stream


def draw_countdown(table: TableLook) -> str:
    """The track of the final chapter, entered spaces lit."""
    parts = [words(0, 0, table.final_chapter, 11, fill=FAINT)]
    for step, call in enumerate(table.calls):
        lit = step < table.countdown
        x = 12 + 29 * step
        parts.append(circle(x, 20, 11, fill="#ff7a1a" if lit else "#3a2c2e", stroke="#ff9a3d", stroke_width=1.2))
        sign = {"nothing": "", "rope": "rope", "end": "end"}.get(call, call.removeprefix("lava "))
        size = 11 if sign.isdigit() else 7
        parts.append(middle_words(x, 20, sign, size, fill="#fff" if lit else "#e8cfa8", font_weight="bold"))
    return "".join(parts)


def draw_legend() -> str:
    """Pieces that do not explain themselves."""
    pieces = {
        "lava": shapes.hexagon(0, 0, 11, fill="url(#lava)"),
        "lava tile": shapes.hexagon(0, 0, 10, fill="url(#eruption)", stroke="#fff0b0", stroke_width=2),
        "monk": group(shapes.monk(), transform="scale(0.8)"),
        "scroll token": group(shapes.scroll_token("red"), transform="scale(0.8)"),
        "adventure": group(shapes.adventure_token("..."), transform="scale(0.8)"),
        "turns to lava": shapes.eruption_number("1"),
        "health": shapes.heart(0, 0),
        "initiative": shapes.bolt(0, 0),
    }
    rows = [
        moved(12, 12 + 21 * k, piece) + words(30, 15.5 + 21 * k, label, 10.5, fill=FAINT)
        for k, (label, piece) in enumerate(pieces.items())
    ]
    return "".join(rows)

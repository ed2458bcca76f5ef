"""The common display as SVG: gear cards and blueprints with their patterns, scrolls, stacks and supply; and the latest
events."""

from collections.abc import Sequence
from functools import lru_cache

from fujikoro_env.content.model import Card
from fujikoro_env.kernel.drawing import elements
from fujikoro_env.kernel.drawing.elements import group, moved, rectangle, tooltip, words
from fujikoro_env.kernel.drawing.lettering import LEAST, last_lines, wrapped
from fujikoro_env.kernel.drawing.palette import BOX, BOX_EDGE, FAINT, PANEL, PANEL_EDGE, TEXT
from fujikoro_env.render import shapes
from fujikoro_env.render.look import TableLook
from fujikoro_env.render.picture import Band

MARGIN, LABELS = 10, 74  # width of the column of labels
MOST_CARD_WIDTH = 3.6  # as a multiple of the height
ROWS = (48.0, 44.0, 40.0, 36.0)  # heights of a row of cards to choose from
MOST_CELL = 0.22  # size of a pattern's cell, as a share of the card's height
CARDS_Y = 7  # where the first row of cards begins
STOCK_LINE, STOCK_BASELINE = 17, 14
EVENT_LINE, EVENT_HEAD = 17, 7
LINES_OF_AN_EVENT, INDENT = 3, 8
FADING = (1.0, 0.8, 0.65, 0.55)  # the older, the paler


# the display


def card_rows(table: TableLook) -> dict[str, tuple[Card, ...]]:
    """Rows of the display: gear cards by type and blueprints by temple, without empty rows."""
    rows = table.gear_cards | {f"temple {k}": cards for k, cards in enumerate(table.temples)}
    return {label: cards for label, cards in rows.items() if cards}


def display_height(table: TableLook, width: float, row: float) -> float:
    return 15 + row * len(card_rows(table)) + STOCK_LINE * len(_stock_lines(table, width))


def draw_display(table: TableLook, width: float, row: float) -> tuple[str, tuple[Band, ...]]:
    """The frame, and a band for each row of cards and each line about stocks."""
    rows, height = card_rows(table), display_height(table, width, row)
    most = max(map(len, rows.values()), default=1)
    across = min((width - LABELS - MARGIN + 4) / most, MOST_CARD_WIDTH * row)
    frame = rectangle(0, 0, width, height, rx=7, fill=PANEL, stroke=PANEL_EDGE)
    bands = [Band(0, CARDS_Y - 1, "")]
    for k, label in enumerate(rows):
        y = CARDS_Y + row * k
        bands.append(Band(y - 1, row, moved(0, y, _card_row(label, rows[label], across, row))))
    end = CARDS_Y + row * len(rows) - 1
    for k, (label, text) in enumerate(_stock_lines(table, width)):
        y = end + STOCK_LINE * k
        bands.append(Band(y, STOCK_LINE, moved(MARGIN, y + STOCK_BASELINE, _stock(label, text, width))))
        last = y + STOCK_LINE
    return frame, (*bands, Band(last, height - last, ""))


@lru_cache(256)
def _card_row(label: str, cards: tuple[Card, ...], across: float, row: float) -> str:
    drawn = [moved(LABELS + k * across, 0, _card(card, across - 4, row - 3)) for k, card in enumerate(cards)]
    return words(MARGIN, row / 2 + 3, label, LEAST, fill=FAINT) + "".join(drawn)


@lru_cache(512)
def _card(card: Card, width: float, height: float) -> str:
    """A card: the parts of its pattern side by side, the name beneath."""
    cell = _cell_of(card, width - (30 if card.resource else 8), height)
    drawn, x = [], 4.0
    for pattern in card.patterns:
        drawn.append(moved(x, 3.5, shapes.cube_grid(pattern, cell)))
        x += (len(pattern[0]) + 1) * cell
    name = elements.shortened_words(4, height - 4, card.id.replace("_", " "), LEAST, width - 8, fill=TEXT)
    frame = rectangle(0, 0, width, height, rx=3, fill=BOX, stroke=BOX_EDGE, stroke_width=0.8)
    return group(tooltip(card.id), frame, *drawn, _bonus(card, width), name, class_="card", data_info=card.id)


def _cell_of(card: Card, width: float, height: float) -> float:
    columns = sum(len(pattern[0]) + 1 for pattern in card.patterns) - 1
    rows = max((len(pattern) for pattern in card.patterns), default=1)  # a hidden blueprint shows none
    return min(MOST_CELL * height, width / max(1, columns), (height - LEAST - 6) / rows)


def _bonus(card: Card, width: float) -> str:
    """Bonus of a helmet card (GEAR-4), in its upper right corner."""
    if not card.resource:
        return ""
    resource = rectangle(width - 14, 4, 10, 10, rx=1, fill=shapes.RESOURCE_COLOUR[card.resource], stroke=shapes.INK)
    return words(width - 26, 14, "+", LEAST, fill=FAINT) + resource


def _stock_lines(table: TableLook, width: float) -> list[tuple[str, str]]:
    scrolls = f"{', '.join(table.scrolls) or 'none open'}; deck {table.scroll_deck}, discarded {table.scroll_discards}"
    stocks = {
        "scrolls": scrolls,
        "tiles left": "; ".join(str(stack).removeprefix("level ") for stack in table.stacks),
        "supply": ", ".join(f"{name} {n}" for name, n in table.supply.items()),
    }
    return [
        (label if k == 0 else "", line)
        for label, text in stocks.items()
        for k, line in enumerate(wrapped(text.replace("_", " "), _stock_width(width) / elements.LEAST_SQUEEZE, LEAST))
    ]


def _stock_width(width: float) -> float:
    return width - LABELS - MARGIN


@lru_cache(64)
def _stock(label: str, text: str, width: float) -> str:
    shown = elements.squeezed_words(LABELS - MARGIN, 0, text, LEAST, _stock_width(width), fill=TEXT)
    return words(0, 0, label, LEAST, fill=FAINT) + group(shown, data_info=text)


# what happened last


def draw_events(events: Sequence[str], width: float, height: float) -> tuple[str, tuple[Band, ...]]:
    """A frame with lines for the events, newest first. What does not fit is left out."""
    room = int((height - EVENT_HEAD - 2) / EVENT_LINE)
    lines: list[str] = []
    for age, event in enumerate(events):
        left = room - len(lines)
        if not left:
            break
        broken = last_lines(event, width - 2 * MARGIN - INDENT, LEAST, min(LINES_OF_AN_EVENT, left))
        lines += [_event_line(text, k == 0, age) for k, text in enumerate(broken)]
    frame = rectangle(0, 0, width, height, rx=7, fill=PANEL, stroke=PANEL_EDGE)
    ground = rectangle(0, -height, width, 3 * height, fill=PANEL, stroke=PANEL_EDGE)  # its sides are those of the frame
    bands = [Band(EVENT_HEAD + EVENT_LINE * k, EVENT_LINE, line, ground) for k, line in enumerate(lines)]
    head = Band(0, EVENT_HEAD, "")
    end = EVENT_HEAD + EVENT_LINE * len(lines)
    return tooltip("what happened last") + frame, (head, *bands, Band(end, height - end, ""))


def _event_line(text: str, is_first: bool, age: int) -> str:
    x = MARGIN if is_first else MARGIN + INDENT
    opacity = FADING[min(age, len(FADING) - 1)]
    return words(x, 13, text, LEAST, fill=TEXT, fill_opacity=opacity)

"""The whole table as one SVG, and the bare map to check its geometry by eye. No dependency: strings alone."""

from collections.abc import Sequence

from fujikoro_env.game import Game
from fujikoro_env.render.look import TableLook, look
from fujikoro_env.render.palette import TABLE
from fujikoro_env.render.shapes import group, moved, rectangle, tooltip
from fujikoro_env.render.svg_display import (
    LEAST_ROW,
    MOST_ROW,
    card_rows,
    display_height,
    draw_display,
    draw_events,
    events_height,
)
from fujikoro_env.render.svg_head import (
    draw_countdown,
    draw_focus,
    draw_legend,
    draw_question,
    draw_title,
    draw_track,
)
from fujikoro_env.render.svg_map import DEFINITIONS, MapFrame, draw_geometry, draw_map
from fujikoro_env.render.svg_player import PanelSize, draw_player, least_height, needed_height, words_height
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.map.geometry import PLACES, SPACES

MARK = "<!-- drawn by fujikoro_env -->"  # by which our own pictures can be told from other files
WIDTH, HEIGHT = 1280, 800
FONT = "'DejaVu Sans Condensed', Tahoma, 'Noto Sans', Arial, sans-serif"
GAP = 6
HEAD_Y, HEAD_HEIGHT = 5, 50
MAP = MapFrame(x=410, y=483, size=26)  # pieces are drawn for this size, and the map is scaled as a whole
MAP_SCALE = 0.832
QUESTION_X = 150
SIDE_X = 688
SIDE_WIDTH = WIDTH - SIDE_X - GAP
SIDE_Y = HEAD_Y + HEAD_HEIGHT + GAP
SIDE_HEIGHT = HEIGHT - SIDE_Y - GAP
FOCUS = (476, 704, 204, 90)  # x, y, width, height: in the corner under the map
FEWEST_EVENTS, FEW_EVENTS, MOST_EVENTS = 2, 4, 9  # lines
BOARDS_SHARE, CARDS_SHARE = 0.45, 0.75  # of the height that is left
SCALES = {1: 1.9, 2: 1.45}  # how much larger the boards of few players are


def table_svg(game: Game, events: Sequence[str] = ()) -> str:
    """The whole table as an SVG picture. `events`: what happened last, in words, the latest first."""
    table = look(game)
    x, y, width, height = FOCUS
    spaces, places = _nameable(game, act.STEP, SPACES), _nameable(game, act.PLACE, PLACES)
    return _document(
        rectangle(0, 0, WIDTH, HEIGHT, fill=TABLE),
        group(draw_map(table, MAP, spaces, places), transform=f"scale({MAP_SCALE})"),
        moved(0, HEAD_Y, draw_title(table)),
        moved(QUESTION_X, HEAD_Y, draw_question(table, SIDE_X - GAP - QUESTION_X, HEAD_HEIGHT)),
        moved(SIDE_X, HEAD_Y, draw_track(table, SIDE_WIDTH, HEAD_HEIGHT)),
        moved(12, SIDE_Y + 6, draw_countdown(table)),
        moved(18, HEIGHT - 34, draw_legend()),
        moved(x, y, draw_focus(table, width, height)),
        *_side(table, events),
    )


def map_svg(game: Game | None = None) -> str:
    """The map as an SVG picture, every space with its number and name; with a game, on its terrain."""
    table = look(game) if game is not None else None
    frame = MapFrame(x=640, y=640, size=39)
    picture = rectangle(0, 0, 1280, 1280, fill="#efe9dd") + draw_geometry(frame, table)
    return _framed(picture, (1280, 1280), (1280, 1280))


def _document(*parts: str) -> str:
    return _framed(group(tooltip("Fuji Koro"), *parts), (WIDTH, HEIGHT), (WIDTH, HEIGHT))


def _framed(picture: str, shown: tuple[int, int], drawn: tuple[int, int]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{shown[0]}" height="{shown[1]}"'
    view = f'viewBox="0 0 {drawn[0]} {drawn[1]}" font-family="{FONT}"'
    return f"{head} {view}>\n{MARK}\n<defs>{DEFINITIONS}</defs>\n{picture}\n</svg>\n"


def _nameable(game: Game, first: int, count: int) -> list[int]:
    """Which of a block of actions are legal now: the spaces or places that the player who is asked may name."""
    return [int(action) - first for action in game.legal_actions() if first <= action < first + count]


# the right side


def _side(table: TableLook, events: Sequence[str]) -> list[str]:
    """Boards, display and events share the height. An odd number of boards leaves room for the events between them."""
    has_room = _columns(table) == 2 and len(table.players) % 2 == 1
    boards, row, told = _heights(table, has_events=bool(events) and not has_room)
    parts = [*_boards(table, boards), moved(SIDE_X, SIDE_Y + boards + GAP, draw_display(table, SIDE_WIDTH, row))]
    if not events:
        return parts
    under = (float(SIDE_X), HEIGHT - GAP - told, float(SIDE_WIDTH), told)
    x, y, width, height = _board_frame(table, len(table.players), boards) if has_room else under
    return [*parts, moved(x, y, draw_events(events, width, height))]


def _heights(table: TableLook, has_events: bool) -> tuple[float, float, float]:
    """Of all boards, of a row of cards, and of the events. Each has what it needs at least; what is left is given away
    in turn: to boards that own much, to the events, to what looks well, and the rest to the events or the boards.
    `has_events`: they stand under the display."""
    rows = len(card_rows(table))
    boards, cards, told = _least_boards(table), rows * LEAST_ROW, events_height(FEWEST_EVENTS) if has_events else 0
    stocks = display_height(table, SIDE_WIDTH, 0)
    spare = SIDE_HEIGHT - (2 * GAP if has_events else GAP) - boards - cards - stocks - told

    def grant(wish: float) -> float:
        nonlocal spare
        given = max(0.0, min(wish, spare))
        spare -= given
        return given

    boards += grant(_needed_boards(table) - boards)
    told += grant(events_height(FEW_EVENTS) - told) if has_events else 0
    boards += grant(BOARDS_SHARE * spare)
    cards += grant(min(CARDS_SHARE * spare, rows * (MOST_ROW - LEAST_ROW)))
    told += grant(events_height(MOST_EVENTS) - told) if has_events else 0
    return boards + spare, cards / max(1, rows), told


def _columns(table: TableLook) -> int:
    """Two players get wide boards one above the other; more sit in two columns."""
    return 1 if len(table.players) <= 2 else 2


def _scale(table: TableLook) -> float:
    return SCALES.get(len(table.players), 1)


def _least_boards(table: TableLook) -> float:
    rows = -(-len(table.players) // _columns(table))
    scale = _scale(table)
    return rows * (scale * least_height(_has_cards(table)) + GAP) - GAP


def _needed_boards(table: TableLook) -> float:
    columns, scale = _columns(table), _scale(table)
    width = (SIDE_WIDTH - GAP * (columns - 1)) / columns / scale
    highest = max(needed_height(player, width, _has_cards(table)) for player in table.players)
    return -(-len(table.players) // columns) * (scale * highest + GAP) - GAP


def _has_cards(table: TableLook) -> bool:
    return any(player.cards for player in table.players)


def _boards(table: TableLook, total: float) -> list[str]:
    scale = _scale(table)
    drawn = []
    for player in table.players:
        x, y, width, height = _board_frame(table, player.seat, total)
        words = max(words_height(player, width / scale) for player in table.players)
        size = PanelSize(width / scale, height / scale, _has_cards(table), words)
        panel = draw_player(player, size, player.seat == table.actor)
        drawn.append(moved(x, y, group(panel, transform=f"scale({scale})")))
    return drawn


def _board_frame(table: TableLook, number: int, total: float) -> tuple[float, float, float, float]:
    """x, y, width and height of a board, if all together are so high."""
    columns = _columns(table)
    rows, (row, column) = -(-len(table.players) // columns), divmod(number, columns)
    width, height = (SIDE_WIDTH - GAP * (columns - 1)) / columns, (total - GAP * (rows - 1)) / rows
    return SIDE_X + column * (width + GAP), SIDE_Y + row * (height + GAP), width, height

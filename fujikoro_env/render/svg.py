"""The whole table as one SVG, and the bare map for checking its geometry by eye. Needs no library: plain strings."""

from collections.abc import Sequence
from functools import cache

from fujikoro_env.game import Game
from fujikoro_env.kernel.drawing.elements import group, moved, rectangle
from fujikoro_env.kernel.drawing.palette import TABLE
from fujikoro_env.render.look import TableLook, look
from fujikoro_env.render.picture import MARK, Box, Picture, Sheet, document, panel
from fujikoro_env.render.rolls import Roll
from fujikoro_env.render.svg_display import ROWS, display_height, draw_display, draw_events
from fujikoro_env.render.svg_head import (
    draw_countdown,
    draw_focus,
    draw_legend,
    draw_question,
    draw_scenario,
    draw_title,
    draw_track,
)
from fujikoro_env.render.svg_map import MapFrame, Piece, draw_crater, draw_geometry, draw_ground, draw_pieces
from fujikoro_env.render.svg_player import PanelSize, draw_player, fitted

__all__ = ["HEIGHT", "MARK", "WIDTH", "draw_table", "map_svg", "table_svg"]

WIDTH, HEIGHT = 1280, 1056  # multiples of 16, as video codecs like them
GAP = 6
HEAD_Y, HEAD_HEIGHT = 5, 60
LEFT_WIDTH = 722
QUESTION_X = 160
SIDE_X = LEFT_WIDTH + GAP
SIDE_WIDTH = WIDTH - SIDE_X - GAP
SIDE_Y = HEAD_Y + HEAD_HEIGHT + GAP
SIDE_HEIGHT = HEIGHT - SIDE_Y - GAP
MAP = MapFrame(x=416, y=494, size=26)  # pieces are drawn for this size, and the map is scaled as a whole
MAP_SCALE = 0.875
MAP_BOX = Box(0, SIDE_Y - GAP + 1, LEFT_WIDTH, 745)  # begins below the border of the question
LEGEND_ROWS = 6
LEGEND = Box(GAP, 813, LEFT_WIDTH - GAP, 120)
STRIP = Box(GAP, 939, LEFT_WIDTH - GAP, HEIGHT - GAP - 939)  # events, and a fight or a tile beside them
FIGHT_WIDTH, FOCUS_WIDTH = 480, 300  # width of a fight, and of a tile or a last roll
COUNTDOWN = Box(14, SIDE_Y + 4, 236, 92)
SCENARIO = Box(LEFT_WIDTH - 168, SIDE_Y + 2, 160, 76)
SCALES = {1: 1.7, 2: 1.35}  # how much larger the boards of few players are
WIDE = 3  # up to this many players, boards are as wide as the side


def table_svg(game: Game, events: Sequence[str] = (), names: Sequence[str] = (), rolls: Sequence[Roll] = ()) -> str:
    """The table as an SVG file.

    `names` are the agents' names by seat. A `Chronicle` of the game provides `events`, the latest events in words, and
    `rolls`, the dice of the fight.
    """
    return draw_table(look(game, names), events, rolls).svg


def draw_table(table: TableLook, events: Sequence[str] = (), rolls: Sequence[Roll] = ()) -> Picture:
    """Draws the table in parts. `events`: newest first; `rolls`: oldest first."""
    question = Box(QUESTION_X, HEAD_Y, SIDE_X - GAP - QUESTION_X, HEAD_HEIGHT)
    track = Box(SIDE_X, HEAD_Y, SIDE_WIDTH, HEAD_HEIGHT)
    return Picture(
        width=WIDTH,
        height=HEIGHT,
        background=_background(),
        map_box=MAP_BOX,
        map_scale=MAP_SCALE,
        ground=[
            *draw_ground(table, MAP),
            _corner(COUNTDOWN, draw_countdown(table)),
            _corner(SCENARIO, draw_scenario(table, SCENARIO.width)),
        ],
        pieces=draw_pieces(table, MAP),
        sheets=[
            panel(Box(0, HEAD_Y, QUESTION_X, HEAD_HEIGHT), draw_title(table)),
            panel(question, draw_question(table, question.width, question.height), "question"),
            panel(track, draw_track(table, track.width, track.height), "track"),
            panel(LEGEND, draw_legend(LEGEND.width, LEGEND_ROWS), "legend"),
            *_strip(table, events, rolls),
            *_side(table),
        ],
    )


def map_svg(game: Game | None = None) -> str:
    """The map as an SVG picture: every space with its number and name, and the terrain of a game if one is given."""
    table = look(game) if game is not None else None
    box = Box(0, 0, 1280, 1280)
    picture = rectangle(0, 0, box.width, box.height, fill="#efe9dd")
    return document(picture + draw_geometry(MapFrame(x=640, y=640, size=39), table), box)


@cache
def _background() -> str:
    table = rectangle(0, 0, WIDTH, HEIGHT, fill=TABLE)
    crater = group(draw_crater(MAP), transform=f"scale({MAP_SCALE})")
    cover = [  # the glow ends where panels begin
        rectangle(0, 0, WIDTH, MAP_BOX.y, fill=TABLE),
        rectangle(LEFT_WIDTH, 0, WIDTH - LEFT_WIDTH, HEIGHT, fill=TABLE),
    ]
    return group(table, crater, *cover)


def _corner(box: Box, svg: str) -> Piece:
    """A drawing in a corner of the map's rectangle, which the mountain leaves free."""
    drawn = moved(box.x / MAP_SCALE, box.y / MAP_SCALE, group(svg, transform=f"scale({1 / MAP_SCALE:.5f})"))
    x, y = (box.x + box.width / 2) / MAP_SCALE, (box.y + box.height / 2) / MAP_SCALE
    return Piece(drawn, x, y, max(box.width, box.height) / 2 / MAP_SCALE)


def _strip(table: TableLook, events: Sequence[str], rolls: Sequence[Roll]) -> list[Sheet]:
    """The strip below the map: the latest events, and beside them the fight or the tile to lay."""
    width = FIGHT_WIDTH if table.fight else FOCUS_WIDTH
    focus = draw_focus(table, rolls, width, STRIP.height)
    left = STRIP.width - (width + GAP if focus else 0)
    sheets = []
    if events:
        box = Box(STRIP.x, STRIP.y, left, STRIP.height)
        sheets.append(Sheet(box, *draw_events(events, left, STRIP.height), name="events"))
    if focus:
        box = Box(STRIP.x + STRIP.width - width, STRIP.y, width, STRIP.height)
        sheets.append(panel(box, focus, "focus"))
    return sheets


# the right side


def _side(table: TableLook) -> list[Sheet]:
    """The right side: boards above the display. The cards are as high as the players' belongings allow."""
    columns = 1 if len(table.players) <= WIDE else 2
    rows = -(-len(table.players) // columns)
    scale = SCALES.get(len(table.players), 1)
    width = (SIDE_WIDTH - GAP * (columns - 1)) / columns
    for row in ROWS:
        cards = display_height(table, SIDE_WIDTH, row)
        height = float((SIDE_HEIGHT - cards - GAP * rows) // rows)
        size = fitted(table.players, width / scale, height / scale)
        if size:
            break
    size = size or PanelSize(width / scale, height / scale)
    boards = []
    for player in table.players:
        at = divmod(player.seat, columns)
        box = Box(SIDE_X + at[1] * (width + GAP), SIDE_Y + at[0] * (height + GAP), width, height)
        frame, bands = draw_player(player, size, player.seat == table.actor)
        boards.append(Sheet(box, frame, bands, scale, f"player-{player.seat}"))
    display = Box(SIDE_X, HEIGHT - GAP - cards, SIDE_WIDTH, cards)
    return [*boards, Sheet(display, *draw_display(table, SIDE_WIDTH, row), name="display")]

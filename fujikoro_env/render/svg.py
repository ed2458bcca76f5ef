"""The whole table as one SVG, and the bare map to check its geometry by eye. No dependency: strings alone."""

from fujikoro_env.game import Game
from fujikoro_env.render.look import TableLook, look
from fujikoro_env.render.shapes import group, moved, rectangle, tooltip
from fujikoro_env.render.svg_map import DEFINITIONS, MapFrame, draw_geometry, draw_map
from fujikoro_env.render.svg_panels import (
    PanelSize,
    draw_countdown,
    draw_display,
    draw_heading,
    draw_legend,
    draw_player,
)
from fujikoro_env.rules import actions as act
from fujikoro_env.rules.geometry import PLACES, SPACES

MARK = "<!-- drawn by fujikoro_env -->"  # by which our own pictures can be told from other files
SHOWN_WIDTH, SHOWN_HEIGHT = 1280, 800
WIDTH, HEIGHT = 1440, 900
MAP = MapFrame(x=415, y=476, size=26)
SIDE_X, SIDE_WIDTH, GAP = 840, 590, 8
PANELS_Y, PANELS_HEIGHT = 52, 570
DISPLAY_Y = PANELS_Y + PANELS_HEIGHT + GAP
FONT = "Verdana, 'DejaVu Sans', sans-serif"


def table_svg(game: Game) -> str:
    table = look(game)
    return _document(
        rectangle(0, 0, WIDTH, HEIGHT, fill="#171112"),
        draw_heading(table),
        draw_map(table, MAP, _nameable(game, act.STEP, SPACES), _nameable(game, act.PLACE, PLACES)),
        moved(16, 80, draw_countdown(table)),
        moved(8, HEIGHT - 184, draw_legend()),
        *_player_panels(table),
        moved(SIDE_X, DISPLAY_Y, draw_display(table, SIDE_WIDTH, HEIGHT - DISPLAY_Y - GAP)),
    )


def map_svg(game: Game | None = None) -> str:
    """Every space with its number and name; with a game, on its terrain."""
    table = look(game) if game is not None else None
    frame = MapFrame(x=640, y=640, size=39)
    picture = rectangle(0, 0, 1280, 1280, fill="#efe9dd") + draw_geometry(frame, table)
    return _framed(picture, (1280, 1280), (1280, 1280))


def _document(*parts: str) -> str:
    return _framed(group(tooltip("Fuji Koro"), *parts), (SHOWN_WIDTH, SHOWN_HEIGHT), (WIDTH, HEIGHT))


def _framed(picture: str, shown: tuple[int, int], drawn: tuple[int, int]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{shown[0]}" height="{shown[1]}"'
    view = f'viewBox="0 0 {drawn[0]} {drawn[1]}" font-family="{FONT}"'
    return f"{head} {view}>\n{MARK}\n<defs>{DEFINITIONS}</defs>\n{picture}\n</svg>\n"


def _nameable(game: Game, first: int, count: int) -> list[int]:
    """Which of a block of actions are legal now: the spaces or places that the player who is asked may name."""
    return [int(action) - first for action in game.legal_actions() if first <= action < first + count]


def _player_panels(table: TableLook) -> list[str]:
    """Two players get wide boards one above the other; more sit in two columns."""
    columns = 1 if len(table.players) <= 2 else 2
    rows = -(-len(table.players) // columns)
    width = (SIDE_WIDTH - GAP * (columns - 1)) / columns
    height = (PANELS_HEIGHT - GAP * (rows - 1)) / rows
    size, scale = _panel_size(width, height)
    drawn = []
    for player in table.players:
        row, column = divmod(player.seat, columns)
        x, y = SIDE_X + column * (width + GAP), PANELS_Y + row * (height + GAP)
        panel = draw_player(player, size, player.seat == table.actor)
        drawn.append(moved(x, y, group(panel, transform=f"scale({scale})")))
    return drawn


def _panel_size(width: float, height: float) -> tuple[PanelSize, float]:
    """Larger cells where there is room for them, and wide panels drawn larger altogether."""
    scale = 1.5 if width > 400 else 1.0
    room = height / scale
    cell, text, lines = (11, 8.5, 4) if room < 200 else (16, 10.5, 8)
    return PanelSize(width / scale, room, cell, text, lines), scale

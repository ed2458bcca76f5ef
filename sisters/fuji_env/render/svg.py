"""The table as SVG: the map with its lava, tokens, figures and markers, and a panel for each figure."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from fuji_env.content.model import (
    COLOURS,
    DICE,
    EQUIPMENT,
    INJURIES,
    RUBBLE_CARD,
    SKILLS,
    VILLAGE,
    VOLCANO,
    Condition,
)
from fuji_env.rules.base.names import Word
from fuji_env.vocabulary import COLUMNS
from fujikoro_env.kernel.drawing.elements import (
    Point,
    circle,
    document,
    element,
    group,
    middle_words,
    moved,
    path,
    polygon,
    rectangle,
    shortened_words,
    squeezed_words,
    tooltip,
    words,
)
from fujikoro_env.kernel.drawing.lettering import text_width, wrapped
from fujikoro_env.kernel.drawing.palette import (
    ALARM,
    BOX,
    BOX_EDGE,
    DIM,
    EMBER,
    FAINT,
    GOLD,
    PANEL,
    PANEL_EDGE,
    TABLE,
    TEXT,
)
from fujikoro_env.kernel.texts import label

if TYPE_CHECKING:
    from fuji_env.game import Game

WIDTH, HEIGHT = 1280, 860
GAP, HEAD = 8, 62
MAP_WIDTH = 800
SIDE_X = MAP_WIDTH + 2 * GAP
SIDE_WIDTH = WIDTH - SIDE_X - GAP
MOST_CELL = 104  # size of a card
MARGIN = 26  # for the names of columns and rows
FACES: Final = dict(zip(COLOURS, ("#f28ab8", "#6fb1ec", "#f5d142"), strict=True))
FIGURES: Final = ("#d7332e", "#3f9d4d", "#8a4fb5", "#2f6fc4")
INK, PAPER = "#2b211c", "#f4f1ea"
LANDSCAPE, MEADOW, STONE, ASH, LAVA = "#7f9a63", "#c9b27c", "#8d8781", "#4a4340", "#b8321a"
CHIP = 26  # height of the box with a card's condition; cards are drawn 100 wide
DIE = 34


def table_svg(game: "Game", names: Sequence[str] = ()) -> str:
    """The table as an SVG file. In a view, hidden dice show as `?`. `names`: the players' names by seat."""
    parts = [
        rectangle(0, 0, WIDTH, HEIGHT, fill=TABLE),
        _head(game, names),
        _map(game),
        *_panels(game, names),
    ]
    return document(group(tooltip("Fuji"), *parts), WIDTH, HEIGHT)


# --- the head ---------------------------------------------------------------------------------------------------------


def _head(game: "Game", names: Sequence[str]) -> str:
    rules, s = game.rules, game.state
    variant = f", variant {rules.variant}" if rules.variant else ""
    about = f"{rules.scenario.replace('_', ' ')}, level {rules.level}{variant}, round {s.round_number}"
    asked = _asked(game, names)
    return group(
        rectangle(GAP, GAP, WIDTH - 2 * GAP, HEAD - GAP, rx=6, fill=PANEL, stroke=PANEL_EDGE),
        words(24, 45, "Fuji", 30, fill=GOLD, font_weight="bold"),
        words(104, 44, about, 17, fill=FAINT),
        squeezed_words(430, 44, asked, 18, WIDTH - 460, fill=ALARM if game.over else TEXT),
    )


def _asked(game: "Game", names: Sequence[str]) -> str:
    if game.outcome is not None:
        how = f"won, score {game.outcome.scores[0]}" if game.outcome.won else f"lost to the {game.outcome.reason}"
        return f"The game is {how}."
    name = names[game.actor] if names else ""
    return f"{label(name, game.actor)}, figure {game.figure}: {game.question}"


# --- the map ----------------------------------------------------------------------------------------------------------


class Grid:
    """Where cards lie in the picture."""

    def __init__(self, game: "Game") -> None:
        scenario = game.rules.pack.scenarios[game.rules.scenario_number]
        self.places = scenario.places()
        self.rows, self.columns = len(scenario.rows), max(map(len, scenario.rows))
        room = MAP_WIDTH - MARGIN, HEIGHT - HEAD - 2 * GAP - MARGIN
        self.cell = min(MOST_CELL, room[0] / self.columns, room[1] / self.rows)
        self.left = GAP + MARGIN + (room[0] - self.cell * self.columns) / 2
        self.top = HEAD + GAP + (room[1] - self.cell * self.rows) / 2

    def corner(self, place: int) -> Point:
        """The upper left corner of a card."""
        row, column, _ = self.places[place]
        return self.left + self.cell * column, self.top + self.cell * row

    def middle(self, place: int) -> Point:
        """The middle of a card."""
        x, y = self.corner(place)
        return x + self.cell / 2, y + self.cell / 2


def _map(game: "Game") -> str:
    grid = Grid(game)
    cards = [_card(game, grid, place) for place in range(len(grid.places))]
    return group(*_rulers(grid), *cards, *_walks(game, grid), *_figures(game, grid))


def _rulers(grid: Grid) -> Iterator[str]:
    """Names of columns and rows, as in the names of places."""
    bottom = grid.top + grid.cell * grid.rows + 16
    for column in range(grid.columns):
        yield middle_words(grid.left + grid.cell * (column + 0.5), bottom, COLUMNS[column], 15, fill=DIM)
    for row in range(grid.rows):
        yield middle_words(grid.left - 14, grid.top + grid.cell * (row + 0.5), str(grid.rows - row), 15, fill=DIM)


def _card(game: "Game", grid: Grid, place: int) -> str:
    """One card, drawn 100 wide and scaled."""
    s, letter = game.state, grid.places[place][2]
    x, y = grid.corner(place)
    is_lava = bool(int(s.lava) >> place & 1)
    drawn = _lava(place, letter) if is_lava else _ground(game, place, letter)
    tokens = [] if is_lava else list(_tokens(game, place))
    name = tooltip(game.vocabulary.place(place))
    return moved(x, y, group(name, drawn, *tokens, transform=f"scale({grid.cell / 100:.4f})"))


def _lava(place: int, letter: str) -> str:
    spots = [((place * 37 + k * 53) % 72 + 14, (place * 61 + k * 29) % 72 + 14) for k in range(5)]
    glow = "".join(circle(x, y, 4 + (place + 3 * k) % 7, fill=EMBER, opacity=0.75) for k, (x, y) in enumerate(spots))
    ground = rectangle(1, 1, 98, 98, rx=6, fill=LAVA, stroke="#6d1a0c", stroke_width=2)
    return ground + glow + (_volcano() if letter == VOLCANO else "")


def _volcano() -> str:
    crater = path("M38 34 Q50 42 62 34 L58 28 Q50 32 42 28 Z", fill=EMBER)
    return polygon([(8, 88), (40, 28), (60, 28), (92, 88)], fill=ASH, stroke=INK, stroke_width=2) + crater


def _ground(game: "Game", place: int, letter: str) -> str:
    fill = STONE if letter == RUBBLE_CARD else MEADOW if letter == VILLAGE else LANDSCAPE
    edge = {"stroke": EMBER, "stroke_width": 3} if _burns_next(game, place) else {"stroke": INK, "stroke_width": 1}
    card = rectangle(2, 2, 96, 96, rx=6, fill=fill, **edge)
    if letter == RUBBLE_CARD:
        return card + "".join(circle(x, y, r, fill=ASH) for x, y, r in ((30, 64, 14), (60, 70, 18), (50, 40, 11)))
    number = int(game.state.cards[place])
    houses = moved(8, 72, _house()) + moved(72, 72, _house()) if letter == VILLAGE else ""
    return card + houses + (_condition(game.rules.pack.areas[number - 1]) if number else "")


def _house() -> str:
    walls = rectangle(2, 10, 16, 12, fill=PAPER, stroke=INK, stroke_width=1)
    return walls + polygon([(0, 11), (10, 0), (20, 11)], fill="#a8452e", stroke=INK, stroke_width=1)


def _burns_next(game: "Game", place: int) -> bool:
    """Whether the next eruption turns a card to lava (LAVA-1)."""
    layout = game.rules.tables[0].layouts[game.rules.scenario_number]
    burns = (int(layout.rubble) | int(layout.landscape)) >> place & 1
    return bool(burns and int(layout.beside[place]) & int(game.state.lava))


def _condition(area: Condition) -> str:
    """What the dice must show: a chip for each alternative, in the colour that counts, with the number or parity."""
    chips, gap = [_chip(one) for one in area.counts], 5
    width = sum(wide for wide, _ in chips) + gap * (len(chips) - 1)
    x, drawn = 50 - width / 2, []
    for wide, chip in chips:
        drawn.append(moved(x, 8, chip))
        x += wide + gap
    return "".join(drawn) + (moved(86, 45, _reroll()) if area.reroll else "")


def _chip(counts: str) -> tuple[float, str]:
    """A chip and its width."""
    colours = [word for word in counts.split() if word in COLOURS]
    text = " ".join(word for word in counts.split() if word not in COLOURS)
    wide = max(float(CHIP), text_width(text, 17) + 10)
    box = rectangle(0, 0, wide, CHIP, rx=4, fill=FACES[colours[0]] if colours else PAPER, stroke=INK, stroke_width=1)
    return wide, box + (middle_words(wide / 2, CHIP / 2, text, 17, fill=INK, font_weight="bold") if text else "")


def _reroll() -> str:
    """An arrow in a circle: one reroll more (COND-4)."""
    arrow = path("M5 -3 A6 6 0 1 0 6 2", fill="none", stroke=INK, stroke_width=2)
    return (
        circle(0, 0, 10, fill=PAPER, stroke=INK, stroke_width=1)
        + arrow
        + polygon([(2, -3), (8, -3), (6, -8)], fill=INK)
    )


def _tokens(game: "Game", place: int) -> Iterator[str]:
    """Tokens lie in the lower left corner."""
    s = game.state
    if int(s.eruption_tokens) >> place & 1:
        flame = path("M0 -9 Q8 -1 5 6 Q0 11 -5 6 Q-8 -1 0 -9 Z", fill=EMBER, stroke=INK, stroke_width=1)
        yield moved(17, 82, circle(0, 0, 13, fill=INK), flame)
    if int(s.equipment_tokens) >> place & 1:
        bag = rectangle(-7, -4, 14, 11, rx=3, fill="#8a5a2b", stroke=INK, stroke_width=1)
        strap = path("M-4 -4 Q0 -12 4 -4", fill="none", stroke="#8a5a2b", stroke_width=2)
        yield moved(17, 82, circle(0, 0, 13, fill=GOLD, stroke=INK, stroke_width=1), strap, bag)


def _walks(game: "Game", grid: Grid) -> Iterator[str]:
    """A line from each figure to its marker."""
    for k in range(game.rules.figures):
        me = game.state.figures[k]
        if me.marker and me.marker - 1 != me.at:
            (x1, y1), (x2, y2) = _stand(game, grid, k), _marker_at(grid, k, int(me.marker) - 1)
            line = {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke": FIGURES[k], "stroke_width": 3}
            yield element("line", **line, stroke_dasharray="3 6", stroke_linecap="round", opacity=0.9)


def _figures(game: "Game", grid: Grid) -> Iterator[str]:
    """Markers as rings, and figures as pawns on top."""
    scale = f"scale({grid.cell / 100:.4f})"
    for k in range(game.rules.figures):
        me = game.state.figures[k]
        if me.marker:
            x, y = _marker_at(grid, k, int(me.marker) - 1)
            ring = circle(0, 0, 11, fill="none", stroke=PAPER, stroke_width=8) + circle(
                0, 0, 11, fill="none", stroke=FIGURES[k], stroke_width=5
            )
            yield moved(x, y, group(tooltip(f"marker of figure {k}"), ring, transform=scale))
    for k in range(game.rules.figures):
        x, y = _stand(game, grid, k)
        yield moved(x, y, group(tooltip(f"figure {k}"), _pawn(k), transform=scale))


def _stand(game: "Game", grid: Grid, k: int) -> Point:
    """Where a figure stands on its card: figures on the same card stand beside each other."""
    at = int(game.state.figures[k].at)
    here = [other for other in range(game.rules.figures) if game.state.figures[other].at == at]
    x, y = grid.corner(at)
    step = min(22, 66 / len(here))
    return x + (50 + step * (here.index(k) - (len(here) - 1) / 2)) * grid.cell / 100, y + 60 * grid.cell / 100


def _marker_at(grid: Grid, k: int, place: int) -> Point:
    x, y = grid.corner(place)
    return x + (82 - 20 * (k % 2)) * grid.cell / 100, y + (82 - 22 * (k // 2)) * grid.cell / 100


def _pawn(k: int) -> str:
    body = path("M-11 18 Q-9 -2 0 -4 Q9 -2 11 18 Z", fill=FIGURES[k], stroke=PAPER, stroke_width=1.5)
    head = circle(0, -9, 8, fill=FIGURES[k], stroke=PAPER, stroke_width=1.5)
    return body + head + middle_words(0, 9, str(k), 14, fill=PAPER, font_weight="bold")


# --- panels -----------------------------------------------------------------------------------------------------------


def _panels(game: "Game", names: Sequence[str]) -> Iterator[str]:
    count = game.rules.sets
    height = min(212, (HEIGHT - HEAD - GAP * (count + 1)) / count)
    for k in range(count):
        y = HEAD + GAP + k * (height + GAP)
        inner = _panel(game, names, k) if k < game.rules.figures else _third(game)
        is_asked = k == game.figure
        edge = {"stroke": GOLD, "stroke_width": 2} if is_asked else {"stroke": PANEL_EDGE, "stroke_width": 1}
        yield moved(SIDE_X, y, rectangle(0, 0, SIDE_WIDTH, height, rx=6, fill=PANEL, **edge), inner)


def _panel(game: "Game", names: Sequence[str], k: int) -> str:
    """One figure: its player and skill, stamina, dice, plan, injuries and equipment."""
    me, seat = game.state.figures[k], k % game.rules.players
    name = label(names[seat] if names else "", seat)
    lead = " leads" if game.state.lead == k else ""
    title = f"{SKILLS[me.skill].replace('_', ' ')}, {name}{lead}"
    return group(
        moved(22, 30, _pawn(k)),
        shortened_words(44, 26, title, 17, SIDE_WIDTH - 60, fill=TEXT, font_weight="bold"),
        squeezed_words(44, 46, _plan(game, me), 15, SIDE_WIDTH - 60, fill=FAINT),
        moved(14, 58, _track(game, me)),
        moved(14, 88, _dice(game, k, int(me.dice))),
        *_belongings(me),
    )


def _plan(game: "Game", me: Any) -> str:
    names = game.vocabulary
    parts = [f"at {names.place(me.at)}"]
    if me.marker:
        around = " around tokens" if me.around else ""
        parts.append(f"to {names.place(me.marker - 1)} in {me.steps}{around}")
    if me.said:
        parts.append(f"says {Word(me.said).name.lower().replace('_', ' ')}")
    if me.rerolls:
        parts.append(f"{me.rerolls} reroll{'s' * (me.rerolls > 1)} left")
    if me.bars:
        parts.append(f"{me.bars} power bar{'s' * (me.bars > 1)}")
    return ", ".join(parts)


def _track(game: "Game", me: Any) -> str:
    """The stamina track: steps taken, plasters, and death at its end (STAM)."""
    steps, plasters = game.rules.pack.stamina, game.rules.pack.plasters
    pitch = (SIDE_WIDTH - 28) / steps
    spaces = []
    for step in range(1, steps + 1):
        taken = step <= me.stamina
        fill = ALARM if taken else "#5a1f1a" if step == steps else "#57606b" if step in plasters else BOX
        spaces.append(rectangle((step - 1) * pitch, 0, pitch - 3, 18, rx=3, fill=fill, stroke=BOX_EDGE))
        if step in plasters:
            cross = "M-5 0 H5 M0 -5 V5"
            spaces.append(moved((step - 0.5) * pitch - 1.5, 9, path(cross, stroke=PAPER, stroke_width=3)))
    return group(tooltip(f"stamina {me.stamina} of {steps}"), *spaces)


def _dice(game: "Game", dice_set: int, count: int) -> str:
    s, shown = game.state, []
    aside = int(s.figures[dice_set].aside) if dice_set < game.rules.figures else 0
    for die in range(count):
        number = int(s.dice[dice_set, die])
        colour = FACES[game.rules.pack.dice[die].colour(number)] if number else "#3d3436"
        away = bool(aside >> die & 1)
        text, ink = (str(number), INK) if number else ("?", DIM)
        box = rectangle(0, 0, DIE, DIE, rx=6, fill=colour, stroke=PAPER if number else BOX_EDGE, stroke_width=1.5)
        face = middle_words(DIE / 2, DIE / 2, text, 22, fill=ink, font_weight="bold")
        strike = path(f"M3 {DIE - 3} L{DIE - 3} 3", stroke=INK, stroke_width=3) if away else ""
        shown.append(moved(die * (DIE + 8), 0, box, face, strike, opacity=0.55 if away else 1))
    return group(*shown)


def _belongings(me: Any) -> Iterator[str]:
    """Injuries and equipment cards, in two lines at most each."""
    injuries = [name for k, name in enumerate(INJURIES) if int(me.injuries) >> k & 1]
    cards = [_card_name(me, k) for k in range(len(EQUIPMENT)) if (int(me.equipment) | int(me.effects)) >> k & 1]
    lines = [(line, FAINT) for line in wrapped(", ".join(cards), SIDE_WIDTH - 28, 15)[:2] if cards]
    lines += [(f"injuries: {', '.join(injuries)}", ALARM)] if injuries else []
    for k, (line, fill) in enumerate(lines):
        yield words(14, 145 + 20 * k, line, 15, fill=fill)


def _card_name(me: Any, card: int) -> str:
    name = EQUIPMENT[card].replace("_", " ")
    if int(me.effects) >> card & 1:
        return f"{name} (in effect)"
    return f"{name} (used once)" if int(me.used_once) >> card & 1 else name


def _third(game: "Game") -> str:
    title = words(14, 26, "third screen", 17, fill=TEXT, font_weight="bold")
    told = words(14, 46, "the second neighbour of both, never rerolled (TWO-2)", 15, fill=FAINT)
    rolled = game.state.dice[game.rules.figures].any() or game.state.screens
    return title + told + moved(14, 66, _dice(game, game.rules.figures, DICE if rolled else 0))

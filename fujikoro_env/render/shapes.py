"""The pieces of the game as SVG, drawn at a point."""

from fujikoro_env.content.model import RESOURCES, Token
from fujikoro_env.kernel.drawing.elements import (
    Point,
    circle,
    group,
    hexagon,
    middle_words,
    moved,
    path,
    polygon,
    rectangle,
    words,
)
from fujikoro_env.kernel.drawing.lettering import LEAST
from fujikoro_env.render.look import GRID_LETTERS, token_letters

COLOUR = {  # players and scroll tokens
    "red": "#d7332e",
    "pink": "#f28ab8",
    "green": "#3f9d4d",
    "blue": "#3b78c9",
    "purple": "#8a4fb5",
    "black": "#2c2c33",
    "white": "#f4f1ea",
}
DRAGON_COLOUR = {"blue": "#4f9be0", "green": "#55b560", "red": "#e0483a", "white": "#f4f1ea"}
CUBE_COLOUR = {"W": "#a0662f", "M": "#9aa3ad", "T": "#f6ecd0", "magic": "#2fbf71"}
RESOURCE_COLOUR = {kind: CUBE_COLOUR[letter] for kind, letter in zip(RESOURCES, GRID_LETTERS, strict=True)}
PARCHMENT, INK, PAPER, ROBE = "#f3e7c8", "#2b211c", "#fbf7ec", "#e58a1f"
DISC = "#f5c542"
MAP_LETTERS = 16.0  # on pieces, which are drawn a little smaller than this on the map


# pieces: each is drawn around (0, 0) and about 22 wide, for `moved` to place


def cube(x: float, y: float, size: float, letter: str, **attributes: object) -> str:
    fill = CUBE_COLOUR[letter]
    return rectangle(x, y, size, size, rx=1, fill=fill, stroke=INK, stroke_width=0.8, **attributes)


def cube_grid(rows: tuple[str, ...], cell: float) -> str:
    """The cubes of a pattern, without its empty cells."""
    cubes = [(r, c, letter) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter in GRID_LETTERS]
    return "".join(cube(c * cell, r * cell, cell - 1, letter) for r, c, letter in cubes)


def resource_token(token: Token, face_up: bool) -> str:
    """A resource token with its cubes; face down it is dark, and the cubes are faint."""
    letters = token_letters(token)
    columns = 2 if len(letters) > 1 else 1
    rows = tuple(letters[k : k + columns] for k in range(0, len(letters), columns))
    shift = -4.5 * columns, -4.5 * len(rows)
    return token_back(token.shape, face_up) + moved(*shift, cube_grid(rows, 9), opacity=1 if face_up else 0.45)


def token_back(shape: str, face_up: bool = False) -> str:
    back = {"fill": PARCHMENT if face_up else "#5d5148", "stroke": INK, "stroke_width": 1.2}
    return rectangle(-11, -11, 22, 22, rx=3, **back) if shape == "square" else hexagon(0, 0, 13, **back)


def monk() -> str:
    robe = path("M-8 10 Q-7 -3 0 -4 Q7 -3 8 10 Z", fill=ROBE, stroke=INK, stroke_width=1.1)
    return robe + circle(0, -6.5, 4.6, fill="#f0c9a0", stroke=INK, stroke_width=1.1)


def scroll_token(colour: str) -> str:
    paper = rectangle(-8, -6, 16, 12, fill=COLOUR[colour], stroke=PAPER, stroke_width=1.4)
    rods = [rectangle(x, -8.5, 4.5, 17, rx=2, fill=PAPER, stroke=INK, stroke_width=0.8) for x in (-10.5, 6)]
    return group(paper, *rods)


def adventure_token(power: str) -> str:
    """A plate with the code of its power, which the legend explains."""
    return adventure_sign() + middle_words(0, 0, adventure_code(power), MAP_LETTERS, fill="#eafaf6", font_weight="bold")


def adventure_code(power: str) -> str:
    """Two letters: "SB" for the smoke bomb, "Sa" for the sashimono."""
    parts = power.replace("_of_", "_").split("_")
    return power[:2].capitalize() if len(parts) == 1 else "".join(part[0] for part in parts[:2]).upper()


def adventure_sign() -> str:
    corners: list[Point] = [(-16, -6), (-11, -11), (11, -11), (16, -6), (16, 6), (11, 11), (-11, 11), (-16, 6)]
    return polygon(corners, fill="#136f7a", stroke="#bfe9e2", stroke_width=1.3)


def secret_exit() -> str:
    return exit_sign() + middle_words(0, 1, "exit", MAP_LETTERS, fill="#ffe9b0", font_weight="bold")


def exit_sign() -> str:
    """The mouth of a cave."""
    return path("M-18 12 V-1 Q-18 -15 0 -15 Q18 -15 18 -1 V12 Z", fill="#111", stroke="#d9c9a3", stroke_width=2)


def trophy() -> str:
    """A dragon's head."""
    head = path("M-7 6 L-5 -8 L-1 -2 L4 -8 L8 5 Q4 10 0 8 Z", fill=DRAGON_COLOUR["red"], stroke=PAPER, stroke_width=1)
    return head + circle(2.5, 1.5, 1.6, fill=PAPER)


def crown() -> str:
    return path("M-8 6 V-5 L-3.5 0 L0 -7 L3.5 0 L8 -5 V6 Z", fill="#f5c542", stroke=INK, stroke_width=1)


def spoils(kinds: tuple[str, ...]) -> str:
    """SCEN-17: a tooth, a status marker, or both side by side."""
    drawn = {"tooth": cube(-5, -5, 10, "T"), "status marker": status_marker()}
    places = (-7, 7) if len(kinds) > 1 else (0,)
    return "".join(moved(x, 0, drawn[kind]) for x, kind in zip(places, kinds, strict=True))


def status_marker() -> str:
    return coin() + middle_words(0, -1, "s", MAP_LETTERS, fill=INK, font_weight="bold")


def coin() -> str:
    return circle(0, 0, 8, fill="#d9a400", stroke="#fff6df", stroke_width=1.4)


def samurai(mark: str, colour: str, unconscious: bool = False) -> str:
    """A horned helmet over a body that shows the seat. An unconscious samurai lies on its side."""
    light = {"stroke": "#fff6df", "stroke_width": 1.4, "stroke_linejoin": "round"}
    body = path("M-10.5 12.5 L-7.5 -2 H7.5 L10.5 12.5 Z", fill=COLOUR[colour], **light)
    helmet = path("M-8 -2 Q-8 -10 0 -10 Q8 -10 8 -2 Z", fill=COLOUR[colour], **light)
    horns = path("M-3 -9.5 Q-8 -11 -8 -16 M3 -9.5 Q8 -11 8 -16", fill="none", stroke="#f5c542", stroke_width=2)
    figure = group(horns, body, helmet, transform="rotate(80)" if unconscious else "rotate(0)")
    x, y = (-5, 1) if unconscious else (0, 4.5)
    return figure + middle_words(x, y, mark, MAP_LETTERS, fill=_ink_on(colour), font_weight="bold")


def counter(mark: str, colour: str, radius: float) -> str:
    """A samurai's disc on a track."""
    disc = circle(0, 0, radius, fill=COLOUR[colour], stroke="#fff6df", stroke_width=0.9)
    return disc + middle_words(0, 0, mark, LEAST, fill=_ink_on(colour), font_weight="bold")


def _ink_on(colour: str) -> str:
    return INK if colour in ("pink", "white") else "#fff"


def eruption_number(number: str) -> str:
    badge = circle(0, 0, 8.6, fill="#7c1608", stroke="#ff9a3d", stroke_width=1.2)
    return badge + middle_words(0, 0, number, MAP_LETTERS, fill="#ffe08a", font_weight="bold")


def heart(x: float, y: float) -> str:
    return path(f"M{x} {y + 4} l-5 -5 a2.7 2.7 0 0 1 5 -2.6 a2.7 2.7 0 0 1 5 2.6 Z", fill="#e0362c")


def bolt(x: float, y: float) -> str:
    return path(f"M{x + 1} {y - 6} l-5 7 h3.4 l-1.6 5 l5.4 -7 h-3.4 Z", fill="#f5c542")


def dragon(colour: str, health: int, damage: int, initiative: int, marker: str) -> str:
    """A coiled dragon on a disc, with its health and initiative on a band beneath."""
    band = rectangle(-33, 8, 66, 18, rx=9, fill="#1d1517", stroke=DRAGON_COLOUR[colour], stroke_width=1.5)
    signs = heart(-25, 17.5) + bolt(6.5, 17)
    numbers = [
        words(x, 22.8, str(number), MAP_LETTERS, fill="#fff", font_weight="bold")
        for x, number in ((-19, health), (11, initiative))
    ]
    badges = (damage_badge(damage, -17, -2) if damage else "") + (marker_badge(marker, 18, -2) if marker else "")
    return moved(0, -9, dragon_sign(colour)) + band + signs + "".join(numbers) + badges


def dragon_sign(colour: str) -> str:
    disc = circle(0, -2, 19.5, fill="#1d1517", stroke=DRAGON_COLOUR[colour], stroke_width=2.5)
    return disc + _dragon_figure(DRAGON_COLOUR[colour])


def marker_badge(marker: str, x: float = 0, y: float = 0) -> str:
    """COOP-8: a sleeping dragon, or one that is about to move."""
    fill, sign = {"asleep": ("#3b5b8c", "zz"), "awake": ("#b98b00", "!")}[marker]
    return circle(x, y, 9.5, fill=fill, stroke="#fff", stroke_width=1.2) + middle_words(
        x, y - 1, sign, MAP_LETTERS, fill="#fff", font_weight="bold"
    )


def damage_badge(damage: int, x: float = 0, y: float = 0) -> str:
    badge = rectangle(x - 12, y - 9, 24, 18, rx=9, fill="#b3160c", stroke="#fff", stroke_width=1.2)
    return badge + middle_words(x, y, f"-{damage}", MAP_LETTERS, fill="#fff", font_weight="bold")


def _dragon_figure(fill: str) -> str:
    line = {"fill": "none", "stroke": fill, "stroke_width": 5.5, "stroke_linecap": "round"}
    coil = path("M-12 5 Q-16 -6 -7 -9 Q2 -11 2 -4 Q2 2 9 1 Q15 -1 13 -9", **line)
    head = path("M6 -8 L9 -20 L13 -14 L18 -20 L19 -9 Q15 -2 10 -5 Z", fill=fill, stroke="#1d1517", stroke_width=0.8)
    tail = path("M-12 5 l-5 4 l8 1 Z", fill=fill)
    return coil + head + tail + circle(13, -10.5, 1.5, fill="#1d1517")


# on boards and in fights


def disc(x: float, y: float) -> str:
    """An action disc."""
    return circle(x, y, 4.2, fill=DISC, stroke="#7a5b12", stroke_width=0.8)


def blueprint_marker(letter: str = "") -> str:
    """A blueprint in the pack, with the first letter of its gear."""
    marker = rectangle(-7, -7, 14, 14, rx=2, fill="#2f5fa8", stroke="#9dbcf0", stroke_width=0.8)
    return marker + middle_words(0, 0, letter, LEAST, fill="#fff", font_weight="bold")


def gear_card() -> str:
    frame = rectangle(-5, -6.5, 10, 13, rx=1.5, fill="#4a3a1a", stroke=DISC, stroke_width=1.3)
    return frame + path("M-2.5 -2.5 H2.5 M-2.5 0.5 H2.5", fill="none", stroke=DISC, stroke_width=1.2)


def die(kind: str, hits: int, breaks: bool) -> str:
    """A die in the colour of its cube with its hits; one that breaks has a red edge and a crack across its corner."""
    edge = {"stroke": "#ff3b2f", "stroke_width": 2.4} if breaks else {"stroke": INK, "stroke_width": 1}
    face = rectangle(-9, -9, 18, 18, rx=4, fill=CUBE_COLOUR[kind], **edge)
    crack = path("M2 -9 L5 -5 L3.5 -3 L9 2", fill="none", stroke="#ff3b2f", stroke_width=1.8) if breaks else ""
    ink = INK if kind in ("T", "M") else "#fff"
    number = middle_words(-1.5 if breaks else 0, 0.5, str(hits), LEAST, fill=ink, font_weight="bold")
    return face + crack + number

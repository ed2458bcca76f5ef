"""Around the map as SVG: the title, who is asked what, the score track, the countdown, the fight, and the legend."""

from html import escape

from fujikoro_env.content.model import TOKEN_SHAPES, TileSpace
from fujikoro_env.render import shapes
from fujikoro_env.render.lettering import fitting_size, shortened, text_width
from fujikoro_env.render.look import FightLook, PlayerLook, TableLook, Turn
from fujikoro_env.render.palette import ALARM, BOX, BOX_EDGE, DIM, EMBER, FAINT, GOLD, PANEL, PANEL_EDGE, TEXT
from fujikoro_env.render.shapes import circle, element, group, hexagon, middle_words, moved, path, rectangle, words
from fujikoro_env.rules.map.geometry import CELLS, geometry

SQRT3 = 3**0.5
TRACK_MARGIN = 16
LANES, LANE = 3, 10.8  # of pieces on the score track, one above the other
PIECE = 5.2  # radius
TICKS = 5
MOST_TOLD = 170  # width of a line under the countdown, where the map begins
TRACK_Y = 36


# title and question


def draw_title(table: TableLook) -> str:
    name = words(50, 25, "Fuji Koro", 19, fill="#ffd9a0", font_weight="bold")
    rounds = words(51, 41, f"round {table.round_number} of {table.max_rounds}", 11, fill=FAINT)
    return group(_emblem(), transform="scale(0.9)") + name + rounds


def _emblem() -> str:
    """A small volcano."""
    fire = path("M24 16 Q20 8 25 3 Q26 8 30 9 Q36 3 33 12 Q36 12 34 17 Z", fill="#ff8c2b")
    mountain = path("M8 42 L23 15 Q28 19 33 15 L48 42 Z", fill="#6f5148", stroke="#ffd9a0", stroke_width=1.2)
    stream = path("M26 17 Q24 27 29 31 Q32 35 29 41", fill="none", stroke=EMBER, stroke_width=3.4)
    return fire + mountain + stream


def draw_question(table: TableLook, width: float, height: float) -> str:
    """Whose decision it is, in a box with its piece, and what it is about."""
    frame = rectangle(0, 0, width, height, rx=7, fill=BOX, stroke=GOLD, stroke_width=1.6)
    if table.actor < 0:
        size = fitting_size(table.question, width - 30, 16, bold=True)
        return frame + words(15, height / 2 + 5, table.question, size, fill=GOLD, font_weight="bold")
    me, room = table.players[table.actor], width - 50
    asked = f"{me.name} is asked:"
    size = fitting_size(f"{asked}  {table.question}", room, 15, bold=True)
    who = element("tspan", escape(asked), fill=GOLD, font_weight="bold")
    question = element("tspan", escape(table.question), dx=7, fill=TEXT)
    about = shortened(_about(table), room, 11)
    piece = moved(23, height / 2 + 2, group(shapes.samurai(me.mark, me.colour), transform="scale(1.1)"))
    y = 20 if about else height / 2 + 5
    lines = element("text", who + question, x=44, y=y, font_size=size) + words(44, 38, about, 11, fill=FAINT)
    return frame + piece + lines


def _about(table: TableLook) -> str:
    """What the question is about; and whose turn it is, if it is not that of who is asked."""
    parts = [] if table.active == table.actor else [f"turn of player {table.active}"]
    if table.drawn:
        parts.append(f"{table.drawn.id.replace('_', ' ')} on {geometry().place_names[table.drawn_place]}")
    if table.offer:
        parts.append("offered: " + ", ".join(f"{n} {kind}" for kind, n in table.offer.items()))
    parts += [table.detail.replace("_", " ")] if table.detail else []
    return "; ".join(parts)


# the score track


def draw_track(table: TableLook, width: float, height: float) -> str:
    """VP of all samurai on the way to the final chapter; without VP, the rounds."""
    frame = rectangle(0, 0, width, height, rx=7, fill=PANEL, stroke=PANEL_EDGE)
    return frame + (_score_track(table, width) if table.final_at else _round_track(table, width))


def _score_track(table: TableLook, width: float) -> str:
    players = [player for player in table.players if not player.is_enemy]
    last = max(table.final_at, *(player.vp for player in players))
    label = words(TRACK_MARGIN - 6, 13, "VP", 10, fill=FAINT, font_weight="bold")
    start = TRACK_MARGIN + 22
    step = (width - start - TRACK_MARGIN) / last
    numbers = sorted({*range(0, last + 1, TICKS), table.final_at})
    shown = [n for n in numbers if n == table.final_at or abs(n - table.final_at) * step > 16]
    ticks = [_tick(start + step * n, n, n == table.final_at) for n in shown]
    goal = start + step * table.final_at
    parts = [_rail(start, start + step * last), *ticks, _rail(goal, start + step * last, EMBER) if goal else ""]
    return label + "".join(parts) + _pieces(players, start, step)


def _rail(first: float, last: float, fill: str = BOX_EDGE) -> str:
    return rectangle(first, TRACK_Y - 1, max(0.0, last - first), 2.4, rx=1.2, fill=fill)


def _tick(x: float, number: int, is_goal: bool) -> str:
    line = rectangle(x - 0.6, TRACK_Y - 3, 1.2, 6, fill=EMBER if is_goal else DIM)
    fill = EMBER if is_goal else FAINT
    return line + words(x, TRACK_Y + 11.5, str(number), 9.5, fill=fill, text_anchor="middle", font_weight="bold")


def _pieces(players: list[PlayerLook], start: float, step: float) -> str:
    """On the lowest lane that is free there, so that none hides another; if all are taken, a little further on."""
    ends = [-1e9] * LANES
    drawn = []
    for player in sorted(players, key=lambda player: (player.vp, player.seat)):
        wanted = start + step * player.vp
        lane = next((k for k in range(LANES) if ends[k] + 2 * PIECE <= wanted), ends.index(min(ends)))
        x = max(wanted, ends[lane] + 2 * PIECE + 0.6)
        ends[lane] = x
        drawn.append(moved(x, TRACK_Y - 6.5 - LANE * lane, shapes.counter(player.mark, player.colour, PIECE)))
    return "".join(drawn)


def _round_track(table: TableLook, width: float) -> str:
    """COOP-2: a box for each round; the final ones glow."""
    title = words(TRACK_MARGIN - 6, 14, f"rounds; {table.final_chapter}", 10, fill=FAINT)
    step = (width - 2 * TRACK_MARGIN + 8) / table.max_rounds
    drawn = []
    for number in range(1, table.max_rounds + 1):
        is_now, is_final = number == table.round_number, number > table.full_rounds
        fill = GOLD if is_now else BOX_EDGE if number < table.round_number else BOX
        stroke = EMBER if is_final else BOX_EDGE
        x = TRACK_MARGIN - 4 + step * (number - 1)
        drawn.append(rectangle(x, 21, step - 2, 19, rx=3, fill=fill, stroke=stroke))
        ink = shapes.INK if is_now else FAINT
        if step >= 15 or is_now or number % TICKS == 0:
            drawn.append(middle_words(x + step / 2 - 1, 30.5, str(number), 9.5, fill=ink, font_weight="bold"))
    return title + "".join(drawn)


# the countdown


def draw_countdown(table: TableLook) -> str:
    """The track of the final chapter, entered spaces lit; under it when that is, and the scenario."""
    parts = [moved(12 + 24.5 * step, 14, _call(call, step < table.countdown)) for step, call in enumerate(table.calls)]
    number, _, title = table.scenario.partition(": ")
    told = table.final_chapter
    lines = [*(told.split(", ") if text_width(told, 10.5) > MOST_TOLD else [told]), number, title]
    for k, text in enumerate(filter(None, lines)):
        look_of = {"fill": "#ffd9a0", "font_weight": "bold"} if text == title else {"fill": FAINT}
        parts.append(words(1, 40 + 13 * k, text, 10.5, **look_of))
    return "".join(parts)


def _call(call: str, is_lit: bool) -> str:
    sign = "" if call == "nothing" else call.removeprefix("lava ")
    size = 12 if sign.isdigit() else 9
    disc = circle(0, 0, 11.3, fill=EMBER if is_lit else "#2a1d1c", stroke="#ff9a3d", stroke_width=1.2)
    return disc + middle_words(0, 0, sign, size, fill="#fff" if is_lit else "#e8cfa8", font_weight="bold")


# a fight, or a tile that is being laid


def draw_focus(table: TableLook, width: float, height: float) -> str:
    """What the table looks at now, if anything."""
    if table.fight:
        return _box(width, height, ALARM) + _fight(table, table.fight, width)
    if table.drawn:
        title = words(10, 17, "tile to lay", 10.5, fill=FAINT)
        name = words(10, 32, table.drawn.id.replace("_", " "), 10.5, fill=TEXT)
        return _box(width, height, GOLD) + title + name + moved(width - 48, height / 2, _tile(table.drawn.spaces))
    return ""


def _box(width: float, height: float, stroke: str) -> str:
    return rectangle(0, 0, width, height, rx=7, fill=PANEL, stroke=stroke, stroke_width=1.4)


def _fight(table: TableLook, fight: FightLook, width: float) -> str:
    what = f"{fight.dragon.replace('_', ' ')}, health {max(0, fight.health)}" if fight.dragon else "duel"
    size = fitting_size(what, width - 70, 12.5, bold=True)
    title = words(10, 17, what, size, fill=ALARM, font_weight="bold")
    title += words(width - 10, 17, f"round {fight.round_number}", 10, fill=FAINT, text_anchor="end")
    turns = fight.order or tuple(Turn(table.players[seat].name, None, True, False) for seat in fight.fighters)
    columns = 1 if len(turns) <= 3 else 2
    across, down = (width - 16 + 4) / columns, -(-len(turns) // columns)
    rows = [
        moved(8 + across * (k // down), 24 + 15 * (k % down), _turn(turn, across - 4, bool(fight.order)))
        for k, turn in enumerate(turns)
    ]
    return title + "".join(rows) + words(10, 24 + 15 * down + 11, _dice(fight), 10, fill=TEXT)


def _turn(turn: Turn, width: float, is_settled: bool) -> str:
    initiative = "" if not is_settled else "first" if turn.initiative is None else str(turn.initiative)
    stroke = {"stroke": GOLD, "stroke_width": 1.2} if turn.now else {}
    fill = TEXT if turn.inside else DIM
    name = shapes.squeezed_words(4, 10, turn.who.replace("_", " "), 10, width - 34, fill=fill)
    sign = shapes.bolt(width - 21 if initiative != "first" else width - 30, 6.5) if initiative and turn.inside else ""
    right = words(width - 4, 10, initiative if turn.inside else "out", 10, fill=fill, text_anchor="end")
    return rectangle(0, 0, width, 13, rx=3, fill=BOX, **stroke) + name + sign + right


def _dice(fight: FightLook) -> str:
    if not (fight.hits or fight.breaks):
        return ""
    breaks = ", ".join(f"{n} {kind}" for kind, n in fight.breaks.items())
    return f"hits {fight.hits}" + (f", breaking: {breaks}" if breaks else "")


def _tile(spaces: tuple[TileSpace, ...]) -> str:
    """As it is printed, not turned."""
    size = 15
    grounds, numbers = [], []
    for (q, r), space in zip(CELLS, spaces, strict=True):
        x, y = SQRT3 * size * (q + r / 2), 1.5 * size * r
        ground = hexagon(x, y, size, fill="url(#lava)" if space.lava else "#9a8b6c", stroke=shapes.INK)
        grounds.append(ground + moved(x, y - 1, group(_printed(space.item), transform="scale(0.62)")))
        if space.eruption:
            numbers.append(
                moved(x, y + 10.5, group(shapes.eruption_number(str(space.eruption)), transform="scale(0.85)"))
            )
    return "".join(grounds + numbers)


def _printed(item: str) -> str:
    kind, _, colour = item.partition(" ")
    if kind in TOKEN_SHAPES:
        return shapes.token_back(kind)
    if kind == "scroll":
        return shapes.scroll_token(colour)
    if kind == "dragon":
        return shapes.dragon_sign(colour)
    pieces = {"monk": shapes.monk, "adventure": shapes.adventure_sign, "exit": shapes.secret_exit}
    return pieces[kind]() if kind else ""


# the legend


def draw_legend() -> str:
    """Pieces that do not explain themselves, in two rows."""
    columns = (0, 86, 184, 276)
    pieces = {
        "lava": hexagon(0, 0, 9, fill="url(#lava)"),
        "lava tile": hexagon(0, 0, 8.5, fill="url(#eruption)", stroke="#fff0b0", stroke_width=1.6),
        "turns to lava": shapes.eruption_number("1"),
        "monk": group(shapes.monk(), transform="scale(0.7)"),
        "scroll": group(shapes.scroll_token("red"), transform="scale(0.7)"),
        "adventure": group(shapes.adventure_sign(), transform="scale(0.65)"),
        "health": shapes.heart(0, 0),
        "initiative": shapes.bolt(0, 0),
    }
    return "".join(
        moved(columns[k // 2], 19 * (k % 2), piece, words(14, 3.5, label, 10, fill=FAINT))
        for k, (label, piece) in enumerate(pieces.items())
    )

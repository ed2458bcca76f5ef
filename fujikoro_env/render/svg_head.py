"""Panels around the map as SVG: the title, the question, the score track, the countdown, the fight, and the legend."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from html import escape

from fujikoro_env.content.model import ADVENTURE_POWERS, CUBES, RESOURCES, TOKEN_SHAPES, Face, TileSpace
from fujikoro_env.kernel.drawing import elements
from fujikoro_env.kernel.drawing.elements import element, group, hexagon, middle_words, moved, path, rectangle, words
from fujikoro_env.kernel.drawing.lettering import LEAST, fitting_size, shortened, text_width, wrapped
from fujikoro_env.kernel.drawing.palette import ALARM, BOX, BOX_EDGE, DIM, EMBER, FAINT, GOLD, PANEL, PANEL_EDGE, TEXT
from fujikoro_env.render import shapes
from fujikoro_env.render.look import GRID_LETTERS, FightLook, PlayerLook, TableLook, Turn
from fujikoro_env.render.rolls import Roll
from fujikoro_env.rules.map.geometry import CELLS, geometry

SQRT3 = 3**0.5
TRACK_MARGIN = 16
LANES, LANE = 2, 16.6  # lanes of pieces on the score track, and the height of one
PIECE = 7.9  # radius
TICKS = 5
MOST_TOLD = 165  # width of a line under the countdown, where the map begins
TRACK_Y = 41
TURNS_IN_A_COLUMN = 4
ORDER_WIDTH = {1: 150, 2: 280}  # width of the order of a fight, by its number of columns
ROLL_LINE, ROLLER, DIE = 22, 76, 20  # height of a roll, width of the roller's name, distance between dice
DICE_LETTERS = (*GRID_LETTERS, "magic")
PLAYER = re.compile(r"player \d+")
LEGEND_LINE, SIGN = 20, 28  # height of a line, and width of a sign


# title and question


def draw_title(table: TableLook) -> str:
    name = words(52, 27, "Fuji Koro", 20, fill="#ffd9a0", font_weight="bold")
    rounds = words(53, 46, f"round {table.round_number} of {table.max_rounds}", LEAST, fill=FAINT)
    return group(_emblem(), transform="scale(0.95)") + name + rounds


def _emblem() -> str:
    """A small volcano."""
    fire = path("M24 16 Q20 8 25 3 Q26 8 30 9 Q36 3 33 12 Q36 12 34 17 Z", fill="#ff8c2b")
    mountain = path("M8 42 L23 15 Q28 19 33 15 L48 42 Z", fill="#6f5148", stroke="#ffd9a0", stroke_width=1.2)
    stream = path("M26 17 Q24 27 29 31 Q32 35 29 41", fill="none", stroke=EMBER, stroke_width=3.4)
    return fire + mountain + stream


def draw_question(table: TableLook, width: float, height: float) -> str:
    """A box with the acting player's piece and name, the question, and what it is about."""
    frame = rectangle(0, 0, width, height, rx=7, fill=BOX, stroke=GOLD, stroke_width=1.6)
    if table.actor < 0:
        size = fitting_size(table.question, width - 30, 16, bold=True)
        return frame + words(15, height / 2 + 5, table.question, size, fill=GOLD, font_weight="bold")
    me, room = table.players[table.actor], width - 50
    asked = f"{_called(me)} is asked:"
    size = max(LEAST, fitting_size(f"{asked}  {table.question}", room, 17, bold=True))
    who = element("tspan", escape(asked), fill=GOLD, font_weight="bold")
    question = element("tspan", escape(table.question), dx=7, fill=TEXT)
    about = shortened(_about(table), room, LEAST)
    piece = moved(23, height / 2 + 2, group(shapes.samurai(me.mark, me.colour), transform="scale(1.2)"))
    y = 24 if about else height / 2 + 5
    lines = element("text", who + question, x=44, y=y, font_size=size) + words(44, 46, about, LEAST, fill=FAINT)
    return frame + piece + lines


def _called(player: PlayerLook) -> str:
    return f"{player.name} ({player.agent})" if player.agent else player.name


def _with_names(table: TableLook, text: str) -> str:
    """The text with the name of an agent in place of `player 1`; where agents share a name, with the seat."""
    agents = Counter(player.agent for player in table.players)
    called = {
        player.name: player.agent if agents[player.agent] == 1 else f"{player.agent} ({player.seat})"
        for player in table.players
        if player.agent
    }
    return PLAYER.sub(lambda found: called.get(found[0], found[0]), text)


def _about(table: TableLook) -> str:
    """Subject of the question, and the player whose turn it is if that is not the acting player."""
    parts = [] if table.active == table.actor else [f"turn of player {table.active}"]
    if table.drawn:
        parts.append(f"{table.drawn.id.replace('_', ' ')} on {geometry().place_names[table.drawn_place]}")
    if table.offer:
        parts.append("offered: " + ", ".join(f"{n} {kind}" for kind, n in table.offer.items()))
    parts += [table.detail.replace("_", " ")] if table.detail else []
    return _with_names(table, "; ".join(parts))


# the score track


def draw_track(table: TableLook, width: float, height: float) -> str:
    """VP of all samurai on the way to the final chapter; without VP, the rounds."""
    frame = rectangle(0, 0, width, height, rx=7, fill=PANEL, stroke=PANEL_EDGE)
    return frame + (_score_track(table, width) if table.final_at else _round_track(table, width))


def _score_track(table: TableLook, width: float) -> str:
    players = [player for player in table.players if not player.is_enemy]
    last = max(table.final_at, *(player.vp for player in players))
    label = words(TRACK_MARGIN - 6, 20, "VP", LEAST, fill=FAINT, font_weight="bold")
    start = TRACK_MARGIN + 28
    step = (width - start - TRACK_MARGIN) / last
    numbers = sorted({*range(0, last + 1, TICKS), table.final_at})
    shown = [n for n in numbers if n == table.final_at or abs(n - table.final_at) * step > 22]
    ticks = [_tick(start + step * n, n, n == table.final_at) for n in shown]
    goal = start + step * table.final_at
    parts = [_rail(start, start + step * last), *ticks, _rail(goal, start + step * last, EMBER) if goal else ""]
    return label + "".join(parts) + _pieces(players, start, step)


def _rail(first: float, last: float, fill: str = BOX_EDGE) -> str:
    return rectangle(first, TRACK_Y - 1, max(0.0, last - first), 2.4, rx=1.2, fill=fill)


def _tick(x: float, number: int, is_goal: bool) -> str:
    line = rectangle(x - 0.6, TRACK_Y - 3, 1.2, 6, fill=EMBER if is_goal else DIM)
    fill = EMBER if is_goal else FAINT
    return line + words(x, TRACK_Y + 14.5, str(number), LEAST, fill=fill, text_anchor="middle", font_weight="bold")


def _pieces(players: list[PlayerLook], start: float, step: float) -> str:
    """Pieces on the lowest lane that is free, so that none hides another; a little further on if all are taken."""
    ends = [-1e9] * LANES
    drawn = []
    for player in sorted(players, key=lambda player: (player.vp, player.seat)):
        wanted = start + step * player.vp
        lane = next((k for k in range(LANES) if ends[k] + 2 * PIECE <= wanted), ends.index(min(ends)))
        x = max(wanted, ends[lane] + 2 * PIECE + 0.6)
        ends[lane] = x
        drawn.append(moved(x, TRACK_Y - PIECE - 2.5 - LANE * lane, shapes.counter(player.mark, player.colour, PIECE)))
    return "".join(drawn)


def _round_track(table: TableLook, width: float) -> str:
    """COOP-2: a box for each round; the final ones glow."""
    title = words(TRACK_MARGIN - 6, 18, f"rounds; {table.final_chapter}", LEAST, fill=FAINT)
    step = (width - 2 * TRACK_MARGIN + 8) / table.max_rounds
    drawn = []
    for number in range(1, table.max_rounds + 1):
        is_now, is_final = number == table.round_number, number > table.full_rounds
        fill = GOLD if is_now else BOX_EDGE if number < table.round_number else BOX
        stroke = EMBER if is_final else BOX_EDGE
        x = TRACK_MARGIN - 4 + step * (number - 1)
        drawn.append(rectangle(x, 27, step - 2, 24, rx=3, fill=fill, stroke=stroke))
        ink = shapes.INK if is_now else FAINT
        if step >= 20 or is_now or (number % TICKS == 0 and abs(number - table.round_number) > 1):
            drawn.append(middle_words(x + step / 2 - 1, 39, str(number), LEAST, fill=ink, font_weight="bold"))
    return title + "".join(drawn)


# the countdown and the scenario


def draw_countdown(table: TableLook) -> str:
    """The track of the final chapter with its entered spaces lit, and below it when the chapter begins."""
    parts, x = [], 0.0
    for step, call in enumerate(table.calls):
        sign = "" if call == "nothing" else call.removeprefix("lava ")
        width = 25.0 if len(sign) < 2 else 39.0
        parts.append(moved(x, 0, _call(sign, width - 2, step < table.countdown)))
        x += width
    told = table.final_chapter
    lines = told.split(", ") if text_width(told, LEAST) > MOST_TOLD else [told]
    return "".join(parts) + "".join(words(1, 40 + 17 * k, line, LEAST, fill=FAINT) for k, line in enumerate(lines))


def _call(sign: str, width: float, is_lit: bool) -> str:
    fill = EMBER if is_lit else "#2a1d1c"
    disc = rectangle(0, 0, width, 23, rx=11.5, fill=fill, stroke="#ff9a3d", stroke_width=1.2)
    ink = "#fff" if is_lit else "#e8cfa8"
    return disc + middle_words(width / 2, 11.5, sign, LEAST, fill=ink, font_weight="bold")


def draw_scenario(table: TableLook, width: float) -> str:
    """Number and title of the scenario, right-aligned at `width`."""
    number, _, title = table.scenario.partition(": ")
    lines = [number, *wrapped(title, width, 15)] if number else []
    return "".join(
        words(width, 14 + 18 * k, line, 15 if k else LEAST, fill="#ffd9a0" if k else FAINT, text_anchor="end")
        for k, line in enumerate(lines)
    )


# a fight, or a tile that is being laid


def draw_focus(table: TableLook, rolls: Sequence[Roll], width: float, height: float) -> str:
    """The current focus of the table, if any: a fight, the last roll of a fight, or a tile to lay."""
    if table.fight:
        return _box(width, height, ALARM) + _fight(table, table.fight, rolls, width, height)
    if rolls:
        title = words(10, 19, "the last roll of the fight", 15, fill=ALARM, font_weight="bold")
        return _box(width, height, ALARM) + title + moved(10, 26, _rolls(table, rolls, width - 20, height - 30))
    if table.drawn:
        title = words(12, 24, "tile to lay", LEAST, fill=FAINT)
        name = words(12, 44, table.drawn.id.replace("_", " "), 16, fill=TEXT)
        return _box(width, height, GOLD) + title + name + moved(width - 70, height / 2, draw_tile(table.drawn.spaces))
    return ""


def _box(width: float, height: float, stroke: str) -> str:
    return rectangle(0, 0, width, height, rx=7, fill=PANEL, stroke=stroke, stroke_width=1.4)


def _fight(table: TableLook, fight: FightLook, rolls: Sequence[Roll], width: float, height: float) -> str:
    """A fight: the fighters in order on the left, the dice on the right."""
    what = fight.dragon.replace("_", " ") if fight.dragon else "duel"
    title = words(10, 19, what, 16, fill=ALARM, font_weight="bold")
    x = 10 + text_width(what, 16, bold=True) + 14
    if fight.dragon:
        title += shapes.heart(x, 14) + words(x + 9, 19, f"{max(0, fight.health)} left", LEAST, fill=TEXT)
    title += words(width - 10, 19, f"round {fight.round_number}", LEAST, fill=FAINT, text_anchor="end")
    turns = fight.order or tuple(Turn(table.players[seat].name, None, True, False) for seat in fight.fighters)
    columns = 1 if len(turns) <= TURNS_IN_A_COLUMN else 2
    across, down = (ORDER_WIDTH[columns] + 4) / columns, -(-len(turns) // columns)
    rows = [
        moved(8 + across * (k // down), 27 + 20 * (k % down), _turn(table, turn, across - 4, bool(fight.order)))
        for k, turn in enumerate(turns)
    ]
    left = 8 + ORDER_WIDTH[columns] + 12
    dice = _rolls(table, rolls, width - left - 8, height - 34) if rolls else _dice_on_table(fight)
    return title + "".join(rows) + moved(left, 28, dice)


def _turn(table: TableLook, turn: Turn, width: float, is_settled: bool) -> str:
    initiative = "" if not is_settled else "first" if turn.initiative is None else str(turn.initiative)
    stroke = {"stroke": GOLD, "stroke_width": 1.4} if turn.now else {}
    fill = TEXT if turn.inside else DIM
    shown = initiative if turn.inside else "out"
    end = width - 5 - text_width(shown, LEAST)
    who = _with_names(table, turn.who).replace("_", " ")
    name = elements.shortened_words(5, 13.5, who, LEAST, end - 20, fill=fill)
    sign = shapes.bolt(end - 6, 9) if initiative and turn.inside else ""
    right = words(width - 5, 13.5, shown, LEAST, fill=fill, text_anchor="end")
    return rectangle(0, 0, width, 18, rx=3, fill=BOX, **stroke) + name + sign + right


def _rolls(table: TableLook, rolls: Sequence[Roll], width: float, height: float) -> str:
    """The last rolls, one below the other, newest last: the roller, each die with its hits, and the sum."""
    most = max(1, int(height // ROLL_LINE))
    lines = [line for roll in rolls for line in _roll_lines(table, roll, width)][-most:]
    return "".join(moved(0, ROLL_LINE * k, line) for k, line in enumerate(lines))


def _roll_lines(table: TableLook, roll: Roll, width: float) -> list[str]:
    """Lines of one roll: several if it has many dice."""
    room = width - ROLLER - 44
    a_line = max(1, int(room // DIE))
    hits = sum(face.hits for _, face in roll.dice)
    called = _with_names(table, roll.who)
    told = f"= {hits}" if roll.dice else f"{roll.unknown} dice"
    chunks = [roll.dice[k : k + a_line] for k in range(0, len(roll.dice), a_line)] or [()]
    lines = []
    for k, chunk in enumerate(chunks):
        who = "" if k else elements.shortened_words(0, 14.5, called, LEAST, ROLLER - 4, fill=TEXT)
        dice = [
            moved(ROLLER + DIE * n + 9, 10, _die(kind, face), data_info=die_info(kind, face.breaks))
            for n, (kind, face) in enumerate(chunk)
        ]
        x = ROLLER + DIE * len(chunk) + 6
        total = words(x, 15, told, 15, fill=GOLD, font_weight="bold") if k == len(chunks) - 1 else ""
        lines.append(who + "".join(dice) + total)
    return lines


def _die(kind: int, face: Face) -> str:
    return shapes.die(DICE_LETTERS[kind], face.hits, face.breaks)


def die_info(kind: int, breaks: bool) -> str:
    """What marks a rolled die in the picture: `die wood`, or `breaking die wood`."""
    return f"{'breaking ' if breaks else ''}die {CUBES[kind]}"


def _dice_on_table(fight: FightLook) -> str:
    """The current roll where no steps were noted: only its sum and its breaking dice are known."""
    if not (fight.hits or fight.breaks):
        return ""
    hits = words(0, 14.5, f"hits {fight.hits}", 15, fill=GOLD, font_weight="bold")
    kinds = [kind for kind, n in fight.breaks.items() for _ in range(n)]
    letters = dict(zip(RESOURCES, GRID_LETTERS, strict=True))
    cubes = [
        moved(72 + 17 * k, 4, shapes.cube(0, 0, 13, letters[kind]), data_info=f"breaking die {kind}")
        for k, kind in enumerate(kinds)
    ]
    label = words(0, 14.5 + ROLL_LINE, "breaking:", LEAST, fill=TEXT) if kinds else ""
    return hits + label + moved(0, ROLL_LINE, *cubes)


def draw_tile(spaces: Sequence[TileSpace], size: float = 20) -> str:
    """A tile around (0, 0), with its centre first and then its petals clockwise from the east. `size`: radius of a
    small hexagon."""
    grounds, numbers = [], []
    for (q, r), space in zip(CELLS, spaces, strict=True):
        x, y = SQRT3 * size * (q + r / 2), 1.5 * size * r
        ground = hexagon(x, y, size, fill="url(#lava)" if space.lava else "#9a8b6c", stroke=shapes.INK)
        grounds.append(ground + moved(x, y - 2, group(_printed(space.item), transform="scale(0.7)")))
        if space.eruption:
            badge = group(shapes.eruption_number(str(space.eruption)), transform="scale(0.88)")
            numbers.append(moved(x, y + 0.65 * size, badge))
    return group(*grounds, *numbers)


def _printed(item: str) -> str:
    kind, _, colour = item.partition(" ")
    if kind in TOKEN_SHAPES:
        return shapes.token_back(kind)
    if kind == "scroll":
        return shapes.scroll_token(colour)
    if kind == "dragon":
        return shapes.dragon_sign(colour)
    pieces = {"monk": shapes.monk, "adventure": shapes.adventure_sign, "exit": shapes.exit_sign}
    return pieces[kind]() if kind else ""


# the legend


@cache
def draw_legend(width: float, rows: int) -> str:
    """The legend: every sign of the picture with its meaning, column by column."""
    entries = [*_signs().items(), *((power.replace("_", " "), _small_token(power)) for power in ADVENTURE_POWERS)]
    columns = [entries[k : k + rows] for k in range(0, len(entries), rows)]
    needed = [max(text_width(label, LEAST) for label, _ in column) + SIGN for column in columns]
    gap = (width - sum(needed)) / len(columns)
    drawn, x = [], gap / 2
    for column, across in zip(columns, needed, strict=True):
        for k, (label, sign) in enumerate(column):
            name = words(SIGN / 2 + 4, 5, label, LEAST, fill=FAINT)
            drawn.append(moved(x + SIGN / 2 - 2, LEGEND_LINE * k + 10, sign, name))
        x += across + gap
    return "".join(drawn)


def _small_token(power: str) -> str:
    return group(shapes.adventure_token(power), transform="scale(0.88)")


def _signs() -> dict[str, str]:
    """Signs of the legend by their meaning."""

    def small(sign: str, scale: float = 0.7) -> str:
        return group(sign, transform=f"scale({scale})")

    cubes = {kind: shapes.cube(-6, -6, 12, letter) for kind, letter in zip(RESOURCES, GRID_LETTERS, strict=True)}
    may = {"fill": "none", "stroke": "#fff", "stroke_width": 2, "stroke_dasharray": "4 3"}
    return {
        **cubes,
        "magic": shapes.cube(-6, -6, 12, "magic"),
        "action disc": shapes.disc(0, 0),
        "monk": small(shapes.monk()),
        "scroll": small(shapes.scroll_token("red"), 0.8),
        "blueprint": shapes.blueprint_marker("H"),
        "gear card": shapes.gear_card(),
        "resources": small(shapes.token_back("square", face_up=True)),
        "face down": small(shapes.token_back("square")),
        "status": small(shapes.status_marker(), 0.9),
        "trophy": small(shapes.trophy(), 0.9),
        "VP claimed": small(shapes.crown(), 0.9),
        "health, life": shapes.heart(0, 0),
        "initiative": shapes.bolt(0, 0),
        "damage": small(shapes.damage_badge(1), 0.9),
        "asleep": small(shapes.marker_badge("asleep"), 0.9),
        "will move": small(shapes.marker_badge("awake"), 0.9),
        "die: hits": small(shapes.die("M", 2, breaks=False), 1),
        "breaking die": small(shapes.die("M", 2, breaks=True), 1),
        "lava": hexagon(0, 0, 9, fill="url(#lava)"),
        "lava tile": hexagon(0, 0, 8.5, fill="url(#eruption)", stroke="#fff0b0", stroke_width=1.6),
        "lava if called": small(shapes.eruption_number("1"), 0.9),
        "open choice": hexagon(0, 0, 9, **may),
        "secret exit": small(shapes.exit_sign(), 0.6),
    }

"""Writes the numbers of observations, in the order of the table in fields.py."""

from typing import NamedTuple

from fuji_env.content.model import COLOURS, DICE, EQUIPMENT, GRID, INJURIES, MOST_VALUE, NUMBERS, PLACES
from fuji_env.observation.fields import FAR_SOON, MAP_PLANES, MOST_WAY, STARTS, WIDTH
from fuji_env.rules.base.frames import top
from fuji_env.rules.base.names import SKILLS, WORDS, Gear, Reason, Talk, Variant
from fuji_env.rules.base.phases import FIRST_AUTOMATIC, QUESTIONS, Phase
from fuji_env.rules.base.state import FIGURES, MOST_STEPS, PLAYERS, SETS, Figure, State
from fuji_env.rules.base.tables import Layout, Tables
from fuji_env.rules.dice import dice_in, is_own, seen_die, shown_dice
from fuji_env.rules.map import Walk, beside_any, layout_of, open_places, walk_of, within
from fujikoro_env.kernel.jit import Bytes, ByteTable, Floats, FloatTable, IntArray, Shorts, ShortTable, entry, rule
from fujikoro_env.kernel.masks import count_bits, has
from fujikoro_env.kernel.records import Records

ALL = -1  # an observer who sees everything, for global states
GEAR = len(EQUIPMENT)
COLOUR_COUNT = len(COLOURS)
INJURY_KINDS = len(INJURIES)
QUESTION_COUNT = len(QUESTIONS)
VARIANTS = len(Variant) - 1
TALKS = len(Talk)
ROWS, COLUMNS = GRID
FACES = tuple((die * NUMBERS + number - 1, number) for die in range(DICE) for number in range(1, NUMBERS + 1))
BIT_1, BIT_2, BIT_4 = (sum(1 << face for face, number in FACES if number & bit) for bit in (1, 2, 4))
PLACES_AT, FIGURES_AT, DICE_AT = STARTS["places"], STARTS["figures"], STARTS["dice"]
TURN_AT, RULES_AT = STARTS["turn"], STARTS["rules"]
PLACE_WIDTH = FIGURES_AT // PLACES


# --- seats ------------------------------------------------------------------------------------------------------------


@rule
def seat_zero(s: State, player: int) -> int:
    """Return the figure that is seat 0: the one that the player is asked about, or else its first one."""
    if player == ALL:
        return 0
    frame = top(s)
    return frame.figure if s.reason == Reason.PLAYING and frame.actor == player else player


@rule
def set_at(s: State, zero: int, seat: int) -> int:
    """Return the set of dice at a seat, which for figures has the figure's number; -1 for an empty seat."""
    if seat >= s.settings.sets:
        return -1
    if seat >= s.settings.figures:
        return seat
    return (zero + seat) % s.settings.figures


@rule
def visible_die(s: State, player: int, dice_set: int, die: int) -> int:
    """Return what an observer sees of a die; 0 if it does not see it."""
    if player == ALL:
        return int(s.dice[dice_set, die])
    return seen_die(s, player, dice_set, die)


@rule
def sees_any(s: State, player: int, dice_set: int) -> bool:
    """Whether an observer may see dice of a set. Most sets of others are hidden, and need no further look."""
    return player == ALL or is_own(s, player, dice_set) or shown_dice(s, dice_set) | s.known[player, dice_set] != 0


# --- the parts --------------------------------------------------------------------------------------------------------


@rule
def write_flags(row: Shorts, at: int, bits: int, width: int) -> int:
    """Write the members of a bit set as flags, and return the index after them."""
    for k in range(width):
        row[at + k] = (bits >> k) & 1
    return at + width


@rule
def write_one_of(row: Shorts, at: int, which: int, width: int) -> int:
    """Write 1 at one of several places, 0 at the others; `which` may be none of them."""
    for k in range(width):
        row[at + k] = 1 if k == which else 0
    return at + width


@rule
def write_ground(s: State, t: Tables, row: Shorts) -> None:
    """Write what all see of the map."""
    m = layout_of(s, t)
    free = open_places(s, t)
    for place in range(PLACES):
        at = PLACES_AT + place * PLACE_WIDTH
        row[at] = (free >> place) & 1
        row[at + 1] = (m.village >> place) & 1
        row[at + 2] = (s.lava >> place) & 1
        row[at + 4] = (s.eruption_tokens >> place) & 1
        row[at + 5] = (s.equipment_tokens >> place) & 1
        card = int(s.cards[place]) - 1
        row[at + 7] = min(m.to_village[place], MOST_WAY)
        if card >= 0:
            row[at + 6] = t.reroll[card]
            for k in range(NUMBERS):
                row[at + 8 + k] = t.by_number[card, k]
            for k in range(COLOUR_COUNT):
                row[at + 8 + NUMBERS + k] = t.by_colour[card, k]
    write_soon(m, s.lava, row)


@rule
def write_soon(m: Layout, lava: int, row: Shorts) -> None:
    """Write in how many eruptions each place turns to lava."""
    burns, new = (m.rubble | m.landscape) & ~lava, lava
    for soon in range(FAR_SOON, 0, -1):
        new = beside_any(m, new) & burns
        rest = new
        while rest != 0:
            low = rest & -rest
            row[PLACES_AT + count_bits(low - 1) * PLACE_WIDTH + 3] = soon
            rest -= low
        burns &= ~new


@rule
def visible_faces(s: State, player: int, dice_set: int) -> int:
    """Return the faces that an observer sees of a set, as a bit set, without dice set aside."""
    if not sees_any(s, player, dice_set):
        return 0
    faces, aside = 0, s.figures[dice_set].aside
    for die in range(dice_in(s, dice_set)):
        number = visible_die(s, player, dice_set, die)
        if number != 0 and not has(aside, die):
            faces |= 1 << (die * NUMBERS + number - 1)
    return faces


@rule
def sum_of_faces(faces: int) -> int:
    """Return the sum of the numbers on faces: the numbers are added bit by bit."""
    return count_bits(faces & BIT_1) + 2 * count_bits(faces & BIT_2) + 4 * count_bits(faces & BIT_4)


@rule
def write_values(s: State, t: Tables, player: int, zero: int, row: Shorts) -> None:
    """Write the values of all sets on all cards, as far as the observer sees their dice."""
    at = PLACES_AT + 8 + NUMBERS + COLOUR_COUNT
    for seat in range(s.settings.sets):
        faces = visible_faces(s, player, set_at(s, zero, seat))
        if faces != 0:
            for place in range(PLACES):
                card = int(s.cards[place]) - 1
                if card >= 0:
                    row[at + place * PLACE_WIDTH + seat] = sum_of_faces(t.fits[card] & faces)
    dice = s.figures[zero].dice
    if dice != 0 and (player == ALL or is_own(s, player, zero)):
        for place in range(PLACES):
            card = int(s.cards[place]) - 1
            if card >= 0:
                value = min(int(row[at + place * PLACE_WIDTH]), MOST_VALUE)
                row[at + place * PLACE_WIDTH + SETS] = t.third[card, dice, value] + 1


@rule
def write_reach(s: State, t: Tables, zero: int, row: Shorts) -> None:
    """Write how far seat 0 is from each place, with and without eruption tokens on the walk."""
    m, walk = layout_of(s, t), walk_of(s, t, s.figures[zero])
    at = PLACES_AT + 8 + NUMBERS + COLOUR_COUNT + SETS + 1
    reached = write_steps(m, walk, row, at)
    if reached & s.eruption_tokens != 0 or walk.rope:
        write_steps(m, Walk(walk.start, walk.places & ~s.eruption_tokens, walk.rope), row, at + 1)
        return
    while reached != 0:  # no token is near, so the walks are the same
        low = reached & -reached
        place = at + count_bits(low - 1) * PLACE_WIDTH
        row[place + 1] = row[place]
        reached -= low


@rule
def write_steps(m: Layout, walk: Walk, row: Shorts, at: int) -> int:
    """Write how far each place is, and return those that can be reached."""
    before, known = 0, 0
    for steps in range(MOST_STEPS + 1):
        if steps == 0 or walk.rope:
            found = within(m, walk, steps)
        else:
            found = known | beside_any(m, known & ~before) & walk.places
        rest = found & ~known
        while rest != 0:
            low = rest & -rest
            row[at + count_bits(low - 1) * PLACE_WIDTH] = steps + 1
            rest -= low
        before = known
        known = found
    return known


@rule
def write_pieces(s: State, zero: int, row: Shorts) -> None:
    """Write where markers and figures are, and where the radio told values."""
    at = PLACES_AT + 8 + NUMBERS + COLOUR_COUNT + SETS + 3
    for seat in range(s.settings.figures):
        me = s.figures[set_at(s, zero, seat)]
        row[at + me.at * PLACE_WIDTH + FIGURES + seat] = 1
        if me.marker != 0:
            row[at + (me.marker - 1) * PLACE_WIDTH + seat] = 1
    if s.radio != 0:
        row[at + (s.radio - 1) * PLACE_WIDTH + 2 * FIGURES] = 1


@rule
def lasting_of(me: Figure) -> int:
    """Return the cards in effect on a figure, as flags."""
    return (
        ((me.effects >> Gear.HIKING_BOOTS) & 1)
        | ((me.effects >> Gear.TRAIL_MAP) & 1) << 1
        | ((me.effects >> Gear.ROPE) & 1) << 2
        | ((me.effects >> Gear.WALKING_POLE) & 1) << 3
        | ((me.effects >> Gear.HELMET) & 1) << 4
    )


@rule
def write_figures(s: State, t: Tables, player: int, zero: int, row: Shorts) -> int:
    """Write all figures, and return the index after the last."""
    at = FIGURES_AT + 0
    width = (DICE_AT - FIGURES_AT) // FIGURES
    for seat in range(s.settings.figures):
        write_figure(s, t, player, set_at(s, zero, seat), row, at)
        at += width
    return at


@rule
def write_figure(s: State, t: Tables, player: int, k: int, row: Shorts, at: int) -> int:
    """Write one figure."""
    m, me = layout_of(s, t), s.figures[k]
    playing = s.reason == Reason.PLAYING
    row[at] = 1
    row[at + 1] = 1 if is_own(s, player, k) else 0
    row[at + 2] = 1 if playing and top(s).figure == k else 0
    row[at + 3] = 1 if s.lead == k else 0
    row[at + 4] = (s.acted >> k) & 1
    row[at + 5] = (m.village >> me.at) & 1
    row[at + 6] = min(m.to_village[me.at], MOST_WAY)
    row[at + 7] = me.stamina
    at = write_flags(row, at + 8, me.injuries, INJURY_KINDS)
    at = write_one_of(row, at, me.skill, SKILLS)
    at = write_flags(row, at, me.equipment, GEAR)
    row[at] = count_bits(me.used_once)
    row[at + 1] = count_bits(me.fresh)
    row[at + 2] = me.bars
    row[at + 3] = me.dice
    row[at + 4] = me.steps
    row[at + 5] = me.around
    at = write_one_of(row, at + 6, me.said, WORDS)
    at = write_flags(row, at, lasting_of(me), 5)
    row[at] = me.rerolls if player == ALL or is_own(s, player, k) else 0
    row[at + 1] = s.told[k]
    return at + 2


@rule
def write_dice(s: State, t: Tables, player: int, zero: int, row: Shorts) -> int:
    """Write all dice that the observer sees."""
    at, width = DICE_AT + 0, NUMBERS + COLOUR_COUNT + 1
    for seat in range(s.settings.sets):
        dice_set = set_at(s, zero, seat)
        if s.figures[dice_set].aside == 0 and not sees_any(s, player, dice_set):
            at += DICE * width
            continue
        for die in range(DICE):
            number = visible_die(s, player, dice_set, die)
            if number != 0:
                row[at + number - 1] = 1
                row[at + NUMBERS + t.colour[die, number]] = 1
            row[at + NUMBERS + COLOUR_COUNT] = 1 if has(s.figures[dice_set].aside, die) else 0
            at += width
    return at


@rule
def card_asked_about(s: State) -> int:
    """Return the equipment cards that the question is about, as a bit set."""
    frame = top(s)
    if frame.phase == Phase.KEEP:
        return frame.what
    if frame.phase == Phase.PARTNER or frame.phase == Phase.GIVE:
        return 1 << frame.what
    return 0


@rule
def planning_turns(s: State) -> int:
    """Return the number of planning turns so far in this round."""
    return s.stack[1].left if s.depth > 1 and s.stack[1].phase == Phase.PLANNING else 0


@rule
def write_turn(s: State, player: int, row: Shorts) -> int:
    """Write the question and the state of the round."""
    frame, at = top(s), TURN_AT + 0
    playing = s.reason == Reason.PLAYING and frame.phase < FIRST_AUTOMATIC
    at = write_one_of(row, at, frame.phase - 1 if playing else -1, QUESTION_COUNT)
    row[at] = 1 if playing and frame.actor == player else 0
    row[at + 1] = frame.left if playing else 0
    at = write_flags(row, at + 2, card_asked_about(s) if playing else 0, GEAR)
    row[at] = planning_turns(s)
    row[at + 1] = s.round_number
    row[at + 2] = s.screens
    row[at + 3] = s.whistles
    row[at + 4] = s.owed
    row[at + 5] = count_bits(s.deck | s.under | s.discards)
    return at + 6


@rule
def write_rules(s: State, row: Shorts) -> int:
    """Write the settings."""
    at = write_one_of(row, RULES_AT, s.settings.players - 2, PLAYERS - 1)
    at = write_one_of(row, at, s.settings.variant - 1, VARIANTS)
    row[at] = s.settings.level + 1
    at = write_one_of(row, at + 1, s.settings.talk, TALKS)
    row[at] = s.settings.late_eruption
    return at + 1


@rule
def write_row(s: State, t: Tables, player: int, row: Shorts) -> int:
    """Write all that an observer sees of a game, and return the number of values. The parts leave out zeros."""
    for k in range(WIDTH):  # at once, because the parts lie far apart in memory
        row[k] = 0
    zero = seat_zero(s, player)
    write_ground(s, t, row)
    write_values(s, t, player, zero, row)
    write_reach(s, t, zero, row)
    write_pieces(s, zero, row)
    write_figures(s, t, player, zero, row)
    write_dice(s, t, player, zero, row)
    write_turn(s, player, row)
    return write_rules(s, row)


# --- entries ----------------------------------------------------------------------------------------------------------


class Fractions(NamedTuple):
    """Where numbers go as fractions of their upper bounds."""

    wanted: int  # 0 if only the numbers are wanted
    scales: Floats
    out: FloatTable  # (games, WIDTH)


@entry
def observe_numbers(
    games: Records[State],
    tables: Records[Tables],
    observers: IntArray,
    first: int,
    last: int,
    rows: ShortTable,
    fractions: Fractions,
) -> int:
    """Write the observations of games first to last - 1 as numbers; a row is zero if its observer is below ALL or if
    nobody is asked. With fractions, all games share the row of the first, which stays in the cache. Returns how many
    numbers a row has."""
    scaled = fractions.wanted != 0
    for g in range(first, last):
        row = rows[first if scaled else g]
        if observers[g] >= 0:
            write_row(games[g], tables[0], observers[g], row)
        else:
            for k in range(WIDTH):
                row[k] = 0
        if scaled:
            scale_row(row, fractions.scales, fractions.out[g])
    return WIDTH + 0


@rule
def scale_row(row: Shorts, scales: Floats, target: Floats) -> None:
    """Write the numbers of a row as fractions of their upper bounds."""
    for k in range(WIDTH):
        target[k] = row[k] * scales[k]


@entry
def observe_all(games: Records[State], tables: Records[Tables], rows: ShortTable) -> int:
    """Write everything in the first game, all dice open, as figure 0 sees it."""
    return write_row(games[0], tables[0], ALL, rows[0])


@entry
def scale_rows(rows: ShortTable, scales: Floats, first: int, last: int, out: FloatTable) -> int:
    """Write the numbers of rows as fractions of their upper bounds."""
    for g in range(first, last):
        scale_row(rows[g], scales, out[g])
    return WIDTH + 0


@entry
def draw_maps(
    games: Records[State], tables: Records[Tables], rows: ShortTable, first: int, last: int, maps: ByteTable
) -> int:
    """Lay the part `places` of rows out as pictures of the grid, one plane for each column, after a plane of cards."""
    for g in range(first, last):
        draw_map(layout_of(games[g], tables[0]), rows[g], maps[g])
    return MAP_PLANES + 0


@rule
def draw_map(m: Layout, row: Shorts, planes: Bytes) -> None:
    """Lay out one map."""
    for k in range(MAP_PLANES * ROWS * COLUMNS):
        planes[k] = 0
    for place in range(m.places):
        cell = m.row[place] * COLUMNS + m.column[place]
        planes[cell] = 1
        for k in range(PLACE_WIDTH):
            planes[(k + 1) * ROWS * COLUMNS + cell] = row[PLACES_AT + place * PLACE_WIDTH + k]

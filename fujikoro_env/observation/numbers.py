"""Writers for the numbers of the tensor observation: the table `NUMBERS` of fields.py, in its order.

A writer starts at a given index of the row and returns the index after its last number. The row is all zeros at first.
"""

from typing import Final

from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    COLOURS,
    ERUPTIONS,
    FOOT_SPOTS,
    MAX_DRAGONS,
    MAX_SCROLLS,
    MAX_TILES_PER_LEVEL,
    MAX_TOKENS_PER_SHAPE,
    PALACE_TRACKS,
    SCROLL_POWERS,
)
from fujikoro_env.kernel.jit import Shorts, rule, unsigned
from fujikoro_env.kernel.masks import count_bits, has
from fujikoro_env.observation.fields import ASKED, BYTE, BYTES, CARDS, COUNT, NUMBERS, POWERS, RINGS
from fujikoro_env.observation.seats import player_at, seat_of, seats_taken
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import DISC_FIELDS, GEARS, RESOURCE_KINDS, SPOTS, SUPPLIES, Gear, Mode, Reason, Where
from fujikoro_env.rules.base.phase_entry import Holds
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC, Phase, frames_with, phase_bits
from fujikoro_env.rules.base.state import (
    DRAGONS_TURN,
    FIRST_PARTNER,
    FRAMES,
    PATH,
    PLAYERS,
    SCROLL_DISPLAY,
    SCROLL_SLOTS,
    Card,
    Fight,
    Frame,
    State,
)
from fujikoro_env.rules.base.tables import CELLS_OF_TILE, CardTable, Tables
from fujikoro_env.rules.engine.hidden import is_hidden_top
from fujikoro_env.rules.fights.attack import battle_initiative
from fujikoro_env.rules.fights.damage import strength
from fujikoro_env.rules.fights.dragons import dragon_health
from fujikoro_env.rules.pack import free_slots
from fujikoro_env.rules.scenarios.terms import Term
from fujikoro_env.rules.turn.stages import FIRST_ACTION, TURN_END
from fujikoro_env.scenarios import SCENARIOS

ALL_NUMBERS: Final = sum(part.width for part in NUMBERS)
ROW_WIDTHS: Final = {part.name: part.row_width for part in NUMBERS}
PLAYER_WIDTH: Final = ROW_WIDTHS["players"]
TILE_WIDTH: Final = ROW_WIDTHS["tiles"]
DRAGON_WIDTH: Final = ROW_WIDTHS["dragons"]
FIGHT_WIDTH: Final = ROW_WIDTHS["fight"]
FIGHTER_WIDTH: Final = ROW_WIDTHS["fighters"]
FRAME_WIDTH: Final = ROW_WIDTHS["frames"]
KINDS_OF_ADVENTURE: Final = len(ADVENTURE_POWERS)
TRACKS: Final = len(PALACE_TRACKS)
FOOT: Final = len(FOOT_SPOTS)
COLOUR_COUNT: Final = len(COLOURS)
SCROLL_POWER_COUNT: Final = len(SCROLL_POWERS)
ERUPTION_COUNT: Final = len(ERUPTIONS)
SCENARIO_COUNT: Final = len(SCENARIOS)
TERM_COUNT: Final = len(Term)
WEAPON_SLOTS: Final = 3
BITS_OF_BYTE: Final = 8
# Seats are relative to the observer, so players that are stored in frames must be converted. The table of phases says
# which fields hold players; tools/make_phases.py rejects players in other fields than these.
QUESTIONS_WITH_PLAYER: Final = phase_bits(Holds.PLAYER, "thing")
STEPS_WITH_PLAYER: Final = phase_bits(Holds.PLAYER, "thing", FIRST_AUTOMATIC)
STEPS_WITH_PLAYER_OR_NONE: Final = phase_bits(Holds.PLAYER_OR_NONE, "thing", FIRST_AUTOMATIC)
((PHASE_WITH_PLAYER_IN_AT, STAGE_WITH_PLAYER_IN_AT),) = frames_with(Holds.PLAYER, "at")  # one phase alone has that


@rule
def put(out: Shorts, at: int, value: int) -> int:
    """Write a number. Returns the next index."""
    out[unsigned(at)] = value
    return at + 1


@rule
def put_flag(out: Shorts, at: int, flag: bool) -> int:
    """Write a flag as 0 or 1. Returns the next index."""
    out[unsigned(at)] = 1 if flag else 0
    return at + 1


@rule
def put_set(out: Shorts, at: int, members: int, size: int) -> int:
    """Write a flag for each possible member of a set."""
    for k in range(size):
        at = put_flag(out, at, has(members, k))
    return at


@rule
def put_bytes(out: Shorts, at: int, members: int) -> int:
    """Write a set of up to 63 members, eight members in each number."""
    for k in range(BYTES):
        at = put(out, at, members >> BITS_OF_BYTE * k & BYTE)
    return at


# Players


@rule
def write_players(s: State, t: Tables, observer: int, out: Shorts, at: int) -> int:
    """Write the field `players`: one row for each seat."""
    for seat in range(seats_taken(s)):
        at = write_player(s, t, player_at(s, observer, seat), out, at)
    return at + (PLAYERS - seats_taken(s)) * PLAYER_WIDTH


@rule
def write_player(s: State, t: Tables, p: int, out: Shorts, at: int) -> int:
    """Write one row of `players`."""
    me = s.players[p]
    beaten = p >= s.settings.players and me.at == 0
    at = put_flag(out, at, not beaten)
    at = put(out, at, me.at)
    at = put(out, at, me.vp)
    at = put(out, at, me.character)
    at = put(out, at, me.colour)
    at = put(out, at, me.unconscious)
    at = put(out, at, me.outside)
    at = put(out, at, me.left_volcano)
    at = put(out, at, me.lives_lost)
    lives = s.settings.coop_lives - me.lives_lost if s.settings.mode == Mode.COOP else 0
    at = put(out, at, max(0, lives))
    at = write_board(s, t, p, out, at)
    at = put(out, at, me.status)
    at = put(out, at, me.on_rope)
    at = put_set(out, at, me.trophies, MAX_DRAGONS)
    at = put(out, at, strength(me.gear[Gear.HELMET]))
    at = put(out, at, strength(me.gear[Gear.SANDALS]))
    return put(out, at, 0 if beaten else battle_initiative(s, t, p))


@rule
def write_board(s: State, t: Tables, p: int, out: Shorts, at: int) -> int:
    """Write a player's columns about its board."""
    me = s.players[p]
    at = put(out, at, me.pool)
    for field in range(DISC_FIELDS):
        at = put(out, at, me.fields[field])
    for spot in range(SPOTS):
        at = put(out, at, me.monks[spot])
    for kind in range(RESOURCE_KINDS):
        at = put(out, at, me.pack[kind])
    at = put(out, at, me.pack_monks)
    at = put(out, at, max(0, free_slots(s, p)))
    at = write_scrolls(s, t, p, out, at)
    for gear in range(GEARS):
        at = put(out, at, me.gear[gear].magic)
    for field in range(DISC_FIELDS):
        at = put(out, at, me.card_on[field])
    at = put(out, at, me.looks)
    for kind in range(KINDS_OF_ADVENTURE):
        at = put(out, at, me.adventures[kind])
    for track in range(TRACKS):
        at = put(out, at, me.claimed[track])
    return at


@rule
def write_scrolls(s: State, t: Tables, p: int, out: Shorts, at: int) -> int:
    """Write a player's columns about its scrolls."""
    me = s.players[p]
    for slot in range(SCROLL_SLOTS):
        at = put(out, at, me.scrolls[slot])
    for slot in range(SCROLL_SLOTS):
        at = put(out, at, me.scroll_colours[slot])
    for slot in range(SCROLL_SLOTS):
        if me.scrolls[slot] != 0:
            out[at + t.scroll_power[me.scrolls[slot] - 1]] = 1
    return at + SCROLL_POWER_COUNT


# Cards, tiles, dragons


@rule
def write_cards(s: State, t: Tables, observer: int, out: Shorts, at: int) -> int:
    """Write the field `cards`."""
    for slot in range(CARDS):
        card = s.gear_cards[slot]
        at = write_card(s, observer, card, t.gear_cards[max(0, card.card - 1)], out, at)
    for slot in range(CARDS):
        card = s.blueprints[slot]
        at = write_card(s, observer, card, t.blueprints[max(0, card.card - 1)], out, at)
    return at


@rule
def write_card(s: State, observer: int, card: Card, printed: CardTable, out: Shorts, at: int) -> int:
    """Write one row of `cards`."""
    where, known = card.where, card.card != 0
    at = put(out, at, card.card)
    at = put_flag(out, at, where == Where.DISPLAY)
    at = put_flag(out, at, where == Where.GONE)
    at = put(out, at, where - Where.TEMPLE + 1 if Where.TEMPLE <= where < Where.OWNED else 0)
    at = put(out, at, seat_of(s, observer, where - Where.OWNED) + 1 if where >= Where.OWNED else 0)
    for kind in range(RESOURCE_KINDS):
        at = put(out, at, printed.needs[kind] if known else 0)
    return put(out, at, printed.resource if known else 0)


@rule
def write_tiles(s: State, t: Tables, observer: int, all_seeing: bool, out: Shorts, at: int) -> int:
    """Write the field `tiles`."""
    turned = s.reason == Reason.PLAYING and top(s).phase == Phase.EXPLORE_TURN
    at = write_tile(t, top(s).thing if turned else 0, out, at)
    for level in range(RINGS):
        known = all_seeing or not is_hidden_top(s, observer, level)
        tile = s.top[level] + level * MAX_TILES_PER_LEVEL if known and s.top[level] != 0 else 0
        at = write_tile(t, tile, out, at)
    return at


@rule
def write_tile(t: Tables, code: int, out: Shorts, at: int) -> int:
    """Write a tile as printed. `code` is the tile + 1, or 0 for none."""
    if code == 0:
        return at + TILE_WIDTH
    tile = t.tiles[code - 1]
    at = put(out, at, code)
    for cell in range(CELLS_OF_TILE):
        out[at + cell] = tile.lava[cell]
        out[at + CELLS_OF_TILE + cell] = tile.eruption[cell]
        out[at + 2 * CELLS_OF_TILE + cell] = tile.square[cell]
        out[at + 3 * CELLS_OF_TILE + cell] = tile.hexagon[cell]
        out[at + 4 * CELLS_OF_TILE + cell] = tile.monk[cell]
        out[at + 5 * CELLS_OF_TILE + cell] = tile.scroll[cell]
        out[at + 6 * CELLS_OF_TILE + cell] = tile.adventure[cell]
        out[at + 7 * CELLS_OF_TILE + cell] = tile.secret_exit[cell]
        out[at + 8 * CELLS_OF_TILE + cell] = tile.dragon[cell]
    return at + 9 * CELLS_OF_TILE


@rule
def write_stacks(s: State, observer: int, out: Shorts, at: int) -> int:
    """Write the field `stacks`."""
    for level in range(RINGS):
        at = put(out, at, tiles_to_come(s, level))
        at = put_set(out, at, s.tiles_left[level], MAX_TILES_PER_LEVEL)
        at = put_set(out, at, s.tiles_gone[level], MAX_TILES_PER_LEVEL)
        for seat in range(PLAYERS):
            plays = seat < s.settings.players
            at = put_flag(out, at, plays and has(s.top_seen[level], player_at(s, observer, seat)))
    return at


@rule
def tiles_to_come(s: State, level: int) -> int:
    """Tiles still to come in a stack. In co-op one tile of each higher level is out of the game (COOP-4); nobody knows
    which one until the stack is empty."""
    hidden = 1 if s.settings.mode == Mode.COOP and level > 0 else 0
    return max(0, count_bits(s.tiles_left[level]) - hidden)


@rule
def write_dragons(s: State, t: Tables, out: Shorts, at: int) -> int:
    """Write the field `dragons`."""
    for dragon in range(MAX_DRAGONS):
        if t.dragon_health[dragon, 0] == 0:
            at += DRAGON_WIDTH
            continue
        colour = t.dragon_colour[dragon]
        at = put_flag(out, at, has(s.dragons_left, dragon))
        at = put_flag(out, at, has(s.dragons_beaten, dragon))
        at = put(out, at, s.dragons[dragon].place)
        at = put(out, at, s.dragons[dragon].damage)
        at = put(out, at, s.dragons[dragon].marker)
        at = put(out, at, colour + 1)
        at = put(out, at, dragon_health(s, t, dragon))
        at = put(out, at, t.dragon_initiative[dragon])
        at = put(out, at, t.colour_dice[colour])
        at = put(out, at, t.colour_vp[colour])
    return at


# The fight


@rule
def is_on(fight: Fight) -> bool:
    """Whether a fight is in progress."""
    for p in range(PLAYERS):
        if fight.fighters[p].inside != 0:
            return True
    return fight.dragon != 0 or fight.monk != 0 or fight.order[0] != 0


@rule
def write_fight(s: State, observer: int, out: Shorts, at: int) -> int:
    """Write the fields `fight` and `fighters`."""
    fight = s.fight
    if not is_on(fight):
        return at + FIGHT_WIDTH + PLAYERS * FIGHTER_WIDTH
    at = put_flag(out, at, True)
    at = put(out, at, fight.dragon)
    at = put(out, at, fight.monk)
    at = put(out, at, max(-COUNT, fight.health))
    at = put(out, at, fight.rounds)
    at = put(out, at, fight.came)
    at = put(out, at, seat_of(s, observer, fight.active))
    at = put(out, at, seat_of(s, observer, fight.defender))
    at = put(out, at, seat_of(s, observer, fight.loser - 1) + 1 if fight.loser != 0 else 0)
    at = put(out, at, fight.gave_up)
    for k in range(PLAYERS + 1):
        who = fight.order[k]
        at = put(out, at, who if who == 0 or who == DRAGONS_TURN else seat_of(s, observer, who - 1) + 1)
    at = put(out, at, fight.turn)
    at = put(out, at, fight.hits)
    at = put(out, at, fight.break_hits)
    for kind in range(RESOURCE_KINDS):
        at = put(out, at, fight.breaks[kind])
    return write_fighters(s, observer, out, at)


@rule
def write_fighters(s: State, observer: int, out: Shorts, at: int) -> int:
    """Write the field `fighters`: one row for each seat."""
    for seat in range(seats_taken(s)):
        fighter = s.fight.fighters[player_at(s, observer, seat)]
        at = put(out, at, fighter.inside)
        at = put(out, at, fighter.came_from)
        at = put(out, at, fighter.initiative)
        at = put(out, at, fighter.monk)
        at = put_set(out, at, fighter.rolled, WEAPON_SLOTS)
        at = put(out, at, fighter.rerolled)
    return at + (PLAYERS - seats_taken(s)) * FIGHTER_WIDTH


# The table


@rule
def write_table(s: State, t: Tables, out: Shorts, at: int) -> int:
    """Write the field `table`."""
    for kind in range(SUPPLIES):
        at = put(out, at, s.supply[kind])
    for colour in range(COLOUR_COUNT):
        at = put(out, at, s.scroll_tokens[colour])
    for colour in range(COLOUR_COUNT):
        at = put(out, at, s.scroll_tokens_gone[colour])
    at = put_set(out, at, s.squares_left, MAX_TOKENS_PER_SHAPE)
    at = put_set(out, at, s.hexes_left, MAX_TOKENS_PER_SHAPE)
    at = put_set(out, at, s.hexes_gone, MAX_TOKENS_PER_SHAPE)
    for kind in range(KINDS_OF_ADVENTURE):
        at = put(out, at, s.adventures_left[kind])
    for kind in range(KINDS_OF_ADVENTURE):
        at = put(out, at, s.adventures_gone[kind])
    at = put_set(out, at, s.scroll_deck, MAX_SCROLLS)
    at = put_set(out, at, s.scroll_discards, MAX_SCROLLS)
    at = write_open_scrolls(s, t, out, at)
    for track in range(TRACKS):
        at = put(out, at, s.palace[track])
    for spot in range(FOOT):
        at = put(out, at, s.foot[spot])
    return at


@rule
def write_open_scrolls(s: State, t: Tables, out: Shorts, at: int) -> int:
    """Write the columns about the scroll display."""
    for slot in range(SCROLL_DISPLAY):
        at = put(out, at, s.scroll_display[slot])
    for slot in range(SCROLL_DISPLAY):
        if s.scroll_display[slot] != 0:
            out[at + t.scroll_power[s.scroll_display[slot] - 1]] = slot + 1
    return at + SCROLL_POWER_COUNT


# The turn


@rule
def seat_or_none(s: State, observer: int, code: int) -> int:
    """Convert player + 1 to seat + 1; 0 stays 0."""
    return seat_of(s, observer, code - 1) + 1 if code != 0 else 0


@rule
def write_turn(s: State, observer: int, out: Shorts, at: int) -> int:
    """Write the field `turn`."""
    at = put(out, at, s.round_number)
    at = put(out, at, seat_of(s, observer, s.first_player))
    at = put(out, at, seat_of(s, observer, s.active))
    at = put(out, at, min(TURN_END, max(0, s.stack[0].stage - FIRST_ACTION)))
    at = put(out, at, s.turn_over)
    at = put(out, at, s.stock_taken)
    at = put_set(out, at, s.used_powers, POWERS)
    for seat in range(PLAYERS):
        plays = seat < s.settings.players
        at = put_flag(out, at, plays and has(s.used_powers, FIRST_PARTNER + player_at(s, observer, seat)))
    for k in range(PATH):
        at = put(out, at, s.path[k] + 1 if k < s.path_length else 0)
    at = put(out, at, s.countdown)
    at = put(out, at, seat_or_none(s, observer, s.final_player))
    at = put(out, at, seat_or_none(s, observer, s.lava_player))
    for number in range(1, ERUPTION_COUNT + 1):
        at = put_flag(out, at, has(s.called, number))
    at = put(out, at, s.rope)
    at = put(out, at, s.escaped)
    at = put(out, at, s.reason)
    at = put(out, at, s.depth)
    return write_question(s, observer, out, at)


@rule
def write_question(s: State, observer: int, out: Shorts, at: int) -> int:
    """Write the one-hot phase."""
    playing = s.reason == Reason.PLAYING
    at = put(out, at, seat_of(s, observer, top(s).actor) + 1 if playing else 0)
    out[at + (top(s).phase if playing else 0)] = 1
    return at + ASKED


@rule
def keeps_player_in_thing(phase: int) -> bool:
    """Whether frames of a phase store a player in `thing`."""
    if phase < FIRST_AUTOMATIC:
        return has(QUESTIONS_WITH_PLAYER, phase)
    return has(STEPS_WITH_PLAYER, phase - FIRST_AUTOMATIC)


@rule
def keeps_player_or_none_in_thing(phase: int) -> bool:
    """Whether frames of a phase store a player + 1, or 0, in `thing`."""
    return phase >= FIRST_AUTOMATIC and has(STEPS_WITH_PLAYER_OR_NONE, phase - FIRST_AUTOMATIC)


@rule
def keeps_player_in_at(frame: Frame) -> bool:
    """Whether a frame stores a player in `at`."""
    return frame.phase == PHASE_WITH_PLAYER_IN_AT and frame.stage == STAGE_WITH_PLAYER_IN_AT


@rule
def other_player(frame: Frame) -> int:
    """The other player that a frame is about, + 1; 0 if there is none."""
    if keeps_player_in_thing(frame.phase):
        return frame.thing + 1
    if keeps_player_in_at(frame):
        return frame.at + 1
    return frame.thing + 0 if keeps_player_or_none_in_thing(frame.phase) else 0


@rule
def write_frames(s: State, observer: int, out: Shorts, at: int) -> int:
    """Write the field `frames`, from the top of the stack down."""
    for k in range(s.depth):
        at = write_frame(s, observer, s.stack[s.depth - 1 - k], out, at)
    return at + (FRAMES - s.depth) * FRAME_WIDTH


@rule
def write_frame(s: State, observer: int, frame: Frame, out: Shorts, at: int) -> int:
    """Write one row of `frames`."""
    in_thing = keeps_player_in_thing(frame.phase) or keeps_player_or_none_in_thing(frame.phase)
    at = put(out, at, frame.phase)
    at = put(out, at, seat_of(s, observer, frame.actor))
    at = put(out, at, seat_or_none(s, observer, other_player(frame)))
    at = put(out, at, frame.stage)
    at = put(out, at, frame.left)
    at = put(out, at, 0 if keeps_player_in_at(frame) else frame.at)
    at = put(out, at, 0 if in_thing else frame.thing)
    at = put(out, at, frame.marks)
    for kind in range(RESOURCE_KINDS):
        at = put(out, at, frame.offer[kind])
    at = put_bytes(out, at, frame.chosen)
    for kind in range(RESOURCE_KINDS):
        at = put_bytes(out, at, frame.cubes[kind])
    return at


@rule
def write_rules(s: State, observer: int, out: Shorts, at: int) -> int:
    """Write the field `rules`."""
    rules = s.settings
    at = put(out, at, rules.players)
    at = put(out, at, rules.mode)
    for number in range(SCENARIO_COUNT + 1):
        at = put_flag(out, at, rules.scenario == number)
    at = put_set(out, at, rules.terms, TERM_COUNT)
    at = put(out, at, rules.adventure_tokens)
    at = put(out, at, rules.peaceful)
    at = put(out, at, rules.final_at)
    at = put(out, at, rules.max_rounds)
    at = put(out, at, rules.full_rounds)
    at = put(out, at, rules.lava_at)
    at = put(out, at, rules.lava_after)
    at = put(out, at, rules.ask_forced)
    at = put(out, at, rules.monk_to_pack)
    at = put(out, at, rules.scroll_replace_anytime)
    at = put(out, at, rules.must_take_card)
    at = put(out, at, rules.share_peeks)
    at = put(out, at, rules.exit_always_open)
    at = put(out, at, rules.rope_catches)
    at = put(out, at, rules.coop_lives)
    at = put(out, at, rules.swap_consent)
    at = put(out, at, rules.masako_full_steps)
    at = put(out, at, rules.unarmed_pass)
    at = put(out, at, rules.last_turn_dragon_sleeps)
    at = put(out, at, rules.monk_initiative)
    at = put(out, at, rules.monk_distance)
    at = put(out, at, rules.coop_health)
    at = put(out, at, rules.one_gear_per_enemy)
    for seat in range(PLAYERS):
        at = put(out, at, rules.characters[player_at(s, observer, seat)] if seat < rules.players else 0)
    return at


@rule
def write_numbers(s: State, t: Tables, observer: int, all_seeing: bool, out: Shorts) -> int:
    """Write all parts, in the order of the table. Returns how many numbers were written."""
    for k in range(ALL_NUMBERS):
        out[k] = 0
    at = write_players(s, t, observer, out, 0)
    at = write_cards(s, t, observer, out, at)
    at = write_tiles(s, t, observer, all_seeing, out, at)
    at = write_stacks(s, observer, out, at)
    at = write_dragons(s, t, out, at)
    at = write_fight(s, observer, out, at)
    at = write_table(s, t, out, at)
    at = write_turn(s, observer, out, at)
    at = write_frames(s, observer, out, at)
    return write_rules(s, observer, out, at)

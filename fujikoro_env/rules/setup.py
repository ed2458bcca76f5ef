"""SETUP: the table is dealt, then every player places its monks and its first cubes.

SETUP asks one player after another. The question for the cubes is pushed first, so that those for the monks and for
Mitsuhide's first scroll, which lie on top of it, are asked before it (SETUP-8). In co-op TAKE_CARD comes first
(COOP-6).
"""

from fujikoro_env.content.model import COLOURS, DRAGON_COLOURS, MAX_CARDS_PER_TYPE
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, has
from fujikoro_env.kernel.streams import below_number, draw_from
from fujikoro_env.rules.base.actions import CARD
from fujikoro_env.rules.base.chance import seed_streams, set_of_first
from fujikoro_env.rules.base.counters import VpSource
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import (
    ADVENTURES,
    GEARS,
    RESOURCE_KINDS,
    SUPPLIES,
    Character,
    Gear,
    Mode,
    Spot,
    Stream,
    Supply,
    Terrain,
    Where,
)
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, Frame, State
from fujikoro_env.rules.base.tables import CardTable, Tables
from fujikoro_env.rules.characters.boards import (
    ANY_CHARACTER,
    colour_of,
    discs_of,
    first_helmet_cubes,
    first_pool_monks,
)
from fujikoro_env.rules.final.score import change_vp, has_vp
from fujikoro_env.rules.gear.craft import build
from fujikoro_env.rules.gear.magic import lay_magic, matching_blueprints
from fujikoro_env.rules.gear.match import PAIR
from fujikoro_env.rules.gear.weapon import LEFT
from fujikoro_env.rules.map.geometry import FIRST_BRIDGE, FIRST_TEMPLE, SPACES, START, TEMPLES
from fujikoro_env.rules.monk import FROM_SUPPLY, ask_monk_spot, put_monk
from fujikoro_env.rules.scenarios.blueprints import cards_out_of_play, hide_blueprints
from fujikoro_env.rules.scenarios.enemies import ENEMY
from fujikoro_env.rules.scenarios.terms import Term, holds
from fujikoro_env.rules.scroll import fill_scroll_display

FULL_TABLE = 6
COLOUR_COUNT = len(COLOURS)
DRAGON_COLOUR_COUNT = len(DRAGON_COLOURS)


@rule
def deal(s: State, t: Tables, seed: int) -> None:
    """Set up the table. The record must hold the settings and be zero otherwise."""
    seed_streams(s, seed)
    s.round_number = 1
    lay_board(s)
    fill_stacks(s, t)
    if holds(s, Term.NO_SECRET_EXIT):
        remove_exit_tiles(s, t)
    deal_characters(s)
    deal_gear_cards(s, t)
    if holds(s, Term.HIDDEN_BLUEPRINTS):
        hide_blueprints(s)
    else:
        deal_blueprints(s, t)
    fill_scroll_display(s)
    seat_players(s, t)
    if holds(s, Term.ENEMY_SAMURAI):
        post_enemies(s, t)
    push(s, Phase.TURN, 0)
    push(s, Phase.SETUP, 0)


@rule
def lay_board(s: State) -> None:
    """Mark the start, bridges and temples, which are part of the map from the beginning (MAP-1)."""
    s.terrain[START] = Terrain.GROUND
    for space in range(FIRST_BRIDGE, SPACES):
        s.terrain[space] = Terrain.GROUND


@rule
def fill_stacks(s: State, t: Tables) -> None:
    """Fill the stacks, decks and the supply (SETUP-2, SETUP-4 and SETUP-10)."""
    for piece in range(SUPPLIES):
        s.supply[piece] = t.supply[piece]
    for level in range(3):
        s.tiles_left[level] = set_of_first(t.tile_count[level])
        s.squares_left |= t.tokens_of_level[0, level]
        s.hexes_left |= t.tokens_of_level[1, level]
    for colour in range(DRAGON_COLOUR_COUNT):
        s.dragons_left |= t.dragons_of_colour[colour]
    for kind in range(ADVENTURES):
        s.adventures_left[kind] = t.adventure_copies[kind]
    for colour in range(COLOUR_COUNT):
        s.scroll_tokens[colour] = t.scroll_tokens
    s.scroll_deck = set_of_first(t.scroll_count)


@rule
def remove_exit_tiles(s: State, t: Tables) -> None:
    """Remove the tile with the secret exit from the game (SCEN-11)."""
    for level in range(3):
        s.tiles_left[level] &= ~t.exit_tiles[level]
        s.tiles_gone[level] = t.exit_tiles[level]


@rule
def deal_characters(s: State) -> None:
    """Assign the characters as set, or at random, each to one player only."""
    left = set_of_first(ANY_CHARACTER) & ~bit(Character.SYMMETRIC)
    for p in range(s.settings.players):
        character = s.settings.characters[p]
        if character == ANY_CHARACTER:
            character = draw_from(s.streams[Stream.SETUP], left)
            left &= ~bit(character)
        s.players[p].character = character


@rule
def is_played(s: State, character: int) -> bool:
    """Whether some player has this character."""
    for p in range(s.settings.players):
        if s.players[p].character == character:
            return True
    return False


@rule
def deal_gear_cards(s: State, t: Tables) -> None:
    """Deal one gear card of each type per player, face up into the display (SETUP-3)."""
    for gear in range(GEARS):
        left = set_of_first(t.card_count[0, gear])
        for slot in range(gear * CARD_SLOTS, gear * CARD_SLOTS + s.settings.players):
            card = draw_from(s.streams[Stream.SETUP], left)
            left &= ~bit(card)
            s.gear_cards[slot].card = gear * MAX_CARDS_PER_TYPE + card + 1
            s.gear_cards[slot].where = Where.DISPLAY


@rule
def deal_blueprints(s: State, t: Tables) -> None:
    """Deal one blueprint of each type per player to the temples in turn; each type starts at the temple where the
    previous one stopped (SETUP-5)."""
    dealt = 0
    for gear in range(GEARS):
        for _ in range(s.settings.players):
            deal_blueprint(s, t, gear, Where.TEMPLE + dealt % TEMPLES)
            dealt += 1
        if gear == Gear.WEAPON and is_played(s, Character.TOMOE):
            deal_a_pair(s, t)


@rule
def deal_blueprint(s: State, t: Tables, gear: int, where: int) -> int:
    """Put a random blueprint of the type that is not yet in play into the next free slot of its type."""
    slot = gear * CARD_SLOTS
    while s.blueprints[slot].where != 0:
        slot += 1
    card = draw_from(s.streams[Stream.SETUP], cards_out_of_play(s, t, gear))
    s.blueprints[slot].card = gear * MAX_CARDS_PER_TYPE + card + 1
    s.blueprints[slot].where = where
    return slot


@rule
def is_pair(t: Tables, card: int) -> bool:
    """Whether a weapon blueprint shows a pair of one-handed weapons."""
    return t.blueprints[Gear.WEAPON * MAX_CARDS_PER_TYPE + card].parts == PAIR


@rule
def deal_a_pair(s: State, t: Tables) -> None:
    """Replace a blueprint by one with two one-handed weapons, if none was dealt (CHAR-64)."""
    first = Gear.WEAPON * CARD_SLOTS
    pairs = 0
    for card in range(t.card_count[1, Gear.WEAPON]):
        if is_pair(t, card):
            pairs |= bit(card)
    for slot in range(first, first + s.settings.players):
        if has(pairs, s.blueprints[slot].card - 1 - Gear.WEAPON * MAX_CARDS_PER_TYPE):
            return
    slot = first + below_number(s.streams[Stream.SETUP], s.settings.players)
    s.blueprints[slot].card = Gear.WEAPON * MAX_CARDS_PER_TYPE + draw_from(s.streams[Stream.SETUP], pairs) + 1


@rule
def seat_players(s: State, t: Tables) -> None:
    """Give the players their boards, colours and starting pieces, and choose the first player (SETUP-6, SETUP-9 and
    SETUP-12)."""
    colours = set_of_first(COLOUR_COUNT)
    for p in range(s.settings.players):
        me = s.players[p]
        me.at = START
        if me.character == Character.SYMMETRIC:
            colour = draw_from(s.streams[Stream.SETUP], colours)
            colours &= ~bit(colour)
            me.colour = colour + 1
        else:
            me.colour = colour_of(me)
        give_first_things(s, t, p)
    s.first_player = below_number(s.streams[Stream.SETUP], s.settings.players)
    s.active = s.first_player


@rule
def post_enemies(s: State, t: Tables) -> None:
    """Put an enemy into each temple, with magic gear of each type, or with `one_gear_per_enemy` of one random type
    (SCEN-71). A monk opens the whole weapon grid, so that every weapon can be built."""
    for k in range(TEMPLES):
        enemy = ENEMY + k
        s.players[enemy].at = FIRST_TEMPLE + k
        s.supply[Supply.MONK] -= 1
        put_monk(s.players[enemy], Spot.WEAPON)
        if s.settings.one_gear_per_enemy != 0:
            arm_enemy(s, t, enemy, below_number(s.streams[Stream.SETUP], GEARS))
        else:
            for gear in range(GEARS):
                arm_enemy(s, t, enemy, gear)


@rule
def arm_enemy(s: State, t: Tables, enemy: int, gear: int) -> None:
    """Give an enemy a random blueprint and the magic gear that it shows (SCEN-71)."""
    slot = deal_blueprint(s, t, gear, Where.OWNED + enemy)
    build_exactly(s, push(s, Phase.TAKE_CARD, enemy), gear, t.blueprints[s.blueprints[slot].card - 1])
    pop(s)
    slots = matching_blueprints(s, t, enemy, gear)
    lay_magic(s, enemy, gear, 1 if has(slots, LEFT) else 2)


@rule
def give_first_things(s: State, t: Tables, p: int) -> None:
    """Give a player the starting pieces that involve no choice (SETUP-6, CHAR-11 and CHAR-62). VP at the start are for
    packs other than the rulebook's."""
    me = s.players[p]
    me.monks[Spot.POOL] = first_pool_monks(me)
    s.supply[Supply.MONK] -= me.monks[Spot.POOL]
    me.pool = discs_of(me) + me.monks[Spot.POOL]
    for kind in range(RESOURCE_KINDS):
        me.pack[kind] = t.first_pack[me.character, kind]
        s.supply[kind] -= me.pack[kind]
    if has_vp(s):
        change_vp(s, p, t.first_vp[me.character], VpSource.UNKNOWN)


@rule
def first_monks(s: State, p: int) -> int:
    """Return the number of starting monks: 1, or 2 with 6 players (SETUP-8); characters have one less (CHAR-1)."""
    monks = 2 if s.settings.players == FULL_TABLE else 1
    return monks if s.players[p].character == Character.SYMMETRIC else monks - 1


@rule
def ask_first_cubes(s: State, t: Tables, p: int) -> None:
    """Ask for the first cubes of the weapon, and before them for those of the helmet if there are any (SETUP-7,
    CHAR-31)."""
    me = s.players[p]
    cubes = 0
    for kind in range(RESOURCE_KINDS):
        cubes += t.first_weapon[me.character, kind]
    if cubes > 0:
        weapon = push(s, Phase.SETUP_CUBES, p)
        weapon.thing = Gear.WEAPON
        for kind in range(RESOURCE_KINDS):
            weapon.offer[kind] = t.first_weapon[me.character, kind]
    if me.character == Character.MASATSURA:
        helmet = push(s, Phase.SETUP_CUBES, p)
        helmet.thing = Gear.HELMET
        for kind in range(RESOURCE_KINDS):
            helmet.offer[kind] = first_helmet_cubes(me, kind)


@rule
def go_setup(s: State, t: Tables) -> None:
    """Ask the next player for its first choices."""
    frame = top(s)
    asked = frame.stage
    frame.stage += 1
    if asked == s.settings.players:
        pop(s)
        return
    p = (s.first_player + asked) % s.settings.players
    if s.settings.mode == Mode.COOP and s.players[p].character == Character.SYMMETRIC:
        push(s, Phase.TAKE_CARD, p)
        return
    ask_first_cubes(s, t, p)
    if s.players[p].character == Character.MITSUHIDE:
        push(s, Phase.SETUP_SCROLL, p)
    ask_first_monks(s, p, first_monks(s, p))


@rule
def ask_first_monks(s: State, p: int, number: int) -> None:
    """Ask where each of the starting monks goes."""
    for _ in range(number):
        ask_monk_spot(s, p, FROM_SUPPLY, 0)


@rule
def cards_taken(s: State, gear: int) -> int:
    """Return how many gear cards of a type have been taken."""
    count = 0
    for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        if s.gear_cards[slot].where >= Where.OWNED:
            count += 1
    return count


@rule
def legal_take_card(s: State, mask: Words) -> None:
    """Allow the display cards of the types taken least often so far (COOP-6)."""
    least = min(cards_taken(s, Gear.HELMET), min(cards_taken(s, Gear.WEAPON), cards_taken(s, Gear.SANDALS)))
    for slot in range(GEARS * CARD_SLOTS):
        if s.gear_cards[slot].where == Where.DISPLAY and cards_taken(s, slot // CARD_SLOTS) == least:
            allow(mask, CARD + slot)


@rule
def do_take_card(s: State, t: Tables, action: int) -> None:
    """Take the card and build its gear exactly (COOP-6). A weapon card puts the starting monk on the weapon spot; with
    any other card the player also gets the usual first weapon (COOP-7)."""
    p, slot = top(s).actor, action - CARD
    gear, monks = slot // CARD_SLOTS, first_monks(s, p)
    s.gear_cards[slot].where = Where.OWNED + p
    if gear == Gear.WEAPON:
        s.supply[Supply.MONK] -= 1
        put_monk(s.players[p], Spot.WEAPON)
        monks -= 1
    build_exactly(s, top(s), gear, t.gear_cards[s.gear_cards[slot].card - 1])
    pop(s)
    if gear != Gear.WEAPON:
        ask_first_cubes(s, t, p)
    ask_first_monks(s, p, monks)
    push(s, Phase.PLACE_CARD, p).thing = slot


@rule
def build_exactly(s: State, frame: Frame, gear: int, card: CardTable) -> None:
    """Build the pattern of a card and nothing else with cubes from the supply, where `build` would lay it on an empty
    board."""
    frame.thing = gear
    for kind in range(RESOURCE_KINDS):
        frame.offer[kind] = card.needs[kind]
        s.supply[kind] -= card.needs[kind]
    build(s, frame, card)

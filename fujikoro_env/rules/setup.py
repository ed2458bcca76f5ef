"""SETUP: the table is dealt, then every player lays its monks and its first cubes.

SETUP asks one player after the other: cubes are pushed first, so that the monks, and Mitsuhide's first scroll, on top
of them are asked first (SETUP-8). In co-op TAKE_CARD comes before them (COOP-6).
"""

from fujikoro_env.content.model import COLOURS, DRAGON_COLOURS, MAX_CARDS_PER_TYPE
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, has
from fujikoro_env.kernel.streams import below_number, draw_from
from fujikoro_env.rules.base.actions import CARD
from fujikoro_env.rules.base.chance import seed_streams, set_of_first
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
    first_pack_cubes,
    first_pool_monks,
    first_weapon_cubes,
)
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
    """Lay out the table; the settings are already in the record, everything else is zero."""
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
    seat_players(s)
    if holds(s, Term.ENEMY_SAMURAI):
        post_enemies(s, t)
    push(s, Phase.TURN, 0)
    push(s, Phase.SETUP, 0)


@rule
def lay_board(s: State) -> None:
    """MAP-1: the start, bridges and temples are there from the first."""
    s.terrain[START] = Terrain.GROUND
    for space in range(FIRST_BRIDGE, SPACES):
        s.terrain[space] = Terrain.GROUND


@rule
def fill_stacks(s: State, t: Tables) -> None:
    """SETUP-2, SETUP-4 and SETUP-10."""
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
    """SCEN-11: the tile with the secret exit is out of the game."""
    for level in range(3):
        s.tiles_left[level] &= ~t.exit_tiles[level]
        s.tiles_gone[level] = t.exit_tiles[level]


@rule
def deal_characters(s: State) -> None:
    """As the settings say, or at random; no two players have the same."""
    left = set_of_first(ANY_CHARACTER) & ~bit(Character.SYMMETRIC)
    for p in range(s.settings.players):
        character = s.settings.characters[p]
        if character == ANY_CHARACTER:
            character = draw_from(s.streams[Stream.SETUP], left)
            left &= ~bit(character)
        s.players[p].character = character


@rule
def is_played(s: State, character: int) -> bool:
    for p in range(s.settings.players):
        if s.players[p].character == character:
            return True
    return False


@rule
def deal_gear_cards(s: State, t: Tables) -> None:
    """SETUP-3: one of each type per player, face up in the display."""
    for gear in range(GEARS):
        left = set_of_first(t.card_count[0, gear])
        for slot in range(gear * CARD_SLOTS, gear * CARD_SLOTS + s.settings.players):
            card = draw_from(s.streams[Stream.SETUP], left)
            left &= ~bit(card)
            s.gear_cards[slot].card = gear * MAX_CARDS_PER_TYPE + card + 1
            s.gear_cards[slot].where = Where.DISPLAY


@rule
def deal_blueprints(s: State, t: Tables) -> None:
    """SETUP-5: as many of each type as players, dealt to the temples one at a time round and round; each type goes on
    at the next temple."""
    dealt = 0
    for gear in range(GEARS):
        for _ in range(s.settings.players):
            deal_blueprint(s, t, gear, Where.TEMPLE + dealt % TEMPLES)
            dealt += 1
        if gear == Gear.WEAPON and is_played(s, Character.TOMOE):
            deal_a_pair(s, t)


@rule
def deal_blueprint(s: State, t: Tables, gear: int, where: int) -> int:
    """A random one of the type that is not in play yet, into the next free slot of its type."""
    slot = gear * CARD_SLOTS
    while s.blueprints[slot].where != 0:
        slot += 1
    card = draw_from(s.streams[Stream.SETUP], cards_out_of_play(s, t, gear))
    s.blueprints[slot].card = gear * MAX_CARDS_PER_TYPE + card + 1
    s.blueprints[slot].where = where
    return slot


@rule
def is_pair(t: Tables, card: int) -> bool:
    return t.blueprints[Gear.WEAPON * MAX_CARDS_PER_TYPE + card].parts == PAIR


@rule
def deal_a_pair(s: State, t: Tables) -> None:
    """CHAR-64: if no blueprint of two one-handed weapons was dealt, one takes the place of another."""
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
def seat_players(s: State) -> None:
    """SETUP-6, SETUP-9 and SETUP-12; characters have their colour, and some more things than others."""
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
        give_first_things(s, p)
    s.first_player = below_number(s.streams[Stream.SETUP], s.settings.players)
    s.active = s.first_player


@rule
def post_enemies(s: State, t: Tables) -> None:
    """SCEN-71: in each temple an enemy with magic gear of each type, or with `one_gear_per_enemy` of one random type. A
    monk opens the whole weapon grid, so that every weapon can be built."""
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
    """SCEN-71: magic gear, built by a random blueprint that the enemy then has."""
    slot = deal_blueprint(s, t, gear, Where.OWNED + enemy)
    build_exactly(s, push(s, Phase.TAKE_CARD, enemy), gear, t.blueprints[s.blueprints[slot].card - 1])
    pop(s)
    slots = matching_blueprints(s, t, enemy, gear)
    lay_magic(s, enemy, gear, 1 if has(slots, LEFT) else 2)


@rule
def give_first_things(s: State, p: int) -> None:
    """SETUP-6, CHAR-11 and CHAR-62: what is not laid by choice."""
    me = s.players[p]
    me.monks[Spot.POOL] = first_pool_monks(me)
    s.supply[Supply.MONK] -= me.monks[Spot.POOL]
    me.pool = discs_of(me) + me.monks[Spot.POOL]
    for kind in range(RESOURCE_KINDS):
        me.pack[kind] = first_pack_cubes(me, kind)
        s.supply[kind] -= me.pack[kind]


@rule
def first_monks(s: State, p: int) -> int:
    """SETUP-8: 1, or 2 with 6 players. CHAR-1: characters have one less."""
    monks = 2 if s.settings.players == FULL_TABLE else 1
    return monks if s.players[p].character == Character.SYMMETRIC else monks - 1


@rule
def ask_first_cubes(s: State, p: int) -> None:
    """SETUP-7, CHAR-31: the weapon's, and above them the helmet's if there are any."""
    me = s.players[p]
    weapon = push(s, Phase.SETUP_CUBES, p)
    weapon.thing = Gear.WEAPON
    for kind in range(RESOURCE_KINDS):
        weapon.offer[kind] = first_weapon_cubes(me, kind)
    if me.character == Character.MASATSURA:
        helmet = push(s, Phase.SETUP_CUBES, p)
        helmet.thing = Gear.HELMET
        for kind in range(RESOURCE_KINDS):
            helmet.offer[kind] = first_helmet_cubes(me, kind)


@rule
def go_setup(s: State) -> None:
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
    ask_first_cubes(s, p)
    if s.players[p].character == Character.MITSUHIDE:
        push(s, Phase.SETUP_SCROLL, p)
    ask_first_monks(s, p, first_monks(s, p))


@rule
def ask_first_monks(s: State, p: int, number: int) -> None:
    for _ in range(number):
        ask_monk_spot(s, p, FROM_SUPPLY, 0)


@rule
def cards_taken(s: State, gear: int) -> int:
    count = 0
    for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        if s.gear_cards[slot].where >= Where.OWNED:
            count += 1
    return count


@rule
def legal_take_card(s: State, mask: Words) -> None:
    """COOP-6: a card of the display, of the types taken least so far."""
    least = min(cards_taken(s, Gear.HELMET), min(cards_taken(s, Gear.WEAPON), cards_taken(s, Gear.SANDALS)))
    for slot in range(GEARS * CARD_SLOTS):
        if s.gear_cards[slot].where == Where.DISPLAY and cards_taken(s, slot // CARD_SLOTS) == least:
            allow(mask, CARD + slot)


@rule
def do_take_card(s: State, t: Tables, action: int) -> None:
    """COOP-6: the gear is built exactly. COOP-7: a weapon card puts the starting monk at the weapon; who takes another
    card has the usual first weapon beside it."""
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
        ask_first_cubes(s, p)
    ask_first_monks(s, p, monks)
    push(s, Phase.PLACE_CARD, p).thing = slot


@rule
def build_exactly(s: State, frame: Frame, gear: int, card: CardTable) -> None:
    """The pattern of a card, and nothing else, from the supply: where `build` lays it on an empty board."""
    frame.thing = gear
    for kind in range(RESOURCE_KINDS):
        frame.offer[kind] = card.needs[kind]
        s.supply[kind] -= card.needs[kind]
    build(s, frame, card)

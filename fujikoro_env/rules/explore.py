"""EXPLORE: name a place, draw, turn and lay a tile, fill its spaces.

EXPLORE_TURN asks how the drawn tile is turned. EXPLORE_MORE lies under it if a power allows more tiles.
"""

from fujikoro_env.content.model import MAX_TILES_PER_LEVEL, MAX_TOKENS_PER_SHAPE
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, has
from fujikoro_env.kernel.streams import below_number
from fujikoro_env.rules.base.actions import DONE, PLACE, TURN
from fujikoro_env.rules.base.chance import draw
from fujikoro_env.rules.base.counters import VpSource
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import (
    ADVENTURES,
    Adventure,
    Deck,
    Marker,
    Mode,
    ScrollPower,
    Stream,
    Supply,
    Terrain,
)
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.base.tables import CELLS_OF_TILE, Tables, TileTable
from fujikoro_env.rules.final.score import award, has_vp
from fujikoro_env.rules.map.geometry import FIRST_TILE_SPACE, PLACES
from fujikoro_env.rules.map.stacks import look_at_stack, take_top_tile
from fujikoro_env.rules.powers.holdings import USE_TOKEN, has_scroll, has_token, spend_token
from fujikoro_env.rules.scenarios.status import lay_spoils
from fujikoro_env.rules.scenarios.survival import come_back
from fujikoro_env.rules.scenarios.terms import Term, holds

TOUCHED = 6
CROWDED = 5  # from so many players on hex tokens are used (EXPL-4)
MORE_TILES = 2
MAY_GO_ON = 1
VP_OF_LEVEL = (0, 1, 2)  # EXPL-2


@rule
def may_explore(s: State, t: Tables, place: int) -> bool:
    """A place without a tile, and a tile left in its ring's stack (TURN-7)."""
    return s.tile[place] == 0 and s.tiles_left[t.place_ring[place] - 1] != 0


@rule
def can_explore(s: State, t: Tables, p: int) -> bool:
    space = s.players[p].at
    for k in range(TOUCHED):
        place = t.touched_places[space, k]
        if place >= 0 and may_explore(s, t, place):
            return True
    return False


@rule
def legal_explore_place(s: State, t: Tables, mask: Words) -> None:
    """EXPL-1: a place that the space touches."""
    space = s.players[top(s).actor].at
    for k in range(TOUCHED):
        place = t.touched_places[space, k]
        if place >= 0 and may_explore(s, t, place):
            allow(mask, PLACE + place)


@rule
def do_explore_place(s: State, t: Tables, action: int) -> None:
    """EXPL-1: the place is named first, then the top tile of that ring's stack is drawn."""
    actor, place = top(s).actor, action - PLACE
    pop(s)
    cartographer = has_scroll(s.players[actor], t, ScrollPower.CARTOGRAPHER)
    if cartographer or has_token(s.players[actor], Adventure.ANCIENT_MAP):
        more = push(s, Phase.EXPLORE_MORE, actor)
        more.at = place
        more.left = MORE_TILES
        more.stage = MAY_GO_ON if cartographer else 0
    turn_up_tile(s, t, actor, place)


@rule
def turn_up_tile(s: State, t: Tables, p: int, place: int) -> None:
    frame = push(s, Phase.EXPLORE_TURN, p)
    frame.at = place
    level = t.place_ring[place] - 1
    frame.thing = level * MAX_TILES_PER_LEVEL + take_top_tile(s, t, level) + 1


@rule
def has_more_places(s: State, t: Tables, first: int) -> bool:
    """An unexplored place next to the first tile, and a tile for it."""
    for k in range(TOUCHED):
        place = t.place_neighbours[first, k]
        if 0 <= place < PLACES and may_explore(s, t, place):
            return True
    return False


@rule
def legal_explore_more(s: State, t: Tables, mask: Words) -> None:
    """cartographer, ancient_map: up to 2 more tiles next to the first; the map must be used first."""
    frame = top(s)
    allow(mask, DONE)
    if frame.left == 0 or not has_more_places(s, t, frame.at):
        return
    if frame.stage == MAY_GO_ON:
        for k in range(TOUCHED):
            place = t.place_neighbours[frame.at, k]
            if 0 <= place < PLACES and may_explore(s, t, place):
                allow(mask, PLACE + place)
    elif has_token(s.players[frame.actor], Adventure.ANCIENT_MAP):
        allow(mask, USE_TOKEN + Adventure.ANCIENT_MAP)


@rule
def do_explore_more(s: State, t: Tables, action: int) -> None:
    frame = top(s)
    if action == DONE:
        pop(s)
    elif action >= USE_TOKEN:
        spend_token(s, frame.actor, Adventure.ANCIENT_MAP)
        frame.stage = MAY_GO_ON
    else:
        frame.left -= 1
        turn_up_tile(s, t, frame.actor, action - PLACE)


@rule
def legal_explore_turn(mask: Words) -> None:
    for turn in range(6):
        allow(mask, TURN + turn)


@rule
def do_explore_turn(s: State, t: Tables, action: int) -> None:
    frame = top(s)
    actor, place, tile = frame.actor, frame.at, frame.thing - 1
    pop(s)
    lay_tile(s, t, place, tile, action - TURN)
    level = t.place_ring[place] - 1
    s.counts[actor].tiles_explored[level] += 1
    award(s, actor, VP_OF_LEVEL[level], VpSource.TILES)
    if VP_OF_LEVEL[level] > 0 and has_scroll(s.players[actor], t, ScrollPower.STORYTELLER):
        award(s, actor, 1, VpSource.STORYTELLER)
        tell_of_next_tile(s, t, actor, level)


@rule
def tell_of_next_tile(s: State, t: Tables, p: int, level: int) -> None:
    """storyteller: in co-op a look at the stack's next tile, instead of the VP that there are none of."""
    if not has_vp(s) and s.tiles_left[level] != 0:
        look_at_stack(s, t, p, level)


@rule
def lay_tile(s: State, t: Tables, place: int, tile: int, turn: int) -> None:
    s.tile[place] = tile + 1
    s.tile_turn[place] = turn
    printed = t.tiles[tile]
    level = t.place_ring[place] - 1
    for cell in range(CELLS_OF_TILE):
        space = FIRST_TILE_SPACE + CELLS_OF_TILE * place + cell
        fill_space(s, t, printed, turned_cell(cell, turn), space, level)
        if printed.dragon[turned_cell(cell, turn)] != 0:
            place_dragon(s, t, place, printed.dragon[turned_cell(cell, turn)] - 1)
    turn_neighbours_face_up(s, t, place)


@rule
def turned_cell(cell: int, turn: int) -> int:
    """Which printed cell lies on a cell of the place when the tile is turned by so many sixths."""
    if cell == 0:
        return 0
    return (cell - 1 - turn + 6) % 6 + 1


@rule
def fill_space(s: State, t: Tables, printed: TileTable, cell: int, space: int, level: int) -> None:
    s.terrain[space] = Terrain.LAVA if printed.lava[cell] != 0 else Terrain.GROUND
    s.eruption[space] = printed.eruption[cell]
    if printed.eruption[cell] != 0 and has(s.called, printed.eruption[cell]):  # EXPL-8
        erupt_space(s, space)
    if printed.square[cell] != 0:
        place_square(s, t, space, level)
    if printed.hexagon[cell] != 0 and s.settings.players >= CROWDED:
        place_hex(s, t, space, level)
    if printed.scroll[cell] != 0:
        place_scroll(s, space, printed.scroll[cell] - 1)
    if printed.monk[cell] != 0:
        place_monk(s, space)
    if printed.adventure[cell] != 0 and s.settings.adventure_tokens != 0:
        place_adventure(s, space)
    if printed.secret_exit[cell] != 0:
        s.secret_exit = space


@rule
def erupt_space(s: State, space: int) -> None:
    """A lava tile from a supply that may be empty (SETUP-10); what lies on the space stays (LAVA-4)."""
    if s.terrain[space] == Terrain.GROUND and s.supply[Supply.LAVA] > 0:
        s.terrain[space] = Terrain.LAVA_TILE
        s.supply[Supply.LAVA] -= 1


@rule
def place_square(s: State, t: Tables, space: int, level: int) -> None:
    """EXPL-3."""
    choice = s.squares_left & t.tokens_of_level[0, level]
    if choice != 0:
        token = draw(s, Deck.SQUARES, Stream.TOKENS, choice)
        s.squares_left &= ~bit(token)
        s.token[space] = token + 1
        s.face_up[space] = 1


@rule
def place_hex(s: State, t: Tables, space: int, level: int) -> None:
    """EXPL-4: a hex token, or the monk that it shows."""
    choice = s.hexes_left & t.tokens_of_level[1, level]
    if choice == 0:
        return
    token = draw(s, Deck.HEXES, Stream.TOKENS, choice)
    s.hexes_left &= ~bit(token)
    if t.token_monk[MAX_TOKENS_PER_SHAPE + token] != 0:
        s.hexes_gone |= bit(token)
        place_monk(s, space)
    else:
        s.token[space] = MAX_TOKENS_PER_SHAPE + token + 1
        s.face_up[space] = 1


@rule
def place_scroll(s: State, space: int, colour: int) -> None:
    """EXPL-5: if that colour plays and has a token left."""
    if s.scroll_tokens[colour] > 0 and colour_plays(s, colour):
        s.scroll_tokens[colour] -= 1
        s.scroll[space] = colour + 1


@rule
def colour_plays(s: State, colour: int) -> bool:
    for p in range(PLAYERS):
        if s.players[p].colour == colour + 1:
            return True
    return False


@rule
def place_monk(s: State, space: int) -> None:
    """EXPL-7, from a supply that may be empty (SETUP-10)."""
    if s.supply[Supply.MONK] > 0:
        s.supply[Supply.MONK] -= 1
        s.monk[space] = 1


@rule
def place_adventure(s: State, space: int) -> None:
    """EXPL-7: a random token of those left."""
    kind = draw_adventure(s)
    if kind >= 0:
        s.adventures_left[kind] -= 1
        s.adventure[space] = kind + 1


@rule
def draw_adventure(s: State) -> int:
    """A kind by how many of its tokens are left, or -1."""
    total, kinds = 0, 0
    for kind in range(ADVENTURES):
        total += s.adventures_left[kind]
        if s.adventures_left[kind] > 0:
            kinds |= bit(kind)
    if total == 0:
        return -1
    if s.loaded_draws[Deck.ADVENTURES, 0] != 0:
        return draw(s, Deck.ADVENTURES, Stream.TOKENS, kinds)
    rest = below_number(s.streams[Stream.TOKENS], total)
    kind = 0
    while rest >= s.adventures_left[kind]:
        rest -= s.adventures_left[kind]
        kind += 1
    return kind


@rule
def place_dragon(s: State, t: Tables, place: int, colour: int) -> None:
    """EXPL-6: a random dragon of the colour. Finding it starts no fight."""
    choice = s.dragons_left & t.dragons_of_colour[colour]
    if choice != 0:
        dragon = draw(s, Deck.DRAGONS, Stream.TOKENS, choice)
        s.dragons_left &= ~bit(dragon)
        s.dragons[dragon].place = place + 1
        if new_dragon_sleeps(s):
            s.dragons[dragon].marker = Marker.ASLEEP
        s.dragon_at[place] = dragon + 1
        if holds(s, Term.DRAGONS_BAR_THE_WAY):
            come_back(s, t)
        if holds(s, Term.SPOILS):
            lay_spoils(s, place)


@rule
def new_dragon_sleeps(s: State) -> bool:
    """COOP-8. SCEN-21: by option also one that is found in the last turn of a round, so that it first moves when the
    next round ends."""
    last_turn = (s.active + 1) % s.settings.players == s.first_player
    return s.settings.mode == Mode.COOP or (last_turn and s.settings.last_turn_dragon_sleeps != 0)


@rule
def turn_neighbours_face_up(s: State, t: Tables, place: int) -> None:
    """EXPL-9: face-down resource tokens on tiles next to the new one."""
    for k in range(TOUCHED):
        other = t.place_neighbours[place, k]
        if 0 <= other < PLACES:
            for cell in range(CELLS_OF_TILE):
                space = FIRST_TILE_SPACE + CELLS_OF_TILE * other + cell
                if s.token[space] != 0:
                    s.face_up[space] = 1

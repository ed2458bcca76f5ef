"""Needs of a co-op or solo team, and the tasks of its members (COOP-1).

One samurai makes the helmet that the team needs, one the weapon and one the sandals; a solo player makes all three. The
others make what is easiest, because each samurai has to leave with some magic gear.
"""

from typing import Final

from fujikoro_agents.scripted.band_weights import Weight, weight_of
from fujikoro_agents.scripted.odds import TRIALS, attack_odds, new_tally
from fujikoro_agents.scripted.paths import is_dragons
from fujikoro_env.kernel.jit import Floats, rule
from fujikoro_env.kernel.masks import bit, count_bits, has
from fujikoro_env.rules.base.names import GEARS, RESOURCE_KINDS, Cube, Gear, Mode, Where
from fujikoro_env.rules.base.state import CARD_SLOTS, Player, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.characters.boards import LEFT_PART, most_one_handed, most_two_handed, open_cells
from fujikoro_env.rules.coop.coop import is_complete
from fujikoro_env.rules.gear.cells import filled_cells
from fujikoro_env.rules.gear.magic import matching_blueprints
from fujikoro_env.rules.gear.weapon import WEAPONS, first_piece
from fujikoro_env.rules.map.board import is_inside, is_lava, is_open
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE, TEMPLES
from fujikoro_env.rules.map.stacks import PILE, tiles_above_pile
from fujikoro_env.rules.pack import resources_in_pack
from fujikoro_env.rules.scenarios.tame import LEGENDARY
from fujikoro_env.rules.scenarios.terms import Term, holds

CUBE_PRICE: Final = (1.0, 1.0, 3.0)  # relative cost of getting a cube, by kind
NONE: Final = -1
FEW_WOOD: Final = 3  # one-handed weapon: with less wood than this, wood is laid before metal
ENOUGH_WOOD: Final = 4  # the same for a two-handed weapon, which needs three
TILE_PRICE, CLOSED_PRICE, NOT_AT_HOME = 1.0, 2.0, 2.0  # cost of fetching a blueprint: tile, closed, other temple
CORNER_TO_CORNER: Final = 4  # tiles between two safe spaces of ring III, roughly
HELMET_FOR_SANDALS: Final = 0.93  # a helmet is useful in itself


@rule
def legend_of(t: Tables) -> int:
    """Number of the legendary dragon."""
    dragon = 0
    while not has(t.dragons_of_colour[LEGENDARY], dragon):
        dragon += 1
    return dragon


@rule
def legend_is_beaten(s: State, t: Tables) -> bool:
    """Whether the legendary dragon is beaten."""
    return has(s.dragons_beaten, legend_of(t))


@rule
def legend_is_found(s: State, t: Tables) -> bool:
    """Whether the legendary dragon is on the map."""
    return s.dragons[legend_of(t)].place != 0


@rule
def needs_legend(s: State, t: Tables) -> bool:
    """Whether the team still has to beat the legendary dragon; not in scenarios where it fights enemies instead
    (SCEN-74)."""
    return not holds(s, Term.ENEMY_SAMURAI) and not legend_is_beaten(s, t)


@rule
def rounds_left(s: State, t: Tables) -> int:
    """Number of rounds after this one (COOP-2)."""
    last = s.settings.full_rounds + t.countdown_length[Mode.COOP]
    return min(last, s.settings.max_rounds) - s.round_number


@rule
def everybody(s: State) -> int:
    """All players who are still in the volcano, as bits."""
    fighters = 0
    for p in range(s.settings.players):
        if is_inside(s, p):
            fighters |= bit(p)
    return fighters


@rule
def legend_odds(s: State, t: Tables, fighters: int, p: int) -> float:
    """Odds that the samurai in `fighters` (bits), led by p, beat the legendary dragon."""
    return attack_odds(s, t, fighters, p, legend_of(t), new_tally(TRIALS))


@rule
def may_find_legend(s: State, t: Tables) -> bool:
    """Whether the next tile of level III may hold the legendary dragon: it is public how many tiles are above the pile
    (COOP-5)."""
    if legend_is_found(s, t) or legend_is_beaten(s, t):
        return False
    drawn = t.tile_count[2] - count_bits(s.tiles_left[2])
    return drawn >= tiles_above_pile(s, t, 2)


@rule
def may_find_exit(s: State, t: Tables) -> bool:
    """Whether the next tile of level II may hold the exit."""
    drawn = t.tile_count[1] - count_bits(s.tiles_left[1])
    above = tiles_above_pile(s, t, 1)
    return s.secret_exit == 0 and above <= drawn < above + PILE


# --- tasks ----------------------------------------------------------------------------------------------------------


@rule
def rank_in_team(s: State, p: int) -> int:
    """Position of p in the order in which all chose their gear cards (COOP-6)."""
    return (p - s.first_player + s.settings.players) % s.settings.players


@rule
def home_temple(s: State, p: int) -> int:
    """The temple where p looks for its blueprints first, so that the team spreads out. With two players, each of their
    two temples has sandals, one also a helmet and the other a weapon (SETUP-5)."""
    return rank_in_team(s, p) + 1 if s.settings.players == 2 else rank_in_team(s, p) % TEMPLES


@rule
def must_make(s: State, t: Tables, p: int, gear: int) -> bool:
    """Whether making magic gear of this type is p's task, for the team or for itself."""
    rank = rank_in_team(s, p)
    if s.settings.players == 1:
        return True
    if rank == 0:
        return gear == Gear.HELMET or (gear == Gear.SANDALS and s.settings.players == 2)
    if rank == 1:
        return gear == Gear.WEAPON
    if rank == 2:
        return gear == Gear.SANDALS
    return gear == easier_gear(s, t, p)


@rule
def easier_gear(s: State, t: Tables, p: int) -> int:
    """Helmet or sandals, whichever is closer to being magic."""
    helmet, sandals = target_of(s, t, p, Gear.HELMET), target_of(s, t, p, Gear.SANDALS)
    if sandals == NONE:
        return Gear.HELMET + 0
    if helmet == NONE:
        return Gear.SANDALS + 0
    dear = whole_price(s, t, p, sandals) > HELMET_FOR_SANDALS * whole_price(s, t, p, helmet)
    return Gear.HELMET if dear else Gear.SANDALS


@rule
def whole_price(s: State, t: Tables, p: int, slot: int) -> float:
    """Cost of building a blueprint, including the way to the temple where it is."""
    return price_of(s, t, p, slot) + way_to(s, t, p, slot)


@rule
def way_to(s: State, t: Tables, p: int, slot: int) -> float:
    """Cost of going to the temple where a blueprint is."""
    where = s.blueprints[slot].where
    if where == Where.OWNED + p:
        return 0.0
    temple = where - Where.TEMPLE
    price = TILE_PRICE * tiles_between(t, FIRST_TEMPLE + temple, int(s.players[p].at))
    if not can_be_entered(s, t, FIRST_TEMPLE + temple):
        price += CLOSED_PRICE
    return price if temple == home_temple(s, p) else price + NOT_AT_HOME


@rule
def tiles_between(t: Tables, safe: int, space: int) -> int:
    """Number of tiles between a safe space and another space."""
    if safe == space:
        return 0
    return t.place_distance[safe, t.place_of[space]] if t.place_of[space] >= 0 else CORNER_TO_CORNER


@rule
def can_be_entered(s: State, t: Tables, space: int) -> bool:
    """Whether a space can be entered from a neighbouring one."""
    for k in range(t.neighbour_count[space]):
        there = t.neighbours[space, k]
        if is_open(s, there) and not is_lava(s, there) and not is_dragons(s, t, there):
            return True
    return False


@rule
def wants(s: State, t: Tables, p: int, gear: int) -> bool:
    """Whether p wants a blueprint of this type: a second magic gear helps if the first is lost."""
    return gear != Gear.WEAPON or must_make(s, t, p, gear)


@rule
def target_of(s: State, t: Tables, p: int, gear: int) -> int:
    """The slot of the blueprint that p builds: its own, otherwise the cheapest one in a temple; NONE if there is
    none."""
    best, least = NONE, 1000.0
    for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        where = s.blueprints[slot].where
        if where == Where.OWNED + p:
            return slot
        if Where.TEMPLE <= where < Where.OWNED and s.blueprints[slot].card != 0:
            price = whole_price(s, t, p, slot)
            if price < least:
                best, least = slot, price
    return best


@rule
def price_of(s: State, t: Tables, p: int, slot: int) -> float:
    """Cost of the cubes that the gear still lacks."""
    total = 0.0
    for kind in range(RESOURCE_KINDS):
        total += CUBE_PRICE[kind] * lacking(s, t, p, slot, kind)
    return total


@rule
def lacking(s: State, t: Tables, p: int, slot: int, kind: int) -> int:
    """Number of cubes of a kind that the gear of a blueprint's type still lacks, wherever its other cubes are."""
    needs = t.blueprints[s.blueprints[slot].card - 1].needs[kind]
    return max(0, needs - count_bits(s.players[p].gear[slot // CARD_SLOTS].cubes[kind]))


@rule
def is_fit_to_leave(s: State, t: Tables, p: int) -> bool:
    """Whether p may leave: it has magic gear (COOP-1) and has done its task for the others."""
    own = False
    for gear in range(GEARS):
        done = is_complete(s, t, p, gear)
        own = own or done
        if must_make(s, t, p, gear) and not done and not team_has(s, t, gear):
            return False
    if s.settings.players == 1:
        return is_complete(s, t, p, 0) and is_complete(s, t, p, 1) and is_complete(s, t, p, 2)
    return own


@rule
def team_has(s: State, t: Tables, gear: int) -> bool:
    """Whether some member of the team has complete magic gear of this type."""
    for p in range(s.settings.players):
        if is_complete(s, t, p, gear):
            return True
    return False


@rule
def needed(s: State, t: Tables, p: int, kind: int) -> int:
    """Number of cubes of a kind that p lacks for all its gear to make, beyond those in its pack; negative if it has
    more than it needs."""
    total = -s.players[p].pack[kind]
    for gear in range(GEARS):
        slot = target_of(s, t, p, gear)
        if slot != NONE and must_make(s, t, p, gear) and matching_blueprints(s, t, p, gear) == 0:
            total += lacking(s, t, p, slot, kind)
    if kind == Cube.WOOD:
        me = s.players[p]
        total = max(total, wood_of_use(me, Gear.WEAPON) - count_bits(me.gear[Gear.WEAPON].cubes[kind]) - me.pack[kind])
    return total


@rule
def wood_of_use(me: Player, gear: int) -> int:
    """Number of wood cubes that a weapon should have; a helmet needs none."""
    if gear != Gear.WEAPON:
        return 0
    return FEW_WOOD if open_cells(me, gear) & ~LEFT_PART == 0 else ENOUGH_WOOD


@rule
def room_on_gear(s: State, p: int, gear: int) -> int:
    """Number of cubes that still fit on a gear (CRAFT-4, CRAFT-5, WEAP-2, WEAP-4)."""
    me = s.players[p]
    cells = filled_cells(me.gear[gear])
    if gear != Gear.WEAPON:
        return count_bits(open_cells(me, gear)) - count_bits(cells)
    most = most_one_handed(me)
    if open_cells(me, gear) & ~LEFT_PART != 0:
        most = WEAPONS * most if is_pair(cells) else most_two_handed(me)
    return max(0, most - count_bits(cells))


@rule
def is_pair(cells: int) -> bool:
    """Whether there are two weapons, one in each part."""
    return cells & LEFT_PART != 0 and cells & ~LEFT_PART != 0 and not is_two_handed(cells)


@rule
def is_two_handed(cells: int) -> bool:
    """Whether a weapon on these cells extends over both parts."""
    piece = first_piece(cells)
    return piece & LEFT_PART != 0 and piece & ~LEFT_PART != 0


@rule
def is_ready(s: State, t: Tables, weights: Floats, p: int) -> bool:
    """Whether the team is ready for the legendary dragon: everything else is done and the odds are good, or it is
    late."""
    if rounds_left(s, t) <= weight_of(weights, Weight.LAST_TO_BE_READY):
        return True
    if s.secret_exit == 0 or not is_equipped(s, t):
        return False
    return legend_odds(s, t, everybody(s), p) >= weight_of(weights, Weight.SAFE_ODDS)


@rule
def is_equipped(s: State, t: Tables) -> bool:
    """Whether the team has all types of magic gear, and each samurai some (COOP-1)."""
    for p in range(s.settings.players):
        if not has_any_magic(s, t, p):
            return False
    return team_has(s, t, Gear.HELMET) and team_has(s, t, Gear.WEAPON) and team_has(s, t, Gear.SANDALS)


@rule
def has_any_magic(s: State, t: Tables, p: int) -> bool:
    """Whether the samurai has complete magic gear of any type."""
    for gear in range(GEARS):
        if is_complete(s, t, p, gear):
            return True
    return False


@rule
def is_useful(s: State, t: Tables, p: int, kind: int) -> bool:
    """Whether there is room for one more cube of a kind: wood needs a free cell, other kinds may also replace wood."""
    if needed(s, t, p, kind) > 0:
        return True
    room = room_on_gear(s, p, Gear.HELMET) + room_on_gear(s, p, Gear.WEAPON) - resources_in_pack(s.players[p])
    if kind != Cube.WOOD:
        room += s.players[p].pack[Cube.WOOD] + count_bits(s.players[p].gear[Gear.HELMET].cubes[Cube.WOOD])
    return room > 0

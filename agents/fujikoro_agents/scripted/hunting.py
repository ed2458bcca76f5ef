"""Dragons worth attacking, and cubes that make the player strong enough for them."""

from typing import Final

from fujikoro_agents.scripted.fighting import die_mean, weapon_mean, worth_fighting, worth_of
from fujikoro_agents.scripted.known_fights import tally_alone
from fujikoro_agents.scripted.paths import DISTANCE, UNREACHED
from fujikoro_agents.scripted.wishes_list import CUBES, DRAGON, KEEP
from fujikoro_env.kernel.jit import Floats, IntArray, IntTable, rule
from fujikoro_env.kernel.masks import count_bits
from fujikoro_env.rules.base.names import RESOURCE_KINDS, Cube, Gear
from fujikoro_env.rules.base.state import Player, State
from fujikoro_env.rules.base.tables import CELLS_OF_TILE, Tables
from fujikoro_env.rules.characters.boards import open_cells
from fujikoro_env.rules.coop.coop import is_coop
from fujikoro_env.rules.fights.attack import battle_initiative
from fujikoro_env.rules.fights.damage import strength
from fujikoro_env.rules.fights.dragons import dragon_health
from fujikoro_env.rules.gear.cells import filled_cells
from fujikoro_env.rules.gear.weapon import ARMS, has_magic, may_fight_with
from fujikoro_env.rules.map.geometry import FIRST_TILE_SPACE, PLACES

NOTHING_IS_NEAR: Final = -1
WORTH_TO_TRY: Final = 1.0  # VP that a fight should bring, after losses
HOPE: Final = 0.5  # share of the expected damage that a helmet should absorb before the odds are simulated
LOSSES: Final = 4.0  # cost of a lost fight, roughly
STRONG_WEAPON: Final = 8  # cubes
STRONG_HELMET: Final = 12  # points
MOST_WOOD: Final = 3  # in a weapon: it needs some, but metal hits harder
ARMS_WORTH: Final = (0.1, 0.35, 0.6)  # by kind: extra worth of a cube while gear is weak


@rule
def write_prey(s: State, t: Tables, p: int, ways: IntArray, near: int, wishes: Floats, known: IntTable) -> None:
    """Write the worth of fighting each dragon, 0 if it is not worth it. Fights with dragons within `near` steps are
    simulated; farther ones get a fast estimate, and hopeless ones are skipped."""
    hits = hits_of(t, s.players[p])
    if hits == 0.0:
        return
    for place in range(PLACES):
        dragon = s.dragon_at[place] - 1
        if dragon >= 0 and chances(s, t, p, dragon, hits) >= HOPE:
            far = distance_to_tile(ways, place)
            if far != UNREACHED:
                worth = worth_alone(s, t, p, dragon, known) if far <= near else fast_estimate(s, t, p, dragon, hits)
                wishes[DRAGON + place] = worth if worth >= WORTH_TO_TRY else 0.0


@rule
def worth_alone(s: State, t: Tables, p: int, dragon: int, known: IntTable) -> float:
    """Worth of attacking a dragon alone, like `worth_fighting`. In competitive play only p's own results count, so the
    estimate may come from memory."""
    if is_coop(s):
        return worth_fighting(s, t, p, dragon)
    return worth_of(s, t, p, dragon, 0.0, tally_alone(s, t, p, dragon, known))


@rule
def distance_to_tile(ways: IntArray, place: int) -> int:
    """Distance to the nearest space of a tile."""
    nearest = UNREACHED + 0
    for cell in range(CELLS_OF_TILE):
        far = ways[DISTANCE + FIRST_TILE_SPACE + CELLS_OF_TILE * place + cell]
        if far >= 0 and (nearest == UNREACHED or far < nearest):
            nearest = far
    return nearest


@rule
def hits_of(t: Tables, me: Player) -> float:
    """Mean hits of a round."""
    hits = 0.0
    for slot in range(ARMS):
        if may_fight_with(me, slot):
            hits += weapon_mean(t, me, slot)
            if slot < ARMS - 1 and has_magic(me, slot):
                hits += die_mean(t, Cube.MAGIC)
    return hits


@rule
def chances(s: State, t: Tables, p: int, dragon: int, hits: float) -> float:
    """Share of the expected damage until the dragon is beaten that the helmet absorbs."""
    rounds = dragon_health(s, t, dragon) / hits
    if battle_initiative(s, t, p) > t.dragon_initiative[dragon]:
        rounds -= 1.0
    damage = rounds * t.colour_dice[t.dragon_colour[dragon]] * die_mean(t, Cube.TOOTH)
    return (strength(s.players[p].gear[Gear.HELMET]) + 1.0) / max(1.0, damage)


@rule
def fast_estimate(s: State, t: Tables, p: int, dragon: int, hits: float) -> float:
    """Rough estimate of the worth of a fight, without simulation."""
    odds = min(1.0, max(0.0, chances(s, t, p, dragon, hits) - HOPE))
    return odds * t.colour_vp[t.dragon_colour[dragon]] - (1.0 - odds) * LOSSES


@rule
def wish_for_arms(me: Player, wishes: Floats) -> None:
    """Raise the worth of cubes while weapon or helmet is weak."""
    if wants_weapon(me) or wants_helmet(me):
        for kind in range(RESOURCE_KINDS):
            if wishes[CUBES + kind] > 0.0:
                wishes[CUBES + kind] += ARMS_WORTH[kind]


@rule
def wants_weapon(me: Player) -> bool:
    """Whether the weapon should get more cubes."""
    return count_bits(filled_cells(me.gear[Gear.WEAPON])) < STRONG_WEAPON


@rule
def wants_helmet(me: Player) -> bool:
    """Whether the helmet should get more cubes."""
    full = filled_cells(me.gear[Gear.HELMET]) == open_cells(me, Gear.HELMET)
    return strength(me.gear[Gear.HELMET]) < STRONG_HELMET and not full


@rule
def kind_for_arms(me: Player, gear: int, wishes: Floats) -> int:
    """The best kind of cube in the pack that makes the gear stronger and is not kept for something else; -1 if there is
    none."""
    if gear == Gear.SANDALS or not (wants_weapon(me) if gear == Gear.WEAPON else wants_helmet(me)):
        return -1
    for k in range(RESOURCE_KINDS):
        kind = RESOURCE_KINDS - 1 - k
        is_spare = me.pack[kind] > wishes[KEEP + kind]
        if is_spare and (kind != Cube.WOOD or gear == Gear.HELMET or is_short_of_wood(me)):
            return kind
    return -1


@rule
def is_short_of_wood(me: Player) -> bool:
    """Whether the weapon should get more wood."""
    return count_bits(me.gear[Gear.WEAPON].cubes[Cube.WOOD]) < MOST_WOOD

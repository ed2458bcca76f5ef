"""SCEN-71 to SCEN-74: the three enemy samurai of a solo game, each in its temple.

They are stored as the players after the human one: enemy k is player ENEMY + k. They are never asked; a fixed rule here
answers the questions of a duel for them. The record of a beaten enemy is zeros.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allows, has, nth_allowed
from fujikoro_env.rules.base.actions import CELL, FIRST_CELL, MAGIC, NO, ROLL
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import GEARS, RESOURCE_KINDS, Gear, Spot, Supply, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, GEAR_CELLS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.gear.cells import filled_cells, take_cells_off, take_magic_off
from fujikoro_env.rules.gear.magic import lay_magic, matching_blueprints
from fujikoro_env.rules.map.board import is_temple
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE, TEMPLES
from fujikoro_env.rules.scenarios.terms import Term, holds

ENEMY = 1
NOBODY = -1


@rule
def enemy_in(s: State, space: int) -> int:
    """Return the enemy that guards a space, or NOBODY."""
    if not is_temple(space) or not holds(s, Term.ENEMY_SAMURAI):
        return NOBODY
    enemy = ENEMY + space - FIRST_TEMPLE
    return enemy if s.players[enemy].at == space else NOBODY


@rule
def is_enemy(s: State, p: int) -> bool:
    """Whether a player number belongs to an enemy."""
    return p >= s.settings.players


@rule
def enemies_left(s: State) -> int:
    """Return how many enemies are left."""
    count = 0
    for temple in range(FIRST_TEMPLE, FIRST_TEMPLE + TEMPLES):
        if enemy_in(s, temple) != NOBODY:
            count += 1
    return count


@rule
def answer_of_enemy(s: State, mask: Words) -> int:
    """Return an enemy's answer: it fights with every weapon and all dice, and never gives up (SCEN-72)."""
    phase = top(s).phase
    if phase == Phase.DICE:
        return ROLL
    if phase == Phase.RETREAT:
        return NO
    if phase == Phase.WEAPON:
        return nth_allowed(mask, 0)
    return cheapest_cube(s, mask)


@rule
def cheapest_cube(s: State, mask: Words) -> int:
    """Return the action that gives up the cheapest cube for hits, breakage or repair: wood, metal, tooth, magic in that
    order, the lowest cell first (SCEN-72)."""
    frame = top(s)
    gear = frame.thing if frame.phase == Phase.PAY else Gear.WEAPON + 0
    grid = s.players[frame.actor].gear[gear]
    for kind in range(RESOURCE_KINDS):
        for cell in range(GEAR_CELLS[gear]):
            action = CELL + FIRST_CELL[gear] + cell
            if has(grid.cubes[kind], cell) and allows(mask, action):
                return action
    return MAGIC + gear


@rule
def end_duel_with_enemy(s: State, t: Tables) -> None:
    """Remove a beaten enemy from the game (SCEN-73). Otherwise its damage stays, but a helmet that matches becomes
    magic again (SCEN-72)."""
    enemy = s.fight.defender
    if s.fight.loser == enemy + 1:
        remove_enemy(s, enemy)
        return
    fits = s.players[enemy].gear[Gear.HELMET].magic == 0 and matching_blueprints(s, t, enemy, Gear.HELMET) != 0
    if fits and s.supply[Supply.MAGIC] > 0:
        lay_magic(s, enemy, Gear.HELMET, 1)


@rule
def remove_enemy(s: State, enemy: int) -> None:
    """Return everything an enemy has to the supply; its blueprints leave the game."""
    me = s.players[enemy]
    me.at = 0
    s.supply[Supply.MONK] += me.monks[Spot.WEAPON]
    me.monks[Spot.WEAPON] = 0
    for gear in range(GEARS):
        take_cells_off(s, me.gear[gear], filled_cells(me.gear[gear]))
        take_magic_off(s, me.gear[gear])
    for slot in range(GEARS * CARD_SLOTS):
        if s.blueprints[slot].where == Where.OWNED + enemy:
            s.blueprints[slot].where = Where.GONE

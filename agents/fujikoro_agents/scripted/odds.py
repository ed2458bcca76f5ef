"""Odds of a fight, estimated by simulating it many times in a simplified form with its own dice.

A samurai is a row of numbers (`COLUMNS`): the dice of each weapon by kind, the cubes of its helmet and its place in the
order. All dice are always rolled. A weapon without the wood it needs can't fight any more, and a samurai with no usable
weapon leaves. Of the shape of a weapon only this is kept: the minimum number of cubes that fall off when a cube of a
kind breaks. Items that influence single rolls, and the choice to stay or leave, are left out.

`fight_out` tallies the results for each samurai: dragons beaten, knock-outs, cubes lost, teeth won. It never changes
the game and has its own random numbers: the same position always gets the same estimate, and two plans are compared
with the same dice. The tally says how many fights to simulate; fast estimates simulate fewer.
"""

from typing import Any, NamedTuple

import numpy as np

from fujikoro_agents.scripted.luck import below
from fujikoro_env.content.model import DIE_FACES
from fujikoro_env.kernel.jit import IntArray, IntTable, rule
from fujikoro_env.kernel.masks import bit, count_bits, has
from fujikoro_env.rules.base.names import CUBE_KINDS, RESOURCE_KINDS, Cube, Gear, ScrollPower
from fujikoro_env.rules.base.state import DRAGONS_TURN, PLAYERS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.fights.attack import battle_initiative
from fujikoro_env.rules.fights.damage import worth
from fujikoro_env.rules.fights.dragons import dragon_health
from fujikoro_env.rules.gear.weapon import (
    ARMS,
    ONE_HANDED_WOOD,
    TWO_HANDED_WOOD,
    WORN,
    cells_of_arm,
    first_piece,
    gear_of_arm,
    has_magic,
    is_one_handed,
    may_fight_with,
)
from fujikoro_env.rules.map.board import is_inside
from fujikoro_env.rules.powers.holdings import has_scroll

# Columns of a fighter: whether it is in the fight, its place in the order (higher is earlier), two scrolls, whether it
# stays when unarmed; then for each arm its dice by kind, the wood it needs, and by kind the number of cubes that fall
# off with a broken one; then the cubes of the helmet by kind.
INSIDE, PLACE, PETAL, GRIP, STAYS, FIRST_ARM = range(6)
NEEDED = CUBE_KINDS
LOOSE = NEEDED + 1
ARM_COLUMNS = LOOSE + RESOURCE_KINDS
HELMET = FIRST_ARM + ARMS * ARM_COLUMNS
COLUMNS = HELMET + CUBE_KINDS

# Rows of a tally, with a column for each player: sums over all fights, and the number of fights to simulate.
WON, FELL, LOST_WEAPON, LOST_HELMET, TEETH, FOUGHT = range(6)
TALLIES = 6

DRAGON = DRAGONS_TURN - 1  # the dragon's index in an order of players
NOBODY = -1
MONK_DICE = 4  # SCEN-41
ROUNDS = 30
TRIALS = 128  # simulated fights per estimate
FAST_TRIALS = 32
SEED = 0x2545F491


@rule
def own_luck(seed: int) -> Any:
    """Return a new random state for one estimate."""
    luck: Any = np.zeros(1, np.int64)
    luck[0] = SEED + int(seed)
    return luck


# --- a team ---------------------------------------------------------------------------------------------------------


@rule
def new_team() -> Any:
    """Return an empty team: one row per player."""
    team: Any = np.zeros((PLAYERS, COLUMNS), np.int64)
    return team


@rule
def enlist(s: State, t: Tables, team: IntTable, p: int) -> None:
    """Add samurai p to the team as it stands, armed or not."""
    me = s.players[p]
    team[p, INSIDE] = 1
    team[p, PETAL] = 1 if has_scroll(me, t, ScrollPower.FALLING_PETAL) else 0
    team[p, GRIP] = 1 if has_scroll(me, t, ScrollPower.IRON_GRIP) else 0
    for slot in range(ARMS):
        arm(s, team, p, slot)
    for kind in range(RESOURCE_KINDS):
        team[p, HELMET + kind] = count_bits(me.gear[Gear.HELMET].cubes[kind])
    team[p, HELMET + Cube.MAGIC] = 1 if me.gear[Gear.HELMET].magic != 0 else 0


@rule
def arm(s: State, team: IntTable, p: int, slot: int) -> None:
    """Add the dice of one weapon to the team, if it is usable."""
    me, first = s.players[p], FIRST_ARM + slot * ARM_COLUMNS
    if not may_fight_with(me, slot):
        return
    cells = cells_of_arm(me, slot)
    for kind in range(RESOURCE_KINDS):
        team[p, first + kind] = count_bits(me.gear[gear_of_arm(slot)].cubes[kind] & cells)
    team[p, first + Cube.MAGIC] = 1 if slot != WORN and has_magic(me, slot) else 0
    two_handed = slot != WORN and not is_one_handed(me, cells)
    team[p, first + NEEDED] = TWO_HANDED_WOOD if two_handed else ONE_HANDED_WOOD
    if slot != WORN:
        for kind in range(RESOURCE_KINDS):
            team[p, first + LOOSE + kind] = loose_cubes(cells, me.gear[Gear.WEAPON].cubes[kind] & cells)


@rule
def loose_cubes(cells: int, breakable: int) -> int:
    """Minimum number of cubes that fall off a weapon when one of the breakable cubes breaks (WEAP-6)."""
    fewest, left = count_bits(cells), breakable
    while left != 0 and fewest > 0:
        one = left & -left
        left &= ~one
        fewest = min(fewest, smaller_pieces(cells & ~one))
    return fewest


@rule
def smaller_pieces(cells: int) -> int:
    """Number of cubes that are not connected to the biggest piece."""
    left, biggest = cells, 0
    while left != 0:
        piece = first_piece(left)
        biggest = max(biggest, count_bits(piece))
        left &= ~piece
    return count_bits(cells) - biggest


@rule
def is_armed(team: IntTable, p: int) -> bool:
    """Whether the samurai has a usable weapon."""
    for slot in range(ARMS):
        if can_use(team, p, slot):
            return True
    return False


@rule
def can_use(team: IntTable, p: int, slot: int) -> bool:
    """Whether the weapon has the wood that it needs."""
    first = FIRST_ARM + slot * ARM_COLUMNS
    return team[p, first + NEEDED] > 0 and team[p, first + Cube.WOOD] >= team[p, first + NEEDED]


@rule
def helmet_of(team: IntTable, p: int) -> int:
    """Number of hits that the helmet absorbs."""
    total = 0
    for kind in range(CUBE_KINDS):
        total += (kind + 1) * team[p, HELMET + kind]
    return total


@rule
def place_before(s: State, t: Tables, p: int, active: int) -> int:
    """Place in the order before the fight has begun, as in `place_in_order` (INIT-2, INIT-3)."""
    tie = PLAYERS - (p - active + s.settings.players) % s.settings.players
    return 100 * battle_initiative(s, t, p) + tie


@rule
def order_of(team: IntTable, dragons_place: int) -> Any:
    """Return the order in which players and the dragon attack, from the highest place down; NOBODY after the last."""
    order: Any = np.zeros(PLAYERS + 1, np.int64)
    before = 1 << 30
    for k in range(PLAYERS + 1):
        best, who = -1, NOBODY
        for p in range(PLAYERS + 1):
            place = dragons_place if p == DRAGON else -1
            if p != DRAGON and team[p, INSIDE] != 0:
                place = team[p, PLACE]
            if best < place < before:
                best, who = place, p
        order[k] = who
        before = best
    return order


# --- a fight --------------------------------------------------------------------------------------------------------


class Enemy(NamedTuple):
    """Dragon or monk that is fought."""

    health: int
    dice: int  # number of dice it rolls
    kind: int  # kind of its dice


@rule
def fight_out(t: Tables, team: IntTable, order: IntArray, turn: int, enemy: Enemy, tally: IntTable) -> float:
    """Simulate the rest of the fight as many times as the tally asks for; return the odds of beating the enemy. `turn`:
    index in the order of the next one to attack."""
    luck, now, beaten = own_luck(enemy.health), new_team(), 0
    for _ in range(tally[FOUGHT, 0]):
        copy_team(team, now)
        if fight_once(t, now, order, turn, enemy, luck, tally):
            beaten += 1
        for p in range(PLAYERS):
            if team[p, INSIDE] != 0:
                tally_losses(team, now, p, tally)
    return beaten / tally[FOUGHT, 0]


@rule
def copy_team(team: IntTable, copy: IntTable) -> None:
    """Copy the rows of all samurai in the fight."""
    for p in range(PLAYERS):
        copy[p, INSIDE] = team[p, INSIDE]
        if team[p, INSIDE] != 0:
            for column in range(COLUMNS):
                copy[p, column] = team[p, column]


@rule
def fight_once(
    t: Tables, team: IntTable, order: IntArray, turn: int, enemy: Enemy, luck: IntArray, tally: IntTable
) -> bool:
    """Simulate one fight; return whether the enemy was beaten. The samurai still in the fight then have won."""
    health = enemy.health
    for _ in range(ROUNDS):
        while turn <= PLAYERS and order[turn] != NOBODY:
            who = order[turn]
            turn += 1
            if who == DRAGON:
                suffer(t, team, enemy, luck, tally)
            elif team[who, INSIDE] != 0:
                health -= attack(t, team, who, health, luck)
            if health <= 0:
                for p in range(PLAYERS):
                    tally[WON, p] += team[p, INSIDE]
                return True
        turn = 0
        if not anybody_fights(team):
            return False
    return False


@rule
def anybody_fights(team: IntTable) -> bool:
    """Whether any samurai in the fight can still hurt the enemy."""
    for p in range(PLAYERS):
        if team[p, INSIDE] != 0 and is_armed(team, p):
            return True
    return False


@rule
def attack(t: Tables, team: IntTable, p: int, health: int, luck: IntArray) -> int:
    """Return the hits of all weapons of a samurai, used one after the other until the enemy is beaten. A samurai
    without a usable weapon leaves, unless it is marked to stay."""
    hits = 0
    for slot in range(ARMS):
        if hits < health and can_use(team, p, slot):
            hits += roll_arm(t, team, p, slot, luck)
    if hits < health and team[p, STAYS] == 0 and not is_armed(team, p):
        team[p, INSIDE] = 0
    return hits


@rule
def roll_arm(t: Tables, team: IntTable, p: int, slot: int, luck: IntArray) -> int:
    """Roll all dice of a weapon, remove the cubes that break and return the hits. The scroll iron_grip saves one
    cube."""
    first, hits, saved, loose = FIRST_ARM + slot * ARM_COLUMNS, 0, team[p, GRIP], 0
    for kind in range(CUBE_KINDS):
        for _ in range(team[p, first + kind]):
            face = below(luck, 0, DIE_FACES)
            hits += t.die_hits[kind, face]
            if t.die_breaks[kind, face] != 0:
                if saved > 0:
                    saved = 0
                else:
                    team[p, first + kind] -= 1
                    loose += team[p, first + LOOSE + kind]
    drop_loose(team, p, first, loose)
    return hits


@rule
def drop_loose(team: IntTable, p: int, first: int, number: int) -> None:
    """Remove cubes that hung on broken ones, from the far end of the weapon: teeth first, then metal."""
    for _ in range(number):
        if team[p, first + Cube.TOOTH] > 0:
            team[p, first + Cube.TOOTH] -= 1
        elif team[p, first + Cube.METAL] > 0:
            team[p, first + Cube.METAL] -= 1


@rule
def suffer(t: Tables, team: IntTable, enemy: Enemy, luck: IntArray, tally: IntTable) -> None:
    """The enemy attacks: its hits apply to every samurai in the fight, and each breaking die gives each of them a tooth
    (ATK-4, ATK-5)."""
    hits, breaks = 0, 0
    for _ in range(enemy.dice):
        face = below(luck, 0, DIE_FACES)
        hits += t.die_hits[enemy.kind, face]
        breaks += t.die_breaks[enemy.kind, face]
    for p in range(PLAYERS):
        if team[p, INSIDE] != 0:
            tally[TEETH, p] += breaks
            if not bear(team, p, max(0, hits - team[p, PETAL])):
                team[p, INSIDE] = 0
                tally[FELL, p] += 1


@rule
def bear(team: IntTable, p: int, hits: int) -> bool:
    """Pay hits with helmet cubes, biggest cubes first and then the smallest that covers the rest (DMG-1, DMG-2); return
    whether the samurai is still standing."""
    left, stands = hits, hits <= helmet_of(team, p)
    for kind in range(CUBE_KINDS - 1, -1, -1):
        while team[p, HELMET + kind] > 0 and left > kind:
            team[p, HELMET + kind] -= 1
            left -= kind + 1
    for kind in range(CUBE_KINDS):  # nothing fits exactly: take the smallest cube that covers the rest
        if left > 0 and team[p, HELMET + kind] > 0:
            team[p, HELMET + kind] -= 1
            left = 0
    return stands


@rule
def tally_losses(team: IntTable, now: IntTable, p: int, tally: IntTable) -> None:
    """Add the worth of the lost cubes to the tally. Magic comes back if the gear still matches, so it counts as one
    wood."""
    for slot in range(ARMS):
        first = FIRST_ARM + slot * ARM_COLUMNS
        for kind in range(RESOURCE_KINDS):
            tally[LOST_WEAPON, p] += worth(kind) * (team[p, first + kind] - now[p, first + kind])
    for kind in range(RESOURCE_KINDS):
        tally[LOST_HELMET, p] += worth(kind) * (team[p, HELMET + kind] - now[p, HELMET + kind])
    tally[LOST_HELMET, p] += team[p, HELMET + Cube.MAGIC] - now[p, HELMET + Cube.MAGIC]


# --- dragons --------------------------------------------------------------------------------------------------------


@rule
def team_of(s: State, t: Tables, fighters: int, active: int) -> Any:
    """Return the samurai in `fighters` (bits) as they would enter a fight that `active` begins."""
    team = new_team()
    for p in range(s.settings.players):
        if has(fighters, p) and is_inside(s, p):
            enlist(s, t, team, p)
            team[p, PLACE] = place_before(s, t, p, active)
    return team


@rule
def dragons_place(t: Tables, dragon: int, came: bool) -> int:
    """Place of the dragon in the order; the defender wins ties (INIT-3)."""
    return 100 * t.dragon_initiative[dragon] + (0 if came else 50)


@rule
def attack_odds(s: State, t: Tables, fighters: int, active: int, dragon: int, tally: IntTable) -> float:
    """Odds that the samurai in `fighters` (bits) beat a dragon if `active` attacks it now and the others join."""
    team = team_of(s, t, fighters, active)
    order = order_of(team, dragons_place(t, dragon, False))
    enemy = Enemy(dragon_health(s, t, dragon), dice_of_dragon(t, dragon), Cube.TOOTH)
    return fight_out(t, team, order, 0, enemy, tally)


@rule
def dice_of_dragon(t: Tables, dragon: int) -> int:
    """Number of dice that the dragon rolls."""
    return t.colour_dice[t.dragon_colour[dragon]]


@rule
def team_in_fight(s: State, t: Tables, fighters: int) -> Any:
    """Return the samurai in the current fight, and those in `fighters` (bits) as if they had joined it."""
    team = new_team()
    for p in range(s.settings.players):
        fighter = s.fight.fighters[p]
        if fighter.inside != 0 or has(fighters, p):
            enlist(s, t, team, p)
            team[p, PLACE] = place_before(s, t, p, s.fight.active) + 10000 * fighter.monk
    return team


@rule
def order_in_fight(s: State, t: Tables, team: IntTable) -> Any:
    """Order of the current fight: as it was set, or as it will be if it is not set yet."""
    if s.fight.order[0] == 0:
        return order_of(team, dragons_place(t, s.fight.dragon - 1, s.fight.came != 0))
    order: Any = np.zeros(PLAYERS + 1, np.int64)
    for k in range(PLAYERS + 1):
        order[k] = s.fight.order[k] - 1
    return order


@rule
def rest_of_fight(s: State, t: Tables, team: IntTable, tally: IntTable) -> float:
    """Odds of beating the dragon, or the monk, from the current state of the fight."""
    is_monk = s.fight.monk != 0
    dice = MONK_DICE if is_monk else dice_of_dragon(t, s.fight.dragon - 1)
    enemy = Enemy(s.fight.health, dice, Cube.WOOD if is_monk else Cube.TOOTH)
    return fight_out(t, team, order_in_fight(s, t, team), s.fight.turn, enemy, tally)


@rule
def new_tally(trials: int) -> Any:
    """Return an empty tally for the given number of simulated fights."""
    tally: Any = np.zeros((TALLIES, PLAYERS), np.int64)
    for p in range(PLAYERS):
        tally[FOUGHT, p] = trials
    return tally


@rule
def mean(tally: IntTable, what: int, p: int) -> float:
    """Mean of one row of the tally for player `p`."""
    return tally[what, p] / tally[FOUGHT, p]


# --- duels ----------------------------------------------------------------------------------------------------------


@rule
def duel_odds(s: State, t: Tables, attacker: int, defender: int, trials: int) -> float:
    """Odds that the attacker beats the defender; a player without a usable weapon gives up."""
    team = team_of(s, t, bit(attacker) | bit(defender), attacker)
    now, luck, won = new_team(), own_luck(0), 0
    attacker_first = battle_initiative(s, t, attacker) > battle_initiative(s, t, defender)
    first, second = (attacker, defender) if attacker_first else (defender, attacker)
    for _ in range(trials):
        copy_team(team, now)
        if duel_once(t, now, first, second, luck) == attacker:
            won += 1
    return won / trials


@rule
def duel_once(t: Tables, team: IntTable, first: int, second: int, luck: IntArray) -> int:
    """Simulate one duel; return the winner, or NOBODY."""
    for _ in range(ROUNDS):
        for blow in range(2):
            me, other = (first, second) if blow == 0 else (second, first)
            for slot in range(ARMS):
                if can_use(team, me, slot) and not bear(team, other, roll_arm(t, team, me, slot, luck)):
                    return me
            if not is_armed(team, me):
                return other if is_armed(team, other) else NOBODY
    return NOBODY

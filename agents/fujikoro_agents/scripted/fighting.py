"""Answers to every question in a fight, and the worth of a fight.

`answer_fight` handles the phases of `is_of_fight`. Options that change the course of the fight are compared by
simulation (`odds.py`), in VP: the gain of a win, less lost cubes, lives and monks at their rough worth (the constants
below). To decide which cube to give up, each is removed in turn, the remaining gear is valued, and the cube is put
back.
"""

from math import sqrt

from fujikoro_agents.scripted.band_weights import in_team
from fujikoro_agents.scripted.known_fights import known_duel_odds
from fujikoro_agents.scripted.luck import random_answer
from fujikoro_agents.scripted.odds import (
    FAST_TRIALS,
    FELL,
    LOST_HELMET,
    LOST_WEAPON,
    PLACE,
    STAYS,
    TEETH,
    TRIALS,
    WON,
    attack_odds,
    mean,
    new_tally,
    rest_of_fight,
    smaller_pieces,
    team_in_fight,
)
from fujikoro_agents.scripted.skills import FAST_ESTIMATES
from fujikoro_env.content.model import DIE_FACES
from fujikoro_env.kernel.jit import IntArray, IntTable, Words, rule
from fujikoro_env.kernel.masks import allows, bit, count_bits
from fujikoro_env.rules.base.actions import (
    BLUEPRINT,
    CELL,
    DONE,
    FIRST_CELL,
    ITEM,
    ITEM_MONK,
    ITEM_SCROLL,
    MAGIC,
    MONK,
    NO,
    NUMBER,
    PLAYER,
    RETREAT,
    ROLL,
    SLOT,
    STEP,
    THROW,
    WEAPON,
    YES,
)
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import CUBE_KINDS, GEARS, RESOURCE_KINDS, SPOTS, Adventure, Cube, Gear, Spot
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, GEAR_CELLS, SCROLL_SLOTS, Frame, Player, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.characters.boards import capacity
from fujikoro_env.rules.coop.coop import is_coop
from fujikoro_env.rules.fights.attack import dice_of, in_order
from fujikoro_env.rules.fights.damage import strength, worth
from fujikoro_env.rules.fights.dragon_fight import hits_on, may_join
from fujikoro_env.rules.fights.duel import is_duel, opponent_of
from fujikoro_env.rules.gear.cells import filled_cells, kind_on
from fujikoro_env.rules.gear.magic import matching_blueprints
from fujikoro_env.rules.gear.weapon import (
    ARMS,
    ONE_HANDED_WOOD,
    WEAPONS,
    gear_of_arm,
    initiative_of,
    is_legal_weapon,
    is_usable,
    weapon_in,
)
from fujikoro_env.rules.map.board import is_safe
from fujikoro_env.rules.map.geometry import PLACES, SPACES, START_PLACE
from fujikoro_env.rules.pack import free_slots
from fujikoro_env.rules.powers.holdings import USE_TOKEN
from fujikoro_env.rules.scenarios.tame import TAME_HEALTH, is_legendary, must_not_die

# Rough worth of things, in VP.
CUBE = 0.25  # for each point that a cube absorbs: wood 1, metal 2, tooth 3
TOOTH = 3 * CUBE
FALL = 3.0  # being knocked out: costs a turn and the way back
LAST_LIFE = 100.0  # co-op
FIRST_LIFE = (12.0, 73.0)  # co-op, (solo, team): a life that is not the last
SAFETY = (5.9, 4.2)  # (solo, team): one dragon less
LEGEND = (79.0, 125.0)  # (solo, team): the legendary dragon beaten
TEAM_CUBE = 0.15  # co-op, for each point that a cube absorbs
LIFE_FOR_LEGEND = 0.2  # factor on the cost of a life that is not the last, if it is lost against the legendary dragon
SPOT_MONK = (5.0, 3.0, 20.0, 4.0, 1.5)  # by Spot; the weapon monk's weapon would be lost with it
A_MONK = 4.0  # winning one (SCEN-41)
FIRST_OF_ALL = 10000  # added to the place in the order of a player that sent a monk
STEADY = 1.3  # standard deviations below the mean at which a roll should still be enough
POOR_ROLL = 0.75  # share of the mean below which the dice are rolled again
GOOD_DUEL = 0.65  # minimum odds to accept or ask for a duel
MATCH = 5.0  # gear that matches its blueprint
LEGAL = 3.0  # a weapon that needs no repair
USABLE = 6.0  # a weapon that can fight
STEP_AHEAD = 0.3  # a point of initiative
WASTE = 0.15  # per point of a cube that covers nothing
MANY_HITS = 3  # hits from which on a magic cube is worth giving
WORST = -1.0e9


@rule
def is_of_fight(phase: int) -> bool:
    """Whether `answer_fight` answers this question."""
    if Phase.CALL_DUEL <= phase <= Phase.LOSE_ITEM or Phase.REROLL <= phase <= Phase.ASK_SMOKE:
        return True
    match phase:
        case Phase.PAY | Phase.MAGIC_WEAPON | Phase.RETREAT_TO | Phase.SHARE_TOOTH:
            return True
    return False


@rule
def answer_fight(s: State, t: Tables, mask: Words, skills: int, luck: IntArray, index: int, known: IntTable) -> int:
    """Return an answer to a question in a fight; at random if there is no reason for any of them. `known`: memory of
    estimated fights."""
    trials = FAST_TRIALS if skills & FAST_ESTIMATES != 0 else TRIALS
    if top(s).phase == Phase.CALL_DUEL:
        choice = answer_call_duel(s, t, trials, known)
    else:
        choice = answer_fight_by_reason(s, t, mask, trials)
    if choice >= 0 and allows(mask, choice):
        return choice
    return random_answer(mask, luck, index)


@rule
def answer_fight_by_reason(s: State, t: Tables, mask: Words, trials: int) -> int:
    """Return the best answer, or -1 if there is no reason to prefer one, and if the question is about a duel. `trials`:
    number of simulated fights."""
    match top(s).phase:
        case Phase.JOIN | Phase.SEND_MONK | Phase.MONK_THROW:
            return answer_before(s, t, mask, trials)
        case Phase.WEAPON | Phase.DICE | Phase.REROLL | Phase.GRIP | Phase.MAGIC_WEAPON:
            return answer_roll(s, t, mask)
        case Phase.BREAK | Phase.REPAIR | Phase.PAY:
            return answer_loss(s, t, mask)
        case Phase.RETREAT | Phase.RETREAT_TO | Phase.ASK_GUNBAI | Phase.ASK_SMOKE:
            return answer_danger(s, t, mask, trials)
    return answer_spoils(s, mask)


# --- what a fight is worth ------------------------------------------------------------------------------------------


@rule
def worth_fighting(s: State, t: Tables, p: int, dragon: int) -> float:
    """Expected VP of samurai p, less its losses, if it attacks the dragon alone; 0 is as good as not fighting."""
    return worth_fighting_with(s, t, p, dragon, bit(p))


@rule
def worth_fighting_with(s: State, t: Tables, p: int, dragon: int, fighters: int) -> float:
    """Expected VP if all samurai in `fighters` (bits, including p) join the fight; in co-op, the worth for all of
    them."""
    tally = new_tally(TRIALS)
    beaten = attack_odds(s, t, fighters, p, dragon, tally)
    return worth_of(s, t, p, dragon, beaten, tally)


@rule
def worth_of(s: State, t: Tables, p: int, dragon: int, beaten: float, tally: IntTable) -> float:
    """Worth of a fight from its tally: for p alone, or in co-op for the whole team."""
    if not is_coop(s):
        vp = t.colour_vp[t.dragon_colour[dragon]] + TOOTH
        return vp * mean(tally, WON, p) + TOOTH * mean(tally, TEETH, p) - losses_of(s, p, tally, False)
    total = prize_of_team(s, t, dragon) * beaten
    for q in range(s.settings.players):
        total -= losses_of(s, q, tally, is_legendary(t, dragon))
    return total


@rule
def prize_of_team(s: State, t: Tables, dragon: int) -> float:
    """Worth of a beaten dragon to a co-op team."""
    if is_legendary(t, dragon):
        return LEGEND[in_team(s)]
    return SAFETY[in_team(s)] + TOOTH * t.colour_teeth[t.dragon_colour[dragon]]


@rule
def losses_of(s: State, p: int, tally: IntTable, for_legend: bool) -> float:
    """Expected cost of the cubes and lives that p loses in a fight."""
    cubes = mean(tally, LOST_WEAPON, p) + mean(tally, LOST_HELMET, p)
    life = cost_of_fall(s, p)
    if for_legend and not is_last_life(s, p):
        life *= LIFE_FOR_LEGEND
    return (TEAM_CUBE if is_coop(s) else CUBE) * cubes + life * mean(tally, FELL, p)


@rule
def cost_of_fall(s: State, p: int) -> float:
    """Cost of being knocked out."""
    if not is_coop(s):
        return FALL
    return LAST_LIFE if is_last_life(s, p) else FIRST_LIFE[in_team(s)]


@rule
def is_last_life(s: State, p: int) -> bool:
    """Whether the next life lost by p loses the game (COOP-15)."""
    return is_coop(s) and s.players[p].lives_lost + 1 >= s.settings.coop_lives


@rule
def worth_of_rest(s: State, t: Tables, p: int, team: IntTable, trials: int) -> float:
    """Worth of the rest of the current fight."""
    tally = new_tally(trials)
    beaten = rest_of_fight(s, t, team, tally)
    if s.fight.monk != 0:
        return A_MONK * mean(tally, WON, p) - losses_of(s, p, tally, False)
    return worth_of(s, t, p, s.fight.dragon - 1, beaten, tally)


# --- before the dice ------------------------------------------------------------------------------------------------


@rule
def answer_before(s: State, t: Tables, mask: Words, trials: int) -> int:
    """Answers to the questions before the dice are rolled."""
    phase = top(s).phase
    if phase == Phase.JOIN:
        return answer_join(s, t, mask, trials)
    if phase == Phase.SEND_MONK:
        return answer_send_monk(s, t, trials)
    return answer_monk_throw(s, mask)


@rule
def answer_join(s: State, t: Tables, mask: Words, trials: int) -> int:
    """Join if that is worth more than looking on, which is worth nothing in competitive play. In co-op, the players
    asked later are expected to join."""
    p = top(s).actor
    others = may_still_join(s, t, p) if is_coop(s) else 0
    join = worth_of_rest(s, t, p, team_in_fight(s, t, others | bit(p)), trials)
    stay = worth_of_rest(s, t, p, team_in_fight(s, t, others), trials) if is_coop(s) else 0.0
    if join <= stay:
        return NO
    for space in range(SPACES):
        if allows(mask, STEP + space):
            return STEP + space
    return NO


@rule
def may_still_join(s: State, t: Tables, p: int) -> int:
    """The players who will be asked to join after p, as bits."""
    fighters = 0
    for k in range((p - s.fight.active + s.settings.players) % s.settings.players + 1, s.settings.players):
        q = in_order(s, k)
        if may_join(s, t, q):
            fighters |= bit(q)
    return fighters


@rule
def answer_send_monk(s: State, t: Tables, trials: int) -> int:
    """Send the cheapest monk if attacking first is worth it."""
    p = top(s).actor
    team = team_in_fight(s, t, 0)
    without = worth_of_rest(s, t, p, team, trials)
    team[p, PLACE] += FIRST_OF_ALL
    gain = worth_of_rest(s, t, p, team, trials) - without
    best, choice = gain, NO + 0
    for spot in range(SPOTS + 1):
        monks = s.players[p].pack_monks if spot == Spot.CARRIED else s.players[p].monks[spot]
        if monks > 0 and SPOT_MONK[spot] < best:
            best, choice = SPOT_MONK[spot], MONK + spot
    return choice


@rule
def answer_monk_throw(s: State, mask: Words) -> int:
    """Throw the cheapest resource, or the best one if it may finish the dragon."""
    for k in range(RESOURCE_KINDS):
        kind = RESOURCE_KINDS - 1 - k if s.fight.health <= RESOURCE_KINDS else k
        if allows(mask, THROW + kind):
            return THROW + kind
    return -1


@rule
def answer_call_duel(s: State, t: Tables, trials: int, known: IntTable) -> int:
    """Fight a duel if the odds are good and there is something to steal."""
    frame = top(s)
    me, other = frame.actor, frame.thing + 0
    attacker = s.active + 0
    if me == frame.thing:
        other = attacker
    if not has_anything(s, other):
        return NO
    odds = known_duel_odds(s, t, attacker, other if me == attacker else me, trials, known)
    mine = odds if me == attacker else 1.0 - odds
    return YES if mine >= GOOD_DUEL else NO


@rule
def has_anything(s: State, p: int) -> bool:
    """Whether there is anything in the pack."""
    return free_slots(s, p) < capacity(s.players[p])


# --- dice -----------------------------------------------------------------------------------------------------------


@rule
def answer_roll(s: State, t: Tables, mask: Words) -> int:
    """Answers to the questions about dice."""
    frame = top(s)
    phase = frame.phase
    if phase == Phase.WEAPON:
        return answer_weapon(s, t, mask)
    if phase == Phase.DICE:
        return answer_dice(s, t)
    if phase == Phase.REROLL:
        return YES if s.fight.hits < min(health_left(s), POOR_ROLL * chosen_mean(t, frame)) else NO
    if phase == Phase.GRIP:
        return answer_grip(s)
    left, right = weapon_in(s.players[frame.actor], 0), weapon_in(s.players[frame.actor], 1)
    return WEAPON if count_bits(left) >= count_bits(right) else WEAPON + 1


@rule
def die_mean(t: Tables, kind: int) -> float:
    """Mean hits of a die."""
    total = 0
    for face in range(DIE_FACES):
        total += t.die_hits[kind, face]
    return total / DIE_FACES


@rule
def die_variance(t: Tables, kind: int) -> float:
    """Variance of the hits of a die."""
    total, middle = 0.0, die_mean(t, kind)
    for face in range(DIE_FACES):
        total += (t.die_hits[kind, face] - middle) ** 2
    return total / DIE_FACES


@rule
def die_most(t: Tables, kind: int) -> int:
    """Maximum hits of a die."""
    most = 0
    for face in range(DIE_FACES):
        most = max(most, t.die_hits[kind, face] + 0)
    return most


@rule
def answer_weapon(s: State, t: Tables, mask: Words) -> int:
    """Use the strongest weapon first: the others may not have to roll at all."""
    me = s.players[top(s).actor]
    best, choice = WORST, -1
    for slot in range(ARMS):
        if allows(mask, WEAPON + slot):
            value = weapon_mean(t, me, slot)
            if value > best:
                best, choice = value, WEAPON + slot
    return choice


@rule
def weapon_mean(t: Tables, me: Player, slot: int) -> float:
    """Mean hits of a weapon's cubes; the green die is left out, because it is the same for all."""
    gear = me.gear[gear_of_arm(slot)]
    cells = weapon_in(me, slot) if slot < WEAPONS else filled_cells(gear)
    total = 0.0
    for kind in range(RESOURCE_KINDS):
        total += die_mean(t, kind) * count_bits(gear.cubes[kind] & cells)
    return total


@rule
def health_left(s: State) -> int:
    """Number of hits that end the fight; in a duel one more than the opponent's helmet absorbs."""
    if is_duel(s):
        return strength(s.players[opponent_of(s, top(s).actor)].gear[Gear.HELMET]) + 1
    return s.fight.health + 0


@rule
def chosen_mean(t: Tables, frame: Frame) -> float:
    """Mean hits of the dice chosen so far."""
    total = die_mean(t, Cube.MAGIC) * frame.left
    for kind in range(RESOURCE_KINDS):
        total += die_mean(t, kind) * frame.offer[kind]
    return total


@rule
def answer_dice(s: State, t: Tables) -> int:
    """Roll all dice, unless fewer are nearly certain to be enough; never so many that a dragon dies that must live."""
    frame = top(s)
    me = s.players[frame.actor]
    if s.fight.dragon != 0 and must_not_die(s, t, s.fight.dragon - 1):
        return NUMBER + dice_to_tame(s, t, me, frame)
    if enough_of(t, me, frame, CUBE_KINDS, health_left(s)) < 0:
        return ROLL if frame.stage == Cube.WOOD else NUMBER + dice_of(me, frame, frame.stage)
    return NUMBER + enough_of(t, me, frame, frame.stage, health_left(s))


@rule
def kind_to_roll(k: int) -> int:
    """The kind of dice to roll in step `k`: magic first, which breaks nothing; wood last, because the weapon needs
    it."""
    if k == 0:
        return Cube.MAGIC + 0
    return RESOURCE_KINDS - k if k > 1 else Cube.TOOTH + 0


@rule
def enough_of(t: Tables, me: Player, frame: Frame, kind: int, health: int) -> int:
    """How many dice of a kind are among the fewest that are nearly certain to be enough; -1 if even all dice are
    not."""
    middle, variance, number = 0.0, 0.0, 0
    for k in range(CUBE_KINDS):
        rolled = kind_to_roll(k)
        for _ in range(dice_of(me, frame, rolled)):
            if middle - STEADY * sqrt(variance) >= health:
                return number
            middle += die_mean(t, rolled)
            variance += die_variance(t, rolled)
            number += 1 if rolled == kind else 0
    return number if middle - STEADY * sqrt(variance) >= health else -1


@rule
def dice_to_tame(s: State, t: Tables, me: Player, frame: Frame) -> int:
    """As many dice of this kind as can't kill the dragon; on the start tile it is tamed below TAME_HEALTH (SCEN-62)."""
    most = s.fight.health - 1
    for kind in range(frame.stage):
        most -= die_most(t, kind) * frame.offer[kind]
    number = min(dice_of(me, frame, frame.stage), max(0, most) // die_most(t, frame.stage))
    if frame.stage == Cube.WOOD and s.fight.health <= TAME_HEALTH and s.dragon_at[START_PLACE] != s.fight.dragon:
        return min(1, number)
    return number


@rule
def answer_grip(s: State) -> int:
    """Save wood that the weapon needs, otherwise the most valuable cube."""
    gear = s.players[top(s).actor].gear[Gear.WEAPON]
    wood = count_bits(gear.cubes[Cube.WOOD]) - s.fight.breaks[Cube.WOOD]
    if s.fight.breaks[Cube.WOOD] > 0 and wood < ONE_HANDED_WOOD:
        return ITEM + Cube.WOOD
    for kind in range(RESOURCE_KINDS - 1, -1, -1):
        if s.fight.breaks[kind] > 0:
            return ITEM + kind
    return -1


# --- cubes to lose --------------------------------------------------------------------------------------------------


@rule
def answer_loss(s: State, t: Tables, mask: Words) -> int:
    """Answers to the questions about which cube to lose."""
    frame = top(s)
    if frame.phase == Phase.PAY:
        return answer_pay(s, t, mask, frame)
    gear = gear_of_arm(frame.at) if frame.phase == Phase.BREAK else Gear.WEAPON + 0
    return best_loss(s, t, mask, frame.actor, gear)


@rule
def best_loss(s: State, t: Tables, mask: Words, p: int, gear: int) -> int:
    """The cube whose loss leaves the best weapon."""
    best, choice = WORST, -1
    grid = s.players[p].gear[gear]
    for cell in range(GEAR_CELLS[gear]):
        action = CELL + FIRST_CELL[gear] + cell
        if allows(mask, action):
            kind = kind_on(grid, cell)
            grid.cubes[kind] &= ~bit(cell)
            value = value_of_weapon(s, t, p) - CUBE * worth(kind)
            grid.cubes[kind] |= bit(cell)
            if value > best:
                best, choice = value, action
    return choice


@rule
def value_of_weapon(s: State, t: Tables, p: int) -> float:
    """Value of the weapon grid as it is: usable weapons, initiative and magic, less the cubes that would fall off."""
    me = s.players[p]
    value = STEP_AHEAD * initiative_of(me)
    cells = filled_cells(me.gear[Gear.WEAPON])
    if is_legal_weapon(me, cells):
        value += LEGAL
    else:
        value -= CUBE * smaller_pieces(cells)
    for slot in range(ARMS):
        if is_usable(me, weapon_in(me, slot)):
            value += USABLE + weapon_mean(t, me, slot)
    if matching_blueprints(s, t, p, Gear.WEAPON) != 0:
        value += MATCH
    return value


@rule
def answer_pay(s: State, t: Tables, mask: Words, frame: Frame) -> int:
    """Pay a hit. Magic comes back (MAGIC-5), so it goes first where none of it is wasted; then the cube that costs
    least per hit covered."""
    gear, hits = frame.thing, frame.left
    in_danger = gear == Gear.HELMET and hits < MANY_HITS
    if allows(mask, MAGIC + gear) and not in_danger:
        return MAGIC + gear
    best, choice = WORST, -1
    matched = matching_blueprints(s, t, frame.actor, gear) != 0
    for cell in range(GEAR_CELLS[gear]):
        action = CELL + FIRST_CELL[gear] + cell
        if allows(mask, action):
            value = -price_of_cube(s, t, frame.actor, gear, cell, matched, hits)
            if value > best:
                best, choice = value, action
    return choice


@rule
def price_of_cube(s: State, t: Tables, p: int, gear: int, cell: int, matched: bool, hits: int) -> float:
    """Cost of giving up a cube, per hit that it covers."""
    grid = s.players[p].gear[gear]
    kind = kind_on(grid, cell)
    covered = min(worth(kind), hits)
    price = CUBE * worth(kind) + WASTE * (worth(kind) - covered)
    if matched:
        grid.cubes[kind] &= ~bit(cell)
        if matching_blueprints(s, t, p, gear) == 0:
            price += MATCH
        grid.cubes[kind] |= bit(cell)
    return price / covered


# --- danger ---------------------------------------------------------------------------------------------------------


@rule
def answer_danger(s: State, t: Tables, mask: Words, trials: int) -> int:
    """Answers to the questions about retreating and avoiding hits."""
    frame = top(s)
    if frame.phase == Phase.RETREAT:
        return answer_retreat(s, t, frame.actor, trials)
    if frame.phase == Phase.RETREAT_TO:
        return safest_space(s, t, mask)
    if frame.phase == Phase.ASK_GUNBAI:
        return answer_gunbai(s, t, frame.actor)
    if is_duel(s) or worth_of_rest(s, t, frame.actor, team_in_fight(s, t, 0), trials) >= 0:
        return NO
    return RETREAT if allows(mask, RETREAT) else USE_TOKEN + Adventure.SMOKE_BOMB


@rule
def answer_retreat(s: State, t: Tables, p: int, trials: int) -> int:
    """Whether an unarmed samurai stays: it may profit from what others win if its helmet lasts until then."""
    if is_duel(s):
        return RETREAT
    team = team_in_fight(s, t, 0)
    leave = worth_of_rest(s, t, p, team, trials) if is_coop(s) else 0.0
    team[p, STAYS] = 1
    return NO if worth_of_rest(s, t, p, team, trials) > leave else RETREAT


@rule
def safest_space(s: State, t: Tables, mask: Words) -> int:
    """A safe space, otherwise the one nearest to the start tile."""
    best, choice = WORST, -1
    for space in range(SPACES):
        if allows(mask, STEP + space):
            value = -1.0 * t.place_distance[space, START_PLACE]
            if is_safe(space):
                value += PLACES
            if value > best:
                best, choice = value, STEP + space
    return choice


@rule
def answer_gunbai(s: State, t: Tables, p: int) -> int:
    """Use the gunbai if the breaking dice would knock the samurai out or cost more than a magic cube is worth."""
    hits = hits_on(s, t, p) if s.fight.dragon != 0 else s.fight.hits + 0
    helmet = strength(s.players[p].gear[Gear.HELMET])
    saves = hits > helmet >= hits - s.fight.break_hits
    return USE_TOKEN + Adventure.GUNBAI if saves or s.fight.break_hits > worth(Cube.MAGIC) else NO


# --- spoils ---------------------------------------------------------------------------------------------------------


@rule
def answer_spoils(s: State, mask: Words) -> int:
    """Answers to the questions after a fight."""
    phase = top(s).phase
    if phase == Phase.STEAL:
        return answer_steal(mask)
    if phase == Phase.LOSE_ITEM:
        return answer_lose_item(s, mask)
    if phase == Phase.SHARE_TOOTH:
        return answer_share_tooth(s, mask)
    return -1  # LAY_LOSER


@rule
def answer_steal(mask: Words) -> int:
    """Steal a scroll, which is worth 3 VP; then blueprints, monks, teeth, metal, wood. Throw away wood first to make
    room."""
    for slot in range(SCROLL_SLOTS):
        if allows(mask, ITEM_SCROLL + slot):
            return ITEM_SCROLL + slot
    for slot in range(GEARS * CARD_SLOTS):
        if allows(mask, BLUEPRINT + slot):
            return BLUEPRINT + slot
    if allows(mask, ITEM_MONK):
        return ITEM_MONK
    for kind in range(RESOURCE_KINDS - 1, -1, -1):
        if allows(mask, ITEM + kind):
            return ITEM + kind
    for kind in range(RESOURCE_KINDS - 1):
        if allows(mask, THROW + kind):
            return THROW + kind
    return DONE


@rule
def answer_lose_item(s: State, mask: Words) -> int:
    """Give the second scroll, or a blueprint that no gear matches."""
    for slot in range(SCROLL_SLOTS - 1, -1, -1):
        if allows(mask, SLOT + slot):
            return SLOT + slot
    for slot in range(GEARS * CARD_SLOTS):
        if allows(mask, BLUEPRINT + slot) and s.players[top(s).actor].gear[slot // CARD_SLOTS].magic == 0:
            return BLUEPRINT + slot
    return -1


@rule
def answer_share_tooth(s: State, mask: Words) -> int:
    """Give a tooth to a player with room for it, the one with the fewest teeth."""
    best, choice = WORST, -1
    for k in range(s.settings.players):
        if allows(mask, PLAYER + k):
            p = (top(s).actor + k) % s.settings.players
            value = -1.0 * s.players[p].pack[Cube.TOOTH] - (0.0 if free_slots(s, p) > 0 else 10.0)
            if value > best:
                best, choice = value, PLAYER + k
    return choice

"""Checks of fights and moves in progress: dragons, duels, monks and enemy samurai, and their questions."""

from typing import Final

import numpy as np

from fujikoro_env.content.model import GEAR
from fujikoro_env.position.judging_case import BEGIN, FIGHTS, Case, dragon_on, is_safe
from fujikoro_env.position.judging_players import (
    cubes_on,
    filled,
    is_one_handed,
    is_right,
    strength,
    weapon_fault,
    weapons,
)
from fujikoro_env.position.lookup import array_of, code_in, is_touched, numbers_in, open_cells
from fujikoro_env.rules.base.names import Character, Cube, Gear, Spot, Terrain
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import DRAGONS_TURN, PATH, Frame
from fujikoro_env.rules.gear.weapon import ONE_HANDED_WOOD, TWO_HANDED_WOOD, WORN
from fujikoro_env.rules.map.geometry import geometry
from fujikoro_env.rules.scenarios.monk_fight import HEALTH, PRIZE
from fujikoro_env.rules.scenarios.monk_walk import WALKED
from fujikoro_env.rules.scenarios.terms import Term

ROUNDS_OF_DRAGON: Final = 4  # stages of fights
SPOILS: Final = 5
END: Final = 6
ROUNDS_OF_DUEL: Final = 1


def judge_fight(case: Case) -> None:
    """Check the record of the fight."""
    if not case.fight_has_begun():
        case.want("fight", not is_touched(case.s.fight), "nobody fights", "DRAG-1")
        return
    frame, order = case.frames[case.fight_at or 0], [who for who in numbers_in(case.s.fight.order) if who]
    _judge_turns(case, frame, order)
    _judge_fighters(case)
    if case.in_duel():
        _judge_duel(case, frame, order)
    elif frame.phase == Phase.MONK_FIGHT:
        judge_begun_monk_fight(case, frame, order)
    else:
        _judge_dragon_fight(case, frame, order)
    _judge_attacker(case, order)


def _judge_turns(case: Case, frame: Frame, order: list[int]) -> None:
    fight = case.s.fight
    first = frame.actor if frame.phase == Phase.MONK_FIGHT else case.s.active
    case.want("fight.active", fight.active == first, "not the active player", "DRAG-1")
    case.want("fight.break_hits", fight.break_hits <= fight.hits, "more than the number of hits", "ATK-2")
    case.want("fight.order", len(set(order)) == len(order), "a fighter is listed twice", "INIT-2")
    seats = all(who == DRAGONS_TURN or who <= case.rules.seats for who in order)
    case.want("fight.order", seats, "there is no such player", "INIT-2")


def _judge_fighters(case: Case) -> None:
    for p, me in enumerate(case.people):
        awake = not case.s.fight.fighters[p].inside or not (me.unconscious or me.outside)
        awake = awake or case.has_frame(p, Phase.REBIRTH)  # SCEN-22: it is being carried away
        case.want(f"fight.fighters[{p}]", awake or case.in_duel(), "unconscious or outside", "TURN-5")


def _judge_attacker(case: Case, order: list[int]) -> None:
    attack, fight = case.frame_of(Phase.ATTACK), case.s.fight
    turn = order[int(fight.turn) - 1] if 1 <= fight.turn <= len(order) else 0
    case.want("fight.turn", attack is None or turn == attack.actor + 1, "it is not the attacker's turn", "INIT-2")


def _judge_duel(case: Case, frame: Frame, order: list[int]) -> None:
    fight, (attacker, defender) = case.s.fight, case.duellists()
    case.want("fight.defender", fight.defender == defender != attacker, "not the samurai that was challenged", "DUEL-1")
    case.want("fight.dragon", not fight.dragon and not fight.monk, "dragons and monks take no part in duels", "DUEL-1")
    case.want("fight.order", sorted(order) == sorted({attacker + 1, defender + 1}), "not the duellists", "DUEL-1")
    case.want("fight.turn", fight.turn <= 2, "a duel has two turns a round", "DUEL-1")
    inside = [p for p in range(case.rules.seats) if fight.fighters[p].inside]
    case.want("fight.fighters", inside == sorted({attacker, defender}), "not the duellists", "DUEL-1")
    loser, decided = int(fight.loser) - 1, frame.stage > ROUNDS_OF_DUEL
    fits = loser in (attacker, defender) if decided else loser < 0
    case.want("fight.loser", fits, "does not fit the stage of the duel", "DUEL-4")
    same = case.s.players[attacker].at == case.s.players[defender].at
    case.want("fight", same or decided, "the duellists are not on one space", "MOVE-6")
    if defender >= case.n:  # SCEN-72: in a temple
        return
    safe = is_safe(int(case.people[attacker].at)) or case.rules.peaceful
    case.want("fight", not safe or decided, "no duels here", "DUEL-9")


def _judge_dragon_fight(case: Case, frame: Frame, order: list[int]) -> None:
    s, fight, dragon = case.s, case.s.fight, int(frame.thing)
    case.want("fight.dragon", fight.dragon == dragon, "not the one that is fought", "DRAG-1")
    for key in ("defender", "loser", "gave_up"):
        case.want(f"fight.{key}", not code_in(fight, key), "belongs to duels", "DUEL-1")
    case.want("fight.monk", not fight.monk, "the dragon is fought before the monk", "SCEN-41")
    place = int(s.dragons[dragon - 1].place)
    beaten = bool(int(s.dragons_beaten) >> (dragon - 1) & 1)
    won = beaten and frame.stage == END if case.rules.is_coop else frame.stage == SPOILS
    case.want("fight.dragon", beaten == won, "does not fit the `beaten` of this dragon", "DRAG-6")
    case.want("fight.came", bool(fight.came) == (Phase.ROUND in case.phases), "dragons come after a round", "COOP-12")
    case.want("fight.dragon", place or won, "is not on the map", "DRAG-1")
    ordered = DRAGONS_TURN in order if frame.stage >= ROUNDS_OF_DRAGON else not order and not fight.turn
    case.want("fight.order", ordered or won, "does not fit the stage of the fight", "INIT-2")
    case.want("fight.turn", fight.turn <= len(order), "beyond the last", "INIT-2")
    for p, me in enumerate(case.people):
        there = int(geometry().place_of[int(me.at)]) + 1 == place
        fits = not fight.fighters[p].inside or there or won
        case.want(f"fight.fighters[{p}]", fits, "not on the dragon's tile", "DRAG-3")


def judge_path(case: Case) -> None:
    """Check the path of a move in progress, or of a move that a fight ended."""
    path, k = numbers_in(case.s.path)[: int(case.s.path_length)], case.first_of(Phase.MOVE, *FIGHTS)
    if k is None or Phase.ROUND in case.phases:  # COOP-12: here it is the dragon that has moved
        case.want("path", not path, "nobody moves", "MOVE-1")
        return
    if case.phases[k] == Phase.MONK_FIGHT:
        path_leads_to_monk(case, case.frames[k], path)
        return
    phase, frame, at = case.phases[k], case.frames[k], int(case.people[int(case.s.active)].at)
    fewest = 1 if phase == Phase.MOVE else 2
    case.want("path", len(path) >= fewest, f"at least {fewest} spaces are needed", "MOVE-1")
    case.want("path", all(case.s.terrain[space] for space in path), "goes over unexplored places", "MAP-10")
    moving = phase == Phase.MOVE or frame.stage == BEGIN
    ends_here = not moving or (path and path[-1] == at)
    case.want("path", ends_here, "does not end where the samurai stands", "MOVE-1")
    if phase == Phase.MOVE:
        case.want("path", len(path) + int(frame.left) <= PATH, "is too long", "MOVE-1")
    elif frame.stage == BEGIN and phase == Phase.DRAGON_FIGHT:
        case.want(f"asked[{k}].dragon", dragon_on(case, at) == frame.thing, "is not on this tile", "MOVE-5")


# --- questions of dragon fights and duels ---------------------------------------------------------------------------

PAYS_BY_HELMET: Final = (Phase.DRAGON_ATTACK, Phase.ATTACK, Phase.SMOKE, Phase.MONK_ATTACK)  # phases below it


def judge_call_duel(case: Case, k: int, frame: Frame) -> None:
    """Check the question whether to call a duel (MOVE-6)."""
    other, mover = int(frame.thing), int(case.s.active)
    met = other < case.n and other != mover and case.people[other].at == case.people[mover].at
    met = met and not case.people[other].outside and not case.people[other].unconscious
    legal = met and not case.rules.peaceful and not is_safe(int(case.people[mover].at))
    case.fits(k, legal, "there is nobody to fight", "MOVE-6")


def judge_duel(case: Case, k: int, frame: Frame) -> None:
    """Check that the duellists have met (MOVE-6)."""
    other, mover = int(frame.thing), int(case.s.active)
    if case.n <= other < case.rules.seats:
        judge_duel_with_enemy(case, k, frame)
        return
    met = other < case.n and other != mover and not case.people[other].outside
    together = met and (frame.stage != BEGIN or case.people[other].at == case.people[mover].at)
    case.fits(k, together, "there is nobody to fight", "MOVE-6")


def judge_asking(case: Case, k: int, frame: Frame) -> None:
    """Check how many players a fight has asked (INIT-2)."""
    case.fits(k, frame.left <= case.n, "that many can't have been asked", "INIT-2")


def judge_monk_throw(case: Case, k: int, frame: Frame) -> None:
    """Check that the monk to be thrown is there (HERO-2)."""
    me, spot = case.actor(k), int(frame.thing)
    has = me.pack_monks if spot == Spot.CARRIED else me.monks[spot]
    case.fits(k, has, "the monk is not there", "HERO-2")


def judge_surplus(case: Case, k: int, frame: Frame) -> None:
    """Check that the pack holds too much (HERO-5)."""
    case.fits(k, case.free_slots(int(frame.actor)) < 0, "the pack is not too small", "HERO-5")


def judge_against_loser(case: Case, k: int, frame: Frame) -> None:
    """Check that a frame names the loser of the duel (DUEL-4)."""
    case.fits(k, frame.thing == case.s.fight.loser - 1, "not the loser of the duel", "DUEL-4")


def judge_pay(case: Case, k: int, frame: Frame) -> None:
    """Check a payment: the helmet absorbs hits, the sandals absorb lava."""
    gear = Gear.HELMET if case.phases[k - 1] in PAYS_BY_HELMET else Gear.SANDALS
    case.fits(k, frame.thing == gear, f"the {GEAR[int(frame.thing)]} does not pay here", "DMG-1")
    has = strength(case.actor(k).gear[int(frame.thing)])
    case.fits(k, 0 < frame.left < has, f"{frame.left} hits on gear that absorbs {has} leave no choice", "DMG-1")


# --- dice, and what they break --------------------------------------------------------------------------------------


def gear_in(slot: int) -> Gear:
    """The gear in a fighting slot: sandals if they are worn, else the weapon."""
    return Gear.SANDALS if slot == WORN else Gear.WEAPON


def judge_dice(case: Case, k: int, frame: Frame) -> None:
    """Check the dice of an attack (ATK-1, ATK-3)."""
    me, slot, cells, rolling = case.actor(k), int(frame.at), int(frame.chosen), case.phases[k] == Phase.REROLL
    grid = me.gear[gear_in(slot)]
    if slot == WORN:
        case.fits(k, me.character == Character.TOMOE, "only Tomoe's sandals fight", "CHAR-63")
        in_hand = [filled(grid)]
    else:
        in_hand = [weapon for weapon in weapons(filled(grid)) if is_right(weapon) == bool(slot)]
    case.fits(k, in_hand == [cells], "these are not the cells of the weapon", "ATK-1")
    cubes, chosen = cubes_on(grid, cells), [*numbers_in(frame.offer), int(frame.left)]
    few = _are_within(chosen, [*cubes, int(slot != WORN and grid.magic == slot + 1)])
    early = not any(chosen[int(frame.stage) :])  # no dice of the kinds that are still to come
    case.fits(k, few and early, "more dice than the weapon has", "ATK-1")
    case.fits(k, (frame.stage == len(Cube)) == rolling, "no such kind of dice", "ATK-1")
    needed = ONE_HANDED_WOOD if slot == WORN or is_one_handed(me, cells) else TWO_HANDED_WOOD
    case.fits(k, cubes[Cube.WOOD] >= needed, "the weapon is not usable", "WEAP-5")
    if rolling:
        few = _are_within(numbers_in(case.s.fight.breaks), numbers_in(frame.offer))
        case.fits(k, few and any(chosen), "more dice break than were rolled", "ATK-3")


def judge_break(case: Case, k: int, frame: Frame) -> None:
    """Check the cubes that break (ATK-3)."""
    lying = cubes_on(case.actor(k).gear[gear_in(int(frame.at))], int(frame.chosen))
    same = frame.at == case.frames[k - 1].at
    fits = same and _are_within(numbers_in(frame.offer), lying) and any(numbers_in(frame.offer))
    case.fits(k, fits, "that many cubes can't break", "ATK-3")


def _are_within(numbers: list[int], most: list[int]) -> bool:
    return all(n <= limit for n, limit in zip(numbers, most, strict=True))


def judge_grip(case: Case, k: int, frame: Frame) -> None:
    """Check the choice between breaking dice (ATK-3)."""
    breaking, kept = numbers_in(case.s.fight.breaks), numbers_in(case.frames[k - 1].offer)
    fits = breaking == kept and sum(n != 0 for n in kept) > 1
    case.fits(k, fits, "there is no choice of breaking dice", "ATK-3")


def judge_repair(case: Case, k: int, frame: Frame) -> None:
    """Check that a weapon needs repair (WEAP-6)."""
    case.fits(k, weapon_fault(case.actor(k)), "the weapon is legal", "WEAP-6")


# --- monks that fight and walk (SCEN-41 to SCEN-43) -----------------------------------------------------------------


def judge_monks(case: Case) -> None:
    """Check that monks are marked as having walked only while monks walk."""
    for space in np.flatnonzero(array_of(case.s.monk) == WALKED):
        name = geometry().space_names[space]
        case.want(f"{name}.walked", Phase.MONKS in case.phases, "no monk walks now", "SCEN-43")


def judge_walk(case: Case, k: int, frame: Frame) -> None:
    """Check a walk of the monks at the end of a round (SCEN-43)."""
    case.fits(k, case.rules.has_term(Term.MONKS_WALK), "monks walk only in scenario 4")
    fits = case.s.active == case.s.first_player and case.s.round_number > 1
    case.fits(k, fits, "no round has ended now")


def judge_monk_fight(case: Case, k: int, frame: Frame) -> None:
    """Check the frame of a fight with a monk (SCEN-41)."""
    space, me = int(frame.thing) - 1, case.actor(k)
    case.fits(k, case.rules.has_term(Term.MONKS_FIGHT), "monks fight only in scenario 4")
    waits = frame.stage == BEGIN  # another winner of the same dragon fight may have beaten the monk already
    case.fits(k, space >= 0 and (case.s.monk[space] or waits), "there is no monk to fight")
    on_ground = space >= 0 and not is_safe(space) and case.s.terrain[space] == Terrain.GROUND
    case.fits(k, on_ground, "monks fight on ground that is not safe")
    case.fits(k, not me.outside and me.at == space, "the samurai is not on the monk's space")
    case.fits(k, case.phases[k - 1] != Phase.MONKS or frame.at == space, "the monk came to the samurai", "SCEN-43")
    case.fits(k, case.s.terrain[int(frame.at)], "the samurai came from an unexplored place", "MAP-10")


def judge_begun_monk_fight(case: Case, frame: Frame, order: list[int]) -> None:
    """Check the record of a fight with a monk that has begun (SCEN-41, SCEN-42)."""
    fight, p = case.s.fight, int(frame.actor)
    case.want("fight.monk", fight.monk == frame.thing, "not the one that is fought", "SCEN-41")
    for key in ("dragon", "defender", "loser", "gave_up"):
        case.want(f"fight.{key}", not code_in(fight, key), "no dragon and no duel", "SCEN-41")
    came = Phase.MONKS in case.phases
    case.want("fight.came", bool(fight.came) == came, "monks come at the end of a round", "SCEN-43")
    case.want("fight.health", fight.health <= HEALTH, f"a monk has at most {HEALTH}", "SCEN-41")
    won = frame.stage >= PRIZE and fight.health <= 0
    case.want("fight.health", won or fight.health > 0, "the monk is beaten", "SCEN-42")
    case.want("fight.order", sorted(order) == [p + 1, DRAGONS_TURN], "not just the samurai and the monk", "SCEN-41")
    case.want("fight.turn", fight.turn <= 2, "such a fight has two turns a round", "SCEN-41")
    inside = [q for q in range(case.n) if fight.fighters[q].inside]
    case.want("fight.fighters", inside == [p], "nobody joins", "SCEN-41")
    fits = fight.fighters[p].came_from == frame.at
    case.want("fight.fighters", fits, "came from elsewhere", "DRAG-4")


def path_leads_to_monk(case: Case, frame: Frame, path: list[int]) -> None:
    """Check the path before a fight with a monk. It is empty if the monk came, or after a dragon fight."""
    led = len(path) >= 2 and path[-1] == int(frame.thing) - 1 and path[-2] == frame.at
    case.want("path", not path or led, "does not lead to the monk", "SCEN-41")


# --- enemy samurai in their temples (SCEN-71 to SCEN-73) ------------------------------------------------------------


def judge_enemy(case: Case, enemy: int) -> None:
    """Check an enemy's blueprints and gear (SCEN-71)."""
    where, me = f"enemies[{enemy - case.n}]", case.s.players[enemy]
    if not me.at:
        return
    owned = case.blueprints_of(enemy)
    if case.rules.options["one_gear_per_enemy"]:
        case.want(f"{where}.blueprints", len(owned) == 1, "one is needed", "SCEN-71")
    else:
        case.want(f"{where}.blueprints", owned == [*range(len(GEAR))], "one of each type is needed", "SCEN-71")
    for gear, name in enumerate(GEAR):
        outside = filled(me.gear[gear]) & ~open_cells(me, gear)
        case.want(f"{where}.gear.{name}", not outside, "cubes outside the open grid", "CRAFT-6")
    fault = weapon_fault(me)
    if fault:
        case.want(f"{where}.gear.weapon", False, *fault)


def judge_duel_with_enemy(case: Case, k: int, frame: Frame) -> None:
    """Check a duel with an enemy (SCEN-72)."""
    enemy = case.s.players[int(frame.thing)]
    together = enemy.at and (frame.stage != BEGIN or enemy.at == case.actor(k).at)
    case.fits(k, together, "there is no enemy to fight", "SCEN-72")


JUDGES: Final = {
    Phase.CALL_DUEL: judge_call_duel,
    Phase.DUEL: judge_duel,
    **dict.fromkeys((Phase.DRAGON_FIGHT, Phase.DRAGON_ATTACK, Phase.SMOKE), judge_asking),
    Phase.MONK_THROW: judge_monk_throw,
    Phase.SURPLUS: judge_surplus,
    **dict.fromkeys((Phase.LAY_LOSER, Phase.STEAL), judge_against_loser),
    Phase.PAY: judge_pay,
    **dict.fromkeys((Phase.DICE, Phase.REROLL), judge_dice),
    Phase.BREAK: judge_break,
    Phase.GRIP: judge_grip,
    Phase.REPAIR: judge_repair,
    Phase.MONKS: judge_walk,
    Phase.MONK_FIGHT: judge_monk_fight,
}

"""Questions of dragon fights and duels: dice, hits and what breaks."""

from typing import Any, Final

import numpy as np

from fujikoro_env.content.model import GEAR
from fujikoro_env.position.judging.case import BEGIN, Case
from fujikoro_env.position.judging.enemies import judge_duel_with_enemy
from fujikoro_env.position.judging.gear import (
    cubes_on,
    filled,
    is_one_handed,
    is_right,
    strength,
    weapon_fault,
    weapons,
)
from fujikoro_env.position.judging.ground import is_safe
from fujikoro_env.rules.base.names import Character, Cube, Gear, Spot
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.gear.weapon import ONE_HANDED_WOOD, TWO_HANDED_WOOD, WORN

PAYS_BY_HELMET: Final = (Phase.DRAGON_ATTACK, Phase.ATTACK, Phase.SMOKE, Phase.MONK_ATTACK)  # what the payment lies on


def judge_call_duel(case: Case, k: int, frame: Any) -> None:
    other, mover = int(frame.thing), int(case.s.active)
    met = other < case.n and other != mover and case.people[other].at == case.people[mover].at
    met = met and not case.people[other].outside and not case.people[other].unconscious
    legal = met and not case.rules.peaceful and not is_safe(int(case.people[mover].at))
    case.fits(k, legal, "there is nobody to fight", "MOVE-6")


def judge_duel(case: Case, k: int, frame: Any) -> None:
    other, mover = int(frame.thing), int(case.s.active)
    if case.n <= other < case.rules.seats:
        judge_duel_with_enemy(case, k, frame)
        return
    met = other < case.n and other != mover and not case.people[other].outside
    together = met and (frame.stage != BEGIN or case.people[other].at == case.people[mover].at)
    case.fits(k, together, "there is nobody to fight", "MOVE-6")


def judge_asking(case: Case, k: int, frame: Any) -> None:
    case.fits(k, frame.left <= case.n, "so many can't have been asked", "INIT-2")


def judge_monk_throw(case: Case, k: int, frame: Any) -> None:
    me, spot = case.actor(k), int(frame.thing)
    has = me.pack_monks if spot == Spot.CARRIED else me.monks[spot]
    case.fits(k, has, "the monk is not there", "HERO-2")


def judge_surplus(case: Case, k: int, frame: Any) -> None:
    case.fits(k, case.free_slots(int(frame.actor)) < 0, "the pack is not too small", "HERO-5")


def judge_against_loser(case: Case, k: int, frame: Any) -> None:
    case.fits(k, frame.thing == case.s.fight.loser - 1, "not the loser of the duel", "DUEL-4")


def judge_pay(case: Case, k: int, frame: Any) -> None:
    """Hits come off the helmet, lava off the sandals."""
    gear = Gear.HELMET if case.phases[k - 1] in PAYS_BY_HELMET else Gear.SANDALS
    case.fits(k, frame.thing == gear, f"not the {GEAR[int(frame.thing)]} pays here", "DMG-1")
    has = strength(case.actor(k).gear[int(frame.thing)])
    case.fits(k, 0 < frame.left < has, f"{frame.left} hits on gear that absorbs {has} leave no choice", "DMG-1")


# --- dice, and what they break --------------------------------------------------------------------------------------


def gear_in(slot: int) -> Gear:
    return Gear.SANDALS if slot == WORN else Gear.WEAPON


def judge_dice(case: Case, k: int, frame: Any) -> None:
    me, slot, cells, rolling = case.actor(k), int(frame.at), int(frame.chosen), case.phases[k] == Phase.REROLL
    grid = me.gear[gear_in(slot)]
    if slot == WORN:
        case.fits(k, me.character == Character.TOMOE, "only Tomoe's sandals fight", "CHAR-63")
        in_hand = [filled(grid)]
    else:
        in_hand = [weapon for weapon in weapons(filled(grid)) if is_right(weapon) == bool(slot)]
    case.fits(k, in_hand == [cells], "these are not the cells of the weapon", "ATK-1")
    cubes, chosen = cubes_on(grid, cells), [*(int(n) for n in frame.offer), int(frame.left)]
    few = _are_within(chosen, [*cubes, int(slot != WORN and grid.magic == slot + 1)])
    early = not any(chosen[int(frame.stage) :])  # none of the kinds that are still to come
    case.fits(k, few and early, "more dice than the weapon has", "ATK-1")
    case.fits(k, (frame.stage == len(Cube)) == rolling, "no such kind of dice", "ATK-1")
    needed = ONE_HANDED_WOOD if slot == WORN or is_one_handed(me, cells) else TWO_HANDED_WOOD
    case.fits(k, cubes[Cube.WOOD] >= needed, "the weapon is not usable", "WEAP-5")
    if rolling:
        few = _are_within(case.s.fight.breaks, frame.offer)
        case.fits(k, few and any(chosen), "more dice break than were rolled", "ATK-3")


def judge_break(case: Case, k: int, frame: Any) -> None:
    lying = cubes_on(case.actor(k).gear[gear_in(int(frame.at))], int(frame.chosen))
    same = frame.at == case.frames[k - 1].at
    fits = same and _are_within(frame.offer, lying) and frame.offer.any()
    case.fits(k, fits, "not so many cubes can break", "ATK-3")


def _are_within(numbers: Any, most: Any) -> bool:
    return all(n <= limit for n, limit in zip(numbers, most, strict=True))


def judge_grip(case: Case, k: int, frame: Any) -> None:
    breaking, kept = case.s.fight.breaks, case.frames[k - 1].offer
    fits = (breaking == kept).all() and np.count_nonzero(kept) > 1
    case.fits(k, fits, "there is no choice of breaking dice", "ATK-3")


def judge_repair(case: Case, k: int, frame: Any) -> None:
    case.fits(k, weapon_fault(case.actor(k)), "the weapon is legal", "WEAP-6")


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
}

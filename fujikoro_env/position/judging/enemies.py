"""Enemy samurai in their temples (SCEN-71 to SCEN-73)."""

from typing import Any

from fujikoro_env.content.model import GEAR
from fujikoro_env.position.judging.case import BEGIN, Case
from fujikoro_env.position.judging.gear import filled, weapon_fault
from fujikoro_env.position.lookup import open_cells


def judge_enemy(case: Case, enemy: int) -> None:
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


def judge_duel_with_enemy(case: Case, k: int, frame: Any) -> None:
    enemy = case.s.players[int(frame.thing)]
    together = enemy.at and (frame.stage != BEGIN or enemy.at == case.actor(k).at)
    case.fits(k, together, "there is no enemy to fight", "SCEN-72")

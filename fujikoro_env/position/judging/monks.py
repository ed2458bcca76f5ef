"""Monks that fight and walk (SCEN-41 to SCEN-43)."""

from typing import Any, Final

import numpy as np

from fujikoro_env.position.judging.case import BEGIN, Case
from fujikoro_env.position.judging.ground import is_safe
from fujikoro_env.rules.base.names import Terrain
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import DRAGONS_TURN
from fujikoro_env.rules.map.geometry import geometry
from fujikoro_env.rules.scenarios.monk_fight import HEALTH, PRIZE
from fujikoro_env.rules.scenarios.monk_walk import WALKED
from fujikoro_env.rules.scenarios.terms import Term


def judge_monks(case: Case) -> None:
    """On the map: they stand where they may go; who has walked is known while others still do."""
    for space in np.flatnonzero(case.s.monk == WALKED):
        name = geometry().space_names[space]
        case.want(f"{name}.walked", Phase.MONKS in case.phases, "no monk walks now", "SCEN-43")


def judge_walk(case: Case, k: int, frame: Any) -> None:
    case.fits(k, case.rules.has_term(Term.MONKS_WALK), "monks walk in scenario 4 alone")
    fits = case.s.active == case.s.first_player and case.s.round_number > 1
    case.fits(k, fits, "no round has ended now")


def judge_monk_fight(case: Case, k: int, frame: Any) -> None:
    space, me = int(frame.thing) - 1, case.actor(k)
    case.fits(k, case.rules.has_term(Term.MONKS_FIGHT), "monks fight in scenario 4 alone")
    waits = frame.stage == BEGIN  # another samurai of this space may have won it, after they won a dragon fight
    case.fits(k, space >= 0 and (case.s.monk[space] or waits), "there is no monk to fight")
    on_ground = space >= 0 and not is_safe(space) and case.s.terrain[space] == Terrain.GROUND
    case.fits(k, on_ground, "monks fight on ground that is not safe")
    case.fits(k, not me.outside and me.at == space, "the samurai is not on the monk's space")
    case.fits(k, case.phases[k - 1] != Phase.MONKS or frame.at == space, "the monk came to the samurai", "SCEN-43")
    case.fits(k, case.s.terrain[int(frame.at)], "the samurai came from an unexplored place", "MAP-10")


def judge_begun_monk_fight(case: Case, frame: Any, order: list[int]) -> None:
    fight, p = case.s.fight, int(frame.actor)
    case.want("fight.monk", fight.monk == frame.thing, "not the one that is fought", "SCEN-41")
    for key in ("dragon", "defender", "loser", "gave_up"):
        case.want(f"fight.{key}", not fight[key], "no dragon and no duel", "SCEN-41")
    came = Phase.MONKS in case.phases
    case.want("fight.came", bool(fight.came) == came, "monks come at the end of a round", "SCEN-43")
    case.want("fight.health", fight.health <= HEALTH, f"a monk has {HEALTH}", "SCEN-41")
    won = frame.stage >= PRIZE and fight.health <= 0
    case.want("fight.health", won or fight.health > 0, "the monk is beaten", "SCEN-42")
    case.want("fight.order", sorted(order) == [p + 1, DRAGONS_TURN], "not the samurai and the monk", "SCEN-41")
    case.want("fight.turn", fight.turn <= 2, "such a fight has two turns a round", "SCEN-41")
    inside = [q for q in range(case.n) if fight.fighters[q].inside]
    case.want("fight.fighters", inside == [p], "nobody joins", "SCEN-41")
    fits = fight.fighters[p].came_from == frame.at
    case.want("fight.fighters", fits, "came from elsewhere", "DRAG-4")


def path_leads_to_monk(case: Case, frame: Any, path: list[int]) -> None:
    """None if the monk came, or after a dragon fight."""
    led = len(path) >= 2 and path[-1] == int(frame.thing) - 1 and path[-2] == frame.at
    case.want("path", not path or led, "does not lead to the monk", "SCEN-41")


JUDGES: Final = {Phase.MONKS: judge_walk, Phase.MONK_FIGHT: judge_monk_fight}

"""Fights and moves that are under way."""

from typing import Any, Final

from fujikoro_env.position.judging.case import BEGIN, FIGHTS, Case
from fujikoro_env.position.judging.ground import dragon_on, is_safe
from fujikoro_env.position.judging.monks import judge_begun_monk_fight, path_leads_to_monk
from fujikoro_env.position.lookup import is_touched
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import DRAGONS_TURN, PATH
from fujikoro_env.rules.map.geometry import geometry

ROUNDS_OF_DRAGON: Final = 4  # stages of fights
SPOILS: Final = 5
END: Final = 6
ROUNDS_OF_DUEL: Final = 1


def judge_fight(case: Case) -> None:
    if not case.fight_has_begun():
        case.want("fight", not is_touched(case.s.fight), "nobody fights", "DRAG-1")
        return
    frame, order = case.frames[case.fight_at or 0], [int(who) for who in case.s.fight.order if who]
    _judge_turns(case, frame, order)
    _judge_fighters(case)
    if case.in_duel():
        _judge_duel(case, frame, order)
    elif frame.phase == Phase.MONK_FIGHT:
        judge_begun_monk_fight(case, frame, order)
    else:
        _judge_dragon_fight(case, frame, order)
    _judge_attacker(case, order)


def _judge_turns(case: Case, frame: Any, order: list[int]) -> None:
    fight = case.s.fight
    first = frame.actor if frame.phase == Phase.MONK_FIGHT else case.s.active
    case.want("fight.active", fight.active == first, "not the active player", "DRAG-1")
    case.want("fight.break_hits", fight.break_hits <= fight.hits, "more than all hits", "ATK-2")
    case.want("fight.order", len(set(order)) == len(order), "somebody has two turns", "INIT-2")
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
    case.want("fight.turn", attack is None or turn == attack.actor + 1, "it is not the attacker's", "INIT-2")


def _judge_duel(case: Case, frame: Any, order: list[int]) -> None:
    fight, (attacker, defender) = case.s.fight, case.duellists()
    case.want("fight.defender", fight.defender == defender != attacker, "not whom the duel is with", "DUEL-1")
    case.want("fight.dragon", not fight.dragon and not fight.monk, "no dragon or monk is in a duel", "DUEL-1")
    case.want("fight.order", sorted(order) == sorted({attacker + 1, defender + 1}), "not the two", "DUEL-1")
    case.want("fight.turn", fight.turn <= 2, "a duel has two turns a round", "DUEL-1")
    inside = [p for p in range(case.rules.seats) if fight.fighters[p].inside]
    case.want("fight.fighters", inside == sorted({attacker, defender}), "not the two", "DUEL-1")
    loser, decided = int(fight.loser) - 1, frame.stage > ROUNDS_OF_DUEL
    fits = loser in (attacker, defender) if decided else loser < 0
    case.want("fight.loser", fits, "does not fit the stage of the duel", "DUEL-4")
    same = case.s.players[attacker].at == case.s.players[defender].at
    case.want("fight", same or decided, "the two are not on one space", "MOVE-6")
    if defender >= case.n:  # SCEN-72: in a temple
        return
    safe = is_safe(int(case.people[attacker].at)) or case.rules.peaceful
    case.want("fight", not safe or decided, "no duels here", "DUEL-9")


def _judge_dragon_fight(case: Case, frame: Any, order: list[int]) -> None:
    s, fight, dragon = case.s, case.s.fight, int(frame.thing)
    case.want("fight.dragon", fight.dragon == dragon, "not the one that is fought", "DRAG-1")
    for key in ("defender", "loser", "gave_up"):
        case.want(f"fight.{key}", not fight[key], "belongs to duels", "DUEL-1")
    case.want("fight.monk", not fight.monk, "a dragon comes first", "SCEN-41")
    place = int(s.dragons[dragon - 1].place)
    beaten = bool(int(s.dragons_beaten) >> (dragon - 1) & 1)
    won = beaten and frame.stage == END if case.rules.is_coop else frame.stage == SPOILS
    case.want("fight.dragon", beaten == won, "is beaten, or is not", "DRAG-6")
    case.want("fight.came", bool(fight.came) == (Phase.ROUND in case.phases), "no dragon comes now", "COOP-12")
    case.want("fight.dragon", place or won, "is not on the map", "DRAG-1")
    ordered = DRAGONS_TURN in order if frame.stage >= ROUNDS_OF_DRAGON else not order and not fight.turn
    case.want("fight.order", ordered or won, "does not fit the stage of the fight", "INIT-2")
    case.want("fight.turn", fight.turn <= len(order), "beyond the last", "INIT-2")
    for p, me in enumerate(case.people):
        there = int(geometry().place_of[int(me.at)]) + 1 == place
        fits = not fight.fighters[p].inside or there or won
        case.want(f"fight.fighters[{p}]", fits, "not on the dragon's tile", "DRAG-3")


def judge_path(case: Case) -> None:
    """A move under way, or one that a fight ended."""
    path, k = [int(space) for space in case.s.path[: int(case.s.path_length)]], case.first_of(Phase.MOVE, *FIGHTS)
    if k is None or Phase.ROUND in case.phases:  # COOP-12: there the dragon has moved
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

"""The table that all share: colours, the final chapter, and where the samurai stand."""

from typing import Any

import numpy as np

from fujikoro_env.position.judging.case import Case
from fujikoro_env.position.judging.coop import judge_coop
from fujikoro_env.position.judging.ground import dragon_on, is_safe
from fujikoro_env.position.judging.monks import judge_monks
from fujikoro_env.rules.base.names import Character, Outside, Reason, Terrain
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.characters.sneak import SNEAKING
from fujikoro_env.rules.map.geometry import geometry
from fujikoro_env.rules.scenarios.terms import Term


def judge_table(case: Case) -> None:
    _judge_characters(case)
    _judge_colours(case)
    if case.rules.is_coop:
        judge_coop(case)
    else:
        _judge_lives(case)
    if case.rules.has_vp:
        _judge_final(case)
    if case.rules.all_see_peeks:
        _judge_tops(case)
    _judge_who_left(case)
    judge_monks(case)


def _judge_characters(case: Case) -> None:
    characters = [int(me.character) for me in case.people if me.character]
    case.want("players", len(set(characters)) == len(characters), "two players of one character", "CHAR-1")
    if Character.TOMOE in characters:
        pairs = [case.rules.tables[0].blueprints[int(card) - 1].parts > 1 for card in case.s.blueprints["card"] if card]
        case.want("blueprints", any(pairs), "Tomoe needs one of two one-handed weapons in play", "CHAR-64")


def _judge_colours(case: Case) -> None:
    scroll = case.s.scroll
    colours = [int(me.colour) for me in case.people if me.character != Character.DAISUKE]
    differ = len(set(colours)) == len(colours) and 0 not in colours
    case.want("players", differ, "each has its own colour", "SETUP-12")
    for space in np.flatnonzero(scroll):
        name = geometry().space_names[space]
        case.want(f"{name}.scroll", int(scroll[space]) in colours, "this colour does not play", "EXPL-5")


def _judge_final(case: Case) -> None:
    best, enough = max(int(me.vp) for me in case.people), case.rules.final_at
    fits = bool(case.s.final_player) == (best >= enough)
    fits = fits or (bool(case.s.final_player) and case.rules.has_term(Term.MONKS_FIGHT))  # SCEN-42: VP may be lost
    case.want("final", fits, f"begins with {enough} VP, the most that anybody has are {best}", "FINAL-1")
    if case.rules.lava_at:
        due = best >= case.rules.lava_at
        fits = bool(case.s.lava_player) == due or (due and bool(case.s.final_player))  # 30 VP at once: no lava phase
        case.want("lava_phase", fits, f"begins with {case.rules.lava_at} VP, the most are {best}", "SCEN-31")


def _judge_lives(case: Case) -> None:
    for p, me in enumerate(case.people):
        case.want(f"players[{p}].lives_lost", not me.lives_lost, "lives are for co-op", "COOP-13")


def _judge_tops(case: Case) -> None:
    for level, seen in enumerate(case.s.top_seen.tolist(), 1):
        fits = not seen or seen == (1 << case.n) - 1
        case.want(f"tops.{level}.seen_by", fits, "in this game all see it", "GEAR-5")


def _left_early(case: Case, me: Any) -> bool:
    """Before the final chapter, which only an exit that is always open allows."""
    if not me.outside or case.s.final_player or not case.rules.has_vp:
        return False
    return not (me.outside == Outside.FOOT and case.s.secret_exit and case.rules.options["exit_always_open"])


def _judge_who_left(case: Case) -> None:
    outside = [int(me.left_volcano) for me in case.people if me.outside]
    early = any(_left_early(case, me) for me in case.people)
    case.want("players", not early, "nobody leaves before the final chapter", "ESC-1")
    barred = case.has_term(Term.DRAGONS_BAR_THE_WAY) and any(case.s.dragon_at)
    case.want("players", not (outside and barred), "nobody is outside while a dragon that was found lives", "SCEN-51")
    fits = sorted(outside) == list(range(1, len(outside) + 1))
    fits = fits and not any(me.left_volcano for me in case.people if not me.outside)
    case.want("players", fits, "`left` numbers those outside as they left: 1, 2, ...", "END-1")


def judge_samurai(case: Case, p: int) -> None:
    s, me, where = case.s, case.people[p], f"players[{p}].space"
    if me.outside:
        return
    at, name = int(me.at), geometry().space_names[int(me.at)]
    case.want(where, s.terrain[at] != Terrain.UNEXPLORED, f"{name} is unexplored", "MAP-10")
    lost = s.reason == Reason.LOST  # COOP-15: at once, wherever the others are
    on_lava = s.terrain[at] >= Terrain.LAVA and not case.has_frame(p, Phase.MOVE) and not _waits_for_lava(case, p)
    case.want(where, lost or not on_lava, f"{name} is lava", "MOVE-3")
    crowd = sum(other.at == at and not other.outside for other in case.people)
    case.want(where, crowd <= 2 or is_safe(at), f"{crowd} samurai on {name}", "MAP-6")
    entering = case.has_frame(p, Phase.DRAGON_FIGHT) and not case.fight_has_begun()
    sneaking = case.has_frame(p, Phase.MOVE) and case.frame_of(Phase.MOVE).stage & SNEAKING
    fighting = entering or sneaking or s.fight.fighters[p].inside or case.has_frame(p, Phase.REBIRTH)
    over = lost or s.reason == Reason.WON  # SCEN-62: before the tame dragon
    case.want(where, over or fighting or not dragon_on(case, at), f"{name} is on a dragon's tile", "MAP-11")


def _waits_for_lava(case: Case, p: int) -> bool:
    """An eruption has not come to this samurai yet."""
    eruption = case.frame_of(Phase.ERUPTION)
    return eruption is not None and (p - int(case.s.active)) % case.n >= int(eruption.left)

"""What the terms of scenarios allow, and what is nowhere without them."""

from typing import Any, Final

import numpy as np

from fujikoro_env.content.model import GEAR
from fujikoro_env.position.judging.case import Case
from fujikoro_env.rules.base.names import Gear
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE, START, START_PLACE, geometry
from fujikoro_env.rules.scenarios.terms import Term
from fujikoro_env.rules.turn.stages import TURN_END, TURN_START

# Questions that are not asked where a term holds.
UNASKED: Final = {
    Phase.JOIN: (Term.FIGHTS_ALONE, "nobody joins a dragon fight", "SCEN-14"),
    Phase.CALL_DUEL: (Term.MEETINGS_ARE_DUELS, "samurai that meet must fight", "SCEN-15"),
    Phase.LAY_LOSER: (Term.BACK_IN_TEMPLES, "the loser lies in a temple of its choice", "SCEN-22"),
}


def judge_terms(case: Case) -> None:
    for p, me in enumerate(case.people):
        _judge_player(case, f"players[{p}]", me)
        _judge_rope(case, p, me)
        _judge_fallen(case, p, me)
    _judge_trophies(case)
    _judge_spaces(case)


def _judge_player(case: Case, where: str, me: Any) -> None:
    if not case.has_term(Term.STATUS_MARKERS):
        case.want(f"{where}.status", not me.status, "this game has no status markers", "SCEN-18")
    if not case.has_term(Term.TROPHIES):
        case.want(f"{where}.trophies", not me.trophies, "nobody keeps dragons in this game", "SCEN-23")


def _judge_rope(case: Case, p: int, me: Any) -> None:
    if not me.on_rope:
        return
    where = f"players[{p}].on_rope"
    case.want(where, case.has_term(Term.ROPE_WAITS), "nobody waits on the rope in this game", "SCEN-16")
    there = case.s.rope and me.at == START and not me.outside and not me.unconscious
    case.want(where, there, "the samurai is not on the rope, conscious", "SCEN-16")
    acts = p == case.s.active and TURN_START < case.frames[0].stage <= TURN_END
    case.want(where, not acts, "it leaves at the start of its turn", "SCEN-16")


def _judge_fallen(case: Case, p: int, me: Any) -> None:
    if me.unconscious and case.has_term(Term.BACK_IN_TEMPLES):
        lies = me.at >= FIRST_TEMPLE or case.has_frame(p, Phase.REBIRTH)
        case.want(f"players[{p}].unconscious", lies, "who is knocked out lies in a temple", "SCEN-22")


def _judge_trophies(case: Case) -> None:
    if not case.has_term(Term.TROPHIES):
        return
    beaten = int(case.s.dragons_beaten)
    for code, dragon in enumerate(case.rules.pack.dragons):
        keepers = sum(int(me.trophies) >> code & 1 for me in case.people)
        fits = keepers == (beaten >> code & 1)
        case.want(f"dragons.{dragon.id}", fits, f"{keepers} players keep it: one if it is beaten, else none", "SCEN-23")


def _judge_spaces(case: Case) -> None:
    s, names = case.s, geometry().space_names
    if case.has_term(Term.TOKENS_STAY_UP):
        for space in np.flatnonzero((s.token != 0) & (s.face_up == 0)):
            case.want(f"{names[space]}.face", False, "resource tokens never turn face down", "SCEN-13")
    if not case.has_term(Term.SPOILS):
        for space in np.flatnonzero(s.spoils):
            case.want(f"{names[space]}.spoils", False, "dragons leave nothing behind in this game", "SCEN-17")


def judge_terms_of_frames(case: Case) -> None:
    for k, phase in enumerate(case.phases):
        if phase in UNASKED and case.has_term(UNASKED[phase][0]):
            case.fits(k, False, *UNASKED[phase][1:])
        if phase == Phase.ACTION:
            _judge_extra_action(case, k, case.frames[k])
        elif phase == Phase.REBIRTH:
            _judge_rebirth(case, k, case.frames[k])
        elif phase == Phase.PAY and case.has_term(Term.STATUS_MARKERS):
            by_helmet = case.frames[k].thing == Gear.HELMET
            case.fits(k, by_helmet, f"the {GEAR[Gear.SANDALS]} bear no lava", "SCEN-18")
        elif phase == Phase.TAKE and case.has_term(Term.SPOILS):
            case.fits(k, case.phases[k - 1] != Phase.DRAGON_FIGHT, "a beaten dragon gives VP only", "SCEN-17")


def _judge_extra_action(case: Case, k: int, frame: Any) -> None:
    """SCEN-18: after the last action, for a marker."""
    if frame.stage:
        due = case.has_term(Term.STATUS_MARKERS) and case.frames[0].stage == TURN_END
        case.fits(k, due and case.actor(k).status > 0, "there is no marker to trade for one more action", "SCEN-18")


def _judge_rebirth(case: Case, k: int, frame: Any) -> None:
    """LAVA-3: conscious; so is who finds a dragon on the start tile. SCEN-22: who lost a fight is not."""
    if case.phases[k - 1] == Phase.ERUPTION or (case.rules.is_coop and case.s.dragon_at[START_PLACE]):
        fits = not frame.stage
    else:
        fits = frame.stage and case.actor(k).unconscious and case.has_term(Term.BACK_IN_TEMPLES)
    case.fits(k, fits, "who dies in lava is conscious, who is knocked out lies in a temple", "SCEN-22")

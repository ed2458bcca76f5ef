"""Questions of the set-up."""

from typing import Any, Final

from fujikoro_env.position.judging.case import Case
from fujikoro_env.position.judging.coop import judge_coop_setup
from fujikoro_env.position.judging.gear import cubes_on
from fujikoro_env.rules.geometry import START
from fujikoro_env.rules.names import Gear
from fujikoro_env.rules.phases import Phase
from fujikoro_env.rules.state import PLAYERS

FIRST_CUBES: Final = [2, 2, 0]  # SETUP-7


def judge_setup(case: Case, k: int, frame: Any) -> None:
    """SETUP-6 to SETUP-9: until all have laid their first monks and cubes, nothing else has happened."""
    s, stage = case.s, int(frame.stage)
    case.fits(k, 1 <= stage <= case.n, "so many players can't have been asked", "SETUP-8")
    fresh = not s.tile.any() and not s.final_player and s.active == s.first_player
    case.fits(k, fresh, "the game is on", "SETUP-8")
    if case.rules.is_coop:
        judge_coop_setup(case, k, stage)
        return
    asked = (int(s.first_player) + stage - 1) % case.n
    for p in range(case.n):
        turn = (p - int(s.first_player)) % case.n
        has_monks = _first_monks(case, turn < stage, p == asked) == int(case.people[p].monks.sum())
        fits = has_monks and _is_bare(case, p) and _has_first_cubes(case, p, turn, stage)
        case.fits(k, fits, f"player {p} has not what it should have by now", "SETUP-8")
    case.fits(k, all(int(f.actor) == asked for f in case.frames[k + 1 :]), "another player's turn", "SETUP-8")


def _is_bare(case: Case, p: int) -> bool:
    """But for monks and a weapon."""
    me = case.people[p]
    nothing_done = me.at == START and not me.vp and not me.fields.any() and not me.unconscious
    nothing_carried = not me.pack.any() and not me.pack_monks and not me.scrolls.any()
    no_cards = not me.card_on.any() and not case.blueprints_of(p)
    no_gear = not any(me.gear[gear].cubes.any() for gear in (Gear.HELMET, Gear.SANDALS))
    return bool(nothing_done and nothing_carried and no_cards and no_gear and not any(grid.magic for grid in me.gear))


def _first_monks(case: Case, has_begun: bool, is_asked: bool) -> int:
    """How many are on a board by now."""
    if not has_begun:
        return 0
    return (2 if case.n == PLAYERS else 1) - (case.phases.count(Phase.MONK_SPOT) if is_asked else 0)


def _has_first_cubes(case: Case, p: int, turn: int, stage: int) -> bool:
    laid = cubes_on(case.people[p].gear[Gear.WEAPON])
    if turn >= stage:
        return not any(laid)
    if turn < stage - 1:
        return laid == FIRST_CUBES
    question = case.frame_of(Phase.SETUP_CUBES)
    if question is None or question.thing != Gear.WEAPON or not question.offer.any():
        return False
    if Phase.MONK_SPOT in case.phases and any(laid):
        return False
    return [a + int(b) for a, b in zip(laid, question.offer, strict=True)] == FIRST_CUBES


JUDGES: Final = {Phase.SETUP: judge_setup}

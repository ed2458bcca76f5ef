"""Questions of the set-up."""

from typing import Any, Final

from fujikoro_env.position.judging.case import Case
from fujikoro_env.position.judging.coop import judge_coop_setup
from fujikoro_env.position.judging.gear import cubes_on
from fujikoro_env.position.lookup import board_of
from fujikoro_env.rules.base.names import Character, Gear
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.rules.map.geometry import START
from fujikoro_env.rules.scroll import SCROLL_VP

NO_CUBES: Final = [0, 0, 0]


def judge_setup(case: Case, k: int, frame: Any) -> None:
    """SETUP-6 to SETUP-9: until all have laid their first monks and cubes, nothing else has happened."""
    s, stage = case.s, int(frame.stage)
    case.fits(k, 1 <= stage <= case.n, "so many players can't have been asked", "SETUP-8")
    begun = s.final_player and case.rules.final_at > SCROLL_VP  # Mitsuhide's first VP may be enough
    fresh = not s.tile.any() and not begun and s.active == s.first_player
    case.fits(k, fresh, "the game is on", "SETUP-8")
    if case.rules.is_coop and case.rules.characters is None:
        judge_coop_setup(case, k, stage)
        return
    asked = (int(s.first_player) + stage - 1) % case.n
    for p in range(case.n):
        turn = (p - int(s.first_player)) % case.n
        has_gear = _has_first_cubes(case, p, turn, stage, Gear.HELMET, board_of(case.people[p]).first_helmet)
        has_gear = has_gear and _has_first_cubes(
            case, p, turn, stage, Gear.WEAPON, board_of(case.people[p]).first_weapon
        )
        has_rest = _has_first_monks(case, p, turn, stage) and _has_first_scroll(case, p, turn, stage)
        case.fits(k, has_gear and has_rest and _is_bare(case, p), f"player {p} has not what it should have", "SETUP-8")
    case.fits(k, all(int(f.actor) == asked for f in case.frames[k + 1 :]), "another player's turn", "SETUP-8")


def _is_bare(case: Case, p: int) -> bool:
    """But for monks, a scroll, a weapon and a helmet."""
    me = case.people[p]
    nothing_done = me.at == START and not me.fields.any() and not me.unconscious
    nothing_carried = tuple(me.pack.tolist()) == board_of(me).first_pack and not me.pack_monks
    no_cards = not me.card_on.any() and not case.blueprints_of(p)
    no_magic = not any(grid.magic for grid in me.gear)
    return bool(nothing_done and nothing_carried and no_cards and no_magic and not me.gear[Gear.SANDALS].cubes.any())


def _has_first_monks(case: Case, p: int, turn: int, stage: int) -> bool:
    """SETUP-8, CHAR-1: as many on the board as have been laid by now."""
    me, number = case.people[p], 2 if case.n == PLAYERS else 1
    number -= me.character != Character.SYMMETRIC
    if turn == stage - 1:
        number -= case.phases.count(Phase.MONK_SPOT)
    laid = int(me.monks.sum()) - board_of(me).pool_monks
    return laid == (number if turn < stage else 0)


def _has_first_scroll(case: Case, p: int, turn: int, stage: int) -> bool:
    """CHAR-41: Mitsuhide's, and its VP, once he has chosen."""
    me = case.people[p]
    waits = turn >= stage or (turn == stage - 1 and Phase.SETUP_SCROLL in case.phases)
    has_chosen = me.character == Character.MITSUHIDE and not waits
    in_order = bool(me.scrolls[0]) == has_chosen and not me.scrolls[1]
    return in_order and int(me.vp) == (SCROLL_VP if has_chosen and case.rules.has_vp else 0)


def _has_first_cubes(case: Case, p: int, turn: int, stage: int, gear: Gear, wanted: tuple[int, ...]) -> bool:
    """SETUP-7: all of them, none yet, or with those that are still asked for; the weapon's come last."""
    laid = cubes_on(case.people[p].gear[gear])
    if turn >= stage:
        return laid == NO_CUBES
    asking = [k for k, phase in enumerate(case.phases) if phase == Phase.SETUP_CUBES and case.frames[k].thing == gear]
    if turn < stage - 1 or (gear == Gear.HELMET and not asking):
        return laid == list(wanted)
    if len(asking) != 1 or not case.frames[asking[0]].offer.any():
        return False
    if not case.is_last(asking[0]) and any(laid):
        return False
    return [a + int(b) for a, b in zip(laid, case.frames[asking[0]].offer, strict=True)] == list(wanted)


JUDGES: Final = {Phase.SETUP: judge_setup}

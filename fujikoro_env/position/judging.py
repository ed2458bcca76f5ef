"""Checks a whole position: first the order of the frames and the players they ask, then everything else by chapter.

The checks are plain Python, written from the text of the rules and independent of the compiled rules, so that each
checks the other.
"""

from collections.abc import Callable
from typing import Final

from fujikoro_env.kernel.position.errors import Faults
from fujikoro_env.position import judging_coop, judging_fights, judging_players, judging_table
from fujikoro_env.position.judging_case import Case
from fujikoro_env.position.judging_fights import judge_enemy, judge_fight, judge_path
from fujikoro_env.position.judging_players import judge_board, judge_counts, judge_gear, judge_pack
from fujikoro_env.position.judging_table import judge_samurai, judge_table, judge_terms, judge_terms_of_frames
from fujikoro_env.position.lookup import code_in
from fujikoro_env.rules.base.phase_entry import Whom
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC, Phase, grounds, slot_of
from fujikoro_env.rules.base.state import Frame, State
from fujikoro_env.settings import Rules


def judge(s: State, rules: Rules, faults: Faults) -> None:
    """Check a position against the rules; raises `PositionError` with all faults."""
    case = Case(s, rules, faults)
    judge_order_of_frames(case)
    faults.stop()  # the checks below rely on a correct stack of frames
    judge_table(case)
    for p in range(case.n):
        judge_board(case, p)
        judge_pack(case, p)
        judge_gear(case, p)
        judge_samurai(case, p)
        judge_counts(case, p)
    for enemy in range(case.n, rules.seats):
        judge_enemy(case, enemy)
    judge_fight(case)
    judge_path(case)
    judge_terms(case)
    if not s.reason:
        judge_frames(case)
        judge_terms_of_frames(case)
    faults.stop()


# --- the question: each frame must fit the table of phases ----------------------------------------------------------

JUDGES: Final[dict[Phase, Callable[[Case, int, Frame], None]]] = {
    **judging_coop.JUDGES,
    **judging_table.JUDGES,
    **judging_players.JUDGES,
    **judging_fights.JUDGES,
}


def judge_frames(case: Case) -> None:
    """Check each frame with the check of its phase, and the player who is asked."""
    for k, phase in enumerate(case.phases):
        if phase in JUDGES:
            JUDGES[phase](case, k, case.frames[k])
    actor, phase, me = int(case.frames[-1].actor), case.phases[-1], case.actor(-1)
    case.want("asked", phase.entry.asks_unconscious or not me.unconscious, f"player {actor} is unconscious", "TURN-5")
    case.want("asked", phase.entry.asks_outside or not me.outside, f"player {actor} has left the volcano", "SHOG-1")


# --- which frame may lie on which, and in what stages ---------------------------------------------------------------


def judge_order_of_frames(case: Case) -> None:
    """Check the order of the frames, from TURN up to a question."""
    case.want("asked[0]", case.phases[0] == Phase.TURN, "the lowest frame is not TURN", Phase.TURN.entry.rule)
    if case.s.reason:
        case.want("asked", len(case.frames) == 1, "the game is over, so nothing is asked", "END-1")
        return
    last = case.phases[-1]
    case.want("asked", last < FIRST_AUTOMATIC, f"{last.name} asks nothing", last.entry.rule)
    for k in range(1, len(case.frames)):
        _judge_pair(case, k)


def _judge_pair(case: Case, k: int) -> None:
    """Check a frame against the frame below it."""
    above, below = case.phases[k], case.phases[k - 1]
    entry, ground = above.entry, grounds(above).get(case.role(k - 1))
    case.want(f"asked[{k}]", ground, f"{above.name} does not fit: it can't lie on {below.name}", entry.rule)
    stages = ground.stages if ground else ()
    fits = not stages or int(case.frames[k - 1].stage) in stages
    case.want(f"asked[{k - 1}].stage", fits, f"does not fit {above.name}, which lies on it", entry.rule)
    asked = case.frames[k].actor < case.n or entry.may_be_enemys
    case.want(f"asked[{k}].player", asked, "enemies are never asked", "SCEN-72")
    whom = (ground.whom if ground else None) or entry.whom
    case.want(f"asked[{k}].player", IS_ASKED[whom](case, k), f"{above.name} does not ask this player", entry.rule)


# --- the player whom a frame asks -----------------------------------------------------------------------------------


def _anyone(case: Case, k: int) -> bool:
    """Anybody will do, or the checks of the phase decide."""
    return True


def _is_active(case: Case, k: int) -> bool:
    return int(case.frames[k].actor) == int(case.s.active)


def _is_same(case: Case, k: int) -> bool:
    return int(case.frames[k].actor) == int(case.frames[k - 1].actor)


def _chooses_for_group(case: Case, k: int) -> bool:
    return int(case.frames[k].actor) == case.first_inside()


def _is_first_fighter(case: Case, k: int) -> bool:
    return int(case.frames[k].actor) == case.first_fighter()


def _is_fighter(case: Case, k: int) -> bool:
    """Whether the player is a fighter; a fighter who retreats on its own turn is the attacker."""
    is_inside = bool(case.s.fight.fighters[int(case.frames[k].actor)].inside)
    return is_inside and (case.phases[k - 1] != Phase.ATTACK or _is_same(case, k))


def _is_next(case: Case, k: int) -> bool:
    """Whether it is the player's turn in player order, from the one who began the fight. The frame below counts."""
    return int(case.frames[k].actor) == (int(case.s.fight.active) + int(case.frames[k - 1].left) - 1) % case.n


def _is_next_fighter(case: Case, k: int) -> bool:
    return _is_next(case, k) and bool(case.s.fight.fighters[int(case.frames[k].actor)].inside)


def _is_next_to_join(case: Case, k: int) -> bool:
    return _is_next(case, k) and not case.s.fight.fighters[int(case.frames[k].actor)].inside


def _is_next_in_eruption(case: Case, k: int) -> bool:
    return int(case.frames[k].actor) == (int(case.s.active) + int(case.frames[k - 1].left)) % case.n


def _is_attacked(case: Case, k: int) -> bool:
    """Whether the player is the duellist who does not attack."""
    below = zip(case.frames[:k], case.phases[:k], strict=True)
    attackers = [int(frame.actor) for frame, phase in below if phase == Phase.ATTACK]
    actor = int(case.frames[k].actor)
    return actor in case.duellists() and [actor] != attackers != []


def _has_won(case: Case, k: int) -> bool:
    return int(case.frames[k].actor) in case.duellists() and not _is_named_loser(case, k)


def _has_lost(case: Case, k: int) -> bool:
    return int(case.frames[k].actor) in case.duellists() and _is_named_loser(case, k)


def _is_named_loser(case: Case, k: int) -> bool:
    return int(case.frames[k].actor) + 1 == int(case.s.fight.loser)


def _has_fallen(case: Case, k: int) -> bool:
    """Whether the samurai has fallen. In co-op a samurai that has fallen is out of the fight (SCEN-61)."""
    if case.rules.is_coop:
        return not case.s.fight.fighters[int(case.frames[k].actor)].inside
    return _is_next_fighter(case, k)


def _is_duellist(case: Case, k: int) -> bool:
    return _is_other(case, k) if case.frames[k].stage else _is_active(case, k)


def _is_other(case: Case, k: int) -> bool:
    frame = case.frames[k]
    return int(frame.actor) == int(code_in(frame, slot_of(case.phases[k], "other")))


IS_ASKED: Final[dict[Whom, Callable[[Case, int], bool]]] = {
    Whom.NOBODY: _anyone,
    Whom.ANYONE: _anyone,
    Whom.ACTIVE: _is_active,
    Whom.SAME: _is_same,
    Whom.GROUP: _chooses_for_group,
    Whom.FIRST_FIGHTER: _is_first_fighter,
    Whom.FIGHTER: _is_fighter,
    Whom.NEXT_FIGHTER: _is_next_fighter,
    Whom.NEXT_TO_JOIN: _is_next_to_join,
    Whom.NEXT_IN_ERUPTION: _is_next_in_eruption,
    Whom.ATTACKED: _is_attacked,
    Whom.WINNER: _has_won,
    Whom.LOSER: _has_lost,
    Whom.FALLEN: _has_fallen,
    Whom.DUELLIST: _is_duellist,
    Whom.OTHER: _is_other,
}

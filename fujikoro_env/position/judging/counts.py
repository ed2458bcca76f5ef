"""Counters, which must agree with what the players have."""

from fujikoro_env.position.judging.case import Case
from fujikoro_env.rules.base.counters import COUNTERS, VpSource


def judge_counts(case: Case, p: int) -> None:
    _judge_sources(case, p)
    _judge_signs(case, p)
    me = case.people[p]
    has_left = me.outside and me.left_round <= case.s.round_number
    case.want(f"players[{p}].left_round", not me.left_round or has_left, "the player has not left by then", "END-1")


def _judge_sources(case: Case, p: int) -> None:
    vp, sources, where = case.people[p].vp, case.s.counts[p].vp, f"players[{p}].counts.vp"
    if not case.rules.has_vp:
        case.want(where, not sources.any(), "there are no VP in co-op", "COOP-3")
        return
    total, advice = int(sources.sum()), "leave counts.vp out if the sources are unknown"
    case.want(where, total == vp, f"the sources add up to {total} VP, not to {vp}: {advice}")


def _judge_signs(case: Case, p: int) -> None:
    """SCEN-42: what monks took is the only number below 0."""
    numbers = {name: case.s.counts[p][name].tolist() for name in COUNTERS}
    lost = numbers["vp"].pop(VpSource.MONK_DEFEATS)
    case.want(f"players[{p}].counts.vp.monk_defeats", lost <= 0, f"{lost} is above 0, but VP are lost there", "SCEN-42")
    for name, counted in numbers.items():
        case.want(f"players[{p}].counts.{name}", min(counted) >= 0, f"{min(counted)} is below 0")

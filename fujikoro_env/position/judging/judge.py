"""Judging a whole position."""

from typing import Any

from fujikoro_env.position.errors import Faults
from fujikoro_env.position.judging.asked import judge_frames
from fujikoro_env.position.judging.boards import judge_board, judge_pack
from fujikoro_env.position.judging.case import Case
from fujikoro_env.position.judging.counts import judge_counts
from fujikoro_env.position.judging.enemies import judge_enemy
from fujikoro_env.position.judging.fights import judge_fight, judge_path
from fujikoro_env.position.judging.gear import judge_gear
from fujikoro_env.position.judging.order import judge_order_of_frames
from fujikoro_env.position.judging.table import judge_samurai, judge_table
from fujikoro_env.position.judging.terms import judge_terms, judge_terms_of_frames
from fujikoro_env.settings import Rules


def judge(s: Any, rules: Rules, faults: Faults) -> None:
    case = Case(s, rules, faults)
    judge_order_of_frames(case)
    faults.stop()  # what follows trusts that the frames belong together
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

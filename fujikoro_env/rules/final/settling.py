"""Scoring at the end of the game: claims, and what some scenarios award."""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.base.counters import VpSource
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.final.score import award
from fujikoro_env.rules.final.shogun import settle_claims
from fujikoro_env.rules.scenarios.terms import Term, holds
from fujikoro_env.rules.scenarios.trophies import award_trophies

VP_OF_MARKER = 5


@rule
def settle(s: State, t: Tables) -> None:
    """Award unclaimed bonuses (SHOG-4), status markers (SCEN-18) and trophies (SCEN-23) to all players, inside or
    outside."""
    settle_claims(s, t)
    for p in range(s.settings.players):
        if holds(s, Term.STATUS_MARKERS):
            award(s, p, VP_OF_MARKER * s.players[p].status, VpSource.STATUS_MARKERS)
        if holds(s, Term.TROPHIES):
            award_trophies(s, t, p)

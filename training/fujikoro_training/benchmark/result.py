"""Result of an evaluation as one object for JSON. An estimate is [value, low, high], a 95 % interval by seed."""

from collections import Counter
from math import isfinite
from typing import Any, Final

import numpy as np

from fujikoro_training.benchmark.fingerprint import results_digest
from fujikoro_training.benchmark.protocol import AGENT, Series
from fujikoro_training.benchmark.run import Played
from fujikoro_training.tournament.games import Games
from fujikoro_training.tournament.shares import (
    Estimate,
    by_block,
    fair_share,
    mean_of,
    mean_rank,
    mean_rounds,
    ratio,
    win_rate,
)

FORMAT: Final = 1


def result_of(played: Played) -> dict[str, Any]:
    """Everything that is told about an evaluation."""
    plan = played.plan
    results = [result for games in played.games.values() for result in games.results]
    return {
        "format": FORMAT,
        "agent": plan.agent,
        "protocol": plan.protocol.name,
        "is_result": not plan.protocol.quick,
        "complete": len(played.games) == len(plan.protocol.series),
        "games": len(results),
        "fingerprint": {**plan.fingerprint, "results": results_digest(results)},
        "series": [_series(series, games) for series, games in played.games.items()],
    }


def _series(series: Series, games: Games) -> dict[str, Any]:
    finishes = games.finishes
    return {
        "name": series.name,
        "mode": series.mode,
        "players": series.players,
        "opponent": series.opponent,
        "seeds": [series.first_seed, series.first_seed + series.seeds - 1],
        "games": len(games.matches),
        "wins": _rounded(win_rate(finishes, AGENT)),
        "fair": round(fair_share(finishes, AGENT), 4) if series.opponent else None,
        **(_rivals(games) if series.opponent else {}),
        "rounds": _rounded(mean_rounds(games, AGENT)),
        "endings": dict(sorted(Counter(result.reason for result in games.results).items())),
        "forfeits": sum(
            match.seats[seat] == AGENT
            for match, result in zip(games.matches, games.results, strict=True)
            for seat in result.forfeits
        ),
        "milliseconds_a_decision": _milliseconds(games),
        "results": results_digest(games.results),
    }


def _rivals(games: Games) -> dict[str, Any]:
    """What only games with opponents have."""
    return {"mean_rank": _rounded(mean_rank(games.finishes, AGENT)), "vp_lead": _rounded(_vp_lead(games))}


def _vp_lead(games: Games) -> Estimate:
    """VP of the agent less the mean VP of its opponents."""
    finishes = games.finishes
    mine = finishes.agents == AGENT
    vp = np.array([result.vp for result in games.results], np.float64)
    lead = (vp * mine).sum(axis=1) - (vp * ~mine).sum(axis=1) / (~mine).sum(axis=1)
    return mean_of(ratio(by_block(finishes, lead), by_block(finishes, np.ones(len(lead)))))


def _milliseconds(games: Games) -> float | None:
    """Mean thinking time of the agent; None in batches, where it is not measured."""
    mine = games.finishes.agents == AGENT
    seconds = np.array([result.seconds for result in games.results])[mine].sum()
    decisions = np.array([result.decisions for result in games.results])[mine].sum()
    return round(float(1000 * seconds / max(1, decisions)), 4) if seconds else None


def _rounded(estimate: Estimate) -> list[float | None]:
    """An estimate for JSON, which has no infinity: a bound that is not known is None."""
    return [round(number, 4) if isfinite(number) else None for number in vars(estimate).values()]

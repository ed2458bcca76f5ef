"""Summary of a tournament as one object for JSON. An estimate is [value, low, high]."""

from collections import Counter
from math import isfinite
from typing import Any

import numpy as np

from fujikoro_training.tournament.cycles import cycles
from fujikoro_training.tournament.games import Finishes, Games
from fujikoro_training.tournament.ratings import Ratings, rate
from fujikoro_training.tournament.run import Played
from fujikoro_training.tournament.schedule import equal_games
from fujikoro_training.tournament.settled import neighbours, settled
from fujikoro_training.tournament.shares import (
    Estimate,
    by_block,
    characters,
    fair_share,
    head_to_head,
    mean_of,
    mean_rank,
    mean_rounds,
    ratio,
    seat_wins,
    win_rate,
    wins_more,
)

Numbers = list[float | None]


def summary(played: Played) -> dict[str, Any]:
    """Collect everything that reports show about a tournament."""
    games = played.games
    all_games = {
        "together": played.plan.together,
        "games": len(games.matches),
        "distinct_games": len(equal_games(games.matches, played.plan.names)),
        "asked": played.asked,
        "played_before": played.were_there,
        "blocks": games.finishes.block_count,
        "seconds": round(played.seconds, 1),
        "settings": played.settings,
        "endings": dict(Counter(result.reason for result in games.results)),
        "rounds": float(np.mean([result.rounds for result in games.results])),
        "forfeits": _forfeits(games),
    }
    return all_games | (_teams(games) if played.plan.together else _rivals(played))


def _rivals(played: Played) -> dict[str, Any]:
    """Summary of competitive games."""
    games, labels = played.games, played.games.labels
    finishes, ratings = games.finishes, rate(games.finishes)
    table = head_to_head(finishes)
    found = cycles(finishes, table)
    return {
        "agents": [_agent(games, ratings, agent, place) for place, agent in enumerate(ratings.ranking, 1)],
        "seats": _seats(finishes, ratings),
        "head_to_head": {
            labels[a]: {labels[b]: _estimate(table[a][b]) for b in ratings.ranking if b != a} for a in ratings.ranking
        },
        "neighbours": _neighbours(played, ratings),
        "settled": _is_settled(played, ratings),
        "cycles": {
            "curl_share": found.curl,
            "chance_by_luck": found.chance,
            "triads": found.triads,
            "cyclic_triads": found.cyclic,
            "surely_cyclic": [[labels[agent] for agent in triad] for triad in found.surely_cyclic],
            "alpha_rank": {labels[agent]: found.alpha_rank[agent] for agent in ratings.ranking},
        },
        "apart": [[labels[agent] for agent in group] for group in ratings.apart],
        "characters": _characters(games, ratings),
    }


def _teams(games: Games) -> dict[str, Any]:
    """Summary of co-op games, which each agent plays with copies of itself; `ahead`: difference in games won."""
    finishes, labels = games.finishes, games.labels
    rates = [win_rate(finishes, agent) for agent in range(finishes.number)]
    ranking = sorted(range(finishes.number), key=lambda agent: -rates[agent].value)
    return {
        "agents": [
            {
                "place": place,
                "agent": labels[agent],
                "win_rate": _estimate(rates[agent]),
                "rounds": _estimate(mean_rounds(games, agent)),
                **_costs(games, agent),
            }
            for place, agent in enumerate(ranking, 1)
        ],
        "ahead": {
            labels[a]: {labels[b]: _estimate(wins_more(finishes, a, b)) for b in ranking if b != a} for a in ranking
        },
    }


def _numbers(value: float, low: float, high: float) -> Numbers:
    return [float(number) if isfinite(number) else None for number in (value, low, high)]


def _estimate(estimate: Estimate | None) -> Numbers | None:
    return None if estimate is None else _numbers(estimate.value, estimate.low, estimate.high)


def _agent(games: Games, ratings: Ratings, agent: int, place: int) -> dict[str, Any]:
    finishes = games.finishes
    mine = finishes.agents == agent
    vp = np.array([result.vp for result in games.results]) * mine
    return {
        "place": place,
        "agent": games.labels[agent],
        "rating": _numbers(*ratings.of(agent)),
        "win_rate": _estimate(win_rate(finishes, agent)),
        "fair_share": fair_share(finishes, agent),
        "mean_rank": _estimate(mean_rank(finishes, agent)),
        "vp": _estimate(mean_of(ratio(by_block(finishes, vp.sum(axis=1)), by_block(finishes, mine.sum(axis=1))))),
        **_costs(games, agent),
    }


def _costs(games: Games, agent: int) -> dict[str, Any]:
    """Games, thinking time and forfeits of an agent."""
    mine = games.finishes.agents == agent
    decisions = np.array([result.decisions for result in games.results])[mine].sum()
    seconds = np.array([result.seconds for result in games.results])[mine].sum()
    return {
        "games": int(mine.any(axis=1).sum()),
        "decisions": int(decisions),
        "milliseconds_a_decision": float(1000 * seconds / max(1, decisions)),
        "forfeits": sum(
            seat in result.forfeits
            for match, result in zip(games.matches, games.results, strict=True)
            for seat, who in enumerate(match.seats)
            if who == agent
        ),
    }


def _seats(finishes: Finishes, ratings: Ratings) -> list[dict[str, Any]]:
    return [
        {"seat": seat, "win_rate": _estimate(won), "rating": _numbers(*ratings.of_seat(seat))}
        for seat, won in enumerate(seat_wins(finishes))
    ]


def _neighbours(played: Played, ratings: Ratings) -> list[dict[str, Any]]:
    labels = played.games.labels
    return [
        {
            "better": labels[pair.better],
            "worse": labels[pair.worse],
            "difference": _numbers(pair.difference, pair.low, pair.high),
            "verdict": pair.verdict,
        }
        for pair in neighbours(ratings, played.look or 1, played.equal_within)
    ]


def _is_settled(played: Played, ratings: Ratings) -> bool | None:
    """Whether the order is settled; None if that was not asked for."""
    if played.look is None:
        return None
    return settled(ratings, played.look, played.equal_within)


def _characters(games: Games, ratings: Ratings) -> list[dict[str, Any]]:
    """Results by character; empty if all play the same one."""
    found = characters(games)
    if len(found) < 2:
        return []
    return [
        {
            "character": character.name,
            "seats": character.games,
            "win_rate": _estimate(character.win),
            "by_agent": {games.labels[agent]: _estimate(character.by_agent[agent]) for agent in ratings.ranking},
        }
        for character in found
    ]


def _forfeits(games: Games) -> list[dict[str, Any]]:
    return [
        {
            "game": match.game,
            "seed": match.seed,
            "seat": seat,
            "agent": games.labels[match.seats[seat]],
            "decision": forfeit.decision,
            "reason": forfeit.reason,
            "detail": forfeit.detail,
        }
        for match, result in zip(games.matches, games.results, strict=True)
        for seat, forfeit in sorted(result.forfeits.items())
    ]

"""Measures a player that takes actions for their bonus alone against `shogun`.

    python -m fujikoro_training.bonus_only --games 400

GEAR-3 allows a disc on an action with a gear card for the card's bonus, without the main action. The player measured
here plays like `shogun` until it owns a weapon card that pays a VP. From then on it only takes that bonus, and rests.
Every seed is played in all rotations of the seats; the intervals are by seed. docs/decisions.md quotes the result.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.bots import Shogun
from fujikoro_env.game import Game
from fujikoro_env.rules.base.actions import BONUS, DONE, MOVE, REST
from fujikoro_env.rules.base.names import Gear
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.session import Session
from fujikoro_env.settings import Rules
from fujikoro_training.tournament.shares import Estimate, mean_of, ratio, share_of
from fujikoro_training.workers.orphans import begin_worker

FIRST_SEED: Final = 9_000_000
NO_FIELD: Final = -1


class BonusOnly(Shogun):
    """Plays like shogun up to its first weapon card; then every action is the VP of that card, or a rest."""

    def act(self, view: Game) -> int:
        """Choose an action: the bonus of the weapon card or a rest if possible."""
        chosen = super().act(view)
        field = paying_field(view)
        if field == NO_FIELD:
            return chosen
        if view.phase == Phase.ACTION:
            return _first_legal(view, MOVE + field, REST, otherwise=chosen)
        if view.phase == Phase.HALVES and view.state.stack[view.state.depth - 1].thing == field:
            return _first_legal(view, BONUS, DONE, otherwise=chosen)
        return chosen


def paying_field(view: Game) -> int:
    """The acting player's action (a field of its board) with a weapon card that pays VP, or NO_FIELD."""
    me = view.state.players[view.actor]
    fields = np.flatnonzero(np.asarray(me.card_on) == Gear.WEAPON + 1)
    return NO_FIELD if me.looks or not len(fields) else int(fields[0])


def _first_legal(view: Game, *wanted: int, otherwise: int) -> int:
    legal = view.legal_actions()
    return next((action for action in wanted if action in legal), otherwise)


@dataclass(frozen=True)
class Played:
    """Result of one game for the bonus-only player."""

    share: float  # of the win
    vp: int
    other_vp: float  # mean of the others
    card_round: int  # round in which it got its weapon card, or 0


def play(seed: int, seat: int, players: int) -> Played:
    """Play one game with the bonus-only player in the given seat."""
    agents = [BonusOnly() if p == seat else Shogun() for p in range(players)]
    for p, agent in enumerate(agents):
        agent.reset(seed, p)
    session, card_round = Session(Rules(players=players), seed, agents=agents, keep_history=False), 0
    while not session.over:
        if not card_round and session.actor == seat and paying_field(session.game) != NO_FIELD:
            card_round = int(session.game.state.round_number)
        session.advance()
    assert session.outcome is not None
    winners, scores = session.outcome.winners, session.outcome.scores
    others = [vp for p, vp in enumerate(scores) if p != seat]
    return Played((seat in winners) / len(winners), scores[seat], float(np.mean(others)), card_round)


def by_seed(values: Sequence[float], players: int) -> Any:
    """Ratio of the sums over the games of each seed to the number of games."""
    table = np.array(values, np.float64).reshape(-1, players)
    return ratio(table.sum(axis=1), np.full(len(table), float(players)))


def report(played: Sequence[Played], players: int) -> list[str]:
    """Lines of the report."""
    share = share_of(by_seed([game.share for game in played], players))
    vp = mean_of(by_seed([game.vp for game in played], players))
    others = mean_of(by_seed([game.other_vp for game in played], players))
    rounds = [game.card_round for game in played if game.card_round]
    typical = f", in round {np.median(rounds):.0f} (median)" if rounds else ""
    return [
        f"{len(played)} games of {players} players, 95 % intervals by seed",
        f"win share: {_percent(share)}; an equally strong player would have {1 / players:.1%}",
        f"VP: {vp.value:.1f} ({vp.low:.1f} to {vp.high:.1f}), shogun {others.value:.1f}",
        f"had a weapon card in {len(rounds) / len(played):.0%} of the games{typical}",
    ]


def _percent(estimate: Estimate) -> str:
    return f"{estimate.value:.1%} ({estimate.low:.1%} to {estimate.high:.1%})"


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line of this module."""
    parser = argparse.ArgumentParser(
        prog="python -m fujikoro_training.bonus_only", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--games", type=int, default=400, help="at least this many; every seed is played in each seat")
    parser.add_argument("--players", type=int, default=2, choices=range(2, 7))
    parser.add_argument("--workers", type=int, default=1, help="number of processes")
    given = parser.parse_args(arguments)
    if given.games < 1 or given.workers < 1:
        parser.error("--games and --workers must be at least 1")
    seeds = FIRST_SEED + np.arange(-(-given.games // given.players))
    tasks = [(int(seed), seat, given.players) for seed in seeds for seat in range(given.players)]
    if given.workers == 1:
        played = [play(*task) for task in tasks]
    else:
        with ProcessPoolExecutor(given.workers, get_context("spawn"), begin_worker) as pool:
            played = list(pool.map(play, *zip(*tasks, strict=True), chunksize=4))
    print("\n".join(report(played, given.players)))


if __name__ == "__main__":
    main()

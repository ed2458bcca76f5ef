"""Measures what single decisions of the search gain over `shogun`, with several budgets.

    python -m fujikoro_training.search_decisions --positions 400 --budgets 64 256 1024 --actions

Where a search chooses a different answer than `shogun`, a fast script plays on from both answers to the end many times,
with the same random numbers. The difference in wins is the gain of the search. Whole games are noisier: between two
search agents they only show large differences in strength. The script makes mistakes of its own, so use two: `runner`
is fast; `scout` plays much better, but it is similar to the rollouts of the larger budgets; `shogun` takes long.
Searches do all their iterations here, even if the choice is clear. Most decisions are about steps and cubes, where
answers hardly differ: `--actions` uses only decisions that choose an action.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from fujikoro_agents.mcts.agent import Mcts
from fujikoro_agents.mcts.candidates import Adviser
from fujikoro_agents.mcts.plan import SCRIPTS, Plan
from fujikoro_agents.mcts.thinking import Tree, merged
from fujikoro_agents.scripted.ladder import Players, ScriptedGames
from fujikoro_agents.scripted.luck import first_luck, luck_of_games
from fujikoro_agents.scripted.skills import SHOGUN
from fujikoro_env.game import Game
from fujikoro_env.kernel.searching import Candidate
from fujikoro_env.player import AgentError, make_agent
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.session import Session
from fujikoro_env.settings import Rules
from fujikoro_training.search_strength import BUDGETS, interval, name_of

EACH: Final = 0.05  # share of a game's decisions that are used
SEEDS: Final = 1_000_000  # distance between the seeds of two decisions: more than there are tries
UNMET: Final = 1 << 40  # seeds from here on are not used by any search
TURN_ONLY: Final = "mcts:iterations=1,turns=0,depth=1,prior=runner,rollout=runner"


@dataclass(frozen=True)
class Decision:
    """A position as its player saw it, and the candidate answers, `shogun`'s own first."""

    view: Game
    candidates: list[Candidate]


@dataclass(frozen=True)
class Gain:
    """Gain of an answer over `shogun`'s."""

    wins: float = 0.0
    vp: float = 0.0  # lead over the best of the others
    is_other: bool = False  # whether the answer differs from `shogun`'s


def decisions_of_game(players: int, seed: int, luck: np.random.Generator) -> Iterator[Decision]:
    """Yield some decisions of a game of `shogun`, drawn at random."""
    session = Session(Rules(players=players), seed, keep_history=False)
    advisers, made = [Adviser(SHOGUN) for _ in range(players)], 0
    while not session.over:
        actor, made = session.actor, made + 1
        view, adviser = session.view(actor), advisers[actor]
        candidates = adviser.candidates(view, first_luck(first_luck(seed, actor), made))
        if len(candidates) > 1 and luck.random() < EACH:
            yield Decision(view, candidates)
        adviser.keep(view, *candidates[0])
        session.submit(candidates[0][0])


def some_decisions(count: int, players: int, seed: int, actions: bool = False) -> list[Decision]:
    """Return `count` decisions from several games. `actions`: only those that choose an action."""
    luck, found = np.random.default_rng(seed), list[Decision]()
    while len(found) < count:
        some = decisions_of_game(players, seed, luck)
        found += [each for each in some if not actions or each.view.phase == Phase.ACTION]
        seed += 1
    return found[:count]


def tree_of(name: str) -> tuple[Tree, Plan]:
    """A tree and the plan for a search agent, by name."""
    agent = make_agent(name)
    assert isinstance(agent, Mcts)
    return Tree(agent.plan), agent.plan


def choices(name: str, decisions: Sequence[Decision]) -> list[Candidate]:
    """The answers that a search agent chooses."""
    tree, plan = tree_of(name)
    caution, doubt = plan.caution_of(competitive=True), plan.doubt_of(competitive=True)
    found = []
    for k, decision in enumerate(decisions):
        tree.begin(decision.view, k * SEEDS, decision.candidates)
        tree.run(plan.share_of(0))
        best = merged([tree.found()], caution, doubt)[0]
        found.append((best.action, best.aim))
    return found


class PlayOn:
    """Plays on from answers to the end of the game, and caches the results."""

    def __init__(self, decisions: Mapping[int, Decision], script: str, deals: int) -> None:
        """`decisions`: by number, which determines their random numbers."""
        self._decisions, self._skills, self._deals = decisions, SCRIPTS[script], deals
        self._known: dict[tuple[int, Candidate], tuple[float, float]] = {}

    def gain(self, k: int, answer: Candidate) -> Gain:
        """Gain of an answer over `shogun`'s own."""
        own = self._decisions[k].candidates[0]
        if answer == own:
            return Gain()
        (wins, vp), (own_wins, own_vp) = self._worth(k, answer), self._worth(k, own)
        return Gain(wins - own_wins, vp - own_vp, True)

    def _worth(self, k: int, answer: Candidate) -> tuple[float, float]:
        if (k, answer) not in self._known:
            self._known[k, answer] = self._play(k, answer)
        return self._known[k, answer]

    def _play(self, k: int, answer: Candidate) -> tuple[float, float]:
        """Mean share of the win, and mean lead in VP over the best of the others."""
        view, seeds = self._decisions[k].view, np.arange(self._deals)
        skills = np.full((self._deals, PLAYERS), self._skills)
        table = ScriptedGames(view.rules, seeds, skills)
        table.players = Players(skills, luck_of_games(seeds + k * SEEDS))
        self._lay_turn_ends(k, answer, table.games)
        results, mine = table.play(), view.actor
        scores = results.scores[:, : view.rules.players]
        leads = scores[:, mine] - np.delete(scores, mine, axis=1).max(axis=1)
        return float(results.wins[:, mine].mean()), float(leads.mean())

    def _lay_turn_ends(self, k: int, answer: Candidate, games: Any) -> None:
        """Write the positions at the end of the turn after an answer, one per deal. The search itself plays up to
        there, because it can follow an aim."""
        tree, _ = tree_of(TURN_ONLY)
        rows = games.view(np.uint8).reshape(self._deals, -1)
        for deal in range(self._deals):
            tree.begin(self._decisions[k].view, UNMET + k * SEEDS + deal, [answer])
            tree.run(1)
            rows[deal] = tree.last_game.view(np.uint8)


def row(name: str, gains: Sequence[Gain], milliseconds: float) -> str:
    """Row of the table."""
    (wins, half), (vp, half_vp) = interval([gain.wins for gain in gains]), interval([gain.vp for gain in gains])
    others = sum(gain.is_other for gain in gains)
    return (
        f"| `{name}` | {others} of {len(gains)} | {100 * wins:+.2f} ± {100 * half:.2f} "
        f"| {vp:+.2f} ± {half_vp:.2f} | {milliseconds:.1f} |"
    )


def growth(more: int, less: int, many: Sequence[Gain], few: Sequence[Gain]) -> str:
    """Gain of a larger budget, with the interval of the differences by decision."""
    pairs = list(zip(many, few, strict=True))
    wins, half = interval([a.wins - b.wins for a, b in pairs])
    vp, half_vp = interval([a.vp - b.vp for a, b in pairs])
    points = f"{100 * wins:+.2f} ± {100 * half:.2f} percentage points of wins"
    return f"{more} against {less} iterations: {points}, {vp:+.2f} ± {half_vp:.2f} VP per decision"


def measure(
    budgets: Sequence[int], extra: str, decisions: Sequence[Decision], deals: int, script: str
) -> Iterator[str]:
    """Yield the lines of the table as they come."""
    play_on = PlayOn(dict(enumerate(decisions)), script, deals)
    yield f"| played on by `{script}` | differs from `shogun` | win gain per decision, % points | VP gain | ms |"
    yield "| --- | --- | --- | --- | --- |"
    found: list[tuple[int, list[Gain]]] = []
    for budget in budgets:
        choices(name_of(budget, extra), decisions[:1])  # compile or load everything first
        began = time.perf_counter()
        answers = choices(name_of(budget, extra), decisions)
        milliseconds = 1000 * (time.perf_counter() - began) / len(decisions)
        gains = [play_on.gain(k, answer) for k, answer in enumerate(answers)]
        yield row(name_of(budget, extra), gains, milliseconds)
        found.append((budget, gains))
    for (less, few), (more, many) in combinations(found, 2):
        yield growth(more, less, many, few)


def main() -> int:
    """Command line of this module."""
    parser = argparse.ArgumentParser(
        prog="python -m fujikoro_training.search_decisions", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--positions", type=int, default=400, help="number of decisions (default: %(default)s)")
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS, help="iterations (default: 64 256 1024)")
    parser.add_argument("--with", dest="extra", default="", help="more parameters of mcts, such as turns=2,depth=64")
    parser.add_argument("--players", type=int, choices=range(2, PLAYERS + 1), default=2, help="(default: %(default)s)")
    parser.add_argument("--deals", type=int, default=128, help="games played on per answer (default: %(default)s)")
    parser.add_argument(
        "--by", choices=sorted(SCRIPTS), default="runner", help="script that plays on (default: %(default)s)"
    )
    parser.add_argument("--actions", action="store_true", help="only decisions that choose an action")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game (default: %(default)s)")
    given = parser.parse_args()
    for name in ("positions", "deals"):
        if getattr(given, name) < 1:
            parser.error(f"--{name} {getattr(given, name)}: allowed are whole numbers from 1")
    try:
        for budget in given.budgets:
            make_agent(name_of(budget, given.extra))
    except AgentError as error:
        print(error, file=sys.stderr)
        return 2
    decisions = some_decisions(given.positions, given.players, given.seed, given.actions)
    for line in measure(given.budgets, given.extra, decisions, given.deals, given.by):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

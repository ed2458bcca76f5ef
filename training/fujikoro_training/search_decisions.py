"""What is a decision of the search worth? Single decisions of `shogun`, searched with several budgets and played on.

    python -m fujikoro_training.search_decisions --positions 400 --budgets 64 256 1024 --actions

Where a search answers another thing than `shogun`, both answers are played on to the end many times by a fast script,
under the same luck, and the difference in wins is what the search gained there. Games have more chance in them: between
two searchers they tell apart only what is much stronger. The script is a judge with faults of its own, so ask two:
`runner` is fast; `scout` plays much better, but it is kin to the rollouts of the larger budgets; `shogun` takes long.
Searches do all their iterations here, however clear the choice. Most decisions are about steps and cubes, where answers
hardly differ: `--actions` takes only those in which an action is chosen.
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
from fujikoro_agents.mcts.candidates import Adviser, Candidate
from fujikoro_agents.mcts.plan import SCRIPTS, Plan
from fujikoro_agents.mcts.thinking import Tree, merged
from fujikoro_agents.scripted.ladder import Players, ScriptedGames
from fujikoro_agents.scripted.luck import first_luck, luck_of_games
from fujikoro_agents.scripted.skills import SHOGUN
from fujikoro_env.game import Game
from fujikoro_env.player import AgentError, make_agent
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.session import Session
from fujikoro_env.settings import Rules
from fujikoro_training.search_strength import BUDGETS, interval, name_of

EACH: Final = 0.05  # of the decisions of a game are taken
SEEDS: Final = 1_000_000  # of the luck of one decision: more than there are tries
UNMET: Final = 1 << 40  # from here on no search has met the luck
TURN_ONLY: Final = "mcts:iterations=1,turns=0,depth=1,prior=runner,rollout=runner"


@dataclass(frozen=True)
class Decision:
    """A position as its player saw it, and what it might answer, `shogun`'s own answer first."""

    view: Game
    candidates: list[Candidate]


@dataclass(frozen=True)
class Gain:
    """Of a decision, over `shogun`'s answer."""

    wins: float = 0.0
    vp: float = 0.0  # above the best of the others
    is_other: bool = False


def decisions_of_game(players: int, seed: int, luck: np.random.Generator) -> Iterator[Decision]:
    """Some of the decisions of a game of `shogun`, taken at random."""
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
    """`actions`: only such as choose an action."""
    luck, found = np.random.default_rng(seed), list[Decision]()
    while len(found) < count:
        some = decisions_of_game(players, seed, luck)
        found += [each for each in some if not actions or each.view.phase == Phase.ACTION]
        seed += 1
    return found[:count]


def tree_of(name: str) -> tuple[Tree, Plan]:
    agent = make_agent(name)
    assert isinstance(agent, Mcts)
    return Tree(agent.plan), agent.plan


def choices(name: str, decisions: Sequence[Decision]) -> list[Candidate]:
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
    """Plays answers on to the end, and remembers what came of them."""

    def __init__(self, decisions: Mapping[int, Decision], script: str, deals: int) -> None:
        """`decisions`: by their numbers, which their luck depends on."""
        self._decisions, self._skills, self._deals = decisions, SCRIPTS[script], deals
        self._known: dict[tuple[int, Candidate], tuple[float, float]] = {}

    def gain(self, k: int, answer: Candidate) -> Gain:
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
        """The share of the win, and the VP above the best of the others, on average."""
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
        """Where the answer led by the end of the turn, once for each deal: the search itself plays so far, for it knows
        how to follow an aim."""
        tree, _ = tree_of(TURN_ONLY)
        rows = games.view(np.uint8).reshape(self._deals, -1)
        for deal in range(self._deals):
            tree.begin(self._decisions[k].view, UNMET + k * SEEDS + deal, [answer])
            tree.run(1)
            rows[deal] = tree.last_game.view(np.uint8)


def row(name: str, gains: Sequence[Gain], milliseconds: float) -> str:
    (wins, half), (vp, half_vp) = interval([gain.wins for gain in gains]), interval([gain.vp for gain in gains])
    others = sum(gain.is_other for gain in gains)
    return (
        f"| `{name}` | {others} of {len(gains)} | {100 * wins:+.2f} ± {100 * half:.2f} "
        f"| {vp:+.2f} ± {half_vp:.2f} | {milliseconds:.1f} |"
    )


def growth(more: int, less: int, many: Sequence[Gain], few: Sequence[Gain]) -> str:
    """What a larger budget gains, decision by decision."""
    pairs = list(zip(many, few, strict=True))
    wins, half = interval([a.wins - b.wins for a, b in pairs])
    vp, half_vp = interval([a.vp - b.vp for a, b in pairs])
    points = f"{100 * wins:+.2f} ± {100 * half:.2f} points of wins"
    return f"{more} against {less} iterations: {points}, {vp:+.2f} ± {half_vp:.2f} VP for a decision"


def measure(
    budgets: Sequence[int], extra: str, decisions: Sequence[Decision], deals: int, script: str
) -> Iterator[str]:
    """The lines of the table, as they come."""
    play_on = PlayOn(dict(enumerate(decisions)), script, deals)
    yield f"| played on by `{script}` | not `shogun`'s answer | points of wins for a decision | VP | ms |"
    yield "| --- | --- | --- | --- | --- |"
    found: list[tuple[int, list[Gain]]] = []
    for budget in budgets:
        choices(name_of(budget, extra), decisions[:1])  # whatever has to be compiled or loaded
        began = time.perf_counter()
        answers = choices(name_of(budget, extra), decisions)
        milliseconds = 1000 * (time.perf_counter() - began) / len(decisions)
        gains = [play_on.gain(k, answer) for k, answer in enumerate(answers)]
        yield row(name_of(budget, extra), gains, milliseconds)
        found.append((budget, gains))
    for (less, few), (more, many) in combinations(found, 2):
        yield growth(more, less, many, few)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fujikoro_training.search_decisions", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--positions", type=int, default=400, help="(%(default)s)")
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS, help="iterations (64 256 1024)")
    parser.add_argument("--with", dest="extra", default="", help="more parameters of the searcher: turns=2,depth=64")
    parser.add_argument("--players", type=int, choices=range(2, PLAYERS + 1), default=2, help="(%(default)s)")
    parser.add_argument("--deals", type=int, default=128, help="that each answer is played on (%(default)s)")
    parser.add_argument("--by", choices=sorted(SCRIPTS), default="runner", help="who plays on (%(default)s)")
    parser.add_argument("--actions", action="store_true", help="only decisions in which an action is chosen")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (%(default)s)")
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

"""Parameters of `mcts`, validated."""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any, Final

from fujikoro_agents.mcts.tree import LONGEST_PATH
from fujikoro_agents.scripted.skills import (
    BAND,
    FAST_ESTIMATES,
    LEARNED,
    LOOKS_AHEAD,
    RUNGS,
    RUNNER,
    RUNS,
    SENSEI,
    SHOGUN,
    SMITH,
)
from fujikoro_agents.values.file import SHIPPED, network_of
from fujikoro_agents.values.network import NO_NETWORK
from fujikoro_env.kernel.game import is_whole_number
from fujikoro_env.player import AgentError

# "light" plays like runner without fights, because estimating their odds takes most of runner's time. "quick" is runner
# with fast estimates. "scout" is shogun with fast estimates: it looks ahead with one copy per option where shogun uses
# four. "sensei" and "quick_sensei" are shogun and scout with the values of a network: of the judge, or the shipped one.
SCRIPTS: Final = {
    "light": SMITH | RUNS,
    "quick": RUNNER | FAST_ESTIMATES,
    "scout": SHOGUN | FAST_ESTIMATES,
    "band": BAND,
    **RUNGS,
    "sensei": SENSEI,
    "quick_sensei": SENSEI | FAST_ESTIMATES,
}
USUAL_ITERATIONS: Final = 400  # if no budget is given
MOST_ITERATIONS: Final = 10_000_000
MANY_ITERATIONS: Final = 256  # from this many on, rollouts are played by scout
QUICK_ROUNDS: Final = 2  # rounds of a rollout by a script that does not look ahead
ROOT_OF_A_ROUND: Final = 16  # a rollout by a script that looks ahead has sqrt(iterations) / 16 rounds
TO_THE_END: Final = 1000  # turns, in co-op
USUAL_DOUBT: Final = 0.01  # of a win
USUALLY_SURE: Final = 1.5  # in standard errors
WHOLE: Final = {
    "iterations": (1, MOST_ITERATIONS),
    "milliseconds": (1, 86_400_000),
    "threads": (1, 256),
    "turns": (0, 1000),
    "depth": (1, LONGEST_PATH),
    "decisions": (1, 100_000),
}
REAL: Final = {
    "exploration": (0, 100),
    "widening": (0, 1000),
    "growth": (0, 1),
    "caution": (0, 100),
    "doubt": (0, 1),
    "sure": (0, 100),
}
MAY_BE_NONE: Final = ("iterations", "milliseconds", "turns", "caution", "doubt", "sure")


@dataclass(frozen=True)
class Plan:
    """Parameters of a search; docs/mcts.md describes them. None stands for a default that depends on the game or the
    budget."""

    iterations: int | None
    milliseconds: int | None
    threads: int
    prior: str | None  # default: "shogun", in co-op "band"
    rollout: str | None  # default: "quick", with many iterations "scout", in co-op "band"
    turns: int | None  # default: depends on the budget
    depth: int
    decisions: int
    exploration: float
    widening: float
    growth: float
    caution: float | None  # default: 1, in co-op 2
    doubt: float | None  # default: 0.01, in co-op 0
    sure: float | None  # default: 1.5, in co-op 0
    judge: str | None = None  # file of a value network that evaluates positions, or "sensei" for the shipped one

    def __post_init__(self) -> None:
        for name, (least, most) in {**WHOLE, **REAL}.items():
            self._check(name, least, most)
        for name in ("prior", "rollout"):
            if getattr(self, name) not in (None, *SCRIPTS):
                raise AgentError(f"agent 'mcts': {name}={getattr(self, name)!r}: allowed are {', '.join(SCRIPTS)}")
        if self.judge is not None and not isinstance(self.judge, str):
            raise AgentError(f"agent 'mcts': judge={self.judge!r}: allowed are files of value networks, or {SHIPPED}")

    def _check(self, name: str, least: int, most: int) -> None:
        value = getattr(self, name)
        if value is None and name in MAY_BE_NONE:
            return
        is_number = is_whole_number(value) or (name in REAL and isinstance(value, float))
        if not is_number or not least <= value <= most:
            kind = "numbers" if name in REAL else "whole numbers"
            raise AgentError(f"agent 'mcts': {name}={value!r}: allowed are {kind} from {least} to {most}")

    @cached_property
    def network(self) -> Any:
        """Value network of the judge and of scripts with a learned evaluation; NO_NETWORK if there are none."""
        if self.judge is not None:
            return network_of(None if self.judge == SHIPPED else self.judge)
        learned = any(SCRIPTS[name] & LEARNED for name in (self.prior, self.rollout) if name is not None)
        return network_of(None) if learned else NO_NETWORK

    def skills(self, competitive: bool) -> tuple[int, int, int]:
        """Return the skills of three scripts: the one whose answer is tried first at the root, the same deeper in the
        tree, and the one that plays the rollouts."""
        first = SCRIPTS[self.prior or ("shogun" if competitive else "band")]
        return first, first & ~LOOKS_AHEAD, SCRIPTS[self.rollout or self._usual_rollout(competitive)]

    def _usual_rollout(self, competitive: bool) -> str:
        """Name of the default rollout script. Rollouts by scout predict the worth of an answer far better but take ten
        times as long, so they need a large budget."""
        if not competitive:
            return "band"
        return "scout" if (self.iterations or USUAL_ITERATIONS) >= MANY_ITERATIONS else "quick"

    def turns_of(self, players: int, competitive: bool) -> int:
        """Number of turns played before a position is evaluated. Later positions are easier to evaluate, but random
        events add noise. More iterations can therefore afford longer rollouts, except with scripts that don't look
        ahead, whose mistakes add up as well. In co-op only the end of the game shows whether the team did enough."""
        if self.turns is not None:
            return self.turns
        if not competitive:
            return TO_THE_END
        _, _, rollout = self.skills(competitive)
        if rollout & LOOKS_AHEAD == 0:
            return QUICK_ROUNDS * players
        return max(1, round(sqrt(self.iterations or USUAL_ITERATIONS) / ROOT_OF_A_ROUND)) * players

    def caution_of(self, competitive: bool) -> float:
        """Number of standard errors by which another answer must lead. In a tree of one level, two were no better than
        one."""
        if self.caution is not None:
            return self.caution
        return 1.0 if competitive else 2.0

    def doubt_of(self, competitive: bool) -> float:
        """Additional lead, in wins, that another answer needs: rollouts have a bias that more of them don't remove."""
        if self.doubt is not None:
            return self.doubt
        return USUAL_DOUBT if competitive else 0.0

    def sure_of(self, competitive: bool) -> float:
        """Number of standard errors by which one answer must lead to end the search early; 0 means never. It is at
        least `caution`. In co-op the search never ends early, because answers look alike as long as no rollout wins."""
        usual = USUALLY_SURE if competitive else 0.0
        sure = usual if self.sure is None else self.sure
        return max(sure, self.caution_of(competitive)) if sure > 0 else 0.0

    def share_of(self, tree: int) -> int:
        """Number of iterations of one of the trees."""
        if self.iterations is None:
            return MOST_ITERATIONS
        return self.iterations // self.threads + (tree < self.iterations % self.threads)

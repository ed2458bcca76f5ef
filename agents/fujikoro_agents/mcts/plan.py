"""How to search: the parameters of `mcts`, checked."""

from dataclasses import dataclass
from math import sqrt
from typing import Final

from fujikoro_agents.mcts.tree import LONGEST_PATH
from fujikoro_agents.scripted.skills import BAND, FAST_ESTIMATES, LOOKS_AHEAD, RUNGS, RUNNER, RUNS, SHOGUN, SMITH
from fujikoro_env.player import AgentError
from fujikoro_env.settings import is_whole_number

# "light" plays as runner does but takes no fights: their odds take most of its time. "quick" takes them by a fast
# estimate. "scout" is shogun by a fast estimate: quick that looks ahead, once where shogun does four times.
SCRIPTS: Final = {
    "light": SMITH | RUNS,
    "quick": RUNNER | FAST_ESTIMATES,
    "scout": SHOGUN | FAST_ESTIMATES,
    "band": BAND,
    **RUNGS,
}
USUAL_ITERATIONS: Final = 400  # unless a budget is given
MOST_ITERATIONS: Final = 10_000_000
MANY_ITERATIONS: Final = 256  # with so many and more, rollouts are a scout's
QUICK_ROUNDS: Final = 2  # of a rollout by a script that does not look ahead
ROOT_OF_A_ROUND: Final = 16  # a rollout by one that does has sqrt(iterations) / 16 rounds
TO_THE_END: Final = 1000  # turns, in co-op
USUAL_DOUBT: Final = 0.01  # of a win
USUALLY_SURE: Final = 1.5  # standard errors
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
    iterations: int | None
    milliseconds: int | None
    threads: int
    prior: str | None  # None: "shogun", in co-op "band"
    rollout: str | None  # None: "quick" or with many iterations "scout", in co-op "band"
    turns: int | None  # None: by the budget
    depth: int
    decisions: int
    exploration: float
    widening: float
    growth: float
    caution: float | None  # None: 1, in co-op 2
    doubt: float | None  # None: 0.01, in co-op 0
    sure: float | None  # None: 1.5, in co-op 0

    def __post_init__(self) -> None:
        for name, (least, most) in {**WHOLE, **REAL}.items():
            self._check(name, least, most)
        for name in ("prior", "rollout"):
            if getattr(self, name) not in (None, *SCRIPTS):
                raise AgentError(f"agent 'mcts': {name}={getattr(self, name)!r}: allowed are {', '.join(SCRIPTS)}")

    def _check(self, name: str, least: int, most: int) -> None:
        value = getattr(self, name)
        if value is None and name in MAY_BE_NONE:
            return
        is_number = is_whole_number(value) or (name in REAL and isinstance(value, float))
        if not is_number or not least <= value <= most:
            kind = "numbers" if name in REAL else "whole numbers"
            raise AgentError(f"agent 'mcts': {name}={value!r}: allowed are {kind} from {least} to {most}")

    def skills(self, competitive: bool) -> tuple[int, int, int]:
        """Of whose answer is tried first at the root, and deeper in the tree, and of who plays on below it."""
        first = SCRIPTS[self.prior or ("shogun" if competitive else "band")]
        return first, first & ~LOOKS_AHEAD, SCRIPTS[self.rollout or self._usual_rollout(competitive)]

    def _usual_rollout(self, competitive: bool) -> str:
        """A scout's play tells far more of what an answer is worth, and takes ten times as long: for who has time."""
        if not competitive:
            return "band"
        return "scout" if (self.iterations or USUAL_ITERATIONS) >= MANY_ITERATIONS else "quick"

    def turns_of(self, players: int, competitive: bool) -> int:
        """Played on before a position is judged. Further on judging is less of a guess, but luck tells more: who tries
        more often can look further, but not by scripts that do not look ahead, for their faults tell more, too. In
        co-op nothing but the end tells whether all that was done was enough."""
        if self.turns is not None:
            return self.turns
        if not competitive:
            return TO_THE_END
        _, _, rollout = self.skills(competitive)
        if rollout & LOOKS_AHEAD == 0:
            return QUICK_ROUNDS * players
        return max(1, round(sqrt(self.iterations or USUAL_ITERATIONS) / ROOT_OF_A_ROUND)) * players

    def caution_of(self, competitive: bool) -> float:
        """Standard errors that another answer needs. In a tree of one level two were no better than one."""
        if self.caution is not None:
            return self.caution
        return 1.0 if competitive else 2.0

    def doubt_of(self, competitive: bool) -> float:
        """Of a win, that another answer needs beyond that: rollouts err, however many there are."""
        if self.doubt is not None:
            return self.doubt
        return USUAL_DOUBT if competitive else 0.0

    def sure_of(self, competitive: bool) -> float:
        """Standard errors by which one answer must lead for a search to end early, 0 if it never does: not fewer than
        another needs to be chosen. In co-op it never does: tries may look alike as long as none of them wins."""
        usual = USUALLY_SURE if competitive else 0.0
        sure = usual if self.sure is None else self.sure
        return max(sure, self.caution_of(competitive)) if sure > 0 else 0.0

    def share_of(self, tree: int) -> int:
        """The iterations of one of the trees."""
        if self.iterations is None:
            return MOST_ITERATIONS
        return self.iterations // self.threads + (tree < self.iterations % self.threads)

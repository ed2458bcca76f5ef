"""Parameters of `mcts` in games of Fuji Koro, validated."""

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from math import sqrt
from typing import Any, Final

import numpy as np

from fujikoro_agents.mcts.candidates import Adviser
from fujikoro_agents.mcts.fujikoro import Table
from fujikoro_agents.mcts.limits import USUAL_ITERATIONS, Limits
from fujikoro_agents.scripted.evaluation import NAMES
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
from fujikoro_env.game import Game
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
MANY_ITERATIONS: Final = 256  # from this many on, rollouts are played by scout
QUICK_ROUNDS: Final = 2  # rounds of a rollout by a script that does not look ahead
ROOT_OF_A_ROUND: Final = 16  # a rollout by a script that looks ahead has sqrt(iterations) / 16 rounds
TO_THE_END: Final = 1000  # turns of a rollout in co-op: more than a game has


@dataclass(frozen=True)
class Plan(Limits):
    """Parameters of a search in games of Fuji Koro."""

    prior: str | None = None  # default: "shogun", in co-op "band"
    rollout: str | None = None  # default: "quick", with many iterations "scout", in co-op "band"
    judge: str | None = None  # file of a value network that evaluates positions, or "sensei" for the shipped one

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("prior", "rollout"):
            if getattr(self, name) not in (None, *SCRIPTS):
                raise AgentError(f"agent 'mcts': {name}={getattr(self, name)!r}: allowed are {', '.join(SCRIPTS)}")
        if self.judge is not None and not isinstance(self.judge, str):
            raise AgentError(f"agent 'mcts': judge={self.judge!r}: allowed are files of value networks, or {SHIPPED}")

    def make_table(self) -> Table:
        """A new table, for one thread."""
        return Table(weights(), self.network, self.network if self.judge is not None else NO_NETWORK)

    def set_table(self, table: Table, view: Game) -> None:
        """Give the scripts of a table their skills."""
        _, table.prior[:], table.rollout[:] = self.skills(not self.is_team(view))

    def make_adviser(self, view: Game) -> Adviser:
        """An adviser for this kind of game: co-op and competitive games have different ones."""
        return Adviser(self.skills(not self.is_team(view))[0], self.network)

    def is_team(self, view: Game) -> bool:
        """Whether the game is played in co-op or solo."""
        return view.rules.mode != "competitive"

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


@cache
def weights() -> Any:
    """Weights of the evaluation, by feature; training/fujikoro_training/fit_search.py fitted them."""
    written = tomllib.loads(files("fujikoro_agents.mcts").joinpath("weights.toml").read_text())
    return np.array([written[feature] for feature in NAMES], np.float32)

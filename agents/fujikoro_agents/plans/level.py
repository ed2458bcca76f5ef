"""The decision level `plans`, as environments use it: `make_level("plans")`, or with answers at more phases
`make_level("plans:phases=join+retreat")`."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.plans.asking import Listed, Memory, Script, carry_out, list_plans, summarise
from fujikoro_agents.plans.tables import CHOICES, FEATURES, SUMMARY, SUMMARY_WIDTH, WIDTH
from fujikoro_agents.plans.words import choice_text
from fujikoro_agents.scripted.known_fights import KnownFights
from fujikoro_agents.scripted.ladder import answer_games
from fujikoro_agents.scripted.luck import first_luck
from fujikoro_agents.scripted.skills import BAND
from fujikoro_env.envs.levels import Feature, LevelError, Which
from fujikoro_env.game import Game
from fujikoro_env.kernel.jit import address_of
from fujikoro_env.player import agents_seed
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS

NAME: Final = "plans"
NO_PHASES: Final = "none"
# Phases whose answers may be choices. At ACTION the choices are aims.
PHASES: Final = {phase.name.lower(): phase for phase in Phase if 0 < phase < 64 and phase != Phase.ACTION}


class Plans:
    """The level of plans. `phases`: names of phases, joined by +, at which the legal answers are choices if there are
    at most 16; everything else but the question for an action is answered by `runner`, in co-op by `band`."""

    choices = CHOICES
    features: tuple[Feature, ...] = FEATURES
    summary: tuple[Feature, ...] = SUMMARY

    def __init__(self, phases: str = NO_PHASES) -> None:
        named = [] if phases == NO_PHASES else str(phases).split("+")
        if unknown := [name for name in named if name not in PHASES]:
            raise LevelError(f"phase {unknown[0]!r}: allowed are {NO_PHASES}, or joined by +: {', '.join(PHASES)}")
        self.phases = sum(1 << PHASES[name] for name in set(named))
        self.name = f"{NAME}:phases={phases}" if named else NAME

    def table(self, n: int) -> "PlanTable":
        """Make the tables for n games."""
        return PlanTable(n, self.phases)


class PlanTable:
    """Memory and choices of n games; see `fujikoro_env.envs.levels.LevelTable`."""

    def __init__(self, n: int, phases: int) -> None:
        features: Any = np.zeros((n, CHOICES * WIDTH), np.float32)
        summaries: Any = np.zeros((n, SUMMARY_WIDTH), np.float32)
        choices = _ints(n, CHOICES), _ints(n, CHOICES), _ints(n), _ints(n, CHOICES)
        self._memory: Any = Memory(_ints(n, PLAYERS), _ints(n * PLAYERS))
        self._listed: Any = Listed(_ints(n), *choices, features, summaries)
        self._script: Any = (np.full((n, PLAYERS), BAND, np.int64), _ints(n * PLAYERS), _ints(n))
        self._known, self._phases = KnownFights(), phases

    @property
    def counts(self) -> NDArray[np.int64]:
        """Number of choices of each game."""
        counts: NDArray[np.int64] = self._listed.counts
        return counts

    @property
    def aims(self) -> NDArray[np.int64]:
        """The aim that each choice stands for, (n, choices): for choice 0 the script's own."""
        aims: NDArray[np.int64] = self._listed.meant
        return aims

    @property
    def features(self) -> NDArray[np.float32]:
        """Descriptions of the choices, (n, choices, features)."""
        rows: NDArray[np.float32] = self._listed.features
        return rows.reshape(len(rows), CHOICES, WIDTH)

    @property
    def summaries(self) -> NDArray[np.float32]:
        """Descriptions of the positions at which there is a question, (n, summary)."""
        summaries: NDArray[np.float32] = self._listed.summaries
        return summaries

    def begin(self, which: Which, seeds: NDArray[np.int64]) -> None:
        """Forget the games `which` and start new ones. The script's random numbers are those of an agent `runner`."""
        luck = self._memory.luck
        for game, seed in zip(which, seeds, strict=True):
            found = agents_seed(int(seed))
            luck[game * PLAYERS : (game + 1) * PLAYERS] = [first_luck(found, seat) for seat in range(PLAYERS)]
        self._memory.aims[np.asarray(which, np.int64)] = 0

    def begin_seat(self, game: int, seat: int, seed: int) -> None:
        """Start a new game in one seat, with the seed that agents get."""
        memory = self._memory
        memory.aims[game, seat] = 0
        memory.luck[game * PLAYERS + seat] = first_luck(seed, seat)

    def list_choices(self, at: GameArrays, which: Which) -> None:
        """List the choices of the games `which`."""
        skills, luck, actions = self._script
        known = self._known.compiled(at.tables)
        script = Script(address_of(answer_games), skills, luck, actions, known, self._phases)
        list_plans(at, _indices(which), self._memory, self._listed, script)

    def carry_out(self, at: GameArrays, which: Which, choices: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the action that begins each choice, and remember what was chosen."""
        actions: Any = np.zeros(len(which), np.int64)
        carry_out(at, _indices(which), _indices(choices), self._memory, self._listed, actions)
        found: NDArray[np.int64] = actions
        return found

    def summarise(self, at: GameArrays, which: Which, observers: NDArray[np.int64]) -> NDArray[np.float32]:
        """Summaries of the games `which` for these players."""
        found: Any = np.zeros((len(which), SUMMARY_WIDTH), np.float32)
        summarise(at, _indices(which), _indices(observers), found)
        summaries: NDArray[np.float32] = found
        return summaries

    def describe(self, game: Game, index: int = 0) -> list[str]:
        """The choices listed last for a game, in words."""
        meant, actions, features = self._listed.meant[index], self._listed.actions[index], self.features[index]
        return [
            choice_text(game, k, int(meant[k]), int(actions[k]), features[k]) for k in range(int(self.counts[index]))
        ]

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """The memory, as arrays."""
        memory = self._memory
        return {"aims": memory.aims.copy(), "luck": memory.luck.copy()}

    def restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        """Go on from a snapshot."""
        memory = self._memory
        memory.aims[:], memory.luck[:] = snapshot["aims"], snapshot["luck"]


def _ints(*shape: int) -> Any:
    return np.zeros(shape, np.int64)


def _indices(which: Any) -> Any:
    return np.ascontiguousarray(which, np.int64)

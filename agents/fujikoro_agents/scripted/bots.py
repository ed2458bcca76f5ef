"""The rungs of the ladder as agents: the same answers as in batches, and why in words."""

from typing import Any

import numpy as np

from fujikoro_agents.scripted.acting import plan_of
from fujikoro_agents.scripted.aims import DEEDS_OF_SPACE, NO_AIM
from fujikoro_agents.scripted.ladder import Players
from fujikoro_agents.scripted.luck import first_luck
from fujikoro_agents.scripted.plans import DEED, DEEDS, FAR, GOAL, NOWHERE, PLAN, RATE, TO_USE_BONUS
from fujikoro_agents.scripted.skills import RUNGS
from fujikoro_env.game import Game
from fujikoro_env.kernel.jit import Floats, entry
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.rules.map.geometry import geometry


@entry
def plan_of_game(at: GameArrays, index: int, skills: int, plan: Floats) -> None:
    """Write the plan of the player who is asked."""
    s = at.games[index]
    left = top(s).left if top(s).phase == Phase.MOVE else 0
    plan_of(s, at.tables[0], int(top(s).actor), skills, left, plan)


class ScriptedAgent:
    """A rung of the ladder."""

    skills = 0

    def __init__(self) -> None:
        self._players = Players(np.full((1, PLAYERS), self.skills), np.ones(PLAYERS))
        self._action: Any = np.zeros(1, np.int64)
        self._seen: Game | None = None

    def reset(self, seed: int, seat: int) -> None:
        self._players = Players(np.full((1, PLAYERS), self.skills), np.full(PLAYERS, first_luck(seed, seat)))
        self._seen = None

    def act(self, view: Game) -> int:
        self._seen = view
        self._players.answer(view.compiled, 0, 1, self._action)
        return int(self._action[0])

    def explain(self) -> str:
        """Why the last action: what it is after, and what that is worth for each action that it takes."""
        if self._seen is None:
            return ""
        chosen = self._seen.action_name(int(self._action[0]))
        if self._seen.phase not in (Phase.ACTION, Phase.MOVE):
            return f"{chosen}, the best answer of my rules"
        return f"{chosen}: {self._aim(self._seen)}"

    def _aim(self, view: Game) -> str:
        plan: Any = np.zeros(PLAN, np.float32)
        plan_of_game(view.compiled, 0, self.skills, plan)
        if plan[GOAL] == NOWHERE:
            return "nothing that I know of is worth going to"
        if plan[DEED] >= TO_USE_BONUS:
            return f"the bonus of my gear card is worth {plan[RATE]:.2f} VP, and nothing else more per action"
        deed = DEEDS[int(plan[DEED])]
        goal, far = geometry().space_names[int(plan[GOAL])], int(plan[FAR])
        where = f"from {goal}, {far} steps away," if far else "here"
        return f"to {deed} {where} is worth {plan[RATE]:.2f} VP per action"


class Wanderer(ScriptedAgent):
    """Explores: goes to where the best tiles can be laid, for the actions that it takes."""

    skills = RUNGS["wanderer"]


class Gatherer(ScriptedAgent):
    """And gathers: scrolls, monks, resources."""

    skills = RUNGS["gatherer"]


class Smith(ScriptedAgent):
    """And crafts: knows what gear cards and blueprints still need and where that lies."""

    skills = RUNGS["smith"]


class Hunter(ScriptedAgent):
    """And hunts: arms itself, and fights the dragons that are worth it."""

    skills = RUNGS["hunter"]


class Runner(ScriptedAgent):
    """And runs: prepares for the final chapter, is out in time and cashes in."""

    skills = RUNGS["runner"]


class Shogun(ScriptedAgent):
    """And looks ahead: tries out what its turn may bring, and takes what leads to the best position."""

    skills = RUNGS["shogun"]

    def explain(self) -> str:
        """What it tried out, the best first, and what the position at the end of the turn is worth."""
        if self._seen is None or self._players.report[0] == 0:
            return super().explain()
        chosen = self._seen.action_name(int(self._action[0]))
        return f"{chosen}, of: {'; '.join(self._tried(self._seen, self._players.report))}"

    def _tried(self, view: Game, report: Any) -> list[str]:
        pairs = [(float(report[2 + 2 * k]), int(report[1 + 2 * k])) for k in range(int(report[0]))]
        pairs.sort(reverse=True)
        names = _aim_name if view.phase == Phase.ACTION else view.action_name
        return [f"{names(tried)} {worth:.1f}" for worth, tried in pairs]


def _aim_name(aim: int) -> str:
    if aim == NO_AIM:
        return "as usual"
    deed, space = aim % DEEDS_OF_SPACE, geometry().space_names[aim // DEEDS_OF_SPACE]
    return f"{DEEDS[min(deed, TO_USE_BONUS)]} at {space}"

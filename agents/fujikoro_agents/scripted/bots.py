"""The rungs of the ladder as agents: the same answers as in batches, with explanations in words."""

from typing import Any, Final

import numpy as np

from fujikoro_agents.option_values import OptionValue
from fujikoro_agents.scripted.acting import plan_of
from fujikoro_agents.scripted.aims import DEEDS_OF_SPACE, NO_AIM
from fujikoro_agents.scripted.batch_policy import ScriptedPolicy
from fujikoro_agents.scripted.known_fights import no_fights
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

NAMED: Final = 3  # alternatives in an explanation, the best included


@entry
def plan_of_game(at: GameArrays, index: int, skills: int, plan: Floats) -> None:
    """Write the plan of the acting player."""
    s = at.games[index]
    left = top(s).left if top(s).phase == Phase.MOVE else 0
    plan_of(s, at.tables[0], int(top(s).actor), skills, left, plan, no_fights())


class ScriptedAgent:
    """Base class of the scripted agents; each rung of the ladder is a subclass with its skills."""

    skills = 0
    network: Any = None  # of agents with a learned evaluation

    def __init__(self) -> None:
        self._players = self._made(np.ones(PLAYERS))
        self._action: Any = np.zeros(1, np.int64)
        self._seen: Game | None = None

    def batch_policy(self) -> ScriptedPolicy:
        """A policy that gives the same answers for many games at once."""
        return ScriptedPolicy(self.skills, self.network)

    def reset(self, seed: int, seat: int) -> None:
        """Start a new game in the given seat."""
        self._players = self._made(np.full(PLAYERS, first_luck(seed, seat)))
        self._seen = None

    def _made(self, luck: Any) -> Players:
        return Players(np.full((1, PLAYERS), self.skills), luck, network=self.network)

    def act(self, view: Game) -> int:
        """Choose a legal action in the given position."""
        self._seen = view
        self._players.answer(view.compiled, 0, 1, self._action)
        return int(self._action[0])

    def explain(self) -> str:
        """The reason for the last action: what the player is after, and what that is worth per action."""
        if self._seen is None:
            return ""
        if self._seen.phase not in (Phase.ACTION, Phase.MOVE):
            return "by its fixed rule for this question"
        return self._aim(self._seen)

    def _aim(self, view: Game) -> str:
        plan: Any = np.zeros(PLAN, np.float32)
        plan_of_game(view.compiled, 0, self.skills, plan)
        if plan[GOAL] == NOWHERE:
            return "it knows of nothing that is worth going to"
        if plan[DEED] >= TO_USE_BONUS:
            return f"the bonus of its gear card is worth {plan[RATE]:.2f} VP per action, more than anything else"
        deed = DEEDS[int(plan[DEED])]
        goal, far = geometry().space_names[int(plan[GOAL])], int(plan[FAR])
        where = f"at {goal}, {_steps(far)} away," if far else "here"
        return f"to {deed} {where} is worth {plan[RATE]:.2f} VP per action"


def _steps(number: int) -> str:
    return "1 step" if number == 1 else f"{number} steps"


class Wanderer(ScriptedAgent):
    """Explores: goes where placing tiles is worth most per action."""

    skills = RUNGS["wanderer"]


class Gatherer(ScriptedAgent):
    """Also gathers scrolls, monks and resources."""

    skills = RUNGS["gatherer"]


class Smith(ScriptedAgent):
    """Also crafts: knows what gear cards and blueprints still need and where to get it."""

    skills = RUNGS["smith"]


class Hunter(ScriptedAgent):
    """Also hunts: arms itself and fights the dragons that are worth it."""

    skills = RUNGS["hunter"]


class Runner(ScriptedAgent):
    """Also prepares for the final chapter: leaves in time and claims the best bonuses."""

    skills = RUNGS["runner"]


class Shogun(ScriptedAgent):
    """Also looks ahead: tries out the options of its turn and takes the one that leads to the best position."""

    skills = RUNGS["shogun"]
    worth_text = "worth {:.1f}"  # how an explanation says what the best option is worth

    def explain(self) -> str:
        """The worth of the position at the end of the turn, for the best option that it tried out and the next best."""
        if self._seen is None or self._players.report[0] == 0:
            return super().explain()
        (best, worth), *others = self._tried(self._seen, self._players.report)
        said = self.worth_text.format(worth)
        reason = f"{best}, {said}" if self._seen.phase == Phase.ACTION else said
        if not others:
            return f"{reason}; it tried nothing else"
        return f"{reason}; next best: {'; '.join(f'{name}, {worth:.1f}' for name, worth in others[: NAMED - 1])}"

    def value(self) -> float | None:
        """The worth of the position at the end of the turn, for the best option that it tried out; None if it tried
        none."""
        tried = int(self._players.report[0]) if self._seen is not None else 0
        return float(max(self._players.report[2 : 2 + 2 * tried : 2])) if tried else None

    def values(self) -> list[OptionValue]:
        """The worth of the position at the end of the turn for each option that it tried out, the best first."""
        if self._seen is None:
            return []
        is_aim, report = self._seen.phase == Phase.ACTION, self._players.report
        found = []
        for k in range(int(report[0])):
            worth, tried = float(report[2 + 2 * k]), int(report[1 + 2 * k])
            if is_aim:
                space = None if tried == NO_AIM else tried // DEEDS_OF_SPACE
                found.append(OptionValue(_aim_name(tried), worth, "VP", space=space))
            else:
                found.append(OptionValue(self._seen.action_name(tried), worth, "VP", tried))
        return sorted(found, key=lambda value: -value.worth)

    def _tried(self, view: Game, report: Any) -> list[tuple[str, float]]:
        """Options that it tried out, the best first, with the worth of the position at the end of the turn."""
        pairs = [(float(report[2 + 2 * k]), int(report[1 + 2 * k])) for k in range(int(report[0]))]
        pairs.sort(reverse=True)
        names = _aim_name if view.phase == Phase.ACTION else view.action_name
        return [(names(tried), worth) for worth, tried in pairs]


def _aim_name(aim: int) -> str:
    if aim == NO_AIM:
        return "by its usual plan"
    deed, space = aim % DEEDS_OF_SPACE, geometry().space_names[aim // DEEDS_OF_SPACE]
    return f"to {DEEDS[min(deed, TO_USE_BONUS)]} at {space}"

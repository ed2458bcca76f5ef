"""The band as an agent: the same answers as in batches, and why in words."""

from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.band_weights import WEIGHT_COUNT, write_weights
from fujikoro_agents.scripted.bots import ScriptedAgent
from fujikoro_agents.scripted.errands import (
    ABOUT,
    ERRAND,
    EXPLORES,
    FIGHTS,
    GATHERS,
    HIDES,
    WALK,
    errand_of,
    steps_left,
)
from fujikoro_agents.scripted.plans import DEED, FAR, GOAL, NOWHERE, RATE
from fujikoro_agents.scripted.skills import BAND
from fujikoro_agents.scripted.team import everybody, legend_odds, must_make
from fujikoro_env.content.model import GEAR
from fujikoro_env.game import Game
from fujikoro_env.kernel.jit import Floats, entry
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import geometry

ODDS: Final = ERRAND  # beside the errand: of the whole team against the legendary dragon
ROLE: Final = ODDS + 1  # the gear that the samurai makes, as bits
REASONS: Final = ROLE + 1
DEEDS: Final = {EXPLORES: "to explore", GATHERS: "to gather", FIGHTS: "to fight", HIDES: "to hide from what comes"}


@entry
def errand_of_game(at: GameArrays, index: int, reasons: Floats) -> None:
    """Write the errand of the player who is asked, and the reasons for it."""
    s, t = at.games[index], at.tables[0]
    p = int(top(s).actor)
    weights: Any = np.empty(WEIGHT_COUNT, np.float32)
    write_weights(s, weights)
    errand_of(s, t, weights, p, steps_left(s, t) if top(s).phase == Phase.MOVE else 0, reasons)
    reasons[ODDS] = legend_odds(s, t, everybody(s), p)
    role = 0
    for gear in range(3):
        if must_make(s, t, p, gear):
            role |= 1 << gear
    reasons[ROLE] = role


class Band(ScriptedAgent):
    """Plays co-op and solo games together with others of its kind: who explores, who makes which gear, when to take the
    legendary dragon, everybody out in time. In other games it is a runner."""

    skills = BAND

    def _aim(self, view: Game) -> str:
        if not view.rules.is_coop or view.rules.has_vp:
            return super()._aim(view)
        reasons: Any = np.zeros(REASONS, np.float32)
        errand_of_game(view.compiled, 0, reasons)
        made = " and ".join(name for gear, name in enumerate(GEAR) if int(reasons[ROLE]) >> gear & 1)
        team = f"I make the {made}, and all together beat the legendary dragon with odds of {reasons[ODDS]:.0%}"
        return f"{_errand(view, reasons)}; {team}"


def _errand(view: Game, reasons: Any) -> str:
    if reasons[GOAL] == NOWHERE:
        return "nothing that I know of is worth going to"
    shape, about, far = geometry(), int(reasons[ABOUT]), int(reasons[FAR])
    deed = DEEDS.get(int(reasons[DEED]), "to be")
    if reasons[DEED] == EXPLORES:
        deed += f" {shape.place_names[about]}"
    elif reasons[DEED] == FIGHTS:
        deed += f" {view.vocabulary.deck_ids('dragons')[about]}"
    where = f"at {shape.space_names[int(reasons[GOAL])]}, {far} steps away," if far else "here"
    if reasons[WALK] != reasons[GOAL]:
        tonight = shape.space_names[int(reasons[WALK])]
        where = f"at {shape.space_names[int(reasons[GOAL])]}, with a night at {tonight},"
    return f"{deed} {where} is worth {reasons[RATE]:.2f} per action"

"""A player that is random but wants something, so that its games are worth reading.

It likes to explore, gather, build, fight and claim, goes where something lies, and in the final chapter to the ropes.
Everything comes from a seed and from the position, so the same game gives the same answers in every process.
"""

import random
from functools import cache
from typing import Any

import numpy as np

from fujikoro_env import Game
from fujikoro_env.content.model import GEAR
from fujikoro_env.rules.base.names import Terrain, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE, SPACES, START, geometry

USUAL = 3  # the weight of what is not named here
WEIGHTS = {  # by block of actions
    "explore": 14,
    "gather": 12,
    "move": 6,
    "rest": 1,
    "build": 60,
    "lay": 1,
    "roll": 20,
    "number": 1,
    "use": 8,
    "claim": 20,
    "bonus": 6,
    "done": 2,
    "no": 1,
    "retreat": 2,
    "throw": 1,
}
WHOLE_NAMES = {"take(all)": 30, "find(scroll)": 20, "find(blueprint)": 12, "find(monk)": 12}
PATIENCE = 12  # of who rather waits for the cubes of a whole pattern
FIRST_OF_RING_3 = 18  # places, behind 6 and 12
NEARER, ELSEWHERE, THERE = 16, 2, 20  # a step towards something, another step; stopping where something lies


class LivelyPlayer:
    """Answers for all seats."""

    def __init__(self, seed: int) -> None:
        self.luck = random.Random(seed)

    def choose(self, game: Game) -> int:
        actions = [int(action) for action in game.legal_actions()]
        weights = self._weights(game, [game.action_name(action) for action in actions])
        ticket = int(self.luck.random() * sum(weights))
        for action, weight in zip(actions, weights, strict=True):
            ticket -= weight
            if ticket < 0:
                return action
        raise AssertionError("a ticket lies within the sum of the weights")

    def _weights(self, game: Game, names: list[str]) -> list[int]:
        if game.phase == Phase.MOVE:
            return _weights_of_steps(game, names)
        if game.phase == Phase.REST:
            return [_weight_of_craft(game, name) for name in names]
        if game.phase == Phase.CRAFT_LAY:
            return [PATIENCE if name == "done" else WEIGHTS[name.partition("(")[0]] for name in names]
        return [WHOLE_NAMES.get(name, WEIGHTS.get(name.partition("(")[0], USUAL)) for name in names]


def _weight_of_craft(game: Game, name: str) -> int:
    """Rather what it has a blueprint for; else it often saves its cubes."""
    gear = name.rstrip(")").partition("(")[2]
    if gear not in GEAR:
        return PATIENCE
    mine = game.state.blueprints["where"] == Where.OWNED + game.actor
    first = GEAR.index(gear) * CARD_SLOTS
    return PATIENCE if mine[first : first + CARD_SLOTS].any() else USUAL


def _weights_of_steps(game: Game, names: list[str]) -> list[int]:
    steps = _steps_to_the_nearest(game.state, wanted_spaces(game.state, game.actor))
    here = steps[int(game.state.players[game.actor].at)]
    return [_weight_of_step(name, here, steps) for name in names]


def _weight_of_step(name: str, here: int, steps: list[int]) -> int:
    block, _, argument = name.rstrip(")").partition("(")
    if block == "done":
        return THERE if here == 0 else 1
    if block != "step":
        return USUAL
    return NEARER if steps[geometry().space_names.index(argument)] < here else ELSEWHERE


def _steps_to_the_nearest(s: Any, wanted: list[int]) -> list[int]:
    """By space: steps over ground to the nearest of the wanted spaces; SPACES where there is no way."""
    is_ground = (s.terrain == Terrain.GROUND).tolist()
    steps, frontier = [SPACES] * SPACES, wanted
    for space in wanted:
        steps[space] = 0
    while frontier:
        around = [(there, here) for here in frontier for there in _neighbours()[here] if is_ground[there]]
        frontier = list(dict.fromkeys(there for there, _ in around if steps[there] == SPACES))
        for there, here in around:
            steps[there] = min(steps[there], steps[here] + 1)
    return steps


@cache
def _neighbours() -> list[list[int]]:
    shape = geometry()
    return [row[:count] for row, count in zip(shape.neighbours.tolist(), shape.neighbour_count, strict=True)]


def wanted_spaces(s: Any, p: int) -> list[int]:
    """Where a samurai would like to be: at the ropes; in a temple, for its blueprints and then for their cubes; and
    beside anything that can be gathered or fought."""
    ropes = [START] * bool(s.rope) + [int(s.secret_exit)] * bool(s.secret_exit)
    if s.final_player and ropes:
        return ropes
    if p % 2 == 0 and s.tile[FIRST_OF_RING_3:].any():  # every other player is a pilgrim
        return list(range(FIRST_TEMPLE, SPACES))
    return _tempting_spaces(s, p)


def _tempting_spaces(s: Any, p: int) -> list[int]:
    place_of = geometry().place_of
    lairs = (place_of >= 0) & (s.dragon_at[place_of] > 0)
    things = (s.monk > 0) | (s.face_up > 0) | (s.adventure > 0) | (s.scroll == s.players[p].colour)
    return [int(space) for space in np.flatnonzero(lairs | things)]

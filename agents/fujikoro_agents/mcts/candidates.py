"""Candidates of a search: the answers tried at its root, those that scripted agents suggest first."""

from typing import Any

import numpy as np

from fujikoro_agents.scripted.acting import NO_ANSWER
from fujikoro_agents.scripted.aims import NO_AIM, answer_by_aim, is_deed_of
from fujikoro_agents.scripted.ladder import Players
from fujikoro_agents.scripted.skills import LOOKS_AHEAD
from fujikoro_env.game import Game
from fujikoro_env.kernel.jit import IntArray, entry
from fujikoro_env.kernel.masks import allows
from fujikoro_env.kernel.searching import Candidate
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS


@entry
def write_actions_of_aims(at: GameArrays, aims: IntArray, actions: IntArray) -> None:
    """Write the first action of each aim in the first game, or NO_ANSWER if it can't be done."""
    mask = at.masks[0]
    for k in range(len(aims)):
        chosen = answer_by_aim(at.games[0], at.tables[0], mask, aims[k])
        actions[k] = chosen if chosen != NO_ANSWER and allows(mask, chosen) else NO_ANSWER


@entry
def aim_after(action: int, aim: int) -> int:
    """Return what is left of an aim after an action: NO_AIM if the action completes it."""
    return NO_AIM + 0 if is_deed_of(action, aim) else aim


class Adviser:
    """Scripted agent that suggests candidates. If it looks ahead (`shogun`), it suggests several and remembers an aim
    until the end of its turn."""

    def __init__(self, skills: int, network: Any = None) -> None:
        self._first = _players(skills, network)
        self._usual = _players(skills & ~LOOKS_AHEAD, network)
        self._aim, self._turn = NO_AIM, (-1, -1)

    def candidates(self, view: Game, luck: int) -> list[Candidate]:
        """Return all candidates: the script's own answer first, then every legal action; some actions come up for
        several aims."""
        named = [(_answer(self._usual, view, luck), NO_AIM)]
        if self._first.looking:
            named = [self._best(view, luck), *named, *self._tried(view)]
        known = {action for action, _ in named}
        others = np.random.default_rng(luck).permutation(view.legal_actions()).tolist()
        return [*dict.fromkeys(named), *((action, NO_AIM) for action in others if action not in known)]

    def keep(self, view: Game, action: int, aim: int) -> None:
        """Remember the aim of the chosen action, unless the action completes it."""
        is_begun = view.phase == Phase.ACTION and aim != NO_AIM
        self._aim, self._turn = aim_after(action, aim) if is_begun else aim, _turn_of(view)

    def _best(self, view: Game, luck: int) -> Candidate:
        aims, seat = self._first.aims, view.actor
        aims[seat] = self._aim if self._turn == _turn_of(view) else NO_AIM
        self._first.report[0] = 0
        return _answer(self._first, view, luck), int(aims[seat])

    def _tried(self, view: Game) -> list[Candidate]:
        """Return the options that the script tried out, best first."""
        report = self._first.report
        pairs = [(-float(report[2 + 2 * k]), int(report[1 + 2 * k])) for k in range(int(report[0]))]
        tried = [each for _, each in sorted(pairs)]
        return _begun(view, tried) if view.phase == Phase.ACTION else [(action, NO_AIM) for action in tried]


def _players(skills: int, network: Any) -> Players:
    return Players(np.full((1, PLAYERS), skills), np.ones(PLAYERS), network=network)


def _answer(players: Players, view: Game, luck: int) -> int:
    action: Any = np.zeros(1, np.int64)
    players.luck[:] = luck
    players.answer(view.compiled, 0, 1, action)
    return int(action[0])


def _begun(view: Game, aims: list[int]) -> list[Candidate]:
    """Return the aims with their first actions."""
    numbers: Any = np.array(aims, np.int64)
    actions: Any = np.zeros_like(numbers)
    write_actions_of_aims(view.compiled, numbers, actions)
    return [(int(action), aim) for action, aim in zip(actions, aims, strict=True) if action != NO_ANSWER]


def _turn_of(view: Game) -> tuple[int, int]:
    return int(view.state.round_number), int(view.state.active)

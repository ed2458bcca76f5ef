"""Questions at the level `plans`, with the gain of each choice: the VP that it should bring beyond the script's choice.

The teacher looks ahead over the turn, as `sensei` does, and its options are matched with the choices by their aims.
Some choices remain without a gain, because the teacher does not try them out.
"""

from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.plans.player import Chooser, PlanPolicy
from fujikoro_agents.plans.tables import CHOICES
from fujikoro_agents.scripted.aims import NO_AIM
from fujikoro_agents.scripted.ladder import Players
from fujikoro_agents.scripted.lookahead import Minds, lookahead_games
from fujikoro_agents.scripted.skills import SENSEI
from fujikoro_agents.values.file import Value
from fujikoro_env.envs.seats import play_out
from fujikoro_env.kernel.records import dtype_of
from fujikoro_env.observation import words_of
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.settings import Rules

LARGEST_LUCK: Final = 1 << 30


@dataclass(frozen=True)
class Questions:
    """Questions of some games."""

    choices: NDArray[np.float16]  # (questions, CHOICES, features)
    summaries: NDArray[np.float16]  # (questions, features)
    gains: NDArray[np.float32]  # (questions, CHOICES) VP; NaN where there is none
    counts: NDArray[np.int8]  # (questions,) number of choices
    decisions: NDArray[np.int64]  # (1,) number of questions of all these games

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def joined(parts: list[Questions]) -> Questions:
    """Put the questions of several sets of games together."""
    return Questions(**{name: np.concatenate([part.arrays()[name] for part in parts]) for name in parts[0].arrays()})


def play_lessons(
    rules: Rules, seeds: NDArray[np.int64], value: Value, margin: float, stray: float, pupil: Chooser | None = None
) -> Questions:
    """Play one game per seed and keep its questions. The pupil chooses, or the teacher if there is none."""
    players = LessonPlayers(value, margin, stray, int(seeds[0]), pupil)
    play_out(rules, seeds, [players], np.zeros((len(seeds), rules.players), np.int64))
    return players.questions()


class Teacher:
    """Looks ahead over the turn with a value network."""

    def __init__(self, value: Value, seed: int) -> None:
        self._chance = np.random.default_rng(seed)
        self._skills: Any = np.full((1, PLAYERS), SENSEI)
        self._players = Players(self._skills, np.ones(PLAYERS), network=value.compiled(margin=0))

    def worths(self, at: GameArrays, game: int) -> dict[int, float]:
        """Expected lead in VP by aim, for the aims that the teacher tries out for the acting player."""
        players = self._players
        luck: Any = self._chance.integers(1, LARGEST_LUCK, PLAYERS)
        aims: Any = np.zeros(PLAYERS, np.int64)
        actions: Any = np.zeros(1, np.int64)
        known = players.known.compiled(at.tables)
        minds = Minds(self._skills, luck, aims, players.weights, players.report, known, players.network)
        players.report[0] = 0
        lookahead_games(_one_game(at, game), 0, 1, actions, minds, players.workspace.compiled(at.tables), 0)
        tried = players.report[1 : 1 + 2 * int(players.report[0])].reshape(-1, 2)
        return {int(aim): float(worth) for aim, worth in tried}


def _one_game(at: GameArrays, game: int) -> GameArrays:
    """A copy of one of the games."""
    states: Any = at.games
    masks: Any = at.masks
    state = states[game : game + 1].view(np.uint8).copy().view(dtype_of(State))
    return GameArrays(state, words_of(state), at.tables, masks[game : game + 1].copy())


class LessonPlayers(PlanPolicy):
    """Players in all seats, and the questions that they were asked."""

    def __init__(self, value: Value, margin: float, stray: float, seed: int, pupil: Chooser | None) -> None:
        super().__init__(self._play)
        self._teacher, self._margin, self._stray, self._pupil = Teacher(value, seed), margin, stray, pupil
        self._chance = np.random.default_rng([seed, 1])
        self._at: GameArrays | None = None
        self._kept: list[Questions] = []

    def answer(self, at: GameArrays, which: NDArray[np.int64]) -> NDArray[np.int64]:
        """Choose a plan where there is a question, and return the next action of each game."""
        self._at = at
        return super().answer(at, which)

    def questions(self) -> Questions:
        """All questions so far that the teacher has an answer to."""
        return joined(self._kept)

    def _play(self, seen: Any, masks: NDArray[np.bool_], which: NDArray[np.int64]) -> NDArray[np.int64]:
        gains = np.stack([self._gains_of(int(game)) for game in which])
        counts = masks.sum(axis=1)
        self._keep(seen, gains, counts)
        if self._pupil is None:
            good = np.where(np.isnan(gains), -np.inf, gains)
            good[:, 0] = self._margin
            chosen = good.argmax(axis=1)
        else:
            chosen = self._pupil(seen, masks, which)
        strays = self._chance.random(len(which)) < self._stray
        anything = (self._chance.random(len(which)) * counts).astype(np.int64)
        played: NDArray[np.int64] = np.where(strays, anything, chosen)
        return played

    def _gains_of(self, game: int) -> NDArray[np.float32]:
        """Gains of the choices of a game, NaN for those that the teacher does not try out. If several choices have the
        same aim, only the first has a gain."""
        assert self._at is not None
        gains = np.full(CHOICES, np.nan, np.float32)
        worths = self._teacher.worths(self._at, game)
        usual = worths.pop(NO_AIM, None)
        if usual is not None:
            gains[0] = 0
            for choice, aim in enumerate(self.table.aims[game, : self.table.counts[game]]):
                if choice > 0 and int(aim) in worths:
                    gains[choice] = worths.pop(int(aim)) - usual
        return gains

    def _keep(self, seen: Any, gains: NDArray[np.float32], counts: NDArray[np.int64]) -> None:
        known = ~np.isnan(gains[:, 0])
        choices, summaries = (seen[name][known].astype(np.float16) for name in ("choices", "summary"))
        decisions = np.array([len(gains)])
        self._kept.append(Questions(choices, summaries, gains[known], counts[known].astype(np.int8), decisions))

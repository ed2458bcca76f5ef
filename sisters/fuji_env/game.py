"""`Game`: one game of Fuji as a Python object.

>>> from fuji_env import Game, Rules
>>> game = Game(Rules(players=3), seed=7)
>>> while not game.over:
...     game.step(game.legal_actions()[0])
>>> game.outcome.won
False
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from fuji_env.content.model import EQUIPMENT, INJURIES, NUMBERS, SKILLS
from fuji_env.rules.base.actions import TABLE
from fuji_env.rules.base.names import Reason
from fuji_env.rules.base.phases import QUESTIONS, Phase
from fuji_env.rules.base.state import State
from fuji_env.rules.engine.batches import score_of_game
from fuji_env.rules.engine.engine import deal_game, step_games
from fuji_env.rules.engine.hidden import blank_hidden, deal_hidden
from fuji_env.saved import FORMAT
from fuji_env.settings import Rules
from fuji_env.vocabulary import Vocabulary
from fujikoro_env.kernel.game import ChanceError, Parts, TableGame
from fujikoro_env.kernel.text import quoted

PARTS: Final = Parts(
    State,
    TABLE,
    Phase,
    QUESTIONS,
    deal_game,
    step_games,
    blank_hidden,
    deal_hidden,
    FORMAT,
    ("loaded_dice", "loaded_draws"),
    hides_answers=True,
)


@dataclass(frozen=True)
class FigureOutcome:
    """How a game went for one figure."""

    skill: str
    stamina: int  # steps taken
    injuries: tuple[str, ...]
    equipment: tuple[str, ...]  # unused cards


@dataclass(frozen=True)
class Outcome:
    """How a game ended.

    * `reason`: "villages" for a win; "lava" or "stamina" for a loss
    * `won`: whether the team won
    * `ranking`, `winners`: all players share rank 1 if they won and rank 2 if they lost, and then there are no winners
    * `scores`: the score of the team, for each player (END-3)
    * `rounds`: the round in which the game ended
    * `figures`: a `FigureOutcome` for each figure
    """

    reason: str
    won: bool
    ranking: tuple[int, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    rounds: int
    figures: tuple[FigureOutcome, ...]


def outcome_of(state: Any, score: int) -> Outcome:
    """The outcome of a finished game, given its final record and score."""
    players, won = int(state.settings.players), int(state.reason) == Reason.VILLAGES
    return Outcome(
        reason=Reason(int(state.reason)).name.lower(),
        won=won,
        ranking=(1 if won else 2,) * players,
        winners=tuple(range(players)) if won else (),
        scores=(score,) * players,
        rounds=int(state.round_number),
        figures=tuple(_figure(state.figures[k]) for k in range(int(state.settings.figures))),
    )


def _figure(figure: Any) -> FigureOutcome:
    return FigureOutcome(
        SKILLS[int(figure.skill)],
        int(figure.stamina),
        tuple(name for k, name in enumerate(INJURIES) if int(figure.injuries) >> k & 1),
        tuple(name for k, name in enumerate(EQUIPMENT) if int(figure.equipment) >> k & 1),
    )


class Game(TableGame):
    """One game of Fuji, always at a decision: player `actor` must answer the question `phase`.

    `rules` define the game that is played. `seed`, an integer from 0 to 2**62 - 1, fixes all chance: the same rules,
    seed and actions produce the same game on any machine. `str(game)` shows the table as text.
    """

    parts: ClassVar[Parts] = PARTS
    rules: Rules

    def __init__(self, rules: Rules | None = None, seed: int = 0) -> None:
        super().__init__(Rules() if rules is None else rules, seed)

    @property
    def vocabulary(self) -> Vocabulary:
        """Names of actions and places in this game."""
        return Vocabulary(self.rules.pack, self.state)

    def _name_of(self, action: int) -> str:
        return self.vocabulary.action_name(action)

    @property
    def figure(self) -> int:
        """The figure that the current question is about; -1 when the game is over."""
        return -1 if self.over else int(self.state.stack[self.state.depth - 1].figure)

    # loaded dice and draws

    def load_dice(self, numbers: Iterable[int]) -> None:
        """Set the results of the next dice, in rolling order: 1 to 6."""
        codes = list(numbers)
        if wrong := [one for one in codes if one not in range(1, NUMBERS + 1)]:
            raise ChanceError(f"die {quoted(wrong[0])}: allowed are 1 to {NUMBERS}")
        self._load(self.state.loaded_dice, codes, "dice")

    def load_draws(self, ids: Iterable[str]) -> None:
        """Set the next draws of equipment cards."""
        names = list(ids)
        if unknown := [name for name in names if name not in EQUIPMENT]:
            raise ChanceError(f"there is no equipment {quoted(unknown[0])}: there are {', '.join(EQUIPMENT)}")
        self._load(self.state.loaded_draws, [EQUIPMENT.index(name) + 1 for name in names], "draws")

    # result

    @property
    def scores(self) -> tuple[int, ...]:
        """Score of the team, for each player: 0 until the game is won (END-3)."""
        return (score_of_game(self._games, 0),) * self.rules.players

    @property
    def outcome(self) -> Outcome | None:
        """The result of the game; None while it is still running."""
        return outcome_of(self.state, score_of_game(self._games, 0)) if self.over else None

    # saving and observing

    def _position_fault(self) -> str:
        from fuji_env.position import judge_game

        return judge_game(self)

    def to_json(self) -> str:
        """The position as JSON that people can read and edit. docs/fuji/positions.md describes the format."""
        from fuji_env.position import to_json

        return to_json(self)

    @classmethod
    def from_json(cls, text: str, content: str | Path | None = None) -> "Game":
        """Read a position written by `to_json` or by hand. An invalid position raises `PositionError`. The game is not
        advanced, even if only one action is legal. `content`: the current path of the content pack, if it has moved."""
        from fuji_env.position import from_json

        return from_json(text, content)

    def observe(self, player: int, kind: str = "tensor") -> Any:
        """What a player sees: a dictionary of arrays ("tensor") or one vector ("compact")."""
        from fuji_env.observation import observe

        return observe(self._games, self._tables, self._player(player), kind)

    def global_state(self) -> NDArray[np.float32]:
        """Everything in the game, for centralised critics: the compact observation with all dice open."""
        from fuji_env.observation import global_state

        return global_state(self._games, self._tables)

    def __str__(self) -> str:
        from fuji_env.render.text import table_text

        return table_text(self)

    def _repr_svg_(self) -> str:
        from fuji_env.render.svg import table_svg

        return table_svg(self)

"""What happened last, in words: who did what, the dice that were rolled, and what changed on the table."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from fujikoro_env.game import Game
from fujikoro_env.render.look import TableLook, look
from fujikoro_env.render.news import news
from fujikoro_env.render.rolls import Roll, rolls_of, words_of

STEPS = 16  # that are kept; a turn is made of several


class Moment:
    """A position that was, read when somebody asks."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self.game = game.clone()
        self._names = names

    @cached_property
    def table(self) -> TableLook:
        return look(self.game, self._names)

    @property
    def has_fight(self) -> bool:
        return bool(self.game.state.fight.fighters["inside"].any())


@dataclass
class Step:
    before: Moment
    action: int
    after: Moment

    @property
    def who(self) -> str:
        return f"player {self.before.game.actor}"

    @cached_property
    def rolls(self) -> list[Roll]:
        return rolls_of(self.before.game, self.action, self.after.game)

    @cached_property
    def words(self) -> str:
        name = self.before.game.action_name(self.action)
        told = [words_of(roll) for roll in self.rolls] + news(self.before.table, self.after.table)
        own = [_of_actor(item, self.who) for item in told if not _is_said(item, name, self.who)]
        return f"{name} [{'; '.join(own)}]".replace("_", " ") if own else name.replace("_", " ")


def _is_said(item: str, name: str, who: str) -> bool:
    """The name of the action says as much: where a step led, what was laid, that an action costs a disc."""
    if not item.startswith(who):
        return False
    kind = name.partition("(")[0]
    deeds = {"step": ("is on",), "lay": ("has",), "rest": ("takes the discs",)}
    return item.removeprefix(f"{who} ").startswith(("puts a disc", *deeds.get(kind, ())))


def _of_actor(item: str, who: str) -> str:
    return item.removeprefix(f"{who} ").removeprefix("has ") if item.startswith(f"{who} ") else item


class Chronicle:
    """The last steps of a game. To note one costs a copy of the game; words are found when they are wanted."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        """`names`: of the agents that play, seat by seat."""
        self.names = names
        self._last: Moment | None = None
        self._steps: deque[Step] = deque(maxlen=STEPS)

    def begin(self, game: Game) -> None:
        self._last = Moment(game, self.names)
        self._steps.clear()

    def note(self, action: int, game: Game) -> None:
        """The game after the action; it was begun, or noted, before."""
        if self._last is None:
            raise ValueError("a chronicle begins with begin(game)")
        now = Moment(game, self.names)
        self._steps.append(Step(self._last, action, now))
        self._last = now

    def lines(self) -> list[str]:
        """The last comes first; what one player does in a row is one line."""
        runs = [(who, list(steps)) for who, steps in groupby(self._steps, key=lambda step: step.who)]
        return [f"{who}: {', '.join(step.words for step in steps)}" for who, steps in reversed(runs)]

    def rolls(self) -> list[Roll]:
        """The dice of the fight that goes on, or of the last step if that ended one; the last roll comes last."""
        steps = list(self._steps)
        if not steps or not steps[-1].after.has_fight:
            return steps[-1].rolls if steps else []
        told: list[Roll] = []
        for step in reversed(steps):
            told = [*step.rolls, *told]
            if not step.before.has_fight:
                break
        return told

    def table(self, game: Game) -> TableLook:
        """What lies on the table of this game, which is mostly the one that was noted last."""
        last = self._last
        if last is not None and last.game.state.tobytes() == game.state.tobytes():
            return last.table
        return look(game, self.names)

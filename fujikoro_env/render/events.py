"""The latest events in words: who did what, the dice that were rolled, and what changed on the table."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from fujikoro_env.game import Game
from fujikoro_env.render.look import TableLook, look
from fujikoro_env.render.news import news
from fujikoro_env.render.rolls import Roll, rolls_of, words_of

STEPS = 16  # number of steps to keep; a turn consists of several


class Moment:
    """A past position. Its table is read only when it is needed."""

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
    """Whether the action's name says this already: where a step led, what was laid, that an action costs a disc."""
    if not item.startswith(who):
        return False
    kind = name.partition("(")[0]
    deeds = {"step": ("is on",), "lay": ("has",), "rest": ("takes the discs",)}
    return item.removeprefix(f"{who} ").startswith(("puts a disc", *deeds.get(kind, ())))


def _of_actor(item: str, who: str) -> str:
    return item.removeprefix(f"{who} ").removeprefix("has ") if item.startswith(f"{who} ") else item


class Chronicle:
    """The last steps of a game. Noting a step only copies the game; the words are found when they are needed."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        """`names`: the agents' names, by seat."""
        self.names = names
        self._last: Moment | None = None
        self._steps: deque[Step] = deque(maxlen=STEPS)

    def begin(self, game: Game) -> None:
        self._last = Moment(game, self.names)
        self._steps.clear()

    def note(self, action: int, game: Game) -> None:
        """Add the step that led to this position from the one noted before."""
        if self._last is None:
            raise ValueError("a chronicle begins with begin(game)")
        now = Moment(game, self.names)
        self._steps.append(Step(self._last, action, now))
        self._last = now

    def lines(self) -> list[str]:
        """The events, newest first. Consecutive steps of one player share a line."""
        runs = [(who, list(steps)) for who, steps in groupby(self._steps, key=lambda step: step.who)]
        return [f"{who}: {', '.join(step.words for step in steps)}" for who, steps in reversed(runs)]

    def rolls(self) -> list[Roll]:
        """Rolls of the current fight, or of the last step if it ended a fight, oldest first."""
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
        """The table of a game, read again only if the game is not the one noted last."""
        last = self._last
        if last is not None and last.game.state.tobytes() == game.state.tobytes():
            return last.table
        return look(game, self.names)

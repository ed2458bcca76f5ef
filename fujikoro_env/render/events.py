"""What happened last, in words: who did what, the dice that were rolled, and what changed on the table."""

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from fujikoro_env.game import Game
from fujikoro_env.render.look import TableLook, look
from fujikoro_env.render.news import news
from fujikoro_env.render.rolls import rolls

STEPS = 16  # that are kept; a turn is made of several


class Moment:
    """A position that was, read when somebody asks."""

    def __init__(self, game: Game) -> None:
        self.game = game.clone()

    @cached_property
    def table(self) -> TableLook:
        return look(self.game)


@dataclass
class Step:
    before: Moment
    action: int
    after: Moment

    @property
    def who(self) -> str:
        return f"player {self.before.game.actor}"

    @cached_property
    def words(self) -> str:
        name = self.before.game.action_name(self.action)
        told = rolls(self.before.game, self.action, self.after.game) + news(self.before.table, self.after.table)
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

    def __init__(self) -> None:
        self._last: Moment | None = None
        self._steps: deque[Step] = deque(maxlen=STEPS)

    def begin(self, game: Game) -> None:
        self._last = Moment(game)
        self._steps.clear()

    def note(self, action: int, game: Game) -> None:
        """The game after the action; it was begun, or noted, before."""
        if self._last is None:
            raise ValueError("a chronicle begins with begin(game)")
        now = Moment(game)
        self._steps.append(Step(self._last, action, now))
        self._last = now

    def lines(self) -> list[str]:
        """The last comes first; what one player does in a row is one line."""
        runs = [(who, list(steps)) for who, steps in groupby(self._steps, key=lambda step: step.who)]
        return [f"{who}: {', '.join(step.words for step in steps)}" for who, steps in reversed(runs)]

"""`History`: the actions of a game, from which every position can be played again."""

from typing import Any, Final

KEPT_EVERY: Final = 20  # steps between stored games, so that any position is only a few steps after one


class History:
    """The actions since the start of a game. A position is the number of steps done; 0 is the start."""

    def __init__(self, start: Any) -> None:
        self.actions: list[int] = []
        self._kept = {0: start.clone()}  # stored games by position, cloned before anybody steps them

    @property
    def last(self) -> int:
        """The latest position."""
        return len(self.actions)

    def append(self, action: int, game: Any) -> None:
        """Add an action; `game` is the game after it."""
        self.actions.append(action)
        if len(self.actions) % KEPT_EVERY == 0:
            self.keep(game)

    def keep(self, game: Any) -> None:
        """Store the game at the latest position. This is needed if something other than an action changed it, such as
        loaded dice."""
        self._kept[self.last] = game.clone()

    def game_at(self, position: int) -> Any:
        """A copy of the game at a position, which the caller may play on."""
        if not 0 <= position <= self.last:
            raise IndexError(f"position {position}: there are 0 to {self.last}")
        near = max(kept for kept in self._kept if kept <= position)
        game = self._kept[near].clone()
        for action in self.actions[near:position]:
            game.step(action)
        return game

    def cut(self, position: int) -> None:
        """Forget everything after a position."""
        del self.actions[position:]
        self._kept = {kept: game for kept, game in self._kept.items() if kept <= position}

    def until(self, position: int) -> "History":
        """A copy of the history that ends at a position."""
        part = History.__new__(History)
        part.actions, part._kept = list(self.actions), dict(self._kept)
        part.cut(position)
        return part

"""A whole game as lines that a person can follow: each decision with its player, question and answer, and every change.

Changes are found by comparing the position as JSON before and after. Every `DIGEST_EVERY` decisions a line gives the
digest of the whole record, so that a difference the lines do not show is not missed for long. Each game has a
`Transcript` of its own, which knows its positions.
"""

import textwrap
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Protocol

DIGEST_EVERY = 25  # decisions
WIDTH = 120
INDENT = 56  # column in which changes start


class Player(Protocol):
    """Answers for all seats."""

    def choose(self, game: Any) -> int: ...


class Transcript(ABC):
    """How the games of one game are told."""

    @abstractmethod
    def position(self, game: Any) -> dict[str, Any]:
        """The position as JSON."""

    @abstractmethod
    def told(self, position: dict[str, Any]) -> dict[str, Any]:
        """The position with everything that is shown, under the names by which it is shown."""

    @abstractmethod
    def head(self, position: dict[str, Any], seed: int) -> Iterable[str]:
        """The first lines: the rules, and what was dealt."""

    @abstractmethod
    def turn(self, game: Any) -> tuple[int, int]:
        """What begins another paragraph when it changes."""

    @abstractmethod
    def turn_head(self, game: Any) -> str:
        """The first line of a paragraph."""

    @abstractmethod
    def luck(self, before: Any, action: int, after: Any) -> list[str]:
        """What chance gave in a step."""

    @abstractmethod
    def end(self, game: Any) -> Iterable[str]:
        """The last lines."""

    def special(self, _label: str, _new: Any) -> list[str] | None:
        """Own words for a change, if there are any."""
        return None

    def lines(self, game: Any, player: Player, seed: int) -> Iterator[str]:
        """The lines of a game, from this position to the end."""
        decisions, turn = 0, (-1, 0)
        position = self.position(game)
        yield from self.head(position, seed)
        while not game.over:
            if self.turn(game) != turn:
                turn = self.turn(game)
                yield from ("", self.turn_head(game))
            before, old = game.clone(), position
            action = player.choose(game)
            game.step(action)
            position, decisions = self.position(game), decisions + 1
            told = [*self.luck(before, action, game), *self.changes(old, position)]
            asked = f"{decisions:>5} p{before.actor} {before.phase.name:<13} {before.action_name(action)}"
            yield from folded(f"{asked:<{INDENT - 1}} ", told)
            if decisions % DIGEST_EVERY == 0:
                yield f"      -- digest {game.digest()}"
        yield from self.end(game)

    def changes(self, before: dict[str, Any], after: dict[str, Any]) -> list[str]:
        """The differences between two positions, in words: `p0 vp 3 -> 5`, `ring1.2 mossy_gate turned 3`."""
        old, new = self.told(before), self.told(after)
        return [part for key in _keys(old, new) for part in self.change(key, old.get(key), new.get(key))]

    def change(self, label: str, old: Any, new: Any) -> list[str]:
        """The change of one thing."""
        if (old or None) == (new or None):  # nothing, none and 0 are shown alike
            return []
        if (own := self.special(label, new)) is not None:
            return own
        if isinstance(old, dict) or isinstance(new, dict):
            return self._change_of_things(label, old or {}, new or {})
        if isinstance(old, list) or isinstance(new, list):
            return self._change_of_list(label, old or [], new or [])
        if isinstance(old or new, int) and not isinstance(old or new, bool):
            return [f"{label} {old or 0} -> {new or 0}"]
        return [f"{label} {shown(new)}".rstrip() if new else f"{label} no more"]

    def _change_of_things(self, label: str, old: dict[str, Any], new: dict[str, Any]) -> list[str]:
        """Changes of the parts of a thing: one entry under the label, or one for each part if those have parts, too."""
        keys = _keys(old, new)
        if any(isinstance(value, dict) for value in chain(old.values(), new.values())) or _is_player(label):
            return [part for key in keys for part in self.change(f"{label} {key}", old.get(key), new.get(key))]
        parts = [part for key in keys for part in self.change(key, old.get(key), new.get(key))]
        return [f"{label} {', '.join(parts)}"]

    def _change_of_list(self, label: str, old: list[Any], new: list[Any]) -> list[str]:
        if any(isinstance(item, dict | list) for item in chain(old, new)):
            slots = range(max(len(old), len(new)))
            return [part for k in slots for part in self.change(f"{label} {k}", _item(old, k), _item(new, k))]
        lost, won = Counter(old) - Counter(new), Counter(new) - Counter(old)
        signs = [*(f"+{item}" for item in won.elements()), *(f"-{item}" for item in lost.elements())]
        return [f"{label} {' '.join(signs)}"] if signs else []


def folded(head: str, parts: list[str]) -> list[str]:
    """The head followed by the parts, on as many lines as needed."""
    room = textwrap.TextWrapper(WIDTH, head, " " * min(len(head), INDENT), break_long_words=False)
    room.break_on_hyphens = False
    return room.wrap("; ".join(parts)) or [head.rstrip()]


def shown(value: Any) -> str:
    """A value in a few words."""
    return "" if value is True else str(value)


def _is_player(label: str) -> bool:
    return label[0] == "p" and label[1:].isdigit()


def _item(items: list[Any], k: int) -> Any:
    return items[k] if k < len(items) else None


def _keys(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys([*old, *new]))

"""Tables of actions: numbered blocks, from which offsets, names, parsing and masks of a game are derived; and checks of
actions that callers give.

An action is a number below `ActionTable.size`: the first number of its block plus an index into the block's arguments.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.text import quoted

WORD_BITS: Final = 32
MOST: Final = int(np.iinfo(np.int64).max)
WHOLE: Final = "iu"  # kinds of NumPy types


class InvalidActionError(ValueError):
    """Raised when an action is not a whole number, or when there is not one action for each game. Nothing has
    changed. A whole number that is not legal raises `IllegalActionError` instead."""


@dataclass(frozen=True)
class Block:
    """A run of actions that differ in one argument. `arguments` is empty for a single action without an argument."""

    name: str
    doc: str
    arguments: tuple[str, ...] = ()
    first: int = 0  # the number of its first action

    @property
    def size(self) -> int:
        """Number of actions in the block."""
        return max(1, len(self.arguments))


class ActionTable(Mapping[str, Block]):
    """The actions of a game: its blocks by name, in the order of their numbers."""

    def __init__(self, *blocks: Block) -> None:
        self._blocks: dict[str, Block] = {}
        first = 0
        for block in blocks:
            self._blocks[block.name] = Block(block.name, block.doc, block.arguments, first)
            first += block.size
        self.size: Final = first
        self.words: Final = -(-first // WORD_BITS)  # of a mask
        self.allowed: Final = f"allowed are the whole numbers from 0 to {first - 1}"

    def __getitem__(self, name: str) -> Block:
        return self._blocks[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._blocks)

    def __len__(self) -> int:
        return len(self._blocks)

    @cached_property
    def _block_of(self) -> tuple[Block, ...]:
        return tuple(block for block in self.values() for _ in range(block.size))

    def first(self, name: str) -> int:
        """Return the number of the first action of a block."""
        return self._blocks[name].first

    def block_of(self, action: int) -> Block:
        """Return the block that an action number belongs to."""
        if not 0 <= action < self.size:
            raise InvalidActionError(f"action {quoted(action)}: {self.allowed}")
        return self._block_of[action]

    def plain_name(self, action: int) -> str:
        """Return the name of an action, with its argument as in the table: `play(whistle)`, `done`."""
        block = self.block_of(action)
        return f"{block.name}({block.arguments[action - block.first]})" if block.arguments else block.name

    def parse(self, name: Any, name_of: Callable[[int], str] | None = None) -> int:
        """Return the action with this name. `name_of`: names in the current position, if they differ from the
        table's."""
        name_of = name_of or self.plain_name
        block = self._blocks.get(name.partition("(")[0].strip()) if isinstance(name, str) else None
        if block is None:
            raise ValueError(f"no action is called {quoted(name)}: names begin with {', '.join(self)}")
        for action in range(block.first, block.first + block.size):
            if name_of(action) == name.strip():
                return action
        raise ValueError(f"no action is called {quoted(name)}: for example {name_of(block.first)}")

    def whole_action(self, given: Any) -> int:
        """An action as a Python integer. Integers of Python and NumPy and integer arrays without dimensions are taken;
        bools, floats, strings and everything else are refused."""
        if isinstance(given, int | np.integer) and not isinstance(given, bool):
            number = int(given)
        else:
            array = _array(given)
            if array is None or array.ndim or array.dtype.kind not in WHOLE:
                raise InvalidActionError(f"action {quoted(given)}: {self.allowed}")
            number = int(array)
        if not -MOST <= number <= MOST:
            raise InvalidActionError(f"action {quoted(number)}: {self.allowed}")
        return number

    def whole_actions(self, given: Any, number: int) -> NDArray[np.int64]:
        """Actions of many games as an array, one for each game. An array costs next to nothing to check, a list some
        time for each of its members."""
        if isinstance(given, list | tuple):
            given = np.array([self.whole_action(one) for one in given], np.int64)
        array = _array(given)
        if array is None or array.dtype.kind not in WHOLE:
            kind = "" if array is None or array.dtype.kind == "O" else f" of type {array.dtype}"
            raise InvalidActionError(f"actions{kind} {quoted(given, 80)}: {self.allowed}")
        if array.shape != (number,):
            raise InvalidActionError(f"actions have shape {array.shape}: one for each game is needed, ({number},)")
        if array.dtype == np.uint64 and (array > MOST).any():
            raise InvalidActionError(f"action {array.max()}: {self.allowed}")
        actions = np.ascontiguousarray(array, np.int64)
        return actions if actions.flags.carray else actions.copy()  # compiled code takes no read-only arrays


def _array(given: Any) -> NDArray[Any] | None:
    """Anything as an array, if possible."""
    try:
        return np.asarray(given)
    except Exception:  # the conversion runs code of the object, which may raise anything
        return None

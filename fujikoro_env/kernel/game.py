"""`TableGame`: what the Python objects of all games have in common. A game is one NumPy record that always waits for
one answer of one player, and is stepped by compiled code.

A game's own class sets `parts`, makes its rules and record, and adds its own results and pictures. Its record has the
fields `settings`, `reason` (0 while the game runs), `depth` and `stack`, whose frames have `phase` and `actor`.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.action_table import ActionTable
from fujikoro_env.kernel.commands import NO_ACTION, NOT_OVER, ONLY_LEGAL, Fault
from fujikoro_env.kernel.records import dtype_of, zeros
from fujikoro_env.kernel.saved_games import SavedFormat, SavedGameError
from fujikoro_env.kernel.text import quoted

SEED_BITS: Final = 62
WORD: Final = 8  # bytes
NO_FAULT, ILLEGAL_ACTION = int(Fault.NONE), int(Fault.ILLEGAL_ACTION)  # looking up an enum at every step is slow


class IllegalActionError(ValueError):
    """Raised when an action is not legal now. The game is unchanged."""

    def __init__(self, name: str, phase: str, legal: list[str]) -> None:
        super().__init__(name, phase, legal)  # all arguments, so that the error survives pickling
        self.name, self.phase, self.legal = name, phase, legal

    def __str__(self) -> str:
        refused = f"in {self.phase}; legal: {', '.join(self.legal)}" if self.legal else "because the game is over"
        return f"{self.name} is not legal {refused}"


class ChanceError(ValueError):
    """Raised when loaded dice or draws do not fit what the game rolls or draws. The game is unchanged."""


@dataclass(frozen=True)
class Parts:
    """What a game's class is made of: its record, its tables, and its compiled entries."""

    state: type[Any]  # record class
    actions: ActionTable
    phases: type[IntEnum]  # with `NONE` and a question for each phase that asks
    questions: Any  # by phase
    deal: Callable[..., None]  # games, tables, index, seed
    step: Callable[..., int]  # games, tables, first, last, actions, masks
    blank: Callable[..., None]  # games, tables, index, player
    redeal: Callable[..., None]  # games, tables, index, player, seed
    saved: SavedFormat
    loaded: tuple[str, ...] = ()  # fields that hold loaded dice and draws
    hides_answers: bool = False  # whether only the player who is asked may see the legal actions

    def __post_init__(self) -> None:
        if (size := dtype_of(self.state).itemsize) % WORD:
            raise TypeError(f"{self.state.__name__} has {size} bytes, no multiple of {WORD}: declare a field as i64")


class GameArrays(NamedTuple):
    """Arrays of `n` games under the same rules, for compiled code. They are the games themselves, not copies. A game
    whose compiled agents take them has a class of its own, with the types of its records."""

    games: Any  # (n,) records
    words: Any  # (n, words per record) int64: the same memory, to copy and compare
    tables: Any  # (1,): the content
    masks: Any  # (n, words) uint32: the legal actions as bits


def checked_rules(rules: Any) -> Any:
    """Refuse what can't be rules, such as a seed in their place."""
    if isinstance(rules, type) or not hasattr(rules, "write_settings"):
        raise TypeError(f"rules={quoted(rules)}: give Rules(...), or leave it out")
    return rules


class TableGame:
    """One game, always at a decision: player `actor` must answer the question `phase`. `rules` define the game that is
    played: an object with `players`, `tables` and `write_settings`. `seed` fixes all chance."""

    parts: ClassVar[Parts]

    def __init__(self, rules: Any, seed: int = 0) -> None:
        self.rules = checked_rules(rules)
        if not is_whole_number(seed) or not 0 <= seed < 1 << SEED_BITS:
            raise ValueError(f"seed={quoted(seed)}: allowed are the whole numbers from 0 to 2**{SEED_BITS} - 1")
        self._hold(zeros(self.parts.state, 1), new_masks(self.parts.actions, 1), rules.tables)
        rules.write_settings(self._games[0].settings)
        self.parts.deal(self._games, self._tables, 0, int(seed))
        self._checked(self._run(NO_ACTION))

    def _hold(self, games: Any, masks: Any, tables: Any) -> None:
        """Take over a batch of one game and its mask."""
        self._games, self._masks, self._tables = games, masks, tables
        self._step_games, self._size = self.parts.step, self.parts.actions.size  # each lookup counts in a step
        action: Any = np.zeros(1, np.int64)
        self._action, self._chosen = action, memoryview(action)
        # Views into the record, because reading an attribute of a NumPy record is a hundred times slower. Items of a
        # memoryview are plain Python numbers.
        self._reason, self._depth = memoryview(games["reason"]), memoryview(games["depth"])
        self._actors = memoryview(games["stack"]["actor"][0])
        self._mask_bytes = masks.view(np.uint8)[0]
        self._words = games.view(np.int64).reshape(1, -1)
        self._viewer: int | None = None
        self._luck_is_loaded = False

    @classmethod
    def of_record(cls, games: Any, rules: Any, viewer: int | None = None, mask: Any = None) -> Self:
        """Wrap a record, given as an array of length 1. `viewer` is the player whose view the record is, if it is a
        view. `mask` holds the bits of its legal actions; without it they are found, so rules must be able to work on
        the position."""
        game = cls._wrapped(games, rules, viewer)
        if mask is not None:
            game._masks[0] = mask
        elif game._may_answer:
            game._checked(game.find_legal())
        return game

    @classmethod
    def _wrapped(cls, games: Any, rules: Any, viewer: int | None) -> Self:
        """Wrap a record whose legal actions are not known."""
        game = cls.__new__(cls)
        game.rules = rules
        game._hold(games, new_masks(cls.parts.actions, 1), rules.tables)
        game._viewer = viewer
        game._luck_is_loaded = any(games[0][name].any() for name in cls.parts.loaded)
        return game

    def find_legal(self) -> int:
        """Find the legal actions of the current position without advancing it. Returns the fault, 0 if there is
        none."""
        return self._run(ONLY_LEGAL)

    def _run(self, action: int) -> int:
        self._chosen[0] = action
        return self._step_games(self._games, self._tables, 0, 1, self._action, self._masks)

    # the current decision

    @property
    def state(self) -> Any:
        """The game's NumPy record, for reading only. Writing to it bypasses the rules."""
        return self._games[0]

    @property
    def compiled(self) -> Any:
        """The game as arrays of length 1, for compiled code. They share its memory."""
        return GameArrays(self._games, self._words, self._tables, self._masks)

    @property
    def viewer(self) -> int | None:
        """The player whose view this is; None for a full game."""
        return self._viewer

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._reason[0] != NOT_OVER

    @property
    def actor(self) -> int:
        """The player who must decide; -1 when the game is over."""
        return self._actors[self._depth[0] - 1] if self._reason[0] == NOT_OVER else -1

    @property
    def phase(self) -> Any:
        """The question that the actor must answer; `Phase.NONE` when the game is over."""
        return self.parts.phases(0 if self.over else int(self._games["stack"]["phase"][0, self._depth[0] - 1]))

    @property
    def question(self) -> str:
        """The question to the actor, as a sentence."""
        return "The game is over." if self.over else str(self.parts.questions[self.phase])

    @property
    def _may_answer(self) -> bool:
        """Whether the legal actions show. In some games the views of players who are not asked hide them."""
        return not self.parts.hides_answers or self._viewer is None or self._viewer == self.actor

    def legal_mask(self, dtype: Any = np.bool_) -> NDArray[Any]:
        """Mask of the legal actions: (actions,) bool, or another one-byte `dtype`. If the game hides the answers, it
        is empty in the view of a player who is not asked."""
        return np.unpackbits(self._mask_bytes, None, self._size, "little").view(dtype)

    def legal_actions(self) -> NDArray[np.intp]:
        """Numbers of the legal actions, in ascending order."""
        return np.flatnonzero(self.legal_mask())

    def action_name(self, action: int) -> str:
        """Name of an action in this position."""
        number = self.parts.actions.whole_action(action)
        self.parts.actions.block_of(number)  # raises if there is no such action
        return self._name_of(number)

    def parse_action(self, name: str) -> int:
        """Number of the action with this name, which need not be legal now."""
        return self.parts.actions.parse(name, self._name_of)

    def _name_of(self, action: int) -> str:
        """Name of an action that exists. Games whose names depend on the position override this."""
        return self.parts.actions.plain_name(action)

    # playing

    def step(self, action: int) -> None:
        """Carry out an action and advance to the next decision. An illegal action raises `IllegalActionError`, one that
        is not a whole number `InvalidActionError`; then nothing has changed."""
        if self._viewer is not None:
            raise TypeError(
                f"this is player {self._viewer}'s view, not a game: step the game, or the result of determinize()"
            )
        number = action if type(action) is int else self.parts.actions.whole_action(action)
        # Only loaded dice and draws can make a step fail halfway, so keep a copy to restore if there are any.
        kept = self._games.tobytes() if self._luck_is_loaded else None
        # Negative numbers are commands to the engine, not actions of players.
        fault = self._run(number) if 0 <= number < self._size else ILLEGAL_ACTION
        if fault:
            self._refuse(self.parts.actions.whole_action(number), fault, kept)

    def _refuse(self, action: int, fault: int, kept: bytes | None) -> None:
        if fault == ILLEGAL_ACTION:
            name = self.action_name(action) if 0 <= action < self.parts.actions.size else f"action {action}"
            raise IllegalActionError(name, self.phase.name, [self.action_name(a) for a in self.legal_actions()])
        if kept is not None:
            self._games.view(np.uint8)[:] = np.frombuffer(kept, np.uint8)
            self.find_legal()
        self._checked(fault)

    def _checked(self, fault: int) -> None:
        if fault == Fault.LOADED_DIE:
            raise ChanceError("a loaded die is not of the kind that is rolled: load dice in rolling order")
        if fault == Fault.LOADED_DRAW:
            raise ChanceError("a loaded draw is not left in the deck")
        if fault:
            raise RuntimeError(
                f"internal error in the rules ({Fault(fault).name} in {self.phase.name}): please report it"
            )

    def clone(self) -> Self:
        """An independent copy of the game."""
        copy = type(self).__new__(type(self))
        copy.rules = self.rules
        copy._hold(copied(self._games), self._masks.copy(), self._tables)
        copy._viewer, copy._luck_is_loaded = self._viewer, self._luck_is_loaded
        return copy

    # hidden information

    def view(self, player: int) -> Self:
        """A copy of the game as one player sees it, with everything hidden from that player blanked. It can be read and
        determinized, but not stepped. Agents get such views."""
        copy = self.clone()
        self.parts.blank(copy._games, copy._tables, 0, self._player(player))
        copy._viewer, copy._luck_is_loaded = int(player), False
        if self.parts.hides_answers and not copy._may_answer:
            copy._masks[:] = 0
        return copy

    def determinize(self, player: int, seed: int) -> Self:
        """A full game that is consistent with what the player sees: everything hidden is dealt again from `seed`. A
        view and the original return the same game, so search can start from a view."""
        copy = self.clone()
        copy.parts.redeal(copy._games, copy._tables, 0, self._player(player), int(seed))
        copy._viewer, copy._luck_is_loaded = None, False
        if self.parts.hides_answers:
            copy.find_legal()
        return copy

    def _player(self, player: int) -> int:
        if not 0 <= player < self.rules.players:
            raise ValueError(f"player {quoted(player)}: allowed are 0 to {self.rules.players - 1}")
        return int(player)

    # loaded dice and draws

    def _load(self, queue: Any, codes: Sequence[int], what: str) -> None:
        """Set the next results of chance, in an array of the record."""
        if len(codes) > len(queue):
            raise ChanceError(f"{len(codes)} loaded {what}: at most {len(queue)} fit")
        queue[:] = 0
        queue[: len(codes)] = codes
        self._luck_is_loaded = True

    # saving

    def digest(self) -> str:
        """Hash of the position and its content. Equal positions have equal digests, in any process on any machine."""
        return hashlib.sha256(str(self.rules.pack.digest).encode() + self._games.tobytes()).hexdigest()[:16]

    def to_bytes(self) -> bytes:
        """The whole game as bytes, for `from_bytes`."""
        return self.parts.saved.write(self._games, self.rules, self._viewer)

    @classmethod
    def from_bytes(cls, saved: bytes, content: str | Path | None = None) -> Self:
        """Restore a game saved by `to_bytes`. Bytes that are damaged, or that hold an impossible position, raise
        `SavedGameError`. `content`: the current path of the content pack, if it has moved. Changes made to the pack in
        Python are saved with the game and applied again."""
        found = cls.parts.saved.read(saved, content)
        game = cls._wrapped(found.games, found.rules, found.viewer)
        if fault := game._position_fault():
            raise SavedGameError(f"saved game: {fault}")
        if game._may_answer and (game.find_legal() or not (game.over or game._masks.any())):
            raise SavedGameError(f"saved game: nothing can be answered in {game.phase.name}")
        return game

    def _position_fault(self) -> str:
        """Why a position whose numbers are within their bounds is impossible; "" if it is possible, or not judged."""
        return ""

    def __getstate__(self) -> bytes:
        return self.to_bytes()

    def __setstate__(self, saved: bytes) -> None:
        self.__dict__.update(type(self).from_bytes(saved).__dict__)

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self.clone()

    def __repr__(self) -> str:
        where = "over" if self.over else f"player {self.actor} in {self.phase.name}"
        return f"<{type(self).__name__} of {self.rules.players}: {where}>"


def is_whole_number(value: Any) -> bool:
    """Whether a value is an integer, but not a bool."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def new_masks(actions: ActionTable, n: int) -> Any:
    """Return empty masks for n games, as bits."""
    return np.zeros((n, actions.words), np.uint32)


def copied(games: Any) -> Any:
    """Return a copy of records: as bytes, because copying field by field is ten times slower."""
    copy = np.empty_like(games)
    copy.view(np.uint8)[:] = games.view(np.uint8)
    return copy

"""Drives games from decision to decision. General functions: a game gets its own with `engine_of`."""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from fujikoro_env.kernel.batch_masks import widen
from fujikoro_env.kernel.commands import NO_ACTION, NOBODY, NOT_OVER, ONLY_LEGAL, WAIT, Fault
from fujikoro_env.kernel.jit import ByteTable, IntArray, Words, WordTable, specialised
from fujikoro_env.kernel.masks import allows, clear, count_allowed, nth_allowed
from fujikoro_env.kernel.records import Records

S = TypeVar("S")
T = TypeVar("T")


class State(Protocol):
    """What the record of a game needs for its engine."""

    reason: int  # why the game is over; 0 while it runs
    fault: int
    settings: Any  # with `ask_forced`


class Tables:
    """Stands for the game's tables of content."""


class Rules(NamedTuple, Generic[S, T]):
    """The rules and numbers of a game that its engine is made of; dispatch.py has the middle three."""

    top: Callable[[S], Any]
    legal: Callable[[S, T, Words], None]  # mark the legal actions, and no others
    do: Callable[[S, T, int], None]  # carry out a legal action
    go: Callable[[S, T], None]  # take a step of the game itself
    first_automatic: int  # the first phase that asks nobody
    actions: int


class Asked(NamedTuple):
    """The current decisions of many games, one row per game."""

    actors: IntArray  # NOBODY if the game is over
    phases: IntArray
    masks: ByteTable  # legal actions, one byte per action


class Games(Protocol):
    """Stands for an array of the game's records."""

    def __getitem__(self, index: int) -> State: ...


class Contents(Protocol):
    """Stands for an array of one record, the game's tables."""

    def __getitem__(self, index: int) -> Tables: ...


class Engine(NamedTuple, Generic[S, T]):
    """The rules that drive the games of one record; the game's own entries call them.

    * `step(games, tables, first, last, actions, masks)`: step games first to last - 1, each with its action, and return
      a fault if there was one. `masks` holds the legal actions and is updated
    * `see(games, first, last, actions, masks, asked)`: write the current decisions of games first to last - 1, except
      those that WAIT, and return how many of them are over
    """

    step: Callable[[Records[S], Records[T], int, int, IntArray, WordTable], int]
    see: Callable[[Records[S], int, int, IntArray, WordTable, Asked], int]


def engine_of(
    state: type[S],
    tables: type[T],
    rules: Rules[S, T],
    unasked: Callable[[S, Words], int] | None = None,
    fetch: Callable[[Records[S], int], None] | None = None,
) -> Engine[S, T]:
    """Return the rules that drive games with these records. `unasked` returns the answer to a question that is asked of
    nobody, such as that of an automatic opponent, and NOBODY for all other questions. `fetch` prefetches a game
    (`jit.fetch_until`)."""
    games: Any = Records[state]  # type: ignore[valid-type]
    contents: Any = Records[tables]  # type: ignore[valid-type]
    given: dict[str, Any] = {"State": state, "Tables": tables, "Games": games, "Contents": contents, **rules._asdict()}
    given["unasked"] = unasked or specialised(ask_all, **given)
    given["fetch"] = fetch or specialised(fetch_nothing, **given)
    given["advance"] = specialised(advance, **given)
    given["step"] = specialised(step, **given)
    given["see"] = specialised(see, **given)
    return Engine(specialised(step_all, **given), specialised(see_all, **given))


def given_by_the_game(*_: Any) -> Any:
    """Stands for the game's own rule."""
    raise NotImplementedError


top = legal = do = go = unasked = fetch = given_by_the_game
first_automatic = actions = 0


def advance(s: State, t: Tables, mask: Words) -> None:
    """Advance to the next decision. A single legal action is carried out without asking, unless `ask_forced` is set."""
    clear(mask)
    while s.reason == NOT_OVER and s.fault == Fault.NONE:
        if top(s).phase >= first_automatic:
            go(s, t)
            continue
        legal(s, t, mask)
        choices = count_allowed(mask)
        if choices == 0:
            s.fault = Fault.NO_LEGAL_ACTION
            return
        action = unasked(s, mask)
        if action == NOBODY:
            if choices > 1 or s.settings.ask_forced != 0:
                return
            action = nth_allowed(mask, 0)
        do(s, t, action)
        clear(mask)


def step(s: State, t: Tables, action: int, mask: Words) -> int:
    """Carry out an action, advance to the next decision and return the fault. An illegal action changes nothing."""
    if action == WAIT:
        return Fault.NONE + 0
    if action == ONLY_LEGAL:
        clear(mask)
        if s.reason == NOT_OVER:
            legal(s, t, mask)
        return s.fault
    if action != NO_ACTION:
        if not 0 <= action < actions or s.reason != NOT_OVER or not allows(mask, action):
            return Fault.ILLEGAL_ACTION + 0
        do(s, t, action)
    advance(s, t, mask)
    return s.fault


def step_all(games: Games, tables: Contents, first: int, last: int, chosen: IntArray, masks: WordTable) -> int:
    """Step many games, each with its action."""
    fault = 0
    for g in range(first, last):
        fetch(games, min(g + 1, last - 1))
        result = step(games[g], tables[0], chosen[g], masks[g])
        if result != Fault.NONE:
            fault = result
    return fault


def see(s: State, index: int, asked: Asked) -> int:
    """Write who is asked what in the game with this index. Return 1 if it is over."""
    if s.reason != NOT_OVER:
        asked.actors[index] = NOBODY
        asked.phases[index] = 0
        return 1
    asked.actors[index] = top(s).actor
    asked.phases[index] = top(s).phase
    return 0


def see_all(games: Games, first: int, last: int, chosen: IntArray, masks: WordTable, asked: Asked) -> int:
    """Write the current decisions of many games."""
    over = 0
    for g in range(first, last):
        if chosen[g] != WAIT:
            over += see(games[g], g, asked)
            widen(masks[g], asked.masks[g], 0, actions)
    return over


def ask_all(s: State, mask: Words) -> int:
    """Ask every question."""
    return NOBODY


def fetch_nothing(games: Games, index: int) -> None:
    """Leave prefetching to the processor."""

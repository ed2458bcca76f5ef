"""Drives games from decision to decision. General functions: a game gets its own with `engine_of`."""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from fujikoro_env.kernel.commands import NO_ACTION, NOBODY, NOT_OVER, ONLY_LEGAL, WAIT, Fault
from fujikoro_env.kernel.jit import IntArray, Words, specialised
from fujikoro_env.kernel.masks import allows, clear, count_allowed, nth_allowed

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


class Engine(NamedTuple, Generic[S, T]):
    """The rules that drive one game."""

    step: Callable[[S, T, int, Words], int]
    see: Callable[[S, int, IntArray, IntArray], int]


def engine_of(
    state: type[S], tables: type[T], rules: Rules[S, T], unasked: Callable[[S, Words], int] | None = None
) -> Engine[S, T]:
    """Return the rules that drive a game with these records. `unasked` returns the answer to a question that is asked
    of nobody, such as that of an automatic opponent, and NOBODY for all other questions."""
    given: dict[str, Any] = {"State": state, "Tables": tables, **rules._asdict()}
    given["unasked"] = unasked or specialised(ask_all, State=state)
    given["advance"] = specialised(advance, **given)
    return Engine(specialised(step, **given), specialised(see, **given))


def given_by_the_game(*_: Any) -> Any:
    """Stands for the game's own rule."""
    raise NotImplementedError


top = legal = do = go = unasked = given_by_the_game
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


def see(s: State, index: int, actors: IntArray, phases: IntArray) -> int:
    """Write who is asked what in the game with this index. Return 1 if it is over."""
    if s.reason != NOT_OVER:
        actors[index] = NOBODY
        phases[index] = 0
        return 1
    actors[index] = top(s).actor
    phases[index] = top(s).phase
    return 0


def ask_all(s: State, mask: Words) -> int:
    """Ask every question."""
    return NOBODY

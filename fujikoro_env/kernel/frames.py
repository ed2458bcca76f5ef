"""The stack of frames. The top frame holds the question being asked, or the step that the game takes next.

General functions: a game gets its own with `stack_of`.
"""

from collections.abc import Callable
from typing import Generic, NamedTuple, Protocol, TypeVar

from fujikoro_env.kernel.commands import Fault
from fujikoro_env.kernel.jit import clear_record, specialised
from fujikoro_env.kernel.records import Records

S = TypeVar("S")
F = TypeVar("F")
FRAMES = 0  # given by the game


class Frame(Protocol):
    """What every frame has; a game adds fields."""

    phase: int
    actor: int


class State(Protocol):
    """What the record of a game needs for its stack."""

    stack: Records[Frame]
    depth: int  # number of frames in use
    fault: int


class Stack(NamedTuple, Generic[S, F]):
    """The rules that handle the stack of one game."""

    push: Callable[[S, int, int], F]
    top: Callable[[S], F]
    pop: Callable[[S], None]


def stack_of(state: type[S], frame: type[F], frames: int) -> Stack[S, F]:
    """Return the rules for the stack of a game with these records; `frames` is the length of the stack."""
    given = {"State": state, "Frame": frame, "FRAMES": frames}
    return Stack(*(specialised(function, **given) for function in (push, top, pop)))


def push(s: State, phase: int, actor: int) -> Frame:
    """Push a new frame, with all other fields zero, and return it."""
    if s.depth >= FRAMES:
        s.fault = Fault.STACK
        return s.stack[FRAMES - 1]
    frame = s.stack[s.depth]
    frame.phase = phase
    frame.actor = actor
    s.depth += 1
    return frame


def top(s: State) -> Frame:
    """Return the top frame."""
    return s.stack[s.depth - 1]


def pop(s: State) -> None:
    """Remove the top frame and leave zeros, so that equal positions have equal bytes."""
    s.depth -= 1
    clear_record(s.stack[s.depth])

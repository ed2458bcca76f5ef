"""The stack of frames. The top frame holds the question being asked, or the step that the game takes next."""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.base.names import Fault
from fujikoro_env.rules.base.state import FRAMES, Frame, State


@rule
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


@rule
def top(s: State) -> Frame:
    """Return the top frame."""
    return s.stack[s.depth - 1]


@rule
def pop(s: State) -> None:
    """Remove the top frame and leave zeros, so that equal positions have equal bytes."""
    s.depth -= 1
    frame = s.stack[s.depth]
    frame.phase = 0
    frame.actor = 0
    frame.stage = 0
    frame.left = 0
    frame.at = 0
    frame.thing = 0
    frame.marks = 0
    frame.chosen = 0
    for k in range(3):
        frame.offer[k] = 0
        frame.cubes[k] = 0

"""The stack of frames. The top frame holds the question being asked, or the step that the game takes next."""

from fuji_env.rules.base.names import Fault
from fuji_env.rules.base.state import FRAMES, Frame, State
from fujikoro_env.kernel.jit import rule


@rule
def owner(s: State, figure: int) -> int:
    """Return the player of a figure: in variant B of the game for two, each has two in turn (TWO-3)."""
    return figure if figure < s.settings.players else figure - s.settings.players


@rule
def push(s: State, phase: int, figure: int) -> Frame:
    """Push a new frame, with all other fields zero, and return it. Its question is asked of the figure's player."""
    if s.depth >= FRAMES:
        s.fault = Fault.STACK
        return s.stack[FRAMES - 1]
    frame = s.stack[s.depth]
    frame.phase = phase
    frame.actor = owner(s, figure)
    frame.figure = figure
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
    frame.figure = 0
    frame.stage = 0
    frame.left = 0
    frame.what = 0


@rule
def after(figure: int, seats: int, count: int) -> int:
    """Return the figure or set that sits so many seats further, of `count` round the table."""
    return (figure + seats) % count

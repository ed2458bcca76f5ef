"""The stack of frames. The top frame holds the question being asked, or the step that the game takes next."""

from fuji_env.rules.base.state import FRAMES, Frame, State
from fujikoro_env.kernel.frames import stack_of
from fujikoro_env.kernel.jit import rule

push_frame, top, pop = stack_of(State, Frame, FRAMES)


@rule
def owner(s: State, figure: int) -> int:
    """Return the player of a figure: in variant B of the game for two, each has two in turn (TWO-3)."""
    return figure if figure < s.settings.players else figure - s.settings.players


@rule
def push(s: State, phase: int, figure: int) -> Frame:
    """Push a new frame, with all other fields zero, and return it. Its question is asked of the figure's player."""
    frame = push_frame(s, phase, owner(s, figure))
    frame.figure = figure
    return frame


@rule
def after(figure: int, seats: int, count: int) -> int:
    """Return the figure or set that sits so many seats further, of `count` round the table."""
    return (figure + seats) % count

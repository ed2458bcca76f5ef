"""The stack of frames. The top frame holds the question being asked, or the step that the game takes next."""

from fujikoro_env.kernel.frames import stack_of
from fujikoro_env.rules.base.state import FRAMES, Frame, State

push, top, pop = stack_of(State, Frame, FRAMES)

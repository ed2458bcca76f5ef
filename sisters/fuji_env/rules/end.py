"""The end of the game, and the score (END)."""

from fuji_env.rules.base.names import Reason
from fuji_env.rules.base.state import State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.map import layout_of
from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import count_bits, has

POINTS = 4  # for each figure (END-3)


@rule
def check_villages(s: State, t: Tables) -> None:
    """The game is won the moment all figures stand on village cards (END-1)."""
    m = layout_of(s, t)
    for k in range(s.settings.figures):
        if not has(m.village, s.figures[k].at):
            return
    s.reason = Reason.VILLAGES


@rule
def score_of(s: State) -> int:
    """Return the score of a game that is over: of a win 4 for each figure, less 1 for each injury, plus 1 for each
    unused equipment card (END-3); of a loss 0 (END-4)."""
    if s.reason != Reason.VILLAGES:
        return 0
    score = 0
    for k in range(s.settings.figures):
        me = s.figures[k]
        score += POINTS - count_bits(me.injuries) + count_bits(me.equipment)
    return score

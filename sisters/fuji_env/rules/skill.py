"""Skills of the six skill cards (SKILL)."""

from fuji_env.rules.base.names import Injury, Skill
from fuji_env.rules.base.state import MOST_BARS, Figure, State
from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import has


@rule
def has_skill(figure: Figure, skill: int) -> bool:
    """Whether a figure's player has a skill, and no injury that takes it away (STAM-4)."""
    return figure.skill == skill and not has(figure.injuries, Injury.SKILL)


@rule
def take_bars(s: State) -> None:
    """Phase 3 is over: the Gatherer takes a power bar for each reroll that it passed up (SKILL-5)."""
    for k in range(s.settings.figures):
        me = s.figures[k]
        if has_skill(me, Skill.GATHERER):
            me.bars = min(MOST_BARS, me.bars + me.rerolls)
        me.rerolls = 0


@rule
def gatherer(s: State) -> int:
    """Return the figure that can spend power bars, or -1 (SKILL-5)."""
    for k in range(s.settings.figures):
        if has_skill(s.figures[k], Skill.GATHERER) and s.figures[k].bars > 0:
            return k
    return -1

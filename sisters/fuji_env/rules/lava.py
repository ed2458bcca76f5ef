"""Eruptions: the lava spreads (LAVA)."""

from fuji_env.rules.base.names import Reason
from fuji_env.rules.base.state import State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.map import beside_any, layout_of
from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import has


@rule
def next_lava(s: State, t: Tables) -> int:
    """Return the places that the next eruption turns to lava: all rubble and landscape beside lava, at once
    (LAVA-1). Villages have no lava side (MAP-3)."""
    m = layout_of(s, t)
    return (m.rubble | m.landscape) & beside_any(m, s.lava) & ~s.lava


@rule
def erupt(s: State, t: Tables) -> None:
    """Spread the lava. Tokens there are gone, and a figure there loses the game for all (LAVA-2)."""
    s.lava |= next_lava(s, t)
    s.eruption_tokens &= ~s.lava
    s.equipment_tokens &= ~s.lava
    for k in range(s.settings.figures):
        if has(s.lava, s.figures[k].at):
            s.reason = Reason.LAVA

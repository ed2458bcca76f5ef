"""SCEN-51 to SCEN-53: nobody escapes while any dragon that was found is alive."""

from fujikoro_env.content.model import MAX_DRAGONS
from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.base.names import Outside
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.map.board import may_be_laid_on
from fujikoro_env.rules.map.geometry import START
from fujikoro_env.rules.scenarios.terms import Term, holds


@rule
def way_is_barred(s: State) -> bool:
    """Whether dragons prevent all escapes (SCEN-51, SCEN-53)."""
    return holds(s, Term.DRAGONS_BAR_THE_WAY) and a_dragon_is_visible(s)


@rule
def a_dragon_is_visible(s: State) -> bool:
    """Whether any dragon is on the map."""
    for dragon in range(MAX_DRAGONS):
        if s.dragons[dragon].place != 0:
            return True
    return False


@rule
def come_back(s: State, t: Tables) -> None:
    """Bring all players who are outside back to where they left; they keep their claims (SCEN-52). If there is no room
    at the secret exit, they go to the start tile (MAP-11)."""
    for p in range(s.settings.players):
        me = s.players[p]
        if me.outside == Outside.FOOT and may_be_laid_on(s, t, p, s.secret_exit):
            me.at = s.secret_exit
        elif me.outside != Outside.INSIDE:
            me.at = START
        me.outside = Outside.INSIDE
        me.left_volcano = 0
        me.left_round = 0
    s.escaped = 0

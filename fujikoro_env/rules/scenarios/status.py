"""SCEN-17, SCEN-18: the spoils beside a dragon, and the uses of status markers.

An ACTION question with EXTRA in `stage` offers one more action in return for a marker.
"""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.base.frames import push
from fujikoro_env.rules.base.names import Cube, Outside, Supply
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import CELLS_OF_TILE
from fujikoro_env.rules.map.geometry import FIRST_TILE_SPACE
from fujikoro_env.rules.pack import can_make_room
from fujikoro_env.rules.scenarios.terms import Term, holds

TOOTH, STATUS = 1, 2  # bits of `spoils`
EXTRA = 1


@rule
def lay_spoils(s: State, place: int) -> None:
    """Put a tooth and a status marker beside a newly found dragon, as far as the supply has them (SCEN-17)."""
    space = FIRST_TILE_SPACE + CELLS_OF_TILE * place  # MAP-8: the dragon stands on the centre
    if s.supply[Supply.TOOTH] > 0:
        s.supply[Supply.TOOTH] -= 1
        s.spoils[space] |= TOOTH
    if s.supply[Supply.STATUS] > 0:
        s.supply[Supply.STATUS] -= 1
        s.spoils[space] |= STATUS


@rule
def can_take_spoils(s: State, p: int, space: int) -> bool:
    """Whether the player can gather spoils; a tooth needs room in the pack, a marker does not."""
    return s.spoils[space] & STATUS != 0 or (s.spoils[space] & TOOTH != 0 and can_make_room(s, p))


@rule
def take_spoils(s: State, p: int, space: int) -> None:
    """Take both spoils in one action (SCEN-17). The tooth passes through the supply, so that room can be made for it as
    usual."""
    if s.spoils[space] & STATUS != 0:
        s.spoils[space] &= ~STATUS
        s.players[p].status += 1
    if s.spoils[space] & TOOTH != 0 and can_make_room(s, p):
        s.spoils[space] &= ~TOOTH
        s.supply[Supply.TOOTH] += 1
        push(s, Phase.TAKE, p).offer[Cube.TOOTH] = 1


@rule
def spend_markers(s: State, p: int, number: int) -> None:
    """Return markers to the supply, from where they may be put beside later dragons."""
    s.players[p].status -= number
    s.supply[Supply.STATUS] += number


@rule
def may_trade_marker(s: State, p: int) -> bool:
    """Whether the player may spend a marker on one more action (SCEN-18); not after being knocked out (TURN-6)."""
    me = s.players[p]
    can_act = me.outside == Outside.INSIDE and me.unconscious == 0
    return can_act and me.status > 0 and holds(s, Term.STATUS_MARKERS)

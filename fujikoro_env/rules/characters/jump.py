"""CHAR-43: Mitsuhide jumps over a lava space by burning a wood cube of his weapon.

The wood is burnt first (BREAK, then MEND for the rest of the weapon); JUMP lies below and asks where he lands.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import STEP
from fujikoro_env.rules.base.frames import push, top
from fujikoro_env.rules.base.names import Character, Cube, Gear
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import Frame, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.characters.sneak import JUMPED
from fujikoro_env.rules.gear.cells import filled_cells
from fujikoro_env.rules.map.board import is_full, is_lava, is_open

STEPS_OF_JUMP = 2


@rule
def may_land_on(s: State, p: int, space: int) -> bool:
    """Whether a jump may end on a space."""
    return space != s.players[p].at and is_open(s, space) and not is_lava(s, space) and not is_full(s, p, space)


@rule
def has_landing_beyond(s: State, t: Tables, p: int, lava: int) -> bool:
    """Whether a jump over this lava space has a space to land on."""
    for k in range(t.neighbour_count[lava]):
        if may_land_on(s, p, t.neighbours[lava, k]):
            return True
    return False


@rule
def may_jump(s: State, t: Tables, frame: Frame) -> bool:
    """Whether Mitsuhide may jump: once per move, as two of its steps, over a lava space with ground beyond it
    (CHAR-43)."""
    me = s.players[frame.actor]
    if me.character != Character.MITSUHIDE or frame.stage & JUMPED != 0 or frame.left < STEPS_OF_JUMP:
        return False
    if me.gear[Gear.WEAPON].cubes[Cube.WOOD] == 0:
        return False
    for k in range(t.neighbour_count[me.at]):
        space = t.neighbours[me.at, k]
        if is_lava(s, space) and has_landing_beyond(s, t, frame.actor, space):
            return True
    return False


@rule
def begin_jump(s: State) -> None:
    """Ask which wood cube to burn, then make the weapon legal again (WEAP-6)."""
    frame = top(s)
    p = frame.actor
    frame.stage |= JUMPED
    push(s, Phase.JUMP, p)
    push(s, Phase.MEND, p)
    burning = push(s, Phase.BREAK, p)
    burning.chosen = filled_cells(s.players[p].gear[Gear.WEAPON])
    burning.offer[Cube.WOOD] = 1


@rule
def legal_jump(s: State, t: Tables, mask: Words) -> None:
    """Allow every space without lava beyond an adjacent lava space."""
    p = top(s).actor
    here = s.players[p].at
    for k in range(t.neighbour_count[here]):
        lava = t.neighbours[here, k]
        if is_lava(s, lava):
            for j in range(t.neighbour_count[lava]):
                if may_land_on(s, p, t.neighbours[lava, j]):
                    allow(mask, STEP + t.neighbours[lava, j])

"""MOVE: up to 2 steps and more by sandals, over lava on strong ones, into dragons.

MOVE keeps the steps left in `left` and the lava spaces crossed in `marks`; the way so far is in `s.path`.
"""

import numpy as np

from fujikoro_env.rules.actions import DONE, STEP
from fujikoro_env.rules.board import dragon_on_tile_of, is_full, is_lava, is_open, may_be_laid_on
from fujikoro_env.rules.damage import ask_payment, strength
from fujikoro_env.rules.frames import pop, push, top
from fujikoro_env.rules.gearcells import filled_cells
from fujikoro_env.rules.geometry import SPACES, START
from fujikoro_env.rules.jit import Words, rule
from fujikoro_env.rules.masks import allow, count_bits
from fujikoro_env.rules.names import Gear
from fujikoro_env.rules.phases import Phase
from fujikoro_env.rules.state import Frame, Player, State
from fujikoro_env.rules.tables import Tables

STEPS = 2
LAVA_COST = 5
COMPLETED_SANDALS = 3


@rule
def steps_of(me: Player) -> int:
    """MOVE-1, MOVE-2: 2 steps, 1 more on completed sandals."""
    if count_bits(filled_cells(me.gear[Gear.SANDALS])) >= COMPLETED_SANDALS:
        return STEPS + 1
    return STEPS


@rule
def begin_move(s: State, p: int) -> None:
    me = s.players[p]
    push(s, Phase.MOVE, p).left = steps_of(me)
    s.path[0] = me.at
    s.path_length = 1


@rule
def legal_move(s: State, t: Tables, mask: Words) -> None:
    frame = top(s)
    here = s.players[frame.actor].at
    if not is_lava(s, here):  # MOVE-3: a move never ends on lava
        allow(mask, DONE)
    if frame.left == 0:
        return
    for k in range(t.neighbour_count[here]):
        if may_step(s, t, frame, t.neighbours[here, k]):
            allow(mask, STEP + t.neighbours[here, k])


@rule
def may_step(s: State, t: Tables, frame: Frame, space: int) -> bool:
    if not is_open(s, space) or is_full(s, frame.actor, space):
        return False
    return not is_lava(s, space) or may_step_onto_lava(s, t, frame, space)


@rule
def may_step_onto_lava(s: State, t: Tables, frame: Frame, space: int) -> bool:
    """MOVE-3 and MOVE-5."""
    payable = strength(s.players[frame.actor].gear[Gear.SANDALS]) // LAVA_COST - frame.marks
    if payable < 1 or dragon_on_tile_of(s, t, space) != 0:
        return False
    return can_leave_lava(s, t, frame.actor, space, frame.left - 1, payable - 1)


@rule
def can_leave_lava(s: State, t: Tables, p: int, space: int, steps: int, payable: int) -> bool:
    """Whether the move can end off the lava: over at most `payable` more lava spaces within `steps` steps. Breadth
    first; rare, for few samurai have sandals that bear lava."""
    seen = np.zeros(SPACES, np.int64)
    queue = np.zeros(SPACES, np.int64)
    queue[0] = space
    seen[space] = 1  # 1 + lava spaces entered after the first
    head, tail = 0, 1
    while head < tail:
        here, entered = queue[head], seen[queue[head]] - 1
        head += 1
        if entered >= steps:
            continue
        for k in range(t.neighbour_count[here]):
            there = t.neighbours[here, k]
            if not is_open(s, there) or is_full(s, p, there):
                continue
            if not is_lava(s, there):
                return True
            if seen[there] == 0 and entered < payable and dragon_on_tile_of(s, t, there) == 0:
                seen[there] = entered + 2
                queue[tail] = there
                tail += 1
    return False


@rule
def do_move(s: State, t: Tables, action: int) -> None:
    if action == DONE:
        end_move(s, 0)
    else:
        take_step(s, t, action - STEP)


@rule
def take_step(s: State, t: Tables, space: int) -> None:
    frame = top(s)
    s.players[frame.actor].at = space
    s.path[s.path_length] = space
    s.path_length += 1
    frame.left -= 1
    if is_lava(s, space):
        frame.marks += 1
    dragon = dragon_on_tile_of(s, t, space)
    if dragon != 0:  # MOVE-5: the move ends here and the fight starts
        end_move(s, dragon)


@rule
def end_move(s: State, dragon: int) -> None:
    """MOVE-4: lava is paid for when the move is over, before a fight that its last step starts."""
    frame = top(s)
    actor, crossed = frame.actor, frame.marks
    pop(s)
    if dragon != 0:
        push(s, Phase.DRAGON_FIGHT, actor).thing = dragon
    else:
        forget_path(s)
    if crossed > 0:
        ask_payment(s, actor, Gear.SANDALS, LAVA_COST * crossed)


@rule
def forget_path(s: State) -> None:
    for k in range(s.path_length):
        s.path[k] = 0
    s.path_length = 0


@rule
def way_back(s: State, t: Tables, p: int) -> int:
    """DRAG-4: the space before the tile; if MAP-11 forbids it, the last allowed one of the path, else the start."""
    for k in range(s.path_length - 2, -1, -1):
        if may_be_laid_on(s, t, p, s.path[k]):
            return s.path[k]
    return START


@rule
def go_dragon_fight(s: State, t: Tables) -> None:
    p = top(s).actor
    s.players[p].at = way_back(s, t, p)
    forget_path(s)
    pop(s)

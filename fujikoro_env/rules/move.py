"""MOVE: up to 2 steps and more by sandals, over lava on strong ones, into dragons.

The stage of MOVE is ON_CARD for the one step of a sandals card, or what a character has done (sneak.py). The way so far
is in `s.path`.
"""

import numpy as np

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, count_bits
from fujikoro_env.rules.base.actions import DONE, NO, STEP, YES
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import Adventure, Character, Gear, Mode, ScrollPower
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import Frame, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.characters.boards import completed_sandals, steps_of_board
from fujikoro_env.rules.characters.jump import STEPS_OF_JUMP, begin_jump, may_jump
from fujikoro_env.rules.characters.sneak import (
    SNEAK_NEXT,
    SNEAKING,
    USE_CHARACTER,
    USE_JUMP,
    USE_SNEAK,
    USE_STEAL,
    begin_theft,
    may_rob,
    may_sneak,
    may_sneak_onto,
)
from fujikoro_env.rules.fights.damage import absorb, strength
from fujikoro_env.rules.gear.cells import filled_cells
from fujikoro_env.rules.gear.weapon import has_usable_weapon
from fujikoro_env.rules.map.board import dragon_on_tile_of, is_full, is_lava, is_open, is_safe, is_temple, stands_on
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE, SPACES
from fujikoro_env.rules.powers.holdings import USE_TOKEN, has_scroll, has_token, spend_token
from fujikoro_env.rules.scenarios.enemies import enemy_in
from fujikoro_env.rules.scenarios.status import spend_markers
from fujikoro_env.rules.scenarios.terms import Term, holds

LAVA_COST = 5
ON_CARD = 1
MOVER_ASKED, OTHER_ASKED = 0, 1


@rule
def steps_of(s: State, t: Tables, p: int) -> int:
    """MOVE-1, MOVE-2: 2 steps, 1 more on completed sandals, and 1 more by the scroll wind_walker. CHAR-22: by option
    Masako's completed sandals give 2."""
    me = s.players[p]
    steps = steps_of_board(me)
    if count_bits(filled_cells(me.gear[Gear.SANDALS])) >= completed_sandals(me):
        full = me.character == Character.MASAKO and s.settings.masako_full_steps != 0
        steps += 2 if full else 1
    if has_scroll(me, t, ScrollPower.WIND_WALKER):
        steps += 1
    return steps


@rule
def begin_move(s: State, t: Tables, p: int) -> None:
    frame = push(s, Phase.MOVE, p)
    frame.left = steps_of(s, t, p)
    if has_scroll(s.players[p], t, ScrollPower.EMBER_PATH) and not holds(s, Term.STATUS_MARKERS):
        frame.thing = 1
    begin_path(s, p)


@rule
def begin_bonus_move(s: State, p: int) -> None:
    """GEAR-6: 1 step by the rules of moving, but not onto lava."""
    frame = push(s, Phase.MOVE, p)
    frame.left = 1
    frame.stage = ON_CARD
    begin_path(s, p)


@rule
def begin_path(s: State, p: int) -> None:
    s.path[0] = s.players[p].at
    s.path_length = 1


@rule
def legal_move(s: State, t: Tables, mask: Words) -> None:
    frame = top(s)
    here = s.players[frame.actor].at
    if frame.stage & SNEAK_NEXT != 0:
        allow_quiet_steps(s, t, frame, mask)
        return
    if not is_lava(s, here) and frame.stage & SNEAKING == 0:  # MOVE-3: a move never ends on lava
        allow(mask, DONE)
    if frame.left == 0:
        return
    for k in range(t.neighbour_count[here]):
        if may_step(s, t, frame, t.neighbours[here, k]):
            allow(mask, STEP + t.neighbours[here, k])
    if is_temple(here) and has_scroll(s.players[frame.actor], t, ScrollPower.PILGRIM):
        for temple in range(FIRST_TEMPLE, SPACES):
            if temple != here:
                allow(mask, STEP + temple)
    if may_use_omamori(s, t, frame):
        allow(mask, USE_TOKEN + Adventure.OMAMORI_OF_FIRE)
    if s.players[frame.actor].character != Character.SYMMETRIC:
        allow_powers_of_character(s, t, frame, mask)


@rule
def allow_powers_of_character(s: State, t: Tables, frame: Frame, mask: Words) -> None:
    """CHAR-43, CHAR-72 and CHAR-73."""
    if may_jump(s, t, frame):
        allow(mask, USE_JUMP)
    if may_sneak(s, t, frame):
        allow(mask, USE_SNEAK)
    if may_rob(s, frame):
        allow(mask, USE_STEAL)


@rule
def allow_quiet_steps(s: State, t: Tables, frame: Frame, mask: Words) -> None:
    """CHAR-72: steps that start no fight."""
    here = s.players[frame.actor].at
    for k in range(t.neighbour_count[here]):
        if may_sneak_onto(s, t, frame, t.neighbours[here, k]):
            allow(mask, STEP + t.neighbours[here, k])


@rule
def may_use_omamori(s: State, t: Tables, frame: Frame) -> bool:
    """omamori_of_fire: the next lava step is free; only if a lava step is legal then. SCEN-18: markers are the only
    way."""
    if frame.stage & ON_CARD != 0 or not has_token(s.players[frame.actor], Adventure.OMAMORI_OF_FIRE):
        return False
    if holds(s, Term.STATUS_MARKERS):
        return False
    here = s.players[frame.actor].at
    frame.thing += 1
    helps = False
    for k in range(t.neighbour_count[here]):
        space = t.neighbours[here, k]
        if is_lava(s, space) and may_step(s, t, frame, space):
            helps = True
    frame.thing -= 1
    return helps


@rule
def may_step(s: State, t: Tables, frame: Frame, space: int) -> bool:
    if not is_open(s, space) or is_full(s, frame.actor, space):
        return False
    return not is_lava(s, space) or may_step_onto_lava(s, t, frame, space)


@rule
def lava_spaces_of(s: State, p: int) -> int:
    """How many lava spaces a samurai can pay for: with its sandals, or by SCEN-18 with status markers alone."""
    if holds(s, Term.STATUS_MARKERS):
        return s.players[p].status + 0
    return strength(s.players[p].gear[Gear.SANDALS]) // LAVA_COST


@rule
def may_step_onto_lava(s: State, t: Tables, frame: Frame, space: int) -> bool:
    """MOVE-3 and MOVE-5."""
    payable = lava_spaces_of(s, frame.actor) - frame.marks + frame.thing
    if payable < 1 or frame.stage & ON_CARD != 0 or dragon_on_tile_of(s, t, space) != 0:
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
        end_move(s)
    elif action >= USE_CHARACTER:
        use_power_of_character(s, action)
    elif action >= USE_TOKEN:
        spend_token(s, top(s).actor, Adventure.OMAMORI_OF_FIRE)
        top(s).thing += 1
    else:
        take_step(s, t, action - STEP)


@rule
def use_power_of_character(s: State, action: int) -> None:
    if action == USE_JUMP:
        begin_jump(s)
    elif action == USE_STEAL:
        begin_theft(s)
    else:
        top(s).stage |= SNEAK_NEXT


@rule
def do_jump(s: State, t: Tables, action: int) -> None:
    """CHAR-43: the jump is two steps; where it lands counts as entered."""
    pop(s)
    top(s).left -= STEPS_OF_JUMP - 1
    take_step(s, t, action - STEP)


@rule
def take_step(s: State, t: Tables, space: int) -> None:
    frame = top(s)
    p = frame.actor
    s.players[p].at = space
    s.path[s.path_length] = space
    s.path_length += 1
    frame.left -= 1
    quiet = frame.stage & SNEAK_NEXT != 0
    frame.stage &= ~(SNEAK_NEXT | SNEAKING)
    if quiet:
        frame.stage |= SNEAKING
        return
    if is_lava(s, space):
        enter_lava(frame)
    dragon, other = dragon_on_tile_of(s, t, space), duel_partner(s, p)
    if dragon != 0:  # MOVE-5: the move ends here and the fight starts
        end_move_in_fight(s, Phase.DRAGON_FIGHT, dragon)
    elif is_monk_fought_on(s, space):
        came_from = s.path[s.path_length - 2]
        end_move_in_fight(s, Phase.MONK_FIGHT, space + 1).at = came_from
    elif enemy_in(s, space) >= 0:  # SCEN-72: although temples are safe
        end_move_in_fight(s, Phase.DUEL, enemy_in(s, space))
    elif other >= 0:
        meet(s, p, other)


@rule
def is_monk_fought_on(s: State, space: int) -> bool:
    """SCEN-41; on lava, where no move ends, nobody fights."""
    return s.monk[space] != 0 and holds(s, Term.MONKS_FIGHT) and not is_lava(s, space)


@rule
def enter_lava(frame: Frame) -> None:
    if frame.thing > 0:
        frame.thing -= 1
    else:
        frame.marks += 1


@rule
def duel_partner(s: State, p: int) -> int:
    """MOVE-6, DUEL-9, COOP-3: the conscious samurai with whom a duel may be called here, or -1. SCEN-15: by option also
    where neither has a usable weapon, so that the duel ends undecided and the move with it (DUEL-3, MOVE-7)."""
    space = s.players[p].at
    if s.settings.peaceful != 0 or s.settings.mode == Mode.COOP or is_safe(space):
        return -1
    armed = s.settings.unarmed_pass == 0 or has_usable_weapon(s.players[p])
    for other in range(s.settings.players):
        meets = other != p and stands_on(s, other, space) and s.players[other].unconscious == 0
        if meets and (armed or has_usable_weapon(s.players[other])):
            return other
    return -1


@rule
def meet(s: State, p: int, other: int) -> None:
    """MOVE-6: they are asked whether to fight. SCEN-15: they must."""
    if holds(s, Term.MEETINGS_ARE_DUELS):
        end_move_in_fight(s, Phase.DUEL, other)
    else:
        push(s, Phase.CALL_DUEL, p).thing = other


@rule
def legal_call_duel(mask: Words) -> None:
    allow(mask, YES)
    allow(mask, NO)


@rule
def do_call_duel(s: State, action: int) -> None:
    """MOVE-6: first the mover, then the other says whether to fight. If neither does, the move may go on."""
    frame = top(s)
    if action == YES:
        other = frame.thing if frame.stage == MOVER_ASKED else frame.actor
        pop(s)
        end_move_in_fight(s, Phase.DUEL, other)
    elif frame.stage == MOVER_ASKED:
        frame.actor = frame.thing
        frame.stage = OTHER_ASKED
    else:
        pop(s)


@rule
def end_move(s: State) -> None:
    frame = top(s)
    actor, crossed = frame.actor, frame.marks
    pop(s)
    forget_path(s)
    pay_for_lava(s, actor, crossed)


@rule
def end_move_in_fight(s: State, phase: int, opponent: int) -> Frame:
    """MOVE-7: a fight ends the move. MOVE-4: lava is paid for before a fight that the last step starts."""
    frame = top(s)
    actor, crossed = frame.actor, frame.marks
    pop(s)
    fight = push(s, phase, actor)
    fight.thing = opponent
    pay_for_lava(s, actor, crossed)
    return fight


@rule
def pay_for_lava(s: State, p: int, crossed: int) -> None:
    """MOVE-4: cubes worth at least 5 per lava space crossed. SCEN-18: a marker for each."""
    if holds(s, Term.STATUS_MARKERS):
        spend_markers(s, p, crossed)
    elif crossed > 0:
        absorb(s, p, Gear.SANDALS, LAVA_COST * crossed)


@rule
def forget_path(s: State) -> None:
    for k in range(s.path_length):
        s.path[k] = 0
    s.path_length = 0

"""MOVE: up to 2 steps, more with sandals; strong sandals cross lava; entering a dragon's tile starts a fight.

The stage of MOVE is ON_CARD for the single step of a sandals card; otherwise it holds what a character has done
(sneak.py). `s.path` is the path so far.
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
    """Return the number of steps of a move: 2, plus 1 with completed sandals, plus 1 with the scroll wind_walker
    (MOVE-1, MOVE-2). By option Masako's completed sandals give 2 (CHAR-22)."""
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
    """Begin the move action."""
    frame = push(s, Phase.MOVE, p)
    frame.left = steps_of(s, t, p)
    if has_scroll(s.players[p], t, ScrollPower.EMBER_PATH) and not holds(s, Term.STATUS_MARKERS):
        frame.thing = 1
    begin_path(s, p)


@rule
def begin_bonus_move(s: State, p: int) -> None:
    """Begin the move of a sandals card: 1 step by the usual rules, but not onto lava (GEAR-6)."""
    frame = push(s, Phase.MOVE, p)
    frame.left = 1
    frame.stage = ON_CARD
    begin_path(s, p)


@rule
def begin_path(s: State, p: int) -> None:
    """Start the path of a move at the samurai's space."""
    s.path[0] = s.players[p].at
    s.path_length = 1


@rule
def legal_move(s: State, t: Tables, mask: Words) -> None:
    """Allow the possible steps and powers, and ending the move where that is possible."""
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
    """Allow the powers of Mitsuhide and Daisuke during a move (CHAR-43, CHAR-72 and CHAR-73)."""
    if may_jump(s, t, frame):
        allow(mask, USE_JUMP)
    if may_sneak(s, t, frame):
        allow(mask, USE_SNEAK)
    if may_rob(s, frame):
        allow(mask, USE_STEAL)


@rule
def allow_quiet_steps(s: State, t: Tables, frame: Frame, mask: Words) -> None:
    """Allow Daisuke's steps that start no fight (CHAR-72)."""
    here = s.players[frame.actor].at
    for k in range(t.neighbour_count[here]):
        if may_sneak_onto(s, t, frame, t.neighbours[here, k]):
            allow(mask, STEP + t.neighbours[here, k])


@rule
def may_use_omamori(s: State, t: Tables, frame: Frame) -> bool:
    """Whether omamori_of_fire, which makes the next lava step free, would make a lava step legal. Not if lava is
    crossed with status markers (SCEN-18)."""
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
    """Whether the samurai may step onto a space."""
    if not is_open(s, space) or is_full(s, frame.actor, space):
        return False
    return not is_lava(s, space) or may_step_onto_lava(s, t, frame, space)


@rule
def lava_spaces_of(s: State, p: int) -> int:
    """Return how many lava spaces a samurai can pay for: with its sandals, or under SCEN-18 with status markers
    only."""
    if holds(s, Term.STATUS_MARKERS):
        return s.players[p].status + 0
    return strength(s.players[p].gear[Gear.SANDALS]) // LAVA_COST


@rule
def may_step_onto_lava(s: State, t: Tables, frame: Frame, space: int) -> bool:
    """Whether the samurai may step onto this lava space (MOVE-3 and MOVE-5)."""
    payable = lava_spaces_of(s, frame.actor) - frame.marks + frame.thing
    if payable < 1 or frame.stage & ON_CARD != 0 or dragon_on_tile_of(s, t, space) != 0:
        return False
    return can_leave_lava(s, t, frame.actor, space, frame.left - 1, payable - 1)


@rule
def can_leave_lava(s: State, t: Tables, p: int, space: int, steps: int, payable: int) -> bool:
    """Whether the move can end off the lava, within `steps` steps and over at most `payable` more lava spaces. This is
    a breadth-first search; it runs rarely because few samurai have sandals strong enough for lava."""
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
    """Take a step, use a power or end the move."""
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
    """Use the jump, the theft or the quiet step of a character."""
    if action == USE_JUMP:
        begin_jump(s)
    elif action == USE_STEAL:
        begin_theft(s)
    else:
        top(s).stage |= SNEAK_NEXT


@rule
def do_jump(s: State, t: Tables, action: int) -> None:
    """Land on the chosen space. The jump counts as two steps, and the landing space as entered (CHAR-43)."""
    pop(s)
    top(s).left -= STEPS_OF_JUMP - 1
    take_step(s, t, action - STEP)


@rule
def take_step(s: State, t: Tables, space: int) -> None:
    """Move the samurai to a space, and start the fight or meeting that follows."""
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
    elif enemy_in(s, space) >= 0:  # SCEN-72: even though temples are safe
        end_move_in_fight(s, Phase.DUEL, enemy_in(s, space))
    elif other >= 0:
        meet(s, p, other)


@rule
def is_monk_fought_on(s: State, space: int) -> bool:
    """Whether entering the space starts a fight with its monk (SCEN-41). Not on lava, where no move ends."""
    return s.monk[space] != 0 and holds(s, Term.MONKS_FIGHT) and not is_lava(s, space)


@rule
def enter_lava(frame: Frame) -> None:
    """Count a step onto lava: as a free one if any is left, else as one to pay for."""
    if frame.thing > 0:
        frame.thing -= 1
    else:
        frame.marks += 1


@rule
def duel_partner(s: State, p: int) -> int:
    """Return the conscious samurai on the same space who may be challenged to a duel, or -1 (MOVE-6, DUEL-9, COOP-3).
    By option of SCEN-15 this includes samurai when neither has a usable weapon; such a duel ends undecided, and ends
    the move (DUEL-3, MOVE-7)."""
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
    """Ask both samurai whether to fight (MOVE-6); under SCEN-15 they must."""
    if holds(s, Term.MEETINGS_ARE_DUELS):
        end_move_in_fight(s, Phase.DUEL, other)
    else:
        push(s, Phase.CALL_DUEL, p).thing = other


@rule
def legal_call_duel(mask: Words) -> None:
    """Allow yes and no."""
    allow(mask, YES)
    allow(mask, NO)


@rule
def do_call_duel(s: State, action: int) -> None:
    """Ask the moving player first, then the other one. If neither wants to fight, the move may continue (MOVE-6)."""
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
    """End the move and pay for the lava crossed."""
    frame = top(s)
    actor, crossed = frame.actor, frame.marks
    pop(s)
    forget_path(s)
    pay_for_lava(s, actor, crossed)


@rule
def end_move_in_fight(s: State, phase: int, opponent: int) -> Frame:
    """Replace the move by a fight (MOVE-7). Lava is paid for before a fight that the last step starts (MOVE-4)."""
    frame = top(s)
    actor, crossed = frame.actor, frame.marks
    pop(s)
    fight = push(s, phase, actor)
    fight.thing = opponent
    pay_for_lava(s, actor, crossed)
    return fight


@rule
def pay_for_lava(s: State, p: int, crossed: int) -> None:
    """Ask for cubes worth at least 5 per lava space crossed (MOVE-4), or take a status marker for each (SCEN-18)."""
    if holds(s, Term.STATUS_MARKERS):
        spend_markers(s, p, crossed)
    elif crossed > 0:
        absorb(s, p, Gear.SANDALS, LAVA_COST * crossed)


@rule
def forget_path(s: State) -> None:
    """Clear the path."""
    for k in range(s.path_length):
        s.path[k] = 0
    s.path_length = 0

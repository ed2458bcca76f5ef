"""ATK: a samurai's turn in a fight, from the choice of weapon to the last breakage; dragon fights and duels share it.

ATTACK is the turn. WEAPON asks which weapon is next, and DICE how many dice of each kind are rolled. Then BREAK takes
cubes off, MEND sees to the rest, and AFTER_ROLL deals the hits.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, count_bits, has
from fujikoro_env.rules.base.actions import CELL, FIRST_CELL, ITEM, NO, NUMBER, ROLL, WEAPON, YES
from fujikoro_env.rules.base.chance import roll_face
from fujikoro_env.rules.base.counters import KnockOut
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import CUBE_KINDS, RESOURCE_KINDS, Cube, Gear, ScrollPower
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import GEAR_CELLS, PLAYERS, Frame, Player, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.gear.cells import kind_on, take_off
from fujikoro_env.rules.gear.magic import look_at_magic
from fujikoro_env.rules.gear.weapon import (
    ARMS,
    RIGHT,
    WORN,
    ask_repair,
    cells_of_arm,
    gear_of_arm,
    has_magic,
    initiative_of,
    is_one_handed,
    may_fight_with,
)
from fujikoro_env.rules.powers.holdings import has_scroll

LIGHTNING = 3
MOST_ROUNDS = 30  # DRAG-7, DUEL-3


@rule
def in_order(s: State, k: int) -> int:
    """The k-th player from the active one."""
    return (s.fight.active + k) % s.settings.players


@rule
def battle_initiative(s: State, t: Tables, p: int) -> int:
    """INIT-1, and 3 more by the scroll lightning_draw, even unarmed."""
    me = s.players[p]
    return initiative_of(me) + initiative_of_scrolls(me, t)


@rule
def initiative_of_scrolls(me: Player, t: Tables) -> int:
    return LIGHTNING if has_scroll(me, t, ScrollPower.LIGHTNING_DRAW) else 0


@rule
def enter_fight(s: State, p: int, came_from: int) -> None:
    s.fight.fighters[p].inside = 1
    s.fight.fighters[p].came_from = came_from


@rule
def count_knock_out(s: State, p: int) -> None:
    """By what the samurai fights."""
    counts = s.counts[p]
    if s.fight.dragon != 0:
        counts.knock_outs[KnockOut.DRAGON] += 1
    elif s.fight.monk != 0:
        counts.knock_outs[KnockOut.MONK] += 1
    else:
        counts.knock_outs[KnockOut.DUEL] += 1


@rule
def clear_fight(s: State) -> None:
    """Leave zeros, so that equal positions have equal bytes."""
    fight = s.fight
    fight.dragon = 0
    fight.monk = 0
    fight.health = 0
    fight.rounds = 0
    fight.came = 0
    fight.active = 0
    fight.defender = 0
    fight.loser = 0
    fight.gave_up = 0
    fight.turn = 0
    for k in range(PLAYERS + 1):
        fight.order[k] = 0
    for p in range(PLAYERS):
        clear_fighter(s, p)


@rule
def clear_fighter(s: State, p: int) -> None:
    fighter = s.fight.fighters[p]
    fighter.inside = 0
    fighter.came_from = 0
    fighter.initiative = 0
    fighter.monk = 0
    fighter.rolled = 0
    fighter.rerolled = 0


@rule
def clear_table(s: State) -> None:
    """Take the dice of the last roll away."""
    s.fight.hits = 0
    s.fight.break_hits = 0
    for kind in range(RESOURCE_KINDS):
        s.fight.breaks[kind] = 0


@rule
def may_roll(s: State, p: int, slot: int) -> bool:
    """ATK-1: once with each usable weapon."""
    return not has(s.fight.fighters[p].rolled, slot) and may_fight_with(s.players[p], slot)


@rule
def may_roll_any(s: State, p: int) -> bool:
    for slot in range(ARMS):
        if may_roll(s, p, slot):
            return True
    return False


@rule
def begin_attack(s: State, p: int) -> None:
    s.fight.fighters[p].rolled = 0
    push(s, Phase.ATTACK, p)


@rule
def legal_weapon(s: State, mask: Words) -> None:
    """ATK-1: one after the other, in the owner's order."""
    for slot in range(ARMS):
        if may_roll(s, top(s).actor, slot):
            allow(mask, WEAPON + slot)


@rule
def do_weapon(s: State, action: int) -> None:
    p, slot = top(s).actor, action - WEAPON
    pop(s)
    frame = push(s, Phase.DICE, p)
    frame.at = slot
    frame.chosen = cells_of_arm(s.players[p], slot)
    s.fight.fighters[p].rolled |= bit(slot)
    if slot != WORN and not is_one_handed(
        s.players[p], frame.chosen
    ):  # what breakage leaves of it in the right part has rolled too
        s.fight.fighters[p].rolled |= bit(RIGHT)


@rule
def dice_of(me: Player, frame: Frame, kind: int) -> int:
    """How many dice of a kind the weapon has: one for each cube, and a green one if it is magic (MAGIC-4)."""
    if kind == Cube.MAGIC:
        return 1 if has_magic(me, frame.at) else 0
    return count_bits(me.gear[gear_of_arm(frame.at)].cubes[kind] & frame.chosen)


@rule
def next_kind(me: Player, frame: Frame, kind: int) -> int:
    """The next kind of which the weapon has dice, or CUBE_KINDS."""
    while kind < CUBE_KINDS and dice_of(me, frame, kind) == 0:
        kind += 1
    return kind


@rule
def dice_chosen(frame: Frame) -> int:
    return frame.offer[0] + frame.offer[1] + frame.offer[2] + frame.left


@rule
def legal_dice(s: State, mask: Words) -> None:
    """ATK-1: all dice, or kind by kind how many; at least one die in the end."""
    frame = top(s)
    me = s.players[frame.actor]
    if frame.stage == Cube.WOOD:  # the first kind of every usable weapon
        allow(mask, ROLL)
    is_last = next_kind(me, frame, frame.stage + 1) == CUBE_KINDS
    fewest = 1 if is_last and dice_chosen(frame) == 0 else 0
    for number in range(fewest, dice_of(me, frame, frame.stage) + 1):
        allow(mask, NUMBER + number)


@rule
def do_dice(s: State, t: Tables, action: int) -> None:
    frame = top(s)
    me = s.players[frame.actor]
    if action == ROLL:
        for kind in range(CUBE_KINDS):
            choose_dice(frame, kind, dice_of(me, frame, kind))
        frame.stage = CUBE_KINDS
    else:
        choose_dice(frame, frame.stage, action - NUMBER)
        frame.stage = next_kind(me, frame, frame.stage + 1)
    if frame.stage == CUBE_KINDS:
        roll_weapon(s, t)


@rule
def choose_dice(frame: Frame, kind: int, number: int) -> None:
    if kind == Cube.MAGIC:
        frame.left = number
    else:
        frame.offer[kind] = number


@rule
def roll_dice(s: State, t: Tables, kind: int, number: int) -> None:
    """Dice of one kind onto the table."""
    for _ in range(number):
        face = roll_face(s, kind)
        s.fight.hits += t.die_hits[kind, face]
        if t.die_breaks[kind, face] != 0:
            s.fight.breaks[kind] += 1
            s.fight.break_hits += t.die_hits[kind, face]


@rule
def roll_weapon(s: State, t: Tables) -> None:
    """Roll, and once more if steady_hand says so; the dice stay in the frame until then."""
    frame = top(s)
    p = frame.actor
    roll_chosen_dice(s, t)
    if has_scroll(s.players[p], t, ScrollPower.STEADY_HAND) and s.fight.fighters[p].rerolled == 0:
        frame.phase = Phase.REROLL
    else:
        settle_roll(s, t)


@rule
def roll_chosen_dice(s: State, t: Tables) -> None:
    frame = top(s)
    clear_table(s)
    for kind in range(RESOURCE_KINDS):
        roll_dice(s, t, kind, frame.offer[kind])
    roll_dice(s, t, Cube.MAGIC, frame.left)


@rule
def legal_reroll(mask: Words) -> None:
    allow(mask, YES)
    allow(mask, NO)


@rule
def do_reroll(s: State, t: Tables, action: int) -> None:
    """steady_hand: once per fight, all dice of one weapon again; the second roll stands."""
    if action == YES:
        s.fight.fighters[top(s).actor].rerolled = 1
        roll_chosen_dice(s, t)
    settle_roll(s, t)


@rule
def settle_roll(s: State, t: Tables) -> None:
    """Leave what follows on the stack: breakage first, then WEAP-6, then MAGIC-2 (ATK-3), then the hits."""
    p, slot, cells = top(s).actor, top(s).at, top(s).chosen
    pop(s)
    push(s, Phase.AFTER_ROLL, p)
    kinds = breaking_kinds(s)
    grip = has_scroll(s.players[p], t, ScrollPower.IRON_GRIP)
    if grip and kinds == 1:  # no choice
        for kind in range(RESOURCE_KINDS):
            s.fight.breaks[kind] = max(0, s.fight.breaks[kind] - 1)
    ask_breakage(s, p, slot, cells)
    if grip and kinds > 1:
        push(s, Phase.GRIP, p)


@rule
def breaking_kinds(s: State) -> int:
    count = 0
    for kind in range(RESOURCE_KINDS):
        if s.fight.breaks[kind] > 0:
            count += 1
    return count


@rule
def ask_breakage(s: State, p: int, slot: int, cells: int) -> None:
    if breaking_kinds(s) == 0:
        return
    push(s, Phase.MEND, p).at = slot
    frame = push(s, Phase.BREAK, p)
    frame.at = slot
    frame.chosen = cells
    for kind in range(RESOURCE_KINDS):
        frame.offer[kind] = s.fight.breaks[kind]


@rule
def legal_grip(s: State, mask: Words) -> None:
    for kind in range(RESOURCE_KINDS):
        if s.fight.breaks[kind] > 0:
            allow(mask, ITEM + kind)


@rule
def do_grip(s: State, action: int) -> None:
    """iron_grip: one breaking die breaks nothing; BREAK lies below and keeps what still breaks."""
    pop(s)
    top(s).offer[action - ITEM] -= 1


@rule
def legal_break(s: State, mask: Words) -> None:
    """ATK-3: for each breaking die a cube of its kind off that weapon, of the owner's choice."""
    frame = top(s)
    gear = gear_of_arm(frame.at)
    weapon = s.players[frame.actor].gear[gear]
    for kind in range(RESOURCE_KINDS):
        if frame.offer[kind] > 0:
            for cell in range(GEAR_CELLS[gear]):
                if has(weapon.cubes[kind] & frame.chosen, cell):
                    allow(mask, CELL + FIRST_CELL[gear] + cell)


@rule
def do_break(s: State, action: int) -> None:
    frame = top(s)
    gear = gear_of_arm(frame.at)
    weapon = s.players[frame.actor].gear[gear]
    cell = action - CELL - FIRST_CELL[gear]
    kind = kind_on(weapon, cell)
    take_off(s, weapon, kind, cell)
    frame.offer[kind] -= 1
    if frame.offer[0] + frame.offer[1] + frame.offer[2] == 0:
        pop(s)


@rule
def go_mend(s: State, t: Tables) -> None:
    """A weapon has lost cubes: WEAP-6, then MAGIC-2."""
    frame = top(s)
    p = frame.actor
    gear = gear_of_arm(frame.at)
    if frame.stage == 0 and gear == Gear.WEAPON:
        frame.stage = 1
        ask_repair(s, p)
    else:
        pop(s)
        look_at_magic(s, t, p, gear, True)

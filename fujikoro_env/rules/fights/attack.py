"""ATK: a samurai's turn in a fight, from the choice of a weapon to the last breakage; shared by all kinds of fights.

ATTACK is the turn. WEAPON asks which weapon is next, and DICE how many dice of each kind to roll. Then BREAK takes
cubes off, MEND makes the weapon legal again, and AFTER_ROLL deals the hits.
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


@rule
def in_order(s: State, k: int) -> int:
    """Return the k-th player, counted from the active one."""
    return (s.fight.active + k) % s.settings.players


@rule
def battle_initiative(s: State, t: Tables, p: int) -> int:
    """Return the initiative in a fight (INIT-1), plus 3 with the scroll lightning_draw, even unarmed."""
    me = s.players[p]
    return initiative_of(me) + initiative_of_scrolls(me, t)


@rule
def initiative_of_scrolls(me: Player, t: Tables) -> int:
    """Return the initiative that scrolls add."""
    return LIGHTNING if has_scroll(me, t, ScrollPower.LIGHTNING_DRAW) else 0


@rule
def enter_fight(s: State, p: int, came_from: int) -> None:
    """Add a samurai to the fight."""
    s.fight.fighters[p].inside = 1
    s.fight.fighters[p].came_from = came_from


@rule
def count_knock_out(s: State, p: int) -> None:
    """Count a knock-out under the kind of opponent."""
    counts = s.counts[p]
    if s.fight.dragon != 0:
        counts.knock_outs[KnockOut.DRAGON] += 1
    elif s.fight.monk != 0:
        counts.knock_outs[KnockOut.MONK] += 1
    else:
        counts.knock_outs[KnockOut.DUEL] += 1


@rule
def clear_fight(s: State) -> None:
    """Reset the fight to zeros, so that equal positions have equal bytes."""
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
    """Reset a player's part in the fight to zeros."""
    fighter = s.fight.fighters[p]
    fighter.inside = 0
    fighter.came_from = 0
    fighter.initiative = 0
    fighter.monk = 0
    fighter.rolled = 0
    fighter.rerolled = 0


@rule
def clear_table(s: State) -> None:
    """Remove the dice of the last roll."""
    s.fight.hits = 0
    s.fight.break_hits = 0
    for kind in range(RESOURCE_KINDS):
        s.fight.breaks[kind] = 0


@rule
def may_roll(s: State, p: int, slot: int) -> bool:
    """Whether a samurai may roll with a weapon: once per round with each usable one (ATK-1)."""
    return not has(s.fight.fighters[p].rolled, slot) and may_fight_with(s.players[p], slot)


@rule
def may_roll_any(s: State, p: int) -> bool:
    """Whether a samurai may roll with any weapon."""
    for slot in range(ARMS):
        if may_roll(s, p, slot):
            return True
    return False


@rule
def begin_attack(s: State, p: int) -> None:
    """Begin a samurai's turn in a fight."""
    s.fight.fighters[p].rolled = 0
    push(s, Phase.ATTACK, p)


@rule
def legal_weapon(s: State, mask: Words) -> None:
    """Allow each weapon that has not been rolled, in the owner's order (ATK-1)."""
    for slot in range(ARMS):
        if may_roll(s, top(s).actor, slot):
            allow(mask, WEAPON + slot)


@rule
def do_weapon(s: State, action: int) -> None:
    """Choose the weapon and ask for its dice."""
    p, slot = top(s).actor, action - WEAPON
    pop(s)
    frame = push(s, Phase.DICE, p)
    frame.at = slot
    frame.chosen = cells_of_arm(s.players[p], slot)
    s.fight.fighters[p].rolled |= bit(slot)
    if slot != WORN and not is_one_handed(
        s.players[p], frame.chosen
    ):  # whatever breakage leaves of it in the right part has been rolled too
        s.fight.fighters[p].rolled |= bit(RIGHT)


@rule
def dice_of(me: Player, frame: Frame, kind: int) -> int:
    """Return how many dice of a kind the weapon has: one per cube, and a green one if it is magic (MAGIC-4)."""
    if kind == Cube.MAGIC:
        return 1 if has_magic(me, frame.at) else 0
    return count_bits(me.gear[gear_of_arm(frame.at)].cubes[kind] & frame.chosen)


@rule
def next_kind(me: Player, frame: Frame, kind: int) -> int:
    """Return the next kind of dice that the weapon has, or CUBE_KINDS."""
    while kind < CUBE_KINDS and dice_of(me, frame, kind) == 0:
        kind += 1
    return kind


@rule
def dice_chosen(frame: Frame) -> int:
    """Return how many dice have been chosen."""
    return frame.offer[0] + frame.offer[1] + frame.offer[2] + frame.left


@rule
def legal_dice(s: State, mask: Words) -> None:
    """Allow rolling all dice, or choosing a number for each kind, at least one die in total (ATK-1)."""
    frame = top(s)
    me = s.players[frame.actor]
    if frame.stage == Cube.WOOD:  # every usable weapon has wood, so this is always the first kind
        allow(mask, ROLL)
    is_last = next_kind(me, frame, frame.stage + 1) == CUBE_KINDS
    fewest = 1 if is_last and dice_chosen(frame) == 0 else 0
    for number in range(fewest, dice_of(me, frame, frame.stage) + 1):
        allow(mask, NUMBER + number)


@rule
def do_dice(s: State, t: Tables, action: int) -> None:
    """Choose all dice or the number of one kind, and roll when all kinds are chosen."""
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
    """Note the number of dice of a kind."""
    if kind == Cube.MAGIC:
        frame.left = number
    else:
        frame.offer[kind] = number


@rule
def roll_dice(s: State, t: Tables, kind: int, number: int) -> None:
    """Roll dice of one kind onto the table."""
    for _ in range(number):
        face = roll_face(s, kind)
        s.fight.hits += t.die_hits[kind, face]
        if t.die_breaks[kind, face] != 0:
            s.fight.breaks[kind] += 1
            s.fight.break_hits += t.die_hits[kind, face]


@rule
def roll_weapon(s: State, t: Tables) -> None:
    """Roll the chosen dice and ask for a reroll if the player has steady_hand; the dice stay in the frame until
    then."""
    frame = top(s)
    p = frame.actor
    roll_chosen_dice(s, t)
    if has_scroll(s.players[p], t, ScrollPower.STEADY_HAND) and s.fight.fighters[p].rerolled == 0:
        frame.phase = Phase.REROLL
    else:
        settle_roll(s, t)


@rule
def roll_chosen_dice(s: State, t: Tables) -> None:
    """Clear the table and roll the chosen dice."""
    frame = top(s)
    clear_table(s)
    for kind in range(RESOURCE_KINDS):
        roll_dice(s, t, kind, frame.offer[kind])
    roll_dice(s, t, Cube.MAGIC, frame.left)


@rule
def legal_reroll(mask: Words) -> None:
    """Allow yes and no."""
    allow(mask, YES)
    allow(mask, NO)


@rule
def do_reroll(s: State, t: Tables, action: int) -> None:
    """Reroll all dice of the weapon, once per fight; the second roll counts (steady_hand)."""
    if action == YES:
        s.fight.fighters[top(s).actor].rerolled = 1
        roll_chosen_dice(s, t)
    settle_roll(s, t)


@rule
def settle_roll(s: State, t: Tables) -> None:
    """Push what follows a roll: breakage first, then WEAP-6, then MAGIC-2 (ATK-3), then the hits."""
    p, slot, cells = top(s).actor, top(s).at, top(s).chosen
    pop(s)
    push(s, Phase.AFTER_ROLL, p)
    kinds = breaking_kinds(s)
    grip = has_scroll(s.players[p], t, ScrollPower.IRON_GRIP)
    if grip and kinds == 1:  # there is no choice
        for kind in range(RESOURCE_KINDS):
            s.fight.breaks[kind] = max(0, s.fight.breaks[kind] - 1)
    ask_breakage(s, p, slot, cells)
    if grip and kinds > 1:
        push(s, Phase.GRIP, p)


@rule
def breaking_kinds(s: State) -> int:
    """Return how many kinds of dice break."""
    count = 0
    for kind in range(RESOURCE_KINDS):
        if s.fight.breaks[kind] > 0:
            count += 1
    return count


@rule
def ask_breakage(s: State, p: int, slot: int, cells: int) -> None:
    """Ask which cubes break, then make the weapon legal again."""
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
    """Allow each kind of breaking die."""
    for kind in range(RESOURCE_KINDS):
        if s.fight.breaks[kind] > 0:
            allow(mask, ITEM + kind)


@rule
def do_grip(s: State, action: int) -> None:
    """Ignore the breakage of one die (iron_grip). BREAK lies below and keeps the dice that still break."""
    pop(s)
    top(s).offer[action - ITEM] -= 1


@rule
def legal_break(s: State, mask: Words) -> None:
    """Allow each cube of the weapon whose kind has a breaking die; the owner chooses (ATK-3)."""
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
    """Take the cube off; continue until all breaking dice are covered."""
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
    """Make a weapon that has lost cubes legal again (WEAP-6), then check its magic (MAGIC-2)."""
    frame = top(s)
    p = frame.actor
    gear = gear_of_arm(frame.at)
    if frame.stage == 0 and gear == Gear.WEAPON:
        frame.stage = 1
        ask_repair(s, p)
    else:
        pop(s)
        look_at_magic(s, t, p, gear, True)

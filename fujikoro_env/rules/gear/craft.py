"""REST and CRAFT: discs come back, and one type of gear may be laid anew.

The stage of REST says what the craft is: that of a rest (0), BY_TOKEN of a whetstone, AFTER_ACTION (Yoshihiro),
SANDALS_TOO beside a helmet or weapon (Masako). There `build(card)` begins the craft of that gear and lays the pattern
at once. CRAFT_LAY and WASTE keep the cubes that were lifted off the gear and not laid again. A cube to lay comes from
those first and then from the pack, so what is left in the end is just the net flow from gear to pack, kind by kind
(CRAFT-2).

A craft asks at most MOST_CRAFT_DECISIONS times: the way, a cube for every cell that can hold one, done, the waste.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, count_bits, has
from fujikoro_env.rules.base.actions import (
    ADD,
    BUILD,
    BUILD_BLUEPRINT,
    CELLS,
    CRAFT,
    DONE,
    FIRST_CELL,
    LAY,
    REBUILD,
    THROW,
)
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import DISC_FIELDS, GEARS, RESOURCE_KINDS, Character, Gear, ScrollPower, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, GEAR_CELLS, Frame, Player, State
from fujikoro_env.rules.base.tables import CardTable, Tables
from fujikoro_env.rules.characters.boards import open_cells
from fujikoro_env.rules.gear.cards import has_gear_card
from fujikoro_env.rules.gear.cells import filled_cells
from fujikoro_env.rules.gear.magic import look_at_magic
from fujikoro_env.rules.gear.match import matching
from fujikoro_env.rules.gear.placement import NOWHERE, find_placement, has_enough_cubes, pattern_cells
from fujikoro_env.rules.gear.weapon import cells_for_new_weapon, is_legal_weapon, spread
from fujikoro_env.rules.pack import free_slots, resources_in_pack, throw_away
from fujikoro_env.rules.powers.holdings import has_scroll

BY_TOKEN, AFTER_ACTION, SANDALS_TOO = 1, 2, 3
MOST_CUBES = 16  # on one gear: two one-handed weapons, or Takeko's
MOST_CRAFT_DECISIONS = 3 + MOST_CUBES


@rule
def begin_rest(s: State, p: int) -> None:
    """REST-1: all discs return to the pool, then one type of gear may be crafted."""
    take_discs_back(s.players[p])
    push(s, Phase.REST_END, p)
    push(s, Phase.REST, p)


@rule
def take_discs_back(me: Player) -> None:
    for field in range(DISC_FIELDS):
        me.pool += me.fields[field]
        me.fields[field] = 0


@rule
def begin_craft(s: State, p: int) -> None:
    """whetstone: one type of gear, outside a rest."""
    push(s, Phase.REST, p).stage = BY_TOKEN


@rule
def begin_craft_after_action(s: State, p: int) -> None:
    """CHAR-12: Yoshihiro's; it lies under the action, and goes with it if he is knocked out."""
    if s.players[p].character == Character.YOSHIHIRO:
        push(s, Phase.REST, p).stage = AFTER_ACTION


@rule
def can_craft_anything(me: Player) -> bool:
    return can_craft(me, Gear.HELMET) or can_craft(me, Gear.WEAPON) or can_craft(me, Gear.SANDALS)


@rule
def can_craft(me: Player, gear: int) -> bool:
    """There is something to lift, or something to lay."""
    return filled_cells(me.gear[gear]) != 0 or resources_in_pack(me) > 0


@rule
def allow_builds_at_rest(s: State, t: Tables, frame: Frame, gear: int, mask: Words) -> None:
    """As if the gear were being crafted: the frame looks like that of a craft for as long."""
    frame.thing = gear
    keep_layout(s, frame)
    allow_builds(s, t, frame, mask)
    frame.thing = 0
    for kind in range(RESOURCE_KINDS):
        frame.cubes[kind] = 0


@rule
def keep_layout(s: State, frame: Frame) -> None:
    for kind in range(RESOURCE_KINDS):
        frame.cubes[kind] = s.players[frame.actor].gear[frame.thing].cubes[kind]


@rule
def put_back(s: State, frame: Frame) -> None:
    """The gear as it was before all cubes were lifted."""
    for kind in range(RESOURCE_KINDS):
        s.players[frame.actor].gear[frame.thing].cubes[kind] = frame.cubes[kind]
        frame.offer[kind] = 0


@rule
def legal_rest(s: State, t: Tables, mask: Words) -> None:
    frame = top(s)
    if frame.stage != BY_TOKEN:
        allow(mask, DONE)
    for gear in range(GEARS):
        if can_craft(s.players[frame.actor], gear) and not has(frame.chosen, gear):
            allow(mask, CRAFT + gear)
            allow_builds_at_rest(s, t, frame, gear, mask)


@rule
def do_rest(s: State, t: Tables, action: int) -> None:
    """REST-1: one type of gear; twin_forge: then another, or done."""
    frame = top(s)
    p, stage, crafted = frame.actor, frame.stage, frame.chosen
    gear = gear_of_build(action) if is_build(action) else action - CRAFT
    pop(s)
    if action == DONE:
        return
    if stage == SANDALS_TOO:
        if top(s).phase == Phase.REST:
            top(s).chosen |= bit(Gear.SANDALS)
    elif stage == 0 and crafted == 0 and has_scroll(s.players[p], t, ScrollPower.TWIN_FORGE):
        push(s, Phase.REST, p).chosen = bit(gear)
    if s.players[p].character == Character.MASAKO and gear != Gear.SANDALS and not has(crafted, Gear.SANDALS):
        ask_for_sandals(s, p)
    if is_build(action):
        begin_laying(s, p, gear)
        build_at_once(s, t, action)
    else:
        push(s, Phase.CRAFT_WAY, p).thing = gear


@rule
def is_build(action: int) -> bool:
    return BUILD <= action < BUILD_BLUEPRINT + GEARS * CARD_SLOTS


@rule
def gear_of_build(action: int) -> int:
    return (action - BUILD) % (GEARS * CARD_SLOTS) // CARD_SLOTS


@rule
def build_at_once(s: State, t: Tables, action: int) -> None:
    """The craft has begun: the pattern is added to what lies there if that is possible, else all cubes are lifted."""
    frame = top(s)
    if find_placement(s.players[frame.actor], frame, card_to_build(s, t, action)) == NOWHERE:
        lift_all(s, frame)
    build(s, frame, card_to_build(s, t, action))


@rule
def card_to_build(s: State, t: Tables, action: int) -> CardTable:
    if action >= BUILD_BLUEPRINT:
        return t.blueprints[s.blueprints[action - BUILD_BLUEPRINT].card - 1]
    return t.gear_cards[s.gear_cards[action - BUILD].card - 1]


@rule
def ask_for_sandals(s: State, p: int) -> None:
    """CHAR-23: crafting a helmet or weapon, Masako may craft sandals too."""
    frame = push(s, Phase.REST, p)
    frame.stage = SANDALS_TOO
    frame.chosen = bit(Gear.HELMET) | bit(Gear.WEAPON)


@rule
def legal_craft_way(s: State, mask: Words) -> None:
    frame = top(s)
    me = s.players[frame.actor]
    filled = filled_cells(me.gear[frame.thing])
    if filled != 0:
        allow(mask, REBUILD)
    if resources_in_pack(me) > 0 and cells_to_lay(me, frame.thing) != 0:
        allow(mask, ADD)


@rule
def do_craft_way(s: State, action: int) -> None:
    frame = top(s)
    p, gear = frame.actor, frame.thing
    pop(s)
    begin_laying(s, p, gear)
    if action == REBUILD:
        lift_all(s, top(s))


@rule
def begin_laying(s: State, p: int, gear: int) -> None:
    frame = push(s, Phase.CRAFT_LAY, p)
    frame.thing = gear
    keep_layout(s, frame)


@rule
def lift_all(s: State, frame: Frame) -> None:
    gear = s.players[frame.actor].gear[frame.thing]
    for kind in range(RESOURCE_KINDS):
        frame.offer[kind] = count_bits(gear.cubes[kind])
        gear.cubes[kind] = 0


@rule
def cells_to_lay(me: Player, gear: int) -> int:
    """The empty cells on which one more cube leaves the gear legal."""
    filled = filled_cells(me.gear[gear])
    empty = open_cells(me, gear) & ~filled
    if gear != Gear.WEAPON:  # CRAFT-4, CRAFT-5: any shape, as many as there are cells
        return empty
    beside = spread(filled) & empty
    cells = cells_for_new_weapon(me, filled) & empty & ~beside
    while beside != 0:
        cell = beside & -beside
        beside &= ~cell
        if is_legal_weapon(me, filled | cell):
            cells |= cell
    return cells


@rule
def allow_lays(mask: Words, kind: int, gear: int, cells: int) -> None:
    first = LAY + kind * CELLS + FIRST_CELL[gear]
    for cell in range(GEAR_CELLS[gear]):
        if has(cells, cell):
            allow(mask, first + cell)


@rule
def legal_craft_lay(s: State, t: Tables, mask: Words) -> None:
    frame = top(s)
    me = s.players[frame.actor]
    allow(mask, DONE)
    if frame.offer[0] + frame.offer[1] + frame.offer[2] + resources_in_pack(me) == 0:
        return
    cells = cells_to_lay(me, frame.thing)
    for kind in range(RESOURCE_KINDS):
        if frame.offer[kind] + me.pack[kind] > 0:
            allow_lays(mask, kind, frame.thing, cells)
    allow_builds(s, t, frame, mask)


@rule
def allow_builds(s: State, t: Tables, frame: Frame, mask: Words) -> None:
    """Patterns that can be laid at once: of display cards while the player has none of the type, of its blueprints."""
    p, first = frame.actor, frame.thing * CARD_SLOTS
    me = s.players[p]
    for slot in range(first, first + CARD_SLOTS):
        card, blueprint = s.gear_cards[slot], s.blueprints[slot]
        wanted = card.where == Where.DISPLAY and not has_gear_card(me, frame.thing)
        if wanted and can_build(s, frame, t.gear_cards[card.card - 1]):
            allow(mask, BUILD + slot)
        owned = blueprint.where == Where.OWNED + p
        if owned and can_build(s, frame, t.blueprints[blueprint.card - 1]):
            allow(mask, BUILD_BLUEPRINT + slot)


@rule
def can_build(s: State, frame: Frame, card: CardTable) -> bool:
    """Whether the pattern can be laid now; at a rest also by lifting all cubes first, unless it lies there already."""
    me = s.players[frame.actor]
    if find_placement(me, frame, card) != NOWHERE:
        return True
    if frame.phase != Phase.REST or not has_enough_cubes(me, frame, card) or matching(me, frame.thing, card) != 0:
        return False
    lift_all(s, frame)
    found = find_placement(me, frame, card) != NOWHERE
    put_back(s, frame)
    return found


@rule
def do_craft_lay(s: State, t: Tables, action: int) -> None:
    frame = top(s)
    if action == DONE:
        end_craft(s, t)
    elif is_build(action):
        build(s, frame, card_to_build(s, t, action))
    else:
        cell = (action - LAY) % CELLS - FIRST_CELL[frame.thing]
        lay_cubes(s, frame, (action - LAY) // CELLS, bit(cell))


@rule
def build(s: State, frame: Frame, card: CardTable) -> None:
    me = s.players[frame.actor]
    placement = find_placement(me, frame, card)
    for kind in range(RESOURCE_KINDS):
        lay_cubes(s, frame, kind, pattern_cells(card, placement, kind) & ~me.gear[frame.thing].cubes[kind])


@rule
def lay_cubes(s: State, frame: Frame, kind: int, cells: int) -> None:
    """Cubes of a kind on empty cells: those lifted off the gear first, then from the pack."""
    me = s.players[frame.actor]
    number = count_bits(cells)
    lifted = min(number, frame.offer[kind])
    frame.offer[kind] -= lifted
    me.pack[kind] -= number - lifted
    me.gear[frame.thing].cubes[kind] |= cells


@rule
def end_craft(s: State, t: Tables) -> None:
    """MAGIC-7: a craft is judged by its final layout."""
    frame = top(s)
    gear = s.players[frame.actor].gear[frame.thing]
    went = False
    for kind in range(RESOURCE_KINDS):
        went = went or frame.cubes[kind] & ~gear.cubes[kind] != 0
        frame.cubes[kind] = 0
    s.counts[frame.actor].crafts[frame.thing] += 1
    look_at_magic(s, t, frame.actor, frame.thing, went)
    goes_to_pack = frame.offer[0] + frame.offer[1] + frame.offer[2] > 0
    if goes_to_pack and not has_scroll(s.players[frame.actor], t, ScrollPower.MASTER_SMITH):
        frame.phase = Phase.WASTE  # CRAFT-2: one of those is waste
    else:
        put_into_pack(s)


@rule
def legal_waste(s: State, mask: Words) -> None:
    for kind in range(RESOURCE_KINDS):
        if top(s).offer[kind] > 0:
            allow(mask, THROW + kind)


@rule
def do_waste(s: State, action: int) -> None:
    top(s).offer[action - THROW] -= 1
    s.supply[action - THROW] += 1
    put_into_pack(s)


@rule
def put_into_pack(s: State) -> None:
    """What was lifted off the gear and not laid again."""
    frame = top(s)
    p = frame.actor
    for kind in range(RESOURCE_KINDS):
        s.players[p].pack[kind] += frame.offer[kind]
    pop(s)
    drop_surplus(s, p)


@rule
def drop_surplus(s: State, p: int) -> None:
    """CRAFT-3: what does not fit in the pack goes to the supply, wood first, then metal, then teeth."""
    for kind in range(RESOURCE_KINDS):
        while free_slots(s, p) < 0 and s.players[p].pack[kind] > 0:
            throw_away(s, p, kind)


@rule
def legal_setup_cubes(s: State, mask: Words) -> None:
    """SETUP-7: the first cubes of the weapon, laid by the crafting rules."""
    frame = top(s)
    cells = cells_to_lay(s.players[frame.actor], frame.thing)
    for kind in range(RESOURCE_KINDS):
        if frame.offer[kind] > 0:
            allow_lays(mask, kind, frame.thing, cells)


@rule
def do_setup_cubes(s: State, action: int) -> None:
    frame = top(s)
    kind = (action - LAY) // CELLS
    s.supply[kind] -= 1
    lay_cubes(s, frame, kind, bit((action - LAY) % CELLS - FIRST_CELL[frame.thing]))
    if frame.offer[0] + frame.offer[1] + frame.offer[2] == 0:
        pop(s)

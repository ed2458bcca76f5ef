"""HERO: a monk that runs ahead into a dragon fight, and all that goes with it."""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import MONK, NO, THROW
from fujikoro_env.rules.base.chance import roll_face
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import DISC_FIELDS, SPOTS, Gear, Spot, Supply
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import Player, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.characters.boards import LEFT_PART
from fujikoro_env.rules.gear.cells import take_cells_off
from fujikoro_env.rules.pack import allow_throws, resources_in_pack, throw_away
from fujikoro_env.rules.scroll import lose_scroll


@rule
def has_monk(me: Player) -> bool:
    """HERO-1: on the board or in the pack."""
    for spot in range(SPOTS):
        if me.monks[spot] > 0:
            return True
    return me.pack_monks > 0


@rule
def legal_send_monk(s: State, mask: Words) -> None:
    me = s.players[top(s).actor]
    allow(mask, NO)
    for spot in range(SPOTS):
        if me.monks[spot] > 0:
            allow(mask, MONK + spot)
    if me.pack_monks > 0:
        allow(mask, MONK + Spot.CARRIED)


@rule
def do_send_monk(s: State, action: int) -> None:
    p = top(s).actor
    pop(s)
    if action == NO:
        return
    s.fight.fighters[p].monk = 1
    s.counts[p].monks_sent[action - MONK] += 1
    if resources_in_pack(s.players[p]) > 0:
        push(s, Phase.MONK_THROW, p).thing = action - MONK
    else:
        lose_monk(s, p, action - MONK)


@rule
def legal_monk_throw(s: State, mask: Words) -> None:
    allow_throws(s, top(s).actor, mask)


@rule
def do_monk_throw(s: State, t: Tables, action: int) -> None:
    """HERO-2: one die of the resource's kind; its hits hurt the dragon, its breakage is ignored."""
    frame = top(s)
    p, spot, kind = frame.actor, frame.thing, action - THROW
    pop(s)
    throw_away(s, p, kind)
    s.fight.health -= t.die_hits[kind, roll_face(s, kind)]
    lose_monk(s, p, spot)


@rule
def lose_monk(s: State, p: int, spot: int) -> None:
    """HERO-4: the monk is gone, and its power with it."""
    me = s.players[p]
    s.supply[Supply.MONK] += 1
    if spot == Spot.CARRIED:
        me.pack_monks -= 1
        return
    me.monks[spot] -= 1
    if spot == Spot.POOL:
        lose_disc(me)
    elif spot == Spot.SCROLL:  # HERO-6
        lose_scroll(s, p, 1)
    elif spot == Spot.WEAPON:  # HERO-7
        take_cells_off(s, me.gear[Gear.WEAPON], ~LEFT_PART)
        push(s, Phase.MEND, p)
    else:  # HERO-5
        push(s, Phase.SURPLUS, p)


@rule
def lose_disc(me: Player) -> None:
    """HERO-8: from a field if one lies there."""
    for field in range(DISC_FIELDS):
        if me.fields[field] > 0:
            me.fields[field] -= 1
            return
    me.pool -= 1

"""MAGIC: gear that matches a blueprint of its owner carries a magic cube.

MAGIC_REFRESH lies below every action and comes up when it ends; MAGIC_WEAPON asks which of two weapons gets the cube.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, has
from fujikoro_env.rules.base.actions import WEAPON
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import GEARS, Character, Gear, Supply, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.gear.cells import take_magic_off
from fujikoro_env.rules.gear.match import PAIR, matching
from fujikoro_env.rules.gear.weapon import WEAPONS, weapon_in
from fujikoro_env.rules.pack import owns_blueprint_of

BOTH_WEAPONS = 3


@rule
def matching_blueprints(s: State, t: Tables, p: int, gear: int) -> int:
    """Return where gear matches one of its owner's blueprints, as bits like those of `matching`. Daisuke's helmet never
    matches (CHAR-71)."""
    if gear == Gear.HELMET and s.players[p].character == Character.DAISUKE:
        return 0
    slots = 0
    for card in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        if s.blueprints[card].where == Where.OWNED + p:
            slots |= matching(s.players[p], gear, t.blueprints[s.blueprints[card].card - 1])
    return slots


@rule
def look_at_magic(s: State, t: Tables, p: int, gear: int, cubes_went: bool) -> None:
    """Check the magic of gear that has changed. The magic cube is lost when the gear no longer matches (MAGIC-2). If
    the owner no longer has the blueprint, it is lost with the first cube that is lost or moved (MAGIC-3)."""
    grid = s.players[p].gear[gear]
    if grid.magic == 0:
        return
    if not owns_blueprint_of(s, p, gear):
        if cubes_went:
            take_magic_off(s, grid)
        elif gear == Gear.WEAPON and weapon_in(s.players[p], grid.magic - 1) == 0:
            grid.magic = 1  # the right weapon has grown into a two-handed one
        return
    slots = matching_blueprints(s, t, p, gear)
    if slots == 0:
        if owns_pair(s, t, p, gear) or cubes_went:
            take_magic_off(s, grid)
    elif gear == Gear.WEAPON and not has(slots, grid.magic - 1):
        if weapon_in(s.players[p], grid.magic - 1) != 0:
            take_magic_off(s, grid)
        else:  # two weapons have merged or one has split: the magic moves to the one that matches
            grid.magic = 1 if has(slots, 0) else 2


@rule
def owns_pair(s: State, t: Tables, p: int, gear: int) -> bool:
    """Whether one of the player's blueprints shows two weapons. Only gear built from such a blueprint can stop matching
    without losing a cube. Other gear stops matching only because its own blueprint was lost earlier while its owner has
    another of the type (MAGIC-3, COOP-18)."""
    for card in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        if s.blueprints[card].where == Where.OWNED + p and t.blueprints[s.blueprints[card].card - 1].parts == PAIR:
            return True
    return False


@rule
def find_unlaid_magic(s: State, t: Tables) -> int:
    """Return the first gear that matches but has no magic cube, as player * GEARS + gear, or -1. The search goes in
    player order from the active player, because the supply is limited (SETUP-10)."""
    if s.supply[Supply.MAGIC] == 0 or not any_blueprint_owned(s):
        return -1
    for k in range(s.settings.players):
        p = (s.active + k) % s.settings.players
        for gear in range(GEARS):
            if s.players[p].gear[gear].magic == 0 and matching_blueprints(s, t, p, gear) != 0:
                return p * GEARS + gear
    return -1


@rule
def any_blueprint_owned(s: State) -> bool:
    """Whether any player owns a blueprint."""
    for card in range(GEARS * CARD_SLOTS):
        if s.blueprints[card].where >= Where.OWNED:
            return True
    return False


@rule
def go_magic_refresh(s: State, t: Tables) -> None:
    """Lay a magic cube on the next gear that matches, after an action or a fight (MAGIC-1, MAGIC-5)."""
    found = find_unlaid_magic(s, t)
    if found < 0:
        pop(s)
        return
    p, gear = found // GEARS, found % GEARS
    slots = matching_blueprints(s, t, p, gear)
    if slots == BOTH_WEAPONS:
        push(s, Phase.MAGIC_WEAPON, p)
    else:
        lay_magic(s, p, gear, 1 if has(slots, 0) else 2)


@rule
def lay_magic(s: State, p: int, gear: int, where: int) -> None:
    """Lay a magic cube from the supply on a gear."""
    s.supply[Supply.MAGIC] -= 1
    s.players[p].gear[gear].magic = where


@rule
def legal_magic_weapon(mask: Words) -> None:
    """Allow either weapon."""
    for slot in range(WEAPONS):
        allow(mask, WEAPON + slot)


@rule
def do_magic_weapon(s: State, action: int) -> None:
    """Lay the magic cube on the chosen weapon."""
    p = top(s).actor
    pop(s)
    lay_magic(s, p, Gear.WEAPON, action - WEAPON + 1)

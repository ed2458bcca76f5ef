"""SHOG: bonuses claimed by players who have left the volcano.

Tracks are numbered as in PALACE_TRACKS: the three gears, monks, teeth. CLAIM asks a player outside once per turn.
"""

from fujikoro_env.content.model import PALACE_TRACKS
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, count_bits
from fujikoro_env.rules.base.actions import CLAIM, DONE
from fujikoro_env.rules.base.counters import VpSource
from fujikoro_env.rules.base.frames import pop, top
from fujikoro_env.rules.base.names import GEARS, SPOTS, Cube, Outside
from fujikoro_env.rules.base.state import Player, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.final.score import award
from fujikoro_env.rules.pack import owns_blueprint_of

TRACKS = len(PALACE_TRACKS)
MONKS, TEETH = GEARS, GEARS + 1


@rule
def monks_of(me: Player) -> int:
    """Return how many monks a player has."""
    count = me.pack_monks
    for spot in range(SPOTS):
        count += me.monks[spot]
    return count


@rule
def teeth_of(me: Player) -> int:
    """Return how many teeth a player has, on gear and in the pack (SHOG-1)."""
    count = me.pack[Cube.TOOTH] + 0
    for gear in range(GEARS):
        count += count_bits(me.gear[gear].cubes[Cube.TOOTH])
    return count


@rule
def unclaimed(s: State, p: int, track: int) -> int:
    """Return how many bonuses of a track a player can still claim."""
    me = s.players[p]
    if track == MONKS:
        return monks_of(me) - me.claimed[MONKS]
    if track == TEETH:
        return teeth_of(me) - me.claimed[TEETH]
    owned = me.gear[track].magic != 0 and owns_blueprint_of(s, p, track)
    return 1 - me.claimed[track] if owned else 0


@rule
def may_claim_bonus(s: State, p: int, track: int) -> bool:
    """Whether a player may claim a bonus of a track. At the foot of the mountain each has one space for all players
    together, and there is none for teeth (SHOG-3)."""
    if unclaimed(s, p, track) <= 0:
        return False
    return s.players[p].outside == Outside.PALACE or (track != TEETH and s.foot[track] == 0)


@rule
def has_bonus(s: State, p: int) -> bool:
    """Whether a player may claim any bonus."""
    for track in range(TRACKS):
        if may_claim_bonus(s, p, track):
            return True
    return False


@rule
def legal_claim(s: State, mask: Words) -> None:
    """Allow one bonus per turn, including the turn of the escape (SHOG-1)."""
    allow(mask, DONE)
    for track in range(TRACKS):
        if may_claim_bonus(s, top(s).actor, track):
            allow(mask, CLAIM + track)


@rule
def do_claim(s: State, t: Tables, action: int) -> None:
    """Award the chosen bonus; claiming changes nothing else (SHOG-5)."""
    p = top(s).actor
    pop(s)
    if action != DONE:
        track = action - CLAIM
        s.players[p].claimed[track] += 1
        award(s, p, bonus_value(s, t, p, track), source_of_bonus(s, p, track))


@rule
def bonus_value(s: State, t: Tables, p: int, track: int) -> int:
    """Take the highest free value of the track and return it (SHOG-1). The lowest value has room for all (SHOG-2)."""
    if s.players[p].outside == Outside.FOOT:
        s.foot[track] = 1
        return t.foot[track]
    value = t.palace[track, s.palace[track]]
    if s.palace[track] < t.palace_length[track] - 1:
        s.palace[track] += 1
    return value


@rule
def source_of_bonus(s: State, p: int, track: int) -> int:
    """Return the VP source under which a bonus is counted."""
    at_foot = s.players[p].outside == Outside.FOOT
    if track == TEETH:
        return VpSource.PALACE_TEETH
    if track == MONKS:
        return VpSource.FOOT_MONKS if at_foot else VpSource.PALACE_MONKS
    return VpSource.FOOT_GEAR if at_foot else VpSource.PALACE_GEAR


@rule
def settle_claims(s: State, t: Tables) -> None:
    """Award a player in the palace the lowest value for everything it can still claim (SHOG-4)."""
    for p in range(s.settings.players):
        if s.players[p].outside == Outside.PALACE:
            for track in range(TRACKS):
                lowest = t.palace[track, t.palace_length[track] - 1]
                award(s, p, lowest * max(0, unclaimed(s, p, track)), VpSource.UNCLAIMED)

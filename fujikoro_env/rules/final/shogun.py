"""SHOG: what those who left the volcano claim.

Tracks are numbered as in PALACE_TRACKS: the three gears, monks, teeth. CLAIM asks who is outside, once a turn.
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
    count = me.pack_monks
    for spot in range(SPOTS):
        count += me.monks[spot]
    return count


@rule
def teeth_of(me: Player) -> int:
    """SHOG-1: from anywhere."""
    count = me.pack[Cube.TOOTH] + 0
    for gear in range(GEARS):
        count += count_bits(me.gear[gear].cubes[Cube.TOOTH])
    return count


@rule
def unclaimed(s: State, p: int, track: int) -> int:
    """How many bonuses of a track a player has still to claim."""
    me = s.players[p]
    if track == MONKS:
        return monks_of(me) - me.claimed[MONKS]
    if track == TEETH:
        return teeth_of(me) - me.claimed[TEETH]
    owned = me.gear[track].magic != 0 and owns_blueprint_of(s, p, track)
    return 1 - me.claimed[track] if owned else 0


@rule
def may_claim_bonus(s: State, p: int, track: int) -> bool:
    """SHOG-3: at the foot of the mountain one space each for all players together, and nothing for teeth."""
    if unclaimed(s, p, track) <= 0:
        return False
    return s.players[p].outside == Outside.PALACE or (track != TEETH and s.foot[track] == 0)


@rule
def has_bonus(s: State, p: int) -> bool:
    for track in range(TRACKS):
        if may_claim_bonus(s, p, track):
            return True
    return False


@rule
def legal_claim(s: State, mask: Words) -> None:
    """SHOG-1: one bonus each turn, the turn of the escape included."""
    allow(mask, DONE)
    for track in range(TRACKS):
        if may_claim_bonus(s, top(s).actor, track):
            allow(mask, CLAIM + track)


@rule
def do_claim(s: State, t: Tables, action: int) -> None:
    """SHOG-5: claiming changes nothing else."""
    p = top(s).actor
    pop(s)
    if action != DONE:
        track = action - CLAIM
        s.players[p].claimed[track] += 1
        award(s, p, bonus_value(s, t, p, track), source_of_bonus(s, p, track))


@rule
def bonus_value(s: State, t: Tables, p: int, track: int) -> int:
    """SHOG-1: the highest free value of the track, which is then taken. SHOG-2: the lowest has room for all."""
    if s.players[p].outside == Outside.FOOT:
        s.foot[track] = 1
        return t.foot[track]
    value = t.palace[track, s.palace[track]]
    if s.palace[track] < t.palace_length[track] - 1:
        s.palace[track] += 1
    return value


@rule
def source_of_bonus(s: State, p: int, track: int) -> int:
    at_foot = s.players[p].outside == Outside.FOOT
    if track == TEETH:
        return VpSource.PALACE_TEETH
    if track == MONKS:
        return VpSource.FOOT_MONKS if at_foot else VpSource.PALACE_MONKS
    return VpSource.FOOT_GEAR if at_foot else VpSource.PALACE_GEAR


@rule
def settle_claims(s: State, t: Tables) -> None:
    """SHOG-4: a player in the palace gets the lowest value for all it still has to claim."""
    for p in range(s.settings.players):
        if s.players[p].outside == Outside.PALACE:
            for track in range(TRACKS):
                lowest = t.palace[track, t.palace_length[track] - 1]
                award(s, p, lowest * max(0, unclaimed(s, p, track)), VpSource.UNCLAIMED)

"""The final chapter: when to leave, whether there is still time for a detour, and what to claim.

The countdown advances once between two turns of a player. The number of spaces left on it is therefore the number of
turns that the active player still has, including the current one. The rope can be climbed at the end of the first turn
after it appears.
"""

from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.paths import BLOCKED, DISTANCE, UNREACHED, WAYS, find_ways
from fujikoro_env.kernel.jit import IntArray, Words, rule
from fujikoro_env.kernel.masks import allows, bit
from fujikoro_env.rules.base.actions import CLAIM, DONE, STEP
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Call, Mode, Outside, Spot
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.characters.boards import discs_of
from fujikoro_env.rules.final.shogun import TRACKS, unclaimed
from fujikoro_env.rules.map.geometry import SPACES, START, START_PLACE
from fujikoro_env.rules.move import lava_spaces_of
from fujikoro_env.rules.turn.stages import ACTIONS_A_TURN, TURN_END

TURN_WORTH: Final = 2.0  # VP that a turn inside brings, roughly
NEVER: Final = 1000


@rule
def is_running(s: State, p: int) -> bool:
    """Whether the final chapter has begun and the player is still inside."""
    return s.final_player != 0 and s.players[p].outside == Outside.INSIDE


@rule
def has_played(s: State, p: int) -> bool:
    """Whether a player has had its turn since the countdown last advanced, which it does after the turn of the player
    who started it."""
    players, starter = s.settings.players, s.final_player - 1
    mine, now = (p - starter) % players, (s.active - starter) % players
    return 1 <= mine < (now if now > 0 else players)


@rule
def turns_left(s: State, t: Tables, p: int) -> int:
    """Number of turns that a player has before the end, including the current one."""
    return t.countdown_length[Mode.COMPETITIVE] - s.countdown - (1 if has_played(s, p) else 0)


@rule
def turns_to_rope(s: State, t: Tables, p: int) -> int:
    """The first turn at whose end the rope can be climbed; 1 is the current or next turn."""
    if s.rope != 0:
        return 1
    for space in range(int(s.countdown), int(t.countdown_length[Mode.COMPETITIVE])):
        if t.countdown[Mode.COMPETITIVE, space] == Call.ROPE:
            return space - s.countdown + (1 if has_played(s, p) else 2)
    return NEVER + 0


@rule
def soon_to_erupt(s: State, t: Tables, turns: int) -> int:
    """Eruption numbers that are called within this many turns, as bits."""
    soon = 0
    for space in range(int(s.countdown), min(int(s.countdown) + turns, int(t.countdown_length[Mode.COMPETITIVE]))):
        call = int(t.countdown[Mode.COMPETITIVE, space])
        if Call.LAVA_1 <= call <= Call.LAVA_4:
            soon |= bit(call)
    return soon


@rule
def claims_worth_a_turn(s: State, t: Tables, p: int) -> int:
    """Number of palace bonuses that bring more than a turn inside, beyond what is paid for them at the end anyway."""
    count = 0
    for track in range(TRACKS):
        lowest = t.palace[track, t.palace_length[track] - 1]
        for k in range(unclaimed(s, p, track)):
            place = min(s.palace[track] + k, t.palace_length[track] - 1)
            if t.palace[track, place] - lowest > TURN_WORTH:
                count += 1
    return count


@rule
def turns_to_leave(s: State, t: Tables, p: int) -> int:
    """The turn at whose end the player should be on the rope (1 is this one): early enough for the claims that are
    worth it, and one turn earlier than needed, because others claim too."""
    left, claims = max(1, turns_left(s, t, p)), claims_worth_a_turn(s, t, p)
    return max(turns_to_rope(s, t, p), min(left - claims, left))


@rule
def actions_until(s: State, p: int, turns: int) -> int:
    """Number of actions, apart from rests, that a player has until the end of a turn (1 is this one)."""
    actions = ACTIONS_A_TURN * turns
    if s.active == p:
        under_way = 0 if top(s).phase == Phase.ACTION else 1
        actions += max(0, TURN_END + 1 - s.stack[0].stage - under_way) - ACTIONS_A_TURN
    me = s.players[p]
    pool, discs, useful = int(me.pool), max(1, discs_of(me) + me.monks[Spot.POOL]), 0
    for _ in range(actions):
        if pool == 0:
            pool = discs
        else:
            pool -= 1
            useful += 1
    return useful


@rule
def find_ways_home(s: State, t: Tables, p: int, turns: int, home: IntArray) -> bool:
    """Write the distances to the rope: over ground that lasts long enough if there is such a way, otherwise over any
    ground, and as a last resort over lava. Return whether there is a way at all."""
    soon, here = soon_to_erupt(s, t, turns), int(s.players[p].at)
    find_ways(s, t, p, START, soon, 0, home)
    if is_reached(home, here):
        return True
    find_ways(s, t, p, START, 0, 0, home)
    if is_reached(home, here):
        return True
    find_ways(s, t, p, START, 0, lava_spaces_of(s, p), home)
    return is_reached(home, here)


@rule
def is_reached(ways: IntArray, space: int) -> bool:
    """Whether there is a path to the space."""
    return ways[DISTANCE + space] != UNREACHED and ways[DISTANCE + space] != BLOCKED


# --- answers --------------------------------------------------------------------------------------------------------


@rule
def answer_claim(s: State, t: Tables, mask: Words) -> int:
    """Claim the bonus that brings most beyond what is paid at the end anyway."""
    best, most = DONE + 0, -1
    for track in range(TRACKS):
        if allows(mask, CLAIM + track):
            worth = claim_worth(s, t, int(top(s).actor), track)
            if worth > most:
                best, most = CLAIM + track, worth
    return best


@rule
def claim_worth(s: State, t: Tables, p: int, track: int) -> int:
    """VP of a claim, beyond what is paid at the end anyway."""
    if s.players[p].outside == Outside.FOOT:
        return t.foot[track] + 0
    return t.palace[track, s.palace[track]] - t.palace[track, t.palace_length[track] - 1]


@rule
def answer_refuge(s: State, t: Tables, mask: Words) -> int:
    """Flee to the space or temple with the shortest lasting way to the rope (LAVA-1, LAVA-3)."""
    p = int(top(s).actor)
    home: Any = np.empty(WAYS, np.int64)
    find_ways(s, t, p, START, soon_to_erupt(s, t, ACTIONS_A_TURN), 0, home)
    best, nearest = -1, NEVER
    for space in range(SPACES):
        if allows(mask, STEP + space):
            far = (
                home[DISTANCE + space] if is_reached(home, space) else NEVER // 2 + t.place_distance[space, START_PLACE]
            )
            if far < nearest:
                best, nearest = STEP + space, far
    return best

"""Rewards of all environments, computed in this one place.

A step pays each player `end + worth now - worth before`. The end is paid once, when the game is over. The worth is an
estimate of the position from the player's view. It is stored beside the game, in the game's row of `worths`:

kind    end                                        worth
RANK    evenly from 1 for the first to -1 for      0
        the last; ties share
WIN     the share of the win minus 1 / players     0
VP      0                                          the player's VP
SHAPED  as RANK                                    an estimate of that end, from -1 to 1; 0 when the game is over

In co-op RANK, WIN and SHAPED pay all players the same end: 1 if the game is won, -1 if it is lost.
"""

from enum import IntEnum
from typing import Final

from fujikoro_env.content.model import DRAGON_COLOURS, MAX_DRAGONS
from fujikoro_env.kernel.jit import Floats, FloatTable, IntArray, entry, rule
from fujikoro_env.kernel.masks import count_bits, has
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.names import GEARS, Reason, Where
from fujikoro_env.rules.base.state import CARD_SLOTS, PLAYERS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.coop.coop import is_complete, is_coop
from fujikoro_env.rules.final.final import VP_OF_A_RONIN
from fujikoro_env.rules.final.score import rank_of
from fujikoro_env.rules.map.geometry import PLACES, START_PLACE, TEMPLES
from fujikoro_env.rules.scenarios.enemies import enemies_left
from fujikoro_env.rules.scenarios.tame import LEGENDARY
from fujikoro_env.rules.scenarios.terms import Term, holds


class Reward(IntEnum):
    """Kinds of rewards."""

    RANK, WIN, VP, SHAPED = range(4)


PART_OF_PROGRESS: Final = 1 / 6  # there are five parts, so the worth stays below the reward for winning


# --- paying ---------------------------------------------------------------------------------------------------------


@entry
def pay_games(
    games: Records[State],
    tables: Records[Tables],
    first: int,
    last: int,
    kind: int,
    worths: FloatTable,
    rewards: FloatTable,
) -> int:
    """Write the rewards of games first to last - 1 since their worths were last updated, and update the worths. Return
    the number of games in which any reward is not 0. A finished game must be dealt and appraised again before the next
    call."""
    paid = 0
    for g in range(first, last):
        if pay(games[g], tables[0], kind, worths[g], rewards[g]):
            paid += 1
    return paid


@entry
def appraise_games(
    games: Records[State], tables: Records[Tables], chosen: IntArray, kind: int, worths: FloatTable
) -> None:
    """Write the worths of the chosen games at their start, so that nothing is paid for the initial position."""
    for k in range(len(chosen)):
        g = chosen[k]
        common = common_worth(games[g], tables[0], kind)
        for p in range(PLAYERS):
            worths[g][p] = worth(games[g], kind, p, common)


@rule
def pay(s: State, t: Tables, kind: int, worths: Floats, rewards: Floats) -> bool:
    """Write the rewards of one game and update its worths. Return whether any reward is not 0."""
    common = common_worth(s, t, kind)
    paid = False
    for p in range(PLAYERS):
        now = worth(s, kind, p, common)
        rewards[p] = end_reward(s, kind, p) + now - worths[p]
        worths[p] = now
        paid = paid or rewards[p] != 0
    return paid


# --- the end --------------------------------------------------------------------------------------------------------


@rule
def end_reward(s: State, kind: int, p: int) -> float:
    """Return the reward for the end of the game; 0 while it is running."""
    if s.reason == Reason.PLAYING or p >= s.settings.players or kind == Reward.VP:
        return 0.0
    if is_coop(s):
        return 1.0 if s.reason == Reason.WON else -1.0
    return win_reward(s, p) if kind == Reward.WIN else rank_reward(s, p)


@rule
def rank_reward(s: State, p: int) -> float:
    """Return the reward for the rank. Tied players share the mean of the ranks they occupy."""
    players, rank = s.settings.players, rank_of(s, p)
    return (players + 2 - 2 * rank - sharing_rank(s, rank)) / (players - 1)


@rule
def win_reward(s: State, p: int) -> float:
    """Return the player's share of the win minus 1 / players."""
    share = 1.0 / sharing_rank(s, 1) if rank_of(s, p) == 1 else 0.0
    return share - 1.0 / s.settings.players


@rule
def sharing_rank(s: State, rank: int) -> int:
    """Return how many players have this rank."""
    count = 0
    for p in range(s.settings.players):
        if rank_of(s, p) == rank:
            count += 1
    return count


# --- the worth of a position ----------------------------------------------------------------------------------------


@rule
def worth(s: State, kind: int, p: int, common: float) -> float:
    """Return the worth of the position to a player."""
    if p >= s.settings.players:
        return 0.0
    if kind == Reward.VP:
        return s.players[p].vp + 0.0
    if kind != Reward.SHAPED or s.reason != Reason.PLAYING:
        return 0.0
    return common if is_coop(s) else lead(s, p)


@rule
def common_worth(s: State, t: Tables, kind: int) -> float:
    """Return the worth that all players share, which is computed once per position; 0 if there is none."""
    if kind != Reward.SHAPED or not is_coop(s) or s.reason != Reason.PLAYING:
        return 0.0
    return progress(s, t)


@rule
def lead(s: State, p: int) -> float:
    """Return the player's lead in VP over the mean of the others, relative to the VP that start the final chapter."""
    total = 0
    for q in range(s.settings.players):
        total += s.players[q].vp
    mine = s.players[p].vp
    ahead = mine - (total - mine) / (s.settings.players - 1)
    return min(1.0, max(-1.0, ahead / s.settings.final_at))


@rule
def progress(s: State, t: Tables) -> float:
    """Return how much of the goals of a co-op game has been achieved (COOP-1)."""
    parts = explored(s) + forged(s, t) + beaten(s, t) + achieved(s, t) + s.escaped / s.settings.players
    return PART_OF_PROGRESS * parts


@rule
def explored(s: State) -> float:
    """Return the fraction of places that have a tile."""
    tiles = 0
    for place in range(PLACES):
        if s.tile[place] != 0:
            tiles += 1
    return tiles / PLACES


@rule
def forged(s: State, t: Tables) -> float:
    """Return the progress of the group's gear: half of a gear's share for owning a blueprint, all of it for the
    complete gear."""
    done = 0.0
    for gear in range(GEARS):
        if is_complete_in_the_group(s, t, gear):
            done += 1.0
        elif has_blueprint_in_the_group(s, gear):
            done += 0.5
    return done / GEARS


@rule
def is_complete_in_the_group(s: State, t: Tables, gear: int) -> bool:
    """Whether any player has this gear complete."""
    for p in range(s.settings.players):
        if is_complete(s, t, p, gear):
            return True
    return False


@rule
def has_blueprint_in_the_group(s: State, gear: int) -> bool:
    """Whether any player has a blueprint of this gear."""
    for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        if Where.OWNED <= s.blueprints[slot].where < Where.OWNED + s.settings.players:
            return True
    return False


@rule
def beaten(s: State, t: Tables) -> float:
    """Return the fraction of all dragons that have been beaten."""
    dragons = 0
    for colour in range(len(DRAGON_COLOURS)):
        dragons += count_bits(t.dragons_of_colour[colour])
    return count_bits(s.dragons_beaten) / dragons


@rule
def achieved(s: State, t: Tables) -> float:
    """Return the progress towards the game's own goal: the legendary dragon (COOP-1), the enemies (SCEN-74) or VP
    (SCEN-82)."""
    if holds(s, Term.RONIN):
        return min(s.players[0].vp, VP_OF_A_RONIN) / VP_OF_A_RONIN
    if holds(s, Term.ENEMY_SAMURAI):
        return (TEMPLES - enemies_left(s)) / TEMPLES
    return legendary_achieved(s, t)


@rule
def legendary_achieved(s: State, t: Tables) -> float:
    """Return the progress with the legendary dragon: half for finding it, all for beating it, or under SCEN-62 for
    luring it to the start tile."""
    done, dragons = 0.0, 0
    for dragon in range(MAX_DRAGONS):
        if has(t.dragons_of_colour[LEGENDARY], dragon):
            dragons += 1
            if has(s.dragons_beaten, dragon) or is_lured(s, dragon):
                done += 1.0
            elif s.dragons[dragon].place != 0:
                done += 0.5
    return done / dragons if dragons > 0 else 0.0


@rule
def is_lured(s: State, dragon: int) -> bool:
    """Whether the dragon has to be tamed and is on the start tile."""
    return holds(s, Term.TAME_THE_LEGENDARY) and s.dragon_at[START_PLACE] == dragon + 1

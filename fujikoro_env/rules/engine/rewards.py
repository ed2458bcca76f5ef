"""What players get for a game: the one place where rewards are made, for every environment.

A step pays each player `end + worth now - worth before`. The end is paid once, when the game is over. The worth is kept
beside the game, a row of `worths` for each; it is what the position is worth to a player:

kind    end                                        worth
RANK    evenly from 1 for the first to -1 for      0
        the last, those who tie share
WIN     the share of the win, less 1 / players     0
VP      0                                          the player's VP
SHAPED  as RANK                                    a guess between -1 and 1 at that end; 0 when the game is over

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
    RANK, WIN, VP, SHAPED = range(4)


PART_OF_PROGRESS: Final = 1 / 6  # five parts, so that the worth of all stays below that of winning


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
    """Rewards of games first to last - 1 for what happened since their worths were taken, which are taken anew. Gives
    in how many somebody gets something. A game that is over is dealt and appraised anew before it is paid again."""
    paid = 0
    for g in range(first, last):
        if pay(games[g], tables[0], kind, worths[g], rewards[g]):
            paid += 1
    return paid


@entry
def appraise_games(
    games: Records[State], tables: Records[Tables], chosen: IntArray, kind: int, worths: FloatTable
) -> None:
    """The worths of the games that are named, which begin: nothing is paid for how they stand."""
    for k in range(len(chosen)):
        g = chosen[k]
        common = common_worth(games[g], tables[0], kind)
        for p in range(PLAYERS):
            worths[g][p] = worth(games[g], kind, p, common)


@rule
def pay(s: State, t: Tables, kind: int, worths: Floats, rewards: Floats) -> bool:
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
    if s.reason == Reason.PLAYING or p >= s.settings.players or kind == Reward.VP:
        return 0.0
    if is_coop(s):
        return 1.0 if s.reason == Reason.WON else -1.0
    return win_reward(s, p) if kind == Reward.WIN else rank_reward(s, p)


@rule
def rank_reward(s: State, p: int) -> float:
    """Those who tie share the mean of the ranks that they take up."""
    players, rank = s.settings.players, rank_of(s, p)
    return (players + 2 - 2 * rank - sharing_rank(s, rank)) / (players - 1)


@rule
def win_reward(s: State, p: int) -> float:
    share = 1.0 / sharing_rank(s, 1) if rank_of(s, p) == 1 else 0.0
    return share - 1.0 / s.settings.players


@rule
def sharing_rank(s: State, rank: int) -> int:
    """How many players have this rank."""
    count = 0
    for p in range(s.settings.players):
        if rank_of(s, p) == rank:
            count += 1
    return count


# --- the worth of a position ----------------------------------------------------------------------------------------


@rule
def worth(s: State, kind: int, p: int, common: float) -> float:
    if p >= s.settings.players:
        return 0.0
    if kind == Reward.VP:
        return s.players[p].vp + 0.0
    if kind != Reward.SHAPED or s.reason != Reason.PLAYING:
        return 0.0
    return common if is_coop(s) else lead(s, p)


@rule
def common_worth(s: State, t: Tables, kind: int) -> float:
    """What the position is worth to all alike; worked out once for all of them."""
    if kind != Reward.SHAPED or not is_coop(s) or s.reason != Reason.PLAYING:
        return 0.0
    return progress(s, t)


@rule
def lead(s: State, p: int) -> float:
    """How far its VP are above the mean of the others', as a part of those that start the final chapter."""
    total = 0
    for q in range(s.settings.players):
        total += s.players[q].vp
    mine = s.players[p].vp
    ahead = mine - (total - mine) / (s.settings.players - 1)
    return min(1.0, max(-1.0, ahead / s.settings.final_at))


@rule
def progress(s: State, t: Tables) -> float:
    """COOP-1: of what a co-op game is won by, how much is done."""
    parts = explored(s) + forged(s, t) + beaten(s, t) + achieved(s, t) + s.escaped / s.settings.players
    return PART_OF_PROGRESS * parts


@rule
def explored(s: State) -> float:
    """Tiles on the map, of all that there is room for."""
    tiles = 0
    for place in range(PLACES):
        if s.tile[place] != 0:
            tiles += 1
    return tiles / PLACES


@rule
def forged(s: State, t: Tables) -> float:
    """By gear: half for a blueprint in somebody's hands, the rest when somebody has the gear complete."""
    done = 0.0
    for gear in range(GEARS):
        if is_complete_in_the_group(s, t, gear):
            done += 1.0
        elif has_blueprint_in_the_group(s, gear):
            done += 0.5
    return done / GEARS


@rule
def is_complete_in_the_group(s: State, t: Tables, gear: int) -> bool:
    for p in range(s.settings.players):
        if is_complete(s, t, p, gear):
            return True
    return False


@rule
def has_blueprint_in_the_group(s: State, gear: int) -> bool:
    for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        if Where.OWNED <= s.blueprints[slot].where < Where.OWNED + s.settings.players:
            return True
    return False


@rule
def beaten(s: State, t: Tables) -> float:
    """Dragons, of all that there are."""
    dragons = 0
    for colour in range(len(DRAGON_COLOURS)):
        dragons += count_bits(t.dragons_of_colour[colour])
    return count_bits(s.dragons_beaten) / dragons


@rule
def achieved(s: State, t: Tables) -> float:
    """Of the aim that the game has for itself: the legendary dragon (COOP-1), the enemies (SCEN-74), VP (SCEN-82)."""
    if holds(s, Term.RONIN):
        return min(s.players[0].vp, VP_OF_A_RONIN) / VP_OF_A_RONIN
    if holds(s, Term.ENEMY_SAMURAI):
        return (TEMPLES - enemies_left(s)) / TEMPLES
    return legendary_achieved(s, t)


@rule
def legendary_achieved(s: State, t: Tables) -> float:
    """Half when it is found, the rest when it is beaten. SCEN-62: or rather when it is on the start tile."""
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
    return holds(s, Term.TAME_THE_LEGENDARY) and s.dragon_at[START_PLACE] == dragon + 1

"""Lookahead over the player's own turn: options are tried out on copies of the game, to the end of the turn.

In every copy, what the player can't see is redealt with the player's own random numbers, never copied from the real
game; all options are tried with the same random numbers. The rules of the rung below play the rest of the turn, and the
resulting position is evaluated. With fast estimates only aims are tried out, once each, which takes less than half
of the time.

The copies of an option are the same until chance comes in, so that part of the turn is played only once. Options that
lead to the same turn are recognised by their actions and evaluated once.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from fujikoro_agents.scripted.acting import NO_ANSWER
from fujikoro_agents.scripted.aims import NO_AIM, answer_by_aim, is_deed_of, list_aims
from fujikoro_agents.scripted.answer import answer
from fujikoro_agents.scripted.evaluation import HABIT, evaluate
from fujikoro_agents.scripted.luck import below
from fujikoro_agents.scripted.skills import FAST_ESTIMATES, LEARNED, LOOKS_AHEAD, STRAYS
from fujikoro_agents.stepping import WorkArrays, copy_game, do_action
from fujikoro_agents.values.features import new_blocks
from fujikoro_agents.values.leaves import Learned, keep_others, lead_after_turn
from fujikoro_agents.values.network import MARGIN
from fujikoro_env.kernel.commands import WAIT
from fujikoro_env.kernel.jit import Floats, IntArray, IntTable, Words, entry, rule
from fujikoro_env.kernel.masks import allows, copy_mask, count_allowed, nth_allowed
from fujikoro_env.kernel.stepping import copy_words
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.chance import has_drawn
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Mode, Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.engine.hidden import deal_hidden_of

DEALS: Final = 4  # copies per option; one with fast estimates
TRIAL_GAMES: Final = 3  # games in which options are tried out, the position itself included
MOST_TRIED: Final = 16
MOST_DECISIONS: Final = 400  # in one turn
SEEDS: Final = 1 << 31
THOUSAND: Final = 1000
STRAYING: Final = 300  # thousandths of the questions in which a player that strays follows a random option
REPORT: Final = 1 + 2 * MOST_TRIED  # number of options tried, then each option and its worth

# A turn that is tried out: its aim, the action that comes next if that is given, the player whose turn it is, the
# number of decisions so far, whether it was over before chance came in, and the first actions before that.
AIM, NEXT, ACTIVE, MADE, OVER, TRACE = range(6)
TRACED: Final = 32
TURN: Final = TRACE + TRACED


class Minds(NamedTuple):
    """What scripted agents know and remember between their answers, by game and seat. One-dimensional arrays hold all
    seats of all games one after the other."""

    skills: IntTable
    luck: IntArray
    aims: IntArray  # current aims of agents that look ahead
    weights: Floats  # weights of the evaluation
    report: Floats  # the options tried last: how many, then each option and its worth
    known: IntTable  # memory of estimated fights (known_fights.py)
    network: Floats  # value network of agents with a learned evaluation (values/network.py), or NO_NETWORK


class Planner(NamedTuple):
    """A player who looks ahead."""

    p: int
    skills: int
    weights: Floats  # weights of the evaluation
    known: IntTable  # memory of estimated fights
    learned: Learned  # learned evaluation


@entry
def lookahead_games(
    at: GameArrays, first: int, last: int, actions: IntArray, minds: Minds, work: WorkArrays, base: int
) -> int:
    """Like `answer_games`, for tables where some agents look ahead. They try out their options in TRIAL_GAMES games
    of a workspace, from index `base` on."""
    playing = 0
    for g in range(first, last):
        s = at.games[g]
        if s.reason != Reason.PLAYING:
            actions[g] = WAIT
            continue
        playing += 1
        seat = int(top(s).actor)
        index, skills = g * PLAYERS + seat, minds.skills[g, seat]
        usual = answer(s, at.tables[0], at.masks[g], skills, minds.luck, index, minds.known)
        actions[g] = usual
        if skills & LOOKS_AHEAD != 0 and s.settings.mode == Mode.COMPETITIVE:
            copy_words(at.words[g], work.words[base])
            copy_mask(at.masks[g], work.masks[base])
            seed = below(minds.luck, index, SEEDS)
            actions[g] = look(work, base, minds, index, skills, usual, seed)
    return playing


@rule
def look(work: WorkArrays, base: int, minds: Minds, index: int, skills: int, usual: int, seed: int) -> int:
    """Return the action that leads to the best position at the end of the turn for the player at `index`."""
    report = minds.report
    report[0] = 0
    s, t, mask = work.games[base], work.tables[0], work.masks[base]
    phase, p = top(s).phase, int(top(s).actor)
    if phase != Phase.ACTION:
        followed = answer_by_aim(s, t, mask, int(minds.aims[index]))
        if followed != NO_ANSWER:
            return followed
        if skills & FAST_ESTIMATES != 0 or not is_tried_out(s, phase, count_allowed(mask)):
            return usual
    tried: Any = np.zeros(MOST_TRIED, np.int64)
    worths: Any = np.zeros(MOST_TRIED, np.float64)
    turns: Any = np.empty((MOST_TRIED + 1, TURN), np.int64)
    who = Planner(p, skills, minds.weights, minds.known, Learned(minds.network, new_blocks(), minds.known))
    count, best, most = list_tried(s, t, mask, who, tried), 0, 0.0
    if skills & STRAYS != 0 and seed % THOUSAND < STRAYING:
        best, count = seed // THOUSAND % count, 0
    elif skills & LEARNED != 0:
        keep_others(work, base, p, who.learned)
    for k in range(count):
        begin_turn(work, base, who, int(tried[k]), turns[k], seed)
        twin = twin_of(turns, k)
        worths[k] = worths[twin] if twin < k else worth_of(work, base, who, turns, k, seed)
        worth = worths[k]
        if tried[k] == (NO_AIM if phase == Phase.ACTION else usual):
            worth += minds.network[MARGIN] if skills & LEARNED != 0 else minds.weights[HABIT]
        report[1 + 2 * k] = tried[k]
        report[2 + 2 * k] = worth
        if k == 0 or worth > most:
            best, most = k, worth
    report[0] = count
    if phase != Phase.ACTION:
        return int(tried[best])
    minds.aims[index] = tried[best]
    chosen = answer_by_aim(s, t, mask, int(tried[best]))
    return chosen if chosen != NO_ANSWER and allows(mask, chosen) else usual


@rule
def list_tried(s: State, t: Tables, mask: Words, who: Planner, tried: IntArray) -> int:
    """List the options to try out: aims if an action is chosen, otherwise all legal actions. Return their number."""
    if top(s).phase == Phase.ACTION:
        return list_aims(s, t, mask, who.p, who.skills, tried, who.known)
    for k in range(count_allowed(mask)):
        tried[k] = nth_allowed(mask, k)
    return count_allowed(mask)


@rule
def worth_of(work: WorkArrays, base: int, who: Planner, turns: IntTable, k: int, seed: int) -> float:
    """Worth of option `k`: the mean evaluation of the positions at the end of the turn. Its turn has begun, and its
    first game stands where the deals part."""
    first, trial, total, deals = base + 1, base + 2, 0.0, deals_of(who.skills)
    if turns[k, OVER] != 0:
        worth = worth_of_end(work, base, first, who) / deals
        for _ in range(deals):  # added up like different worths, because rounding counts
            total += worth
        return total
    for deal in range(deals):
        copy_game(work, first, trial)
        deal_hidden_of(work.games[trial], who.p, seed + deal)
        copy_words(turns[k], turns[MOST_TRIED])
        play_turn(work, trial, who, turns[MOST_TRIED], seed + deal)
        total += worth_of_end(work, base, trial, who) / deals
    return total


@rule
def worth_of_end(work: WorkArrays, base: int, index: int, who: Planner) -> float:
    """Evaluation of the position at the end of a turn, which began in the game at `base`."""
    if who.skills & LEARNED != 0:
        return lead_after_turn(work, base, index, who.p, who.learned)
    return evaluate(work.games[index], work.tables[0], who.p, who.weights, who.known)


@rule
def deals_of(skills: int) -> int:
    """Number of deals in which each option is tried out."""
    return 1 if skills & FAST_ESTIMATES != 0 else DEALS + 0


@rule
def is_tried_out(s: State, phase: int, choices: int) -> bool:
    """Whether this is a question whose answer makes a difference by the end of the turn."""
    if choices > MOST_TRIED or s.round_number == 0:
        return False
    match phase:
        case Phase.REST | Phase.EXPLORE_PLACE | Phase.FIND | Phase.BLUEPRINTS | Phase.SCROLL_CARD:
            return True
        case Phase.MONK_SPOT | Phase.PLACE_CARD | Phase.EXPLORE_TURN | Phase.HALVES:
            return s.stack[0].phase == Phase.TURN
        case Phase.JOIN | Phase.SEND_MONK | Phase.RETREAT | Phase.CALL_DUEL:
            return True
    return False


# --- a turn ---------------------------------------------------------------------------------------------------------


@rule
def begin_turn(work: WorkArrays, base: int, who: Planner, tried: int, turn: IntArray, seed: int) -> None:
    """Begin the turn of an option, an aim or an action, and play the part that is the same in all deals. The game after
    the position holds the result."""
    s = work.games[base]
    is_aim = top(s).phase == Phase.ACTION
    turn[AIM] = tried if is_aim else NO_AIM
    turn[NEXT] = NO_ANSWER if is_aim else tried
    turn[ACTIVE] = s.active
    turn[MADE] = 0
    copy_game(work, base, base + 1)
    deal_hidden_of(work.games[base + 1], who.p, seed)
    play_to_chance(work, base + 1, who, turn, seed)


@rule
def play_to_chance(work: WorkArrays, index: int, who: Planner, turn: IntArray, seed: int) -> None:
    """Play until the turn is over or chance comes in: up to the first action that draws, or the first question that
    chance answers. Up to there all deals are the same. The game after this one is overwritten."""
    s, t, mask = work.games[index], work.tables[0], work.masks[index]
    luck: Any = np.full(1, seed + 1, np.int64)
    turn[OVER] = 0
    if has_drawn(s):  # a tile that only other players have seen was dealt anew
        return
    while goes_on(s, turn):
        aim, made = turn[AIM], turn[MADE]
        chosen = next_action(s, t, mask, who, turn, luck)
        if luck[0] != seed + 1:
            turn[AIM] = aim
            turn[MADE] = made
            return
        copy_game(work, index, index + 1)
        do_action(work, index, chosen)
        if has_drawn(s):
            copy_game(work, index + 1, index)
            turn[NEXT] = chosen
            turn[MADE] = made
            return
        if made < TRACED:
            turn[TRACE + made] = chosen
    turn[OVER] = 1


@rule
def twin_of(turns: IntTable, k: int) -> int:
    """The first option whose turn is the same as that of option `k`, which may be `k` itself: with the same actions so
    far, and either over or going on in the same way."""
    for other in range(k):
        if are_twins(turns[other], turns[k]):
            return other
    return k


@rule
def are_twins(one: IntArray, other: IntArray) -> bool:
    """Whether two turns of the same position are the same."""
    if one[MADE] != other[MADE] or one[MADE] > TRACED or one[OVER] != other[OVER]:
        return False
    if one[OVER] == 0 and (one[AIM] != other[AIM] or one[NEXT] != other[NEXT]):
        return False
    for k in range(one[MADE]):
        if one[TRACE + k] != other[TRACE + k]:
            return False
    return True


@rule
def play_turn(work: WorkArrays, index: int, who: Planner, turn: IntArray, seed: int) -> None:
    """Play to the end of the turn."""
    s, t, mask = work.games[index], work.tables[0], work.masks[index]
    luck: Any = np.full(1, seed + 1, np.int64)
    while goes_on(s, turn):
        do_action(work, index, next_action(s, t, mask, who, turn, luck))


@rule
def goes_on(s: State, turn: IntArray) -> bool:
    """Whether the turn goes on."""
    return s.reason == Reason.PLAYING and s.active == turn[ACTIVE] and turn[MADE] < MOST_DECISIONS


@rule
def next_action(s: State, t: Tables, mask: Words, who: Planner, turn: IntArray, luck: IntArray) -> int:
    """Return the next action of a turn: the one it begins with, then one that follows the aim until it is completed;
    otherwise the answer of the rung."""
    chosen, aim = int(turn[NEXT]), int(turn[AIM])
    turn[NEXT] = NO_ANSWER
    turn[MADE] += 1
    if chosen == NO_ANSWER and top(s).actor == who.p:
        chosen = answer_by_aim(s, t, mask, aim)
        if chosen != NO_ANSWER and top(s).phase == Phase.ACTION and is_deed_of(chosen, aim):
            turn[AIM] = NO_AIM
    if chosen == NO_ANSWER or not allows(mask, chosen):
        chosen = answer(s, t, mask, who.skills, luck, 0, who.known)
    return chosen

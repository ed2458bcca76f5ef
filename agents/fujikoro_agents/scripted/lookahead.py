"""Looking ahead over one's own turn: what may be done is tried out on copies of the game, to the end of the turn.

What the player can't see is dealt anew in every copy, by the player's own luck and never from what really lies there;
all that is tried out meets the same luck. The rest of the turn is played by the rules of the rung below, and the
position that comes of it is evaluated. With fast estimates aims alone are tried out, once each: a sixth of the time.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from fujikoro_agents.scripted.acting import NO_ANSWER
from fujikoro_agents.scripted.aims import NO_AIM, answer_by_aim, is_deed_of, list_aims
from fujikoro_agents.scripted.answer import answer
from fujikoro_agents.scripted.evaluation import HABIT, evaluate
from fujikoro_agents.scripted.luck import below
from fujikoro_agents.scripted.skills import FAST_ESTIMATES, LOOKS_AHEAD
from fujikoro_agents.stepping import WorkArrays, copy_game, do_action
from fujikoro_env.kernel.jit import Floats, IntArray, IntTable, Words, entry, rule
from fujikoro_env.kernel.masks import allows, copy_mask, count_allowed, nth_allowed
from fujikoro_env.kernel.stepping import copy_words
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Mode, Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.engine.engine import WAIT
from fujikoro_env.rules.engine.hidden import deal_hidden_of

DEALS: Final = 4  # copies for each thing that is tried out; one with fast estimates
MOST_TRIED: Final = 16
MOST_DECISIONS: Final = 400  # of a turn
SEEDS: Final = 1 << 31
REPORT: Final = 1 + 2 * MOST_TRIED  # how many were tried, then each and its worth


class Minds(NamedTuple):
    """What scripted players know by themselves and keep in mind between their answers, by game and seat. Arrays of one
    dimension have all seats of all games one after the other."""

    skills: IntTable
    luck: IntArray
    aims: IntArray  # of players who look ahead
    weights: Floats  # of the evaluation
    report: Floats  # what was tried out last: how many, then each and its worth


@entry
def lookahead_games(
    at: GameArrays, first: int, last: int, actions: IntArray, minds: Minds, work: WorkArrays, base: int
) -> int:
    """As `answer_games`, for players of whom some look ahead: they try things out in two games of a workspace, from
    `base` on."""
    playing = 0
    for g in range(first, last):
        s = at.games[g]
        if s.reason != Reason.PLAYING:
            actions[g] = WAIT
            continue
        playing += 1
        seat = int(top(s).actor)
        index, skills = g * PLAYERS + seat, minds.skills[g, seat]
        usual = answer(s, at.tables[0], at.masks[g], skills, minds.luck, index)
        actions[g] = usual
        if skills & LOOKS_AHEAD != 0 and s.settings.mode == Mode.COMPETITIVE:
            copy_words(at.words[g], work.words[base])
            copy_mask(at.masks[g], work.masks[base])
            seed = below(minds.luck, index, SEEDS)
            actions[g] = look(work, base, minds, index, skills, usual, seed)
    return playing


@rule
def look(work: WorkArrays, base: int, minds: Minds, index: int, skills: int, usual: int, seed: int) -> int:
    """The action that leads to the best position at the end of the turn, for the player at `index`."""
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
    count = list_tried(s, t, mask, p, skills, tried)
    best, most = 0, 0.0
    for k in range(count):
        worth = worth_of(work, base, p, skills, int(tried[k]), seed, minds.weights)
        if tried[k] == (NO_AIM if phase == Phase.ACTION else usual):
            worth += minds.weights[HABIT]
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
def list_tried(s: State, t: Tables, mask: Words, p: int, skills: int, tried: IntArray) -> int:
    """What is tried out: aims where an action is chosen, else all that is legal. Gives how many there are."""
    if top(s).phase == Phase.ACTION:
        return list_aims(s, t, mask, p, skills, tried)
    for k in range(count_allowed(mask)):
        tried[k] = nth_allowed(mask, k)
    return count_allowed(mask)


@rule
def worth_of(work: WorkArrays, base: int, p: int, skills: int, tried: int, seed: int, weights: Floats) -> float:
    """Of an aim or an action: what the positions at the end of the turn are worth on average."""
    is_aim = top(work.games[base]).phase == Phase.ACTION
    aim, action = (tried, NO_ANSWER + 0) if is_aim else (NO_AIM + 0, tried)
    trial, total, deals = base + 1, 0.0, 1 if skills & FAST_ESTIMATES != 0 else DEALS
    for deal in range(deals):
        copy_game(work, base, trial)
        deal_hidden_of(work.games[trial], p, seed + deal)
        play_turn(work, trial, p, skills, aim, action, seed + deal)
        total += evaluate(work.games[trial], work.tables[0], p, weights) / deals
    return total


@rule
def is_tried_out(s: State, phase: int, choices: int) -> bool:
    """Questions whose answers make a difference by the end of a turn."""
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


@rule
def play_turn(work: WorkArrays, trial: int, p: int, skills: int, aim: int, action: int, seed: int) -> None:
    """To the end of the turn: by an aim while it is open, or by a first action, then by the rules of the rung."""
    s, t, mask = work.games[trial], work.tables[0], work.masks[trial]
    luck: Any = np.full(1, seed + 1, np.int64)
    active = s.active
    for _ in range(MOST_DECISIONS):
        if s.reason != Reason.PLAYING or s.active != active:
            return
        chosen = action
        action = NO_ANSWER + 0
        if chosen == NO_ANSWER and top(s).actor == p:
            chosen = answer_by_aim(s, t, mask, aim)
            if chosen != NO_ANSWER and top(s).phase == Phase.ACTION and is_deed_of(chosen, aim):
                aim = NO_AIM + 0
        if chosen == NO_ANSWER or not allows(mask, chosen):
            chosen = answer(s, t, mask, skills, luck, 0)
        do_action(work, trial, chosen)

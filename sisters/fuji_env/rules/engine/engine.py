"""Drives games from decision to decision; dispatch.py calls the rules."""

from fuji_env.rules.base.actions import ACTIONS
from fuji_env.rules.base.frames import top
from fuji_env.rules.base.names import Fault, Reason
from fuji_env.rules.base.phases import FIRST_AUTOMATIC
from fuji_env.rules.base.state import State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.engine.dispatch import do, go, legal
from fuji_env.rules.setup import deal
from fujikoro_env.kernel.jit import IntArray, Words, WordTable, entry, rule
from fujikoro_env.kernel.masks import allows, clear, count_allowed, nth_allowed
from fujikoro_env.kernel.records import Records

NO_ACTION = -1  # only advance to the next decision
ONLY_LEGAL = -2  # only mark the legal actions of a position that was loaded
WAIT = -3  # leave the game and its mask unchanged while other games of the batch move on


@rule
def advance(s: State, t: Tables, mask: Words) -> None:
    """Advance to the next decision. A single legal action is carried out without asking, unless `ask_forced` is set."""
    clear(mask)
    while s.reason == Reason.PLAYING and s.fault == Fault.NONE:
        if top(s).phase >= FIRST_AUTOMATIC:
            go(s, t)
            continue
        legal(s, t, mask)
        choices = count_allowed(mask)
        if choices == 0:
            s.fault = Fault.NO_LEGAL_ACTION
        elif choices > 1 or s.settings.ask_forced != 0:
            return
        else:
            do(s, t, nth_allowed(mask, 0))
            clear(mask)


@rule
def step(s: State, t: Tables, action: int, mask: Words) -> int:
    """Carry out an action, advance to the next decision and return the fault. An illegal action changes nothing."""
    if action == WAIT:
        return Fault.NONE + 0
    if action == ONLY_LEGAL:
        clear(mask)
        if s.reason == Reason.PLAYING:
            legal(s, t, mask)
        return s.fault
    if action != NO_ACTION:
        if not 0 <= action < ACTIONS or s.reason != Reason.PLAYING or not allows(mask, action):
            return Fault.ILLEGAL_ACTION + 0
        do(s, t, action)
    advance(s, t, mask)
    return s.fault


@entry
def step_games(
    games: Records[State], tables: Records[Tables], first: int, last: int, actions: IntArray, masks: WordTable
) -> int:
    """Step games first to last - 1, each with its action, and return a fault if there was one. `masks` holds the legal
    actions and is updated."""
    fault = 0
    for g in range(first, last):
        result = step(games[g], tables[0], actions[g], masks[g])
        if result != Fault.NONE:
            fault = result
    return fault


@entry
def deal_game(games: Records[State], tables: Records[Tables], index: int, seed: int) -> None:
    """Deal one game of a batch."""
    deal(games[index], tables[0], seed)

"""The engine always stands at one decision: this file drives games on to the next. dispatch.py calls the rules."""

from fujikoro_env.kernel.jit import IntArray, Words, WordTable, entry, rule
from fujikoro_env.kernel.masks import allows, clear, count_allowed, nth_allowed
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Fault, Reason
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC
from fujikoro_env.rules.base.state import State, fetch_game
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.engine.dispatch import do, go, legal
from fujikoro_env.rules.scenarios.enemies import answer_of_enemy, is_enemy
from fujikoro_env.rules.setup import deal

NO_ACTION = -1  # go on to the next decision
ONLY_LEGAL = -2  # mark what is legal in a position that was read, and change nothing
WAIT = -3  # leave the game and its mask as they are, while others of a batch go on


@rule
def advance(s: State, t: Tables, mask: Words) -> None:
    """Go on to the next decision. One with a single legal action is done unasked, unless the settings say so; enemies
    are never asked (SCEN-72)."""
    clear(mask)
    while s.reason == Reason.PLAYING and s.fault == Fault.NONE:
        if top(s).phase >= FIRST_AUTOMATIC:
            go(s, t)
            continue
        legal(s, t, mask)
        choices = count_allowed(mask)
        if choices == 0:
            s.fault = Fault.NO_LEGAL_ACTION
        elif is_enemy(s, top(s).actor):
            do(s, t, answer_of_enemy(s, mask))
            clear(mask)
        elif choices > 1 or s.settings.ask_forced != 0:
            return
        else:
            do(s, t, nth_allowed(mask, 0))
            clear(mask)


@rule
def step(s: State, t: Tables, action: int, mask: Words) -> int:
    """Do an action and go on to the next decision; gives the fault. An illegal action changes nothing."""
    if action == WAIT:
        return Fault.NONE + 0
    if action == ONLY_LEGAL:
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
    """Step games first to last - 1, each by its action; masks hold what was legal, and get what is. Gives a fault.
    The one entry that reaches all rules: a second one would take as long again to optimise."""
    fault = 0
    for g in range(first, last):
        fetch_game(games, min(g + 1, last - 1))
        result = step(games[g], tables[0], actions[g], masks[g])
        if result != Fault.NONE:
            fault = result
    return fault


@entry
def deal_game(games: Records[State], tables: Records[Tables], index: int, seed: int) -> None:
    deal(games[index], tables[0], seed)


@entry
def random_actions(masks: WordTable, seeds: IntArray, actions: IntArray) -> None:
    """A random legal action for every game that has one. `seeds`: a xorshift generator for each game, not zero."""
    for g in range(len(actions)):
        word = seeds[g]
        word ^= (word << 13) & 0xFFFFFFFF
        word ^= word >> 17
        word ^= (word << 5) & 0xFFFFFFFF
        seeds[g] = word
        choices = count_allowed(masks[g])
        actions[g] = nth_allowed(masks[g], (word * choices) >> 32) if choices > 0 else NO_ACTION

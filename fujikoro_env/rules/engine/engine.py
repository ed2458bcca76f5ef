"""Drives games from decision to decision; dispatch.py calls the rules."""

from typing import Final

from fujikoro_env.kernel.commands import NOBODY
from fujikoro_env.kernel.engine import Rules, engine_of
from fujikoro_env.kernel.jit import IntArray, Words, WordTable, entry, rule
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC
from fujikoro_env.rules.base.state import State, fetch_game
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.engine.dispatch import do, go, legal
from fujikoro_env.rules.scenarios.enemies import answer_of_enemy, is_enemy
from fujikoro_env.rules.setup import deal


@rule
def answer_unasked(s: State, mask: Words) -> int:
    """Return the answer of an enemy, which is never asked (SCEN-72)."""
    return answer_of_enemy(s, mask) if is_enemy(s, top(s).actor) else NOBODY


RULES: Final = Rules(top, legal, do, go, FIRST_AUTOMATIC, ACTIONS)
step_all, see_all = engine_of(State, Tables, RULES, answer_unasked, fetch_game)


@entry
def step_games(
    games: Records[State], tables: Records[Tables], first: int, last: int, actions: IntArray, masks: WordTable
) -> int:
    """Step games first to last - 1, each with its action, and return a fault if there was one. `masks` holds the legal
    actions and is updated. This must stay the only entry that reaches all rules: a second one would double the time to
    optimise them."""
    return step_all(games, tables, first, last, actions, masks)


@entry
def deal_game(games: Records[State], tables: Records[Tables], index: int, seed: int) -> None:
    """Deal one game of a batch."""
    deal(games[index], tables[0], seed)

"""Drives games from decision to decision; dispatch.py calls the rules."""

from fuji_env.rules.base.actions import ACTIONS
from fuji_env.rules.base.frames import top
from fuji_env.rules.base.phases import FIRST_AUTOMATIC
from fuji_env.rules.base.state import State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.engine.dispatch import do, go, legal
from fuji_env.rules.setup import deal
from fujikoro_env.kernel.engine import Rules, engine_of
from fujikoro_env.kernel.jit import IntArray, WordTable, entry
from fujikoro_env.kernel.records import Records

step_all, see_all = engine_of(State, Tables, Rules(top, legal, do, go, FIRST_AUTOMATIC, ACTIONS))


@entry
def step_games(
    games: Records[State], tables: Records[Tables], first: int, last: int, actions: IntArray, masks: WordTable
) -> int:
    """Step games first to last - 1, each with its action, and return a fault if there was one. `masks` holds the legal
    actions and is updated."""
    return step_all(games, tables, first, last, actions, masks)


@entry
def deal_game(games: Records[State], tables: Records[Tables], index: int, seed: int) -> None:
    """Deal one game of a batch."""
    deal(games[index], tables[0], seed)

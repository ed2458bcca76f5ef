"""Entries into the odds of fights and the answers to their questions, for tests."""

from fujikoro_agents.scripted.fighting import answer_fight, is_of_fight, worth_fighting, worth_fighting_with
from fujikoro_agents.scripted.odds import attack_odds, duel_odds, mean, new_tally
from fujikoro_env.kernel.jit import IntArray, WordTable, entry
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.engine.engine import NO_ACTION


@entry
def fight_answers(
    games: Records[State], tables: Records[Tables], masks: WordTable, skills: int, luck: IntArray, actions: IntArray
) -> None:
    """An answer for every game that stands at a question of a fight; NO_ACTION for all others."""
    for g in range(len(actions)):
        s = games[g]
        asked = s.reason == Reason.PLAYING and is_of_fight(top(s).phase)
        actions[g] = answer_fight(s, tables[0], masks[g], skills, luck, g) if asked else NO_ACTION


@entry
def odds_of(
    games: Records[State], tables: Records[Tables], crew: int, p: int, dragon: int, what: int, trials: int
) -> float:
    """Before the fight: the share of fights in which p wins (WON) or falls (FELL); below 0 whether it is beaten."""
    tally = new_tally(trials)
    beaten = attack_odds(games[0], tables[0], crew, p, dragon, tally)
    return beaten if what < 0 else mean(tally, what, p)


@entry
def worth_of_fight(games: Records[State], tables: Records[Tables], p: int, dragon: int, crew: int) -> float:
    if crew == 0:
        return worth_fighting(games[0], tables[0], p, dragon)
    return worth_fighting_with(games[0], tables[0], p, dragon, crew)


@entry
def odds_of_duel(games: Records[State], tables: Records[Tables], attacker: int, defender: int, trials: int) -> float:
    return duel_odds(games[0], tables[0], attacker, defender, trials)

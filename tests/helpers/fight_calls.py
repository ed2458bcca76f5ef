"""Compiled entry points to the odds of fights and to the answers in fights, for tests."""

from fujikoro_agents.scripted.fighting import answer_fight, is_of_fight, worth_fighting, worth_fighting_with
from fujikoro_agents.scripted.hunting import worth_alone
from fujikoro_agents.scripted.known_fights import known_duel_odds, no_fights
from fujikoro_agents.scripted.odds import attack_odds, duel_odds, mean, new_tally
from fujikoro_env.kernel.commands import NO_ACTION
from fujikoro_env.kernel.jit import IntArray, IntTable, WordTable, entry
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables


@entry
def fight_answers(
    games: Records[State], tables: Records[Tables], masks: WordTable, skills: int, luck: IntArray, actions: IntArray
) -> None:
    """An answer for every game at a question of a fight; NO_ACTION for all others."""
    known = no_fights()
    for g in range(len(actions)):
        s = games[g]
        asked = s.reason == Reason.PLAYING and is_of_fight(top(s).phase)
        actions[g] = answer_fight(s, tables[0], masks[g], skills, luck, g, known) if asked else NO_ACTION


@entry
def odds_of(
    games: Records[State], tables: Records[Tables], fighters: int, p: int, dragon: int, what: int, trials: int
) -> float:
    """Odds before the fight: the share of fights in which p wins (WON) or falls (FELL), or, if `what` is below 0, in
    which the dragon is beaten."""
    tally = new_tally(trials)
    beaten = attack_odds(games[0], tables[0], fighters, p, dragon, tally)
    return beaten if what < 0 else mean(tally, what, p)


@entry
def worth_of_fight(games: Records[State], tables: Records[Tables], p: int, dragon: int, fighters: int) -> float:
    """The value of fighting a dragon, alone or with others."""
    if fighters == 0:
        return worth_fighting(games[0], tables[0], p, dragon)
    return worth_fighting_with(games[0], tables[0], p, dragon, fighters)


@entry
def odds_of_duel(games: Records[State], tables: Records[Tables], attacker: int, defender: int, trials: int) -> float:
    """The odds that the attacker wins a duel."""
    return duel_odds(games[0], tables[0], attacker, defender, trials)


@entry
def remembered_worth(games: Records[State], tables: Records[Tables], p: int, dragon: int, known: IntTable) -> float:
    """The value of fighting a dragon alone, by memory if the fight is known."""
    return worth_alone(games[0], tables[0], p, dragon, known)


@entry
def remembered_duel(
    games: Records[State], tables: Records[Tables], attacker: int, defender: int, trials: int, known: IntTable
) -> float:
    """The odds that the attacker wins a duel, by memory if the duel is known."""
    return known_duel_odds(games[0], tables[0], attacker, defender, trials, known)

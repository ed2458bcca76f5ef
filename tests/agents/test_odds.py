"""Odds of fights against fights of the engine, and answers to the questions of fights in positions made by hand."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from fujikoro_agents.scripted.known_fights import KEY, SAMURAI, KnownFights
from fujikoro_agents.scripted.odds import FAST_TRIALS, FELL, TRIALS, WON
from fujikoro_agents.scripted.skills import FAST_ESTIMATES, RUNNER
from fujikoro_env import Game, Rules
from fujikoro_env.kernel.commands import NO_ACTION
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.kernel.records import zeros
from fujikoro_env.rules.base.names import Adventure
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.engine.engine import step_games
from fujikoro_env.rules.engine.hidden import deal_hidden
from tests.helpers.fight_calls import (
    fight_answers,
    odds_of,
    odds_of_duel,
    remembered_duel,
    remembered_worth,
    worth_of_fight,
)
from tests.helpers.fights import INSIDE, enter, lair, load
from tests.helpers.gear import put_blueprint, put_magic
from tests.helpers.tables import arrays_of, do, integers, put, put_gear, put_monks, put_pack, put_scrolls, words

FIGHTS = 20 if INTERPRETED else 600
TOLERANCE = 0.5 if INTERPRETED else 0.12  # 128 fights in the abstraction: 0.04 is one deviation; and what it leaves out
EVERYBODY = 3


def answer(game: Game, skills: int = RUNNER) -> str:
    """Name of the action that the scripts choose in a fight."""
    actions = integers([NO_ACTION])
    fight_answers(game.compiled.games, game.rules.tables, game.compiled.masks, skills, integers([12345]), actions)
    assert actions[0] in game.legal_actions()
    return game.action_name(int(actions[0]))


def dragon_of(game: Game, name: str) -> int:
    return game.vocabulary.deck_ids("dragons").index(name)


def fought(game: Game, action: str, fights: int) -> tuple[float, float]:
    """Shares of fights played by the engine with the scripts' answers in which player 0 wins VP, and is knocked out."""
    game.state.settings.ask_forced = 0
    games, masks = zeros(State, fights), words(fights)
    games.view(np.uint8).reshape(fights, -1)[:] = arrays_of(game).games.view(np.uint8)
    masks[:] = game.compiled.masks
    for k in range(fights):
        deal_hidden(games, k, 0, k)
    actions, luck = integers([game.parse_action(action)] * fights), integers(range(1, fights + 1))
    while (actions != NO_ACTION).any():
        assert step_games(games, game.rules.tables, 0, fights, actions, masks) == 0
        fight_answers(games, game.rules.tables, masks, RUNNER, luck, actions)
        take_nothing = (games["fight"]["dragon"] != 0) & (actions == NO_ACTION) & (games["reason"] == 0)
        actions[take_nothing] = game.parse_action("done")  # teeth are offered: TAKE is no question of a fight
    return float((games["players"]["vp"][:, 0] > 0).mean()), float((games["players"]["unconscious"][:, 0] > 0).mean())


@cache
def den(dragon: str, weapon: tuple[str, ...], helmet: str, magic: bool = False) -> Game:
    game = lair(dragon, weapon=list(weapon))
    put_monks(game, 0, "weapon")
    put_gear(game, 0, helmet=[helmet[:4], helmet[4:]])
    if magic:
        put_magic(game, 0, "weapon")
    game.state.players[0].monks[:] = 0  # nobody to send
    if len(weapon[0]) > 5:
        game.state.players[0].monks[2] = 1
    return game


@pytest.mark.parametrize(
    ("dragon", "weapon", "helmet"),
    [
        ("rain_whelp", ("WWMMM",), ""),
        ("rain_whelp", ("WWMM",), "MMMM"),
        ("tide_whelp", ("WWMMT", "MMM"), "TTMM"),
        ("bamboo_fang", ("WWMMM", "MMM"), "MMTTMMTT"),
        ("venom_fang", ("WWMMT",), "TTTMM"),
    ],
)
def test_odds_are_those_of_fights_that_the_engine_fights(dragon, weapon, helmet):
    game = den(dragon, weapon, helmet).clone()
    games = (game.compiled.games, game.rules.tables, 1, 0, dragon_of(game, dragon))
    expected = odds_of(*games, int(WON), TRIALS), odds_of(*games, int(FELL), TRIALS)
    do(game, "move")
    assert fought(game, f"step({INSIDE})", FIGHTS) == pytest.approx(expected, abs=TOLERANCE)


def test_several_fighters_have_better_odds_than_one_of_them():
    game = lair("moss_fang", weapon=["WWMMM"])
    put_gear(game, 1, weapon=["WWMMM"], helmet=["MMM"])
    put_gear(game, 0, helmet=["MMMM"])
    games = game.compiled.games, game.rules.tables
    dragon = dragon_of(game, "moss_fang")
    assert odds_of(*games, EVERYBODY, 0, dragon, -1, TRIALS) > odds_of(*games, 1, 0, dragon, -1, TRIALS)


def test_scrolls_and_magic_improve_the_odds():
    def odds(*scrolls: str, magic: bool = False) -> float:
        game = lair("bamboo_fang", weapon=["WWMMM", "..MM"])
        put_gear(game, 0, helmet=["MMMM", "M"])
        put_scrolls(game, 0, *scrolls)
        if magic:
            put_magic(game, 0, "weapon")
        return odds_of(game.compiled.games, game.rules.tables, 1, 0, dragon_of(game, "bamboo_fang"), -1, TRIALS)

    plain = odds()
    assert odds("falling_petal") > plain
    assert odds("iron_grip") > plain
    assert odds(magic=True) > plain


def test_a_fight_is_worth_more_the_weaker_the_dragon_and_nothing_unarmed():
    game = lair("rain_whelp", weapon=["WWMMT", "..MM"])
    put_gear(game, 0, helmet=["MMMM", "MM"])
    games = game.compiled.games, game.rules.tables
    assert worth_of_fight(*games, 0, dragon_of(game, "rain_whelp"), 0) > 1
    assert worth_of_fight(*games, 0, dragon_of(game, game.rules.pack.dragons[-1].id), 0) < 0  # the legendary one
    put_gear(game, 0, weapon=["WMM"])
    assert worth_of_fight(*games, 0, dragon_of(game, "rain_whelp"), 0) <= 0


def test_duel_odds_favour_the_better_armed():
    game = lair(weapon=["WWMMM"])
    put_gear(game, 0, helmet=["MMMM"])
    assert odds_of_duel(game.compiled.games, game.rules.tables, 0, 1, TRIALS) > 0.7
    assert odds_of_duel(game.compiled.games, game.rules.tables, 1, 0, TRIALS) < 0.3


def test_fast_estimates_simulate_fewer_fights_and_give_similar_odds():
    game = den("bamboo_fang", ("WWMMM", "MMM"), "MMTTMMTT").clone()
    dragon, tables = dragon_of(game, "bamboo_fang"), game.rules.tables
    fights = [odds_of(game.compiled.games, tables, 1, 0, dragon, int(WON), n) for n in (FAST_TRIALS, TRIALS)]
    game = lair(weapon=["WWMM"])
    put_gear(game, 0, helmet=["MM"])
    duels = [odds_of_duel(game.compiled.games, tables, 0, 1, n) for n in (FAST_TRIALS, TRIALS)]
    for fast, full in (fights, duels):
        assert (fast * FAST_TRIALS).is_integer()
        assert fast != full == pytest.approx(fast, abs=0.15)


# --- memory ---------------------------------------------------------------------------------------------------------


def change_nothing(_game: Game) -> None:
    """The fight stays the same."""


CHANGES = {
    "the same fight": change_nothing,
    "another weapon": lambda game: put_gear(game, 0, weapon=["WWMMT"]),
    "another helmet": lambda game: put_gear(game, 0, helmet=["MMMM"]),
    "a scroll": lambda game: put_scrolls(game, 0, "falling_petal"),
    "magic": lambda game: put_magic(game, 0, "weapon"),
    "a wounded dragon": lambda game: setattr(game.state.dragons[dragon_of(game, "rain_whelp")], "damage", 2),
    "another opponent": lambda game: put_gear(game, 1, weapon=["WWMMM"], helmet=["MM"]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_known_fights_are_the_estimated_ones(change):
    game = lair(weapon=["WWMM"])
    put_gear(game, 0, helmet=["MM"])
    games, tables, known = game.compiled.games, game.rules.tables, KnownFights().compiled(game.rules.tables)
    dragon = dragon_of(game, "rain_whelp")
    remembered_worth(games, tables, 0, dragon, known)
    remembered_duel(games, tables, 0, 1, TRIALS, known)
    CHANGES[change](game)
    for _ in range(2):  # the second time from memory
        assert remembered_worth(games, tables, 0, dragon, known) == worth_of_fight(games, tables, 0, dragon, 0)
        assert remembered_worth(games, tables, 1, dragon, known) == worth_of_fight(games, tables, 1, dragon, 0)
        for trials in (TRIALS, FAST_TRIALS):
            for pair in ((0, 1), (1, 0)):
                duel = remembered_duel(games, tables, *pair, trials, known)
                assert duel == odds_of_duel(games, tables, *pair, trials)


def test_a_known_fight_is_not_simulated_again():
    game = lair(weapon=["WWMMM"])
    put_gear(game, 0, helmet=["MMMM"])
    games, tables, known = game.compiled.games, game.rules.tables, KnownFights().compiled(game.rules.tables)
    dragon = dragon_of(game, "rain_whelp")
    assert remembered_worth(games, tables, 0, dragon, known) != 0
    assert remembered_duel(games, tables, 0, 1, TRIALS, known) > 0
    rows: Any = known
    assert (rows[:, SAMURAI - 1] != 0).sum() == 2
    rows[:, KEY:] = 0
    assert remembered_worth(games, tables, 0, dragon, known) == 0
    assert remembered_duel(games, tables, 0, 1, TRIALS, known) == 0


def test_another_content_has_other_fights():
    tables, memory = Rules().tables, KnownFights()
    rows: Any = memory.compiled(tables)
    rows[:] = 1
    assert (memory.compiled(tables)[0, 0], memory.compiled(tables.copy())[0, 0]) == (1, 0)


# --- answers --------------------------------------------------------------------------------------------------------


def beside_a_fight(weapon: list[str], helmet: list[str]) -> Game:
    """Player 1 is asked to join a fight against a small dragon."""
    game = lair("rain_whelp", weapon=["WWMM"])
    put_gear(game, 1, weapon=weapon, helmet=helmet)
    put(game, 1, "start")
    enter(game)
    assert game.phase == Phase.JOIN
    return game


def test_a_strong_samurai_joins_and_a_naked_one_does_not():
    assert answer(beside_a_fight(["WWMMM", ".M"], ["MMMM"])).startswith("step(")
    assert answer(beside_a_fight([], [])) == "no"


def test_fast_estimates_simulate_fewer_fights():
    """A fight whose worth is close to zero, so that the number of simulated fights matters."""
    game = beside_a_fight(["WWMMM"], ["MM"])
    game.state.fight.health = 8
    assert answer(game) == "no"
    assert answer(game, RUNNER | FAST_ESTIMATES).startswith("step(")


def test_all_dice_against_a_healthy_dragon_and_few_against_a_dying_one():
    game = lair("rain_whelp", weapon=["WWMMM", "...T"])
    put_gear(game, 0, helmet=["MMMM"])
    enter(game)
    do(game, "weapon(left)")
    assert answer(game) == "roll"
    game.state.fight.health = 1
    assert answer(game) == "number(0)"  # wood is spared
    do(game, "number(0)")
    assert answer(game).startswith("number(")


def test_the_cube_that_breaks_is_one_at_the_end():
    game = lair("rain_whelp", weapon=["WWMMM"])
    put_gear(game, 0, helmet=["MMMM"])
    enter(game)
    load(game, "W0 W0 M2* M0 M0")
    do(game, "weapon(left)", "roll")
    assert game.phase == Phase.BREAK
    assert answer(game) == "cell(weapon[0,4])"


def test_hits_are_paid_with_magic_first_and_the_pattern_is_kept():
    game = lair("rain_whelp", weapon=["WWMM"])
    put_blueprint(game, 0, "sun_kabuto")
    put_gear(game, 0, helmet=["WMWM", "M.MM"])
    put_magic(game, 0, "helmet")
    enter(game, "T2 T2 T1")
    assert (game.phase, answer(game)) == (Phase.PAY, "magic(helmet)")
    do(game, "magic(helmet)")
    assert answer(game) in ("cell(helmet[0,3])", "cell(helmet[1,3])")


def test_a_fighter_without_a_weapon_retreats():
    game = lair("storm_whelp", weapon=["WWM"])
    put_gear(game, 0, helmet=["MM"])
    enter(game, "T0 T0 T0")
    load(game, "W1* W0 M0")
    do(game, "weapon(left)", "roll")
    while game.phase == Phase.BREAK:
        do(game, answer(game))
    assert (game.phase, answer(game)) == (Phase.RETREAT, "retreat")


def test_gunbai_is_kept_until_it_saves():
    for helmet, wanted in ((["MMMM", "MM"], "no"), (["M"], "use(gunbai)")):
        game = lair("rain_whelp", weapon=["WWMM"], adventure_tokens=True)
        game.state.players[0].adventures[Adventure.GUNBAI] = 1
        put_gear(game, 0, helmet=helmet)
        enter(game, "T3* T0 T1")
        assert game.phase == Phase.ASK_GUNBAI
        assert answer(game) == wanted


@pytest.mark.parametrize(("weapon", "wanted"), [(["WWMM", ".MMM"], "monk(carried)"), (["WWMMM", "..MM"], "no")])
def test_a_monk_goes_ahead_when_it_turns_the_fight(weapon, wanted):
    """Without a helmet only the first blow counts; a weapon of length 5 strikes first anyway."""
    game = lair("rain_whelp", weapon=weapon)
    put_pack(game, 0, wood=1, monks=1)
    game.state.dragons[dragon_of(game, "rain_whelp")].damage = 4
    enter(game)
    assert game.phase == Phase.SEND_MONK
    assert answer(game) == wanted

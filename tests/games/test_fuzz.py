"""A sample of `make fuzz`, and whether the fuzzer and its tools would notice a fault."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from fujikoro_env import Game, Rules
from fujikoro_env.kernel.commands import NO_ACTION
from fujikoro_env.rules.base.actions import ACTIONS, TABLE
from fujikoro_env.rules.base.counters import COUNTERS, VpSource
from fujikoro_env.scenarios import SCENARIOS
from tests.helpers import fuzz, rulecalls
from tests.helpers.countbook import CountBook
from tests.helpers.fuzzing import rule_functions
from tests.helpers.invariants import check
from tests.helpers.ledger import REASONS, Award, Ledger
from tests.helpers.midgame import midgame
from tests.helpers.step_sample import A_KIND, EVENTS, KIND_OF_ACTION, StepSample, game_of, happened
from tests.helpers.tables import ASKED, arrays_of, do, put, table

DECISIONS = 4_000
POSITIONS = 10
FEW_POSITIONS = 3  # of each kind of scenario; `make fuzz` starts from 32 of each kind


# Generated positions


@pytest.mark.parametrize(("mode", "players"), fuzz.TABLES)
def test_generated_positions_are_legal(mode, players):
    """Both the invariants and the independent code that reads positions accept them."""
    for seed in range(POSITIONS):
        luck = np.random.default_rng([players, seed])
        game = midgame(fuzz.kind_of_rules(players, luck, seed, mode), seed)
        game._run(NO_ACTION)  # a forced action may be next
        check(game)
        assert Game.from_json(game.to_json()).digest() == game.digest()


SCENARIOS_AND_MODES = [(each.name, mode) for each in SCENARIOS for mode in each.modes]


def kinds_of_scenario(name, mode):
    """All combinations of a scenario with characters and tokens, each for one number of players."""
    scenario = next(each for each in SCENARIOS if each.name == name)
    seats = [1] if scenario.solo else [players for table, players in fuzz.TABLES if table == mode]
    kinds = [kind for kind in fuzz.kinds_for(mode, seats[0]) if kind.scenario == scenario]
    return [(kind, seats[number % len(seats)]) for number, kind in enumerate(kinds)]


@pytest.mark.parametrize(
    "seeds", [range(FEW_POSITIONS), pytest.param(range(FEW_POSITIONS, POSITIONS), marks=pytest.mark.long)], ids=str
)
@pytest.mark.parametrize(("name", "mode"), SCENARIOS_AND_MODES)
def test_generated_positions_of_scenarios_are_legal(name, mode, seeds):
    for kind, players in kinds_of_scenario(name, mode):
        for seed in seeds:
            luck = np.random.default_rng([players, seed])
            game = midgame(fuzz.rules_of(kind, players, luck, mode), seed)
            game._run(NO_ACTION)
            check(game)
            assert Game.from_json(game.to_json()).digest() == game.digest()


def test_generated_positions_show_all_that_a_game_has():
    games = [midgame(Rules(4, final_at=12), seed) for seed in range(60)]
    people = np.concatenate([game.state.players[:4] for game in games])
    assert {int(game.state.countdown) for game in games} == set(range(len(games[0].rules.pack.countdown)))
    assert set(people["outside"]) == {0, 1, 2}
    assert (people["gear"]["magic"] != 0).any(axis=0).all()
    assert (people["gear"]["cubes"] != 0).any(axis=0).all()
    assert (people["monks"] != 0).any(axis=0).all()
    assert (people["card_on"] != 0).any(axis=0).all()
    assert (people["adventures"] != 0).any(axis=0).all()
    assert set(people["scrolls"].ravel()) == set(range(17))
    assert np.concatenate([game.state.dragons["damage"] for game in games]).any()
    assert people["unconscious"].any()


# Playing


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "players"), fuzz.TABLES)
def test_everything_holds_in_biased_games_from_everywhere(mode, players):
    hits = fuzz.fuzz(players, DECISIONS, players, mode)
    assert hits.decisions >= DECISIONS
    assert len(hits.phases) > 30
    assert hits.awards or mode == "coop"


@pytest.mark.slow
@pytest.mark.parametrize("kinds", ["one", pytest.param("others", marks=pytest.mark.long)])
@pytest.mark.parametrize(("name", "mode"), SCENARIOS_AND_MODES)
def test_everything_holds_in_scenarios(name, mode, kinds):
    """The invariants and the independent ledger of VP hold at every decision; now and then the position is written and
    read again. Each scenario is played with another combination of characters and tokens."""
    found = kinds_of_scenario(name, mode)
    first = SCENARIOS_AND_MODES.index((name, mode)) % len(found)
    for kind, players in found[first : first + 1] if kinds == "one" else found[:first] + found[first + 1 :]:
        luck, hits = np.random.default_rng(players), fuzz.Hits()
        batch = fuzz.Batch(fuzz.rules_of(kind, players, luck, mode), luck, hits)
        for _ in range(DECISIONS // 2 // fuzz.AT_ONCE):
            batch.play_on()
            game = game_of(batch.games.view(np.uint8).reshape(fuzz.AT_ONCE, -1)[luck.integers(fuzz.AT_ONCE)])
            assert Game.from_json(game.to_json()).digest() == game.digest()


def test_all_combinations_come_up_in_a_run():
    for mode, players in fuzz.TABLES:
        kinds = fuzz.kinds_for(mode, players)
        assert len(kinds) <= 1_000_000 // fuzz.DECISIONS_A_KIND
        met = {kind.scenario.number for kind in kinds if kind.scenario}
        assert met == {each.number for each in SCENARIOS if mode in each.modes and (players == 1 or not each.solo)}


def test_a_biased_player_does_what_it_likes_best():
    game = table()
    liking = np.ones((1, ACTIONS))
    liking[0, game.parse_action("gather")] = 1e9
    action = int(fuzz.choose(game.compiled.masks, liking, np.random.default_rng(0))[0])
    assert game.action_name(action) == "gather"


def test_no_bias_is_to_choose_evenly():
    game, luck = table(), np.random.default_rng(0)
    masks = np.repeat(arrays_of(game).masks, 3000, axis=0)
    chosen: Counter[int] = Counter(fuzz.choose(masks, np.ones(ACTIONS), luck).tolist())
    assert set(chosen) == set(game.legal_actions().tolist())
    assert max(chosen.values()) - min(chosen.values()) < 250  # of 1,000 each; a standard error is 26


# The independent ledger of VP


def about_to_lay_a_tile():
    """A game in which player 0 has revealed a tile of level 2."""
    game = table()
    put(game, 0, "temple0")
    game.load_draws("tiles2", ["hidden_stair"])
    do(game, "explore", "place(ring2.0)")
    return game


def test_the_book_says_what_a_tile_is_worth():
    game = about_to_lay_a_tile()
    before, ledger = arrays_of(game).games.copy(), Ledger(game.rules, game.compiled.games)
    do(game, "turn(0)")
    actions = np.array([game.parse_action("turn(0)")])
    assert ledger.write(before, actions, game.compiled.games) == [Award(0, 1, "tiles")]
    assert ledger.logs == [[Award(0, 1, "tiles")]]


def test_the_book_notices_a_point_too_many():
    game = about_to_lay_a_tile()
    before, ledger = arrays_of(game).games.copy(), Ledger(game.rules, game.compiled.games)
    do(game, "turn(0)")
    game.state.players[1].vp += 1
    with pytest.raises(AssertionError, match="the book says"):
        ledger.write(before, np.array([game.parse_action("turn(0)")]), game.compiled.games)


def test_the_book_notices_vp_under_another_source():
    game = about_to_lay_a_tile()
    before, ledger = arrays_of(game).games.copy(), Ledger(game.rules, game.compiled.games)
    do(game, "turn(0)")
    game.state.counts[0].vp[VpSource.TILES] -= 1
    game.state.counts[0].vp[VpSource.DRAGONS] += 1
    with pytest.raises(AssertionError, match="VP of player 0 for tiles: 0, but the book says 1"):
        ledger.write(before, np.array([game.parse_action("turn(0)")]), game.compiled.games)


@pytest.mark.parametrize("name", [name for name in COUNTERS if name != "vp"])
def test_the_book_of_counters_notices_one_too_many(name):
    game = about_to_lay_a_tile()
    before, book = arrays_of(game).games.copy(), CountBook(game.rules, game.compiled.games)
    do(game, "turn(0)")
    action = np.array([game.parse_action("turn(0)")])
    book.write(before, action, game.compiled.games)
    book.restart(0, before[0])
    game.state.counts[0][name][-1] += 1
    with pytest.raises(AssertionError, match=r"book says|knock|monks"):
        book.write(before, action, game.compiled.games)


def test_the_book_of_counters_notices_one_too_few():
    game = about_to_lay_a_tile()
    before, book = arrays_of(game).games.copy(), CountBook(game.rules, game.compiled.games)
    do(game, "turn(0)")
    game.state.counts[0].tiles_explored[1] = 0
    with pytest.raises(AssertionError, match=r"tiles_explored .* but the book says"):
        book.write(before, np.array([game.parse_action("turn(0)")]), game.compiled.games)


def test_the_books_can_not_be_kept_where_forced_answers_are_not_asked():
    game = Game(Rules(2))
    with pytest.raises(AssertionError, match="not asked"):
        Ledger(game.rules, game.compiled.games)
    with pytest.raises(AssertionError, match="not asked"):
        CountBook(game.rules, game.compiled.games)


# Hits


def test_what_is_too_rare_is_named():
    """`make fuzz` fails if a phase, action block, award, ending or function came up too rarely."""
    hits = fuzz.Hits(
        phases=Counter({phase.name: 100 for phase in ASKED}),
        blocks=Counter(dict.fromkeys(TABLE, 100)),
        awards=Counter(dict.fromkeys(REASONS, 100)),
        ends=Counter({"COUNTDOWN": 100, "ROUND_CAP": 100, "WON": 100, "LOST": 100}),
        functions=Counter({"award": 100}),
    )
    assert fuzz.missed(hits, 100) == []
    hits.phases["RAIN"] = hits.blocks["build"] = hits.awards["unclaimed"] = hits.ends["COUNTDOWN"] = 99
    hits.functions["award"] = 0
    assert [line.split(":")[0] for line in fuzz.missed(hits, 100)] == [
        "phase RAIN",
        "block build",
        "award unclaimed",
        "end COUNTDOWN",
        "function award",
    ]


def test_every_rule_function_is_looked_for():
    functions = rule_functions(rulecalls.RULE_FILES)
    found = {(Path(path).name, name) for path, name in functions}
    assert {("score.py", "award"), ("engine.py", "step_games")} <= found
    assert len({name for _, name in functions}) == len(functions) > 300  # so names alone tell functions apart


# Steps repeated as plain Python


def sample_of_a_batch():
    hits = fuzz.Hits()
    batch = fuzz.Batch(Rules(3, final_at=3, max_rounds=9, ask_forced=True), np.random.default_rng(0), hits)
    batch.play_on()
    return hits.sample


def first_steps(sample, number):
    return StepSample(sample.befores[:number], sample.actions[:number], sample.afters[:number])


def test_a_sample_keeps_a_few_steps_of_each_kind():
    sample = sample_of_a_batch()
    kinds = Counter(
        (game_of(row).phase, KIND_OF_ACTION[a]) for row, a in zip(sample.befores, sample.actions, strict=True)
    )
    assert 20 < len(sample.actions) < fuzz.AT_ONCE  # not all of the batch
    assert len(kinds) > 5
    game = game_of(sample.befores[0])
    game.step(sample.actions[0])
    assert (arrays_of(game).games.view(np.uint8) == sample.afters[0]).all()


def test_a_sample_keeps_a_new_event_even_if_it_has_enough_of_such_answers():
    game, sample = about_to_lay_a_tile(), StepSample()
    before, actions = arrays_of(game).games.copy(), np.array([game.parse_action("turn(0)")])
    for _ in range(A_KIND + 1):
        sample.pick(before, actions, game.compiled.games)
    assert len(sample.actions) == A_KIND
    do(game, "turn(0)")
    assert happened(before, game.compiled.games)[EVENTS.index("tiles_left")] == [False]  # it was turned up before
    game.state.rope = 1
    sample.pick(before, actions, game.compiled.games)
    assert len(sample.actions) == A_KIND + 1


def test_steps_come_out_the_same_as_plain_python_and_calls_are_counted():
    calls = fuzz.calls_in_plain_python(first_steps(sample_of_a_batch(), 20), deals=2)
    assert calls["do"] >= 20
    assert calls["deal"] >= 2
    assert set(calls) == {name for _, name in rule_functions(rulecalls.RULE_FILES)}


@pytest.mark.slow
def test_steps_of_every_scenario_come_out_the_same_as_plain_python():
    sample = StepSample()
    for name, mode in SCENARIOS_AND_MODES:
        kind, players = kinds_of_scenario(name, mode)[-1]
        luck, hits = np.random.default_rng(1), fuzz.Hits()
        batch = fuzz.Batch(fuzz.rules_of(kind, players, luck, mode), luck, hits)
        for _ in range(3):
            batch.play_on()
        sample.add(first_steps(hits.sample, 8))
    assert fuzz.calls_in_plain_python(sample, deals=2)["do"] >= 8 * len(SCENARIOS_AND_MODES)


def test_a_step_that_comes_out_otherwise_is_named():
    sample = first_steps(sample_of_a_batch(), 1)
    sample.afters[0][-1] ^= 1
    with pytest.raises(AssertionError, match="step 0 of the sample"):
        rulecalls.replay(sample)

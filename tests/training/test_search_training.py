"""Measuring and fitting the search: the modules `search_*` and `fit_search`."""

import contextlib
import sys

import numpy as np
import pytest

from fujikoro_agents.mcts.plan import weights
from fujikoro_agents.mcts.speed import iterations_per_second
from fujikoro_agents.mcts.thinking import Tried
from fujikoro_agents.scripted.evaluation import FEATURES, NAMES
from fujikoro_env.rules.base.phases import Phase
from fujikoro_training import fit_search, search_decisions, search_foresight, search_strength
from fujikoro_training.search_decisions import Gain
from fujikoro_training.search_strength import Played, growth, interval, row, tables


@pytest.mark.parametrize(("players", "searchers", "rotations"), [(4, 1, 4), (4, 2, 2), (2, 1, 2)])
def test_every_seed_is_played_in_all_rotations(players, searchers, rotations):
    found = tables("mcts", "runner", players, searchers, [5, 6])
    assert [table.seed for table in found] == [5] * rotations + [6] * rotations
    for seed in (5, 6):
        line_ups = [table.line_up for table in found if table.seed == seed]
        assert all(line_up.count("mcts") == searchers for line_up in line_ups)
        assert [sum(line_up[seat] == "mcts" for line_up in line_ups) for seat in range(players)] == [1] * players


def test_intervals_are_over_seeds():
    assert interval([0.5, 0.5, 0.5]) == (0.5, 0.0)
    mean, half = interval([0.0, 1.0, 0.0, 1.0])
    assert mean == 0.5
    assert half == pytest.approx(3.1824 * (1 / 3) ** 0.5 / 2, rel=1e-4)  # Student's t for four seeds


def test_a_row_of_the_table():
    played = [Played(1.0, 1.0, 10, 0.1, 20, 0.1), Played(0.0, 3.0, 10, 0.3, 20, 0.3)] * 2
    assert row("mcts", played, 2) == "| `mcts` | 4 | 50.0% ± 0.0% | +2.0 ± 0.0 | 20.0 | 10.0 |"


def test_budgets_are_compared_seed_by_seed():
    """Results vary widely between seeds, but on each seed the larger budget has two VP and half a win more."""
    few = [Played(0.0, 10.0 * k, 10, 0.1, 10, 0.1) for k in range(4)]
    many = [Played(0.5, 10.0 * k + 2, 10, 0.1, 10, 0.1) for k in range(4)]
    assert growth(256, 64, many, few, 2) == (
        "256 against 64 iterations: +50.0 ± 0.0 percentage points of wins, +2.0 ± 0.0 VP"
    )


def test_a_table_ends_with_the_gains_of_larger_budgets(monkeypatch, capsys):
    given = "--players 2 --games 2 --budgets 1 2 --with turns=0,prior=runner --against random --seed 3"
    monkeypatch.setattr(sys, "argv", ["search_strength", *given.split()])
    assert search_strength.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("| 1 against 1 `random` | games | share of wins (fair: 50%)")
    assert lines[2] == "| `random` | | 50% by construction | 0 | | |"
    assert lines[3].startswith("| `mcts:iterations=1,turns=0,prior=runner` | 2 | ")
    assert lines[5].startswith("2 against 1 iterations: ")


def test_the_same_table_gives_the_same_game():
    table = tables("mcts:iterations=2,turns=0", "gatherer", 4, 1, [3])[1]
    first, second = table.play(), table.play()
    assert (first.share, first.margin, first.decisions) == (second.share, second.margin, second.decisions)
    assert first.decisions > 50


def test_a_player_that_is_not_known_gets_one_line(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["search_strength", "--against", "nobody"])
    assert search_strength.main() == 2
    assert capsys.readouterr().err.startswith("agent 'nobody' is not known: there are ")


def test_somebody_must_be_left_to_play_against(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["search_strength", "--players", "2", "--searchers", "2"])
    with pytest.raises(SystemExit):
        search_strength.main()
    assert "nobody is left to play against" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--games", "0"], "--games 0: allowed are whole numbers from 1"),
        (["--workers", "0"], "--workers 0: allowed are whole numbers from 1"),
        (["--against", "mcts:iterations=64"], "it is one of the searchers"),
    ],
)
def test_bad_input_is_refused_in_one_line(given, said, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["search_strength", *given])
    with pytest.raises(SystemExit) as refused:
        search_strength.main()
    assert refused.value.code == 2
    assert said in capsys.readouterr().err


def test_the_weights_name_every_feature():
    assert weights().shape == (FEATURES,)
    assert weights()[NAMES.index("vp")] > 0.5  # a VP now is worth about one VP at the end


def test_a_fit_finds_the_weights_that_made_the_scores():
    luck = np.random.default_rng(1)
    made = luck.normal(size=FEATURES)
    features = luck.normal(size=(2000, 4, FEATURES))
    found, explained = fit_search.fitted(features, features @ made)
    assert [found[name] for name in NAMES] == pytest.approx(made, abs=0.05)
    assert explained > 0.99


def test_positions_for_a_fit_come_after_the_straying():
    features, scores = fit_search.samples(8, 3)
    assert features.shape[1:] == (4, FEATURES)
    assert 8 <= len(features) <= 8 * fit_search.KEPT
    assert scores.shape == features.shape[:2]


@pytest.mark.parametrize("rollout", ["quick", "scout"])
def test_the_speed_of_the_search(rollout):
    assert iterations_per_second(2, rollout) > 0


# Single decisions


def test_decisions_of_shogun_are_played_on(monkeypatch, capsys):
    given = "--positions 4 --budgets 2 8 --deals 2 --by quick --with turns=0 --actions --seed 100001"
    monkeypatch.setattr(sys, "argv", ["search_decisions", *given.split()])
    assert search_decisions.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("| played on by `quick` |")
    assert lines[2].startswith("| `mcts:iterations=2,turns=0` | ")
    assert " of 4 | " in lines[3]
    assert lines[4].startswith("8 against 2 iterations: ")


def test_the_answer_of_shogun_gains_nothing():
    decisions = dict(enumerate(search_decisions.some_decisions(3, 2, 100001)))
    play_on = search_decisions.PlayOn(decisions, "quick", 4)
    for k, decision in decisions.items():
        own, other = decision.candidates[:2]
        assert play_on.gain(k, own) == Gain()
        assert play_on.gain(k, other).is_other
        assert search_decisions.PlayOn(decisions, "quick", 4).gain(k, other) == play_on.gain(k, other)


def test_gains_are_over_all_decisions():
    few = [Gain(), Gain(0.5, 4.0, True)] * 2
    assert search_decisions.row("mcts", few, 1.0) == "| `mcts` | 2 of 4 | +25.00 ± 45.93 | +2.00 ± 3.67 | 1.0 |"
    many = [Gain(0.5, 4.0, True)] * 4
    assert "+25.00 ± 45.93 percentage points of wins, +2.00 ± 3.67 VP" in search_decisions.growth(256, 64, many, few)


def test_decisions_that_choose_an_action():
    some = search_decisions.some_decisions(12, 2, 100001)
    chosen = search_decisions.some_decisions(4, 2, 100001, actions=True)
    assert {decision.view.phase for decision in chosen} == {Phase.ACTION} != {decision.view.phase for decision in some}


@pytest.mark.parametrize("given", [["--positions", "0"], ["--deals", "0"]])
def test_at_least_one_position_and_one_deal_are_needed(given, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["search_decisions", *given])
    with pytest.raises(SystemExit):
        search_decisions.main()
    assert f"{given[0]} 0: allowed are whole numbers from 1" in capsys.readouterr().err


# Foresight


def test_predictions_of_searchers_are_compared_with_results(monkeypatch, capsys):
    searchers = "mcts:iterations=8,turns=0 mcts:iterations=8,turns=1"
    given = f"--positions 16 --players 2 --deals 2 --seed 100005 --searchers {searchers}"
    monkeypatch.setattr(search_foresight, "PROPOSER", "mcts:iterations=64,turns=0")
    monkeypatch.setattr(search_foresight, "ENOUGH", 1)
    monkeypatch.setattr(sys, "argv", ["search_foresight", *given.split()])
    assert search_foresight.main() == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert " of 16 decisions" in first
    assert [line.split("`")[1] for line in lines[2:]] == searchers.split()


def test_a_measurement_with_too_few_decisions_says_so(monkeypatch, capsys):
    monkeypatch.setattr(search_foresight, "PROPOSER", "mcts:iterations=1,turns=0")
    monkeypatch.setattr(sys, "argv", ["search_foresight", "--positions", "2", "--seed", "100001"])
    assert search_foresight.main() == 0
    assert capsys.readouterr().out.startswith("only 0 of 2 decisions have an alternative")


def test_a_searcher_that_sees_twice_the_real_lead():
    seen = np.array([-0.2, 0.0, 0.1, 0.4])
    assert search_foresight.row("mcts", seen, seen / 2, 7.0) == "| `mcts` | 1.00 | 0.50 ± 0.00 | +6.25 ± 15.06 | 7 |"


@pytest.mark.parametrize(
    ("leads", "chosen"), [([0.01, 0.03], 1), ([-0.01, -0.03], 0), ([-0.1, -0.2], None), ([0.0, 0.0], None)]
)
def test_the_best_other_answer_is_proposed(leads, chosen):
    others = [Tried(k, 0, 50, 25.0, 50, 50 * lead, 50 * lead**2 * 4) for k, lead in enumerate(leads)]
    found = search_foresight.proposed([Tried(9, 0, 50, 25.0), *others])
    assert (None if found is None else found.action) == chosen


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--positions", "0"], "--positions 0: allowed are whole numbers from 1"),
        (["--searchers", "mcts:a=1"], "no parameter 'a'"),
        (["--searchers", "shogun"], "--searchers shogun: allowed are mcts agents"),
        (["--searchers", "mcts:milliseconds=9"], "mcts agents with iterations"),
        (["--seed", "-1"], "--seed -1: allowed are whole numbers from 0"),
    ],
)
def test_bad_input_for_foresight_gets_one_line(given, said, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["search_foresight", *given])
    with contextlib.suppress(SystemExit):
        assert search_foresight.main() == 2
    assert said in capsys.readouterr().err

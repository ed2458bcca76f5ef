"""`python -m fujikoro_training.measure`: matches and speed of an agent."""

import re

import pytest

from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_training.measure import main, speed_of_batch


@pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
def test_it_prints_matches_and_speeds(capsys):
    assert main(["gatherer", "--opponents", "random", "--players", "2", "--games", "4", "--seed", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.match(r"\d+\.\d% \(.*\) against random, lead [+-]\d+\.\d VP, 4 games; fair is 50\.0%$", lines[0])
    assert re.match(r"[\d,]+ decisions per second alone, [\d,]+ in a batch$", lines[1])


@pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
def test_it_counts_the_plans_of_agents_that_choose_them():
    decisions, plans = speed_of_batch("pupil", games=8, steps=20)
    assert 0 < plans < decisions
    assert speed_of_batch("runner", games=2, steps=2)[1] == 0


@pytest.mark.parametrize(
    "typed", [["nobody"], ["random", "--opponents", "nobody"], ["random", "--players", "9"], ["random", "--games", "0"]]
)
def test_bad_input_gets_one_line(typed, capsys):
    assert main(typed) == 2
    assert capsys.readouterr().err.count("\n") == 1

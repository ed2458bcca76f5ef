"""A sample of `make fuzz` with Fuji, and whether it would notice a fault."""

from collections import Counter

import numpy as np
import pytest

from fuji_env import Game
from fuji_env.rules.base.phases import Phase
from fujikoro_env.kernel.jit import INTERPRETED
from tests.helpers import fuji_fuzz
from tests.helpers.fuji import table
from tests.helpers.fuji_invariants import check
from tests.helpers.fuzzing import rule_functions


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="compares compiled code with plain Python")
def test_a_sample_of_all_kinds_of_games():
    hits = fuji_fuzz.Hits()
    for kind in fuji_fuzz.KINDS:
        hits.add(fuji_fuzz.fuzz(kind, 60, 1))
    assert hits.decisions >= 240
    assert {"KEEP", "PLAN", "REROLL", "EQUIP", "NEXT"} <= set(hits.phases)
    steps = [step for kept in hits.steps.values() for step in kept[:1]]
    calls = fuji_fuzz.calls_in_plain_python(steps)
    assert set(calls) == {name for _, name in rule_functions(fuji_fuzz.RULE_FILES)}
    assert calls["decide"] > 0


def test_a_step_that_gives_another_result_is_noticed():
    game = table()
    step = (game.to_bytes(), int(game.legal_actions()[0]), b"another")
    with pytest.raises(AssertionError, match=r"step 0, place.* in PLAN: compiled rules gave another result"):
        fuji_fuzz.repeat(iter([step]))


@pytest.mark.parametrize(
    "damage",
    [
        lambda s: setattr(s, "lava", int(s.lava) | 1 << int(s.figures[0].at)),
        lambda s: setattr(s.figures[0], "stamina", 25),
        lambda s: setattr(s.figures[0], "injuries", 1),
        lambda s: setattr(s.figures[1], "equipment", 1),
        lambda s: setattr(s.figures[0], "aside", 64),
        lambda s: s.dice.__setitem__((0, 0), 0),
    ],
)
def test_invariants_notice_a_fault(damage):
    game = table()
    check(game)
    damage(game.state)
    with pytest.raises(AssertionError):
        check(game)


def test_views_that_show_something_hidden_are_noticed(monkeypatch):
    game = table()
    monkeypatch.setattr(Game, "view", lambda self, _player: self.clone())
    with pytest.raises(AssertionError, match="sees something hidden"):
        fuji_fuzz.look_around(game, np.random.default_rng(1))


def test_what_comes_up_too_rarely_is_named():
    hits = fuji_fuzz.Hits()
    missed = fuji_fuzz.missed(hits, 100)
    assert "phase KEEP: 0 times, 100 are wanted" in missed
    assert "end VILLAGES: 0 times, 100 are wanted" in missed
    hits.phases = Counter({phase.name: 100 for phase in Phase})
    assert not [line for line in fuji_fuzz.missed(hits, 100) if line.startswith("phase")]

"""Scenarios as settings: which games each is allowed in, and what it changes."""

from pathlib import Path

import numpy as np
import pytest

from fujikoro_env import Game, Rules, RulesError, scenarios
from fujikoro_env.rules.scenarios.terms import TERMS, Term
from fujikoro_env.scenarios import SCENARIOS, Scenario
from tests.helpers.invariants import check
from tests.helpers.tables import fresh, table

ROOT = Path(__file__).resolve().parents[2]


def test_scenarios_go_by_number_and_name():
    for scenario in SCENARIOS:
        for given in (scenario.number, str(scenario.number), scenario.name):
            rules = Rules(scenario=given)
            assert (rules.scenario, rules.mode) == (scenario.name, scenario.modes[0])
    assert [scenario.number for scenario in SCENARIOS] == list(range(1, 9))


@pytest.mark.parametrize("given", [0, 9, "9", "bushido", True, 1.5, ["ronin"]])
def test_an_unknown_scenario_gets_a_list_of_all(given):
    with pytest.raises(RulesError, match=r"is not known: there are 1 each_for_himself, .*8 ronin$"):
        Rules(scenario=given)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            {"scenario": 1, "mode": "coop"},
            r"scenario 'each_for_himself' is not for mode .*'competitive' \(SCEN-11\)",
        ),
        ({"scenario": 2, "mode": "solo"}, r"is not for mode 'solo': .*\(SCEN-21\)"),
        ({"scenario": 4, "mode": "coop"}, r"\(SCEN-41\)"),
        ({"scenario": 6, "mode": "competitive"}, r"allowed is 'coop' \(SCEN-61\)"),
        ({"scenario": 7, "mode": "competitive"}, r"allowed is 'solo' \(SCEN-71\)"),
        ({"scenario": 7, "players": 2}, r"players=2: scenario 'three_fallen_samurai' is for 1 \(SCEN-71\)"),
        ({"scenario": 8, "mode": "coop", "players": 4}, r"players=4: scenario 'ronin' is for 1 \(SCEN-81\)"),
        ({"scenario": 1, "characters": "random"}, r"symmetric boards only \(SCEN-11\)"),
        ({"scenario": 1, "peaceful": True}, r"must fight \(SCEN-15\)"),
        ({"scenario": 6, "final_at": 20}, r"has no effect in mode 'coop'"),
        ({"scenario": 8, "peaceful": True}, r"has no effect in mode 'coop'"),
        ({"unarmed_pass": False}, r"samurai who meet must fight in scenario 1, SCEN-15"),
        ({"scenario": 3, "last_turn_dragon_sleeps": True}, r"dragons move in scenario 2, SCEN-21"),
        ({"scenario": 1, "exit_always_open": True}, r"no secret exit in scenario 1, SCEN-11"),
        ({"monk_initiative": "four"}, r"monks fight in scenario 4, SCEN-41"),
        ({"scenario": 5, "monk_distance": "tiles"}, r"monks walk in scenario 4, SCEN-43"),
        ({"scenario": 4, "monk_distance": "miles"}, r"allowed are 'spaces', 'tiles' \(SCEN-43\)"),
    ],
)
def test_what_does_not_fit_gets_one_line_that_names_the_rule(settings, told):
    with pytest.raises(RulesError, match=told):
        Rules(**settings)


def test_the_scenario_sets_the_players_and_the_end():
    assert (Rules(scenario=7).players, Rules(scenario=8).players, Rules(scenario=6).players) == (1, 1, 4)
    assert (Rules(scenario=1).final_at, Rules(scenario=2).final_at, Rules(scenario=8).final_at) == (20, 30, 20)
    assert Rules(scenario=1, final_at=25).final_at == 25
    assert Rules(scenario=8).max_rounds == 80  # no other clock


def test_every_term_belongs_to_a_scenario_and_the_record_knows_them():
    assert {term for scenario in SCENARIOS for term in scenario.terms} == set(Term)
    for scenario in SCENARIOS:
        for mode in scenario.modes:
            game = fresh(1 if scenario.solo else 3, scenario=scenario.number, mode=mode)
            settings = game.state.settings
            assert (settings.scenario, settings.terms) == (scenario.number, scenario.bits)
            assert Rules.read_settings(settings, "base") == game.rules


def test_without_a_scenario_no_term_holds():
    assert (fresh(2).state.settings.scenario, fresh(2).state.settings.terms) == (0, 0)


def test_words_among_the_options_are_kept_by_number():
    game = fresh(2, scenario=4, monk_initiative="four", monk_distance="tiles")
    assert (game.state.settings.monk_initiative, game.state.settings.monk_distance) == (1, 1)
    assert Rules.read_settings(game.state.settings, "base").options == game.rules.options


def test_a_new_scenario_is_one_entry(monkeypatch):
    """A scenario is added as docs/scenarios.md describes it."""
    terms = (Term.FIGHTS_ALONE, Term.TROPHIES)
    hunters = Scenario(9, "lonely_hunters", "Lonely hunters", "FINAL-1", ("competitive",), terms, final_at=25)
    monkeypatch.setattr(scenarios, "SCENARIOS", (*SCENARIOS, hunters))
    game = table(3, scenario="lonely_hunters")
    assert game.rules.final_at == 25
    assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()
    assert "scenario 9: Lonely hunters" in str(game)
    luck = np.random.default_rng(1)
    for _ in range(40):
        game.step(int(luck.choice(game.legal_actions())))
        check(game)
    assert "lonely_hunters" in (ROOT / "docs" / "scenarios.md").read_text()


def test_every_term_says_its_rule():
    assert set(TERMS) == set(Term)
    assert len({said for _, said in TERMS.values()}) == len(Term)

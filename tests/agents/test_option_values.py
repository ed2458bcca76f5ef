"""What agents think of the options of a decision."""

import pytest

from fujikoro_env import Game, Rules
from fujikoro_env.player import make_agent


@pytest.mark.parametrize(("name", "unit"), [("mcts:iterations=16", "share of the win"), ("shogun", "VP")])
def test_agents_value_their_options(name, unit):
    game = Game(Rules(players=2), seed=7)
    agent = make_agent(name)
    agent.reset(1, game.actor)
    assert agent.values() == []  # type: ignore[attr-defined]
    agent.act(game.view(game.actor))
    values = agent.values()  # type: ignore[attr-defined]
    assert len(values) > 1
    assert {value.action for value in values} <= set(game.legal_actions().tolist())
    assert all(value.unit == unit and value.what == game.action_name(value.action) for value in values)
    if unit == "VP":
        assert [value.worth for value in values] == sorted((value.worth for value in values), reverse=True)

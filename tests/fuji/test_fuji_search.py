"""The tree search plays Fuji by what the game declares: it sees nothing hidden, and keeps to its budget and seed."""

import json
from typing import Any

import numpy as np
import pytest

from fuji_env import Game, Rules
from fuji_env.agents.search import SEARCH, Table, judge_in_search, read_weights
from fuji_env.player import make_agent
from fuji_env.rules.base.names import Reason
from fuji_env.rules.base.phases import Phase
from fujikoro_agents.mcts.of_game import FujiMcts
from fujikoro_agents.mcts.thinking import Tree
from fujikoro_app.cli import main
from fujikoro_app.commands.errors import OK
from fujikoro_app.other_games import results_table
from fujikoro_env.kernel.agents import AgentError
from fujikoro_env.kernel.searching import NO_AIM, UNIT
from fujikoro_training.teams import TeamResult
from tests.helpers.processes import run

TABLES = [{"players": 4, "level": 3}, {"players": 3, "talk": "none"}, {"players": 2}, {"players": 2, "variant": "B"}]


def game_at(phase: Phase, seed: int = 3, **rules) -> Game:
    """A game of guides at the first question of this kind."""
    game, guide = Game(Rules(**{"players": 3, "level": 3, **rules}), seed), make_agent("guide")
    while game.phase != phase:
        game.step(guide.act(game.view(game.actor)))
    return game


def searched(game: Game, **more) -> FujiMcts:
    """A search after its decision."""
    agent = FujiMcts(**{"iterations": 24, **more})
    agent.reset(7, game.actor)
    agent.act(game.view(game.actor))
    return agent


@pytest.mark.parametrize("rules", TABLES)
def test_whole_games_come_to_their_end(rules):
    game, agent = Game(Rules(**rules), seed=4), FujiMcts(iterations=4)
    agent.reset(4, 0)
    while not game.over:
        action = agent.act(game.view(game.actor))
        assert action in game.legal_actions()
        game.step(action)
    assert game.outcome is not None


@pytest.mark.parametrize("phase", [Phase.PLAN, Phase.WORD, Phase.REROLL, Phase.NEXT])
def test_what_is_hidden_changes_nothing(phase):
    game = game_at(phase)
    seat = game.actor
    games = [game, game.view(seat), game.determinize(seat, 1), game.determinize(seat, 2).view(seat)]
    found = [searched(each).found for each in games]
    assert found[0] == found[1] == found[2] == found[3]
    assert len({each.digest() for each in games}) > 2 or phase == Phase.NEXT


def test_the_view_stays_as_it_is():
    view = game_at(Phase.REROLL)
    view = view.view(view.actor)
    before = view.digest(), view.legal_actions().tolist()
    searched(view)
    assert (view.digest(), view.legal_actions().tolist()) == before


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_seed_gives_the_same_search(threads):
    view = game_at(Phase.PLAN)
    first, again = (searched(view, iterations=25, threads=threads, depth=3).found for _ in range(2))
    assert first == again
    assert sum(answer.visits for answer in first) == 25


def test_candidates_are_the_guide_then_what_it_valued_then_all_that_is_legal():
    game = game_at(Phase.REROLL)
    view = game.view(game.actor)
    candidates = [action for action, aim in SEARCH.make_adviser().candidates(view, 5) if aim == NO_AIM]
    assert candidates[0] == make_agent("guide").act(view)
    assert sorted(candidates) == sorted(view.legal_actions().tolist())
    assert SEARCH.make_adviser().candidates(view, 6)[:5] == SEARCH.make_adviser().candidates(view, 5)[:5]


def test_an_iteration_ends_with_the_round():
    game = game_at(Phase.PLAN)
    view = game.view(game.actor)
    for turns in (0, 1):
        tree = Tree(FujiMcts(iterations=1, turns=turns).plan)
        tree.begin(view, 5, SEARCH.make_adviser().candidates(view, 5))
        tree.run(1)
        last = tree.last_game[0]
        assert last.round_number == game.state.round_number + turns + 1
        assert last.reason == Reason.PLAYING


# --- evaluation -----------------------------------------------------------------------------------------------------


def value_of(game: Game) -> float:
    """The chance to win as the search judges it."""
    table = Table()
    values: Any = np.zeros(6, np.int64)
    table.take_in(game)
    judge_in_search(table.calls().handle, values)
    assert len(set(values[:4])) == 1
    return float(values[0]) / UNIT


def test_less_way_and_less_stamina_are_better():
    game = game_at(Phase.PLAN)
    usual = value_of(game)
    tired, near = game.clone(), game.clone()
    tired.state.figures[0].stamina = 12
    near.state.figures[0].at = near.state.figures[1].at = next(
        place for place in range(33) if near.rules.tables[0].layouts[0].to_village[place] == 1
    )
    assert 0 < value_of(tired) < usual < value_of(near) < 1
    harder = game_at(Phase.PLAN, level=4)
    assert value_of(harder) < usual


@pytest.mark.parametrize(("reason", "value"), [(Reason.VILLAGES, 1.0), (Reason.LAVA, 0.0), (Reason.STAMINA, 0.0)])
def test_the_end_counts_as_it_is(reason, value):
    game = game_at(Phase.PLAN)
    game.state.reason = reason
    assert value_of(game) == value


def test_weights_are_numbers():
    assert np.isfinite(read_weights()).all()


# --- plain Python, and by name --------------------------------------------------------------------------------------

SEARCH_ONCE = "from tests.fuji.test_fuji_search import found_once; print(found_once())"


def found_once() -> str:
    return str(searched(game_at(Phase.REROLL), iterations=2).found)


def test_plain_python_finds_the_same():
    assert run("-c", SEARCH_ONCE, NUMBA_DISABLE_JIT="1").strip() == found_once()


def test_it_plays_tournaments_by_name(capsys):
    typed = ["tournament", "--game", "fuji", "--players", "mcts:iterations=2,guide", "--seats", "2", "--games", "1"]
    assert main([*typed, "--json"]) == OK
    teams = json.loads(capsys.readouterr().out)["teams"]
    assert {team["agent"] for team in teams} == {"guide", "mcts:iterations=2"}


def test_tables_of_tournaments_are_narrow():
    names = ("policy:runs/some/where/first/policy.safetensors:greedy=true", "policy:runs/second/policy.safetensors")
    results = [
        TeamResult(
            name,
            {"players": 4, "content": "base", "level": 2},
            np.zeros(900, bool),
            np.zeros(900),
            np.zeros(900, int),
            ("lava", "stamina", "injuries") * 300,
            ((),) * 900,
        )
        for name in names
    ]
    told = results_table(results)
    assert told.startswith("players=4, content=base, level=2\n\n| agent ")
    assert "| policy:first:greedy=true | 900   | 0.0% (0.0 to 0.4) |" in told
    assert max(map(len, told.splitlines())) <= 120


def test_parameters_of_other_games_are_refused():
    with pytest.raises(AgentError, match="it has no parameter 'prior'"):
        make_agent("mcts:prior=guide")
    with pytest.raises(AgentError, match="depth=0: allowed are whole numbers from 1 to 64"):
        make_agent("mcts:depth=0")


def test_it_says_why():
    agent = searched(game_at(Phase.PLAN))
    assert agent.explain().startswith("chance to win 0.")
    assert agent.values()[0].unit == "chance to win"

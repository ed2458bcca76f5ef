"""Agents of Fuji, games by name, and the commands and the trainer that use what games declare."""

import json
from typing import Any

import numpy as np
import pytest

from fuji_env import Game, Rules
from fuji_env.envs.batch import BatchedGames
from fuji_env.player import make_agent, make_agents
from fujikoro_app.cli import main
from fujikoro_app.commands.errors import BAD_INPUT, OK
from fujikoro_env.kernel.declared import UnknownGameError, find_game, game_names
from fujikoro_training.teams import by_trait, paired_difference, play_team

TABLES = [{"players": 4, "level": 3}, {"players": 3, "talk": "none"}, {"players": 2}, {"players": 2, "variant": "B"}]


@pytest.mark.parametrize("rules", TABLES)
def test_the_guide_answers_legally_and_sees_nothing_hidden(rules):
    game, guide = Game(Rules(**rules), seed=5), make_agent("guide")
    while not game.over:
        seat = game.actor
        action = guide.act(game.view(seat))
        assert action in game.legal_actions()
        assert guide.act(game.determinize(seat, 99).view(seat)) == action, game.phase
        game.step(action)


def test_the_guide_wins_level_1_and_the_levels_are_in_order():
    fuji = find_game("fuji")
    shares = [play_team(fuji, "guide", fuji.make_rules(players=3, level=level), 60, 500).share for level in (1, 4)]
    assert shares[0] > 0.8
    assert shares[1] < shares[0] - 0.1


def test_a_batch_of_guides_plays_the_same_games():
    rules = Rules(players=3, level=2)
    games = BatchedGames(rules, n=4, stop=True)
    games.deal([11, 12, 13, 14])
    guide: Any = make_agent("guide")
    policy = guide.batch_policy()
    while not games.over.all():
        which = np.flatnonzero(~games.over)
        actions = np.full(4, -3)
        actions[which] = policy.act(games, which)
        games.step(actions)
    agents, game = make_agents(["guide"] * 3, 0), Game(rules, seed=13)
    while not game.over:
        game.step(agents[game.actor].act(game.view(game.actor)))
    assert games.game(2).digest() == game.digest()


def test_games_are_found_by_name():
    assert {"fuji", "fujikoro"} <= set(game_names())
    for name in ("fuji", "fujikoro"):
        game = find_game(name)
        rules = game.make_rules(players=3)
        assert game.actions == rules.facts.actions == sum(block.size for block in game.blocks.values())
        assert game.space("compact").shape == game.make_game(rules, 1).observe(0, "compact").shape
        assert "random" in game.agents.names()
        assert game.batch_class(rules, 2).n == 2
    with pytest.raises(UnknownGameError, match="game 'go' is not known: there are fuji, fujikoro"):
        find_game("go")


def test_teams_are_compared_on_the_same_seeds():
    fuji = find_game("fuji")
    rules = fuji.make_rules(players=2)
    found = [play_team(fuji, name, rules, 8) for name in ("guide", "random")]
    more, low, high = paired_difference(*found)
    assert low <= more <= high
    assert more == found[0].share - found[1].share
    traits = by_trait(found)
    assert sum(row["games"] for row in traits) == 2 * 2 * 8  # two skill cards in each of 16 games


def test_commands_play_other_games(capsys):
    assert main(["watch", "--game", "fuji", "--by", "guide", "--players", "2", "--seed", "3"]) == OK
    assert "The game is won in round" in capsys.readouterr().out
    arguments = ["--game", "fuji", "--games", "4", "--json"]
    assert main(["tournament", "--players", "guide,random", "--seats", "3", *arguments]) == OK
    assert [team["agent"] for team in json.loads(capsys.readouterr().out)["teams"]] == ["guide", "random"]
    assert main(["evaluate", "random", "--vary", "players=2,3", "--vary", "level=1,4", *arguments]) == OK
    assert len(json.loads(capsys.readouterr().out)["results"]) == 4


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["watch", "--game", "go"], "game 'go' is not known"),
        (["watch", "--game", "fuji", "--mode", "coop"], "--mode does not go with --game fuji"),
        (["watch", "--game", "fuji", "--by", "shogun"], "agent 'shogun' is not known: there are guide, mcts"),
        (["watch", "--game", "fuji", "--option", "level=9"], "level=9: allowed are the numbers 1 to 4"),
        (["watch", "--game", "fuji", "--option", "luck=9"], "Fuji has no setting 'luck'"),
        (["evaluate", "random", "--game", "fuji", "--vary", "level"], "write NAME=VALUE,VALUE"),
        (["tournament", "--game", "fuji", "--players", "random,", "--games", "1"], "a name is missing"),
        (["train", "--game", "go"], "--game go: there is no recipe of this name"),
        (["train", "small", "--game", "fuji"], "the recipe small is for fujikoro"),
        (["train", "fuji", "--set", "network.kind=heads"], "allowed with the game fuji is 'compact'"),
        (["train", "fuji", "--set", "imitation.agent=runner"], "there are guide, mcts, policy, random"),
        (["train", "fuji", "--set", "game=go"], "game 'go' is not known"),
    ],
)
def test_wrong_input_gets_one_line(typed, told, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(typed) == BAD_INPUT
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


@pytest.mark.slow
def test_the_trainer_learns_a_declared_game(tmp_path):
    pytest.importorskip("sb3_contrib")
    changes = ["decisions=512", "learning.games=8", "learning.steps=32", "network.layers=[16]"]
    changes += ["imitation.decisions=256", "evaluation.games=2", "evaluation.final_games=2"]
    options = [part for change in changes for part in ("--set", change)]
    folder = tmp_path / "run"
    assert main(["train", "--game", "fuji", "--out", str(folder), *options]) == OK
    agent = make_agent(f"policy:{folder / 'policy.safetensors'}")
    game = Game(Rules(players=3), seed=1)
    assert agent.act(game.view(game.actor)) in game.legal_actions()
    assert main(["train", "--resume", str(folder)]) == OK

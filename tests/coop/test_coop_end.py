"""COOP-1, COOP-21: the secret exit, and how a cooperative game ends."""

import numpy as np
import pytest

from fujikoro_app.narration import outcome_text
from fujikoro_env import fujikoro_v0
from fujikoro_env.rules.base.names import Outside, Where
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.coop_tables import bare, coop_table, finish_round, open_exit, reason, set_round
from tests.helpers.endgame import make_magic, send_out
from tests.helpers.tables import do, legal, put

GEARS = ("helmet", "weapon", "sandals")


def at_the_exit(players=2, **rules):
    """A game with two players on the open secret exit; player 0, with all three magic gears, is to end its turn."""
    game = coop_table(players, **rules)
    bare(game, "ring1.0")
    open_exit(game)
    make_magic(game, 0, *GEARS)
    do(game, "move", "done")
    return game


def end_turn(game):
    do(game, "move", "done")


@pytest.mark.rule("COOP-21")
def test_a_player_who_ends_its_turn_on_the_exit_is_asked_whether_to_leave():
    game = at_the_exit()
    end_turn(game)
    assert (game.phase, game.actor, legal(game)) == (Phase.LEAVE, 0, {"yes", "no"})
    do(game, "no")
    assert (game.state.players[0].outside, game.actor) == (Outside.INSIDE, 1)


@pytest.mark.rule("COOP-21")
def test_a_player_who_has_left_has_no_turns():
    game = at_the_exit()
    end_turn(game)
    do(game, "yes")
    assert game.state.players[0].outside == Outside.FOOT
    assert game.actor == 1
    finish_round(game)
    assert game.actor == 1


@pytest.mark.rule("COOP-21")
def test_the_exit_is_closed_while_the_legendary_dragon_lives():
    game = at_the_exit()
    game.state.dragons_beaten = 0
    end_turn(game)
    assert game.phase == Phase.ACTION


@pytest.mark.rule("COOP-21")
def test_nobody_leaves_elsewhere():
    game = at_the_exit()
    put(game, 0, "start")
    end_turn(game)
    assert game.phase == Phase.ACTION
    assert game.state.players[0].outside == Outside.INSIDE


@pytest.mark.rule("COOP-21")
def test_nobody_leaves_without_a_magic_gear():
    game = at_the_exit()
    end_turn(game)
    do(game, "yes", "move", "done", "move", "done")
    assert game.state.players[1].outside == Outside.INSIDE  # player 1 has none
    assert (game.phase, game.actor) == (Phase.ACTION, 1)


@pytest.mark.rule("COOP-21", "COOP-1")
def test_a_magic_gear_without_its_blueprint_does_not_count():
    game = at_the_exit()
    for card in game.state.blueprints:
        if card.where == Where.OWNED:
            card.where = Where.GONE
    end_turn(game)
    assert (game.phase, game.actor) == (Phase.ACTION, 1)


@pytest.mark.rule("COOP-1", "COOP-20")
def test_all_win_when_the_last_one_leaves():
    game = at_the_exit()
    send_out(game, 1, Outside.FOOT)
    end_turn(game)
    do(game, "yes")
    assert game.over
    assert (game.outcome.reason, game.outcome.winners, game.outcome.ranking) == ("won", (0, 1), (1, 1))


@pytest.mark.rule("COOP-1")
def test_the_three_gears_may_be_with_different_players():
    game = coop_table(2)
    bare(game, "ring1.0")
    open_exit(game)
    make_magic(game, 0, "helmet", "sandals")
    make_magic(game, 1, "weapon")
    do(game, "move", "done", "move", "done", "yes", "move", "done", "move", "done", "yes")
    assert reason(game) == "won"


@pytest.mark.rule("COOP-1")
@pytest.mark.parametrize("missing", GEARS)
def test_without_one_of_the_three_gears_the_game_is_lost_when_all_are_out(missing):
    game = coop_table(2)
    bare(game, "ring1.0")
    open_exit(game)
    make_magic(game, 0, *(gear for gear in GEARS if gear != missing))
    send_out(game, 1, Outside.FOOT)
    do(game, "move", "done", "move", "done", "yes")
    assert reason(game) == "lost"


@pytest.mark.rule("COOP-1")
def test_solo_needs_all_three_itself():
    game = at_the_exit(players=1)
    end_turn(game)
    do(game, "yes")
    assert (game.outcome.reason, game.outcome.winners) == ("won", (0,))


@pytest.mark.rule("COOP-20", "COOP-1")
def test_the_last_turn_of_the_last_round_can_still_win():
    game = at_the_exit(players=1, adventure_tokens=False)
    set_round(game, 33)
    end_turn(game)
    do(game, "yes")
    assert reason(game) == "won"


@pytest.mark.rule("COOP-21")
def test_no_rope_and_no_bonuses():
    game = at_the_exit()
    end_turn(game)
    do(game, "yes")
    while not game.over:
        assert game.phase != Phase.CLAIM
        finish_round(game)
        assert not game.state.rope
    assert game.scores == (0, 0)


@pytest.mark.rule("COOP-21", "DRAG-2")
def test_a_player_who_has_left_joins_no_fight():
    game = at_the_exit(3)
    end_turn(game)
    do(game, "yes")
    assert game.state.players[0].at == 0  # not in use outside: nobody stands there
    finish_round(game)
    assert game.actor == 1


# The environment


@pytest.mark.parametrize(("mode", "players"), [("coop", 3), ("solo", None)])
def test_the_environment_plays_coop_with_one_reward_for_all(mode, players):
    env = fujikoro_v0.env(mode=mode, players=players, max_rounds=6)
    env.reset(seed=3)
    luck = np.random.default_rng(3)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        assert observation is not None
        assert env.observation_space(agent).contains(observation)
        rewards[agent] += reward
        if termination or truncation:
            env.step(None)
        else:
            env.step(luck.choice(np.flatnonzero(observation["action_mask"])))
    assert set(rewards.values()) == {-1.0}


def test_a_person_is_told_how_it_ended():
    game = at_the_exit(players=1)
    end_turn(game)
    do(game, "yes")
    assert outcome_text(game) == "The game is over in round 1: all have won together."

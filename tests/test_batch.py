"""`BatchedGames`: the same games as `Game`, many at once."""

import numpy as np
import pytest

from fujikoro_env import BatchedGames, Game, IllegalActionError, Rules
from fujikoro_env.batch import WAITS
from fujikoro_env.rules.actions import ACTIONS
from fujikoro_env.rules.jit import INTERPRETED
from fujikoro_env.rules.phases import Phase
from tests.rewardbook import rank_rewards, win_rewards

SHORT = 2 if INTERPRETED else 12  # rounds
GAMES = 2 if INTERPRETED else 12


def batch(players=3, n=GAMES, seed=1, rounds=SHORT, **options):
    return BatchedGames(Rules(players, max_rounds=rounds), n, seed, **options)


def first_legal(games):
    return games.masks.argmax(axis=1)


def singles(games):
    return [Game(games.rules, int(seed)) for seed in games.seeds]


def bytes_of(games, index):
    return games.states[index : index + 1].tobytes()


@pytest.mark.parametrize("players", [2, 4, 6])
def test_games_are_those_of_their_seeds(players):
    games = batch(players)
    alone = singles(games)
    for _ in range(5 if INTERPRETED else 200):
        actions = games.random_actions()
        for index, game in enumerate(alone):
            assert bytes_of(games, index) == game._games.tobytes()
            assert games.actors[index] == game.actor
            assert games.phases[index] == game.phase
            assert (games.masks[index] == game.legal_mask()).all()
            game.step(actions[index])
        games.step(actions)
        for ended in np.flatnonzero(games.dones):
            alone[ended] = Game(games.rules, int(games.seeds[ended]))


@pytest.mark.parametrize("reward", ["rank", "win"])
def test_a_game_that_ends_is_dealt_anew_and_its_end_stays_readable(reward):
    games = batch(3, reward=reward)
    alone, ends = singles(games), 0
    while ends < games.n // 2:
        actions = games.random_actions()
        games.step(actions)
        for index, game in enumerate(alone):
            game.step(actions[index])
            assert game.over == games.dones[index]
            assert game.outcome == games.outcome(index)
            if game.outcome is None:
                assert not games.rewards[index].any()
                continue
            ends += 1
            expected = rank_rewards(game.outcome) if reward == "rank" else win_rewards(game.outcome)
            assert games.rewards[index] == pytest.approx([*expected, 0, 0, 0])
            assert games.ended[index : index + 1].tobytes() == game._games.tobytes()
            alone[index] = Game(games.rules, int(games.seeds[index]))
            assert games.phases[index] == Phase.MONK_SPOT
    index = int(np.flatnonzero(games.dones)[0])
    games.step(first_legal(games))
    assert games.outcome(index) is None
    assert not games.rewards[index].any()


def test_a_game_can_wait():
    games = batch()
    before = [bytes_of(games, index) for index in range(games.n)]
    actions = first_legal(games)
    actions[0] = WAITS
    games.step(actions)
    assert bytes_of(games, 0) == before[0]
    assert all(bytes_of(games, index) != before[index] for index in range(1, games.n))
    assert games.masks[0].any()


@pytest.mark.parametrize("action", [ACTIONS, -1, -2, ACTIONS - 1])
def test_an_action_that_is_not_legal_changes_nothing(action):
    games = batch()
    actions, before = first_legal(games), games.states.tobytes()
    actions[1] = action
    with pytest.raises(IllegalActionError, match=r"game 1: .* is not legal in MONK_SPOT; legal: monk\(pool\)"):
        games.step(actions)
    assert games.states.tobytes() == before


def test_the_same_seed_gives_the_same_games():
    def play(seed):
        games = batch(seed=seed)
        for _ in range(5 if INTERPRETED else 300):
            games.step(games.random_actions())
        return games.states.tobytes()

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_who_is_asked_sees_its_own_seat():
    games = batch()
    seen = games.observe("compact")
    assert (seen == games.observe(observers=games.actors)).all()
    out = np.empty_like(seen)
    assert games.observe(out=out) is out
    assert (out == seen).all()
    assert not games.observe(observers=np.full(games.n, -1)).any()


@pytest.mark.parametrize(
    ("says", "call"),
    [
        ("n=0: allowed are whole numbers from 1", lambda: BatchedGames(n=0)),
        ("seed=-1: allowed are whole numbers from 0", lambda: BatchedGames(n=1, seed=-1)),
        ("reward='fame': allowed are 'rank', 'win', 'vp', 'shaped'", lambda: BatchedGames(n=1, reward="fame")),
        ("observation 'smell': allowed are 'compact'", lambda: batch().observe("smell")),
        ("observers: one for each of the", lambda: batch().observe(observers=np.zeros(1))),
        ("below 3", lambda: batch().observe(observers=np.full(GAMES, 3))),
        (r"shape \(1,\): one for each game", lambda: batch().step([0])),
    ],
)
def test_bad_input_is_explained(says, call):
    with pytest.raises(ValueError, match=says):
        call()

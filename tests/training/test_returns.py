"""Advantages by seat against a plain reference, matches on mirrored seeds, the stopwatch."""

import numpy as np
import pytest

from fujikoro_env import Rules, Session
from fujikoro_env.envs.seats import LEARNER, SeatedGames
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_training.matches import KeptGame, play_match, share_interval
from fujikoro_training.returns import NOBODY, seat_advantages
from fujikoro_training.timing import Stopwatch

compiled = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
GAMMA, LAMBDA = 0.97, 0.9
RULES = Rules(3, max_rounds=4)


def advantages(movers, values, rewards, dones, open_values):
    return seat_advantages(movers, values, rewards, dones, open_values, GAMMA, LAMBDA)


def reference(movers, values, rewards, dones, open_values):
    """The definition, decision by decision: the sum of later surprises of the same seat in the same game."""
    found = np.zeros(values.shape)
    for game in range(movers.shape[1]):
        for step in range(len(movers)):
            if movers[step, game] != NOBODY:
                surprises = chain(movers, values, rewards, dones, open_values, step, game)
                found[step, game] = sum((GAMMA * LAMBDA) ** k * surprise for k, surprise in enumerate(surprises))
    return found


def chain(movers, values, rewards, dones, open_values, step, game):
    """Surprises of the mover's decisions from `step` to the end of the game or of the data."""
    seat = movers[step, game]
    decisions, paid, end = [values[step, game]], [0.0], None
    for now in range(step, len(movers)):
        if now > step and movers[now, game] == seat:
            decisions.append(values[now, game])
            paid.append(0.0)
        paid[-1] += rewards[now, game, seat]
        if dones[now, game]:
            end = 0.0
            break
    following = [*decisions[1:], open_values[game, seat] if end is None else end]
    return [reward + GAMMA * after - value for value, reward, after in zip(decisions, paid, following, strict=True)]


def random_data(seed, steps=40, games=7, seats=4):
    luck = np.random.default_rng(seed)
    return (
        luck.integers(NOBODY, seats, (steps, games)),
        luck.normal(size=(steps, games)).astype(np.float32),
        luck.normal(size=(steps, games, seats)).astype(np.float32),
        luck.random((steps, games)) < 0.07,
        luck.normal(size=(games, seats)).astype(np.float32),
    )


@pytest.mark.parametrize("seed", range(5))
def test_advantages_are_those_of_the_definition(seed):
    data = random_data(seed)
    assert advantages(*data) == pytest.approx(reference(*data), abs=1e-4)


def test_nothing_is_passed_on_from_seat_to_seat():
    movers, values, rewards, dones, open_values = random_data(0)
    plain = seat_advantages(movers, values, rewards, dones, open_values, GAMMA, LAMBDA)
    theirs = movers == 1
    values[theirs] += 100
    rewards[:, :, 1] -= 50
    open_values[:, 1] = 1000
    found = seat_advantages(movers, values, rewards, dones, open_values, GAMMA, LAMBDA)
    assert (found[~theirs] == plain[~theirs]).all()
    assert (found[theirs] != plain[theirs]).all()


@compiled
def test_advantages_of_real_games():
    seating = np.array([[LEARNER] * 3, [LEARNER, 0, LEARNER], [0, 0, LEARNER], [0, LEARNER, 1]])
    games = SeatedGames(RULES, 4, 3, ["random", "gatherer"], seating, reward="shaped")
    luck, steps = np.random.default_rng(1), []
    for _ in range(400):
        movers, values = np.full(4, NOBODY), np.zeros(4, np.float32)
        movers[games.asked] = games.movers
        values[games.asked] = luck.normal(size=len(games.asked))
        games.step(games.masks.argmax(axis=1))
        steps.append((movers, values, games.games.rewards.copy(), games.games.dones.copy()))
    movers, values, rewards, dones = (np.array(part) for part in zip(*steps, strict=True))
    assert dones.any(axis=0).all()
    data = movers, values, rewards, dones, luck.normal(size=(4, 6)).astype(np.float32)
    assert advantages(*data) == pytest.approx(reference(*data), abs=1e-4)
    ends = seat_advantages(movers, 0 * values, rewards, dones, 0 * data[4], 1.0, 1.0)
    assert (movers[ends != 0] != NOBODY).all()


# matches


@compiled
def test_a_policy_against_itself_wins_exactly_its_share():
    match = play_match("gatherer", "gatherer", RULES, games=6, seed=5)
    assert (match.games, match.lead) == (6, 0)
    assert match.share == pytest.approx(1 / 3)


@compiled
def test_a_better_policy_wins_more():
    match = play_match("runner", "random", Rules(2, max_rounds=12), games=15, seed=5)
    assert match.games == 16
    assert match.share == 1
    assert match.low > 0.6
    assert str(match).startswith("100.0% (")


@compiled
def test_a_team_plays_all_seats():
    match = play_match("band", "self", Rules(2, mode="coop"), games=3, seed=5)
    assert match.games == 3
    assert 0 <= match.low <= match.share <= match.high <= 1
    assert play_match("random", "band", Rules(2, mode="coop"), games=2, seed=5).share == 0


@compiled
def test_the_first_games_of_a_match_can_be_played_again():
    kept: list[KeptGame] = []
    rules = Rules(2, max_rounds=3)
    match = play_match("runner", "random", rules, games=8, seed=5, keep=kept.append)
    assert match == play_match("runner", "random", rules, games=8, seed=5)
    assert [(game.seed, game.seat) for game in kept] == [(5, 0), (5, 1), (6, 0), (6, 1)]
    for game in kept:
        session = Session(rules, game.seed)
        for action in game.actions:
            session.submit(action)
        assert session.over


def test_intervals_are_by_seed():
    luck = np.random.default_rng(1)
    alone = (luck.random((400, 1)) < 0.3).astype(float)
    low, high = share_interval(alone)
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt(0.3 * 0.7 / 400), rel=0.1)
    repeated = share_interval(np.repeat(alone, 4, axis=1))
    assert repeated == pytest.approx((low, high), abs=1e-3)  # the same games again tell nothing new
    assert share_interval(np.ones((100, 4)))[0] == pytest.approx(0.963, abs=1e-3)
    assert share_interval(np.ones((1, 4)))[0] < 0.3


# the stopwatch


def test_parts_inside_others_count_for_themselves(monkeypatch):
    clock = iter([0.0, 1.0, 3.0, 7.0, 8.0, 16.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    watch = Stopwatch()
    with watch("outer"), watch("inner"):
        pass
    assert dict(watch.seconds) == {"outer": 2.0 + 1.0, "inner": 4.0}
    assert watch.shares() == {"inner": 4 / 16, "outer": 3 / 16, "other": pytest.approx(9 / 16)}

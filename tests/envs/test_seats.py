"""Games whose seats belong to learners and policies: seats, policies by name, given seeds, stopping, snapshots."""

import doctest

import numpy as np
import pytest

from fujikoro_env import BatchedGames, Game, Rules
from fujikoro_env.envs import policies, seats
from fujikoro_env.envs.batch import WAITS
from fujikoro_env.envs.policies import AgentPerSeat, RandomPolicy, batch_policy
from fujikoro_env.envs.seats import LEARNER, SeatedGames, play_out
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.player import RandomAgent

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
RULES = Rules(3, max_rounds=4)
MIXED = np.array([[LEARNER, LEARNER, LEARNER], [LEARNER, 0, 1], [1, 0, LEARNER], [1, 1, 1]])


def seated(seating=MIXED, policies=("random", "gatherer"), seed=1, **options):
    return SeatedGames(RULES, len(MIXED), seed, policies, seating, **options)


def first_legal(games, which):
    return games.masks[which].argmax(axis=1)


def play(games, steps):
    for _ in range(steps):
        games.step(games.masks.argmax(axis=1))


# seats


def test_learners_are_asked_in_their_seats_alone():
    games = seated(observation="compact")
    for _ in range(200):
        actors = games.games.actors
        assert games.asked.tolist() == [g for g in range(4) if MIXED[g, actors[g]] == LEARNER]
        assert (games.movers == actors[games.asked]).all()
        assert (games.observe() == games.games.observe()[games.asked]).all()
        assert (games.masks == games.games.masks[games.asked]).all()
        games.step(games.masks.argmax(axis=1))
    with pytest.raises(ValueError, match="one for each game is needed"):
        games.step([0] * 7)


def test_seats_are_drawn_when_games_are_dealt():
    drawn = []

    def rule(which, luck):
        rows = np.stack([luck.permutation([LEARNER, 0, 1]) for _ in which])
        drawn.append((which.tolist(), rows))
        return rows

    games = seated(rule)
    before = games.seating.copy()
    while len(drawn) < 4:
        play(games, 1)
    for which, rows in drawn:
        before[which] = rows
    assert (games.seating == before).all()
    assert drawn[0][0] == [0, 1, 2, 3]


def test_a_policy_can_be_replaced_in_the_middle_of_a_game():
    asked = []

    def noting(games, which):
        asked.append(len(which))
        return first_legal(games, which)

    games = seated()
    play(games, 5)
    games.use(1, noting)
    play(games, 50)
    assert sum(asked) >= 50  # the last game is theirs alone
    games.use(1, "gatherer")
    play(games, 50)


def test_a_decision_without_a_legal_action_is_noticed():
    games = seated()
    games.games.masks[games.asked[0]] = False
    with pytest.raises(AssertionError, match="without a legal action"):
        _ = games.masks


@pytest.mark.parametrize(
    ("says", "call"),
    [
        (r"seating has shape \(1, 3\)", lambda: seated(np.zeros((1, 3)))),
        ("allowed are numbers of the 2 policies and -1", lambda: seated(np.full((4, 3), 2))),
        ("opponent 7: allowed are 'random'", lambda: seated(policies=[7])),
        ("agent 'nobody' is not known", lambda: seated(policies=["nobody"])),
        ("seeds: one for each of the 4 games", lambda: seated().deal([1, 2])),
        ("which: numbers of games are needed, from 0 to 3", lambda: BatchedGames(RULES, 4).deal([1], [4])),
    ],
)
def test_bad_input_is_explained(says, call):
    with pytest.raises(ValueError, match=says):
        call()


# policies


@pytest.mark.parametrize("module", [policies, seats])
def test_examples(module):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("name", ["gatherer", "runner", "shogun"])
def test_scripted_policies_play_like_agents_in_every_seat(name):
    seeds, seating = np.array([11, 12, 13]), np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    compiled = batch_policy(name)
    assert not isinstance(compiled, AgentPerSeat)
    ends = [play_out(RULES, seeds, [one, "gatherer"], seating).ended for one in (compiled, AgentPerSeat(name))]
    assert ends[0].tobytes() == ends[1].tobytes()


def test_policies_by_name_object_and_function():
    assert isinstance(batch_policy("random"), RandomPolicy)
    assert isinstance(batch_policy(RandomAgent()), AgentPerSeat)
    policy = RandomPolicy()
    assert batch_policy(policy) is policy
    assert batch_policy(first_legal).act is first_legal


# given seeds, stopping


def test_mirrored_seats_of_the_same_policy_win_exactly_their_share():
    seeds = np.repeat([5, 6], 3)
    games = play_out(RULES, seeds, ["runner", batch_policy("runner")], np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]] * 2))
    assert (games.ended[:3] == games.ended[0]).all()
    assert (games.ranks[3:] == games.ranks[3]).all()


def test_games_can_stop_at_their_end():
    games = BatchedGames(RULES, 6, seed=3, reward="win", observation="compact", stop=True)
    ended = np.zeros(6, np.int64)
    paid = np.zeros((6, 3))
    while not games.over.all():
        games.step(games.random_actions())
        ended += games.dones
        paid += games.rewards[:, :3]
        assert not games.masks[games.over].any()
        assert not games.observations[games.over].any()
        assert (games.actors[games.over] == -1).all()
        assert (games.random_actions()[games.over] == WAITS).all()
    assert (ended == 1).all()
    assert (games.ended.tobytes(), games.ranks.min()) == (games.states.tobytes(), 0)
    first = games.ranks[:, :3] == 1
    assert paid == pytest.approx(first / first.sum(axis=1, keepdims=True) - 1 / 3)
    games.deal([9, 8], [4, 1])
    assert games.over.tolist() == [True, False, True, True, False, True]
    assert games.game(4).digest() == Game(RULES, 9).digest()
    games.step(games.random_actions())


def test_games_are_dealt_from_given_seeds():
    games, other = BatchedGames(RULES, 4, seed=1), BatchedGames(RULES, 4, seed=2)
    games.play_at_random(20)
    games.deal(other.seeds)
    assert games.states.tobytes() == other.states.tobytes()
    assert (games.masks == other.masks).all()
    games.deal([7], [2])
    assert (games.seeds == [*other.seeds[:2], 7, other.seeds[3]]).all()
    assert all(games.game(g).digest() == other.game(g).digest() for g in (0, 1, 3))


# observing later, snapshots


def test_observations_can_wait():
    games, other = (BatchedGames(RULES, 4, seed=1, observation="compact") for _ in range(2))
    for _ in range(150):
        games.step(games.masks.argmax(axis=1), observe=False)
        other.step(other.masks.argmax(axis=1))
    assert (games.observations != other.observations).any()
    games.update_observations()
    assert (games.observations == other.observations).all()
    unobserved = BatchedGames(RULES, 4, seed=1)
    for kind in ("compact", "tensor"):
        some, every = unobserved.observe_some([3, 1], kind), unobserved.observe(kind)
        if kind == "compact":
            some, every = {"all": some}, {"all": every}
        assert all((some[name] == every[name][[3, 1]]).all() for name in every)


def test_a_snapshot_goes_on_with_the_same_games():
    def rule(which, luck):
        return np.stack([luck.permutation([LEARNER, 0, 1]) for _ in which])

    games, later = (seated(rule, ["shogun", "gatherer"], seed, observation="compact") for seed in (1, 2))
    play(games, 60)
    kept = games.snapshot()
    play(games, 300)
    later.restore(kept)
    play(later, 300)
    assert later.games.states.tobytes() == games.games.states.tobytes()
    assert (later.games.observations == games.games.observations).all()
    assert (later.seating == games.seating).all()

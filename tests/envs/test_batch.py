"""`BatchedGames`: the same games as `Game`, many at once."""

import gc
import hashlib
import pickle
import subprocess
import sys
import threading
from copy import deepcopy
from multiprocessing import shared_memory

import numpy as np
import pytest

from fujikoro_env import BatchedGames, Game, IllegalActionError, Rules
from fujikoro_env.envs.batch import WAITS
from fujikoro_env.kernel import batch as batches
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.kernel.thread_pool import ThreadPool
from fujikoro_env.observation import TensorArrays
from fujikoro_env.observation.compact import WIDTH
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.rewardbook import rank_rewards, win_rewards

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
            assert bytes_of(games, index) == game.compiled.games.tobytes()
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
            assert games.ended[index : index + 1].tobytes() == game.compiled.games.tobytes()
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


# Observations, masks, and the arrays that hold them

MODES = {
    "two": Rules(2, max_rounds=SHORT),
    "six with characters": Rules(6, max_rounds=SHORT, characters="random"),
    "coop": Rules(3, mode="coop"),
    "solo": Rules(mode="solo"),
    "ronin": Rules(scenario="ronin"),
    "enemies": Rules(scenario=7),
}


def same(seen, alone):
    if isinstance(seen, dict):
        return set(seen) == set(alone) and all((seen[name] == alone[name]).all() for name in seen)
    return (seen == alone).all()


def row_of(seen, row):
    return {name: array[row] for name, array in seen.items()} if isinstance(seen, dict) else seen[row]


@pytest.mark.parametrize("kind", ["compact", "tensor"])
@pytest.mark.parametrize("rules", MODES.values(), ids=MODES)
def test_every_step_sees_what_game_sees(rules, kind):
    games = BatchedGames(rules, 3 if INTERPRETED else 5, seed=1, observation=kind, threads=2)
    alone = singles(games)
    for step in range(3 if INTERPRETED else 120):
        actions = games.random_actions()
        for index, game in enumerate(alone):
            if step % 10 == index:
                assert same(row_of(games.observations, index), game.observe(game.actor, kind))
            assert (games.masks[index] == game.legal_mask()).all()
            game.step(actions[index])
        games.step(actions)
        for index in np.flatnonzero(games.dones).tolist():
            last = games.observe_ended([index], [0], kind)
            assert same(row_of(last, 0), alone[index].observe(0, kind))
            alone[index] = Game(rules, int(games.seeds[index]))
            assert same(row_of(games.observations, index), alone[index].observe(alone[index].actor, kind))
        assert all(games.game(index).digest() == game.digest() for index, game in enumerate(alone))
        assert all((games.game(index).legal_mask() == game.legal_mask()).all() for index, game in enumerate(alone))
    games.close()


def played(threads, block, monkeypatch, kind="compact", n=GAMES + 5, steps=8 if INTERPRETED else 300):
    """All public arrays of a batch, step by step."""
    monkeypatch.setattr(batches, "BLOCK", block)
    seen = []
    with batch(n=n, rounds=2, threads=threads, observation=kind, reward="shaped") as games:
        for _ in range(steps):
            games.step(games.random_actions())
            look = games.observations if kind == "compact" else games.observations["players"]
            parts = (games.states, games.masks, games.rewards, games.dones, games.actors, games.seeds, look)
            seen.append(hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest())
    return seen


@pytest.mark.parametrize("kind", ["compact", "tensor"])
def test_threads_and_blocks_make_no_difference(kind, monkeypatch):
    steps = 4 if INTERPRETED else 300 if kind == "compact" else 60
    one = played(1, 128, monkeypatch, kind, steps=steps)
    for threads, block in ((1, 1), (2, 2), (3, 4), (2, 128)):
        assert played(threads, block, monkeypatch, kind, steps=steps) == one, (threads, block)


def test_arrays_stay_the_same_and_can_be_given():
    n = 4
    given = {
        "actors": np.full(n, 9, np.int64),
        "masks": np.ones((n, ACTIONS), np.bool_),
        "rewards": np.ones((n, 6), np.float32),
        "dones": np.ones(n, np.bool_),
        "observations": np.full((n, WIDTH), 9, np.float32),
    }
    games = batch(n=n, arrays=given, observation="compact")
    own = batch(n=n, observation="compact")
    for _ in range(3):
        for name, array in given.items():
            assert getattr(games, name) is array
            assert (array == getattr(own, name)).all()
        games.step(games.random_actions())
        own.step(own.random_actions())


def test_tensors_can_be_written_into_given_tables():
    held = TensorArrays.empty(4)
    games = batch(n=4, observation="tensor", arrays={"planes": held.planes, "numbers": held.numbers})
    games.step(first_legal(games))
    assert same(games.observations, held.arrays)
    assert same(games.observe("tensor"), held.arrays)
    other = TensorArrays.empty(4)
    assert games.observe("tensor", out=other)["map"].base is not None
    assert same(other.arrays, held.arrays)


READER = """
import sys
from multiprocessing import shared_memory
import numpy as np
memory = shared_memory.SharedMemory(sys.argv[1], track=False) if sys.version_info >= (3, 13) else None
if memory is None:
    from multiprocessing import resource_tracker
    memory = shared_memory.SharedMemory(sys.argv[1])
    resource_tracker.unregister(memory._name, "shared_memory")  # it is not ours to remove
print(int(np.ndarray((int(sys.argv[2]),), np.int64, memory.buf).sum()))
"""


def test_another_process_reads_shared_memory():
    n = 6
    memory = shared_memory.SharedMemory(create=True, size=n * 8)
    try:
        games = batch(n=n, arrays={"actors": np.ndarray((n,), np.int64, memory.buf)})
        for _ in range(10):
            games.step(games.random_actions())
        command = [sys.executable, "-c", READER, memory.name, str(n)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert int(done.stdout) == games.actors.sum() == batch_actors(n)
        del games
        gc.collect()  # a view of shared memory keeps it from being closed
    finally:
        memory.close()
        memory.unlink()


def batch_actors(n):
    games = batch(n=n)
    for _ in range(10):
        games.step(games.random_actions())
    return games.actors.sum()


@pytest.mark.parametrize(
    ("says", "arrays"),
    [
        ("'mask' is not known with observation=None; allowed are 'actors', 'masks', 'rewards', 'dones'", {"mask": 0}),
        ("masks: a writable C-contiguous bool array of shape", {"masks": np.zeros((GAMES, ACTIONS), np.uint8)}),
        (r"dones: .* is needed, not bool of shape \(1,\)", {"dones": np.zeros(1, np.bool_)}),
        ("actors: .* not list", {"actors": [0] * GAMES}),
        ("not strided int64 of shape", {"actors": np.zeros(2 * GAMES, np.int64)[::2]}),
        ("not read-only bool of shape", {"dones": np.frombuffer(bytes(GAMES), np.bool_)}),
    ],
)
def test_arrays_that_do_not_fit_get_one_line(says, arrays):
    with pytest.raises(ValueError, match=says) as raised:
        batch(arrays=arrays)
    assert "\n" not in str(raised.value)


# Threads


def test_a_batch_that_is_closed_says_so():
    with batch(threads=2) as games:
        games.step(games.random_actions())
    games.close()
    with pytest.raises(RuntimeError, match="closed"):
        games.step(games.random_actions())


def test_threads_end_with_their_batch():
    before = set(threading.enumerate())  # those of other tests may end at any time
    games = batch(threads=3)
    games.step(games.random_actions())
    hands = [thread for thread in threading.enumerate() if thread not in before]
    assert [thread.name for thread in hands] == ["fujikoro-1", "fujikoro-2"]
    del games
    gc.collect()
    for thread in hands:
        thread.join(10)
        assert not thread.is_alive()


def test_what_goes_wrong_in_a_thread_is_raised():
    threads = ThreadPool(2)

    def work(hand):
        if hand == 1:
            raise KeyError("here")

    for _ in range(2):
        with pytest.raises(KeyError, match="here"):
            threads.run(work)
    threads.close()


def test_after_a_fork_the_threads_are_missed(monkeypatch):
    games = batch(threads=2)
    monkeypatch.setattr("os.getpid", lambda: -1)
    with pytest.raises(RuntimeError, match="do not survive a fork"):
        games.step(games.random_actions())
    games.close()


@pytest.mark.parametrize("copied", [deepcopy, pickle.dumps])
def test_a_batch_can_not_be_copied(copied):
    with pytest.raises(TypeError, match="can't be copied or pickled"):
        copied(batch())


def test_restarting_deals_anew_from_the_seed_or_in_the_row():
    games = batch(seed=5)
    before, seeds = games.states.tobytes(), games.seeds.copy()
    games.step(games.random_actions())
    games.restart()
    assert not (games.seeds == seeds).any()
    games.restart(5)
    assert games.states.tobytes() == before
    assert not games.rewards.any()


def test_playing_at_random_is_stepping_unobserved():
    games, other = batch(observation="compact"), batch(observation="compact")
    left = np.arange(games.n) % 4
    games.play_at_random(left)
    for done in range(3):
        other.step(np.where(left > done, other.random_actions(), WAITS))
    assert games.states.tobytes() == other.states.tobytes()
    assert (games.observations == other.observations).all()
    assert games.states[0].tobytes() != games.states[1].tobytes()
    games.play_at_random(2)
    assert (games.observations != other.observations).any(axis=1).all()


def test_observations_are_those_of_the_acting_player():
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
        ("observation 'smell': allowed are 'tensor', 'compact'", lambda: batch().observe("smell")),
        ("observation 'smell': allowed are 'tensor', 'compact'", lambda: batch(observation="smell")),
        ("threads=0: allowed are whole numbers from 1", lambda: batch(threads=0)),
        ("observers: one for each of the", lambda: batch().observe(observers=np.zeros(1))),
        ("below 3", lambda: batch().observe(observers=np.full(GAMES, 3))),
        ("observations: a writable C-contiguous float32", lambda: batch().observe(out=np.zeros((2, WIDTH)))),
        (
            "out: an object with the arrays planes and numbers is needed, not ndarray",
            lambda: batch().observe("tensor", out=np.zeros(3)),
        ),
        ("planes: a writable", lambda: batch().observe("tensor", out=TensorArrays.empty(GAMES + 1))),
        (r"shape \(1,\): one for each game", lambda: batch().step([0])),
    ],
)
def test_bad_input_is_explained(says, call):
    with pytest.raises(ValueError, match=says):
        call()

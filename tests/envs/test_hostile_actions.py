"""Actions that are not whole numbers, calls at the wrong time, and threads that share an environment: one clear error,
and nothing has changed."""

import copy
import pickle
import random
import threading
from typing import Any

import gymnasium
import numpy as np
import pytest

from fujikoro_env import BatchedGames, Game, IllegalActionError, InvalidActionError, Rules, fujikoro_v0
from fujikoro_env.actions import whole_action, whole_actions
from fujikoro_env.envs.batch import WAITS
from fujikoro_env.envs.gym import FujiKoro
from fujikoro_env.envs.one_seat import OneSeatGames
from fujikoro_env.envs.seats import SeatedGames, play_out
from fujikoro_env.envs.vector import FujiKoroVector
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.settings import RulesError
from tests.helpers.hostile import HOSTILE_INPUTS

ROUNDS = 2  # games of a fraction of a second
RULES = Rules(players=2, max_rounds=ROUNDS)


class Raising:
    """An object whose own code raises whatever is asked of it."""

    def __index__(self):
        raise SystemError("from __index__")

    def __array__(self, dtype=None, copy=None):
        raise MemoryError("from __array__")

    def __repr__(self):
        raise KeyError("from __repr__")


def nested(depth):
    inner: list[Any] = [0]
    for _ in range(depth):
        inner = [inner]
    return inner


NOT_WHOLE = [
    0.9,
    1.0,
    float("nan"),
    float("inf"),
    None,
    10**30,
    -(10**30),
    10**5000,
    True,
    False,
    np.bool_(True),
    np.array(True),
    np.float32(3),
    np.array(3.0),
    np.array([3]),
    np.array([[3]]),
    np.uint64(2**64 - 3),
    "3",
    b"3",
    "x" * 10_000,
    "\x1b[31m\x00",
    3 + 0j,
    (),
    [3],
    {3},
    {"action": 3},
    nested(3000),
    np.datetime64("2026-01-01"),
    object(),
    Raising(),
]
WHOLE = [0, 3, np.int8(3), np.uint16(3), np.int64(3), np.array(3), np.array(3, np.uint8), -1, ACTIONS]


def printable_line(error):
    assert "\n" not in str(error)
    assert str(error).isprintable()


def one_line(error):
    printable_line(error)
    assert len(str(error)) < 400


@pytest.mark.parametrize("number", range(len(NOT_WHOLE)))
def test_what_is_no_whole_number_is_refused(number):
    with pytest.raises(InvalidActionError, match="allowed are the whole numbers from 0 to 712") as raised:
        whole_action(NOT_WHOLE[number])
    one_line(raised.value)


@pytest.mark.parametrize("given", WHOLE, ids=repr)
def test_whole_numbers_of_any_type_are_taken(given):
    assert type(whole_action(given)) is int
    assert whole_action(given) == int(given)


MANY_NOT_WHOLE = [
    np.array([0.9, 0.9]),
    np.array([np.nan, 1]),
    np.array([True, False]),
    np.array([None, 1], object),
    np.array(["1", "2"]),
    np.array([2**64 - 3, 0], np.uint64),  # would be WAITS if it were converted
    [0.9, 0],
    [True, 0],
    [0, 10**30],
    [0, None],
    [[0, 1], [0]],
    nested(3000),
    None,
    0,
    0.9,
    "01",
    {0: 1},
    np.array([0]),
    np.array([0, 0, 0]),
    np.array([[0], [0]]),
    np.zeros((2, 0), int),
    [],
    Raising(),
    [Raising(), 0],
]


@pytest.mark.parametrize("number", range(len(MANY_NOT_WHOLE)))
def test_many_actions_are_whole_numbers_one_for_each_game(number):
    with pytest.raises(InvalidActionError) as raised:
        whole_actions(MANY_NOT_WHOLE[number], 2)
    one_line(raised.value)


def test_lists_and_arrays_of_any_integer_type_are_taken():
    read_only, unaligned = np.frombuffer(bytes([1, 0, 2, 0]), "i2"), np.zeros(17, np.uint8)[1:].view("i8")
    unaligned[:] = 1, 2
    swapped, strided = np.array([1, 2], ">i4"), np.array([1, 0, 2, 0])[::2]
    for given in ([1, 2], (np.int8(1), 2), np.array([1, 2], np.uint8), read_only, unaligned, swapped, strided):
        actions = whole_actions(given, 2)
        assert actions.tolist() == [1, 2]
        assert actions.dtype == np.int64
        assert actions.flags.carray


# Every border


def one_game():
    game = Game(RULES, seed=1)
    return game.step, game.digest


def raw():
    env = fujikoro_v0.raw_env(players=2, illegal="terminate", observation="compact")
    env.reset(seed=1)
    return env.step, lambda: (env.game.digest(), env.terminations)


def wrapped():
    env = fujikoro_v0.env(players=2)
    env.reset(seed=1)
    return env.step, lambda: env.game.digest()


def one_learner():
    env = gymnasium.make("FujiKoro-v0", players=2, disable_env_checker=True)
    env.reset(seed=1)
    inner: Any = env.unwrapped
    return env.step, lambda: inner.game.digest()


SINGLE = [one_game, raw, wrapped, one_learner]


@pytest.mark.parametrize("make", SINGLE)
def test_games_and_environments_refuse_them_and_stay_as_they_are(make):
    step, state = make()
    before = state()
    for given in NOT_WHOLE:
        with pytest.raises(InvalidActionError) as raised:
            step(given)
        one_line(raised.value)
        assert state() == before


def test_names_of_actions_need_whole_numbers_too():
    game = Game(RULES, seed=1)
    for given in [*NOT_WHOLE, -1, ACTIONS]:
        with pytest.raises(InvalidActionError):
            game.action_name(given)


def a_batch():
    games = BatchedGames(RULES, n=2, seed=1)
    return games, games.step


def learners():
    games = OneSeatGames(RULES, n=2, seed=1)
    games.reset()
    return games.games, games.step


def a_vector():
    envs = FujiKoroVector(2, players=2, max_rounds=ROUNDS)
    envs.reset(seed=1)
    return envs.learners.games, envs.step


def seated():
    games = SeatedGames(RULES, n=2, seed=1)
    return games.games, games.step


def a_vec_env():
    sb3 = pytest.importorskip("fujikoro_env.envs.sb3")
    env = sb3.FujiKoroVecEnv(n=2, seed=1, players=2, max_rounds=ROUNDS)
    env.reset()
    return env.games, env.step


BATCHES = [a_batch, learners, a_vector, seated, a_vec_env]


@pytest.mark.parametrize("make", BATCHES)
def test_batches_refuse_them_and_stay_as_they_are(make):
    games, step = make()
    before = games.states.tobytes()
    for given in MANY_NOT_WHOLE:
        with pytest.raises((InvalidActionError, RuntimeError)) as raised:
            step(given)
        assert isinstance(raised.value, InvalidActionError) or given is None
        one_line(raised.value)
        assert games.states.tobytes() == before


@pytest.mark.parametrize("make", BATCHES[1:])
def test_a_learner_can_not_wait(make):
    games, step = make()
    before = games.states.tobytes()
    with pytest.raises(InvalidActionError, match="must decide"):
        step(np.full(2, WAITS))
    assert games.states.tobytes() == before


@pytest.mark.parametrize("answer", [WAITS, 0.9, True])
def test_a_policy_that_waits_or_gives_no_whole_number_is_refused(answer):
    def bad(_games, which):
        return np.full(len(which), answer)

    with pytest.raises(InvalidActionError):
        OneSeatGames(RULES, n=2, seat=1, opponents=bad).reset()
    with pytest.raises(InvalidActionError):
        play_out(RULES, [1, 2], [bad], np.zeros((2, 2), np.int64))


# Before the first reset, and after the end


def first_action(mask):
    return int(np.argmax(mask))


def test_a_game_that_is_over_says_so():
    game = Game(RULES, seed=1)
    while not game.over:
        game.step(first_action(game.legal_mask()))
    for action in (0, -1, ACTIONS):
        with pytest.raises(IllegalActionError, match="is not legal because the game is over") as raised:
            game.step(action)
        one_line(raised.value)


def test_a_stopped_game_of_a_batch_says_so():
    games = BatchedGames(RULES, n=2, seed=1, stop=True)
    while not games.over.all():
        games.step(games.random_actions())
    with pytest.raises(IllegalActionError, match="game 1: yes is not legal because the game is over"):
        games.step([WAITS, 0])
    games.step([WAITS, WAITS])


def test_a_closed_batch_says_so():
    games = BatchedGames(RULES, n=2)
    games.close()
    with pytest.raises(RuntimeError, match="this batch of games is closed"):
        games.step(games.random_actions())


def test_a_raw_environment_says_so():
    env = fujikoro_v0.raw_env(players=2, max_rounds=ROUNDS, observation="compact")
    for call in (lambda: env.step(0), env.state, lambda: env.observe("samurai_0")):
        with pytest.raises(AttributeError, match=r"there is no game yet: call reset\(\) first"):
            call()
    env.reset(seed=1)
    while not env.game.over:
        env.step(first_action(env.game.legal_mask()))
    with pytest.raises(InvalidActionError, match="action 0: the game is over, so the only allowed action is None"):
        env.step(0)
    for _ in env.possible_agents:
        env.step(None)
    for action in (None, 0):
        with pytest.raises(RuntimeError, match=r"the game is over, and all agents have left: call reset\(\)"):
            env.step(action)


def test_a_gymnasium_environment_says_so():
    env = FujiKoro(players=2, max_rounds=ROUNDS)
    with pytest.raises(AttributeError, match="there is no game yet"):
        env.step(0)
    env.reset(seed=1)
    while not env.game.over:
        env.step(first_action(env.action_masks()))
    with pytest.raises(RuntimeError, match="the episode is over: call reset"):
        env.step(0)


def test_games_with_learners_say_so():
    for games in (OneSeatGames(RULES, n=2), FujiKoroVector(2, players=2)):
        with pytest.raises(RuntimeError, match="there is no game yet: call reset"):
            games.step(np.zeros(2, np.int64))


def test_a_vec_env_needs_actions_for_each_step():
    games, step = a_vec_env()
    step(games.masks.argmax(axis=1))
    with pytest.raises(RuntimeError, match="call step_async"):
        step.__self__.step_wait()


# Threads


def refused_in_another_thread(call):
    """The message of the error that a call raises in another thread."""
    said = []

    def run():
        try:
            call()
        except RuntimeError as error:
            said.append(str(error))

    other = threading.Thread(target=run)
    other.start()
    other.join()
    return said


ANOTHER = ["another thread is using this {}: give each thread its own"]


def test_a_second_thread_on_a_batch_is_refused():
    told = [ANOTHER[0].format("batch of games")]
    games = BatchedGames(RULES, n=2, observation="compact")
    actions = games.random_actions()
    before = games.states.tobytes()
    assert games.guard.take()  # as if this thread were inside a step
    calls = [
        lambda: games.step(actions),
        games.random_actions,
        games.update_observations,
        games.restart,
        games.observe,
        games.snapshot,
        lambda: games.play_at_random(3),
        lambda: games.deal([1, 2]),
    ]
    assert [refused_in_another_thread(call) for call in calls] == [told] * len(calls)
    assert games.states.tobytes() == before
    games.guard.release()
    assert refused_in_another_thread(lambda: games.step(actions)) == []


@pytest.mark.parametrize("make", [fujikoro_v0.raw_env, fujikoro_v0.env, FujiKoro])
def test_a_second_thread_on_an_environment_is_refused(make):
    env = make(players=2)
    env.reset(seed=1)
    assert env.guard.take()
    assert refused_in_another_thread(lambda: env.step(0)) == [ANOTHER[0].format("environment")]
    assert refused_in_another_thread(env.reset) == [ANOTHER[0].format("environment")]
    env.guard.release()
    assert refused_in_another_thread(env.reset) == []


def test_an_error_does_not_lock_a_batch():
    games = BatchedGames(RULES, n=2)
    with pytest.raises(InvalidActionError):
        games.step(None)
    assert refused_in_another_thread(lambda: games.step(games.random_actions())) == []


def test_copies_of_an_environment_are_guarded_apart():
    env = fujikoro_v0.raw_env(players=2)
    env.reset(seed=1)
    assert env.guard.take()
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert refused_in_another_thread(other.reset) == []


# At length: `make fuzz`


def hostile_value(luck):
    """Any value: mostly none that is an action."""
    kinds = [
        lambda: luck.choice(NOT_WHOLE + MANY_NOT_WHOLE),
        lambda: luck.uniform(-1e3, 1e3),
        lambda: luck.getrandbits(luck.randrange(1, 200)) - luck.getrandbits(luck.randrange(1, 200)),
        lambda: np.frombuffer(luck.randbytes(16), luck.choice(["i8", "u8", "f8", "?", "i4", "f2", "S4", "c8"])),
        lambda: np.array(luck.randrange(-5, 1000), luck.choice(["i2", "i8", "f4", "?", "O"])),
        lambda: "".join(chr(luck.randrange(0x250)) for _ in range(luck.randrange(300))),
        lambda: [luck.choice([True, 0.5, luck.randrange(-5, 800), None, "1"]) for _ in range(luck.randrange(4))],
    ]
    return luck.choice(kinds)()


@pytest.mark.long
@pytest.mark.parametrize("make", [*SINGLE, *BATCHES])
def test_any_value_is_an_error_or_a_legal_action(make, record_property):
    luck, inputs, place = random.Random(24), 3000, int(make in BATCHES)
    step = make()[place]
    for _ in range(inputs):
        try:
            step(hostile_value(luck))
        except (InvalidActionError, IllegalActionError) as error:
            printable_line(error)
        except RuntimeError as error:  # the game is over, or None was given to step_async
            printable_line(error)
            step = make()[place]
    record_property(HOSTILE_INPUTS, inputs)


SETTINGS = (
    "players",
    "mode",
    "characters",
    "scenario",
    "peaceful",
    "final_at",
    "max_rounds",
    "monk_to_pack",
    "unknown",
)
NOT_SETTINGS = [10**5000, "x" * 5000, "\x1b[31m\x00", Raising(), nested(5000), [Raising()], object()]


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_any_value_are_refused_in_one_line(name, record_property):
    for value in NOT_SETTINGS:
        with pytest.raises(RulesError) as refused:
            Rules(**{name: value})
        printable_line(refused.value)
        assert len(str(refused.value)) < 600  # 200 of the value, and all names that are allowed
    record_property(HOSTILE_INPUTS, len(NOT_SETTINGS))


# Other arguments


WRONG_CALLS = {
    "game by text": lambda games: games.game("1"),
    "game beyond the last": lambda games: games.game(2),
    "outcome of half a game": lambda games: games.outcome(0.5),
    "seeds that are not whole": lambda games: games.deal([0.5, 1.5]),
    "seeds that are too large": lambda games: games.deal([10**30, 1]),
    "a mask of games": lambda games: games.deal([1, 2], [True, False]),
    "infinite games": lambda games: games.observe_some([float("inf")]),
    "observers that are not whole": lambda games: games.observe(observers=[0.0, 1.0]),
    "half a decision": lambda games: games.play_at_random(0.5),
    "too many decisions": lambda games: games.play_at_random(10**30),
    "an empty snapshot": lambda games: games.restore({}),
}


@pytest.mark.parametrize("call", WRONG_CALLS.values(), ids=WRONG_CALLS)
def test_arguments_of_batches_are_checked(call):
    with BatchedGames(RULES, n=2, seed=1) as games:
        before = games.states.tobytes()
        with pytest.raises((ValueError, IndexError)) as raised:
            call(games)
        one_line(raised.value)
        assert games.states.tobytes() == before


def test_observations_of_no_games_are_empty():
    with BatchedGames(RULES, n=2, seed=1) as games:
        assert len(games.observe_some([])) == 0


@pytest.mark.parametrize("ask", [lambda env: env.last(), lambda env: env.state(), lambda env: env.mask_of(0)])
def test_calls_before_the_first_reset_say_so(ask):
    with pytest.raises(AttributeError, match="there is no game yet"):
        ask(fujikoro_v0.raw_env())


@pytest.mark.parametrize("ask", ["observe", "observation_space", "action_space"])
def test_unknown_agents_are_named(ask):
    env = fujikoro_v0.raw_env(players=2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="agent 'nobody': allowed are samurai_0, samurai_1"):
        getattr(env, ask)("nobody")

"""A game that was built by following docs/architecture.md: all that the kernel gives, it has."""

import ast
import copy
import pickle
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from pettingzoo.test.api_test import api_test

from fujikoro_env import InvalidActionError, SavedGameError
from fujikoro_env.kernel import records
from fujikoro_env.kernel.declared import find_game
from fujikoro_env.kernel.entries import entries_of
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.kernel.settings import RulesError
from fujikoro_env.kernel.simple_rules import NoTables, SimpleRules
from tests.helpers.processes import run
from tests.kernel.toy_game import game as python_side
from tests.kernel.toy_game import rules as compiled_side
from tests.kernel.toy_game.game import OBSERVATIONS, BatchedGames, Game, PigEnv, Rules
from tests.kernel.toy_game.rules import ENGINE, RULES, Frame, Settings

PLAYED = [(Rules(players=players, goal=20 * players), seed) for players in (2, 3, 4) for seed in (1, 2)]


def play_at_random(game, seed, decisions=10**6):
    luck = np.random.default_rng(seed)
    for _ in range(decisions):
        if game.over:
            return
        game.step(int(luck.choice(game.legal_actions())))


def digests():
    games = []
    for rules, seed in PLAYED:
        game = Game(rules, seed)
        play_at_random(game, seed, 40)
        seen = game.observe(1, "compact").tobytes().hex()
        games.append((game.digest(), game.view(0).digest(), game.determinize(0, 7).digest(), seen))
    return games


@pytest.mark.parametrize(("rules", "seed"), PLAYED)
def test_random_games_end_with_one_winner(rules, seed):
    game = Game(rules, seed)
    play_at_random(game, seed)
    assert [score >= rules.goal for score in game.scores].count(True) == 1
    assert not game.legal_mask().any()
    assert game.outcome is not None
    assert (game.outcome.scores, game.outcome.ranking.count(1)) == (game.scores, 1)
    assert game.outcome.ranking[game.outcome.winners[0]] == 1


@pytest.mark.skipif(INTERPRETED, reason="compares compiled code with plain Python")
def test_compiled_games_equal_plain_python():
    code = "from tests.kernel.test_toy_game import digests; print(digests())"
    assert run("-c", code, NUMBA_DISABLE_JIT="1").strip() == str(digests())


@pytest.mark.parametrize("kind", ["compact", "tensor"])
def test_a_batch_equals_single_games(kind):
    batch = BatchedGames(Rules(players=3), n=9, seed=4, observation=kind, threads=2, stop=True)
    games = [Game(batch.rules, int(seed)) for seed in batch.seeds]
    paid = np.zeros((batch.n, 4))
    with batch:
        while not batch.over.all():
            for number, game in enumerate(games):
                assert game.actor == batch.actors[number]
                assert (game.legal_mask() == batch.masks[number]).all()
            assert_same(batch.observations, [game.observe(max(game.actor, 0), kind) for game in games], batch.over)
            actions = batch.random_actions()
            batch.step(actions)
            paid += batch.rewards
            for game, action in zip(games, actions, strict=True):
                if not game.over:
                    game.step(int(action))
    assert np.allclose(paid.sum(axis=1), 0)
    for number, game in enumerate(games):
        assert batch.scores[number, :3].tolist() == list(game.scores)
        assert paid[number, :3].argmax() == batch.ranks[number, :3].argmin() == np.argmax(game.scores)


def assert_same(seen, expected, over):
    for number in np.flatnonzero(~over):
        one = expected[number]
        for name, array in one.items() if isinstance(one, dict) else ():
            assert (seen[name][number] == array).all()
        assert isinstance(one, dict) or (seen[number] == one).all()


@pytest.mark.filterwarnings("ignore:Observation:UserWarning")  # dictionaries are allowed, but not expected
@pytest.mark.parametrize("observation", ["compact", "tensor"])
def test_pettingzoo(observation, capsys):
    api_test(PigEnv(players=3, observation=observation), num_cycles=200)
    env = PigEnv(observation=observation)
    env.reset(seed=5)
    for agent in env.agent_iter():
        seen, _, over, _, _ = env.last()
        assert env.observation_space(agent).contains(seen)
        env.step(None if over else int(np.flatnonzero(seen["action_mask"])[-1]))  # type: ignore[index]


def test_gymnasium():
    env = gymnasium.make("Pig-v0", players=3, opponents="random", seat="random")
    for seed in range(3):
        _, info = env.reset(seed=seed)
        total, is_over = 0.0, False
        while not is_over:
            _, reward, is_over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
            total += float(reward)
        assert total in (1, -0.5)


def test_an_environment_can_be_copied_in_the_middle_of_a_game():
    env = PigEnv(players=2, observation="compact")
    env.reset(seed=2)
    for _ in range(7):
        env.step(0)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for one in (env, *copies):
        while one.agents and one.asked >= 0:
            one.step(int(np.flatnonzero(one.mask_of(one.asked))[-1]))
    assert [one.game.digest() for one in copies] == [env.game.digest()] * 2
    assert [one.rewards for one in copies] == [env.rewards] * 2


def test_saved_games_views_and_bad_input():
    game = Game(Rules(players=2), seed=3)
    play_at_random(game, 3, 9)
    for other in (Game.from_bytes(game.to_bytes()), pickle.loads(pickle.dumps(game)), game.clone()):
        assert (other.digest(), other.legal_actions().tolist()) == (game.digest(), game.legal_actions().tolist())
    assert game.view(0).digest() != game.digest()
    assert game.view(1).determinize(1, 8).digest() == game.determinize(1, 8).digest()
    broken = game.clone()
    broken.state.scores[1] = -1
    with pytest.raises(SavedGameError, match=r"scores\[1\] is -1, allowed is 0 to 1998"):
        Game.from_bytes(broken.to_bytes())
    with pytest.raises(RulesError, match="players=5: allowed are the numbers 2 to 4"):
        Rules(players=5)
    with pytest.raises(InvalidActionError, match="allowed are the whole numbers from 0 to 1"):
        game.step(0.5)  # type: ignore[arg-type]


def test_it_is_found_by_its_name():
    declared = find_game("pig")
    game = declared.make_game(declared.make_rules(players=4), 1)
    assert declared.batch_class is BatchedGames
    assert declared.space("compact").shape == (OBSERVATIONS.width,)
    assert declared.agents.make("random").act(game.view(game.actor)) in game.legal_actions()
    assert "tests.kernel.toy_game" in sys.modules


# --- what the page says of it, and what it tells people who forget a step ---------------------------------------------


def test_it_is_as_short_as_the_page_says():
    page = Path(__file__).parents[2] / "docs" / "architecture.md"
    assert "in less than 150 lines without imports,\ndocstrings and empty lines" in page.read_text(encoding="utf-8")
    assert sum(map(lines_of_code, (python_side, compiled_side))) < 150


def lines_of_code(module):
    text = Path(module.__file__).read_text(encoding="utf-8")
    left_out = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            left_out |= set(range(node.lineno, (node.end_lineno or 0) + 1))
    return sum(bool(line.strip()) and number not in left_out for number, line in enumerate(text.split("\n"), 1))


@records.record
class NoFault:
    """A record without `fault`."""

    settings: Settings = records.one(Settings)
    reason: int = records.i16()
    depth: int = records.i16()
    stack: Any = records.many(Frame, 2)


def test_a_field_of_the_kernel_that_is_missing_is_named():
    with pytest.raises(TypeError, match=r"NoFault lacks fault: the kernel needs settings, reason, fault, depth, stack"):
        entries_of(__file__, NoFault, NoTables, ENGINE, RULES)


@records.record
class Boundless:
    """Settings without upper bounds."""

    players: int = records.i16()


@dataclass(frozen=True)
class BoundlessRules(SimpleRules):
    """Rules with such settings."""

    record: ClassVar[type[Any]] = Boundless


@dataclass(frozen=True)
class StrangeRules(SimpleRules):
    """Rules with a setting that the record does not have."""

    hats: int = 1
    record: ClassVar[type[Any]] = Settings


@pytest.mark.parametrize(
    ("rules", "told"),
    [(BoundlessRules, "setting players: Boundless needs"), (StrangeRules, "setting hats: Settings needs")],
)
def test_settings_need_a_field_with_a_bound(rules, told):
    with pytest.raises(TypeError, match=told):
        rules()

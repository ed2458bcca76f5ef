"""The decision level `plans`: what it asks, how it describes the choices, and that choice 0 is the script's."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test.api_test import api_test
from pettingzoo.test.seed_test import seed_test

from fujikoro_agents.plans.following import TO_CRAFT_GEAR, TO_HIDE
from fujikoro_agents.plans.level import PHASES, Plans
from fujikoro_agents.plans.tables import CHOICES, COLUMNS, FEATURES, SUMMARY
from fujikoro_agents.scripted.aims import DEEDS_OF_SPACE
from fujikoro_env import BatchedGames, Game, Rules, fujikoro_v0
from fujikoro_env.actions import InvalidActionError
from fujikoro_env.envs.batch import WAITS
from fujikoro_env.envs.levels import MAKERS, LevelError, level_names, level_spaces, make_level, register_level
from fujikoro_env.envs.policies import batch_policy, begin_games
from fujikoro_env.envs.seats import LEARNER, SeatedGames
from fujikoro_env.game import IllegalActionError
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import geometry
from tests.helpers.plan_sample import lines
from tests.helpers.processes import run

KINDS = [
    pytest.param({"players": 4}, id="four"),
    pytest.param({"players": 3, "characters": "random", "adventure_tokens": True}, id="characters"),
    pytest.param({"mode": "coop", "players": 2}, id="co-op"),
    pytest.param({"mode": "solo"}, id="solo"),
]
FIRST = np.zeros(1, np.int64)


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    """The level is there without an installation of this checkout."""
    monkeypatch.setitem(MAKERS, "plans", Plans)


# --- choice 0 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_choice_0_plays_as_the_script_decision_by_decision(kind):
    rules = Rules(**kind)
    games = BatchedGames(rules, n=6, seed=5)
    script = batch_policy("band" if rules.is_coop else "runner")
    every, table = np.arange(6), Plans().table(6)
    table.begin(every, games.seeds)
    for seat in range(rules.players):
        begin_games(script, games, every, np.full(6, seat))
    for _ in range(250):
        table.list_choices(games.compiled, every)
        actions = table.carry_out(games.compiled, every, np.zeros(6, np.int64))
        assert (actions == script.act(games, every)).all()
        games.step(actions)
        if games.dones.any():
            break


def test_a_game_by_choice_0_is_the_game_of_runners():
    env = fujikoro_v0.env(decisions="plans", observation="compact", players=2)
    env.reset(seed=11)
    decisions = 0
    while not env.game.over:
        env.step(0)
        decisions += 1
    script, games = batch_policy("runner"), BatchedGames(Rules(players=2), n=1, stop=True)
    games.deal([11])
    for seat in range(2):
        begin_games(script, games, [0], [seat])
    steps = 0
    while not games.over[0]:
        games.step(script.act(games, [0]))
        steps += 1
    assert games.scores[0, :2].tolist() == list(env.game.scores)
    assert 20 < decisions / 2 < 80 < steps / 2


# --- environments ---------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
def test_pettingzoo_tests():
    api_test(fujikoro_v0.env(decisions="plans", observation="compact", players=3), num_cycles=60)
    seed_test(lambda: fujikoro_v0.env(decisions="plans", observation="compact", players=2), num_cycles=30)


def test_gymnasium_test():
    env: Any = gymnasium.make("FujiKoro-v0", decisions="plans", players=2, opponents="runner")
    assert env.action_space.n == CHOICES
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("observation", ["compact", "tensor"])
def test_a_gymnasium_episode(observation):
    env: Any = gymnasium.make(
        "FujiKoro-v0",
        decisions="plans",
        players=2,
        opponents="runner",
        seat=1,
        observation=observation,
        illegal="raise",
    )
    seen, info = env.reset(seed=4)
    luck, terminated, total, steps = np.random.default_rng(1), False, 0.0, 0
    while not terminated:
        assert seen in env.observation_space
        assert env.unwrapped.game.actor == 1
        assert (env.unwrapped.action_masks() == info["action_mask"]).all()
        choice = luck.choice(np.flatnonzero(info["action_mask"]))
        seen, reward, terminated, _, info = env.step(choice)
        total += reward
        steps += 1
    assert total in (-1, 0, 1)
    assert 10 < steps < 150


def test_copies_go_on_alike():
    env = fujikoro_v0.raw_env(decisions="plans", observation="compact", players=2)
    env.reset(seed=2)
    for _ in range(9):
        env.step(int(env.mask_of(env.asked).sum()) - 1)
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(12):
        choice = int(env.mask_of(env.asked).sum()) // 2
        for one in (env, *others):
            one.step(choice)
    for other in others:
        assert other.game.digest() == env.game.digest()
        assert (other.observe("samurai_0")["choices"] == env.observe("samurai_0")["choices"]).all()


def test_rewards_of_a_chain_are_added_up():
    env = fujikoro_v0.raw_env(decisions="plans", observation="compact", players=2, reward="vp")
    env.reset(seed=3)
    total = dict.fromkeys(env.agents, 0.0)
    while not env.game.over:
        env.step(0)
        total = {agent: total[agent] + env.rewards[agent] for agent in total}
    assert [total[f"samurai_{seat}"] for seat in range(2)] == list(env.game.scores)


# --- batches --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_masks_are_never_empty_and_features_are_within_bounds(kind):
    games = BatchedGames(Rules(**kind), n=12, seed=3, decisions="plans:phases=find+retreat+join")
    spaces, table = level_spaces(Plans()), games.level_table
    assert table is not None
    for _ in range(60):
        assert games.masks.any(axis=1).all()
        assert (games.masks.sum(axis=1) == table.counts).all()
        assert (table.counts >= 2).all()
        assert np.isfinite(table.features).all()
        assert all(rows in spaces["choices"] for rows in table.features)
        assert all(row in spaces["summary"] for row in table.summaries)
        assert (table.features[:, 0, COLUMNS["usual"]] == 1).all()
        assert (table.features[:, 1:, COLUMNS["usual"]] == 0).all()
        assert not table.features[~games.masks].any()
        games.step(games.random_actions())


def test_a_batch_plays_the_games_of_single_environments():
    games = BatchedGames(Rules(players=2), n=3, decisions="plans", stop=True)
    games.deal([5, 6, 7])
    envs = [fujikoro_v0.raw_env(decisions="plans", observation="compact", players=2) for _ in range(3)]
    for env, seed in zip(envs, [5, 6, 7], strict=True):
        env.reset(seed=seed)
    while not games.over.all():
        choices = np.where(games.over, WAITS, games.masks.sum(axis=1) // 3)
        for env, choice, over in zip(envs, choices, games.over, strict=True):
            if not over:
                env.step(int(choice))
        games.step(choices)
        for k, env in enumerate(envs):
            assert games.over[k] == env.game.over
            if not games.over[k]:
                assert (games.masks[k] == env.mask_of(env.asked)).all()
    assert [list(env.game.scores) for env in envs] == games.scores[:, :2].tolist()


def test_finished_games_are_dealt_anew_and_rewarded():
    games = BatchedGames(Rules(players=2, max_rounds=2), n=8, seed=1, decisions="plans", observation="compact")
    ended = 0
    for _ in range(30):
        games.step(games.random_actions())
        ended += int(games.dones.sum())
        over = np.flatnonzero(games.dones)
        assert (np.abs(games.rewards[over].sum(axis=1)) < 1e-6).all()
        assert not games.rewards[~games.dones].any()
        assert all(games.outcome(game) is not None for game in over.tolist())
        assert (games.observations == games.observe("compact")).all()
    assert ended > 8


def test_same_seeds_same_games_and_snapshots():
    one, two = (BatchedGames(Rules(players=3), n=5, seed=8, decisions="plans") for _ in range(2))
    for _ in range(20):
        one.step(one.random_actions())
        two.step(two.random_actions())
    assert (one.states == two.states).all()
    kept = one.snapshot()
    for _ in range(15):
        one.step(one.random_actions())
    two.restore(kept)
    assert (two.masks.any(axis=1)).all()
    for _ in range(15):
        two.step(two.random_actions())
    assert one.states.tobytes() == two.states.tobytes()
    assert one.level_table is not None
    assert two.level_table is not None
    assert (one.level_table.features == two.level_table.features).all()


def test_learners_at_the_level_play_with_other_policies():
    seating = np.array([[LEARNER, 0], [0, LEARNER], [LEARNER, LEARNER]])
    table = SeatedGames(Rules(players=2), 3, 4, ["runner"], seating, decisions="plans")
    plain = SeatedGames(Rules(players=2), 3, 4, ["runner"], np.zeros((3, 2), np.int64))
    asked = 0
    for _ in range(300):
        asked += len(table.asked)
        assert table.masks.shape == (len(table.asked), CHOICES)
        assert table.features.shape == (len(table.asked), CHOICES, len(FEATURES))
        assert table.summaries.shape == (len(table.asked), len(SUMMARY))
        table.step(np.zeros(len(table.asked), np.int64))
        plain.step()
    assert table.games.states.tobytes() == plain.games.states.tobytes()
    assert 60 < asked < 300


def test_a_snapshot_of_learners_at_the_level():
    def made():
        return SeatedGames(Rules(players=2), 4, 4, ["runner"], np.array([[LEARNER, 0]] * 4), decisions="plans")

    def play(table, steps):
        for _ in range(steps):
            table.step(table.masks.sum(axis=1) // 2)

    one, two = made(), made()
    play(one, 50)
    two.restore(one.snapshot())
    play(one, 50)
    play(two, 50)
    assert one.games.states.tobytes() == two.games.states.tobytes()


# --- choices --------------------------------------------------------------------------------------------------------


def table_at(game, phases="none"):
    table = Plans(phases).table(1)
    table.begin([0], np.array([1]))
    table.list_choices(game.compiled, [0])
    return table


def questions(rules, seed, number):
    """Positions at which there is a question, on the way of random choices, with their tables."""
    env = fujikoro_v0.raw_env(decisions="plans", observation="compact", **rules)
    env.reset(seed=seed)
    luck = np.random.default_rng(seed)
    for _ in range(number):
        if env.game.over:
            return
        yield env
        env.step(luck.choice(np.flatnonzero(env.mask_of(env.asked))))


@pytest.mark.parametrize("kind", KINDS)
def test_hidden_information_does_not_change_the_choices(kind):
    for env in questions(kind, 6, 25):
        game = env.game
        told = table_at(game)
        for other in (game.view(game.actor), game.determinize(game.actor, 99)):
            found = table_at(other)
            assert (found.features == told.features).all()
            assert (found.summaries == told.summaries).all()
            assert found.describe(other) == told.describe(game)


def test_listing_changes_nothing():
    for env in questions({"players": 4}, 2, 20):
        before = env.game.to_bytes()
        table = table_at(env.game)
        first = table.features.copy()
        table.list_choices(env.game.compiled, [0])
        assert env.game.to_bytes() == before
        assert (table.features == first).all()


@pytest.mark.parametrize("kind", KINDS)
def test_every_plan_is_explained_and_different(kind):
    for env in questions(kind, 7, 40):
        texts = env.describe()
        assert len(texts) == int(env.mask_of(env.asked).sum())
        assert texts[0].startswith("as band would: " if env.game.rules.is_coop else "as runner would: ")
        assert all(texts)
        assert len(set(texts)) == len(texts)


def test_a_goal_is_reached_and_the_deed_is_done():
    """A plan to gather somewhere else is followed until the samurai stands there, if it is chosen again."""
    done = 0
    for env in questions({"players": 2}, 9, 60):
        gathers = env.level_game.observe(env.game, env.asked)["choices"][:, COLUMNS["gather"]]
        near = [text for text in env.describe()[1:] if text.startswith("gather") and "1 step away" in text]
        if near and gathers.any():
            branch, seat = copy.deepcopy(env), env.asked
            where = near[0].split(" at ")[1].split(",")[0]
            branch.step(env.describe().index(near[0]))
            at = int(branch.game.state.players[seat].at)
            if branch.asked == seat:
                assert geometry().space_names[at] == where
                done += 1
    assert done > 3


def test_crafting_a_gear_lays_cubes_on_it():
    laid = 0
    for env in questions({"players": 2}, 12, 60):
        for gear, name in enumerate(("helmet", "weapon", "sandals")):
            text = f"rest and lay all cubes on the {name}"
            if text in env.describe():
                branch, seat = copy.deepcopy(env), env.asked
                before = cubes_on(env.game, seat, gear)
                branch.step(env.describe().index(text))
                assert cubes_on(branch.game, seat, gear) > before or branch.game.over
                laid += 1
    assert laid > 5


def cubes_on(game, seat, gear):
    return sum(int(cells).bit_count() for cells in game.state.players[seat].gear[gear].cubes)


def test_phases_of_the_setting_have_their_legal_answers_as_choices():
    level = Plans("explore_turn+monk_spot")
    table, game, seen = level.table(1), Game(Rules(players=2), seed=1), set()
    table.begin([0], np.array([1]))
    luck = np.random.default_rng(0)
    while not game.over:
        table.list_choices(game.compiled, [0])
        count = int(table.counts[0])
        if count > 1:
            seen.add(game.phase)
        if count > 1 and game.phase != Phase.ACTION:
            legal = game.legal_actions().tolist()
            answers = [int(copy.deepcopy(table).carry_out(game.compiled, [0], FIRST + k)[0]) for k in range(count)]
            assert sorted(answers) == sorted(legal)
            assert table.features[0, :count, COLUMNS["answer"]].all()
        choice = luck.integers(count)
        game.step(int(table.carry_out(game.compiled, [0], FIRST + choice)[0]))
    assert seen == {Phase.ACTION, Phase.EXPLORE_TURN, Phase.MONK_SPOT}


@pytest.mark.slow
def test_plain_python_lists_the_same_choices():
    assert run("-m", "tests.helpers.plan_sample", NUMBA_DISABLE_JIT="1").splitlines() == list(lines())


# --- errors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("moves", "allowed are 'primitive', 'plans'"),
        (7, "allowed are 'primitive', 'plans'"),
        ("plans:phases=lunch", "phase 'lunch': allowed are none, or joined by +: monk_spot"),
        ("plans:depth=2", "depth"),
        ("plans:phases", "parameters are written name=value"),
    ],
)
def test_a_wrong_level_gets_one_line(name, said):
    with pytest.raises(LevelError, match=r".") as caught:
        make_level(name)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_levels_are_registered_by_name():
    assert "plans" in level_names()
    assert make_level("primitive") is None
    assert Plans("find").name == "plans:phases=find"
    with pytest.raises(LevelError, match="without a colon"):
        register_level("a:b")
    assert "action" not in PHASES


def test_wrong_choices_change_nothing():
    env = fujikoro_v0.raw_env(decisions="plans", observation="compact", players=2)
    env.reset(seed=1)
    before = env.game.digest()
    for wrong in (CHOICES, -1, 15):
        with pytest.raises(IllegalActionError, match="as runner would"):
            env.step(wrong)
    with pytest.raises(InvalidActionError, match="0 to 15"):
        env.step(0.5)
    assert env.game.digest() == before
    games = BatchedGames(Rules(players=2), n=2, decisions="plans")
    with pytest.raises(IllegalActionError, match="game 1: choice 15"):
        games.step([0, 15])
    table = SeatedGames(Rules(players=2), 2, decisions="plans")
    while not len(table.asked):
        table.step()
    with pytest.raises(IllegalActionError, match="choice 15"):
        table.step(np.full(len(table.asked), 15))


def test_an_illegal_choice_can_end_the_game():
    env = fujikoro_v0.raw_env(decisions="plans", observation="compact", players=2, illegal="terminate")
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(15)
    assert all(env.truncations.values())
    assert env.rewards[offender] == -1


def test_deeds_fit_into_an_aim():
    assert TO_HIDE < TO_CRAFT_GEAR
    assert TO_CRAFT_GEAR + 3 <= DEEDS_OF_SPACE

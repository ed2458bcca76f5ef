"""Value networks: compiled forward passes against PyTorch, features, files, and agents that look ahead with them."""

import json
import re
from typing import Any, cast

import numpy as np
import pytest

from fujikoro_agents.forward import dense_of_legal, layer_size, packed
from fujikoro_agents.scripted.batch_policy import ScriptedPolicy
from fujikoro_agents.scripted.evaluation import FEATURES
from fujikoro_agents.scripted.known_fights import KnownFights
from fujikoro_agents.scripted.ladder import Players, play_games
from fujikoro_agents.scripted.lookahead import DEALS, SEEDS
from fujikoro_agents.scripted.skills import BAND, RUNNER, SENSEI, SHOGUN
from fujikoro_agents.values import file as value_file
from fujikoro_agents.values.agent import Sensei, ValueAgent
from fujikoro_agents.values.features import BLOCK, FEATURES_OF_PLAYER, FEATURES_OF_TABLE, TABLE, place_of
from fujikoro_agents.values.file import load_value, random_value, save_value, shapes_of
from fujikoro_agents.values.network import (
    INPUTS,
    OTHERS,
    OUTPUTS,
    STRONGEST,
    blocks_of_games,
    inputs_of_players,
    outputs_of_rows,
)
from fujikoro_app.cli import main
from fujikoro_env import Game, Rules
from fujikoro_env.kernel.jit import INTERPRETED, Floats, Words, entry
from fujikoro_env.player import AgentError, make_agent, register_agent
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS
from tests.agents.test_lookahead import next_luck
from tests.helpers.ladder_sample import position
from tests.helpers.tables import integers, put_vp, table

compiled = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
pytest.importorskip("safetensors", reason="policy files are not installed: pip install -e '.[policy]'")
LAYERS = (24, 12)


@pytest.fixture(scope="module", autouse=True)
def _names():
    """Register the agents; without a reinstall, entry points may be missing."""
    register_agent("value")(ValueAgent)
    register_agent("sensei")(Sensei)


@pytest.fixture(scope="module")
def value():
    return random_value(LAYERS, seed=3)


@pytest.fixture
def path(tmp_path, value):
    save_value(tmp_path / "value.safetensors", value)
    return tmp_path / "value.safetensors"


# forward passes


def test_the_forward_pass_is_that_of_pytorch(value):
    torch = pytest.importorskip("torch")
    x: Any = np.random.default_rng(1).normal(0, 1, (50, INPUTS)).astype(np.float32)
    x[x < 0.3] = 0  # sparse, as features are
    outputs: Any = np.zeros((50, OUTPUTS), np.float32)
    network: Any = value.compiled()
    outputs_of_rows(x, 50, network, outputs)
    given = torch.from_numpy(x)
    for k in range(3):
        weight, bias = (torch.from_numpy(value.weights[f"{k}.{name}"]) for name in ("weight", "bias"))
        given = torch.nn.functional.linear(given, weight, bias)
        given = torch.relu(given) if k < 2 else given
    assert outputs == pytest.approx(given.numpy(), abs=1e-5)
    assert outputs.std() > 0.01


@entry
def legal_outputs(x: Floats, inputs: int, weights: Floats, outputs: int, mask: Words, result: Floats) -> None:
    """A layer of legal outputs alone."""
    dense_of_legal(x, inputs, weights, 0, outputs, mask, result)


def test_only_legal_outputs_are_computed():
    luck = np.random.default_rng(2)
    weight, bias = luck.normal(0, 1, (40, 7)).astype(np.float32), luck.normal(0, 1, 40).astype(np.float32)
    layer: Any = packed(weight, bias, by_output=True)
    x: Any = luck.normal(0, 1, 7).astype(np.float32)
    mask: Any = np.array([1 << 3 | 1 << 31, 1 << 7], np.uint32)
    result: Any = np.full(40, -9, np.float32)
    legal_outputs(x, 7, layer, 40, mask, result)
    allowed = [3, 31, 39]
    assert len(layer) == layer_size(7, 40)
    assert result[allowed] == pytest.approx((weight @ x + bias)[allowed], abs=1e-5)
    assert (np.delete(result, allowed) == -9).all()


# features


def blocks_of(game: Game) -> tuple[Any, Any]:
    players = game.rules.players
    blocks: Any = np.zeros((players, BLOCK), np.float32)
    of_table: Any = np.zeros((1, TABLE), np.float32)
    blocks_of_games(game.compiled, integers([0]), blocks, of_table, KnownFights().compiled(game.rules.tables))
    return blocks, of_table


def test_every_feature_is_declared_once():
    for features in (FEATURES_OF_PLAYER, FEATURES_OF_TABLE):
        names = [feature.name for feature in features]
        assert len(set(names)) == len(names)
        assert all(feature.doc for feature in features)
    assert place_of("vp_now") == FEATURES


def test_features_show_the_position():
    game = table(3)
    put_vp(game, 4, 9, 2)
    blocks, of_table = blocks_of(game)
    assert blocks[:, place_of("vp_now")].tolist() == [4, 9, 2]
    assert blocks[:, place_of("pool")].tolist() == [int(game.state.players[p].pool) for p in range(3)]
    assert blocks[:, place_of("turns")].tolist() == [0, 0, 0]
    named = dict(zip([feature.name for feature in FEATURES_OF_TABLE], of_table[0].tolist(), strict=True))
    assert (named["players"], named["best_vp"], named["vp_to_final"], named["final_chapter"]) == (3, 9, 21, 0)


@compiled
def test_features_of_the_final_chapter_and_of_characters():
    seeds: Any = np.arange(4)
    ended = play_games(Rules(players=4, characters="random"), seeds, np.full((4, PLAYERS), SHOGUN)).games
    game = Game(Rules(players=4, characters="random"), seed=0)
    game.compiled.words[0] = ended.view(np.int64).reshape(4, -1)[0]  # type: ignore[index]
    blocks, of_table = blocks_of(game)
    names = [feature.name for feature in FEATURES_OF_PLAYER]
    first = names.index("is_yoshihiro")
    assert (blocks[:, first:].sum(axis=1) <= 1).all()
    assert blocks[:, first:].sum() >= 3
    if game.state.final_player:
        assert of_table[0, [feature.name for feature in FEATURES_OF_TABLE].index("final_chapter")] == 1
        assert blocks[:, place_of("in_final_chapter")].all()


def test_inputs_are_own_then_mean_and_strongest_of_the_others():
    blocks: Any = np.random.default_rng(4).random((4, BLOCK)).astype(np.float32)
    blocks[:, place_of("vp_now")] = [9, 3, 7, 5]
    of_table: Any = np.ones((1, TABLE), np.float32)
    inputs: Any = np.zeros((1, INPUTS), np.float32)
    inputs_of_players(blocks, of_table, 4, integers([0]), inputs)
    assert inputs[0, :BLOCK] == pytest.approx(blocks[0])
    assert inputs[0, OTHERS:STRONGEST] == pytest.approx(blocks[1:].mean(axis=0), abs=1e-6)
    assert inputs[0, STRONGEST : STRONGEST + BLOCK] == pytest.approx(blocks[2])


# agents


@compiled
def test_the_agent_prefers_the_network_and_explains_itself(path):
    agent, shogun = make_agent(f"value:{path}"), make_agent("shogun")
    differ, said = 0, []
    for seed in range(6):
        game = position(Rules(), seed)
        for other in (agent, shogun):
            other.reset(seed, game.actor)
        for _ in range(12):
            if game.over:
                break
            view = game.view(game.actor)
            action = agent.act(view)
            assert action in game.legal_actions()
            if view.phase == Phase.ACTION:
                said.append(agent.explain())
            differ += action != shogun.act(view)
            game.step(action)
    assert differ > 3
    assert any(re.search(r"expected lead [+-]\d+\.\d VP; next best: .*, [+-]?\d+\.\d", text) for text in said)


@compiled
def test_a_large_margin_keeps_to_the_script(path):
    """With a margin that nothing beats, options are what `runner` does."""
    agent, runner = make_agent(f"value:{path}:margin=100"), make_agent("runner")
    for seed in range(4):
        game = position(Rules(players=2), seed)
        agent.reset(1, game.actor)
        runner.reset(1, game.actor)
        view = game.view(game.actor)
        assert agent.act(view) == runner.act(view)


@compiled
def test_batches_play_like_single_agents(path, value):
    from fujikoro_env import BatchedGames
    from fujikoro_env.player import agents_seed

    rules = Rules(players=2, characters="random")
    games = BatchedGames(rules, n=3, seed=5)
    policy = ScriptedPolicy(SENSEI, value.compiled())
    for seat in range(2):
        policy.begin(games, range(3), [seat] * 3)
    agents = {(g, seat): make_agent(f"value:{path}") for g in range(3) for seat in range(2)}
    for (g, seat), agent in agents.items():
        agent.reset(agents_seed(int(games.seeds[g])), seat)
    for _ in range(25):
        actions = policy.act(games, range(3))
        singles = [agents[g, int(games.actors[g])].act(games.game(g).view(int(games.actors[g]))) for g in range(3)]
        assert actions.tolist() == singles
        games.step(actions)


def answer(skills: int, network: Any, luck: int, game: Game) -> tuple[int, Players]:
    players = Players(np.full((1, PLAYERS), skills), np.full(PLAYERS, luck), network=network)
    action = integers([0])
    players.answer(game.compiled, 0, 1, action)
    return int(action[0]), players


def expected_lead(game: Game, first: int, deal: int, network: Any) -> float:
    """Lead after the turn of the acting player, played like `runner` after the first action. Others' features are those
    from before the turn if their records are the same after it."""
    player, trial, luck = game.actor, game.determinize(game.actor, deal), deal + 1
    trial.step(first)
    while not trial.over and trial.state.active == game.state.active:
        action, rung = answer(RUNNER, network, luck, trial)
        luck = int(rung.luck[trial.actor])
        trial.step(action)
    if trial.over:
        own = trial.scores[player]
        return float(own - (sum(trial.scores) - own) / (game.rules.players - 1))
    (before, _), (blocks, of_table) = blocks_of(game), blocks_of(trial)
    one, other = (cast(Any, each.compiled.games)["players"][0] for each in (game, trial))
    order = [place_of(name) for name in ("started_final", "first_player", "wait")]
    for q in range(game.rules.players):
        if q != player and one[q].tobytes() == other[q].tobytes():
            before[q, order] = blocks[q, order]
            blocks[q] = before[q]
    inputs: Any = np.zeros((1, INPUTS), np.float32)
    outputs: Any = np.zeros((1, OUTPUTS), np.float32)
    inputs_of_players(blocks, of_table, game.rules.players, integers([player]), inputs)
    outputs_of_rows(inputs, 1, network, outputs)
    return float(10 * outputs[0, 0])


@compiled
def test_worths_are_expected_leads_after_the_turn(value):
    network, compared = value.compiled(margin=0), 0
    for seed in range(8):
        game = position(Rules(players=3), seed)
        for _ in range(15):
            if game.over or game.state.final_player:
                break
            luck = 4711
            action, sensei = answer(SENSEI, network, luck, game)
            _, rung = answer(RUNNER, network, luck, game)
            if game.phase != Phase.ACTION and sensei.report[0] > 0:
                deals = next_luck(int(rung.luck[game.actor])) * SEEDS >> 32
                for k in range(int(sensei.report[0])):
                    option = int(sensei.report[1 + 2 * k])
                    ends = [expected_lead(game, option, deals + n, network) for n in range(DEALS)]
                    assert sensei.report[2 + 2 * k] == pytest.approx(np.mean(ends), abs=1e-3)
                    compared += 1
            game.step(action)
    assert compared > 5


@compiled
def test_six_players_play_whole_games(value):
    results = play_games(
        Rules(players=6, max_rounds=3), np.arange(2), np.full((2, PLAYERS), SENSEI), network=value.compiled()
    )
    assert (results.scores >= 0).all()
    assert results.wins.sum() == pytest.approx(2)


@compiled
def test_in_coop_it_plays_like_the_band(value):
    rules = Rules(players=2, mode="coop")
    sensei, band = (
        play_games(rules, np.arange(3), np.full((3, PLAYERS), skills), network=value.compiled())
        for skills in (SENSEI, BAND)
    )
    assert sensei.games.tobytes() == band.games.tobytes()


def test_learned_skills_need_a_network():
    with pytest.raises(ValueError, match="need a network"):
        Players(np.full((1, PLAYERS), SENSEI), np.ones(PLAYERS))


@compiled
def test_a_search_takes_a_network_as_judge_and_prior(path):
    game = position(Rules(), 3)
    view = game.view(game.actor)
    for name in (
        f"mcts:iterations=8,judge={path}",
        f"mcts:iterations=8,judge={path},prior=sensei,rollout=quick_sensei",
    ):
        agent = make_agent(name)
        agent.reset(1, game.actor)
        assert agent.act(view) in game.legal_actions()
        assert 0 <= agent.value() <= 1  # type: ignore[attr-defined]


# files


def test_a_file_has_everything(path, value):
    read = load_value(path)
    assert (read.layers, read.margin, read.versions["numpy"]) == (LAYERS, value.margin, np.__version__)
    assert (read.compiled() == value.compiled()).all()
    assert read.compiled(margin=2.0)[2] == 2.0


def test_a_file_is_shown_and_is_no_policy(path, capsys):
    assert main(["policy", "show", str(path)]) == 0
    told = capsys.readouterr().out
    assert '"kind": "value of positions"' in told
    assert told.endswith("plays: yes, value:FILE\n")
    assert main(["watch", "--by", f"policy:{path}"]) == 2
    assert capsys.readouterr().err.endswith("another kind of network, which plays as value:FILE\n")


def rewritten(path, **changes):
    from safetensors.numpy import load_file, save_file

    head = {
        "format": 1,
        "layers": list(LAYERS),
        "margin": 0.5,
        "feature_digest": value_file.feature_digest(),
        "training": {},
        "versions": {},
    }
    save_file(load_file(path), path, {value_file.KEY: json.dumps(head | changes)})


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"format": 2}, "not that of a value network of format 1"),
        ({"extra": 1}, "not that of a value network"),
        ({"layers": [24]}, "allowed are two numbers from 1 to 256"),
        ({"layers": [24, 1000]}, "allowed are two numbers from 1 to 256"),
        ({"layers": [24, 13]}, "the network has"),
        ({"margin": "x"}, "allowed are numbers from 0 to 100"),
        ({"feature_digest": "0"}, "trained on another table of features"),
        ({"training": 1}, "must be objects"),
    ],
)
def test_bad_files_get_one_line(path, changes, says):
    rewritten(path, **changes)
    with pytest.raises(AgentError, match=says) as error:
        make_agent(f"value:{path}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "name", ["value", "value:missing.safetensors", "sensei:margin=-1", "sensei:margin=wide", "mcts:judge=3"]
)
def test_bad_names_get_one_line(name):
    with pytest.raises(AgentError) as error:
        make_agent(name)
    assert "\n" not in str(error.value)


def test_the_shipped_network_plays():
    value = value_file.shipped_value()
    assert value.training["recipe"] == "value"
    assert {name: array.shape for name, array in value.weights.items()} == shapes_of(value.layers)
    game = Game(seed=1)
    agent = make_agent("sensei")
    agent.reset(1, game.actor)
    assert agent.act(game.view(game.actor)) in game.legal_actions()

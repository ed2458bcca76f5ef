"""Trained policies: their files, the agents that play with them, and models of Stable-Baselines3."""

import base64
import doctest
import json
import os
import pickle
import re
import struct
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fujikoro_agents.policy import (
    Convolutions,
    Head,
    Heads,
    Plain,
    Policy,
    PolicyAgent,
    PolicyError,
    blas,
    load_policy,
    new_head,
    random_weights,
    read_head,
    save_policy,
    weights_file,
)
from fujikoro_agents.policy.agent import PPO_FILE, shipped
from fujikoro_agents.policy.safe_file import MOST_HEAD
from fujikoro_agents.policy.weights_file import KEY
from fujikoro_app.cli import main
from fujikoro_env import BatchedGames, Game, Rules
from fujikoro_env.envs.one_seat import OneSeatGames
from fujikoro_env.envs.policies import AgentPerSeat, batch_policy
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.player import AgentError, make_agent
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_training.matches import play_match
from tests.helpers.bots import First
from tests.helpers.hostile import HOSTILE_INPUTS

safetensors_numpy = pytest.importorskip("safetensors.numpy", reason="pip install -e '.[policy]'")

compiled = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
PACK = Rules().pack
NETWORKS: dict[str, tuple[Any, str]] = {
    "plain": (Plain((16, 8)), "compact"),
    "split": (Plain((), (8,), (12, 4), "relu"), "compact"),
    "tensor": (Plain((8,)), "tensor"),
    "heads": (Heads((16, 8)), "compact"),
    "convolutions": (Convolutions((4, 5), (3, 2), (4,), (16, 8)), "tensor"),
}


def head_of(network: str) -> Head:
    structure, kind = NETWORKS[network]
    return new_head(structure, PACK, kind, {"recipe": "none", "decisions": 0})


@pytest.fixture(params=NETWORKS)
def file(request, tmp_path) -> Path:
    """An untrained policy, but with opinions."""
    return saved(tmp_path, head_of(request.param))


def saved(folder: Path, head: Head) -> Path:
    path = folder / "model.safetensors"
    save_policy(path, random_weights(head, 1, 0.3), head)
    return path


@pytest.fixture
def plain(tmp_path) -> Path:
    return saved(tmp_path, head_of("plain"))


def played(agent: Any, seed: int, decisions: int = 40) -> list[int]:
    game, others, found = Game(Rules(2), 3), First(), list[int]()
    agent.reset(seed, 0)
    while len(found) < decisions:
        action = (agent if game.actor == 0 else others).act(game.view(game.actor))
        found += [action] if game.actor == 0 else []
        game.step(action)  # raises if it is illegal
    return found


def seen_games(kind: str, n: int = 32, steps: int = 60) -> tuple[Any, Any]:
    """Observations and masks of games in progress."""
    games = BatchedGames(Rules(3), n=n, seed=5)
    for _ in range(steps):
        games.step(games.random_actions())
    return games.observe(kind), games.masks.copy()


# Playing


@compiled
def test_it_plays_by_name_with_luck_of_its_seed_alone(file):
    agent = make_agent(f"policy:{file}")
    first = played(agent, 1)
    assert played(make_agent(f"policy:{file}"), 1) == first
    assert played(agent, 1) == first
    assert played(agent, 2) != first


@compiled
def test_greedy_takes_the_most_likely_action_and_explains_it(file):
    agent = make_agent(f"policy:{file}:greedy=true")
    assert played(agent, 1) == played(PolicyAgent(str(file), greedy=True), 2)
    view = Game(Rules(2), 3)
    chances, _ = PolicyAgent(str(file)).judge(view)
    assert agent.act(view) == chances.argmax()
    assert agent.explain().startswith(f"most likely actions: {view.action_name(int(chances.argmax()))} ")
    assert agent.explain().endswith(f"; expected return {agent.value():+.2f}")  # type: ignore[attr-defined]


@compiled
@pytest.mark.parametrize("network", NETWORKS)
def test_only_legal_actions_are_answered(network):
    head = head_of(network)
    policy = Policy(head, random_weights(head, 1, 3.0))
    seen, masks = seen_games(head.observation)
    chances, values = policy.judge(seen, masks)
    assert ((chances > 0) == masks).all()
    assert chances.sum(axis=1) == pytest.approx(1)
    assert np.isfinite(values).all()
    for luck in (None, np.random.default_rng(1)):
        assert masks[np.arange(len(masks)), policy.answer(seen, masks, luck)].all()
    with pytest.raises(ValueError, match="masks: row 2 has no legal action"):
        policy.answer(seen, np.where(np.arange(len(masks))[:, None] == 2, False, masks))


def test_sampled_answers_follow_the_probabilities(monkeypatch):
    head = head_of("plain")
    policy = Policy(head, random_weights(head, 1, 0.2))
    masks = np.zeros((4000, ACTIONS), np.bool_)
    masks[:, [3, 40, 700]] = True
    seen = np.full((4000, head.network.shapes("compact")["trunk.0.weight"][1]), 0.5, np.float32)
    chances, _ = policy.judge(seen[:1], masks[:1])
    drawn = policy.answer(seen, masks, np.random.default_rng(0))
    assert np.bincount(drawn, minlength=ACTIONS) / 4000 == pytest.approx(chances[0], abs=0.03)


@compiled
@pytest.mark.parametrize("network", NETWORKS)
def test_weights_that_overflow_play_legally(network):
    head = head_of(network)
    huge = {name: np.sign(array) * np.float32(3e38) for name, array in random_weights(head, 1).items()}
    seen, masks = seen_games(head.observation)
    for luck in (None, np.random.default_rng(1)):
        assert masks[np.arange(len(masks)), Policy(head, huge).answer(seen, masks, luck)].all()


@compiled
def test_a_batch_gets_the_answers_of_single_games(file):
    policy = load_policy(file)
    games = BatchedGames(Rules(3), n=8, seed=5)
    for _ in range(40):
        games.step(games.random_actions())
    single = [PolicyAgent(str(file), greedy=True).act(games.game(k).view(int(games.actors[k]))) for k in (1, 2, 5)]
    assert batch_policy(f"policy:{file}:greedy=true").act(games, [1, 2, 5]).tolist() == single
    assert policy.answer(games.observe(policy.observation), games.masks)[[1, 2, 5]].tolist() == single


@compiled
def test_it_is_an_opponent_in_many_games(plain):
    games = OneSeatGames(Rules(3), n=4, seed=1, opponents=f"policy:{plain}")
    games.reset()
    for _ in range(10):
        games.step(games.masks.argmax(axis=1))
    assert (games.games.actors == games.seats).all()


@compiled
def test_it_samples_the_same_games_alone_and_in_batches(plain):
    name = f"policy:{plain}"
    played = []
    policies: list[Any] = [batch_policy(name), AgentPerSeat(name)]
    for policy in policies:
        games = BatchedGames(Rules(2), n=3, seed=5)
        for seat in range(2):
            policy.begin(games, range(3), [seat] * 3)
        for _ in range(40):
            games.step(np.array(policy.act(games, range(3))))
        played.append(games.states.tobytes())
    assert played[0] == played[1]


@compiled
def test_a_batch_goes_on_from_a_snapshot(plain):
    games = BatchedGames(Rules(2), n=3, seed=5)
    policy: Any = batch_policy(f"policy:{plain}")
    policy.begin(games, range(3), games.actors)
    kept = policy.snapshot()
    answers = [policy.act(games, range(3)).tolist() for _ in range(10)]
    policy.restore(kept)
    assert [policy.act(games, range(3)).tolist() for _ in range(10)] == answers
    assert len({tuple(answer) for answer in answers}) > 1


@compiled
def test_other_content_gets_one_line_once(tmp_path, capsys):
    path = saved(tmp_path, replace(head_of("plain"), content="mine\x1b", content_digest="abc"))
    for _ in range(2):
        played(make_agent(f"policy:{path}"), 1, 2)
    said = capsys.readouterr().err
    assert said == f"policy {path}: trained with content 'mine\\x1b' ('abc'), plays with base ({PACK.digest})\n"


def test_it_needs_neither_pytorch_nor_sb3(plain):
    code = (
        "import sys; sys.modules.update(torch=None, stable_baselines3=None, sb3_contrib=None)\n"
        "from fujikoro_env import Game; from fujikoro_env.player import make_agent\n"
        f"print(make_agent({f'policy:{plain}'!r}).act(Game(seed=7)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert int(done.stdout) in Game(seed=7).legal_actions()


def test_the_mean_of_policies_is_a_policy(tmp_path, capsys):
    files = [str(tmp_path / f"{name}.safetensors") for name in ("first", "second", "other")]
    for seed, (file, network) in enumerate(zip(files, ("heads", "heads", "plain"), strict=True)):
        save_policy(file, random_weights(head_of(network), seed), head_of(network))
    out = str(tmp_path / "mean.safetensors")
    assert main(["policy", "average", out, *files[:2]]) == 0
    first, second, mean = (load_policy(file).weights for file in (*files[:2], out))
    for name, weights in mean.items():
        np.testing.assert_allclose(weights, (first[name] + second[name]) / 2, atol=1e-6)
    assert load_policy(out).head.training["mean_of"] == 2
    capsys.readouterr()
    for typed, told in (([out, *files[:2]], "exists already"), ([f"{out}2", *files], "different networks")):
        assert main(["policy", "average", *typed]) == 2
        shown = capsys.readouterr().err
        assert told in shown
        assert shown.count("\n") == 1


def test_the_shipped_policy_plays_and_explains():
    agent: Any = make_agent("ppo")
    assert agent.greedy
    assert agent.policy.head.training["recipe"] == "ppo"
    assert agent.policy.head.content_digest == PACK.digest
    assert Path(shipped(PPO_FILE)).stat().st_size <= 5_000_000
    game = Game(seed=1)
    agent.reset(1, game.actor)
    assert agent.act(game.view(game.actor)) in game.legal_actions()
    assert re.match(r"most likely actions: \w.* \d+%.*; expected return [+-]\d\.\d\d$", agent.explain())


@compiled
def test_the_shipped_policy_beats_random_players():
    assert play_match("ppo", "random", Rules(players=4), games=16, seed=8_000).share > 0.7


# Files


@pytest.mark.parametrize("network", NETWORKS)
def test_a_policy_comes_back_as_it_was_saved(network, tmp_path):
    head = head_of(network)
    weights = random_weights(head, 1)
    path = tmp_path / "model.safetensors"
    save_policy(path, weights, head)
    found = load_policy(path)
    assert found.head == head == read_head(path)
    assert list(tmp_path.iterdir()) == [path]
    assert all((found.weights[name] == array).all() for name, array in weights.items())
    assert found.head.versions["numpy"] == np.__version__


def test_the_documented_example_runs():
    found = doctest.testmod(weights_file)
    assert found.attempted > 0
    assert found.failed == 0


def changed(path: Path, changes: dict[str, Any]) -> Path:
    """The file with entries of its head changed, past all checks."""
    head = head_of("plain")
    write(path, {**head.to_json(), **changes}, random_weights(head, 1))
    return path


def write(path: Path, head: Any, weights: dict[str, Any], metadata: dict[str, str] | None = None) -> None:
    text = head if isinstance(head, str) else json.dumps(head)
    path.write_bytes(safetensors_numpy.save(weights, {KEY: text} if metadata is None else metadata))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"format": 2}, "format 2; this version reads format 1"),
        ({"format": True}, "the head is not an object with a format number"),
        ({"more": 1}, "the head has the entries"),
        ({"training": [1]}, r"the head has a wrong training: \[1\]"),
        ({"content": 7}, "the head has a wrong content: 7"),
        ({"observation": "all"}, "observation 'all'; allowed are tensor, compact"),
        ({"action_digest": "abc"}, "trained on another table of actions"),
        ({"observation_digest": "abc"}, "trained on another table of the compact observation"),
        ({"network": "plain"}, "network 'plain': known kinds are plain, heads"),
        ({"network": {"kind": ["plain"]}}, "known kinds are plain, heads"),
        ({"network": {"kind": "conv"}}, "known kinds are plain, heads"),
        ({"network": {"kind": "plain", "trunk": [8]}}, "network plain: its sizes are trunk, policy, value, activation"),
        ({"network": {"kind": "heads", "trunk": [1 << 40]}}, "allowed are up to 16 widths from 1 to 16384"),
        ({"network": {"kind": "heads", "trunk": [8] * 17}}, "allowed are up to 16 widths"),
        ({"network": {"kind": "heads", "trunk": [True]}}, "allowed are up to 16 widths"),
        ({"network": {"kind": "heads", "trunk": [16, 8]}}, "the network has"),
        (
            {"network": {"kind": "plain", "trunk": [16, 8], "policy": [], "value": [], "activation": "exec"}},
            "activation 'exec': allowed are tanh, relu",
        ),
    ],
)
def test_a_wrong_head_gets_one_line(tmp_path, changes, told):
    refused(changed(tmp_path / "model.safetensors", changes), told)


def refused(path: Path, told: str) -> None:
    with pytest.raises(PolicyError, match=told) as raised:
        load_policy(path)
    with pytest.raises(AgentError, match=told):
        make_agent(f"policy:{path}")
    message = str(raised.value)
    assert message.isprintable()
    assert len(message) < 300 + len(str(path))


def test_wrong_weights_get_one_line(tmp_path):
    head, path = head_of("plain"), tmp_path / "model.safetensors"
    good = random_weights(head, 1)
    wrong: dict[str, dict[str, Any]] = {
        "trunk.0.bias has numbers that are not finite": {"trunk.0.bias": np.full(16, np.nan, np.float32)},
        r"'trunk.0.bias' is \(17,\); the network has \(16,\)": {"trunk.0.bias": np.zeros(17, np.float32)},
        r"'more' is \(1,\); the network has no such weights": {"more": np.zeros(1, np.float32)},
        "weights of type F64; allowed is F32": {"trunk.0.bias": np.zeros(16)},
    }
    for told, arrays in wrong.items():
        write(path, head.to_json(), {**good, **arrays})
        refused(path, told)
    write(path, head.to_json(), {name: array for name, array in good.items() if name != "trunk.0.bias"})
    refused(path, r"'trunk.0.bias' is 'missing'; the network has \(16,\)")


def test_files_that_are_no_policies_get_one_line(tmp_path):
    path = tmp_path / "model.safetensors"
    for content, told in (
        (b"", "not a safetensors file"),
        (b"rubbish", "not a policy file"),
        (pickle.dumps({"a": 1}), "not a policy file"),
        (struct.pack("<Q", 1 << 40) + b"{}", "not a policy file"),
        (struct.pack("<Q", 2) + b"{}", "without a head"),
        (struct.pack("<Q", 2) + b"\xff\xfe", "not a safetensors file"),
        (safetensors_numpy.save({}, {KEY: "[" * 50_000}), "nested too deeply|not an object|Expecting value"),
        (safetensors_numpy.save({}, {KEY: " " * (MOST_HEAD + 1)}), f"allowed are {MOST_HEAD}"),
        (safetensors_numpy.save({}, {KEY: "{"}), "Expecting property name"),
    ):
        path.write_bytes(content)
        refused(path, told)
    refused(tmp_path, "not a file")
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", "not a file")  # and is not waited for
    refused(tmp_path / "none.safetensors", "No such file or directory")


def test_a_truncated_file_gets_one_line(plain):
    content = plain.read_bytes()
    for length in (4, 9, 500, len(content) - 1):
        plain.write_bytes(content[:length])
        with pytest.raises(PolicyError):
            load_policy(plain)


def damaged(content: bytes, luck: np.random.Generator) -> bytes:
    """The file with a few bytes changed, cut out or put in, mostly in its head."""
    changed = bytearray(content)
    limit = 3000 if luck.random() < 0.8 else len(changed)
    for _ in range(int(luck.integers(1, 4))):
        where = int(luck.integers(min(limit, len(changed))))
        kind = luck.integers(4)
        if kind == 0:
            changed[where] ^= 1 << int(luck.integers(8))
        elif kind == 1:
            changed[where] = int(luck.integers(32, 127))
        elif kind == 2:
            del changed[where : where + int(luck.integers(1, 64))]
        else:
            changed[where:where] = luck.bytes(int(luck.integers(1, 8)))
    return bytes(changed)


def attack(path: Path, count: int) -> int:
    """Read damaged copies of a file; each is refused in one line or plays legally. Returns how many were refused."""
    content, luck, refusals = path.read_bytes(), np.random.default_rng(1), 0
    game = Game(seed=7)
    for _ in range(count):
        path.write_bytes(damaged(content, luck))
        try:
            policy = load_policy(path)
        except PolicyError:
            refusals += 1
            continue
        seen, mask = game.observe(game.actor, "compact"), game.legal_mask()
        assert mask[policy.answer(seen[None], mask[None], luck)[0]]
    return refusals


def test_damaged_files_are_refused_or_play(tmp_path):
    assert attack(saved(tmp_path, new_head(Plain((1,)), PACK)), 300) > 100


@pytest.mark.long
def test_many_damaged_files_are_refused_or_play(tmp_path, record_property):
    attack(saved(tmp_path, new_head(Plain((1,)), PACK)), 20_000)
    record_property(HOSTILE_INPUTS, 20_000)


def test_saving_refuses_what_reading_would(tmp_path):
    head, path = head_of("plain"), tmp_path / "model.safetensors"
    good: dict[str, Any] = dict(random_weights(head, 1))
    for weights, other, told in (
        ({**good, "trunk.0.bias": np.zeros(3)}, head, "'trunk.0.bias' is"),
        ({**good, "trunk.0.bias": np.full(16, np.inf)}, head, "not finite"),
        (good, replace(head, training={"rate": np.float32(1)}), "training facts that are not JSON"),
        (good, replace(head, training={"notes": "x" * MOST_HEAD}), "the head has"),
        (random_weights(head_of("heads"), 1), replace(head_of("heads"), observation="tensor"), "another table"),
    ):
        with pytest.raises(PolicyError, match=told):
            save_policy(path, weights, other)
    with pytest.raises(PolicyError, match="No such file or directory"):
        save_policy(tmp_path / "none" / "model.safetensors", good, head)
    assert not list(tmp_path.iterdir())


def test_parameters_and_missing_files_get_one_line(plain):
    for name, told in (
        ("policy", "it needs a file, policy:FILE"),
        (f"policy:{plain}:greed=1", "it has no parameter 'greed'; allowed are path, greedy, trust"),
        ("policy:none\0", "policy 'none"),
    ):
        with pytest.raises(AgentError, match=told) as raised:
            make_agent(name)
        assert "\n" not in str(raised.value)


def test_without_safetensors_one_line_says_what_to_install(plain, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(PolicyError, match=r"needs safetensors: pip install 'fujikoro_env\[policy\]'$"):
        load_policy(plain)


def test_a_policy_computes_with_one_thread_and_leaves_the_number_as_it_was(plain, monkeypatch):
    changes: list[int] = []
    monkeypatch.setattr(blas, "blas_threads", lambda: (lambda: 3, changes.append))
    policy, games = load_policy(plain), BatchedGames(Rules(players=2), n=2)
    policy.answer(games.observe("compact"), games.masks)
    assert changes == [1, 3]


def test_threads_that_the_user_chose_are_kept(monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    assert blas.blas_threads.__wrapped__() is None
    with blas.one_blas_thread():
        pass


# The command


def test_show_prints_the_head(plain, capsys):
    assert main(["policy", "show", str(plain)]) == 0
    told = capsys.readouterr().out
    assert '\nnetwork: {"kind": "plain"' in f"\n{told}"
    assert "\ntraining:\n  recipe: none\n  decisions: 0\n" in told
    assert told.endswith("plays: yes\n")
    assert main(["policy", "show", str(plain), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["training"] == {"recipe": "none", "decisions": 0}
    assert main(["policy", "show", str(changed(plain, {"action_digest": "\x1b[2J"}))]) == 0
    told = capsys.readouterr().out
    assert "plays: no: trained on another table of actions" in told
    assert "\x1b" not in told
    assert main(["policy", "show", str(plain.parent)]) == 2


def evil_model(path: Path, marker: Path) -> None:
    """A zip archive like a model of Stable-Baselines3 that creates a folder when its data are unpickled."""

    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(marker),)

    pickled = base64.b64encode(pickle.dumps(Evil())).decode()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data", json.dumps({"policy_kwargs": {":type:": "x", ":serialized:": pickled}}))
        archive.writestr("_stable_baselines3_version", "2.9.2")


def test_a_malicious_model_runs_nothing_without_trust(tmp_path, capsys):
    marker, model, out = tmp_path / "marker", tmp_path / "model.zip", tmp_path / "out.safetensors"
    evil_model(model, marker)
    disguised = tmp_path / "model.safetensors"
    disguised.write_bytes(model.read_bytes())
    for path in (model, disguised):
        told = rf"can run code.* policy:{re.escape(str(path))}:trust=true, .*fujikoro policy convert .* --trust$"
        for name in (f"policy:{path}", f"policy:{path}:greedy=true", f"policy:{path}:trust=false"):
            with pytest.raises(AgentError, match=told):
                make_agent(name)
        with pytest.raises(PolicyError):
            load_policy(path)
        assert main(["policy", "show", str(path)]) == 2
        assert main(["policy", "convert", str(path), str(out)]) == 2
        assert main(["watch", "--by", f"policy:{path}", "--players", "2"]) == 2
        assert all(line.startswith("fujikoro: policy ") for line in capsys.readouterr().err.splitlines())
    assert not marker.exists()
    assert not out.exists()


def test_the_malicious_model_is_one(tmp_path):
    pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")
    marker, model = tmp_path / "marker", tmp_path / "model.zip"
    evil_model(model, marker)
    with pytest.raises(AgentError, match="not a MaskablePPO model"):
        make_agent(f"policy:{model}:trust=true")
    assert marker.exists()


# Models of Stable-Baselines3

MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "MlpPolicy": ("compact", {"policy_kwargs": {"net_arch": [8]}}),
    "split": ("compact", {"policy_kwargs": {"net_arch": {"pi": [8], "vf": [4, 4]}}}),
    "MultiInputPolicy": ("tensor", {"policy_kwargs": {"net_arch": [8]}}),
    "plain": ("compact", {}),
    "heads": ("compact", {}),
    "tensor": ("tensor", {}),
}


@pytest.fixture(scope="module", params=MODELS)
def model(request, tmp_path_factory) -> Path:
    """An untrained model, but with opinions."""
    pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")
    if INTERPRETED:
        pytest.skip("plain Python plays too slowly")
    from sb3_contrib import MaskablePPO

    from fujikoro_env.envs.sb3 import FujiKoroVecEnv
    from fujikoro_training.networks import NETWORKS as OURS
    from fujikoro_training.networks import policy_arguments

    kind, given = MODELS[request.param]
    given = policy_arguments(request.param, (16, 8)) if request.param in OURS else given
    given = {"policy": request.param if "Policy" in request.param else "MlpPolicy", **given}
    env = FujiKoroVecEnv(n=2, players=2, max_rounds=2, observation=kind)
    made = MaskablePPO(env=env, n_steps=4, batch_size=8, seed=1, device="cpu", **given)
    last_layer: Any = made.policy.action_net
    for array in last_layer.parameters():
        array.data *= 50
    path: Path = tmp_path_factory.mktemp("models") / f"{request.param}.zip"
    made.save(path)
    return path


def test_a_converted_model_answers_like_its_origin(model, tmp_path, capsys):
    from sb3_contrib import MaskablePPO

    out = tmp_path / "model.safetensors"
    assert main(["policy", "convert", str(model), str(out), "--trust"]) == 0
    assert capsys.readouterr().out.startswith(f"written to {out}: network ")
    policy, origin = load_policy(out), MaskablePPO.load(model, device="cpu")
    seen, masks = seen_games(policy.observation)
    wanted, _ = origin.predict(seen, action_masks=masks, deterministic=True)
    assert policy.answer(seen, masks).tolist() == wanted.tolist()
    assert policy.head.training["recipe"] == "MaskablePPO"
    assert main(["policy", "convert", str(model), str(out), "--trust"]) == 2
    assert capsys.readouterr().err == f"fujikoro: {out}: exists already, and is left as it is\n"


def test_a_trusted_model_plays_like_its_converted_form(model, tmp_path):
    out = tmp_path / "model.safetensors"
    assert main(["policy", "convert", str(model), str(out), "--trust"]) == 0
    trusted = played(make_agent(f"policy:{model}:greedy=true,trust=true"), 1)
    assert trusted == played(make_agent(f"policy:{out}:greedy=true"), 1)


def test_other_networks_are_not_converted_but_play(tmp_path, capsys):
    pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")
    if INTERPRETED:
        pytest.skip("plain Python plays too slowly")
    import torch
    from sb3_contrib import MaskablePPO

    from fujikoro_env.envs.sb3 import FujiKoroVecEnv

    env = FujiKoroVecEnv(n=2, players=2, max_rounds=2)
    kwargs = {"net_arch": [8], "activation_fn": torch.nn.ELU}
    made = MaskablePPO("MlpPolicy", env, n_steps=4, batch_size=8, seed=1, policy_kwargs=kwargs, device="cpu")
    made.save(tmp_path / "model.zip")
    assert main(["policy", "convert", f"{tmp_path}/model.zip", f"{tmp_path}/out.safetensors", "--trust"]) == 2
    assert "elu" in capsys.readouterr().err
    assert len(played(make_agent(f"policy:{tmp_path}/model.zip:trust=true"), 1)) == 40


def test_files_that_are_no_models_get_one_line(tmp_path, monkeypatch):
    (tmp_path / "rubbish.zip").write_bytes(b"PK rubbish")
    pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")
    with pytest.raises(AgentError, match="not a MaskablePPO model"):
        make_agent(f"policy:{tmp_path}/rubbish.zip:trust=true")
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    with pytest.raises(AgentError, match=r"needs sb3_contrib: pip install 'fujikoro_env\[train\]'$"):
        make_agent(f"policy:{tmp_path}/rubbish.zip:trust=true")

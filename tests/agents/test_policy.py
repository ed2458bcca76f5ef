"""A trained policy as an agent."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")

from sb3_contrib import MaskablePPO

from fujikoro_agents import policy
from fujikoro_agents.policy import PolicyAgent
from fujikoro_env import Game, Rules
from fujikoro_env.envs.sb3 import FujiKoroVecEnv
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.player import AgentError, make_agent
from tests.helpers.bots import First

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
NETWORKS = {"compact": "MlpPolicy", "tensor": "MultiInputPolicy"}


@pytest.fixture(scope="module", params=NETWORKS)
def model(request, tmp_path_factory) -> Path:
    """An untrained one, but with opinions."""
    env = FujiKoroVecEnv(n=2, players=2, max_rounds=2, observation=request.param)
    size = {"net_arch": [8]}
    made = MaskablePPO(NETWORKS[request.param], env, n_steps=4, batch_size=8, seed=1, policy_kwargs=size, device="cpu")
    last_layer: Any = made.policy.action_net
    last_layer.weight.data *= 50
    file: Path = tmp_path_factory.mktemp("models") / f"{request.param}.zip"
    made.save(file)
    return file


def played(agent: Any, seed: int, decisions: int = 40) -> list[int]:
    game, others, found = Game(Rules(2), 3), First(), list[int]()
    agent.reset(seed, 0)
    while len(found) < decisions:
        action = (agent if game.actor == 0 else others).act(game.view(game.actor))
        found += [action] if game.actor == 0 else []
        game.step(action)  # raises if it is illegal
    return found


def test_it_plays_by_name_with_luck_of_its_seed_alone(model):
    agent = make_agent(f"policy:{model}")
    first = played(agent, 1)
    assert played(make_agent(f"policy:{model}"), 1) == first
    assert played(agent, 1) == first
    assert played(agent, 2) != first


def test_greedy_takes_what_the_model_thinks_best(model):
    agent = PolicyAgent(str(model), greedy=True)
    assert played(make_agent(f"policy:{model}:greedy=true"), 1) == played(agent, 2)
    game = Game(Rules(2), 3)
    while game.actor != 0:
        game.step(int(game.legal_actions()[0]))
    view = game.view(0)
    kind = model.stem
    best, _ = MaskablePPO.load(model, device="cpu").predict(
        view.observe(0, kind), action_masks=view.legal_mask(), deterministic=True
    )
    assert agent.act(view) == int(best)
    assert agent.explain().startswith(f"its likeliest actions: {view.action_name(int(best))} ")
    assert "it expects a return of " in agent.explain()


def test_a_file_that_is_no_model_gets_one_line(tmp_path, model):
    (tmp_path / "rubbish.zip").write_text("x")
    for name, told in (
        ("policy", "it needs a file, policy:FILE"),
        (f"policy:{tmp_path}/none.zip", "No such file or directory"),
        (f"policy:{tmp_path}/rubbish.zip", "no model of MaskablePPO"),
        (f"policy:{model}:greed=1", "it has no parameter 'greed'; allowed are path, greedy"),
    ):
        with pytest.raises(AgentError, match=told) as raised:
            make_agent(name)
        assert "\n" not in str(raised.value)


def test_a_model_of_other_observations_gets_one_line(model, monkeypatch):
    monkeypatch.setattr(policy, "ACTIONS", 7)
    with pytest.raises(AgentError, match="trained on other observations or actions"):
        make_agent(f"policy:{model}")


def test_without_pytorch_one_line_says_what_to_install(tmp_path, monkeypatch):
    file = tmp_path / "model.zip"
    file.write_text("x")
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    with pytest.raises(AgentError, match=r"needs sb3_contrib: pip install 'fujikoro_env\[train\]'$"):
        make_agent(f"policy:{file}")


def test_chances_of_illegal_actions_are_none(model):
    game = Game(Rules(2), 3)
    chances, _ = PolicyAgent(str(model))._judged(game.view(game.actor))
    assert ((chances > 0) == game.legal_mask()).all()
    assert chances.sum() == pytest.approx(1, abs=1e-5)
    assert np.isfinite(chances).all()

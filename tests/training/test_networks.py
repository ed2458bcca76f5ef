"""Networks of training: what their heads depend on, and that they choose legal actions."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")

import torch
from sb3_contrib import MaskablePPO

from fujikoro_agents.policy.networks import JUDGED_BY, PARTS_BY_NAME
from fujikoro_env.envs.sb3 import FujiKoroVecEnv
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.observation.compact import STARTS, WIDTH
from fujikoro_env.rules.base.actions import TABLE
from fujikoro_training.networks import NETWORKS, SharedHeads, policy_arguments


@pytest.mark.parametrize("block", JUDGED_BY)
def test_a_shared_head_judges_each_action_by_its_own_row(block):
    (name, *_), first_row = JUDGED_BY[block]
    part, width = PARTS_BY_NAME[name], 8
    heads = SharedHeads(width)
    seen = torch.zeros(1, width + WIDTH)
    seen[0, :width] = 1
    bare = heads(seen)
    row = 3
    begin = width + STARTS[name] + (first_row + row) * part.row_width
    seen[0, begin : begin + part.row_width] = 1
    changed = torch.nonzero((heads(seen) - bare)[0]).flatten().tolist()
    assert TABLE[block].first + row in changed
    judged = [(TABLE[other].first - start, parts) for other, (parts, start) in JUDGED_BY.items()]
    assert set(changed) <= {first + first_row + row for first, parts in judged if name in parts}


def test_each_action_of_a_block_has_a_row_that_judges_it():
    for block, (parts, first_row) in JUDGED_BY.items():
        rows = {PARTS_BY_NAME[name].rows - first_row for name in parts}
        assert len(rows) == 1
        assert rows >= {TABLE[block].size} or min(rows) > TABLE[block].size or block == "place", block


@pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
@pytest.mark.parametrize("network", [name for name, reads in NETWORKS.items() if reads == "compact"])
def test_networks_choose_legal_actions(network):
    env = FujiKoroVecEnv(n=16, players=3, max_rounds=12, observation=NETWORKS[network])
    env.reset()
    model = MaskablePPO(env=env, n_steps=4, batch_size=16, **policy_arguments(network, (16, 16)))
    actions, _ = model.predict(env.games.observe(NETWORKS[network]), action_masks=env.action_masks())
    assert env.action_masks()[np.arange(env.num_envs), actions].all()

"""The learnability probe: one learning seat, the panel, and a run of a few seconds."""

import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")

import torch
from sb3_contrib import MaskablePPO

from fujikoro_env import Rules
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.observation.compact import STARTS, WIDTH
from fujikoro_env.rules.base.actions import DONE, SCORE, TABLE, YES
from fujikoro_training.evaluation import LEARNER, OTHERS, play_evaluation_games
from fujikoro_training.networks import JUDGED_BY, NETWORKS, PARTS_BY_NAME, SharedHeads, policy_arguments
from fujikoro_training.one_seat import VP_SCALE, OneSeatVecEnv, without
from fujikoro_training.probe import Clock, Settings, run

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
RULES = Rules(3, max_rounds=12)


@pytest.fixture
def env():
    return OneSeatVecEnv(n=16, seed=1, reward="win", players=3, max_rounds=12)


def random_legal(env):
    luck = np.random.default_rng(1)
    masks = env.action_masks()
    return (masks * luck.random(masks.shape)).argmax(axis=1)


def test_only_the_learner_is_asked(env):
    seen = env.reset()
    for _ in range(200):
        assert (env.games.actors == env.seats).all()
        assert (seen == env.games.observe(observers=env.seats)).all()
        seen, _, _, _ = env.step(random_legal(env))


def test_the_rewards_of_a_game_are_its_win_and_its_lead(env):
    env.reset()
    ends = 0
    while ends < 20:
        seats = env.seats.copy()
        _, _, dones, infos = env.step(random_legal(env))
        assert [bool(info) for info in infos] == dones.tolist()
        for game in np.flatnonzero(dones):
            ends += 1
            scores, ranks, seat = env.games.scores[game, :3], env.games.ranks[game, :3], seats[game]
            lead = (scores[seat] - np.delete(scores, seat).mean()) / VP_SCALE
            win = (ranks[seat] == 1) / (ranks == 1).sum() - 1 / 3
            assert infos[game]["episode"]["r"] == pytest.approx(win + lead, abs=1e-6)
            assert infos[game]["episode"]["l"] > 10
    assert len(set(env.seats)) > 1


def test_without_shaping_only_the_end_counts(env):
    env.shaping = 0.0
    env.reset()
    for _ in range(100):
        _, rewards, dones, _ = env.step(random_legal(env))
        assert not rewards[~dones].any()


def test_all_legal_actions_of_the_learner_are_offered(env):
    env.reset()
    assert env.has_attr("action_masks")
    assert (env.env_method("action_masks") == env.games.masks).all()
    assert env.get_attr("render_mode") == [None] * env.num_envs


def test_a_decision_without_a_legal_action_is_noticed(env):
    env.reset()
    env.games.masks[3] = False
    with pytest.raises(AssertionError, match="without a legal action"):
        env.action_masks()


def test_restricted_play():
    masks = np.zeros((3, sum(block.size for block in TABLE.values())), np.bool_)
    masks[0, [SCORE, DONE]] = masks[1, SCORE] = masks[2, [YES, DONE]] = True
    found = without(masks, ["score", "yes"])
    assert [np.flatnonzero(row).tolist() for row in found] == [[DONE], [SCORE], [DONE]]
    assert without(masks, []) is masks


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


def test_rows_that_judge_are_those_of_the_actions():
    for block, (parts, first_row) in JUDGED_BY.items():
        rows = {PARTS_BY_NAME[name].rows - first_row for name in parts}
        assert len(rows) == 1
        assert rows >= {TABLE[block].size} or min(rows) > TABLE[block].size or block == "place", block


@pytest.mark.parametrize("network", NETWORKS)
def test_networks_choose_legal_actions(env, network):
    env.reset()
    model = MaskablePPO(env=env, n_steps=4, batch_size=16, **policy_arguments(network, (16, 16)))
    actions, _ = model.predict(env.games.observe(), action_masks=env.action_masks())
    assert env.action_masks()[np.arange(env.num_envs), actions].all()


def test_a_panel_of_random_players():
    found = play_evaluation_games(RULES, 60, seed=3, policy=None)
    assert found["win share"] == pytest.approx(1 / 3, abs=0.2)
    assert found["rounds"] <= 12
    assert sum(share[LEARNER] for share in found["phases"].values()) == pytest.approx(found["decisions"][LEARNER])
    assert found["decisions"][OTHERS] == pytest.approx(found["decisions"][LEARNER], rel=0.3)
    won = sum(share[LEARNER] for share in found["vp by phase"].values())
    assert won == pytest.approx(found["vp"][LEARNER])  # every VP is found in some phase
    assert found == play_evaluation_games(RULES, 60, seed=3, policy=None)


def test_a_panel_asks_the_policy_in_its_seat_alone():
    asked = []

    def first_legal(seen, masks):
        asked.append(len(seen))
        return masks.argmax(axis=1)

    found = play_evaluation_games(RULES, 6, seed=3, policy=first_legal)
    assert sum(asked) == pytest.approx(6 * found["decisions"][LEARNER])


def test_numbers_fall_with_the_clock():
    clock = Clock(minutes=10)
    assert clock.now((1.0, 0.5)) == 1.0
    clock.spent = 5
    assert clock.now((1.0, 0.5)) == pytest.approx(0.75)
    clock.spent = 100
    assert clock.now((1.0, 0.5)) == 0.5


@pytest.mark.slow
def test_a_short_run(tmp_path, capsys):
    lengths = Settings(minutes=0.02, every=0.01, panel=1, small_panel=1)
    run(replace(lengths, players=2, games=8, steps=16, batch=64, layers=(16, 16)), tmp_path)
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["decisions learned from"] > 100
    assert results["curve"][-1]["learned"] == results["decisions learned from"]
    assert "win share" in (tmp_path / "tables.md").read_text()
    assert (tmp_path / "curve.svg").read_text().startswith("<?xml")
    assert (tmp_path / "policy.zip").exists()
    assert "decisions a game" in capsys.readouterr().out

"""Compiled rewards equal those computed in plain Python at every step, and add up to the documented sums."""

from typing import Any

import numpy as np
import pytest

from fujikoro_env import BatchedGames, Game, Outcome, Rules, RulesError
from fujikoro_env.envs.rewards import RewardTracker
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.rules.base.names import Outside
from tests.helpers.coop_tables import bare, beat_legendary, coop_table, open_exit
from tests.helpers.endgame import make_magic, own_blueprint, send_out
from tests.helpers.fuzz import kind_of_rules, start
from tests.helpers.rewardbook import ends, leads, parts, progress, rank_rewards, win_rewards, worths
from tests.helpers.tables import do

TABLES = [("competitive", n) for n in range(2, 7)] + [("coop", n) for n in range(1, 7)]
STEPS = 5 if INTERPRETED else 40
EXACT = 1e-4  # rewards are single precision, so sums over long games are not quite exact


# --- every step, compared with plain Python -------------------------------------------------------------------------


class Watched:
    """A game with a reward tracker of each kind, compared with plain Python at every step."""

    def __init__(self, game: Game) -> None:
        self.game, self.kinds = game, tuple(game.rules.facts.reward_bounds)
        self.trackers = {kind: RewardTracker(game, game.rules.reward_kind(kind)) for kind in self.kinds}
        self.begun = {kind: worths(game, kind) for kind in self.kinds}
        self.sums = {kind: np.zeros(game.rules.players) for kind in self.kinds}

    def step(self, action: int) -> None:
        before = {kind: worths(self.game, kind) for kind in self.kinds}
        self.game.step(action)
        for kind in self.kinds:
            paid = self.trackers[kind].pay(self.game) or [0.0] * self.game.rules.players
            expected = np.add(ends(self.game, kind), np.subtract(worths(self.game, kind), before[kind]))
            assert paid == pytest.approx(expected, abs=1e-6), kind
            self.sums[kind] += paid

    def check_sums(self) -> None:
        for kind in self.kinds:
            promised = np.add(ends(self.game, kind), np.subtract(worths(self.game, kind), self.begun[kind]))
            assert self.sums[kind] == pytest.approx(promised, abs=EXACT)


@pytest.mark.parametrize(("mode", "players"), TABLES)
def test_every_step_pays_what_plain_python_computes(mode, players):
    """Play starts from generated positions of every scenario and character, with gear, blueprints, dragons and VP."""
    luck = np.random.default_rng([players, mode == "coop"])
    for number in range(3 if INTERPRETED else 14):
        watched = Watched(start(kind_of_rules(players, luck, 2 * number + players % 2, mode), luck))
        for _ in range(STEPS):
            if watched.game.over:
                break
            watched.step(luck.choice(watched.game.legal_actions()))
        watched.check_sums()


# --- whole episodes -------------------------------------------------------------------------------------------------


def episodes(reward: str, games: int = 24, decisions: int = 900, **rules: Any) -> list[tuple[Outcome, np.ndarray]]:
    """Outcomes of random games, and the sums of their rewards."""
    batch = BatchedGames(Rules(**rules), games, seed=1, reward=reward)
    sums, done = np.zeros((games, 6)), []
    for _ in range(decisions):
        batch.step(batch.random_actions())
        sums += batch.rewards
        for game in np.flatnonzero(batch.dones):
            outcome = batch.outcome(int(game))
            assert outcome is not None
            done.append((outcome, sums[game].copy()))
            sums[game] = 0
    assert done
    return done


SAMPLE: list[dict[str, Any]] = [
    {"players": 2, "max_rounds": 20},
    {"players": 3, "max_rounds": 20, "characters": "random"},
    {"players": 6, "max_rounds": 8, "scenario": 1},
    {"players": 4, "max_rounds": 10, "scenario": 2, "characters": "random"},
    {"players": 1, "mode": "coop"},
    {"players": 4, "mode": "coop", "characters": "random"},
    {"players": 5, "mode": "coop", "scenario": 6},
    {"mode": "solo"},
    {"mode": "solo", "scenario": 7},
    {"mode": "solo", "scenario": 8},
]


def name_of(rules: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in rules.items())


EPISODES = [
    pytest.param(rules, kind, id=f"{name_of(rules)} {kind}")
    for rules in SAMPLE
    for kind in Rules(**rules).facts.reward_bounds
]


@pytest.mark.skipif(INTERPRETED, reason="whole games")
@pytest.mark.parametrize(("rules", "kind"), EPISODES)
def test_an_episode_sums_to_what_the_page_says(rules, kind):
    """The potential of a new game is zero, so shaping does not change the sum of an episode."""
    facts = Rules(**rules).facts
    low, high = facts.reward_bounds[kind]
    for outcome, sums in episodes(kind, **rules):
        of_kind = {"win": win_rewards, "vp": lambda outcome: outcome.scores}.get(kind, rank_rewards)
        assert sums[: facts.players] == pytest.approx(of_kind(outcome), abs=EXACT)
        assert not sums[facts.players :].any()
        assert (low - EXACT <= sums[: facts.players]).all()
        assert (sums[: facts.players] <= high + EXACT).all()
        if not Rules(**rules).is_coop and kind != "vp":
            assert sums.sum() == pytest.approx(0, abs=EXACT)
            assert (sums < 0).any() or len(set(outcome.ranking)) == 1, "losers get a negative reward"


@pytest.mark.parametrize(
    ("ranking", "rewards"),
    [
        ((1, 2), [1, -1]),
        ((4, 1, 2, 3), [-1, 1, 1 / 3, -1 / 3]),
        ((1, 1, 3), [0.5, 0.5, -1]),
        ((2, 1, 2, 4), [0, 1, 0, -1]),
        ((1, 1, 1, 1), [0, 0, 0, 0]),
        ((1, 6, 2, 2, 2, 5), [1, -1, 0.2, 0.2, 0.2, -0.6]),
    ],
)
def test_rank_rewards_are_even_and_zero_sum(ranking, rewards):
    """The VP are set to give the ranking, and the game is ended."""
    players = len(ranking)
    game = Game(Rules(players), seed=1)
    tracker = RewardTracker(game, game.rules.reward_kind("rank"))
    assert tracker.pay(game) is None
    game.state.players["vp"][:players] = [10 - rank for rank in ranking]
    game.state.reason = 2
    assert game.outcome is not None
    assert (game.outcome.reason, game.outcome.ranking) == ("round_cap", ranking)
    assert game.outcome.scores == game.scores
    assert game.outcome.winners == tuple(np.flatnonzero(np.equal(ranking, 1)))
    paid = tracker.pay(game) or [0.0] * players  # a tie of all pays nobody
    assert paid == pytest.approx(rewards)
    assert paid == pytest.approx(rank_rewards(game.outcome))
    assert sum(paid) == pytest.approx(0, abs=1e-6)


# --- what a position is worth ---------------------------------------------------------------------------------------


def shaped(game: Game) -> RewardTracker:
    return RewardTracker(game, game.rules.reward_kind("shaped"))


def test_a_lead_is_worth_its_share_of_the_vp_that_start_the_final_chapter():
    game = Game(Rules(3, final_at=20), seed=1)
    game.state.players["vp"][:3] = [10, 4, 2]
    tracker = shaped(game)
    assert [tracker.worth(p) for p in range(3)] == pytest.approx([7 / 20, -2 / 20, -5 / 20])
    assert [tracker.worth(p) for p in range(3)] == pytest.approx(leads(game))


def test_a_lead_is_worth_no_more_than_winning():
    game = Game(Rules(2, final_at=5), seed=1)
    game.state.players["vp"][:2] = [30, 2]
    assert [shaped(game).worth(p) for p in range(2)] == [1, -1]


def test_progress_of_a_group():
    """Progress grows by a sixth with each part that is achieved."""
    game = coop_table(2)
    seen = [parts(game)]
    for change in (
        lambda: bare(game, "ring1.0"),
        lambda: own_blueprint(game, 0, "helmet"),
        lambda: make_magic(game, 1, "weapon"),
        lambda: beat_legendary(game),
        lambda: send_out(game, 1, Outside.FOOT),
    ):
        change()
        seen.append(parts(game))
        assert shaped(game).worth(0) == pytest.approx(sum(seen[-1].values()) / 6)
        assert shaped(game).worth(1) == shaped(game).worth(0)
    dragon = 1 / len(game.rules.pack.dragons)
    assert seen[0] == {"map": 0, "gear": 0, "dragons": 0, "aim": 0, "out": 0}
    assert seen[-1] == pytest.approx({"map": 1 / 30, "gear": 1.5 / 3, "dragons": dragon, "aim": 1, "out": 0.5})


def test_a_game_that_is_won_pays_the_win_less_the_progress():
    game = coop_table(2)
    bare(game, "ring1.0")
    open_exit(game)
    make_magic(game, 0, "helmet", "weapon", "sandals")
    send_out(game, 1, Outside.FOOT)
    do(game, "move", "done")
    trackers = {kind: RewardTracker(game, game.rules.reward_kind(kind)) for kind in ("rank", "win", "shaped")}
    began = progress(game)
    do(game, "move", "done", "yes")
    assert game.outcome is not None
    assert game.outcome.reason == "won"
    assert trackers["rank"].pay(game) == trackers["win"].pay(game) == [1, 1]
    assert trackers["shaped"].pay(game) == pytest.approx([1 - began] * 2)
    assert 0 < began < 1


# --- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "reward", "line"),
    [
        ({}, "fame", "reward='fame': allowed are 'rank', 'win', 'vp', 'shaped'"),
        ({"mode": "coop"}, "vp", r"reward='vp': allowed are 'rank', 'win', 'shaped' \(no VP in co-op, COOP-3\)"),
        ({"mode": "solo", "scenario": 8}, "", "reward='': allowed are 'rank', 'win', 'vp', 'shaped'"),
    ],
)
def test_a_reward_that_is_not_known_gets_one_line(rules, reward, line):
    with pytest.raises(RulesError, match=f"^{line}$"):
        Rules(**rules).reward_kind(reward)


def test_bounds_are_by_kind():
    assert Rules(4).facts.reward_bounds["win"] == (-0.25, 0.75)
    assert Rules(mode="coop").facts.reward_bounds == dict.fromkeys(("rank", "win", "shaped"), (-1.0, 1.0))

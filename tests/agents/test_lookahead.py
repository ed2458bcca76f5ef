"""Lookahead of `shogun`: shortcuts give the same worths as playing every option to the end in every deal."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from fujikoro_agents.scripted.aims import NO_AIM
from fujikoro_agents.scripted.evaluation import FEATURES, HABIT, features_of_games, read_weights
from fujikoro_agents.scripted.ladder import Players
from fujikoro_agents.scripted.lookahead import DEALS, SEEDS
from fujikoro_agents.scripted.luck import WORD
from fujikoro_agents.scripted.paths import BLOCKED, DISTANCE, FIRST_STEP, UNREACHED, WAYS, find_way_to, find_ways
from fujikoro_agents.scripted.skills import FAST_ESTIMATES, RUNNER, SHOGUN
from fujikoro_env import Game, Rules
from fujikoro_env.kernel.jit import IntArray, entry
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.rules.map.geometry import SPACES
from tests.helpers.ladder_sample import position
from tests.helpers.tables import integers, put, table

LUCK = 4711


def players(skills: int, luck: int) -> Players:
    return Players(np.full((1, PLAYERS), skills), np.full(PLAYERS, luck))


def answer(who: Players, game: Game) -> int:
    action = integers([0])
    who.answer(game.compiled, 0, 1, action)
    return int(action[0])


def next_luck(luck: int) -> int:
    luck ^= luck << 13 & WORD
    luck ^= luck >> 17
    return luck ^ (luck << 5 & WORD)


def looks(rules: Rules, seed: int, decisions: int, skills: int) -> Iterator[tuple[Game, list[tuple[int, float]], int]]:
    """Positions in which shogun tries out its options, the options with their worths, and the seed of the deals."""
    game = position(rules, seed)
    for _ in range(decisions):
        if game.over:
            return
        shogun, rung = players(skills, LUCK), players(skills & ~SHOGUN | RUNNER, LUCK)
        action, usual = answer(shogun, game), answer(rung, game)
        report: Any = shogun.report
        if report[0] > 0:
            seed_of_deals = next_luck(int(rung.luck[game.actor])) * SEEDS >> 32
            habit = read_weights()[HABIT]
            expected = NO_AIM if game.phase == Phase.ACTION else usual
            tried = [(int(report[1 + 2 * k]), float(report[2 + 2 * k])) for k in range(int(report[0]))]
            yield game, [(one, worth - (habit if one == expected else 0)) for one, worth in tried], seed_of_deals
        game.step(action)


def worth_at_end_of_turn(game: Game, first: int | None, deal: int, skills: int) -> float:
    """Evaluation for the actor after its turn, which the rung plays; it begins with an action."""
    player, active, luck = game.actor, game.state.active, deal + 1
    trial = game.determinize(player, deal)
    if first is not None:
        trial.step(first)
    while not trial.over and trial.state.active == active:
        rung = players(skills & ~SHOGUN | RUNNER, luck)
        action = answer(rung, trial)
        luck = int(rung.luck[trial.actor])
        trial.step(action)
    features: Any = np.zeros((1, FEATURES), np.float32)
    features_of_games(trial.compiled.games, trial.rules.tables, integers([0]), integers([player]), features)
    return float((features[0].astype(np.float64) * read_weights()[:FEATURES]).sum())


@pytest.mark.parametrize("skills", [SHOGUN, SHOGUN | FAST_ESTIMATES], ids=["shogun", "scout"])
def test_worths_are_means_over_deals(skills):
    """Aims are left out, apart from playing on by the rules of the rung."""
    compared, deals = 0, 1 if skills & FAST_ESTIMATES else DEALS
    for seed in range(4):
        for game, tried, seed_of_deals in looks(Rules(), seed, 25, skills):
            for option, worth in tried:
                if game.phase == Phase.ACTION and option != NO_AIM:
                    continue
                first = None if game.phase == Phase.ACTION else option
                ends = [worth_at_end_of_turn(game, first, seed_of_deals + deal, skills) for deal in range(deals)]
                assert worth == pytest.approx(np.mean(ends), rel=1e-5)
                compared += 1
    assert compared > 10


@entry
def distances(at: GameArrays, p: int, far: IntArray, steps: IntArray, alone: IntArray, steps_alone: IntArray) -> None:
    """Distances and first steps to all spaces, from one search and from a search for each."""
    ways: Any = np.empty(WAYS, np.int64)
    find_ways(at.games[0], at.tables[0], p, int(at.games[0].players[p].at), 0, 0, ways)
    for space in range(SPACES):
        far[space] = ways[DISTANCE + space]
        steps[space] = ways[FIRST_STEP + space] if far[space] >= 0 else 0
    for space in range(SPACES):
        find_way_to(at.games[0], at.tables[0], p, space, ways)
        alone[space] = ways[DISTANCE + space]
        steps_alone[space] = ways[FIRST_STEP + space] if alone[space] >= 0 else 0


def test_the_way_to_one_space_is_that_of_the_whole_map():
    for seed in range(6):
        game = position(Rules(players=3), seed)
        far, steps, alone, steps_alone = (integers(range(SPACES)) for _ in range(4))
        distances(game.compiled, game.actor, far, steps, alone, steps_alone)
        assert (far.max() > 2, far.min()) == (True, UNREACHED)
        assert ((alone == far) | ((alone < 0) & (far < 0))).all()
        assert (steps == steps_alone).all()


def test_no_way_enters_a_full_space():
    game = table(3)
    for p in (1, 2):
        put(game, p, "ring1.0/petal3")
    far, *others = (integers(range(SPACES)) for _ in range(4))
    distances(game.compiled, 0, far, *others)
    assert (far == BLOCKED).sum() == 1

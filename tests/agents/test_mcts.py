"""`mcts` finds the best action where it is known, sees nothing hidden, and respects its budget and its seed."""

import re
import time

import pytest

from fujikoro_agents.mcts.agent import Mcts
from fujikoro_agents.mcts.candidates import Adviser
from fujikoro_agents.mcts.plan import SCRIPTS, TO_THE_END
from fujikoro_agents.mcts.thinking import Tree, Tried, is_clear, merged
from fujikoro_agents.scripted.aims import NO_AIM
from fujikoro_agents.scripted.skills import FAST_ESTIMATES, LOOKS_AHEAD, RUNNER, SHOGUN
from fujikoro_env import Game, Rules
from fujikoro_env.game import Outcome
from fujikoro_env.player import AgentError, make_agent
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.coop_tables import bare, coop_table, open_exit, set_round
from tests.helpers.endgame import ROPE, final_table, make_magic, own_blueprint
from tests.helpers.fights import INSIDE, lair
from tests.helpers.midgame import midgame
from tests.helpers.processes import run
from tests.helpers.tables import do, give_turn, legal, put, put_gear, put_pack, refresh

SEARCH = "mcts:iterations=256"
STRONG = {"weapon": ["WWMMM", ".MTT"], "helmet": ["MMTT", "MMTT"]}


def choice(game: Game, name: str = SEARCH) -> str:
    """Name of the action that a search chooses."""
    agent = make_agent(name)
    agent.reset(7, game.actor)
    return game.action_name(agent.act(game.view(game.actor)))


def last_turn_by_search(game: Game, name: str = SEARCH) -> Outcome:
    """Play to the end of the game, with a search for every player."""
    agent, player = make_agent(name), game.actor
    agent.reset(7, player)
    while not game.over:
        game.step(agent.act(game.view(player)))
    assert game.outcome is not None
    return game.outcome


def last_turn(game: Game, mine: int, others: int) -> Game:
    """A game in player 0's last turn of the last round, with the given VP of player 0 and of the others."""
    give_turn(game, 0)
    game.state.first_player = 1
    game.state.round_number = game.rules.max_rounds
    for p in range(game.rules.players):
        game.state.players[p].vp = mine if p == 0 else others
    refresh(game)
    return game


# Known best answers


def test_a_fight_to_take():
    """Player 0 is three VP behind; the dragon is worth five, and nothing else within reach is enough."""
    game = lair(ask_forced=False)
    put_gear(game, 0, **STRONG)
    last_turn(game, 20, 23)
    do(game, "move")
    assert choice(game) == f"step({INSIDE})"
    assert last_turn_by_search(game).winners == (0,)


def test_a_fight_not_to_take():
    """Exploring a tile of ring II breaks the tie. A samurai knocked out by the dragon could not explore."""
    game = lair(weapon=["WW"], ask_forced=False)
    last_turn(game, 20, 20)
    do(game, "move")
    assert f"step({INSIDE})" in legal(game)
    assert choice(game) != f"step({INSIDE})"
    assert last_turn_by_search(game).winners == (0,)


def at_the_rope(at: str, mine: int, others: int) -> Game:
    """A game in the last turn of the final chapter, which player 0 started; the rope is there."""
    game = final_table(7, ask_forced=False)
    put(game, 0, at)
    for p, points in enumerate((mine, others)):
        game.state.players[p].vp = points
    refresh(game)
    return game


def test_the_last_step_to_the_rope():
    """A player outside wins a tie, and two steps reach the rope if both are right."""
    assert ROPE < 7
    game = at_the_rope("ring1.0/centre", 30, 30)
    do(game, "move")
    assert len(legal(game)) > 4
    assert last_turn_by_search(game).winners == (0,)


def test_a_blueprint_to_complete():
    """Magic sandals are worth at least three VP to a player who leaves by the rope at the end of this turn."""
    game = at_the_rope("start", 30, 32)
    own_blueprint(game, 0, "sandals")
    put_gear(game, 0, sandals=["MT."])
    put_pack(game, 0, wood=1, metal=1)
    game.state.players[0].pool, game.state.players[0].fields[0] = 2, 1
    refresh(game)
    assert choice(game) == "rest"
    assert last_turn_by_search(game).winners == (0,)


@pytest.mark.parametrize("players", [1, 2])
def test_together_out_of_the_volcano(players):
    """In the last turn of the last round, one step to the exit wins the game."""
    game = coop_table(players, ask_forced=False, adventure_tokens=False)
    bare(game, "ring1.0")
    open_exit(game)
    make_magic(game, 0, "helmet", "weapon", "sandals")
    if players == 2:
        game.state.players[1].outside, game.state.escaped = 2, 1
        game.state.players[1].left_volcano, game.state.players[1].at = 1, 0
    put(game, 0, "start")
    set_round(game, 33 if players == 1 else 28)
    refresh(game)
    assert last_turn_by_search(game).reason == "won"


# What is hidden


@pytest.mark.parametrize("rollout", ["quick", "scout"])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_hidden_changes_nothing(seed, rollout):
    game = midgame(Rules(players=3), seed)
    player = game.actor
    games = [game, game.view(player), game.determinize(player, 1), game.determinize(player, 2).view(player)]
    assert len({choice(each, f"mcts:iterations=64,rollout={rollout}") for each in games}) == 1
    assert len({each.digest() for each in games}) > 2


def luck_after(view: Game, answer: str, seed: int, turns: int = 0) -> list[list[int]]:
    """Random states of the game and of the scripts in the turn after an answer, in one try of the search."""
    tree = Tree(Mcts(iterations=1, turns=turns).plan)
    tree.begin(view, seed, [(view.parse_action(answer), NO_AIM)])
    tree.run(1)
    after = tree.last_game[0]
    assert after.active == (view.state.active + turns + 1) % view.rules.players
    return [after.streams["words"].ravel().tolist(), tree.luck.tolist()]


def test_turn_by_turn_all_answers_meet_the_same_luck():
    """The luck of a turn does not depend on how many random numbers earlier turns used."""
    game = Game(Rules(players=3), 7)
    while game.phase != Phase.ACTION:
        game.step(int(game.legal_actions()[0]))
    view = game.view(game.actor)
    explored, moved = luck_after(view, "explore", 5), luck_after(view, "move", 5)
    assert explored == moved
    for other in (luck_after(view, "explore", 6), luck_after(view, "explore", 5, turns=1)):  # a try, a turn
        assert all(mine != another for mine, another in zip(explored, other, strict=True))


def test_it_changes_nothing_in_the_view():
    view = midgame(Rules(players=3), 5).view(0)
    before = view.digest(), view.legal_actions().tolist()
    make_agent("mcts:iterations=32").act(view)
    assert (view.digest(), view.legal_actions().tolist()) == before


# Budget, threads, seeds


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_seed_gives_the_same_search(threads):
    view = midgame(Rules(players=4), 6)
    view = view.view(view.actor)
    found = []
    for seed in (1, 1, 2):
        agent = Mcts(iterations=65, threads=threads, sure=0)
        agent.reset(seed, view.actor)
        agent.act(view)
        found.append(agent.found)
    assert found[0] == found[1] != found[2]
    assert sum(answer.visits for answer in found[0]) == 65


def test_every_decision_has_luck_of_its_own():
    agent = Mcts(iterations=64)
    view = midgame(Rules(players=4), 6)
    view = view.view(view.actor)
    found = []
    for _ in range(2):
        agent.act(view)
        found.append(agent.found)
    assert found[0] != found[1]


def tried(action: int, visits: int, worth: float, lead: float = 0.0, spread: float = 0.0, aim: int = NO_AIM) -> Tried:
    """A candidate with the given mean value of its tries, and mean advantage over the first candidate."""
    return Tried(action, aim, visits, visits * worth, visits, visits * lead, visits * (lead**2 + spread**2))


def test_trees_are_added_up():
    first = [tried(5, 10, 0.4), tried(7, 30, 0.2, -0.2)]
    second = [tried(5, 30, 0.2), tried(9, 10, 0.0, -0.2)]
    found = merged([first, second], 0.0)
    assert {(answer.action, answer.visits, round(answer.worth, 6)) for answer in found} == {
        (5, 40, 0.25),
        (7, 30, 0.2),
        (9, 10, 0.0),
    }
    assert found[0].action == 5


def test_an_action_for_two_aims_is_two_answers():
    found = merged([[tried(5, 10, 0.4), tried(5, 10, 0.5, 0.1, aim=33)]], 0.0)
    assert [(answer.action, answer.aim) for answer in found] == [(5, 33), (5, NO_AIM)]


@pytest.mark.parametrize(("lead", "visits", "chosen"), [(0.01, 2, 5), (0.01, 10_000, 7), (-0.01, 10_000, 5)])
def test_it_leaves_the_script_only_when_it_is_sure(lead, visits, chosen):
    tree = [tried(5, 10_000, 0.3), tried(7, visits, 0.3 + lead, lead, 0.3)]
    assert merged([tree], 2.0)[0].action == chosen


@pytest.mark.parametrize(("lead", "chosen"), [(0.01, 5), (0.03, 7)])
def test_it_leaves_the_script_only_for_more_than_rollouts_err(lead, chosen):
    tree = [tried(5, 10_000, 0.3), tried(7, 10_000, 0.3 + lead, lead, 0.0)]
    assert merged([tree], 1.0, doubt=0.02)[0].action == chosen
    assert is_clear(tree, 1.0, doubt=0.02)


def test_luck_that_all_answers_share_does_not_count_as_doubt():
    """The values of both answers vary widely, but one is always a little better than the other."""
    tree = [tried(5, 20, 0.5), tried(7, 20, 0.51, 0.01, 0.001)]
    assert merged([tree], 2.0)[0].action == 7


def test_a_few_tries_that_agree_by_chance_do_not_convince():
    """The spread of an answer with only two tries is taken from all answers."""
    tree = [tried(5, 50, 0.5), tried(7, 50, 0.4, -0.1, 0.3), tried(9, 2, 0.6, 0.1, 0.0)]
    assert merged([tree], 2.0)[0].action == 5


OPTIONS = [
    {"must_take_card": False, "share_peeks": True, "exit_always_open": True},
    {"scenario": 1, "unarmed_pass": False},
    {"scenario": 2, "last_turn_dragon_sleeps": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: list(options)[-1])
@pytest.mark.parametrize("name", ["shogun", "mcts:iterations=8"])
def test_answers_are_legal_under_all_options(name, options):
    for seed in range(3):
        game = midgame(Rules(players=3, **options), seed)
        for _ in range(8):
            if game.over:
                break
            game.step(game.parse_action(choice(game.view(game.actor), name)))


# What is tried first


def an_action_to_choose(players: int = 2) -> Game:
    """A position in which a player chooses an action and has several possible aims."""
    return next(game for seed in range(20) if (game := midgame(Rules(players=players), seed)).phase == Phase.ACTION)


def test_candidates_are_the_script_and_all_that_is_legal():
    view = an_action_to_choose()
    candidates = Adviser(SHOGUN).candidates(view, 5)
    assert len(candidates) == len(set(candidates))
    assert {action for action, _ in candidates} == set(view.legal_actions().tolist())
    assert len({aim for _, aim in candidates}) > 2
    assert Adviser(SHOGUN).candidates(view, 5) == candidates


def test_a_rung_that_does_not_look_ahead_names_one():
    view = an_action_to_choose()
    first, *others = Adviser(RUNNER).candidates(view, 5)
    assert first == (make_agent("runner").act(view), NO_AIM)
    assert sorted(action for action, _ in others) == sorted(set(view.legal_actions().tolist()) - {first[0]})


def test_a_scout_looks_ahead_for_actions_alone():
    """At other decisions it answers like a script that does not look ahead."""
    game, runner, asked = an_action_to_choose(), make_agent("runner"), set[int]()
    assert len({aim for _, aim in Adviser(SHOGUN | FAST_ESTIMATES).candidates(game, 5)}) > 2
    while not game.over:
        if game.phase != Phase.ACTION:
            asked.add(game.phase)
            answers = [Adviser(skills | FAST_ESTIMATES).candidates(game, 5) for skills in (SHOGUN, RUNNER)]
            assert answers[0] == answers[1]
        game.step(runner.act(game.view(game.actor)))
    assert {Phase.REST, Phase.MOVE} < asked


def test_together_nobody_asks_shogun():
    plan = Mcts(iterations=1).plan
    assert plan.skills(competitive=True)[0] == SHOGUN
    assert all(skills & LOOKS_AHEAD == 0 for skills in plan.skills(competitive=False))


def test_an_aim_is_kept_to_the_end_of_the_turn():
    """A step towards the aim of the action comes first in the same turn, but not in a later one."""
    game = an_action_to_choose()
    adviser, player = Adviser(SHOGUN), game.actor
    moves = [each for each in adviser.candidates(game.view(player), 5) if game.action_name(each[0]) == "move"]
    steps = set()
    for action, aim in moves:
        after = game.clone()
        after.step(action)
        adviser.keep(game.view(player), action, aim)
        step, kept = adviser.candidates(after.view(player), 5)[0]
        assert kept == aim
        steps.add(step)
        after.state.round_number += 1
        assert adviser.candidates(after.view(player), 5)[0][1] == NO_AIM
    assert len(steps) > 1


def test_an_aim_that_is_done_is_kept_no_longer():
    """Once its goal is gathered or explored, an aim affects neither the next questions nor the next action."""
    game = an_action_to_choose()
    adviser, view = Adviser(SHOGUN), game.view(game.actor)
    done = [each for each in adviser.candidates(view, 5) if each[1] != NO_AIM and game.action_name(each[0]) != "move"]
    assert done
    for action, aim in done:
        after = game.clone()
        after.step(action)
        adviser.keep(view, action, aim)
        if not after.over and after.actor == game.actor and after.phase != Phase.ACTION:
            assert adviser.candidates(after.view(after.actor), 5)[0][1] == NO_AIM
        assert adviser._aim == NO_AIM


def test_the_script_wins_ties():
    assert merged([[tried(7, 10, 0.5), tried(5, 10, 0.5)]], 2.0)[0].action == 7


def test_a_budget_in_time():
    view = midgame(Rules(players=4), 6)
    view = view.view(view.actor)
    make_agent("mcts:iterations=1").act(view)  # whatever has to be compiled
    agent = Mcts(milliseconds=100, rollout="quick", sure=0)
    began = time.monotonic()
    agent.act(view)
    assert time.monotonic() - began >= 0.1
    assert sum(answer.visits for answer in agent.found) > 16
    agent = Mcts(milliseconds=60_000, iterations=20)  # what ends first
    agent.act(view)
    assert sum(answer.visits for answer in agent.found) == 20


@pytest.mark.parametrize(
    ("iterations", "rollout", "rounds"),
    [(1, "quick", 2), (255, "quick", 2), (256, "scout", 1), (1024, "scout", 2), (4096, "scout", 4), (None, "scout", 1)],
)
def test_more_iterations_use_a_better_and_longer_rollout(iterations, rollout, rounds):
    plan = Mcts(iterations=iterations, milliseconds=None if iterations else 100).plan
    assert plan.skills(competitive=True)[2] == SCRIPTS[rollout]
    assert plan.turns_of(players=3, competitive=True) == 3 * rounds
    assert Mcts(iterations=iterations, turns=7).plan.turns_of(players=3, competitive=True) == 7


def test_the_length_of_a_rollout_depends_on_its_player():
    assert Mcts(iterations=1024, rollout="runner").plan.turns_of(players=4, competitive=True) == 8
    assert Mcts(iterations=64, rollout="scout").plan.turns_of(players=4, competitive=True) == 4


# A choice that is clear


@pytest.mark.parametrize(
    ("lead", "spread", "visits", "clear"),
    [
        (-0.2, 0.3, 100, True),  # behind, beyond doubt
        (-0.02, 0.3, 100, False),
        (0.2, 0.3, 100, True),  # ahead
        (0.02, 0.3, 100, False),
        (0.0, 0.0, 100, True),  # the same under any luck
        (0.004, 0.01, 1000, True),  # a trifle
        (-0.2, 0.3, 2, False),  # too few
    ],
)
def test_when_a_choice_is_clear(lead, spread, visits, clear):
    assert is_clear([tried(5, visits, 0.5), tried(7, visits, 0.5 + lead, lead, spread)], 2.0) == clear


def test_the_best_must_lead_all_others_too():
    tree = [tried(5, 100, 0.5), tried(7, 100, 0.7, 0.2, 0.1), tried(9, 100, 0.69, 0.19, 0.1)]
    assert not is_clear(tree, 2.0)
    assert is_clear(tree[:2], 2.0)


@pytest.mark.parametrize(("sure", "tries"), [(0, 640), (0.001, 64), (100, 640)])
def test_a_search_ends_when_the_choice_is_clear(sure, tries):
    game = midgame(Rules(players=4), 1)
    agent = Mcts(iterations=640, rollout="quick", widening=2, growth=0, caution=0, sure=sure)  # three answers
    agent.act(game.view(game.actor))
    assert len(agent.found) == 3
    assert sum(answer.visits for answer in agent.found) == tries


def test_each_thread_ends_for_itself_and_alike_every_time():
    game = midgame(Rules(players=4), 6)
    found = []
    for _ in range(2):
        agent = Mcts(iterations=512, rollout="scout", turns=0, threads=2)
        agent.act(game.view(game.actor))
        found.append(agent.found)
    assert found[0] == found[1]


def test_a_search_by_the_clock_ends_early_too():
    game = midgame(Rules(players=4), 6)
    agent = Mcts(milliseconds=60_000, rollout="quick", widening=0, sure=0.001)
    agent.act(game.view(game.actor))
    assert sum(answer.visits for answer in agent.found) == 64


@pytest.mark.parametrize(
    ("given", "competitive", "sure"),
    [({}, True, 1.5), ({}, False, 0), ({"caution": 3}, True, 3), ({"sure": 1}, False, 2), ({"sure": 0}, True, 0)],
)
def test_no_search_ends_on_a_lead_too_small_to_be_chosen(given, competitive, sure):
    assert Mcts(iterations=1, **given).plan.sure_of(competitive) == sure


def test_a_search_goes_on_while_answers_are_to_come():
    """This many iterations would try seven answers; at the first check there are three."""
    game = midgame(Rules(players=4), 6)
    agent = Mcts(iterations=640, rollout="quick", widening=0.2, caution=0, sure=0.001)
    agent.act(game.view(game.actor))
    assert sum(answer.visits for answer in agent.found) > 64


@pytest.mark.parametrize(("depth", "deeper"), [(1, False), (2, True)])
def test_below_its_depth_there_is_no_tree(depth, deeper):
    view = midgame(Rules(players=4), 6)
    agent = Mcts(iterations=100, depth=depth)
    agent.act(view.view(view.actor))
    assert (agent._trees[0]._search[0].nodes > 1 + len(agent.found)) == deeper


def test_together_games_are_played_on_to_their_end_and_with_caution():
    plan = Mcts(iterations=1).plan
    assert (plan.turns_of(4, competitive=False), plan.caution_of(competitive=False)) == (TO_THE_END, 2.0)
    assert (plan.turns_of(4, competitive=True), plan.caution_of(competitive=True)) == (8, 1.0)
    told = Mcts(iterations=1, turns=3, caution=0.5).plan
    assert (told.turns_of(4, competitive=False), told.caution_of(competitive=False)) == (3, 0.5)


@pytest.mark.parametrize("depth", [1, 64])
def test_a_tree_that_is_full_goes_on_without_growing(depth):
    view = midgame(Rules(players=4), 6)
    view = view.view(view.actor)
    agent = Mcts(iterations=200, widening=10, depth=depth, sure=0)
    agent._trees[0]._nodes = agent._trees[0]._nodes[:5].copy()
    agent.act(view)
    assert sum(answer.visits for answer in agent.found) == 200
    assert len(agent.found) <= 4


SEARCH_ONCE = """
import sys
from tests.agents.test_mcts import found_once

print(found_once(*sys.argv[1:]))
"""


def found_once(iterations: str, rollout: str) -> str:
    game = an_action_to_choose()
    agent = Mcts(iterations=int(iterations), turns=1, depth=64, prior="smith", rollout=rollout)
    agent.act(game.view(game.actor))
    assert len(agent.found) > 1
    return str(agent.found)


@pytest.mark.parametrize("how", [("6", "quick"), ("2", "scout")])
def test_plain_python_finds_the_same(how):
    assert run("-c", SEARCH_ONCE, *how, NUMBA_DISABLE_JIT="1").strip() == found_once(*how)


def test_those_who_look_ahead_play_on_otherwise():
    assert found_once("64", "scout") != found_once("64", "quick")


# By name, in words


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mcts:iterations=0", "iterations=0: allowed are whole numbers from 1 to 10000000"),
        ("mcts:iterations=many", "iterations='many': allowed are whole numbers"),
        ("mcts:milliseconds=1.5", "milliseconds=1.5: allowed are whole numbers from 1"),
        ("mcts:threads=0", "threads=0: allowed are whole numbers from 1 to 256"),
        (
            "mcts:rollout=shogi",
            "rollout='shogi': allowed are light, quick, scout, band, random, wanderer, gatherer",
        ),
        (
            "mcts:prior=nobody",
            "prior='nobody': allowed are light, quick, scout, band, random, wanderer, gatherer",
        ),
        ("mcts:exploration=-1", "exploration=-1: allowed are numbers from 0 to 100"),
        ("mcts:growth=2", "growth=2: allowed are numbers from 0 to 1"),
        ("mcts:turns=true", "turns=True: allowed are whole numbers"),
        ("mcts:depth=0", "depth=0: allowed are whole numbers from 1 to 64"),
        ("mcts:height=3", "it has no parameter 'height'; allowed are iterations, milliseconds"),
    ],
)
def test_a_bad_parameter_gets_one_clear_line(name, said):
    with pytest.raises(AgentError) as caught:
        make_agent(name)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_it_says_why():
    game = midgame(Rules(players=3), 8)
    agent = make_agent("mcts:iterations=50")
    assert agent.explain() == ""
    chosen = game.action_name(agent.act(game.view(game.actor)))
    best, _, others = agent.explain().partition("; next best: ")
    assert re.fullmatch(r"share of the win 0\.\d+ \(\d+ of 50 visits\)", best)
    assert chosen not in others.split(", ")


# Whole games


@pytest.mark.parametrize(
    "rules", [Rules(players=3, max_rounds=3), Rules(mode="solo", max_rounds=3)], ids=["competitive", "solo"]
)
def test_whole_games_come_to_their_end(rules):
    game, agent = Game(rules, 3), make_agent("mcts:iterations=8")
    agent.reset(3, 0)
    while not game.over:
        game.step(agent.act(game.view(game.actor)))
    assert game.outcome is not None

"""The scripted ladder: answers are legal, use nothing hidden and are the same in batches; and what each rung knows."""

import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from fujikoro_agents.scripted.evaluation import FEATURES, NAMES, features_of_games, read_weights
from fujikoro_agents.scripted.ladder import play_games
from fujikoro_agents.scripted.luck import first_luck
from fujikoro_agents.scripted.skills import FAST_ESTIMATES, HUNTER, RUNGS
from fujikoro_env import Game, Rules
from fujikoro_env.player import agent_names, make_agent
from fujikoro_env.rules.base.names import Outside
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_training import ladder as page
from tests.helpers.endgame import final_table, make_magic
from tests.helpers.gear import put_magic_gear, show_cards
from tests.helpers.ladder_sample import answer_of, lines, position
from tests.helpers.processes import run
from tests.helpers.tables import (
    arrays_of,
    do,
    explored,
    integers,
    lay_plain,
    put,
    put_dragon,
    put_gear,
    put_pack,
    put_scrolls,
    refresh,
    space,
    table,
    where,
)

RING_1 = [f"ring1.{k}" for k in range(6)]
FAST = [name for name in RUNGS if name != "shogun"]
TABLES = [
    *(pytest.param({"players": players}, id=f"{players} players") for players in (2, 4, 6)),
    pytest.param({"characters": "random", "players": 6}, id="characters"),
    pytest.param({"adventure_tokens": True}, id="adventure tokens"),
    pytest.param({"adventure_tokens": True, "characters": "random", "monk_to_pack": True}, id="options"),
    pytest.param({"must_take_card": False, "share_peeks": True, "exit_always_open": True}, id="other options"),
    pytest.param({"scenario": 1, "players": 3, "unarmed_pass": False}, id="unarmed_pass"),
    pytest.param({"scenario": 2, "players": 3, "last_turn_dragon_sleeps": True}, id="last_turn_dragon_sleeps"),
    pytest.param({"scenario": 5, "players": 3, "exit_always_open": True}, id="exit_always_open with dragons"),
    pytest.param({"mode": "coop", "players": 3, "must_take_card": False}, id="co-op with must_take_card"),
    *(pytest.param({"scenario": number, "players": 3}, id=f"scenario {number}") for number in (1, 2, 3, 4, 5)),
    pytest.param({"mode": "coop", "players": 3}, id="co-op"),
    pytest.param({"mode": "coop", "players": 2, "scenario": 6}, id="scenario 6"),
    *(pytest.param({"mode": "solo", "players": 1, "scenario": n}, id=f"scenario {n}") for n in (7, 8)),
]


def rung(name: str, game: Game) -> str:
    """Name of the action that a rung chooses."""
    refresh(game)
    return game.action_name(answer_of(game, RUNGS[name]))


def play_turn(name: str, game: Game) -> None:
    """Let a rung play until it is somebody else's turn."""
    play_turn_by(RUNGS[name], game)


def play_turn_by(skills: int, game: Game) -> None:
    player = game.state.active
    refresh(game)
    while game.state.active == player and not game.over:
        game.step(answer_of(game, skills, luck=7))


# Everywhere


@pytest.mark.parametrize("settings", TABLES)
def test_answers_are_legal_everywhere(settings):
    """Each rung plays on for all players from mid-game positions."""
    for seed, name in enumerate(FAST[1:] * 2):
        game = position(Rules(**settings), seed)
        for _ in range(60):
            if game.over:
                break
            game.step(answer_of(game, RUNGS[name], luck=seed + 1))


def test_what_shogun_tries_out_is_legal_and_harmless():
    for seed in range(3):
        game = position(Rules(), seed)
        for _ in range(12):
            if game.over:
                break
            before = game.digest()
            action = answer_of(game, RUNGS["shogun"])
            assert game.digest() == before
            game.step(action)


@pytest.mark.parametrize("name", RUNGS)
def test_what_is_hidden_changes_no_answer(name):
    for seed in range(4):
        game = position(Rules(adventure_tokens=True), seed)
        for decision in range(3 if name == "shogun" else 20):
            if game.over:
                break
            answers = {
                answer_of(other, RUNGS[name])
                for other in (game, game.view(game.actor), game.determinize(game.actor, decision))
            }
            assert len(answers) == 1
            game.step(answers.pop())


def test_batches_play_as_agents_do():
    line_up = ["shogun", "wanderer", "runner", "gatherer", "smith", "hunter"]
    rules, seed = Rules(players=6, max_rounds=6), 77
    results = play_games(rules, np.array([seed]), np.array([[RUNGS[name] for name in line_up]]))
    game, agents = Game(rules, seed), [make_agent(name) for name in line_up]
    for seat, agent in enumerate(agents):
        agent.reset(seed, seat)
    while not game.over:
        action = agents[game.actor].act(game.view(game.actor))
        assert agents[game.actor].explain()
        game.step(action)
    assert arrays_of(game).games.tobytes() == results.games.tobytes()


def test_a_game_is_the_same_in_any_batch():
    rules, seeds = Rules(max_rounds=10), np.array([5, 6, 7])
    skills = np.full((3, PLAYERS), RUNGS["runner"])
    alone = play_games(rules, seeds[1:2], skills[:1])
    assert play_games(rules, seeds, skills).games[1:2].tobytes() == alone.games.tobytes()


@pytest.mark.slow
def test_plain_python_gives_the_same_answers():
    assert run("-m", "tests.helpers.ladder_sample", NUMBA_DISABLE_JIT="1").splitlines() == list(lines())


def test_all_rungs_go_by_name():
    assert set(RUNGS) <= set(agent_names())
    for name in RUNGS:
        assert make_agent(name).explain() in ("", "at random")


def test_luck_is_a_function_of_seed_and_seat():
    assert len({first_luck(seed, seat) for seed in range(50) for seat in range(PLAYERS)}) == 50 * PLAYERS
    assert first_luck(3, 2) == first_luck(3, 2) > 0


# What each rung knows


def test_a_wanderer_explores():
    game = table()
    play_turn("wanderer", game)
    assert len(explored(game)) == 2


def test_a_wanderer_goes_where_tiles_are_worth_more():
    game = table()
    lay_plain(game, *RING_1)
    assert rung("wanderer", game) == "move"
    do(game, "move")
    assert rung("wanderer", game).startswith("step(ring1")


def test_a_gatherer_walks_to_its_scroll():
    game = table()
    lay_plain(game, "ring1.0", "ring1.1")
    game.state.scroll[space("ring1.0/petal0")] = game.state.players[0].colour
    put(game, 0, "ring1.0/petal3")
    assert rung("gatherer", game) == "move"
    play_turn("gatherer", game)
    assert game.state.players[0].vp == 3
    assert where(game, 0) == "ring1.0/petal0"


def test_a_gatherer_leaves_the_scrolls_of_others():
    game = table()
    lay_plain(game, "ring1.0")
    game.state.scroll[space("ring1.0/petal3")] = game.state.players[1].colour
    put(game, 0, "ring1.0/petal3")
    assert rung("gatherer", game) != "gather"


def test_a_gatherer_puts_its_first_monk_into_the_pool():
    game = table()
    lay_plain(game, "ring1.0")
    game.state.monk[space("ring1.0/petal3")] = 1
    put(game, 0, "ring1.0/petal3")
    do(game, "gather", "find(monk)")
    assert rung("gatherer", game) == "monk(pool)"


def test_daisuke_steals_a_scroll_in_passing():
    game = table(characters=("daisuke", "masako"))
    lay_plain(game, "ring1.0", "ring1.1")
    put(game, 0, "ring1.0/petal3")
    put(game, 1, "ring1.0/centre")
    put_scrolls(game, 1, "pilgrim")
    do(game, "move")
    while game.phase != Phase.ACTION:
        do(game, rung("gatherer", game))
    assert game.state.players[0].vp == 3
    assert where(game, 0) != where(game, 1)


@pytest.fixture
def forge() -> Game:
    """A game in which the player has all cubes for the bokken and a disc on an action."""
    game = table(seed=3)
    show_cards(game, "bokken")
    put_pack(game, 0, metal=1)
    do(game, "move", "done")
    return game


def test_a_smith_completes_a_card(forge):
    assert rung("smith", forge) == "rest"
    do(forge, "rest")
    assert rung("smith", forge).startswith("build(card")
    play_turn("smith", forge)
    assert forge.state.players[0].card_on[0] == 2  # under `move`, which is what it does most
    assert forge.state.players[0].looks == 0


def test_a_smith_gathers_what_is_missing(forge):
    put_pack(forge, 0)
    put(forge, 0, "start")
    assert rung("smith", forge) == "gather"


@pytest.mark.parametrize("skills", [HUNTER, HUNTER | FAST_ESTIMATES], ids=["exact odds", "fast estimates"])
@pytest.mark.parametrize(
    ("dragon", "weapon", "helmet", "fights"),
    [
        pytest.param("rain_whelp", ["WWMMM", "MMM"], ["MMMM", "MMMM"], True, id="beats it"),
        pytest.param("inferno_wing", ["WW"], ["W"], False, id="leaves it"),
    ],
)
def test_a_hunter_fights_what_it_can_beat(dragon, weapon, helmet, fights, skills):
    game = table()
    lay_plain(game, *RING_1)
    put_dragon(game, "ring1.1", dragon)
    put(game, 0, "ring1.0/petal3")
    put_gear(game, 0, weapon=weapon, helmet=helmet)
    play_turn_by(skills, game)
    assert (game.state.players[0].vp >= 5) == fights
    assert game.state.players[0].unconscious == 0


def test_a_runner_goes_for_the_rope_in_time():
    game = final_table(entered=7)
    put(game, 0, "ring1.0/petal3")
    play_turn("runner", game)
    assert game.over
    assert game.state.players[0].outside == Outside.PALACE


def test_a_runner_with_much_to_claim_leaves_early():
    """Three turns are left; a runner with two bonuses to claim leaves one turn early."""
    game = final_table(entered=5)
    make_magic(game, 0, "helmet", "weapon")
    put(game, 0, "ring1.0/petal3")
    play_turn("runner", game)
    assert game.state.players[0].outside == Outside.PALACE
    assert game.state.players[0].vp == 12


def test_a_runner_does_not_undo_its_magic_for_a_card():
    game = final_table(entered=3)
    make_magic(game, 0, "helmet")
    show_cards(game, "reed_hat")
    put_pack(game, 0, wood=4)
    do(game, "move", "done", "rest")
    assert not rung("runner", game).startswith("build(card")


def test_shogun_takes_the_last_step_to_the_rope():
    game = final_table(entered=7)
    make_magic(game, 0, "helmet")
    put(game, 0, "ring1.0/petal3")
    play_turn("shogun", game)
    assert game.state.players[0].outside == Outside.PALACE


def test_shogun_explains_by_what_it_tried_out(forge):
    shogun = make_agent("shogun")
    shogun.reset(1, 0)
    refresh(forge)
    assert forge.action_name(shogun.act(forge.view(0))) == "rest"
    assert re.match(r".+, worth [\d.]+; next best: .*, [\d.]+$", shogun.explain())
    assert "to craft at start" in shogun.explain()


# The evaluation


def worth(game: Game) -> float:
    features: Any = np.zeros((1, FEATURES), np.float32)
    features_of_games(game.compiled.games, game.rules.tables, integers([0]), integers([0]), features)
    return float(features[0] @ read_weights()[:FEATURES])


def test_a_better_position_is_worth_more():
    game = table()
    plain = worth(game)
    game.state.players[0].vp += 3
    assert worth(game) == pytest.approx(plain + 3)
    put_magic_gear(game, 0, "helmet")
    assert worth(game) > plain + 8


def test_in_the_final_chapter_the_way_to_the_rope_counts():
    near, far = final_table(entered=7), final_table(entered=7)
    for game in (near, far):
        make_magic(game, 0, "helmet")
    put(near, 0, "ring1.0/petal3")
    assert worth(near) > worth(far)


def test_every_feature_has_its_weight():
    assert read_weights().shape == (FEATURES + 1,)
    assert len(set(NAMES)) == FEATURES


# The table of the ladder


def test_every_seed_is_played_in_all_seatings():
    seeds, skills = page.two_against_two(1, 2, np.array([10, 20]))
    assert seeds.tolist() == [10] * 6 + [20] * 6
    assert (skills[:, :4] == 1).sum(axis=1).tolist() == [2] * 12
    assert len({tuple(row) for row in skills[:6].tolist()}) == 6
    seeds, skills = page.one_against_three(1, 2, np.array([10]))
    assert np.argwhere(skills[:, :4] == 1).tolist() == [[0, 0], [1, 1], [2, 2], [3, 3]]


def test_a_rung_against_itself_wins_half_of_mirrored_games():
    """Agent and game luck depend on seed and seat alone, so all seatings of a seed are one game."""
    seeds, skills = page.two_against_two(RUNGS["smith"], RUNGS["smith"], np.array([1, 2]))
    results = play_games(Rules(max_rounds=8), seeds, skills)
    mine = np.tile(page.two_against_two(1, 0, np.array([1]))[1][:, :4] == 1, (2, 1))
    line = page.line_of("smith - smith", results, mine, 6)
    assert line.share == pytest.approx(0.5)
    assert line.margin == pytest.approx(0)


def test_a_small_run_makes_the_page(tmp_path):
    out = tmp_path / "ladder.md"
    page.main(["--games", "12", "--rungs", "wanderer,gatherer", "--out", str(out)])
    written = out.read_text().splitlines()
    assert [line.split("|")[1].strip() for line in written if " - " in line and line.startswith("|")] == [
        "wanderer - random",
        "gatherer - wanderer",
    ]


def test_the_page_in_the_docs_has_every_rung():
    text = page.PAGE.read_text()
    for below, name in pairwise(RUNGS):
        assert f"| {name} - {below} |" in text
    assert "| shogun - 3 random |" in text


def test_an_unknown_rung_is_refused(capsys):
    with pytest.raises(SystemExit) as refused:
        page.main(["--rungs", "emperor"])
    assert refused.value.code == 2
    assert "emperor" in capsys.readouterr().err

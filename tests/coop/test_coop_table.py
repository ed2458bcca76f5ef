"""Cooperative games as text, as JSON, and in observations."""

import json

import pytest

from fujikoro_env import Game
from fujikoro_env.observation import columns
from fujikoro_env.position import PositionError
from fujikoro_env.render.look import look
from fujikoro_env.render.news import news
from fujikoro_env.rules.base.names import Marker
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.coop_questions import coop_questions
from tests.helpers.coop_tables import bare, coop_table, dragon_comes, finish_round, set_round
from tests.helpers.decoded import on_spaces
from tests.helpers.tables import do, fresh, lay, put, put_dragon, put_scrolls, space

HERE = "ring1.0/petal3"


def position(**changes):
    """A co-op position as plain data; `players__0__vp=3` sets a value in it."""
    game = fresh(2, mode="coop")
    while game.phase != Phase.ACTION:
        game.step(game.legal_actions()[0])
    lay(game, "ring1.1", "azure_burrow", dragons=["rain_whelp"])
    data = json.loads(game.to_json())
    for keys, value in changes.items():
        *path, last = [int(key) if key.isdigit() else key for key in keys.split("__")]
        inner = data
        for key in path:
            inner = inner[key]
        inner[last] = value
    return json.dumps(data)


# Text


def test_the_table_shows_lives_markers_piles_and_the_final_rounds():
    game = coop_table(2, adventure_tokens=False)
    lay(game, "ring1.1", "azure_burrow")
    game.state.players[1].lives_lost = 1
    text = str(game)
    assert "2 lives" in text
    assert "1 life" in text
    assert "asleep" in text
    assert "final rounds from round 21 on" in text
    assert "level II 12, secret exit among 5 to 8" in text
    assert "level III 12, legendary dragon among 5 to 8" in text
    assert " VP" not in text


def test_the_pile_comes_nearer_with_each_tile():
    game = coop_table(2)
    put(game, 0, "temple0")
    do(game, "explore", "place(ring2.0)", "turn(0)")
    assert "level II 11, secret exit among 4 to 7" in str(game)


def test_what_dragons_do_is_told():
    game = coop_table(2)
    bare(game, "ring1.0", "ring1.1")
    put(game, 0, HERE)
    put(game, 1, "temple0")
    put_dragon(game, "ring1.1")
    before = look(game)
    finish_round(game)
    do(game, "place(ring1.1)", "place(ring1.0)")
    told = news(before, look(game))
    assert "rain_whelp goes to ring1.0" in told
    assert "a fight with rain_whelp begins" in told


def test_a_lost_life_is_told():
    game = coop_table(2)
    before = look(game)
    game.state.players[0].lives_lost = 1
    assert "player 0 loses a life, 1 life left" in news(before, look(game))


def test_the_end_is_told_and_drawn():
    game = coop_table(2, max_rounds=2)
    set_round(game, 2)
    finish_round(game)
    assert "The game is over. It is lost." in str(game)
    assert "2 lives" in game._repr_svg_()


def test_a_dragons_way_says_which_dragon():
    game = coop_table(2)
    bare(game, "ring1.0", "ring1.1")
    put(game, 0, HERE)
    put_dragon(game, "ring1.1")
    finish_round(game)
    do(game, "place(ring1.1)")
    assert "Where does the dragon go? (rain_whelp)" in str(game)


# Observations


def test_observations_have_lives_markers_and_the_mode():
    game = coop_table(2, coop_lives=3)
    lay(game, "ring1.1", "azure_burrow")
    game.state.players[1].lives_lost = 2
    seen = game.observe(0)
    assert seen["players"][:2, columns("players")["lives_lost"]].ravel().tolist() == [0, 2]
    assert seen["players"][:2, columns("players")["lives"]].ravel().tolist() == [3, 1]
    assert on_spaces(seen, "marker")[space("ring1.1/centre")] == Marker.ASLEEP
    assert seen["rules"][columns("rules")["mode"]] == 1
    assert seen["rules"][columns("rules")["coop_lives"]] == 3


# Positions


def test_every_question_of_coop_survives_the_way_there_and_back():
    for game in coop_questions():
        assert Game.from_json(game.to_json()).digest() == game.digest(), game.phase


def test_a_fight_with_a_dragon_that_came_can_be_written_down():
    game = coop_table(2)
    bare(game, "ring1.0", "ring1.1")
    put(game, 0, HERE)
    put(game, 1, "temple0")
    dragon_comes(game)
    assert json.loads(game.to_json())["fight"]["came"] is True


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"players__0__vp": 3}, "COOP-3"),
        ({"players__0__unconscious": True}, "COOP-13"),
        ({"players__0__lives_lost": 2}, "COOP-15"),
        ({"players__0__claims": {"monk": 1}}, "COOP-21"),
        ({"rules__final_at": 30}, "COOP-3"),
        ({"rules__players": 7}, "COOP-1"),
        ({"final": {"countdown": 1}}, "COOP-2"),
        ({"round": 27}, "allowed|1 to 26"),
        ({"dragons__rain_whelp__place": "ring2.0"}, "COOP-10"),
        ({"dragons__rain_whelp__marker": "angry"}, "awake, asleep"),
        ({"places__ring2.0": {"tile": "hidden_stair"}}, "COOP-5"),
        ({"gone": {"tiles": ["hidden_stair"]}}, "COOP-4"),
        ({"turn_over": True}, "COOP-13"),
        ({"over": "round_cap"}, "COOP-1"),
        ({"over": "won", "asked": [{"phase": "TURN"}]}, "COOP-1"),
        ({"tops": {"1": {"tile": "whelp_hollow", "seen_by": [0]}}}, "GEAR-5"),
        ({"asked": [{"phase": "TURN", "stage": 6}, {"phase": "LEAVE", "player": 0}]}, "COOP-21"),
        (
            {"asked": [{"phase": "TURN"}, {"phase": "ROUND", "stage": 2}, {"phase": "DRAGON_ORDER", "player": 0}]},
            "COOP",
        ),
    ],
)
def test_what_does_not_fit_coop_is_refused_by_its_rule(changes, fault):
    with pytest.raises(PositionError, match=fault):
        Game.from_json(position(**changes))


def test_a_good_position_is_read():
    game = Game.from_json(position(players__1__lives_lost=1))
    assert game.state.players[1].lives_lost == 1
    assert game.state.dragons[0].marker == Marker.ASLEEP


@pytest.mark.parametrize(("keys", "fault"), [("lives_lost", "COOP-13"), ("turn_over", "TURN-6")])
def test_what_is_of_coop_alone_is_refused_in_competition(keys, fault):
    game = fresh(2)
    data = json.loads(game.to_json())
    (data["players"][0] if keys == "lives_lost" else data)[keys] = 1 if keys == "lives_lost" else True
    with pytest.raises(PositionError, match=fault):
        Game.from_json(json.dumps(data))


@pytest.mark.rule("GEAR-5")
def test_a_storyteller_looks_at_the_next_tile_in_coop():
    game = coop_table(2)
    put_scrolls(game, 0, "storyteller")
    put(game, 0, "temple0")
    do(game, "explore", "place(ring2.0)", "turn(0)")
    assert game.state.top[1] > 0
    assert game.state.top[0] == game.state.top[2] == 0
    assert game.scores == (0, 0)

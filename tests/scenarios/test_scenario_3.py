"""SCEN-31 to SCEN-34: it's getting hot in here."""

import json

import pytest

from fujikoro_env import Game
from fujikoro_env.rules.base.names import Reason, Terrain
from tests.helpers.coop_tables import bare, coop_table, finish_round
from tests.helpers.endgame import give_tokens, lava_tiles, number, pass_turn, put_lava_tile
from tests.helpers.gear import put_card
from tests.helpers.tables import do, lay_plain, put, put_vp, refresh, space, table

HERE, THERE, FAR = "ring1.0/petal3", "ring1.0/centre", "ring1.0/petal0"


def hot(vp=0, **state):
    """A game with a bare tile whose spaces erupt at 1, 2 and 3; player 0 has some VP, and scores by its weapon card."""
    game = table(2, scenario=3)
    lay_plain(game, "ring1.0")
    for eruption, name in enumerate((HERE, THERE, FAR), 1):
        number(game, eruption, name)
    put_card(game, 0, "weapon", "move")
    put_vp(game, vp)
    for name, value in state.items():
        setattr(game.state, name, value)
    refresh(game)
    return game


def score(game):
    do(game, "move", "bonus", "done")


def chapters(game):
    return int(game.state.lava_player), int(game.state.final_player), int(game.state.countdown)


@pytest.mark.rule("SCEN-31")
def test_ten_points_start_a_lava_phase():
    game = hot(vp=8)
    score(game)
    assert chapters(game) == (0, 0, 0)
    score(game)
    assert chapters(game) == (1, 0, 1)  # its turn has ended, the first space is entered
    assert lava_tiles(game) == {HERE}
    pass_turn(game)
    assert chapters(game) == (1, 0, 1)  # another's turn
    do(game, "rest", "done", "move", "main", "done", "done")
    assert chapters(game) == (1, 0, 2)


@pytest.mark.rule("SCEN-31")
def test_it_has_lava_but_neither_rope_nor_end():
    game = hot(vp=9, lava_player=2)
    calls = game.rules.pack.countdown
    for _ in range(2 * len(calls) + 8):
        game.state.players[0].card_on[:] = 0
        pass_turn(game)
    assert lava_tiles(game) == {HERE, THERE, FAR}
    assert (game.state.rope, game.over, int(game.state.countdown)) == (0, False, len(calls))


@pytest.mark.rule("SCEN-32")
@pytest.mark.parametrize("entered", [3, 8])
def test_thirty_points_start_the_final_chapter_from_its_first_space(entered):
    game = hot(vp=28, lava_player=2, countdown=entered, called=0b110)
    score(game)
    assert chapters(game) == (2, 0, entered)
    score(game)
    assert chapters(game) == (2, 1, 1)
    game.state.players[0].card_on[:] = 0
    pass_turn(game)
    assert chapters(game) == (2, 1, 1)  # the lava phase of player 1 goes no further
    while not game.over:
        pass_turn(game)
    assert game.state.rope
    assert game.state.reason == Reason.COUNTDOWN


@pytest.mark.rule("SCEN-31", "ESC-1")
def test_the_secret_exit_stays_shut_in_the_lava_phase():
    game = hot(vp=12, lava_player=1, secret_exit=space(FAR))
    game.state.players[0].card_on[:] = 0
    put(game, 0, FAR)
    pass_turn(game)
    assert game.state.players[0].outside == 0


@pytest.mark.rule("SCEN-34")
def test_lava_that_rain_took_off_comes_back_with_the_final_chapter():
    game = hot(vp=28, lava_player=2, countdown=1, called=0b10)
    put_lava_tile(game, HERE)
    give_tokens(game, 0, "rain_jar")
    refresh(game)
    do(game, "use(rain_jar)", f"step({HERE})")
    assert lava_tiles(game) == set()
    score(game)
    assert lava_tiles(game) == set()
    score(game)
    assert chapters(game) == (2, 1, 1)
    assert lava_tiles(game) == {HERE}


@pytest.mark.rule("SCEN-33")
@pytest.mark.parametrize(("players", "between", "tokens"), [(1, 10, True), (2, 5, True), (2, 5, False), (6, 5, True)])
def test_in_coop_a_lava_phase_comes_after_five_rounds_and_then_the_real_one(players, between, tokens):
    game = coop_table(players, scenario=3, adventure_tokens=tokens)
    entered = [int(game.state.countdown)]
    while not game.over:
        finish_round(game)
        entered.append(int(game.state.countdown))
    eight = list(range(1, 9))
    assert entered[:-1] == [0] * 5 + eight + [0] * between + eight
    assert game.state.reason == Reason.LOST


@pytest.mark.rule("SCEN-33", "SCEN-34")
def test_in_coop_numbers_are_called_twice():
    game = coop_table(2, scenario=3)
    bare(game, "ring1.0")
    number(game, 1, HERE)
    for _ in range(5):
        finish_round(game)
    assert lava_tiles(game) == {HERE}
    game.state.terrain[space(HERE)] = Terrain.GROUND  # taken off
    while game.state.round_number < 5 + 8 + 5:
        finish_round(game)
    assert lava_tiles(game) == set()
    finish_round(game)
    assert (int(game.state.countdown), lava_tiles(game)) == (1, {HERE})


def test_the_table_tells_of_the_lava_phase():
    assert "lava phase at 10 VP, final chapter at 30 VP" in str(hot())
    assert "lava phase, started by player 0" in str(hot(lava_player=1, countdown=2))
    assert "final chapter, started by player 1" in str(hot(lava_player=1, final_player=2))
    coop = coop_table(2, scenario=3)
    assert "lava phase from round 6 on, final rounds from round 19 on" in str(coop)
    for _ in range(5):
        finish_round(coop)
    assert "lava phase, final rounds from round 19 on" in str(coop)


def with_lava_phase():
    """A position as text in which player 1 has 11 VP and its lava phase has entered a space."""
    game = table(2, scenario=3)
    put_vp(game, 11, first=1)
    game.state.lava_player = 2
    game.state.countdown, game.state.called = 1, 0b10
    refresh(game)
    return game


def test_positions_keep_the_lava_phase():
    game = with_lava_phase()
    assert json.loads(game.to_json())["lava_phase"] == {"started_by": 1, "countdown": 1}
    assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()
    put_vp(game, 30)
    game.state.final_player, game.state.called = 1, 0b110
    game.state.countdown = 0  # the lava phase had called 1 and 2
    assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda position: position["players"][1].update(vp=9), r"lava_phase: begins with 10 VP.*\(SCEN-31\)"),
        (lambda position: position.pop("lava_phase"), r"lava_phase: begins with 10 VP.*\(SCEN-31\)"),
        (lambda position: position["lava_phase"].update(countdown=9), r"countdown"),
        (lambda position: position["rules"].pop("scenario"), r"lava_phase: there is none in this game \(SCEN-31\)"),
    ],
)
def test_a_lava_phase_that_does_not_fit_is_refused(change, told):
    position = json.loads(with_lava_phase().to_json())
    change(position)
    with pytest.raises(ValueError, match=told):
        Game.from_json(json.dumps(position))

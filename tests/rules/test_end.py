"""END: the winners, and the round cap."""

import pytest

from fujikoro_env import Rules, RulesError
from tests.helpers.tables import do, end_turn, legal, table


def finished(vp, left_volcano):
    """A game at its end in which players have these VP and left the volcano in this order (0: not at all)."""
    game = table(players=len(vp), max_rounds=1)
    game.state.players["vp"][: len(vp)] = vp
    game.state.players["left_volcano"][: len(vp)] = left_volcano
    while not game.over:
        end_turn(game)
    return game.outcome


@pytest.mark.rule("END-1")
def test_most_vp_wins_escaped_or_not():
    outcome = finished([4, 9, 7], [1, 0, 2])
    assert outcome.scores == (4, 9, 7)
    assert outcome.ranking == (3, 1, 2)
    assert outcome.winners == (1,)


@pytest.mark.rule("END-1")
@pytest.mark.parametrize(
    ("left_volcano", "ranking"),
    [((2, 1, 3), (2, 1, 3)), ((0, 0, 1), (2, 2, 1)), ((1, 0, 0), (1, 2, 2)), ((0, 2, 1), (3, 2, 1))],
)
def test_ties_go_to_the_player_who_left_the_volcano_first(left_volcano, ranking):
    assert finished([5, 5, 5], left_volcano).ranking == ranking


@pytest.mark.rule("END-1")
def test_otherwise_the_tie_stands_and_the_win_is_shared():
    outcome = finished([5, 8, 8, 3], [0, 0, 0, 0])
    assert outcome.ranking == (3, 1, 1, 4)
    assert outcome.winners == (1, 2)


@pytest.mark.rule("END-2")
@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_the_game_is_cut_off_after_the_last_round(rounds):
    game = table(players=3, max_rounds=rounds)
    turns: list[int] = []
    while not game.over:
        assert game.outcome is None
        assert game.state.round_number == 1 + len(turns) // 3
        turns.append(game.actor)
        end_turn(game)
    assert turns == [0, 1, 2] * rounds
    assert game.outcome is not None
    assert game.outcome.reason == "round_cap"
    assert (game.actor, legal(game)) == (-1, set())


@pytest.mark.rule("END-2")
def test_all_players_have_the_same_number_of_turns():
    game = table(players=2, max_rounds=1)
    do(game, "move", "done", "move", "done")
    assert not game.over
    do(game, "move", "done", "move", "done")
    assert game.over


@pytest.mark.rule("END-2")
def test_the_cap_is_80_rounds_unless_set():
    assert Rules().max_rounds == 80
    with pytest.raises(RulesError, match=r"max_rounds=0.*END-2"):
        Rules(max_rounds=0)

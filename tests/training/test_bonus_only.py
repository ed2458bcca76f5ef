"""The agent that takes actions only for their bonus (training/fujikoro_training/bonus_only.py), and its measurement."""

import pytest

from fujikoro_env.rules.base.phases import Phase
from fujikoro_training.bonus_only import NO_FIELD, BonusOnly, Played, main, paying_field, report
from tests.helpers.gear import put_card
from tests.helpers.tables import do, legal, refresh, table


def answer(game):
    agent = BonusOnly()
    agent.reset(1, game.actor)
    return game.action_name(agent.act(game.view(game.actor)))


@pytest.mark.rule("GEAR-3", "TURN-7")
@pytest.mark.parametrize("under", ["move", "explore", "gather"])
def test_an_action_for_its_bonus_alone_is_legal_and_all_that_the_player_takes(under):
    game = table()
    put_card(game, 0, "bokken", under)
    for _ in range(2):
        for name in (under, "bonus", "done"):
            assert answer(game) == name
            do(game, name)
    assert (game.scores, game.actor) == ((2, 0), 1)


def test_without_discs_it_rests():
    game = table()
    put_card(game, 0, "bokken", "explore")
    do(game, "explore", "bonus", "done")
    game.state.players[0].pool = 0
    refresh(game)
    assert answer(game) == "rest"
    do(game, "rest")
    assert game.phase == Phase.REST


@pytest.mark.parametrize(("card", "looks"), [("bokken", True), ("straw_waraji", False)])
def test_cards_that_pay_no_vp_change_nothing(card, looks):
    game = table()
    put_card(game, 0, card, "explore", looks=looks)
    assert paying_field(game) == NO_FIELD
    assert answer(game) in legal(game)


def test_the_report_counts_by_seed():
    lines = report([Played(1.0, 40, 30.0, 2), Played(0.0, 20, 30.0, 0)] * 4, players=2)
    assert lines[0].startswith("8 games of 2 players")
    assert "win share: 50.0%" in lines[1]
    assert lines[2].startswith("VP: 30.0 (30.0 to 30.0), shogun 30.0")
    assert lines[3] == "had a weapon card in 50% of the games, in round 2 (median)"


def test_numbers_that_do_not_fit_get_one_line(capsys):
    with pytest.raises(SystemExit):
        main(["--games", "0"])
    assert "--games and --workers must be at least 1" in capsys.readouterr().err

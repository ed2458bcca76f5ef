"""The action table: numbers, names, parsing, errors, and decisions that are forced."""

import numpy as np
import pytest

from fujikoro_env import Game, IllegalActionError, Rules
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.phases import QUESTIONS, Phase
from tests.helpers.tables import ASKED, do, lay_plain, legal, one_of_each_phase, put, table


def test_blocks_follow_each_other_without_gap_and_stay_below_900_in_all():
    first = 0
    for name, block in act.TABLE.items():
        assert (block.name, block.first) == (name, first)
        assert block.size == max(1, len(block.arguments))
        first += block.size
    assert first == act.ACTIONS < 900
    assert act.WORDS * act.WORD_BITS >= act.ACTIONS


def test_every_block_says_what_it_is_for():
    assert all(block.doc for block in act.TABLE.values())


def test_constants_are_the_first_numbers_of_their_blocks():
    for name, block in act.TABLE.items():
        assert getattr(act, name.upper()) == block.first


def test_a_number_belongs_to_one_block():
    for block in act.TABLE.values():
        assert act.block_of(block.first) == act.block_of(block.first + block.size - 1) == block
    for action in (-1, act.ACTIONS):
        with pytest.raises(
            ValueError, match=f"action {action}: allowed are the whole numbers from 0 to {act.ACTIONS - 1}"
        ):
            act.block_of(action)


def test_names_read_well():
    game = table()
    for name in (
        "move",
        "step(ring2.4/petal3)",
        "lay(metal, weapon[2,3])",
        "place(ring3.17)",
        "turn(5)",
        "throw(tooth)",
    ):
        assert game.action_name(game.parse_action(name)) == name


def test_every_phase_asks_a_question():
    assert set(QUESTIONS) == set(ASKED)


@pytest.mark.parametrize("phase", ASKED, ids=lambda phase: phase.name)
def test_names_are_unique_in_every_state_and_parse_back(phase):
    game = one_of_each_phase()[phase]
    names = [game.action_name(action) for action in range(act.ACTIONS)]
    assert len(set(names)) == act.ACTIONS
    assert [game.parse_action(name) for name in names] == list(range(act.ACTIONS))


def test_cards_go_by_their_own_names():
    game = table()
    open_card = game.vocabulary.scroll(int(game.state.scroll_display[0]))
    assert game.action_name(act.SCROLL) == f"scroll({open_card})"
    assert game.action_name(act.CARD) == f"card({game.vocabulary.gear_card(0)})"
    assert game.action_name(act.BLUEPRINT) == f"blueprint({game.vocabulary.blueprint(0)})"
    assert game.action_name(act.BUILD) == f"build(card {game.vocabulary.gear_card(0)})"


@pytest.mark.parametrize(
    ("name", "says"),
    [("fly", "names begin with yes, no, done"), ("step(moon)", r"for example step\(start\)"), ("", "names begin with")],
)
def test_a_name_that_is_none_gets_an_example(name, says):
    with pytest.raises(ValueError, match=says):
        table().parse_action(name)


def test_an_illegal_action_is_named_with_the_phase_and_what_is_legal():
    game = table()
    do(game, "move")
    with pytest.raises(IllegalActionError) as caught:
        game.step(game.parse_action("step(temple1)"))
    assert str(caught.value) == "step(temple1) is not legal in MOVE; legal: done"
    assert (caught.value.name, caught.value.phase, caught.value.legal) == ("step(temple1)", "MOVE", ["done"])


@pytest.mark.parametrize("action", [-2, act.ACTIONS, 10**6])
def test_a_number_that_is_no_action_is_refused(action):
    with pytest.raises(IllegalActionError, match=f"action {action} is not legal in ACTION; legal: move, explore, gath"):
        table().step(action)


def test_nothing_is_legal_when_the_game_is_over():
    game = table(max_rounds=1)
    do(game, *("move", "done") * 4)
    assert game.over
    assert game.phase == Phase.NONE
    assert not game.legal_mask().any()
    with pytest.raises(IllegalActionError, match="move is not legal because the game is over"):
        game.step(act.MOVE)


def test_the_mask_and_the_list_say_the_same():
    game = table()
    mask = game.legal_mask()
    assert mask.shape == (act.ACTIONS,)
    assert mask.dtype == np.bool_
    assert np.flatnonzero(mask).tolist() == game.legal_actions().tolist()
    assert {game.action_name(action) for action in game.legal_actions()} == {"move", "explore", "gather"}


# Forced decisions


def forced_walk(ask_forced):
    """A game in which player 0 is about to take its last step, and only one space is left for it."""
    game = table(ask_forced=ask_forced)
    lay_plain_asked(game)
    put(game, 0, "ring1.0/centre")
    return game


def lay_plain_asked(game):
    game.state.settings.ask_forced = 1  # `lay_plain` needs it
    lay_plain(game, "ring1.0")
    game.state.settings.ask_forced = game.rules.ask_forced


def test_with_ask_forced_every_decision_is_asked():
    game = forced_walk(ask_forced=True)
    do(game, "move", "step(ring1.0/petal0)", "step(ring1.0/petal1)")
    assert (game.phase, legal(game)) == (Phase.MOVE, {"done"})


def test_without_it_a_single_legal_action_is_done_unasked():
    game = forced_walk(ask_forced=False)
    do(game, "move", "step(ring1.0/petal0)", "step(ring1.0/petal1)")
    assert game.phase == Phase.ACTION


def test_a_chain_of_forced_decisions_is_done_at_once():
    """With nothing explored, a move from the start tile has no steps; with an empty pool, only rest is legal."""
    game = table(ask_forced=False)
    game.state.players[0].pool, game.state.players[0].fields[0] = 1, 2
    game.state.stack[0].stage = 3  # its second action
    do(game, "move")
    assert game.actor == 1


@pytest.mark.parametrize("seed", range(3))
def test_forced_decisions_change_no_game(seed):
    """A game that asks everything and gets the same answers is equal except for that setting."""
    asking, other = (Game(Rules(players=3, max_rounds=10, ask_forced=asked), seed) for asked in (True, False))
    luck = np.random.default_rng(seed)
    while not other.over:
        assert len(other.legal_actions()) > 1
        while len(asking.legal_actions()) == 1:
            asking.step(asking.legal_actions()[0])
        assert asking.legal_actions().tolist() == other.legal_actions().tolist()
        action = luck.choice(other.legal_actions())
        asking.step(action)
        other.step(action)
    while not asking.over:
        asking.step(asking.legal_actions()[0])
    asking.state.settings.ask_forced = 0
    assert asking.digest() == other.digest()

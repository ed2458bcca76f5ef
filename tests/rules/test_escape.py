"""ESC, SHOG and END: the two ways out, the bonuses outside, and the winners."""

import pytest

from fujikoro_env import Game
from fujikoro_env.position import PositionError
from fujikoro_env.rules.base.names import Outside
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.endgame import (
    ROPE,
    final_table,
    make_magic,
    own_blueprint,
    pass_turn,
    send_out,
)
from tests.helpers.gear import magic_of
from tests.helpers.tables import do, give_turn, lay, legal, put, put_gear, put_monks, put_pack, space, table, where

ALL_GEAR = ("helmet", "weapon", "sandals")


def outside(game, player=0):
    return Outside(int(game.state.players[player].outside))


def at_exit(**setting):
    """Player 0 stands at the secret exit."""
    game = final_table(**setting)
    lay(game, "ring2.0", "hidden_stair", 2)
    put(game, 0, "ring2.0/petal2")
    return game


def sent_out(players=2, to=Outside.PALACE, entered=ROPE, **setting):
    """Player 0 is outside; it is the turn of the last player, who started the final chapter."""
    game = final_table(entered, players, starter=players - 1, **setting)
    send_out(game, 0, to)
    return game


def claim(game, *names):
    """Claim these bonuses, one per turn of player 0; the others have nothing to claim."""
    for name in names:
        pass_turn(game)
        do(game, name)


def claims(game):
    """Bonuses that player 0 may claim on its next turn; None if it is not asked."""
    pass_turn(game)
    return {name[6:-1] for name in legal(game, "claim")} if game.phase == Phase.CLAIM else None


@pytest.mark.rule("ESC-1", "ESC-2")
@pytest.mark.parametrize(("entered", "out"), [(ROPE - 2, Outside.INSIDE), (ROPE, Outside.PALACE)])
def test_the_rope_leads_from_the_start_tile_to_the_palace_once_it_lies_there(entered, out):
    game = final_table(entered)
    put(game, 0, "start")
    pass_turn(game)
    assert outside(game) == out


@pytest.mark.rule("ESC-1", "ESC-2")
def test_the_secret_exit_leads_to_the_foot_of_the_mountain():
    game = at_exit()
    assert game.state.secret_exit == space("ring2.0/petal2")
    pass_turn(game)
    assert outside(game) == Outside.FOOT
    assert where(game, 0) == "start"  # the record has no better place for players outside


@pytest.mark.rule("ESC-1")
def test_the_secret_exit_opens_in_the_final_chapter_only():
    game = at_exit()
    game.state.final_player = 0
    pass_turn(game)
    assert outside(game) == Outside.INSIDE


def before_final_chapter(**rules):
    """Player 0 stands at the secret exit; nobody has the VP for the final chapter."""
    game = at_exit(**rules)
    game.state.final_player = 0
    return game


@pytest.mark.rule("ESC-1")
@pytest.mark.parametrize("always_open", [False, True])
def test_by_option_the_secret_exit_is_always_open(always_open):
    game = before_final_chapter(exit_always_open=always_open)
    assert ("the secret exit is open" in str(game)) == always_open
    pass_turn(game)
    assert outside(game) == (Outside.FOOT if always_open else Outside.INSIDE)


@pytest.mark.rule("ESC-1")
def test_the_rope_is_not_there_before_the_final_chapter_whatever_the_exit():
    game = before_final_chapter(exit_always_open=True)
    put(game, 0, "start")
    pass_turn(game)
    assert outside(game) == Outside.INSIDE


@pytest.mark.rule("ESC-1", "SHOG-1", "SHOG-3", "FINAL-1")
def test_a_player_who_left_early_claims_and_may_start_the_final_chapter_by_it():
    game = before_final_chapter(exit_always_open=True, final_at=5)
    put_monks(game, 0, "pack")
    pass_turn(game)
    assert (game.actor, legal(game)) == (0, {"claim(monk)", "done"})
    do(game, "claim(monk)")
    assert (game.scores, game.state.final_player, game.state.countdown) == ((5, 0), 1, 1)


@pytest.mark.rule("ESC-1", "END-2")
def test_if_all_leave_before_the_final_chapter_the_rounds_run_out():
    game = before_final_chapter(exit_always_open=True, max_rounds=9)
    send_out(game, 1, Outside.FOOT)
    pass_turn(game)
    assert game.outcome is not None
    assert (game.outcome.reason, game.state.round_number) == ("round_cap", 9)


@pytest.mark.rule("ESC-1")
@pytest.mark.parametrize("always_open", [False, True])
@pytest.mark.parametrize("to", [Outside.PALACE, Outside.FOOT])
def test_who_may_be_outside_in_a_position_before_the_final_chapter(always_open, to):
    game = before_final_chapter(exit_always_open=always_open)
    send_out(game, 1, to)
    if always_open and to == Outside.FOOT:
        assert outside(Game.from_json(game.to_json()), 1) == to
    else:
        with pytest.raises(PositionError, match="ESC-1"):
            Game.from_json(game.to_json())


@pytest.mark.rule("ESC-1")
@pytest.mark.parametrize("always_open", [False, True])
def test_the_compact_observation_shows_a_way_out_only_if_it_is_open(always_open):
    """The ways in the observation differ from those in a game without the exit only if it is open."""
    game = before_final_chapter(exit_always_open=always_open)
    without = game.clone()
    without.state.secret_exit = 0
    assert (game.observe(0, "compact") != without.observe(0, "compact")).any() == always_open


@pytest.mark.rule("ESC-1")
def test_an_unexplored_exit_can_not_be_used():
    game = final_table()
    put(game, 0, "start")
    pass_turn(game)
    assert outside(game) == Outside.INSIDE


@pytest.mark.rule("ESC-2")
@pytest.mark.parametrize("name", ["ring2.0/petal1", "ring2.0/centre", "ring1.0/petal3", "temple0", "bridge0/a"])
def test_nobody_leaves_from_anywhere_else(name):
    game = at_exit(entered=ROPE)
    put(game, 0, name)
    pass_turn(game)
    assert outside(game) == Outside.INSIDE


@pytest.mark.rule("ESC-2")
def test_a_samurai_leaves_when_its_turn_ends_and_is_not_asked():
    game = final_table(ROPE)
    put(game, 0, "start")
    do(game, "move", "done")
    assert (outside(game), game.phase) == (Outside.INSIDE, Phase.ACTION)
    do(game, "move", "done")
    assert (outside(game), game.actor, game.phase) == (Outside.PALACE, 1, Phase.ACTION)


@pytest.mark.rule("ESC-2")
def test_only_at_the_end_of_its_own_turn():
    game = final_table(ROPE)
    put(game, 1, "start")
    pass_turn(game)
    assert outside(game, 1) == Outside.INSIDE


@pytest.mark.rule("ESC-2")
@pytest.mark.parametrize("name", ["start", "ring2.0/petal2"])
def test_nobody_leaves_unconscious(name):
    game = at_exit(entered=ROPE)
    put(game, 0, name)
    game.state.players[0].unconscious = 1  # as if knocked out in this turn
    pass_turn(game)
    assert outside(game) == Outside.INSIDE


@pytest.mark.rule("ESC-2", "MAP-6")
def test_a_player_who_has_left_takes_no_room():
    game = final_table(ROPE, players=3)
    for p in (1, 2):
        send_out(game, p)
        put(game, p, "ring1.0/petal3")
    put(game, 0, "start")
    do(game, "move")
    assert "step(ring1.0/petal3)" in legal(game)


@pytest.mark.rule("ESC-3")
@pytest.mark.parametrize("catches", [False, True])
def test_a_rope_that_catches_takes_out_the_conscious_players_on_the_start_tile(catches):
    game = final_table(ROPE - 1, players=5, starter=2, rope_catches=catches)
    for p in (0, 2, 3, 4):
        put(game, p, "start")
    game.state.players[4].unconscious = 1
    pass_turn(game)
    assert [outside(game, p) == Outside.PALACE for p in range(5)] == [catches, False, catches, catches, False]
    if catches:  # in player order from the active
        assert game.state.players["left_volcano"][:5].tolist() == [3, 0, 1, 2, 0]


@pytest.mark.rule("ESC-3")
def test_otherwise_they_leave_at_the_end_of_their_own_turn():
    game = final_table(ROPE - 1)
    put(game, 1, "start")
    pass_turn(game)
    assert outside(game, 1) == Outside.INSIDE
    pass_turn(game)
    assert outside(game, 1) == Outside.PALACE


@pytest.mark.rule("ESC-3")
def test_a_player_who_is_caught_out_of_turn_claims_first_on_its_next_turn():
    game = final_table(ROPE - 1, players=3, rope_catches=True)
    put(game, 2, "start")
    put_monks(game, 2, "pack")
    pass_turn(game)
    assert (outside(game, 2), game.actor, game.phase) == (Outside.PALACE, 1, Phase.ACTION)
    pass_turn(game)
    assert (game.actor, game.phase) == (2, Phase.CLAIM)


@pytest.mark.rule("SHOG-1")
def test_outside_a_player_has_no_actions():
    game = sent_out()
    pass_turn(game)
    assert (game.actor, game.phase) == (1, Phase.ACTION)


@pytest.mark.rule("SHOG-1")
def test_one_bonus_a_turn_the_turn_of_the_escape_included():
    game = final_table(ROPE)
    put_monks(game, 0, "pack", "pool")
    put(game, 0, "start")
    pass_turn(game)
    assert (game.actor, legal(game)) == (0, {"claim(monk)", "done"})
    do(game, "claim(monk)")
    assert (game.actor, game.phase) == (1, Phase.ACTION)
    pass_turn(game)
    do(game, "claim(monk)")
    assert game.scores == (6 + 5, 0)
    pass_turn(game)
    assert game.actor == 1  # nothing is left to claim


@pytest.mark.rule("SHOG-1")
def test_a_claim_may_be_left_for_later():
    game = sent_out()
    put_monks(game, 0, "pack")
    claim(game, "done")
    assert game.scores == (0, 0)
    assert claims(game) == {"monk"}


@pytest.mark.rule("SHOG-1")
def test_a_player_who_is_inside_claims_nothing():
    game = final_table(ROPE)
    put_monks(game, 0, "pack")
    make_magic(game, 0, *ALL_GEAR)
    pass_turn(game)
    assert (game.actor, game.phase) == (1, Phase.ACTION)


@pytest.mark.rule("SHOG-1")
@pytest.mark.parametrize("gear", ALL_GEAR)
def test_a_magic_gear_is_claimed_once(gear):
    game = sent_out()
    make_magic(game, 0, gear)
    teeth = {"tooth"} if gear == "sandals" else set()  # magic sandals contain a tooth
    assert claims(game) == {gear} | teeth
    do(game, f"claim({gear})")
    assert game.scores == (12, 0)
    assert (claims(game) or set()) == teeth


@pytest.mark.rule("SHOG-1")
@pytest.mark.parametrize("gear", ALL_GEAR)
def test_a_gear_needs_both_its_magic_and_its_blueprint_marker(gear):
    game = sent_out()
    game.state.supply[3] = 0  # so that no magic comes
    own_blueprint(game, 0, gear)
    assert claims(game) is None
    game.state.players[0].gear[ALL_GEAR.index(gear)].magic = 1
    assert claims(game) == {gear}
    do(game, "done")
    game.state.blueprints["where"][:] = 1
    assert claims(game) is None


@pytest.mark.rule("SHOG-1")
def test_another_players_blueprint_does_not_count():
    game = sent_out()
    own_blueprint(game, 1, "helmet")
    game.state.players[0].gear[0].magic = 1
    assert claims(game) is None


@pytest.mark.rule("SHOG-1")
@pytest.mark.parametrize("spot", ["pool", "scroll", "weapon", "pack", "carried"])
def test_a_monk_from_anywhere(spot):
    game = sent_out()
    put_monks(game, 0, *({spot} - {"carried"}))
    put_pack(game, 0, monks=int(spot == "carried"))
    claim(game, "claim(monk)")
    assert game.scores == (6, 0)
    assert claims(game) is None


@pytest.mark.rule("SHOG-1")
@pytest.mark.parametrize("at", ["carried", *ALL_GEAR])
def test_a_tooth_from_anywhere(at):
    game = sent_out()
    put_gear(game, 0, weapon=["WW"])
    if at == "carried":
        put_pack(game, 0, tooth=2)
    else:
        put_gear(game, 0, **{at: ["WTT"]})
    claim(game, "claim(tooth)", "claim(tooth)")
    assert game.scores == (6 + 5, 0)
    assert claims(game) is None


@pytest.mark.rule("SHOG-1", "SHOG-2")
def test_each_claim_gets_the_highest_free_value_and_the_lowest_has_room_for_all():
    game = sent_out(entered=0, max_rounds=100)
    game.state.final_player = 0  # enough time
    put_monks(game, 0, "pool", "scroll", "weapon", "pack")
    put_pack(game, 0, monks=4, tooth=7)
    gained = []
    for name in ["monk"] * 8 + ["tooth"] * 7:
        before = game.scores[0]
        claim(game, f"claim({name})")
        gained.append(game.scores[0] - before)
    assert gained == [6, 5, 4, 3, 2, 1, 1, 1, *[6, 5, 4, 3, 2, 1, 1]]


@pytest.mark.rule("SHOG-2")
@pytest.mark.parametrize("gear", ALL_GEAR)
def test_all_players_share_the_tracks_of_the_palace(gear):
    game = final_table(ROPE, players=6)
    for p in range(1, 6):
        make_magic(game, p, gear)
        send_out(game, p)
    pass_turn(game)
    for p in range(1, 6):
        assert game.actor == p
        do(game, f"claim({gear})")
    assert game.scores == (0, 12, 9, 6, 3, 3)


@pytest.mark.rule("SHOG-3")
def test_the_foot_of_the_mountain_has_5_vp_once_for_each_gear_and_a_monk():
    game = final_table(ROPE, players=4)
    for p in (1, 2, 3):
        make_magic(game, p, *ALL_GEAR)
        put_monks(game, p, "pool", "pack")
    send_out(game, 1, Outside.FOOT)
    send_out(game, 2, Outside.FOOT)
    send_out(game, 3, Outside.PALACE)
    pass_turn(game)
    do(game, "claim(monk)")
    assert legal(game, "claim") == {f"claim({gear})" for gear in ALL_GEAR}  # one for all players together
    do(game, "claim(weapon)", "claim(monk)")  # the palace has its own
    assert game.scores == (0, 5, 5, 6)
    pass_turn(game)
    assert legal(game, "claim") == {"claim(helmet)", "claim(sandals)"}
    do(game, "claim(helmet)", "claim(sandals)", "done")
    assert game.scores == (0, 10, 10, 6)
    pass_turn(game)
    assert game.actor == 3  # the foot is empty now


@pytest.mark.rule("SHOG-3")
def test_teeth_are_worth_nothing_at_the_foot():
    game = sent_out(to=Outside.FOOT)
    put_pack(game, 0, tooth=3)
    assert claims(game) is None


def last_turn(**setting):
    """A game that ends after this turn, so that player 0 has no further turn."""
    return final_table(entered=7, players=3, starter=2, **setting)


def with_riches(game, player):
    """2 monks, 3 teeth (one on the sandals), magic sandals and helmet: 2 + 3 + 3 + 3 at the lowest values."""
    put_monks(game, player, "pool", "pack")
    put_pack(game, player, tooth=2)
    make_magic(game, player, "sandals", "helmet")


@pytest.mark.rule("SHOG-4")
def test_at_the_end_the_palace_gives_the_lowest_value_for_all_that_is_left():
    game = last_turn()
    with_riches(game, 0)
    send_out(game, 0)
    pass_turn(game)
    assert game.over
    assert game.scores == (11, 0, 0)


@pytest.mark.rule("SHOG-4")
def test_claimed_bonuses_are_not_counted_again():
    game = last_turn()
    with_riches(game, 0)
    send_out(game, 0)
    game.state.players[0].claimed[:] = 1, 0, 0, 1, 2
    pass_turn(game)
    assert game.scores == (1 + 1 + 3, 0, 0)


@pytest.mark.rule("SHOG-4")
@pytest.mark.parametrize("at", [Outside.FOOT, Outside.INSIDE])
def test_the_foot_and_the_inside_get_nothing_at_the_end(at):
    game = last_turn()
    with_riches(game, 0)
    if at == Outside.FOOT:
        send_out(game, 0, at)
    pass_turn(game)
    assert game.over
    assert game.scores == (0, 0, 0)


@pytest.mark.rule("SHOG-5")
def test_claiming_changes_nothing_but_the_vp():
    game = sent_out()
    with_riches(game, 0)
    pass_turn(game)
    before = game.clone()
    do(game, "claim(sandals)")
    claim(game, "claim(monk)", "claim(tooth)")
    assert magic_of(game, 0) == {"helmet": 1, "sandals": 1}
    me, kept = game.state.players[0], before.state.players[0]
    assert me.vp == 12 + 6 + 6
    me.vp, me.claimed[:] = kept.vp, kept.claimed
    assert me.tobytes() == kept.tobytes()


def tied(first, second):
    """Outcome of a game in which all have 7 VP and these players left by the rope, in this order."""
    game = final_table(ROPE, players=3, final_at=8)
    game.state.players["vp"][:3] = 7
    for p in (first, second):
        give_turn(game, p)
        put(game, p, "start")
        pass_turn(game)
    game.state.countdown = 7
    while not game.over:
        pass_turn(game)
    return game.outcome


@pytest.mark.rule("END-1")
@pytest.mark.parametrize(("first", "second", "ranking"), [(1, 2, (3, 1, 2)), (2, 1, (3, 2, 1))])
def test_a_tie_goes_to_the_player_who_left_the_volcano_first(first, second, ranking):
    outcome = tied(first, second)
    assert outcome.reason == "countdown"
    assert outcome.ranking == ranking
    assert outcome.winners == (first,)


@pytest.mark.rule("END-1")
def test_otherwise_the_tie_stands():
    game = last_turn()
    game.state.players["vp"][:3] = 7
    pass_turn(game)
    assert game.outcome.winners == (0, 1, 2)


@pytest.mark.rule("END-1")
def test_most_vp_wins_and_escaping_is_not_needed():
    game = last_turn()
    send_out(game, 0)
    game.state.players["vp"][:3] = 7, 8, 3
    pass_turn(game)
    assert game.outcome.ranking == (2, 1, 3)


@pytest.mark.rule("END-2", "SHOG-4")
@pytest.mark.parametrize("rounds", [1, 2])
def test_a_game_that_is_cut_off_is_scored_as_at_the_end(rounds):
    game = table(max_rounds=rounds)
    with_riches(game, 0)
    send_out(game, 0)
    give_turn(game, 1)
    game.state.first_player = 0
    for _ in range(rounds - 1):
        claim(game, "done")
    assert game.scores == (0, 0)
    pass_turn(game)
    assert game.outcome is not None
    assert game.outcome.reason == "round_cap"
    assert game.scores == (11, 0)

"""Properties of every game, checked in random ones: invariants, illegal actions, copies, views, saving, endings."""

import numpy as np
import pytest

from fujikoro_env import Game, IllegalActionError, Rules
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.rules.base.names import Reason, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.settings import MOST_DECISIONS_A_TURN
from tests.helpers.invariants import bytes_of, check, check_play
from tests.helpers.tables import (
    ASKED,
    arrays_of,
    do,
    explore,
    fresh,
    lay,
    legal,
    one_of_each_phase,
    play,
    play_batch,
    put,
    put_gear,
    put_monks,
    put_pack,
    put_scrolls,
    space,
    table,
)

TABLES = [(players, tokens) for players in (2, 3, 4, 5, 6) for tokens in (True, False)]
# Plain Python is a hundred times slower, so a small sample has to be enough.
GAMES, TURNS = (1, 12) if INTERPRETED else (10, 160)
# Faults written into a game of six players, and the invariant that should notice each.
BROKEN = [
    ("wood, metal, teeth", ("supply", 1), 5),
    ("magic", ("players", 0, "gear", 2, "magic"), 1),
    ("monks", ("players", 3, "pack_monks"), 1),
    ("lava tiles", ("supply", 5), 50),
    ("damage tokens", ("dragons", 0, "damage"), 1),
    ("status tokens", ("players", 1, "status"), 1),
    ("scroll tokens", ("scroll", 0), 3),
    ("scroll cards", ("scroll_display", 0), 0),
    ("tiles of level 2", ("tiles_gone", 1), 1),
    ("square tokens", ("squares_left",), 0),
    ("hex tokens", ("hexes_gone",), 1),
    ("adventure tokens", ("players", 5, "adventures", 0), 1),
    ("dragons", ("dragons_left",), 1),
    ("a dragon and its place", ("dragons", 0, "place"), 1),
    ("gear_cards", ("gear_cards", 0, "where"), 2),
    ("blueprints", ("blueprints", 0, "card"), 40),
    ("a place is explored", ("terrain", 1), 1),
    ("MAP-10", ("players", 0, "at"), 1),
    ("discs", ("players", 0, "pool"), 4),
    ("VP", ("players", 0, "vp"), -1),
    ("VP by source", ("counts", 0, "vp", 1), 1),
    ("frames above", ("stack", 5, "marks"), 1),
    ("path", ("path", 0), 1),
    ("fight is zero", ("fight", "hits"), 1),
    ("fault", ("fault",), 1),
]


def random_game(players=4, seed=0, **rules):
    return play(Game(Rules(players=players, max_rounds=rounds(players), **rules), seed), seed)


def rounds(players):
    return TURNS // players


def every(number, games):
    """Every n-th position, with its number."""
    return ((k, game) for k, game in enumerate(games) if k % number == 0 and not game.over)


# Invariants


@pytest.mark.parametrize(("players", "tokens"), TABLES)
def test_invariants_hold_at_every_decision(players, tokens):
    options = players % 2 == 0
    rules = Rules(
        players,
        adventure_tokens=tokens,
        max_rounds=rounds(players),
        ask_forced=tokens,
        monk_to_pack=options,
        scroll_replace_anytime=options,
    )
    check_play(rules, play_batch(rules, GAMES))


@pytest.mark.parametrize("phase", ASKED, ids=lambda phase: phase.name)
def test_invariants_hold_in_every_phase(phase):
    check(one_of_each_phase()[phase])


def rich_table():
    """A game of six players in which player 0 has a monk and two scrolls."""
    game = table(players=6)
    put_monks(game, 0, "scroll")
    put_scrolls(game, 0, "seer", "pilgrim")
    return game


def drop_a_scroll_token(game):
    me = game.state.players[0]
    game.state.scroll_tokens_gone[me.colour - 1] += 1
    me.scroll_colours[1] = 0


@pytest.mark.parametrize(("says", "path", "value"), BROKEN)
def test_the_invariants_notice_what_is_broken(says, path, value):
    game = rich_table()
    part = game.state
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(AssertionError, match=says):
        check(game)


@pytest.mark.parametrize(
    ("says", "damage"),
    [
        ("SCROLL-4", drop_a_scroll_token),
        ("MONK-2", lambda game: put_monks(game, 0, "pool")),
        ("PACK-1", lambda game: put_pack(game, 0, wood=5)),  # and two scroll tokens
        ("WEAP-6", lambda game: put_gear(game, 0, weapon=["W.W"])),
        ("GATH-8", lambda game: game.state.blueprints["where"].__setitem__([0, 1], Where.OWNED + 1)),
        ("MAP-6", lambda game: game.state.players["at"].__setitem__([0, 1, 2], space("ring1.0/petal0"))),
        ("MOVE-3", lambda game: put(game, 4, "ring1.0/petal4")),
        ("MAP-11", lambda game: put(game, 4, "ring1.1/petal4")),
    ],
)
def test_the_invariants_notice_what_is_against_the_rules(says, damage):
    game = rich_table()
    lay(game, "ring1.0", "ashen_orchard", 1)  # lava on petal 4
    lay(game, "ring1.1", "azure_burrow")  # a dragon
    check(game)
    damage(game)
    with pytest.raises(AssertionError, match=says):
        check(game)


def test_the_invariants_notice_what_is_counted_for_an_empty_seat():
    game = table(players=2)
    check(game)
    game.state.counts[2].crafts[0] = 1
    with pytest.raises(AssertionError, match="nothing is counted for an enemy or an empty seat"):
        check(game)


def test_the_invariants_notice_an_empty_mask():
    game = table()
    arrays_of(game).masks[:] = 0
    with pytest.raises(AssertionError, match="legal actions"):
        check(game)


# Illegal actions


def assert_refused(game, actions):
    before = game.to_bytes(), game.legal_mask().tobytes()
    for action in actions:
        with pytest.raises(IllegalActionError):
            game.step(int(action))
    assert (game.to_bytes(), game.legal_mask().tobytes()) == before


@pytest.mark.parametrize("phase", ASKED, ids=lambda phase: phase.name)
def test_all_masked_out_actions_raise_and_change_nothing_in_every_phase(phase):
    game = one_of_each_phase()[phase]
    assert_refused(game, np.flatnonzero(~game.legal_mask()))


@pytest.mark.parametrize("players", [2, 4, 6])
def test_three_masked_out_actions_raise_and_change_nothing_at_every_decision(players):
    luck = np.random.default_rng(players)
    for game in random_game(players, seed=players):
        assert_refused(game, luck.choice(np.flatnonzero(~game.legal_mask()), 3))


@pytest.mark.parametrize("phase", ASKED, ids=lambda phase: phase.name)
def test_all_legal_actions_can_be_done_in_every_phase(phase):
    game = one_of_each_phase()[phase]
    for action in game.legal_actions():
        copy = game.clone()
        copy.step(action)
        check(copy)
        assert copy.digest() != game.digest()


# Copies


def test_stepping_a_clone_leaves_the_original_alone():
    for _, game in every(5, random_game(3)):
        before, copy = game.to_bytes(), game.clone()
        assert copy.to_bytes() == before
        for _ in play_on(copy, 5):
            assert game.to_bytes() == before


def play_on(game, decisions):
    for _ in range(decisions):
        if not game.over:
            game.step(game.legal_actions()[-1])
            yield


def test_old_clones_never_change():
    kept = [(game.clone(), game.digest()) for _, game in every(3, random_game(4))]
    assert len({digest for _, digest in kept}) == len(kept)
    assert all(copy.digest() == digest for copy, digest in kept)


def test_the_same_seed_and_actions_give_the_same_game():
    one, other = ([game.digest() for game in random_game(5, seed=9)] for _ in range(2))
    assert one == other
    assert one[0] != fresh(5, seed=10).digest()


def test_a_saved_game_goes_on_as_it_would_have():
    for k, game in every(20, random_game(6, seed=3)):
        saved = Game.from_bytes(game.to_bytes())
        assert saved.to_bytes() == game.to_bytes()
        assert saved.rules == game.rules
        assert (saved.legal_mask() == game.legal_mask()).all()
        ends = [[each.digest() for each in play_some(copy, k)] for copy in (saved, game.clone())]
        assert ends[0] == ends[1]


def play_some(game, seed, decisions=10):
    return (each for each, _ in zip(play(game, seed), range(decisions), strict=False))


# What players see


@pytest.mark.parametrize("player", range(3))
def test_a_view_is_determinized_as_the_game_is(player):
    for k, game in every(7, random_game(3, seed=player)):
        view = game.view(player)
        assert view.determinize(player, k).to_bytes() == game.determinize(player, k).to_bytes()


def test_a_view_hides_the_luck_to_come():
    game = table()
    game.load_draws("tiles1", ["mossy_gate"])
    game.load_dice(["W1", "M2*"])
    view = game.view(0)
    for name in ("streams", "loaded_draws", "loaded_dice"):
        assert bytes_of(game.compiled.games, name).any()
        assert not bytes_of(view.compiled.games, name).any()


def test_a_determinized_game_differs_only_in_what_is_hidden():
    for k, game in every(9, random_game(4, seed=1)):
        possible = game.determinize(2, k)
        assert possible.view(2).digest() == game.view(2).digest()
        assert (possible.legal_mask() == game.legal_mask()).all()
        assert possible.digest() != game.digest()
        check(possible)


def test_a_determinized_game_draws_its_own_luck():
    """Otherwise a search would see the real tiles."""
    game, drawn = table(), set()
    game.load_draws("tiles1", ["mossy_gate"])
    for seed in range(20):
        possible = game.determinize(0, seed)
        do(possible, "explore", "place(ring1.0)")
        drawn.add(int(possible.state.stack[possible.state.depth - 1].thing))
    assert len(drawn) > 3
    explore(game, "ring1.0", "mossy_gate")


def test_a_view_can_not_be_played():
    view = table().view(1)
    assert legal(view) == {"move", "explore", "gather"}
    with pytest.raises(TypeError, match="this is player 1's view"):
        view.step(int(view.legal_actions()[0]))


# Length of games


@pytest.mark.parametrize("players", [2, 6])
def test_games_end_by_the_round_cap_and_turns_are_bounded(players):
    rules = Rules(players, ask_forced=True, max_rounds=rounds(players))
    asked = np.zeros(3 * GAMES, np.int64)
    turn, in_turn, longest = asked.copy(), asked.copy(), 0
    for games, _ in play_batch(rules, len(asked)):
        playing = games["reason"] == 0
        now = np.where(is_set_up(games), 0, games["round_number"] * PLAYERS + games["active"])
        in_turn = np.where(now == turn, in_turn + 1, 1) * playing * (now > 0)
        turn, longest = now, max(longest, in_turn.max())
        asked += playing
    assert ((games["round_number"] == rules.max_rounds) | (games["reason"] == Reason.COUNTDOWN)).all()
    assert (asked <= rules.facts.max_decisions).all()
    assert 10 < longest <= MOST_DECISIONS_A_TURN


def is_set_up(games):
    return games["stack"]["phase"][:, 1] == Phase.SETUP


def test_the_longest_turn():
    """Gathers the largest token with a full pack, cube by cube, and then rebuilds the largest pair of weapons."""
    game, asked = table(), 0
    lay(game, "ring3.1", "cloud_piercer", squares=["slayers_camp"])
    put(game, 0, "ring3.1/centre")
    put_monks(game, 0, "weapon", "pack")
    put_pack(game, 0, wood=11)
    put_gear(game, 0, weapon=["WWWWW.WW", "WWW...WW", "......WW", "......WW"])
    gather = ["gather", "find(resources)"]
    for kind in ("metal", "metal", "tooth", "wood"):
        gather += ["throw(wood)", f"take({kind})"]
    cells = [*((0, c) for c in range(5)), *((1, c) for c in range(3)), *((r, c) for r in range(4) for c in (6, 7))]
    lays = [f"lay(wood, weapon[{row},{column}])" for row, column in cells]
    for name in [*gather, "rest", "craft(weapon)", "rebuild", *lays, "done"]:
        assert game.actor == 0
        do(game, name)
        asked += 1
    assert game.actor == 1
    assert asked == 30 <= MOST_DECISIONS_A_TURN

"""SETUP: the table at the start of a game, and the choices that players make before it."""

from collections import Counter

import numpy as np
import pytest

from fujikoro_env import Rules, RulesError
from fujikoro_env.content.model import COLOURS
from fujikoro_env.rules.base.names import Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS
from fujikoro_env.rules.map.geometry import START
from tests.helpers.tables import (
    SETUP_PHASES,
    blueprints_at,
    do,
    end_turn,
    explore,
    fresh,
    gear_of,
    lay,
    legal,
    monks_of,
    open_scrolls,
    pack_of,
    put,
    put_pack,
    space,
    table,
)

SEEDS = range(30)


def set_up(game):
    """Answer every set-up question with the first legal action."""
    while game.phase in SETUP_PHASES:
        game.step(game.legal_actions()[0])


def questions(game):
    """Player and phase of each set-up question; repeated questions count once."""
    asked: list[tuple[int, Phase]] = []
    while game.phase in SETUP_PHASES:
        if asked[-1:] != [(game.actor, game.phase)]:
            asked.append((game.actor, game.phase))
        game.step(game.legal_actions()[0])
    return asked


@pytest.mark.rule("SETUP-1")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_two_to_six_players(players):
    assert len(fresh(players).scores) == players


@pytest.mark.rule("SETUP-1")
@pytest.mark.parametrize("players", [0, 1, 7, True, "4"])
def test_no_other_number_of_players(players):
    with pytest.raises(RulesError, match=r"players=.*2 to 6 \(SETUP-1\)"):
        Rules(players=players)


@pytest.mark.rule("SETUP-1")
def test_all_boards_are_symmetric():
    game = fresh(6)
    assert not game.state.players["character"].any()
    with pytest.raises(RulesError, match=r"all players have asymmetric boards, or none.*\(SETUP-1\)"):
        Rules(players=2, characters=["tomoe", None])  # type: ignore[list-item]


@pytest.mark.rule("SETUP-2")
def test_three_stacks_of_tiles_and_none_on_the_map():
    state = fresh().state
    assert [int(left).bit_count() for left in state.tiles_left] == [7, 13, 13]
    assert not state.tile.any()


def first_tile(seed, name):
    """The tile that is drawn first from a space that touches places of one ring."""
    game = table(seed=seed)
    put(game, 0, name)
    do(game, "explore")
    do(game, min(legal(game, "place")))
    return int(game.state.stack[game.state.depth - 1].thing)


@pytest.mark.rule("SETUP-2")
@pytest.mark.parametrize("name", ["start", "ring1.0/petal0", "ring2.0/petal0"])
def test_stacks_are_shuffled(name):
    assert len({first_tile(seed, name) for seed in SEEDS}) >= 5


@pytest.mark.rule("SETUP-3")
@pytest.mark.parametrize("players", [2, 6])
def test_gear_cards_one_of_each_type_per_player_face_up(players):
    game = fresh(players)
    cards = game.state.gear_cards.reshape(3, CARD_SLOTS)
    for gear in range(3):
        dealt = cards[gear][cards[gear]["card"] != 0]
        assert len(set(dealt["card"])) == len(dealt) == players
        assert set(dealt["where"]) == {Where.DISPLAY}
        assert set((dealt["card"] - 1) // 32) == {gear}


@pytest.mark.rule("SETUP-3")
def test_gear_cards_are_drawn_at_random():
    shown = Counter(card for seed in SEEDS for card in fresh(2, seed).state.gear_cards["card"] if card)
    assert len(shown) == 24


@pytest.mark.rule("SETUP-4")
def test_three_scrolls_are_open_and_the_rest_is_a_deck():
    game = fresh()
    names = game.vocabulary.deck_ids("scrolls")
    deck = {name for k, name in enumerate(names) if int(game.state.scroll_deck) >> k & 1}
    assert len(set(open_scrolls(game))) == 3
    assert deck == set(names) - set(open_scrolls(game))
    assert len({tuple(open_scrolls(fresh(seed=seed))) for seed in SEEDS}) > 20


@pytest.mark.rule("SETUP-5")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_blueprints_are_dealt_to_the_temples_round_and_round(players):
    game = fresh(players)
    dealt = game.state.blueprints[game.state.blueprints["card"] != 0]  # helmets, then weapons, then sandals
    assert ((dealt["card"] - 1) // 32).tolist() == [0] * players + [1] * players + [2] * players
    assert dealt["where"].tolist() == [Where.TEMPLE + k % 3 for k in range(3 * players)]
    for temple in range(3):
        assert len(set(blueprints_at(game, Where.TEMPLE + temple))) == players


@pytest.mark.rule("SETUP-5")
def test_blueprints_are_drawn_at_random_and_open():
    shown = Counter(card for seed in SEEDS for card in fresh(2, seed).state.blueprints["card"] if card)
    assert len(shown) == 24
    game = fresh()
    assert game.view(1).state.blueprints.tobytes() == game.state.blueprints.tobytes()


@pytest.mark.rule("SETUP-6")
def test_a_player_starts_with_three_discs_no_vp_and_an_empty_pack():
    game = fresh(3)
    for p, me in enumerate(game.state.players[:3]):
        assert (me.pool, me.fields.tolist(), me.vp) == (3, [0, 0, 0], 0)
        assert pack_of(game, p) == {}
        assert not me.scrolls.any()
        assert game.state.scroll_tokens[me.colour - 1] == 7


@pytest.mark.rule("SETUP-7")
def test_two_wood_and_two_metal_are_laid_as_a_weapon():
    game = fresh()
    before = game.state.supply[:3].tolist()
    player = game.actor
    do(game, "monk(pool)", "lay(metal, weapon[2,2])")
    beside = {f"weapon[{cell}]" for cell in ("1,2", "3,2", "2,1", "2,3")}
    assert legal(game) == {f"lay({kind}, {cell})" for kind in ("wood", "metal") for cell in beside}
    do(game, "lay(wood, weapon[1,2])", "lay(wood, weapon[0,2])")
    assert {name.partition(",")[0] for name in legal(game)} == {"lay(metal"}
    do(game, "lay(metal, weapon[2,3])")
    assert gear_of(game, player, "weapon") == ["..W", "..W", "..MM"]
    assert game.state.supply[:3].tolist() == [before[0] - 2, before[1] - 2, before[2]]
    assert game.actor != player


@pytest.mark.rule("SETUP-7", "WEAP-3")
def test_the_first_cubes_may_use_the_right_part_with_its_monk():
    game = fresh()
    do(game, "monk(weapon)")
    assert {"lay(wood, weapon[0,7])", "lay(wood, weapon[4,4])"} <= legal(game)
    assert "lay(wood, weapon[0,8])" not in legal(game)


@pytest.mark.rule("SETUP-8")
@pytest.mark.parametrize(("players", "monks"), [(2, 1), (5, 1), (6, 2)])
def test_monks_on_spots_of_choice(players, monks):
    game = fresh(players)
    player, supply = game.actor, game.state.supply[4]
    assert legal(game) == {"monk(pool)", "monk(scroll)", "monk(weapon)", "monk(pack)"}
    do(game, *("monk(scroll)", "monk(pack)")[:monks])
    assert monks_of(game, player) == {*("scroll", "pack")[:monks]}
    assert game.phase == Phase.SETUP_CUBES
    assert game.state.supply[4] == supply - monks


@pytest.mark.rule("SETUP-8")
@pytest.mark.parametrize("seed", range(4))
def test_choices_are_made_in_player_order_monks_before_cubes(seed):
    game = fresh(3, seed)
    first = int(game.state.first_player)
    order = [(first + k) % 3 for k in range(3)]
    assert questions(game) == [(p, phase) for p in order for phase in (Phase.MONK_SPOT, Phase.SETUP_CUBES)]


@pytest.mark.rule("SETUP-8", "MONK-1")
def test_the_first_monk_never_goes_to_the_pack():
    assert "monk(carried)" not in legal(fresh(monk_to_pack=True))


@pytest.mark.rule("SETUP-9")
def test_all_start_on_the_start_tile():
    assert set(fresh(6).state.players["at"][:6]) == {START}


@pytest.mark.rule("SETUP-9")
def test_a_random_player_begins_and_play_goes_clockwise():
    firsts = set()
    for seed in range(20):
        game = fresh(4, seed)
        set_up(game)
        firsts.add(game.actor)
        turns = []
        for _ in range(5):
            turns.append(game.actor)
            end_turn(game)
        assert turns == [(turns[0] + k) % 4 for k in range(5)]
    assert firsts == {0, 1, 2, 3}


@pytest.mark.rule("SETUP-10")
def test_the_supply_is_that_of_the_box():
    assert fresh().state.supply.tolist() == [60, 90, 25, 20, 38, 51, 12, 9]


@pytest.mark.rule("SETUP-10")
def test_what_the_supply_lacks_is_not_taken():
    game = table()
    game.state.supply[:2] = 0, 1
    do(game, "gather", "find(stock)")
    assert legal(game) == {"take(metal)"}
    do(game, "take(metal)")
    assert pack_of(game, 0) == {"metal": 1}
    assert game.state.supply[:2].tolist() == [0, 0]
    assert game.phase == Phase.ACTION


@pytest.mark.rule("SETUP-10", "TURN-7")
def test_nothing_can_be_gathered_from_an_empty_supply():
    game = table()
    game.state.supply[:3] = 0
    assert "gather" not in legal(game)


@pytest.mark.rule("SETUP-10")
def test_all_of_an_offer_is_all_that_the_supply_has():
    game = table()
    lay(game, "ring3.1", "cloud_piercer", squares=["slayers_camp"])
    put(game, 0, "ring3.1/centre")
    put_pack(game, 0, wood=3)
    game.state.supply[1] = 1  # of the 2 metal shown beside a wood and a tooth; so 3 cubes, for which there is room
    do(game, "gather", "find(resources)", "take(all)")
    assert pack_of(game, 0) == {"wood": 4, "metal": 1, "tooth": 1}
    assert game.state.supply[1] == 0


@pytest.mark.rule("SETUP-10", "EXPL-7")
def test_without_monks_in_the_supply_none_is_laid():
    game = table()
    game.state.supply[4] = 0
    explore(game, "ring1.0", "mossy_gate")
    assert not game.state.monk.any()
    assert game.state.supply[4] == 0


@pytest.mark.rule("SETUP-11", "EXPL-7")
@pytest.mark.parametrize("tokens", [False, True])
def test_adventure_tokens_are_an_option(tokens):
    game = table(adventure_tokens=tokens)
    explore(game, "ring1.0", "bamboo_hollow", adventures=["gunbai"])
    found = game.state.adventure[space("ring1.0/petal3")]
    assert found == (game.vocabulary.deck_ids("adventures").index("gunbai") + 1 if tokens else 0)


@pytest.mark.rule("SETUP-11")
@pytest.mark.parametrize("peaceful", [False, True])
def test_peace_is_an_option(peaceful):
    assert table(peaceful=peaceful).state.settings.peaceful == peaceful


@pytest.mark.rule("SETUP-12")
def test_seats_get_different_colours_at_random():
    assert COLOURS == ("red", "pink", "green", "blue", "purple", "black")
    seen = set()
    for seed in SEEDS:
        colours = fresh(6, seed).state.players["colour"].tolist()
        assert sorted(colours) == [1, 2, 3, 4, 5, 6]
        seen.add(tuple(colours))
    assert len(seen) > 20
    assert np.array_equal(fresh(2).state.players["colour"][2:], [0] * 4)

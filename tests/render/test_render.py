"""The table as text and as SVG."""

import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest

from fujikoro_env import Game, Rules
from fujikoro_env.content.model import COLOURS
from fujikoro_env.render import map_svg, table_svg, table_text
from fujikoro_env.render.svg import MARK
from fujikoro_env.render.text import (
    ADVENTURE,
    DRAGON,
    ERUPTIONS,
    EXIT,
    FACE_DOWN,
    FACE_UP,
    GROUND,
    LAVA,
    LAVA_TILE,
    LEGEND,
    MONK,
    SCROLLS,
    UNEXPLORED,
)
from fujikoro_env.rules.base.names import Cube, Gear, Outside, Spot, Terrain, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import DRAGONS_TURN, GEAR_WIDTH
from fujikoro_env.rules.map.geometry import FIRST_BRIDGE, FIRST_TEMPLE, FIRST_TILE_SPACE, SPACES, START, geometry

SVG = "{http://www.w3.org/2000/svg}"
MOST_COLUMNS = 120
TO_THE_END = 10**9
MOMENTS = (0, 40, 400, TO_THE_END)  # decisions


def play(players: int, decisions: int, seed: int = 3) -> Game:
    game, luck = Game(Rules(players=players), seed), np.random.default_rng(seed)
    for _ in range(decisions):
        if game.over:
            break
        game.step(luck.choice(game.legal_actions()))
    return game


@pytest.fixture(scope="module", params=range(2, 7))
def moments(request: pytest.FixtureRequest) -> list[Game]:
    return [play(request.param, decisions) for decisions in MOMENTS]


@pytest.fixture
def explored() -> Game:
    """A game with one bare tile at ring1.0, for tests to put things on."""
    game = Game(Rules(players=2), seed=1)
    game.state.tile[0] = 1
    game.state.terrain[FIRST_TILE_SPACE : FIRST_TILE_SPACE + 7] = Terrain.GROUND
    return game


def map_part(game: Game) -> str:
    """The lines of the map, without the legend beside them."""
    lines = table_text(game).splitlines()
    first = next(k for k, line in enumerate(lines) if line.endswith(LEGEND[0]))
    column = lines[first].index(LEGEND[0])
    return "\n".join(line[:column] for line in lines[first : first + 21])


def titles(picture: str) -> list[str]:
    return [title.text or "" for title in ET.fromstring(picture).iter(f"{SVG}title")]


def texts(picture: str) -> list[str]:
    return ["".join(text.itertext()) for text in ET.fromstring(picture).iter(f"{SVG}text")]


# --- text -----------------------------------------------------------------------------------------------------------


def test_text_fits_the_terminal(moments):
    for game in moments:
        assert max(map(len, str(game).splitlines())) <= MOST_COLUMNS


def test_text_says_who_is_asked_what(moments):
    for game in moments[:-1]:
        assert f"player {game.actor} is asked: {game.question}" in table_text(game)
        assert f"> Player {game.actor}," in table_text(game)


def test_text_of_a_game_that_is_over_names_the_winners(moments):
    over = moments[-1]
    assert over.outcome is not None
    assert f"Won by player {' and '.join(map(str, over.outcome.winners))}." in table_text(over)


def test_text_shows_every_player(moments):
    for game in moments:
        shown = table_text(game)
        for seat, vp in enumerate(game.scores):
            me = game.state.players[seat]
            where = geometry().space_names[me.at]
            if me.outside == Outside.INSIDE:
                assert f"Player {seat}, {COLOURS[me.colour - 1]}: {vp} VP, {where}" in shown


def test_text_map_shows_everything_that_lies_on_it(moments):
    for game in moments:
        s, count = game.state, Counter(map_part(game))
        assert count[FACE_UP] == np.count_nonzero((s.token != 0) & (s.face_up != 0))
        assert count[FACE_DOWN] == np.count_nonzero((s.token != 0) & (s.face_up == 0))
        assert count[MONK] == np.count_nonzero(s.monk)
        assert count[ADVENTURE] == np.count_nonzero(s.adventure)
        assert count[DRAGON] == np.count_nonzero(s.dragon_at)
        assert count[EXIT] == (s.secret_exit != START)
        assert count[LAVA[0]] == len(LAVA) * np.count_nonzero(s.terrain == Terrain.LAVA)
        for number in range(1, 5):
            still_cold = (s.eruption == number) & (s.terrain == Terrain.GROUND)
            assert count[ERUPTIONS[number]] == np.count_nonzero(still_cold)
        for colour in set(COLOURS) - {"green", "red", "blue"}:  # whose letters dragons share
            assert count[SCROLLS[colour]] == np.count_nonzero(s.scroll == COLOURS.index(colour) + 1)


def test_text_map_marks_what_is_unexplored():
    start = map_part(play(2, 0))
    assert start.count(UNEXPLORED) == 30 * 6
    assert all(name.removeprefix("ring") in start for name in geometry().place_names[:30])
    assert GROUND not in start


def test_text_lists_tokens_adventures_and_dragons_by_name(moments):
    for game in moments:
        s, shown = game.state, " ".join(table_text(game).split())
        for space in range(SPACES):
            name = geometry().space_names[space]
            assert (f"{name} {power_of(game, space)}" in shown) == (s.adventure[space] != 0)
        for place, dragon in enumerate(s.dragon_at):
            if dragon:
                printed = game.rules.pack.dragons[dragon - 1]
                crowd = 1 if game.rules.players == 2 else 0
                where, damage = geometry().place_names[place], s.dragons[dragon - 1].damage
                health = f"{printed.health[crowd]} (-{damage})" if damage else f"{printed.health[crowd]}"
                assert f"{printed.id} {where} {health} {printed.initiative}" in shown


def power_of(game: Game, space: int) -> str:
    code = int(game.state.adventure[space])
    return game.rules.pack.adventures[code - 1].power if code else "nothing"


@pytest.mark.parametrize("space", [START, FIRST_TILE_SPACE, FIRST_BRIDGE, FIRST_BRIDGE + 1, FIRST_TEMPLE])
def test_text_map_shows_every_samurai(space):
    game = play(6, 0)
    game.state.terrain[FIRST_TILE_SPACE] = Terrain.GROUND
    crowd = range(2 if space == FIRST_TILE_SPACE else 6)  # MAP-6, MAP-7
    for seat in range(6):
        game.state.players[seat].at = space
        game.state.players[seat].outside = Outside.PALACE
    without = map_part(game)
    for seat in crowd:
        game.state.players[seat].outside = Outside.INSIDE
    assert [map_part(game).count(str(seat)) - without.count(str(seat)) for seat in crowd] == [1] * len(crowd)


def test_text_map_shows_lava_tiles_with_what_lies_on_them(explored):
    s, space = explored.state, FIRST_TILE_SPACE + 2
    s.terrain[space], s.monk[space], s.eruption[space] = Terrain.LAVA_TILE, 1, 2
    assert LAVA_TILE + MONK in map_part(explored)
    assert ERUPTIONS[2] not in map_part(explored)


def test_text_shows_permanent_damage(explored):
    explored.state.dragon_at[0] = 1
    explored.state.dragons[0].place = 1
    explored.state.dragons[0].damage = 2
    printed = explored.rules.pack.dragons[0]
    assert f"{printed.id} ring1.0 {printed.health[1]} (-2) {printed.initiative}" in " ".join(
        table_text(explored).split()
    )


def test_text_shows_gear_with_its_bar_its_closed_part_and_its_magic(explored):
    me, width = explored.state.players[0], GEAR_WIDTH[Gear.WEAPON]
    me.gear[Gear.WEAPON].cubes[Cube.WOOD] = 0b11 << width
    me.gear[Gear.WEAPON].cubes[Cube.METAL] = 1 << (width + 2)
    me.gear[Gear.HELMET].cubes[Cube.TOOTH] = 1
    me.gear[Gear.HELMET].magic = 1
    assert "WWM..|xxx" in table_text(explored)
    assert "T..." in table_text(explored)
    assert "helmet *magic*" in table_text(explored)
    me.monks[Spot.WEAPON] = 1
    assert "WWM..|..." in table_text(explored)


def test_text_says_which_of_two_weapons_is_magic(explored):
    weapon = explored.state.players[0].gear[Gear.WEAPON]
    weapon.cubes[Cube.WOOD] = 1 | 1 << 7
    weapon.magic = 1
    assert "weapon *magic left*" in table_text(explored)
    weapon.magic = 2
    assert "weapon *magic right*" in table_text(explored)


def test_text_shows_what_a_player_owns(explored):
    s, me = explored.state, explored.state.players[0]
    me.pack[:] = 2, 1, 0
    me.pack_monks = 1
    me.scrolls[0], me.scroll_colours[0] = 1, COLOURS.index("pink") + 1
    me.adventures[0] = 1
    s.blueprints[0].where = Where.OWNED
    s.gear_cards[0].where = Where.OWNED
    me.card_on[1] = Gear.HELMET + 1
    card, blueprint = explored.vocabulary.gear_card(0), explored.vocabulary.blueprint(0)
    shown = " ".join(word for line in table_text(explored).splitlines() for word in line[:58].split())
    assert "6 of 6; helmet blueprint 1; pink scroll 1; monk 1; metal 1; wood 2" in shown
    assert f"scrolls {explored.rules.pack.scrolls[0].id}" in shown
    assert f"blueprints {blueprint}" in shown
    assert f"cards explore: {card}" in shown
    assert f"adventures {explored.rules.pack.adventures[0].power}" in shown


def test_text_shows_display_temples_and_supply(moments):
    for game in moments:
        shown = table_text(game)
        cards = [slot for slot in range(18) if game.state.gear_cards[slot].where == Where.DISPLAY]
        assert all(game.vocabulary.gear_card(slot) in shown for slot in cards)
        blueprints = [slot for slot in range(18) if game.state.blueprints[slot].where >= Where.TEMPLE]
        assert all(game.vocabulary.blueprint(slot) in shown for slot in blueprints)
        assert all(game.vocabulary.scroll(int(card)) in shown for card in game.state.scroll_display)
        assert f"wood {game.state.supply[Cube.WOOD]}; metal {game.state.supply[Cube.METAL]}" in shown


def test_text_shows_a_looked_at_tile_only_where_it_is_known(explored):
    explored.state.top[1], explored.state.top_seen[1] = 1, 0b01
    top = explored.vocabulary.deck_ids("tiles2")[0]
    assert f"{top} seen by 0" in table_text(explored.view(0))
    assert "the top seen by 0" in table_text(explored.view(1))
    assert top not in table_text(explored.view(1))


def test_text_shows_the_countdown(explored):
    explored.state.final_player, explored.state.countdown = 2, 1
    first, second = explored.rules.pack.countdown[:2]
    assert f"final chapter, started by player 1: [{first}] > {second}" in table_text(explored)


def test_text_shows_a_dragon_fight(explored):
    fight, dragon = explored.state.fight, explored.rules.pack.dragons[0]
    fight.fighters[1].inside, fight.dragon, fight.health, fight.rounds = 1, 1, 5, 1
    assert f"{dragon.id}, health left 5; round 2; in it: player 1" in table_text(explored)
    fight.fighters[1].initiative, fight.turn = 4, 2
    fight.order[:2] = DRAGONS_TURN, 2
    shown = table_text(explored)
    assert f"initiative {dragon.id} ({dragon.initiative}) > [player 1 (4)]" in shown
    assert "dice  " not in shown
    fight.hits, fight.break_hits, fight.breaks[Cube.METAL] = 3, 2, 1
    assert "hits 3; 2 of them on breaking dice: metal 1" in table_text(explored)


def test_text_shows_who_is_out_of_a_duel(explored):
    fight = explored.state.fight
    fight.fighters[0].inside = 1
    fight.order[:2] = 1, 2
    assert "duel; round 1; initiative player 0 (0) > (player 1 is out)" in table_text(explored)


@pytest.mark.parametrize(
    ("phase", "detail"),
    [
        (Phase.PAY, "weapon, still 2 to cover; wood covers 1, metal 2, tooth 3, magic 4"),
        (Phase.MOVE, "steps left: 2"),
        (Phase.BREAK, "still to break: 1 wood, 2 tooth"),
        (Phase.SETUP_CUBES, "in hand: 1 wood, 2 tooth"),
        (Phase.WASTE, "weapon; lifted: 1 wood, 2 tooth; pack: 3 metal"),
        (Phase.CRAFT_WAY, "weapon"),
        (Phase.STEAL, "player 1"),
        (Phase.CONSENT, "ring1.0/centre"),
        (Phase.REROLL, "hits: 0"),
    ],
)
def test_text_says_what_a_question_is_about(explored, phase, detail):
    state = explored.state
    state.players[explored.actor].pack[Cube.METAL] = 3
    frame = state.stack[state.depth - 1]
    frame.phase, frame.thing, frame.left, frame.at = phase, 1, 2, FIRST_TILE_SPACE
    frame.offer[:] = 1, 0, 2
    assert f"is asked: {explored.question} ({detail})" in table_text(explored)


def test_drawing_changes_nothing(moments):
    for game in moments:
        before = game.digest()
        table_text(game)
        table_svg(game)
        assert game.digest() == before


# --- SVG ------------------------------------------------------------------------------------------------------------


def test_svg_is_xml_and_ours(moments):
    for game in moments:
        picture = table_svg(game)
        assert ET.fromstring(picture).tag == f"{SVG}svg"
        assert MARK in picture
        assert game._repr_svg_() == picture


def test_svg_shows_every_piece(moments):
    for game in moments:
        s, shown = game.state, titles(table_svg(game))
        inside = np.count_nonzero(s.players["outside"][: game.rules.players] == Outside.INSIDE)
        assert sum(title.startswith("player ") for title in shown) == inside
        assert shown.count("monk") == np.count_nonzero(s.monk)
        tokens = [game.vocabulary.token(int(code)) for code in s.token if code]
        dragons = [game.rules.pack.dragons[code - 1].id for code in s.dragon_at if code]
        powers = [power_of(game, space) for space in range(SPACES) if s.adventure[space]]
        for name in {*tokens, *dragons, *powers}:
            assert shown.count(name) == (tokens + dragons + powers).count(name)
        assert set(geometry().space_names) <= {title.partition(":")[0] for title in shown}


def test_svg_says_who_is_asked_what(moments):
    for game in moments[:-1]:
        assert any(text.startswith(f"player {game.actor} is asked:{game.question}") for text in texts(table_svg(game)))


def test_svg_shows_damage_and_magic(explored):
    explored.state.dragon_at[0], explored.state.dragons[0].damage = 1, 3
    explored.state.players[1].gear[Gear.SANDALS].magic = 1
    assert "-3" in texts(table_svg(explored))
    assert "magic" in titles(table_svg(explored))


def test_svg_marks_where_the_player_may_go():
    game = play(3, 0)
    luck = np.random.default_rng(0)
    while game.phase.name != "MOVE":
        game.step(luck.choice(game.legal_actions()))
    steps = [a for a in game.legal_actions() if game.action_name(a).startswith("step(")]
    dashed = [path for path in ET.fromstring(table_svg(game)).iter(f"{SVG}path") if path.get("stroke-dasharray")]
    assert len(dashed) == len(steps)


def test_map_svg_numbers_every_space():
    for picture in (map_svg(), map_svg(play(4, 400))):
        assert {str(number) for number in range(SPACES)} <= set(texts(picture))

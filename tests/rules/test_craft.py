"""CRAFT: rebuilding or adding to a gear, cube by cube or by the pattern of a card; returned cubes and waste."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from fujikoro_env.content.model import GEAR, RESOURCES
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.rules.base.actions import BUILD, CRAFT, DONE, THROW
from fujikoro_env.rules.base.names import Gear, Spot, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS
from fujikoro_env.rules.base.tables import LETTERS
from fujikoro_env.rules.gear.craft import MOST_CRAFT_DECISIONS
from tests.helpers.gear import magic_left, magic_of, put_blueprint, put_card, put_magic_gear, show_cards
from tests.helpers.invariants import check_games
from tests.helpers.layouts import judged, random_weapons, rows_of
from tests.helpers.tables import do, gear_of, legal, pack_of, put_gear, put_monks, put_pack, refresh, table

KINDS = dict(zip(LETTERS, RESOURCES, strict=True))
CRAFTING = (Phase.CRAFT_WAY, Phase.CRAFT_LAY, Phase.WASTE)


def crafting(*actions, pack=None, monks=(), cards=(), blueprints=(), **gear):
    """Player 0 rests with this pack and gear, and carries out these actions; only these cards are in play."""
    game = table()
    put_monks(game, 0, *monks)
    put_pack(game, 0, **(pack or {}))
    put_gear(game, 0, **{"weapon": [], **gear})
    show_cards(game, *cards)
    for name in blueprints:
        put_blueprint(game, 0, name)
    do(game, "move", "done", "rest", *actions)
    return game


def lays(gear, *rows):
    """Actions that lay these rows, row by row."""
    cells = [(row, column, letter) for row, line in enumerate(rows) for column, letter in enumerate(line)]
    return [f"lay({KINDS[letter]}, {gear}[{row},{column}])" for row, column, letter in cells if letter != "."]


# Ways to craft


@pytest.mark.rule("CRAFT-1")
def test_adding_keeps_what_lies_there_and_lays_from_the_pack():
    game = crafting("craft(weapon)", "add", pack={"metal": 2}, weapon=["WW"])
    assert gear_of(game, 0, "weapon") == ["WW"]
    do(game, "lay(metal, weapon[0,2])", "done")
    assert (gear_of(game, 0, "weapon"), pack_of(game, 0), game.phase) == (["WWM"], {"metal": 1}, Phase.ACTION)


@pytest.mark.rule("CRAFT-1")
def test_rebuilding_lifts_all_cubes_and_moves_resources_both_ways():
    game = crafting("craft(weapon)", "rebuild", pack={"tooth": 1}, weapon=["WWM"])
    assert gear_of(game, 0, "weapon") == []
    do(game, *lays("weapon", "", ".T", ".W"), "done", "throw(metal)")
    assert (gear_of(game, 0, "weapon"), pack_of(game, 0)) == (["", ".T", ".W"], {"wood": 1})


@pytest.mark.rule("CRAFT-1")
@pytest.mark.parametrize(
    ("helmet", "pack", "ways"),
    [
        ([], {"wood": 1}, {"add"}),
        (["W"], {}, {"rebuild"}),
        (["W"], {"tooth": 1}, {"add", "rebuild"}),
        (["WWWW", "WWW"], {"wood": 1}, {"add", "rebuild"}),
        (["WWWW", "WWWW"], {"wood": 1}, {"rebuild"}),  # no room for more
    ],
)
def test_there_must_be_something_to_lift_or_something_to_lay(helmet, pack, ways):
    assert legal(crafting("craft(helmet)", helmet=helmet, pack=pack)) == ways


@pytest.mark.rule("CRAFT-1")
def test_kinds_are_laid_while_there_are_cubes_of_them_on_the_table_or_in_the_pack():
    game = crafting("craft(sandals)", "rebuild", pack={"metal": 1}, sandals=["W"])
    assert legal(game) == {"done", *(f"lay({kind}, sandals[0,{k}])" for kind in ("wood", "metal") for k in range(3))}
    do(game, "lay(metal, sandals[0,2])")
    assert legal(game) == {"done", "lay(wood, sandals[0,0])", "lay(wood, sandals[0,1])"}
    do(game, "lay(wood, sandals[0,0])")
    assert legal(game) == {"done"}


@pytest.mark.rule("CRAFT-4", "CRAFT-5", "CRAFT-6")
@pytest.mark.parametrize(("gear", "full"), [("helmet", ["MMMM", "MMMM"]), ("sandals", ["MMM"])])
def test_helmet_and_sandals_are_laid_until_their_grid_is_full(gear, full):
    game = crafting(f"craft({gear})", "add", pack={"metal": 11}, monks=["pack"])
    do(game, *lays(gear, *full))
    assert legal(game) == {"done"}
    assert gear_of(game, 0, gear) == full


@pytest.mark.rule("CRAFT-4")
def test_parts_of_a_helmet_may_be_apart():
    game = crafting("craft(helmet)", "add", *lays("helmet", "W..W", ".W"), "done", pack={"wood": 3})
    assert gear_of(game, 0, "helmet") == ["W..W", ".W"]


@pytest.mark.rule("CRAFT-6")
@pytest.mark.parametrize(("monks", "columns"), [((), 5), (("weapon",), 8)])
def test_the_weapon_grid_has_five_rows_of_five_and_three_columns(monks, columns):
    game = crafting("craft(weapon)", "add", pack={"wood": 1}, monks=monks)
    assert legal(game, "lay") == set(lays("weapon", *["W" * columns] * 5))


@pytest.mark.rule("CRAFT-7")
def test_gear_may_be_left_empty():
    game = crafting("craft(weapon)", "rebuild", "done", "throw(wood)", weapon=["WM"])
    assert (gear_of(game, 0, "weapon"), pack_of(game, 0), game.phase) == ([], {"metal": 1}, Phase.ACTION)


@pytest.mark.rule("CRAFT-7")
def test_gear_cards_are_looked_at_only_when_crafting_is_done():
    game = crafting("craft(sandals)", "add", *lays("sandals", "WWW"), pack={"wood": 4}, cards=["straw_waraji"])
    assert game.phase == Phase.CRAFT_LAY
    do(game, "done")
    assert legal(game) == {"card(straw_waraji)"}


# Magic


@pytest.mark.rule("CRAFT-1", "CRAFT-7")
def test_magic_stays_on_gear_that_matches_its_blueprint_when_crafting_is_done():
    """Sandals of three metal are rebuilt, with no match in between."""
    game = table()
    put_magic_gear(game, 0, "sandals")
    do(game, "move", "done", "rest", "craft(sandals)", "rebuild", *lays("sandals", "MM"))
    left = magic_left(game)
    assert magic_of(game, 0) == {"sandals": 1}
    do(game, *lays("sandals", "..M"), "done")
    assert (magic_of(game, 0), magic_left(game)) == ({"sandals": 1}, left)


@pytest.mark.rule("CRAFT-1")
def test_magic_never_goes_to_the_pack():
    game = table()
    put_magic_gear(game, 0, "sandals")
    left = magic_left(game)
    do(game, "move", "done", "rest", "craft(sandals)", "rebuild", "done")
    assert legal(game) == {"throw(metal)"}
    do(game, "throw(metal)")
    assert (pack_of(game, 0), magic_of(game, 0), magic_left(game)) == ({"metal": 2}, {}, left + 1)


# Returned cubes


def none_is_missing(game):
    """Cubes that a craft has thrown away are in the supply."""
    cubes = game.state.supply[:3] + game.state.players["pack"].sum(axis=0)
    cubes = cubes + np.bitwise_count(game.state.players["gear"]["cubes"]).sum(axis=(0, 1))
    return cubes.tolist() == [game.rules.pack.supply[kind] for kind in RESOURCES]


@pytest.mark.rule("CRAFT-2")
@pytest.mark.parametrize(
    ("before", "pack", "after", "wastes"),
    [
        ("WWM", {}, "WW", {"metal"}),
        ("WWM", {}, "M", {"wood"}),
        ("WMT", {}, "", {"wood", "metal", "tooth"}),
        ("WMM", {"wood": 2}, "WWW", {"metal"}),  # wood went the other way
        ("WMM", {"wood": 1, "metal": 1}, "WM", {"metal"}),  # whatever is in the pack
        ("WMM", {"tooth": 1}, "MTW", {"metal"}),
        ("WMM", {"wood": 3}, "MWM", set()),
        ("WMT", {"wood": 3}, "TMW", set()),
        ("W", {"wood": 1, "metal": 1}, "WWM", set()),
    ],
)
def test_one_of_the_cubes_that_go_to_the_pack_kind_by_kind_is_waste(before, pack, after, wastes):
    start = Counter(KINDS[letter] for letter in before) + Counter(pack)
    for waste in wastes or {""}:
        game = crafting("craft(sandals)", "rebuild", *lays("sandals", after), "done", pack=pack, sandals=[before])
        if waste:
            assert legal(game) == {f"throw({kind})" for kind in wastes}
            do(game, f"throw({waste})")
        assert game.phase == Phase.ACTION
        assert pack_of(game, 0) == start - Counter(KINDS[letter] for letter in after) - Counter({waste: 1})
        assert none_is_missing(game)


@pytest.mark.rule("CRAFT-2")
def test_a_craft_that_adds_has_no_waste():
    game = crafting("craft(weapon)", "add", "lay(wood, weapon[1,0])", "done", pack={"wood": 1}, weapon=["WM"])
    assert game.phase == Phase.ACTION


@pytest.mark.rule("CRAFT-3")
@pytest.mark.parametrize(
    ("pack", "kept"),
    [
        ({"wood": 6}, {"wood": 1, "metal": 2, "tooth": 3}),
        ({"metal": 6}, {"metal": 3, "tooth": 3}),
        ({"tooth": 6}, {"tooth": 6}),
        ({"wood": 1, "tooth": 3}, {"tooth": 6}),
        ({"wood": 1}, {"wood": 1, "metal": 2, "tooth": 3}),
    ],
)
def test_what_was_in_the_pack_may_have_to_go_for_what_comes(pack, kept):
    game = crafting("craft(helmet)", "rebuild", "done", "throw(metal)", pack=pack, helmet=["MMM", "TTT"])
    assert pack_of(game, 0) == kept
    assert none_is_missing(game)


@pytest.mark.rule("CRAFT-3")
def test_a_second_pack_holds_more():
    game = crafting("craft(helmet)", "rebuild", "done", "throw(wood)", helmet=["WWWW", "WWWW"], monks=["pack"])
    assert pack_of(game, 0) == {"wood": 7}


# All layouts


def layouts_reached(game, gear):
    """All layouts that can be reached cube by cube, found by trying; crafting may stop at each of them."""
    first = tuple(gear_of(game, 0, gear))
    todo, met = [game], {first}
    while todo:
        game = todo.pop()
        actions = game.legal_actions()
        assert DONE in actions
        for action in actions[actions != DONE]:
            after = game.clone()
            after.step(action)
            layout = tuple(gear_of(after, 0, gear))
            if layout not in met:
                met.add(layout)
                todo.append(after)
    return met


def layouts_of(rows, columns, letters):
    """All ways to lay some of these letters on a grid, in the format of `gear_of`."""
    most = Counter(letters)
    for chosen in product("." + "".join(most), repeat=rows * columns):
        if Counter(letter for letter in chosen if letter != ".") <= most:
            lines = ["".join(chosen[k : k + columns]).rstrip(".") for k in range(0, rows * columns, columns)]
            while lines and not lines[-1]:
                lines.pop()
            yield tuple(lines)


@pytest.mark.rule("CRAFT-1", "CRAFT-4", "CRAFT-5")
@pytest.mark.parametrize(
    ("gear", "rows", "columns", "lifted", "pack"),
    [
        ("sandals", 1, 3, "WMT", {"wood": 2, "metal": 2, "tooth": 2}),
        ("helmet", 2, 4, "MW", {} if INTERPRETED else {"wood": 1, "tooth": 1}),
    ],
)
def test_rebuilding_reaches_every_layout_of_the_cubes_at_hand(gear, rows, columns, lifted, pack):
    game = crafting(f"craft({gear})", "rebuild", pack=pack, **{gear: [lifted]})
    letters = lifted + "".join(letter * pack.get(kind, 0) for letter, kind in KINDS.items())
    assert layouts_reached(game, gear) == set(layouts_of(rows, columns, letters))


# build(card)


@pytest.mark.rule("CRAFT-1")
def test_a_pattern_is_built_at_once_and_single_cubes_may_follow():
    game = crafting("craft(helmet)", "rebuild", pack={"wood": 3}, helmet=["M", "M"], cards=["iron_brow"])
    do(game, "build(card iron_brow)")
    assert (gear_of(game, 0, "helmet"), pack_of(game, 0)) == (["MM", "WW"], {"wood": 1})
    do(game, "lay(wood, helmet[0,2])", "done")
    assert legal(game) == {"card(iron_brow)"}  # no waste: what was lifted lies there again


@pytest.mark.rule("CRAFT-2")
def test_a_pattern_is_built_of_lifted_cubes_first():
    game = crafting("craft(sandals)", "rebuild", pack={"wood": 3}, sandals=["WWM"], cards=["straw_waraji"])
    do(game, "build(card straw_waraji)", "done", "throw(metal)")
    assert pack_of(game, 0) == {"wood": 2}


def test_a_pattern_is_built_around_the_cubes_that_lie_there():
    game = crafting("craft(weapon)", "add", pack={"wood": 2, "metal": 2}, weapon=["", "...WM"], cards=["kama"])
    assert legal(game, "build") == {"build(card kama)"}
    do(game, "build(card kama)")
    assert gear_of(game, 0, "weapon") == ["", ".WWWM", "....M"]


def test_a_pattern_that_lies_there_is_not_built_on_itself():
    game = crafting("craft(sandals)", "add", pack={"wood": 3}, sandals=["WW"], cards=["straw_waraji"])
    do(game, "build(card straw_waraji)")
    assert legal(game) == {"done"}


def test_patterns_are_those_of_display_cards_and_own_blueprints_of_the_gear():
    given = {"wood": 2, "metal": 2, "tooth": 1}
    cards, blueprints = ["farmers_geta", "iron_tabi", "iron_brow"], ["wind_geta", "sun_kabuto"]
    game = crafting("craft(sandals)", "add", pack=given, cards=cards, blueprints=blueprints, monks=["pack"])
    assert legal(game, "build") == {"build(card farmers_geta)", "build(blueprint wind_geta)"}  # iron_tabi: 3 metal
    game.state.blueprints["where"] += 1  # the other player's
    assert legal(game, "build") == {"build(card farmers_geta)"}


def test_a_player_who_has_a_gear_card_builds_no_other_of_its_type():
    game = crafting("craft(sandals)", "add", pack={"wood": 3}, cards=["straw_waraji"], blueprints=["lava_striders"])
    assert legal(game, "build") == {"build(card straw_waraji)"}
    put_card(game, 0, "iron_tabi", under="move")
    assert legal(game, "build") == set()


@pytest.mark.rule("MATCH-2")
def test_a_pair_is_built_as_two_weapons_that_do_not_touch():
    """The first free cells of the right part lie beside the left weapon."""
    given = {"pack": {"wood": 2, "metal": 2}, "blueprints": ["daisho_of_dusk"], "monks": ["weapon"]}
    game = crafting("craft(weapon)", "add", "build(blueprint daisho_of_dusk)", weapon=[".WWMM"], **given)
    assert gear_of(game, 0, "weapon") == [".WWMM", ".....WWM"]
    do(game, "done")
    assert game.phase == Phase.MAGIC_WEAPON


# Length and result of a craft


@pytest.mark.rule("CRAFT-1")
def test_the_longest_craft_asks_for_the_way_16_cubes_done_and_the_waste():
    lifted, laid = ["WWWW.WWW", "WWWW.WWW", ".....WW"], ["TTTT.TTT", "TTTT.WWW", ".....WW"]
    game = crafting("craft(weapon)", pack={"tooth": 11}, monks=["weapon", "pack"], weapon=lifted)
    answers = ["rebuild", *lays("weapon", *laid), "done", "throw(wood)"]
    do(game, *answers)
    assert len(answers) == MOST_CRAFT_DECISIONS == 19
    assert (gear_of(game, 0, "weapon"), game.phase) == (laid, Phase.ACTION)


def random_rests(luck, number):
    """Games in which player 0 rests, with random gear, pack, monks and blueprints."""
    rest = table()
    do(rest, "move", "done", "rest")
    weapons = random_weapons(luck, 10 * number)
    for owner in weapons[judged(weapons)["legal"] != 0][:number]:
        game = rest.clone()
        spots = ["weapon"] * int(owner.monks[Spot.WEAPON]) + ["pack"] * int(luck.integers(2))
        put_monks(game, 0, *spots)
        weapon = rows_of(int(np.bitwise_or.reduce(owner.gear[Gear.WEAPON].cubes)))
        put_gear(game, 0, weapon=weapon, helmet=random_rows(luck, 2, 4), sandals=random_rows(luck, 1, 3))
        game.state.blueprints["where"][::CARD_SLOTS] = luck.choice([Where.GONE, Where.OWNED], size=3)
        put_pack(game, 0, *luck.multinomial(luck.integers(room_for_cubes(game) + 1), [1 / 3] * 3).tolist())
        refresh(game)
        yield game


def random_rows(luck, rows, columns):
    return ["".join(luck.choice(list("...WMT"), size=columns)) for _ in range(rows)]


def room_for_cubes(game):
    """Number of player 0's slots without blueprint markers; it owns nothing else but cubes."""
    slots = 6 + 5 * int(game.state.players[0].monks[Spot.PACK])
    return slots - np.count_nonzero(game.state.blueprints["where"] == Where.OWNED)


def random_answer(luck, game):
    """A random answer that often builds patterns and rarely stops, so that crafts become long."""
    actions = game.legal_actions()
    for sort, chance in (actions >= BUILD, 0.3), (actions != DONE, 0.95):
        if sort.any() and luck.random() < chance:
            return int(luck.choice(actions[sort]))
    return int(actions[0])


def craft_at_random(luck, game):
    """Number of decisions, kinds of cubes that could be the waste, and the kind that was."""
    decisions, wastes, waste = 0, [], None
    while game.phase in CRAFTING:
        answer = random_answer(luck, game)
        if game.phase == Phase.WASTE:
            wastes, waste = (game.legal_actions() - THROW).tolist(), answer - THROW
        game.step(answer)  # it would raise if the next decision had no answer
        decisions += 1
    return decisions, wastes, waste


def cubes_of_player(game):
    """Numbers of wood, metal and teeth on each gear, then in the pack."""
    me = game.state.players[0]
    return np.bitwise_count(me.gear["cubes"]).astype(int), me.pack.astype(int)


def pack_after(pack, flow, waste, room):
    """Possible packs by the letter of CRAFT-2 and CRAFT-3; `flow`: cubes moved from the gear to the pack, by kind."""
    pack = pack + flow
    if waste is not None:
        pack[waste] -= 1
    for kind in range(3):
        pack[kind] -= min(pack[kind], max(0, pack.sum() - room))
    return pack.tolist()


@pytest.mark.rule("REST-1", "CRAFT-1", "CRAFT-2", "CRAFT-3")
def test_random_crafts_end_in_time_and_move_the_net_flow_of_one_gear():
    luck = np.random.default_rng(5)
    longest, ended = 0, []
    for game in random_rests(luck, 60 if INTERPRETED else 2000):
        room, (gear, pack) = room_for_cubes(game), cubes_of_player(game)
        action = int(luck.choice(game.legal_actions()[1:]))  # done is the first
        crafted = action - CRAFT if action < BUILD else (action - BUILD) // CARD_SLOTS % len(GEAR)
        game.step(action)
        decisions, wastes, waste = craft_at_random(luck, game)
        left, carried = cubes_of_player(game)
        flow = gear - left
        assert not np.delete(flow, crafted, axis=0).any()
        assert wastes == np.flatnonzero(flow[crafted] > 0).tolist()
        assert carried.tolist() == pack_after(pack, flow[crafted], waste, room)
        longest = max(longest, decisions)
        ended.append(game)
    assert 10 <= longest <= MOST_CRAFT_DECISIONS
    check_all(ended)


def check_all(games):
    records = np.concatenate([game.compiled.games.view(np.uint8) for game in games]).view(games[0].compiled.games.dtype)
    check_games(games[0].rules, records, np.concatenate([game.compiled.masks for game in games]))

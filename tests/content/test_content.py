"""The content pack `base`: the sums it must meet, and the one-line error for each kind of fault."""

import pickle
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

import pytest

from fujikoro_env import content
from fujikoro_env.content import ContentError, Fault, Pack, check_pack, load_pack, pack_digest, patterns, shipped_packs
from fujikoro_env.content.check import check_rulebook, check_structure
from fujikoro_env.content.errors import CHARACTERS, FILES
from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    COLOURS,
    CUBES,
    DRAGON_COLOURS,
    GEAR,
    LEVELS,
    SCROLL_POWERS,
    Card,
    Dragon,
    Scroll,
    Tile,
    Token,
)

Entry = TypeVar("Entry", Card, Dragon, Scroll, Token)
BASE = Path(content.__file__).parent / "base"


@pytest.fixture(scope="module")
def base() -> Pack:
    return load_pack("base")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the base pack, to be damaged."""
    return Path(shutil.copytree(BASE, tmp_path / "pack"))


def edit(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{file} has no {old!r} to edit"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def edit_entry(folder: Path, file: str, name: str, old: str, new: str) -> None:
    """Replace text inside the only table whose id, kind, colour or power is `name`."""
    path = folder / file
    head, *tables = re.split(r"(?=^\[\[)", path.read_text(encoding="utf-8"), flags=re.M)
    chosen = [n for n, table in enumerate(tables) if re.search(rf'^(id|kind|colour|power) = "{name}"$', table, re.M)]
    assert len(chosen) == 1, f"{file} has {len(chosen)} entries {name}"
    assert old in tables[chosen[0]], f"{name} has no {old!r} to edit"
    tables[chosen[0]] = tables[chosen[0]].replace(old, new, 1)
    path.write_text(head + "".join(tables), encoding="utf-8")


def append(folder: Path, file: str, text: str) -> None:
    with (folder / file).open("a", encoding="utf-8") as stream:
        stream.write(text)


def make_variant(folder: Path, changes: str = "more tiles") -> None:
    edit(folder, "pack.toml", 'edition = "rulebook"', f'edition = "bigger"\nchanges = "{changes}"')


def extra_tiles(level: int, number: int) -> str:
    tile = '\n[[tile]]\nid = "extra_{n}"\nlevel = {level}\nspaces = ["square", "+1", "-", "-", "-", "-", "-"]\n'
    return "".join(tile.format(n=n, level=level) + 'source = "reconstructed"\n' for n in range(number))


def spaces_of(tiles: Iterable[Tile], level: int) -> list[tuple[str, bool, int]]:
    return [(space.item, space.lava, space.eruption) for tile in tiles if tile.level == level for space in tile.spaces]


# The base pack


def test_base_has_no_faults() -> None:
    assert check_pack("base") == []
    assert check_pack(BASE) == []
    assert shipped_packs() == ("base", "tuned")


def test_base_counts_of_components(base: Pack) -> None:
    assert [sum(tile.level == level for tile in base.tiles) for level in LEVELS] == [7, 13, 13]
    assert Counter(token.shape for token in base.tokens) == {"square": 21, "hex": 17}
    assert Counter(dragon.colour for dragon in base.dragons) == {"blue": 4, "green": 4, "red": 4, "white": 1}
    for deck in (base.gear_cards, base.blueprints):
        assert Counter(card.gear for card in deck) == dict.fromkeys(GEAR, 8)
    assert sorted(scroll.power for scroll in base.scrolls) == sorted(SCROLL_POWERS)
    assert len(base.scrolls) == 16
    assert sum(adventure.copies for adventure in base.adventures) == 20
    assert (base.scroll_tokens, base.markers) == (7, 6)
    assert base.supply == {
        "wood": 60, "metal": 90, "tooth": 25, "magic": 20, "monk": 38, "lava": 51, "damage": 12, "status": 9,
    }  # fmt: skip


def test_base_entries_follow_the_order_of_names(base: Pack) -> None:
    assert tuple(kind.colour for kind in base.dragon_kinds) == DRAGON_COLOURS
    assert tuple(die.kind for die in base.dice) == CUBES
    assert tuple(adventure.power for adventure in base.adventures) == ADVENTURE_POWERS


@pytest.mark.parametrize(
    ("icon", "by_level"),
    [
        ("square", (5, 8, 8)),
        ("hex", (5, 6, 6)),
        ("scroll", (6, 18, 18)),
        ("monk", (4, 7, 7)),
        ("adventure", (4, 8, 8)),
        ("dragon blue", (2, 2, 0)),
        ("dragon green", (0, 4, 0)),
        ("dragon red", (0, 0, 2)),
        ("dragon white", (0, 0, 1)),
        ("exit", (0, 1, 0)),
    ],
)
def test_base_icons_by_level(base: Pack, icon: str, by_level: tuple[int, ...]) -> None:
    found = [sum(item.startswith(icon) for item, _, _ in spaces_of(base.tiles, level)) for level in LEVELS]
    assert tuple(found) == by_level


def test_base_lava_and_eruptions_by_level(base: Pack) -> None:
    assert [sum(lava for _, lava, _ in spaces_of(base.tiles, level)) for level in LEVELS] == [4, 6, 8]
    assert [sum(number > 0 for _, _, number in spaces_of(base.tiles, level)) for level in LEVELS] == [9, 20, 22]
    numbers = Counter(space.eruption for tile in base.tiles for space in tile.spaces if space.eruption)
    assert sum(numbers.values()) == base.supply["lava"]
    assert set(numbers) == {1, 2, 3, 4}


def test_base_has_seven_scrolls_of_each_colour_spread_over_the_levels(base: Pack) -> None:
    for colour in COLOURS:
        found = [sum(item == f"scroll {colour}" for item, _, _ in spaces_of(base.tiles, level)) for level in LEVELS]
        assert found == [1, 3, 3]


def test_base_tiles_differ_however_turned(base: Pack) -> None:
    def turned(tile: Tile) -> tuple[object, ...]:
        ring = [(space.item, space.lava, space.eruption) for space in tile.spaces[1:]]
        return (tile.level, tile.spaces[0], min(tuple(ring[n:] + ring[:n]) for n in range(6)))

    assert len({turned(tile) for tile in base.tiles}) == len(base.tiles)


def test_base_dragon_tiles_are_richer(base: Pack) -> None:
    for level in LEVELS:
        loot: dict[bool, list[int]] = {True: [], False: []}
        for tile in (tile for tile in base.tiles if tile.level == level):
            guarded = tile.spaces[0].item.startswith("dragon")
            loot[guarded].append(sum(bool(space.item) for space in tile.spaces) - guarded)
        assert min(loot[True]) >= max(loot[False])
        assert Fraction(sum(loot[True]), len(loot[True])) > Fraction(sum(loot[False]), len(loot[False]))


def test_base_token_values(base: Pack) -> None:
    def mean(shape: str, level: int) -> float:
        values = [sum(t.shows) for t in base.tokens if (t.shape, t.level) == (shape, level) and not t.monk]
        return sum(values) / len(values)

    assert [mean("square", level) for level in (1, 2)] == [2, 3]
    assert 3 <= mean("square", 3) <= 4
    for level in LEVELS:
        assert 0.75 <= mean("square", level) - mean("hex", level) <= 1.25
    assert sum(token.monk for token in base.tokens) == 5
    assert not any(token.shows[2] for token in base.tokens if token.level < 3)
    assert any(token.shows[2] for token in base.tokens if token.level == 3)


def test_base_dice(base: Pack) -> None:
    means = [Fraction(sum(face.hits for face in die.faces), len(die.faces)) for die in base.dice]
    assert means == [Fraction(2, 3), 1, Fraction(3, 2), 2]
    assert [max(face.hits for face in die.faces) for die in base.dice] == [1, 2, 3, 4]
    assert [sum(face.breaks for face in die.faces) for die in base.dice] == [1, 1, 1, 0]
    assert all(face.hits for die in base.dice for face in die.faces if face.breaks)


def test_base_dragons(base: Pack) -> None:
    shown = {(d.colour, d.initiative): d.health for d in base.dragons}
    assert shown["white", 4] == (60, 30, 25)
    assert [shown["red", initiative] for initiative in (9, 10, 12, 14)] == [
        (20, 20, 18), (21, 21, 19), (22, 22, 20), (23, 23, 21),
    ]  # fmt: skip
    assert [shown["blue", i][0] for i in (1, 2, 3, 4)] == [3, 4, 5, 6]
    assert [shown["green", i][0] for i in (5, 7, 8, 9)] == [4, 5, 6, 12]
    assert [(kind.dice, kind.vp, kind.teeth) for kind in base.dragon_kinds] == [
        (3, 5, 1), (4, 7, 2), (5, 10, 3), (6, 15, 5),
    ]  # fmt: skip


def sizes(deck: Iterable[Card], gear: str) -> list[int]:
    return [patterns.cubes(card.patterns) for card in deck if card.gear == gear]


def test_base_card_sizes(base: Pack) -> None:
    assert set(sizes(base.gear_cards, "helmet")) == {4, 5}
    assert set(sizes(base.gear_cards, "weapon")) == {5, 6, 7}
    assert set(sizes(base.gear_cards, "sandals")) == {3}
    assert set(sizes(base.blueprints, "helmet")) == {4, 5}
    assert set(sizes(base.blueprints, "weapon")) == {4, 5, 6, 7}
    assert set(sizes(base.blueprints, "sandals")) == {3}
    assert all(bool(card.resource) == (card.gear == "helmet") for card in base.gear_cards)
    assert Counter(card.resource for card in base.gear_cards if card.resource) == {"metal": 6, "wood": 2}


def test_base_blueprints(base: Pack) -> None:
    weapons = [card for card in base.blueprints if card.gear == "weapon"]
    assert sum(len(card.patterns) == 2 for card in weapons) >= 2
    assert sum(patterns.count(card.patterns, "tooth") > 0 for card in weapons) == 5
    sandals = [card for card in base.blueprints if card.gear == "sandals"]
    assert all(patterns.count(card.patterns, "wood") <= 1 for card in sandals)


def test_base_tracks(base: Pack) -> None:
    assert base.countdown == ("lava 1", "lava 2", "rope", "lava 3", "nothing", "lava 4", "nothing", "end")
    assert base.coop_countdown == ("lava 1", "nothing", "lava 2", "nothing", "lava 3", "nothing", "lava 4", "end")
    assert all(base.palace[gear] == (12, 9, 6, 3) for gear in GEAR)
    assert base.palace["monk"] == base.palace["tooth"] == (6, 5, 4, 3, 2, 1)
    assert base.foot == {"helmet": 5, "weapon": 5, "sandals": 5, "monk": 5}


def test_base_sources_say_what_the_rulebook_shows(base: Pack) -> None:
    assert [dragon.id for dragon in base.dragons if dragon.source == "rulebook"] == ["bamboo_fang"]
    assert [scroll.id for scroll in base.scrolls if scroll.source == "rulebook"] == ["ember_path"]
    told = [adventure.power for adventure in base.adventures if adventure.source == "rulebook"]
    assert told == ["omamori_of_fire", "ancient_map", "sashimono", "gunbai"]
    assert [name for name, source in base.sources.items() if source == "rulebook"] == [
        "foot", "supply", "scroll_tokens", "markers",
    ]  # fmt: skip


# Patterns


def test_turns_keep_handedness() -> None:
    assert patterns.turns(("WM", "T.")) == (("WM", "T."), ("TW", ".M"), (".T", "MW"), ("M.", "WT"))
    mirrored = ("MW", ".T")
    assert patterns.canonical((("WM", "T."),)) != patterns.canonical((mirrored,))


@pytest.mark.parametrize(
    ("rows", "one_handed", "two_handed"),
    [
        (("WWMMM",), True, True),
        (("WWWMMM",), False, True),
        (("WWWWMMMMM",), False, False),
        (("WMM", "WMM", "WMM"), False, True),
        (("WMMM", "WMMM", "WMMM", "M..."), False, False),
    ],
)
def test_hands_of_a_weapon(rows: patterns.Rows, one_handed: bool, two_handed: bool) -> None:
    assert (patterns.is_one_handed(rows), patterns.is_two_handed(rows)) == (one_handed, two_handed)


def test_pair_must_not_touch() -> None:
    wide = ("WWWMM", "W....", "W....")
    assert patterns.pair_fits(("WWM",), ("WWMM",))
    assert patterns.pair_fits(wide, ("WWM",))
    crossed = ("..M..", "..M..", "WWWMM", "..M..", "..M..")
    assert not patterns.pair_fits(crossed, crossed)


# Faults, each in one line that names the file and the entry

STRUCTURE_FAULTS = [
    ("tiles.toml", "mossy_gate", '"+4", "monk", "-"]', '"+4", "monk"]', "6 spaces"),
    ("tiles.toml", "mossy_gate", "level = 1", "level = 4", "level 4 is unknown"),
    ("tiles.toml", "mossy_gate", '"monk"', '"monkey"', "item 'monkey' is unknown"),
    ("tiles.toml", "mossy_gate", '"+4"', '"+7"', "eruption number 7 is unknown"),
    ("tiles.toml", "mossy_gate", '"+4"', '"+x"', "space '+x' is not understood"),
    ("tiles.toml", "mossy_gate", '"+4"', '"+0"', "space '+0' is not understood"),
    ("tiles.toml", "mossy_gate", '"+4"', '""', "space '' is not understood"),
    ("tiles.toml", "whelp_hollow", '"lava"', '"lava +2"', "lava from the start holds nothing"),
    (
        "tiles.toml",
        "steaming_springs",
        '"hex", "-", "scroll purple +2", "-"',
        '"hex", "lava", "monk", "lava"',
        "must be connected",
    ),
    ("tiles.toml", "mossy_gate", '"monk"', '"dragon blue"', "a dragon's place is the centre"),
    ("tiles.toml", "hidden_stair", '"exit"', '"exit +1"', "no eruption number"),
    ("tiles.toml", "hidden_stair", '["-"', '["dragon blue"', "the exit's tile has no dragon"),
    ("tiles.toml", "hidden_stair", "level = 2", "level = 3", "the exit on level 3"),
    ("tiles.toml", "ember_bridge", '"square"', '"exit"', "at most one may"),
    ("tiles.toml", "throne_of_fuji", "level = 3", "level = 2", "a white dragon on level 2"),
    ("tiles.toml", "furnace_hall", '"dragon red"', '"dragon white"', "at most one may"),
    ("tiles.toml", "mossy_gate", 'id = "mossy_gate"', 'id = "azure_burrow"', "the id is taken"),
    ("tiles.toml", "mossy_gate", 'id = "mossy_gate"', 'id = "Mossy Gate"', "lower case letters"),
    ("tiles.toml", "mossy_gate", "level = 1", "levle = 1", "key 'level' is missing"),
    ("tiles.toml", "mossy_gate", "level = 1", "level = 1\nheight = 3", "unknown key 'height'"),
    ("tiles.toml", "mossy_gate", "level = 1", 'level = "1"', "'level' must be a whole number"),
    ("tiles.toml", "mossy_gate", "level = 1", "level = true", "'level' must be a whole number"),
    ("tiles.toml", "mossy_gate", '"monk"', "3", "'spaces' must be a list of strings"),
    ("tiles.toml", "mossy_gate", '"reconstructed"', '"hearsay"', "source 'hearsay' is unknown"),
    ("tokens.toml", "driftwood", '"2 wood"', '"2 iron"', "shows '2 iron'"),
    ("tokens.toml", "driftwood", '"2 wood"', '"wood 2"', "shows 'wood 2'"),
    ("tokens.toml", "driftwood", '"2 wood"', '"0 wood"', "at least one cube"),
    ("tokens.toml", "driftwood", '"2 wood"', '"monk"', "only hex tokens may"),
    ("tokens.toml", "driftwood", '"square"', '"round"', "shape 'round' is unknown"),
    ("dragons.toml", "bamboo_fang", "health = 12", "health = 0", "0 health; allowed: 1 to 127"),
    ("dragons.toml", "bamboo_fang", "health = 12", "health = [12, 12]", "health has 2 numbers"),
    ("dragons.toml", "bamboo_fang", "health = 12", "health = 500", "500 health"),
    ("dragons.toml", "bamboo_fang", '"green"', '"grey"', "colour 'grey' is unknown"),
    ("dice.toml", "wood", '"1*"]', '"1*", "0"]', "7 faces; allowed: 6"),
    ("dice.toml", "wood", '"1*"', '"*1"', "face '*1' is not understood"),
    ("dice.toml", "magic", '"4"', '"4*"', "magic never breaks"),
    ("dice.toml", "tooth", 'kind = "tooth"', 'kind = "bone"', "'bone' is unknown"),
    ("dice.toml", "tooth", 'kind = "tooth"', 'kind = "metal"', "appears 2 times"),
    ("gear_cards.toml", "storm_visor", '["MMMM"]', '["MMMMM"]', "does not fit a helmet"),
    ("gear_cards.toml", "storm_visor", '["MMMM"]', '["MMGM"]', "rows of W, M, T"),
    ("gear_cards.toml", "storm_visor", '["MMMM"]', '["MMM."]', "no outer line empty"),
    ("gear_cards.toml", "storm_visor", '["MMMM"]', '["MM", "M"]', "of one length"),
    ("gear_cards.toml", "storm_visor", '["MMMM"]', "[]", "the pattern must be rows"),
    ("gear_cards.toml", "storm_visor", 'resource = "wood"', 'resource = "magic"', "resource 'magic' is unknown"),
    ("gear_cards.toml", "storm_visor", 'resource = "wood"\n', "", "resource '' is unknown"),
    ("gear_cards.toml", "storm_visor", 'gear = "helmet"', 'gear = "hat"', "gear 'hat' is unknown"),
    (
        "gear_cards.toml",
        "bokken",
        'gear = "weapon"',
        'gear = "weapon"\nresource = "wood"',
        "only helmet gear cards may",
    ),
    ("gear_cards.toml", "bokken", '["WWMMM"]', '["WMMMM"]', "1 wood; a one-handed weapon"),
    ("gear_cards.toml", "bokken", '["WWMMM"]', '["WWM.M"]', "must be connected"),
    ("gear_cards.toml", "naginata", '["WWWMMM"]', '["WWMMMM"]', "2 wood; it fits two-handed only"),
    ("gear_cards.toml", "naginata", '["WWWMMM"]', '["WWWMMMMMM"]', "does not fit the weapon grid"),
    ("gear_cards.toml", "iron_tabi", '["MMM"]', '["MMMM"]', "does not fit sandals"),
    ("blueprints.toml", "daisho_of_dusk", '["WWM"]]', '["WMM"]]', "1 wood in one of the pair"),
    ("blueprints.toml", "daisho_of_dusk", '["WWM"]]', '["WWMMMM"]]', "does not fit side by side"),
    ("blueprints.toml", "daisho_of_dusk", '["WWM"]]', '["WWM"], ["WWM"]]', "'pair' has 3 weapons"),
    ("blueprints.toml", "daisho_of_dusk", "pair =", 'pattern = ["WWM"]\npair =', "both 'pattern' and 'pair'"),
    ("blueprints.toml", "daisho_of_dusk", 'gear = "weapon"', 'gear = "helmet"', "only weapons may"),
    ("blueprints.toml", "daisho_of_dusk", 'id = "daisho_of_dusk"', 'id = "bokken"', "the id is taken"),
    ("scrolls.toml", "seer", 'id = "seer"', 'id = "prophet"', "power 'prophet' is unknown"),
    ("adventures.toml", "gunbai", "copies = 2", "copies = 17", "17 copies; allowed: 0 to 16"),
    ("adventures.toml", "gunbai", 'power = "gunbai"', 'power = "fan"', "'fan' is unknown"),
]  # file, entry, what to replace, by what, the message


@pytest.mark.parametrize(("file", "name", "old", "new", "message"), STRUCTURE_FAULTS)
def test_damaged_entry(folder: Path, file: str, name: str, old: str, new: str, message: str) -> None:
    edit_entry(folder, file, name, old, new)
    of_rulebook = check_pack(folder)
    make_variant(folder)
    faults = check_pack(folder)
    assert set(faults) <= set(of_rulebook)
    renamed = re.search(r'(?:id|kind|power) = "([^"]*)"', new)
    owner = renamed[1] if renamed else name
    named = [fault for fault in faults if message in fault.message]
    assert named, [str(fault) for fault in faults]
    assert named[0].file == file
    assert named[0].entry.endswith(f" {owner}")
    assert "\n" not in str(named[0])
    with pytest.raises(ContentError, match=re.escape(file)):
        load_pack(folder)


TABLE_FAULTS = [
    ("pack.toml", "", 'name = "base"\n', "", "key 'name' is missing"),
    ("pack.toml", "name", 'name = "base"', 'name = ""', "is empty"),
    ("pack.toml", "edition", 'edition = "rulebook"', 'edition = ""', "is empty"),
    ("pack.toml", "changes", 'edition = "rulebook"', 'edition = "mine"', "must say what it changes"),
    ("tracks.toml", "countdown", '"rope", ', '"ladder", ', "call 'ladder' is unknown"),
    ("tracks.toml", "countdown", '"nothing", "end"]', '"end", "nothing"]', "'end' must be the last call"),
    ("tracks.toml", "coop_countdown", '"nothing", "lava 4", "end"]', '"rope", "lava 4", "end"]', "calls the rope"),
    ("tracks.toml", "palace", "weapon = [12, 9, 6, 3]", "weapon = [9, 12, 6, 3]", "the values for weapon rise"),
    ("tracks.toml", "palace", "weapon = [12, 9, 6, 3]", "weapon = []", "0 values for weapon"),
    ("tracks.toml", "palace", "weapon = [12, 9, 6, 3]", "weapon = [9, 8, 7, 6, 5, 4, 3, 2, 1]", "9 values for weapon"),
    ("tracks.toml", "foot", "monk = 5", "monk = -5", "-5 VP for monk"),
    ("tracks.toml", "foot", "monk = 5", "monk = 5\ntooth = 5", "unknown key 'tooth'"),
    ("supply.toml", "supply", "wood = 60", "wood = -1", "-1 of wood"),
    ("supply.toml", "supply", "wood = 60", "wood = 60.5", "'wood' must be a whole number"),
    ("supply.toml", "supply", 'source = "rulebook"', 'source = "rumour"', "source 'rumour' is unknown"),
    ("supply.toml", "", "[markers]", "[marker]", "key 'markers' is missing"),
    ("supply.toml", "markers", "each_gear = 6", "each_gear = 1000", "1000 of each gear"),
    ("adventures.toml", "adventure smoke_bomb", 'power = "smoke_bomb"', 'power = "harpoon"', "is missing"),
]  # file, entry, what to replace, by what, the message


@pytest.mark.parametrize(("file", "entry", "old", "new", "message"), TABLE_FAULTS)
def test_damaged_table(folder: Path, file: str, entry: str, old: str, new: str, message: str) -> None:
    edit(folder, file, old, new)
    faults = check_pack(folder)
    assert any((f.file, f.entry) == (file, entry) and message in f.message for f in faults), [str(f) for f in faults]


RULEBOOK_FAULTS = [
    ("tiles.toml", "mossy_gate", '"monk"', '"-"', "level 1", "3 of icon 'monk'"),
    ("tiles.toml", "mossy_gate", '"+4"', '"-"', "level 1", "8 of icon 'eruption number'"),
    ("tiles.toml", "whelp_hollow", '"lava"', '"-"', "level 1", "3 of icon 'lava'"),
    ("tiles.toml", "hidden_stair", '"exit"', '"-"', "level 2", "0 of icon 'exit'"),
    ("tiles.toml", "mossy_gate", '"scroll pink"', '"scroll red"', "all levels", "8 of icon 'scroll red'"),
    ("tokens.toml", "driftwood", "level = 1", "level = 2", "square tokens", "4 of level 1"),
    ("tokens.toml", "cave_hermit", '"monk"', '"1 wood"', "hex tokens", "4 monks"),
    ("tokens.toml", "kindling", '"hex"', '"square"', "square tokens", "22 tokens"),
    ("dragons.toml", "moss_fang", '"green"', '"red"', "dragon kind red", "5 dragons"),
    ("dragons.toml", "bamboo_fang", "health = 12", "health = 13", "dragon kind green", "none has initiative 9"),
    ("dragons.toml", "cinder_wing", "18]", "17]", "dragon kind red", "[17, 19, 20, 21] as solo health"),
    ("dragons.toml", "cinder_wing", "20, 18]", "19, 18]", "dragon cinder_wing", "only the legendary dragon"),
    ("dragons.toml", "venom_fang", "initiative = 8", "initiative = 7", "", "no dragon has initiative 8"),
    ("dragons.toml", "inferno_wing", "initiative = 14", "initiative = 13", "", "initiative 14"),
    ("dragons.toml", "lord_of_fuji", "25]", "26]", "dragon lord_of_fuji", "26 solo health"),
    ("dragons.toml", "lord_of_fuji", "[60", "[61", "dragon lord_of_fuji", "61 health"),
    ("dice.toml", "wood", '"1*"', '"2*"', "die wood", "5/6 hits on average"),
    ("dice.toml", "wood", '"1*"', '"1"', "die wood", "0 breaking faces"),
    ("dice.toml", "tooth", '"2", "3*"', '"1", "4*"', "die tooth", "4 hits at most"),
    ("gear_cards.toml", "storm_visor", '["MMMM"]', '["MMM"]', "gear card storm_visor", "3 cubes"),
    ("gear_cards.toml", "iron_tabi", '["MMM"]', '["MM"]', "gear card iron_tabi", "2 cubes"),
    ("blueprints.toml", "lava_striders", '["WMM"]', '["WWM"]', "blueprint lava_striders", "2 wood"),
    ("blueprints.toml", "river_splitter", '["WWWMM"]', '["WWWMMMMM"]', "blueprint river_splitter", "4 to 7"),
    ("blueprints.toml", "daisho_of_dusk", 'pair = [["WWMM"], ["WWM"]]', 'pattern = ["WWWMMM"]', "weapon", "1 pairs"),
    (
        "gear_cards.toml",
        "messengers_geta",
        '["WMM"]',
        '["M", "W", "W"]',
        "gear card messengers_geta",
        "has the pattern of farmers_geta",
    ),
    (
        "blueprints.toml",
        "embers_embrace",
        '["MWM"]',
        '["M", "M", "W"]',
        "blueprint embers_embrace",
        "has the pattern of lava_striders",
    ),
    ("adventures.toml", "gunbai", "copies = 2", "copies = 3", "adventure gunbai", "3 copies"),
    ("scrolls.toml", "seer", 'id = "seer"', 'id = "owl"\npower = "pilgrim"', "scroll seer", "0 cards"),
]  # file, entry to damage, what to replace, by what, entry to blame, the message


@pytest.mark.parametrize(("file", "name", "old", "new", "entry", "message"), RULEBOOK_FAULTS)
def test_departure_from_the_rulebook(
    folder: Path, file: str, name: str, old: str, new: str, entry: str, message: str
) -> None:
    edit_entry(folder, file, name, old, new)
    faults = check_pack(folder)
    assert any((f.file, f.entry) == (file, entry) and message in f.message for f in faults), [str(f) for f in faults]
    make_variant(folder)
    assert check_pack(folder) == []


def test_departure_of_tables_from_the_rulebook(folder: Path) -> None:
    edit(folder, "tracks.toml", '"lava 1", "lava 2", ', '"lava 1", ')
    edit(folder, "tracks.toml", "helmet = [12, 9, 6, 3]", "helmet = [12, 9, 6, 2]")
    edit(folder, "tracks.toml", "monk = 5", "monk = 4")
    edit(folder, "supply.toml", "wood = 60", "wood = 61")
    edit(folder, "supply.toml", "each_colour = 7", "each_colour = 8")
    edit(folder, "supply.toml", "each_gear = 6", "each_gear = 7")
    edit(folder, "dragons.toml", "vp = 5", "vp = 6")
    blamed = [(fault.file, fault.entry) for fault in check_pack(folder)]
    assert blamed == [
        ("dragons.toml", "dragon kind blue"),
        ("tracks.toml", "countdown"),
        ("tracks.toml", "palace"),
        ("tracks.toml", "foot"),
        ("supply.toml", "supply"),
        ("supply.toml", "scroll_tokens"),
        ("supply.toml", "markers"),
    ]


# Files


@pytest.mark.parametrize("file", [file for file in FILES if file != CHARACTERS])  # which may be missing
def test_missing_file(folder: Path, file: str) -> None:
    (folder / file).unlink()
    (fault,) = check_pack(folder)
    assert fault.file == file
    assert "missing" in fault.message


def test_bad_toml(folder: Path) -> None:
    append(folder, "dice.toml", "kind = = 3\n")
    (fault,) = check_pack(folder)
    assert str(fault).startswith("dice.toml: not readable as TOML")


def test_bytes_that_are_no_text(folder: Path) -> None:
    (folder / "dice.toml").write_bytes(b"\xff\xfe")
    assert "not readable" in str(check_pack(folder)[0])


def test_unknown_file(folder: Path) -> None:
    (folder / "tile.toml").write_text("", encoding="utf-8")
    (folder / "README.md").write_text("notes are welcome", encoding="utf-8")
    (fault,) = check_pack(folder)
    assert (fault.file, "unknown file" in fault.message) == ("tile.toml", True)


def test_missing_pack_names_what_there_is() -> None:
    with pytest.raises(ContentError) as raised:
        load_pack("mount_doom")
    assert str(raised.value) == "content pack mount_doom: no folder 'mount_doom'; the shipped packs are: base, tuned"


def test_path_is_never_a_shipped_name() -> None:
    with pytest.raises(ContentError, match="no folder"):
        load_pack(Path("base"))


def test_file_that_is_no_list_of_tables(folder: Path) -> None:
    (folder / "tiles.toml").write_text("tile = 3\n", encoding="utf-8")
    (fault,) = check_pack(folder)
    assert str(fault) == "tiles.toml: 'tile' must be a list of tables [[tile]], not 3"


# Errors


def test_error_is_one_line_and_counts_the_rest(folder: Path) -> None:
    edit(folder, "supply.toml", "wood = 60", "wood = -1")
    edit(folder, "supply.toml", "metal = 90", "metal = -1")
    with pytest.raises(ContentError) as raised:
        load_pack(folder)
    text, faults = str(raised.value), raised.value.faults
    assert text.endswith(f"(and {len(faults) - 1} more: fujikoro content check {folder})")
    assert str(faults[0]) in text
    assert "\n" not in text
    assert list(faults) == check_pack(folder)
    assert isinstance(raised.value, ValueError)


def test_error_survives_pickling() -> None:
    error = ContentError("mine", [Fault("dice.toml", "die wood", "is missing; write one")])
    assert str(error) == "content pack mine: dice.toml: die wood: is missing; write one"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


# Variants


def test_a_fourteenth_tile_is_no_rulebook_edition(folder: Path) -> None:
    append(folder, "tiles.toml", extra_tiles(level=2, number=1))
    with pytest.raises(ContentError) as raised:
        load_pack(folder)
    assert [str(fault) for fault in raised.value.faults] == [
        "tiles.toml: level 2: 14 tiles; edition 'rulebook' has 13",
    ]


def test_a_fourteenth_tile_makes_a_variant(folder: Path) -> None:
    append(folder, "tiles.toml", extra_tiles(level=2, number=1))
    make_variant(folder)
    pack = load_pack(folder)
    assert (len(pack.tiles), pack.edition, pack.changes) == (34, "bigger", "more tiles")


def test_a_variant_must_say_what_it_changes(folder: Path) -> None:
    make_variant(folder, changes=" ")
    (fault,) = check_pack(folder)
    assert str(fault) == "pack.toml: changes: is empty; edition 'bigger' must say what it changes"


@pytest.mark.parametrize("variant", [False, True])
def test_seventeen_tiles_have_no_room(folder: Path, variant: bool) -> None:
    append(folder, "tiles.toml", extra_tiles(level=2, number=4))
    if variant:
        make_variant(folder)
    assert str(check_pack(folder)[0]) == "tiles.toml: level 2: 17 tiles; allowed: 1 to 16"


def crowd(pack: Pack, kind: str) -> Pack:
    """A pack with more entries of a kind than are allowed."""
    crowds: dict[str, Callable[[], Pack]] = {
        "tokens": lambda: replace(pack, tokens=pack.tokens + tuple(copies(pack.tokens[0], 12))),
        "dragons": lambda: replace(pack, dragons=pack.dragons + tuple(copies(pack.dragons[0], 4))),
        "scrolls": lambda: replace(pack, scrolls=pack.scrolls + tuple(copies(pack.scrolls[0], 17))),
        "gear_cards": lambda: replace(pack, gear_cards=pack.gear_cards + tuple(copies(pack.gear_cards[0], 25))),
        "countdown": lambda: replace(pack, countdown=("nothing",) * 16 + ("end",)),
    }
    return crowds[kind]()


def copies(entry: Entry, number: int) -> list[Entry]:
    return [replace(entry, id=f"copy_{n}") for n in range(number)]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("tokens", "33 tokens; allowed: 0 to 32"),
        ("dragons", "17 dragons; allowed: 0 to 16"),
        ("scrolls", "33 scrolls; allowed: 3 to 32"),
        ("gear_cards", "33 gear cards; allowed: 6 to 32"),
        ("countdown", "17 spaces; allowed: 1 to 16"),
    ],
)
def test_capacities(base: Pack, kind: str, message: str) -> None:
    assert message in [fault.message for fault in check_structure(crowd(base, kind))]


def test_too_few_cards_for_six_players(base: Pack) -> None:
    few = replace(base, gear_cards=base.gear_cards[3:], blueprints=base.blueprints[3:], scrolls=base.scrolls[:2])
    assert [str(fault) for fault in check_structure(few)] == [
        "gear_cards.toml: helmet: 5 gear cards; allowed: 6 to 32",
        "blueprints.toml: helmet: 5 blueprints; allowed: 6 to 32",
        "scrolls.toml: scrolls: 2 scrolls; allowed: 3 to 32",
    ]


def test_icons_need_something_to_show(base: Pack) -> None:
    bare = replace(
        base,
        tokens=tuple(token for token in base.tokens if token.level > 1),
        dragons=tuple(dragon for dragon in base.dragons if dragon.colour != "white"),
    )
    assert [str(fault) for fault in check_structure(bare)] == [
        "tokens.toml: level 1: no hex token, but tiles of that level show one",
        "tokens.toml: level 1: no square token, but tiles of that level show one",
        "dragons.toml: dragon kind white: no dragon of this colour, but a tile shows one",
    ]


def test_tomoe_needs_a_pair(base: Pack) -> None:
    singles = tuple(card for card in base.blueprints if len(card.patterns) == 1)
    assert "CHAR-64" in str(check_structure(replace(base, blueprints=singles))[-1])


def test_reconstructed_sums_bind_reconstructed_entries_only(base: Pack) -> None:
    """A pack with the really printed tiles only has to meet the counts in the rulebook."""
    bare = tuple(replace(space, item="") if space.item == "monk" else space for space in base.tiles[2].spaces)
    tiles = (*base.tiles[:2], replace(base.tiles[2], spaces=bare), *base.tiles[3:])
    assert check_rulebook(replace(base, tiles=tiles))
    printed = tuple(replace(tile, source="rulebook") for tile in tiles)
    assert check_rulebook(replace(base, tiles=printed)) == []


# Digest


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("dice.toml", '"2", "3*"', '"3", "3*"'),
        ("tiles.toml", '"+4"', '"+3"'),
        ("supply.toml", "wood = 60", "wood = 61"),
        ("tracks.toml", "monk = 5", "monk = 6"),
        ("tiles.toml", "mossy_gate", "mossy_door"),
    ],
)
def test_digest_changes_with_what_the_rules_see(base: Pack, folder: Path, file: str, old: str, new: str) -> None:
    make_variant(folder)
    edit(folder, file, old, new)
    assert load_pack(folder).digest != base.digest


def test_digest_ignores_name_edition_and_sources(base: Pack, folder: Path) -> None:
    make_variant(folder)
    edit(folder, "pack.toml", 'name = "base"', 'name = "mine"')
    edit(folder, "tiles.toml", '"reconstructed"', '"rulebook"')
    edit(folder, "supply.toml", '"rulebook"', '"reconstructed"')
    pack = load_pack(folder)
    assert (pack.name, pack.digest) == ("mine", base.digest)


def test_digest_form(base: Pack) -> None:
    assert re.fullmatch(r"[0-9a-f]{16}", base.digest)
    assert pack_digest(base) == base.digest


def test_scroll_may_have_an_id_of_its_own(folder: Path) -> None:
    make_variant(folder)
    append(folder, "scrolls.toml", '\n[[scroll]]\nid = "second_seer"\npower = "seer"\nsource = "reconstructed"\n')
    assert [s.id for s in load_pack(folder).scrolls if s.power == "seer"] == ["seer", "second_seer"]

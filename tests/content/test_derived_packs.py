"""Content packs derived in Python: effects of changes, validation, and transfer to other processes in files."""

import copy
import doctest
import json
import pickle
import random
import re
import shutil
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fujikoro_env import ContentError, Game, Pack, Rules, RulesError, content, load_pack
from fujikoro_env.content import Fault, model, pack_digest
from fujikoro_env.content.carried import carried, carried_content
from fujikoro_env.content.derive import CHANGED, GROUPS
from fujikoro_env.content.model import Dragon, Tile
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.kernel.saved_games import CHECKSUM_BYTES, checksum
from fujikoro_env.position import PositionError
from fujikoro_env.record import Recorder, RecordError, Recording
from fujikoro_env.saved import FORMAT, SavedGameError
from tests.helpers.invariants import check
from tests.helpers.processes import run
from tests.helpers.tables import play

BASE = load_pack("base")
DOCS = Path(__file__).resolve().parents[2] / "docs"
FOLDER = Path(content.__file__).parent / "base"
ABOUT = {"name", "edition", "changes", "digest", "sources", "origin", "is_checked"}  # fields of no group
SLOW = {"dragons.red.initiative": [3, 4, 5, 6]}
MANY = {
    **SLOW,
    "gear_cards.naginata.copies": 2,
    "blueprints.daisho_of_dusk.copies": 2,
    "scrolls.seer.copies": 2,
    "tokens.driftwood.copies": 2,
    "tiles.mossy_gate.copies": 2,
    "dragons.rain_whelp.copies": 2,
    "adventures.gunbai.copies": 3,
    "gear_cards.reed_hat": None,
    "blueprints.wave_kabuto": None,
    "scrolls.pilgrim": None,
    "tokens.kindling": None,
    "tiles.ashen_orchard": None,
    "dragons.tide_whelp": None,
    "adventures.harpoon": None,
    "supply.wood": 70,
    "countdown.calls.4": "lava 1",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A variant of the base pack with more wood."""
    pack = Path(shutil.copytree(FOLDER, tmp_path / "pack"))
    edit(pack / "pack.toml", 'edition = "rulebook"', 'edition = "woody"\nchanges = "more wood"')
    edit(pack / "supply.toml", "wood = 60", "wood = 65")
    return pack


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def dragon(pack: Pack, name: str) -> Dragon:
    return next(each for each in pack.dragons if each.id == name)


def tile(pack: Pack, name: str) -> Tile:
    return next(each for each in pack.tiles if each.id == name)


def ids(entries: Any) -> list[str]:
    return [entry.id for entry in entries]


# What changes do

EFFECTS: list[tuple[dict[str, Any], Callable[[Pack], Any], Any]] = [
    ({"dragons.cinder_wing.health": 7}, lambda p: dragon(p, "cinder_wing").health, (7, 7, 7)),
    ({"dragons.cinder_wing.health.2": 7}, lambda p: dragon(p, "cinder_wing").health[2], 7),
    (SLOW, lambda p: [d.initiative for d in p.dragons if d.colour == "red"], [3, 4, 5, 6]),
    ({"dragons.red.initiative": 9}, lambda p: [d.initiative for d in p.dragons if d.colour == "red"], [9] * 4),
    ({"dragons.*.health": 5}, lambda p: {d.health for d in p.dragons}, {(5, 5, 5)}),
    (
        {"dragons.red.health": [[n, n, 1] for n in range(1, 5)]},
        lambda p: [d.health for d in p.dragons if d.colour == "red"],
        [(n, n, 1) for n in range(1, 5)],
    ),
    ({"dragons.rain_whelp": {"id": "mist_whelp", "health": 3}}, lambda p: p.dragons[0].health, (3, 3, 3)),
    ({"dragons.white": {"initiative": [2]}}, lambda p: dragon(p, "lord_of_fuji").initiative, 2),
    ({"dragon_kinds.red.vp": 11}, lambda p: p.dragon_kinds[2].vp, 11),
    ({"dice.wood.faces": ["0"] * 5 + ["3*"]}, lambda p: p.dice[0].faces[5].hits, 3),
    ({"dice.wood.faces.0": "1*"}, lambda p: p.dice[0].faces[0].breaks, True),
    ({"tiles.mossy_gate.spaces.0": "monk +2"}, lambda p: tile(p, "mossy_gate").spaces[0].item, "monk"),
    (
        {"tokens.level3.shows": "1 tooth"},
        lambda p: {t.shows for t in p.tokens if t.level == 3},
        {(0, 0, 1)},
    ),
    ({"tokens.hex": {"shows": "monk"}}, lambda p: sum(t.monk for t in p.tokens), 17),
    ({"gear_cards.storm_visor.pattern": ["WWWW"]}, lambda p: p.gear_cards[4].patterns, (("WWWW",),)),
    ({"gear_cards.helmet.resource": "tooth"}, lambda p: {c.resource for c in p.gear_cards}, {"tooth", ""}),
    (
        {"blueprints.daisho_of_dusk": {"pair": None, "pattern": ["WWWMMM"]}},
        lambda p: [len(c.patterns) for c in p.blueprints].count(2),
        1,
    ),
    ({"scrolls.seer": {"power": "pilgrim"}}, lambda p: sum(s.power == "pilgrim" for s in p.scrolls), 2),
    ({"adventures.gunbai.copies": 5}, lambda p: p.adventures[3].copies, 5),
    ({"adventures.gunbai": None}, lambda p: p.adventures[3].copies, 0),
    ({"countdown.calls": ["rope", "end"]}, lambda p: p.countdown, ("rope", "end")),
    ({"countdown.calls.0": None}, lambda p: len(p.countdown), 7),
    ({"coop_countdown.calls.1": "lava 1"}, lambda p: p.coop_countdown[1], "lava 1"),
    ({"palace.helmet": [20, 1]}, lambda p: p.palace["helmet"], (20, 1)),
    ({"palace": {"monk": [2], "tooth": [3]}}, lambda p: (p.palace["monk"], p.palace["tooth"]), ((2,), (3,))),
    ({"foot.monk": 9}, lambda p: p.foot["monk"], 9),
    ({"supply.wood": np.int64(70)}, lambda p: p.supply["wood"], 70),
    ({"supply": {"wood": 1, "metal": 2}}, lambda p: (p.supply["wood"], p.supply["metal"]), (1, 2)),
    ({"dragons.red.initiative": np.arange(4)}, lambda p: dragon(p, "inferno_wing").initiative, 3),
    ({"scroll_tokens.each_colour": 3}, lambda p: p.scroll_tokens, 3),
    ({"markers.each_gear": 3}, lambda p: p.markers, 3),
    ({"tiles.ashen_orchard": None}, lambda p: "ashen_orchard" in ids(p.tiles), False),
    ({"dragons.tide_whelp.copies": 0}, lambda p: ids(p.dragons)[:2], ["rain_whelp", "frost_whelp"]),
    ({"gear_cards.naginata.copies": 3}, lambda p: ids(p.gear_cards)[14:17], ["naginata", "naginata_2", "naginata_3"]),
    ({"blueprints.*.copies": 2}, lambda p: len(p.blueprints), 48),
    ({"tokens.square.copies": [1, 0] * 10 + [1]}, lambda p: sum(t.shape == "square" for t in p.tokens), 11),
    ({"scrolls.seer.copies": 2}, lambda p: [s.id for s in p.scrolls if s.power == "seer"], ["seer", "seer_2"]),
    (
        {"tiles.new_garden": {"level": 2, "spaces": ["monk", *["-"] * 6]}},
        lambda p: (p.tiles[-1].id, p.tiles[-1].source),
        ("new_garden", "reconstructed"),
    ),
]


@pytest.mark.parametrize(("changes", "found", "wanted"), EFFECTS, ids=[" ".join(changes) for changes, *_ in EFFECTS])
def test_a_change_does_what_it_says(changes: dict[str, Any], found: Callable[[Pack], Any], wanted: Any) -> None:
    assert found(BASE) != wanted
    pack = BASE.changed(changes)
    assert found(pack) == wanted
    assert pack.digest == pack_digest(pack) != BASE.digest


def test_a_change_leaves_all_else_as_it_was() -> None:
    pack = BASE.changed({"dragons.cinder_wing.health": 7})
    for name in {field.name for field in fields(Pack)} - ABOUT - {"dragons"}:
        assert getattr(pack, name) == getattr(BASE, name)
    assert [d for d in pack.dragons if d.id != "cinder_wing"] == [d for d in BASE.dragons if d.id != "cinder_wing"]
    assert pack_digest(BASE) == BASE.digest == load_pack("base").digest


def test_the_example_of_the_docs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (DOCS / "content.md").read_text(encoding="utf-8"), re.DOTALL)
    made: dict[str, Any] = {"__name__": "docs"}
    exec(compile(example, "content.md", "exec"), made)
    assert [d.initiative for d in made["slow"].dragons if d.colour == "red"] == [3, 4, 5, 6]
    assert {t.shows for t in made["poor"].tokens if t.shape == "square"} == {(1, 0, 0)}
    assert "naginata_2" in ids(made["double"].gear_cards)
    assert "seer" not in ids(made["without"].scrolls)
    assert made["base"] == BASE
    assert doctest.testmod(model).attempted > 0
    assert doctest.testmod(model).failed == 0


def test_every_part_of_a_pack_is_a_group_and_in_the_docs() -> None:
    assert {field.name for field in fields(Pack)} - ABOUT == set(GROUPS)
    chapter = (DOCS / "content.md").read_text(encoding="utf-8").partition("## Deriving")[2].partition("\n## ")[0]
    assert all(f"`{group}`" in chapter for group in GROUPS)


def test_changes_are_made_in_their_order() -> None:
    general_last = BASE.changed({"dragons.cinder_wing.health": 7, "dragons.red.health": 8})
    general_first = BASE.changed({"dragons.red.health": 8, "dragons.cinder_wing.health": 7})
    assert [dragon(pack, "cinder_wing").health[0] for pack in (general_last, general_first)] == [8, 7]


def test_a_derived_pack_can_be_changed_again() -> None:
    chain = BASE.changed({"gear_cards.naginata.copies": 2}).changed({"gear_cards.naginata_2.gear": "weapon"})
    chain = chain.changed({"gear_cards.naginata_2": None})
    assert chain == BASE
    assert [list(step) for step in chain.origin.changes] == [
        ["gear_cards.naginata.copies"],
        ["gear_cards.naginata_2.gear"],
        ["gear_cards.naginata_2"],
    ]
    assert BASE.changed({}) is BASE


def test_later_edits_of_the_values_given_change_no_pack() -> None:
    faces = ["0", "0", "0", "0", "0", "1"]
    pack = BASE.changed({"dice.wood.faces": faces})
    faces[0] = "9"
    carried(pack)["changes"][0]["dice.wood.faces"][0] = "9"
    again = pack.changed({"supply.wood": 1})
    assert [face.hits for face in again.dice[0].faces] == [0, 0, 0, 0, 0, 1]


# Name, edition, sources


def test_name_and_words_say_what_was_changed(folder: Path) -> None:
    one, two = BASE.changed({"supply.wood": 70}), BASE.changed({"supply.wood": 70}).changed({"scrolls.seer": None})
    assert (one.name, str(one), repr(one)) == (
        *["base with supply.wood = 70"] * 2,
        "<Pack 'base with supply.wood = 70'>",
    )
    assert (two.name, two.changes) == ("base with 2 changes", "supply.wood = 70; scrolls.seer = None")
    woody = load_pack(folder).changed({"supply.metal": 1})
    assert (woody.name, woody.changes) == (f"{folder} with supply.metal = 1", "more wood; supply.metal = 1")
    assert str(load_pack(folder)) == str(folder)


def test_the_edition_is_the_rulebooks_as_long_as_its_counts_are_kept(folder: Path) -> None:
    assert BASE.changed({"dragons.blue.initiative": 2}).edition == "rulebook"
    assert BASE.changed(SLOW).edition == CHANGED  # one red dragon has initiative 14
    broken = BASE.changed({"supply.wood": 70})
    assert broken.edition == CHANGED
    assert broken.changed({"supply.wood": 60}).edition == "rulebook"
    assert load_pack(folder).changed(SLOW).edition == CHANGED


def test_what_was_changed_is_reconstructed() -> None:
    assert dragon(BASE, "bamboo_fang").source == BASE.sources["supply"] == "rulebook"
    pack = BASE.changed({"dragons.bamboo_fang.health": 11, "supply.wood": 61, "scrolls.seer.source": "rulebook"})
    assert dragon(pack, "bamboo_fang").source == pack.sources["supply"] == "reconstructed"
    assert next(scroll for scroll in pack.scrolls if scroll.id == "seer").source == "rulebook"


# Equality, hashing, pickling


def test_packs_are_equal_by_digest(folder: Path) -> None:
    one, same = BASE.changed({"supply.wood": 65}), load_pack(folder)
    assert one == same
    assert len({one, same, BASE, load_pack("base")}) == 2
    assert BASE != "base"
    for copied in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
        assert copied == one
        assert copied.origin == one.origin
        assert copied.changed({"supply.wood": 60}) == BASE


def test_rules_take_packs() -> None:
    rules, again = (Rules(3, content=BASE.changed(SLOW)) for _ in range(2))
    assert rules == again == pickle.loads(pickle.dumps(rules))
    assert hash(rules) == hash(again)
    assert rules != Rules(3)
    assert rules.tables is again.tables is not Rules(3).tables
    assert "base with dragons.red.initiative" in repr(rules)
    assert Rules(3, content=BASE) == Rules(3)
    assert Rules(3, content=BASE).content == "base"


def test_a_folder_called_as_a_shipped_pack_is_still_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.rename(folder.parent / "base")
    monkeypatch.chdir(folder.parent)
    pack = load_pack(Path("base"))
    assert pack.supply["wood"] == Rules(content=pack).pack.supply["wood"] == 65
    assert Rules(content=Path("base")).pack == pack
    assert load_pack(pack.origin.content) == pack


def test_a_pack_edited_by_hand_is_refused() -> None:
    edited = replace(BASE, markers=5)
    with pytest.raises(RulesError, match=r"content=<Pack 'base'> was edited by hand: derive a pack with Pack.changed"):
        Rules(content=edited)
    with pytest.raises(ContentError, match=r"content pack base: was edited by hand; change a pack that was loaded"):
        edited.changed(SLOW)


def test_what_is_no_content_is_refused() -> None:
    wrong: Any = ["base"]
    with pytest.raises(
        RulesError, match=r"content=\['base'\]: allowed are the name of a shipped pack, a folder, or a P"
    ):
        Rules(content=wrong)


def test_rules_say_what_a_derived_pack_can_not_be_played_in() -> None:
    poor = BASE.changed({"supply.metal": 10})
    with pytest.raises(RulesError, match=r"content='base with supply.metal = 10' can't be played in scenario 7"):
        Rules(content=poor, scenario=7)
    with pytest.raises(RulesError, match=r"content='base with tiles.hidden_stair = None' can't be played in co-op"):
        Rules(content=BASE.changed({"tiles.hidden_stair": None}), mode="coop")


# Faults

FAULTS: list[tuple[Any, str]] = [
    (
        {"dragon.red.health": 3},
        "dragon.red.health: 'dragon' is not a group; allowed: tiles, tokens, dragon_kinds, dragons",
    ),
    ({"": 3}, "'' is not a group; allowed: tiles"),
    ({"dragons": 3}, "dragons: names no entry; allowed: *, blue, green, red, white, rain_whelp"),
    ({"dragons.pink.health": 3}, "dragons.pink.health: no entry 'pink'; allowed: *, blue, green"),
    ({"tokens.driftwod": None}, "tokens.driftwod: no entry 'driftwod'; allowed: *, square, level1"),
    ({"dragons.red": 3}, "dragons.red: names no key; allowed: id, colour, initiative, health, source"),
    (
        {"dragons.red.health": [1, 2]},
        "dragons.red.health: 2 values for 4 entries; write one, or one for each of cinder",
    ),
    ({"dragons.red.vp": 3}, "dragons.toml: dragon cinder_wing: unknown key 'vp'; known here: id, colour"),
    ({"dragons.red.vp": None}, "dragons.red.vp: there is no key 'vp'; allowed: id, colour"),
    ({"dragons.cinder_wing.health": "3"}, "dragons.toml: dragon cinder_wing: 'health' must be a list of whole numbers"),
    ({"dragons.cinder_wing.health": 500}, "dragons.toml: dragon cinder_wing: 500 health; allowed: 1 to 127"),
    ({"dragons.cinder_wing.initiative": 1.5}, "'initiative' must be a whole number, not 1.5"),
    ({"dragons.cinder_wing.initiative": True}, "'initiative' must be a whole number, not True"),
    ({"dragons.fire_wing": {"colour": "red"}}, "dragons.toml: dragon fire_wing: key 'initiative' is missing"),
    ({"dragons.*.copies": 2}, "dragons.toml: dragons: 26 dragons; allowed: 0 to 16"),
    ({"dragons.lord_of_fuji": None}, "dragons.toml: dragon kind white: no dragon of this colour, but a tile shows one"),
    ({"dragons.rain_whelp.copies": "2"}, "dragons.rain_whelp.copies: '2' copies; allowed: 0 to 32"),
    ({"dragons.rain_whelp.copies": 10**9}, "dragons.rain_whelp.copies: 1000000000 copies; allowed: 0 to 32"),
    ({"blueprints.*.copies": 32}, "blueprints.*.copies: more than 256 entries in all"),
    ({"gear_cards.helmet": None}, "gear_cards.toml: helmet: 0 gear cards; allowed: 6 to 32"),
    ({"tiles.throne_of_fuji.copies": 2}, "tile throne_of_fuji_2: shows 'dragon white', and so does throne_of_fuji"),
    (
        {"tiles.mossy_gate.spaces.7": "-"},
        "tiles.mossy_gate.spaces.7: '7' is not a position in a list of 7, counted from 0",
    ),
    ({"tiles.mossy_gate.spaces.-1": "-"}, "'-1' is not a position in a list of 7"),
    ({"tiles.mossy_gate.spaces.0.x": "-"}, "tiles.mossy_gate.spaces.0.x: '-' is not a list, so it has no 'x'"),
    ({"tiles.mossy_gate.spaces.0": "two\nlines"}, "tiles.toml: tile mossy_gate: space 'two\\nlines' is not understood"),
    ({"dice.wood": None}, "dice.toml: die wood: is missing; write one"),
    ({"dice.wood.copies": 2}, "dice.toml: die wood_2: the name 'wood_2' is unknown; allowed: wood, metal"),
    ({"supply": 70}, "supply: names no key; allowed: wood, metal"),
    ({"supply.wood": -1}, "supply.toml: supply: -1 of wood; allowed: 0 to 999"),
    ({"supply.wood": None}, "supply.toml: supply: key 'wood' is missing"),
    ({"supply.iron": 3}, "supply.toml: supply: unknown key 'iron'; known here: source, wood"),
    ({"supply.wood": object()}, "supply.wood: <object object at"),
    ({"supply.wood": [[[[[1]]]]]}, "is not a TOML value; allowed: numbers, texts, lists, tables and None"),
    ({"supply.wood": "x" * 10_000}, "'wood' must be a whole number, not 'xxxx"),
    ({"x" * 10_000: 1}, "is not a group; allowed: tiles"),
    ({3: 4}, "3: a path is a text such as 'supply.wood', not 3"),
    ([1], "changes are values by path, such as {'supply.wood': 70}, not [1]"),
]


@pytest.mark.parametrize(("changes", "message"), FAULTS, ids=[line for _, line in FAULTS])
def test_a_change_that_can_not_be_made_gets_one_line(changes: Any, message: str) -> None:
    with pytest.raises(ContentError) as raised:
        BASE.changed(changes)
    text = str(raised.value)
    assert text.startswith("content pack base, changed: ")
    assert message in text
    assert "\n" not in text
    assert len(text) < 800


def test_all_faults_are_named() -> None:
    with pytest.raises(ContentError) as raised:
        BASE.changed({"suply.wood": 3, "supply.metal": -1, "dragon": None})
    assert [fault.entry for fault in raised.value.faults] == ["suply.wood", "dragon"]
    assert str(raised.value).endswith("markers (and 1 more)")
    with pytest.raises(ContentError) as raised:
        BASE.changed({"supply.wood": -1, "supply.metal": -1})
    assert list(raised.value.faults) == [
        Fault("supply.toml", "supply", f"-1 of {piece}; allowed: 0 to 999") for piece in ("wood", "metal")
    ]
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_random_changes_give_a_pack_or_a_content_error() -> None:
    luck = random.Random(5)
    words = [*GROUPS, "*", "red", "helmet", "level2", "seer", "naginata", "wood", "copies", "spaces", "calls", "0", ""]
    values: list[Any] = [
        None,
        0,
        3,
        -1,
        "x",
        "2 wood",
        [],
        [1, 2, 3],
        {},
        {"copies": 2},
        {"id": "x"},
        10**30,
        [[]],
        True,
        0.5,
    ]
    made, lines = 0, []
    for _ in range(400):
        paths = [".".join(luck.choices(words, k=luck.randint(1, 4))) for _ in range(luck.randint(1, 2))]
        try:
            made += BASE.changed({path: luck.choice(values) for path in paths}).is_checked
        except ContentError as error:
            lines.append(str(error))
    assert made
    assert not any("\n" in line for line in lines)


# Files and other processes

needs_games = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")

READ = """
import json, pathlib, pickle, sys
from fujikoro_env import Game, Rules
from fujikoro_env.record import Recording, Replay

folder = pathlib.Path(sys.argv[1])
where = sys.argv[2] if len(sys.argv) > 2 else None
replay = Replay(Recording.from_json((folder / "recording.json").read_text(), where))
from_start = Replay(Recording.from_json((folder / "from_position.json").read_text(), where))
games = [
    Game.from_json((folder / "position.json").read_text(), where),
    Game.from_bytes((folder / "game.bytes").read_bytes(), where),
    replay.game_at(replay.last),
    from_start.game_at(from_start.last),
]
if not where:
    games.append(pickle.loads((folder / "game.pickle").read_bytes()))
    rules = pickle.loads((folder / "rules.pickle").read_bytes())
    assert rules == games[0].rules, (rules, games[0].rules)
for game in games:
    game.step(game.legal_actions()[0])
print(json.dumps([[game.digest(), game.rules.pack.digest, game.rules.pack.name] for game in games]))
"""


def played(rules: Rules) -> Recorder:
    recorder, luck = Recorder(Game(rules, 3), ["random"] * rules.players, 3), random.Random(3)
    for _ in range(60):
        recorder.step(luck.choice(recorder.game.legal_actions()))
    return recorder


def write_all(folder: Path, recorder: Recorder) -> None:
    game = recorder.game
    (folder / "recording.json").write_text(recorder.recording().to_json())
    (folder / "position.json").write_text(game.to_json())
    (folder / "game.bytes").write_bytes(game.to_bytes())
    (folder / "game.pickle").write_bytes(pickle.dumps(game))
    (folder / "rules.pickle").write_bytes(pickle.dumps(game.rules))
    later = Recorder(game.clone(), ["random"] * game.rules.players)
    (folder / "from_position.json").write_text(later.recording().to_json())


@pytest.mark.slow
@needs_games
def test_other_processes_read_what_was_made_with_a_derived_pack(tmp_path: Path) -> None:
    pack = BASE.changed(MANY).changed({"dice.wood.faces.0": "1"})
    recorder = played(Rules(3, content=pack))
    write_all(tmp_path, recorder)
    game = recorder.game
    game.step(game.legal_actions()[0])
    found = json.loads(run("-c", READ, str(tmp_path)))
    assert found == [[game.digest(), pack.digest, f"base with {len(MANY) + 1} changes"]] * 5


@pytest.mark.slow
@needs_games
def test_a_derived_pack_of_a_folder_needs_the_folder(tmp_path: Path, folder: Path) -> None:
    pack = load_pack(folder).changed(SLOW)
    recorder = played(Rules(3, content=pack))
    write_all(tmp_path, recorder)
    game, moved = recorder.game, folder.rename(tmp_path / "elsewhere")
    game.step(game.legal_actions()[0])
    found = json.loads(run("-c", READ, str(tmp_path), str(moved)))
    assert [each[:2] for each in found] == [[game.digest(), pack.digest]] * 4
    assert found[0][2].startswith(f"{moved} with dragons.red.initiative")


@needs_games
def test_a_base_that_has_changed_is_told_apart_from_altered_changes(folder: Path) -> None:
    position = json.loads(Game(Rules(content=load_pack(folder).changed(SLOW))).to_json())
    position["rules"]["digest"] = "0" * 16
    with pytest.raises(PositionError) as raised:
        Game.from_json(json.dumps(position))
    assert str(raised.value).endswith("not '0000000000000000'")
    position["rules"]["base_digest"] = "1" * 16
    with pytest.raises(PositionError) as raised:
        Game.from_json(json.dumps(position))
    base = load_pack(folder).digest
    assert str(raised.value).endswith(f"not '0000000000000000' ({folder} is {base}, and was '1111111111111111')")


def test_what_a_file_says_of_a_pack() -> None:
    assert carried(BASE) == {"content": "base", "digest": BASE.digest}
    pack = BASE.changed(SLOW).changed({"dragons.blue.initiative": (1, 2, 3, 4)})
    said = json.loads(json.dumps(carried(pack)))
    assert said == carried(pack)
    assert (said["base_digest"], said["changes"][0]) == (BASE.digest, SLOW)
    assert carried_content(said) == pack
    assert carried_content({"content": "base"}) == carried_content({}) == "base"


ALTERED: list[tuple[str, Any, str]] = [
    ("changes", 3, "changes: 3 is not a list of changes"),
    ("changes", {"supply.wood": 70}, "changes: {'supply.wood': 70} is not a list of changes"),
    ("changes", [3], "content pack base, changed: changes are values by path, such as {'supply.wood': 70}, not 3"),
    ("changes", [{"suply.wood": 3}], "content pack base, changed: suply.wood: 'suply' is not a group; allowed: tiles"),
    ("changes", [{"supply.wood": "__import__('os')"}], "supply.toml: supply: 'wood' must be a whole number"),
    ("changes", [{"supply.wood": 71}], "content base with supply.wood = 71 is "),
    ("changes", [], "content base is "),
    ("changes", json.loads("[" * 300 + "]" * 300), "changes are values by path"),
    ("content", 3, "content: 3 is not the name of a content pack"),
    ("content", "", "content: '' is not the name of a content pack"),
    ("content", "atlantis", "content pack atlantis: no folder 'atlantis'"),
    ("digest", "0" * 16, "content base with supply.wood = 70 is "),
    ("digest", 7, "content base with supply.wood = 70 is "),
]


@needs_games
@pytest.mark.parametrize(("key", "value", "message"), ALTERED, ids=[line for *_, line in ALTERED])
def test_altered_files_get_one_line(key: str, value: Any, message: str) -> None:
    game = Game(Rules(content=BASE.changed({"supply.wood": 70})))
    position, recording = json.loads(game.to_json()), json.loads(Recorder(game, ["x"] * 4, 0).recording().to_json())
    position["rules"][key] = recording["rules"][key] = value
    readers: list[tuple[type[ValueError], Callable[[], Any]]] = [
        (PositionError, lambda: Game.from_json(json.dumps(position))),
        (RecordError, lambda: Recording.from_json(json.dumps(recording))),
        (SavedGameError, lambda: Game.from_bytes(with_head(game.to_bytes(), key, value))),
    ]
    for kind, read in readers:
        with pytest.raises(kind) as raised:
            read()
        assert message in str(raised.value)
        assert "\n" not in str(raised.value)


def with_head(saved: bytes, key: str, value: Any) -> bytes:
    """A saved game with another value in its head."""
    start = len(FORMAT.mark) + 4
    size = int.from_bytes(saved[len(FORMAT.mark) : start], "little")
    head = json.dumps({**json.loads(saved[start : start + size]), key: value}).encode()
    changed = FORMAT.mark + len(head).to_bytes(4, "little") + head + saved[start + size : -CHECKSUM_BYTES]
    return changed + checksum(changed)


@needs_games
def test_a_position_written_by_hand_may_have_changes() -> None:
    examples = re.findall(r"^```json\n(.*?)^```", (DOCS / "positions.md").read_text(), re.MULTILINE | re.DOTALL)
    game = Game.from_json(next(example for example in examples if '"changes"' in example))
    assert {d.initiative for d in game.rules.pack.dragons if d.colour == "red"} == {9}
    assert game.rules.pack.supply["wood"] == 70


# Games


@needs_games
@pytest.mark.parametrize("mode", ["competitive", "coop"])
def test_games_with_doubles_and_without_things_keep_every_invariant(mode: str) -> None:
    rules = Rules(3, mode=mode, content=BASE.changed(MANY), max_rounds=6, ask_forced=True)
    for seed in range(3):
        for game in play(Game(rules, seed), seed):
            check(game)


@pytest.mark.slow
@needs_games
def test_tournaments_name_the_changes(tmp_path: Path) -> None:
    pytest.importorskip("scipy", reason="tournaments are not installed: pip install -e '.[tournament]'")
    pytest.importorskip("pyarrow", reason="tournaments are not installed: pip install -e '.[tournament]'")
    from fujikoro_training.tournament.run import Plan
    from fujikoro_training.tournament.run import play as play_tournament
    from fujikoro_training.tournament.store import JOURNAL, StoreError

    rules = Rules(2, content=BASE.changed(SLOW), max_rounds=2)
    play_tournament(Plan(["random", "random"], rules), 2, tmp_path, workers=1)
    settings = json.loads((tmp_path / JOURNAL).read_text().splitlines()[0])["rules"]
    assert (settings["content"], settings["changes"]) == ("base", [SLOW])
    assert carried_content(settings) == rules.pack
    other = Plan(["random", "random"], Rules(2, content=BASE.changed({"dragons.red.initiative": 9}), max_rounds=2))
    with pytest.raises(StoreError, match=r"has rules.changes .* continue with the same settings"):
        play_tournament(other, 2, tmp_path, workers=1)

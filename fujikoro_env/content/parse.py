"""Parses the short texts of a pack's TOML files into the dataclasses of `model.py`.

Only what the dataclasses can't represent is a fault here (types, syntax, keys); `check.py` checks the rest.
"""

import re
from collections.abc import Callable
from typing import TypeVar

from fujikoro_env.content import errors as files
from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    CHARACTERS,
    CUBES,
    DRAGON_COLOURS,
    FOOT_SPOTS,
    PALACE_TRACKS,
    RESOURCES,
    SUPPLY,
    Adventure,
    Card,
    Die,
    Dragon,
    DragonKind,
    Face,
    Pack,
    Scroll,
    Start,
    Tile,
    TileSpace,
    Token,
)
from fujikoro_env.kernel.toml_tables import TomlTable

T = TypeVar("T")
SPACE = re.compile(r"(?P<item>-|[a-z]+(?: [a-z]+)*)?(?: ?\+(?P<eruption>[1-9]))?")
FACE = re.compile(r"(?P<hits>[0-9]+)(?P<breaks>\*?)")


def parse_pack(documents: dict[str, TomlTable]) -> Pack:
    """Return the pack of these files, without its digest. Faults are added to the list that the tables share."""
    sources: dict[str, str] = {}
    about, dragons, tracks, stock = (documents[f] for f in (files.PACK, files.DRAGONS, files.TRACKS, files.SUPPLY))
    pack = Pack(
        name=about.text("name"),
        edition=about.text("edition"),
        changes=about.text("changes", default=""),
        digest="",
        tiles=documents[files.TILES].tables("tile", "tile", _tile),
        tokens=documents[files.TOKENS].tables("token", "token", _token),
        dragon_kinds=_in_order(dragons.tables("kind", "dragon kind", _kind), DRAGON_COLOURS, _colour),
        dragons=dragons.tables("dragon", "dragon", _dragon),
        dice=_in_order(documents[files.DICE].tables("die", "die", _die), CUBES, _die_kind),
        gear_cards=documents[files.GEAR_CARDS].tables("card", "gear card", _card),
        blueprints=documents[files.BLUEPRINTS].tables("blueprint", "blueprint", _card),
        scrolls=documents[files.SCROLLS].tables("scroll", "scroll", _scroll),
        adventures=_in_order(
            documents[files.ADVENTURES].tables("adventure", "adventure", _adventure), ADVENTURE_POWERS, _power
        ),
        countdown=_sourced(tracks, "countdown", _calls, sources),
        coop_countdown=_sourced(tracks, "coop_countdown", _calls, sources),
        palace=_sourced(tracks, "palace", _palace, sources),
        foot=_sourced(tracks, "foot", _foot, sources),
        supply=_sourced(stock, "supply", _supply, sources),
        scroll_tokens=_sourced(stock, "scroll_tokens", _each_colour, sources),
        markers=_sourced(stock, "markers", _each_gear, sources),
        characters=_in_order(
            documents[files.CHARACTERS].tables("character", "character", _start), CHARACTERS, _character
        ),
        sources=sources,
    )
    for document in documents.values():
        document.finish()
    return pack


def _in_order(entries: tuple[T, ...], names: tuple[str, ...], name: Callable[[T], str]) -> tuple[T, ...]:
    """Return the entries in the order of `names`, with unknown ones last for the check to find."""
    return tuple(sorted(entries, key=lambda entry: (*names, name(entry)).index(name(entry))))


def _sourced(document: TomlTable, name: str, read: Callable[[TomlTable], T], sources: dict[str, str]) -> T:
    """Return what `read` makes of a table without entries, and note its source in `sources`."""

    def read_with_source(table: TomlTable) -> T:
        sources[name] = table.text("source")
        return read(table)

    return document.table(name, read_with_source)


def _tile(table: TomlTable) -> Tile:
    spaces = tuple(_space(table, text) for text in table.texts("spaces"))
    return Tile(table.text("id"), table.number("level"), spaces, table.text("source"))


def _space(table: TomlTable, text: str) -> TileSpace:
    found = SPACE.fullmatch(text)
    if not text or not found:
        table.fault(f"space '{text}' is not understood; write an item, 'lava' or '-', then '+N' if it erupts")
        return TileSpace()
    item, eruption = found["item"] or "-", int(found["eruption"] or 0)
    if item == "lava":
        return TileSpace(lava=True, eruption=eruption)
    return TileSpace("" if item == "-" else item, eruption=eruption)


def _token(table: TomlTable) -> Token:
    shows = table.text("shows")
    monk = shows == "monk"
    cubes = (0, 0, 0) if monk else _cubes(table, shows)
    return Token(table.text("id"), table.text("shape"), table.number("level"), cubes, monk, table.text("source"))


def _cubes(table: TomlTable, shows: str) -> tuple[int, int, int]:
    """Return the number of cubes by kind from a text such as '2 wood 1 metal'."""
    words = shows.split()
    numbers, names = words[::2], words[1::2]
    known = all(number.isdecimal() for number in numbers) and all(name in RESOURCES for name in names)
    if not words or len(numbers) != len(names) or len(set(names)) != len(names) or not known:
        table.fault(f"shows '{shows}'; write 'monk' or numbers of {', '.join(RESOURCES)}, such as '2 wood 1 metal'")
        return (0, 0, 0)
    cubes = {name: int(number) for name, number in zip(names, numbers, strict=True)}
    return (cubes.get("wood", 0), cubes.get("metal", 0), cubes.get("tooth", 0))


def _kind(table: TomlTable) -> DragonKind:
    return DragonKind(
        colour=table.text("colour"),
        dice=table.number("dice"),
        vp=table.number("vp"),
        teeth=table.number("teeth"),
        source=table.text("source"),
    )


def _colour(kind: DragonKind) -> str:
    return kind.colour


def _dragon(table: TomlTable) -> Dragon:
    return Dragon(
        id=table.text("id"),
        colour=table.text("colour"),
        initiative=table.number("initiative"),
        health=_health(table),
        source=table.text("source"),
    )


def _health(table: TomlTable) -> tuple[int, int, int]:
    """Return the health with 3 to 6 players, with 2 and solo, from one number for all or three numbers."""
    if table.is_number("health"):
        same = table.number("health")
        return (same, same, same)
    numbers = table.numbers("health")
    if len(numbers) == 3:
        return (numbers[0], numbers[1], numbers[2])
    if numbers:
        table.fault(f"health has {len(numbers)} numbers; write one, or three: with 3 to 6 players, with 2, solo")
    return (0, 0, 0)


def _die(table: TomlTable) -> Die:
    faces = tuple(_face(table, text) for text in table.texts("faces"))
    return Die(table.text("kind"), faces, table.text("source"))


def _die_kind(die: Die) -> str:
    return die.kind


def _face(table: TomlTable, text: str) -> Face:
    found = FACE.fullmatch(text)
    if not found:
        table.fault(f"face '{text}' is not understood; write its hits, then '*' if it breaks, such as '2*'")
        return Face(0, False)
    return Face(int(found["hits"]), bool(found["breaks"]))


def _card(table: TomlTable) -> Card:
    return Card(
        id=table.text("id"),
        gear=table.text("gear"),
        patterns=_patterns(table),
        resource=table.text("resource", default=""),
        source=table.text("source"),
    )


def _patterns(table: TomlTable) -> tuple[tuple[str, ...], ...]:
    if "pair" not in table:
        return (table.texts("pattern"),)
    parts = table.text_lists("pair")
    if "pattern" in table:
        table.fault("has both 'pattern' and 'pair'; write one of them")
        table.texts("pattern")
    if parts and len(parts) != 2:
        table.fault(f"'pair' has {len(parts)} weapons; write the rows of two")
    return parts


def _scroll(table: TomlTable) -> Scroll:
    name = table.text("id")
    return Scroll(name, table.text("power", default=name), table.text("source"))


def _adventure(table: TomlTable) -> Adventure:
    return Adventure(table.text("power"), table.number("copies"), table.text("source"))


def _power(adventure: Adventure) -> str:
    return adventure.power


def _start(table: TomlTable) -> Start:
    return Start(
        table.text("id"), table.number("vp"), table.numbers("weapon"), table.numbers("pack"), table.text("source")
    )


def _character(start: Start) -> str:
    return start.id


def _calls(table: TomlTable) -> tuple[str, ...]:
    return table.texts("calls")


def _palace(table: TomlTable) -> dict[str, tuple[int, ...]]:
    return {track: table.numbers(track) for track in PALACE_TRACKS}


def _foot(table: TomlTable) -> dict[str, int]:
    return {spot: table.number(spot) for spot in FOOT_SPOTS}


def _supply(table: TomlTable) -> dict[str, int]:
    return {piece: table.number(piece) for piece in SUPPLY}


def _each_colour(table: TomlTable) -> int:
    return table.number("each_colour")


def _each_gear(table: TomlTable) -> int:
    return table.number("each_gear")

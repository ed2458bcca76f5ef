"""Derives packs from others in Python: changes by path are applied to the values of the files and checked like a
folder.

A path is a group of `GROUPS`, then an entry (or a word for several) if the group has entries, then a key of the TOML
file, then positions in a list: `dragons.cinder_wing.health`, `dragons.red.initiative`, `tiles.mossy_gate.spaces.0`,
`supply.wood`. Only the parser and the checks know which keys exist and what they may hold.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from fujikoro_env.content import errors as files
from fujikoro_env.content.build import build_pack, finish_pack
from fujikoro_env.content.check import check_rulebook
from fujikoro_env.content.errors import ContentError
from fujikoro_env.content.model import MAX_CARDS_PER_TYPE, RULEBOOK, Changes, Origin, Pack
from fujikoro_env.kernel.toml_tables import Fault, Values, shown

CHANGED = "changed"  # edition of a derived pack that does not match the rulebook's counts
ALL = "*"
COPIES = "copies"
SOURCE = "source"
RECONSTRUCTED = "reconstructed"
MAX_COPIES = MAX_CARDS_PER_TYPE  # most copies of one entry: no group has more room
MAX_ENTRIES = 256  # most entries of a group while it is changed; the checks enforce the final limits
LONGEST_PATH = 100  # most characters of a path in a message
MAX_DEPTH = 4  # most levels of a value: keys of an entry, a pair, its weapons, their rows

Entry = dict[str, Any]


@dataclass(frozen=True)
class Group:
    """The first word of a path: the tables [[table]] of a file, or its single table [table]."""

    file: str
    table: str
    name_key: str = ""  # key that identifies a table; "" for a single table
    shared_keys: tuple[str, ...] = ()  # keys whose values name several entries, such as the colour "red"
    has_copies: bool = False  # whether `copies` is a key of the file
    named_power: bool = False  # whether the name is the power if there is no key `power`


GROUPS = {
    "tiles": Group(files.TILES, "tile", "id", ("level",)),
    "tokens": Group(files.TOKENS, "token", "id", ("shape", "level")),
    "dragon_kinds": Group(files.DRAGONS, "kind", "colour"),
    "dragons": Group(files.DRAGONS, "dragon", "id", ("colour",)),
    "dice": Group(files.DICE, "die", "kind"),
    "gear_cards": Group(files.GEAR_CARDS, "card", "id", ("gear",)),
    "blueprints": Group(files.BLUEPRINTS, "blueprint", "id", ("gear",)),
    "scrolls": Group(files.SCROLLS, "scroll", "id", named_power=True),
    "adventures": Group(files.ADVENTURES, "adventure", "power", has_copies=True),
    "characters": Group(files.CHARACTERS, "character", "id"),
    "countdown": Group(files.TRACKS, "countdown"),
    "coop_countdown": Group(files.TRACKS, "coop_countdown"),
    "palace": Group(files.TRACKS, "palace"),
    "foot": Group(files.TRACKS, "foot"),
    "supply": Group(files.SUPPLY, "supply"),
    "scroll_tokens": Group(files.SUPPLY, "scroll_tokens"),
    "markers": Group(files.SUPPLY, "markers"),
}


class _RefusedError(Exception):
    """A change that can't be made: what is wrong, and what is allowed."""


def derived(pack: Pack, *steps: object) -> Pack:
    """Return the pack with changes applied, one step after another, and checked at the end: see `Pack.changed`."""
    if not pack.is_checked:  # its values are those from before the edit
        raise ContentError(str(pack), [Fault("", "", "was edited by hand; change a pack that was loaded or derived")])
    values, faults, made = deepcopy(pack.origin.values), list[Fault](), list[Changes]()
    for step in steps:
        plain, refused = _plain_changes(step)
        faults += refused + _apply_all(values, plain)
        made += [plain] if plain else []
    if not made and not faults:
        return pack
    new, faults = (None, faults) if faults else build_pack(values)
    if new is None or faults:
        raise ContentError(f"{pack.origin.content}, changed", faults, is_folder=False)
    return _named(new, replace(pack.origin, changes=(*pack.origin.changes, *made), values=values))


def _named(pack: Pack, origin: Origin) -> Pack:
    """Return the pack with a name, the edition that it conforms to, and a description of its changes in addition to
    those of its folder."""
    changes = [f"{path} = {shown(value)}" for step in origin.changes for path, value in step.items()]
    name = f"{origin.content} with {changes[0] if len(changes) == 1 else f'{len(changes)} changes'}"
    edition = pack.edition if pack.edition == RULEBOOK and not check_rulebook(pack) else CHANGED
    told = "; ".join([pack.changes, *changes] if pack.changes else changes)
    return finish_pack(pack, name=name, edition=edition, changes=told, origin=origin)


# plain data


def _plain_changes(changes: object) -> tuple[dict[str, object], list[Fault]]:
    """Return a copy of the changes as plain data, and faults for values that are not plain data."""
    if not isinstance(changes, Mapping):
        return {}, [Fault("", "", f"changes are values by path, such as {{'supply.wood': 70}}, not {shown(changes)}")]
    plain: dict[str, object] = {}
    faults = []
    for path, value in changes.items():
        try:
            plain[path] = _plain(value)
        except _RefusedError as error:
            faults.append(_fault(path, error))
    return plain, faults


def _plain(value: Any, depth: int = MAX_DEPTH) -> object:
    if hasattr(value, "tolist"):  # a NumPy array or number
        value = value.tolist()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if depth and isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: _plain(item, depth - 1) for key, item in value.items()}
    if depth and isinstance(value, list | tuple):
        return [_plain(item, depth - 1) for item in value]
    raise _RefusedError(f"{shown(value)} is not a TOML value; allowed: numbers, texts, lists, tables and None")


# making changes


def _apply_all(values: Values, changes: Changes) -> list[Fault]:
    faults = []
    for path, value in changes.items():
        try:
            _apply(values, path, value)
        except _RefusedError as error:
            faults.append(_fault(path, error))
    return faults


def _fault(path: object, error: _RefusedError) -> Fault:
    return Fault("", str(path)[:LONGEST_PATH], str(error))


def _apply(values: Values, path: object, value: object) -> None:
    if not isinstance(path, str):
        raise _RefusedError(f"a path is a text such as 'supply.wood', not {shown(path)}")
    first, *words = path.split(".")
    group = GROUPS.get(first)
    if group is None:
        raise _RefusedError(f"{shown(first)} is not a group; allowed: {', '.join(GROUPS)}")
    content: Any = values[group.file][group.table]
    if not group.name_key:
        _write_all(content, words, value)
    elif not words:
        raise _RefusedError(f"names no entry; {_allowed(group, content)}")
    else:
        _change_entries(group, content, words, value)


def _change_entries(group: Group, entries: list[Entry], words: list[str], value: object) -> None:
    name, *keys = words
    chosen, are_several = _chosen(group, entries, name)
    if not chosen and not keys and isinstance(value, dict):
        entries.append({group.name_key: name, SOURCE: RECONSTRUCTED, **value})
        return
    if not chosen:
        raise _RefusedError(f"no entry {shown(name)}; {_allowed(group, entries)}")
    for each_keys, item in _single_changes(keys, value):
        for entry, share in zip(chosen, _shares(group, chosen, item, are_several), strict=True):
            if each_keys == [COPIES] and not group.has_copies:
                _copy(group, entries, entry, share)
            else:
                _write_all(entry, each_keys, share)


def _single_changes(keys: list[str], value: object) -> list[tuple[list[str], object]]:
    """Split a change into one for each key. A table holds several; removing an entry means 0 copies of it."""
    if not keys and isinstance(value, dict):
        return [([key], item) for key, item in value.items()]
    return [([COPIES], 0)] if not keys and value is None else [(keys, value)]


def _chosen(group: Group, entries: list[Entry], name: str) -> tuple[list[Entry], bool]:
    """Return the entries that a word names, and whether it may name several."""
    if name == ALL:
        return list(entries), True
    named = [entry for entry in entries if entry.get(group.name_key) == name]
    if named:
        return named, False
    return [entry for entry in entries if name in _shared(group, entry)], True


def _shared(group: Group, entry: Entry) -> Iterator[str]:
    """Yield words that name this entry together with others."""
    for key in group.shared_keys:
        yield f"level{entry.get(key)}" if key == "level" else str(entry.get(key))


def _allowed(group: Group, entries: list[Entry]) -> str:
    several = dict.fromkeys(word for entry in entries for word in _shared(group, entry))
    return f"allowed: {', '.join([ALL, *several, *(str(entry.get(group.name_key)) for entry in entries)])}"


def _shares(group: Group, chosen: list[Entry], value: object, are_several: bool) -> list[object]:
    """Return the value of each entry. For several entries, a list holds one value for each, in the order of the
    file."""
    if not are_several or not isinstance(value, list):
        return [value] * len(chosen)
    if len(value) != len(chosen):
        names = ", ".join(str(entry.get(group.name_key)) for entry in chosen)
        raise _RefusedError(f"{len(value)} values for {len(chosen)} entries; write one, or one for each of {names}")
    return value


def _copy(group: Group, entries: list[Entry], entry: Entry, number: object) -> None:
    """Make `number` copies of an entry in total; the second is named like the first with _2 added, and so on."""
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MAX_COPIES:
        raise _RefusedError(f"{shown(number)} copies; allowed: 0 to {MAX_COPIES}")
    if len(entries) + number > MAX_ENTRIES:
        raise _RefusedError(f"more than {MAX_ENTRIES} entries in all")
    place, name = next(k for k, other in enumerate(entries) if other is entry), entry[group.name_key]
    if group.named_power:
        entry.setdefault("power", name)
    copies = [{**deepcopy(entry), group.name_key: f"{name}_{n}"} for n in range(2, number + 1)]
    entries[place : place + 1] = [entry, *copies] if number else []


def _write_all(table: Entry, keys: list[str], value: object) -> None:
    """Write one key of a table, or several if the value is itself a table."""
    if keys:
        _write(table, keys, value)
    elif isinstance(value, dict):
        for key, item in value.items():
            _write(table, [key], item)
    else:
        raise _RefusedError(f"names no key; allowed: {', '.join(table)}")


def _write(table: Entry, keys: list[str], value: object) -> None:
    """Write the value where the keys lead, through lists by position; None removes what is there."""
    holder: Any = table
    for key in keys[:-1]:
        holder = holder[_place(holder, key, exists=True)]
    place = _place(holder, keys[-1], exists=value is None)
    if value is None:
        del holder[place]
    else:
        holder[place] = deepcopy(value)
    if keys != [SOURCE]:
        table[SOURCE] = RECONSTRUCTED  # it is now our own value, whatever it was


def _place(holder: object, key: str, exists: bool) -> str | int:
    """Return the key of a table or the position in a list. A table may get a new key, which the parser then checks."""
    if isinstance(holder, list):
        if key.isascii() and key.isdigit() and len(key) < 4 and int(key) < len(holder):
            return int(key)
        raise _RefusedError(f"{shown(key)} is not a position in a list of {len(holder)}, counted from 0")
    if not isinstance(holder, dict):
        raise _RefusedError(f"{shown(holder)} is not a list, so it has no {shown(key)}")
    if exists and key not in holder:
        raise _RefusedError(f"there is no key {shown(key)}; allowed: {', '.join(holder)}")
    return key

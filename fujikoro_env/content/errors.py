"""Faults of a content pack, each described in one line."""

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass

from fujikoro_env.kernel.text import one_line, printable

PACK = "pack.toml"
TILES = "tiles.toml"
TOKENS = "tokens.toml"
DRAGONS = "dragons.toml"
DICE = "dice.toml"
GEAR_CARDS = "gear_cards.toml"
BLUEPRINTS = "blueprints.toml"
SCROLLS = "scrolls.toml"
ADVENTURES = "adventures.toml"
TRACKS = "tracks.toml"
SUPPLY = "supply.toml"
CHARACTERS = "characters.toml"  # may be missing: then characters begin as in the rulebook
FILES = (PACK, TILES, TOKENS, DRAGONS, DICE, GEAR_CARDS, BLUEPRINTS, SCROLLS, ADVENTURES, TRACKS, SUPPLY, CHARACTERS)
LONGEST_NAME = 100  # characters of a pack's name or folder in messages, which may contain it twice


@dataclass(frozen=True)
class Fault:
    """One fault: the file, the entry, what is wrong and what is allowed instead."""

    file: str  # "" for the pack as a whole
    entry: str  # such as "tile mossy_gate"; "" for the file as a whole
    message: str

    def __str__(self) -> str:
        line = ": ".join(part for part in (self.file, self.entry, self.message) if part)
        return printable(line)


class ContentError(ValueError):
    """Raised for a content pack that can't be played. `faults` lists everything that is wrong with it."""

    def __init__(self, pack: str, faults: Sequence[Fault], is_folder: bool = True) -> None:
        super().__init__(pack, faults, is_folder)  # all arguments, so that the error survives pickling
        self.pack = pack
        self.faults = tuple(faults)
        self.is_folder = is_folder  # a folder or shipped pack, whose faults the command line can list

    def __str__(self) -> str:
        more, pack = len(self.faults) - 1, one_line(self.pack, LONGEST_NAME)
        where = f": fujikoro content check {pack}" if self.is_folder else ""
        rest = f" (and {more} more{where})" if more else ""
        return f"content pack {pack}: {self.faults[0]}{rest}"


def shown(value: object) -> str:
    """Return a value for a message, shortened if it is unreasonably long."""
    return _SHORT.repr(value)


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60

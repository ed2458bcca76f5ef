"""What can be wrong with a content pack, said in one line each."""

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass

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
FILES = (PACK, TILES, TOKENS, DRAGONS, DICE, GEAR_CARDS, BLUEPRINTS, SCROLLS, ADVENTURES, TRACKS, SUPPLY)


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: in which file, with which entry, and what is allowed instead."""

    file: str  # "" for the pack as a whole
    entry: str  # such as "tile mossy_gate"; "" for the file as a whole
    message: str

    def __str__(self) -> str:
        line = ": ".join(part for part in (self.file, self.entry, self.message) if part)
        return "".join(letter if letter.isprintable() else "?" for letter in line)  # so it is one line, always


class ContentError(ValueError):
    """A content pack that can't be played. `faults` holds all that is wrong with it."""

    def __init__(self, pack: str, faults: Sequence[Fault], is_folder: bool = True) -> None:
        super().__init__(pack, faults, is_folder)  # all of them, so that the error survives pickling
        self.pack = pack
        self.faults = tuple(faults)
        self.is_folder = is_folder  # or a shipped pack: the command line can list its faults

    def __str__(self) -> str:
        more = len(self.faults) - 1
        where = f": fujikoro content check {self.pack}" if self.is_folder else ""
        rest = f" (and {more} more{where})" if more else ""
        return f"content pack {self.pack}: {self.faults[0]}{rest}"


def shown(value: object) -> str:
    """A value for a message: shortened, if it is longer than any that makes sense."""
    return _SHORT.repr(value)


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60

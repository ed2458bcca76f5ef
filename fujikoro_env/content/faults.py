"""What can be wrong with a content pack, said in one line each."""

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
        return ": ".join(part for part in (self.file, self.entry, self.message) if part)


class ContentError(ValueError):
    """A content pack that can't be played. `faults` holds all that is wrong with it."""

    def __init__(self, pack: str, faults: Sequence[Fault]) -> None:
        super().__init__(pack, faults)  # both, so that the error survives pickling
        self.pack = pack
        self.faults = tuple(faults)

    def __str__(self) -> str:
        more = len(self.faults) - 1
        rest = f" (and {more} more: fujikoro content check {self.pack})" if more else ""
        return f"content pack {self.pack}: {self.faults[0]}{rest}"

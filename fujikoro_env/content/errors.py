"""The files of a content pack, and the error for one that can't be played."""

from collections.abc import Sequence

from fujikoro_env.kernel import toml_tables
from fujikoro_env.kernel.text import one_line
from fujikoro_env.kernel.toml_tables import LONGEST_NAME, Fault

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


class ContentError(toml_tables.ContentError):
    """Raised for a content pack that can't be played. `faults` lists everything that is wrong with it."""

    def __init__(self, pack: str, faults: Sequence[Fault], is_folder: bool = True) -> None:
        super().__init__(pack, faults)
        self.args = (pack, faults, is_folder)  # all arguments, so that the error survives pickling
        self.is_folder = is_folder  # a folder or shipped pack, whose faults the command line can list

    @property
    def how_to_list(self) -> str:
        """The command that lists all faults."""
        return f": fujikoro content check {one_line(self.pack, LONGEST_NAME)}" if self.is_folder else ""

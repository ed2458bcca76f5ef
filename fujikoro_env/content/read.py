"""Reads the files of a pack. characters.toml may be missing: then characters begin as in the rulebook."""

from importlib.resources.abc import Traversable

from fujikoro_env.content.errors import CHARACTERS, FILES
from fujikoro_env.content.model import RULEBOOK
from fujikoro_env.content.rulebook import FIRST_CUBES
from fujikoro_env.kernel import toml_tables
from fujikoro_env.kernel.toml_tables import Fault, Values


def read_values(folder: Traversable) -> tuple[Values, list[Fault]]:
    """Return the values of all files of a pack, by file, and the faults found while reading them."""
    return toml_tables.read_values(folder, FILES, {CHARACTERS: {"character": rulebook_characters()}})


def rulebook_characters() -> list[dict[str, object]]:
    """Return the entries of characters.toml that give every character the starting pieces of the rulebook."""
    return [
        {"id": name, "vp": 0, "weapon": list(weapon), "pack": list(pack), "source": RULEBOOK}
        for name, (weapon, pack) in FIRST_CUBES.items()
    ]

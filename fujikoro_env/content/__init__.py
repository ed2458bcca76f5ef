"""Content packs: what is printed on the components, as data that can be checked, swapped and varied."""

from fujikoro_env.content.build import pack_digest
from fujikoro_env.content.errors import ContentError
from fujikoro_env.content.load import check_pack, load_pack, shipped_packs
from fujikoro_env.content.model import Pack
from fujikoro_env.kernel.toml_tables import Fault

__all__ = ["ContentError", "Fault", "Pack", "check_pack", "load_pack", "pack_digest", "shipped_packs"]

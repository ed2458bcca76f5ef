"""Content packs: what is printed on the components, as data that can be checked and swapped."""

from fuji_env.content.load import check_pack, load_pack, shipped_packs
from fuji_env.content.model import Pack
from fujikoro_env.kernel.toml_tables import ContentError, Fault

__all__ = ["ContentError", "Fault", "Pack", "check_pack", "load_pack", "shipped_packs"]

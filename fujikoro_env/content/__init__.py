"""Content packs: what is printed on the components, as data that can be checked, swapped and varied."""

from .faults import ContentError, Fault
from .load import check_pack, load_pack, pack_digest, shipped_packs
from .model import Pack

__all__ = ["ContentError", "Fault", "Pack", "check_pack", "load_pack", "pack_digest", "shipped_packs"]

"""Registers the environments with Gymnasium and PettingZoo, without importing either.

`gymnasium.make("FujiKoro-v0")` and `pettingzoo.make("aec", "fujikoro/fujikoro_v0")` work after `import fujikoro_env`,
whatever the order of the imports. Importing Gymnasium takes a tenth of a second, which users who only play games should
not have to wait for. So if a library is not imported yet, an import hook registers the environments when it is.
"""

import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

GYMNASIUM_ID = "FujiKoro-v0"
PETTINGZOO_ID = "fujikoro/fujikoro_v0"


def register_all() -> None:
    """Register with the libraries that are already imported, and with the others as soon as they are."""
    for name, tell in REGISTRIES.items():
        if name in sys.modules:
            tell(sys.modules[name])
    if any(name not in sys.modules for name in REGISTRIES):
        sys.meta_path.insert(0, ImportHook())


def _tell_gymnasium(gymnasium: Any) -> None:
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="fujikoro_env.envs.gym:FujiKoro",
            vector_entry_point="fujikoro_env.envs.vector:FujiKoroVector",
        )


def _tell_pettingzoo(pettingzoo: Any) -> None:
    if not hasattr(pettingzoo, "register"):
        return  # versions before 1.27 have no registry
    if PETTINGZOO_ID.replace("_v", "-v") not in pettingzoo.aec_registry:
        pettingzoo.register("aec", PETTINGZOO_ID, entry_point="fujikoro_env.fujikoro_v0:env")


REGISTRIES: dict[str, Callable[[ModuleType], None]] = {"gymnasium": _tell_gymnasium, "pettingzoo": _tell_pettingzoo}


class ImportHook:
    """Import hook that finds modules through the other finders and registers the environments once they are
    imported."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find a library through the other finders, and have it call us once it is imported."""
        if name not in REGISTRIES:
            return None
        others = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self)
        spec = next((found for found in others if found), None)
        if spec and spec.loader:
            _call_when_imported(spec.loader, REGISTRIES[name])
        return spec


def _call_when_imported(loader: Any, tell: Callable[[ModuleType], None]) -> None:
    execute = loader.exec_module

    def execute_and_tell(module: ModuleType) -> None:
        execute(module)
        tell(module)

    loader.exec_module = execute_and_tell

"""Makes the environments known by name to Gymnasium and PettingZoo, without importing them.

`gymnasium.make("FujiKoro-v0")` and `pettingzoo.make("aec", "fujikoro/fujikoro_v0")` work after `import fujikoro_env`,
in whatever order the imports come. Gymnasium takes a tenth of a second to import, and who only plays should not wait
for it: if it is not there yet, it is told when it comes.
"""

import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

GYMNASIUM_ID = "FujiKoro-v0"
PETTINGZOO_ID = "fujikoro/fujikoro_v0"


def register_all() -> None:
    """Now with what is imported, later with what is not."""
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
        return  # a version before 1.27, without a registry
    if PETTINGZOO_ID.replace("_v", "-v") not in pettingzoo.aec_registry:
        pettingzoo.register("aec", PETTINGZOO_ID, entry_point="fujikoro_env.fujikoro_v0:env")


REGISTRIES: dict[str, Callable[[ModuleType], None]] = {"gymnasium": _tell_gymnasium, "pettingzoo": _tell_pettingzoo}


class ImportHook:
    """A finder of modules that finds nothing itself, but has us called when what the others found has been imported."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
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

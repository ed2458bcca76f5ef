"""Registers a game's environments with Gymnasium and PettingZoo, without importing either.

Importing Gymnasium takes a tenth of a second, which users who only play games should not have to wait for. So if a
library is not imported yet, an import hook registers the environments when it is.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

Tell = Callable[[ModuleType], None]


@dataclass(frozen=True)
class Names:
    """Names of a game's environments, and the paths of what makes them."""

    gymnasium: str  # "Fuji-v0"
    gymnasium_path: str
    vector_path: str | None
    pettingzoo: str  # "fuji/fuji_v0"
    pettingzoo_path: str

    def tell_gymnasium(self, gymnasium: Any) -> None:
        """Register with Gymnasium."""
        if self.gymnasium not in gymnasium.registry:
            paths = {"entry_point": self.gymnasium_path, "vector_entry_point": self.vector_path}
            gymnasium.register(self.gymnasium, **paths)

    def tell_pettingzoo(self, pettingzoo: Any) -> None:
        """Register with PettingZoo, from 1.27 on; versions before have no registry."""
        if hasattr(pettingzoo, "register") and self.pettingzoo.replace("_v", "-v") not in pettingzoo.aec_registry:
            pettingzoo.register("aec", self.pettingzoo, entry_point=self.pettingzoo_path)


def register(names: Names) -> None:
    """Register with the libraries that are already imported, and with the others as soon as they are."""
    registries: dict[str, Tell] = {"gymnasium": names.tell_gymnasium, "pettingzoo": names.tell_pettingzoo}
    for name, tell in registries.items():
        if name in sys.modules:
            tell(sys.modules[name])
    waiting = {name: tell for name, tell in registries.items() if name not in sys.modules}
    if waiting:
        sys.meta_path.insert(0, ImportHook(waiting))


class ImportHook:
    """Import hook that finds modules through the other finders and registers the environments once they are
    imported."""

    def __init__(self, registries: Mapping[str, Tell]) -> None:
        self._registries = registries

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find a library through the other finders, and have it call us once it is imported."""
        if name not in self._registries:
            return None
        others = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self)
        spec = next((found for found in others if found), None)
        if spec and spec.loader:
            _call_when_imported(spec.loader, self._registries[name])
        return spec


def _call_when_imported(loader: Any, tell: Tell) -> None:
    execute = loader.exec_module

    def execute_and_tell(module: ModuleType) -> None:
        execute(module)
        tell(module)

    loader.exec_module = execute_and_tell

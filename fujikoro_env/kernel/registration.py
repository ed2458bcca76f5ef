"""Registers a game's environments with Gymnasium and PettingZoo, without importing either.

Importing Gymnasium takes a tenth of a second, which users who only play games should not have to wait for. So if a
library is not imported yet, an import hook registers the environments when it is.
"""

import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, NamedTuple

Tell = Callable[[ModuleType], None]


class Names(NamedTuple):  # a dataclass would import `inspect`, which `fujikoro --help` can do without
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
    for library, tell in (("gymnasium", names.tell_gymnasium), ("pettingzoo", names.tell_pettingzoo)):
        if library in sys.modules:
            tell(sys.modules[library])
        else:
            WAITING.setdefault(library, []).append(tell)
    if WAITING and HOOK not in sys.meta_path:
        sys.meta_path.insert(0, HOOK)


class ImportHook:
    """Import hook that finds modules through the other finders and registers the environments once they are
    imported. There is one for all games: two would look for each other's modules for ever."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find a library through the other finders, and have it call us once it is imported."""
        if name not in WAITING:
            return None
        others = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self)
        spec = next((found for found in others if found), None)
        if spec and spec.loader:
            _call_when_imported(spec.loader, name)
        return spec


def _call_when_imported(loader: Any, library: str) -> None:
    execute = loader.exec_module

    def execute_and_tell(module: ModuleType) -> None:
        execute(module)
        for tell in WAITING.pop(library, ()):
            tell(module)

    loader.exec_module = execute_and_tell


WAITING: Final[dict[str, list[Tell]]] = {}  # by library that is not imported yet: what to call when it is
HOOK: Final = ImportHook()

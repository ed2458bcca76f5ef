"""Registries: what can be found by name, because it was registered in this process or a package offers it at an entry
point."""

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any, Final, Generic, TypeVar

from fujikoro_env.kernel.text import one_line, quoted

T = TypeVar("T")  # what the registry has
M = TypeVar("M")


class Registry(Generic[T]):
    """Things of one kind by name. `group`: the entry points at which packages offer more of them; `error`: raised with
    messages of one line; `reserved`: a name that means something else."""

    def __init__(self, group: str, error: type[ValueError], reserved: str = "") -> None:
        self.group: Final = group
        self.registered: dict[str, T] = {}
        self._error, self._reserved = error, reserved

    def register(self, name: str) -> Callable[[M], M]:
        """Register what is decorated, for the current process."""
        if not name or ":" in name or name == self._reserved:
            allowed = "allowed is any name without a colon"
            raise self._error(f"name {quoted(name)}: {allowed} except {self._reserved!r}")

        def keep(found: M) -> M:
            registered: dict[str, Any] = self.registered
            registered[name] = found
            return found

        return keep

    def names(self) -> list[str]:
        """All names, including those of entry points."""
        return sorted({*self.registered, *entry_points(group=self.group).names})

    def find(self, name: str, what: str) -> T | None:
        """What has this name; None if nothing has. `what` begins the message if an entry point can't be loaded."""
        if name in self.registered:
            return self.registered[name]
        for found in entry_points(group=self.group, name=name):
            try:
                loaded: T = found.load()
            except (ImportError, AttributeError) as error:
                raise self._error(f"{what} can't be loaded: {one_line(str(error))}") from None
            return loaded
        return None

"""Errors of positions, one line for each fault."""

from collections.abc import Iterable


class PositionError(ValueError):
    """Raised for a position that is not legal or can't be read. `faults` has one line for everything that is wrong."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = list(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        more = len(self.faults) - 1
        return self.faults[0] + (f" (and {more} more)" if more else "")


class Faults:
    """Collects the faults of a position, one line each."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, where: str, what: str, rule: str = "") -> None:
        """Add a fault: where it is, what is wrong, and the rule that says so."""
        self.lines.append(f"{where}: {what}" + (f" ({rule})" if rule else ""))

    def want(self, where: str, holds: object, what: str, rule: str = "") -> None:
        """Add a fault unless a condition holds."""
        if not holds:
            self.add(where, what, rule)

    def stop(self) -> None:
        """Raise if there are any faults, because reading on would not make sense."""
        if self.lines:
            raise PositionError(self.lines)

"""Errors of positions: what is wrong is said in one line each."""

from collections.abc import Iterable


class PositionError(ValueError):
    """A position that is not legal, or can't be read. `faults` holds a line for everything that is wrong with it."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = list(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        more = len(self.faults) - 1
        return self.faults[0] + (f" (and {more} more)" if more else "")


class Faults:
    """All that is wrong with a position, a line each."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, where: str, what: str, rule: str = "") -> None:
        self.lines.append(f"{where}: {what}" + (f" ({rule})" if rule else ""))

    def want(self, where: str, holds: object, what: str, rule: str = "") -> None:
        if not holds:
            self.add(where, what, rule)

    def stop(self) -> None:
        """What follows could not be understood with the faults so far."""
        if self.lines:
            raise PositionError(self.lines)

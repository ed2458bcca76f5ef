"""Entries of a table of phases: the questions that a game asks, and the steps that it takes by itself between them."""

from dataclasses import dataclass
from enum import IntEnum


@dataclass(frozen=True)
class Slot:
    """How a phase uses a field of its frame."""

    name: str  # what the field means in this phase
    slot: str  # field of the frame
    doc: str
    most: int = 0  # maximum of the number
    least: int = 0


@dataclass(frozen=True)
class Entry:
    """Everything declared about a phase. A phase has either a question or a step."""

    number: int
    question: str = ""  # question that a player is asked
    step: str = ""  # what the game does by itself
    rules: tuple[str, ...] = ()
    keeps: tuple[Slot, ...] = ()


class PhaseTable(IntEnum):
    """Base of a game's phases: an enumeration whose members are declared by their entries. `Phase(3)` finds a member by
    its number."""

    entry: Entry

    def __new__(cls, entry: Entry | int) -> "PhaseTable":
        """Create a member from its entry."""
        assert isinstance(entry, Entry)
        phase = int.__new__(cls, entry.number)
        phase._value_ = entry.number
        phase.entry = entry
        return phase

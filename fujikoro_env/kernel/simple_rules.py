"""Rules of small games: all settings are numbers, and there is no content that could be exchanged.

A game's own class adds the settings as fields, with the names that they have in the record of settings:

    @dataclass(frozen=True)
    class Rules(SimpleRules):
        players: int = 2
        goal: int = 30
        record: ClassVar[type[Any]] = Settings

The record declares the bounds of the settings.
"""

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, ClassVar, Final, Self

from fujikoro_env.kernel import bounds
from fujikoro_env.kernel.records import Ints, fields_of, i64s, record, zeros
from fujikoro_env.kernel.saved_games import SavedFormat
from fujikoro_env.kernel.settings import Facts, RulesError, checked_number
from fujikoro_env.kernel.text import quoted


@record
class NoTables:
    """The tables of games without content. Records are never empty."""

    nothing: Ints = i64s(1)


@dataclass(frozen=True)
class NoContent:
    """The content pack of games without content."""

    name: str = ""
    digest: str = ""


TABLES: Final = zeros(NoTables, 1)


class Reward(IntEnum):
    """Kinds of rewards."""

    WIN = 0


@dataclass(frozen=True)
class SimpleRules:
    """The settings of a game. Settings outside their bounds raise `RulesError` at once."""

    players: int = 2
    record: ClassVar[type[Any]]  # of the settings
    actions: ClassVar[int]  # size of the action space
    max_decisions: ClassVar[int] = 10**6
    rewards: ClassVar[type[IntEnum]] = Reward
    reward_bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    pack: ClassVar[Any] = NoContent()
    tables: ClassVar[Any] = TABLES

    def __post_init__(self) -> None:
        declared = fields_of(self.record)
        for setting in fields(self):
            bound = declared.get(setting.name)
            if bound is None or not isinstance(bound.high, int):
                raise TypeError(
                    f"setting {setting.name}: {self.record.__name__} needs a field of this name with an upper bound, "
                    f"{setting.name}: int = i16(high=...)"
                )
            checked_number(setting.name, getattr(self, setting.name), bound.low, bound.high)

    @property
    def facts(self) -> Facts:
        """Size of the action space, and bounds on rewards and on the length of a game."""
        kinds = {kind.name.lower(): self.reward_bounds for kind in self.rewards}
        return Facts(self.players, self.actions, self.max_decisions, self.max_decisions, kinds)

    def reward_kind(self, name: str) -> IntEnum:
        """Return the kind of reward with this name."""
        kinds = {kind.name.lower(): kind for kind in self.rewards}
        if name not in kinds:
            raise RulesError(f"reward={quoted(name)}: allowed are {', '.join(map(repr, kinds))}")
        return kinds[name]

    def write_settings(self, settings: Any) -> None:
        """Write these rules into the settings of a game's record."""
        for setting in fields(self):
            settings[setting.name] = getattr(self, setting.name)

    @classmethod
    def read_settings(cls, settings: Any) -> Self:
        """Return the rules stored in the settings of a game's record."""
        return cls(**{setting.name: int(settings[setting.name]) for setting in fields(cls)})

    @classmethod
    def saved_format(cls, mark: bytes, package: str, state: type[Any]) -> SavedFormat:
        """Return the format of saved games of a game with this record."""

        def read_rules(settings: Any, _head: Any, _moved: Any) -> SimpleRules:
            return cls.read_settings(settings)

        def record_fault(games: Any, _rules: Any) -> str:
            return bounds.record_fault(state, games)

        return SavedFormat(mark, package, 1, state, read_rules, record_fault)

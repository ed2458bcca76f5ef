"""`Rules`: the settings of a game, validated on creation so that a game never starts with conflicting ones."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from fuji_env.content import Pack, load_pack
from fuji_env.content.model import LANDSCAPES, RUBBLE, SKILLS
from fuji_env.rules.base.actions import ACTIONS
from fuji_env.rules.base.names import Talk, Variant
from fuji_env.rules.base.state import FIGURES, PLAYERS
from fuji_env.rules.base.tables import make_tables
from fuji_env.rules.engine.rewards import Reward
from fujikoro_env.kernel.game import is_whole_number
from fujikoro_env.kernel.settings import (
    Facts as Facts,
)
from fujikoro_env.kernel.settings import (
    RulesError as RulesError,
)
from fujikoro_env.kernel.settings import (
    checked_flag,
    checked_number,
    checked_options,
    read_options,
    write_options,
)
from fujikoro_env.kernel.text import quoted

DEFAULT_PLAYERS = 4
TABLES_KEPT = 64  # number of most recently used packs whose tables are kept
VARIANTS = tuple(variant.name for variant in Variant if variant)
# Options of the rules: name, rule, allowed values (the first is the default).
OPTIONS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "talk": ("PLAN-6", tuple(talk.name.lower() for talk in Talk)),
    "late_eruption": ("MOVE-5", (False, True)),
}
# Every round at least one card turns to lava, until no landscape is left (END-4).
MOST_ROUNDS = LANDSCAPES + RUBBLE + 1
# Upper bound on the decisions in a round. On each of at most 12 planning turns a player may play and give away up to 15
# cards, with up to 6 questions each, lay its marker, choose the walk and a word. Then up to 8 rerolls with two more
# answers each; in phase 4 up to 30 uses of cards, each followed by a pass of all; and for each figure the next mover,
# bars, an injury.
MOST_DECISIONS_A_ROUND = 3 * FIGURES * 4 + 2 * 15 * 6 + FIGURES * 10 + 2 * 15 * (FIGURES + 6) + FIGURES * 4


@dataclass(frozen=True, init=False)
class Rules:
    """The settings of a game. Settings that do not fit raise `RulesError` at once.

    * `players`: 2 to 4
    * `variant`: with two players "A", a third screen, or "B", two figures each (TWO-1); "A" by default
    * `scenario`: its number, from 1, or name; stored as its name
    * `level`: 1 to 4, the hardness
    * `skills`: skill cards, one for each figure, or None to deal them at random
    * `content`: the name of a shipped content pack, a folder, or a pack
    * `ask_forced`: ask even for decisions with a single legal action, instead of carrying it out
    * `options`: any option of the rules by name: `talk` ("words", "none", "open"), `late_eruption`
    """

    players: int
    variant: str | None
    scenario: str
    level: int
    skills: tuple[str, ...] | None
    content: str | Path | Pack
    ask_forced: bool
    options: dict[str, Any] = field(hash=False)

    def __init__(
        self,
        players: int = DEFAULT_PLAYERS,
        variant: str | None = None,
        scenario: int | str = 1,
        level: int = 1,
        skills: Iterable[str] | None = None,
        content: str | Path | Pack = "base",
        ask_forced: bool = False,
        **options: Any,
    ) -> None:
        pack = _pack_of(content)  # report a faulty pack now, not in the middle of a game
        players = checked_number("players", players, 2, PLAYERS, "SETUP-1")
        values = {
            "players": players,
            "variant": _variant(variant, players),
            "scenario": _scenario(scenario, pack),
            "level": checked_number("level", level, 1, len(pack.levels), "SETUP-4"),
            "content": content,
            "ask_forced": checked_flag("ask_forced", ask_forced),
            "options": checked_options(OPTIONS, options),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "skills", _skills(skills, self.figures))

    @property
    def figures(self) -> int:
        """Number of figures on the map."""
        return FIGURES if self.variant == Variant.B.name else self.players

    @property
    def sets(self) -> int:
        """Number of sets of dice: one for each figure, and one for the third screen (TWO-2)."""
        return self.figures + (self.variant == Variant.A.name)

    @property
    def pack(self) -> Pack:
        """The content pack that `content` names."""
        return _pack_of(self.content)

    @property
    def tables(self) -> Any:
        """Content for compiled code, as a batch of one record."""
        return _tables_of(self.pack)

    @property
    def scenario_number(self) -> int:
        """Index of the scenario in the pack."""
        return _names(self.pack).index(self.scenario)

    @property
    def facts(self) -> Facts:
        """Size of the action space, and bounds on rewards and on the length of a game."""
        return Facts(self.players, ACTIONS, MOST_ROUNDS, MOST_ROUNDS * MOST_DECISIONS_A_ROUND, reward_bounds())

    def reward_kind(self, name: str) -> Reward:
        """Return the kind of reward with this name, "win", "score" or "shaped"; see `fuji_env.fuji_v0`."""
        if name not in reward_bounds():
            raise RulesError(f"reward={quoted(name)}: allowed are {', '.join(map(repr, reward_bounds()))}")
        return Reward[name.upper()]

    def write_settings(self, settings: Any) -> None:
        """Write these rules into the settings of a game's record."""
        settings.players, settings.figures, settings.sets = self.players, self.figures, self.sets
        settings.variant = Variant[self.variant] if self.variant else Variant.NONE
        settings.scenario, settings.level = self.scenario_number, self.level - 1
        settings.ask_forced = self.ask_forced
        write_options(OPTIONS, self.options, settings)
        for figure, skill in enumerate(self.skills or ()):
            settings.skills[figure] = SKILLS.index(skill) + 1

    @classmethod
    def read_settings(cls, settings: Any, content: str | Path | Pack) -> "Rules":
        """Return the rules stored in the settings of a game's record."""
        pack = _pack_of(content)
        variant = Variant(int(settings.variant))
        codes = [int(code) for code in settings.skills[: int(settings.figures)]]
        return cls(
            players=int(settings.players),
            variant=variant.name if variant else None,
            scenario=_names(pack)[int(settings.scenario)],
            level=int(settings.level) + 1,
            skills=[SKILLS[code - 1] for code in codes] if any(codes) else None,
            content=content,
            ask_forced=bool(settings.ask_forced),
            **read_options(OPTIONS, settings),
        )


def reward_bounds() -> dict[str, tuple[float, float]]:
    """Return the kinds of rewards, with the least and greatest sum over a game."""
    return {"win": (-1.0, 1.0), "score": (-1.0, 1.0), "shaped": (-1.0, 1.0)}


@cache
def _shipped(content: str | Path) -> Pack:
    return load_pack(content)


def _pack_of(content: Any) -> Pack:
    if isinstance(content, Pack):
        return content
    if isinstance(content, str | Path):
        return _shipped(content)
    raise RulesError(f"content={quoted(content)}: allowed are the name of a shipped pack, a folder, or a Pack")


@lru_cache(TABLES_KEPT)
def _tables_of(pack: Pack) -> Any:
    return make_tables(pack)


def _names(pack: Pack) -> list[str]:
    return [scenario.id for scenario in pack.scenarios]


def _variant(given: Any, players: int) -> str | None:
    if players > 2:
        if given is not None:
            raise RulesError(f"variant={quoted(given)}: variants are for two players (TWO-1)")
        return None
    variant = VARIANTS[0] if given is None else given
    if variant not in VARIANTS:
        raise RulesError(f"variant={quoted(given)}: allowed are {', '.join(map(repr, VARIANTS))} (TWO-1)")
    return str(variant)


def _scenario(given: Any, pack: Pack) -> str:
    names = _names(pack)
    if is_whole_number(given) and 1 <= given <= len(names):
        return names[int(given) - 1]
    if not isinstance(given, str) or given not in names:
        raise RulesError(f"scenario={quoted(given)}: allowed are 1 to {len(names)} and {', '.join(map(repr, names))}")
    return given


def _skills(given: Any, figures: int) -> tuple[str, ...] | None:
    """Return the skill cards, one for each figure and all different, or None (SETUP-1)."""
    if given is None:
        return None
    allowed = f"allowed are None, or {figures} different ones of {', '.join(SKILLS)} (SETUP-1)"
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise RulesError(f"skills={quoted(given)}: {allowed}")
    names = tuple(given)
    if len(names) != figures or len(set(map(str, names))) < figures or any(name not in SKILLS for name in names):
        raise RulesError(f"skills={quoted(list(names))}: {allowed}")
    return names

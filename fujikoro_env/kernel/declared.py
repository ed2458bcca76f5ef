"""Games by name. A game declares here everything that tools may read of it; tools import none of its modules.

A package offers a game at the entry point group `fujikoro.games`: the name of the game, and a `DeclaredGame`.

>>> game = find_game("fujikoro")
>>> rules = game.make_rules(players=3)
>>> game.make_game(rules, 7).actor in range(3)
True
>>> game.actions == rules.facts.actions
True
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from importlib import import_module
from operator import attrgetter
from typing import Any, Final

import numpy as np

from fujikoro_env.kernel.agents import AgentRegistry
from fujikoro_env.kernel.registry import Registry
from fujikoro_env.kernel.text import quoted

ENTRY_POINTS: Final = "fujikoro.games"
THIS_GAME: Final = "fujikoro"  # the game that is meant if none is named


class UnknownGameError(ValueError):
    """Raised for the name of a game that is not installed, or can't be loaded. The message is one line."""


@dataclass(frozen=True)
class Setting:
    """A setting of a game's rules that a person may choose."""

    name: str
    doc: str
    allowed: tuple[Any, ...] = ()  # empty: see the game's `Rules`


def no_traits(_game: Any) -> tuple[str, ...]:
    """The traits of games that declare none."""
    return ()


def no_worths(games: Any) -> Any:
    """The worths of games that declare none."""
    return np.zeros_like(games.rewards)


@dataclass(frozen=True)
class DeclaredGame:
    """What tools may read of a game.

    * `make_rules`: the class of the rules; called with settings and options by name. Rules have `players`, `tables`,
      `facts`, `pack` and `write_settings`
    * `make_game`: called with rules and a seed; a game has the members that `fujikoro_env.kernel.game.TableGame` has
    * `rules_errors`: what `make_rules` raises for settings that don't fit
    * `settings`, `options`: what can be set, the options with their rule and allowed values
    * `blocks`: the blocks of actions, by name; `phases` and `questions`: the phases, and what they ask
    * `agents`: the registry of agents that play it; `advisers`: agents that may give advice, the strongest first;
      `team_advisers`: those that go before them if all players win or lose together
    * `is_team`: whether all players win or lose together under given rules
    * `table_text`: the table as text
    * `traits`: what of a game, at its start, may explain how it ends: "scout" for a card dealt, for example
    * `worths`: what the positions of a batch are worth to each seat, for learning: (games, seats)
    * `batches`: path of the class of batches, `package.module:Class`
    * `search`: path of the game's `SearchParts`, which the tree search uses (`fujikoro_env.kernel.searching`)
    * `sessions`: path of the class of sessions, and with it of its recordings
    * `picture`: path of a function that draws a game, with the players' names by seat, as an SVG document
    * `texts`: path of the `Texts` of the game, by which people at a keyboard see it
    * `observations`: kinds of observations, and for each the path of a function that returns its space
    """

    name: str
    title: str
    make_rules: Callable[..., Any]
    make_game: Callable[[Any, int], Any]
    rules_errors: tuple[type[Exception], ...]
    settings: tuple[Setting, ...]
    options: Mapping[str, tuple[str, tuple[Any, ...]]]
    actions: int
    blocks: Mapping[str, Any]
    phases: type[IntEnum]
    questions: Mapping[Any, str]
    agents: AgentRegistry
    is_team: Callable[[Any], bool]
    table_text: Callable[[Any], str]
    advisers: tuple[str, ...] = ("random",)
    team_advisers: tuple[str, ...] = ()
    traits: Callable[[Any], Sequence[str]] = no_traits
    worths: Callable[[Any], Any] = no_worths
    batches: str = ""
    sessions: str = ""
    picture: str = ""
    texts: str = ""
    search: str = ""
    observations: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def batch_class(self) -> Any:
        """The class of batches of games."""
        return loaded(self.batches)

    @cached_property
    def search_parts(self) -> Any:
        """What the tree search uses."""
        return loaded(self.search)

    @cached_property
    def session_class(self) -> Any:
        """The class of sessions, which play one game step by step."""
        return loaded(self.sessions)

    @property
    def recording_class(self) -> Any:
        """The class of recorded games."""
        return self.session_class.recorders.recordings

    @cached_property
    def shown(self) -> Any:
        """How the game is shown to people as text."""
        return loaded(self.texts)

    def space(self, kind: str) -> Any:
        """The space of a kind of observations."""
        if kind not in self.observations:
            raise ValueError(f"observation {quoted(kind)}: allowed are {', '.join(map(repr, self.observations))}")
        return loaded(self.observations[kind])(kind)

    @cached_property
    def action_digest(self) -> str:
        """Digest of the table of actions. A policy plays only with the table that it was trained with."""
        return _digest([[block.name, block.arguments] for block in self.blocks.values()])

    def observation_digest(self, kind: str) -> str:
        """Digest of the space of a kind of observations."""
        space = self.space(kind)
        return _digest([kind, str(space), space.low.tolist(), space.high.tolist()])


GAMES: Final[Registry[Any]] = Registry(ENTRY_POINTS, UnknownGameError)


def _digest(table: Any) -> str:
    return hashlib.sha256(json.dumps(table).encode()).hexdigest()[:16]


def loaded(path: str) -> Any:
    """Import what a path names, `package.module:attribute` or `package.module:object.attribute`."""
    module, _, attribute = path.partition(":")
    return attrgetter(attribute)(import_module(module))


def register_game(game: DeclaredGame) -> DeclaredGame:
    """Register a game for the current process."""
    GAMES.registered[game.name] = game
    return game


def game_names() -> list[str]:
    """Names of all games that are installed or registered."""
    return GAMES.names()


def find_game(name: str) -> DeclaredGame:
    """Return the game with this name."""
    game = GAMES.find(name, f"game {quoted(name)}")
    if game is None:
        raise UnknownGameError(f"game {quoted(name)} is not known: there are {', '.join(game_names())}")
    if not isinstance(game, DeclaredGame):
        raise UnknownGameError(f"game {quoted(name)}: its entry point is no DeclaredGame")
    return game

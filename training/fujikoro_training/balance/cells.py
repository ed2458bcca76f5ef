"""`Cell`: one condition of an experiment, such as four `runner` with a scroll removed. Cells are plain data, so that
they can be sent to other processes and written to a manifest."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, Final

from fujikoro_env.content.carried import pack_at
from fujikoro_env.content.model import Pack
from fujikoro_env.settings import Rules

BASE: Final = "base"  # label of the cell without any change
MOST_KEPT: Final = 512  # changed packs kept in memory: an experiment asks for each several times
EVERYTHING: Final = "everything"  # as a source of luck: all of them


@dataclass(frozen=True)
class Cell:
    """A condition. Player k plays with `agents[k]`, in a seat that moves on by one from game to game of a block."""

    label: str  # what is different in this cell
    agents: tuple[str, ...]  # by player
    content: str = "base"  # name or folder of the pack
    changes: Mapping[str, Any] = field(default_factory=dict)  # of the content, by path
    rules: Mapping[str, Any] = field(default_factory=dict)  # further arguments of `Rules`
    rotations: int = 1  # games of a block, which share their seed
    characters: bool = False  # whether players have characters, drawn for each block
    restriction: str = ""  # of player 0
    reseeded: str = ""  # source of luck that is drawn from another seed
    watched: bool = False  # whether every decision is looked at
    forced: bool = False  # whether decisions with a single legal action are asked, too

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.agents)

    @property
    def agent(self) -> str:
        """The agents as a short text."""
        return self.agents[0] if len(set(self.agents)) == 1 else ",".join(self.agents)

    @property
    def pack(self) -> Pack:
        """The content of these games."""
        return _changed(self.content, json.dumps(dict(self.changes))) if self.changes else pack_at(self.content)

    def make_rules(self) -> Rules:
        """The rules of these games. Characters are assigned game by game."""
        return Rules(players=self.players, content=self.pack, ask_forced=self.forced, **self.rules)

    def to_json(self) -> dict[str, Any]:
        """The cell as plain data, with the digest of its content."""
        return {**asdict(self), "digest": self.pack.digest}


@lru_cache(MOST_KEPT)
def _changed(content: str, changes: str) -> Pack:
    return pack_at(content).changed(json.loads(changes))


def components_of(pack: Pack) -> Iterator[tuple[str, str]]:
    """All components that can be removed or doubled: their label and their path."""
    groups = {
        "gear card": ("gear_cards", [card.id for card in pack.gear_cards]),
        "blueprint": ("blueprints", [card.id for card in pack.blueprints]),
        "scroll": ("scrolls", [scroll.id for scroll in pack.scrolls]),
        "adventure": ("adventures", [kind.power for kind in pack.adventures]),
        "token": ("tokens", [token.id for token in pack.tokens]),
        "tile": ("tiles", [tile.id for tile in pack.tiles]),
        "dragon": ("dragons", [dragon.id for dragon in pack.dragons]),
    }
    for kind, (group, names) in groups.items():
        for name in names:
            yield f"{kind} {name}", f"{group}.{name}.copies"

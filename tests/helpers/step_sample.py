"""Steps of games worth a second look, kept with the position before, the answer and the position after.

Some are kept of each kind of answer to each question, of each question that follows another, and of each event.
`make fuzz` collects them with compiled rules and takes them again as plain Python.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fujikoro_env import Game, Rules
from fujikoro_env.kernel.records import zeros
from fujikoro_env.rules.base.actions import ACTIONS, block_of
from fujikoro_env.rules.base.names import Character, Cube, Gear
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC, Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.gear.weapon import ONE_HANDED_WOOD

A_KIND = 30  # steps kept of each kind of answer, and of each event
A_PAIR = 3  # steps kept of each question after another
A_RARITY = 110  # steps kept of what happens in few tables
# Something happens in a step if one of these changes; a dot leads into a record.
EVENTS = (
    *("escaped", "rope", "called", "final_player", "round_number", "fight.dragon", "fight.loser", "reason"),
    *("dragons_left", "dragons_beaten", "adventures_left", "hexes_left", "tiles_left", "scroll_discards"),
    *("players.monks", "players.card_on", "players.unconscious", "players.outside", "players.pack_monks"),
)
TOLD_APART = ("use", "item", "claim", "find", "take", "weapon")  # actions of these blocks do different things


def _kind_of(action: int) -> int:
    block = block_of(action)
    return action if block.name in TOLD_APART else block.first


KIND_OF_ACTION = np.array([_kind_of(action) for action in range(ACTIONS)])


def phases_of(games: Any) -> Any:
    """What is asked in each game; 0 if it is over."""
    return np.where(games["reason"] == 0, games["stack"]["phase"][np.arange(len(games)), games["depth"] - 1], 0)


def happened(befores: Any, afters: Any) -> Any:
    """(events, games) of bools."""
    return np.stack([(_field(befores, name) != _field(afters, name)).any(axis=1) for name in EVENTS])


def rarities(befores: Any, afters: Any) -> Any:
    """(rarities, games) of bools: what scenarios bring, and a few things else that hardly ever happen."""
    settings = befores["settings"]

    def changed(name: str) -> Any:
        return (_field(befores, name) != _field(afters, name)).any(axis=1)

    def in_scenario(number: int) -> Any:
        return settings["scenario"] == number

    return np.stack(
        [
            *(changed(name) for name in ("spoils", "lava_player", "players.trophies", "fight.monk")),
            afters["escaped"] < befores["escaped"],  # SCEN-52
            in_scenario(1) & changed("blueprints.where"),
            in_scenario(3) & changed("countdown"),
            in_scenario(7) & changed("fight.defender"),
            in_scenario(7) & changed("fight.health") & (befores["fight"]["defender"] != 0),
            in_scenario(7) & changed("fight.loser"),
            in_scenario(8) & changed("reason"),
            (phases_of(befores) == Phase.EXPLORE_TURN) & changed("top_seen"),  # a storyteller of co-op
            (phases_of(befores) == Phase.MOVE) & (phases_of(afters) == Phase.CALL_DUEL),
            _fights_in_sandals(afters) & changed("fight.fighters"),
        ]
    )


RARITIES = 14


def _fights_in_sandals(games: Any) -> Any:
    """CHAR-63: a Tomoe whose sandals are a weapon is in a fight."""
    wood = np.bitwise_count(games["players"]["gear"]["cubes"][:, :, Gear.SANDALS, Cube.WOOD])
    can = (games["players"]["character"] == Character.TOMOE) & (wood >= ONE_HANDED_WOOD)
    return (can & (games["fight"]["fighters"]["inside"] != 0)).any(axis=1)


def _field(games: Any, name: str) -> Any:
    for part in name.split("."):
        games = games[part]
    return games.reshape(len(games), -1)


class Quota:
    """So many steps of each kind."""

    def __init__(self, kinds: int, most: int) -> None:
        self.left = np.full(kinds, most)

    def wants(self, kinds: Any) -> Any:
        return self.left[kinds] > 0

    def take(self, kind: int) -> bool:
        self.left[kind] -= 1
        return bool(self.left[kind] >= 0)


@dataclass
class StepSample:
    """`befores` and `afters` are records as rows of bytes."""

    befores: list[Any] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    afters: list[Any] = field(default_factory=list)
    answers: Quota = field(default_factory=lambda: Quota(FIRST_AUTOMATIC * ACTIONS, A_KIND))
    pairs: Quota = field(default_factory=lambda: Quota(FIRST_AUTOMATIC**2, A_PAIR))
    events: Quota = field(default_factory=lambda: Quota(len(EVENTS), A_KIND))
    rare: Quota = field(default_factory=lambda: Quota(RARITIES, A_RARITY))

    def pick(self, befores: Any, actions: Any, afters: Any) -> None:
        """Keep what there is not enough of. Games in which nothing was answered have a negative action."""
        asked = phases_of(befores)
        answers = asked * ACTIONS + KIND_OF_ACTION[actions]
        pairs = asked * FIRST_AUTOMATIC + phases_of(afters)
        events, rare = happened(befores, afters), rarities(befores, afters)
        wanted = self.answers.wants(answers) | self.pairs.wants(pairs)
        wanted |= (events & self.events.wants(np.arange(len(EVENTS)))[:, None]).any(axis=0)
        wanted |= (rare & self.rare.wants(np.arange(RARITIES))[:, None]).any(axis=0)
        for g in np.flatnonzero(wanted & (actions >= 0)).tolist():
            taken = [self.answers.take(answers[g]), self.pairs.take(pairs[g])]
            taken += [self.events.take(event) for event in np.flatnonzero(events[:, g]).tolist()]
            taken += [self.rare.take(kind) for kind in np.flatnonzero(rare[:, g]).tolist()]
            if any(taken):
                self.befores.append(_row(befores, g))
                self.actions.append(int(actions[g]))
                self.afters.append(_row(afters, g))

    def add(self, other: "StepSample") -> None:
        self.befores += other.befores
        self.actions += other.actions
        self.afters += other.afters

    def part(self, k: int, parts: int) -> "StepSample":
        """Every so many-th step."""
        return StepSample(self.befores[k::parts], self.actions[k::parts], self.afters[k::parts])

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path, befores=np.array(self.befores), actions=np.array(self.actions), afters=np.array(self.afters)
        )

    @classmethod
    def load(cls, path: Path) -> "StepSample":
        with np.load(path) as arrays:
            return cls(list(arrays["befores"]), arrays["actions"].tolist(), list(arrays["afters"]))


def _row(games: Any, index: int) -> Any:
    return games[index : index + 1].view(np.uint8).copy()


def game_of(row: Any) -> Game:
    """The game of a kept record, with what is legal in it."""
    games = zeros(State, 1)
    games.view(np.uint8)[:] = row
    game = Game.of_record(games, Rules.read_settings(games[0].settings, "base"), viewer=None)
    game.find_legal()
    return game

"""Mid-game positions, stored as JSON in tests/golden/positions: what each stands for, and how it was found.

Fixed play from these positions must give the same games everywhere (sample_games.py). `find` plays lively games until
one reaches the situation. The files stay as they are when the rules change, unless they are no longer legal.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from fujikoro_env import Game, Rules
from fujikoro_env.rules.base.names import Outside, Terrain
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.lively import LivelyPlayer

FOLDER = Path(__file__).resolve().parents[1] / "golden" / "positions"


@dataclass(frozen=True)
class Situation:
    """A situation to look for, and the rules of the games to look in."""

    is_met: Callable[[Game], bool]
    rules: dict[str, Any] = field(default_factory=dict)


def _dragon_fight(game: Game) -> bool:
    """The dragon has hit two samurai, and one of them pays with its helmet."""
    return game.phase == Phase.PAY and game.state.fight.dragon > 0 and _fighters(game) >= 2


def _duel(game: Game) -> bool:
    """A weapon breaks in a duel."""
    return game.phase == Phase.BREAK and game.state.fight.dragon == 0


def _rebuild(game: Game) -> bool:
    """Some cubes of a weapon are laid again, and some are in the hand."""
    frame = game.state.stack[game.state.depth - 1]
    weapon = game.state.players[game.actor].gear[1]
    return game.phase == Phase.CRAFT_LAY and frame.cubes.any() and weapon.cubes.any() and frame.offer.sum() >= 4


def _countdown(game: Game) -> bool:
    """The rope is there, lava is on the map, and one samurai has left."""
    s = game.state
    return game.phase == Phase.ACTION and s.rope and s.escaped and (s.terrain == Terrain.LAVA_TILE).any()


def _powers(game: Game) -> bool:
    """Two players have scrolls, three have adventure tokens, and one chooses another scroll."""
    players = game.state.players
    readers, bearers = (players["scrolls"][:, 0] > 0).sum(), players["adventures"].any(axis=1).sum()
    return game.phase == Phase.SCROLL_CARD and readers >= 2 and bearers >= 3


def _meeting(game: Game) -> bool:
    """In the middle of a move, two samurai share a space of a tile and would fight if they were allowed to."""
    s = game.state
    here = s.players[game.actor].at
    together = (s.players["at"][: game.rules.players] == here).sum() == 2
    return game.phase == Phase.MOVE and s.path_length >= 2 and together and here > 0


def _eruption(game: Game) -> bool:
    """A samurai dies in the lava and is reborn."""
    return game.phase == Phase.REBIRTH


def _shogun(game: Game) -> bool:
    """Bonuses are claimed in the palace and at the foot of the mountain."""
    outside = game.state.players["outside"]
    return game.phase == Phase.CLAIM and (outside == Outside.PALACE).any() and (outside == Outside.FOOT).any()


def _fighters(game: Game) -> int:
    return int(game.state.fight.fighters["inside"].sum())


SITUATIONS = {
    "dragon_fight": Situation(_dragon_fight, {"players": 3}),
    "duel": Situation(_duel, {"players": 2}),
    "rebuild": Situation(_rebuild, {"players": 4, "monk_to_pack": True}),
    "countdown": Situation(_countdown, {"players": 5, "final_at": 9, "rope_catches": True}),
    "powers": Situation(_powers, {"players": 6, "scroll_replace_anytime": True}),
    "meeting": Situation(_meeting, {"players": 4, "peaceful": True, "ask_forced": True}),
    "eruption": Situation(_eruption, {"players": 3, "final_at": 8, "ask_forced": True}),
    "shogun": Situation(_shogun, {"players": 6, "final_at": 8}),
}


def find(name: str) -> Game:
    """The first lively game that reaches the situation, at that point."""
    situation = SITUATIONS[name]
    for seed in count(1):
        game, player = Game(Rules(**situation.rules), seed), LivelyPlayer(seed)
        while not game.over:
            if situation.is_met(game):
                return game
            game.step(player.choose(game))
    raise AssertionError("count() has no end")


def load(name: str) -> Game:
    """Load a stored position."""
    return Game.from_json((FOLDER / f"{name}.json").read_text(encoding="utf-8"))

"""Elements of the drawn table that stand for actions, so that a page can light them up and react to clicks.

Drawings mark what they show with `data-info`: `space 17`, `kama`, `weapon[2,3]`, `pack wood`,
`breaking die metal`. What belongs to a player lies in the group `player-N`. A target names such an element: `space 17`,
or `player-0/weapon[2,3]` for one on a board.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from fujikoro_env.content.model import CUBES
from fujikoro_env.game import Game
from fujikoro_env.kernel.drawing.elements import group, moved
from fujikoro_env.render.look import TableLook
from fujikoro_env.render.svg import MAP, MAP_SCALE
from fujikoro_env.render.svg_head import die_info, draw_tile
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import geometry

OWN_FIELDS: Final = ("move", "explore", "gather")


def targets_of(view: Game, action: int) -> list[str]:
    """Targets of a legal action of the player who is asked; empty if only words can show it."""
    block = act.block_of(action)
    find = _BY_BLOCK.get(block.name)
    argument = view.action_name(action).partition("(")[2].removesuffix(")")
    return find(view, action - block.first, argument) if find else []


def _own(view: Game, info: str) -> list[str]:
    return [f"player-{view.actor}/{info}"]


def _spaces_of_place(_view: Game, place: int, _name: str) -> list[str]:
    return [f"space {space}" for space in np.flatnonzero(geometry().place_of == place).tolist()]


def _card(_view: Game, _slot: int, name: str) -> list[str]:
    return [name.removeprefix("card ").removeprefix("blueprint ")]


def _item(view: Game, _index: int, name: str) -> list[str]:
    if view.phase == Phase.GRIP:
        return [f"breaking die {name}"]
    return _own(view, f"pack {name.partition(' ')[0]}") if view.phase != Phase.SWAP_TAKE else []


def _agreed(view: Game, _index: int, _name: str) -> list[str]:
    """Any of the rolled dice stands for rolling them again."""
    if view.phase != Phase.REROLL:
        return []
    return [die_info(kind, breaks) for kind in range(len(CUBES)) for breaks in (False, True)]


def _field(name: str) -> Callable[[Game, int, str], list[str]]:
    return lambda view, _index, _name: _own(view, name)


_BY_BLOCK: Final[dict[str, Callable[[Game, int, str], list[str]]]] = {
    "yes": _agreed,
    "step": lambda _view, space, _name: [f"space {space}"],
    "place": _spaces_of_place,
    "lay": lambda view, _index, name: _own(view, name.partition(", ")[2]),
    "cell": lambda view, _index, name: _own(view, name),
    "magic": lambda view, _index, name: _own(view, f"magic {name}"),
    "craft": lambda view, _index, name: _own(view, name),
    "build": _card,
    "card": _card,
    "blueprint": _card,
    "monk": lambda view, _index, name: _own(view, f"monk {name}") if view.phase == Phase.MONK_SPOT else [],
    "throw": lambda view, _index, name: _own(view, f"pack {name}"),
    "item": _item,
    "player": lambda view, seats_on, _name: [f"player-{(view.actor + seats_on) % view.rules.players}/"],
    **{name: _field(name) for name in OWN_FIELDS},
}


def draw_turned_tiles(table: TableLook) -> list[str]:
    """The tile to lay, on its place of the map in each of the six turns; empty if no tile is being laid."""
    if table.drawn is None:
        return []
    centre, *petals = table.drawn.spaces
    x, y = MAP.at(geometry().place_centres[table.drawn_place])
    turns = [[centre, *(petals[(k - turn) % 6] for k in range(6))] for turn in range(6)]
    drawn = [moved(x, y, draw_tile(spaces, MAP.size)) for spaces in turns]
    return [group(tile, transform=f"scale({MAP_SCALE})") for tile in drawn]

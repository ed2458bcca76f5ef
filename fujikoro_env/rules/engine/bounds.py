"""Checks a game's record that comes from outside, before any rule touches it.

The bounds of the fields are declared with the record (base/state.py), those of frames by the table of phases
(base/phases.py): what a field of a frame may hold depends on the frame's phase. A record that passes may still be an
impossible position, in which a rule can compute an index that is out of bounds: position.judge_game finds those.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

import numpy as np

from fujikoro_env.content.model import ADVENTURE_POWERS, COLOURS, GEAR, MAX_DRAGONS, MAX_SCROLLS, MAX_TILES_PER_LEVEL
from fujikoro_env.content.model import SCROLL_POWERS as POWERS
from fujikoro_env.kernel.bounds import Bounds, Layout, Number, bounds_of, first_outside, layout_of, numbers_of, value_of
from fujikoro_env.kernel.records import Bound, all_of, dtype_of, fields_of
from fujikoro_env.rules.base.actions import BLUEPRINT, ITEM
from fujikoro_env.rules.base.names import Disc, Reason, Spot
from fujikoro_env.rules.base.phase_entry import After, Holds, Keeps, Whom
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC, Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, FRAMES, GEAR_CELLS, SCROLL_SLOTS, Frame, Limit, State
from fujikoro_env.rules.coop.swap import CARD_BITS, FIRST_BLUEPRINT, PACK_ITEMS
from fujikoro_env.rules.gear.craft import SANDALS_TOO
from fujikoro_env.rules.gear.weapon import WORN
from fujikoro_env.rules.map.geometry import PLACES, SPACES

SLOTS: Final = len(GEAR) * CARD_SLOTS
SWAPS: Final = (Phase.SWAP_GIVE, Phase.SWAP_TAKE, Phase.SWAP_CONSENT)
ITEM_CODES: Final = frozenset(
    (0, *range(ITEM + 1, ITEM + PACK_ITEMS + 1), *range(BLUEPRINT + 1, BLUEPRINT + SLOTS + 1))
)  # of SWAP_ITEM

# Bounds of what a frame may hold; those of numbers are in the table of phases.
HELD: Final[dict[Holds, tuple[int, Bound]]] = {
    Holds.FLAG: (0, 1),
    Holds.PLAYER: (0, Limit.LAST_SEAT),
    Holds.PLAYER_OR_NONE: (0, Limit.SEATS),
    Holds.SPACE: (0, SPACES - 1),
    Holds.SPACE_OR_NONE: (0, SPACES),
    Holds.PLACE: (0, PLACES - 1),
    Holds.TILE: (1, 3 * MAX_TILES_PER_LEVEL),
    Holds.DRAGON: (1, MAX_DRAGONS),
    Holds.DRAGONS: (0, all_of(MAX_DRAGONS)),
    Holds.GEAR: (0, len(GEAR) - 1),
    Holds.GEARS: (0, all_of(len(GEAR))),
    Holds.GEAR_CARD: (0, SLOTS - 1),
    Holds.SCROLL: (1, MAX_SCROLLS),
    Holds.COLOUR: (1, len(COLOURS)),
    Holds.LAYOUT: (0, all_of(max(GEAR_CELLS))),
    Holds.CELLS: (0, all_of(max(GEAR_CELLS))),
    Holds.WEAPON: (0, WORN),
    Holds.WEAPON_OR_LEFT: (0, WORN),
    Holds.DISC_FIELD: (0, len(Disc) - 1),
    Holds.HALVES: (0, all_of(2)),
    Holds.MOVE_MARKS: (0, all_of(5)),
    Holds.MONK_SOURCE: (0, 2),
    Holds.MONK_SPOT: (0, len(Spot) - 1),
    Holds.CRAFT: (0, SANDALS_TOO),
    Holds.POWER: (0, len(POWERS) + len(ADVENTURE_POWERS) - 1),
    Holds.SWAP_ITEM: (0, max(ITEM_CODES)),
    Holds.SWAP_ITEMS: (0, all_of(FIRST_BLUEPRINT + SLOTS)),
    Holds.SWAP_SCROLLS: (0, all_of(2 * CARD_BITS * SCROLL_SLOTS)),
}


# --- layouts: the whole record, an unused frame, a frame of no phase, then frames by phase and stage ------------------

RECORD, UNUSED, NO_PHASE = range(3)


def _bounds_of_field(field: Keeps) -> tuple[int, Bound]:
    if field.holds in (Holds.NUMBER, Holds.RESOURCES):
        return field.least, field.most
    return HELD[field.holds]


def _bounds_of_actor(phase: Phase) -> tuple[int, Bound]:
    if phase.entry.whom == Whom.NOBODY:
        return 0, 0
    return 0, Limit.LAST_SEAT if phase.entry.may_be_enemys else Limit.LAST_PLAYER


def _frame(phase: int, fields: dict[str, tuple[int, Bound]]) -> Layout:
    """Return the layout of a frame whose fields have these bounds; all others are zero."""
    bounds = {"phase": (phase, phase), **fields}
    known = [replace(one, high=bounds[one.field][1], low=bounds[one.field][0]) for one in ALL if one.field in bounds]
    return (*known, *(replace(one, low=0, high=0) for one in ALL if one.field not in bounds))


def _frames() -> dict[tuple[int, int | None], Layout]:
    """Return the layouts of frames by phase and stage; None stands for stages without one of their own."""
    found: dict[tuple[int, int | None], Layout] = {}
    for phase in Phase:
        keeps = phase.entry.keeps
        for stage in {None, *(field.stage for field in keeps)} if phase else ():
            held = {field.slot: _bounds_of_field(field) for field in keeps if field.stage in (None, stage)}
            found[phase, stage] = _frame(phase, {"actor": _bounds_of_actor(phase), **held})
    return found


def _all_numbers() -> Layout:
    """Return all numbers of a frame, padding included, without bounds."""
    layout: Any = dtype_of(Frame).fields
    numbers = []
    for name, field in fields_of(Frame).items():
        for k in range(int(np.prod(field.shape, initial=1))):
            path = f"{name}[{k}]" if field.shape else name
            width = field.dtype.itemsize
            numbers.append(Number(path, name, layout[name][1] + k * width, width, 0, 0))
    return (*numbers, *layout_of(Frame))  # no field of a frame declares bounds, so the rest is padding


ALL: Final = _all_numbers()
FRAME_LAYOUTS: Final = _frames()
LAYOUTS: Final = (layout_of(State), _frame(0, {}), _frame(-1, {}), *FRAME_LAYOUTS.values())
LAYOUT_OF_FRAME: Final = {key: NO_PHASE + 1 + k for k, key in enumerate(FRAME_LAYOUTS)}
OFFSETS: Final[Any] = np.array(
    [0, *(dtype_of(State).fields["stack"][1] + k * dtype_of(Frame).itemsize for k in range(FRAMES))],  # type: ignore[index]
    np.int64,
)


@cache
def _bounds(players: int, seats: int) -> Bounds:
    limits = {Limit.LAST_PLAYER: players - 1, Limit.LAST_SEAT: seats - 1, Limit.PLAYERS: players, Limit.SEATS: seats}
    return bounds_of(LAYOUTS, limits)


def record_fault(games: Any, players: int, seats: int) -> str:
    """Return what is wrong with the only record of a batch, in one line; "" if rules can work on it. `seats` are the
    players and enemies."""
    stack, depth = games["stack"][0], min(max(int(games["depth"][0]), 0), FRAMES)
    phases, stages = stack["phase"].tolist(), stack["stage"].tolist()
    layouts = [RECORD, *map(_layout_of_frame, phases[:depth], stages), *[UNUSED] * (FRAMES - depth)]
    bounds = _bounds(players, seats)
    chosen: Any = np.array(layouts, np.int64)
    found = first_outside(numbers_of(games), bounds, chosen, OFFSETS)
    if found >= 0:
        return _described(games, bounds, found)
    return _stack_fault(phases[:depth], int(games["reason"][0])) or _swap_fault(stack, phases[:depth])


def _layout_of_frame(phase: int, stage: int) -> int:
    return LAYOUT_OF_FRAME.get((phase, stage), LAYOUT_OF_FRAME.get((phase, None), NO_PHASE))


def _described(games: Any, bounds: Bounds, found: int) -> str:
    part, k = divmod(found, len(bounds.at))
    number = [number for layout in LAYOUTS for number in layout][k]
    value, where = value_of(games, number, int(OFFSETS[part])), f"stack[{part - 1}]." if part else ""
    if number.low < 0 and part:
        return f"{where}phase is {value}, which is no phase"
    low, high = bounds.low[k], bounds.high[k]
    allowed = f"{low} to {high}" if low != high else f"{low}"
    return f"{where}{number.path} is {value}, allowed is {allowed}"


# --- the stack of frames ----------------------------------------------------------------------------------------------


@cache
def _may_lie_on() -> frozenset[tuple[int, int]]:
    """Return the pairs of a phase and a phase that it may lie on, whatever their stages."""
    grounds = {After.ACTION: (Phase.MAGIC_REFRESH, Phase.REST)}
    return frozenset(
        (int(phase), int(below))
        for phase in Phase
        for each in phase.entry.lies_on
        for below in (
            (Phase[each.ground],) if isinstance(each.ground, str) else grounds.get(each.ground, (Phase.MAGIC_REFRESH,))
        )
    )


def _stack_fault(phases: Sequence[int], reason: int) -> str:
    if phases[0] != Phase.TURN:
        return f"stack[0].phase is {phases[0]}, allowed is {int(Phase.TURN)} (TURN)"
    for k in range(1, len(phases)):
        if (phases[k], phases[k - 1]) not in _may_lie_on():
            return f"stack[{k}].phase is {Phase(phases[k]).name}, which can't lie on {Phase(phases[k - 1]).name}"
    if reason == Reason.PLAYING and phases[-1] >= FIRST_AUTOMATIC:
        return f"stack[{len(phases) - 1}].phase is {Phase(phases[-1]).name}, which asks nothing"
    return ""


def _swap_fault(stack: Any, phases: Sequence[int]) -> str:
    """Return what is wrong with the frame of a swap: it names an item, and holds scrolls packed into numbers."""
    for k, phase in enumerate(phases):
        if phase in SWAPS:
            frame = stack[k]
            if int(frame["marks"]) not in ITEM_CODES:
                return f"stack[{k}].marks is {frame['marks']}, which is no item of a swap"
            if any(not _are_scrolls(number) for number in frame["cubes"].tolist()):
                return f"stack[{k}].cubes are no scrolls"
    return ""


def _are_scrolls(number: int) -> bool:
    parts = [number >> CARD_BITS * k & all_of(CARD_BITS) for k in range(2 * SCROLL_SLOTS)]
    return max(parts[0::2]) <= MAX_SCROLLS and max(parts[1::2]) <= len(COLOURS)

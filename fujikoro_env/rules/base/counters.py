"""Counters of what each player has done, all derived from one table.

To add a counter, add a field to `Counts` and a line to the rule that it counts. The game's record, positions as JSON,
`Game.outcome`, recordings and docs/counters.md follow from that field. No rule reads a counter, and observations do not
include them. All counters are public.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Any, Final, cast

import numpy as np

from fujikoro_env.content.model import DRAGON_COLOURS, GEAR, LEVELS
from fujikoro_env.kernel.records import Field, Ints, record
from fujikoro_env.rules.base.names import Spot


class VpSource(IntEnum):
    """Sources of victory points."""

    (
        UNKNOWN,
        TILES,
        STORYTELLER,
        WEAPON_CARD,
        SCROLLS_GATHERED,
        SCROLL_DEALT,
        SCROLLS_WON,
        SCROLLS_STOLEN,
        DRAGONS,
        PALACE_GEAR,
        PALACE_MONKS,
        PALACE_TEETH,
        FOOT_GEAR,
        FOOT_MONKS,
        UNCLAIMED,
        STATUS_MARKERS,
        TROPHIES,
        ONE_COLOUR_SETS,
        MIXED_SETS,
        MONK_DEFEATS,
    ) = range(20)


# Rule id and description of each source.
VP_SOURCES: Final[dict[VpSource, tuple[str, str]]] = {
    VpSource.UNKNOWN: (
        "",
        "VP that a pack gives at the start, or that a position written by hand does not explain",
    ),
    VpSource.TILES: ("EXPL-2", "exploring"),
    VpSource.STORYTELLER: ("SCROLL-5", "the scroll storyteller: 1 more for a tile"),
    VpSource.WEAPON_CARD: ("GEAR-5", "the bonus of a weapon card"),
    VpSource.SCROLLS_GATHERED: ("SCROLL-1", "scrolls gathered from the map"),
    VpSource.SCROLL_DEALT: ("CHAR-41", "the scroll that Mitsuhide starts with"),
    VpSource.SCROLLS_WON: ("DUEL-7", "scrolls taken from the loser of a duel"),
    VpSource.SCROLLS_STOLEN: ("CHAR-73", "scrolls that Daisuke stole in passing"),
    VpSource.DRAGONS: ("DRAG-6", "dragons beaten"),
    VpSource.PALACE_GEAR: ("SHOG-1", "magic gear claimed in the palace"),
    VpSource.PALACE_MONKS: ("SHOG-1", "monks claimed in the palace"),
    VpSource.PALACE_TEETH: ("SHOG-1", "teeth claimed in the palace"),
    VpSource.FOOT_GEAR: ("SHOG-3", "magic gear claimed at the foot of the mountain"),
    VpSource.FOOT_MONKS: ("SHOG-3", "monks claimed at the foot of the mountain"),
    VpSource.UNCLAIMED: ("SHOG-4", "bonuses in the palace that were still unclaimed at the end"),
    VpSource.STATUS_MARKERS: ("SCEN-18", "status markers left at the end"),
    VpSource.TROPHIES: ("SCEN-23", "dragons kept, one by one"),
    VpSource.ONE_COLOUR_SETS: ("SCEN-23", "sets of three kept dragons of one colour"),
    VpSource.MIXED_SETS: ("SCEN-23", "sets of three kept dragons of different colours"),
    VpSource.MONK_DEFEATS: ("SCEN-42", "VP lost to monks; the only source below 0"),
}


class DuelCount(IntEnum):
    """What is counted about a player's duels."""

    BEGUN, DEFENDED, WON, LOST, GIVEN_UP = range(5)


class MonkFightCount(IntEnum):
    """What is counted about a player's fights with monks."""

    FOUGHT, WON = range(2)


class KnockOut(IntEnum):
    """Causes of a knock-out."""

    DRAGON, DUEL, MONK, LAVA = range(4)


MOST_COUNTED: Final = 9999  # VP lost to monks count down to minus this


class Counter(Field):
    """An entry of the table of counters: one number per label."""

    def __init__(self, labels: Iterable[str], doc: str) -> None:
        self.labels, self.doc = tuple(labels), doc
        super().__init__(np.int16, (len(self.labels),), low=-MOST_COUNTED, high=MOST_COUNTED)


def by(labels: Iterable[str], doc: str) -> Ints:
    """Declare a counter with these labels."""
    return cast(Ints, Counter(labels, doc))


def by_member(kinds: type[IntEnum], doc: str) -> Ints:
    """Declare a counter with one label per member of an enumeration."""
    return by((kind.name.lower() for kind in kinds), doc)


@record
class Counts:
    """The counters of one player."""

    vp: Ints = by_member(VpSource, "VP by source; they add up to the VP that the player has")
    fights_begun: Ints = by(DRAGON_COLOURS, "dragon fights that the player began by stepping onto the dragon's tile")
    fights_joined: Ints = by(DRAGON_COLOURS, "dragon fights that the player joined (DRAG-2)")
    fights_defended: Ints = by(DRAGON_COLOURS, "dragon fights in which the dragon came to the player (COOP-12)")
    fights_won: Ints = by(DRAGON_COLOURS, "dragons beaten while the player was still in the fight (DRAG-6)")
    monks_sent: Ints = by_member(Spot, "heroic monks sent into dragon fights, by the spot they came from (HERO-1)")
    duels: Ints = by_member(
        DuelCount,
        "duels the player began or was called to, won, lost by a knock-out, or gave up; the rest were undecided",
    )
    monk_fights: Ints = by_member(MonkFightCount, "fights with monks (SCEN-41); those lost are knock-outs")
    knock_outs: Ints = by_member(KnockOut, "knock-outs by cause; by lava: deaths (LAVA-3); in co-op each costs a life")
    tiles_explored: Ints = by((f"ring{level}" for level in LEVELS), "tiles the player laid (EXPL-1)")
    crafts: Ints = by(GEAR, "crafts the player completed (CRAFT-1)")


COUNTERS: Final[dict[str, Counter]] = {
    name: counter for name, counter in vars(Counts).items() if isinstance(counter, Counter)
}
CounterValues = dict[str, dict[str, int]]  # by counter name, then label


def counters_of(counts: Any) -> tuple[CounterValues, ...]:
    """Return all counters of some players, given their `Counts` records."""
    columns = [(name, counter.labels, counts[name].tolist()) for name, counter in COUNTERS.items()]
    return tuple(
        {name: dict(zip(labels, rows[p], strict=True)) for name, labels, rows in columns} for p in range(len(counts))
    )


def without_zeros(values: CounterValues) -> CounterValues:
    """Return the counters without labels that are zero and without counters that are then empty."""
    said = {name: {label: n for label, n in numbers.items() if n} for name, numbers in values.items()}
    return {name: numbers for name, numbers in said.items() if numbers}

"""Restricted players: what a player may not do, as masks of forbidden actions by phase.

A forbidden action is taken out of the mask before the agent is asked. If nothing else is legal, the mask stays as it
is, so a restriction never stops a game. Agents that plan with a skill that is forbidden lose the skill, too, so that
they don't walk to places where they may then do nothing.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.scripted.skills import CRAFTS, HUNTS, RUNS
from fujikoro_env.content.model import SCROLL_POWERS
from fujikoro_env.rules.base.actions import ACTIONS, STEP, TABLE, WORDS
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import SPACES, geometry

Named = dict[Phase | None, tuple[str, ...]]  # blocks of actions, or single actions such as "find(scroll)"; None: always
PHASES: Final = max(Phase) + 1
WORD_BITS: Final = 32  # of a word of a mask


@dataclass(frozen=True)
class Restriction:
    """What a player may not do."""

    doc: str
    forbids: Named
    skills: int = 0  # skills of scripted agents that it takes away
    avoids_dragons: bool = False  # steps onto the tile of a dragon are forbidden, too
    only_without_main: bool = False  # forbids only as long as the main half of an action is still possible
    leaves: str = ""  # field of the map: no gathering on spaces where it is not 0. Spaces hold at most one thing

    @property
    def bits(self) -> NDArray[np.uint32]:
        """Forbidden actions by phase, as masks in bits."""
        table = np.zeros((PHASES, ACTIONS), np.bool_)
        for phase, names in self.forbids.items():
            rows = slice(None) if phase is None else phase
            for name in names:
                table[rows, _actions(name)] = True
        return packed(table)


RESTRICTIONS: Final = {
    "explore": Restriction("may not explore", {None: ("explore",)}),
    "craft": Restriction("may not craft after the set-up", {None: ("craft", "build")}, CRAFTS),
    "fight": Restriction("may not fight dragons", {Phase.JOIN: ("step",)}, HUNTS, avoids_dragons=True),
    "duel": Restriction("may not call duels", {Phase.CALL_DUEL: ("yes",)}),
    "join": Restriction("may not join the fights of others", {Phase.JOIN: ("step",)}),
    "heroes": Restriction("may not send monks ahead into fights", {Phase.SEND_MONK: ("monk",)}),
    "scrolls": Restriction("may not gather scrolls", {None: ("find(scroll)",)}, leaves="scroll"),
    "powers": Restriction("may not use the powers of scrolls", {None: tuple(f"use({name})" for name in SCROLL_POWERS)}),
    "monks": Restriction("may not gather monks", {None: ("find(monk)",)}, leaves="monk"),
    "blueprints": Restriction(
        "may not take blueprints", {None: ("find(blueprint)",), Phase.BLUEPRINTS: ("blueprint",)}
    ),
    "adventures": Restriction("may not gather adventure tokens", {None: ("find(adventure)",)}, leaves="adventure"),
    "claims": Restriction("may not claim bonuses in the palace", {Phase.CLAIM: ("claim",)}),
    "escape": Restriction("does not prepare for the end: plans without leaving the volcano", {}, RUNS),
    "bonus_only": Restriction(
        "may not take the bonus of a gear card without its action", {Phase.HALVES: ("done",)}, only_without_main=True
    ),
}


def _actions(name: str) -> list[int]:
    """Numbers of the actions of a block, or of one action of it."""
    word, _, argument = name.partition("(")
    block = TABLE[word]
    if not argument:
        return list(range(block.first, block.first + block.size))
    return [block.first + block.arguments.index(argument.rstrip(")"))]


def packed(table: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """Masks of bools, (n, actions), as words of 32 bits."""
    wide = np.zeros((len(table), WORDS * WORD_BITS), np.bool_)
    wide[:, :ACTIONS] = table
    words: NDArray[np.uint32] = np.packbits(wide, axis=1, bitorder="little").view(np.uint32)
    return words


def asked(games: Any, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Phases and acting players of some games."""
    top = games["depth"][rows].astype(np.int64) - 1
    stack = games["stack"]
    return stack["phase"][rows, top].astype(np.int64), stack["actor"][rows, top].astype(np.int64)


class Restricted:
    """One restricted seat in each of some games."""

    def __init__(self, restriction: Restriction, seats: NDArray[np.int64]) -> None:
        self._seats, self._how = seats, restriction
        self._forbidden = restriction.bits
        self._main = TABLE["main"].first
        gather = np.zeros((1, ACTIONS), np.bool_)
        gather[0, _actions("gather")] = True
        self._gather = packed(gather)[0]

    def limit(self, games: Any, masks: Any, first: int, last: int) -> None:
        """Take forbidden actions out of the masks of games first to last - 1."""
        rows = np.arange(first, last)
        phases, actors = asked(games, rows)
        which = np.flatnonzero((games["reason"][first:last] == Reason.PLAYING) & (actors == self._seats[rows]))
        if not len(which):
            return
        chosen = rows[which]
        forbidden = self._forbidden[phases[which]]
        if self._how.avoids_dragons:
            forbidden = forbidden | self._dragon_steps(games["dragon_at"][chosen], phases[which])
        if self._how.leaves:
            here = games["players"]["at"][chosen, self._seats[chosen]]
            forbidden[games[self._how.leaves][chosen, here] != 0] |= self._gather
        kept = masks[chosen] & ~forbidden
        usable = kept.any(axis=1)
        if self._how.only_without_main:
            usable &= (masks[chosen, self._main // WORD_BITS] >> np.uint32(self._main % WORD_BITS)) & 1 == 1
        masks[chosen[usable]] = kept[usable]

    def _dragon_steps(self, dragon_at: Any, phases: NDArray[np.int64]) -> NDArray[np.uint32]:
        table = np.zeros((len(phases), ACTIONS), np.bool_)
        place_of = geometry().place_of  # -1 for spaces outside the volcano
        table[:, STEP : STEP + SPACES] = (dragon_at[:, place_of] != 0) & (place_of >= 0)
        table[phases != Phase.MOVE] = False
        return packed(table)


def skills_lost(name: str) -> int:
    """Skills of scripted agents that go with a restriction, as bits; none without a restriction."""
    return RESTRICTIONS[name].skills if name else 0

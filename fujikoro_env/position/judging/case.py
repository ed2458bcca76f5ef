"""The record under judgement, and what all who judge ask of it."""

from enum import Enum
from typing import Any, Final

import numpy as np

from fujikoro_env.position.faults import Faults
from fujikoro_env.position.lookup import gear_of_slot, slots_at
from fujikoro_env.rules.names import Spot, Where
from fujikoro_env.rules.pack import FIRST_PACK, SECOND_PACK
from fujikoro_env.rules.phases import Phase
from fujikoro_env.settings import Rules

FIGHTS: Final = (Phase.DRAGON_FIGHT, Phase.DUEL)
ERUPTING: Final = 6  # stage of a turn
BEGIN: Final = 0  # stage of a fight


class After(Enum):
    """Frames of magic go by what they lie on: the end of an action, of an eruption, of a token's craft, of a fight."""

    ACTION = "action"
    ERUPTION = "eruption"
    TOKEN = "token"
    FIGHT = "fight"


class Case:
    """A record with the frames and people of the game."""

    def __init__(self, s: Any, rules: Rules, faults: Faults) -> None:
        self.s, self.rules, self.faults, self.n = s, rules, faults, rules.players
        self.want = faults.want
        self.people = [s.players[p] for p in range(self.n)]
        self.frames = [s.stack[k] for k in range(int(s.depth))]
        self.phases = [Phase(int(frame.phase)) for frame in self.frames]
        self.fight_at = self.first_of(*FIGHTS)

    def fits(self, k: int, holds: Any, what: str, rule: str = "") -> None:
        self.want(f"asked[{k}]", holds, f"{self.phases[k].name} does not fit: {what}", rule)

    # frames

    def first_of(self, *phases: Phase) -> int | None:
        """The lowest frame of these phases."""
        return next((k for k, phase in enumerate(self.phases) if phase in phases), None)

    def frame_of(self, *phases: Phase) -> Any:
        k = self.first_of(*phases)
        return None if k is None else self.frames[k]

    def has_frame(self, p: int, *phases: Phase) -> bool:
        """Whether one of these is asked of this player."""
        return any(phase in phases and frame.actor == p for frame, phase in zip(self.frames, self.phases, strict=True))

    def is_last(self, k: int) -> bool:
        return k == len(self.frames) - 1

    def actor(self, k: int) -> Any:
        """The player whom a frame asks."""
        return self.people[int(self.frames[k].actor)]

    def role(self, k: int) -> Phase | After:
        """The phase of a frame, or what a frame of magic lies on."""
        if self.phases[k] != Phase.MAGIC_REFRESH:
            return self.phases[k]
        if self.phases[k - 1] == Phase.TURN:
            return After.ERUPTION if self.frames[k - 1].stage == ERUPTING else After.ACTION
        return After.TOKEN if self.phases[k - 1] == Phase.ACTION else After.FIGHT

    # fights

    def fight_has_begun(self) -> bool:
        return self.fight_at is not None and self.frames[self.fight_at].stage != BEGIN

    def in_duel(self) -> bool:
        return self.fight_at is not None and self.phases[self.fight_at] == Phase.DUEL

    def duellists(self) -> tuple[int, ...]:
        """The attacker and the other, if this is a duel."""
        if self.fight_at is None or not self.in_duel():
            return ()
        return int(self.frames[self.fight_at].actor), int(self.frames[self.fight_at].thing)

    # people

    def blueprints_of(self, p: int) -> list[int]:
        """Their gear."""
        return [gear_of_slot(slot) for slot in slots_at(self.s.blueprints, Where.OWNED + p)]

    def free_slots(self, p: int) -> int:
        """PACK-1: below 0 if more is in the pack than it has room for."""
        me = self.people[p]
        room = FIRST_PACK + (SECOND_PACK if me.monks[Spot.PACK] else 0)
        scrolls = int(np.count_nonzero(me.scrolls))
        return room - int(me.pack.sum() + me.pack_monks) - scrolls - len(self.blueprints_of(p))

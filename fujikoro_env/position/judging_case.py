"""The record being checked, with helpers that all checks use."""

from typing import Final

from fujikoro_env.kernel.position.errors import Faults
from fujikoro_env.position.lookup import board_of, gear_of_slot, numbers_in, rows_of, slots_at
from fujikoro_env.rules.base.names import Spot, Terrain, Where
from fujikoro_env.rules.base.phase_entry import After
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import Frame, Player, State
from fujikoro_env.rules.gear.craft import AFTER_ACTION
from fujikoro_env.rules.map.geometry import FIRST_BRIDGE, START, geometry
from fujikoro_env.rules.scenarios.terms import Term
from fujikoro_env.settings import Rules

FIGHTS: Final = (Phase.DRAGON_FIGHT, Phase.DUEL, Phase.MONK_FIGHT)
ERUPTING: Final = 6  # stage of a turn
WAKING: Final = 1  # stage of a co-op round: when the dragons wake, the eruption is over
BEGIN: Final = 0  # stage of a fight


class Case:
    """A record under check, with its frames and players."""

    def __init__(self, s: State, rules: Rules, faults: Faults) -> None:
        self.s, self.rules, self.faults, self.n = s, rules, faults, rules.players
        self.want = faults.want
        self.people = rows_of(s.players, self.n)
        self.frames = rows_of(s.stack, int(s.depth))
        self.phases = [Phase(int(frame.phase)) for frame in self.frames]
        self.fight_at = self.last_of(*FIGHTS)

    def fits(self, k: int, holds: object, what: str, rule: str = "") -> None:
        """Note a fault of frame k unless a condition holds."""
        phase = self.phases[k]
        self.want(f"asked[{k}]", holds, f"{phase.name} does not fit: {what}", rule or phase.entry.rule)

    # frames

    def first_of(self, *phases: Phase) -> int | None:
        """Index of the lowest frame with one of these phases."""
        return next((k for k, phase in enumerate(self.phases) if phase in phases), None)

    def last_of(self, *phases: Phase) -> int | None:
        """Index of the highest frame with one of these phases; fights with monks can be stacked."""
        return max((k for k, phase in enumerate(self.phases) if phase in phases), default=None)

    def frame_of(self, *phases: Phase) -> Frame | None:
        """The lowest frame with one of these phases; None if there is none."""
        k = self.first_of(*phases)
        return None if k is None else self.frames[k]

    def has_frame(self, p: int, *phases: Phase) -> bool:
        """Whether the player is asked in a frame with one of these phases."""
        return any(phase in phases and frame.actor == p for frame, phase in zip(self.frames, self.phases, strict=True))

    def is_last(self, k: int) -> bool:
        """Whether frame k is the top of the stack."""
        return k == len(self.frames) - 1

    def actor(self, k: int) -> Player:
        """The player whom a frame asks."""
        return self.people[int(self.frames[k].actor)]

    def role(self, k: int) -> Phase | After:
        """The phase of a frame. MAGIC_REFRESH, and Yoshihiro's craft after an action, count as what they come after: an
        action, a fight, ..."""
        if self.phases[k] == Phase.REST and self.frames[k].stage == AFTER_ACTION:
            return After.ACTION
        if self.phases[k] != Phase.MAGIC_REFRESH:
            return self.phases[k]
        if self.phases[k - 1] == Phase.ROUND:
            return After.ERUPTION if self.frames[k - 1].stage == WAKING else After.FIGHT
        if self.phases[k - 1] == Phase.MONKS:
            return After.FIGHT
        if self.phases[k - 1] == Phase.TURN:
            return After.ERUPTION if self.frames[k - 1].stage == ERUPTING else After.ACTION
        return After.TOKEN if self.phases[k - 1] == Phase.ACTION else After.FIGHT

    # fights

    def fight_has_begun(self) -> bool:
        """Whether there is a fight that has begun."""
        return self.fight_at is not None and self.frames[self.fight_at].stage != BEGIN

    def in_duel(self) -> bool:
        """Whether the current fight is a duel."""
        return self.fight_at is not None and self.phases[self.fight_at] == Phase.DUEL

    def duellists(self) -> tuple[int, ...]:
        """The attacker and the defender of a duel; empty if this is not a duel."""
        if self.fight_at is None or not self.in_duel():
            return ()
        return int(self.frames[self.fight_at].actor), int(self.frames[self.fight_at].thing)

    # rules

    def has_term(self, term: Term) -> bool:
        """Whether a term of the scenario holds."""
        return self.rules.has_term(term)

    # players

    def first_inside(self) -> int | None:
        """The player who chooses for the group (COOP-11)."""
        order = [(int(self.s.first_player) + k) % self.n for k in range(self.n)]
        return next((p for p in order if not self.people[p].outside), None)

    def first_fighter(self) -> int | None:
        """The player who shares out the teeth (COOP-16)."""
        order = [(int(self.s.fight.active) + k) % self.n for k in range(self.n)]
        return next((p for p in order if self.s.fight.fighters[p].inside), None)

    def blueprints_of(self, p: int) -> list[int]:
        """Gear types of a player's blueprints."""
        return [gear_of_slot(slot) for slot in slots_at(self.s.blueprints, Where.OWNED + p)]

    def free_slots(self, p: int) -> int:
        """Free slots of a player's pack (PACK-1); negative if it holds more than it has room for."""
        me = self.people[p]
        board = board_of(me)
        room = board.pack + (board.second_pack if me.monks[Spot.PACK] else 0)
        scrolls = sum(card != 0 for card in numbers_in(me.scrolls))
        return room - sum(numbers_in(me.pack)) - int(me.pack_monks) - scrolls - len(self.blueprints_of(p))


# --- the map --------------------------------------------------------------------------------------------------------


def touch(a: int, b: int) -> bool:
    """Whether two spaces are adjacent."""
    return int(geometry().distance[a, b]) == 1


def is_safe(space: int) -> bool:
    """Whether a space is safe: the start, a bridge or a temple."""
    return space == START or space >= FIRST_BRIDGE


def dragon_on(case: Case, space: int) -> int:
    """The dragon on the tile of this space, + 1, or 0."""
    place = int(geometry().place_of[space])
    return int(case.s.dragon_at[place]) if place >= 0 else 0


def may_be_laid_on(case: Case, p: int, space: int) -> bool:
    """Whether a samurai may be laid on a space (MAP-11)."""
    others = sum(q != p and other.at == space and not other.outside for q, other in enumerate(case.people))
    full = others >= 2 and not is_safe(space)
    return case.s.terrain[space] == Terrain.GROUND and not full and not dragon_on(case, space)


def is_watched(case: Case, p: int) -> bool:
    """Whether a dragon, or a samurai that could be fought, is where the samurai stands (CHAR-72)."""
    at = int(case.people[p].at)
    others = [q for q, other in enumerate(case.people) if q != p and other.at == at]
    awake = any(not case.people[q].outside and not case.people[q].unconscious for q in others)
    return bool(dragon_on(case, at)) or (awake and not is_safe(at) and not case.rules.peaceful)


def is_in_reach(case: Case, k: int) -> bool:
    """Whether the space of a frame is where the samurai stands, or next to it with far_reach (GATH-1)."""
    me, there = case.actor(k), int(case.frames[k].at)
    if me.at == there:
        return True
    powers = [case.rules.pack.scrolls[int(card) - 1].power for card in numbers_in(me.scrolls) if card]
    return "far_reach" in powers and touch(int(me.at), there) and not is_safe(there)

"""Checks a game's record that comes from outside, before any rule touches it: the bounds of all fields, then what rules
use as indices."""

from typing import Any, Final

from fuji_env.rules.base.names import Reason
from fuji_env.rules.base.phases import FIRST_AUTOMATIC, Phase
from fuji_env.rules.base.state import FRAMES, Limit, State
from fujikoro_env.kernel import bounds
from fujikoro_env.kernel.phase_table import Entry

SLOTS: Final = ("stage", "left", "what")
UNUSED: Final = Entry(0)


def record_fault(games: Any, tables: Any) -> str:
    """Return what is wrong with the only record of a batch, in one line; "" if rules can work on it."""
    settings = games[0].settings
    limits = {Limit.LAST_PLAYER: int(settings.players) - 1, Limit.LAST_FIGURE: int(settings.figures) - 1}
    return bounds.record_fault(State, games, limits) or _frame_fault(games[0]) or _place_fault(games[0], tables[0])


def _frame_fault(s: Any) -> str:
    """What frames hold depends on their phase."""
    for k in range(FRAMES):
        frame, where = s.stack[k], f"stack[{k}]"
        known = frame.phase in [int(phase) for phase in Phase if phase]
        if k < s.depth and not known:
            return f"{where}.phase is {frame.phase}, which is no phase"
        entry = Phase(frame.phase).entry if k < s.depth else UNUSED
        allowed = {slot.slot: (slot.least, slot.most) for slot in entry.keeps}
        for name in SLOTS if k < s.depth else ("phase", "actor", "figure", *SLOTS):
            low, high = allowed.get(name, (0, 0))
            if not low <= int(frame[name]) <= high:
                return f"{where}.{name} is {frame[name]}, allowed is {low} to {high}"
        if k < s.depth and int(frame.actor) != int(frame.figure) % int(s.settings.players):
            return f"{where}.actor is {frame.actor}, which is not the player of figure {frame.figure}"
    if s.reason == Reason.PLAYING and s.stack[s.depth - 1].phase >= FIRST_AUTOMATIC:
        return f"stack[{s.depth - 1}].phase asks nothing"
    return _order_fault(s)


def _order_fault(s: Any) -> str:
    """The round lies at the bottom, its phase on it, and what they ask above."""
    phases = [int(s.stack[k].phase) for k in range(s.depth)]
    if phases[0] != Phase.ROUND:
        return "stack[0].phase must be ROUND"
    for k, phase in enumerate(phases[1:], 1):
        if phase == Phase.ROUND or is_phase_of_round(phase) != (k == 1):
            return f"stack[{k}].phase is {Phase(phase).name}, which can't lie there"
        if phase in NEEDS and phases[k - 1] not in NEEDS[phase]:
            return f"stack[{k}].phase is {Phase(phase).name}, which can't lie on {Phase(phases[k - 1]).name}"
    return ""


def is_phase_of_round(phase: int) -> bool:
    """Whether a frame of this phase lies on the round: dealing, and the phases in which players are asked."""
    return FIRST_AUTOMATIC <= phase < Phase.TURN and phase != Phase.ROUND


# Phases whose answers change the frame below them, which must be theirs.
NEEDS: Final[dict[int, tuple[int, ...]]] = {
    Phase.KEEP: (Phase.DEAL,),
    Phase.PLAN: (Phase.PLANNING,),
    Phase.REROLL: (Phase.REROLLING,),
    Phase.EQUIP: (Phase.EQUIPPING,),
    Phase.NEXT: (Phase.MOVING,),
    Phase.TURN: (Phase.MOVING,),
    Phase.BARS: (Phase.TURN,),
}


def _place_fault(s: Any, t: Any) -> str:
    """Area cards lie on the places of the layout, and figures and markers on them."""
    m = t.layouts[int(s.settings.scenario)]
    areas = int(m.landscape | m.village)
    for place in range(len(s.cards)):
        if bool(s.cards[place]) != bool(areas >> place & 1):
            return f"cards[{place}] does not fit the layout"
    if len({card for card in s.cards.tolist() if card}) < areas.bit_count():
        return "cards: one lies on two places"
    is_planned = s.depth > 1 and s.stack[1].phase in (Phase.REROLLING, Phase.EQUIPPING, Phase.MOVING)
    for k in range(s.settings.figures):
        me = s.figures[k]
        if not areas >> int(me.at) & 1:
            return f"figures[{k}].at is {me.at}, which is no area card"
        if (me.marker or is_planned) and not areas >> (int(me.marker) - 1) & 1:
            return f"figures[{k}].marker is {me.marker}, which is no area card"
    if s.radio and not areas >> (int(s.radio) - 1) & 1:
        return f"radio is {s.radio}, which is no area card"
    dice = [int(s.figures[k].dice) for k in range(s.settings.figures)]
    if any(s.dice[k, die] and die >= dice[k] for k in range(len(dice)) for die in range(s.dice.shape[1])):
        return "dice: one is in use that its figure does not have"
    return ""

"""Reading the round, whose turn it is, and how far the final chapter is."""

from collections.abc import Iterable
from typing import Final

from fujikoro_env.position.kinds import FLAG, bits, number, said_number
from fujikoro_env.position.reading.draft import Draft
from fujikoro_env.position.words import OVER, USED_POWERS
from fujikoro_env.rules.base.names import Reason

COMPETITIVE_ENDS: Final = (Reason.COUNTDOWN, Reason.ROUND_CAP)
CO_OP_ENDS: Final = (Reason.WON, Reason.LOST)


def read_turn(draft: Draft) -> None:
    s, top, player = draft.s, draft.top, number(0, draft.n - 1)
    s.round_number = top.get("round", number(1, draft.rules.max_rounds), 1)
    s.first_player = top.get("first_player", player)
    s.active = top.get("active", player, int(s.first_player))
    s.stock_taken = top.get("stock_taken", FLAG)
    s.used_powers = top.get("used_powers", USED_POWERS)
    s.reason = top.get("over", OVER, 0)
    ends = CO_OP_ENDS if draft.rules.is_coop else COMPETITIVE_ENDS
    if s.reason and s.reason not in ends:
        top.fault("over", f"{OVER.show(s.reason)} is no end of this mode", "COOP-1" if draft.rules.is_coop else "END-1")


def read_final(draft: Draft) -> None:
    if not draft.rules.has_vp:
        _work_out_final_rounds(draft)
    _read_lava_phase(draft)
    if "final" not in draft.top.fields:
        return
    if not draft.rules.has_vp:
        draft.faults.add("final", "in co-op it follows from the round: leave it out", "COOP-2")
        return
    s, part, calls = draft.s, draft.top.part("final"), draft.rules.pack.countdown
    part.only("started_by", "countdown", "called", "rope")
    s.final_player = part.get("started_by", said_number(0, draft.n - 1), 0) + 1
    s.countdown = part.get("countdown", number(0, len(calls) - (0 if s.reason else 1)))
    entered = calls[: int(s.countdown)]
    called = part.get("called", bits(said_number(1, 4)), called_by(entered))
    s.rope = part.get("rope", FLAG, int("rope" in entered))
    before = calls if s.lava_player else ()  # SCEN-32: so far the lava phase may have come
    fits = called in [called_by(entered) | called_by(before[:k]) for k in range(len(before) + 1)]
    if not fits or bool(s.rope) != ("rope" in entered):
        part.fault("countdown", f"after {len(entered)} spaces these are called: {', '.join(entered)}", "FINAL-3")
    s.called = called


def _read_lava_phase(draft: Draft) -> None:
    """SCEN-31: until the final chapter the countdown is its own."""
    if "lava_phase" not in draft.top.fields:
        return
    s, part, calls = draft.s, draft.top.part("lava_phase"), draft.rules.pack.countdown
    if not draft.rules.lava_at:
        draft.faults.add("lava_phase", "there is none in this game", "SCEN-31")
        return
    part.only("started_by", "countdown")
    s.lava_player = part.get("started_by", said_number(0, draft.n - 1), 0) + 1
    s.countdown = part.get("countdown", number(0, len(calls)))
    s.called = called_by(calls[: int(s.countdown)])


def called_by(calls: Iterable[str]) -> int:
    """The eruption numbers among what a countdown has called, as bits."""
    return sum({1 << int(call[-1]) for call in calls if call.startswith("lava")})


def _work_out_final_rounds(draft: Draft) -> None:
    """COOP-2, COOP-20, SCEN-33: how many final rounds have begun, or rounds of the lava phase, and what they called."""
    s, rules, now = draft.s, draft.rules, int(draft.s.round_number)
    full, lava, calls = rules.full_rounds, rules.lava_after, rules.pack.coop_countdown
    if now > full + len(calls):
        draft.faults.add("round", f"the last one is {full + len(calls)}", "COOP-2")
    if lava and now <= lava + len(calls):
        s.countdown = max(0, now - lava)
        s.called = called_by(calls[: int(s.countdown)])
    else:
        s.countdown = min(len(calls), max(0, now - full))
        s.called = called_by(calls if lava else calls[: int(s.countdown)])

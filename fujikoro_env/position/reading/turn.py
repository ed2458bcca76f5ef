"""Reading the round, whose turn it is, and how far the final chapter is."""

from typing import Final

from fujikoro_env.position.kinds import FLAG, bits, number, said_number
from fujikoro_env.position.reading.draft import Draft
from fujikoro_env.position.words import OVER, USED_POWERS
from fujikoro_env.rules.names import Reason

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
    if draft.rules.is_coop:
        _work_out_final_rounds(draft)
    if "final" not in draft.top.fields:
        return
    if draft.rules.is_coop:
        draft.faults.add("final", "in co-op it follows from the round: leave it out", "COOP-2")
        return
    s, part, calls = draft.s, draft.top.part("final"), draft.rules.pack.countdown
    part.only("started_by", "countdown", "called", "rope")
    s.final_player = part.get("started_by", said_number(0, draft.n - 1), 0) + 1
    s.countdown = part.get("countdown", number(0, len(calls) - (0 if s.reason else 1)))
    entered = calls[: int(s.countdown)]
    called = sum(1 << int(call[-1]) for call in entered if call.startswith("lava"))
    s.called = part.get("called", bits(said_number(1, 4)), called)
    s.rope = part.get("rope", FLAG, int("rope" in entered))
    if s.called != called or bool(s.rope) != ("rope" in entered):
        part.fault("countdown", f"after {len(entered)} spaces these are called: {', '.join(entered)}", "FINAL-3")


def _work_out_final_rounds(draft: Draft) -> None:
    """COOP-2, COOP-20: how many final rounds have begun, and what they called."""
    s, rules = draft.s, draft.rules
    full, calls = rules.full_rounds, rules.pack.coop_countdown
    if s.round_number > full + len(calls):
        draft.faults.add("round", f"the last one is {full + len(calls)}", "COOP-2")
    entered = calls[: max(0, int(s.round_number) - full)]
    s.countdown = len(entered)
    s.called = sum(1 << int(call[-1]) for call in entered if call.startswith("lava"))

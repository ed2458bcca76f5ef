"""Reading the round, whose turn it is, and how far the final chapter is."""

from fujikoro_env.position.kinds import FLAG, bits, number, said_number
from fujikoro_env.position.reading.draft import Draft
from fujikoro_env.position.words import OVER, USED_POWERS


def read_turn(draft: Draft) -> None:
    s, top, player = draft.s, draft.top, number(0, draft.n - 1)
    s.round_number = top.get("round", number(1, draft.rules.max_rounds), 1)
    s.first_player = top.get("first_player", player)
    s.active = top.get("active", player, int(s.first_player))
    s.stock_taken = top.get("stock_taken", FLAG)
    s.used_powers = top.get("used_powers", USED_POWERS)
    s.reason = top.get("over", OVER, 0)


def read_final(draft: Draft) -> None:
    if "final" not in draft.top.fields:
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

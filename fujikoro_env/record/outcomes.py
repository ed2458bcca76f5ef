"""Outcomes as plain data for a recording."""

from typing import Any

from fujikoro_env.game import Outcome, PlayerOutcome
from fujikoro_env.kernel.position.kinds import UnfitError
from fujikoro_env.kernel.record.errors import RecordError
from fujikoro_env.kernel.record.reading import list_in, number_in, object_in, text_in
from fujikoro_env.position.words import COUNTER_KINDS
from fujikoro_env.rules.base.counters import COUNTERS, CounterValues, without_zeros


def outcome_as_data(outcome: Outcome) -> dict[str, Any]:
    """An outcome, ready for JSON; counters that are 0 are left out."""
    players = [{**vars(player), "counts": without_zeros(player.counts)} for player in outcome.players]
    return {**vars(outcome), "players": players}


def read_outcome(value: Any) -> Outcome:
    """Read an outcome."""
    part = object_in(value, "outcome", ("reason", "ranking", "scores", "winners", "players"))
    numbers = {
        key: tuple(number_in(n, f"outcome.{key}", 1 << 30) for n in list_in(part[key], f"outcome.{key}"))
        for key in ("ranking", "scores", "winners")
    }
    players = [
        _read_player(player, f"outcome.players[{p}]")
        for p, player in enumerate(list_in(part["players"], "outcome.players"))
    ]
    return Outcome(text_in(part["reason"], "outcome.reason"), **numbers, players=tuple(players))


def _read_player(value: Any, where: str) -> PlayerOutcome:
    part = object_in(value, where, ("left", "left_order", "left_round", "counts"))
    return PlayerOutcome(
        left=None if part["left"] is None else text_in(part["left"], f"{where}.left"),
        left_order=number_in(part["left_order"], f"{where}.left_order", 1 << 30),
        left_round=number_in(part["left_round"], f"{where}.left_round", 1 << 30),
        counts=_read_counts(part["counts"], f"{where}.counts"),
    )


def _read_counts(value: Any, where: str) -> CounterValues:
    part = object_in(value, where, (), tuple(COUNTERS))
    try:
        numbers = {name: kind.read(part.get(name, {})) for name, kind in COUNTER_KINDS.items()}
    except UnfitError as error:
        raise RecordError(f"{where}: {error}") from None
    return {name: dict(zip(COUNTERS[name].labels, numbers[name], strict=True)) for name in COUNTERS}

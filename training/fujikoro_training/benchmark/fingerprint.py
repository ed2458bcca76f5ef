"""Fingerprints: what a result was measured with. Results with equal `comparable` can be compared."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from typing import Any, Final

from fujikoro_agents.policy.digests import action_digest, observation_digest
from fujikoro_agents.scripted.skills import RUNGS, RUNNER
from fujikoro_env import __version__
from fujikoro_env.content import load_pack
from fujikoro_env.observation import OBSERVATIONS
from fujikoro_training.benchmark.protocol import Protocol, Series
from fujikoro_training.benchmark.scripted import play_scripted
from fujikoro_training.tournament.entrants import agent_digest
from fujikoro_training.tournament.match import Result

YARDSTICK_SEEDS: Final = 2
DIGEST: Final = 16


def digest_of(what: Any) -> str:
    """Short hash of anything that JSON can hold."""
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:DIGEST]


def tables_digests() -> dict[str, Any]:
    """Hashes of the tables of actions and observations."""
    return {"actions": action_digest(), "observations": {kind: observation_digest(kind) for kind in OBSERVATIONS}}


def results_digest(results: Iterable[Result]) -> str:
    """Hash of what happened in games, whatever the time it took."""
    rows = []
    for result in sorted(results, key=lambda result: result.game):
        row = asdict(result)
        row.pop("seconds")
        row["forfeits"] = {str(seat): forfeit.reason for seat, forfeit in sorted(result.forfeits.items())}
        rows.append(row)
    return digest_of(rows)


@cache
def yardstick(protocol: Protocol) -> str:
    """Hash of the results of `runner` in the first games of every series. It changes if rules, content or opponents
    play otherwise, and not if their code is only written otherwise."""
    found: list[Result] = []
    for series in protocol.series:
        matches = [match for match in protocol.matches(series) if match.block < YARDSTICK_SEEDS and match.rotation == 0]
        found += play_scripted(series.rules, matches, _skills(series))
    return results_digest(found)


def _skills(series: Series) -> tuple[int, int]:
    return RUNNER, RUNGS[series.opponent] if series.opponent else RUNNER


def measured_with(protocol: Protocol, agent: str) -> dict[str, Any]:
    """The fingerprint of an agent's games, but for their results."""
    conditions = {"protocol": protocol.digest, "content": load_pack("base").digest, "yardstick": yardstick(protocol)}
    return {
        "comparable": digest_of(conditions),
        **conditions,
        **tables_digests(),
        "package": __version__,
        "agent": agent,
        "agent_code": agent_digest(agent),
    }

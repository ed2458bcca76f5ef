"""Whole games of a scenario by biased players, from everywhere: every check that there is, at every decision."""

import json
from typing import Any

import numpy as np

from fujikoro_env import Game, Rules
from tests.helpers.fuzz import AT_ONCE, MAX_ROUNDS, Batch, Hits
from tests.helpers.step_sample import game_of


def biased_games(scenario: int, players: int, decisions: int = 3_000, **settings: Any) -> Hits:
    """Invariants hold and the book of VP is right at every step; the positions worth a second look are read back from
    JSON byte by byte, and shown as text and as a picture."""
    luck, hits = np.random.default_rng([scenario, players]), Hits()
    for final_at in (3, 20):
        rules = Rules(players, scenario=scenario, final_at=final_at, max_rounds=MAX_ROUNDS, ask_forced=True, **settings)
        batch = Batch(rules, luck, hits)
        for _ in range(decisions // 2 // AT_ONCE):
            batch.play_on()
    for row in hits.sample.befores[::160]:
        _look_at(game_of(row))
    return hits


def _look_at(game: Game) -> None:
    assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()
    assert str(game)
    assert game._repr_svg_()
    for action in game.legal_actions():
        assert game.parse_action(game.action_name(action)) == action
    game.observe(0)
    seen = game.view(0)
    assert Game.from_json(seen.to_json()).to_bytes() == seen.to_bytes()


def changed(position: dict[str, Any], changes: dict[str, Any]) -> str:
    """A position as JSON with some things said otherwise: `{"players:0:status": 1}`."""
    data = json.loads(json.dumps(position))
    for path, value in changes.items():
        part, *keys = data, *path.split(":")
        for key in keys[:-1]:
            part = part[int(key)] if isinstance(part, list) else part.setdefault(key, {})
        part[keys[-1]] = value
    return json.dumps(data)

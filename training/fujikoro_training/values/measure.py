"""Measures a value network: `python -m fujikoro_training.values.measure value.safetensors --games 1000`.

One agent with the network plays against `shogun` in all other seats: every seed in every seat, intervals by seed. Then
its speed: decisions per second of CPU time in games of four such agents.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Final

import numpy as np

from fujikoro_agents.policy import PolicyError
from fujikoro_agents.scripted.batch_policy import ScriptedPolicy
from fujikoro_agents.scripted.ladder import ScriptedGames
from fujikoro_agents.scripted.skills import SENSEI
from fujikoro_agents.values.file import SHIPPED, Value, load_value, shipped_value
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.settings import Rules
from fujikoro_training.matches import play_match

FIRST_SEED: Final = 700_000_000  # nothing is trained or chosen with seeds from here on
TABLES: Final = {
    "4 players": Rules(players=4),
    "2 players": Rules(players=2),
    "3 players": Rules(players=3),
    "5 players": Rules(players=5),
    "6 players": Rules(players=6),
    "4 players, characters": Rules(players=4, characters="random"),
}
TIMED_GAMES: Final = 32


def match_line(value: Value, name: str, opponent: str, games: int, seed: int) -> str:
    """Result of a match at one kind of table, in one line."""
    rules = TABLES[name]
    match = play_match(ScriptedPolicy(SENSEI, value.compiled()), opponent, rules, games, seed)
    return f"{name}: {match}, lead {match.lead:+.1f} VP, {match.games} games; fair is {1 / rules.players:.1%}"


def decisions_per_second(value: Value) -> float:
    """Speed of the agent in games of four, in decisions per second of CPU time."""
    skills = np.full((TIMED_GAMES, PLAYERS), SENSEI)
    games = ScriptedGames(Rules(players=4), np.arange(TIMED_GAMES), skills, network=value.compiled())
    games.play_some(0, 1)  # loads the machine code
    before, began = games.decisions, time.process_time()
    games.play_some(1, TIMED_GAMES)
    return (games.decisions - before) / (time.process_time() - began)


def main() -> int:
    """Command line of this module."""
    parser = argparse.ArgumentParser(
        prog="python -m fujikoro_training.values.measure", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("file", help=f"file of the network, or {SHIPPED} for the shipped one")
    parser.add_argument("--games", type=int, default=1000, help="games of each match (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="first seed (default: %(default)s)")
    parser.add_argument("--opponent", default="shogun", help="agent in the other seats (default: %(default)s)")
    parser.add_argument("--tables", nargs="+", choices=list(TABLES), default=["4 players"], help="kinds of games")
    given = parser.parse_args()
    try:
        value = shipped_value() if given.file == SHIPPED else load_value(Path(given.file))
    except PolicyError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{decisions_per_second(value):,.0f} decisions per second", flush=True)
    for name in given.tables:
        print(match_line(value, name, given.opponent, given.games, given.seed), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Writes the ratings that the lobby of `fujikoro web` shows: `python tools/make_ratings.py`.

Plays a tournament of the agents that can be chosen there by name, about ten minutes on one core. The games go to
runs/ratings; after an interruption, call it again to continue.
"""

import json
import sys
from pathlib import Path

from fujikoro_app.cli import main as fujikoro
from fujikoro_app.web.runs import SHIPPED_RATINGS, ratings

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "runs/ratings"
PLAYERS = (
    *("random", "wanderer", "gatherer", "smith", "hunter", "runner", "shogun"),
    *("ppo", "pupil", "sensei", "mcts:iterations=64"),
)
GAMES = 330
TOURNAMENT = [
    *("tournament", "--players", ",".join(PLAYERS), "--games", str(GAMES)),
    *("--seed", "880000000", "--salt", "ratings"),
]


def main() -> int:
    """Play, and write the ratings. Returns the exit status."""
    status = fujikoro([*TOURNAMENT, "--out", str(FOLDER)])
    if status == 0:
        found = ratings(FOLDER.parent)
        SHIPPED_RATINGS.write_text(
            json.dumps({"made by": " ".join(["fujikoro", *TOURNAMENT]), "ratings": found}, indent=1) + "\n", "utf-8"
        )
    return status


if __name__ == "__main__":
    sys.exit(main())

"""Lets an agent of your own play a rated tournament against shipped agents.

    python examples/own_agent_in_a_tournament.py --games 40

An agent is any object with the methods `reset`, `act` and `explain`. This one prefers some actions to others and is
otherwise random. The tournament finds it by the name `python:module.Class`. On the command line, the same is

    fujikoro tournament --players python:own_agent_in_a_tournament.Collector,wanderer,random --seats 3

in the folder of this file. The tournament needs the extra `tournament`.
"""

import argparse
import random
import tempfile
from pathlib import Path

from fujikoro_env import Game, Rules
from fujikoro_training.tournament.report import as_text
from fujikoro_training.tournament.run import Plan, play
from fujikoro_training.tournament.summary import summary

SALT = "example"  # a fixed salt gives the same games in every run; without one they differ
FAVOURITES = ("build", "gather", "take", "find", "explore", "move")  # kinds of actions, the best first


class Collector:
    """Takes what it finds, builds what it can, explores, and otherwise walks about at random."""

    def reset(self, seed: int, seat: int) -> None:
        """Begin a game: the seed is for this agent's own choices."""
        self._luck = random.Random(f"{seed} {seat}")
        self._why = ""

    def act(self, view: Game) -> int:
        """Choose among the actions of the kind that it likes best."""
        names = {int(action): view.action_name(action) for action in view.legal_actions()}
        kinds = {name.partition("(")[0] for name in names.values()}
        kind = next((kind for kind in FAVOURITES if kind in kinds), None)
        liked = [action for action, name in names.items() if kind is None or name.partition("(")[0] == kind]
        self._why = f"one of {len(liked)}" + (f" to {kind}" if kind else " at random")
        return self._luck.choice(liked)

    def explain(self) -> str:
        """Why it chose its last action."""
        return self._why


def main() -> None:
    parser = argparse.ArgumentParser(description="Lets an agent of your own play a rated tournament.")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--against", default="wanderer,random", help="agents with commas between them")
    parser.add_argument("--workers", type=int, default=2, help="games at the same time")
    given = parser.parse_args()

    mine = f"python:{Path(__file__).stem}.{Collector.__name__}"  # workers import it from this file
    plan = Plan([mine, *given.against.split(",")], Rules(players=3), seed=1, salt=SALT)
    with tempfile.TemporaryDirectory() as folder:  # keep the folder to add more games later
        played = play(plan, given.games, Path(folder), given.workers)
    print(as_text(summary(played)))


if __name__ == "__main__":
    main()

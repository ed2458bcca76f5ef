"""`Agent`: whoever plays a seat, and the simplest of them."""

import random
from typing import Protocol

from fujikoro_env.game import Game


class Agent(Protocol):
    def reset(self, seed: int, seat: int) -> None:
        """A new game begins."""

    def act(self, view: Game) -> int:
        """A legal action. `view`: the game as this seat may see it, which stands at a decision of this seat."""

    def explain(self) -> str:
        """Why the last action, in words; may be empty."""


class RandomAgent:
    """Any legal action, each as likely as the others."""

    def __init__(self) -> None:
        self._luck = random.Random(0)

    def reset(self, seed: int, seat: int) -> None:
        self._luck = random.Random(f"{seed} {seat}")

    def act(self, view: Game) -> int:
        return int(self._luck.choice(view.legal_actions()))

    def explain(self) -> str:
        return "at random"

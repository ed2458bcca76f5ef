"""Agents that look ahead over their turn like `shogun` and evaluate its end with a value network: `sensei` with the
shipped one, and `value:FILE`, for example with the result of `fujikoro train value`."""

from typing import Any

from fujikoro_agents.scripted.band_agent import Band
from fujikoro_agents.scripted.bots import Shogun
from fujikoro_agents.scripted.skills import SENSEI
from fujikoro_agents.values.file import network_of


class LearnedAgent(Shogun, Band):
    """Takes the option of its turn that leads to the position with the largest expected lead in VP at the end of the
    game. In co-op and solo games it plays like `band`."""

    skills = SENSEI
    worth_text = "expected lead {:+.1f} VP"

    def __init__(self, network: Any) -> None:
        self.network = network
        super().__init__()


class ValueAgent(LearnedAgent):
    """`value:FILE`: looks ahead with the network of a file. An option of a turn must beat what the script would do by
    `margin` VP; by default the margin is that of the file."""

    def __init__(self, path: str, margin: float | None = None) -> None:
        super().__init__(network_of(str(path), margin))


class Sensei(LearnedAgent):
    """`sensei`: looks ahead with the shipped network."""

    def __init__(self, margin: float | None = None) -> None:
        super().__init__(network_of(None, margin))

"""Callbacks of Stable-Baselines3 for learners of your own: `MatchCallback` evaluates a network while it learns.

`fujikoro train` evaluates by itself; `train(..., callbacks=[...])` takes further callbacks of any kind.
"""

from collections.abc import Callable, Sequence
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback

from fujikoro_env.settings import Rules
from fujikoro_training.learning.opponents import TorchPolicy
from fujikoro_training.matches import ITSELF, Match, play_match

Report = Callable[[int, list[Match]], None]


class MatchCallback(BaseCallback):
    """Plays matches of the learning network against fixed opponents, at the start and then every so many decisions.

    * `rules`: the game that is played
    * `opponents`: names of agents; in co-op, `"self"` lets the network play all seats
    * `games`: at least so many in each match, on mirrored seeds, always the same ones
    * `every`: decisions (steps of the model) between two evaluations
    * `observation`: kind of observation that the network reads
    * `report`: called with the number of decisions and the results

    `results` has all evaluations so far, as pairs of decisions and matches. The shares of wins are also logged as
    `wins/OPPONENT`. The matches have random numbers of their own, so they don't change what is learned.
    """

    def __init__(
        self,
        rules: Rules,
        opponents: Sequence[str] = ("random",),
        games: int = 100,
        every: int = 100_000,
        seed: int = 12_345,
        observation: str = "compact",
        report: Report = lambda decisions, matches: None,
    ) -> None:
        super().__init__()
        if rules.is_coop and set(opponents) != {ITSELF}:
            raise ValueError(f"opponents {list(opponents)}: in co-op there are none, so allowed is [{ITSELF!r}]")
        self._rules, self._opponents, self._games, self._every = rules, list(opponents), games, every
        self._seed, self._observation, self._report = seed, observation, report
        self._next = 0
        self.results: list[tuple[int, list[Match]]] = []

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        decisions = self.model.num_timesteps  # that of the callback counts calls of on_step
        if decisions >= self._next:
            self._next = (decisions // self._every + 1) * self._every
            self.evaluate()

    def evaluate(self) -> list[Match]:
        """Play the matches now."""
        matches = [self._match(opponent) for opponent in self._opponents]
        for match in matches:
            self.logger.record(f"wins/{match.opponent}", match.share)
        self.results.append((self.model.num_timesteps, matches))
        self._report(self.model.num_timesteps, matches)
        return matches

    def _match(self, opponent: str) -> Match:
        network: Any = self.model.policy
        policy = TorchPolicy(network, self._observation, self._seed)
        return play_match(policy, opponent, self._rules, self._games, self._seed)

"""`OneSeatEnv`: the Gymnasium environment of any game: one learner, and other players that play inside the environment.

A step continues until the learner must decide again or the game is over. Its reward is the sum of all rewards of the
learner since its last decision. `info` has the learner's `"seat"` and the `"action_mask"` (`int8`); `action_masks()`
returns the mask as `bool`, as sb3-contrib's MaskablePPO expects.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from fujikoro_env.kernel.aec import ILLEGAL, TableEnv, one_of
from fujikoro_env.kernel.agents import Agent, AgentRegistry
from fujikoro_env.kernel.commands import NOBODY
from fujikoro_env.kernel.game import SEED_BITS, IllegalActionError, is_whole_number
from fujikoro_env.kernel.text import quoted
from fujikoro_env.kernel.thread_pool import Guard, one_thread

RANDOM_SEAT: Final = "random"
LEARNER: Final = "learner"  # its name in pictures
Step = tuple[Any, float, bool, bool, dict[str, Any]]


class OneSeatEnv(gymnasium.Env[Any, Any]):
    """One learner, and others that play inside the environment.

    * `opponents`: the players of the other seats, opponents or partners: the name of an agent or an `Agent` for all, or
      a list with one for each, in playing order after the learner
    * `seat`: the learner's seat, or "random" to draw one for every episode
    * `illegal`: "terminate" ends the episode at an illegal action with the least possible reward, "raise" raises
    * all other arguments are those of the PettingZoo environment
    """

    table: ClassVar[type[TableEnv]]
    agents: ClassVar[AgentRegistry]
    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        opponents: Any = "random",
        seat: int | str = 0,
        observation: str = "compact",
        reward: str = "win",
        render_mode: str | None = None,
        illegal: str = "terminate",
        **rules: Any,
    ) -> None:
        self.guard = Guard("environment")
        self._table = self.table(render_mode=render_mode, reward=reward, observation=observation, **rules)
        self._players = int(self._table.rules.players)
        self._seat_rule = self._checked_seat(seat)
        given = self._one_for_each_seat(opponents)
        self._opponents: list[Agent] = [self._agent(one) for one in given]
        self._names = [one if isinstance(one, str) else type(one).__name__ for one in given]
        self._illegal = one_of("illegal", illegal, ILLEGAL)
        self._seat = 0
        self.render_mode = render_mode
        self.observation_space = self.table.parts.space(observation)
        self.action_space = Discrete(self.table.parts.batch.game.parts.actions.size)

    @property
    def game(self) -> Any:
        """The current game."""
        return self._table.game

    @property
    def rules(self) -> Any:
        """The rules of every episode."""
        return self._table.rules

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return self._seat

    @one_thread
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal a game and play to the learner's first decision. `options={"seat": 2}` sets the seat for one episode."""
        super().reset(seed=seed)
        self._seat = self._seat_of_episode(options or {})
        self._deal(seed)
        while self._table.terminations[self._me]:  # the game ended before the learner's first decision
            self._deal(None)
        return self._observation(), self._info()

    def _deal(self, seed: int | None) -> None:
        self._table.names = [
            LEARNER if seat == self._seat else self._names[self._opponent_of(seat)] for seat in range(self._players)
        ]
        self._table.reset(seed)
        for seat in range(self._players):
            if seat != self._seat:
                # Not the seed of the game, which would tell them all chance events to come.
                self._agent_of(seat).reset(int(self.np_random.integers(1 << SEED_BITS)), seat)
        self._play_others()

    @one_thread
    def step(self, action: Any) -> Step:
        """Carry out the learner's action and play to its next decision."""
        if self.game.over or self._table.asked == NOBODY:
            raise RuntimeError("the episode is over: call reset() before the next step")
        try:
            self._table.step(action)
            reward = self._table.rewards[self._me] + self._play_others()
        except IllegalActionError as error:
            if self._illegal == "raise" or self._table.agent_selection != self._me:
                raise
            reward = self._table.forfeit(str(error))
        return self._observation(), reward, self._table.terminations[self._me], False, self._info()

    def _play_others(self) -> float:
        """Let the others play until the learner must decide or the game is over. Returns the learner's rewards
        meanwhile."""
        table, reward = self._table, 0.0
        while table.asked not in (self._seat, NOBODY):
            table.step(self._agent_of(table.asked).act(table.game.view(table.asked)))
            reward += table.rewards[self._me]
        return reward

    def action_masks(self) -> NDArray[np.bool_]:
        """Mask of the learner's legal actions, bool; all False when the game is over."""
        return self._table.mask_of(self._seat).view(np.bool_)

    def _observation(self) -> Any:
        return self.game.observe(self._seat, self._table.observation)

    def _info(self) -> dict[str, Any]:
        told = self._table.infos[self._me]
        return {"seat": self._seat, "action_mask": self._table.mask_of(self._seat), **told}

    def render(self) -> Any:
        """Show the game in the chosen `render_mode`."""
        return self._table.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._table.close()

    # seats

    @property
    def _me(self) -> str:
        return self._table.possible_agents[self._seat]

    def _agent_of(self, seat: int) -> Agent:
        return self._opponents[self._opponent_of(seat)]

    def _opponent_of(self, seat: int) -> int:
        """The index of the opponent in a seat. Opponents sit in playing order after the learner."""
        return (seat - self._seat) % self._players - 1

    def _one_for_each_seat(self, given: Any) -> Sequence[Any]:
        others = self._players - 1
        if isinstance(given, str | Agent):
            return [given] * others
        if not isinstance(given, Sequence) or len(given) != others:
            raise ValueError(
                f"opponents={quoted(given)}: give one for all, or one for each of the {others} other seats"
            )
        return given

    def _agent(self, given: object) -> Agent:
        if isinstance(given, str):
            return self.agents.make(given)
        if isinstance(given, Agent):
            return given
        raise ValueError(
            f"opponent {quoted(given)}: allowed are names and agents, with the methods reset, act and explain"
        )

    def _checked_seat(self, seat: Any) -> Any:
        if seat != RANDOM_SEAT and not (is_whole_number(seat) and 0 <= seat < self._players):
            raise ValueError(f"seat={quoted(seat)}: allowed are 0 to {self._players - 1}, {RANDOM_SEAT!r}")
        return seat

    def _seat_of_episode(self, options: dict[str, Any]) -> int:
        if unknown := [name for name in options if name != "seat"]:
            raise ValueError(f"unknown option {quoted(unknown[0])} of reset: allowed is 'seat'")
        seat = self._checked_seat(options.get("seat", self._seat_rule))
        return int(self.np_random.integers(self._players)) if seat == RANDOM_SEAT else int(seat)

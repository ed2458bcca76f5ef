"""`FujiKoro-v0`: the Gymnasium environment, with one learner and opponents that play inside the environment.

```python
import gymnasium
import fujikoro_env  # registers the environment; or use gymnasium.make("fujikoro_env:FujiKoro-v0")

env = gymnasium.make("FujiKoro-v0", players=3, opponents="random", seat="random")
observation, info = env.reset(seed=7)
terminated = truncated = False
while not (terminated or truncated):
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
env.close()
```

The arguments:

* `opponents`: the players of the other seats. Either one for all of them, a name (`"random"`, see
  `fujikoro_env.player`) or an `Agent`, or a list with one for each, in playing order after the learner. In co-op they
  are partners; solo play has none.
* `seat`: the learner's seat. A number (0 by default), or `"random"` to draw one for every episode.
* `observation`: `"compact"`, one vector, or `"tensor"`, a dictionary of arrays. The mask is not part of it.
* `reward`: `"rank"`, `"win"`, `"vp"` or `"shaped"`, see `fujikoro_env.fujikoro_v0`.
* `illegal`: what happens if the learner chooses an illegal action. `"terminate"` ends the episode with the lowest
  possible reward, so that environment checkers, which ignore masks, may try any action. `"raise"` raises an error and
  changes nothing.
* `render_mode`: as in `fujikoro_env.fujikoro_v0`.
* `decisions`: `"primitive"`, or the name of a decision level for the learner, `"plans"` (docs/plans.md). Then the
  observation is a dictionary that also has `"choices"` and `"summary"`; a compact observation is its `"observation"`.
  Opponents decide action by action.
* All other arguments go to `fujikoro_env.Rules`.

An agent given as an object plays every seat that it is given for, and its `reset(seed, seat)` is called for each. An
agent given by name is made once for each seat. Agents see the view of their seat, and an illegal action of an agent
always raises.

A step continues until the learner must decide again or the game is over. Its reward is the sum of all rewards of the
learner since its last decision, including those caused by other players' moves. Nothing is ever truncated.

`reset(seed=7)` deals the game `Game(rules, seed=7)`; later resets without a seed continue the sequence. If a game ends
before the learner's first decision, the next one of the sequence is dealt. `reset(options={"seat": 2})` sets the seat
for one episode.

`info` has the learner's `"seat"` and the `"action_mask"` (`int8`), and after an illegal action `"illegal_action"`.
`action_masks()` returns the mask as `bool`, as sb3-contrib's MaskablePPO expects; a network that ignores the mask will
hardly ever find a legal action. `env.unwrapped.game` is the game.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Dict, Discrete
from numpy.typing import NDArray

from fujikoro_env.envs.levels import PRIMITIVE, level_spaces
from fujikoro_env.fujikoro_v0 import ILLEGAL, NOBODY, one_of, raw_env
from fujikoro_env.game import SEED_BITS, Game, IllegalActionError
from fujikoro_env.kernel.game import is_whole_number
from fujikoro_env.kernel.text import quoted
from fujikoro_env.kernel.thread_pool import Guard, one_thread
from fujikoro_env.observation import observation_space
from fujikoro_env.player import Agent, make_agent
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.settings import Rules

RANDOM_SEAT = "random"
LEARNER = "learner"  # its name in pictures
Opponent = str | Agent
Step = tuple[Any, float, bool, bool, dict[str, Any]]


class FujiKoro(gymnasium.Env[Any, Any]):
    """The Gymnasium environment that `gymnasium.make("FujiKoro-v0", ...)` makes: one learner, and opponents that play
    inside the environment. A step continues to the learner's next decision and returns the sum of its rewards until
    then.

    * `opponents`: the name of an agent or an `Agent` for all other seats, or a list with one for each, in playing order
      after the learner
    * `seat`: the learner's seat, or "random" to draw one for every episode
    * `observation`: "compact", one vector, or "tensor", a dictionary of arrays
    * `reward`: "rank", "win", "vp" or "shaped"; docs/environment.md explains them
    * `render_mode`: None, "ansi", "rgb_array" or "human"
    * `illegal`: "terminate" ends the episode at an illegal action with the least possible reward, "raise" raises
    * `decisions`: "primitive" or the name of a decision level for the learner, "plans"
    * `rules`: all other arguments go to `Rules`
    """

    # Same as the PettingZoo environment, but slow enough to follow in a video.
    metadata = raw_env.metadata | {"render_fps": 4}

    def __init__(
        self,
        opponents: Opponent | Sequence[Opponent] = "random",
        seat: int | str = 0,
        observation: str = "compact",
        reward: str = "rank",
        render_mode: str | None = None,
        illegal: str = "terminate",
        decisions: str = PRIMITIVE,
        **rules: Any,
    ) -> None:
        self.guard = Guard("environment")
        self._table = raw_env(
            render_mode=render_mode, reward=reward, observation=observation, decisions=decisions, **rules
        )
        self._players = self._table.rules.players
        self._seat_rule = self._checked_seat(seat)
        given = self._one_for_each_seat(opponents)
        self._opponents = [_agent(one) for one in given]
        self._names = [one if isinstance(one, str) else type(one).__name__ for one in given]
        self._illegal = one_of("illegal", illegal, ILLEGAL)
        self._seat = 0
        self.render_mode = render_mode
        self.observation_space = observation_space(observation)
        self.action_space = Discrete(ACTIONS)
        if self._table.level_game is not None:
            level = self._table.level_game.level
            self.observation_space = Dict({**_fields(self.observation_space), **level_spaces(level)})
            self.action_space = Discrete(level.choices)

    @property
    def game(self) -> Game:
        """The current game."""
        return self._table.game

    @property
    def rules(self) -> Rules:
        """The rules of every episode."""
        return self._table.rules

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return self._seat

    @one_thread
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal a game and play to the learner's first decision. Returns the observation and info."""
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
        if self._table.level_game is not None:
            self._table.level_game.seats = frozenset((self._seat,))
        self._table.reset(seed)
        for seat in range(self._players):
            if seat != self._seat:
                # Not the seed of the game, which would tell them all chance events to come.
                self._agent_of(seat).reset(int(self.np_random.integers(1 << SEED_BITS)), seat)
        self._play_others()

    @one_thread
    def step(self, action: Any) -> Step:
        """Carry out the learner's action and play to its next decision. Returns Gymnasium's usual five values."""
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
            seat = table.asked
            table.step(self._agent_of(seat).act(table.game.view(seat)))
            reward += table.rewards[self._me]
        return reward

    def action_masks(self) -> NDArray[np.bool_]:
        """Mask of the learner's legal actions or choices, bool; all False when the game is over."""
        return self._table.mask_of(self._seat).view(np.bool_)

    def _observation(self) -> Any:
        seen = self.game.observe(self._seat, self._table.observation)
        level_game = self._table.level_game
        return seen if level_game is None else {**_fields(seen), **level_game.observe(self.game, self._seat)}

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

    def _checked_seat(self, seat: Any) -> Any:
        if seat != RANDOM_SEAT and not (is_whole_number(seat) and 0 <= seat < self._players):
            raise ValueError(f"seat={quoted(seat)}: allowed are 0 to {self._players - 1}, {RANDOM_SEAT!r}")
        return seat

    def _seat_of_episode(self, options: dict[str, Any]) -> int:
        if unknown := [name for name in options if name != "seat"]:
            raise ValueError(f"unknown option {quoted(unknown[0])} of reset: allowed is 'seat'")
        seat = self._checked_seat(options.get("seat", self._seat_rule))
        return int(self.np_random.integers(self._players)) if seat == RANDOM_SEAT else int(seat)


def _fields(observation: Any) -> Any:
    """An observation, or its space, as a dictionary."""
    return observation if isinstance(observation, dict | Dict) else {"observation": observation}


def _agent(given: Any) -> Agent:
    if isinstance(given, str):
        return make_agent(given)
    if isinstance(given, Agent):
        return given
    raise ValueError(f"opponent {quoted(given)}: allowed are names and agents, with the methods reset, act and explain")

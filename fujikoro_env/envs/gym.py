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
from typing import Any, ClassVar

from gymnasium.spaces import Dict, Discrete

from fujikoro_env.envs.levels import PRIMITIVE, level_spaces
from fujikoro_env.fujikoro_v0 import raw_env
from fujikoro_env.kernel.aec import TableEnv
from fujikoro_env.kernel.agents import Agent, AgentRegistry
from fujikoro_env.kernel.one_seat_env import OneSeatEnv
from fujikoro_env.player import AGENTS

Opponent = str | Agent


class FujiKoro(OneSeatEnv):
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

    table: ClassVar[type[TableEnv]] = raw_env
    agents: ClassVar[AgentRegistry] = AGENTS
    # Same as the PettingZoo environment, but slow enough to follow in a video.
    metadata: ClassVar[dict[str, Any]] = raw_env.metadata | {"render_fps": 4}  # type: ignore[misc]
    _table: raw_env

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
        super().__init__(opponents, seat, observation, reward, render_mode, illegal, decisions=decisions, **rules)
        if self._table.level_game is not None:
            level = self._table.level_game.level
            self.observation_space = Dict({**_fields(self.observation_space), **level_spaces(level)})
            self.action_space = Discrete(level.choices)

    def _deal(self, seed: int | None) -> None:
        if self._table.level_game is not None:
            self._table.level_game.seats = frozenset((self._seat,))
        super()._deal(seed)

    def _observation(self) -> Any:
        seen = super()._observation()
        level_game = self._table.level_game
        return seen if level_game is None else {**_fields(seen), **level_game.observe(self.game, self._seat)}


def _fields(observation: Any) -> Any:
    """An observation, or its space, as a dictionary."""
    return observation if isinstance(observation, dict | Dict) else {"observation": observation}

"""`Fuji-v0`: the Gymnasium environment, with one learner and partners that play inside the environment.

```python
import gymnasium
import fuji_env  # registers the environment; or use gymnasium.make("fuji_env:Fuji-v0")

env = gymnasium.make("Fuji-v0", players=3, opponents="random", seat="random")
observation, info = env.reset(seed=7)
terminated = truncated = False
while not (terminated or truncated):
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
env.close()
```

`fujikoro_env.kernel.one_seat_env` explains the arguments, and `fuji_env.fuji_v0` the rewards and observations.
"""

from typing import ClassVar

from fuji_env.fuji_v0 import raw_env
from fuji_env.player import AGENTS
from fujikoro_env.kernel.aec import TableEnv
from fujikoro_env.kernel.agents import AgentRegistry
from fujikoro_env.kernel.one_seat_env import OneSeatEnv


class Fuji(OneSeatEnv):
    """The environment that `gymnasium.make("Fuji-v0", ...)` makes: one learner, and partners that play inside it."""

    table: ClassVar[type[TableEnv]] = raw_env
    agents: ClassVar[AgentRegistry] = AGENTS

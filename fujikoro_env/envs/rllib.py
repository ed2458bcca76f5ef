"""The game as a multi-agent environment of Ray's RLlib.

```python
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from fujikoro_env.envs.rllib import FujiKoroMultiAgentEnv

masked = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [64, 64]})
config = (
    PPOConfig()
    .environment(FujiKoroMultiAgentEnv, env_config={"players": 3, "max_rounds": 3}, disable_env_checking=True)
    .env_runners(num_env_runners=0)
    .training(train_batch_size_per_learner=256, minibatch_size=128, num_epochs=1)
    .multi_agent(policies={"samurai"}, policy_mapping_fn=lambda agent, *_, **__: "samurai")
    .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"samurai": masked}))
)
algorithm = config.build_algo()
results = algorithm.train()
algorithm.stop()
```

One network, `"samurai"`, plays all seats here; map agents to several policies for other line-ups. RLlib is not
installed with the package: `pip install 'fujikoro_env[rllib]'`, which restricts gymnasium to the version that RLlib
requires.

`env_config` takes the arguments of `fujikoro_env.fujikoro_v0.env`, with `observation="compact"` by default.

The game asks one agent at a time, and only this agent gets an observation: `"observations"` and `"action_mask"`, the
names that RLlib's ActionMaskingTorchRLModule expects. With it comes the sum of the agent's rewards since its last
decision, including those caused by other players' moves. All agents end at the same time, with an observation that
allows no action. An agent that was never asked gets none, because it has nothing to learn from.

By default an illegal action is an error, which can't happen with a module that uses the mask. RLlib's check of a new
environment ignores the mask, hence `disable_env_checking=True`; with `illegal="terminate"` the check passes.
"""

from typing import Any

from gymnasium.spaces import Dict

from fujikoro_env.fujikoro_v0 import raw_env
from fujikoro_env.game import Game
from fujikoro_env.kernel.commands import NOBODY

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ModuleNotFoundError as error:
    message = f"fujikoro_env.envs.rllib needs RLlib ({error}): pip install 'fujikoro_env[rllib]'"
    raise ModuleNotFoundError(message, name=error.name) from error

EVERYBODY = "__all__"  # RLlib's key for all agents
ByAgent = dict[str, Any]


class FujiKoroMultiAgentEnv(MultiAgentEnv):
    """RLlib environment in which every seat is an agent. `config` has the arguments of `fujikoro_v0.env`."""

    metadata = raw_env.metadata

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        super().__init__()
        self._table = raw_env(**{"observation": "compact", **(config or {})})
        self._were_asked: set[str] = set()
        self.render_mode = self._table.render_mode
        self.possible_agents = self._table.possible_agents[:]
        self.agents = self.possible_agents[:]
        self.observation_spaces = {agent: self._observation_space(agent) for agent in self.agents}
        self.action_spaces = {agent: self._table.action_space(agent) for agent in self.agents}

    def _observation_space(self, agent: str) -> Dict:
        space: Any = self._table.observation_space(agent)
        return Dict({"observations": space["observation"], "action_mask": space["action_mask"]})

    @property
    def game(self) -> Game:
        """The current game."""
        return self._table.game

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[ByAgent, ByAgent]:
        """Deal a new game. Returns the observation of the agent that is asked."""
        self._table.reset(seed)
        self._were_asked = set()
        seen = self._observe()
        return seen, {agent: {} for agent in seen}

    def step(self, action_dict: ByAgent) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        """Carry out the action of the agent that is asked. Returns RLlib's usual five dictionaries."""
        asked = self._table.agent_selection
        if self._is_over():
            raise RuntimeError("the episode is over: call reset() before the next step")
        if list(action_dict) != [asked]:
            raise ValueError(f"actions of {list(action_dict)}: only {asked} is asked")
        self._table.step(action_dict[asked])
        seen = self._observe()
        over = self._is_over()
        return (
            seen,
            {agent: self._table._cumulative_rewards[agent] for agent in seen},
            {EVERYBODY: over, **dict.fromkeys(seen, over)},
            {EVERYBODY: False, **dict.fromkeys(seen, False)},  # nothing is ever truncated
            {agent: self._table.infos[agent] for agent in seen},
        )

    def _is_over(self) -> bool:
        return self._table.asked == NOBODY

    def _observe(self) -> ByAgent:
        """Observation of the agent that is asked; when the game is over, of all agents that were ever asked."""
        if self._is_over():
            return {agent: self._observation(agent) for agent in self.agents if agent in self._were_asked}
        self._were_asked.add(self._table.agent_selection)
        return {self._table.agent_selection: self._observation(self._table.agent_selection)}

    def _observation(self, agent: str) -> ByAgent:
        seen = self._table.observe(agent)
        return {"observations": seen["observation"], "action_mask": seen["action_mask"]}

    def render(self) -> Any:
        return self._table.render()

    def close(self) -> None:
        self._table.close()

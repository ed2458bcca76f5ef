"""`TableEnv`: the PettingZoo (AEC) environment of any game; a game's `raw_env` only says what it is made of.

An observation is a dictionary with `"observation"` and `"action_mask"`. The mask is an `int8` array with 1 for each
legal action, and all zeros for agents that are not asked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv

from fujikoro_env.kernel.action_table import InvalidActionError
from fujikoro_env.kernel.batch import BatchParts
from fujikoro_env.kernel.commands import NOBODY
from fujikoro_env.kernel.game import SEED_BITS, IllegalActionError, TableGame
from fujikoro_env.kernel.text import quoted
from fujikoro_env.kernel.thread_pool import Guard, one_thread

Observation = dict[str, Any]
T = TypeVar("T")
ILLEGAL: Final = ("raise", "terminate")
RENDER_MODES: Final = ("ansi",)
ONLY_GAME: Final[Any] = np.zeros(1, np.int64)


@dataclass(frozen=True)
class EnvParts:
    """What a game's environments are made of."""

    make_rules: Callable[..., Any]
    make_game: Callable[[Any, int], Any]
    batch: BatchParts  # pays the rewards
    space: Callable[[str], "Space[Any]"]  # by kind of observation
    kinds: tuple[str, ...]
    agent: str  # agents are called `hiker_0`, `hiker_1` and so on


class RewardTracker:
    """Tracks the rewards of one running game. The position at the start pays nothing."""

    def __init__(self, game: TableGame, parts: BatchParts, kind: int) -> None:
        self._kind, self._pay, self._players = int(kind), parts.pay, game.rules.players
        self._worths: Any = np.zeros(1, np.float32)
        self._rewards: Any = np.zeros((1, parts.seats), np.float32)
        parts.appraise(game.records, game.rules.tables, ONLY_GAME, self._kind, self._worths)

    def pay(self, game: TableGame) -> list[float] | None:
        """Rewards by player for what happened since the last call; None if all are zero."""
        if not self._pay(game.records, game.rules.tables, 0, 1, self._kind, self._worths, self._rewards):
            return None
        rewards: list[float] = self._rewards[0, : self._players].tolist()
        return rewards

    def forfeit(self, player: int, least: float) -> list[float]:
        """Rewards by player when one of them ends the game by breaking the rules: its sum of rewards drops to `least`,
        and the others get nothing."""
        rewards = [0.0] * self._players
        rewards[player] = least - float(self._worths[0])
        return rewards


class TableEnv(AECEnv[str, Observation, int | None]):
    """The PettingZoo environment of a game, without wrappers.

    * `render_mode`: None or "ansi", the table as text
    * `reward`: a kind of reward of the game
    * `observation`: a kind of observation of the game
    * `illegal`: "raise" raises at an illegal action, "terminate" ends the game
    * `rules`: all other arguments go to the game's `Rules`
    """

    parts: ClassVar[EnvParts]

    def __init__(
        self,
        render_mode: str | None = None,
        reward: str = "win",
        observation: str = "tensor",
        illegal: str = "raise",
        **rules: Any,
    ) -> None:
        parts = self.parts
        self.guard = Guard("environment")
        self.render_mode = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.observation = one_of("observation", observation, parts.kinds)
        self.illegal = one_of("illegal", illegal, ILLEGAL)
        self.rules = parts.make_rules(**rules)
        self.reward = reward
        self._reward_kind = int(self.rules.reward_kind(reward))
        self.illegal_reward: float = self.rules.facts.reward_bounds[reward][0]
        self.possible_agents = [f"{parts.agent}_{player}" for player in range(self.rules.players)]
        actions = parts.batch.game.parts.actions.size
        mask = Box(0, 1, (actions,), np.int8)
        spaces = {
            agent: Dict({"observation": parts.space(observation), "action_mask": mask})
            for agent in self.possible_agents
        }
        self.observation_spaces: dict[str, Space[Any]] = {**spaces}
        self.action_spaces: dict[str, Space[Any]] = {agent: Discrete(actions) for agent in self.possible_agents}
        self.state_space = parts.space("compact")
        self._players = {agent: player for player, agent in enumerate(self.possible_agents)}
        self._seeds = np.random.default_rng()
        self._game: Any = None

    @property
    def game(self) -> Any:
        """The current game."""
        if self._game is None:
            raise AttributeError("there is no game yet: call reset() first")
        return self._game

    def observation_space(self, agent: str) -> Space[Any]:
        """The observation space of an agent; all agents have the same."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The action space of an agent; all agents have the same."""
        return self.action_spaces[agent]

    @one_thread
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game. Without a seed, the sequence of games continues."""
        game_seed = int(self._seeds.integers(1 << SEED_BITS)) if seed is None else seed
        self._game = self.parts.make_game(self.rules, game_seed)
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self._tracker = RewardTracker(self._game, self.parts.batch, self._reward_kind)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.asked: int = self._game.actor
        self.agent_selection = self.possible_agents[self.asked]

    @one_thread
    def observe(self, agent: str) -> Observation:
        """Observation of an agent, with its action mask."""
        player = self._players[agent]
        return {"observation": self.game.observe(player, self.observation), "action_mask": self.mask_of(player)}

    def mask_of(self, player: int) -> NDArray[np.int8]:
        """Mask of a player's legal actions, int8; all zeros if the player is not asked."""
        mask: NDArray[np.int8] = self.game.legal_mask(np.int8)
        return mask if player == self.asked else np.zeros_like(mask)

    def state(self) -> NDArray[Any]:
        """The global state as one vector, for centralised critics."""
        state: NDArray[Any] = self.game.global_state()
        return state

    @one_thread
    def step(self, action: int | None) -> None:
        """Carry out the action of the agent that is asked, and advance to the next decision."""
        game, agent = self.game, self.agent_selection
        if self.asked == NOBODY:
            self._step_of_the_dead(action)
            return
        try:
            game.step(action)
        except IllegalActionError as error:
            if self.illegal == "raise":
                raise
            self.forfeit(str(error))
            return
        self._cumulative_rewards[agent] = 0.0
        self.asked = game.actor
        self._pay(self._tracker.pay(game) or [0.0] * self.rules.players)
        if self.asked == NOBODY:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.asked]

    def _step_of_the_dead(self, action: int | None) -> None:
        if not self.agents:
            raise RuntimeError("the game is over, and all agents have left: call reset() before the next step")
        if action is not None:
            raise InvalidActionError(f"action {quoted(action)}: the game is over, so the only allowed action is None")
        self._was_dead_step(action)

    def _pay(self, rewards: list[float]) -> None:
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._accumulate_rewards()

    def forfeit(self, what: str) -> float:
        """End the game because the acting agent did something illegal, as PettingZoo's TerminateIllegalWrapper does.
        Returns the agent's reward."""
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self._pay(self._tracker.forfeit(self._players[agent], self.illegal_reward))
        self.asked = NOBODY
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.infos = {each: {"illegal_action": what, "offender": agent} for each in self.agents}
        self._deads_step_first()
        return self.rewards[agent]

    def render(self) -> str | None:
        """Show the game in the chosen `render_mode`."""
        if self.render_mode is None:
            gymnasium.logger.warn('render() shows nothing without a mode: make the environment with render_mode="ansi"')
            return None
        return str(self.game)

    def close(self) -> None:
        """There is nothing to close."""


def one_of(name: str, value: T, allowed: tuple[T, ...]) -> T:
    """Return the value if it is allowed, else raise a ValueError that lists what is."""
    if value not in allowed:
        raise ValueError(f"{name}={quoted(value)}: allowed are {', '.join(map(repr, allowed))}")
    return value

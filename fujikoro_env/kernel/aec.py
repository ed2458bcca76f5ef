"""`TableEnv`: the PettingZoo (AEC) environment of any game; a game's `raw_env` only says what it is made of.

An observation is a dictionary with `"observation"` and `"action_mask"`. The mask is an `int8` array with 1 for each
legal action, and all zeros for agents that are not asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol, TypeVar

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv

from fujikoro_env.kernel.action_table import InvalidActionError
from fujikoro_env.kernel.batch import BatchParts
from fujikoro_env.kernel.commands import NOBODY
from fujikoro_env.kernel.game import SEED_BITS, IllegalActionError
from fujikoro_env.kernel.text import quoted
from fujikoro_env.kernel.thread_pool import Guard, one_thread

Observation = dict[str, Any]
T = TypeVar("T")
Action = Any  # number of an action; None for an agent that has terminated
ILLEGAL: Final = ("raise", "terminate")
RENDER_MODES: Final = ("ansi",)


class Renderer(Protocol):
    """Shows games in one render mode."""

    def begin(self, game: Any, names: Sequence[str]) -> None:
        """Start with a new game. `names`: the agents' names by seat."""

    def note(self, action: int, game: Any) -> None:
        """Note the action that was just carried out, and the game after it."""

    def show(self, game: Any) -> Any:
        """Render the game."""

    def close(self) -> None:
        """Close the window, if there is one."""


class TextRenderer:
    """Shows the table as text."""

    def __init__(self, mode: str | None) -> None:
        self.mode = mode

    def begin(self, game: Any, names: Sequence[str]) -> None:
        """Start with a new game."""

    def note(self, action: int, game: Any) -> None:
        """Nothing to note: text shows positions."""

    def show(self, game: Any) -> str:
        """Return the table as text."""
        return str(game)

    def close(self) -> None:
        """There is nothing to close."""


@dataclass(frozen=True)
class EnvParts:
    """What a game's environments are made of."""

    make_rules: Callable[..., Any]
    make_game: Callable[[Any, int], Any]
    batch: BatchParts  # pays the rewards
    space: Callable[[str], "Space[Any]"]  # by kind of observation
    kinds: tuple[str, ...]
    agent: str  # agents are called `hiker_0`, `hiker_1` and so on
    state_space: Callable[[], "Space[Any]"]
    renderer: Callable[[str | None], Renderer] = TextRenderer
    render_modes: tuple[str, ...] = RENDER_MODES


class TableEnv(AECEnv[str, Observation, Action]):
    """The PettingZoo environment of a game, without wrappers.

    * `render_mode`: None or a render mode of the game; "ansi" is the table as text
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
        self.render_mode = one_of("render_mode", render_mode, (None, *parts.render_modes))
        self._renderer = parts.renderer(self.render_mode)
        self.names: Sequence[str] = ()  # of the agents, seat by seat, for pictures
        self.observation = one_of("observation", observation, parts.kinds)
        self.illegal = one_of("illegal", illegal, ILLEGAL)
        self.rules = parts.make_rules(**rules)
        self.reward = reward
        self._reward_kind = int(self.rules.reward_kind(reward))
        self.illegal_reward: float = self.rules.facts.reward_bounds[reward][0]
        self.possible_agents = [f"{parts.agent}_{player}" for player in range(self.rules.players)]
        self.observation_spaces: dict[str, Space[Any]] = {agent: self._space() for agent in self.possible_agents}
        self.action_spaces: dict[str, Space[Any]] = {agent: Discrete(self._choices) for agent in self.possible_agents}
        self.state_space = parts.state_space()
        self._players = {agent: player for player, agent in enumerate(self.possible_agents)}
        self._seeds = np.random.default_rng()
        self._game: Any = None

    @property
    def _choices(self) -> int:
        """Number of actions."""
        return self.parts.batch.game.parts.actions.size

    def _space(self) -> Dict:
        """Make the observation space of an agent."""
        mask = Box(0, 1, (self._choices,), np.int8)
        return Dict({"observation": self.parts.space(self.observation), "action_mask": mask})

    @property
    def game(self) -> Any:
        """The current game."""
        self._check_begun()
        return self._game

    def _check_begun(self) -> None:
        if self._game is None:
            raise AttributeError("there is no game yet: call reset() first")

    def observation_space(self, agent: str) -> Space[Any]:
        """The observation space of an agent; all agents have the same."""
        self._player(agent)
        return self.observation_spaces[agent]

    def _player(self, agent: str) -> int:
        """Seat of an agent."""
        if agent not in self._players:
            raise ValueError(f"agent {quoted(agent)}: allowed are {', '.join(self.possible_agents)}")
        return self._players[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The action space of an agent; all agents have the same."""
        self._player(agent)
        return self.action_spaces[agent]

    @one_thread
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game. Without a seed, the sequence of games continues."""
        game_seed = int(self._seeds.integers(1 << SEED_BITS)) if seed is None else seed
        self._game = self.parts.make_game(self.rules, game_seed)
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self._tracker = self.parts.batch.tracker(self._game, self._reward_kind)
        self._renderer.begin(self._game, self.names)
        self._begin(game_seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._is_paid = False  # whether `rewards` holds anything but zeros
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.asked: int = self._game.actor
        self.agent_selection = self.possible_agents[self.asked]

    def _begin(self, seed: int) -> None:
        """Called when a game has been dealt from a seed."""

    @one_thread
    def observe(self, agent: str) -> Observation:
        """Observation of an agent, with its action mask."""
        player = self._player(agent)
        return {"observation": self.game.observe(player, self.observation), "action_mask": self.mask_of(player)}

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward, termination, truncation and info of the agent that is asked."""
        self._check_begun()
        return super().last(observe)

    def mask_of(self, player: int) -> NDArray[np.int8]:
        """Mask of a player's legal actions, int8; all zeros if the player is not asked."""
        mask: NDArray[np.int8] = self.game.legal_mask(np.int8)
        return mask if player == self.asked else np.zeros_like(mask)

    def state(self) -> NDArray[Any]:
        """The global state as one vector, for centralised critics."""
        state: NDArray[Any] = self.game.global_state()
        return state

    @one_thread
    def step(self, action: Action) -> None:
        """Carry out the action of the agent that is asked, and advance to the next decision."""
        game, agent = self.game, self.agent_selection
        if self.asked == NOBODY:
            self._step_of_the_dead(action)
            return
        try:
            self._carry_out(game, action)
        except IllegalActionError as error:
            if self.illegal == "raise":
                raise
            self.forfeit(str(error))
            return
        self._cumulative_rewards[agent] = 0.0
        self.asked = game.actor
        if self.asked == NOBODY or self._tracker.pays_on_the_way:
            self._pay(self._tracker.pay(game))
        if self.asked == NOBODY:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.asked]

    def _carry_out(self, game: Any, action: Action) -> None:
        game.step(action)
        if self.render_mode is not None:
            self._renderer.note(action, game)

    def _noted(self, action: int, game: Any) -> None:
        """Show an action that was carried out."""
        if self.render_mode is not None:
            self._renderer.note(action, game)

    def _step_of_the_dead(self, action: Action) -> None:
        if not self.agents:
            raise RuntimeError("the game is over, and all agents have left: call reset() before the next step")
        if action is not None:
            raise InvalidActionError(f"action {quoted(action)}: the game is over, so the only allowed action is None")
        self._was_dead_step(action)

    def _pay(self, rewards: list[float] | None) -> None:
        """Store and accumulate the rewards of a step. Most steps pay nothing, and then nothing is written."""
        if rewards is not None:
            self.rewards = dict(zip(self.agents, rewards, strict=True))
            self._accumulate_rewards()
        elif self._is_paid:
            self.rewards = dict.fromkeys(self.agents, 0.0)
        self._is_paid = rewards is not None

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

    def render(self) -> Any:
        """Show the game in the chosen `render_mode`."""
        if self.render_mode is None:
            gymnasium.logger.warn('render() shows nothing without a mode: make the environment with render_mode="ansi"')
            return None
        return self._renderer.show(self.game)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()


def one_of(name: str, value: T, allowed: tuple[T, ...]) -> T:
    """Return the value if it is allowed, else raise a ValueError that lists what is."""
    if value not in allowed:
        raise ValueError(f"{name}={quoted(value)}: allowed are {', '.join(map(repr, allowed))}")
    return value

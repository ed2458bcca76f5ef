"""`FujiKoro-v0`: the Gymnasium environment, one learner among opponents that play inside.

```python
import gymnasium
import fujikoro_env  # knows the name; or say gymnasium.make("fujikoro_env:FujiKoro-v0")

env = gymnasium.make("FujiKoro-v0", players=3, opponents="random", seat="random")
observation, info = env.reset(seed=7)
terminated = truncated = False
while not (terminated or truncated):
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
env.close()
```

The arguments:

* `opponents`: who plays the other seats. A name (`"random"`, see `fujikoro_env.player`) or an `Agent`, for all of them,
  or a list with one for each, in playing order after the learner. In co-op they are partners; solo play has none.
* `seat`: the learner's. A number (0 unless set), or `"random"`: drawn for every episode.
* `observation`: `"compact"`, one vector, or `"tensor"`, a dictionary of arrays. The mask is not in it.
* `reward`: `"rank"`, `"win"`, `"vp"` or `"shaped"`, see `fujikoro_env.fujikoro_v0`.
* `illegal`: what an illegal action of the learner does. `"terminate"` ends the episode with the least that the kind of
  reward can give; so checkers, which know of no mask, may try any action. `"raise"` is an error that changes nothing.
* `render_mode`: as of `fujikoro_env.fujikoro_v0`.
* All else goes to `fujikoro_env.Rules`.

An agent that is given as an object plays every seat that it is given for, and `reset(seed, seat)` is called for each;
of a name each seat gets its own. Agents see the view of their seat, and an illegal action of theirs always raises.

A step goes on until the learner is asked again or the game is over. Its reward is all that the learner was paid since
its decision, by the moves of others too. Nothing is ever truncated.

`reset(seed=7)` deals the game `Game(rules, seed=7)`, and those that follow without a seed follow from it. Should a game
end before the learner is asked anything, the next of the row is dealt. `reset(options={"seat": 2})` sets the seat for
one episode.

`info` has the learner's `"seat"` and the `"action_mask"` (`int8`), and after an illegal action `"illegal_action"`.
`action_masks()` gives the mask as `bool`, which is what sb3-contrib's MaskablePPO asks for; a network that does not use
the mask will hardly ever find a legal action. `env.unwrapped.game` is the game.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from fujikoro_env.fujikoro_v0 import ILLEGAL, NOBODY, one_of, raw_env
from fujikoro_env.game import SEED_BITS, Game, IllegalActionError
from fujikoro_env.observation import observation_space
from fujikoro_env.player import Agent, make_agent
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.settings import Rules, is_whole_number

RANDOM_SEAT = "random"
LEARNER = "learner"  # its name in pictures
Opponent = str | Agent
Step = tuple[Any, float, bool, bool, dict[str, Any]]


class FujiKoro(gymnasium.Env[Any, Any]):
    """The Gymnasium environment, as `gymnasium.make("FujiKoro-v0", ...)` makes it: one learner, and opponents that play
    inside. A step goes on to the learner's next decision, and pays all that it got until then.

    * `opponents`: the name of an agent or an `Agent` for all other seats, or a list with one for each, in playing order
      after the learner
    * `seat`: the learner's seat, or "random" to draw one for every episode
    * `observation`: "compact", one vector, or "tensor", a dictionary of arrays
    * `reward`: "rank", "win", "vp" or "shaped"; docs/environment.md explains them
    * `render_mode`: None, "ansi", "rgb_array" or "human"
    * `illegal`: "terminate" ends the episode at an illegal action with the least possible reward, "raise" raises
    * `rules`: all other arguments go to `Rules`
    """

    # As of the table, and slow enough to be followed in a video.
    metadata = raw_env.metadata | {"render_fps": 4}

    def __init__(
        self,
        opponents: Opponent | Sequence[Opponent] = "random",
        seat: int | str = 0,
        observation: str = "compact",
        reward: str = "rank",
        render_mode: str | None = None,
        illegal: str = "terminate",
        **rules: Any,
    ) -> None:
        self._table = raw_env(render_mode=render_mode, reward=reward, observation=observation, **rules)
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

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._table.game

    @property
    def rules(self) -> Rules:
        """The rules of every episode."""
        return self._table.rules

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return self._seat

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._seat = self._seat_of_episode(options or {})
        self._deal(seed)
        while self._table.terminations[self._me]:  # over before the learner was asked
            self._deal(None)
        return self._observation(), self._info()

    def _deal(self, seed: int | None) -> None:
        self._table.names = [
            LEARNER if seat == self._seat else self._names[self._opponent_of(seat)] for seat in range(self._players)
        ]
        self._table.reset(seed)
        for seat in range(self._players):
            if seat != self._seat:
                # Not the seed of the game, which would tell them the future.
                self._agent_of(seat).reset(int(self.np_random.integers(1 << SEED_BITS)), seat)
        self._play_others()

    def step(self, action: Any) -> Step:
        if self._table.terminations[self._me]:
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
        """Until the learner is asked, or the game is over: what it is paid meanwhile."""
        table, reward = self._table, 0.0
        while table.asked not in (self._seat, NOBODY):
            seat = table.asked
            table.step(self._agent_of(seat).act(table.game.view(seat)))
            reward += table.rewards[self._me]
        return reward

    def action_masks(self) -> NDArray[np.bool_]:
        """Legal actions of the learner, (ACTIONS,) bool; none when the game is over."""
        return self._table.mask_of(self._seat).view(np.bool_)

    def _observation(self) -> Any:
        return self.game.observe(self._seat, self._table.observation)

    def _info(self) -> dict[str, Any]:
        told = self._table.infos[self._me]
        return {"seat": self._seat, "action_mask": self._table.mask_of(self._seat), **told}

    def render(self) -> Any:
        return self._table.render()

    def close(self) -> None:
        self._table.close()

    # who sits where

    @property
    def _me(self) -> str:
        return self._table.possible_agents[self._seat]

    def _agent_of(self, seat: int) -> Agent:
        return self._opponents[self._opponent_of(seat)]

    def _opponent_of(self, seat: int) -> int:
        """Opponents sit in playing order after the learner."""
        return (seat - self._seat) % self._players - 1

    def _one_for_each_seat(self, given: Any) -> Sequence[Any]:
        others = self._players - 1
        if isinstance(given, str | Agent):
            return [given] * others
        if not isinstance(given, Sequence) or len(given) != others:
            raise ValueError(
                f"opponents={given!r}: allowed is one for all, or one for each of the {others} other seats"
            )
        return given

    def _checked_seat(self, seat: Any) -> Any:
        if seat != RANDOM_SEAT and not (is_whole_number(seat) and 0 <= seat < self._players):
            raise ValueError(f"seat={seat!r}: allowed are 0 to {self._players - 1}, {RANDOM_SEAT!r}")
        return seat

    def _seat_of_episode(self, options: dict[str, Any]) -> int:
        if unknown := [name for name in options if name != "seat"]:
            raise ValueError(f"unknown option {unknown[0]!r} of reset: there is 'seat'")
        seat = self._checked_seat(options.get("seat", self._seat_rule))
        return int(self.np_random.integers(self._players)) if seat == RANDOM_SEAT else int(seat)


def _agent(given: Any) -> Agent:
    if isinstance(given, str):
        return make_agent(given)
    if isinstance(given, Agent):
        return given
    raise ValueError(f"opponent {given!r}: allowed are names and agents, with the methods reset, act and explain")

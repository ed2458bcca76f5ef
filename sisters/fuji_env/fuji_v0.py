"""# Fuji

Two to four hikers flee from a volcano. They roll hidden dice, talk vaguely about them, plan where to go, and all win if
every figure reaches a village before the lava does. This is the PettingZoo (AEC) environment of the game;
`fuji_env.Game` is the game itself.

```python
from fuji_env import fuji_v0

env = fuji_v0.env(players=3, render_mode="ansi")
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        action = None
    else:
        action = env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
print(env.render(), env.game.outcome)
env.close()
```

| fact | value |
| --- | --- |
| Import | `from fuji_env import fuji_v0` |
| Agents | 2 to 4, named `hiker_0` to `hiker_3`; default 4 |
| Actions | `Discrete(153)`, with a mask |
| Observations | a dictionary of arrays (`uint8` and `int16`) or one `float32` vector, with the mask |
| State | `env.state()`, one vector with all dice open |
| Rewards | the same for all agents, with a sum from -1 to 1 |
| Parallel API | no: one agent acts at a time |
| Render modes | `None`, `"ansi"` (the table as text) |

## Arguments

`env(render_mode=None, reward="win", observation="tensor", illegal="raise", **rules)`. All other keyword arguments are
passed to `fuji_env.Rules`: `players`, `variant`, `scenario`, `level`, `skills`, `content`, `ask_forced`, and the
options `talk` and `late_eruption`. An unknown name or value raises an error with a one-line message.

`reset(seed=7)` deals the game `Game(rules, seed=7)`. A `reset()` without a seed deals the next game of a sequence that
is determined by the last seed, or is random if no seed was ever given.

## Observations, actions and questions

docs/fuji/environment.md lists every column, action and question. An agent sees everything but the dice of the others
before the move phase. In variant B of the game for two, each agent has two figures; seat 0 of an observation is the
figure that the question is about.

## Rewards

| `reward` | reward of a step | sum over an episode |
| --- | --- | --- |
| `"win"` | 0 until the game ends | 1 if it is won, -1 if it is lost |
| `"score"` | 0 until the game ends | score / (4 for each figure), clipped to 0 to 1; -1 if it is lost |
| `"shaped"` | how far the figures have come, plus the end | same as `"win"` |

While a game is running, the potential of `"shaped"` is half of the part of the way to the nearest village that the
figures have behind them. It is 0 at the start and when the game is over, so the potentials cancel out over an episode.

## Illegal actions

With `illegal="raise"`, an illegal action raises `IllegalActionError`, which names the legal actions, and the game does
not change. With `illegal="terminate"` it ends the game for all agents; the offender's rewards sum to -1, and the others
get nothing more.

## Speed

`fujikoro bench --game fuji` measures random legal play in batches, with Fuji Koro's batches in the same run. On a quiet
machine with two cores, a batch with masks makes 4.9 million decisions per second on one core, 2.2 times as many as Fuji
Koro's; with compact observations it makes 1.17 million, 1.07 times as many (three runs: 1.06 to 1.08).

## Version history

* v0: not released yet, and may change at any time
"""

from functools import partial
from typing import Any, ClassVar, Final, cast

from pettingzoo.utils import wrappers

from fuji_env.envs.batch import PARTS as BATCH_PARTS
from fuji_env.game import Game
from fuji_env.observation import OBSERVATIONS, observation_space
from fuji_env.settings import Rules
from fujikoro_env.kernel.aec import RENDER_MODES, EnvParts, TableEnv

PARTS: Final = EnvParts(
    make_rules=Rules,
    make_game=Game,
    batch=BATCH_PARTS,
    space=observation_space,
    kinds=OBSERVATIONS,
    agent="hiker",
    state_space=partial(observation_space, "compact"),
)


def env(**kwargs: Any) -> "raw_env":
    """Make the environment, with PettingZoo's checks of call order; the arguments are those of `raw_env`."""
    checked = wrappers.OrderEnforcingWrapper(raw_env(**kwargs))
    return cast(raw_env, checked)  # the wrapper passes on every public attribute, including `game`


class raw_env(TableEnv):  # noqa: N801  the name that PettingZoo expects
    """The PettingZoo environment without wrappers. Agents are called `hiker_0`, `hiker_1` and so on.

    * `render_mode`: None or "ansi", the table as text
    * `reward`: "win", "score" or "shaped"
    * `observation`: "tensor", a dictionary of arrays, or "compact", one vector
    * `illegal`: "raise" raises at an illegal action, "terminate" ends the game
    * all other arguments go to `Rules`
    """

    parts: ClassVar[EnvParts] = PARTS
    # PettingZoo declares `metadata` as an instance attribute, so it can't be the ClassVar that the linter asks for.
    metadata = {  # noqa: RUF012
        "name": "fuji_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
    }

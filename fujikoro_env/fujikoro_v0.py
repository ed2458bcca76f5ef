"""# Fuji Koro

Two to six samurai climb into a volcano, uncover it tile by tile, gather what they find, forge their gear, and race for
victory points. This is the PettingZoo (AEC) environment of the game; `fujikoro_env.Game` is the game itself.

```python
from fujikoro_env import fujikoro_v0

env = fujikoro_v0.env(players=4, render_mode="ansi")
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
| Import | `from fujikoro_env import fujikoro_v0` |
| Agents | 2 to 6, in co-op 1 to 6, `samurai_0` to `samurai_5`; 4 unless said otherwise, 1 in solo play |
| Actions | `Discrete(713)`, with a mask |
| Observations | a dictionary of `int16` arrays, and the mask |
| Rewards | -1 to 1, at the end of the game; zero-sum, but in co-op the same for all |
| Parallel API | no: one agent acts at a time |
| Manual control | no |
| Render modes | `None`, `"ansi"` (the table as text), `"rgb_array"` (a picture, 800 x 1280 x 3), `"human"` (a window) |

## Arguments

`env(render_mode=None, reward="rank", **rules)`: what else is given goes to `fujikoro_env.Rules`, which says in one line
what it does not know or allow: `players`, `mode`, `adventure_tokens`, `peaceful`, `content`, `final_at`, `max_rounds`,
`ask_forced`, and the options of the rules by their names.

`reset(seed=7)` deals the game `Game(rules, seed=7)`. A `reset()` without a seed deals the next of a row of games that
follows from the last seed, or from chance if none was given. `options` are not read.

`env.game` is the game: its names, scores and outcome are there, and `env.game.action_name(action)` reads an action.
`copy.deepcopy` and `pickle` keep the game that is being played.

`raw_env` is the same without PettingZoo's checks on order and bounds.

The picture and the window show the whole table and what happened last; they need the extra
`fujikoro_env[render]`, and the window a display. `"human"` draws by itself after `reset` and `step`.

## Whose turn it is

The game always asks one agent one question, and `env.agent_selection` is who is asked. A turn is made of many
questions, so the same agent may act several times in a row, and another may be asked in between. A question with only
one answer is not asked, unless `ask_forced=True`.

## Observation space

A dictionary with `"observation"` and `"action_mask"`. The observation is a dictionary of arrays, of the same sizes for
every player count. Seats are relative: the observer is seat 0, and the others follow in playing order. 0 is nothing,
none or unknown, and nothing is below 0. What a player can't see is not in its observation. Every column is listed in
docs/environment.md; `fujikoro_env.observation.columns("players")["vp"]` finds it in an array.

| field | shape | what it tells |
| --- | --- | --- |
| `map` | (220, 15) | by space, in the order of the action `step` |
| `tiles` | (31, 5) | by place, in the order of the action `place` |
| `players` | (6, 74) | by seat |
| `gear` | (6, 67) | by seat, then by cell in the order of the action `cell` |
| `cards` | (36, 2) | by slot: gear cards in the order of the action `card`, then blueprints in that of `blueprint` |
| `stacks` | (3, 8) | by level of the tiles |
| `table` | (40,) | what else lies on the table |
| `turn` | (37,) | whose turn it is, and what is asked |

It is a first, small observation: identities are numbers of the content pack, and what is printed on cards and tokens
is not spelled out.

### Action mask

`action_mask` is an `int8` array with a number for each action: 1 if it is legal, else 0. It is all zeros for every
agent but the one that is asked, and for all when the game is over. A step with an action that is not legal raises
`IllegalActionError`, which names what is legal, and changes nothing.

## Action space

An action is a number: the first number of its block, and an index into the block's arguments, of which the table names
the first. docs/actions.md says more of them, and lists the questions. A player in an action goes by the number in its
agent's name, not by seat.

| action | first | size | what it does |
| --- | --- | --- | --- |
| `yes` | 0 | 1 | agree |
| `no` | 1 | 1 | decline |
| `done` | 2 | 1 | that is all; stop here |
| `move` | 3 | 1 | the action: go some steps (MOVE-1) |
| `explore` | 4 | 1 | the action: lay a tile on a place beside the samurai (EXPL-1) |
| `gather` | 5 | 1 | the action: take what lies on the samurai's space (GATH-1) |
| `rest` | 6 | 1 | the action: take the discs back, and craft (REST-1) |
| `main` | 7 | 1 | the main half of an action with a gear card (GEAR-3) |
| `bonus` | 8 | 1 | the bonus half of an action with a gear card (GEAR-3) |
| `step(start)` | 9 | 220 | go to, or name, a space |
| `place(ring1.0)` | 229 | 31 | name the place of a tile |
| `turn(0)` | 260 | 6 | turn a tile by so many sixths |
| `lay(wood, helmet[0,0])` | 266 | 201 | lay a cube from the hand on a cell |
| `cell(helmet[0,0])` | 467 | 67 | give up, or take off, the cube on a cell |
| `magic(helmet)` | 534 | 3 | give up the magic cube of a gear |
| `craft(helmet)` | 537 | 3 | craft this gear |
| `add` | 540 | 1 | craft by adding to what lies there |
| `rebuild` | 541 | 1 | craft anew: lift all cubes first |
| `build(helmet card 0)` | 542 | 36 | lay the pattern of a card |
| `card(helmet card 0)` | 578 | 18 | name a gear card in play |
| `blueprint(helmet blueprint 0)` | 596 | 18 | name a blueprint in play |
| `scroll(open 0)` | 614 | 4 | name an open scroll card, or the top of the deck |
| `slot(1)` | 618 | 2 | name a scroll slot |
| `monk(pool)` | 620 | 5 | name a monk spot, or the pack |
| `take(wood)` | 625 | 4 | take a resource, or all that is offered |
| `throw(wood)` | 629 | 3 | throw a pack resource away to make room (PACK-2) |
| `find(resources)` | 632 | 7 | what to gather |
| `number(0)` | 639 | 17 | how many |
| `player(0 seats on)` | 656 | 6 | name a player, counted from who is asked |
| `stack(1)` | 662 | 3 | look at the top tile of a stack |
| `weapon(left)` | 665 | 3 | fight with this weapon, or lay the magic there |
| `score` | 668 | 1 | the weapon card gives 1 VP each time (GEAR-5) |
| `look` | 669 | 1 | the weapon card gives a look at a stack each time (GEAR-5) |
| `roll` | 670 | 1 | roll all dice of the weapon |
| `retreat` | 671 | 1 | leave the fight; in a duel, give up |
| `use(ember_path)` | 672 | 30 | use a power |
| `claim(helmet)` | 702 | 5 | claim a shogun bonus |
| `item(wood)` | 707 | 6 | name a pack item |

## Rewards

`reward="rank"`: everybody gets 0 until the game ends. Then, with n players, an agent of rank r that shares its rank
with t - 1 others gets

    (n + 2 - 2r - t) / (n - 1)

So the ranks are evenly spread from 1 for the first to -1 for the last, those who tie share the mean of the ranks that
they take up, and the rewards of all agents add up to 0. `Game.outcome.ranking` has the ranks.

In co-op and solo play all agents get the same: 1 if the game is won, -1 if it is lost (COOP-1).

## Termination

All agents terminate together, when the game ends: with the last space of the countdown, or after the round `max_rounds`
(80 unless set). Both are rules of the game and not truncations; nothing is ever truncated. A co-op game ends when all
have left the volcano, when a samurai has no life left, or with its last round.

## Version history

* v0: first version
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from fujikoro_env.game import SEED_BITS, Game, Outcome
from fujikoro_env.observation import observation_space
from fujikoro_env.render.modes import PICTURES_A_SECOND, RENDER_MODES, Renderer
from fujikoro_env.render.raster import Pixels
from fujikoro_env.rules.actions import ACTIONS
from fujikoro_env.settings import Rules

T = TypeVar("T")
Action = Any  # a number, or None of an agent that has terminated
Observation = dict[str, Any]  # "observation": dictionary of arrays, "action_mask": array


def env(**kwargs: Any) -> "raw_env":
    """The environment with PettingZoo's checks: calls come in order, and actions lie in the action space."""
    bounded = wrappers.AssertOutOfBoundsWrapper(raw_env(**kwargs))
    checked = wrappers.OrderEnforcingWrapper(bounded)
    return cast(raw_env, checked)  # it passes on every public attribute, `game` too


COMMON_REWARDS = {"won": 1.0, "lost": -1.0}


def rank_rewards(outcome: Outcome) -> list[float]:
    """By player: from 1 for the first to -1 for the last, evenly; those who tie share the mean of their ranks. In co-op
    all get 1 for a game that is won, -1 for one that is lost."""
    ranks, players = outcome.ranking, len(outcome.ranking)
    if outcome.reason in COMMON_REWARDS:
        return [COMMON_REWARDS[outcome.reason]] * players
    return [(players + 2 - 2 * rank - ranks.count(rank)) / (players - 1) for rank in ranks]


REWARDS: dict[str, Callable[[Outcome], list[float]]] = {"rank": rank_rewards}


class raw_env(AECEnv[str, Observation, Action]):  # noqa: N801  the name that PettingZoo gives it
    # PettingZoo declares it as an attribute of instances, so it can't be the ClassVar that the linter asks for.
    metadata = {  # noqa: RUF012
        "name": "fujikoro_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": PICTURES_A_SECOND,
        "is_parallelizable": False,
    }

    def __init__(self, render_mode: str | None = None, reward: str = "rank", **rules: Any) -> None:
        self.render_mode = _one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self._renderer = Renderer(self.render_mode)
        self.reward = _one_of("reward", reward, tuple(REWARDS))
        self.rules = Rules(**rules)
        self.possible_agents = [f"samurai_{player}" for player in range(self.rules.players)]
        self.observation_spaces = {agent: _agent_space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(ACTIONS) for agent in self.possible_agents}
        self._seeds = np.random.default_rng()
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        if self._game is None:
            raise AttributeError("there is no game yet: call reset() first")
        return self._game

    def observation_space(self, agent: str) -> Space[Observation]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Action]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._game = Game(self.rules, self._next_seed() if seed is None else seed)
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.game.actor]
        self._renderer.begin(self.game)

    def _next_seed(self) -> int:
        return int(self._seeds.integers(1 << SEED_BITS))

    def observe(self, agent: str) -> Observation:
        player = self.possible_agents.index(agent)
        return {"observation": self.game.observe(player), "action_mask": self._mask_of(player)}

    def _mask_of(self, player: int) -> NDArray[np.int8]:
        if player != self.game.actor:
            return np.zeros(ACTIONS, np.int8)
        return self.game.legal_mask().view(np.int8)

    def step(self, action: Action) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.game.step(action)
        if self.game.outcome is None:
            self.agent_selection = self.possible_agents[self.game.actor]
        else:
            self._end(self.game.outcome)
        self._renderer.note(action, self.game)

    def _end(self, outcome: Outcome) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = dict(zip(self.agents, REWARDS[self.reward](outcome), strict=True))
        self._accumulate_rewards()

    def render(self) -> str | Pixels | None:
        if self.render_mode is None:
            gymnasium.logger.warn('render() shows nothing without a mode: make the environment with render_mode="ansi"')
            return None
        return self._renderer.show(self.game)

    def close(self) -> None:
        """The window, if there is one."""
        self._renderer.close()


def _agent_space() -> Dict:
    return Dict({"observation": observation_space(), "action_mask": Box(0, 1, (ACTIONS,), np.int8)})


def _one_of(name: str, value: T, allowed: tuple[T, ...]) -> T:
    if value not in allowed:
        raise ValueError(f"{name}={value!r}: allowed are {', '.join(map(repr, allowed))}")
    return value

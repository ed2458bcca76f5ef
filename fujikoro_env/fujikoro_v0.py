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
| By name | `pettingzoo.make("aec", "fujikoro/fujikoro_v0")` after `import fujikoro_env`, from PettingZoo 1.27 on |
| Agents | 2 to 6, in co-op 1 to 6, `samurai_0` to `samurai_5`; 4 unless said otherwise, 1 in solo play |
| Actions | `Discrete(713)`, with a mask |
| Observations | a dictionary of arrays (`uint8` and `int16`), or one vector of `float32`, and the mask |
| State | `env.state()`, one vector |
| Rewards | -1 to 1, at the end of the game; zero-sum, but in co-op the same for all; three other kinds |
| Parallel API | no: one agent acts at a time |
| Manual control | no |
| Render modes | `None`, `"ansi"` (the table as text), `"rgb_array"` (pixels, 1056 x 1280 x 3), `"human"` (a window) |

## Arguments

`env(render_mode=None, reward="rank", observation="tensor", illegal="raise", **rules)`: what else is given goes to
`fujikoro_env.Rules`, which says in one line what it does not know or allow: `players`, `mode`, `characters`,
`scenario`, `adventure_tokens`, `peaceful`, `content`, `final_at`, `max_rounds`, `ask_forced`, and the options of the
rules by their names.

`reset(seed=7)` deals the game `Game(rules, seed=7)`. A `reset()` without a seed deals the next of a row of games that
follows from the last seed, or from chance if none was given. `options` are not read.

`env.game` is the game: its names, scores and outcome are there, and `env.game.action_name(action)` reads an action.
`copy.deepcopy` and `pickle` keep the game that is being played.

`raw_env` is the same without PettingZoo's checks on order and bounds.

## Pictures and films

The picture and the window show the whole table and what happened last; they need the extra
`fujikoro_env[render]`, and the window a display. `"human"` draws by itself after `reset` and `step`. Before `reset`,
`raw_env.names` takes the names of the agents, seat by seat, to be shown beside the players.

`Film` saves a game as an animated WebP or GIF, with the same extra. It keeps its pictures in memory until then, so of a
long game take one every few steps:

```python
from fujikoro_env import Game, Rules
from fujikoro_env.player import make_agents
from fujikoro_env.render.film import Film

names = ["random", "random"]
agents = make_agents(names, seed=1)
film = Film(Game(Rules(players=2, max_rounds=3), seed=7), names, width=830)
steps = 0
while not film.game.over:
    steps += 1
    seat = film.game.actor
    film.step(agents[seat].act(film.game.view(seat)), picture=steps % 10 == 0)
film.take()  # the end
film.save("game.webp", seconds=0.5)
```

`save_film(frames, "game.webp")` of the same module saves frames of `render_mode="rgb_array"`.

## Whose turn it is

The game always asks one agent one question, and `env.agent_selection` is who is asked. A turn is made of many
questions, so the same agent may act several times in a row, and another may be asked in between. A question with only
one answer is not asked, unless `ask_forced=True`.

## Observation space

A dictionary with `"observation"` and `"action_mask"`. With `observation="compact"` the observation is one vector of
`float32`, listed in docs/compact.md. With `"tensor"` it is a dictionary of arrays, of the same sizes for every player
count. Seats are relative: the observer is seat 0, and the others follow in playing order. 0 is nothing, none or
unknown. What a player can't see is not in its observation. Every column is listed in
docs/environment.md; `fujikoro_env.observation.columns("players")["vp"]` finds it in an array. Every observation is new,
and yours to keep or change; its arrays, the mask with them, are parts of one piece of memory.

| field | shape | what it tells |
| --- | --- | --- |
| `map` | (43, 21, 21) | on the lattice of small hexagons, by axial coordinates |
| `gear` | (6, 6, 9, 10) | by seat; helmet, weapon and sandals one below the other |
| `patterns` | (36, 2, 5, 10) | of the cards in play, in the order of the action `build` |
| `players` | (6, 86) | by seat |
| `cards` | (36, 9) | by slot: gear cards in the order of the action `card`, then blueprints in that of `blueprint` |
| `tiles` | (4, 64) | tiles as printed: the one that is being turned, then the known tops of the stacks |
| `stacks` | (3, 39) | by level of the tiles |
| `dragons` | (16, 10) | by dragon |
| `fight` | (23,) | the fight that is on |
| `fighters` | (6, 8) | by seat: its part in the fight |
| `table` | (228,) | what else lies on the table |
| `turn` | (122,) | where the game stands, and what is asked |
| `frames` | (20, 43) | what is asked, then what it interrupts; the numbers mean what the phase says |
| `rules` | (58,) | by which rules the game is played |

`map`, `gear` and `patterns` are pictures, of `uint8`, the rest are numbers, of `int16`.

### Action mask

`action_mask` is an `int8` array with a number for each action: 1 if it is legal, else 0. It is all zeros for every
agent but the one that is asked, and for all when the game is over.

### Global state

`env.state()` is one vector (`int16`): the fields above one after the other as player 0 sees them, with all that
anybody has looked at. It is for critics that may see more in training than players do; `env.state_space` is its space.

## Action space

An action is a number: the first number of its block, and an index into the block's arguments, of which the table names
the first. docs/actions.md says more of them, and lists the questions. A player in an action is counted from the one who
is asked, as seats are in its observation.

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

`reward` says which. All are single-precision numbers, so sums are exact to about a millionth.

| `reward` | what a step pays | the sum over an episode |
| --- | --- | --- |
| `"rank"` | nothing, until the game ends | the rank, from 1 for the first to -1 for the last; zero-sum |
| `"win"` | nothing, until the game ends | the share of the win, less 1/n; zero-sum |
| `"vp"` | what the agent's VP have changed by | its VP at the end |
| `"shaped"` | what the agent's lead has changed by, and the rank at the end | as `"rank"` |

*Rank*. With n players, an agent of rank r that shares its rank with t - 1 others gets

    (n + 2 - 2r - t) / (n - 1)

So the ranks are evenly spread, those who tie share the mean of the ranks that they take up, and who loses gets its
loss. `Game.outcome.ranking` has the ranks.

*Win*. Winners share a 1, the others get 0, and all get 1/n less: from -1/n to 1 - 1/n.

*VP* are not what the game is about, so this can be farmed: points count whoever wins, and an agent learns to put off
the end and gather on, and to leave alone who is about to beat it. The sums are not zero-sum, and have no useful bound.

*Shaped*. While the game goes on, a position is worth

    lead / final_at, but at least -1 and at most 1

to an agent, where the lead is its VP less the mean of the others' and `final_at` the VP that start the final chapter.
When the game is over it is worth 0. A step pays the worth after it less the worth before it, and the last step the rank
as well. This is potential-based shaping: worths cancel out over an episode, since they are 0 at its start and end, so
that the sum is exactly that of `"rank"` and no play becomes better or worse by it. That holds without a discount, and
worths are not discounted here: between two decisions of an agent lie more or fewer of the others', so that no one
factor fits a step. To a learner with a discount g a little below 1 every decision in a position is worth 1 - g times
its worth more, which is small: for who leads by 6 VP of 30 through 200 decisions, with g = 0.999, it is 0.04 in all.

In co-op and solo play all agents get the same. `"rank"` and `"win"` are both 1 if the game is won and -1 if it is lost
(COOP-1). `"shaped"` is that with progress as the worth: a sixth for each of five parts, of which each goes from 0 to 1,

* the map: tiles laid, of 30;
* gear: a third for each of helmet, weapon and sandals that somebody has complete (magic, with its blueprint), and half
  of that if somebody has a blueprint for it;
* dragons: those beaten, of all;
* the aim: half if the legendary dragon is found, all if it is beaten (SCEN-62: when it is on the start tile; SCEN-74:
  the enemies beaten, of 3; SCEN-82: VP, of 50);
* the way out: samurai who have left, of all.

`"vp"` is there only if the game has VP, so not in co-op but for scenario 8.

`Rules.facts.reward_bounds` has the bounds of the sum over an episode for each kind. What `env.last()` tells an agent is
all that it was paid since its last decision, as usual in PettingZoo.

## Illegal actions

With `illegal="raise"`, a step with an action that is not legal raises `IllegalActionError`, which names what is legal,
and changes nothing. With `illegal="terminate"` it ends the game for all, as PettingZoo's `TerminateIllegalWrapper`
does: all agents are terminated and truncated, the offender's rewards come down to `env.illegal_reward`, the least that
the kind of reward can give in sum (-1; -1/n for `"win"`; 0 for `"vp"`), and the others get nothing more. `infos` have
the `"offender"` and the `"illegal_action"` in words.

## Termination

All agents terminate together, when the game ends: with the last space of the countdown, or after the round `max_rounds`
(80 unless set). Both are rules of the game and not truncations; nothing is ever truncated but by an illegal action. A
co-op game ends when all have left the volcano, when a samurai has no life left, or with its last round.

## Version history

* v0: not released yet. Until `fujikoro_env` 0.1.0 is released, `v0` may change at any time; CHANGELOG.md lists the
  changes. After that, every change in what the environment does (spaces, rewards, order of decisions, rules) raises the
  number in its name, to `fujikoro_v1` and `FujiKoro-v1`, so that results under one name stay comparable.
"""

from collections.abc import Sequence
from typing import Any, TypeVar, cast

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from fujikoro_env.envs.rewards import RewardTracker
from fujikoro_env.game import SEED_BITS, Game, IllegalActionError
from fujikoro_env.observation import NO_MASK, OBSERVATIONS, Watcher, observation_space, state_space
from fujikoro_env.render.modes import PICTURES_A_SECOND, RENDER_MODES, Renderer
from fujikoro_env.render.raster import Pixels
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.settings import Rules

T = TypeVar("T")
Action = Any  # a number, or None of an agent that has terminated
Observation = dict[str, Any]  # "observation": dictionary of arrays or one array, "action_mask": array

ILLEGAL = ("raise", "terminate")
NOBODY = -1


def env(**kwargs: Any) -> "raw_env":
    """The PettingZoo environment, with the usual wrappers that check the order of calls and the range of actions. The
    arguments are those of `raw_env`."""
    bounded = wrappers.AssertOutOfBoundsWrapper(raw_env(**kwargs))
    checked = wrappers.OrderEnforcingWrapper(bounded)
    return cast(raw_env, checked)  # it passes on every public attribute, `game` too


class raw_env(AECEnv[str, Observation, Action]):  # noqa: N801  the name that PettingZoo gives it
    """The PettingZoo environment without wrappers. Agents are called `samurai_0`, `samurai_1` and so on.

    * `render_mode`: None, "ansi", "rgb_array" or "human"
    * `reward`: "rank", "win", "vp" or "shaped"
    * `observation`: "tensor", a dictionary of arrays, or "compact", one vector
    * `illegal`: "raise" raises at an illegal action, "terminate" ends the game
    * `rules`: all other arguments go to `Rules`
    """

    # PettingZoo declares it as an attribute of instances, so it can't be the ClassVar that the linter asks for.
    metadata = {  # noqa: RUF012
        "name": "fujikoro_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": PICTURES_A_SECOND,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        render_mode: str | None = None,
        reward: str = "rank",
        observation: str = "tensor",
        illegal: str = "raise",
        **rules: Any,
    ) -> None:
        self.render_mode = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self._renderer = Renderer(self.render_mode)
        self.names: Sequence[str] = ()  # of the agents, seat by seat, for pictures
        self.observation = one_of("observation", observation, OBSERVATIONS)
        self.illegal = one_of("illegal", illegal, ILLEGAL)
        self.rules = Rules(**rules)
        self.reward = reward
        self._reward_kind = self.rules.reward_kind(reward)
        self.illegal_reward = self.rules.facts.reward_bounds[reward][0]
        self.possible_agents = [f"samurai_{player}" for player in range(self.rules.players)]
        self.observation_spaces = {agent: _agent_space(observation) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(ACTIONS) for agent in self.possible_agents}
        self.state_space = state_space()
        self._players = {agent: player for player, agent in enumerate(self.possible_agents)}
        self._seeds = np.random.default_rng()
        self._watcher = Watcher()
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        """The game that is played."""
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
        self._tracker = RewardTracker(self._game, self._reward_kind)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._is_paid = False  # whether a reward stands in `rewards`
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.asked = self._game.actor
        self.agent_selection = self.possible_agents[self.asked]
        self._renderer.begin(self._game, self.names)

    def _next_seed(self) -> int:
        return int(self._seeds.integers(1 << SEED_BITS))

    def observe(self, agent: str) -> Observation:
        game, player = self.game, self._players[agent]
        if self.observation == "compact":
            return {"observation": game.observe(player, "compact"), "action_mask": self.mask_of(player)}
        compiled = game.compiled
        return self._watcher.see(compiled, compiled.masks if player == self.asked else NO_MASK, player)

    def mask_of(self, player: int) -> NDArray[np.int8]:
        """Legal actions of a player, int8: all zeros if it is not asked."""
        if player != self.asked:
            return np.zeros(ACTIONS, np.int8)
        return self.game.legal_mask(np.int8)

    def state(self) -> NDArray[Any]:
        """The global state as one vector, hidden things included, for centralised critics."""
        return self.game.global_state()

    def step(self, action: Action) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        game = self.game
        try:
            game.step(action)
        except IllegalActionError as error:
            if self.illegal == "raise":
                raise
            self.forfeit(str(error))
            return
        self._cumulative_rewards[agent] = 0.0
        self.asked = asked = game.actor
        if asked == NOBODY or self._tracker.pays_on_the_way:
            self._pay(self._tracker.pay(game))
        if asked == NOBODY:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[asked]
        if self.render_mode is not None:
            self._renderer.note(action, game)

    def _pay(self, rewards: list[float] | None) -> None:
        """Most steps pay nothing, and then there is nothing to write."""
        if rewards is not None:
            self.rewards = dict(zip(self.agents, rewards, strict=True))
            self._accumulate_rewards()
        elif self._is_paid:
            self.rewards = dict.fromkeys(self.agents, 0.0)
        self._is_paid = rewards is not None

    def forfeit(self, what: str) -> float:
        """End the game because the agent that is asked did something illegal, as PettingZoo's TerminateIllegalWrapper
        does. Returns the agent's reward."""
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self._pay(self._tracker.forfeit(self._players[agent], self.illegal_reward))
        self.asked = NOBODY
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.infos = {each: {"illegal_action": what, "offender": agent} for each in self.agents}
        self._deads_step_first()
        return self.rewards[agent]

    def render(self) -> str | Pixels | None:
        if self.render_mode is None:
            gymnasium.logger.warn('render() shows nothing without a mode: make the environment with render_mode="ansi"')
            return None
        return self._renderer.show(self.game)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()


def _agent_space(observation: str) -> Dict:
    return Dict({"observation": observation_space(observation), "action_mask": Box(0, 1, (ACTIONS,), np.int8)})


def one_of(name: str, value: T, allowed: tuple[T, ...]) -> T:
    if value not in allowed:
        raise ValueError(f"{name}={value!r}: allowed are {', '.join(map(repr, allowed))}")
    return value

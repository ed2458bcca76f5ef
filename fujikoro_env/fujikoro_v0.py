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
| Agents | 2 to 6, in co-op 1 to 6, named `samurai_0` to `samurai_5`; default 4, in solo play 1 |
| Actions | `Discrete(713)`, with a mask |
| Observations | a dictionary of arrays (`uint8` and `int16`) or one `float32` vector, with the mask |
| State | `env.state()`, one vector |
| Rewards | -1 to 1 at the end of the game, zero-sum; in co-op the same for all agents; three other kinds |
| Parallel API | no: one agent acts at a time |
| Manual control | no |
| Render modes | `None`, `"ansi"` (the table as text), `"rgb_array"` (pixels, 1056 x 1280 x 3), `"human"` (a window) |

## Arguments

`env(render_mode=None, reward="rank", observation="tensor", illegal="raise", decisions="primitive", **rules)`. All other
keyword arguments are passed to `fujikoro_env.Rules`: `players`, `mode`, `characters`, `scenario`, `adventure_tokens`,
`peaceful`, `content`, `final_at`, `max_rounds`, `ask_forced`, and the options of the rules by their names. An unknown
name or value raises an error with a one-line message.

`reset(seed=7)` deals the game `Game(rules, seed=7)`. A `reset()` without a seed deals the next game of a sequence that
is determined by the last seed, or is random if no seed was ever given. The argument `options` is ignored.

`env.game` is the current game, with its names, scores and outcome; `env.game.action_name(action)` gives the name of an
action. `copy.deepcopy` and `pickle` preserve the game in progress.

`raw_env` is the same environment without PettingZoo's checks of call order.

## Pictures and films

The picture and the window show the whole table and the latest events. They need the extra `fujikoro_env[render]`, and
the window needs a display. In the mode `"human"` the window is redrawn after every `reset` and `step`. Set
`raw_env.names` before `reset` to show the names of the agents, by seat, beside the players.

`Film` saves a game as an animated WebP or GIF, with the same extra. It holds its pictures in memory until it is saved,
so take one only every few steps of a long game:

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

The game always asks one agent one question; `env.agent_selection` is the agent to act. A turn consists of many
questions, so the same agent may act several times in a row, and other agents may be asked in between. A question with
only one legal answer is skipped, unless `ask_forced=True`.

## Observation space

An observation is a dictionary with `"observation"` and `"action_mask"`. With `observation="compact"`, the former is one
`float32` vector, described in docs/compact.md. With `"tensor"` it is a dictionary of arrays, whose shapes are the same
for every player count. Seats are relative: the observer is seat 0, and the others follow in playing order. The number 0
means nothing, none or unknown. Information that is hidden from a player is not in its observation.
docs/environment.md lists every column; `fujikoro_env.observation.columns("players")["vp"]` gives the index of a column
in an array. Every observation is a new object that you may keep or modify. All its arrays, including the mask, share
one block of memory.

| field | shape | content |
| --- | --- | --- |
| `map` | (43, 21, 21) | the map on the lattice of small hexagons, in axial coordinates |
| `gear` | (6, 6, 9, 10) | gear grids by seat; helmet, weapon and sandals one below the other |
| `patterns` | (36, 2, 5, 10) | patterns of the cards in play, in the order of the action `build` |
| `players` | (6, 86) | players and their boards, by seat |
| `cards` | (36, 9) | cards by slot: gear cards in the order of the action `card`, blueprints in that of `blueprint` |
| `tiles` | (4, 64) | tiles as printed: the tile being placed, then the known top tiles of the stacks |
| `stacks` | (3, 39) | stacks of tiles, by level |
| `dragons` | (16, 10) | all dragons, by number |
| `fight` | (23,) | the current fight |
| `fighters` | (6, 8) | players in the fight, by seat |
| `table` | (228,) | everything else on the table |
| `turn` | (122,) | state of the game and the current question |
| `frames` | (20, 43) | the current question, then the frames below it; what the numbers mean depends on the phase |
| `rules` | (58,) | settings and options of the game |

`map`, `gear` and `patterns` are pictures (`uint8`); all other fields are numbers (`int16`).

### Action mask

`action_mask` is an `int8` array with one number for each action: 1 if it is legal, otherwise 0. It is all zeros for
every agent except the one to act, and for all agents when the game is over.

### Global state

`env.state()` is one `int16` vector: all fields above in order, as player 0 sees them, plus everything that any player
has looked at. It is meant for centralised critics, which may see more in training than the players do. Its space is
`env.state_space`.

## Action space

An action is a number: the first number of its block plus an index into the block's arguments. The table shows the first
argument of each block. docs/actions.md has more details, and lists the questions. Actions that name a
player count seats from the acting player, as its observation does.

| action | first | size | what it does |
| --- | --- | --- | --- |
| `yes` | 0 | 1 | agree |
| `no` | 1 | 1 | decline |
| `done` | 2 | 1 | stop here |
| `move` | 3 | 1 | the action: go some steps (MOVE-1) |
| `explore` | 4 | 1 | the action: lay a tile on a place beside the samurai (EXPL-1) |
| `gather` | 5 | 1 | the action: take what lies on the samurai's space (GATH-1) |
| `rest` | 6 | 1 | the action: take the discs back, and craft (REST-1) |
| `main` | 7 | 1 | the main half of an action with a gear card (GEAR-3) |
| `bonus` | 8 | 1 | the bonus half of an action with a gear card (GEAR-3) |
| `step(start)` | 9 | 220 | go to, or name, a space |
| `place(ring1.0)` | 229 | 31 | name the place of a tile |
| `turn(0)` | 260 | 6 | rotate a tile by this many sixths |
| `lay(wood, helmet[0,0])` | 266 | 201 | lay a cube from the hand on a cell |
| `cell(helmet[0,0])` | 467 | 67 | give up, or take off, the cube on a cell |
| `magic(helmet)` | 534 | 3 | give up the magic cube of a gear |
| `craft(helmet)` | 537 | 3 | craft this gear |
| `add` | 540 | 1 | craft by adding to what lies there |
| `rebuild` | 541 | 1 | craft from scratch: lift all cubes first |
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
| `player(0 seats on)` | 656 | 6 | name a player, counted from the acting player |
| `stack(1)` | 662 | 3 | look at the top tile of a stack |
| `weapon(left)` | 665 | 3 | fight with this weapon, or lay the magic there |
| `score` | 668 | 1 | the weapon card gives 1 VP each time (GEAR-5) |
| `look` | 669 | 1 | the weapon card gives a look at a stack each time (GEAR-5) |
| `roll` | 670 | 1 | roll all dice of the weapon |
| `retreat` | 671 | 1 | leave the fight; in a duel, give up |
| `use(ember_path)` | 672 | 30 | use a power |
| `claim(helmet)` | 702 | 5 | claim a shogun bonus |
| `item(wood)` | 707 | 6 | name a pack item |

## Decision levels

With `decisions="plans"` an agent chooses plans instead of single actions: where to go and what to do there. The action
space has 16 choices, with a mask; everything else is decided by a script. Observations then also contain
`"choices"`, a row of features for each choice, and `"summary"`, a description of the position. `env.describe()` has the
choices in words. docs/plans.md describes the level. Other packages can provide other levels, see
`fujikoro_env.envs.levels`.

## Rewards

The argument `reward` selects the kind of reward. Rewards are single-precision numbers, so sums are exact to about a
millionth.

| `reward` | reward of a step | sum over an episode |
| --- | --- | --- |
| `"rank"` | 0 until the game ends | the rank, from 1 for the first to -1 for the last; zero-sum |
| `"win"` | 0 until the game ends | the share of the win minus 1/n; zero-sum |
| `"vp"` | the change of the agent's VP | its VP at the end |
| `"shaped"` | the change of the agent's lead, plus the rank at the end | same as `"rank"` |

*Rank*. With n players, an agent with rank r that shares this rank with t - 1 others gets

    (n + 2 - 2r - t) / (n - 1)

So the values are evenly spaced, and tied agents share the mean of the ranks they occupy. `Game.outcome.ranking` has the
ranks.

*Win*. The winners share a 1, the others get 0, and 1/n is subtracted for everyone: from -1/n to 1 - 1/n.

*VP*. Points are not the goal of the game, so this reward can be farmed: points count no matter who wins. An agent
learns to delay the end and keep gathering, and to ignore an opponent that is about to win. The sums are not zero-sum
and have no useful bound.

*Shaped*. While the game is running, the potential of a position for an agent is

    lead / final_at, clipped to the range -1 to 1

where the lead is the agent's VP minus the mean VP of the others, and `final_at` is the number of VP that starts the
final chapter. When the game is over, the potential is 0. A step pays the change of the potential, and the last step
also pays the rank. This is potential-based shaping: the potentials are 0 at the start and at the end, so they cancel
out over an episode. The sum is exactly that of `"rank"`, and shaping makes no strategy better or worse. This holds
without a discount. The potentials are not discounted, because the number of other players' decisions between two
decisions of an agent varies, so that no single factor fits a step. For a learner with a discount g slightly below 1,
every decision in a position adds 1 - g times its potential. This is small: an agent that leads by 6 VP of 30 through
200 decisions, with g = 0.999, gains 0.04 in total.

In co-op and solo play all agents get the same reward. `"rank"` and `"win"` are both 1 if the game is won and -1 if it
is lost (COOP-1). `"shaped"` adds progress as the potential. Progress is the sum of five parts divided by six; each part
goes from 0 to 1:

* the map: tiles laid, out of 30;
* gear: a third for each of helmet, weapon and sandals that somebody has completed (magic, with its blueprint), and half
  of that if somebody only has a blueprint for it;
* dragons: dragons beaten, out of all dragons;
* the goal: half if the legendary dragon has been found, 1 if it is beaten (SCEN-62: when it is on the start tile;
  SCEN-74: enemies beaten, out of 3; SCEN-82: VP, out of 50);
* the way out: samurai that have left, out of all samurai.

`"vp"` is available only if the game has VP, that is, not in co-op except in scenario 8.

`Rules.facts.reward_bounds` has the bounds of the sum over an episode for each kind. As usual in PettingZoo, the reward
returned by `env.last()` is the sum of all rewards of the agent since its last decision.

## Illegal actions

An action that is not a whole number (0.9, None, True, a string) raises `InvalidActionError`, and nothing changes.

With `illegal="raise"`, an illegal action raises `IllegalActionError`, which names the legal actions, and the game does
not change. With `illegal="terminate"` it ends the game for all agents, as PettingZoo's `TerminateIllegalWrapper` does:
all agents are terminated and truncated. The offender's rewards are reduced so that they sum to `env.illegal_reward`,
the minimum sum of the kind of reward (-1; -1/n for `"win"`; 0 for `"vp"`), and the others get nothing more. `infos`
contain the `"offender"` and the name of the `"illegal_action"`.

## Termination

All agents terminate together when the game ends: on the last space of the countdown, or after round `max_rounds`
(default 80). Both are rules of the game and not truncations; the only truncation is by an illegal action. A co-op game
ends when all samurai have left the volcano, when a samurai has no life left, or after its last round.

## Version history

* v0: not released yet. Until `fujikoro_env` 0.1.0 is released, `v0` may change at any time; CHANGELOG.md lists the
  changes. After that, every change in what the environment does (spaces, rewards, order of decisions, rules) raises the
  number in its name, to `fujikoro_v1` and `FujiKoro-v1`, so that results under one name stay comparable.
"""

from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

import numpy as np
from gymnasium.spaces import Dict
from numpy.typing import NDArray
from pettingzoo.utils import wrappers

from fujikoro_env.envs.batch import PARTS as BATCH_PARTS
from fujikoro_env.envs.levels import PRIMITIVE, LevelGame, level_spaces, make_level
from fujikoro_env.game import Game
from fujikoro_env.kernel.aec import Action, EnvParts, Observation, TableEnv
from fujikoro_env.kernel.thread_pool import one_thread
from fujikoro_env.observation import NO_MASK, OBSERVATIONS, Watcher, observation_space, state_space
from fujikoro_env.render.modes import PICTURES_A_SECOND, RENDER_MODES, Renderer
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.settings import Rules

PARTS: Final = EnvParts(
    make_rules=Rules,
    make_game=Game,
    batch=BATCH_PARTS,
    space=observation_space,
    kinds=OBSERVATIONS,
    agent="samurai",
    state_space=state_space,
    renderer=Renderer,
    render_modes=RENDER_MODES,
)


def env(**kwargs: Any) -> "raw_env":
    """Make the PettingZoo environment with the usual wrapper, which checks the order of calls. The arguments are those
    of `raw_env`, which checks actions itself."""
    checked = wrappers.OrderEnforcingWrapper(raw_env(**kwargs))
    return cast(raw_env, checked)  # the wrapper passes on every public attribute, including `game`


class raw_env(TableEnv):  # noqa: N801  the name that PettingZoo expects
    """The PettingZoo environment without wrappers. Agents are called `samurai_0`, `samurai_1` and so on.

    * `render_mode`: None, "ansi", "rgb_array" or "human"
    * `reward`: "rank", "win", "vp" or "shaped"
    * `observation`: "tensor", a dictionary of arrays, or "compact", one vector
    * `illegal`: "raise" raises at an illegal action, "terminate" ends the game
    * `decisions`: "primitive", every action is a decision, or the name of a decision level, "plans"
    * `rules`: all other arguments go to `Rules`
    """

    parts: ClassVar[EnvParts] = PARTS
    rules: Rules
    # PettingZoo declares `metadata` as an instance attribute, so it can't be the ClassVar that the linter asks for.
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
        decisions: str = PRIMITIVE,
        **rules: Any,
    ) -> None:
        level = make_level(decisions)
        self.level_game = None if level is None else LevelGame(level, self._noted)
        super().__init__(render_mode, reward, observation, illegal, **rules)
        self._watcher = Watcher()

    @property
    def _choices(self) -> int:
        """Number of actions, or of choices of the decision level."""
        return ACTIONS if self.level_game is None else self.level_game.level.choices

    def _space(self) -> Dict:
        extra = {} if self.level_game is None else level_spaces(self.level_game.level)
        return Dict({**super()._space().spaces, **extra})

    if TYPE_CHECKING:

        @property
        def game(self) -> Game: ...

    def _begin(self, seed: int) -> None:
        if self.level_game is not None:
            self.level_game.begin(self.game, seed)

    @one_thread
    def observe(self, agent: str) -> Observation:
        """Observation of an agent, with its action mask."""
        game, player = self.game, self._player(agent)
        if self.level_game is not None:
            return super().observe(agent) | self.level_game.observe(game, player)
        if self.observation == "compact":
            return super().observe(agent)
        compiled = game.compiled
        return self._watcher.see(compiled, compiled.masks if player == self.asked else NO_MASK, player)

    def mask_of(self, player: int) -> NDArray[np.int8]:
        """Mask of a player's legal actions, int8; all zeros if the player is not asked."""
        self._check_begun()
        is_at_level = self.level_game is not None and self.level_game.is_at_level(player)
        if player != self.asked:
            return np.zeros(self.level_game.level.choices if self.level_game and is_at_level else ACTIONS, np.int8)
        if self.level_game is not None and is_at_level:
            return self.level_game.mask(self.game)
        return self.game.legal_mask(np.int8)

    def describe(self) -> list[str]:
        """The choices of the agent that is asked, in words: plans, or names of legal actions."""
        if self.level_game is not None and self.level_game.asks(self.game):
            return self.level_game.describe(self.game)
        return [self.game.action_name(int(action)) for action in self.game.legal_actions()]

    def _carry_out(self, game: Game, action: Action) -> None:
        if self.level_game is None:
            super()._carry_out(game, action)
        else:
            self.level_game.step(game, action)

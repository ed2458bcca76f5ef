"""What the tree search calls in games of Fuji (`fujikoro_env.kernel.searching`).

A turn of the search is a round. Guides play on, with fewer trial rolls in rollouts, and at the end of a round the
position is judged by the chance to win that `weights` give it.
"""

import math
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np

from fuji_env.agents.guide.answer import answer_games
from fuji_env.agents.guide.mind import WEIGHTS, Mind, new_mind
from fuji_env.game import Game
from fuji_env.rules.base.actions import ACTIONS
from fuji_env.rules.base.chance import seed_streams
from fuji_env.rules.base.frames import top
from fuji_env.rules.base.names import Reason
from fuji_env.rules.base.state import PLAYERS, State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.engine.engine import step_games
from fuji_env.rules.engine.hidden import deal_hidden_of
from fuji_env.rules.map import layout_of
from fujikoro_env.kernel.game import copied
from fujikoro_env.kernel.handles import held, hold, new_handle
from fujikoro_env.kernel.jit import Address, Floats, IntArray, IntTable, WordTable, address_of, by_address, entry, rule
from fujikoro_env.kernel.masks import copy_mask, count_bits
from fujikoro_env.kernel.records import Records, zeros
from fujikoro_env.kernel.searching import NO_AIM, UNIT, Calls, Candidate, Functions, SearchParts, Seen
from fujikoro_env.kernel.stepping import copy_row

POSITION, WORK, SPARE = 0, 1, 2  # the position that is searched, the game of an iteration, and a mask without a game
GAMES: Final = 2
QUICK: Final = 8  # trial rolls of the guides in rollouts
# Names of the weights, in the order of `write_features`. The constant is that of level 1.
FEATURES: Final = (
    *("constant", "level_2", "level_3", "level_4", "steps", "most_steps", "stamina", "most_stamina"),
    *("stamina_by_steps", "most_stamina_by_steps", "injuries", "equipment", "eruptions"),
)

NUMBER: Final = len(FEATURES)

step_at = by_address(step_games)
guide_at = by_address(answer_games)


class Memory(NamedTuple):
    """Everything that the functions of this module need."""

    games: Records[State]
    words: IntTable  # the same memory as int64, one row per game
    tables: Records[Tables]
    masks: WordTable  # legal actions of each game
    seen: Records[State]  # a copy of the game for the guide
    seen_words: IntTable
    seen_mask: WordTable
    step: Address  # address of `step_games`
    guide: Address  # address of `answer_games`
    careful: Records[Mind]  # mind of the guide whose answer is likely in the tree
    quick: Records[Mind]  # mind of the guide that plays the rollouts
    guide_weights: IntArray
    weights: Floats  # of the features
    actions: IntArray


memory_of = held(Memory)


@entry
def hold_memory(memory: Memory, handle: IntArray) -> None:
    """Put the bundle behind its handle."""
    hold(memory, handle)


@rule
def look(s: State, fault: int, seen: IntArray) -> None:
    """Write what the search sees."""
    seen[Seen.PHASE] = top(s).phase
    seen[Seen.ACTOR] = top(s).actor
    seen[Seen.TURN] = s.round_number
    seen[Seen.PLAYING] = 1 if s.reason == Reason.PLAYING else 0
    seen[Seen.FAULT] = fault


@rule
def do_action(memory: Memory, action: int) -> int:
    """Do an action and return the fault."""
    memory.actions[WORK] = action
    return step_at(memory.step, memory.games, memory.tables, WORK, WORK + 1, memory.actions, memory.masks)


@rule
def ask_guide(memory: Memory, minds: Records[Mind]) -> int:
    """Return the answer of a guide. It gets a copy, from which it erases what it can't see."""
    copy_row_to(memory.words, WORK, memory.seen_words)
    copy_mask(memory.masks[WORK], memory.seen_mask[0])
    guide_at(memory.guide, memory.seen, memory.tables, memory.seen_mask, minds, memory.guide_weights, memory.actions)
    return memory.actions[0]


@rule
def copy_row_to(words: IntTable, source: int, target: IntTable) -> None:
    """Copy a row of a table to the first row of another one."""
    for word in range(words.shape[1]):
        target[0, word] = words[source, word]


@entry
def begin_search(handle: IntArray, seen: IntArray) -> int:
    """Copy the position."""
    memory = memory_of(handle)
    copy_row(memory.words, POSITION, WORK)
    copy_mask(memory.masks[POSITION], memory.masks[WORK])
    look(memory.games[WORK], 0, seen)
    return 0


@entry
def step_in_search(handle: IntArray, action: int, seen: IntArray) -> int:
    """Do an action."""
    memory = memory_of(handle)
    look(memory.games[WORK], do_action(memory, action), seen)
    return 0


@entry
def follow_in_search(handle: IntArray, most: int, seen: IntArray) -> int:
    """Let quick guides play until the round is over."""
    memory = memory_of(handle)
    s, made, fault = memory.games[WORK], 0, 0
    number = s.round_number
    while made < most and fault == 0 and s.reason == Reason.PLAYING and s.round_number == number:
        fault = do_action(memory, ask_guide(memory, memory.quick))
        made += 1
    look(s, fault, seen)
    return made


@entry
def deal_in_search(handle: IntArray, player: int, seed: int) -> int:
    """Roll again all dice that the player can't see."""
    memory = memory_of(handle)
    deal_hidden_of(memory.games[WORK], memory.tables[0], player, seed)
    return 0


@entry
def seed_in_search(handle: IntArray, seed: int) -> int:
    """Seed all random generators of the game."""
    seed_streams(memory_of(handle).games[WORK], seed)
    return 0


@entry
def answer_in_search(handle: IntArray, is_rollout: int, aim: int) -> int:
    """Return the answer of a guide, which has no aims."""
    memory = memory_of(handle)
    return ask_guide(memory, memory.quick) if is_rollout != 0 else ask_guide(memory, memory.careful)


@entry
def completes_in_search(handle: IntArray, action: int, aim: int) -> int:
    """There are no aims."""
    return 0


@entry
def judge_in_search(handle: IntArray, values: IntArray) -> int:
    """Write the chance to win, which all players share."""
    memory = memory_of(handle)
    s = memory.games[WORK]
    chance = 1.0 if s.reason == Reason.VILLAGES else 0.0
    if s.reason == Reason.PLAYING:
        chance = chance_to_win(s, memory.tables[0], memory.weights)
    for player in range(PLAYERS):
        values[player] = int(UNIT * chance)
    return 0


FUNCTIONS: Final = Functions(
    begin_search,
    step_in_search,
    follow_in_search,
    deal_in_search,
    seed_in_search,
    answer_in_search,
    completes_in_search,
    judge_in_search,
)


# --- evaluation -------------------------------------------------------------------------------------------------------


@rule
def chance_to_win(s: State, t: Tables, weights: Floats) -> float:
    """Return the estimated chance to win from the beginning of a round."""
    features: Any = np.zeros(NUMBER, np.float32)
    write_features(s, t, features)
    total = 0.0
    for k in range(NUMBER):
        total += float(weights[k]) * float(features[k])
    return 1.0 / (1.0 + math.exp(-total))


@rule
def write_features(s: State, t: Tables, features: Floats) -> None:
    """Write what the chance to win depends on: steps to the villages and stamina as shares, by mean and by the worst
    figure."""
    m, n = layout_of(s, t), float(s.settings.figures)
    whole, most_steps, most_stamina, most_both = float(max(int(m.to_village[m.white]), 1)), 0.0, 0.0, 0.0
    features[0] = 1.0
    if s.settings.level > 0:
        features[s.settings.level] = 1.0
    for k in range(s.settings.figures):
        me = s.figures[k]
        steps, stamina = min(float(m.to_village[me.at]) / whole, 2.0), float(me.stamina) / float(t.track)
        most_steps, most_stamina = max(most_steps, steps), max(most_stamina, stamina)
        most_both = max(most_both, steps * stamina)
        features[4] += steps / n
        features[6] += stamina / n
        features[8] += steps * stamina / n
        features[10] += count_bits(me.injuries) / n
        features[11] += count_bits(me.equipment) / n
    features[5] = most_steps
    features[7] = most_stamina
    features[9] = most_both
    features[12] = s.round_number / 10.0


@entry
def features_of_game(games: Records[State], tables: Records[Tables], index: int, features: Floats) -> None:
    """Write the features of one game, for fits."""
    write_features(games[index], tables[0], features)


@cache
def read_weights() -> Any:
    """Weights of the evaluation; tools/fit_fuji_search.py fitted them."""
    written = tomllib.loads(files("fuji_env.agents").joinpath("search_weights.toml").read_text())
    return np.array([written[name] for name in FEATURES], np.float32)


# --- Python's side ----------------------------------------------------------------------------------------------------


class Table:
    """Fuji's side of a search."""

    def __init__(self) -> None:
        self._games: Any = zeros(State, GAMES)
        self._words: Any = self._games.view(np.int64).reshape(GAMES, -1)
        self._masks: Any = np.zeros((GAMES + 1, -(-ACTIONS // 32)), np.uint32)
        self._view: Any = zeros(State, 1)
        self._view_mask: Any = np.zeros((1, self._masks.shape[1]), np.uint32)
        self._careful, self._quick = new_mind(), new_mind(QUICK)
        self._actions: Any = np.zeros(GAMES, np.int64)
        self.mask: Any = self._masks[WORK]
        self.spare: Any = self._masks[SPARE]
        self.luck: Any = np.ones(1, np.int64)
        self._handle = new_handle()
        self._held: Memory | None = None  # keeps the arrays alive
        self._tables: Any = None

    def take_in(self, view: Game) -> None:
        """Take a player's view as the position that is searched."""
        at = view.compiled
        for index in (POSITION, WORK):
            self._words[index] = at.words[0]
            self._masks[index] = at.masks[0]
        self._tables = at.tables

    def calls(self) -> Calls:
        """What compiled code calls."""
        self._held = Memory(
            self._games,
            self._words,
            self._tables,
            self._masks,
            self._view,
            self._view.view(np.int64).reshape(1, -1),
            self._view_mask,
            address_of(step_games),
            address_of(answer_games),
            self._careful,
            self._quick,
            WEIGHTS,
            read_weights(),
            self._actions,
        )
        hold_memory(self._held, self._handle)
        return FUNCTIONS.calls(self._handle)

    @property
    def last_game(self) -> Any:
        """Final position of the last iteration, as an array of one record."""
        return self._games[WORK : WORK + 1]


class GuideAdviser:
    """Suggests the guide's answer, then the others that it has valued, best first, then everything else."""

    def __init__(self) -> None:
        self._mind = new_mind()

    def candidates(self, view: Game, luck: int) -> list[Candidate]:
        """All candidates, the guide's answer first."""
        action: Any = np.zeros(1, np.int64)
        at = view.compiled
        answer_games(copied(at.games), at.tables, at.masks, self._mind, WEIGHTS, action)
        mind = self._mind[0]
        noted = {int(mind.actions[k]): int(mind.worths[k]) for k in range(int(mind.noted))}
        others = np.random.default_rng(luck).permutation(view.legal_actions()).tolist()
        ordered = sorted((one for one in others if one in noted), key=lambda one: -noted[one])
        every = dict.fromkeys([int(action[0]), *ordered, *others])
        return [(one, NO_AIM) for one in every]

    def keep(self, view: Game, action: int, aim: int) -> None:
        """There are no aims to remember."""


SEARCH: Final = SearchParts(Table, GuideAdviser)

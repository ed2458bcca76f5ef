"""What the search calls in games of Fuji Koro."""

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from fujikoro_agents.mcts.judging import judge
from fujikoro_agents.scripted.acting import NO_ANSWER
from fujikoro_agents.scripted.aims import answer_by_aim, is_deed_of
from fujikoro_agents.scripted.evaluation import read_weights
from fujikoro_agents.scripted.known_fights import KnownFights
from fujikoro_agents.scripted.lookahead import REPORT, TRIAL_GAMES, Minds, lookahead_games
from fujikoro_agents.stepping import WorkArrays, Workspace, copy_game, do_action
from fujikoro_env.game import Game
from fujikoro_env.kernel.handles import held, hold, new_handle
from fujikoro_env.kernel.jit import Address, Floats, IntArray, address_of, by_address, entry, rule
from fujikoro_env.kernel.masks import allows
from fujikoro_env.kernel.searching import NO_AIM, Calls, Functions, Seen
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.chance import seed_streams
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.engine.hidden import deal_hidden_of

POSITION: Final = 0  # index in the workspace: the position that is searched, as the player sees it
WORK: Final = 1  # index of the game of an iteration
SPARE: Final = 2  # only its mask is used
AHEAD: Final = 3  # from this index on: where scripts try out their options
ROOM: Final = AHEAD + TRIAL_GAMES
TURNS: Final = 16  # factor that makes turn numbers unique: more than the number of players

scripts_at = by_address(lookahead_games)


class Scripts(NamedTuple):
    """Everything that the functions of this module need."""

    work: WorkArrays
    answers: Address  # address of `lookahead_games`
    prior: Minds  # script whose answer is tried first in the tree
    rollout: Minds  # script that plays the rollouts; differs in its skills only
    weights: Floats  # weights of the evaluation
    network: Floats  # value network that replaces the evaluation, or NO_NETWORK


scripts_of = held(Scripts)


@entry
def hold_scripts(scripts: Scripts, handle: IntArray) -> None:
    """Put the bundle behind its handle."""
    hold(scripts, handle)


@rule
def turn_of(s: State) -> int:
    """Unique number of the current turn."""
    return int(s.round_number) * TURNS + int(s.active)


@rule
def look(s: State, fault: int, seen: IntArray) -> None:
    """Write what the search sees."""
    seen[Seen.PHASE] = top(s).phase
    seen[Seen.ACTOR] = top(s).actor
    seen[Seen.TURN] = turn_of(s)
    seen[Seen.PLAYING] = 1 if s.reason == Reason.PLAYING else 0
    seen[Seen.FAULT] = fault


@entry
def begin_search(handle: IntArray, seen: IntArray) -> int:
    """Copy the position, and forget the aims of scripts."""
    scripts = scripts_of(handle)
    copy_game(scripts.work, POSITION, WORK)
    for k in range(len(scripts.prior.aims)):
        scripts.prior.aims[k] = NO_AIM
    look(scripts.work.games[WORK], 0, seen)
    return 0


@entry
def step_in_search(handle: IntArray, action: int, seen: IntArray) -> int:
    """Do an action."""
    work = scripts_of(handle).work
    fault = do_action(work, WORK, action)
    look(work.games[WORK], fault, seen)
    return 0


@entry
def follow_in_search(handle: IntArray, most: int, seen: IntArray) -> int:
    """Let the script of rollouts play until the turn changes."""
    scripts = scripts_of(handle)
    work, s, made, fault = scripts.work, scripts.work.games[WORK], 0, 0
    at, turn = GameArrays(work.games, work.words, work.tables, work.masks), turn_of(s)
    while made < most and fault == 0 and s.reason == Reason.PLAYING and turn_of(s) == turn:
        scripts_at(scripts.answers, at, WORK, WORK + 1, work.actions, scripts.rollout, work, AHEAD)
        fault = do_action(work, WORK, work.actions[WORK])
        made += 1
    look(s, fault, seen)
    return made


@entry
def deal_in_search(handle: IntArray, player: int, seed: int) -> int:
    """Deal again what the player can't see."""
    deal_hidden_of(scripts_of(handle).work.games[WORK], player, seed)
    return 0


@entry
def seed_in_search(handle: IntArray, seed: int) -> int:
    """Seed all random generators of the game."""
    seed_streams(scripts_of(handle).work.games[WORK], seed)
    return 0


@entry
def answer_in_search(handle: IntArray, is_rollout: int, aim: int) -> int:
    """Return the action that follows an aim if there is one, otherwise the answer of a script."""
    scripts = scripts_of(handle)
    work = scripts.work
    if aim != NO_AIM:
        mask = work.masks[WORK]
        chosen = answer_by_aim(work.games[WORK], work.tables[0], mask, aim)
        if chosen != NO_ANSWER and allows(mask, chosen):
            return chosen
    at = GameArrays(work.games, work.words, work.tables, work.masks)
    if is_rollout != 0:
        scripts_at(scripts.answers, at, WORK, WORK + 1, work.actions, scripts.rollout, work, AHEAD)
    else:
        scripts_at(scripts.answers, at, WORK, WORK + 1, work.actions, scripts.prior, work, AHEAD)
    return work.actions[WORK]


@entry
def completes_in_search(handle: IntArray, action: int, aim: int) -> int:
    """Return 1 if an action completes an aim."""
    s = scripts_of(handle).work.games[WORK]
    return 1 if top(s).phase == Phase.ACTION and is_deed_of(action, aim) else 0


@entry
def judge_in_search(handle: IntArray, values: IntArray) -> int:
    """Write the value of the position for each player."""
    scripts = scripts_of(handle)
    work = scripts.work
    judge(work.games[WORK], work.tables[0], scripts.weights, scripts.network, values, scripts.prior.known)
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


class Table:
    """Fuji Koro's side of a search. `weights`: of the evaluation; `network`: of scripts with a learned evaluation;
    `judging`: value network that replaces the evaluation, or NO_NETWORK."""

    def __init__(self, weights: Any, network: Any, judging: Any) -> None:
        self._workspace = Workspace(ROOM)
        self.mask: Any = self._workspace.masks[WORK]
        self.spare: Any = self._workspace.masks[SPARE]
        self.luck: Any = np.ones(ROOM * PLAYERS, np.int64)
        self.prior: Any = np.zeros((ROOM, PLAYERS), np.int64)  # skills of the script whose answer is tried first
        self.rollout: Any = np.zeros((ROOM, PLAYERS), np.int64)  # skills of the script that plays the rollouts
        self._aims: Any = np.zeros(ROOM * PLAYERS, np.int64)  # aims of scripts that look ahead
        self._report: Any = np.zeros(REPORT, np.float32)  # options they tried last
        self._known = KnownFights()
        self._weights, self._network, self._judging = weights, network, judging
        self._handle = new_handle()
        self._held: Scripts | None = None  # keeps the arrays alive
        self._tables: Any = None

    def take_in(self, view: Game) -> None:
        """Take a player's view as the position that is searched."""
        self._workspace.take_in(view, POSITION)
        self._workspace.take_in(view, WORK)
        self._tables = view.compiled.tables

    def calls(self) -> Calls:
        """What compiled code calls."""
        known = self._known.compiled(self._tables)
        prior = Minds(self.prior, self.luck, self._aims, read_weights(), self._report, known, self._network)
        rollout = prior._replace(skills=self.rollout)
        work = self._workspace.compiled(self._tables)
        self._held = Scripts(work, answerer(), prior, rollout, self._weights, self._judging)
        hold_scripts(self._held, self._handle)
        return FUNCTIONS.calls(self._handle)

    @property
    def last_game(self) -> Any:
        """Final position of the last iteration, as an array of one record."""
        return self._workspace.games[WORK : WORK + 1]


@cache
def answerer() -> Address:
    """Address of the scripted answers."""
    return address_of(lookahead_games)

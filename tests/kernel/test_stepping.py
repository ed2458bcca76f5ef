"""Compiled code above the rules steps games by the address of the rules' machine code."""

import hashlib
import os
import random
import threading
from typing import Any

import numpy as np
import pytest

from fujikoro_agents.stepping import WorkArrays, Workspace, copy_game, do_action
from fujikoro_env import Game, Rules
from fujikoro_env.kernel import jit
from fujikoro_env.kernel.jit import IntArray, entry
from fujikoro_env.kernel.masks import count_allowed, nth_allowed
from fujikoro_env.rules.base.names import Fault, Reason
from fujikoro_env.rules.engine.hidden import deal_hidden_of
from tests.helpers.processes import run
from tests.helpers.tables import arrays_of

DECISIONS = 300


@entry
def play_through_address(work: WorkArrays, index: int, choices: IntArray) -> int:
    """Make a number of decisions, each with a legal action. Returns how many were made."""
    done, mask = 0, work.masks[index]
    while done < len(choices) and work.games[index].reason == Reason.PLAYING:
        action = nth_allowed(mask, choices[done] % count_allowed(mask))
        if do_action(work, index, action) != 0:
            return -1
        done += 1
    return done


@entry
def step_once(work: WorkArrays, action: int) -> int:
    return do_action(work, 0, action)


@entry
def copy_and_deal(work: WorkArrays, source: int, target: int, player: int, seed: int) -> None:
    copy_game(work, source, target)
    deal_hidden_of(work.games[target], player, seed)


def choices(seed: int, decisions: int = DECISIONS) -> Any:
    luck = random.Random(seed)
    return np.array([luck.randrange(1 << 20) for _ in range(decisions)], np.int64)


def played_by_python(game: Game, numbers: Any) -> Game:
    for number in numbers:
        if game.over:
            break
        legal = game.legal_actions()
        game.step(int(legal[number % len(legal)]))
    return game


def played_by_address(workspace: Workspace, game: Game, index: int, numbers: Any) -> int:
    workspace.take_in(game, index)
    return play_through_address(workspace.compiled(game.rules.tables), index, numbers)


@pytest.mark.parametrize("seed", range(3))
def test_the_same_game_as_by_python(seed):
    workspace, game = Workspace(2), Game(Rules(players=3), seed)
    assert played_by_address(workspace, game, 1, choices(seed)) == DECISIONS
    played = played_by_python(game, choices(seed))
    assert workspace.games[1].tobytes() == arrays_of(played).games[0].tobytes()
    assert workspace.masks[1].tolist() == arrays_of(played).masks[0].tolist()
    assert not workspace.games[:1].view(np.uint8).any()  # the neighbour is unchanged


def test_an_illegal_action_gives_its_fault():
    workspace, game = Workspace(1), Game(seed=1)
    workspace.take_in(game, 0)
    before = workspace.games.tobytes()
    illegal = int(np.flatnonzero(~game.legal_mask())[0])
    fault = step_once(workspace.compiled(game.rules.tables), illegal)
    assert fault == Fault.ILLEGAL_ACTION
    assert workspace.games.tobytes() == before


def test_a_game_is_copied_and_dealt_anew():
    workspace, game = Workspace(3), played_by_python(Game(seed=4), choices(4, 100))
    workspace.take_in(game.view(2), 0)
    copy_and_deal(workspace.compiled(game.rules.tables), 0, 2, 2, 77)
    assert workspace.games[2].tobytes() == arrays_of(game.determinize(2, 77)).games[0].tobytes()
    assert workspace.masks[2].tolist() == arrays_of(game).masks[0].tolist()
    assert not workspace.games[1].tobytes().strip(b"\0")


def test_words_are_the_whole_record():
    workspace = Workspace(1)
    assert workspace.games.nbytes == workspace.words.nbytes


def test_threads_step_their_own_games():
    workspace, games = Workspace(2), [Game(Rules(players=2), seed) for seed in (5, 6)]
    threads = [
        threading.Thread(target=played_by_address, args=(workspace, games[k], k, choices(k, 2000))) for k in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, game in enumerate(games):
        assert workspace.games[k].tobytes() == arrays_of(played_by_python(game, choices(k, 2000))).games[0].tobytes()


DRIVE = """
from tests.kernel.test_stepping import choices, played_by_address, play_through_address
from fujikoro_agents.stepping import Workspace
from fujikoro_env import Game
import hashlib

workspace = Workspace(1)
played_by_address(workspace, Game(seed=9), 0, choices(9))
stats = getattr(play_through_address, "stats", None)
print(hashlib.sha256(workspace.games.tobytes()).hexdigest(), "cached" if stats and stats.cache_hits else "compiled")
"""


def digest_of_python() -> str:
    return hashlib.sha256(arrays_of(played_by_python(Game(seed=9), choices(9))).games.tobytes()).hexdigest()


@pytest.mark.skipif(jit.INTERPRETED, reason="nothing is compiled")
def test_another_process_takes_it_from_the_cache():
    """The address of the machine code differs between processes."""
    checked = os.environ.get("FUJIKORO_CHECKED", "0")
    outputs = [run("-c", DRIVE, FUJIKORO_CHECKED=checked).split() for _ in range(2)]
    assert [output[0] for output in outputs] == [digest_of_python()] * 2
    assert outputs[1][1] == "cached"


def test_plain_python_plays_the_same():
    assert run("-c", DRIVE, NUMBA_DISABLE_JIT="1").split() == [digest_of_python(), "compiled"]

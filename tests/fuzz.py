"""Fuzzing that reaches everything: `make fuzz`, or `python -m tests.fuzz --help`.

Games are played from generated mid-game positions and from set-up, many at once, by players who each have their own
bias for some actions, under all settings in turn. At every decision every invariant is looked at, and the victory
points are compared with a second book (`tests.ledger`). Then hits are counted: every phase, every block of actions and
every way to gain VP must have come up often enough, and, in a second run as plain Python, every rule function.
"""

import argparse
import ast
import cProfile
import os
import pstats
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import fujikoro_env.rules
from fujikoro_env import Game, Rules
from fujikoro_env.rules.actions import ACTIONS, TABLE, block_of
from fujikoro_env.rules.engine import NO_ACTION, random_actions, step_games
from fujikoro_env.rules.jit import INTERPRETED
from fujikoro_env.rules.names import Reason
from fujikoro_env.rules.phases import FIRST_AUTOMATIC, Phase
from fujikoro_env.rules.records import zeros
from fujikoro_env.rules.state import State
from tests.helpers import ASKED, integers, words
from tests.invariants import check_games
from tests.ledger import REASONS, Ledger
from tests.midgame import midgame

SEATS = (2, 3, 4, 5, 6)
AT_ONCE = 256  # games in a batch: a step of many takes hardly longer than one
STARTS = 32  # positions that the games of a batch start from, each with luck of its own
DECISIONS_A_KIND = 20_000
MAX_ROUNDS = 9
LEAST = 100
# A player of the competitive game never comes to these; issues of their chapters take them off the list.
NOT_IN_THIS_MODE = {
    "LOSE_ITEM": "three blueprints and two scrolls fit into the smallest pack; co-op has more",
    "legal_lose_item": "see LOSE_ITEM",
    "do_lose_item": "see LOSE_ITEM",
    "player": "for swaps in co-op",
}
# Unbiased players hardly ever do these; the more often they are done, the farther games get.
EAGER = {
    "build": 30.0,
    "gather": 3.0,
    "explore": 2.0,
    "craft": 3.0,
    "claim": 5.0,
    "use": 2.0,
    "yes": 2.0,
    "blueprint": 3.0,
}
BLOCK_OF_ACTION = np.array([list(TABLE).index(block_of(action).name) for action in range(ACTIONS)])
BASE_BIAS = np.array([EAGER.get(name, 1.0) for name in TABLE])
RULE_FILES = sorted(Path(fujikoro_env.rules.__file__).parent.glob("*.py"))


@dataclass
class Hits:
    """How often what came up."""

    phases: Counter[str] = field(default_factory=Counter)
    blocks: Counter[str] = field(default_factory=Counter)
    awards: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    functions: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Hits") -> None:
        for name, counter in vars(other).items():
            getattr(self, name).update(counter)

    @property
    def decisions(self) -> int:
        return self.phases.total()


# Playing


def kind_of_rules(players: int, luck: Any, number: int = 0) -> Rules:
    """Settings at random. Three of four ask also what is forced, for the book of VP can be kept only then."""
    names = ("adventure_tokens", "monk_to_pack", "scroll_replace_anytime", "rope_catches")
    flags: dict[str, Any] = {name: bool(luck.random() < 0.5) for name in names}
    return Rules(
        players,
        final_at=int(luck.choice([3, 3, 12, 30])),
        max_rounds=MAX_ROUNDS,
        ask_forced=number % 4 != 3,
        peaceful=bool(luck.random() < 0.1),
        **flags,
    )


def start(rules: Rules, luck: Any) -> Game:
    """A quarter of the games begin at the beginning."""
    seed = int(luck.integers(1 << 40))
    return Game(rules, seed) if luck.random() < 0.25 else midgame(rules, seed)


def reseeded(game: Game, luck: Any) -> Any:
    """The record of the game, with luck of its own."""
    record = game._games.copy()
    record["streams"] = luck.integers(1, 1 << 32, size=record["streams"].shape, dtype=np.uint32)
    return record[0]


def bias(luck: Any) -> Any:
    """How much one player likes each action: eager to build and gather, but no two alike."""
    return (BASE_BIAS * np.exp(luck.normal(0.0, 1.2, len(TABLE))))[BLOCK_OF_ACTION]


def choose(masks: Any, biases: Any, luck: Any) -> Any:
    """For each game a legal action, by its bias; NO_ACTION where nothing is legal."""
    legal = np.unpackbits(masks.view(np.uint8), axis=1, count=ACTIONS, bitorder="little")
    # The least of exponential times with these rates: each action wins with a probability in proportion to its bias.
    times = np.where(legal, luck.standard_exponential((len(masks), ACTIONS), dtype=np.float32) / biases, np.inf)
    return np.where(legal.any(axis=1), times.argmin(axis=1), NO_ACTION)


def play_batch(rules: Rules, luck: Any, decisions: int, at_once: int = AT_ONCE) -> Hits:
    """Play so many decisions under these rules, checking everything; a game that ends makes room for another."""
    hits = Hits()
    starts = [start(rules, luck) for _ in range(STARTS)]
    games, masks = zeros(State, at_once), words(at_once)
    for g in range(at_once):
        games[g] = reseeded(starts[luck.integers(STARTS)], luck)
    biases = np.stack([bias(luck) for _ in range(at_once)])
    book = Ledger(rules, games) if rules.ask_forced else None
    actions = integers([NO_ACTION] * at_once)
    while hits.decisions < decisions:
        before = games.copy()
        assert step_games(games, rules.tables, 0, at_once, actions, masks) == 0, "the rules came to a halt"
        check_games(rules, games, masks)
        if book:
            hits.awards.update(award.reason for award in book.write(before, actions, games))
        for g in np.flatnonzero(games["reason"]).tolist():
            hits.ends[Reason(int(games["reason"][g])).name] += 1
            games[g], biases[g] = reseeded(starts[luck.integers(STARTS)], luck), bias(luck)
            if book:
                book.restart(g, games[g])
            step_games(games, rules.tables, g, g + 1, integers([NO_ACTION] * at_once), masks)
        actions[:] = choose(masks, biases, luck)
        _count(hits, games, actions)
    return hits


def _count(hits: Hits, games: Any, actions: Any) -> None:
    asked = actions >= 0
    phases = games["stack"]["phase"][np.arange(len(games)), games["depth"] - 1][asked]
    blocks = BLOCK_OF_ACTION[actions[asked]]
    for phase, times in enumerate(np.bincount(phases, minlength=FIRST_AUTOMATIC)):
        if times:
            hits.phases[Phase(phase).name] += int(times)
    for block, times in zip(TABLE, np.bincount(blocks, minlength=len(TABLE)), strict=True):
        if times:
            hits.blocks[block] += int(times)


def fuzz(players: int, decisions: int, seed: int) -> Hits:
    """All kinds of rules in turn for one number of players."""
    luck, hits, kind = np.random.default_rng([seed, players]), Hits(), 0
    while hits.decisions < decisions:
        rules = kind_of_rules(players, luck, kind)
        try:
            hits.add(play_batch(rules, luck, min(DECISIONS_A_KIND, decisions - hits.decisions)))
        except AssertionError as error:
            error.add_note(f"players {players}, seed {seed}, kind {kind}: {rules}")
            raise
        kind += 1
    return hits


# Rule functions


def rule_functions() -> dict[tuple[str, str], str]:
    """Name by file and name of every rule and entry."""
    return {
        (path.name, node.name): node.name
        for path in RULE_FILES
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef) and _is_rule(node)
    }


def _is_rule(node: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id in ("rule", "entry") for mark in node.decorator_list)


def count_functions(decisions: int, seed: int) -> Counter[str]:
    """How often each rule function is called in games from generated positions; rules must run as plain Python."""
    assert INTERPRETED, "compiled rules can't be counted: set NUMBA_DISABLE_JIT=1"
    luck, profile, done = np.random.default_rng(seed), cProfile.Profile(), 0
    profile.enable()
    while done < decisions:
        rules = kind_of_rules(int(luck.choice(SEATS)), luck, int(luck.integers(4)))
        done += _play_out(start(rules, luck), luck)
    profile.disable()
    found: Counter[str] = Counter()
    names = rule_functions()
    found.update(dict.fromkeys(names.values(), 0))
    for (path, _, name), (_, calls, *_) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        if (Path(path).name, name) in names and Path(path).parent == RULE_FILES[0].parent:
            found[name] += calls
    return found


def _play_out(game: Game, luck: Any) -> int:
    """To the end; now and then somebody looks, guesses what is hidden, or acts at random. Gives the decisions."""
    liking, generators, decisions = bias(luck)[None, :], integers([luck.integers(1, 1 << 31)]), 0
    action = integers([NO_ACTION])
    while not game.over:
        player = int(luck.integers(game.rules.players))
        if luck.random() < 0.05:
            game.view(player)
            game.determinize(player, int(luck.integers(1 << 30)))
        if luck.random() < 0.05:
            random_actions(game._masks, generators, action)
        else:
            action[:] = choose(game._masks, liking, luck)
        game.step(int(action[0]))
        decisions += 1
    assert game.outcome is not None
    return decisions


# Reporting


def missed(hits: Hits, least: int) -> list[str]:
    """What came up less often than it should have."""
    wanted = {
        "phase": (hits.phases, [phase.name for phase in ASKED]),
        "block": (hits.blocks, list(TABLE)),
        "award": (hits.awards, list(REASONS)),
        "end": (hits.ends, ["COUNTDOWN", "ROUND_CAP"]),
        "function": (hits.functions, list(hits.functions)),
    }
    return [
        f"{what} {name}: {counter[name]} times, {least} are wanted"
        for what, (counter, names) in wanted.items()
        for name in names
        if counter[name] < least and name not in NOT_IN_THIS_MODE
    ]


def show(hits: Hits) -> None:
    for what, counter in vars(hits).items():
        if counter:
            print(f"\nhits by {what}")
            for name, times in counter.most_common():
                print(f"  {times:>12,}  {name}")


def functions_in_plain_python(decisions: int, seed: int) -> Counter[str]:
    """Counted by a process of its own, for this one has compiled rules."""
    command = [sys.executable, "-m", "tests.fuzz", "--functions", str(decisions), "--seed", str(seed)]
    done = subprocess.run(
        command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, stdout=subprocess.PIPE, text=True, check=True
    )
    counts = (line.split() for line in done.stdout.splitlines())
    return Counter({name: int(times) for times, name in counts})


def main() -> int:
    parser = argparse.ArgumentParser(description="Play many games in all kinds of positions and check everything.")
    parser.add_argument("--decisions", type=int, default=1_000_000, help="for each number of players")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=int, default=LEAST, help="hits wanted of each phase, block, award, function")
    parser.add_argument("--functions", type=int, metavar="DECISIONS", help="only count rule functions, and print them")
    given = parser.parse_args()
    if given.functions:
        for name, times in count_functions(given.functions, given.seed).items():
            print(times, name)
        return 0
    hits = Hits()
    with ProcessPoolExecutor(min(os.cpu_count() or 1, len(SEATS)), mp_context=get_context("spawn")) as pool:
        parts = [pool.submit(fuzz, players, given.decisions, given.seed) for players in reversed(SEATS)]
        for players, part in zip(reversed(SEATS), parts, strict=True):
            hits.add(part.result())
            print(f"{players} players: {part.result().decisions:,} decisions, all invariants hold", flush=True)
    hits.functions = functions_in_plain_python(max(1, given.decisions // 25), given.seed)
    show(hits)
    if missing := missed(hits, given.least):
        print("\nfuzz: too rare\n  " + "\n  ".join(missing))
        return 1
    print(f"\n{hits.decisions:,} decisions; everything came up at least {given.least} times")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Fuzzing that reaches everything: `make fuzz`, or `python -m tests.helpers.fuzz --help`.

Many games at once are played from generated mid-game positions and from set-up, under all settings in turn, by players
who each have their own bias for some actions. At every decision all invariants are checked, and the VP by source and
the other counters are compared with independent bookkeeping (`ledger`, `countbook`). Some steps of every kind are then
repeated as plain Python, and must give the same result bit for bit (`rulecalls`). Hits are counted: every phase, every
block of actions, every way to gain VP and, in that second run, every rule function must have come up often enough.
"""

import argparse
import os
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from fujikoro_env import Game, Rules
from fujikoro_env.kernel.commands import NO_ACTION
from fujikoro_env.kernel.records import zeros
from fujikoro_env.rules.base.actions import ACTIONS, TABLE, block_of
from fujikoro_env.rules.base.names import Fault, Reason
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.engine.engine import step_games
from fujikoro_env.rules.scenarios.terms import Term
from fujikoro_env.scenarios import SCENARIOS, Scenario
from fujikoro_env.settings import RANDOM
from tests.helpers.countbook import CountBook
from tests.helpers.fuzzing import repeat_in_plain_python, report, run_in_plain_python, show, too_rare
from tests.helpers.invariants import check_games
from tests.helpers.ledger import REASONS, Ledger
from tests.helpers.midgame import midgame, rush_into_a_fight
from tests.helpers.step_sample import StepSample, phases_of
from tests.helpers.tables import ASKED, integers, words

SEATS = (2, 3, 4, 5, 6)
COOP_SEATS = (1, 2, 3, 4, 5, 6)
TABLES = [*(("competitive", players) for players in SEATS), *(("coop", players) for players in COOP_SEATS)]
AT_ONCE = 256  # games in a batch: a step of many hardly takes longer than a step of one
STARTS = 32  # positions from which the games of a batch start, each with its own luck
DECISIONS_A_KIND = 20_000
MAX_ROUNDS = 9
LEAST = 100
DEALS = 110  # games of each kind that are dealt, looked at and dropped as plain Python
# What no game reaches, and why.
OUT_OF_REACH = {
    "open_scrolls": "asked only when deck and discards are empty: slots and display hold 15 of the 16 cards at most",
}
# Blocks that unbiased players hardly ever choose; the more often they are chosen, the further games get.
EAGER = {
    "build": 30.0,
    "gather": 3.0,
    "explore": 2.0,
    "craft": 3.0,
    "claim": 5.0,
    "use": 2.0,
    "yes": 2.0,
    "blueprint": 3.0,
    "roll": 5.0,
}
BLOCK_OF_ACTION = np.array([list(TABLE).index(block_of(action).name) for action in range(ACTIONS)])
BASE_BIAS = np.array([EAGER.get(name, 1.0) for name in TABLE])


@dataclass
class Hits:
    """Counts of everything that came up."""

    phases: Counter[str] = field(default_factory=Counter)
    blocks: Counter[str] = field(default_factory=Counter)
    awards: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    functions: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)  # settings that were played
    sample: StepSample = field(default_factory=StepSample)

    @property
    def counters(self) -> dict[str, Counter[str]]:
        return {name: value for name, value in vars(self).items() if isinstance(value, Counter)}

    def add(self, other: "Hits") -> None:
        """Add the counts of another run."""
        for name, counter in other.counters.items():
            self.counters[name].update(counter)
        self.sample.add(other.sample)

    @property
    def decisions(self) -> int:
        return self.phases.total()


# Playing


@dataclass(frozen=True)
class Kind:
    """A combination of settings. All combinations come up in turn, and everything else is drawn."""

    scenario: Scenario | None
    characters: bool
    tokens: bool


def kinds_for(mode: str, players: int) -> list[Kind]:
    """All combinations of scenario, characters and adventure tokens for a table; the plain game appears twice."""
    fit = [each for each in SCENARIOS if mode in each.modes and (players == 1 or not each.solo)]
    return [
        Kind(scenario, characters, tokens)
        for scenario in (None, *fit, None)
        for characters in (False, True)
        for tokens in (True, False)
        if not (characters and scenario and scenario.symmetric)
    ]


def kind_of_rules(players: int, luck: Any, number: int = 0, mode: str = "competitive") -> Rules:
    """Random settings of the kind with this number. Three of four also ask forced decisions, which the ledger of VP
    needs."""
    kinds = kinds_for(mode, players)
    return rules_of(kinds[number % len(kinds)], players, luck, mode, ask_forced=number % 4 != 3)


def rules_of(kind: Kind, players: int, luck: Any, mode: str, ask_forced: bool = True) -> Rules:
    """Random settings of a kind."""
    scenario, settings = kind.scenario, dict[str, Any]()
    terms = scenario.terms if scenario else ()
    for name in ("monk_to_pack", "scroll_replace_anytime", "masako_full_steps", "must_take_card"):
        settings[name] = bool(luck.random() < 0.5)
    if mode == "competitive" or (scenario and scenario.has_vp):
        settings |= {"final_at": int(luck.choice([3, 3, 12, 30])), "max_rounds": MAX_ROUNDS}
        settings["rope_catches"] = bool(luck.random() < 0.5)
        settings["exit_always_open"] = bool(luck.random() < 0.5) and Term.NO_SECRET_EXIT not in terms
    if mode == "competitive":
        settings["peaceful"] = bool(luck.random() < 0.1) and Term.MEETINGS_ARE_DUELS not in terms
        settings["share_peeks"] = bool(luck.random() < 0.5)
    else:
        settings |= {"coop_lives": int(luck.choice([2, 3])), "swap_consent": bool(luck.random() < 0.5)}
        settings["coop_health"] = str(luck.choice(["by_players", "solo"]))
    if Term.ENEMY_SAMURAI in terms:
        settings["one_gear_per_enemy"] = bool(luck.random() < 0.5)
    if Term.MEETINGS_ARE_DUELS in terms:
        settings["unarmed_pass"] = bool(luck.random() < 0.5)
    if Term.DRAGONS_ROAM in terms:
        settings["last_turn_dragon_sleeps"] = bool(luck.random() < 0.5)
    if Term.MONKS_FIGHT in terms:
        settings["monk_initiative"] = str(luck.choice(["infinite", "four"]))
        settings["monk_distance"] = str(luck.choice(["spaces", "tiles"]))
    return Rules(
        players,
        mode,
        scenario=scenario.name if scenario else None,
        characters=RANDOM if kind.characters else None,
        adventure_tokens=kind.tokens,
        ask_forced=ask_forced,
        **settings,
    )


def start(rules: Rules, luck: Any) -> Game:
    """Start a game: a sixth of them at set-up, half of them with a fight (which may end the game)."""
    seed, where = int(luck.integers(1 << 40)), luck.random()
    if where < 1 / 6:
        return Game(rules, seed)
    game = midgame(rules, seed)
    if where < 2 / 3:
        rush_into_a_fight(game, luck)
    return start(rules, luck) if game.over else game  # a co-op game may be lost at once


def copied(games: Any) -> Any:
    """Copy records as bytes, because NumPy's own copy leaves the padding between fields undefined."""
    copy = np.empty_like(games)
    copy.view(np.uint8)[:] = games.view(np.uint8)
    return copy


def reseeded(game: Game, luck: Any) -> Any:
    """A copy of the game as a batch of one, with its own luck."""
    games = copied(game.compiled.games)
    games["streams"]["words"] = luck.integers(1, 1 << 32, size=games["streams"]["words"].shape, dtype=np.uint32)
    return games


def bias(luck: Any) -> Any:
    """How much one player likes each action: eager to build and gather, but no two players are alike."""
    return (BASE_BIAS * np.exp(luck.normal(0.0, 1.2, len(TABLE))))[BLOCK_OF_ACTION]


def choose(masks: Any, biases: Any, luck: Any) -> Any:
    """Choose a legal action for each game, by its bias; NO_ACTION where nothing is legal."""
    legal = np.unpackbits(masks.view(np.uint8), axis=1, count=ACTIONS, bitorder="little")
    # The minimum of exponential times with these rates: each action wins with a probability proportional to its bias.
    times = np.where(legal, luck.standard_exponential((len(masks), ACTIONS), dtype=np.float32) / biases, np.inf)
    return np.where(legal.any(axis=1), times.argmin(axis=1), NO_ACTION)


class Batch:
    """Games under the same rules that are played together; one that ends is replaced by another."""

    def __init__(self, rules: Rules, luck: Any, hits: Hits) -> None:
        self.rules, self.luck, self.hits = rules, luck, hits
        self.starts = [start(rules, luck) for _ in range(STARTS)]
        self.games, self.masks = zeros(State, AT_ONCE), words(AT_ONCE)
        self.biases = np.ones((AT_ONCE, ACTIONS))
        self.book = Ledger(rules, self.games) if rules.ask_forced and rules.has_vp else None
        self.count_book = CountBook(rules, self.games) if rules.ask_forced else None
        for g in range(AT_ONCE):
            self._begin(g)

    def _begin(self, g: int) -> None:
        """Start a game and go on to its first decision; it may be over before that."""
        self.biases[g] = bias(self.luck)
        self.games["reason"][g] = Reason.LOST
        while self.games["reason"][g]:
            begun = reseeded(self.starts[self.luck.integers(STARTS)], self.luck)
            self.games[g : g + 1].view(np.uint8)[:] = begun.view(np.uint8)
            if self.book:
                self.book.restart(g, self.games[g])
            if self.count_book:
                self.count_book.restart(g, self.games[g])
            self._step(g, g + 1, integers([NO_ACTION] * AT_ONCE))

    def _step(self, first: int, last: int, actions: Any) -> None:
        fault = step_games(self.games, self.rules.tables, first, last, actions, self.masks)
        assert fault == 0, f"the rules are stuck: {Fault(fault).name}"

    def play_on(self) -> None:
        """Play one decision in each game, with all checks."""
        before, actions = copied(self.games), integers(choose(self.masks, self.biases, self.luck))
        _count(self.hits, phases_of(before), actions)
        self._step(0, AT_ONCE, actions)
        check_games(self.rules, self.games, self.masks)
        if self.book:
            self.hits.awards.update(award.reason for award in self.book.write(before, actions, self.games))
        if self.count_book:
            self.count_book.write(before, actions, self.games)
        self.hits.sample.pick(before, actions, self.games)
        for g in np.flatnonzero(self.games["reason"]).tolist():
            self.hits.ends[Reason(int(self.games["reason"][g])).name] += 1
            self._begin(g)


def _count(hits: Hits, phases: Any, actions: Any) -> None:
    times_asked = np.bincount(phases, minlength=FIRST_AUTOMATIC)
    for phase in ASKED:
        hits.phases[phase.name] += int(times_asked[phase])
    for block, times in zip(TABLE, np.bincount(BLOCK_OF_ACTION[actions], minlength=len(TABLE)), strict=True):
        hits.blocks[block] += int(times)


def fuzz(players: int, decisions: int, seed: int, mode: str = "competitive") -> Hits:
    """Play all kinds of rules in turn for one number of players."""
    luck, hits, kind = np.random.default_rng([seed, players]), Hits(), 0
    while hits.decisions < decisions:
        rules = kind_of_rules(players, luck, kind, mode)
        try:
            batch = Batch(rules, luck, hits)
            for _ in range(min(DECISIONS_A_KIND, decisions - hits.decisions) // AT_ONCE + 1):
                batch.play_on()
        except AssertionError as error:
            error.add_note(f"{mode}, players {players}, seed {seed}, kind {kind}: {rules}")
            raise
        hits.kinds[f"{mode}, scenario {rules.scenario or 'none'}"] += 1
        kind += 1
    return hits


# Reporting


def missed(hits: Hits, least: int) -> list[str]:
    """Everything that came up less often than it should have."""
    wanted = {
        "phase": (hits.phases, [phase.name for phase in ASKED]),
        "block": (hits.blocks, list(TABLE)),
        "award": (hits.awards, list(REASONS)),
        "end": (hits.ends, ["COUNTDOWN", "ROUND_CAP", "WON", "LOST"]),
        "function": (hits.functions, list(hits.functions)),
    }
    return too_rare(wanted, least, OUT_OF_REACH)


def calls_in_plain_python(sample: StepSample, deals: int = DEALS) -> Counter[str]:
    """Repeat the steps in other processes, because this one has compiled rules. Returns the calls of each rule
    function."""
    processes = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        commands = []
        for k in range(processes):
            path = Path(folder) / f"sample{k}.npz"
            sample.part(k, processes).save(path)
            commands.append(["tests.helpers.rulecalls", str(path), str(-(-deals // processes))])
        return run_in_plain_python(commands)


def main() -> int:
    parser = argparse.ArgumentParser(description="Play many games in all kinds of positions and check everything.")
    parser.add_argument("--decisions", type=int, default=1_000_000, help="for each number of players")
    parser.add_argument("--mode", choices=("competitive", "coop"), help="only this mode; it does not reach everything")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=int, default=LEAST, help="hits wanted of each phase, block, award, function")
    given = parser.parse_args()
    hits = Hits()
    tables = [(mode, players) for mode, players in reversed(TABLES) if given.mode in (None, mode)]
    with ProcessPoolExecutor(min(os.cpu_count() or 1, len(tables)), mp_context=get_context("spawn")) as pool:
        parts = [pool.submit(fuzz, players, given.decisions, given.seed, mode) for mode, players in tables]
        for (mode, players), part in zip(tables, parts, strict=True):
            hits.add(part.result())
            print(f"{mode}, {players} players: {part.result().decisions:,} decisions, all invariants hold", flush=True)
    show(hits.counters)
    hits.functions = repeat_in_plain_python(len(hits.sample.actions), lambda: calls_in_plain_python(hits.sample))
    return report(missed(hits, given.least), f"{hits.decisions:,} decisions", given.least)


if __name__ == "__main__":
    sys.exit(main())

"""Plays many random games of Fuji and checks everything: `FUJIKORO_CHECKED=1 python -m tests.helpers.fuji_fuzz
--decisions 25000`.

All kinds of rules come up in turn; most games begin with figures all over the map, tired and hurt. At every decision
all invariants hold (`fuji_invariants`); now and then the position is written as JSON and as bytes and read back, and
views show nothing hidden. Every game is recorded, and replayed from its file. Steps of every kind are repeated as plain
Python and must give the same result bit for bit. Hits are counted: every phase, block of actions, end and rule function
must come up.
"""

import argparse
import cProfile
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np

import fuji_env.rules
from fuji_env import Game, Rules, Session
from fuji_env.content.model import SKILLS
from fuji_env.record import Recording
from fuji_env.rules.base.actions import TABLE
from fuji_env.rules.base.names import INJURIES, Reason, Skill
from fuji_env.rules.base.phases import FIRST_AUTOMATIC, Phase
from fuji_env.rules.base.state import MOST_BARS
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.kernel.position.kinds import members
from fujikoro_env.kernel.record import Replay
from tests.helpers.fuji_invariants import check
from tests.helpers.fuji_transcript import Hurrying
from tests.helpers.fuzzing import calls_of, repeat_in_plain_python, report, run_in_plain_python, show, too_rare

KINDS: Final[tuple[dict[str, Any], ...]] = (
    {"players": 2, "variant": "A"},
    {"players": 2, "variant": "B"},
    {"players": 3},
    {"players": 4},
)
SCENARIOS, LEVELS = 7, 4
WANDERING = (0.05, 0.15, 0.5, 1.0)  # shares of random decisions, by game
LOOK_EVERY = 20  # decisions
A_KIND = 120  # steps of each kind of answer that are repeated as plain Python
LEAST = 100
NEAR = 2  # cards from a village
EAGER = 0.7  # share of the plans that lead across a token where possible
OF_NO_GAME = ("batches.py", "rewards.py")  # not needed for a single game; they have tests of their own
RULE_FILES = [
    path for path in sorted(Path(fuji_env.rules.__file__).parent.rglob("*.py")) if path.name not in OF_NO_GAME
]
OUT_OF_REACH = {"honest_word": "only agents ask for it"}
Step = tuple[bytes, int, bytes]  # saved game before, action, digest after as bytes


@dataclass
class Hits:
    """Counts of everything that came up, and steps to repeat."""

    phases: Counter[str] = field(default_factory=Counter)
    blocks: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    functions: Counter[str] = field(default_factory=Counter)
    steps: dict[str, list[Step]] = field(default_factory=dict)

    @property
    def counters(self) -> dict[str, Counter[str]]:
        return {name: value for name, value in vars(self).items() if isinstance(value, Counter)}

    @property
    def decisions(self) -> int:
        return self.phases.total()

    def add(self, other: "Hits") -> None:
        """Add the counts of another run."""
        for name, counter in other.counters.items():
            self.counters[name].update(counter)
        for kind, steps in other.steps.items():
            known = self.steps.setdefault(kind, [])
            known += steps[: A_KIND - len(known)]

    def keep(self, kind: str, before: Game, action: int, after: Game) -> None:
        """Keep a step, if few of its kind were kept."""
        known = self.steps.setdefault(kind, [])
        if len(known) < A_KIND:
            known.append((before.to_bytes(), action, after.digest().encode()))


def rules_of(kind: dict[str, Any], luck: Any) -> Rules:
    """Random settings of a kind. Three of four games also ask forced decisions."""
    figures = 4 if kind.get("variant") == "B" else kind["players"]
    others = [str(name) for name in luck.permutation([name for name in SKILLS if name != "scout"])]
    return Rules(
        **kind,
        skills=["scout", *others[: figures - 1]] if luck.random() < 0.4 else None,
        scenario=int(luck.integers(SCENARIOS)) + 1,
        level=int(luck.integers(LEVELS)) + 1,
        talk=str(luck.choice(["words", "none", "open"])),
        late_eruption=bool(luck.random() < 0.5),
        ask_forced=bool(luck.random() < 0.75),
    )


def fuzz(kind: dict[str, Any], decisions: int, seed: int) -> Hits:
    """Play games of a kind, with all checks."""
    luck, hits, number = np.random.default_rng([seed, *map(ord, str(kind))]), Hits(), 0
    while hits.decisions < decisions:
        rules = rules_of(kind, luck)
        try:
            _play(begun(rules, seed * 1_000_000 + number, luck), Hurrying(number), luck, hits)
        except AssertionError as error:
            error.add_note(f"seed {seed}, game {number}: {rules}")
            raise
        number += 1
    return hits


def begun(rules: Rules, seed: int, luck: Any) -> Session:
    """A session that begins with a new game, or three times in four with figures all over the map, tired and hurt."""
    if luck.random() < 0.25:
        return Session(rules, seed)
    game = Game(rules, seed)
    s, layout, tables = game.state, rules.tables[0].layouts[rules.scenario_number], rules.tables[0]
    tokens = members(int(layout.eruption_tokens))
    everywhere = members(int(layout.landscape) | int(layout.village))
    near_tokens = [place for place in everywhere if any(int(layout.beside[token]) >> place & 1 for token in tokens)]
    near_villages = [place for place in everywhere if layout.to_village[place] <= NEAR]
    places = (everywhere, near_tokens, near_villages)[luck.integers(3)]
    for k in range(rules.figures):
        me = s.figures[k]
        me.at = int(luck.choice(places))
        me.stamina = int(luck.integers(int(tables.track)))
        passed = (int(tables.plasters) & ((2 << int(me.stamina)) - 1)).bit_count()
        suffered = luck.permutation(INJURIES)[: luck.integers(passed + 1)]
        me.injuries = sum(1 << int(kind) for kind in suffered)
        if me.skill == Skill.GATHERER:
            me.bars = int(luck.integers(MOST_BARS + 1))
    if all(int(layout.village) >> int(s.figures[k].at) & 1 for k in range(rules.figures)):
        s.figures[0].at = int(layout.white)
    assert game.find_legal() == 0
    return Session(game)


def _play(session: Session, player: Hurrying, luck: Any, hits: Hits) -> None:
    """Play a game, record it, and replay it."""
    player.wandering = float(luck.choice(WANDERING))
    rules = session.game.rules
    hits.kinds[f"scenario {rules.scenario}, level {rules.level}, {rules.players} {rules.variant or ''}".rstrip()] += 1
    while not session.over:
        game = session.game
        check(game)
        if session.steps % LOOK_EVERY == 0:
            look_around(game, luck)
        action, before = player.choose(game), game.clone()
        if luck.random() < EAGER and (walk := across_a_token(game)) >= 0:
            action = walk
        block = TABLE.block_of(action).name
        hits.phases[before.phase.name] += 1
        hits.blocks[block] += 1
        session.submit(action)
        answer = before.action_name(action) if block in ("play", "walk") else block
        for kind in (f"{before.phase.name} {answer}", *events(before, session.game)):
            hits.keep(kind, before, action, session.game)
    check(session.game)
    hits.ends[Reason(int(session.game.state.reason)).name] += 1
    replay = Replay(Recording.from_json(session.recording().to_json()))
    assert replay.game_at(replay.last).digest() == session.game.digest(), "the replay is another game"


def events(before: Game, after: Game) -> Iterator[str]:
    """What a step ended or began."""
    old, new = before.state, after.state
    if after.over:
        yield f"over {int(new.reason)}"
    if old.round_number != new.round_number:
        yield "round"
    if old.stack[1].phase != new.stack[1].phase:
        yield f"begins {int(new.stack[1].phase)}"


def across_a_token(game: Game) -> int:
    """A place that asks whether to walk around an eruption token; -1 if there is none. Few have one."""
    for action in game.legal_actions() if game.phase == Phase.PLAN else ():
        after = game.clone()
        after.step(int(action))
        if after.phase == Phase.WALK:
            return int(action)
    return -1


def look_around(game: Game, luck: Any) -> None:
    """Write a position and read it back, and compare views of games that differ in what they hide."""
    assert Game.from_bytes(game.to_bytes()).digest() == game.digest(), "read back from bytes"
    assert Game.from_json(game.to_json()).digest() == game.digest(), "read back from JSON"
    for player in range(game.rules.players):
        view, dealt = game.view(player), game.determinize(player, int(luck.integers(1 << 40)))
        check(dealt)
        assert dealt.view(player).digest() == view.digest(), f"player {player} sees something hidden"
        assert Game.from_json(view.to_json()).digest() == view.digest(), f"the view of player {player}, from JSON"
        assert (dealt.observe(player, "compact") == game.observe(player, "compact")).all(), f"observed by {player}"


# --- plain Python -----------------------------------------------------------------------------------------------------


def repeat(steps: Iterator[Step]) -> None:
    """Repeat steps and compare the results."""
    for number, (saved, action, digest) in enumerate(steps):
        game = Game.from_bytes(saved)
        name, phase = game.action_name(action), game.phase.name
        game.step(action)
        assert game.digest().encode() == digest, f"step {number}, {name} in {phase}: compiled rules gave another result"
        _ = game.outcome
        if number % LOOK_EVERY == 0:
            game.view(0)
            game.determinize(0, number)
            Game(game.rules, number)


def calls_in_plain_python(steps: list[Step]) -> Counter[str]:
    """Repeat steps in other processes. Returns the calls of each rule function."""
    processes = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        commands = []
        for k in range(processes):
            path = Path(folder) / f"steps{k}.json"
            part = [(saved.hex(), action, digest.decode()) for saved, action, digest in steps[k::processes]]
            path.write_text(json.dumps(part))
            commands.append(["tests.helpers.fuji_fuzz", "--repeat", str(path)])
        return run_in_plain_python(commands)


def _repeat_file(path: Path) -> int:
    assert INTERPRETED, "compiled rules can't be counted: set NUMBA_DISABLE_JIT=1"
    steps = [(bytes.fromhex(saved), action, digest.encode()) for saved, action, digest in json.loads(path.read_text())]
    profile = cProfile.Profile()
    profile.enable()
    repeat(iter(steps))
    profile.disable()
    print(json.dumps(calls_of(profile, RULE_FILES)))
    return 0


# --- the report -------------------------------------------------------------------------------------------------------


def missed(hits: Hits, least: int) -> list[str]:
    """Everything that came up less often than it should have."""
    return too_rare(
        {
            "phase": (hits.phases, [phase.name for phase in Phase if 0 < phase < FIRST_AUTOMATIC]),
            "block": (hits.blocks, list(TABLE)),
            "end": (hits.ends, [reason.name for reason in Reason if reason]),
            "function": (hits.functions, list(hits.functions)),
        },
        least,
        OUT_OF_REACH,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Play many games of Fuji in all settings and check everything.")
    parser.add_argument("--decisions", type=int, default=25_000, help="for each number of players and variant")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=int, default=LEAST, help="hits wanted of each phase, block, end, function")
    parser.add_argument("--repeat", metavar="FILE", help="repeat the steps of a file as plain Python")
    given = parser.parse_args()
    if given.repeat:
        return _repeat_file(Path(given.repeat))
    hits = Hits()
    with ProcessPoolExecutor(os.cpu_count() or 1, mp_context=get_context("spawn")) as pool:
        parts = [pool.submit(fuzz, kind, given.decisions, given.seed) for kind in KINDS]
        for kind, part in zip(KINDS, parts, strict=True):
            hits.add(part.result())
            print(f"fuji, {kind}: {part.result().decisions:,} decisions, all invariants hold", flush=True)
    steps = [step for kept in hits.steps.values() for step in kept]
    show(hits.counters)
    hits.functions = repeat_in_plain_python(len(steps), lambda: calls_in_plain_python(steps))
    return report(missed(hits, given.least), f"{hits.decisions:,} decisions of Fuji", given.least)


if __name__ == "__main__":
    sys.exit(main())

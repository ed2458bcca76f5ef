"""Exact odds of small dragon fights, compared with a million fights by the engine.

Both use the same policy: roll all dice, and otherwise take the first legal action. So the cube that breaks or is
given up is the one on the lowest cell, the left weapon comes first, nobody sends a monk, takes a tooth or retreats.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from math import log
from typing import Any, NamedTuple

import numpy as np
import pytest

from fujikoro_env import Game
from fujikoro_env.content import load_pack
from fujikoro_env.kernel.commands import NO_ACTION
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.kernel.records import zeros
from fujikoro_env.rules.base.actions import ROLL, WORD_BITS
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.engine.engine import step_games
from fujikoro_env.rules.engine.hidden import deal_hidden
from tests.helpers.fights import INSIDE, lair
from tests.helpers.gear import put_magic
from tests.helpers.invariants import Cell, is_weapon, part_of, pieces
from tests.helpers.tables import arrays_of, do, integers, put_gear, put_monks, words


@dataclass(frozen=True)
class Case:
    """One samurai against one dragon. The magic of a weapon lies on the left one, and its blueprint is lost."""

    weapon: tuple[str, ...]
    helmet: str
    dragon: str
    magic: bool = False

    def __str__(self) -> str:
        return f"{'/'.join(self.weapon)}{'+' * self.magic} {self.helmet or 'bare'} {self.dragon}"


CASES = [
    Case(("WWMMM",), "", "rain_whelp"),
    Case(("WWMM",), "MMMM", "rain_whelp"),  # the dragon wins the tie
    Case(("WWMMM",), "WMT", "rain_whelp"),
    Case(("WWMMT",), "TTTMM", "venom_fang"),
    Case(("WMW", "MTW"), "MMMM", "tide_whelp"),
    Case(("WMWMM",), "MMM", "rain_whelp"),  # often to be mended
    Case(("WWMM..WW",), "WMWMWMM", "frost_whelp"),
    Case(("WWWMMMT",), "MMTTMMTT", "bamboo_fang"),
    Case(("WWMM",), "MM", "rain_whelp", magic=True),
    Case(("W", "W", "M", "T", "T"), "TMW", "rain_whelp"),
]
FIGHTS = (200 if INTERPRETED else 1_000_000) // len(CASES)
BATCH = 8192
# How often a correct engine would fail here, if the seeds were drawn anew each time.
FALSE_ALARM = 1e-6


@pytest.mark.slow
@pytest.mark.rule("ATK-2")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_fights_are_won_as_often_as_their_exact_odds_say(case):
    """Chernoff bound: the chance that a share of n fights is off by the divergence d to one side is at most exp(-nd).
    The tolerance accounts for two sides and the number of cases."""
    exact, fought = exact_odds(case), fought_odds(case)
    assert FIGHTS * divergence(fought, exact) <= log(2 * len(CASES) / FALSE_ALARM), (fought, exact)


def divergence(share: float, odds: float) -> float:
    """Kullback-Leibler divergence between two coins."""
    return sum(p * log(p / q) for p, q in ((share, odds), (1 - share, 1 - odds)) if p > 0)


# Exact computation: all states of the fight with their odds, roll by roll. Knocked-out samurai are dropped.

Odds = dict[Any, float]
Cubes = dict[Cell, str]
WORTH = {"W": 1, "M": 2, "T": 3}
ROUNDS = 30
SLOTS = ("left", "right")


class Arms(NamedTuple):
    cubes: tuple[tuple[Cell, str], ...]  # lowest cell first
    magic: bool


def exact_odds(case: Case) -> float:
    """Odds of winning. A fight has at most 30 rounds (DRAG-7)."""
    pack = load_pack("base")
    dragon = next(dragon for dragon in pack.dragons if dragon.id == case.dragon)
    dice = next(kind.dice for kind in pack.dragon_kinds if kind.colour == dragon.colour)
    arms, won = arms_of(case), 0.0
    fights: Odds = {(arms, case.helmet, dragon.health[1]): 1.0}
    samurai_first = initiative(arms) > dragon.initiative  # INIT-3
    for turn in range(2 * ROUNDS):
        if (turn % 2 == 0) == samurai_first:
            for slot in SLOTS:
                fights = after_roll(fights, slot)
                won += fights.pop("won", 0.0)
        else:
            fights = after_dragon(fights, dice)
    return won


def arms_of(case: Case) -> Arms:
    grid = (((row, column), kind) for row, line in enumerate(case.weapon) for column, kind in enumerate(line))
    return Arms(tuple((cell, kind) for cell, kind in grid if kind != "."), case.magic)


def initiative(arms: Arms) -> int:
    weapons = [(weapon_in(arms, slot), 4 * has_magic(arms, slot)) for slot in SLOTS]
    return max((length(weapon) + more for weapon, more in weapons if usable(weapon)), default=0)


def weapon_in(arms: Arms, slot: str) -> Cubes:
    """The weapon on the left, which may be two-handed, or on the right."""
    cubes = dict(arms.cubes)
    for piece in pieces(set(cubes)):
        if (part_of(piece) == "right") == (slot == "right"):
            return {cell: cubes[cell] for cell in sorted(piece)}
    return {}


def has_magic(arms: Arms, slot: str) -> bool:
    return arms.magic and slot == "left"


def length(weapon: Cubes) -> int:
    rows, columns = {row for row, _ in weapon}, {column for _, column in weapon}
    return max(len(rows), len(columns))


def usable(weapon: Cubes) -> bool:
    """WEAP-5."""
    two_handed = part_of(set(weapon)) == "both"
    return list(weapon.values()).count("W") >= (3 if two_handed else 2)


def after_roll(fights: Odds, slot: str) -> Odds:
    after: Odds = defaultdict(float)
    for (arms, helmet, health), odds in fights.items():
        for (left, hits), share in roll_of(arms, slot).items():
            after["won" if hits >= health else (left, helmet, health - hits)] += odds * share
    return after


@cache
def roll_of(arms: Arms, slot: str) -> Odds:
    """Odds of each result of rolling all dice of one weapon: the remaining weapons, and the hits."""
    weapon = weapon_in(arms, slot)
    if not usable(weapon):
        return {(arms, 0): 1.0}
    found: Odds = defaultdict(float)
    for (hits, broken), odds in throw("".join(sorted(weapon.values())) + "G" * has_magic(arms, slot)).items():
        found[break_off(arms, weapon, broken), hits] += odds
    return found


@cache
def throw(dice: str) -> Odds:
    """Hits, and the kinds of the dice that break."""
    if not dice:
        return {(0, ""): 1.0}
    found: Odds = defaultdict(float)
    faces = load_pack("base").dice["WMTG".index(dice[0])].faces
    for (hits, broken), odds in throw(dice[1:]).items():
        for face in faces:
            found[hits + face.hits, dice[0] * face.breaks + broken] += odds / len(faces)
    return found


def break_off(arms: Arms, weapon: Cubes, broken: str) -> Arms:
    """ATK-3, then WEAP-6, then MAGIC-3: without a blueprint the magic goes with the first cube."""
    if not broken:
        return arms
    left = dict(arms.cubes)
    for kind, number in Counter(broken).items():
        for cell in [cell for cell in weapon if weapon[cell] == kind][:number]:
            del left[cell]
    while not is_weapon(set(left), right_part=True):
        del left[min(left)]
    return Arms(tuple(left.items()), magic=False)


def after_dragon(fights: Odds, dice: int) -> Odds:
    after: Odds = defaultdict(float)
    for (arms, helmet, health), odds in fights.items():
        for hits, share in hits_of(dice).items():
            if hits <= sum(WORTH[kind] for kind in helmet):  # DMG-2
                after[arms, pay(helmet, hits), health] += odds * share
    return after


@cache
def hits_of(dice: int) -> Odds:
    found: Odds = defaultdict(float)
    for (hits, _), odds in throw("T" * dice).items():
        found[hits] += odds
    return found


def pay(helmet: str, hits: int) -> str:
    """DMG-1."""
    while hits > 0:
        hits -= WORTH[helmet[0]]
        helmet = helmet[1:]
    return helmet


# By the engine


def fought_odds(case: Case) -> float:
    position, seeds = before_the_fight(case), range(FIGHTS)
    return sum(won_of(position, seeds[first : first + BATCH]) for first in range(0, FIGHTS, BATCH)) / FIGHTS


def before_the_fight(case: Case) -> Game:
    game = lair(case.dragon, weapon=list(case.weapon))
    put_monks(game, 0, "weapon")
    put_gear(game, 0, helmet=[case.helmet[:4], case.helmet[4:]])
    if case.magic:
        put_magic(game, 0, "weapon")
    do(game, "move")
    game.state.settings.ask_forced = 0
    return game


def won_of(position: Game, seeds: range) -> int:
    """Number of fights won if the position is played on with dice from each of these seeds."""
    games, masks = zeros(State, len(seeds)), words(len(seeds))
    games.view(np.uint8).reshape(len(seeds), -1)[:] = arrays_of(position).games.view(np.uint8)
    masks[:] = position.compiled.masks
    for k, seed in enumerate(seeds):
        deal_hidden(games, k, 0, seed)
    actions = integers([position.parse_action(f"step({INSIDE})")] * len(seeds))
    while (actions != NO_ACTION).any():
        assert step_games(games, position.rules.tables, 0, len(seeds), actions, masks) == 0
        actions[:] = np.where(games["fight"]["dragon"] != 0, choices(masks), NO_ACTION)
    return int(np.count_nonzero(games["players"]["vp"][:, 0]))


def choices(masks: Any) -> Any:
    """Roll all dice, or else the first legal action."""
    word = np.argmax(masks != 0, axis=1)
    bits = masks[np.arange(len(masks)), word].astype(np.int64)
    first_legal = word * WORD_BITS + np.bitwise_count((bits & -bits) - 1)
    may_roll = masks[:, ROLL // WORD_BITS] >> (ROLL % WORD_BITS) & 1
    return np.where(may_roll, ROLL, first_legal)

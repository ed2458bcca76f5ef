"""Rewards once more, as plain Python over a game: what compiled rewards are compared with."""

from typing import Any

import numpy as np

from fujikoro_env import Game, Outcome
from fujikoro_env.content.model import GEAR
from fujikoro_env.rules.base.names import Character, Where
from fujikoro_env.rules.base.state import CARD_SLOTS
from tests.helpers.layouts import match_gear

COMMON = {"won": 1.0, "lost": -1.0}


def rank_rewards(outcome: Outcome) -> list[float]:
    """Those who tie get the mean of what they would get one after the other."""
    if outcome.reason in COMMON:
        return [COMMON[outcome.reason]] * len(outcome.ranking)
    ladder = np.linspace(1, -1, len(outcome.ranking))
    return [float(ladder[rank - 1 : rank - 1 + outcome.ranking.count(rank)].mean()) for rank in outcome.ranking]


def win_rewards(outcome: Outcome) -> list[float]:
    if outcome.reason in COMMON:
        return rank_rewards(outcome)
    players, winners = len(outcome.ranking), outcome.winners
    return [(player in winners) / len(winners) - 1 / players for player in range(players)]


def ends(game: Game, kind: str) -> list[float]:
    if game.outcome is None or kind == "vp":
        return [0.0] * game.rules.players
    return win_rewards(game.outcome) if kind == "win" else rank_rewards(game.outcome)


def worths(game: Game, kind: str) -> list[float]:
    if kind == "vp":
        return [float(vp) for vp in game.scores]
    if kind != "shaped" or game.over:
        return [0.0] * game.rules.players
    return [progress(game)] * game.rules.players if game.rules.is_coop else leads(game)


def leads(game: Game) -> list[float]:
    others = [[vp for q, vp in enumerate(game.scores) if q != p] for p in range(game.rules.players)]
    leads = [vp - float(np.mean(rest)) for vp, rest in zip(game.scores, others, strict=True)]
    return [min(1.0, max(-1.0, lead / game.rules.final_at)) for lead in leads]


def progress(game: Game) -> float:
    return sum(parts(game).values()) / 6


def parts(game: Game) -> dict[str, float]:
    s, pack = game.state, game.rules.pack
    return {
        "map": np.count_nonzero(s.tile) / len(s.tile),
        "gear": sum(_gear_part(game, gear) for gear in range(len(GEAR))) / len(GEAR),
        "dragons": int(s.dragons_beaten).bit_count() / len(pack.dragons),
        "aim": _aim(game),
        "out": int((s.players["left_volcano"] > 0).sum()) / game.rules.players,
    }


def _gear_part(game: Game, gear: int) -> float:
    slots = range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS)
    owned = [(slot, int(game.state.blueprints[slot].where) - Where.OWNED) for slot in slots]
    held = [(int(game.state.blueprints[slot].card), p) for slot, p in owned if 0 <= p < game.rules.players]
    if any(_is_complete(game, p, gear, card) for card, p in held):
        return 1.0
    return 0.5 if held else 0.0


def _is_complete(game: Game, player: int, gear: int, card: int) -> bool:
    found: Any = np.zeros(1, np.int64)
    me = game.state.players[player : player + 1].copy()
    match_gear(me, gear, game.rules.tables[0].blueprints[card - 1 : card].copy(), found)
    never = gear == GEAR.index("helmet") and me[0].character == Character.DAISUKE  # CHAR-71
    return bool(me[0].gear[gear].magic and found[0] and not never)


def _aim(game: Game) -> float:
    s = game.state
    if game.rules.scenario == "ronin":
        return min(game.scores[0], 50) / 50
    if game.rules.scenario == "three_fallen_samurai":
        return int((s.players["at"][1:4] == 0).sum()) / 3
    number = [dragon.colour for dragon in game.rules.pack.dragons].index("white")
    if int(s.dragons_beaten) >> number & 1:
        return 1.0
    if game.rules.scenario == "tame_the_beast" and s.dragon_at[-1] == number + 1:
        return 1.0
    return 0.5 if s.dragons[number].place else 0.0

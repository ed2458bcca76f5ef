"""Features of a player's position at the end of a turn, and of the whole table: what a value network sees.

`FEATURES_OF_PLAYER` and `FEATURES_OF_TABLE` declare all of them; docs/values.md lists them. The first ones are the
features of `shogun`'s evaluation (evaluation.py), most of which are scaled by the time left and are 0 in the final
chapter. The others are plain numbers, and some are for the final chapter alone.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from fujikoro_agents.scripted.evaluation import (
    FEATURES,
    TURNS_OUTSIDE,
    claims_of,
    first_turn_out,
    write_features,
)
from fujikoro_agents.scripted.hunting import hits_of
from fujikoro_agents.scripted.running import turns_left, turns_to_rope
from fujikoro_agents.scripted.taking import scroll_worth
from fujikoro_env.content.model import GEAR
from fujikoro_env.kernel.jit import Floats, IntTable, rule
from fujikoro_env.kernel.masks import count_bits
from fujikoro_env.rules.base.names import ADVENTURES, GEARS, RESOURCE_KINDS, SPOTS, Character, Gear, Outside
from fujikoro_env.rules.base.state import PLAYERS, SCROLL_SLOTS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.characters.boards import completed_sandals
from fujikoro_env.rules.fights.attack import battle_initiative
from fujikoro_env.rules.fights.damage import strength
from fujikoro_env.rules.final.shogun import TRACKS, unclaimed
from fujikoro_env.rules.gear.cards import has_gear_card
from fujikoro_env.rules.gear.cells import filled_cells
from fujikoro_env.rules.move import steps_of
from fujikoro_env.rules.pack import free_slots


class Feature(NamedTuple):
    """A number that the network sees."""

    name: str
    doc: str


_CHARACTERS: Final = [character.name.lower() for character in Character if character != Character.SYMMETRIC]
_OWN: Final = (
    Feature("vp_now", "VP"),
    Feature("hits_now", "expected hits per round of a fight"),
    Feature("initiative_now", "initiative in a fight"),
    Feature("helmet_now", "hits that the helmet absorbs"),
    Feature("sandals_now", "1 if the sandals are complete"),
    Feature("pool", "discs in the pool"),
    Feature("down", "1 if unconscious"),
    Feature("inside", "1 if inside the volcano"),
    Feature("at_foot", "1 if outside at the foot of the volcano"),
    *(Feature(f"{spot}_monks", f"monks at the spot {spot}") for spot in ("pool", "scroll", "weapon", "pack")),
    *(Feature(f"{kind}_now", f"{kind} in the pack") for kind in ("wood", "metal", "tooth")),
    Feature("free", "free slots in the pack"),
    Feature("powers_now", "worth of the scrolls' powers"),
    Feature("tokens_now", "adventure tokens"),
    Feature("claims_now", "VP that the palace would pay"),
    *(Feature(f"{gear}_gear_card", f"1 if it has a gear card for its {gear}") for gear in GEAR),
    *(Feature(f"{gear}_cubes", f"cubes in its {gear}") for gear in GEAR),
    Feature("steps", "steps of a move"),
    Feature("discs_laid", "discs on the action fields"),
    Feature("looks", "1 if its weapon card gives a look instead of a VP"),
    Feature("unclaimed", "palace bonuses that it could claim"),
    Feature("started_final", "1 if it started the final chapter"),
    Feature("first_player", "1 if it is the first player"),
    Feature("wait", "turns of others before its next turn, as a share of a round"),
    Feature("turns", "final chapter: turns left, if it is inside or at the palace"),
    Feature("at_palace", "final chapter: 1 if it is at the palace"),
    Feature("rope_turns", "final chapter: turns until the rope can be climbed, if it is inside"),
    Feature("spare_turns", "final chapter: turns left after the first in which it can be on the rope, if it is inside"),
    Feature("lost", "final chapter: 1 if it is inside and can't be on the rope in time"),
    Feature("claims_in_time", "final chapter: VP that the palace pays in the turns left"),
    *(Feature(f"is_{name}", f"1 if the character is {name}") for name in _CHARACTERS),
)
# Features of shogun's evaluation, in its order; before the final chapter, unless they say otherwise. "By time": times
# the share of the game that is left.
_OF_EVALUATION: Final = (
    Feature("vp", "VP"),
    Feature("scoring_card", "1 if it has a weapon card that scores VP, by time"),
    Feature("helmet_card", "1 if it has a helmet card, by time"),
    Feature("sandals_card", "1 if it has a sandals card, by time"),
    Feature("helmet_progress", "1 divided by the actions that the nearest helmet card needs, by time"),
    Feature("weapon_progress", "1 divided by the actions that the nearest weapon card needs, by time"),
    Feature("sandals_progress", "1 divided by the actions that the nearest sandals card needs, by time"),
    Feature("hits", "expected hits per round of a fight, by time"),
    Feature("initiative", "initiative in a fight, by time"),
    Feature("helmet", "hits that the helmet absorbs, by time"),
    Feature("full_sandals", "1 if the sandals are complete, by time"),
    Feature("wood", "wood in the pack, by time"),
    Feature("metal", "metal in the pack, by time"),
    Feature("tooth", "teeth in the pack, by time"),
    Feature("room", "free slots in the pack, at most 3, by time"),
    Feature("pool_monk", "monks at the pool, by time"),
    Feature("scroll_monk", "monks at the scrolls, by time"),
    Feature("weapon_monk", "monks at the weapon, by time"),
    Feature("pack_monk", "monks at the pack, by time"),
    Feature("powers", "worth of the scrolls' powers, by time"),
    Feature("tokens", "adventure tokens, by time"),
    Feature("blueprints", "palace bonuses of its blueprints, each divided by the actions still needed"),
    Feature("claims", "VP that the palace would pay"),
    Feature("discs", "discs in the pool"),
    Feature("next_deed", "VP per action of the best plan"),
    Feature("unconscious", "1 if unconscious"),
    Feature("final_vp", "final chapter: VP"),
    Feature("outlook", "final chapter: VP expected from the palace and from the turns inside before it"),
    Feature("final_discs", "final chapter: discs in the pool, if it is inside"),
    Feature("final_deed", "final chapter: VP per action of the best plan, if it is inside"),
    Feature("down_and_in", "final chapter: 1 if unconscious and inside"),
    Feature("time", "share of the game that is left"),
    Feature("in_final_chapter", "1 in the final chapter"),
)
FEATURES_OF_PLAYER: Final = (*_OF_EVALUATION, *_OWN)
assert len(_OF_EVALUATION) == FEATURES
FEATURES_OF_TABLE: Final = (
    Feature("players", "number of players"),
    Feature("round", "number of the round"),
    Feature("rounds_left", "rounds until the round cap, at most 20"),
    Feature("best_vp", "VP of the leader"),
    Feature("vp_to_final", "VP that the leader needs to start the final chapter"),
    Feature("final_chapter", "1 in the final chapter"),
    Feature("countdown", "spaces of the countdown entered"),
    Feature("rope", "1 if the rope is there"),
    Feature("escaped", "players who have left the volcano"),
    Feature("dragons_beaten", "dragons beaten by all players"),
    Feature("characters", "1 if the game is played with characters"),
)
BLOCK: Final = len(FEATURES_OF_PLAYER)
TABLE: Final = len(FEATURES_OF_TABLE)
MOST_ROUNDS_LEFT: Final = 20


def place_of(name: str) -> int:
    """Index of a player's feature."""
    return [feature.name for feature in FEATURES_OF_PLAYER].index(name)


VP_NOW: Final = place_of("vp_now")
SANDALS_NOW: Final = place_of("sandals_now")
POOL: Final = place_of("pool")
FIRST_MONKS: Final = place_of("pool_monks")
FIRST_CUBES: Final = place_of("wood_now")
FREE: Final = place_of("free")
CLAIMS_NOW: Final = place_of("claims_now")
FIRST_GEAR_CARD: Final = place_of("helmet_gear_card")
FIRST_GEAR_CUBES: Final = place_of("helmet_cubes")
STEPS: Final = place_of("steps")
TURNS: Final = place_of("turns")
FIRST_CHARACTER: Final = place_of(f"is_{_CHARACTERS[0]}")


@rule
def write_block(s: State, t: Tables, p: int, block: Floats, known: IntTable) -> None:
    """Write all features of a player. `known`: memory of estimated fights."""
    for k in range(BLOCK):
        block[k] = 0.0
    write_features(s, t, p, block, known)
    write_strength(s, t, p, block)
    write_holdings(s, t, p, block)
    write_claims(s, t, p, block)
    write_order(s, p, block)
    if s.final_player != 0:
        write_final_chapter(s, t, p, block)


@rule
def write_strength(s: State, t: Tables, p: int, block: Floats) -> None:
    """Write VP and gear."""
    me = s.players[p]
    block[VP_NOW] = me.vp
    block[VP_NOW + 1] = hits_of(t, me)
    block[VP_NOW + 2] = battle_initiative(s, t, p)
    block[VP_NOW + 3] = strength(me.gear[Gear.HELMET])
    if count_bits(filled_cells(me.gear[Gear.SANDALS])) >= completed_sandals(me):
        block[SANDALS_NOW] = 1.0
    for gear in range(GEARS):
        block[FIRST_GEAR_CARD + gear] = 1.0 if has_gear_card(me, gear) else 0.0
        block[FIRST_GEAR_CUBES + gear] = count_bits(filled_cells(me.gear[gear]))
    block[STEPS] = steps_of(s, t, p)
    if me.character != Character.SYMMETRIC:
        block[FIRST_CHARACTER + me.character - 1] = 1.0


@rule
def write_holdings(s: State, t: Tables, p: int, block: Floats) -> None:
    """Write discs, monks, pack, scrolls and tokens."""
    me = s.players[p]
    block[POOL] = me.pool
    block[POOL + 1] = me.unconscious
    block[POOL + 2] = 1.0 if me.outside == Outside.INSIDE else 0.0
    block[POOL + 3] = 1.0 if me.outside == Outside.FOOT else 0.0
    for spot in range(SPOTS):
        block[FIRST_MONKS + spot] = me.monks[spot]
    for kind in range(RESOURCE_KINDS):
        block[FIRST_CUBES + kind] = me.pack[kind]
    block[FREE] = free_slots(s, p)
    for slot in range(SCROLL_SLOTS):
        if me.scrolls[slot] != 0:
            block[FREE + 1] += scroll_worth(t, int(me.scrolls[slot]))
    for kind in range(ADVENTURES):
        block[FREE + 2] += me.adventures[kind]
    block[STEPS + 1] = me.fields[0] + me.fields[1] + me.fields[2]
    block[STEPS + 2] = me.looks


@rule
def write_claims(s: State, t: Tables, p: int, block: Floats) -> None:
    """Write what the palace would pay."""
    block[CLAIMS_NOW] = claims_of(s, t, p, TURNS_OUTSIDE)
    for track in range(TRACKS):
        block[STEPS + 3] += unclaimed(s, p, track)


@rule
def write_order(s: State, p: int, block: Floats) -> None:
    """Write the place of the player in the order of turns."""
    block[STEPS + 4] = 1.0 if s.final_player == p + 1 else 0.0
    block[STEPS + 5] = 1.0 if s.first_player == p else 0.0
    players = int(s.settings.players)
    block[STEPS + 6] = ((p - s.active) % players) / players


@rule
def write_final_chapter(s: State, t: Tables, p: int, block: Floats) -> None:
    """Write the features of the final chapter: time left, and whether there is a way out."""
    me, left = s.players[p], turns_left(s, t, p)
    if me.outside == Outside.FOOT:
        return
    block[TURNS] = left
    if me.outside == Outside.PALACE:
        block[TURNS + 1] = 1.0
        block[TURNS + 5] = claims_of(s, t, p, left)
        return
    out = first_turn_out(s, t, p, left)
    block[TURNS + 2] = min(left + 1, turns_to_rope(s, t, p))
    block[TURNS + 3] = max(0, left - out)
    block[TURNS + 4] = 1.0 if out > left else 0.0
    block[TURNS + 5] = claims_of(s, t, p, left - out + 1) if out <= left else 0.0


@rule
def write_table(s: State, table: Floats) -> None:
    """Write the features of the table."""
    players, best, with_characters = int(s.settings.players), 0, 0
    for p in range(players):
        best = max(best, int(s.players[p].vp))
        with_characters |= int(s.players[p].character)
    table[0] = players
    table[1] = s.round_number
    table[2] = min(MOST_ROUNDS_LEFT, s.settings.max_rounds - s.round_number + 1)
    table[3] = best
    table[4] = max(0, s.settings.final_at - best)
    table[5] = 1.0 if s.final_player != 0 else 0.0
    table[6] = s.countdown
    table[7] = s.rope
    table[8] = s.escaped
    table[9] = count_bits(s.dragons_beaten)
    table[10] = 1.0 if with_characters != 0 else 0.0


@rule
def new_blocks() -> Any:
    """Return an array for the features of all players."""
    blocks: Any = np.zeros((PLAYERS, BLOCK), np.float32)
    return blocks

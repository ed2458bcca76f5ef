"""Features of a choice, computed without simulating it."""

from typing import Any, Final

import numpy as np

from fujikoro_agents.plans import tables as f
from fujikoro_agents.plans.following import TO_CRAFT_GEAR, TO_HIDE, TO_MEET, is_bonus, is_craft
from fujikoro_agents.plans.listing import NOT_FINAL, best_place, vp_of_bonus, vp_of_rest
from fujikoro_agents.plans.scene import Scene, actions_for
from fujikoro_agents.plans.summary import share, signed_share
from fujikoro_agents.scripted.aims import NO_AIM, deed_of_aim, space_of_aim
from fujikoro_agents.scripted.band_weights import WEIGHT_COUNT, write_weights
from fujikoro_agents.scripted.errands import Member, actions_left, fighters_beside
from fujikoro_agents.scripted.errands import gather_worth as gather_worth_to_team
from fujikoro_agents.scripted.known_fights import tally_alone
from fujikoro_agents.scripted.odds import FELL, TRIALS, WON, attack_odds, mean, new_tally
from fujikoro_agents.scripted.paths import DISTANCE, moves_for
from fujikoro_agents.scripted.plans import (
    TO_EXPLORE,
    TO_FIGHT,
    TO_GATHER,
    TO_USE_BONUS,
    gather_worth,
    has_stock,
    shows_token,
)
from fujikoro_agents.scripted.running import is_reached
from fujikoro_agents.scripted.wishes_list import DRAGON, PLACE
from fujikoro_env.kernel.jit import Floats, rule
from fujikoro_env.rules.base.actions import DONE, NO, TABLE, YES
from fujikoro_env.rules.base.names import GEARS, RESOURCE_KINDS, Outside, Spot
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.characters.boards import discs_of
from fujikoro_env.rules.gear.craft import cells_to_lay
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE
from fujikoro_env.rules.pack import resources_in_pack

BLOCKS: Final = tuple((block.first, block.size) for block in TABLE.values())
LEVELS: Final = 3.0


@rule
def deed_column(deed: int) -> int:
    """The column of a deed."""
    if is_craft(deed):
        return f.REST + 0
    if is_bonus(deed):
        return f.BONUS + 0
    if deed == TO_EXPLORE:
        return f.EXPLORE + 0
    if deed == TO_GATHER:
        return f.GATHER + 0
    if deed == TO_FIGHT:
        return f.FIGHT + 0
    if deed == TO_HIDE:
        return f.HIDE + 0
    return f.MEET if deed == TO_MEET else f.LEAVE


@rule
def worth_of_aim(s: State, t: Tables, scene: Scene, aim: int) -> float:
    """Expected gain of an aim as the script estimates it; 0 if the script has no simple estimate."""
    deed, space = deed_of_aim(aim), space_of_aim(aim)
    if is_craft(deed):
        return vp_of_rest(scene)
    if is_bonus(deed):
        return vp_of_bonus(scene, deed - TO_USE_BONUS)
    if deed == TO_EXPLORE:
        place = best_place(t, scene, space)
        return float(scene.wishes[scene.places + place]) if place >= 0 else 0.0
    if deed == TO_GATHER:
        if scene.places == PLACE:
            return gather_worth(s, t, scene.p, space, scene.wishes)
        weights: Any = np.empty(WEIGHT_COUNT, np.float32)
        write_weights(s, weights)
        return gather_worth_to_team(s, t, Member(scene.p, weights, scene.wishes), space)
    if deed == TO_FIGHT and scene.places == PLACE and t.place_of[space] >= 0:
        return float(scene.wishes[DRAGON + t.place_of[space]])
    return 0.0


@rule
def write_aim(s: State, t: Tables, scene: Scene, aim: int, gain: float, row: Floats, first: int) -> None:
    """Write the features of an aim, from column `first` on."""
    if aim == NO_AIM:
        return
    me, deed, space = s.players[scene.p], deed_of_aim(aim), space_of_aim(aim)
    far = max(0, int(scene.ways[DISTANCE + space]))
    moves = moves_for(far, 0, scene.steps)
    actions = actions_for(deed, moves)
    row[first + deed_column(deed)] = 1.0
    row[first + f.DISTANCE] = share(far, 12.0)
    row[first + f.MOVES] = share(moves, 4.0)
    row[first + f.ACTIONS] = share(actions, 6.0)
    row[first + f.THIS_TURN] = 1.0 if actions <= actions_left(s) else 0.0
    after = discs_of(me) + me.monks[Spot.POOL] if is_craft(deed) else me.pool - actions
    row[first + f.DISCS] = signed_share(after, 6.0)
    row[first + f.GAIN] = signed_share(gain, 10.0)
    row[first + f.RATE] = share(gain / actions, 5.0)
    row[first + f.RIVALS] = share(rivals_near(s, t, scene.p, space), 5.0)
    row[first + f.DANGER] = share(float(scene.dangers[space]), 20.0)
    if scene.left != NOT_FINAL:
        write_way_home(scene, space, actions, row, first)
    if is_craft(deed):
        write_craft(s, scene, deed, row, first)
    elif is_bonus(deed):
        row[first + f.FIELD + deed - TO_USE_BONUS] = 1.0
    elif deed == TO_EXPLORE:
        place = best_place(t, scene, space)
        row[first + f.LEVEL] = t.place_ring[place] / LEVELS if place >= 0 else 0.0
    elif deed == TO_GATHER:
        write_finds(s, t, scene.p, space, row, first)
    elif deed == TO_FIGHT:
        write_fight(s, t, scene, space, row, first)


@rule
def rivals_near(s: State, t: Tables, p: int, space: int) -> int:
    """Number of other samurai inside that are nearer to the tile of a space; 0 for a space without a tile."""
    place, count = int(t.place_of[space]), 0
    if place < 0:
        return 0
    own = t.place_distance[s.players[p].at, place]
    for q in range(s.settings.players):
        if q != p and s.players[q].outside == Outside.INSIDE and t.place_distance[s.players[q].at, place] < own:
            count += 1
    return count


@rule
def write_way_home(scene: Scene, space: int, actions: int, row: Floats, first: int) -> None:
    """Write how far the rope is from the goal, and whether there is time to come back."""
    if not is_reached(scene.home, space):
        row[first + f.WAY_HOME] = 1.0
        row[first + f.LATE] = 1.0
        return
    back = moves_for(scene.home[DISTANCE + space], 0, scene.steps)
    row[first + f.WAY_HOME] = share(back, 8.0)
    row[first + f.LATE] = 1.0 if actions + back > scene.left else 0.0


@rule
def write_craft(s: State, scene: Scene, deed: int, row: Floats, first: int) -> None:
    """Write what can be crafted at a rest."""
    me, room = s.players[scene.p], 0
    for gear in range(GEARS):
        if deed < TO_CRAFT_GEAR or gear == deed - TO_CRAFT_GEAR:
            room = max(room, cells_to_lay(me, gear))
    row[first + f.CUBES] = share(resources_in_pack(me), 8.0) if room != 0 else 0.0
    row[first + f.BUILD] = share(vp_of_rest(scene), 10.0)
    if deed >= TO_CRAFT_GEAR:
        row[first + f.GEAR + deed - TO_CRAFT_GEAR] = 1.0


@rule
def write_finds(s: State, t: Tables, p: int, space: int, row: Floats, first: int) -> None:
    """Write what can be gathered from a space."""
    row[first + f.SCROLL] = 1.0 if s.scroll[space] != 0 and s.scroll[space] == s.players[p].colour else 0.0
    row[first + f.MONK] = 1.0 if s.monk[space] != 0 else 0.0
    row[first + f.ADVENTURE] = 1.0 if s.adventure[space] != 0 else 0.0
    row[first + f.SPOILS] = 1.0 if s.spoils[space] != 0 else 0.0
    row[first + f.TEMPLE] = 1.0 if space >= FIRST_TEMPLE else 0.0
    row[first + f.STOCK] = 1.0 if has_stock(s, space) and s.stock_taken == 0 else 0.0
    if shows_token(s, space):
        for kind in range(RESOURCE_KINDS):
            row[first + f.CUBES_THERE + kind] = share(t.token_shows[s.token[space] - 1, kind], 4.0)


@rule
def write_fight(s: State, t: Tables, scene: Scene, space: int, row: Floats, first: int) -> None:
    """Write the odds of a fight with the dragon on the tile of a space."""
    place = int(t.place_of[space])
    dragon = int(s.dragon_at[place]) - 1 if place >= 0 else -1
    if dragon < 0:
        return
    row[first + f.PRIZE] = share(t.colour_vp[t.dragon_colour[dragon]], 10.0)
    if scene.places == PLACE:
        tally = tally_alone(s, t, scene.p, dragon, scene.known)
        row[first + f.ODDS] = share(mean(tally, WON, scene.p), 1.0)
        row[first + f.FALL] = share(mean(tally, FELL, scene.p), 1.0)
    else:
        tally = new_tally(TRIALS)
        odds = attack_odds(s, t, fighters_beside(s, t, scene.p, place), scene.p, dragon, tally)
        row[first + f.ODDS] = share(odds, 1.0)
        row[first + f.FALL] = share(mean(tally, FELL, scene.p), 1.0)


@rule
def write_answer(action: int, row: Floats, first: int) -> None:
    """Write the features of a legal answer."""
    row[first + f.ANSWER] = 1.0
    row[first + f.YES] = 1.0 if action == YES else 0.0
    row[first + f.NO] = 1.0 if action == NO else 0.0
    row[first + f.DONE] = 1.0 if action == DONE else 0.0
    for k in range(len(BLOCKS)):
        if BLOCKS[k][0] <= action < BLOCKS[k][0] + BLOCKS[k][1]:
            row[first + f.NUMBER] = (action - BLOCKS[k][0]) / BLOCKS[k][1]

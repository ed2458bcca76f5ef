"""Questions of moves, exploring and gathering, and of the eruption."""

from typing import Any, Final

from fujikoro_env.content.model import MAX_TILES_PER_LEVEL
from fujikoro_env.position.judging.case import Case
from fujikoro_env.position.judging.gear import strength
from fujikoro_env.position.judging.ground import is_in_reach, is_watched
from fujikoro_env.position.words import MONK_SOURCES
from fujikoro_env.rules.base.names import Character, Gear, Supply, Terrain
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.characters.jump import STEPS_OF_JUMP
from fujikoro_env.rules.characters.sneak import JUMPED, SNEAK_NEXT, SNEAKING, STOLEN
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE, geometry
from fujikoro_env.rules.move import LAVA_COST
from fujikoro_env.rules.scenarios.terms import Term


def judge_move(case: Case, k: int, frame: Any) -> None:
    if case.has_term(Term.STATUS_MARKERS):
        paid = frame.marks <= case.actor(k).status and not frame.thing
        case.fits(k, paid, "so much lava needs more status markers, and none is free", "SCEN-18")
    else:
        paid = LAVA_COST * int(frame.marks) <= strength(case.actor(k).gear[Gear.SANDALS])
        case.fits(k, paid, "the sandals can't pay for so much lava", "MOVE-3")
    me, stage = case.actor(k), int(frame.stage)
    jumps = not stage & JUMPED or me.character == Character.MITSUHIDE
    case.fits(k, jumps, "only Mitsuhide jumps", "CHAR-43")
    sneaks = not stage & (STOLEN | SNEAK_NEXT | SNEAKING) or me.character == Character.DAISUKE
    case.fits(k, sneaks, "only Daisuke sneaks and steals", "CHAR-72")
    if stage & SNEAKING:
        case.fits(k, is_watched(case, int(frame.actor)), "there is nobody to sneak past", "CHAR-72")


def judge_jump(case: Case, k: int, frame: Any) -> None:
    move = case.frames[k - 1]
    fits = move.stage & JUMPED and move.left >= STEPS_OF_JUMP
    case.fits(k, fits, "a jump takes two steps of the move", "CHAR-43")


def judge_theft(case: Case, k: int, frame: Any) -> None:
    other = int(frame.thing)
    met = other < case.n and other != frame.actor and case.people[other].at == case.actor(k).at
    met = met and case.frames[k - 1].stage & STOLEN and case.frames[k - 1].stage & SNEAKING
    case.fits(k, met and case.people[other].scrolls.any(), "there is nobody to rob", "CHAR-73")


def judge_explore_turn(case: Case, k: int, frame: Any) -> None:
    place, level = int(frame.at), (int(frame.thing) - 1) // MAX_TILES_PER_LEVEL + 1
    case.fits(k, not case.s.tile[place], "the place has a tile", "EXPL-1")
    case.fits(k, level == int(geometry().place_ring[place]), "a tile of another level", "MAP-1")
    if case.phases[k - 1] == Phase.EXPLORE_MORE:
        first = int(case.frames[k - 1].at)
        beside = place == first or place in geometry().place_neighbours[first]
    else:
        beside = place in geometry().touched_places[int(case.actor(k).at)]
    case.fits(k, beside, "the place is not beside the samurai's space", "EXPL-1")


def judge_find(case: Case, k: int, frame: Any) -> None:
    case.fits(k, is_in_reach(case, k), "the space is out of reach", "GATH-1")


def judge_monk_spot(case: Case, k: int, frame: Any) -> None:
    source, below = int(frame.stage), case.phases[k - 1]
    if below in (Phase.SETUP, Phase.SETUP_CUBES, Phase.SETUP_SCROLL, Phase.MONK_SPOT):
        supplied = case.s.supply[Supply.MONK] >= case.phases.count(Phase.MONK_SPOT)
        fits = source == MONK_SOURCES["supply"] and supplied and case.phases[1] == Phase.SETUP
        case.fits(k, fits, "the first monks come from the supply", "SETUP-8")
    elif below == Phase.DUEL:
        robbed = source == MONK_SOURCES["pack"] and frame.at == case.s.fight.loser - 1
        robbed = robbed and frame.at < case.n and case.people[int(frame.at)].pack_monks > 0
        case.fits(k, robbed, "the loser's pack has no monk", "DUEL-6")
    else:
        there = source == MONK_SOURCES["map"] and case.s.monk[int(frame.at)] and is_in_reach(case, k)
        case.fits(k, there, "no monk lies there", "GATH-6")


def judge_blueprints(case: Case, k: int, frame: Any) -> None:
    fits = case.actor(k).at >= FIRST_TEMPLE and frame.left + frame.marks <= 2
    case.fits(k, fits, "blueprints are taken in temples, two at most", "GATH-7")


def judge_scroll_card(case: Case, k: int, frame: Any) -> None:
    mine = case.s.scroll[int(frame.at)] == case.actor(k).colour
    case.fits(k, mine and is_in_reach(case, k), "no scroll token of this player lies there", "GATH-5")


def judge_scroll_slot(case: Case, k: int, frame: Any) -> None:
    plays = int(frame.marks) in [int(me.colour) for me in case.people]
    case.fits(k, plays and frame.thing, "a card and its token are needed", "SCROLL-4")


def judge_eruption(case: Case, k: int, frame: Any) -> None:
    case.fits(k, frame.left < case.n, "so many can't have been asked", "LAVA-1")
    p = (int(case.s.active) + int(frame.left)) % case.n
    me = case.people[p]
    burns = not me.outside and case.s.terrain[int(me.at)] >= Terrain.LAVA
    starter = case.s.final_player or case.s.lava_player
    due = starter == case.s.active + 1 if case.rules.has_vp else case.s.countdown
    case.fits(k, burns and due, f"player {p} is not on lava", "LAVA-1")


def judge_claim(case: Case, k: int, frame: Any) -> None:
    case.fits(k, case.actor(k).outside, "the player is inside the volcano", "SHOG-1")


JUDGES: Final = {
    Phase.MOVE: judge_move,
    Phase.EXPLORE_TURN: judge_explore_turn,
    Phase.FIND: judge_find,
    Phase.MONK_SPOT: judge_monk_spot,
    Phase.BLUEPRINTS: judge_blueprints,
    Phase.SCROLL_CARD: judge_scroll_card,
    Phase.SCROLL_SLOT: judge_scroll_slot,
    Phase.ERUPTION: judge_eruption,
    Phase.CLAIM: judge_claim,
    Phase.JUMP: judge_jump,
    Phase.THEFT: judge_theft,
}

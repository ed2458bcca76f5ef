"""Judging the shared table, the terms of scenarios, and the questions of moves, gathering and powers."""

from typing import Final

import numpy as np

from fujikoro_env.content.model import GEAR, MAX_TILES_PER_LEVEL
from fujikoro_env.position.judging_case import Case, dragon_on, is_in_reach, is_safe, is_watched, may_be_laid_on, touch
from fujikoro_env.position.judging_coop import judge_coop
from fujikoro_env.position.judging_fights import judge_monks
from fujikoro_env.position.judging_players import strength
from fujikoro_env.position.lookup import array_of, numbers_in, rows_of
from fujikoro_env.position.words import MONK_SOURCES
from fujikoro_env.rules.base.names import Adventure, Character, Gear, Outside, Reason, Supply, Terrain
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import Frame, Player
from fujikoro_env.rules.characters.jump import STEPS_OF_JUMP
from fujikoro_env.rules.characters.sneak import JUMPED, SNEAK_NEXT, SNEAKING, STOLEN
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE, START, START_PLACE, geometry
from fujikoro_env.rules.move import LAVA_COST
from fujikoro_env.rules.scenarios.terms import Term
from fujikoro_env.rules.turn.stages import TURN_END, TURN_START


def judge_table(case: Case) -> None:
    _judge_characters(case)
    _judge_colours(case)
    if case.rules.is_coop:
        judge_coop(case)
    else:
        _judge_lives(case)
    if case.rules.has_vp:
        _judge_final(case)
    if case.rules.all_see_peeks:
        _judge_tops(case)
    _judge_who_left(case)
    judge_monks(case)


def _judge_characters(case: Case) -> None:
    characters = [int(me.character) for me in case.people if me.character]
    case.want("players", len(set(characters)) == len(characters), "two players of one character", "CHAR-1")
    if Character.TOMOE in characters:
        in_play = [int(card.card) for card in rows_of(case.s.blueprints) if card.card]
        pairs = [case.rules.tables[0].blueprints[card - 1].parts > 1 for card in in_play]
        case.want("blueprints", any(pairs), "Tomoe needs one of two one-handed weapons in play", "CHAR-64")


def _judge_colours(case: Case) -> None:
    scroll = array_of(case.s.scroll)
    colours = [int(me.colour) for me in case.people if me.character != Character.DAISUKE]
    differ = len(set(colours)) == len(colours) and 0 not in colours
    case.want("players", differ, "each has its own colour", "SETUP-12")
    for space in np.flatnonzero(scroll):
        name = geometry().space_names[space]
        case.want(f"{name}.scroll", int(scroll[space]) in colours, "this colour does not play", "EXPL-5")


def _judge_final(case: Case) -> None:
    best, enough = max(int(me.vp) for me in case.people), case.rules.final_at
    fits = bool(case.s.final_player) == (best >= enough)
    fits = fits or (bool(case.s.final_player) and case.rules.has_term(Term.MONKS_FIGHT))  # SCEN-42: VP may be lost
    case.want("final", fits, f"begins with {enough} VP, the most that anybody has are {best}", "FINAL-1")
    if case.rules.lava_at:
        due = best >= case.rules.lava_at
        fits = bool(case.s.lava_player) == due or (due and bool(case.s.final_player))  # 30 VP at once: no lava phase
        case.want("lava_phase", fits, f"begins with {case.rules.lava_at} VP, the most are {best}", "SCEN-31")


def _judge_lives(case: Case) -> None:
    for p, me in enumerate(case.people):
        case.want(f"players[{p}].lives_lost", not me.lives_lost, "lives are for co-op", "COOP-13")


def _judge_tops(case: Case) -> None:
    for level, seen in enumerate(numbers_in(case.s.top_seen), 1):
        fits = not seen or seen == (1 << case.n) - 1
        case.want(f"tops.{level}.seen_by", fits, "in this game all see it", "GEAR-5")


def _left_early(case: Case, me: Player) -> bool:
    """Before the final chapter, which only an exit that is always open allows."""
    if not me.outside or case.s.final_player or not case.rules.has_vp:
        return False
    return not (me.outside == Outside.FOOT and case.s.secret_exit and case.rules.options["exit_always_open"])


def _judge_who_left(case: Case) -> None:
    outside = [int(me.left_volcano) for me in case.people if me.outside]
    early = any(_left_early(case, me) for me in case.people)
    case.want("players", not early, "nobody leaves before the final chapter", "ESC-1")
    barred = case.has_term(Term.DRAGONS_BAR_THE_WAY) and any(numbers_in(case.s.dragon_at))
    case.want("players", not (outside and barred), "nobody is outside while a dragon that was found lives", "SCEN-51")
    fits = sorted(outside) == list(range(1, len(outside) + 1))
    fits = fits and not any(me.left_volcano for me in case.people if not me.outside)
    case.want("players", fits, "`left` numbers those outside as they left: 1, 2, ...", "END-1")


def judge_samurai(case: Case, p: int) -> None:
    s, me, where = case.s, case.people[p], f"players[{p}].space"
    if me.outside:
        return
    at, name = int(me.at), geometry().space_names[int(me.at)]
    case.want(where, s.terrain[at] != Terrain.UNEXPLORED, f"{name} is unexplored", "MAP-10")
    lost = s.reason == Reason.LOST  # COOP-15: at once, wherever the others are
    on_lava = s.terrain[at] >= Terrain.LAVA and not case.has_frame(p, Phase.MOVE) and not _waits_for_lava(case, p)
    case.want(where, lost or not on_lava, f"{name} is lava", "MOVE-3")
    crowd = sum(other.at == at and not other.outside for other in case.people)
    case.want(where, crowd <= 2 or is_safe(at), f"{crowd} samurai on {name}", "MAP-6")
    entering = case.has_frame(p, Phase.DRAGON_FIGHT) and not case.fight_has_begun()
    move = case.frame_of(Phase.MOVE)
    sneaking = move is not None and case.has_frame(p, Phase.MOVE) and move.stage & SNEAKING
    fighting = entering or sneaking or s.fight.fighters[p].inside or case.has_frame(p, Phase.REBIRTH)
    over = lost or s.reason == Reason.WON  # SCEN-62: before the tame dragon
    case.want(where, over or fighting or not dragon_on(case, at), f"{name} is on a dragon's tile", "MAP-11")


def _waits_for_lava(case: Case, p: int) -> bool:
    """An eruption has not come to this samurai yet."""
    eruption = case.frame_of(Phase.ERUPTION)
    return eruption is not None and (p - int(case.s.active)) % case.n >= int(eruption.left)


# --- terms of scenarios ---------------------------------------------------------------------------------------------

# Questions that are not asked where a term holds.
UNASKED: Final = {
    Phase.JOIN: (Term.FIGHTS_ALONE, "nobody joins a dragon fight", "SCEN-14"),
    Phase.CALL_DUEL: (Term.MEETINGS_ARE_DUELS, "samurai that meet must fight", "SCEN-15"),
    Phase.LAY_LOSER: (Term.BACK_IN_TEMPLES, "the loser lies in a temple of its choice", "SCEN-22"),
}


def judge_terms(case: Case) -> None:
    for p, me in enumerate(case.people):
        _judge_player(case, f"players[{p}]", me)
        _judge_rope(case, p, me)
        _judge_fallen(case, p, me)
    _judge_trophies(case)
    _judge_spaces(case)


def _judge_player(case: Case, where: str, me: Player) -> None:
    if not case.has_term(Term.STATUS_MARKERS):
        case.want(f"{where}.status", not me.status, "this game has no status markers", "SCEN-18")
    if not case.has_term(Term.TROPHIES):
        case.want(f"{where}.trophies", not me.trophies, "nobody keeps dragons in this game", "SCEN-23")


def _judge_rope(case: Case, p: int, me: Player) -> None:
    if not me.on_rope:
        return
    where = f"players[{p}].on_rope"
    case.want(where, case.has_term(Term.ROPE_WAITS), "nobody waits on the rope in this game", "SCEN-16")
    there = case.s.rope and me.at == START and not me.outside and not me.unconscious
    case.want(where, there, "the samurai is not on the rope, conscious", "SCEN-16")
    acts = p == case.s.active and TURN_START < case.frames[0].stage <= TURN_END
    case.want(where, not acts, "it leaves at the start of its turn", "SCEN-16")


def _judge_fallen(case: Case, p: int, me: Player) -> None:
    if me.unconscious and case.has_term(Term.BACK_IN_TEMPLES):
        lies = me.at >= FIRST_TEMPLE or case.has_frame(p, Phase.REBIRTH)
        case.want(f"players[{p}].unconscious", lies, "who is knocked out lies in a temple", "SCEN-22")


def _judge_trophies(case: Case) -> None:
    if not case.has_term(Term.TROPHIES):
        return
    beaten = int(case.s.dragons_beaten)
    for code, dragon in enumerate(case.rules.pack.dragons):
        keepers = sum(int(me.trophies) >> code & 1 for me in case.people)
        fits = keepers == (beaten >> code & 1)
        case.want(f"dragons.{dragon.id}", fits, f"{keepers} players keep it: one if it is beaten, else none", "SCEN-23")


def _judge_spaces(case: Case) -> None:
    s, names = case.s, geometry().space_names
    if case.has_term(Term.TOKENS_STAY_UP):
        for space in np.flatnonzero((array_of(s.token) != 0) & (array_of(s.face_up) == 0)):
            case.want(f"{names[space]}.face", False, "resource tokens never turn face down", "SCEN-13")
    if not case.has_term(Term.SPOILS):
        for space in np.flatnonzero(array_of(s.spoils)):
            case.want(f"{names[space]}.spoils", False, "dragons leave nothing behind in this game", "SCEN-17")


def judge_terms_of_frames(case: Case) -> None:
    for k, phase in enumerate(case.phases):
        if phase in UNASKED and case.has_term(UNASKED[phase][0]):
            case.fits(k, False, *UNASKED[phase][1:])
        if phase == Phase.ACTION:
            _judge_extra_action(case, k, case.frames[k])
        elif phase == Phase.REBIRTH:
            _judge_rebirth(case, k, case.frames[k])
        elif phase == Phase.PAY and case.has_term(Term.STATUS_MARKERS):
            by_helmet = case.frames[k].thing == Gear.HELMET
            case.fits(k, by_helmet, f"the {GEAR[Gear.SANDALS]} bear no lava", "SCEN-18")
        elif phase == Phase.TAKE and case.has_term(Term.SPOILS):
            case.fits(k, case.phases[k - 1] != Phase.DRAGON_FIGHT, "a beaten dragon gives VP only", "SCEN-17")


def _judge_extra_action(case: Case, k: int, frame: Frame) -> None:
    """SCEN-18: after the last action, for a marker."""
    if frame.stage:
        due = case.has_term(Term.STATUS_MARKERS) and case.frames[0].stage == TURN_END
        case.fits(k, due and case.actor(k).status > 0, "there is no marker to trade for one more action", "SCEN-18")


def _judge_rebirth(case: Case, k: int, frame: Frame) -> None:
    """LAVA-3: conscious; so is who finds a dragon on the start tile. SCEN-22: who lost a fight is not."""
    if case.phases[k - 1] == Phase.ERUPTION or (case.rules.is_coop and case.s.dragon_at[START_PLACE]):
        fits = not frame.stage
    else:
        fits = bool(frame.stage and case.actor(k).unconscious) and case.has_term(Term.BACK_IN_TEMPLES)
    case.fits(k, fits, "who dies in lava is conscious, who is knocked out lies in a temple", "SCEN-22")


# --- questions of moves, exploring and gathering, and of the eruption -----------------------------------------------


def judge_move(case: Case, k: int, frame: Frame) -> None:
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


def judge_jump(case: Case, k: int, frame: Frame) -> None:
    move = case.frames[k - 1]
    fits = move.stage & JUMPED and move.left >= STEPS_OF_JUMP
    case.fits(k, fits, "a jump takes two steps of the move", "CHAR-43")


def judge_theft(case: Case, k: int, frame: Frame) -> None:
    other = int(frame.thing)
    met = other < case.n and other != frame.actor and case.people[other].at == case.actor(k).at
    steals = case.frames[k - 1].stage & STOLEN and case.frames[k - 1].stage & SNEAKING
    case.fits(k, met and steals and any(numbers_in(case.people[other].scrolls)), "there is nobody to rob", "CHAR-73")


def judge_explore_turn(case: Case, k: int, frame: Frame) -> None:
    place, level = int(frame.at), (int(frame.thing) - 1) // MAX_TILES_PER_LEVEL + 1
    case.fits(k, not case.s.tile[place], "the place has a tile", "EXPL-1")
    case.fits(k, level == int(geometry().place_ring[place]), "a tile of another level", "MAP-1")
    if case.phases[k - 1] == Phase.EXPLORE_MORE:
        first = int(case.frames[k - 1].at)
        beside = place == first or place in geometry().place_neighbours[first]
    else:
        beside = place in geometry().touched_places[int(case.actor(k).at)]
    case.fits(k, beside, "the place is not beside the samurai's space", "EXPL-1")


def judge_find(case: Case, k: int, frame: Frame) -> None:
    case.fits(k, is_in_reach(case, k), "the space is out of reach", "GATH-1")


def judge_monk_spot(case: Case, k: int, frame: Frame) -> None:
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


def judge_blueprints(case: Case, k: int, frame: Frame) -> None:
    fits = case.actor(k).at >= FIRST_TEMPLE and frame.left + frame.marks <= 2
    case.fits(k, fits, "blueprints are taken in temples, two at most", "GATH-7")


def judge_scroll_card(case: Case, k: int, frame: Frame) -> None:
    mine = case.s.scroll[int(frame.at)] == case.actor(k).colour
    case.fits(k, mine and is_in_reach(case, k), "no scroll token of this player lies there", "GATH-5")


def judge_scroll_slot(case: Case, k: int, frame: Frame) -> None:
    plays = int(frame.marks) in [int(me.colour) for me in case.people]
    case.fits(k, plays and frame.thing, "a card and its token are needed", "SCROLL-4")


def judge_eruption(case: Case, k: int, frame: Frame) -> None:
    case.fits(k, frame.left < case.n, "so many can't have been asked", "LAVA-1")
    p = (int(case.s.active) + int(frame.left)) % case.n
    me = case.people[p]
    burns = not me.outside and case.s.terrain[int(me.at)] >= Terrain.LAVA
    starter = case.s.final_player or case.s.lava_player
    due = starter == case.s.active + 1 if case.rules.has_vp else case.s.countdown
    case.fits(k, burns and due, f"player {p} is not on lava", "LAVA-1")


def judge_claim(case: Case, k: int, frame: Frame) -> None:
    case.fits(k, case.actor(k).outside, "the player is inside the volcano", "SHOG-1")


# --- questions of scrolls and adventure tokens ----------------------------------------------------------------------


def judge_gunbai(case: Case, k: int, frame: Frame) -> None:
    """Against the roll of the dragon or the monk, or the attacker's in a duel."""
    if case.phases[k - 1] in (Phase.DRAGON_ATTACK, Phase.MONK_ATTACK):
        fits = not frame.thing
    else:
        fits = case.in_duel() and frame.thing == case.frames[k - 1].actor + 1
    case.fits(k, fits, "not the roller's number", "ADV-2")


def judge_token_question(case: Case, k: int, frame: Frame) -> None:
    me, gunbai = case.actor(k), case.phases[k] == Phase.ASK_GUNBAI
    holds = me.adventures[Adventure.GUNBAI if gunbai else Adventure.SMOKE_BOMB]
    needs_none = not gunbai and me.character == Character.DAISUKE  # CHAR-75
    case.fits(k, holds or needs_none, "the player has no such token", "ADV-1")


def judge_banner(case: Case, k: int, frame: Frame) -> None:
    case.fits(k, 2 <= frame.left <= case.n, "so many can't have been asked", "ADV-2")


def judge_move_other(case: Case, k: int, frame: Frame) -> None:
    banner, other = case.frames[k - 1], int(frame.thing)
    turn = other == (int(banner.actor) + int(banner.left) - 1) % case.n and other != banner.actor
    awake = turn and not case.people[other].unconscious and not case.people[other].outside
    case.fits(k, awake, "not the samurai whose turn it is", "ADV-2")
    if awake and case.phases[k] == Phase.CONSENT:
        free = touch(int(case.people[other].at), int(frame.at)) and may_be_laid_on(case, other, int(frame.at))
        case.fits(k, free, "the samurai can't be moved there", "MAP-11")


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
    Phase.GUNBAI: judge_gunbai,
    **dict.fromkeys((Phase.ASK_GUNBAI, Phase.ASK_SMOKE), judge_token_question),
    Phase.BANNER: judge_banner,
    **dict.fromkeys((Phase.MOVE_OTHER, Phase.CONSENT), judge_move_other),
}

"""What holds in co-op alone, and the questions that are asked there alone."""

from typing import Any, Final

from fujikoro_env.position.judging.case import FIGHTS, Case
from fujikoro_env.position.judging.gear import cubes_on
from fujikoro_env.position.lookup import gear_of_slot, slots_at
from fujikoro_env.rules.base.names import Gear, Marker, Outside, Reason, Supply, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.rules.map.geometry import START, START_PLACE, geometry
from fujikoro_env.rules.scenarios.terms import Term

FIRST_CUBES: Final = [2, 2, 0]  # SETUP-7


def judge_coop(case: Case) -> None:
    for p, me in enumerate(case.people):
        _judge_player(case, f"players[{p}]", me)
    _judge_turn_over(case)
    _judge_end(case)


def _judge_player(case: Case, where: str, me: Any) -> None:
    case.want(f"{where}.unconscious", not me.unconscious, "nobody is unconscious in co-op", "COOP-13")
    if not case.rules.has_vp:
        case.want(f"{where}.vp", not me.vp, "there are no VP in co-op", "COOP-3")
        case.want(f"{where}.claims", not me.claimed.any(), "there are no bonuses in co-op", "COOP-21")
        case.want(f"{where}.outside", me.outside != Outside.PALACE, "the secret exit is the only way out", "COOP-21")
        case.want(f"{where}.outside", not me.outside or _exit_is_open(case), "the exit is closed", "COOP-21")
    lives = case.rules.options["coop_lives"]
    case.want(f"{where}.lives_lost", case.s.reason or me.lives_lost < lives, "then the game is lost", "COOP-15")


def _exit_is_open(case: Case) -> bool:
    if case.rules.has_term(Term.ENEMY_SAMURAI):  # SCEN-74
        return bool(case.s.secret_exit) and not any(case.s.players[p].at for p in range(case.n, case.rules.seats))
    white = [code for code, dragon in enumerate(case.rules.pack.dragons) if dragon.colour == "white"]
    if case.has_term(Term.DRAGONS_BAR_THE_WAY) and any(case.s.dragon_at):  # SCEN-53
        return False
    return bool(case.s.secret_exit) and all(int(case.s.dragons_beaten) >> code & 1 for code in white)


def _judge_turn_over(case: Case) -> None:
    """COOP-13: the active samurai has fallen, and the fight that it went to goes on."""
    me, fights = case.people[int(case.s.active)], case.fight_has_begun() and Phase.ROUND not in case.phases
    away = me.at == START or case.s.dragon_at[START_PLACE]  # then it goes to a temple
    fallen = fights and away and me.lives_lost and not case.s.fight.fighters[int(case.s.active)].inside
    case.want("turn_over", fallen or not case.s.turn_over, "the active samurai has not fallen in a fight", "COOP-13")


def _judge_end(case: Case) -> None:
    everybody = all(me.outside for me in case.people)
    tamed = case.has_term(Term.TAME_THE_LEGENDARY) and case.s.dragon_at[START_PLACE]
    ends = case.rules.has_vp or case.s.reason or not everybody
    case.want("players", ends, "all have left, so the game is over", "COOP-1")
    case.want("over", case.s.reason != Reason.WON or everybody or tamed, "not all have left", "COOP-1")


# --- set-up ---------------------------------------------------------------------------------------------------------


def judge_coop_setup(case: Case, k: int, stage: int) -> None:
    """COOP-6, COOP-7: each has a gear card, its gear, its monks and a weapon, one player after the other."""
    asked = (int(case.s.first_player) + stage - 1) % case.n
    for p in range(case.n):
        turn = (p - int(case.s.first_player)) % case.n
        if turn >= stage or (p == asked and Phase.TAKE_CARD in case.phases):
            fits = _has_nothing(case, p)
        else:
            fits = _has_first_gear(case, p, p == asked)
        case.fits(k, fits, f"player {p} has not what it should have by now", "COOP-6")
    case.fits(k, all(int(f.actor) == asked for f in case.frames[k + 1 :]), "another player's turn", "COOP-6")


def _cards_of(case: Case, p: int) -> list[int]:
    return slots_at(case.s.gear_cards, Where.OWNED + p)


def _is_untouched(case: Case, p: int) -> bool:
    """But for a gear card, monks and cubes on gear."""
    me = case.people[p]
    carries = me.pack.any() or me.pack_monks or me.scrolls.any() or case.blueprints_of(p)
    return bool(me.at == START and not me.fields.any() and not carries and not any(grid.magic for grid in me.gear))


def _has_nothing(case: Case, p: int) -> bool:
    me = case.people[p]
    bare = not me.monks.any() and not any(grid.cubes.any() for grid in me.gear)
    return _is_untouched(case, p) and bare and not _cards_of(case, p)


def _has_first_gear(case: Case, p: int, is_asked: bool) -> bool:
    me, cards = case.people[p], _cards_of(case, p)
    if len(cards) != 1 or not _is_untouched(case, p):
        return False
    gear = gear_of_slot(cards[0])
    wanted = [[0, 0, 0] for _ in me.gear]
    wanted[gear] = case.rules.tables[0].gear_cards[int(case.s.gear_cards[cards[0]].card) - 1].needs.tolist()
    found = [cubes_on(grid) for grid in me.gear]
    monks = 2 if case.n == PLAYERS else 1
    if gear != Gear.WEAPON:
        wanted[Gear.WEAPON] = FIRST_CUBES
    question = case.frame_of(Phase.SETUP_CUBES) if is_asked else None
    if question is not None:
        hand = [int(n) for n in question.offer]
        found[Gear.WEAPON] = [a + b for a, b in zip(found[Gear.WEAPON], hand, strict=True)]
    waiting = case.phases.count(Phase.MONK_SPOT) if is_asked else 0
    placed = gear + 1 in me.card_on.tolist() or (is_asked and Phase.PLACE_CARD in case.phases)
    return found == wanted and int(me.monks.sum()) == monks - waiting and placed


# --- questions ------------------------------------------------------------------------------------------------------


def judge_round(case: Case, k: int, frame: Any) -> None:
    roam = case.has_term(Term.DRAGONS_ROAM)
    case.fits(k, case.rules.is_coop or (roam and frame.stage), "dragons move in co-op alone, or by SCEN-21")
    fits = case.s.active == case.s.first_player and case.s.round_number > 1
    case.fits(k, fits, "no round begins now", "COOP-8")
    for dragon in range(len(case.rules.pack.dragons)):
        if int(frame.chosen) >> dragon & 1:
            awake = case.s.dragons[dragon].place and case.s.dragons[dragon].marker == Marker.NONE
            case.fits(k, awake, f"{case.rules.pack.dragons[dragon].id} does not move", "COOP-8")


def judge_dragon_way(case: Case, k: int, frame: Any) -> None:
    due = int(case.frames[k - 1].chosen) >> (int(frame.thing) - 1) & 1
    place = int(case.s.dragons[int(frame.thing) - 1].place)
    case.fits(k, place and not due, "this dragon does not move now", "COOP-11")


def judge_retreat_to(case: Case, k: int, frame: Any) -> None:
    came_from = int(case.s.fight.fighters[int(frame.actor)].came_from)
    place, dragon = int(geometry().place_of[came_from]), int(case.s.fight.dragon)
    fits = case.s.fight.came and place >= 0 and (case.s.fight.monk or case.s.dragon_at[place] == dragon != 0)
    case.fits(k, fits, "the samurai came to the dragon, or the monk", "COOP-12")


def judge_sharing(case: Case, k: int, frame: Any) -> None:
    case.fits(k, case.rules.is_coop and case.fight_at is not None, "teeth are shared in co-op alone")
    case.fits(k, case.first_of(*FIGHTS) is not None and case.first_fighter() is not None, "nobody fights")


def judge_share_tooth(case: Case, k: int, frame: Any) -> None:
    case.fits(k, case.s.supply[Supply.TOOTH] > 0, "no tooth is left")


def judge_leave(case: Case, k: int, frame: Any) -> None:
    me = case.actor(k)
    fits = case.rules.is_coop and _exit_is_open(case) and me.at == case.s.secret_exit
    magic = [bool(grid.magic) for grid in me.gear]
    enough = all(magic) if case.rules.has_term(Term.ENEMY_SAMURAI) else any(magic)
    case.fits(k, fits and enough, "the player can't leave")


def judge_take_card(case: Case, k: int, frame: Any) -> None:
    case.fits(k, case.rules.is_coop, "gear cards are taken at the start of co-op games alone")


JUDGES: Final = {
    Phase.ROUND: judge_round,
    Phase.DRAGON_WAY: judge_dragon_way,
    Phase.RETREAT_TO: judge_retreat_to,
    Phase.SHARING: judge_sharing,
    Phase.SHARE_TOOTH: judge_share_tooth,
    Phase.LEAVE: judge_leave,
    Phase.TAKE_CARD: judge_take_card,
}

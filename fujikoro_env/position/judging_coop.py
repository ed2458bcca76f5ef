"""Checks of co-op games: rules that hold only there, set-up, rounds and swaps. The set-up of other games is here
too."""

from itertools import chain
from typing import Final

from fujikoro_env.content.model import GEAR, Start
from fujikoro_env.kernel.position.kinds import members
from fujikoro_env.position.fields import FUNGIBLE, codes_of_slots
from fujikoro_env.position.judging_case import FIGHTS, Case
from fujikoro_env.position.judging_players import cubes_on
from fujikoro_env.position.lookup import board_of, gear_of_slot, numbers_in, rows_of, slots_at
from fujikoro_env.rules.base.actions import BLUEPRINT, ITEM, ITEM_MONK, ITEM_SCROLL
from fujikoro_env.rules.base.names import Character, Gear, Marker, Mode, Outside, Reason, Supply, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import FIRST_PARTNER, PLAYERS, Frame, Player
from fujikoro_env.rules.coop.swap import CARD_BITS, FIRST_BLUEPRINT, FIRST_SCROLL, FIRST_TAKEN
from fujikoro_env.rules.map.geometry import START, START_PLACE, geometry
from fujikoro_env.rules.scenarios.terms import Term
from fujikoro_env.rules.scroll import SCROLL_VP

FIRST_CUBES: Final = [2, 2, 0]  # SETUP-7


def judge_coop(case: Case) -> None:
    """Check what holds in co-op games."""
    for p, me in enumerate(case.people):
        _judge_player(case, f"players[{p}]", me)
    _judge_turn_over(case)
    _judge_end(case)


def _judge_player(case: Case, where: str, me: Player) -> None:
    case.want(f"{where}.unconscious", not me.unconscious, "nobody is unconscious in co-op", "COOP-13")
    if not case.rules.has_vp:
        case.want(f"{where}.vp", not me.vp, "there are no VP in co-op", "COOP-3")
        case.want(f"{where}.claims", not any(numbers_in(me.claimed)), "there are no bonuses in co-op", "COOP-21")
        case.want(f"{where}.outside", me.outside != Outside.PALACE, "the secret exit is the only way out", "COOP-21")
        case.want(f"{where}.outside", not me.outside or _exit_is_open(case), "the exit is closed", "COOP-21")
    lives = case.rules.options["coop_lives"]
    case.want(f"{where}.lives_lost", case.s.reason or me.lives_lost < lives, "then the game is lost", "COOP-15")


def _exit_is_open(case: Case) -> bool:
    if case.rules.has_term(Term.ENEMY_SAMURAI):  # SCEN-74
        return bool(case.s.secret_exit) and not any(case.s.players[p].at for p in range(case.n, case.rules.seats))
    white = [code for code, dragon in enumerate(case.rules.pack.dragons) if dragon.colour == "white"]
    if case.has_term(Term.DRAGONS_BAR_THE_WAY) and any(numbers_in(case.s.dragon_at)):  # SCEN-53
        return False
    return bool(case.s.secret_exit) and all(int(case.s.dragons_beaten) >> code & 1 for code in white)


def _judge_turn_over(case: Case) -> None:
    """Check `turn_over`: the active samurai has fallen, and the fight that it joined goes on (COOP-13)."""
    me, fights = case.people[int(case.s.active)], case.fight_has_begun() and Phase.ROUND not in case.phases
    away = me.at == START or case.s.dragon_at[START_PLACE]  # with a dragon on the start tile, it goes to a temple
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
    """Check set-up: each player in turn gets a gear card, gear, monks and a weapon (COOP-6, COOP-7)."""
    asked = (int(case.s.first_player) + stage - 1) % case.n
    for p in range(case.n):
        turn = (p - int(case.s.first_player)) % case.n
        if turn >= stage or (p == asked and Phase.TAKE_CARD in case.phases):
            fits = _has_nothing(case, p)
        else:
            fits = _has_first_gear(case, p, p == asked)
        case.fits(k, fits, f"player {p} does not have what it should have by now", "COOP-6")
    case.fits(k, all(int(f.actor) == asked for f in case.frames[k + 1 :]), "another player's turn", "COOP-6")


def _cards_of(case: Case, p: int) -> list[int]:
    return slots_at(case.s.gear_cards, Where.OWNED + p)


def _is_untouched(case: Case, p: int) -> bool:
    """Whether the player has nothing except a gear card, monks and cubes on gear."""
    me = case.people[p]
    carries = any(numbers_in(me.pack)) or me.pack_monks or any(numbers_in(me.scrolls)) or case.blueprints_of(p)
    has_magic = any(grid.magic for grid in rows_of(me.gear))
    return bool(me.at == START and not any(numbers_in(me.fields)) and not carries and not has_magic)


def _has_nothing(case: Case, p: int) -> bool:
    me = case.people[p]
    bare = not any(numbers_in(me.monks)) and not any(any(cubes_on(grid)) for grid in rows_of(me.gear))
    return _is_untouched(case, p) and bare and not _cards_of(case, p)


def _has_first_gear(case: Case, p: int, is_asked: bool) -> bool:
    me, cards = case.people[p], _cards_of(case, p)
    if len(cards) != 1 or not _is_untouched(case, p):
        return False
    gear = gear_of_slot(cards[0])
    wanted = [[0, 0, 0] for _ in GEAR]
    wanted[gear] = case.rules.tables[0].gear_cards[int(case.s.gear_cards[cards[0]].card) - 1].needs.tolist()
    found = [cubes_on(grid) for grid in rows_of(me.gear)]
    monks = 2 if case.n == PLAYERS else 1
    if gear != Gear.WEAPON:
        wanted[Gear.WEAPON] = FIRST_CUBES
    question = case.frame_of(Phase.SETUP_CUBES) if is_asked else None
    if question is not None:
        hand = numbers_in(question.offer)
        found[Gear.WEAPON] = [a + b for a, b in zip(found[Gear.WEAPON], hand, strict=True)]
    waiting = case.phases.count(Phase.MONK_SPOT) if is_asked else 0
    placed = gear + 1 in numbers_in(me.card_on) or (is_asked and Phase.PLACE_CARD in case.phases)
    return found == wanted and sum(numbers_in(me.monks)) == monks - waiting and placed


# --- questions ------------------------------------------------------------------------------------------------------


def judge_round(case: Case, k: int, frame: Frame) -> None:
    """Check the movement of dragons at the start of a round (COOP-8, SCEN-21)."""
    roam = case.has_term(Term.DRAGONS_ROAM)
    case.fits(k, case.rules.is_coop or (roam and frame.stage), "dragons move only in co-op, or by SCEN-21")
    fits = case.s.active == case.s.first_player and case.s.round_number > 1
    case.fits(k, fits, "no round begins now", "COOP-8")
    for dragon in range(len(case.rules.pack.dragons)):
        if int(frame.chosen) >> dragon & 1:
            awake = case.s.dragons[dragon].place and case.s.dragons[dragon].marker == Marker.NONE
            case.fits(k, awake, f"{case.rules.pack.dragons[dragon].id} does not move", "COOP-8")


def judge_dragon_way(case: Case, k: int, frame: Frame) -> None:
    """Check the dragon that moves (COOP-11)."""
    due = int(case.frames[k - 1].chosen) >> (int(frame.thing) - 1) & 1
    place = int(case.s.dragons[int(frame.thing) - 1].place)
    case.fits(k, place and not due, "this dragon does not move now", "COOP-11")


def judge_retreat_to(case: Case, k: int, frame: Frame) -> None:
    """Check that the enemy came to the samurai, who then chooses where to retreat (COOP-12)."""
    came_from = int(case.s.fight.fighters[int(frame.actor)].came_from)
    place, dragon = int(geometry().place_of[came_from]), int(case.s.fight.dragon)
    fits = case.s.fight.came and place >= 0 and (case.s.fight.monk or case.s.dragon_at[place] == dragon != 0)
    case.fits(k, fits, "the samurai came to the dragon, or the monk", "COOP-12")


def judge_sharing(case: Case, k: int, frame: Frame) -> None:
    """Check that teeth are shared in a co-op fight."""
    case.fits(k, case.rules.is_coop and case.fight_at is not None, "teeth are shared only in co-op")
    case.fits(k, case.first_of(*FIGHTS) is not None and case.first_fighter() is not None, "nobody fights")


def judge_share_tooth(case: Case, k: int, frame: Frame) -> None:
    """Check that a tooth is left to share."""
    case.fits(k, case.s.supply[Supply.TOOTH] > 0, "no tooth is left")


def judge_leave(case: Case, k: int, frame: Frame) -> None:
    """Check that the player can leave."""
    me = case.actor(k)
    fits = case.rules.is_coop and _exit_is_open(case) and me.at == case.s.secret_exit
    magic = [bool(grid.magic) for grid in rows_of(me.gear)]
    enough = all(magic) if case.rules.has_term(Term.ENEMY_SAMURAI) else any(magic)
    case.fits(k, fits and enough, "the player can't leave")


def judge_take_card(case: Case, k: int, frame: Frame) -> None:
    """Check that a gear card is taken in co-op set-up."""
    case.fits(k, case.rules.is_coop, "gear cards are taken only at the start of co-op games")


# --- questions of the set-up ----------------------------------------------------------------------------------------

NO_CUBES: Final = [0, 0, 0]


def judge_setup(case: Case, k: int, frame: Frame) -> None:
    """Check that nothing else has happened before all players have placed their first monks and cubes (SETUP-6 to
    SETUP-9)."""
    s, stage = case.s, int(frame.stage)
    case.fits(k, 1 <= stage <= case.n, "that many players can't have been asked", "SETUP-8")
    begun = s.final_player and case.rules.final_at > SCROLL_VP  # Mitsuhide's first VP may be enough
    fresh = not any(numbers_in(s.tile)) and not begun and s.active == s.first_player
    case.fits(k, fresh, "the game has already begun", "SETUP-8")
    if case.rules.is_coop and case.rules.characters is None:
        judge_coop_setup(case, k, stage)
        return
    asked = (int(s.first_player) + stage - 1) % case.n
    for p in range(case.n):
        turn = (p - int(s.first_player)) % case.n
        has_gear = _has_first_cubes(case, p, turn, stage, Gear.HELMET, board_of(case.people[p]).first_helmet)
        has_gear = has_gear and _has_first_cubes(case, p, turn, stage, Gear.WEAPON, _start_of(case, p).weapon)
        has_rest = _has_first_monks(case, p, turn, stage) and _has_first_scroll(case, p, turn, stage)
        case.fits(
            k, has_gear and has_rest and _is_bare(case, p), f"player {p} does not have what it should have", "SETUP-8"
        )
    case.fits(k, all(int(f.actor) == asked for f in case.frames[k + 1 :]), "another player's turn", "SETUP-8")


def _start_of(case: Case, p: int) -> Start:
    """What the player begins with, by its character."""
    return case.rules.pack.characters[int(case.people[p].character)]


def _is_bare(case: Case, p: int) -> bool:
    """Whether the player has nothing except monks, a scroll, a weapon and a helmet."""
    me = case.people[p]
    nothing_done = me.at == START and not any(numbers_in(me.fields)) and not me.unconscious
    nothing_carried = tuple(numbers_in(me.pack)) == _start_of(case, p).pack and not me.pack_monks
    no_cards = not any(numbers_in(me.card_on)) and not case.blueprints_of(p)
    no_magic = not any(grid.magic for grid in rows_of(me.gear))
    return bool(nothing_done and nothing_carried and no_cards and no_magic and not any(cubes_on(me.gear[Gear.SANDALS])))


def _has_first_monks(case: Case, p: int, turn: int, stage: int) -> bool:
    """Whether the board has as many monks as should be placed by now (SETUP-8, CHAR-1)."""
    me, number = case.people[p], 2 if case.n == PLAYERS else 1
    number -= me.character != Character.SYMMETRIC
    if turn == stage - 1:
        number -= case.phases.count(Phase.MONK_SPOT)
    laid = sum(numbers_in(me.monks)) - board_of(me).pool_monks
    return laid == (number if turn < stage else 0)


def _has_first_scroll(case: Case, p: int, turn: int, stage: int) -> bool:
    """Whether Mitsuhide has his scroll and its VP, once he has chosen (CHAR-41)."""
    me = case.people[p]
    waits = turn >= stage or (turn == stage - 1 and Phase.SETUP_SCROLL in case.phases)
    has_chosen = me.character == Character.MITSUHIDE and not waits
    in_order = bool(me.scrolls[0]) == has_chosen and not me.scrolls[1]
    vp = _start_of(case, p).vp + (SCROLL_VP if has_chosen else 0)
    return in_order and int(me.vp) == (vp if case.rules.has_vp else 0)


def _has_first_cubes(case: Case, p: int, turn: int, stage: int, gear: Gear, wanted: tuple[int, ...]) -> bool:
    """Whether the first cubes fit (SETUP-7): none yet, all of them, or all together with those still to be placed. The
    weapon's cubes come last."""
    laid = cubes_on(case.people[p].gear[gear])
    if turn >= stage:
        return laid == NO_CUBES
    asking = [k for k, phase in enumerate(case.phases) if phase == Phase.SETUP_CUBES and case.frames[k].thing == gear]
    if turn < stage - 1 or (gear == Gear.HELMET and not asking):
        return laid == list(wanted)
    if len(asking) != 1 or not any(numbers_in(case.frames[asking[0]].offer)):
        return False
    if not case.is_last(asking[0]) and any(laid):
        return False
    return [a + b for a, b in zip(laid, numbers_in(case.frames[asking[0]].offer), strict=True)] == list(wanted)


# --- questions of a swap (COOP-17) ----------------------------------------------------------------------------------


def judge_swap(case: Case, k: int, frame: Frame) -> None:
    """Check a swap between two players (COOP-17)."""
    asked = Phase(int(frame.phase))
    giver, partner = int(frame.actor), int(frame.thing)
    if asked == Phase.SWAP_CONSENT:
        giver, partner = partner, giver
    if giver == partner or max(giver, partner) >= case.n:
        case.fits(k, False, "nobody swaps with itself")
        return
    _judge_people(case, k, giver, partner)
    case.fits(k, bool(frame.marks) <= (asked == Phase.SWAP_TAKE), "nothing is given in this step")
    case.fits(k, (frame.left == 0) == (asked == Phase.SWAP_CONSENT), "that many steps can't be left")
    case.fits(k, frame.chosen or asked != Phase.SWAP_CONSENT, "nothing has changed hands")
    if frame.marks:
        case.fits(k, _has(case, giver, int(frame.marks) - 1), "what is given is not there")
    _judge_what_goes_back(case, k, frame, giver, partner)


def _judge_people(case: Case, k: int, giver: int, partner: int) -> None:
    mine, theirs = case.people[giver], case.people[partner]
    together = mine.at == theirs.at and not (mine.outside or theirs.outside or theirs.unconscious)
    case.fits(k, case.s.settings.mode == Mode.COOP, "swaps are for co-op games")
    case.fits(k, giver == case.s.active, "not the active player's swap")
    case.fits(k, together, "the two are not on one space")
    case.fits(k, int(case.s.used_powers) >> FIRST_PARTNER + partner & 1, "used_powers does not name the partner")


def _has(case: Case, p: int, action: int) -> bool:
    if BLUEPRINT <= action < ITEM:
        return bool(case.s.blueprints[action - BLUEPRINT].where == Where.OWNED + p)
    if action >= ITEM_SCROLL:
        return bool(case.people[p].scrolls[action - ITEM_SCROLL])
    return bool(case.people[p].pack_monks if action == ITEM_MONK else case.people[p].pack[action - ITEM])


def _judge_what_goes_back(case: Case, k: int, frame: Frame, giver: int, partner: int) -> None:
    mine, theirs, moved = case.people[giver], case.people[partner], int(frame.chosen)
    for kind, owed in enumerate((*numbers_in(frame.offer), int(frame.stage))):
        given, taken = moved >> kind & 1, moved >> FIRST_TAKEN + kind & 1
        holder = theirs if given else mine
        fits = given + taken == (owed > 0) and [*numbers_in(holder.pack), int(holder.pack_monks)][kind] >= owed
        case.fits(k, fits, f"{FUNGIBLE[kind]} can't be given back")
    owners = {int(case.s.blueprints[slot].where) for slot in members(moved >> FIRST_BLUEPRINT)}
    case.fits(k, owners <= {Where.OWNED + giver, Where.OWNED + partner}, "a blueprint can't be given back")
    now = [_scrolls(me) for me in (mine, theirs)]
    before = [[code for code in codes_of_slots(number) if code] for number in numbers_in(frame.cubes)[:2]]
    case.fits(k, sorted(chain(*before)) == sorted(chain(*now)), "scrolls can't be given back", "SCROLL-4")
    gone = {
        code & (1 << CARD_BITS) - 1 for old, new in zip(before, now, strict=True) for code in old if code not in new
    }
    marked = {card + 1 for card in members(moved >> FIRST_SCROLL & (1 << FIRST_BLUEPRINT - FIRST_SCROLL) - 1)}
    case.fits(k, gone == marked, "other scrolls changed hands", "SCROLL-4")


def _scrolls(me: Player) -> list[int]:
    pairs = zip(numbers_in(me.scrolls), numbers_in(me.scroll_colours), strict=True)
    return [card | colour << CARD_BITS for card, colour in pairs if card]


JUDGES: Final = {
    Phase.ROUND: judge_round,
    Phase.DRAGON_WAY: judge_dragon_way,
    Phase.RETREAT_TO: judge_retreat_to,
    Phase.SHARING: judge_sharing,
    Phase.SHARE_TOOTH: judge_share_tooth,
    Phase.LEAVE: judge_leave,
    Phase.TAKE_CARD: judge_take_card,
    Phase.SETUP: judge_setup,
    **dict.fromkeys((Phase.SWAP_GIVE, Phase.SWAP_TAKE, Phase.SWAP_CONSENT), judge_swap),
}

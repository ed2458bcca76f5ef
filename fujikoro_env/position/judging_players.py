"""Checks of what players have (gear, boards, cards, packs and counters), and of the questions of rests."""

from typing import Final

from fujikoro_env.content.model import GEAR, PALACE_TRACKS
from fujikoro_env.kernel.position.kinds import codes_of, members
from fujikoro_env.position.judging_case import Case
from fujikoro_env.position.lookup import (
    board_of,
    code_in,
    gear_of_slot,
    has_weapon_card,
    numbers_in,
    open_cells,
    rows_of,
    slots_at,
)
from fujikoro_env.rules.base.counters import COUNTERS, VpSource
from fujikoro_env.rules.base.names import Character, Cube, Gear, Spot, Supply, Where
from fujikoro_env.rules.base.phase_entry import After
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import GEAR_WIDTH, Frame, GearGrid, Player
from fujikoro_env.rules.characters.boards import LEFT_PART
from fujikoro_env.rules.gear.craft import AFTER_ACTION, BY_TOKEN, SANDALS_TOO
from fujikoro_env.rules.scenarios.terms import Term

Cell = tuple[int, int]  # row, column


def judge_gear(case: Case, p: int) -> None:
    """Check a player's gear (CRAFT-6, WEAP-6) and its magic."""
    me, where = case.people[p], f"players[{p}]"
    for gear, name in enumerate(GEAR):
        outside = filled(me.gear[gear]) & ~open_cells(me, gear)
        rule = "WEAP-3" if gear == Gear.WEAPON and not outside & ~board_of(me).right_part else "CRAFT-6"
        case.want(f"{where}.gear.{name}", not outside, "cubes outside the open grid", rule)
        _judge_magic(case, p, gear)
    if not case.has_frame(p, Phase.MEND) and (fault := weapon_fault(me)):
        case.faults.add(f"{where}.gear.weapon", *fault)


def _judge_magic(case: Case, p: int, gear: int) -> None:
    """Check magic. For a moment it may lie on nothing, while cubes are removed or the gear is rebuilt."""
    grid = case.people[p].gear[gear]
    if not grid.magic or case.has_frame(p, Phase.PAY, Phase.MEND, Phase.CRAFT_LAY, Phase.WASTE):
        return
    slots = [is_right(piece) for piece in weapons(filled(grid))] if gear == Gear.WEAPON else [filled(grid) == 0]
    fits = (grid.magic == 2) in slots
    case.want(f"players[{p}].magic", fits, f"no such {GEAR[gear]} for the magic to lie on", "MAGIC-1")


def filled(grid: GearGrid | Frame) -> int:
    """The cells that have a cube, as a bit set."""
    return int(grid.cubes[0]) | int(grid.cubes[1]) | int(grid.cubes[2])


def cubes_on(grid: GearGrid, cells: int = -1) -> list[int]:
    """Number of cubes of each kind, on the given cells only."""
    return [(of_kind & cells).bit_count() for of_kind in numbers_in(grid.cubes)]


def strength(grid: GearGrid) -> int:
    """How much a gear absorbs: wood 1, metal 2, tooth 3, magic 4 (DMG-1)."""
    return sum((kind + 1) * n for kind, n in enumerate(cubes_on(grid))) + 4 * bool(grid.magic)


# --- weapons --------------------------------------------------------------------------------------------------------


def weapons(cells: int) -> list[int]:
    """Connected groups of cells of the weapon grid (WEAP-1), as bit sets."""
    width = GEAR_WIDTH[Gear.WEAPON]
    todo, found = {divmod(cell, width) for cell in members(cells)}, []
    while todo:
        piece, edge = set[Cell](), [todo.pop()]
        while edge:
            row, column = edge.pop()
            piece.add((row, column))
            beside = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)} & todo
            todo -= beside
            edge += beside
        found.append(sum(1 << row * width + column for row, column in piece))
    return found


def is_right(weapon: int) -> bool:
    """Whether a weapon lies entirely in the right part."""
    return not weapon & LEFT_PART


def is_one_handed(me: Player, weapon: int) -> bool:
    """Whether a weapon is one-handed; Takeko's never are (CHAR-52)."""
    return (is_right(weapon) or not weapon & ~LEFT_PART) and board_of(me).one_handed > 0


def weapon_fault(me: Player) -> tuple[str, str] | None:
    """What is wrong with a player's weapons, and the rule that says so; None if nothing is."""
    found, board = weapons(filled(me.gear[Gear.WEAPON])), board_of(me)
    for weapon in found:
        if fault := _size_fault(me, weapon):
            return fault
    if len(found) > 1 and not board.one_handed:
        return f"{len(found)} weapons of Takeko, at most one", "CHAR-52"
    if len(found) > 2:
        return f"{len(found)} weapons, at most two", "WEAP-6"
    if len(found) == 2 and not all(is_one_handed(me, weapon) for weapon in found):
        return "one- and two-handed weapons together", "WEAP-6"
    if len(found) == 2 and is_right(found[0]) == is_right(found[1]):
        return "two weapons in one part", "WEAP-6"
    return None


def _size_fault(me: Player, weapon: int) -> tuple[str, str] | None:
    size, board = weapon.bit_count(), board_of(me)
    if is_one_handed(me, weapon):
        too_large = f"{size} cubes in a one-handed weapon, at most {board.one_handed}"
        return (too_large, "WEAP-2") if size > board.one_handed else None
    if not board.two_handed:
        return "a two-handed weapon of Tomoe", "CHAR-61"
    too_large = f"{size} cubes in a two-handed weapon, at most {board.two_handed}"
    return (too_large, "WEAP-4") if size > board.two_handed else None


# --- boards, cards, claims and packs --------------------------------------------------------------------------------

SPOT_NAMES: Final = tuple(codes_of(spot for spot in Spot if spot != Spot.CARRIED))


def judge_board(case: Case, p: int) -> None:
    """Check a player's monks, discs, scrolls, gear cards, tokens and claims."""
    me, where = case.people[p], f"players[{p}]"
    board = board_of(me)
    for spot, name in enumerate(SPOT_NAMES):
        fits = me.monks[spot] <= board.room(spot)
        case.want(f"{where}.monks", fits, f"no room for {me.monks[spot]} at {name}", "MONK-2")
    discs, wanted = int(me.pool) + sum(numbers_in(me.fields)), board.discs + int(me.monks[Spot.POOL])
    case.want(f"{where}.discs", discs == wanted, f"{discs} discs instead of {wanted}", "MONK-2")
    second = board.scroll_slots + me.monks[Spot.SCROLL] > 1 or not me.scrolls[1]
    case.want(f"{where}.scrolls", second, "the second slot needs the scroll monk", "MONK-2")
    owned = [gear_of_slot(slot) for slot in slots_at(case.s.gear_cards, Where.OWNED + p)]
    case.want(f"{where}.cards", len(set(owned)) == len(owned), "two gear cards of a type", "GEAR-2")
    looks = not me.looks or has_weapon_card(me)
    case.want(f"{where}.weapon_card", looks, "no weapon card lies under an action", "GEAR-5")
    looks = case.rules.has_vp or bool(me.looks) or not has_weapon_card(me)
    case.want(f"{where}.weapon_card", looks, "in co-op it lies with the look up", "GEAR-5")
    adventures = case.rules.adventure_tokens or not any(numbers_in(me.adventures))
    case.want(f"{where}.adventures", adventures, "this game has no adventure tokens", "SETUP-11")
    _judge_claims(case, me, where)


def _judge_claims(case: Case, me: Player, where: str) -> None:
    teeth = int(me.pack[Cube.TOOTH]) + sum(cubes_on(grid)[Cube.TOOTH] for grid in rows_of(me.gear))
    has = [*(int(grid.magic != 0) for grid in rows_of(me.gear)), sum(numbers_in(me.monks)) + int(me.pack_monks), teeth]
    for track, (claimed, most) in enumerate(zip(numbers_in(me.claimed), has, strict=True)):
        came_back = case.has_term(Term.DRAGONS_BAR_THE_WAY)  # SCEN-52: it may have lost things since then
        fits = came_back or claimed <= (most if me.outside else 0)
        case.want(f"{where}.claims", fits, f"{claimed} claims of {PALACE_TRACKS[track]} are too many", "SHOG-1")


def judge_pack(case: Case, p: int) -> None:
    """Check a player's blueprints and the size of its pack (GATH-8, PACK-1)."""
    where, owned, free = f"players[{p}]", case.blueprints_of(p), case.free_slots(p)
    fits = case.rules.is_coop or len(set(owned)) == len(owned)  # COOP-18
    case.want(f"{where}.blueprints", fits, "two blueprints of a type", "GATH-8")
    fits = free >= 0 or case.has_frame(p, Phase.SURPLUS)
    case.want(f"{where}.pack", fits, f"{-free} more things than it has slots for", "PACK-1")


# --- counters -------------------------------------------------------------------------------------------------------


def judge_counts(case: Case, p: int) -> None:
    """Check a player's counters."""
    _judge_sources(case, p)
    _judge_signs(case, p)
    me = case.people[p]
    has_left = me.outside and me.left_round <= case.s.round_number
    case.want(f"players[{p}].left_round", not me.left_round or has_left, "the player has not left by then", "END-1")


def _judge_sources(case: Case, p: int) -> None:
    vp, sources, where = case.people[p].vp, numbers_in(case.s.counts[p].vp), f"players[{p}].counts.vp"
    if not case.rules.has_vp:
        case.want(where, not any(sources), "there are no VP in co-op", "COOP-3")
        return
    total, advice = sum(sources), "leave counts.vp out if the sources are unknown"
    case.want(where, total == vp, f"the sources add up to {total} VP, not to {vp}: {advice}")


def _judge_signs(case: Case, p: int) -> None:
    """Check the signs: only VP lost to monks are negative (SCEN-42)."""
    numbers: dict[str, list[int]] = {name: code_in(case.s.counts[p], name) for name in COUNTERS}
    lost = numbers["vp"].pop(VpSource.MONK_DEFEATS)
    case.want(f"players[{p}].counts.vp.monk_defeats", lost <= 0, f"{lost} is above 0, but VP are lost there", "SCEN-42")
    for name, counted in numbers.items():
        case.want(f"players[{p}].counts.{name}", min(counted) >= 0, f"{min(counted)} is below 0")


# --- questions of rests: crafting, gear cards and magic -------------------------------------------------------------


def judge_rest(case: Case, k: int, frame: Frame) -> None:
    """Check a rest, or a craft outside of one (REST-1, CHAR-12, CHAR-23)."""
    character, below, stage = case.actor(k).character, case.role(k - 1), int(frame.stage)
    if stage == AFTER_ACTION:
        fits = character == Character.YOSHIHIRO and below == After.ACTION and case.phases[k - 1] == Phase.MAGIC_REFRESH
        case.fits(k, fits and not frame.chosen, "only Yoshihiro crafts after an action", "CHAR-12")
        return
    if stage == SANDALS_TOO:
        beside = character == Character.MASAKO and frame.chosen == 1 << Gear.HELMET | 1 << Gear.WEAPON
        case.fits(k, beside and below != After.ACTION, "only Masako crafts sandals beside other gear", "CHAR-23")
        return
    usual = After.TOKEN if stage == BY_TOKEN else Phase.REST_END
    case.fits(k, below == usual, "a craft belongs to a rest, or to a whetstone", "REST-1")
    case.fits(k, case.is_last(k) or frame.chosen, "nothing was crafted yet", "REST-1")


def judge_craft_way(case: Case, k: int, frame: Frame) -> None:
    """Check a craft after an action: only Yoshihiro does that, and the question whether to craft is already
    answered."""
    after_action = case.role(k - 1) == After.ACTION
    fits = case.actor(k).character == Character.YOSHIHIRO and case.phases[k - 1] == Phase.MAGIC_REFRESH
    case.fits(k, fits or not after_action, "only Yoshihiro crafts after an action", "CHAR-12")


def judge_crafting(case: Case, k: int, frame: Frame) -> None:
    """Check that before the craft no cube lay outside the gear's grid; the frame keeps that layout."""
    judge_craft_way(case, k, frame)
    open_now = open_cells(case.actor(k), int(frame.thing))
    case.fits(k, not filled(frame) & ~open_now, "cubes outside the open grid", "CRAFT-6")


def judge_waste(case: Case, k: int, frame: Frame) -> None:
    """Check that cubes come off the gear (CRAFT-2)."""
    judge_craft_way(case, k, frame)
    case.fits(k, any(numbers_in(frame.offer)), "no cubes come off the gear", "CRAFT-2")


def judge_place_card(case: Case, k: int, frame: Frame) -> None:
    """Check that the player owns the card that it places (GEAR-2)."""
    card = case.s.gear_cards[int(frame.thing)]
    case.fits(k, card.card and card.where == Where.OWNED + frame.actor, "the card is not its own", "GEAR-2")


def judge_card_bonus(case: Case, k: int, frame: Frame) -> None:
    """Check that a weapon card lies under an action (GEAR-5)."""
    case.fits(k, has_weapon_card(case.actor(k)), "no weapon card lies under an action", "GEAR-5")


def judge_halves(case: Case, k: int, frame: Frame) -> None:
    """Check the two halves of an action with a gear card (GEAR-3)."""
    placed = case.actor(k).card_on[int(frame.thing)]
    case.fits(k, placed, "no gear card lies there", "GEAR-3")
    case.fits(k, frame.marks or case.is_last(k), "a half is under way, but none is done", "GEAR-3")


def judge_look(case: Case, k: int, frame: Frame) -> None:
    """Check that only the seer's look may be skipped (GEAR-5)."""
    fits = bool(frame.stage) == (case.phases[k - 1] == Phase.TURN)
    case.fits(k, fits, "only the seer's look may be skipped", "GEAR-5")


def judge_magic_weapon(case: Case, k: int, frame: Frame) -> None:
    """Check the choice of the weapon that becomes magic (MAGIC-1)."""
    grid = case.actor(k).gear[Gear.WEAPON]
    two = len(weapons(filled(grid))) == 2 and not grid.magic
    case.fits(k, two and case.s.supply[Supply.MAGIC] > 0, "two weapons without magic are needed", "MAGIC-1")


JUDGES: Final = {
    Phase.REST: judge_rest,
    Phase.CRAFT_WAY: judge_craft_way,
    Phase.CRAFT_LAY: judge_crafting,
    Phase.WASTE: judge_waste,
    Phase.PLACE_CARD: judge_place_card,
    Phase.CARD_BONUS: judge_card_bonus,
    Phase.HALVES: judge_halves,
    Phase.LOOK: judge_look,
    Phase.MAGIC_WEAPON: judge_magic_weapon,
}

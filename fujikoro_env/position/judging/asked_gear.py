"""Questions of rests: crafting, gear cards and magic."""

from typing import Any, Final

from fujikoro_env.position.judging.boards import has_weapon_card
from fujikoro_env.position.judging.case import After, Case
from fujikoro_env.position.judging.gear import filled, weapons
from fujikoro_env.position.lookup import open_cells
from fujikoro_env.rules.base.names import Character, Gear, Supply, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.gear.craft import AFTER_ACTION, BY_TOKEN, SANDALS_TOO


def judge_rest(case: Case, k: int, frame: Any) -> None:
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
    case.fits(k, below == usual, "a whetstone makes the difference", "REST-1")
    case.fits(k, case.is_last(k) or frame.chosen, "nothing was crafted yet", "REST-1")


def judge_craft_way(case: Case, k: int, frame: Any) -> None:
    """An action is crafted after by one character alone, and then its question is gone."""
    after_action = case.role(k - 1) == After.ACTION
    fits = case.actor(k).character == Character.YOSHIHIRO and case.phases[k - 1] == Phase.MAGIC_REFRESH
    case.fits(k, fits or not after_action, "only Yoshihiro crafts after an action", "CHAR-12")


def judge_crafting(case: Case, k: int, frame: Any) -> None:
    """What lay on the gear before can't have lain outside its grid."""
    judge_craft_way(case, k, frame)
    open_now = open_cells(case.actor(k), int(frame.thing))
    case.fits(k, not filled(frame) & ~open_now, "cubes outside the open grid", "CRAFT-6")


def judge_waste(case: Case, k: int, frame: Any) -> None:
    judge_craft_way(case, k, frame)
    case.fits(k, frame.offer.any(), "no cubes come off the gear", "CRAFT-2")


def judge_place_card(case: Case, k: int, frame: Any) -> None:
    card = case.s.gear_cards[int(frame.thing)]
    case.fits(k, card.card and card.where == Where.OWNED + frame.actor, "the card is not its own", "GEAR-2")


def judge_card_bonus(case: Case, k: int, frame: Any) -> None:
    case.fits(k, has_weapon_card(case.actor(k)), "no weapon card lies under an action", "GEAR-5")


def judge_halves(case: Case, k: int, frame: Any) -> None:
    placed = case.actor(k).card_on[int(frame.thing)]
    case.fits(k, placed, "no gear card lies there", "GEAR-3")
    case.fits(k, frame.marks or case.is_last(k), "a half is under way, but none is done", "GEAR-3")


def judge_look(case: Case, k: int, frame: Any) -> None:
    fits = bool(frame.stage) == (case.phases[k - 1] == Phase.TURN)
    case.fits(k, fits, "only the seer's look may be skipped", "GEAR-5")


def judge_magic_weapon(case: Case, k: int, frame: Any) -> None:
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

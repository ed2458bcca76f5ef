"""What the guide does with its dice: rerolls, and equipment in phase 4."""

from fuji_env.agents.guide.mind import PERCENT, Scene, Weight, note
from fuji_env.agents.guide.stakes import set_stakes
from fuji_env.agents.guide.trials import judge_all, worth_of_rolling
from fuji_env.content.model import DICE, NUMBERS
from fuji_env.rules.base.actions import DIE, DONE, PLAY, ROLL
from fuji_env.rules.base.names import GEAR_CARDS, Gear, Skill
from fuji_env.rules.base.state import ALL_DICE
from fuji_env.rules.dice import free_dice
from fuji_env.rules.equip import DICE_OF_GLOVES
from fuji_env.rules.skill import has_skill
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allows, bit, count_bits, has


@rule
def reroll(x: Scene, mask: Words) -> int:
    """Choose the dice to roll again, or the one to set aside, or stop."""
    judge_all(x)
    me = x.s.figures[x.figure]
    left = max(int(me.rerolls) - 1, 0)
    saved = int(x.w[Weight.BAR]) * int(x.mind.samples) * PERCENT if has_skill(me, Skill.GATHERER) else 0
    best, worth = DONE + 0, worth_of_rolling(x, 0, 0) + saved * int(me.rerolls)
    note(x, DONE, worth)
    best, worth = better_roll(x, mask, left, best, worth)
    best, worth = better_die(x, mask, False, best, worth)
    return best


@rule
def roll_some(x: Scene, mask: Words) -> int:
    """Choose the dice that a card rolls again, if it is worth it."""
    judge_all(x)
    best, _worth = better_roll(x, mask, 0, DONE + 0, worth_of_rolling(x, 0, 0))
    return best


@rule
def die_aside(x: Scene, mask: Words) -> int:
    """Choose the die to set aside, if it is worth it."""
    judge_all(x)
    best, _worth = better_die(x, mask, False, DONE + 0, worth_of_rolling(x, 0, 0))
    return best


@rule
def die_turned(x: Scene, mask: Words) -> int:
    """Choose the die to turn, if it is worth it."""
    judge_all(x)
    best, _worth = better_die(x, mask, True, DONE + 0, worth_of_rolling(x, 0, 0))
    return best


@rule
def better_roll(x: Scene, mask: Words, left: int, best: int, best_worth: int) -> tuple[int, int]:
    """Return the best of an action and all sets of dice to roll again, with so many rerolls left, and its worth."""
    for dice in range(1, ALL_DICE + 1):
        if allows(mask, ROLL + dice - 1):
            worth = worth_of_rolling(x, dice, left)
            note(x, ROLL + dice - 1, worth)
            if worth > best_worth:
                best, best_worth = ROLL + dice - 1, worth
    return best, best_worth


@rule
def better_die(x: Scene, mask: Words, is_turned: bool, best: int, best_worth: int) -> tuple[int, int]:
    """Return the best of an action and all dice to turn, or to set aside, and its worth."""
    for die in range(DICE):
        if allows(mask, DIE + die):
            worth = worth_turned(x, die) if is_turned else worth_without(x, die)
            note(x, DIE + die, worth)
            if worth > best_worth:
                best, best_worth = DIE + die, worth
    return best, best_worth


@rule
def worth_without(x: Scene, die: int) -> int:
    """Return the worth of setting a die aside. With rerolls left, they are counted, too."""
    me = x.s.figures[x.figure]
    aside = int(me.aside)
    me.aside = aside | bit(die)
    worth = worth_of_rolling(x, 0, 0)
    me.aside = aside
    return worth


@rule
def worth_turned(x: Scene, die: int) -> int:
    """Return the worth of turning a die to its opposite face."""
    number = int(x.mind.own[die])
    x.mind.own[die] = NUMBERS + 1 - number
    worth = worth_of_rolling(x, 0, 0)
    x.mind.own[die] = number
    return worth


@rule
def equip(x: Scene, mask: Words) -> int:
    """Play the card of phase 4 that gains most, if it gains enough."""
    if allows(mask, PLAY + Gear.TEA_FLASK):
        return PLAY + Gear.TEA_FLASK
    if allows(mask, PLAY + Gear.FIRST_AID_KIT):
        return PLAY + Gear.FIRST_AID_KIT
    judge_all(x)
    best = DONE + 0
    best_worth = worth_of_rolling(x, 0, 0) + int(x.w[Weight.CARD]) * int(x.mind.samples) * PERCENT
    for card in range(GEAR_CARDS):
        if allows(mask, PLAY + card):
            worth = worth_of_card(x, card)
            if worth > best_worth:
                best, best_worth = PLAY + card, worth
    return best


@rule
def worth_of_card(x: Scene, card: int) -> int:
    """Return the worth of the best use of a card of phase 4."""
    if card == Gear.WALKING_POLE or card == Gear.HELMET:
        return worth_in_effect(x, card)
    most = DICE_OF_GLOVES if card == Gear.GLOVES else 1
    free, best = free_dice(x.s, x.figure), worth_of_rolling(x, 0, 0)
    for dice in range(1, ALL_DICE + 1):
        if dice & ~free == 0 and count_bits(dice) <= most:
            if card == Gear.POCKET_KNIFE:
                worth = worth_without(x, lowest(dice))
            elif card == Gear.DUCT_TAPE:
                worth = worth_turned(x, lowest(dice))
            else:
                worth = worth_of_rolling(x, dice, 0)
            best = max(best, worth)
    return best


@rule
def lowest(dice: int) -> int:
    """Return the first die of a set."""
    die = 0
    while not has(dice, die):
        die += 1
    return die


@rule
def worth_in_effect(x: Scene, card: int) -> int:
    """Return the worth of a card that works until the end of the round."""
    me = x.s.figures[x.figure]
    effects = int(me.effects)
    me.effects = effects | bit(card)
    set_stakes(x, x.figure)
    worth = worth_of_rolling(x, 0, 0)
    me.effects = effects
    set_stakes(x, x.figure)
    return worth

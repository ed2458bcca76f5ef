"""Trial rolls of all dice that the guide can't see, and what its own choices are worth against them."""

from fuji_env.agents.guide.mind import MARGINS, PERCENT, ROLLS, Scene, Weight
from fuji_env.agents.guide.stakes import set_stakes
from fuji_env.content.model import DICE, NUMBERS
from fuji_env.rules.base.names import Gear, Word
from fuji_env.rules.base.phases import Phase
from fuji_env.rules.base.state import BONUS_OF_A_POLE
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.cond import card_at, left_of, right_of
from fuji_env.rules.dice import dice_in, is_third
from fuji_env.rules.reroll import allowance
from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import has
from fujikoro_env.kernel.streams import below_number, seed_stream

TRIES = 8  # rolls of a set until one fits what its player said
PHASE_AT = 1  # frame of the phase; the round lies under it


@rule
def imagine(x: Scene) -> None:
    """Roll all dice that can't be seen, as they will lie when screens come off."""
    seed_stream(x.mind.luck[0], 0, fingerprint(x))
    for sample in range(x.mind.samples):
        for dice_set in range(x.s.settings.sets):
            if dice_set != x.figure:
                imagine_set(x, sample, dice_set)
        for k in range(ROLLS):
            for die in range(DICE):
                x.mind.rolls[sample, k, die] = below_number(x.mind.luck[0], NUMBERS) + 1
    for die in range(DICE):
        x.mind.own[die] = x.s.dice[x.figure, die]


@rule
def fingerprint(x: Scene) -> int:
    """Return a number that depends on what the player sees, so that equal views get equal answers."""
    found = int(x.s.round_number) * 8 + x.figure
    for die in range(DICE):
        found = (found * 31 + int(x.s.dice[x.figure, die])) & 0xFFFFFFFF
    for figure in range(x.s.settings.figures):
        found = (found * 41 + int(x.s.figures[figure].marker) * 7 + int(x.s.figures[figure].said)) & 0xFFFFFFFF
    return found


@rule
def imagine_set(x: Scene, sample: int, dice_set: int) -> None:
    """Roll a set until it fits what its player said, and then again as its player would."""
    for _ in range(TRIES):
        for die in range(DICE):
            seen = int(x.s.dice[dice_set, die])
            if die >= dice_in(x.s, dice_set):
                seen = 0
            elif seen == 0:
                seen = below_number(x.mind.luck[0], NUMBERS) + 1
            x.mind.dice[sample, dice_set, die] = seen
        if fits_words(x, sample, dice_set):
            break
    if not is_third(x.s, dice_set) and x.s.figures[dice_set].marker != 0:
        roll_on(x, sample, dice_set)


@rule
def fits_words(x: Scene, sample: int, dice_set: int) -> bool:
    """Whether trial dice fit what was said of them."""
    s = x.s
    if s.radio != 0 and trial_value(x, sample, dice_set, card_at(s, s.radio - 1)) != s.told[dice_set]:
        return False
    if is_third(s, dice_set):
        return True
    said = s.figures[dice_set].said
    if said == Word.WARN_LEFT:
        return is_third_of(x, sample, dice_set, left_of(s, dice_set), Word.STRONG)
    if said == Word.WARN_RIGHT:
        return is_third_of(x, sample, dice_set, right_of(s, dice_set), Word.STRONG)
    return said == Word.NOTHING or is_third_of(x, sample, dice_set, dice_set, said)


@rule
def is_third_of(x: Scene, sample: int, dice_set: int, whose: int, word: int) -> bool:
    """Whether trial dice are weak, fair or strong on the card that a figure has marked."""
    if is_third(x.s, whose) or x.s.figures[whose].marker == 0:
        return True
    card = card_at(x.s, x.s.figures[whose].marker - 1)
    value = trial_value(x, sample, dice_set, card)
    return int(x.t.third[card, dice_in(x.s, dice_set), value]) == word - Word.WEAK


@rule
def roll_on(x: Scene, sample: int, dice_set: int) -> None:
    """Roll trial dice again as their player would, for its marked card. After phase 3, dice that can be seen stay."""
    s = x.s
    card = card_at(s, s.figures[dice_set].marker - 1)
    is_over = s.stack[PHASE_AT].phase == Phase.EQUIPPING
    for _ in range(allowance(s, x.t, dice_set)):
        for die in range(dice_in(s, dice_set)):
            number = int(x.mind.dice[sample, dice_set, die])
            stays = has(s.figures[dice_set].aside, die) or (is_over and s.dice[dice_set, die] != 0)
            if not stays and not is_good(x.t, card, die, number):
                x.mind.dice[sample, dice_set, die] = below_number(x.mind.luck[0], NUMBERS) + 1


@rule
def is_good(t: Tables, card: int, die: int, number: int) -> bool:
    """Whether a die counts on a card and shows no less than could be expected of another roll."""
    total = 0
    for other in range(1, NUMBERS + 1):
        total += int(t.counts[card, die, other]) * other
    return t.counts[card, die, number] != 0 and number * NUMBERS >= total


@rule
def trial_value(x: Scene, sample: int, dice_set: int, card: int) -> int:
    """Return the value of trial dice on a card."""
    value = 0
    aside = 0 if is_third(x.s, dice_set) else int(x.s.figures[dice_set].aside)
    for die in range(DICE):
        number = int(x.mind.dice[sample, dice_set, die])
        if number != 0 and x.t.counts[card, die, number] != 0 and not has(aside, die):
            value += number
    return value


# --- own choices ------------------------------------------------------------------------------------------------------


@rule
def judge_all(x: Scene) -> None:
    """Work out the stakes of all figures that have a marker, and the values of the others in all trials."""
    for figure in range(x.s.settings.figures):
        if x.s.figures[figure].marker != 0:
            set_stakes(x, figure)
    left, right = left_of(x.s, x.figure), right_of(x.s, x.figure)
    know_mate(x, 0, left, left_of(x.s, left))
    know_mate(x, 1, right, right_of(x.s, right))
    if x.s.figures[x.figure].marker != 0:
        know_rivals(x)


@rule
def know_mate(x: Scene, side: int, mate: int, beyond: int) -> None:
    """Work out the values on the card that a neighbour has marked: its own, and that of its neighbour beyond."""
    x.mind.mate_card[side] = -1
    if is_third(x.s, mate) or x.s.figures[mate].marker == 0:
        return
    card = card_at(x.s, x.s.figures[mate].marker - 1)
    pole = BONUS_OF_A_POLE if has(x.s.figures[mate].effects, Gear.WALKING_POLE) else 0
    x.mind.mate_card[side] = card
    for sample in range(x.mind.samples):
        x.mind.mate_own[sample, side] = trial_value(x, sample, mate, card) + pole
        x.mind.mate_rival[sample, side] = trial_value(x, sample, beyond, card)


@rule
def know_rivals(x: Scene) -> None:
    """Work out the values of the neighbours on the own card."""
    card = card_at(x.s, x.s.figures[x.figure].marker - 1)
    left, right = left_of(x.s, x.figure), right_of(x.s, x.figure)
    for sample in range(x.mind.samples):
        x.mind.rival[sample] = max(trial_value(x, sample, left, card), trial_value(x, sample, right, card))


@rule
def worth_of_rolling(x: Scene, first: int, rerolls: int) -> int:
    """Return the worth, summed over all trials, of rolling these own dice again, and then so many times more whatever
    is not good for the own card. The own dice begin as in `mind.own`."""
    worth = 0
    for sample in range(x.mind.samples):
        roll_own(x, sample, first, rerolls)
        worth += worth_of_trial(x, sample)
    return worth


@rule
def roll_own(x: Scene, sample: int, first: int, rerolls: int) -> None:
    """Roll the own dice in a trial."""
    me, trial = x.s.figures[x.figure], x.mind.trial
    card = card_at(x.s, me.marker - 1)
    for die in range(DICE):
        trial[die] = x.mind.rolls[sample, 0, die] if has(first, die) else x.mind.own[die]
        if not has(me.aside, die) and trial[die] != 0:
            for k in range(rerolls):
                if is_good(x.t, card, die, trial[die]):
                    break
                trial[die] = x.mind.rolls[sample, min(k + 1, ROLLS - 1), die]


@rule
def own_value(x: Scene, card: int) -> int:
    """Return the value of the own trial dice on a card."""
    value, aside = 0, int(x.s.figures[x.figure].aside)
    for die in range(DICE):
        number = int(x.mind.trial[die])
        if number != 0 and x.t.counts[card, die, number] != 0 and not has(aside, die):
            value += number
    return value


@rule
def worth_of_trial(x: Scene, sample: int) -> int:
    """Return the worth of a trial to the figure and its neighbours."""
    me = x.s.figures[x.figure]
    pole = BONUS_OF_A_POLE if has(me.effects, Gear.WALKING_POLE) else 0
    margin = own_value(x, card_at(x.s, me.marker - 1)) + pole - int(x.mind.rival[sample])
    mates = mate_stake(x, sample, 0, left_of(x.s, x.figure)) + mate_stake(x, sample, 1, right_of(x.s, x.figure))
    return stake(x, x.figure, margin) * PERCENT + mates * int(x.w[Weight.MATES])


@rule
def mate_stake(x: Scene, sample: int, side: int, mate: int) -> int:
    """Return the worth of a neighbour's move in a trial."""
    card = int(x.mind.mate_card[side])
    if card < 0:
        return 0
    rival = max(int(x.mind.mate_rival[sample, side]), own_value(x, card))
    return stake(x, mate, int(x.mind.mate_own[sample, side]) - rival)


@rule
def stake(x: Scene, figure: int, margin: int) -> int:
    """Return the worth of a figure's move with a margin."""
    return int(x.mind.stakes[figure, min(max(margin, 0), MARGINS - 1)])

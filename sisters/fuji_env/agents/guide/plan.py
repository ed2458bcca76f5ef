"""The guide's planning turns: where to go, and what to say."""

from fuji_env.agents.guide.mind import PERCENT, Scene, Weight, note
from fuji_env.agents.guide.stakes import set_stakes
from fuji_env.agents.guide.trials import judge_all, know_rivals, worth_of_rolling
from fuji_env.content.model import PLACES
from fuji_env.rules.base.actions import DONE, PLACE, PLAY, SAY
from fuji_env.rules.base.names import Gear, Talk, Word
from fuji_env.rules.base.tables import FAR
from fuji_env.rules.cond import card_at, left_of, right_of, value_of
from fuji_env.rules.dice import is_third
from fuji_env.rules.map import Walk, distance, layout_of, walk_of
from fuji_env.rules.plan import honest_word, may_choose, most_steps
from fuji_env.rules.reroll import allowance
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allows, bit, has

NOTHING_YET = -(1 << 60)


@rule
def plan(x: Scene, mask: Words) -> int:
    """Answer on a planning turn: play a card, lay the marker, or keep it."""
    me = x.s.figures[x.figure]
    kept = int(me.marker)
    judge_all(x)
    place, worth = best_place(x, True)
    card = card_to_plan_with(x, mask, worth, kept)
    if card >= 0:
        return PLAY + card
    if place == kept - 1 and allows(mask, DONE) and has_said_it(x):
        return DONE + 0
    return PLACE + place


@rule
def has_said_it(x: Scene) -> bool:
    """Whether the figure's last word is still what it would say."""
    me = x.s.figures[x.figure]
    return x.s.settings.talk != Talk.WORDS or me.said == word_to_say(x)


@rule
def best_place(x: Scene, is_noted: bool) -> tuple[int, int]:
    """Return the place for the own marker, and what it is worth. `is_noted`: whether the worths of all places are
    noted."""
    me = x.s.figures[x.figure]
    kept, steps, around = int(me.marker), int(me.steps), int(me.around)
    places, best, best_worth = may_choose(x.s, x.t, x.figure), int(me.at), NOTHING_YET
    for place in range(PLACES):
        if has(places, place):
            worth = worth_of_plan(x, place)
            if is_noted:
                note(x, PLACE + place, worth)
            if worth > best_worth:
                best, best_worth = place, worth
    me.marker, me.steps, me.around = kept, steps, around
    if kept != 0:
        set_stakes(x, x.figure)
        know_rivals(x)
    return best, best_worth


@rule
def worth_of_plan(x: Scene, place: int) -> int:
    """Return the worth of a marker on a place."""
    lay(x, place)
    set_stakes(x, x.figure)
    know_rivals(x)
    return worth_of_rolling(x, 0, allowance(x.s, x.t, x.figure))


@rule
def lay(x: Scene, place: int) -> None:
    """Lay the own marker as the guide would: around eruption tokens if it can."""
    s, me = x.s, x.s.figures[x.figure]
    m, walk, most = layout_of(s, x.t), walk_of(s, x.t, me), most_steps(s, x.figure)
    me.marker = place + 1
    me.around = 0
    me.steps = min(distance(m, walk, place, most), most)
    dry = distance(m, Walk(walk.start, walk.places & ~int(s.eruption_tokens), walk.rope), place, most)
    if me.steps < dry < FAR:
        me.steps, me.around = dry, 1


# --- equipment --------------------------------------------------------------------------------------------------------


@rule
def card_to_plan_with(x: Scene, mask: Words, worth: int, kept: int) -> int:
    """Return the equipment card to play now, or -1. `worth`: of the best plan without one."""
    for card in (Gear.TEA_FLASK, Gear.FIRST_AID_KIT):
        if allows(mask, PLAY + card):
            return card + 0
    if kept != 0:  # others have markers, too, so that knowing dice helps
        for card in (Gear.RADIO, Gear.BINOCULARS):
            if allows(mask, PLAY + card):
                return card + 0
    least = worth + int(x.w[Weight.CARD]) * int(x.mind.samples) * PERCENT
    for card in (Gear.HIKING_BOOTS, Gear.TRAIL_MAP, Gear.ROPE, Gear.WHISTLE):
        if allows(mask, PLAY + card) and worth_with(x, card) > least:
            return card + 0
    return -1


@rule
def worth_with(x: Scene, card: int) -> int:
    """Return the worth of the best plan after playing a card."""
    s, me = x.s, x.s.figures[x.figure]
    effects, whistles = int(me.effects), int(s.whistles)
    if card == Gear.WHISTLE:
        s.whistles = whistles + 1
    else:
        me.effects = effects | bit(card)
    _, worth = best_place(x, False)
    me.effects, s.whistles = effects, whistles
    return worth


# --- words ------------------------------------------------------------------------------------------------------------


@rule
def word_to_say(x: Scene) -> int:
    """Return the word for the own marker: a warning if the figure is strong on a neighbour's card, or how strong it is
    on its own."""
    s, figure = x.s, x.figure
    left, right = left_of(s, figure), right_of(s, figure)
    danger_left, danger_right = danger(x, left), danger(x, right)
    if danger_left > 0 and danger_left >= danger_right:
        return Word.WARN_LEFT + 0
    if danger_right > 0:
        return Word.WARN_RIGHT + 0
    return honest_word(s, x.t, figure, s.figures[figure].marker - 1)


@rule
def danger(x: Scene, neighbour: int) -> int:
    """Return the own value on a neighbour's card if it is strong there, or 0."""
    s = x.s
    if is_third(s, neighbour) or s.figures[neighbour].marker == 0:
        return 0
    place = int(s.figures[neighbour].marker) - 1
    if honest_word(s, x.t, x.figure, place) != Word.STRONG:
        return 0
    return value_of(s, x.t, x.figure, card_at(s, place))


@rule
def say(x: Scene, mask: Words) -> int:
    """Say a word."""
    word = word_to_say(x)
    return SAY + word if allows(mask, SAY + word) else SAY + Word.NOTHING

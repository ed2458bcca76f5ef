"""The guide's answers to all questions of the game."""

from typing import Final

from fuji_env.agents.guide.dice import die_aside, die_turned, equip, reroll, roll_some
from fuji_env.agents.guide.map_sense import look_at_map
from fuji_env.agents.guide.mind import Mind, Scene
from fuji_env.agents.guide.plan import plan, say
from fuji_env.agents.guide.trials import imagine
from fuji_env.rules.base.actions import AROUND, BARS, CARD, FIGURE, INJURY, PLACE
from fuji_env.rules.base.frames import after, top
from fuji_env.rules.base.names import INJURIES, Gear, Injury, Reason
from fuji_env.rules.base.phases import Phase
from fuji_env.rules.base.state import FIGURES, MOST_BARS, State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.cond import card_at, higher_neighbour
from fuji_env.rules.engine.hidden import blank_dice, blank_others
from fuji_env.rules.map import layout_of
from fuji_env.rules.move import moving_value, tokens_of_move
from fujikoro_env.kernel.commands import WAIT
from fujikoro_env.kernel.jit import IntArray, Words, WordTable, entry, rule
from fujikoro_env.kernel.masks import allows, has, nth_allowed
from fujikoro_env.kernel.records import Records

# Equipment cards that a guide likes, best first; it does not care about the others.
BEST_FIRST: Final = (
    Gear.WHISTLE,
    Gear.HELMET,
    Gear.GLOVES,
    Gear.WALKING_POLE,
    Gear.TEA_FLASK,
    Gear.HIKING_BOOTS,
    Gear.TRAIL_MAP,
    Gear.FLARE,
    Gear.ENERGY_DRINK,
    Gear.DUCT_TAPE,
    Gear.FIRST_AID_KIT,
    Gear.POCKET_KNIFE,
)
LIKED: Final = tuple(map(int, BEST_FIRST))


@rule
def card_to_keep(mask: Words) -> int:
    """Keep the card that a guide likes best."""
    for card in LIKED:
        if allows(mask, CARD + card):
            return CARD + card
    return nth_allowed(mask, 0)


@rule
def injury_to_suffer(x: Scene, mask: Words) -> int:
    """Suffer what hurts least: no equipment if there is none, then the skill."""
    has_cards = x.s.figures[x.figure].equipment != 0
    if not has_cards and allows(mask, INJURY + Injury.EQUIPMENT):
        return INJURY + Injury.EQUIPMENT
    for injury in (Injury.SKILL, Injury.EQUIPMENT, Injury.DIE, Injury.REROLL):
        if allows(mask, INJURY + injury):
            return INJURY + injury
    return nth_allowed(mask, 0)


@rule
def injury_to_heal(mask: Words) -> int:
    """Give back what hurts most."""
    for injury in range(INJURIES):
        if allows(mask, INJURY + injury):
            return INJURY + injury
    return nth_allowed(mask, 0)


@rule
def partner(x: Scene, mask: Words) -> int:
    """Name the neighbour on the left."""
    return FIGURE + 1 if allows(mask, FIGURE + 1) else nth_allowed(mask, 0)


@rule
def place_for_radio(x: Scene, mask: Words) -> int:
    """Name the own marked card."""
    place = max(int(x.s.figures[x.figure].marker) - 1, 0)
    return PLACE + place if allows(mask, PLACE + place) else nth_allowed(mask, 0)


@rule
def margin_of(x: Scene, figure: int) -> int:
    """Return the margin of a figure that is about to move; screens are off."""
    card = card_at(x.s, x.s.figures[figure].marker - 1)
    return moving_value(x.s, x.t, figure, card) - higher_neighbour(x.s, x.t, figure, card)


@rule
def next_mover(x: Scene, mask: Words) -> int:
    """Name first who reaches a village, then who succeeds; who fails comes last, because the game may be won before."""
    best, best_rank = nth_allowed(mask, 0), -1
    for k in range(FIGURES):
        if allows(mask, FIGURE + k):
            rank = rank_of_mover(x, after(x.s.lead, k, x.s.settings.figures))
            if rank > best_rank:
                best, best_rank = FIGURE + k, rank
    return best


@rule
def rank_of_mover(x: Scene, figure: int) -> int:
    """Return how early a figure moves."""
    me = x.s.figures[figure]
    village = layout_of(x.s, x.t).village
    if margin_of(x, figure) <= 0:
        return 0
    if tokens_of_move(x.s, x.t, me) != 0:
        return 1
    if me.at != me.marker - 1 and has(village, me.marker - 1):
        return 3
    return 2


@rule
def bars_to_spend(x: Scene, mask: Words) -> int:
    """Spend as few bars as turn a failure into a success."""
    mover = int(top(x.s).what)
    needed = 1 - margin_of(x, mover)
    if 0 < needed <= MOST_BARS and allows(mask, BARS + needed):
        return BARS + needed
    return BARS + 0


@rule
def answer(x: Scene, mask: Words) -> int:
    """Answer the question on top of the stack."""
    phase = top(x.s).phase
    x.mind.noted = 0
    look_at_map(x)
    if x.s.screens != 0:
        imagine(x)
    match phase:
        case Phase.KEEP:
            return card_to_keep(mask)
        case Phase.PLAN:
            return plan(x, mask)
        case Phase.WALK:
            return AROUND + 0
        case Phase.WORD:
            return say(x, mask)
        case Phase.RADIO:
            return place_for_radio(x, mask)
        case Phase.PARTNER:
            return partner(x, mask)
        case Phase.HEALED:
            return injury_to_heal(mask)
        case Phase.REROLL:
            return reroll(x, mask)
        case Phase.EQUIP:
            return equip(x, mask)
        case Phase.ROLL_DICE:
            return roll_some(x, mask)
        case Phase.SET_ASIDE:
            return die_aside(x, mask)
        case Phase.TURN_DIE:
            return die_turned(x, mask)
        case Phase.NEXT:
            return next_mover(x, mask)
        case Phase.BARS:
            return bars_to_spend(x, mask)
        case Phase.INJURY:
            return injury_to_suffer(x, mask)
        case _:
            return nth_allowed(mask, 0)


@entry
def answer_games(
    views: Records[State],
    tables: Records[Tables],
    masks: WordTable,
    minds: Records[Mind],
    w: IntArray,
    actions: IntArray,
) -> int:
    """Write the guide's answers in all these games, WAIT for finished ones; return how many are still going. `views`:
    copies of the games, from which everything that the acting player can't see is erased here."""
    playing = 0
    for g in range(len(views)):
        s = views[g]
        if s.reason != Reason.PLAYING:
            actions[g] = WAIT
            continue
        playing += 1
        blank_dice(s, int(top(s).actor))
        blank_others(s, tables[0], int(top(s).actor))
        x = Scene(s, tables[0], minds[0], w, int(top(s).figure))
        chosen = answer(x, masks[g])
        actions[g] = chosen if allows(masks[g], chosen) else nth_allowed(masks[g], 0)
    return playing

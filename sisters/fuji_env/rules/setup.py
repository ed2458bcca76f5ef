"""Setting up a game (SETUP)."""

from fuji_env.content.model import CARDS, LANDSCAPES, PLACES
from fuji_env.rules.base.actions import CARD
from fuji_env.rules.base.chance import draw_equipment, seed_streams
from fuji_env.rules.base.frames import pop, push, top
from fuji_env.rules.base.names import GEAR_CARDS, SKILLS, Stream
from fuji_env.rules.base.phases import Phase
from fuji_env.rules.base.state import ALL_GEAR, State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.map import layout_of
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, count_bits, has
from fujikoro_env.kernel.streams import below_number, draw_from

FIRST_ON_WHITE = 3  # players that all start on the white card (SETUP-3)


@rule
def deal(s: State, t: Tables, seed: int) -> None:
    """Set up a game whose record holds the settings and is zero otherwise."""
    seed_streams(s, seed)
    s.round_number = 1
    s.deck = ALL_GEAR
    deal_cards(s, t)
    deal_skills(s)
    lay_figures(s, t)
    s.lead = below_number(s.streams[Stream.SETUP], s.settings.figures)
    push(s, Phase.ROUND, 0)
    push(s, Phase.DEAL, 0)


@rule
def deal_cards(s: State, t: Tables) -> None:
    """Deal the area cards to their places, face up, and lay the tokens (MAP-1, MAP-6). The volcano is lava from the
    start (MAP-4)."""
    m = layout_of(s, t)
    landscapes, villages = bit(LANDSCAPES) - 1, bit(CARDS) - bit(LANDSCAPES)
    for place in range(PLACES):
        card = -1
        if has(m.landscape, place):
            card = draw_from(s.streams[Stream.SETUP], landscapes)
            landscapes -= bit(card)
        elif has(m.village, place):
            card = draw_from(s.streams[Stream.SETUP], villages)
            villages -= bit(card)
        s.cards[place] = card + 1
    s.lava = m.volcano
    s.eruption_tokens = m.eruption_tokens
    s.equipment_tokens = m.equipment_tokens


@rule
def deal_skills(s: State) -> None:
    """Give each figure its skill card, at random unless the settings say which (SETUP-1)."""
    left = bit(SKILLS) - 1
    for k in range(s.settings.figures):
        if s.settings.skills[k] != 0:
            left &= ~bit(s.settings.skills[k] - 1)
    for k in range(s.settings.figures):
        if s.settings.skills[k] != 0:
            s.figures[k].skill = s.settings.skills[k] - 1
        else:
            s.figures[k].skill = draw_from(s.streams[Stream.SETUP], left)
            left -= bit(s.figures[k].skill)


@rule
def lay_figures(s: State, t: Tables) -> None:
    """Put the figures on their start cards: all on white, but with four every second one on grey (SETUP-3)."""
    m = layout_of(s, t)
    for k in range(s.settings.figures):
        on_grey = s.settings.figures > FIRST_ON_WHITE and k % 2 == 1
        s.figures[k].at = m.grey if on_grey else m.white


@rule
def go_deal(s: State, t: Tables) -> None:
    """Draw the equipment of the next figure; if its skill card says so, its player chooses (SKILL-1, SKILL-6)."""
    frame = top(s)
    if frame.left == s.settings.figures:
        pop(s)
        return
    k = frame.left
    frame.left += 1
    skill = s.figures[k].skill
    offered = 0
    for _ in range(t.skill_draws[skill]):
        card = draw_equipment(s)
        if card >= 0:
            offered |= bit(card)
    if count_bits(offered) <= t.skill_keeps[skill]:
        s.figures[k].equipment = offered
    else:
        question = push(s, Phase.KEEP, k)
        question.left = t.skill_keeps[skill]
        question.what = offered


@rule
def legal_keep(s: State, mask: Words) -> None:
    """Keep one of the cards drawn."""
    for card in range(GEAR_CARDS):
        if has(top(s).what, card):
            allow(mask, CARD + card)


@rule
def do_keep(s: State, action: int) -> None:
    """Keep a card; the rest goes under the pile (SKILL-1)."""
    frame = top(s)
    s.figures[frame.figure].equipment |= bit(action - CARD)
    frame.what -= bit(action - CARD)
    frame.left -= 1
    if frame.left == 0:
        s.under |= frame.what
        pop(s)

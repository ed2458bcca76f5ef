"""Planning: markers, walks and words (PLAN)."""

from fuji_env.content.model import PLACES
from fuji_env.rules.base.actions import AROUND, DONE, PLACE, SAY, THROUGH
from fuji_env.rules.base.frames import after, pop, push, top
from fuji_env.rules.base.names import PLANNING_PHASE, Gear, Skill, Talk, Word
from fuji_env.rules.base.phases import Phase
from fuji_env.rules.base.state import MOST_STEPS, State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.cond import card_at, left_of, right_of, value_of
from fuji_env.rules.dice import is_third
from fuji_env.rules.equip import allow_equipment, is_equipment, use_equipment
from fuji_env.rules.map import Walk, distance, layout_of, walk_of, within
from fuji_env.rules.skill import has_skill
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, has

USUAL_STEPS = 3
TIMES_ROUND = 3  # PLAN-6


@rule
def go_planning(s: State) -> None:
    """Ask the next player, at most 3 times round the table from the lead player, or until all are content in a row
    (PLAN-1, PLAN-6)."""
    frame, figures = top(s), s.settings.figures
    if frame.left >= TIMES_ROUND * figures or (frame.left >= figures and frame.what >= figures):
        pop(s)
    else:
        push(s, Phase.PLAN, after(s.lead, frame.left, figures))


@rule
def most_steps(s: State, figure: int) -> int:
    """Return how far a figure may plan to walk: 3 steps, and 4 for the Scout or in hiking boots (PLAN-2, SKILL-2)."""
    me = s.figures[figure]
    far = has_skill(me, Skill.SCOUT) or has(me.effects, Gear.HIKING_BOOTS)
    return MOST_STEPS + 0 if far else USUAL_STEPS + 0


@rule
def may_choose(s: State, t: Tables, figure: int) -> int:
    """Return the places that a figure's marker may lie on: within reach, and none that a neighbour has chosen (PLAN-2,
    PLAN-3). A figure that has no other place may always stay."""
    me = s.figures[figure]
    places = within(layout_of(s, t), walk_of(s, t, me), most_steps(s, figure))
    places &= ~(marker_of(s, left_of(s, figure)) | marker_of(s, right_of(s, figure)))
    return places if places != 0 else bit(me.at)


@rule
def marker_of(s: State, dice_set: int) -> int:
    """Return the place of a marker as a bit set; empty if there is none."""
    if is_third(s, dice_set) or s.figures[dice_set].marker == 0:
        return 0
    return bit(s.figures[dice_set].marker - 1)


@rule
def legal_plan(s: State, t: Tables, mask: Words) -> None:
    """Lay the marker, or leave it where it is. Before that equipment may be used (PLAN-7)."""
    figure = top(s).figure
    places = may_choose(s, t, figure)
    for place in range(PLACES):
        if has(places, place):
            allow(mask, PLACE + place)
    if s.figures[figure].marker != 0:
        allow(mask, DONE)
    allow_equipment(s, t, figure, PLANNING_PHASE, mask)


@rule
def do_plan(s: State, t: Tables, action: int) -> None:
    """Carry out a planning turn."""
    frame = top(s)
    figure, played = frame.figure, frame.stage
    if is_equipment(action):
        frame.stage = 1
        use_equipment(s, t, figure, action)
        return
    pop(s)
    planning = top(s)
    planning.left += 1
    if action == DONE:
        planning.what = planning.what + 1 if played == 0 else 1
    else:
        planning.what = 1
        lay_marker(s, t, figure, action - PLACE)


@rule
def lay_marker(s: State, t: Tables, figure: int, place: int) -> None:
    """Lay a marker. The shortest walk counts; if it leads over an eruption token, and a longer one does not, the player
    chooses (PLAN-5). A word ends the turn (PLAN-6)."""
    me = s.figures[figure]
    m, walk, most = layout_of(s, t), walk_of(s, t, me), most_steps(s, figure)
    dry = Walk(walk.start, walk.places & ~s.eruption_tokens, walk.rope)
    me.marker = place + 1
    me.steps = distance(m, walk, place, most)
    me.around = 0
    if s.settings.talk == Talk.WORDS:
        push(s, Phase.WORD, figure)
    longer = distance(m, dry, place, most)
    if me.steps < longer <= most:
        push(s, Phase.WALK, figure)


@rule
def legal_walk(mask: Words) -> None:
    """Walk over an eruption token, or around it."""
    allow(mask, THROUGH)
    allow(mask, AROUND)


@rule
def do_walk(s: State, t: Tables, action: int) -> None:
    """Choose the walk; its length is the distance of the marker (PLAN-5)."""
    figure = top(s).figure
    pop(s)
    if action == AROUND:
        me = s.figures[figure]
        walk = walk_of(s, t, me)
        dry = Walk(walk.start, walk.places & ~s.eruption_tokens, walk.rope)
        me.around = 1
        me.steps = distance(layout_of(s, t), dry, me.marker - 1, most_steps(s, figure))


@rule
def legal_word(s: State, mask: Words) -> None:
    """Say how strong one is on the own card, or warn a neighbour; the third screen needs no warning (PLAN-6)."""
    figure = top(s).figure
    for word in range(Word.WARN_LEFT):
        allow(mask, SAY + word)
    if marker_of(s, left_of(s, figure)) != 0:
        allow(mask, SAY + Word.WARN_LEFT)
    if marker_of(s, right_of(s, figure)) != 0:
        allow(mask, SAY + Word.WARN_RIGHT)


@rule
def do_word(s: State, action: int) -> None:
    """Say a word."""
    s.figures[top(s).figure].said = action - SAY
    pop(s)


@rule
def honest_word(s: State, t: Tables, figure: int, place: int) -> int:
    """Return the word that says the truth about a figure's own value on the card at a place, against a random roll, by
    thirds (PLAN-6)."""
    card = card_at(s, place)
    return Word.WEAK + t.third[card, s.figures[figure].dice, value_of(s, t, figure, card)]

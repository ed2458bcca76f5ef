"""The round and its phases (ROUND)."""

from fuji_env.content.model import DICE
from fuji_env.rules.base.frames import after, push, top
from fuji_env.rules.base.names import Reason
from fuji_env.rules.base.phases import Phase
from fuji_env.rules.base.state import State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.dice import open_screens, roll_all
from fuji_env.rules.lava import erupt
from fuji_env.rules.reroll import begin_rerolls
from fujikoro_env.kernel.jit import rule

ROLLING, REROLLING, EQUIPPING, MOVING, ERUPTING = range(5)


@rule
def go_round(s: State, t: Tables) -> None:
    """Begin the next phase, which all players do before the next one (ROUND-1)."""
    frame = top(s)
    stage = frame.stage
    frame.stage = stage + 1 if stage < ERUPTING else 0
    if stage == ROLLING:
        roll_all(s, t)
        push(s, Phase.PLANNING, 0)
    elif stage == REROLLING:
        begin_rerolls(s, t)
        push(s, Phase.REROLLING, 0)
    elif stage == EQUIPPING:
        push(s, Phase.EQUIPPING, 0)
    elif stage == MOVING:
        open_screens(s)
        push(s, Phase.MOVING, 0)
    else:
        end_round(s, t)


@rule
def end_round(s: State, t: Tables) -> None:
    """The volcano erupts (LAVA-1), and with `late_eruption` once more for each token (MOVE-5). Then a new round
    begins, and the lead passes on (SETUP-5)."""
    for _ in range(1 + s.owed):
        if s.reason == Reason.PLAYING:
            erupt(s, t)
    s.owed = 0
    s.acted = 0
    s.whistles = 0
    s.radio = 0
    for dice_set in range(s.settings.sets):
        s.told[dice_set] = 0
        for die in range(DICE):
            s.dice[dice_set, die] = 0
    for k in range(s.settings.figures):
        clear_round(s, k)
    s.lead = after(s.lead, 1, s.settings.figures)
    if s.reason == Reason.PLAYING:
        s.round_number += 1


@rule
def clear_round(s: State, k: int) -> None:
    """Clear what a figure has for one round only."""
    me = s.figures[k]
    me.fresh = 0
    me.dice = 0
    me.marker = 0
    me.steps = 0
    me.around = 0
    me.said = 0
    me.effects = 0
    me.aside = 0
    me.buddy = 0

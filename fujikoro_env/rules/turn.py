"""TURN: two actions a turn, paid with discs; rests; rounds.

TURN is the lowest frame of the stack and keeps in `stage` what comes next: the start of the turn, its actions, its end.
"""

from fujikoro_env.rules.actions import EXPLORE, GATHER, MOVE, REST
from fujikoro_env.rules.craft import begin_rest
from fujikoro_env.rules.explore import can_explore
from fujikoro_env.rules.frames import pop, push, top
from fujikoro_env.rules.gather import can_gather
from fujikoro_env.rules.jit import Words, rule
from fujikoro_env.rules.masks import allow
from fujikoro_env.rules.move import begin_move
from fujikoro_env.rules.names import Disc, Reason
from fujikoro_env.rules.phases import Phase
from fujikoro_env.rules.score import end_game
from fujikoro_env.rules.state import Player, State
from fujikoro_env.rules.tables import Tables

ACTIONS_A_TURN = 2
TURN_START, FIRST_ACTION = 0, 1
TURN_END = FIRST_ACTION + ACTIONS_A_TURN


@rule
def go_turn(s: State) -> None:
    frame = top(s)
    stage = frame.stage
    frame.stage += 1
    if stage == TURN_START:
        start_turn(s)
    elif stage < TURN_END:
        push(s, Phase.ACTION, s.active)
    else:
        end_turn(s)


@rule
def start_turn(s: State) -> None:
    """TURN-5: an unconscious samurai wakes."""
    s.players[s.active].unconscious = 0
    s.stock_taken = 0
    s.used_powers = 0


@rule
def end_turn(s: State) -> None:
    """TURN-8, then play goes clockwise (SETUP-9); a round ends before the first player's turn."""
    top(s).stage = TURN_START
    s.active = (s.active + 1) % s.settings.players
    if s.active != s.first_player:
        return
    if s.round_number >= s.settings.max_rounds:  # END-2
        end_game(s, Reason.ROUND_CAP)
    else:
        s.round_number += 1


@rule
def discs_on_fields(me: Player) -> int:
    return me.fields[Disc.MOVE] + me.fields[Disc.EXPLORE] + me.fields[Disc.GATHER]


@rule
def legal_action(s: State, t: Tables, mask: Words) -> None:
    """TURN-2 to TURN-4 and TURN-7."""
    p = top(s).actor
    me = s.players[p]
    if me.pool > 0:
        allow(mask, MOVE)
        if can_explore(s, t, p):
            allow(mask, EXPLORE)
        if can_gather(s, t, p):
            allow(mask, GATHER)
    if discs_on_fields(me) > 0:
        allow(mask, REST)


@rule
def do_action(s: State, action: int) -> None:
    p = top(s).actor
    pop(s)
    if action == REST:
        begin_rest(s, p)
        return
    place_disc(s.players[p], action - MOVE)
    if action == MOVE:
        begin_move(s, p)
    elif action == EXPLORE:
        push(s, Phase.EXPLORE_PLACE, p)
    else:
        push(s, Phase.FIND, p)


@rule
def place_disc(me: Player, field: int) -> None:
    """TURN-2: a disc from the pool to the action's field; a field holds any number."""
    me.pool -= 1
    me.fields[field] += 1

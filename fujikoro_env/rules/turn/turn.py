"""TURN: two actions a turn, paid with discs; rests; rounds.

TURN is the lowest frame of the stack. Its stage says what comes next (stages.py).
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import DONE, MOVE, REST, USE
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import DISC_FIELDS, Outside, Reason, ScrollPower
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import Player, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.coop.coop import ask_to_leave, is_coop
from fujikoro_env.rules.coop.rounds import end_coop_round, send_dragons
from fujikoro_env.rules.coop.swap import allow_swaps, begin_swap, is_partner
from fujikoro_env.rules.final.final import count_down, escape, leave_by_rope
from fujikoro_env.rules.final.score import end_game, has_vp
from fujikoro_env.rules.final.settling import settle
from fujikoro_env.rules.final.shogun import has_bonus
from fujikoro_env.rules.gear.cards import MAY_SKIP, can_look
from fujikoro_env.rules.gear.craft import begin_craft_after_action, begin_rest
from fujikoro_env.rules.pack import discs_on_fields
from fujikoro_env.rules.powers.holdings import has_scroll
from fujikoro_env.rules.powers.powers import allow_powers, use_power
from fujikoro_env.rules.scenarios.status import EXTRA, may_trade_marker, spend_markers
from fujikoro_env.rules.scenarios.terms import Term, holds
from fujikoro_env.rules.turn.halves import begin_main, can_do_bonus, can_do_main
from fujikoro_env.rules.turn.stages import CLAIMING, COUNTDOWN, NEXT_PLAYER, TURN_END, TURN_START


@rule
def go_turn(s: State, t: Tables) -> None:
    """TURN-8: a turn ends with escape, claim and countdown, in this order."""
    frame = top(s)
    stage, p = frame.stage, s.active
    frame.stage += 1
    if stage == TURN_START:
        start_turn(s, t, p)
    elif stage < TURN_END:
        push(s, Phase.ACTION, p)
    elif stage == TURN_END and may_trade_marker(s, p):
        frame.stage = TURN_END
        push(s, Phase.ACTION, p).stage = EXTRA
    elif stage == TURN_END:
        end_turn(s, t, p)
    elif stage == CLAIMING:
        ask_to_claim(s, p)
    elif stage == COUNTDOWN:
        count_down(s, t, p)
    else:
        next_player(s, t)


@rule
def end_turn(s: State, t: Tables, p: int) -> None:
    """COOP-21: in co-op the secret exit is the only way out, and nothing is claimed or counted."""
    if has_vp(s):
        escape(s, p)
    else:
        top(s).stage = NEXT_PLAYER
        ask_to_leave(s, t, p)


@rule
def start_turn(s: State, t: Tables, p: int) -> None:
    """TURN-5: an unconscious samurai wakes. SHOG-1: outside, a player has no actions; COOP-21: and claims nothing."""
    leave_by_rope(s, p)
    s.players[p].unconscious = 0
    s.stock_taken = 0
    s.used_powers = 0
    if s.players[p].outside != Outside.INSIDE:
        top(s).stage = CLAIMING if has_vp(s) else NEXT_PLAYER
    elif has_scroll(s.players[p], t, ScrollPower.SEER) and can_look(s):
        push(s, Phase.LOOK, p).stage = MAY_SKIP


@rule
def ask_to_claim(s: State, p: int) -> None:
    if s.players[p].outside != Outside.INSIDE and has_bonus(s, p):
        push(s, Phase.CLAIM, p)


@rule
def next_player(s: State, t: Tables) -> None:
    """Play goes clockwise (SETUP-9); a round ends before the first player's turn."""
    top(s).stage = TURN_START
    s.active = (s.active + 1) % s.settings.players
    if s.active != s.first_player:
        return
    if is_coop(s):
        end_coop_round(s, t)
    elif s.round_number >= s.settings.max_rounds:  # END-2: scored as at the end
        settle(s, t)
        end_game(s, Reason.ROUND_CAP)
    else:
        s.round_number += 1
        if holds(s, Term.DRAGONS_ROAM):
            send_dragons(s)
        if holds(s, Term.MONKS_WALK):
            push(s, Phase.MONKS, 0)


@rule
def legal_action(s: State, t: Tables, mask: Words) -> None:
    """TURN-2 to TURN-4 and TURN-7; a gear card makes its action available for its bonus alone."""
    p = top(s).actor
    me = s.players[p]
    if top(s).stage == EXTRA:
        allow(mask, DONE)
    if me.pool > 0:
        for field in range(DISC_FIELDS):
            if can_do_main(s, t, p, field) or can_do_bonus(s, t, p, field):
                allow(mask, MOVE + field)
    if discs_on_fields(me) > 0:
        allow(mask, REST)
    allow_powers(s, t, p, mask)
    allow_swaps(s, p, mask)


@rule
def do_action(s: State, t: Tables, action: int) -> None:
    """The frame for magic lies under the action and comes up when it ends (MAGIC-1)."""
    p = top(s).actor
    if is_partner(action):  # a swap is no action: the question stays, as with a power
        begin_swap(s, p, action)
        return
    if action >= USE:
        use_power(s, t, p, action - USE)
        return
    if top(s).stage == EXTRA and not trade_marker(s, t, p, action):
        return
    pop(s)
    push(s, Phase.MAGIC_REFRESH, p)
    if action == REST:
        begin_rest(s, p)
        return
    begin_craft_after_action(s, p)
    field = action - MOVE
    place_disc(s.players[p], field)
    if s.players[p].card_on[field] != 0:
        push(s, Phase.HALVES, p).thing = field
    else:
        begin_main(s, t, p, field)


@rule
def trade_marker(s: State, t: Tables, p: int, action: int) -> bool:
    """SCEN-18: a marker for one more action, or the turn ends; whether it goes on."""
    if action == DONE:
        pop(s)
        top(s).stage += 1
        end_turn(s, t, p)
        return False
    spend_markers(s, p, 1)
    return True


@rule
def place_disc(me: Player, field: int) -> None:
    """TURN-2: a disc from the pool to the action's field; a field holds any number."""
    me.pool -= 1
    me.fields[field] += 1

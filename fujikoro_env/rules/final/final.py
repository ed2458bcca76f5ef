"""FINAL CHAPTER, LAVA and ESC: the countdown, eruptions, and the two ways out.

ERUPTION comes to the samurai in player order. FLEE and REBIRTH ask one of them.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit
from fujikoro_env.rules.base.actions import STEP
from fujikoro_env.rules.base.counters import KnockOut
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import Call, Mode, Outside, Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.coop.coop import is_coop, leave_volcano, lose_life
from fujikoro_env.rules.explore import erupt_space
from fujikoro_env.rules.final.score import end_game
from fujikoro_env.rules.final.settling import settle
from fujikoro_env.rules.map.board import dragon_on_tile_of, is_full, is_lava, is_open, may_be_laid_on, stands_on
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE, SPACES, START
from fujikoro_env.rules.move import lava_spaces_of, pay_for_lava
from fujikoro_env.rules.scenarios.survival import way_is_barred
from fujikoro_env.rules.scenarios.terms import Term, holds

TO_PAY, PAID = 0, 1
VP_OF_A_RONIN = 50


@rule
def escape(s: State, p: int) -> None:
    """ESC-2: ending a turn conscious on a rope space takes the samurai out at once."""
    me = s.players[p]
    if me.outside != Outside.INSIDE or me.unconscious != 0 or way_is_barred(s):
        return
    if me.at == START and s.rope != 0:
        climb_rope(s, p)
    elif me.at == s.secret_exit and secret_exit_is_open(s):
        leave_volcano(s, p, Outside.FOOT)


@rule
def secret_exit_is_open(s: State) -> bool:
    """ESC-1: in games with VP, once it is explored, in the final chapter only; by option always."""
    return s.secret_exit != 0 and (s.final_player != 0 or s.settings.exit_always_open != 0)


@rule
def climb_rope(s: State, p: int) -> None:
    """SCEN-16: it waits there until the start of its next turn."""
    if holds(s, Term.ROPE_WAITS):
        s.players[p].on_rope = 1
    else:
        leave_volcano(s, p, Outside.PALACE)


@rule
def leave_by_rope(s: State, p: int) -> None:
    """SCEN-16: at the start of a turn, who waited on the rope is gone."""
    if s.players[p].on_rope != 0:
        s.players[p].on_rope = 0
        leave_volcano(s, p, Outside.PALACE)


@rule
def count_down(s: State, t: Tables, p: int) -> None:
    """FINAL-2: each time the player that started the final chapter ends its turn, the countdown goes on by a space."""
    if s.final_player != p + 1:
        if s.lava_player == p + 1:
            count_down_lava(s, t)
        return
    call = t.countdown[Mode.COMPETITIVE, s.countdown]
    s.countdown += 1
    if call == Call.END:
        end_countdown(s, t)
    elif call == Call.ROPE:
        lay_rope(s)
    elif call != Call.NOTHING:
        erupt(s, call)


@rule
def count_down_lava(s: State, t: Tables) -> None:
    """SCEN-31: lava only, no rope and no end; SCEN-32: until the final chapter."""
    if s.final_player == 0 and s.countdown < t.countdown_length[Mode.COMPETITIVE]:
        s.countdown += 1
        erupt_if_called(s, t.countdown[Mode.COMPETITIVE, s.countdown - 1])


@rule
def erupt_if_called(s: State, call: int) -> None:
    if Call.LAVA_1 <= call <= Call.LAVA_4:
        erupt(s, call)


@rule
def end_countdown(s: State, t: Tables) -> None:
    settle(s, t)
    if holds(s, Term.RONIN):
        end_game(s, Reason.WON if ronin_has_won(s) else Reason.LOST)
    else:
        end_game(s, Reason.COUNTDOWN)


@rule
def ronin_has_won(s: State) -> bool:
    """SCEN-82: at least 50 VP, and out by the rope."""
    return s.players[0].vp >= VP_OF_A_RONIN and s.players[0].outside == Outside.PALACE


@rule
def lay_rope(s: State) -> None:
    """FINAL-3: the rope covers the start tile. ESC-3: by option it takes out who stands there."""
    s.rope = 1
    if s.settings.rope_catches != 0:
        for k in range(s.settings.players):
            p = (s.active + k) % s.settings.players
            if stands_on(s, p, START):
                escape(s, p)


@rule
def erupt(s: State, number: int) -> None:
    """LAVA-1: all spaces of the number turn to lava first, then the samurai on them, in player order."""
    s.called |= bit(number)
    for space in range(SPACES):
        if s.eruption[space] == number:
            erupt_space(s, space)
    push(s, Phase.MAGIC_REFRESH, s.active)  # MAGIC-7: an eruption counts as an action's end
    push(s, Phase.ERUPTION, s.active)


@rule
def go_eruption(s: State, t: Tables) -> None:
    frame = top(s)
    if frame.left == s.settings.players:
        pop(s)
        return
    p = (s.active + frame.left) % s.settings.players
    me = s.players[p]
    if me.outside != Outside.INSIDE or not is_lava(s, me.at):
        frame.left += 1
    elif frame.stage == TO_PAY:
        burn(s, p)
    else:
        frame.stage = TO_PAY
        if can_flee(s, t, p):
            push(s, Phase.FLEE, p)
        else:
            die(s, p)


@rule
def burn(s: State, p: int) -> None:
    """LAVA-1: 5 damage to the sandals; SCEN-18: or a status marker. LAVA-3: if it can't pay, or it was unconscious, it
    dies, pays nothing and keeps all it has."""
    if s.players[p].unconscious != 0 or lava_spaces_of(s, p) < 1:
        die(s, p)
    else:
        top(s).stage = PAID
        pay_for_lava(s, p, 1)


@rule
def die(s: State, p: int) -> None:
    """LAVA-3; COOP-14: it costs a life."""
    push(s, Phase.REBIRTH, p)
    s.counts[p].knock_outs[KnockOut.LAVA] += 1
    if is_coop(s):
        lose_life(s, p)


@rule
def may_flee_to(s: State, t: Tables, p: int, space: int, over_lava: bool) -> bool:
    if not over_lava:
        return may_be_laid_on(s, t, p, space)
    return is_open(s, space) and not is_full(s, p, space) and dragon_on_tile_of(s, t, space) == 0


@rule
def has_way(s: State, t: Tables, p: int, over_lava: bool) -> bool:
    here = s.players[p].at
    for k in range(t.neighbour_count[here]):
        if may_flee_to(s, t, p, t.neighbours[here, k], over_lava):
            return True
    return False


@rule
def can_flee(s: State, t: Tables, p: int) -> bool:
    """LAVA-2: no space at all is death."""
    return has_way(s, t, p, True)


@rule
def legal_flee(s: State, t: Tables, mask: Words) -> None:
    """LAVA-1: an adjacent space without lava. LAVA-2: with none, an adjacent lava space, and 5 more there."""
    p = top(s).actor
    here = s.players[p].at
    over_lava = not has_way(s, t, p, False)
    for k in range(t.neighbour_count[here]):
        if may_flee_to(s, t, p, t.neighbours[here, k], over_lava):
            allow(mask, STEP + t.neighbours[here, k])


@rule
def do_flee(s: State, action: int) -> None:
    s.players[top(s).actor].at = action - STEP
    pop(s)


@rule
def legal_rebirth(mask: Words) -> None:
    """LAVA-3: in a temple of its choice."""
    for space in range(FIRST_TEMPLE, SPACES):
        allow(mask, STEP + space)


@rule
def do_rebirth(s: State, action: int) -> None:
    """LAVA-3: reborn at once, conscious. SCEN-22: who was knocked out lies there, out of the fight with the dragon."""
    p = top(s).actor
    s.players[p].at = action - STEP
    s.players[p].unconscious = top(s).stage
    if s.fight.dragon != 0:
        s.fight.fighters[p].inside = 0
    pop(s)

"""COOP: lives, group choices, the way out and the end of a cooperative game.

LEAVE asks a player that ends its turn on the open secret exit.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import NO, YES
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import GEARS, Mode, Outside, Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.fights.attack import clear_fight, clear_table, count_knock_out
from fujikoro_env.rules.final.score import end_game
from fujikoro_env.rules.gear.magic import matching_blueprints
from fujikoro_env.rules.map.geometry import START, START_PLACE
from fujikoro_env.rules.move import forget_path
from fujikoro_env.rules.scenarios.enemies import enemies_left
from fujikoro_env.rules.scenarios.survival import way_is_barred
from fujikoro_env.rules.scenarios.tame import LEGENDARY
from fujikoro_env.rules.scenarios.terms import Term, holds


@rule
def is_coop(s: State) -> bool:
    return s.settings.mode == Mode.COOP


@rule
def first_inside(s: State) -> int:
    """COOP-11: who makes the choices of the group."""
    p = s.first_player + 0
    while s.players[p].outside != Outside.INSIDE:
        p = (p + 1) % s.settings.players
    return p


@rule
def lose_life(s: State, p: int) -> None:
    """COOP-15: the last life of one samurai loses the game for all at once."""
    me = s.players[p]
    me.lives_lost += 1
    if me.lives_lost >= s.settings.coop_lives:
        lose_game(s)


@rule
def lose_game(s: State) -> None:
    end_at_once(s, Reason.LOST)


@rule
def end_at_once(s: State, reason: int) -> None:
    """Nothing is asked any more, and no fight goes on."""
    end_game(s, reason)
    clear_table(s)
    clear_fight(s)
    forget_path(s)
    s.turn_over = 0
    while s.depth > 1:
        pop(s)


@rule
def fall(s: State, p: int) -> None:
    """COOP-13: knocked out is a life lost and back on the start tile, conscious; an active samurai's turn ends."""
    s.fight.fighters[p].inside = 0
    count_knock_out(s, p)
    send_to_start(s, p)
    if p == s.active and s.fight.came == 0:
        s.turn_over = 1
    lose_life(s, p)


@rule
def send_to_start(s: State, p: int) -> None:
    """MAP-11: if a dragon holds the start tile (SCEN-61), to a temple of its choice instead."""
    if s.dragon_at[START_PLACE] == 0:
        s.players[p].at = START
    else:
        push(s, Phase.REBIRTH, p)


@rule
def is_complete(s: State, t: Tables, p: int, gear: int) -> bool:
    """COOP-1: a magic gear with its blueprint."""
    return s.players[p].gear[gear].magic != 0 and matching_blueprints(s, t, p, gear) != 0


@rule
def exit_is_open(s: State, t: Tables) -> bool:
    """COOP-21: once it is explored and the legendary dragon is beaten; SCEN-53: and all others that were found.
    SCEN-74: or rather all enemies."""
    if s.secret_exit == 0 or way_is_barred(s):
        return False
    if holds(s, Term.ENEMY_SAMURAI):
        return enemies_left(s) == 0
    return t.dragons_of_colour[LEGENDARY] & ~s.dragons_beaten == 0


@rule
def may_leave(s: State, t: Tables, p: int) -> bool:
    """COOP-21: it ends its turn on the open exit with a magic gear and its blueprint. SCEN-74: with all three."""
    me = s.players[p]
    if me.outside != Outside.INSIDE or not exit_is_open(s, t) or me.at != s.secret_exit:
        return False
    if holds(s, Term.ENEMY_SAMURAI):
        return has_all_gear(s, t)
    for gear in range(GEARS):
        if is_complete(s, t, p, gear):
            return True
    return False


@rule
def ask_to_leave(s: State, t: Tables, p: int) -> None:
    if may_leave(s, t, p):
        push(s, Phase.LEAVE, p)


@rule
def legal_leave(mask: Words) -> None:
    allow(mask, YES)
    allow(mask, NO)


@rule
def do_leave(s: State, t: Tables, action: int) -> None:
    p = top(s).actor
    pop(s)
    if action == YES:
        leave_volcano(s, p, Outside.FOOT)
        if s.escaped == s.settings.players:
            end_game(s, Reason.WON if has_all_gear(s, t) else Reason.LOST)


@rule
def leave_volcano(s: State, p: int, outside: int) -> None:
    s.escaped += 1
    s.players[p].outside = outside
    s.players[p].left_volcano = s.escaped
    s.players[p].left_round = s.round_number
    s.players[p].at = START  # not in use outside


@rule
def has_all_gear(s: State, t: Tables) -> bool:
    """COOP-1: together they hold a magic helmet, a magic weapon and magic sandals, with their blueprints."""
    for gear in range(GEARS):
        found = False
        for p in range(s.settings.players):
            found = found or is_complete(s, t, p, gear)
        if not found:
            return False
    return True

"""Powers asked for within a fight: gunbai, smoke_bomb, and Daisuke's retreat after any roll.

GUNBAI and SMOKE go through the players in order, and ask each holder by ASK_GUNBAI and ASK_SMOKE.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import NO, RETREAT
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import Adventure, Character
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.fights.attack import in_order
from fujikoro_env.rules.powers.holdings import USE_TOKEN, has_token, spend_token


@rule
def any_fighter_holds(s: State, kind: int) -> bool:
    for p in range(s.settings.players):
        if s.fight.fighters[p].inside != 0 and has_token(s.players[p], kind):
            return True
    return False


@rule
def ask_for_gunbai(s: State, roller: int) -> None:
    """After an opponent's roll with hits on breaking dice, before the hits. `roller`: player + 1, 0 for the dragon."""
    if s.fight.break_hits > 0 and any_fighter_holds(s, Adventure.GUNBAI):
        push(s, Phase.GUNBAI, 0).thing = roller


@rule
def go_gunbai(s: State) -> None:
    frame = top(s)
    if frame.left == s.settings.players or s.fight.break_hits == 0:  # the first use ends the asking
        pop(s)
        return
    p = in_order(s, frame.left)
    frame.left += 1
    holds = s.fight.fighters[p].inside != 0 and has_token(s.players[p], Adventure.GUNBAI)
    if holds and p + 1 != frame.thing:
        push(s, Phase.ASK_GUNBAI, p)


@rule
def legal_ask_gunbai(mask: Words) -> None:
    allow(mask, USE_TOKEN + Adventure.GUNBAI)
    allow(mask, NO)


@rule
def do_ask_gunbai(s: State, action: int) -> None:
    """The hits of the breaking dice don't count, the breakage does."""
    p = top(s).actor
    pop(s)
    if action != NO:
        spend_token(s, p, Adventure.GUNBAI)
        s.fight.hits -= s.fight.break_hits
        s.fight.break_hits = 0


@rule
def ask_for_smoke(s: State) -> None:
    """After any roll's effects, whoever still stands in the fight."""
    for p in range(s.settings.players):
        if may_slip_away(s, p):
            push(s, Phase.SMOKE, 0)
            return


@rule
def may_slip_away(s: State, p: int) -> bool:
    """By a smoke_bomb. CHAR-75: Daisuke may retreat after any roll."""
    if s.fight.fighters[p].inside == 0:
        return False
    return has_token(s.players[p], Adventure.SMOKE_BOMB) or s.players[p].character == Character.DAISUKE


@rule
def legal_ask_smoke(s: State, mask: Words) -> None:
    me = s.players[top(s).actor]
    allow(mask, NO)
    if me.character == Character.DAISUKE:  # who needs no bomb
        allow(mask, RETREAT)
    else:
        allow(mask, USE_TOKEN + Adventure.SMOKE_BOMB)

"""DUEL: samurai against samurai. A duel follows the rules of a dragon fight except for what is defined here.

LAY_LOSER and STEAL ask the winner.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import BLUEPRINT, DONE, ITEM, ITEM_MONK, ITEM_SCROLL, NO, RETREAT, STEP, THROW
from fujikoro_env.rules.base.counters import DuelCount, VpSource
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import GEARS, RESOURCE_KINDS, Adventure, Gear, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, MOST_FIGHT_ROUNDS, SCROLL_SLOTS, Frame, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.characters.sneak import steal_scroll
from fujikoro_env.rules.coop.coop import fall, is_coop
from fujikoro_env.rules.fights.attack import (
    battle_initiative,
    begin_attack,
    clear_table,
    enter_fight,
    in_order,
    may_roll_any,
)
from fujikoro_env.rules.fights.damage import absorb
from fujikoro_env.rules.fights.dragon_fight import can_leave, carry_to_temple, end_fight, knock_out, retreat
from fujikoro_env.rules.gear.weapon import has_usable_weapon
from fujikoro_env.rules.map.board import may_be_laid_on
from fujikoro_env.rules.monk import FROM_PACK, ask_monk_spot, can_take_monk
from fujikoro_env.rules.pack import (
    allow_throws,
    free_slots,
    is_throw,
    owns_blueprint_of,
    resources_in_pack,
    throw_away,
)
from fujikoro_env.rules.powers.holdings import spend_token
from fujikoro_env.rules.powers.reactions import ask_for_gunbai, ask_for_smoke, may_slip_away
from fujikoro_env.rules.scenarios.enemies import end_duel_with_enemy, is_enemy
from fujikoro_env.rules.scenarios.tame import is_tame
from fujikoro_env.rules.scenarios.terms import Term, holds
from fujikoro_env.rules.scroll import may_replace

BEGIN, ROUNDS, LAYING, STEALING, END = range(5)


@rule
def is_duel(s: State) -> bool:
    """Whether the current fight is a duel."""
    return s.fight.dragon == 0 and s.fight.monk == 0


@rule
def go_duel(s: State, t: Tables) -> None:
    """Take the next step of the duel, according to its stage."""
    frame = top(s)
    if frame.stage == BEGIN:
        begin_duel(s, t, frame)
    elif frame.stage == ROUNDS:
        next_blow(s, frame)
    elif frame.stage == LAYING:
        lay_loser(s, t, frame)
    elif frame.stage == STEALING:
        frame.stage = END
        ask_to_steal(s)
    else:
        if is_enemy(s, s.fight.defender):
            end_duel_with_enemy(s, t)
        end_fight(s, t)


@rule
def begin_duel(s: State, t: Tables, frame: Frame) -> None:
    """Begin the duel: nobody joins, no monks are sent, and the defender wins initiative ties (DUEL-1)."""
    attacker, defender = frame.actor, frame.thing
    s.fight.active = attacker
    s.fight.defender = defender
    for p in (attacker, defender):
        enter_fight(s, p, s.players[p].at)
        s.fight.fighters[p].initiative = battle_initiative(s, t, p)
    attacker_first = s.fight.fighters[attacker].initiative > s.fight.fighters[defender].initiative
    s.fight.order[0] = (attacker if attacker_first else defender) + 1
    s.fight.order[1] = (defender if attacker_first else attacker) + 1
    count_duel(s, attacker, DuelCount.BEGUN)
    count_duel(s, defender, DuelCount.DEFENDED)
    frame.stage = ROUNDS


@rule
def count_duel(s: State, p: int, what: int) -> None:
    """Count an event of a duel, except for enemies, which are not players."""
    if not is_enemy(s, p):
        s.counts[p].duels[what] += 1


@rule
def neither_can_fight(s: State) -> bool:
    """Whether neither duellist has a usable weapon (DUEL-3)."""
    return not has_usable_weapon(s.players[s.fight.active]) and not has_usable_weapon(s.players[s.fight.defender])


@rule
def next_blow(s: State, frame: Frame) -> None:
    """Begin the next duellist's turn, or end the round or the duel."""
    if s.fight.loser != 0:
        count_result(s)
        frame.stage = STEALING if s.fight.gave_up != 0 else LAYING
        if is_enemy(s, opponent_of(s, s.fight.loser - 1)) and s.fight.gave_up != 0:
            frame.stage = END  # SCEN-72: an enemy steals nothing
    elif neither_can_fight(s) or s.fight.rounds == MOST_FIGHT_ROUNDS:
        frame.stage = END  # DUEL-3: undecided, nothing is stolen
    elif s.fight.turn == 2:
        s.fight.turn = 0
        s.fight.rounds += 1
    else:
        s.fight.turn += 1
        begin_attack(s, s.fight.order[s.fight.turn - 1] - 1)


@rule
def count_result(s: State) -> None:
    """Count a duel as won and as lost or given up."""
    loser = s.fight.loser - 1
    count_duel(s, loser, DuelCount.LOST if s.fight.gave_up == 0 else DuelCount.GIVEN_UP)
    count_duel(s, opponent_of(s, loser), DuelCount.WON)


@rule
def is_decided(s: State, t: Tables) -> bool:
    """Whether nobody rolls any more: the dragon, the monk or a samurai is beaten, or a duel can't be decided."""
    if is_duel(s):
        return s.fight.loser != 0 or neither_can_fight(s)
    return s.fight.health <= 0 or is_tame(s, t)


@rule
def go_attack(s: State, t: Tables) -> None:
    """Take the next step of a samurai's turn: each weapon, then perhaps a retreat (DRAG-5, DUEL-2)."""
    frame = top(s)
    p = frame.actor
    if frame.stage != 0 or is_decided(s, t) or s.fight.fighters[p].inside == 0:
        pop(s)
    elif may_roll_any(s, p):
        push(s, Phase.WEAPON, p)
    else:
        frame.stage = 1
        if not has_usable_weapon(s.players[p]) and can_leave(s, t, p):
            push(s, Phase.RETREAT, p)


@rule
def opponent_of(s: State, p: int) -> int:
    """Return the other duellist."""
    return s.fight.defender if p == s.fight.active else s.fight.active


@rule
def go_after_roll(s: State) -> None:
    """Deal the hits of a samurai's roll to the dragon, the monk or the other samurai."""
    p, hits = top(s).actor, s.fight.hits
    if is_duel(s) and top(s).stage == 0:
        top(s).stage = 1
        ask_for_gunbai(s, p + 1)
        return
    pop(s)
    clear_table(s)
    ask_for_smoke(s)
    if not is_duel(s):
        s.fight.health -= hits
    elif not absorb(s, opponent_of(s, p), Gear.HELMET, hits):
        s.fight.loser = opponent_of(s, p) + 1


@rule
def do_retreat(s: State, t: Tables, action: int) -> None:
    """Retreat to where the samurai came from (DRAG-5); in a duel it loses, but stays conscious and on its space
    (DUEL-2)."""
    p = top(s).actor
    pop(s)
    if action == RETREAT:
        leave_fight(s, t, p)


@rule
def leave_fight(s: State, t: Tables, p: int) -> None:
    """Retreat, or in a duel give up."""
    if is_duel(s):
        s.fight.loser = p + 1
        s.fight.gave_up = 1
    else:
        retreat(s, t, p)


@rule
def go_smoke(s: State, t: Tables) -> None:
    """Ask the next fighter who may leave after a roll."""
    frame = top(s)
    if is_decided(s, t) or frame.left == s.settings.players:
        pop(s)
        return
    p = in_order(s, frame.left)
    frame.left += 1
    if may_slip_away(s, p) and can_leave(s, t, p):
        push(s, Phase.ASK_SMOKE, p)


@rule
def do_ask_smoke(s: State, t: Tables, action: int) -> None:
    """Leave the fight as if retreating; in a duel this is giving up (smoke_bomb, CHAR-75)."""
    p = top(s).actor
    pop(s)
    if action == NO:
        return
    if action != RETREAT:
        spend_token(s, p, Adventure.SMOKE_BOMB)
    leave_fight(s, t, p)


@rule
def lay_loser(s: State, t: Tables, frame: Frame) -> None:
    """Knock the loser out and ask the winner for an adjacent space to lay it on; if there is none, it stays
    (DUEL-4)."""
    loser = s.fight.loser - 1
    if is_enemy(s, s.fight.defender):
        fall_or_rob(s, frame, loser)
        return
    knock_out(s, loser)
    frame.stage = STEALING
    if holds(s, Term.BACK_IN_TEMPLES):
        carry_to_temple(s, loser)
        return
    here = s.players[loser].at
    for k in range(t.neighbour_count[here]):
        if may_be_laid_on(s, t, loser, t.neighbours[here, k]):
            push(s, Phase.LAY_LOSER, opponent_of(s, loser)).thing = loser
            return


@rule
def fall_or_rob(s: State, frame: Frame, loser: int) -> None:
    """Settle a duel with an enemy: a beaten enemy is robbed (SCEN-73); it steals nothing itself (SCEN-72), and a beaten
    samurai loses what COOP-13 says."""
    if is_enemy(s, loser):
        frame.stage = STEALING
    else:
        frame.stage = END
        fall(s, loser)


@rule
def legal_lay_loser(s: State, t: Tables, mask: Words) -> None:
    """Allow each adjacent space on which the loser may be laid."""
    loser = top(s).thing
    here = s.players[loser].at
    for k in range(t.neighbour_count[here]):
        if may_be_laid_on(s, t, loser, t.neighbours[here, k]):
            allow(mask, STEP + t.neighbours[here, k])


@rule
def do_lay_loser(s: State, action: int) -> None:
    """Lay the loser on the chosen space."""
    s.players[top(s).thing].at = action - STEP
    pop(s)


@rule
def ask_to_steal(s: State) -> None:
    """Ask the winner what to steal."""
    loser = s.fight.loser - 1
    push(s, Phase.STEAL, opponent_of(s, loser)).thing = loser


@rule
def may_steal_blueprint(s: State, p: int, loser: int, slot: int) -> bool:
    """Whether the winner may steal this blueprint: if it has none of the type (DUEL-5), in co-op always (COOP-18)."""
    if s.blueprints[slot].where != Where.OWNED + loser:
        return False
    return is_coop(s) or not owns_blueprint_of(s, p, slot // CARD_SLOTS)


@rule
def legal_steal(s: State, mask: Words) -> None:
    """Allow stopping, and each item for which the winner has or can make room (DUEL-5 to DUEL-8)."""
    frame = top(s)
    p, loser = frame.actor, frame.thing
    victim = s.players[loser]
    allow(mask, DONE)
    if victim.pack_monks > 0 and can_take_monk(s, p):  # DUEL-6: room for it is made by MONK-1
        allow(mask, ITEM_MONK)
    if free_slots(s, p) > 0:
        allow_stealing_into_slot(s, p, loser, mask)
    elif resources_in_pack(s.players[p]) > 0 and has_more_than_monks(s, p, loser):
        allow_throws(s, p, mask)
    if free_slots(s, p) > 0 or may_replace(s, s.players[p]):
        for slot in range(SCROLL_SLOTS):  # DUEL-7: the winner chooses the scroll
            if victim.scrolls[slot] != 0:
                allow(mask, ITEM_SCROLL + slot)


@rule
def allow_stealing_into_slot(s: State, p: int, loser: int, mask: Words) -> None:
    """Allow each resource and blueprint that the winner may steal; both need a pack slot."""
    for kind in range(RESOURCE_KINDS):  # DUEL-8
        if s.players[loser].pack[kind] > 0:
            allow(mask, ITEM + kind)
    for slot in range(GEARS * CARD_SLOTS):
        if may_steal_blueprint(s, p, loser, slot):
            allow(mask, BLUEPRINT + slot)


@rule
def has_more_than_monks(s: State, p: int, loser: int) -> bool:
    """Whether the loser has something that needs a slot of the winner's pack."""
    victim = s.players[loser]
    if resources_in_pack(victim) > 0 or victim.scrolls[0] != 0 or victim.scrolls[1] != 0:
        return True
    for slot in range(GEARS * CARD_SLOTS):
        if may_steal_blueprint(s, p, loser, slot):
            return True
    return False


@rule
def do_steal(s: State, action: int) -> None:
    """Steal the chosen item, throw a resource away, or stop."""
    frame = top(s)
    p, loser = frame.actor, frame.thing
    if is_throw(action):
        throw_away(s, p, action - THROW)
        return
    pop(s)
    if action == DONE:
        return
    if BLUEPRINT <= action < BLUEPRINT + GEARS * CARD_SLOTS:
        s.blueprints[action - BLUEPRINT].where = Where.OWNED + p
    elif action >= ITEM_SCROLL:
        steal_scroll(s, p, loser, action - ITEM_SCROLL, VpSource.SCROLLS_WON)
    elif action == ITEM_MONK:
        ask_monk_spot(s, p, FROM_PACK, loser)
    else:
        s.players[loser].pack[action - ITEM] -= 1
        s.players[p].pack[action - ITEM] += 1

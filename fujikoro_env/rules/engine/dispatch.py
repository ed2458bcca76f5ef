"""Calls the functions of the phase on top of the stack. Written by tools/make_phases.py: do not edit."""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import clear
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Fault
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.characters.jump import legal_jump
from fujikoro_env.rules.characters.sneak import do_theft, legal_theft
from fujikoro_env.rules.coop.coop import do_leave, legal_leave
from fujikoro_env.rules.coop.rounds import (
    do_dragon_order,
    do_dragon_way,
    go_round,
    legal_dragon_order,
    legal_dragon_way,
)
from fujikoro_env.rules.coop.sharing import do_share_tooth, go_sharing, legal_share_tooth
from fujikoro_env.rules.coop.swap import (
    do_swap_consent,
    do_swap_give,
    do_swap_take,
    legal_swap_consent,
    legal_swap_give,
    legal_swap_take,
)
from fujikoro_env.rules.explore import (
    do_explore_more,
    do_explore_place,
    do_explore_turn,
    legal_explore_more,
    legal_explore_place,
    legal_explore_turn,
)
from fujikoro_env.rules.fights.attack import (
    do_break,
    do_dice,
    do_grip,
    do_reroll,
    do_weapon,
    go_mend,
    legal_break,
    legal_dice,
    legal_grip,
    legal_reroll,
    legal_weapon,
)
from fujikoro_env.rules.fights.damage import do_pay, legal_pay
from fujikoro_env.rules.fights.dragon_fight import (
    do_join,
    do_retreat_to,
    go_dragon_attack,
    go_dragon_fight,
    legal_join,
    legal_retreat,
    legal_retreat_to,
)
from fujikoro_env.rules.fights.duel import (
    do_ask_smoke,
    do_lay_loser,
    do_retreat,
    do_steal,
    go_after_roll,
    go_attack,
    go_duel,
    go_smoke,
    legal_lay_loser,
    legal_steal,
)
from fujikoro_env.rules.fights.hero import do_monk_throw, do_send_monk, legal_monk_throw, legal_send_monk
from fujikoro_env.rules.fights.surplus import do_lose_item, go_surplus, legal_lose_item
from fujikoro_env.rules.final.final import do_flee, do_rebirth, go_eruption, legal_flee, legal_rebirth
from fujikoro_env.rules.final.shogun import do_claim, legal_claim
from fujikoro_env.rules.gather import (
    do_blueprints,
    do_find,
    do_find_space,
    do_take,
    legal_blueprints,
    legal_find,
    legal_find_space,
    legal_take,
)
from fujikoro_env.rules.gear.cards import (
    do_card_bonus,
    do_claim_card,
    do_look,
    do_place_card,
    go_rest_end,
    legal_card_bonus,
    legal_claim_card,
    legal_look,
    legal_place_card,
)
from fujikoro_env.rules.gear.craft import (
    do_craft_lay,
    do_craft_way,
    do_rest,
    do_setup_cubes,
    do_waste,
    legal_craft_lay,
    legal_craft_way,
    legal_rest,
    legal_setup_cubes,
    legal_waste,
)
from fujikoro_env.rules.gear.magic import do_magic_weapon, go_magic_refresh, legal_magic_weapon
from fujikoro_env.rules.gear.weapon import do_repair, legal_repair
from fujikoro_env.rules.monk import do_monk_spot, legal_monk_spot
from fujikoro_env.rules.move import do_call_duel, do_jump, do_move, legal_call_duel, legal_move
from fujikoro_env.rules.powers.powers import (
    do_consent,
    do_dragon_target,
    do_move_other,
    do_rain,
    go_banner,
    legal_consent,
    legal_dragon_target,
    legal_move_other,
    legal_rain,
)
from fujikoro_env.rules.powers.reactions import do_ask_gunbai, go_gunbai, legal_ask_gunbai, legal_ask_smoke
from fujikoro_env.rules.scenarios.monk_fight import go_monk_attack, go_monk_fight
from fujikoro_env.rules.scenarios.monk_walk import go_monks
from fujikoro_env.rules.scroll import (
    do_scroll_card,
    do_scroll_slot,
    do_setup_scroll,
    legal_scroll_card,
    legal_scroll_slot,
    legal_setup_scroll,
)
from fujikoro_env.rules.setup import do_take_card, go_setup, legal_take_card
from fujikoro_env.rules.turn.halves import do_halves, legal_halves
from fujikoro_env.rules.turn.turn import do_action, go_turn, legal_action


@rule
def legal(s: State, t: Tables, mask: Words) -> None:
    """Mark what may be answered to the question on top of the stack."""
    clear(mask)
    match top(s).phase:
        case Phase.MONK_SPOT:
            legal_monk_spot(s, mask)
        case Phase.SETUP_CUBES:
            legal_setup_cubes(s, mask)
        case Phase.ACTION:
            legal_action(s, t, mask)
        case Phase.MOVE:
            legal_move(s, t, mask)
        case Phase.PAY:
            legal_pay(s, mask)
        case Phase.EXPLORE_PLACE:
            legal_explore_place(s, t, mask)
        case Phase.EXPLORE_TURN:
            legal_explore_turn(mask)
        case Phase.FIND:
            legal_find(s, t, mask)
        case Phase.TAKE:
            legal_take(s, mask)
        case Phase.BLUEPRINTS:
            legal_blueprints(s, mask)
        case Phase.SCROLL_CARD:
            legal_scroll_card(s, mask)
        case Phase.SCROLL_SLOT:
            legal_scroll_slot(s, mask)
        case Phase.REST:
            legal_rest(s, t, mask)
        case Phase.CRAFT_WAY:
            legal_craft_way(s, mask)
        case Phase.CRAFT_LAY:
            legal_craft_lay(s, t, mask)
        case Phase.WASTE:
            legal_waste(s, mask)
        case Phase.CLAIM_CARD:
            legal_claim_card(s, t, mask)
        case Phase.PLACE_CARD:
            legal_place_card(s, mask)
        case Phase.CARD_BONUS:
            legal_card_bonus(mask)
        case Phase.HALVES:
            legal_halves(s, t, mask)
        case Phase.LOOK:
            legal_look(s, mask)
        case Phase.MAGIC_WEAPON:
            legal_magic_weapon(mask)
        case Phase.CALL_DUEL:
            legal_call_duel(mask)
        case Phase.JOIN:
            legal_join(s, t, mask)
        case Phase.SEND_MONK:
            legal_send_monk(s, mask)
        case Phase.MONK_THROW:
            legal_monk_throw(s, mask)
        case Phase.WEAPON:
            legal_weapon(s, mask)
        case Phase.DICE:
            legal_dice(s, mask)
        case Phase.BREAK:
            legal_break(s, mask)
        case Phase.REPAIR:
            legal_repair(s, mask)
        case Phase.RETREAT:
            legal_retreat(mask)
        case Phase.LAY_LOSER:
            legal_lay_loser(s, t, mask)
        case Phase.STEAL:
            legal_steal(s, mask)
        case Phase.LOSE_ITEM:
            legal_lose_item(s, mask)
        case Phase.DRAGON_TARGET:
            legal_dragon_target(s, t, mask)
        case Phase.EXPLORE_MORE:
            legal_explore_more(s, t, mask)
        case Phase.FIND_SPACE:
            legal_find_space(s, t, mask)
        case Phase.REROLL:
            legal_reroll(mask)
        case Phase.GRIP:
            legal_grip(s, mask)
        case Phase.ASK_GUNBAI:
            legal_ask_gunbai(mask)
        case Phase.ASK_SMOKE:
            legal_ask_smoke(s, mask)
        case Phase.MOVE_OTHER:
            legal_move_other(s, t, mask)
        case Phase.CONSENT:
            legal_consent(mask)
        case Phase.RAIN:
            legal_rain(s, t, mask)
        case Phase.FLEE:
            legal_flee(s, t, mask)
        case Phase.REBIRTH:
            legal_rebirth(mask)
        case Phase.CLAIM:
            legal_claim(s, mask)
        case Phase.SETUP_SCROLL:
            legal_setup_scroll(s, mask)
        case Phase.JUMP:
            legal_jump(s, t, mask)
        case Phase.THEFT:
            legal_theft(s, mask)
        case Phase.TAKE_CARD:
            legal_take_card(s, mask)
        case Phase.DRAGON_ORDER:
            legal_dragon_order(s, mask)
        case Phase.DRAGON_WAY:
            legal_dragon_way(s, t, mask)
        case Phase.RETREAT_TO:
            legal_retreat_to(s, t, mask)
        case Phase.SHARE_TOOTH:
            legal_share_tooth(s, mask)
        case Phase.LEAVE:
            legal_leave(mask)
        case Phase.SWAP_GIVE:
            legal_swap_give(s, mask)
        case Phase.SWAP_TAKE:
            legal_swap_take(s, mask)
        case Phase.SWAP_CONSENT:
            legal_swap_consent(mask)


@rule
def do(s: State, t: Tables, action: int) -> None:
    """Carry out a legal answer."""
    match top(s).phase:
        case Phase.MONK_SPOT:
            do_monk_spot(s, action)
        case Phase.SETUP_CUBES:
            do_setup_cubes(s, action)
        case Phase.ACTION:
            do_action(s, t, action)
        case Phase.MOVE:
            do_move(s, t, action)
        case Phase.PAY:
            do_pay(s, t, action)
        case Phase.EXPLORE_PLACE:
            do_explore_place(s, t, action)
        case Phase.EXPLORE_TURN:
            do_explore_turn(s, t, action)
        case Phase.FIND:
            do_find(s, t, action)
        case Phase.TAKE:
            do_take(s, action)
        case Phase.BLUEPRINTS:
            do_blueprints(s, t, action)
        case Phase.SCROLL_CARD:
            do_scroll_card(s, action)
        case Phase.SCROLL_SLOT:
            do_scroll_slot(s, action)
        case Phase.REST:
            do_rest(s, t, action)
        case Phase.CRAFT_WAY:
            do_craft_way(s, action)
        case Phase.CRAFT_LAY:
            do_craft_lay(s, t, action)
        case Phase.WASTE:
            do_waste(s, action)
        case Phase.CLAIM_CARD:
            do_claim_card(s, action)
        case Phase.PLACE_CARD:
            do_place_card(s, action)
        case Phase.CARD_BONUS:
            do_card_bonus(s, action)
        case Phase.HALVES:
            do_halves(s, t, action)
        case Phase.LOOK:
            do_look(s, t, action)
        case Phase.MAGIC_WEAPON:
            do_magic_weapon(s, action)
        case Phase.CALL_DUEL:
            do_call_duel(s, action)
        case Phase.JOIN:
            do_join(s, t, action)
        case Phase.SEND_MONK:
            do_send_monk(s, action)
        case Phase.MONK_THROW:
            do_monk_throw(s, t, action)
        case Phase.WEAPON:
            do_weapon(s, action)
        case Phase.DICE:
            do_dice(s, t, action)
        case Phase.BREAK:
            do_break(s, action)
        case Phase.REPAIR:
            do_repair(s, action)
        case Phase.RETREAT:
            do_retreat(s, t, action)
        case Phase.LAY_LOSER:
            do_lay_loser(s, action)
        case Phase.STEAL:
            do_steal(s, action)
        case Phase.LOSE_ITEM:
            do_lose_item(s, action)
        case Phase.DRAGON_TARGET:
            do_dragon_target(s, t, action)
        case Phase.EXPLORE_MORE:
            do_explore_more(s, t, action)
        case Phase.FIND_SPACE:
            do_find_space(s, action)
        case Phase.REROLL:
            do_reroll(s, t, action)
        case Phase.GRIP:
            do_grip(s, action)
        case Phase.ASK_GUNBAI:
            do_ask_gunbai(s, action)
        case Phase.ASK_SMOKE:
            do_ask_smoke(s, t, action)
        case Phase.MOVE_OTHER:
            do_move_other(s, action)
        case Phase.CONSENT:
            do_consent(s, action)
        case Phase.RAIN:
            do_rain(s, action)
        case Phase.FLEE:
            do_flee(s, action)
        case Phase.REBIRTH:
            do_rebirth(s, action)
        case Phase.CLAIM:
            do_claim(s, t, action)
        case Phase.SETUP_SCROLL:
            do_setup_scroll(s, action)
        case Phase.JUMP:
            do_jump(s, t, action)
        case Phase.THEFT:
            do_theft(s, action)
        case Phase.TAKE_CARD:
            do_take_card(s, t, action)
        case Phase.DRAGON_ORDER:
            do_dragon_order(s, t, action)
        case Phase.DRAGON_WAY:
            do_dragon_way(s, t, action)
        case Phase.RETREAT_TO:
            do_retreat_to(s, action)
        case Phase.SHARE_TOOTH:
            do_share_tooth(s, action)
        case Phase.LEAVE:
            do_leave(s, t, action)
        case Phase.SWAP_GIVE:
            do_swap_give(s, action)
        case Phase.SWAP_TAKE:
            do_swap_take(s, action)
        case Phase.SWAP_CONSENT:
            do_swap_consent(s, action)


@rule
def go(s: State, t: Tables) -> None:
    """Take the step that the top frame stands for."""
    match top(s).phase:
        case Phase.SETUP:
            go_setup(s, t)
        case Phase.TURN:
            go_turn(s, t)
        case Phase.DRAGON_FIGHT:
            go_dragon_fight(s, t)
        case Phase.DUEL:
            go_duel(s, t)
        case Phase.MAGIC_REFRESH:
            go_magic_refresh(s, t)
        case Phase.REST_END:
            go_rest_end(s, t)
        case Phase.ATTACK:
            go_attack(s, t)
        case Phase.AFTER_ROLL:
            go_after_roll(s)
        case Phase.DRAGON_ATTACK:
            go_dragon_attack(s, t)
        case Phase.MEND:
            go_mend(s, t)
        case Phase.SURPLUS:
            go_surplus(s)
        case Phase.GUNBAI:
            go_gunbai(s)
        case Phase.SMOKE:
            go_smoke(s, t)
        case Phase.BANNER:
            go_banner(s, t)
        case Phase.ERUPTION:
            go_eruption(s, t)
        case Phase.ROUND:
            go_round(s, t)
        case Phase.SHARING:
            go_sharing(s)
        case Phase.MONK_FIGHT:
            go_monk_fight(s, t)
        case Phase.MONK_ATTACK:
            go_monk_attack(s, t)
        case Phase.MONKS:
            go_monks(s, t)
        case _:  # a damaged record: without this the game would never come to its next decision
            s.fault = Fault.NO_LEGAL_ACTION

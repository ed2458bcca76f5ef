"""The engine always stands at one decision: this file maps phases to rules and drives games on."""

from fujikoro_env.rules.actions import ACTIONS
from fujikoro_env.rules.craft import (
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
from fujikoro_env.rules.damage import do_pay, legal_pay
from fujikoro_env.rules.explore import (
    do_explore_place,
    do_explore_turn,
    legal_explore_place,
    legal_explore_turn,
)
from fujikoro_env.rules.frames import top
from fujikoro_env.rules.gather import do_blueprints, do_find, do_take, legal_blueprints, legal_find, legal_take
from fujikoro_env.rules.jit import IntArray, Words, WordTable, entry, rule
from fujikoro_env.rules.masks import allows, clear, count_allowed, nth_allowed
from fujikoro_env.rules.monk import do_monk_spot, legal_monk_spot
from fujikoro_env.rules.move import do_move, go_dragon_fight, legal_move
from fujikoro_env.rules.names import Fault, Reason
from fujikoro_env.rules.phases import FIRST_AUTOMATIC, Phase
from fujikoro_env.rules.records import Records
from fujikoro_env.rules.scroll import do_scroll_card, do_scroll_slot, legal_scroll_card, legal_scroll_slot
from fujikoro_env.rules.setup import deal, go_setup
from fujikoro_env.rules.state import State
from fujikoro_env.rules.tables import Tables
from fujikoro_env.rules.turn import do_action, go_turn, legal_action

NO_ACTION = -1  # advance to the first decision only


@rule
def legal(s: State, t: Tables, mask: Words) -> None:
    """Mark what may be answered to the question on top of the stack."""
    clear(mask)
    match top(s).phase:
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
        case Phase.MONK_SPOT:
            legal_monk_spot(s, mask)
        case Phase.SCROLL_CARD:
            legal_scroll_card(s, mask)
        case Phase.SCROLL_SLOT:
            legal_scroll_slot(s, mask)
        case Phase.REST:
            legal_rest(s, mask)
        case Phase.CRAFT_WAY:
            legal_craft_way(s, mask)
        case Phase.CRAFT_LAY:
            legal_craft_lay(s, mask)
        case Phase.WASTE:
            legal_waste(s, mask)
        case Phase.SETUP_CUBES:
            legal_setup_cubes(s, mask)


@rule
def do(s: State, t: Tables, action: int) -> None:
    """Carry out a legal answer."""
    match top(s).phase:
        case Phase.ACTION:
            do_action(s, action)
        case Phase.MOVE:
            do_move(s, t, action)
        case Phase.PAY:
            do_pay(s, action)
        case Phase.EXPLORE_PLACE:
            do_explore_place(s, t, action)
        case Phase.EXPLORE_TURN:
            do_explore_turn(s, t, action)
        case Phase.FIND:
            do_find(s, t, action)
        case Phase.TAKE:
            do_take(s, action)
        case Phase.BLUEPRINTS:
            do_blueprints(s, action)
        case Phase.MONK_SPOT:
            do_monk_spot(s, action)
        case Phase.SCROLL_CARD:
            do_scroll_card(s, action)
        case Phase.SCROLL_SLOT:
            do_scroll_slot(s, action)
        case Phase.REST:
            do_rest(s, action)
        case Phase.CRAFT_WAY:
            do_craft_way(s, action)
        case Phase.CRAFT_LAY:
            do_craft_lay(s, action)
        case Phase.WASTE:
            do_waste(s, action)
        case Phase.SETUP_CUBES:
            do_setup_cubes(s, action)


@rule
def go_on(s: State, t: Tables) -> None:
    """Take the step that the top frame stands for."""
    match top(s).phase:
        case Phase.TURN:
            go_turn(s)
        case Phase.SETUP:
            go_setup(s)
        case Phase.DRAGON_FIGHT:
            go_dragon_fight(s, t)


@rule
def advance(s: State, t: Tables, mask: Words) -> None:
    """Go on to the next decision. One with a single legal action is done unasked, unless the settings say so."""
    clear(mask)
    while s.reason == Reason.PLAYING and s.fault == Fault.NONE:
        if top(s).phase >= FIRST_AUTOMATIC:
            go_on(s, t)
            continue
        legal(s, t, mask)
        choices = count_allowed(mask)
        if choices == 0:
            s.fault = Fault.NO_LEGAL_ACTION
        elif choices > 1 or s.settings.ask_forced != 0:
            return
        else:
            do(s, t, nth_allowed(mask, 0))
            clear(mask)


@rule
def step(s: State, t: Tables, action: int, mask: Words) -> int:
    """Do an action and go on to the next decision; gives the fault. An illegal action changes nothing."""
    if action != NO_ACTION:
        if not 0 <= action < ACTIONS or s.reason != Reason.PLAYING or not allows(mask, action):
            return Fault.ILLEGAL_ACTION + 0
        do(s, t, action)
    advance(s, t, mask)
    return s.fault


@entry
def step_games(
    games: Records[State], tables: Records[Tables], first: int, last: int, actions: IntArray, masks: WordTable
) -> int:
    """Step games first to last - 1, each by its action; masks hold what was legal, and get what is. Gives a fault."""
    fault = 0
    for g in range(first, last):
        result = step(games[g], tables[0], actions[g], masks[g])
        if result != Fault.NONE:
            fault = result
    return fault


@entry
def step_game(games: Records[State], tables: Records[Tables], index: int, action: int, masks: WordTable) -> int:
    return step(games[index], tables[0], action, masks[index])


@entry
def deal_game(games: Records[State], tables: Records[Tables], index: int, seed: int) -> None:
    deal(games[index], tables[0], seed)


@entry
def legal_game(games: Records[State], tables: Records[Tables], index: int, masks: WordTable) -> None:
    """The mask of a position that was read and not stepped to."""
    clear(masks[index])
    if games[index].reason == Reason.PLAYING:
        legal(games[index], tables[0], masks[index])


@entry
def random_actions(masks: WordTable, seeds: IntArray, actions: IntArray) -> None:
    """A random legal action for every game that has one. `seeds`: a xorshift generator for each game, not zero."""
    for g in range(len(actions)):
        word = seeds[g]
        word ^= (word << 13) & 0xFFFFFFFF
        word ^= word >> 17
        word ^= (word << 5) & 0xFFFFFFFF
        seeds[g] = word
        choices = count_allowed(masks[g])
        actions[g] = nth_allowed(masks[g], (word * choices) >> 32) if choices > 0 else NO_ACTION

"""Iterations of a search: down the tree, out of it by scripted answers, and back up with what came of it."""

from typing import Final

from agents.mcts.judging import judge
from agents.mcts.tree import (
    LONGEST_PATH,
    NONE,
    ROOT,
    Node,
    Search,
    add_child,
    back_up,
    choose,
    is_decided,
    new_action,
    question_of,
)
from agents.scripted.ladder import answer_games
from agents.stepping import Address, copy_game, do_action
from fujikoro_env.rules.hidden import deal_hidden_of
from fujikoro_env.rules.jit import IntArray, IntTable, WordTable, by_address, entry, rule
from fujikoro_env.rules.names import Fault, Reason
from fujikoro_env.rules.records import Records
from fujikoro_env.rules.state import State
from fujikoro_env.rules.tables import Tables

POSITION: Final = 0  # of the room: the position that is searched, as the player sees it
WORK: Final = 1  # the game of an iteration
SPARE: Final = 2  # its mask alone is used
ROOM: Final = 3

WORD: Final = 0xFFFFFFFF
LOOK_EVERY: Final = 8  # iterations between two looks whether more of them can change anything
TURNS: Final = 16  # numbers of turns: more than there are players

answer_at = by_address(answer_games)


@entry
def search_on(
    step: Address,
    answers: Address,
    games: Records[State],
    tables: Records[Tables],
    masks: WordTable,
    actions: IntArray,
    words: IntTable,
    skills: IntTable,
    luck: IntArray,
    nodes: Records[Node],
    searches: Records[Search],
    iterations: int,
) -> int:
    """So many iterations more, or fewer if the rest of the budget can't change the choice; gives how many it did."""
    search = searches[0]
    for k in range(iterations):
        if search.iterations % LOOK_EVERY == 0 and is_decided(nodes, search):
            return k
        begin(games, masks, words, search)
        descend(step, answers, games, tables, masks, actions, skills, luck, nodes, search)
        play_out(step, answers, games, tables, masks, actions, skills, luck, search)
        if search.fault != Fault.NONE:
            return k
        judge(games[WORK], tables[0], search)
        back_up(nodes, search)
    return iterations


@rule
def descend(
    step: Address,
    answers: Address,
    games: Records[State],
    tables: Records[Tables],
    masks: WordTable,
    actions: IntArray,
    skills: IntTable,
    luck: IntArray,
    nodes: Records[Node],
    search: Search,
) -> None:
    """Down the tree to an answer that is tried for the first time."""
    s, node, is_new = games[WORK], ROOT + 0, False
    while not is_new and search.depth < LONGEST_PATH and not_cut_off(s, search):
        question = question_of(s)
        child = choose(nodes, search, node, question, masks[WORK])
        if child == NONE:
            if search.nodes == len(nodes):
                return
            answer_at(answers, games, tables, WORK, WORK + 1, skills, luck, masks, actions)
            action = new_action(nodes, node, question, masks[WORK], masks[SPARE], actions[WORK], luck)
            child = add_child(nodes, search, node, question, action)
            is_new = True
        if node == ROOT:
            deal_luck(s, search, nodes[child].visits, luck)
        search.path[search.depth] = child
        search.depth += 1
        play(step, games, tables, nodes[child].action, actions, masks, search)
        node = child


@rule
def play_out(
    step: Address,
    answers: Address,
    games: Records[State],
    tables: Records[Tables],
    masks: WordTable,
    actions: IntArray,
    skills: IntTable,
    luck: IntArray,
    search: Search,
) -> None:
    """From there all answer as the script says."""
    while not_cut_off(games[WORK], search):
        answer_at(answers, games, tables, WORK, WORK + 1, skills, luck, masks, actions)
        play(step, games, tables, actions[WORK], actions, masks, search)


@rule
def begin(games: Records[State], masks: WordTable, words: IntTable, search: Search) -> None:
    copy_game(words, masks, POSITION, WORK)
    search.depth = 0
    search.made = 0
    search.passed = 0
    search.turn = turn_of(games[WORK])


@rule
def deal_luck(s: State, search: Search, visits: int, luck: IntArray) -> None:
    """All that the player can't see is dealt anew, and all luck to come. The n-th try of every answer meets the same
    luck: so what differs between answers is the answers' doing."""
    seed = search.seed + visits
    deal_hidden_of(s, search.player, seed)
    for k in range(len(luck)):
        luck[k] = scattered(seed, k)


@rule
def scattered(seed: int, k: int) -> int:
    """A number of 32 bits that is not 0 and looks like chance."""
    word = (int(seed) ^ (int(seed) >> 31) ^ (k * 0x9E3779B)) & WORD
    for _ in range(3):
        word = (((word >> 16) ^ word) * 0x45D9F3B) & WORD
    return word | 1


@rule
def play(
    step: Address,
    games: Records[State],
    tables: Records[Tables],
    action: int,
    actions: IntArray,
    masks: WordTable,
    search: Search,
) -> None:
    search.fault = do_action(step, games, tables, WORK, action, actions, masks)
    search.made += 1
    turn = turn_of(games[WORK])
    if turn != search.turn:
        search.turn = turn
        search.passed += 1


@rule
def turn_of(s: State) -> int:
    return int(s.round_number) * TURNS + int(s.active)


@rule
def not_cut_off(s: State, search: Search) -> bool:
    """Positions are judged when a turn has ended: in the middle of one they would not compare."""
    return (
        s.reason == Reason.PLAYING
        and search.fault == Fault.NONE
        and search.passed <= search.turns
        and search.made < search.decisions
    )

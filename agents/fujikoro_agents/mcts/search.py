"""Iterations of a search: down the tree, onwards with scripted answers, and back up with the result.

All that depends on the game is called by address (`fujikoro_env.kernel.searching`).
"""

from typing import Final, NamedTuple

from fujikoro_agents.mcts.tree import (
    NONE,
    ROOT,
    Node,
    Search,
    add_child,
    back_up,
    choose,
    choose_at_root,
    new_action,
    question_of,
)
from fujikoro_env.kernel.jit import IntArray, IntTable, Words, entry, rule
from fujikoro_env.kernel.records import Records
from fujikoro_env.kernel.searching import (
    NO_AIM,
    Calls,
    Seen,
    answer_at,
    begin_at,
    completes_at,
    deal_at,
    follow_at,
    judge_at,
    seed_at,
    step_at,
)

ACTION, AIM = 0, 1  # columns of a candidate
WORD: Final = 0xFFFFFFFF
BITS_OF_SEEDS: Final = 44  # size of a try's seed in bits; the number of the turn is stored above them


class TreeArrays(NamedTuple):
    """Memory of a search."""

    nodes: Records[Node]
    searches: Records[Search]  # a single record
    candidates: IntTable  # answers to try at the root: action and aim
    own: IntArray  # value of the first answer, by try
    values: IntArray  # values of an iteration, by player
    seen: IntArray  # what the search sees of the game (`Seen`)
    mask: Words  # legal actions of the game
    spare: Words
    luck: IntArray  # random numbers of the scripts and of the search


@entry
def search_on(game: Calls, tree: TreeArrays, iterations: int) -> int:
    """Do this many more iterations; return the total number so far."""
    search = tree.searches[0]
    for _ in range(iterations):
        begin(game, tree, search)
        descend(game, tree, search)
        play_out(game, tree, search)
        if tree.seen[Seen.FAULT] != 0:
            break
        judge_at(game.judge, game.handle, tree.values)
        back_up(tree.nodes, search, tree.own, tree.values)
    return search.iterations


@rule
def descend(game: Calls, tree: TreeArrays, search: Search) -> None:
    """Go down the tree to an answer that is tried for the first time, or as deep as allowed."""
    nodes = tree.nodes
    node = answer_at_root(tree.candidates, nodes, search, question_of(tree.seen))
    is_new = nodes[node].visits == 0
    search.seed_of_try = search.seed + nodes[node].visits
    deal_at(game.deal, game.handle, search.player, search.seed_of_try)
    deal_luck_of_turn(game, tree, search)
    search.aim = nodes[node].aim
    go_down(game, node, tree, search)
    while not is_new and search.depth < search.deepest and not_cut_off(tree, search):
        question = question_of(tree.seen)
        child = choose(nodes, search, node, question, tree.mask)
        if child == NONE:
            if search.nodes == len(nodes):
                return
            likely = scripted_answer(game, tree, search, 0)
            action = new_action(nodes, node, question, tree.mask, tree.spare, likely, tree.luck)
            child = add_child(nodes, search, node, question, action, NO_AIM)
            is_new = True
        go_down(game, child, tree, search)
        node = child


@rule
def answer_at_root(candidates: IntTable, nodes: Records[Node], search: Search, question: int) -> int:
    """Return the node of the next candidate, or of one that was tried before."""
    child = choose_at_root(nodes, search)
    if child == NONE:
        k = search.answers
        search.answers += 1
        child = add_child(nodes, search, ROOT, question, candidates[k, ACTION], candidates[k, AIM])
    return child


@rule
def go_down(game: Calls, child: int, tree: TreeArrays, search: Search) -> None:
    """Take the answer of a child node."""
    search.path[search.depth] = child
    search.depth += 1
    play(game, tree.nodes[child].action, tree, search)


@rule
def play_out(game: Calls, tree: TreeArrays, search: Search) -> None:
    """Play the rollout: all players answer as the script does."""
    while not_cut_off(tree, search):
        if search.aim != NO_AIM:
            play(game, scripted_answer(game, tree, search, 1), tree, search)
        else:
            search.made += follow_at(game.follow, game.handle, search.decisions - search.made, tree.seen)
            end_turn(game, tree, search)


@rule
def scripted_answer(game: Calls, tree: TreeArrays, search: Search, is_rollout: int) -> int:
    """Return the action that follows the player's aim if there is one, otherwise the script's answer."""
    aim = search.aim if tree.seen[Seen.ACTOR] == search.player else NO_AIM + 0
    return answer_at(game.answer, game.handle, is_rollout, aim)


@rule
def begin(game: Calls, tree: TreeArrays, search: Search) -> None:
    """Prepare an iteration: copy the position and reset the counters."""
    begin_at(game.begin, game.handle, tree.seen)
    search.depth = 0
    search.made = 0
    search.passed = 0
    search.turn = tree.seen[Seen.TURN]


@rule
def deal_luck_of_turn(game: Calls, tree: TreeArrays, search: Search) -> None:
    """Set all random numbers from here to the end of the turn. The n-th try of every answer gets the same random
    numbers in each turn, however many of them earlier turns used up. Differences between answers are therefore due to
    the answers."""
    seed = search.seed_of_try + ((tree.seen[Seen.TURN] + 1) << BITS_OF_SEEDS)
    seed_at(game.seed, game.handle, seed)
    for k in range(len(tree.luck)):
        tree.luck[k] = scattered(seed, k)


@rule
def scattered(seed: int, k: int) -> int:
    """Hash of seed and index: a 32-bit number other than 0."""
    word = (int(seed) ^ ((int(seed) >> 32) * 0x9E3779B1) ^ (k * 0x9E3779B)) & WORD
    for _ in range(3):
        word = (((word >> 16) ^ word) * 0x45D9F3B) & WORD
    return word | 1


@rule
def play(game: Calls, action: int, tree: TreeArrays, search: Search) -> None:
    """Do an action."""
    if search.aim != NO_AIM and completes_at(game.completes, game.handle, action, search.aim) != 0:
        search.aim = NO_AIM
    step_at(game.step, game.handle, action, tree.seen)
    search.made += 1
    end_turn(game, tree, search)


@rule
def end_turn(game: Calls, tree: TreeArrays, search: Search) -> None:
    """If a new turn has begun, drop the aim and set new random numbers."""
    if tree.seen[Seen.TURN] != search.turn:
        search.turn = tree.seen[Seen.TURN]
        search.passed += 1
        search.aim = NO_AIM
        deal_luck_of_turn(game, tree, search)


@rule
def not_cut_off(tree: TreeArrays, search: Search) -> bool:
    """Whether the iteration goes on. Positions are evaluated only at the end of a turn: in mid-turn they are not
    comparable."""
    return (
        tree.seen[Seen.PLAYING] != 0
        and tree.seen[Seen.FAULT] == 0
        and search.passed <= search.turns
        and search.made < search.decisions
    )

"""Iterations of a search: down the tree, onwards with scripted answers, and back up with the result."""

from typing import Final, NamedTuple

from fujikoro_agents.mcts.judging import judge
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
from fujikoro_agents.scripted.acting import NO_ANSWER
from fujikoro_agents.scripted.aims import NO_AIM, answer_by_aim, is_deed_of
from fujikoro_agents.scripted.lookahead import TRIAL_GAMES, Minds, lookahead_games
from fujikoro_agents.stepping import WorkArrays, copy_game, do_action
from fujikoro_env.kernel.jit import Address, Floats, IntArray, IntTable, by_address, entry, rule
from fujikoro_env.kernel.masks import allows
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.chance import seed_streams
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Fault, Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.engine.hidden import deal_hidden_of

POSITION: Final = 0  # index in the workspace: the position that is searched, as the player sees it
WORK: Final = 1  # index of the game of an iteration
SPARE: Final = 2  # only its mask is used
AHEAD: Final = 3  # from this index on: where scripts try out their options
ROOM: Final = AHEAD + TRIAL_GAMES
ACTION, AIM = 0, 1  # columns of a candidate

WORD: Final = 0xFFFFFFFF
TURNS: Final = 16  # factor that makes turn numbers unique: more than the number of players
BITS_OF_SEEDS: Final = 44  # size of a try's seed in bits; the number of the turn is stored above them

answer_at = by_address(lookahead_games)


class TreeArrays(NamedTuple):
    """Memory of a search."""

    nodes: Records[Node]
    searches: Records[Search]  # a single record
    candidates: IntTable  # answers to try at the root: action and aim
    own: IntArray  # value of the first answer, by try
    weights: Floats  # weights of the evaluation
    network: Floats  # value network that replaces the evaluation, or NO_NETWORK


class Scripts(NamedTuple):
    """Scripted agents that a search asks for answers."""

    answers: Address  # address of `lookahead_games`
    prior: Minds  # script whose answer is tried first in the tree
    rollout: Minds  # script that plays the rollouts; differs in its skills only


@entry
def search_on(work: WorkArrays, scripts: Scripts, tree: TreeArrays, iterations: int) -> int:
    """Do this many more iterations; return the total number so far."""
    search = tree.searches[0]
    for _ in range(iterations):
        begin(work, scripts.prior.aims, search)
        descend(work, scripts, tree)
        play_out(work, scripts, search)
        if search.fault != Fault.NONE:
            break
        judge(work.games[WORK], work.tables[0], tree.weights, tree.network, search, scripts.prior.known)
        back_up(tree.nodes, search, tree.own)
    return search.iterations


@rule
def descend(work: WorkArrays, scripts: Scripts, tree: TreeArrays) -> None:
    """Go down the tree to an answer that is tried for the first time, or as deep as allowed."""
    s, mask, nodes, search, luck = work.games[WORK], work.masks[WORK], tree.nodes, tree.searches[0], scripts.prior.luck
    node = answer_at_root(tree.candidates, nodes, search, question_of(s))
    is_new = nodes[node].visits == 0
    search.seed_of_try = search.seed + nodes[node].visits
    deal_hidden_of(s, search.player, search.seed_of_try)
    deal_luck_of_turn(s, search, luck)
    search.aim = nodes[node].aim
    go_down(work, node, luck, nodes, search)
    while not is_new and search.depth < search.deepest and not_cut_off(s, search):
        question = question_of(s)
        child = choose(nodes, search, node, question, mask)
        if child == NONE:
            if search.nodes == len(nodes):
                return
            likely = scripted_answer(work, scripts.answers, scripts.prior, search)
            action = new_action(nodes, node, question, mask, work.masks[SPARE], likely, luck)
            child = add_child(nodes, search, node, question, action, NO_AIM)
            is_new = True
        go_down(work, child, luck, nodes, search)
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
def go_down(work: WorkArrays, child: int, luck: IntArray, nodes: Records[Node], search: Search) -> None:
    """Take the answer of a child node."""
    search.path[search.depth] = child
    search.depth += 1
    play(work, nodes[child].action, luck, search)


@rule
def play_out(work: WorkArrays, scripts: Scripts, search: Search) -> None:
    """Play the rollout: all players answer as the script does."""
    while not_cut_off(work.games[WORK], search):
        action = scripted_answer(work, scripts.answers, scripts.rollout, search)
        play(work, action, scripts.rollout.luck, search)


@rule
def scripted_answer(work: WorkArrays, answers: Address, minds: Minds, search: Search) -> int:
    """Return the action that follows the player's aim if there is one, otherwise the script's answer."""
    s, mask = work.games[WORK], work.masks[WORK]
    if search.aim != NO_AIM and top(s).actor == search.player:
        chosen = answer_by_aim(s, work.tables[0], mask, search.aim)
        if chosen != NO_ANSWER and allows(mask, chosen):
            return chosen
    at = GameArrays(work.games, work.words, work.tables, work.masks)
    answer_at(answers, at, WORK, WORK + 1, work.actions, minds, work, AHEAD)
    return work.actions[WORK]


@rule
def begin(work: WorkArrays, aims: IntArray, search: Search) -> None:
    """Prepare an iteration: copy the position and reset the counters."""
    copy_game(work, POSITION, WORK)
    for k in range(len(aims)):
        aims[k] = NO_AIM
    search.depth = 0
    search.made = 0
    search.passed = 0
    search.turn = turn_of(work.games[WORK])


@rule
def deal_luck_of_turn(s: State, search: Search, luck: IntArray) -> None:
    """Set all random numbers from here to the end of the turn. The n-th try of every answer gets the same random
    numbers in each turn, however many of them earlier turns used up. Differences between answers are therefore due to
    the answers."""
    seed = search.seed_of_try + ((turn_of(s) + 1) << BITS_OF_SEEDS)
    seed_streams(s, seed)
    for k in range(len(luck)):
        luck[k] = scattered(seed, k)


@rule
def scattered(seed: int, k: int) -> int:
    """Hash of seed and index: a 32-bit number other than 0."""
    word = (int(seed) ^ ((int(seed) >> 32) * 0x9E3779B1) ^ (k * 0x9E3779B)) & WORD
    for _ in range(3):
        word = (((word >> 16) ^ word) * 0x45D9F3B) & WORD
    return word | 1


@rule
def play(work: WorkArrays, action: int, luck: IntArray, search: Search) -> None:
    """Do an action; if a new turn begins, drop the aim and set new random numbers."""
    s = work.games[WORK]
    if search.aim != NO_AIM and top(s).phase == Phase.ACTION and is_deed_of(action, search.aim):
        search.aim = NO_AIM
    search.fault = do_action(work, WORK, action)
    search.made += 1
    turn = turn_of(s)
    if turn != search.turn:
        search.turn = turn
        search.passed += 1
        search.aim = NO_AIM
        deal_luck_of_turn(s, search, luck)


@rule
def turn_of(s: State) -> int:
    """Unique number of the current turn."""
    return int(s.round_number) * TURNS + int(s.active)


@rule
def not_cut_off(s: State, search: Search) -> bool:
    """Whether the iteration goes on. Positions are evaluated only at the end of a turn: in mid-turn they are not
    comparable."""
    return (
        s.reason == Reason.PLAYING
        and search.fault == Fault.NONE
        and search.passed <= search.turns
        and search.made < search.decisions
    )

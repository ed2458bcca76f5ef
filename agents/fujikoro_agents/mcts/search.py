"""Iterations of a search: down the tree, out of it by scripted answers, and back up with what came of it."""

from typing import Final

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
from fujikoro_agents.scripted.lookahead import lookahead_games
from fujikoro_agents.stepping import Address, copy_game, do_action
from fujikoro_env.kernel.jit import Floats, IntArray, IntTable, WordTable, by_address, entry, rule
from fujikoro_env.kernel.masks import allows
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.chance import seed_streams
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Fault, Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.engine.hidden import deal_hidden_of

POSITION: Final = 0  # of the workspace: the position that is searched, as the player sees it
WORK: Final = 1  # the game of an iteration
SPARE: Final = 2  # its mask alone is used
AHEAD: Final = 3  # this and the next: where scripts that look ahead try things out
ROOM: Final = 5
ACTION, AIM = 0, 1  # of a candidate

WORD: Final = 0xFFFFFFFF
TURNS: Final = 16  # numbers of turns: more than there are players
BITS_OF_SEEDS: Final = 44  # of the seed of a try; the number of the turn stands above them

answer_at = by_address(lookahead_games)


@entry
def search_on(
    step: Address,
    answers: Address,
    games: Records[State],
    tables: Records[Tables],
    masks: WordTable,
    actions: IntArray,
    words: IntTable,
    prior: IntTable,
    rollout: IntTable,
    luck: IntArray,
    aims: IntArray,
    habits: Floats,
    report: Floats,
    candidates: IntTable,
    own: IntArray,
    nodes: Records[Node],
    searches: Records[Search],
    weights: Floats,
    iterations: int,
) -> int:
    """So many iterations more; gives how many there are by now. `aims`, `habits` (weights) and `report` are for scripts
    that look ahead."""
    search = searches[0]
    for _ in range(iterations):
        begin(games, masks, words, aims, search)
        descend(
            step,
            answers,
            games,
            tables,
            masks,
            actions,
            words,
            prior,
            luck,
            aims,
            habits,
            report,
            candidates,
            nodes,
            search,
        )
        play_out(step, answers, games, tables, masks, actions, words, rollout, luck, aims, habits, report, search)
        if search.fault != Fault.NONE:
            break
        judge(games[WORK], tables[0], weights, search)
        back_up(nodes, search, own)
    return search.iterations


@rule
def descend(
    step: Address,
    answers: Address,
    games: Records[State],
    tables: Records[Tables],
    masks: WordTable,
    actions: IntArray,
    words: IntTable,
    prior: IntTable,
    luck: IntArray,
    aims: IntArray,
    habits: Floats,
    report: Floats,
    candidates: IntTable,
    nodes: Records[Node],
    search: Search,
) -> None:
    """Down the tree to an answer that is tried for the first time, or as deep as it may go."""
    s = games[WORK]
    node = answer_at_root(candidates, nodes, search, question_of(s))
    is_new = nodes[node].visits == 0
    search.seed_of_try = search.seed + nodes[node].visits
    deal_hidden_of(s, search.player, search.seed_of_try)
    deal_luck_of_turn(s, search, luck)
    search.aim = nodes[node].aim
    go_down(step, games, tables, node, actions, masks, luck, nodes, search)
    while not is_new and search.depth < search.deepest and not_cut_off(s, search):
        question = question_of(s)
        child = choose(nodes, search, node, question, masks[WORK])
        if child == NONE:
            if search.nodes == len(nodes):
                return
            likely = scripted_answer(
                step, answers, games, tables, masks, actions, words, prior, luck, aims, habits, report, search
            )
            action = new_action(nodes, node, question, masks[WORK], masks[SPARE], likely, luck)
            child = add_child(nodes, search, node, question, action, NO_AIM)
            is_new = True
        go_down(step, games, tables, child, actions, masks, luck, nodes, search)
        node = child


@rule
def answer_at_root(candidates: IntTable, nodes: Records[Node], search: Search, question: int) -> int:
    """The next of the candidates, or one that was tried before."""
    child = choose_at_root(nodes, search)
    if child == NONE:
        k = search.answers
        search.answers += 1
        child = add_child(nodes, search, ROOT, question, candidates[k, ACTION], candidates[k, AIM])
    return child


@rule
def go_down(
    step: Address,
    games: Records[State],
    tables: Records[Tables],
    child: int,
    actions: IntArray,
    masks: WordTable,
    luck: IntArray,
    nodes: Records[Node],
    search: Search,
) -> None:
    search.path[search.depth] = child
    search.depth += 1
    play(step, games, tables, nodes[child].action, actions, masks, luck, search)


@rule
def play_out(
    step: Address,
    answers: Address,
    games: Records[State],
    tables: Records[Tables],
    masks: WordTable,
    actions: IntArray,
    words: IntTable,
    rollout: IntTable,
    luck: IntArray,
    aims: IntArray,
    habits: Floats,
    report: Floats,
    search: Search,
) -> None:
    """From there all answer as the script says."""
    while not_cut_off(games[WORK], search):
        action = scripted_answer(
            step, answers, games, tables, masks, actions, words, rollout, luck, aims, habits, report, search
        )
        play(step, games, tables, action, actions, masks, luck, search)


@rule
def scripted_answer(
    step: Address,
    answers: Address,
    games: Records[State],
    tables: Records[Tables],
    masks: WordTable,
    actions: IntArray,
    words: IntTable,
    skills: IntTable,
    luck: IntArray,
    aims: IntArray,
    habits: Floats,
    report: Floats,
    search: Search,
) -> int:
    """While the player has an aim what leads there, else what the script says."""
    s = games[WORK]
    if search.aim != NO_AIM and top(s).actor == search.player:
        chosen = answer_by_aim(s, tables[0], masks[WORK], search.aim)
        if chosen != NO_ANSWER and allows(masks[WORK], chosen):
            return chosen
    answer_at(
        answers,
        step,
        games,
        words,
        tables,
        WORK,
        WORK + 1,
        skills,
        luck,
        aims,
        habits,
        masks,
        actions,
        games,
        words,
        masks,
        actions,
        AHEAD,
        report,
    )
    return actions[WORK]


@rule
def begin(games: Records[State], masks: WordTable, words: IntTable, aims: IntArray, search: Search) -> None:
    copy_game(words, masks, POSITION, WORK)
    for k in range(len(aims)):
        aims[k] = NO_AIM
    search.depth = 0
    search.made = 0
    search.passed = 0
    search.turn = turn_of(games[WORK])


@rule
def deal_luck_of_turn(s: State, search: Search, luck: IntArray) -> None:
    """All luck from here to the end of the turn. The n-th try of every answer meets the same, turn by turn, however
    much of it the turns before have used up: so what differs between answers is the answers' doing."""
    seed = search.seed_of_try + ((turn_of(s) + 1) << BITS_OF_SEEDS)
    seed_streams(s, seed)
    for k in range(len(luck)):
        luck[k] = scattered(seed, k)


@rule
def scattered(seed: int, k: int) -> int:
    """A number of 32 bits that is not 0 and looks like chance."""
    word = (int(seed) ^ ((int(seed) >> 32) * 0x9E3779B1) ^ (k * 0x9E3779B)) & WORD
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
    luck: IntArray,
    search: Search,
) -> None:
    if search.aim != NO_AIM and top(games[WORK]).phase == Phase.ACTION and is_deed_of(action, search.aim):
        search.aim = NO_AIM
    search.fault = do_action(step, games, tables, WORK, action, actions, masks)
    search.made += 1
    turn = turn_of(games[WORK])
    if turn != search.turn:
        search.turn = turn
        search.passed += 1
        search.aim = NO_AIM
        deal_luck_of_turn(games[WORK], search, luck)


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

"""The tree of a search: nodes in an array, linked by their numbers, and the choice of where to go down.

It is open-loop: a node is an answer after the answers before it, whatever luck came in between. So one node stands for
many positions, in which different actions are legal and even different questions asked; who goes down looks only at
children that answer the question asked now and are legal now, and counts how often each could have been taken.
"""

import math
from typing import Final

from fujikoro_agents.scripted.luck import below
from fujikoro_env.kernel.jit import IntArray, Words, rule
from fujikoro_env.kernel.masks import allows, bit, copy_mask, count_allowed, nth_allowed
from fujikoro_env.kernel.records import Ints, Records, i64, i64s, record
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.state import PLAYERS, State

UNIT: Final = 1_000_000  # worth is kept in millionths of a win: sums of whole numbers are the same in any order
THOUSAND: Final = 1_000  # parts of a setting
ROOT: Final = 0
OWN: Final = 1  # the first that is added: the script's own answer at the root
NONE: Final = 0  # as a child: the root is nobody's
LONGEST_PATH: Final = 64  # answers deep in the tree; below that nothing is told apart


@record
class Node:
    """An answer. Of the root only the children count."""

    question: int = i64()  # who was asked what
    action: int = i64()
    aim: int = i64()  # of an answer to the root's question: for what, up to the end of the turn
    first: int = i64()  # child, or NONE
    following: int = i64()  # child of the same parent, or NONE
    visits: int = i64()
    offers: int = i64()  # times that it could have been taken
    worth: Ints = i64s(PLAYERS)  # by player: sum over visits
    pairs: int = i64()  # of an answer to the root's question: tries that compare with the first answer's, luck by luck
    leads: int = i64()  # sum over pairs of what it was worth more
    squares: int = i64()  # the same squared, in thousandths


@record
class Search:
    """What a search is told, and what it keeps beside the tree."""

    player: int = i64()  # for whom
    seed: int = i64()
    turns: int = i64()  # played on after the one under way, before the position is judged
    decisions: int = i64()  # at most so many in one iteration
    exploration: int = i64()  # thousandths
    widening: int = i64()  # thousandths: children = 1 + widening * visits ** growth
    growth: int = i64()  # thousandths
    deepest: int = i64()  # answers in a row that are told apart: below them scripts answer
    candidates: int = i64()  # answers that may be tried at the root
    answers: int = i64()  # of them under way
    nodes: int = i64()  # in use
    iterations: int = i64()  # done
    fault: int = i64()  # of the rules
    made: int = i64()  # decisions of this iteration
    passed: int = i64()  # turns of this iteration
    turn: int = i64()  # the one under way
    aim: int = i64()  # of the player in this iteration, or NO_AIM
    seed_of_try: int = i64()  # of this iteration
    depth: int = i64()
    path: Ints = i64s(LONGEST_PATH + 1)  # nodes of this iteration
    values: Ints = i64s(PLAYERS)  # of this iteration
    sums: Ints = i64s(PLAYERS)  # of the values of all iterations
    squares: Ints = i64s(PLAYERS)  # of the values in thousandths
    pairs: int = i64()  # of all answers
    lead_squares: int = i64()  # over all of them, in thousandths


@rule
def question_of(s: State) -> int:
    return int(top(s).phase) * PLAYERS + int(top(s).actor)


@rule
def choose(nodes: Records[Node], search: Search, node: int, question: int, mask: Words) -> int:
    """The child that promises most to who is asked (UCB), or NONE while a new one is due: the number of children grows
    with the visits."""
    player = question % PLAYERS
    scale = search.exploration / THOUSAND * spread(search, player)
    best, known, visits, highest = NONE + 0, 0, 0, -1.0
    child = nodes[node].first
    while child != NONE:
        here = nodes[child]
        if here.question == question and allows(mask, here.action):
            here.offers += 1
            known += 1
            visits += here.visits
            score = promise(here, player, scale)
            if score > highest:
                best, highest = child, score
        child = here.following
    if known == 0:
        return NONE + 0
    may_grow = search.nodes < len(nodes) and known < count_allowed(mask)
    return NONE + 0 if may_grow and known < room_for(search, visits) else best


@rule
def choose_at_root(nodes: Records[Node], search: Search) -> int:
    """The answer whose lead over the first one may be highest, or NONE while a new one is due. None is tried more often
    than the first, which it is compared with."""
    may_grow = search.nodes < len(nodes) and search.answers < search.candidates
    if search.answers == 0 or (may_grow and search.answers < room_for(search, search.iterations)):
        return NONE + 0
    scale = search.exploration / THOUSAND * spread_of_leads(search)
    best, highest = OWN + 0, -math.inf
    child = nodes[ROOT].first
    while child != OWN:
        here = nodes[child]
        score = here.leads / (UNIT * float(here.pairs)) + scale * math.sqrt(math.log(search.iterations) / here.pairs)
        if score > highest:
            best, highest = child, score
        child = here.following
    return OWN + 0 if nodes[best].visits >= nodes[OWN].visits else best


@rule
def spread_of_leads(search: Search) -> float:
    return math.sqrt(max(1e-6, search.lead_squares / (UNIT * float(max(1, search.pairs)))))


@rule
def promise(node: Node, player: int, scale: float) -> float:
    mean = node.worth[player] / (UNIT * float(node.visits))
    return mean + scale * math.sqrt(math.log(float(node.offers)) / node.visits)


@rule
def spread(search: Search, player: int) -> float:
    """How much the values differ from iteration to iteration: the measure for what is worth exploring."""
    if search.iterations == 0:
        return 1.0
    mean = search.sums[player] / (THOUSAND * float(search.iterations))
    square = search.squares[player] / (UNIT * float(search.iterations))
    return math.sqrt(max(1e-6, square - mean * mean))


@rule
def room_for(search: Search, visits: int) -> float:
    """Progressive widening: so many children may there be."""
    return 1.0 + search.widening / THOUSAND * math.pow(visits, search.growth / THOUSAND)


@rule
def new_action(
    nodes: Records[Node], node: int, question: int, mask: Words, spare: Words, likely: int, luck: IntArray
) -> int:
    """The likely answer if it is new, else any that is."""
    copy_mask(mask, spare)
    child = nodes[node].first
    while child != NONE:
        here = nodes[child]
        if here.question == question and allows(spare, here.action):
            spare[here.action >> 5] ^= bit(here.action & 31)
        child = here.following
    if allows(spare, likely):
        return likely
    return nth_allowed(spare, below(luck, 0, count_allowed(spare)))


@rule
def add_child(nodes: Records[Node], search: Search, node: int, question: int, action: int, aim: int) -> int:
    child = search.nodes
    search.nodes += 1
    here = nodes[child]
    here.question = question
    here.action = action
    here.aim = aim
    here.first = NONE
    here.following = nodes[node].first
    here.visits = 0
    here.offers = 1
    here.pairs = 0
    here.leads = 0
    here.squares = 0
    for p in range(PLAYERS):
        here.worth[p] = 0
    nodes[node].first = child
    return child


@rule
def back_up(nodes: Records[Node], search: Search, own: IntArray) -> None:
    """Credit the values of an iteration to all nodes that it went through."""
    if search.depth > 0:
        compare(nodes, search, own)
    for k in range(search.depth):
        node = nodes[search.path[k]]
        node.visits += 1
        for p in range(PLAYERS):
            node.worth[p] += search.values[p]
    for p in range(PLAYERS):
        thousandths = search.values[p] // THOUSAND
        search.sums[p] += thousandths
        search.squares[p] += thousandths * thousandths
    search.iterations += 1


@rule
def compare(nodes: Records[Node], search: Search, own: IntArray) -> None:
    """With what the first answer was worth in its try of the same number, which met the same luck."""
    child = search.path[0]
    node, value = nodes[child], search.values[search.player]
    if node.visits >= len(own):
        return
    if child == OWN:
        own[node.visits] = value
        return
    lead = value - own[node.visits]
    square = (lead // THOUSAND) * (lead // THOUSAND)
    node.pairs += 1
    node.leads += lead
    node.squares += square
    search.pairs += 1
    search.lead_squares += square

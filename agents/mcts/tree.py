"""The tree of a search: nodes in an array, linked by their numbers, and the choice of where to go down.

It is open-loop: a node is an answer after the answers before it, whatever luck came in between. So one node stands for
many positions, in which different actions are legal and even different questions asked; who goes down looks only at
children that answer the question asked now and are legal now, and counts how often each could have been taken.
"""

import math
from typing import Final

from agents.scripted.luck import below
from agents.stepping import copy_mask
from fujikoro_env.rules.frames import top
from fujikoro_env.rules.jit import IntArray, Words, rule
from fujikoro_env.rules.masks import allows, bit, count_allowed, nth_allowed
from fujikoro_env.rules.records import Ints, Records, i64, i64s, record
from fujikoro_env.rules.state import PLAYERS, State

UNIT: Final = 1_000_000  # worth is kept in millionths of a win: sums of whole numbers are the same in any order
THOUSAND: Final = 1_000  # parts of a setting
ROOT: Final = 0
NONE: Final = 0  # as a child: the root is nobody's
LONGEST_PATH: Final = 64  # answers deep in the tree; below that nothing is told apart


@record
class Node:
    """An answer. Of the root only the children count."""

    question: int = i64()  # who was asked what
    action: int = i64()
    first: int = i64()  # child, or NONE
    following: int = i64()  # child of the same parent, or NONE
    visits: int = i64()
    offers: int = i64()  # times that it could have been taken
    worth: Ints = i64s(PLAYERS)  # by player: sum over visits


@record
class Search:
    """What a search is told, and what it keeps beside the tree."""

    player: int = i64()  # for whom
    seed: int = i64()
    budget: int = i64()  # iterations in all; 0 if it is time that ends it, or other trees have a say
    turns: int = i64()  # played on after the one under way, before the position is judged
    decisions: int = i64()  # at most so many in one iteration
    exploration: int = i64()  # thousandths
    widening: int = i64()  # thousandths: children = 1 + widening * visits ** growth
    growth: int = i64()  # thousandths
    nodes: int = i64()  # in use
    iterations: int = i64()  # done
    fault: int = i64()  # of the rules
    made: int = i64()  # decisions of this iteration
    passed: int = i64()  # turns of this iteration
    turn: int = i64()  # the one under way
    depth: int = i64()
    path: Ints = i64s(LONGEST_PATH + 1)  # nodes of this iteration
    values: Ints = i64s(PLAYERS)  # of this iteration
    sums: Ints = i64s(PLAYERS)  # of the values of all iterations
    squares: Ints = i64s(PLAYERS)  # of the values in thousandths


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
def add_child(nodes: Records[Node], search: Search, node: int, question: int, action: int) -> int:
    child = search.nodes
    search.nodes += 1
    here = nodes[child]
    here.question = question
    here.action = action
    here.first = NONE
    here.following = nodes[node].first
    here.visits = 0
    here.offers = 1
    for p in range(PLAYERS):
        here.worth[p] = 0
    nodes[node].first = child
    return child


@rule
def back_up(nodes: Records[Node], search: Search) -> None:
    """Credit the values of an iteration to all nodes that it went through."""
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
def is_decided(nodes: Records[Node], search: Search) -> bool:
    """No other answer can be visited as often as the first, even if all that is left of the budget went there."""
    first, second = 0, 0
    child = nodes[ROOT].first
    while child != NONE:
        visits = nodes[child].visits
        if visits > first:
            first, second = visits, first
        elif visits > second:
            second = visits
        child = nodes[child].following
    return search.budget > 0 and first - second > search.budget - search.iterations

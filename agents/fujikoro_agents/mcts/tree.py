"""The tree of a search: nodes in an array, linked by index, and the choice of the next child.

The tree is open-loop: a node stands for an answer after the answers before it, whatever random events came in between.
One node therefore covers many positions, with different legal actions and even different questions. Going down, the
search considers only children that answer the current question and are legal now, and counts how often each was
available.
"""

import math
from typing import Final

from fujikoro_agents.scripted.luck import below
from fujikoro_env.kernel.jit import IntArray, Words, rule
from fujikoro_env.kernel.masks import allows, bit, copy_mask, count_allowed, nth_allowed
from fujikoro_env.kernel.records import Ints, Records, i64, i64s, record
from fujikoro_env.kernel.searching import SEATS, UNIT, Seen

# Values are stored in millionths of a win, UNIT: sums of integers don't depend on their order.
THOUSAND: Final = 1_000  # settings are stored in thousandths
ROOT: Final = 0
OWN: Final = 1  # the first node added: the script's own answer at the root
NONE: Final = 0  # no child: the root is nobody's child
LONGEST_PATH: Final = 64  # maximum depth of the tree


@record
class Node:
    """An answer. The root stands for none: only its children are used."""

    question: int = i64()  # phase and player, see `question_of`
    action: int = i64()
    aim: int = i64()  # of a root answer: its goal until the end of the turn
    first: int = i64()  # first child, or NONE
    following: int = i64()  # next child of the same parent, or NONE
    visits: int = i64()
    offers: int = i64()  # number of times that it was available
    worth: Ints = i64s(SEATS)  # by player: sum over visits
    pairs: int = i64()  # of a root answer: tries compared with tries of the first answer that had the same luck
    leads: int = i64()  # sum of the leads over these pairs
    squares: int = i64()  # sum of the squared leads, in thousandths


@record
class Search:
    """Settings of a search and its state besides the tree."""

    player: int = i64()  # the player who searches
    seed: int = i64()
    turns: int = i64()  # turns played after the current one before the position is evaluated
    decisions: int = i64()  # maximum number in one iteration
    exploration: int = i64()  # thousandths
    widening: int = i64()  # thousandths: children = 1 + widening * visits ** growth
    growth: int = i64()  # thousandths
    deepest: int = i64()  # maximum depth of the tree: below it scripts answer
    candidates: int = i64()  # number of candidates at the root
    answers: int = i64()  # number of candidates tried so far
    nodes: int = i64()  # number of nodes in use
    iterations: int = i64()  # number done
    made: int = i64()  # decisions so far in this iteration
    passed: int = i64()  # turns completed in this iteration
    turn: int = i64()  # current turn
    aim: int = i64()  # aim of the player in this iteration, or NO_AIM
    seed_of_try: int = i64()  # seed of this iteration
    depth: int = i64()
    path: Ints = i64s(LONGEST_PATH + 1)  # nodes of this iteration
    sums: Ints = i64s(SEATS)  # sums of the values of all iterations, in thousandths
    squares: Ints = i64s(SEATS)  # sums of the squared values
    pairs: int = i64()  # over all answers
    lead_squares: int = i64()  # sum over all pairs, in thousandths


@rule
def question_of(seen: IntArray) -> int:
    """Number of the current question: phase and acting player."""
    return seen[Seen.PHASE] * SEATS + seen[Seen.ACTOR]


@rule
def choose(nodes: Records[Node], search: Search, node: int, question: int, mask: Words) -> int:
    """Return the most promising child for the acting player (UCB), or NONE if a new one is due: the number of children
    grows with the visits."""
    player = question % SEATS
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
    """Return the answer whose lead over the first one may be highest, or NONE if a new one is due. No answer is tried
    more often than the first one, with which it is compared."""
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
    """Root mean square of the leads."""
    return math.sqrt(max(1e-6, search.lead_squares / (UNIT * float(max(1, search.pairs)))))


@rule
def promise(node: Node, player: int, scale: float) -> float:
    """UCB score of a node: mean value plus exploration bonus."""
    mean = node.worth[player] / (UNIT * float(node.visits))
    return mean + scale * math.sqrt(math.log(float(node.offers)) / node.visits)


@rule
def spread(search: Search, player: int) -> float:
    """Standard deviation of the values over iterations, which scales the exploration bonus."""
    if search.iterations == 0:
        return 1.0
    mean = search.sums[player] / (THOUSAND * float(search.iterations))
    square = search.squares[player] / (UNIT * float(search.iterations))
    return math.sqrt(max(1e-6, square - mean * mean))


@rule
def room_for(search: Search, visits: int) -> float:
    """Number of children allowed after this many visits (progressive widening)."""
    return 1.0 + search.widening / THOUSAND * math.pow(visits, search.growth / THOUSAND)


@rule
def new_action(
    nodes: Records[Node], node: int, question: int, mask: Words, spare: Words, likely: int, luck: IntArray
) -> int:
    """Return the likely answer if it is new, otherwise a random new one."""
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
    """Add a node to the tree and return its index."""
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
    for p in range(SEATS):
        here.worth[p] = 0
    nodes[node].first = child
    return child


@rule
def back_up(nodes: Records[Node], search: Search, own: IntArray, values: IntArray) -> None:
    """Add the values of an iteration, by player, to all nodes on its path."""
    if search.depth > 0:
        compare(nodes, search, own, values[search.player])
    for k in range(search.depth):
        node = nodes[search.path[k]]
        node.visits += 1
        for p in range(SEATS):
            node.worth[p] += values[p]
    for p in range(SEATS):
        thousandths = values[p] // THOUSAND
        search.sums[p] += thousandths
        search.squares[p] += thousandths * thousandths
    search.iterations += 1


@rule
def compare(nodes: Records[Node], search: Search, own: IntArray, value: int) -> None:
    """Compare the player's value with that of the first answer in the try of the same number, which had the same
    luck."""
    child = search.path[0]
    node = nodes[child]
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

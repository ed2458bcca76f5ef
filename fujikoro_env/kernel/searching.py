"""What a game offers to a tree search (`fujikoro_agents.mcts`).

A search is compiled once, for all games. It calls a game's functions by address, and gives each the handle of a bundle
(`handles.hold`) in which the game keeps what it needs. Every function is a short entry in a module of
the game:

    memory_of = held(Memory)

    @entry
    def seed_in_search(handle: IntArray, seed: int) -> int:
        seed_streams(memory_of(handle).games[WORK], seed)
        return 0

The functions below have the same parameters as the entries and say what those do; they are never called.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final, NamedTuple, Protocol

from fujikoro_env.kernel.handles import caller, entry_address
from fujikoro_env.kernel.jit import Address, IntArray, Words

SEATS: Final = 6  # most seats of a game that is searched
UNIT: Final = 1_000_000  # a whole win
NO_AIM: Final = 0
Candidate = tuple[int, int]  # an action, and the aim that it serves


class Seen(IntEnum):
    """What a search sees of a position. TURN is a number that differs from turn to turn; PLAYING is 0 or 1."""

    PHASE, ACTOR, TURN, PLAYING, FAULT = range(5)


def begin_of_game(handle: IntArray, seen: IntArray) -> int:
    """Begin an iteration: copy the position that is searched, with its legal actions, to the game of iterations, and
    write what is seen of it."""
    return 0


def step_of_game(handle: IntArray, action: int, seen: IntArray) -> int:
    """Do an action, advance to the next decision, and write what is seen of it."""
    return 0


def follow_of_game(handle: IntArray, most: int, seen: IntArray) -> int:
    """Let the script of rollouts answer until the turn changes or the game is over, but not more often than this. Write
    what is seen then, and return the number of answers. (The search could call `answer` and `step` instead, but
    each call by address takes time.)"""
    return 0


def deal_of_game(handle: IntArray, player: int, seed: int) -> int:
    """Deal again everything that a player can't see."""
    return 0


def seed_of_game(handle: IntArray, seed: int) -> int:
    """Seed all random generators of the game."""
    return 0


def answer_of_game(handle: IntArray, is_rollout: int, aim: int) -> int:
    """Return the answer of a script: of the one that plays the rollouts, or the one whose answer is likely in the tree.
    It follows an aim if one is given."""
    return 0


def completes_aim(handle: IntArray, action: int, aim: int) -> int:
    """Return 1 if an action completes an aim, otherwise 0."""
    return 0


def judge_of_game(handle: IntArray, values: IntArray) -> int:
    """Write the value of the position for each player, in millionths of a win."""
    return 0


begin_at = caller(begin_of_game)
step_at = caller(step_of_game)
follow_at = caller(follow_of_game)
deal_at = caller(deal_of_game)
seed_at = caller(seed_of_game)
answer_at = caller(answer_of_game)
completes_at = caller(completes_aim)
judge_at = caller(judge_of_game)


class Calls(NamedTuple):
    """Addresses of a game's functions, and the handle that they are given."""

    begin: Address
    step: Address
    follow: Address
    deal: Address
    seed: Address
    answer: Address
    completes: Address
    judge: Address
    handle: IntArray


class Functions(NamedTuple):
    """A game's entries."""

    begin: Callable[[IntArray, IntArray], int]
    step: Callable[[IntArray, int, IntArray], int]
    follow: Callable[[IntArray, int, IntArray], int]
    deal: Callable[[IntArray, int, int], int]
    seed: Callable[[IntArray, int], int]
    answer: Callable[[IntArray, int, int], int]
    completes: Callable[[IntArray, int, int], int]
    judge: Callable[[IntArray, IntArray], int]

    def calls(self, handle: IntArray) -> Calls:
        """The addresses of the entries. The first call in a process loads their machine code, or compiles it."""
        functions: Any = self
        addresses = {name: entry_address(getattr(functions, name)) for name in self._fields}
        return Calls(**addresses, handle=handle)


class SearchTable(Protocol):
    """A game's side of a search, with all memory that one thread needs."""

    mask: Words  # legal actions in the game of iterations
    spare: Words  # as long as `mask`
    luck: IntArray  # random numbers of the scripts and of the search: set at the beginning of every turn

    def take_in(self, view: Any) -> None:
        """Take a player's view as the position that is searched."""

    def calls(self) -> Calls:
        """What compiled code calls."""

    @property
    def last_game(self) -> Any:
        """Final position of the last iteration, as an array of one record."""


class Adviser(Protocol):
    """Suggests candidates: answers that a search tries at its root."""

    def candidates(self, view: Any, luck: int) -> list[Candidate]:
        """All candidates, the script's own answer first."""

    def keep(self, view: Any, action: int, aim: int) -> None:
        """Remember the aim of the chosen action."""


class SearchParts(NamedTuple):
    """What a game declares for the search."""

    make_table: Callable[[], SearchTable]
    make_adviser: Callable[[], Adviser]

"""Compiled rewards, from what the end of a game and a position are worth to a player. General functions: a game gets
its own with `paying_of`.
"""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from fujikoro_env.kernel.commands import NOT_OVER
from fujikoro_env.kernel.jit import FloatTable, IntArray, specialised
from fujikoro_env.kernel.records import Records

S = TypeVar("S")
T = TypeVar("T")


class Games(Protocol):
    """Stands for an array of the game's records."""

    def __getitem__(self, index: int) -> Any: ...


class Contents(Protocol):
    """Stands for an array of one record, the game's tables."""

    def __getitem__(self, index: int) -> Any: ...


class Paying(NamedTuple, Generic[S, T]):
    """The rules that pay the players of one game; the game's own entries call them.

    * `pay(games, tables, first, last, kind, worths, rewards)`: write the rewards of games first to last - 1 since their
      worths were last updated, and update the worths. Return the number of games in which any reward is not 0
    * `appraise(games, tables, chosen, kind, worths)`: write the worths of games at their start, which pays nothing
    """

    pay: Callable[[Records[S], Records[T], int, int, int, FloatTable, FloatTable], int]
    appraise: Callable[[Records[S], Records[T], IntArray, int, FloatTable], None]


def paying_of(
    state: type[S],
    tables: type[T],
    seats: int,
    end: Callable[[S, T, int, int], float],
    worth: Callable[[S, T, int, int], float],
) -> Paying[S, T]:
    """Return the rules that pay players. `end(s, t, kind, player)` is what a finished game pays in a kind of rewards,
    `worth(s, t, kind, player)` an estimate of a position, 0 when the game is over. Both are called for all seats."""
    records: Any = Records
    given = {"Games": records[state], "Contents": records[tables], "SEATS": seats, "end": end, "worth": worth}
    return Paying(specialised(pay, **given), specialised(appraise, **given))


def given_by_the_game(*_: Any) -> Any:
    """Stands for the game's own rule."""
    raise NotImplementedError


end = worth = given_by_the_game
SEATS = 0


def pay(
    games: Games, tables: Contents, first: int, last: int, kind: int, worths: FloatTable, rewards: FloatTable
) -> int:
    """Pay the players of many games."""
    paid = 0
    for g in range(first, last):
        is_over, some = games[g].reason != NOT_OVER, 0
        for player in range(SEATS):
            now = worth(games[g], tables[0], kind, player)
            reward = now - worths[g][player]
            if is_over:
                reward += end(games[g], tables[0], kind, player)
            worths[g][player] = now
            rewards[g][player] = reward
            if reward != 0:
                some = 1
        paid += some
    return paid


def appraise(games: Games, tables: Contents, chosen: IntArray, kind: int, worths: FloatTable) -> None:
    """Write the worths of the chosen games."""
    for k in range(len(chosen)):
        for player in range(SEATS):
            worths[chosen[k]][player] = worth(games[chosen[k]], tables[0], kind, player)

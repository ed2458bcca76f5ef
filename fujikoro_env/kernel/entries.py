"""The compiled entries of a game, made from its rules: what Python calls to deal, step, read and pay games.

A game writes rules for one game; the loops over many games are here. General functions: a game gets its own entries
with `entries_of`. A game may also write entries by hand, if it can do something better.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

from fujikoro_env.kernel import engine, paying
from fujikoro_env.kernel.engine import Asked, Engine
from fujikoro_env.kernel.jit import (
    FloatTable,
    IntArray,
    IntTable,
    ShortTable,
    WordTable,
    specialised_entry,
)
from fujikoro_env.kernel.paying import Paying
from fujikoro_env.kernel.records import Records, fields_of

Rule = Callable[..., Any]
NEEDED: Final = {  # fields of a game's record and of its parts that the kernel uses
    "": ("settings", "reason", "fault", "depth", "stack"),
    "settings": ("players", "ask_forced"),
    "stack": ("phase", "actor"),
}


class GameRules(NamedTuple):
    """The rules of a game that its entries call; `s` is its record, `t` its tables."""

    deal: Rule  # (s, t, seed): set up a game whose record holds the settings and is zero otherwise
    blank: Rule  # (s, t, player): erase what the player can't see
    redeal: Rule  # (s, t, player, seed): deal again what the player can't see
    write: Rule  # (s, t, player, row): write what the player sees into a row of int16 that holds zeros
    rank: Rule  # (s, player): its rank when the game is over, 1 for the best
    score: Rule  # (s, player): its score
    end: Rule  # (s, t, kind, player): what the end of the game pays it
    worth: Rule  # (s, t, kind, player): what the position is worth to it; 0 when the game is over
    seats: int  # most players


class Entries(NamedTuple):
    """The entries of a game. `Parts`, `BatchParts`, `Payments` and `NumberTable` take them."""

    deal_game: Callable[..., None]  # games, tables, index, seed
    deal_games: Callable[..., None]  # games, tables, chosen, seeds
    step_games: Callable[..., int]  # games, tables, first, last, actions, masks
    see_games: Callable[..., int]  # games, first, last, actions, masks, asked
    settle_games: Callable[..., None]  # games, chosen, ranks, scores
    blank_game: Callable[..., None]  # games, tables, index, player
    redeal_game: Callable[..., None]  # games, tables, index, player, seed
    observe_games: Callable[..., None]  # games, tables, observers, first, last, rows
    appraise_games: Callable[..., None]  # games, tables, chosen, kind, worths
    pay_games: Callable[..., int]  # games, tables, first, last, kind, worths, rewards
    seats: int  # most players


def entries_of(source: str, state: type[Any], tables: type[Any], drive: Engine[Any, Any], rules: GameRules) -> Entries:
    """Return the entries of a game with these records. `source` is the path of the game's module, `__file__`: machine
    code is compiled again when that module, or one that it imports, has changed."""
    check_fields(state)
    records: Any = Records
    pay: Paying[Any, Any] = paying.paying_of(state, tables, rules.seats, rules.end, rules.worth)
    given = {
        **rules._asdict(),
        "Games": records[state],
        "Contents": records[tables],
        "step_all": drive.step,
        "see_all": drive.see,
        "pay_all": pay.pay,
        "appraise_all": pay.appraise,
    }
    general = (
        deal_game,
        deal_games,
        step_games,
        see_games,
        settle_games,
        blank_game,
        redeal_game,
        observe_games,
        appraise_games,
        pay_games,
    )
    return Entries._make([*(specialised_entry(function, source, **given) for function in general), rules.seats])


def check_fields(state: type[Any]) -> None:
    """Raise `TypeError` if a game's record lacks a field that the kernel uses."""
    for part, needed in NEEDED.items():
        cls = fields_of(state)[part].members if part else state
        assert cls is not None
        if missing := [name for name in needed if name not in fields_of(cls)]:
            raise TypeError(f"{cls.__name__} lacks {', '.join(missing)}: the kernel needs {', '.join(needed)}")


class Games(Protocol):
    """Stands for an array of the game's records."""

    def __getitem__(self, index: int) -> Any: ...


class Contents(Protocol):
    """Stands for an array of one record, the game's tables."""

    def __getitem__(self, index: int) -> Any: ...


deal = blank = redeal = write = rank = score = engine.given_by_the_game
step_all = see_all = pay_all = appraise_all = engine.given_by_the_game
seats = 0


def deal_game(games: Games, tables: Contents, index: int, seed: int) -> None:
    """Deal one game of a batch. Its record must hold the settings and be zero otherwise."""
    deal(games[index], tables[0], seed)


def deal_games(games: Games, tables: Contents, chosen: IntArray, seeds: IntArray) -> None:
    """Deal the chosen games, each from its own seed. Their records must hold the settings and be zero otherwise."""
    for k in range(len(chosen)):
        deal(games[chosen[k]], tables[0], seeds[k])


def step_games(games: Games, tables: Contents, first: int, last: int, actions: IntArray, masks: WordTable) -> int:
    """Step games first to last - 1, each with its action, and return a fault if there was one."""
    result: int = step_all(games, tables, first, last, actions, masks)
    return result


def see_games(games: Games, first: int, last: int, actions: IntArray, masks: WordTable, asked: Asked) -> int:
    """Write the current decisions of games first to last - 1, except those that WAIT. Return how many are over."""
    result: int = see_all(games, first, last, actions, masks, asked)
    return result


def settle_games(games: Games, chosen: IntArray, ranks: IntTable, scores: IntTable) -> None:
    """Write the ranks and scores of the chosen games, which must be over; 0 beyond the last player."""
    for k in range(len(chosen)):
        s = games[chosen[k]]
        for player in range(seats):
            plays = player < s.settings.players
            ranks[chosen[k], player] = rank(s, player) if plays else 0
            scores[chosen[k], player] = score(s, player) if plays else 0


def blank_game(games: Games, tables: Contents, index: int, player: int) -> None:
    """Erase everything that the player can't see."""
    blank(games[index], tables[0], player)


def redeal_game(games: Games, tables: Contents, index: int, player: int, seed: int) -> None:
    """Deal again everything that the player can't see."""
    redeal(games[index], tables[0], player, seed)


def observe_games(games: Games, tables: Contents, observers: IntArray, first: int, last: int, rows: ShortTable) -> None:
    """Write what the observers of games first to last - 1 see; zeros where the observer is below 0."""
    for g in range(first, last):
        row = rows[g]
        for k in range(len(row)):
            row[k] = 0
        if observers[g] >= 0:
            write(games[g], tables[0], observers[g], row)


def appraise_games(games: Games, tables: Contents, chosen: IntArray, kind: int, worths: FloatTable) -> None:
    """Write the worths of the chosen games at their start, so that nothing is paid for the initial position."""
    appraise_all(games, tables, chosen, kind, worths)


def pay_games(
    games: Games, tables: Contents, first: int, last: int, kind: int, worths: FloatTable, rewards: FloatTable
) -> int:
    """Write the rewards of games first to last - 1 since their worths were last updated, and update the worths. Return
    the number of games in which any reward is not 0."""
    result: int = pay_all(games, tables, first, last, kind, worths, rewards)
    return result

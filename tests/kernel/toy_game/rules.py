"""The actions, phases, records and rules of Pig, compiled."""

from enum import IntEnum
from typing import Final

from fujikoro_env.kernel.action_table import ActionTable, Block
from fujikoro_env.kernel.engine import Rules, engine_of
from fujikoro_env.kernel.entries import GameRules, entries_of
from fujikoro_env.kernel.frames import stack_of
from fujikoro_env.kernel.jit import Shorts, Words, rule
from fujikoro_env.kernel.layout import Column, Part
from fujikoro_env.kernel.masks import allow, clear
from fujikoro_env.kernel.records import Ints, Records, i16, i16s, i64, many, one, record
from fujikoro_env.kernel.seats import player_after
from fujikoro_env.kernel.simple_rules import NoTables
from fujikoro_env.kernel.streams import Generator, below_number, clear_generator, seed_stream

PLAYERS, FRAMES, FACES, MOST = 4, 2, 6, 999
ACTIONS: Final = ActionTable(Block("roll", "roll the die"), Block("hold", "keep the sum"))
ROLL, HOLD = ACTIONS.first("roll"), ACTIONS.first("hold")


class Phase(IntEnum):
    """The question, and the step of the game between two turns. Phases from `PASS_ON` on ask nobody."""

    NONE, CHOOSE, PASS_ON = range(3)


QUESTIONS: Final = {Phase.CHOOSE: "Roll again, or hold?"}


@record
class Settings:
    """Settings of a game, copied from `Rules`."""

    players: int = i16(low=2, high=PLAYERS)
    goal: int = i16(low=1, high=MOST)
    ask_forced: int = i16(high=1)


@record
class Frame:
    """A question on the stack, or a step of the game."""

    phase: int = i16(high=Phase.PASS_ON)
    actor: int = i16(high=PLAYERS - 1)


@record
class State:
    """A whole game."""

    settings: Settings = one(Settings)
    reason: int = i16(high=1)  # 1 when somebody has won
    fault: int = i16(high=5)
    depth: int = i16(low=1, high=FRAMES)
    stack: Records[Frame] = many(Frame, FRAMES)
    scores: Ints = i16s(PLAYERS, high=2 * MOST)
    turn_sum: int = i64(high=MOST)  # what the turn has brought so far
    stream: Generator = one(Generator)


push, top, pop = stack_of(State, Frame, FRAMES)


@rule
def deal(s: State, t: NoTables, seed: int) -> None:
    """Set up a game."""
    seed_stream(s.stream, 0, seed)
    push(s, Phase.CHOOSE, 0)


@rule
def legal(s: State, t: NoTables, mask: Words) -> None:
    """Mark the legal actions of the question on top of the stack."""
    clear(mask)
    allow(mask, ROLL)
    if s.turn_sum > 0:
        allow(mask, HOLD)


@rule
def do(s: State, t: NoTables, action: int) -> None:
    """Carry out a legal action."""
    player = top(s).actor
    face = below_number(s.stream, FACES) + 1 if action == ROLL else 0
    if face > 1:
        s.turn_sum = min(s.turn_sum + face, MOST)
        return
    if action == HOLD:
        s.scores[player] += s.turn_sum
        s.reason = 1 if has_won(s, player) else 0
    s.turn_sum = 0
    pop(s)
    push(s, Phase.PASS_ON, player)


@rule
def go(s: State, t: NoTables) -> None:
    """Give the turn to the next player."""
    player = player_after(top(s).actor, 1, s.settings.players)
    pop(s)
    push(s, Phase.CHOOSE, player)


@rule
def has_won(s: State, player: int) -> bool:
    """Whether the player has reached the goal."""
    return s.scores[player] >= s.settings.goal


@rule
def rank(s: State, player: int) -> int:
    """Return the rank of a player when the game is over."""
    return 1 if has_won(s, player) else 2


@rule
def score(s: State, player: int) -> int:
    """Return the score of a player."""
    return s.scores[player]


@rule
def end(s: State, t: NoTables, kind: int, player: int) -> float:
    """Return what the end of the game pays: 1 to the winner; the others share the loss."""
    if player >= s.settings.players:
        return 0.0
    return 1.0 if has_won(s, player) else -1.0 / (s.settings.players - 1)


@rule
def worth(s: State, t: NoTables, kind: int, player: int) -> float:
    """Return the worth of a position: nothing is paid on the way."""
    return 0.0


@rule
def blank(s: State, t: NoTables, player: int) -> None:
    """Erase what the player can't see: the dice to come."""
    clear_generator(s.stream)


@rule
def redeal(s: State, t: NoTables, player: int, seed: int) -> None:
    """Deal again what the player can't see."""
    seed_stream(s.stream, 0, seed)


PARTS: Final = (
    Part("players", PLAYERS, "players by seat, the observer first", (Column("score", "its score", 2 * MOST),)),
    Part("turn", 1, "the turn", (Column("sum", "what it has brought", MOST), Column("goal", "the goal", MOST))),
)


@rule
def write(s: State, t: NoTables, player: int, row: Shorts) -> None:
    """Write what the player sees, in the order of `PARTS`."""
    for seat in range(s.settings.players):
        row[seat] = s.scores[player_after(player, seat, s.settings.players)]
    row[PLAYERS] = s.turn_sum
    row[PLAYERS + 1] = s.settings.goal


ENGINE: Final = engine_of(State, NoTables, Rules(top, legal, do, go, Phase.PASS_ON, ACTIONS.size))
RULES: Final = GameRules(deal, blank, redeal, write, rank, score, end, worth, PLAYERS)
ENTRIES: Final = entries_of(__file__, State, NoTables, ENGINE, RULES)

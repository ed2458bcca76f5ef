"""Hides what a player can't see: the dice of others before the move phase, their rerolls, and all chance."""

from fuji_env.content.model import DICE
from fuji_env.rules.base.chance import forget_loaded, seed_streams
from fuji_env.rules.base.frames import after, owner, top
from fuji_env.rules.base.names import STREAMS, Stream
from fuji_env.rules.base.phases import Phase
from fuji_env.rules.base.state import State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.dice import dice_in, is_own, seen_die
from fuji_env.rules.reroll import allowance
from fujikoro_env.kernel.jit import entry, rule
from fujikoro_env.kernel.records import Records
from fujikoro_env.kernel.streams import below_number, clear_generator

NUMBERS = 6
PHASE_AT = 1  # frame of the phase; the round lies under it


@rule
def blank_dice(s: State, player: int) -> None:
    """Leave of the dice only what the player sees."""
    for dice_set in range(s.settings.sets):
        if not is_own(s, player, dice_set):
            for die in range(DICE):
                seen = seen_die(s, player, dice_set, die)
                if s.before[dice_set, die] != 0:
                    s.before[dice_set, die] = seen
                s.dice[dice_set, die] = seen


@rule
def is_rerolling(s: State) -> bool:
    """Whether it is phase 3."""
    return s.depth > PHASE_AT and s.stack[PHASE_AT].phase == Phase.REROLLING


@rule
def turns_of_rerolls(s: State) -> int:
    """Return how many figures have begun their rerolls."""
    return s.stack[PHASE_AT].left if is_rerolling(s) else 0


@rule
def blank_others(s: State, t: Tables, player: int) -> None:
    """Leave nothing of what others know and of the rerolls they made. The rerolls that another player is making show as
    if it had made none yet."""
    begun = turns_of_rerolls(s)
    for other in range(s.settings.players):
        if other != player:
            for dice_set in range(s.settings.sets):
                s.known[other, dice_set] = 0
    for k in range(begun):
        figure = after(s.lead, k, s.settings.figures)
        me = s.figures[figure]
        if owner(s, figure) != player:
            me.rerolled = 0
            is_asked = k == begun - 1 and top(s).phase == Phase.REROLL
            me.rerolls = allowance(s, t, figure) if is_asked else 0


@entry
def blank_hidden(games: Records[State], tables: Records[Tables], index: int, player: int) -> None:
    """Erase everything that the player can't see."""
    s = games[index]
    forget_loaded(s)
    for stream in range(STREAMS):
        clear_generator(s.streams[stream])
    blank_dice(s, player)
    blank_others(s, tables[0], player)


@rule
def deal_hidden_of(s: State, t: Tables, player: int, seed: int) -> None:
    """Roll all dice that the player can't see; the result reveals nothing of what they showed."""
    forget_loaded(s)
    seed_streams(s, seed)
    blank_dice(s, player)
    blank_others(s, t, player)
    for dice_set in range(s.settings.sets):
        if s.screens != 0 and not is_own(s, player, dice_set):
            for die in range(dice_in(s, dice_set)):
                if s.dice[dice_set, die] == 0:
                    s.dice[dice_set, die] = below_number(s.streams[Stream.DICE], NUMBERS) + 1
                if is_rerolling(s):
                    s.before[dice_set, die] = s.dice[dice_set, die]


@entry
def deal_hidden(games: Records[State], tables: Records[Tables], index: int, player: int, seed: int) -> None:
    """Apply `deal_hidden_of` to one game of a batch."""
    deal_hidden_of(games[index], tables[0], player, seed)

"""Information hidden from a player: future chance, and tiles that only other players have seen."""

from fujikoro_env.kernel.jit import entry, rule
from fujikoro_env.kernel.masks import has
from fujikoro_env.kernel.records import Records
from fujikoro_env.kernel.streams import clear_generator, draw_from
from fujikoro_env.rules.base.chance import forget_loaded, seed_streams
from fujikoro_env.rules.base.names import STREAMS, Stream
from fujikoro_env.rules.base.state import State

LEVELS = 3


@rule
def is_hidden_top(s: State, player: int, level: int) -> bool:
    """Whether another player, but not this one, has seen the top tile of the stack."""
    return s.top_seen[level] != 0 and not has(s.top_seen[level], player)


@entry
def blank_hidden(games: Records[State], index: int, player: int) -> None:
    """Erase everything that the player can't see. The fact that others looked at a stack is public; what they saw is
    not."""
    s = games[index]
    forget_loaded(s)
    for stream in range(STREAMS):
        clear_generator(s.streams[stream])
    for level in range(LEVELS):
        if is_hidden_top(s, player, level):
            s.top[level] = 0


@rule
def deal_hidden_of(s: State, player: int, seed: int) -> None:
    """Deal everything that the player can't see again at random; the result reveals nothing of what was there
    before."""
    forget_loaded(s)
    seed_streams(s, seed)
    for level in range(LEVELS):
        if is_hidden_top(s, player, level):
            s.top[level] = draw_from(s.streams[Stream.TILES1 + level], s.tiles_left[level]) + 1


@entry
def deal_hidden(games: Records[State], index: int, player: int, seed: int) -> None:
    """Apply `deal_hidden_of` to one game of a batch."""
    deal_hidden_of(games[index], player, seed)

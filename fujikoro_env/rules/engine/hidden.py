"""What a player can't see: the luck to come, and tiles that only others have looked at."""

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
    """Somebody has looked at the top tile of the stack, but not this player."""
    return s.top_seen[level] != 0 and not has(s.top_seen[level], player)


@entry
def blank_hidden(games: Records[State], index: int, player: int) -> None:
    """Leave what the player can see. That others looked at a stack is public, what they saw is not."""
    s = games[index]
    forget_loaded(s)
    for stream in range(STREAMS):
        clear_generator(s.streams[stream])
    for level in range(LEVELS):
        if is_hidden_top(s, player, level):
            s.top[level] = 0


@rule
def deal_hidden_of(s: State, player: int, seed: int) -> None:
    """Deal anew all that the player can't see; nothing of what was there shows in the result."""
    forget_loaded(s)
    seed_streams(s, seed)
    for level in range(LEVELS):
        if is_hidden_top(s, player, level):
            s.top[level] = draw_from(s.streams[Stream.TILES1 + level], s.tiles_left[level]) + 1


@entry
def deal_hidden(games: Records[State], index: int, player: int, seed: int) -> None:
    deal_hidden_of(games[index], player, seed)

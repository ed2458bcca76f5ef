"""The stacks of tiles. They are sets, and a draw picks from what is left; so nothing hidden lies about.

COOP-4, COOP-5: in co-op the stacks of levels II and III hide one special tile each, the secret exit and the legendary
dragon, in a pile of 4 with tiles under and above it, and one of the other tiles is not in the game at all. No order is
kept: how many tiles have been drawn tells whether the next one lies above, in or under the pile. Which tile is out of
the game shows when the stack is empty: the one that is left.
"""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import bit, count_bits, nth_bit
from fujikoro_env.kernel.streams import below_number
from fujikoro_env.rules.base.chance import draw
from fujikoro_env.rules.base.names import Deck, Mode, Stream
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables

PILE = 4
TILES_UNDER_PILE = (0, 4, 4, 2, 2, 0, 0)  # by the number of players (COOP-5)


@rule
def has_pile(s: State, t: Tables, level: int) -> bool:
    return s.settings.mode == Mode.COOP and t.special_tiles[level] != 0


@rule
def stack_size(s: State, t: Tables, level: int) -> int:
    """COOP-4: all tiles of the level, but for one where there is a pile."""
    return t.tile_count[level] - 1 if has_pile(s, t, level) else t.tile_count[level] + 0


@rule
def tiles_above_pile(s: State, t: Tables, level: int) -> int:
    return stack_size(s, t, level) - PILE - TILES_UNDER_PILE[s.settings.players]


@rule
def top_tile(s: State, t: Tables, level: int) -> int:
    """What lies on top of a stack of level 0 to 2: made up now, unless somebody has looked. It stays there."""
    if s.top[level] != 0:
        return s.top[level] - 1
    if has_pile(s, t, level) and s.tiles_left[level] & t.special_tiles[level] != 0:
        return top_tile_with_pile(s, t, level)
    return draw(s, Deck.TILES1 + level, Stream.TILES1 + level, s.tiles_left[level])


@rule
def top_tile_with_pile(s: State, t: Tables, level: int) -> int:
    """COOP-5: the special tile is still in the stack; it lies at each place of the pile with the same chance."""
    deck, stream = Deck.TILES1 + level, Stream.TILES1 + level
    special = s.tiles_left[level] & t.special_tiles[level]
    others = s.tiles_left[level] & ~special
    drawn = t.tile_count[level] - count_bits(s.tiles_left[level])
    left_of_pile = PILE + tiles_above_pile(s, t, level) - drawn
    if left_of_pile > PILE:
        return draw(s, deck, stream, others)
    if left_of_pile <= 1:
        return draw(s, deck, stream, special)
    if s.loaded_draws[deck, 0] != 0:
        return draw(s, deck, stream, special | others)
    if below_number(s.streams[stream], left_of_pile) == 0:
        return nth_bit(special, 0)
    return draw(s, deck, stream, others)


@rule
def take_top_tile(s: State, t: Tables, level: int) -> int:
    """Draw it. The last tile of a stack shows which one was out of the game."""
    tile = top_tile(s, t, level)
    s.top[level] = 0
    s.top_seen[level] = 0
    s.tiles_left[level] &= ~bit(tile)
    if has_pile(s, t, level) and t.tile_count[level] - count_bits(s.tiles_left[level]) == stack_size(s, t, level):
        s.tiles_gone[level] = s.tiles_left[level]
        s.tiles_left[level] = 0
    return tile


@rule
def look_at_stack(s: State, t: Tables, p: int, level: int) -> None:
    """GEAR-5: what was seen is private; in co-op, and by option, all see it."""
    s.top[level] = top_tile(s, t, level) + 1
    all_see = s.settings.mode == Mode.COOP or s.settings.share_peeks != 0
    s.top_seen[level] |= bit(s.settings.players) - 1 if all_see else bit(p)

"""The stacks of tiles. They are sets, and a draw picks one of the tiles left, so the state holds no hidden order.

In co-op the stacks of levels II and III each hide a special tile, the secret exit or the legendary dragon, in a pile of
4 with other tiles below and above it, and one of the other tiles is out of the game (COOP-4, COOP-5). No order is
stored: the number of tiles drawn tells whether the next one is above, in or below the pile. The tile that is out of the
game becomes known when the stack is empty: it is the one left over.
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
    """Whether the stack of a level hides a special tile in a pile."""
    return s.settings.mode == Mode.COOP and t.special_tiles[level] != 0


@rule
def stack_size(s: State, t: Tables, level: int) -> int:
    """Return the number of tiles in a full stack: all tiles of the level, or one less if there is a pile (COOP-4)."""
    return t.tile_count[level] - 1 if has_pile(s, t, level) else t.tile_count[level] + 0


@rule
def tiles_above_pile(s: State, t: Tables, level: int) -> int:
    """Return the number of tiles above the pile in a full stack."""
    return stack_size(s, t, level) - PILE - TILES_UNDER_PILE[s.settings.players]


@rule
def top_tile(s: State, t: Tables, level: int) -> int:
    """Return the top tile of the stack of a level, 0 to 2, without removing it. It is drawn now unless a player has
    seen it."""
    if s.top[level] != 0:
        return s.top[level] - 1
    if has_pile(s, t, level) and s.tiles_left[level] & t.special_tiles[level] != 0:
        return top_tile_with_pile(s, t, level)
    return draw(s, Deck.TILES1 + level, Stream.TILES1 + level, s.tiles_left[level])


@rule
def top_tile_with_pile(s: State, t: Tables, level: int) -> int:
    """Draw the top tile while the special tile is still in the stack, at any position of the pile with equal chance
    (COOP-5)."""
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
    """Draw the top tile. The last draw of a stack reveals which tile was out of the game."""
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
    """Show a player the top tile. It stays private, except in co-op or by option, where all players see it (GEAR-5)."""
    s.top[level] = top_tile(s, t, level) + 1
    all_see = s.settings.mode == Mode.COOP or s.settings.share_peeks != 0
    s.top_seen[level] |= bit(s.settings.players) - 1 if all_see else bit(p)

"""Chance: each source of randomness has its own stream, and tests can fix the results of dice and draws ("load"
them)."""

from fujikoro_env.content.model import DIE_FACES
from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import bit, has, nth_bit
from fujikoro_env.kernel.streams import below_number, draw_from, is_unused, seed_stream
from fujikoro_env.rules.base.names import DECKS, STREAMS, Fault, Stream
from fujikoro_env.rules.base.state import LOADED_DICE, LOADED_DRAWS, State


@rule
def seed_streams(s: State, seed: int) -> None:
    """Seed the random streams of a game."""
    for stream in range(STREAMS):
        seed_stream(s.streams[stream], stream, seed)


@rule
def has_drawn(s: State) -> bool:
    """Whether any stream has been used since all were seeded."""
    for stream in range(STREAMS):
        if not is_unused(s.streams[stream]):
            return True
    return False


@rule
def loaded_draw(s: State, deck: int) -> int:
    """Return the next loaded draw + 1 and use it up; 0 if none is loaded."""
    first = s.loaded_draws[deck, 0]
    if first != 0:
        for k in range(LOADED_DRAWS - 1):
            s.loaded_draws[deck, k] = s.loaded_draws[deck, k + 1]
        s.loaded_draws[deck, LOADED_DRAWS - 1] = 0
    return first


@rule
def draw(s: State, deck: int, stream: int, members: int) -> int:
    """Draw a member of a deck. A deck is a set without an order, so the state holds no hidden order that could leak."""
    loaded = loaded_draw(s, deck)
    if loaded == 0:
        return draw_from(s.streams[stream], members)
    if not has(members, loaded - 1):
        s.fault = Fault.LOADED_DRAW
        return nth_bit(members, 0)
    return loaded - 1


@rule
def roll_face(s: State, kind: int) -> int:
    """Roll a die of this kind and return the index of its face."""
    loaded = s.loaded_dice[0]
    if loaded == 0:
        return below_number(s.streams[Stream.DICE], DIE_FACES)
    for k in range(LOADED_DICE - 1):
        s.loaded_dice[k] = s.loaded_dice[k + 1]
    s.loaded_dice[LOADED_DICE - 1] = 0
    face = (loaded - 1) % 8
    if loaded // 8 != kind or face >= DIE_FACES:
        s.fault = Fault.LOADED_DIE
        return 0
    return face


@rule
def forget_loaded(s: State) -> None:
    """Drop all loaded dice and draws."""
    for k in range(LOADED_DICE):
        s.loaded_dice[k] = 0
    for deck in range(DECKS):
        for k in range(LOADED_DRAWS):
            s.loaded_draws[deck, k] = 0


@rule
def set_of_first(n: int) -> int:
    """Return the set of the numbers 0 to n - 1."""
    return bit(n) - 1

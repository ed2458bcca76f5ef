"""Reading the streams of luck, and loaded dice and draws."""

from fujikoro_env.game import SEED_BITS
from fujikoro_env.position.kinds import codes_of, number, series
from fujikoro_env.position.reading.draft import Draft
from fujikoro_env.position.words import HEX_WORDS
from fujikoro_env.rules.base.names import Deck, Stream
from fujikoro_env.rules.base.state import LOADED_DICE, LOADED_DRAWS
from fujikoro_env.rules.engine.hidden import deal_hidden


def read_streams(draft: Draft) -> None:
    seed = draft.top.get("seed", number(0, (1 << SEED_BITS) - 1))
    deal_hidden(draft.games, 0, 0, seed)  # nothing is dealt yet, so this seeds the streams and does no more
    part, streams = draft.top.part("streams"), codes_of(Stream)
    part.only(*streams)
    for name, code in streams.items():
        if name in part.fields:
            draft.s.streams[code].words[:] = part.get(name, HEX_WORDS)


def read_loaded_luck(draft: Draft) -> None:
    s, names = draft.s, draft.names
    dice = draft.top.get("loaded_dice", series(names.die, LOADED_DICE))
    s.loaded_dice[: len(dice)] = dice
    part, decks = draft.top.part("loaded_draws"), codes_of(Deck)
    part.only(*decks)
    for deck, code in decks.items():
        drawn = part.get(deck, series(names.in_deck(deck), LOADED_DRAWS))
        s.loaded_draws[code, : len(drawn)] = drawn

"""Damages saved games: `FUJIKORO_CHECKED=1 python -m tests.helpers.damage 20000`.

Each input is a position of a random game with some bytes changed and the checksum recomputed. It must raise
`SavedGameError`, or be a game that plays to its end with random legal actions.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from fujikoro_env import ChanceError, Game, Rules, SavedGameError
from fujikoro_env.kernel.records import dtype_of
from fujikoro_env.kernel.saved_games import CHECKSUM_BYTES, SIZE_BYTES, checksum
from fujikoro_env.rules.base.state import Frame, State
from fujikoro_env.saved import FORMAT

RULES = (
    *(Rules(players=n) for n in range(2, 7)),
    Rules(players=3, characters="random"),
    Rules(players=6, characters="random", ask_forced=True),
    *(Rules(players=n, mode="coop") for n in (2, 4, 6)),
    Rules(players=3, mode="coop", characters="random"),
    Rules(mode="solo"),
    *(Rules(scenario=number) for number in range(1, 9)),
)
HEAD_AT = len(FORMAT.mark) + SIZE_BYTES
MOST_DECISIONS = 60_000
MOST_SECONDS = 60.0
AIMED = (
    "settings",
    "depth",
    "active",
    "first_player",
    "secret_exit",
    "path",
    "path_length",
    "countdown",
    "tile",
    "fight",
    "round_number",
)


def positions(rules: Rules, seed: int, most: int, every: int) -> Iterator[Game]:
    """Play a random game and yield it at every so many decisions."""
    game, chooser = Game(rules, seed), random.Random(seed)
    for decision in range(most):
        if game.over:
            return
        if decision % every == 0:
            yield game
        game.step(int(chooser.choice(game.legal_actions())))


def damaged(game: Game, chooser: random.Random) -> bytes:
    """The game as bytes, with a few changes and a checksum that matches."""
    return _other_head(game.to_bytes(), chooser) if chooser.random() < 0.05 else _other_record(game, chooser)


def _other_head(saved: bytes, chooser: random.Random) -> bytes:
    """Change the header, or the length that it claims to have."""
    changed = bytearray(saved[:-CHECKSUM_BYTES])
    if chooser.random() < 0.2:
        changed = changed.replace(b'"viewer": null', b'"viewer": 1   ')
    else:
        changed[chooser.randrange(HEAD_AT - 4, HEAD_AT + 150)] = chooser.randrange(256)
    return bytes(changed) + checksum(bytes(changed))


def _other_record(game: Game, chooser: random.Random) -> bytes:
    copy = game.clone()
    raw = copy.compiled.games.view(np.uint8)  # type: ignore[attr-defined]
    for _ in range(chooser.choice((1, 1, 1, 2, 4))):
        at = _aimed_at(game, chooser) if chooser.random() < 0.5 else chooser.randrange(len(raw))
        raw[at] = chooser.choice(
            (chooser.randrange(256), int(raw[at]) ^ 1 << chooser.randrange(8), chooser.randrange(8))
        )
    return copy.to_bytes()


def _aimed_at(game: Game, chooser: random.Random) -> int:
    """An offset in the frames in use, or in a field that is used as an index."""
    fields = dtype_of(State).fields
    assert fields is not None
    if chooser.random() < 0.6:
        frame = chooser.randrange(int(game.state.depth) + 1)
        return int(fields["stack"][1]) + frame * dtype_of(Frame).itemsize + chooser.randrange(24)
    name = chooser.choice(AIMED)
    return int(fields[name][1]) + chooser.randrange(fields[name][0].itemsize)


def play(game: Game, chooser: random.Random) -> str:
    """Play to the end. Loaded dice and draws may be none that fit, which `step` refuses."""
    began = time.process_time()
    for _ in range(MOST_DECISIONS):
        if game.over:
            return "played"
        try:
            game.step(int(chooser.choice(game.legal_actions())))
        except ChanceError:
            return "unfit luck"
        if time.process_time() - began > MOST_SECONDS:
            break
    raise AssertionError("the game does not end")


def read_file(saved: bytes) -> Game:
    """Read a damaged game as a file."""
    return Game.from_bytes(saved)


def read_pickle(saved: bytes) -> Game:
    """Read a damaged game as pickle does."""
    game = Game.__new__(Game)
    game.__setstate__(saved)
    return game


def result(read: Callable[[bytes], Game], saved: bytes, chooser: random.Random) -> str:
    """Read a damaged game and play it to its end."""
    try:
        game = read(saved)
    except SavedGameError as error:
        return _refused(error)
    return play(_dealt(game), chooser)


def _refused(error: SavedGameError) -> str:
    assert str(error).isprintable(), error
    assert len(str(error)) < 400, error
    return "refused"


def _dealt(game: Game) -> Game:
    """A view can't be played: what it hides is dealt first."""
    return game if game.viewer is None else game.determinize(game.viewer, 1)


def attack(inputs: int, seed: int = 1) -> Counter[str]:
    """Try damaged inputs and return how many there were of each result."""
    chooser, found, done = random.Random(seed), Counter[str](), 0
    while done < inputs:
        rules = chooser.choice(RULES)
        for game in positions(rules, chooser.randrange(10**6), 600, chooser.randrange(20, 60)):
            saved = damaged(game, chooser)
            read = (read_file, read_pickle)[done % 2]
            found[result(read, saved, chooser)] += 1
            done += 1
            if done == inputs:
                break
    return found


if __name__ == "__main__":
    print(f"{sys.argv[1]} inputs: {dict(sorted(attack(*map(int, sys.argv[1:])).items()))}")

"""Records a game while it is played."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from fujikoro_env.game import Game
from fujikoro_env.position import position_of
from fujikoro_env.record.chance import deal_of, draws_in, rolls_in, was_asked
from fujikoro_env.record.form import Recording, Start, Step


class Recorder:
    """Steps a game and records it: call `recorder.step(action)` in place of `game.step(action)`.

    `names` are the players' names by seat. `seed` is the seed with which the game has just been dealt; without it the
    recording begins with the whole position, including hidden information.
    """

    def __init__(self, game: Game, names: Sequence[str], seed: int | None = None) -> None:
        if len(names) != game.rules.players:
            raise ValueError(f"{len(names)} names in a game of {game.rules.players}: give one for each seat")
        if game.viewer is not None:
            raise ValueError(f"this is player {game.viewer}'s view, not a game: record the game itself")
        self.game, self._names = game, tuple(names)
        self._start = start_of(game, seed)
        self._steps: list[Step] = []
        self._digest = self._start.digest

    def step(self, action: int) -> None:
        """Carry out an action, as `Game.step` does, and record it. An illegal action raises and is not recorded."""
        before = self.game.clone()
        if before.digest() != self._digest:
            raise ValueError("the game was changed outside its recorder: step it only with `recorder.step`")
        self.game.step(action)
        self._steps.append(step_of(before, action, self.game))
        self._digest = self._steps[-1].digest

    def recording(self) -> Recording:
        """The recording of the game so far."""
        game = self.game
        return Recording(engine_digest(), game.rules, self._names, self._start, tuple(self._steps), game.outcome)


def start_of(game: Game, seed: int | None) -> Start:
    """The start of a recording: the seed and the deal, or the position if there is no seed."""
    digest = game.digest()
    if seed is None:
        return Start(digest, position=position_of(game))
    if Game(game.rules, seed).digest() != digest:
        raise ValueError(f"seed={seed} does not deal this game as it stands: leave it out to begin with the position")
    return Start(digest, int(seed), deal_of(game))


def step_of(before: Game, action: int, after: Game) -> Step:
    """The step of a recording between two positions."""
    has_chance = was_asked(before, after)
    return Step(
        player=before.actor,
        asked=before.phase.name,
        action=int(action),
        name=before.action_name(action),
        digest=after.digest(),
        rolls=rolls_in(before, action, after) if has_chance else [],
        draws=draws_in(before, after) if has_chance else {},
    )


@cache
def engine_digest() -> str:
    """Hash of the rules' source. Games under equal digests are equal; under different ones they may differ."""
    package = resources.files("fujikoro_env")
    files = [package / "scenarios.py", package / "settings.py"]
    files += [file for name in ("kernel", "rules") for file in _sources(package / name)]
    texts = sorted(file.name + file.read_text(encoding="utf-8") for file in files)
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def _sources(folder: Traversable) -> Iterator[Traversable]:
    """All Python files of a folder and its subfolders."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _sources(each)
        elif each.name.endswith(".py"):
            yield each

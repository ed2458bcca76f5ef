"""Records a game while it is played."""

from collections.abc import Sequence
from typing import Any, ClassVar

from fujikoro_env.kernel.record.form import Recording, Start, Step
from fujikoro_env.kernel.record.game import RecordedGame


class Recorder:
    """Steps a game and records it: call `recorder.step(action)` in place of `game.step(action)`.

    `names` are the players' names by seat. `seed` is the seed with which the game has just been dealt; without it the
    recording begins with the whole position, including hidden information.
    """

    recordings: ClassVar[type[Recording]]

    def __init__(self, game: Any, names: Sequence[str], seed: int | None = None) -> None:
        if len(names) != game.rules.players:
            raise ValueError(f"{len(names)} names in a game of {game.rules.players}: give one for each seat")
        if game.viewer is not None:
            raise ValueError(f"this is player {game.viewer}'s view, not a game: record the game itself")
        self.game, self._names = game, tuple(names)
        self._told = self.recordings.game
        self._start = start_of(self._told, game, seed)
        self._steps: list[Step] = []
        self._digest = self._start.digest

    def step(self, action: int) -> None:
        """Carry out an action, as `Game.step` does, and record it. An illegal action raises and is not recorded."""
        before = self.game.clone()
        if before.digest() != self._digest:
            raise ValueError("the game was changed outside its recorder: step it only with `recorder.step`")
        self.game.step(action)
        self._steps.append(step_of(self._told, before, action, self.game))
        self._digest = self._steps[-1].digest

    def recording(self) -> Recording:
        """The recording of the game so far."""
        game, engine = self.game, self._told.engine_digest
        return self.recordings(engine, game.rules, self._names, self._start, tuple(self._steps), game.outcome)


def start_of(told: RecordedGame, game: Any, seed: int | None) -> Start:
    """The start of a recording: the seed and the deal, or the position if there is no seed."""
    digest = game.digest()
    if seed is None:
        return Start(digest, position=told.position_of(game))
    if told.game_class(game.rules, seed).digest() != digest:
        raise ValueError(f"seed={seed} does not deal this game as it stands: leave it out to begin with the position")
    return Start(digest, int(seed), told.deal_of(game))


def step_of(told: RecordedGame, before: Any, action: int, after: Any) -> Step:
    """The step of a recording between two positions."""
    rolls, draws = told.chance_in(before, action, after)
    return Step(
        player=before.actor,
        asked=before.phase.name,
        action=int(action),
        name=before.action_name(action),
        digest=after.digest(),
        rolls=rolls,
        draws=draws,
    )

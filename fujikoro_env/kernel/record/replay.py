"""Plays a recorded game again and checks that it is the same."""

from collections.abc import Iterator
from reprlib import Repr
from typing import Any, Final

from fujikoro_env.kernel.game import ChanceError, IllegalActionError
from fujikoro_env.kernel.position.errors import PositionError
from fujikoro_env.kernel.record.errors import RecordError
from fujikoro_env.kernel.record.form import Recording, Step
from fujikoro_env.kernel.record.history import History
from fujikoro_env.kernel.record.recorder import step_of

CHANCE: Final = ("rolls", "draws")
_SHORT: Final = Repr()
_SHORT.maxstring, _SHORT.maxlist, _SHORT.maxtuple = 100, 20, 20


class Replay:
    """Plays a recording through and raises `RecordError` if the game differs from it anywhere. After that, any position
    can be read: position 0 is the start, position k the game after k steps."""

    def __init__(self, recording: Recording) -> None:
        self.recording: Any = recording
        self._told = recording.game
        self._rounds: list[int] = []
        self.history = self._play_through()

    @property
    def last(self) -> int:
        """The last position, which is the number of steps."""
        return len(self.recording.steps)

    def game_at(self, position: int) -> Any:
        """A copy of the game after this many steps, which can be played on."""
        return self.history.game_at(position)

    def round_at(self, position: int) -> int:
        """Number of the round in a position."""
        return self._rounds[position]

    def start_of_round(self, number: int) -> int | None:
        """The first position of a round; None if the recording has none."""
        return self._rounds.index(number) if number in self._rounds else None

    # playing through

    def _play_through(self) -> History:
        game = self._begun()
        history = History(game)
        self._rounds.append(self._told.round_of(game))
        for number, step in enumerate(self.recording.steps, 1):
            self._check_step(game, number, step)
            history.append(step.action, game)
            self._rounds.append(self._told.round_of(game))
        self._check_outcome(game.outcome)
        return history

    def _begun(self) -> Any:
        start = self.recording.start
        if start.position is not None:
            game = self._from_position(start.position)
        else:
            assert start.seed is not None
            game = self._told.game_class(self.recording.rules, start.seed)
            self._compare_deal(self._told.deal_of(game), start.dealt)
        self._compare("start: the digest of the game is", game.digest(), start.digest)
        return game

    def _compare_deal(self, found: dict[str, Any], said: dict[str, Any]) -> None:
        for what in {**found, **said}:
            self._compare(f"start: chance dealt the {_told(what)}", found.get(what, []), said.get(what, []))

    def _from_position(self, position: dict[str, Any]) -> Any:
        rules = self.recording.rules
        try:
            game = self._told.read_position(position, rules)
        except (PositionError, RecursionError) as error:
            raise RecordError(f"start.position: {error}") from None
        if game.viewer is not None:
            raise RecordError(f"start.position: this is player {game.viewer}'s view, not a game")
        if self._told.rules_as_data(game.rules) != self._told.rules_as_data(rules):
            raise RecordError("start.position: its rules are not those of the recording")
        return game

    def _check_step(self, game: Any, number: int, step: Step) -> None:
        where = f"step {number}"
        if game.over:
            raise RecordError(f"{where}: the game was over before{self._why()}")
        self._compare(f"{where}: the player who is asked is", game.actor, step.player)
        self._compare(f"{where}: the question is", game.phase.name, step.asked)
        self._compare(f"{where}: the name of action {step.action} is", game.action_name(step.action), step.name)
        before = game.clone()
        try:
            game.step(step.action)
        except IllegalActionError as error:
            others = f"{len(error.legal)} other actions are"
            raise RecordError(f"{where}: {error.name} is not legal in {error.phase}, {others}{self._why()}") from None
        except (ChanceError, RuntimeError) as error:
            raise RecordError(f"{where}: {error}{self._why()}") from None
        found = step_of(self._told, before, step.action, game)
        for what in CHANCE:
            self._compare(f"{where}: chance gave the {what}", getattr(found, what), getattr(step, what))
        self._compare(f"{where}: the digest of the game is", found.digest, step.digest)

    def _check_outcome(self, found: Any) -> None:
        said = self.recording.outcome
        self._compare(f"outcome: after step {self.last} the game is", _over_or_not(found), _over_or_not(said))
        if found and said:
            here, there = (dict(_parts_of(self._told.outcome_as_data(each), "outcome")) for each in (found, said))
            for where in {**here, **there}:  # a missing counter is 0
                self._compare(f"{where}: it is", here.get(where, 0), there.get(where, 0))

    def _compare(self, what: str, found: Any, said: Any) -> None:
        if found != said:
            raise RecordError(f"{what} {_told(found)}, not {_told(said)} as the file says{self._why()}")

    def _why(self) -> str:
        here = self._told.engine_digest
        if self.recording.engine == here:
            return ": the file was altered"
        return f": recorded with other rules ({_told(self.recording.engine)}, here {here}), or altered"


def _over_or_not(outcome: Any) -> str:
    return "over" if outcome else "going on"


def _parts_of(value: Any, where: str) -> Iterator[tuple[str, Any]]:
    """All leaves of nested objects and lists, with their paths."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _parts_of(inner, f"{where}.{key}")
    elif isinstance(value, list):
        for k, inner in enumerate(value):
            yield from _parts_of(inner, f"{where}[{k}]")
    else:
        yield where, value


def _told(value: Any) -> str:
    """Text for a message, shortened only if it is longer than anything a game produces."""
    if isinstance(value, str):
        return _SHORT.repr(value)[1:-1]
    return _SHORT.repr(value) if value not in ([], {}) else "none"

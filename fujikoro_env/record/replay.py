"""Playing a recorded game again, and seeing whether it is the same."""

import json
from typing import Any, Final

from fujikoro_env.game import ChanceError, Game, IllegalActionError, Outcome
from fujikoro_env.position import PositionError
from fujikoro_env.position.kinds import short
from fujikoro_env.position.writing import rules_of
from fujikoro_env.record.chance import deal_of
from fujikoro_env.record.faults import RecordError
from fujikoro_env.record.form import Recording, Step
from fujikoro_env.record.recorder import engine_digest, step_of

KEPT_EVERY: Final = 20  # steps: from the next game that is kept it is never far
CHANCE: Final = ("rolls", "draws")


class Replay:
    """A recording that was played through and is what it says; else making it raises `RecordError`. Its positions are
    counted by the steps done: 0 is the start."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._kept: list[Game] = []
        self._rounds: list[int] = []
        self._play_through()

    @property
    def last(self) -> int:
        return len(self.recording.steps)

    def game_at(self, position: int) -> Game:
        """The game after so many steps; whoever asked may go on with it."""
        if not 0 <= position <= self.last:
            raise IndexError(f"position {position}: there are 0 to {self.last}")
        near = position // KEPT_EVERY
        game = self._kept[near].clone()
        for step in self.recording.steps[near * KEPT_EVERY : position]:
            game.step(step.action)
        return game

    def round_at(self, position: int) -> int:
        return self._rounds[position]

    def start_of_round(self, number: int) -> int | None:
        """The first position of a round; None if the recording has none."""
        return self._rounds.index(number) if number in self._rounds else None

    # playing through

    def _play_through(self) -> None:
        game = self._begun()
        self._keep(game, 0)
        for number, step in enumerate(self.recording.steps, 1):
            self._check_step(game, number, step)
            self._keep(game, number)
        self._check_outcome(game.outcome)

    def _keep(self, game: Game, position: int) -> None:
        self._rounds.append(int(game.state.round_number))
        if position % KEPT_EVERY == 0:
            self._kept.append(game.clone())

    def _begun(self) -> Game:
        start = self.recording.start
        if start.position is not None:
            game = self._from_position(start.position)
        else:
            assert start.seed is not None
            game = Game(self.recording.rules, start.seed)
            self._compare("start: chance dealt", deal_of(game), start.dealt)
        self._compare("start: the digest of the game is", game.digest(), start.digest)
        return game

    def _from_position(self, position: dict[str, Any]) -> Game:
        rules = self.recording.rules
        try:
            game = Game.from_json(json.dumps(position), str(rules.content))
        except PositionError as error:
            raise RecordError(f"start.position: {error}") from None
        if game._viewer is not None:
            raise RecordError(f"start.position: this is what player {game._viewer} sees, not a game")
        if rules_of(game.rules) != rules_of(rules):
            raise RecordError("start.position: its rules are not those of the recording")
        return game

    def _check_step(self, game: Game, number: int, step: Step) -> None:
        where = f"step {number}"
        if game.over:
            raise RecordError(f"{where}: the game was over before{self._why()}")
        self._compare(f"{where}: who is asked is player", game.actor, step.player)
        self._compare(f"{where}: what is asked is", game.phase.name, step.asked)
        self._compare(f"{where}: the name of action {step.action} is", game.action_name(step.action), step.name)
        before = game.clone()
        try:
            game.step(step.action)
        except IllegalActionError as error:
            others = f"{len(error.legal)} other actions are"
            raise RecordError(f"{where}: {error.name} is not legal in {error.phase}, {others}{self._why()}") from None
        except (ChanceError, RuntimeError) as error:
            raise RecordError(f"{where}: {error}{self._why()}") from None
        found = step_of(before, step.action, game)
        for what in CHANCE:
            self._compare(f"{where}: chance gave the {what}", getattr(found, what), getattr(step, what))
        self._compare(f"{where}: the digest of the game is", found.digest, step.digest)

    def _check_outcome(self, found: Outcome | None) -> None:
        self._compare(f"outcome: after the last step, {self.last}, it is", found, self.recording.outcome)

    def _compare(self, what: str, found: Any, said: Any) -> None:
        if found != said:
            raise RecordError(f"{what} {_told(found)}, not {_told(said)} as the file says{self._why()}")

    def _why(self) -> str:
        here = engine_digest()
        if self.recording.engine == here:
            return ": the file was altered"
        return f": recorded with other rules of the game ({short(self.recording.engine)}, here {here}), or altered"


def _told(value: Any) -> str:
    return str(value) if isinstance(value, int) else short(value) if value not in ([], {}, None) else "none"

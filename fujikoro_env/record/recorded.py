"""What sessions, events and recordings need of this game."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from fujikoro_env.game import Game, Outcome
from fujikoro_env.kernel import record as kernel
from fujikoro_env.kernel.position.errors import Faults
from fujikoro_env.kernel.position.objects import JsonObject
from fujikoro_env.kernel.record.events import Draws
from fujikoro_env.kernel.record.game import Looks, Passage, RecordedGame
from fujikoro_env.position import position_of
from fujikoro_env.position.reading import read_rules
from fujikoro_env.position.writing import rules_of
from fujikoro_env.record.chance import deal_of, draws_in, rolls_in, was_asked
from fujikoro_env.record.outcomes import outcome_as_data, read_outcome
from fujikoro_env.render.look import TableLook, look
from fujikoro_env.render.news import news
from fujikoro_env.render.rolls import rolls
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.settings import Rules


class Recorded(RecordedGame):
    """Fuji Koro, for sessions, events and recordings."""

    name = "fujikoro"
    package = "fujikoro_env"
    sources = ("scenarios.py", "settings.py", "rules")
    version = 2
    game_class = Game
    actions = ACTIONS

    def rules_as_data(self, rules: Rules) -> dict[str, Any]:
        return rules_of(rules)

    def read_rules(self, value: Any, content: str | Path | None) -> Rules:
        return read_rules(JsonObject({"rules": value}, "", Faults()), content)

    def position_of(self, game: Game) -> dict[str, Any]:
        return position_of(game)

    def read_position(self, position: dict[str, Any], rules: Rules) -> Game:
        return Game.from_json(json.dumps(position), rules.pack.origin.content)

    def outcome_as_data(self, outcome: Outcome) -> dict[str, Any]:
        return outcome_as_data(outcome)

    def read_outcome(self, value: Any) -> Outcome:
        return read_outcome(value)

    def deal_of(self, game: Game) -> dict[str, Any]:
        return deal_of(game)

    def chance_in(self, before: Game, action: int, after: Game) -> tuple[list[dict[str, Any]], Draws]:
        return (rolls_in(before, action, after), draws_in(before, after)) if was_asked(before, after) else ([], {})

    def chance_seen(self, passage: Passage) -> tuple[list[dict[str, Any]], Draws]:
        """Dice are visible to everybody. Something may be drawn without chance: a tile that another player knew may be
        new to this one."""
        before, after = passage.before, passage.after
        rolled = rolls_in(before, passage.action, after) if was_asked(before, after) else []
        return rolled, draws_in(passage.old, passage.new)

    def look(self, game: Game) -> TableLook:
        return look(game)

    def news(self, passage: Passage, looks: Looks) -> Sequence[str]:
        told = rolls(passage.before, passage.action, passage.after)
        return [*told, *news(looks(passage.old), looks(passage.new))]

    def spectator_view(self, game: Game) -> Game:
        view = game.view(0)
        seen_by, everybody = np.asarray(view.state.top_seen), (1 << game.rules.players) - 1
        view.state.top[(seen_by != 0) & (seen_by != everybody)] = 0  # tiles that only some players have looked at
        return view


RECORDED: Final = Recorded()


class Recording(kernel.Recording):
    """A recorded game of Fuji Koro."""

    game: ClassVar[RecordedGame] = RECORDED
    rules: Rules
    outcome: Outcome | None


class Recorder(kernel.Recorder):
    """Steps a game and records it: call `recorder.step(action)` in place of `game.step(action)`.

    `names` are the players' names by seat. `seed` is the seed with which the game has just been dealt; without it the
    recording begins with the whole position, including hidden information.
    """

    recordings: ClassVar[type[kernel.Recording]] = Recording
    game: Game

    def recording(self) -> Recording:
        """The recording of the game so far."""
        recording = super().recording()
        assert isinstance(recording, Recording)
        return recording


def engine_digest() -> str:
    """Hash of the rules' source. Games under equal digests are equal; under different ones they may differ."""
    return RECORDED.engine_digest

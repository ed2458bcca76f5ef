"""Sessions and recordings of small games, whose rules are `SimpleRules`: positions are stored as saved games, and
results of chance are not listed, because the digests of a recording prove them.

    class Recording(record.Recording):
        game = SimpleRecorded("pig", "my_games.pig", ("rules.py",), Game, Rules)

    class Recorder(record.Recorder):
        recordings = Recording

    class Session(session.Session):
        recorders = Recorder
"""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from fujikoro_env.kernel.position.errors import PositionError
from fujikoro_env.kernel.position.kinds import short
from fujikoro_env.kernel.record.events import Draws
from fujikoro_env.kernel.record.game import Looks, Passage, RecordedGame
from fujikoro_env.kernel.record.reading import list_in, number_in, object_in
from fujikoro_env.kernel.saved_games import SavedGameError

MOST = 1 << 30


@dataclass(frozen=True)
class SimpleOutcome:
    """How a game ended.

    * `scores`: score of each player
    * `ranking`: rank of each player, 1 for the best; players who tie share a rank
    * `winners`: players with rank 1
    """

    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    winners: tuple[int, ...]

    @classmethod
    def of_scores(cls, scores: Sequence[int]) -> Self:
        """The outcome of a game in which the highest score wins."""
        ranking = tuple(1 + sum(other > score for other in scores) for score in scores)
        return cls(tuple(scores), ranking, tuple(player for player, rank in enumerate(ranking) if rank == 1))


class SimpleRecorded(RecordedGame):
    """What sessions, events and recordings need of a small game. Its `outcome` is a `SimpleOutcome`."""

    version = 1

    def __init__(
        self, name: str, package: str, sources: tuple[str, ...], game_class: type[Any], rules_class: type[Any]
    ) -> None:
        """`name`: of the game in the registry. `package`: the package as it is imported, `my_games.pig`. `sources`: its
        files and folders that hold the rules; recordings are marked with a digest of them."""
        self.name, self.package, self.sources = name, package, sources
        self.game_class, self._rules_class = game_class, rules_class
        self.actions = game_class.parts.actions.size

    def rules_as_data(self, rules: Any) -> dict[str, Any]:
        return asdict(rules)

    def read_rules(self, value: Any, content: str | Path | None) -> Any:
        if not isinstance(value, dict):
            raise PositionError([f"rules: {short(value)} is not an object"])
        try:
            return self._rules_class(**value)
        except (ValueError, TypeError) as error:
            raise PositionError([f"rules: {error}"]) from None

    def position_of(self, game: Any) -> dict[str, Any]:
        return {"saved": base64.b64encode(game.to_bytes()).decode()}

    def read_position(self, position: dict[str, Any], rules: Any) -> Any:
        try:
            return self.game_class.from_bytes(base64.b64decode(position.get("saved"), validate=True))  # type: ignore[arg-type]
        except (SavedGameError, TypeError, binascii.Error) as error:
            raise PositionError([f"saved: {error}"]) from None

    def outcome_as_data(self, outcome: SimpleOutcome) -> dict[str, Any]:
        return vars(outcome)

    def read_outcome(self, value: Any) -> SimpleOutcome:
        part = object_in(value, "outcome", ("scores", "ranking", "winners"))
        numbers = {
            key: tuple(number_in(n, f"outcome.{key}", MOST) for n in list_in(part[key], f"outcome.{key}"))
            for key in part
        }
        return SimpleOutcome(**numbers)

    def deal_of(self, game: Any) -> dict[str, Any]:
        return {}

    def chance_in(self, before: Any, action: int, after: Any) -> tuple[list[dict[str, Any]], Draws]:
        return [], {}

    def chance_seen(self, passage: Passage) -> tuple[list[dict[str, Any]], Draws]:
        return [], {}

    def news(self, passage: Passage, looks: Looks) -> Sequence[str]:
        return []

    def round_of(self, game: Any) -> int:
        """Small games need not count rounds."""
        return 1

    def spectator_view(self, game: Any) -> Any:
        """View of the player before the acting one. Games in which every player has secrets need a better one."""
        return game.view((game.actor - 1) % game.rules.players)

"""Pig for Python: its rules, games, batches, environments, sessions, and what it declares."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from fujikoro_env.kernel import record, rewards, session
from fujikoro_env.kernel.aec import EnvParts, TableEnv
from fujikoro_env.kernel.agents import AgentRegistry, RandomAgent
from fujikoro_env.kernel.batch import BatchParts, TableBatch
from fujikoro_env.kernel.declared import Setting, register_game
from fujikoro_env.kernel.game import Parts
from fujikoro_env.kernel.observing import NumberTable
from fujikoro_env.kernel.one_seat_env import OneSeatEnv
from fujikoro_env.kernel.record import RecordedGame
from fujikoro_env.kernel.record.simple import SimpleRecorded
from fujikoro_env.kernel.registration import Names, register
from fujikoro_env.kernel.rewards import Payments
from fujikoro_env.kernel.simple_game import (
    SimpleGame,
    batch_parts_of,
    declared_of,
    env_parts_of,
    game_parts_of,
    payments_of,
)
from fujikoro_env.kernel.simple_rules import Reward, SimpleRules
from fujikoro_env.kernel.texts import SimpleTexts
from tests.kernel.toy_game.rules import ACTIONS, ENTRIES, PARTS, QUESTIONS, Phase, Settings, State


@dataclass(frozen=True)
class Rules(SimpleRules):
    """The settings of a game."""

    goal: int = 30
    record: ClassVar[type[Any]] = Settings
    actions: ClassVar[int] = ACTIONS.size


SAVED: Final = Rules.saved_format(b"PIG", "toy_game", State)
OBSERVATIONS: Final = NumberTable(PARTS, ENTRIES.observe_games)


class Game(SimpleGame):
    """One game of Pig, always at a decision."""

    parts: ClassVar[Parts] = game_parts_of(ENTRIES, SAVED, ACTIONS, Phase, QUESTIONS)
    entries, observations = ENTRIES, OBSERVATIONS

    @property
    def scores(self) -> tuple[int, ...]:
        """Score of each player."""
        return tuple(self.state.scores[: self.rules.players].tolist())

    def __str__(self) -> str:
        return f"{self.scores}, goal {self.rules.goal}: {self.question} ({self.state.turn_sum} so far)"


class RewardTracker(rewards.RewardTracker):
    """Tracks the rewards of one running game."""

    payments: ClassVar[Payments] = payments_of(ENTRIES, at_the_end=(Reward.WIN,))


class BatchedGames(TableBatch):
    """Many games of Pig, stepped together."""

    batch_parts: ClassVar[BatchParts] = batch_parts_of(Game, RewardTracker)


class PigEnv(TableEnv):
    """The PettingZoo environment."""

    parts: ClassVar[EnvParts] = env_parts_of(Rules, BatchedGames, "roller")
    metadata = {"name": "pig_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012


AGENTS: Final = AgentRegistry("pig.agents")
AGENTS.register("random")(RandomAgent)


class PigOneSeat(OneSeatEnv):
    """The Gymnasium environment."""

    table: ClassVar[type[TableEnv]] = PigEnv
    agents: ClassVar[AgentRegistry] = AGENTS


register(Names("Pig-v0", f"{__name__}:PigOneSeat", None, "pig/pig_v0", f"{__name__}:PigEnv"))


class Recording(record.Recording):
    """A recorded game of Pig."""

    game: ClassVar[RecordedGame] = SimpleRecorded("pig", "tests.kernel.toy_game", ("rules.py",), Game, Rules)


class Recorder(record.Recorder):
    """Steps a game and records it."""

    recordings: ClassVar[type[record.Recording]] = Recording


class Session(session.Session):
    """One game of Pig and its players."""

    recorders: ClassVar[type[record.Recorder]] = Recorder


TEXTS: Final = SimpleTexts("pig", "Pig", ACTIONS)
GAME: Final = register_game(
    declared_of(
        "pig",
        "Pig",
        Rules,
        Game,
        settings=(Setting("players", "how many play", (2, 3, 4)), Setting("goal", "score that wins")),
        agents=AGENTS,
        batches=f"{__name__}:BatchedGames",
        sessions=f"{__name__}:Session",
        texts=f"{__name__}:TEXTS",
        observations=dict.fromkeys(("tensor", "compact"), f"{__name__}:OBSERVATIONS.space"),
    )
)

"""Pig for Python: its rules, games, batches, environments, sessions, and what it declares."""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final

from fujikoro_env.kernel import record, rewards, session
from fujikoro_env.kernel.aec import EnvParts, TableEnv
from fujikoro_env.kernel.agents import AgentRegistry, RandomAgent
from fujikoro_env.kernel.batch import BatchParts, TableBatch
from fujikoro_env.kernel.declared import DeclaredGame, Setting, register_game
from fujikoro_env.kernel.game import Parts, TableGame
from fujikoro_env.kernel.observing import NumberTable
from fujikoro_env.kernel.one_seat_env import OneSeatEnv
from fujikoro_env.kernel.record import RecordedGame
from fujikoro_env.kernel.record.simple import SimpleOutcome, SimpleRecorded
from fujikoro_env.kernel.registration import Names, register
from fujikoro_env.kernel.rewards import Payments
from fujikoro_env.kernel.settings import RulesError
from fujikoro_env.kernel.simple_rules import Reward, SimpleRules
from fujikoro_env.kernel.texts import SimpleTexts
from tests.kernel.toy_game.rules import ACTIONS, ENTRIES, PARTS, PLAYERS, QUESTIONS, Phase, Settings, State


@dataclass(frozen=True)
class Rules(SimpleRules):
    """The settings of a game."""

    goal: int = 30
    record: ClassVar[type[Any]] = Settings
    actions: ClassVar[int] = ACTIONS.size


SAVED: Final = Rules.saved_format(b"PIG", "toy_game", State)
OBSERVATIONS: Final = NumberTable(PARTS, ENTRIES.observe_games)
space = OBSERVATIONS.space


class Game(TableGame):
    """One game of Pig, always at a decision."""

    parts: ClassVar[Parts] = Parts(
        State,
        ACTIONS,
        Phase,
        QUESTIONS,
        ENTRIES.deal_game,
        ENTRIES.step_games,
        ENTRIES.blank_game,
        ENTRIES.redeal_game,
        SAVED,
    )

    @property
    def scores(self) -> tuple[int, ...]:
        """Score of each player."""
        return tuple(self.state.scores[: self.rules.players].tolist())

    @property
    def outcome(self) -> SimpleOutcome | None:
        """The result of the game; None while it is still running."""
        return SimpleOutcome.of_scores(self.scores) if self.over else None

    def observe(self, player: int, kind: str = "tensor") -> Any:
        """What a player sees."""
        return OBSERVATIONS.observe(self._games, self._tables, player, kind)

    def global_state(self) -> Any:
        """Everything, for centralised critics: nothing is hidden but the dice to come."""
        return self.observe(0, "compact")

    def __str__(self) -> str:
        return f"{self.scores}, goal {self.rules.goal}: {self.question} ({self.state.turn_sum} so far)"


class RewardTracker(rewards.RewardTracker):
    """Tracks the rewards of one running game."""

    payments: ClassVar[Payments] = Payments(
        PLAYERS, ENTRIES.appraise_games, ENTRIES.pay_games, (PLAYERS,), (Reward.WIN,)
    )


class BatchedGames(TableBatch):
    """Many games of Pig, stepped together."""

    batch_parts: ClassVar[BatchParts] = BatchParts(
        Game,
        RewardTracker,
        ENTRIES.deal_games,
        ENTRIES.see_games,
        ENTRIES.settle_games,
        SAVED.check_games,
        OBSERVATIONS.looks,
    )


class PigEnv(TableEnv):
    """The PettingZoo environment."""

    parts: ClassVar[EnvParts] = EnvParts(
        Rules,
        Game,
        BatchedGames.batch_parts,
        OBSERVATIONS.space,
        ("tensor", "compact"),
        "roller",
        partial(OBSERVATIONS.space, "compact"),
    )
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
    DeclaredGame(
        name="pig",
        title="Pig",
        make_rules=Rules,
        make_game=Game,
        rules_errors=(RulesError,),
        settings=(Setting("players", "how many play", (2, 3, 4)), Setting("goal", "score that wins")),
        options={},
        actions=ACTIONS.size,
        blocks=ACTIONS,
        phases=Phase,
        questions=QUESTIONS,
        agents=AGENTS,
        is_team=lambda _rules: False,
        table_text=str,
        batches="tests.kernel.toy_game.game:BatchedGames",
        sessions="tests.kernel.toy_game.game:Session",
        texts="tests.kernel.toy_game.game:TEXTS",
        observations=dict.fromkeys(("tensor", "compact"), "tests.kernel.toy_game.game:space"),
    )
)

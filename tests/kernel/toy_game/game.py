"""Pig for Python: its rules, games, batches, and the PettingZoo environment."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache, partial
from typing import Any, ClassVar, Final

from fujikoro_env.kernel import bounds, rewards
from fujikoro_env.kernel.aec import EnvParts, TableEnv
from fujikoro_env.kernel.agents import AgentRegistry, RandomAgent
from fujikoro_env.kernel.batch import BatchParts, TableBatch
from fujikoro_env.kernel.declared import DeclaredGame, Setting, register_game
from fujikoro_env.kernel.game import Parts, TableGame
from fujikoro_env.kernel.observing import NumberTable
from fujikoro_env.kernel.records import zeros
from fujikoro_env.kernel.rewards import Payments
from fujikoro_env.kernel.saved_games import SavedFormat
from fujikoro_env.kernel.settings import Facts, RulesError, checked_number
from tests.kernel.toy_game.rules import ACTIONS, ENTRIES, MOST, PARTS, PLAYERS, QUESTIONS, Phase, State, Tables


class Reward(IntEnum):
    """Kinds of rewards."""

    WIN = 0


@dataclass(frozen=True)
class Pack:
    """The content: the faces of the die."""

    faces: tuple[int, ...] = (1, 2, 3, 4, 5, 6)

    @property
    def digest(self) -> str:
        """Identifies the content."""
        return repr(self.faces)


@cache
def tables_of(pack: Pack) -> Any:
    """Return the content for compiled code."""
    tables = zeros(Tables, 1)
    tables[0].faces[:] = pack.faces
    return tables


@dataclass(frozen=True)
class Rules:
    """The settings of a game."""

    players: int = 2
    goal: int = 30
    pack: Pack = Pack()

    def __post_init__(self) -> None:
        checked_number("players", self.players, 2, PLAYERS, "PIG-1")
        checked_number("goal", self.goal, 1, MOST, "PIG-2")

    @property
    def tables(self) -> Any:
        """Content for compiled code, as a batch of one record."""
        return tables_of(self.pack)

    @property
    def facts(self) -> Facts:
        """Size of the action space, and bounds; nothing limits the length of a game."""
        return Facts(self.players, ACTIONS.size, 10**6, 10**6, {"win": (-1.0, 1.0)})

    def reward_kind(self, name: str) -> Reward:
        """Return the kind of reward with this name."""
        if name != "win":
            raise RulesError(f"reward={name!r}: allowed is 'win'")
        return Reward.WIN

    def write_settings(self, settings: Any) -> None:
        """Write these rules into the settings of a game's record."""
        settings.players, settings.goal = self.players, self.goal


def read_rules(settings: Any, _head: Any, _moved: Any) -> Rules:
    """Return the rules in the settings of a record."""
    return Rules(int(settings.players), int(settings.goal))


def fault_of(games: Any, _rules: Rules) -> str:
    """Return what is outside its bounds in a record that was read."""
    return bounds.record_fault(State, games)


SAVED: Final = SavedFormat(b"PIG", "toy_game", 1, State, read_rules, fault_of)
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
        observations=dict.fromkeys(("tensor", "compact"), "tests.kernel.toy_game.game:space"),
    )
)

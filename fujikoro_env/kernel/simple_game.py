"""Games, batches and environments of small games: those with `SimpleRules`, with entries made by `entries_of`, and with
numbers as observations. The functions fill in everything that follows from these:

    class Game(SimpleGame):
        parts = game_parts_of(ENTRIES, SAVED, ACTIONS, Phase, QUESTIONS)
        entries, observations = ENTRIES, NumberTable(PARTS, ENTRIES.observe_games)

    class RewardTracker(rewards.RewardTracker):
        payments = payments_of(ENTRIES)

    class BatchedGames(TableBatch):
        batch_parts = batch_parts_of(Game, RewardTracker)

    class PigEnv(TableEnv):
        parts = env_parts_of(Rules, BatchedGames, "roller")
"""

from collections.abc import Mapping
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from fujikoro_env.kernel.action_table import ActionTable
from fujikoro_env.kernel.batch import BatchParts, TableBatch
from fujikoro_env.kernel.declared import DeclaredGame
from fujikoro_env.kernel.entries import Entries
from fujikoro_env.kernel.game import Parts, TableGame
from fujikoro_env.kernel.observing import COMPACT, TENSOR, NumberTable
from fujikoro_env.kernel.record.simple import SimpleOutcome
from fujikoro_env.kernel.rewards import ONLY_GAME, Payments, RewardTracker
from fujikoro_env.kernel.saved_games import SavedFormat
from fujikoro_env.kernel.settings import RulesError
from fujikoro_env.kernel.simple_rules import SimpleRules

if TYPE_CHECKING:
    from fujikoro_env.kernel.aec import EnvParts

KINDS: Final = (TENSOR, COMPACT)


class SimpleGame(TableGame):
    """One game, always at a decision. A game's own class adds `scores` and `__str__`, which also get views."""

    entries: ClassVar[Entries]
    observations: ClassVar[NumberTable]

    @property
    def outcome(self) -> SimpleOutcome | None:
        """The result of the game, by the rules `rank` and `score`; None while it is still running."""
        if not self.over:
            return None
        ranks, scores = self._settled()
        return SimpleOutcome(scores, ranks, tuple(player for player, rank in enumerate(ranks) if rank == 1))

    def _settled(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Ranks and scores of the players of a finished game."""
        results: Any = np.zeros((2, 1, self.entries.seats), np.int64)
        self.entries.settle_games(self._games, ONLY_GAME, results[0], results[1])
        ranks, scores = (tuple(row[0, : self.rules.players].tolist()) for row in results)
        return ranks, scores

    def observe(self, player: int, kind: str = TENSOR) -> Any:
        """What a player sees, as arrays by name (`tensor`) or as one vector (`compact`)."""
        return self.observations.observe(self._games, self._tables, self._player(player), kind)

    def global_state(self) -> Any:
        """What player 0 sees, for centralised critics. Games that hide something of it override this."""
        return self.observe(0, COMPACT)


def game_parts_of(
    entries: Entries, saved: SavedFormat, actions: ActionTable, phases: type[IntEnum], questions: Mapping[Any, str]
) -> Parts:
    """Return the parts of a game's class."""
    return Parts(
        state=saved.state,
        actions=actions,
        phases=phases,
        questions=questions,
        deal=entries.deal_game,
        step=entries.step_games,
        blank=entries.blank_game,
        redeal=entries.redeal_game,
        saved=saved,
    )


def payments_of(entries: Entries, at_the_end: tuple[int, ...] = ()) -> Payments:
    """Return how rewards are computed. `at_the_end`: kinds of rewards for which `worth` is always 0."""
    return Payments(entries.seats, entries.appraise_games, entries.pay_games, (entries.seats,), at_the_end)


def batch_parts_of(game: type[SimpleGame], tracker: type[RewardTracker]) -> BatchParts:
    """Return the parts of a class of batches."""
    return BatchParts(
        game=game,
        tracker=tracker,
        deal=game.entries.deal_games,
        see=game.entries.see_games,
        settle=game.entries.settle_games,
        check=game.parts.saved.check_games,
        looks=game.observations.looks,
    )


def env_parts_of(rules: type[SimpleRules], batches: type[TableBatch], agent: str) -> "EnvParts":
    """Return the parts of a class of environments. Its agents are called `agent` with a number: `roller_0`."""
    from fujikoro_env.kernel.aec import EnvParts  # imports Gymnasium, which people who only play need not wait for

    game: Any = batches.batch_parts.game
    space = game.observations.space
    return EnvParts(
        make_rules=rules,
        make_game=game,
        batch=batches.batch_parts,
        space=space,
        kinds=KINDS,
        agent=agent,
        state_space=partial(space, COMPACT),
    )


def declared_of(name: str, title: str, rules: type[SimpleRules], game: type[SimpleGame], **more: Any) -> DeclaredGame:
    """Declare a game without options in which everybody plays for themselves. `more`: the other fields of
    `DeclaredGame`, of which `settings` and `agents` are needed."""
    usual = {
        "rules_errors": (RulesError,),
        "options": {},
        "actions": game.parts.actions.size,
        "blocks": game.parts.actions,
        "phases": game.parts.phases,
        "questions": game.parts.questions,
        "is_team": is_no_team,
        "table_text": str,
    }
    return DeclaredGame(name=name, title=title, make_rules=rules, make_game=game, **{**usual, **more})


def is_no_team(_rules: Any) -> bool:
    """Nobody wins or loses together."""
    return False

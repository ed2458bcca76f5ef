"""Games in which a team wins or loses together: how often do agents win them, by the settings of the games?

An agent plays all seats. All agents and all settings get the same seeds, so their differences are less noisy than the
shares. Works for every game by what it declares (`fujikoro_env.kernel.declared`).

>>> from fujikoro_env.kernel.declared import find_game
>>> fuji = find_game("fuji")
>>> result = play_team(fuji, "random", fuji.make_rules(players=3), games=4)
>>> result.games, result.wins
(4, 0)
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.agents import AgentError, agents_seed
from fujikoro_env.kernel.commands import WAIT
from fujikoro_env.kernel.declared import DeclaredGame
from fujikoro_env.kernel.session import Session
from fujikoro_env.kernel.text import quoted
from fujikoro_training.intervals import wilson

Done = Callable[[int], None]  # called after each game, with the number of games so far


Row = tuple[Any, tuple[str, ...]]  # the outcome of a game, and its traits
AT_ONCE: Final = 250  # games played side by side


@runtime_checkable
class BatchAgent(Protocol):
    """An agent that can answer for many games at once."""

    def batch_policy(self) -> Any:
        """A policy that plays like this agent."""


class TeamError(ValueError):
    """Raised for games that can't be played. The message is one line."""


@dataclass(frozen=True)
class TeamResult:
    """How a team of one agent did under one set of settings."""

    agent: str
    settings: Mapping[str, Any]
    won: NDArray[np.bool_]  # by game
    scores: NDArray[np.float64]  # of the team
    rounds: NDArray[np.int64]
    reasons: tuple[str, ...]
    traits: tuple[tuple[str, ...], ...]  # of each game

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.won)

    @property
    def wins(self) -> int:
        """Number of games won."""
        return int(self.won.sum())

    @property
    def share(self) -> float:
        """Share of the games that were won."""
        return float(self.won.mean())

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the share (Wilson)."""
        return wilson(self.share, self.games)

    def to_json(self) -> dict[str, Any]:
        """The result in numbers."""
        low, high = self.interval
        return {
            "agent": self.agent,
            **self.settings,
            "games": self.games,
            "won": round(self.share, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "score": round(float(self.scores.mean()), 3),
            "rounds": round(float(self.rounds.mean()), 2),
            "lost by": {reason: self.reasons.count(reason) for reason in sorted(set(self._losses))},
        }

    @property
    def _losses(self) -> list[str]:
        return [reason for reason, won in zip(self.reasons, self.won, strict=True) if not won]


def no_team(game: DeclaredGame) -> str:
    """Why a game whose players play against each other is refused."""
    return f"{game.title}: its players don't win or lose together; this works only with games in which they do"


def play_team(
    game: DeclaredGame, agent: str, rules: Any, games: int, seed: int = 0, done: Done = lambda played: None
) -> TeamResult:
    """Let one agent play all seats, on consecutive seeds."""
    if not game.is_team(rules):
        raise TeamError(no_team(game))
    maker = _rows_of_batches if _plays_batches(game, agent) else _rows_of_games
    rows = list(maker(game, agent, rules, range(seed, seed + games), done))
    outcomes, traits = zip(*rows, strict=True)
    return TeamResult(
        agent,
        {},
        np.array([bool(outcome.winners) for outcome in outcomes]),
        np.array([outcome.scores[0] for outcome in outcomes], float),
        np.array([outcome.rounds for outcome in outcomes]),
        tuple(outcome.reason for outcome in outcomes),
        traits,
    )


def _plays_batches(game: DeclaredGame, agent: str) -> bool:
    return bool(game.batches) and isinstance(game.agents.make(agent), BatchAgent)


def _rows_of_batches(game: DeclaredGame, agent: str, rules: Any, seeds: range, done: Done) -> Iterator[Row]:
    """Play games side by side, with an agent that answers for many at once."""
    for first in range(0, len(seeds), AT_ONCE):
        some = np.array(seeds[first : first + AT_ONCE])
        games = game.batch_class(rules, len(some), stop=True)
        games.deal(some)
        traits = [tuple(game.traits(games.game(k))) for k in range(len(some))]
        maker: Any = game.agents.make(agent)
        policy = maker.batch_policy()
        while not games.over.all():
            which = np.flatnonzero(~games.over)
            actions = np.full(games.n, WAIT, np.int64)
            actions[which] = policy.act(games, which)
            games.step(actions)
        yield from ((games.game(k).outcome, traits[k]) for k in range(len(some)))
        done(first + len(some))


def _rows_of_games(game: DeclaredGame, agent: str, rules: Any, seeds: range, done: Done) -> Iterator[Row]:
    """Play one game after the other."""
    agents = game.agents.make_all([agent] * rules.players, 0)
    for number, seed in enumerate(seeds, 1):
        yield _played(game, agents, agent, rules, seed)
        done(number)


def _played(game: DeclaredGame, agents: Sequence[Any], name: str, rules: Any, seed: int) -> Row:
    """The outcome of one game, and its traits."""
    played = game.make_game(rules, seed)
    traits = tuple(game.traits(played))
    for seat, agent in enumerate(agents):
        agent.reset(agents_seed(seed), seat)
    session: Session = game.session_class(played, agents=agents, keep_history=False)
    try:
        session.play()
    except AgentError as error:
        raise AgentError(f"agent {quoted(name)} in the game of seed {seed}: {error}") from error
    return session.outcome, traits


def grid(varied: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """All combinations of settings.

    >>> grid({"level": [1, 2], "players": [3]})
    [{'level': 1, 'players': 3}, {'level': 2, 'players': 3}]
    """
    return [dict(zip(varied, values, strict=True)) for values in itertools.product(*varied.values())]


def by_trait(results: Sequence[TeamResult]) -> list[dict[str, Any]]:
    """Share of wins among the games with each trait, the best first; games of all results are counted alike."""
    won: dict[str, list[bool]] = {}
    for result in results:
        for traits, win in zip(result.traits, result.won, strict=True):
            for trait in set(traits):
                won.setdefault(trait, []).append(bool(win))
    rows = []
    for trait, wins in won.items():
        share = float(np.mean(wins))
        low, high = wilson(share, len(wins))
        rows.append(
            {"with": trait, "games": len(wins), "won": round(share, 4), "low": round(low, 4), "high": round(high, 4)}
        )
    return sorted(rows, key=lambda row: -float(str(row["won"])))


def paired_difference(first: TeamResult, second: TeamResult) -> tuple[float, float, float]:
    """How much more often the first team won, on the same seeds, with its 95 % interval (normal approximation)."""
    differences = first.won.astype(float) - second.won.astype(float)
    mean, n = float(differences.mean()), len(differences)
    reach = 1.96 * float(differences.std(ddof=1)) / n**0.5 if n > 1 else 1.0
    return mean, mean - reach, mean + reach

"""Forfeits of agents in a game that people watch or play: a random agent plays on for an agent that fails."""

from collections.abc import Sequence
from dataclasses import dataclass

from fujikoro_env.kernel.agents import AgentError, RandomAgent
from fujikoro_env.kernel.session import Session
from fujikoro_env.kernel.texts import labels


@dataclass(frozen=True)
class Forfeit:
    """A failure that cost an agent the game."""

    seat: int
    round_number: int
    reason: str  # one line


class Forfeits:
    """The forfeits of one game."""

    def __init__(self, session: Session, is_team: bool) -> None:
        """`is_team`: whether all players win or lose together."""
        self._session, self._is_team, self._who = session, is_team, labels(session.names)
        self.found: list[Forfeit] = []

    def add(self, error: AgentError) -> str:
        """Replace the acting agent, which has failed. Returns a line about it."""
        session, seat = self._session, self._session.actor
        self.found.append(Forfeit(seat, int(session.game.state.round_number), str(error)))
        substitute = RandomAgent()
        substitute.reset(0, seat)
        session.bind(seat, substitute, f"{session.names[seat]} (forfeited)")
        return f"{error}; it forfeits, and a random agent plays on for it"

    def told(self) -> Sequence[str]:
        """A line for each forfeit, to follow the result of the game."""
        so = "the game counts as lost" if self._is_team else "it ranks last"
        return [
            f"{self._who[forfeit.seat]} forfeited in round {forfeit.round_number}, so {so}: {forfeit.reason}"
            for forfeit in self.found
        ]

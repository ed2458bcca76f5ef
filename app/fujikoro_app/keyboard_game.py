"""A game of agents and people who share one keyboard."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from fujikoro_app.forfeits import Forfeits
from fujikoro_app.human import Human, TakeBackError
from fujikoro_env.declared import GAME
from fujikoro_env.kernel.agents import Agent, AgentError, failure_text
from fujikoro_env.kernel.declared import DeclaredGame
from fujikoro_env.kernel.session import Asked, Session
from fujikoro_env.kernel.text import one_line

VERBS: Final = ("move", "explore", "gather", "rest", "roll", "retreat")  # names of actions that read as verbs
LONGEST_REASON: Final = 1000  # characters of an adviser's reason


class KeyboardGame:
    """Asks people in words, and lets agents play in between. `agents` by seat; each sees only the view of its own seat.
    `names`: the players' names by seat. `say`: called with a line about each agent that fails and forfeits.
    `kind`: which game it is."""

    def __init__(
        self,
        game: Any,
        agents: Mapping[int, Agent],
        names: Sequence[str] | None = None,
        say: Callable[[str], None] = print,
        kind: DeclaredGame = GAME,
    ) -> None:
        self._people = {seat: agent for seat, agent in agents.items() if isinstance(agent, Human)}
        others = {seat: agents[seat] for seat in agents if seat not in self._people}
        self.session: Session = kind.session_class(game, agents=others, names=names)
        self.forfeits, self._say = Forfeits(self.session, kind.is_team(game.rules)), say
        self._heard = dict.fromkeys(self._people, 0)  # steps that each person has already been told about

    @property
    def game(self) -> Any:
        return self.session.game

    def play(self) -> None:
        """Play to the end, or until a person leaves."""
        while (asked := self._next_person()) is not None:
            self._tell(asked.seat)
            try:
                self.session.submit(self._people[asked.seat].act(self.session.view(asked.seat)))
            except TakeBackError:
                self._take_back()
        for seat, human in self._people.items():
            self._tell(seat)
            human.tell_events()

    def _next_person(self) -> Asked | None:
        """Let agents play until a person must decide; None when the game is over."""
        while True:
            try:
                return self.session.play()
            except AgentError as error:
                self._say(self.forfeits.add(error))

    def _tell(self, seat: int) -> None:
        for event in self.session.events_since(self._heard[seat], seat):
            self._people[seat].saw(event)
        self._heard[seat] = self.session.steps

    def _take_back(self) -> None:
        """Undo back to the last decision of any person, because people share a keyboard."""
        session, asked, told = self.session, self.session.actor, "there is nothing to take back"
        if (position := session.last_by_person) is not None:
            told = f"taken back: {session.event(position + 1, asked).name}"
            session.undo_to(position)
        for seat, human in self._people.items():
            human.rewind(told if seat == asked else "")
            self._heard[seat] = session.steps


@dataclass(frozen=True)
class Adviser:
    """Advice from an agent, always the same in the same position."""

    name: str
    agent: Agent
    seed: int

    def __call__(self, view: Any) -> str:
        try:
            self.agent.reset(self.seed, view.actor)
            action = view.action_name(self.agent.act(view.clone()))  # a copy, in case it changes its view
            why = one_line(self.agent.explain(), LONGEST_REASON)
        except KeyboardInterrupt:  # the user's
            raise
        except BaseException as error:  # whatever its code does, the game goes on
            return f"{self.name} has no advice: {failure_text(error)}"
        chosen = action if action in VERBS else f"choose {action}"
        says_more = why and not why.endswith(f": {action}")  # some agents only repeat the question and their answer
        return f"{self.name} would {chosen}{f': {why}' if says_more else ''}"

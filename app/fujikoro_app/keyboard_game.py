"""A game of agents and people who share one keyboard."""

from collections.abc import Mapping
from dataclasses import dataclass

from fujikoro_app.human import Human, TakeBackError
from fujikoro_env.game import Game
from fujikoro_env.player import Agent
from fujikoro_env.session import Session


class KeyboardGame:
    """Asks people in words, and lets agents play in between. `agents`: by seat. Agents get the views of their seats
    alone."""

    def __init__(self, game: Game, agents: Mapping[int, Agent]) -> None:
        self._people = {seat: agent for seat, agent in agents.items() if isinstance(agent, Human)}
        self.session = Session(game, agents={seat: agents[seat] for seat in agents if seat not in self._people})
        self._heard = dict.fromkeys(self._people, 0)  # steps that a person has been told of

    @property
    def game(self) -> Game:
        return self.session.game

    def play(self) -> None:
        """To the end, or until a person leaves."""
        while (asked := self.session.play()) is not None:
            self._tell(asked.seat)
            try:
                self.session.submit(self._people[asked.seat].act(self.session.view(asked.seat)))
            except TakeBackError:
                self._take_back()
        for seat, human in self._people.items():
            self._tell(seat)
            human.tell_events()

    def _tell(self, seat: int) -> None:
        for event in self.session.events_since(self._heard[seat], seat):
            self._people[seat].saw(event)
        self._heard[seat] = self.session.steps

    def _take_back(self) -> None:
        """To the last decision of any person, for they share a keyboard."""
        session, asked, told = self.session, self.session.actor, "there is nothing to take back"
        if (position := session.last_by_person) is not None:
            told = f"taken back: {session.event(position + 1, asked).name}"
            session.undo_to(position)
        for seat, human in self._people.items():
            human.rewind(told if seat == asked else "")
            self._heard[seat] = session.steps


@dataclass(frozen=True)
class Adviser:
    """An agent that is asked for advice: always the same in the same position."""

    name: str
    agent: Agent
    seed: int

    def __call__(self, view: Game) -> str:
        try:
            self.agent.reset(self.seed, view.actor)
            action = view.action_name(self.agent.act(view))
            why = self.agent.explain()
        except Exception as error:  # whatever its code does, the game goes on
            return f"{self.name} has no advice: {type(error).__name__}: {error}"
        return f"{self.name} would choose {action}{f': {why}' if why else ''}"


def outcome_text(game: Game) -> str:
    """How a game ended, in words."""
    assert game.outcome is not None
    outcome = game.outcome
    reasons = {"countdown": "the countdown is at its end", "round_cap": "that was the last round"}
    if game.rules.is_coop:
        return f"The game is over in round {game.state.round_number}: you have all {outcome.reason}."
    seats = sorted(range(game.rules.players), key=lambda seat: outcome.ranking[seat])
    places = [f"{outcome.ranking[seat]}. player {seat} with {outcome.scores[seat]} VP" for seat in seats]
    why = reasons.get(outcome.reason, outcome.reason)
    return "\n".join([f"The game is over in round {game.state.round_number}: {why}.", *places])

"""A game of agents at one table, some of which may be people."""

from collections.abc import Mapping
from dataclasses import dataclass

from fujikoro_app.human import Human, TakeBackError
from fujikoro_env.game import Game
from fujikoro_env.player import Agent, ask
from fujikoro_env.render.rolls import rolls


@dataclass(frozen=True)
class Decision:
    """Of a person, which it may take back."""

    before: Game
    name: str  # of the action
    answers: int  # that agents had given before


class KeyboardGame:
    """`agents`: by seat. Agents get the views of their seats alone.

    What people take back is played again with the same luck: chance is part of the game, and an agent that has answered
    in a position that was taken back is not asked again in it.
    """

    def __init__(self, game: Game, agents: Mapping[int, Agent]) -> None:
        self.game, self._agents = game, agents
        self._people = {seat: agent for seat, agent in agents.items() if isinstance(agent, Human)}
        self._past: list[Decision] = []
        self._answers: list[tuple[str, int]] = []  # of agents, with the digest of the position
        self._taken_back: dict[str, int] = {}  # answers, by position

    def play(self) -> None:
        """To the end, or until a person leaves."""
        while not self.game.over:
            try:
                action = self._action()
            except TakeBackError:
                self._take_back()
            else:
                self._step(action)
        for human in self._people.values():
            human.tell_events()

    def _action(self) -> int:
        game, seat = self.game, self.game.actor
        if seat in self._people:
            action = self._people[seat].act(game.view(seat))
            self._past.append(Decision(game.clone(), game.action_name(action), len(self._answers)))
            return action
        position = game.digest()
        answer = self._taken_back.pop(position, None)
        if answer is None:
            answer = ask(self._agents[seat], game.view(seat))
        self._answers.append((position, answer))
        return answer

    def _step(self, action: int) -> None:
        before = self.game.clone()
        self.game.step(action)
        rolled = rolls(before, action, self.game)
        for seat, human in self._people.items():
            human.saw(before.view(seat), action, self.game.view(seat), rolled)

    def _take_back(self) -> None:
        """To the last decision of any person, for they share a keyboard."""
        asked, told = self.game.actor, "there is nothing to take back"
        if self._past:
            decision = self._past.pop()
            self.game, told = decision.before, f"taken back: {decision.name}"
            self._taken_back |= dict(self._answers[decision.answers :])
            del self._answers[decision.answers :]
        for seat, human in self._people.items():
            human.rewind(self.game.view(seat), told if seat == asked else "")


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

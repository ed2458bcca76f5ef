"""A game of agents at one table, some of which may be people."""

from collections.abc import Mapping

from agents.human import Human
from fujikoro_env.game import Game
from fujikoro_env.player import Agent
from fujikoro_env.render.rolls import rolls


def play(game: Game, agents: Mapping[int, Agent]) -> None:
    """To the end, or until a person leaves. `agents`: by seat."""
    people = {seat: agent for seat, agent in agents.items() if isinstance(agent, Human)}
    while not game.over:
        action = agents[game.actor].act(game.view(game.actor))
        before = game.clone()
        game.step(action)
        for seat, human in people.items():
            human.saw(before.view(seat), action, game.view(seat), rolls(before, action, game))
    for human in people.values():
        human.tell_events()


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

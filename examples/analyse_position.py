"""Shows what two agents think of one position: a script that looks ahead, and a tree search.

    python examples/analyse_position.py --iterations 400
    python examples/analyse_position.py --position my_position.json

A position is a JSON file, written by `Game.to_json()`, by `save FILE` in `fujikoro play`, or by hand. Without one, the
position comes from a game of the scripted agent `runner`.
"""

import argparse
from pathlib import Path
from textwrap import fill

from fujikoro_env import Game, Rules
from fujikoro_env.player import make_agent


def middle_of_a_game(rounds: int) -> Game:
    """A game of three scripted players at the first player's decision after so many rounds."""
    game = Game(Rules(players=3), seed=7)
    agents = [make_agent("runner") for _ in range(3)]
    for seat, agent in enumerate(agents):
        agent.reset(seed=1, seat=seat)
    while not game.over and (game.state.round_number <= rounds or game.actor != 0):
        game.step(agents[game.actor].act(game.view(game.actor)))
    return game


def main() -> None:
    parser = argparse.ArgumentParser(description="Shows what two agents think of one position.")
    parser.add_argument("--position", type=Path, metavar="FILE", help="a position as JSON")
    parser.add_argument("--rounds", type=int, default=10, help="else: rounds of the game that it comes from")
    parser.add_argument("--iterations", type=int, default=400, help="budget of the search")
    given = parser.parse_args()

    game = Game.from_json(given.position.read_text()) if given.position else middle_of_a_game(given.rounds)
    if game.over:
        raise SystemExit(f"the game is over: {game.outcome}")
    player = game.actor
    print(f"round {game.state.round_number}, VP {game.scores}; player {player} is asked: {game.question}")
    print(fill("legal: " + ", ".join(game.action_name(action) for action in game.legal_actions()), 100))

    for name in ("shogun", f"mcts:iterations={given.iterations}"):
        agent = make_agent(name)
        agent.reset(seed=1, seat=player)
        action = agent.act(game.view(player))  # agents see the game as their seat does
        print(f"\n{name} chooses {game.action_name(action)}")
        print(fill(agent.explain(), 100, initial_indent="  ", subsequent_indent="  "))


if __name__ == "__main__":
    main()

"""Makes the animated picture of the README: `python tools/make_picture.py` plays a game and films it."""

from collections.abc import Sequence
from pathlib import Path

from fujikoro_env import Game, Rules
from fujikoro_env.player import agents_seed, make_agent
from fujikoro_env.render.film import Film

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "game.webp"
NAMES = ("shogun", "hunter", "smith", "runner")
SEED = 2
WIDTH = 830
EVERY = 40  # decisions; in fights each is shown
SECONDS = 0.6


def main() -> None:
    film_game(actions_of_game())
    print(f"{PICTURE}: {PICTURE.stat().st_size} bytes")


def actions_of_game() -> list[int]:
    game, actions = Game(Rules(players=len(NAMES)), SEED), []
    agents = [make_agent(name) for name in NAMES]
    for seat, agent in enumerate(agents):
        agent.reset(agents_seed(SEED) + seat, seat)
    while not game.over:
        actions.append(int(agents[game.actor].act(game.view(game.actor))))
        game.step(actions[-1])
    return actions


def film_game(actions: Sequence[int]) -> None:
    film = Film(Game(Rules(players=len(NAMES)), SEED), NAMES, WIDTH)
    for k, action in enumerate(actions, 1):
        hits = int(film.game.state.fight.hits)
        film.step(action, picture=False)
        if k % EVERY == 0 or k == len(actions) or int(film.game.state.fight.hits) not in (0, hits):
            film.take()
    film.save(PICTURE, SECONDS)


if __name__ == "__main__":
    main()

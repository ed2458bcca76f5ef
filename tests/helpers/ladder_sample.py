"""Answers of every rung in a sample of positions, one line each: `python -m tests.helpers.ladder_sample`."""

from collections.abc import Iterator

import numpy as np

from fujikoro_agents.scripted.ladder import Players
from fujikoro_agents.scripted.skills import RUNGS
from fujikoro_env import Game, Rules
from fujikoro_env.rules.base.state import PLAYERS
from tests.helpers.midgame import midgame, rush_into_a_fight
from tests.helpers.tables import integers

SAMPLE = [Rules(), Rules(characters="random"), Rules(adventure_tokens=True, scenario=2)]


def answer_of(game: Game, skills: int, luck: int = 12345) -> int:
    """What a player with these skills answers here; it may be anything but illegal."""
    players, action = Players(np.full((1, PLAYERS), skills), np.full(PLAYERS, luck)), integers([0])
    players.answer(game.compiled, 0, 1, action)
    assert action[0] in game.legal_actions(), f"{game.phase.name}: {game.action_name(int(action[0]))}"
    return int(action[0])


def position(rules: Rules, seed: int) -> Game:
    """A position of mid-game, every second time in a fight."""
    game = midgame(rules, seed)
    if seed % 2:
        rush_into_a_fight(game, np.random.default_rng(seed))
    return game


def lines(decisions: int = 4) -> Iterator[str]:
    for number, rules in enumerate(SAMPLE):
        game = position(rules, number)
        for _ in range(decisions):
            answers = {name: answer_of(game, skills) for name, skills in RUNGS.items() if name != "shogun"}
            yield f"{number} {game.phase.name} {answers}"
            if game.over:
                break
            game.step(answers["runner"])


if __name__ == "__main__":
    print("\n".join(lines()))

"""Choices of the level `plans` in a sample of positions, one line each: `python -m tests.helpers.plan_sample`."""

from collections.abc import Iterator

import numpy as np

from fujikoro_agents.plans.level import Plans
from fujikoro_env import Game, Rules
from tests.helpers.midgame import midgame

SAMPLE = [Rules(), Rules(characters="random"), Rules(mode="coop", players=2)]
CHOSEN = (1, 3, 0, 2)  # which choice is carried out


def lines(decisions: int = 8) -> Iterator[str]:
    """Counts, texts and features, rounded: plain Python computes with other roundings."""
    for number, rules in enumerate(SAMPLE):
        game, table = midgame(rules, number), Plans("find+move").table(1)
        table.begin([0], np.array([number]))
        for k in range(decisions):
            if game.over:
                break
            yield f"{number} {game.phase.name} {listed(game, table)}"
            choice = CHOSEN[k % len(CHOSEN)] % int(table.counts[0])
            game.step(int(table.carry_out(game.compiled, [0], np.array([choice]))[0]))


def listed(game: Game, table) -> str:
    """What is listed, in one line."""
    table.list_choices(game.compiled, [0])
    count = int(table.counts[0])
    features = [f"{value:.3f}" for value in (table.features[0].sum(axis=0) + 1e-4).tolist()]
    return f"{count} {table.describe(game)} {' '.join(features) if count > 1 else ''}"


if __name__ == "__main__":
    print("\n".join(lines()))

"""Legal positions in which the questions of co-op are asked, found by playing on from the middle of games."""

from collections.abc import Iterator

import numpy as np

from fujikoro_env import Game, Rules
from fujikoro_env.rules.base.actions import DONE, MOVE, REST
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.midgame import midgame

WANTED = {
    *(Phase.TAKE_CARD, Phase.DRAGON_ORDER, Phase.DRAGON_WAY, Phase.RETREAT_TO, Phase.SHARE_TOOTH),
    *(Phase.SWAP_GIVE, Phase.SWAP_TAKE, Phase.SWAP_CONSENT),
}
RULES = Rules(3, "coop", ask_forced=True, coop_lives=3)
STEPS = 120
SEEDS = 400  # far more than it takes


def coop_questions() -> Iterator[Game]:
    yield Game(RULES)
    yield leaving()
    found = {Phase.TAKE_CARD}
    for seed in range(SEEDS):
        game, luck = midgame(RULES, seed), np.random.default_rng(seed)
        for _ in range(STEPS):
            if game.over or found == WANTED:
                break
            if game.phase in WANTED - found:
                found.add(game.phase)
                yield game.clone()
            game.step(luck.choice(game.legal_actions()))
        if found == WANTED:
            return
    raise AssertionError(f"never asked: {', '.join(phase.name for phase in WANTED - found)}")


def leaving() -> Game:
    """Somebody ends its turn on the open secret exit."""
    for seed in range(SEEDS):
        game = midgame(RULES, seed)
        for action in (MOVE, DONE, REST, DONE, MOVE, DONE):  # nowhere, twice
            if action in game.legal_actions():
                game.step(action)
            if game.phase == Phase.LEAVE:
                return game
    raise AssertionError("nobody was asked whether to leave")

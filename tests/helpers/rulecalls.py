"""Repeats the steps of a sample as plain Python, and deals some games of each kind: `NUMBA_DISABLE_JIT=1 python -m
tests.helpers.rulecalls sample.npz 55`.

Every step must give the same result as with compiled rules, bit for bit. Prints how often each rule function was
called.
"""

import cProfile
import json
import sys
from pathlib import Path

import numpy as np

import fujikoro_env.rules
from fujikoro_env import Game, Rules
from fujikoro_env.kernel.batch_masks import random_actions
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.settings import RANDOM
from tests.helpers.fuzzing import calls_of
from tests.helpers.step_sample import StepSample, game_of
from tests.helpers.tables import arrays_of, integers

OF_NO_GAME = ("batches.py", "rewards.py")  # not needed for a single game; they have tests of their own
RULE_FILES = [
    path for path in sorted(Path(fujikoro_env.rules.__file__).parent.rglob("*.py")) if path.name not in OF_NO_GAME
]
LOOK_EVERY = 50  # steps
DECISIONS_AFTER = 2  # decisions played after each step
# More for scenarios with rules that few steps reach: fights with monks and enemies should come to their end.
DECISIONS_AFTER_IN = {3: 4, 4: 5, 7: 15}
DEALS_OF_CHARACTERS = 4  # for each deal of another kind: every character matters, and there are seven for six seats


def replay(sample: StepSample) -> None:
    """Repeat all steps of a sample and compare the results."""
    steps = zip(sample.befores, sample.actions, sample.afters, strict=True)
    for number, (before, action, after) in enumerate(steps):
        game = game_of(before)
        if number % LOOK_EVERY == 0:
            _look_around(game, number)
        name, phase = game.action_name(action), game.phase.name
        game.step(action)
        same = bool((arrays_of(game).games.view(np.uint8) == after).all())
        assert same, f"step {number} of the sample, {name} in {phase}: compiled rules gave another result"
        _play_on(game, number)


def _play_on(game: Game, seed: int) -> None:
    """Play a few more decisions, for the consequences of the step."""
    luck = np.random.default_rng(seed)
    for _ in range(DECISIONS_AFTER_IN.get(int(game.state.settings.scenario), DECISIONS_AFTER)):
        if not game.over:
            game.step(int(luck.choice(game.legal_actions())))
    _ = game.outcome  # computes the ranks, if the game is over


def _look_around(game: Game, seed: int) -> None:
    """Call the rules that hide and redeal information, and the random player."""
    game.view(0)
    game.determinize(0, seed)
    random_actions(game.compiled.masks, integers([seed + 1]), integers([0]))


def deal_games(number: int) -> None:
    """Deal games with symmetric boards, with characters, and for scenarios that deal differently; look at each and drop
    it."""
    for seed in range(number):
        players = 2 + seed % 5
        alone = Rules(scenario="three_fallen_samurai")
        for rules in (Rules(players), Rules(players, scenario=1), alone):
            _look_around(Game(rules, seed), seed)
        for k in range(DEALS_OF_CHARACTERS):
            _look_around(Game(Rules(players, characters=RANDOM), seed + k * number), seed)


def main() -> int:
    assert INTERPRETED, "compiled rules can't be counted: set NUMBA_DISABLE_JIT=1"
    sample, profile = StepSample.load(Path(sys.argv[1])), cProfile.Profile()
    profile.enable()
    replay(sample)
    deal_games(int(sys.argv[2]))
    profile.disable()
    print(json.dumps(calls_of(profile, RULE_FILES)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

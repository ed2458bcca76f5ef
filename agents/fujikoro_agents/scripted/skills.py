"""Skills of scripted agents, as bits: each rung of the ladder has all skills of the rungs below it."""

from typing import Final

EXPLORES: Final = 1  # goes where tiles can be placed, and places them well
GATHERS: Final = 2  # scrolls, monks, resources
CRAFTS: Final = 4  # towards gear cards and blueprints
HUNTS: Final = 8  # prepares for dragons and fights them when it pays
RUNS: Final = 16  # the final chapter: leaves in time and claims bonuses
TEAM: Final = 32  # plays for the whole team in co-op
LOOKS_AHEAD: Final = 64  # tries out the options of its turn
FAST_ESTIMATES: Final = 128  # estimates fights without or with fewer simulations, and tries each option once
LEARNED: Final = 256  # evaluates the options of its turn with a value network
STRAYS: Final = 512  # follows a random option now and then, so that games for training differ

RANDOM: Final = 0
WANDERER: Final = EXPLORES
GATHERER: Final = WANDERER | GATHERS
SMITH: Final = GATHERER | CRAFTS
HUNTER: Final = SMITH | HUNTS
RUNNER: Final = HUNTER | RUNS
SHOGUN: Final = RUNNER | LOOKS_AHEAD

BAND: Final = RUNNER | TEAM
SENSEI: Final = SHOGUN | LEARNED | TEAM

RUNGS: Final = {
    "random": RANDOM,
    "wanderer": WANDERER,
    "gatherer": GATHERER,
    "smith": SMITH,
    "hunter": HUNTER,
    "runner": RUNNER,
    "shogun": SHOGUN,
}

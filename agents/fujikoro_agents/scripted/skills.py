"""What a scripted player knows, as bits: a rung of the ladder has all that the rungs below it have."""

from typing import Final

EXPLORES: Final = 1  # goes where tiles can be laid, and lays them well
GATHERS: Final = 2  # scrolls, monks, resources
CRAFTS: Final = 4  # toward gear cards and blueprints
HUNTS: Final = 8  # prepares for dragons and fights them when that pays
RUNS: Final = 16  # the final chapter: out in time, and cashes in
TEAM: Final = 32  # plays for all together, in co-op
LOOKS_AHEAD: Final = 64  # tries out what its turn may bring
FAST_ESTIMATES: Final = 128  # judges dragons by a fast estimate, fights few fights in mind, and looks ahead but once

RANDOM: Final = 0
WANDERER: Final = EXPLORES
GATHERER: Final = WANDERER | GATHERS
SMITH: Final = GATHERER | CRAFTS
HUNTER: Final = SMITH | HUNTS
RUNNER: Final = HUNTER | RUNS
SHOGUN: Final = RUNNER | LOOKS_AHEAD

BAND: Final = RUNNER | TEAM

RUNGS: Final = {
    "random": RANDOM,
    "wanderer": WANDERER,
    "gatherer": GATHERER,
    "smith": SMITH,
    "hunter": HUNTER,
    "runner": RUNNER,
    "shogun": SHOGUN,
}

"""What a scenario changes: its terms, each of them one change that the chapters ask for by name.

`fujikoro_env/scenarios.py` says which scenario has which. Without a scenario no term holds.
"""

from enum import IntEnum

from fujikoro_env.rules.jit import rule
from fujikoro_env.rules.masks import has
from fujikoro_env.rules.state import State


class Term(IntEnum):
    (
        NO_SECRET_EXIT,  # SCEN-11
        HIDDEN_BLUEPRINTS,  # SCEN-12
        TOKENS_STAY_UP,  # SCEN-13
        FIGHTS_ALONE,  # SCEN-14
        MEETINGS_ARE_DUELS,  # SCEN-15
        ROPE_WAITS,  # SCEN-16
        SPOILS,  # SCEN-17
        STATUS_MARKERS,  # SCEN-18
        DRAGONS_ROAM,  # SCEN-21
        BACK_IN_TEMPLES,  # SCEN-22
        TROPHIES,  # SCEN-23
        MONKS_FIGHT,  # SCEN-41, SCEN-42
        MONKS_WALK,  # SCEN-43
        DRAGONS_BAR_THE_WAY,  # SCEN-51 to SCEN-53
        START_IS_UNSAFE,  # SCEN-61
        TAME_THE_LEGENDARY,  # SCEN-62
        ENEMY_SAMURAI,  # SCEN-71 to SCEN-74
        RONIN,  # SCEN-81, SCEN-82
    ) = range(18)


@rule
def holds(s: State, term: int) -> bool:
    return has(s.settings.terms, term)

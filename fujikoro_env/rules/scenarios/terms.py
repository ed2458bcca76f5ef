"""Terms: the rule changes that scenarios are made of. The chapters check for each by name.

`fujikoro_env/scenarios.py` lists the terms of each scenario. Without a scenario no term applies.
"""

from enum import IntEnum
from typing import Final

from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import has
from fujikoro_env.rules.base.state import State


class Term(IntEnum):
    """Rule changes that a scenario can include."""

    (
        NO_SECRET_EXIT,
        HIDDEN_BLUEPRINTS,
        TOKENS_STAY_UP,
        FIGHTS_ALONE,
        MEETINGS_ARE_DUELS,
        ROPE_WAITS,
        SPOILS,
        STATUS_MARKERS,
        DRAGONS_ROAM,
        BACK_IN_TEMPLES,
        TROPHIES,
        MONKS_FIGHT,
        MONKS_WALK,
        DRAGONS_BAR_THE_WAY,
        START_IS_UNSAFE,
        TAME_THE_LEGENDARY,
        ENEMY_SAMURAI,
        RONIN,
    ) = range(18)


# Rule id and description of each term.
TERMS: Final[dict[Term, tuple[str, str]]] = {
    Term.NO_SECRET_EXIT: ("SCEN-11", "the tile with the secret exit is not used"),
    Term.HIDDEN_BLUEPRINTS: ("SCEN-12", "blueprints lie in the temples at random, face down"),
    Term.TOKENS_STAY_UP: ("SCEN-13", "resource tokens never turn face down"),
    Term.FIGHTS_ALONE: ("SCEN-14", "nobody joins a dragon fight, and dragons have their solo health"),
    Term.MEETINGS_ARE_DUELS: ("SCEN-15", "samurai who meet must fight"),
    Term.ROPE_WAITS: ("SCEN-16", "a samurai that ends its turn on the rope leaves at the start of its next turn"),
    Term.SPOILS: ("SCEN-17", "a dragon guards a tooth and a status marker, to be gathered when it is beaten"),
    Term.STATUS_MARKERS: ("SCEN-18", "status markers lead over lava, buy actions and are worth VP"),
    Term.DRAGONS_ROAM: ("SCEN-21", "dragons move at the end of each round"),
    Term.BACK_IN_TEMPLES: ("SCEN-22", "knocked-out samurai come back in a temple of their choice"),
    Term.TROPHIES: ("SCEN-23", "the player who lands the last blow keeps the dragon, for VP at the end"),
    Term.MONKS_FIGHT: ("SCEN-41", "monks are fought, not gathered"),
    Term.MONKS_WALK: ("SCEN-43", "monks go for samurai at the end of each round"),
    Term.DRAGONS_BAR_THE_WAY: ("SCEN-51", "nobody escapes, or stays outside, while a dragon that was found lives"),
    Term.START_IS_UNSAFE: ("SCEN-61", "dragons come to the start tile"),
    Term.TAME_THE_LEGENDARY: ("SCEN-62", "the legendary dragon is to be tamed on the start tile, not killed"),
    Term.ENEMY_SAMURAI: ("SCEN-71", "enemy samurai guard the temples, and must be beaten"),
    Term.RONIN: ("SCEN-82", "a solo game is won with 50 VP and an escape by the rope"),
}


@rule
def holds(s: State, term: int) -> bool:
    """Whether the scenario includes a term."""
    return has(s.settings.terms, term)

"""The eight scenarios (SCEN): where each may be played, and what it changes.

A scenario changes numbers in the settings and includes terms: rule changes that the chapters of the engine know by name
(`rules/scenarios/terms.py`). docs/scenarios.md shows how to write one.
"""

from dataclasses import dataclass
from typing import Any, Final

from fujikoro_env.kernel.text import quoted
from fujikoro_env.rules.scenarios.terms import Term

COMPETITIVE, COOP = "competitive", "coop"


@dataclass(frozen=True)
class Rounds:
    """Number of rounds of a co-op game before the final ones (COOP-2)."""

    solo: int
    group: int

    def of(self, players: int) -> int:
        """Return the number of rounds for this number of players."""
        return self.solo if players == 1 else self.group


@dataclass(frozen=True)
class Scenario:
    """A scenario: its modes, its terms and the settings that it changes."""

    number: int
    name: str
    title: str
    rule: str  # rule that says where it may be played
    modes: tuple[str, ...]
    terms: tuple[Term, ...] = ()
    solo: bool = False  # whether it is for 1 player only
    symmetric: bool = False  # whether it has no characters
    final_at: int | None = None
    lava_at: int = 0  # VP that start a lava phase (SCEN-31)
    lava_after: int = 0  # rounds of a co-op game before a lava phase (SCEN-33)
    rounds: Rounds | None = None  # rounds after the lava phase, if there is one
    has_vp: bool = False  # whether it has VP even in co-op

    @property
    def bits(self) -> int:
        """The terms, as bits."""
        return sum(1 << term for term in self.terms)


SCENARIOS: Final = (
    Scenario(
        1,
        "each_for_himself",
        "Each for himself",
        "SCEN-11",
        (COMPETITIVE,),
        (
            *(Term.NO_SECRET_EXIT, Term.HIDDEN_BLUEPRINTS, Term.TOKENS_STAY_UP, Term.FIGHTS_ALONE),
            *(Term.MEETINGS_ARE_DUELS, Term.ROPE_WAITS, Term.SPOILS, Term.STATUS_MARKERS),
        ),
        symmetric=True,
        final_at=20,
    ),
    Scenario(
        2,
        "dragons_on_the_move",
        "Dragons on the move",
        "SCEN-21",
        (COMPETITIVE,),
        (Term.DRAGONS_ROAM, Term.BACK_IN_TEMPLES, Term.TROPHIES),
    ),
    Scenario(
        3,
        "getting_hot",
        "It's getting hot in here",
        "SCEN-31",
        (COMPETITIVE, COOP),
        lava_at=10,
        lava_after=5,
        rounds=Rounds(solo=10, group=5),
    ),
    Scenario(
        4,
        "who_is_worthy",
        "Who is worthy enough?",
        "SCEN-41",
        (COMPETITIVE,),
        (Term.MONKS_FIGHT, Term.MONKS_WALK),
    ),
    Scenario(
        5,
        "survival_of_the_fittest",
        "Survival of the fittest",
        "SCEN-51",
        (COMPETITIVE, COOP),
        (Term.DRAGONS_BAR_THE_WAY,),
    ),
    Scenario(
        6,
        "tame_the_beast",
        "Tame the beast",
        "SCEN-61",
        (COOP,),
        (Term.START_IS_UNSAFE, Term.TAME_THE_LEGENDARY),
        rounds=Rounds(solo=14, group=10),
    ),
    Scenario(
        7,
        "three_fallen_samurai",
        "The three fallen samurai",
        "SCEN-71",
        (COOP,),
        (Term.ENEMY_SAMURAI,),
        solo=True,
    ),
    Scenario(8, "ronin", "Ronin", "SCEN-81", (COOP,), (Term.RONIN,), solo=True, final_at=20, has_vp=True),
)
KNOWN: Final = ", ".join(f"{scenario.number} {scenario.name}" for scenario in SCENARIOS)


class UnknownScenarioError(ValueError):
    """Raised for an unknown scenario; its message lists the known ones."""


def find_scenario(given: Any) -> Scenario | None:
    """Return the scenario with this number or name; None stays None."""
    if given is None:
        return None
    for scenario in SCENARIOS:
        if not isinstance(given, bool) and given in (scenario.number, str(scenario.number), scenario.name):
            return scenario
    raise UnknownScenarioError(f"scenario={quoted(given)} is not known: there are {KNOWN}")


def scenario_of(number: int) -> Scenario | None:
    """Return the scenario with this number, as stored in records: 0 is none."""
    return find_scenario(number or None)


def title_of(scenario: Scenario) -> str:
    """Return the number and title of a scenario, for display."""
    return f"scenario {scenario.number}: {scenario.title}"

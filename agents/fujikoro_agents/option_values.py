"""`OptionValue`: what an agent thinks of one option of a decision, for analysis.

Agents that compare options have a method `values() -> list[OptionValue]`, which describes their last decision, with
the best option first.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class OptionValue:
    """What an agent thinks of one option.

    * `what`: name of the option
    * `worth`: what the agent expects from it, in its own `unit`
    * `action`: number of the action; None if the option is an aim, which may take several actions
    * `space`: number of the space that an aim is about, or None
    """

    what: str
    worth: float
    unit: str
    action: int | None = None
    space: int | None = None

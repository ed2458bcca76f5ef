"""Writes rules/engine/dispatch.py of each game from its table of phases: `python tools/make_phases.py`.

kernel/dispatching.py has the details. An incomplete phase is reported in one line that says what is missing.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final, TypeAlias

from fujikoro_env.kernel import dispatching
from fujikoro_env.kernel.dispatching import Function, faults_of_functions
from fujikoro_env.kernel.records import dtype_of
from fujikoro_env.rules.base.phase_entry import Holds, Keeps, PhaseEntry, Whom
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC, Phase
from fujikoro_env.rules.base.state import Frame

Table: TypeAlias = dict[str, PhaseEntry]  # by name

TABLE: Final[Table] = {name: phase.entry for name, phase in Phase.__members__.items() if phase}
SISTERS: Final = ("fuji_env",)
ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "fujikoro_env" / "rules"
PACKAGE = "fujikoro_env.rules"
DISPATCH = RULES / "engine" / "dispatch.py"
SLOTS = tuple(name for name in dtype_of(Frame).names or () if name not in ("phase", "actor"))


def find_functions(folder: Path = RULES) -> list[Function]:
    """All functions of the chapters called `legal_...`, `do_...` or `go_...`."""
    return dispatching.find_functions(folder, PACKAGE, DISPATCH)


# Faults


def faults(table: Table, functions: list[Function]) -> list[str]:
    """Everything that keeps the phases from being complete, one line each."""
    entries = [line for name, entry in table.items() for line in _faults_of_entry(name, entry, table)]
    of_functions = faults_of_functions(_asks(table), functions)
    return [*entries, *_faults_of_numbers(table), *_faults_of_players(table), *of_functions]


def _faults_of_entry(name: str, entry: PhaseEntry, table: Table) -> Iterator[str]:
    asks = entry.number < FIRST_AUTOMATIC
    if asks and (not entry.question or entry.step):
        yield f"{name} asks (its number is below {int(FIRST_AUTOMATIC)}), so it needs a question, no step"
    if not asks and (not entry.step or entry.question):
        yield f"{name} goes on by itself (its number is {entry.number}), so it needs a step, no question"
    if asks and entry.whom == Whom.NOBODY:
        yield f"{name} asks, so it must say whom"
    if not entry.rules:
        yield f"{name} names no rule"
    if not entry.lies_on and name != Phase.TURN.name:
        yield f"{name} does not say what it may lie on; only {Phase.TURN.name} lies on nothing"
    for ground in [each.ground for each in entry.lies_on if isinstance(each.ground, str)]:
        if ground not in table:
            yield f"{name} may lie on {ground}, which is no phase"
    if len({each.ground for each in entry.lies_on}) < len(entry.lies_on):
        yield f"{name} names a frame twice that it may lie on"
    for field in entry.keeps:
        yield from _faults_of_field(f"{name}.{field.name}", field, asks)
    names = [field.name for field in entry.keeps]
    for doubled in sorted({each for each in names if names.count(each) > 1}):
        yield f"{name} has two fields called {doubled}"
    if len({(field.slot, field.stage) for field in entry.keeps}) < len(entry.keeps):
        yield f"{name} keeps two things in one slot"


def _faults_of_field(where: str, field: Keeps, asks: bool) -> Iterator[str]:
    if field.slot not in SLOTS:
        yield f"{where} is kept in {field.slot}, but frames have {', '.join(SLOTS)}"
    if not field.doc:
        yield f"{where} does not say what it means"
    if field.holds in (Holds.NUMBER, Holds.RESOURCES) and field.most <= field.least:
        yield f"{where} needs its greatest number"
    # Observations look for players only there, and would show others as absolute numbers (observation/numbers.py).
    in_thing, in_at = (field.slot == "thing" and field.stage is None), (field.slot == "at" and field.stage is not None)
    if field.holds == Holds.PLAYER and not in_thing and not in_at:
        yield f"{where} holds a player, so its slot must be `thing`, in all stages, or `at`, in one stage"
    if field.holds == Holds.PLAYER_OR_NONE and not (in_thing and not asks):
        yield f"{where} holds a player or none, so its slot must be `thing`, of a phase that goes on by itself"


def _faults_of_numbers(table: Table) -> Iterator[str]:
    numbers = [entry.number for entry in table.values()]
    asked = sorted(number for number in numbers if number < FIRST_AUTOMATIC)
    if asked != list(range(1, len(asked) + 1)):
        yield f"phases that ask must be numbered from 1 without gaps, and are {', '.join(map(str, asked))}"
    if len(set(numbers)) < len(numbers):
        yield "two phases have the same number"


def _faults_of_players(table: Table) -> Iterator[str]:
    """Faults of slots that store players. Observations compare with one phase, which is faster than a search
    (observation/numbers.py)."""
    fields = [(name, field) for name, entry in table.items() for field in entry.keeps]
    found = [name for name, field in fields if field.holds == Holds.PLAYER and field.slot == "at"]
    if len(found) != 1:
        yield f"exactly one phase may hold a player in `at`, and these do: {', '.join(found)}"


# Output


def dispatch_source(table: Table, functions: list[Function]) -> str:
    """The text of dispatch.py, as the formatter would leave it."""
    return dispatching.dispatch_source(PACKAGE, _asks(table), functions)


def _asks(table: Table) -> dict[str, bool]:
    return {name: entry.number < FIRST_AUTOMATIC for name, entry in table.items()}


def sister_source(package: str) -> tuple[Path, str]:
    """The path and the text of dispatch.py of a sister game. An incomplete phase ends the program."""
    phases = import_module(f"{package}.rules.base.phases")
    rules = Path(str(phases.__file__)).parents[1]
    dispatch = rules / "engine" / "dispatch.py"
    asks = {name: phase < phases.FIRST_AUTOMATIC for name, phase in phases.Phase.__members__.items() if phase}
    functions = dispatching.find_functions(rules, f"{package}.rules", dispatch)
    if wrong := list(faults_of_functions(asks, functions)):
        sys.exit("\n".join(wrong))
    return dispatch, dispatching.dispatch_source(f"{package}.rules", asks, functions)


def _write(path: Path, source: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != source:
        path.write_text(source, encoding="utf-8")
        print(f"written: {path}")


def main() -> None:
    """Write dispatch.py of all games, or report what is missing."""
    functions = find_functions()
    if wrong := faults(TABLE, functions):
        sys.exit("\n".join(wrong))
    _write(DISPATCH, dispatch_source(TABLE, functions))
    for package in SISTERS:
        _write(*sister_source(package))


if __name__ == "__main__":
    main()

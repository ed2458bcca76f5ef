"""Writes fujikoro_env/rules/engine/dispatch.py from the table of phases: `python tools/make_phases.py`.

Numba can't cache code that is generated at run time, so the `match` blocks that call the functions of each phase are a
committed file. The functions are found by name in the chapters of the rules: `legal_<phase>` and `do_<phase>` for a
phase that asks, `go_<phase>` for one that runs by itself. The source is read, not imported, so the tool also works
while dispatch.py names functions that no longer exist. An incomplete phase is reported in one line that says what is
missing.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from fujikoro_env.kernel.records import dtype_of
from fujikoro_env.rules.base.phase_entry import Holds, Keeps, PhaseEntry, Whom
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC, Phase
from fujikoro_env.rules.base.state import Frame

Table: TypeAlias = dict[str, PhaseEntry]  # by name

TABLE: Final[Table] = {name: phase.entry for name, phase in Phase.__members__.items() if phase}
ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "fujikoro_env" / "rules"
DISPATCH = RULES / "engine" / "dispatch.py"
LINE = 120
# Parameters that the functions of a phase may take, in this order. Only the last is required, and for `go_` none.
PARAMETERS = {"legal": ("s", "t", "mask"), "do": ("s", "t", "action"), "go": ("s", "t")}
NEEDED = {"legal": ("mask",), "do": ("s", "action"), "go": ("s",)}
SLOTS = tuple(name for name in dtype_of(Frame).names or () if name not in ("phase", "actor"))


@dataclass(frozen=True)
class Function:
    """A function of the rules whose name marks it as part of a phase."""

    name: str
    module: str
    parameters: tuple[str, ...]

    @property
    def verb(self) -> str:
        """First word of the name: `legal`, `do` or `go`."""
        return self.name.partition("_")[0]


def find_functions(folder: Path = RULES) -> list[Function]:
    """All functions of the chapters called `legal_...`, `do_...` or `go_...`."""
    paths = [path for path in sorted(folder.rglob("*.py")) if path != DISPATCH]
    return [function for path in paths for function in _functions_in(path, _module_of(path, folder))]


def _module_of(path: Path, folder: Path) -> str:
    return ".".join(("fujikoro_env.rules", *path.relative_to(folder).with_suffix("").parts))


def _functions_in(path: Path, module: str) -> Iterator[Function]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and re.match(r"(legal|do|go)_", node.name):
            yield Function(node.name, module, tuple(each.arg for each in node.args.args))


# Faults


def faults(table: Table, functions: list[Function]) -> list[str]:
    """Everything that keeps the phases from being complete, one line each."""
    entries = [line for name, entry in table.items() for line in _faults_of_entry(name, entry, table)]
    return [*entries, *_faults_of_numbers(table), *_faults_of_players(table), *_faults_of_functions(table, functions)]


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


def _faults_of_functions(table: Table, functions: list[Function]) -> Iterator[str]:
    wanted = {f"{verb}_{name.lower()}": name for name, entry in table.items() for verb in _verbs(entry)}
    found: dict[str, Function] = {}
    for function in functions:
        if function.name not in wanted:
            yield f"{function.name} in {function.module} belongs to no phase"
        elif function.name in found:
            yield f"{function.name} is in {found[function.name].module} and in {function.module}"
        elif not _takes_what_it_may(function):
            allowed = ", ".join(PARAMETERS[function.verb])
            yield f"{function.name} takes ({', '.join(function.parameters)}), but may take ({allowed}) in this order"
        found.setdefault(function.name, function)
    for name, phase in wanted.items():
        if name not in found:
            yield f"{phase} has no function {name} in the rules"


def _verbs(entry: PhaseEntry) -> tuple[str, ...]:
    return ("legal", "do") if entry.number < FIRST_AUTOMATIC else ("go",)


def _takes_what_it_may(function: Function) -> bool:
    taken = tuple(name for name in PARAMETERS[function.verb] if name in function.parameters)
    return function.parameters == taken and all(name in taken for name in NEEDED[function.verb])


# Output

HEAD = '''\
"""Calls the functions of the phase on top of the stack. Written by tools/make_phases.py: do not edit."""
'''

LEGAL = '''
@rule
def legal(s: State, t: Tables, mask: Words) -> None:
    """Mark what may be answered to the question on top of the stack."""
    clear(mask)
    match top(s).phase:
'''

DO = '''
@rule
def do(s: State, t: Tables, action: int) -> None:
    """Carry out a legal answer."""
    match top(s).phase:
'''

GO = '''
@rule
def go(s: State, t: Tables) -> None:
    """Take the step that the top frame stands for."""
    match top(s).phase:
'''

NO_PHASE = """\
        case _:  # a damaged record: without this the game would never come to its next decision
            s.fault = Fault.NO_LEGAL_ACTION
"""

ALWAYS_IMPORTED = {
    "fujikoro_env.kernel.jit": ["Words", "rule"],
    "fujikoro_env.kernel.masks": ["clear"],
    "fujikoro_env.rules.base.frames": ["top"],
    "fujikoro_env.rules.base.names": ["Fault"],
    "fujikoro_env.rules.base.phases": ["Phase"],
    "fujikoro_env.rules.base.state": ["State"],
    "fujikoro_env.rules.base.tables": ["Tables"],
}


def dispatch_source(table: Table, functions: list[Function]) -> str:
    """The text of dispatch.py, as the formatter would leave it."""
    by_name = {function.name: function for function in functions}
    heads = {"legal": LEGAL, "do": DO, "go": GO}
    legal, do, go = (head + _cases(verb, table, by_name) for verb, head in heads.items())
    return "\n".join((HEAD, _imports(functions), legal, do, go + NO_PHASE))


def _imports(functions: list[Function]) -> str:
    names = {module: list(always) for module, always in ALWAYS_IMPORTED.items()}
    for function in functions:
        names.setdefault(function.module, []).append(function.name)
    return "".join(_import(module, names[module]) for module in sorted(names))


def _import(module: str, names: list[str]) -> str:
    ordered = sorted(names, key=lambda name: (name.islower(), name))  # classes first
    line = f"from {module} import {', '.join(ordered)}\n"
    if len(line) <= LINE + 1:
        return line
    return "".join((f"from {module} import (\n", *(f"    {name},\n" for name in ordered), ")\n"))


def _cases(verb: str, table: Table, by_name: dict[str, Function]) -> str:
    phases = [name for name, entry in table.items() if verb in _verbs(entry)]
    return "".join(_case(name, by_name[f"{verb}_{name.lower()}"]) for name in phases)


def _case(phase: str, function: Function) -> str:
    return f"        case Phase.{phase}:\n            {function.name}({', '.join(function.parameters)})\n"


def main() -> None:
    """Write dispatch.py, or report what is missing."""
    functions = find_functions()
    if wrong := faults(TABLE, functions):
        sys.exit("\n".join(wrong))
    source = dispatch_source(TABLE, functions)
    if not DISPATCH.exists() or DISPATCH.read_text(encoding="utf-8") != source:
        DISPATCH.write_text(source, encoding="utf-8")
        print(f"written: {DISPATCH.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

"""Source of the `match` blocks that call the functions of each phase of a game.

Numba can't cache code that is generated at run time, so a game's `rules/engine/dispatch.py` is a committed file,
written by tools/make_phases.py. The functions are found by name in the chapters of the rules: `legal_<phase>` and
`do_<phase>` for a phase that asks, `go_<phase>` for one that runs by itself. The source is read, not imported, so this
also works while dispatch.py names functions that no longer exist.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LINE: Final = 120
# Parameters that the functions of a phase may take, in this order. Only the last is required, and for `go_` none.
PARAMETERS: Final = {"legal": ("s", "t", "mask"), "do": ("s", "t", "action"), "go": ("s", "t")}
NEEDED: Final = {"legal": ("mask",), "do": ("s", "action"), "go": ("s",)}
Asks = Mapping[str, bool]  # by name of the phase: whether it asks, or runs by itself


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


def find_functions(rules: Path, package: str, dispatch: Path) -> list[Function]:
    """All functions in the folder of a game's rules, `package`, that are called `legal_...`, `do_...` or `go_...`."""
    paths = [path for path in sorted(rules.rglob("*.py")) if path != dispatch]
    return [function for path in paths for function in _functions_in(path, _module_of(path, rules, package))]


def _module_of(path: Path, rules: Path, package: str) -> str:
    return ".".join((package, *path.relative_to(rules).with_suffix("").parts))


def _functions_in(path: Path, module: str) -> Iterator[Function]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and re.match(r"(legal|do|go)_", node.name):
            yield Function(node.name, module, tuple(each.arg for each in node.args.args))


# Faults


def faults_of_functions(phases: Asks, functions: Sequence[Function]) -> Iterator[str]:
    """Everything that keeps the functions from being complete, one line each."""
    wanted = {f"{verb}_{name.lower()}": name for name, asks in phases.items() for verb in verbs(asks)}
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


def verbs(asks: bool) -> tuple[str, ...]:
    """First words of the functions that a phase has."""
    return ("legal", "do") if asks else ("go",)


def _takes_what_it_may(function: Function) -> bool:
    taken = tuple(name for name in PARAMETERS[function.verb] if name in function.parameters)
    return function.parameters == taken and all(name in taken for name in NEEDED[function.verb])


# Output

HEAD = '''\
"""Calls the functions of the phase on top of the stack. Written by tools/make_phases.py: do not edit."""
'''

HEADS: Final = {
    "legal": '''
@rule
def legal(s: State, t: Tables, mask: Words) -> None:
    """Mark what may be answered to the question on top of the stack."""
    clear(mask)
    match top(s).phase:
''',
    "do": '''
@rule
def do(s: State, t: Tables, action: int) -> None:
    """Carry out a legal answer."""
    match top(s).phase:
''',
    "go": '''
@rule
def go(s: State, t: Tables) -> None:
    """Take the step that the top frame stands for."""
    match top(s).phase:
''',
}

NO_PHASE = """\
        case _:  # a damaged record: without this the game would never come to its next decision
            s.fault = Fault.NO_LEGAL_ACTION
"""


def dispatch_source(package: str, phases: Asks, functions: Sequence[Function]) -> str:
    """The text of dispatch.py in the rules `package`, as the formatter would leave it."""
    by_name = {function.name: function for function in functions}
    legal, do, go = (head + _cases(verb, phases, by_name) for verb, head in HEADS.items())
    return "\n".join((HEAD, _imports(package, functions), legal, do, go + NO_PHASE))


def _imports(package: str, functions: Sequence[Function]) -> str:
    names = {
        "fujikoro_env.kernel.jit": ["Words", "rule"],
        "fujikoro_env.kernel.masks": ["clear"],
        f"{package}.base.frames": ["top"],
        f"{package}.base.names": ["Fault"],
        f"{package}.base.phases": ["Phase"],
        f"{package}.base.state": ["State"],
        f"{package}.base.tables": ["Tables"],
    }
    for function in functions:
        names.setdefault(function.module, []).append(function.name)
    return "".join(_import(module, names[module]) for module in sorted(names))


def _import(module: str, names: list[str]) -> str:
    ordered = sorted(names, key=lambda name: (name.islower(), name))  # classes first
    line = f"from {module} import {', '.join(ordered)}\n"
    if len(line) <= LINE + 1:
        return line
    return "".join((f"from {module} import (\n", *(f"    {name},\n" for name in ordered), ")\n"))


def _cases(verb: str, phases: Asks, by_name: Mapping[str, Function]) -> str:
    return "".join(
        _case(name, by_name[f"{verb}_{name.lower()}"]) for name, asks in phases.items() if verb in verbs(asks)
    )


def _case(phase: str, function: Function) -> str:
    return f"        case Phase.{phase}:\n            {function.name}({', '.join(function.parameters)})\n"

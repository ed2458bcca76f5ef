"""Writes what of the documentation comes from tables in the code: `python tools/make_docs.py`.

One function per page; those of `fujikoro_v0` and docs/positions.md renew the tables in a text written by hand. A test
compares the files with what this makes, so nobody reads of an action or a column that is not there.
"""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

from fujikoro_env.observation import FIELDS, Column, Part, compact
from fujikoro_env.observation import reach as ways
from fujikoro_env.rules.base.actions import ACTIONS, TABLE, Block
from fujikoro_env.rules.base.counters import COUNTERS, VP_SOURCES, Counter
from fujikoro_env.rules.base.phase_entry import Keeps, On, PhaseEntry, Whom
from fujikoro_env.rules.base.phases import QUESTIONS, Phase
from fujikoro_env.rules.scenarios.terms import TERMS
from fujikoro_env.scenarios import SCENARIOS, Scenario

ROOT = Path(__file__).resolve().parent.parent
MODULE = ROOT / "fujikoro_env" / "fujikoro_v0.py"
POSITIONS = ROOT / "docs" / "positions.md"
NOTICE = "<!-- Written by tools/make_docs.py: change what it is made from, and run it. -->"
MOST_LISTED = 8  # arguments of an action; of more, the first and the last are shown


def markdown_table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


# The environment


def field_table() -> str:
    rows = [(f"`{field.name}`", field.shape, field.doc) for field in FIELDS]
    return markdown_table(("field", "shape", "what it tells"), rows)


def block_table() -> str:
    rows = [(_example(block), block.first, block.size, block.doc) for block in TABLE.values()]
    return markdown_table(("action", "first", "size", "what it does"), rows)


def _example(block: Block) -> str:
    return f"`{block.name}({block.arguments[0]})`" if block.arguments else f"`{block.name}`"


def environment_module() -> str:
    """The source of `fujikoro_v0` with the tables in its docstring renewed."""
    source = MODULE.read_text()
    for table in (field_table(), block_table()):
        source = _renewed(source, table)
    return re.sub(r"Discrete\(\d+\)", f"Discrete({ACTIONS})", source)


def _renewed(text: str, table: str) -> str:
    """The text with the table of the same head replaced."""
    head = table.partition("\n")[0]
    return re.sub(rf"^{re.escape(head)}(\n\|.*)*", lambda _: table, text, flags=re.MULTILINE)


def environment_page() -> str:
    docstring = ast.get_docstring(ast.parse(environment_module())) or ""
    return "\n\n".join((NOTICE, docstring, COLUMNS_INTRODUCTION, *map(_field_section, FIELDS)))


COLUMNS_INTRODUCTION = """\
## Every column

Pictures are `uint8`, numbers are `int16`. A column takes up the indices given, along the axis of planes in a picture
and along the last axis of numbers, and each of its numbers lies between `low` and `high`."""


def _field_section(field: Part) -> str:
    shape = f"{'pictures' if field.grid else 'numbers'} of the shape {field.shape}: {field.doc}"
    rows = [(_indices(field, c), f"`{c.name}`", f"{c.low} to {_most(c)}", c.doc) for c in field.columns]
    return f"### `{field.name}`\n\n{shape}\n\n{markdown_table(('index', 'column', 'numbers', 'what it tells'), rows)}"


def _indices(field: Part, column: Column) -> str:
    where = field.slices[column.name]
    return f"{where.start}" if column.width == 1 else f"{where.start} to {where.stop - 1}"


# Actions and questions


def actions_page() -> str:
    rows = [(f"`{b.name}`", b.first, b.size, _arguments(b), b.doc) for b in TABLE.values()]
    blocks = markdown_table(("block", "first", "size", "arguments", "what it does"), rows)
    phases = markdown_table(("phase", "name", "question"), [(int(p), f"`{p.name}`", q) for p, q in QUESTIONS.items()])
    return f"{NOTICE}\n\n{ACTIONS_INTRODUCTION}\n\n{blocks}\n\n{PHASES_INTRODUCTION}\n\n{phases}"


ACTIONS_INTRODUCTION = f"""\
# Actions and questions

An action is a number from 0 to {ACTIONS - 1}. The numbers are dealt out in blocks: an action is the first number of its
block and the index of its argument. The same blocks serve every question, player count and setting; which actions are
legal now is in `Game.legal_mask()`, or in the `action_mask` of an observation.

Every action has a name, `step(ring2.4/petal3)` or `done`, that `Game.action_name` gives and `Game.parse_action` reads.
Cards and open scrolls are numbered by their slot on the table; in a game they go by the name of what lies there."""

PHASES_INTRODUCTION = """\
## Questions

The game always stands at one question to one player: `Game.phase` says which, `Game.actor` whom. [phases.md](phases.md)
says more about each of them."""


# Phases


def phases_page() -> str:
    asking = [phase for phase in Phase if phase.entry.question]
    going = [phase for phase in Phase if phase.entry.step]
    columns = ("phase", "name", "question", "rules", "whom it asks", "what it may lie on")
    questions = markdown_table(columns, [_phase_row(phase.name, phase.entry) for phase in asking])
    columns = ("phase", "name", "what it does", "rules", "whose it is", "what it may lie on")
    steps = markdown_table(columns, [_phase_row(phase.name, phase.entry) for phase in going])
    rows = [_kept_row(phase.name, field) for phase in Phase for field in phase.entry.keeps]
    fields = markdown_table(("name", "key", "field of `Frame`", "holds", "what it means"), rows)
    parts = (NOTICE, PHASE_TABLE_INTRODUCTION, questions, STEPS_INTRODUCTION, steps, FRAMES_INTRODUCTION, fields)
    return "\n\n".join(parts)


def _phase_row(name: str, entry: PhaseEntry) -> tuple[object, ...]:
    does = entry.question or entry.step
    grounds = "; ".join(_ground(each, entry.whom) for each in entry.lies_on) or "nothing"
    return entry.number, f"`{name}`", does, ", ".join(entry.rules), entry.whom.value, grounds


def _ground(each: On, usually: Whom) -> str:
    name = f"`{each.ground}`" if isinstance(each.ground, str) else f"`MAGIC_REFRESH` after {each.ground.value}"
    stages = f" at stage {' or '.join(map(str, each.stages))}" if each.stages else ""
    asks = f" ({each.whom.value})" if each.whom and each.whom != usually else ""
    return f"{name}{stages}{asks}"


def _kept_row(name: str, field: Keeps) -> tuple[object, ...]:
    bounds = f" from {field.least} to {field.most}" if field.most else ""
    stage = "" if field.stage is None else f" (at stage {field.stage})"
    return f"`{name}`", f"`{field.name}`", f"`{field.slot}`{stage}", f"{field.holds.value}{bounds}", field.doc


def positions_page() -> str:
    """docs/positions.md with its table of frames renewed."""
    rows = [(f"`{phase.name}`", _keys(phase.entry)) for phase in Phase if phase]
    return _renewed(POSITIONS.read_text(), markdown_table(("phase", "keys"), rows))


def _keys(entry: PhaseEntry) -> str:
    whose = [] if entry.whom == Whom.NOBODY else ["`player`"]
    return ", ".join([*whose, *(f"`{field.name}` ({field.doc})" for field in entry.keeps)]) or "none"


PHASE_TABLE_INTRODUCTION = """\
# Phases

A game keeps a stack of frames. Each frame stands for a phase: a question to a player, or a step that the game takes by
itself. The top frame is what is asked or done next, and those below wait. `Phase` (in
`fujikoro_env/rules/base/phases.py`) is the table from which this page, the dispatch of the engine, positions,
observations and pictures follow; [architecture.md](architecture.md#how-to-add-a-phase) says how to add to it.

The last column says at which stage the frame below may be, and whom the phase asks there if it is not the usual player.
A frame of `MAGIC_REFRESH` follows an action, an eruption, a token's craft or a fight.

## Questions"""

STEPS_INTRODUCTION = """\
## Steps

Phases from 64 on ask nothing."""

FRAMES_INTRODUCTION = """\
## What frames keep

Besides its phase and its player (`actor`) a frame keeps what is listed here; all other fields are 0. The key is the
name in positions ([positions.md](positions.md))."""


# The compact observation


def compact_page() -> str:
    return "\n\n".join((NOTICE, COMPACT_INTRODUCTION, *map(_part_section, compact.PARTS)))


def _value(tier: int) -> str:
    return str(ways.VALUES[tier])


COMPACT_INTRODUCTION = f"""\
# The compact observation

`BatchedGames.observe("compact")` gives a row of {compact.WIDTH} `float32` for each game, the same for every player
count. The observer is seat 0, and the others follow in playing order. Every number is a whole number divided by the
`most` of its column and cut off at 1, so all lie between `low` and 1; what is not there is 0, and what the observer
can't see is not written. `fujikoro_env.observation.compact_columns("players")["vp"]` finds a column in a row.

A small network that sees each space of the map as a number of its own has a hard time finding ways, so ways are spelled
out. `loot`, `frontier` and `dragons` say how good it is to stand on a space for gathering, exploring and meeting
dragons: they are greatest where the thing is and a quarter less with each step that it takes to walk there, and 0 from
step {ways.LEVELS} on. They are written when the observer is asked what to do or where to go, for its own space and for
those beside it, among which it chooses its next step. What things are worth is a rough guess of ours: an exit
{_value(ways.EXIT_TIER)}, a scroll of the observer's colour, a monk, an adventure or a blueprint that it may have
{_value(ways.FIND_TIER)}, a token {", ".join(map(_value, ways.TOKEN_TIERS))} by level of its tile, the stock
{_value(ways.STOCK_TIER)}; a place to explore {", ".join(map(_value, ways.FRONTIER_TIERS))} by level; a dragon
{_value(ways.DRAGON_TIER)}, each of {ways.FULL}."""


def _part_section(part: Part) -> str:
    where = f"{compact.STARTS[part.name]} to {compact.STARTS[part.name] + part.width - 1}"
    rows = [(f"`{c.name}`", c.width, _most(c), f"{c.low:g}", c.doc) for c in part.columns]
    table = markdown_table(("column", "numbers", "most", "low", "what it tells"), rows)
    return f"## `{part.name}`: {where}\n\n{part.doc}; {part.rows} x {part.row_width} numbers\n\n{table}"


def _most(column: Column) -> str:
    return ", ".join(map(str, column.highs)) if isinstance(column.most, tuple) else str(column.most)


def _arguments(block: Block) -> str:
    shown = [f"`{argument}`" for argument in block.arguments]
    if len(shown) > MOST_LISTED:
        return f"{shown[0]}, {shown[1]}, ... {shown[-1]}"
    return ", ".join(shown)


# Scenarios


def scenarios_page() -> str:
    rows = [(each.number, f"`{each.name}`", each.title, _played_in(each), _changes(each)) for each in SCENARIOS]
    scenarios = markdown_table(("number", "name", "title", "played", "numbers and terms that it brings"), rows)
    terms = markdown_table(("term", "rule", "what it says"), [(f"`{t.name}`", *said) for t, said in TERMS.items()])
    parts = (NOTICE, SCENARIOS_INTRODUCTION, scenarios, TERMS_INTRODUCTION, terms, WRITING_A_SCENARIO)
    return "\n\n".join(parts)


def _played_in(scenario: Scenario) -> str:
    modes = "solo" if scenario.solo else " and ".join(scenario.modes)
    return f"{modes}, symmetric boards" if scenario.symmetric else modes


def _changes(scenario: Scenario) -> str:
    numbers = {name: getattr(scenario, name) for name in ("final_at", "lava_at", "lava_after")}
    said = [f"`{name}={value}`" for name, value in numbers.items() if value]
    if scenario.rounds:
        said.append(f"{scenario.rounds.group} rounds before the final ones, {scenario.rounds.solo} alone")
    if scenario.has_vp:
        said.append("VP")
    return ", ".join([*said, *(f"`{term.name}`" for term in scenario.terms)])


SCENARIOS_INTRODUCTION = """\
# Scenarios

`Rules(scenario=7)`, `Rules(scenario="ronin")` or `fujikoro watch --scenario 7`: by number or name. The mode is then the
first that the scenario is for, unless you name another; what a scenario is not for gets one line that names the rule.
Scenarios go with adventure tokens, and with characters where the table does not say symmetric boards. Their rules are
chapter SCEN of [rules.md](rules.md), and how we read them stands in [decisions.md](decisions.md)."""

TERMS_INTRODUCTION = """\
## Terms

A term is one change of the rules that a chapter of the engine knows by name."""

WRITING_A_SCENARIO = """\
## Writing one

1. **Say what it changes** in `fujikoro_env/scenarios.py`: one entry of `SCENARIOS` with its number, name and title, the
   rule that says where it is played, its modes, the numbers that differ, and its terms. If all it needs is there
   already, that is all: settings, positions as JSON, records, the command line and this page follow.

   ```python
   Scenario(
       9, "lonely_hunters", "Lonely hunters", "FINAL-1", (COMPETITIVE,), (Term.FIGHTS_ALONE, Term.TROPHIES), final_at=25
   )
   ```

2. **A new change is a new term**: a name in `Term` and a line in `TERMS` (`fujikoro_env/rules/scenarios/terms.py`). The
   chapter that it changes asks `holds(s, Term.YOURS)` at the one place where the game goes another way; what is more
   than a few lines gets a file of its own in `rules/scenarios/`, as `survival.py`, `tame.py` or `monk_fight.py`. Never
   ask for a scenario's number in a rule: two scenarios may share a term.
3. **New questions** get a phase ([architecture.md](architecture.md#how-to-add-a-phase)), new things a field of the
   record (`rules/base/state.py`), a place in positions (`fujikoro_env/position/`), and a column of the observation.
   What is not in use is zero.
4. **Prove it**: tests that name the rule, in `tests/scenarios/test_scenario_<n>.py`; invariants and the book of VP if
   it brings pieces or points. `make test` and `make fuzz` play random games of every scenario, and `make goldens` keeps
   one of each."""


# Counters


def counters_page() -> str:
    rows = [(f"`{name}`", "see below" if name == "vp" else _labels(c), c.doc) for name, c in COUNTERS.items()]
    counters = markdown_table(("counter", "labels", "what it counts"), rows)
    named = [(f"`{source.name.lower()}`", rule, doc) for source, (rule, doc) in VP_SOURCES.items()]
    sources = markdown_table(("source", "rule", "VP for"), named)
    parts = (NOTICE, COUNTERS_INTRODUCTION, counters, SOURCES_INTRODUCTION, sources, ADDING_A_COUNTER)
    return "\n\n".join(parts)


def _labels(counter: Counter) -> str:
    return ", ".join(f"`{label}`" for label in counter.labels)


COUNTERS_INTRODUCTION = """\
# Counters

A game counts what each player does: where its VP came from, its fights and duels, what it explored and crafted. The
counters are for research and for end screens. No rule reads them and observations do not show them, but they are
public: `view` and `determinize` keep them.

```python
game.counts[0]["fights_won"]["red"]  # so far, by player, counter and label
game.outcome.players[0].counts["vp"]["dragons"]  # when the game is over
game.outcome.players[0].left  # "palace", "foot" or None; left_order and left_round say when
batch.states["counts"]["crafts"]  # (games, 6, 3): all games of a BatchedGames at once
```

Positions ([positions.md](positions.md)) have them in `counts` of each player, and recordings
([recordings.md](recordings.md)) in their `outcome`, both without those that are 0."""

SOURCES_INTRODUCTION = """\
## Sources of VP

The sources of a player add up to its VP at every decision, and the fuzzer compares each of them with a second book
([testing.md](testing.md)). A position written by hand need not name them: then all its VP are `unknown`. If it does,
they must add up."""

ADDING_A_COUNTER = """\
## What they cost

The counters take 696 bytes of a record of about 6 KB. They lie behind everything that steps read, and fetching a game
ahead of its step leaves them out. What the counting alone costs was not measured; it is rare.

Random games in a batch of 1,024 were compared with the same code without counters, in alternating turns on a busy
machine with two cores. With the counters inside each player they ran at 0.96 of the speed (plus or minus 0.02), with
the counters at the end at 0.97 (plus or minus 0.03); an earlier run with one process for each gave 0.94 and 0.93. So a
gain from the new place is not shown, and a cost of a few percent is not ruled out: measure again on a quiet machine.

## Adding one

Add a field to `Counts` in `fujikoro_env/rules/base/counters.py` (name, labels, one line of documentation) and a line to
the rule that it counts. The record, positions, outcomes, recordings and this page follow; `make goldens` is needed
because the record has changed. Then let `tests/helpers/countbook.py` check it at every decision of the fuzzer."""


def pages() -> dict[Path, str]:
    """What every file that is written here should hold."""
    return {
        MODULE: environment_module(),
        ROOT / "docs" / "environment.md": environment_page() + "\n",
        ROOT / "docs" / "actions.md": actions_page() + "\n",
        ROOT / "docs" / "phases.md": phases_page() + "\n",
        POSITIONS: positions_page(),
        ROOT / "docs" / "compact.md": compact_page() + "\n",
        ROOT / "docs" / "scenarios.md": scenarios_page() + "\n",
        ROOT / "docs" / "counters.md": counters_page() + "\n",
    }


def main() -> None:
    for path, text in pages().items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f"written: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

"""Compilation: never stale, never repeated, in any folder that is writable."""

import json
import os
import random
import shutil
import tempfile
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numba import njit

from fujikoro_env import Game, Pack, Rules, content, load_pack
from fujikoro_env.kernel import cache, jit
from fujikoro_env.kernel.records import Ints, i16s, record, zeros
from fujikoro_env.kernel.streams import wide
from tests.helpers.processes import ROOT, run
from tests.helpers.tables import explore, spaces_of, table

KERNEL = ROOT / "fujikoro_env" / "kernel"
BASE = Path(content.__file__).parent / "base"

needs_compiler = pytest.mark.skipif(jit.INTERPRETED, reason="nothing is compiled")


# A package with two rules in two files, small enough to be compiled in a moment

CALLEE = """
from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.number import NUMBER

@rule
def callee(x: int) -> int:
    return x + NUMBER
"""
CALLER = """
from fujikoro_env.kernel.jit import entry
{how}

@entry
def caller(x: int) -> int:
    return {callee}(x) * 10
"""
MAKER = """
from typing import Any
import numpy as np
from fujikoro_env.kernel.jit import rule

@rule
def callee(x: int) -> Any:
    made: Any = np.zeros(x + 1, np.int64)
    made[x] = x
    return made
"""
USER = """
from fujikoro_env.kernel.jit import entry
{how}

@entry
def caller(x: int) -> int:
    total = 0
    for k in range(x):
        total += {callee}(k)[k]
    return total
"""
GIVERS = """
import numpy as np
from fujikoro_env.kernel.jit import IntArray, IntTable, entry, rule

@rule
def row_and_number(table: IntTable, k: int) -> tuple[IntArray, int]:
    return row(table, k), k

@rule
def row(table: IntTable, k: int) -> IntArray:
    return table[k]

@entry
def caller(x: int) -> int:
    table, total = np.ones((x, x), np.int64), 0
    for k in range(x):
        total += sum_of(table, k)
    return total

@rule
def sum_of(table: IntTable, k: int) -> int:
    found, number = row_and_number(table, k)
    return found[number] * number
"""
BUNDLES = """
from typing import NamedTuple
import numpy as np
from fujikoro_env.kernel.jit import Floats, IntArray, Shorts, entry, rule

class Inner(NamedTuple):
    numbers: IntArray
    scale: float

class Bundle(NamedTuple):
    index: int
    inner: Inner

@rule
def scaled(bundle: Bundle) -> float:
    return bundle.inner.numbers[bundle.index] * bundle.inner.scale

@entry
def scale_by(indices: Shorts, factors: Floats, inner: Inner) -> float:
    widened = Bundle(indices[0], Inner(inner.numbers, factors[0]))
    return scaled(widened) + scaled(Bundle(0, inner))

@entry
def caller(x: int) -> int:
    numbers = np.array([10, 20, 30], np.int64)
    return int(scaled(Bundle(x, Inner(numbers, 2.0))))
"""
USE_BUNDLES = """
import numpy as np
from fujikoro_env.rules.caller import Inner, scale_by
inner = Inner(np.array([1, 2, 300]), 0.5)
print(scale_by(np.array([2], np.int16), np.array([0.25], np.float32), inner))
"""
USE = """
from importlib import import_module
from numba.core.runtime import rtsys
made = 0
for name in {names}:
    result = import_module("fujikoro_env.rules." + name).caller(100)
    stats = rtsys.get_allocation_stats()
    print(result, stats.alloc - made, stats.alloc - stats.free)
    made = stats.alloc
"""
CALL = """
from importlib import import_module
from fujikoro_env.kernel import cache
for name in {names}:
    caller = import_module(name).caller
    print(caller(1), "cached" if caller.stats.cache_hits else "compiled", cache.cache_folder())
"""
USUAL = "fujikoro_env.rules.caller"
WAYS_TO_IMPORT = [
    ("from fujikoro_env.rules.callee import callee", "callee"),
    ("from fujikoro_env.rules import callee as other", "other.callee"),
    ("import fujikoro_env.rules.callee as other", "other.callee"),
    ("from .callee import callee", "callee"),
    ("from . import callee as other", "other.callee"),
]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    return build_house(tmp_path)


def build_house(folder_of_house: Path) -> Path:
    """A small package with our name, the real decorators and two rules."""
    package = folder_of_house / "house" / "fujikoro_env"
    rules, kernel = package / "rules", package / "kernel"
    for folder in (package, rules, kernel):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").touch()
    for name in ("cache.py", "jit.py", "progress.py", "records.py"):
        shutil.copy(KERNEL / name, kernel)
    (rules / "number.py").write_text("NUMBER = 1\n")
    (rules / "callee.py").write_text(CALLEE)
    (rules / "caller.py").write_text(CALLER.format(how=WAYS_TO_IMPORT[0][0], callee="callee"))
    return folder_of_house / "house"


def call(house: Path, *callers: str, **environment: str) -> list[list[str]]:
    """Result of each caller for 1, the origin of its machine code, and where that is stored."""
    settings = {"FUJIKORO_CACHE": str(house.parent / "cache"), **environment}
    return [line.split() for line in run("-c", CALL.format(names=callers), cwd=house, **settings).splitlines()]


def call_usual(house: Path, **environment: str) -> list[str]:
    (found,) = call(house, USUAL, **environment)
    return found


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def module(folder: Path, name: str, text: str) -> Path:
    """Write a module and the packages that contain it."""
    path = folder.joinpath(*name.split(".")).with_suffix(".py")
    path.parent.mkdir(parents=True, exist_ok=True)
    for package in path.relative_to(folder).parents[:-1]:
        (folder / package / "__init__.py").touch()
    path.write_text(text)
    return path


PACKAGES = ("fujikoro_env", "fujikoro_agents", "fujikoro_training", "fujikoro_app", "fuji_env")
# Possible locations of a callee, and how its caller, a module of the rules, imports it
CALLEES = {
    **{how: ("fujikoro_env.rules.callee", how, name) for how, name in WAYS_TO_IMPORT},
    **{f"in {each}": (f"{each}.far.callee", f"from {each}.far.callee import callee", "callee") for each in PACKAGES},
    "in a package itself": ("fujikoro_env.itself.__init__", "from fujikoro_env import itself", "itself.callee"),
    "in a package of somebody else": ("my_agents.callee", "from my_agents.callee import callee", "callee"),
}


def caller_of(case: str) -> str:
    """Name of the module that calls the callee of a case; packages of other people call their own rules."""
    callee, _, _ = CALLEES[case]
    top = callee.partition(".")[0]
    package = "fujikoro_env.rules" if top in PACKAGES else top
    return f"{package}.caller{list(CALLEES).index(case)}"


@pytest.fixture(scope="module")
def before_and_after_an_edit(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], dict[str, str]]:
    """Results of all callers before and after their callees are edited. Only two processes are used, because starting
    one takes longer than compiling a caller. Our packages other than fujikoro_env are in a separate folder, which only
    the import system knows."""
    house = build_house(tmp_path_factory.mktemp("edited"))
    elsewhere = house / "elsewhere"
    callees = set()
    for case, (callee, how, name) in CALLEES.items():
        folder = house if callee.startswith(("fujikoro_env.", "my_agents.")) else elsewhere
        callees.add(module(folder, callee, CALLEE))
        module(house, caller_of(case), CALLER.format(how=how, callee=name))
    path = {"PYTHONPATH": os.pathsep.join((str(house), str(elsewhere)))}
    before = call(house, *map(caller_of, CALLEES), **path)
    for file in callees:
        edit(file, "x + NUMBER", "x - NUMBER")
    after = call(house, *map(caller_of, CALLEES), **path)
    return by_case(before), by_case(after)


def by_case(lines: list[list[str]]) -> dict[str, str]:
    return {case: " ".join(line[:2]) for case, line in zip(CALLEES, lines, strict=True)}


@pytest.mark.parametrize("case", CALLEES)
def test_an_edit_in_another_file_shows(before_and_after_an_edit, case):
    before, after = before_and_after_an_edit
    assert (before[case], after[case]) == ("20 compiled", "0 compiled")


def test_what_has_not_changed_comes_from_the_cache_and_checked_code_is_kept_apart(house):
    rules = house / "fujikoro_env" / "rules"
    assert call_usual(house)[:2] == ["20", "compiled"]
    assert call_usual(house, FUJIKORO_CHECKED="1")[:2] == ["20", "compiled"]
    assert call_usual(house)[:2] == ["20", "cached"]
    edit(rules / "number.py", "1", "2")  # a constant, two files away
    assert call_usual(house)[:2] == ["30", "compiled"]
    edit(rules / "number.py", "2", "1")
    assert call_usual(house)[:2] == ["20", "cached"]


# Location of compiled code


def test_it_works_installed_read_only_and_without_a_home(house, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    files = sorted(house.rglob("*"))
    nowhere = {"FUJIKORO_CACHE": "/dev/null/cache", "HOME": "/dev/null/home", "TMPDIR": str(temporary)}
    for folder in (path for path in (house, *files) if path.is_dir()):
        folder.chmod(0o555)
    result, _, folder = call_usual(house, **nowhere)
    assert result == "20"
    assert Path(folder).parent == temporary
    assert call_usual(house, **nowhere)[1] == "cached"
    assert sorted(house.rglob("*")) == files


def choose_cache_folder():
    return cache.cache_folder.__wrapped__()  # without the memory of an earlier choice


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Separate home and temporary folders for a test."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    monkeypatch.delenv("FUJIKORO_CACHE", raising=False)
    return tmp_path / "home"


def test_the_cache_is_in_the_home(home):
    assert choose_cache_folder() == home / ".cache" / "fujikoro_env"


def test_the_cache_is_where_the_user_wants_it(home, tmp_path, monkeypatch):
    monkeypatch.setenv("FUJIKORO_CACHE", str(tmp_path / "mine" / "here"))
    assert choose_cache_folder() == tmp_path / "mine" / "here"


def test_a_cache_that_is_a_file_is_passed_over(home, tmp_path, monkeypatch):
    (tmp_path / "mine").touch()
    monkeypatch.setenv("FUJIKORO_CACHE", str(tmp_path / "mine"))
    assert choose_cache_folder() == home / ".cache" / "fujikoro_env"


def test_without_a_home_the_cache_is_temporary(home, tmp_path, monkeypatch):
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    assert choose_cache_folder().parent == tmp_path / "temporary"


def test_a_home_that_can_not_be_written_to_is_passed_over(home, tmp_path):
    home.touch()
    assert choose_cache_folder().parent == tmp_path / "temporary"


def test_no_folder_at_all_says_what_to_do(home, tmp_path):
    home.touch()
    (tmp_path / "temporary").touch()
    with pytest.raises(OSError, match="set FUJIKORO_CACHE to one"):
        choose_cache_folder()


# Machine code that can't be used, or can't be kept

SMALL_DISK = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
OTHER_NUMBA = "from numba.core.compiler import CompileResult; CompileResult._rebuild = lambda *_: {}['gone']"


def call_and_complaints(house: Path, first: str = "") -> tuple[list[str], list[str]]:
    """What the usual caller gives and where its machine code came from; and what is said about the cache."""
    code = f"import sys; sys.stderr = sys.stdout\n{first}\n{CALL.format(names=[USUAL])}"
    lines = run("-c", code, cwd=house, FUJIKORO_CACHE=str(house.parent / "cache")).splitlines()
    return lines[-1].split()[:2], [line for line in lines if "machine code" in line]


def the_file(house: Path) -> Path:
    (found,) = (house.parent / "cache").rglob(f"*{cache.SUFFIX}")
    return found


@needs_compiler
def test_damaged_machine_code_is_noticed_and_compiled_again(house):
    assert call_and_complaints(house) == (["20", "compiled"], [])
    content = the_file(house).read_bytes()
    the_file(house).write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    line = f"fujikoro_env: machine code in {house.parent / 'cache'} is not used: a file is damaged"
    assert call_and_complaints(house) == (["20", "compiled"], [line])
    assert call_and_complaints(house) == (["20", "cached"], [])


@needs_compiler
def test_machine_code_that_the_libraries_do_not_understand_is_compiled_again(house):
    assert call_and_complaints(house)[0] == ["20", "compiled"]
    found, complaints = call_and_complaints(house, OTHER_NUMBA)
    assert found == ["20", "compiled"]
    assert len(complaints) == 1


@needs_compiler
def test_a_full_disk_does_not_end_the_run(house):
    found, complaints = call_and_complaints(house, SMALL_DISK)
    assert found == ["20", "compiled"]
    assert complaints == [f"fujikoro_env: machine code is not kept in {house.parent / 'cache'}: File too large"]
    assert [path for path in (house.parent / "cache").rglob("*") if path.is_file()] == []


# Compiled once

COUNT = """
import json
import sys
from numba.core.registry import CPUDispatcher
from fujikoro_env.kernel import jit
from tests.helpers.sample_games import digests

jit.compile_entries()
digests()
places = ("fujikoro_env.rules.", "fujikoro_env.kernel.")
modules = [module for name, module in sys.modules.items() if name.startswith(places)]
found = {id(rule): rule for module in modules for rule in vars(module).values() if isinstance(rule, CPUDispatcher)}
signatures = {rule.py_func.__module__ + '.' + rule.py_func.__name__: len(rule.signatures) for rule in found.values()}
misses = sum(sum(rule.stats.cache_misses.values()) for rule in found.values())
hits = sum(sum(rule.stats.cache_hits.values()) for rule in found.values())
print(json.dumps({"signatures": signatures, "misses": misses, "hits": hits}))
"""


@pytest.mark.slow
@pytest.mark.long
@needs_compiler
def test_every_rule_is_compiled_exactly_once(tmp_path):
    cold = json.loads(run("-c", COUNT, FUJIKORO_CACHE=str(tmp_path)))
    reached = {name: count for name, count in cold["signatures"].items() if count != 0}
    assert len(reached) > 100
    assert {name: count for name, count in reached.items() if count != 1} == {}
    # Entries that another process compiled meanwhile come from the cache.
    assert cold["misses"] + cold["hits"] == len(reached)
    assert cold["hits"] < 20
    warm = json.loads(run("-c", COUNT, FUJIKORO_CACHE=str(tmp_path)))
    assert warm["misses"] == 0


@needs_compiler
def test_the_first_call_of_an_entry_checks_its_arrays(monkeypatch):
    monkeypatch.setattr(jit, "ENTRIES", [])

    @jit.entry
    def corner(table: jit.FloatTable, more: int) -> float:
        return table[0][0] + more

    tables: list[Any] = [np.zeros(3, np.float32), np.zeros((2, 2)), np.zeros((2, 4), np.float32)[:, ::2]]
    for wrong in tables:
        with pytest.raises(TypeError, match=r"corner: argument 0 is array\(.*, not array\(float32, 2d, C\)"):
            corner(wrong, 1)
    assert corner(cast(Any, np.ones((2, 2), np.float32)), 1) == 2


@needs_compiler
def test_a_parameter_without_a_type_is_named():
    def untyped(s, number: int) -> int:
        return number

    with pytest.raises(TypeError, match="untyped needs a type for s: it is compiled for its annotations"):
        jit.rule(untyped)


@pytest.mark.skipif(jit.INTERPRETED or jit.CHECKED, reason="rules may be called from Python")
def test_an_internal_rule_does_not_crash_python():
    with pytest.raises(TypeError, match="wide is an internal rule: call an entry, or set NUMBA_DISABLE_JIT=1"):
        wide(1)


# Two packs in one process


@pytest.fixture
def variant(tmp_path: Path) -> Path:
    """A pack with another tile, other dice and more wood."""
    pack = Path(shutil.copytree(BASE, tmp_path / "variant"))
    edit(pack / "pack.toml", 'edition = "rulebook"', 'edition = "test"\nchanges = "a tile, a die, the wood"')
    tile = '["-", "square", "-", "scroll pink", "+4", "monk", "-"]'
    edit(pack / "tiles.toml", tile, '["monk", "monk", "-", "monk", "+4", "monk", "-"]')
    edit(pack / "dice.toml", '["0", "0", "1", "1", "1", "1*"]', '["0", "0", "0", "0", "0", "5*"]')
    edit(pack / "supply.toml", "wood = 60", "wood = 70")
    return pack


def random_game(pack: str | Path | Pack):
    """Plays 300 random decisions. Yields after each of them, and returns the digest at the end."""
    game, luck = Game(Rules(content=pack), seed=3), random.Random(3)
    for _ in range(300):
        game.step(luck.choice(game.legal_actions()))
        yield None
    yield game.digest()


def test_two_packs_play_side_by_side_on_one_compile(variant):
    list(random_game("base"))
    compiled = jit.PROGRESS.done
    packs = ("base", variant, load_pack("base").changed({"supply.wood": 50, "tiles.mossy_gate": None}))
    alone = [list(random_game(pack))[-1] for pack in packs]
    together = list(zip(*map(random_game, packs), strict=True))[-1]
    assert list(together) == alone
    assert len(set(alone)) == 3
    assert jit.PROGRESS.done == compiled


def test_each_pack_has_its_own_effect(variant):
    base, other = (table(content=pack) for pack in ("base", variant))
    assert other.state.supply[0] - base.state.supply[0] == 10
    for game in (base, other):
        explore(game, "ring1.0", "mossy_gate")
    monks = [int(game.state.monk[list(spaces_of("ring1.0"))].sum()) for game in (base, other)]
    assert monks == [1, 4]
    base.load_dice(["W1*"])
    other.load_dice(["W5*"])
    with pytest.raises(ValueError, match="a wood die shows 0, 5"):
        other.load_dice(["W1*"])


# Bundled arguments


@needs_compiler
def test_bundles_are_cached_and_widened(house):
    """A NamedTuple may contain arrays and other NamedTuples; its narrow numbers are widened like single arguments."""
    (house / "fujikoro_env" / "rules" / "caller.py").write_text(BUNDLES)
    assert call_usual(house)[:2] == ["40", "compiled"]
    assert call_usual(house)[:2] == ["40", "cached"]
    for disabled in ("0", "1"):
        settings = {"FUJIKORO_CACHE": str(house.parent / "cache"), "NUMBA_DISABLE_JIT": disabled}
        assert run("-c", USE_BUNDLES, cwd=house, **settings).split() == ["75.5"]


# Arrays created by rules


@needs_compiler
def test_arrays_that_rules_make_are_given_back_once(house):
    """Rules that receive no new arrays are compiled without reference counting. These receive some: from a rule of
    another module, imported in two ways, or in a tuple."""
    rules = house / "fujikoro_env" / "rules"
    (rules / "callee.py").write_text(MAKER)
    for number, (how, callee) in enumerate(WAYS_TO_IMPORT[:2]):
        (rules / f"user{number}.py").write_text(USER.format(how=how, callee=callee))
    (rules / "givers.py").write_text(GIVERS)
    settings = {"FUJIKORO_CACHE": str(house.parent / "cache"), "NUMBA_NRT_STATS": "1"}
    lines = run("-c", USE.format(names=["user0", "user1", "givers"]), cwd=house, **settings).splitlines()
    for line, least in zip(lines, (100, 100, 1), strict=True):
        result, made, left = map(int, line.split())
        assert (result, left) == (4950, 0)
        assert made >= least


# Prefetching records


@record
class HalfUsed:
    used: Ints = i16s(100)  # 200 bytes: 4 cache lines
    rarely: Ints = i16s(200)


fetch_used = jit.fetch_until("rarely")


def fetched_and_read(records, index):
    fetch_used(records, index)
    return records[index].used[0]


def test_fetching_ahead_changes_nothing():
    records = zeros(HalfUsed, 3)
    records["used"][:, 0] = 5, 6, 7
    kept = records.tobytes()
    read = fetched_and_read if jit.INTERPRETED else njit(fetched_and_read)
    assert [read(records, k) for k in range(3)] == [5, 6, 7]
    assert records.tobytes() == kept


@needs_compiler
def test_cache_lines_that_are_rarely_used_are_not_fetched():
    compiled = njit(fetched_and_read)
    compiled(zeros(HalfUsed, 1), 0)
    (machine_code,) = compiled.inspect_llvm().values()
    assert machine_code.count("call void @llvm.prefetch") == 4

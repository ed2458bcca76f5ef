"""Checks of the project itself: import layers, rule ids, the README, the wheel.

Run as a program (`make rules-check`) it lists the numbered rules that no test names yet.
"""

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {  # with their folders
    "fujikoro_env": "fujikoro_env",
    "fujikoro_agents": "agents/fujikoro_agents",
    "fujikoro_training": "training/fujikoro_training",
    "fujikoro_app": "app/fujikoro_app",
    "fuji_env": "sisters/fuji_env",
}
SISTERS = {"fuji": "fuji_env"}  # sister games: the name that marks their rules, and their package
RULE_ID = re.compile(r"\b([A-Z]{3,7})-(\d{1,2})\b")
RULES_MAY_IMPORT = ("numpy", "numba", "fujikoro_env.rules", "fujikoro_env.kernel", "fujikoro_env.content")
GAME_MAY_DRAW_IN = {"__str__", "_repr_svg_"}


def sources(folder: str, pattern: str = "*.py") -> list[Path]:
    return sorted((ROOT / folder).rglob(pattern))


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', '?')}"


# --- layers: what import-linter can't say ---------------------------------------------------------------------------


def imported(path: Path, tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Full names of all imported modules, with the node that imports them."""
    package = path.relative_to(ROOT).with_suffix("").parts
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [*package[: -node.level]] if node.level else []
            module = ".".join(base + ([node.module] if node.module else []))
            yield node, module
            yield from ((node, f"{module}.{alias.name}") for alias in node.names)


def is_under(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def allowed_in_rules(name: str) -> bool:
    if name.partition(".")[0] in sys.stdlib_module_names:
        return True
    return any(is_under(name, package) for package in RULES_MAY_IMPORT)


def test_rules_import_content_numpy_and_numba_alone():
    faults = []
    for path in sources("fujikoro_env/rules"):
        for node, name in imported(path, ast.parse(path.read_text())):
            if name != "fujikoro_env" and not allowed_in_rules(name):
                faults.append(f"{place(path, node)} imports {name}")
    allowed = ", ".join(RULES_MAY_IMPORT)
    assert not faults, f"rules/ may import the standard library, {allowed}:\n" + "\n".join(faults)


MOST_PARAMETERS = 7  # of a compiled function: bundle more in a NamedTuple or a record


def compiled_functions(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            decorators = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
            if decorators & {"rule", "entry"}:
                yield node


def parameters(function: ast.FunctionDef) -> int:
    given = function.args
    return len(given.posonlyargs + given.args + given.kwonlyargs)


def test_compiled_functions_have_few_parameters():
    found = [
        (parameters(function), f"{place(path, function)} {function.name}")
        for folder in PACKAGES.values()
        for path in sources(folder)
        for function in compiled_functions(path)
    ]
    assert len(found) > 1000
    faults = [f"{name} has {count}" for count, name in found if count > MOST_PARAMETERS]
    assert not faults, f"at most {MOST_PARAMETERS} parameters, bundle what travels together:\n" + "\n".join(faults)


def test_nobody_reaches_into_games():
    """Tests use no private attributes of games. Elsewhere ruff forbids all private attributes (SLF001)."""
    private = re.compile(r"(?<!self)\._(games|tables|masks|words|viewer)\b")
    faults = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("tests", "tools")
        for path in sources(folder)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if private.search(line)
    ]
    assert not faults, "take `compiled` or `viewer` of a game instead:\n" + "\n".join(faults)


# Chapters of docs/rules.md that share a folder, and those whose file has another name
HOMES_OF_CHAPTERS = {
    "rest and craft": "gear/craft",
    "weapon": "gear/weapon",
    "match": "gear/match",
    "gear cards": "gear/cards",
    "magic": "gear/magic",
    "dragon fight": "fights/dragon_fight",
    "duel": "fights/duel",
    "final chapter": "final",
    "char": "characters",
    "scen": "scenarios",
    "adv": "powers",
}


def test_every_chapter_of_the_rules_has_its_folder_or_file():
    headings = re.findall(
        r"^## ([A-Z]\w+(?: and [A-Z]+| cards| [A-Z]+)?)", (ROOT / "docs/rules.md").read_text(), re.MULTILINE
    )
    assert len(headings) > 20
    homes = [ROOT / "fujikoro_env/rules" / HOMES_OF_CHAPTERS.get(name.lower(), name.lower()) for name in headings]
    assert [home.name for home in homes if not (home.is_dir() or home.with_suffix(".py").is_file())] == []


def test_game_reaches_its_pictures_only_when_it_is_drawn():
    path = ROOT / "fujikoro_env" / "game.py"
    tree = ast.parse(path.read_text())
    drawing = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in GAME_MAY_DRAW_IN]
    lazy = {id(node) for function in drawing for node in ast.walk(function)}
    faults = [
        f"{place(path, node)} imports {name}"
        for node, name in imported(path, tree)
        if is_under(name, "fujikoro_env.render") and id(node) not in lazy
    ]
    assert not faults, f"import render inside {sorted(GAME_MAY_DRAW_IN)} alone:\n" + "\n".join(faults)


# --- rule ids -------------------------------------------------------------------------------------------------------


def defined_rules() -> list[str]:
    return rules_in(ROOT / "docs" / "rules.md")


def rules_in(page: Path) -> list[str]:
    return re.findall(r"^- ([A-Z]{3,7}-\d{1,2})\b", page.read_text(), re.MULTILINE)


def sister_rules(game: str) -> list[str]:
    return [f"{game}:{rule}" for rule in rules_in(ROOT / "docs" / game / "rules.md")]


def marked_rules() -> Iterator[tuple[str, str]]:
    """Where, and which: every id in a `pytest.mark.rule(...)` of the tests."""
    for path in sources("tests"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "rule":
                for argument in node.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield place(path, argument), argument.value


def test_every_rule_is_defined_once():
    rules = defined_rules()
    assert len(rules) > 200
    assert sorted(rules) == sorted(set(rules))


@pytest.mark.parametrize("game", SISTERS)
def test_every_rule_of_a_sister_game_is_defined_once_and_tested(game):
    rules, named = sister_rules(game), {rule for _, rule in marked_rules()}
    assert len(rules) > 10
    assert sorted(rules) == sorted(set(rules))
    assert [rule for rule in rules if rule not in named] == []


def test_rules_that_tests_name_are_in_the_rules():
    defined = {*defined_rules(), *(rule for game in SISTERS for rule in sister_rules(game))}
    unknown = [f"{where} names {rule}" for where, rule in marked_rules() if rule not in defined]
    assert not unknown, "not in docs/rules.md:\n" + "\n".join(unknown)


def test_rules_that_code_and_docs_name_are_in_the_rules():
    defined = set(defined_rules())
    chapters = {rule.partition("-")[0] for rule in defined}  # so that UTF-8 is no rule
    pages = [page for page in sources("docs", "*.md") if page.parent.name not in SISTERS]
    paths = [*sources("fujikoro_env"), *sources("fujikoro_env", "*.toml"), *pages, ROOT / "README.md"]
    assert unknown_rules(paths, defined, chapters) == [], "not in docs/rules.md"


@pytest.mark.parametrize(("game", "package"), SISTERS.items())
def test_rules_that_a_sister_game_names_are_in_its_rules(game, package):
    defined = set(rules_in(ROOT / "docs" / game / "rules.md"))
    paths = [*sources(f"sisters/{package}"), *sources(f"docs/{game}", "*.md")]
    assert unknown_rules(paths, defined, {rule.partition("-")[0] for rule in defined}) == []


def unknown_rules(paths: list[Path], defined: set[str], chapters: set[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)} names {match[0]}"
        for path in paths
        for match in RULE_ID.finditer(path.read_text())
        if match[1] in chapters and match[0] not in defined
    ]


# --- the files ------------------------------------------------------------------------------------------------------

CONFLICT = re.compile(rb"^(?:<{7}|>{7}) ", re.MULTILINE)


def test_no_file_has_conflict_markers():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    faults = [str(path.relative_to(ROOT)) for path in paths if path.is_file() and CONFLICT.search(path.read_bytes())]
    assert not faults, "resolve the merge conflict in:\n" + "\n".join(faults)


# --- the README -----------------------------------------------------------------------------------------------------


def readme_blocks() -> dict[int, str]:
    """Python code blocks of the README, by the number of lines above them."""
    text = (ROOT / "README.md").read_text()
    blocks = re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return {text.count("\n", 0, block.start(1)): block[1] for block in blocks}


def test_the_readme_has_examples():
    assert readme_blocks()


def test_the_readme_is_short():
    assert (ROOT / "README.md").read_text().count("\n") <= 150


@pytest.mark.parametrize("line", readme_blocks())
def test_readme_example_runs(line, tmp_path, monkeypatch):
    code = "\n" * line + readme_blocks()[line]  # so that a traceback shows the README's own lines
    if "sb3_contrib" in code:
        pytest.importorskip("sb3_contrib", reason="of the extra `train`")
        assert "n=256" in code
        assert "learn(600_000)" in code
        code = code.replace("n=256", "n=64").replace("learn(600_000)", "learn(4_096)")  # one batch
    monkeypatch.chdir(tmp_path)  # it may save files
    exec(compile(code, "README.md", "exec"), {"__name__": "readme"})


# --- the wheel ------------------------------------------------------------------------------------------------------

LOADED_AGENTS = """
from importlib.metadata import entry_points
for name, found in sorted((found.name, found) for found in entry_points(group="fujikoro.agents")):
    found.load()
    print(name)
"""
SHORT_GAME = """
import fujikoro_env
from fujikoro_env import Game, Rules

game = Game(Rules(players=2), seed=1)
steps = 0
while not game.over and steps < 300:
    game.step(game.legal_actions()[0])
    steps += 1
print(fujikoro_env.__file__)
print(steps)
"""


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.slow
def test_the_wheel_holds_the_packages_and_their_data_and_nothing_else(wheel):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert {name.split("/")[0] for name in names} == PACKAGES.keys()
    for folder in PACKAGES.values():
        data = [path for pattern in ("*.toml", "*.ttf", "py.typed") for path in sources(folder, pattern)]
        assert data
        assert {str(path.relative_to((ROOT / folder).parent)) for path in data} <= names
    rules = zipfile.ZipFile(wheel).read("fujikoro_app/rules.md")  # a link in the checkout
    assert rules == (ROOT / "docs" / "rules.md").read_bytes()


@pytest.mark.slow
def test_a_wheel_may_bring_machine_code_for_its_platform(tmp_path):
    with zipfile.ZipFile(tmp_path / "code.zip", "w") as archive:
        archive.writestr("digest/entry.code", b"machine code")
    run(
        *(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, ROOT),
        FUJIKORO_MACHINE_CODE=str(tmp_path / "code.zip"),
    )
    (built,) = tmp_path.glob("*.whl")
    assert zipfile.ZipFile(built).read("fujikoro_env/machine_code/digest/entry.code") == b"machine code"
    assert not built.name.endswith("-none-any.whl")


@pytest.mark.slow
def test_the_wheel_plays_a_game_outside_the_checkout(wheel, tmp_path):
    """The dependencies come from the environment that runs this test, but not the checkout: .pth files in that
    environment, such as the one of an editable install, are not read."""
    venv.create(tmp_path / "venv", symlinks=True, with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel)
    site = Path(run(python, "-I", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")

    where, steps = run(python, "-I", "-c", SHORT_GAME, NUMBA_DISABLE_JIT="1").splitlines()[-2:]
    assert Path(where).is_relative_to(site)
    assert int(steps) > 100
    run(tmp_path / "venv" / "bin" / "fujikoro", "--help")
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["fujikoro.agents"]
    known = run(python, "-I", "-c", LOADED_AGENTS, NUMBA_DISABLE_JIT="1").splitlines()
    assert known == sorted(declared)


def pins(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w-]+)==(\S+)", (ROOT / name).read_text(), re.MULTILINE))


def test_constraints_pin_every_dependency():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *(r for extra in project["optional-dependencies"].values() for r in extra)]
    names = {re.split(r"[^\w-]", requirement)[0] for requirement in wanted} - {"fujikoro_env"}
    assert names <= pins("constraints.txt").keys()


def test_bridges_are_tested_with_the_same_versions_but_for_gymnasium():
    main, bridges = pins("constraints.txt"), pins("constraints-bridges.txt")
    assert {name for name in main.keys() & bridges.keys() if main[name] != bridges[name]} == {"gymnasium"}


def test_the_readme_tells_the_versions_that_are_tested():
    row = re.compile(r"^\| `([\w-]+)(?:\[\w+\])?` \| (\d[\d.]*) \|", re.MULTILINE)
    told = dict(row.findall((ROOT / "README.md").read_text()))
    assert {"gymnasium", "torchrl", "ray"} <= told.keys()
    pinned = pins("constraints-bridges.txt") | pins("constraints.txt")
    assert told == {name: pinned[name] for name in told}


def main() -> None:
    rules, named = defined_rules(), {rule for _, rule in marked_rules()}
    missing = [rule for rule in rules if rule not in named]
    for rule in missing:
        print(f"no test names {rule}")
    print(f"rules named by a test: {len(rules) - len(missing)} of {len(rules)}")


if __name__ == "__main__":
    main()

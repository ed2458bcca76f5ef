"""Metadata of the package: version, type information, citation."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.version import Version

import fujikoro_env
from fujikoro_app.cli import main

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "pyproject.toml").is_file())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_pyproject_reads_the_version_from_the_package():
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "fujikoro_env/__init__.py"
    assert "__version__" in fujikoro_env.__all__


def test_the_command_tells_the_version(capsys):
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"fujikoro_env {fujikoro_env.__version__}\n"


def test_the_version_is_told_without_loading_the_compiler():
    code = "import sys; from fujikoro_env import __version__; print('numba' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


def test_the_changelog_begins_with_this_version():
    version = Version(fujikoro_env.__version__)
    newest = re.search(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest is not None
    expected = f"{version.base_version} (unreleased)" if version.is_prerelease else version.base_version
    assert newest[1].startswith(expected)


def test_the_citation_names_this_version():
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited is not None
    assert cited[1] == fujikoro_env.__version__


def test_every_package_tells_that_it_is_typed():
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert len(packages) >= 4
    assert [folder for folder in packages if not (ROOT / folder / "py.typed").is_file()] == []

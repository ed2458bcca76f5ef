"""The documentation site builds without a warning, and has search, dark mode and all pages."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import fujikoro_env

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "pyproject.toml").is_file())
needs_sphinx = pytest.mark.skipif(
    any(find_spec(name) is None for name in ("sphinx", "myst_parser", "furo")),
    reason="the extra docs is not installed: pip install 'fujikoro_env[docs]'",
)


def build(source: Path, out: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-q", str(source), str(out)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"})


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site. Warnings, including broken links, are errors."""
    out = tmp_path_factory.mktemp("site")
    done = build(ROOT / "docs", out)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@needs_sphinx
@pytest.mark.slow
def test_every_page_is_on_the_site(site):
    pages = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert len(pages) > 20
    assert [page for page in pages if not (site / page).is_file()] == []


@needs_sphinx
@pytest.mark.slow
def test_the_texts_at_the_top_of_the_repository_are_pages(site):
    assert (ROOT / "README.md").read_text().partition("\n")[0].lstrip("# ") in (site / "index.html").read_text()
    assert "0.1.0" in (site / "changelog.html").read_text()
    assert 'href="contributing.html"' in (site / "architecture.html").read_text()


@needs_sphinx
@pytest.mark.slow
def test_public_names_are_in_the_reference(site):
    told = "".join(path.read_text() for path in (site / "api").glob("*.html"))
    names = {name for name in fujikoro_env.__all__ if name not in ("__version__", "fujikoro_v0")}
    names |= {"OneSeatGames", "FujiKoroVecEnv", "make_agent", "register_agent", "Recorder", "table_svg", "raw_env"}
    names |= {"SeatedGames", "batch_policy", "seat_advantages", "play_match", "MatchCallback", "read_recipe", "tune"}
    documented = {name.rpartition(".")[2] for name in re.findall(r'<dt class="sig[^>]* id="([\w.]+)"', told)}
    assert sorted(names - documented) == []


def test_every_page_is_in_the_table_of_contents():
    listed = re.findall(r"^(?:.*<)?([\w/]+)>?$", (ROOT / "docs" / "index.md").read_text(), re.MULTILINE)
    pages = [path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")]
    pages += [path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.rst")]
    assert sorted(str(page) for page in pages if str(page) != "index" and str(page) not in listed) == []

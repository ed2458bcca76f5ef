"""Settings of the documentation site: `make docs` builds it with Sphinx into build/docs."""

import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parent.parent
os.environ["NUMBA_DISABLE_JIT"] = "1"  # docstrings are read from plain functions, so nothing has to be compiled
sys.path[:0] = [str(ROOT / folder) for folder in (".", "agents", "training", "app")]  # this checkout, installed or not

from fujikoro_env import __version__  # noqa: E402  found by the line above

project = "fujikoro_env"
author = "The fujikoro_env authors"
copyright = f"2026, {author}"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]

# Pages are Markdown that also reads well on a code host, with its anchors for headings.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

# Docstrings put code between single backticks, as in Markdown.
default_role = "literal"
smartquotes = False  # quotes mostly stand around values
# Libraries of extras: where they are missing, the reference is built without them.
autodoc_mock_imports = [
    name
    for name in ("torch", "stable_baselines3", "sb3_contrib", "safetensors", "optuna", "tomli_w", "filelock")
    if find_spec(name) is None
]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_inherit_docstrings = False
autodoc_default_options = {"members": True}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"fujikoro_env {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#b3361f", "color-brand-content": "#b3361f"},
    "dark_css_variables": {"color-brand-primary": "#ff8a65", "color-brand-content": "#ff8a65"},
}

# Pages of the site whose text lies elsewhere in the repository, where readers of the code look for it.
FROM_ROOT = {
    "index": "README.md",
    "contributing": "CONTRIBUTING.md",
    "changelog": "CHANGELOG.md",
    "results": "training/RESULTS.md",
    "findings": "notebooks/FINDINGS.md",
}
PAGE_OF_FILE = {file: f"{page}.md" for page, file in FROM_ROOT.items()}
PAGE = re.compile(r"docs/(\w+)\.md")
ARRAY = re.compile(r"~?numpy\.ndarray\[tuple\[~?typing\.Any, \.\.\.\], ~?numpy\.dtype\[~?(?:\w+\.)?(\w+)\]\]")
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")


def link_from_docs(folder: Path, target: str) -> str:
    """A link as a page in docs/ has to write it, given the target and the folder of the file that has the link."""
    path = Path(os.path.relpath(ROOT / folder / target, ROOT))
    if str(path) in PAGE_OF_FILE:
        return PAGE_OF_FILE[str(path)]
    return os.path.relpath(ROOT / path, ROOT / "docs")


def read_page(_app: Sphinx, page: str, source: list[str]) -> None:
    """Put in the text of files from the top of the repository, and let links to them lead to their pages."""
    if "/" in page:
        return
    source[0] = LINK.sub(lambda link: link_from_docs(Path("docs"), link[1]), source[0])
    if page in FROM_ROOT:
        file = Path(FROM_ROOT[page])
        text = (ROOT / file).read_text()
        source[0] = LINK.sub(lambda link: link_from_docs(file.parent, link[1]), text) + "\n" + source[0]


def shorten_array_types(*signature: Any) -> tuple[str | None, str | None]:
    """Write `NDArray[int64]` where Python shows the long type that this stands for."""
    arguments, result = (part and ARRAY.sub(r"NDArray[\1]", part) for part in signature[-2:])
    return arguments, result


def link_pages(*docstring: Any) -> None:
    """Turn the names of pages in a docstring, such as docs/rules.md, into links."""
    lines = docstring[-1]
    lines[:] = [PAGE.sub(r":doc:`\1 </\1>`", line) for line in lines]


def setup(app: Sphinx) -> None:
    """Connect the functions above to the events of a build."""
    app.connect("source-read", read_page)
    app.connect("autodoc-process-signature", shorten_array_types)
    app.connect("autodoc-process-docstring", link_pages)

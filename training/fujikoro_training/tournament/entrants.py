"""Who takes part.

>>> labels(["random", "shogun", "random"])
['random', 'shogun', 'random#2']
"""

import hashlib
import inspect
import re
import sys
from collections import Counter
from pathlib import Path

from fujikoro_env.player import make_agent

OURS = "fujikoro_agents"  # a package whose agents stand on each other: a change of any file may change all


def check_names(names: list[str]) -> None:
    """Each is made once, so that a wrong one shows before the first game."""
    for name in dict.fromkeys(names):
        make_agent(name)


def labels(names: list[str]) -> list[str]:
    """What they are called in results: who comes again is told apart by number."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return found


def agent_digest(name: str) -> str:
    """Of the code of an agent, and of the model that it loads: where it is the same, so are its games."""
    made = type(make_agent(name))
    digest = hashlib.sha256()
    for path in [*_code_of(made), *_files_named(name)]:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _code_of(kind: type) -> list[Path]:
    package = sys.modules.get(kind.__module__.partition(".")[0])
    if package and package.__name__ == OURS and package.__file__:
        return sorted(Path(package.__file__).parent.rglob("*.py"))
    try:
        return [Path(inspect.getfile(kind))]
    except (OSError, TypeError):  # typed in by hand
        return []


def _files_named(name: str) -> list[Path]:
    """`policy:model.zip:greedy=true` names one, and so does `policy:path=model.zip`."""
    words = [*name.split(":")[1:], *re.split("[:,=]", name)[1:]]
    return [path for path in map(Path, dict.fromkeys(words)) if path.is_file()]

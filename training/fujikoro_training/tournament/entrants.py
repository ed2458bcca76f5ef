"""Entrants of a tournament: their names, labels and code digests.

>>> labels(["random", "shogun", "random"])
['random', 'shogun', 'random#2']
"""

import hashlib
import inspect
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from fujikoro_env.player import make_agent

OURS = "fujikoro_agents"  # package whose agents build on each other: a change to any file may affect all of them
AGENTS = "agents"  # subpackage of a game in which its agents build on each other, too
SHIPPED = (".py", ".toml", ".safetensors")  # code, weights of evaluations, and networks


def check_names(names: list[str]) -> None:
    """Make each agent once, so that a wrong name shows before the first game."""
    for name in dict.fromkeys(names):
        make_agent(name)


def labels(names: list[str]) -> list[str]:
    """Names of the agents in results: a number is added when a name comes up again."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return found


def agent_digest(name: str) -> str:
    """Digest of an agent's code and of the model that it loads: if it is the same, so are the agent's games."""
    return digest_of(type(make_agent(name)), name)


def digests(names: Iterable[str], digest: Callable[[str], str] = agent_digest) -> str:
    """Digests of some agents, as one text."""
    return " ".join(digest(name) for name in dict.fromkeys(names))


def digest_of(kind: type, name: str) -> str:
    """Digest of the code of an agent of this class, made by this name."""
    digest = hashlib.sha256()
    for path in [*_code_of(kind), *_files_named(name)]:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _code_of(kind: type) -> list[Path]:
    package, _, rest = kind.__module__.partition(".")
    folder = OURS if package == OURS else f"{package}.{AGENTS}" if rest.startswith(f"{AGENTS}.") else ""
    module = sys.modules.get(folder)
    if module and module.__file__:
        files = Path(module.__file__).parent.rglob("*")
        return sorted(path for path in files if path.suffix in SHIPPED)
    try:
        return [Path(inspect.getfile(kind))]
    except (OSError, TypeError):  # defined interactively
        return []


def _files_named(name: str) -> list[Path]:
    """Files in an agent's name: `policy:model.zip:trust=true` names one, and so does `policy:path=model.zip`."""
    words = [*name.split(":")[1:], *re.split("[:,=]", name)[1:]]
    return [path for path in map(Path, dict.fromkeys(words)) if path.is_file()]

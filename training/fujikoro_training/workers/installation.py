"""Compares the installation of a worker with that of the head, and brings compiled code from one to the other."""

import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from fujikoro_env import __version__
from fujikoro_env.kernel import cache as machine_code
from fujikoro_env.kernel import jit
from fujikoro_env.kernel.code_archive import ArchiveError, export_code, import_code
from fujikoro_env.player import AgentError
from fujikoro_training.workers.job import WorkerError

PACKAGES: Final = ("fujikoro_env", "fujikoro_agents", "fujikoro_training")
DIGEST: Final = 12
Job = Any


@cache
def package_digest() -> str:
    """Digest of the version and of all files of our packages, compiled code excluded."""
    digest = hashlib.sha256(__version__.encode())
    for package in PACKAGES:
        spec = find_spec(package)
        assert spec is not None
        assert spec.submodule_search_locations is not None
        root = Path(next(iter(spec.submodule_search_locations)))
        for path in sorted(_files(root)):
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:DIGEST]


def _files(root: Path) -> Iterator[Path]:
    for path in root.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts and machine_code.SHIPPED not in path.parents:
            yield path


def check_installation(package: str, code: str, job: Job) -> None:
    """Raise `WorkerError` unless this machine has the same package, and the job the same agents, as the head says."""
    here = package_digest()
    if here != package:
        raise WorkerError(
            f"{platform.node()} has another fujikoro_env ({__version__}, digest {here}, the head has {package}): "
            "install the same on all machines"
        )
    try:
        found = job.code()
    except AgentError as error:
        raise WorkerError(f"{platform.node()}: {error}; agents must be there on all machines") from None
    if found != code:
        raise WorkerError(f"{platform.node()} has other code of the agents: install the same on all machines")


def use_folder_of_head(folder: str) -> None:
    """Work in the folder of the head, if there is one of that name, so that names of files mean the same."""
    if Path(folder).is_dir():
        os.chdir(folder)
        if folder not in sys.path:
            sys.path.append(folder)


# Compiled code


def exported_code() -> bytes:
    """An archive of the machine code of all entries imported so far, compiled if need be; empty if there is none."""
    if jit.INTERPRETED:
        return b""
    jit.compile_missing()
    return _archive(tuple(jit.wanted_code()))


@lru_cache(maxsize=1)
def _archive(wanted: tuple[tuple[str, str], ...]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "code.zip"
        try:
            export_code(wanted, file)
        except ArchiveError:  # nothing can be kept on this machine, so workers compile, too
            return b""
        return file.read_bytes()


def needs_code() -> bool:
    """Whether an entry is not compiled here yet."""
    return not jit.INTERPRETED and not all(machine_code.is_kept(name) for name, _ in jit.wanted_code())


def import_exported(archive: bytes) -> None:
    """Keep what fits this machine of an archive of the head. A job comes from there, too, so it is trusted as much."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "code.zip"
        file.write_bytes(archive)
        import_code(jit.wanted_code(), file)

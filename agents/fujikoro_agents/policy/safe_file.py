"""Files of weights that are safe to read: safetensors files with a JSON head in their metadata, checked before use."""

import importlib.metadata
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISREG
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.toml_tables import shown
from fujikoro_env.player import AgentError

MOST_BYTES: Final = 1 << 28  # of a file
MOST_HEAD: Final = 1 << 16  # characters of the head
PLAYS_AS: Final = {"fujikoro_policy": "policy:FILE", "fujikoro_value": "value:FILE"}  # by the key of the head
MOST_LISTED: Final = 1 << 20  # bytes of the list of arrays that safetensors writes at the beginning
PACKAGES: Final = ("fujikoro_env", "numpy", "torch", "stable_baselines3", "sb3_contrib")


class PolicyError(AgentError):
    """Raised for a file of weights that can't be read, used or written. The message is one line."""


class Arrays:
    """The arrays of an open file: their shapes can be checked before they are read."""

    def __init__(self, path: str | Path, file: Any) -> None:
        self._path, self._file = path, file
        self._parts = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118 - the file is not a dictionary

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes by name. Types other than 32-bit numbers are refused."""
        if types := {part.get_dtype() for part in self._parts.values()} - {"F32"}:
            raise PolicyError(f"policy {self._path}: weights of type {', '.join(sorted(types))}; allowed is F32")
        return {name: tuple(part.get_shape()) for name, part in self._parts.items()}

    def read(self) -> dict[str, NDArray[np.float32]]:
        """All arrays by name."""
        return {name: self._file.get_tensor(name) for name in self._parts}


@contextmanager
def open_safely(path: str | Path, key: str) -> Iterator[tuple[dict[str, Any], Arrays]]:
    """Open a file and read its head: an object of JSON, under `key` in the metadata. A PolicyError says what is
    wrong."""
    _check_size(path)
    safetensors = _safetensors(path)
    try:
        with safetensors.safe_open(str(path), "numpy") as file:
            yield _read_head(path, key, file.metadata() or {}), Arrays(path, file)
    except (OSError, safetensors.SafetensorError) as error:
        raise PolicyError(f"policy {path}: not a safetensors file ({shown(str(error))})") from None


def write_safely(path: str | Path, weights: Mapping[str, NDArray[Any]], key: str, head: Mapping[str, Any]) -> None:
    """Write a file of weights. It is always the old or the new file, never a part of it."""
    numpy_io = _safetensors(path).numpy
    try:
        text = json.dumps(dict(head), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise PolicyError(f"policy {path}: training facts that are not JSON: {error}") from None
    if len(text) > MOST_HEAD:
        raise PolicyError(f"policy {path}: the head has {len(text)} characters; allowed are {MOST_HEAD}")
    arrays = {name: np.ascontiguousarray(array, np.float32) for name, array in weights.items()}
    _write(Path(path), numpy_io.save(arrays, {key: text}))


def _write(path: Path, content: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    except OSError as error:
        raise PolicyError(f"policy {path}: {error.strerror}") from None
    finally:
        beside.unlink(missing_ok=True)


def _safetensors(path: str | Path) -> Any:
    try:
        import safetensors
        import safetensors.numpy
    except ModuleNotFoundError:
        raise PolicyError(f"policy {path}: needs safetensors: pip install 'fujikoro_env[policy]'") from None
    return safetensors


def stat_of(path: str | Path) -> os.stat_result:
    """The state of a file. Anything but a regular file is refused: a pipe, for example, would be waited for."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError) as error:
        raise PolicyError(f"policy {str(path)!r}: {getattr(error, 'strerror', error)}") from None
    if not S_ISREG(found.st_mode):
        raise PolicyError(f"policy {path}: not a file")
    return found


def _check_size(path: str | Path) -> None:
    found = stat_of(path)
    try:
        if found.st_size > MOST_BYTES:
            raise PolicyError(f"policy {path}: {found.st_size:,} bytes; allowed are {MOST_BYTES:,}")
        with Path(path).open("rb") as file:
            listed = int.from_bytes(file.read(8), "little")
    except OSError as error:
        raise PolicyError(f"policy {path}: {error.strerror}") from None
    if listed > min(MOST_LISTED, found.st_size):
        raise PolicyError(f"policy {path}: not a policy file")


def _read_head(path: str | Path, key: str, metadata: Mapping[str, str]) -> dict[str, Any]:
    text = metadata.get(key, "")
    if not text and (other := next((kind for kind in PLAYS_AS if kind in metadata), None)):
        raise PolicyError(f"policy {path}: another kind of network, which plays as {PLAYS_AS[other]}")
    if not text:
        raise PolicyError(f"policy {path}: a safetensors file without a head, so not written by save_policy")
    if len(text) > MOST_HEAD:
        raise PolicyError(f"policy {path}: the head has {len(text)} characters; allowed are {MOST_HEAD}")
    try:
        said = json.loads(text)
    except RecursionError:
        raise PolicyError(f"policy {path}: the head is nested too deeply") from None
    except ValueError as error:
        raise PolicyError(f"policy {path}: {error}") from None
    if not isinstance(said, dict) or type(said.get("format")) is not int:
        raise PolicyError(f"policy {path}: the head is not an object with a format number")
    return said


def check_finite(path: str | Path, weights: Mapping[str, NDArray[Any]]) -> None:
    """Refuse numbers that are not finite."""
    for name, array in weights.items():
        if not np.isfinite(array).all():
            raise PolicyError(f"policy {path}: {name} has numbers that are not finite")


def package_versions() -> dict[str, str]:
    """Versions of the packages that train and play networks."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found

"""Archives of machine code, to carry it to other machines: one ZIP file with the entries of the cache.

Only entries that this installation looks for are read, under names that it computes itself. They are keyed by what they
were compiled from and for (sources, versions, CPU), so machine code for other sources or another CPU is never used.
Whoever made the archive decides what that code does: import an archive only from people whose programs you would run.
"""

import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO, Final

from fujikoro_env.kernel import cache

LARGEST_ENTRY: Final = 64 << 20  # bytes; the largest entry has about 3 MB

Wanted = Iterable[tuple[str, str]]  # name and key of entries, as the cache knows them


class ArchiveError(ValueError):
    """Raised for an archive that can't be used. The message is one line."""


def export_code(wanted: Wanted, file: Path) -> int:
    """Write the cached machine code of these entries to a new file, and return how many there are."""
    found = {name: cache.kept_file(name, key) for name, key in wanted}
    missing = [name for name, content in found.items() if content is None]
    if missing:
        raise ArchiveError(f"{len(missing)} entries are not in the cache, {missing[0]} for example")
    with file.open("xb") as opened:
        try:
            _write_entries(opened, found)
        except OSError:
            file.unlink(missing_ok=True)  # half an archive is of no use, and would be in the way
            raise
    return len(found)


def _write_entries(opened: BinaryIO, found: Mapping[str, bytes | None]) -> None:
    with zipfile.ZipFile(opened, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in found.items():
            if content is not None:
                archive.writestr(name, content)


def import_code(wanted: Wanted, file: Path) -> int:
    """Keep the entries of an archive that fit this installation in the cache, and return how many there are."""
    try:
        with zipfile.ZipFile(file) as archive:
            return sum(_import_entry(archive, name, key) for name, key in wanted)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise ArchiveError(f"{file} is not an archive of machine code: {error}") from None


def _import_entry(archive: zipfile.ZipFile, name: str, key: str) -> bool:
    """Keep one entry, if the archive has it."""
    try:
        found = archive.getinfo(name)
    except KeyError:
        return False
    if found.file_size > LARGEST_ENTRY:
        raise zipfile.BadZipFile(f"{name} is larger than {LARGEST_ENTRY >> 20} MB")
    try:
        cache.save(name, key, cache.checked(archive.read(found), key))
    except cache.UnusableError as error:
        raise zipfile.BadZipFile(f"{name}: {error}") from None
    return True

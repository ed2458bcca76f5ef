"""The cache of machine code: what may be read, and where it is written."""

import errno
import os
import pickle
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fujikoro_env.kernel import cache
from tests.helpers.hostile import HOSTILE_INPUTS

KEY, OTHER_KEY = "1" * 64, "2" * 64
NAME = f"digest/entry{cache.SUFFIX}"
CODE = bytes(range(256))
posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have owners on Unix only")


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch) -> Iterator[tuple[Path, Path, Path]]:
    """The folder that the user chose, one in the home, and a temporary one."""
    monkeypatch.setenv("FUJIKORO_CACHE", str(tmp_path / "chosen"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(cache, "SAID", set())
    cache.cache_folder.cache_clear()
    yield tmp_path / "chosen", tmp_path / "home" / ".cache" / "fujikoro_env", temporary_of(tmp_path)
    cache.cache_folder.cache_clear()


def temporary_of(folder: Path) -> Path:
    return folder / f"fujikoro_env-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


@pytest.fixture
def file(folders) -> Path:
    """The file of an entry that was saved."""
    cache.save(NAME, KEY, CODE)
    found: Path = folders[0] / NAME
    return found


def loaded(key: str = KEY) -> bytes | None:
    return cache.load(NAME, key, bytes)


def complaint(folder: Path, why: str) -> str:
    return f"fujikoro_env: machine code in {folder} is not used: {why}\n"


def test_what_was_saved_is_loaded(file, capsys):
    assert loaded() == CODE
    assert cache.is_kept(NAME)
    assert not cache.is_kept("digest/other.code")
    assert cache.load("digest/other.code", KEY, bytes) is None
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("length", [0, 5, cache.HEAD - 1, cache.HEAD, cache.HEAD + 100])
def test_a_truncated_file_is_noticed(file, capsys, folders, length):
    file.write_bytes(file.read_bytes()[:length])
    assert loaded() is None
    assert loaded() is None
    assert capsys.readouterr().err == complaint(folders[0], "a file is damaged")


def test_saving_again_heals_it(file, capsys):
    file.write_bytes(b"rubbish")
    assert loaded() is None
    cache.save(NAME, KEY, CODE)
    assert loaded() == CODE
    assert capsys.readouterr().err.count("\n") == 1


def attack(path: Path, count: int) -> None:
    """Load damaged copies of a file: none is taken for the code of an entry."""
    content, luck = path.read_bytes(), np.random.default_rng(1)
    for _ in range(count):
        damaged = bytearray(content)
        for _ in range(int(luck.integers(1, 4))):
            damaged[int(luck.integers(len(damaged)))] = int(luck.integers(256))
        if luck.random() < 0.3:
            del damaged[int(luck.integers(len(damaged))) :]
        path.write_bytes(damaged)
        assert loaded() in ((CODE,) if damaged == content else (None,))


def test_damaged_files_are_never_used(file):
    attack(file, 100)


@pytest.mark.long
def test_many_damaged_files_are_never_used(file, record_property):
    attack(file, 20_000)
    record_property(HOSTILE_INPUTS, 20_000)


def test_files_of_another_version_are_noticed(file, capsys, folders):
    assert loaded(OTHER_KEY) is None
    assert capsys.readouterr().err == complaint(folders[0], "a file is of another version")


def test_a_file_that_can_not_be_restored_is_noticed(file, capsys, folders):
    def fail(_code: bytes) -> bytes:
        raise KeyError("a class that is\ngone")

    assert cache.load(NAME, KEY, fail) is None
    assert capsys.readouterr().err == complaint(folders[0], r"'a class that is\ngone'")


@posix
def test_files_of_other_users_are_not_read(tmp_path, monkeypatch, capsys, folders):
    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "marker"),)

    cache.save(NAME, KEY, pickle.dumps(Evil()))
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    monkeypatch.setattr(cache, "ADMINISTRATOR", -1)
    assert cache.load(NAME, KEY, pickle.loads) is None
    assert not (tmp_path / "marker").exists()
    assert capsys.readouterr().err == complaint(folders[0], "a file belongs to another user")


@posix
def test_files_of_the_administrator_are_read(file, monkeypatch):
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    monkeypatch.setattr(cache, "ADMINISTRATOR", owner)
    assert loaded() == CODE


@posix
@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_files_that_others_may_write_to_are_not_read(file, capsys, folders, mode):
    file.chmod(mode)
    assert loaded() is None
    assert capsys.readouterr().err == complaint(folders[0], "other users may write to a file")


@posix
def test_what_is_written_only_its_owner_can_change(file):
    old = os.umask(0)
    try:
        cache.save(NAME, KEY, CODE)
    finally:
        os.umask(old)
    assert file.stat().st_mode & 0o777 == 0o644
    assert loaded() == CODE


@posix
def test_what_is_not_a_file_is_passed_over(file, capsys, folders):
    file.unlink()
    os.mkfifo(file)
    assert loaded() is None
    file.unlink()
    file.mkdir()
    assert loaded() is None
    assert capsys.readouterr().err.splitlines()[0] + "\n" == complaint(folders[0], "a file is not a regular file")


# Where


@pytest.fixture
def read_only(file, folders) -> Iterator[Path]:
    """The folder of an administrator, filled by a user who can write anywhere and used by one who can't."""
    place = Path(tempfile.mkdtemp(dir="/tmp"))  # pytest's own folder is closed to other users
    place.chmod(0o755)
    shutil.copytree(folders[0], place / "warm")
    for folder in (place / "warm", place / "warm" / "digest"):
        folder.chmod(0o555)
    yield place / "warm"
    for folder in (place / "warm", place / "warm" / "digest"):
        folder.chmod(0o755)
    shutil.rmtree(place)


@posix
def test_a_warm_read_only_cache_is_used(read_only, monkeypatch, capsys):
    monkeypatch.setenv("FUJIKORO_CACHE", str(read_only))
    cache.cache_folder.cache_clear()
    is_administrator = os.geteuid() == 0
    if is_administrator:
        os.seteuid(65534)
    try:
        assert loaded() == CODE
        assert cache.is_kept(NAME)
        cache.save(NAME, KEY, CODE)
    finally:
        if is_administrator:
            os.seteuid(0)
    assert {path.name for path in read_only.rglob("*")} == {"digest", Path(NAME).name}
    assert "machine code in" not in capsys.readouterr().err


def test_what_a_read_only_cache_lacks_is_kept_elsewhere(folders, monkeypatch, capsys):
    chosen, home, _ = folders
    chosen.mkdir()
    make = tempfile.TemporaryFile

    def only_elsewhere(dir):
        if dir == chosen:
            raise OSError(errno.EROFS, "Read-only file system")
        return make(dir=dir)

    monkeypatch.setattr(tempfile, "TemporaryFile", only_elsewhere)
    cache.save(NAME, KEY, CODE)
    assert (home / NAME).exists()
    assert loaded() == CODE
    assert capsys.readouterr().err == ""


def test_a_full_disk_is_one_line(folders, monkeypatch, capsys):
    def full(*_args, **_named):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    for number in range(2):
        cache.save(f"digest/entry{number}.code", KEY, CODE)
    told = f"fujikoro_env: machine code is not kept in {folders[0]}: No space left on device\n"
    assert capsys.readouterr().err == told


@pytest.fixture
def homeless(tmp_path, monkeypatch) -> Path:
    """Nothing but the temporary folder can be written to; gives the folder of the cache in it."""
    monkeypatch.setenv("FUJIKORO_CACHE", "/dev/null/cache")
    (tmp_path / "home").touch()
    return temporary_of(tmp_path)


@posix
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_temporary_folder_that_others_may_write_to_is_not_used(homeless, capsys, mode):
    cache.save(NAME, KEY, CODE)
    assert loaded() == CODE
    homeless.chmod(mode)
    cache.cache_folder.cache_clear()
    assert loaded() is None
    cache.save("digest/other.code", KEY, CODE)
    assert not (homeless / "digest" / "other.code").exists()
    told = capsys.readouterr().err
    assert told.startswith("fujikoro_env: machine code is not kept: no writable cache folder among ")
    assert str(homeless) in told
    assert told.count("\n") == 1


@posix
def test_a_temporary_folder_of_another_user_is_not_used(homeless, monkeypatch):
    cache.save(NAME, KEY, CODE)
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    monkeypatch.setattr(cache, "ADMINISTRATOR", owner)  # the file alone would be trusted
    cache.cache_folder.cache_clear()
    assert loaded() is None
    with pytest.raises(OSError, match="set FUJIKORO_CACHE to one"):
        cache.cache_folder()


@posix
def test_a_link_in_place_of_the_temporary_folder_is_not_used(homeless, tmp_path):
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    homeless.symlink_to(tmp_path / "elsewhere")
    cache.save(NAME, KEY, CODE)
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert loaded() is None

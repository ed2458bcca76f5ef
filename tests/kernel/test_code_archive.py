"""Archives of machine code: what is taken out of them, and what is refused."""

import zipfile

import pytest

from fujikoro_env.kernel import cache
from fujikoro_env.kernel.code_archive import ArchiveError, export_code, import_code

WANTED = [("digest/one.code", "1" * 64), ("digest/two.code", "2" * 64)]
CODE = bytes(range(256)) * 100


@pytest.fixture
def use_folder(tmp_path, monkeypatch):
    """A function that makes a new folder the only cache."""

    def use(name):
        monkeypatch.setenv("FUJIKORO_CACHE", str(tmp_path / name))
        monkeypatch.setattr(cache, "_candidates", lambda: [tmp_path / name])
        cache.cache_folder.cache_clear()

    yield use
    cache.cache_folder.cache_clear()


@pytest.fixture
def archive(use_folder, tmp_path):
    """An archive of two entries. After it was written, another cache is in use."""
    use_folder("here")
    for name, key in WANTED:
        cache.save(name, key, CODE)
    assert export_code(WANTED, tmp_path / "code.zip") == 2
    use_folder("there")
    return tmp_path / "code.zip"


def loaded():
    return [cache.load(name, key, bytes) for name, key in WANTED]


def rewritten(archive, change):
    """The archive with the content of every entry changed."""
    with zipfile.ZipFile(archive) as file:
        contents = {name: file.read(name) for name in file.namelist()}
    changed = archive.with_name("changed.zip")
    with zipfile.ZipFile(changed, "w") as file:
        for name, content in contents.items():
            file.writestr(name, change(content))
    return changed


def test_machine_code_travels(archive):
    assert loaded() == [None, None]
    assert import_code(WANTED, archive) == 2
    assert loaded() == [CODE, CODE]


def test_entries_of_other_sources_are_left_in_the_archive(archive, tmp_path):
    others = [WANTED[0], ("other/three.code", "3" * 64)]
    assert import_code(others, archive) == 1
    assert sorted(path.name for path in (tmp_path / "there").rglob("*.code")) == ["one.code"]


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content[:-1],
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        lambda content: b"",
        lambda content: content.replace(b"1" * 64, b"4" * 64).replace(b"2" * 64, b"4" * 64),
    ],
)
def test_changed_entries_are_refused(archive, change):
    with pytest.raises(ArchiveError, match=r"changed.zip is not an archive .* digest/one.code: a file is"):
        import_code(WANTED, rewritten(archive, change))
    assert loaded() == [None, None]


def test_what_is_not_an_archive_is_refused(archive, tmp_path):
    (tmp_path / "rubbish.zip").write_bytes(b"rubbish")
    (tmp_path / "cut.zip").write_bytes(archive.read_bytes()[:-30])
    for name in ("rubbish.zip", "cut.zip", "missing.zip"):
        with pytest.raises(ArchiveError, match=f"{name} is not an archive of machine code"):
            import_code(WANTED, tmp_path / name)


def test_nothing_is_exported_over_a_file_or_without_machine_code(archive):
    with pytest.raises(FileExistsError):
        export_code([], archive)
    with pytest.raises(ArchiveError, match=r"2 entries are not in the cache, digest/one.code for example"):
        export_code(WANTED, archive.with_name("new.zip"))
    assert not archive.with_name("new.zip").exists()


def test_machine_code_in_the_package_is_used(archive, use_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "SHIPPED", tmp_path / "here")
    assert loaded() == [CODE, CODE]

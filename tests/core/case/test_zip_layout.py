import io
import struct
import zipfile

import numpy as np
import pytest

from core.case.archive import Archive
from core.case.zip_layout import NewArchive, what_is_odd


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "one.zip"
    with NewArchive(path, 3) as archive:
        archive.add("case.json", b'{"a":1}', compress=True)
        archive.add_array("costs/cost.npy", np.eye(3, dtype=np.float32))
        archive.copy("originals/ab", io.BytesIO(b"scan" * 10), 40)
        archive.add("shreds/1.png", b"a picture")
    return path


def odd(path):
    with zipfile.ZipFile(path) as archive:
        return what_is_odd(archive)


def found(path):
    """Tell whether verifying the file finds something, whatever it is."""
    try:
        with Archive(path) as archive:
            archive.check()
            archive.check_packaging()
            return next(archive.altered(), None) is not None
    except Exception:
        return True


def test_what_rejoin_writes_is_not_odd(path, tmp_path):
    assert odd(path) == ""
    for length in (0, 1, 1 << 20, (1 << 20) + 1, 3_333_333):
        with NewArchive(tmp_path / "zeros.zip", 3) as archive:
            archive.add("case.json", bytes(length), compress=True)
        assert odd(tmp_path / "zeros.zip") == ""


def test_any_bit_that_is_not_what_it_was_is_found(path):
    """All but those that fill up the last byte of what is deflated, of which nothing depends."""
    whole = path.read_bytes()
    filling = set()
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            if entry.compress_type == zipfile.ZIP_DEFLATED:
                filling.add(entry.header_offset + 30 + len(entry.filename) + entry.compress_size - 1)
    missed = []
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        if not found(path):
            missed.append(place)
    assert set(missed) <= filling


def test_what_is_hidden_before_between_and_behind_entries_is_found(path):
    whole = path.read_bytes()
    path.write_bytes(b"hidden" + whole)
    assert odd(path) == "it holds something before 'case.json'"
    path.write_bytes(whole + b"hidden")
    assert odd(path) == "it holds something at its end"
    with zipfile.ZipFile(path) as archive:
        table = archive.start_dir
    end = bytearray(whole[-22:])
    struct.pack_into("<L", end, 16, table + 6)
    path.write_bytes(whole[:table] + b"hidden" + whole[table:-22] + end)
    assert odd(path) == "it holds something behind its entries"


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: setattr(entry, "comment", b"hidden"),
        lambda entry: setattr(entry, "extra", b"\x75\x70\x02\x00hi"),
        lambda entry: setattr(entry, "date_time", (2026, 1, 1, 0, 0, 0)),
        lambda entry: setattr(entry, "external_attr", 0o120777 << 16),
    ],
    ids=["comment", "extra", "date", "link"],
)
def test_an_entry_described_otherwise_is_found(path, tmp_path, change):
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(tmp_path / "two.zip", "w") as other:
        for entry in archive.infolist():
            data = archive.read(entry)
            if entry.filename == "shreds/1.png":
                change(entry)
            other.writestr(entry, data)
    assert odd(tmp_path / "two.zip") == "'shreds/1.png' is described in another way"


def test_an_entry_with_two_names_is_found(path):
    path.write_bytes(path.read_bytes().replace(b"originals/ab", b"originals/cd", 1))
    assert odd(path) == "'originals/ab' is described in two ways"


def test_large_files_are_written_with_longer_numbers_and_not_odd(path, monkeypatch):
    whole = path.read_bytes()
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 20)
    with NewArchive(path, 3) as archive:
        archive.add("case.json", b'{"a":1}', compress=True)
        archive.copy("originals/ab", io.BytesIO(b"scan" * 10), 40)
    assert odd(path) == ""
    assert b"PK\6\6" in path.read_bytes()
    changed = bytearray(path.read_bytes())
    changed[changed.index(b"PK\6\6") + 12] ^= 1
    path.write_bytes(changed)
    assert odd(path) == "it holds something at its end"
    assert whole != changed

import gc
import os

import pytest

from core.system import spool as spooling
from core.system.spool import Spool, Spooled


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(spooling, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


def test_what_was_put_there_is_read_again(folder):
    spool = Spool()
    put = [spool.put(bytes([number]) * (1000 + number)) for number in range(5)]
    assert {type(one) for one in put} == {Spooled}
    for number in (3, 0, 4, 1, 2):
        assert put[number].read() == bytes([number]) * (1000 + number)
    assert not list(folder.iterdir()), "its files have no name: nothing is left of a process that is killed"


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files are told by /proc")
def test_it_is_gone_when_nobody_holds_any_of_it(folder):
    spool = Spool()
    put = spool.put(b"shred")
    del spool
    gc.collect()
    assert put.read() == b"shred"
    del put
    gc.collect()
    assert not [name for name in os.listdir("/proc/self/fd") if _leads_to(name, folder)]


def _leads_to(name, folder):
    try:
        return os.readlink(f"/proc/self/fd/{name}").startswith(str(folder))
    except FileNotFoundError:  # what listed the folder
        return False


def test_without_room_on_the_disk_it_stays_in_memory(folder, monkeypatch, caplog):
    spool = Spool()
    first = spool.put(b"first")

    def full(*_arguments, **_values):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spool._file, "append", full)
    assert spool.put(b"second") == b"second"
    assert spool.put(b"third") == b"third"
    assert first.read() == b"first"
    assert len(caplog.records) == 1
    assert "No space left" in caplog.text

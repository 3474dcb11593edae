import gc
import mmap
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from core.system import spool as spooling
from core.system.spool import Growing, Shelf, Spool, Spooled, lend, let_go, room_for


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


BLOCKS = np.split(np.arange(1500, dtype=np.float32).reshape(30, 50), [7])


def grown(blocks):
    growing = Growing()
    for block in blocks:
        growing.append(block)
    return growing.whole()


def test_small_arrays_stay_in_memory(folder):
    whole = grown(BLOCKS)
    assert type(whole) is np.ndarray
    np.testing.assert_array_equal(whole, np.concatenate(BLOCKS))
    assert not folder.exists()


def test_large_arrays_are_mapped_and_can_be_let_go(folder, monkeypatch):
    monkeypatch.setattr(spooling, "LARGE_BYTES", 2000)
    whole = grown(BLOCKS)
    assert isinstance(whole, np.memmap)
    assert not whole.flags.writeable
    np.testing.assert_array_equal(whole, np.concatenate(BLOCKS))
    let_go(whole, whole[3:5, ::-1], np.zeros(3))
    np.testing.assert_array_equal(whole, np.concatenate(BLOCKS))


@pytest.mark.parametrize("n_before", [0, 1, 2])
def test_an_array_for_which_the_disk_has_no_room_stays_in_memory(folder, monkeypatch, caplog, n_before):
    monkeypatch.setattr(spooling, "LARGE_BYTES", 1)
    append = spooling._File.append
    written = []

    def filling_up(self, data):
        if len(written) == n_before:
            raise OSError(28, "No space left on device")
        written.append(data)
        return append(self, data)

    monkeypatch.setattr(spooling._File, "append", filling_up)
    np.testing.assert_array_equal(grown(BLOCKS), np.concatenate(BLOCKS))
    assert ("No space left" in caplog.text) == (n_before < 2)


def test_small_arrays_share_a_file(folder, monkeypatch):
    monkeypatch.setattr(spooling, "SHELF_BYTES", 5000)
    shelf, rng = Shelf(), np.random.default_rng(0)
    arrays = [rng.integers(0, 255, (number, 7, 3), np.uint8) for number in (40, 1, 0, 100, 300, 30)]
    placed = [shelf.put(array) for array in arrays]
    del shelf
    for one, array in zip(placed, arrays, strict=True):
        np.testing.assert_array_equal(one, array)
        assert one.dtype == array.dtype
    with pytest.raises(ValueError, match="read-only"):
        placed[0][0, 0, 0] = 1
    assert not list(folder.iterdir())


def test_what_the_shelf_has_no_room_for_stays_as_it_is(folder, monkeypatch, caplog):
    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spooling._File, "room", full)
    array = np.arange(5)
    assert Shelf().put(array) is array
    assert "No space left" in caplog.text


SUM_OF_LENT = "import pickle, sys; array = pickle.load(sys.stdin.buffer); print(type(array).__name__, array.sum())"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere files without a name cannot be reached")
def test_another_process_maps_what_it_is_lent(folder, monkeypatch):
    monkeypatch.setattr(spooling, "LARGE_BYTES", 100)
    growing = Growing()
    growing.append(np.arange(60, dtype=np.float32).reshape(6, 10))
    whole = growing.whole()
    del growing
    gc.collect()
    for array in (whole, whole[2:], whole[:, ::-1], np.arange(8)):
        lent = lend(array)
        pickled = pickle.dumps(lent)
        assert len(pickled) < 400
        said = subprocess.run([sys.executable, "-c", SUM_OF_LENT], input=pickled, capture_output=True, check=True)
        assert said.stdout.decode().split() == ["memmap", str(array.sum())]
    assert lend(whole).array is whole, "it lies in a file already"
    del lent, whole, array
    gc.collect()
    with pytest.raises(FileNotFoundError):
        pickle.loads(pickled)


def test_room_is_filled_in_where_it_is_mapped_and_lent_as_it_is(folder, monkeypatch):
    monkeypatch.setattr(spooling, "LARGE_BYTES", 100)
    room = room_for((6, 10))
    assert isinstance(spooling._owner(room), mmap.mmap)
    room[:3], room[3:] = 1, 2
    let_go(room)
    np.testing.assert_array_equal(room[:, 0], [1, 1, 1, 2, 2, 2])
    if sys.platform == "linux":
        assert lend(room).array is room, "it lies in a file already"
    assert spooling._owner(room_for((2, 3))) is None, "little lies in memory"


def test_room_that_the_disk_does_not_have_is_in_memory(folder, monkeypatch, caplog):
    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spooling, "LARGE_BYTES", 100)
    monkeypatch.setattr(spooling._File, "room", full)
    room = room_for((6, 10))
    room[:] = 1
    assert room.sum() == 60
    assert "No space left" in caplog.text


def test_without_room_on_the_disk_nothing_is_lent(folder, monkeypatch, caplog):
    def full(*_arguments, **_values):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spooling._File, "append", full)
    assert lend(np.arange(8)) is None
    assert "No space left" in caplog.text or sys.platform != "linux"

import gc
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from core.system import spool
from core.system.trays import Laid, Place, Tray, lay, take

LAYS = """
import pickle, sys
import numpy as np
from core.system.trays import lay, take
laid, place = pickle.load(sys.stdin.buffer)
numbers = take(laid)["numbers"]
made = {"twice": numbers * 2, "few": np.arange(3), "none": np.zeros((0, 4)), "said": str(numbers.flags.writeable)}
pickle.dump(lay(made, place), sys.stdout.buffer)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(spool, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere files without a name cannot be reached")
def test_processes_lay_arrays_for_each_other_and_send_the_rest(folder):
    tray, numbers = Tray(shared=True), np.arange(100_001, dtype=np.float32)
    laid = lay({"numbers": numbers}, tray.place)
    sent = pickle.dumps((laid, tray.place))
    assert len(sent) < 1000
    there = subprocess.run([sys.executable, "-c", LAYS], input=sent, capture_output=True, check=True)
    assert len(there.stdout) < 1000
    back = pickle.loads(there.stdout)
    assert back.arrays[0][0] >= numbers.nbytes, "it lies behind what lies there"
    made = take(back)
    del tray
    gc.collect()
    np.testing.assert_array_equal(made["twice"], numbers * 2)
    np.testing.assert_array_equal(made["few"], [0, 1, 2])
    assert made["none"].shape == (0, 4)
    assert made["said"] == "False"
    assert not list(folder.iterdir()), "it has no name: nothing is left of a process that is killed"
    with pytest.raises(FileNotFoundError):
        take(back)


def test_what_is_small_or_has_no_tray_is_sent_as_it_is(folder):
    small, large = [np.zeros(9)], [np.zeros(100_000)]
    tray = Tray(shared=True)
    assert lay(small, tray.place) is small
    assert lay(large, None) is large
    assert take(large) is large
    assert isinstance(lay(large, tray.place), Laid) == (sys.platform == "linux")
    assert Tray(shared=False).place is None


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is laid anywhere")
def test_without_room_on_the_disk_it_is_sent(folder, caplog, monkeypatch):
    large = [np.zeros(100_000)]
    assert lay(large, Place("/dev/full", b"")) is large
    assert "No space left" in caplog.text

    def full(**_values):
        raise OSError(28, "No space left on device")

    caplog.clear()
    monkeypatch.setattr(spool, "TemporaryFile", full)
    assert Tray(shared=True).place is None
    assert "No space left" in caplog.text


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is laid anywhere")
def test_a_file_that_has_the_number_of_a_tray_that_is_gone_is_neither_written_nor_read(folder, tmp_path):
    tray, large = Tray(shared=True), [np.zeros(100_000)]
    place, laid = tray.place, lay(large, tray.place)
    number = tray._file.fileno()
    original = tmp_path / "scan.png"
    original.write_bytes(b"an original" * 100)
    with open(original, "rb") as scan:
        os.dup2(scan.fileno(), number)  # as if the tray had been closed, and this been opened
        assert lay(large, place) is large
        with pytest.raises(FileNotFoundError):
            take(laid)
    assert original.read_bytes() == b"an original" * 100

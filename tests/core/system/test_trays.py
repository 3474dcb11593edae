import gc
import pickle
import subprocess
import sys

import numpy as np
import pytest

from core.system import trays
from core.system.trays import Laid, Tray, lay, take

LAYS = """
import pickle, sys
import numpy as np
from core.system.trays import lay, take
laid, path = pickle.load(sys.stdin.buffer)
numbers = take(laid)["numbers"]
made = {"twice": numbers * 2, "few": np.arange(3), "none": np.zeros((0, 4)), "said": str(numbers.flags.writeable)}
pickle.dump(lay(made, path), sys.stdout.buffer)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(trays, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere files without a name cannot be reached")
def test_processes_lay_arrays_for_each_other_and_send_the_rest(folder):
    tray, numbers = Tray(shared=True), np.arange(100_001, dtype=np.float32)
    laid = lay({"numbers": numbers}, tray.path)
    sent = pickle.dumps((laid, tray.path))
    assert len(sent) < 1000
    there = subprocess.run([sys.executable, "-c", LAYS], input=sent, capture_output=True, check=True)
    assert len(there.stdout) < 1000
    back = pickle.loads(there.stdout)
    assert back.places[0][0] >= numbers.nbytes, "it lies behind what lies there"
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
    assert lay(small, tray.path) is small
    assert lay(large, None) is large
    assert take(large) is large
    assert isinstance(lay(large, tray.path), Laid) == (sys.platform == "linux")
    assert Tray(shared=False).path is None


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is laid anywhere")
def test_without_room_on_the_disk_it_is_sent(folder, caplog, monkeypatch):
    large = [np.zeros(100_000)]
    assert lay(large, "/dev/full") is large
    assert "No space left" in caplog.text

    def full(**_values):
        raise OSError(28, "No space left on device")

    caplog.clear()
    monkeypatch.setattr(trays, "TemporaryFile", full)
    assert Tray(shared=True).path is None
    assert "No space left" in caplog.text

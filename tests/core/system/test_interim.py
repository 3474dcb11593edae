import numpy as np
import pytest

from core.system import interim
from core.system.disk_cache import DiskCache
from core.system.interim import NOWHERE, Interim


@pytest.fixture
def cache(tmp_path):
    return DiskCache(tmp_path / "kept")


def test_the_latest_state_of_a_stage_takes_the_place_of_the_one_before(cache):
    work = Interim(cache, shreds=["a", "b"])
    assert work.latest("tiles") is None
    for n_done in (1, 2):
        work.keep("tiles", {"n_done": np.array(n_done)})
    assert Interim(cache, shreds=["a", "b"]).latest("tiles")["n_done"] == 2
    assert work.latest("other tiles") is None
    assert Interim(cache, shreds=["a"]).latest("tiles") is None
    assert len(list(cache.folder.iterdir())) == 1


def test_a_state_is_due_when_so_much_was_done_since_the_last_one(cache, monkeypatch):
    now_s = 0.0
    monkeypatch.setattr(interim.time, "monotonic", lambda: now_s)
    work = Interim(cache, shreds=["a"])
    assert not work.due
    now_s = interim.EVERY_S
    assert work.due
    work.keep("tiles", {"n_done": np.array(1)})
    assert not work.due


def test_nowhere_nothing_is_kept():
    NOWHERE.keep("tiles", {"n_done": np.array(1)})
    assert NOWHERE.latest("tiles") is None
    assert not NOWHERE.due

import pickle
import sys

import numpy as np
import pytest

from core.matching.candidates import products
from core.matching.candidates.find import Candidates
from core.matching.candidates.products import products_of
from core.matching.poses import edges_of_poses
from core.parallel import HERE, Workers
from core.progress import Cancelled, no_progress
from core.system.disk_cache import DiskCache
from core.system.interim import NOWHERE, Interim

N, AROUND = 6, (0, -1, 1)


class Near(Workers):
    """Stands for processes of this machine: tasks are pickled, and done one after the other."""

    elsewhere = near = True

    def __init__(self):
        self.bytes = []

    def map(self, function, items, n_items, text, progress=no_progress, *, same="any"):
        assert same == "all"
        for number, item in enumerate(items):
            progress(number / n_items, text)
            self.bytes.append(pickle.dumps((function, item)))
            there, given = pickle.loads(self.bytes[-1])
            yield there(given, no_progress)


@pytest.fixture
def edges():
    rng = np.random.default_rng(2)
    right, left, *turned = rng.normal(0, 1, (4, N, 300, 8)).astype(np.float32)
    blank = np.zeros(8, np.float32)
    return edges_of_poses((right, left), tuple(turned), (blank, blank))


@pytest.fixture
def candidates():
    rng = np.random.default_rng(3)
    left, right = np.sort(rng.integers(0, 2 * N, 70)), rng.integers(0, 2 * N, 70)
    return Candidates(left, right, rng.integers(-9, 10, 70).astype(np.int16))


def multiply(candidates, edges, workers=HERE, interim=NOWHERE, progress=no_progress):
    return products_of(candidates, edges.right, edges.left, AROUND, progress, "ink", interim, workers=workers)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere files without a name cannot be lent")
def test_processes_of_this_machine_multiply_what_they_map(candidates, edges, monkeypatch):
    monkeypatch.setattr(products, "FOR_WORKERS", 5)
    near, here = Near(), multiply(candidates, edges)
    np.testing.assert_array_equal(multiply(candidates, edges, near), here)
    assert len(near.bytes) == 3, "12 poses, five at a time"
    assert max(map(len, near.bytes)) < edges.right.views[0][:1].nbytes, "edges are not sent"
    lines = np.random.default_rng(4).normal(0, 1, (2, 2 * N, 300)).astype(np.float32)
    there = products_of(candidates, *lines, AROUND, no_progress, "lines", NOWHERE, workers=near)
    np.testing.assert_array_equal(there, products_of(candidates, *lines, AROUND, no_progress, "lines", NOWHERE))


def test_what_cannot_be_lent_is_multiplied_here(candidates, edges, monkeypatch):
    monkeypatch.setattr(products, "lend", lambda _array: None)
    near = Near()
    np.testing.assert_array_equal(multiply(candidates, edges, near), multiply(candidates, edges))
    assert not near.bytes


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere files without a name cannot be lent")
def test_who_is_stopped_goes_on_where_it_was_with_workers_or_without(candidates, edges, tmp_path, monkeypatch):
    monkeypatch.setattr(products, "FOR_WORKERS", 5)
    monkeypatch.setattr(Interim, "due", True)
    interim, near = Interim(DiskCache(tmp_path), what="products"), Near()

    def stop(fraction, _text=""):
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        multiply(candidates, edges, near, interim, stop)
    assert len(near.bytes) == 2
    np.testing.assert_array_equal(multiply(candidates, edges, HERE, interim), multiply(candidates, edges))
    assert int(interim.latest("ink")["n_done"]) == 12

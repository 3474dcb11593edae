import os
import sys

import psutil
import pytest
from threadpoolctl import threadpool_limits  # comes with scikit-learn

from core import embedded as embedding
from core.cluster import dask_workers
from core.cluster.start import workers_of
from core.comparison import compare
from core.embedded import embed
from core.embedding.encoder import Encoder
from core.errors import NothingFoundError
from core.matching import as_they_lie, many
from core.matching.candidates import find
from core.options import CostOptions, Options
from core.parallel import n_cores, n_threads
from core.progress import Cancelled
from core.shreds.detect import find_shreds
from core.system.disk_cache import DiskCache
from core.system.places import weights_path
from tests.core.cluster.tasks import fails, first_hangs, first_kills
from tests.core.drawn_sheets import write_sheets
from tests.core.test_embedded import assert_same

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def workers():
    with workers_of(2, None) as started:
        yield started


def test_shreds_and_embeddings_are_the_same_bit_for_bit(workers, monkeypatch, tmp_path):
    for name, value in {"TASK_SHREDS": 5, "LAST_SHREDS": 4, "LAST_TASK_SHREDS": 3}.items():
        monkeypatch.setattr(embedding, name, value)
    paths, encoder = write_sheets(tmp_path / "sheets", 2), Encoder.load(weights_path())
    missing, cache = tmp_path / "missing.jpg", DiskCache(tmp_path / "kept")
    here = find_shreds([*paths, missing], Options())
    there = find_shreds([*paths, missing], Options(), workers=workers, cache=cache)
    assert there.unreadable == here.unreadable
    assert [info.sha256 for info in there.sheets] == [info.sha256 for info in here.sheets]
    assert_same(there.shreds, here.shreds)
    some = tuple(shred.changed(half_turn=number % 3 == 0) for number, shred in enumerate(here.shreds[:12]))
    same = tuple(shred.changed(half_turn=number % 3 == 0) for number, shred in enumerate(there.shreds[:12]))
    expected = embed(some, encoder, Options())
    assert expected.turned is not None
    assert_same(embed(same, encoder, Options(), cache=cache, workers=workers), expected)
    assert len(list((tmp_path / "kept").glob("*.kept"))) == 2 + 4 + 4, "shreds 0 to 4, 5 to 7, 8 to 10 and the last"


@pytest.fixture
def alike(monkeypatch):
    """Give one worker, which has all cores: as many threads as this process, though tests otherwise compute on one."""
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", str(n_cores()))
    if n_threads() != (n_cores(), n_cores()):
        pytest.skip("this process computes with fewer threads than a worker that has all cores")
    environment = dict(os.environ)
    with threadpool_limits(n_cores(), "blas"), workers_of(1, None) as started:
        assert dict(os.environ) == environment
        yield started


def test_costs_are_the_same_bit_for_bit_where_tiles_are_given_to_workers(alike, monkeypatch, tmp_path):
    monkeypatch.setattr(as_they_lie, "EVERY", 0)
    monkeypatch.setattr(many, "TILE_SHREDS", 5)
    monkeypatch.setattr(find, "TILE_POSES", 5)
    monkeypatch.setattr(many, "PER_BORDER", 3)
    monkeypatch.setattr(find, "PER_BORDER", 3)
    shreds = find_shreds(write_sheets(tmp_path, 2), Options()).shreds[:12]
    encoder, given = Encoder.load(weights_path()), []
    monkeypatch.setattr(alike, "_give", lambda *task, give=alike._give: given.append(task) or give(*task))
    for options in (Options(), Options(cost=CostOptions(try_half_turns=False))):
        some = tuple(shred.changed(half_turn=number % 3 == 0) for number, shred in enumerate(shreds))
        embedded = embed(some, encoder, options)
        assert (embedded.turned is not None) == options.cost.try_half_turns
        assert_same(compare(embedded, options, workers=alike).costs, compare(embedded, options).costs)
    # Both ways up ink, contours and lines of candidates, too.
    assert len(given) == 9 + 6 + 6 + 9 + (3 if sys.platform == "linux" else 0)


def test_processes_of_this_machine_multiply_and_are_sent_no_tiles(monkeypatch, tmp_path):
    monkeypatch.setattr(find, "PER_BORDER", 3)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    shreds = find_shreds(write_sheets(tmp_path, 2), Options()).shreds[:12]
    some = tuple(shred.changed(half_turn=number % 3 == 0) for number, shred in enumerate(shreds))
    embedded = embed(some, Encoder.load(weights_path()), Options())
    given = []
    with threadpool_limits(1, "blas"), workers_of(2, None) as near:
        monkeypatch.setattr(near, "_give", lambda *task, give=near._give: given.append(task) or give(*task))
        assert_same(compare(embedded, Options(), workers=near).costs, compare(embedded, Options()).costs)
    # Ink, contours and lines, some poses at a time.
    assert len(given) == (3 if sys.platform == "linux" else 0)


def test_nothing_listens_beyond_this_machine(workers):
    assert len(list(workers.map(first_hangs, [(1, None)] * 2, 2, "Working"))) == 2
    me = psutil.Process()
    listening = [
        connection.laddr.ip
        for process in (me, *me.children(recursive=True))
        for connection in process.net_connections()
        if connection.status == psutil.CONN_LISTEN
    ]
    assert len(listening) >= 3
    assert set(listening) <= {"127.0.0.1", "::1"}


def test_a_worker_that_dies_is_replaced_and_its_task_done_again(workers, tmp_path):
    tasks = [(number, tmp_path / "killed") for number in range(6)]
    results = list(workers.map(first_kills, tasks, 6, "Working"))
    assert [number for number, _ in results] == list(range(6))
    assert (tmp_path / "killed").exists()


def test_a_task_that_holds_the_rest_is_given_to_another_worker(workers, tmp_path, monkeypatch):
    monkeypatch.setattr(dask_workers, "PATIENCE_S", 0.2)
    monkeypatch.setattr(workers, "_longest_s", 0.0)
    tasks = [(number, tmp_path / "hung") for number in range(4)]
    assert list(workers.map(first_hangs, tasks, 4, "Working")) == [0, 1, 2, 3]
    (tmp_path / "hung").unlink()  # only now the first one ends; the worker is wanted by the next test


def test_what_a_task_raises_is_raised_at_its_place_and_cancelling_drops_the_rest(workers):
    results = workers.map(fails, range(3), 3, "Working")
    assert next(results) == 0
    with pytest.raises(NothingFoundError, match="There is nothing"):
        next(results)

    def cancel(_fraction, _text):
        raise Cancelled

    with pytest.raises(Cancelled):
        list(workers.map(fails, [0, 2], 2, "Working", cancel))
    reported = []
    assert list(workers.map(fails, [0, 2], 2, "Working", lambda *report: reported.append(report))) == [0, 2]
    assert reported[-1] == (1.0, "Working")
    assert set(reported) == {(0.0, "Working"), (0.5, "Working"), (1.0, "Working")}

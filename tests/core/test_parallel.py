import os
import subprocess
import sys
from threading import Barrier

import pytest

from core.parallel import HERE, map_in_order, n_threads, one_thread_for_products


def test_progress_names_the_item_and_in_the_end_none():
    reported = []
    results = map_in_order(abs, [-1, -2], "Saving shred {number} of {n}", lambda *report: reported.append(report), 1)
    assert list(results) == [1, 2]
    assert reported == [(0.0, "Saving shred 1 of 2"), (0.5, "Saving shred 2 of 2"), (1.0, "Saving shred")]
    assert [getattr(text, "fields", None) for _, text in reported] == [
        {"number": 1, "n": 2},
        {"number": 2, "n": 2},
        None,
    ]


def test_some_of_many_are_numbered_among_all():
    reported = []
    text, progress = "Saving shred {number} of {n}", lambda *report: reported.append(report)
    assert list(map_in_order(abs, [-1, -2], text, progress, 1, (7, 20))) == [1, 2]
    assert [str(text) for _, text in reported] == ["Saving shred 8 of 20", "Saving shred 9 of 20", "Saving shred"]


def test_what_does_not_tell_how_many_it_holds_is_told():
    reported = []
    found = map_in_order(abs, iter([-1, -2, -3]), progress=lambda *report: reported.append(report), n_items=3)
    assert list(found) == [1, 2, 3]
    assert [str(text) for _, text in reported] == ["1 of 3", "2 of 3", "3 of 3", ""]


def test_tasks_that_compute_products_are_done_side_by_side_where_these_have_one_thread(monkeypatch):
    monkeypatch.setenv("PYTHON_CPU_COUNT", "2")
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    together, taken = Barrier(2), []

    def items():
        for number in range(4):
            taken.append(number)
            yield number

    def task(number, _progress):
        together.wait(timeout=60)  # for the task beside it
        return number

    assert list(HERE.map(task, items(), 4, "Comparing", same="all")) == [0, 1, 2, 3]
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    taken.clear()
    one_by_one = HERE.map(lambda number, _progress: number, items(), 4, "Comparing", same="all")
    assert next(one_by_one) == 0
    assert taken == [0]


@pytest.mark.parametrize(("said", "threads"), [(None, 1), ("OMP_NUM_THREADS", 3), ("OPENBLAS_NUM_THREADS", 3)])
def test_products_have_one_thread_unless_the_environment_says_otherwise(monkeypatch, said, threads):
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    monkeypatch.setattr(os, "environ", environment | ({} if said is None else {said: "3"}))
    one_thread_for_products()
    assert n_threads()[0] == threads


def test_numpy_is_not_loaded_before_it_is_told_how_many_threads_it_has():
    told = "import sys, main; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout == "False\n"

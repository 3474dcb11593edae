import gc
import threading
import time
import weakref
from contextlib import contextmanager

import pytest
from PySide6.QtCore import QObject, QThread, Signal

from app.session import tasks
from app.session.tasks import Jobs, Task
from core.errors import UnreadableInputError
from core.progress import Cancelled, halted, working_s


class Journal(QObject):
    """Notes every signal of a task, in order, and in which thread it came."""

    over = Signal()

    def __init__(self, task: Task) -> None:
        super().__init__()
        self.events: list[tuple[str, object]] = []
        self.threads: set[QThread] = set()
        for name in ("progressed", "delivered", "succeeded", "failed", "cancelled", "finished"):
            getattr(task, name).connect(lambda *values, name=name: self.note(name, values))

    def note(self, name: str, values: tuple[object, ...]) -> None:
        self.events.append((name, values[0] if len(values) == 1 else values))
        self.threads.add(QThread.currentThread())
        if name == "finished":
            self.over.emit()

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.events]


@pytest.fixture
def jobs():
    jobs = Jobs()
    yield jobs
    jobs.cancel_all()
    jobs.wait()


def follow(qtbot, task: Task) -> Journal:
    journal = Journal(task)
    with qtbot.waitSignal(journal.over):
        pass
    return journal


def test_result(qtbot, jobs):
    journal = follow(qtbot, jobs.start(lambda progress, deliver: 42))
    assert journal.events == [("succeeded", 42), ("finished", ())]
    assert len(jobs) == 0


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("out of order"),
        ValueError("wrong"),
        UnreadableInputError("a.png is broken."),
        MemoryError(),
        StopIteration(),
        KeyError("x"),
        SystemExit(3),
    ],
    ids=lambda error: type(error).__name__,
)
def test_every_kind_of_error_is_an_outcome(qtbot, jobs, error):
    def work(progress, deliver):
        raise error

    journal = follow(qtbot, jobs.start(work))
    assert journal.events == [("failed", error), ("finished", ())]


def test_signals_come_in_the_gui_thread(qtbot, jobs):
    worker = []

    def work(progress, deliver):
        worker.append(threading.current_thread())
        progress(0.5, "half")
        deliver("sheet")

    journal = follow(qtbot, jobs.start(work))
    assert journal.names == ["progressed", "delivered", "succeeded", "finished"]
    assert journal.events[0] == ("progressed", (0.5, "half"))
    assert journal.threads == {jobs.thread()}
    assert worker[0] is not threading.current_thread()


def test_progress_is_thinned_out_but_ends_at_one(qtbot, jobs):
    def work(progress, deliver):
        for step in range(10_001):
            progress(step / 10_000, "step")

    journal = follow(qtbot, jobs.start(work))
    reports = [value for name, value in journal.events if name == "progressed"]
    assert len(reports) < 200
    assert reports[-1] == (1.0, "step")


def test_cancel_is_told_at_once_and_stops_the_function(qtbot, jobs):
    started, stopped = threading.Event(), threading.Event()

    def work(progress, deliver):
        started.set()
        try:
            while True:
                progress(0.1, "on and on")
                time.sleep(0.005)
        except Cancelled:
            stopped.set()
            raise

    task = jobs.start(work)
    journal = Journal(task)
    assert started.wait(60)
    task.cancel()
    assert journal.names[-1] == "cancelled"
    with qtbot.waitSignal(journal.over):
        pass
    assert stopped.is_set()
    assert journal.names[-2:] == ["cancelled", "finished"]


@pytest.mark.parametrize("late", ["result", "error", "item"])
def test_what_comes_after_cancel_is_dropped(qtbot, jobs, late, caplog):
    started, go_on = threading.Event(), threading.Event()

    def work(progress, deliver):
        started.set()
        go_on.wait(60)
        if late == "error":
            raise RuntimeError("too late")
        if late == "item":
            deliver("too late")
        return "too late"

    task = jobs.start(work)
    journal = Journal(task)
    assert started.wait(60)
    task.cancel()
    go_on.set()
    with qtbot.waitSignal(journal.over):
        pass
    assert journal.names == ["cancelled", "finished"]
    assert ("too late" in caplog.text) == (late == "error")


def test_cancel_after_the_outcome_changes_nothing(qtbot, jobs):
    task = jobs.start(lambda progress, deliver: 1)
    journal = follow(qtbot, task)
    task.cancel()
    assert journal.names == ["succeeded", "finished"]


def test_unreferenced_task_keeps_its_result(qtbot, jobs):
    results = []
    for number in range(50):
        jobs.start(lambda progress, deliver, number=number: number).succeeded.connect(results.append)
    qtbot.waitUntil(lambda: len(jobs) == 0)
    assert sorted(results) == list(range(50))


def test_a_finished_task_holds_nothing_of_who_listened(qtbot, jobs):
    class Listener:
        def listen(self) -> None:
            self.task = jobs.start(lambda progress, deliver: 42)  # the task and who listens hold each other
            self.task.succeeded.connect(lambda result: setattr(self, "result", result))

    listener = Listener()
    listener.listen()
    qtbot.waitUntil(lambda: len(jobs) == 0)
    assert listener.result == 42
    gone = weakref.ref(listener)
    del listener

    def collected() -> bool:
        gc.collect()
        return gone() is None

    qtbot.waitUntil(collected)


def test_wait_leaves_no_thread(jobs):
    def work(progress, deliver):
        while True:
            progress(0, "")
            time.sleep(0.001)

    for _ in range(3):
        jobs.start(work)
    jobs.cancel_all()
    jobs.wait()
    assert len(jobs) == 0
    assert not [thread for thread in threading.enumerate() if thread.name == "task"]


def test_many_tasks_each_have_exactly_one_outcome(qtbot, jobs):
    """Emitting signals, starting and joining threads by the hundred; a reference counted wrongly shows here."""
    outcomes: list[str] = []

    def work(progress, deliver, fails):
        for step in range(20):
            progress(step / 20, "step")
        if fails:
            raise RuntimeError("fails")

    for number in range(300):
        task = jobs.start(lambda progress, deliver, fails=number % 3 == 0: work(progress, deliver, fails))
        task.succeeded.connect(lambda _: outcomes.append("succeeded"))
        task.failed.connect(lambda _: outcomes.append("failed"))
        task.cancelled.connect(lambda: outcomes.append("cancelled"))
        if number % 5 == 0:
            task.cancel()
    qtbot.waitUntil(lambda: len(jobs) == 0)
    assert len(outcomes) == 300
    assert outcomes.count("cancelled") == 60


@pytest.fixture
def standing(monkeypatch):
    """Set while the work of a task stands still."""
    event = threading.Event()

    @contextmanager
    def halted():
        event.set()
        yield
        event.clear()

    monkeypatch.setattr(tasks, "halted", halted)
    return event


def test_a_task_that_is_paused_stands_still_at_its_next_report_and_goes_on(qtbot, standing):
    jobs, begun, passed, done = Jobs(), threading.Event(), [], []

    def work(progress, deliver):
        assert begun.wait(60)
        progress(0.5, "half")
        passed.append(0.5)
        return "done"

    task = jobs.start(work)
    task.succeeded.connect(done.append)
    jobs.wait_for(task, "reconstruct", "Working")
    jobs.pause(True)
    begun.set()
    assert standing.wait(60)
    assert passed == []
    jobs.pause(False)
    qtbot.waitUntil(lambda: len(jobs) == 0)
    assert (passed, done) == ([0.5], ["done"])


def test_a_task_that_is_paused_can_be_cancelled(qtbot, standing):
    jobs, begun, passed = Jobs(), threading.Event(), []

    def work(progress, deliver):
        assert begun.wait(60)
        progress(0.5, "half")
        passed.append(0.5)

    task = jobs.start(work)
    task.pause(True)
    begun.set()
    assert standing.wait(60)
    task.cancel()
    qtbot.waitUntil(lambda: len(jobs) == 0)
    assert passed == []


def test_the_clock_of_the_work_stands_still_with_it_in_its_own_thread(monkeypatch):
    now, others = [100.0], []
    monkeypatch.setattr("core.progress.time.monotonic", lambda: now[0])
    begun = working_s()
    now[0] += 5
    with halted():
        now[0] += 60
    now[0] += 2
    assert working_s() - begun == pytest.approx(7)
    other = threading.Thread(target=lambda: others.append(working_s()))
    other.start()
    other.join()
    assert others == [167.0]

"""A function on a worker thread: progress, cancel, exactly one outcome. The only module that starts threads."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal, Slot

from app.session.engine import Engine
from app.wording import translated
from core.progress import Cancelled, Progress, halted

logger = logging.getLogger(__name__)

Deliver: TypeAlias = Callable[[object], None]
"""Hands an intermediate result, a sheet that has been read, to the window while the work goes on."""

Work: TypeAlias = Callable[[Progress, Deliver], Any]
"""What runs on the worker: takes the two callbacks, returns the result, touches nothing of the window."""

_REPORT_EVERY_S = 0.03
_LOOK_EVERY_S = 0.1


class Task(QObject):
    """One run of a function.

    Its signals are emitted in the GUI thread alone: `progressed` and `delivered` while it runs, then exactly one of
    `succeeded`, `failed` and `cancelled`, and `finished` when the thread has really left the function.
    `cancelled` comes at once, for the one who waits; whatever the function still returns after that is dropped.
    """

    progressed = Signal(float, str)
    delivered = Signal(object)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    finished = Signal()
    _from_worker = Signal(str, object)

    def __init__(self, work: Work) -> None:
        super().__init__()
        self._work: Work | None = work
        self._stop, self._go_on = threading.Event(), threading.Event()
        self._go_on.set()
        self.settled = False
        """Whether the outcome is known."""
        self._reported_at = 0.0
        # Queued, so that every signal above is emitted in the thread that owns the task, whoever listens.
        self._from_worker.connect(self._receive, Qt.ConnectionType.QueuedConnection)

    def at_outcome(self, do: Callable[..., object]) -> None:
        """Have something done at the outcome, whatever it is; a result or an error is handed on."""
        for outcome in (self.succeeded, self.failed, self.cancelled):
            outcome.connect(do)

    def cancel(self) -> None:
        """Stop the work: `cancelled` is emitted now, the function stops at its next report of progress."""
        if not self.settled:
            self._stop.set()
            self.settled = True
            self.cancelled.emit()

    def pause(self, on: bool) -> None:
        """Let the function stand still at its next report of progress, or go on."""
        (self._go_on.clear if on else self._go_on.set)()

    def run(self) -> None:
        """Run the function; called on the worker."""
        assert self._work is not None
        kind, value = "cancelled", None
        try:
            if not self._stop.is_set():
                kind, value = "succeeded", self._work(self._report, self._deliver)
        except Cancelled:
            kind, value = "cancelled", None
        except BaseException as error:  # any exception is an outcome; it is shown, never swallowed
            kind, value = "failed", error
        self._work = None
        self._from_worker.emit(kind, value)
        value = None  # or an error would hold this frame, and this frame the error, and both what the work was about
        self._from_worker.emit("finished", None)

    def _report(self, fraction: float, text: str) -> None:
        if not self._go_on.is_set():
            with halted():
                while not (self._stop.is_set() or self._go_on.wait(_LOOK_EVERY_S)):
                    pass
        if self._stop.is_set():
            raise Cancelled
        now = time.monotonic()
        if now - self._reported_at >= _REPORT_EVERY_S or fraction >= 1:
            self._reported_at = now
            self._from_worker.emit("progressed", (fraction, text))

    def _deliver(self, item: object) -> None:
        if self._stop.is_set():
            raise Cancelled
        self._from_worker.emit("delivered", item)

    @Slot(str, object)
    def _receive(self, kind: str, value: Any) -> None:
        if kind == "finished":
            self.finished.emit()
        elif self.settled:
            if kind == "failed":
                logger.warning("Failed after it was cancelled.", exc_info=value)
        elif kind == "progressed":
            fraction, text = value
            self.progressed.emit(fraction, translated(text))
        elif kind == "delivered":
            self.delivered.emit(value)
        else:
            self.settled = True
            signal = {"succeeded": self.succeeded, "failed": self.failed, "cancelled": self.cancelled}[kind]
            signal.emit(*(() if kind == "cancelled" else (value,)))


@dataclass(frozen=True, eq=False)
class Running:
    """The work the user waits for."""

    task: Task
    kind: str
    title: str


class Jobs(QObject):
    """All running tasks, the engine that they call, and the one task that the user waits for.

    An unreferenced task would disappear together with its result. Each has a thread of Python's own: the wrappers that
    PySide6 puts around `QRunnable` and around functions given to `QThreadPool` can be destroyed by one thread while
    another is still inside them.

    Parameters
    ----------
    engine : Engine, optional
        What does the slow work; the real one, if absent.
    """

    running_changed = Signal()
    failed = Signal(object)
    """The exception that ended the work."""
    cancelled = Signal()

    def __init__(self, engine: Engine | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.engine = engine or Engine()
        self.running: Running | None = None
        self._threads: dict[Task, threading.Thread] = {}

    def __len__(self) -> int:
        return len(self._threads)

    @property
    def busy(self) -> bool:
        """Whether something runs that the user waits for."""
        return self.running is not None

    @property
    def exporting(self) -> bool:
        """Whether pages are being written; nothing else is opened meanwhile."""
        return self.running is not None and self.running.kind == "export"

    def start(self, work: Work) -> Task:
        """Run a function on a worker; connect to the task's signals before returning to the event loop."""
        task = Task(work)
        task.finished.connect(self._forget)
        self._threads[task] = threading.Thread(target=task.run, name="task")
        self._threads[task].start()
        return task

    def wait_for(self, task: Task, kind: str, title: str) -> Task:
        """Make a task the one the user waits for, until its outcome.

        What is connected to its signals before is called while it still counts as running.
        """
        task.at_outcome(self._settle)
        task.failed.connect(self.failed)
        task.cancelled.connect(self.cancelled)
        self.running = Running(task, kind, title)
        self.running_changed.emit()
        return task

    def _settle(self, *_: object) -> None:
        self.running = None
        self.running_changed.emit()

    def cancel(self) -> None:
        """Stop what the user waits for."""
        if self.running:
            self.running.task.cancel()

    def pause(self, on: bool) -> None:
        """Let what the user waits for stand still, or go on."""
        if self.running:
            self.running.task.pause(on)

    def cancel_all(self) -> None:
        """Cancel whatever runs."""
        for task in list(self._threads):
            task.cancel()

    def wait(self) -> None:
        """Block until every worker has left its function; for the end of the program, after the event loop."""
        for task, thread in list(self._threads.items()):
            thread.join()
            QCoreApplication.sendPostedEvents(task)

    @Slot()
    def _forget(self) -> None:
        task = self.sender()
        assert isinstance(task, Task)
        # The thread has nothing left to do; joined, it holds no reference, and the task is destroyed in this thread.
        self._threads.pop(task).join()
        task.deleteLater()  # what is connected to it may hold it, and with it a whole case; nothing else ends that

"""Frame times and memory of the real window with many shreds.

    python benchmarks/bench_window.py [-n SHREDS…] [--scans FOLDER] [--keep FOLDER]

Opens a case with so many shreds in the window, under Xvfb where there is no display (package xvfb), and drives it by
events: opening, turning pages, scrolling, zooming, moving, dragging shreds, editing, the light table. A frame is the
time from an event until everything that it leads to has been drawn; beside it stands how long the window's own thread
computed, which says more where other programs are busy. Shreds are cut in software out of drawn pages; with --scans
they are real ones, found on the scans in that folder.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from cases import build  # noqa: E402 - first it must be found

SLOW_MS = 33.3
LIMIT_MB = 3000
EVENT_EVERY_S = 1 / 60

Frames = list[float]


# The window


@dataclass
class Driver:
    """Sends events to a window and takes the time until they have been dealt with."""

    window: object
    frames: dict[str, Frames] = field(default_factory=dict)
    computed: dict[str, Frames] = field(default_factory=dict)

    def frame(self, kind: str, act: Callable[[], object]) -> None:
        """Do something, let the window draw, and rest until the next event is due."""
        from PySide6.QtWidgets import QApplication

        begin, begin_computing = time.perf_counter(), time.thread_time()
        act()
        QApplication.processEvents()
        seconds = time.perf_counter() - begin
        self.frames.setdefault(kind, []).append(1000 * seconds)
        self.computed.setdefault(kind, []).append(1000 * (time.thread_time() - begin_computing))
        time.sleep(max(0.0, EVENT_EVERY_S - seconds))

    def until(self, kind: str, condition: Callable[[], bool], timeout_s: float = 300) -> None:
        """Let the window go on until something is so; each turn of its event loop is a frame."""
        end = time.monotonic() + timeout_s
        while not condition():
            if time.monotonic() > end:
                sys.exit(f"{kind}: it never came to that.")
            self.frame(kind, lambda: None)

    def rest(self) -> None:
        """Let workers come to an end, uncounted."""
        from PySide6.QtWidgets import QApplication

        while len(self.window.session.jobs):
            QApplication.processEvents()
            time.sleep(0.01)

    def wheel(self, kind: str, view, steps: int, modifiers=None) -> None:
        """Turn the wheel over the middle of a view."""
        from PySide6.QtCore import QPoint, QPointF, Qt
        from PySide6.QtGui import QWheelEvent
        from PySide6.QtWidgets import QApplication

        at = QPointF(view.viewport().rect().center())
        plain, none = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.NoButton
        for _ in range(abs(steps)):
            turn = QPoint(0, 120 if steps > 0 else -120)
            event = QWheelEvent(
                at,
                view.viewport().mapToGlobal(at),
                QPoint(),
                turn,
                none,
                modifiers or plain,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            self.frame(kind, lambda event=event: QApplication.sendEvent(view.viewport(), event))

    def drag(self, kind: str, view, begin, way, button, n: int = 60) -> None:
        """Press, move in n steps along a way and back, and release."""
        from PySide6.QtTest import QTest

        area = view.viewport()
        self.frame(kind, lambda: QTest.mousePress(area, button, pos=begin))
        for step in [*range(n // 2), *range(n // 2, 0, -1)]:
            to = begin + way * (step / (n // 2))
            self.frame(kind, lambda to=to: QTest.mouseMove(area, to))
        self.frame(kind, lambda: QTest.mouseRelease(area, button, pos=begin))

    def report(self, n: int) -> bool:
        """Print a line for each kind of work; tell whether memory and frames are within their limits."""
        heading = f"median, 95th percentile and longest ms, share over {SLOW_MS:.0f} ms, computed longest and 95 %"
        print(f"{n} shreds: {heading}")
        good = True
        for kind, times in self.frames.items():
            p95, p95_computed = (float(np.percentile(each, 95)) for each in (times, self.computed[kind]))
            share = 100 * sum(each > SLOW_MS for each in times) / len(times)
            line = f"{statistics.median(times):7.1f} {p95:7.1f} {max(times):7.1f} {share:6.1f} %"
            print(f"  {kind:28s} {line} {max(self.computed[kind]):7.1f} {p95_computed:7.1f}  of {len(times)}")
            good &= p95 <= SLOW_MS
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"  peak memory {peak:.0f} MB")
        return good and peak < LIMIT_MB


def drive(driver: Driver) -> None:
    """Do with the window what an examiner does."""
    from PySide6.QtCore import QPoint, QPointF, Qt
    from PySide6.QtTest import QTest

    window = driver.window
    session, canvas, strip = window.session, window.pages.view.canvas, window.pages.strip
    driver.until("opening", lambda: bool(canvas.places))
    driver.rest()
    for _ in range(12):
        driver.frame("turning a page", lambda: QTest.keyClick(window, Qt.Key.Key_PageDown))
        driver.until("composing the page", lambda: bool(canvas.places))
    driver.rest()
    driver.wheel("scrolling sheets", window.sheets.filmstrip, -60)
    driver.wheel("scrolling the order", strip, -60)
    driver.wheel("scrolling the order", strip, 60)
    for _ in range(3):
        driver.wheel("zooming a page", canvas, 14)
        driver.wheel("zooming a page", canvas, -14)
    canvas.set_zoom(1.0)
    middle = canvas.viewport().rect().center()
    driver.drag("moving a page", canvas, middle, QPoint(160, -120), Qt.MouseButton.MiddleButton)
    canvas.fit()
    shred = list(canvas.places)[8]
    for _ in range(20):
        driver.frame("choosing shreds", lambda: QTest.keyClick(canvas, Qt.Key.Key_Right))
    begin = canvas.mapFromScene(QPointF(canvas.places[shred].center()))
    driver.frame("choosing shreds", lambda: QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=begin))
    driver.drag("dragging a shred, page", canvas, begin, QPoint(-120, 0), Qt.MouseButton.LeftButton)
    driver.rest()
    place = strip.rect_of(shred)
    if place.isValid():
        begin = place.center()
        driver.drag("dragging a shred, order", strip, begin, QPoint(-150, 0), Qt.MouseButton.LeftButton)
    driver.rest()
    session.document.select_shred(session.document.case.arrangement.pages[session.document.page][4])
    for _ in range(10):
        driver.frame("editing", lambda: window.commands.move_right.trigger())
        driver.until("composing after an edit", lambda: session.pictures.page(session.document.page) is not None)
    for _ in range(10):
        driver.frame("undoing", lambda: window.commands.undo.trigger())
    driver.rest()
    for _ in range(10):
        driver.frame("the next doubtful join", lambda: window.commands.next_doubtful.trigger())
        driver.rest()
    driver.frame("opening the table", lambda: window.commands.table.setChecked(True))
    driver.rest()


def run(path: Path, n: int) -> int:
    """Open a case in the window, drive it, print figures."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from app import application
    from app.main_window import MainWindow

    outcome: list[bool] = []

    def go() -> None:
        window = next(each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow))
        window.resize(1500, 950)
        driver = Driver(window)
        try:
            window.opener.open([path])
            drive(driver)
            outcome.append(driver.report(n))
        finally:
            window.session.document.discard_changes()
            window.close()
            QApplication.instance().quit()

    execute = QApplication.exec

    def execute_and_go(*_: object) -> int:
        QTimer.singleShot(300, go)
        return execute()

    QApplication.exec = execute_and_go
    application.run([])
    return 0 if outcome == [True] else 1


def main() -> int:
    """Build the cases and drive the window with each; the exit code is 1 where a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, nargs="+", default=[500, 2300], help="how many shreds")
    parser.add_argument("--scans", type=Path, help="a folder of scans, for real shreds")
    parser.add_argument("--keep", type=Path, help="where to keep the cases, to use them again")
    parser.add_argument("--step", choices=("build", "run"), help=argparse.SUPPRESS)
    parser.add_argument("--case", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step == "build":
        build(given.n[0], given.case, given.scans)
        return 0
    if given.step == "run":
        return run(given.case, given.n[0])
    worst = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for n in given.n:
            path = folder / f"{n} {given.scans.name if given.scans else 'drawn'} shreds.rejoin"
            step = [sys.executable, __file__, "-n", str(n), "--case", str(path)]
            if not path.exists():
                scans = ["--scans", str(given.scans)] if given.scans else []
                subprocess.run([*step, *scans, "--step", "build"], check=True)
            worst = max(worst, subprocess.run(on_screen([*step, "--step", "run"]), env=home(scratch)).returncode)
    return worst


def on_screen(command: list[str]) -> list[str]:
    """Run a command under Xvfb where there is no display."""
    if sys.platform != "linux" or {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"} & set(os.environ):
        return command
    if not shutil.which("xvfb-run"):
        sys.exit("There is no display. Install the package xvfb.")
    return ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24", *command]


def home(folder: str) -> dict[str, str]:
    """Give an environment in which nobody's settings are touched."""
    return {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder}


if __name__ == "__main__":
    sys.exit(main())

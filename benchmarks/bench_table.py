"""Frame times of the light table with hundreds of pages.

    python benchmarks/bench_table.py [-n PAGES…] [--packed]

Shows a case of so many pages of 25 shreds on the light table of the real window, under Xvfb where there is no display
(package xvfb): opening it, all pages at a glance, scrolling from the first page to the last and back, changing the
size, walking by keys, filtering. Shreds are cut in software out of drawn pages; with --packed they lie packed, as
those of large cases do. A frame is the time from an event until everything that it leads to has been drawn.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_window import Driver, home, on_screen
from cases import SHREDS_ON_PAGE, packed_pages

SIZE_PX = 1600, 1000
AT_A_GLANCE = 54


def drive(driver: Driver, n_pages: int) -> None:
    """Do with the table what an examiner does."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from app.table.page_model import PICTURE_ROLE

    window = driver.window
    view, model = window.table.view, window.table.model
    key = lambda of, *more: lambda: QTest.keyClick(view, of, *more)  # noqa: E731
    ctrl = Qt.KeyboardModifier.ControlModifier

    def drawn() -> bool:
        return all(model.index(row).data(PICTURE_ROLE) is not None for row in view.rows_in_sight())

    def until_drawn(kind: str) -> None:
        begin = time.perf_counter()
        driver.until(kind, drawn)
        print(f"  {kind}: {len(view.rows_in_sight())} pages in sight after {time.perf_counter() - begin:.2f} s")

    driver.frame("opening the table", lambda: QTest.keyClick(window, Qt.Key.Key_G))
    until_drawn("drawing what is in sight")
    driver.frame("fitting", key(Qt.Key.Key_0))
    until_drawn("drawing all at a glance")
    driver.rest()
    view.set_side(160)
    driver.rest()
    n_steps = 0
    while view.verticalScrollBar().value() < view.verticalScrollBar().maximum():
        driver.wheel("scrolling, not drawn yet", view, -1)
        n_steps += 1
    driver.rest()
    driver.wheel("scrolling back", view, n_steps)
    driver.rest()
    for step in (6, -6):
        driver.wheel("changing the size", view, step, ctrl)
    driver.rest()
    for _ in range(40):
        driver.frame("walking by keys", key(Qt.Key.Key_Right))
    driver.frame("filtering", key(Qt.Key.Key_5, Qt.KeyboardModifier.AltModifier))
    driver.frame("filtering", key(Qt.Key.Key_5, Qt.KeyboardModifier.AltModifier))
    driver.rest()


def run(n_pages: int, folder: Path, are_packed: bool) -> int:
    """Show a case in the window, drive it, print figures; 1 where a limit is passed."""
    from PySide6.QtWidgets import QApplication

    from app import theme
    from app.main_window import MainWindow
    from app.session.session import Session
    from app.settings import Settings

    application = QApplication([])
    application.setStyle("Fusion")
    theme.apply(application, "light")
    window = MainWindow(Session(), Settings(folder / "settings.ini"))
    window.resize(*SIZE_PX)
    window.show()
    driver, document = Driver(window), window.session.document
    case = packed_pages(n_pages, folder, are_packed)
    document.put(paths=(folder / "sheets",))
    document.show(document.opened.holding(case))
    window.session.editor.begin()
    driver.until("opening", lambda: bool(window.pages.view.canvas.places))
    driver.rest()
    window.activateWindow()
    driver.frames.clear()
    drive(driver, n_pages)
    good = driver.report(SHREDS_ON_PAGE * n_pages)
    document.discard_changes()
    window.close()
    return 0 if good else 1


def main() -> int:
    """Drive the window with each number of pages; the exit code is 1 where a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, nargs="+", default=[AT_A_GLANCE, 600], help="how many pages")
    parser.add_argument("--packed", action="store_true", help="let shreds lie packed")
    parser.add_argument("--step", choices=("run",), help=argparse.SUPPRESS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if given.step:
            return run(given.n[0], Path(scratch), given.packed)
        packed = ["--packed"] if given.packed else []
        steps = [[sys.executable, __file__, "-n", str(n), "--step", "run", *packed] for n in given.n]
        return max(subprocess.run(on_screen(step), env={**os.environ, **home(scratch)}).returncode for step in steps)


if __name__ == "__main__":
    sys.exit(main())

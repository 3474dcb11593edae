"""Milliseconds from the start of the interpreter until the window is on screen, by the clock and of the processor.

    python benchmarks/bench_startup.py [-n TIMES] [--main PATH]

Starts `main.py` as a user does, under Xvfb where there is no display (package xvfb). The first run, which reads all
files from disk and compiles them, is shown apart. At last, how long the import of TensorFlow halts the window's thread
at most.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT_MS = 1500

CHILD = """
import runpy, sys, time
started, main = float(sys.argv[1]), sys.argv[2]
sys.argv = [main]
sys.path.insert(0, main.rpartition("/")[0])


def watch():
    from PySide6.QtCore import QEvent, QObject, QTimer
    from PySide6.QtWidgets import QApplication

    class Watch(QObject):
        def eventFilter(self, window, event):
            if event.type() == QEvent.Type.Expose and window.isExposed():
                QApplication.instance().removeEventFilter(self)
                QTimer.singleShot(0, self.report)  # when the event has been dealt with, the window has been drawn
            return False

        def report(self):
            clock, processor = 1000 * (time.time() - started), 1000 * time.process_time()
            print(f"ms {clock:.0f} {processor:.0f} tensorflow {'tensorflow' in sys.modules}", flush=True)
            QApplication.instance().quit()

    run, watch = QApplication.exec, Watch()

    def run_watched(*arguments):
        QApplication.instance().installEventFilter(watch)
        return run()

    QApplication.exec = run_watched


class Eve:
    # Qt is loaded when a real start loads it, and not before: it slows the import of whatever follows.
    def find_spec(self, name, *_):
        if name == "app.application":
            sys.meta_path.remove(self)
            watch()


sys.meta_path.insert(0, Eve())
runpy.run_path(main, run_name="__main__")
"""


HALTS = """
import sys, threading, time
from core.system.keras_import import gentle_import

def load():
    with gentle_import():
        import tensorflow

thread, longest, last = threading.Thread(target=load), 0.0, 0.0
thread.start()
clock = time.pthread_getcpuclockid(thread.ident)  # what the import computes while nobody else can: no matter how busy
while thread.is_alive():
    time.sleep(0.005)
    try:
        now = time.clock_gettime(clock)
    except OSError:  # it has just ended
        break
    longest, last = max(longest, now - last), now
thread.join()
print(1000 * longest)
"""


def longest_halt(root: Path) -> float:
    """Import TensorFlow beside a thread that wants to go on; give the milliseconds in which it could not, at most."""
    command = [sys.executable, "-c", HALTS]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout)


def measure(main: Path, folder: str) -> tuple[float, float]:
    """Start the program once, in a home of its own; give the milliseconds until the window is shown, by both clocks."""
    environment = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder}
    environment |= {"PYTHONPYCACHEPREFIX": f"{folder}/compiled", "PYTHONDONTWRITEBYTECODE": ""}  # compiled once
    command = [sys.executable, "-c", CHILD, repr(time.time()), str(main)]
    result = subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=60, check=False, cwd=main.parent
    )
    words = result.stdout.split()
    if words[:1] != ["ms"]:
        sys.exit(f"The window did not appear.\n{result.stderr}")
    if words[4] != "False":
        sys.exit("TensorFlow was loaded before the window was shown.")
    return float(words[1]), float(words[2])


def main() -> int:
    """Measure and print; the exit code is 1 where the median is over the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=7, help="how many times, after the first")
    parser.add_argument("--main", type=Path, default=Path(__file__).resolve().parent.parent / "main.py")
    given = parser.parse_args()
    if sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"} & set(os.environ):
        if not shutil.which("xvfb-run"):
            sys.exit("There is no display. Install the package xvfb, or set QT_QPA_PLATFORM=offscreen.")
        screen = ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24"]
        return subprocess.run([*screen, sys.executable, *sys.argv], check=False).returncode
    with tempfile.TemporaryDirectory() as folder:
        first, *others = (measure(given.main, folder) for _ in range(given.n + 1))
    by_clock = [clock for clock, _ in others]
    median, processor = (statistics.median(times) for times in zip(*others, strict=True))
    print(
        f"first {first[0]:.0f} ms; then median {median:.0f} ms, fastest {min(by_clock):.0f}, "
        f"slowest {max(by_clock):.0f}; of the processor, median {processor:.0f} ms"
    )
    if hasattr(time, "pthread_getcpuclockid"):
        print(f"importing TensorFlow halts other threads for {longest_halt(given.main.parent):.0f} ms at most")
    return int(median > LIMIT_MS)


if __name__ == "__main__":
    sys.exit(main())

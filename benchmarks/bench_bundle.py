"""Milliseconds from starting the bundle until its window is on screen.

    python benchmarks/bench_bundle.py [-n TIMES] [--bundle FOLDER]

Starts it as a double click does, under Xvfb where there is no display (package xvfb), in a home of its own; the moment
is told by the program's log. The first start, which reads files from disk, is shown apart: by root, with the system's
cache of files dropped before.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

LIMIT_MS = 2000
WAIT_S = 60
PASSED = ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR")
CACHES = Path("/proc/sys/vm/drop_caches")


def measure(program: Path) -> float:
    """Start the program once; give the milliseconds until the window is shown."""
    with tempfile.TemporaryDirectory() as home:
        log = Path(home) / ".local/state/Rejoin/log/rejoin.log"
        passed = {name: os.environ[name] for name in PASSED if name in os.environ}
        environment = {"HOME": home, "PATH": "/nowhere", "LANG": "C.UTF-8", **passed}
        started = time.time()
        window = subprocess.Popen([program], env=environment)
        try:
            while time.time() < started + WAIT_S and window.poll() is None:
                time.sleep(0.05)
                lines = log.read_text(encoding="utf-8").splitlines() if log.is_file() else []
                for line in lines:
                    if line.endswith("The window is shown."):
                        shown = datetime.strptime(line[:23], "%Y-%m-%d %H:%M:%S,%f")
                        return 1000 * (shown.timestamp() - started)
        finally:
            window.terminate()
            window.wait()
    sys.exit("The window did not appear.")


def main() -> int:
    """Measure and print; the exit code is 1 where the median is over the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=7, help="how many times, after the first")
    parser.add_argument("--bundle", type=Path, default=Path(__file__).resolve().parent.parent / "dist" / "rejoin")
    given = parser.parse_args()
    if not {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ):
        if not shutil.which("xvfb-run"):
            sys.exit("There is no display. Install the package xvfb.")
        screen = ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24"]
        return subprocess.run([*screen, sys.executable, *sys.argv], check=False).returncode
    if os.access(CACHES, os.W_OK):
        os.sync()
        CACHES.write_text("3")
    first, *others = (measure(given.bundle / "rejoin") for _ in range(given.n + 1))
    median = statistics.median(others)
    print(f"first {first:.0f} ms; then median {median:.0f} ms, fastest {min(others):.0f}, slowest {max(others):.0f}")
    return int(median > LIMIT_MS)


if __name__ == "__main__":
    sys.exit(main())

"""Time and memory of a large case: opened, checked, described, saved after one step.

    python benchmarks/bench_case.py [-n SHREDS] [--keep FOLDER]

Makes a case of so many shreds without the pipeline (`cases`), keeps it where it is told to, and opens it as the window
does: pictures are read when they are looked at. Of each step it prints the seconds by the clock and of the processor,
and the memory then and at the most.
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from cases import build  # noqa: E402 - first it must be found


def timed(name: str, step: Callable[[], object]) -> object:
    """Do a step and print what it took."""
    clock, processor = time.perf_counter(), time.process_time()
    done = step()
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if sys.platform == "linux" else 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    now = pages * resource.getpagesize() / 2**20
    print(f"{name:38s} {clock:7.2f} s, processor {processor:6.2f} s, {now:5.0f} MB, at most {peak:5.0f} MB", flush=True)
    return done


def measure(path: Path) -> None:
    """Open a case, and save it after one step."""
    from core.case.archive import COPIED_BYTES
    from core.case.file import check_rest, load, save
    from core.case.joins import join_table
    from core.case.record import recorded
    from core.composition.pages import compose

    print(f"{path.name}: {path.stat().st_size / 1e9:.2f} GB")
    case = timed("opening", lambda: load(path, check_at_most_bytes=COPIED_BYTES))
    timed("composing the first page", lambda: compose(case, 0))
    timed("checking the pictures", lambda: check_rest(case))
    timed("how sure every join is", lambda: join_table(case))
    case = timed("recording a step", lambda: recorded(case, "nobody", "saved", "saved", {"file": path.name}))
    timed("saving what has changed", lambda: save(case, path))


def main() -> int:
    """Make the case if it is not there, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=20_000, help="how many shreds")
    parser.add_argument("--keep", type=Path, help="where to keep the case, to use it again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{given.n} drawn shreds.rejoin"
        if not path.exists():
            build(given.n, path, None)
        measure(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())

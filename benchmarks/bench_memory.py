"""Time and memory of each stage with many shreds, from sheets to pages.

    python benchmarks/bench_memory.py FOLDER… [options]

Reads all sheets of the folders as one set, and prints of each stage how long it took, the most memory the process had
meanwhile, and what it has at its end: all of it, and what of it cannot be taken back (pages of mapped files can, they
are read again). Every minute it says how far it is. Of the sheets of a sack that `training.sack` made (SACK/sheets) it
prints the share of true neighbours that are candidates, and that of joins that are right. With --copies every picture
is there so many times, each time with other noise; with --repeated shreds are compared over and over until there are so
many, which costs the memory of so many and, with --cache, hardly any time for embedding, but orders mean nothing then;
with --half-turned every tenth shred is turned upside down, so that all are compared both ways up; with --cache what is
read is kept there, and what was kept is not read. With --workers sheets and borders are read by so many processes, and
the memory of these is told besides: the most that one had, and what all have at the end of a stage, mapped files left
out. Linux only: the peak of a stage is told, and set back, through /proc.
"""

import argparse
import gc
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.case.case import Case
from core.cluster.start import workers_of
from core.comparison import compare
from core.embedded import BLOCK_SHREDS, embed_in, with_turned
from core.embedding.geometry import reversible_frame
from core.options import Options, OutputOptions, ReadingOptions
from core.output.pages import write_pages
from core.pipeline import arrange, load_encoder
from core.sheets.input_file import InputFile
from core.sheets.inputs import find_inputs
from core.shreds.detect import find_shreds
from core.shreds.shred import common_frame, turned
from core.system.disk_cache import DiskCache
from core.system.places import weights_path
from core.system.versions import versions
from training.measuring.reconstruction import Reconstruction
from training.measuring.sack import TRUTH_FILE, sack_data

STAGES = ("find", "load", "embed", "turn", "compare", "arrange", "write")
NOISE = 2.0
TELL_EVERY_S = 60.0


def memory_mb(name: str, process: int | str = "self") -> float:
    """Return what the system says of a process: "VmHWM", the peak; "VmRSS"; or "RssAnon"."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    return int(lines[name].split()[0]) / 1024


def started() -> list[int]:
    """List the processes that this one has started, and those that they have."""
    children: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(status.parent.name))
    found, rest = [], [os.getpid()]
    while rest:
        found += (some := children.get(rest.pop(), []))
        rest += some
    return found


def print_started() -> None:
    """Print the memory of the processes that were started, if there are any."""
    peaks, anonymous, busy = [], 0.0, 0.0
    for process in started():
        with suppress(OSError, KeyError):
            peaks.append(memory_mb("VmHWM", process))
            anonymous += memory_mb("RssAnon", process)
            busy += sum(map(int, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]))
    if peaks:
        busy /= os.sysconf("SC_CLK_TCK")
        many = f"{len(peaks)} other processes, {busy:.0f} s busy so far"
        print(f"{many}: {max(peaks):.0f} MB at most, now {anonymous:.0f} MB together", flush=True)


class Ticker:
    """Says every minute, on standard error, how far a stage is."""

    def __init__(self, stage: str) -> None:
        self._stage, self._told_s = stage, time.monotonic()

    def __call__(self, fraction: float, text: str) -> None:
        """Report; see `core.progress`."""
        if time.monotonic() > self._told_s + TELL_EVERY_S:
            self._told_s = time.monotonic()
            now = time.strftime("%H:%M:%S")
            print(f"{now} {self._stage} {100 * fraction:5.1f} % {text}", file=sys.stderr, flush=True)


@contextmanager
def measured(stage: str) -> Iterator[Ticker]:
    """Print how long a stage took, and its memory; yields what it reports to."""
    Path("/proc/self/clear_refs").write_text("5")
    start, busy = time.perf_counter(), time.process_time()
    yield Ticker(stage)
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    peak = memory_mb("VmHWM")
    gc.collect()
    held, anonymous = memory_mb("VmRSS"), memory_mb("RssAnon")
    print(f"{stage:10}{seconds:8.1f} s{busy:8.1f} s busy{peak:8.0f}{held:8.0f}{anonymous:8.0f} MB", flush=True)
    print_started()


def with_noise(files: list[InputFile], n: int, folder: Path) -> list[InputFile]:
    """Write so many copies of pictures with noise of their own, and list them with the pictures."""
    import cv2

    found = list(files)
    for copy in range(1, n):
        rng = np.random.default_rng(copy)
        for file in files:
            picture = cv2.imread(str(file.path))
            noise = rng.normal(0, NOISE, (*picture.shape[:2], 1)).astype(np.float32)
            path = folder / f"{len(found)}" / "shreds" / file.path.name
            path.parent.mkdir(parents=True)
            cv2.imwrite(str(path), np.clip(picture + noise, 0, 255).astype(np.uint8))
            found.append(InputFile(path, file.mask_path, file.single_shred, 300.0))
    return found


def main() -> None:
    """Run the stages one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--copies", type=int, default=1, metavar="N")
    parser.add_argument("--repeated", type=int, metavar="N")
    parser.add_argument("--half-turned", action="store_true")
    parser.add_argument("--cache", type=Path, metavar="FOLDER")
    parser.add_argument("--workers", type=int, metavar="N")
    parser.add_argument("--until", choices=STAGES, default=STAGES[-1])
    arguments = parser.parse_args()
    cache = None if arguments.cache is None else DiskCache(arguments.cache, 100.0)
    options, stages = (
        Options(reading=ReadingOptions(keep_duplicates=arguments.copies > 1)),
        STAGES[: STAGES.index(arguments.until) + 1],
    )
    print(
        f"{'stage':10}{'by the clock':>10}{'processor':>10}{'peak':>9}{'at its end':>12}  of it not mapped", flush=True
    )
    with tempfile.TemporaryDirectory() as folder, ExitStack() as readers:
        with measured("start"):
            workers = readers.enter_context(workers_of(arguments.workers, None))
        files = with_noise(list(find_inputs(arguments.folders)), arguments.copies, Path(folder))
        with measured("find") as progress:
            found = find_shreds(files, options, cache=cache, progress=progress, workers=workers)
        truth, shreds = None, found.shreds
        sack = arguments.folders[0].parent
        if arguments.folders[0].name == "sheets" and (sack / TRUTH_FILE).is_file():
            truth = sack_data(found, sack)
            shreds = truth.found.shreds
        if arguments.half_turned:
            shreds = tuple(turned(one, half_turn=at % 10 == 0, by_deg=0) for at, one in enumerate(shreds))
        with_ink = tuple(shred for shred in shreds if shred.compared)
        print(f"{len(shreds)} shreds, {len(with_ink)} with ink", flush=True)
        frame = reversible_frame(common_frame(with_ink))
        if arguments.repeated:
            in_blocks = with_ink[: len(with_ink) // BLOCK_SHREDS * BLOCK_SHREDS]
            with_ink = (in_blocks * (arguments.repeated // len(in_blocks) + 1))[: arguments.repeated]
        if "load" in stages:
            with measured("load"):
                encoder = load_encoder(weights_path())
        if "embed" in stages:
            with measured("embed") as progress:
                embedded = embed_in(frame, with_ink, encoder, options, progress, cache, workers)
        if "turn" in stages:
            with measured("turn") as progress:
                embedded = with_turned(embedded, encoder, options, progress, cache, workers)
        readers.close()
        if "compare" in stages:
            with measured("compare") as progress:
                matched = compare(embedded, options, progress, cache=cache)
            del embedded
        if "arrange" in stages:
            with measured("arrange") as progress:
                arranged = arrange(shreds, matched.costs, options, progress=progress)
            print(f"{len(arranged.arrangement.pages)} pages, optimal {arranged.optimal}, gap {arranged.gap:.2g}")
            if truth is not None:
                print_accuracy(Reconstruction(truth, matched.costs, arranged, {}))
        if "write" in stages:
            case = Case(
                options=replace(options, output=OutputOptions(lossless=False)),
                sheets=found.sheets,
                shreds=shreds,
                crumbs=found.crumbs,
                costs=matched.costs,
                arrangement=arranged.arrangement,
                joins=arranged.joins,
                optimal=arranged.optimal,
                gap=arranged.gap,
                seconds={},
                unreadable=found.unreadable,
                weights_sha256=matched.weights_sha256,
                versions=versions(),
            )
            with measured("write") as progress:
                write_pages(Path(folder) / "pages.pdf", case, progress=progress)


def print_accuracy(found: Reconstruction) -> None:
    """Print how good the order of a sack is."""
    n_found = sum(len(one.order) for one in found.data.documents)
    print(f"{found.n} shreds with ink in truth, {n_found} of them found")
    print(f"true neighbours among candidates {found.candidates:.4%}")
    print(f"joins right {found.accuracy:.2%}, upright {found.upright:.2%}", flush=True)


if __name__ == "__main__":
    main()

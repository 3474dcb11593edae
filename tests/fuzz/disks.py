"""Tries of writing: disks that are full at any byte, folders that are read-only or vanish, work that is cancelled."""

import os
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from core.case.case import Case
from core.case.file import load, save
from core.errors import OutputError
from core.output.export import Export, write_export
from core.output.pages import write_pages
from core.output.report.evidence import write_report
from core.output.result import write_result
from core.progress import Cancelled, Progress, no_progress
from tests.fuzz.cases import small_case
from tests.fuzz.trial import Trial, check_sentence

Write = Callable[[Path, Case, Progress], object]

WRITERS: dict[str, Write] = {
    "pages.pdf": lambda path, case, progress: write_pages(path, case, progress=progress),
    "pages.tif": lambda path, case, progress: write_pages(path, case, progress=progress),
    "page.png": lambda path, case, progress: write_pages(path, case, progress=progress),
    "report.pdf": lambda path, case, progress: write_report(path, case, progress=progress),
    "result.json": lambda path, case, _progress: write_result(path, case),
    "one.rejoin": lambda path, case, progress: save(case, path, progress),
    "exported": lambda path, case, progress: write_export(
        path, case, Export(pages="png", shreds=True), progress=progress
    ),
}


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _written(rng: np.random.Generator, folder: Path) -> tuple[Path, Write, Case, dict[str, bytes]]:
    """Draw what is to be written, and write it once; gives what then stands in the folder."""
    name = list(WRITERS)[rng.integers(0, len(WRITERS))]
    target, case = folder / "results", small_case(folder)
    target.mkdir()
    if name != "exported" and rng.random() < 0.7:
        WRITERS[name](target / name, case, no_progress)
    return target / name, WRITERS[name], case, _contents(target)


def _whole_or_not_there(rng: np.random.Generator, folder: Path, obstacle: Callable[[], object], *stopped: type) -> str:
    """Write with something in the way: either all is there afterwards, or what was there before."""
    path, write, case, before = _written(rng, folder)
    largest = max(map(len, before.values()), default=40_000)
    with obstacle(rng, path, largest) as progress:
        try:
            write(path, case, progress)
        except stopped:
            outcome = "refused"
        except OutputError as error:
            check_sentence(error, path.stem)
            outcome = "refused"
        else:
            outcome = "written"
    after = _contents(path.parent) if path.parent.exists() else {}
    if outcome == "refused" and path.parent.exists():
        assert after == before, f"other files than before: {sorted(after.keys() ^ before.keys()) or 'changed'}"
    if outcome == "written" and path.suffix == ".rejoin":
        assert load(path).history == case.history
    assert not [name for name in after if name.endswith(".part")]
    return outcome


@contextmanager
def _full_disk(rng: np.random.Generator, _path: Path, largest: int) -> Iterator[Progress]:
    """Let no file grow beyond a number of bytes, as on a disk that fills up."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(rng.integers(0, 1.2 * largest)), limits[1]))
    try:
        yield no_progress
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@contextmanager
def _read_only(_rng: np.random.Generator, path: Path, _largest: int) -> Iterator[Progress]:
    """Let nothing be written in the folder; root, who may write everywhere, becomes somebody else meanwhile."""
    path.parent.chmod(0o555)
    path.parents[1].chmod(0o755)
    is_root = os.geteuid() == 0
    try:
        if is_root:
            os.seteuid(65534)
        yield no_progress
    finally:
        if is_root:
            os.seteuid(0)
        path.parent.chmod(0o755)


@contextmanager
def _vanishing(rng: np.random.Generator, path: Path, _largest: int) -> Iterator[Progress]:
    """Let the folder vanish in the middle of the work, as a stick that is pulled out."""
    yield _after(rng, lambda: shutil.rmtree(path.parent, ignore_errors=True))


@contextmanager
def _cancelled(rng: np.random.Generator, _path: Path, _largest: int) -> Iterator[Progress]:
    """Cancel in the middle of the work."""

    def cancel() -> None:
        raise Cancelled

    yield _after(rng, cancel)


def _after(rng: np.random.Generator, do: Callable[[], None]) -> Progress:
    """Do something when progress has been reported some times."""
    left = int(rng.integers(0, 8))

    def progress(_fraction: float, _text: str) -> None:
        nonlocal left
        if left == 0:
            do()
        left -= 1

    return progress


KINDS: dict[str, Trial] = {
    "disk full while writing": lambda rng, folder: _whole_or_not_there(rng, folder, _full_disk),
    "folder read-only": lambda rng, folder: _whole_or_not_there(rng, folder, _read_only),
    "folder vanishes while writing": lambda rng, folder: _whole_or_not_there(rng, folder, _vanishing),
    "cancelled while writing": lambda rng, folder: _whole_or_not_there(rng, folder, _cancelled, Cancelled),
}

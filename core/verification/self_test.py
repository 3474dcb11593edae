"""The self-test: the bundled sample goes through the main job, and what comes out is compared with what is on record.

What is exact must be exact: hashes, shreds, order, shifts. Costs, confidences and pixels of shreds that are turned
upright may differ by rounding: other processors add in another order.
"""

import json
import math
import platform
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from core.case.case import Case
from core.case.file import load, save
from core.case.history import now
from core.case.record import reconstructed, recorded
from core.composition.pages import compose
from core.errors import OutputError, RejoinError, UnreadableInputError
from core.options import Options
from core.parallel import n_cores
from core.pipeline import reconstruct
from core.progress import Progress, no_progress, part
from core.system.files import file_sha256
from core.system.json_values import pick
from core.system.places import ROOT
from core.system.versions import versions
from core.verification.verify import verify
from core.wording import QT_TRANSLATE_NOOP

COST_TOLERANCE = 1e-4
"""Part of the largest cost by which costs may differ."""

CONFIDENCE_TOLERANCE = 0.01

GREY_TOLERANCE = 1
"""Of 255, for the mean of a field of a page."""

_FIELDS = (24, 36)

_WEIGHTS, _SAMPLES = Path("weights", "encoder.keras"), Path("samples")
_EXPECTED, _TRUTH = Path("samples", "expected.json"), Path("samples", "truth.json")
_WHO = "self-test"


@dataclass(frozen=True)
class Comparison:
    """A line of the table: what was looked at, what was expected, what was got, and whether that will do."""

    what: str
    expected: str
    got: str
    ok: bool


@dataclass(frozen=True)
class SelfTest:
    """What the self-test gave.

    Attributes
    ----------
    checks : tuple of Check
        In the order in which they were made; what needs something that failed is not made.
    when : str
        UTC.
    machine : str
        On which it ran.
    versions : dict of str to str
        Of Rejoin, of Python and of the libraries.
    """

    checks: tuple[Comparison, ...]
    when: str = field(default_factory=now)
    machine: str = field(default_factory=lambda: _machine())
    versions: Mapping[str, str] = field(default_factory=versions)

    @property
    def passed(self) -> bool:
        """Whether everything is as expected."""
        return all(check.ok for check in self.checks)


def self_test(root: Path = ROOT, progress: Progress = no_progress) -> SelfTest:
    """Run the bundled sample through the main job, and compare with the record.

    Parameters
    ----------
    root : Path
        Where weights and samples lie, and the record, ``samples/expected.json``.
    progress : Progress
        Fraction and text.

    Returns
    -------
    SelfTest
        Nothing is left behind.

    Raises
    ------
    UnreadableInputError
        If there is no record.
    OutputError
        If there is no room for temporary files.
    """
    return SelfTest(tuple(_checks(root, _read(root / _EXPECTED), progress)))


def measured(root: Path = ROOT, progress: Progress = no_progress) -> dict[str, Any]:
    """Return what `self_test` compares with: hashes of what ships, and what comes of it.

    Parameters
    ----------
    root : Path
        Where weights and samples lie.
    progress : Progress
        Fraction and text.

    Returns
    -------
    dict
        As JSON holds it.
    """
    case = _reconstruct(root, progress)
    return {"weights_sha256": _file_hash(root / _WEIGHTS), "sheets": _sheets(root), **_results(case)}


def _checks(root: Path, expected: Mapping[str, Any], progress: Progress) -> Iterator[Comparison]:
    """Make one check after the other."""
    yield _equal("weights, SHA-256", expected["weights_sha256"], _file_hash(root / _WEIGHTS))
    sheets = _sheets(root)
    for name in sorted(expected["sheets"].keys() | sheets.keys()):
        yield _equal(f"{name}, SHA-256", expected["sheets"].get(name, "none"), sheets.get(name, "missing"))
    try:
        case = _reconstruct(root, part(progress, 0.0, 0.4))
    except RejoinError as error:
        yield Comparison("reconstruction", "done", str(error), False)
        return
    yield Comparison("reconstruction", "done", "done", True)
    yield from _compare(expected, _results(case))
    yield from _compare_with_truth(root, case)
    try:
        with tempfile.TemporaryDirectory(prefix="rejoin-") as folder:
            yield from _check_case_file(case, Path(folder), root / _WEIGHTS, part(progress, 0.4, 1.0))
    except OSError as error:
        raise OutputError(
            f"The self-test could not write into {tempfile.gettempdir()}: {error.strerror or error}. Make room there, "
            "or name another folder as TMPDIR."
        ) from error
    progress(1.0, QT_TRANSLATE_NOOP("progress", "Done"))


def _reconstruct(root: Path, progress: Progress) -> Case:
    """Do the main job."""
    sheets = [root / _SAMPLES / name for name in _sheets(root)]
    return reconstruct(sheets, Options(), root / _WEIGHTS, progress=progress)


def _results(case: Case) -> dict[str, Any]:
    """Convert what comes out to values that JSON can hold."""
    pages = [compose(case, page).pixels for page in range(len(case.arrangement.pages))]
    return {
        "shreds": len(case.shreds),
        "blank": sum(shred.blank for shred in case.shreds),
        "pages": [list(page) for page in case.arrangement.pages],
        "set_aside": list(case.arrangement.set_aside),
        "optimal": case.optimal,
        "joins": [
            pick(join, ("left", "right", "shift_px"))
            | {name: round(float(getattr(join, name)), 6) for name in ("cost", "confidence")}
            for join in case.joins
        ],
        "page_sizes_px": [f"{page.shape[1]} x {page.shape[0]}" for page in pages],
        "page_greys": [_greys(page) for page in pages],
        "reading_page_greys": [
            _greys(compose(case, page, "reading").pixels) for page in range(len(case.arrangement.pages))
        ],
    }


def _greys(page: NDArray[np.uint8]) -> str:
    """Compute the mean grey of the fields of a page, in hexadecimal; its pixels themselves may differ by rounding."""
    grey = cv2.cvtColor(page, cv2.COLOR_RGB2GRAY)
    return np.asarray(cv2.resize(grey, _FIELDS, interpolation=cv2.INTER_AREA)).tobytes().hex()


def _compare(expected: Mapping[str, Any], got: Mapping[str, Any]) -> Iterator[Comparison]:
    """Compare what came out with the record."""
    yield _equal("shreds found", expected["shreds"], got["shreds"])
    yield _equal("blank ones among them", expected["blank"], got["blank"])
    yield _equal("pages", len(expected["pages"]), len(got["pages"]))
    for number, (was, now_) in enumerate(zip_longest(expected["pages"], got["pages"]), start=1):
        yield _equal(f"order of page {number}", _listed(was or []), _listed(now_ or []))
    yield _equal("set aside", _listed(expected["set_aside"]), _listed(got["set_aside"]))
    yield _equal("order proved the cheapest", *("yes" if one["optimal"] else "no" for one in (expected, got)))
    was, now_ = ({(join["left"], join["right"]): join for join in one["joins"]} for one in (expected, got))
    both = was.keys() & now_.keys()
    yield _equal("joins", len(was), len(both))
    same_shift = sum(was[pair]["shift_px"] == now_[pair]["shift_px"] for pair in both)
    yield _equal("joins of the same shift", len(was), same_shift)
    largest = max((abs(join["cost"]) for join in was.values() if math.isfinite(join["cost"])), default=0.0)
    yield _close("costs of joins", [(was[pair]["cost"], now_[pair]["cost"]) for pair in both], COST_TOLERANCE * largest)
    sure = [(was[pair]["confidence"], now_[pair]["confidence"]) for pair in both]
    yield _close("confidence of joins", sure, CONFIDENCE_TOLERANCE)
    for number, (size, size_now) in enumerate(zip_longest(expected["page_sizes_px"], got["page_sizes_px"]), start=1):
        yield _equal(f"page {number}, size in px", size or "none", size_now or "none")
    for number, greys in enumerate(zip_longest(expected["page_greys"], got["page_greys"]), start=1):
        grey, grey_now = (bytes.fromhex(one or "") for one in greys)
        fields: list[tuple[float, float]] = [*zip(grey, grey_now, strict=False)] or [(0, math.inf)]
        yield _close(f"page {number}, grey of {len(grey)} fields", fields, GREY_TOLERANCE)


def _compare_with_truth(root: Path, case: Case) -> Iterator[Comparison]:
    """Compare the joins with the order in which the sample's shreds were cut."""
    blank = {shred.id for shred in case.shreds if shred.blank}
    true: set[tuple[str, str]] = set()
    for page in _read(root / _TRUTH)["pages"]:
        ids = (f"{place['sheet']}-{place['position']:02d}" for place in page)
        true |= set(pairwise(shred for shred in ids if shred not in blank))
    right = len(true & {(join.left, join.right) for join in case.joins})
    yield _equal("joins as the paper was cut", len(true), right)


def _check_case_file(case: Case, folder: Path, weights: Path, progress: Progress) -> Iterator[Comparison]:
    """Save the case, open it, verify it; and see that an altered one is refused."""
    path, altered = folder / "sample.rejoin", folder / "altered.rejoin"
    case = recorded(reconstructed(case, _WHO), _WHO, "saved", f"saved as {path.name}")
    save(case, path)
    again = load(path)
    same = again.arrangement == case.arrangement and again.joins == case.joins and again.history == case.history
    yield _equal("case saved and opened", "the same", "the same" if same else "another")
    done = verify(path, weights, progress=progress)
    yield _equal("case verified", "yes", "yes" if done.holds else done.first_difference or "not all was checked")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    altered.write_bytes(data)
    outcome = "refused"
    with suppress(UnreadableInputError):
        load(altered)
        outcome = "opened"
    yield _equal("case with one bit altered", "refused", outcome)


def _equal(what: str, expected: object, got: object) -> Comparison:
    return Comparison(what, str(expected), str(got), expected == got)


def _close(what: str, values: list[tuple[float, float]], tolerance: float) -> Comparison:
    """Compare numbers within a tolerance; what is not finite must be the same."""
    off = max((0.0 if was == now_ else abs(was - now_) for was, now_ in values), default=0.0)
    got = f"at most {off:.2g} off" if math.isfinite(off) else "not finite"
    return Comparison(what, f"within {tolerance:.2g}", got, off <= tolerance)


def _listed(shreds: list[str]) -> str:
    return " ".join(shreds) or "none"


def _sheets(root: Path) -> dict[str, str]:
    """List the sample's sheets, in order, with their SHA-256."""
    return {path.name: _file_hash(path) for path in sorted((root / _SAMPLES).glob("sheet_*"))}


def _file_hash(path: Path) -> str:
    """Hash a file; one that is not there has none."""
    return file_sha256(path) if path.is_file() else "missing"


def _read(path: Path) -> dict[str, Any]:
    """Read what ships beside the samples."""
    try:
        values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnreadableInputError(f"{path} cannot be read ({error}). Install Rejoin anew.") from error
    return values


def _machine() -> str:
    """Describe the machine: its name in the network, system, processor, cores."""
    processor = platform.processor() or platform.machine()
    with suppress(OSError, StopIteration):  # not Linux, or another processor: what Python knows must do
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return f"{platform.node()}, {platform.platform()}, {processor}, {n_cores()} cores"

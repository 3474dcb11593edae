"""How well reconstructed pages read, against the page as it was before it was shredded."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np

from core.arrays import Doubles, Floats, Pixels
from core.case.case import Case
from core.composition.heights import darkness
from core.composition.page_image import Rendition
from core.composition.pages import compose, pictures_of, poses_of
from core.composition.pose import Pictures, Pose, draw, matrix_of
from core.composition.reading import compose_reading_page
from core.errors import UsageError
from core.matching.contour import vertex
from core.options import Options, OutputOptions
from core.output.report.preparing import encode
from core.parallel import map_in_order
from core.pipeline import reconstruct
from core.progress import Progress, no_progress
from core.sheets.inputs import input_file
from core.sheets.reader import read_sheets
from core.system.places import weights_path
from core.text.tesseract import installed, read_words
from core.wording import Message
from training.measuring.registration import Registered, moved, register, rigid_fit, stretched_fit

LANGUAGE = "eng"

NO_WORDS = "handwritten"
"""Documents of this kind are not read by machine."""

LEAST_SHREDS = 5
"""Pages of fewer registered shreds tell little of displacements."""

SLOPES_DEG = np.arange(-3, 3.01, 0.05)
"""Slopes that are tried; between them lies the peak."""

_STRIP_PX = 48


@dataclass(frozen=True, eq=False)
class _Fit:
    """How a page lies on the intact one, and what its registered shreds are then displaced by, see below."""

    matrix: Doubles
    off_px: Doubles
    stretched_off_px: Doubles


@dataclass(frozen=True, eq=False)
class DocumentLegibility:
    """What was measured on one document.

    Attributes
    ----------
    name : str
        Its folder.
    words : dict of str to int
        Of three letters and more: on the "intact" page, and how many of those are found again on the pages with
        "true" poses, of "reading" and of "evidence"; empty for handwriting.
    slopes_deg : list of float
        By how much the lines of print of each reading page slope; empty for handwriting.
    off_px : ndarray of shape (k, 2), float64
        By how much each registered shred is displaced, along the lines and across them.
    stretched_off_px : ndarray of shape (k, 2), float64
        The same once the page may be stretched and sheared: as it was when it was printed, shredded and scanned.
    floor_px : list of float
        By how much the parts of each registered shred, once it is straight, are displaced against a rigid shred.
    """

    name: str
    words: dict[str, int]
    slopes_deg: list[float]
    off_px: Doubles
    stretched_off_px: Doubles
    floor_px: list[float]


@dataclass(frozen=True, eq=False)
class Legibility:
    """What was measured on all documents; `str` renders it."""

    documents: Sequence[DocumentLegibility]

    def summary(self) -> dict[str, Any]:
        """Return what it comes to, as JSON holds it."""
        counted: Counter[str] = sum((Counter(one.words) for one in self.documents), Counter())
        slopes = np.abs([slope for one in self.documents for slope in one.slopes_deg])
        off = np.concatenate([one.off_px for one in self.documents])
        distance = np.linalg.norm(off, axis=1)
        stretched = np.linalg.norm(np.concatenate([one.stretched_off_px for one in self.documents]), axis=1)
        shares = {name: counted[name] / max(counted["intact"], 1) for name in ("reading", "evidence", "true")}
        return {
            **{name: round(share, 4) for name, share in shares.items()},
            "words": counted["intact"],
            "slope_deg_median": round(float(np.median(slopes)), 3),
            "slope_deg_worst": round(float(slopes.max()), 3),
            "displacement_px_median": round(float(np.median(distance)), 2),
            "displacement_px_p95": round(float(np.percentile(distance, 95)), 2),
            "along_lines_px": [round(float(np.percentile(np.abs(off[:, 0]), share)), 2) for share in (50, 95)],
            "across_lines_px": [round(float(np.percentile(np.abs(off[:, 1]), share)), 2) for share in (50, 95)],
            "stretched_px": [round(float(np.percentile(stretched, share)), 2) for share in (50, 95)],
            "shreds": len(distance),
            "floor_px": round(float(np.median([px for one in self.documents for px in one.floor_px])), 2),
        }

    def __str__(self) -> str:
        lines = [f"{'document':32} {'words':>5} {'true':>5} {'reading':>7} {'evidence':>8} {'slope':>6} {'off, px':>8}"]
        for one in self.documents:
            words = [str(one.words[name]) if one.words else "" for name in ("intact", "true", "reading", "evidence")]
            slope = f"{max(one.slopes_deg, key=abs):6.2f}" if one.slopes_deg else ""
            off = f"{np.median(np.linalg.norm(one.off_px, axis=1)):8.2f}" if len(one.off_px) else ""
            lines.append(f"{one.name:32} {words[0]:>5} {words[1]:>5} {words[2]:>7} {words[3]:>8} {slope:>6} {off:>8}")
        all_of = self.summary()
        lines.append(
            f"words found again, of {all_of['words']}: reading page {all_of['reading']:.1%}, evidence page "
            f"{all_of['evidence']:.1%}, reading page with true poses {all_of['true']:.1%}"
        )
        lines.append(f"slope: median {all_of['slope_deg_median']:.2f}°, worst {all_of['slope_deg_worst']:.2f}°")
        along, across = all_of["along_lines_px"], all_of["across_lines_px"]
        lines.append(
            f"displacement of {all_of['shreds']} shreds: median {all_of['displacement_px_median']:.2f} px, 95th "
            f"percentile {all_of['displacement_px_p95']:.2f} px; along lines {along[0]:.2f} and {along[1]:.2f} px, "
            f"across them {across[0]:.2f} and {across[1]:.2f} px; once the page may be stretched "
            f"{all_of['stretched_px'][0]:.2f} and {all_of['stretched_px'][1]:.2f} px; parts of one shred against each "
            f"other {all_of['floor_px']:.2f} px"
        )
        return "\n".join(lines)


def legibility(folder: Path, progress: Progress = no_progress) -> Legibility:
    """Measure how well pages read that are reconstructed from scans, those of all documents at once.

    Parameters
    ----------
    folder : Path
        With a truth.json, and an intact page for each document.
    progress : Progress
        Called for each document.

    Returns
    -------
    Legibility

    Raises
    ------
    UsageError
        If Tesseract is not installed, or the folder has no intact pages.
    """
    if not installed():
        raise UsageError("Words are read with Tesseract, which is not installed on this machine. Install it first.")
    truth_file = folder / "truth.json"
    truth = json.loads(truth_file.read_text()) if truth_file.is_file() else {}
    if not all("intact" in one for one in truth.values()) or not truth:
        raise UsageError(f"{folder} has no truth.json that names an intact page for each document. Give one that has.")
    names = sorted(truth)
    document = [name for name in names for _ in truth[name]["sheets"]]
    case = reconstruct([folder / sheet for name in names for sheet in truth[name]["sheets"]], Options(), weights_path())
    pages: dict[str, list[int]] = {name: [] for name in names}
    for page, shreds in enumerate(case.arrangement.pages):
        of_shreds = Counter(document[case.shred_by_id[shred].sheet] for shred in shreds)
        pages[of_shreds.most_common(1)[0][0]].append(page)
    measured = []
    for number, (name, of_one) in enumerate(pages.items(), start=1):
        progress((number - 1) / len(names), Message("Reading document {number} of {n}", number=number, n=len(names)))
        intact = next(read_sheets(input_file(folder / truth[name]["intact"]))).pixels
        measured.append(_measured(case, name, of_one, intact, truth[name]["category"] != NO_WORDS))
    return Legibility(measured)


def _measured(case: Case, name: str, pages: Sequence[int], intact: Pixels, is_print: bool) -> DocumentLegibility:
    """Compare the pages of a document with the intact one."""
    page_ink, _ = darkness(intact, np.ones(intact.shape[:2], np.bool_), worn_px=0)
    registered = _registered(case, pages, page_ink)
    fits = {page: _fit(case, page, registered) for page in pages}
    words: dict[str, int] = {}
    slopes: list[float] = []
    if is_print:
        words = _words(case, pages, intact, _with_true_poses(case, registered, fits))
        slopes = [slope_deg(compose(case, page, "reading").pixels) for page in pages]
    off_px, stretched_off_px = (
        np.concatenate([np.zeros((0, 2)), *(getattr(fit, which) for fit in fits.values())])
        for which in ("off_px", "stretched_off_px")
    )
    floor_px = [one.off_px for one in registered.values()]
    return DocumentLegibility(name, words, slopes, off_px, stretched_off_px, floor_px)


def _straight(case: Case, page: int) -> tuple[Pictures, dict[str, Pose]]:
    """Return the pictures of shreds as they are drawn on the reading page, straight, and their poses there."""
    pictures, poses = {}, poses_of(case, page)
    for name, (pixels, mask) in pictures_of(case, page).items():
        middle = (mask.shape[1] - 1) / 2, (mask.shape[0] - 1) / 2
        drawn = draw(pixels, mask, Pose(*middle, 0.0, bend_px=poses[name].bend_px))
        pictures[name] = drawn.pixels, drawn.paper
    return pictures, {name: replace(pose, bend_px=None) for name, pose in poses.items()}


def _registered(case: Case, pages: Iterable[int], page_ink: Floats) -> dict[str, Registered]:
    """Find the true places of all shreds on these pages."""
    found = {}
    for page in pages:
        for name, picture in _straight(case, page)[0].items():
            place = register(*picture, page_ink) if case.shred_by_id[name].compared else None
            if place is not None:
                found[name] = place
    return found


def _fit(case: Case, page: int, registered: dict[str, Registered]) -> _Fit:
    """Lay a page on the intact one as well as it can lie; with what its registered shreds are then displaced by."""
    pictures, poses = _straight(case, page)
    names = [name for name in pictures if name in registered]
    if len(names) < LEAST_SHREDS:
        return _Fit(np.eye(2, 3), np.zeros((0, 2)), np.zeros((0, 2)))
    ours, true = [], []
    for name in names:
        height, width = pictures[name][1].shape
        points = np.array([[width / 2, share * height, 1] for share in (0.15, 0.5, 0.85)])
        ours.append(points @ matrix_of(pictures[name][1], poses[name]).T)
        true.append(points @ registered[name].matrix.T)
    here, there = np.concatenate(ours), np.concatenate(true)

    def off_px(fit: Doubles) -> Doubles:
        return np.asarray((there - moved(here, fit)).reshape(-1, 3, 2).mean(axis=1), np.float64)

    fit = rigid_fit(here, there)
    return _Fit(fit, off_px(fit), off_px(stretched_fit(here, there)))


def _with_true_poses(case: Case, registered: dict[str, Registered], fits: dict[int, _Fit]) -> list[Pixels]:
    """Compose reading pages with true poses; a shred that was not registered lies where ours does."""
    pages = []
    for page, laid in fits.items():
        fit = laid.matrix
        pictures, poses = _straight(case, page)
        for name, (_, mask) in pictures.items():
            ours = matrix_of(mask, poses[name])
            matrix = np.column_stack([fit[:, :2] @ ours[:, :2], fit[:, :2] @ ours[:, 2] + fit[:, 2]])
            poses[name] = _pose(registered[name].matrix if name in registered else matrix, mask.shape)
        pages.append(compose_reading_page(pictures, poses).pixels)
    return pages


def _words(case: Case, pages: Iterable[int], intact: Pixels, true: list[Pixels]) -> dict[str, int]:
    """Count the words on the intact page, and those of them that are found again on each rendition."""
    images = {"intact": [intact], "true": true}
    for rendition in get_args(Rendition):
        images[rendition] = [compose(case, page, rendition).pixels for page in pages]
    read = map_in_order(words_on, [image for of_one in images.values() for image in of_one])
    counted = {name: sum((next(read) for _ in of_one), Counter()) for name, of_one in images.items()}
    return {name: (counted["intact"] & words).total() for name, words in counted.items()}


def _pose(matrix: Doubles, shape: tuple[int, ...]) -> Pose:
    """Return the pose that a matrix stands for."""
    x, y = matrix @ ((shape[1] - 1) / 2, (shape[0] - 1) / 2, 1)
    return Pose(float(x), float(y), float(-np.degrees(np.arctan2(matrix[1, 0], matrix[0, 0]))))


def words_on(pixels: Pixels) -> Counter[str]:
    """Read the words of three letters and more on a page, in small letters, and count them.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB at 300 dpi.

    Returns
    -------
    Counter
        How often each word stands there.
    """
    read = read_words(encode(pixels, OutputOptions()), LANGUAGE)
    return Counter(word.casefold() for one in read for word in re.findall(r"[^\W\d_]{3,}", one.text))


def slope_deg(pixels: Pixels) -> float:
    """Measure by how much the lines of print of a page slope: at that angle its rows differ most.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.

    Returns
    -------
    float
        Degrees, clockwise positive as the eye sees it; between -3 and 3.
    """
    ink, _ = darkness(pixels, np.ones(pixels.shape[:2], np.bool_), worn_px=0)
    strips = [ink[:, start : start + _STRIP_PX].sum(axis=1) for start in range(0, ink.shape[1], _STRIP_PX)]
    rows, middle = np.arange(len(ink)), (len(strips) - 1) / 2

    def sharpness(slope: float) -> float:
        drop_px = np.tan(np.radians(slope)) * _STRIP_PX
        whole = sum(np.interp(rows + (at - middle) * drop_px, rows, strip) for at, strip in enumerate(strips))
        return float((np.diff(whole) ** 2).sum())

    found = np.array([sharpness(slope) for slope in SLOPES_DEG.tolist()])
    at = int(np.clip(found.argmax(), 1, len(found) - 2))
    return float(SLOPES_DEG[at] + vertex(*found[at - 1 : at + 2]) * (SLOPES_DEG[1] - SLOPES_DEG[0]))

"""How well shreds are found on scanned sheets: numbers, masks, angles, clean borders, time."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from core.errors import NothingFoundError
from core.options import SegmentationOptions
from core.sheets.inputs import input_file
from core.sheets.reader import read_sheets
from core.shreds.binarization import binarize
from core.shreds.borders import read_border
from core.shreds.deskew import row_extents
from core.shreds.regions.long_picture import segment_sheet
from core.shreds.shred import BORDER_WIDTH_PX, Shred

OVERLAP = 0.5
"""A shred is found if this part of it is in one piece."""

PART = 0.1
"""A part of a shred counts if it is larger than this."""

SHOWN_COLUMNS = (0, 1, 2, 3, 5, 8)
"""Border columns of which the ink is shown, counted from the contour."""

SURE_IOU = 0.95
"""Masks of different shreds agree less than this."""

SLACK_PX = (20, 40)
"""By how much masks cut from a sheet may be displaced against it: across, down."""

Mask = NDArray[np.bool_]
Box = tuple[int, int, int, int]


@dataclass
class SheetResult:
    """What was found on one sheet, against the truth."""

    name: str
    found: int
    seconds: float
    expected: int | None = None
    split: int = 0
    merged: int = 0
    missed: int = 0
    overlaps: list[float] = field(default_factory=list)
    residuals_deg: list[float] = field(default_factory=list)
    set_aside: int = 0
    refused: str = ""


@dataclass
class SegmentationTable:
    """Results of all sheets of a data set, and the ink in their borders; `str` renders it.

    Attributes
    ----------
    sheets : list of SheetResult
        One for each sheet.
    ink : dict of str to ndarray of shape (2, 32), float64
        Share of inked rows by column from the contour inwards, left and right, of the shreds found and of masks
        given with the data.
    documents : dict of str to tuple of int, or None
        Where the truth is known by document only: shreds in truth, shreds found on all its sheets.
    """

    sheets: list[SheetResult]
    ink: dict[str, NDArray[np.float64]]
    documents: dict[str, tuple[int, int]]

    def __str__(self) -> str:
        lines = [
            f"{'sheet':38} {'truth':>5} {'found':>5} {'split':>5} {'merged':>6} {'missed':>6} {'aside':>5} "
            f"{'mean IoU':>8} {'least':>6} {'angle':>6} {'s':>5}"
        ]
        for sheet in self.sheets:
            overlaps, residuals = sheet.overlaps or [np.nan], sheet.residuals_deg or [np.nan]
            lines.append(
                f"{sheet.name:38} {'' if sheet.expected is None else sheet.expected:>5} {sheet.found:>5} "
                f"{sheet.split:>5} {sheet.merged:>6} {sheet.missed:>6} {sheet.set_aside:>5} {np.mean(overlaps):8.4f} "
                f"{min(overlaps):6.3f} {max(residuals):6.3f} {sheet.seconds:5.2f}"
            )
        overlaps = [overlap for sheet in self.sheets for overlap in sheet.overlaps]
        residuals = [residual for sheet in self.sheets for residual in sheet.residuals_deg]
        right = [sheet.found == sheet.expected for sheet in self.sheets if sheet.expected is not None]
        if right:
            lines.append(f"right number: {sum(right)} of {len(right)} sheets ({np.mean(right):.1%})")
        if self.documents:
            same = [expected == found for expected, found in self.documents.values()]
            lines.append(f"right number over all sheets of a document: {sum(same)} of {len(same)} documents")
        lines.append(
            f"mean IoU {np.mean(overlaps):.4f} of {len(overlaps)} shreds; "
            f"residual angle: largest {max(residuals):.3f}°, mean {np.mean(residuals):.3f}°; "
            f"{np.mean([sheet.seconds for sheet in self.sheets]):.2f} s a sheet"
        )
        lines.append(f"ink, % of rows, by column from the contour inwards: {SHOWN_COLUMNS} and all of 10 to 31")
        for name, profile in self.ink.items():
            for side, columns in zip(("left", "right"), profile * 100, strict=True):
                shown = " ".join(f"{columns[k]:5.1f}" for k in SHOWN_COLUMNS)
                lines.append(f"  {name:12} {side:5} {shown}   {columns[10:].mean():5.1f}")
        return "\n".join(lines)


def has_scans(folder: Path) -> bool:
    """Check whether a folder is a data set with scanned sheets.

    Parameters
    ----------
    folder : Path
        See `segmentation_table`.

    Returns
    -------
    bool
    """
    return (folder / "truth.json").exists() or any(folder.glob("*/sheet_*"))


def segmentation_table(folder: Path) -> SegmentationTable:
    """Segment all sheets of a data set and compare with its truth.

    Parameters
    ----------
    folder : Path
        Either one with a truth.json, which says box and mask of every shred on every sheet; or one with a folder
        for each document, ``DOC/sheet_*.jpg``, and beside it one of the same name without ``_sheets``, in which
        ``DOC/masks`` holds the mask of every shred in order.

    Returns
    -------
    SegmentationTable
    """
    sheets, ink, of_masks, documents = [], [], [], {}
    if (folder / "truth.json").exists():
        for path, truth in _sheets_with_truth(folder):
            result, shreds, pixels = segmented(path, folder)
            compare(result, shreds, truth, pixels.shape[:2])
            sheets.append(result)
            ink += [ink_profile(shred.pixels, shred.mask) for shred in shreds if not shred.blank]
            of_masks += [ink_profile(pixels[y : y + h, x : x + w], mask) for (x, y, w, h), mask in truth]
    else:
        beside = folder.with_name(folder.name.removesuffix("_sheets"))
        for document in sorted(path for path in folder.iterdir() if path.is_dir()):
            masks = [read_mask(path) for path in sorted((beside / document.name / "masks").iterdir())]
            results = [segmented(path, folder) for path in sorted(document.glob("sheet_*"))]
            documents[document.name] = len(masks), sum(len(found) for _, found, _ in results)
            in_order = iter(masks)
            for result, found, pixels in results:
                ink += [ink_profile(shred.pixels, shred.mask) for shred in found if not shred.blank]
                on_sheet = [_on_sheet(shred, pixels.shape[:2]) for shred in found]
                result.overlaps = [_best_iou(mask, next(in_order, mask), masks) for mask in on_sheet]
            sheets += [result for result, _, _ in results]
            paths = zip(sorted((beside / document.name / "shreds").iterdir()), masks, strict=True)
            of_masks += [ink_profile(next(read_sheets(input_file(path))).pixels, mask) for path, mask in paths]
    profiles = {"found here": np.mean(ink, axis=0), "masks given": np.mean(of_masks, axis=0)}
    return SegmentationTable(sheets, profiles, documents)


def _sheets_with_truth(folder: Path) -> Iterator[tuple[Path, list[tuple[Box, Mask]]]]:
    """List the sheets of a data set with boxes and masks of their shreds."""
    for document in json.loads((folder / "truth.json").read_text()).values():
        for number, sheet in enumerate(document["sheets"], start=1):
            shreds = [shred for shred in document["shreds"] if shred["sheet"] == number]
            yield folder / sheet, [(tuple(shred["bbox"]), read_mask(folder / shred["mask"])) for shred in shreds]


def read_mask(path: Path) -> Mask:
    """Read a mask, white on paper.

    Parameters
    ----------
    path : Path
        A picture.

    Returns
    -------
    ndarray of shape (h, w), bool
    """
    image = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    if image is None:
        raise FileNotFoundError(f"No mask could be read from {path}.")
    return np.asarray(image > 127)


def segmented(path: Path, folder: Path) -> tuple[SheetResult, tuple[Shred, ...], NDArray[np.uint8]]:
    """Segment a sheet and take the time; a sheet on which nothing is found has no shreds.

    Parameters
    ----------
    path : Path
        The sheet.
    folder : Path
        It is named by its place in this folder.

    Returns
    -------
    result : SheetResult
        Not yet compared with any truth.
    shreds : tuple of Shred
        What was found.
    pixels : ndarray of shape (h, w, 3), uint8
        The sheet at 300 dpi.
    """
    sheet = next(read_sheets(input_file(path)))
    result = SheetResult(str(path.relative_to(folder)), 0, 0.0)
    start = time.perf_counter()
    shreds: tuple[Shred, ...] = ()
    try:
        segmentation = segment_sheet(sheet, 0, SegmentationOptions())
        shreds, result.set_aside = segmentation.shreds, len(segmentation.crumbs)
    except NothingFoundError as error:
        result.refused = f"{error.code}: {error}"
    result.seconds = time.perf_counter() - start
    result.found = len(shreds)
    result.residuals_deg = [abs(residual_deg(shred.mask)) for shred in shreds]
    return result, shreds, sheet.pixels


def _on_sheet(shred: Shred, shape: tuple[int, ...]) -> Mask:
    """Draw a shred's paper where it lies on the sheet."""
    filled = np.zeros(shape, np.uint8)
    cv2.fillPoly(filled, [np.round(shred.outline).astype(np.int32)], 1)
    return filled > 0


def compare(
    result: SheetResult, shreds: Sequence[Shred], truth: Sequence[tuple[Box, Mask]], shape: tuple[int, ...]
) -> None:
    """Count what is wrong on a sheet, and measure how well the masks agree.

    Parameters
    ----------
    result : SheetResult
        Gets what is counted and measured.
    shreds : sequence of Shred
        What was found.
    truth : sequence of (box, mask)
        Of each shred: x, y, width, height at 300 dpi, and its paper in that box.
    shape : tuple of int
        Height and width of the sheet at 300 dpi.
    """
    result.expected = len(truth)
    found = [_on_sheet(shred, shape) for shred in shreds]
    pairs = [
        (other[y : y + len(mask), x : x + mask.shape[1]] & mask).sum() for (x, y, *_), mask in truth for other in found
    ]
    shared = np.reshape(np.array(pairs, float), (len(truth), len(found)))
    of_truth = np.array([mask.sum() for _, mask in truth], float)[:, None]
    of_found = np.array([mask.sum() for mask in found], float)[None, :]
    part, whole = shared / of_truth > PART, shared / of_truth > OVERLAP
    result.split = int((part.sum(axis=1) > 1).sum())
    result.merged = int((part.sum(axis=0) > 1).sum())
    result.missed = int((~whole.any(axis=1)).sum())
    iou = shared / (of_truth + of_found - shared)
    result.overlaps = iou.max(axis=1, initial=0).tolist()


def _best_iou(found: Mask, likely: Mask, others: Sequence[Mask]) -> float:
    """Measure how well a mask agrees with that of the same shred: the likely one, or else whichever agrees best."""
    overlap = _displaced_iou(found, likely)
    return overlap if overlap > SURE_IOU else max(_displaced_iou(found, mask) for mask in others)


def _displaced_iou(found: Mask, true: Mask) -> float:
    """Measure how well two masks agree in the rows that both have, at the best displacement."""
    columns = np.flatnonzero(found.any(axis=0))
    across, down = SLACK_PX
    search = np.pad(found[:, columns[0] : columns[-1] + 1], ((down, down), (across, across)))
    if any(size > room for size, room in zip(true.shape, search.shape, strict=True)):
        return 0.0
    match = cv2.matchTemplate(search.astype(np.float32), true.astype(np.float32), cv2.TM_CCORR_NORMED)
    _, _, _, (left, top) = cv2.minMaxLoc(match)
    inside = np.s_[top : top + true.shape[0]]
    whole = np.zeros_like(search)
    whole[inside, left : left + true.shape[1]] = true
    both, either = (search & whole)[inside].sum(), (search | whole)[inside].sum()
    return float(both / either)


def residual_deg(mask: Mask) -> float:
    """Measure by how much a straightened shred is still turned: a line of least squares through its middle.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        True on paper.

    Returns
    -------
    float
        Degrees, counter-clockwise positive.
    """
    rows, first, last = row_extents(mask)
    end = len(rows) // 20
    inner = np.s_[end : len(rows) - end]
    return float(np.degrees(np.arctan(np.polyfit(rows[inner], (first + last)[inner] / 2, 1)[0])))


def ink_profile(pixels: NDArray[np.uint8], mask: Mask) -> NDArray[np.float64]:
    """Measure how often there is ink in each column of a shred's borders.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.
    mask : ndarray of shape (h, w), bool
        True on paper.

    Returns
    -------
    ndarray of shape (2, 32), float64
        Share of the rows, 0 to 1: left and right border, both from the contour inwards.
    """
    ink = binarize(pixels, mask)
    wide = mask.sum(axis=1) >= 2 * BORDER_WIDTH_PX
    left, right = (read_border(ink, mask, side)[wide] for side in ("left", "right"))
    return np.stack([left.mean(axis=0), right[:, ::-1].mean(axis=0)])

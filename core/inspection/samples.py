"""Samples: the 32 × 32 windows of borders that the encoder maps into one space, one every 4 pixel rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import join_from_behind
from core.composition.pose import Pose, matrix_of
from core.embedding.geometry import STRIDE_PX, n_embedding_rows
from core.options import BinarizationOptions, BorderOptions
from core.shreds.binarization import binarize
from core.shreds.borders import follow_contour
from core.shreds.deskew import row_extents
from core.shreds.shred import BORDER_WIDTH_PX, Shred, Side, common_frame, turned, upright
from core.units import px_to_mm


@dataclass(frozen=True)
class Sample:
    """Where a sample lies.

    Attributes
    ----------
    shred : str
        Identifier of the shred.
    side : {"left", "right"}
        Which of its borders.
    row : int
        Of the embedding, counted in the common frame of all shreds that are compared.
    """

    shred: str
    side: Side
    row: int


def sample_frame(shreds: Sequence[Shred]) -> tuple[int, int]:
    """Return the common frame in which samples are counted: that of the shreds that are compared, with a margin.

    Parameters
    ----------
    shreds : sequence of Shred
        Of the case, as they were found: however the examiner turns them, they stay within the frame, and samples keep
        their rows. Each is at most half its width out of place then.

    Returns
    -------
    top, bottom : int
        As `core.shreds.shred.common_frame`. The margin is a multiple of 4, so samples lie where the costs have them.
    """
    of_frame = [shred for shred in shreds if shred.compared] or shreds
    top, bottom = common_frame(of_frame)
    margin = STRIDE_PX * -(-max(shred.width_px for shred in of_frame) // (2 * STRIDE_PX))
    return top - margin, bottom + margin


def sample_at(shred: Shred, column: float, row: float, frame: tuple[int, int]) -> Sample:
    """Find the sample around a place on a shred, of the border that is nearer.

    Parameters
    ----------
    shred : Shred
        The shred.
    column, row : float
        A place in its pixels, upright as `core.shreds.shred.upright` gives them.
    frame : tuple of int
        From `sample_frame`.

    Returns
    -------
    Sample
        The middle of its 32 rows is nearest to the place.
    """
    mask = upright(shred)[1]
    at = int(np.clip(row, 0, len(mask) - 1))
    _, firsts, lasts = row_extents(mask[at : at + 1])
    first, last = (firsts[0], lasts[0]) if len(firsts) else (0, mask.shape[1] - 1)
    side: Side = "left" if column - first < last - column else "right"
    top = row + shred.frame_top_px - frame[0] - BORDER_WIDTH_PX / 2
    return Sample(shred.id, side, int(np.clip(round(top / STRIDE_PX), 0, n_embedding_rows(frame[1] - frame[0]) - 1)))


def top_row(sample: Sample, shred: Shred, frame: tuple[int, int]) -> int:
    """Return the row of the shred's pixels in which a sample begins; it may lie outside the shred.

    Parameters
    ----------
    sample : Sample
        Where it lies.
    shred : Shred
        That of the sample.
    frame : tuple of int
        From `sample_frame`.

    Returns
    -------
    int
        Negative above the shred.
    """
    return STRIDE_PX * sample.row + frame[0] - shred.frame_top_px


def sheet_to_shred(shred: Shred, *, half_turn: bool = False, by_deg: float = 0.0) -> NDArray[np.float64]:
    """Return the map from a sheet to a shred that was found on it and then turned by the examiner.

    Parameters
    ----------
    shred : Shred
        As it was found.
    half_turn, by_deg : bool, float
        How the examiner turned it; see `core.shreds.shred.turned`.

    Returns
    -------
    ndarray of shape (3, 3), float64
        Takes (x, y, 1) in pixels of the sheet at 300 dpi to (column, row, 1) of the pixels that
        `core.shreds.shred.upright` gives for the turned shred.
    """
    left, top, box_width, box_height = shred.bbox
    matrix = np.eye(3)
    matrix[:2] = cv2.getRotationMatrix2D((left + box_width / 2, top + box_height / 2), -shred.angle_deg, 1.0)
    outline = shred.outline if len(shred.outline) else np.array([[left, top]], np.float32)
    # Where the outline begins in the upright frame is where the paper begins in the mask.
    low = (outline @ matrix[:2, :2].T + matrix[:2, 2]).min(axis=0)
    matrix[:2, 2] += [int(shred.mask.any(axis=axis).argmax()) for axis in (0, 1)] - low
    posed = turned(shred, half_turn=half_turn, by_deg=by_deg)
    posed_height, posed_width = posed.mask.shape
    flip = np.eye(3)
    if posed.half_turn:
        flip = np.array([[-1.0, 0, posed_width - 1], [0, -1, posed_height - 1], [0, 0, 1]])
    return np.asarray(flip @ turn_matrix(shred, posed, by_deg) @ matrix)


def turn_matrix(shred: Shred, posed: Shred, by_deg: float) -> NDArray[np.float64]:
    """Return the map from a shred's pixels to those of the same shred turned by the examiner.

    Parameters
    ----------
    shred, posed : Shred
        As it was found, and turned; which way up does not matter, as long as both are taken the same way up.
    by_deg : float
        By how much it was turned; see `core.shreds.shred.turned`.

    Returns
    -------
    ndarray of shape (3, 3), float64
        Takes (column, row, 1) to (column, row, 1).
    """
    height, width = posed.mask.shape
    return np.vstack([matrix_of(shred.mask, Pose((width - 1) / 2, (height - 1) / 2, by_deg)), (0, 0, 1)])


def read_sample(
    shred: Shred,
    sample: Sample,
    frame: tuple[int, int],
    binarization: BinarizationOptions = BinarizationOptions(),
    border: BorderOptions = BorderOptions(),
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Read a sample as it was scanned and as the encoder sees it.

    Parameters
    ----------
    shred : Shred
        That of the sample.
    sample : Sample
        Where it lies.
    frame : tuple of int
        From `sample_frame`.
    binarization, border : BinarizationOptions, BorderOptions
        Those the borders were read with.

    Returns
    -------
    grey : ndarray of shape (32, 32), uint8
        White where there is no paper.
    ink : ndarray of shape (32, 32), bool
        True where there is ink.
    """
    pixels, mask = upright(shred)
    top = top_row(sample, shred, frame)
    grey = np.full((BORDER_WIDTH_PX, BORDER_WIDTH_PX), 255, dtype=np.uint8)
    ink = np.zeros(grey.shape, dtype=np.bool_)
    start, stop = max(0, top), min(len(mask), top + BORDER_WIDTH_PX)
    if start < stop:
        found = binarize(pixels, mask, binarization)[start:stop]
        values = np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels[start:stop]), cv2.COLOR_RGB2GRAY), np.uint8)
        worn, paper = border.worn_px, mask[start:stop]
        grey[start - top : stop - top] = follow_contour(values, paper, sample.side, worn_px=worn, outside=255)
        ink[start - top : stop - top] = follow_contour(found, paper, sample.side, worn_px=worn, outside=0)
    return grey, ink


def sample_box(shred: Shred, sample: Sample, frame: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return x, y, width and height of a sample in the pixels of its shred, posed and upright.

    Parameters
    ----------
    shred : Shred
        That of the sample.
    sample : Sample
        Where it lies.
    frame : tuple of int
        From `sample_frame`.

    Returns
    -------
    tuple of int
        In pixels at 300 dpi.
    """
    mask = upright(shred)[1]
    top = top_row(sample, shred, frame)
    _, firsts, lasts = row_extents(mask[max(0, top) : max(0, top + BORDER_WIDTH_PX)])
    first, last = (firsts.min(), lasts.max()) if len(firsts) else (0, mask.shape[1] - 1)
    x = int(first) if sample.side == "left" else int(last) + 1 - BORDER_WIDTH_PX
    return x, top, BORDER_WIDTH_PX, BORDER_WIDTH_PX


def corners_on_sheet(box: tuple[int, int, int, int], from_sheet: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Map a rectangle on a shred back to the sheet.

    Parameters
    ----------
    box : tuple of int
        x, y, width, height in the shred's pixels.
    from_sheet : ndarray of shape (3, 3)
        From `sheet_to_shred`.

    Returns
    -------
    list of tuple of float
        Its corners, in turn, in pixels of the sheet.
    """
    x, y, width, height = box
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    back = np.linalg.inv(from_sheet)
    return [(float(there[0]), float(there[1])) for there in (back @ (*corner, 1.0) for corner in corners)]


def height_mm(sample: Sample, shred: Shred, frame: tuple[int, int]) -> float:
    """Return the distance of a sample's middle from the top of its shred, in millimetres.

    Parameters
    ----------
    sample : Sample
        Where it lies.
    shred : Shred
        That of the sample.
    frame : tuple of int
        From `sample_frame`.

    Returns
    -------
    float
        Downwards.
    """
    return px_to_mm(top_row(sample, shred, frame) + BORDER_WIDTH_PX / 2)


def partner_by_order(arrangement: Arrangement, sample: Sample) -> Sample | None:
    """Find what a sample meets in the arrangement, or of a face that is not seen, when that is turned over.

    Parameters
    ----------
    arrangement : Arrangement
        Order and shifts.
    sample : Sample
        Of either side.

    Returns
    -------
    Sample or None
        Of the other side; None where a page begins or ends, the shred is set aside, or the other face of what stands
        beside it is not known.
    """
    seen = arrangement.seen(sample.shred)
    for left, right in arrangement.joins():
        if seen not in (left, right):
            continue
        shift_px = arrangement.shift_px.get(right, 0)
        if seen != sample.shred:
            behind = join_from_behind(arrangement, left, right, shift_px)
            if behind is None:
                continue
            ((left, right),) = behind.pages
            shift_px = behind.shift_px.get(right, 0)
        shift_rows = round(shift_px / STRIDE_PX)
        if sample.side == "right" and left == sample.shred:
            return Sample(right, "left", sample.row - shift_rows)
        if sample.side == "left" and right == sample.shred:
            return Sample(left, "right", sample.row + shift_rows)
    return None

"""A sheet segmented as it lies, be it a long picture of one shred.

Of one that is cut out close there is too little of what it lies on to be told from it: more of that is laid around.
"""

from dataclasses import replace

import numpy as np

from core.arrays import Floats
from core.options import SegmentationOptions
from core.progress import Progress, no_progress
from core.sheets.kind import distance, is_elongated, support_colour
from core.sheets.sheet import Sheet
from core.shreds.segmentation import Segmentation, segment
from core.shreds.shred import Box, Crumb, Shred

_LEAST_MARGIN_PX = 40
_SAME_COLOUR = 40

_ENOUGH_PX = 120
"""Where so much of its breadth (10 mm, on average) shows what the shreds lie on, that is enough."""


def segment_sheet(
    sheet: Sheet, index: int, options: SegmentationOptions, progress: Progress = no_progress
) -> Segmentation:
    """Segment a sheet as it lies, be it the long picture of one shred.

    Parameters
    ----------
    sheet, index, options, progress
        See `core.shreds.segmentation.segment`.

    Returns
    -------
    Segmentation
        Places are those on the sheet.

    Raises
    ------
    NothingFoundError
        As `core.shreds.segmentation.segment` does.
    """
    margin = margin_px(sheet)
    if not margin:
        return segment(sheet, index, options, progress)
    return without_margin(segment(with_margin(sheet, margin), index, options, progress), sheet, margin)


def margin_px(sheet: Sheet) -> int:
    """Return how much has to be laid around a sheet; 0 for any but a long one that shows a little of its support.

    Parameters
    ----------
    sheet : Sheet
        As it was read.

    Returns
    -------
    int
        At 300 dpi.
    """
    if sheet.mask is not None or not is_elongated(sheet.info.size_px):
        return 0
    breadth_px, colour = min(sheet.info.size_px), support_colour(sheet.pixels)
    if colour is None:
        return 0
    shown = distance(sheet.pixels[::4, ::4].astype(np.int16), colour) <= _SAME_COLOUR
    if breadth_px * shown.mean() >= _ENOUGH_PX:
        return 0
    return max(_LEAST_MARGIN_PX, breadth_px // 2)


def with_margin(sheet: Sheet, margin: int) -> Sheet:
    """Lay a sheet on more of what its shred lies on, made of the pixels that show it.

    Parameters
    ----------
    sheet : Sheet
        One for which `margin_px` is not 0.
    margin : int
        In pixels.

    Returns
    -------
    Sheet
        Larger by the margin on all sides.
    """
    colour = support_colour(sheet.pixels)
    assert colour is not None
    far = distance(sheet.pixels.astype(np.int16), colour)
    support = sheet.pixels[far <= max(_SAME_COLOUR, int(far.min()))]
    height, width = sheet.pixels.shape[:2]
    shape = height + 2 * margin, width + 2 * margin
    pixels = support[np.random.default_rng(0).integers(0, len(support), shape)]
    pixels[margin : margin + height, margin : margin + width] = sheet.pixels
    mends = tuple(mend.moved(margin, margin) for mend in sheet.info.mends)
    return replace(sheet, pixels=pixels, info=replace(sheet.info, mends=mends))


def without_margin(found: Segmentation, sheet: Sheet, margin: int) -> Segmentation:
    """Tell where things lie on the sheet itself.

    Parameters
    ----------
    found : Segmentation
        On the sheet with its margin.
    sheet : Sheet
        Without it.
    margin : int
        In pixels.

    Returns
    -------
    Segmentation
        What reaches over the edge of the sheet is cut there.
    """
    last = np.array(sheet.info.size_px, np.float32) - 1

    def moved(outline: Floats) -> Floats:
        return np.clip(outline - np.float32(margin), 0, last).astype(np.float32)

    def placed(piece: Shred | Crumb) -> Box:
        x, y, width, height = piece.bbox
        (left, top), (right, bottom) = (
            np.clip((a - margin, b - margin), 0, last) for a, b in ((x, y), (x + width - 1, y + height - 1))
        )
        return int(left), int(top), int(right - left) + 1, int(bottom - top) + 1

    shreds, scraps = (
        tuple(replace(piece, bbox=placed(piece), outline=moved(piece.outline)) for piece in pieces)
        for pieces in (found.shreds, found.scraps)
    )
    crumbs = tuple(replace(crumb, bbox=placed(crumb), outline=moved(crumb.outline)) for crumb in found.crumbs)
    return replace(found, shreds=shreds, scraps=scraps, crumbs=crumbs)

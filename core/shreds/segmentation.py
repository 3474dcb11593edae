"""From a sheet to its shreds: upright, each with the mask of its clean paper."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from scipy.ndimage import median_filter

from core.arrays import Floats, Mask, Pixels
from core.errors import NothingFoundError
from core.options import SegmentationOptions
from core.progress import Progress, no_progress
from core.sheets.sheet import Sheet
from core.shreds.background import Background, coverage, find_background, nearest_surface
from core.shreds.binarization import is_blank
from core.shreds.cross_cut import refusal_of_pieces
from core.shreds.deskew import Upright, as_it_lies, find_upright, row_extents
from core.shreds.pieces import Piece, bridge_ink, crop, find_pieces, join_over_ink, outline, without_holes
from core.shreds.scanner_frame import cut_off_frame, cut_off_lid, dark_rim
from core.shreds.shred import Crumb, Scrap, Shred
from core.shreds.touching import part_and_join
from core.units import PX_PER_MM, mm_to_px
from core.wording import QT_TRANSLATE_NOOP

_STRAIGHTENING = QT_TRANSLATE_NOOP("progress", "Straightening shreds")

PAPER_COVERAGE = 0.5
"""A pixel of which the background covers less is paper, for telling the shreds apart."""

FOREIGN_COVERAGE = 0.3
"""What differs by more from the background is something else: paper, ink, or the scanner."""

CLEAN_COVERAGE = 0.28
"""A pixel of which the background covers less is clean paper."""

SPECK_PX = 5
"""Side of the window in which the majority decides what is paper."""

SHADOW_GREY = 12
"""A contour darker by more than this, over some length, than the paper just inside it lies in its own shadow."""

SHADOW_COVERAGE = 0.1
"""Background shows through a shadow by at least this much; through ink it does not."""

SHADOW_LENGTH_PX = 15
"""That length: ink seldom follows a contour for so long without reaching further in."""

SHADOW_DEPTH_PX = 3
"""Shadows are no deeper than this."""

HAIR_PX = 5
"""Fibres and spikes thinner than this are no part of the mask."""

WHOLE_SHEET = 0.95
"""A piece that takes up this part of a sheet's breadth and height is no piece."""

BARE_SHARE = 0.4
"""Where the lid takes up this part of a sheet and nothing is left, the sheet was a page or bare."""

SHOWN_PX = 12
"""A shred that begins further below the sheet's edge than this shows its top end."""

SHORT_PX = 60
"""A shred shorter by more than this (5 mm) than the usual one may lack its top end."""

PART_SHARE = 0.02
"""A part of a torn shred is at least this large against its largest part."""

KEPT_MM2 = 20.0
"""Slivers and crumbs with less paper than this are left out: nobody could place them."""


@dataclass(frozen=True, eq=False)
class Segmentation:
    """What was found on a sheet.

    Attributes
    ----------
    shreds : tuple of Shred
        From left to right.
    scraps : tuple of Shred
        Slivers and crumbs that the examiner may place, from left to right.
    crumbs : tuple of Crumb
        Smaller ones, and the scanner's frame, from left to right.
    background : tuple of int, or None
        RGB of the surface the shreds lie on; None for a file that holds one shred and its mask.
    """

    shreds: tuple[Shred, ...]
    scraps: tuple[Shred, ...]
    crumbs: tuple[Crumb, ...]
    background: tuple[int, int, int] | None


def segment(sheet: Sheet, index: int, options: SegmentationOptions, progress: Progress = no_progress) -> Segmentation:
    """Find the shreds of a sheet and turn them upright.

    The background is found from the sheet itself (`core.shreds.background`). What it does not cover falls into pieces;
    touching ones are cut apart, torn ones put together (`core.shreds.touching`). Each is straightened by its long axis.

    Parameters
    ----------
    sheet : Sheet
        RGB at 300 dpi. If it brings a mask, it is one shred, already upright, and is taken as it is.
    index : int
        0-based; the shreds are named after it, ``"1-01"`` for the first of sheet 0.
    options : SegmentationOptions
        Smallest shred.
    progress : Progress
        Called after each step and each shred.

    Returns
    -------
    Segmentation
        At least one shred or scrap.

    Raises
    ------
    NothingFoundError
        No paper can be told from what it lies on, or there is none.

    Examples
    --------
    >>> from pathlib import Path
    >>> from core.sheets.sheet import SheetInfo
    >>> pixels = np.full((900, 400, 3), (0, 90, 200), np.uint8)  # a blue surface
    >>> pixels[50:850, 60:160] = pixels[50:850, 220:320] = 250  # and two strips of paper
    >>> info = SheetInfo(Path("scan.png"), 0, "", (400, 900), 300.0, "file", pixels)
    >>> found = segment(Sheet(info, pixels), 0, SegmentationOptions())
    >>> [(shred.id, shred.bbox) for shred in found.shreds]
    [('1-01', (60, 50, 100, 800)), ('1-02', (220, 50, 100, 800))]
    """
    progress(0.0, QT_TRANSLATE_NOOP("progress", "Looking for the background"))
    if sheet.mask is not None:
        return Segmentation((_single_shred(sheet, sheet.mask, index),), (), (), None)
    background = find_background(sheet.pixels)
    if background is None:
        raise _indistinct(sheet, "it is as bright as the paper")
    covered = coverage(sheet.pixels, background)
    grey = _grey_surfaces(background, covered.shape)
    progress(0.3, QT_TRANSLATE_NOOP("progress", "Looking for shreds"))
    foreign = _foreign(covered, background)
    whole = _paper(covered, PAPER_COVERAGE, grey)
    paper, frame = cut_off_frame(whole, foreign)
    paper, lid = cut_off_lid(paper, foreign & (paper | ~whole), background.flat, background.paper)
    frame += lid
    clean = _paper(covered, CLEAN_COVERAGE, grey)
    min_width_px, min_length_px = (round(mm_to_px(mm)) for mm in (options.min_width_mm, options.min_length_mm))
    connected = find_pieces(paper)
    height, width = paper.shape
    if any(piece.bbox[2] > WHOLE_SHEET * width and piece.bbox[3] > WHOLE_SHEET * height for piece in connected):
        raise _indistinct(sheet, "what looks like paper reaches from edge to edge")
    if not connected and sum(int(strip.mask.sum()) for strip in lid) > BARE_SHARE * paper.size:
        raise _indistinct(sheet, "what looks like paper is one with the scanner's lid")
    if (refusal := refusal_of_pieces(connected, sheet.info.place)) is not None:
        raise refusal
    pieces = part_and_join(connected, min_width_px, min_length_px)
    fringe = covered > SHADOW_COVERAGE
    shreds: list[Shred] = []
    scraps: list[Shred] = []
    crumbs = [_crumb(index, strip, "frame") for strip in frame if min(strip.bbox[2:]) >= min_width_px]
    for done, piece in enumerate(pieces):
        progress(0.5 + 0.5 * done / len(pieces), _STRAIGHTENING)
        if max(piece.bbox[2:]) < min_length_px and piece.mask.sum() < KEPT_MM2 * PX_PER_MM**2:
            crumbs.append(_crumb(index, piece, "crumb"))
            continue
        upright, mask, faint = _upright_paper(piece, find_upright(piece.mask), clean, fringe)
        scrap = _too_small(mask, min_width_px, min_length_px)
        if scrap and mask.sum() < KEPT_MM2 * PX_PER_MM**2:
            crumbs.append(_crumb(index, piece, scrap))
            continue
        if scrap == "crumb":
            upright, mask, faint = _upright_paper(piece, as_it_lies(piece.mask), clean, fringe)
        of_kind, letter, digits = (scraps, "s", 1) if scrap else (shreds, "", 2)
        shred_id = f"{index + 1}-{letter}{len(of_kind) + 1:0{digits}}"
        of_kind.append(_shred(shred_id, index, sheet.pixels, piece, upright, mask, faint, scrap))
    if not shreds and not scraps:
        raise none_large_enough(sheet.info.place, options)
    progress(1.0, _STRAIGHTENING)
    crumbs.sort(key=lambda crumb: crumb.bbox)
    red, green, blue = (int(value) for value in background.colour)
    return Segmentation(*_common_frame(shreds, scraps, _top_of_sheet(frame)), tuple(crumbs), (red, green, blue))


def none_large_enough(place: str, options: SegmentationOptions) -> NothingFoundError:
    """Build the error for a sheet on which there is nothing, or nothing but scraps.

    Parameters
    ----------
    place : str
        What the sentence calls the sheet.
    options : SegmentationOptions
        Smallest shred.

    Returns
    -------
    NothingFoundError
        To be raised, or to be told.
    """
    return NothingFoundError(
        f"No shreds found in {place}: nothing on it is {options.min_length_mm:g} mm long and "
        f"{options.min_width_mm:g} mm wide. Leave the sheet out, or lower ‘Shortest shred’ and ‘Narrowest shred’."
    )


def _indistinct(sheet: Sheet, found: str) -> NothingFoundError:
    """Build the error for white on white."""
    return NothingFoundError(
        f"No shreds can be told from the background in {sheet.info.place}: {found}. "
        "Lay the shreds on a coloured or dark surface, such as a sheet of yellow cardboard, and scan them again."
    )


def _crumb(index: int, piece: Piece, reason: str) -> Crumb:
    """Build the crumb that a piece is, or a strip of the scanner's frame."""
    return Crumb(index, piece.bbox, outline(piece.mask, *piece.bbox[:2]), reason)


@dataclass(frozen=True, eq=False)
class _Grey:
    """Where a surface lies that ink looks like, None for everywhere; what is ink there, and whether it is pale."""

    there: Mask | None
    ink_coverage: float
    pale: bool


def _grey_surfaces(background: Background, shape: tuple[int, ...]) -> list[_Grey]:
    """List the surfaces that ink, or the rim of ink, looks like."""
    nearest = nearest_surface(background, shape) if len(background.surfaces) > 1 else None
    return [
        _Grey(
            None if nearest is None else nearest == index,
            np.inf if surface.coloured else background.ink_coverage(surface),
            background.is_pale(surface),
        )
        for index, surface in enumerate(background.surfaces)
        if not surface.coloured or background.is_pale(surface)
    ]


def _foreign(covered: Floats, background: Background) -> Mask:
    """Mark what is no background: paper, ink, and the scanner's frame, which is even and grey as well."""
    foreign = cv2.inRange(covered, 1 - FOREIGN_COVERAGE, 1 + FOREIGN_COVERAGE) == 0
    grey = [index for index, surface in enumerate(background.surfaces) if index and not surface.coloured]
    if grey:
        foreign |= dark_rim(np.isin(nearest_surface(background, covered.shape), grey) & ~foreign)
    return foreign


def _paper(covered: Floats, limit: float, grey: list[_Grey]) -> Mask:
    """Mark what the background covers less than `limit`, but for specks and lines of a pixel or two.

    A scanner that reads its colours one after the other draws a coloured line along every printed rule.
    """
    paper = np.asarray(cv2.medianBlur((covered < limit).astype(np.uint8), SPECK_PX) > 0)
    for surface in grey:
        within = covered if surface.there is None else covered * surface.there
        if surface.pale:
            paper = join_over_ink(paper, within, surface.ink_coverage)
        else:
            paper = bridge_ink(paper, within, surface.ink_coverage)
    return paper


def _upright_paper(piece: Piece, upright: Upright, clean: Mask, fringe: Mask) -> tuple[Upright, Mask, Mask]:
    """Find how a piece lies on its sheet, and, in its upright rectangle, its clean paper and where background shows."""
    x, y, width, height = piece.bbox
    inside = np.s_[y : y + height, x : x + width]
    mask = _without_hairs(without_holes(upright.cut_out_mask(piece.mask & clean[inside])))
    return upright.within(x, y), mask, upright.cut_out_mask(fringe[inside])


def _too_small(mask: Mask, min_width_px: int, min_length_px: int) -> Scrap:
    """Find why a piece is too small for a shred, if it is."""
    rows, first, last = row_extents(mask)
    if len(rows) < min_length_px:
        return "crumb"
    return "sliver" if np.median(last - first + 1) < min_width_px else ""


def _shred(
    name: str, sheet: int, pixels: Pixels, piece: Piece, upright: Upright, mask: Mask, fringe: Mask, scrap: Scrap
) -> Shred:
    """Cut a shred out of its sheet; its place in the common frame is still that on the sheet."""
    colours = upright.cut_out(pixels)
    grey = _grey(colours)
    lit = _without_shadow(grey, fringe, mask)
    mask = lit if lit.any() else mask  # a sliver can lie in shadow as a whole
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    inside = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    paper = _without_hairs(piece.mask)
    contour = outline(paper if paper.any() else piece.mask, *piece.bbox[:2])
    left, top, width, height = cv2.boundingRect(contour)
    return Shred(
        id=name,
        sheet=sheet,
        bbox=(int(left), int(top), int(width), int(height)),
        outline=contour,
        angle_deg=upright.angle_deg,
        pixels=_white_beyond(colours[inside], mask[inside]),
        mask=mask[inside],
        frame_top_px=upright.top_px + int(rows[0]),
        blank=is_blank(colours, mask),
        scrap=scrap,
    )


def _grey(pixels: Pixels) -> Pixels:
    """Compute the brightness of RGB pixels."""
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)


def _without_hairs(solid: Mask) -> Mask:
    """Take fibres and spikes off a mask without holes, and what hung on by them."""
    round_brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (HAIR_PX, HAIR_PX))
    opened = cv2.morphologyEx(solid.astype(np.uint8), cv2.MORPH_OPEN, round_brush)
    n, labels = cv2.connectedComponents(opened, connectivity=4)
    if n == 2:  # nothing hung on by them
        return np.asarray(opened > 0)
    area = np.bincount(labels.ravel(), minlength=2)
    large = area >= PART_SHARE * area[1:].max(initial=1)
    large[0] = False
    return np.asarray(large[labels])


def _without_shadow(grey: Pixels, fringe: Mask, mask: Mask) -> Mask:
    """Narrow a mask where its contour lies in the shadow that the paper casts.

    Shadow and blurred background look like a thin line of ink along the cut, and would be taken for one. But the
    background shows through (`fringe`), which it does not where ink reaches the cut.
    """
    brightness = grey.astype(np.int16)
    mask = mask.copy()
    for _ in range(SHADOW_DEPTH_PX):
        for turns in range(4):
            side, values, faint = (np.rot90(image, turns) for image in (mask, brightness, fringe))
            rows = np.flatnonzero(side.any(axis=1))
            contour = side[rows].argmax(axis=1)
            if not faint[rows, contour].any():
                continue
            inside = np.minimum(contour + SHADOW_DEPTH_PX, side.shape[1] - 1)
            darker = median_filter(values[rows, inside] - values[rows, contour], SHADOW_LENGTH_PX)
            shadow = (darker > SHADOW_GREY) & faint[rows, contour]
            side[rows[shadow], contour[shadow]] = False
    return mask


def _white_beyond(pixels: Pixels, mask: Mask) -> Pixels:
    """Make everything beyond the paper white."""
    beyond = cv2.cvtColor((~mask).astype(np.uint8) * np.uint8(255), cv2.COLOR_GRAY2RGB)
    return np.asarray(cv2.max(pixels, beyond), np.uint8)


def _single_shred(sheet: Sheet, mask: Mask, index: int) -> Shred:
    """Build the shred of a file that holds one, upright: as it is, cropped to its paper."""
    piece = crop(mask)
    if piece is None:
        raise NothingFoundError(
            f"No paper in {sheet.info.place}: its mask is empty. Leave it out, or repair the mask beside it."
        )
    x, y, width, height = piece.bbox
    colours = sheet.pixels[y : y + height, x : x + width]
    return Shred(
        id=f"{index + 1}-01",
        sheet=index,
        bbox=piece.bbox,
        outline=outline(piece.mask, *piece.bbox[:2]),
        angle_deg=0.0,
        pixels=_white_beyond(colours, piece.mask),
        mask=piece.mask,
        frame_top_px=0,
        blank=is_blank(colours, piece.mask),
    )


def _top_of_sheet(frame: list[Piece]) -> int:
    """Find the row where the scanner's frame ends at the top of a sheet."""
    return max((strip.bbox[3] for strip in frame if strip.bbox[1] == 0 and strip.bbox[2] > strip.bbox[3]), default=0)


def _common_frame(shreds: list[Shred], scraps: list[Shred], top_px: int) -> tuple[tuple[Shred, ...], tuple[Shred, ...]]:
    """Place the shreds of a sheet in the vertical frame that all sheets of a case share; scraps follow them.

    Where most shreds show their top end, these ends were cut from one edge of the page and are aligned at row 0; of
    a shred shorter than the others that end may be torn off, so it keeps its place on the sheet against them.
    Otherwise nothing is known but where a shred lies on the sheet.
    """
    shown = np.array([shred.bbox[1] > top_px + SHOWN_PX for shred in shreds], np.bool_)
    if shown.sum() * 2 <= len(shreds):
        return tuple(shreds), tuple(scraps)
    ends = np.array([shred.frame_top_px + _end_row(shred.mask) for shred in shreds])
    usual_px = np.median([len(shred.mask) for shred in shreds])
    whole = shown & np.array([not _is_short(shred, usual_px) for shred in shreds])
    end_px = float(np.median(ends[whole])) if whole.any() else None

    def placed(shred: Shred) -> Shred:
        own_px = shred.frame_top_px + _end_row(shred.mask)
        row = own_px if end_px is None or not _is_short(shred, usual_px) else int(end_px)
        return replace(shred, frame_top_px=shred.frame_top_px - row)

    return tuple(map(placed, shreds)), tuple(map(placed, scraps))


def _is_short(shred: Shred, usual_px: float) -> bool:
    """Check whether a shred may lack its top end."""
    return len(shred.mask) < usual_px - SHORT_PX


def _end_row(mask: Mask) -> int:
    """Find the row from which a shred has its full breadth, or nearly: worn corners do not count."""
    breadth = mask.sum(axis=1)
    return int(np.argmax(breadth >= 0.5 * np.median(breadth)))

"""From a sheet to its shreds: upright, each with the mask of its clean paper."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import cv2
import numpy as np

from core.arrays import Floats, Mask, Pixels
from core.errors import NothingFoundError
from core.options import SegmentationOptions
from core.progress import Progress, no_progress
from core.sheets.mends import OF_THE_SHEET, CropSheet, ExcludeSheet, PickBackground, ThisIsAShred
from core.sheets.sheet import Sheet
from core.shreds.binarization import is_blank
from core.shreds.cross_cut.kind import Kind, SheetCut, cut_of_single, kind_of
from core.shreds.cross_cut.parting import parted
from core.shreds.ground.background import Background, coverage, find_background, nearest_surface
from core.shreds.ground.ink import ink_coverages, off_hue
from core.shreds.ground.scanner_frame import cut_off_frame, cut_off_lid, dark_rim
from core.shreds.pieces import (
    Piece,
    bridge_ink,
    close_strokes,
    convex,
    crop,
    fills,
    find_pieces,
    join_over_ink,
    outline,
)
from core.shreds.regions.cut_out import SHADOW_COVERAGE, Cutter, crumb_of, white_beyond
from core.shreds.regions.mended import mended
from core.shreds.shred import Box, Crumb, Shred
from core.shreds.touching import part_and_join
from core.units import mm_to_px
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

BARE_SHARE = 0.4
"""Where the lid takes up this part of a sheet and nothing is left, the sheet was a page or bare."""

SHOWN_PX = 12
"""A shred that begins further below the sheet's edge than this shows its top end."""

SHORT_PX = 60
"""A shred shorter by more than this (5 mm) than the usual one may lack its top end."""

PICKED_PX = 4
"""The background is picked as the median colour of what lies so far around the point."""


@dataclass(frozen=True, eq=False)
class Segmentation:
    """What was found on a sheet.

    Attributes
    ----------
    shreds : tuple of Shred
        From left to right; behind them those that were mended.
    scraps : tuple of Shred
        Slivers and crumbs that the examiner may place, from left to right.
    crumbs : tuple of Crumb
        Smaller ones, and the scanner's frame, from left to right.
    background : tuple of int, or None
        RGB of the surface the shreds lie on; None for a file that holds one shred and its mask.
    refused : tuple of str
        A sentence for each mend of the sheet that could not be made.
    cut : {"strip", "cross", "either"}
        How the paper was cut; "either" where it is too little to tell: then its shreds are taken as strips.
    """

    shreds: tuple[Shred, ...]
    scraps: tuple[Shred, ...]
    crumbs: tuple[Crumb, ...]
    background: tuple[int, int, int] | None
    refused: tuple[str, ...] = ()
    cut: SheetCut = "strip"


def segment(sheet: Sheet, index: int, options: SegmentationOptions, progress: Progress = no_progress) -> Segmentation:
    """Find the shreds of a sheet and turn them upright.

    The background is found from the sheet itself (`core.shreds.ground`). What it does not cover falls into pieces;
    touching ones are cut apart, torn ones put together (`core.shreds.touching`). Each is straightened by its long axis.
    Then mends are made: shreds that none is about keep the numbers that they have without.

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
        At least one shred or scrap, unless the sheet was excluded.

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
    mends, (x, y, width, height) = sheet.info.mends, _looked_at(sheet)
    if any(isinstance(mend, ExcludeSheet) for mend in mends):
        return Segmentation((), (), (), None)
    if sheet.mask is not None and not mends:
        single = _single_shred(sheet, sheet.mask, index, options.cut)
        return Segmentation((single,), (), (), None, cut=cut_of_single(single.bbox[2:], options.cut))
    inside = np.s_[y : y + height, x : x + width]
    pixels, mask = sheet.pixels[inside], None if sheet.mask is None else sheet.mask[inside]
    try:
        ground = _ground(replace(sheet, pixels=pixels, mask=mask), _picked(sheet), options, progress)
    except NothingFoundError:
        if not any(isinstance(mend, ThisIsAShred) for mend in mends):
            raise
        ground = _Ground.bare(pixels, options.cut)
    cutter = Cutter(index, pixels, ground.clean, ground.fringe, options, ground.kind)
    regions = []
    for done, piece in enumerate(ground.pieces):
        progress(0.5 + 0.5 * done / len(ground.pieces), _STRAIGHTENING)
        regions.append(cutter.cut(piece))
    of_shreds = tuple(mend.moved(-x, -y) for mend in mends if not isinstance(mend, OF_THE_SHEET))
    regions, refused = mended(regions, of_shreds, pixels.shape, cutter.cut)
    cut = [_moved(region.cut, x, y) for region in regions if region.cut is not None]
    shreds = [one for one in cut if isinstance(one, Shred) and not one.scrap]
    scraps = [one for one in cut if isinstance(one, Shred) and one.scrap]
    if not shreds and not scraps:
        raise none_large_enough(sheet.info.place, options)
    progress(1.0, _STRAIGHTENING)
    min_width_px = round(mm_to_px(options.min_width_mm))
    strips = [_moved(crumb_of(index, one, "frame"), x, y) for one in ground.frame if min(one.bbox[2:]) >= min_width_px]
    crumbs = sorted((one for one in (*strips, *cut) if isinstance(one, Crumb)), key=lambda crumb: crumb.bbox)
    if ground.kind.cut == "cross":
        placed = tuple(shreds), tuple(scraps)
    else:
        placed = _common_frame(shreds, scraps, y + _top_of_sheet(ground.frame))
    return Segmentation(*placed, tuple(crumbs), ground.colour, refused, ground.kind.cut)


def _looked_at(sheet: Sheet) -> Box:
    """Find the part of a sheet on which shreds are looked for: all of it, if it was not cropped."""
    height, width = sheet.pixels.shape[:2]
    for mend in sheet.info.mends:
        if isinstance(mend, CropSheet):
            (left, right), (top, bottom) = (
                sorted(min(max(round(value), 0), most) for value in values)
                for values, most in zip(zip(*mend.corners, strict=True), (width, height), strict=True)
            )
            if left == right or top == bottom:
                raise NothingFoundError(f"Nothing of {sheet.info.place} lies within the rectangle. Draw it anew.")
            return left, top, right - left, bottom - top
    return 0, 0, width, height


def _picked(sheet: Sheet) -> Floats | None:
    """Return the colour that the examiner picked as that of the background, if so."""
    points = [mend.at for mend in sheet.info.mends if isinstance(mend, PickBackground)]
    if not points:
        return None
    (column, row), (height, width) = points[-1], sheet.pixels.shape[:2]
    if not (0 <= column < width and 0 <= row < height):
        raise NothingFoundError(f"The background of {sheet.info.place} was picked beyond its edge. Pick it anew.")
    left, top = max(0, int(column) - PICKED_PX), max(0, int(row) - PICKED_PX)
    around = sheet.pixels[top : int(row) + PICKED_PX + 1, left : int(column) + PICKED_PX + 1]
    return np.median(around.reshape(-1, 3), axis=0).astype(np.float32)


@dataclass(frozen=True, eq=False)
class _Ground:
    """What is told from what on a sheet: clean paper, where background shows through, pieces, the scanner's frame."""

    clean: Mask
    fringe: Mask
    pieces: Sequence[Piece]
    frame: Sequence[Piece]
    colour: tuple[int, int, int] | None
    kind: Kind

    @classmethod
    def bare(cls, pixels: Pixels, cut: str) -> Self:
        """Return what a sheet is on which nothing was found."""
        nothing = np.zeros(pixels.shape[:2], np.bool_)
        return cls(nothing, nothing, (), (), None, Kind(cut_of_single((0, 0), cut)))


def _ground(sheet: Sheet, picked: Floats | None, options: SegmentationOptions, progress: Progress) -> _Ground:
    """Tell paper from what it lies on, the colour of which may be given."""
    progress(0.0, QT_TRANSLATE_NOOP("progress", "Looking for the background"))
    if sheet.mask is not None:
        piece = crop(sheet.mask)
        one, size = ([], (0, 0)) if piece is None else ([piece], piece.bbox[2:])
        kind = Kind(cut_of_single(size, options.cut), min(size), max(size))
        return _Ground(sheet.mask, np.zeros_like(sheet.mask), one, (), None, kind)
    background = find_background(sheet.pixels, picked)
    if background is None:
        raise _indistinct(sheet, "it is as bright as the paper")
    covered = coverage(sheet.pixels, background)
    grey = _grey_surfaces(sheet.pixels, covered, background)
    progress(0.3, QT_TRANSLATE_NOOP("progress", "Looking for shreds"))
    foreign = _foreign(covered, background)
    whole = _paper(covered, PAPER_COVERAGE, grey)
    paper, frame = cut_off_frame(whole, foreign)
    paper, lid = cut_off_lid(paper, foreign & (paper | ~whole), background.flat, background.paper)
    clean = _paper(covered, CLEAN_COVERAGE, grey)
    hued = off_hue(sheet.pixels, background)
    if hued is not None:
        paper, clean = (bridge_ink(mask, hued, 1.0) for mask in (paper, clean))
    connected = find_pieces(paper)
    if any(fills(piece, paper.shape) for piece in connected):
        raise _indistinct(sheet, "what looks like paper reaches from edge to edge")
    if not connected and sum(int(strip.mask.sum()) for strip in lid) > BARE_SHARE * paper.size:
        raise _indistinct(sheet, "what looks like paper is one with the scanner's lid")
    kind = kind_of(connected, sheet.info, options.cut)
    if kind.cut == "cross":
        pale = [surface for surface in grey if surface.pale]
        if pale != grey:
            paper &= _paper(covered, PAPER_COVERAGE, pale)
            clean = _paper(covered, CLEAN_COVERAGE, pale)
            whole = close_strokes(paper)
            kind = kind_of(find_pieces(whole), sheet.info, "cross")
        pieces = parted(find_pieces(paper if pale == grey else whole, whole=True), kind)
        if pale != grey:
            pieces, clean = _with_ink_at_cuts(pieces, paper, clean)
    else:
        least_px = (round(mm_to_px(mm)) for mm in (options.min_width_mm, options.min_length_mm))
        pieces = part_and_join(connected, *least_px)
    red, green, blue = (int(value) for value in background.colour)
    return _Ground(clean, covered > SHADOW_COVERAGE, pieces, frame + lid, (red, green, blue), kind)


def _with_ink_at_cuts(pieces: list[Piece], paper: Mask, clean: Mask) -> tuple[list[Piece], Mask]:
    """Add to cross-cut pieces the ink at their cuts that a dark background looks like: the cuts are straight.

    What lies above and below a piece is another one, so that ink cannot be told by the paper that goes on there.
    """
    clean, filled = clean.copy(), []
    for piece in pieces:
        x, y, width, height = piece.bbox
        inside = np.s_[y : y + height, x : x + width]
        filled.append(replace(piece, mask=convex(piece.mask & paper[inside])))
        clean[inside] |= convex(piece.mask & clean[inside])
    return filled, clean


def _moved(piece: Shred | Crumb, x: int, y: int) -> Shred | Crumb:
    """Tell where something lies on the whole sheet, if it was found on a part of it that begins there."""
    if not x and not y:
        return piece
    left, top, width, height = piece.bbox
    bbox, outline = (left + x, top + y, width, height), piece.outline + np.array([x, y], np.float32)
    if isinstance(piece, Crumb):
        return replace(piece, bbox=bbox, outline=outline)
    return replace(piece, bbox=bbox, outline=outline, frame_top_px=0 if piece.cross_cut else piece.frame_top_px + y)


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


@dataclass(frozen=True, eq=False)
class _Grey:
    """Where a surface lies that ink looks like, None for everywhere; what is ink there, and whether it is pale."""

    there: Mask | None
    ink_coverage: float
    pale: bool


def _grey_surfaces(pixels: Pixels, covered: Floats, background: Background) -> list[_Grey]:
    """List the surfaces that ink, or the rim of ink, looks like."""
    nearest = nearest_surface(background, covered.shape) if len(background.surfaces) > 1 else None
    coverages = ink_coverages(pixels, covered, background)
    return [
        _Grey(None if nearest is None else nearest == index, ink_coverage, background.is_pale(surface))
        for index, (surface, ink_coverage) in enumerate(zip(background.surfaces, coverages, strict=True))
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
    paper = np.asarray(cv2.medianBlur((covered < limit).view(np.uint8), SPECK_PX)).view(np.bool_)
    for surface in grey:
        within = covered if surface.there is None else covered * surface.there
        if surface.pale:
            paper = join_over_ink(paper, within, surface.ink_coverage)
        else:
            paper = bridge_ink(paper, within, surface.ink_coverage)
    return paper


def _single_shred(sheet: Sheet, mask: Mask, index: int, cut: str) -> Shred:
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
        pixels=white_beyond(colours, piece.mask),
        mask=piece.mask,
        frame_top_px=0,
        blank=is_blank(colours, piece.mask),
        cross_cut=cut == "cross",
    )


def _top_of_sheet(frame: Sequence[Piece]) -> int:
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

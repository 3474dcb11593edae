"""From a region of a sheet to a shred: straightened, its clean paper told from shadow and fibres, and numbered."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from scipy.ndimage import median_filter

from core.arrays import Mask, Pixels
from core.options import SegmentationOptions
from core.shreds.binarization import is_blank
from core.shreds.cross_cut.kind import STRIPS, Kind
from core.shreds.deskew import Upright, as_it_lies, find_upright, find_upright_by_cuts, row_extents
from core.shreds.pieces import Piece, outline, without_holes
from core.shreds.shred import Crumb, Scrap, Shred
from core.units import PX_PER_MM, mm_to_px

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

PART_SHARE = 0.02
"""A part of a torn shred is at least this large against its largest part."""

KEPT_MM2 = 20.0
"""Slivers and crumbs with less paper than this are left out: nobody could place them."""


@dataclass(frozen=True, eq=False)
class Region:
    """A region of a sheet, and what was cut out of it.

    Attributes
    ----------
    piece : Piece
        Its paper.
    cut : Shred, Crumb or None
        None where nothing was cut out.
    """

    piece: Piece
    cut: Shred | Crumb | None


class Cutter:
    """Cuts regions out of one sheet, and numbers shreds and scraps as they come.

    Parameters
    ----------
    index : int
        0-based; the shreds are named after it, ``"1-01"`` for the first of sheet 0.
    pixels : ndarray of shape (h, w, 3), uint8
        The sheet.
    clean, fringe : ndarray of shape (h, w), bool
        Where there is clean paper, and where the background shows through, if faintly.
    options : SegmentationOptions
        Smallest shred.
    kind : Kind
        How the paper was cut; the smallest piece of cross-cut paper is smaller.
    """

    def __init__(
        self,
        index: int,
        pixels: Pixels,
        clean: Mask,
        fringe: Mask,
        options: SegmentationOptions,
        kind: Kind = STRIPS,
    ) -> None:
        self._index, self._pixels, self._clean, self._fringe = index, pixels, clean, fringe
        self._min_width_px, self._min_length_px = (
            round(mm_to_px(mm)) for mm in (options.min_width_mm, options.min_length_mm)
        )
        self._cross_cut = kind.cut == "cross"
        if self._cross_cut:
            self._min_width_px, self._min_length_px = (
                min(px, round(least))
                for px, least in zip((self._min_width_px, self._min_length_px), kind.least_px, strict=True)
            )
        self._n = {"": 0, "s": 0}

    def cut(self, piece: Piece, *, drawn: bool = False, like: Region | None = None) -> Region:
        """Cut a region out.

        Parameters
        ----------
        piece : Piece
            Its paper, and ink that may look like background.
        drawn : bool
            The examiner drew its outline: within that all is paper.
        like : Region, optional
            What it was before: if that was a shred, it keeps its number.

        Returns
        -------
        Region
            With a shred, a scrap, or a crumb, if it is so small that nobody could place it.
        """
        if max(piece.bbox[2:]) < self._min_length_px and piece.mask.sum() < KEPT_MM2 * PX_PER_MM**2:
            return Region(piece, crumb_of(self._index, piece, "crumb"))
        x, y, width, height = piece.bbox
        inside = np.s_[y : y + height, x : x + width]
        clean, fringe = self._clean[inside], self._fringe[inside]
        if drawn:
            clean, fringe = np.ones_like(clean), np.zeros_like(fringe)
        upright = find_upright_by_cuts(piece.mask) if self._cross_cut else find_upright(piece.mask)
        upright, mask, faint = _upright_paper(piece, upright, clean, fringe)
        scrap = _too_small(mask, self._min_width_px, self._min_length_px)
        if scrap and mask.sum() < KEPT_MM2 * PX_PER_MM**2:
            return Region(piece, crumb_of(self._index, piece, scrap))
        if scrap == "crumb":
            upright, mask, faint = _upright_paper(piece, as_it_lies(piece.mask), clean, fringe)
        name = self._name(scrap, None if like is None else like.cut)
        shred = _shred(name, self._index, self._pixels, piece, upright, mask, faint, scrap)
        # Nothing tells at which height of its page a piece with four cuts was.
        return Region(piece, replace(shred, cross_cut=True, frame_top_px=0) if self._cross_cut else shred)

    def _name(self, scrap: Scrap, before: Shred | Crumb | None) -> str:
        """Return the next number, or the one that it had."""
        if isinstance(before, Shred) and bool(before.scrap) == bool(scrap):
            return before.id
        letter, digits = ("s", 1) if scrap else ("", 3 if self._cross_cut else 2)
        self._n[letter] += 1
        return f"{self._index + 1}-{letter}{self._n[letter]:0{digits}}"


def crumb_of(index: int, piece: Piece, reason: str) -> Crumb:
    """Build the crumb that a piece is, or a strip of the scanner's frame.

    Parameters
    ----------
    index : int
        Of the sheet.
    piece : Piece
        Its paper.
    reason : str
        See `Crumb`.

    Returns
    -------
    Crumb
    """
    return Crumb(index, piece.bbox, outline(piece.mask, *piece.bbox[:2]), reason)


def _upright_paper(piece: Piece, upright: Upright, clean: Mask, fringe: Mask) -> tuple[Upright, Mask, Mask]:
    """Find how a piece lies on its sheet, and, in its upright rectangle, its clean paper and where background shows."""
    mask = _without_hairs(without_holes(upright.cut_out_mask(piece.mask & clean)))
    return upright.within(*piece.bbox[:2]), mask, upright.cut_out_mask(fringe)


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
        pixels=white_beyond(colours[inside], mask[inside]),
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
    mask = mask.copy()
    for _ in range(SHADOW_DEPTH_PX):
        for turns in range(4):
            side, values, faint = (np.rot90(image, turns) for image in (mask, grey, fringe))
            begins = _turned(mask, turns).argmax(axis=1)
            rows = np.flatnonzero(side[np.arange(len(side)), begins])
            contour = begins[rows]
            if not faint[rows, contour].any():
                continue
            inside = np.minimum(contour + SHADOW_DEPTH_PX, side.shape[1] - 1)
            within, at = (values[rows, columns].astype(np.int16) for columns in (inside, contour))
            darker = median_filter(within - at, SHADOW_LENGTH_PX)
            shadow = (darker > SHADOW_GREY) & faint[rows, contour]
            side[rows[shadow], contour[shadow]] = False
    return mask


def _turned(mask: Mask, turns: int) -> Mask:
    """Turn a mask as `np.rot90` does, row by row in memory, and far sooner than numpy copies what it gives."""
    codes = (None, cv2.ROTATE_90_COUNTERCLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_CLOCKWISE)
    code = codes[turns]
    return mask if code is None else np.asarray(cv2.rotate(mask.view(np.uint8), code)).view(np.bool_)


def white_beyond(pixels: Pixels, mask: Mask) -> Pixels:
    """Make everything beyond the paper white.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.
    mask : ndarray of shape (h, w), bool
        True on paper.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8
    """
    beyond = cv2.cvtColor((~mask).astype(np.uint8) * np.uint8(255), cv2.COLOR_GRAY2RGB)
    return np.asarray(cv2.max(pixels, beyond), np.uint8)

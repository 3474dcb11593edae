"""From a sheet to its shreds: upright, each with the mask of its clean paper."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import median_filter

from core.background import Background, coverage, find_background
from core.errors import NothingFoundError
from core.options import SegmentationOptions
from core.pieces import Piece, bridge_ink, crop, cut_off_frame, find_pieces, outline, without_holes
from core.progress import Progress, no_progress
from core.sheet import Sheet
from core.shred import DPI, Shred
from core.straightening import Upright, find_upright, row_extents

Reason: TypeAlias = Literal["sliver", "crumb", "frame"]

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

SHADOW_LENGTH_PX = 15
"""That length: ink seldom follows a contour for so long without reaching further in."""

SHADOW_DEPTH_PX = 3
"""Shadows are no deeper than this."""

HAIR_PX = 5
"""Fibres and spikes thinner than this are no part of the mask."""

SHOWN_PX = 8
"""A shred that begins further below the sheet's edge than this shows its top end."""

ALIGNED_PX = 60
"""Top ends nearer than this (5 mm) to the usual one are the page's edge."""

INK_GREY = 127
"""A shred without any blurred grey value below this is blank."""


@dataclass(frozen=True, eq=False)
class SetAside:
    """A piece of paper that is no shred to be placed.

    Attributes
    ----------
    bbox : tuple of int
        x, y, width, height on the sheet, in pixels at 300 dpi.
    outline : ndarray of shape (k, 2), float32
        Its contour on the sheet, (x, y).
    reason : {"sliver", "crumb", "frame"}
        Too narrow; too short; or the scanner's lid or frame at the edge of the sheet.
    """

    bbox: tuple[int, int, int, int]
    outline: NDArray[np.float32]
    reason: Reason


@dataclass(frozen=True, eq=False)
class Segmentation:
    """What was found on a sheet.

    Attributes
    ----------
    shreds : tuple of Shred
        From left to right.
    set_aside : tuple of SetAside
        Slivers, crumbs and the scanner's frame, from left to right.
    background : tuple of int, or None
        RGB of the surface the shreds lie on; None for a file that holds one shred and its mask.
    """

    shreds: tuple[Shred, ...]
    set_aside: tuple[SetAside, ...]
    background: tuple[int, int, int] | None


def segment(
    sheet: Sheet,
    sheet_index: int,
    options: SegmentationOptions,
    progress: Progress = no_progress,
) -> Segmentation:
    """Find the shreds of a sheet and turn them upright.

    The background is found from the sheet itself (`core.background`). What it does not cover falls into pieces;
    touching ones are cut apart, torn ones put together (`core.pieces`). Each is straightened by its long axis.

    Parameters
    ----------
    sheet : Sheet
        RGB at 300 dpi. If it brings a mask, it is one shred, already upright, and is taken as it is.
    sheet_index : int
        0-based; the shreds are named after it, ``"1-01"`` for the first of sheet 0.
    options : SegmentationOptions
        Smallest shred.
    progress : Progress
        Called after each step and each shred.

    Returns
    -------
    Segmentation
        At least one shred.

    Raises
    ------
    NothingFoundError
        No paper can be told from what it lies on, or there is none.
    """
    progress(0.0, "Looking for the background")
    if sheet.mask is not None:
        return Segmentation((_given_shred(sheet.pixels, sheet.mask, sheet_index),), (), None)
    background = find_background(sheet.pixels)
    if background is None:
        raise NothingFoundError(
            f"No shreds can be told from the background in {sheet.info.name}: it is as bright as the paper. "
            "Lay the shreds on a coloured or dark surface, such as a sheet of yellow cardboard, and scan them again."
        )
    covered = coverage(sheet.pixels, background)
    progress(0.3, "Looking for shreds")
    paper, frame = cut_off_frame(_paper(covered, PAPER_COVERAGE, background), np.abs(covered - 1) > FOREIGN_COVERAGE)
    smallest_px = round(options.min_width_mm / 25.4 * DPI), round(options.min_length_mm / 25.4 * DPI)
    shreds: list[tuple[Piece, Upright]] = []
    set_aside = [SetAside(strip.bbox, outline(strip.mask, *strip.bbox[:2]), "frame") for strip in frame]
    for piece in find_pieces(paper, *smallest_px):
        upright = find_upright(piece.mask)
        reason = _too_small(piece, upright, *smallest_px)
        if reason is None:
            shreds.append((piece, upright.within(*piece.bbox[:2])))
        else:
            set_aside.append(SetAside(piece.bbox, outline(piece.mask, *piece.bbox[:2]), reason))
    if not shreds:
        raise NothingFoundError(
            f"No shreds found in {sheet.info.name}: nothing on it is {options.min_length_mm:g} mm long and "
            f"{options.min_width_mm:g} mm wide. Leave the sheet out, or lower ‘Shortest shred’ and ‘Narrowest shred’."
        )
    clean = _paper(covered, CLEAN_COVERAGE, background)
    result = []
    for index, (piece, upright) in enumerate(shreds):
        progress(0.5 + 0.5 * index / len(shreds), "Straightening shreds")
        shred = _straight_shred(sheet.pixels, clean, piece, upright)
        result.append(replace(shred, id=f"{sheet_index + 1}-{index + 1:02d}", sheet=sheet_index))
    progress(1.0, "Straightening shreds")
    red, green, blue = (int(value) for value in background.colour)
    in_order = sorted(set_aside, key=lambda scrap: scrap.bbox)
    return Segmentation(_common_frame(result), tuple(in_order), (red, green, blue))


def _paper(covered: NDArray[np.float32], limit: float, background: Background) -> NDArray[np.bool_]:
    """Mark what the background covers less than `limit`, but for specks and lines of a pixel or two.

    A scanner that reads its colours one after the other draws a coloured line along every printed rule.
    """
    paper = np.asarray(cv2.medianBlur((covered < limit).astype(np.uint8), SPECK_PX) > 0)
    return paper if background.coloured else bridge_ink(paper, covered, background.ink_coverage)


def _too_small(piece: Piece, upright: Upright, min_width_px: int, min_length_px: int) -> Reason | None:
    """Say why a piece is no shred, if it is none."""
    if upright.size_px[1] < min_length_px:
        return "crumb"
    turned = upright.cut_out(piece.mask.astype(np.uint8), cv2.INTER_NEAREST)
    _, first, last = row_extents(turned > 0)
    return "sliver" if np.median(last - first + 1) < min_width_px else None


def _straight_shred(pixels: NDArray[np.uint8], clean: NDArray[np.bool_], piece: Piece, upright: Upright) -> Shred:
    """Turn a piece upright and keep its clean paper; its place in the common frame is still that on the sheet."""
    x, y, width, height = piece.bbox
    own = np.zeros(clean.shape, np.uint8)
    own[y : y + height, x : x + width] = piece.mask & clean[y : y + height, x : x + width]
    mask = _without_hairs(upright.cut_out(own * 255, cv2.INTER_LINEAR) >= 128)
    colours = upright.cut_out(pixels)
    mask = _without_shadow(colours, mask)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    inside = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    contour = upright.back(outline(mask))
    mask = mask[inside]
    colours = colours[inside]
    return Shred(
        id="",
        sheet=0,
        bbox=piece.bbox,
        outline=contour,
        angle_deg=upright.angle_deg,
        pixels=np.where(mask[:, :, None], colours, np.uint8(255)),
        mask=mask,
        frame_top_px=upright.top_px + int(rows[0]),
        blank=_is_blank(colours, mask),
    )


def _without_hairs(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Fill holes and take off fibres and spikes."""
    round_brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (HAIR_PX, HAIR_PX))
    return np.asarray(cv2.morphologyEx(without_holes(mask).astype(np.uint8), cv2.MORPH_OPEN, round_brush) > 0)


def _without_shadow(pixels: NDArray[np.uint8], mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Narrow a mask where its left or right contour lies in the shadow that the paper casts.

    Shadow and blurred background look like a thin line of ink along the cut, and would be taken for one.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.int16)
    mask = mask.copy()
    for _ in range(SHADOW_DEPTH_PX):
        for side, values in ((mask, grey), (mask[:, ::-1], grey[:, ::-1])):
            rows = np.flatnonzero(side.any(axis=1))
            contour = side[rows].argmax(axis=1)
            inside = np.minimum(contour + SHADOW_DEPTH_PX, side.shape[1] - 1)
            darker = median_filter(values[rows, inside] - values[rows, contour], SHADOW_LENGTH_PX)
            shadow = darker > SHADOW_GREY
            side[rows[shadow], contour[shadow]] = False
    return mask


def _is_blank(pixels: NDArray[np.uint8], mask: NDArray[np.bool_]) -> bool:
    """Tell whether a shred bears no ink; its rim, where shadow and background blur in, does not count."""
    grey = cv2.cvtColor(np.where(mask[:, :, None], pixels, np.uint8(255)), cv2.COLOR_RGB2GRAY)
    inner = cv2.erode(mask.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    return not bool((cv2.GaussianBlur(grey, (5, 5), 0)[inner] < INK_GREY).any())


def _given_shred(pixels: NDArray[np.uint8], mask: NDArray[np.bool_], sheet_index: int) -> Shred:
    """Take a file that holds one upright shred as it is, cropped to its paper."""
    piece = crop(mask)
    if piece is None:
        raise NothingFoundError("The mask is empty.")
    x, y, width, height = piece.bbox
    colours = pixels[y : y + height, x : x + width]
    return Shred(
        id=f"{sheet_index + 1}-01",
        sheet=sheet_index,
        bbox=piece.bbox,
        outline=outline(piece.mask, *piece.bbox[:2]),
        angle_deg=0.0,
        pixels=np.where(piece.mask[:, :, None], colours, np.uint8(255)),
        mask=piece.mask,
        frame_top_px=0,
        blank=_is_blank(colours, piece.mask),
    )


def _common_frame(shreds: list[Shred], sheet_top_px: int = 0) -> tuple[Shred, ...]:
    """Place the shreds of a sheet in the vertical frame that all sheets of a case share.

    Where most shreds show their top end, these ends were cut from one edge of the page and are aligned at row 0; the
    few that begin much lower are torn or short, and keep their distance. Otherwise nothing is known but where a
    shred lies on the sheet.
    """
    tops = np.array([shred.frame_top_px + _end_row(shred.mask) for shred in shreds])
    shown = np.array([shred.bbox[1] > sheet_top_px + SHOWN_PX for shred in shreds])
    if shown.sum() * 2 <= len(shreds):
        return tuple(shreds)
    usual = int(np.median(tops[shown]))
    place = np.where(np.abs(tops - usual) <= ALIGNED_PX, tops, usual)
    return tuple(
        replace(shred, frame_top_px=shred.frame_top_px - int(top)) for shred, top in zip(shreds, place, strict=True)
    )


def _end_row(mask: NDArray[np.bool_]) -> int:
    """Find the row from which a shred has its full breadth, or nearly: worn corners do not count."""
    breadth = mask.sum(axis=1)
    return int(np.argmax(breadth >= 0.5 * np.median(breadth)))

"""Intact pages cut both ways in software: pieces as a machine leaves them and a scanner sees them, and their truth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from core.arrays import Mask, Pixels
from core.shreds.shred import Shred
from core.units import mm_to_px

LEAST_PX = 12
"""What is narrower or shorter, 1 mm, where the grid meets the paper's edge, nobody picks up."""


@dataclass(frozen=True)
class Cutting:
    """How pages are cut, and what becomes of the pieces.

    Attributes
    ----------
    piece_mm : (float, float)
        Width and height of a piece.
    row_offset_mm : float
        So far right of the row above each row is cut, as some machines do; 0 where cuts down the page go through.
    wear_px : int
        So much of the paper is lost along each cut, on either side; none at the paper's own edges.
    turn_deg : float
        By how much pieces lie turned still (σ), once they were straightened; 0 leaves every pixel as it is.
    half_turned, missing : float
        Share of the pieces that are laid upside down, and that are lost, 0 to 1.
    edge_px : int
        So much is left out along each side of a page: the scanner's lid shows there.
    seed : int
        Draws where the grid begins, turns, which pieces are half-turned and lost, and their order.
    """

    piece_mm: tuple[float, float] = (4.0, 40.0)
    row_offset_mm: float = 0.0
    wear_px: int = 1
    turn_deg: float = 0.1
    half_turned: float = 0.5
    missing: float = 0.0
    edge_px: int = 20
    seed: int = 0


@dataclass(frozen=True)
class TruePlace:
    """Where a piece belongs.

    Attributes
    ----------
    page, row, column : int
        From 0; rows from the top, columns from the left.
    left_px : float
        Where its column begins, right of the page's left edge; of a first one that the edge cuts short, left of it.
    half_turn : bool
        Whether it lies upside down.
    """

    page: int
    row: int
    column: int
    left_px: float
    half_turn: bool = False


@dataclass(frozen=True, eq=False)
class Pieces:
    """Pieces of one page or several, mixed.

    Attributes
    ----------
    shreds : tuple of Shred
        As they are found.
    places : dict of str to TruePlace
        Of each, by its identifier.
    pitch_px : float
        Width of a column of the grid that they were cut in.
    """

    shreds: tuple[Shred, ...]
    places: dict[str, TruePlace] = field(default_factory=dict)
    pitch_px: float = 0.0


def cut_pages(pages: Sequence[NDArray[np.uint8]], how: Cutting) -> Pieces:
    """Cut pages both ways, and mix the pieces.

    Parameters
    ----------
    pages : sequence of ndarray of shape (h, w) or (h, w, 3), uint8
        Grey or RGB, at 300 dpi.
    how : Cutting
        How.

    Returns
    -------
    Pieces
        Numbered in the order in which they lie; none is told to be blank.
    """
    rng = np.random.default_rng(how.seed)
    cut = [piece for number, page in enumerate(pages) for piece in _cut_page(_as_rgb(page, how), number, how, rng)]
    half_turned = _drawn(len(cut), how.half_turned, rng)
    missing = _drawn(len(cut), how.missing, rng)
    shreds: list[Shred] = []
    places = {}
    for index in map(int, rng.permutation(len(cut))):
        place, pixels = cut[index]
        mask = np.ones(pixels.shape[:2], np.bool_)
        if how.turn_deg:
            pixels, mask = _turned(pixels, rng.normal(0, how.turn_deg), rng.uniform(-0.5, 0.5, 2))
        if index in missing:
            continue
        if index in half_turned:
            pixels, mask = pixels[::-1, ::-1], mask[::-1, ::-1]
        shred = _as_shred(f"1-{len(shreds) + 1:03}", np.ascontiguousarray(pixels), np.ascontiguousarray(mask))
        places[shred.id] = replace(place, half_turn=index in half_turned)
        shreds.append(shred)
    return Pieces(tuple(shreds), places, mm_to_px(how.piece_mm[0]))


def _as_rgb(page: NDArray[np.uint8], how: Cutting) -> Pixels:
    """Return a page without what lies along its sides."""
    inner = page[how.edge_px : len(page) - how.edge_px, how.edge_px : page.shape[1] - how.edge_px]
    return inner if inner.ndim == 3 else np.repeat(inner[:, :, None], 3, axis=2)


def _drawn(n: int, share: float, rng: np.random.Generator) -> frozenset[int]:
    """Draw a share of n."""
    return frozenset(rng.permutation(n)[: round(share * n)].tolist())


def _cut_page(page: Pixels, number: int, how: Cutting, rng: np.random.Generator) -> Iterator[tuple[TruePlace, Pixels]]:
    """Cut a page along a grid that begins anywhere; yields the pieces of each row from the left."""
    height, width = page.shape[:2]
    pitch_px, row_px = map(mm_to_px, how.piece_mm)
    first_px, top_px = rng.uniform(-pitch_px, 0), rng.uniform(-row_px, 0)
    for row, (_, rows) in enumerate(_between_cuts(top_px, row_px, height, how.wear_px)):
        left_px = (first_px + row * mm_to_px(how.row_offset_mm)) % pitch_px - pitch_px
        for column, (at_px, columns) in enumerate(_between_cuts(left_px, pitch_px, width, how.wear_px)):
            yield TruePlace(number, row, column, at_px), page[rows, columns]


def _between_cuts(first_px: float, pitch_px: float, length_px: int, wear_px: int) -> Iterator[tuple[float, slice]]:
    """List what is left between cuts at equal distances, and where its place in the grid begins."""
    for at_px in np.arange(first_px, length_px, pitch_px).tolist():
        start, stop = max(0, round(at_px)), min(length_px, round(at_px + pitch_px))
        start, stop = start + (wear_px if start > 0 else 0), stop - (wear_px if stop < length_px else 0)
        if stop - start >= LEAST_PX:
            yield at_px, slice(start, stop)


def _turned(pixels: Pixels, angle_deg: float, moved_px: NDArray[np.float64]) -> tuple[Pixels, Mask]:
    """Read a piece as it lies turned and between the scanner's pixels; nothing of its neighbours shows."""
    height, width = pixels.shape[:2]
    around = 2 + int(np.ceil(np.sin(np.radians(abs(angle_deg))) * max(height, width) / 2))
    matrix = np.array(cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), angle_deg, 1.0), np.float64)
    matrix[:, 2] += around + moved_px
    size = width + 2 * around, height + 2 * around
    read = cv2.warpAffine(pixels, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    paper = np.full((height, width), 255, np.uint8)
    mask = cv2.warpAffine(paper, matrix, size, flags=cv2.INTER_LINEAR) >= 128
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    inside = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    read[~mask] = 255
    return np.asarray(read[inside], np.uint8), np.asarray(mask[inside], np.bool_)


def _as_shred(name: str, pixels: Pixels, mask: Mask) -> Shred:
    height, width = mask.shape
    return Shred(
        id=name,
        sheet=0,
        bbox=(0, 0, width, height),
        outline=np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32),
        angle_deg=0.0,
        pixels=pixels,
        mask=mask,
        frame_top_px=0,
        blank=False,
        cross_cut=True,
    )

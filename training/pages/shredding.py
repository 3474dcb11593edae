"""Simulated shredding: the two borders on either side of a cut through an intact page.

A cut is a curve down the page. Nothing is drawn: for every row of the two borders the place on the page that it shows
is worked out, wear and misalignment included, and the page is read there.
"""

from dataclasses import dataclass
from typing import Any

import keras
import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.shreds.shred import BORDER_WIDTH_PX
from training.pages.intact import DARKEST_MARGIN, PAPER_MARGIN


@dataclass(frozen=True)
class Wear:
    """How badly the simulated shredder and scanner treat the paper; every value is drawn anew for each cut.

    Attributes
    ----------
    scale : tuple of float
        Smallest and largest size of the print, relative.
    angle_deg : float
        Largest turn of the page against the cut.
    wave_px : float
        Largest amplitude of the cut's waviness.
    lost_px : float
        Largest width of paper lost on each side.
    ragged_px : float
        Spread (σ) of the paper lost from row to row.
    misaligned_px : float
        Spread (σ) of the vertical misalignment of neighbours.
    noise : float
        Largest share of pixels of the two outermost columns that are replaced by salt and pepper.
    fringe : float
        Share of borders along which stretches of the outermost columns are dark.
    rim_px : int
        Largest width of a rim of torn fibre, where no ink is left.
    threshold : float
        Largest change of the ink threshold, in grey values.
    unequal_widths : float
        By how much the widths of shreds differ from their mean at most, as a share of it; 0 for equal widths.
    mirror, turn : bool
        Half of the pages are mirrored, or turned upside down: no such pages exist, but their strokes are new ones.
    """

    scale: tuple[float, float] = (0.83, 1.2)
    angle_deg: float = 0.7
    wave_px: float = 6.0
    lost_px: float = 3.0
    ragged_px: float = 0.5
    misaligned_px: float = 3.0
    noise: float = 0.5
    fringe: float = 0.3
    rim_px: int = 3
    threshold: float = 12.0
    unequal_widths: float = 0.6
    mirror: bool = True
    turn: bool = True


@dataclass(frozen=True, eq=False)
class Cuts:
    """Where on which page the rows of the borders along K cuts lie, and what becomes of their edges.

    Attributes
    ----------
    page : ndarray of shape (K,), int32
        Index of the page.
    x, y : ndarray of shape (2, K, rows), float32
        Place of the border's pixel on the cut, for the right border of the left shred and the left border of the right
        shred.
    along : ndarray of shape (2, K, 2), float32
        Step (dx, dy) on the page from one border column to the next.
    threshold : ndarray of shape (2, K), float32
        Margin up to which a pixel is ink.
    edge : ndarray of shape (2, K, rows, E), int8
        The outermost E columns, beginning at the cut: 0 leave, 1 make paper, 2 make ink.
    """

    page: NDArray[np.int32]
    x: NDArray[np.float32]
    y: NDArray[np.float32]
    along: NDArray[np.float32]
    threshold: NDArray[np.float32]
    edge: NDArray[np.int8]


EDGE_PX = 4

CONTRAST_MARGIN = 48.0
"""A threshold that is higher by this doubles the contrast of borders that are read in grey."""


def _smooth_noise(rng: np.random.Generator, shape: tuple[int, int], period: float) -> NDArray[np.float32]:
    """Draw curves that wander between -1 and 1 with about one turn per `period` rows; shape (n, rows)."""
    n, rows = shape
    knots = rng.uniform(-1, 1, (n, int(rows / period) + 3))
    at = np.arange(rows) / period + rng.uniform(0, 1, (n, 1))
    before = np.floor(at).astype(int)
    t = (1 - np.cos(np.pi * (at - before))) / 2
    i = np.arange(n)[:, None]
    return ((1 - t) * knots[i, before] + t * knots[i, before + 1]).astype(np.float32)


def _edges(rng: np.random.Generator, n: int, rows: int, wear: Wear) -> NDArray[np.int8]:
    """Draw what becomes of the outermost columns of n borders; shape (n, rows, EDGE_PX)."""
    column = np.arange(EDGE_PX)[None, None, :]
    rim = rng.integers(0, wear.rim_px + 1, (n, 1, 1)) * (rng.random((n, 1, 1)) < 0.5)
    edge = np.where(np.broadcast_to(column < rim, (n, rows, EDGE_PX)), 1, 0).astype(np.int8)
    stretches = _smooth_noise(rng, (n, rows), 90.0) > rng.uniform(-1, 1, (n, 1))
    fringed = stretches & (rng.random((n, 1)) < wear.fringe)
    edge[fringed[:, :, None] & (column < rng.integers(1, 3, (n, 1, 1)))] = 2
    noisy = rng.random((n, rows, 2), dtype=np.float32) < rng.uniform(0, wear.noise, (n, 1, 1))
    salt_or_pepper = rng.integers(1, 3, (n, rows, 2), dtype=np.int8)
    edge[:, :, :2][noisy] = salt_or_pepper[noisy]
    return edge


def draw_cuts(
    rng: np.random.Generator,
    page_size: ArrayLike,
    pages: NDArray[np.int32],
    cuts_per_page: int,
    rows: int,
    wear: Wear = Wear(),
) -> Cuts:
    """Draw cuts through pages, spread over each page's width.

    Parameters
    ----------
    rng : Generator
        Source of all chance.
    page_size : array_like of shape (2,) or (P, 2)
        Height and width of all pages or of each, in pixels.
    pages : ndarray of shape (P,), int32
        The pages to cut.
    cuts_per_page : int
        Spread over the page's width, at distances that `Wear.unequal_widths` bounds.
    rows : int
        Height of the borders; a window of the page of this height is taken.
    wear : Wear
        How the paper is treated.

    Returns
    -------
    Cuts
        K = P · cuts_per_page of them, page by page.
    """
    n_pages, k = len(pages), len(pages) * cuts_per_page

    def per_page(values: NDArray[Any]) -> NDArray[Any]:
        return np.repeat(values, cuts_per_page)

    height, width = map(per_page, np.broadcast_to(np.asarray(page_size), (n_pages, 2)).T)
    scale = per_page(np.exp(rng.uniform(np.log(wear.scale[0]), np.log(wear.scale[1]), n_pages)))
    angle = np.radians(per_page(rng.uniform(-wear.angle_deg, wear.angle_deg, n_pages)))
    mirrored = per_page(rng.random(n_pages) < 0.5) & wear.mirror
    turned = per_page(rng.random(n_pages) < 0.5) & wear.turn
    flip_x, flip_y = np.where(mirrored != turned, -1, 1)[:, None], np.where(turned, -1, 1)[:, None]
    room = np.maximum(0, height - rows / scale)
    middle = height / 2 + per_page(rng.uniform(-0.5, 0.5, n_pages)) * room

    slot = width / cuts_per_page
    astray = rng.uniform(-0.5, 0.5, k) * wear.unequal_widths
    place = (np.tile(np.arange(cuts_per_page), n_pages) + 0.5 + astray) * slot
    row = np.arange(rows, dtype=np.float32)[None, :] - rows / 2
    cos, sin = (np.cos(angle) / scale)[:, None], (np.sin(angle) / scale)[:, None]
    wave = _smooth_noise(rng, (k, rows), 700.0) * rng.uniform(0, wear.wave_px, (k, 1))
    wave += _smooth_noise(rng, (k, rows), 60.0) * rng.uniform(0, wear.wave_px / 3, (k, 1))

    x, y, along = [], [], []
    for sign in (-1, 1):
        evenly_lost = rng.uniform(0, wear.lost_px, (k, 1))
        lost = evenly_lost + np.abs(wear.ragged_px * rng.standard_normal((k, rows), dtype=np.float32))
        across = wave + sign * lost
        down = row + rng.normal(0, wear.misaligned_px / np.sqrt(2), (k, 1))
        x.append(place[:, None] + flip_x * (cos * across + sin * down))
        y.append(middle[:, None] + flip_y * (cos * down - sin * across))
        along.append(np.concatenate([flip_x * cos, -flip_y * sin], axis=1))
    threshold = per_page(rng.uniform(-1, 1, n_pages)) * wear.threshold + rng.normal(0, 2, (2, k))
    return Cuts(
        page=per_page(pages).astype(np.int32),
        x=np.stack(x).astype(np.float32),
        y=np.stack(y).astype(np.float32),
        along=np.stack(along).astype(np.float32),
        threshold=threshold.astype(np.float32),
        edge=np.stack([_edges(rng, k, rows, wear) for _ in range(2)]),
    )


def read_cuts(margins: Any, cuts: Cuts) -> tuple[Any, Any]:
    """Read both borders of every cut from the pages, on whatever device the backend uses.

    Parameters
    ----------
    margins : tensor of shape (n, h, w), int8
        As `training.pages.intact.Pages.margins`, already on the device.
    cuts : Cuts
        K cuts.

    Returns
    -------
    right, left : tensor of shape (K, rows, 32, 1), float32
        1 for ink, 0 for paper: what `core.embedding.encoder.build_model` takes.

    Raises
    ------
    ValueError
        If the pages hold 2³¹ pixels or more: places are counted in 32 bits, as fast devices do.
    """
    n, height, width = margins.shape
    if n * height * width >= 2**31:
        raise ValueError(f"{n} pages of {height} × {width} pixels are too many at once; give fewer pages.")
    flat = keras.ops.reshape(margins, (-1,))
    borders = []
    for side, columns in enumerate((np.arange(1 - BORDER_WIDTH_PX, 1), np.arange(BORDER_WIDTH_PX))):
        ink = _interpolate(flat, (height, width), cuts, side, columns) <= cuts.threshold[side][:, None, None]
        edge = cuts.edge[side] if side else cuts.edge[side][:, :, ::-1]
        inner = [(0, 0), (0, 0), (0, BORDER_WIDTH_PX - EDGE_PX) if side else (BORDER_WIDTH_PX - EDGE_PX, 0)]
        edge = keras.ops.pad(keras.ops.convert_to_tensor(edge), inner)
        ink = keras.ops.logical_or(keras.ops.logical_and(ink, edge == 0), edge == 2)
        borders.append(keras.ops.cast(ink, "float32")[..., None])
    return borders[0], borders[1]


def _interpolate(flat: Any, size: tuple[int, int], cuts: Cuts, side: int, columns: NDArray[np.int_]) -> Any:
    """Read pages between pixels, bilinearly; paper beyond the page. Returns shape (K, rows, 32)."""
    ops = keras.ops
    height, width = size
    step = cuts.along[side][:, None, None, :] * columns[None, None, :, None].astype(np.float32)
    at_x = ops.convert_to_tensor(cuts.x[side])[:, :, None] + ops.convert_to_tensor(step[..., 0])
    at_y = ops.convert_to_tensor(cuts.y[side])[:, :, None] + ops.convert_to_tensor(step[..., 1])
    outside = ops.logical_or(ops.logical_or(at_x < 0, at_x > width - 2), ops.logical_or(at_y < 0, at_y > height - 2))
    at_x, at_y = ops.clip(at_x, 0, width - 2), ops.clip(at_y, 0, height - 2)
    column, row = ops.floor(at_x), ops.floor(at_y)
    fx, fy = at_x - column, at_y - row
    start = ops.cast(row, "int32") * width + ops.cast(column, "int32")
    start = start + ops.convert_to_tensor(cuts.page * np.int32(height * width))[:, None, None]

    def corner(offset: int) -> Any:
        return ops.cast(ops.take(flat, start + offset, axis=0), "float32")

    upper = corner(0) * (1 - fx) + corner(1) * fx
    lower = corner(width) * (1 - fx) + corner(width + 1) * fx
    value = upper * (1 - fy) + lower * fy
    return ops.where(outside, float(PAPER_MARGIN), value)


def read_darkness(margins: Any, cuts: Cuts, depth_px: int) -> tuple[Any, Any]:
    """Read both borders of every cut from the pages in shades of grey, as the encoder of pieces reads them.

    Parameters
    ----------
    margins, cuts
        As for `read_cuts`.
    depth_px : int
        How far from the cut.

    Returns
    -------
    right, left : tensor of shape (K, rows, depth_px, 1), float32
        0 for paper to 1 for print; column 0 lies at the cut.
    """
    _, height, width = margins.shape
    flat = keras.ops.reshape(margins, (-1,))
    borders = []
    for side, inwards in enumerate((-1, 1)):
        value = _interpolate(flat, (height, width), cuts, side, inwards * np.arange(depth_px))
        contrast = 1 + keras.ops.convert_to_tensor(cuts.threshold[side])[:, None, None] / CONTRAST_MARGIN
        dark = contrast * (PAPER_MARGIN - value) / (PAPER_MARGIN - DARKEST_MARGIN)
        dark = keras.ops.clip(dark, 0.0, 1.0)
        edge = keras.ops.pad(keras.ops.convert_to_tensor(cuts.edge[side]), [(0, 0), (0, 0), (0, depth_px - EDGE_PX)])
        dark = keras.ops.where(edge == 0, dark, keras.ops.cast(edge == 2, "float32"))
        borders.append(dark[..., None])
    return borders[0], borders[1]

"""Strips cut from intact pages at any place, in any direction, worn and dirty: what a shred's ink looks like.

Needed for that are OpenCV and the margins of pages, see `training.pages.intact`.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.pages.intact import PAPER_MARGIN, Margin

Ink = NDArray[np.bool_]

OFFSET = 64
"""Makes the least margin 0."""


@dataclass(frozen=True)
class Soiling:
    """How strips differ from what stands on the page; every value is drawn anew for each strip.

    Attributes
    ----------
    scale : tuple of float
        Smallest and largest size of the print, relative.
    width_px : tuple of float
        Smallest and largest width of most strips.
    wide : float
        Share of strips that are wider, up to `widest_px`.
    widest_px : float
        Their largest width.
    longest_px : float
        Largest length; a strip that would be longer is a part of it.
    across : float
        Share of strips that are cut along the lines of print.
    angle_deg : float
        Largest turn of the page against the strip.
    threshold : float
        Largest change of the ink threshold, in grey values.
    wave_px, rim_px : float
        Largest amplitude of the cuts' waviness, and largest width of a rim without ink.
    bold, thin : float
        Share of strips of which the strokes gain or lose a pixel.
    pepper : float
        Share of strips with specks; and `most_pepper`, the largest share of their pixels that are.
    most_pepper : float
        See `pepper`.
    ruled : float
        Share of strips on ruled paper.
    """

    scale: tuple[float, float] = (0.6, 1.6)
    width_px: tuple[float, float] = (30.0, 140.0)
    wide: float = 0.12
    widest_px: float = 600.0
    longest_px: float = np.inf
    across: float = 0.5
    angle_deg: float = 3.0
    threshold: float = 12.0
    wave_px: float = 5.0
    rim_px: float = 6.0
    bold: float = 0.15
    thin: float = 0.15
    pepper: float = 0.35
    most_pepper: float = 0.06
    ruled: float = 0.12


AS_SCANNED = Soiling(scale=(1.0, 1.0), bold=0.0, thin=0.0, pepper=0.0, ruled=0.0, threshold=0.0)
"""Strips that are cut and worn, and otherwise as the page was."""


def draw_strip(rng: np.random.Generator, page: Margin, soiling: Soiling = Soiling()) -> Ink:
    """Cut a strip from a page.

    Parameters
    ----------
    rng : Generator
        Source of all chance.
    page : ndarray of shape (h, w), int8
        Margin of a page that is upright.
    soiling : Soiling
        What happens to it.

    Returns
    -------
    ndarray of shape (h', w'), bool
        Ink, upright: a strip that is cut along the lines of print is wider than high.
    """
    scale = _between(rng, soiling.scale)
    width = _between(rng, (soiling.width_px[1], soiling.widest_px) if rng.random() < soiling.wide else soiling.width_px)
    size = np.minimum(scale * np.array(page.shape), soiling.longest_px)
    across = rng.random() < soiling.across
    shape = np.array([width, size[1]] if across else [size[0], width]).round().astype(int)
    ink = _cut(rng, page, scale, (int(shape[0]), int(shape[1])), soiling)
    if across:
        return _wear(rng, ink.T, soiling).T
    return _wear(rng, ink, soiling)


def draw_scribble(rng: np.random.Generator) -> Ink:
    """Draw a strip without print: specks, blots, lines; no way is up.

    Parameters
    ----------
    rng : Generator
        Source of all chance.

    Returns
    -------
    ndarray of shape (h, w), bool
        Ink.
    """
    height, width = 1200, int(_between(rng, Soiling().width_px))
    canvas = np.zeros((height, width), np.uint8)
    match rng.integers(3):
        case 0:
            size_px = int(rng.integers(1, 12))
            canvas[rng.random(canvas.shape) < rng.uniform(0.02, 0.3) / size_px**2] = 1
            canvas = np.asarray(cv2.dilate(canvas, np.ones((size_px, size_px), np.uint8)), np.uint8)
        case 1:
            smooth = cv2.GaussianBlur(rng.standard_normal(canvas.shape, dtype=np.float32), (0, 0), rng.uniform(1, 15))
            canvas = (smooth > rng.uniform(0, 2) * smooth.std()).astype(np.uint8)
        case _:
            for _ in range(int(rng.integers(3, 60))):
                x, y, turn = rng.integers(0, width), rng.integers(0, height), rng.integers(0, 4) * np.pi / 4
                step = rng.integers(20, 300) * np.array([np.cos(turn), np.sin(turn)])
                end = (int(x + step[0]), int(y + step[1]))
                cv2.line(canvas, (int(x), int(y)), end, (1.0,), int(rng.integers(1, 7)))
    return np.rot90(canvas > 0, int(rng.integers(4)))


def _between(rng: np.random.Generator, bounds: tuple[float, float]) -> float:
    """Draw a number that is as likely to lie in one octave as in another."""
    return float(np.exp(rng.uniform(np.log(bounds[0]), np.log(bounds[1]))))


def _cut(rng: np.random.Generator, page: Margin, scale: float, shape: tuple[int, int], soiling: Soiling) -> Ink:
    """Read a rectangle of the page at a random place, a little turned, and find its ink."""
    turn = np.radians(rng.uniform(-1, 1) * soiling.angle_deg)
    rotate = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) / scale
    page_size, half = np.array(page.shape[::-1]), np.array(shape[::-1]) / 2
    middle = page_size / 2 + rng.uniform(-1, 1, 2) * np.maximum(0, page_size / 2 - half / scale)
    start = middle - rotate @ half
    # Only what is read of the page is copied.
    reach = np.abs(rotate) @ half + 2
    first = np.clip(middle - reach, 0, page_size).astype(int)
    stop = np.clip(middle + reach, 0, page_size).astype(int)
    around = page[first[1] : stop[1], first[0] : stop[0]].view(np.uint8) + np.uint8(OFFSET)
    matrix = np.hstack([rotate, (start - first)[:, None]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    read = cv2.warpAffine(around, matrix, shape[::-1], flags=flags, borderValue=(float(PAPER_MARGIN + OFFSET),))
    return np.asarray(read <= OFFSET + rng.uniform(-1, 1) * soiling.threshold, np.bool_)


def _wear(rng: np.random.Generator, ink: Ink, soiling: Soiling) -> Ink:
    """Soil a strip, cut from top to bottom, and take the ink from its rims."""
    height, width = ink.shape
    worn = np.ascontiguousarray(ink).astype(np.uint8)
    chance = rng.random()
    if chance < soiling.bold:
        worn = np.asarray(cv2.dilate(worn, np.ones((2, 2), np.uint8)), np.uint8)
    elif chance < soiling.bold + soiling.thin:
        worn = np.asarray(cv2.erode(worn, np.ones((2, 2), np.uint8)), np.uint8)
    if rng.random() < soiling.ruled:
        period, thick = int(rng.integers(25, 140)), int(rng.integers(1, 6))
        lines = worn if rng.random() < 0.5 else worn.T
        lines[np.arange(len(lines)) % period < thick] = 1
    if rng.random() < soiling.pepper:
        share = rng.uniform(0, soiling.most_pepper) * rng.random()
        n = rng.poisson(share * ink.size)
        specks = rng.integers(0, height, n), rng.integers(0, width, n)
        worn[specks] = rng.integers(0, 2, n, dtype=np.uint8) if rng.random() < 0.5 else 1
    column = np.arange(width)
    for side in (column, column[::-1]):
        rim = rng.uniform(0, soiling.rim_px) + rng.uniform(0, soiling.wave_px) * (1 + _wave(rng, height))
        near = side <= rim.max()
        worn[:, near] &= side[near] >= rim[:, None]
    return worn > 0


def _wave(rng: np.random.Generator, length: int) -> NDArray[np.float64]:
    """Draw a curve that wanders between -1 and 1."""
    period = _between(rng, (60.0, 900.0))
    knots = rng.uniform(-1, 1, int(length / period) + 2)
    return np.interp(np.arange(length) / period, np.arange(len(knots)), knots)

"""The sheets of the demonstration: its pages printed, cut, laid on yellow card and "scanned", all in software."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from training.demo.pages import form, letter

SHRED_WIDTH_PX = 95
"""8 mm, as strip cutters of security level P-1 and P-2 have it."""

SHEET_SIZE_PX = (5160, 3640)
"""The bed of an A3 scanner, a little larger than A3 itself: all of a shred's length lies on it."""

GAP_PX = 92
CARD_RGB = (246, 196, 58)
PAPER_RGB = (247, 246, 241)
SHADOW = 0.42


@dataclass(frozen=True, eq=False)
class Strip:
    """The course of a shred's two edges down a page of h rows.

    Attributes
    ----------
    left, right : ndarray of shape (h,), float64
        Columns at which its paper begins and ends.
    rim : ndarray of shape (h,), float64
        How far torn fibres, which carry no ink, reach inwards.
    """

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    rim: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CutShred:
    """A shred of the sample before it is laid on a sheet.

    Attributes
    ----------
    page, number : int
        0-based; number 0 is the leftmost.
    rgba : ndarray of shape (h, w, 4), float32
        Colour, and how much of each pixel the paper covers, 0 to 255.
    """

    page: int
    number: int
    rgba: NDArray[np.float32]


def make_sheets(rng: np.random.Generator) -> tuple[list[NDArray[np.uint8]], list[list[dict[str, int]]]]:
    """Cut both pages and lay their shreds, mixed, on two sheets.

    Parameters
    ----------
    rng : Generator
        Source of all chance.

    Returns
    -------
    sheets : list of ndarray of shape (h, w, 3), uint8
        RGB at 300 dpi.
    truth : list of list of dict
        For each page, from left to right, the ``sheet`` on which each shred lies and its ``position`` there, from
        the left, both counted from 1.
    """
    pages = [printed(np.asarray(page), rng) for page in (letter(), form())]
    shreds = [shred for index, page in enumerate(pages) for shred in cut(page, index, rng)]
    order = rng.permutation(len(shreds))
    half = (len(order) + 1) // 2
    truth: list[dict[tuple[int, int], dict[str, int]]] = [{}, {}]
    sheets = []
    for sheet, members in enumerate((order[:half], order[half:]), start=1):
        lying = [shreds[index] for index in members]
        for position, shred in enumerate(lying, start=1):
            truth[shred.page][shred.page, shred.number] = {"sheet": sheet, "position": position}
        sheets.append(scanned(lay(lying, rng), rng))
    return sheets, [[places[key] for key in sorted(places)] for places in truth]


def printed(page: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.float32]:
    """Print a black-on-white page: toner that varies in strength and spreads a little, on paper with a grain.

    Parameters
    ----------
    page : ndarray of shape (h, w), uint8
        255 is white.
    rng : Generator
        Source of all chance.

    Returns
    -------
    ndarray of shape (h, w, 3), float32
        RGB, 0 to 255.
    """
    ink = cv2.GaussianBlur(1 - page.astype(np.float32) / 255, (0, 0), 0.9)
    strength = 0.93 + 0.07 * _clouds(page.shape, 60, rng)
    grain = 2.0 * _clouds(page.shape, 1.5, rng) + 1.5 * _clouds(page.shape, 40, rng)
    paper = np.asarray(PAPER_RGB, dtype=np.float32) + grain[..., None]
    return np.asarray(paper * (1 - (ink * strength)[..., None]), dtype=np.float32)


def cut(page: NDArray[np.float32], page_index: int, rng: np.random.Generator) -> list[CutShred]:
    """Cut a page along worn, wavy lines."""
    height, width, _ = page.shape
    strips = draw_strips((height, width), round(width / SHRED_WIDTH_PX), rng)
    return [CutShred(page_index, number, cut_out(page, strip)) for number, strip in enumerate(strips)]


def draw_strips(size: tuple[int, int], n: int, rng: np.random.Generator) -> list[Strip]:
    """Draw where a page is cut.

    Both sides of a cut share its course; each loses 1 to 2 px of paper of its own, and ends in a rim of fibres that
    carries no ink.

    Parameters
    ----------
    size : tuple of int
        Height and width of the page in pixels.
    n : int
        How many strips there are to be.
    rng : Generator
        Source of all chance.

    Returns
    -------
    list of Strip
        From left to right.
    """
    height, width = size
    rows = np.arange(height)
    cuts = (k * width / n + _wander(rows, rng) for k in range(1, n))
    lines = [np.zeros(height), *cuts, np.full(height, float(width))]
    strips = []
    for number in range(n):
        left = lines[number] + (number > 0) * _wear(height, rng)
        right = lines[number + 1] - (number < n - 1) * _wear(height, rng)
        strips.append(Strip(left, right, _rim(height, rng)))
    return strips


def cut_out(page: NDArray[np.float32], strip: Strip) -> NDArray[np.float32]:
    """Cut a strip out of a page.

    Parameters
    ----------
    page : ndarray of shape (h, w, c), float32
        0 to 255.
    strip : Strip
        Of h rows.

    Returns
    -------
    ndarray of shape (h, w', c + 1), float32
        The strip, and how much of each pixel it covers, 0 to 255.
    """
    start, stop = max(0, int(strip.left.min()) - 2), min(page.shape[1], int(strip.right.max()) + 3)
    columns = np.arange(start, stop) + 0.5
    inside = np.minimum(columns - strip.left[:, None], strip.right[:, None] - columns)
    rim = np.clip((strip.rim[:, None] - inside) / 1.5, 0, 1)[..., None]
    pixels = page[:, start:stop] * (1 - 0.85 * rim) + np.float32(252) * 0.85 * rim
    cover = np.clip(inside + 0.5, 0, 1) * 255
    return np.dstack([pixels, cover]).astype(np.float32)


def lay(shreds: Sequence[CutShred], rng: np.random.Generator) -> NDArray[np.float32]:
    """Lay shreds on yellow card side by side, each a little turned and moved, with soft shadows.

    Returns
    -------
    ndarray of shape (h, w, 3), float32
        RGB, 0 to 255.
    """
    width, height = SHEET_SIZE_PX
    sheet = np.asarray(CARD_RGB, dtype=np.float32) + (2.2 * _clouds((height, width), 2.5, rng))[..., None]
    pitch = (width - 2 * GAP_PX) / len(shreds)
    for position, shred in enumerate(shreds):
        h, w, _ = shred.rgba.shape
        centre = (GAP_PX + pitch * (position + 0.5) + rng.uniform(-9, 9), height / 2 + rng.uniform(-14, 14))
        turn = cv2.getRotationMatrix2D((w / 2, h / 2), rng.uniform(-1.5, 1.5), 1)
        x = int(centre[0] - pitch / 2 - w)
        turn[:, 2] += centre[0] - w / 2 - x, centre[1] - h / 2
        window = (slice(None), slice(max(0, x), min(width, x + int(pitch) + 2 * w)))
        turn[0, 2] -= max(0, x) - x
        size = (sheet[window].shape[1], height)
        # Colours are weighted by their cover, so that nothing from beyond the paper bleeds in.
        cover = cv2.warpAffine(shred.rgba[..., 3], turn, size, flags=cv2.INTER_LINEAR) / 255
        colour = cv2.warpAffine(
            shred.rgba[..., :3], turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        shadow = cv2.GaussianBlur(np.roll(cover, (4, 5), axis=(0, 1)), (0, 0), 6)
        shade = 1 - SHADOW * np.clip(shadow - cover, 0, 1)
        sheet[window] = sheet[window] * (shade * (1 - cover))[..., None] + colour * cover[..., None]
    return sheet


def scanned(sheet: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Scan a sheet: light that falls off towards the ends of the lamp, the lens's blur, and noise.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8
        RGB.
    """
    height, width, _ = sheet.shape
    x = np.linspace(-1, 1, width, dtype=np.float32)
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    light = 1.0 - 0.03 * x**2 - 0.015 * y + 0.01 * x
    image = cv2.GaussianBlur(sheet * light[..., None], (0, 0), 0.7)
    image += rng.normal(0, 1.6, (height, width, 1)).astype(np.float32)
    image += rng.normal(0, 0.8, (height, width, 3)).astype(np.float32)
    return np.asarray(np.clip(np.rint(image), 0, 255), dtype=np.uint8)


def _clouds(shape: Sequence[int], size_px: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Draw smooth noise of the given grain: mean 0, spread 1."""
    scale = max(1.0, size_px / 2)
    coarse = rng.normal(size=(int(shape[0] / scale) + 2, int(shape[1] / scale) + 2)).astype(np.float32)
    coarse = np.asarray(cv2.GaussianBlur(coarse, (0, 0), size_px / scale), dtype=np.float32)
    return _standard(cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC))


def _smooth_noise(n: int, size_px: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Draw smooth noise along a line: mean 0, spread 1."""
    return _standard(gaussian_filter1d(rng.normal(size=n), size_px, mode="reflect"))


def _standard(noise: NDArray[Any]) -> NDArray[np.float32]:
    """Bring noise to mean 0 and spread 1."""
    return np.asarray((noise - noise.mean()) / noise.std(), dtype=np.float32)


def _wander(rows: NDArray[np.int_], rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw the course of a cut: the strip bends, the blades wobble, the worn edge chews."""
    course: NDArray[np.float64]
    course = rng.uniform(1, 3) * np.sin(2 * np.pi * rows / rng.uniform(1800, 4000) + rng.uniform(0, 2 * np.pi))
    for spread, size_px in ((2.2, 70), (1.3, 22), (0.5, 4)):
        course += spread * _smooth_noise(len(rows), size_px, rng)
    return course


def _wear(n_rows: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw how much paper one side of a cut lost, row by row: mostly 1 to 2 px."""
    return np.clip(rng.uniform(1, 2) + 0.6 * _smooth_noise(n_rows, 3, rng), 0.3, 4)


def _rim(n_rows: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw how far the rim of torn fibres reaches inwards, row by row: none to some 3 px."""
    return np.clip(0.8 + 1.2 * _smooth_noise(n_rows, 12, rng), 0, 3.5)

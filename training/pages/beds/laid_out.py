"""Sheets laid out in software from real shreds: any surface, light, compression, resolution and angle, truth known."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.pages.beds.surfaces import (
    PX_PER_MM,
    SURFACES,
    Image,
    Shape,
    lay_pocket,
    lay_tape,
    lid,
    noise,
    support_shape,
)

BEDS_MM = {"A4": (297, 210), "A5": (210, 148), "A7": (105, 74)}
"""Height and width of the sheets."""

ROOM_PX = 15
"""A shred's shadow reaches no further."""

FRINGE_PX = 2
"""Masks that come with shreds keep a fringe of what they lay on: they are narrowed by so much."""

FOUND_FRINGE_PX = 1
"""The same of masks that Rejoin found: of these the last pixel mixes paper with what it lay on."""

MARGIN_MM = 8
"""Whole documents lie at least this far from the edges of their beds."""

GAPS_MM = (4, 9)
"""Between their shreds there is so much room: long ones that lie a little askew do not meet."""

INKS = {"": None, "pencil": (95, 95, 98), "blue": (45, 65, 165), "red": (190, 40, 45), "green": (30, 120, 70)}
"""Colours in which print is drawn anew, RGB; None leaves it as it is."""

Box = tuple[int, int, int, int]


@dataclass(frozen=True, eq=False)
class Paper:
    """A real shred as it was scanned: RGB (h, w, 3) uint8, and where its paper is, (h, w) bool; upright, at 300 dpi."""

    pixels: NDArray[np.uint8]
    mask: NDArray[np.bool_]


@dataclass(frozen=True)
class Conditions:
    """How a sheet is laid out and scanned.

    Attributes
    ----------
    surface : str
        What the shreds lie on, see `SURFACES`.
    beside : bool
        Whether the support is smaller than the bed, the lid beside it.
    over : {"", "pocket", "tape"}
        What lies over the shreds.
    paper : {"", "tinted", "coloured"}
        Whether the shreds' own paper is white, pale, or of a deep colour.
    ink : str
        In which of `INKS` print is drawn anew; it is left as it is, if empty.
    light : {"even", "uneven", "shadow", "dark", "linear"}
        How it is lit and developed.
    quality : int
        Of the JPEG.
    dpi : int
        Resolution.
    angle_deg : float
        By how much all shreds lie turned.
    bed : {"A4", "A5", "A7"}
        Size of the sheet.
    n : int
        Number of shreds.
    tilt_deg : float or None
        By how much the camera is tilted; None for a scan. On a photograph all shreds lie wholly on the support.
    on_part : int or None
        How many of the shreds lie on the part of the sheet, from its upper edge to its lower one, that is scanned; None
        for all of the sheet.
    """

    surface: str = "bright"
    beside: bool = False
    over: str = ""
    paper: str = ""
    ink: str = ""
    light: str = "even"
    quality: int = 90
    dpi: int = 300
    angle_deg: float = 0.0
    bed: str = "A5"
    n: int = 8
    tilt_deg: float | None = None
    on_part: int | None = None


@dataclass(frozen=True, eq=False)
class LaidOut:
    """A sheet with its truth.

    Attributes
    ----------
    scan : ndarray of shape (h, w, 3), uint8
        RGB at its own resolution, before compression.
    truth : list of (box, mask)
        Of each shred: x, y, width, height at 300 dpi, and its paper in that box.
    shape : tuple of int
        Height and width at 300 dpi.
    """

    scan: NDArray[np.uint8]
    truth: list[tuple[Box, NDArray[np.bool_]]]
    shape: Shape


def lay_out(shreds: Sequence[Paper], conditions: Conditions, seed: Sequence[int], *, whole: bool = False) -> LaidOut:
    """Lay shreds on a surface side by side and scan them.

    Parameters
    ----------
    shreds : sequence of Paper
        To draw from.
    conditions : Conditions
        How.
    seed : sequence of int
        The same seed gives the same sheet.
    whole : bool
        Whether each of them is laid, in this order, upright and with its whole length, on a bed that holds them all;
        the truth is in this order, too.

    Returns
    -------
    LaidOut
    """
    rng = np.random.default_rng(list(seed))
    gaps = rng.uniform(*GAPS_MM, len(shreds)) * PX_PER_MM if whole else np.zeros(0)
    height, width = shape = _bed_for(shreds, gaps, conditions) if whole else _bed(conditions)
    image = SURFACES[conditions.surface](rng, shape)
    inner = (height, width)
    if conditions.beside:
        margin_px = rng.uniform(0.06, 0.16) * width
        on = support_shape(rng, shape, margin_px)[..., None]
        rim = cv2.GaussianBlur(on, (0, 0), 4)[..., None]
        image = image * on + lid(rng, shape) * (1 - on) * (0.75 + 0.25 * (1 - rim))
        inner = (round(height - 2.1 * margin_px), round(width - 2.1 * margin_px))
    tint = _tint(conditions.paper, rng)
    shadow, soft_px, shift = rng.uniform(0.1, 0.5), rng.uniform(1.5, 3.5), rng.integers(-3, 4, 2)
    owner = np.zeros(shape, np.int32)
    if whole:
        placed = _in_order(shreds, gaps, conditions.angle_deg, shape, rng)
    else:
        placed = _arrange(shreds, conditions, inner, shape, rng)
    for number, (box, pixels, cover) in enumerate(placed, start=1):
        pixels, inside = _in_ink(pixels, INKS[conditions.ink]), _inside(box)
        cast = cv2.GaussianBlur(np.roll(cover, tuple(shift), (0, 1)), (0, 0), soft_px)
        under = image[inside] * (1 - shadow * cast[..., None])
        image[inside] = under * (1 - cover[..., None]) + pixels * tint * cover[..., None]
        owner[inside][cover > 0.5] = number
    truth = [boxed(owner == number) for number in range(1, int(owner.max()) + 1) if (owner == number).any()]
    image = {"": lambda _, image: image, "pocket": lay_pocket, "tape": lay_tape}[conditions.over](rng, image)
    laid = LaidOut(scan(_light(image, conditions.light, rng), conditions.dpi, rng), truth, (height, width))
    return laid if conditions.on_part is None else _part_of(laid, conditions.on_part, rng)


def _bed(conditions: Conditions) -> Shape:
    """Return height and width of a bed, in pixels."""
    down_mm, across_mm = BEDS_MM[conditions.bed]
    return round(down_mm * PX_PER_MM), round(across_mm * PX_PER_MM)


def _bed_for(shreds: Sequence[Paper], gaps: NDArray[np.float64], conditions: Conditions) -> Shape:
    """Return height and width of a bed that holds shreds side by side, in pixels."""
    down, across = max(len(one.mask) for one in shreds), sum(one.mask.shape[1] for one in shreds) + gaps.sum()
    turn = np.radians(conditions.angle_deg)
    height, width = (
        abs(np.cos(turn)) * one + abs(np.sin(turn)) * other + 2 * MARGIN_MM * PX_PER_MM
        for one, other in ((down, across), (across, down))
    )
    room = 1.5 if conditions.beside else 1.0  # the support takes up some two thirds of the bed at least
    return round(room * height), round(room * width)


def _in_order(
    shreds: Sequence[Paper], gaps: NDArray[np.float64], angle_deg: float, shape: Shape, rng: np.random.Generator
) -> list[tuple[Box, Image, Image]]:
    """Place all shreds side by side, upright: of each a box, its pixels, and how much of each pixel it covers."""
    widths = np.array([one.mask.shape[1] for one in shreds])
    ends = np.cumsum(widths + gaps)
    centres = np.stack([ends - gaps / 2 - widths / 2 - ends[-1] / 2, rng.uniform(-15, 15, len(shreds))], axis=1)
    return [
        _place(one.pixels, one.mask, centre, angle_deg, shape, rng, upright=True)
        for one, centre in zip(shreds, centres, strict=True)
    ]


def _in_ink(pixels: Image, colour: tuple[int, int, int] | None) -> Image:
    """Draw the print on a shred anew in a colour: the darker it is, the more of it."""
    if colour is None:
        return pixels
    paper = np.percentile(pixels, 90, axis=(0, 1)).astype(np.float32)
    ink = np.clip(1.15 * (1 - pixels.mean(axis=2) / paper.mean()), 0, 1)[..., None]
    return np.asarray(paper * (1 - ink) + np.array(colour, np.float32) * ink, np.float32)


def _part_of(laid: LaidOut, n: int, rng: np.random.Generator) -> LaidOut:
    """Cut a part out of a sheet with n neighbours on it; its long sides run between shreds, as far as these allow."""
    height, width = laid.shape
    truth = sorted(laid.truth, key=lambda one: one[0][0])
    begins, ends = ([box[0] + after * box[2] for box, _ in truth] for after in (0, 1))
    at = int(rng.integers(0, len(truth) - n + 1))
    before, after = ends[at - 1] if at else 0, begins[at + n] if at + n < len(truth) else width
    left = int(rng.integers(min(before, begins[at]), begins[at] + 1))
    right = int(rng.integers(ends[at + n - 1], max(after, ends[at + n - 1]) + 1))
    scale = laid.scan.shape[1] / width
    moved = [((x - left, y, wide, tall), mask) for (x, y, wide, tall), mask in truth[at : at + n]]
    return LaidOut(laid.scan[:, round(left * scale) : round(right * scale)].copy(), moved, (height, right - left))


def _arrange(
    shreds: Sequence[Paper], conditions: Conditions, inner: Shape, shape: Shape, rng: np.random.Generator
) -> list[tuple[Box, Image, Image]]:
    """Choose shreds and place them side by side: of each a box, its pixels, and how much of each pixel it covers."""
    chosen = [shreds[index] for index in rng.choice(len(shreds), conditions.n, replace=len(shreds) < conditions.n)]
    gaps = rng.uniform(1.5, 9, conditions.n) * PX_PER_MM
    widths = [shred.mask.shape[1] for shred in chosen]
    turn = np.radians(conditions.angle_deg)
    across, along = abs(np.cos(turn)), abs(np.sin(turn))
    scanned = conditions.tilt_deg is None
    runs_off = scanned and abs(conditions.angle_deg) < 6 and not conditions.beside and rng.random() < 0.3

    def room(total: float) -> float:
        rows = (inner[0] - total * along) / across if across > 0.05 else np.inf
        columns = (inner[1] - total * across) / along if along > 0.05 else np.inf
        return float(min(rows, columns)) - 40

    total = float(sum(widths) + gaps.sum())
    while len(chosen) > 2 and (room(total) < 45 * PX_PER_MM or total * across > inner[1] * 0.97):
        chosen, widths, gaps = chosen[:-1], widths[:-1], gaps[:-1]
        total = float(sum(widths) + gaps.sum())
    length = room(total) * (1.3 if runs_off else 1.0)
    placed, x = [], -total / 2
    for shred, wide, gap in zip(chosen, widths, gaps, strict=True):
        start = int(rng.integers(0, max(1, len(shred.mask) - int(length))))
        part = np.s_[start : start + int(length * rng.uniform(0.93, 1))]
        centre = np.array((x + gap / 2 + wide / 2, rng.uniform(-15, 15)))
        placed.append(_place(shred.pixels[part], shred.mask[part], centre, conditions.angle_deg, shape, rng))
        x += wide + gap
    return placed


def _place(
    pixels: NDArray[np.uint8],
    mask: NDArray[np.bool_],
    centre: NDArray[np.float64],
    angle_deg: float,
    shape: Shape,
    rng: np.random.Generator,
    *,
    upright: bool = False,
) -> tuple[Box, Image, Image]:
    """Place a shred on a sheet, turned about the sheet's middle, and a little about its own."""
    height, width = mask.shape
    own_deg = float(np.clip(rng.normal(0, 0.4), -0.8, 0.8)) + angle_deg
    own_deg += 0 if upright else 180 * int(rng.integers(2))
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), own_deg, 1.0)
    turn = np.radians(angle_deg)
    moved = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) @ centre
    matrix[:, 2] += moved + np.array([shape[1] / 2 - width / 2, shape[0] / 2 - height / 2])
    window_px = 2 * (FOUND_FRINGE_PX if upright else FRINGE_PX) + 1
    solid = cv2.erode(np.pad(mask, 1).astype(np.uint8), np.ones((window_px, window_px), np.uint8))
    clean = np.where(solid[1:-1, 1:-1, None] > 0, pixels, np.uint8(0)).astype(np.float32)
    known = cv2.blur(solid[1:-1, 1:-1].astype(np.float32), (9, 9))[..., None]
    spread = cv2.blur(clean, (9, 9)) / np.maximum(known, 1e-3)
    clean = np.where(solid[1:-1, 1:-1, None] > 0, clean, np.where(known > 0, spread, 245))
    corners = cv2.transform(np.array([[(0, 0), (width, 0), (0, height), (width, height)]], np.float64), matrix)[0]
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - ROOM_PX, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + ROOM_PX, (shape[1], shape[0]))
    matrix[:, 2] -= low
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    cover = cv2.warpAffine(cv2.GaussianBlur(solid.astype(np.float32), (0, 0), 0.7)[1:-1, 1:-1], matrix, size)
    moved_pixels = cv2.warpAffine(clean, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    box = (int(low[0]), int(low[1]), *size)
    return box, np.asarray(moved_pixels, np.float32), np.asarray(cover, np.float32)


def _tint(paper: str, rng: np.random.Generator) -> Image:
    """Choose the paper's own colour, as what it leaves of each channel."""
    if not paper:
        return np.ones(3, np.float32)
    pastel = [(1, 0.96, 0.8), (0.88, 0.95, 1), (0.88, 1, 0.9), (1, 0.88, 0.9), (0.93, 0.9, 0.84)]
    deep = [(1, 0.9, 0.4), (0.55, 0.8, 1), (0.6, 0.9, 0.6), (1, 0.6, 0.65), (1, 0.75, 0.45)]
    choice = pastel if paper == "tinted" else deep
    return np.array(choice[rng.integers(len(choice))], np.float32) * np.array(rng.uniform(0.95, 1.0), np.float32)


def _light(image: Image, light: str, rng: np.random.Generator) -> Image:
    """Light a sheet and develop it."""
    height, width = image.shape[:2]
    if light == "uneven":
        rows, columns = np.linspace(0, 1, height)[:, None], np.linspace(0, 1, width)[None, :]
        fall = 1 - rng.uniform(0, 0.3) * abs(columns - rng.random()) - rng.uniform(0, 0.25) * rows
        image = image * fall.astype(np.float32)[..., None]
    if light == "shadow":
        edge = noise(rng, (height, width), 900) + np.linspace(-2, 2, width)[None, :] * rng.choice([-1, 1])
        soft = 1 / (1 + np.exp(-edge * rng.uniform(2, 8)))
        image = image * (1 - rng.uniform(0.15, 0.4) * soft).astype(np.float32)[..., None]
    if light == "dark":
        image = image * rng.uniform(0.4, 0.65)
    if light == "linear":
        image = np.asarray(255 * (np.clip(image, 0, 255) / 255) ** rng.uniform(1.8, 2.2), np.float32)
    return np.asarray(image, np.float32)


def scan(image: Image, dpi: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """See a sheet at a resolution, with the blur and the noise of a scanner.

    Parameters
    ----------
    image : ndarray of shape (h, w, 3), float32
        RGB, 0 to 255, at 300 dpi.
    dpi : int
        Resolution.
    rng : Generator
        Source of the noise.

    Returns
    -------
    ndarray of shape (h', w', 3), uint8
    """
    size = (round(image.shape[1] * dpi / 300), round(image.shape[0] * dpi / 300))
    seen = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 0.8))
    seen = cv2.resize(seen, size, interpolation=cv2.INTER_AREA if dpi <= 300 else cv2.INTER_CUBIC)
    grain = rng.normal(0, rng.uniform(0.5, 3), (1024, 1024, 3)).astype(np.float32)
    tiles = (-(-size[1] // 1024), -(-size[0] // 1024), 1)
    return np.clip(np.round(seen + np.tile(grain, tiles)[: size[1], : size[0]]), 0, 255).astype(np.uint8)


def boxed(mask: NDArray[np.bool_]) -> tuple[Box, NDArray[np.bool_]]:
    """Cut a mask out of its sheet.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        Of a sheet; not empty.

    Returns
    -------
    box : Box
        Where it is True.
    mask : ndarray of shape (height, width), bool
        The part in the box.
    """
    x, y, width, height = box = cv2.boundingRect(mask.astype(np.uint8))
    return (x, y, width, height), mask[_inside(box)].copy()


def _inside(box: Sequence[int]) -> tuple[slice, slice]:
    """Return the part of a sheet that a box is."""
    x, y, width, height = box
    return np.s_[y : y + height, x : x + width]

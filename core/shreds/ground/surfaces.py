"""The even surfaces that a sheet shows, by their colours, and the light on them."""

from dataclasses import dataclass
from itertools import repeat
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Mask, Pixels

REDUCTION = 4
"""The colours are sought on the sheet reduced by this factor."""

LIGHTNESS_WEIGHT = 1 / 1.5
"""Weight of a difference in lightness against one in chroma: uneven light changes the former only."""

MODE_RADIUS = 10.0
"""Colours nearer than this (weighted CIE Lab units) are one and the same surface."""

MIN_MODE_SHARE = 0.005
"""A surface covers at least this share of the sheet's even areas."""

EVEN = 24
"""Grey values of an even surface differ by no more than this from one place to the next."""

MOST_MODES = 8

LIGHT_CELL_PX = 16
"""Uneven light is followed in cells of this side."""

LIGHT_SPREAD_CELLS = 6
"""Standard deviation of the weights with which the cells around count."""

SHADOW_SPREAD_CELLS = 2
"""The same where shadows are followed."""

FAINT = 1e-3
"""Weight of the usual value where nothing is near."""

GROWTH_STEPS = 12
"""Light on a grey surface is followed so many times as far as `LIGHT_SPREAD_CELLS`."""

SLOW_CHANGE = 0.06
"""From one such step to the next it changes by less than this part; paper is brighter by more."""

SOME_HUE = 0.25
"""What has less of a surface's hue than this is paper anyhow."""

MARKER_PX = 9
"""A marker draws broader than this; the coloured fringes of paper in JPEG files are narrower."""

LEAST_BESIDE = 15.0
"""So much do the two channels differ that show less of a surface's hue, or it can be told from no other."""

BAND_ROWS = 64
"""Rows of a sheet that are measured at a time: few enough for the processor to keep them at hand."""

Value = TypeVar("Value", np.uint8, np.float32, np.float64)


@dataclass(frozen=True, eq=False)
class Lit:
    """A sheet in its light.

    Attributes
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.
    light : ndarray of shape (h, w), float32, or None
        By which pixels are divided; None where it is even.
    small, flat : ndarray of shape (h / 4, w / 4, 3), float32
        The sheet reduced, and reduced in even light.
    """

    pixels: Pixels
    light: Floats | None
    small: Floats
    flat: Floats

    def along(self, weights: list[Floats]) -> list[Floats]:
        """Measure all pixels along some directions.

        Parameters
        ----------
        weights : list of ndarray of shape (1, 4), float32
            Of red, green, blue and 1.

        Returns
        -------
        list of ndarray of shape (h, w), float32
            The weighted sums.
        """
        parts = [np.empty(self.pixels.shape[:2], np.float32) for _ in weights]
        lights = repeat(None) if self.light is None else bands(self.light)
        for pixels, light, *rows in zip(bands(self.pixels), lights, *map(bands, parts), strict=False):
            values = pixels.astype(np.float32)
            if light is not None:
                values /= light[..., None]
            for part, of_part in zip(rows, weights, strict=True):
                cv2.transform(values, of_part, dst=part)
        return parts


def bands(image: NDArray[Value]) -> list[NDArray[Value]]:
    """Cut an image into bands of few rows: what is done to one after the other need not wait for memory.

    Parameters
    ----------
    image : ndarray of shape (h, …)
        Of a sheet, or a shred.

    Returns
    -------
    list of ndarray of shape (64, …)
        Parts of the image, not copies; the last one may be lower.
    """
    return [image[top : top + BAND_ROWS] for top in range(0, len(image), BAND_ROWS)]


def reduced(pixels: Pixels) -> Pixels:
    """Reduce a sheet to the size on which colours are sought.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.

    Returns
    -------
    ndarray of shape (h / 4, w / 4, 3), uint8
        Averaged.
    """
    height, width = pixels.shape[:2]
    size = (max(1, width // REDUCTION), max(1, height // REDUCTION))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def lab(colours: Floats | Pixels) -> Floats:
    """Compute CIE Lab values in which lightness counts less than chroma.

    Parameters
    ----------
    colours : ndarray of shape (h, w, 3)
        RGB, 0 to 255.

    Returns
    -------
    ndarray of shape (h, w, 3), float32
    """
    shares = np.clip(colours.astype(np.float32) / 255, 0, 1)
    values = np.asarray(cv2.cvtColor(shares, cv2.COLOR_RGB2LAB), np.float32)
    return values * np.array((LIGHTNESS_WEIGHT, 1, 1), np.float32)


def lab_of(colour: Floats) -> Floats:
    """Compute the weighted CIE Lab values of one colour.

    Parameters
    ----------
    colour : ndarray of shape (3,)
        RGB, 0 to 255.

    Returns
    -------
    ndarray of shape (3,), float32
    """
    return lab(colour.reshape(1, 1, 3).astype(np.float32))[0, 0]


def even_surfaces(small: Floats | Pixels) -> list[tuple[Floats, float]]:
    """List the even surfaces of a sheet.

    Parameters
    ----------
    small : ndarray of shape (h, w, 3)
        The sheet, `reduced`; RGB, 0 to 255.

    Returns
    -------
    list of (colour, share)
        RGB (3,) float32, and the share of all even areas; the largest first.
    """
    grey = cv2.cvtColor(np.clip(small, 0, 255).astype(np.uint8), cv2.COLOR_RGB2GRAY)
    window = np.ones((3, 3), np.uint8)
    even = cv2.subtract(cv2.dilate(grey, window), cv2.erode(grey, window)) <= EVEN
    colours = small[::2, ::2][even[::2, ::2]]
    if len(colours) == 0:
        return []
    values = lab(colours[None])[0]
    bins = np.floor((values + np.array([0, 128, 128])) / 4).astype(np.int32)
    shape = (32, 68, 68)
    histogram = np.bincount(np.ravel_multi_index(tuple(bins.T), shape, mode="clip"), minlength=int(np.prod(shape)))
    centres = (np.stack(np.unravel_index(np.flatnonzero(histogram), shape), 1) + 0.5) * 4 - (0, 128, 128)
    counts = histogram[np.flatnonzero(histogram)].astype(np.float64)
    found = []
    while counts.max(initial=0) > 0:
        peak = centres[np.argmax(counts)]
        near = np.linalg.norm(values - peak, axis=1) < MODE_RADIUS
        gone = np.linalg.norm(centres - peak, axis=1) < MODE_RADIUS
        share = counts[gone].sum() / len(colours)
        counts[gone] = 0
        if share >= MIN_MODE_SHARE and near.any():
            found.append((np.median(colours[near], axis=0).astype(np.float32), float(share)))
        if len(found) == MOST_MODES or counts.sum() < MIN_MODE_SHARE * len(colours):
            break
    return sorted(found, key=lambda surface: -surface[1])


def grown_light(lit: Floats) -> Floats:
    """Follow the light over a grey surface from where it is as usual: it changes slowly, paper begins at once.

    Parameters
    ----------
    lit : ndarray of shape (h, w), float32
        Brightness of the reduced sheet, 1 on the surface in the usual light.

    Returns
    -------
    ndarray of shape (h, w), float32
        The light, 1 for the usual.
    """
    light = np.ones(lit.shape, np.float32)
    for _ in range(GROWTH_STEPS):
        light = local_mean(lit, np.abs(lit / light - 1) < SLOW_CHANGE, light)
    return light


def followed_light(lit: Floats, shows: Mask) -> Floats:
    """Spread the light that is known at some places over the sheet.

    Parameters
    ----------
    lit : ndarray of shape (h, w), float32
        The light, 1 for the usual.
    shows : ndarray of shape (h, w), bool
        Where it is known.

    Returns
    -------
    ndarray of shape (h, w), float32
    """
    return local_mean(lit, shows, local_mean(lit, shows, 1.0), SHADOW_SPREAD_CELLS)


def local_mean(values: Floats, where: Mask, usual: float | Floats, spread_cells: float = LIGHT_SPREAD_CELLS) -> Floats:
    """Average the values at some places over their surroundings; `usual` is the value where there are none.

    Parameters
    ----------
    values : ndarray of shape (h, w), float32
        Of the reduced sheet.
    where : ndarray of shape (h, w), bool
        Which of them count.
    usual : float or ndarray of shape (h, w), float32
        What stands where nothing near counts.
    spread_cells : float
        Standard deviation of the weights, in cells.

    Returns
    -------
    ndarray of shape (h, w), float32
    """
    height, width = values.shape
    weight = where.astype(np.float32)
    cell = LIGHT_CELL_PX // REDUCTION
    size = (max(1, width // cell), max(1, height // cell))
    total = cv2.resize(weight, size, interpolation=cv2.INTER_AREA)
    value = cv2.resize(values * weight, size, interpolation=cv2.INTER_AREA)
    total, value = (cv2.GaussianBlur(field, (0, 0), spread_cells) for field in (total, value))
    otherwise = usual if isinstance(usual, float) else cv2.resize(usual, size, interpolation=cv2.INTER_AREA)
    mean = ((value + otherwise * FAINT) / (total + FAINT)).astype(np.float32)
    return np.asarray(cv2.resize(mean, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def enclosed(paper: Pixels) -> Mask:
    """Mark what paper encloses; what covers all of the sheet, as the lid around a support, encloses nothing.

    Parameters
    ----------
    paper : ndarray of shape (h, w), uint8
        1 on paper, 0 elsewhere.

    Returns
    -------
    ndarray of shape (h, w), bool
        True on paper and on what it encloses.
    """
    contours, _ = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    height, width = paper.shape
    boxes = [cv2.boundingRect(contour) for contour in contours]
    small = [
        contour
        for contour, (_, _, wide, tall) in zip(contours, boxes, strict=True)
        if not (wide > 0.8 * width and tall > 0.8 * height)
    ]
    filled = np.zeros(paper.shape, np.uint8)
    cv2.drawContours(filled, small, -1, 1, thickness=cv2.FILLED)
    return filled > 0


def beside_hue(full: Floats) -> Floats | None:
    """Find the direction in which a surface differs from others of nearly the same hue.

    Parameters
    ----------
    full : ndarray of shape (3,), float32
        The surface's colour less that of paper, RGB.

    Returns
    -------
    ndarray of shape (3,), float32, or None
        A direction without brightness and without the channel that shows the hue most: yellow card and a yellow
        marker differ in red against green. The surface lies as far along it as it is long. None if that is too near.
    """
    first, second = np.argsort(full)[1:]
    if abs(full[first] - full[second]) < LEAST_BESIDE:
        return None
    direction = np.zeros(3, np.float32)
    direction[first], direction[second] = (full[first] - full[second]) / 2, (full[second] - full[first]) / 2
    return direction


def under_marker(by_colour: Floats, beside: Floats) -> Mask:
    """Mark areas that are only nearly of a surface's hue: there a marker went over paper, and print under it.

    Parameters
    ----------
    by_colour : ndarray of shape (h, w), float32
        How much of the surface's hue each pixel has: 0 on paper, 1 on the surface.
    beside : ndarray of shape (h, w), float32
        The same in the direction of `beside_hue`.

    Returns
    -------
    ndarray of shape (h, w), bool
        Areas as broad as a marker draws.
    """
    of_surface, usual = (cv2.blur(part, (5, 5)) for part in (beside, by_colour))
    marked = (by_colour > SOME_HUE) & (of_surface < usual / 2)
    square = np.ones((MARKER_PX, MARKER_PX), np.uint8)
    broad = cv2.morphologyEx(marked.astype(np.uint8), cv2.MORPH_OPEN, square)
    near = cv2.dilate(broad, square, iterations=4) > 0  # print leaves narrow parts of a marker's line as well
    return np.asarray(cv2.morphologyEx((marked & near).astype(np.uint8), cv2.MORPH_CLOSE, square) > 0)

"""The even surfaces that a sheet shows, by their colours."""

import cv2
import numpy as np

from core.arrays import Floats, Pixels

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

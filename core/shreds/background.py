"""What lies under the shreds: its colour, found from the sheet itself, and how much of each pixel it covers."""

from dataclasses import dataclass

import cv2
import numpy as np

from core.arrays import Floats, Mask, Pixels

REDUCTION = 4
"""The colours are sought on the sheet reduced by this factor."""

LIGHT_CELL_PX = 16
"""Uneven light is followed in cells of this side."""

LIGHT_SPREAD_CELLS = 6
"""Standard deviation of the weights with which the cells around count."""

FAINT = 1e-3
"""Weight of the usual value where nothing is near."""

LIGHTNESS_WEIGHT = 1 / 1.5
"""Weight of a difference in lightness against one in chroma: uneven light changes the former only."""

MODE_RADIUS = 10.0
"""Colours nearer than this (weighted CIE Lab units) are one and the same surface."""

MIN_MODE_SHARE = 0.005
"""A surface covers at least this share of the sheet's even areas."""

INK_GREY = 40.0
"""Black ink, as scanned."""

SUPPORT_SHARE = 0.25
"""A coloured support sheet shows at least this much of itself against the scanner's lid."""

MIN_CHROMA = 30.0
"""A background that differs from grey by more than this (of 255) is told from ink and shadow by its colour alone."""


MIN_CONTRAST = 28
"""The background's darkest channel lies at least this far (of 255) under that of the paper."""

MIN_PAPER = 130
"""Paper is at least this bright in every channel, in the best light of the sheet."""


@dataclass(frozen=True, eq=False)
class Background:
    """The surface on which the shreds lie.

    Attributes
    ----------
    colour : ndarray of shape (3,), float32
        RGB of the background, 0 to 255.
    paper : ndarray of shape (3,), float32
        RGB of the paper, 0 to 255.
    coloured : bool
        Whether its hue tells it from both paper and ink; a grey or black one can be confused with ink.
    """

    colour: Floats
    paper: Floats
    coloured: bool

    @property
    def ink_coverage(self) -> float:
        """Coverage (see `coverage`) above which it is ink and not a grey background; on a black one both are dark."""
        contrast = float((self.paper - self.colour).mean())
        of_ink = (float(self.paper.mean()) - INK_GREY) / contrast
        return (1 + of_ink) / 2 if of_ink > 1.3 else 0.6


def _surfaces(pixels: Pixels) -> list[tuple[Floats, float]]:
    """List the even surfaces of a sheet, largest first, as (RGB colour, share of all even areas)."""
    height, width = pixels.shape[:2]
    size = (max(1, width // REDUCTION), max(1, height // REDUCTION))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    window = np.ones((3, 3), np.uint8)
    even = cv2.subtract(cv2.dilate(grey, window), cv2.erode(grey, window)) <= 24
    colours = small[even]
    if len(colours) == 0:
        return []
    lab = cv2.cvtColor((colours[None].astype(np.float32) / 255), cv2.COLOR_RGB2LAB)[0]
    lab[:, 0] *= LIGHTNESS_WEIGHT
    bins = np.floor((lab + np.array([0, 128, 128])) / 4).astype(np.int32)
    shape = (32, 68, 68)
    histogram = np.bincount(np.ravel_multi_index(tuple(bins.T), shape, mode="clip"), minlength=int(np.prod(shape)))
    centres = (np.stack(np.unravel_index(np.flatnonzero(histogram), shape), 1) + 0.5) * 4 - (0, 128, 128)
    counts = histogram[np.flatnonzero(histogram)].astype(np.float64)
    found = []
    while counts.max(initial=0) > 0:
        peak = centres[np.argmax(counts)]
        near = np.linalg.norm(lab - peak, axis=1) < MODE_RADIUS
        gone = np.linalg.norm(centres - peak, axis=1) < MODE_RADIUS
        share = counts[gone].sum() / len(colours)
        counts[gone] = 0
        if share >= MIN_MODE_SHARE and near.any():
            found.append((np.median(colours[near], axis=0).astype(np.float32), float(share)))
        if len(found) == 8 or counts.sum() < MIN_MODE_SHARE * len(colours):
            break
    return sorted(found, key=lambda surface: -surface[1])


def _whiteness(colour: Floats) -> float:
    """Rate how much a colour looks like paper: its darkest channel."""
    return float(colour.min())


def find_background(pixels: Pixels) -> Background | None:
    """Find the colours of the background and of the paper.

    The whitest even surface of a sheet is its paper. Of the others the largest is the background; but a coloured one
    that is not much smaller is a support sheet, and the larger one the scanner's lid beside it.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        The sheet, RGB.

    Returns
    -------
    Background or None
        None where everything is as white as paper: white shreds on a white surface, or nothing at all.
    """
    surfaces = _surfaces(pixels)
    if not surfaces:
        return None
    paper = max((colour for colour, _ in surfaces), key=_whiteness)
    others = [(colour, share) for colour, share in surfaces if colour is not paper]
    if _whiteness(paper) < MIN_PAPER:
        others, paper = surfaces, np.full(3, 250, np.float32)
    distinct = [(colour, share) for colour, share in others if _whiteness(paper) - _whiteness(colour) >= MIN_CONTRAST]
    if not distinct:
        return None
    large = [colour for colour, share in distinct if share >= SUPPORT_SHARE * distinct[0][1]]
    coloured = [colour for colour in large if np.linalg.norm(_chroma(colour, paper)) >= MIN_CHROMA]
    return Background((coloured or large)[0], paper, bool(coloured))


def _chroma(colour: Floats, paper: Floats) -> Floats:
    """Compute the part of a colour that no mixture of paper and black ink has."""
    axis = paper / np.linalg.norm(paper)
    return (colour - (colour @ axis) * axis).astype(np.float32)


def coverage(pixels: Pixels, background: Background) -> Floats:
    """Compute how much of each pixel shows the background, in the light that falls there.

    A pixel mixes paper, ink and background. On a coloured background the chroma that neither paper nor ink has
    measures the background's part; on a grey or black one the darkness does. What paper and background look like is
    followed over the sheet, so that uneven light does not matter.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        The sheet, RGB.
    background : Background
        Its colours.

    Returns
    -------
    ndarray of shape (h, w), float32
        0 on paper, about 1 on background; ink is 0 on a coloured background, and 1 or more on a grey one.
    """
    if background.coloured:
        direction = _chroma(background.colour, background.paper)
        offset = 0.0
    else:
        direction = background.colour - background.paper
        offset = -float(direction @ background.paper / (direction @ direction))
    weights = np.append(direction / float(direction @ direction), offset).astype(np.float32)
    part = np.asarray(cv2.transform(pixels.astype(np.float32), weights[None, :]), np.float32)
    of_background = _local_mean(part, (part > 0.6) & (part < 1.5), 1.0)
    if background.coloured:
        return part / of_background
    of_paper = _local_mean(part, part < 0.4, 0.0)
    return (part - of_paper) / np.maximum(of_background - of_paper, 0.3)


def _local_mean(values: Floats, where: Mask, usual: float) -> Floats:
    """Average the values at some places over their surroundings; `usual` is the value where there are none."""
    height, width = values.shape
    weight = where.astype(np.float32)
    size = (max(1, width // LIGHT_CELL_PX), max(1, height // LIGHT_CELL_PX))
    total = cv2.resize(weight, size, interpolation=cv2.INTER_AREA)
    value = cv2.resize(values * weight, size, interpolation=cv2.INTER_AREA)
    total, value = (cv2.GaussianBlur(cell, (0, 0), LIGHT_SPREAD_CELLS) for cell in (total, value))
    mean = ((value + usual * FAINT) / (total + FAINT)).astype(np.float32)
    return np.asarray(cv2.resize(mean, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)

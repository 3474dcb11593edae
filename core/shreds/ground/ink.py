"""What on a sheet is ink though it looks like what the shreds lie on, or its hue mixes with that."""

import cv2
import numpy as np

from core.arrays import Floats, Pixels
from core.shreds.ground.background import INK_DARKNESS, LUMINANCE, Background
from core.shreds.ground.paper import chroma_beside
from core.shreds.ground.surfaces import bands, enclosed

HALF = 0.5
"""Where a surface covers less than this there is more of the paper."""

LEAST_INK_PX = 200
"""So many pixels within strokes say how dark the ink on a sheet is."""

FAINTER = 25
"""Per cent of them are not as dark as the ink that is expected at the cuts."""

OFF_HUE = 0.4
"""Ink lies beside the line from paper to a surface by more than this share of its length in colour."""

LEAST_OFF_HUE = 25.0
"""And by more than this (of 255): JPEG files blur colours."""

MORE_HUE = 1.6
"""So does what shows more than so many times a surface's hue."""

SOME_INK = 5e-4
"""Where less of a sheet lies off that line, there is no such ink."""


def ink_coverages(pixels: Pixels, covered: Floats, background: Background) -> list[float]:
    """Tell for each surface above which coverage it is ink that shows.

    Pencil and typewriters print no darker than grey card: on it, ink is as dark as what the paper encloses.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        The sheet at 300 dpi, RGB.
    covered : ndarray of shape (h, w), float32
        See `coverage`.
    background : Background
        Its colours.

    Returns
    -------
    list of float
        Infinite where ink does not look like the surface.
    """
    usual = [np.inf if one.coloured else background.ink_coverage(one) for one in background.surfaces]
    card = [1 < of < np.inf and not background.is_pale(one) for one, of in zip(background.surfaces, usual, strict=True)]
    if not any(card):
        return usual
    darkness = _ink_darkness(pixels, covered, float(background.paper @ LUMINANCE))
    return [
        background.ink_coverage(one, darkness) if grey else of
        for one, of, grey in zip(background.surfaces, usual, card, strict=True)
    ]


def _ink_darkness(pixels: Pixels, covered: Floats, of_paper: float) -> float:
    """Measure which share of the paper's brightness most of the ink takes away that paper encloses."""
    paper = (covered < HALF).view(np.uint8)
    strokes = (enclosed(paper) & (paper == 0)).view(np.uint8)
    within = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)[cv2.erode(strokes, np.ones((3, 3), np.uint8)) > 0]
    if len(within) < LEAST_INK_PX:
        return INK_DARKNESS
    return min(INK_DARKNESS, 1 - float(np.percentile(within, 100 - FAINTER)) / of_paper)


def off_hue(pixels: Pixels, background: Background) -> Floats | None:
    """Measure how far pixels lie beside the line from paper to a coloured surface, on which both mix.

    Black ink and shadow show less hue than the surface, or none, but no other; print in a colour of its own does.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        The sheet, RGB.
    background : Background
        Its colours.

    Returns
    -------
    ndarray of shape (h, w), float32, or None
        More than 1 where ink shows; None if there is none on the sheet, or several surfaces, or a grey one.
    """
    (surface, *others), paper = background.surfaces, background.paper
    if others or not surface.coloured:
        return None
    chroma = chroma_beside(surface.colour, paper)
    length = float(np.linalg.norm(chroma))
    along, beside = chroma / length, np.cross(paper / np.linalg.norm(paper), chroma / length)
    rows = np.stack([along / (MORE_HUE * length), beside / max(OFF_HUE * length, LEAST_OFF_HUE)]).astype(np.float32)
    if (_farthest(background.small, rows) > 1).mean() < SOME_INK:
        return None
    return np.concatenate([_farthest(rows_of.astype(np.float32), rows) for rows_of in bands(pixels)])


def _farthest(pixels: Floats, rows: Floats) -> Floats:
    """Compute how far pixels lie beyond a surface's hue or beside it, whichever is farther."""
    along, beside = cv2.split(cv2.transform(pixels, rows))
    return np.asarray(cv2.max(along, np.abs(beside)), np.float32)

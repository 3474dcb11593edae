"""What lies under the shreds: its colours, found from the sheet itself, and how much of each pixel they cover."""

from dataclasses import dataclass

import cv2
import numpy as np

from core.arrays import Floats, Mask, Pixels
from core.shreds.ground.paper import (
    Modes,
    Surface,
    chroma_beside,
    is_coloured,
    is_darker,
    is_printed,
    is_within,
    paper_and_main,
    part_whitest,
)
from core.shreds.ground.surfaces import (
    MODE_RADIUS,
    Lit,
    bands,
    beside_hue,
    enclosed,
    even_surfaces,
    followed_light,
    grown_light,
    lab,
    lab_of,
    local_mean,
    reduced,
    under_marker,
)

UNEVEN = 0.2
"""Where the light varies by more than this over a sheet, it is taken off each pixel."""

LUMINANCE = np.array((0.299, 0.587, 0.114), np.float32)
"""What the channels add to the brightness."""

INK_DARKNESS = 1 - 40 / 255
"""Black ink, as scanned, takes this share of the paper's brightness away."""

OTHER_SHARE = 0.01
"""A further surface under the shreds takes up at least this much of a sheet's even areas."""

SURFACE_SHARE = 0.001
"""Each part of it takes up at least this much of the sheet: pictures at the edge of paper do not."""

GREY_SHARE = 0.005
"""The same for grey, as which paper shows at the edge of a shadow."""

SHARP_CONTRAST = 60.0
"""Where paper is brighter by more than this (of 255), brightness shows the contour better than colour, which JPEG files
keep at half the resolution."""

PICTURE_SHARE = 0.6
"""A surface of which this much is enclosed by paper is a picture printed there."""

WELL_EXPOSED = 250.0
"""What is brightest on a sheet is brought to this before colours are compared: scans may be dark."""

FAINTEST = 40.0
"""Nothing is brightened further than if its brightest were this."""

DARK = 0.4
"""A surface no brighter than this share of paper is dark: whatever is bright on it is paper, also in shadow."""

PALE = 0.7
"""A surface brighter than this share of paper is pale, if its colour is faint."""

FAINT_CHROMA = 45.0
"""It is if it differs from grey by less than this."""

PAPER_NEAR = 21
"""Where there is any paper within so many pixels of the reduced sheet (7 mm), it tells the light."""

DEEPEST_SHADOW = 0.45
"""Shadows leave at least this much light."""

LEAST_CONTRAST = 0.3
"""Of the usual difference between paper and background at least this much is left in the darkest place."""

LEAST_CHROMA = 10.0
"""A surface that differs from grey by more than this shows the light that falls on it."""

BROAD_SHARE = 0.2
"""Less than this of a rim, where colours of paper and background blur, is broader than two of the reduced pixels."""

SAME_CHROMA = 0.25
"""So far the share of chroma may lie from that of a surface, as a part of it."""


@dataclass(frozen=True, eq=False)
class Background:
    """The surfaces on which the shreds lie.

    Attributes
    ----------
    surfaces : tuple of Surface
        The main one first, in even light.
    paper : ndarray of shape (3,), float32
        RGB of the paper, 0 to 255.
    nearest : ndarray of shape (h / 4, w / 4), uint8
        Which of the surfaces shows nearest to each place of the sheet.
    light : ndarray of shape (h / 4, w / 4), float32
        How much light falls there, 1 for the usual.
    small : ndarray of shape (h / 4, w / 4, 3), float32
        The sheet, reduced.
    """

    surfaces: tuple[Surface, ...]
    paper: Floats
    nearest: Pixels
    light: Floats
    small: Floats

    @property
    def colour(self) -> Floats:
        """RGB of the main surface."""
        return self.surfaces[0].colour

    @property
    def flat(self) -> Floats:
        """The sheet, reduced, as it would look in even light."""
        return self.small / self.light[..., None]

    def ink_coverage(self, surface: Surface, darkness: float = INK_DARKNESS) -> float:
        """Coverage (see `coverage`) above which it is ink and not a grey surface; one may be as dark as the ink."""
        contrast = float((self.paper - surface.colour).mean())
        if contrast <= 0:
            return np.inf  # ink is darker than both, and looks like neither
        of_ink = float(self.paper.mean()) * darkness / contrast
        return (1 + of_ink) / 2 if of_ink > 1.3 else 0.4  # pencil, too, on what is as dark as print

    def is_pale(self, surface: Surface) -> bool:
        """Check whether a surface is so near to paper that the rim of ink looks like it."""
        chroma = np.linalg.norm(chroma_beside(surface.colour, self.paper))
        bright = PALE * self.paper.mean() < surface.colour.mean() < self.paper.mean()
        return bool(bright and chroma < FAINT_CHROMA)


def find_background(pixels: Pixels, picked: Floats | None = None) -> Background | None:
    """Find the colours of the paper and of all that it lies on.

    The whitest even surface of a sheet is its paper. Of the others the largest is the background; but a coloured one
    that is not much smaller is a support sheet, and the larger one the scanner's lid beside it. Whatever else is even,
    darker than paper and not enclosed by it is a further surface. Light and shadow are taken off beforehand, as far as
    the main surface shows them.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        The sheet, RGB.
    picked : ndarray of shape (3,), float32, optional
        RGB of the main surface, if the examiner said so.

    Returns
    -------
    Background or None
        None where everything is as white as paper: white shreds on a white surface, or nothing at all.
    """
    as_scanned = reduced(pixels).astype(np.float32)
    red, green, blue = cv2.split(as_scanned)
    brightest = cv2.max(cv2.max(red, green), blue)
    gain = max(WELL_EXPOSED / max(float(np.percentile(brightest, 99)), FAINTEST), 1.0)
    small = as_scanned * gain
    modes, picked = _modes(small), None if picked is None else picked * gain
    found = paper_and_main(small, modes, picked)
    if found is None:
        return None
    paper, main = found
    light = _light(small, paper, main)
    flat = small / light[..., None]
    if np.ptp(light) > UNEVEN:
        modes = _modes(flat)
        if main.colour.min() < paper.min():  # coloured paper on a paler surface stays what it is
            paper, main = paper_and_main(flat, modes, picked) or found
    surfaces = (main, *_others(flat, modes, paper, main))
    nearest = _nearest(flat, paper, surfaces) if len(surfaces) > 1 else np.zeros(small.shape[:2], np.uint8)
    darker = [Surface(one.colour / gain, one.coloured) for one in surfaces]
    return Background(tuple(darker), paper / gain, nearest, light, as_scanned)


def _modes(flat: Floats) -> Modes:
    """List the even surfaces of a sheet."""
    return part_whitest(flat, even_surfaces(flat))


def _light(small: Floats, paper: Floats, main: Surface) -> Floats:
    """Measure the light over the sheet, 1 where it is as usual: by the main surface, or on a dark one by the paper."""
    length = float(np.linalg.norm(main.colour))
    chroma = chroma_beside(main.colour, paper)
    if np.linalg.norm(chroma) >= LEAST_CHROMA:
        # The share of chroma in a pixel is the same in any light.
        lit = np.maximum(small @ (main.colour / length) / length, 0.01)
        share = small @ (chroma / float(chroma @ chroma)) / lit
        shows = (np.abs(share - 1) < SAME_CHROMA) & (lit > 0.3) & (lit < 3)
        return followed_light(lit.astype(np.float32), shows)
    darkness = length / float(np.linalg.norm(paper))
    if darkness > DARK:
        return grown_light(np.asarray(small.mean(axis=2) / main.colour.mean(), np.float32))
    lit = cv2.medianBlur(np.clip(small.mean(axis=2) / paper.mean() * 200, 0, 255).astype(np.uint8), 5)
    brightest = cv2.dilate(lit, np.ones((PAPER_NEAR, PAPER_NEAR), np.uint8))
    shows = (lit >= 0.9 * brightest) & (lit > 200 * max(DEEPEST_SHADOW, darkness / 0.55))
    return followed_light(lit.astype(np.float32) / 200, shows)


def _others(flat: Floats, modes: Modes, paper: Floats, main: Surface) -> tuple[Surface, ...]:
    """List the further surfaces on which shreds may lie: even, darker than paper, not enclosed by it."""
    known = lab_of(main.colour)
    further = [
        colour
        for colour, share in modes
        if share >= OTHER_SHARE and is_darker(colour, paper) and np.linalg.norm(lab_of(colour) - known) >= MODE_RADIUS
    ]
    if not further:
        return ()
    values = lab(flat)
    colours = [paper, main.colour, *further]
    label = np.argmin([np.linalg.norm(values - lab_of(colour), axis=2) for colour in colours], axis=0)
    on_paper = enclosed((label == 0).astype(np.uint8))
    kept = []
    for index, colour in enumerate(further, start=2):
        mask = cv2.morphologyEx((label == index).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
        surface = Surface(colour, is_coloured(colour, paper))
        blurred = mask.sum() <= BROAD_SHARE * (label == index).sum()
        shaded = main.coloured and is_printed(mask, flat, colour)
        if not (blurred or shaded or on_paper[mask].mean() >= PICTURE_SHARE or is_within(mask)):
            kept.append(surface)
    return tuple(kept)


def _nearest(flat: Floats, paper: Floats, surfaces: tuple[Surface, ...]) -> Pixels:
    """Find which surface shows nearest to each place."""
    values = lab(flat)
    apart = np.stack([np.linalg.norm(values - lab_of(one.colour), axis=2) for one in surfaces])
    choice = apart.argmin(axis=0).astype(np.uint8)
    least = apart.min(axis=0)
    shows = (least < 1.5 * MODE_RADIUS) & (least < np.linalg.norm(values - lab_of(paper), axis=2))
    sure = np.zeros(choice.shape, np.bool_)
    for index in range(len(surfaces)):
        one = cv2.morphologyEx(((choice == index) & shows).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        if index:
            _, labels, boxes, _ = cv2.connectedComponentsWithStats(one, connectivity=8)
            grey = not surfaces[index].coloured and surfaces[index].colour.mean() > DARK * paper.mean()
            large = boxes[:, cv2.CC_STAT_AREA] >= (GREY_SHARE if grey else SURFACE_SHARE) * choice.size
            large[0] = False
            sure |= large[labels]
        else:
            sure |= one > 0
    if not sure.any():
        return np.zeros_like(choice)
    _, labels = cv2.distanceTransformWithLabels(
        (~sure).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    of_label = np.zeros(int(labels.max()) + 1, np.uint8)
    of_label[labels[sure]] = choice[sure]
    return of_label[labels]


def coverage(pixels: Pixels, background: Background) -> Floats:
    """Compute how much of each pixel shows the background, in the light that falls there.

    A pixel mixes paper, ink and background. On a coloured background the chroma that neither paper nor ink has
    measures the background's part; on a grey or black one the darkness does. What paper and background look like is
    followed over the sheet, so that uneven light does not matter. Of several surfaces the nearest one counts.

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
    small, flat, light = background.small, background.flat, None
    if np.ptp(background.light) > UNEVEN:
        light = np.asarray(cv2.resize(background.light, pixels.shape[1::-1]), np.float32)
        small = flat
    sheet = Lit(pixels, light, small, flat)
    whole = np.zeros(pixels.shape[:2], np.float32)
    for index, surface in enumerate(background.surfaces):
        there = background.nearest == index
        part = _part(sheet, there, surface, background.paper)
        if len(background.surfaces) == 1:
            return part
        if surface.coloured and not background.is_pale(surface):
            np.maximum(whole, part, out=whole)  # neither paper nor ink looks like it anywhere
            continue
        # Where two surfaces meet, either may show: what covers more counts.
        near = cv2.dilate(there.astype(np.uint8), np.ones((5, 5), np.uint8))
        near = cv2.resize(near, (pixels.shape[1], pixels.shape[0]), interpolation=cv2.INTER_NEAREST)
        np.maximum(whole, part, out=whole, where=near > 0)
    return whole


def nearest_surface(background: Background, shape: tuple[int, ...]) -> Pixels:
    """Tell for each pixel of a sheet which surface shows nearest to it.

    Parameters
    ----------
    background : Background
        The surfaces.
    shape : tuple of int
        Height and width of the sheet.

    Returns
    -------
    ndarray of shape (h, w), uint8
    """
    size = (shape[1], shape[0])
    return np.asarray(cv2.resize(background.nearest, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def _part(sheet: Lit, there: Mask, surface: Surface, paper: Floats) -> Floats:
    """Compute how much of each pixel shows one surface."""
    full = surface.colour - paper
    if not surface.coloured:
        return _shares(sheet, there, (full, paper))[0]
    hue = chroma_beside(surface.colour, paper), None
    contrast = -float(full @ LUMINANCE)
    if contrast < SHARP_CONTRAST:
        beside = beside_hue(full)
        if beside is None:
            return _shares(sheet, there, hue)[0]
        by_colour, by_other = _shares(sheet, there, hue, (beside, paper))
        by_colour[under_marker(by_colour, by_other)] = 0
        return by_colour
    scale = -contrast * LUMINANCE / float(LUMINANCE @ LUMINANCE)
    by_colour, by_light = _shares(sheet, there, hue, (scale, paper))
    # Where colour says clearly that it is the background, brightness says how much of it.
    for colour, light in zip(bands(by_colour), bands(by_light), strict=True):
        np.minimum(light, np.minimum(colour, 0.3) + 3.5 * np.maximum(colour - 0.3, 0), out=light)
    return by_light


def _shares(sheet: Lit, there: Mask, *directions: tuple[Floats, Floats | None]) -> list[Floats]:
    """Measure pixels along directions, 0 on paper and 1 on a surface, in the light that falls there.

    With each direction stands the colour of paper, at which it begins; None for black.
    """
    weights = []
    for direction, paper in directions:
        square = float(direction @ direction)
        offset = 0.0 if paper is None else -float(direction @ paper) / square
        weights.append(np.append(direction / square, offset).astype(np.float32)[None, :])
    parts = sheet.along(weights)
    size, new = parts[0].shape[::-1], np.empty_like(parts[0])  # once: new memory takes longer than writing into it
    for part, along, (_, paper) in zip(parts, weights, directions, strict=True):
        coarse, even = (np.asarray(cv2.transform(image, along), np.float32) for image in (sheet.small, sheet.flat))
        of_background = local_mean(coarse, there & (even > 0.6) & (even < 1.5), 1.0)
        if paper is None:
            part /= cv2.resize(of_background, size, dst=new)
            continue
        of_paper = local_mean(coarse, even < 0.4, 0.0)
        part -= cv2.resize(of_paper, size, dst=new)
        part /= cv2.resize(np.maximum(of_background - of_paper, LEAST_CONTRAST), size, dst=new)
    return parts

"""Which of the even surfaces on a sheet is paper, and on which it mainly lies."""

from dataclasses import dataclass

import cv2
import numpy as np

from core.arrays import Array, Floats, Mask
from core.shreds.ground.surfaces import MODE_RADIUS, lab, lab_of

SUPPORT_SHARE = 0.25
"""A coloured support sheet shows at least this much of itself against the scanner's lid."""

MIN_CHROMA = 14.0
"""A surface that differs from grey by more than this (of 255) is told from ink and shadow by its colour alone."""

MIN_CONTRAST = 0.11
"""A surface's darkest channel lies at least this far, as a share, under that of the paper."""

WHITE = 200
"""A sheet that is brighter than this all over is white on white, or bare."""

AT_FRAME = 0.02
"""What shows along more than this share of the sheet's edges goes on beyond it, as what shreds lie on does."""

FRAME_PX = 3
"""So broad are the edges of the reduced sheet."""

BROADER_THAN_SHREDS = 44
"""What is as broad as so many pixels of the reduced sheet (15 mm) is no shred, whatever lies on it."""

BROADER_THAN_RIMS = 5
"""What is narrower than so many pixels of the reduced sheet (2 mm) mixes the colours of what lies on both its sides."""

RIM_SHARE = 0.02
"""Such rims take up less than this share of a sheet's even areas."""

UNPRINTED = 0.002
"""Ink takes up less than this part of what bears no print: some grain, or dirt."""

SPARSELY_PRINTED = 0.003
"""It takes up at least this part of shreds that bear some print."""

PRINTED = 0.015
"""And this of those with print all over."""

INK = 0.6
"""Ink is darker than this share of what it is printed on."""

NEAR_MODE = 1.5
"""What lies within so many times `MODE_RADIUS` of its colour shows a surface."""

LEAST_APART = 4.0
"""Two surfaces that pass for one differ in lightness at least by so much (weighted, see `lab`)."""

LIGHTNESS_STEP = 0.5
"""In such steps it is counted how often each lightness occurs."""

VALLEY = 0.25
"""Of lightness between theirs there is less than this share of the rarer of the two."""


@dataclass(frozen=True, eq=False)
class Surface:
    """One of the surfaces on which shreds lie.

    Attributes
    ----------
    colour : ndarray of shape (3,), float32
        RGB, 0 to 255.
    coloured : bool
        Whether its hue tells it from both paper and ink; a grey or black one can be confused with ink.
    """

    colour: Floats
    coloured: bool


Modes = list[tuple[Floats, float]]
"""Colours of even surfaces and their shares, see `even_surfaces`."""


def paper_and_main(flat: Floats, modes: Modes, picked: Floats | None = None) -> tuple[Floats, Surface] | None:
    """Choose the paper and the main surface under it.

    The whitest surface is the paper, unless it is plainly what coloured paper lies on. Of the others the largest is
    the main one; but a coloured one that is not much smaller is a support sheet, and the larger the lid beside it.

    Parameters
    ----------
    flat : ndarray of shape (h, w, 3), float32
        The reduced sheet.
    modes : list of (colour, share)
        Its even surfaces, the largest first.
    picked : ndarray of shape (3,), float32, optional
        RGB of the main surface, if the examiner said so.

    Returns
    -------
    (paper, main) or None
        RGB of the paper, (3,) float32, and the surface; None where everything is as white as paper.
    """
    if picked is not None:
        modes = [one for one in modes if np.linalg.norm(lab_of(one[0]) - lab_of(picked)) >= MODE_RADIUS]
    if not modes:
        return None
    colours = [colour for colour, _ in modes]
    whitest = _whitest(flat, modes)
    paper = colours[whitest]
    if picked is not None:
        return paper, Surface(picked, is_coloured(picked, paper))
    on_paler = _coloured_paper(flat, colours, whitest)
    if on_paler is not None:
        return on_paler, Surface(paper, is_coloured(paper, on_paler))
    distinct = [(colour, share) for colour, share in modes if colour is not paper and is_darker(colour, paper)]
    if not distinct:
        if _whiteness(paper) >= WHITE:
            return None
        distinct, paper = modes, np.full(3, 250, np.float32)
    large = [colour for colour, share in distinct if share >= SUPPORT_SHARE * distinct[0][1]]
    coloured = [colour for colour in large if is_coloured(colour, paper)]
    return paper, Surface((coloured or large)[0], bool(coloured))


def _whiteness(colour: Floats) -> float:
    """Rate how much a colour looks like paper: its darkest channel."""
    return float(colour.min())


def _whitest(flat: Floats, modes: Modes) -> int:
    """Find the whitest surface, but for rims: bright paper mixed with a bright surface may be whiter than both."""
    colours = [colour for colour, _ in modes]
    order = sorted(range(len(colours)), key=lambda number: -_whiteness(colours[number]))
    for number in order:
        if modes[number][1] >= RIM_SHARE or _broad_parts(_showing(flat, colours)[number]).any():
            return number
    return order[0]


def _coloured_paper(flat: Floats, colours: list[Floats], whitest: int) -> Floats | None:
    """Find paper that is darker than what it lies on: strips with print, on something bare that goes on beyond them."""
    if not _meets_frame(flat, colours, whitest):
        return None
    shown = _showing(flat, colours)
    if not _bare_beyond(shown[whitest], flat, colours[whitest]):
        return None
    strips = [
        (int(where.sum()), number)
        for number, (colour, where) in enumerate(zip(colours, shown, strict=True))
        if number != whitest and _at_frame(where) < AT_FRAME and _are_strips(where, flat, colour)
    ]
    return colours[max(strips)[1]] if strips else None


def part_whitest(flat: Floats, modes: Modes) -> Modes:
    """Part white paper from a surface so pale that both pass for one: it bears no print, and goes on beyond the sheet.

    Parameters
    ----------
    flat : ndarray of shape (h, w, 3), float32
        The reduced sheet.
    modes : list of (colour, share)
        Its even surfaces.

    Returns
    -------
    list of (colour, share)
        The largest first; as they were, if the whitest one is one.
    """
    if not modes:
        return modes
    colours, whitest = [colour for colour, _ in modes], _whitest(flat, modes)
    if not _meets_frame(flat, colours, whitest):
        return modes
    where = _showing(flat, colours)[whitest]
    lightness = lab(flat)[..., 0]
    limit = _valley(lightness[where])
    if limit is None:
        return modes
    sides = [_broad_parts(where & (lightness < limit)), where & (lightness >= limit)]
    if not sides[0].any():
        return modes
    darker, paper = (np.median(flat[side], axis=0).astype(np.float32) for side in sides)
    parted = is_darker(darker, paper) and _are_strips(sides[1], flat, paper)
    if not (parted and _bare_beyond(sides[0], flat, darker)):
        return modes
    part = float(sides[1].sum() / where.sum())
    others, share = modes[:whitest] + modes[whitest + 1 :], modes[whitest][1]
    return sorted([*others, (paper, part * share), (darker, (1 - part) * share)], key=lambda mode: -mode[1])


def _valley(lightness: Floats) -> float | None:
    """Find the lightness that parts two frequent ones, if there are two."""
    counts = np.bincount((lightness / LIGHTNESS_STEP).astype(np.intp)).astype(np.float32)
    smooth = cv2.GaussianBlur(counts[None], (0, 0), 1 / LIGHTNESS_STEP, borderType=cv2.BORDER_CONSTANT)[0]
    first = int(smooth.argmax())
    apart = round(LEAST_APART / LIGHTNESS_STEP)
    away = np.abs(np.arange(len(smooth)) - first) >= apart
    if not away.any():
        return None
    second = int(np.where(away, smooth, -1).argmax())
    low, high = sorted((first, second))
    least = low + int(smooth[low : high + 1].argmin())
    return (least + 0.5) * LIGHTNESS_STEP if smooth[least] < VALLEY * smooth[second] else None


def _showing(flat: Floats, colours: list[Floats]) -> list[Mask]:
    """Mark where each of some surfaces shows."""
    values = lab(flat)
    apart = np.stack([np.linalg.norm(values - lab_of(colour), axis=2) for colour in colours])
    nearest, near = apart.argmin(axis=0), apart.min(axis=0) < NEAR_MODE * MODE_RADIUS
    return [near & (nearest == number) for number in range(len(colours))]


def _bare_beyond(where: Mask, flat: Floats, colour: Floats) -> bool:
    """Check whether a surface bears no print, is broader than shreds, and goes on beyond the sheet."""
    at_frame, broad = _at_frame(where) >= AT_FRAME, _breadth_px(where) > BROADER_THAN_SHREDS
    return at_frame and broad and _ink_share(where, flat, colour) < UNPRINTED


def _are_strips(where: Mask, flat: Floats, colour: Floats) -> bool:
    """Check whether a surface bears some print, and is no broader than shreds."""
    return _breadth_px(where) <= BROADER_THAN_SHREDS and _ink_share(where, flat, colour) >= SPARSELY_PRINTED


def _meets_frame(flat: Floats, colours: list[Floats], number: int) -> bool:
    """Check whether one of some surfaces goes on beyond the sheet."""
    return bool(_showing(_edges(flat), colours)[number].mean() >= AT_FRAME)


def _at_frame(where: Mask) -> float:
    """Compute the share of the sheet's edges along which a surface shows."""
    return float(_edges(where).mean())


def _edges(image: Array) -> Array:
    """Return the pixels along the edges of a reduced sheet, (n, 1, …)."""
    inner = image[FRAME_PX:-FRAME_PX]
    parts = (image[:FRAME_PX], image[-FRAME_PX:], inner[:, :FRAME_PX], inner[:, -FRAME_PX:])
    return np.concatenate([part.reshape(-1, 1, *image.shape[2:]) for part in parts])


def _broad_parts(where: Mask) -> Mask:
    """Leave out what is narrow: blurred print, and rims, which are as dark as what lies on both sides of them mixed."""
    window = np.ones((BROADER_THAN_RIMS, BROADER_THAN_RIMS), np.uint8)
    return np.asarray(cv2.morphologyEx(where.astype(np.uint8), cv2.MORPH_OPEN, window) > 0)


def _breadth_px(where: Mask) -> float:
    """Measure how broad a surface is where it is broadest."""
    if where.all():
        return float(max(where.shape))
    return float(2 * cv2.distanceTransform(where.astype(np.uint8), cv2.DIST_L2, 5).max())


def _ink_share(where: Mask, flat: Floats, colour: Floats) -> float:
    """Compute the share of a surface, with the gaps in it, that is as dark as ink."""
    closed = cv2.morphologyEx(where.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)) > 0
    return float((closed & (flat.mean(axis=2) < INK * colour.mean())).sum() / max(1, int(closed.sum())))


def is_printed(surface: Mask, flat: Floats, colour: Floats) -> bool:
    """Check whether a surface bears ink and is no broader than shreds: it is paper in less light, or under a marker.

    Parameters
    ----------
    surface : ndarray of shape (h, w), bool
        Where it shows on the reduced sheet.
    flat : ndarray of shape (h, w, 3), float32
        The reduced sheet in even light.
    colour : ndarray of shape (3,), float32
        Of the surface, RGB.

    Returns
    -------
    bool
    """
    return _breadth_px(surface) <= BROADER_THAN_SHREDS and _ink_share(surface, flat, colour) > PRINTED


def is_within(surface: Mask) -> bool:
    """Check whether a surface ends within the sheet and is no broader than shreds: it is on them, as coloured ink is.

    Parameters
    ----------
    surface : ndarray of shape (h, w), bool
        Where it shows on the reduced sheet.

    Returns
    -------
    bool
    """
    return _at_frame(surface) < AT_FRAME and _breadth_px(surface) <= BROADER_THAN_SHREDS


def is_darker(colour: Floats, paper: Floats) -> bool:
    """Check whether a surface is darker than paper in one channel at least.

    Parameters
    ----------
    colour, paper : ndarray of shape (3,), float32
        RGB.

    Returns
    -------
    bool
    """
    return bool((1 - colour / np.maximum(paper, 1)).max() >= MIN_CONTRAST)


def chroma_beside(colour: Floats, paper: Floats) -> Floats:
    """Compute the part of a colour that no mixture of paper and black ink has.

    Parameters
    ----------
    colour, paper : ndarray of shape (3,), float32
        RGB.

    Returns
    -------
    ndarray of shape (3,), float32
        At right angles to paper's colour.
    """
    axis = paper / np.linalg.norm(paper)
    return (colour - (colour @ axis) * axis).astype(np.float32)


def is_coloured(colour: Floats, paper: Floats) -> bool:
    """Check whether a surface's hue tells it from paper and ink.

    Parameters
    ----------
    colour, paper : ndarray of shape (3,), float32
        RGB.

    Returns
    -------
    bool
    """
    chroma = float(np.linalg.norm(chroma_beside(colour, paper))) * 250 / max(float(paper.max()), 1.0)
    return chroma >= MIN_CHROMA

"""What a picture shows: a sheet on which shreds lie, or a single shred, with or without something around it."""

from typing import Literal, TypeAlias

import cv2
import numpy as np

from core.arrays import Doubles, Mask, Pixels
from core.sheets.resolution import ELONGATED

CutOut: TypeAlias = Literal["shred", "shreds", "sheet"]

_GLANCE_PX = 500
_PART_SHARE = 0.02
_SHEET_SHARE = 0.85
_EDGE_PX = 2
_RIM_PX = 9
_SAME_COLOUR = 40
_UNIFORM_SHARE = 0.85
_PAPER_SHARE = 0.3
_COLOURFUL = 60
_COLOURED_EDGE_SHARE, _USUAL_EDGE_SHARE, _INSIDE_SHARE = 0.08, 0.3, 0.03
_BIN = 16
_WHITE = 230
_FILLED, _EXACT, _FLAT_SHARE = 24, 3, 0.7
_BLOCKS, _BLOCK_PX, _CELLS, _CELL_PX = 24, 60, 160, 4
_LIGHTEST, _APART = 90, 24
_BANDS, _BANDS_SHARE = 5, 0.6
_WHITEST, _STEADY_CELLS, _LIES_SHARE, _BESIDE_SHARE = 95, 4, 0.4, 0.15
_SUPPORTS = np.array([(0, 90, 200), (250, 200, 60)])


def is_elongated(size_px: tuple[int, int]) -> bool:
    """Check whether a picture is so much longer than wide, or wider than long, that no scanner's bed is like it.

    Parameters
    ----------
    size_px : tuple of int
        Width and height.

    Returns
    -------
    bool
    """
    return max(size_px) >= ELONGATED * min(size_px)


def cut_out(alpha: Pixels) -> CutOut:
    """Find what opacity leaves of a picture.

    Parameters
    ----------
    alpha : ndarray of shape (h, w), uint8
        Opacity, some of it over 127.

    Returns
    -------
    {"shred", "shreds", "sheet"}
        One piece that is long, or that has nothing of a sheet's rectangle; several pieces; or all of a sheet but for
        its corners, or for holes.

    Examples
    --------
    >>> alpha = np.zeros((900, 500), np.uint8)
    >>> alpha[50:850, 60:140] = 255
    >>> cut_out(alpha)
    'shred'
    >>> alpha[50:850, 260:340] = 255
    >>> cut_out(alpha)
    'shreds'
    """
    opaque = _reduced((alpha > 127).astype(np.uint8))
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(opaque, connectivity=8)
    areas = boxes[1:, cv2.CC_STAT_AREA]
    large = 1 + np.flatnonzero(areas >= _PART_SHARE * areas.max())
    if len(large) > 1:
        return "shreds"
    outline = cv2.findNonZero((labels == large[0]).astype(np.uint8))
    sides = sorted(cv2.minAreaRect(outline)[1])
    if sides[1] + 1 >= ELONGATED * (sides[0] + 1):
        return "shred"
    return "sheet" if areas.max() >= _SHEET_SHARE * opaque.size else "shred"


def on_support(pixels: Pixels, alpha: Pixels) -> Pixels:
    """Lay what opacity leaves of a picture on a support, so that its paper can be told from nothing.

    Shreds that were cut out get a colour unlike theirs, a sheet that lacks its corners the colour beside these.

    Parameters
    ----------
    pixels : ndarray of shape (h, w) or (h, w, 3), uint8
        Grey or RGB.
    alpha : ndarray of shape (h, w), uint8
        Opacity.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8
        A new array.
    """
    coloured = cv2.cvtColor(pixels, cv2.COLOR_GRAY2RGB) if pixels.ndim == 2 else pixels
    opaque = alpha > 127
    if cut_out(alpha) == "sheet":
        rim = opaque & (cv2.erode(opaque.astype(np.uint8), np.ones((_RIM_PX, _RIM_PX), np.uint8)) == 0)
        support = np.median(coloured[rim if rim.any() else opaque], axis=0)
    else:
        paper = np.median(coloured[opaque], axis=0)
        support = _SUPPORTS[np.abs(_SUPPORTS - paper).sum(axis=1).argmax()]
    return np.where(opaque[..., np.newaxis], coloured, support.astype(np.uint8))


def is_paper_all_over(pixels: Pixels) -> bool:
    """Check that a long picture shows a shred from edge to edge, and not one that lies on something.

    What a shred lies on shows along both long sides in one colour, with something else between them; or, where a
    slanting shred was cut out of a scan, in some corners in a colour that is not on the shred.

    Parameters
    ----------
    pixels : ndarray of shape (h, w) or (h, w, 3), uint8
        Grey or RGB.

    Returns
    -------
    bool

    Examples
    --------
    >>> shred = np.full((800, 80, 3), 250, np.uint8)
    >>> is_paper_all_over(shred)
    True
    >>> shred[:, :8] = shred[:, -8:] = 250, 200, 60
    >>> is_paper_all_over(shred)
    False
    """
    return support_colour(pixels) is None


def is_single_shred(pixels: Pixels) -> bool:
    """Check that a long picture shows one shred and nothing real beside it, so that its paper is known at once.

    Parameters
    ----------
    pixels : ndarray of shape (h, w) or (h, w, 3), uint8
        Grey or RGB.

    Returns
    -------
    bool
    """
    if is_paper_all_over(pixels):
        return not shows_bands(pixels) and not shows_strips(pixels)
    return cut_out_on_a_colour(pixels) is not None


def shows_bands(pixels: Pixels) -> bool:
    """Check whether two colours take turns across a long picture, nearly all along: shreds beside one another.

    They may reach over both its long sides, as on a part of a scan. Print is no colour of its own: of each place the
    lightest counts.

    Parameters
    ----------
    pixels : ndarray of shape (h, w) or (h, w, 3), uint8
        Grey or RGB.

    Returns
    -------
    bool

    Examples
    --------
    >>> scan = np.full((800, 240, 3), (255, 245, 170), np.uint8)
    >>> scan[:, :50] = scan[:, 90:140] = scan[:, 190:] = 250
    >>> shows_bands(scan), shows_bands(scan[:, :120])
    (True, False)
    """
    colours = _lightest(pixels)
    off = (colours - colours.mean(axis=(0, 1))).reshape(-1, colours.shape[2])
    along = np.round(off @ np.linalg.svd(off, full_matrices=False)[2][0])
    level, _ = cv2.threshold((along - along.min()).astype(np.uint16), 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    first = (along - along.min() > level).reshape(colours.shape[:2])
    if first.all() or not first.any():
        return False
    middles = [np.median(colours[those], axis=0) for those in (first, ~first)]
    alike = [
        (distance(colours[those], middle) <= _SAME_COLOUR).mean()
        for those, middle in zip((first, ~first), middles, strict=True)
    ]
    if distance(*middles) < _APART or min(alike) < _UNIFORM_SHARE:
        return False
    n_bands = 1 + (first[:, 1:] != first[:, :-1]).sum(axis=1)
    return bool((n_bands >= _BANDS).mean() >= _BANDS_SHARE)


def shows_strips(pixels: Pixels) -> bool:
    """Check whether paper lies along a long picture with something darker on both sides of it: a part of a scan.

    Print is no colour of its own: of each place the lightest counts.

    Parameters
    ----------
    pixels : ndarray of shape (h, w) or (h, w, 3), uint8
        Grey or RGB.

    Returns
    -------
    bool

    Examples
    --------
    >>> scan = np.full((800, 240, 3), (255, 245, 170), np.uint8)
    >>> scan[:, 90:130] = 250
    >>> shows_strips(scan), shows_strips(scan[:, 90:130])
    (True, False)
    """
    colours = _lightest(pixels)
    white = colours.min(axis=2)  # paper is whiter than what it lies on, whatever the colour of either
    beside = float(np.median(white[:, (0, -1)], axis=0).max())
    whitest = float(np.percentile(white, _WHITEST))
    if whitest - beside < _APART:
        return False
    paper = white >= whitest - min((whitest - beside) / 2, _SAME_COLOUR)
    if (~paper).mean() < _BESIDE_SHARE:  # the shadow along the cuts of one shred
        return False
    alike = (distance(colours[paper], np.median(colours[paper], axis=0)) <= _SAME_COLOUR).mean()
    ends = np.stack([paper.argmax(axis=1), paper[:, ::-1].argmax(axis=1)], axis=1)
    shown = ~paper[:, (0, -1)] & paper.any(axis=1, keepdims=True)  # in each row, whether the paper ends on either side
    both = shown[1:] & shown[:-1]
    steady = (np.abs(np.diff(ends, axis=0))[both] <= _STEADY_CELLS).mean() if both.any() else 0.0
    ended = (shown.any(axis=1) | ~paper.any(axis=1)).mean()
    return bool(min(alike, steady, ended) >= _UNIFORM_SHARE and shown.all(axis=1).mean() >= _LIES_SHARE)


def _lightest(pixels: Pixels) -> Doubles:
    """Find the lightest colour of each place of a long picture, (rows, columns, channels)."""
    upright = _upright(pixels)
    size = min(upright.shape[1], _CELLS * _CELL_PX), min(upright.shape[0], _BLOCKS * _BLOCK_PX)
    glance = cv2.resize(upright, size, interpolation=cv2.INTER_AREA).reshape(*size[::-1], -1)
    tall, wide = size[1] // _BLOCKS, min(_CELL_PX, size[0])
    rows, columns = size[1] // tall, size[0] // wide
    cells = glance[: rows * tall, : columns * wide].reshape(rows, tall, columns, wide, -1)
    return np.asarray(np.percentile(cells, _LIGHTEST, axis=(1, 3)))


def support_colour(pixels: Pixels) -> Pixels | None:
    """Find the colour of what a shred lies on, on a long picture of one; see `is_paper_all_over`.

    Parameters
    ----------
    pixels : ndarray of shape (h, w) or (h, w, 3), uint8
        Grey or RGB.

    Returns
    -------
    ndarray of shape (3,), uint8, or None
        RGB; None where there is nothing but the shred.
    """
    glance = _reduced(_upright(pixels)).astype(np.int16)
    glance = np.repeat(glance[..., np.newaxis], 3, axis=2) if glance.ndim == 2 else glance
    edge = max(1, min(_EDGE_PX, glance.shape[1] // 8))
    sides = glance[:, :edge], glance[:, -edge:]
    inside = glance[:, edge:-edge] if glance.shape[1] > 2 * edge else glance
    framing, in_corners = _framing(sides, inside), _in_corners(sides, inside)
    found = in_corners if framing is None else framing
    if found is None or found.min() >= _WHITE:  # white paper around a picture on it
        return None
    return np.round(found).astype(np.uint8)


def cut_out_on_a_colour(pixels: Pixels) -> Mask | None:
    """Find the paper on a long picture that a program cut out and filled up with one colour, as no scanner sees it.

    Parameters
    ----------
    pixels : ndarray of shape (h, w) or (h, w, 3), uint8
        Grey or RGB.

    Returns
    -------
    ndarray of shape (h, w), bool, or None
        Where there is paper; None where it lies on something real, or fills the picture.

    Examples
    --------
    >>> pixels = np.zeros((800, 80, 3), np.uint8)
    >>> pixels[:, 10:60] = 250
    >>> int(cut_out_on_a_colour(pixels)[400].sum())
    50
    """
    colour = support_colour(pixels)
    if colour is None:
        return None
    coloured = np.repeat(pixels[..., np.newaxis], 3, axis=2) if pixels.ndim == 2 else pixels
    far = distance(coloured.astype(np.int16), colour.astype(np.int16))
    around = _touching_the_edge(far <= _FILLED)
    exact = (far <= _EXACT) & around
    is_flat = exact.sum() >= _FLAT_SHARE * around.sum() and not around.all()
    return ~around if is_flat and cut_out(np.where(around, 0, 255).astype(np.uint8)) == "shred" else None


def distance(pixels: np.ndarray, colour: np.ndarray) -> np.ndarray:
    """Compute by how much the channel that differs most differs from a colour.

    Parameters
    ----------
    pixels : ndarray of shape (…, channels)
        Of a type that holds differences: not of bytes.
    colour : ndarray of shape (channels,)
        One of them.

    Returns
    -------
    ndarray of shape (…,)
    """
    return np.asarray(np.abs(pixels - colour).max(axis=-1))


def _upright(pixels: Pixels) -> Pixels:
    """Let a long picture run down."""
    return np.ascontiguousarray(pixels if pixels.shape[0] >= pixels.shape[1] else pixels.swapaxes(0, 1))


def _touching_the_edge(mask: Mask) -> Mask:
    """Keep the parts of a mask that reach the edge of the picture."""
    _, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=4)
    edge = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    touching = np.zeros(labels.max() + 1, bool)
    touching[edge] = True
    touching[0] = False
    return touching[labels]


def _framing(sides: tuple[np.ndarray, np.ndarray], inside: np.ndarray) -> np.ndarray | None:
    """Find one colour along both sides with much of another between them."""
    colours = [np.median(side.reshape(-1, 3), axis=0) for side in sides]
    if distance(*colours) > _SAME_COLOUR:
        return None
    uniform = min((distance(side, colours[0]) <= _SAME_COLOUR).mean() for side in sides)
    differs = (distance(inside, colours[0]) > _SAME_COLOUR).mean()
    return colours[0] if uniform >= _UNIFORM_SHARE and differs >= _PAPER_SHARE else None


def _in_corners(sides: tuple[np.ndarray, np.ndarray], inside: np.ndarray) -> np.ndarray | None:
    """Find a strong colour, or one that is very frequent, along the sides that hardly occurs in the middle."""
    edges = np.concatenate([side.reshape(-1, 3) for side in sides])
    third = inside.shape[1] // 3
    middle = inside[:, third : inside.shape[1] - third]
    colourful = edges[np.ptp(edges, axis=1) > _COLOURFUL]
    bins, counts = np.unique(edges // _BIN, axis=0, return_counts=True)
    usual = np.median(edges[(edges // _BIN == bins[counts.argmax()]).all(axis=1)], axis=0)
    strong = np.median(colourful, axis=0) if len(colourful) else usual
    for colour, least in ((strong, _COLOURED_EDGE_SHARE), (usual, _USUAL_EDGE_SHARE)):
        share = (distance(edges, colour) <= _SAME_COLOUR).mean()
        is_strong = np.ptp(colour) > _COLOURFUL or least == _USUAL_EDGE_SHARE
        if is_strong and share >= least and (distance(middle, colour) <= _SAME_COLOUR).mean() <= _INSIDE_SHARE:
            return np.asarray(colour)
    return None


def _reduced(image: Pixels) -> Pixels:
    """Reduce to what a glance takes in; a long picture keeps its width longer than its length."""
    height, width = image.shape[:2]
    shorter = min(height, width, 64)
    scale_y, scale_x = max(1, height / _GLANCE_PX), max(1, width / _GLANCE_PX)
    size = max(shorter, round(width / scale_x)), max(shorter, round(height / scale_y))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)

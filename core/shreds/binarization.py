"""Ink told from paper: what is dark, and what is faint or coloured but stands out from its paper."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from core.arrays import Doubles, Floats, Mask, Pixels, blocks
from core.options import BinarizationOptions

DYNAMIC_RANGE = 128.0
"""Sauvola's R, half the range of grey values."""

AS_DARK = 0.5
"""What is darker than this share of its paper is ink however small, since a full stop is no larger than a speck."""

REDUCTION = 2
"""Faint ink is sought on the shred reduced by this: what is thinner than two pixels is a hair or a scanner's streak."""

FAINTEST = 0.1
"""Something as faint as this, as a share of its paper, is shadow, dirt, or the print of the back."""

OVER_NOISE = 6.0
"""It also stands out by more than so many standard deviations of the paper's grain."""

MARK_PX = 12
"""A faint mark covers at least so many pixels of the reduced shred (0.3 mm²); smaller ones are specks."""

MARKS_PX = 100
"""All of them together cover at least so many (3 mm²), or the shred is blank but for some dirt."""

STREAK_PX = (150, 6)
"""What is longer than this along the shred and on average narrower than that is a scanner's streak, or a rule."""

FRINGE_PX = 6
"""As far as this from what is dark, what is connected with it is looked for before all else is."""

STREAK_GAP_PX = 9
"""Gaps shorter than this do not part a streak."""

RIM_PX = 3
"""So near to its edge the paper is in shadow, or shows its fibres."""

WITH_MARK = 0.4
"""What shows this share of the usual contrast of faint marks is part of them, or a fainter one."""

PRINTED = 0.8
"""Faint marks are made as dark as print is, as a share of the paper."""

NEAR_PX = (17, 11)
"""Faint ink lies within half of this, across and down, of the marks, which end short of the paper's edge."""

MOSTLY_FAINT = 0.2
"""Where brightness shows less ink than this share of the marks, the shred is faint as a whole: hairlines count too."""

BLOCK_ROWS = 64
"""The paper's colour is read in blocks of so many rows of the reduced shred."""

BLOCKS_AROUND = 4
"""It changes slowly: so many blocks to either side count as well."""

EVEN = 0.9
"""Light falls so evenly on a shred that paper is nowhere darker than this share; what is, is printed over."""

BRIGHTER = 75
"""Per cent of a block that paper is brighter than: ink covers less than the rest in most places."""


CLEARLY = 1.1
"""Another channel is read if it shows more than so many times as much."""

WHITE = 240.0
"""Paper that is darker than this, deep in colour or scanned dark, is made white before ink is told by its brightness:
beyond the shred all is white, and against that Sauvola's threshold would take the paper along every cut for ink."""

DARKEST_PAPER = 160.0
"""Paper is at least this bright; what is darker as a whole is printed all over."""

_AT_HAND_PX = 1 << 14
"""So many numbers are worked on at a time: few enough for the processor to keep all that is made of them at hand."""

GREY = np.array((0.299, 0.587, 0.114), np.float32)
"""What the channels add to the brightness."""


@dataclass(frozen=True, eq=False)
class _Reduced:
    """A shred, reduced, against its own paper.

    `small` has shape (h / 2, w / 2, 3), uint8; `whole` is where there is paper all over a pixel, `inner` is paper away
    from its edge, `paper` its colour row by row.
    """

    small: Pixels
    whole: Mask
    inner: Mask
    paper: Floats

    def brightness(self) -> float:
        """Compute how bright the paper is, 0 to 255."""
        return float(np.median(self.paper @ GREY))

    def shown(self) -> Pixels:
        """Compute how much darker each place is than paper, (h / 2, w / 2, 4), as `_against_paper` does."""
        darker = _against_paper(self.small, self.paper)
        darker[~self.whole] = 0
        return np.asarray(cv2.medianBlur(darker, 3), np.uint8)


@dataclass(frozen=True, eq=False)
class _Marks:
    """Faint marks: in which channel they show most, where they are, and how much darker than paper they are there."""

    channel: int
    where: Mask
    contrast: float


def sauvola_threshold(grey: Pixels, options: BinarizationOptions = BinarizationOptions()) -> Floats:
    """Compute the local threshold below which a pixel is ink.

    Bit for bit what `skimage.filters.threshold_sauvola` computes with r = 128, in a fifth of the time: sums over
    windows of whole numbers are exact either way.

    Parameters
    ----------
    grey : ndarray of shape (h, w), uint8
        Grey values; paper is bright.
    options : BinarizationOptions
        Window and sensitivity.

    Returns
    -------
    ndarray of shape (h, w), float32
        Threshold of every pixel, on the scale of the grey values.

    References
    ----------
    J. Sauvola and M. Pietikäinen, "Adaptive document image binarization", Pattern Recognition 33 (2000),
    DOI 10.1016/S0031-3203(99)00055-2.
    """
    side = options.window_px | 1
    sums, squares = (
        np.asarray(
            sum_over(grey, cv2.CV_32S, (side, side), normalize=False, borderType=cv2.BORDER_REFLECT_101), np.int32
        ).view(np.uint32)  # squares in the largest window need the 32nd bit
        for sum_over in (cv2.boxFilter, cv2.sqrBoxFilter)
    )
    threshold = np.empty(grey.shape, np.float32)
    for rows in blocks(len(grey), max(1, _AT_HAND_PX // grey.shape[1])):
        mean, spread = sums[rows] / side**2, squares[rows] / side**2
        spread -= mean * mean
        np.sqrt(np.maximum(spread, 0, out=spread), out=spread)
        spread /= DYNAMIC_RANGE
        spread -= 1
        spread *= options.k
        spread += 1
        np.multiply(mean, spread, out=threshold[rows])
    return threshold


def binarize(pixels: Pixels, mask: Mask, options: BinarizationOptions = BinarizationOptions()) -> Mask:
    """Separate ink from paper, whatever the colours of both.

    Ink as dark as print is told by the brightness. Marks in which there is nothing as dark, and of which brightness
    shows less than half, are read in the channel that shows them most, scaled so that they are as dark as print.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        A whole shred, RGB: how faint its ink is depends on all of it.
    mask : ndarray of shape (h, w), bool
        True where there is paper.
    options : BinarizationOptions
        Window and sensitivity.

    Returns
    -------
    ndarray of shape (h, w), bool
        True where there is ink; False on paper and beyond it.

    Examples
    --------
    >>> pixels = np.full((40, 40, 3), 240, np.uint8)
    >>> pixels[10:30, 18:21] = 60  # a stroke
    >>> ink = binarize(pixels, np.ones((40, 40), np.bool_))
    >>> np.flatnonzero(ink.any(axis=0))
    array([18, 19, 20])
    >>> pixels[10:30, 18:21] = 240
    >>> pixels = np.full((80, 80, 3), 240, np.uint8)
    >>> pixels[10:70, 34:42] = (240, 190, 200)  # a pale red one
    >>> ink = binarize(pixels, np.ones((80, 80), np.bool_))
    >>> np.flatnonzero(ink.any(axis=0))
    array([34, 35, 36, 37, 38, 39, 40, 41])
    """
    reduced = _reduced(pixels, mask)
    if reduced is None:
        return _darker(_grey(pixels), mask, options)
    height, width = mask.shape
    paper, shown = _resized(reduced.paper, 3, height), None
    if reduced.brightness() < WHITE:
        shown = _against_paper(pixels, paper)
    ink = _darker(_grey(pixels) if shown is None else 255 - shown[..., 3], mask, options)
    marks = _faint_marks(reduced, ink)
    if marks is None:
        return ink
    if shown is None:
        shown = _against_paper(pixels, paper)
    darkness = shown[..., marks.channel].astype(np.float32) * (PRINTED * 255 / marks.contrast)
    faint = _darker((255 - np.minimum(darkness, 255)).astype(np.uint8), mask, options)
    where = _resized(marks.where.astype(np.float32), width, height) > 0.5
    if ink.sum() < MOSTLY_FAINT * where.sum():
        where |= faint & (_resized(reduced.inner.astype(np.float32), width, height) > 0.5)
    near = cv2.dilate(where.astype(np.uint8), np.ones(NEAR_PX[::-1], np.uint8)) > 0
    return ink | (faint & near)


def is_blank(pixels: Pixels, mask: Mask) -> bool:
    """Check whether a shred bears no ink: nothing as dark as print, and no faint marks larger than specks.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        A whole shred, RGB.
    mask : ndarray of shape (h, w), bool
        True where there is paper.

    Returns
    -------
    bool
        Grain, fibres, streaks of the scanner, shadow along the cut and pale dirt are no ink.
    """
    grey = _white_beyond(_grey(pixels), mask)
    # The rim, where shadow and background blur in, does not count.
    inner = cv2.erode(mask.astype(np.uint8), np.ones((5, 5), np.uint8))
    darkest = cv2.minMaxLoc(cv2.GaussianBlur(grey, (5, 5), 0), inner)[0] if inner.any() else 255.0
    if darkest < AS_DARK * DARKEST_PAPER:
        return False
    reduced = _reduced(pixels, mask)
    usual = 255.0 if reduced is None else reduced.brightness()
    if darkest < AS_DARK * usual:
        return False
    return reduced is None or _faint_marks(reduced, np.zeros(mask.shape, np.bool_)) is None


def _darker(grey: Pixels, mask: Mask, options: BinarizationOptions) -> Mask:
    """Mark what is darker than Sauvola's threshold.

    Beyond the paper everything is white, as in the paper's own data: a dark background would drown faint ink.
    """
    grey = _white_beyond(grey, mask)
    return np.asarray((grey <= sauvola_threshold(grey, options)) & mask, dtype=np.bool_)


def _white_beyond(grey: Pixels, mask: Mask) -> Pixels:
    """Make everything beyond the paper white."""
    white = np.full(grey.shape, 255, np.uint8)
    return np.asarray(cv2.copyTo(grey, mask.astype(np.uint8), white), np.uint8)


def _resized(values: Floats, width: int, height: int) -> Floats:
    """Enlarge what was read on the reduced shred."""
    return np.asarray(cv2.resize(values, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _grey(pixels: Pixels) -> Pixels:
    """Compute the brightness of RGB pixels."""
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY), np.uint8)


def _reduced(pixels: Pixels, mask: Mask) -> _Reduced | None:
    """Reduce a shred, and set it against its paper; None if there is hardly any paper."""
    size = (mask.shape[1] // REDUCTION, mask.shape[0] // REDUCTION)
    if min(size) == 0:
        return None
    small = np.asarray(cv2.resize(np.ascontiguousarray(pixels), size, interpolation=cv2.INTER_AREA), np.uint8)
    whole = cv2.resize(mask.astype(np.uint8) * np.uint8(255), size, interpolation=cv2.INTER_AREA) == 255
    rim = np.ones((2 * RIM_PX + 1, 2 * RIM_PX + 1), np.uint8)
    inner = cv2.erode(whole.astype(np.uint8), rim, borderType=cv2.BORDER_CONSTANT, borderValue=0) > 0
    if inner.sum() < MARKS_PX:
        return None
    return _Reduced(small, whole, inner, _paper_by_row(small, inner))


def _paper_by_row(small: Pixels, inner: Mask) -> Floats:
    """Read the colour of the paper, row by row, (h, 3); where a photograph covers it, that of the rows around."""
    tops = np.arange(0, len(small), BLOCK_ROWS)
    counts = np.stack([counts_of_values(small[top : top + BLOCK_ROWS], inner[top : top + BLOCK_ROWS]) for top in tops])
    shows = counts[:, 0].any(axis=1)
    colours = percentile_of_counts(counts[shows], BRIGHTER)
    beyond = np.full((BLOCKS_AROUND, 3), np.nan)
    around = sliding_window_view(np.concatenate([beyond, colours, beyond]), 2 * BLOCKS_AROUND + 1, axis=0)
    smooth = np.maximum(_percentile_of_sorted(np.sort(around), BRIGHTER), EVEN * np.percentile(colours, 90, axis=0))
    middles = ((tops + np.minimum(tops + BLOCK_ROWS, len(small)) - 1) / 2)[shows]
    rows = np.arange(len(small))
    return np.stack([np.interp(rows, middles, smooth[:, channel]) for channel in range(3)], 1).astype(np.float32)


def counts_of_values(values: Pixels, where: Mask) -> Doubles:
    """Count how often each value occurs in each channel.

    Parameters
    ----------
    values : ndarray of shape (h, w, channels), uint8
    where : ndarray of shape (h, w), bool
        What is counted.

    Returns
    -------
    ndarray of shape (channels, 256), float64
    """
    chosen, channels = where.astype(np.uint8), range(values.shape[2])
    counts = [cv2.calcHist([values], [channel], chosen, [256], [0, 256]) for channel in channels]
    return np.stack([np.ravel(of_channel) for of_channel in counts]).astype(np.float64)


def percentile_of_counts(counts: Doubles, per_cent: float) -> Doubles:
    """Compute what `np.percentile` does of whole numbers from 0 on that were counted.

    Parameters
    ----------
    counts : ndarray of shape (…, values), float64
        At least one in all of each.
    per_cent : float
        0 to 100.

    Returns
    -------
    ndarray of shape (…), float64
    """
    up_to = counts.cumsum(axis=-1)
    at = (up_to[..., -1] - 1) * (per_cent / 100)
    low, high = ((up_to <= near[..., None]).sum(axis=-1) for near in (np.floor(at), np.ceil(at)))
    return np.asarray(low + (high - low) * (at % 1))


def _percentile_of_sorted(values: Doubles, per_cent: float) -> Doubles:
    """Compute what `np.percentile` does of values in order, behind which nan stands for none; (…, values) -> (…)."""
    at = ((~np.isnan(values)).sum(axis=-1) - 1) * (per_cent / 100)
    ends = (near.astype(np.intp)[..., None] for near in (np.floor(at), np.ceil(at)))
    low, high = (np.take_along_axis(values, end, axis=-1)[..., 0] for end in ends)
    return np.asarray(low + (high - low) * (at % 1))


def _against_paper(pixels: Pixels, paper: Floats) -> Pixels:
    """Compute by how much pixels are darker than paper in each channel, and in all, (h, w, 4); 255 for black."""
    height, width, _ = pixels.shape
    shares = pixels.reshape(height, -1) / np.tile(np.maximum(paper, 1), width)  # rows as wholes: channels are short
    np.minimum(shares, 1, out=shares)
    by_channel = shares.reshape(pixels.shape)
    shown = np.asarray(cv2.cvtColor(by_channel, cv2.COLOR_RGB2RGBA), np.float32)
    shown[..., 3] = by_channel @ GREY
    shown *= -255
    shown += 255
    return np.rint(shown, out=shown).astype(np.uint8)


def _faint_marks(reduced: _Reduced, ink: Mask) -> _Marks | None:
    """Find the marks that are neither dark nor already found as ink, in the channel that shows most of them."""
    all_shown = reduced.shown()
    dark = reduced.inner & (all_shown[..., 3] > AS_DARK * 255)
    counts = counts_of_values(all_shown, reduced.inner)
    best, most = None, 0.0
    for channel in range(4):
        shown = all_shown[..., channel]
        # Grain is measured from those pixels that are darker than most: brighter ones are cut off at the paper.
        noise = OVER_NOISE * 1.4826 * _median_deviation(counts[channel])
        darker = reduced.inner & (shown > max(FAINTEST * 255, noise))
        if np.count_nonzero(darker) < MARKS_PX or np.count_nonzero(_without_fringe(darker, dark)) < MARKS_PX:
            continue  # as on most shreds: there is nothing but print
        known = _known(ink, dark.shape)
        seeds = _unknown(darker, dark, known, MARK_PX)
        total = float(shown[seeds].sum())
        if seeds.sum() < MARKS_PX or total <= most:
            continue
        contrast = float(np.percentile(shown[seeds], BRIGHTER))
        darker = reduced.inner & (shown > max(WITH_MARK * contrast, noise))
        best, most = _Marks(channel, _unknown(darker, dark, known, MARK_PX // 2), contrast), CLEARLY * total
    return best


def _median_deviation(counts: Doubles) -> float:
    """Compute the median of how far values that were counted, (256,), lie from their median."""
    twice = np.abs(2 * np.arange(len(counts)) - round(2 * float(percentile_of_counts(counts, 50))))
    return float(percentile_of_counts(np.bincount(twice, counts).astype(np.float64), 50)) / 2


def _known(ink: Mask, shape: tuple[int, ...]) -> Floats:
    """Compute which share of each place of the reduced shred has been found to be ink."""
    return np.asarray(cv2.resize(ink.astype(np.float32), shape[::-1], interpolation=cv2.INTER_AREA), np.float32)


def _without_fringe(darker: Mask, dark: Mask) -> Mask:
    """Take out what is connected with the dark within a few pixels."""
    window, where = np.ones((3, 3), np.uint8), darker.view(np.uint8)
    fringe = where & dark
    for _ in range(FRINGE_PX):
        fringe = np.asarray(cv2.dilate(fringe, window), np.uint8) & where
    return darker & (fringe == 0)


def _unknown(darker: Mask, dark: Mask, known: Floats, least_px: int) -> Mask:
    """Keep those connected parts that are no specks or streaks, hold nothing dark, and are less than half known."""
    darker = _without_streaks(darker)
    n, labels = cv2.connectedComponents(darker.astype(np.uint8), connectivity=8)
    area = np.bincount(labels.ravel(), minlength=n)
    faint = (area >= least_px) & (np.bincount(labels[dark], minlength=n) == 0)
    faint &= np.bincount(labels.ravel(), known.ravel(), minlength=n) < area / 2
    faint[0] = False
    return np.asarray(faint[labels])


def _without_streaks(darker: Mask) -> Mask:
    """Take out what is long and thin along the shred, broken or not."""
    mended = cv2.morphologyEx(darker.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((STREAK_GAP_PX, 1), np.uint8))
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(mended, connectivity=8)
    area, length = boxes[:, cv2.CC_STAT_AREA], boxes[:, cv2.CC_STAT_HEIGHT]
    streak = (length > STREAK_PX[0]) & (area < STREAK_PX[1] * length)
    return darker & ~streak[labels]

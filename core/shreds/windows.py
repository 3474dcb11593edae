"""Windows of a shred's ink: what its print is judged by."""

import cv2
import numpy as np
from scipy.ndimage import maximum_filter1d

from core.arrays import Floats, Mask, Pixels

REDUCTION = 2
"""Pixels of the scan to a pixel of a window."""

WINDOW = 48
"""Side of a window in its own pixels: 8 mm of paper, two lines of print."""

INK = (0.01, 0.6)
"""A window with a smaller or larger share of ink says nothing."""

LEAST_BESIDES_LINES = 0.005
"""Nor does one with a smaller share of ink besides straight lines: ruled paper, the frames of tables."""

MOST_WINDOWS = 60
"""Of a shred; if it has more with ink, some are taken all over it."""


PICTURE_INK = 0.15
"""Where less of the paper is inked, its lightness may be the noise of a scan."""

PICTURE_DEPTH, PICTURE_LIGHT = 0.2, 0.45
"""Paper is what is lighter than a fifth of the way from it to ink. If so little is, shades draw what is shown."""


def windows_of_print(pixels: Pixels, mask: Mask, ink: Mask) -> Pixels:
    """Cut the windows that are looked at from a shred; none from a part of a photograph, which is no print.

    Streets and trees stand upright in rows, much as letters do when they are turned: what shades draw says nothing.

    Parameters
    ----------
    pixels : ndarray of shape (h, w) or (h, w, 3), uint8
        The shred, grey or RGB.
    mask : ndarray of shape (h, w), bool
        Its paper.
    ink : ndarray of shape (h, w), bool
        True where there is ink.

    Returns
    -------
    ndarray of shape (n, 48, 48), uint8
        As of `cut_windows`.
    """
    return cut_windows(ink & (not _is_picture(pixels, mask, ink)))


def _is_picture(pixels: Pixels, mask: Mask, ink: Mask) -> bool:
    """Check whether shades of grey or colours cover most of the paper."""
    if not mask.any() or ink.sum() < PICTURE_INK * mask.sum():
        return False
    lightness = pixels[mask] if pixels.ndim == 2 else pixels[mask].max(axis=1)
    dark, light = np.percentile(lightness, (1, 90))
    return bool((lightness >= light - PICTURE_DEPTH * (light - dark)).mean() < PICTURE_LIGHT)


def cut_windows(ink: Mask) -> Pixels:
    """Cut the windows that are looked at from a shred.

    They lie side by side over the whole shred, and as far beyond it on one side as on the other.

    Parameters
    ----------
    ink : ndarray of shape (h, w), bool
        True where there is ink.

    Returns
    -------
    ndarray of shape (n, 48, 48), uint8
        Share of ink, 0 to 255; n is 0 for a shred with no print, `MOST_WINDOWS` at most.
    """
    size = [2 * max(1, round(length / (2 * REDUCTION))) for length in ink.shape]
    reduced = cv2.resize(ink.astype(np.uint8) * np.uint8(255), (size[1], size[0]), interpolation=cv2.INTER_AREA)
    n_rows, n_columns = (-(-length // WINDOW) for length in size)
    beyond = [((n * WINDOW - length) // 2,) * 2 for n, length in zip((n_rows, n_columns), size, strict=True)]
    padded = np.pad(np.asarray(reduced, np.uint8), beyond)
    windows = padded.reshape(n_rows, WINDOW, n_columns, WINDOW).swapaxes(1, 2).reshape(-1, WINDOW, WINDOW)
    share = windows.mean(axis=(1, 2)) / 255
    chosen = np.flatnonzero((share >= INK[0]) & (share <= INK[1]))
    chosen = chosen[_share_besides_lines(windows[chosen]) >= LEAST_BESIDES_LINES]
    if len(chosen) > MOST_WINDOWS:
        chosen = chosen[((np.arange(MOST_WINDOWS) + 0.5) * len(chosen) / MOST_WINDOWS).astype(int)]
    return windows[chosen]


def _share_besides_lines(windows: Pixels) -> Floats:
    """Compute the share of ink that is in no line, upright or level, from one end of what is inked to the other."""
    ink = windows >= 96
    besides = ink.copy()
    for along, across in ((1, 2), (2, 1)):
        inked: Mask = np.asarray(ink.any(axis=across))
        extent = windows.shape[1] - inked.argmax(axis=1) - inked[:, ::-1].argmax(axis=1)
        in_line = maximum_filter1d(ink, 3, across).sum(axis=along) >= 0.95 * extent[:, None]
        besides &= ~np.expand_dims(maximum_filter1d(in_line, 3, 1), along)
    return besides.mean(axis=(1, 2), dtype=np.float32)

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

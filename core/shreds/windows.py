"""Windows of a shred's ink: what its print is judged by."""

import cv2
import numpy as np

from core.arrays import Mask, Pixels

REDUCTION = 2
"""Pixels of the scan to a pixel of a window."""

WINDOW = 48
"""Side of a window in its own pixels: 8 mm of paper, two lines of print."""

INK = (0.01, 0.6)
"""A window with a smaller or larger share of ink says nothing."""

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
        Share of ink, 0 to 255; n is 0 for a shred without ink, `MOST_WINDOWS` at most.
    """
    size = [2 * max(1, round(length / (2 * REDUCTION))) for length in ink.shape]
    reduced = cv2.resize(ink.astype(np.uint8) * np.uint8(255), (size[1], size[0]), interpolation=cv2.INTER_AREA)
    n_rows, n_columns = (-(-length // WINDOW) for length in size)
    beyond = [((n * WINDOW - length) // 2,) * 2 for n, length in zip((n_rows, n_columns), size, strict=True)]
    padded = np.pad(np.asarray(reduced, np.uint8), beyond)
    windows = padded.reshape(n_rows, WINDOW, n_columns, WINDOW).swapaxes(1, 2).reshape(-1, WINDOW, WINDOW)
    share = windows.mean(axis=(1, 2)) / 255
    chosen = np.flatnonzero((share >= INK[0]) & (share <= INK[1]))
    if len(chosen) > MOST_WINDOWS:
        chosen = chosen[((np.arange(MOST_WINDOWS) + 0.5) * len(chosen) / MOST_WINDOWS).astype(int)]
    return windows[chosen]

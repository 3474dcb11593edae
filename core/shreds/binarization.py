"""Grey shred to ink."""

import cv2
import numpy as np
from skimage.filters import threshold_sauvola

from core.arrays import Floats, Mask, Pixels
from core.options import BinarizationOptions

DYNAMIC_RANGE = 128.0
"""Sauvola's R, half the range of grey values; unless it is passed on, the library derives it from the dtype."""


def sauvola_threshold(grey: Pixels, options: BinarizationOptions = BinarizationOptions()) -> Floats:
    """Compute the local threshold below which a pixel is ink.

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
    threshold = threshold_sauvola(grey, window_size=options.window_px | 1, k=options.k, r=DYNAMIC_RANGE)
    return np.asarray(threshold, dtype=np.float32)


def binarize(pixels: Pixels, mask: Mask, options: BinarizationOptions = BinarizationOptions()) -> Mask:
    """Separate ink from paper.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        A shred, RGB.
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
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    # Beyond the paper everything is white, as in the paper's own data: a dark background would drown faint ink.
    grey[~mask] = 255
    ink = (grey <= sauvola_threshold(grey.astype(np.uint8, copy=False), options)) & mask
    return np.asarray(ink, dtype=np.bool_)

"""Which pixel rows of a border an embedding depends on; free of image libraries, which machines that train lack.

A sample of the paper is a window of 32 × 32 pixels, and an embedding follows every 4 pixel rows. A sample may also be
of another height: then the last convolution of the encoder is as much higher.
"""

import numpy as np

from core.arrays import Mask

STRIDE_PX = 4
"""Pixel rows from one embedding to the next."""

SAMPLE_HEIGHT_PX = 32
"""Height of a sample: s_y of the paper."""

ROWS_ABOVE = 8
"""So many rows above a sample its embedding depends on, through the two 3 × 3 convolutions of the fire modules."""


def kernel_rows(sample_height_px: int = SAMPLE_HEIGHT_PX) -> int:
    """Count the rows of the last convolution, which a sample fills: 7 for 32 pixels.

    Parameters
    ----------
    sample_height_px : int
        A multiple of 4, at least 8.

    Returns
    -------
    int
        At least 1.

    Raises
    ------
    ValueError
        If the height is none that samples can have.
    """
    if sample_height_px < 2 * STRIDE_PX or sample_height_px % STRIDE_PX:
        raise ValueError(f"The height of a sample must be a multiple of 4 and at least 8; given {sample_height_px}.")
    return sample_height_px // STRIDE_PX - 1


def rows_to_middle(sample_height_px: int) -> int:
    """Count the embedding rows from the first row of a higher sample to that of the 32 × 32 one in its middle.

    Parameters
    ----------
    sample_height_px : int
        Height of the higher sample.

    Returns
    -------
    int
        0 for 32 pixels; 1 for every 8 more.
    """
    return (sample_height_px - SAMPLE_HEIGHT_PX) // (2 * STRIDE_PX)


def rows_below(sample_height_px: int = SAMPLE_HEIGHT_PX) -> int:
    """Find the last pixel row, counted from the sample's first, on which its embedding depends: 38 for 32 pixels.

    The rows of the last convolution cover 4 k + 3 pixel rows, and the fire modules look `ROWS_ABOVE` rows farther.

    Parameters
    ----------
    sample_height_px : int
        A multiple of 4, at least 8.

    Returns
    -------
    int
        The first row of the sample is 0.
    """
    return STRIDE_PX * kernel_rows(sample_height_px) + 2 + ROWS_ABOVE


def receptive_rows(sample_height_px: int = SAMPLE_HEIGHT_PX) -> int:
    """Count the pixel rows on which an embedding depends: 47 for 32 pixels.

    Parameters
    ----------
    sample_height_px : int
        A multiple of 4, at least 8.

    Returns
    -------
    int
        Those above the sample included.
    """
    return ROWS_ABOVE + 1 + rows_below(sample_height_px)


def reversible_frame(frame: tuple[int, int]) -> tuple[int, int]:
    """Lengthen a frame so that its embeddings, half-turned, are those of the same rows.

    Parameters
    ----------
    frame : tuple of int
        First row and the one after the last.

    Returns
    -------
    tuple of int
        Up to 3 rows longer.

    Examples
    --------
    >>> reversible_frame((0, 100))
    (0, 103)
    """
    top, bottom = frame
    return top, bottom + (STRIDE_PX - 1 - (bottom - top)) % STRIDE_PX


def n_embedding_rows(height_px: int, sample_height_px: int = SAMPLE_HEIGHT_PX) -> int:
    """Count the embeddings of a border: h' of the paper, 743 for 3,000 rows.

    Parameters
    ----------
    height_px : int
        Rows of the border.
    sample_height_px : int
        Height of a sample.

    Returns
    -------
    int
        At least 1.
    """
    after_convolution = (height_px - 3) // 2 + 1
    after_pooling = (after_convolution - 3) // 2 + 1
    return max(1, after_pooling - kernel_rows(sample_height_px) + 1)


def rows_with_ink(border: Mask, sample_height_px: int = SAMPLE_HEIGHT_PX) -> Mask:
    """Mark the embeddings of a border that have seen any ink; all others are the embedding of blank paper.

    Parameters
    ----------
    border : ndarray of shape (height, 32), bool
        Ink.
    sample_height_px : int
        Height of a sample.

    Returns
    -------
    ndarray of shape (h',), bool
        With h' from `n_embedding_rows`.
    """
    eights = np.ascontiguousarray(border).view(np.uint64)  # of pixels: tens of thousands of borders are gone through
    seen = np.concatenate([[0], np.cumsum(eights.any(axis=1))])
    tops = np.arange(n_embedding_rows(len(border), sample_height_px)) * STRIDE_PX
    first = np.clip(tops - ROWS_ABOVE, 0, len(border))
    last = np.clip(tops + rows_below(sample_height_px) + 1, 0, len(border))
    return np.asarray(seen[last] > seen[first])

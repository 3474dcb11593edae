"""Pixels of any kind become grey or RGB of 8 bits, blended with white where they are transparent."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.arrays import Pixels

Arrays = tuple[Pixels, Pixels | None]
"""Pixels and opacity, as in `core.sheets.formats.picture.Picture`."""


def eight_bit(values: NDArray[Any], bits: int) -> Pixels:
    """Scale unsigned integers to 8 bits, rounding; those of 16 bits are divided by 257.

    Parameters
    ----------
    values : ndarray, bool or unsigned integers
        Of any shape.
    bits : int
        How many each value has, 1 to 16.

    Returns
    -------
    ndarray, uint8
        Of the same shape, 0 to 255.

    Examples
    --------
    >>> eight_bit(np.array([0, 1, 2, 3], np.uint8), bits=2)
    array([  0,  85, 170, 255], dtype=uint8)
    """
    if bits == 8:
        return values.astype(np.uint8, copy=False)
    table = np.round(np.arange(1 << bits) * (255 / ((1 << bits) - 1))).astype(np.uint8)
    return table.take(values)  # unlike an index, bits count as 0 and 1 here


def to_arrays(image: Image.Image) -> Arrays:
    """Convert a loaded Pillow image of any mode to grey or RGB pixels and their opacity.

    Parameters
    ----------
    image : PIL.Image.Image
        Of 1 to 16 bits a channel.

    Returns
    -------
    Arrays
        As it is stored, not turned.

    Raises
    ------
    ValueError
        If it has 32 bits.
    """
    if image.mode.startswith("I;16"):
        return eight_bit(np.asarray(image), 16), None
    if image.mode in ("I", "F"):
        raise ValueError("its pixels have 32 bits; save it with 8 or 16 bits")
    if image.has_transparency_data:
        rgba = np.asarray(image.convert("RGBA"))
        return on_white(rgba[..., :3], rgba[..., 3])
    mode = "L" if image.mode in ("1", "L") else "RGB"
    return np.array(image if image.mode == mode else image.convert(mode)), None


def on_white(colours: Pixels, alpha: Pixels) -> Arrays:
    """Blend colours with white by their opacity.

    Opacity that is the same everywhere tells nothing of where the paper is: the picture is then taken as opaque.

    Parameters
    ----------
    colours : ndarray of shape (h, w) or (h, w, 3), uint8
        Grey or RGB.
    alpha : ndarray of shape (h, w), uint8
        255 where they are opaque.

    Returns
    -------
    Arrays
        The blend, of the shape of the colours, and the opacity unless it tells nothing.
    """
    if alpha.min() == alpha.max():
        return np.ascontiguousarray(colours), None
    weight = alpha.astype(np.uint16)
    weight = weight[..., np.newaxis] if colours.ndim == 3 else weight
    blended = (colours * weight + 255 * (255 - weight) + 127) // 255
    return blended.astype(np.uint8), np.ascontiguousarray(alpha)

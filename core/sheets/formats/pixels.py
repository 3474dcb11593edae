"""Pixels of any kind become grey or RGB of 8 bits, blended with white where they are transparent."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.arrays import Pixels
from core.sheets.resolution import ELONGATED

_FULL, _WIDE = 240, 0.05
_SHARP = 24
_HALF_SHOWN = 0.25
_HARDLY_ANY = 0.02

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


def bits_in_use(values: NDArray[Any], bits: int) -> int:
    """Find how many bits a picture of 16 really uses: some scanners write 8, 10 or 12 into the low ones.

    Parameters
    ----------
    values : ndarray of unsigned integers
        Of any shape, not empty.
    bits : int
        How many each value has.

    Returns
    -------
    int
        8, 10, 12 or `bits`.

    Examples
    --------
    >>> bits_in_use(np.array([0, 4095], np.uint16), 16), bits_in_use(np.array([0, 4096], np.uint16), 16)
    (12, 16)
    """
    used = int(values.max()).bit_length() if bits == 16 else 0
    return next((few for few in (8, 10, 12) if 0 < used <= few), bits)


def inks_to_rgb(inks: Pixels, *, inverted: bool = False) -> Pixels:
    """Mix four inks to RGB.

    What the file says of their meaning counts, unless a wide part of the picture would then be covered by all four
    inks in full: no press does that, and the file means the opposite.

    Parameters
    ----------
    inks : ndarray of shape (h, w, 4), uint8
        Cyan, magenta, yellow, black: 255 is all of the ink.
    inverted : bool
        255 is no ink.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8
    """
    inks = 255 - inks if inverted else inks
    glance = inks[:: max(1, inks.shape[0] // 500), :: max(1, inks.shape[1] // 500)]
    flooded, bare = (glance.min(axis=2) > _FULL).mean(), (glance.max(axis=2) < 255 - _FULL).mean()
    if flooded > max(_WIDE, bare):
        inks = 255 - inks
    paper = 255 - inks.astype(np.uint16)
    return ((paper[..., :3] * paper[..., 3:] + 127) // 255).astype(np.uint8)


def to_arrays(image: Image.Image, *, inverted: bool = False) -> Arrays:
    """Convert a loaded Pillow image of any mode to grey or RGB pixels and their opacity.

    Parameters
    ----------
    image : PIL.Image.Image
        Of 1 to 16 bits a channel.
    inverted : bool
        Of an image in four inks, that 255 is no ink.

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
        values = np.asarray(image)
        return eight_bit(values, bits_in_use(values, 16)), None
    if image.mode in ("I", "F"):
        raise ValueError("its pixels have 32 bits; save it with 8 or 16 bits")
    if image.has_transparency_data:
        rgba = np.asarray(image.convert("RGBA"))
        return on_white(rgba[..., :3], rgba[..., 3])
    if image.mode == "CMYK":
        return inks_to_rgb(np.asarray(image), inverted=inverted), None
    mode = "L" if image.mode in ("1", "L") else "RGB"
    return np.array(image if image.mode == mode else image.convert(mode)), None


def on_white(colours: Pixels, alpha: Pixels) -> Arrays:
    """Blend colours with white by their opacity.

    Opacity tells where the paper is if it is all or nothing, and nothing somewhere. A fourth channel of middling values
    is something else, such as infrared: the picture is then taken as opaque, and its colours as they are.

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
    if not _is_cut_out(alpha):
        return np.ascontiguousarray(colours), None
    weight = alpha.astype(np.uint16)
    weight = weight[..., np.newaxis] if colours.ndim == 3 else weight
    blended = (colours * weight + 255 * (255 - weight) + 127) // 255
    return blended.astype(np.uint8), np.ascontiguousarray(alpha)


def _is_cut_out(alpha: Pixels) -> bool:
    """Check whether a channel shows where there is something, and not a picture of its own."""
    if alpha.min() > 127 or alpha.max() <= 127:
        return False
    middling = ((alpha > _SHARP) & (alpha < 255 - _SHARP)).mean()
    hidden = (alpha <= 127).mean()
    is_long = max(alpha.shape) >= ELONGATED * min(alpha.shape)
    return bool(middling <= _HALF_SHOWN and (is_long or hidden >= _HARDLY_ANY))

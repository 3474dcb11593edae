"""What all decoders return, refuse, and share."""

import math
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Real
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.errors import UnreadableInputError

X_RESOLUTION, Y_RESOLUTION, RESOLUTION_UNIT, ORIENTATION = 282, 283, 296, 274
"""Tags of TIFF, and of EXIF, which is made of them."""

Arrays = tuple[NDArray[np.uint8], NDArray[np.uint8] | None]
"""Pixels and opacity, as in `Picture`."""

_QUIET = threading.Lock()


@dataclass(frozen=True, eq=False)
class Picture:
    """A decoded picture, upright, at the resolution of the file.

    Attributes
    ----------
    pixels : ndarray of shape (h, w) or (h, w, 3), uint8
        Grey or RGB; blended with white where it is transparent.
    alpha : ndarray of shape (h, w), uint8, or None
        Opacity; None where the picture is opaque throughout.
    dpi : tuple of float, or None
        Horizontal and vertical resolution that the file states, believable or not.
    """

    pixels: NDArray[np.uint8]
    alpha: NDArray[np.uint8] | None
    dpi: tuple[float, float] | None


class Pages(Protocol):
    """The pages of an open file; each kind of file has a decoder of this kind."""

    n_pages: int

    def picture(self, page: int) -> Picture:
        """Decode a page, counted from 0; raise `Refusal` if that page is damaged or too large."""

    def close(self) -> None:
        """Release what decoding holds."""


class Refusal(Exception):
    """Why a file or a page of it is not read, and what to do: sentences of which the first lacks its subject, the name.

    Parameters
    ----------
    sentences : str
        "is empty. Scan it again."
    of_file : bool
        They are about the whole file, though it may be a page that was asked for.
    """

    def __init__(self, sentences: str, *, of_file: bool = False) -> None:
        super().__init__(sentences)
        self.of_file = of_file


@contextmanager
def naming(file: str, page: str = "") -> Iterator[None]:
    """Raise the refusals of a block as `UnreadableInputError`, with the name of what they are about.

    Parameters
    ----------
    file : str
        What messages call the file.
    page : str
        What they call the page that the block is about; absent, if it is about the file.

    Raises
    ------
    UnreadableInputError
        If the block raises `Refusal`.
    """
    try:
        yield
    except Refusal as refusal:
        name = file if refusal.of_file or not page else page
        raise UnreadableInputError(f"{name} {refusal}") from refusal.__cause__


@contextmanager
def errors_as_damage() -> Iterator[None]:
    """Take what a block raises for damage of the file: decoders raise almost anything on broken input."""
    try:
        yield
    except Refusal:
        raise
    except Exception as error:
        raise damaged(error) from error


@contextmanager
def quietly() -> Iterator[None]:
    """Silence warnings while a header is parsed.

    The filters of `warnings` belong to the process, hence the lock; pixels are decoded outside of it.
    """
    with _QUIET, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def damaged(reason: object, *, of_file: bool = False) -> Refusal:
    """Build the refusal of a file whose format is known and whose content is not what it should be.

    Parameters
    ----------
    reason : object
        An error of a decoder, or a text.
    of_file : bool
        See `Refusal`.

    Returns
    -------
    Refusal
        To be raised.
    """
    if isinstance(reason, MemoryError):
        return Refusal("does not fit into memory. Close other programs, or scan it at 300 dpi.")
    text = str(reason).strip().rstrip(".") or type(reason).__name__
    return Refusal(
        f"is damaged or incomplete ({text}). Copy it again from where it came, or scan it again.", of_file=of_file
    )


def check_size(width: int, height: int, max_megapixels: float) -> None:
    """Check the declared size of a picture, before any of it is unpacked.

    Parameters
    ----------
    width, height : int
        In pixels.
    max_megapixels : float
        The limit, in millions of pixels.

    Raises
    ------
    Refusal
        If it is larger, or empty.
    """
    megapixels = width * height / 1e6
    if megapixels > max_megapixels:
        raise Refusal(
            f"would unpack to {width:,} × {height:,} pixels, {math.ceil(megapixels):,} megapixels; the limit is "
            f"{max_megapixels:g}. If the file is what it should be, raise “Largest sheet” (max_megapixels) "
            "and see that there is memory enough: 3 MB a megapixel and more."
        )
    if width < 1 or height < 1:
        raise damaged(f"it declares {width} × {height} pixels")


def eight_bit(values: NDArray[Any], bits: int) -> NDArray[np.uint8]:
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
    if values.dtype == bool:
        values = values.view(np.uint8)
    table = np.round(np.arange(1 << bits) * (255 / ((1 << bits) - 1))).astype(np.uint8)
    return table[values]


def upright(array: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Turn an image upright.

    Parameters
    ----------
    array : ndarray of shape (h, w, ...), uint8
        The image as it is stored.
    orientation : int
        What EXIF says of it, 1 to 8; other values leave it alone.

    Returns
    -------
    ndarray of shape (h, w, ...) or (w, h, ...), uint8
        Contiguous.
    """
    if orientation in (5, 6, 7, 8):
        array = array.swapaxes(0, 1)
    if orientation in (3, 4, 7, 8):
        array = array[::-1]
    if orientation in (2, 3, 6, 7):
        array = array[:, ::-1]
    return np.ascontiguousarray(array)


def upright_arrays(arrays: Arrays, orientation: int) -> Arrays:
    """Turn pixels and opacity upright, see `upright`."""
    pixels, alpha = arrays
    return upright(pixels, orientation), None if alpha is None else upright(alpha, orientation)


def upright_dpi(dpi: tuple[float, float] | None, orientation: int) -> tuple[float, float] | None:
    """Exchange horizontal and vertical resolution where `upright` exchanges width and height."""
    return (dpi[1], dpi[0]) if dpi and orientation in (5, 6, 7, 8) else dpi


def tagged_dpi(x: object, y: object, unit: object) -> tuple[float, float] | None:
    """Convert what the tags say of the resolution to dots per inch; None where they make no sense.

    Parameters
    ----------
    x, y : object
        Dots per unit, if they are numbers.
    unit : object
        2 for an inch, 3 for a centimetre.

    Returns
    -------
    tuple of float, or None
        Horizontal and vertical.
    """
    per_inch = {2: 1.0, 3: 2.54}.get(unit)  # type: ignore[call-overload]
    if per_inch is None or not isinstance(x, Real) or not isinstance(y, Real):
        return None
    return float(x) * per_inch, float(y) * per_inch


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


def on_white(colours: NDArray[np.uint8], alpha: NDArray[np.uint8]) -> Arrays:
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

"""What decoding gives, and what all decoders share."""

import math
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core.errors import UnreadableInputError

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


class Document(Protocol):
    """An open file of one or more pages."""

    n_pages: int

    def picture(self, page: int) -> Picture:
        """Decode a page, counted from 0; raise `UnreadableInputError` if that page is damaged or too large."""

    def close(self) -> None:
        """Release what decoding holds."""


@contextmanager
def quietly() -> Iterator[None]:
    """Silence warnings while a header is parsed.

    The filters of `warnings` belong to the process, hence the lock; pixels are decoded outside of it.
    """
    with _QUIET, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def damaged(name: str, reason: object) -> UnreadableInputError:
    """Compose the error for a file whose format is known and whose content is not what it should be."""
    if isinstance(reason, MemoryError):
        return UnreadableInputError(f"{name} does not fit into memory. Close other programs, or scan it at 300 dpi.")
    text = str(reason).strip().rstrip(".") or type(reason).__name__
    return UnreadableInputError(
        f"{name} is damaged or incomplete ({text}). Copy it again from where it came, or scan it again."
    )


def check_size(width: int, height: int, name: str, max_megapixels: float) -> None:
    """Refuse a picture by its declared size, before any of it is unpacked."""
    megapixels = width * height / 1e6
    if megapixels > max_megapixels:
        raise UnreadableInputError(
            f"{name} would unpack to {width:,} × {height:,} pixels, {math.ceil(megapixels):,} megapixels; the limit is "
            f"{max_megapixels:g}. If the file is what it should be, raise “Largest sheet” (max_megapixels) "
            "and see that there is memory enough: 3 MB a megapixel and more."
        )
    if width < 1 or height < 1:
        raise damaged(name, f"it declares {width} × {height} pixels")


def eight_bit(values: NDArray[Any], bits: int) -> NDArray[np.uint8]:
    """Scale unsigned integers of 1 to 16 bits to 0…255, rounding; 16 bits are divided by 257."""
    if bits == 8:
        return values.astype(np.uint8, copy=False)
    if values.dtype == bool:
        values = values.view(np.uint8)
    table = np.round(np.arange(1 << bits) * (255 / ((1 << bits) - 1))).astype(np.uint8)
    return table[values]


def upright(array: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Turn an image of shape (h, w, …) as its EXIF orientation, 1 to 8, asks for; other values leave it alone."""
    if orientation in (5, 6, 7, 8):
        array = array.swapaxes(0, 1)
    if orientation in (3, 4, 7, 8):
        array = array[::-1]
    if orientation in (2, 3, 6, 7):
        array = array[:, ::-1]
    return np.ascontiguousarray(array)


def upright_dpi(dpi: tuple[float, float] | None, orientation: int) -> tuple[float, float] | None:
    """Exchange horizontal and vertical resolution where `upright` exchanges width and height."""
    return (dpi[1], dpi[0]) if dpi and orientation in (5, 6, 7, 8) else dpi


def on_white(
    colours: NDArray[np.uint8], alpha: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
    """Blend colours (h, w) or (h, w, 3) with white by their opacity (h, w).

    Opacity that is the same everywhere tells nothing of where the paper is: the picture is then taken as opaque.
    """
    if alpha.min() == alpha.max():
        return np.ascontiguousarray(colours), None
    weight = alpha.astype(np.uint16)
    weight = weight[..., np.newaxis] if colours.ndim == 3 else weight
    blended = (colours * weight + 255 * (255 - weight) + 127) // 255
    return blended.astype(np.uint8), np.ascontiguousarray(alpha)

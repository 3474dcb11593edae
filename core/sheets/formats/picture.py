"""What all decoders return: pictures, upright, with the resolution that the file states."""

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Real
from typing import Protocol

import numpy as np
from PIL import Image
from PIL.ExifTags import IFD
from PIL.ExifTags import Base as Tag

from core.arrays import Pixels
from core.sheets.formats.pixels import Arrays

UNITS_PER_INCH = {2: 1.0, 3: 2.54}
"""By what the tag of the resolution's unit says: inches, centimetres."""

USUAL_FOCAL_35MM = 26.0
"""Focal length, were it for 35 mm film, of the lens that most telephones use."""

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
    notes: tuple of str
        What is remarkable about the file, though it was read: sentences that lack their subject, as those of
        `core.sheets.formats.refusal.Refusal`, and end as `core.errors.Remark` wants it.
    focal_35mm : float or None
        Of a photograph: focal length, in mm, at which a camera for 35 mm film would see as much. None for scans.
    """

    pixels: Pixels
    alpha: Pixels | None
    dpi: tuple[float, float] | None
    notes: tuple[str, ...] = ()
    focal_35mm: float | None = None


class Pages(Protocol):
    """The pages of an open file; each kind of file has a decoder of this kind."""

    n_pages: int

    def picture(self, page: int) -> Picture:
        """Decode a page.

        Parameters
        ----------
        page : int
            Counted from 0.

        Returns
        -------
        Picture
            The whole page.

        Raises
        ------
        Refusal
            If that page is damaged or too large.
        """

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


def upright(array: Pixels, orientation: int) -> Pixels:
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


def upright_picture(arrays: Arrays, dpi: tuple[float, float] | None, orientation: int) -> Picture:
    """Build a picture from what was decoded, and turn it upright.

    Parameters
    ----------
    arrays : Arrays
        Pixels and opacity as they are stored.
    dpi : tuple of float, or None
        Horizontal and vertical resolution, as they are stored.
    orientation : int
        See `upright`.

    Returns
    -------
    Picture
        Width and height, and with them the resolutions, are exchanged where it lay on its side.
    """
    pixels, alpha = arrays
    alpha = None if alpha is None else upright(alpha, orientation)
    return Picture(upright(pixels, orientation), alpha, upright_dpi(dpi, orientation))


def upright_dpi(dpi: tuple[float, float] | None, orientation: int) -> tuple[float, float] | None:
    """Exchange horizontal and vertical resolution where `upright` exchanges width and height.

    Parameters
    ----------
    dpi : tuple of float, or None
        Horizontal and vertical resolution, as they are stored.
    orientation : int
        See `upright`.

    Returns
    -------
    tuple of float, or None
        Those of the upright picture.
    """
    return (dpi[1], dpi[0]) if dpi and orientation in (5, 6, 7, 8) else dpi


def exif_of(image: Image.Image) -> Image.Exif:
    """Read the EXIF data of a picture; data that make no sense are as good as none, the pixels are whole.

    Parameters
    ----------
    image : PIL.Image.Image
        Opened by Pillow.

    Returns
    -------
    PIL.Image.Exif
        Empty where there are none.
    """
    try:
        with quietly():
            return image.getexif()
    except Exception:  # raised as several types
        return Image.Exif()


def focal_35mm(exif: Image.Exif) -> float | None:
    """Read from EXIF through which lens a photograph was taken; scanners have none.

    Parameters
    ----------
    exif : PIL.Image.Exif
        Of a picture.

    Returns
    -------
    float or None
        Focal length in mm, for 35 mm film; the usual one where a camera tells its own alone; None where none does.
    """
    try:
        with quietly():
            details = exif.get_ifd(IFD.Exif)
    except Exception:  # raised as several types, see `exif_of`
        return None
    as_35mm, own = (details.get(tag) for tag in (Tag.FocalLengthIn35mmFilm, Tag.FocalLength))
    if isinstance(as_35mm, Real) and 5 <= float(as_35mm) <= 1000:
        return float(as_35mm)
    return USUAL_FOCAL_35MM if isinstance(own, Real) and float(own) > 0 else None


def exif_dpi(exif: Image.Exif) -> tuple[float, float] | None:
    """Read the resolution from EXIF, where Pillow looks for it in few formats, and only if nothing else states one.

    Parameters
    ----------
    exif : PIL.Image.Exif
        Of a picture.

    Returns
    -------
    tuple of float, or None
        Horizontal and vertical.
    """
    per_inch = UNITS_PER_INCH.get(exif.get(Tag.ResolutionUnit, 2))
    x, y = exif.get(Tag.XResolution), exif.get(Tag.YResolution)
    if per_inch is None or not isinstance(x, Real) or not isinstance(y, Real):
        return None
    return float(x) * per_inch, float(y) * per_inch

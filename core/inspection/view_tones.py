"""Tones of a picture on the screen: made out better, and nothing of it is evidence."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from core.arrays import Mask, Pixels

Ink = Literal["all", "black", "red", "green", "blue", "violet"]
"""Of which colour ink is shown; all others are white then."""

INKS: tuple[Ink, ...] = get_args(Ink)

_HUES: dict[Ink, tuple[tuple[int, int], ...]] = {
    "red": ((0, 12), (168, 180)),
    "green": ((35, 88),),
    "blue": ((88, 128),),
    "violet": ((128, 168),),
}
"""Half-open ranges of the hue as OpenCV has it, degrees over two; yellow and brown are paper and old ink."""

_COLOURED = 45
"""Saturation, of 255, from which on a pixel has a hue: grey scans of a camera stay below."""

_BLACK = 150
"""Value, of 255, under which a pixel without a hue is ink."""


@dataclass(frozen=True)
class ViewTones:
    """How tones are shown.

    Attributes
    ----------
    brightness, contrast : int
        -100 to 100; 0 leaves them as they are. A contrast of 100 is ten times as steep about middle grey.
    threshold : int or None
        Grey value from which on everything is white, and black below; None shows tones.
    ink : {"all", "black", "red", "green", "blue", "violet"}
        Which ink is shown.
    """

    brightness: int = 0
    contrast: int = 0
    threshold: int | None = None
    ink: Ink = "all"

    def __bool__(self) -> bool:
        """Check whether anything is shown otherwise than it is."""
        return self != ViewTones()


def toned(pixels: Pixels, tones: ViewTones) -> Pixels:
    """Compute how a picture is shown.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB; it stays as it is.
    tones : ViewTones
        First the ink is chosen, then brightness and contrast, then the threshold.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8
        RGB.

    Examples
    --------
    >>> pixels = np.array([[[200, 40, 40], [20, 20, 20]]], np.uint8)
    >>> toned(pixels, ViewTones(ink="red"))[0].tolist()
    [[200, 40, 40], [255, 255, 255]]
    """
    import cv2  # the window knows the tones from its start on, and OpenCV is slow to import

    if tones.ink != "all":
        pixels = np.where(_has_ink(pixels, tones.ink)[..., None], pixels, np.uint8(255))
    if tones.brightness or tones.contrast:
        slope, middle = 10 ** (tones.contrast / 100), 127.5
        values = (np.arange(256) - middle) * slope + middle + 2.55 * tones.brightness
        pixels = np.asarray(cv2.LUT(pixels, np.clip(np.rint(values), 0, 255).astype(np.uint8)), np.uint8)
    if tones.threshold is not None:
        grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
        white = np.where(grey >= tones.threshold, np.uint8(255), np.uint8(0))
        pixels = np.repeat(white[..., None], 3, axis=2)
    return pixels


def _has_ink(pixels: Pixels, ink: Ink) -> Mask:
    """Find the pixels that show ink of a colour."""
    import cv2

    hue, saturation, value = cv2.split(cv2.cvtColor(pixels, cv2.COLOR_RGB2HSV))
    if ink == "black":
        return np.asarray((saturation < _COLOURED) & (value < _BLACK))
    within = np.zeros(hue.shape, np.bool_)
    for least, end in _HUES[ink]:
        within |= (hue >= least) & (hue < end)
    return np.asarray(within & (saturation >= _COLOURED))

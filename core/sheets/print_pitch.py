"""How far apart lines of print stand on a picture: tells its resolution, roughly, where nothing else does."""

import cv2
import numpy as np
from scipy.ndimage import uniform_filter1d

from core.arrays import Floats, Pixels

_WINDOW_PX = 48
_MOST_WINDOWS = 40
_SMALLEST_PX = 6
_LARGEST_SHARE = 0.125
_CLEAR = 0.25
_MOST_ROWS = 4000


def line_pitch_px(pixels: Pixels) -> float | None:
    """Measure the distance of the lines of print.

    Each of many narrow windows, as high as the picture, is darker where a line crosses it; the shift by which these
    rows agree best with themselves is its pitch. Narrow windows, since shreds lie higher and lower than each other.

    Parameters
    ----------
    pixels : ndarray of shape (h, w) or (h, w, 3), uint8
        Grey or RGB; lines run roughly across.

    Returns
    -------
    float or None
        Median of the windows in which it is clear; None where that is so in few.

    Examples
    --------
    >>> page = np.full((900, 300), 255, np.uint8)
    >>> for row in range(40, 860, 50):
    ...     page[row : row + 18, 20:280:9] = 0
    >>> round(line_pitch_px(page))
    50
    """
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY) if pixels.ndim == 3 else pixels, np.uint8)
    step = max(1, grey.shape[0] // _MOST_ROWS)
    grey = grey[::step]
    width = grey.shape[1]
    n_windows = min(_MOST_WINDOWS, max(1, width // _WINDOW_PX))
    starts = np.linspace(0, max(0, width - _WINDOW_PX), n_windows).astype(int)
    found = [_pitch(grey[:, start : start + _WINDOW_PX]) for start in starts]
    clear = [pitch for pitch in found if pitch is not None]
    return step * float(np.median(clear)) if len(clear) > max(0, len(found) // 5) else None


def _pitch(window: Pixels) -> float | None:
    """Find the shift at which the darkness of rows agrees best with itself."""
    profile = np.abs(np.diff(window.astype(np.float32), axis=1)).mean(axis=1) if window.shape[1] > 1 else None
    n = window.shape[0]
    largest = int(n * _LARGEST_SHARE)
    if profile is None or largest <= _SMALLEST_PX + 2 or profile.std() < 1:
        return None
    similarity = _autocorrelation(profile - uniform_filter1d(profile, 2 * largest + 1))[: largest + 1]
    rising = np.flatnonzero(similarity < 0)
    first = max(_SMALLEST_PX, int(rising[0]) if len(rising) else largest)
    if first >= largest:
        return None
    best = first + int(similarity[first:].argmax())
    # A multiple of the pitch agrees as well: the smallest shift that is nearly as good is the pitch itself.
    peaks = [
        shift
        for shift in range(first + 1, best + 1)
        if similarity[shift] >= 0.8 * similarity[best]
        and similarity[shift] >= max(similarity[shift - 1], similarity[min(shift + 1, largest)])
    ]
    return float(peaks[0]) if peaks and similarity[peaks[0]] >= _CLEAR else None


def _autocorrelation(profile: Floats) -> Floats:
    """Compute how well a profile agrees with itself at every shift, 1 at no shift."""
    n = len(profile)
    spectrum = np.fft.rfft(profile, 2 * n)
    products = np.fft.irfft(spectrum * spectrum.conj())[:n]
    overlaps = np.arange(n, 0, -1) / n
    return np.asarray(products / max(products[0], 1e-9) / overlaps, np.float32)

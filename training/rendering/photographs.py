"""Photographs for the pages: those that come with scikit-image, cut and changed, and invented ones."""

import base64
import random
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from core.units import MM_PER_INCH

_NAMES = ["astronaut", "camera", "cat", "coffee", "rocket", "moon", "coins"]
_NAMES += ["hubble_deep_field", "immunohistochemistry"]


@cache
def _bundled(name: str) -> NDArray[np.uint8]:
    """Load a photograph that lies in the installed library, as grey values."""
    from skimage import data

    pixels = np.asarray(getattr(data, name)(), dtype=np.uint8)
    return pixels if pixels.ndim == 2 else np.asarray(cv2.cvtColor(pixels[..., :3], cv2.COLOR_RGB2GRAY), np.uint8)


def _invented(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Paint something with soft and hard edges: clouds, hills, discs."""
    height, width = 240, 320
    field = np.zeros((height, width), np.float32)
    for cells in (3, 7, 17, 40):
        rough = rng.standard_normal((cells, cells), dtype=np.float32) / cells**0.6
        field += cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
    picture = cv2.normalize(field, np.zeros_like(field), 20, 240, cv2.NORM_MINMAX).astype(np.uint8)
    for _ in range(rng.integers(0, 6)):
        centre = (int(rng.integers(0, width)), int(rng.integers(0, height)))
        cv2.circle(picture, centre, int(rng.integers(8, 70)), int(rng.integers(0, 255)), -1, cv2.LINE_AA)
    return picture


def photograph(rng: random.Random, width_mm: float) -> str:
    """Draw a photograph as an element of HTML, grey, coarse enough to be small.

    Parameters
    ----------
    rng : Random
        Source of all chance.
    width_mm : float
        Width on the page.

    Returns
    -------
    str
        An ``img`` element with the data in it.
    """
    chance = np.random.default_rng(rng.getrandbits(64))
    picture = _invented(chance) if rng.random() < 0.35 else _bundled(rng.choice(_NAMES))
    height, width = picture.shape
    part_h, part_w = int(height * rng.uniform(0.45, 1)), int(width * rng.uniform(0.45, 1))
    y, x = rng.randint(0, height - part_h), rng.randint(0, width - part_w)
    picture = picture[y : y + part_h, x : x + part_w]
    if rng.random() < 0.5:
        picture = picture[:, ::-1]
    columns = round(width_mm / MM_PER_INCH * 72)
    smaller = cv2.resize(picture, (columns, max(8, round(columns * part_h / part_w))), interpolation=cv2.INTER_AREA)
    curve = 255 * (np.arange(256) / 255) ** rng.uniform(0.6, 1.5)
    toned = cv2.LUT(smaller, curve.astype(np.uint8))
    data = cv2.imencode(".jpg", toned, [cv2.IMWRITE_JPEG_QUALITY, 55])[1].tobytes()
    look = f"width:{width_mm:.0f}mm;{rng.choice(['', 'border:0.8pt solid'])}"
    return f'<img style="{look}" src="data:image/jpeg;base64,{base64.b64encode(data).decode()}">'

"""Photographs in software of a laid-out sheet: a hand-held telephone, a table around the sheet, light from one side."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures
from PIL.ExifTags import IFD
from PIL.ExifTags import Base as Tag

from training.pages.beds.surfaces import SURFACES, Image

TABLES = ("wood", "dark", "cloth")
"""What the sheet's support may lie on."""

SIZE_PX = (4032, 3024)
"""Longer and shorter side of a photograph."""

_DIAGONAL_35_MM = 43.27
_NOISE = 2.5


@dataclass(frozen=True, eq=False)
class Photograph:
    """A photograph with its truth.

    Attributes
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB, before compression.
    matrix : ndarray of shape (3, 3), float64
        Homography from pixels of the sheet to those of the photograph.
    focal_35mm : int
        Focal length of a camera for 35 mm film that sees as much.
    """

    pixels: NDArray[np.uint8]
    matrix: NDArray[np.float64]
    focal_35mm: int

    def exif(self) -> Pictures.Exif:
        """Build what a telephone writes about itself into the file."""
        exif = Pictures.Exif()
        exif[Tag.Make], exif[Tag.Model], exif[Tag.XResolution], exif[Tag.YResolution] = "Drawn", "Telephone", 72.0, 72.0
        details = exif.get_ifd(IFD.Exif)
        details[Tag.FocalLength], details[Tag.FocalLengthIn35mmFilm] = self.focal_35mm / 6.1, self.focal_35mm
        return exif


def take_photograph(
    sheet: NDArray[np.uint8], tilt_deg: float, rng: np.random.Generator, fills: float | None = None
) -> Photograph:
    """Photograph a sheet that lies on a table.

    Parameters
    ----------
    sheet : ndarray of shape (h, w, 3), uint8
        RGB.
    tilt_deg : float
        By how much the camera is tilted against straight from above, in any direction.
    rng : numpy.random.Generator
        Source of chance.
    fills : float, optional
        Part of the frame that the sheet fills; over 1, its corners lie outside. 0.8 to 0.93 if absent.

    Returns
    -------
    Photograph
    """
    height, width = sheet.shape[:2]
    size = SIZE_PX if width > height else SIZE_PX[::-1]
    focal_35mm = int(rng.integers(24, 29))
    matrix = _seen(sheet.shape[:2], size, focal_35mm, tilt_deg, rng, fills or rng.uniform(0.8, 0.93))
    table = SURFACES[TABLES[rng.integers(len(TABLES))]](rng, (size[1], size[0]))
    cover = cv2.warpPerspective(np.ones((height, width), np.float32), matrix, size, flags=cv2.INTER_LINEAR)
    seen = cv2.warpPerspective(sheet, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    shadow = cv2.GaussianBlur(cv2.resize(cover, None, fx=0.125, fy=0.125), (0, 0), 2)
    shaded = table * (1 - 0.35 * cv2.resize(shadow, size)[..., None])
    image = seen * cover[..., None] + shaded * (1 - cover[..., None])
    blurred = cv2.GaussianBlur(image.astype(np.float32), (0, 0), rng.uniform(0.6, 1.0))
    image = np.asarray(blurred * _falling(size, rng), np.float32)
    grain = rng.normal(0, _NOISE, (512, 512, 3)).astype(np.float32)
    image += np.tile(grain, (-(-size[1] // 512), -(-size[0] // 512), 1))[: size[1], : size[0]]
    return Photograph(np.clip(np.round(image), 0, 255).astype(np.uint8), matrix, focal_35mm)


def _seen(
    shape: tuple[int, ...],
    size: tuple[int, int],
    focal_35mm: float,
    tilt_deg: float,
    rng: np.random.Generator,
    fills: float,
) -> NDArray[np.float64]:
    """Compute the homography of a camera that is tilted, turned a little, and so far off that the sheet fills it."""
    focal = focal_35mm / _DIAGONAL_35_MM * float(np.hypot(*size))
    towards, roll = rng.uniform(0, 2 * np.pi), rng.uniform(-0.1, 0.1)
    axis = np.radians(tilt_deg) * np.array([np.cos(towards), np.sin(towards), 0])
    turn = cv2.Rodrigues(axis)[0] @ cv2.Rodrigues(np.array([0, 0, roll]))[0]
    height, width = shape
    centred = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
    corners = np.array([[(0, 0), (width, 0), (width, height), (0, height)]], np.float64)
    camera = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]])
    near, far = 0.1 * max(shape), 20.0 * max(shape)
    for _ in range(60):
        distance = (near + far) / 2
        pose = np.stack([turn[:, 0], turn[:, 1], [0, 0, distance]], axis=1)
        matrix = camera @ pose @ centred
        spread = np.ptp(cv2.perspectiveTransform(corners, matrix)[0], axis=0) / size
        near, far = (distance, far) if spread.max() > fills else (near, distance)
    middle = cv2.perspectiveTransform(corners, matrix)[0]
    off = np.array(size) / 2 - (middle.min(axis=0) + middle.max(axis=0)) / 2
    # Moved on the sensor by a fraction of the frame only: the camera points there by and large.
    return np.asarray(np.array([[1, 0, off[0]], [0, 1, off[1]], [0, 0, 1.0]]) @ matrix)


def _falling(size: tuple[int, int], rng: np.random.Generator) -> Image:
    """Draw the light of a window at one side, and the darker corners of a small lens."""
    columns, rows = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    towards = rng.uniform(0, 2 * np.pi)
    side = 1 - rng.uniform(0.05, 0.22) * (1 + columns * np.cos(towards) + rows * np.sin(towards))
    corners = 1 - rng.uniform(0.02, 0.08) * (columns**2 + rows**2)
    return np.asarray((side * corners)[..., None], np.float32)

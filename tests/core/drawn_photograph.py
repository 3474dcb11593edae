"""A photograph of strips on a card, drawn with a camera that is known."""

import cv2
import numpy as np
from PIL import Image
from PIL.ExifTags import IFD
from PIL.ExifTags import Base as Tag

FOCAL_35MM = 26
YELLOW, BROWN = (250, 200, 60), (92, 66, 50)


def card(n: int = 8, size: tuple[int, int] = (1240, 1754), colour: tuple[int, int, int] = YELLOW) -> np.ndarray:
    """Draw a card of A4 size at 150 dpi with strips of paper on it, of lines of print."""
    rng = np.random.default_rng(0)
    pixels = np.full((size[1], size[0], 3), colour, np.float64) + rng.normal(0, 2, (size[1], size[0], 3))
    for left in np.linspace(90, size[0] - 140, n).astype(int):
        pixels[60:-60, left : left + 50] = 246
        for top in range(90, size[1] - 90, 30):
            pixels[top : top + 12, left : left + 50][:, rng.random(50) < 0.5] = 30
    return np.clip(pixels, 0, 255).astype(np.uint8)


def photograph(
    sheet: np.ndarray, tilt_deg: tuple[float, float], size: tuple[int, int] = (1500, 2000), far: float = 1.3
) -> tuple[np.ndarray, np.ndarray]:
    """Photograph a sheet from above, tilted about two axes; the homography from the sheet comes with it."""
    height, width = sheet.shape[:2]
    focal = FOCAL_35MM / 43.27 * np.hypot(*size)
    turn = cv2.Rodrigues(np.radians([*tilt_deg, 2.0]))[0]
    pose = np.stack([turn[:, 0], turn[:, 1], [0, 0, far * focal * height / size[1]]], axis=1)
    camera = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    matrix = camera @ pose @ np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    seen = cv2.warpPerspective(sheet, matrix, size, flags=cv2.INTER_AREA)
    cover = cv2.warpPerspective(np.ones((height, width), np.float32), matrix, size)[..., None]
    light = np.linspace(1, 0.75, size[0])[None, :, None]
    noise = np.random.default_rng(1).normal(0, 2, (*size[::-1], 3))
    table = np.array(BROWN) * (1 - cover)
    return np.clip((seen * cover + table) * light + noise, 0, 255).astype(np.uint8), matrix


def true_corners(sheet: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Compute where the corners of a sheet are on its photograph."""
    height, width = sheet.shape[:2]
    ends = [(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)]
    return cv2.perspectiveTransform(np.array([ends], np.float64), matrix)[0]


def exif() -> Image.Exif:
    """Build what a telephone writes; its resolution means nothing."""
    written = Image.Exif()
    written[Tag.Model], written[Tag.XResolution], written[Tag.YResolution] = "Drawn", 300.0, 300.0
    written.get_ifd(IFD.Exif)[Tag.FocalLengthIn35mmFilm] = FOCAL_35MM
    return written

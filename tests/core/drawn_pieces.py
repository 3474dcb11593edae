"""Sheets of cross-cut paper drawn in software, with known truth: a page cut both ways, and its pieces scanned."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.sheets.sheet import Sheet
from tests.core.drawn_sheets import SURFACES, as_sheet


@dataclass(frozen=True)
class Laid:
    """A piece of paper as it lies on a sheet: its picture, where its centre is, and how it is turned."""

    pixels: NDArray[np.uint8]
    x: float
    y: float
    angle_deg: float = 0.0
    alpha: NDArray[np.float32] | None = None
    """Where there is paper; None for all of the picture."""

    def corners(self) -> NDArray[np.float64]:
        """Return its four corners on the sheet, (4, 2)."""
        height, width = self.pixels.shape[:2]
        turn = np.radians(self.angle_deg)
        across, along = np.array([np.cos(turn), -np.sin(turn)]), np.array([np.sin(turn), np.cos(turn)])
        return np.array(
            [(self.x, self.y) + a * width / 2 * across + b * height / 2 * along for a, b in _CORNERS], np.float64
        )


_CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def page(size: tuple[int, int], seed: int = 0, paper: Sequence[int] = (250, 248, 244)) -> NDArray[np.uint8]:
    """Draw a page full of lines of letters, width and height in pixels."""
    rng = np.random.default_rng(seed)
    width, height = size
    pixels = np.full((height, width, 3), paper, np.uint8)
    for baseline in range(48, height - 10, 46):
        for x in range(10, width - 20, 23):
            if rng.random() < 0.85:
                letter = chr(rng.integers(97, 123))
                cv2.putText(pixels, letter, (x, baseline), cv2.FONT_HERSHEY_DUPLEX, 0.9, (25, 24, 30), 2, cv2.LINE_AA)
    return pixels


def cut(pixels: NDArray[np.uint8], size: tuple[int, int]) -> list[list[NDArray[np.uint8]]]:
    """Cut a page into pieces of a width and height in pixels, row by row; the last ones are what is left."""
    height, width = pixels.shape[:2]
    return [
        [pixels[y : y + size[1], x : x + size[0]] for x in range(0, width, size[0])] for y in range(0, height, size[1])
    ]


def laid_in_rows(
    pieces: Sequence[NDArray[np.uint8]], n_across: int, gap: int = 30, turn_deg: float = 0.0, seed: int = 0
) -> list[Laid]:
    """Lay pieces side by side in rows, each turned by up to so much."""
    rng = np.random.default_rng(seed)
    wide, tall = max(one.shape[1] for one in pieces) + gap, max(one.shape[0] for one in pieces) + gap
    return [
        Laid(
            one,
            wide * (number % n_across + 1),
            tall * (number // n_across + 0.5) + gap,
            float(rng.uniform(-turn_deg, turn_deg)),
        )
        for number, one in enumerate(pieces)
    ]


def laid_anyhow(pieces: Sequence[NDArray[np.uint8]], size: tuple[int, int], gap: int = 14, seed: int = 0) -> list[Laid]:
    """Lay pieces at any angle and place where there is room on a sheet of a width and height in pixels."""
    rng = np.random.default_rng(seed)
    taken = np.ones((size[1], size[0]), np.uint8)
    taken[gap:-gap, gap:-gap] = 0
    laid = []
    for pixels in pieces:
        for _ in range(4000):
            one = Laid(pixels, *(rng.uniform(30, side - 30) for side in size), float(rng.uniform(-180, 180)))
            shape = np.round(one.corners()).astype(np.int32)
            x, y, wide, tall = cv2.boundingRect(shape)
            if x < 0 or y < 0 or x + wide > size[0] or y + tall > size[1]:
                continue
            inside = np.zeros((tall, wide), np.uint8)
            cv2.fillPoly(inside, [shape - (x, y)], 1)
            if not (taken[y : y + tall, x : x + wide] & inside).any():
                cv2.fillPoly(taken, [shape], 1)
                cv2.polylines(taken, [shape], True, 1, thickness=2 * gap)
                laid.append(one)
                break
    return laid


def scanned(
    laid: Iterable[Laid],
    size: tuple[int, int],
    *,
    surface: tuple[int, int, int] = SURFACES["green"],
    seed: int = 0,
    worn: float = 0.6,
) -> Sheet:
    """Draw a sheet of a width and height in pixels, on which pieces lie, as a scanner at 300 dpi sees it."""
    rng = np.random.default_rng(seed)
    texture = cv2.GaussianBlur(9 * rng.standard_normal((size[1], size[0]), np.float32), (0, 0), 1.5)
    image = np.float32(surface) + texture[:, :, None]
    for one in laid:
        height, width = one.pixels.shape[:2]
        alpha = _rim(height, width, rng, worn) if one.alpha is None else one.alpha
        colours = cv2.copyMakeBorder(one.pixels, 4, 4, 4, 4, cv2.BORDER_REPLICATE).astype(np.float32)
        alpha = cv2.copyMakeBorder(alpha, 4, 4, 4, 4, cv2.BORDER_CONSTANT)
        matrix = cv2.getRotationMatrix2D(((width + 7) / 2, (height + 7) / 2), one.angle_deg, 1.0)
        reach = int(np.hypot(width, height) / 2) + 8
        left, top = int(one.x) - reach, int(one.y) - reach
        matrix[:, 2] += (one.x - 0.5 - left - (width + 7) / 2, one.y - 0.5 - top - (height + 7) / 2)
        box = (2 * reach, 2 * reach)
        colours = cv2.warpAffine(colours, matrix, box, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        alpha = cv2.warpAffine(alpha, matrix, box, flags=cv2.INTER_LINEAR)[:, :, None]
        shadow = cv2.GaussianBlur(alpha, (0, 0), 2.5)[:, :, None]
        rows, columns = (slice(max(0, at), at + 2 * reach) for at in (top, left))
        there = image[rows, columns]
        inside = np.s_[max(0, -top) :, max(0, -left) :]
        colours, alpha, shadow = (part[inside][: there.shape[0], : there.shape[1]] for part in (colours, alpha, shadow))
        image[rows, columns] = there * (1 - 0.3 * shadow) * (1 - alpha) + colours * alpha
    image = cv2.GaussianBlur(image, (0, 0), 0.7) + 1.5 * rng.standard_normal(image.shape, np.float32)
    pixels = np.rint(image).clip(0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", pixels[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, 90])
    return as_sheet(np.ascontiguousarray(cv2.imdecode(packed, cv2.IMREAD_COLOR)[:, :, ::-1]))


def _rim(height: int, width: int, rng: np.random.Generator, worn: float) -> NDArray[np.float32]:
    """Draw where there is paper of a piece whose four cuts are straight but for fibres."""
    columns, rows = np.arange(width)[None, :], np.arange(height)[:, None]
    left, right = (np.abs(rng.normal(0, worn, (height, 1))).astype(np.float32) for _ in range(2))
    top, bottom = (np.abs(rng.normal(0, worn, (1, width))).astype(np.float32) for _ in range(2))
    across = np.clip(columns - left + 1, 0, 1) * np.clip(width - right - columns, 0, 1)
    return (across * np.clip(rows - top + 1, 0, 1) * np.clip(height - bottom - rows, 0, 1)).astype(np.float32)

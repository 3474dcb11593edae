"""A sack of shreds: invented pages printed, cut into strips, mixed, laid on sheets and scanned, all in software.

Cutting, laying and scanning are functions of their own. Strips lie on the disk between cutting and laying: those of
hundreds of pages are mixed, and would not fit into memory.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.units import DPI, mm_to_px
from training.demo.sheets import PAPER_RGB, Strip, cut_out, draw_strips
from training.pages.beds.laid_out import ROOM_PX, Box, scan
from training.pages.preparation import rasterize
from training.pages.print_scan import Treatment, draw_treatment, print_and_scan

CARDS_RGB = ((246, 196, 58), (60, 140, 200), (70, 160, 90), (205, 70, 80))
"""What shreds are laid on: yellow, blue, green or red card."""

GAP_PX = 60
"""Between shreds, and around them."""

TURN_DEG = 0.8
"""By so much at most a shred lies turned."""

JPEG_QUALITY = 85

INK_GREY = 127
"""A shred without any blurred grey value below this is blank, as in `training.measuring.documents`."""

TONE = 3.0
"""By so many grey values the whites of pages differ."""


@dataclass(frozen=True)
class Lying:
    """A shred that lies on a sheet.

    Attributes
    ----------
    page, number : int
        Which strip it is, both from 0; number 0 is the leftmost of its page.
    blank : bool
        Whether it bears no ink.
    half_turned : bool
        Whether it lies upside down.
    bbox : tuple of int
        x, y, width and height on the sheet, in pixels.
    """

    page: int
    number: int
    blank: bool
    half_turned: bool = False
    bbox: Box = (0, 0, 0, 0)

    def described(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return asdict(self)


Laid = TypeVar("Laid", bound=Lying)


@dataclass(frozen=True, eq=False)
class Places:
    """How n shreds lie on a sheet, from left to right.

    Attributes
    ----------
    turns_deg, moves_px : ndarray of shape (n,), float64
        By how much each lies turned, counter-clockwise, and too low.
    """

    turns_deg: NDArray[np.float64]
    moves_px: NDArray[np.float64]


def cut_document(path: Path, first: int, seed: int, width_mm: float, folder: Path) -> list[Lying]:
    """Print the pages of a PDF file, scan and copy them as it happens to paper, and cut them into strips.

    Parameters
    ----------
    path : Path
        As `training.rendering` made it.
    first : int
        Number of its first page.
    seed : int
        With the number of a page it decides all.
    width_mm : float
        Of strips.
    folder : Path
        Where strips are put, see `strip_path`.

    Returns
    -------
    list of Lying
        The strips, page by page, from left to right; they lie nowhere yet.
    """
    cut, clean = [], list(rasterize(path))
    for at, page in enumerate(clean):
        rng = np.random.default_rng([seed, first + at])
        grey = print_and_scan(page, treatment_on_white(rng), rng, behind=clean[(at + 1) % len(clean)])
        for number, strip in enumerate(strips_of(grey, width_mm, rng)):
            pixels = strip_of(grey, strip)
            np.save(strip_path(folder, first + at, number), pixels)
            cut.append(Lying(first + at, number, is_blank(pixels)))
    return cut


def treatment_on_white(rng: np.random.Generator) -> Treatment:
    """Draw what happens to a page that is printed on white paper again in the end."""
    treatment = draw_treatment(rng)
    return replace(treatment, white=min(treatment.white, treatment.paper))


def strips_of(grey: NDArray[np.uint8], width_mm: float, rng: np.random.Generator) -> list[Strip]:
    """Draw where a page of shape (h, w) is cut."""
    return draw_strips((grey.shape[0], grey.shape[1]), round(grey.shape[1] / mm_to_px(width_mm)), rng)


def strip_of(grey: NDArray[np.uint8], strip: Strip) -> NDArray[np.uint8]:
    """Cut a strip, as `strip_path` has it, out of a page of shape (h, w)."""
    return np.rint(cut_out(grey[..., None].astype(np.float32), strip)).astype(np.uint8)


def strip_path(folder: Path, page: int, number: int) -> Path:
    """Return where a strip lies: an array of shape (h, w, 2), uint8, of grey values and of how much it covers."""
    return folder / f"{page:05}_{number:03}.npy"


def is_blank(strip: NDArray[np.uint8]) -> bool:
    """Check whether a strip, as `strip_path` has it, bears no ink."""
    inner = cv2.erode((strip[..., 1] > 127).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    grey = np.where(strip[..., 1] > 127, strip[..., 0], np.uint8(255))
    return not bool((cv2.GaussianBlur(grey, (5, 5), 0)[inner] < INK_GREY).any())


def drawn_sheets(
    cut: Sequence[Laid], half_turned: float, missing: float, per_sheet: int, seed: int
) -> list[list[Laid]]:
    """Mix strips, lose some, turn some, and spread them over sheets.

    Parameters
    ----------
    cut : sequence of Lying
        Of all pages.
    half_turned, missing : float
        Which share of them, 0 to 1.
    per_sheet : int
        So many lie on a sheet.
    seed : int
        Decides all.

    Returns
    -------
    list of list of Lying
        Sheet by sheet, from left to right.
    """
    rng = np.random.default_rng([seed, 1, 1])
    left = rng.permutation(len(cut))[round(missing * len(cut)) :]
    turned = rng.permutation(len(left)) < half_turned * len(left)
    mixed = [replace(cut[at], half_turned=bool(upside_down)) for at, upside_down in zip(left, turned, strict=True)]
    return [mixed[at : at + per_sheet] for at in range(0, len(mixed), per_sheet)]


def write_sheet(path: Path, shreds: Sequence[Lying], strips: Path, laid_off_mm: float, seed: int) -> list[Lying]:
    """Lay shreds on a sheet, scan it, and write it as JPEG.

    Parameters
    ----------
    path : Path
        File to write.
    shreds : sequence of Lying
        From left to right.
    strips : Path
        The folder of `cut_document`.
    laid_off_mm : float
        By so much at most each lies too high or too low.
    seed : int
        With the sheet's name it decides all.

    Returns
    -------
    list of Lying
        With their boxes.
    """
    rng = chance_of_sheet(path, seed)
    pixels = [coloured(np.load(strip_path(strips, shred.page, shred.number)), shred, seed) for shred in shreds]
    sheet, boxes = lay(pixels, mm_to_px(laid_off_mm), rng)
    write_scan(path, sheet, rng)
    return [replace(shred, bbox=box) for shred, box in zip(shreds, boxes, strict=True)]


def chance_of_sheet(path: Path, seed: int) -> np.random.Generator:
    """Return the source of all chance on a sheet, which its name and the seed decide."""
    return np.random.default_rng([seed, 2, *path.stem.encode()])


def write_scan(path: Path, sheet: NDArray[np.float32], rng: np.random.Generator) -> None:
    """Scan a sheet that `lay` laid, and write it as JPEG."""
    Image.fromarray(scan(sheet, DPI, rng)).save(path, quality=JPEG_QUALITY, dpi=(DPI, DPI))


def coloured(strip: NDArray[np.uint8], shred: Lying, seed: int) -> NDArray[np.uint8]:
    """Give a strip the white of its page, and turn it the way it lies.

    Parameters
    ----------
    strip : ndarray of shape (h, w, 2), uint8
        See `strip_path`.
    shred : Lying
        Which it is.
    seed : int
        With the page's number it decides the white.

    Returns
    -------
    ndarray of shape (h, w, 4), uint8
        RGB, and how much it covers.
    """
    rng = np.random.default_rng([seed, 3, shred.page])
    white = np.array(PAPER_RGB) + TONE * rng.uniform(-1, 1) + rng.uniform(-1, 1, 3)
    rgb = np.rint(strip[..., :1] * (white / 255)).astype(np.uint8)
    rgba = np.dstack([rgb, strip[..., 1]])
    return rgba[::-1, ::-1] if shred.half_turned else rgba


def lay(
    shreds: Sequence[NDArray[np.uint8]], laid_off_px: float, rng: np.random.Generator
) -> tuple[NDArray[np.float32], list[Box]]:
    """Lay shreds on card side by side, each a little turned and moved, with soft shadows.

    Parameters
    ----------
    shreds : sequence of ndarray of shape (h, w, 4), uint8
        RGB, and how much they cover, as they are to lie.
    laid_off_px : float
        By so much at most each lies too high or too low.
    rng : Generator
        Source of all chance.

    Returns
    -------
    sheet : ndarray of shape (h, w, 3), float32
        RGB, 0 to 255.
    boxes : list of Box
        Of the shreds on it.
    """
    return lay_at(shreds, draw_places(len(shreds), laid_off_px, rng), laid_off_px, rng)


def draw_places(n: int, laid_off_px: float, rng: np.random.Generator) -> Places:
    """Draw how shreds lie on a sheet."""
    return Places(rng.uniform(-TURN_DEG, TURN_DEG, n), rng.uniform(-laid_off_px, laid_off_px, n))


def lay_at(
    shreds: Sequence[NDArray[np.uint8]], places: Places, laid_off_px: float, rng: np.random.Generator
) -> tuple[NDArray[np.float32], list[Box]]:
    """Lay shreds as `lay` does, turned and moved as it is told."""
    turns_deg, moves_px = places.turns_deg, places.moves_px
    room = [2 * abs(np.sin(np.radians(turn))) * len(shred) / 2 for turn, shred in zip(turns_deg, shreds, strict=True)]
    widths = [shred.shape[1] + wide + GAP_PX for shred, wide in zip(shreds, room, strict=True)]
    height = max(map(len, shreds)) + 2 * round(laid_off_px + GAP_PX)
    sheet = np.empty((height, round(sum(widths)) + GAP_PX, 3), dtype=np.float32)
    sheet[:] = np.array(CARDS_RGB[rng.integers(len(CARDS_RGB))]) + rng.uniform(-6, 6, 3)
    shadow, boxes, x = rng.uniform(0.2, 0.45), [], GAP_PX / 2
    for shred, turn_deg, move_px, width in zip(shreds, turns_deg, moves_px, widths, strict=True):
        boxes.append(_place(sheet, shred, (x + width / 2, height / 2 + move_px), turn_deg, shadow))
        x += width
    return sheet, boxes


def _place(
    sheet: NDArray[np.float32], shred: NDArray[np.uint8], centre: tuple[float, float], turn_deg: float, shadow: float
) -> Box:
    """Lay one shred on a sheet; returns its box."""
    height, width = shred.shape[0] + 2, shred.shape[1] + 2
    colour = cv2.copyMakeBorder(np.ascontiguousarray(shred[..., :3]), 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    framed = np.dstack([colour, np.pad(shred[..., 3], 1)])
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 1.0)
    corners = cv2.transform(np.array([[(0, 0), (width, 0), (0, height), (width, height)]], np.float64), matrix)[0]
    at = np.array(centre) - (width / 2, height / 2)
    low = np.maximum(np.floor(corners.min(axis=0) + at).astype(int) - ROOM_PX, 0)
    high = np.minimum(np.ceil(corners.max(axis=0) + at).astype(int) + ROOM_PX, (sheet.shape[1], sheet.shape[0]))
    matrix[:, 2] += at - low
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    moved = cv2.warpAffine(framed, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = moved[..., 3].astype(np.float32) / 255
    cast = cv2.GaussianBlur(np.roll(moved[..., 3], (3, 4), (0, 1)), (0, 0), 4).astype(np.float32) / 255
    under = sheet[low[1] : high[1], low[0] : high[0]]
    under *= ((1 - shadow * np.clip(cast - cover, 0, 1)) * (1 - cover))[..., None]
    under += moved[..., :3] * cover[..., None]
    x, y, wide, high_px = cv2.boundingRect((moved[..., 3] > 127).astype(np.uint8))
    return int(low[0]) + x, int(low[1]) + y, wide, high_px

"""Sheets drawn in software, with known truth: strips of text with worn edges on a surface, as a scanner sees them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.sheets.sheet import Sheet, SheetInfo

SURFACES = {
    "yellow": (250, 200, 68),
    "orange": (250, 182, 89),
    "blue": (50, 90, 160),
    "light blue": (140, 190, 235),
    "green": (40, 130, 70),
    "red": (190, 40, 50),
    "black": (25, 24, 26),
    "grey lid": (150, 152, 150),
}


@dataclass(frozen=True)
class Strip:
    """One strip: where its centre lies, how long and wide and how turned it is, and where it is torn across."""

    x: float
    y: float
    width: int = 110
    length: int = 900
    angle_deg: float = 0.0
    torn_at: tuple[int, ...] = ()
    ink: bool = True


@dataclass(frozen=True)
class Scene:
    """What lies on a sheet, and how it was scanned."""

    strips: Sequence[Strip]
    surface: tuple[int, int, int] = SURFACES["yellow"]
    size: tuple[int, int] = (1100, 1200)
    paper: tuple[int, int, int] = (250, 248, 244)
    light: float = 0.0
    shadow: float = 0.4
    lid_px: int = 0
    quality: int = 88
    seed: int = 0
    extra: Sequence[tuple[float, float, int, int]] = field(default=())


def wavy(rng: np.random.Generator, length: int, amplitude: float = 3.0) -> NDArray[np.float64]:
    """Draw a worn edge: slow waves and a little roughness."""
    slow = cv2.GaussianBlur(rng.normal(size=(length + 200, 1)), (1, 0), 0.1, sigmaY=25)[100:-100, 0]
    rough = cv2.GaussianBlur(rng.normal(size=(length, 1)), (1, 0), 0.1, sigmaY=2)[:, 0]
    return slow / slow.std() * amplitude + rough / rough.std() * 0.6


def draw_strip(strip: Strip, rng: np.random.Generator) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Draw a strip upright: how much of each pixel is paper, and how much of that is ink."""
    width, length = strip.width + 24, strip.length
    columns = np.arange(width)[None, :]
    left, right = 12 + wavy(rng, length)[:, None], 12 + strip.width + wavy(rng, length)[:, None]
    alpha = np.clip(columns - left + 0.5, 0, 1) * np.clip(right - columns + 0.5, 0, 1)
    for row in strip.torn_at:
        tear = np.round(row + wavy(rng, width, 4)).astype(int)
        for column, top in enumerate(tear):
            alpha[top : top + 14, column] = 0
    ink = np.zeros((length, width), np.uint8)
    if strip.ink:
        for baseline in range(40, length - 30, 50):
            x = -10
            while x < width:
                if rng.random() < 0.75:
                    cv2.putText(
                        ink,
                        chr(rng.integers(97, 123)),
                        (x, baseline),
                        cv2.FONT_HERSHEY_DUPLEX,
                        1.0,
                        255,
                        3,
                        cv2.LINE_AA,
                    )
                x += 22
        cv2.rectangle(ink, (0, length // 2), (width, length // 2 + 5), 255, cv2.FILLED)
    return alpha.astype(np.float32), ink.astype(np.float32) / 255


@lru_cache(maxsize=4)
def _grain(seed: int, width: int, height: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Draw the texture of a surface and the noise of a scanner, the same for each sheet of a size: most of drawing."""
    rng = np.random.default_rng(seed)
    texture = cv2.GaussianBlur(12 * rng.standard_normal((height, width), np.float32), (0, 0), 1.5)
    noise = 1.5 * rng.standard_normal((height, width, 3), np.float32)
    return texture, np.ascontiguousarray(noise.transpose(2, 0, 1))


def draw(scene: Scene) -> tuple[Sheet, list[NDArray[np.bool_]]]:
    """Draw a sheet as scanned, and where each strip's paper really is."""
    rng = np.random.default_rng(scene.seed)
    width, height = scene.size
    texture, noise = _grain(scene.seed, width, height)
    placed = []
    for strip in scene.strips:
        alpha, ink = draw_strip(strip, rng)
        matrix = cv2.getRotationMatrix2D((alpha.shape[1] / 2, alpha.shape[0] / 2), strip.angle_deg, 1.0)
        matrix[:, 2] += (strip.x - alpha.shape[1] / 2, strip.y - alpha.shape[0] / 2)
        placed.append(tuple(cv2.warpAffine(part, matrix, scene.size, flags=cv2.INTER_LINEAR) for part in (alpha, ink)))
    for x, y, wide, tall in scene.extra:
        alpha = np.zeros((height, width), np.float32)
        alpha[int(y) : int(y) + tall, int(x) : int(x) + wide] = 1
        placed.append((alpha, np.zeros_like(alpha)))
    covered = np.zeros((height, width), np.float32)
    boxes = []
    for alpha, _ in placed:
        np.maximum(covered, alpha, out=covered)
        x, y, wide, tall = cv2.boundingRect((alpha > 0).view(np.uint8))
        boxes.append(np.s_[y : y + tall, x : x + wide])
    shade = cv2.GaussianBlur(np.roll(covered, (1, 3), (0, 1)), (0, 0), 2.5)
    lit = 1 - np.float32(scene.shadow) * shade
    fading = None
    if scene.light:
        across, down = (
            np.linspace(1, 1 - light, n, dtype=np.float32)
            for light, n in zip((scene.light, scene.light / 2), scene.size, strict=True)
        )
        fading = across[None, :] * down[:, None]
    scanned = []
    for channel in range(3):  # one after the other: numpy computes much longer with three at a time
        surface = np.float32(scene.surface[channel]) + texture
        image = surface * lit
        for (alpha, ink), box in zip(placed, boxes, strict=True):
            colour = np.float32(scene.paper[channel]) * (1 - np.float32(0.85) * ink[box])
            image[box] += (colour - image[box]) * alpha[box]
        if scene.lid_px:
            image[:, : scene.lid_px] = (244, 248, 251)[channel]
            image[:, : scene.lid_px // 3] = (110, 112, 114)[channel]
            image[:, scene.lid_px] = surface[:, scene.lid_px] * 0.6
        image = cv2.GaussianBlur(image, (0, 0), 0.7)
        if fading is not None:
            image *= fading
        image += noise[channel]
        scanned.append(np.rint(image, out=image).clip(0, 255, out=image).astype(np.uint8))
    _, packed = cv2.imencode(".jpg", cv2.merge(scanned[::-1]), [cv2.IMWRITE_JPEG_QUALITY, scene.quality])
    pixels = cv2.cvtColor(cv2.imdecode(packed, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
    truth = [alpha > 0.5 for alpha, _ in placed[: len(scene.strips)]]
    return as_sheet(pixels), truth


def as_sheet(pixels: NDArray[np.uint8], mask: NDArray[np.bool_] | None = None, name: str = "scan.jpg") -> Sheet:
    """Wrap pixels as a sheet read at 300 dpi."""
    info = SheetInfo(Path(name), 0, "", (pixels.shape[1], pixels.shape[0]), 300.0, "file", pixels[::8, ::8])
    return Sheet(info, pixels, mask)


def row_of_strips(n: int, *, gap: int = 50, seed: int = 0, **of_strip: object) -> list[Strip]:
    """Lay strips side by side, slightly turned."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-1.2, 1.2, n)
    return [
        Strip(x=130 + k * (110 + gap), y=600 + rng.uniform(-10, 10), angle_deg=float(angles[k]), **of_strip)  # type: ignore[arg-type]
        for k in range(n)
    ]


def write_sheets(folder: Path, n: int) -> list[Path]:
    """Write small sheets of six strips each as JPEG files: what reads the bundled sample takes ten times as long."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"sheet_{number + 1}.jpg" for number in range(n)]
    for number, path in enumerate(paths):
        sheet, _ = draw(Scene(row_of_strips(6, seed=number), seed=number))
        Image.fromarray(sheet.pixels).save(path, quality=88, dpi=(300, 300))
    return paths


def paper_strips(*boxes: tuple[int, int, int, int]) -> NDArray[np.bool_]:
    """Draw rectangles (x, y, width, height) of paper on a small sheet, as a mask."""
    paper = np.zeros((1000, 900), np.bool_)
    for x, y, width, height in boxes:
        paper[y : y + height, x : x + width] = True
    return paper

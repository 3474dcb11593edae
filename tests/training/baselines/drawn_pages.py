"""Pages of random letters, cut in software."""

from itertools import pairwise

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from core.shreds.shred import Shred

LETTERS = list("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


def draw_page(seed: int, *, width: int = 900, height: int = 1000, size_px: int = 42) -> np.ndarray:
    """A page full of random letters, grey."""
    rng = np.random.default_rng(seed)
    page = Image.new("L", (width, height), 250)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(size_px)
    for top in range(20, height - 2 * size_px, int(1.5 * size_px)):
        left = 10.0
        while left < width - size_px:
            letter = str(rng.choice(LETTERS)) if rng.random() < 0.9 else " "
            draw.text((left, top), letter, font=font, fill=15)
            left += draw.textlength(letter, font=font) + 3
    return np.asarray(page)


def cut_page(page: np.ndarray, n: int, lower_px: dict[int, int] | None = None) -> list[Shred]:
    """Cut a grey page into shreds of equal width, in order; some lie lower than others."""
    edges = np.linspace(0, page.shape[1], n + 1).astype(int)
    lowest_px = max((lower_px or {}).values(), default=0)
    shreds = []
    for number, (start, stop) in enumerate(pairwise(edges)):
        down = (lower_px or {}).get(number, 0)
        grey = np.full((len(page) + lowest_px, stop - start), 250, dtype=np.uint8)
        grey[down : down + len(page)] = page[:, start:stop]
        height, width = grey.shape
        shreds.append(
            Shred(
                id=f"1-{number + 1:02}",
                sheet=0,
                bbox=(0, 0, width, height),
                outline=np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32),
                angle_deg=0.0,
                pixels=np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB), dtype=np.uint8),
                mask=np.ones((height, width), dtype=np.bool_),
                frame_top_px=0,
                blank=False,
            )
        )
    return shreds


def share_right(cost: np.ndarray) -> float:
    """Share of shreds, given in order, whose cheapest right neighbour is the next one."""
    return float(np.mean(cost[:-1].argmin(axis=1) == np.arange(1, len(cost))))

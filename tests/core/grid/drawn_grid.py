"""A page of print, cut both ways in software, as pieces."""

import cv2
import numpy as np
from numpy.typing import NDArray

from core.shreds.binarization import is_blank
from core.shreds.shred import Shred
from tests.core.drawn_pieces import cut, page


def as_piece(name: str, pixels: NDArray[np.uint8]) -> Shred:
    """Take a picture for a piece of cross-cut paper, all of it."""
    height, width = pixels.shape[:2]
    mask, outline = np.ones((height, width), np.bool_), np.zeros((4, 2), np.float32)
    blank = bool(is_blank(pixels, mask))
    return Shred(name, 0, (0, 0, width, height), outline, 0.0, pixels.copy(), mask, 0, blank, cross_cut=True)


def drawn_pieces(n_rows: int, n_columns: int, seed: int = 3) -> tuple[list[Shred], list[list[str]]]:
    """Cut a drawn page into rows of pieces: in a drawn order, and the names row by row."""
    rng, (width, height) = np.random.default_rng(seed), (96 * n_columns, 200 * n_rows)
    drawn = page((width, height), seed)
    for _ in range(12 * n_rows * n_columns):  # strokes that go through the cuts
        x, y, to_x, to_y = rng.integers(0, (width, height, width, height)).tolist()
        end = (x + (to_x - x) // 8, y + (to_y - y) // 8)
        cv2.line(drawn, (x, y), end, (25, 24, 30), int(rng.integers(2, 6)), cv2.LINE_AA)
    rows = cut(drawn, (96, 200))
    order = rng.permutation(n_rows * n_columns).tolist()
    names = [f"1-{one + 1:03d}" for one in order]
    pieces = [as_piece(name, piece) for name, piece in zip(names, (one for row in rows for one in row), strict=True)]
    grid = [names[start : start + n_columns] for start in range(0, len(names), n_columns)]
    return sorted(pieces, key=lambda piece: piece.id), grid

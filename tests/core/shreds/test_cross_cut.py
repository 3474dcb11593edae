import cv2
import numpy as np
import pytest

from core.errors import CrossCutError, TornError
from core.shreds.cross_cut import refusal_of_pieces
from core.shreds.pieces import Piece, crop
from core.units import mm_to_px


def piece(x_mm: float, y_mm: float, width_mm: float, length_mm: float) -> Piece:
    x, y, width, length = (round(mm_to_px(mm)) for mm in (x_mm, y_mm, width_mm, length_mm))
    return Piece((x, y, width, length), np.ones((length, width), np.bool_))


def torn(x: int, y: int, seed: int) -> Piece:
    """A piece with a ragged outline, some 50 mm across."""
    rng = np.random.default_rng(seed)
    turn = np.sort(rng.uniform(0, 2 * np.pi, 9))
    reach = rng.uniform(150, 400, 9)
    corners = np.stack([np.cos(turn), np.sin(turn)], 1) * reach[:, None] + 420
    mask = np.zeros((840, 840), np.uint8)
    cv2.fillPoly(mask, [corners.astype(np.int32)], 1)
    found = crop(mask > 0, (x, y))
    assert found is not None
    return found


def test_counts_cross_cut_pieces_and_their_bits() -> None:
    pieces = [piece(6 * k, 35 * row, 3, 28) for k in range(12) for row in range(4)]
    refusal = refusal_of_pieces([*pieces, piece(100, 0, 3, 10)], "scan.jpg")
    assert isinstance(refusal, CrossCutError)
    assert refusal.code == "cross-cut"
    assert "scan.jpg shows 48 pieces of cross-cut paper, about 3 × 28 mm each, and 1 smaller bits" in str(refusal)


def test_ten_thousand_bits_are_counted() -> None:
    bits = [piece(4 * k, 4 * row, 2.2, 2.2) for k in range(100) for row in range(100)]
    assert "10000 pieces" in str(refusal_of_pieces(bits, "scan.jpg"))


def test_counts_torn_pieces() -> None:
    refusal = refusal_of_pieces([torn(900 * (k % 3), 900 * (k // 3), k) for k in range(8)], "scan.jpg")
    assert isinstance(refusal, TornError)
    assert "torn by hand" in str(refusal)


@pytest.mark.parametrize(
    "pieces",
    [
        [piece(9 * k, 0, 6, 280) for k in range(20)],
        [piece(9 * k, 40 * row, 9, 35) for k in range(5) for row in range(2)],
        [piece(9 * k, 0, 6, 280) for k in range(12)] + [piece(k, 285, 0.6, 2) for k in range(100)],
        [piece(90 * k, 0, 85, 54) for k in range(4)],
        [],
    ],
    ids=["strips", "short strips in two rows", "strips and crumbs", "cards", "nothing"],
)
def test_what_may_be_strips_is_no_pieces(pieces: list[Piece]) -> None:
    assert refusal_of_pieces(pieces, "scan.jpg") is None

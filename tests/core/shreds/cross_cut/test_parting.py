from collections.abc import Sequence

import numpy as np
import pytest

from core.options import SegmentationOptions
from core.shreds.segmentation import Segmentation, segment
from tests.core.drawn_pieces import Laid, cut, laid_in_rows, page, scanned

SIZE = (47, 472)
"""4 × 40 mm."""

PIECES = [piece for row in cut(page((10 * SIZE[0], 4 * SIZE[1])), SIZE) for piece in row]


def found_beside(others: Sequence[Laid]) -> Segmentation:
    """Segment a sheet with a row of pieces above others."""
    laid = [*laid_in_rows(PIECES[:20], 20, gap=40), *others]
    return segment(scanned(laid, (1900, 1700)), 0, SegmentationOptions(cut="cross"))


def beside(number: int, x: float, y: float, angle_deg: float, across: float, along: float) -> Laid:
    """Lay a piece so many pixels across and along from a place, in the direction in which it is turned."""
    turn = np.radians(angle_deg)
    return Laid(
        PIECES[20 + number],
        x + across * np.cos(turn) + along * np.sin(turn),
        y - across * np.sin(turn) + along * np.cos(turn),
        angle_deg,
    )


@pytest.mark.parametrize(
    "touching",
    [
        [beside(0, 500, 1000, 0, 0, 0), beside(1, 500, 1000, 0, 46.5, 0)],
        [beside(0, 500, 1000, 25, 0, 0), beside(1, 500, 1000, 25, 46.5, 90)],
        [beside(0, 500, 900, 5, 0, 0), beside(1, 500, 900, 5, 0, 471)],
        [beside(0, 500, 1000, 0, 0, 0), beside(1, 618, 900, 25, 0, 0)],
        [beside(k, 500, 1000, 0, 46.5 * k, 10 * k) for k in range(6)],
    ],
    ids=["side by side", "turned and shifted", "end to end", "at an angle", "six"],
)
def test_touching_pieces_are_parted(touching: list[Laid]) -> None:
    shreds = found_beside(touching).shreds
    assert len(shreds) == 20 + len(touching)
    middles = np.array([shred.outline.min(axis=0) + shred.outline.max(axis=0) for shred in shreds]) / 2
    for one in touching:
        (nearest,) = np.flatnonzero(np.hypot(*(middles - (one.x, one.y)).T) < 6)
        assert shreds[nearest].angle_deg == pytest.approx(one.angle_deg, abs=0.5)
        assert shreds[nearest].width_px == pytest.approx(SIZE[0], abs=4)
        assert shreds[nearest].height_px == pytest.approx(SIZE[1], abs=5)


def test_what_lies_over_another_piece_stays_together() -> None:
    over = [beside(0, 500, 1000, 0, 0, 0), beside(1, 510, 1000, 40, 0, 0)]
    assert len(found_beside(over).shreds) == 21


def test_pieces_are_numbered_row_by_row() -> None:
    shreds = found_beside([beside(k, 300 + 100 * k, 1000 + 30 * (k % 3), 0, 0, 0) for k in range(10)]).shreds
    assert [shred.id for shred in shreds[:2]] == ["1-001", "1-002"]
    rows = [(shred.bbox[1] > 600, shred.bbox[0]) for shred in shreds]
    assert rows == sorted(rows)

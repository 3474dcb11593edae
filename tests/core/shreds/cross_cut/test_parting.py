from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.options import SegmentationOptions
from core.sheets.mends import SplitShred
from core.shreds.segmentation import Segmentation, segment
from tests.core.drawn_pieces import Laid, cut, laid_anyhow, laid_in_rows, page, scanned
from tests.core.drawn_sheets import SURFACES

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


def test_a_block_of_pieces_that_may_lie_in_either_direction_stays_together() -> None:
    assert len(found_beside([beside(k, 500, 1000, 0, 46.5 * k, 0) for k in range(10)]).shreds) == 21


def test_what_lies_over_another_piece_stays_together() -> None:
    over = [beside(0, 500, 1000, 0, 0, 0), beside(1, 510, 1000, 40, 0, 0)]
    assert len(found_beside(over).shreds) == 21


@pytest.mark.parametrize(
    ("surface", "paper"),
    [
        ("green", (250, 248, 244)),
        ("yellow", (250, 248, 244)),
        ("black", (250, 248, 244)),
        ("green", (250, 205, 210)),
        ("red", (250, 240, 150)),
    ],
)
def test_pieces_are_turned_upright_from_any_angle(surface: str, paper: tuple[int, int, int]) -> None:
    white, (width, height) = cut(page((12 * SIZE[0], 2 * SIZE[1]), seed=2, paper=paper), SIZE), (1900, 1900)
    blank = [np.full((SIZE[1], SIZE[0], 3), paper, np.uint8)] * 4
    laid = laid_anyhow([piece for row in white for piece in row] + blank, (width, height))
    found = segment(scanned(laid, (width, height), surface=SURFACES[surface]), 0, SegmentationOptions())
    assert len(found.shreds) == len(laid) >= 24
    assert not found.scraps
    middles = np.array([shred.outline.min(axis=0) + shred.outline.max(axis=0) for shred in found.shreds]) / 2
    for one in laid:
        (nearest,) = np.flatnonzero(np.hypot(*(middles - (one.x, one.y)).T) < 6)
        shred = found.shreds[nearest]
        assert abs((shred.angle_deg - one.angle_deg + 90) % 180 - 90) < 0.15
        assert shred.width_px == pytest.approx(SIZE[0], abs=4)
        assert shred.height_px == pytest.approx(SIZE[1], abs=12)  # ink at an end on black
        assert shred.blank == (one.pixels.min() > 127)
        assert shred.cross_cut


def test_what_is_mended_on_a_sheet_of_pieces_is_a_piece() -> None:
    sheet = scanned(laid_in_rows(PIECES[:24], 12, gap=40), (1200, 1200))
    before = segment(sheet, 0, SegmentationOptions()).shreds
    x, y, wide, tall = before[3].bbox
    line = SplitShred(((x - 20.0, y + 0.6 * tall), (x + wide + 20.0, y + 0.6 * tall)))
    after = segment(replace(sheet, info=replace(sheet.info, mends=(line,))), 0, SegmentationOptions())
    assert [shred.id for shred in after.shreds if shred.id not in {one.id for one in before}] == ["1-025"]
    assert all(shred.cross_cut and shred.frame_top_px == 0 for shred in (*after.shreds, *after.scraps))
    assert [scrap.scrap for scrap in after.scraps] == ["crumb"]


def test_pieces_are_numbered_row_by_row() -> None:
    shreds = found_beside([beside(k, 300 + 100 * k, 1000 + 30 * (k % 3), 0, 0, 0) for k in range(10)]).shreds
    assert [shred.id for shred in shreds[:2]] == ["1-001", "1-002"]
    rows = [(shred.bbox[1] > 600, shred.bbox[0]) for shred in shreds]
    assert rows == sorted(rows)

from pathlib import Path

import cv2
import numpy as np
import pytest

from core.errors import CrossCutError, TornError
from core.sheets.sheet import SheetInfo
from core.shreds.cross_cut.kind import cut_of_single, kind_of
from core.shreds.pieces import Piece, crop
from core.units import DPI, mm_to_px


def piece(x_mm: float, y_mm: float, width_mm: float, length_mm: float) -> Piece:
    x, y, width, length = (round(mm_to_px(mm)) for mm in (x_mm, y_mm, width_mm, length_mm))
    return Piece((x, y, width, length), np.ones((length, width), np.bool_))


def scan(dpi: float = DPI) -> SheetInfo:
    return SheetInfo(Path("scan.jpg"), 0, "", (1000, 1000), dpi, "file", np.zeros((1, 1, 3), np.uint8))


def in_rows(n_across: int, n_down: int, width_mm: float, length_mm: float) -> list[Piece]:
    return [
        piece((width_mm + 3) * k, (length_mm + 5) * row, width_mm, length_mm)
        for k in range(n_across)
        for row in range(n_down)
    ]


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


TORN = [torn(900 * (k % 3), 900 * (k // 3), k) for k in range(8)]
STRIPS = [piece(9 * k, 0, 6, 280) for k in range(20)]


def test_recognises_pieces_and_measures_them() -> None:
    kind = kind_of([*in_rows(12, 4, 3, 28), piece(100, 0, 3, 10)], scan())
    assert kind.cut == "cross"
    assert (kind.width_px, kind.length_px) == pytest.approx((mm_to_px(3), mm_to_px(28)), abs=1)
    assert kind.least_px == (0.4 * kind.width_px, 0.5 * kind.length_px)


def test_the_last_row_of_a_page_is_no_heap_of_crumbs() -> None:
    last = [piece(7 * k, 200, 4, 17) for k in range(12)]
    kind = kind_of([*in_rows(12, 4, 4, 40), *last], scan())
    assert kind.least_px[1] < mm_to_px(17)
    scattered = [piece(7 * k, 200, 4, 6 + k) for k in range(12)]
    assert kind_of([*in_rows(12, 4, 4, 40), *scattered], scan()).least_px[1] == 0.5 * kind.length_px


def test_torn_pieces_are_counted_and_refused() -> None:
    with pytest.raises(TornError, match=r"scan.jpg shows \d pieces of paper that look torn by hand, about"):
        kind_of(TORN, scan())
    assert kind_of(TORN, scan(), "cross").cut == "cross"


@pytest.mark.parametrize(
    ("pieces", "cut"),
    [
        (STRIPS, "strip"),
        ([*STRIPS[:12], *(piece(k, 285, 0.6, 2) for k in range(100))], "strip"),
        ([piece(90 * k, 0, 85, 54) for k in range(4)], "strip"),
        ([piece(9 * k, 40 * row, 9, 35) for k in range(5) for row in range(2)], "either"),
        ([piece(9 * k, 0, 9, 35) for k in range(30)], "either"),
        ([], "either"),
    ],
    ids=["strips", "strips and crumbs", "cards", "short strips in two rows", "short strips in one row", "nothing"],
)
def test_what_may_be_strips_is_no_pieces_unless_it_is_said(pieces: list[Piece], cut: str) -> None:
    assert kind_of(pieces, scan()).cut == cut
    assert kind_of(pieces, scan(), "cross").cut == "cross"
    assert kind_of(pieces, scan(), "strip").cut == "strip"


@pytest.mark.parametrize(
    ("size_mm", "dpi", "enough"),
    [
        ((4, 40), 300, True),
        ((4, 40), 200, False),
        ((2, 15), 600, True),
        ((2, 15), 300, False),
        ((1.2, 12), 1200, False),
    ],
)
def test_too_coarse_a_scan_is_a_sentence(size_mm: tuple[float, float], dpi: float, enough: bool) -> None:
    pieces = in_rows(12, 4, *size_mm)
    if enough:
        assert kind_of(pieces, scan(dpi)).cut == "cross"
        return
    with pytest.raises(CrossCutError, match=r"shows 48 pieces of cross-cut paper, about .* pixels") as caught:
        kind_of(pieces, scan(dpi))
    assert caught.value.code == "cross-cut"


def test_the_sentence_says_at_which_resolution_it_would_do() -> None:
    with pytest.raises(CrossCutError, match=r"only 24 pixels on this scan of 300 dpi.* at 400 dpi or more"):
        kind_of(in_rows(12, 4, 2, 15), scan())
    with pytest.raises(CrossCutError, match=r"14 pixels at the 300 dpi at which Rejoin works.*Leave the sheet out"):
        kind_of(in_rows(12, 4, 1.2, 12), scan(1200))


def test_a_single_shred_that_is_short_may_be_either() -> None:
    assert [cut_of_single(size, "auto") for size in ((129, 323), (129, 3557))] == ["either", "strip"]
    assert [cut_of_single((129, 3557), wanted) for wanted in ("cross", "strip")] == ["cross", "strip"]

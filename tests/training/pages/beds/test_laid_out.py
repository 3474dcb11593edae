from dataclasses import replace

import numpy as np
import pytest

from training.pages.beds.laid_out import BEDS_MM, Conditions, Paper, lay_out
from training.pages.beds.surfaces import PX_PER_MM


@pytest.fixture(scope="module")
def shreds() -> list[Paper]:
    rng = np.random.default_rng(0)
    made = []
    for _ in range(3):
        mask = np.zeros((1500, 90), np.bool_)
        mask[5:-5, 5:-5] = True
        pixels = np.full((1500, 90, 3), 245, np.uint8)
        pixels[rng.integers(20, 1480, 60)] = 30
        made.append(Paper(pixels, mask))
    return made


PLAIN = Conditions(surface="dark", dpi=150, n=3, bed="A7")


def test_truth_is_where_the_paper_is(shreds: list[Paper]) -> None:
    laid = lay_out(shreds, replace(PLAIN, dpi=300), (0, 1))
    height, width = (round(mm * PX_PER_MM) for mm in BEDS_MM["A7"])
    assert laid.scan.shape == (height, width, 3)
    assert len(laid.truth) == 3
    paper = np.zeros((height, width), np.bool_)
    for (x, y, w, h), mask in laid.truth:
        assert mask.shape == (h, w)
        paper[y : y + h, x : x + w] |= mask
    assert np.median(laid.scan[paper]) > 200
    assert np.median(laid.scan[~paper]) < 100


def test_resolution_changes_the_scan_alone(shreds: list[Paper]) -> None:
    coarse = lay_out(shreds, PLAIN, (0, 1))
    fine = lay_out(shreds, replace(PLAIN, dpi=600), (0, 1))
    assert coarse.shape == fine.shape
    assert fine.scan.shape[0] == pytest.approx(4 * coarse.scan.shape[0], abs=4)
    assert [box for box, _ in coarse.truth] == [box for box, _ in fine.truth]


@pytest.mark.parametrize("angle_deg", [0.0, 90.0])
def test_shreds_lie_on_the_sheet_at_any_angle(shreds: list[Paper], angle_deg: float) -> None:
    laid = lay_out(shreds, replace(PLAIN, angle_deg=angle_deg, beside=True), (0, 2))
    for (x, y, width, height), mask in laid.truth:
        assert 0 <= x <= x + width <= laid.shape[1]
        assert 0 <= y <= y + height <= laid.shape[0]
        assert mask.sum() > 30 * PX_PER_MM * 60


@pytest.mark.parametrize("light", ["uneven", "shadow", "dark", "linear"])
def test_light_only_darkens(shreds: list[Paper], light: str) -> None:
    even, other = (lay_out(shreds, replace(PLAIN, surface="pale", light=one), (0, 3)).scan for one in ("even", light))
    assert other.mean() < even.mean() - 3


def test_the_same_seed_gives_the_same_sheet(shreds: list[Paper]) -> None:
    one, same, other = (lay_out(shreds, replace(PLAIN, over="pocket"), (0, seed)).scan for seed in (5, 5, 6))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


@pytest.mark.parametrize("paper", ["tinted", "coloured"])
def test_paper_has_a_colour_of_its_own(shreds: list[Paper], paper: str) -> None:
    laid = lay_out(shreds, replace(PLAIN, dpi=300, paper=paper), (0, 4))
    (x, y, width, height), mask = laid.truth[0]
    colour = np.median(laid.scan[y : y + height, x : x + width][mask], axis=0)
    assert colour.max() - colour.min() > (8 if paper == "tinted" else 60)


@pytest.mark.parametrize("n", [1, 2])
def test_a_part_holds_neighbours_and_nothing_of_others(shreds: list[Paper], n: int) -> None:
    whole = Conditions(surface="saturated", bed="A7", n=3)
    laid, part = lay_out(shreds, whole, (0, 1)), lay_out(shreds, replace(whole, on_part=n), (0, 1))
    assert part.scan.shape[:2] == part.shape == (laid.shape[0], part.scan.shape[1])
    assert len(part.truth) == n
    left = next(box[0] - part.truth[0][0][0] for box, mask in laid.truth if np.array_equal(mask, part.truth[0][1]))
    np.testing.assert_array_equal(part.scan, laid.scan[:, left : left + part.shape[1]])


def test_whole_documents_lie_in_order_and_upright(shreds: list[Paper]) -> None:
    laid = lay_out(shreds, replace(PLAIN, dpi=300, angle_deg=3.0, beside=True), (0, 5), whole=True)
    lefts = [box[0] for box, _ in laid.truth]
    assert lefts == sorted(lefts)
    for shred, ((x, y, width, height), mask) in zip(shreds, laid.truth, strict=True):
        assert mask.sum() == pytest.approx(shred.mask.sum(), rel=0.06)
        assert 0 < x < x + width < laid.shape[1]
        assert 0 < y < y + height < laid.shape[0]


@pytest.mark.parametrize(("ink", "channel"), [("red", 0), ("green", 1), ("blue", 2)])
def test_print_may_be_drawn_anew_in_a_colour(shreds: list[Paper], ink: str, channel: int) -> None:
    black, coloured = (
        lay_out(shreds, replace(PLAIN, dpi=300, ink=one), (0, 6), whole=True).scan.astype(int) for one in ("", ink)
    )
    (x, y, width, height), _ = lay_out(shreds, replace(PLAIN, dpi=300), (0, 6), whole=True).truth[0]
    inner = np.s_[y + 20 : y + height - 20, x + 20 : x + width - 20]
    print_on_it = black[inner].mean(axis=2) < 170
    assert print_on_it.sum() > 500
    assert coloured[inner][print_on_it].mean(axis=0).argmax() == channel
    np.testing.assert_allclose(coloured[inner][~print_on_it].mean(), black[inner][~print_on_it].mean(), atol=8)

from dataclasses import replace

import keras
import numpy as np
import pytest

from core.shreds.shred import BORDER_WIDTH_PX
from training.pages.intact import PAPER_MARGIN
from training.pages.shredding import EDGE_PX, Wear, draw_cuts, read_cuts

GENTLE = Wear(
    scale=(1.0, 1.0),
    angle_deg=0,
    wave_px=0,
    lost_px=0,
    ragged_px=0,
    misaligned_px=0,
    noise=0,
    fringe=0,
    rim_px=0,
    threshold=0,
    mirror=False,
    turn=False,
)


@pytest.fixture
def pages() -> np.ndarray:
    """Two pages of random blots, told apart by their grain."""
    rng = np.random.default_rng(0)
    margins = np.full((2, 400, 600), PAPER_MARGIN, dtype=np.int8)
    for page, grain in ((0, 4), (1, 10)):
        blots = np.kron(rng.random((400 // grain, 600 // grain)) < 0.3, np.ones((grain, grain)))
        margins[page, : blots.shape[0], : blots.shape[1]][blots > 0] = -40
    return margins


def cut(pages, wear, seed=1, rows=256, cuts_per_page=4):
    rng = np.random.default_rng(seed)
    cuts = draw_cuts(rng, pages.shape[1:], np.array([1, 0], dtype=np.int32), cuts_per_page, rows, wear)
    right, left = read_cuts(keras.ops.convert_to_tensor(pages), cuts)
    return cuts, keras.ops.convert_to_numpy(right)[..., 0], keras.ops.convert_to_numpy(left)[..., 0]


def test_without_wear_the_two_borders_are_the_page_on_either_side_of_a_straight_cut(pages):
    cuts, right, left = cut(pages, GENTLE)
    assert right.shape == left.shape == (8, 256, BORDER_WIDTH_PX)
    assert cuts.page.tolist() == [1] * 4 + [0] * 4
    for k in range(8):
        x, y = cuts.x[0, k, 0], cuts.y[0, k, 0]
        np.testing.assert_allclose(cuts.x[:, k], x)
        column, row = round(float(x)), round(float(y))
        ink = pages[cuts.page[k], row : row + 256, column - 31 : column + 32] <= 0
        # Read between pixels, so the edges of blots may differ.
        assert (right[k].astype(bool) == ink[:, :32]).mean() > 0.9
        assert (left[k].astype(bool) == ink[:, 31:]).mean() > 0.9


def test_borders_that_meet_agree_and_others_do_not(pages):
    _, right, left = cut(pages, replace(GENTLE, wave_px=5, misaligned_px=0.5))
    agreement = np.array([[(r[:, -1] == l_[:, 0]).mean() for l_ in left] for r in right])
    assert np.diag(agreement).min() > 0.85
    assert agreement[~np.eye(8, dtype=bool)].max() < 0.8


def test_lost_paper_parts_the_borders(pages):
    _, right, left = cut(pages, GENTLE)
    cuts, *_ = cut(pages, replace(GENTLE, lost_px=3))
    gap = cuts.x[1] - cuts.x[0]
    assert (gap >= 0).all()
    assert gap.max() > 2
    assert gap.max() <= 6
    assert right.any()
    assert left.any()


def test_shreds_have_unequal_widths_within_bounds(pages):
    places = {}
    for spread in (0.0, 0.6):
        cuts, *_ = cut(pages, replace(GENTLE, unequal_widths=spread), cuts_per_page=6, rows=64)
        places[spread] = np.diff(cuts.x[0, :, 0].reshape(2, 6), axis=1)
    np.testing.assert_allclose(places[0.0], 100, rtol=1e-5)
    assert places[0.6].std() > 10
    assert places[0.6].min() >= 40
    assert places[0.6].max() <= 160


def test_pages_of_other_sizes_are_cut_over_their_own_width_and_height():
    rng = np.random.default_rng(0)
    sizes = [(400, 600), (1000, 2000)]
    cuts = draw_cuts(rng, sizes, np.arange(2, dtype=np.int32), 4, 256, replace(GENTLE, unequal_widths=0))
    np.testing.assert_allclose(cuts.x[0, :, 0].reshape(2, 4), [[75, 225, 375, 525], [250, 750, 1250, 1750]])
    assert cuts.y[0, :4].max() < 400
    assert 400 < cuts.y[0, 4:].max() < 1000


def test_a_page_turned_or_mirrored_shows_the_same_ink_elsewhere(pages):
    turned, right, _ = cut(pages, replace(GENTLE, turn=True), seed=5)
    rows_fall = turned.y[0, :, -1] < turned.y[0, :, 0]
    columns_fall = turned.along[0, :, 0] < 0
    assert (rows_fall == columns_fall).all()
    mirrored, *_ = cut(pages, replace(GENTLE, mirror=True), seed=6)
    assert (mirrored.y[0, :, -1] > mirrored.y[0, :, 0]).all()
    assert {float(np.sign(step)) for step in mirrored.along[0, :, 0]} <= {-1.0, 1.0}
    assert right.any()


def test_wear_reaches_the_outermost_columns_only(pages):
    _, clean_right, clean_left = cut(pages, GENTLE)
    cuts, right, left = cut(pages, replace(GENTLE, noise=0.5, fringe=1.0, rim_px=3))
    assert set(np.unique(cuts.edge)) == {0, 1, 2}
    np.testing.assert_array_equal(right[..., :-EDGE_PX], clean_right[..., :-EDGE_PX])
    np.testing.assert_array_equal(left[..., EDGE_PX:], clean_left[..., EDGE_PX:])
    edge = np.concatenate([right[..., ::-1][..., :EDGE_PX][None], left[..., :EDGE_PX][None]])
    assert (edge[cuts.edge == 1] == 0).all()
    assert (edge[cuts.edge == 2] == 1).all()
    clean = np.concatenate([clean_right[..., ::-1][..., :EDGE_PX][None], clean_left[..., :EDGE_PX][None]])
    np.testing.assert_array_equal(edge[cuts.edge == 0], clean[cuts.edge == 0])


def test_beyond_the_page_there_is_paper(pages):
    cuts, right, _ = cut(pages, replace(GENTLE, scale=(0.25, 0.25)), rows=200)
    below = cuts.y[0] > pages.shape[1]
    assert below.any()
    assert not right[below].any()


def test_the_same_seed_gives_the_same_cuts(pages):
    first, right, _ = cut(pages, Wear(), seed=9)
    second, again, _ = cut(pages, Wear(), seed=9)
    np.testing.assert_array_equal(first.x, second.x)
    np.testing.assert_array_equal(right, again)
    other, *_ = cut(pages, Wear(), seed=10)
    assert (first.x != other.x).any()


def test_too_many_pages_are_refused():
    class Huge:
        shape = (300, 3456, 2464)

    with pytest.raises(ValueError, match="too many at once"):
        read_cuts(Huge(), None)

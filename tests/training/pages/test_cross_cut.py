from dataclasses import replace

import numpy as np
import pytest

from core.units import mm_to_px
from training.pages.cross_cut import LEAST_PX, Cutting, cut_pages

EXACT = Cutting(wear_px=0, turn_deg=0.0, half_turned=0.0, edge_px=0)


@pytest.fixture
def page():
    """Noise: no two places are alike."""
    return np.random.default_rng(0).integers(0, 256, (1100, 300), dtype=np.uint8)


def rows_of(pieces):
    """The pieces of the first page as they belong, by rows and columns."""
    shreds = {(pieces.places[one.id].row, pieces.places[one.id].column): one for one in pieces.shreds}
    last = max(row for row, _ in shreds)
    return [[shreds[key] for key in sorted(shreds) if key[0] == row] for row in range(last + 1)]


def test_pieces_make_up_the_page_they_were_cut_from(page):
    pieces = cut_pages([page], EXACT)
    rows = [np.hstack([one.pixels for one in row]) for row in rows_of(pieces)]
    whole = np.vstack(rows)[:, :, 0]
    # What is narrower than a millimetre at the paper's edges is lost.
    assert min(whole.shape[0] - page.shape[0], whole.shape[1] - page.shape[1]) > -2 * LEAST_PX
    at = [np.flatnonzero((page == whole[0, 0]).any(axis=axis)) for axis in (1, 0)]
    found = [
        (y, x) for y in at[0] for x in at[1] if np.array_equal(page[y:, x:][: len(whole), : whole.shape[1]], whole)
    ]
    assert len(found) == 1
    assert all(one.cross_cut and one.mask.all() for one in pieces.shreds)
    assert [one.id for one in pieces.shreds[:2]] == ["1-001", "1-002"]


def test_wear_takes_paper_along_cuts_and_none_at_the_edges_of_the_page(page):
    whole, worn = (rows_of(cut_pages([page], replace(EXACT, wear_px=px))) for px in (0, 2))
    np.testing.assert_array_equal(worn[1][1].pixels, whole[1][1].pixels[2:-2, 2:-2])
    np.testing.assert_array_equal(worn[0][0].pixels, whole[0][0].pixels[:-2, :-2])
    np.testing.assert_array_equal(worn[-1][-1].pixels, whole[-1][-1].pixels[2:, 2:])


def test_cuts_down_the_page_go_through_unless_rows_are_offset(page):
    def left_px(how):
        return {(one.row, one.column): one.left_px for one in cut_pages([page], how).places.values()}

    through, offset = left_px(EXACT), left_px(replace(EXACT, row_offset_mm=1.0))
    assert through[0, 1] == through[1, 1]
    pitch_px = mm_to_px(4.0)
    columns = (offset[1, 1] - offset[0, 1] - mm_to_px(1.0)) / pitch_px
    assert columns == pytest.approx(round(columns), abs=1e-6)
    assert through[0, 2] - through[0, 1] == pytest.approx(pitch_px)


def test_half_turned_pieces_are_turned_and_missing_ones_are_not_there(page):
    whole = rows_of(cut_pages([page], EXACT))
    pieces = cut_pages([page], replace(EXACT, half_turned=0.5))
    turned = [place.half_turn for place in pieces.places.values()]
    assert sum(turned) == round(0.5 * len(turned))
    for one in pieces.shreds:
        place = pieces.places[one.id]
        pixels = one.pixels[::-1, ::-1] if place.half_turn else one.pixels
        np.testing.assert_array_equal(pixels, whole[place.row][place.column].pixels)
    fewer = cut_pages([page], replace(EXACT, missing=0.1))
    assert len(fewer.shreds) == len(fewer.places) == len(turned) - round(0.1 * len(turned))


def test_turned_pieces_show_all_of_their_paper_and_nothing_of_their_neighbours():
    page = np.full((1100, 300), 200, np.uint8)
    straight, turned = (cut_pages([page], replace(EXACT, turn_deg=deg)) for deg in (0.0, 1.0))
    straight_px = {place: one.mask.sum() for one, place in zip(straight.shreds, straight.places.values(), strict=True)}
    for one in turned.shreds:
        paper = one.pixels[one.mask]
        assert (paper == 200).all()
        assert (one.pixels[~one.mask] == 255).all()
        assert one.mask.sum() == pytest.approx(straight_px[turned.places[one.id]], rel=0.03)
    assert not all(one.mask.all() for one in turned.shreds)


def test_the_same_seed_cuts_alike_and_several_pages_are_mixed(page):
    once, again, otherwise = (cut_pages([page, page], replace(Cutting(), seed=seed)) for seed in (1, 1, 2))
    assert once.places == again.places != otherwise.places
    for one, other in zip(once.shreds, again.shreds, strict=True):
        np.testing.assert_array_equal(one.pixels, other.pixels)
    assert {place.page for place in list(once.places.values())[:20]} == {0, 1}


def test_the_outer_pixels_of_a_page_are_left_out(page):
    colour = np.repeat(page[:, :, None], 3, axis=2)
    colour[:20] = colour[-20:] = colour[:, :20] = colour[:, -20:] = (1, 2, 3)
    pieces = cut_pages([colour], replace(EXACT, edge_px=20))
    assert not any((one.pixels == (1, 2, 3)).all(axis=2).any() for one in pieces.shreds)

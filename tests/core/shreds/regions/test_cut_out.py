import numpy as np

from core.options import SegmentationOptions
from core.shreds.pieces import Piece
from core.shreds.regions.cut_out import Cutter
from core.shreds.shred import Crumb


def cutter(clean_to=1000):
    pixels = np.full((1000, 600, 3), 240, np.uint8)
    clean = np.zeros((1000, 600), np.bool_)
    clean[:clean_to] = True
    return Cutter(2, pixels, clean, np.zeros_like(clean), SegmentationOptions())


def piece(x, y, width, height):
    return Piece((x, y, width, height), np.ones((height, width), np.bool_))


def test_shreds_and_scraps_are_numbered_as_they_come():
    cut = cutter().cut
    names = [cut(one).cut.id for one in (piece(10, 10, 90, 800), piece(200, 10, 60, 90), piece(300, 10, 90, 800))]
    assert names == ["3-01", "3-s1", "3-02"]
    assert isinstance(cut(piece(500, 10, 20, 20)).cut, Crumb)


def test_what_is_cut_out_anew_keeps_its_number_unless_it_is_of_another_kind():
    cut = cutter().cut
    before = cut(piece(10, 10, 90, 800))
    assert cut(piece(10, 10, 90, 700), like=before).cut.id == "3-01"
    assert cut(piece(10, 10, 90, 90), like=before).cut.id == "3-s1"


def test_within_an_outline_that_was_drawn_all_is_paper():
    cut = cutter(clean_to=400).cut
    assert cut(piece(10, 10, 90, 800)).cut.height_px == 390
    assert cut(piece(10, 10, 90, 800), drawn=True).cut.height_px == 800

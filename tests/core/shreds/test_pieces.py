import cv2
import numpy as np

from core.shreds.pieces import bridge_ink, crop, find_pieces, join_over_ink, outline, without_holes
from tests.core.drawn_sheets import paper_strips


def test_crop_keeps_the_place() -> None:
    mask = np.zeros((50, 60), np.bool_)
    mask[10:20, 30:35] = True
    piece = crop(mask, (100, 200))
    assert piece is not None
    assert piece.bbox == (130, 210, 5, 10)
    assert piece.mask.all()
    assert crop(np.zeros((4, 4), np.bool_)) is None


def test_outline_of_two_parts_encloses_just_them() -> None:
    mask = np.zeros((100, 40), np.bool_)
    mask[5:30, 5:20] = mask[60:90, 15:30] = True
    mask[40:50, 10:20] = True
    filled = np.zeros(mask.shape, np.uint8)
    cv2.fillPoly(filled, [outline(mask).astype(np.int32)], 1)
    line = np.abs(filled.astype(int) - mask).sum()
    assert line < 40
    np.testing.assert_array_equal(outline(mask, 7, 3) - outline(mask), np.broadcast_to([7, 3], outline(mask).shape))


def test_ink_between_paper_is_bridged_on_black() -> None:
    paper = paper_strips((300, 100, 100, 800))
    paper[400:410, 300:400] = False
    paper[600:620, 380:400] = False
    covered = np.where(paper, 0, 0.95).astype(np.float32)
    bridged = bridge_ink(paper, covered, 0.6)
    np.testing.assert_array_equal(bridged, paper_strips((300, 100, 100, 800)))


def test_find_pieces_leaves_dust_out_and_cuts_threads() -> None:
    paper = paper_strips((100, 100, 100, 800), (300, 100, 100, 800), (500, 500, 12, 12), (200, 400, 100, 3))
    assert sorted(piece.bbox for piece in find_pieces(paper)) == [(100, 100, 100, 800), (300, 100, 100, 800)]


def test_holes_are_closed() -> None:
    paper = paper_strips((100, 100, 100, 800))
    paper[300:340, 120:160] = False
    np.testing.assert_array_equal(without_holes(paper), paper_strips((100, 100, 100, 800)))


def test_lines_under_the_shreds_do_not_tie_them_together() -> None:
    paper = paper_strips((100, 100, 90, 700), (400, 100, 90, 700))
    paper[::100, :] = paper[1::100, :] = paper[2::100, :] = paper[3::100, :] = paper[4::100, :] = paper[5::100, :] = (
        True
    )
    paper[:, 50:56] = paper[:, 700:706] = True
    assert sorted(piece.bbox[0] for piece in find_pieces(paper) if piece.mask.sum() > 9000) == [100, 400]


def test_the_rim_of_ink_on_a_pale_surface_is_paper() -> None:
    covered = np.ones((300, 200), np.float32)
    covered[:, 50:150] = 0
    covered[100:110, 50:150] = 8  # a rule from contour to contour
    covered[97:100, 50:150] = covered[110:113, 50:150] = 1  # and its rim, as bright as the surface
    paper = join_over_ink(covered < 0.5, covered, 4.0)
    assert paper[:, 55:145].all()
    assert not paper[:, :50].any()


def test_what_is_lighter_than_paper_beside_ink_is_paper() -> None:
    covered = np.ones((300, 200), np.float32)
    covered[:, 50:150] = 0.1
    covered[98:112, 48:150] = -0.5  # as sharpened scans have it
    covered[100:110, 48:150] = 8
    paper = covered < 0.5
    paper[98:112] = False  # thin lines are smoothed away
    assert join_over_ink(paper, covered, 4.0)[:, 55:145].all()
    elsewhere = covered * (np.arange(200) < 100)  # another surface lies there
    assert not join_over_ink(paper & (np.arange(200) < 100), elsewhere, 4.0)[:, 100:].any()

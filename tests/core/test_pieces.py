import cv2
import numpy as np

from core.pieces import Piece, bridge_ink, crop, cut_off_frame, find_pieces, outline, part_and_join


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


def strips(*places: tuple[int, int, int, int]) -> np.ndarray:
    paper = np.zeros((1000, 900), np.bool_)
    for x, y, width, height in places:
        paper[y : y + height, x : x + width] = True
    return paper


def found(paper: np.ndarray) -> list[Piece]:
    return part_and_join(find_pieces(paper), 24, 295)


def test_touching_strips_are_parted_where_they_touch() -> None:
    paper = strips((100, 100, 100, 800), (210, 100, 100, 800))
    paper[400:430, 190:220] = True
    left, right = found(paper)
    assert left.bbox[0] == 100
    assert abs(left.bbox[0] + left.bbox[2] - 205) <= 2
    assert left.mask.sum() + right.mask.sum() == paper.sum()


def test_three_strips_that_touch_in_two_places() -> None:
    paper = strips((100, 100, 100, 800), (210, 100, 100, 800), (320, 100, 100, 800))
    paper[400:430, 190:220] = paper[850:900, 300:330] = True
    assert [piece.bbox[0] // 10 for piece in found(paper)] in ([10, 20, 31], [10, 20, 30])


def test_torn_strips_are_joined_and_whole_ones_are_not() -> None:
    torn = strips((100, 100, 100, 300), (102, 412, 100, 488), (300, 100, 100, 800), (500, 100, 100, 800))
    assert [piece.bbox[0] for piece in found(torn)] == [100, 300, 500]
    assert found(torn)[0].bbox == (100, 100, 102, 800)
    apart = strips((100, 50, 100, 400), (100, 470, 100, 400), (300, 50, 100, 400), (300, 470, 100, 400))
    assert len(found(apart)) == 4


def test_a_small_piece_beside_is_not_joined() -> None:
    paper = strips((100, 100, 100, 500), (220, 620, 60, 100), (300, 100, 100, 800), (500, 100, 100, 800))
    assert len(found(paper)) == 4


def test_frame_on_every_side() -> None:
    paper = strips((300, 0, 100, 1000), (500, 0, 100, 1000))
    paper[:, :30] = paper[:, -20:] = paper[:15] = paper[-25:] = True
    inner, frame = cut_off_frame(paper, paper)
    assert len(frame) == 4
    assert sorted(piece.bbox[0] for piece in find_pieces(inner)) == [300, 500]


def test_ink_between_paper_is_bridged_on_black() -> None:
    paper = strips((300, 100, 100, 800))
    paper[400:410, 300:400] = False
    paper[600:620, 380:400] = False
    covered = np.where(paper, 0, 0.95).astype(np.float32)
    bridged = bridge_ink(paper, covered, 0.6)
    np.testing.assert_array_equal(bridged, strips((300, 100, 100, 800)))

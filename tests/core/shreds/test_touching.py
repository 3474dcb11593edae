import numpy as np

from core.shreds.pieces import Piece, find_pieces
from core.shreds.touching import part_and_join
from tests.core.drawn_sheets import paper_strips


def found(paper: np.ndarray) -> list[Piece]:
    return part_and_join(find_pieces(paper), 24, 295)


def test_touching_strips_are_parted_where_they_touch() -> None:
    paper = paper_strips((100, 100, 100, 800), (210, 100, 100, 800))
    paper[400:430, 190:220] = True
    left, right = found(paper)
    assert left.bbox[0] == 100
    assert abs(left.bbox[0] + left.bbox[2] - 205) <= 2
    assert left.mask.sum() + right.mask.sum() == paper.sum()


def test_three_strips_that_touch_in_two_places() -> None:
    paper = paper_strips((100, 100, 100, 800), (210, 100, 100, 800), (320, 100, 100, 800))
    paper[400:430, 190:220] = paper[850:900, 300:330] = True
    assert [piece.bbox[0] // 10 for piece in found(paper)] in ([10, 20, 31], [10, 20, 30])


def test_torn_strips_are_joined_and_whole_ones_are_not() -> None:
    torn = paper_strips((100, 100, 100, 300), (102, 412, 100, 488), (300, 100, 100, 800), (500, 100, 100, 800))
    assert [piece.bbox[0] for piece in found(torn)] == [100, 300, 500]
    assert found(torn)[0].bbox == (100, 100, 102, 800)
    apart = paper_strips((100, 50, 100, 400), (100, 470, 100, 400), (300, 50, 100, 400), (300, 470, 100, 400))
    assert len(found(apart)) == 4


def test_a_small_piece_beside_is_not_joined() -> None:
    paper = paper_strips((100, 100, 100, 500), (220, 620, 60, 100), (300, 100, 100, 800), (500, 100, 100, 800))
    assert len(found(paper)) == 4


def test_a_bent_strip_that_a_line_of_print_parts_is_one() -> None:
    y, x = np.mgrid[:3600, :900]
    bend = np.where(y < 1800, 0.035 * (1800 - y), 0.0)  # the upper half leans
    paper = (y >= 100) & (y < 3500) & (x >= 200 + bend) & (x < 275 + bend)
    paper[1798:1802] = False
    paper |= (x >= 500) & (x < 575) & (y >= 100) & (y < 3500)
    assert [piece.bbox[1::2] for piece in found(paper)] == [(100, 3400), (100, 3400)]
    # Two halves that do not meet at the line are two.
    apart = paper.copy()
    apart[:1800, :450] = np.roll(paper[:1800, :450], 60, axis=1)
    assert len(found(apart)) == 3

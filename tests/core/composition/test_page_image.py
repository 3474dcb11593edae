import numpy as np
import pytest

from core.composition.page_image import SEAM_RGB, PageImage, carried, draw_seams, gaps, seam_lines, turned


def page():
    slanted = np.array([[0, 1, 1], [1, 1, 1], [1, 1, 0]], np.bool_)
    papers = {"1-01": np.ones((3, 2), np.bool_), "1-02": slanted}
    return PageImage(np.full((4, 6, 3), 255, np.uint8), {"1-01": (0, 0, 2, 3), "1-02": (2, 1, 3, 3)}, papers)


def test_seams_follow_the_left_contour_of_every_shred_but_the_first():
    (line,) = seam_lines(page())
    assert line.tolist() == [[3, 1], [2, 2], [2, 3]]


def test_gaps_are_where_no_shred_has_paper():
    nothing = gaps(page())
    assert nothing.sum() == 4 * 6 - 6 - 7
    assert nothing[1, 2]
    assert not nothing[1, 3]


def test_seams_are_drawn_and_end_at_the_edge():
    pixels = np.full((4, 4, 3), 255, np.uint8)
    draw_seams(pixels, [np.array([[3, 0], [1, 2]], np.int32)])
    drawn = (pixels == SEAM_RGB).all(axis=2)
    assert np.argwhere(drawn).tolist() == [[0, 3], [2, 1], [2, 2]]


def test_a_box_is_carried_to_where_its_shreds_lie():
    pixels = np.full((50, 90, 3), 255, np.uint8)

    def page(second_x, second_y):
        maps = {"1-01": np.array([[1.0, 0, 0], [0, 1, 0]]), "1-02": np.array([[1.0, 0, second_x], [0, 1, second_y]])}
        return PageImage(pixels, {"1-01": (0, 0, 40, 50), "1-02": (second_x, second_y, 40, 50)}, {}, maps)

    assert carried((5, 10, 20, 8), page(36, 0), page(42, 4)) == (5, 10, 20, 8)
    assert carried((50, 10, 20, 8), page(36, 0), page(42, 4)) == (56, 14, 20, 8)
    assert carried((30, 10, 20, 8), page(36, 0), page(42, 4)) == (30, 12, 26, 8), "it goes across the cut"


def test_what_is_known_of_a_page_is_turned_with_it():
    plain = page()
    plain.pixels[1:4, 2:5][plain.papers["1-02"]] = (1, 2, 3)
    plain.maps["1-02"] = np.array([[1.0, 0, 2], [0, 1, 1]])
    once = turned(plain, 1)
    assert once.sideways
    assert (once.pixels == np.rot90(plain.pixels)).all()
    x, y, w, h = once.placements["1-02"]
    there = (once.pixels == (1, 2, 3)).all(axis=2)
    assert (there[y : y + h, x : x + w] == once.papers["1-02"]).all()
    assert there.sum() == 7
    assert (gaps(once) == np.rot90(gaps(plain))).all()
    assert once.maps["1-02"] @ (0, 0, 1) == pytest.approx((1, 6 - 1 - 2))
    (line,) = seam_lines(once)
    assert line.tolist() == [[1, 2], [2, 3], [3, 3]], "along the lower contour of the upper shred"
    again = turned(once, 3)
    assert again.placements == plain.placements
    assert again.maps["1-02"] == pytest.approx(plain.maps["1-02"])
    assert (again.pixels == plain.pixels).all()
    assert again.quarter_turns == 0


def test_a_box_is_carried_with_the_shred_it_lies_on_when_shreds_lie_above_one_another():
    pixels, straight = np.full((90, 50, 3), 255, np.uint8), np.array([[1.0, 0, 0], [0, 1, 0]])

    def laid(second_x):
        maps = {"1-01": straight, "1-02": straight + np.array([[0, 0, second_x], [0, 0, 40]])}
        return PageImage(pixels, {"1-01": (0, 0, 50, 40), "1-02": (second_x, 40, 50, 40)}, {}, maps, quarter_turns=1)

    assert carried((5, 50, 20, 8), laid(0), laid(7)) == (12, 50, 20, 8)
    assert carried((5, 10, 20, 8), laid(0), laid(7)) == (5, 10, 20, 8)

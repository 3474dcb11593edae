import numpy as np

from core.composition.page_image import SEAM_RGB, PageImage, carried, draw_seams, gaps, seam_lines


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

import numpy as np

from core.composition.page_image import SEAM_RGB, PageImage, draw_seams, gaps, seam_lines


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

import numpy as np
import pytest

from tests.core.matrices import matrix
from tests.training.baselines.drawn_pages import cut_page, draw_page, share_right
from training.baselines.characters import Character, find_characters, whole_characters
from training.baselines.shapes import Shapes, ShapeSet, facing, side_by_side


def character(top_px: int, height: int, width: int = 5) -> Character:
    return Character(top_px, np.ones((height, width), dtype=np.bool_))


def test_characters_are_told_apart_by_the_border_they_touch():
    page = np.full((100, 120), 250, dtype=np.uint8)
    for left, top in ((0, 30), (30, 30), (52, 20), (80, 30), (108, 30)):  # the first and the last touch a border
        page[top:56, left : left + 12] = 10
    page[22:26, 32:40] = 10  # an accent over the second
    found = find_characters(cut_page(page, 1)[0])
    assert [one.top_px for one in found.left] == [30]
    assert [one.top_px for one in found.right] == [30]
    assert sorted((one.top_px, *one.ink.shape) for one in found.inner) == [(20, 36, 12), (22, 34, 12), (30, 26, 12)]


def test_pictures_are_no_text():
    page = np.full((300, 120), 250, dtype=np.uint8)
    page[20:220, 20:60] = 10
    found = find_characters(cut_page(page, 1)[0])
    assert not (found.left + found.right + found.inner)


def test_specks_are_no_whole_characters():
    letters = [character(0, 20, 12) for _ in range(5)]
    assert whole_characters([*letters, character(0, 10, 12), character(0, 20, 3)]) == letters
    assert whole_characters([]) == []


def test_the_distance_of_shapes_is_the_larger_of_both_mean_distances():
    bar = np.ones((1, 5), dtype=np.bool_)
    dot = np.ones((1, 1), dtype=np.bool_)
    distances = ShapeSet.of([bar, dot]).distances(ShapeSet.of([bar, dot]))
    # From the dot to the bar 0; from the bar's five pixels to the dot in their middle 2, 1, 0, 1, 2.
    np.testing.assert_allclose(distances, [[0, 1.2], [1.2, 0]], atol=1e-5)


def test_a_shape_is_compared_wherever_it_lies():
    patch = np.random.default_rng(0).random((9, 7)) < 0.4
    shifted = np.pad(patch, ((3, 0), (0, 11)))
    assert ShapeSet.of([patch]).distances(ShapeSet.of([shifted]))[0, 0] == 0


def test_characters_face_each_other_where_they_overlap():
    right = [character(0, 20), character(50, 20), character(100, 20)]
    left = [character(55, 20), character(104, 10), character(200, 20)]
    assert list(facing(right, left)) == [(0, None), (1, 0), (2, 1), (None, 2)]
    assert list(facing([], left[:1])) == [(None, 0)]


def test_halves_are_laid_side_by_side_at_their_heights():
    joined = side_by_side(character(10, 2, 1), character(9, 2, 2))
    np.testing.assert_array_equal(joined, [[0, 1, 1], [1, 1, 1], [1, 0, 0]])


def test_what_looks_like_a_medoid_is_a_character():
    whole, half = np.ones((20, 10), dtype=np.bool_), np.ones((20, 5), dtype=np.bool_)
    shapes, medoids = Shapes(threshold_px=0.3), ShapeSet.of([whole])
    assert shapes.are_characters([whole, half], medoids).tolist() == [True, False]
    assert shapes.are_characters([], medoids).shape == (0,)
    assert not shapes.are_characters([whole], ShapeSet.of([])).any()


def test_a_half_letter_finds_its_other_half():
    # Whole squares within, halves of squares at the two cuts; the last shred's half lies at another height.
    page = np.full((400, 300), 250, dtype=np.uint8)
    for top in range(20, 380, 60):
        for left in (30, 130, 230):
            page[top : top + 30, left : left + 30] = 10
        page[top : top + 30, 85:115] = 10
    page[50:80, 185:215] = 10
    shreds = cut_page(page, 3)
    costs = Shapes().costs([shreds[1], shreds[0], shreds[2]])
    # Shred 0 before shred 1: six halves complete each other. Shred 1 before 2: one pair. The best score costs nothing.
    assert costs.cost_of(1, 0) == 0.0
    assert costs.cost_of(0, 2) == pytest.approx(6.0 - 1.0)
    # Shred 0 before 2: six halves stand alone, and so does shred 2's.
    assert costs.cost_of(1, 2) == pytest.approx(6.0 + 7 * 0.2)


@pytest.mark.slow
def test_most_shreds_of_a_page_of_text_find_their_neighbours():
    shreds = cut_page(draw_page(1, width=1200, height=1600), 10)
    assert share_right(matrix(Shapes(threshold_px=0.7).costs(shreds))) >= 0.7  # by chance 0.1


def test_shreds_without_text_are_all_alike():
    costs = Shapes().costs(cut_page(np.full((200, 300), 250, dtype=np.uint8), 3))
    assert (costs.cost == 0).all()

import numpy as np
import pytest

from core.options import SolverOptions
from core.solver.solver import solve
from tests.core.matrices import matrix
from tests.training.baselines.drawn_pages import cut_page, draw_page, share_right
from training.baselines import BASELINES, baseline
from training.baselines.dummy import costs_of_joins, without_blank
from training.baselines.marques import Marques


def test_a_baseline_is_known_by_name():
    assert "marques" in BASELINES
    assert baseline("marques") == Marques()
    with pytest.raises(ValueError, match="one of marques"):
        baseline("nobody")


def test_costs_are_distances_of_pixels_within_the_contours(make_shred):
    one, two = make_shred("1-01", np.ones((2, 9), dtype=np.bool_)), make_shred("1-02", np.ones((2, 9), dtype=np.bool_))
    for shred in (one, two):
        shred.pixels[:] = 200
    one.pixels[:, 5] = [[10, 90, 20], [200, 0, 0]]  # three pixels within the right contour: V is 90 and 200
    two.pixels[:, 3] = [[87, 1, 2], [0, 204, 9]]  # and within the left one: 87 and 204
    costs = Marques(inset_px=3).costs([one, two])
    assert costs.cost_of(0, 1) == pytest.approx(5.0)  # √(3² + 4²)
    assert costs.cost_of(1, 0) == pytest.approx(0.0)  # 200 against 200
    assert not costs.shift_px.any()


def test_pixels_follow_the_contour_and_are_white_where_there_is_no_paper(make_shred):
    mask = np.ones((3, 8), dtype=np.bool_)
    mask[0, 6:] = False  # here the paper ends two pixels earlier
    shred = make_shred("1-01", mask, frame_top_px=1)
    shred.pixels[:] = 100
    shred.pixels[0, 4], shred.pixels[1:, 6] = 50, 60
    other = make_shred("1-02", np.ones((4, 8), dtype=np.bool_))
    other.pixels[:] = 255
    right = (255 - 50) ** 2 + 2 * (255 - 60) ** 2  # the row above the shred is white on both
    assert Marques(inset_px=1).costs([shred, other]).cost_of(0, 1) == pytest.approx(np.sqrt(right), rel=1e-5)


def test_in_a_cleanly_cut_page_the_nearest_border_is_the_next_one():
    assert share_right(matrix(Marques().costs(cut_page(draw_page(3), 8)))) == 1.0


def test_without_a_blank_shred_the_tour_is_cut_at_its_dearest_join():
    cost = np.array([[0, 1, 9], [9, 0, 3], [2, 9, 0]], dtype=np.float32)
    costs = costs_of_joins(cost, np.zeros((3, 3), dtype=np.int16))
    # The cheapest tour is 0, 1, 2, 0 at 1 + 3 + 2; its dearest join is 1 → 2.
    solution = solve(costs, SolverOptions(n_pages=1))
    assert solution.pages == ((2, 0, 1),)
    assert solution.cost == pytest.approx(3.0)


def test_the_temperature_comes_from_the_joins_alone():
    cost = np.array([[0, 1, 9], [9, 0, 3], [2, 9, 0]], dtype=np.float32)
    costs = costs_of_joins(cost, np.zeros((3, 3), dtype=np.int16))
    assert costs.temperature == pytest.approx(0.15 * 7)  # the gaps are 8, 6 and 7
    assert without_blank(costs).temperature == costs.temperature


def test_a_single_shred_has_no_joins():
    shred = cut_page(draw_page(0, height=300), 4)[:1]
    for name in ("marques", "shapes"):
        costs = baseline(name).costs(shred)
        assert (costs.n, len(costs.cost)) == (1, 0)
        assert costs.to_blank.tolist() == [0.0]

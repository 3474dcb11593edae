from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d

from core.matching.contour import (
    Contours,
    combine,
    contour_costs,
    contour_weight,
    edges_in_frame,
    independent_rows,
    waves,
)
from core.matching.costs import Costs
from core.options import SolverOptions
from core.progress import Cancelled, no_progress
from core.shreds.deskew import row_extents
from core.shreds.shred import Shred, common_frame
from core.solver.solver import solve

HEIGHT, WIDTH = 1600, 90


def cut_page(n, wave_px, seed=0, offsets_px=None):
    """Cut a blank page into n shreds; every cut swings by `wave_px`, and paper frays on both sides of it."""
    generator = np.random.default_rng(seed)
    waves = gaussian_filter1d(generator.normal(size=(n + 1, HEIGHT)), 20, axis=1)
    waves *= wave_px / waves.std(axis=1, keepdims=True)
    waves[[0, -1]] = 0
    shreds = []
    for index in range(n):
        frayed = generator.random((2, HEIGHT)) * min(1.0, wave_px)
        left = np.round(20 + waves[index] + frayed[0]).astype(int)
        right = np.round(20 + WIDTH + waves[index + 1] - frayed[1]).astype(int)
        columns = np.arange(WIDTH + 40)
        mask = (columns >= left[:, None]) & (columns < right[:, None])
        shreds.append(
            Shred(
                id=f"1-{index + 1:02}",
                sheet=0,
                bbox=(0, 0, mask.shape[1], HEIGHT),
                outline=np.zeros((0, 2), dtype=np.float32),
                angle_deg=0.0,
                pixels=np.full((*mask.shape, 3), 255, dtype=np.uint8),
                mask=mask,
                frame_top_px=0 if offsets_px is None else int(offsets_px[index]),
                blank=True,
            )
        )
    return shreds


def contours_of(shreds, progress=no_progress):
    top, bottom = common_frame(shreds)
    extents, tops = [row_extents(shred.mask) for shred in shreds], [shred.frame_top_px - top for shred in shreds]
    right, left = map(waves, edges_in_frame(extents, tops, bottom - top))
    cost, shift_px = contour_costs(right, left, independent_rows(right, left, HEIGHT), progress)
    apart = ~np.eye(len(shreds), dtype=np.bool_)
    return Contours(cost[apart], shift_px[apart])


def shuffled(shreds, seed=1):
    order = np.random.default_rng(seed).permutation(len(shreds))
    return [shreds[index] for index in order], order


def ink_costs(n, seed=2):
    """Costs that know the order 0, 1, 2, … of the shreds, more or less."""
    cost = np.random.default_rng(seed).uniform(8, 12, (n, n)).astype(np.float32)
    cost[np.arange(n - 1), np.arange(1, n)] = 2
    np.fill_diagonal(cost, np.inf)
    blank = np.full(n, 9, dtype=np.float32)
    return Costs.of_all(cost, np.zeros((n, n), dtype=np.int16), blank, blank.copy())


def test_a_blank_page_with_wavy_cuts_is_put_in_order_by_its_contours_alone():
    n = 14
    mixed, order = shuffled(cut_page(n, wave_px=2.0))
    contours = contours_of(mixed)
    nothing = np.zeros(n, dtype=np.float32)
    alone = replace(ink_costs(n), cost=contours.cost, shift_px=contours.shift_px, to_blank=nothing, from_blank=nothing)
    solution = solve(alone, SolverOptions(n_pages=1))
    assert [int(order[index]) for index in solution.pages[0]] == list(range(n))


def test_straight_cuts_change_nothing():
    contours = contours_of(cut_page(6, wave_px=0.0))
    assert np.all(contours.cost == 0)
    assert np.all(contours.shift_px == 0)
    costs = ink_costs(6)
    both = combine(costs, contours)
    for name in ("cost", "shift_px", "to_blank", "from_blank"):
        np.testing.assert_array_equal(getattr(both, name), getattr(costs, name))


def test_contours_that_contradict_the_ink_have_no_weight():
    strangers = [cut_page(3, wave_px=2.0, seed=seed)[1] for seed in range(12)]
    contours = contours_of(strangers)
    assert contour_weight(ink_costs(12), contours.cost) <= 0.3


def test_contours_that_agree_with_the_ink_have_weight_in_its_unit():
    shreds, costs = cut_page(12, wave_px=2.0), ink_costs(12)
    contours = contours_of(shreds)
    weight, at = contour_weight(costs, contours.cost), costs.at(3, 4)
    assert weight > 0.5
    both = combine(costs, contours)
    expected = costs.cost[at] + weight * costs.temperature * contours.cost[at]
    assert both.cost[at] == pytest.approx(expected, rel=1e-5)
    assert both.cost[at] < costs.cost[at] - 5 * costs.temperature
    np.testing.assert_array_equal(both.to_blank, costs.to_blank)


def test_the_contour_tells_the_shift():
    offsets = [0, 7, -9, 4, 13, -6]
    contours = contours_of(cut_page(6, wave_px=3.0, offsets_px=offsets))
    found = [int(contours.shift_px[ink_costs(6).at(index, index + 1)]) for index in range(5)]
    # A shred that the frame has too low must be moved up.
    np.testing.assert_allclose(found, [a - b for a, b in pairwise(offsets)], atol=1)


def test_same_result_every_time():
    shreds = cut_page(7, wave_px=2.0)
    np.testing.assert_array_equal(contours_of(shreds).cost, contours_of(shreds).cost)


def test_one_shred_has_nothing_to_meet():
    assert len(contours_of(cut_page(1, wave_px=2.0)).cost) == 0


def test_cancel():
    def stop(fraction, text):
        raise Cancelled

    with pytest.raises(Cancelled):
        contours_of(cut_page(2, wave_px=1.0), stop)

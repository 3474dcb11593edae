from dataclasses import fields, replace

import numpy as np
import pytest

from core.matching.candidates.find import find_candidates
from core.matching.candidates.pooled import Rough
from core.matching.contour import edges_in_frame
from core.matching.costs import Costs
from core.matching.laying import Laying
from core.matching.poses import edges_of_poses
from core.matching.pricing import Readings, about_own_centres, marks_of, price, read_beside_ink
from core.matching.tone import brightness_in_frame, tones_of
from core.options import CostOptions
from core.progress import Cancelled, no_progress
from core.shreds.borders import read_borders
from core.system.disk_cache import DiskCache
from core.system.interim import NOWHERE, Interim
from tests.core.matrices import matrix

N = 5
INK_ALONE = CostOptions(use_contour=False, use_tone=False, use_lines=False)


@pytest.fixture
def shreds(make_shred):
    return [make_shred(f"1-{number:02}", np.ones((403, 90), np.bool_), frame_top_px=8 * number) for number in range(N)]


@pytest.fixture
def edges():
    """Shred k + 1 continues shred k, 3 rows lower, as it lies."""
    rng = np.random.default_rng(1)
    right, left = rng.normal(0, 1, (2, N, 90, 4)).astype(np.float32)
    for shred in range(N - 1):
        left[shred + 1] = np.roll(right[shred], -3, axis=0)
    blank = np.zeros(4, np.float32)
    return edges_of_poses((right, left), (left[:, ::-1], right[:, ::-1]), (blank, blank))


def readings_in(frame, shreds):
    tops_px, n_rows = [shred.frame_top_px - frame[0] for shred in shreds], frame[1] - frame[0]
    extents, sampled = zip(*map(read_beside_ink, shreds), strict=True)
    tones = tones_of(brightness_in_frame(sampled, tops_px, n_rows), float(np.median([one.paper for one in sampled])))
    return Readings(*edges_in_frame(extents, tops_px, n_rows), float(len(shreds[0].mask)), tones)


def priced(edges, shreds, options=INK_ALONE, upright=None, progress=no_progress, interim=NOWHERE):
    upright = np.zeros(N, np.float32) if upright is None else upright
    borders, laying = read_borders(shreds), Laying(3.0, 12)
    frame = borders.frame_top_px, borders.frame_top_px + borders.right.shape[1]
    readings = readings_in(frame, shreds)
    marks = marks_of(readings, borders, options, both_ways=True)
    candidates = find_candidates(Rough(edges, [], N), upright, laying)
    return price(edges, candidates, marks, upright, laying, progress, interim)


def test_costs_are_the_distances_at_the_best_shift(edges, shreds):
    costs = priced(edges, shreds)
    for left, right in ((0, 1), (2, 4), (1, N + 3)):

        def distance(shift, left=left, right=right):
            rows = np.arange(max(0, shift), 90 + min(0, shift))
            of_left, of_right = edges.right[left : left + 1][0, rows], edges.left[right : right + 1][0, rows - shift]
            return 90 * float(np.square(of_left - of_right).sum(axis=1).mean())

        ink = costs.cost_of(left, right) - costs.parts(left, right)["laying"]
        assert ink == pytest.approx(distance(int(costs.shift_of(left, right)) // 4), rel=1e-4, abs=1e-3)
    assert all(costs.shift_of(shred, shred + 1) == 12 for shred in range(N - 1))


def test_who_is_stopped_anywhere_goes_on_from_what_was_kept(edges, shreds, monkeypatch, tmp_path):
    monkeypatch.setattr("core.system.interim.EVERY_S", 0.0)
    interim, texts = Interim(DiskCache(tmp_path)), []
    at_once = priced(edges, shreds, CostOptions(), progress=lambda fraction, text: texts.append(text))
    n_shown, n_stopped = 0, 0

    def stop_six_times(fraction, text):
        nonlocal n_shown
        n_shown += 1
        if n_shown % 3 == 0 and n_stopped < 6:
            raise Cancelled

    found = None
    while found is None:
        try:
            found = priced(edges, shreds, CostOptions(), progress=stop_six_times, interim=interim)
        except Cancelled:
            n_stopped, n_shown = n_stopped + 1, 0
    assert n_shown <= len(texts) - 6, "some was done before"
    for one in fields(Costs):
        np.testing.assert_array_equal(getattr(found, one.name), getattr(at_once, one.name))


def test_neighbours_are_the_cheapest_and_both_ways_up_cost_the_same(edges, shreds):
    costs = priced(edges, shreds)
    cost = matrix(costs)
    assert cost[: N - 1].argmin(axis=1).tolist() == [1, 2, 3, 4]
    np.testing.assert_array_equal(cost, np.roll(cost.T, (N, N), (0, 1)))
    np.testing.assert_allclose(costs.to_blank, np.roll(costs.from_blank, N), rtol=1e-5)
    assert np.isinf(cost[np.arange(N), np.arange(N) + N]).all()


def test_unlike_ways_up_are_dearer(edges, shreds):
    upright = np.array([5, 5, 5, -5, 5], np.float32)
    without, known = priced(edges, shreds), priced(edges, shreds, upright=upright)
    assert known.cost_of(2, 3) > without.cost_of(2, 3)
    assert known.cost_of(0, 1) < without.cost_of(0, 1)
    np.testing.assert_array_equal(known.upright, np.concatenate([upright, -upright]))


def test_every_cue_has_its_part(edges, shreds):
    waves = np.random.default_rng(2).integers(0, 6, (N + 1, 403))
    wavy = []
    for number, shred in enumerate(shreds):
        mask = shred.mask.copy()
        for row in range(403):
            mask[row, : waves[number, row]] = False
            mask[row, 84 + waves[number + 1, row] :] = False
        wavy.append(replace(shred, mask=mask, frame_top_px=0))
    costs = priced(edges, wavy, CostOptions())
    assert (costs.contour <= 0).all()
    assert (costs.lines <= 0).all()
    rest = costs.cost - costs.contour - costs.tone - costs.lines - costs.laying
    assert (rest[np.isfinite(rest)] > -0.01).all()


def test_shifts_are_reckoned_about_each_shreds_own_centre(edges, shreds):
    costs, borders = priced(edges, shreds), read_borders(shreds)
    moved = about_own_centres(costs, shreds, borders)
    as_they_lie = (costs.left < N) & (costs.right < N)
    np.testing.assert_array_equal(moved.shift_px[as_they_lie], costs.shift_px[as_they_lie])
    # Shreds lie 8 px lower each: half-turned about the frame's middle 8 px higher, about their own 8 px lower.
    assert moved.shift_of(N, N + 1) - costs.shift_of(N, N + 1) == -16

from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import TurnPage
from core.composition import pages
from core.composition.evidence import compose_page
from core.composition.pages import compose, cuts_of, pictures_of, poses_of, without_seams
from core.composition.poses import find_poses
from core.composition.thumbnail import compose_thumbnail
from core.matching.costs import Costs
from core.options import CompositionOptions, Options
from tests.core.composition.drawn_page import cut_into_strips, printed_page


@pytest.fixture(scope="module")
def strips():
    return cut_into_strips(printed_page(), askew_deg=1.2, n=6)


@pytest.fixture
def case(small_case, strips, make_shred):
    """A case of one page, whose shifts come in steps of 4 px."""
    pictures, true = strips
    shreds = tuple(replace(make_shred(name, mask), pixels=pixels) for name, (pixels, mask) in pictures.items())
    names = tuple(pictures)
    first = next(iter(true.values())).y_px
    lower = [4 * round((pose.y_px - first) / 4) for pose in true.values()]
    shift_px = {name: int(step) for name, step in zip(names[1:], np.diff(lower), strict=True)}
    arrangement = Arrangement(pages=(names,), shift_px=shift_px)
    return replace(small_case, shreds=shreds, arrangement=arrangement, costs=None, joins=(), options=Options())


def tops(page):
    return [matrix[1, 2] for matrix in page.maps.values()]


def test_both_renditions_have_the_same_heights_and_angles(case):
    evidence, reading = compose(case, 0), compose(case, 0, "reading")
    assert np.diff(tops(evidence)) == pytest.approx(np.diff(tops(reading)), abs=0.01)
    assert [m[0, 1] for m in evidence.maps.values()] == pytest.approx([m[0, 1] for m in reading.maps.values()])
    assert list(evidence.placements) == list(reading.placements) == list(pictures_of(case, 0))


def test_a_page_tells_the_poses_of_its_shreds(case):
    poses = poses_of(case, 0)
    assert compose(case, 0).poses == compose(case, 0, "reading").poses == poses
    as_found = compose(replace(case, options=Options(composition=CompositionOptions(level=False))), 0)
    assert all(np.isinf(pose.angle_error_deg) for pose in as_found.poses.values())


def test_the_same_case_gives_the_same_pages_bit_for_bit(case):
    for rendition in ("evidence", "reading"):
        once = compose(case, 0, rendition).pixels
        pages._posed.clear()
        assert (once == compose(case, 0, rendition).pixels).all()


def test_poses_are_found_once_until_something_they_depend_on_changes(case, monkeypatch):
    found = []
    monkeypatch.setattr(pages, "find_poses", lambda *given, **how: found.append(given) or find_poses(*given, **how))
    first = poses_of(case, 0)
    compose(case, 0)
    compose(case, 0, "reading")
    assert pages.all_poses(case) == first
    assert len(found) == 1
    name = case.arrangement.pages[0][3]
    nudged = replace(case, arrangement=replace(case.arrangement, turned_deg={name: 0.5}))
    assert poses_of(nudged, 0) != first
    assert len(found) == 2
    assert poses_of(case, 0) == first  # undone


def test_no_two_shreds_overlap_on_a_level_evidence_page(case):
    page = compose(case, 0)
    covered = np.zeros(page.pixels.shape[:2], int)
    for name, (x, y, w, h) in page.placements.items():
        covered[y : y + h, x : x + w] += page.papers[name]
    assert covered.max() == 1
    assert (page.pixels[covered == 0] == 255).all()


def test_without_levelling_pages_are_as_the_arrangement_says(case):
    as_found = replace(case, options=Options(composition=CompositionOptions(level=False)))
    page = compose(as_found, 0)
    assert (page.pixels == compose_page(case.shred_by_id, case.arrangement, 0).pixels).all()
    assert all(matrix[0, 1] == 0 for matrix in page.maps.values())
    assert np.abs([matrix[0, 1] for matrix in compose(as_found, 0, "reading").maps.values()]).min() > 0.01


def test_a_nudge_moves_a_shred_by_as_much(case, small_case):
    before = poses_of(case, 0)
    arrangement = case.arrangement
    shift_px = dict(arrangement.shift_px)
    ends = np.ones((2, 6), np.float32)
    costs = Costs.of_all(np.ones((6, 6), np.float32), np.zeros((6, 6), np.int16), *ends)
    for at, name in enumerate(arrangement.pages[0][1:]):
        costs.shift_px[costs.at(at, at + 1)] = shift_px[name]
    third, fourth = arrangement.pages[0][2:4]
    nudged = replace(arrangement, shift_px={**shift_px, third: shift_px[third] + 7, fourth: shift_px[fourth] - 7})
    with_costs = replace(case, costs=costs, options=replace(case.options))
    after = poses_of(replace(with_costs, arrangement=nudged, solved=arrangement), 0)
    moved = {name: after[name].y_px - before[name].y_px for name in before}
    first = moved[arrangement.pages[0][0]]
    assert moved[third] - first == pytest.approx(7)
    assert moved[fourth] == pytest.approx(first)


def test_cuts_are_measured_on_the_shreds_of_the_whole_case(case):
    assert cuts_of(case).overlap_px == pytest.approx(0, abs=0.5)
    blank = replace(case, shreds=tuple(replace(shred, blank=True) for shred in case.shreds))
    assert cuts_of(blank).overlap_px == 0


@pytest.fixture
def sideways(case, make_shred):
    """A page cut along its lines of print, and costs that say so."""
    page = np.ascontiguousarray(np.rot90(printed_page(1300, 1000), -1))
    pictures, _ = cut_into_strips(page, askew_deg=0.0, n=6)
    shreds = tuple(replace(make_shred(name, mask), pixels=pixels) for name, (pixels, mask) in pictures.items())
    none = np.zeros((6, 6), np.float32)
    costs = Costs.of_all(none, none.astype(np.int16), none[0], none[0], 1.0, along=np.full(6, 3, np.float32))
    plain = replace(case.arrangement, shift_px={})
    return replace(case, shreds=shreds, costs=costs, arrangement=plain)


@pytest.mark.parametrize("rendition", ["evidence", "reading"])
def test_a_page_whose_print_runs_along_the_strips_is_turned_at_last(sideways, rendition):
    page = compose(sideways, 0, rendition)
    assert page.quarter_turns == 1
    said_nothing = replace(sideways, costs=replace(sideways.costs, along=np.zeros(6, np.float32)))
    assert compose(said_nothing, 0, rendition).quarter_turns == 0
    lines = (page.pixels < 128).all(axis=2).mean(axis=1)
    assert (lines > 0.1).any(), "lines of print are level"
    assert (lines == 0).mean() > 0.2
    assert len(page.placements) == len({y for _, y, _, _ in page.placements.values()})


def test_print_along_the_strips_tells_no_heights(sideways):
    poses = poses_of(sideways, 0).values()
    assert len({pose.y_px for pose in poses}) == 1
    assert not any(pose.angle_deg for pose in poses)
    assert not np.isfinite([pose.y_error_px for pose in poses]).any()


def test_the_examiner_turns_pages_against_what_print_says(sideways):
    arrangement, _ = TurnPage(0, 0).apply(sideways.arrangement)
    as_it_stands = compose(replace(sideways, arrangement=arrangement), 0)
    assert as_it_stands.quarter_turns == 0
    arrangement, _ = TurnPage(0, 2).apply(arrangement)
    on_its_head = compose(replace(sideways, arrangement=arrangement), 0)
    assert (on_its_head.pixels == as_it_stands.pixels[::-1, ::-1]).all()
    assert replace(sideways, costs=None).quarter_turns(0) == 0


def test_seams_are_left_out(case):
    seamed = replace(case, options=Options(composition=CompositionOptions(show_seams=True)))
    assert (compose(seamed, 0).pixels != compose(case, 0).pixels).any()
    assert (compose(without_seams(seamed), 0).pixels == compose(case, 0).pixels).all()


def test_an_empty_page_is_refused(case):
    empty = replace(case, arrangement=Arrangement(pages=((),)))
    for rendition in ("evidence", "reading"):
        with pytest.raises(ValueError, match="Page 1"):
            compose(empty, 0, rendition)


def test_a_page_levelled_by_hand_turns_as_a_whole(case):
    plain = poses_of(case, 0)
    first = case.arrangement.pages[0][0]
    levelled = replace(case, arrangement=replace(case.arrangement, page_slopes={first: 2.0}))
    turned = poses_of(levelled, 0)
    assert {name: round(turned[name].angle_deg - plain[name].angle_deg, 9) for name in plain} == dict.fromkeys(plain, 2)
    right = list(plain)[-1]
    assert turned[first].y_px - plain[first].y_px > 1 > -1 > turned[right].y_px - plain[right].y_px
    assert compose(levelled, 0).pixels.shape != compose(case, 0).pixels.shape


def test_the_examiner_levels_a_page_that_its_print_does_not(case):
    plain = replace(case, options=Options(composition=CompositionOptions(level=False)))
    first, *_, last = case.arrangement.pages[0]
    turned = replace(plain, arrangement=replace(case.arrangement, page_slopes={first: 2.0}))
    before, after = compose(plain, 0), compose(turned, 0)
    assert {pose.angle_deg for pose in after.poses.values()} == {2.0}
    middles = [[matrix @ (0, 0, 1) for matrix in (page.maps[first], page.maps[last])] for page in (before, after)]
    slopes = [np.degrees(np.arctan2(left[1] - right[1], right[0] - left[0])) for left, right in middles]
    assert slopes[1] - slopes[0] == pytest.approx(2.0, abs=0.2)
    small = compose_thumbnail(turned, 0, 4), compose_thumbnail(plain, 0, 4)
    assert small[0].shape == pytest.approx(np.array(after.pixels.shape) / (4, 4, 1), abs=4)
    assert small[0].shape != small[1].shape

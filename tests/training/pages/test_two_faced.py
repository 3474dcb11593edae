from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from training.demo.sheets import draw_strips
from training.pages import two_faced
from training.pages.sack import is_blank, strip_path
from training.pages.two_faced import (
    CARRIER_OFF_PX,
    LyingFace,
    both_faces,
    cut_papers,
    draw_blank_backs,
    drawn_scans,
    printed,
    turned_over_path,
    write_scans,
)

SIZE = (700, 500)


def rng(seed):
    return np.random.default_rng(seed)


def page(*columns):
    """Make a clean page with a black bar down each of some columns."""
    clean = np.full(SIZE, 255, np.uint8)
    for column in columns:
        clean[100:600, column : column + 20] = 0
    return clean


def cut(n_papers, n_strips):
    """List both faces of all strips; every third back is blank."""
    return [
        LyingFace(paper, number, face == "back" and number % 3 == 0, face=face)
        for paper in range(n_papers)
        for number in range(n_strips)
        for face in two_faced.FACES
    ]


def scans_of(pieces, **changes):
    how = {"half_turned": 0.5, "turned_over": 0.5, "missing": 0.0, "per_sheet": 10, "carrier": False, "seed": 3}
    return drawn_scans(pieces, **{**how, **changes})


def test_the_back_of_a_strip_is_its_paper_mirrored_and_bears_what_is_printed_behind_it():
    front, back = page(40), page(240, 440)  # what is at the right of a back is behind the left of the front
    for number, strip in enumerate(draw_strips(SIZE, 3, rng(1))):
        seen, behind = both_faces(front, back, strip, rng(2))
        np.testing.assert_array_equal(seen[..., 1], behind[:, ::-1, 1])
        assert is_blank(seen) == (number != 0)
        assert is_blank(behind) == (number == 2)
        dark = np.flatnonzero(behind[300, :, 0] < 60)
        if number == 0:  # the bar is 40 px from the back's right edge
            assert abs(behind.shape[1] - dark.max() - 40) < 5


def test_a_back_without_print_bears_no_ink_whatever_happens_to_the_front():
    for seed in range(8):
        front, back = printed(page(40, 200), None, rng(seed))
        assert front.min() < 100
        assert back.min() > 127


def test_a_page_across_the_paper_is_turned_by_90_degrees():
    front, back = printed(page(40), np.ascontiguousarray(page(40).T), rng(4))
    assert front.shape == back.shape == SIZE


def test_pages_are_printed_two_by_two_and_the_last_back_may_be_blank(tmp_path, monkeypatch):
    monkeypatch.setattr(two_faced, "rasterize", lambda path: iter([page(40), page(40), page(240), page(240), page(40)]))
    for face in two_faced.FACES:
        (tmp_path / face).mkdir()
    faces = cut_papers(tmp_path / "any.pdf", 6, 1, 14.0, tmp_path, blank_backs={7})
    printed_on = {(one.page, one.face) for one in faces if not one.blank}
    assert printed_on == {(6, "front"), (6, "back"), (7, "front"), (8, "front")}
    backs = {one.number: one.blank for one in faces if (one.page, one.face) == (6, "back")}
    assert not backs[2], "what is at the left of a back is behind the right of the front"
    assert [one.number for one in faces if one.page == 6 and one.face == "front"] == [0, 1, 2]
    for one in faces:
        pixels = np.load(strip_path(tmp_path / one.face, one.page, one.number))
        assert one.blank or not is_blank(pixels)


def test_a_strip_with_a_speck_alone_counts_as_blank_as_nothing_is_printed_there(tmp_path, monkeypatch):
    def with_speck(front, back, rng):
        both = front.copy(), np.full_like(front, 255) if back is None else back.copy()
        both[0][300:310, -60:-50] = 0
        return both

    monkeypatch.setattr(two_faced, "rasterize", lambda path: iter([page(40)]))
    monkeypatch.setattr(two_faced, "printed", with_speck)
    for face in two_faced.FACES:
        (tmp_path / face).mkdir()
    faces = cut_papers(tmp_path / "any.pdf", 0, 1, 14.0, tmp_path)
    last = max((one for one in faces if one.face == "front"), key=lambda one: one.number)
    assert not is_blank(np.load(strip_path(tmp_path / "front", 0, last.number)))
    assert last.blank


def test_each_share_of_blank_backs_is_drawn():
    assert draw_blank_backs(8, 0.0, 1) == frozenset()
    assert len(draw_blank_backs(8, 0.25, 1)) == 2
    assert draw_blank_backs(8, 1.0, 1) == frozenset(range(8))
    assert draw_blank_backs(8, 0.25, 1) != draw_blank_backs(8, 0.25, 2)


@pytest.mark.parametrize("carrier", [False, True])
def test_each_shred_lies_on_one_sheet_and_shows_one_face_after_the_other(carrier):
    pieces = cut(4, 10)
    known = {(one.page, one.number, one.face): one.blank for one in pieces}
    scans = scans_of(pieces, carrier=carrier)
    assert [len(up) for up, _ in scans] == [10] * 4
    for up, down in scans:
        assert {(one.page, one.number) for one in up} == {(one.page, one.number) for one in down}
        face_of = {(one.page, one.number): one.face for one in up}
        assert all(face_of[one.page, one.number] != one.face for one in down)
        assert all(known[one.page, one.number, one.face] == one.blank for one in [*up, *down])
    laid = [one for up, _ in scans for one in up]
    assert len({(one.page, one.number) for one in laid}) == 40
    assert sum(one.half_turned for one in laid) == 20
    assert 10 <= sum(one.face == "back" for one in laid) <= 30


def test_a_carrier_keeps_the_way_up_and_mirrors_the_places():
    for up, down in scans_of(cut(2, 10), carrier=True):
        assert [(one.number, one.half_turned) for one in up] == [(one.number, one.half_turned) for one in down[::-1]]


def test_shreds_turned_over_one_by_one_come_to_lie_anywhere_on_the_sheet_and_either_way_up():
    scans = scans_of(cut(4, 10))
    way_up = {(one.page, one.number): one.half_turned for up, _ in scans for one in up}
    other_way = sum(way_up[one.page, one.number] != one.half_turned for _, down in scans for one in down)
    assert 10 <= other_way <= 30
    assert all([one.number for one in up] != [one.number for one in down[::-1]] for up, down in scans)


def test_both_faces_of_a_shred_are_lost():
    scans = scans_of(cut(4, 10), missing=0.25)
    assert [len(up) for up, _ in scans] == [len(down) for _, down in scans] == [10] * 3


@pytest.fixture
def strips(tmp_path):
    """Both faces of three strips of one sheet of paper, as `cut_papers` leaves them."""
    front, back = page(40), page(240, 440)
    for number, strip in enumerate(draw_strips(SIZE, 3, rng(1))):
        for face, pixels in zip(two_faced.FACES, both_faces(front, back, strip, rng(2)), strict=True):
            (tmp_path / face).mkdir(exist_ok=True)
            np.save(strip_path(tmp_path / face, 0, number), pixels)
    return tmp_path


def test_on_a_carrier_that_is_turned_over_each_shred_lies_where_it_lay_mirrored(strips):
    up = [LyingFace(0, number, False, number == 1) for number in range(3)]
    down = [replace(one, face="back") for one in up[::-1]]
    path = strips / "sheet_00001.jpg"
    laid, over = write_scans(path, (up, down), strips, 1.2, 5, carrier=True)
    assert path.is_file()
    assert turned_over_path(path).is_file()
    assert [one.face for one in over] == ["back"] * 3
    right = laid[-1].bbox[0] + laid[-1].bbox[2] + laid[0].bbox[0]
    for one, other in zip(laid, over[::-1], strict=True):
        x, y, width, height = one.bbox
        other_x, other_y, other_width, other_height = other.bbox
        assert abs(x + width - (right - other_x)) < 15
        assert abs(y - other_y) < CARRIER_OFF_PX + 15
        assert abs(width - other_width) < 8
        assert abs(height - other_height) < 8
    before = path.read_bytes(), turned_over_path(path).read_bytes()
    assert write_scans(path, (up, down), strips, 1.2, 5, carrier=True) == (laid, over)
    assert before == (path.read_bytes(), turned_over_path(path).read_bytes())


def test_shreds_that_were_turned_over_one_by_one_lie_side_by_side(strips):
    up = [LyingFace(0, number, False) for number in range(3)]
    down = [replace(up[at], face="back", half_turned=at == 1) for at in (1, 2, 0)]
    laid, over = write_scans(strips / "sheet_00001.jpg", (up, down), strips, 1.2, 5, carrier=False)
    for sheet in (laid, over):
        assert all(one.bbox[0] + one.bbox[2] < after.bbox[0] for one, after in pairwise(sheet))
    assert [one.number for one in over] == [1, 2, 0]

import numpy as np
import pytest

from core.matching.laying import (
    Laying,
    laying_of,
    odds_along,
    odds_as_it_lies,
    odds_within,
    some_half_turned,
    unlike_ways_up,
)


def test_far_off_is_less_likely_but_never_impossible():
    ratio = Laying(2.0, 30).log_ratio(np.arange(-30, 31))
    assert ratio[30] == 0
    assert (np.diff(ratio[30:]) > 0).all()
    assert ratio[-1] == pytest.approx(ratio[0])
    assert 4 < ratio[-1] < 15


def test_a_few_strangers_do_not_widen_the_search():
    careful = laying_of(np.array([0] * 97 + [54, -60, 40]), 128, 6, 60)
    assert not careful.off
    assert careful.max_shift_rows == 6
    assert careful.spread_rows == 1


def test_a_few_shreds_of_a_page_that_lie_far_off_do():
    some = laying_of(np.array([0] * 25 + [25, -25]), 30, 6, 60)
    assert some.off
    assert some.max_shift_rows >= 25


def test_nothing_sure_speaks_against_care_and_nothing_is_looked_for_beyond_the_limit():
    assert laying_of(np.zeros(0, np.int16), 9, 6, 60) == Laying(1.0, 6)
    assert laying_of(np.full(9, 59), 9, 6, 60).max_shift_rows == 60


def test_print_that_runs_along_the_strip_is_read_after_a_quarter_turn():
    across, along, unknown = [0, -9, -5, -9], [0, 3, -5, 9], [0, 0, 0, 0]
    log_odds = np.array([across, along, unknown], np.float32)
    np.testing.assert_allclose(odds_as_it_lies(log_odds), [5, -6, 0], atol=0.3)
    np.testing.assert_allclose(odds_as_it_lies(log_odds[:2, [2, 3, 0, 1]]), [-5, 6], atol=0.3)


def test_marks_that_say_hardly_anything_run_as_the_print_of_the_set_does():
    across, along, mark = [0, -9, -5, -9], [0, 8, 1, 2], [0, 1, -1, 2]
    assert odds_as_it_lies(np.array([across] * 90 + [mark], np.float32))[-1] > 0.5
    assert odds_as_it_lies(np.array([along] * 90 + [mark], np.float32))[-1] < -0.5


def test_where_hardly_any_lies_upside_down_a_doubtful_one_does_not():
    many, half = np.array([5.0] * 99 + [-1.0], np.float32), np.array([5.0, -5.0] * 50 + [-1.0], np.float32)
    assert odds_within(many)[-1] > 0
    assert odds_within(half)[-1] < 0


def test_a_few_that_say_hardly_anything_are_not_taken_for_upside_down():
    assert not some_half_turned(np.full(3, -0.5, np.float32))
    assert some_half_turned(np.full(3, -3.5, np.float32))


@pytest.mark.parametrize(
    ("upright", "expected"),
    [([5.0] * 20, False), ([0.0] * 20, False), ([5.0] * 700 + [-5.5], True), ([5.0, -2.0] * 10, True), ([], False)],
)
def test_print_tells_whether_any_shred_lies_upside_down(upright, expected):
    assert some_half_turned(np.array(upright, np.float32)) == expected


def test_what_tells_nothing_of_the_way_up_speaks_neither_for_nor_against():
    odds = np.array([0, 3, -3], np.float32)
    unlike = unlike_ways_up(odds[:, None], odds)
    np.testing.assert_allclose(unlike[0], 0, atol=1e-6)
    assert unlike[1, 1] < 0 < unlike[1, 2]


def test_print_runs_along_strips_if_it_says_so_more_clearly_than_the_set_speaks_against_it():
    across, along, mark = [0, -9, -5, -9], [0, 8, 1, 2], [0, 1, -1, 2]
    mixed = odds_along(np.array([across] * 60 + [along] * 30 + [mark, [0, 0, 0, 0]], np.float32))
    assert mixed[:60].max() < -7
    assert mixed[60:90].min() > 5
    assert mixed[90:].max() < 2
    assert odds_along(np.array([along] * 30 + [mark], np.float32))[-1] > 2

"""Rows made complete."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.faces.posed import Posed
from core.faces.ways import OVER, turned_join
from core.grid.by_hand import ByHand
from core.grid.completion import KEPT, Evidence, complete_rows, in_best_order, usual_length
from core.grid.standing import turned_run
from core.matching.costs import Costs


def _evidence(true: list[list[int]], n: int) -> Evidence:
    """Make joins of true rows cheap, their ends free, and every other join and end dear."""
    across = np.full((2 * n, 2 * n), 9, np.float32)
    to_blank, from_blank = np.full(2 * n, 5, np.float32), np.full(2 * n, 5, np.float32)
    for row in true:
        for left, right in pairwise(row):
            across[left, right] = across[right + n, left + n] = 1
        to_blank[row[-1]] = from_blank[row[-1] + n] = 0
        from_blank[row[0]] = to_blank[row[0] + n] = 0
    return Evidence(across, to_blank, from_blank, np.zeros((2 * n, 2 * n), np.float32), None)


TRUE = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]


@pytest.mark.parametrize(
    ("rows", "length"),
    [
        ([(0, 1, 2, 3), (4, 5, 6, 7), (8, 9), (10, 11)], 4),
        ([(0, 1, 2, 3), (4, 5), (6, 7, 8)], None),  # nine pieces do not fill rows of four
        ([(0, 1, 2, 3), (4, 5, 6), (7, 8, 9, 10, 11), (12, 13), (14, 15)], None),  # too few of each length
        ([(0,), (1,)], None),
        ([tuple(range(8)), tuple(range(8, 24))], 8),  # two rows in one
        ([(0, 1), (2, 3, 4, 5), tuple(range(6, 12)), tuple(range(12, 20))], None),  # by chance all are even
        ([(0, 1, 2, 3), tuple(range(4, 12))], None),
    ],
)
def test_most_pieces_tell_how_long_a_row_is(rows, length):
    assert usual_length(rows) == length


def test_parts_are_put_together_in_their_order_and_way_up():
    rows = [(0, 1, 2, 3), (6, 7), (4, 5), (11 + 12, 10 + 12, 9 + 12), (8,)]
    completed = complete_rows(rows, 4, _evidence(TRUE, 12))
    assert completed is not None
    turned = tuple(pose + 12 for pose in (11, 10, 9, 8))
    assert {*completed} == {(0, 1, 2, 3), (4, 5, 6, 7), turned}


def test_a_row_that_is_too_long_is_broken_at_the_margin():
    rows = [(0, 1, 2, 3), (4, 5, 6, 7, 8), (9, 10, 11)]
    assert complete_rows(rows, 4, _evidence(TRUE, 12)) == [(0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11)]


def test_parts_that_do_not_add_up_stay_as_they_are():
    rows = [(0, 1, 2, 3), (4, 5, 6, 7), tuple(range(8, 11)), (11, 12, 13), (14, 15, 16), (17, 18, 19)]
    true = [list(row) for row in rows]
    assert complete_rows(rows, 4, _evidence(true, 20)) is None


def test_how_level_lines_are_tells_which_parts_are_one_row():
    evidence = _evidence([[0, 1], [2, 3], [4, 5], [6, 7]], 8)
    level = np.full((16, 16), 6, np.float32)
    for one, other in ((0, 6), (2, 4)):
        level[one : one + 2, other : other + 2] = level[other : other + 2, one : one + 2] = 0
        level[one : one + 2, other + 8 : other + 10] = level[other + 8 : other + 10, one : one + 2] = 1
    rows = [(0, 1), (2, 3), (4, 5), (6, 7)]
    completed = complete_rows(rows, 4, replace(evidence, level=level))
    assert completed is not None
    assert {frozenset(row) for row in completed} == {frozenset((0, 1, 6, 7)), frozenset((2, 3, 4, 5))}


def test_a_part_of_which_the_back_is_seen_is_turned_over():
    n = 4
    across = np.full((4 * n, 4 * n), 9, np.float32)
    for left, right in pairwise((0, 1, 2, 3)):
        for by in range(4):
            across[turned_join(left, right, n, by)] = 1
    ends, nothing = np.zeros(4 * n, np.float32), np.zeros((4 * n, 4 * n), np.float32)
    seen_behind = turned_run((2, 3), n, OVER)
    completed = complete_rows([(0, 1), seen_behind], 4, Evidence(across, ends, ends, nothing, None))
    assert completed == [(0, 1, 2, 3)]


def test_a_row_that_runs_into_another_is_broken_where_all_become_cheapest():
    rows = [(0, 1, 2, 3), (12, 13, 14, 15), (4, 5, 6, 10, 11), (7,), (8, 9)]
    true = [*TRUE, [12, 13, 14, 15]]
    completed = complete_rows(rows, 4, _evidence(true, 16))
    assert completed is not None
    assert {*completed} == {tuple(row) for row in true}


def test_what_was_said_of_joins_holds_where_rows_are_completed():
    n = 8
    cost, nothing = np.full((2 * n, 2 * n), 9, np.float32), np.zeros(2 * n, np.float32)
    costs = Costs.of_all(cost, np.zeros((2 * n, 2 * n), np.int16), nothing, nothing, 1.0, upright=nothing)
    posed = Posed.alone("abcdefgh", costs)
    down = np.zeros((2 * n, 2 * n), np.float32)

    def across(said: Arrangement) -> np.ndarray:
        return Evidence.of(costs, 1.0, down, None, ByHand.of(said, posed)).across

    kept = across(Arrangement(confirmed=frozenset({("a", "b")})))
    assert kept[0, 1] == kept[9, 8] == KEPT
    avoided = across(Arrangement(forbidden=frozenset({("a", "b")}), turned_by_hand=frozenset("cd")))
    assert np.isinf(avoided[[0, 9, 2, 10], [1, 8, 11, 3]]).all()
    assert avoided[1, 0] == 9


def _row_of_four() -> Posed:
    n = 6
    across = np.full((2 * n, 2 * n), 9, np.float32)
    for left, right in pairwise(range(4)):
        across[left, right] = across[right + n, left + n] = 1
    nothing = np.zeros(2 * n, np.float32)
    costs = Costs.of_all(across, np.zeros((2 * n, 2 * n), np.int16), nothing, nothing, 1.0, upright=nothing)
    return Posed.alone("abcdef", costs)


def test_a_row_that_by_hand_runs_into_another_is_not_broken_there():
    rows = [(0, 1, 2, 3), (4, 5, 6, 7, 8), (9, 10, 11)]
    evidence = _evidence(TRUE, 12)
    evidence.across[7, 8] = KEPT
    completed = complete_rows(rows, 4, evidence)
    assert completed is None or any((7, 8) in pairwise(row) for row in completed)
    evidence.across[4, 5] = KEPT
    assert complete_rows(rows, 4, evidence) is None


def test_the_pieces_of_a_row_are_put_in_their_cheapest_order():
    posed, n, nothing = _row_of_four(), 6, np.zeros(12, np.float32)
    assert in_best_order((2, 3, 0, 1), posed, (nothing, nothing), ByHand.of(Arrangement(), posed)) in (
        (0, 1, 2, 3),
        (9, 8, 7, 6),
    )
    first = nothing.copy()
    first[[0, 9]] = 20  # no row begins with it, nor ends
    last = np.roll(first, n)
    assert in_best_order((2, 3, 0, 1), posed, (first, last), ByHand.of(Arrangement(), posed))[0] not in (0, 9)


def test_the_order_of_a_row_keeps_to_what_was_said():
    posed, nothing = _row_of_four(), np.zeros(12, np.float32)
    said = Arrangement(forbidden=frozenset({("b", "c")}), turned_by_hand=frozenset("a"))
    row = in_best_order((2, 3, 0, 1), posed, (nothing, nothing), ByHand.of(said, posed))
    assert row in ((2, 3, 0, 1), (9, 8, 0, 1), (0, 1, 9, 8))
    contradictory = Arrangement(confirmed=frozenset({("a", "b"), ("b", "a")}))
    by_hand = ByHand(contradictory, frozenset(), [], [])
    assert in_best_order((2, 3, 0, 1), posed, (nothing, nothing), by_hand) == (2, 3, 0, 1)

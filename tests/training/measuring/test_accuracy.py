from itertools import pairwise, permutations

import numpy as np
import pytest

from core.case.case import JoinInfo
from training.measuring.accuracy import calibration, log_loss, right_in_any_order, right_joins, right_within_pages


def test_right_joins_are_counted_as_the_paper_does():
    documents = [["a", "b", "c"], ["x", "y"]]
    assert right_joins([["a", "b", "c"]], documents[:1]) == 2
    assert right_joins([["c", "a", "b"]], documents[:1]) == 1
    assert right_joins([["a", "b", "c", "x", "y"]], documents) == 4
    assert right_joins([["x", "y"], ["a", "b", "c"]], documents) == 4
    assert right_joins([["y", "x"], ["a", "c", "b"]], documents) == 0
    # The end of a document followed by its own beginning is wrong.
    assert right_joins([["b", "c", "a"]], documents) == 1


def test_the_ends_of_pages_are_no_joins():
    documents = [["a", "b", "c"], ["x", "y"]]
    pages = [["x", "y"], ["a", "b"], ["c"]]
    assert right_joins(pages, documents) == 4
    assert right_within_pages(pages, documents) == 2
    assert right_within_pages([["x", "y", "a", "b", "c"]], documents) == 3


@pytest.mark.parametrize(
    ("pages", "right"),
    [
        (["ab", "cd", "ef"], 5),
        (["ef", "cd", "ab"], 5),
        (["abe", "cd", "f"], 4),
        (["abcdef"], 3),
        (["b", "a", "cd", "ef"], 5),
        (["ba", "dc"], 0),
        (["abcd", "e", "f"], 4),
    ],
)
def test_pages_are_taken_in_the_order_in_which_most_neighbours_are_right(pages, right):
    assert right_in_any_order(pages, ["ab", "cd", "ef"]) == right
    met = [
        sum(left[-1] in "bdf" and after[0] in "ace" for left, after in pairwise(order)) for order in permutations(pages)
    ]
    assert right_within_pages(pages, ["ab", "cd", "ef"]) + max(met) == right


def test_confidence_is_compared_with_the_share_of_right_joins():
    joins = [
        JoinInfo("a", "b", 1.0, 0, 0.99),
        JoinInfo("b", "c", 1.0, 0, 0.97),
        JoinInfo("x", "c", 1.0, 0, 0.6),
        JoinInfo("x", "y", 1.0, 0, 0.7),
    ]
    bands = calibration(joins, [["a", "b", "c"], ["x", "y"]])
    assert [(band["n"], band["right"]) for band in bands] == [(0, 0.0), (0, 0.0), (2, 0.5), (0, 0.0), (2, 1.0)]
    assert bands[2]["confidence"] == pytest.approx(0.65)


def test_the_log_loss_is_what_was_said_of_what_came_true():
    assert log_loss([0.75, 0.5], [True, False]) == pytest.approx(-np.log(0.75) - np.log(0.5))
    assert log_loss([1.0], [False]) == pytest.approx(-np.log(1e-6)), "what is impossible is dear, not infinite"
    assert log_loss([], []) == 0

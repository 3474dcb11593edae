"""Whether joins downwards are right as often as they are said to be."""

import pytest

from core.matching.confidence import JoinBelow
from tests.training.measuring.cross_cut.test_judging import TRUTH, arrangement, grid
from training.measuring.cross_cut.sureness import describe_below, figures_below, said_below

KNOWN = JoinBelow("a", "d", 0.995), JoinBelow("b", "f", 0.3), JoinBelow("c", "e", 0.2), JoinBelow("b", "e", 0.1)


def test_joins_that_stand_are_right_or_wrong_and_those_of_which_nothing_is_known_do_not_count():
    found = arrangement((0, 0, 0, "a b c"), (0, 1, 0, "d f e"))
    assert said_below(found, KNOWN, TRUTH) == [(0.995, True), (0.3, False), (0.2, False)]
    assert said_below(found, KNOWN[:1], TRUTH) == [(0.995, True)]


def test_a_page_may_be_upside_down_as_a_whole_but_no_single_piece():
    known = [JoinBelow(*pair, 0.9) for pair in ("fc", "eb", "da")]
    over = arrangement((0, 0, 0, "f e d"), (0, 1, 0, "c b a"), half_turned="a b c d e f")
    assert said_below(over, known, TRUTH) == [(0.9, True)] * 3
    one = arrangement((0, 0, 0, "f e d"), (0, 1, 0, "c b a"), half_turned="a b c d e")
    assert [right for _, right in said_below(one, known, TRUTH)] == [False, True, True]
    two_pages = grid("a b c", "d e f")
    assert [right for _, right in said_below(over, known, two_pages)] == [False] * 3


def test_what_not_knowing_costs():
    figures = figures_below([(0.995, True), (0.3, False), (0.2, False), (1.0, True)])
    assert [(band["joins"], band["right"]) for band in figures["bands"]] == [
        (1, 0), (1, 0), (0, 0), (0, 0), (0, 0), (2, 2),
    ]  # fmt: skip
    assert figures["log_loss"] == pytest.approx(0.1463, abs=1e-3)
    assert figures["of_share"] == pytest.approx(0.6931, abs=1e-3)
    bands, losses = describe_below(figures)
    assert "0% to 25%: 0 of 1  25% to 50%: 0 of 1  99% to 100%: 2 of 2" in bands
    assert "log loss 0.146, 0.693 by their share alone" in losses
    assert describe_below(figures_below([])) == []

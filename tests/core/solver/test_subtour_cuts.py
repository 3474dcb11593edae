from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from core.progress import Cancelled
from core.solver.subtour_cuts import Programme, _loose_components, _minimum_cuts, violated


def no_watch() -> None:
    pass


def two_circles() -> np.ndarray:
    """Two circles of three shreds are cheap, everything else costs 1; the blank node is 6."""
    cost = np.ones((7, 7))
    for tail, head in [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]:
        cost[tail, head] = 0
    return cost


def test_cuts_open_circles_until_there_is_a_tour() -> None:
    programme = Programme(two_circles(), 1, np.ones((7, 7), bool), 0, no_watch)
    bounds = []
    for _ in range(20):
        x = programme.solve()
        bounds.append(programme.price()[0])
        cuts = violated(programme, x)
        if not len(cuts):
            break
        programme.add_cuts(cuts)
    assert bounds == sorted(bounds)
    assert bounds[-1] == pytest.approx(3)  # blank → circle → circle → blank: three arcs that cost 1, four that cost 0
    assert not len(cuts)


def test_the_bound_counts_arcs_that_are_not_in_the_programme() -> None:
    cost = two_circles()
    tour = np.array([6, 0, 3, 1, 4, 2, 5])
    arcs = np.zeros((7, 7), bool)
    arcs[tour, np.roll(tour, -1)] = True
    programme = Programme(cost, 1, arcs, 0, no_watch)
    assert programme.solve() @ cost[programme.tail, programme.head] == pytest.approx(7)
    bound, reduced = programme.price()
    assert bound <= 3
    assert reduced[0, 1] < 0
    while (missing := reduced < -1e-9).any():
        assert programme.add_arcs(missing) > 0
        programme.solve()
        bound, reduced = programme.price()
    assert bound == pytest.approx(2)  # one circle is closed, the other begins and ends at the blank node


@pytest.mark.parametrize("separate", [_loose_components, partial(_minimum_cuts, watch=no_watch)])
def test_fractional_solutions_are_cut_off(separate: Callable[..., np.ndarray]) -> None:
    # Half an arc leaves the shreds 0, 1 and 2; everything else is left by one arc at least. The blank node is 5.
    weights = {
        (5, 3): 1.0, (3, 0): 0.5, (3, 4): 0.5, (0, 1): 1.0, (1, 2): 1.0, (2, 0): 0.5, (2, 4): 0.5, (4, 5): 1.0,
    }  # fmt: skip
    tail, head = np.array(list(weights)).T
    sets = separate(6, tail, head, np.array(list(weights.values())))
    assert [np.flatnonzero(members).tolist() for members in sets] == [[0, 1, 2]]


def test_cancelling_comes_out_of_highs() -> None:
    rng = np.random.default_rng(0)

    def cancel() -> None:
        raise Cancelled

    programme = Programme(rng.random((40, 40)), 1, np.ones((40, 40), bool), 0, cancel)
    with pytest.raises(Cancelled):
        programme.solve()

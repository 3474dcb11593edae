"""Pages improved as such."""

import numpy as np
import pytest

from core.grid.completion import KEPT, Evidence
from core.grid.improving import IMPOSSIBLE, Board, seam_prices
from core.progress import Cancelled

N_ROWS, LENGTH = 4, 6
N = N_ROWS * LENGTH
TRUTH = np.arange(N).reshape(N_ROWS, LENGTH)
PLACES = [(0, row, 0) for row in range(N_ROWS)]
NOTHING = np.zeros(2 * N, np.float32)


def prices(seed=0, weak=()):
    """Draw what neighbours cost, in both ways up: true ones less than others, but for those that are weak."""
    rng = np.random.default_rng(seed)
    found = []
    for true in (
        zip(TRUTH[:, :-1].ravel(), TRUTH[:, 1:].ravel(), strict=True),
        zip(TRUTH[:-1].ravel(), TRUTH[1:].ravel(), strict=True),
    ):
        cost = rng.uniform(0, 1, (2 * N, 2 * N))
        for one, other in true:
            cost[one, other] = cost[other + N, one + N] = 0.0 if (one, other) in weak else -3.0
        found.append(cost)
    return found


def board(grid, seams, down, **others):
    rows = [tuple(row) for row in np.array(grid).tolist()]
    return Board(rows, others.pop("places", PLACES), seams, down.astype(np.float32), (NOTHING, NOTHING), N, **others)


@pytest.mark.parametrize(
    "disorder",
    [
        lambda grid: grid.ravel()[np.r_[4, 1:4, 0, 5:N]].reshape(grid.shape),
        lambda grid: np.vstack([np.roll(grid[0], 2), grid[1:]]),
        lambda grid: np.vstack([grid[:1], np.roll(grid[1:3], 3, axis=1), grid[3:]]),
        lambda grid: np.vstack([np.r_[grid[0, :2], grid[2, 2:]], grid[1], np.r_[grid[2, :2], grid[0, 2:]], grid[3]]),
        lambda grid: np.vstack([np.r_[grid[0, :4], grid[3, :2]], grid[1:3], np.r_[grid[0, 4:], grid[3, 2:]]]),
        lambda grid: np.vstack([np.r_[grid[0, :2], grid[0, 2] + N, grid[0, 3:]], grid[1:]]),
    ],
    ids=["pieces", "row", "rows together", "stretches of two rows", "at other places", "upside down"],
)
def test_what_was_disturbed_is_put_right(disorder):
    seams, down = prices()
    disturbed = board(disorder(TRUTH), seams, down)
    assert (disturbed.grid != TRUTH).any()
    disturbed.search(seed=0)
    assert disturbed.price <= board(TRUTH, seams, down).price + 1e-6
    assert (disturbed.grid == TRUTH).all()


def test_a_search_finds_what_settling_alone_does_not():
    seams, down = prices(weak={(1, 2), (7, 8), (13, 14), (8, 14), (9, 15)})
    drawn = np.random.default_rng(1).permutation(TRUTH.ravel()).reshape(TRUTH.shape)
    settled, searched = board(drawn, seams, down), board(drawn, seams, down)
    settled.settle()
    searched.search(seed=0)
    assert searched.price < settled.price - 1
    assert searched.price <= board(TRUTH, seams, down).price + 1e-6
    again = board(drawn, seams, down)
    again.search(seed=0)
    assert (again.grid == searched.grid).all(), "the same seed, the same pages"


def test_what_was_turned_by_hand_keeps_its_way_up():
    seams, down = prices()
    upside_down = TRUTH.copy()
    upside_down[1, 2] += N
    kept = board(upside_down, seams, down, turned_by_hand=[TRUTH[1, 2]])
    kept.settle()
    assert TRUTH[1, 2] + N in kept.grid


def test_rows_of_other_pages_are_no_neighbours():
    seams, down = prices()
    places = [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0)]
    whole, parted = board(TRUTH, seams, down), board(TRUTH, seams, down, places=places)
    assert parted.price == pytest.approx(whole.price - down[TRUTH[1], TRUTH[2]].sum())


def test_a_search_is_cancelled():
    def cancel(fraction, text):
        raise Cancelled

    with pytest.raises(Cancelled):
        board(TRUTH, *prices()).search(0, cancel)


def test_a_join_side_by_side_is_priced_against_chance_by_no_more_than_there_is_print():
    across = np.full((6, 6), 20, np.float32)
    across[0, 1] = across[2, 3] = 0
    across[4, 5], across[1, 0] = np.inf, KEPT
    blank = np.full(6, 30, np.float32)
    blank[2] = 0.5
    priced = seam_prices(Evidence(across, blank, blank, np.zeros((6, 6), np.float32), None))
    assert priced[0, 1] < -1
    assert priced[2, 3] == -0.5, "where there is hardly any print, it hardly tells"
    assert priced[0, 3] == pytest.approx(-np.log(0.05), abs=0.1)
    assert (priced[4, 5], priced[1, 0]) == (IMPOSSIBLE, KEPT)

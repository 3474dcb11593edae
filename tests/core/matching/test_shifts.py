import numpy as np
import pytest

from core.matching.shifts import overlap, products_by_shift, shifts_up_to, tiles
from core.progress import no_progress


def test_the_smallest_shifts_come_first_and_leave_a_row():
    assert shifts_up_to(2, 9) == [0, -1, 1, -2, 2]
    assert shifts_up_to(7, 2) == [0, -1, 1]
    assert shifts_up_to(7, 1) == [0]


@pytest.mark.parametrize("shift", [-3, 0, 2])
def test_products_are_those_of_the_rows_that_meet(shift):
    rng = np.random.default_rng(0)
    right, left = rng.random((3, 8), dtype=np.float32), rng.random((2, 8), dtype=np.float32)
    found = dict(zip(shifts_up_to(3, 8), products_by_shift(right, left, 3), strict=True))[shift]
    of_right, of_left = overlap(shift, 8 - abs(shift))
    np.testing.assert_allclose(found, right[:, of_right] @ left[:, of_left].T, rtol=1e-6)
    assert (of_right.start, of_left.start) == (max(0, shift), max(0, -shift))


def test_tiles_cover_every_pair_once_and_report_to_the_end():
    seen, covered = [], np.zeros((7, 7), dtype=int)
    for i, j, of_tile in tiles(7, 3, lambda fraction, text: seen.append(fraction), "Comparing"):
        of_tile(0.5, "")
        covered[i, j] += 1
    assert (covered == 1).all()
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0, 1)
    assert list(tiles(0, 3, no_progress, "Comparing")) == []

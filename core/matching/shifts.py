"""Borders compared at every small vertical shift, all with all."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray


def first_rows(shift: int) -> tuple[int, int]:
    """Give the rows at which a right and a left border start to be compared at a shift, which is counted in rows."""
    return max(0, shift), max(0, -shift)


def products_by_shift(
    right: NDArray[np.float32], left: NDArray[np.float32], most: int
) -> Iterator[NDArray[np.float32]]:
    """Multiply p with q rows of values, all with all, at each shift.

    Parameters
    ----------
    right, left : ndarray of shape (p, rows) and (q, rows), float32
        If they are scaled, the products are correlations.
    most : int
        Largest shift, less than there are rows.

    Yields
    ------
    ndarray of shape (p, q), float32
        For the shifts from ``-most`` to ``most``.
    """
    n_rows = right.shape[1]
    for shift in range(-most, most + 1):
        (a, b), compared = first_rows(shift), n_rows - abs(shift)
        yield right[:, a : a + compared] @ left[:, b : b + compared].T


def tiles(n: int, size: int) -> list[tuple[slice, slice]]:
    """Part an (n, n) matrix into tiles of at most (size, size): memory stays bounded if they are done one by one."""
    starts = range(0, n, size)
    return [(slice(i, i + size), slice(j, j + size)) for i in starts for j in starts]

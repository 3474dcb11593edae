"""Borders compared at every small vertical shift, all with all, tile by tile.

A shift is counted in rows: at a positive one the first rows of the right border have no counterpart, at a negative one
the first rows of the left border.
"""

from collections.abc import Iterator
from itertools import product

from core.arrays import Floats
from core.progress import Progress, part


def shifts_up_to(largest: int, n_rows: int) -> list[int]:
    """List the shifts at which borders are compared.

    Parameters
    ----------
    largest : int
        Largest shift, in rows; it is reduced where the borders are so short that no row would be left.
    n_rows : int
        Rows of a border.

    Returns
    -------
    list of int
        The smallest first, so that among equal ones the smaller shift wins.
    """
    largest = min(largest, n_rows - 1)
    return sorted(range(-largest, largest + 1), key=abs)


def overlap(shift: int, n_rows: int) -> tuple[slice, slice]:
    """Find the rows of a right and of a left border that meet at a shift.

    Parameters
    ----------
    shift : int
        In rows.
    n_rows : int
        How many rows are compared, from the first that meet.

    Returns
    -------
    right, left : slice
        Of as many rows each.

    Examples
    --------
    >>> overlap(2, 5)
    (slice(2, 7, None), slice(0, 5, None))
    """
    right, left = max(0, shift), max(0, -shift)
    return slice(right, right + n_rows), slice(left, left + n_rows)


def products_by_shift(right: Floats, left: Floats, largest: int) -> Iterator[Floats]:
    """Multiply p with q rows of values, all with all, at each shift.

    Parameters
    ----------
    right, left : ndarray of shape (p, rows) and (q, rows), float32
        If they are scaled, the products are correlations.
    largest : int
        Largest shift.

    Yields
    ------
    ndarray of shape (p, q), float32
        For each of the shifts of `shifts_up_to`.
    """
    n_rows = right.shape[1]
    for shift in shifts_up_to(largest, n_rows):
        of_right, of_left = overlap(shift, n_rows - abs(shift))
        yield right[:, of_right] @ left[:, of_left].T


def tiles(n: int, size: int, progress: Progress, text: str) -> Iterator[tuple[slice, slice, Progress]]:
    """Divide an (n, n) matrix into tiles: memory stays bounded if they are done one by one.

    Parameters
    ----------
    n : int
        Number of shreds.
    size : int
        Shreds to a side of a tile, at most.
    progress : Progress
        Called before each tile and after the last.
    text : str
        Shown with the progress.

    Yields
    ------
    rows, columns : slice
        Where the tile lies.
    of_tile : Progress
        For the work on the tile alone.
    """
    starts = range(0, n, size)
    for number, (i, j) in enumerate(product(starts, starts)):
        of_tile = part(progress, number / len(starts) ** 2, (number + 1) / len(starts) ** 2)
        of_tile(0.0, text)
        yield slice(i, i + size), slice(j, j + size), of_tile
    progress(1.0, text)

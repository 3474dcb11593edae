"""Rows of pieces that stand on one page of cross-cut paper."""

from collections.abc import Callable, Mapping
from itertools import accumulate, groupby
from operator import itemgetter

from core.arrangement.arrangement import Arrangement, GridPlace, Pair


def closed_up(places: Mapping[str, GridPlace]) -> dict[str, GridPlace]:
    """Return places with pages and their rows numbered anew, where some are no longer there.

    Parameters
    ----------
    places : mapping of str to GridPlace
        Of the rows that are left.

    Returns
    -------
    dict of str to GridPlace
        In the same order from page to page and from the top; parts of one row are still in one.

    Examples
    --------
    >>> closed_up({"a": (0, 1, 5), "b": (0, 3, 0), "c": (0, 3, 90), "d": (2, 0, 0)})
    {'a': (0, 0, 5), 'b': (0, 1, 0), 'c': (0, 1, 90), 'd': (1, 0, 0)}
    """
    rows = sorted({(page, below) for page, below, _ in places.values()})
    numbered = {
        row: (number, at)
        for number, (_, of_page) in enumerate(groupby(rows, key=itemgetter(0)))
        for at, row in enumerate(of_page)
    }
    return {shred: (*numbered[page, below], right_px) for shred, (page, below, right_px) in places.items()}


def place_of_row(arrangement: Arrangement, page: int) -> GridPlace:
    """Find where a row of pieces stands.

    Parameters
    ----------
    arrangement : Arrangement
        Whose pages are rows of pieces, or pages of strips.
    page : int
        Index of a row, or of a page of strips.

    Returns
    -------
    page, row, right_px : int
        As `Arrangement.grid_places` has them; a row that has no place there, and a page of strips, is a page by itself,
        with a number below 0.
    """
    place: GridPlace | None = arrangement.page_mark("grid_places", page)
    return place or (-1 - page, 0, 0)


def rows_beside(arrangement: Arrangement, page: int) -> list[int]:
    """List the rows that stand on one page with a row.

    Parameters
    ----------
    arrangement, page
        See `place_of_row`.

    Returns
    -------
    list of int
        Indices of them, itself among them, ascending; of strips, itself alone.
    """
    if not arrangement.grid_places:
        return [page]
    numbers = [place_of_row(arrangement, row)[0] for row in range(len(arrangement.pages))]
    return [row for row, number in enumerate(numbers) if number == numbers[page]]


def rows_at(arrangement: Arrangement, page: int, step: int) -> list[int]:
    """List the rows that stand some rows below a row.

    Parameters
    ----------
    arrangement, page
        See `place_of_row`.
    step : int
        1 for directly below it, -1 for directly above.

    Returns
    -------
    list of int
        Indices of them, ascending: several where a row has parts; none beyond the end of a page.
    """
    number, row, _ = place_of_row(arrangement, page)
    places = (place_of_row(arrangement, one) for one in range(len(arrangement.pages)))
    return [one for one, place in enumerate(places) if place[:2] == (number, row + step)]


def whole_page(arrangement: Arrangement, page: int) -> tuple[str, ...]:
    """List the shreds that stand on one page with those of a row.

    Parameters
    ----------
    arrangement, page
        See `place_of_row`.

    Returns
    -------
    tuple of str
        Row by row; of strips, those of the page.
    """
    return tuple(shred for row in rows_beside(arrangement, page) for shred in arrangement.pages[row])


def number_of(arrangement: Arrangement, page: int) -> tuple[int, int | None]:
    """Return the number of a page as pages are written, and which of its rows is meant.

    Parameters
    ----------
    arrangement, page
        See `place_of_row`.

    Returns
    -------
    page : int
        From 0; rows of pieces that stand on one page have one number.
    row : int or None
        From 0, from the top; None for a page of strips, and for a row that was put nowhere.
    """
    if not arrangement.grid_places:
        return page, None
    numbers = list(dict.fromkeys(place_of_row(arrangement, row)[0] for row in range(page + 1)))
    number, below, _ = place_of_row(arrangement, page)
    return numbers.index(number), None if number < 0 else below


def page_or_row(arrangement: Arrangement, page: int) -> str:
    """Return what commands call a page, or a row of pieces.

    Parameters
    ----------
    arrangement, page
        See `place_of_row`.

    Returns
    -------
    str
        "page 3", or "page 1, row 2".
    """
    number, row = number_of(arrangement, page)
    return f"page {number + 1}" if row is None else f"page {number + 1}, row {row + 1}"


def stands_below(arrangement: Arrangement, above: str, below: str) -> bool:
    """Check whether a piece stands in the row directly below that of another.

    Parameters
    ----------
    arrangement : Arrangement
        Whose pages are rows of pieces.
    above, below : str
        Identifiers.

    Returns
    -------
    bool
        False also where one of them stands on no page.
    """
    rows = arrangement.page_of(above), arrangement.page_of(below)
    if None in rows:
        return False
    (page, row, _), (other_page, other_row, _) = (place_of_row(arrangement, one) for one in rows if one is not None)
    return page == other_page and row + 1 == other_row


def pieces_below(arrangement: Arrangement, page: int, width_of: Callable[[str], int]) -> dict[str, str]:
    """Find which piece stands directly below each of a page: the one that it lies over most.

    Parameters
    ----------
    arrangement : Arrangement
        Whose pages are rows of pieces.
    page : int
        Index of a row.
    width_of : callable
        Returns the width of a piece, in pixels.

    Returns
    -------
    dict of str to str
        Of those of the row below which there is one.
    """
    spans = [span for one in rows_at(arrangement, page, 1) for span in spans_px(arrangement, one, width_of)]
    found = {}
    for piece, left, right in spans_px(arrangement, page, width_of):
        common = {other: min(right, to) - max(left, start) for other, start, to in spans}
        if common and max(common.values()) * 2 >= right - left:
            found[piece] = max(common, key=lambda other: common[other])
    return found


def joins_below(arrangement: Arrangement, width_of: Callable[[str], int]) -> list[Pair]:
    """List the pieces that stand directly below each other, row by row, see `pieces_below`.

    Parameters
    ----------
    arrangement, width_of
        See `pieces_below`.

    Returns
    -------
    list of Pair
        The upper piece, and the lower one; none where paper is cut into strips.
    """
    rows = range(len(arrangement.pages)) if arrangement.grid_places else ()
    return [pair for row in rows for pair in pieces_below(arrangement, row, width_of).items()]


def spans_px(arrangement: Arrangement, page: int, width_of: Callable[[str], int]) -> list[tuple[str, int, int]]:
    """Lay the pieces of a row edge to edge from where it begins.

    Parameters
    ----------
    arrangement, page, width_of
        See `pieces_below`.

    Returns
    -------
    list of (str, int, int)
        Each piece, and from where to where it reaches, in pixels from its page's left edge.
    """
    row = arrangement.pages[page]
    ends = list(accumulate(map(width_of, row), initial=place_of_row(arrangement, page)[2]))
    return list(zip(row, ends[:-1], ends[1:], strict=True))

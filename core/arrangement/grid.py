"""Rows of pieces that stand on one page of cross-cut paper."""

from core.arrangement.arrangement import Arrangement


def rows_beside(arrangement: Arrangement, page: int) -> list[int]:
    """List the rows that stand on one page with a row.

    Parameters
    ----------
    arrangement : Arrangement
        Whose pages are rows of pieces, or pages of strips.
    page : int
        Index of a row, or of a page of strips.

    Returns
    -------
    list of int
        Indices of them, itself among them, ascending; of strips, itself alone.
    """
    places = [arrangement.page_mark("grid_places", number) for number in range(len(arrangement.pages))]
    here = places[page]
    return [page] if here is None else [row for row, place in enumerate(places) if place and place[0] == here[0]]


def whole_page(arrangement: Arrangement, page: int) -> tuple[str, ...]:
    """List the shreds that stand on one page with those of a row.

    Parameters
    ----------
    arrangement, page
        See `rows_beside`.

    Returns
    -------
    tuple of str
        Row by row; of strips, those of the page.
    """
    return tuple(shred for row in rows_beside(arrangement, page) for shred in arrangement.pages[row])


def page_or_row(arrangement: Arrangement, page: int) -> str:
    """Return what commands call a page, or a row of pieces.

    Parameters
    ----------
    arrangement, page
        See `rows_beside`.

    Returns
    -------
    str
        "page 3", or "page 1, row 2".
    """
    place = arrangement.page_mark("grid_places", page)
    return f"page {page + 1}" if place is None else f"page {place[0] + 1}, row {place[1] + 1}"

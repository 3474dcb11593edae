"""Which joins are right, and how that agrees with how sure they are.

Accuracy is the paper's: the share of adjacent pairs that are right, among shreds with ink; where documents are mixed,
the last shred of one followed by the first of another counts too.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

import numpy as np

from core.case.case import JoinInfo

LEAST_DOUBT = 1e-6
"""See `log_loss`."""

CONFIDENCE_BANDS = (0.0, 0.25, 0.5, 0.75, 0.95, 1.0)
"""Limits of the bands in which confidence is compared with the share of right joins."""


def right_joins(pages: Sequence[Sequence[str]], documents: Sequence[Sequence[str]]) -> int:
    """Count the right joins of a reconstruction.

    Parameters
    ----------
    pages : sequence of sequence of str
        Shreds from left to right, page after page; they count as one long sequence.
    documents : sequence of sequence of str
        The true orders. With more than one, the end of one followed by the beginning of any other is right.

    Returns
    -------
    int
        At most the number of shreds less 1.
    """
    sequence = [shred for page in pages for shred in page]
    return sum(map(judge_of(documents), pairwise(sequence)))


def right_within_pages(pages: Sequence[Sequence[str]], documents: Sequence[Sequence[str]]) -> int:
    """Count the right joins of a reconstruction, without the neighbourhoods of one page's end and another's beginning.

    Parameters
    ----------
    pages : sequence of sequence of str
        Shreds from left to right.
    documents : sequence of sequence of str
        The true orders.

    Returns
    -------
    int
        At most the number of shreds less that of the documents.
    """
    true = {pair for document in documents for pair in pairwise(document)}
    return sum(pair in true for page in pages for pair in pairwise(page))


def right_in_any_order(pages: Sequence[Sequence[str]], documents: Sequence[Sequence[str]]) -> int:
    """Count right joins within pages, and right neighbourhoods of pages in that order of these in which most are right.

    Which page comes after which is nothing that is found: an answer that moves a blank margin from one page to another
    lets both change their places, and others meet that have nothing to do with it.

    Parameters
    ----------
    pages : sequence of sequence of str
        Shreds from left to right.
    documents : sequence of sequence of str
        The true orders.

    Returns
    -------
    int
        At most the number of shreds less 1.

    Examples
    --------
    >>> documents = [["a", "b"], ["c", "d"], ["e", "f"]]
    >>> pages = [["a", "b", "e"], ["c", "d"], ["f"]]
    >>> right_joins(pages, documents), right_in_any_order(pages, documents)  # f, c d, a b e
    (3, 4)
    """
    firsts = {document[0] for document in documents if document}
    lasts = {document[-1] for document in documents if document}
    begins, ends = [page[0] in firsts for page in pages if page], [page[-1] in lasts for page in pages if page]
    meeting = min(sum(begins), sum(ends))
    if any(begins) and begins == ends:  # a row of pages of which each is whole has one meeting less than it has pages
        meeting -= 1
    return right_within_pages(pages, documents) + meeting


def as_read(pages: Sequence[Sequence[str]], wrong_way: Collection[str]) -> tuple[list[list[str]], list[list[str]]]:
    """Read pages as they are meant, whichever way up they came out.

    Parameters
    ----------
    pages : sequence of sequence of str
        Shreds from left to right.
    wrong_way : collection of str
        Shreds that came out upside down.

    Returns
    -------
    pages : list of list of str
        A page most of which is upside down is turned as a whole, which keeps its joins; shreds that lie otherwise than
        the rest of their page then bear a mark, so that no join of theirs is right.
    upright : list of list of str
        The shreds of each page that came out the right way up.
    """
    read, upright = [], []
    for page in pages:
        right = [shred for shred in page if shred not in wrong_way]
        upright.append(right)
        turned = 2 * len(right) < len(page)
        odd = set(right) if turned else set(page) - set(right)
        ordered = reversed(page) if turned else page
        read.append([f"{shred}, upside down" if shred in odd else shred for shred in ordered])
    return read, upright


def judge_of(documents: Sequence[Sequence[str]]) -> Callable[[tuple[str, str]], bool]:
    """Return what checks whether a join is right in the paper's measure, see `right_joins`.

    Parameters
    ----------
    documents : sequence of sequence of str
        The true orders.

    Returns
    -------
    callable
        Takes a left and a right shred.
    """
    after = {left: right for document in documents for left, right in pairwise(document)}
    first = {document[0]: number for number, document in enumerate(documents) if document}
    last = {document[-1]: number for number, document in enumerate(documents) if document}

    def judge(join: tuple[str, str]) -> bool:
        left, right = join
        if left in last:
            return right in first and first[right] != last[left]
        return left in after and after[left] == right

    return judge


def log_loss(sure: Sequence[float], right: Sequence[bool]) -> float:
    """Compute the log loss of joins, summed: how much was lost by not knowing, and by being sure of what is wrong.

    Parameters
    ----------
    sure : sequence of float
        Confidence in each join, 0 to 1; nothing counts as surer than by a millionth.
    right : sequence of bool
        Whether it is right.

    Returns
    -------
    float
        Not negative, in nats.
    """
    said = np.clip(np.asarray(sure, dtype=np.float64), LEAST_DOUBT, 1 - LEAST_DOUBT)
    return float(-np.log(np.where(np.asarray(right, dtype=np.bool_), said, 1 - said)).sum())


def by_confidence(joins: Sequence[JoinInfo], limits: Sequence[float]) -> list[tuple[float, float, list[JoinInfo]]]:
    """Sort joins into bands of confidence.

    Parameters
    ----------
    joins : sequence of JoinInfo
        Of a reconstruction.
    limits : sequence of float
        Ascending; confidence lies between the first and the last.

    Returns
    -------
    list of (float, float, list of JoinInfo)
        Lower limit, upper limit, and the joins of each band; only the last band holds its upper limit.
    """
    return [
        (low, high, [join for join in joins if low <= join.confidence < high or join.confidence == high == limits[-1]])
        for low, high in pairwise(limits)
    ]


def calibration(joins: Sequence[JoinInfo], documents: Sequence[Sequence[str]]) -> list[dict[str, float]]:
    """Compare how sure joins are with how many of them are right.

    Parameters
    ----------
    joins : sequence of JoinInfo
        Of a reconstruction.
    documents : sequence of sequence of str
        The true orders.

    Returns
    -------
    list of dict
        A dict per band of confidence: from, to, n, right (a share; 0 without joins) and mean confidence.
    """
    judge = judge_of(documents)
    return [
        {
            "from": low,
            "to": high,
            "n": len(inside),
            "right": float(np.mean([judge((join.left, join.right)) for join in inside] or [False])),
            "confidence": float(np.mean([join.confidence for join in inside] or [0.0])),
        }
        for low, high, inside in by_confidence(joins, CONFIDENCE_BANDS)
    ]

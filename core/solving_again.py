"""Solving again: the cheapest arrangement that keeps to all that the examiner said and did."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from core.arrangement import MARGIN
from core.by_hand import remembered, shifts_by_hand
from core.case import Case
from core.compared import compared
from core.page_breaks import estimate_n_pages, page_widths
from core.pipeline import arrange, match
from core.progress import Progress, no_progress, part

if TYPE_CHECKING:
    from core.matching.encoder import Encoder


def solve_again(
    case: Case,
    load_encoder: Callable[[], "Encoder"],
    progress: Progress = no_progress,
    *,
    compare: bool = False,
    estimate_pages: bool = False,
) -> Case:
    """Find the order of a case anew.

    Confirmed joins hold, forbidden ones are avoided; so are joins that were made and undone by hand, as far as nothing
    said contradicts them. Shifts set by hand stay with their join, what was set aside stays aside, and the number of
    pages stays, unless the options give one or confirmed joins say that there are too many. If shreds were turned since
    the borders were compared, all are compared again.

    Parameters
    ----------
    case : Case
        As the examiner left it.
    load_encoder : callable
        Gives the encoder; called only if borders must be compared.
    progress : Progress
        Fraction and text.
    compare : bool
        Compare all borders again in any case: the options say that it is done otherwise.
    estimate_pages : bool
        Let the shreds' widths say anew how many pages there are, where the options do not.

    Returns
    -------
    Case
        With the same shreds; without costs, unchanged.

    Raises
    ------
    UsageError
        If there is no order that keeps to what was said.
    """
    costs = case.costs
    if costs is None:
        return case
    arrangement = remembered(case)
    shift_px = shifts_by_hand(case)
    seconds = dict(case.seconds)
    weights_sha256 = case.weights_sha256
    posed = [arrangement.pose(shred) for shred in case.shreds]
    if compare or case.turned_since.intersection(case.matched_ids):
        progress(0.0, "Loading the encoder")
        matched = match(posed, load_encoder(), case.options, part(progress, 0.05, 0.8))
        costs, weights_sha256 = matched.costs, matched.weights_sha256
        seconds |= matched.seconds
    options = case.options
    if options.solver.n_pages is None and not estimate_pages:
        options = replace(options, solver=replace(options.solver, n_pages=_n_pages(case)))
    arranged = arrange(posed, costs, options, arrangement, shift_px, part(progress, 0.8, 1.0))
    again = replace(
        case,
        costs=costs,
        weights_sha256=weights_sha256,
        arrangement=arranged.arrangement,
        optimal=arranged.optimal,
        gap=arranged.gap,
        seconds=seconds | arranged.seconds,
        solved=None,
    )
    # Told of all that were compared, those set aside included, as after an edit: undoing one gives the same again.
    known = compared(again)
    return again if known is None else replace(again, joins=known.joins(again.arrangement))


def _n_pages(case: Case) -> int:
    """Say on how many pages the shreds are to be arranged.

    As many as there are; but where a join was confirmed between the end of one page and the beginning of another, and
    there are more pages than the shreds' widths can fill, the two are one.
    """
    pages = case.arrangement.pages
    ends, starts = {page[-1] for page in pages}, {page[0] for page in pages}
    n_joined = sum(left in ends and right in starts for left, right in case.arrangement.confirmed)
    margins = [pair for pair in remembered(case).held if MARGIN in pair]
    n_ended = sum(right == MARGIN for _, right in margins)
    least = max(1, n_ended, len(margins) - n_ended)
    if not n_joined:
        return max(least, len(pages))
    n_filled = estimate_n_pages(page_widths(case.shreds, case.options.solver.page_width_mm))
    return max(least, len(pages) - min(n_joined, max(0, len(pages) - n_filled)))

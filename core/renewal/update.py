"""A case brought up to date: solved again, with other options, or read anew; what was done by hand stays.

By hand, the examiner confirms and forbids joins, moves, turns and shifts shreds, splits and merges pages, sets shreds
aside and writes notes. Joins that were made or undone, and shifts, are worked out from what the solver found before.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from core.arrangement.arrangement import MARGIN, Arrangement, Pair
from core.arrangement.faces import with_faces
from core.arrangement.half_turns import shifts_standing, standing_as
from core.arrangement.placing import carried_marks, in_order_before
from core.case.case import Case
from core.case.joins import shifts_by_hand, with_joins
from core.comparison import Matched, match
from core.matching.costs import Costs
from core.matching.poses import twin
from core.memory import Memory
from core.options import Options, first_stage
from core.pipeline import LOADING_ENCODER, arrange, faces_of, n_pages_filled
from core.progress import Progress, no_progress, part
from core.renewal.carrying import carried_arrangement, same_shreds
from core.solver.constraints import poses

if TYPE_CHECKING:  # importing it would load Keras
    from core.embedding.encoder import Encoder


def remembered(case: Case) -> Arrangement:
    """Find the joins that were made and undone by hand since the order was found.

    Parameters
    ----------
    case : Case
        As the examiner left it.

    Returns
    -------
    Arrangement
        That of the case, with all that is to be held and parted.
    """
    now = case.arrangement
    joins, found = frozenset(now.joins()), frozenset(case.found_as_seen.joins())
    freed = now.freed & joins
    lefts, rights = {left for left, _ in freed}, {right for _, right in freed}
    # What has gone behind another face by pairing the two is no part of a join any more.
    parted = {pair for pair in found - joins if {*pair} <= now.places.keys()}
    made, undone = joins - found, {(a, b) for a, b in parted if a not in lefts and b not in rights}
    # Where a page was split, it ends and the next one begins; a join made there since takes that back.
    ends, starts = {page[-1] for page in now.pages}, {page[0] for page in now.pages}
    margins = {pair for pair in now.held if MARGIN in pair}
    for left, right in undone:
        if left in ends and right in starts:
            margins |= {(left, MARGIN), (MARGIN, right)}
    margins -= {margin for left, right in made for margin in ((left, MARGIN), (MARGIN, right))}
    return replace(
        now,
        held=case.placed_by_hand | margins,
        parted=(now.parted | undone) - joins - now.confirmed,
        freed=frozenset(),
    )


def solve_again(
    case: Case,
    load_encoder: Callable[[], "Encoder"],
    progress: Progress = no_progress,
    *,
    compare: bool = False,
    estimate_pages: bool = False,
    memory: Memory | None = None,
    pages: tuple[tuple[str, ...], ...] | None = None,
) -> Case:
    """Find the order of a case again.

    Confirmed joins hold, forbidden ones are avoided; so are joins that were made and undone by hand, as far as no
    confirmed or forbidden one contradicts them. Shifts set by hand stay with their join, what was set aside stays
    aside, and there are no fewer pages, unless the options give a number or confirmed joins show that there are too
    many. If shreds were turned since the borders were compared, or faces paired that were compared as they lie, all
    are compared again.

    Parameters
    ----------
    case : Case
        As the examiner left it.
    load_encoder : callable
        Returns the encoder; called only if borders must be compared.
    progress : Progress
        Fraction and text.
    compare : bool
        Compare all borders again in any case: the options ask for another way.
    estimate_pages : bool
        Estimate the number of pages from the shreds' widths again, where the options do not give it.
    memory : Memory, optional
        What it still has of these shreds' borders is not read again.
    pages : tuple of tuple of str, optional
        Where shreds stood when they were pinned, if that is not where they stand.

    Returns
    -------
    Case
        With the same shreds; without costs, unchanged.

    Raises
    ------
    UsageError
        If there is no order that keeps to what the examiner did.
    """
    costs = case.costs
    if costs is None:
        return case
    arrangement, shift_px, rest = remembered(case), shifts_by_hand(case), part(progress, 0.8, 1.0)
    arrangement = arrangement if pages is None else replace(arrangement, pages=pages)
    matched = Matched(costs, case.weights_sha256)
    paired_since = bool(arrangement.other_faces) and not case.both_ways
    if compare or paired_since or case.turned_since.intersection(case.matched_ids):
        progress(0.0, LOADING_ENCODER)
        matched, arrangement = compare_again(case, arrangement, load_encoder(), part(progress, 0.05, 0.8), memory)
    n_pages = None if estimate_pages else _n_pages(case)
    return arrange_again(case, matched, arrangement, shift_px, rest, n_pages=n_pages)


def compare_again(
    case: Case,
    arrangement: Arrangement,
    encoder: "Encoder",
    progress: Progress = no_progress,
    memory: Memory | None = None,
) -> tuple[Matched, Arrangement]:
    """Compare the borders of all shreds of a case, turned as the examiner turned them.

    Parameters
    ----------
    case : Case
        Whose shreds.
    arrangement : Arrangement
        How they are turned.
    encoder : Encoder
        Maps borders into the common space.
    progress : Progress
        Fraction and text.
    memory : Memory, optional
        What it still has of these shreds' borders is not read again.

    Returns
    -------
    matched : Matched
        The costs.
    arrangement : Arrangement
        Without half-turns that were found: they are found again; those by hand hold.
    """
    arrangement = standing_as(arrangement, arrangement.half_turned & arrangement.turned_by_hand)
    posed = [arrangement.pose(shred) for shred in case.shreds]
    compare = match if memory is None else memory.match
    matched = compare(posed, encoder, case.options, progress, both_ways=bool(arrangement.other_faces))
    costs = _as_they_lie(matched.costs, case.matched_ids, arrangement.half_turned)
    return replace(matched, costs=costs), arrangement


def arrange_again(
    case: Case,
    matched: Matched,
    arrangement: Arrangement,
    shift_px: Mapping[Pair, int],
    progress: Progress = no_progress,
    *,
    n_pages: int | None = None,
) -> Case:
    """Find the order of a case by costs, and keep what was said of its pages.

    Parameters
    ----------
    case : Case
        Whose shreds.
    matched : Matched
        Costs of its joins.
    arrangement, shift_px, progress, n_pages
        See `core.pipeline.arrange`.

    Returns
    -------
    Case
        With the order that was found.

    Raises
    ------
    UsageError
        If there is no order that keeps to what the examiner did.
    """
    shift_px = shifts_standing(shift_px, case.arrangement.half_turned ^ arrangement.half_turned)
    arranged = arrange(case.shreds, matched.costs, case.options, arrangement, shift_px, progress, n_pages=n_pages)
    pages = arranged.arrangement.pages
    if arrangement.pages_ordered:
        pages = in_order_before({shred: page for shred, (page, _) in arrangement.places.items()}, pages)
    # Where rows of cross-cut paper stand was found anew.
    marks = carried_marks(arrangement, pages) | {"grid_places": arranged.arrangement.grid_places}
    solved = replace(
        case,
        costs=matched.costs,
        weights_sha256=matched.weights_sha256,
        piece_weights_sha256=matched.piece_weights_sha256,
        arrangement=replace(arranged.arrangement, pages=pages, **marks),
        optimal=arranged.optimal,
        gap=arranged.gap,
        below=arranged.below,
        seconds=case.seconds | matched.seconds | arranged.seconds,
        solved=None,
    )
    # Joins are judged among all that were compared, set aside or not, as after an edit: undoing one changes nothing.
    return with_joins(solved)


def _as_they_lie(costs: Costs, ids: Sequence[str], half_turned: Collection[str]) -> Costs:
    """Reckon costs of both ways up from shreds as they lie, where some were half-turned before they were compared."""
    n = len(ids)
    if len(costs.to_blank) == n:
        return costs
    standing = poses(ids, half_turned)
    return costs.of([*standing, *(twin(pose, n) for pose in standing)])


def _n_pages(case: Case) -> int:
    """Count the pages on which the shreds are to be arranged.

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
    n_filled = n_pages_filled(case.shreds, case.arrangement, case.options)
    return max(least, len(pages) - min(n_joined, max(0, len(pages) - n_filled)))


def redo(
    case: Case,
    options: Options,
    load_encoder: Callable[[], "Encoder"],
    progress: Progress = no_progress,
    memory: Memory | None = None,
) -> Case:
    """Bring a case up to date with other options, without reading its sheets again.

    Parameters
    ----------
    case : Case
        As the examiner left it.
    options : Options
        Those of reading and segmentation must be the same.
    load_encoder : callable
        Returns the encoder; called only if borders must be compared.
    progress : Progress
        Fraction and text.
    memory : Memory, optional
        What it still has of these shreds' borders is not read again.

    Returns
    -------
    Case
        Of the same shreds, with everything that was done by hand; see `solve_again`.

    Raises
    ------
    ValueError
        If the sheets would have to be read again.
    UsageError
        If there is no order that keeps to what the examiner did.
    """
    stage = first_stage(case.options, options)
    if stage == "read":
        raise ValueError("Other options of reading or segmentation need the sheets, not the case.")
    changed = replace(case, options=options)
    if stage in (None, "show"):
        return changed
    if case.options.faces != options.faces:
        changed = _with_other_faces(changed, part(progress, 0.0, 0.05))
    before, after = case.options.solver, options.solver
    estimate = (before.n_pages, before.page_width_mm) != (after.n_pages, after.page_width_mm)
    estimate |= case.options.faces != options.faces
    compare = stage in ("embed", "compare")
    return solve_again(changed, load_encoder, progress, compare=compare, estimate_pages=estimate, memory=memory)


def _with_other_faces(case: Case, progress: Progress) -> Case:
    """Pair faces as the options ask for it; what stands for itself then is placed, until the order is found."""
    faces = faces_of(case.shreds, case.sheets, case.options, case.arrangement, progress)
    behind = {*case.arrangement.behind}.intersection(case.matched_ids)

    def paired(arrangement: Arrangement) -> Arrangement:
        after = with_faces(arrangement, faces)
        free = tuple(shred for shred in after.set_aside if shred in behind)
        aside = tuple(shred for shred in after.set_aside if shred not in behind)
        return replace(after, pages=(*after.pages, free), set_aside=aside) if free else after

    return replace(case, arrangement=paired(case.arrangement), solved=paired(case.found_as_seen))


def carry_over(
    before: Case, after: Case, load_encoder: Callable[[], "Encoder"], progress: Progress = no_progress
) -> tuple[Case, tuple[str, ...]]:
    """Carry what the examiner did over to a case that was read anew, and find its order with that.

    Parameters
    ----------
    before, after : Case
        Of the same sheets.
    load_encoder : callable
        Returns the encoder; called only if shreds were turned.
    progress : Progress
        Fraction and text.

    Returns
    -------
    case : Case
        `after` itself if there is nothing to carry over.
    lost : tuple of str
        See `carried_arrangement`.

    Raises
    ------
    UsageError
        If there is no order that keeps to what the examiner did.
    """
    arrangement, lost = carried_arrangement(before, after)
    if arrangement == after.arrangement:
        return after, lost
    names, pages = same_shreds(before, after), None
    if arrangement.pinned:  # to pages as they were
        there = names.keys() - {shred for shred, name in names.items() if name in arrangement.set_aside}
        pages = tuple(tuple(names[one] for one in page if one in there) for page in before.arrangement.pages)
    carried = replace(after, arrangement=arrangement, solved=after.arrangement)
    return solve_again(carried, load_encoder, progress, pages=pages), lost

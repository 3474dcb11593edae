"""A case brought up to date: solved again, or with other options; what was said and done by hand stays."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from core.arrangement.arrangement import MARGIN, Arrangement, Pair
from core.case.case import Case
from core.case.joins import compared
from core.options import Options, first_stage
from core.pipeline import LOADING_ENCODER, arrange, match
from core.progress import Progress, no_progress, part
from core.shreds.shred import Shred
from core.solver.page_breaks import estimate_n_pages, page_widths

if TYPE_CHECKING:
    from core.matching.encoder import Encoder


def remembered(case: Case) -> Arrangement:
    """Note in the arrangement which joins were made and undone by hand since the order was found.

    Parameters
    ----------
    case : Case
        As the examiner left it.

    Returns
    -------
    Arrangement
        That of the case, with what is to be held and parted.
    """
    now = case.arrangement
    joins, found = frozenset(now.joins()), frozenset((case.solved or now).joins())
    made, undone = joins - found, found - joins
    held = (now.held | made) & joins - now.forbidden
    # Where a page was split, it ends and the next one begins; a join made there since takes that back.
    ends, starts = {page[-1] for page in now.pages}, {page[0] for page in now.pages}
    margins = {pair for pair in now.held if MARGIN in pair}
    for left, right in undone:
        if left in ends and right in starts:
            margins |= {(left, MARGIN), (MARGIN, right)}
    margins -= {margin for left, right in made for margin in ((left, MARGIN), (MARGIN, right))}
    parted = (now.parted | undone) - joins - now.confirmed
    return replace(now, held=held | margins, parted=parted)


def shifts_by_hand(case: Case) -> dict[Pair, int]:
    """Give the shifts, in pixels, of joins that lie otherwise than the costs say; of shreds turned since, none."""
    arrangement, costs, turned = case.arrangement, case.costs, case.turned_since
    row_of = {shred_id: row for row, shred_id in enumerate(case.matched_ids)}

    def found_px(left: str, right: str) -> int:
        known = costs is not None and left in row_of and right in row_of
        return int(costs.shift_px[row_of[left], row_of[right]]) if known and costs is not None else 0

    shifts = {pair: arrangement.shift_px.get(pair[1], 0) for pair in arrangement.joins() if turned.isdisjoint(pair)}
    return {pair: shift for pair, shift in shifts.items() if shift != found_px(*pair)}


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
        progress(0.0, LOADING_ENCODER)
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


SAME_SHRED = 0.6
"""A shred found again overlaps the one found before by more than this part of their common area."""


def redo(case: Case, options: Options, load_encoder: Callable[[], "Encoder"], progress: Progress = no_progress) -> Case:
    """Bring a case up to date with other options, without reading its sheets again.

    Parameters
    ----------
    case : Case
        As the examiner left it.
    options : Options
        Those of reading and segmentation must be the same.
    load_encoder : callable
        Gives the encoder; called only if borders must be compared.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Case
        Of the same shreds, with everything that was said and done by hand; see `core.update.solve_again`.

    Raises
    ------
    ValueError
        If the sheets would have to be read again.
    UsageError
        If there is no order that keeps to what was said.
    """
    stage = first_stage(case.options, options)
    if stage == "read":
        raise ValueError("Other options of reading or segmentation need the sheets, not the case.")
    changed = replace(case, options=options)
    if stage in (None, "show"):
        return changed
    before, after = case.options.solver, options.solver
    estimate = (before.n_pages, before.page_width_mm) != (after.n_pages, after.page_width_mm)
    return solve_again(changed, load_encoder, progress, compare=stage == "match", estimate_pages=estimate)


def keep_said(
    before: Case, after: Case, load_encoder: Callable[[], "Encoder"], progress: Progress = no_progress
) -> tuple[Case, tuple[str, ...]]:
    """Take what the examiner said over to a case that was read anew, and find its order with that.

    Parameters
    ----------
    before, after : Case
        Of the same sheets.
    load_encoder : callable
        Gives the encoder; called only if shreds were turned.
    progress : Progress
        Fraction and text.

    Returns
    -------
    case : Case
        `after` itself if nothing was said.
    lost : tuple of str
        See `carry_over`.
    """
    arrangement, lost = carry_over(before, after)
    if arrangement == after.arrangement:
        return after, lost
    said = replace(after, arrangement=arrangement, solved=after.arrangement)
    return solve_again(said, load_encoder, progress), lost


def carry_over(before: Case, after: Case) -> tuple[Arrangement, tuple[str, ...]]:
    """Take what the examiner said over to a case that was read anew from the same sheets.

    Parameters
    ----------
    before, after : Case
        Shreds are the same where they lie at the same place of the same sheet.

    Returns
    -------
    arrangement : Arrangement
        That of `after` with confirmed and forbidden joins, turns, and shreds set aside by hand; to be solved again.
    lost : tuple of str
        Shreds of `before` of which something was said and that are not among those found now.
    """
    names = _same_shreds(before, after)
    said = before.arrangement
    placed_before = {shred for page in (before.solved or said).pages for shred in page}
    aside = [shred for shred in said.set_aside if shred in placed_before]

    def pairs(told: frozenset[Pair]) -> frozenset[Pair]:
        return frozenset((names[a], names[b]) for a, b in told if a in names and b in names)

    named = {shred for pair in said.confirmed | said.forbidden for shred in pair}
    named |= {*said.half_turned, *said.turned_deg, *aside}
    named |= {shred for about in said.notes if about for shred in about.split("|")}
    new_aside = {names[shred] for shred in aside if shred in names}
    now = after.arrangement
    pages = (tuple(shred for shred in page if shred not in new_aside) for page in now.pages)
    return (
        replace(
            now,
            pages=tuple(page for page in pages if page),
            set_aside=(*now.set_aside, *(shred for page in now.pages for shred in page if shred in new_aside)),
            confirmed=pairs(said.confirmed),
            forbidden=pairs(said.forbidden),
            half_turned=frozenset(names[shred] for shred in said.half_turned if shred in names),
            turned_deg={names[shred]: angle for shred, angle in said.turned_deg.items() if shred in names},
            notes=_renamed(said.notes, names),
        ),
        tuple(sorted(named - names.keys())),
    )


def _renamed(notes: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """Give notes of shreds and joins under the names these have now; that of the case stays."""
    parts = {about: about.split("|") if about else [] for about in notes}
    return {
        "|".join(names[shred] for shred in parts[about]): text
        for about, text in notes.items()
        if names.keys() >= set(parts[about])
    }


def _same_shreds(before: Case, after: Case) -> dict[str, str]:
    """Give for shreds found before the name of the one found now at the same place."""
    sheet_of = {(sheet.sha256, sheet.page): number for number, sheet in enumerate(after.sheets)}
    names: dict[str, str] = {}
    for shred in before.shreds:
        sheet = before.sheets[shred.sheet]
        number = sheet_of.get((sheet.sha256, sheet.page))
        candidates = [other for other in after.shreds if other.sheet == number]
        best = max(candidates, key=lambda other: _overlap(shred, other), default=None)
        if best is not None and _overlap(shred, best) > SAME_SHRED:
            names[shred.id] = best.id
    return names


def _overlap(one: Shred, other: Shred) -> float:
    """Give the common part of two frames on a sheet, over what they cover together."""
    (ax, ay, aw, ah), (bx, by, bw, bh) = one.bbox, other.bbox
    width, height = min(ax + aw, bx + bw) - max(ax, bx), min(ay + ah, by + bh) - max(ay, by)
    common = max(0, width) * max(0, height)
    return common / (aw * ah + bw * bh - common)

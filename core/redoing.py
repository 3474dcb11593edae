"""After a change of options: only the stages that depend on them are done again, and what was set by hand stays."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from core.arrangement import Arrangement, Pair
from core.case import Case
from core.options import Options, first_stage
from core.progress import Progress, no_progress
from core.shreds.shred import Shred
from core.solving_again import solve_again

if TYPE_CHECKING:
    from core.matching.encoder import Encoder

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
        Of the same shreds, with everything that was said and done by hand; see `core.solving_again.solve_again`.

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

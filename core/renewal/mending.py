"""One sheet mended: it alone is read and segmented again, and what was said and done of all other shreds stays."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from core.arrangement.arrangement import MARGIN, Arrangement, Pair
from core.arrangement.faces import shifts_as_seen, showing, with_faces
from core.arrangement.placing import carried_marks
from core.case.case import Case
from core.case.joins import shifts_by_hand
from core.case.originals import at_hand
from core.case.record import mends_after
from core.case.states import state_after
from core.errors import NothingFoundError, UsageError
from core.memory import Memory
from core.pipeline import LOADING_ENCODER, faces_of, n_pages_filled
from core.progress import Progress, in_parts, no_progress, part
from core.renewal.carrying import carried_arrangement, renamed_faces, same_shreds
from core.renewal.update import arrange_again, compare_again, remembered
from core.sheets.mends import Mends, is_excluded
from core.sheets.sheet import SheetInfo, sheet_names
from core.shreds.cross_cut.whole_set import cut_of
from core.shreds.on_sheet import segment_again
from core.shreds.shred import Crumb, Shred
from core.wording import QT_TRANSLATE_NOOP, Message

if TYPE_CHECKING:  # importing it would load Keras
    from core.embedding.encoder import Encoder

Piece = TypeVar("Piece", Shred, Crumb)


def mend(
    case: Case,
    number: int,
    mends: Mends,
    load_encoder: Callable[[], "Encoder"],
    progress: Progress = no_progress,
    *,
    source: SheetInfo | None = None,
    memory: Memory | None = None,
) -> tuple[Case, tuple[str, ...]]:
    """Read one sheet of a case again with other mends, and find the order with what is on it now.

    Parameters
    ----------
    case : Case
        As the examiner left it.
    number : int
        Index of the sheet.
    mends : tuple of Mend
        All that hold for the sheet from now on.
    load_encoder : callable
        Returns the encoder.
    progress : Progress
        Fraction and text.
    source : SheetInfo, optional
        The sheet with the place where its file lies now.
    memory : Memory, optional
        What it still has of the other shreds' borders is not read again.

    Returns
    -------
    case : Case
        Shreds of other sheets, and those of the sheet that came out as they were, are the same objects.
    lost : tuple of str
        Shreds of before that something was said of and that are not among those there are now.

    Raises
    ------
    UsageError
        If a mend cannot be made, or there is no order that keeps to what the examiner did.
    NothingFoundError
        If no shred is left on the sheet, or none in the case that could be compared.
    UnreadableInputError
        If the sheet's file is not there any more, or is another one.
    """
    info = replace(case.sheets[number], mends=mends)
    text = Message(QT_TRANSLATE_NOOP("progress", "Finding shreds on {name}"), name=sheet_names(case.sheets)[number])
    progress(0.0, text)
    shreds, crumbs = _found(case, number, replace(source or info, mends=mends), part(progress, 0.0, 0.3))
    after = _with_pieces(case, number, info, shreds, crumbs)
    if not any(shred.compared for shred in after.shreds):
        raise NothingFoundError("Nothing would be left that can be put in order. Mend the sheet in another way.")
    names = same_shreds(case, after)
    arrangement, lost = _carried(case, after, names, part(progress, 0.3, 0.35))
    shift_px = {
        (names[left], names[right]): px
        for (left, right), px in shifts_as_seen(shifts_by_hand(case), case.arrangement, names.keys()).items()
        if {left, right} <= names.keys()
    }
    progress(0.35, LOADING_ENCODER)
    matched, arrangement = compare_again(after, arrangement, load_encoder(), part(progress, 0.35, 0.8), memory)
    n_pages = expected_n_pages(case, replace(after, arrangement=arrangement))
    return arrange_again(after, matched, arrangement, shift_px, part(progress, 0.8, 1.0), n_pages=n_pages), lost


def prepare(
    case: Case, load_encoder: Callable[[], "Encoder"], memory: Memory, progress: Progress = no_progress
) -> None:
    """Read the borders of a case that mending one of its sheets will ask for, unless they are remembered.

    Parameters
    ----------
    case : Case
        As the examiner left it; a case file holds no borders.
    load_encoder : callable
        Returns the encoder.
    memory : Memory
        Keeps them.
    progress : Progress
        Fraction and text.
    """
    arrangement = case.arrangement
    arrangement = replace(arrangement, half_turned=arrangement.half_turned & arrangement.turned_by_hand)
    memory.read(list(map(arrangement.pose, case.shreds)), load_encoder(), case.options, progress)


def past_state(
    case: Case,
    number: int,
    case_path: Path | None = None,
    folders: Sequence[Path] = (),
    progress: Progress = no_progress,
) -> Case:
    """Return a case as it was after a step; sheets that were mended since are read again as they were mended then.

    Parameters
    ----------
    case : Case
        As it is now.
    number : int
        Of an entry of its history.
    case_path : Path, optional
        Its file; the folder it lies in is looked through for sheets.
    folders : sequence of Path
        Looked through with all that is in them.
    progress : Progress
        Called for each edit that is carried out again, and while sheets are read.

    Returns
    -------
    Case
        With the arrangement, the options and the shreds of then, and without joins. Where sheets were read again there
        are no costs, and pages are not levelled: what that needs is known of the shreds of now alone.

    Raises
    ------
    UsageError
        A sentence, if the state cannot be found again.
    UnreadableInputError
        If a sheet that was mended since is not there any more.
    """
    then, mends = state_after(case, number, part(progress, 0.0, 0.3)), mends_after(case.history, number)
    held = [mends.get((sheet.sha256, sheet.page), ()) for sheet in case.sheets]
    others = [at for at, sheet in enumerate(case.sheets) if sheet.mends != held[at]]
    for at, here in in_parts(others, part(progress, 0.3, 1.0)):
        with at_hand(case, case.sheets[at], case_path, folders) as source:
            shreds, crumbs = _found(then, at, replace(source, mends=held[at]), here)
        then = _with_pieces(then, at, replace(then.sheets[at], mends=held[at]), shreds, crumbs)
    if others:
        drawing = replace(then.options, composition=replace(then.options.composition, level=False))
        then = replace(then, costs=None, options=drawing)
    if not then.arrangement.places.keys() <= then.shred_by_id.keys():
        raise UsageError(f"The state after step {number} cannot be shown: the sheets were read otherwise then.")
    return then


def _with_pieces(case: Case, number: int, info: SheetInfo, shreds: Sequence[Shred], crumbs: Sequence[Crumb]) -> Case:
    """Return a case with other pieces on one of its sheets."""
    return replace(
        case,
        sheets=(*case.sheets[:number], info, *case.sheets[number + 1 :]),
        shreds=tuple(sorted((*_of_others(case.shreds, number), *shreds), key=lambda shred: shred.sheet)),
        crumbs=tuple(sorted((*_of_others(case.crumbs, number), *crumbs), key=lambda crumb: crumb.sheet)),
    )


def _found(case: Case, number: int, info: SheetInfo, progress: Progress) -> tuple[tuple[Shred, ...], tuple[Crumb, ...]]:
    """Read and segment a sheet; a shred that comes out as it was is the same object."""
    if is_excluded(info.mends):
        return (), ()
    found = segment_again(info, number, case.options, cut_of(case.shreds), progress)
    if found.refused:
        raise UsageError("\n".join(found.refused))
    known = case.shred_by_id
    shreds = (*found.shreds, *found.scraps)
    return tuple(
        known[one.id] if one.id in known and _alike(known[one.id], one) else one for one in shreds
    ), found.crumbs


def _alike(one: Shred, other: Shred) -> bool:
    """Check whether two shreds are the same to the pixel."""
    return all(np.array_equal(getattr(one, field.name), getattr(other, field.name)) for field in fields(Shred))


def _of_others(pieces: tuple[Piece, ...], number: int) -> tuple[Piece, ...]:
    """List what lies on other sheets."""
    return tuple(piece for piece in pieces if piece.sheet != number)


def _carried(
    before: Case, after: Case, names: Mapping[str, str], progress: Progress
) -> tuple[Arrangement, tuple[str, ...]]:
    """Carry all that was said and done over: what is new stands on a page of its own until the order is found."""
    old = _turned_where_gone(remembered(before), names.keys())
    pages = tuple(page for page in (tuple(one for one in row if one in names) for row in old.pages) if page)
    old = replace(old, **carried_marks(old, pages))
    faces = renamed_faces(old.other_faces, names)
    renamed = [tuple(names[shred] for shred in page) for page in pages]
    aside = [names[shred] for shred in old.set_aside if shred in names]

    def pairs(joins: frozenset[Pair]) -> frozenset[Pair]:
        to = {**names, MARGIN: MARGIN}
        return frozenset((to[left], to[right]) for left, right in joins if {left, right} <= to.keys())

    placed = {*chain.from_iterable(renamed), *aside}
    known = placed | {faces[shred][0] for shred in placed & faces.keys()}
    new = [shred for shred in after.shreds if shred.id not in known]
    fresh = tuple(shred.id for shred in new if shred.compared)
    base = replace(
        old,
        pages=(*renamed, fresh) if fresh else tuple(renamed),
        set_aside=(*aside, *(shred.id for shred in new if not shred.compared)),
        shift_px={names[shred]: px for shred, px in old.shift_px.items() if shred in names},
        held=pairs(old.held),
        parted=pairs(old.parted),
        half_turned=frozenset(names[shred] for shred in old.half_turned if shred in names),
        other_faces=faces,
        paired_by_hand=frozenset(names[shred] for shred in old.paired_by_hand if shred in names),
    )
    base = with_faces(base, faces_of(after.shreds, after.sheets, after.options, base, progress))
    return carried_arrangement(replace(before, arrangement=old), replace(after, arrangement=base))


def _turned_where_gone(arrangement: Arrangement, there: Collection[str]) -> Arrangement:
    """Turn over paper of which the face that is seen is gone, and with it all its page, so that what was said holds."""
    faces = arrangement.other_faces
    turned = [shred for page in arrangement.pages if {*page} & faces.keys() - {*there} for shred in page]
    over = {shred for shred in turned if shred in faces and faces[shred][0] in there}
    return showing(arrangement, {*there} - over)


def expected_n_pages(before: Case, after: Case) -> int:
    """Count the pages: as many as there were, and so many more or fewer as the shreds' widths fill now.

    Parameters
    ----------
    before, after : Case
        As the examiner left it, and with the shreds that there are now.

    Returns
    -------
    int
        At least 1.
    """
    now, then = (n_pages_filled(case.shreds, case.arrangement, case.options) for case in (after, before))
    sides = Counter(pair.index(MARGIN) for pair in remembered(before).held if MARGIN in pair)
    return max(1, *sides.values(), len(before.arrangement.pages) + now - then)

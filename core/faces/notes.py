"""What does not fit where paper was scanned from both faces, in sentences for the examiner."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from core.arrangement.arrangement import Arrangement
from core.faces.posed import UNSEEN, papers_of
from core.matching.confidence import percentage
from core.sheets.sheet import SheetInfo, sheet_names
from core.shreds.shred import Shred
from core.units import MM_PER_PX
from core.wording import counted

SURE = 0.9
"""Pairs of faces that are less sure are named."""

SAME_LENGTH, SAME_LENGTH_MM = 0.01, 1.0
"""By more than this share, and by more than so much, the faces of one paper do not differ in length."""

N_NAMED = 12
"""Of more shreds than so many the others are counted."""


def notes_on_faces(shreds: Sequence[Shred], arrangement: Arrangement, sheets: Sequence[SheetInfo]) -> tuple[str, ...]:
    """Say what does not fit of the faces of paper: faces that lack, sheets that differ, pairs that are doubtful.

    Parameters
    ----------
    shreds : sequence of Shred
        Of a case.
    arrangement : Arrangement
        Tells which two are one paper.
    sheets : sequence of SheetInfo
        On which they lie.

    Returns
    -------
    tuple of str
        A sentence or two for each thing; empty where everything fits, and where all paper has one face.
    """
    faces = arrangement.other_faces
    if not faces:
        return ()
    whole = [shred for shred in shreds if not shred.scrap]
    names = [f"sheet {number} ({name})" for number, name in enumerate(sheet_names(sheets), start=1)]
    with_pairs = {shred.sheet for shred in whole if shred.id in faces}
    once = sorted({shred.sheet for shred in whole} - with_pairs)
    alone = [shred for shred in whole if shred.id not in faces.keys() | arrangement.paired_by_hand]
    of_these = [shred.id for shred in alone if shred.sheet in with_pairs]
    by_id = {shred.id: shred for shred in shreds}
    pairs = [(by_id[one], by_id[other]) for one, other in papers_of(by_id, faces) if other != UNSEEN]
    return (
        *(_without_other_face(of_these) if 3 * len(pairs) > len(whole) else ()),  # of most both are known
        *_scanned_once(names[sheet] for sheet in once),
        *_unequal_numbers(whole, pairs),
        *_set_aside(shred for shred in alone if shred.compared and shred.id in arrangement.set_aside),
        *_unequal_resolutions(pairs, sheets),
        *_unequal_lengths(pairs),
        *_doubtful(pairs, arrangement),
    )


def _without_other_face(alone: Sequence[str]) -> Iterator[str]:
    if alone:
        yield (
            f"The other face of {counted(len(alone), 'shred')} was not found: {_listed(alone)}. What is on the face "
            f"that was scanned alone tells where {'it belongs' if len(alone) == 1 else 'they belong'}."
        )


def _scanned_once(names: Iterable[str]) -> Iterator[str]:
    if listed := _listed(list(names)):
        yield f"No shred on these sheets was found on another sheet from behind: {listed}."


def _unequal_numbers(shreds: Iterable[Shred], pairs: Sequence[tuple[Shred, Shred]]) -> Iterator[str]:
    """Compare how many shreds lie on sheets that were scanned from behind, and on those scanned before."""
    fronts, backs = ({pair[face].sheet for pair in pairs} for face in (0, 1))
    if fronts & backs:
        return  # both faces lie on one sheet
    on_sheets = [shred.sheet for shred in shreds]
    before, behind = (sum(sheet in of_these for sheet in on_sheets) for of_these in (fronts, backs))
    if before != behind:
        fewer = "fewer" if behind < before else "more"
        yield f"On sheets scanned from behind lie {fewer} shreds than on those scanned before: {behind}, not {before}."


def _set_aside(shreds: Iterable[Shred]) -> Iterator[str]:
    if listed := _listed([shred.id for shred in shreds]):
        yield f"Set aside, though they bear ink, and their other face was not found: {listed}."


def _unequal_resolutions(pairs: Iterable[tuple[Shred, Shred]], sheets: Sequence[SheetInfo]) -> Iterator[str]:
    both = [(sheets[one.sheet].dpi, sheets[other.sheet].dpi) for one, other in pairs]
    unequal = [dpi for dpi in both if dpi[0] != dpi[1]]
    if unequal:
        listed = " and ".join(f"{dpi:g}" for dpi in sorted(set(chain.from_iterable(unequal))))
        yield f"Both faces of {counted(len(unequal), 'shred')} were scanned at unequal resolutions: {listed} dpi."


def _unequal_lengths(pairs: Iterable[tuple[Shred, Shred]]) -> Iterator[str]:
    unequal = []
    for one, other in pairs:
        apart_px, shorter_px = abs(one.height_px - other.height_px), min(one.height_px, other.height_px)
        if apart_px > SAME_LENGTH * shorter_px and apart_px * MM_PER_PX > SAME_LENGTH_MM:
            unequal.append(f"{one.id} and {other.id}")
    if unequal:
        yield (
            f"The two faces of {counted(len(unequal), 'shred')} differ in length by more than {100 * SAME_LENGTH:g} %: "
            f"{_listed(unequal)}. Either the resolution of a sheet is not what was taken for it, or a part was not "
            "scanned."
        )


def is_doubtful(confidence: float) -> bool:
    """Return whether a pair of faces should be looked at: whether it is less sure than `SURE`, in whole percents.

    Parameters
    ----------
    confidence : float
        0 to 1.

    Returns
    -------
    bool
    """
    return round(confidence, 2) < SURE


def _doubtful(pairs: Iterable[tuple[Shred, Shred]], arrangement: Arrangement) -> Iterator[str]:
    sure = [(one.id, *arrangement.other_faces[one.id]) for one, _ in pairs]
    unsure = [f"{one} and {other} ({percentage(share)})" for one, other, _, _, share in sure if is_doubtful(share)]
    if unsure:
        which = "1 pair of faces is" if len(unsure) == 1 else f"{len(unsure)} pairs of faces are"
        yield f"{which} less than {percentage(SURE)} sure: {_listed(unsure)}."


def _listed(names: Sequence[str]) -> str:
    """List names; of many the first ones, and how many others there are."""
    named, others = names[:N_NAMED], len(names) - N_NAMED
    return ", ".join(named) + (f" and {counted(others, 'other')}" if others > 0 else "")

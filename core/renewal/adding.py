"""Sheets added to a case: they alone are read and segmented, and what was said and done of all others stays.

Their shreds are priced against all. Sheets are numbered in the order in which they come, so that a case to which sheets
were added, and in which nothing was done by hand, has the costs and the order of one that had all of them at once.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from core.arrangement.arrangement import SAID_BELOW, Arrangement
from core.arrangement.faces import with_faces
from core.case.case import Case
from core.case.joins import shifts_by_hand
from core.case.states import on_the_way
from core.memory import Memory
from core.parallel import HERE, Workers
from core.pipeline import LOADING_ENCODER, faces_of
from core.progress import Progress, no_progress, part
from core.renewal.mending import expected_n_pages
from core.renewal.update import arrange_again, compare_again, remembered
from core.sheets.input_file import InputFile, Inputs
from core.sheets.inputs import find_inputs
from core.sheets.sheet import SheetInfo
from core.shreds.cross_cut.whole_set import cut_of
from core.shreds.detect import Found, OnSheet, find_shreds
from core.system.disk_cache import DiskCache
from core.system.files import file_sha256

if TYPE_CHECKING:  # importing it would load Keras
    from core.embedding.encoder import Encoder


def known_inputs(sheets: Sequence[SheetInfo], paths: Inputs) -> tuple[list[InputFile], dict[InputFile, int]]:
    """Tell the files of which a case has sheets already, by their SHA-256, from those that it lacks.

    Parameters
    ----------
    sheets : sequence of SheetInfo
        Those of the case, excluded ones, too.
    paths : sequence of Path or InputFile
        Files and folders.

    Returns
    -------
    new : list of InputFile
        Also what cannot be read: reading it tells why.
    known : dict of InputFile to int
        Of each other file the index of its first sheet.
    """
    numbers: dict[tuple[str | None, str | None], int] = {}
    for number, sheet in enumerate(sheets):
        numbers.setdefault((sheet.sha256, sheet.mask_sha256), number)
    new: list[InputFile] = []
    known: dict[InputFile, int] = {}
    for file in find_inputs(paths):
        hashes: tuple[str | None, str | None] = None, None
        with suppress(OSError):  # it is new then: reading it tells the reason
            hashes = file_sha256(file.path), None if file.mask_path is None else file_sha256(file.mask_path)
        if hashes in numbers:
            known[file] = numbers[hashes]
        else:
            new.append(file)
    return new, known


def read_added(
    case: Case,
    files: Inputs,
    *,
    on_sheet: OnSheet | None = None,
    progress: Progress = no_progress,
    cache: DiskCache | None = None,
    workers: Workers = HERE,
) -> Found:
    """Read sheets that are to be added to a case, and find the shreds on them.

    Parameters
    ----------
    case : Case
        Which has other sheets; what shows the same as one of them is left out, and noted.
    files : sequence of Path or InputFile
        Files and folders.
    on_sheet, progress, cache, workers
        See `core.shreds.detect.find_shreds`.

    Returns
    -------
    Found
        With numbers that follow those of the case.

    Raises
    ------
    UnreadableInputError
        If not one of the files can be read, or has anything new.
    NothingFoundError
        If there is no shred on any of the sheets.
    """
    return find_shreds(
        files,
        case.options,
        known=case.sheets,
        cut_before=cut_of(case.shreds),
        on_sheet=on_sheet,
        progress=progress,
        cache=cache,
        workers=workers,
    )


def add(
    case: Case,
    found: Found,
    load_encoder: Callable[[], "Encoder"],
    progress: Progress = no_progress,
    *,
    memory: Memory | None = None,
) -> Case:
    """Price the shreds of new sheets against all others, and find the order of all.

    Parameters
    ----------
    case : Case
        As the examiner left it.
    found : Found
        From `read_added`.
    load_encoder : callable
        Returns the encoder.
    progress : Progress
        Fraction and text.
    memory : Memory, optional
        What it still has of the other shreds' borders is not read again; a case file holds no borders.

    Returns
    -------
    Case
        Shreds of other sheets are the same objects; new ones follow.

    Raises
    ------
    UsageError
        If there is no order that keeps to what the examiner did.
    """
    after = replace(
        case,
        sheets=(*case.sheets, *found.sheets),
        shreds=(*case.shreds, *found.shreds),
        crumbs=(*case.crumbs, *found.crumbs),
        unreadable=(*case.unreadable, *(note for note in found.unreadable if note not in case.unreadable)),
        seconds=case.seconds | found.seconds,
        states=on_the_way(case),
    )
    old = remembered(case)
    new = tuple(shred.id for shred in found.shreds if shred.compared)
    aside = tuple(shred.id for shred in found.shreds if not shred.compared)
    arrangement = replace(old, pages=(*old.pages, *([new] if new else [])), set_aside=(*old.set_aside, *aside))
    faces = faces_of(after.shreds, after.sheets, after.options, arrangement, part(progress, 0.0, 0.05))
    arrangement = with_faces(arrangement, faces)
    progress(0.05, LOADING_ENCODER)
    matched, arrangement = compare_again(after, arrangement, load_encoder(), part(progress, 0.1, 0.8), memory)
    expected = expected_n_pages(case, replace(after, arrangement=arrangement))
    n_pages = expected if _is_by_hand(case, old) else None
    rest = part(progress, 0.8, 1.0)
    return arrange_again(after, matched, arrangement, shifts_by_hand(case), rest, n_pages=n_pages)


def _is_by_hand(case: Case, arrangement: Arrangement) -> bool:
    """Check whether the pages are no longer those that the solver alone would find: then their number is kept to."""
    placed = {shred for page in arrangement.pages for shred in page}
    faces, compared = arrangement.other_faces, {*case.matched_ids}
    seen = placed | {faces[shred][0] for shred in placed & faces.keys()}
    mute = {shred for shred in placed if compared.isdisjoint((shred, *faces.get(shred, ())[:1]))}
    decisions = (
        arrangement.confirmed, arrangement.forbidden, arrangement.held, arrangement.parted, arrangement.pinned,
        arrangement.turned_by_hand, arrangement.turned_deg, arrangement.paired_by_hand,
        *(getattr(arrangement, name) for name in SAID_BELOW),
    )  # fmt: skip
    return case.by_hand or any(decisions) or bool(mute) or not compared <= seen

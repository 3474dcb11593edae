"""The file that holds a case; docs/case-format.md describes it."""

import json
import logging
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from core.case.archive import DAMAGE, Archive, NewArchive
from core.case.case import Case
from core.case.history import History, check_chain, describe_entry, read_entry
from core.case.originals import files_of, opened_original, weights_of
from core.case.pixels import read_costs, read_crumbs, read_previews, read_shreds, write_pixels
from core.case.states import all_kept, describe_states, read_states
from core.case.values import FORMAT, READABLE, WITH_HISTORY, describe_case, read_case
from core.errors import OutputError, UnreadableInputError, UnverifiedError
from core.progress import Progress, no_progress, part
from core.sheets.sheet import SheetInfo, file_names
from core.system.files import replacing
from core.system.json_values import canonical, read_json
from core.system.spool import Shelf
from core.wording import QT_TRANSLATE_NOOP, Message

logger = logging.getLogger(__name__)

CASE, HISTORY, STATES = "case.json", "history.jsonl", "states.json"


def save(case: Case, path: Path, progress: Progress = no_progress, *, pack_sheets: bool | None = None) -> None:
    """Write a case file: a ZIP of JSON, PNG images and numpy arrays, with the SHA-256 of each.

    Sheets stay where they are; the file names them by their path, relative to itself, their size and their SHA-256.

    Parameters
    ----------
    case : Case
        What to write.
    path : Path
        Usually ends in ``.rejoin``.
    progress : Progress
        Called for each shred.
    pack_sheets : bool, optional
        Put the files of the sheets into the case, byte by byte, and the encoder's weights if they are at hand. If not
        given, they are there if they were before.

    Raises
    ------
    OutputError
        If it cannot be written, or if the file there is of the same case and has steps on record that this one lacks;
        whatever stood there before still stands there.
    UnreadableInputError
        If sheets are to be packed and one is not there, or is no longer what it was.
    """
    _keep_history(case.history, path)
    if pack_sheets is None:
        pack_sheets = any(sheet.packed_in for sheet in case.sheets)
    with replacing(path) as new, NewArchive(new, FORMAT) as archive:
        serialised = describe_case(case, path.resolve().parent, pack_sheets)
        text = json.dumps(serialised, indent=1, ensure_ascii=False, allow_nan=False)
        archive.add(CASE, text.encode("utf-8", "backslashreplace"), compress=True)  # see `canonical`
        lines = (canonical(describe_entry(entry)) + b"\n" for entry in case.history)
        archive.add(HISTORY, b"".join(lines), compress=True)
        if states := describe_states(case):
            archive.add(STATES, canonical(states), compress=True)
        write_pixels(archive, case, part(progress, 0, 0.8))
        files = files_of(case) if pack_sheets else []
        for index, (file, name) in enumerate(zip(files, file_names([file.path for file in files]), strict=True)):
            text = Message(QT_TRANSLATE_NOOP("progress", "Packing {name}"), name=name)
            progress(0.8 + 0.2 * index / len(files), text)
            with opened_original(file) as (handle, size_bytes):
                archive.copy(f"originals/{file.sha256}", handle, size_bytes)
        if pack_sheets:
            weights = weights_of(case)
            with suppress(UnreadableInputError), opened_original(weights) as (handle, size_bytes):
                archive.copy(f"originals/{weights.sha256}", handle, size_bytes)
        progress(1.0, QT_TRANSLATE_NOOP("progress", "Saving"))
    logger.info("The case is saved: %d shreds, %d steps of history", len(case.shreds), len(case.history))


def _keep_history(history: History, path: Path) -> None:
    """Refuse to write over a file of the same case that has entries which this history lacks: another window's work."""
    try:
        with Archive(path) as archive:
            there = read_history(archive)
    except (OSError, *DAMAGE):
        return  # nothing is there, or no case with a history
    if there and history[:1] == there[:1] and history[: len(there)] != there:
        raise OutputError(
            f"{path} was saved by another window meanwhile: its history has steps that this one lacks, and they would "
            "be lost. Save under another name."
        )


def load(path: Path, progress: Progress = no_progress, *, check: bool = True) -> Case:
    """Read a case file.

    Parameters
    ----------
    path : Path
        As written by `save`.
    progress : Progress
        Called for each shred.
    check : bool
        Refuse a case that was altered after it was saved; only what looks for the difference does without.

    Returns
    -------
    Case
        As it was saved; the sheets' own files need not be there.

    Raises
    ------
    UnreadableInputError
        If it is no case file, is damaged or altered, or was written by another version of Rejoin.
    """
    try:
        if path.exists() and not path.is_file():
            raise UnreadableInputError(f"{path} is no file. Name a case.")
        with Archive(path) as archive:
            case = _read(archive, path, progress, check)
    except OSError as error:
        raise UnreadableInputError(
            f"{path} cannot be read: {error.strerror or error}. Check its name and its drive, or use a copy of it."
        ) from error
    except UnverifiedError as error:
        raise UnreadableInputError(f"{path} cannot be relied on. {error} Use a copy of the file.") from error
    except DAMAGE as error:
        raise UnreadableInputError(
            f"{path} is no case of Rejoin, or is damaged ({str(error)[:200]}). Use a copy of it."
        ) from error
    logger.info("A case is read: %d shreds, %d steps of history", len(case.shreds), len(case.history))
    return case


def _read(archive: Archive, path: Path, progress: Progress, check: bool) -> Case:
    """Build the case that an archive tells of."""
    serialised = read_json(archive.read(CASE, check=False), infinite=True)
    if not isinstance(serialised, dict) or "format" not in serialised:
        raise ValueError(f"{CASE} tells of no case")
    if type(serialised["format"]) is not int or serialised["format"] not in READABLE:
        raise UnreadableInputError(
            f"{path} was written by another version of Rejoin (format {serialised['format']}; this version reads "
            f"up to {FORMAT}). Open it with that version."
        )
    history: History = ()
    if serialised["format"] >= WITH_HISTORY:
        if check:
            archive.check()
            archive.read(CASE)
        history = read_history(archive)
        if check:
            check_chain(history)
    values = read_case(serialised, path)
    previews, shelf = read_previews(archive, len(values.sheets)), Shelf()
    shreds = read_shreds(archive, values.shreds, progress)
    case = Case(
        sheets=tuple(
            SheetInfo(**sheet, preview=shelf.put(preview))
            for sheet, preview in zip(values.sheets, previews, strict=True)
        ),
        shreds=shreds,
        crumbs=read_crumbs(archive, values.crumbs),
        costs=read_costs(archive, sum(shred.compared for shred in shreds)),
        history=history,
        states=read_states(read_json(archive.read(STATES))) if STATES in archive.names else {},
        **values.rest,
    )
    return replace(case, states=all_kept(case))


def read_history(archive: Archive) -> History:
    """Read the entries of the history; whether they hold is another question.

    Parameters
    ----------
    archive : Archive
        Of a case of format 3 or later.

    Returns
    -------
    tuple of Entry
        From the first step on.
    """
    return tuple(read_entry(read_json(line)) for line in archive.read(HISTORY).splitlines())

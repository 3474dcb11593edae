"""The file that holds a case; docs/case-format.md describes it."""

import logging
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from core.case.archive import DAMAGE, Archive
from core.case.case import Case
from core.case.history import History, check_chain, describe_entry, read_entry
from core.case.originals import files_of, opened_original, weights_of
from core.case.pixels import (
    check_pixels,
    laid_down_in,
    read_costs,
    read_crumbs,
    read_sheets,
    read_shreds,
    sources_of,
    write_pixels,
)
from core.case.states import all_kept, describe_states, read_states
from core.case.values import FORMAT, READABLE, WITH_HISTORY, describe_case, read_case
from core.case.zip_layout import NewArchive
from core.errors import OutputError, UnreadableInputError, UnverifiedError
from core.progress import Progress, no_progress, part
from core.sheets.sheet import file_names
from core.system.files import replacing
from core.system.json_values import canonical, read_json, readable
from core.wording import QT_TRANSLATE_NOOP, Message

logger = logging.getLogger(__name__)

CASE, HISTORY, STATES = "case.json", "history.jsonl", "states.json"


def save(case: Case, path: Path, progress: Progress = no_progress, *, pack_sheets: bool | None = None) -> None:
    """Write a case file: a ZIP of JSON, PNG images and numpy arrays, with the SHA-256 of each.

    What was read from a case file and is as it was there is taken over from it, neither packed nor hashed again.
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
        archive.add(CASE, readable(serialised).encode("utf-8", "backslashreplace"), compress=True)  # see `canonical`
        lines = (canonical(describe_entry(entry)) + b"\n" for entry in case.history)
        archive.add(HISTORY, b"".join(lines), compress=True)
        if states := describe_states(case):
            archive.add(STATES, canonical(states), compress=True)
        write_pixels(archive, case, part(progress, 0, 0.8))
        files, sources = files_of(case) if pack_sheets else [], sources_of(case)
        for index, (file, name) in enumerate(zip(files, file_names([file.path for file in files]), strict=True)):
            text = Message(QT_TRANSLATE_NOOP("progress", "Packing {name}"), name=name)
            progress(0.8 + 0.2 * index / len(files), text)
            place = f"originals/{file.sha256}"
            if (there := laid_down_in(sources, place)) is not None:
                archive.take_over(place, there)
                continue
            with opened_original(file) as (handle, size_bytes):
                archive.copy(place, handle, size_bytes)
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


def load(
    path: Path, progress: Progress = no_progress, *, check: bool = True, check_at_most_bytes: int | None = None
) -> Case:
    """Read a case file; its pictures are read when they are looked at, so it stays open.

    Parameters
    ----------
    path : Path
        As written by `save`.
    progress : Progress
        Called for each shred.
    check : bool
        Refuse a case that was altered after it was saved; only what looks for the difference does without.
    check_at_most_bytes : int, optional
        Where there are more bytes of pictures, leave them to `check_rest`; each is checked when it is looked at.

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
        archive = Archive(path, to_stay=True)
        try:
            case = _read(archive, path, check)
            pictures = frozenset(
                name for name in archive.names if name.startswith(("shreds/", "sheets/", "originals/"))
            )
            archive.to_check = pictures if check and case.history else frozenset()
            if check_at_most_bytes is None or archive.sizes(pictures) <= check_at_most_bytes:
                check_pixels(archive, progress)
        except BaseException:
            archive.close()
            raise
    except (OSError, UnverifiedError, *DAMAGE) as error:
        raise _refusal(path, error) from error
    logger.info("A case is read: %d shreds, %d steps of history", len(case.shreds), len(case.history))
    return case


def check_rest(case: Case, progress: Progress = no_progress) -> None:
    """Check the pictures of a case that `load` left unchecked.

    Parameters
    ----------
    case : Case
        As it was read, or edited since.
    progress : Progress
        Called for each picture.

    Raises
    ------
    UnreadableInputError
        If one was altered after the case was saved.
    """
    for archive in sources_of(case):
        try:
            check_pixels(archive, progress)
        except (OSError, *DAMAGE) as error:
            raise _refusal(archive.path, error) from error


def _refusal(path: Path, error: Exception) -> UnreadableInputError:
    """Put in a sentence why a file is not read."""
    if isinstance(error, OSError):
        return UnreadableInputError(
            f"{path} cannot be read: {error.strerror or error}. Check its name and its drive, or use a copy of it."
        )
    if isinstance(error, UnverifiedError):
        return UnreadableInputError(f"{path} cannot be relied on. {error} Use a copy of the file.")
    return UnreadableInputError(f"{path} is no case of Rejoin, or is damaged ({str(error)[:200]}). Use a copy of it.")


def _read(archive: Archive, path: Path, check: bool) -> Case:
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
    shreds = read_shreds(archive, values.shreds)
    case = Case(
        sheets=read_sheets(archive, values.sheets),
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

"""What the examiner points at, files and folders, to the list of files to read."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from core.sheets.formats.decoding import HEAD_BYTES, known_content
from core.sheets.input_file import InputFile, Inputs

SUFFIXES = (".jpg", ".jpeg", ".jpe", ".png", ".tif", ".tiff", ".bmp", ".webp", ".jp2", ".j2k", ".jpx", ".pdf")
"""Usual endings of readable files, for file dialogs; what decides is the content."""

_MASK_SUFFIXES = (".png", ".tif", ".tiff", ".bmp", ".webp", ".jpg", ".jpeg")
_SHREDS, _MASKS, _MASK_ENDING = "shreds", "masks", "_mask"
_CLUTTER = {"thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r"}


def input_file(path: Path) -> InputFile:
    """Find out from a file's place whether there is a mask beside it.

    A mask of ``NAME.jpg`` is ``NAME_mask.png`` or ``masks/NAME.png`` beside it, or ``masks/NAME.png`` beside the
    folder ``shreds`` in which it lies; other picture formats do as well.

    Parameters
    ----------
    path : Path
        The file, which need not be there.

    Returns
    -------
    InputFile
        With the mask, if there is one.

    Examples
    --------
    >>> input_file(Path("scans/scan.png")).mask_path is None
    True
    """
    folder, among_shreds = path.parent, path.parent.name == _SHREDS
    folders = [folder, folder.parent] if among_shreds else [folder]
    for place in (folder / f"{path.stem}{_MASK_ENDING}", *(beside / _MASKS / path.stem for beside in folders)):
        for suffix in _MASK_SUFFIXES:
            for candidate in (Path(f"{place}{suffix}"), Path(f"{place}{suffix.upper()}")):
                if os.path.isfile(candidate):
                    return InputFile(path, candidate, single_shred=True)
    return InputFile(path)


def lies_among_shreds(path: Path) -> bool:
    """Check whether a file lies in a folder of single shreds without masks: one that is called ``shreds``.

    Parameters
    ----------
    path : Path
        The file, which need not be there.

    Returns
    -------
    bool
    """
    folder = path.parent
    has_masks = os.path.isdir(folder / _MASKS) or os.path.isdir(folder.parent / _MASKS)
    return folder.name == _SHREDS and not has_masks


def find_inputs(paths: Inputs) -> list[InputFile]:
    """List the files to read, in the order given; those of a folder as a person would number them (2 before 10).

    A folder stands for the readable files in it and in its subfolders, or for those of its subfolder ``shreds`` if it
    has one; links to folders are not followed. Masks are listed with the file they belong to, files given twice once. A
    path that cannot be read, or a folder without any readable file, is listed too: reading it gives the error, so that
    the other files go on.

    Parameters
    ----------
    paths : sequence of Path or InputFile
        Files and folders; what is known already as an `InputFile` is taken as it is, also twice.

    Returns
    -------
    list of InputFile
        What can be read, and what gives an error when it is read.
    """
    files = [(file, isinstance(path, InputFile)) for path in paths for file in _expand(path)[0]]
    masks = {os.path.realpath(file.mask_path) for file, _ in files if file.mask_path}
    listed: list[InputFile] = []
    seen: set[str] = set()
    for file, as_it_is in files:
        place = os.path.realpath(file.path)
        if place not in masks and (as_it_is or place not in seen):
            listed.append(file)
        seen.add(place)
    return listed


def find_skipped(paths: Inputs) -> list[Path]:
    """List the files in folders that `find_inputs` leaves out because they are of no readable kind.

    Parameters
    ----------
    paths : sequence of Path or InputFile
        As `find_inputs` takes them.

    Returns
    -------
    list of Path
        In the order of the folders.
    """
    return [skipped for path in paths for skipped in _expand(path)[1]]


def _expand(path: Path | InputFile) -> tuple[list[InputFile], list[Path]]:
    """List the inputs that a path stands for, and the files left out."""
    if isinstance(path, InputFile):
        return [path], []
    if not os.path.isdir(path):
        return [input_file(path)], []
    found, skipped = _look_into(Path(path))
    return found or [InputFile(Path(path))], skipped  # reading it tells the reason


def _look_into(path: Path) -> tuple[list[InputFile], list[Path]]:
    """List the inputs in a folder and below, and the files left out."""
    try:
        files, folders = _visible(path)
        has_shreds = path / _SHREDS in folders
        shreds, below = _visible(path / _SHREDS) if has_shreds else ([], [])
    except OSError:
        return [InputFile(path)], []
    skipped, files = (files, shreds) if has_shreds else ([], files)
    folders = below if has_shreds else [folder for folder in folders if folder.name != _MASKS]
    stems = {file.stem for file in files}
    pictures = [file for file in files if _is_readable_kind(file)]
    skipped = skipped + [file for file in files if file not in set(pictures)]
    masks = {file for file in pictures if file.stem.removesuffix(_MASK_ENDING) in stems - {file.stem}}
    found = [input_file(file) for file in pictures if file not in masks]
    for folder in folders:
        more, more_skipped = _look_into(folder)
        found, skipped = found + more, skipped + more_skipped
    return found, skipped


def _visible(folder: Path) -> tuple[list[Path], list[Path]]:
    """List the files and the folders directly in a folder, without hidden ones and the system's clutter."""
    names: dict[bool, list[str]] = {False: [], True: []}
    for entry in os.scandir(folder):
        if (
            entry.name[0] not in ".~"
            and entry.name.lower() not in _CLUTTER
            and not (_is_folder(entry) and entry.is_symlink())
        ):
            names[_is_folder(entry)].append(entry.name)
    files, folders = ([folder / name for name in _by_number(names[is_folder])] for is_folder in (False, True))
    return files, folders


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Check for a folder; a link that leads nowhere is none."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _by_number(names: Iterable[str]) -> list[str]:
    """Sort names with the numbers in them compared as numbers."""

    def key(name: str) -> tuple[list[tuple[int, str]], str]:
        parts = re.findall(r"[0-9]+|[^0-9]+", name.casefold())
        return [(int(part), "") if part[0] in "0123456789" else (-1, part) for part in parts], name

    return sorted(names, key=key)


def _is_readable_kind(path: Path) -> bool:
    """Check by ending or content whether a file is worth reading; reading it gives the error if it is not."""
    if path.suffix.lower() in SUFFIXES:
        return True
    try:
        with path.open("rb") as handle:
            return known_content(handle.read(HEAD_BYTES))
    except OSError:
        return False

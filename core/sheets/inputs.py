"""What the examiner points at, files and folders, to the list of files to read."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from core.sheets.formats.decoding import HEAD_BYTES, known_content

SUFFIXES = (".jpg", ".jpeg", ".jpe", ".png", ".tif", ".tiff", ".bmp", ".webp", ".jp2", ".j2k", ".jpx", ".pdf")
"""Usual endings of readable files, for file dialogs; what decides is the content."""

_MASK_SUFFIXES = (".png", ".tif", ".tiff", ".bmp", ".webp", ".jpg", ".jpeg")
_SHREDS, _MASKS, _MASK_ENDING = "shreds", "masks", "_mask"
_CLUTTER = {"thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r"}


@dataclass(frozen=True)
class InputFile:
    """A file to read.

    Attributes
    ----------
    path : Path
        The file: sheets, or one shred.
    mask_path : Path or None
        A picture beside it that is white where the shred's paper is.
    single_shred : bool
        The file holds one shred, as its place tells: a mask lies beside it, or it lies in a folder ``shreds``.
        A file that tells by its alpha channel is known only when it is read.
    """

    path: Path
    mask_path: Path | None = None
    single_shred: bool = False


Inputs: TypeAlias = Sequence[Path | InputFile]
"""Files and folders, or files with what is known of them."""


def input_file(path: Path) -> InputFile:
    """Find out from a file's place whether there is a mask beside it, and whether it lies among single shreds.

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
    >>> input_file(Path("scans/scan.png")).single_shred
    False
    >>> input_file(Path("scans/shreds/17.png")).single_shred
    True
    """
    folder, among_shreds = path.parent, path.parent.name == _SHREDS
    folders = [folder, folder.parent] if among_shreds else [folder]
    for place in (folder / f"{path.stem}{_MASK_ENDING}", *(beside / _MASKS / path.stem for beside in folders)):
        for suffix in _MASK_SUFFIXES:
            for candidate in (Path(f"{place}{suffix}"), Path(f"{place}{suffix.upper()}")):
                if os.path.isfile(candidate):
                    return InputFile(path, candidate, single_shred=True)
    has_masks = os.path.isdir(folder / _MASKS) or os.path.isdir(folder.parent / _MASKS)
    return InputFile(path, None, single_shred=among_shreds and not has_masks)


def find_inputs(paths: Inputs) -> list[InputFile]:
    """List the files to read, in the order given; those of a folder as a person would number them (2 before 10).

    A folder stands for the readable files directly in it, or for those of its subfolder ``shreds`` if it has one.
    Masks are listed with the file they belong to, files given twice once. A path that cannot be read, or a folder
    without any readable file, is listed too: reading it gives the error, so that the other files go on.

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
    try:
        files = _visible_files(path)
        shreds = _visible_files(path / _SHREDS) if os.path.isdir(path / _SHREDS) else None
    except OSError:
        return [InputFile(path)], []  # reading it tells the reason
    skipped, files = ([], files) if shreds is None else (files, shreds)
    stems = {file.stem for file in files}
    pictures = [file for file in files if _is_readable_kind(file)]
    skipped = skipped + [file for file in files if file not in set(pictures)]
    masks = {file for file in pictures if file.stem.removesuffix(_MASK_ENDING) in stems - {file.stem}}
    return [input_file(file) for file in pictures if file not in masks] or [InputFile(path)], skipped


def _visible_files(folder: Path) -> list[Path]:
    """List what lies directly in a folder and is no folder, without hidden files and the system's clutter."""
    names = (entry.name for entry in os.scandir(folder) if not _is_folder(entry))
    return [folder / name for name in _by_number(names) if name[0] not in ".~" and name.lower() not in _CLUTTER]


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

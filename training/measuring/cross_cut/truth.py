"""Cross-cut paper of which the truth is known: intact pages to cut in software, and pieces with their rows beside."""

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrangement.arrangement import Arrangement, OtherFace
from core.errors import UsageError
from core.options import Options
from core.pipeline import faces_of
from core.progress import Progress, no_progress
from core.shreds.cross_cut.whole_set import cut_of
from core.shreds.detect import find_shreds
from training.measuring.documents import bears_ink
from training.pages.cross_cut import Cutting, Pieces, TruePlace, cut_pages
from training.pages.preparation import find_pages, page_images, page_name

CONTEST_TRUTH = "contest_truth.json"
"""Beside folders of pieces: under each folder's name the rows of its page from the top, or such rows of each face."""

NOT_TRAINED_ON: list[str] = tomllib.loads(Path(__file__).with_name("not_trained_on.toml").read_text(encoding="utf-8"))[
    "pages"
]
"""By category and document, as d3 has them."""


def pages_to_cut(folder: Path, *, all_pages: bool = False) -> list[Path]:
    """List the files of intact pages below a folder, without those that the encoder of pieces was trained on.

    Parameters
    ----------
    folder : Path
        As `training.pages.preparation.find_pages` takes it.
    all_pages : bool
        Whether to list what the encoder was trained on as well.

    Returns
    -------
    list of Path
        Those of `NOT_TRAINED_ON`, if some of these are below the folder; all otherwise.

    Raises
    ------
    UsageError
        If there are none.
    """
    paths = find_pages(folder)
    listed = [path for path in paths if "/".join(path.resolve().parts[-3:-1]) in NOT_TRAINED_ON]
    return paths if all_pages or not listed else listed


def read_intact(paths: Sequence[Path]) -> dict[str, NDArray[np.uint8]]:
    """Read intact pages: those of `training.rendering` are printed and scanned in software.

    Parameters
    ----------
    paths : sequence of Path
        As `pages_to_cut` lists them.

    Returns
    -------
    dict of str to ndarray of shape (h, w), uint8
        Grey values at 300 dpi, by the names of the pages.

    Raises
    ------
    UnreadableInputError
        If a file cannot be read.
    """
    pages = {}
    for path in paths:
        images = page_images(path)
        for number, image in enumerate(images, start=1):
            pages[page_name(path) if len(images) == 1 else f"{page_name(path)}, page {number}"] = image
    return pages


def cut_in_software(pages: Sequence[NDArray[np.uint8]], how: Cutting) -> Pieces:
    """Cut pages, and tell which pieces are blank in the measure of the publications.

    Parameters
    ----------
    pages : sequence of ndarray of shape (h, w), uint8
        Grey values at 300 dpi.
    how : Cutting
        How.

    Returns
    -------
    Pieces
        Mixed.
    """
    pieces = cut_pages(pages, how)
    shreds = tuple(shred.changed(blank=not bears_ink(shred)) for shred in pieces.shreds)
    return Pieces(shreds, pieces.places, pieces.pitch_px)


def has_rows(folder: Path) -> bool:
    """Tell whether a folder holds pieces as single pictures, of which the rows are known."""
    return folder.resolve().name in _known_rows(folder)


def read_rows(folder: Path, progress: Progress = no_progress) -> tuple[Pieces, dict[str, OtherFace]]:
    """Find the pieces that lie in a folder as single pictures, and where they belong by the file beside it.

    Parameters
    ----------
    folder : Path
        See `CONTEST_TRUTH`.
    progress : Progress
        Fraction and text.

    Returns
    -------
    pieces : Pieces
        Found as the application finds them; each face is a page.
    faces : dict of str to OtherFace
        Which are the faces of one piece of paper, as the application finds that, too.

    Raises
    ------
    UsageError
        If they are not pieces of cross-cut paper.
    """
    found = find_shreds([folder], Options(), progress=progress)
    if cut_of(found.shreds) != "cross":
        raise UsageError(f"The paper in {folder} was not cut both ways. Measure it without --cross-cut.")
    shreds = tuple(shred for shred in found.shreds if not shred.scrap)
    id_of = {found.sheets[shred.sheet].path.stem: shred.id for shred in shreds}
    pitch_px = float(np.median([shred.width_px for shred in shreds]))
    rows = _known_rows(folder)[folder.resolve().name]
    places = {
        id_of[name]: TruePlace(number, at, column, column * pitch_px)
        for number, page in enumerate(rows.values() if isinstance(rows, dict) else [rows])
        for at, row in enumerate(page)
        for column, name in enumerate(row)
        if name in id_of
    }
    return Pieces(shreds, places, pitch_px), faces_of(shreds, found.sheets, Options(), Arrangement())


def _known_rows(folder: Path) -> dict[str, Any]:
    file = folder.resolve().parent / CONTEST_TRUTH
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}

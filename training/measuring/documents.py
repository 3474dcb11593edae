"""Real shreds with their true order, from data sets on disk: what accuracy is measured on.

Three kinds of folder are known by what lies in them, each with one folder per document:

* ``DOC/shreds/*`` (and ``DOC/masks/*``): one file per shred, in order of their names;
* ``DOC/sheet_1.*, sheet_2.*``: scans with the shreds in order, left to right, sheet after sheet; if a folder beside,
  named as this one without ``_sheets``, holds the same shreds as files, the order is that of the files instead: some
  scans are not in order;
* ``truth.json``: scans with the shreds shuffled, and for every shred its place on the sheet and in the order.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from core.errors import NothingFoundError, UsageError
from core.options import Options
from core.progress import Progress, no_progress
from core.shreds.detect import Found, find_shreds
from core.shreds.shred import Shred

# A found shred is a true one if the boxes around them share this much of what they cover together.
LEAST_OVERLAP = 0.5

INK_GREY = 127
"""In the publications' measure a shred without any blurred grey value below this is blank, and not counted."""


@dataclass(frozen=True, eq=False)
class Document:
    """A document with known order.

    Attributes
    ----------
    name : str
        Of its folder.
    indices : tuple of int
        Its shreds among all that were found.
    order : tuple of int
        Those of them that count (`bears_ink`), from left to right.
    n_true : int
        How many shreds with ink there are; more than in `order` if some were not found.
    """

    name: str
    indices: tuple[int, ...]
    order: tuple[int, ...]
    n_true: int


@dataclass(frozen=True, eq=False)
class DataSet:
    """All documents of a data set, their shreds found as the application finds them.

    Attributes
    ----------
    found : Found
        All shreds.
    documents : tuple of Document
        Which of them belong together.
    upside_down : frozenset of str
        Shreds that lie upside down.
    """

    found: Found
    documents: tuple[Document, ...]
    upside_down: frozenset[str] = frozenset()

    @property
    def truth(self) -> list[list[str]]:
        """The shreds of every document in their order, by identifier."""
        return [[self.found.shreds[index].id for index in document.order] for document in self.documents]

    @property
    def n_true(self) -> int:
        """How many shreds with ink there are, with those that were not found."""
        return sum(document.n_true for document in self.documents)

    @property
    def uncounted(self) -> frozenset[str]:
        """The shreds that are blank in the measure (`bears_ink`): joins to them are neither right nor wrong."""
        known = {index for document in self.documents for index in document.order}
        rest = (shred for index, shred in enumerate(self.found.shreds) if index not in known)
        return frozenset(shred.id for shred in rest if not bears_ink(shred))

    def of(self, documents: Sequence[Document]) -> "DataSet":
        """Return some of the documents, with no shreds but theirs."""
        indices = sorted(index for document in documents for index in document.indices)
        place = {index: number for number, index in enumerate(indices)}

        def moved(indices: Sequence[int]) -> tuple[int, ...]:
            return tuple(place[index] for index in indices)

        return DataSet(
            replace(self.found, shreds=tuple(self.found.shreds[index] for index in indices)),
            tuple(replace(one, indices=moved(one.indices), order=moved(one.order)) for one in documents),
            self.upside_down,
        )


def together(sets: Sequence[DataSet]) -> DataSet:
    """Mix data sets into one.

    Parameters
    ----------
    sets : sequence of DataSet
        At least one.

    Returns
    -------
    DataSet
        With the documents of all. The names of shreds and documents begin with the number of their set, if there are
        several.
    """
    if len(sets) == 1:
        return sets[0]
    shreds: list[Shred] = []
    documents: list[Document] = []
    for number, data in enumerate(sets, start=1):
        first = len(shreds)
        shreds += [shred.changed(id=f"{number}:{shred.id}") for shred in data.found.shreds]
        for one in data.documents:
            indices, order = (tuple(first + index for index in part) for part in (one.indices, one.order))
            documents.append(replace(one, name=f"{number}:{one.name}", indices=indices, order=order))
    seconds = {stage: sum(data.found.seconds[stage] for data in sets) for stage in sets[0].found.seconds}
    sheets, crumbs, notes = (
        tuple(chain.from_iterable(getattr(data.found, name) for data in sets))
        for name in ("sheets", "crumbs", "unreadable")
    )
    return DataSet(Found(sheets, tuple(shreds), crumbs, notes, seconds), tuple(documents))


def bears_ink(shred: Shred) -> bool:
    """Check whether a shred counts in the measure of the publications, whatever the application takes for ink.

    Parameters
    ----------
    shred : Shred
        As it was found.

    Returns
    -------
    bool
        Its rim, where shadow and background blur in, does not count.
    """
    grey = np.where(shred.mask, cv2.cvtColor(shred.pixels, cv2.COLOR_RGB2GRAY), np.uint8(255))
    inner = cv2.erode(shred.mask.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    return bool((cv2.GaussianBlur(grey, (5, 5), 0)[inner] < INK_GREY).any())


def read_data_set(folder: Path, options: Options, progress: Progress = no_progress) -> DataSet:
    """Find the shreds of all documents of a data set, and their true order.

    Parameters
    ----------
    folder : Path
        One of the three kinds.
    options : Options
        Of reading and segmentation.
    progress : Progress
        Fraction and text.

    Returns
    -------
    DataSet
        Documents sorted by name.

    Raises
    ------
    UsageError
        If there is no such folder.
    NothingFoundError
        If there are no documents in the folder.
    """
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}. Give one that holds a folder for each document.")
    truth_file = folder / "truth.json"
    if truth_file.is_file():
        truth = json.loads(truth_file.read_text())
        sheets = {name: [folder / path for path in truth[name]["sheets"]] for name in sorted(truth)}
    else:
        truth = {}
        sheets = _sheets_of_documents(folder)
    if not sheets:
        raise NothingFoundError(f"There are no documents in {folder}: neither shreds/ folders, nor sheets, nor truth.")
    found = find_shreds([path for paths in sheets.values() for path in paths], options, progress=progress)
    found = replace(found, shreds=tuple(shred for shred in found.shreds if not shred.scrap))
    documents = []
    for name, paths in sheets.items():
        of_document = {
            number: next(
                (place for place, path in enumerate(paths) if path in (info.path, info.path.parent.parent)), -1
            )
            for number, info in enumerate(found.sheets)
        }
        indices = [i for i, shred in enumerate(found.shreds) if of_document[shred.sheet] >= 0]
        if truth:
            order, n_true = _order_by_truth(truth[name]["shreds"], found.shreds, indices, of_document)
        else:
            order = [i for i in indices if bears_ink(found.shreds[i])]
            n_true = len(order)
            files = folder.with_name(folder.name.removesuffix("_sheets")) / name
            if files.parent != folder and files.is_dir():
                shreds = find_shreds([files], options).shreds
                true = [shred for shred in shreds if bears_ink(shred) and not shred.scrap]
                order, n_true = _order_by_likeness(true, found.shreds, order), len(true)
        documents.append(Document(name, tuple(indices), tuple(order), n_true))
    return DataSet(found, tuple(documents))


def _sheets_of_documents(folder: Path) -> dict[str, list[Path]]:
    """List what `find_shreds` reads for every document: its folder of shreds, or its scans in order."""
    sheets = {}
    for document in sorted(path for path in folder.iterdir() if path.is_dir()):
        scans = sorted(document.glob("sheet_*"))
        if scans:
            sheets[document.name] = scans
        elif (document / "shreds").is_dir():
            sheets[document.name] = [document]
    return sheets


def _order_by_truth(
    truth: Sequence[dict[str, Any]], shreds: Sequence[Shred], indices: Sequence[int], place_of_sheet: dict[int, int]
) -> tuple[list[int], int]:
    """Match found shreds to the true ones by the boxes around them; returns the order and the number of true shreds."""
    with_ink = sorted((shred for shred in truth if not shred["blank"]), key=lambda shred: shred["order"])
    order: list[int] = []
    for one in with_ink:
        candidates = [i for i in indices if place_of_sheet[shreds[i].sheet] == one["sheet"] - 1 and i not in order]
        overlaps = [overlap(shreds[i].bbox, one["bbox"]) for i in candidates]
        if overlaps and max(overlaps) >= LEAST_OVERLAP:
            order.append(candidates[overlaps.index(max(overlaps))])
    return order, len(with_ink)


def _order_by_likeness(true: Sequence[Shred], shreds: Sequence[Shred], indices: Sequence[int]) -> list[int]:
    """Match found shreds to pictures of the same shreds by how dark their rows are; returns their order."""
    likeness = np.array([[_likeness(_rows(one), _rows(shreds[i])) for i in indices] for one in true])
    rows, columns = linear_sum_assignment(-likeness)
    return [indices[column] for row, column in zip(rows, columns, strict=True) if likeness[row, column] >= 0.5]


def _rows(shred: Shred) -> NDArray[np.float32]:
    """Mean darkness of every row of a shred, without slow changes; shape (height, 1)."""
    grey = cv2.cvtColor(shred.pixels, cv2.COLOR_RGB2GRAY)
    dark = np.where(shred.mask, 255.0 - grey, 0).sum(axis=1) / np.maximum(1, shred.mask.sum(axis=1))
    return (dark[:, None] - cv2.blur(dark[:, None], (1, 201))).astype(np.float32)


def _likeness(one: NDArray[np.float32], other: NDArray[np.float32], *, shift_px: int = 30) -> float:
    """Correlate two columns of rows at the best shift."""
    length = min(len(one), len(other)) - 2 * shift_px
    inner = other[shift_px : shift_px + length]
    return float(cv2.matchTemplate(one[: length + 2 * shift_px], inner, cv2.TM_CCOEFF_NORMED).max())


def overlap(a: Sequence[int], b: Sequence[int]) -> float:
    """Compute how far two boxes cover the same.

    Parameters
    ----------
    a, b : sequence of int
        x, y, width and height.

    Returns
    -------
    float
        The area that they share, as a part of the area that they cover together, 0 to 1.
    """
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    shared = max(0, width) * max(0, height)
    return shared / (a[2] * a[3] + b[2] * b[3] - shared)

"""The truth about a sack that `training.sack` made: which found shred is which, and how its pages were cut."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from core.shreds.detect import Found
from core.shreds.shred import Shred
from training.measuring.documents import LEAST_OVERLAP, DataSet, Document, overlap

TRUTH_FILE = "truth.json"


def sack_data(found: Found, folder: Path) -> DataSet:
    """Match the shreds that were found to those that were laid.

    Parameters
    ----------
    found : Found
        On the sheets of the sack.
    folder : Path
        Of the sack.

    Returns
    -------
    DataSet
        A page that lost strips is as many documents as there are parts between the gaps.
    """
    sheets = json.loads((folder / TRUTH_FILE).read_text(encoding="utf-8"))["sheets"]
    shreds = tuple(shred for shred in found.shreds if not shred.scrap)
    on_sheet: dict[int, list[int]] = {}
    for index, shred in enumerate(shreds):
        on_sheet.setdefault(shred.sheet, []).append(index)
    number_of = {info.path.stem: number for number, info in enumerate(found.sheets)}
    strips: dict[tuple[int, int], tuple[bool, int | None]] = {}
    upside_down = set()
    for number, laid in enumerate(sheets, start=1):
        indices = on_sheet.get(number_of.get(f"sheet_{number:05}", -1), [])
        at_strips = matched(laid, [shreds[index] for index in indices], indices)
        for strip, at in zip(laid, at_strips, strict=True):
            strips[strip["page"], strip["number"]] = (strip["blank"], at)
            if at is not None and strip["half_turned"] != shreds[at].half_turn:
                upside_down.add(shreds[at].id)
    return DataSet(replace(found, shreds=shreds), _documents(strips), frozenset(upside_down))


def matched(laid: Sequence[dict[str, Any]], shreds: Sequence[Shred], indices: Sequence[int]) -> list[int | None]:
    """Find the shred that lies where each strip was laid.

    Parameters
    ----------
    laid : sequence of dict
        Strips of one sheet, as ``truth.json`` describes them.
    shreds, indices : sequence of Shred and of int
        What was found on the sheet, and what stands for each in the result.

    Returns
    -------
    list of int or None
        One for each strip; None where none was found.
    """
    found: list[int | None] = []
    for strip in laid:
        shares = [overlap(shred.bbox, strip["bbox"]) for shred in shreds]
        best = int(np.argmax(shares)) if shares else -1
        found.append(indices[best] if best >= 0 and shares[best] >= LEAST_OVERLAP else None)
    return found


def _documents(strips: dict[tuple[int, int], tuple[bool, int | None]]) -> tuple[Document, ...]:
    """Put strips that lay side by side into one document each."""
    documents: list[Document] = []
    run: list[tuple[bool, int | None]] = []
    last = (-1, -1)
    for page, number in [*sorted(strips), (-1, -1)]:
        if run and (page, number) != (last[0], last[1] + 1):
            indices = tuple(index for _, index in run if index is not None)
            order = tuple(index for blank, index in run if index is not None and not blank)
            n_true = sum(not blank for blank, _ in run)
            documents.append(Document(f"page {last[0] + 1}", indices, order, n_true))
            run = []
        if page >= 0:
            run.append(strips[page, number])
        last = (page, number)
    return tuple(documents)

"""A set of sheets was cut in one way: how, most of its paper tells, and what was cut otherwise is left out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import cv2
import numpy as np

from core.errors import CrossCutError, NothingFoundError, Remark
from core.shreds.cross_cut.kind import CROSS_CUT_MM, MANY, WHOLE_SHARE, SheetCut
from core.shreds.shred import Shred
from core.units import MM_PER_PX, mm_to_px
from core.wording import counted

ALIKE_SPREAD, ALIKE_SHARE = 0.1, 0.8
"""Of pieces each of which is a file, so many are of one size, within so much."""

SEVERAL = 1.5
"""What is broader or longer than this many times the usual piece of its sheet is several."""

Cut: TypeAlias = Literal["strip", "cross"]


@dataclass(frozen=True, eq=False)
class Lying:
    """What lies on one sheet.

    Attributes
    ----------
    cut : {"strip", "cross", "either"}
        How it looks as if it was cut.
    shreds : tuple of Shred
        And scraps.
    single : bool
        The file was read as one shred.
    """

    cut: SheetCut
    shreds: tuple[Shred, ...]
    single: bool


def cut_of(shreds: Iterable[Shred]) -> Cut:
    """Tell how paper was cut of which the shreds were found.

    Parameters
    ----------
    shreds : iterable of Shred
        Of one case.

    Returns
    -------
    {"strip", "cross"}
    """
    return "cross" if any(shred.cross_cut for shred in shreds) else "strip"


def cut_of_set(sheets: Sequence[Lying]) -> Cut:
    """Find out how the paper of a set was cut, by what most of it is.

    Parameters
    ----------
    sheets : sequence of Lying
        All of the set.

    Returns
    -------
    {"strip", "cross"}
    """
    short = [sheet for sheet in sheets if sheet.single and sheet.cut == "either"]
    paper = dict.fromkeys(("strip", "cross", "either"), 0.0)
    for sheet in sheets:
        paper[sheet.cut] += 0.0 if sheet in short else _area_px(sheet.shreds)
    if _are_alike([shred for sheet in short for shred in sheet.shreds]):
        paper["cross"] += sum(_area_px(sheet.shreds) for sheet in short)
    return "cross" if paper["cross"] > paper["strip"] else "strip"


def cut_otherwise(place: str, lying: Lying) -> NothingFoundError:
    """Build the error for a sheet whose paper was cut otherwise than most of the set.

    Parameters
    ----------
    place : str
        What the sentence calls the sheet.
    lying : Lying
        What lies on it.

    Returns
    -------
    NothingFoundError
        To be told.
    """
    n = sum(not shred.scrap for shred in lying.shreds)
    pieces, strips = "cross-cut pieces", "strips"
    here, there = (pieces, strips) if lying.cut == "cross" else (strips, pieces)
    kind = CrossCutError if lying.cut == "cross" else NothingFoundError
    return kind(
        f"{place} was left out: the {counted(n, 'shred')} on it are {here}, the other sheets mostly bear {there}, and "
        "no page has both. Reconstruct it by itself, or say how all the paper was cut (“Cut”, --cut)."
    )


def unparted(place: str, shreds: Sequence[Shred]) -> str | None:
    """Say that some of the shreds on a sheet are several pieces that could not be parted, if so.

    Parameters
    ----------
    place : str
        What the sentence calls the sheet.
    shreds : sequence of Shred
        Of the sheet.

    Returns
    -------
    str or None
        A remark.
    """
    sizes = np.array([(shred.width_px, shred.height_px) for shred in shreds if shred.cross_cut and not shred.scrap])
    n = int((sizes > SEVERAL * np.median(sizes, axis=0)).any(axis=1).sum()) if len(sizes) else 0
    if not n:
        return None
    return (
        f"{place} was {Remark.MARK}, but {counted(n, 'heap')} of pieces could not be parted, which lie over one "
        "another or too close together: each is taken for one. Lay them apart and scan them again, or split them by "
        "hand."
    )


def described(shreds: Sequence[Shred]) -> str:
    """Say how paper was cut: "cut both ways, into 143 pieces of about 3 × 28 mm and 12 shorter ones".

    Parameters
    ----------
    shreds : sequence of Shred
        Of one case.

    Returns
    -------
    str
        Without a full stop.
    """
    pieces = [shred for shred in shreds if shred.cross_cut]
    if not pieces:
        return "cut into strips"
    sizes = np.array([(piece.width_px, piece.height_px) for piece in pieces])
    width, length = np.median(sizes, axis=0)
    n = int((sizes[:, 1] >= WHOLE_SHARE * length).sum())
    shorter = f" and {counted(len(pieces) - n, 'shorter one')}" if n < len(pieces) else ""
    size_mm = f"{width * MM_PER_PX:.0f} × {length * MM_PER_PX:.0f} mm"
    return f"cut both ways, into {counted(n, 'piece')} of about {size_mm}{shorter}"


def _area_px(shreds: Iterable[Shred]) -> float:
    """Measure the paper of shreds by their outlines."""
    return sum(float(cv2.contourArea(shred.outline)) for shred in shreds)


def _are_alike(shreds: Sequence[Shred]) -> bool:
    """Check whether shreds, each a file of its own, are so many, so short and so much of one size as pieces are."""
    if len(shreds) < MANY:
        return False
    sizes = np.array([shred.bbox[2:] for shred in shreds])
    usual = np.median(sizes, axis=0)
    alike = (np.abs(sizes / usual - 1) <= ALIKE_SPREAD).all(axis=1)
    return bool(alike.mean() >= ALIKE_SHARE and usual.max() <= mm_to_px(CROSS_CUT_MM))

"""The truth about a sack with two faces that `training.sack` made: which found shred is which face of which strip."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from core.arrangement.faces import FacePair
from core.errors import UsageError
from core.options import Options
from core.progress import Progress, no_progress
from core.shreds.detect import Found, find_shreds
from training.measuring.documents import bears_ink
from training.measuring.sack import TRUTH_FILE, matched

Strip: TypeAlias = tuple[int, int]
"""Number of a sheet of paper, and of a strip of it, from the left of its front."""

Join: TypeAlias = tuple[Strip, Strip]
"""A strip, and the one right of it as the front shows them."""


@dataclass(frozen=True)
class TrueFace:
    """What a shred shows in truth.

    Attributes
    ----------
    strip : Strip
        Which paper it is.
    face : {"front", "back"}
        What is seen of it.
    upside_down : bool
        Whether it lies so, as it was found.
    """

    strip: Strip
    face: str
    upside_down: bool


@dataclass(frozen=True, eq=False)
class TwoFaced:
    """The shreds of a sack with two faces, found as the application finds them.

    Attributes
    ----------
    found : Found
        All shreds, each face one; without scraps.
    faces : dict of str to TrueFace
        By identifier; what was found and not laid is not among them.
    inked : dict of Strip to frozenset of str
        Which faces of each strip that was laid bear ink: print, on the page and, if it was found, on the scan too.
    """

    found: Found
    faces: dict[str, TrueFace]
    inked: dict[Strip, frozenset[str]]

    def pairs(self) -> tuple[FacePair, ...]:
        """List which shreds are the faces of one piece of paper, as far as both were found."""
        by_strip = defaultdict(list)
        for shred, true in self.faces.items():
            by_strip[true.strip].append((shred, true.upside_down))
        both = (found for found in by_strip.values() if len(found) == 2)
        return tuple(FacePair(one[0], other[0], one[1] != other[1], 0) for one, other in both)

    def runs(self, faces: Collection[str]) -> list[list[Strip]]:
        """List the strips that bear ink on some of these faces, those between which none is lost in one list each."""
        runs: list[list[Strip]] = []
        last = (-1, -1)
        for strip in sorted(self.inked):
            if strip != (last[0], last[1] + 1):
                runs.append([])
            if self.inked[strip].intersection(faces):
                runs[-1].append(strip)
            last = strip
        return [run for run in runs if run]

    def blank_papers(self, face: str) -> frozenset[int]:
        """Find the sheets of paper that bear no ink on a face."""
        inked = {paper for (paper, _), faces in self.inked.items() if face in faces}
        return frozenset(paper for paper, _ in self.inked) - inked


def read_two_faced(folder: Path, options: Options, progress: Progress = no_progress) -> TwoFaced:
    """Find the shreds of a sack with two faces.

    Parameters
    ----------
    folder : Path
        That `python -m training.sack --two-faced` made.
    options : Options
        Of reading and segmentation.
    progress : Progress
        Fraction and text.

    Returns
    -------
    TwoFaced
        With its truth.

    Raises
    ------
    UsageError
        If the folder holds no such sack.
    """
    file = folder / TRUTH_FILE
    truth = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    if "turned_over" not in truth:
        raise UsageError(f"There are no shreds with two faces in {folder}. Make some with training.sack --two-faced.")
    return two_faced(find_shreds([folder / "sheets"], options, progress=progress), truth)


def two_faced(found: Found, truth: dict[str, Any]) -> TwoFaced:
    """Match the shreds that were found to the faces that lay on the sheets.

    Parameters
    ----------
    found : Found
        On the sheets of the sack.
    truth : dict
        What `training.sack` wrote.

    Returns
    -------
    TwoFaced
        A face that was not found is not among its `faces`, yet its strip among those that were laid.
    """
    shreds = tuple(shred for shred in found.shreds if not shred.scrap)
    number_of = {info.path.stem: number for number, info in enumerate(found.sheets)}
    faces: dict[str, TrueFace] = {}
    inked: dict[Strip, set[str]] = defaultdict(set)
    for stem, laid in _scans(truth):
        indices = [index for index, shred in enumerate(shreds) if shred.sheet == number_of.get(stem, -1)]
        for strip, at in zip(laid, matched(laid, [shreds[index] for index in indices], indices), strict=True):
            key = strip["page"], strip["number"]
            # What was printed at a strip's rim and went with it is no print that anybody could find.
            printed = not strip["blank"] and (at is None or bears_ink(shreds[at]))
            inked[key].update((strip["face"],) if printed else ())
            if at is not None:
                upside_down = strip["half_turned"] != shreds[at].half_turn
                faces[shreds[at].id] = TrueFace(key, strip["face"], upside_down)
    return TwoFaced(replace(found, shreds=shreds), faces, {strip: frozenset(on) for strip, on in inked.items()})


def _scans(truth: dict[str, Any]) -> Iterable[tuple[str, list[dict[str, Any]]]]:
    """List all scans by the names of their files."""
    for ending, sheets in (("", truth["sheets"]), ("_back", truth["turned_over"])):
        yield from ((f"sheet_{number:05}{ending}", laid) for number, laid in enumerate(sheets, start=1))

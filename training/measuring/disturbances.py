"""Shreds as a stranger scans them: some upside down, all a little too high or too low, some missing, or all too dark.

They are moved on a bed of A4's length, and what runs off it is cut, as on a scanner.
"""

from dataclasses import dataclass, replace

import numpy as np

from core.shreds.shred import Shred, common_frame
from core.units import mm_to_px
from training.measuring.documents import DataSet, Document

BED_MM = 297.0
"""Length of A4."""


@dataclass(frozen=True)
class Disturbance:
    """What is done to the shreds of a data set.

    Attributes
    ----------
    half_turned : float
        Share of the shreds that are laid upside down, 0 to 1.
    laid_off_mm : float
        By so much, at most, each shred is laid too high or too low.
    missing : float
        Share of the shreds that are taken away, 0 to 1.
    seed : int
        Draws which, and by how much.
    light : float
        Share of the light in which they were scanned, 0 to 1: black stays black, white becomes grey.
    """

    half_turned: float = 0.0
    laid_off_mm: float = 0.0
    missing: float = 0.0
    seed: int = 0
    light: float = 1.0


AS_IT_LIES = Disturbance()


def disturbed(data: DataSet, how: Disturbance) -> DataSet:
    """Lay the shreds of a data set anew.

    Parameters
    ----------
    data : DataSet
        As it was scanned.
    how : Disturbance
        What is done to it.

    Returns
    -------
    DataSet
        The same documents, without the shreds that are missing.
    """
    rng = np.random.default_rng(how.seed)
    n = len(data.found.shreds)
    missing = frozenset(rng.permutation(n)[: round(how.missing * n)].tolist())
    turned = frozenset(rng.permutation(n)[: round(how.half_turned * n)].tolist())
    off_px = np.rint(mm_to_px(how.laid_off_mm) * rng.uniform(-1, 1, n)).astype(int)
    shreds = data.found.shreds
    if turned or off_px.any():
        bed_px = round(mm_to_px(BED_MM))
        first = (sum(common_frame(shreds)) - bed_px) // 2
        last = first + bed_px
        shreds = tuple(
            _laid(shred, index in turned, int(off_px[index]), first, last) for index, shred in enumerate(shreds)
        )
    if how.light < 1:
        shreds = tuple(_darkened(shred, how.light) for shred in shreds)
    upside_down = data.upside_down ^ {shreds[index].id for index in turned}
    laid = replace(data, found=replace(data.found, shreds=shreds), upside_down=upside_down)
    return without(laid, missing) if missing else laid


def without(data: DataSet, missing: frozenset[int]) -> DataSet:
    """Take shreds away.

    Parameters
    ----------
    data : DataSet
        With all of them.
    missing : frozenset of int
        Their indices.

    Returns
    -------
    DataSet
        The rest: a page that lost shreds is as many documents as there are parts between the gaps.
    """
    documents: list[Document] = []
    for document in data.documents:
        runs: list[list[int]] = [[]]
        for index in document.order:
            if index not in missing:
                runs[-1].append(index)
            elif runs[-1]:
                runs.append([])
        others = tuple(index for index in document.indices if index not in missing and index not in document.order)
        unfound = document.n_true - len(document.order)
        for number, run in enumerate(run for run in runs if run):
            extra, lost = (others, unfound) if number == 0 else ((), 0)
            documents.append(Document(document.name, (*run, *extra), tuple(run), len(run) + lost))
    return data.of(documents)


def _laid(shred: Shred, turned: bool, off_px: int, first: int, last: int) -> Shred:
    """Turn a shred about its own centre, move it down, and cut off what lies beyond the bed's rows."""
    pixels, mask = (shred.pixels[::-1, ::-1], shred.mask[::-1, ::-1]) if turned else (shred.pixels, shred.mask)
    top = shred.frame_top_px + off_px
    start, stop = max(0, first - top), max(0, last - top)
    start, stop = (start, stop) if mask[start:stop].any() else (0, len(mask))
    pixels, mask = np.ascontiguousarray(pixels[start:stop]), np.ascontiguousarray(mask[start:stop])
    return replace(shred, pixels=pixels, mask=mask, frame_top_px=top + start)


def _darkened(shred: Shred, light: float) -> Shred:
    """Take light off the paper of a shred and all that is on it."""
    darker = np.where(shred.mask[..., None], np.rint(shred.pixels * light).astype(np.uint8), shred.pixels)
    return replace(shred, pixels=darker)

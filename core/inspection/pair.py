"""Two shreds side by side as they would join: what meets at the cut, and where along it their borders agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_opening

from core.arrangement.arrangement import Arrangement
from core.arrangement.grid import spans_px
from core.arrays import Mask
from core.composition.evidence import compose_page
from core.composition.rows import stacked
from core.embedding.geometry import STRIDE_PX, rows_to_middle, rows_with_ink
from core.matching.shifts import overlap
from core.options import BinarizationOptions, Options
from core.progress import Progress, no_progress, part
from core.shreds.binarization import binarize
from core.shreds.borders import read_border, read_borders
from core.shreds.shred import BORDER_WIDTH_PX, SIDES, Shred, Side, common_frame, upright

if TYPE_CHECKING:
    from core.embedding.encoder import Encoder


AT_CUT_PX = 5
"""Ink so near to a cut would go on beyond it."""

LEAST_ROWS = 4
"""Fewer rows of ink are specks and halftone, no strokes."""

N_BESIDE = 4
"""So many pieces are seen on either side of two that stand one below the other."""

Meeting: TypeAlias = Literal["none", "left", "right", "both"]

MEETINGS: tuple[Meeting, ...] = ("none", "left", "right", "both")
"""Who has ink at the cut; what the numbers in `CloseUp.ink` stand for."""

_inked: WeakKeyDictionary[Shred, dict[BinarizationOptions, dict[Side, Mask]]] = WeakKeyDictionary()
"""In which rows shreds have ink at their cuts: each is seen beside many others, and binarizing it takes longest."""


@dataclass(frozen=True, eq=False)
class CloseUp:
    """Two shreds at a shift.

    Attributes
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.
    placements : dict of str to tuple of int
        Where in `pixels` the left and the right shred lie: x, y, width, height.
    left_edge_px, right_edge_px : ndarray of shape (h,), int
        Column of `pixels` in which the left shred ends and the right one begins, row by row; -1 where it has no paper.
    ink : ndarray of shape (h,), uint8
        Row by row, who has ink at the cut, as an index into `MEETINGS`.
    below : bool
        Whether one lies directly below the other, as pieces of cross-cut paper: then there is no cut between left and
        right, and the pieces beside both are seen, too.
    """

    pixels: NDArray[np.uint8]
    placements: dict[str, tuple[int, int, int, int]]
    left_edge_px: NDArray[np.intp]
    right_edge_px: NDArray[np.intp]
    ink: NDArray[np.uint8]
    below: bool = False

    def runs(self) -> list[tuple[int, int, Meeting]]:
        """List what `ink` says as runs of rows with ink: first row, row after the last, who has it."""
        ends = np.flatnonzero(np.diff(self.ink, prepend=0, append=0))
        pieces = zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        return [(start, stop, MEETINGS[int(self.ink[start])]) for start, stop in pieces if self.ink[start]]

    def telling_row(self, n_rows: int) -> int:
        """Find where the cut goes through most ink: the middle of that many rows; of the picture if there is none.

        Parameters
        ----------
        n_rows : int
            How many rows are shown at once.

        Returns
        -------
        int
            A row of `pixels`.
        """
        inked = np.concatenate([[0], np.cumsum(self.ink > 0)])
        n_rows = min(n_rows, len(self.ink))
        in_window = inked[n_rows:] - inked[: len(inked) - n_rows]
        if not in_window.any():
            return len(self.ink) // 2
        best = np.flatnonzero(in_window == in_window.max())
        return int(best[len(best) // 2]) + n_rows // 2


def close_up(left: Shred, right: Shred, shift_px: int, options: Options = Options()) -> CloseUp:
    """Lay two shreds side by side.

    Parameters
    ----------
    left, right : Shred
        Turned as they are to be joined.
    shift_px : int
        By how much the right one is moved down in the common frame.
    options : Options
        Those of binarization and border are used.

    Returns
    -------
    CloseUp
        The shreds touch, and do not overlap, as on a page.
    """
    pair = Arrangement(pages=((left.id, right.id),), shift_px={right.id: shift_px})
    page = compose_page({left.id: left, right.id: right}, pair, 0)
    height = len(page.pixels)
    edges, inked = [], []
    sides: tuple[tuple[Shred, Side], ...] = ((left, "right"), (right, "left"))
    for shred, side in sides:
        x, y, _, rows = page.placements[shred.id]
        mask = upright(shred)[1]
        column = mask.argmax(axis=1) if side == "left" else mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
        edge, ink = np.full(height, -1, dtype=np.intp), np.zeros(height, dtype=np.uint8)
        edge[y : y + rows] = np.where(mask.any(axis=1), x + column, -1)
        ink[y : y + rows] = _ink_at_cuts(shred, options.binarization)[side]
        edges.append(edge)
        inked.append(ink)
    ink = (inked[0] + 2 * inked[1]).astype(np.uint8)
    # Beyond the end of either shred there is nothing to meet.
    ink[(edges[0] < 0) | (edges[1] < 0)] = 0
    return CloseUp(page.pixels, page.placements, edges[0], edges[1], ink)


def close_up_below(
    shreds: Mapping[str, Shred], arrangement: Arrangement, above: str, below: str, options: Options = Options()
) -> CloseUp:
    """Lay a piece of cross-cut paper below another one, each between the pieces beside it in its row.

    Parameters
    ----------
    shreds : mapping of str to Shred
        At least those of the two rows, as they were found.
    arrangement : Arrangement
        In which both stand in rows.
    above, below : str
        Identifiers.
    options : Options
        Those of composition are used.

    Returns
    -------
    CloseUp
        Of `N_BESIDE` pieces on either side.
    """
    rows, beginnings = [], []
    for shred in (above, below):
        row, at = arrangement.places[shred]
        near = arrangement.pages[row][max(0, at - N_BESIDE) : at + N_BESIDE + 1]
        picture = compose_page(shreds, replace(arrangement, pages=(near,)), 0, options.composition)
        spans = {name: left for name, left, _ in spans_px(arrangement, row, lambda name: shreds[name].width_px)}
        rows.append(picture)
        beginnings.append(spans[shred] - picture.placements[shred][0])
    corners = [(left - min(beginnings), top) for left, top in zip(beginnings, (0, len(rows[0].pixels)), strict=True)]
    page = stacked(rows, corners)
    height = len(page.pixels)
    placements, nowhere = {shred: page.placements[shred] for shred in (above, below)}, np.full(height, -1, np.intp)
    return CloseUp(page.pixels, placements, nowhere, nowhere, np.zeros(height, np.uint8), below=True)


def _ink_at_cuts(shred: Shred, options: BinarizationOptions) -> dict[Side, Mask]:
    """Find the rows of a shred that have ink at either cut, (h,) each; of a shred that is gone nothing is kept."""
    of_shred = _inked.setdefault(shred, {})
    if options not in of_shred:
        pixels, mask = upright(shred)
        ink, stroke = binarize(pixels, mask, options), np.ones(LEAST_ROWS, dtype=np.bool_)
        borders = {side: read_border(ink, mask, side, width_px=AT_CUT_PX) for side in SIDES}
        of_shred[options] = {side: binary_opening(border.any(axis=1), stroke) for side, border in borders.items()}
    return of_shred[options]


@dataclass(frozen=True, eq=False)
class Seam:
    """How two borders that meet at a shift compare, sample by sample.

    Attributes
    ----------
    top_px : ndarray of shape (k,), int
        Row of the left shred's pixels, upright, in which each sample begins; it may lie beyond the shred. A sample has
        32 rows, and one follows every 4. An encoder of higher samples sees as much more above as below.
    distance : ndarray of shape (k,), float32
        Squared distance of the two embeddings: their sum is the ink's part of the cost at this shift.
    inked : ndarray of shape (k,), bool
        Whether either border has ink there; where neither has, there is nothing to compare.
    shift_px : int
        By how much the right shred is moved down in the common frame.
    """

    top_px: NDArray[np.intp]
    distance: NDArray[np.float32]
    inked: NDArray[np.bool_]
    shift_px: int

    @property
    def ink_cost(self) -> float:
        """The ink's part of the cost at this shift; as in the costs wherever the shift is one that was tried there."""
        return float(self.distance.sum(dtype=np.float64))


def read_seam(
    left: Shred,
    right: Shred,
    shift_px: int,
    shreds: Sequence[Shred],
    encoder: "Encoder",
    options: Options,
    progress: Progress = no_progress,
) -> Seam:
    """Compare the right border of a shred with the left border of another.

    Parameters
    ----------
    left, right : Shred
        Turned as they are to be joined.
    shift_px : int
        By how much the right one is moved down in the common frame; any number of pixels.
    shreds : sequence of Shred
        All of the case that bear ink: they span the common frame.
    encoder : Encoder
        Maps borders into the common space.
    options : Options
        Those of binarization, border and cost are used.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Seam
        From top to bottom.
    """
    top, bottom = common_frame([*shreds, left, right])
    borders = read_borders([left, right], options.binarization, options.border, part(progress, 0.0, 0.3))
    # The encoder has an embedding every 4 rows: what is left of the shift moves the border itself.
    rows, rest = divmod(shift_px, STRIDE_PX)
    height = bottom - top + (STRIDE_PX if rest else 0)
    start = borders.frame_top_px - top

    def framed(border: NDArray[np.bool_], down_px: int) -> NDArray[np.bool_]:
        whole = np.zeros((1, height, BORDER_WIDTH_PX), dtype=np.bool_)
        whole[0, start + down_px : start + down_px + len(border)] = border[: height - start - down_px]
        return whole

    of_left, of_right = framed(borders.right[0], 0), framed(borders.left[1], rest)
    right_embedding = encoder.embed(of_left, "right", part(progress, 0.3, 0.6))[0]
    left_embedding = encoder.embed(of_right, "left", part(progress, 0.6, 1.0))[0]
    n_rows, sample_px = len(right_embedding), encoder.sample_height_px
    n_compared = max(0, n_rows - max(min(options.cost.max_shift_rows, n_rows - 1), abs(rows)))
    one, other = overlap(rows, n_compared)
    return Seam(
        top_px=STRIDE_PX * (np.arange(one.start, one.stop) + rows_to_middle(sample_px)) + top - left.frame_top_px,
        distance=np.square(right_embedding[one] - left_embedding[other]).sum(axis=1),
        inked=rows_with_ink(of_left[0], sample_px)[one] | rows_with_ink(of_right[0], sample_px)[other],
        shift_px=shift_px,
    )

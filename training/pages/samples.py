"""The samples that the paper trains on: windows of 32 × 32 pixels on either side of a straight cut.

Paixão et al., CVPR 2020, sections 3.1 and 4.2; where the text leaves a choice, that of the authors' program is taken
(https://github.com/thiagopx/deeprec-cvpr20, generate_samples.py) and named here. A page is cut in software into 30
shreds of equal width. A pair is an r-sample, from the right border of one shred, and an l-sample at the same height,
from the left border of another: positive if the second shred is the right neighbour of the first, otherwise negative.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.embedding.geometry import SAMPLE_HEIGHT_PX
from core.shreds.shred import BORDER_WIDTH_PX

Noise: TypeAlias = Literal["paper", "salt and pepper"]


@dataclass(frozen=True, eq=False)
class Pairs:
    """n pairs of samples, eight pixels to a byte: the pairs of 2,400 pages fill 1.3 GB.

    Attributes
    ----------
    packed : ndarray of shape (2, n, height, 4), uint8
        r-samples and l-samples, ink as 1, packed along the row by `numpy.packbits`.
    same : ndarray of shape (n,), bool
        Whether the two belong together.
    """

    packed: NDArray[np.uint8]
    same: NDArray[np.bool_]

    def samples(self, indices: NDArray[np.int_]) -> NDArray[np.uint8]:
        """Unpack r-samples and l-samples of some pairs, shape (2, m, height, 32): 1 for ink, 0 for paper."""
        return np.unpackbits(self.packed[:, indices], axis=-1)


def extract_pairs(
    rng: np.random.Generator,
    ink: NDArray[np.bool_],
    *,
    sample_height_px: int = SAMPLE_HEIGHT_PX,
    n_shreds: int = 30,
    n_pairs: int = 1000,
    stride_px: int = 2,
    least_ink: float = 0.2,
    noise_px: int = 2,
    noise: Noise = "paper",
) -> Pairs:
    """Cut a page straight and take pairs of samples from its shreds.

    Neighbours, in random order, are gone down from top to bottom, and so are as many other pairs of shreds (as in the
    authors' program), until there are enough pairs of samples of both kinds.

    Parameters
    ----------
    rng : Generator
        Source of all chance.
    ink : ndarray of shape (h, w), bool
        The page at 300 dpi, True for ink.
    sample_height_px : int
        Height of a sample; its width is that of a border, 32 pixels.
    n_shreds : int
        Shreds that the page is cut into.
    n_pairs : int
        Largest number of positive pairs, and of negative ones.
    stride_px : int
        Rows from one sample to the next.
    least_ink : float
        Pairs in which a smaller share of all pixels is ink are discarded.
    noise_px : int
        In so many columns at the cut, on each side, half of the pixels are changed. (The paper names no share.)
    noise : {"paper", "salt and pepper"}
        What they become: paper, as in the authors' program, or paper or ink with equal chance.

    Returns
    -------
    Pairs
        As many positive as negative ones, positive ones first.

    Raises
    ------
    ValueError
        If the shreds would be narrower than a sample, or the page lower.
    """
    height, width = ink.shape
    if height <= sample_height_px or width // n_shreds < BORDER_WIDTH_PX:
        raise ValueError(
            f"A page of {height} × {width} pixels is too small for {n_shreds} shreds with samples of "
            f"{sample_height_px} × {BORDER_WIDTH_PX}."
        )
    bounds = np.arange(n_shreds + 1) * width // n_shreds
    found = []
    for joins in _joins(rng, n_shreds):
        of_kind = [_windows(ink, bounds, join, sample_height_px, stride_px, least_ink) for join in joins]
        found.append(np.concatenate(of_kind)[:n_pairs])
    n = min(map(len, found))
    windows = np.concatenate([one[:n] for one in found])
    at_cut = slice(BORDER_WIDTH_PX - noise_px, BORDER_WIDTH_PX + noise_px)
    grains = rng.integers(0, 4, (2 * n, sample_height_px, 2 * noise_px), dtype=np.uint8)
    becomes = grains if noise == "salt and pepper" else np.zeros_like(grains)
    windows[:, :, at_cut] = np.where(grains < 2, becomes, windows[:, :, at_cut])
    sides = np.stack([windows[:, :, :BORDER_WIDTH_PX], windows[:, :, BORDER_WIDTH_PX:]])
    return Pairs(np.packbits(sides, axis=-1), np.arange(2 * n) < n)


def concatenate(pairs: Sequence[Pairs]) -> Pairs:
    """Join the pairs of several pages in one array."""
    return Pairs(np.concatenate([one.packed for one in pairs], axis=1), np.concatenate([one.same for one in pairs]))


def _joins(rng: np.random.Generator, n_shreds: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the pairs of neighbours in random order, then as many random pairs of shreds that are none."""
    neighbours = [(i, i + 1) for i in range(n_shreds - 1)]
    others = [(i, j) for i in range(n_shreds) for j in range(n_shreds) if j not in (i, i + 1)]
    for joins in (neighbours, others):
        yield [joins[k] for k in rng.permutation(len(joins))[: len(neighbours)]]


def _windows(
    ink: NDArray[np.bool_], bounds: NDArray[np.int_], join: tuple[int, int], rows: int, stride_px: int, least_ink: float
) -> NDArray[np.bool_]:
    """Cut the windows with enough ink from the borders of a join; returns shape (n, height, 64)."""
    end, start = bounds[join[0] + 1], bounds[join[1]]
    both = np.hstack([ink[:, end - BORDER_WIDTH_PX : end], ink[:, start : start + BORDER_WIDTH_PX]])
    seen = np.concatenate([[0], np.cumsum(both.sum(axis=1))])
    tops = np.arange(0, len(both) - rows, stride_px)
    share = (seen[tops + rows] - seen[tops]) / (rows * 2 * BORDER_WIDTH_PX)
    tops = tops[share >= least_ink]
    return both[tops[:, None] + np.arange(rows)]

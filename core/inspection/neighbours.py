"""A sample's nearest complementary samples: what else could stand on the other side of the cut.

As in figures of Paixão et al., CVPR 2020: an r-sample is looked for among all l-samples, and the reverse.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from core.inspection.sample_index import BorderSamples, SampleIndex
from core.inspection.samples import Sample
from core.shreds.shred import Side

Scope: TypeAlias = Literal["all", "sheet", "height"]
"""Where to look: on all shreds, on those of the same sheet, or on all but at the same height only."""

SCOPES: tuple[Scope, ...] = ("all", "sheet", "height")

HEIGHT_ROWS = 3
"""At the same height: not more than so many embedding rows off, as far as the cost shifts shreds."""


@dataclass(frozen=True)
class Neighbour:
    """A sample and how far it is from the one asked about.

    Attributes
    ----------
    sample : Sample
        Of the other side.
    distance : float
        Between the embeddings; its square is what these rows add to the cost of the join, and the level of both.
    """

    sample: Sample
    distance: float


def nearest(
    index: SampleIndex, sample: Sample, k: int, scope: Scope = "all", left_out: Collection[str] = ()
) -> tuple[Neighbour, ...]:
    """Find the nearest complementary samples, of each shred at most the best one.

    Parameters
    ----------
    index : SampleIndex
        Where to look.
    sample : Sample
        An r-sample is looked for among l-samples, an l-sample among r-samples. Its own shred is left out.
    k : int
        How many to find.
    scope : {"all", "sheet", "height"}
        Where to look.
    left_out : collection of str
        Shreds that are not looked at: the other face of its own.

    Returns
    -------
    tuple of Neighbour
        Nearest first; equally near ones in the order of the shreds. None for a sample of blank paper: any blank sample
        is as near.
    """
    number = index.number(sample.shred)
    at = index.position(sample)
    if at < 0:
        return ()
    these = index.of(sample.side)
    query, level = these.vectors[at], these.level[at]
    other_side: Side = "left" if sample.side == "right" else "right"
    others = index.of(other_side)
    owners = np.flatnonzero(np.diff(others.start))
    if not len(owners):
        return ()
    squared = others.squares + others.level - 2 * (others.vectors @ query) + (query @ query + level)
    if scope == "height":
        squared[np.abs(others.row - sample.row) > HEIGHT_ROWS] = np.inf
    best = np.minimum.reduceat(squared, others.start[owners])
    apart = {sample.shred, *left_out}
    best[[index.shreds[owner].id in apart for owner in owners]] = np.inf
    if scope == "sheet":
        sheets = np.array([shred.sheet for shred in index.shreds])
        best[sheets[owners] != sheets[number]] = np.inf
    nearest_first = np.argsort(best, kind="stable")[:k]
    found = []
    for owner in owners[nearest_first[np.isfinite(best[nearest_first])]]:
        first, last = others.start[owner], others.start[owner + 1]
        position = first + int(squared[first:last].argmin())
        place = Sample(index.shreds[owner].id, other_side, int(others.row[position]))
        found.append(Neighbour(place, _distance(these, at, others, position)))
    return tuple(sorted(found, key=lambda neighbour: neighbour.distance))


def distance_between(index: SampleIndex, one: Sample, other: Sample) -> float | None:
    """Return the distance of two samples, see `Neighbour`; None where either is blank paper.

    Parameters
    ----------
    index : SampleIndex
        Of all samples.
    one, other : Sample
        Of either side.

    Returns
    -------
    float or None
        See `Neighbour`.
    """
    at, position = index.position(one), index.position(other)
    return None if min(at, position) < 0 else _distance(index.of(one.side), at, index.of(other.side), position)


def _distance(these: BorderSamples, at: int, others: BorderSamples, position: int) -> float:
    """Measure the distance of two samples by their positions."""
    apart = these.vectors[at] - others.vectors[position]
    return float(np.sqrt(apart @ apart + these.level[at] + others.level[position]))

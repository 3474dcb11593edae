"""Samples at one height on the plane in which they spread most, to be looked at."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.inspection.sample_index import SampleIndex
from core.inspection.samples import Sample


@dataclass(frozen=True, eq=False)
class SamplePlane:
    """Samples at one height on a plane.

    Attributes
    ----------
    samples : tuple of Sample
        Right ones, then left ones.
    points : ndarray of shape (m, 2), float32
        Principal components of their embeddings.
    share : float
        The part of the variance that the plane shows, 0 to 1.
    """

    samples: tuple[Sample, ...]
    points: NDArray[np.float32]
    share: float


def map_height(index: SampleIndex, row: int, also: Sequence[Sample] = ()) -> SamplePlane:
    """Lay the samples at one height, of both sides, on the plane in which they spread most.

    Parameters
    ----------
    index : SampleIndex
        Of all samples.
    row : int
        The height.
    also : sequence of Sample
        To be shown on the same plane, wherever they are; blank ones and those at that height are passed over.

    Returns
    -------
    SampleMap
        Of samples with ink alone. The axes' signs are chosen so that the largest component is positive.
    """
    samples: list[Sample] = []
    vectors: list[NDArray[np.float32]] = []
    for side in ("right", "left"):
        of_side = index.of(side)
        at = np.flatnonzero(of_side.row == row)
        owners = np.searchsorted(of_side.start, at, side="right") - 1
        samples += [Sample(index.shreds[owner].id, side, row) for owner in owners]
        vectors.append(of_side.vectors[at])
    others = [one for one in dict.fromkeys(also) if one.row != row and not index.is_blank(one)]
    vectors += [index.of(one.side).vectors[[index.position(one)]] for one in others]
    points, share = _principal_plane(np.concatenate(vectors), len(samples))
    return SamplePlane((*samples, *others), points, share)


def _principal_plane(vectors: NDArray[np.float32], n: int) -> tuple[NDArray[np.float32], float]:
    """Project onto the two directions in which the first n vectors spread most; with the share of their variance."""
    if n == 0:
        return np.zeros((len(vectors), 2), np.float32), 0.0
    centred = (vectors - vectors[:n].mean(axis=0)).astype(np.float64)
    _, sizes, axes = np.linalg.svd(centred[:n], full_matrices=False)
    axes = axes[:2] * np.sign(axes[:2][np.arange(len(axes[:2])), np.abs(axes[:2]).argmax(axis=1)])[:, None]
    points = np.zeros((len(vectors), 2))
    points[:, : len(axes)] = centred @ axes.T
    total = float((sizes**2).sum())
    return points.astype(np.float32), float((sizes[:2] ** 2).sum()) / total if total else 0.0

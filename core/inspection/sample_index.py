"""A sample's nearest complementary samples: what else could stand on the other side of the cut.

As in figures of Paixão et al., CVPR 2020: an r-sample is looked for among all l-samples, and the reverse.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.inspection.samples import Sample, rows_with_ink
from core.matching.geometry import rows_to_middle
from core.options import BinarizationOptions, BorderOptions
from core.progress import Progress, no_progress, part
from core.shreds.borders import read_borders
from core.shreds.shred import SIDES, Shred, Side

if TYPE_CHECKING:
    from core.matching.encoder import Encoder

Scope: TypeAlias = Literal["all", "sheet", "height"]
"""Where to look: on all shreds, on those of the same sheet, or on all but at the same height only."""

SCOPES: tuple[Scope, ...] = ("all", "sheet", "height")

HEIGHT_ROWS = 3
"""At the same height: not more than so many embedding rows off, as far as the cost shifts shreds."""

_LOOKED_AT = 300
"""By so many samples of the other side is judged how near a sample usually is."""

_SHREDS_AT_ONCE = 64
"""Borders of so many shreds are held in memory while they are embedded."""

_SAMPLES_AT_ONCE = 8192
"""Distances of so many samples are held in memory."""


@dataclass(frozen=True, eq=False)
class BorderSamples:
    """All samples with ink of all left, or of all right borders; the others are blank paper, whose place tells nothing.

    Attributes
    ----------
    start : ndarray of shape (n + 1,), intp
        Those of shred i are ``start[i]`` to ``start[i + 1]``.
    row : ndarray of shape (m,), int32
        Row of each, rising for each shred.
    vectors : ndarray of shape (m, d), float32
        Embeddings, counted from the middle between the two embeddings of blank paper.
    squares : ndarray of shape (m,), float32
        Their squared lengths.
    level : ndarray of shape (m,), float32
        What is added to their squared distances, so that all samples come equally near, see `levelled`; at least 0.
    """

    start: NDArray[np.intp]
    row: NDArray[np.int32]
    vectors: NDArray[np.float32]
    squares: NDArray[np.float32]
    level: NDArray[np.float32]

    @classmethod
    def of(cls, embeddings: Sequence[NDArray[np.float32]], rows: Sequence[NDArray[np.integer]]) -> "BorderSamples":
        """Put the samples of n shreds one after the other, as they are: of each embeddings (k, d) and their k rows."""
        counts = [len(each) for each in rows]
        vectors = np.concatenate(embeddings).astype(np.float32)
        return cls(
            start=np.concatenate([[0], np.cumsum(counts)]).astype(np.intp),
            row=np.concatenate(rows).astype(np.int32),
            vectors=vectors,
            squares=np.einsum("ij,ij->i", vectors, vectors),
            level=np.zeros(len(vectors), dtype=np.float32),
        )

    def slice(self, shred: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Give the rows and embeddings of one shred."""
        chosen = slice(self.start[shred], self.start[shred + 1])
        return self.row[chosen], self.vectors[chosen]

    def find(self, shred: int, row: int) -> int:
        """Give the position of a sample; -1 if it is blank."""
        first, last = self.start[shred], self.start[shred + 1]
        at = int(first + np.searchsorted(self.row[first:last], row))
        return at if at < last and self.row[at] == row else -1


@dataclass(frozen=True, eq=False)
class SampleIndex:
    """The embeddings of all samples with ink.

    Attributes
    ----------
    shreds : tuple of Shred
        Those that are not blank.
    frame : tuple of int
        From `core.inspection.samples.sample_frame`.
    right, left : BorderSamples
        In the order of the shreds.
    read_with : tuple of BinarizationOptions and BorderOptions
        How their borders were read.
    """

    shreds: tuple[Shred, ...]
    frame: tuple[int, int]
    right: BorderSamples
    left: BorderSamples
    read_with: tuple[BinarizationOptions, BorderOptions] = (BinarizationOptions(), BorderOptions())

    def holds(self, shreds: Sequence[Shred], binarization: BinarizationOptions, border: BorderOptions) -> bool:
        """Tell whether it is of exactly these objects, with borders read so."""
        with_ink = [shred for shred in shreds if shred.compared]
        return (
            self.read_with == (binarization, border)
            and len(with_ink) == len(self.shreds)
            and all(one is other for one, other in zip(with_ink, self.shreds, strict=True))
        )

    def of(self, side: Side) -> BorderSamples:
        """Give the samples of one side."""
        return self.right if side == "right" else self.left

    def number(self, shred_id: str) -> int:
        """Give the position of a shred; -1 if it is not among them."""
        return next((index for index, shred in enumerate(self.shreds) if shred.id == shred_id), -1)

    def position(self, sample: Sample) -> int:
        """Give the position of a sample among those of its side; -1 if it has no ink, or its shred none at all."""
        number = self.number(sample.shred)
        return self.of(sample.side).find(number, sample.row) if number >= 0 else -1

    def is_blank(self, sample: Sample) -> bool:
        """Tell whether a sample has no ink, or its shred none at all."""
        return self.position(sample) < 0


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


@dataclass(frozen=True, eq=False)
class SampleMap:
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


def index_samples(
    shreds: Sequence[Shred],
    frame: tuple[int, int],
    encoder: "Encoder",
    binarization: BinarizationOptions = BinarizationOptions(),
    border: BorderOptions = BorderOptions(),
    previous: SampleIndex | None = None,
    progress: Progress = no_progress,
) -> SampleIndex:
    """Embed all borders and keep the samples with ink.

    Parameters
    ----------
    shreds : sequence of Shred
        Of the case, as they are turned; at least one that is not blank.
    frame : tuple of int
        From `core.inspection.samples.sample_frame`.
    encoder : Encoder
        The networks.
    binarization, border : BinarizationOptions, BorderOptions
        How borders are read.
    previous : SampleIndex, optional
        What it tells of the same objects is taken from it.
    progress : Progress
        Fraction and text.

    Returns
    -------
    SampleIndex
        Some 128 bytes for each sample with ink, at d = 32.
    """
    with_ink = tuple(shred for shred in shreds if shred.compared)
    known: dict[int, int] = {}
    if previous is not None and (previous.frame, previous.read_with) == (frame, (binarization, border)):
        before = {shred.id: number for number, shred in enumerate(previous.shreds)}
        for number, shred in enumerate(with_ink):
            if shred.id in before and shred is previous.shreds[before[shred.id]]:
                known[number] = before[shred.id]
    new = [number for number in range(len(with_ink)) if number not in known]
    embedded = _embed([with_ink[number] for number in new], frame, encoder, binarization, border, progress)
    of_side = {}
    for side in SIDES:
        fresh = iter(embedded[side])
        pieces = [
            previous.of(side).slice(known[number]) if previous is not None and number in known else next(fresh)
            for number in range(len(with_ink))
        ]
        of_side[side] = BorderSamples.of([vectors for _, vectors in pieces], [rows for rows, _ in pieces])
    right, left = levelled(of_side["right"], of_side["left"])
    return SampleIndex(with_ink, frame, right, left, (binarization, border))


def levelled(right: BorderSamples, left: BorderSamples) -> tuple[BorderSamples, BorderSamples]:
    """Let samples that lie near everything come no nearer than others.

    In training whole borders are compared, along the rows and the columns of a matrix: what a border adds to all of its
    costs is without effect. So some samples lie near all of the other side, and would be found by whatever is asked.

    Parameters
    ----------
    right, left : BorderSamples
        Of the same shreds.

    Returns
    -------
    right, left : BorderSamples
        The same, with levels: by how much less near than the most lonely sample each usually is, as a soft minimum of
        its squared distances to some of the other side, spread evenly.
    """
    usual = [_usually(one, other) for one, other in ((right, left), (left, right))]
    levels = [near.max(initial=-np.inf) - near for near in usual]
    return replace(right, level=levels[0]), replace(left, level=levels[1])


def _usually(samples: BorderSamples, others: BorderSamples) -> NDArray[np.float32]:
    """Tell how near samples come to others: a soft minimum of squared distances, shape (m,)."""
    step = max(1, len(others.vectors) // _LOOKED_AT)
    vectors, squares = others.vectors[::step], others.squares[::step]
    usual = np.zeros(len(samples.vectors), dtype=np.float32)
    for start in range(0, len(usual) if len(vectors) else 0, _SAMPLES_AT_ONCE):
        some = slice(start, start + _SAMPLES_AT_ONCE)
        nearness = 2 * (samples.vectors[some] @ vectors.T) - samples.squares[some, None] - squares
        highest = nearness.max(axis=1)
        usual[some] = -highest - np.log(np.exp(nearness - highest[:, None]).mean(axis=1))
    return usual


def _embed(
    shreds: Sequence[Shred],
    frame: tuple[int, int],
    encoder: "Encoder",
    binarization: BinarizationOptions,
    border: BorderOptions,
    progress: Progress,
) -> dict[Side, list[tuple[NDArray[np.integer], NDArray[np.float32]]]]:
    """Give the rows with ink of each shred's borders, and their embeddings."""
    origin = (encoder.blank("right") + encoder.blank("left")) / 2
    to_middle = rows_to_middle(encoder.sample_height_px)  # what is shown is the middle of what the encoder sees
    found: dict[Side, list[tuple[NDArray[np.integer], NDArray[np.float32]]]] = {side: [] for side in SIDES}
    for start in range(0, len(shreds), _SHREDS_AT_ONCE):
        some = shreds[start : start + _SHREDS_AT_ONCE]
        here = part(progress, start / len(shreds), (start + len(some)) / len(shreds))
        borders = read_borders(some, binarization, border, part(here, 0, 0.4), frame=frame)
        for number, side in enumerate(SIDES):
            ink = borders.left if side == "left" else borders.right
            embeddings = encoder.embed(ink, side, part(here, 0.4 + 0.3 * number, 0.7 + 0.3 * number))
            for each, embedding in zip(ink, embeddings, strict=True):
                # Those that have ink above or below alone would look blank.
                rows = np.flatnonzero(rows_with_ink(each)[to_middle : to_middle + len(embedding)])
                found[side].append((rows + to_middle, embedding[rows] - origin))
    return found


def nearest(index: SampleIndex, sample: Sample, k: int, scope: Scope = "all") -> tuple[Neighbour, ...]:
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
    query, level = index.of(sample.side).vectors[at], index.of(sample.side).level[at]
    others = index.left if sample.side == "right" else index.right
    owners = np.flatnonzero(np.diff(others.start))
    if not len(owners):
        return ()
    squared = others.squares + others.level - 2 * (others.vectors @ query) + (query @ query + level)
    if scope == "height":
        squared[np.abs(others.row - sample.row) > HEIGHT_ROWS] = np.inf
    best = np.minimum.reduceat(squared, others.start[owners])
    best[owners == number] = np.inf
    if scope == "sheet":
        sheets = np.array([shred.sheet for shred in index.shreds])
        best[sheets[owners] != sheets[number]] = np.inf
    found = []
    for owner in owners[_smallest(best, k)]:
        first, last = others.start[owner], others.start[owner + 1]
        position = first + int(squared[first:last].argmin())
        place = Sample(index.shreds[owner].id, _other(sample.side), int(others.row[position]))
        found.append(Neighbour(place, _distance(index.of(sample.side), at, others, position)))
    return tuple(sorted(found, key=lambda neighbour: neighbour.distance))


def distance_between(index: SampleIndex, one: Sample, other: Sample) -> float | None:
    """Give the distance of two samples, see `Neighbour`; None where either is blank paper."""
    at, position = index.position(one), index.position(other)
    return None if min(at, position) < 0 else _distance(index.of(one.side), at, index.of(other.side), position)


def _distance(these: BorderSamples, at: int, others: BorderSamples, position: int) -> float:
    """Measure the distance of two samples by their positions."""
    apart = these.vectors[at] - others.vectors[position]
    return float(np.sqrt(apart @ apart + these.level[at] + others.level[position]))


def map_height(index: SampleIndex, row: int, also: Sequence[Sample] = ()) -> SampleMap:
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
    n_at_height = len(samples)
    for sample in dict.fromkeys(also):
        if sample.row != row and not index.is_blank(sample):
            samples.append(sample)
            of_side = index.of(sample.side)
            position = index.position(sample)
            vectors.append(of_side.vectors[position : position + 1])
    together = np.concatenate(vectors)
    points, share = _principal_plane(together, n_at_height)
    return SampleMap(tuple(samples), points, share)


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


def _smallest(values: NDArray[np.float32], k: int) -> NDArray[np.intp]:
    """Give the positions of the k smallest finite values, smallest first, equal ones in their order."""
    k = min(k, int(np.isfinite(values).sum()))
    if k <= 0:
        return np.zeros(0, np.intp)
    limit = np.partition(values, k - 1)[k - 1]
    candidates = np.flatnonzero(values <= limit)
    return candidates[np.argsort(values[candidates], kind="stable")][:k]


def _other(side: Side) -> Side:
    return "left" if side == "right" else "right"

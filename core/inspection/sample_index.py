"""The embeddings of all samples with ink, and where each is found among them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.embedding.geometry import rows_to_middle, rows_with_ink
from core.inspection.samples import Sample
from core.options import BinarizationOptions, BorderOptions
from core.progress import Progress, no_progress, part
from core.shreds.borders import read_borders
from core.shreds.shred import SIDES, Shred, Side

if TYPE_CHECKING:
    from core.embedding.encoder import Encoder

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
        """Concatenate the samples of n shreds, as they are: of each embeddings (k, d) and their k rows.

        Parameters
        ----------
        embeddings : sequence of ndarray of shape (k, d), float32
            Of the samples of each shred.
        rows : sequence of ndarray of shape (k,), int
            Their rows, rising.

        Returns
        -------
        BorderSamples
            With levels of 0.
        """
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
        """Return the rows and embeddings of one shred.

        Parameters
        ----------
        shred : int
            Its position.

        Returns
        -------
        row : ndarray of shape (k,), int32
            Rows of its samples.
        vectors : ndarray of shape (k, d), float32
            Their embeddings.
        """
        chosen = slice(self.start[shred], self.start[shred + 1])
        return self.row[chosen], self.vectors[chosen]

    def find(self, shred: int, row: int) -> int:
        """Return the position of a sample; -1 if it is blank.

        Parameters
        ----------
        shred : int
            Its position.
        row : int
            Of the sample.

        Returns
        -------
        int
            In `row`.
        """
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
        """Check whether it is of exactly these objects, with borders read so.

        Parameters
        ----------
        shreds : sequence of Shred
            All of a case; blank ones and scraps are passed over.
        binarization, border : BinarizationOptions, BorderOptions
            How borders are read now.

        Returns
        -------
        bool
            False if the index is stale.
        """
        same = [id(shred) for shred in shreds if shred.compared] == list(map(id, self.shreds))
        return same and self.read_with == (binarization, border)

    def of(self, side: Side) -> BorderSamples:
        """Return the samples of one side.

        Parameters
        ----------
        side : {"left", "right"}
            Of the borders.

        Returns
        -------
        BorderSamples
            In the order of the shreds.
        """
        return self.right if side == "right" else self.left

    def number(self, shred_id: str) -> int:
        """Return the position of a shred; -1 if it is not among them.

        Parameters
        ----------
        shred_id : str
            Identifier of a shred.

        Returns
        -------
        int
            In `shreds`.
        """
        return next((index for index, shred in enumerate(self.shreds) if shred.id == shred_id), -1)

    def position(self, sample: Sample) -> int:
        """Return the position of a sample among those of its side; -1 if it has no ink, or its shred none at all.

        Parameters
        ----------
        sample : Sample
            Of either side.

        Returns
        -------
        int
            In the `BorderSamples` of its side.
        """
        number = self.number(sample.shred)
        return self.of(sample.side).find(number, sample.row) if number >= 0 else -1

    def is_blank(self, sample: Sample) -> bool:
        """Check whether a sample has no ink, or its shred none at all.

        Parameters
        ----------
        sample : Sample
            Of either side.

        Returns
        -------
        bool
            True where there is nothing to compare.
        """
        return self.position(sample) < 0


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
    kept: dict[int, int] = {}
    if previous is not None and (previous.frame, previous.read_with) == (frame, (binarization, border)):
        kept = {id(shred): number for number, shred in enumerate(previous.shreds)}
    new = [shred for shred in with_ink if id(shred) not in kept]
    embedded = _embed(new, frame, encoder, binarization, border, progress)
    of_side = {}
    for side in SIDES:
        fresh = iter(embedded[side])
        pieces = [
            previous.of(side).slice(kept[id(shred)]) if previous is not None and id(shred) in kept else next(fresh)
            for shred in with_ink
        ]
        of_side[side] = BorderSamples.of([vectors for _, vectors in pieces], [rows for rows, _ in pieces])
    right, left = levelled(of_side["right"], of_side["left"])
    return SampleIndex(with_ink, frame, right, left, (binarization, border))


def levelled(right: BorderSamples, left: BorderSamples) -> tuple[BorderSamples, BorderSamples]:
    """Level samples, so that those that lie near everything come no nearer than others.

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
    usual = _usually(right, left), _usually(left, right)
    levels = [near.max(initial=-np.inf) - near for near in usual]
    return replace(right, level=levels[0]), replace(left, level=levels[1])


def _usually(samples: BorderSamples, others: BorderSamples) -> NDArray[np.float32]:
    """Compute how near samples come to others: a soft minimum of squared distances, shape (m,)."""
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
    """Return the rows with ink of each shred's borders, and their embeddings."""
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

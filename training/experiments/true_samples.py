"""Samples whose true partner across the cut is known, drawn from real shreds."""

from argparse import ArgumentParser
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.embedding.encoder import Encoder
from core.inspection.neighbours import HEIGHT_ROWS, Neighbour, distance_between
from core.inspection.sample_index import SampleIndex, index_samples
from core.inspection.samples import Sample, read_sample, sample_frame
from core.options import Options
from training.measuring.documents import DataSet, read_data_set
from training.measuring.methods import add_weights_argument

LEAST_INK = 0.1
"""Share of ink in a sample that is drawn: half of what the paper trains on, so that light print counts too."""


@dataclass(frozen=True, eq=False)
class TruePair:
    """An r-sample and the l-sample across the cut.

    Attributes
    ----------
    right : Sample
        Drawn by chance.
    left : Neighbour
        Of the true neighbour's left border: the nearest within `HEIGHT_ROWS`, for shreds are misaligned.
    """

    right: Sample
    left: Neighbour


def add_sample_arguments(parser: ArgumentParser) -> None:
    """Declare what the experiments on samples have in common."""
    parser.add_argument("folder", type=Path, metavar="DATASET_DIR", help="see training/measuring/documents.py")
    add_weights_argument(parser)
    parser.add_argument("--seed", type=int, default=1, help="of the choice of samples (default: %(default)s)")


def read_index(folder: Path, weights: Path) -> tuple[DataSet, SampleIndex]:
    """Find the shreds of a data set and embed their samples."""
    options = Options()
    data = read_data_set(folder, options)
    shreds = data.found.shreds
    encoder = Encoder.load(weights)
    return data, index_samples(
        shreds, frame=sample_frame(shreds), encoder=encoder, binarization=options.binarization, border=options.border
    )


def followers(data: DataSet) -> dict[str, str]:
    """Return the true right neighbour of every shred that has one, by identifier."""
    return {left: right for order in data.truth for left, right in pairwise(order)}


def draw_pairs(data: DataSet, index: SampleIndex, n: int, rng: np.random.Generator) -> list[TruePair]:
    """Draw r-samples with enough ink, whose true partner has ink too.

    Parameters
    ----------
    data : DataSet
        Documents with known order.
    index : SampleIndex
        Of their samples.
    n : int
        How many to draw; fewer if there are not so many.
    rng : Generator
        Source of all chance.

    Returns
    -------
    list of TruePair
        In the order in which they were drawn.
    """
    following = followers(data)
    owners = np.repeat(np.arange(len(index.shreds)), np.diff(index.right.start))
    pairs: list[TruePair] = []
    for at in rng.permutation(len(owners)):
        if len(pairs) == n:
            break
        shred = index.shreds[owners[at]]
        sample = Sample(shred.id, "right", int(index.right.row[at]))
        partner = partner_of(index, sample, following.get(shred.id, ""))
        if partner is not None and ink_of(index, sample).mean() >= LEAST_INK:
            pairs.append(TruePair(sample, partner))
    return pairs


def partner_of(index: SampleIndex, sample: Sample, neighbour: str) -> Neighbour | None:
    """Find the l-sample of a shred that is nearest to an r-sample, at about the same height; None if all are blank."""
    near = (Sample(neighbour, "left", sample.row + shift) for shift in range(-HEIGHT_ROWS, HEIGHT_ROWS + 1))
    distances = {left: distance_between(index, sample, left) for left in near}
    found = [Neighbour(left, distance) for left, distance in distances.items() if distance is not None]
    return min(found, key=lambda one: one.distance, default=None)


def ink_of(index: SampleIndex, sample: Sample) -> NDArray[np.bool_]:
    """Read what the encoder sees of a sample, shape (32, 32)."""
    options = Options()
    return read_sample(
        index.shreds[index.number(sample.shred)], sample, index.frame, options.binarization, options.border
    )[1]

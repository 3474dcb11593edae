"""A map of the embedding space: pairs of samples that belong together, laid on a plane by t-SNE.

Where the encoder has learned well, an r-sample lies beside its l-sample, and samples with like strokes lie together.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox, OffsetImage
from numpy.typing import NDArray
from sklearn.manifold import TSNE

from core.inspection.sample_index import SampleIndex
from core.inspection.samples import Sample
from training.experiments.report import COLOURS, Report, add_output_argument, axes_grid
from training.experiments.true_samples import TruePair, add_sample_arguments, draw_pairs, ink_of, read_index


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_sample_arguments(parser)
    parser.add_argument("--pairs", type=int, default=600, help="pairs of samples on the map (default: %(default)s)")
    parser.add_argument("--pictures", type=int, default=40, help="samples shown as pictures (default: %(default)s)")
    parser.add_argument("--perplexity", type=float, default=30.0, help="of t-SNE (default: %(default)s)")
    add_output_argument(parser)


def run(arguments: Namespace) -> Path:
    """Lay out the map, and write the report."""
    data, index = read_index(arguments.folder, arguments.weights)
    rng = np.random.default_rng(arguments.seed)
    pairs = draw_pairs(data, index, arguments.pairs, rng)
    samples = [pair.right for pair in pairs] + [pair.left.sample for pair in pairs]
    vectors = np.stack([vector_of(index, sample) for sample in samples])
    points = lay_out(vectors, arguments.perplexity, arguments.seed)
    true, chance = distances(vectors)
    report = Report("map", "A map of the embedding space")
    report.text(f"{arguments.folder.name}: {len(pairs)} r-samples drawn by chance, each with its true l-sample.")
    kinds = {"true pairs": true, "others": chance}
    rows = [[name, *(f"{np.quantile(of, q):.2f}" for q in (0.5, 0.05, 0.95))] for name, of in kinds.items()]
    report.table(["distance in the embedding space", "median", "5 %", "95 %"], rows)
    caption = "t-SNE of r-samples and l-samples; pictures show both sides of a cut, with a line to the l-sample"
    report.figure(draw(index, pairs, points, arguments.pictures), caption)
    return report.write(arguments.output)


def vector_of(index: SampleIndex, sample: Sample) -> NDArray[np.float32]:
    """Return the embedding of a sample with ink."""
    return index.of(sample.side).vectors[index.position(sample)]


def lay_out(vectors: NDArray[np.float32], perplexity: float, seed: int) -> NDArray[np.float32]:
    """Lay embeddings, shape (m, d), on a plane; returns (m, 2).

    References
    ----------
    L. van der Maaten and G. Hinton, "Visualizing Data using t-SNE", Journal of Machine Learning Research 9 (2008).
    """
    few = (len(vectors) - 1) / 3  # the method needs more points than that
    mapping = TSNE(perplexity=min(perplexity, few), init="pca", random_state=seed)
    return np.asarray(mapping.fit_transform(vectors), dtype=np.float32)


def distances(vectors: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Compute the distances of true pairs, and those of all other r- and l-samples; r-samples come first."""
    right, left = np.split(vectors, 2)
    squared = np.square(right).sum(axis=1)[:, None] + np.square(left).sum(axis=1) - 2 * right @ left.T
    between = np.sqrt(np.maximum(squared, 0))
    true = np.eye(len(right), dtype=np.bool_)
    return between[true], between[~true]


def draw(index: SampleIndex, pairs: Sequence[TruePair], points: NDArray[np.float32], n_pictures: int) -> Figure:
    """Draw the samples as points, some of the pairs as pictures with a line from the r-sample to the l-sample."""
    right, left = np.split(points, 2)
    shown = spread_out(right, n_pictures)
    figure, [[plot]] = axes_grid(1, 1, 11, 9)
    lines = list(np.stack([right, left], axis=1)[shown])
    plot.add_collection(LineCollection(lines, colors="#999999", linewidths=0.8))
    plot.scatter(*right.T, s=14, color=COLOURS[0], label="r-samples", zorder=2)
    plot.scatter(*left.T, s=14, color=COLOURS[1], marker="^", label="l-samples", zorder=2)
    for at in shown:
        # Both halves, as they met at the cut.
        halves = [~ink_of(index, sample) for sample in (pairs[at].right, pairs[at].left.sample)]
        picture = OffsetImage(np.hstack(halves).astype(float), zoom=0.55, cmap="gray")
        plot.add_artist(AnnotationBbox(picture, right[at], pad=0.1, bboxprops={"edgecolor": "#888888"}, zorder=3))
    plot.set(xlabel="first coordinate of t-SNE", ylabel="second coordinate of t-SNE")
    plot.legend(loc="upper right")
    return figure


def spread_out(points: NDArray[np.float32], n: int) -> list[int]:
    """Choose points far from each other: always the one that is farthest from all chosen so far."""
    chosen = [0] if len(points) else []
    apart = np.linalg.norm(points - points[:1], axis=1)
    while len(chosen) < min(n, len(points)):
        chosen.append(int(apart.argmax()))
        apart = np.minimum(apart, np.linalg.norm(points - points[chosen[-1]], axis=1))
    return chosen

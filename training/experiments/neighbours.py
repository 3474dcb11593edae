"""Nearest neighbours of samples: r-samples drawn by chance, and the l-samples nearest to each among all shreds.

As in a figure of the paper's supplement. Of every other shred the nearest sample counts. The true partner is one of the
true neighbour's samples at about the same height.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from core.inspection.neighbours import HEIGHT_ROWS, Neighbour, Scope, nearest
from core.inspection.sample_index import SampleIndex
from core.inspection.samples import Sample
from training.experiments.report import COLOURS, Report, add_output_argument, axes_grid
from training.experiments.true_samples import TruePair, add_sample_arguments, draw_pairs, ink_of, read_index

RANKS = (1, 5, 10, 20)

SCOPES: dict[Scope, str] = {"all": "of all shreds", "height": "of all shreds at about the same height"}


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_sample_arguments(parser)
    parser.add_argument("--queries", type=int, default=8, help="samples to draw (default: %(default)s)")
    parser.add_argument("--neighbours", type=int, default=9, help="neighbours to draw of each (default: %(default)s)")
    parser.add_argument("--measured", type=int, default=500, help="samples to measure on (default: %(default)s)")
    add_output_argument(parser)


def run(arguments: Namespace) -> Path:
    """Search, and write the report."""
    data, index = read_index(arguments.folder, arguments.weights)
    pairs = draw_pairs(data, index, max(arguments.measured, arguments.queries), np.random.default_rng(arguments.seed))
    most = max(*RANKS, arguments.neighbours)
    found = {scope: [nearest(index, pair.right, most, scope) for pair in pairs] for scope in SCOPES}
    report = Report("neighbours", "Nearest neighbours of samples")
    report.text(
        f"{arguments.folder.name}: {len(pairs)} r-samples drawn by chance, each looked for among "
        f"{len(index.left.row):,} l-samples of {len(index.shreds)} shreds. "
        "A sample is 32 × 32 px: some strokes of a line of print."
    )
    rows = [[SCOPES[scope], *recall(pairs, neighbours)] for scope, neighbours in found.items()]
    report.table(["true partner among the nearest", *map(str, RANKS)], rows)
    for scope, neighbours in found.items():
        caption = (
            f"Nearest l-samples {SCOPES[scope]}, from left to right: the r-sample asked about, its true partner, the "
            "nearest with their distance; framed where it is the true partner"
        )
        shown = draw(index, pairs[: arguments.queries], neighbours, arguments.neighbours)
        report.figure(shown, caption, "" if scope == "all" else f"-{scope}")
    return report.write(arguments.output)


def recall(pairs: Sequence[TruePair], found: Sequence[Sequence[Neighbour]]) -> list[str]:
    """Return the share of pairs whose true partner is among the nearest, for each of `RANKS`."""
    ranks = [rank_of(pair, neighbours) for pair, neighbours in zip(pairs, found, strict=True)]
    return [f"{np.mean([0 < rank <= limit for rank in ranks]):.1%}" for limit in RANKS]


def rank_of(pair: TruePair, neighbours: Sequence[Neighbour]) -> int:
    """Return the rank of the true partner among the nearest, from 1; 0 if it is not among them."""
    return next((rank for rank, one in enumerate(neighbours, start=1) if is_true(pair, one)), 0)


def is_true(pair: TruePair, neighbour: Neighbour) -> bool:
    """Check whether a neighbour lies on the true shred, at about the height of the sample asked about."""
    sample = neighbour.sample
    return sample.shred == pair.left.sample.shred and abs(sample.row - pair.right.row) <= HEIGHT_ROWS


def draw(index: SampleIndex, pairs: Sequence[TruePair], found: Sequence[Sequence[Neighbour]], k: int) -> Figure:
    """Draw every sample in a row with its true partner and its neighbours."""
    figure, rows = axes_grid(len(pairs), k + 2, 0.95, 1.15)
    for number, (row, pair) in enumerate(zip(rows, pairs, strict=True)):
        _show(row[0], index, pair.right, "", COLOURS[0])
        _show(row[1], index, pair.left.sample, f"{pair.left.distance:.1f}", COLOURS[2])
        for plot, neighbour in zip(row[2:], [*found[number][:k], *[None] * k], strict=False):
            if neighbour is None:
                plot.axis("off")
            else:
                frame = COLOURS[2] if is_true(pair, neighbour) else "#BBBBBB"
                _show(plot, index, neighbour.sample, f"{neighbour.distance:.1f}", frame)
    for plot, title in zip(rows[0], ["asked", "true", *map(str, range(1, k + 1))], strict=True):
        plot.set_title(title, fontsize=12)
    return figure


def _show(plot: Axes, index: SampleIndex, sample: Sample, text: str, frame: str) -> None:
    """Draw the ink of a sample, black on white."""
    plot.imshow(~ink_of(index, sample), cmap="gray", vmin=0, vmax=1, interpolation="nearest")
    plot.set(xticks=[], yticks=[], xlabel=text)
    plot.grid(False)
    for spine in plot.spines.values():
        spine.set(visible=True, color=frame, linewidth=1.0 if frame == "#BBBBBB" else 3.0)

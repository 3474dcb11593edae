"""Time against the number of shreds: measured, predicted beyond, and next to methods that look at every pair.

As in section 4 of the paper (experiment 2). Embedding goes with n, costs with n². Intact pages are cut in software, for
there are more of them than of real shreds; finding shreds is no part of this. Before measuring, a few shreds are
reconstructed, so that what is done once at the start is not measured.
"""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.optimize import nnls

from core.comparison import match
from core.embedding.encoder import Encoder
from core.errors import NothingFoundError
from core.options import Options
from core.sheets.inputs import input_file
from core.sheets.reader import read_sheets
from core.shreds.shred import Shred
from training.baselines import BASELINES, baseline
from training.experiments.published import MIXED_SHREDS, PAIRWISE_TIMES, PAPER_TIMES, Times
from training.experiments.report import COLOURS, Report, add_output_argument, axes_grid
from training.measuring.methods import add_weights_argument
from training.measuring.reconstruction import STAGES, arranged_as
from training.pages.preparation import find_pages

INK_GREY = 127
"""A strip without any darker value has no ink, and is not counted."""

EDGE_PX = 20
"""So much of each side of a page is left out: the scanner's lid shows there."""

WARM_UP_SHREDS = 4


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("pages", type=Path, metavar="PAGES", help="folder of intact pages, scanned at 300 dpi")
    parser.add_argument("--pattern", default="**/intact.*", help="which files below the folder (default: %(default)s)")
    add_number = partial(parser.add_argument, type=int)
    add_number("--strips", default=46, help="cut each page into so many (default: %(default)s)")
    add_number("--shreds", nargs="+", default=[100, 250, 500, 1000, 2300], help="numbers to measure (%(default)s)")
    add_number("--beyond", nargs="+", default=[5000, 20000], help="numbers to predict (default: %(default)s)")
    add_weights_argument(parser)
    pairwise = "pairwise methods to measure as well"
    parser.add_argument("--method", nargs="+", choices=BASELINES, default=[], help=pairwise)
    add_number("--pair-shreds", default=10, help="measure methods on so many shreds (default: %(default)s)")
    add_output_argument(parser)


@dataclass(frozen=True)
class Timed:
    """Seconds of each stage for n shreds of so many pages."""

    n: int
    n_pages: int
    seconds: dict[str, float]


@dataclass(frozen=True)
class Law:
    """Seconds for n shreds: ``per_shred · n + per_pair · n²``."""

    name: str
    per_shred: float
    per_pair: float

    def __call__(self, n: float) -> float:
        """Return the seconds for n shreds."""
        return self.per_shred * n + self.per_pair * n * n


def run(arguments: Namespace) -> Path:
    """Measure, fit, and write the report."""
    shreds = cut_pages(find_pages(arguments.pages, [arguments.pattern]), arguments.strips, max(arguments.shreds))
    encoder = Encoder.load(arguments.weights)
    reconstruct(shreds[:WARM_UP_SHREDS], encoder)
    numbers = sorted({min(n, len(shreds)) for n in arguments.shreds})
    timed = [reconstruct(shreds[:n], encoder) for n in numbers]
    embed, cost = fit(timed, "embed", with_pairs=False), fit(timed, "cost", with_pairs=True)
    law = Law("Rejoin, fitted", embed.per_shred + cost.per_shred, cost.per_pair)
    pairwise = [
        Law("an inference of our encoder per pair", 0.0, embed.per_shred),
        *(per_pair(name, shreds[: arguments.pair_shreds]) for name in arguments.method),
    ]
    report = Report("time", "Time against the number of shreds")
    report.text(f"Intact pages cut into {arguments.strips} strips each; {len(shreds)} strips with ink.")
    report.table(*measured_table(timed, embed, cost))
    report.text(
        f"Fitted, by least squares of relative errors: embedding {1000 * embed.per_shred:.2f} ms · n, costs "
        f"{1000 * cost.per_shred:.2f} ms · n + {1e6 * cost.per_pair:.2f} µs · n². The order is not fitted: its time "
        "depends on the costs more than on n."
    )
    others = [*pairwise, published(PAIRWISE_TIMES), published(PAPER_TIMES)]
    report.table(*predicted_table([law, *others], sorted({*numbers, *arguments.beyond, MIXED_SHREDS["D2"]})))
    report.text("Embedding and costs alone. The paper's and Paixão-b's are those of all of D2, 505 shreds, prolonged.")
    caption = "Seconds for n shreds: measured (points), fitted and prolonged (lines)"
    report.figure(plot(timed, [embed, cost, law], others, max([*numbers, *arguments.beyond])), caption)
    return report.write(arguments.output)


def cut_pages(paths: Sequence[Path], n_strips: int, most: int) -> list[Shred]:
    """Cut pages straight into strips of equal width, until there are enough.

    Parameters
    ----------
    paths : sequence of Path
        Scans of intact pages.
    n_strips : int
        Strips of a page; those without ink are left out.
    most : int
        How many to make at most.

    Returns
    -------
    list of Shred
        Page by page, from left to right.

    Raises
    ------
    NothingFoundError
        If there are no pages, or none with ink.
    """
    shreds: list[Shred] = []
    for number, path in enumerate(paths):
        if len(shreds) >= most:
            break
        for sheet in read_sheets(input_file(path)):
            grey = np.asarray(cv2.cvtColor(sheet.pixels, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
            inner = grey[EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX]
            for place, strip in enumerate(np.array_split(inner, n_strips, axis=1)):
                shred = _shred(f"{number + 1}-{place + 1:02}", number, strip)
                shreds += [] if shred.blank else [shred]
    if not shreds:
        raise NothingFoundError("There are no pages with ink. Give a folder of scans, and --pattern for their names.")
    return shreds[:most]


def _shred(shred_id: str, sheet: int, grey: NDArray[np.uint8]) -> Shred:
    height, width = grey.shape
    return Shred(
        id=shred_id,
        sheet=sheet,
        bbox=(0, 0, width, height),
        outline=np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32),
        angle_deg=0.0,
        # The same grey for all three colours, without a copy: thousands of strips are held at once.
        pixels=np.broadcast_to(grey[:, :, None], (height, width, 3)),
        mask=np.ones((height, width), dtype=np.bool_),
        frame_top_px=0,
        blank=not bool((grey < INK_GREY).any()),
    )


def reconstruct(shreds: Sequence[Shred], encoder: Encoder) -> Timed:
    """Reconstruct shreds, and time it."""
    n_pages = len({shred.sheet for shred in shreds})
    matched = match(shreds, encoder, Options())
    arranged = arranged_as(shreds, matched.costs, n_pages)
    return Timed(len(shreds), n_pages, {**matched.seconds, **arranged.seconds})


def fit(timed: Sequence[Timed], stage: str, *, with_pairs: bool) -> Law:
    """Fit the seconds of a stage: factors not below 0, least squares of relative errors, so that small n count too."""
    n = np.array([one.n for one in timed], dtype=np.float64)
    seconds = np.array([one.seconds[stage] for one in timed])
    terms = np.stack([n, n**2] if with_pairs else [n], axis=1) / seconds[:, None]
    factors, _ = nnls(terms, np.ones(len(n)))
    return Law(stage, float(factors[0]), float(factors[1]) if with_pairs else 0.0)


def per_pair(name: str, shreds: Sequence[Shred]) -> Law:
    """Time a baseline on a few shreds, and divide by the number of pairs."""
    method = baseline(name)
    method.costs(shreds[:2])
    start = time.perf_counter()
    method.costs(shreds)
    n_pairs = len(shreds) * (len(shreds) - 1)
    return Law(f"{name}, from {n_pairs} pairs", 0.0, (time.perf_counter() - start) / n_pairs)


def published(times: Times) -> Law:
    """Prolong times of D2 to other numbers of shreds."""
    n = MIXED_SHREDS["D2"]
    return Law(times.method, times.embed / n, times.cost / n**2)


def measured_table(timed: Sequence[Timed], embed: Law, cost: Law) -> tuple[list[str], list[list[str]]]:
    """List what was measured, and beside it what the fits say."""
    header = ["shreds", "pages", "embed s", "fitted", "cost s", "fitted", "solve s"]
    rows = []
    for one in timed:
        values = [one.seconds["embed"], embed(one.n), one.seconds["cost"], cost(one.n), one.seconds["solve"]]
        rows.append([str(one.n), str(one.n_pages), *(f"{value:.2f}" for value in values)])
    return header, rows


def predicted_table(laws: Sequence[Law], numbers: Sequence[int]) -> tuple[list[str], list[list[str]]]:
    """List how long each takes for so many shreds, and how much faster the first is for the last of the numbers."""
    last = numbers[-1]
    rows = []
    for law in laws:
        slower = law(last) / laws[0](last)
        times = f"{slower:,.0f}" if slower >= 10 else f"{slower:.2g}"
        rows.append([law.name, *(duration(law(n)) for n in numbers), times])
    return ["", *(f"n = {n:,}" for n in numbers), f"times slower, n = {last:,}"], rows


def duration(seconds: float) -> str:
    """Write seconds in a unit that can be grasped."""
    for unit, size in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def plot(timed: Sequence[Timed], laws: Sequence[Law], others: Sequence[Law], most: int) -> Figure:
    """Draw times on logarithmic axes: stages as measured, their fits and that of their sum, and other methods."""
    figure, [[axes]] = axes_grid(1, 1, 9, 7)
    n = np.geomspace(timed[0].n, most, 100)
    measured = [one.n for one in timed]
    for number, stage in enumerate(STAGES):
        axes.plot(measured, [one.seconds[stage] for one in timed], "o", color=COLOURS[number], label=stage)
    for number, law in enumerate(laws[:-1]):
        axes.plot(n, [law(one) for one in n], color=COLOURS[number], linewidth=1.2)
    axes.plot(n, [laws[-1](one) for one in n], color="black", linewidth=2, label=laws[-1].name)
    for number, other in enumerate(others):
        axes.plot(n, [other(one) for one in n], color=COLOURS[3 + number % 5], linestyle="--", label=other.name)
    axes.axvline(measured[-1], color="#888888", linewidth=1, linestyle=":")
    place = {"xycoords": ("data", "axes fraction"), "xytext": (-6, -4), "textcoords": "offset points"}
    axes.annotate("measured up to here", (measured[-1], 1), **place, ha="right", va="top", color="#555555")
    axes.set(xscale="log", yscale="log", xlabel="shreds", ylabel="seconds")
    figure.legend(loc="outside lower center", ncols=2)
    return figure

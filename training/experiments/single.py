"""Pages one by one: accuracy with box plots, seconds by stage, and paired t-tests between the methods.

As in section 4 of the paper (experiment 1): every page is reconstructed from its own shreds alone.
"""

import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.stats import ttest_rel
from tqdm import tqdm

from core.options import Options
from training.experiments.published import PAGES, SINGLE, data_set_of
from training.experiments.report import (
    COLOURS,
    Report,
    add_folders_argument,
    add_output_argument,
    side_by_side,
    stage_bars,
)
from training.measuring.documents import read_data_set
from training.measuring.methods import Method, add_method_arguments, methods_of
from training.measuring.reconstruction import STAGES, Reconstruction, reconstruct

Results = dict[str, dict[str, Reconstruction]]
"""By label of the method, then by name of the document."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_folders_argument(parser)
    add_method_arguments(parser)
    add_output_argument(parser)


def run(arguments: Namespace) -> Path:
    """Measure, and write the report."""
    methods = methods_of(arguments)
    results = {folder: measure(folder, methods) for folder in arguments.folders}
    report = Report("single", "Pages one by one")
    report.text(
        "Accuracy: right joins among shreds with ink, in percent, mean ± sample standard deviation over pages. "
        "Seconds a page, by stage. The t-test is paired by page, against the first line."
    )
    for folder, measured in results.items():
        report.text(f"## {folder.name}: {len(next(iter(measured.values())))} pages")
        report.table(*summary(measured, data_set_of(folder)))
    report.figure(box_plots(results), "Accuracy of pages: median, quartiles, pages beyond; the dashed line is the mean")
    seconds = {
        folder.name: {label: mean_seconds(pages.values()) for label, pages in measured.items()}
        for folder, measured in results.items()
    }
    report.figure(stage_bars(seconds, "seconds a page"), "Mean seconds a page by stage", "-seconds")
    for folder, measured in results.items():
        report.text(f"## {folder.name}, page by page")
        report.table(*by_document(measured))
    return report.write(arguments.output)


def measure(folder: Path, methods: Sequence[Method]) -> Results:
    """Reconstruct every page of a data set by itself, with every method."""
    data = read_data_set(folder, Options())
    results: Results = {method.label: {} for method in methods}
    for document in tqdm(data.documents, folder.name, disable=None, leave=False):
        if document.n_true < 2:
            continue
        alone = data.of([document])
        for method in methods:
            results[method.label][document.name] = reconstruct(alone, method)
    return results


def accuracies(measured: dict[str, Reconstruction]) -> NDArray[np.float64]:
    """Return the accuracy of all pages in percent."""
    return np.array([100 * page.accuracy for page in measured.values()])


def spread(accuracies: NDArray[np.float64]) -> tuple[str, str]:
    """Write mean and sample standard deviation of pages, and how many of them are perfect."""
    deviation = f" ± {accuracies.std(ddof=1):.2f}" if len(accuracies) > 1 else ""
    return f"{accuracies.mean():.2f}{deviation}", f"{(accuracies == 100).mean():.0%}"


def mean_seconds(pages: Iterable[Reconstruction]) -> dict[str, float]:
    """Compute the mean seconds of pages by stage."""
    seconds = [page.seconds for page in pages]
    return {stage: float(np.mean([one[stage] for one in seconds])) for stage in STAGES}


def paired_t_test(one: NDArray[np.float64], other: NDArray[np.float64]) -> str:
    """Compare two methods page by page: t and p, or why there is no test."""
    difference = other - one
    if len(difference) < 2:
        return "too few pages"
    if not difference.any():
        return "the same on all pages"
    with warnings.catch_warnings():
        # Differences that are all alike leave no spread: t is infinite then, which is what is printed.
        warnings.simplefilter("ignore", RuntimeWarning)
        result = ttest_rel(other, one)
    return f"t = {result.statistic:.2f}, p = {result.pvalue:.2g}"


def summary(measured: Results, data_set: str) -> tuple[list[str], list[list[str]]]:
    """Lay methods below each other, and what was published below these."""
    header = ["method", "accuracy %", "every join right", *(f"{stage} s" for stage in STAGES), "against the first"]
    rows = []
    first = accuracies(next(iter(measured.values())))
    for number, (label, pages) in enumerate(measured.items()):
        values = accuracies(pages)
        seconds = (f"{of_stage:.3f}" for of_stage in mean_seconds(pages.values()).values())
        rows.append([label, *spread(values), *seconds, paired_t_test(first, values) if number else ""])
    for method, of_pages in published_pages(measured, data_set).items():
        values = np.array(of_pages)
        test = paired_t_test(first, values)
        rows.append([f"*published for these pages:* {method}", *spread(values), "", "", "", test])
    for published in SINGLE.get(data_set, ()):
        rows.append([f"*published for all of {data_set}:* {published.method}", str(published), "", "", "", "", ""])
    return header, rows


def published_pages(measured: Results, data_set: str) -> dict[str, list[float]]:
    """Return what was published of exactly the pages measured, in percent and in their order."""
    names = list(next(iter(measured.values())))
    return {
        method: [of_pages[name] for name in names]
        for method, of_pages in PAGES.get(data_set, {}).items()
        if len(names) > 1 and all(name in of_pages for name in names)
    }


def by_document(measured: Results) -> tuple[list[str], list[list[str]]]:
    """List all pages with the accuracy of every method."""
    names = next(iter(measured.values()))
    rows = [
        [name, str(page.n), *(f"{100 * pages[name].accuracy:.2f}" for pages in measured.values())]
        for name, page in names.items()
    ]
    return ["document", "shreds", *measured], rows


def box_plots(results: dict[Path, Results]) -> Figure:
    """Draw the spread of accuracy over pages, a plot for each data set."""
    labels = list(next(iter(results.values())))
    figure, plots = side_by_side(len(results), len(labels))
    for plot, (folder, measured) in zip(plots, results.items(), strict=True):
        boxes = plot.boxplot(
            [accuracies(pages) for pages in measured.values()],
            orientation="horizontal",
            widths=0.6,
            tick_labels=labels,
            showmeans=True,
            meanline=True,
            patch_artist=True,
            medianprops={"color": "black"},
            meanprops={"color": "#D55E00", "linestyle": "--", "linewidth": 1.5},
            flierprops={"marker": "o", "markersize": 4, "alpha": 0.6},
        )
        for number, box in enumerate(boxes["boxes"]):
            box.set(facecolor=COLOURS[number % len(COLOURS)], alpha=0.45)
        plot.set(title=folder.name, xlabel="accuracy (%)")
        plot.set_xlim(right=101)
    return figure

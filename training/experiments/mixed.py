"""All documents mixed: accuracy, and seconds by stage.

As in section 4 of the paper (experiment 2): all shreds of a data set are reconstructed together.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from matplotlib.figure import Figure

from core.options import Options
from training.experiments.published import MIXED, MIXED_SHREDS, PAIRWISE_TIMES, PAPER_TIMES, data_set_of
from training.experiments.report import Report, add_folders_argument, add_output_argument, side_by_side, stage_bars
from training.measuring.documents import read_data_set
from training.measuring.methods import add_method_arguments, methods_of
from training.measuring.reconstruction import STAGES, Reconstruction, reconstruct

Results = dict[str, Reconstruction]
"""By label of the method."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_folders_argument(parser)
    add_method_arguments(parser)
    add_output_argument(parser)


def run(arguments: Namespace) -> Path:
    """Measure, and write the report."""
    methods = methods_of(arguments)
    report = Report("mixed", "All documents mixed")
    report.text(
        "Accuracy: right joins among shreds with ink, in percent; the last shred of a page followed by the first of "
        "another is right too. Seconds by stage, for all shreds together."
    )
    results: dict[Path, Results] = {}
    for folder in arguments.folders:
        data = read_data_set(folder, Options())
        results[folder] = {method.label: reconstruct(data, method) for method in methods}
        n = next(iter(results[folder].values())).n
        n_documents = sum(document.n_true > 0 for document in data.documents)
        report.text(f"## {folder.name}: {n} shreds of {n_documents} documents")
        report.table(*summary(results[folder], data_set_of(folder)))
    report.figure(accuracy_dots(results), "Accuracy of all documents mixed")
    seconds = {
        folder.name: {label: {stage: one.seconds[stage] for stage in STAGES} for label, one in measured.items()}
        for folder, measured in results.items()
    }
    report.figure(stage_bars(seconds, "seconds"), "Seconds by stage", "-seconds")
    return report.write(arguments.output)


def summary(measured: Results, data_set: str) -> tuple[list[str], list[list[str]]]:
    """Lay methods below each other, and what was published below these."""
    rows = []
    for label, one in measured.items():
        seconds = with_sum([one.seconds[stage] for stage in STAGES])
        rows.append([label, str(one.n), f"{100 * one.accuracy:.2f}", *seconds])
    for published in MIXED.get(data_set, ()):
        method = f"*published:* {published.method}"
        rows.append([method, str(MIXED_SHREDS[data_set]), str(published), *[""] * (len(STAGES) + 1)])
    if data_set == "D2":
        for times in (PAPER_TIMES, PAIRWISE_TIMES):
            seconds = with_sum([times.embed, times.cost, times.solve])
            rows.append([f"*published:* {times.method}", str(MIXED_SHREDS[data_set]), "", *seconds])
    return ["method", "shreds", "accuracy %", *(f"{stage} s" for stage in STAGES), "all s"], rows


def with_sum(seconds: list[float]) -> list[str]:
    """Write seconds, and their sum behind them."""
    return [f"{value:.2f}" for value in (*seconds, sum(seconds))]


def accuracy_dots(results: dict[Path, Results]) -> Figure:
    """Draw accuracies, a plot for each data set, with the best published automatic one as a line."""
    labels = list(next(iter(results.values())))
    figure, plots = side_by_side(len(results), len(labels))
    for plot, (folder, measured) in zip(plots, results.items(), strict=True):
        values = [100 * one.accuracy for one in measured.values()]
        plot.plot(values, labels, "o", markersize=9)
        for label, value in zip(labels, values, strict=True):
            plot.annotate(f"{value:.2f} ", (value, label), (-6, 0), textcoords="offset points", ha="right", va="center")
        best = max(MIXED.get(data_set_of(folder), ()), key=lambda one: one.mean, default=None)
        if best is not None:
            plot.axvline(best.mean, color="black", linestyle="--", linewidth=1.2, label=f"{best.method}: {best}")
            plot.legend(loc="upper center", bbox_to_anchor=(0.5, -0.25))
        plot.set(title=folder.name, xlabel="accuracy (%)")
        plot.margins(x=0.3, y=0.15)
    return figure

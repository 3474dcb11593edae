"""Accuracy against one setting of the encoder, from encoders trained for each of its values."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from core.embedding.encoder import Encoder
from core.errors import UsageError
from training.experiments import sweep_training
from training.experiments.published import SINGLE, data_set_of
from training.experiments.report import COLOURS, STYLE, Report, add_folders_argument, add_output_argument, axes_grid
from training.experiments.single import Results, accuracies, mean_seconds, measure, spread
from training.experiments.sweep_training import Setting, add_recipe_arguments
from training.measuring.methods import VARIANTS, Embedder, EncoderMethod
from training.measuring.reconstruction import STAGES


@dataclass(frozen=True)
class Sweep:
    """An experiment that measures encoders trained for each value of one setting.

    Attributes
    ----------
    setting : Setting
        What is varied.
    description : str
        What the help says.
    title, symbol : str
        Heading of the report; name of the setting in tables and figures.
    text : str
        What the paper does and says.
    published : mapping
        Label of the method in `published.SINGLE` to the value it holds for.
    """

    setting: Setting
    description: str
    title: str
    symbol: str
    text: str
    published: Mapping[str, int]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        setting = self.setting
        add_folders_argument(parser)
        names = f"{setting.letter}{setting.values[0]}.keras to {setting.letter}{setting.values[-1]}.keras"
        parser.add_argument("--weights-folder", type=Path, required=True, metavar="FOLDER", help=f"holds {names}")
        setting.add_values_argument(parser)
        parser.add_argument("--variant", choices=VARIANTS, default="embeddings", help="default: %(default)s")
        train_on = "train on these first, for values without weights"
        parser.add_argument("--pages", type=Path, nargs="+", metavar="PAGES", help=train_on)
        add_recipe_arguments(parser)
        add_output_argument(parser)

    def run(self, arguments: Namespace) -> Path:
        """Measure every encoder page by page, and write the report.

        Raises
        ------
        UsageError
            If there are no weights in the folder.
        """
        setting = self.setting
        if arguments.pages:
            setting.train_each(arguments, arguments.weights_folder)
        files = {value: setting.weights(arguments.weights_folder, value) for value in arguments.values}
        there = {value: path for value, path in files.items() if path.is_file()}
        if not there:
            raise UsageError(
                f"There are no weights {setting.letter}*.keras in {arguments.weights_folder}. Train them with "
                f"python -m training.experiments {setting.name}-train, or give --pages."
            )
        variant = VARIANTS[arguments.variant]
        methods = [EncoderMethod(str(value), Embedder(Encoder.load(path)), variant) for value, path in there.items()]
        results = {folder: measure(folder, methods) for folder in arguments.folders}
        report = Report(setting.name, self.title)
        report.text(f"{self.text} Pages one by one, {variant.label}.")
        if card := _card(next(iter(there.values()))):
            settings = card["settings"]
            length = " ".join(f"{name} {settings[name]}" for name in ("epochs", "steps") if name in settings)
            n_pages = sum(source["n"] for source in card["pages"])
            report.text(f"Trained by the recipe {card['recipe']}, {length}, on {n_pages} intact pages.")
        missing = [str(value) for value in arguments.values if value not in there]
        if missing:
            report.text(f"Not trained: {', '.join(missing)}.")
        report.table(*summary(self, results, list(there)))
        report.figure(curves(self, results, list(there)), f"Accuracy and seconds a page against {self.symbol}")
        return report.write(arguments.output)


DIMENSION = Sweep(
    sweep_training.DIMENSION,
    "The dimension of the embedding: accuracy and time for d = 2, 4, …, 512.\n\n"
    "As in the paper's sensitivity analysis. Train the encoders with dimension-train, or give --pages.",
    title="The dimension of the embedding",
    symbol="d",
    text="An encoder was trained for each d, all else alike.",
    published={"the paper, d = 8": 8, "the paper, d = 128": 128},
)

HEIGHT = Sweep(
    sweep_training.HEIGHT,
    "The height of samples: accuracy and time for s_y = 32, 64, 128 and 256 pixels.\n\n"
    "As in the paper's sensitivity analysis: the last convolution covers a whole sample, so it is higher for higher "
    "samples.\nTrain the encoders with height-train, or give --pages.",
    title="The height of samples",
    symbol="sample height (px)",
    text="An encoder was trained for each height, all else alike; its last convolution covers a whole sample.",
    published={"the paper, d = 128": 32},
)


def _card(weights: Path) -> dict[str, Any] | None:
    """Read the card beside weights, if there is one."""
    card = weights.with_suffix(".json")
    return json.loads(card.read_text(encoding="utf-8")) if card.is_file() else None


def summary(sweep: Sweep, results: Mapping[Path, Results], values: Sequence[int]) -> tuple[list[str], list[list[str]]]:
    """Lay values below each other: accuracy, perfect pages and seconds for each data set, and what was published."""
    header = [sweep.symbol]
    for folder in results:
        header += [f"{folder.name}: accuracy %", "every join right", "seconds a page"]
    data_sets = [name for name in dict.fromkeys(map(data_set_of, results)) if name in SINGLE and sweep.published]
    header += [f"published, all of {name}" for name in data_sets]
    rows = []
    for number, value in enumerate(values):
        row = [str(value)]
        for measured in results.values():
            pages = list(measured.values())[number]
            row += [*spread(accuracies(pages)), f"{sum(mean_seconds(pages.values()).values()):.2f}"]
        for name in data_sets:
            row.append(next((str(one) for one in SINGLE[name] if sweep.published.get(one.method) == value), ""))
        rows.append(row)
    return header, rows


def curves(sweep: Sweep, results: Mapping[Path, Results], values: Sequence[int]) -> Figure:
    """Draw accuracy against the values, and the seconds a page on a second axis, as in the paper."""
    figure, [[plot]] = axes_grid(1, 1, 9, 5.5)
    seconds = plot.twinx()
    for number, (folder, measured) in enumerate(results.items()):
        colour = COLOURS[number % len(COLOURS)]
        means = [accuracies(pages).mean() for pages in measured.values()]
        plot.plot(values, means, "s-", color=colour, label=folder.name)
        times = [sum(mean_seconds(pages.values())[stage] for stage in STAGES) for pages in measured.values()]
        seconds.plot(values, times, ":", color=colour, label=f"{folder.name}: seconds")
        published = [
            (sweep.published[one.method], one.mean)
            for one in SINGLE.get(data_set_of(folder), ())
            if one.method in sweep.published
        ]
        if published:
            label = f"the paper, all of {data_set_of(folder)}"
            plot.plot(*np.transpose(published), "*", color=colour, ms=14, mec="black", ls="", label=label)
    plot.set(xscale="log", xlabel=sweep.symbol, ylabel="accuracy (%)")
    plot.set_xticks(values, [str(value) for value in values])
    plot.minorticks_off()
    seconds.set_ylabel("seconds a page", fontsize=STYLE["font.size"])
    seconds.tick_params(labelsize=STYLE["font.size"])
    seconds.set_ylim(bottom=0)
    seconds.grid(False)
    seconds.spines["right"].set_visible(True)
    figure.legend(loc="outside lower center", ncols=3)
    return figure

"""What an experiment hands over: a Markdown file with tables, and its figures as PNG beside it."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#7F7F7F")
"""Told apart by colour-blind people too (Okabe and Ito, "Color Universal Design", 2008), black replaced by grey."""

STYLE = {
    "font.size": 12,
    "axes.titlesize": 13,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": mpl.cycler(color=COLOURS),
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "legend.frameon": False,
}

FIGURE_DPI = 120


def add_folders_argument(parser: ArgumentParser) -> None:
    """Declare which data sets are measured."""
    what = "see training/measuring/documents.py"
    parser.add_argument("folders", nargs="+", type=Path, metavar="DATASET_DIR", help=what)


def add_output_argument(parser: ArgumentParser) -> None:
    """Declare where the report goes."""
    default = Path("out/experiments")
    parser.add_argument("-o", "--output", type=Path, default=default, metavar="FOLDER", help="default: %(default)s")


def axes_grid(
    n_rows: int, n_columns: int, width_in: float, height_in: float, *, share_x: bool = False, share_y: bool = False
) -> tuple[Figure, list[list[Axes]]]:
    """Build a figure of several plots, drawn without a display.

    Parameters
    ----------
    n_rows, n_columns : int
        How many plots.
    width_in, height_in : float
        Size of each, in inches.
    share_x, share_y : bool
        Whether the plots have the same axis.

    Returns
    -------
    Figure, list of list of Axes
        The figure and its plots, row by row.
    """
    with mpl.rc_context(STYLE):
        figure = Figure((n_columns * width_in, n_rows * height_in), layout="constrained")
        return figure, figure.subplots(n_rows, n_columns, squeeze=False, sharex=share_x, sharey=share_y).tolist()


def side_by_side(n_plots: int, n_lines: int) -> tuple[Figure, list[Axes]]:
    """Build plots in a row for horizontal bars or boxes, whose lines have the same names, the first on top."""
    figure, axes = axes_grid(1, n_plots, 9.0 if n_plots == 1 else 5.5, 1.5 + 0.5 * n_lines, share_y=True)
    axes[0][0].invert_yaxis()
    for plot in axes[0]:
        plot.yaxis.grid(False)
    return figure, axes[0]


def stage_bars(seconds: Mapping[str, Mapping[str, Mapping[str, float]]], unit: str) -> Figure:
    """Draw seconds by stage, stacked, a plot for each data set.

    Parameters
    ----------
    seconds : mapping
        By data set, then by method, then by stage; the methods and the stages are the same everywhere.
    unit : str
        Label of the axis.

    Returns
    -------
    Figure
        Horizontal bars.
    """
    methods = list(next(iter(seconds.values())))
    figure, plots = side_by_side(len(seconds), len(methods))
    for plot, (data_set, of_methods) in zip(plots, seconds.items(), strict=True):
        start = [0.0] * len(methods)
        for stage in next(iter(of_methods.values())):
            lengths = [of_stages[stage] for of_stages in of_methods.values()]
            plot.barh(methods, lengths, left=start, height=0.6, label=stage)
            start = [before + length for before, length in zip(start, lengths, strict=True)]
        plot.set(title=data_set, xlabel=unit)
    figure.legend(*plots[0].get_legend_handles_labels(), loc="outside upper right", ncols=3)
    return figure


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay cells out as a Markdown table; what says "12.3" or "4 %" stands to the right, text to the left."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    rule = ["---:" if column and all(_is_figure(cell) for cell in column) else "---" for column in columns]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (header, rule, *rows))


def _is_figure(cell: str) -> bool:
    return cell in ("", "-") or cell[0].isdigit() or (cell[0] in "-<+" and len(cell) > 1)


class Report:
    """Collects text, tables and figures.

    Parameters
    ----------
    name : str
        Of the files.
    title : str
        The heading.
    """

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self._parts = [f"# {title}"]
        self._figures: dict[str, Figure] = {}

    def text(self, paragraph: str) -> None:
        """Add a paragraph."""
        self._parts.append(paragraph)

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Add a table."""
        self._parts.append(markdown_table(header, rows))

    def figure(self, figure: Figure, caption: str, suffix: str = "") -> None:
        """Add a figure; a suffix tells several of them apart."""
        file_name = f"{self.name}{suffix}.png"
        self._figures[file_name] = figure
        self._parts.append(f"![{caption}]({file_name})\n\n{caption}")

    def write(self, folder: Path) -> Path:
        """Write all files, print the Markdown, and return the path of its file."""
        folder.mkdir(parents=True, exist_ok=True)
        for file_name, figure in self._figures.items():
            with mpl.rc_context(STYLE):
                figure.savefig(folder / file_name, dpi=FIGURE_DPI, metadata={"Software": None})
        markdown = "\n\n".join(self._parts) + "\n"
        path = folder / f"{self.name}.md"
        path.write_text(markdown, encoding="utf-8")
        print(markdown)
        print(f"Written to {path}")
        return path

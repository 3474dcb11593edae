"""Rejoin: without "reconstruct" the window opens; with it, sheets become pages without a window."""

import argparse
import io
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.resources import weights_path
from core import __version__
from core.errors import OutputError, RejoinError, UsageError
from core.matching import DOUBTFUL, percentage
from core.native_log import without_chatter
from core.options import CompositionOptions, CostOptions, Options, OutputOptions, ReadingOptions, SolverOptions
from core.progress import Progress, part

if TYPE_CHECKING:
    from core.case import Case, JoinInfo

CANCELLED_EXIT_CODE = 130

WINDOW_HELP = """\
Without "reconstruct" the window opens, with the files given.

  python main.py                                  open the window
  python main.py sheet_1.jpg sheet_2.jpg          open it with two sheets
  python main.py reconstruct --help               reconstruct without a window
"""

RECONSTRUCT_HELP = """\
examples:
  python main.py reconstruct sheet_1.jpg sheet_2.jpg -o pages.pdf
  python main.py reconstruct scans/ -o pages.pdf --json result.json --case matter.rejoin
  python main.py reconstruct scans.pdf --dpi 600 --pages 3 -o pages.tif

The sheets are only read. A summary with the doubtful joins goes to standard output, messages to standard error.

exit codes:
  0 done    1 unexpected, or the result could not be written    2 wrong use
  3 no sheet could be read    4 nothing found to reconstruct    130 cancelled
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Parameters
    ----------
    arguments : sequence of str, optional
        Without the program's name; those of the command line, if absent.

    Returns
    -------
    int
        The exit code.
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments[:1] == ["reconstruct"]:
        given = _reconstruct_parser().parse_args(arguments[1:])
        with without_chatter():
            return _guarded(lambda: _reconstruct(given), verbose=given.verbose)
    paths = [Path(path) for path in _window_parser().parse_args(arguments).files]
    return _guarded(lambda: _open_window(paths), verbose=True)


def _window_parser() -> argparse.ArgumentParser:
    """Describe the command line that opens the window."""
    parser = argparse.ArgumentParser(
        prog="python main.py",
        description="Rejoin puts strip-shredded documents back together: scans of the shreds in, pages out.",
        epilog=WINDOW_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="sheets, folders of sheets, or a case")
    parser.add_argument("--version", action="version", version=f"Rejoin {__version__}")
    return parser


def _reconstruct_parser() -> argparse.ArgumentParser:
    """Describe the command line of "reconstruct"."""
    parser = argparse.ArgumentParser(
        prog="python main.py reconstruct",
        usage="%(prog)s SHEET... -o FILE [options]",
        description="Reconstruct shredded pages from scanned sheets, without a window.",
        epilog=RECONSTRUCT_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    default = Options()
    parser.add_argument("sheets", nargs="+", type=Path, metavar="SHEET", help="image, PDF of scans, or folder of them")
    pages_help = "the pages: .pdf, .tif, or .png (numbered, if there are several)"
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help=pages_help)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write shreds, order, joins and times for programs")
    parser.add_argument("--case", type=Path, metavar="FILE.rejoin", help="write the case, to go on in the window")
    group = parser.add_argument_group("reading")
    group.add_argument("--dpi", type=float, help="resolution, if the files do not say it or say it wrongly")
    _add_number(group, "--max-megapixels", default.reading.max_megapixels, "N", "refuse larger sheets")
    group = parser.add_argument_group("order")
    group.add_argument("--pages", type=int, metavar="N", help="number of pages (default: from the shreds' widths)")
    _add_number(group, "--page-width", default.solver.page_width_mm, "MM", "width of a page, for that estimate")
    _add_number(group, "--max-shift", default.cost.max_shift_rows, "ROWS", "largest vertical shift, in rows of 4 px")
    _add_number(group, "--time-limit", default.solver.time_limit_s, "S", "seconds for proving the order cheapest")
    _add_number(group, "--seed", default.solver.seed, "N", "the same seed gives the same order")
    engine_help = "exact: proved the cheapest (default); local-search: slow, without proof, to compare with"
    group.add_argument("--engine", choices=("exact", "local-search"), default=default.solver.engine, help=engine_help)
    weights_help = "weights of the encoder, instead of the bundled ones"
    group.add_argument("--weights", type=Path, metavar="FILE", help=weights_help)
    group = parser.add_argument_group("pages")
    group.add_argument("--seams", action="store_true", help="draw a thin line along every cut")
    quality = default.output.jpeg_quality
    jpeg_help = f"smaller PDF: JPEG images (quality {quality}, if not given) instead of lossless ones"
    group.add_argument("--jpeg", type=int, nargs="?", const=quality, metavar="QUALITY", help=jpeg_help)
    group = parser.add_argument_group("messages")
    group.add_argument("--list-joins", action="store_true", help="print every join with its confidence")
    group.add_argument("-q", "--quiet", action="store_true", help="no summary and no progress bar")
    group.add_argument("-v", "--verbose", action="store_true", help="details of unexpected errors")
    return parser


def _add_number(group: argparse._ActionsContainer, name: str, default: float, unit: str, help: str) -> None:
    """Add an option that takes a number and has a default."""
    help = f"{help} (default: %(default)g)"
    group.add_argument(name, type=type(default), default=default, metavar=unit, help=help)


def _guarded(run: Callable[[], int], verbose: bool) -> int:
    """Turn every failure into a sentence and an exit code."""
    try:
        return run()
    except RejoinError as error:
        _say(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        _say("Cancelled. No file was left half-written.")
        return CANCELLED_EXIT_CODE
    except MemoryError:
        _say("The memory of this machine does not suffice. Give fewer sheets at once.")
    except Exception as error:
        if verbose:
            traceback.print_exc()
        hint = "" if verbose else " Run again with --verbose for details."
        _say(f"Something unexpected went wrong ({type(error).__name__}: {error}).{hint} Please report it.")
    return 1


def _open_window(paths: Sequence[Path]) -> int:
    """Open the window."""
    try:
        from app.application import run
    except ImportError as error:
        if not (error.name or "").startswith("PySide6"):
            raise
        raise RejoinError(
            f"The window cannot be opened, since a library is missing ({error}). `make run` installs what it needs; "
            "`python main.py reconstruct` needs no window."
        ) from error
    return run(list(paths))


def _reconstruct(given: argparse.Namespace) -> int:
    """Run the command "reconstruct"."""
    options = _options(given)
    outputs = [path for path in (given.output, given.json, given.case) if path is not None]
    _check_outputs(given.sheets, outputs)
    from core import case as cases
    from core.pipeline import reconstruct
    from core.report import page_paths, write_pages, write_result

    page_paths(given.output, 1)  # refuses an unknown ending before the work
    with _progress_bar(given.quiet) as progress:
        case = reconstruct(given.sheets, options, given.weights or weights_path(), progress=part(progress, 0.0, 0.8))
        _check_outputs(given.sheets, page_paths(given.output, len(case.arrangement.pages)))
        case, written = _timed_pages(case, lambda: write_pages(given.output, case, progress=part(progress, 0.8, 0.98)))
        if given.case is not None:
            cases.save(case, given.case, part(progress, 0.98, 1.0))
        if given.json is not None:
            write_result(given.json, case)
        progress(1.0, "Done")
    for note in _notes(case):
        _say(note)
    if not given.quiet:
        print(_summary(case, written))
    if given.list_joins:
        print(_joins_listed(case.joins, case))
    elif not given.quiet:
        print(_doubtful(case))
    return 0


def _timed_pages(case: "Case", write: Callable[[], tuple[Path, ...]]) -> tuple["Case", tuple[Path, ...]]:
    """Write the pages, and add the time that composing took to the case."""
    from time import perf_counter

    start = perf_counter()
    written = write()
    seconds = perf_counter() - start
    total = case.seconds["total"] + seconds
    return replace(case, seconds={**case.seconds, "compose": seconds, "total": total}), written


def _options(given: argparse.Namespace) -> Options:
    """Put what was given in the place of the defaults."""
    try:
        return Options(
            reading=ReadingOptions(dpi=given.dpi, max_megapixels=given.max_megapixels),
            cost=CostOptions(max_shift_rows=given.max_shift),
            solver=SolverOptions(
                n_pages=given.pages,
                page_width_mm=given.page_width,
                time_limit_s=given.time_limit,
                engine=given.engine,
                seed=given.seed,
            ),
            composition=CompositionOptions(show_seams=given.seams),
            output=OutputOptions(lossless=True) if given.jpeg is None else OutputOptions(False, given.jpeg),
        )
    except ValueError as error:
        raise UsageError(str(error)) from error


def _check_outputs(sheets: Sequence[Path], outputs: Sequence[Path]) -> None:
    """Refuse, before the work, to write over a sheet, twice to one file, or where nothing can be written."""
    from core.images import find_inputs

    inputs = {
        os.path.realpath(path)
        for file in find_inputs(sheets)
        for path in (file.path, file.mask_path)
        if path is not None
    }
    taken: set[str] = set()
    for output in outputs:
        place = os.path.realpath(output)
        if place in inputs or any(_same_file(place, other) for other in inputs):
            raise UsageError(f"{output} is one of the sheets; it would be overwritten. Give another name.")
        if place in taken:
            raise UsageError(f"{output} was given for two different results. Give each its own name.")
        taken.add(place)
        folder = os.path.dirname(place)
        if not os.path.isdir(folder):
            raise OutputError(f"{output} cannot be written: there is no folder {folder}. Create it first.")
        if not os.access(folder, os.W_OK):
            raise OutputError(f"{output} cannot be written: nothing may be written in {folder}. Choose another folder.")


def _same_file(one: str, other: str) -> bool:
    """Say whether two names stand for one file, as hard links do, and names on disks that do not tell A from a."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


@contextmanager
def _progress_bar(quiet: bool) -> Iterator[Progress]:
    """Show a bar on a terminal, and nothing elsewhere."""
    from tqdm import tqdm

    hidden = quiet or not sys.stderr.isatty()
    layout = "{desc:<42.42} {percentage:3.0f} %|{bar}| {elapsed}"
    with tqdm(total=1.0, file=sys.stderr, disable=hidden, leave=False, bar_format=layout) as bar:

        def report(fraction: float, text: str) -> None:
            bar.set_description_str(text, refresh=False)
            bar.update(max(0.0, fraction - bar.n))

        yield report


def _notes(case: "Case") -> Iterator[str]:
    """Say what was left out, and what was assumed."""
    yield from case.unreadable
    for sheet in case.sheets:
        if sheet.dpi_source == "estimated":
            yield f"{sheet.path} does not say its resolution; taken as {sheet.dpi:g} dpi. If that is wrong, give --dpi."


def _summary(case: "Case", written: Sequence[Path]) -> str:
    """Sum up the result for a person."""
    pages, aside = case.arrangement.pages, len(case.arrangement.set_aside)
    placed = sum(map(len, pages))
    lines = [f"{_count(len(pages), 'page')} from {_count(placed, 'shred')} on {_count(len(case.sheets), 'sheet')}"]
    if aside:
        lines[0] += f"; {_count(aside, 'blank shred')} set aside"
    crumbs = sum(crumb.reason != "frame" for crumb in case.crumbs)
    if crumbs:
        lines[0] += f"; {_count(crumbs, 'crumb')} left out"
    lines[0] += "."
    if not case.optimal:
        lines.append(
            f"The order may be up to {100 * case.gap:.2g} % dearer than the cheapest; a longer --time-limit helps."
        )
    lines += [f"Written: {path}" for path in written]
    return "\n".join(lines)


def _doubtful(case: "Case") -> str:
    """Say which joins a person should look at again."""
    doubtful = [join for join in case.joins if join.confidence < DOUBTFUL]
    if not doubtful:
        return "No join is doubtful."
    head = f"{_count(len(doubtful), 'doubtful join')} of {len(case.joins)}; look at them again:"
    return f"{head}\n{_joins_listed(doubtful, case)}"


def _joins_listed(joins: Sequence["JoinInfo"], case: "Case") -> str:
    """List joins with their confidence."""
    page_of = {shred: number for number, page in enumerate(case.arrangement.pages, start=1) for shred in page}
    return "\n".join(
        f"  page {page_of[join.left]}:  {join.left} | {join.right}  {percentage(join.confidence):>6}" for join in joins
    )


def _count(n: int, noun: str) -> str:
    """Give a number with its noun: "1 page", "2 pages"."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _say(text: str) -> None:
    """Print a message on standard error."""
    print(text, file=sys.stderr)


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names of files may hold anything
    code = main()
    if code:  # a library may still be loading in the background; whoever cancelled does not wait for that
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)

"""Makes a sack of shreds: ``python -m training.sack -o FOLDER --pages 600``."""

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tqdm import tqdm

from training.command import command
from training.pages.preparation import work_alone
from training.pages.sack import Lying, cut_document, drawn_sheets, write_sheet
from training.rendering.documents import PAGES_PER_DOCUMENT, render_document


def _cut(number: int, options: argparse.Namespace, strips: Path) -> list[Lying]:
    """Render a document, if it is not there yet, and cut it."""
    pages = options.output / "pages"
    path = pages / f"document_{options.seed}_{number:05}.pdf"
    if not path.exists():
        render_document(number, seed=options.seed, n_pages=options.pages, folder=pages)
    return cut_document(path, number * PAGES_PER_DOCUMENT, options.seed, options.width, strips)


def _lay(sheet: tuple[int, list[Lying]], options: argparse.Namespace, strips: Path) -> list[Lying]:
    """Lay and scan a sheet."""
    number, shreds = sheet
    return write_sheet(sheet_path(options.output, number), shreds, strips, options.laid_off, options.seed)


def sheet_path(folder: Path, number: int) -> Path:
    """Return where a sheet lies, counted from 0."""
    return folder / "sheets" / f"sheet_{number + 1:05}.jpg"


def _spread(work: Callable[[Any], list[Lying]], tasks: Sequence[Any], n: int, unit: str) -> Iterator[list[Lying]]:
    with ProcessPoolExecutor(n, mp_context=get_context("spawn"), initializer=work_alone) as pool:
        yield from tqdm(pool.map(work, tasks), total=len(tasks), unit=f" {unit}")


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Make a sack of shreds: invented pages, cut in software, mixed, laid on sheets and scanned."""
    parser = argparse.ArgumentParser(prog="python -m training.sack", description=main.__doc__)
    folder_help = "folder for pages/*.pdf, sheets/*.jpg and truth.json; made if it is not there"
    parser.add_argument("-o", "--output", type=Path, required=True, help=folder_help)
    parser.add_argument("--pages", type=int, default=600, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=16, help="of all chance (default: %(default)s)")
    parser.add_argument("--width", type=float, default=6.0, metavar="MM", help="of shreds (default: %(default)s)")
    turned_help = "this share of the shreds lies upside down (default: %(default)s)"
    parser.add_argument("--half-turned", type=float, default=0.1, metavar="SHARE", help=turned_help)
    missing_help = "this share of the shreds is lost (default: %(default)s)"
    parser.add_argument("--missing", type=float, default=0.05, metavar="SHARE", help=missing_help)
    off_help = "so much too high or too low shreds lie at most (default: %(default)s)"
    parser.add_argument("--laid-off", type=float, default=1.2, metavar="MM", help=off_help)
    parser.add_argument("--per-sheet", type=int, default=24, metavar="N", help="shreds a sheet (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=1, help="how many at a time (default: %(default)s)")
    options = parser.parse_args(arguments)
    strips = options.output / "strips"
    for folder in (options.output / "pages", options.output / "sheets", strips):
        folder.mkdir(parents=True, exist_ok=True)
    documents = range(-(-options.pages // PAGES_PER_DOCUMENT))
    work = partial(_cut, options=options, strips=strips)
    cut = list(chain.from_iterable(_spread(work, documents, options.processes, "documents")))
    drawn = drawn_sheets(cut, options.half_turned, options.missing, options.per_sheet, options.seed)
    work = partial(_lay, options=options, strips=strips)
    laid = list(_spread(work, list(enumerate(drawn)), options.processes, "sheets"))
    truth = {"pages": options.pages, "sheets": [[shred.described() for shred in sheet] for sheet in laid]}
    (options.output / "truth.json").write_text(json.dumps(truth) + "\n", encoding="utf-8")
    shutil.rmtree(strips)
    n = sum(map(len, laid))
    print(f"{n} shreds of {options.pages} pages on {len(laid)} sheets, written to {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

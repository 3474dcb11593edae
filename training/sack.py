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
from typing import Any, TypeAlias, TypeVar

from tqdm import tqdm

from training.command import command
from training.pages.preparation import work_alone
from training.pages.sack import Lying, cut_document, drawn_sheets, write_sheet
from training.pages.two_faced import FACES, LyingFace, cut_papers, draw_blank_backs, drawn_scans, write_scans
from training.rendering.documents import PAGES_PER_DOCUMENT, render_document

_T = TypeVar("_T")
Scans: TypeAlias = tuple[list[LyingFace], list[LyingFace]]


def _rendered(number: int, options: argparse.Namespace) -> Path:
    """Render a document, if it is not there yet."""
    pages = options.output / "pages"
    path: Path = pages / f"document_{options.seed}_{number:05}.pdf"
    if not path.exists():
        render_document(number, seed=options.seed, n_pages=options.pages, folder=pages)
    return path


def _cut(number: int, options: argparse.Namespace, strips: Path) -> list[Lying]:
    """Cut a document."""
    first = number * PAGES_PER_DOCUMENT
    return cut_document(_rendered(number, options), first, options.seed, options.width, strips)


def _cut_papers(number: int, options: argparse.Namespace, strips: Path) -> list[LyingFace]:
    """Cut a document that is printed on both faces."""
    first = number * PAGES_PER_DOCUMENT // 2
    blank = draw_blank_backs(-(-options.pages // 2), options.blank_backs, options.seed)
    return cut_papers(_rendered(number, options), first, options.seed, options.width, strips, blank)


def _lay(sheet: tuple[int, list[Lying]], options: argparse.Namespace, strips: Path) -> list[Lying]:
    """Lay and scan a sheet."""
    number, shreds = sheet
    return write_sheet(sheet_path(options.output, number), shreds, strips, options.laid_off, options.seed)


def _lay_twice(sheet: tuple[int, Scans], options: argparse.Namespace, strips: Path) -> Scans:
    """Lay and scan a sheet, turn its shreds over, and scan it again."""
    number, scans = sheet
    path = sheet_path(options.output, number)
    return write_scans(path, scans, strips, options.laid_off, options.seed, carrier=options.carrier)


def sheet_path(folder: Path, number: int) -> Path:
    """Return where a sheet lies, counted from 0."""
    return folder / "sheets" / f"sheet_{number + 1:05}.jpg"


def _spread(work: Callable[[Any], _T], tasks: Sequence[Any], n: int, unit: str) -> Iterator[_T]:
    with ProcessPoolExecutor(n, mp_context=get_context("spawn"), initializer=work_alone) as pool:
        yield from tqdm(pool.map(work, tasks), total=len(tasks), unit=f" {unit}")


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Make a sack of shreds: invented pages, cut in software, mixed, laid on sheets and scanned."""
    options = _parser().parse_args(arguments)
    if options.half_turned is None:
        options.half_turned = 0.5 if options.two_faced else 0.1
    strips = options.output / "strips"
    for folder in (options.output / "pages", options.output / "sheets", strips, *(strips / face for face in FACES)):
        folder.mkdir(parents=True, exist_ok=True)
    truth = _two_faced(options, strips) if options.two_faced else _one_faced(options, strips)
    (options.output / "truth.json").write_text(json.dumps(truth) + "\n", encoding="utf-8")
    shutil.rmtree(strips)
    n, n_sheets = sum(map(len, truth["sheets"])), len(truth["sheets"])
    how = ", each scanned on both faces" if options.two_faced else ""
    print(f"{n} shreds of {options.pages} pages on {n_sheets} sheets{how}, written to {options.output}")
    return 0


def _one_faced(options: argparse.Namespace, strips: Path) -> dict[str, Any]:
    """Make shreds with one face; returns the truth about them."""
    cut = _spread(partial(_cut, options=options, strips=strips), _documents(options), options.processes, "documents")
    pieces = list(chain.from_iterable(cut))
    drawn = drawn_sheets(pieces, options.half_turned, options.missing, options.per_sheet, options.seed)
    work = partial(_lay, options=options, strips=strips)
    laid = _spread(work, list(enumerate(drawn)), options.processes, "sheets")
    return {"pages": options.pages, "sheets": [[shred.described() for shred in sheet] for sheet in laid]}


def _two_faced(options: argparse.Namespace, strips: Path) -> dict[str, Any]:
    """Make shreds with two faces; returns the truth about them: of each sheet what lay up, and what it turned over."""
    work = partial(_cut_papers, options=options, strips=strips)
    cut = chain.from_iterable(_spread(work, _documents(options), options.processes, "documents"))
    drawn = drawn_scans(
        list(cut),
        half_turned=options.half_turned,
        turned_over=options.turned_over,
        missing=options.missing,
        per_sheet=options.per_sheet,
        carrier=options.carrier,
        seed=options.seed,
    )
    lay_twice = partial(_lay_twice, options=options, strips=strips)
    laid = list(_spread(lay_twice, list(enumerate(drawn)), options.processes, "sheets"))
    up, down = ([[face.described() for face in scans[at]] for scans in laid] for at in (0, 1))
    return {"pages": options.pages, "papers": -(-options.pages // 2), "sheets": up, "turned_over": down}


def _documents(options: argparse.Namespace) -> range:
    return range(-(-options.pages // PAGES_PER_DOCUMENT))


def _parser() -> argparse.ArgumentParser:
    """Declare what can be asked for."""
    parser = argparse.ArgumentParser(prog="python -m training.sack", description=main.__doc__)
    folder_help = "folder for pages/*.pdf, sheets/*.jpg and truth.json; made if it is not there"
    parser.add_argument("-o", "--output", type=Path, required=True, help=folder_help)
    parser.add_argument("--pages", type=int, default=600, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=16, help="of all chance (default: %(default)s)")
    parser.add_argument("--width", type=float, default=6.0, metavar="MM", help="of shreds (default: %(default)s)")
    turned_help = "this share of the shreds lies upside down (default: 0.1; with two faces 0.5)"
    parser.add_argument("--half-turned", type=float, metavar="SHARE", help=turned_help)
    missing_help = "this share of the shreds is lost (default: %(default)s)"
    parser.add_argument("--missing", type=float, default=0.05, metavar="SHARE", help=missing_help)
    off_help = "so much too high or too low shreds lie at most (default: %(default)s)"
    parser.add_argument("--laid-off", type=float, default=1.2, metavar="MM", help=off_help)
    parser.add_argument("--per-sheet", type=int, default=24, metavar="N", help="shreds a sheet (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=1, help="how many at a time (default: %(default)s)")
    faces = parser.add_argument_group("two faces")
    faces_help = "print two pages on each sheet of paper; turn all shreds over when they were scanned, and scan again"
    faces.add_argument("--two-faced", action="store_true", help=faces_help)
    blank_help = "this share of the paper has a blank back (default: %(default)s)"
    faces.add_argument("--blank-backs", type=float, default=0.0, metavar="SHARE", help=blank_help)
    over_help = "this share of the shreds is laid with its back up at first (default: %(default)s)"
    faces.add_argument("--turned-over", type=float, default=0.5, metavar="SHARE", help=over_help)
    carrier_help = "turn each sheet over as a whole, left to right; without it each shred comes to lie anywhere on it"
    faces.add_argument("--carrier", action="store_true", help=carrier_help)
    return parser


if __name__ == "__main__":
    sys.exit(main())
